"""Why was a fact needed? (V18)"""

from __future__ import annotations

import pytest

from explain import QuestionKind
from explain.model import ComingStep
from planning.model import StepKind
from tests.explain.banking_story import Story, ask, step, tell_loan

WHY = QuestionKind.WHY


@pytest.mark.row("V18")
def test_why_names_the_first_contributing_act_that_the_regression_meets() -> None:
    explanation = ask(tell_loan().record("loan_result"), WHY, "name")
    assert (
        explanation.text() == "I needed your name for the loan decision, which gave me the loan result you asked for."
    )
    assert explanation.links == ((9, "name", 17),)
    assert explanation.evidence == (9, 17)


@pytest.mark.row("V18")
def test_why_in_full_is_the_causal_chain_to_the_goal() -> None:
    explanation = ask(tell_loan().record("loan_result"), WHY, "ssn", full=True)
    assert explanation.text() == (
        "I needed your SSN for the credit bureau, which gave me your credit score. "
        "Your credit score then went into the loan decision, which gave me the loan result you asked for."
    )
    assert explanation.links == ((13, "ssn", 15), (15, "credit_score", 17))


@pytest.mark.row("V18")
def test_missteps_are_ignored() -> None:
    explanation = ask(tell_loan().record("loan_result"), WHY, "email", full=True)
    assert [consumer for _, _, consumer in explanation.links if consumer == 5] == []
    assert explanation.text() == (
        "I needed your e-mail for the customer lookup, which gave me your name and address. "
        "Your name then went into the credit bureau, which gave me your credit score. "
        "Your name, address and credit score then went into the loan decision, which gave me the loan result you asked "
        "for."
    )


@pytest.mark.row("V18")
def test_a_fact_that_did_not_contribute_says_so() -> None:
    story = Story().said("account_number", "12").ran("lookup", "account_number", mode="by_account")
    story.history += tell_loan().history
    story.values |= tell_loan().values
    record = story.record("loan_result")
    assert ask(record, WHY, "account_number").text() == (
        "I did not need your account number for your loan result. "
        "I did use your account number for the customer lookup, but got nothing from it."
    )
    assert ask(record, WHY, "income").text() == "I did not need your monthly income for your loan result."


@pytest.mark.row("V18")
def test_a_misstep_that_gave_something_else_says_what() -> None:
    story = tell_loan().ran("card_decision", "name", card_result="approved").said("income", "1")
    record = story.ran("statements", "income", transactions="40").record("loan_result")
    assert ask(record, WHY, "income", full=True).text() == (
        "I did not need your monthly income for your loan result. "
        "I did use your monthly income for the statements, which gave me your transactions."
    )


@pytest.mark.row("V18")
def test_a_goal_fact_says_that_it_is_the_goal() -> None:
    drawn = ask(tell_loan().ran("statements", "name", transactions="40").record("transactions"), WHY, full=True)
    assert drawn.text() == "Your transactions are what you asked for."
    assert drawn.evidence == (2, 19)
    open_goal = ask(Story().record("transactions", achieved=False), WHY)
    assert open_goal.text() == "Your transactions are what you asked for."


@pytest.mark.row("V18", "V19")
@pytest.mark.parametrize("full", [False, True])
def test_why_a_decision_that_was_asked_for_came_out_so_is_told_before_that_it_is_the_goal(full: bool) -> None:
    explanation = ask(tell_loan().record("loan_result"), WHY, "loan_result", full=full)
    assert explanation.text().startswith(
        "Your loan result came out as declined mostly because of your credit score (480): +0.32 towards it"
    )
    assert explanation.text().endswith("Your loan result is what you asked for.")


@pytest.mark.row("V18", "V4")
def test_a_fact_that_stands_for_the_goal_says_so() -> None:
    story = Story().said("transactions", "40 rows").ran("draw", "transactions", pie_chart="chart")
    record = story.record("plot")
    assert ask(record, WHY, "pie_chart").text() == "You asked for a plot, and your pie chart is just that."
    assert ask(record, WHY, "transactions").text() == (
        "I needed your transactions for the drawing board, which gave me the pie chart you asked for."
    )


def test_a_goal_fact_that_served_another_goal_fact_tells_both() -> None:
    record = tell_loan().record("credit_score", "loan_result")
    assert ask(record, WHY, "credit_score").text() == (
        "Your credit score is what you asked for. "
        "I needed your credit score for the loan decision, which gave me the loan result you asked for."
    )


def test_an_act_may_give_the_goal_and_more() -> None:
    record = tell_loan().record("loan_result", "name")
    assert "which gave me your address and the name you asked for." in ask(record, WHY, "email").text()


