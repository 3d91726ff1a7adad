"""What-if questions about conversations: forks, what a change would take, replays; nothing here changes a conversation.

A fork is computed on the caller's thread, or in the background by `Analyses.compute`. What forks of one conversation
share (its plans, its trials of simulations) is kept until it goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from catalog.model import Catalog
from catalog.wording.grammar import capitalize
from dialogue.forks.changes import (
    BadChange,
    Change,
    ConsentAnswer,
    Say,
    SupposedOutcome,
    Withhold,
    check_changes,
    check_record,
)
from dialogue.forks.difference import ForkDifference, compare
from dialogue.forks.kept import KeptFork, KeptForks, to_keep
from dialogue.forks.repairs import WhatItTakes, what_it_takes
from dialogue.forks.replay import ReplayResult
from dialogue.forks.rerun import ForkRun, ForkStage
from dialogue.forks.sweep import Sweep, sweep
from dialogue.forks.words import tell_fork, tell_what_it_takes
from dialogue.log.events import Asked, Log, Ran
from dialogue.log.stores import DamagedStream
from dialogue.services.analyses import position_of
from dialogue.services.views import Snapshot
from dialogue.state.conversation import Conversation, project
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from dialogue.state.questions import GO_AHEAD
from language.interpretation import Entity, Supposition

_UNDECIDED = "Nothing is decided yet, so I cannot tell what would change it."
_SUPPOSED_ONLY = "This is only supposed: nothing has changed."


def answer_supposed(stage: ForkStage, now: Conversation, supposed: Supposition) -> str | None:
    """Answer by a fork of the request that is pursued, else of the last; None where there is nothing to fork."""
    goal = next(iter(goals_of(now)), None)
    if goal is None:
        return None
    catalog = stage.catalog
    try:
        check_record(catalog, stage.log)
        changes = tuple(_list_changes(stage, now, supposed))
        if supposed.takes:
            found = what_it_takes(stage, goal, changes)
            told = [_UNDECIDED] if found is None else list(tell_what_it_takes(catalog, found))
        elif changes:
            run = stage.run(changes, goal)
            told = list(tell_fork(catalog, run, compare(stage, run, goal)))
        else:
            return None
    except (BadChange, LookupError) as error:
        told = [str(error)]
    return " ".join((*told, _SUPPOSED_ONLY))


def _list_changes(stage: ForkStage, now: Conversation, supposed: Supposition) -> Iterator[Change]:
    for value in supposed.values:
        yield _change_value(stage, now, value)
    for fact in supposed.withheld:
        if (ran := _call_that_gave(stage, now, fact)) is not None:
            label, source = capitalize(stage.catalog.facts[fact].label), stage.catalog.skills[ran.skill].label
            raise BadChange(f"{label} comes from the {source}, and not from you.")
        yield Withhold(fact)
    for skill, given in supposed.consents.items():
        pending = now.questions.pending
        asked = pending.asked if pending is not None and pending.asked.about == "fact" and not skill else None
        if asked is not None and stage.catalog.facts[asked.subject].value.is_yes_or_no:
            yield Say(asked.subject, given)
        elif asked is not None and not given:
            yield Withhold(asked.subject)
        elif subject := skill or _asked_last(stage):
            yield ConsentAnswer(subject, given)
    for skill, outcome in supposed.outcomes.items():
        yield SupposedOutcome(skill, outcome)


def _change_value(stage: ForkStage, now: Conversation, value: Entity) -> Change:
    """Return that a person says a value, or that the skill returns it which gave another one."""
    ran = _call_that_gave(stage, now, value.fact)
    if ran is None:
        return Say(value.fact, value.value)
    return SupposedOutcome(ran.skill, ran.outcome, {value.fact: value.value})


def _call_that_gave(stage: ForkStage, now: Conversation, fact: str) -> Ran | None:
    """Return the call that gave a fact; None where a person said it, or it is not known."""
    known = now.facts.known.get(fact)
    gave = stage.log[known.by - 1].event if known is not None and known.source == "skill" else None
    return gave if isinstance(gave, Ran) else None


def _asked_last(stage: ForkStage) -> str:
    """Return of what the last question for a consent, or a go-ahead, was; empty where there was none."""
    asked = (one.event for one in reversed(stage.log) if isinstance(one.event, Asked))
    return next((one.subject for one in asked if one.about in GO_AHEAD), "")


KEPT_STAGES = 8
"""Conversations whose forks share what was computed, the last used ones."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A fork beside its record."""

    run: ForkRun
    difference: ForkDifference


class NoDecision(ValueError):
    """There is nothing to ask what-if about: no goal was pursued, or none came to a decision."""


