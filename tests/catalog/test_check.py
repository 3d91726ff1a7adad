from __future__ import annotations

import pytest

from catalog.analysis.dependencies import find_attainable
from catalog.checks.check import check
from catalog.load import load, loads
from catalog.load.demo_files import DEMOS
from catalog.problems import Problem

TOP = "name: x\n"


def warnings(text: str) -> list[tuple[str, int | None, str]]:
    return [(problem.code, problem.line, problem.where) for problem in found(text)]


def found(text: str) -> tuple[Problem, ...]:
    problems = check(loads(TOP + text, file="x.yaml"), allowed=["a"])
    return tuple(problem for problem in problems if problem.code != "no-frames")


def skill(name: str, inputs: str, outcomes: str) -> str:
    return f"  {name}: {{endpoint: 'python:a:b', modes: {{m: {{inputs: {inputs}, outcomes: {outcomes}}}}}}}\n"


@pytest.mark.parametrize("demo", DEMOS)
def test_a_demo_has_nothing_to_put_right(demo: str) -> None:
    assert [problem.render() for problem in check(load(demo))] == []


def test_an_input_that_nothing_produces_and_nobody_can_be_asked_for_is_told() -> None:
    text = "facts:\n  key: {fillable: false}\n  door:\nskills:\n" + skill("open", "[key]", "{opened: [door]}")
    text += "goals: {in: {facts: [door], examples: [let me in]}}\n"
    assert warnings(text) == [("input-unavailable", 6, "skills.open.modes.m.inputs[0]")]
    for remedy in ("askable: true", "value: number"):
        assert warnings(text.replace("fillable: false", remedy)) == []
    assert warnings(text + "triggers: {post: {goal: in, say: A key came., facts: [key]}}\n") == []


def test_a_mode_that_runs_in_stages_of_a_task_is_not_said_never_to_run() -> None:
    """From a page to a digest it takes two skills, so no plan in one piece gives the digests of all pages."""
    text = "facts:\n  page:\n  pages: {list_of: page}\n  note: {askable: false}\n  digest: {askable: false}\n"
    text += "  digests: {list_of: digest, askable: false}\n  pack: {askable: false}\nskills:\n"
    text += skill("note_down", "[page]", "{done: [note]}") + skill("sum_up", "[note]", "{done: [digest]}")
    text += skill("bind", "[digests]", "{done: [pack]}") + "goals: {pack: {facts: [pack], examples: [a pack]}}\n"
    codes = {code for code, _, _ in warnings(text)}
    assert not codes & {"input-unavailable", "goal-unreachable"}
    without = text.replace(skill("note_down", "[page]", "{done: [note]}"), "")
    assert {"input-unavailable", "goal-unreachable"} <= {code for code, _, _ in warnings(without)}


def test_a_subtype_that_can_be_had_serves_as_the_input() -> None:
    text = "facts:\n  key: {askable: false}\n  spare: {is_a: key}\n  door: {fillable: false}\nskills:\n"
    text += skill("open", "[key]", "{opened: [door]}") + "goals: {in: {facts: [door], examples: [let me in]}}\n"
    assert warnings(text) == []


def test_an_unreachable_goal_is_told_with_what_it_lacks_even_when_skills_run_in_a_circle() -> None:
    text = "facts:\n  hen: {fillable: false}\n  egg: {askable: false}\nskills:\n"
    text += skill("lay", "[hen]", "{laid: [egg]}") + skill("hatch", "[egg]", "{hatched: [hen]}")
    text += "goals:\n  breakfast: {facts: [egg], examples: [an egg please]}\n"
    (problem,) = found(text)
    assert (problem.code, problem.severity, problem.line, problem.where) == (
        "goal-unreachable",
        "warning",
        9,
        "goals.breakfast",
    )
    assert "'egg'" in problem.found


def test_reachability_follows_skills_types_and_events() -> None:
    text = (
        "facts: {a: , b: {fillable: false}, c: {is_a: d, fillable: false}, d: {fillable: false}, e: {askable: false}}\n"
    )
    text += "skills:\n" + skill("s", "[a]", "{x: [b], y: [c]}") + skill("t", "[d, b]", "{z: []}")
    assert find_attainable(loads(TOP + text).catalog).facts == {"a", "b", "c", "d"}
    text += "goals: {g: {facts: [e]}}\ntriggers: {t: {goal: g, say: Oh, facts: [e]}}\n"
    assert "e" in find_attainable(loads(TOP + text).catalog).facts


def test_an_outcome_that_serves_nothing_is_told() -> None:
    text = "facts: {a: , b: , note: }\nskills:\n" + skill("s", "[a]", "{good: [b, note], odd: [note], none: []}")
    text += "goals: {g: {facts: [b], examples: [go]}}\n"
    assert warnings(text) == [("outcome-unused", 4, "skills.s.modes.m.outcomes.odd")]
    assert warnings(text.replace("odd: [note]", "odd: {facts: [note], say: Odd.}")) == []


