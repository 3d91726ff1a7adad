from __future__ import annotations

from planning.diagnosis.diagnose import GOAL, DiagnosisBounds, RuleGraph, find_minimal_sets


def test_of_sets_that_were_put_together_in_haste_what_can_be_left_out_is() -> None:
    """The first way to `x` is by `a`; with only one way kept for each node, that by `b` is not seen."""
    graph = RuleGraph()
    x, y, z = graph.add_node(), graph.add_node(), graph.add_node()
    a, b = graph.add_assumption(), graph.add_assumption()
    graph.add_rule([a], [x])
    graph.add_rule([b], [x, y])
    graph.add_rule([x], [z])
    graph.add_rule([z], [x])
    graph.add_rule([x, y], [GOAL])
    found = find_minimal_sets(graph, int.bit_count, DiagnosisBounds(kept=1))
    assert (found.sets, found.all_found, found.lightest) == ((0b10,), False, False)
    assert find_minimal_sets(graph, int.bit_count, DiagnosisBounds()).sets == (0b10,)


def test_sets_as_light_as_the_last_are_found_with_it_but_no_more_than_twice_as_many_as_asked_for() -> None:
    graph = RuleGraph()
    ways = [graph.add_assumption() for _ in range(9)]
    for way in ways:
        graph.add_rule([way], [GOAL])
    found = find_minimal_sets(graph, int.bit_count, DiagnosisBounds(sets=2))
    assert (len(found.sets), found.all_found, found.lightest) == (4, False, True)


def test_a_goal_that_follows_from_nothing_has_no_sets() -> None:
    graph = RuleGraph()
    graph.add_assumption()
    assert find_minimal_sets(graph, int.bit_count, DiagnosisBounds()).sets == ()
