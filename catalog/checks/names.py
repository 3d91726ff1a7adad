"""Checks of names, for every kind of file: each stands once, is told from the others, and is not above itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from catalog.model.names import folded, scripts_of, skeleton, with_underscores
from catalog.problems import Findings, Place

Classes = Iterable[tuple[Place, Iterable[str]]]
"""Places within which names must be distinct, each with its names."""


def check_repeated(place: Place, name: str, seen: Collection[str], findings: Findings) -> None:
    if name in seen:
        findings.error("repeated", place, f"{name!r} is in this list already.", "Take it out here.")


def check_each(
    place: Place, names: Sequence[str], known: Collection[str], findings: Findings, what: str = "facts"
) -> None:
    """Refuse names in a list that are not declared, or are in it already."""
    for i, name in enumerate(names):
        findings.require((*place, i), name, known, what)
        check_repeated((*place, i), name, names[:i], findings)


def refuse_collisions(classes: Classes, findings: Findings) -> None:
    """Refuse names within a place that differ only in case or in the form of letters."""
    for place, names in classes:
        seen: dict[str, str] = {}
        for name in names:
            first = seen.setdefault(folded(name), name)
            if first != name:
                line = findings.line((*place, first))
                found = f"{name!r} and {first!r} on line {line} differ only in upper and lower case."
                findings.error("names-collide", (*place, name), found, "Give one of them another name.")


def warn_of_looks(classes: Classes, findings: Findings) -> None:
    """Warn of names within a place that differ only in what joins their words, or in letters that look alike."""
    for place, names in classes:
        joined: dict[str, str] = {}
        drawn: dict[str, str] = {}
        for name in names:
            first, twin = joined.setdefault(with_underscores(name), name), drawn.setdefault(skeleton(name), name)
            if first != name:
                found = f"{name!r} and {first!r} differ only in spaces, hyphens and underscores."
                findings.warn("names-similar", (*place, name), found, "They stay distinct; give one a clearer name.")
            elif twin != name:
                found = f"{name!a} looks like {twin!a} to people."
                findings.warn("look-alike", (*place, name), found, "Write both in letters of one script.")
            if len(scripts := scripts_of(name)) > 1:
                found = f"{name!a} mixes letters of {' and '.join(scripts)} that can look alike."
                findings.warn("mixed-letters", (*place, name), found, "Write it in letters of one script.")


def circles_above(above: Mapping[str, str | None]) -> Iterator[list[str]]:
    """Yield the circles of a tree that is none: names that stand above themselves, the first one twice."""
    settled: set[str] = set()
    for name in above:
        chain: list[str] = []
        at: str | None = name
        while at is not None and at in above and at not in settled and at not in chain:
            chain.append(at)
            at = above[at]
        if at in chain:
            yield [*chain[chain.index(at) :], at]
        settled.update(chain)
