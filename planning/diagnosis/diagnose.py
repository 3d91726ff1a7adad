"""Diagnose an unsolvable goal: information that a person could give, or skills that are missing.

The answers are minimal sets of such gaps, ranked. Each is verified: with the gaps filled a plan is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from catalog.analysis.horn import Closure
from catalog.model import Catalog
from planning.diagnosis.minimal_sets import Bounds, Graph, find_minimal_sets
from planning.diagnosis.model import Diagnosis, Gap, GapKind, GapSet
from planning.diagnosis.reachability import Obstacles, ReachabilityAnalysis, analyse, find_obstacles
from planning.engines.delete_free.budget import bound_money
from planning.engines.delete_free.relaxed_plans import find_tidy
from planning.model import Operator, Predicate, Situation, StepKind, Task, Wanted, known
from planning.task.compilation import compile_task
from planning.task.operators import Arrays
from planning.task.spending import fits

__all__ = ["BOUNDS", "BOUNDS_WITHOUT_PEOPLE", "Bounds", "Diagnosis", "Gap", "GapKind", "GapSet", "diagnose"]

BOUNDS = Bounds(sets=5, work=2_500)
BOUNDS_WITHOUT_PEOPLE = Bounds(sets=3, work=1_500)
STOPPED = "The search for what would help was ended at its limit: there may be ways that ask for less."
MORE = "These are the ways that ask for least; there may be more."
FILLABLE = frozenset({Predicate.KNOWN, Predicate.DONE})
"""Predicates that a skill could make true; consent is given by people, and choices are made by the planner."""
MOST_INPUTS = 3
"""Facts that are named as inputs of a new skill where nothing in the catalog says what it would take."""
NEW_SKILL_COST = 1.0
MOST_MONEY_WORK = 10_000


def diagnose(
    catalog: Catalog,
    situation: Situation,
    goal: Iterable[str] | Wanted,
    operators: Sequence[Operator] | None = None,
    *,
    bounds: Bounds = BOUNDS,
    without_people: Bounds = BOUNDS_WITHOUT_PEOPLE,
) -> Diagnosis:
    """Find what is missing for a goal: the sets of gaps that ask least, and those that ask nothing of people.

    `operators` are those of `compile_operators(catalog)`, where they are at hand.
    """
    task = compile_task(catalog, situation, goal, operators)
    analysis = analyse(catalog, situation, task)
    if analysis.reached.has(analysis.task.goal):
        return Diagnosis(over_budget=_find_over_budget(analysis, task))
    best, alone = find_best(analysis, bounds), find_without_people(analysis, without_people)
    first = _rank(analysis, best, bounds)
    there = {_identify(one) for one in first}
    others = (one for one in _rank(analysis, alone, without_people) if _identify(one) not in there)
    searches = ((best, bounds), (alone, without_people))
    return Diagnosis((*first, *others), _note(*searches), more=not _is_all(best, bounds))


def _identify(one: GapSet) -> frozenset[tuple[GapKind, str]]:
    return frozenset((gap.kind, gap.subject) for gap in one.gaps)


def _is_all(found: Candidates, bounds: Bounds) -> bool:
    return found.all_found and len(found.sets) <= bounds.sets


def _note(*searches: tuple[Candidates, Bounds]) -> str:
    """Return a note on what the search left out."""
    if not all(found.lightest for found, _ in searches):
        return STOPPED
    return "" if all(_is_all(found, bounds) for found, bounds in searches) else MORE


def _find_over_budget(analysis: ReachabilityAnalysis, task: Task) -> float | None:
    """Find the least money that a plan takes, if that is more than may be spent."""
    if task.budget is None:
        return None
    money = find_money(analysis)
    return None if fits(money, task.budget) else money


def _rank(analysis: ReachabilityAnalysis, found: Candidates, bounds: Bounds) -> list[GapSet]:
    """Verify sets, put the cheaper of equally heavy ones first, and keep as many as are to be told."""
    filled = [(weight, fill(analysis, gaps)) for weight, gaps in found.sets]
    return [one for _, one in sorted(filled, key=lambda pair: (pair[0], pair[1].cost))[: bounds.sets]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Minimal sets of gaps with what they weigh, lightest first.

    `all_found` and `lightest` say how far they were searched for, as in `MinimalSets`.
    """

    sets: tuple[tuple[int, tuple[Gap, ...]], ...]
    all_found: bool
    lightest: bool


def find_best(analysis: ReachabilityAnalysis, bounds: Bounds) -> Candidates:
    """Find the sets of gaps that ask least.

    If people can do it all, they are not helped out by skills; else a skill stands for what is out of reach whatever
    people say.
    """
    if analysis.conceded.has(analysis.task.goal):
        part = find_obstacles(analysis, analysis.personal, analysis.conceded)
        return _find(analysis, part, list(analysis.personal), [], bounds)
    part = find_obstacles(analysis, analysis.personal)
    out_of_reach = [atom for atom in part.atoms if not analysis.conceded.has((atom,))]
    return _find(analysis, part, list(analysis.personal), out_of_reach, bounds)


def find_without_people(analysis: ReachabilityAnalysis, bounds: Bounds) -> Candidates:
    """Find the sets of gaps that skills alone would fill: nobody is asked for anything that they did not give."""
    part = find_obstacles(analysis, ())
    return _find(analysis, part, [], part.atoms, bounds)


