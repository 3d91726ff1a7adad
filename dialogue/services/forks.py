"""What-if questions about conversations: forks, what a change would take, replays; nothing here changes a conversation.

A fork is computed on the caller's thread, or in the background by `Analyses.compute`. What forks of one conversation
share (its plans, its trials of simulations) is kept until it goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from catalog.skills import SkillInput
from catalog.skills.protocol import load_files
from dialogue.context import TurnContext
from dialogue.execution.improvement import BackgroundImprovement
from dialogue.forks.changes import Change
from dialogue.forks.difference import ForkDifference, compare
from dialogue.forks.kept import KeptForks
from dialogue.forks.repairs import WhatItTakes, what_it_takes
from dialogue.forks.replay import ReplayResult, replay
from dialogue.forks.rerun import ForkRun, ForkStage
from dialogue.forks.sweep import Sweep, sweep
from dialogue.log.events import CONVERSATION
from dialogue.log.stores import Store
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Clock
from dialogue.policy import beginning_early, remembering
from dialogue.state.goals import StackedGoal

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from pydantic import JsonValue

    from catalog.model import Catalog
    from dialogue.caller import Caller
    from dialogue.log.streams import Event, Journal
    from dialogue.services.services import Services
    from dialogue.services.views import Snapshot
    from dialogue.state.conversation import Conversation

KEPT_STAGES = 8
"""Conversations whose forks share what was computed, the last used ones."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A fork beside its record."""

    run: ForkRun
    difference: ForkDifference


class NoDecision(ValueError):
    """There is nothing to ask what-if about: no goal was pursued, or none came to a decision."""


class ForkServices:
    """Forks of the conversations of the services."""

    def __init__(self, services: Services, store: Store, clock: Clock) -> None:
        self._services = services
        self._store = store
        self._stages: dict[tuple[str, int], ForkStage] = {}
        self._lock = threading.Lock()
        self.kept = KeptForks(store, clock, lambda session_id: services.snapshot(session_id).log)
        """The forks that were kept."""

    def stage(self, session_id: str) -> ForkStage:
        """Return what forks of a conversation as it is now share. Raises UnknownSession."""
        seen = self._services.snapshot(session_id)
        key = session_id, len(seen.log)
        with self._lock:
            found = self._stages.pop(key, None) or self._make_stage(seen)
            self._stages[key] = found
            while len(self._stages) > KEPT_STAGES:
                del self._stages[next(iter(self._stages))]
        return found

    def _make_stage(self, seen: Snapshot) -> ForkStage:
        policy = remembering(self._services.policy_of(seen.conversation))
        return ForkStage(
            seen.catalog, seen.log, policy, self._services.caller, self._loader(seen.session_id), seen.language
        )

    def _loader(self, session_id: str) -> Callable[[JsonValue], SkillInput]:
        get_file = partial(self._store.get_file, StreamId(CONVERSATION.name, session_id))

        def load_input(value: JsonValue) -> SkillInput:
            return load_files(value, get_file)

        return load_input

    def goal(self, session_id: str, goal_id: int | None = None) -> StackedGoal:
        """Return a goal of a conversation by its number, else the last. Raises NoDecision where there is none."""
        goals = self._services.snapshot(session_id).conversation.goals
        everything = (*goals.stack, *reversed(goals.past))
        found = next((one for one in everything if goal_id in (None, one.goal_id)), None)
        if found is None:
            raise NoDecision("Nothing was asked for in this conversation, so there is nothing to suppose otherwise.")
        return found

    def what_if(
        self, session_id: str, changes: Iterable[Change], goal_id: int | None = None, at: int | None = None
    ) -> WhatIf:
        """Play a conversation again with changes, up to the end of a goal; it leaves the record after the entry `at`.

        Raises BadChange, LookupError for unknown names, and NoDecision.
        """
        stage, goal = self.stage(session_id), self.goal(session_id, goal_id)
        run = stage.run(changes, goal, at)
        return WhatIf(run, compare(stage, run, goal))

    def what_it_takes(
        self, session_id: str, given: Iterable[Change] = (), wanted: Iterable[str] = (), goal_id: int | None = None
    ) -> WhatItTakes:
        """Search for the smallest changes that alter the outcome of a goal.

        Raises BadChange, LookupError for unknown names, and NoDecision.
        """
        found = what_it_takes(self.stage(session_id), self.goal(session_id, goal_id), given, wanted)
        if found is None:
            raise NoDecision("No skill has decided anything for this request, so there is no outcome to change.")
        return found

    def sweep(self, session_id: str, run: ForkRun, fact: str) -> Sweep | None:
        return sweep(self.stage(session_id), run, fact)

    def replay(self, session_id: str, changed: Catalog | None = None) -> ReplayResult:
        """Decide a whole conversation anew, with the recorded inputs and answers. Raises UnknownSession.

        Where a `changed` catalog is given, it takes the place of the one that is served.
        """
        services, seen = self._services, self._services.snapshot(session_id)
        loaded = services.loaded(services.name_of(seen.conversation))
        catalog = changed or loaded.catalog
        load = self._loader(session_id)

        def make_turn(journal: Journal[Event, Conversation], caller: Caller, improving: Executor) -> TurnContext:
            state = journal.state
            heard = state.messages.active if state.messages.active is not None else state.messages.inbox[0]
            chosen = services.choices_of(state)
            return TurnContext(
                catalog=catalog,
                digest=state.setup.digest,
                journal=journal,
                policy=beginning_early(services.policy_of(state)),
                understander=services.understander(loaded, chosen["understander"]),
                caller=caller,
                load_input=load,
                today=services.day_of(journal.entry(heard).at),
                language=seen.language,
                improvement=BackgroundImprovement(improving),
            )

        return replay(catalog, seen.log, make_turn, load)
