"""Diagnose an unsolvable goal: information that a person could give, or skills that are missing.

The answers are minimal sets of such gaps, ranked. Each is verified: with the gaps filled a plan is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from catalog.model import Catalog
from planning.diagnosis.minimal_sets import Bounds, Graph, find_minimal_sets
from planning.diagnosis.model import Diagnosis, Gap, GapKind, GapSet
from planning.diagnosis.reachability import Obstacles, ReachabilityAnalysis, analyse, find_obstacles
from planning.diagnosis.repair import fill, find_money
from planning.model import Operator, Predicate, Situation, Task, Wanted
from planning.task.compilation import compile_task
from planning.task.spending import fits

__all__ = ["BOUNDS", "BOUNDS_WITHOUT_PEOPLE", "Bounds", "Diagnosis", "Gap", "GapKind", "GapSet", "diagnose"]

BOUNDS = Bounds(sets=5, work=2_500)
BOUNDS_WITHOUT_PEOPLE = Bounds(sets=3, work=1_500)
STOPPED = "The search for what would help was ended at its limit: there may be ways that ask for less."
MORE = "These are the ways that ask for least; there may be more."
FILLABLE = frozenset({Predicate.KNOWN, Predicate.DONE})
"""Predicates that a skill could make true; consent is given by people, and choices are made by the planner."""


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