def test_an_optional_input_was_not_needed_but_used() -> None:
    story = Story().said("income", "2,000").said("name", "Ann")
    record = story.ran("loan_decision", "name", "income", loan_result="approved").record("loan_result")
    assert ask(record, WHY, "income").text() == (
        "The loan decision also took your monthly income, which it can do without, and gave me the loan result you "
        "asked for."
    )


PLAN = (
    ComingStep(StepKind.ASK, "ssn"),
    ComingStep(StepKind.AUTHORIZE, "bureau"),
    step("bureau", ("ssn", "name"), ("credit_score",)),
    step("loan_decision", ("name", "credit_score"), ("loan_result",)),
)


@pytest.mark.row("V18")
def test_while_the_goal_is_open_why_goes_on_along_the_plan() -> None:
    story = Story().said("name", "Ann")
    explanation = ask(story.record("loan_result", achieved=False, plan=PLAN), WHY, "ssn", full=True)
    assert explanation.text() == (
        "I need your SSN for the credit bureau, which should give me your credit score. "
        "Your credit score will go into the loan decision, which should give me the loan result you asked for."
    )
    assert explanation.links == (), "what is only planned proves nothing"
    assert explanation.coming == (("ssn", 2), ("credit_score", 3))
    assert explanation.evidence == (90,)


@pytest.mark.row("V18")
def test_what_was_done_comes_before_what_is_planned() -> None:
    story = Story().said("name", "Ann").said("ssn", "1").ran("bureau", "ssn", "name", credit_score="480")
    record = story.record("loan_result", achieved=False, plan=PLAN[3:])
    explanation = ask(record, WHY, "name")
    assert explanation.text() == "I needed your name for the credit bureau, which gave me your credit score."
    full = ask(record, WHY, "ssn", full=True)
    assert full.text().endswith("Your credit score will go into the loan decision, which should give me the loan "
                                "result you asked for.")  # fmt: skip
    assert full.links == ((5, "ssn", 7),)
    assert full.coming == (("credit_score", 0),)


def test_only_a_fact_that_no_way_needs_is_said_not_to_be_needed() -> None:
    record = Story().record("loan_result", achieved=False, plan=PLAN)
    assert ask(record, WHY, "plot").text() == "I do not need your plot for your loan result."
    assert ask(record, WHY, "income").text() == (
        "I may need your monthly income for your loan result: the loan decision takes it, if I call that at all."
    )


def test_a_fact_that_the_plan_needs_and_nothing_gives_is_still_needed() -> None:
    record = Story().record("loan_result", achieved=False, plan=PLAN[2:])
    assert ask(record, WHY, "ssn").text() == (
        "I need your SSN for the credit bureau, which should give me your credit score."
    )


@pytest.mark.row("V18")
def test_without_goal_or_plan_why_claims_no_more_than_what_happened() -> None:
    story = Story().said("name", "Ann").said("ssn", "1").ran("bureau", "ssn", "name", credit_score="480")
    record = story.said("income", "2").record("loan_result", achieved=False)
    explanation = ask(record, WHY, "ssn")
    assert explanation.text() == "So far I have used your SSN for the credit bureau, which gave me your credit score."
    assert explanation.links == ((5, "ssn", 7),)
    assert ask(record, WHY, "income").text() == "I have not used your monthly income for your loan result so far."
    assert ask(record, WHY, "email").text() == (
        "I do not have, and have not used, your e-mail for your loan result so far."
    )


def test_what_was_known_from_the_start_has_no_producer_to_cite() -> None:
    story = Story().known(ssn="1").ran("bureau", "ssn", credit_score="480")
    assert ask(story.record("loan_result", achieved=False), WHY, "ssn").links == ()
    achieved = ask(story.record("credit_score"), WHY, "ssn")
    assert achieved.text() == "I needed your SSN for the credit bureau, which gave me the credit score you asked for."
    assert achieved.links == ()


def test_a_name_that_is_no_fact_is_said_to_be_unknown() -> None:
    assert ask(tell_loan().record("loan_result"), WHY, "xyz").text() == "I do not know of anything called “xyz”."


@pytest.mark.row("V18", "V4")
def test_what_stood_in_for_an_input_is_not_forgotten_when_the_input_itself_comes_later() -> None:
    story = Story().said("transactions", "40").ran("draw", "transactions", pie_chart="a pie")
    story.ran("report", "plot", loan_result="done").said("plot", "another")
    text = ask(story.record("loan_result"), QuestionKind.WHY, "pie_chart").text()
    assert text == "I needed your pie chart for the report, which gave me the loan result you asked for."


def test_a_skill_that_left_the_catalog_still_counts() -> None:
    record = Story().said("name", "Ann").ran("old", "name", loan_result="ok").record("loan_result")
    assert (
        ask(record, WHY, "name").text()
        == "I needed your name for the old, which gave me the loan result you asked for."
    )
