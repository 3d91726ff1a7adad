"""The engine of calls: an attempt is on record, it is made under its key, and has then ended, failed, or is in doubt.

Assistant and tasks, and so explorations, make their calls by it. They differ in the events in which they record an
attempt and its result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import JsonValue

from catalog.model import Catalog, Effect
from catalog.skills import SkillInput
from dialogue.caller import Caller, NoEffect, NotReturned, Returned, Told
from dialogue.runtime import TurnPool

CallEnd = Returned | NotReturned


class CallTools(Protocol):
    """What calls need: who makes them, how a value is given to a skill, where files are kept, and keys."""

    @property
    def caller(self) -> Caller: ...

    @property
    def load_input(self) -> Callable[[JsonValue], SkillInput]:
        """Give a value as a skill gets it: for one that stands for a file, the file."""
        ...

    @property
    def keep_file(self) -> Callable[[bytes], object]:
        """Keep a file that a skill returned, under its digest."""
        ...

    @property
    def key_of(self) -> Callable[[str], str]:
        """Give the idempotency key of a call, by its id."""
        ...


@dataclass(frozen=True, slots=True)
class CallAttempt:
    """An attempt at a call that is on record; its key is that of the `first` attempt at the same call, by its id.

    `values` are those of its inputs, as they are kept.
    """

    skill: str
    mode: str
    values: Mapping[str, JsonValue]
    first: str


def make(tools: CallTools, catalog: Catalog, attempt: CallAttempt) -> CallEnd:
    """Call a skill once: it gets the files that values stand for, and those that it returns are kept.

    Where the call may have taken effect without an answer, the skill's own lookup is asked, if it has one.
    """
    came = tools.caller.call(catalog, attempt.skill, attempt.mode, _load(tools, attempt), tools.key_of(attempt.first))
    if isinstance(came, NotReturned):
        if not is_in_doubt(catalog, attempt.skill, came):
            return came
        return replace(came, told=look_up(tools, catalog, attempt))
    for data in came.files:
        tools.keep_file(data)
    return came


def look_up(tools: CallTools, catalog: Catalog, attempt: CallAttempt) -> Told | None:
    """Ask a skill's own lookup what became of an attempt; None where it has none, or a required value is lost."""
    skill = catalog.skills.get(attempt.skill)
    mode = skill.modes.get(attempt.mode) if skill else None
    if skill is None or mode is None or skill.lookup is None or not attempt.values.keys() >= set(mode.inputs):
        return None
    told = tools.caller.look_up(
        catalog, attempt.skill, attempt.mode, _load(tools, attempt), tools.key_of(attempt.first)
    )
    for data in told.files if isinstance(told, Returned) else ():
        tools.keep_file(data)
    return told


def is_irreversible(catalog: Catalog, skill: str) -> bool:
    """Return whether a call must not be made a second time; of a skill that is gone, that is not known."""
    declared = catalog.skills.get(skill)
    return declared is None or declared.effect is Effect.IRREVERSIBLE


def is_in_doubt(catalog: Catalog, skill: str, came: NotReturned) -> bool:
    """Return whether a call that failed may have taken effect, which is not known."""
    known = came.error == "unavailable" or isinstance(came.told, NoEffect)
    return not known and is_irreversible(catalog, skill)


def _load(tools: CallTools, attempt: CallAttempt) -> dict[str, SkillInput]:
    return {name: tools.load_input(value) for name, value in attempt.values.items()}


@dataclass(frozen=True, slots=True)
class LendingCaller:
    """Calls skills as another one does; while a skill works, or hangs, others go on with their turns."""

    caller: Caller
    pool: TurnPool

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        with self.pool.lent():
            return self.caller.call(catalog, skill, mode, values, key)

    def look_up(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Told:
        with self.pool.lent():
            return self.caller.look_up(catalog, skill, mode, values, key)
