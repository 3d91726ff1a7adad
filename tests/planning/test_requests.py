from __future__ import annotations

import json

import pytest

from catalog.expand.expansion import expand
from catalog.model import Catalog, Goal
from catalog.model.instances import Instances, instance_name
from planning.engines import ENGINES
from planning.model import GaveUp, Limits, PlanGoal, StepKind
from planning.requests import (
    LONGEST_LINE,
    PlanningAnswer,
    PlanningRequest,
    compile_request,
    plan_request,
    plan_requests,
    read_request,
    resolve_goal,
    result_json,
)
from planning.task.errors import BadRequest, UnknownName
from tests.planning.declare import BANK, declare, declare_fact, declare_skill

ENGINE = ENGINES["pyperplan"]
VAIN = ["loan_result", "credit_score"]


def test_a_solved_request_is_written_as_json() -> None:
    written = result_json(
        plan_request(BANK, PlanningRequest(goal=["name"], known=["email"], cannot_ask=["name"]), ENGINE)
    )
    seconds = written.pop("seconds")
    assert written.pop("note")
    assert written == {
        "status": "solved",
        "steps": [
            {
                "kind": "skill",
                "name": "lookup",
                "inputs": ["email"],
                "outputs": ["name", "address"],
                "mode": "by_email",
                "outcome": "record",
            }
        ],
        "cost": 1.0,
        "amounts": {"cost": 1.0, "money": 0.0, "time_s": 0.0, "quality": 1.0},
        "gap": None,
        "engine": "pyperplan",
        "missing": {"information": [], "functionality": []},
    }
    assert isinstance(seconds, dict)
    assert list(seconds) == ["compile", "search", "order"]
    assert json.loads(json.dumps(written)) == written


def test_steps_that_ask_name_the_fact_and_steps_that_authorize_the_skill() -> None:
    answer = plan_request(BANK, PlanningRequest(goal=["credit_score"], known=["name"], cannot_ask=VAIN), ENGINE)
    steps = result_json(answer)["steps"]
    assert steps == [
        {"kind": "authorize", "name": "score", "inputs": [], "outputs": []},
        {"kind": "ask", "name": "ssn", "inputs": [], "outputs": ["ssn"]},
        {
            "kind": "skill",
            "name": "score",
            "inputs": ["ssn", "name"],
            "outputs": ["credit_score"],
            "mode": "by_ssn",
            "outcome": "score",
        },
    ]


@pytest.mark.row("V20")
def test_an_unsolvable_request_says_what_is_missing() -> None:
    answer = plan_request(BANK, PlanningRequest(goal=["loan_result"], cannot_ask=[*VAIN, "amount"]), ENGINE)
    written = result_json(answer)
    assert written["status"] == "unsolvable"
    assert written["steps"] == []
    assert written["cost"] is None
    assert written["missing"] == {
        "information": ["amount"],
        "functionality": [],
        "sets": [
            {
                "information": ["amount"],
                "functionality": [],
                "answers": ["amount"],
                "consents": [],
                "cost": 7.0,
                "money": 0.0,
            },
            {
                "information": [],
                "functionality": [{"inputs": [], "outputs": ["amount"]}],
                "answers": [],
                "consents": [],
                "cost": 7.0,
                "money": 0.0,
            },
            {
                "information": [],
                "functionality": [{"inputs": ["name", "address", "credit_score"], "outputs": ["loan_result"]}],
                "answers": [],
                "consents": [],
                "cost": 6.0,
                "money": 0.0,
            },
        ],
        "note": "",
    }


def test_giving_up_is_told_apart_and_has_a_reason() -> None:
    written = result_json(plan_request(BANK, PlanningRequest(goal=["name"]), ENGINE, Limits(time_s=0)))
    assert written["status"] == "gave_up"
    assert "0 seconds" in str(written["reason"])
    assert result_json(PlanningAnswer(GaveUp("enough", "some engine")))["engine"] == "some engine"


