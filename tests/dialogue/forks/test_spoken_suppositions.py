"""What-if questions that are asked in the conversation itself."""

from __future__ import annotations

import pytest

from dialogue.log.events import Replied, Understood
from language.interpretation import Supposition
from tests.dialogue.forks.bank import Declined


def ask(ben: Declined, text: str) -> tuple[Supposition | None, str]:
    """Ask, and return what was taken to be supposed, and the first reply; nothing that holds may have changed."""
    before = ben.services.snapshot(ben.session)
    ben.services.say(ben.session, text)
    assert ben.services.wait(ben.session, 200)
    after = ben.services.snapshot(ben.session)
    said = [entry.event for entry in after.log[len(before.log) :]]
    assert after.conversation.facts == before.conversation.facts
    assert after.conversation.goals == before.conversation.goals
    assert after.conversation.situation == before.conversation.situation
    assert not [event for event in said if event.kind in ("calling", "ran", "established", "authorized")]
    meaning = next(event.meaning for event in said if isinstance(event, Understood))
    if meaning.supposed is not None:
        assert after.conversation.questions.pending == before.conversation.questions.pending
    return meaning.supposed, next(
        (one.text for one in said if isinstance(one, Replied) and "supposed" in one.text),
        next(one.text for one in said if isinstance(one, Replied)),
    )


@pytest.mark.row("F10")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what if I had asked for $5,000?", "With the loan amount $5,000: declined too (computed anew)."),
        ("suppose i borrowed 3000", "With the loan amount $3,000: declined too (computed anew)."),
        ("would I be approved with $2,000?", "With the loan amount $2,000: declined too (computed anew)."),
        ("What if I hadn't consented to the bureau?", "Without consent for the credit bureau, it is not known"),
        ("what if i say no", "Without consent for the credit bureau, it is not known"),
        ("without my SSN, what would happen?", "Without the social security number, it is not known"),
        ("what if the bureau had no file on me?", "Where the credit bureau says “no credit file”, it is not known"),
        (
            "what if my income was 90000 and I asked for 3000?",
            "Where the customer database says “record found” with the yearly income $90,000 and with the loan amount "
            "$3,000: declined too (computed anew).",
        ),
        ("What would it take to get approved?", "No loan amount from $500 to $100,000 changes the outcome (declined)."),
        ("how much could I get?", "No loan amount from $500 to $100,000 changes the outcome (declined)."),
        ("what if I hadn't told you my income?", "Yearly income comes from the customer database, and not from you."),
    ],
)
def test_what_is_supposed_is_answered_by_a_fork(ben: Declined, text: str, told: str) -> None:
    supposed, answer = ask(ben, text)
    assert supposed is not None
    assert answer.startswith(told)
    assert answer.endswith("This is only supposed: nothing has changed.")


@pytest.mark.row("F10")
def test_a_what_if_goes_on_with_another_value(ben: Declined) -> None:
    ask(ben, "what if I had asked for $5,000?")
    supposed, answer = ask(ben, "and with 4,000?")
    assert supposed is not None
    assert answer.startswith("With the loan amount $4,000: declined too")


@pytest.mark.row("F10")
@pytest.mark.parametrize("text", ["what if it rains?", "why was I declined?", "what did you do?", "what if"])
def test_what_supposes_nothing_of_the_request_is_answered_as_before(ben: Declined, text: str) -> None:
    supposed, answer = ask(ben, text)
    assert supposed is None
    assert "supposed" not in answer


@pytest.mark.row("F10")
def test_a_conversation_with_what_ifs_is_decided_anew_to_the_same_entries(ben: Declined) -> None:
    ask(ben, "what if I had asked for $5,000?")
    ask(ben, "what would it take?")
    assert ben.services.forks.replay(ben.session).differs is None
