"""Collect problems, each with its line in the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from catalog.problems import Place, Problem, Severity, line_of, suggest, where
from catalog.values.base import shortened

_SUGGESTED = 100
"""Finding the nearest of many names takes a while: only this many unknown names get a suggestion."""


@dataclass
class Findings:
    """The problems of one catalog, as they are found."""

    file: str
    lines: Mapping[Place, int]
    problems: list[Problem] = field(default_factory=list)

    def error(self, code: str, place: Place, found: str, write: str) -> None:
        """Note what must be put right."""
        self._note("error", code, place, found, write)

    def warn(self, code: str, place: Place, found: str, write: str) -> None:
        """Note what should be looked at."""
        self._note("warning", code, place, found, write)

    def unknown(self, place: Place, name: str, known: Iterable[str], what: str) -> None:
        """Note a name that nothing is declared under; `what` is the plural of what it should name."""
        found = f"{shortened(name)!r} is not among the {what}."
        write = suggest(name, known, what) if len(self.problems) < _SUGGESTED else f"Write one of the {what}."
        self.error("undeclared", place, found, write)

    def line(self, place: Place) -> int | None:
        """Find the line of a place."""
        return line_of(place, self.lines)

    def _note(self, severity: Severity, code: str, place: Place, found: str, write: str) -> None:
        self.problems.append(Problem(severity, code, self.file, self.line(place), where(place), found, write))
