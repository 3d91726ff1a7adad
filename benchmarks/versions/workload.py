"""One round of work for the version in the current folder; prints milliseconds of the processor by name, as JSON.

Only doors that versions share are used: the command line, and the planning benchmark of that version.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from benchmarks.planning.generate import Shape
from benchmarks.planning.own import OWN, Bench
from dialogue.cli.main import main as planglass

DAY = "2024-11-06"
SAID = (
    "Hi, I'd like a loan", "It's ann.bell@example.org, and I want to borrow $12,000", "why do you need that?",
    "Actually, show me my spending first", "yes", "900-12-3456", "no thanks", "what did you do?",
    "how did you get my credit score?", "why did you need my address?", "why was my loan approved?",
    "I want a credit card",
)  # fmt: skip


def run(arguments: list[str], said: str) -> None:
    """Run a command with these words on its input, and drop what it prints."""
    before = sys.stdin
    sys.stdin = io.StringIO(said)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            planglass(arguments)
    finally:
        sys.stdin = before


def clock(work: Callable[[], object]) -> float:
    """Return the milliseconds of the processor that some work takes, in all threads."""
    gc.collect()
    began = process_time()
    work()
    return 1_000 * (process_time() - began)


def main(sentences: Path) -> None:
    """Do everything once unmeasured, then measure it once."""
    taken: dict[str, float] = {}
    for catalog, file in (("accounting", "development.jsonl"), ("banking", "banking.jsonl")):
        lines = [json.loads(line)["text"] for line in (sentences / file).read_text("utf-8").splitlines()]
        command = ["understand", catalog, "-", "--json", "--today", DAY]
        run(command, "\n".join(lines[:20]))
        one = clock(partial(run, command, lines[0]))
        every = clock(partial(run, command, "\n".join(lines)))
        taken[f"a sentence of `{catalog}`"] = (every - one) / (len(lines) - 1)
    chat = ["chat", "banking", "--json", "--today", DAY]
    run(chat, "\n".join(SAID))
    taken["a conversation of 12 turns"] = clock(lambda: run(chat, "\n".join(SAID)))
    for size in (30, 100, 300):
        bench = Bench(Shape(size), 1)
        taken |= {f"{name}, N = {size}": value for name, value in bench.measure_parts().items()}
        for name in ("fast", "good"):
            engine = OWN[name].engine
            if engine is not None:
                taken[f"turn `{name}`, N = {size}"] = bench.measure_engine(engine).ms
    print(json.dumps(taken))


if __name__ == "__main__":
    main(Path(sys.argv[-1]))
