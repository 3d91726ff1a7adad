"""Make the environment that Planglass runs in: `.venv`, with exactly the pinned packages.

Runs on the Python of a fresh machine, before anything is installed: with the standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"


class SetUpFailed(Exception):
    """Something that a person has to put right; the text says what was found and what to do."""


@dataclass(frozen=True)
class Layer:
    """One lot of packages, with the stamp that says it is in place."""

    title: str
    listed_in: str
    stamp: Path
    wanted: str

    @property
    def in_place(self) -> bool:
        """Return whether what is installed is what the lists say now."""
        return self.stamp.exists() and self.stamp.read_text(encoding="utf-8") == self.wanted


def main(arguments: Sequence[str]) -> int:
    """Make what `app` or `test` needs, unless it is there already."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("app", "test"), help="app: what runs; test: also the tools of the tests")
    wants_tools = parser.parse_args(arguments).what == "test"
    try:
        make_environment(wants_tools)
    except SetUpFailed as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0


def make_environment(wants_tools: bool) -> None:
    """Bring `.venv` up to the lists; start afresh when they changed, so that nothing stale is left in it."""
    made_from = f"{sys.version}\n{sys.base_prefix}\n{ROOT}\n{packaging()}\n{read('constraints.txt')}"
    running = Layer("what Planglass runs on", "constraints.txt", VENV / ".running", digest(made_from))
    tools_from = made_from + read("constraints-dev.txt")
    tools = Layer("the tools of the tests", "constraints-dev.txt", VENV / ".tools", digest(tools_from))
    if not running.in_place:
        check_venv(importlib.util.find_spec, install_venv)
        say(f"Creating the environment in .venv with Python {sys.version.split()[0]}.")
        # Also right where `.venv` is active: then `python3` is its own, which it is about to lose.
        python = getattr(sys, "_base_executable", sys.executable)
        run([python, "-m", "venv", "--clear", str(VENV)], "The environment could not be created.")
        install(running)
    if wants_tools and not tools.in_place:
        install(tools)


def check_venv(find: Callable[[str], object], install_it: Callable[[str], bool]) -> None:
    """Make sure that this Python can create environments: Debian and Ubuntu put that in a package of its own."""
    if find("venv") is not None and find("ensurepip") is not None:
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if not install_it(package):
        raise SetUpFailed(
            f"{sys.executable} cannot create environments: its module ensurepip is missing. On Debian and Ubuntu:\n"
            f"    sudo apt-get install {package}\n"
            "then run this again."
        )


def install_venv(package: str) -> bool:
    """Install the package where that needs no password; tell whether it is there now."""
    sudo = rights_of_root()
    if sudo is None:
        return False
    say(f"Installing {package} with apt-get: this Python cannot create environments without it.")
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install_it = [*apt, "install", "-y", "--no-install-recommends", package]
    return succeeds([*apt, "update"], quiet=True) and succeeds(install_it, quiet=True)


def rights_of_root() -> list[str] | None:
    """Return what goes before apt-get for it to run as root, or None where it is absent or would ask a password."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and succeeds(["sudo", "-n", "true"], quiet=True) else None


def install(layer: Layer) -> None:
    """Install one list exactly as it stands, then Planglass itself, and stamp it."""
    start = time.monotonic()
    count = sum("==" in line for line in read(layer.listed_in).splitlines())
    say(f"Installing {layer.title}: {count} packages, pinned in {layer.listed_in}. This can take some minutes.")
    python = str(VENV / "bin" / "python")
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps", "--no-compile"]
    advice = (
        "pip could not install the pinned packages; its own words are above.\n"
        "They come from the package index that pip is set up to use here; what was downloaded is kept, so run this "
        "again.\nThe pinned packages exist for Python 3.11 to 3.14 on Linux, x86_64 and aarch64."
    )
    # Wheels only: a fresh machine has no compiler. Requires-Python is ignored for rapidocr-onnxruntime, pure Python
    # that declares < 3.13 and runs on 3.13 and 3.14.
    run([*pip, "--only-binary=:all:", "--ignore-requires-python", "-r", str(ROOT / layer.listed_in)], advice)
    run([*pip, "--no-build-isolation", "--editable", str(ROOT)], advice)
    # On all cores, which pip does on one. That some file of a package is for another Python is no reason to stop.
    succeeds([python, "-m", "compileall", "-qq", "-j", "0", str(VENV / "lib")], quiet=True)
    layer.stamp.write_text(layer.wanted, encoding="utf-8")
    say(f"Done in {time.monotonic() - start:.0f} s.")


def run(command: Sequence[str], advice: str) -> None:
    """Run a command; raise SetUpFailed with the advice if it fails."""
    if not succeeds(command):
        raise SetUpFailed(advice)


def succeeds(command: Sequence[str], *, quiet: bool = False) -> bool:
    """Run a command that reads nothing, its errors always shown, and tell whether it succeeded."""
    shown = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=shown).returncode == 0


def packaging() -> str:
    """Return what pyproject.toml says about installing: settings of the tools may change without a new install."""
    project = tomllib.loads(read("pyproject.toml"))
    return repr([project["build-system"], project["project"], project["tool"]["setuptools"]])


def read(name: str) -> str:
    """Return the text of a file of ours."""
    return (ROOT / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return a short name for a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def say(line: str) -> None:
    """Print one line at once, in order with the output of the commands run."""
    print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
