"""What it would take: the smallest changes after which a decision has another outcome.

Searched are the choices that the person has on the way (a consent, a question that may be skipped: another plan) and
the inputs that the catalog declares actionable, together; each is scored by a fork (Wachter, Mittelstadt and Russell
2018; DiCE). At most three are told, different in kind, the smallest first. What is not declared is never proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from dialogue.forks.changes import BadChange, Change, ConsentAnswer, Say, Withhold, check_changes, subject_of
from dialogue.forks.difference import Course, TakenStep, course_of
from dialogue.forks.rerun import ForkRun, ForkStage, ForkStop
from dialogue.forks.sweep import OutcomeRange, Sweep, sweep
from dialogue.log.events import Ran
from dialogue.state.conversation import Conversation, project
from dialogue.state.goals import StackedGoal
from planning.model import StepKind

MOST_REPAIRS = 3
MOST_CHOICES = 2
"""Choices of the plan that are made otherwise at the same time."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Changes after which the outcome is another one, the fork that shows it, and where in its range the value lies."""

    changes: tuple[Change, ...]
    run: ForkRun
    outcome: str
    sweep: Sweep | None = None
    stretch: OutcomeRange | None = None

    @property
    def kind(self) -> frozenset[str]:
        """What is changed."""
        return frozenset(subject_of(one)[1] for one in self.changes)

    @property
    def way(self) -> tuple[object, ...]:
        """What is called, and which inputs are others: refusing a consent and what it is for come to the same way."""
        calls = (e.event for e in self.run.log if isinstance(e.event, Ran))
        said = frozenset(one.fact for one in self.changes if isinstance(one, Say))
        return tuple((one.skill, one.mode) for one in calls), said

    def covers(self, other: Repair) -> bool:
        """Return whether another repair needs all that this one does, goes the same way, or spares nothing."""
        if self.kind <= other.kind or self.way == other.way:
            return True
        return self.size < other.size and (self.stretch, self.outcome) == (other.stretch, other.outcome)

    @property
    def size(self) -> tuple[int, float]:
        """The number of things changed, and the share of its range by which the input is."""
        if self.sweep is None:
            return len(self.changes), 0.0
        low, high = self.sweep.stretches[0].low, self.sweep.stretches[-1].high
        said = {one.fact: one.value for one in self.changes if isinstance(one, Say)}
        value = Decimal(str(said[self.sweep.fact]))
        return len(self.changes), float(abs(value - self.sweep.current) / ((high - low) or 1))


@dataclass(frozen=True, slots=True)
class WhatItTakes:
    """The repairs of a decision, the smallest first, and what was looked at.

    `open` are choices, with their forks, for which it is not known: what the person would be asked is not on record.
    `sweeps` are the inputs that were looked at, with the choices under which they were.
    """

    decision: TakenStep
    wanted: frozenset[str]
    repairs: tuple[Repair, ...]
    open: tuple[tuple[tuple[Change, ...], ForkStop], ...]
    sweeps: tuple[tuple[tuple[Change, ...], Sweep], ...]
    distrusted: tuple[str, ...] = ()

    @property
    def nothing_helps(self) -> bool:
        unknown = any(not one.outcome for _, swept in self.sweeps for one in swept.stretches)
        return not (self.repairs or self.open or self.distrusted or unknown)


