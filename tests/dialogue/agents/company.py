"""Agents whose behaviour a test sets, in a conversation over the toys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from dialogue.agents.agent import DeclaredAgent, Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction
from dialogue.agents.record import Recorded, recorded
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from tests.dialogue.toys import CATALOG, TODAY, Notation, Toybox, load_toys


@dataclass
class Friend:
    """An agent that is as sure as a test says, keeps what it is shown, and says what a test says."""

    sure: Callable[[str], float] = lambda text: 0.0
    says: Callable[[str], AgentReply] = lambda text: AgentReply(text=f"Done: {text}")
    shown: list[str] = field(default_factory=list)
    did: list[str] = field(default_factory=list)

    def preview(self, event: AgentEvent) -> Proposal | None:
        self.shown.append(event.model_dump_json())
        confidence = self.sure(event.text)
        action = ProposedAction(text=f"see to: {event.text}")
        return Proposal(confidence=confidence, actions=(action,)) if confidence else None

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        self.shown.append(event.model_dump_json())
        self.did.append(event.text)
        return self.says(event.text)


def on(*words: str, sure: float = 0.9) -> Callable[[str], float]:
    """Return a confidence for texts in which one of some words stands."""
    return lambda text: sure if any(word in text for word in words) else 0.0


class Company(Toybox):
    """A conversation over the toys, with further agents."""

    def __init__(self, home: Path, orchestrator: str = "planner", *friends: str, **choices: str) -> None:
        self.friends = {name: Friend() for name in friends}
        super().__init__(home, CATALOG)
        chosen = {"orchestrator": orchestrator, "agents": ", ".join(friends), **choices}
        self.session = self.services.start("toys", chosen)

    def open(self) -> Services:
        def maker(name: str) -> Callable[[str], DeclaredAgent]:
            return lambda _: DeclaredAgent(name, f"the agent {name}", self.friends[name], limit_s=30.0, execute_s=30.0)

        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"toys": load_toys(self.catalog)},
            understander=Notation,
            allowed=("tests.dialogue.toys",),
            trusted=("tests.dialogue.toys",),
            agents={name: maker(name) for name in self.friends},
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )

    @property
    def choices(self) -> dict[str, str]:
        return self.services.choices_of(self.now)

    @property
    def moments(self) -> tuple[Recorded, ...]:
        return recorded(self.log)

    def learned(self, orchestrator: str) -> JsonValue:
        """What an orchestrator has learned from this user."""
        states = self.services.learned(self.session)["states"]
        assert isinstance(states, dict)
        return states[orchestrator]

    def chosen(self) -> tuple[str, ...]:
        """The agents that were chosen last."""
        return self.moments[-1].moment.choice.agents

    def talk(self, text: str) -> list[tuple[str, str]]:
        """Say something; return who replied what."""
        before = len(self.log)
        self.say(text)
        return [(e.event.sender, e.event.text) for e in self.log[before:] if e.event.kind == "replied"]