def test_many_requests_are_answered_one_a_line_and_a_bad_line_stops_none_of_the_others() -> None:
    lines = [
        '{"goal": ["name"]}',
        "",
        '{"goal": ["nmae"]}',
        "{",
        '{"goal": ["name"], "known": ["name"]}',
    ]
    answers = list(plan_requests(BANK, lines, ENGINE))
    assert [answer.get("status") for answer in answers] == ["solved", None, None, "solved"]
    assert [answer.get("line") for answer in answers] == [None, 3, 4, None]
    assert "Did you mean “name”" in str(answers[1]["error"])
    assert answers[3]["steps"] == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"goal": []}', "at “goal”"),
        ('{"goal": ["a"], "knwon": []}', "at “knwon”"),
        ('{"goal": ["a", 3]}', "at “goal” at “1”"),
        ('["a"]', "This is no request:"),
        ("no json", "Write one object a line"),
        (" " * (LONGEST_LINE + 1), "Split it"),
    ],
)
def test_what_is_no_request_is_refused_with_the_place_and_the_form(line: str, said: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        read_request(line)
    assert said in str(refusal.value)


def test_a_goal_is_named_by_a_fact_or_by_a_goal_of_the_catalog() -> None:
    assert resolve_goal(BANK, ["loan", "name", "loan_result"]) == PlanGoal(facts=("loan_result", "name"))
    with pytest.raises(UnknownName, match=r"No fact or goal is called “laon”\. Did you mean “loan”"):
        resolve_goal(BANK, ["laon"])


def test_of_a_fact_that_is_there_for_several_the_instances_are_named() -> None:
    cities = [f"city_{number}" for number in range(7)]
    group = Instances.model_validate({"facts": ["booking"], "of": cities})
    bare = declare(declare_fact("booking")).model_dump()
    catalog = expand(Catalog.model_validate(bare | {"instances": {"trip": group}}))[0]
    with pytest.raises(UnknownName, match=r"There are several of it; .*“.*city_0.*and 2 more\.") as refusal:
        resolve_goal(catalog, ["booking"])
    assert refusal.value.nearest == tuple(instance_name("booking", city) for city in cities)


def test_a_fact_comes_before_a_goal_of_its_name() -> None:
    catalog = declare(Goal(name="move", facts=("quote", "move")), plain="quote move")
    assert resolve_goal(catalog, ["move"]) == PlanGoal(facts=("move",))


def test_a_fact_that_cannot_be_asked_for_must_exist_too() -> None:
    with pytest.raises(UnknownName, match="“emial”"):
        compile_request(BANK, PlanningRequest(goal=["name"], cannot_ask=["emial"]))


def test_a_request_compiles_to_a_task_without_the_questions_that_cannot_be_asked() -> None:
    task, situation, goal = compile_request(BANK, PlanningRequest(goal=["loan"], cannot_ask=["email"]))
    assert goal == PlanGoal(facts=("loan_result",))
    assert len(situation.pruned) == 1
    assert "email" not in {operator.subject for operator in task.operators if operator.kind is StepKind.ASK}


@pytest.mark.row("P21")
def test_a_request_may_say_what_to_minimise_and_what_may_be_spent() -> None:
    catalog = declare(
        declare_fact("report", askable=False),
        declare_skill("archive", {"only": ([], {"found": ["report"]})}, money=2.3, time_s=2.5, quality=0.5),
        declare_skill("papers", {"only": ([], {"found": ["report"]})}, cost=4, money=0.5),
    )
    lines = [
        '{"goal": ["report"]}',
        '{"goal": ["report"], "minimize": "money"}',
        '{"goal": ["report"], "budget": 1}',
        '{"goal": ["report"], "budget": 0.1}',
        '{"goal": ["report"], "minimize": "luck"}',
        '{"goal": ["report"], "budget": -1}',
    ]
    answers = list(plan_requests(catalog, lines, ENGINES["native"]))
    assert [[step["name"] for step in answer.get("steps", [])] for answer in answers] == [  # type: ignore[union-attr, index, call-overload]
        ["archive"],
        ["papers"],
        ["papers"],
        [],
        [],
        [],
    ]
    assert answers[0]["amounts"] == {"cost": 1.0, "money": 2.3, "time_s": 2.5, "quality": 0.5}
    assert (answers[1]["cost"], answers[3]["amounts"]) == (4.0, None)
    assert answers[3]["missing"]["over_budget"] == 0.5  # type: ignore[index, call-overload]
    assert "minimize" in str(answers[4]["error"])
    assert "budget" in str(answers[5]["error"])


@pytest.mark.row("P21")
def test_what_would_help_is_weighed_by_what_the_request_minimises() -> None:
    catalog = declare(
        declare_fact("report", askable=False),
        declare_skill("archive", {"only": (["topic"], {"found": ["report"]})}, cost=7, money=2.0),
        plain="topic",
    )
    request = {"goal": ["report"], "cannot_ask": ["topic"], "minimize": "money"}
    (answer,) = plan_requests(catalog, [json.dumps(request)], ENGINE)
    alone = result_json(plan_request(catalog, PlanningRequest.model_validate_json(json.dumps(request)), ENGINE))
    assert answer["missing"] == alone["missing"]
    assert answer["missing"]["sets"][0]["cost"] < 3  # type: ignore[index, call-overload, operator]
