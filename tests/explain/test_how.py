"""How was a fact established? (V17)"""

from __future__ import annotations

import pytest

from explain import QuestionKind
from explain.graph import find_last
from explain.how import trace_back
from explain.model import Cause, CauseKind, ComingStep
from planning.history import Actor
from planning.model import StepKind
from tests.explain.banking_story import Story, ask, read_catalog, step, tell_loan

HOW = QuestionKind.HOW


@pytest.mark.row("V17")
def test_how_names_the_skill_its_inputs_and_its_authors_words() -> None:
    explanation = ask(tell_loan().record("loan_result"), HOW, "credit_score")
    assert explanation.text() == (
        "I got your credit score (480) from the credit bureau, using your SSN and name. "
        "What it does: “Asks the national credit bureau for your score.”"
    )
    assert explanation.facts == ("credit_score", "ssn", "name"), "each can be asked about in turn"
    assert explanation.evidence == (9, 13, 15)


@pytest.mark.row("V17")
def test_how_in_full_goes_back_to_what_the_user_said() -> None:
    explanation = ask(tell_loan().record("loan_result"), HOW, "credit_score", full=True)
    assert explanation.text() == (
        "I got your credit score (480) from the credit bureau, using your SSN and name. "
        "What it does: “Asks the national credit bureau for your score.” "
        "You told me your SSN when I asked: ••••. "
        "I got your name (Ann Smith) from the customer lookup, using your e-mail. "
        "You told me your e-mail when I asked: “it is ann@example.org”."
    )
    assert explanation.links == ((13, "ssn", 15), (9, "name", 15), (7, "email", 9))


@pytest.mark.row("V17")
def test_how_takes_the_last_time_a_fact_was_established() -> None:
    explanation = ask(tell_loan().record("loan_result"), HOW, "email")
    assert explanation.text() == "You told me your e-mail when I asked: “it is ann@example.org”."
    assert explanation.evidence == (6, 7)


@pytest.mark.row("V17", "V4")
def test_how_for_a_supertype_answers_with_what_stood_in() -> None:
    story = Story().said("transactions", "40 rows").ran("draw", "transactions", pie_chart="chart")
    assert ask(story.record("plot"), HOW, "plot").text() == (
        "What I have as your plot is your pie chart. "
        "I got your pie chart from the drawing board, using your transactions."
    )


@pytest.mark.row("V17", "V4")
def test_how_in_full_follows_an_input_to_the_subtype_that_was_passed() -> None:
    catalog = read_catalog("""
name: charts
facts: {rows: {}, plot: {}, pie_chart: {is_a: plot}, report: {}}
skills:
  draw: {modes: {m: {inputs: [rows], outcomes: {o: {facts: [pie_chart]}}}}}
  write: {label: report writer, modes: {m: {inputs: [plot], outcomes: {o: {facts: [report]}}}}}
""")
    story = Story(catalog).said("rows", "40").ran("draw", "rows", mode="m", pie_chart="a pie")
    record = story.ran("write", "pie_chart", mode="m", report="done").record("report")
    text = ask(record, HOW, "report", full=True, catalog=catalog).text()
    assert "I got your pie chart (a pie) from the draw, using your rows." in text


def test_the_value_is_shown_where_the_words_were_others() -> None:
    record = tell_loan().record("loan_result")
    assert ask(record, HOW, "loan_amount").text() == "You told me your loan amount (12,000.00): “12 grand”."


def test_without_the_users_words_the_value_is_told() -> None:
    record = Story().said("loan_amount", "12,000.00", None).record("loan_result", achieved=False)
    assert ask(record, HOW, "loan_amount").text() == "You told me your loan amount (12,000.00) when I asked."


def test_an_upload_is_named() -> None:
    record = Story().said("id_image", "a picture", "card.png", asked=False).record("loan_result", achieved=False)
    assert ask(record, HOW, "id_image").text() == "You uploaded your picture of an ID: “card.png”."


@pytest.mark.row("V17")
@pytest.mark.parametrize(
    ("actor", "text"),
    [
        (Actor.START, "I knew your overdue payment (March) from the start."),
        (Actor.EVENT, "I learned of your overdue payment (March) from an alert."),
    ],
)
def test_a_chain_may_end_at_the_start_or_at_an_event(actor: Actor, text: str) -> None:
    record = Story().happened(actor, overdue_payment="March").record("loan_result", achieved=False)
    explanation = ask(record, HOW, "overdue_payment", full=True)
    assert explanation.text() == text
    assert explanation.evidence == (3,)


def test_a_fact_known_at_first_needs_no_event_of_its_own() -> None:
    story = Story().known(name="Ann", ssn="1").ran("bureau", "ssn", "name", credit_score="480")
    record = story.record("credit_score", known=("name", "ssn"))
    assert ask(record, HOW, "name").text() == "I knew your name (Ann) from the start."
    assert (
        ask(record, HOW, "credit_score", full=True)
        .text()
        .endswith("I knew your SSN (••••) and name (Ann) from the start.")
    )


def test_a_skill_without_inputs_or_description_is_told_plainly() -> None:
    record = Story().ran("statements", transactions="40 rows").record("transactions")
    assert (
        ask(record, HOW, "transactions", full=True).text() == "I got your transactions (40 rows) from the statements."
    )


