"""Made-up sessions: agents that answer at random, an orchestrator that chooses, and a person who reacts at random."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from dialogue.agents.events import AGENT_EVENTS, Acted, Broadcast, Chosen, ReactionGiven
from dialogue.agents.feedback import feedback_from
from dialogue.agents.learning.learner import LEARNING, Learned, Unlearned, fold, lessons_of
from dialogue.agents.model import (
    ASSISTANT,
    AgentEvent,
    AgentReply,
    Answers,
    Choice,
    Forced,
    Moment,
    Preview,
    ProposedAction,
    Reaction,
    Silence,
    SilenceReason,
    Stage,
)
from dialogue.agents.orchestrators.protocol import Orchestrator, State
from dialogue.log.events import CONVERSATION
from dialogue.log.stores import embedded_url, open_store
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Entry, Event, Log, StreamKind
from dialogue.services import make_services

MADE_UP: StreamKind[Event] = StreamKind("made-up", *AGENT_EVENTS)
NAMES = (ASSISTANT, "fix", "find", "guess", "explain", "weather")
TYPED = ("gti status", "ls -la", "how do I unpack a tar file?", "git status", "grep -r todo")
FACTS = ("account", "amount", "day")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def _action(rng: Random) -> ProposedAction:
    some = rng.random() < 0.4
    return ProposedAction(
        text=rng.choice(TYPED),
        inputs=tuple(rng.sample(FACTS, rng.randint(0, 2))) if some else (),
        outputs=tuple(rng.sample(FACTS, rng.randint(0, 2))) if some else (),
    )


def answers(rng: Random, names: Sequence[str] = NAMES) -> Answers:
    """Let some agents answer, with confidences among which equal ones are frequent."""
    came: list[Preview | Silence] = []
    for name in names:
        if rng.random() < 0.7:
            sure = rng.choice((rng.random(), round(rng.random(), 1)))
            some = tuple(_action(rng) for _ in range(rng.randint(1, 2)))
            came.append(Preview(agent=name, confidence=sure, actions=some, assumed=rng.random() < 0.1))
        else:
            came.append(Silence(agent=name, reason=rng.choice(list(SilenceReason))))
    rng.shuffle(came)
    return Answers.of(names, came)


class MadeUp:
    """A session as it was lived: its moments, who was forced, the state before each, and its log."""

    def __init__(
        self, orchestrator: Orchestrator, seed: int, turns: int, *, forcing: float = 0.1, undoing: float = 0.0
    ) -> None:
        """Live a session; `forcing` and `undoing` are how often an answer is forced, and something unlearned."""
        rng = Random(seed)
        self.rng, self.orchestrator = rng, orchestrator
        self.names = rng.sample(NAMES, rng.randint(1, len(NAMES)))
        self.moments: list[Moment] = []
        self.forced: list[Forced | None] = []
        self.states: list[State] = []
        self.events: list[Event] = []
        self.learned: list[Event] = []
        state = orchestrator.begin()
        last: list[Moment] = []
        for _ in range(turns):
            event = AgentEvent(text=rng.choice(TYPED))
            for moment in last:
                for feedback in feedback_from(moment, None, event):
                    self.learned.append(Learned(feedback=feedback))
                    state = orchestrator.observe(state, feedback)
            if self.learned and rng.random() < undoing:
                self.learned.append(Unlearned(of=rng.randrange(len(self.learned) + 1)))
                state = fold(orchestrator, lessons_of(_numbered(self.learned)).kept)
            last = [self._live(event, state, forcing)]
            if rng.random() < 0.3:
                after = AgentEvent(text=event.text, stage=Stage.AFTER, output="not found", exit_code=127)
                last.append(self._live(after, state, forcing))

    def _live(self, event: AgentEvent, state: State, forcing: float) -> Moment:
        rng = self.rng
        came = answers(rng, self.names)
        forced = Forced(agent=rng.choice([None, *self.names])) if rng.random() < forcing else None
        choice = self.orchestrator.choose(state, event, came, forced, rng.randrange(2**31))
        reaction = rng.choice([None, *Reaction]) if choice.agents else None
        moment = Moment(event=event, answers=came, choice=choice, reaction=reaction)
        self.moments.append(moment)
        self.forced.append(forced)
        self.states.append(state)
        self._write(moment, forced)
        return moment

    def _write(self, moment: Moment, forced: Forced | None) -> None:
        took = {name: self.rng.random() * 200 for name in self.names}
        self.events.append(Broadcast(event=moment.event, answers=moment.answers, took_ms=took))
        of = len(self.events)
        name, learned = self.orchestrator.name, len(self.learned)
        self.events.append(Chosen(of=of, orchestrator=name, choice=moment.choice, forced=forced, learned=learned))
        chosen = len(self.events)
        for agent in moment.choice.agents:
            self.events.append(Acted(of=chosen, agent=agent, reply=AgentReply(text=f"{agent} did it")))
        if moment.reaction is not None:
            self.events.append(ReactionGiven(of=chosen, reaction=moment.reaction))

    @property
    def log(self) -> Log:
        """The session as a log, an entry a second."""
        return _numbered(self.events)

    @property
    def lessons(self) -> Log:
        """What was learned, as a log."""
        return _numbered(self.learned)


def _numbered(events: Sequence[Event]) -> Log:
    return tuple(
        Entry(seq=place, at=NOON + timedelta(seconds=place), event=event) for place, event in enumerate(events, 1)
    )


def choices(moments: Sequence[Moment]) -> list[Choice]:
    """List what was chosen."""
    return [moment.choice for moment in moments]


def keep(lived: MadeUp, home: Path, catalog: str = "banking", renamed: Mapping[str, str] | None = None) -> str:
    """Put a session into the store of a data directory, as a conversation; return its id.

    `renamed` are other names and texts for some that it has.
    """
    services = make_services(home)
    session_id = services.start(catalog)
    begun = len(services.snapshot(session_id).log)
    services.close()
    store = open_store(embedded_url(home))
    kept = []
    for entry in lived.log:
        event = _renamed(MADE_UP, entry, renamed or {}).event
        if isinstance(event, Chosen | Acted | ReactionGiven):
            event = event.model_copy(update={"of": event.of + begun})
        kept.append(CONVERSATION.encode(Entry(seq=entry.seq + begun, at=entry.at, event=event)))
    store.append(StreamId(CONVERSATION.name, session_id), kept)
    store.append(
        StreamId(LEARNING.name, session_id),
        [LEARNING.encode(_renamed(LEARNING, entry, renamed or {})) for entry in lived.lessons],
    )
    store.close()
    return session_id


def _renamed(kind: StreamKind[Event], entry: Entry, renamed: Mapping[str, str]) -> Entry:
    text = entry.model_dump_json()
    for old, new in renamed.items():
        text = text.replace(json.dumps(old), json.dumps(new))
    return kind.decode(text)
