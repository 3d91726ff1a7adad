"""Calls in doubt of conversations and tasks: listing them, and settling one by what a person has found out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from catalog.problems import CatalogError
from catalog.skills import Result
from catalog.values import Unreadable
from catalog.wording.values import expected
from dialogue.caller import NoEffect, Returned, Told
from dialogue.execution.mapped_calls import broken_off_at
from dialogue.log.events import CONVERSATION, Calling, Established
from dialogue.log.stores.protocol import StreamId
from dialogue.services.services import Services
from dialogue.services.views import Snapshot
from dialogue.state.calls import CallRecord
from dialogue.state.provenance import derived_in, is_secret
from dialogue.tasks.acceptance import find_doubt
from dialogue.tasks.state.events import TASK
from dialogue.tasks.state.requests import SettleCall
from dialogue.turn import NotInDoubt
from dialogue.updates.pruning import is_in_doubt
from language.content import Reason


@dataclass(frozen=True, slots=True)
class CallInDoubt:
    """A call that may have taken effect: where, of what, when, and how it may have ended, with the facts of each.

    Of a call for each item of a list that is the item at which it broke off. One of a task is asked about by the
    request at entry `request`, and may have ended in one way only.
    """

    stream: StreamId
    call_id: str
    skill: str
    label: str
    mode: str
    at: datetime
    outcomes: Mapping[str, tuple[str, ...]]
    has_lookup: bool = False
    """Whether its skill can be asked what became of it."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """What it was called with, as it may be shown."""
    item: int = 0
    """Of a call for each of several items: which item it is about, of so many as `items`."""
    items: int = 0
    request: int = 0
    title: str = ""
    """The task's."""


def find_doubts(services: Services) -> Future[tuple[CallInDoubt, ...]]:
    rows = (
        *((row.session_id, row.entries) for row in services.sessions()),
        *((row.id, row.entries) for row in services.tasks.rows()),
    )
    return services.analyses.compute(("doubts", rows), lambda: list_doubts(services))


def list_doubts(services: Services) -> tuple[CallInDoubt, ...]:
    """List the calls in doubt of all that can be read: conversations, those of the last used first, and tasks alike."""
    found: list[CallInDoubt] = []
    for row in services.sessions():
        with suppress(LookupError, OSError):  # deleted, damaged, or its catalog is not loaded
            seen = services.snapshot(row.session_id)
            found += [_doubt(seen, one) for one in seen.conversation.calls.made if is_in_doubt(seen.catalog, one)]
    return (*found, *list_task_doubts(services))


def list_task_doubts(services: Services) -> tuple[CallInDoubt, ...]:
    found: list[CallInDoubt] = []
    for row in services.tasks.rows():
        with suppress(LookupError, OSError, CatalogError):
            seen = services.tasks.view(row.id)
            for one in seen.task.open_requests:
                if isinstance(one.request, SettleCall) and (skill := seen.catalog.skills.get(one.request.skill)):
                    doubt, call = find_doubt(seen.task, seen.catalog, one.entry), seen.task.calls[one.request.call_id]
                    outcomes, at = {doubt.outcome: doubt.facts}, seen.log[call.entry - 1].at
                    what = (doubt.call_id, skill.name, skill.label, call.begun.mode, at, outcomes)
                    stream = StreamId(TASK.name, row.id)
                    found.append(CallInDoubt(stream, *what, request=one.entry, title=row.title))
    return tuple(found)


def settle_in_task(services: Services, doubt: CallInDoubt, outcome: str | None, values: Mapping[str, str]) -> None:
    """Record what became of a call of a task: its outcome with its values, or None: that it took no effect.

    Raises LookupError for an outcome that it cannot have, and ValueError for values that are missing or cannot be read.
    """
    if outcome is None:
        services.tasks.settle(doubt.stream.id, doubt.request, None)
        return
    if outcome not in doubt.outcomes:
        raise LookupError(f"{doubt.skill} has no outcome {outcome!r:.60} there. It has: {', '.join(doubt.outcomes)}.")
    if missing := [fact for fact in doubt.outcomes[outcome] if not values.get(fact, "").strip()]:
        raise ValueError(f"That outcome gives {missing[0]}: say its value.")
    if unknown := [fact for fact in values if fact not in doubt.outcomes[outcome]]:
        raise ValueError(f"That outcome gives no {unknown[0]!r:.60}. It gives: {', '.join(doubt.outcomes[outcome])}.")
    services.tasks.settle(doubt.stream.id, doubt.request, values)