def _find(
    analysis: ReachabilityAnalysis, part: Obstacles, personal: Sequence[int], atoms: Sequence[int], bounds: Bounds
) -> Candidates:
    """Look for minimal sets of personal gaps and of atoms that skills would provide.

    Of skills, it is better to lack one that nobody has than one that stands in for several that are there, and a skill
    that hands over the goal says least of all: so the roots of the matter come first, and the goal last. The fewest of
    the worst kind weigh most; then come the better kinds, and then the fewest personal gaps.
    """
    graph = Graph()
    nodes = {atom: graph.add_node() for atom in part.atoms}
    inside = frozenset(part.operators)
    helpful = [place for place in personal if place in inside]
    kinds = _sort_out(analysis, part, [atom for atom in atoms if analysis.atoms[atom].predicate in FILLABLE])
    gaps = [analysis.personal[place] for place in helpful]
    gaps += [_skill_gap(analysis, atom) for atoms_of_kind in kinds for atom in atoms_of_kind]
    assumed = [graph.add_assumption() for _ in gaps]
    reason = dict(zip(helpful, assumed[: len(helpful)], strict=True))
    for place in part.operators:
        needs = [nodes[need] for need in analysis.task.arrays.needs[place] if need in nodes]
        needs += [reason[place]] if place in reason else []
        graph.add_rule(needs, [nodes[atom] for atom in analysis.task.arrays.adds[place] if atom in nodes])
    for gap, node in zip(gaps[len(helpful) :], assumed[len(helpful) :], strict=True):
        graph.add_rule([node], [nodes[atom] for atom in analysis.provides(gap) if atom in nodes])
    graph.add_rule([nodes[atom] for atom in analysis.task.goal if atom in nodes], [0])
    weigh = _weigher(len(helpful), *map(len, kinds))
    found = find_minimal_sets(graph, weigh, bounds)
    sets = ((weigh(bits), tuple(gap for bit, gap in enumerate(gaps) if bits >> bit & 1)) for bits in found.sets)
    return Candidates(tuple(sets), found.all_found, found.lightest)


def _sort_out(
    analysis: ReachabilityAnalysis, part: Obstacles, atoms: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """Sort out what skills could provide: roots, others, and the goal; each kind as the catalog names them."""
    place = {name: number for number, name in enumerate((*analysis.catalog.facts, *analysis.catalog.skills))}
    kinds: tuple[list[int], list[int], list[int]] = ([], [], [])
    for atom in sorted(atoms, key=lambda atom: (place.get(analysis.atoms[atom].subject, len(place)), atom)):
        kinds[0 if atom in part.roots else 2 if atom in analysis.task.goal else 1].append(atom)
    return kinds


def _skill_gap(analysis: ReachabilityAnalysis, atom: int) -> Gap:
    predicate, subject = analysis.atoms[atom]
    facts = (subject,) if predicate is Predicate.KNOWN else ()
    return Gap(GapKind.SKILL, subject, facts, analysis.find_closed(atom))


def _weigher(*sizes: int) -> Callable[[int], int]:
    """Weigh sets of gaps by how many there are of each kind; gaps of a kind stand together, the lightest first."""
    masks, weights, low, weight = [], [], 0, 1
    for size in sizes:
        masks.append(((1 << size) - 1) << low)
        weights.append(weight)
        low += size
        weight *= size + 1
    people, root, other, goal = masks
    of_people, of_root, of_other, of_goal = weights

    def weigh(bits: int) -> int:
        return (
            (bits & people).bit_count() * of_people
            + (bits & root).bit_count() * of_root
            + (bits & other).bit_count() * of_other
            + (bits & goal).bit_count() * of_goal
        )

    return weigh


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


def find_money(analysis: ReachabilityAnalysis) -> float:
    """Find the least money that reaching the goal takes, or after some work as little as was found."""
    task = analysis.task
    money = [operator.amounts.money for operator in task.operators]
    frugal = find_tidy(replace(task.arrays, costs=money), money, task.initial, task.goal, task.ruled_out)
    assert frugal is not None, "the goal can be reached"
    work = iter(range(MOST_MONEY_WORK))
    return bound_money(task, money, frugal, lambda: next(work, None) is not None).money


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

    That is what a skill takes that would have given the fact; else what goes with the fact where it is needed; else
    what is known; else what skills take most.
    """

    def can_have(fact: str) -> bool:
        return fact not in withheld and _can_have(analysis, closure, fact)

    atoms = analysis.provides(gap)
    task = analysis.task
    for places in (task.arrays.achievers[atoms[0]], task.arrays.users[atoms[0]]):
        ways = [task.operators[place] for place in places if task.operators[place].kind is StepKind.SKILL]
        chosen = _choose_way(ways, gap, can_have)
        if chosen is not None:
            return chosen
    at_hand = [fact for fact in analysis.catalog.facts if fact in analysis.situation.known and can_have(fact)]
    if not at_hand:
        at_hand = sorted(filter(can_have, analysis.catalog.facts), key=lambda fact: -_count_users(analysis, fact))
    return 0, tuple(at_hand[:MOST_INPUTS])


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


def _count_users(analysis: ReachabilityAnalysis, fact: str) -> int:
    return len(analysis.task.arrays.users[analysis.number[known(fact)]])
