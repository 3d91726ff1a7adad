"""What happened in a task, and the questions about it: moves of the search, values with where they come from, checks.

The record holds plain values, as they stand in the log of the task. Entries are told by their numbers in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from pydantic import JsonValue

from catalog.model import Catalog
from planning.hierarchy.search import SearchBounds
from planning.hierarchy.tree import ROOT, Move, Tree


class TaskQuestionKind(StrEnum):
    """Questions about how a task was planned, what it lacks, and how its results came about."""

    WHY = "why"
    """Why a stage stands as it does: planned in one piece, split, or stuck."""
    WHY_SPLIT = "why_split"
    """Why a stage was split at all, and why so."""
    WHY_STUCK = "why_stuck"
    """Why a stage has no plan."""
    WHAT_HELPS = "what_helps"
    """What would have to be supplied."""
    HOW = "how"
    """How a result, or a figure or paragraph in it, came about."""
    WHY_UNMET = "why_unmet"
    """Why a criterion is met or not."""
    WHO_JUDGED = "who_judged"
    """Who judged what."""


@dataclass(frozen=True, slots=True)
class TaskQuestion:
    """One question about a task.

    `stage` is the id of a hypothesis (the task itself, unless it is said), `fact` a result, `figure` the name of a
    figure in it or the words of a paragraph, and `criterion` the number of one (from 1); without it, all that are not
    met are meant.
    """

    kind: TaskQuestionKind
    stage: str = ROOT
    fact: str | None = None
    figure: str | None = None
    criterion: int | None = None


class OriginKind(StrEnum):
    """How values came to be known."""

    HANDED_OVER = "handed_over"
    """A person handed them over."""
    CALLED = "called"
    """A skill returned them."""
    TAKEN = "taken"
    """They were taken from other values: an item of a list, or one fact's value for another's."""
    GATHERED = "gathered"
    """What was found for the items of a list was put together."""


@dataclass(frozen=True, slots=True)
class TaskOrigin:
    """What established values, in the entry of that number.

    `inputs` are the facts that it was made from, with the entries that these come from. `items` says which items of
    lists it is about: for each the entry of the list, and the item's number. Of a call, `begun` is the entry in which
    it was begun, and `stage` the leaf that it was made for. `said` is the name of a file that was handed over, or what
    was typed. Of what was gathered, `failed` are the numbers of items without a result.
    """

    entry: int
    source: OriginKind
    values: Mapping[str, JsonValue]
    inputs: Mapping[str, int] = field(default_factory=dict)
    items: tuple[tuple[int, int], ...] = ()
    said: str = ""
    begun: int | None = None
    skill: str = ""
    outcome: str = ""
    stage: str = ""
    failed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EndedCall:
    """A call that came back, or failed: the entries in which it was begun and ended.

    `reason` is what a failure says, or what the catalog and the skill say of an outcome; a failure has none.
    """

    begun: int
    ended: int
    skill: str
    mode: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DoubtedInput:
    """What was handed over was taken back, in the entry of that number, since a call showed that it is wrong.

    `begun` and `ended` are the entries of the call, `stage` is what it was made for, and `reason` what it says.
    """

    entry: int
    fact: str
    skill: str
    stage: str
    reason: str
    begun: int
    ended: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A criterion was checked or judged, in the entry of that number; whether that still counts."""

    entry: int
    number: int
    standing: Literal["met", "unmet", "waiting"]
    found: str
    by: Literal["program", "person", "model"]
    counts: bool = True


@dataclass(frozen=True, slots=True)
class AskedFor:
    """Something that was asked for, in the entry of that number; `kind` is that of the request.

    `facts` are what has to be handed over or given, `skill` whom a word is asked for, and `criterion` the number of
    the one to be judged. It is `settled` where it was answered, or is no longer needed; `no` is the entry in which
    was declined, and `not_there` whether a person said that they do not have it.
    """

    entry: int
    kind: str
    facts: tuple[str, ...] = ()
    skill: str = ""
    criterion: int | None = None
    settled: bool = False
    no: int | None = None
    not_there: bool = False


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """All that explanations of a task are made from, as of one moment.

    `moves` are those of the search since the task was described, `current` the values by their facts: the entries that
    established them. `doubts` are those for which another value is still wanted. Tables and texts of sensitive facts
    are among the values: claims hold none of them.
    """

    catalog: Catalog
    tree: Tree
    moves: tuple[tuple[int, Move], ...] = ()
    origins: Mapping[int, TaskOrigin] = field(default_factory=dict)
    current: Mapping[str, int] = field(default_factory=dict)
    calls: tuple[EndedCall, ...] = ()
    doubts: tuple[DoubtedInput, ...] = ()
    checks: tuple[Checked, ...] = ()
    wanted: tuple[AskedFor, ...] = ()
    bounds: SearchBounds = field(default_factory=SearchBounds)
    proposers: tuple[str, ...] = ()
    derived: frozenset[int] = frozenset()
    """The entries that hold what was made from something sensitive."""
