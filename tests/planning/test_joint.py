from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyperplan import grounding
from pyperplan.heuristics.relaxation import hFFHeuristic
from pyperplan.pddl.parser import Parser
from pyperplan.search.a_star import greedy_best_first_search

from catalog.analysis.dependencies import find_result
from catalog.model import Catalog, Goal, Scope
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.joint import (
    ArgumentSource,
    JointPlan,
    JointRequest,
    RequestsRefused,
    compile_joint,
    list_arguments,
    plan_joint,
    write_plan,
    write_task,
)
from planning.joint.model import JointTask
from planning.model import GaveUp, Limits, Situation, StepKind
from planning.pddl import Pddl
from planning.plans.solve import validate
from planning.task.errors import BadRequest
from planning.task.index import is_solvable
from tests.examples import measured
from tests.office import OFFICE
from tests.planning.declare import declare, declare_fact, declare_mapping, declare_ordering, declare_skill
from tests.planning.hostile import HOSTILE
from tests.strategies import catalogs, some_of

ENGINE = ENGINES[DEFAULT_ENGINE]
FAST_DOWNWARD = ENGINES["fast-downward"]
QUARTER = {"start_date": "2024-07-01", "end_date": "2024-09-30"}


def plan(*requests: JointRequest, catalog: Catalog = OFFICE, **situation: object) -> JointPlan:
    planned = plan_joint(catalog, requests, ENGINE, situation=Situation(**situation))  # type: ignore[arg-type]
    assert isinstance(planned, JointPlan), planned
    validate(planned.joint.task, planned.plan)
    return planned


def steps(*requests: JointRequest, catalog: Catalog = OFFICE, **situation: object) -> list[str]:
    """Write a plan, without the numbers of its steps, which must be in order."""
    lines = write_plan(plan(*requests, catalog=catalog, **situation)).splitlines()
    assert [line.partition(". ")[0] for line in lines] == [f"Step {number}" for number in range(1, len(lines) + 1)]
    return [line.partition(". ")[2] for line in lines]


@pytest.mark.row("P1", "P6")
def test_a_complete_request_is_its_values_and_its_call() -> None:
    request = JointRequest("expense_spend_report", {"start_date": "2023-01-01", "end_date": "2023-03-31"})
    assert write_plan(plan(request)) == (
        'Step 1. x_start_date = "2023-01-01";\n'
        'Step 2. x_end_date = "2023-03-31";\n'
        "Step 3. x = expense_spend_api(x_start_date, x_end_date);"
    )


@pytest.mark.row("P2", "P6", "P10")
def test_what_one_request_comes_to_is_the_topic_of_the_next() -> None:
    talk = JointRequest("contact_us", {"contact_channel": "phone"}, {"contact_topic": (0,)})
    assert steps(JointRequest("profit_loss_report", QUARTER), talk) == [
        'x_start_date = "2024-07-01";',
        'x_end_date = "2024-09-30";',
        'y_contact_channel = "phone";',
        "x = profit_loss_api(x_start_date, x_end_date);",
        "y = contact_us_api(x, y_contact_channel);",
    ]


@pytest.mark.row("P3", "P6")
def test_what_is_missing_is_asked_in_the_order_in_which_the_skill_takes_it() -> None:
    assert steps(JointRequest("profit_loss_report")) == [
        'x_start_date = get_info_api("start date", date);',
        'x_end_date = get_info_api("end date", date);',
        "x = profit_loss_api(x_start_date, x_end_date);",
    ]


@pytest.mark.row("P4", "P6")
def test_who_wants_to_chat_is_asked_about_what() -> None:
    assert steps(JointRequest("contact_us", {"contact_channel": "chat"})) == [
        'x_contact_channel = "chat";',
        'x_contact_topic = get_info_api("contact topic", text);',
        "x = contact_us_api(x_contact_topic, x_contact_channel);",
    ]


@pytest.mark.row("P11")
def test_advice_is_called_and_never_asked_for() -> None:
    assert steps(JointRequest("financial_advice")) == ["x = advice_api();"]


