"""Why did a skill decide so? (V19)"""

from __future__ import annotations

from dataclasses import replace

import pytest

from explain import QuestionKind
from explain.model import Call, Held, Value, ValueEnding
from tests.explain.banking_story import Story, ask, read_catalog, tell_loan

CHAIN = QuestionKind.CHAIN


@pytest.mark.row("V19")
def test_a_chain_goes_from_the_heaviest_input_back_to_what_the_user_said() -> None:
    explanation = ask(tell_loan().record("loan_result"), CHAIN, "loan_result")
    assert explanation.text() == (
        "Your loan result came out as declined mostly because of your credit score (480): +0.32 towards "
        "it, according to the loan decision. "
        "All that counted adds up to +0.42 for it and −0.02 against it. "
        "I got your credit score (480) from the credit bureau, using your SSN and name. "
        "You told me your SSN when I asked: ••••. "
        "I got your name (Ann Smith) from the customer lookup, using your e-mail. "
        "You told me your e-mail when I asked: “it is ann@example.org”."
    )
    assert explanation.links == ((15, "credit_score", 17), (13, "ssn", 15), (9, "name", 15), (7, "email", 9))


@pytest.mark.row("V19")
def test_a_chain_stops_at_an_input_that_the_user_gave() -> None:
    story = Story().said("income", "2,000").said("name", "Ann")
    record = story.ran("loan_decision", "name", "income", weights={"income": 0.5}, loan_result="approved")
    explanation = ask(record.record("loan_result"), CHAIN)
    assert explanation.text() == (
        "Your loan result came out as approved mostly because of your monthly income (2,000): +0.50 "
        "towards it, according to the loan decision. You told me your monthly income when I asked: “2,000”."
    )
    assert explanation.links == ((3, "income", 7),)


@pytest.mark.row("V19")
def test_a_chain_in_full_gives_the_other_weights() -> None:
    text = ask(tell_loan().record("loan_result"), CHAIN, "loan_result", full=True).text()
    assert "Your loan amount (+0.10), your address (−0.02) and your name (0) counted less." in text


@pytest.mark.row("V19")
def test_a_chain_runs_through_several_attributions() -> None:
    story = Story().said("ssn", "078-05-1120").said("name", "Ann")
    story.ran("bureau", "ssn", "name", weights={"name": 0.9, "ssn": 0.1}, credit_score="480")
    story.ran("loan_decision", "name", "credit_score", weights={"credit_score": 0.3}, loan_result="declined")
    text = ask(story.record("loan_result"), CHAIN).text()
    assert text == (
        "Your loan result came out as declined mostly because of your credit score (480): +0.30 towards "
        "it, according to the loan decision. "
        "Your credit score came out as 480 mostly because of your name (Ann): +0.90 towards it, "
        "according to the credit bureau. All that counted adds up to +1.00 for it. "
        "You told me your name when I asked: “Ann”."
    )


@pytest.mark.row("V19")
def test_a_skill_that_was_asked_about_and_attributes_nothing_says_so_and_its_inputs_are_followed() -> None:
    text = ask(tell_loan().record("loan_result"), CHAIN, "credit_score").text()
    assert text.startswith(
        "I got your credit score (480) from the credit bureau, using your SSN and name. "
        "The credit bureau does not say how much each of them counted. You told me your SSN when I asked: ••••. "
    )


@pytest.mark.row("V19")
def test_a_skill_that_should_attribute_and_did_not_says_so_anywhere() -> None:
    catalog = read_catalog("""
name: silent
facts: {rows: {}, score: {}, verdict: {}}
skills:
  rate: {label: rating, explain: "python:none:none", modes: {m: {inputs: [rows], outcomes: {o: {facts: [score]}}}}}
  judge: {label: judgement, modes: {m: {inputs: [score], outcomes: {o: {facts: [verdict]}}}}}
""")
    story = Story(catalog).said("rows", "40").ran("rate", "rows", mode="m", score="3")
    story.ran("judge", "score", mode="m", weights={"score": 1.0}, verdict="good")
    text = ask(story.record("verdict"), CHAIN, catalog=catalog).text()
    assert "The rating does not say how much each of them counted. You told me your rows when I asked" in text


@pytest.mark.row("V19")
def test_inputs_that_weigh_the_same_are_all_followed() -> None:
    story = Story().said("income", "2,000").said("name", "Ann")
    story.ran("loan_decision", "name", "income", weights={"income": 0.5, "name": 0.5}, loan_result="approved")
    assert ask(story.record("loan_result"), CHAIN).text() == (
        "Your loan result came out as approved mostly because of your monthly income (2,000) and your name (Ann): "
        "+0.50 each towards it, according to the loan decision. All that counted adds up to +1.00 for it. "
        "You told me your name when I asked: “Ann”. You told me your monthly income when I asked: “2,000”."
    )


@pytest.mark.row("V19")
def test_only_the_heaviest_input_is_followed_however_close_another_comes() -> None:
    story = Story().said("income", "2,000").said("name", "Ann")
    story.ran("loan_decision", "name", "income", weights={"income": 0.5, "name": 0.49}, loan_result="approved")
    assert "your name" not in ask(story.record("loan_result"), CHAIN).text()


@pytest.mark.row("V19")
def test_an_input_that_spoke_against_the_outcome_is_told_as_such() -> None:
    story = Story().said("income", "2,000").said("name", "Ann")
    story.ran("loan_decision", "name", "income", weights={"name": 0.2, "income": -0.5}, loan_result="approved")
    assert ask(story.record("loan_result"), CHAIN).text() == (
        "Your loan result came out as approved. "
        "According to the loan decision, what counted most was your monthly income (2,000), with −0.50 against it. "
        "All that counted adds up to +0.20 for it and −0.50 against it. "
        "You told me your monthly income when I asked: “2,000”."
    )


