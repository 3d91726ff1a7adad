"""Agents and orchestrators of the services: which there are, who takes part where, and what is learned from whom."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from dialogue.agents.learner import Learner
from dialogue.agents.orchestrators import ORCHESTRATORS, Orchestrator, OrchestratorOptions
from dialogue.log.stores import Store
from dialogue.log.streams import Clock
from dialogue.services.agent_choices import options_of

BUILT_IN = "built in"


@dataclass(frozen=True, slots=True)
class OrchestratorRow:
    """One orchestrator that can be chosen, and where it comes from."""

    name: str
    description: str
    origin: str = BUILT_IN


class AgentServices:
    """What conversations and terminals need of agents. Shared by all threads."""

    def __init__(self, home: Callable[[], Path], store: Store, clock: Clock) -> None:
        self._home, self._store, self._clock = home, store, clock
        self._learners: dict[str, Learner] = {}
        self._lock = threading.Lock()

    def orchestrators(self) -> tuple[OrchestratorRow, ...]:
        """List the orchestrators that can be chosen."""
        made = ((name, make(OrchestratorOptions())) for name, make in ORCHESTRATORS.items())
        return tuple(OrchestratorRow(name, one.description) for name, one in made)

    def orchestrator(self, name: str, choices: Mapping[str, str]) -> tuple[Orchestrator, str]:
        """Make an orchestrator as it was chosen; return with it what it was made with, as text.

        Raises ValueError for options that it cannot use.
        """
        options = options_of(choices)
        return ORCHESTRATORS[name](options), options.model_dump_json()

    def learner(self, learner: str) -> Learner:
        """Return what was learned from a person, or in a conversation, so far."""
        with self._lock:
            if learner not in self._learners:
                self._learners[learner] = Learner(learner, self._store, self._clock, self._home())
            return self._learners[learner]

    def learned(self, learner: str, choices: Mapping[str, str]) -> dict[str, JsonValue]:
        """Return all that was learned from a person, and what each orchestrator makes of it, as JSON."""
        found = self.learner(learner)
        states: dict[str, JsonValue] = {}
        for row in self.orchestrators():
            one, options = self.orchestrator(row.name, choices)
            states[row.name] = json.loads(json.dumps(found.state_of(one, options)[0]))
        return {**found.to_json(), "states": states}

    def forget(self, learner: str) -> None:
        """Delete what was learned from a person, for good."""
        self.learner(learner).forget()
        with self._lock:
            del self._learners[learner]