@pytest.mark.row("P12")
def test_of_a_partial_update_only_the_rest_is_asked() -> None:
    given = {"customer_name": "Ann", "customer_email": "ann@example.org"}
    asked = [step for step in steps(JointRequest("update_customer", given)) if "get_info_api" in step]
    assert asked == ['x_customer_phone = get_info_api("customer phone", phone);']


@pytest.mark.row("P14")
def test_three_requests_are_chained_and_each_keeps_its_own_values() -> None:
    year = {"start_date": "2023-01-01"}
    requests = (
        JointRequest("profit_loss_report", QUARTER),
        JointRequest("expense_spend_report", year),
        JointRequest("contact_us", {}, {"contact_topic": (0, 1)}),
    )
    assert steps(*requests) == [
        'x_start_date = "2024-07-01";',
        'x_end_date = "2024-09-30";',
        'y_start_date = "2023-01-01";',
        "x = profit_loss_api(x_start_date, x_end_date);",
        'y_end_date = get_info_api("end date", date);',
        "y = expense_spend_api(y_start_date, y_end_date);",
        'z_contact_channel = get_info_api("contact channel", choice);',
        "z = contact_us_api([x, y], z_contact_channel);",
    ]


def test_requests_for_the_same_goal_are_two_calls_and_two_go_aheads() -> None:
    twice = (JointRequest("create_invoice", {"invoice_amount": amount, "invoice_detail": "yoga"}) for amount in "12")
    written = steps(*twice, JointRequest("create_invoice"), JointRequest("contact_us", {}, {"contact_topic": (2,)}))
    assert written[4:8] == [
        'get_go_ahead_api("create invoice api");',
        "x = create_invoice_api(x_invoice_amount, x_invoice_detail);",
        'get_go_ahead_api("create invoice api");',
        "y = create_invoice_api(y_invoice_amount, y_invoice_detail);",
    ]
    assert written[-1] == "x3 = contact_us_api(z, x3_contact_channel);"


@pytest.mark.row("P13")
def test_a_request_for_what_nobody_serves_is_refused_with_what_there_is() -> None:
    refused = plan_joint(OFFICE, [JointRequest("book_flight")], ENGINE)
    assert isinstance(refused, RequestsRefused)
    assert refused.reason.startswith("No goal is called “book_flight”. The catalog has")


@pytest.mark.row("P13")
def test_a_request_that_cannot_be_served_is_refused_with_what_is_missing() -> None:
    catalog = declare(
        declare_fact("signature", fillable=False),
        declare_fact("deed", fillable=False),
        declare_skill("register", {"now": (["signature"], {"registered": ["deed"]})}),
        Goal(name="registration", facts=("deed",)),
        Goal(name="hello", facts=("greeting",)),
        plain="greeting",
    )
    refused = plan_joint(catalog, [JointRequest("hello"), JointRequest("registration")], ENGINE)
    assert isinstance(refused, RequestsRefused)
    assert refused.reason == "There is no way to “registration” with what this catalog has."
    assert list(refused.missing) == [1]
    assert refused.missing[1].functionality


def test_people_are_asked_for_what_they_want_to_know_where_no_skill_can_find_it_out() -> None:
    catalog = declare(
        declare_fact("a"),
        declare_fact("lost", askable=False),
        declare_skill("finder", {"now": (["lost"], {"done": ["a"]})}),
        Goal(name="a", facts=("a",)),
    )
    planned = plan_joint(catalog, [JointRequest("a")], ENGINE)
    assert isinstance(planned, JointPlan)
    assert [(step.kind, step.subject) for step in planned.plan.steps] == [(StepKind.ASK, "a")]