@pytest.mark.row("V19")
def test_when_nothing_weighed_anything_the_inputs_are_followed() -> None:
    story = Story().said("income", "2,000").said("name", "Ann")
    story.ran("loan_decision", "name", "income", weights={"name": 0.0, "income": 0.0}, loan_result="approved")
    assert ask(story.record("loan_result"), CHAIN).text() == (
        "I got your loan result (approved) from the loan decision, using your name and monthly income. "
        "According to the loan decision, none of these made a difference. "
        "You told me your name when I asked: “Ann”. You told me your monthly income when I asked: “2,000”."
    )


@pytest.mark.row("V19")
def test_weights_that_are_no_numbers_or_of_facts_that_were_not_passed_are_left_out() -> None:
    weights = {"name": float("nan"), "email": 9.0, "income": 0.1}
    story = Story().said("income", "2,000").said("name", "Ann")
    story.ran("loan_decision", "name", "income", weights=weights, loan_result="approved")
    text = ask(story.record("loan_result"), CHAIN, full=True).text()
    assert "mostly because of your monthly income (2,000): +0.10 towards it" in text
    assert "nan" not in text
    assert "e-mail" not in text


@pytest.mark.row("V19", "V4")
def test_a_weight_for_a_supertype_is_that_of_the_fact_that_was_passed() -> None:
    catalog = read_catalog("""
name: charts
facts: {plot: {}, pie_chart: {is_a: plot}, verdict: {}}
skills: {judge: {label: judgement, modes: {m: {inputs: [plot], outcomes: {o: {facts: [verdict]}}}}}}
""")
    story = (
        Story(catalog)
        .said("pie_chart", "a pie")
        .ran("judge", "pie_chart", mode="m", weights={"plot": 1.0}, verdict="ok")
    )
    text = ask(story.record("verdict"), CHAIN, catalog=catalog).text()
    assert text.startswith("Your verdict came out as ok mostly because of your pie chart (a pie): +1.00")


def test_a_result_that_cannot_be_said_came_out_as_it_did() -> None:
    story = Story().said("transactions", "40 rows")
    story.ran("draw", "transactions", weights={"transactions": 1.0}, pie_chart="chart")
    text = ask(story.record("plot"), CHAIN).text()
    assert text.startswith(
        "What I have as your plot is your pie chart. Your pie chart came out as it did mostly because of "
    )


def test_several_results_came_out_as_they_did() -> None:
    story = Story().said("email", "a@b.org")
    story.ran("lookup", "email", mode="by_email", weights={"email": 1.0}, name="Ann", address="1 Mill Lane")
    story.ran("loan_decision", "name", "address", loan_result="ok")
    text = ask(story.record("loan_result"), CHAIN).text()
    assert "Your name and address came out as they did mostly because of your e-mail (a@b.org)" in text


@pytest.mark.row("V19")
def test_a_chain_may_end_at_what_was_known_from_the_start() -> None:
    story = Story().known(ssn="1", name="Ann").ran("bureau", "ssn", "name", weights={"name": 1.0}, credit_score="480")
    record = story.record("credit_score", known=("ssn", "name"))
    assert ask(record, CHAIN).text().endswith("according to the credit bureau. I knew your name (Ann) from the start.")
    assert ask(record, CHAIN, "name").text() == "I knew your name (Ann) from the start."


def test_a_chain_from_an_unknown_fact_says_that_it_is_unknown() -> None:
    text = ask(Story().record("loan_result", achieved=False), CHAIN).text()
    assert text == "I do not know your loan result, and nothing is planned to find it out."


def test_a_skill_without_inputs_has_nothing_to_weigh() -> None:
    record = Story().ran("statements", transactions="40 rows").record("transactions")
    assert ask(record, CHAIN).text() == "I got your transactions (40 rows) from the statements."


def test_all_that_came_of_what_was_said_is_told_with_what_was_said_before() -> None:
    record = tell_loan().record("loan_result")
    first = Held(Value("email", "ann@exmple.org", 3), 3, 3, 6, ValueEnding.REPLACED)
    in_vain = Call(4, "lookup", ("email",), "by_email", "unknown", 5)
    text = ask(replace(record, held=(first,), calls=(in_vain,)), CHAIN, "email", full=True).text()
    assert text.startswith(
        "I do not have your e-mail any more: I had it (ann@exmple.org) until another value took its place."
    )
    assert "the customer lookup, given your e-mail (ann@exmple.org), and it did not work." in text
    assert "I needed your e-mail for the customer lookup, which gave me your name and address." in text
    assert "which gave me the loan result you asked for." in text


def test_a_whole_chain_of_what_is_not_known_tells_what_it_waits_for() -> None:
    record = Story().said("name", "Ann").record("loan_result", achieved=False)
    text = ask(record, CHAIN, "loan_result", full=True).text()
    assert text.startswith("I do not know your loan result")


def test_why_there_is_none_names_the_skill_that_was_asked_in_vain_once() -> None:
    in_vain = Call(5, "bureau", ("ssn", "name"), "only", None, 6)
    record = replace(Story().said("name", "Ann").record("credit_score", achieved=False), calls=(in_vain,))
    text = ask(record, QuestionKind.WHY_NOT, "credit_score").text()
    assert text.count("the credit bureau, and it did not work") == 1
    assert "not called the credit bureau" not in text
