"""Splits of a task into stages, and what makes a split unfit: its size, its flow of data, or that it was there before.

A task is split into "several (not many 5-10) stages", each described in full (sequential-planner-v2, "Hierarchical Task
Splitting").
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from catalog.analysis.dependencies import stand_ins
from catalog.model import Catalog
from catalog.model.entry import Entry, Names
from catalog.model.names import Name, Sentence
from planning.hierarchy.description import Description

LEAST, MOST = 5, 10
"""Stages of a split."""


class SplitGain(StrEnum):
    """What a split brings that planning in one piece lacked."""

    METHOD = "method"
    """A decomposition that the catalog's author knew of."""
    COLLECTION = "collection"
    """Several steps that are done for each item of a list."""
    FUNCTION = "function"
    """A function that there is none of yet, asked for by name, with inputs and outputs."""
    SEARCH = "search"
    """Smaller searches, and the place at which something is missing."""


class Split(Entry):
    """Stages in their order; `short` marks one that has fewer than it should, since no other was found.

    `facts` are those that it introduces, since the catalog does not have them, with what they are. `needs` is
    information that was not there, and without which it is not carried out: lists that something is done for each item
    of, and conditions of a method.
    """

    proposer: str
    stages: tuple[Description, ...]
    adds: tuple[SplitGain, ...] = ()
    name: str = ""
    """The name of the method, where it is one."""
    short: bool = False
    facts: Mapping[Name, Sentence] = Field(default_factory=dict)
    needs: Names = ()

    def same_as(self, other: Split) -> bool:
        """Return whether another split has the same stages, whatever they are called."""
        return _shape(self) == _shape(other)


def _shape(split: Split) -> list[tuple[frozenset[str], frozenset[str], tuple[tuple[str, str], ...]]]:
    return [(frozenset(one.inputs), frozenset(one.results), tuple(one.each.items())) for one in split.stages]


class Flaw(StrEnum):
    """Why a split is not taken."""

    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    REPEATED = "repeated"
    """An earlier attempt had the same stages."""
    GAP = "gap"
    """A stage starts from what neither the task nor an earlier stage gives, and cannot be asked for."""
    NO_RESULT = "no_result"
    """No stage ends with a result of the task."""
    AS_LARGE = "as_large"
    """A stage is as large as the whole, or as one that this is a part of: it would go round in a circle."""
    UNKNOWN = "unknown"
    """A stage speaks of facts that the catalog does not have."""
    NO_LIST = "no_list"
    """A stage that is done for each item of a list names no list, or results that are no lists."""


class Refusal(Entry):
    """A flaw of a split: the number of the stage (from 1), and the facts that it is about."""

    flaw: Flaw
    stage: int | None = None
    facts: Names = ()


@dataclass(frozen=True, slots=True)
class OuterTask:
    """A task that another is a part of, or that one itself: its goal, and what is known where it begins."""

    goal: frozenset[str]
    known: frozenset[str]

    @staticmethod
    def of(catalog: Catalog, whole: Description, known: Collection[str]) -> OuterTask:
        """Describe a task with what is known where it begins."""
        return OuterTask(frozenset(goal_of(catalog, whole)), stand_ins(catalog, (*known, *whole.each)))


def find_flaws(
    catalog: Catalog,
    whole: Description,
    known: Collection[str],
    split: Split,
    earlier: Sequence[Split] = (),
    *,
    as_it_is: bool = False,
    sure: Collection[str] | None = None,
    information: Collection[str] = (),
    around: Sequence[OuterTask] = (),
) -> tuple[Refusal, ...]:
    """List everything that speaks against a split of a task, from what is known at its start.

    With `as_it_is` (a list of activities that the user gave), it may have any number of stages. Of what is known, only
    what is `sure` counts as a result; left out, all of it does. Stages may start from `information`, which people can
    be asked for. `around` are the tasks that this one is a part of.
    """
    flaws = [*_find_flaws_of_size(split, as_it_is=as_it_is)]
    if any(split.same_as(other) for other in earlier):
        flaws.append(Refusal(flaw=Flaw.REPEATED))
    flaws += _find_flaws_of_stages(catalog, whole, known, split, information)
    flaws += _find_flaws_of_lists(catalog, whole, known if sure is None else sure, split, information)
    flaws += find_circles(catalog, split, (*around, OuterTask.of(catalog, whole, known)))
    given = {fact for stage in split.stages for fact in stage.results if fact in catalog.facts}
    had = _by_type(catalog, given.union(known if sure is None else sure, whole.each))
    if lost := [fact for fact in sorted(goal_of(catalog, whole)) if fact not in had]:
        flaws.append(Refusal(flaw=Flaw.NO_RESULT, facts=tuple(lost)))
    return tuple(flaws)


