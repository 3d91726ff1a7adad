"""Walks over made-up state spaces, and the ways through them, against networkx and against plain enumeration."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise

import networkx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from planning.state_space.paths import Edge, Paths, StateGraph, WalkBounds, WalkProgress, walk
from tests.examples import measured

Moves = dict[int, list[tuple[str, int]]]
"""For each state the moves that are possible there: a letter, and the state that it leads to."""


@dataclass(frozen=True)
class Toy:
    """States are words: all moves so far. Two words are one state where they lead to the same number."""

    leads: Moves

    def _at(self, state: str) -> int:
        at = 0
        for move in state:
            at = dict(self.leads[at])[move]
        return at

    def key(self, state: str) -> Hashable:
        return self._at(state)

    def look(self, state: str) -> int:
        return self._at(state)

    def moves(self, state: str) -> list[str]:
        return [move for move, _ in self.leads.get(self._at(state), [])]

    def play(self, state: str, move: str) -> tuple[str, str]:
        return state + move, move.upper()


@st.composite
def toys(draw: st.DrawFn, *, forward: bool = False) -> Moves:
    """Draw a space of up to nine states; with `forward` moves lead to greater numbers only, never in circles."""
    size = draw(st.integers(1, 9))
    leads: Moves = {}
    for state in range(size):
        lowest = state + 1 if forward else 0
        targets = st.lists(st.integers(lowest, size - 1), max_size=3) if lowest < size else st.just([])
        leads[state] = list(zip("abc", draw(targets), strict=False))
    return leads


def oracle(leads: Moves) -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(leads)
    graph.add_edges_from((state, target, move) for state, moves in leads.items() for move, target in moves)
    return graph.subgraph(networkx.descendants(graph, 0) | {0})


def walked(leads: Moves) -> tuple[StateGraph[int, str, str], Paths[int, str, str]]:
    graph = walk(Toy(leads), "")
    return graph, Paths(graph)


def ways(leads: Moves) -> list[list[int]]:
    """Enumerate all ways from the start; they end where no move is possible."""

    def onward(way: list[int]) -> list[list[int]]:
        steps = leads[way[-1]]
        return [full for _, target in steps for full in onward([*way, target])] if steps else [way]

    return onward([0])


def weigh(edge: Edge[str, str]) -> float:
    return {"a": 0.0, "b": 1.0, "c": 2.5}[edge.move]


def assert_a_way(graph: StateGraph[int, str, str], way: tuple[Edge[str, str], ...]) -> None:
    """It begins at the start, each edge is one of the graph's, and goes on where the one before ended."""
    assert [edge.source for edge in way] == [0, *(edge.target for edge in way)][: len(way)]
    assert set(way) <= set(graph.edges)


@measured()
@given(leads=toys())
def test_each_state_is_found_once_by_a_shortest_way_and_each_of_its_moves_is_played(leads: Moves) -> None:
    graph, paths = walked(leads)
    expected = oracle(leads)
    assert graph.complete
    assert not graph.stopped
    assert sorted(graph.nodes) == sorted(expected.nodes)
    named = [(graph.nodes[edge.source], graph.nodes[edge.target], edge.move) for edge in graph.edges]
    assert sorted(named) == sorted(expected.edges(keys=True))
    assert all(edge.happenings == edge.move.upper() for edge in graph.edges)
    least = networkx.single_source_shortest_path_length(expected, 0)
    for number, state in enumerate(graph.nodes):
        assert_a_way(graph, paths.shortest(number))
        assert len(paths.shortest(number)) == least[state]


@measured()
@given(leads=toys())
def test_components_circles_and_what_leads_where_are_those_that_networkx_finds(leads: Moves) -> None:
    graph, paths = walked(leads)
    expected = oracle(leads)
    names = graph.nodes
    groups = [frozenset(names[node] for node in group) for group in paths.components]
    assert set(groups) == {frozenset(group) for group in networkx.strongly_connected_components(expected)}
    placed = {state: place for place, group in enumerate(groups) for state in group}
    assert all(placed[source] <= placed[target] for source, target, _ in expected.edges)
    around = {state for cycle in networkx.simple_cycles(networkx.DiGraph(expected)) for state in cycle}
    assert {names[node] for node in paths.circular} == around
    for number, state in enumerate(names):
        assert {names[node] for node in paths.before([number])} == networkx.ancestors(expected, state) | {state}
    assert (paths.count(lambda node: True) is None) == bool(around)


