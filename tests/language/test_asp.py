"""From requests as they were understood, over facts and rules, to what is planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.analysis.dependencies import find_result
from catalog.load import load
from catalog.model import Catalog, Goal
from catalog.rules import RuleLimits
from language.constraints import Domain, Materialized, UnfitRules, materialize, prepare, write_facts
from language.interpretation import Coreference, Entity, Intent, Span
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.joint import ArgumentSource, JointPlan, JointRequest, list_arguments, plan_joint, write_plan
from tests.office import OFFICE, load_office
from tests.planning.declare import declare, declare_fact
from tests.strategies import catalogs, some_of

TODAY = date(2026, 11, 22)
HERE = Span(start=0, end=4, text="here")
THERE = Span(start=5, end=10, text="there")
DOMAIN = prepare(OFFICE)
ACCOUNTING = prepare(load("accounting").catalog)


def value(fact: str, said: JsonValue, span: Span = HERE) -> Entity:
    return Entity(fact=fact, value=said, span=span, rule="said")


def request(
    goal: str, *values: Entity, refers: Mapping[str, tuple[int, ...]] | None = None, missing: Sequence[str] = ()
) -> Intent:
    references = tuple(Coreference(fact=fact, to=to, span=THERE) for fact, to in (refers or {}).items())
    return Intent(goal=goal, span=HERE, confidence=1.0, values=values, references=references, missing=tuple(missing))


def period(start: str, end: str) -> tuple[Entity, Entity]:
    return value("start_date", start, THERE), value("end_date", end, THERE)


def see(*requests: Intent, domain: Domain = DOMAIN) -> Materialized:
    return materialize(domain, requests, TODAY)


def plan(seen: Materialized, domain: Domain = DOMAIN) -> str:
    """Plan for what was materialized, as a conversation would: not at all where a rule objects."""
    if seen.errors:
        return "; ".join(seen.errors)
    requests = [
        JointRequest(
            mention.goal,
            {one.fact: one.value for one in mention.values},
            {reference.fact: reference.to for reference in mention.references},
        )
        for mention in seen.requests
    ]
    planned = plan_joint(domain.catalog, requests, ENGINES[DEFAULT_ENGINE])
    return write_plan(planned) if isinstance(planned, JointPlan) else planned.reason


@pytest.mark.row("P1")
def test_a_report_over_a_quarter_becomes_facts_dates_and_a_plan() -> None:
    seen = see(request("expense_spend_report", *period("2023-01-01", "2023-03-31")))
    assert seen.facts == (
        "_goal(x,expense_spend_report).",
        '_report_period(x,("2023-01-01","2023-03-31")).',
    )
    assert seen.atoms == (
        "goal(x,expense_spend_report).",
        'start_date(x,"2023-01-01",date).',
        'end_date(x,"2023-03-31",date).',
    )
    assert plan(seen) == (
        'Step 1. x_start_date = "2023-01-01";\n'
        'Step 2. x_end_date = "2023-03-31";\n'
        "Step 3. x = expense_spend_api(x_start_date, x_end_date);"
    )


@pytest.mark.row("P2", "P10")
def test_a_call_about_a_report_comes_after_it_and_has_it_as_its_topic() -> None:
    seen = see(
        request("profit_loss_report", *period("2024-07-01", "2024-09-30")),
        request("contact_us", value("contact_channel", "phone"), refers={"contact_topic": (0,)}),
    )
    assert seen.facts[2:] == ("_goal(y,contact_us).", '_contact_channel(y,"phone").', "_contact_topic(y,x).")
    assert seen.atoms[3:] == (
        "goal(y,contact_us).",
        "contact_topic(y,x,profit_report).",
        'contact_channel(y,"phone",choice).',
    )
    assert plan(seen).splitlines()[-2:] == [
        "Step 4. x = profit_loss_api(x_start_date, x_end_date);",
        "Step 5. y = contact_us_api(x, y_contact_channel);",
    ]


@pytest.mark.row("P3")
def test_a_report_without_a_period_has_no_dates_and_they_are_asked_in_order() -> None:
    seen = see(request("profit_loss_report", missing=["start_date", "end_date"]))
    assert seen.facts == ("_goal(x,profit_loss_report).",)
    assert seen.requests[0].missing == ("start_date", "end_date")
    assert [line.partition("= ")[2] for line in plan(seen).splitlines()[:2]] == [
        'get_info_api("start date", date);',
        'get_info_api("end date", date);',
    ]


@pytest.mark.row("P4")
def test_a_chat_without_a_topic_is_asked_about_its_topic() -> None:
    seen = see(request("contact_us", value("contact_channel", "chat"), missing=["contact_topic"]))
    assert 'x_contact_topic = get_info_api("contact topic", text);' in plan(seen)
    assert 'x_contact_channel = "chat";' in plan(seen)


@pytest.mark.row("P5", "P7")
def test_an_end_before_its_start_is_an_error_and_nothing_is_planned() -> None:
    seen = see(request("expense_spend_report", *period("2024-07-01", "2024-01-31")))
    assert seen.errors == ("The end date is before the start date.",)
    assert seen.atoms[-1] == 'error("The end date is before the start date.").'
    assert plan(seen) == "The end date is before the start date."
    assert [one.value for one in seen.requests[0].values] == ["2024-07-01", "2024-01-31"]
    of_one = see(
        request("profit_loss_report", *period("2024-01-01", "2024-01-31")),
        request("expense_spend_report", *period("2023-07-01", "2023-07-31")),
    )
    assert not of_one.errors


@pytest.mark.row("P8")
def test_a_period_of_one_day_is_in_order() -> None:
    seen = see(request("expense_spend_report", *period("2024-07-01", "2024-07-01")))
    assert not seen.errors
    assert "expense_spend_api" in plan(seen)


@pytest.mark.row("P12")
def test_of_a_customer_who_is_half_described_the_rest_is_asked() -> None:
    seen = see(request("update_customer", value("customer_name", "Henry Davis"), missing=["customer_email"]))
    assert plan(seen).count("get_info_api") == 2
    assert 'x_customer_name = "Henry Davis";' in plan(seen)


@pytest.mark.row("P14")
def test_three_requests_are_chained_by_facts_about_three_variables() -> None:
    seen = see(
        request("profit_loss_report", *period("2024-01-01", "2024-12-31")),
        request("expense_spend_report", *period("2024-01-01", "2024-12-31")),
        request("contact_us", refers={"contact_topic": (0, 1)}, missing=["contact_channel"]),
    )
    assert {"_contact_topic(z,x).", "_contact_topic(z,y)."} <= set(seen.facts)
    assert seen.requests[2].references[0].to == (0, 1)
    assert plan(seen).splitlines()[-1].endswith("z = contact_us_api([x, y], z_contact_channel);")


@pytest.mark.row("P13")
def test_a_goal_that_the_catalog_does_not_have_leads_to_no_fact() -> None:
    unknown = request("book_flight", value("seat", "12A"))
    seen = see(unknown)
    assert (seen.facts, seen.atoms, seen.requests) == ((), (), (unknown,))
    assert plan(seen).startswith("No goal is called “book_flight”.")


def test_a_period_said_as_one_gives_its_days_and_one_that_is_open_only_one_of_them() -> None:
    whole = value("report_period", {"start": "2024-01-01", "end": "2024-01-31"}, THERE)
    seen = see(request("profit_loss_report", whole, missing=["end_date"]))
    assert seen.facts[1] == '_report_period(x,("2024-01-01","2024-01-31")).'
    assert [(one.fact, one.value, one.span, one.rule) for one in seen.requests[0].values] == [
        ("start_date", "2024-01-01", THERE, "said"),
        ("end_date", "2024-01-31", THERE, "said"),
    ]
    assert seen.requests[0].missing == ()
    opened = see(request("profit_loss_report", value("report_period", {"start": "2024-01-01"}), missing=["end_date"]))
    assert opened.facts[1] == '_report_period(x,("2024-01-01",open)).'
    assert [one.fact for one in opened.requests[0].values] == ["start_date"]
    assert opened.requests[0].missing == ("end_date",)


def test_a_day_that_was_said_by_itself_goes_before_that_of_a_period() -> None:
    whole = value("report_period", {"start": "2024-01-01", "end": "2024-01-31"})
    seen = see(request("profit_loss_report", whole, value("end_date", "2024-02-15")))
    assert {one.fact: one.value for one in seen.requests[0].values} == {
        "start_date": "2024-01-01",
        "end_date": "2024-02-15",
    }
    apart = (value("start_date", "2024-01-01", HERE), value("end_date", "2024-01-31", THERE))
    assert len(see(request("profit_loss_report", *apart)).facts) == 3


def test_words_become_the_option_and_figures_the_amount_that_they_stand_for() -> None:
    seen = see(
        request("contact_us", value("contact_channel", "phone call")),
        request("create_invoice", value("invoice_amount", "12")),
    )
    assert seen.requests[0].values == (value("contact_channel", "phone"),)
    assert seen.requests[1].values == (value("invoice_amount", "12.00"),)
    assert 'contact_channel(x,"phone",choice).' in seen.atoms


def test_what_is_no_value_of_the_kind_is_missing() -> None:
    seen = see(request("contact_us", value("contact_channel", "speak"), value("contact_topic", "tax")))
    assert [one.fact for one in seen.requests[0].values] == ["contact_topic"]
    assert seen.requests[0].missing == ("contact_channel",)


def test_a_reference_to_what_cannot_be_taken_for_the_argument_is_missing() -> None:
    advice = request("financial_advice")
    seen = see(advice, request("contact_us", refers={"contact_topic": (0,)}))
    assert seen.requests[1].references == ()
    assert seen.requests[1].missing == ("contact_topic",)
    later = see(request("contact_us", refers={"contact_topic": (0, 1, 7)}), request("create_invoice"))
    assert later.requests[0].missing == ("contact_topic",)
    some = see(advice, request("create_invoice"), request("contact_us", refers={"contact_topic": (0, 1)}))
    assert some.requests[2].references[0].to == (1,)


def own_rules(text: str) -> Domain:
    return prepare(load_office(rules=(text,)))


def test_the_rules_of_a_catalog_complete_requests_and_are_named() -> None:
    domain = own_rules('contact_channel(X, "phone", choice) :- goal(X, contact_us), not _contact_channel(X, _).')
    bare = request("contact_us", missing=["contact_topic", "contact_channel"])
    seen = see(bare, domain=domain)
    (derived,) = seen.requests[0].values
    assert (derived.fact, derived.value, derived.span) == ("contact_channel", "phone", HERE)
    assert derived.rule.startswith('contact_channel(X,"phone",choice) :- goal(X,contact_us)')
    assert seen.requests[0].missing == ("contact_topic",)
    assert derived.rule in {fired.rule for fired in seen.fired}
    chosen = see(request("contact_us", value("contact_channel", "chat")), domain=domain)
    assert chosen.requests[0].values == (value("contact_channel", "chat"),)


def test_a_value_that_is_taken_over_keeps_the_words_it_came_from() -> None:
    domain = own_rules(
        "start_date(Y, S, date) :- "
        "_report_period(X, (S, _)), goal(Y, expense_spend_report), X != Y, not _start_date(Y, _)."
    )
    seen = see(
        request("profit_loss_report", *period("2024-01-01", "2024-03-31")),
        request("expense_spend_report", value("end_date", "2024-02-01", HERE), missing=["start_date"]),
        domain=domain,
    )
    taken = {one.fact: one for one in seen.requests[1].values}["start_date"]
    assert taken.value == "2024-01-01"
    assert taken.rule.startswith("start_date(Y,S,date) :-")


@pytest.mark.row("P15")
def test_where_rules_lead_to_two_values_or_to_none_of_the_kind_it_stays_missing() -> None:
    two = own_rules(
        'contact_channel(X, "phone", choice) :- goal(X, contact_us). '
        'contact_channel(X, "chat", choice) :- goal(X, contact_us).'
    )
    assert see(request("contact_us", missing=["contact_channel"]), domain=two).requests[0].missing == (
        "contact_channel",
    )
    said = see(request("contact_us", value("contact_channel", "ring")), domain=two)
    assert said.requests[0].values == (value("contact_channel", "phone"),)
    none = own_rules(
        'contact_channel(X, "pigeon", choice) :- goal(X, contact_us). '
        "contact_topic(X, open, text) :- goal(X, contact_us)."
    )
    seen = see(request("contact_us", missing=["contact_channel", "contact_topic"]), domain=none)
    assert seen.requests[0].missing == ("contact_channel", "contact_topic")


def test_errors_come_once_each_and_any_term_can_be_one() -> None:
    domain = own_rules(
        'error("No.") :- goal(_, create_invoice). error(V) :- _contact_topic(_, V). odd(3) :- goal(_, _).'
    )
    seen = see(
        request("create_invoice"),
        request("create_invoice"),
        request("contact_us", value("contact_topic", 'a"b'), refers={"contact_topic": (0,)}),
        domain=domain,
    )
    assert seen.errors == ("x", "No.", 'a"b') or set(seen.errors) == {"x", "No.", 'a"b'}
    assert "odd(3)." in seen.atoms


def test_rules_that_are_not_right_are_refused_when_they_are_prepared() -> None:
    with pytest.raises(UnfitRules, match="Rules 1, line 1: Nothing is called nothing"):
        own_rules("error(1) :- nothing.")


def test_rules_that_come_to_too_much_stop_the_request() -> None:
    domain = own_rules("pair(X, Y) :- goal(X, _), goal(Y, _).")
    requests = [request("create_invoice") for _ in range(30)]
    seen = materialize(domain, requests, TODAY, RuleLimits(atoms=100))
    assert seen.errors == ("I could not check what you asked for. The rules come to more than 100 atoms.",)
    assert seen.requests == tuple(requests)
    assert len(materialize(domain, requests, TODAY).atoms) == 930


HOSTILE = [
    '"). error("owned',
    "a\nb. c",
    "x",
    "_goal(x, y).",
    '\\"',
    "%* x",
    "#include <x>.",
    "\0",
    "\ud800",
    "a" * 100_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_somebody_says_is_never_syntax(text: str) -> None:
    catalog = declare(
        declare_fact("note", value={"kind": "text", "max_length": 10_000}), Goal(name="note", facts=("note",))
    )
    domain = prepare(catalog)
    facts = write_facts(domain, [request("note", value("note", text))])
    assert [fact.name for fact in facts] == ["_goal", "_note"]
    seen = see(request("note", value("note", text)), domain=domain)
    assert not seen.errors
    fits = catalog.facts["note"].value.accepts(text)
    assert seen.requests[0].values == ((value("note", text),) if fits else ())
    assert seen.requests[0].missing == (() if fits else ("note",))


def test_names_of_any_script_are_rules_too() -> None:
    goal = Goal(name="Рахунок", facts=("名前",))
    domain = prepare(declare(declare_fact("submit) (:action", scope="goal"), declare_fact("名前"), goal))
    seen = see(request("Рахунок", value("submit) (:action", "1"), value("名前", "2")), domain=domain)
    assert seen.atoms == ("goal(x,goal_2).", 'submit_action(x,"1",text).', 'fact(x,"2",text).')
    assert [one.value for one in seen.requests[0].values] == ["1", "2"]


@st.composite
def random_requests(draw: st.DrawFn) -> tuple[Catalog, list[Intent]]:
    catalog = draw(catalogs(6, 4))
    facts = tuple(catalog.facts)
    goals = {name: Goal(name=name, facts=(name,)) for name in draw(some_of(facts, least=1))}
    catalog = catalog.model_copy(update={"goals": goals})
    requests: list[Intent] = []
    for place in range(draw(st.integers(0, 4))):
        said = draw(some_of(facts))
        texts = (
            st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).map(str.strip).filter(bool)
        )
        values = [value(fact, draw(texts)) for fact in said]
        fitting = {
            f"{fact} is {other}": (fact, (other,))
            for other in range(place)
            for fact in facts
            if fact not in said and find_result(catalog, requests[other].goal, fact) is not None
        }
        refers = dict(fitting[one] for one in draw(some_of(tuple(fitting), most=2)))
        missing = [fact for fact in facts if fact not in said and fact not in refers][:1]
        requests.append(request(draw(st.sampled_from(list(goals))), *values, refers=refers, missing=missing))
    return catalog, requests


@pytest.mark.row("P15")
@given(case=random_requests())
def test_requests_come_out_as_they_went_in_where_no_rule_objects(case: tuple[Catalog, list[Intent]]) -> None:
    catalog, requests = case
    domain = prepare(catalog)
    seen = see(*requests, domain=domain)
    assert not seen.errors
    assert list(seen.requests) == requests
    assert {fired.atom for fired in seen.fired} == set(seen.atoms)
    joint = [
        JointRequest(one.goal, {v.fact: v.value for v in one.values}, {r.fact: r.to for r in one.references})
        for one in seen.requests
    ]
    planned = plan_joint(catalog, joint, ENGINES[DEFAULT_ENGINE])
    if isinstance(planned, JointPlan):
        said = [one.value for mention in requests for one in mention.values]
        for _, arguments in list_arguments(planned):
            assert all(argument.value in said for argument in arguments if argument.source is ArgumentSource.VALUE)


# ── the demo catalog of the paper's nine APIs ──


@pytest.mark.row("P2", "P6", "P7", "P18")
def test_the_accounting_catalog_reads_as_in_the_paper() -> None:
    seen = see(
        request("profit_loss_report", *period("2024-07-01", "2024-09-30")),
        request("contact_us", value("contact_channel", "phone"), refers={"contact_topic": (0,)}),
        domain=ACCOUNTING,
    )
    assert plan(seen, ACCOUNTING) == (
        'Step 1. x_start_date = "2024-07-01";\n'
        'Step 2. x_end_date = "2024-09-30";\n'
        'Step 3. y_contact_channel = "phone";\n'
        "Step 4. x = profit_loss_api(x_start_date, x_end_date);\n"
        "Step 5. y = contact_us_api(x, y_contact_channel);"
    )
    wrong = see(request("expense_report", *period("2024-07-01", "2024-01-31")), domain=ACCOUNTING)
    assert wrong.errors == ("The end date is before the start date.",)


@pytest.mark.row("P11", "P18")
def test_every_goal_of_the_accounting_catalog_is_planned_for_and_advice_is_not_asked() -> None:
    for goal in ACCOUNTING.catalog.goals:
        written = plan(see(request(goal), domain=ACCOUNTING), ACCOUNTING)
        assert written.splitlines()[-1].partition(". ")[2].startswith("x = ")
    assert plan(see(request("financial_advice"), domain=ACCOUNTING), ACCOUNTING) == "Step 1. x = advice_api();"