def _find_flaws_of_size(split: Split, *, as_it_is: bool) -> Iterator[Refusal]:
    count = len(split.stages)
    if count < LEAST and not split.short and not (as_it_is and count):
        yield Refusal(flaw=Flaw.TOO_FEW)
    if count > MOST and not as_it_is:
        yield Refusal(flaw=Flaw.TOO_MANY)


def _find_flaws_of_stages(
    catalog: Catalog, whole: Description, known: Collection[str], split: Split, information: Collection[str]
) -> Iterator[Refusal]:
    had = (*known, *whole.inputs, *whole.each, *information)
    there = stand_ins(catalog, (fact for fact in had if fact in catalog.facts))
    for number, stage in enumerate(split.stages, start=1):
        named = [*stage.inputs, *stage.results, *stage.each, *stage.each.values()]
        if unknown := [fact for fact in named if fact not in catalog.facts]:
            yield Refusal(flaw=Flaw.UNKNOWN, stage=number, facts=tuple(dict.fromkeys(unknown)))
            there |= stand_ins(catalog, stage.results)
            continue
        if gap := [fact for fact in stage.inputs if fact not in there]:
            yield Refusal(flaw=Flaw.GAP, stage=number, facts=tuple(dict.fromkeys(gap)))
        if not stage.results:
            yield Refusal(flaw=Flaw.NO_RESULT, stage=number)
        elif not _fits_lists(catalog, stage):
            yield Refusal(flaw=Flaw.NO_LIST, stage=number, facts=tuple(stage.results))
        there |= stand_ins(catalog, stage.results)


def _find_flaws_of_lists(
    catalog: Catalog, whole: Description, sure: Collection[str], split: Split, information: Collection[str]
) -> Iterator[Refusal]:
    """Find stages for each item of a list that nothing gives; what can be mapped to it is no such list."""
    there = _by_type(catalog, (*sure, *whole.inputs, *whole.each, *information))
    for number, stage in enumerate(split.stages, start=1):
        if gap := [fact for fact in stage.each.values() if fact in catalog.facts and fact not in there]:
            yield Refusal(flaw=Flaw.GAP, stage=number, facts=tuple(gap))
        there |= _by_type(catalog, stage.results)


def _by_type(catalog: Catalog, facts: Iterable[str]) -> frozenset[str]:
    return frozenset(above for fact in facts for above in catalog.supertypes(fact))


def find_circles(catalog: Catalog, split: Split, around: Sequence[OuterTask]) -> Iterator[Refusal]:
    """Find stages that are as large as one of the tasks that they are parts of: no less is to be done, from no more.

    The last of these is the one that is split.
    """
    there = around[-1].known
    for number, stage in enumerate(split.stages, start=1):
        goal = frozenset(stage.results)
        if not stage.each and any(other.goal and other.goal <= goal and there <= other.known for other in around):
            yield Refusal(flaw=Flaw.AS_LARGE, stage=number, facts=tuple(stage.results))
        there |= stand_ins(catalog, stage.results)


def find_needs(catalog: Catalog, sure: Collection[str], split: Split) -> Names:
    """List what has to be handed over for a split: its conditions, and lists that neither the task nor a stage gives.

    `sure` is what is known at its start, whichever plans stages happen to have.
    """
    there, needs = _by_type(catalog, sure), dict.fromkeys(split.needs)
    for stage in split.stages:
        needs.update(dict.fromkeys(items for items in stage.each.values() if items not in there))
        there |= _by_type(catalog, stage.results)
    return tuple(needs)


def _fits_lists(catalog: Catalog, stage: Description) -> bool:
    """Return whether a stage that is done for each item has a list of such items, and results that are lists.

    What it starts from must not be what one item is to give.
    """
    if not stage.each:
        return True
    ((item, items),) = stage.each.items()
    one = catalog.facts[items].list_of
    lists = all(catalog.facts[fact].list_of is not None for fact in stage.results)
    if one is None or item not in catalog.supertypes(one) or not lists:
        return False
    return stand_ins(catalog, stage.inputs).isdisjoint({item, *goal_of(catalog, stage)})


def goal_of(catalog: Catalog, description: Description) -> Names:
    """Return the facts that planning is to reach: for a stage done for each item, what one item gives."""
    if not description.each:
        return description.facts
    return tuple(catalog.facts[fact].list_of or fact for fact in description.facts)
