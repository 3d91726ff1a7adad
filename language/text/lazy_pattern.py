"""Regular expressions that are compiled when they are first used.

There are some four hundred in this package. To compile them all takes longer than most commands do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

_CONTRACTED = tuple(
    "don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't couldn't wouldn't shouldn't mustn't can't"
    " won't ain't let's".split()
)


_NAMED = re.compile(r"(?<!\?P)<([a-z ]+)>")


@cache
def read_forms(package: str, name: str) -> dict[str, str]:
    """Read regular expressions from a file beside the code, by the name of their section ("## name").

    Each line is an alternative; `<name>` stands for an earlier section, and "# " begins a comment.
    """
    found: dict[str, str] = {}
    section = ""
    for line in files(package).joinpath(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line and not line.startswith("# "):
            form = _NAMED.sub(lambda one: f"(?:{found[one[1]]})" if one[1] in found else one[0], line)
            found[section] = f"{found[section]}|{form}" if section in found else form
    return found


class LazyPattern:
    """A regular expression with the methods of `re.Pattern`; one that is wrong raises `re.error` at its first use.

    The apostrophe of "n't" and "let's" may be left out, as many people write: "don't" also finds "dont".
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        pattern = self.pattern
        for word in _CONTRACTED:
            pattern = pattern.replace(word, word.replace("'", "'?"))
        return re.compile(pattern, self.flags)

    def match(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.match(text, pos, endpos)

    def fullmatch(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, pos, endpos)

    def search(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.search(text, pos, endpos)

    def finditer(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, pos, endpos)

    def findall(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> list[Any]:
        return self.compiled.findall(text, pos, endpos)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        return self.compiled.split(text, maxsplit)

    def sub(self, repl: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.compiled.sub(repl, text, count)
