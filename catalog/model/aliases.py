"""Aliases: what the world outside calls a fact, a skill or a goal, such as the path of an API: `/orders/{id}`.

Inside, only names are used. An alias is turned into the name of its entry where it comes in: in a catalog where an
entry is referred to, and in what is asked of one (`planning.task.names`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from catalog.model.entry import MAX_NAMES, USUAL, CatalogLimits, Named
from catalog.model.names import MAX_NAME, Name, one_form, refuse_invisible
from catalog.problems import suggest
from catalog.values import UnfitDeclaration

Aliases = Mapping[str, Mapping[str, str]]
"""For facts, skills and goals: the name of the entry that goes by each alias."""

KINDS = ("facts", "skills", "goals")
"""The entries that may have an alias."""


def _fitting(alias: object) -> object:
    if not isinstance(alias, str):
        return alias
    advice = "Write what others call it, such as /orders/{id}, or take the key out."
    if not alias.strip():
        raise UnfitDeclaration(f"The alias {alias!a:.60} is empty.", advice)
    if len(alias) > MAX_NAME:
        raise UnfitDeclaration(
            f"The alias {alias!a:.60} has {len(alias):,} characters.", f"Write at most {MAX_NAME} characters."
        )
    return alias


Alias = Annotated[
    str,
    BeforeValidator(_fitting),
    BeforeValidator(one_form),
    Field(max_length=MAX_NAME),
    AfterValidator(lambda alias: refuse_invisible(alias, "alias")),
]
"""Printable text, in one Unicode form; unlike a name it may look like a path."""


class Aliased(Named):
    """An entry that others may call by something that is no name."""

    alias: Alias | None = Field(
        default=None, description="What others call it, such as the path of an API; taken where its name is."
    )


@dataclass(frozen=True, slots=True)
class FileContext:
    """Context in which a file is read: the limits that it is held to, and the aliases by which it may refer."""

    limits: CatalogLimits = USUAL
    aliases: Aliases = field(default_factory=dict)


def find_aliases(entries: Mapping[str, Any]) -> Aliases:
    """Find the aliases of entries by their kind, as they are written in a file or as they were read.

    What is no alias is left out; it is refused when the entry is read. So is one that is a name of the same kind.
    """
    found: dict[str, dict[str, str]] = {}
    for kind in KINDS:
        declared = entries.get(kind)
        if not isinstance(declared, Mapping):
            continue
        for name, entry in declared.items():
            alias = entry.get("alias") if isinstance(entry, Mapping) else getattr(entry, "alias", None)
            if isinstance(alias, str) and (alias := unicode_form(alias)) not in declared:
                found.setdefault(kind, {}).setdefault(alias, unicode_form(name))
    return found


def join_aliases(one: Aliases, other: Aliases) -> Aliases:
    return {kind: {**one.get(kind, {}), **other.get(kind, {})} for kind in KINDS}


def unicode_form(text: str) -> str:
    return str(one_form(text))


def _resolver(kind: str) -> Callable[[object, ValidationInfo], object]:
    """Make the validator that turns the alias of an entry of a kind into its name."""

    def resolve(value: object, info: ValidationInfo) -> object:
        aliases = info.context.aliases.get(kind) if isinstance(info.context, FileContext) else None
        if not aliases or not isinstance(value, str):
            return value
        name = aliases.get(unicode_form(value))
        if name is None and ("/" in value or "\\" in value):
            raise UnfitDeclaration(
                f"{value!r:.60} is the alias of none of the {kind}.", suggest(value, aliases, "aliases")
            )
        return name or value

    return resolve


FactName = Annotated[Name, BeforeValidator(_resolver("facts"))]
"""The name of a fact, which a file may give by its alias; likewise those that follow."""
SkillName = Annotated[Name, BeforeValidator(_resolver("skills"))]
GoalName = Annotated[Name, BeforeValidator(_resolver("goals"))]
FactNames = Annotated[tuple[FactName, ...], Field(max_length=MAX_NAMES)]
SkillNames = Annotated[tuple[SkillName, ...], Field(max_length=MAX_NAMES)]
