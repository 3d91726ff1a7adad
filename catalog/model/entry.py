"""Base class of all entries of a catalog: frozen, strict about its keys, and named by its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator

from catalog.model.names import Name, Sentence
from catalog.values import UnfitDeclaration

MAX_MODES = 100
"""Modes of a skill, those for lists included."""
MAX_NAMES = 1_000
"""Names that one list may hold at most."""

Cost = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Likelihood = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
Names = Annotated[tuple[Name, ...], Field(max_length=MAX_NAMES)]
Sentences = Annotated[tuple[Sentence, ...], Field(max_length=MAX_NAMES)]


@dataclass(frozen=True, slots=True)
class CatalogLimits:
    """What a catalog may hold at most: so many facts, skills, goals and triggers each, in a file of so many MiB.

    An operator who has larger ones raises `limits.catalog_entries` and `limits.catalog_mib` in the settings.
    """

    entries: int = 50_000
    mib: float = 20.0


USUAL = CatalogLimits()
TAKEN = CatalogLimits(2**63, 2.0**43)
"""For what was loaded before: it was held to limits then."""


def raise_limit(setting: str) -> str:
    return f"or raise the setting `limits.{setting}` (--set limits.{setting}=N)"


def limited_by_key(entries: Any, info: ValidationInfo) -> Any:
    """Set the name of each entry to its key, once it is clear that there are not too many (`CatalogLimits`)."""
    limits: CatalogLimits = getattr(info.context, "limits", TAKEN)
    if isinstance(entries, Mapping) and len(entries) > limits.entries:
        found = f"There are {len(entries):,} {info.field_name}; a catalog may have {limits.entries:,}."
        raise UnfitDeclaration(found, f"Split it into several catalogs, {raise_limit('catalog_entries')}.")
    return name_by_key(entries)


def name_by_key(entries: Any) -> Any:
    """Set the name of each entry to its key; an entry with nothing to say may be left empty."""
    if not isinstance(entries, Mapping):
        return entries
    return {key: _with_name(key, entry) for key, entry in entries.items()}


def _with_name(key: Any, entry: Any) -> Any:
    if entry is None:
        return {"name": key}
    if not isinstance(entry, Mapping):
        return entry
    if entry.get("name", key) != key:
        found = f"The entry under {key!r:.60} says that its name is {entry['name']!r:.60}."
        raise UnfitDeclaration(found, "Leave the name out: the key is the name, and `label` is what people see.")
    return {**entry, "name": key}


class Entry(BaseModel):
    """Base of everything a catalog holds: frozen, and strict about the keys it knows."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Labelled(Entry):
    """An entry with a name; what people call it is that name with spaces, unless another label is given."""

    @model_validator(mode="before")
    @classmethod
    def _label_from_name(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and not data.get("label"):
            return {**data, "label": str(data.get("name", "")).replace("_", " ")}
        return data


class Named(Labelled):
    """An entry under a name of its own, with the words that people see."""

    name: Name = Field(description="What it is called and referred to by.")
    label: Sentence = Field(default="", description="What people call it; by default the name, with spaces.")
    description: Sentence = Field(default="", description="One sentence for people: used in explanations.")
