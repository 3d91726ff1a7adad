"""What the offline understander makes of utterances: in the banking demo, and in a catalog of another world."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from catalog.load import load, loads
from catalog.model import Catalog
from explain.model import QuestionKind
from language.interpretation import Context, DialogueAct, Interpretation, Pending, Understander
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.language.measure import SETS, Case, load_cases, wrong

TODAY = date(2025, 12, 1)

LIBRARY = """
version: 1
name: library
facts:
  book: {label: book, value: text, fillable: false}
  room: {label: reading room, value: text, fillable: false}
  title: {label: title, value: text, ask: Which title?, examples: [the title is Emma]}
  reader: {label: reader's name, value: person_name}
  card: {label: library card number, value: {kind: pattern, regex: 'L[0-9]{5}', example: L12345}}
  seats: {label: number of seats, value: {kind: number, minimum: 1, maximum: 20, integer: true}}
  fine: {label: fine, value: {kind: money, currency: EUR, minimum: 1}, ask: How much is the fine?}
  deposit: {label: deposit, value: {kind: money, currency: EUR}}
  pickup: {label: day of collection, value: date}
  branch: {label: branch, value: {kind: choice, options: {north: [northern], south: [southern]}}}
  mail: {label: e-mail, value: email}
  mail_of_parent: {label: parent's e-mail, value: email}
  member: {label: membership, value: yes_no}
  secret: {label: shelf mark, value: {kind: pattern, regex: 'S[0-9]{4}', example: S1234}, askable: false}
skills:
  lend:
    endpoint: python:catalog.demos.none:lend
    modes: {m: {inputs: [title, card, branch, deposit], outcomes: {lent: {facts: [book]}}}}
  book_room:
    endpoint: python:catalog.demos.none:book
    modes: {m: {inputs: [card, seats, fine, deposit], outcomes: {booked: {facts: [room]}}}}
goals:
  borrow:
    label: borrowing a book
    facts: [book]
    examples: [I want to borrow a book, lend me a novel, "can I take a book out?"]
  reserve:
    label: a reading room
    facts: [room]
    examples: [book a reading room, I need a quiet room, reserve a room to study]
"""


@pytest.fixture(scope="module")
def banking() -> Catalog:
    return load("banking").catalog


@pytest.fixture(scope="module")
def bank(banking: Catalog) -> Understander:
    return UNDERSTANDERS[DEFAULT](banking)


@pytest.fixture(scope="module")
def library() -> Understander:
    return UNDERSTANDERS[DEFAULT](loads(LIBRARY).catalog)


def hear(
    understander: Understander,
    text: str,
    asked: str | None = None,
    *,
    goals: tuple[str, ...] = (),
    known: tuple[str, ...] = (),
) -> Interpretation:
    pending = Pending(kind="fact", subject=asked) if asked else None
    return understander.understand(text, Context(today=TODAY, pending=pending, goals=goals, known=known))


def said(meaning: Interpretation) -> dict[str, object]:
    return {value.fact: value.value for value in meaning.values}


def wanted(meaning: Interpretation) -> list[str]:
    return [mention.goal for mention in meaning.goals]


# -- rates ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize(
    ("group", "least"),
    [
        ("goals", 0.88),
        ("rejects", 0.9),
        ("several goals", 0.8),
        ("controls", 0.97),
        ("questions", 0.93),
        ("values", 0.95),
    ],
)
def test_natural_utterances_are_understood_at_the_promised_rates(
    bank: Understander, banking: Catalog, which: str, group: str, least: float
) -> None:
    cases = [case for case in load_cases(which, banking) if case.group == group]
    missed = [(case.text, got) for case, got, _ in wrong(bank, cases)]
    assert 1 - len(missed) / len(cases) >= least, missed


@pytest.mark.parametrize("which", SETS)
def test_no_value_is_ever_taken_that_was_not_meant(bank: Understander, banking: Catalog, which: str) -> None:
    def invented(case: Case, got: dict[str, object]) -> bool:
        return any(case.expected.get(fact) != value for fact, value in got.items())

    cases = [case for case in load_cases(which, banking) if case.group == "values"]
    assert [(case.text, got) for case, got, _ in wrong(bank, cases) if invented(case, got)] == []


def test_every_example_of_the_catalog_is_surely_understood_as_its_goal(bank: Understander, banking: Catalog) -> None:
    missed = [
        (example, wanted(meaning))
        for goal in banking.goals.values()
        for example in goal.examples
        if wanted(meaning := hear(bank, example)) != [goal.name]
    ]
    assert missed == []


# -- goals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Could I borrow a novel?", ["borrow"]),
        ("I'd like to reserve a reading room please", ["reserve"]),
        ("I want to borrow a book and also I need a quiet room", ["borrow", "reserve"]),
        ("I don't want a book", []),
        ("I want a loan", []),
        ("I want a pizza", []),
    ],
)
def test_a_catalog_of_another_world_is_understood_alike(library: Understander, text: str, goals: list[str]) -> None:
    assert wanted(hear(library, text)) == goals


def test_an_unsure_goal_is_offered_and_not_taken(bank: Understander) -> None:
    meaning = hear(bank, "my bookings")
    assert meaning.goals == ()
    assert [mention.goal for mention in meaning.candidates] == ["transactions"]


def test_a_goal_that_includes_another_is_wanted_alone(bank: Understander) -> None:
    assert wanted(hear(bank, "I am moving house and need a mortgage quote")) == ["moving_house"]


def test_a_catalog_without_goals_understands_values_all_the_same() -> None:
    catalog = Catalog.model_validate({"name": "bare", "facts": {"mail": {"name": "mail", "value": "email"}}})
    assert said(hear(UNDERSTANDERS[DEFAULT](catalog), "ann@example.org")) == {"mail": "ann@example.org"}


# -- answers -------------------------------------------------------------------------------------------------------


def test_an_answer_is_not_swallowed_as_a_goal(bank: Understander) -> None:
    meaning = hear(bank, "a new kitchen", "loan_purpose", goals=("loan",))
    assert (said(meaning), meaning.goals) == ({"loan_purpose": "home improvement"}, ())


def test_an_answer_may_come_with_a_new_goal(bank: Understander) -> None:
    meaning = hear(bank, "Ann Lee, and I also want a credit card", "name", goals=("loan",))
    assert (said(meaning), wanted(meaning)) == ({"name": "Ann Lee"}, ["card"])


def test_an_answer_may_come_with_a_question(bank: Understander) -> None:
    meaning = hear(bank, "It's 900-01-0001. Why do you need that?", "ssn", goals=("loan",))
    assert said(meaning) == {"ssn": "900-01-0001"}
    assert meaning.question is not None
    assert (meaning.question.kind, meaning.question.fact) == (QuestionKind.WHY, "ssn")


@pytest.mark.row("V11")
@pytest.mark.parametrize("asked", ["name", "address", "employer", "email", "ssn", "loan_amount", "loan_purpose"])
def test_a_new_request_is_a_goal_whatever_was_asked(bank: Understander, asked: str) -> None:
    meaning = hear(bank, "I want a credit card first", asked, goals=("loan",))
    assert (wanted(meaning), meaning.values, meaning.unclear) == (["card"], (), None)


@pytest.mark.row("V12")
@pytest.mark.parametrize("asked", ["name", "address", "employer", "email", None])
def test_stop_is_never_an_answer(bank: Understander, asked: str | None) -> None:
    meaning = hear(bank, "Stop!", asked, goals=("loan",))
    assert (meaning.control, meaning.values) == (DialogueAct.STOP, ())


@pytest.mark.row("V10")
@pytest.mark.parametrize(
    ("asked", "text"), [("email", "ann at home"), ("ssn", "12"), ("loan_amount", "100"), ("name", "yes")]
)
def test_an_answer_that_cannot_be_read_says_why(bank: Understander, asked: str, text: str) -> None:
    meaning = hear(bank, text, asked, goals=("loan",))
    assert meaning.unclear
    assert (meaning.values, meaning.control, meaning.goals) == ((), None, ())


@pytest.mark.row("V3")
@pytest.mark.parametrize("text", ["I don't know", "skip", "no", "I don't have an account number", "no idea, sorry"])
def test_what_cannot_be_answered_is_skipped(bank: Understander, text: str) -> None:
    assert hear(bank, text, "account_number", goals=("loan",)).control is DialogueAct.SKIP


def test_another_thing_that_somebody_lacks_skips_nothing(bank: Understander) -> None:
    assert hear(bank, "I don't have a mortgage", "account_number", goals=("loan",)).control is None


@pytest.mark.row("V9")
def test_other_values_than_the_one_asked_for_are_taken_up(bank: Understander) -> None:
    meaning = hear(bank, "I don't know, but my e-mail is ann@example.org", "account_number", goals=("loan",))
    assert (said(meaning), meaning.control) == ({"email": "ann@example.org"}, DialogueAct.SKIP)


def test_an_amount_by_the_month_is_no_amount_by_the_year(bank: Understander) -> None:
    meaning = hear(bank, "4000 a month", "income", goals=("loan",))
    assert meaning.values == ()
    assert "month" in (meaning.unclear or "")


def test_a_yes_answers_a_question_for_yes_or_no(library: Understander) -> None:
    assert said(hear(library, "Yes, I am", "member")) == {"member": True}
    assert said(hear(library, "no", "member")) == {"member": False}


# -- values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("my library card number is L12345", {"card": "L12345"}),
        ("L12345", {"card": "L12345"}),
        ("L12345 is not my card", {}),
        ("her library card number is L12345", {}),
        ("I have ann@example.org and bob@example.org", {}),
        ("ann@example.org", {}),  # two facts could be meant
        ("my parent's e-mail is eve@example.org", {"mail_of_parent": "eve@example.org"}),
        ("the fine is 12 euros", {"fine": "12.00"}),
        ("the fine is 12 dollars", {}),  # another currency
        ("I paid 12 euros", {}),
        ("I need a reading room, 12 euros", {}),  # a fine, or a deposit?
        ("the shelf mark is S1234", {}),  # nobody may be asked for it
        ("my book is Emma", {}),  # not for people to say
        ("the number of seats is 4", {"seats": 4}),
        ("the number of seats is 400", {}),
        ("I need a room for 4", {}),
        ("I want to borrow a book for my northern branch", {"branch": "north"}),
        ("I moved on 3 March 2020", {}),
        ("my day of collection is 3 March 2026", {"pickup": "2026-03-03"}),
    ],
)
def test_a_value_is_taken_only_when_it_is_plain_whose_it_is(
    library: Understander, text: str, values: dict[str, object]
) -> None:
    assert said(hear(library, text)) == values


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("I'd like a loan of 12,000, please", "12,000"),
        ("my e-mail is ann@example.org.", "ann@example.org"),
        ("İI am moving. My new address is 5 Park Road, Shelbyville", "5 Park Road, Shelbyville"),
    ],
)
def test_a_value_cites_the_very_words_it_was_said_in(bank: Understander, text: str, place: str) -> None:
    (value,) = hear(bank, text).values
    assert value.span.text == place == text[value.span.start : value.span.end]
    assert value.rule


def test_a_correction_is_a_value(bank: Understander) -> None:
    meaning = hear(bank, "actually, my e-mail is bob@example.org", goals=("loan",), known=("email",))
    assert said(meaning) == {"email": "bob@example.org"}


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("is 900-01-0001 a valid number?", ()),
        ("I have a loan of 5,000 with another bank", ()),
        ("I borrowed 5,000 from my brother", ("loan",)),
        ("the kitchen costs 20,000", ("loan",)),
        ("I paid 300 for a bike", ("loan",)),
        ("send it to ann@example.org", ("loan",)),
        ("I earn 3,000 a month", ("loan",)),
        ("my e-mail is not ann@example.org", ("loan",)),
        ("my old address was 1 Main Street, Springfield", ("loan",)),
        ("I want a loan of 12,000 or 15,000", ()),
        ("I want a loan of 5 dollars", ()),
        ("I'm German and I'm Happy", ("loan",)),
    ],
)
def test_what_is_only_mentioned_is_no_value(bank: Understander, text: str, goals: tuple[str, ...]) -> None:
    assert hear(bank, text, goals=goals).values == ()


def test_a_price_is_the_price_of_what_is_wanted(bank: Understander) -> None:
    assert said(hear(bank, "it costs 250,000", goals=("mortgage",))) == {"property_value": "250000.00"}


# -- controls and choices ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "control", "goals"),
    [
        ("no, I want a credit card instead", DialogueAct.NO, ["card"]),
        ("Yes. And show me my spending", DialogueAct.YES, ["spending"]),
        ("stop, I'd rather have a loan", DialogueAct.STOP, ["loan"]),
        ("never mind", DialogueAct.NO, []),
        ("great", DialogueAct.YES, []),
    ],
)
def test_an_offer_is_taken_or_declined_whatever_else_is_said(
    bank: Understander, text: str, control: DialogueAct, goals: list[str]
) -> None:
    context = Context(today=TODAY, pending=Pending(kind="offer", subject="mortgage"))
    meaning = bank.understand(text, context)
    assert (meaning.control, wanted(meaning)) == (control, goals)


def test_a_goal_being_pursued_is_dropped_by_its_name(bank: Understander) -> None:
    assert hear(bank, "cancel the loan", goals=("loan",)).control is DialogueAct.STOP
    assert hear(bank, "cancel the loan", goals=("card", "loan")).control is None


@pytest.mark.parametrize(
    ("text", "goals", "control"),
    [
        ("the second one", ["mortgage"], None),
        ("1", ["loan"], None),
        ("the mortgage", ["mortgage"], None),
        ("a loan please", ["loan"], None),
        ("none of these", [], DialogueAct.NO),
        ("show me my spending", ["spending"], None),
    ],
)
def test_one_of_the_goals_put_to_choice_is_picked(
    bank: Understander, text: str, goals: list[str], control: DialogueAct | None
) -> None:
    pending = Pending(kind="choice", subject="goal", options=("loan", "mortgage"))
    meaning = bank.understand(text, Context(today=TODAY, pending=pending))
    assert (wanted(meaning), meaning.control) == (goals, control)


def test_what_is_no_answer_to_a_request_for_consent_is_unclear(bank: Understander) -> None:
    context = Context(today=TODAY, pending=Pending(kind="authorize", subject="credit_check"))
    assert bank.understand("purple", context).unclear


# -- questions -----------------------------------------------------------------------------------------------------


def test_why_alone_is_about_the_consent_that_was_asked(bank: Understander) -> None:
    context = Context(today=TODAY, pending=Pending(kind="authorize", subject="credit_check"))
    question = bank.understand("Why?", context).question
    assert question is not None
    assert (question.kind, question.fact) == (QuestionKind.WHY, "ssn")


def test_why_after_a_decision_is_about_the_decision(bank: Understander) -> None:
    question = hear(bank, "why?", known=("email", "loan_result")).question
    assert question is not None
    assert (question.kind, question.fact) == (QuestionKind.CHAIN, "loan_result")


def test_it_is_what_was_named_before(bank: Understander) -> None:
    question = hear(bank, "my address, where did you get it from?", known=("address", "email")).question
    assert question is not None
    assert (question.kind, question.fact) == (QuestionKind.SOURCE, "address")


def test_a_name_that_two_facts_share_is_settled_by_what_is_known(bank: Understander) -> None:
    asked = "where did you get the amount?"
    assert (hear(bank, asked, known=("overdue_amount",)).question or pytest.fail()).fact == "overdue_amount"


@pytest.mark.parametrize(
    "text", ["why is the sky blue?", "how do I get a loan?", "what is my credit score?", "where is Rome?"]
)
def test_questions_about_the_world_and_requests_are_not_about_the_past(bank: Understander, text: str) -> None:
    assert hear(bank, text).question is None


# -- many at once --------------------------------------------------------------------------------------------------


def test_threads_that_share_an_understander_get_the_same_meanings(bank: Understander, banking: Catalog) -> None:
    texts = [case.text for case in load_cases("dev", banking)][:120]
    alone = [hear(bank, text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: hear(bank, text), texts)) == alone