def test_a_budget_holds_for_each_request() -> None:
    catalog = declare(
        declare_fact("a", fillable=False),
        declare_fact("b", fillable=False),
        declare_skill("make_a", {"now": ([], {"done": ["a"]})}, money=3, cost=5),
        declare_skill("make_b", {"now": ([], {"done": ["b"]})}, money=3, cost=5),
        declare_skill("make_both", {"now": ([], {"done": ["a", "b"]})}, money=6),
        Goal(name="a", facts=("a",)),
        Goal(name="b", facts=("b",)),
        budget=5,
    )
    requests = [JointRequest("a"), JointRequest("b")]
    planned = plan_joint(catalog, requests, ENGINE)
    assert isinstance(planned, JointPlan)
    assert [step.subject for step in planned.plan.steps] == ["make_a", "make_b"], "one call for both is too dear for a"
    refused = plan_joint(catalog, requests, ENGINE, situation=Situation(budget=2))
    assert isinstance(refused, RequestsRefused)
    assert [diagnosis.over_budget for diagnosis in refused.missing.values()] == [3, 3]


def test_what_one_request_cannot_afford_is_not_paid_by_another() -> None:
    catalog = declare(
        declare_fact("a", fillable=False),
        declare_fact("b", fillable=False),
        declare_skill("make_a", {"now": ([], {"done": ["a"]})}, money=3, cost=9),
        declare_skill("make_both", {"now": ([], {"done": ["a", "b"]})}, money=6),
        Goal(name="a", facts=("a",)),
        Goal(name="b", facts=("b",)),
        budget=5,
    )
    refused = plan_joint(catalog, [JointRequest("a"), JointRequest("b")], ENGINE)
    assert isinstance(refused, RequestsRefused)
    assert {place: diagnosis.over_budget for place, diagnosis in refused.missing.items()} == {1: 6}


def test_what_was_carried_out_for_all_is_written_as_such_in_the_task() -> None:
    """A skill may be carried out from what one request has for itself, or from what all share."""
    catalog = declare(
        declare_fact("wish", scope=Scope.GOAL),
        declare_fact("text", fillable=False),
        declare_skill("from_wish", {"now": (["wish"], {"done": ["text"]})}),
        declare_skill("as_ever", {"now": ([], {"done": ["text"]})}),
        declare_skill("print", {"now": (["text"], {"done": []})}),
        Goal(name="one", skills=("print",)),
        Goal(name="two", skills=("print", "as_ever")),
    )
    requests = [JointRequest("one"), JointRequest("two")]
    before, after = (
        write_task(compile_joint(catalog, requests, Situation(done=carried_out))).problem
        for carried_out in (frozenset[str](), frozenset({"print"}))
    )
    assert set(after.split("(:init")[1].split()) - set(before.split("(:init")[1].split())
    shown = plan(*requests, catalog=catalog, done=frozenset({"print"}))
    assert [step.subject for step in shown.plan.steps if step.kind is StepKind.SKILL] == ["as_ever"]


def test_a_search_that_gives_up_says_why() -> None:
    refused = plan_joint(OFFICE, [JointRequest("profit_loss_report")], ENGINE, Limits(time_s=0))
    assert isinstance(
        ENGINE.solve(compile_joint(OFFICE, [JointRequest("create_invoice")]).task, Limits(0), bool), GaveUp
    )
    assert isinstance(refused, RequestsRefused)
    assert refused.reason


@pytest.mark.parametrize(
    ("requests", "said"),
    [
        ([JointRequest("contact_us", {"topic": "tax"})], "No fact is called “topic”"),
        ([JointRequest("contact_us", {}, {"contact_topic": (0,)})], "refers to no request that was made before it"),
        ([JointRequest("contact_us", {}, {"contact_topic": ()})], "refers to no request that was made before it"),
        (
            [JointRequest("financial_advice"), JointRequest("contact_us", {}, {"contact_topic": (0,)})],
            "No result of “financial_advice” can be used as “contact_topic”",
        ),
    ],
)
def test_values_and_references_that_make_no_sense_are_refused(requests: list[JointRequest], said: str) -> None:
    refused = plan_joint(OFFICE, requests, ENGINE)
    assert isinstance(refused, RequestsRefused)
    assert said in refused.reason


