"""Mappings, orderings, alternatives, and skills as goals: what they add to a task, and what plans look like."""

from __future__ import annotations

import pytest

from catalog.model import Goal
from planning.engines import ENGINES, Engine
from planning.model import Plan, PlanGoal, Situation, Solved, StepKind, Task, Unsolvable, achieved, done
from planning.plans.solve import solve
from planning.requests import PlanningRequest, compile_request, plan_request, result_json
from planning.task.compilation import compile_task, want
from tests.planning.declare import (
    declare,
    declare_fact,
    declare_mapping,
    declare_ordering,
    declare_skill,
    titles,
)

FEW = [engine for name, engine in ENGINES.items() if name in ("native", "pyperplan")]


def plan_for(task: Task, engine: Engine = FEW[0]) -> list[str]:
    """Solve a task, and write the plan as words."""
    result = solve(task, engine)
    assert isinstance(result, Solved), result
    return titles(Plan(result.plan.actions))


# --- mappings

MAIL = declare(
    declare_fact("contact_mail", askable=False),
    declare_fact("receipt", askable=False),
    declare_skill("mailer", {"send": (["contact_mail"], {"sent": ["receipt"]})}),
    declare_mapping("email", "contact_mail", "both are where letters go"),
    plain="email",
)


@pytest.mark.row("V13")
@pytest.mark.parametrize("engine", FEW, ids=lambda engine: engine.name)
def test_a_fact_that_stands_for_another_is_taken_for_it_in_a_step_of_its_own(engine: Engine) -> None:
    task = compile_task(MAIL, Situation(), ["receipt"])
    assert plan_for(task, engine) == ["ask email", "map contact_mail", "skill mailer"]


def test_a_mapping_has_a_name_of_its_own_and_can_be_ruled_out() -> None:
    catalog = declare(
        declare_fact("mail", askable=False),
        declare_mapping("email", "mail"),
        declare_mapping("address", "mail"),
        plain="email address",
    )
    names = [o.name for o in compile_task(catalog, Situation(), ["mail"]).operators if o.kind is StepKind.MAP]
    assert len(set(names)) == 2
    left = compile_task(catalog, Situation(pruned=frozenset(names[:1])), ["mail"])
    assert plan_for(left) == ["ask address", "map mail"]


def test_what_stands_for_a_fact_stands_for_what_that_fact_can_stand_for() -> None:
    catalog = declare(
        declare_fact("contact", askable=False),
        declare_fact("mail", is_a="contact", askable=False),
        declare_mapping("email", "mail"),
        plain="email",
    )
    assert plan_for(compile_task(catalog, Situation(), ["contact"])) == ["ask email", "map mail"]


def test_mappings_that_go_in_a_circle_do_no_harm() -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_mapping("a", "b"),
        declare_mapping("b", "a"),
    )
    assert isinstance(solve(compile_task(catalog, Situation(), ["a"]), FEW[0]), Unsolvable)
    assert plan_for(compile_task(catalog, Situation(known=frozenset({"a"})), ["b"])) == ["map b"]


@pytest.mark.row("V6")
def test_consent_comes_before_the_question_whose_answer_goes_to_the_skill_under_another_name() -> None:
    catalog = declare(
        declare_fact("ssn", sensitive=True),
        declare_fact("number", sensitive=True, askable=False),
        declare_fact("file", askable=False),
        declare_skill("registry", {"look": (["number"], {"found": ["file"]})}),
        declare_mapping("ssn", "number"),
    )
    task = compile_task(catalog, Situation(), ["file"])
    assert plan_for(task) == ["authorize registry", "ask ssn", "map number", "skill registry"]


# --- orderings

PRIVATE = declare(
    declare_fact("ssn", sensitive=True),
    declare_fact("score", askable=False),
    declare_fact("pet", askable=False),
    declare_skill("identify", {"by_email": (["email"], {"is_them": [], "is_not": []})}),
    declare_skill("bureau", {"by_ssn": (["ssn"], {"score": ["score"]})}),
    declare_skill("shelter", {"by_email": (["email"], {"pet": ["pet"]})}),
    declare_ordering("identify", "anything_sensitive", "we must know who we talk to"),
    plain="email",
)


