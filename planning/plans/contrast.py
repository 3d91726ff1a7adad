"""Contrastive explanation: plan again with a step forced or forbidden, and compare the two plans.

The question *why this plan and not one with …* is answered by a restriction of the model: the task is solved again in
which only such plans are plans, and what that changes is the answer (Fox, Long and Magazzeni 2017, Explainable
Planning; Krarup et al. 2021, Contrastive Explanations of Plans through Model Restrictions, §4).

*Without* something: the operators that do it are barred. Of a fact these are the question for it, and every step that
takes it; skills may still give it.

*With* something: a plan has one of its operators, and *uses* it. A plan is taken for what it is to an engine, a set of
operators: it uses one of them where a chain of its operators begins there and gives something of the goal at its end,
each taking what the one before gives, and what did not hold at the start. Such chains are part of the task (`_Marked`):
a mark goes from what the forced operators give to what steps make of it, and the goal is to bear it. So the cheapest
marked plan is the cheapest one that uses the step. Only where nothing can, the cheapest plan is looked at that has the
step to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from catalog.analysis.horn import Closure
from catalog.model import Catalog
from planning.engines import Engine
from planning.model import (
    SEPARATOR,
    Atom,
    GaveUp,
    Limits,
    Operator,
    Plan,
    PlanningResult,
    Solved,
    StepKind,
    Task,
    Unsolvable,
    achieved,
    known,
    operator_name,
)
from planning.plans.alternatives import Ways
from planning.plans.solve import DEFAULT_LIMITS, never, solve
from planning.task.errors import UnknownName, quote
from planning.task.index import Arrays, IndexedTask, Operators, index_task, keep_operators, link
from planning.task.names import find_entry
from planning.task.spending import ROUNDING


@dataclass(frozen=True, slots=True)
class Restriction:
    """What plans are restricted to: a skill (in any mode, or in one), or a fact, that is used, or done without.

    A fact is used by asking for it.
    """

    used: bool
    skill: str | None = None
    mode: str | None = None
    fact: str | None = None

    def find(self, operators: Operators) -> frozenset[int]:
        """Find the places of the operators that are forced or forbidden."""
        whole = operators.whole
        if self.fact is None:
            call = operator_name(StepKind.SKILL, self.skill or "", self.mode) + SEPARATOR
            return frozenset([place for name, place in whole.named.items() if name.startswith(call)])
        asked = whole.named.get(operator_name(StepKind.ASK, self.fact))
        found = set() if asked is None else {asked}
        number = whole.number.get(known(self.fact))
        if not self.used and number is not None:
            users = whole.arrays.users[number]
            found.update(place for place in users if whole.at(place).kind is not StepKind.CHOOSE)
        return frozenset(found)


def restrict(catalog: Catalog, called: str, mode: str | None = None, *, used: bool) -> Restriction:
    """Return what a skill or a fact, by its name or alias, and the mode of a skill make a restriction of.

    A skill comes before a fact of its name. Raises UnknownName.
    """
    kind, name = find_entry(catalog, called, "skills", "facts")
    modes = catalog.skills[name].modes if kind == "skills" else {}
    if mode is not None and mode not in modes:
        raise UnknownName(f"mode of {quote(name)}", mode, modes)
    return Restriction(used, skill=name, mode=mode) if kind == "skills" else Restriction(used, fact=name)


@dataclass(frozen=True, slots=True)
class HeldAlready:
    """The plan is as the restriction wants it."""


@dataclass(frozen=True, slots=True)
class Dearer:
    """It would cost more than the plan: `by` as planned, and `at_least` so much; proved where both are the same."""

    by: float
    at_least: float

    @property
    def proved(self) -> bool:
        return self.by <= self.at_least


@dataclass(frozen=True, slots=True)
class AsGood:
    """It would cost the same: the plan stays as it is where nothing is gained."""


@dataclass(frozen=True, slots=True)
class Cheaper:
    """It would cost less: the plan was not proved cheapest."""

    by: float


@dataclass(frozen=True, slots=True)
class ToSpare(Dearer):
    """It could be done, and nothing of the goal could come of it: a plan would have it beside all that it needs."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """No plan does so.

    `lacking` is what nothing gives that may still be done, and `ruled_out` are operators that would, and were ruled out
    by what was learned. Neither where there is no such step at all. `over_budget`: there would be a plan but for the
    budget. `anyway`: there is no plan in any case.
    """

    lacking: tuple[Atom, ...] = ()
    ruled_out: tuple[Operator, ...] = ()
    over_budget: bool = False
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """A search gave up before it was known."""

    reason: str


Verdict = HeldAlready | Dearer | AsGood | Cheaper | ToSpare | Impossible | Undecided


@dataclass(frozen=True, slots=True)
class Contrast:
    """A plan (`base`) beside one that keeps to a restriction; None where it was not planned for."""

    restriction: Restriction
    base: PlanningResult
    restricted: PlanningResult | None
    verdict: Verdict

    @property
    def kept(self) -> tuple[Operator, ...]:
        return _list_beyond(self.restricted, (), _list_done(self.base))

    @property
    def added(self) -> tuple[Operator, ...]:
        return _list_beyond(self.restricted, _list_done(self.base))

    @property
    def dropped(self) -> tuple[Operator, ...]:
        return () if self.restricted is None else _list_beyond(self.base, _list_done(self.restricted))


Done = tuple[StepKind, str, str | None]


def _done_by(step: Operator) -> Done:
    """Return what a step does, whatever outcome is hoped for."""
    return step.kind, step.subject, step.inputs[0] if step.kind is StepKind.MAP else step.mode


def _list_done(result: PlanningResult | None) -> list[Done]:
    return [_done_by(step) for step in result.plan.actions] if isinstance(result, Solved) else []


def _list_beyond(
    result: PlanningResult | None, without: Collection[Done], within: Collection[Done] | None = None
) -> tuple[Operator, ...]:
    steps = result.plan.actions if isinstance(result, Solved) else ()
    return tuple(s for s in steps if (d := _done_by(s)) not in without and (within is None or d in within))


def contrast(
    task: Task,
    restriction: Restriction,
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    cancelled: Callable[[], bool] = never,
    *,
    earlier: Collection[str] = (),
) -> Contrast:
    """Plan freely, keeping to an `earlier` plan where that is as good, and as restricted; compare the plans.

    The limit of time is for both searches together. Differences are proved as far as the engine proves its plans.
    """
    deadline = monotonic() + limits.time_s
    half = replace(limits, time_s=limits.time_s / 2)
    base = solve(task, engine, half, cancelled, earlier=earlier)
    operators = keep_operators(task.operators)
    places = restriction.find(operators)
    if isinstance(base, Solved):
        taken = any(operators.named.get(step.name) in places for step in base.plan.steps)
        if taken == restriction.used:
            return Contrast(restriction, base, None, HeldAlready())
    if isinstance(base, Unsolvable):
        over = Impossible(over_budget=_is_in_reach(task), anyway=True)
        return Contrast(restriction, base, None, over)

    def plan(restricted: Task) -> PlanningResult:
        rest = replace(limits, time_s=max(0.0, deadline - monotonic()))
        steps = [step.name for step in base.plan.steps] if isinstance(base, Solved) else ()
        return solve(restricted, engine, rest, cancelled, earlier=steps)

    found = _force(task, places, plan) if restriction.used else _forbid(task, places, plan, base)
    if isinstance(found, Impossible):
        return Contrast(restriction, base, None, found)
    result, to_spare = found
    return Contrast(restriction, base, result, _judge(base, result, to_spare=to_spare))


def contrast_ways(ways: Ways) -> tuple[Contrast, ...]:
    """Compare the ways to a goal with the first of them, each as one that uses something which that one does not."""
    if not ways.ways:
        return ()
    gap = 0.0 if ways.proved else None
    base, *others = (Solved(way.plan, "", gap=gap) for way in ways.ways)
    found = []
    for way, result in zip(ways.ways[1:], others, strict=True):
        kind, subject, how = min(part for part in way.parts - ways.ways[0].parts if part.kind is not StepKind.MAP)
        skill = kind is StepKind.SKILL
        restriction = Restriction(used=True, skill=subject, mode=how) if skill else Restriction(used=True, fact=subject)
        found.append(Contrast(restriction, base, result, _judge(base, result, to_spare=False)))
    return tuple(found)


def _is_in_reach(task: Task) -> bool:
    indexed = index_task(task)
    return indexed is not None and indexed.close().has(indexed.goal)


def _judge(base: PlanningResult, result: PlanningResult, *, to_spare: bool) -> Verdict:
    if isinstance(result, Unsolvable):
        return Impossible(over_budget=True)
    if isinstance(result, GaveUp):
        return Undecided(result.reason)
    if not isinstance(base, Solved):
        return Undecided(base.reason if isinstance(base, GaveUp) else "")
    more = result.plan.cost - base.plan.cost
    if not to_spare and abs(more) <= ROUNDING:
        return AsGood()
    if more < -ROUNDING:
        return Cheaper(-more)
    bounds = [one.plan.cost * (1 - one.gap) for one in (base, result) if one.gap is not None]
    least = more if result.gap == 0 else max(0.0, *(bound - base.plan.cost for bound in bounds), 0.0)
    return (ToSpare if to_spare else Dearer)(max(0.0, more), max(0.0, least))


Planner = Callable[[Task], PlanningResult]
Found = tuple[PlanningResult, bool]
"""What planning came to, and whether the plan has the step to spare."""


def _forbid(task: Task, places: frozenset[int], plan: Planner, base: PlanningResult) -> Found | Impossible:
    operators = keep_operators(task.operators)
    restricted = replace(task, operators=operators.without(operators.ruled_out | places))
    indexed = index_task(restricted)
    assert indexed is not None, "the goal is in reach without the restriction"
    closure = indexed.close()
    if closure.has(indexed.goal):
        return plan(restricted), False
    steps = base.plan.steps if isinstance(base, Solved) else ()
    numbers = (operators.named[step.name] for step in steps)
    barred = (place for place in numbers if place in places)
    arrays, whole = indexed.arrays, operators.whole
    lost = dict.fromkeys(atom for place in barred for atom in arrays.adds[place] if not closure.has((atom,)))
    others = operators.ruled_out.intersection(place for atom in lost for place in arrays.achievers[atom])
    return Impossible(tuple(map(whole.atoms.__getitem__, lost)), tuple(map(whole.at, sorted(others - places))))


def _force(task: Task, places: frozenset[int], plan: Planner) -> Found | Impossible:
    indexed = index_task(task)
    assert indexed is not None, "the goal is in reach without the restriction"
    closure = indexed.close()
    able = frozenset(place for place in places if not closure.open_needs[place])
    if not able:
        return _find_obstacle(indexed, closure, places)
    marks = _find_marks(indexed, closure, able)
    used = Unsolvable("") if marks is None else _plan_marked(task, marks, plan)
    if not isinstance(used, Unsolvable):
        return used, False
    return _plan_marked(task, _Marks(dict.fromkeys(able, (_MARK,)), ()), plan), True


_MARK = achieved(SEPARATOR)
"""Says that the forced step is part of the plan, and where marks are passed on that it is used."""


def _mark(atom: Atom) -> Atom:
    return achieved(SEPARATOR.join(("", *atom)))


@dataclass(frozen=True, slots=True)
class _Marks:
    """Atoms that operators add besides, by their places, and operators without cost that pass marks on."""

    added: Mapping[int, tuple[Atom, ...]]
    passed_on: tuple[Operator, ...]


def _find_marks(task: IndexedTask, closure: Closure, forced: frozenset[int]) -> _Marks | None:
    """Mark what forced operators give, as far as it can lead to the goal; None where it cannot."""
    arrays, atoms, held = task.arrays, task.operators.atoms, frozenset(task.initial)
    reached = _spread(
        (atom for place in forced for atom in arrays.adds[place] if atom not in held),
        lambda atom: (
            added
            for user in arrays.users[atom]
            if not closure.open_needs[user]
            for added in arrays.adds[user]
            if added not in held
        ),
    )
    goal = reached.intersection(task.goal)
    if not goal:
        return None
    leading = _spread(
        goal,
        lambda atom: (
            need
            for place in arrays.achievers[atom]
            if place not in forced and not closure.open_needs[place]
            for need in arrays.needs[place]
            if need in reached
        ),
    )
    added = {place: tuple(_mark(atoms[atom]) for atom in arrays.adds[place] if atom in leading) for place in forced}
    passed_on = [_pass_on(str(atom), {_mark(atoms[atom])}, {_MARK}) for atom in sorted(goal)]
    for place in sorted({user for atom in leading for user in arrays.users[atom]} - forced):
        gives = {_mark(atoms[atom]) for atom in arrays.adds[place] if atom in leading}
        if gives and not closure.open_needs[place]:
            chosen = achieved(SEPARATOR.join(("", str(place))))
            added[place] = (chosen,)
            takes = leading.intersection(arrays.needs[place])
            passed_on += [_pass_on(f"{place} {n}", {chosen, _mark(atoms[n])}, gives) for n in sorted(takes)]
    return _Marks(added, tuple(passed_on))


def _spread(begin: Iterable[int], follow: Callable[[int], Iterable[int]]) -> frozenset[int]:
    found: set[int] = set()
    stack = list(begin)
    while stack:
        one = stack.pop()
        if one not in found:
            found.add(one)
            stack += follow(one)
    return frozenset(found)


def _pass_on(name: str, needs: Iterable[Atom], adds: Iterable[Atom]) -> Operator:
    return Operator(StepKind.CHOOSE, SEPARATOR, frozenset(needs), frozenset(adds), 0.0, outcome=name)


def _plan_marked(task: Task, marks: _Marks, plan: Planner) -> PlanningResult:
    """Plan with marks, and return the plan in the operators of the task itself."""
    operators = keep_operators(task.operators)
    marked = _Marked(operators.whole, marks)
    result = plan(replace(task, goal=task.goal | {_MARK}, operators=marked.without(operators.ruled_out)))
    if not isinstance(result, Solved):
        return result
    named, whole = operators.named, operators.whole
    steps = tuple(whole.at(named[step.name]) for step in result.plan.steps if step.name in named)
    return replace(result, plan=Plan(steps))


class _Marked(Operators):
    """Operators of a catalog with marks, in their places, and after them those that pass marks on."""

    def __init__(self, unmarked: Operators, marks: _Marks) -> None:
        self._unmarked, self._marks = unmarked, marks
        new = (atom for atoms in marks.added.values() for atom in atoms)
        passed = (atom for one in marks.passed_on for atom in (*one.needs, *one.adds))
        atoms = dict.fromkeys((*unmarked.atoms, *new, *sorted(passed)))
        self._number = number = dict(zip(atoms, range(len(atoms)), strict=True))
        adds, arrays = list(unmarked.arrays.adds), unmarked.arrays
        for place, more in marks.added.items():
            adds[place] = (*adds[place], *(number[atom] for atom in more))
        needs = [*arrays.needs, *(tuple(sorted(number[atom] for atom in one.needs)) for one in marks.passed_on)]
        adds += (tuple(sorted(number[atom] for atom in one.adds)) for one in marks.passed_on)
        self._arrays = link(needs, adds, [*arrays.costs, *(0.0 for _ in marks.passed_on)], len(atoms))
        names = (*unmarked.named, *(one.name for one in marks.passed_on))
        self._named = dict(zip(names, range(len(names)), strict=True))

    def __len__(self) -> int:
        return len(self._named)

    def at(self, place: int) -> Operator:
        if place >= len(self._unmarked):
            return self._marks.passed_on[place - len(self._unmarked)]
        operator, more = self._unmarked.at(place), self._marks.added.get(place, ())
        return replace(operator, adds=operator.adds.union(more)) if more else operator

    @property
    def atoms(self) -> Sequence[Atom]:
        return tuple(self._number)

    @property
    def number(self) -> dict[Atom, int]:
        return self._number

    @property
    def arrays(self) -> Arrays:
        return self._arrays

    @property
    def named(self) -> dict[str, int]:
        return self._named

    @property
    def uncertain(self) -> frozenset[int]:
        return self._unmarked.uncertain

    def list_establishing(self, skill: str, mode: str, fact: str) -> Collection[int]:
        return self._unmarked.list_establishing(skill, mode, fact)


def _find_obstacle(task: IndexedTask, closure: Closure, places: frozenset[int]) -> Impossible:
    """Go back from operators that cannot be applied to what is out of reach at the root: no operator left adds it."""
    arrays, atoms = task.arrays, task.operators.atoms
    lacking: list[int] = []
    blocked = places
    seen: set[int] = set()
    while allowed := blocked.difference(task.ruled_out, seen):
        nearest = min(allowed, key=lambda place: (closure.open_needs[place], place))
        seen.add(nearest)
        lacking = [atom for atom in arrays.needs[nearest] if not closure.has((atom,))]
        blocked = frozenset(arrays.achievers[lacking[0]])
    ruled_out = sorted(blocked.intersection(task.ruled_out))
    named = tuple(atoms[atom] for atom in lacking[:1])
    return Impossible(named, tuple(task.operators.at(place) for place in ruled_out))
