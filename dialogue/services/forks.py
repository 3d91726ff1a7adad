"""What-if questions about conversations: forks, what a change would take, replays; nothing here changes a conversation.

A fork is computed on the caller's thread, or in the background by `Analyses.compute`. What forks of one conversation
share (its plans, its trials of simulations) is kept until it goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from catalog.model import Catalog
from dialogue.forks.changes import Change
from dialogue.forks.difference import ForkDifference, compare
from dialogue.forks.repairs import WhatItTakes, what_it_takes
from dialogue.forks.replay import ReplayResult
from dialogue.forks.rerun import ForkRun, ForkStage
from dialogue.forks.sweep import Sweep, sweep
from dialogue.services.views import Snapshot
from dialogue.state.goals import StackedGoal

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

    def __init__(
        self,
        snapshot: Callable[[str], Snapshot],
        make_stage: Callable[[Snapshot], ForkStage],
        replay: Callable[[Snapshot, Catalog | None], ReplayResult],
    ) -> None:
        self._snapshot, self._make_stage, self._replay = snapshot, make_stage, replay
        self._stages: dict[tuple[str, int], ForkStage] = {}
        self._lock = threading.Lock()

    def stage(self, session_id: str) -> ForkStage:
        """Return what forks of a conversation as it is now share. Raises UnknownSession."""
        seen = self._snapshot(session_id)
        key = session_id, len(seen.log)
        with self._lock:
            found = self._stages.pop(key, None) or self._make_stage(seen)
            self._stages[key] = found
            while len(self._stages) > KEPT_STAGES:
                del self._stages[next(iter(self._stages))]
        return found

    def goal(self, session_id: str, goal_id: int | None = None) -> StackedGoal:
        """Return a goal of a conversation by its number, else the last. Raises NoDecision where there is none."""
        goals = self._snapshot(session_id).conversation.goals
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
        return self._replay(self._snapshot(session_id), changed)
