"""Regular expressions that are compiled when they are first used.

There are some four hundred in this package. To compile them all takes longer than most commands do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

_CONTRACTED = tuple(
    "don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't couldn't wouldn't shouldn't mustn't can't"
    " won't ain't let's".split()
)


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
        """See `re.Pattern.match`."""
        return self.compiled.match(text, pos, endpos)

    def fullmatch(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        """See `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text, pos, endpos)

    def search(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        """See `re.Pattern.search`."""
        return self.compiled.search(text, pos, endpos)

    def finditer(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """See `re.Pattern.finditer`."""
        return self.compiled.finditer(text, pos, endpos)

    def findall(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> list[Any]:
        """See `re.Pattern.findall`."""
        return self.compiled.findall(text, pos, endpos)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        """See `re.Pattern.split`."""
        return self.compiled.split(text, maxsplit)

    def sub(self, repl: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """See `re.Pattern.sub`."""
        return self.compiled.sub(repl, text, count)