def _choose_goal(seen: Snapshot, goal_id: int | None) -> StackedGoal:
    found = next((one for one in goals_of(seen.conversation) if goal_id in (None, one.goal_id)), None)
    if found is None:
        raise NoDecision("Nothing was asked for in this conversation, so there is nothing to suppose otherwise.")
    return found


class ForkServices:
    def __init__(
        self,
        snapshot: Callable[[str], Snapshot],
        make_stage: Callable[[str, Catalog, Log, Conversation], ForkStage],
        replay: Callable[[Snapshot, Catalog | None], ReplayResult],
        kept: KeptForks,
    ) -> None:
        self._snapshot, self._make_stage, self._replay = snapshot, make_stage, replay
        self.kept = kept
        self._stages: dict[tuple[Hashable, ...], ForkStage] = {}
        self._lock = threading.Lock()

    def _begin(self, session_id: str, goal_id: int | None) -> tuple[ForkStage, StackedGoal]:
        """Return what forks of a conversation as it is now share, and the goal with a number, else the last."""
        seen = self._snapshot(session_id)
        return self._stage_of(seen), _choose_goal(seen, goal_id)

    def _stage_of(self, seen: Snapshot) -> ForkStage:
        key = position_of(seen)
        with self._lock:
            check_record(seen.catalog, seen.log)
            made = seen.session_id, seen.catalog, seen.log, seen.conversation
            found = self._stages.pop(key, None) or self._make_stage(*made)
            self._stages[key] = found
            while len(self._stages) > KEPT_STAGES:
                del self._stages[next(iter(self._stages))]
        return found

    def forget(self, session_id: str) -> None:
        """Forget what was computed for a conversation that was deleted, and delete the forks of it that are kept."""
        with self._lock:
            self._stages = {key: kept for key, kept in self._stages.items() if key[0] != session_id}
        for one in self.kept.of(session_id):
            self.kept.delete(one.fork_id)

    def keep(
        self, session_id: str, name: str, changes: Iterable[Change], goal_id: int | None = None, at: int | None = None
    ) -> str:
        """Keep a fork of a conversation as it is now, under a name; return its id.

        Raises UnknownSession, BadChange, UnknownName, NoDecision, and ValueError for an empty name.
        """
        seen = self._snapshot(session_id)
        goal = _choose_goal(seen, goal_id)
        where = {"conversation": session_id, "entries": len(seen.log), "goal": goal.goal_id, "at": at}
        return self.kept.keep(to_keep(name, check_changes(seen.catalog, changes), **where))

    def open(self, one: KeptFork) -> WhatIf:
        """Play a kept fork again, beside the record as it was when it was kept.

        Raises DamagedStream, UnknownSession, NoDecision, BadChange, and LookupError for what the catalog lacks now.
        """
        if one.damage:
            raise DamagedStream(one.damage)
        seen, kept = self._snapshot(one.kept.conversation), one.kept
        if len(seen.log) > kept.entries:
            log = seen.log[: kept.entries]
            seen = replace(seen, log=log, conversation=project(log))
        stage, goal = self._stage_of(seen), _choose_goal(seen, kept.goal)
        run = stage.run(one.changes(seen.catalog), goal, kept.at)
        return WhatIf(run, compare(stage, run, goal))

    def what_if(
        self, session_id: str, changes: Iterable[Change], goal_id: int | None = None, at: int | None = None
    ) -> WhatIf:
        """Play a conversation again with changes, up to the end of a goal; it leaves the record after the entry `at`.

        Raises BadChange, LookupError for unknown names, and NoDecision.
        """
        stage, goal = self._begin(session_id, goal_id)
        run = stage.run(changes, goal, at)
        return WhatIf(run, compare(stage, run, goal))

    def what_it_takes(
        self, session_id: str, given: Iterable[Change] = (), wanted: Iterable[str] = (), goal_id: int | None = None
    ) -> WhatItTakes:
        """Search for the smallest changes that alter the outcome of a goal.

        Raises BadChange, LookupError for unknown names, and NoDecision.
        """
        found = what_it_takes(*self._begin(session_id, goal_id), given, wanted)
        if found is None:
            raise NoDecision("No skill has decided anything for this request, so there is no outcome to change.")
        return found

    def sweep(self, session_id: str, run: ForkRun, fact: str) -> Sweep | None:
        return sweep(self._stage_of(self._snapshot(session_id)), run, fact)

    def replay(self, session_id: str, changed: Catalog | None = None) -> ReplayResult:
        """Decide a whole conversation anew, with the recorded inputs and answers. Raises UnknownSession.

        Where a `changed` catalog is given, it takes the place of the one that is served. Raises BadChange where the
        catalog lacks so much of what was recorded that nothing can be decided.
        """
        seen = self._snapshot(session_id)
        try:
            return self._replay(seen, changed)
        except (LookupError, ValueError):
            check_record(changed or seen.catalog, seen.log)
            raise
