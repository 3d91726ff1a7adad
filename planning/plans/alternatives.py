"""The k cheapest different ways to a goal.

Two plans are different ways if they ask different questions, or call different skills, or one in a different mode, or
take one fact for another; another order, another outcome hoped for, or a consent more makes no other way. What holds
all of a way that is no dearer, and more, is none: the rest could as well be left out.

The cheapest way is what an engine plans. Every other way lacks something of it; so for each of its questions and calls
a task is looked at in which that is forbidden, and of the ways found there the cheapest is next (Lawler 1972, A
Procedure for Computing the K Best Solutions; Murty 1968). Whether the ways are the cheapest is as sure as it is that
the engine's plans are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import inf
from time import monotonic
from typing import NamedTuple

from planning.engines import Engine
from planning.model import GaveUp, Limits, Operator, Plan, Solved, StepKind, Task
from planning.plans.solve import DEFAULT_LIMITS, never, solve
from planning.task.index import close_forward, counts_likelihoods, keep_operators
from planning.task.spending import ROUNDING

TELLING = frozenset((StepKind.ASK, StepKind.SKILL, StepKind.MAP))
"""The kinds of steps that make a way what it is."""


class PlanFeature(NamedTuple):
    """A feature that distinguishes ways: a question, a call in some mode, or a fact that is taken for another.

    `how` is the mode of a call, and for a mapping the fact whose value is taken.
    """

    kind: StepKind
    subject: str
    how: str | None


OUT_OF_TIME = "The time for it was up."
NOTHING: frozenset[PlanFeature] = frozenset()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to the goal: a plan, with nothing in it to spare."""

    plan: Plan

    @property
    def parts(self) -> frozenset[PlanFeature]:
        """Return what distinguishes it from other ways."""
        return frozenset(part for step in self.plan.steps if (part := _part_of(step)))

    @property
    def asks(self) -> tuple[str, ...]:
        return self._subjects(StepKind.ASK)

    @property
    def consents(self) -> tuple[str, ...]:
        return self._subjects(StepKind.AUTHORIZE)

    @property
    def calls(self) -> tuple[str, ...]:
        return self._subjects(StepKind.SKILL)

    @property
    def mappings(self) -> tuple[tuple[str, str], ...]:
        """List the facts that are taken for others: each with what it stands for."""
        return tuple((step.inputs[0], step.subject) for step in self.plan.steps if step.kind is StepKind.MAP)

    def _subjects(self, kind: StepKind) -> tuple[str, ...]:
        return tuple(step.subject for step in self.plan.steps if step.kind is kind)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Different ways, the cheapest first.

    `proved` says that no other way is cheaper than the last of them, `complete` that there is no other way at all.
    `cut_short` says why a search was ended before that was known. `counts_likelihoods` says whether likelihoods of
    outcomes count in what leads to the goal.
    """

    ways: tuple[Alternative, ...]
    proved: bool
    complete: bool
    cut_short: str = ""
    counts_likelihoods: bool = False

    @property
    def note(self) -> str:
        if self.cut_short:
            return f"{self.cut_short} There may be other ways, and cheaper ones."
        if self.complete and not self.ways:
            return "There is no way."
        others = "There is no other way" if self.complete else "There are other ways"
        if self.complete and self.proved:
            return f"{others}."
        cheaper = "none of them is cheaper" if self.proved else "a cheaper one may exist"
        if not self.complete:
            return f"{others}; {cheaper}."
        these = "this one" if len(self.ways) == 1 else "each of these"
        return f"{others}, but {these} may be gone more cheaply."


def find_ways(
    task: Task,
    engine: Engine,
    most: int = 5,
    limits: Limits = DEFAULT_LIMITS,
    cancelled: Callable[[], bool] = never,
) -> Alternatives:
    """Find the cheapest different ways, at most so many; the limit of time is for all of them together."""
    return _Search(task, engine, limits, cancelled).run(most)


@dataclass(order=True, frozen=True, slots=True)
class _Branch:
    """A cheapest way in which nothing of what is forbidden is done."""

    cost: float
    questions: int
    number: int
    way: Alternative = field(compare=False)
    forbidden: frozenset[PlanFeature] = field(compare=False)


class _Search:
    """Branches over what is forbidden; each branch is looked at once."""

    def __init__(self, task: Task, engine: Engine, limits: Limits, cancelled: Callable[[], bool]) -> None:
        self.task = task
        self.engine = engine
        self.limits = limits
        self.cancelled = cancelled
        self.deadline = monotonic() + limits.time_s
        self.operators = keep_operators(task.operators)
        self.proved = True
        self.cut_short = ""
        self.met: dict[frozenset[PlanFeature], Alternative] = {}
        self.branches: list[_Branch] = []
        self.places: dict[PlanFeature, list[int]] = {}
        self.beside: list[int] = []
        """The places of what is no part of any way: consents, go-aheads, and choices."""
        for place, operator in enumerate(self.operators.whole):
            if part := _part_of(operator):
                self.places.setdefault(part, []).append(place)
            else:
                self.beside.append(place)

    def run(self, most: int) -> Alternatives:
        """Take the cheapest branch again and again, and branch over what its way holds."""
        found: list[Alternative] = []
        seen = {NOTHING}
        self._look(NOTHING, 0, -inf)
        while self.branches and len(found) < most:
            branch = heappop(self.branches)
            parts = branch.way.parts
            if not any(way.parts <= parts for way in found):
                found.append(branch.way)
            if len(found) < most:
                for part in sorted(parts, key=self.places.__getitem__):
                    forbidden = branch.forbidden | {part}
                    if forbidden not in seen and not self.cut_short:
                        seen.add(forbidden)
                        self._look(forbidden, len(seen), branch.cost)
        found.sort(key=lambda way: way.plan.cost)
        complete = not self.branches and len(found) < most and not self.cut_short
        proved = self.proved and not self.cut_short
        return Alternatives(tuple(found), proved, complete, self.cut_short, counts_likelihoods(self.task))

    def _look(self, forbidden: frozenset[PlanFeature], number: int, at_least: float) -> None:
        """Find a cheapest way in which nothing of what is forbidden is done; it costs at least what is given."""
        known = (
            way
            for parts, way in self.met.items()
            if way.plan.cost <= at_least + ROUNDING and parts.isdisjoint(forbidden)
        )
        way = next(known, None) or self._solve(self._without(forbidden))
        if way is not None:
            way = self._leave_out(way)
            self.met.setdefault(way.parts, way)
            heappush(self.branches, _Branch(way.plan.cost, len(way.asks), number, way, forbidden))

    def _solve(self, task: Task) -> Alternative | None:
        left = replace(self.limits, time_s=max(0.0, self.deadline - monotonic()))
        result = solve(task, self.engine, left, self.cancelled)
        if isinstance(result, GaveUp):
            self.cut_short = result.reason if left.time_s else OUT_OF_TIME
        if not isinstance(result, Solved):
            return None
        self.proved &= result.gap == 0
        return Alternative(result.plan)

    def _leave_out(self, way: Alternative) -> Alternative:
        """Leave out what can be done without at no more cost.

        What it costs may go into a consent instead, or into calls of the same skills for other outcomes; so each part
        is tried without which the goal is in reach of the others, whatever it costs itself.
        """
        for part in sorted(way.parts, key=self.places.__getitem__):
            fewer = way.parts - {part}
            if part in way.parts and self._suffice(fewer):
                less = self._solve(self._without(other for other in self.places if other not in fewer))
                if less is not None and less.plan.cost <= way.plan.cost + ROUNDING:
                    way = less
        return way

    def _suffice(self, parts: frozenset[PlanFeature]) -> bool:
        """Return whether the goal can be reached with these parts, and with what is no part of any way."""
        places = [*self.beside, *(place for part in parts for place in self.places[part])]
        allowed = [self.operators.whole[place] for place in places if place not in self.operators.ruled_out]
        return self.task.goal <= close_forward(self.task.initial, allowed)

    def _without(self, forbidden: Iterable[PlanFeature]) -> Task:
        places = [place for part in forbidden for place in self.places[part]]
        return replace(self.task, operators=self.operators.without(self.operators.ruled_out.union(places)))


def part_of(kind: StepKind, subject: str, mode: str | None, inputs: Sequence[str]) -> PlanFeature | None:
    """Return the part of a way that a step is; None for a step that makes no other way."""
    if kind not in TELLING:
        return None
    return PlanFeature(kind, subject, inputs[0] if kind is StepKind.MAP else mode)


def _part_of(step: Operator) -> PlanFeature | None:
    return part_of(step.kind, step.subject, step.mode, step.inputs)
