"""Agents and orchestrators of the services: which there are, who takes part where, and what is learned from whom."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.feedback import feedback_from
from dialogue.agents.learning.learner import Learner
from dialogue.agents.model import ASSISTANT
from dialogue.agents.orchestrators import ORCHESTRATORS, Orchestrator, OrchestratorOptions, register, unregister
from dialogue.agents.participants import Participants
from dialogue.agents.record import recorded
from dialogue.agents.sources.drop_ins import DropIns, MakeAgent
from dialogue.agents.terminal.calls import DESCRIPTIONS
from dialogue.agents.terminal.sessions import ShellSessionRow, list_sessions, read_session
from dialogue.log.events import Log
from dialogue.log.stores import Store
from dialogue.log.streams import Clock
from dialogue.settings import Configuration, SettingsError, check_choices, choices_in
from dialogue.settings.agent_choices import options_of, read_names, read_preferences, read_profile
from dialogue.settings.choices import check_choice

BUILT_IN, DROPPED_IN = "built in", "dropped in"
PLANNER = "planner"
"""The orchestrator by which an assistant that is alone acts without being chosen."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OrchestratorRow:
    """One orchestrator that can be chosen, and where it comes from."""

    name: str
    description: str
    origin: str = BUILT_IN


class AgentServices:
    """What conversations and terminals need of agents. Shared by all threads."""

    def __init__(
        self, home: Callable[[], Path], store: Store, clock: Clock, agents: Mapping[str, MakeAgent] | None = None
    ) -> None:
        self._home, self._store, self._clock = home, store, clock
        self._makers = dict(agents or {})
        self._closing: list[Callable[[], None]] = []
        self.dropped_in = DropIns()
        """What was found in drop-in folders."""
        self._made: dict[tuple[str, str], DeclaredAgent] = {}
        self._learners: dict[str, Learner] = {}
        self._lock = threading.Lock()

    def offer(self, agents: Mapping[str, MakeAgent], found: DropIns, close: Callable[[], None]) -> None:
        """Offer more agents, and what was found in drop-in folders; `close` is called at the end."""
        self._makers |= agents
        self.dropped_in = found
        self._closing.append(close)
        for name, make in found.orchestrators.items():
            register(name, make)

    def close(self) -> None:
        for name in self.dropped_in.orchestrators:
            unregister(name)
        self.dropped_in = DropIns()
        while self._closing:
            self._closing.pop()()

    def orchestrators(self) -> tuple[OrchestratorRow, ...]:
        made = ((name, make(OrchestratorOptions())) for name, make in ORCHESTRATORS.items())
        ours = self.dropped_in.orchestrators
        return tuple(
            OrchestratorRow(name, one.description, DROPPED_IN if name in ours else BUILT_IN) for name, one in made
        )

    def orchestrator(self, name: str, choices: Mapping[str, str]) -> tuple[Orchestrator, str]:
        """Make an orchestrator as it was chosen; return with it what it was made with, as text.

        Where it was dropped in, and is gone, that is the planner. Raises ValueError for options that it cannot use.
        """
        options = options_of(choices)
        if name not in ORCHESTRATORS:
            _log.warning("the orchestrator %s is gone: the planner chooses instead", name)
        return ORCHESTRATORS.get(name, ORCHESTRATORS[PLANNER])(options), options.model_dump_json()

    def names(self) -> tuple[str, ...]:
        """List the agents that can take part in conversations besides the assistant."""
        return tuple(self._makers)

    def checked(self, choices: Mapping[str, str | None], seen: Iterable[str] = ()) -> dict[str, str | None]:
        """Return what a conversation chooses for itself; `seen` are agents that have taken part in it.

        Raises SettingsError, for agents that there are not, too.
        """
        checked = check_choices(choices)
        self.check({name: value for name, value in checked.items() if value is not None}, seen)
        return checked

    def check(self, values: Mapping[str, str], seen: Iterable[str] = ()) -> None:
        """Check what settings say of agents and orchestrators against those that there are. Raises SettingsError.

        The settings alone know drop-ins only by their folders: not which can be used, and what each is.
        """
        try:
            for name in ("orchestrator", "shell_orchestrator"):
                if name in values:
                    check_choice(name, values[name])
            agents = read_names(values.get("agents", ""))
            pairs = read_preferences(values.get("preferences", ""))
            profile = read_profile(values.get("profile", "max"))
        except ValueError as error:
            raise SettingsError(str(error)) from error
        named = (*(agent for pair in pairs for agent in pair), profile.agent, profile.other)
        everyone = tuple(dict.fromkeys((ASSISTANT, *self._makers, *DESCRIPTIONS, *seen)))
        for there, known in ((agents, tuple(self._makers)), (named, everyone)):
            if missing := next((name for name in there if name and name not in known), None):
                raise SettingsError(f"There is no agent {missing!r:.82}. There are: {', '.join(known) or 'none'}.")

    def usable(self, configuration: Configuration) -> Configuration:
        """Return a configuration without agents and orchestrators that there are not; they may be gone by now.

        Raises SettingsError for those of the command line.
        """
        settings = configuration.settings
        for name, value in {**choices_in(settings), "shell_orchestrator": settings.shell_orchestrator}.items():
            try:
                self.check({name: value})
            except SettingsError as error:
                configuration = configuration.without(name, str(error))
                _log.error("planglass: %s", configuration.problems[name])
        return configuration

    def participants(
        self, session_id: str, catalog: str, choices: Mapping[str, str], learner: str = ""
    ) -> Participants | None:
        """Return who takes part in a conversation; None: the assistant is alone, and there is nothing to choose.

        The assistant of a catalog is no further agent in a conversation over it. An agent that is gone is left out,
        and for an orchestrator that is gone, the planner chooses.
        """
        names = [name for name in read_names(choices["agents"]) if name != catalog and name in self._makers]
        if not names and choices["orchestrator"] == PLANNER:
            return None
        chosen = choices["orchestrator"]
        orchestrator, options = self.orchestrator(chosen if chosen in ORCHESTRATORS else PLANNER, choices)
        agents = tuple(self.agent(session_id, name) for name in names)
        return Participants(agents, orchestrator, self.learner(learner or session_id), session_id, options)

    def agent(self, session_id: str, name: str) -> DeclaredAgent:
        with self._lock:
            if (session_id, name) not in self._made:
                self._made[session_id, name] = self._makers[name](session_id)
            return self._made[session_id, name]

    def react(self, log: Log, choice: int, learner: Learner, stream: str) -> None:
        found = recorded(log)
        place = next(place for place, one in enumerate(found) if one.chosen == choice)
        following = found[place + 1].moment.event if place + 1 < len(found) else None
        for feedback in feedback_from(found[place].moment, None, following):
            learner.learn(feedback, stream, choice)

    def terminal_sessions(self) -> tuple[ShellSessionRow, ...]:
        return list_sessions(self._store)

    def terminal_session(self, session_id: str) -> Log:
        """Read a terminal session. Raises UnknownStream."""
        return read_session(self._store, session_id)

    def learner(self, learner: str) -> Learner:
        """Return what was learned from a person, or in a conversation, so far."""
        with self._lock:
            if learner not in self._learners:
                self._learners[learner] = Learner(learner, self._store, self._clock, self._home())
            return self._learners[learner]

    def learned(self, learner: Learner, choices: Mapping[str, str]) -> dict[str, JsonValue]:
        """Return all that was learned from a person, and what each orchestrator makes of it, as JSON."""
        states: dict[str, JsonValue] = {}
        for row in self.orchestrators():
            one, options = self.orchestrator(row.name, choices)
            states[row.name] = json.loads(json.dumps(learner.state_of(one, options)[0]))
        return {**learner.to_json(), "states": states}

    def unlearn(self, learner: Learner, lesson: int, stream: str) -> tuple[int, ...]:
        """Take back a lesson, or all; return the entries of the choices in `stream` that they were learned from."""
        choices = tuple(one.entry for one in learner.lessons.kept if lesson in (0, one.seq) and one.stream == stream)
        learner.unlearn(lesson)
        return choices

    def forget(self, learner: str) -> None:
        """Delete what was learned from a person, or in a conversation with a stream of its own, for good."""
        self.learner(learner).forget()
        with self._lock:
            del self._learners[learner]
            for key in [key for key in self._made if key[0] == learner]:
                del self._made[key]
