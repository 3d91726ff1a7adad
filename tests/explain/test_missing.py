"""Why is there no plan? (V20)"""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from catalog.model import Catalog, Ordering
from catalog.model.settings import AuthorizationPolicy
from explain import QuestionKind, explain_in_words
from explain.model import Cause, CauseKind, Question
from planning.model import StepKind, operator_name
from tests.explain.banking_story import BANK, Story, ask, read_catalog, step, tell_loan

MISSING = QuestionKind.MISSING


def asking(*facts: str) -> frozenset[str]:
    return frozenset(operator_name(StepKind.ASK, fact) for fact in facts)


NO_CONSENT = frozenset({operator_name(StepKind.AUTHORIZE, "bureau")})


@pytest.mark.row("V20")
def test_a_refusal_that_closed_the_way_is_told_with_what_would_open_it_again() -> None:
    story = Story().caused(Cause(CauseKind.REFUSED, "bureau", 0, ("ssn",)))
    record = story.record("loan_result", achieved=False, pruned=NO_CONSENT | asking("credit_score"))
    explanation = ask(record, MISSING)
    assert explanation.text() == (
        "I see no way left to your loan result, because you said no to giving your SSN to the credit bureau. "
        "I can go on if you say yes to giving your SSN to the credit bureau."
    )
    assert explanation.evidence == (2, 3)


def test_a_call_that_was_declined_is_told_with_what_would_open_the_way_again() -> None:
    bank = BANK.model_copy(
        update={"skills": {**BANK.skills, "bureau": BANK.skills["bureau"].model_copy(update={"confirm": "Go on?"})}}
    )
    declined = frozenset(
        operator_name(StepKind.CONFIRM, "bureau", mode) for mode in bank.skills["bureau"].modes
    ) | asking("credit_score")
    record = (
        Story().caused(Cause(CauseKind.DECLINED, "bureau", 0)).record("loan_result", achieved=False, pruned=declined)
    )
    agreed = frozenset({"bureau"})  # consent was given before, for a call that is over
    record = replace(record, authorized=agreed, catalog=bank)
    assert explain_in_words(record, Question(MISSING)).text() == (
        "I see no way left to your loan result, because you told me not to go ahead with the credit bureau. "
        "I can go on if you tell me to go ahead with the credit bureau."
    )


@pytest.mark.row("V20")
def test_skipped_questions_and_alternatives_are_told() -> None:
    story = Story().caused(Cause(CauseKind.SKIPPED, "email", 0)).caused(Cause(CauseKind.UNCLEAR, "account_number", 0))
    story.caused(Cause(CauseKind.SKIPPED, "id_image", 0)).caused(Cause(CauseKind.SKIPPED, "income", 0))
    record = story.record("name", achieved=False, pruned=asking("email", "account_number", "id_image", "income"))
    assert ask(record, MISSING).text() == (
        "I see no way left to your name. "
        "I asked you for your e-mail and picture of an ID, and you did not give me an answer. "
        "I asked you for your account number, and did not understand the answer. "
        "I can go on if you give me your e-mail, account number or picture of an ID."
    )


@pytest.mark.row("V20")
def test_two_things_that_are_both_missing_are_both_asked_for() -> None:
    story = Story().caused(Cause(CauseKind.SKIPPED, "loan_amount", 0)).caused(Cause(CauseKind.SKIPPED, "ssn", 0))
    pruned = asking("loan_result", "credit_score", "loan_amount", "ssn")
    assert ask(story.record("loan_result", achieved=False, pruned=pruned), MISSING).text() == (
        "I see no way left to your loan result. "
        "I asked you for your loan amount and SSN, and you did not give me an answer. "
        "I can go on if you give me your loan amount and SSN."
    )


@pytest.mark.row("V20")
def test_functionality_that_nobody_has_any_more_is_told_apart_from_information() -> None:
    story = tell_loan().dropped("loan_result").dropped("credit_score")
    story.caused(Cause(CauseKind.NOT_FILLABLE, "credit_score", 0))
    story.caused(Cause(CauseKind.TRIES_USED_UP, "bureau", 0, ("credit_score",)))
    cannot = frozenset({("bureau", "only", "credit_score")})
    record = story.record("loan_result", achieved=False, pruned=asking("credit_score"), cannot=cannot)
    assert ask(record, MISSING).text() == (
        "I see no way left to your loan result. "
        "I cannot ask you for your credit score: It has to come from the credit bureau. "
        "I tried the credit bureau as often as I may, without getting your credit score. "
        "I have no skill left that could give me your credit score. "
        "Another skill that could find that out from your SSN and name would help. "
        "Nothing you could tell me would change that."
    )