def test_without_requests_there_is_nothing_to_do() -> None:
    assert write_plan(plan()) == ""
    assert "(:goal (and))" in write_task(compile_joint(OFFICE, [])).problem


@pytest.mark.row("P21")
def test_costs_choose_among_ways() -> None:
    def catalog(cost: int) -> Catalog:
        return declare(
            declare_fact("report", fillable=False),
            declare_skill("thorough", {"now": ([], {"done": ["report"]})}, cost=2),
            declare_skill("quick", {"now": ([], {"done": ["report"]})}, cost=cost),
            Goal(name="report", facts=("report",)),
        )

    assert steps(JointRequest("report"), catalog=catalog(1)) == ["x = quick();"]
    assert steps(JointRequest("report"), catalog=catalog(3)) == ["x = thorough();"]


BANK = declare(
    declare_fact("ssn", sensitive=True, scope="goal"),
    declare_fact("record", fillable=False, scope="goal"),
    declare_fact("score", fillable=False),
    declare_fact("summary", fillable=False),
    declare_fact("card", fillable=False),
    declare_fact("mobile", is_a="phone"),
    declare_fact("plan", fillable=False),
    declare_fact("alert", fillable=False),
    declare_skill("look_up", {"by_email": (["email"], {"found": ["name", "address"]})}),
    declare_skill("rate", {"by_ssn": (["ssn", "name"], {"rated": ["score", "summary"]})}),
    declare_skill("issue", {"now": (["mail", "address"], {"issued": ["card"]})}),
    declare_skill("call", {"now": (["phone"], {"called": ["plan"]})}),
    declare_skill("log", {"now": (["name"], {"logged": []})}),
    declare_mapping("email", "mail"),
    Goal(name="rating", facts=("score", "summary")),
    Goal(name="card", facts=("card",)),
    Goal(name="either", either=(("plan", "card"), ("score",))),
    Goal(name="log", skills=("log",)),
    Goal(name="plan", facts=("plan",)),
    declare_fact("phone"),
    declare_fact("name", fillable=False),
    declare_fact("address", fillable=False),
    declare_fact("mail", fillable=False),
    plain="email",
)


def test_what_holds_for_a_whole_conversation_is_asked_once_for_all_requests() -> None:
    written = steps(JointRequest("rating"), JointRequest("card"), catalog=BANK)
    assert [step for step in written if "get_info_api" in step] == [
        'x_ssn = get_info_api("ssn", text);',
        'x_email = get_info_api("email", text);',
    ]
    assert "x_name, y_address = look_up(x_email);" in written
    assert "x = rate(x_ssn, x_name);" in written
    assert "y_mail = x_email;" in written
    assert written[-1] == "y = issue(y_mail, y_address);"
    assert written.index('get_consent_api("rate");') < written.index('x_ssn = get_info_api("ssn", text);')


def test_consent_for_a_fact_is_given_once_for_all_requests() -> None:
    catalog = declare(
        declare_fact("ssn", sensitive=True, scope="goal"),
        declare_fact("score", fillable=False, scope="goal"),
        declare_skill("rate", {"now": (["ssn"], {"rated": ["score"]})}),
        Goal(name="rating", facts=("score",)),
        per_fact=True,
    )
    written = steps(JointRequest("rating"), JointRequest("rating"), catalog=catalog)
    assert written.count('get_consent_api("ssn");') == 1


def test_values_that_two_requests_have_differently_are_their_own() -> None:
    requests = [JointRequest("plan", {"mobile": number}) for number in ("+1", "+2")]
    assert steps(*requests, catalog=BANK) == [
        'x_mobile = "+1";',
        'y_mobile = "+2";',
        "x = call(x_mobile);",
        "y = call(y_mobile);",
    ]
    alike = [JointRequest("plan", {"mobile": "+1"}), JointRequest("plan")]
    assert steps(*alike, catalog=BANK) == ['x_mobile = "+1";', "x = call(x_mobile);"]


