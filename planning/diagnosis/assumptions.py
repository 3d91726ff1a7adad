"""What could be missing, as assumptions; and the minimal sets of them from which a goal would follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planning.diagnosis.minimal_sets import Bounds, Graph, find_minimal_sets
from planning.diagnosis.model import Gap, GapKind
from planning.diagnosis.reachability import Obstacles, ReachabilityAnalysis, find_obstacles
from planning.model import Predicate

FILLABLE = frozenset({Predicate.KNOWN, Predicate.DONE})
"""What a skill could bring about: consent is people's, and a choice is made by itself."""


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
