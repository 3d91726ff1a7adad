"""Diagnose an unsolvable goal: information that a person could give, or skills that are missing.

The answers are minimal sets of such gaps, ranked. Each is verified: with the gaps filled a plan is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush

from catalog.model import Catalog
from planning.diagnosis.model import Diagnosis, Gap, GapKind, GapSet
from planning.diagnosis.reachability import Obstacles, ReachabilityAnalysis, analyse, fill, find_obstacles
from planning.engines.budget import bound_money
from planning.engines.delete_free import find_tidy
from planning.model import Operator, PlanGoal, Predicate, Situation, Task
from planning.task.compilation import compile_task
from planning.task.spending import fits

__all__ = ["BOUNDS", "BOUNDS_WITHOUT_PEOPLE", "Diagnosis", "DiagnosisBounds", "Gap", "GapKind", "GapSet", "diagnose"]


@dataclass(frozen=True, slots=True)
class DiagnosisBounds:
    """How far to go: sets to find, sets to keep for each node on the way, and sets to look at altogether."""

    sets: int = 5
    kept: int = 16
    work: int = 4_000


BOUNDS = DiagnosisBounds(sets=5, work=2_500)
BOUNDS_WITHOUT_PEOPLE = DiagnosisBounds(sets=3, work=1_500)
STOPPED = "The search for what would help was ended at its limit: there may be ways that ask for less."
MORE = "These are the ways that ask for least; there may be more."
FILLABLE = frozenset({Predicate.KNOWN, Predicate.DONE})
"""Predicates that a skill could make true; consent is given by people, and choices are made by the planner."""
MOST_MONEY_WORK = 10_000


def diagnose(
    catalog: Catalog,
    situation: Situation,
    goal: Iterable[str] | PlanGoal,
    operators: Sequence[Operator] | None = None,
    *,
    bounds: DiagnosisBounds = BOUNDS,
    without_people: DiagnosisBounds = BOUNDS_WITHOUT_PEOPLE,
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


def _is_all(found: Candidates, bounds: DiagnosisBounds) -> bool:
    return found.all_found and len(found.sets) <= bounds.sets


def _note(*searches: tuple[Candidates, DiagnosisBounds]) -> str:
    if not all(found.lightest for found, _ in searches):
        return STOPPED
    return "" if all(_is_all(found, bounds) for found, bounds in searches) else MORE


def _find_over_budget(analysis: ReachabilityAnalysis, task: Task) -> float | None:
    """Find the least money that a plan takes, if that is more than may be spent."""
    if task.budget is None:
        return None
    money = find_money(analysis)
    return None if fits(money, task.budget) else money


def _rank(analysis: ReachabilityAnalysis, found: Candidates, bounds: DiagnosisBounds) -> list[GapSet]:
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


def find_best(analysis: ReachabilityAnalysis, bounds: DiagnosisBounds) -> Candidates:
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


def find_without_people(analysis: ReachabilityAnalysis, bounds: DiagnosisBounds) -> Candidates:
    """Find the sets of gaps that skills alone would fill: no question is asked for anything that they did not give."""
    part = find_obstacles(analysis, ())
    return _find(analysis, part, [], part.atoms, bounds)


def _find(
    analysis: ReachabilityAnalysis,
    part: Obstacles,
    personal: Sequence[int],
    atoms: Sequence[int],
    bounds: DiagnosisBounds,
) -> Candidates:
    """Look for minimal sets of personal gaps and of atoms that skills would provide.

    A skill that hands over the goal says nothing of what is missing, so the fewest of those weigh most. Then the fewest
    skills do; of as many, it is better to lack one that is nowhere (a root of the matter) than one that stands in for
    several that are there. Then come the fewest personal gaps.
    """
    graph = RuleGraph()
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


def _weigher(people: int, roots: int, others: int, goals: int) -> Callable[[int], int]:
    """Weigh sets of gaps by how many there are of each kind; gaps of a kind stand together, in the order given.

    `people` counts personal gaps, the others skills. What comes first weighs more than all of what follows: skills that
    hand over the goal, the number of all other skills, those among them that are no roots, and personal gaps.
    """
    low = people + roots
    of_people = (1 << people) - 1
    of_roots = (1 << low) - 1 ^ of_people
    of_others = (1 << low + others) - 1 ^ (1 << low) - 1
    other = people + 1
    skill = other * (others + 1)
    goal = skill * (roots + others + 1)

    def weigh(bits: int) -> int:
        root_count, other_count = (bits & of_roots).bit_count(), (bits & of_others).bit_count()
        return (
            (bits & of_people).bit_count()
            + other_count * other
            + (root_count + other_count) * skill
            + (bits >> low + others).bit_count() * goal
        )

    return weigh


def find_money(analysis: ReachabilityAnalysis) -> float:
    """Find the least money that reaching the goal takes, or after some work as little as was found."""
    task = analysis.task
    money = [operator.amounts.money for operator in task.operators]
    frugal = find_tidy(replace(task.arrays, costs=money), money, task.initial, task.goal, task.ruled_out)
    assert frugal is not None, "the goal can be reached"
    work = iter(range(MOST_MONEY_WORK))
    return bound_money(task, money, frugal, lambda: next(work, None) is not None).money


GOAL = 0
TIES = 2
"""How many times as many sets are found at most as were asked for, where many are as light as the last."""


@dataclass(slots=True)
class RuleGraph:
    """Rules: from all of some nodes follow others. Assumptions are nodes that nothing leads to.

    A rule with more than two needs is split up: `joins` of a node are pairs of a node that goes with it and one for
    both together; `follows` are the nodes that follow from it alone.
    """

    assumptions: list[int] = field(default_factory=list)
    follows: list[list[int]] = field(default_factory=lambda: [[]])
    joins: list[list[tuple[int, int]]] = field(default_factory=lambda: [[]])

    def add_node(self) -> int:
        self.follows.append([])
        self.joins.append([])
        return len(self.follows) - 1

    def add_assumption(self) -> int:
        """Add a node that can be assumed; the bit of an assumption is its place among them."""
        self.assumptions.append(self.add_node())
        return self.assumptions[-1]

    def add_rule(self, needs: Sequence[int], adds: Iterable[int]) -> None:
        """Let nodes follow from all of some others, of which there is at least one."""
        both = needs[0]
        for need in needs[1:]:
            node = self.add_node()
            self.joins[both].append((need, node))
            self.joins[need].append((both, node))
            both = node
        self.follows[both].extend(adds)


@dataclass(frozen=True, slots=True)
class MinimalSets:
    """Minimal sets of assumptions as bit sets, lightest first.

    `all_found` says that there are no others, `lightest` that none is lighter than those found.
    """

    sets: tuple[int, ...] = ()
    all_found: bool = True
    lightest: bool = True


def find_minimal_sets(graph: RuleGraph, weigh: Callable[[int], int], bounds: DiagnosisBounds) -> MinimalSets:
    """Find minimal sets of assumptions from which the goal follows; those as light as the last are found with it.

    Every node of the AND/OR graph gets a label: the minimal sets of assumptions from which it follows, as in an
    assumption-based truth maintenance system (de Kleer 1986). Labels are filled in the order of the weight of their
    sets, as Knuth (1977, A Generalization of Dijkstra's Algorithm) fills in distances: a set never weighs less than
    those it is put together from. So the sets of the goal come out lightest first, and one may stop at any time.

    Where that is too much work, fewer sets are kept for each node, at last only one: then some set is found (if there
    is any), though there may be lighter ones.
    """
    found = _search(graph, weigh, bounds, bounds.kept)
    if not (found.sets or found.all_found):
        found = _search(graph, weigh, bounds, kept=1)
    if found.lightest:
        return found
    minimal = {_leave_out(graph, bits): None for bits in found.sets[: bounds.sets]}
    return MinimalSets(tuple(sorted(minimal, key=lambda bits: (weigh(bits), bits))), all_found=False, lightest=False)


def _search(graph: RuleGraph, weigh: Callable[[int], int], bounds: DiagnosisBounds, kept: int) -> MinimalSets:
    follows, joins = graph.follows, graph.joins
    labels: list[list[int]] = [[] for _ in follows]
    queue = [(weigh(1 << bit), 1 << bit, node) for bit, node in enumerate(graph.assumptions)]
    heapify(queue)
    goal, heaviest = labels[GOAL], 0
    work = bounds.work if kept > 1 else len(labels) + bounds.sets
    complete = True
    while queue and work:
        weight, bits, node = heappop(queue)
        label = labels[node]
        if _is_covered(label, bits):
            continue
        if len(goal) >= bounds.sets and (weight > heaviest or len(goal) >= TIES * bounds.sets):
            return MinimalSets(tuple(goal), all_found=False, lightest=complete)
        if len(label) >= kept and node != GOAL:
            complete = False
            continue
        work -= 1
        label.append(bits)
        if node == GOAL:
            heaviest = weight
        for then in follows[node]:
            if not _is_covered(labels[then], bits):
                heappush(queue, (weight, bits, then))
        for other, both in joins[node]:
            for beside in labels[other]:
                together = bits | beside
                if not _is_covered(labels[both], together):
                    heappush(queue, (weigh(together), together, both))
    complete = complete and not queue
    return MinimalSets(tuple(goal), all_found=complete, lightest=complete)


def _is_covered(label: list[int], bits: int) -> bool:
    """Return whether a set includes one that is there already."""
    for smaller in label:  # noqa: SIM110  `any` takes twice as long, and this is where the time goes
        if smaller & bits == smaller:
            return True
    return False


def _leave_out(graph: RuleGraph, bits: int) -> int:
    """Leave out assumptions that the others can do without, the heaviest kind and the last first."""
    for bit in reversed(_list_bits(bits)):
        if _follows(graph, bits ^ 1 << bit):
            bits ^= 1 << bit
    return bits


def _follows(graph: RuleGraph, bits: int) -> bool:
    waiting = [graph.assumptions[bit] for bit in _list_bits(bits)]
    true = set(waiting)
    while waiting:
        node = waiting.pop()
        for then in (*graph.follows[node], *(both for other, both in graph.joins[node] if other in true)):
            if then not in true:
                true.add(then)
                waiting.append(then)
    return GOAL in true


def _list_bits(bits: int) -> list[int]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