def test_what_is_known_already_is_neither_asked_nor_written() -> None:
    assert steps(JointRequest("card"), catalog=BANK, known=frozenset({"email"})) == [
        "x_name, x_address = look_up(x_email);",
        "x_mail = x_email;",
        "x = issue(x_mail, x_address);",
    ]
    own = Situation(known=frozenset({"start_date", "end_date"}))
    assert "get_info_api" in write_plan(plan(JointRequest("profit_loss_report"), known=own.known))


def test_goals_may_want_skills_and_have_alternatives() -> None:
    assert steps(JointRequest("log"), catalog=BANK, known=frozenset({"name"})) == ["x = log(x_name);"]
    written = steps(JointRequest("either"), catalog=BANK, known=frozenset({"name", "ssn"}))
    assert written[-1].endswith("rate(x_ssn, x_name);")
    own = declare(
        declare_fact("a", scope="goal"), declare_fact("b", scope="goal"), Goal(name="open", either=(("a",), ("b",)))
    )
    assert steps(JointRequest("open"), JointRequest("open"), catalog=own) == [
        'x_a = get_info_api("a", text);',
        'y_a = get_info_api("a", text);',
    ]


def test_who_wants_a_fact_is_asked_for_it_only_if_nothing_else_establishes_it() -> None:
    asked = declare(Goal(name="phone", facts=("phone",)), plain="phone")
    assert steps(JointRequest("phone"), catalog=asked) == ['x_phone = get_info_api("phone", text);']


def test_what_may_go_along_goes_along_if_it_was_given() -> None:
    optional = declare_skill("write", {"now": (["text"], {"written": ["letter"]})})
    mode = optional.modes["now"].model_copy(update={"optional": ("colour", "seal", "font")})
    catalog = declare(
        declare_fact("letter", fillable=False),
        declare_fact("colour", scope="goal"),
        declare_fact("seal", sensitive=True),
        declare_fact("font"),
        optional.model_copy(update={"modes": {"now": mode}}),
        Goal(name="letter", facts=("letter",)),
        plain="text",
    )
    request = JointRequest("letter", {"text": "Hi", "colour": "blue", "seal": "s3", "font": 'a"b\n;'})
    written = steps(request, catalog=catalog)
    assert written == [
        'x_text = "Hi";',
        'x_colour = "blue";',
        'x_font = "a\\"b\\n;";',
        "x = write(x_text, x_colour, x_font);",
    ]


def test_a_reference_is_the_only_way_to_its_argument() -> None:
    catalog = declare(
        declare_fact("report", fillable=False, scope="goal"),
        declare_fact("talk", fillable=False, scope="goal"),
        declare_fact("topic", scope="goal"),
        declare_fact("mood", scope="goal", fillable=False),
        declare_skill("draw", {"now": ([], {"drawn": ["report"]})}, cost=50),
        declare_skill("suggest", {"now": ([], {"suggested": ["topic", "mood"]})}),
        declare_skill("meet", {"now": (["topic", "mood"], {"met": ["talk"]})}),
        declare_mapping("report", "topic"),
        Goal(name="report", facts=("report",)),
        Goal(name="talk", facts=("talk",)),
    )
    requests = (JointRequest("report"), JointRequest("talk", {}, {"topic": (0,)}))
    written = steps(*requests, catalog=catalog)
    assert written[-1] == "y = meet(x, y_mood);"
    planned = plan(*requests, catalog=catalog)
    assert "draw()" in write_plan(planned)
    bases = [planned.joint.base_of(step) for step in planned.plan.actions]
    assert [base.subject for base in bases if base is not None and base.kind is StepKind.SKILL] == [
        "draw",
        "suggest",
        "meet",
    ]