def test_the_skill_that_comes_first_is_carried_out_before_anything_sensitive_is_asked_agreed_to_or_passed_on() -> None:
    task = compile_task(PRIVATE, Situation(), ["score"])
    assert plan_for(task) == ["ask email", "skill identify", "authorize bureau", "ask ssn", "skill bureau"]
    assert plan_for(compile_task(PRIVATE, Situation(), ["pet"])) == ["ask email", "skill shelter"]


def test_what_was_carried_out_need_not_be_again() -> None:
    task = compile_task(PRIVATE, Situation(done=frozenset({"identify", "shelter"})), ["score"])
    assert done("identify") in task.initial
    assert done("shelter") not in task.initial, "nobody minds whether it was"
    assert plan_for(task) == ["authorize bureau", "ask ssn", "skill bureau"]


def test_what_the_first_skill_takes_itself_is_not_held_up_for_it() -> None:
    entries = (
        declare_fact("ssn", sensitive=True),
        declare_fact("salary", sensitive=True),
        declare_fact("score", askable=False),
        declare_skill("identify", {"by_ssn": (["ssn"], {"is_them": []})}),
        declare_skill("bureau", {"by_ssn": (["ssn", "salary"], {"score": ["score"]})}),
        declare_ordering("identify", "anything_sensitive"),
    )
    expected = [
        "authorize identify", "ask ssn", "skill identify", "authorize bureau", "ask salary", "skill bureau",
    ]  # fmt: skip
    assert plan_for(compile_task(declare(*entries), Situation(), ["score"])) == expected
    per_fact = declare(*entries, per_fact=True)
    steps = plan_for(compile_task(per_fact, Situation(), ["score"]))
    assert steps.index("authorize ssn") < steps.index("ask ssn") < steps.index("skill identify")
    assert steps.index("skill identify") < steps.index("authorize salary") < steps.index("ask salary")


def test_one_skill_waits_for_another_however_many_orderings_there_are() -> None:
    catalog = declare(
        declare_skill("wash", {"now": ([], {"clean": []})}),
        declare_skill("dry", {"now": ([], {"dry": []})}),
        declare_skill("wear", {"now": ([], {"worn": ["worn"]})}),
        declare_ordering("wash", "dry"),
        declare_ordering("dry", "wear"),
        declare_ordering("wash", "wear"),
        plain="worn",
    )
    task = compile_task(catalog, Situation(pruned=frozenset({"ask␟worn"})), ["worn"])
    assert plan_for(task) == ["skill wash", "skill dry", "skill wear"]


def test_an_outcome_that_does_not_succeed_does_not_count_as_carried_out() -> None:
    task = compile_task(PRIVATE, Situation(), ["score"])
    adds = {o.outcome: o.adds for o in task.operators if o.subject == "identify"}
    assert adds == {"is_them": frozenset({done("identify")}), "is_not": frozenset({done("identify")})}
    judged = PRIVATE.model_dump()
    judged["skills"]["identify"]["modes"]["by_email"]["outcomes"]["is_not"]["succeeds"] = False
    task = compile_task(type(PRIVATE).model_validate(judged), Situation(), ["score"])
    adds = {o.outcome: o.adds for o in task.operators if o.subject == "identify"}
    assert adds == {"is_them": frozenset({done("identify")}), "is_not": frozenset()}


SHOP = {
    "tease": declare_skill("tease", {"now": (["name"], {"told": ["joke"]})}),
    "weigh": declare_skill("weigh", {"now": (["parcel"], {"weight": ["weight"]})}),
}


def shop(*orderings: tuple[str, str]):  # type: ignore[no-untyped-def]
    return declare(
        *SHOP.values(),
        *(declare_ordering(first, then, preferred=True) for first, then in orderings),
        declare_fact("joke", askable=False),
        declare_fact("weight", askable=False),
        declare_fact("secret", sensitive=True),
        plain="parcel name",
    )


def test_what_is_preferred_to_come_first_does_where_a_plan_has_both() -> None:
    plain = compile_task(shop(), Situation(), ["joke", "weight"])
    assert plan_for(plain) == ["ask parcel", "skill weigh", "ask name", "skill tease"]
    polite = compile_task(shop(("tease", "weigh")), Situation(), ["joke", "weight"])
    assert plan_for(polite) == ["ask parcel", "ask name", "skill tease", "skill weigh"]


