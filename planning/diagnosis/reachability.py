"""Reachability of a goal: as things are, if people agreed to more, and with the gaps of a diagnosis filled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from catalog.analysis.horn import Closure, regress
from catalog.model import Catalog
from planning.diagnosis.model import Gap, GapKind, GapSet
from planning.engines.delete_free import find_tidy
from planning.model import Atom, Operator, Predicate, Situation, StepKind, Task, known
from planning.task.index import Arrays, IndexedTask, Operators, keep_operators


@dataclass(frozen=True)
class ReachabilityAnalysis:
    """A task whose goal may be out of reach, with what can be reached as things are.

    `number` numbers also the atoms that only the goal names.
    """

    catalog: Catalog
    situation: Situation
    task: IndexedTask
    number: dict[Atom, int]
    reached: Closure

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        return tuple(self.number)

    @cached_property
    def had(self) -> frozenset[int]:
        """Collect the atoms that can be reached as things are."""
        return frozenset(self.reached.reached)

    @cached_property
    def personal(self) -> dict[int, Gap]:
        """Map operators that were ruled out, and that people could still agree to, to their gaps."""
        gaps = (
            (place, _find_personal_gap(self.catalog, self.situation, self.task.operators[place]))
            for place in sorted(self.task.ruled_out)
        )
        return {place: gap for place, gap in gaps if gap is not None}

    @cached_property
    def conceded(self) -> Closure:
        """Collect what could be reached if people agreed to everything."""
        closure = self.reached.copy()
        closure.allow(self.personal)
        return closure

    def close(self, fact: str) -> list[int]:
        above = (Atom(Predicate.KNOWN, name) for name in self.catalog.supertypes(fact))
        return [self.number[atom] for atom in above if atom in self.number]

    def provides(self, gap: Gap) -> list[int]:
        if gap.facts:
            return self.close(gap.subject)
        return [self.number[Atom(Predicate.DONE, gap.subject)]]

    def find_closed(self, atom: int) -> tuple[Operator, ...]:
        task = self.task
        return tuple(task.operators[place] for place in task.arrays.achievers[atom] if place in task.ruled_out)


def analyse(catalog: Catalog, situation: Situation, task: Task) -> ReachabilityAnalysis:
    operators = keep_operators(task.operators)
    number, arrays = _with_atoms(operators.whole, sorted(task.goal))
    initial = sorted([number[atom] for atom in task.initial if atom in number])
    goal = sorted([number[atom] for atom in task.goal - task.initial])
    indexed = IndexedTask(operators.whole, arrays, initial, goal, operators.ruled_out)
    return ReachabilityAnalysis(catalog, situation, indexed, number, indexed.close())


def _with_atoms(whole: Operators, atoms: Iterable[Atom]) -> tuple[dict[Atom, int], Arrays]:
    unheard_of = [atom for atom in atoms if atom not in whole.number]
    if not unheard_of:
        return whole.number, whole.arrays
    number = {**whole.number, **{atom: len(whole.number) + place for place, atom in enumerate(unheard_of)}}
    more: list[list[int]] = [[] for _ in unheard_of]
    arrays = whole.arrays
    return number, replace(arrays, users=[*arrays.users, *more], achievers=[*arrays.achievers, *more])


def _find_personal_gap(catalog: Catalog, situation: Situation, operator: Operator) -> Gap | None:
    """Return what a person could still do about an operator that was ruled out; None if nothing."""
    if operator.kind is StepKind.AUTHORIZE:
        if operator.subject in situation.authorized:
            return None  # consent is given already
        return Gap(GapKind.CONSENT, operator.subject, operator.sensitive, (operator,))
    if operator.kind is StepKind.CONFIRM:
        return Gap(GapKind.GO_AHEAD, operator.subject, (), (operator,))
    if operator.kind is StepKind.ASK and catalog.facts[operator.subject].fillable:
        return Gap(GapKind.ANSWER, operator.subject, (operator.subject,), (operator,))
    return None


@dataclass(frozen=True, slots=True)
class Obstacles:
    """The unreachable part of the way to a goal: operators, and atoms; `roots` are atoms that no operator adds."""

    operators: tuple[int, ...]
    atoms: tuple[int, ...]
    roots: frozenset[int]


def find_obstacles(analysis: ReachabilityAnalysis, allowed: Iterable[int], within: Closure | None = None) -> Obstacles:
    """Go back from the goal over operators that are not ruled out, or allowed all the same, as far as what is reached.

    If all that can help is `within` a closure, operators that need more than that are left out.
    """
    ruled_out = analysis.task.ruled_out.difference(allowed)
    beyond = () if within is None else [place for place, count in enumerate(within.open_needs) if count]
    arrays = analysis.task.arrays
    found = regress(arrays, analysis.task.goal, given=analysis.had, barred=ruled_out.union(beyond))
    roots = frozenset(atom for atom in found.atoms if ruled_out.issuperset(arrays.achievers[atom]))
    return Obstacles(found.clauses, tuple(sorted(found.atoms)), roots)


MOST_INPUTS = 3
"""Facts that are named as inputs of a new skill where nothing in the catalog says what it would take."""
NEW_SKILL_COST = 1.0


def fill(analysis: ReachabilityAnalysis, gaps: Sequence[Gap]) -> GapSet:
    """Plan with gaps filled: questions answered, consents given, and new skills that work from what can be had."""
    opened = [analysis.task.operators.named[gap.closed[0].name] for gap in gaps if gap.kind is not GapKind.SKILL]
    withheld = _list_withheld(analysis, opened)
    closure = analysis.reached.copy()
    closure.allow(opened)
    inputs: dict[Gap, tuple[str, ...]] = {}
    waiting = [gap for gap in gaps if gap.kind is GapKind.SKILL]
    while waiting:
        gap, chosen = _choose_next(analysis, closure, waiting, withheld)
        inputs[gap] = chosen
        closure.give(analysis.provides(gap))
        waiting.remove(gap)
    filled = tuple(replace(gap, inputs=inputs.get(gap, ())) for gap in gaps)
    steps = _plan(analysis, opened, [gap for gap in filled if gap.kind is GapKind.SKILL])
    there = [analysis.task.operators[step] for step in steps if step < len(analysis.task.operators)]
    cost = sum(operator.cost for operator in there) + NEW_SKILL_COST * (len(steps) - len(there))
    return GapSet(filled, cost, sum(operator.amounts.money for operator in there))


def _choose_next(
    analysis: ReachabilityAnalysis, closure: Closure, waiting: Sequence[Gap], withheld: Collection[str]
) -> tuple[Gap, tuple[str, ...]]:
    """Choose the new skill that comes next: the first that lacks nothing, else the one that lacks least."""
    best: tuple[int, Gap, tuple[str, ...]] | None = None
    for gap in waiting:
        lacking, inputs = _choose_inputs(analysis, closure, gap, withheld)
        if not lacking:
            return gap, inputs
        if best is None or lacking < best[0]:
            best = lacking, gap, inputs
    assert best is not None, "something is waiting"
    return best[1:]


def _plan(analysis: ReachabilityAnalysis, opened: Sequence[int], skills: Sequence[Gap]) -> list[int]:
    """Make a plan with some operators allowed, and with new skills, which are numbered after all others."""
    task, arrays = analysis.task, analysis.task.arrays
    if skills:
        needs = [tuple(analysis.number[known(fact)] for fact in gap.inputs) for gap in skills]
        arrays = _with_operators(arrays, needs, [tuple(analysis.provides(gap)) for gap in skills])
    steps = find_tidy(arrays, arrays.costs, task.initial, task.goal, task.ruled_out.difference(opened))
    assert steps is not None, "with the gaps filled, the goal can be reached"
    return steps


def _with_operators(arrays: Arrays, needs: Sequence[tuple[int, ...]], adds: Sequence[tuple[int, ...]]) -> Arrays:
    """Add operators; lists that do not change stay shared."""
    users, achievers, free = arrays.users.copy(), arrays.achievers.copy(), arrays.free.copy()
    for place, (needed, added) in enumerate(zip(needs, adds, strict=True), start=len(arrays.needs)):
        for atom in needed:
            users[atom] = [*users[atom], place]
        for atom in added:
            achievers[atom] = [*achievers[atom], place]
        if not needed:
            free.append(place)
    return replace(
        arrays,
        needs=[*arrays.needs, *needs],
        adds=[*arrays.adds, *adds],
        costs=[*arrays.costs, *(NEW_SKILL_COST for _ in needs)],
        users=users,
        achievers=achievers,
        open_needs=[*arrays.open_needs, *map(len, needs)],
        free=free,
    )


def _list_withheld(analysis: ReachabilityAnalysis, opened: Collection[int]) -> frozenset[str]:
    """List the facts that people declined to give away: a new skill would hardly get them either."""
    declined = (analysis.task.operators[place] for place in analysis.personal if place not in opened)
    return frozenset(fact for operator in declined for fact in operator.sensitive)


def _choose_inputs(
    analysis: ReachabilityAnalysis, closure: Closure, gap: Gap, withheld: Collection[str]
) -> tuple[int, tuple[str, ...]]:
    """Choose what a new skill could work from, and count what it would have to do without.

    That is what a skill takes that would have given the fact; else what is known, but for what a skill takes beside the
    fact: if the one could be made from the other, both would not be asked for. Else nothing in the catalog says it.
    """

    def can_have(fact: str) -> bool:
        return fact not in withheld and _can_have(analysis, closure, fact)

    atom = analysis.provides(gap)[0]
    calls = _list_calls(analysis, analysis.task.arrays.achievers[atom])
    chosen = _choose_way(calls, gap, can_have)
    if chosen is not None:
        return chosen
    beside = {fact for call in _list_calls(analysis, analysis.task.arrays.users[atom]) for fact in call.inputs}
    known = (fact for fact in analysis.catalog.facts if fact in analysis.situation.known)
    lacking = min((len(call.inputs) for call in calls), default=0)
    return lacking, tuple(fact for fact in known if fact not in beside and can_have(fact))[:MOST_INPUTS]


def _list_calls(analysis: ReachabilityAnalysis, places: Iterable[int]) -> list[Operator]:
    operators = analysis.task.operators
    return [operators[place] for place in places if operators[place].kind is StepKind.SKILL]


def _choose_way(
    ways: Iterable[Operator], gap: Gap, can_have: Callable[[str], bool]
) -> tuple[int, tuple[str, ...]] | None:
    """Choose the inputs of the operator that lacks least of them, if there is one that does not lack them all."""
    best: tuple[int, tuple[str, ...]] | None = None
    for way in ways:
        wanted = [fact for fact in way.inputs if fact not in gap.facts]
        had = tuple(filter(can_have, wanted))
        if had and (best is None or len(wanted) - len(had) < best[0]):
            best = len(wanted) - len(had), had
    return best


def _can_have(analysis: ReachabilityAnalysis, closure: Closure, fact: str) -> bool:
    """Return whether a fact can be established, other than by a question that slot filling cannot put."""
    atom = analysis.number.get(known(fact))
    if atom is None or not closure.has((atom,)):
        return False
    if atom in analysis.task.initial or fact not in analysis.catalog.facts or analysis.catalog.facts[fact].fillable:
        return True
    sources = (
        analysis.task.operators[place]
        for place in analysis.task.arrays.achievers[atom]
        if not closure.open_needs[place]
    )
    return any(operator.kind is not StepKind.ASK for operator in sources)
