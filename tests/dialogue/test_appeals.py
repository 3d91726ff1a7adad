"""Turning to a person is an act in every catalog: recorded with its words, acknowledged, told whom to write to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from catalog.load import load, loads
from catalog.model import Fact
from catalog.model.contact import Appeal
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from language.acts.speech_acts import find_appeals
from language.interpretation import APPEALS
from language.text.words import fold
from tests.dialogue.test_acts_before_state import Visit

_CATALOG = """
version: 1
name: {name}
label: Toy bank
{contact}
facts:
  amount: {{label: amount, value: {{kind: number, minimum: 1}}, ask: How much?}}
  sum: {{label: sum, askable: false, value: {{kind: number}}}}
  message: {{label: message, value: {{kind: text}}, ask: What is the message?}}
  sent: {{label: receipt, askable: false, value: {{kind: text}}}}
  row: {{label: row, value: {{kind: number}}, ask: Which row?}}
  gone: {{label: deleted row, askable: false, value: {{kind: number}}}}
skills:
  add: {{modes: {{main: {{inputs: [amount], outcomes: {{done: [sum]}}}}}}}}
  send: {{modes: {{main: {{inputs: [message], outcomes: {{done: [sent]}}}}}}}}
  drop: {{modes: {{main: {{inputs: [row], outcomes: {{done: [gone]}}}}}}}}
goals:
  loan: {{label: loan, facts: [sum], examples: [I want a loan, lend me money, a loan of 4000]}}
  message: {{label: message, facts: [sent], examples: [send a message, write to Ann]}}
  delete_row: {{label: deletion of a row, facts: [gone], examples: [delete the second row, remove row 3{wins}]}}
