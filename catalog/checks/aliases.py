"""Checks of aliases: each is that of one entry alone, and the name of none."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from catalog.model import ANYTHING_SENSITIVE, Catalog
from catalog.model.aliases import KINDS
from catalog.problems import Findings, Place


def check_aliases(catalog: Catalog, findings: Findings) -> None:
    """Refuse an alias that two entries have, or that is a name: it could mean either."""
    entries = {"facts": catalog.facts, "skills": catalog.skills, "goals": catalog.goals}
    first: dict[str, Place] = {}
    for kind in KINDS:
        for name, entry in entries[kind].items():
            if (alias := entry.alias) is None:
                continue
            place: Place = (kind, name, "alias")
            if (meaning := _meaning(alias, entries, findings)) is not None:
                findings.error("alias-is-a-name", place, meaning, "Write another alias, or take it out.")
            elif alias in first:
                other_kind, other, _ = first[alias]
                found = f"{alias!r} is the alias of {other!r} among the {other_kind}{_line(findings, first[alias])}."
                findings.error("alias-taken", place, found, "Give one of the two another alias.")
            first.setdefault(alias, place)


def _meaning(alias: str, entries: Mapping[str, Collection[str]], findings: Findings) -> str | None:
    """Say what an alias means already as a name, if it is one."""
    if alias == ANYTHING_SENSITIVE:
        return f"In an ordering, {alias!r} stands for all that is about sensitive facts."
    named = next((kind for kind in KINDS if alias in entries[kind]), None)
    return None if named is None else f"{alias!r} is a name among the {named} already{_line(findings, (named, alias))}."


def _line(findings: Findings, place: Place) -> str:
    """Say the line of a place, unless it is in another file."""
    return f", on line {findings.lines[place]}" if place in findings.lines else ""
