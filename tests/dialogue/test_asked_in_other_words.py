"""What a question is about is found in people's words: by values they quote, by what is open, by what they said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dialogue.books import Books

LOAN = ("I'd like a loan of $12,000", "ann.bell@example.org", "yes", "900-12-3456")
CARD = ("Could I have a credit card?", "HB-415902", "no", "City Library", "3", "850")


def talk(home: Path, catalog: str, said: tuple[str, ...]) -> Books:
    box = Books(home, catalog)
    for line in said:
        box.say(line)
    return box


def asked(box: Books, question: str) -> tuple[str, str | None, str]:
    """Ask, and return the kind and the fact that were understood, and the answer; nothing may be begun by it."""
    counted = ("goal_pushed", "established", "calling")
    before = [len(box.events(kind)) for kind in counted]
    reply = box.say(question)[0]
    assert [len(box.events(kind)) for kind in counted] == before
    explained = box.events("explained")[-1]
    return explained.question, explained.fact, reply


@pytest.mark.parametrize(
    ("question", "fact", "told"),
    [
        ("where'd 647 come from", "credit_score", "account review"),
        ("647, according to whom", "credit_score", "account review"),
        ("was the library thing used for anything", "employer", "account review"),
        ("So what precisely does 'further checks' hang on?", "card_result", "credit score"),
    ],
)
def test_a_value_that_is_quoted_says_what_a_question_is_about(home: Path, question: str, fact: str, told: str) -> None:
    box = talk(home, "banking", CARD)
    _, about, reply = asked(box, question)
    assert about == fact
    assert told in reply
    box.services.close()


def test_a_value_that_is_quoted_is_never_a_sensitive_one(home: Path) -> None:
    box = talk(home, "banking", ("I need a loan of 8000", "ann.bell@example.org", "yes", "900-12-3456"))
    reply = " ".join(box.say("where did 900-12-3456 come from"))
    assert "900-12-3456" not in reply
    box.services.close()


@pytest.mark.parametrize("question", ["and then what", "ok and after that?", "what happens if I say yes"])
def test_what_comes_after_the_open_question_is_told(home: Path, question: str) -> None:
    box = talk(home, "banking", ("I want a mortgage", "HB-204518", "400000"))
    kind, _, reply = asked(box, question)
    assert kind == "plan"
    assert "mortgage calculator" in reply
    box.services.close()


def test_the_number_that_is_asked_for_now_is_the_one_that_is_meant(home: Path) -> None:
    box = talk(home, "banking", ("I'd like a loan of $12,000", "ann.bell@example.org", "yes"))
    assert asked(box, "hmm who sees my number")[:2] == ("who_saw", "ssn")
    box.services.close()


@pytest.mark.parametrize("question", ["is the invoice out the door already?", "has it been sent yet?"])
def test_whether_something_is_done_is_answered_by_what_is_not_done_yet(home: Path, question: str) -> None:
    box = talk(home, "accounting", ("Create an invoice for consulting", "1200"))
    kind, _, reply = asked(box, question)
    assert kind == "cannot_yet"
    assert "not yet" in reply or "yet." in reply
    box.services.close()


def test_what_somebody_said_is_told_by_what_it_looks_like(home: Path) -> None:
    box = talk(home, "accounting", ("Create an invoice for consulting", "1200"))
    assert asked(box, "how much did I say it was for")[:2] == ("value", "invoice_amount")
    box.services.close()
    box = talk(home, "banking", ("I want to pay what is overdue", "HB-415902", "tomorrow", "yes"))
    assert asked(box, "What day does the money leave my account?")[1] == "payment_date"
    box.services.close()


def test_a_question_after_an_answer_is_about_the_same(home: Path) -> None:
    box = talk(home, "banking", CARD)
    assert asked(box, "what is my income?")[1] == "income"
    assert asked(box, "says who?")[:2] == ("source", "income")
    box.services.close()


def test_where_a_way_is_closed_what_is_left_is_why(home: Path) -> None:
    box = talk(home, "banking", ("I want a mortgage", "HB-204518", "skip"))
    _, _, reply = asked(box, "what's left for you to do")
    assert "property price" in reply
    box.services.close()


def test_a_question_begins_nothing_by_what_is_said_around_it(home: Path) -> None:
    file = Path(__file__).parents[2] / "benchmarks" / "beyond" / "clinic.yaml"
    box = Books(home, "clinic", (file,))
    for line in ("Certificate for yellow fever please", "P-20417"):
        box.say(line)
    asked(box, "Yellow fever, I can't have the paper? Why?")
    box.services.close()


def test_a_clear_question_about_what_was_made_makes_it_no_second_time(home: Path) -> None:
    box = talk(home, "accounting", ("Create an invoice for yoga class", "450", "yes"))
    assert asked(box, "from 450 to this invoice pls all the steps")[:2] == ("chain", "invoice")
    box.services.close()


@pytest.mark.parametrize("catalog", ["banking", "accounting"])
@pytest.mark.parametrize(
    ("question", "then"),
    [
        ("what's your plan?", "I have no plan."),
        ("What is the plan?", "I have no plan."),
        ("what happens next?", "I have no plan."),
        ("how long will it take?", "I have no plan."),
        ("why in this order", "I have no plan."),
        ("what do you need from me?", "I have no plan."),
        ("why?", "there is nothing to explain."),
        ("why did you do that?", "there is nothing to explain."),
        ("how did you come to that?", "there is nothing to explain."),
    ],
)
def test_a_question_before_anything_was_asked_for_is_told_that_there_is_nothing_yet(
    home: Path, catalog: str, question: str, then: str
) -> None:
    _, _, reply = asked(Books(home, catalog), question)
    assert reply == f"You have not asked me for anything yet, so {then}"


@pytest.mark.parametrize(
    "question", ["why is the sky blue?", "who won the match?", "what's your plan for the weekend?"]
)
def test_what_is_asked_about_the_world_is_no_question_about_nothing_yet(home: Path, question: str) -> None:
    box = Books(home, "banking")
    assert box.say(question)[0].startswith("Sorry, I ")
    assert not box.events("explained")


@pytest.mark.parametrize(
    "question", ["why are you reading all that back to me", "why do you check with me first", "is it done already?"]
)
def test_what_waits_for_a_go_ahead_is_told_with_what_would_be_written(home: Path, question: str) -> None:
    box = talk(home, "accounting", ("Create an invoice for consulting", "1200"))
    reply = asked(box, question)[2]
    assert "1,200" in reply
    assert "business consultation" in reply
    assert "cannot be undone" in reply
    box.services.close()


@pytest.mark.parametrize(
    "question", ["what did the loan desk get to see about me", "did anybody get to see any of that loan"]
)
def test_who_made_a_result_is_said_to_have_seen_what_it_is_made_of(home: Path, question: str) -> None:
    box = talk(home, "banking", LOAN)
    kind, _, reply = asked(box, question)
    assert kind == "who_saw"
    assert "credit score" in reply
    assert "loan desk" in reply
    box.services.close()


@pytest.mark.parametrize("question", ["How do you know it's that much?", "how do you know what it comes to"])
def test_an_amount_that_was_found_out_is_the_one_that_is_meant(home: Path, question: str) -> None:
    box = talk(home, "banking", ("I missed a payment", "HB-415902", "on 4 December"))
    assert asked(box, question)[1] == "overdue_amount"
    box.services.close()
