"""Methods: named decompositions of what is too big for one plan (hierarchical task networks; Erol et al. 1994)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from catalog.model.aliases import FactName, FactNames
from catalog.model.entry import Entry, Named
from catalog.model.names import Sentence

MAX_STAGES = 10


class MethodStage(Entry):
    """One stage of a method: what it starts from, and what it ends with."""

    text: Sentence = Field(description="What is done in it.")
    inputs: FactNames = Field(default=(), description="The facts that it starts from; left out, all that are there.")
    results: Annotated[FactNames, Field(min_length=1)] = Field(description="The facts that it ends with.")
    each: Annotated[Mapping[FactName, FactName], Field(max_length=1)] = Field(
        default_factory=dict, description="It is done once for each item of a list: the item, and the list."
    )


class Method(Named):
    """A decomposition of a task with certain results, where certain facts are known."""

    results: Annotated[FactNames, Field(min_length=1)] = Field(description="The results of the tasks that it is for.")
    given: FactNames = Field(default=(), description="Facts that have to be known for it.")
    stages: Annotated[tuple[MethodStage, ...], Field(min_length=1, max_length=MAX_STAGES)] = Field(
        description="What is done one after the other; best are 5 to 10."
    )
