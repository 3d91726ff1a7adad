"""`planglass govern` and `check-norms`: who may speak in a room by its norms, and whether these can go wrong.

Exit codes of `check-norms`: 0 all was walked, and nothing found; 3 something was found; 4 a bound was met, and nothing
found so far; 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue

from catalog.norms.load import load_norms
from catalog.problems import CatalogError, Findings
from dialogue.cli.arguments import Commands, add_bounds, add_json, add_settings
from dialogue.cli.explore import BROKEN, HOLDS, UNSETTLED
from dialogue.rooms.checker.report import BOUNDS, CheckVerdict, check_rooms, render, write_report
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.stateless import Understand, by_its_words, govern, read_request
from planning.state_space.paths import WalkBounds

HAS_ERRORS = 2
_ESCAPED = "surrogateescape"
"""Bytes that are not UTF-8 are told with their line, and the lines around them are read."""


def run_govern(options: argparse.Namespace) -> int:
    """Print the verdict on one request a line; exit with 2 if one of them was none, and go on with the others."""
    ready = cache(_ready)
    alone = options.norms.endswith(".json")
    name = options.norms if alone else options.input
    if not alone:
        ready(options.norms)
    code, last = 0, None
    for number, line in _requests(name, whole=alone):
        said = ""
        findings = Findings("stdin" if name == "-" else name, {(): number})
        try:
            request = read_request(line, findings, last)
            if alone and not request.norms:
                findings.error("missing-key", (), "The request names no norms.", "Add `norms`: a demo room or a file.")
                raise CatalogError(findings.problems)  # noqa: TRY301 - told as all other faults of a request are
            governance, understand = ready(request.norms or options.norms)
            answer = govern(governance, request, findings, understand)
            last = answer["status"]
            if request.message is not None:
                said = f"{request.message.sender}: "
        except CatalogError as error:
            answer, code = {"error": str(error), "line": number}, HAS_ERRORS
        print(said + _in_brief(answer) if options.brief else json.dumps(answer, ensure_ascii=False), flush=True)
    return code


def _ready(norms: str) -> tuple[Governance, Understand]:
    specification = load_norms(norms).specification
    return Governance(specification), by_its_words(specification)


def _in_brief(answer: Mapping[str, JsonValue]) -> str:
    """Put an answer into a line for people, without the status."""
    if "error" in answer:
        return str(answer["error"])
    parts = []
    for lapse in cast(Iterable[Mapping[str, Any]], answer.get("unmet", ())):
        parts.append(f"{lapse['norm']} unmet by {', '.join(lapse['bearers'])}{_changes(lapse)}")
    if "isAllowed" in answer:
        tag = "denied" if answer["isDenied"] else "required" if answer["isRequired"] else "allowed"
        parts.append(f"{tag} by {_list(answer['norms']) or 'default'}{_changes(answer)}")
    return "; ".join(parts) or "nothing is overdue"


def _changes(answer: Mapping[str, Any]) -> str:
    """Say what a transition began and ended."""
    if answer["transition"] is None:
        return ""
    begun, ended = _list(answer["activated"]), _list(answer["deactivated"])
    changes = [f"begins {begun}"] * bool(begun) + [f"ends {ended}"] * bool(ended)
    return f" → {answer['transition']}: {'; '.join(changes) or 'no change'}"


def _list(names: Any) -> str:
    return ", ".join(names)


def _requests(name: str, *, whole: bool) -> Iterator[tuple[int, str]]:
    """Yield requests with their line: one a line, or one that is a whole file."""
    if whole:
        yield 1, Path(name).read_text(encoding="utf-8", errors=_ESCAPED)
        return
    if name == "-" and isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors=_ESCAPED)
    with nullcontext(sys.stdin) if name == "-" else Path(name).open(encoding="utf-8", errors=_ESCAPED) as lines:
        yield from ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def run_check_norms(options: argparse.Namespace) -> int:
    """Check norms by walking all that can be said, and print what was found."""
    loaded = load_norms(options.norms)
    report = check_rooms(loaded, bounds=WalkBounds(options.states or None, options.seconds or None))
    if options.json:
        print(json.dumps(write_report(report), ensure_ascii=False), flush=True)
    else:
        print("\n".join(render(report)), flush=True)
    if not report.is_sound:
        return BROKEN
    return HOLDS if report.verdict is CheckVerdict.PROVED else UNSETTLED


def _declare_govern(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    what = "the name of a demo room, or a file with norms; or a file .json with one request that names its norms"
    command.add_argument("norms", metavar="FILE", help=what)
    command.add_argument("--brief", action="store_true", help="print a readable line for each, without the status")
    what = "statuses and messages, one JSON object a line; - for standard input"
    command.add_argument("--input", metavar="REQUESTS", default="-", help=what)


def _declare_check(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("norms", metavar="FILE", help="the name of a demo room, or a file with norms")
    add_bounds(command, BOUNDS)
    add_json(command, "the report as JSON")


COMMANDS: Commands = {"govern": (run_govern, _declare_govern), "check-norms": (run_check_norms, _declare_check)}