@pytest.mark.row("V20")
def test_functionality_that_nobody_ever_had_is_told() -> None:
    text = ask(Story().record("overdue_payment", achieved=False), MISSING).text()
    assert text == (
        "I see no way left to your overdue payment. "
        "I have no skill that could give me your overdue payment. "
        "Nothing you could tell me would change that."
    )


@pytest.mark.row("V20")
def test_what_did_not_close_a_way_to_this_goal_is_left_out() -> None:
    story = (
        Story().caused(Cause(CauseKind.NOT_FILLABLE, "transactions", 0)).caused(Cause(CauseKind.RETRACTED, "email", 0))
    )
    story.caused(Cause(CauseKind.FAILED, "card_decision", 0)).caused(Cause(CauseKind.FAILED, "loan_decision", 0))
    cannot = frozenset({("loan_decision", "only", "loan_result")})
    text = ask(story.record("loan_result", achieved=False, cannot=cannot), MISSING).text()
    assert "I tried the loan decision, and it failed." in text
    for other in ("transactions", "e-mail", "card decision"):
        assert other not in text


@pytest.mark.row("V20")
def test_the_same_thing_happening_to_several_facts_is_told_once() -> None:
    tried = [Cause(CauseKind.TRIES_USED_UP, "lookup", 0, (fact,)) for fact in ("name", "address")]
    story = Story().said("email", "a@b.org").caused(tried[0]).caused(tried[1])
    cannot = frozenset({("lookup", "by_email", "name")})
    pruned = asking("account_number", "id_image")
    explanation = ask(story.record("name", achieved=False, pruned=pruned, cannot=cannot), MISSING)
    assert (
        "I tried the customer lookup as often as I may, without getting your name and address. " in explanation.text()
    )
    assert {5, 7} <= set(explanation.evidence)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (CauseKind.RETRACTED, "what I had as your loan amount turned out to be wrong."),
        (CauseKind.OUTDATED, "what I had as your loan amount rested on something that was changed."),
    ],
)
def test_a_value_that_holds_no_more_is_told_where_the_fact_is_missing(kind: CauseKind, told: str) -> None:
    story = Story().caused(Cause(kind, "loan_amount", 0)).caused(Cause(CauseKind.TRIES_USED_UP, "draw", 0))
    record = story.record("loan_result", achieved=False, pruned=asking("loan_amount"))
    assert told in ask(record, MISSING).text()


def test_tries_and_consents_without_named_facts_still_read_well() -> None:
    story = Story().caused(Cause(CauseKind.TRIES_USED_UP, "bureau", 0)).caused(Cause(CauseKind.REFUSED, "bureau", 0))
    record = story.record("loan_result", achieved=False, pruned=NO_CONSENT | asking("credit_score"))
    text = ask(record, MISSING).text()
    assert "I tried the credit bureau as often as I may. " in text
    assert "You said no to giving sensitive information to the credit bureau. " in text


def test_a_consent_for_one_fact_is_told_as_such() -> None:
    settings = BANK.settings.model_copy(update={"authorization": AuthorizationPolicy.PER_FACT})
    catalog: Catalog = BANK.model_copy(update={"settings": settings})
    story = Story(catalog).caused(Cause(CauseKind.REFUSED, "ssn", 0, ("ssn",)))
    pruned = frozenset({operator_name(StepKind.AUTHORIZE, "ssn")}) | asking("credit_score")
    text = ask(story.record("loan_result", achieved=False, pruned=pruned), MISSING, catalog=catalog).text()
    assert "because you said no to passing on your SSN." in text
    assert text.endswith("I can go on if you say yes to passing on your SSN.")


def test_that_something_cannot_be_asked_is_told_with_or_without_a_reason() -> None:
    facts = {**BANK.facts, "credit_score": BANK.facts["credit_score"].model_copy(update={"why_not_fillable": None})}
    catalog = BANK.model_copy(update={"facts": facts})
    story = Story(catalog).caused(Cause(CauseKind.NOT_FILLABLE, "credit_score", 0))
    cannot = frozenset({("bureau", "only", "credit_score")})
    record = story.record("loan_result", achieved=False, pruned=asking("credit_score"), cannot=cannot)
    assert "I cannot ask you for your credit score. " in ask(record, MISSING, catalog=catalog).text()
    ended = {**facts, "credit_score": facts["credit_score"].model_copy(update={"why_not_fillable": "It is not yours!"})}
    catalog = BANK.model_copy(update={"facts": ended})
    assert "I cannot ask you for your credit score: It is not yours! " in ask(record, MISSING, catalog=catalog).text()


