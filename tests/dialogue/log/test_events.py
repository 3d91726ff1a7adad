"""What every event must declare, and how streams of any kind are written, read and folded."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from types import new_class
from typing import get_type_hints

import pytest
from pydantic import JsonValue

from catalog.load import load
from catalog.values.base import HIDDEN as MASK
from dialogue.log.events import ASSISTANT, CONVERSATION, Alerted, Asked, Heard, Replied, SessionStarted, TurnStarted
from dialogue.log.sensitive import FreeText, ValuesByFact
from dialogue.log.stores import Conflict, embedded_url, open_store
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Entry, Event, Fold, StoredJournal, StreamKind
from dialogue.services import Snapshot
from dialogue.state.conversation import RULES, Conversation, advance, project, register_rules
from dialogue.state.fold_rule import unchanged
from dialogue.state.masking import mask_entry, secrets_of
from language.responses.events import LINES
from pages.views.events import say_event
from pages.views.snapshot_view import SnapshotView

AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


class Posted(Event, kind="posted", sensitive=(FreeText("text"),)):
    """A message in a room."""

    text: str


class Left(Event, kind="left", sensitive=()):
    """Somebody left a room."""

    who: str


class Learned(Event, kind="learned", sensitive=(ValuesByFact("values"),)):
    """Something that a package of its own has learned, with values of facts."""

    values: dict[str, JsonValue]
    note: str


class Misdeclared(Event, kind="misdeclared", sensitive=(FreeText("txt"),)):
    """An event that declares a field that it does not have."""


class SecondPosted(Event, kind="posted", sensitive=()):
    """An event whose kind is taken."""


# What follows fails for an event that lacks a declaration, a rule or a wording.


def test_every_event_has_a_rule_by_which_it_is_folded() -> None:
    assert [event for event in CONVERSATION.events if event not in RULES] == []


def test_every_event_has_a_wording() -> None:
    kinds = {str(event.model_fields["kind"].default): event for event in CONVERSATION.events}
    assert kinds.keys() == LINES.keys()
    for kind, line in LINES.items():
        if isinstance(line, str) and kind != "preferred":
            named = {name for _, name, _, _ in Formatter().parse(line) if name}
            assert named <= kinds[kind].model_fields.keys(), kind


@pytest.mark.parametrize("event", CONVERSATION.events, ids=lambda event: str(event.model_fields["kind"].default))
def test_every_event_declares_the_fields_that_can_hold_values_of_facts(event: type[Event]) -> None:
    assert "sensitive" in vars(event)
    hints = get_type_hints(event, include_extras=True)
    holding = {
        name for name in event.model_fields if any(word in str(hints[name]) for word in ("Json", "interpretation"))
    }
    assert holding - {"fact"} <= {declared.field for declared in event.sensitive}


def test_an_event_without_a_rule_is_an_error_and_not_silently_ignored() -> None:
    with pytest.raises(LookupError, match=r"Posted has no rule.*`unchanged`"):
        advance(Conversation(), Entry(seq=1, at=AT, event=Posted(text="hello")))


def test_a_package_adds_the_rules_of_its_own_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dialogue.state.conversation.RULES", dict(RULES))
    register_rules({Left: unchanged})
    assert advance(Conversation(seq=4), Entry(seq=5, at=AT, event=Left(who="ann"))) == Conversation(seq=5)


def test_an_event_without_a_wording_is_an_error_and_not_shown_by_its_name() -> None:
    catalog = load("banking").catalog
    seen = SnapshotView(Snapshot("s", catalog, (), Conversation()), None, "how")
    with pytest.raises(LookupError, match=r"left has no wording: add one to LINES"):
        say_event(seen, Entry(seq=1, at=AT, event=Left(who="ann")))


def test_what_an_event_declares_as_sensitive_is_masked_and_remembered_without_knowing_its_class() -> None:
    catalog = load("banking").catalog
    entry = Entry(seq=1, at=AT, event=Learned(values={"ssn": "123-45-6789", "loan_amount": 12}, note="so 123-45-6789"))
    secrets = secrets_of(catalog, (entry,))
    assert "123-45-6789" in secrets
    shown = mask_entry(catalog, entry, secrets, (), str)["event"]
    assert shown == {"kind": "learned", "values": {"ssn": MASK, "loan_amount": 12}, "note": f"so {MASK}"}


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Misdeclared, r"declares \['txt'\] as sensitive, and has no such field"),
        (SecondPosted, r"the kind 'posted' belongs to Posted; choose another"),
        (Event, r"Event has no kind"),
    ],
)
def test_an_event_that_is_not_declared_in_full_is_refused(event: type[Event], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        StreamKind[Event]("room", Posted).register(event)


# streams


def test_a_package_adds_its_events_to_a_kind_of_stream_that_another_has_made() -> None:
    kind: StreamKind[Event] = StreamKind("conversation", *CONVERSATION.events)
    said = Entry(seq=1, at=AT, event=Heard(turn=1, text="hello"))
    left = Entry(seq=2, at=AT, event=Left(who="ann"))
    assert kind.decode(kind.encode(said).text) == said
    with pytest.raises(ValueError, match="left"):
        kind.decode(kind.encode(left).text)
    kind.register(Left)
    kind.register(Left)
    for entry in (said, left):
        assert kind.decode(kind.encode(entry).text) == entry


def test_a_stream_of_any_kind_has_a_journal_with_a_state_of_its_own(home: Path) -> None:
    room = StreamKind[Posted]("room", Posted)
    fold = Fold[Posted, tuple[str, ...]]((), lambda texts, entry: (*texts, entry.event.text))
    store = open_store(embedded_url(home))
    journal = StoredJournal("r", store, lambda: AT, room, fold)
    assert [journal.add(Posted(text=text)) for text in ("one", "two")] == [1, 2]
    assert journal.state == ("one", "two")
    assert journal.shown == ((), ())
    journal.flush()
    other = StoredJournal.open("r", store, lambda: AT, room, fold)
    assert other.state == ("one", "two")
    assert other.entry(2).event.text == "two"
    other.add(Posted(text="three"))
    other.flush()
    journal.add(Posted(text="lost the race"))
    with pytest.raises(Conflict):
        journal.flush()
    assert journal.state == ("one", "two")
    assert [entry.kind for entry in store.read(StreamId("room", "r"))] == ["posted"] * 3
    store.close()


# participants


def written(event: Event) -> str:
    return CONVERSATION.encode(Entry(seq=1, at=AT, event=event)).text


@pytest.mark.parametrize(
    ("event", "sender", "receivers"),
    [
        (Heard(turn=1, text="hello"), "user", ("assistant",)),
        (Replied(text="hello"), "assistant", ("user",)),
        (Asked(about="fact", subject="email", text="Which?"), "assistant", ("user",)),
        (Alerted(turn=1, trigger="fire"), "environment", ("assistant",)),
    ],
    ids=lambda value: value.kind if isinstance(value, Event) else None,
)
def test_a_message_has_a_sender_and_receivers_which_are_written_only_where_they_are_unusual(
    event: Heard | Replied | Asked | Alerted, sender: str, receivers: tuple[str, ...]
) -> None:
    assert (event.sender, event.receivers) == (sender, receivers)
    assert "sender" not in written(event)
    assert "receivers" not in written(event)
    other = event.model_copy(update={"sender": "ann", "receivers": ("bob", "cd")})
    read = CONVERSATION.decode(written(other)).event
    assert read == other
    assert CONVERSATION.decode(written(event)).event == event


def test_the_state_knows_who_said_what_to_whom() -> None:
    events = (
        SessionStarted(catalog="toys", digest="d"),
        Heard(turn=1, text="hello", sender="ann", receivers=(ASSISTANT, "bob")),
        TurnStarted(turn=1, of=2),
        Replied(text="hello", receivers=("ann",)),
    )
    messages = project(Entry(seq=seq, at=AT, event=event) for seq, event in enumerate(events, 1)).messages.all
    assert [(m.sender, m.receivers) for m in messages] == [("ann", ("assistant", "bob")), ("assistant", ("ann",))]


def test_a_message_from_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="sender"):
        Heard(turn=1, text="hello", sender="")


@pytest.mark.parametrize(("declared", "missing"), [({"kind": "undeclared"}, "sensitive"), ({"sensitive": ()}, "kind")])
def test_an_event_without_a_kind_or_its_sensitive_fields_cannot_be_written(
    declared: dict[str, object], missing: str
) -> None:
    with pytest.raises(TypeError, match=rf"missing 1 required keyword-only argument: '{missing}'"):
        new_class("Undeclared", (Event,), declared)
