"""Names from outside: a fact or a goal of a catalog, found by its name or by its alias."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from catalog.model import Catalog
from catalog.model.aliases import unicode_form
from planning.task.errors import UnknownName

EntryKind = Literal["facts", "goals", "skills"]
_SINGULAR: dict[EntryKind, str] = {"facts": "fact", "goals": "goal", "skills": "skill"}


def find_entry(catalog: Catalog, called: str, *kinds: EntryKind) -> tuple[EntryKind, str]:
    """Find the entry that is called so: its kind and its name. Of several kinds, the first one that has it.

    Raises UnknownName, with the names and aliases that are nearest.
    """
    for kind in kinds:
        name = name_meant(catalog, called, kind)
        if name in _entries(catalog, kind):
            return kind, name
    raise unknown_name(catalog, called, *kinds)


def _entries(catalog: Catalog, kind: EntryKind) -> Collection[str]:
    return {"facts": catalog.facts, "goals": catalog.goals, "skills": catalog.skills}[kind]


def name_meant(catalog: Catalog, called: str, kind: EntryKind = "facts") -> str:
    """Return the name of what goes by an alias; anything else as it is, whether or not there is something of the name.

    No alias is a name, so it does not matter which is looked for first.
    """
    called = unicode_form(called)
    return catalog.aliases.get(kind, {}).get(called, called)


def unknown_name(catalog: Catalog, called: str, *kinds: EntryKind) -> UnknownName:
    """Return the error that nothing of these kinds is called so, with the names and aliases that are nearest.

    Where a skill is called so, the facts that it gives are what was meant, most likely.
    """
    candidates = [name for kind in kinds for name in (*_entries(catalog, kind), *catalog.aliases.get(kind, ()))]
    what = " or ".join(_SINGULAR[kind] for kind in kinds)
    skill = catalog.skills.get(name_meant(catalog, called, "skills"))
    given = () if skill is None else dict.fromkeys(fact for mode in skill.modes.values() for fact in mode.gives)
    return UnknownName(what, called, candidates, catalog.instances_of(called), tuple(given))


def fact_name(catalog: Catalog, called: str) -> str:
    """Return the name of the fact that is called so. Raises UnknownName."""
    return find_entry(catalog, called, "facts")[1]


def fact_names(catalog: Catalog, called: Iterable[str]) -> tuple[str, ...]:
    """Return the names of facts that are called so, each once. Raises UnknownName."""
    return tuple(dict.fromkeys(fact_name(catalog, one) for one in called))


def fact_or_goal(catalog: Catalog, called: str) -> tuple[EntryKind, str]:
    """Return whether a fact or else a goal is called so, and its name. Raises UnknownName."""
    return find_entry(catalog, called, "facts", "goals")


def skill_name(catalog: Catalog, called: str) -> str:
    """Return the name of the skill that is called so. Raises UnknownName."""
    name = name_meant(catalog, called, "skills")
    if name not in catalog.skills:
        raise UnknownName("skill", called, (*catalog.skills, *catalog.aliases.get("skills", ())))
    return name