@pytest.mark.row("V20")
def test_nothing_is_missing_when_the_goal_is_achieved_or_can_be() -> None:
    assert ask(tell_loan().record("loan_result"), MISSING).text() == "Nothing is missing: I have your loan result."
    assert (
        ask(tell_loan().record("loan_result", achieved=False), MISSING).text().startswith("Nothing is missing: I have")
    )
    open_goal = ask(Story().record("loan_result", achieved=False), MISSING).text()
    assert open_goal == "Nothing is missing: there is a way to your loan result."


@pytest.mark.row("V20")
def test_ways_that_take_more_come_after_the_best_one_and_only_a_few_of_them() -> None:
    ways = {f"way_{n}": {"inputs": [f"a{n}", f"b{n}"], "outcomes": {"got": {"facts": ["result"]}}} for n in range(4)}
    facts: dict[str, dict[str, object]] = {"result": {"askable": False}}
    for way in ways.values():
        facts |= {fact: {"label": f"item {fact}"} for fact in way["inputs"]}
    catalog = read_catalog(yaml.safe_dump({"name": "c", "facts": facts, "skills": {"get": {"modes": ways}}}))
    record = Story(catalog).record("result", achieved=False, pruned=asking(*facts))
    assert ask(record, MISSING, catalog=catalog).text() == (
        "I see no way left to your result. I can go on if you give me your item a0 and item b0. "
        "Or you could give me your item a1 and item b1. Or you could give me your item a2 and item b2. "
        "There may be other ways, too."
    )


@pytest.mark.row("V20")
def test_where_skills_and_answers_are_missing_it_is_said_that_answers_alone_would_not_do() -> None:
    story = Story().caused(Cause(CauseKind.TRIES_USED_UP, "bureau", 0, ("credit_score",)))
    cannot = frozenset({("bureau", "only", "credit_score")})
    record = story.record("loan_result", achieved=False, pruned=asking("credit_score", "loan_amount"), cannot=cannot)
    assert ask(record, MISSING).text() == (
        "I see no way left to your loan result, because I tried the credit bureau as often as I may, without getting "
        "your credit score. I have no skill left that could give me your credit score. Another skill that could find "
        "that out from your SSN and name would help. Nothing you could tell me would change that on its own; "
        "you would also have to give me your loan amount."
    )


def test_a_step_that_has_to_come_first_and_cannot_be_taken_is_told() -> None:
    first = Ordering(first="read_id", then="loan_decision")
    catalog = BANK.model_copy(update={"orderings": (first,)})
    cannot = frozenset({("read_id", "only", "name"), ("read_id", "only", "address")})
    record = Story(catalog).record("loan_result", achieved=False, cannot=cannot)
    text = ask(record, MISSING, catalog=catalog).text()
    assert "I have no way left to use the skill “read ID”. Nothing you could" in text


def test_a_budget_that_is_too_small_is_told_with_what_it_takes() -> None:
    dear = BANK.skills["loan_decision"].model_copy(update={"money": 3.5})
    settings = BANK.settings.model_copy(update={"budget": 2.0})
    catalog = BANK.model_copy(update={"skills": {**BANK.skills, "loan_decision": dear}, "settings": settings})
    record = Story(catalog).known(credit_score="480").record("loan_result", achieved=False)
    text = ask(record, MISSING, catalog=catalog).text()
    assert text == (
        "I know a way to your loan result, but it costs 3.50 EUR; I may spend at most 2.00 EUR. "
        "I can go on if I may spend 3.50 EUR."
    )
    told = replace(record, learned=replace(record.learned, budget=3.0, spent=1.0))
    assert ask(told, MISSING, catalog=catalog).text() == (
        "I know a way to your loan result, but it costs 3.50 EUR; you said at most 3.00 EUR, and 1.00 EUR of that is "
        "spent. I can go on if I may spend 4.50 EUR in all."
    )
    assert "there is a way" in ask(replace(record, plan=(step("loan_decision"),)), MISSING, catalog=catalog).text()


def test_a_skill_that_would_have_nothing_to_work_from_is_just_told_to_be_missing() -> None:
    catalog = read_catalog("{name: c, facts: {riddle: {askable: false}}}")
    assert ask(Story(catalog).record("riddle", achieved=False), MISSING, catalog=catalog).text() == (
        "I see no way left to your riddle. I have no skill that could give me your riddle. "
        "Nothing you could tell me would change that."
    )


@pytest.mark.row("V20")
def test_what_is_there_is_not_said_to_be_out_of_reach() -> None:
    story = Story().said("ssn", "1").said("name", "Ann").ran("bureau", "ssn", "name", credit_score="480")
    record = replace(story.record("overdue_payment", achieved=False), goal=("credit_score", "overdue_payment"))
    assert ask(record, MISSING).text().startswith("I see no way left to your overdue payment. ")
