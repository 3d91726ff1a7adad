"""Go-aheads before calls, and mappings that are only there on request: what they add to a task."""

from __future__ import annotations

import pytest

from catalog.model import Catalog, FactMapping, Goal
from explain.what import find_relevant
from language.responses.plans import say_amounts
from planning.diagnosis.diagnose import GapKind, diagnose
from planning.diagnosis.model import write_diagnosis
from planning.engines import ENGINES, Engine
from planning.model import (
    Amounts,
    Operator,
    Plan,
    Situation,
    Solved,
    StepKind,
    Task,
    call_name,
    confirmed,
    known,
    operator_name,
)
from planning.pddl import write_pddl
from planning.plans.solve import order_for_conversation, solve
from planning.requests import step_json
from planning.task.compilation import compile_operators, compile_task, want
from tests.planning.declare import asks, declare, declare_fact, declare_mapping, declare_ordering, declare_skill, titles

FEW = [engine for name, engine in ENGINES.items() if name in ("native", "pyperplan", "optimal")]
GO_AHEAD = operator_name(StepKind.CONFIRM, "writer", "now")
DESK = declare(
    declare_fact("iban", sensitive=True),
    declare_fact("invoice", askable=False),
    declare_fact("receipt", askable=False),
    declare_skill("writer", {"now": (["amount"], {"written": ["invoice"], "refused": []})}, confirm="Over {amount}?"),
    declare_skill("payer", {"now": (["invoice", "iban"], {"paid": ["receipt"]})}, confirm="Pay it?"),
    Goal(name="invoice", facts=("invoice",)),
    plain="amount",
)


def plan_for(task: Task, engine: Engine = FEW[0]) -> list[str]:
    result = solve(task, engine)
    assert isinstance(result, Solved), result
    return titles(Plan(result.plan.actions))


def pick(catalog: Catalog, name: str) -> Operator:
    return next(operator for operator in compile_operators(catalog) if operator.name == name)


@pytest.mark.parametrize("engine", FEW, ids=lambda engine: engine.name)
def test_a_go_ahead_comes_after_what_goes_in_and_before_the_call(engine: Engine) -> None:
    assert plan_for(compile_task(DESK, Situation(), ["invoice"]), engine) == [
        "ask amount",
        "confirm writer",
        "skill writer",
    ]


def test_a_go_ahead_knows_its_call_and_what_goes_in() -> None:
    operator = pick(DESK, GO_AHEAD)
    assert (operator.kind, operator.subject, operator.mode, operator.outcome) == (
        StepKind.CONFIRM, "writer", "now", None,
    )  # fmt: skip
    assert (operator.inputs, operator.outputs, operator.sensitive) == (("amount",), (), ())
    assert operator.needs == frozenset({known("amount")})
    assert operator.adds == frozenset({confirmed(call_name("writer", "now"))})
    assert step_json(operator)["mode"] == "now"
    assert (operator.cost, operator.amounts) == (1.0, Amounts(1.0, time_s=5.0))


def test_what_was_agreed_to_is_not_asked_again() -> None:
    situation = Situation(known=frozenset({"amount"}), confirmed=frozenset({call_name("writer", "now")}))
    assert plan_for(compile_task(DESK, situation, ["invoice"])) == ["skill writer"]


def test_one_question_serves_for_consent_and_go_ahead_and_each_call_has_its_own() -> None:
    task = compile_task(DESK, Situation(), ["receipt"])
    assert plan_for(task) == [
        "ask amount",
        "confirm writer",
        "skill writer",
        "authorize payer",
        "ask iban",
        "skill payer",
    ]


def test_what_is_read_back_in_the_one_question_is_asked_for_before_it() -> None:
    catalog = declare(
        declare_fact("iban", sensitive=True),
        declare_fact("amount"),
        declare_fact("receipt", askable=False),
        declare_skill("payer", {"now": (["iban", "amount"], {"paid": ["receipt"]})}, confirm="Pay {amount}?"),
    )
    task = compile_task(catalog, Situation(), ["receipt"])
    assert plan_for(task) == ["ask amount", "authorize payer", "ask iban", "skill payer"]