def test_an_ordering_that_is_preferred_sorts_the_questions_of_each_request() -> None:
    catalog = declare(
        declare_fact("ssn", sensitive=True, scope="goal"),
        declare_fact("score", fillable=False, scope="goal"),
        declare_fact("terms", fillable=False),
        declare_skill("explain", {"now": (["name"], {"explained": ["terms"]})}),
        declare_skill("rate", {"now": (["ssn"], {"rated": ["score"]})}),
        declare_ordering("explain", "anything_sensitive", preferred=True),
        Goal(name="rating", facts=("score", "terms")),
        plain="name",
    )
    written = steps(JointRequest("rating"), catalog=catalog)
    assert written.index("x_terms = explain(x_name);") < written.index('x_ssn = get_info_api("ssn", text);')


# ── any requests over any catalogs ──


@st.composite
def joint_cases(draw: st.DrawFn) -> tuple[Catalog, list[JointRequest]]:
    catalog = draw(catalogs(6, 5))
    facts = {
        name: fact.model_copy(update={"scope": draw(st.sampled_from(Scope))}) for name, fact in catalog.facts.items()
    }
    goals = {name: Goal(name=name, facts=(name,)) for name in draw(some_of(tuple(facts), least=1))}
    catalog = catalog.model_copy(update={"facts": facts, "goals": {**catalog.goals, **goals}})
    requests: list[JointRequest] = []
    for place in range(draw(st.integers(1, 3))):
        goal = draw(st.sampled_from(list(catalog.goals)))
        values = {fact: draw(st.sampled_from(["a", "b"])) for fact in draw(some_of(tuple(facts), most=2))}
        fitting = {
            f"{fact} is {other}": (fact, (other,))
            for other in range(place)
            for fact in facts
            if fact not in values and find_result(catalog, requests[other].goal, fact) is not None
        }
        references = dict(fitting[one] for one in draw(some_of(tuple(fitting), most=1)))
        requests.append(JointRequest(goal, values, references))
    return catalog, requests


@pytest.mark.row("P15")
@measured()
@given(case=joint_cases())
def test_every_argument_of_a_joint_plan_traces_to_a_value_an_answer_a_reference_or_a_result(
    case: tuple[Catalog, list[JointRequest]],
) -> None:
    catalog, requests = case
    planned = plan_joint(catalog, requests, ENGINE)
    assert isinstance(planned, JointPlan) == is_solvable(compile_joint(catalog, requests).task)
    if isinstance(planned, RequestsRefused):
        assert planned.reason
        return
    validate(planned.joint.task, planned.plan)
    written = write_plan(planned)
    before = written.splitlines()
    for call, arguments in list_arguments(planned):
        assert len(arguments) >= len(call.inputs)
        for argument in arguments:
            assert argument.source is not ArgumentSource.KNOWN
            if argument.source is ArgumentSource.VALUE:
                assert argument.value in {value for request in requests for value in request.values.values()}
            if argument.source is ArgumentSource.REFERENCE:
                assert any(argument.fact in catalog.supertypes(fact) for one in requests for fact in one.references)
            if argument.source is ArgumentSource.ANSWER:
                assert any(f"{argument.written} = get_info_api(" in line for line in before)
    asked = {step.subject for step in planned.plan.steps if step.kind is StepKind.ASK}
    assert not asked & {subject for place in range(len(requests)) for subject in planned.joint.given(place)}


def solves_as_pddl(pddl: Pddl, folder: Path) -> bool:
    """Let pyperplan parse, ground and solve PDDL text."""
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(pddl.domain, encoding="ascii")
    problem.write_text(pddl.problem, encoding="ascii")
    parser = Parser(str(domain), str(problem))
    task = grounding.ground(parser.parse_problem(parser.parse_domain()))
    return greedy_best_first_search(task, hFFHeuristic(task)) is not None