def what_it_takes(
    stage: ForkStage, goal: StackedGoal, given: Iterable[Change] = (), wanted: Iterable[str] = ()
) -> WhatItTakes | None:
    """Search for what would change the decision that a goal ended in; None where it ended in none.

    `given` are answers to questions that are asked on other ways. `wanted` are outcomes of the deciding skill; left
    out, all others than the one there is that are not adverse.
    """
    supposed = check_changes(stage.catalog, given)
    before = project(stage.log)
    course = course_of(stage.catalog, stage.log, goal)
    if course.decision is None:
        return None
    decided = course.decision
    outcomes = stage.catalog.skills[decided.subject].modes[decided.how].outcomes
    targets = frozenset(wanted) or frozenset(
        name for name, one in outcomes.items() if not one.adverse and name != decided.outcome
    )
    found: list[Repair] = []
    open_: list[tuple[tuple[Change, ...], ForkStop]] = []
    sweeps: list[tuple[tuple[Change, ...], Sweep]] = []
    distrusted: dict[str, None] = {}
    for choice in _choices(stage, course, goal.seen_in(before)):
        try:
            run = stage.run(_together(choice, supposed), goal)
        except BadChange:  # the choice contradicts what is given
            continue
        distrusted.update(dict.fromkeys(run.distrusted))
        if run.stopped is not None:
            if not any(set(other) <= set(choice) or run.stopped.what == stopped.what for other, stopped in open_):
                open_.append((choice, run.stopped))
            continue
        decision = course_of(stage.catalog, run.log, run.goal).decision
        if decision is not None and decision.outcome in targets and choice:
            found.append(Repair(choice, run, decision.outcome))
            continue
        for fact in (one.name for one in stage.catalog.facts.values() if one.actionable is not None):
            swept = sweep(stage, run, fact)
            if swept is None:
                continue
            sweeps.append((choice, swept))
            if (nearest := swept.nearest(targets)) is not None:
                found += _confirm(stage, goal, (choice, supposed), swept, nearest)
        called = (entry.event.skill for entry in run.log if isinstance(entry.event, Ran))
        distrusted.update(dict.fromkeys(stage.simulations.say_distrusted(called)))
    return WhatItTakes(decided, targets, _smallest(found), tuple(open_), tuple(sweeps), tuple(distrusted))


def _confirm(
    stage: ForkStage,
    goal: StackedGoal,
    under: tuple[tuple[Change, ...], tuple[Change, ...]],
    swept: Sweep,
    nearest: tuple[Decimal, OutcomeRange],
) -> list[Repair]:
    """Run the whole fork at the value that was found; a repair is one only if that has the outcome."""
    choice, supposed = under
    value, stretch = nearest
    kind = stage.catalog.facts[swept.fact].value
    changes = (*choice, Say(swept.fact, kind.check(str(value) if kind.quantity == "money" else float(value))))
    run = stage.run(_together(changes, supposed), goal)
    decision = course_of(stage.catalog, run.log, run.goal).decision
    if run.stopped is not None or decision is None or decision.outcome != stretch.outcome:
        return []
    return [Repair(changes, run, stretch.outcome, swept, stretch)]


def _together(changes: tuple[Change, ...], supposed: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return changes with what else is supposed, but for what they change themselves."""
    changed = set(map(subject_of, changes))
    return *changes, *(one for one in supposed if subject_of(one) not in changed)


def _choices(stage: ForkStage, course: Course, before: Conversation) -> Iterator[tuple[Change, ...]]:
    """Yield the choices of the person on the way made otherwise: none, each alone, then two together."""
    single: dict[object, Change] = {}
    for step in course.steps:
        if step.kind in (StepKind.AUTHORIZE, StepKind.CONFIRM) and step.outcome:
            single[step.subject] = ConsentAnswer(step.subject, given=step.outcome == "no")
        elif step.kind is StepKind.ASK and stage.catalog.facts[step.subject].actionable is None:
            single[step.subject] = Withhold(step.subject)
    for fact in stage.catalog.facts.values():
        known = before.facts.known.get(fact.name)
        if fact.actionable is not None and known is not None and known.source == "user":
            others = (option for option in fact.options if option != known.value)
            single.update({(fact.name, option): Say(fact.name, option) for option in others})
    for count in range(MOST_CHOICES + 1):
        together = combinations(single.values(), count)
        yield from (one for one in together if len(set(map(subject_of, one))) == count)


def _smallest(found: list[Repair]) -> tuple[Repair, ...]:
    """Return the smallest repairs, one of a kind; none that changes more than another one and brings no more."""
    kept: list[Repair] = []
    for repair in sorted(found, key=lambda one: one.size):
        if not any(other.covers(repair) for other in kept):
            kept.append(repair)
    return tuple(kept[:MOST_REPAIRS])
