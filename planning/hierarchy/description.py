"""The extended description of a task: its text, mission and context, inputs, results and acceptance criteria.

Each stage of a split is described in the same way (sequential-planner-v2, "Extending Task Description" and
"Hierarchical Task Splitting").
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from catalog.model.aliases import FactName
from catalog.model.entry import Entry, Names, Sentences
from catalog.model.method import MethodStage
from catalog.model.names import Sentence
from catalog.values import Flag, UnfitDeclaration

MAX_CRITERIA = 100
MAX_SECTIONS = 200


class DescriptionPart(StrEnum):
    """Parts of a description that may be left out: they are asked for or generated then, and marked so."""

    MISSION = "mission"
    CONTEXT = "context"
    INPUTS = "inputs"
    RESULTS = "results"
    CRITERIA = "criteria"


class Input(Entry):
    """Something that the task starts from: a file, or a value; where neither is said, it has to be handed over."""

    file: Sentence | None = Field(default=None, description="A file, relative to the task's own.")
    files: Sentences = Field(default=(), description="Several files, of an input that is a list of documents.")
    value: JsonValue = Field(default=None, description="A value, in the form of its kind.")
    description: Sentence = Field(default="", description="What it is, for people.")

    @model_validator(mode="after")
    def _one_source(self) -> Input:
        given = [key for key in ("file", "files", "value") if getattr(self, key) not in (None, ())]
        if len(given) > 1:
            raise UnfitDeclaration(f"The input has {' and '.join(given)}.", "Write one of them.")
        return self


class ResultDocument(Entry):
    """Something that the task is to end with, and the structure that it is to have."""

    model_config = ConfigDict(populate_by_name=True)

    description: Sentence = Field(default="", description="What it is, for people.")
    sections: Annotated[Sentences, Field(max_length=MAX_SECTIONS)] = Field(
        default=(), description="The headings that it has, in this order; others may stand between them."
    )
    json_schema: Mapping[str, JsonValue] = Field(
        default_factory=dict, alias="schema", description="The JSON Schema of its value."
    )


class Judge(StrEnum):
    """Who judges a criterion that no program can check."""

    PERSON = "person"
    MODEL = "model"


class Comparison(StrEnum):
    """Executable checks of results."""

    SECTIONS = "sections"
    """The document has these headings, in this order."""
    SCHEMA = "schema"
    """The value fits its JSON Schema."""
    COUNT = "count"
    """It has so many items, rows or sections."""
    RANGE = "range"
    """A figure in it lies within bounds."""
    EQUAL = "equal"
    """A figure in it is the same as one in another result or input."""
    CONTAINS = "contains"
    """Its text holds these words."""
    NOT_EMPTY = "not_empty"
    """There is something in it."""


class Criterion(Entry):
    """One acceptance criterion: a check that a program makes, or a sentence that a person judges."""

    of: FactName = Field(description="The result that it is about.")
    check: Comparison | None = Field(default=None, description="The check, where a program makes it.")
    judge: Sentence | None = Field(default=None, description="What is to be judged, where no program can check it.")
    by: Judge = Field(default=Judge.PERSON, description="Who judges it.")
    least: float | None = Field(default=None, description="Of count and range: the least.")
    most: float | None = Field(default=None, description="Of count and range: the most.")
    figure: Sentence | None = Field(default=None, description="Of range and equal: what the figure is called there.")
    also: FactName | None = Field(default=None, description="Of equal: the other result, or input.")
    words: Sentences = Field(default=(), description="Of contains: the words.")

    @model_validator(mode="after")
    def _is_whole(self) -> Criterion:
        if (self.check is None) is (self.judge is None):
            raise UnfitDeclaration(
                "The criterion has to be one of check and judge.", f"Checks are: {', '.join(Comparison)}."
            )
        needs: Mapping[Comparison, tuple[str, ...]] = {
            Comparison.RANGE: ("figure",), Comparison.EQUAL: ("figure", "also"), Comparison.CONTAINS: ("words",),
        }  # fmt: skip
        missing = [key for key in needs.get(self.check, ()) if not getattr(self, key)] if self.check else []
        if self.check in (Comparison.COUNT, Comparison.RANGE) and self.least is None and self.most is None:
            missing.append("least or most")
        if missing:
            raise UnfitDeclaration(
                f"A check {str(self.check)!r} needs {' and '.join(missing)}.", "Write it beside the check."
            )
        if self.least is not None and self.most is not None and self.least > self.most:
            raise UnfitDeclaration(
                f"At least {self.least:g} and at most {self.most:g} cannot both hold.", "Turn them round."
            )
        return self


def _by_name(entries: Any) -> Any:
    if isinstance(entries, list) and all(isinstance(name, str) for name in entries):
        return {name: {} for name in entries}
    if isinstance(entries, Mapping):
        return {name: {} if entry is None else entry for name, entry in entries.items()}
    return entries


class Description(Entry):
    """A task, or a stage of one, described in full.

    `inputs` and `results` are facts of the catalog. With `each`, it is done for each item of a list: the item, and the
    list that it is of; its results are then lists of what one item gives.
    """

    text: Sentence = Field(description="What is to be done.")
    mission: Sentence = Field(default="", description="What it serves.")
    context: Sentence = Field(default="", description="What else one has to know.")
    inputs: Annotated[Mapping[FactName, Input], BeforeValidator(_by_name)] = Field(
        default_factory=dict, description="What it starts from."
    )
    results: Annotated[Mapping[FactName, ResultDocument], BeforeValidator(_by_name)] = Field(
        default_factory=dict, description="What it is to end with."
    )
    each: Annotated[Mapping[FactName, FactName], Field(max_length=1)] = Field(
        default_factory=dict, description="It is done for each item of a list: the item, and the list."
    )
    criteria: Annotated[tuple[Criterion, ...], Field(max_length=MAX_CRITERIA)] = Field(
        default=(), description="What the results have to fulfil."
    )
    generated: tuple[DescriptionPart, ...] = Field(default=(), description="Parts that were made up by the program.")

    @property
    def facts(self) -> Names:
        return tuple(self.results)


class Activity(MethodStage):
    """One activity of a list that the user gave; what it starts from is found out where it is not said."""


class TaskFile(Description):
    """What stands in a task file: a description, the catalog that serves it, and activities if the user has them."""

    model_config = ConfigDict(populate_by_name=True)

    version: Literal[1, "1"] = Field(default=1, description="Of the format of task files.")
    text: Sentence = Field(alias="task", description="What is to be done.")
    catalog: Sentence | None = Field(default=None, description="A demo, or a file relative to the task's own.")
    activities: tuple[Activity, ...] = Field(default=(), description="Stages that stand as they are written.")
    confirmed: Flag = Field(default=False, description="Whether generated parts are taken without asking.")

    def as_description(self) -> Description:
        return Description.model_construct(**{name: getattr(self, name) for name in Description.model_fields})
