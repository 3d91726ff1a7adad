"""Mapped calls: one call for each item of a list, which planning and explanations see as a single call.

What is done for an item is on record before the next one is begun, so that after a crash it is not done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from catalog.model import Catalog, Mode, Skill
from catalog.skills import Result
from catalog.values import Unreadable
from dialogue.caller import NotReturned, Returned
from dialogue.calling import CallAttempt, is_irreversible, make
from dialogue.context import TurnContext
from dialogue.log.events import Calling, Established, ItemDone
from dialogue.state.calls import ItemRecord
from dialogue.state.conversation import Conversation
from language.responses import calls


@dataclass(frozen=True, slots=True)
class Items:
    """The progress of a mapped call: `count` items, and the item (from 1) at which it ended early, if it did."""

    fact: str
    values: Sequence[JsonValue]
    ended_at: int | None = None

    @property
    def count(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True)
class _Call:
    """The constant part of a mapped call: the mode for all items, the one for each item, and the other inputs."""

    skill: Skill
    mode: Mode
    one: Mode
    calling: Calling
    others: Mapping[str, JsonValue]


def call_each(
    turn: TurnContext, calling: Calling, values: Mapping[str, JsonValue]
) -> tuple[Returned | NotReturned, Items]:
    """Call a skill for each item, from the first that is not done; stop at one that gives less than was hoped for.

    `values` are those of the inputs, as they are kept.
    """
    skill = turn.catalog.skills[calling.skill]
    mode = skill.modes[calling.mode]
    ((item, list_name),) = mode.each.items()
    listed = values[list_name]
    assert isinstance(listed, list)
    call = _Call(
        skill,
        mode,
        skill.modes[mode.calls or ""],
        calling,
        {name: value for name, value in values.items() if name != list_name},
    )
    done = [record.done for record in turn.conversation.calls.open_items]
    for number, value in enumerate(listed, start=1):
        if number > len(done):
            came = _find_earlier(turn, call, value) or _call_one(turn, call, number, {**call.others, item: value})
            if isinstance(came, NotReturned):
                return came, Items(list_name, listed, number)
            with turn.journal.lock:
                done.append(came.model_copy(update={"item": number}))
                turn.journal.add(done[-1])
                turn.journal.flush()
        if not is_enough(mode, calling, done[number - 1].outcome):
            return _together(turn.catalog, call, done[:number], len(listed)), Items(list_name, listed, number)
    return _together(turn.catalog, call, done, len(listed)), Items(list_name, listed)


def _call_one(turn: TurnContext, call: _Call, number: int, values: Mapping[str, JsonValue]) -> ItemDone | NotReturned:
    given = {name: values[name] for name in (*call.one.inputs, *call.one.optional) if name in values}
    attempt = CallAttempt(call.skill.name, call.one.name, given, id_of_item(call.calling, number))
    came = make(turn, turn.catalog, attempt)
    if isinstance(came, NotReturned):
        return record_item(call.calling, came.told) if isinstance(came.told, Returned) else came
    return record_item(call.calling, came)


def record_item(calling: Calling, came: Returned, item: int = 0) -> ItemDone:
    return ItemDone(
        call_id=calling.call_id,
        skill=calling.skill,
        mode=calling.mode,
        item=item,
        outcome=came.result.outcome,
        facts=dict(came.result.facts),
        attributions=came.attributions,
        seconds=came.seconds,
        explained_seconds=came.explained_seconds,
    )


def _find_earlier(turn: TurnContext, call: _Call, value: JsonValue) -> ItemDone | None:
    """Return the result of an earlier call of an irreversible skill for the same item, which is used once.

    As for calls in doubt (`dialogue.execution.doubts`), that is the same where the required inputs are: one that may
    be left out makes no other deed of it.
    """
    if not is_irreversible(turn.catalog, call.skill.name):
        return None
    c = turn.conversation
    used = {record.done.again for record in c.calls.open_items}
    for record in c.calls.items:
        earlier = record.calling
        same = (earlier.skill, earlier.mode) == (call.skill.name, call.mode.name)
        if not same or earlier.call_id == call.calling.call_id or record.done.again or record.seq in used:
            continue
        worked = turn.catalog.succeeds(call.skill.name, call.one.name, record.done.outcome)
        if worked and _inputs_then(turn, call, record) == {**_required(call, call.others), _ITEM: value}:
            return record.done.model_copy(
                update={"call_id": call.calling.call_id, "again": record.seq, "seconds": 0.0, "explained_seconds": 0.0}
            )
    return None


_ITEM = ""
"""The item itself, among the values of a call for it; no name in a catalog is empty."""


def _inputs_then(turn: TurnContext, call: _Call, record: ItemRecord) -> dict[str, JsonValue]:
    values = recorded_inputs(turn, record.calling)
    (list_name,) = call.mode.each.values()
    listed = values.pop(list_name, None)
    return {**_required(call, values), _ITEM: listed[record.done.item - 1] if isinstance(listed, list) else None}


def _required(call: _Call, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: value for name, value in values.items() if name in call.mode.inputs}


def broken_off_at(
    catalog: Catalog, conversation: Conversation, calling: Calling, values: Mapping[str, JsonValue]
) -> Items | None:
    """Return the items of a mapped call, ended at the first that is not done; None for other calls, or if all are.

    `values` are those of its inputs.
    """
    skill = catalog.skills.get(calling.skill)
    mode = skill.modes.get(calling.mode) if skill else None
    list_name = next(iter(mode.each.values()), "") if mode else ""
    listed = values.get(list_name)
    number = len(conversation.calls.items_of(calling.call_id)) + 1
    return Items(list_name, listed, number) if isinstance(listed, list) and number <= len(listed) else None


def together_with(turn: TurnContext, calling: Calling, items: Items, last: ItemDone) -> Returned | NotReturned | None:
    """Combine what is known of the items of a call that broke off at its last; None where some are left to be done."""
    skill = turn.catalog.skills[calling.skill]
    mode = skill.modes[calling.mode]
    done = [*(one.done for one in turn.conversation.calls.items_of(calling.call_id)), last]
    if len(done) < items.count and is_enough(mode, calling, last.outcome):
        return None
    call = _Call(skill, mode, skill.modes[mode.calls or ""], calling, {})
    return _together(turn.catalog, call, done, items.count)


def id_of_item(calling: Calling, number: int) -> str:
    return f"{calling.first}/{number}"


def recorded_inputs(turn: TurnContext, calling: Calling) -> dict[str, JsonValue]:
    entries = {name: turn.journal.entry(seq).event for name, seq in calling.input_events.items()}
    return {name: event.value for name, event in entries.items() if isinstance(event, Established)}


def is_over(mode: Mode, calling: Calling, done: Sequence[ItemRecord], count: int) -> bool:
    """Return whether a mapped call is over: all items are done, or one established less than planned."""
    return len(done) == count or any(not is_enough(mode, calling, record.done.outcome) for record in done)


def is_enough(mode: Mode, calling: Calling, outcome: str) -> bool:
    """Return whether an outcome of an item establishes everything that the planned outcome would."""
    expected = calling.expected
    return expected is None or outcome == expected or bool(
        mode.outcomes[expected].facts
        and set(mode.outcomes[expected].facts) <= set(mode.outcomes[outcome].facts)
    )  # fmt: skip


def _together(catalog: Catalog, call: _Call, done: Sequence[ItemDone], count: int) -> Returned | NotReturned:
    """Combine the results of the items into lists; a call that ended early has no lists."""
    outcomes = [one.outcome for one in done]
    hoped = call.calling.expected or next(iter(call.mode.outcomes))
    ended = bool(done) and not is_enough(call.mode, call.calling, outcomes[-1])
    outcome = outcomes[-1] if ended or len(set(outcomes)) == 1 else hoped
    lists: list[str] = []
    if len(done) == count:
        given = [call.mode.outcomes[one.outcome].facts for one in done]
        lists = [fact for fact in call.mode.outcomes[outcome].facts if all(fact in facts for facts in given)]
    seconds = sum(one.seconds for one in done)
    try:
        facts = {fact: catalog.facts[fact].value.check([_value(catalog, one, fact) for one in done]) for fact in lists}
    except Unreadable as problem:
        return NotReturned("bad_output", calls.no_list(problem.kind), seconds)
    weights = _weigh(call, [one for one in done if one.outcome == outcome])
    return Returned(Result(outcome, facts), weights, seconds, sum(one.explained_seconds for one in done))


def _weigh(call: _Call, done: Sequence[ItemDone]) -> tuple[tuple[str, float], ...]:
    """Average the attributions of each input over items with the same outcome; the list stands for its items."""
    sums: dict[str, float] = {}
    for fact, weight in (weighed for one in done for weighed in one.attributions):
        name = call.mode.each.get(fact, fact)
        sums[name] = sums.get(name, 0.0) + weight
    return tuple(sorted(((name, total / len(done)) for name, total in sums.items()), key=lambda pair: -abs(pair[1])))


def _value(catalog: Catalog, one: ItemDone, list_name: str) -> JsonValue:
    """Return the value of a result fact, or of a subtype that was returned instead."""
    item = catalog.facts[list_name].list_of
    return next(value for fact, value in one.facts.items() if item in set(catalog.supertypes(fact)))
