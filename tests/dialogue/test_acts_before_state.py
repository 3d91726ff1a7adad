"""What an utterance does is decided before any of its words counts: it asks, supposes, refuses, takes back, or tells.

The conversations are those in which more was done than had been said; the gate itself is tried on made-up meanings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load, loads
from dialogue.log.events import Asked
from dialogue.log.stores import SqliteStore
from dialogue.moves.gate import Permitted, permit
from dialogue.services import Services
from dialogue.state.conversation import Conversation
from dialogue.state.questions import PendingQuestion
from language.interpretation import (
    PERMITTED,
    ActSpan,
    DialogueAct,
    Entity,
    Intent,
    Interpretation,
    Span,
    SpeechAct,
    Update,
)
from tests.dialogue.clinic import Clinic
from tests.dialogue.toys import CATALOG, Talk
from tests.docs.documents import ROOT, table_rows

BUREAU_ASKED = ("I want a loan of $12,000", "ann.bell@example.org")
"""What leads to the question whether the credit bureau may be given the social security number."""


class Visit(Talk):
    """One conversation over services that several share."""

    def __init__(self, services: Services, catalog: str, *said: str) -> None:
        self.services = services
        self.session = services.start(catalog)
        self.catalog = catalog
        for text in said:
            self.say(text)

    def value(self, fact: str) -> object:
        known = self.now.facts.known
        return known[fact].value if fact in known else None

    def called(self, skill: str) -> int:
        return sum(1 for event in self.events("calling") if event.skill == skill)

    @property
    def goals(self) -> list[str]:
        return [goal.goal for goal in self.now.goals.stack]

    @property
    def begun(self) -> list[str]:
        return [event.goal for event in self.events("goal_pushed")]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    one = Clinic(tmp_path_factory.mktemp("clinic"))
    yield one.services
    one.services.close()


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    home: Path = tmp_path_factory.mktemp("demos")
    services = Services(
        SqliteStore(home / "sessions.db"),
        {name: load(name) for name in ("banking", "accounting")},
        clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
        today=date(2026, 11, 21),
    )
    yield services
    services.close()


# consent


@pytest.mark.row("V6")
@pytest.mark.parametrize(
    "said",
    [
        "actually no, do not give it to the credit bureau",
        "I withdraw my consent",
        "I changed my mind, don't share it",
        "please keep my social security number to yourself",
    ],
)
def test_consent_can_be_taken_back_in_any_words_until_the_call_is_made(demos: Services, said: str) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "yes")
    assert talk.asks == "fact ssn"
    talk.say(said)
    assert [event.subject for event in talk.events("withdrew")] == ["credit_check"]
    talk.say("900-12-3456")
    assert talk.called("credit_check") == 0


@pytest.mark.row("V6")
def test_what_was_asked_for_with_consent_that_was_taken_back_is_asked_for_anew(demos: Services) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "yes", "I withdraw my consent", "stop")
    talk.say("I want a loan")
    talk.say("my social security number is 900-12-3456")
    assert talk.asks == "authorize credit_check"
    assert talk.called("credit_check") == 0


@pytest.mark.row("V6")
def test_consent_for_one_request_is_not_used_for_another(clinic: Services) -> None:
    talk = Visit(clinic, "clinic", "I want a cost estimate", "Dr. Ames", "yes", "QX123456")
    assert talk.called("insurer") == 1
    talk.say("I want a refund")
    talk.say("I paid $80")
    assert talk.asks == "authorize insurer"
    assert talk.called("insurer") == 1


@pytest.mark.row("V6")
def test_after_the_call_it_is_told_what_was_given_and_nothing_more_goes(clinic: Services) -> None:
    talk = Visit(clinic, "clinic", "I want a cost estimate", "Dr. Ames", "yes", "QX123456")
    (reply,) = talk.say("I withdraw my consent")
    assert "insurance company" in reply and "12:00" in reply
    talk.say("I want a cost estimate with Dr. Novak")
    assert talk.asks == "authorize insurer"
    assert talk.called("insurer") == 1


@pytest.mark.row("V6")
def test_a_value_that_is_volunteered_after_a_refusal_is_not_passed_on(demos: Services) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "no")
    talk.say("my social security number is 900-12-3456")
    assert talk.called("credit_check") == 0
    assert not talk.events("authorized")


@pytest.mark.row("V6")
@pytest.mark.parametrize("said", ["yeah right", "not sure", "maybe later", "let me think", "yes, but is it safe?"])
def test_what_is_neither_yes_nor_no_is_asked_again_and_is_never_called_a_no(demos: Services, said: str) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED)
    replies = talk.say(said)
    assert talk.asks == "authorize credit_check"
    assert not talk.events("authorized") and not talk.events("refused")
    assert "credit bureau" in replies[-1] and not any("You said no" in reply for reply in replies)


@pytest.mark.row("V6")
@pytest.mark.row("V10")
def test_a_question_for_consent_that_stays_open_is_closed_as_not_agreed(demos: Services) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED)
    replies = [reply for _ in range(3) for reply in talk.say("not sure")]
    assert [event.because for event in talk.events("refused")] == ["unclear"]
    assert not any("declined" in reply.lower() or "said no" in reply.lower() for reply in replies)
    assert talk.asks == "fact employer"


@pytest.mark.row("V6")
@pytest.mark.parametrize(
    "said", ["you can keep the credit score", "you can forget the credit bureau", "let's do this again"]
)
def test_what_only_looks_like_a_permission_gives_none(demos: Services, said: str) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED)
    talk.say(said)
    assert not talk.events("authorized") and talk.called("credit_check") == 0


@pytest.mark.row("V6")
def test_a_no_can_become_a_yes(demos: Services) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "no")
    assert talk.asks == "fact employer"
    talk.say("actually yes, you can ask the bureau")
    assert [event.subject for event in talk.events("authorized")] == ["credit_check"]
    assert talk.asks == "fact ssn"


@pytest.mark.parametrize("said", ["start over", "go back"])
def test_to_start_over_and_to_go_back_are_no_failed_answers(clinic: Services, said: str) -> None:
    talk = Visit(clinic, "clinic", "I want an appointment", "Dr. Ames")
    assert talk.asks == "fact day"
    talk.say(said)
    assert talk.asks == "fact doctor"
    assert not [event for event in talk.events("answered") if not event.accepted]
    reasons = {one for one in (*talk.reasons("retracted"), *talk.reasons("discarded")) if "you asked" in one}
    assert reasons
    assert all(said in reason for reason in reasons), "the reason on record is what was asked"


def test_what_took_effect_is_said_to_stay(clinic: Services) -> None:
    talk = Visit(clinic, "clinic", "I want an appointment", "Dr. Ames", "on 30 November", "yes")
    (reply,) = talk.say("undo that")
    assert "cannot undo" in reply and "booking desk" in reply
    assert talk.called("booker") == 1


# questions and suppositions


@pytest.mark.parametrize(
    "said",
    [
        "is Dr. Novak nicer?",
        "just curious, is Dr. Novak nicer?",
        "can you also do Dr. Novak?",
        "would 5 December do as well?",
        "what if it were Dr. Osei?",
        "had I said Dr. Osei, would it be quicker?",
        "yes, or is 5 December better?",
    ],
)
def test_a_question_while_something_is_confirmed_changes_nothing_and_agrees_to_nothing(
    clinic: Services, said: str
) -> None:
    talk = Visit(clinic, "clinic", "I want an appointment", "Dr. Ames", "on 30 November")
    talk.say(said)
    assert (talk.value("doctor"), talk.value("day")) == ("Dr. Ames", "2026-11-30")
    assert talk.asks == "confirm booker" and talk.called("booker") == 0
    talk.say("yes")
    (confirmed,) = talk.events("calling")
    assert {fact: talk.now.facts.known[fact].event for fact in ("doctor", "day")} == confirmed.input_events


def test_what_was_only_supposed_after_a_decision_was_never_asked_for(demos: Services) -> None:
    talk = Visit(demos, "banking", "I want a loan of $25,000", "ann.bell@example.org", "yes", "900-12-3456")
    assert talk.called("loan_decision") == 1
    talk.say("no thanks")
    talk.say("what if I ask for $5,000 instead?")
    talk.say("no, leave it")
    replies = talk.say("how much did I ask for?")
    assert talk.value("loan_amount") == "25000.00"
    assert "25,000" in " ".join(replies) and "5,000. You" not in " ".join(replies).replace("25,000", "")
    assert talk.called("loan_decision") == 1


# words that were not read

UNREAD = [
    f"{who} {does} {what}"
    for who in ("the purple kettle", "mossy lanterns", "correction my otters")
    for does in ("hums beside", "outran")
    for what in ("a ninth pebble", "yonder marmalade")
]
"""Made up from words of no catalog: whatever people mean by what is not read, it is no yes."""


@pytest.mark.row("V7")
@pytest.mark.parametrize("said", UNREAD)
def test_after_words_that_were_not_read_a_yes_goes_ahead_with_nothing(clinic: Services, said: str) -> None:
    talk = Visit(clinic, "clinic", "I want an appointment", "Dr. Ames", "on 30 November")
    (asked,) = talk.say(said)
    assert "changed nothing" in asked and asked.endswith("Please answer yes or no.")
    talk.say("yes")
    assert talk.called("booker") == 0 and talk.now.goals.stack
    talk.say("no")
    assert talk.asks == "confirm booker" and talk.called("booker") == 0
    talk.say("yes")
    assert talk.called("booker") == 1


@pytest.mark.row("V7")
def test_a_value_in_words_that_were_not_read_is_read_back_and_counts_after_a_yes(clinic: Services) -> None:
    talk = Visit(clinic, "clinic", "I want an appointment", "Dr. Ames", "on 30 November")
    (question,) = talk.say("hm it was Osei who patched my knee")
    assert "Osei" in question and talk.value("doctor") == "Dr. Ames"
    talk.say("yes")
    assert talk.value("doctor") == "Dr. Osei" and talk.asks == "confirm booker" and talk.called("booker") == 0


@pytest.mark.row("V6")
@pytest.mark.parametrize("said", ["please treat my last answer as a no", "I said that too quickly", *UNREAD[:2]])
def test_consent_is_asked_for_again_after_words_that_may_take_it_back(demos: Services, said: str) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "yes", said)
    assert talk.asks == "authorize credit_check"
    talk.say("900-12-3456")
    assert talk.called("credit_check") == 0
    talk.say("yes")
    assert talk.called("credit_check") == 1


@pytest.mark.row("V6")
@pytest.mark.parametrize("said", ["can I take my yes back?", "could you please forget that I agreed?"])
def test_consent_is_taken_back_by_a_polite_question(demos: Services, said: str) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "yes", said)
    assert [event.subject for event in talk.events("withdrew")] == ["credit_check"]


def test_a_question_beside_an_open_one_begins_nothing_that_acts(demos: Services) -> None:
    talk = Visit(demos, "accounting", "Write an invoice over $450 for a yoga class")
    assert talk.asks == "confirm create_invoice_api"
    talk.say("do you update customers as well")
    assert talk.begun == ["create_invoice"] and talk.called("update_customer_api") == 0


# approval of a whole plan


def test_a_whole_plan_is_approved_once_and_then_runs(demos: Services) -> None:
    talk = Visit(demos, "accounting", "let me see the plan first", "Write an invoice over $450 for a yoga class")
    assert talk.asks == "plan create_invoice" and talk.called("create_invoice_api") == 0
    asked = talk.now.questions.pending
    assert asked is not None and "invoicing" in asked.asked.text and "cannot be undone" in asked.asked.text
    talk.say("yes")
    assert talk.called("create_invoice_api") == 1
    assert not [event for event in talk.events("asked") if event.about == "confirm"]


@pytest.mark.parametrize("said", ["no", "not sure", "what if it were $90?", "the purple kettle hums"])
def test_without_a_yes_to_the_plan_nothing_runs(demos: Services, said: str) -> None:
    talk = Visit(demos, "accounting", "let me see the plan first", "Write an invoice over $450 for a yoga class")
    talk.say(said)
    assert talk.called("create_invoice_api") == 0 and talk.value("invoice_amount") == "450.00"


def test_what_leaves_the_approved_plan_stops_and_asks(demos: Services) -> None:
    talk = Visit(demos, "banking", "let me see the plan first", *BUREAU_ASKED)
    talk.say("yes")
    assert talk.called("customer_lookup") == 1
    assert talk.asks == "plan loan" and "not in the plan" in talk.now.questions.pending.asked.text
    talk.say("yes")
    assert talk.asks == "fact ssn" and [event.subject for event in talk.events("authorized")] == ["credit_check"]


def test_an_approval_is_taken_back_like_any_consent(demos: Services) -> None:
    talk = Visit(demos, "banking", "let me see the plan first", *BUREAU_ASKED, "yes", "yes")
    assert talk.asks == "fact ssn"
    talk.say("I take my approval back")
    talk.say("900-12-3456")
    assert talk.called("credit_check") == 0


def test_a_click_on_take_back_says_so_and_takes_the_consent_back(demos: Services) -> None:
    talk = Visit(demos, "banking", *BUREAU_ASKED, "yes")
    talk.say("I take back my consent: credit bureau")
    assert [event.subject for event in talk.events("withdrew")] == ["credit_check"]
    talk.say("900-12-3456")
    assert talk.called("credit_check") == 0


# refusals


@pytest.mark.parametrize(
    ("catalog", "said", "begun"),
    [
        ("banking", "don't change my address, just show my spending", ["spending"]),
        ("accounting", "the P&L for last quarter, but no call please", ["profit_loss_report"]),
        ("banking", "keep your credit cards", []),
        ("banking", "a loan, but no credit card", ["loan"]),
        ("banking", "drop the loan, please", []),
        ("banking", "Give me a mortgage quote but I do not want a credit score", ["mortgage"]),
        ("banking", "my address can stay as it is, do not change it. I came for my spending", ["spending"]),
        ("banking", "please dont sign me up for a credit card", []),
        ("banking", "leave my address alone, I want a loan", ["loan"]),
        ("banking", "I'm not here to take out a loan", []),
        ("banking", "under no circumstances a loan", []),
        ("accounting", "P&L for May 2025. nobody needs to ring me about it", ["profit_loss_report"]),
        ("accounting", "expense report for May 2025, not the profit and loss", ["expense_report"]),
        ("accounting", "there's no need to add Nora Falk as a customer", []),
    ],
)
def test_what_is_refused_is_not_begun_and_what_is_said_beside_it_is(
    demos: Services, catalog: str, said: str, begun: Sequence[str]
) -> None:
    talk = Visit(demos, catalog)
    talk.say(said)
    assert talk.begun == list(begun)


def test_a_refusal_of_what_is_open_ends_it_and_is_acknowledged(demos: Services) -> None:
    talk = Visit(demos, "banking", "I want a loan of $12,000")
    replies = talk.say("I don't want a loan")
    assert talk.goals == [] and "no loan" in replies[0]


# answers in free text


@pytest.mark.parametrize(
    "said",
    [
        "my sister says trains are nicer",
        "hi there",
        "I want an appointment",
        "my brother always does this",
        "go ahead",
        "before that, I want a cost estimate",
        "good morning to you too",
    ],
)
def test_a_remark_a_greeting_and_another_request_are_no_city(clinic: Services, said: str) -> None:
    talk = Visit(clinic, "clinic", "I need travel advice")
    assert talk.asks == "fact city"
    talk.say(said)
    assert talk.value("city") is None and talk.called("adviser") == 0


@pytest.mark.parametrize("said", ["to Bergen", "I am going to Bergen", "Bergen"])
def test_what_leads_to_an_answer_is_no_part_of_it(clinic: Services, said: str) -> None:
    talk = Visit(clinic, "clinic", "I need travel advice")
    talk.say(said)
    assert talk.value("city") == "Bergen"


def test_a_doubtful_answer_is_read_back_and_counts_after_a_yes_alone(clinic: Services) -> None:
    talk = Visit(clinic, "clinic", "I need travel advice")
    (question,) = talk.say("the town where my sister lives")
    assert question.startswith("Is “") and talk.value("city") is None
    talk.say("no")
    assert talk.asks == "fact city" and talk.value("city") is None
    talk.say("the town where my sister lives")
    talk.say("yes")
    assert talk.value("city") is not None


# the gate

TOYS = loads(CATALOG, file="toys.yaml").catalog
WORDS = "0123456789" * 6
"""The words do not matter to the gate: what they mean, and what they do, is made up."""


def _span(start: int, end: int) -> Span:
    return Span(start=start, end=end, text=WORDS[start:end])


@st.composite
def utterances(draw: st.DrawFn, acts: Sequence[SpeechAct]) -> Interpretation:
    """Make up what an utterance means whose stretches do one thing each: goals and values at places in them."""
    at = 0
    stretches: list[ActSpan] = []
    for act in acts:
        end = at + draw(st.integers(6, 12))
        unwanted = tuple(draw(st.sets(st.sampled_from(sorted(TOYS.goals)), max_size=2)))
        named = tuple(draw(st.sets(st.sampled_from(["giver", "secret"]), max_size=1)))
        refuses = unwanted if act is SpeechAct.REFUSE else ()
        stretches.append(
            ActSpan(act=act, span=_span(at, end), goals=refuses, named=named, tentative=draw(st.booleans()))
        )
        at = end

    def place() -> Span:
        start = draw(st.integers(0, at - 2))
        return _span(start, start + 1)

    def value() -> Entity:
        fact = draw(st.sampled_from(["a", "b", "secret", "wish"]))
        return Entity(fact=fact, value=draw(st.sampled_from(["red", "blue"])), span=place(), rule="made up")

    values = tuple(value() for _ in range(draw(st.integers(0, 3))))
    goals: list[Intent] = []
    for name in draw(st.sets(st.sampled_from(sorted(TOYS.goals)), max_size=2)):
        own = tuple(value() for _ in range(draw(st.integers(0, 2))))
        goals.append(Intent(goal=name, span=place(), values=own, confidence=1.0))
    control = draw(st.sampled_from([None, DialogueAct.YES, DialogueAct.NO, DialogueAct.UNSURE, DialogueAct.CHITCHAT]))
    told = tuple(one for one in stretches if one.act is not SpeechAct.TELL)
    return Interpretation(values=values, goals=tuple(goals), control=control, acts=told)


def questions() -> st.SearchStrategy[PendingQuestion | None]:
    """Make up the open question: for consent, a go-ahead, an offer, or none."""
    consent = Asked(about="authorize", subject="giver", facts=("secret",), text="May I?", attempt=1)
    go_ahead = Asked(about="confirm", subject="giver", mode="give", facts=("c", "secret"), text="Shall I?", attempt=1)
    offer = Asked(about="offer", subject="toy", text="Would you?", attempt=1)
    asked = [None, *(PendingQuestion(1, one) for one in (consent, go_ahead, offer))]
    return st.sampled_from(asked)


def updates_of(allowed: Permitted, pending: PendingQuestion | None) -> set[Update]:
    """List what can follow from what is permitted."""
    meaning, about = allowed.meaning, pending.asked.about if pending else ""
    found: set[Update] = set()
    if not meaning.hypothetical and (meaning.values or any(goal.values for goal in meaning.goals)):
        found.add(Update.WRITE)
    if not meaning.hypothetical and meaning.goals:
        found.add(Update.BEGIN)
    if allowed.refused:
        found.add(Update.END)
    if allowed.allowing:
        found.add(Update.CONSENT)
    if allowed.forbidding:
        found.add(Update.WITHDRAW)
    if meaning.control is DialogueAct.YES and about and not (allowed.allowing and about == "authorize"):
        found.add(Update.ANSWER)
    return found


@given(st.data(), st.sampled_from(SpeechAct), questions())
def test_only_what_its_row_permits_follows_from_an_act(
    data: st.DataObject, act: SpeechAct, pending: PendingQuestion | None
) -> None:
    meaning = data.draw(utterances([act]))
    follows = updates_of(permit(meaning, TOYS, Conversation(), pending), pending)
    with_arguments = {Update.WRITE} if act is SpeechAct.ASK and Update.BEGIN in follows else set()
    at_hand = {Update.ANSWER} if meaning.control is DialogueAct.YES and act is SpeechAct.REFUSE else set()
    assert follows <= {*PERMITTED[act], *with_arguments, *at_hand}


@given(st.data(), st.lists(st.sampled_from(SpeechAct), min_size=2, max_size=4), questions())
def test_what_is_said_in_one_stretch_gains_nothing_from_another(
    data: st.DataObject, acts: list[SpeechAct], pending: PendingQuestion | None
) -> None:
    meaning = data.draw(utterances(acts))
    allowed = permit(meaning, TOYS, Conversation(), pending)

    def act_at(span: Span) -> SpeechAct:
        return next((a.act for a in meaning.acts if a.span.start <= span.start < a.span.end), SpeechAct.TELL)

    begun = () if allowed.meaning.hypothetical else allowed.meaning.goals
    assert all(Update.BEGIN in PERMITTED[act_at(goal.span)] for goal in begun)
    written = [*allowed.meaning.values, *(value for goal in begun for value in goal.values)]
    for value in () if allowed.meaning.hypothetical else written:
        asked_for = act_at(value.span) is SpeechAct.ASK and any(act_at(g.span) is SpeechAct.ASK for g in begun)
        assert Update.WRITE in PERMITTED[act_at(value.span)] or asked_for
    wondering = {SpeechAct.ASK, SpeechAct.SUPPOSE}.intersection(acts)
    if wondering and pending is not None:
        assert allowed.meaning.control is not DialogueAct.YES
    assert bool(allowed.forbidding) <= (SpeechAct.TAKE_BACK in acts)
    assert bool(allowed.allowing) <= (SpeechAct.AGREE in acts and SpeechAct.TAKE_BACK not in acts)
    assert bool(allowed.refused) <= (SpeechAct.REFUSE in acts)


def test_the_table_of_acts_in_the_documents_is_the_one_that_is_used() -> None:
    text = (ROOT / "docs" / "utterances.md").read_text(encoding="utf-8")
    section = text.split("## What each act may change\n")[1].split("\n## ")[0]
    told = {row[0]: {one.strip() for one in row[1].split(",")} - {"nothing"} for row in table_rows(section)}
    assert told == {act.value: {update.value for update in updates} for act, updates in PERMITTED.items()}