@measured()
@given(leads=toys(forward=True))
def test_without_circles_ways_are_counted_and_the_longest_is_found_as_by_enumeration(leads: Moves) -> None:
    graph, paths = walked(leads)
    assert paths.count(lambda node: not paths.leaving[node]) == len(ways(leads))
    best = networkx.dag_longest_path_length(weighted(leads), weight="weight")
    longest = paths.longest(weigh)
    assert longest.value == best == sum(map(weigh, longest.way))
    assert_a_way(graph, longest.way)
    assert not paths.leaving[longest.way[-1].target if longest.way else 0]


def weighted(leads: Moves) -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(oracle(leads))
    for source, target, move in oracle(leads).edges(keys=True):
        graph.add_edge(source, target, weight={"a": 0.0, "b": 1.0, "c": 2.5}[move])
    return graph


@measured()
@given(leads=toys())
def test_there_is_no_longest_way_just_where_something_that_weighs_is_in_a_circle(leads: Moves) -> None:
    graph, paths = walked(leads)
    expected = oracle(leads)
    assume(paths.circular)
    groups = {state: i for i, g in enumerate(networkx.strongly_connected_components(expected)) for state in g}
    heavy = any(groups[one] == groups[other] and move != "a" for one, other, move in expected.edges(keys=True))
    longest = paths.longest(weigh)
    assert (longest.value is None) == heavy
    assert_a_way(graph, longest.way)
    if heavy:
        assert longest.way[-1].target in [0, *(edge.target for edge in longest.way[:-1])]
    else:
        assert longest.value == sum(map(weigh, longest.way))


@measured()
@given(leads=toys(), kept=st.sampled_from(["ab", "bc", "abc"]))
def test_the_round_that_is_over_first_is_found_among_all_there_are(leads: Moves, kept: str) -> None:
    """Rounds are of kept moves, and at least one of them is `b`; the oracle looks at each walk from each state."""
    graph, paths = walked(leads)
    found = paths.shortest_round(lambda edge: edge.move in kept, lambda edge: edge.move == "b")
    least = networkx.single_source_shortest_path_length(oracle(leads), 0)
    turns = (least[state] + turn for state in graph.nodes if (turn := turn_at(leads, state, kept)))
    best = min(turns, default=None)
    assert (found.moves if found else None) == best
    if found:
        assert_a_way(graph, (*found.to, *found.around))
        assert found.around[0].source == found.around[-1].target
        assert all(edge.source == before.target for before, edge in pairwise(found.around))
        assert {edge.move for edge in found.around} <= set(kept)
        assert "b" in {edge.move for edge in found.around}


def turn_at(leads: Moves, state: int, kept: str) -> int | None:
    """Return the fewest kept moves that lead from a state back to it, one of them `b`."""
    now = {(state, False)}
    for length in range(1, 2 * len(leads) + 1):
        now = {(to, done or move == "b") for at, done in now for move, to in leads[at] if move in kept}
        if (state, True) in now:
            return length
    return None


ENDLESS: Moves = {number: [("a", number + 1)] for number in range(1_000)}


@pytest.mark.parametrize(
    ("bounds", "stopped"),
    [
        (WalkBounds(10, None), "the bound of 10 states"),
        (WalkBounds(None, 0.0), "the bound of 0 s"),
    ],
)
def test_a_walk_that_meets_a_bound_says_so_and_what_is_left(bounds: WalkBounds, stopped: str) -> None:
    graph = walk(Toy(ENDLESS), "", bounds=bounds)
    assert graph.stopped == stopped
    assert not graph.complete
    assert graph.open == {len(graph.nodes) - 1}


def test_a_walk_can_be_cancelled_by_who_is_told_of_its_progress() -> None:
    seen: list[WalkProgress] = []

    def stop(progress: WalkProgress) -> bool:
        seen.append(progress)
        return len(seen) == 4

    graph = walk(Toy(ENDLESS), "", cancelled=stop)
    assert graph.stopped == "your request"
    assert [(progress.states, progress.open) for progress in seen] == [(1, 1), (2, 1), (3, 1), (4, 1)]