def test_a_fact_without_use_is_told() -> None:
    text = "facts:\n  a:\n  b:\n  lost:\ngoals: {g: {facts: [b], examples: [go]}}\nskills:\n" + skill(
        "s", "[a]", "{o: [b]}"
    )
    assert warnings(text) == [("fact-unused", 5, "facts.lost")]


def test_a_subtype_of_what_a_goal_wants_has_its_use() -> None:
    text = "facts: {plot: {value: chart}, pie: {is_a: plot, value: chart}}\nskills:\n" + skill("s", "[]", "{o: [pie]}")
    assert warnings(text + "goals: {g: {facts: [plot], examples: [draw]}}\n") == []


def test_a_fact_whose_value_is_of_another_kind_than_what_it_stands_for_is_told() -> None:
    text = (
        "facts: {paid: {value: date}, sum: {value: money, is_a: paid}}\ngoals: {g: {facts: [paid, sum], examples: [a]}}"
    )
    assert warnings(text) == [("kinds-differ", 2, "facts.sum.is_a")]


@pytest.mark.parametrize(
    ("below", "above", "said"),
    [
        ("{kind: money, currency: USD}", "money", "the kind money in USD, and stands for 'a', which has money in EUR"),
        ("{kind: list, of: email}", "{kind: list, of: date}", "list of email, and stands for 'a', which has list of d"),
        ("{kind: list, of: email}", "{kind: list, of: text}", ""),
        ("money", "{kind: money, minimum: 5}", ""),
    ],
)
def test_currencies_and_items_of_lists_matter_for_what_stands_for_what(below: str, above: str, said: str) -> None:
    text = (
        f"facts: {{a: {{value: {above}}}, b: {{is_a: a, value: {below}}}}}\ngoals: {{g: {{facts: [a], examples: [x]}}}}"
    )
    told = [problem.found for problem in found(text) if problem.code == "kinds-differ"]
    assert len(told) == bool(said)
    assert said in "".join(told)


def test_a_goal_that_nobody_can_ask_for_is_told() -> None:
    assert warnings("facts: {a: }\ngoals: {g: {facts: [a]}}") == [("no-examples", 3, "goals.g")]


PRICED = "facts: {a: {fillable: false}}\ngoals: {g: {facts: [a], examples: [go]}}\nskills:\n" + skill(
    "s", "[]", "{o: [a]}"
)


def test_a_budget_where_nothing_is_charged_for_is_told() -> None:
    text = PRICED + "settings: {budget: 2}\n"
    assert warnings(text) == [("budget-idle", 6, "settings.budget")]
    assert warnings(text.replace("modes:", "money: 0.5, modes:")) == []


@pytest.mark.parametrize(("metric", "key"), [("money", "money: 1"), ("time", "time_s: 3"), ("quality", "quality: 0.5")])
def test_minimising_what_no_skill_declares_is_told(metric: str, key: str) -> None:
    text = PRICED + f"settings: {{minimize: {metric}}}\n"
    assert warnings(text) == [("metric-idle", 6, "settings.minimize")]
    assert warnings(text.replace("modes:", f"{key}, modes:")) == []


@pytest.mark.parametrize("endpoint", ["python:os:system", "python:subprocess:run", "python:ab:c"])
def test_an_endpoint_outside_the_operators_list_is_an_error(endpoint: str) -> None:
    text = "facts: {a: }\nskills:\n" + skill("s", "[a]", "{o: []}").replace("python:a:b", endpoint)
    (problem,) = found(text)
    assert (problem.severity, problem.code, problem.where, problem.line) == (
        "error",
        "endpoint",
        "skills.s.endpoint",
        4,
    )
    assert "allow" in problem.found


def test_two_goals_with_the_same_example_are_told_however_it_is_spelt() -> None:
    text = "facts: {a: }\ngoals:\n  g: {facts: [a], examples: [get me a, 'Let me in, please!']}\n"
    text += "  h: {facts: [a], examples: [let me  in please, let me out]}\n"
    assert warnings(text) == [("examples-same", 5, "goals.h.examples[0]")]
    assert warnings(text.replace("let me  in please", "open up")) == []


def test_a_skill_without_an_endpoint_can_be_planned_and_that_is_told() -> None:
    text = "facts: {a: , b: }\nskills:\n  s: {modes: {m: {inputs: [a], outcomes: {o: [b]}}}}\n"
    text += "goals: {g: {facts: [b], examples: [go]}}\n"
    assert ("no-endpoint", 4, "skills.s") in warnings(text)


def test_a_problem_is_plain_json_for_scripts() -> None:
    (problem,) = found("facts: {a: }\ngoals: {g: {facts: [a]}}")
    assert problem.as_json() == {
        "severity": "warning",
        "code": "no-examples",
        "file": "x.yaml",
        "line": 3,
        "where": "goals.g",
        "found": "The goal has no example utterances, so it cannot be asked for in words.",
        "write": "Add a few under `examples:`.",
    }
