"""Instances: facts that there are several of, such as the days of two flights.

Written once and expanded when a catalog is loaded (`catalog.expand.expansion`): whatever plans, talks or explains sees
ordinary facts and skills.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from catalog.model.aliases import FactNames
from catalog.model.entry import Entry
from catalog.model.names import Name, Sentence
from catalog.values import UnfitDeclaration

MAX_INSTANCES = 50
"""Instances that a group may have."""


def _labels(instances: Any) -> Any:
    """Take `[outbound, back]` for a mapping; an instance without a label is called what its name says."""
    if isinstance(instances, list | tuple):
        if not all(isinstance(name, str) for name in instances):
            found = "In this list stands something else than names of instances."
            raise UnfitDeclaration(found, "Write [first, second], or {first: first guest, second: second guest}.")
        if twice := [name for i, name in enumerate(instances) if name in instances[:i]]:
            raise UnfitDeclaration(f"The instance {twice[0]!r:.60} is in this list already.", "Take it out here.")
        instances = dict.fromkeys(instances)
    if not isinstance(instances, Mapping):
        return instances
    return {key: label or str(key).replace("_", " ") for key, label in instances.items()}


class Instances(Entry):
    """A group: of each of its facts there is one an instance."""

    facts: FactNames = Field(min_length=1, description="The facts of which there is one for each instance.")
    of: Annotated[
        Mapping[Name, Sentence],
        BeforeValidator(
            _labels, json_schema_input_type=Mapping[Name, Sentence | None] | Annotated[list[Name], Field(min_length=1)]
        ),
    ] = Field(min_length=1, max_length=MAX_INSTANCES, description="The instances, each with what people call it.")


class InstanceOrigin(NamedTuple):
    """Origin of an instance of a fact: its group, the declared fact, and the instance."""

    group: str
    declared: str
    instance: str


def instance_name(name: str, instance: str) -> str:
    """Name one instance of a fact or of a skill: `flight_day (outbound)`."""
    return f"{name} ({instance})"


def find_origins(groups: Mapping[str, Instances]) -> dict[str, InstanceOrigin]:
    return {
        instance_name(fact, instance): InstanceOrigin(name, fact, instance)
        for name, group in groups.items()
        for fact in group.facts
        for instance in group.of
    }
