"""Calls in doubt across conversations: listing them, and settling one by what a person has found out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from catalog.values import Unreadable
from dialogue.log.events import Settled
from dialogue.services.services import Services
from dialogue.services.views import Snapshot
from dialogue.state.calls import CallRecord
from dialogue.updates.pruning import is_in_doubt, judge


class NotInDoubt(LookupError):
    """There is no such call in doubt in that conversation (or somebody has settled it)."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A call that may have taken effect: where, of what, when, and how it may have ended, with the facts of each."""

    session_id: str
    call_id: str
    skill: str
    label: str
    mode: str
    at: datetime
    outcomes: Mapping[str, tuple[str, ...]]


def doubts_in(seen: Snapshot) -> tuple[Doubt, ...]:
    """List the calls in doubt of a conversation, oldest first."""
    return tuple(_doubt(seen, one) for one in seen.conversation.calls.made if is_in_doubt(seen.catalog, one))


def list_doubts(services: Services) -> tuple[Doubt, ...]:
    """List the calls in doubt of all conversations that can be read, those of the last used first."""
    found: list[Doubt] = []
    for row in services.sessions():
        with suppress(LookupError, OSError):  # deleted, damaged, or its catalog is not loaded
            found += doubts_in(services.snapshot(row.session_id))
    return tuple(found)


def settle(
    services: Services,
    session_id: str,
    call_id: str,
    *,
    outcome: str | None,
    reason: str,
    values: Mapping[str, str] | None = None,
) -> None:
    """Record what became of a call: an outcome of its mode with its values, or None: that it took no effect.

    Raises NotInDoubt, LookupError for an outcome that it cannot have, ValueError for values or a reason that are
    missing or cannot be read, and StillBusy.
    """
    seen = services.snapshot(session_id)
    one = next((one for one in seen.conversation.calls.made if one.calling.call_id == call_id), None)
    if one is None or not is_in_doubt(seen.catalog, one):
        raise NotInDoubt(f"There is no call {call_id!r:.40} in doubt in this conversation.")
    if not reason.strip():
        raise ValueError("Say how it is known what became of the call: it is kept with it.")
    calling = one.calling
    facts: dict[str, JsonValue] = {}
    if outcome is not None:
        possible = _doubt(seen, one).outcomes
        if outcome not in possible:
            raise LookupError(f"{calling.skill} has no outcome {outcome!r:.60}. It has: {', '.join(possible)}.")
        facts = {fact: _read(services, seen, fact, (values or {}).get(fact, "")) for fact in possible[outcome]}
    succeeded = (outcome is not None and judge(seen.catalog, calling, outcome, ended=False)) or None
    services.settle(
        session_id,
        Settled(
            call_id=call_id,
            skill=calling.skill,
            mode=calling.mode,
            outcome=outcome,
            facts=facts,
            reason=reason.strip()[:500],
            succeeded=succeeded,
        ),
    )


def _read(services: Services, seen: Snapshot, fact: str, text: str) -> JsonValue:
    """Read a value that was typed: in words, or as JSON where there are no words for it."""
    kind = seen.catalog.facts[fact].value
    if not text.strip():
        raise ValueError(f"That outcome gives {fact}: say its value.")
    try:
        return (
            services.language.read_answer(kind, text, services.today) if kind.sayable else kind.check(json.loads(text))
        )
    except (Unreadable, json.JSONDecodeError):
        raise ValueError(f"That is no proper value for {fact}.") from None


def _doubt(seen: Snapshot, one: CallRecord) -> Doubt:
    skill = seen.catalog.skills[one.calling.skill]
    outcomes = {name: outcome.facts for name, outcome in skill.modes[one.calling.mode].outcomes.items()}
    at = seen.log[one.seq - 1].at
    return Doubt(seen.session_id, one.calling.call_id, skill.name, skill.label, one.calling.mode, at, outcomes)