def test_what_has_to_come_first_comes_before_the_go_ahead() -> None:
    catalog = declare(
        declare_fact("invoice", askable=False),
        declare_skill("doorman", {"now": (["name"], {"let_in": []})}),
        declare_skill("writer", {"now": (["amount"], {"written": ["invoice"]})}, confirm="Over {amount}?"),
        declare_ordering("doorman", "writer"),
        plain="name amount",
    )
    steps = plan_for(compile_task(catalog, Situation(), ["invoice"]))
    assert steps.index("skill doorman") < steps.index("confirm writer") < steps.index("skill writer")


def test_what_was_declined_is_no_step_and_what_would_help_is_to_agree() -> None:
    situation = Situation(pruned=frozenset({GO_AHEAD}))
    diagnosis = diagnose(DESK, situation, ["invoice"])
    assert [(gap.kind, gap.subject, gap.facts) for gap in diagnosis.gaps] == [(GapKind.GO_AHEAD, "writer", ())]
    written = write_diagnosis(diagnosis)
    assert written["sets"][0]["go_aheads"] == ["writer"]  # type: ignore[index,call-overload]


def test_tries_that_are_used_up_close_the_call_alone() -> None:
    situation = Situation(cannot_establish=frozenset({("writer", "now", "invoice")}))
    left = {operator.name for operator in compile_task(DESK, situation, ["invoice"]).operators}
    assert GO_AHEAD in left
    assert operator_name(StepKind.SKILL, "writer", "now", "written") not in left
    assert operator_name(StepKind.SKILL, "writer", "now", "refused") in left


def test_go_aheads_are_written_as_pddl_and_counted() -> None:
    task = compile_task(DESK, Situation(), ["invoice"])
    symbols = write_pddl(task).symbols.values()
    assert any(symbol.startswith("confirmed writer") for symbol in symbols)
    result = solve(task, FEW[0])
    assert isinstance(result, Solved)
    assert say_amounts(DESK, (step.kind for step in result.plan.steps), result.plan.amounts) == (
        "1 question, 1 confirmation, 1 call"
    )
    assert order_for_conversation(task, result.plan) == result.plan


# --- mappings on request

TALK = declare(
    declare_fact("report", askable=False),
    declare_fact("ticket", askable=False),
    declare_fact("attached", askable=False, is_a="topic"),
    declare_skill("reporter", {"now": (["day"], {"made": ["report"]})}),
    declare_skill("desk", {"now": (["topic"], {"opened": ["ticket"]})}),
    declare_mapping("day", "report").model_copy(update={"on_request": True}),
    FactMapping(fact="report", stands_for="attached", on_request=True),
    Goal(name="talk", facts=("ticket",)),
    plain="day topic",
)
REQUESTED = frozenset({("report", "attached")})


@pytest.mark.parametrize("engine", FEW, ids=lambda engine: engine.name)
def test_what_is_mapped_on_request_is_mapped_without_one_neither_by_chance_nor_for_want_of_another_way(
    engine: Engine,
) -> None:
    there = Situation(known=frozenset({"report"}))
    assert plan_for(compile_task(TALK, there, ["ticket"]), engine) == ["ask topic", "skill desk"]
    result = solve(compile_task(TALK, Situation(there.known, pruned=asks(TALK, "topic")), ["ticket"]), engine)
    assert not isinstance(result, Solved)


@pytest.mark.parametrize("engine", FEW, ids=lambda engine: engine.name)
def test_what_somebody_refers_to_is_taken_and_not_asked_for(engine: Engine) -> None:
    there = Situation(known=frozenset({"report"}), requested=REQUESTED)
    assert plan_for(compile_task(TALK, there, ["ticket"]), engine) == ["map attached", "skill desk"]


def test_where_it_does_not_fit_it_is_asked_for_after_all() -> None:
    unfit = operator_name(StepKind.MAP, "attached", "report")
    there = Situation(known=frozenset({"report"}), requested=REQUESTED, pruned=frozenset({unfit}))
    assert plan_for(compile_task(TALK, there, ["ticket"])) == ["ask topic", "skill desk"]


def test_what_is_mapped_on_request_bears_on_a_goal_only_with_one() -> None:
    wanted = want(TALK.goals["talk"])
    assert find_relevant(TALK, wanted) == {"ticket", "topic", "attached"}
    assert find_relevant(TALK, wanted, REQUESTED) == {"ticket", "topic", "attached", "report", "day"}
