"""Say what would make an unsolvable goal solvable: information that a person could give, or skills that nobody has.

Each answer is verified: with the gaps filled, the goal can be reached; and none of them can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import comb

from catalog.model import Catalog
from planning.compile import close, compile_operators, compile_task, is_ruled_out
from planning.model import Atom, Operator, Situation, StepKind, Task, known
from planning.reachability import close_forward

MOST_WORK = 300_000
"""Trials times operators up to which single gaps, and pairs, are all tried: well below a second.

Beyond, gaps are only left out for as long as the rest is enough, which need not find the fewest.
"""


class GapKind(StrEnum):
    """What would fill a gap."""

    ANSWER = "answer"
    """A person answers a question that they could not, or would not, answer so far."""
    CONSENT = "consent"
    """A person gives a consent that they declined."""
    SKILL = "skill"
    """Some skill establishes a fact that people cannot be asked for: there is none, or none that still works."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is missing.

    `subject` is the fact, or for a consent what the consent is for. `facts` are what is missing by it: the fact, or
    what would go to the skill. `closed` are operators of the catalog that would have filled the gap, but for what was
    learned (pruned, tries used up); a skill's gap without any is one that the catalog never had.
    """

    kind: GapKind
    subject: str
    facts: tuple[str, ...]
    closed: tuple[Operator, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is missing for a goal, as few things as were found; nothing where the goal has a plan.

    `information` and `functionality` are facts; `gaps` say the same with the reasons. `alternatives` are gaps that
    would each do in place of the one gap there is.
    """

    gaps: tuple[Gap, ...] = ()
    alternatives: tuple[Gap, ...] = ()

    @property
    def information(self) -> tuple[str, ...]:
        """List the facts that a person could still provide, or let a skill have."""
        return tuple(dict.fromkeys(fact for gap in self.gaps if gap.kind is not GapKind.SKILL for fact in gap.facts))

    @property
    def functionality(self) -> tuple[str, ...]:
        """List the facts that nobody can be asked for and that no skill can establish (any more)."""
        return tuple(dict.fromkeys(fact for gap in self.gaps if gap.kind is GapKind.SKILL for fact in gap.facts))


def diagnose(catalog: Catalog, situation: Situation, goal: Iterable[str]) -> Diagnosis:
    """Find what is missing for a goal: information if that is enough, else also skills, with none of them to spare."""
    every = compile_operators(catalog)
    task = compile_task(catalog, situation, goal, every)
    ruled_out = tuple(operator for operator in every if is_ruled_out(operator, situation))
    trial = _Trial(catalog, task)
    information = tuple(gap for gap in (_personal_gap(catalog, operator) for operator in ruled_out) if gap is not None)
    skills: tuple[Gap, ...] = ()
    if not trial.is_enough(information):
        skills = trial.choose_fewest(_skill_gaps(trial, information, ruled_out), information)
    answers = trial.choose_fewest(information, skills)
    gaps = (*answers, *skills)
    alternatives = (gap for gap in information if gap not in gaps and trial.is_enough((gap,)))
    return Diagnosis(gaps, tuple(alternatives) if len(gaps) == 1 else ())


class _Trial:
    """Tries whether a task has a plan once gaps are filled."""

    def __init__(self, catalog: Catalog, task: Task) -> None:
        self.catalog = catalog
        self.task = task
        self.place = {name: number for number, name in enumerate(catalog.facts)}

    def reach(self, gaps: Iterable[Gap]) -> frozenset[Atom]:
        """Collect what can be reached with gaps filled."""
        given: set[Atom] = set(self.task.initial)
        opened: list[Operator] = []
        for gap in gaps:
            if gap.kind is GapKind.SKILL:
                given |= close(self.catalog, gap.facts)
            else:
                opened.extend(gap.closed)
        return close_forward(given, (*self.task.operators, *opened))

    def is_enough(self, gaps: Iterable[Gap]) -> bool:
        """Tell whether the goal can be reached with gaps filled."""
        return self.task.goal <= self.reach(gaps)

    def choose_fewest(self, gaps: Sequence[Gap], beside: Sequence[Gap]) -> tuple[Gap, ...]:
        """Choose some of the gaps that are enough beside others: none, one or two, else a set with none to spare."""
        for size in (0, 1, 2):
            if comb(len(gaps), size) * len(self.task.operators) > MOST_WORK:
                break
            for chosen in combinations(gaps, size):
                if self.is_enough((*chosen, *beside)):
                    return chosen
        return self._leave_out(gaps, beside)

    def _leave_out(self, gaps: Sequence[Gap], beside: Sequence[Gap]) -> tuple[Gap, ...]:
        """Leave gaps out, the last first, for as long as the rest is enough: many at a time where that can be."""
        left_out: set[int] = set()
        spans = [range(len(gaps))]
        while spans:
            span = spans.pop()
            without = left_out.union(span)
            if self.is_enough((*(gap for number, gap in enumerate(gaps) if number not in without), *beside)):
                left_out = without
            elif len(span) > 1:
                spans += [span[: len(span) // 2], span[len(span) // 2 :]]
        return tuple(gap for number, gap in enumerate(gaps) if number not in left_out)


def _personal_gap(catalog: Catalog, operator: Operator) -> Gap | None:
    """See something that a person could still do in an operator that was ruled out."""
    if operator.kind is StepKind.AUTHORIZE:
        return Gap(GapKind.CONSENT, operator.subject, operator.sensitive, (operator,))
    if operator.kind is StepKind.ASK and catalog.facts[operator.subject].fillable:
        return Gap(GapKind.ANSWER, operator.subject, (operator.subject,), (operator,))
    return None


def _skill_gaps(trial: _Trial, information: Sequence[Gap], ruled_out: Sequence[Operator]) -> tuple[Gap, ...]:
    """List the facts that a skill would have to establish, as far as they bear on the goal.

    They are out of reach whatever people say. Those that nothing establishes are the roots of the matter; only where
    filling these is not enough (skills that wait for each other) do the others come in.
    """
    reached = trial.reach(information)
    producers: dict[Atom, list[Operator]] = {}
    for operator in trial.task.operators:
        for atom in operator.adds:
            producers.setdefault(atom, []).append(operator)
    wanted = dict.fromkeys(sorted(trial.task.goal - reached))
    waiting = list(wanted)
    while waiting:
        for operator in producers.get(waiting.pop(), ()):
            fresh = [atom for atom in sorted(operator.needs - reached) if atom not in wanted]
            wanted |= dict.fromkeys(fresh)
            waiting.extend(fresh)
    gaps = tuple(
        Gap(GapKind.SKILL, atom.subject, (atom.subject,), tuple(o for o in ruled_out if atom in o.adds))
        for atom in sorted(wanted, key=lambda atom: trial.place.get(atom.subject, len(trial.place)))
    )
    roots = tuple(gap for gap in gaps if known(gap.subject) not in producers)
    return roots if trial.is_enough((*roots, *information)) else gaps
