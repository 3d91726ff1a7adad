"""What did you do? (V16)"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explain import Question, QuestionKind, explain_in_words, summarize
from planning.history import Actor
from planning.model import StepKind, operator_name
from tests.explain.banking_story import BANK, Story, ask, read_catalog, step, tell_loan

CALLS = (
    ("lookup", {"email"}, {"name", "address"}, "by_email"),
    ("bureau", {"ssn", "name"}, {"credit_score"}, "only"),
    ("statements", {"name"}, {"transactions"}, "only"),
    ("draw", {"transactions"}, {"pie_chart"}, "only"),
    ("card_decision", {"name", "credit_score"}, {"card_result"}, "only"),
)
NO_ASKING = frozenset(operator_name(StepKind.ASK, fact) for fact in ("credit_score", "id_image"))


@pytest.mark.row("V16")
def test_a_summary_tells_what_was_gathered_from_whom_in_landmark_order() -> None:
    record = tell_loan().record("loan_result", pruned=NO_ASKING)
    assert ask(record, QuestionKind.WHAT).text() == (
        "To get your loan result, I gathered your loan amount, SSN and e-mail (you told me), your name and address "
        "(from the customer lookup) and your credit score (from the credit bureau). I got your loan result (declined) "
        "from the loan decision."
    )


@pytest.mark.row("V16")
def test_a_summary_takes_in_what_was_learned_on_the_way() -> None:
    at_first = summarize(tell_loan().record("loan_result"))
    learned = summarize(tell_loan().record("loan_result", pruned=NO_ASKING))
    assert "ssn" not in [item.fact for item in at_first], "the score might have been asked for"
    assert "ssn" in [item.fact for item in learned]


@pytest.mark.row("V16")
def test_a_summary_leaves_authorization_out() -> None:
    items = summarize(tell_loan().record("loan_result", pruned=NO_ASKING))
    assert {item.fact for item in items} <= set(BANK.facts)
    assert "authori" not in ask(tell_loan().record("loan_result", pruned=NO_ASKING), QuestionKind.WHAT).text()


@pytest.mark.row("V16")
def test_a_summary_says_what_is_still_to_get() -> None:
    story = Story().said("loan_amount", "12,000.00")
    text = ask(story.record("loan_result", achieved=False, pruned=NO_ASKING), QuestionKind.WHAT).text()
    assert text == (
        "For your loan result, I have gathered your loan amount (you told me). "
        "I still need your SSN, name, address and credit score. I also need either your e-mail or account number."
    )
    assert ask(Story().record("transactions", achieved=False), QuestionKind.WHAT).text() == (
        "For your transactions, I still need your name. "
        "I also need either your e-mail, account number or picture of an ID."
    )


@pytest.mark.row("V16")
def test_each_item_tells_whether_it_was_got_when_and_from_whom() -> None:
    items = {i.fact: i for i in summarize(tell_loan().record("loan_result", pruned=NO_ASKING))}
    name, result, ssn = items["name"], items["loan_result"], items["ssn"]
    assert (name.got, name.event, name.actor, name.skill, name.wanted) == (True, 9, Actor.SKILL, "lookup", False)
    assert (name.value and name.value.shown, name.secret, name.landmark) == ("Ann Smith", False, True)
    assert result.wanted
    assert list(items)[-1] == "loan_result"
    assert ssn.secret


@pytest.mark.row("V16")
def test_a_summary_says_of_which_facts_one_is_still_needed() -> None:
    for story, text in (
        (Story(), "For your name, I still need either your e-mail or account number."),
        (Story().said("income", "2,000"), "For your name, I still need either your e-mail or account number."),
        (Story().said("email", "a@b.org"), "For your name, I have gathered your e-mail (you told me)."),
    ):
        told = ask(story.record("name", achieved=False, pruned=NO_ASKING), QuestionKind.WHAT).text()
        assert told.startswith(text)
        assert ("either" in told) == ("either" in text)


def test_what_is_gathered_already_is_told_before_what_one_of_two_facts_is_needed_for() -> None:
    story = Story().said("ssn", "123-45-6789")
    text = ask(story.record("credit_score", "name", achieved=False, pruned=NO_ASKING), QuestionKind.WHAT).text()
    assert text == (
        "For your credit score and name, I have gathered your SSN (you told me). "
        "I still need either your e-mail or account number."
    )


@pytest.mark.row("V16")
def test_few_landmarks_are_filled_out_with_the_executed_facts_that_the_goal_rests_on() -> None:
    story = Story().said("email", "a@b.org").ran("lookup", "email", mode="by_email", name="Ann", address="1 Mill Lane")
    story.said("account_number", "12").ran("statements", "name", transactions="40 rows")
    record = story.ran("draw", "transactions", pie_chart="chart").record("pie_chart")
    items = summarize(record)
    assert [(item.fact, item.landmark) for item in items] == [
        ("email", False),
        ("name", True),
        ("transactions", True),
        ("pie_chart", True),
    ]


@pytest.mark.row("V16", "V4")
def test_a_supertype_and_what_stood_in_for_it_are_one_item() -> None:
    story = Story().said("email", "a@b.org").ran("lookup", "email", mode="by_email", name="Ann", address="1 Mill Lane")
    story.ran("statements", "name", transactions="40 rows").ran("draw", "transactions", pie_chart="chart")
    items = summarize(story.record("plot"))
    assert [item.fact for item in items if item.wanted] == ["pie_chart"]
    assert "I got your pie chart from the drawing board." in ask(story.record("plot"), QuestionKind.WHAT).text()


def test_a_goal_and_its_supertype_that_are_both_still_open_are_one_item() -> None:
    items = summarize(Story().record("plot", "pie_chart", achieved=False))
    assert [item.fact for item in items if item.wanted] == ["pie_chart"]


@pytest.mark.row("V16")
def test_an_unsolvable_goal_lists_every_executed_fact_that_could_have_helped() -> None:
    story = Story().said("email", "a@b.org").ran("lookup", "email", mode="by_email", name="Ann", address="1 Mill Lane")
    story.said("overdue_payment", "yes")
    cannot = frozenset({("loan_decision", "only", "loan_result")})
    record = story.record("loan_result", achieved=False, cannot=cannot)
    assert [item.fact for item in summarize(record)] == ["email", "name", "address", "loan_result"]
    assert ask(record, QuestionKind.WHAT).text() == (
        "For your loan result, I have gathered your e-mail (you told me) and your name and address (from the customer "
        "lookup). What is left to get is your loan result. At present I see no way to get there."
    )


@pytest.mark.row("V16")
def test_what_turned_out_to_be_wrong_does_not_fill_a_summary_out() -> None:
    story = Story().said("email", "a@b.org").said("name", "Ann").dropped("email")
    used_up = frozenset({("draw", "only", "pie_chart")})
    items = summarize(story.record("plot", achieved=False, cannot=used_up))
    assert [item.fact for item in items] == ["name", "plot"]


@pytest.mark.row("V16")
def test_a_plan_tells_which_executed_facts_count() -> None:
    story = Story().said("email", "a@b.org").ran("lookup", "email", mode="by_email", name="Ann", address="1 Mill Lane")
    plan = (step("statements", ("name",), ("transactions",)), step("draw", ("transactions",), ("pie_chart",)))
    items = summarize(story.record("plot", achieved=False, plan=plan))
    assert [item.fact for item in items] == ["email", "name", "transactions", "plot"]


def test_what_was_known_before_the_goal_came_up_is_told_apart() -> None:
    story = tell_loan().happened(Actor.EVENT, overdue_payment="yes").happened(Actor.START, income="2,000")
    story.ran("card_decision", "name", "credit_score", card_result="approved")
    record = story.record("card_result", known=("name", "credit_score"), goal_event=18)
    assert ask(record, QuestionKind.WHAT).text() == (
        "To get your card result, I already had your SSN and e-mail (you told me), your name (from "
        "the customer lookup) and your credit score (from the credit bureau). "
        "I got your card result (approved) from the card decision."
    )


def test_what_was_said_in_the_same_breath_as_the_goal_was_gathered_for_it() -> None:
    story = Story().said("email", "a@b.org")
    story.ran("lookup", "email", mode="by_email", name="Ann", address="1 Mill Lane")
    text = ask(story.record("address", goal_event=3), QuestionKind.WHAT).text()
    assert text.startswith("To get your address, I gathered your e-mail (you told me).")


def test_a_long_summary_is_told_in_several_sentences() -> None:
    facts = "\n".join(f"  f{n}: {{label: fact {n}}}" for n in range(7))
    skills = "\n".join(
        f"  s{n}: {{label: source {n}, modes: {{m: {{outcomes: {{o: {{facts: [f{n}]}}}}}}}}}}" for n in range(7)
    )
    join = "  join: {modes: {m: {inputs: [f0, f1, f2, f3, f4, f5, f6], outcomes: {o: {facts: [all]}}}}}"
    catalog = read_catalog(f"name: long\nfacts:\n{facts}\n  all: {{askable: false}}\nskills:\n{skills}\n{join}")
    story = Story(catalog)
    for n in range(7):
        story.ran(f"s{n}", mode="m", weights=None, **{f"f{n}": str(n)})
    record = story.ran("join", *(f"f{n}" for n in range(7)), mode="m", all="9").record("all")
    sentences = [s.text() for s in ask(record, QuestionKind.WHAT, catalog=catalog).sentences]
    assert sentences[0].startswith("To get all, I gathered your fact 0 (from the source 0), ")
    assert sentences[1] == "I also gathered your fact 5 (from the source 5) and your fact 6 (from the source 6)."
    unfinished = Story(catalog, story.history[:-1], {k: v for k, v in story.values.items() if k != "all"})
    sentences = [
        s.text() for s in ask(unfinished.record("all", achieved=False), QuestionKind.WHAT, catalog=catalog).sentences
    ]
    assert sentences[0].startswith("For all, I have gathered your fact 0")
    assert sentences[1].startswith("I have also gathered your fact 5")
    assert sentences[2] == "What is left to get is all."


def test_uploads_alerts_and_what_was_known_from_the_start_are_named_as_such() -> None:
    story = Story().known(address="1 Mill Lane").said("id_image", "id.png").happened(Actor.EVENT, name="Ann")
    story.said("loan_amount", "5.00").said("credit_score", "480")
    record = story.ran("loan_decision", "name", loan_result="ok").record("loan_result", known=("address",))
    assert ask(record, QuestionKind.WHAT).text() == (
        "To get your loan result, I already had your address (known from the start). I gathered your loan amount and "
        "credit score (you told me) and your name (from an alert). I got your loan result (ok) from the loan decision."
    )


def test_an_upload_is_told_as_one() -> None:
    story = Story().said("id_image", "id.png").ran("read_id", "id_image", name="Ann", address="1 Mill Lane")
    text = ask(story.record("name"), QuestionKind.WHAT).text()
    assert text == (
        "To get your name, I gathered your picture of an ID (uploaded by you). "
        "I got your name (Ann) from the skill “read ID”."
    )


def test_with_no_goal_there_is_nothing_to_summarize() -> None:
    record = Story().record(achieved=False)
    assert summarize(record) == ()
    for kind in (QuestionKind.WHAT, QuestionKind.WHY, QuestionKind.MISSING, QuestionKind.CHAIN):
        text = ask(record, kind).text()
        then = "I have no plan." if kind is QuestionKind.MISSING else "there is nothing to explain."
        assert text == f"You have not asked me for anything yet, so {then}"


def test_money_that_was_spent_is_told() -> None:
    done = tell_loan().record("loan_result", pruned=NO_ASKING)
    skills = {**BANK.skills, "bureau": BANK.skills["bureau"].model_copy(update={"money": 2.8})}
    bank = BANK.model_copy(update={"skills": skills})
    done = replace(done, catalog=bank, learned=replace(done.learned, spent=2.8))
    told = explain_in_words(done, Question(QuestionKind.WHAT))
    assert told.text().endswith("from the loan decision. That cost 2.80 EUR.")
    (called,) = [execution.event for execution in done.history if execution.skill == "bureau"]
    assert told.sentences[-1].evidence == (done.goal_event, called)
    story = Story().said("loan_amount", "12,000.00").record("loan_result", achieved=False, pruned=NO_ASKING)
    coming = replace(story, learned=replace(story.learned, spent=0.5))
    assert "So far, that cost 0.50 EUR." in ask(coming, QuestionKind.WHAT).text()


@given(data=st.data(), goal=st.sampled_from(["plot", "pie_chart", "loan_result", "card_result"]))
def test_nothing_is_told_before_what_it_was_made_from(data: st.DataObject, goal: str) -> None:
    story, known = Story(), set[str]()
    made: dict[str, set[str]] = {}
    for _ in range(data.draw(st.integers(4, 9))):
        calls = [call for call in CALLS if call[1] <= known and not call[2] & known]
        asks = [fact for fact in ("email", "ssn", "account_number", "loan_amount") if fact not in known]
        if calls and (not asks or data.draw(st.booleans())):
            skill, inputs, outputs, mode = data.draw(st.sampled_from(calls))
            story.ran(skill, *sorted(inputs), mode=mode, **dict.fromkeys(sorted(outputs), "x"))  # type: ignore[arg-type]
            made |= dict.fromkeys(outputs, inputs)
            known |= outputs
        elif asks:
            fact = data.draw(st.sampled_from(asks))
            story.said(fact, "x")
            known.add(fact)
    reached = goal in known or (goal == "plot" and "pie_chart" in known)
    told = [item.fact for item in summarize(story.record(goal, achieved=reached)) if item.got]
    for at, fact in enumerate(told):
        assert made.get(fact, set()).isdisjoint(told[at:])