def test_a_preference_never_adds_a_step() -> None:
    task = compile_task(shop(("tease", "weigh")), Situation(), ["weight"])
    assert plan_for(task) == ["ask parcel", "skill weigh"]


def test_a_preference_for_anything_sensitive_is_one_for_questions_too() -> None:
    task = compile_task(shop(("tease", "anything_sensitive")), Situation(), ["secret", "joke"])
    assert plan_for(task) == ["ask name", "skill tease", "ask secret"]


def test_preferences_that_go_in_a_circle_are_ignored() -> None:
    task = compile_task(shop(("tease", "weigh"), ("weigh", "tease")), Situation(), ["joke", "weight"])
    first = plan_for(task)
    assert sorted(first) == sorted(plan_for(compile_task(shop(), Situation(), ["joke", "weight"])))
    assert plan_for(task) == first


def test_a_preference_gives_way_to_what_is_needed() -> None:
    catalog = declare(
        declare_skill("cook", {"now": ([], {"meal": ["meal"]})}),
        declare_skill("praise", {"now": (["meal"], {"praise": ["praise"]})}),
        declare_ordering("praise", "cook", preferred=True),
        declare_fact("meal", askable=False),
        declare_fact("praise", askable=False),
    )
    assert plan_for(compile_task(catalog, Situation(), ["praise"])) == ["skill cook", "skill praise"]


# --- goals

TRIP = declare(
    declare_fact("flight", askable=False),
    declare_fact("train", askable=False),
    declare_fact("seat", askable=False),
    declare_skill("airline", {"book": (["city"], {"booked": ["flight"]})}, cost=9),
    declare_skill("railway", {"book": (["city"], {"booked": ["train"], "full": []})}),
    declare_skill("seats", {"reserve": (["train"], {"reserved": ["seat"]})}),
    declare_skill("greeter", {"greet": ([], {"greeted": []})}),
    Goal(name="trip", skills=("greeter",), either=(("train", "seat"), ("flight",))),
    plain="city",
)


@pytest.mark.row("V13")
@pytest.mark.parametrize("engine", FEW, ids=lambda engine: engine.name)
def test_a_goal_is_reached_by_one_of_its_alternatives_and_by_all_of_its_skills(engine: Engine) -> None:
    task = compile_task(TRIP, Situation(), want(TRIP.goals["trip"]))
    assert task.goal == {done("greeter"), achieved("trip")}
    steps = plan_for(task, engine)
    assert "skill greeter" in steps
    assert ("skill airline" in steps) != ("skill seats" in steps)


def test_choosing_an_alternative_is_no_action() -> None:
    result = solve(compile_task(TRIP, Situation(), want(TRIP.goals["trip"])), FEW[0])
    assert isinstance(result, Solved)
    assert [step.kind for step in result.plan.steps].count(StepKind.CHOOSE) == 1
    assert all(step.kind is not StepKind.CHOOSE for step in result.plan.actions)


def test_the_other_alternative_is_planned_for_where_the_first_is_out_of_reach() -> None:
    situation = Situation(cannot_establish=frozenset({("railway", "book", "train")}))
    steps = plan_for(compile_task(TRIP, situation, want(TRIP.goals["trip"])))
    assert steps == ["skill greeter", "ask city", "skill airline"]


def test_a_request_for_such_a_goal_is_answered_with_actions_alone() -> None:
    answer = plan_request(TRIP, PlanningRequest(goal=["trip", "train"]), FEW[0])
    steps = result_json(answer)["steps"]
    assert isinstance(steps, list)
    assert {step["kind"] for step in steps} <= {"ask", "skill"}  # type: ignore[index, call-overload]
    _, _, wanted = compile_request(TRIP, PlanningRequest(goal=["trip", "train", "trip"]))
    assert wanted == PlanGoal(("train",), ("greeter",), ("trip",))


def test_an_alternative_that_is_known_already_leaves_nothing_to_do() -> None:
    task = compile_task(
        TRIP, Situation(known=frozenset({"flight"}), done=frozenset({"greeter"})), want(TRIP.goals["trip"])
    )
    assert plan_for(task) == []
