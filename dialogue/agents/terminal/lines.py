"""A line of a shell in parts: stages that pipes and other signs separate, each with its words and where they stand."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<ends>\|\|?|&&|;|\n|[()]|(?<![<>])&(?!>))"""
    r"""|(?P<word>(?:\\.|'[^']*'?|"(?:\\.|[^"\\])*"?|[<>]&|&>|[^\s|&;()\\'"])+)"""
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
WRAPPERS = frozenset("sudo env nohup time command exec nice xargs then do else if while until !".split())
"""Words after which the name of a program is still to come."""
_WITH_VALUE = frozenset({"-u", "-g", "-n", "-I", "-C"})


class LineWord(NamedTuple):
    """A word of a line without its quotes, and from where to where it stands as it was typed."""

    text: str
    start: int
    end: int


def stages_of(line: str) -> list[list[LineWord]]:
    """Split a line into its stages; each begins with the name of a program, without what only leads to it."""
    stages: list[list[LineWord]] = [[]]
    for token in _TOKEN.finditer(line):
        if token["ends"]:
            stages.append([])
        else:
            stages[-1].append(LineWord(_bare(token["word"]), *token.span()))
    return [words for stage in stages if (words := _program_first(stage))]


def program_of(line: str) -> str:
    """Return the program that a line runs first; nothing where there is none."""
    stages = stages_of(line)
    return stages[0][0].text if stages else ""


def has_failed(line: str, output: str, exit_code: int | None) -> bool:
    """Return whether a line failed, or a stage within it, whose exit code the shell does not tell."""
    heads = [stage[0].text for stage in stages_of(line)]
    return bool(exit_code) or (
        len(heads) > 1 and any(re.search(rf"^(?:\w+: )?{re.escape(head)}: ", output, re.MULTILINE) for head in heads)
    )


def put_in(line: str, word: LineWord, text: str) -> str:
    """Return a line with another text in the place of a word."""
    return line[: word.start] + text + line[word.end :]


def _program_first(stage: list[LineWord]) -> list[LineWord]:
    at = 0
    while at < len(stage) and (stage[at].text in WRAPPERS or _ASSIGNMENT.match(stage[at].text)):
        at += 1
        while 0 < at < len(stage) and stage[at].text.startswith("-"):
            at += 2 if stage[at].text in _WITH_VALUE else 1
    return stage[at:]


def _bare(word: str) -> str:
    try:
        return "".join(shlex.split(word, posix=True))
    except ValueError:
        return word.strip("'\"")