def settle(
    services: Services,
    session_id: str,
    call_id: str,
    *,
    outcome: str | None,
    reason: str,
    values: Mapping[str, str] | None = None,
) -> None:
    """Record what became of a call: an outcome that it may have with its values, or None: that it took no effect.

    Of a call for each item of a list, that is what became of the item at which it broke off.

    Raises NotInDoubt, LookupError for an outcome that it cannot have, ValueError for values or a reason that are
    missing or cannot be read, and StillBusy.
    """
    seen = services.snapshot(session_id)
    one = _find(seen, call_id)
    if not reason.strip():
        raise ValueError("Say how it is known what became of the call: it is kept with it.")
    found: Result | None = None
    if outcome is not None:
        possible = _doubt(seen, one).outcomes
        if outcome not in possible:
            raise LookupError(f"{one.calling.skill} has no outcome {outcome!r:.60}. It has: {', '.join(possible)}.")
        typed = {fact: _read(services, seen, fact, (values or {}).get(fact, "")) for fact in possible[outcome]}
        found = Result(outcome, typed)
    services.settle(session_id, call_id, found, Reason(text=reason.strip()[:500]))


def ask_again(services: Services, session_id: str, call_id: str) -> Told | None:
    """Ask the skill's own lookup once more what became of a call in doubt, and record what it says.

    Where it does not tell (Untold), or there is none that can be asked (None), the call stays in doubt. Waits as long
    as a call of the skill may take. Raises NotInDoubt and StillBusy.
    """
    seen = services.snapshot(session_id)
    _find(seen, call_id)
    told = services.look_up(session_id, call_id)
    if isinstance(told, Returned | NoEffect):
        found = told.result if isinstance(told, Returned) else None
        services.settle(session_id, call_id, found, Reason(code="looked_up"))
    return told


def _find(seen: Snapshot, call_id: str) -> CallRecord:
    one = next((one for one in seen.conversation.calls.made if one.calling.call_id == call_id), None)
    if one is None or not is_in_doubt(seen.catalog, one):
        raise NotInDoubt(call_id)
    return one


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
        raise ValueError(f"That is no proper value for {fact}. Expected is {expected(kind)}.") from None


def _doubt(seen: Snapshot, one: CallRecord) -> CallInDoubt:
    calling = one.calling
    skill = seen.catalog.skills[calling.skill]
    mode = skill.modes[calling.mode]
    events = ((name, seen.log[seq - 1].event) for name, seq in calling.input_events.items())
    values = {name: event.value for name, event in events if isinstance(event, Established)}
    items = broken_off_at(seen.catalog, seen.conversation, calling, values)
    ends = skill.modes[mode.calls or ""] if items is not None else mode
    return CallInDoubt(
        StreamId(CONVERSATION.name, seen.session_id),
        calling.call_id,
        skill.name,
        skill.label,
        calling.mode,
        seen.log[one.seq - 1].at,
        {name: outcome.facts for name, outcome in ends.outcomes.items()},
        skill.lookup is not None and (items is not None or not mode.each),
        _shown(seen, calling),
        items.ended_at or 0 if items is not None and items.count > 1 else 0,
        items.count if items is not None else 0,
    )


def _shown(seen: Snapshot, calling: Calling) -> dict[str, str]:
    """Return the inputs of a call by their labels; what is sensitive is masked, unless its owner shows it."""
    found: dict[str, str] = {}
    derived = derived_in(seen.catalog, seen.log)
    for name, seq in calling.input_events.items():
        event = seen.log[seq - 1].event
        fact = seen.catalog.facts.get(event.fact) if isinstance(event, Established) else None
        if fact is None or not isinstance(event, Established):
            continue
        secret = is_secret(seen.catalog, fact.name, seq, derived)
        hidden = secret and fact.name not in seen.conversation.facts.revealed
        show = fact.value.masked if hidden else fact.value.show
        found[seen.catalog.facts[name].label if name in seen.catalog.facts else fact.label] = show(event.value)
    return found