@pytest.mark.row("V17")
@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ((), "I do not know your credit score, and nothing is planned to find it out."),
        (
            (ComingStep(StepKind.ASK, "credit_score"),),
            "I do not yet know your credit score: the plan is to get it from the credit bureau, "
            "which goes by your SSN and name.",
        ),
        (
            (
                ComingStep(StepKind.AUTHORIZE, "bureau"),
                step("lookup", (), ("name",)),
                step("bureau", ("ssn",), ("credit_score",)),
            ),
            "I do not yet know your credit score: the plan is to get it from the credit bureau, "
            "which goes by your SSN.",
        ),
    ],
)
def test_an_unknown_fact_is_said_to_be_unknown_and_whether_it_is_planned(
    plan: tuple[ComingStep, ...], text: str
) -> None:
    record = Story().record("loan_result", achieved=False, plan=plan)
    assert ask(record, HOW, "credit_score").text() == text


def test_a_retracted_fact_is_said_to_be_dropped() -> None:
    story = Story().said("email", "a@b.org").ran("lookup", "email", mode="by_email")
    story.dropped("email").caused(Cause(CauseKind.RETRACTED, "email", 0))
    explanation = ask(story.record("loan_result", achieved=False), HOW, "email")
    assert explanation.text() == (
        "What I had as your e-mail turned out to be wrong, so I dropped it. "
        "I do not know your e-mail, and nothing is planned to find it out."
    )
    assert explanation.evidence == (2, 3, 7)


def test_a_fact_that_rested_on_what_was_changed_is_not_called_wrong() -> None:
    story = Story().said("email", "a@b.org").dropped("email").caused(Cause(CauseKind.OUTDATED, "email", 0))
    text = ask(story.record("loan_result", achieved=False), HOW, "email").text()
    assert text.startswith("What I had as your e-mail rested on something that was changed, so I dropped it. ")


def test_of_a_fact_that_was_wrong_twice_the_last_time_is_cited() -> None:
    catalog = read_catalog("name: c\nfacts: {contact: {}, email: {is_a: contact}, phone: {is_a: contact}}\nskills: {}")
    story = Story(catalog).said("email", "a@b.org").said("phone", "12")
    story.dropped("email").caused(Cause(CauseKind.RETRACTED, "email", 0))
    story.dropped("phone").caused(Cause(CauseKind.RETRACTED, "phone", 0))
    explanation = ask(story.record("contact", achieved=False), HOW, "contact", catalog=catalog)
    assert explanation.sentences[0].evidence == (5, 9)


@pytest.mark.row("V17", "V4")
def test_of_two_facts_that_can_stand_in_the_one_established_last_counts() -> None:
    catalog = read_catalog("name: c\nfacts: {contact: {}, email: {is_a: contact}, phone: {is_a: contact}}\nskills: {}")
    story = Story(catalog).said("phone", "12").said("email", "a@b.org")
    text = ask(story.record("contact"), HOW, "contact", catalog=catalog).text()
    assert text.startswith("What I have as your contact is your email.")


@pytest.mark.row("V17", "V4")
def test_a_fact_itself_goes_before_what_came_with_it_and_could_stand_in() -> None:
    story = Story().said("transactions", "40").ran("draw", "transactions", pie_chart="a pie", plot="a plot")
    assert ask(story.record("plot"), HOW, "plot").text() == (
        "I got your plot from the drawing board, using your transactions."
    )


def test_what_was_used_on_several_ways_is_traced_back_once() -> None:
    story = Story().said("email", "a@b.org").ran("lookup", "email", mode="by_email", name="Ann", address="1 Mill Lane")
    story.ran("statements", "name", transactions="40").ran("bureau", "name", credit_score="480")
    story.ran("loan_decision", "name", "transactions", "credit_score", loan_result="approved")
    record = story.record("loan_result")
    found = find_last(record.history, "loan_result")
    assert found is not None
    links = trace_back(record, found)
    assert len(links) == len(set(links)) == 6


def test_words_in_which_something_sensitive_was_given_are_masked_wherever_they_are_said_again() -> None:
    words = "oh seven eight oh five"
    story = Story().said("ssn", "078-05-1120", words).said("email", "a@b.org", f"{words}, that is a@b.org")
    assert ask(story.record("email"), HOW, "email").text() == "You told me your e-mail when I asked: ••••."


def test_a_sensitive_value_is_masked_where_it_is_the_value_of_another_fact_too() -> None:
    story = Story().said("ssn", "078-05-1120").said("income", "078 05 1120", None)
    assert ask(story.record("income"), HOW, "income").text() == "You told me your monthly income (••••) when I asked."


def test_what_was_used_before_it_was_corrected_does_not_show_the_corrected_value() -> None:
    story = tell_loan().said("loan_amount", "8,000.00", "make it 8 grand", asked=False)
    text = ask(story.record("loan_result"), HOW, "loan_result", full=True).text()
    assert "You told me your loan amount: “12 grand”." in text


@pytest.mark.row("V17", "V4")
def test_what_was_known_from_the_start_was_passed_and_not_what_could_have_stood_in() -> None:
    story = Story().known(plot="old").said("transactions", "40").ran("draw", "transactions", pie_chart="a pie")
    record = story.ran("report", "plot", loan_result="done").record("loan_result", known=("plot",))
    assert ask(record, HOW, "loan_result", full=True).text().endswith("I knew your plot from the start.")


def test_a_name_that_is_no_fact_is_quoted_back() -> None:
    record = tell_loan().record("loan_result")
    assert ask(record, HOW, "no\nsuch <b>fact").text() == "I do not know of anything called “no such <b>fact”."


def test_without_a_fact_how_is_about_the_goal() -> None:
    record = tell_loan().record("loan_result")
    assert ask(record, HOW).text() == ask(record, HOW, "loan_result").text()


def test_a_skill_or_fact_that_left_the_catalog_goes_by_its_name() -> None:
    story = Story().ran("old_skill", "old_input", old_fact="1")
    explanation = ask(story.record("loan_result", achieved=False), HOW, "old_fact")
    assert explanation.text() == "I got your old fact (••••) from the old skill, using your old input."