@measured()
@given(case=joint_cases())
def test_the_task_in_the_papers_form_has_a_plan_where_the_joint_task_has(
    case: tuple[Catalog, list[JointRequest]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    joint = compile_joint(*case)
    solved = solves_as_pddl(write_task(joint, costs=False), tmp_path_factory.mktemp("pddl"))
    if is_solvable(joint.task):
        assert solved
    elif not any(request.references for request in case[1]):
        assert not solved


def hostile_joint() -> JointTask:
    names = [name for name in HOSTILE if "\n" not in name and "\u202e" not in name]
    chain = [declare_skill(f"{name}!", {name: ([before], {name: [name]})}) for before, name in pairwise(names)]
    catalog = declare(
        *(declare_fact(name, scope="goal", fillable=name == names[0]) for name in names),
        *chain,
        Goal(name=":goal", facts=(names[-1],)),
    )
    requests = [JointRequest(":goal", {names[0]: "(:init) ; \n"}), JointRequest(":goal"), JointRequest(":goal")]
    return compile_joint(catalog, requests)


@pytest.mark.parametrize("costs", [False, True], ids=["without costs", "with costs"])
def test_hostile_names_and_values_never_reach_pddl(costs: bool, tmp_path: Path) -> None:
    pddl = write_task(hostile_joint(), costs=costs)
    assert re.fullmatch(r"(; [\w ,.:-]*\n)*[a-z0-9_?:()=\s-]*", pddl.domain + pddl.problem)
    assert "init) ;" not in pddl.problem
    if not costs:
        assert solves_as_pddl(pddl, tmp_path)
    assert pddl.atoms["x_submit_action_evil"].subject == "x/submit) (:action evil"


@pytest.mark.skipif(not FAST_DOWNWARD.package.is_installed, reason="up-fast-downward is missing")
@pytest.mark.parametrize("costs", [False, True], ids=["without costs", "with costs"])
@pytest.mark.parametrize("which", ["office", "bank", "hostile"])
def test_fast_downward_solves_the_task_in_the_papers_form(which: str, costs: bool, tmp_path: Path) -> None:
    requests = {
        "office": [
            JointRequest("profit_loss_report", QUARTER),
            JointRequest("contact_us", {}, {"contact_topic": (0,)}),
        ],
        "bank": [JointRequest("rating"), JointRequest("either", {"email": "a"}), JointRequest("log")],
    }
    catalog = BANK if which == "bank" else OFFICE
    joint = hostile_joint() if which == "hostile" else compile_joint(catalog, requests[which])
    pddl = write_task(joint, costs=costs)
    (tmp_path / "domain.pddl").write_text(pddl.domain, encoding="ascii")
    (tmp_path / "problem.pddl").write_text(pddl.problem, encoding="ascii")
    driver = FAST_DOWNWARD.package.locate("fast-downward") / "downward" / "fast-downward.py"
    called = [sys.executable, str(driver), "--plan-file", "plan", "domain.pddl", "problem.pddl"]
    subprocess.run([*called, "--search", "astar(blind())"], cwd=tmp_path, check=True, capture_output=True)
    found = [line for line in (tmp_path / "plan").read_text(encoding="ascii").splitlines() if line.startswith("(")]
    if costs and which == "office":
        planned = plan_joint(catalog, requests[which], ENGINES["optimal"])
        assert isinstance(planned, JointPlan)
        assert len(found) == len(planned.plan.steps)
        assert "(profit_loss_api x x_start_date x_end_date x_profit_report)" in found


def test_what_was_agreed_to_before_holds_in_the_papers_form_too(tmp_path: Path) -> None:
    situation = Situation(
        authorized=frozenset({"rate", "call"}), pruned=frozenset({"authorize\N{SYMBOL FOR UNIT SEPARATOR}rate"})
    )
    pddl = write_task(compile_joint(BANK, [JointRequest("rating")], situation), costs=False)
    assert "    (authorized_rate)\n" in pddl.problem
    assert "authorized_call" not in pddl.problem
    assert solves_as_pddl(pddl, tmp_path)


def test_compiling_refuses_by_raising() -> None:
    with pytest.raises(BadRequest):
        compile_joint(OFFICE, [JointRequest("contact_us", {}, {"contact_topic": (3,)})])
