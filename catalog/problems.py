"""Problems of a catalog: the place, the text found there, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from catalog.values.base import nearest, shortened

Severity = Literal["error", "warning"]
Place = tuple[str | int, ...]
"""The keys and list positions that lead from the top of a catalog to a place in it."""

SHOWN = 50
"""Problems that the text of a `CatalogError` shows; all are in its `problems`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to put right (an error) or to look at (a warning)."""

    severity: Severity
    code: str
    file: str
    line: int | None
    where: str
    found: str
    write: str

    def render(self) -> str:
        """Put it in one paragraph, beginning as compilers do so that editors can jump to the line."""
        place = f"{self.file}:{self.line}" if self.line is not None else self.file
        where = f"{self.where}: " if self.where else ""
        return f"{place}: {self.severity}: {where}{self.found} {self.write}".rstrip()

    def as_json(self) -> dict[str, str | int | None]:
        return asdict(self)


class CatalogError(ValueError):
    """A catalog cannot be used; `problems` says why, in the order of the file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        shown = [problem.render() for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            shown.append(f"… and {len(self.problems) - SHOWN:,} more problems.")
        super().__init__("\n".join(shown))


def where(place: Place) -> str:
    """Write a place with points between the keys, with quotes around a key that is not a plain word."""
    return ".".join(
        f"[{key}]" if isinstance(key, int) else key if re.fullmatch(r"[\w-]+", key) else repr(key) for key in place
    ).replace(".[", "[")


def line_of(place: Place, lines: Mapping[Place, int]) -> int | None:
    return next((lines[place[:i]] for i in range(len(place), -1, -1) if place[:i] in lines), None)


def suggest(word: str, known: Iterable[str], what: str) -> str:
    """Say what to write instead of an unknown word: the nearest, and what there is."""
    words = list(known)
    if not words:
        return f"There are no {what}; declare it first."
    near = nearest(word, words)
    more = f" and {len(words) - 12} more" if len(words) > 12 else ""
    known_words = f"Known {what}: {', '.join(words[:12])}{more}."
    return f"Did you mean {near[0]!r}? {known_words}" if near else known_words


_SUGGESTED = 100
"""Finding the nearest of many names takes a while: only this many unknown names get a suggestion."""


@dataclass
class Findings:
    """The problems of one catalog, as they are found."""

    file: str
    lines: Mapping[Place, int]
    aliases: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By what they name: aliases that may be written in place of names."""
    problems: list[Problem] = field(default_factory=list)

    def error(self, code: str, place: Place, found: str, write: str) -> None:
        self._note("error", code, place, found, write)

    def warn(self, code: str, place: Place, found: str, write: str) -> None:
        self._note("warning", code, place, found, write)

    def unknown(self, place: Place, name: str, known: Iterable[str], what: str) -> None:
        """Note a name that nothing is declared under; `what` is the plural of what it should name."""
        found = f"{shortened(name)!r} is not among the {what}."
        write = f"Write one of the {what}."
        if len(self.problems) < _SUGGESTED:
            write = suggest(name, (*known, *self.aliases.get(what, ())), what)
        self.error("undeclared", place, found, write)

    def require(self, place: Place, name: str | None, known: Collection[str], what: str) -> None:
        """Note a name that is not among those that are known; None is none."""
        if name is not None and name not in known:
            self.unknown(place, name, known, what)

    def line(self, place: Place) -> int | None:
        return line_of(place, self.lines)

    def in_order(self) -> tuple[Problem, ...]:
        """Return them by line; what is on one line stays in the order in which it was found."""
        return tuple(sorted(self.problems, key=lambda problem: problem.line or 0))

    def _note(self, severity: Severity, code: str, place: Place, found: str, write: str) -> None:
        self.problems.append(Problem(severity, code, self.file, self.line(place), where(place), found, write))
