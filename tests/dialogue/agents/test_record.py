"""What is read back from the events of agents: moments, open questions, consents."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from dialogue.agents.events import Acted, Broadcast, Chosen, ReactionGiven, SharingConsented
from dialogue.agents.model import AgentEvent, AgentReply, Answers, Choice, Moment, Preview, Reaction
from dialogue.agents.orchestrators.planner import MaxOrchestrator
from dialogue.agents.record import last_recorded, moments, recorded
from dialogue.log.events import CONVERSATION, Entry, Heard, TurnStarted
from dialogue.log.streams import Event
from dialogue.services import Snapshot
from dialogue.state.agents import AgentState
from dialogue.state.conversation import Conversation, project
from pages.views.events import say_event
from pages.views.snapshot_view import SnapshotView

AT = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
NAMES = ("assistant", "books", "weather")


def log_of(*events: Event) -> tuple[Entry, ...]:
    return tuple(Entry(seq=seq, at=AT, event=event) for seq, event in enumerate(events, start=1))


@st.composite
def one_moment(draw: st.DrawFn) -> Moment:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    sure = st.floats(0, 1, allow_nan=False)
    answers = Answers.of(NAMES, [Preview(agent=name, confidence=draw(sure)) for name in names])
    event = AgentEvent(text=draw(st.text(max_size=20)))
    best = MaxOrchestrator()
    choice = best.choose(best.begin(), event, answers, None, 0)
    return Moment(event=event, answers=answers, choice=choice, reaction=draw(st.none() | st.sampled_from(Reaction)))


def events_of(moment: Moment, begin: int) -> list[Event]:
    """Write a moment as the events that a log would hold, the first of them at an entry."""
    told = Broadcast(event=moment.event, answers=moment.answers)
    events: list[Event] = [told, Chosen(of=begin, orchestrator="max", choice=moment.choice)]
    events += [Acted(of=begin + 1, agent=agent, reply=AgentReply(text="Done.")) for agent in moment.choice.agents]
    if moment.reaction is not None:
        events += [
            ReactionGiven(of=begin + 1, reaction=Reaction.IGNORED),
            ReactionGiven(of=begin + 1, reaction=moment.reaction),
        ]
    return events


@given(st.lists(one_moment(), max_size=5))
def test_the_moments_of_a_log_are_those_that_were_written(written: list[Moment]) -> None:
    events: list[Event] = []
    numbers = count(1)
    for moment in written:
        events.append(Heard(turn=next(numbers), text="something"))
        events += events_of(moment, len(events) + 1)
    log = log_of(*events)
    assert moments(log) == tuple(written)
    assert moments(CONVERSATION.decode(CONVERSATION.encode(entry).text) for entry in log) == tuple(written)
    for one in recorded(log):
        assert {type(log[seq - 1].event) for seq in one.entries} <= {Broadcast, Chosen, Acted, ReactionGiven}
        assert isinstance(log[one.chosen - 1].event, Chosen)
    project(log)


@given(st.lists(one_moment(), min_size=1, max_size=4), st.data())
def test_the_last_moment_is_read_back_alike_however_late_somebody_reacts_to_earlier_ones(
    written: list[Moment], data: st.DataObject
) -> None:
    events: list[Event] = []
    made: list[int] = []
    for moment in written:
        made.append(len(events) + 2)
        events += events_of(moment, len(events) + 1)
        late = data.draw(st.lists(st.sampled_from(made), max_size=2))
        events += [ReactionGiven(of=of, reaction=Reaction.DISMISSED) for of in late]
    log = log_of(*events)
    assert last_recorded(log, project(log).agents) == recorded(log)[-1]
    assert last_recorded((), AgentState()) is None


def chosen(*agents: str) -> tuple[Event, Event]:
    answers = Answers.of(NAMES, [])
    return (
        Broadcast(event=AgentEvent(text="x"), answers=answers),
        Chosen(of=1, orchestrator="max", choice=Choice(agents=agents, verdicts=())),
    )


def test_a_broadcast_after_which_nobody_chose_is_no_moment() -> None:
    assert moments(log_of(chosen()[0], TurnStarted(turn=1, of=1))) == ()


def test_what_an_agent_asks_stays_open_until_it_says_something_else_or_is_turned_down() -> None:
    asked = (*chosen("books"), Acted(of=2, agent="books", reply=AgentReply(text="Which year?", asks=True)))
    now = project(log_of(*chosen("books", "weather"))).agents
    assert replace(now, choices=()) == AgentState(last=2, left=("books", "weather"))
    pending = project(log_of(*asked)).agents.pending
    assert pending is not None
    assert (pending.agent, pending.text, pending.of) == ("books", "Which year?", 2)
    for other in (
        Acted(of=2, agent="weather", reply=AgentReply(text="Rain.")),
        Acted(of=2, agent="books", trouble="it was cut off"),
        ReactionGiven(of=2, reaction=Reaction.THUMBS_UP),
    ):
        assert project(log_of(*asked, other)).agents.pending == pending
    for end in (
        Acted(of=2, agent="books", reply=AgentReply(text="Nothing was spent.")),
        ReactionGiven(of=2, reaction=Reaction.DISMISSED),
    ):
        assert project(log_of(*asked, end)).agents.pending is None


def test_an_agent_that_failed_is_named_as_such() -> None:
    log = log_of(*chosen("books", "weather"), Acted(of=2, agent="books", trouble="it was cut off"))
    (one,) = recorded(log)
    assert one.failed == ("books",)
    assert one.entries == (1, 2, 3)


def test_a_consent_names_an_agent_and_can_be_taken_back() -> None:
    given_to = SharingConsented(agent="books", given=True)
    assert project(log_of(given_to)).agents.consents == {"books"}
    assert project(log_of(given_to, SharingConsented(agent="books", given=False))).agents.consents == frozenset()


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (chosen("books", "weather")[1], "max chose books, weather"),
        (chosen()[1], "max chose no agent"),
        (Acted(of=2, agent="books", trouble="it was cut off"), "books failed: it was cut off"),
        (Acted(of=2, agent="{books}"), "{books} acted"),
        (ReactionGiven(of=2, reaction=Reaction.THUMBS_DOWN), "You marked it as bad"),
        (SharingConsented(agent="books", given=True), "books may see what is sensitive"),
        (SharingConsented(agent="books", given=False), "books may no longer see what is sensitive"),
    ],
)
def test_what_agents_do_is_told_in_one_line(event: Event, said: str) -> None:
    seen = SnapshotView(Snapshot("s", load("banking").catalog, (), Conversation()), None, "how")
    assert say_event(seen, Entry(seq=1, at=AT, event=event)) == said
