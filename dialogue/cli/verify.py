"""`planglass verify`: check an exported conversation, without trust in the program that made it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from dialogue.cli.arguments import Commands, add_json
from explain.verify import Examined, NoExport, verify

IS_WRONG = 3


def run_verify(options: argparse.Namespace) -> int:
    """Print what came of each claim; exit with 3 if anything is wrong."""
    try:
        openings = json.loads(_read(options.openings)) if options.openings else {}
        found = verify(_read(options.file), openings)
    except NoExport as error:
        raise ValueError(f"{options.file}: {error}") from None
    if options.json:
        print(json.dumps([asdict(one) for one in found], ensure_ascii=False))
    else:
        print("\n".join((*map(_say, found), _sum_up(found))))
    return IS_WRONG if any(one.verdict == "wrong" for one in found) else 0


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise NoExport("This is no text in UTF-8, so it is no JSON.") from None


def _say(one: Examined) -> str:
    cited = ", ".join(map(str, one.entries))
    match one.verdict:
        case "proved" if cited:
            told = f"proved by {'entry' if len(one.entries) == 1 else 'entries'} {cited}"
        case "recorded" if cited:
            told = f"as recorded; what it cites is there: {cited}"
        case verdict:
            told = verdict
    return f"{one.about}\n  {told}{f': {one.text}' if one.text else ''}"


def _sum_up(found: tuple[Examined, ...]) -> str:
    count = Counter(one.verdict for one in found)
    named = [f"{count[verdict]} {verdict}" for verdict in ("proved", "recorded", "doubtful", "wrong")]
    return f"{len(found)} checked: {', '.join(named)}"


def _declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="an export of a conversation (planglass sessions --export)")
    command.add_argument("--openings", metavar="FILE", help="salts and values of what is masked, from its owner")
    add_json(command, "what came of each check as JSON")


COMMANDS: Commands = {"verify": (run_verify, _declare)}
