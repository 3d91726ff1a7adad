"""Find the minimal sets of assumptions from which a goal follows, lightest first.

Every node of an AND/OR graph gets a label: the minimal sets of assumptions from which it follows, as in an
assumption-based truth maintenance system (de Kleer 1986). Labels are filled in the order of the weight of their sets,
as Dijkstra's algorithm and Knuth's (1977, A Generalization of Dijkstra's Algorithm) fill in distances: a set never
weighs less than those it is put together from. So the sets of the goal come out lightest first, each of them minimal,
and one may stop at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

GOAL = 0
TIES = 2
"""How many times as many sets are found at most as were asked for, where many are as light as the last."""


@dataclass(slots=True)
class Graph:
    """Rules: from all of some nodes follow others. Assumptions are nodes that nothing leads to.

    A rule with more than two needs is split up: `joins` of a node are pairs of a node that goes with it and one for
    both together; `follows` are the nodes that follow from it alone.
    """

    assumptions: list[int] = field(default_factory=list)
    follows: list[list[int]] = field(default_factory=lambda: [[]])
    joins: list[list[tuple[int, int]]] = field(default_factory=lambda: [[]])

    def add_node(self) -> int:
        """Add a node, and give its number."""
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
class Bounds:
    """How far to go: sets to find, sets to keep for each node on the way, and sets to look at altogether."""

    sets: int = 5
    kept: int = 16
    work: int = 4_000


@dataclass(frozen=True, slots=True)
class MinimalSets:
    """Minimal sets of assumptions as bit sets, lightest first.

    `all_found` says that there are no others, `lightest` that none is lighter than those found.
    """

    sets: tuple[int, ...] = ()
    all_found: bool = True
    lightest: bool = True


def find_minimal_sets(graph: Graph, weigh: Callable[[int], int], bounds: Bounds) -> MinimalSets:
    """Find minimal sets of assumptions from which the goal follows; those as light as the last are found with it.

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


def _search(graph: Graph, weigh: Callable[[int], int], bounds: Bounds, kept: int) -> MinimalSets:
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


def _leave_out(graph: Graph, bits: int) -> int:
    """Leave out assumptions that the others can do without, the heaviest kind and the last first."""
    for bit in reversed(_list_bits(bits)):
        if _follows(graph, bits ^ 1 << bit):
            bits ^= 1 << bit
    return bits


def _follows(graph: Graph, bits: int) -> bool:
    """Return whether the goal follows from assumptions."""
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
