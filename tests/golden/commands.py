"""Section `commands`: what the command line prints."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from catalog.load import load
from catalog.load.demo_files import DEMOS
from dialogue.cli.main import main
from tests.golden.lines import Line, normalise, without

COMMANDS = ("app", "check", "plan", "engines", "pddl", "landmarks", "explore", "understand", "chat")
SENTENCES = {
    "banking": ("I'd like a loan of $12,000", "why do you need my address?"),
    "accounting": ("sales from May to March 2024",),
    "reports": ("summarize this spreadsheet for 2025-Q3",),
}


def record_commands() -> Iterator[Line]:
    """Run the commands on the demos, for each goal; and ask for help."""
    yield _run("--help")
    for command in COMMANDS:
        yield _run(command, "--help")
    yield _run("check", "nowhere")
    yield _run("plan", "banking")
    for demo in DEMOS:
        yield _run("check", demo, "--no-try")
        yield _run("check", demo, "--json", "--no-try")
        for goal in load(demo).catalog.goals:
            for command in ("plan", "landmarks"):
                yield _run(command, demo, "--goal", goal)
                yield _run(command, demo, "--goal", goal, "--json")
            yield _run("plan", demo, "--goal", goal, "--k", "3")
            yield _run("pddl", demo, "--goal", goal)
        for sentence in SENTENCES[demo]:
            yield _run("understand", demo, sentence, "--today", "2024-11-06")
            yield _run("understand", demo, sentence, "--today", "2024-11-06", "--json")


def _run(*arguments: str) -> Line:
    out, err = io.StringIO(), io.StringIO()
    with patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as left:  # as `--help` does
            code = int(left.code or 0)
    return {
        "id": " ".join(arguments),
        "code": code,
        "out": [_read(line) for line in out.getvalue().splitlines()],
        "err": list(err.getvalue().splitlines()),
    }


def _read(line: str) -> Line | str:
    """Read a line of JSON, and leave out how long it took."""
    if not line.startswith("{"):
        return line
    return dict(normalise(without(json.loads(line), "seconds")))
