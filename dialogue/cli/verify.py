"""`planglass verify`: check an exported conversation, without trust in the program that made it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from dialogue.cli.arguments import Commands, add_json
from explain.verify import Examined, NoExport, verify


def run_verify(options: argparse.Namespace) -> int:
    """Print the result of each check; exit with 3 if anything is wrong."""
    try:
        texts = [Path(file).read_text(encoding="utf-8") for file in (options.file, options.openings) if file]
        found = verify(texts[0], json.loads(texts[1]) if options.openings else {})
    except (NoExport, UnicodeDecodeError) as error:
        raise ValueError(f"{options.file}: {error}") from None
    count = Counter(one.verdict for one in found)
    named = ", ".join(f"{count[verdict]} {verdict}" for verdict in ("proved", "recorded", "doubtful", "wrong"))
    text = "\n".join((*map(_say, found), f"{len(found)} checked: {named}"))
    print(json.dumps([asdict(one) for one in found], ensure_ascii=False) if options.json else text)
    return 3 if count["wrong"] else 0


def _say(one: Examined) -> str:
    cited = f" by entries {', '.join(map(str, one.entries))}" if one.entries and one.verdict == "proved" else ""
    return f"{one.about}\n  {one.verdict}{cited}{f': {one.text}' if one.text else ''}"


def _declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="an export of a conversation (planglass sessions --export)")
    command.add_argument("--openings", metavar="FILE", help="salts and values of what is masked, from its owner")
    add_json(command, "the result of each check as JSON")


COMMANDS: Commands = {"verify": (run_verify, _declare)}