"""
ASKS = {
    Appeal.PERSON: (
        "I want to talk to a person",
        "Can I speak to somebody?",
        "let me talk to a human",
        "please connect me with an agent",
        "I'd like to speak with a real person about my loan",
        "is there someone I can talk to?",
        "how can I reach a human being?",
        "who can I talk to about this?",
        "put me through to your manager",
        "could someone call me?",
        "I need to speak to a representative",
        "real person please",
    ),
    Appeal.DISAGREEMENT: (
        "I disagree",
        "I disagree because I have always paid on time",
        "I don't agree with this decision",
        "this decision is unfair",
        "I want to appeal",
        "I'd like to contest the decision",
        "I object to the result, because my score is out of date",
        "I want to file a complaint about the rejection",
        "that's not fair",
        "I can't accept this outcome",
    ),
    Appeal.DATA: (
        "delete my data",
        "please erase everything you know about me",
        "I want my data deleted",
        "can you remove all my personal information?",
        "forget everything I told you",
        "I want to be forgotten",
        "wipe my records from your system",
        "delete this conversation",
    ),
}
ASKS_NOT = (
    "I disagree with the amount, it is 4000",
    "I disagree, it is 4000",
    "delete the second one",
    "delete the last row",
    "is there a person who decides?",
    "my person of contact is Ann",
    "which person decides on loans?",
    "how many persons work there?",
    "I am a person of few words",
    "delete my last answer",
    "remove the amount",
    "forget it",
    "wipe everything and start over",
    "don't share my data",
    "what happens with my data?",
    "where is my data stored?",
    "I agree",
    "I don't disagree",
    "do people disagree with you?",
    "my boss disagrees",
    "I want to talk about my loan",
    "talk to me",
    "I want to send a message to a person",
    "call me Ann",
    "is this decision final?",
    "why was I declined?",
    "that's wrong, make it 4000",
    "what if I want to talk to a person?",
    "do I have to talk to a person for that?",
    "my data file is ledger.csv",
)


_PLAIN = loads(_CATALOG.format(name="plain", contact="", wins="")).catalog


def _acts(text: str, asked: str | None = None, fact: Fact | None = None) -> set[Appeal]:
    return {APPEALS[one.act] for one in find_appeals(fold(text), asked, fact)}


@pytest.mark.row("V25")
@pytest.mark.parametrize(("appeal", "text"), [(appeal, text) for appeal, texts in ASKS.items() for text in texts])
def test_who_turns_to_a_person_is_understood(appeal: Appeal, text: str) -> None:
    assert _acts(text) == {appeal}


@pytest.mark.row("V25")
@pytest.mark.parametrize("text", ASKS_NOT)
def test_what_only_sounds_alike_is_no_such_act(text: str) -> None:
    assert not _acts(text)


@pytest.mark.row("V25")
def test_what_answers_a_question_is_an_answer() -> None:
    message, amount = (_PLAIN.facts[name] for name in ("message", "amount"))
    assert not _acts("I disagree", "authorize")
    assert not _acts("I don't agree with that because it is mine", "authorize")
    assert _acts("I don't agree with the decision", "authorize") == {Appeal.DISAGREEMENT}
    assert not _acts("I disagree", "offer")
    assert _acts("I disagree because I paid", "offer") == {Appeal.DISAGREEMENT}
    assert not _acts("an operator", "choice")
    assert not _acts("an operator", "fact", message)
    assert _acts("an operator", "fact", amount) == {Appeal.PERSON}
    assert not _acts("I disagree because it rained", "fact", message)
    assert not _acts("Dear Ann, I want to talk to a person", "fact", message)
    assert _acts("I want to talk to a person", "fact", message) == {Appeal.PERSON}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    desks = "[{name: desk, address: desk@a.example}, {name: Ms Lee, address: room 4, about: [data]}]"
    catalogs = {
        "plain": loads(_CATALOG.format(name="plain", contact="", wins="")),
        "desk": loads(_CATALOG.format(name="desk", contact=f"contact: {desks}", wins="")),
        "wins": loads(_CATALOG.format(name="wins", contact="", wins=", delete my data")),
        "banking": load("banking"),
        "accounting": load("accounting"),
    }
    store = SqliteStore(tmp_path_factory.mktemp("appeals") / "sessions.db")
    one = Services(store, catalogs, clock=lambda: datetime(2026, 11, 21, tzinfo=UTC), today=date(2026, 11, 21))
    yield one
    one.close()


@pytest.mark.row("V25")
@pytest.mark.parametrize("before", [(), ("I want a loan",)])
@pytest.mark.parametrize("appeal", Appeal)
def test_it_is_recorded_acknowledged_and_nothing_else_follows(
    services: Services, appeal: Appeal, before: tuple[str, ...]
) -> None:
    talk = Visit(services, "desk", *before)
    begun, known = list(talk.begun), dict(talk.now.facts.known)
    for text in ASKS[appeal]:
        told = talk.say(text)
        assert len(told) == (2 if before else 1), told
        assert (talk.events("appealed")[-1].about, talk.begun, talk.now.facts.known) == (appeal, begun, known)
        assert talk.asks == ("fact amount" if before else None)
    said = [event.words for event in talk.events("appealed")]
    assert [words in text for words, text in zip(said, ASKS[appeal], strict=True)] == [True] * len(said)


@pytest.mark.row("V25")
def test_it_is_told_whom_to_write_to_or_that_this_is_not_declared(services: Services) -> None:
    talk = Visit(services, "desk")
    assert "desk: desk@a.example" in talk.say("I want to talk to a person")[0]
    told = talk.say("delete my data")[0]
    assert "Ms Lee: room 4" in told
    assert "page Sessions" in told
    assert "does not say whom to write to" in Visit(services, "plain").say("I disagree")[0]


@pytest.mark.row("V25")
def test_what_a_reason_says_changes_nothing_and_a_correction_is_one(services: Services) -> None:
    talk = Visit(services, "desk", "I want a loan", "5000")
    talk.say("I disagree because the amount should be 4000")
    assert talk.value("amount") == 5000
    talk.say("I disagree with that amount, make it 4000")
    assert (talk.value("amount"), len(talk.events("appealed"))) == (4000, 1)


@pytest.mark.row("V25")
def test_a_request_of_the_catalog_wins_where_its_examples_say_so(services: Services) -> None:
    talk = Visit(services, "wins", "delete my data")
    assert (talk.begun, talk.events("appealed")) == (["delete_row"], [])
    books = Visit(services, "accounting", "I want to talk to a person")
    assert (books.begun, books.events("appealed")) == (["contact_us"], [])
    bank = Visit(services, "banking", "I want to talk to a person about my loan")
    assert (bank.begun, len(bank.events("appealed"))) == ([], 1)


@pytest.mark.parametrize("text", [", " * 2000, "\n" * 4000, "and so but then " * 250, "i want to " * 400])
def test_long_texts_that_almost_are_such_an_act_are_read_at_once(text: str) -> None:
    assert not _acts(text)
