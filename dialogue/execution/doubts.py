"""Calls that may have taken effect, which is not known: that very call is not made again, any other one is.

A call is the same as one in doubt where its skill, its mode and the values of its required inputs are. While one of
these is not known, nothing is blocked: that is found out before the call.
"""

from __future__ import annotations

from pydantic import JsonValue

from catalog.skills import Result
from dialogue.caller import Returned, Told
from dialogue.context import TurnContext
from dialogue.execution.calls import look_up, record_settled
from dialogue.execution.mapped_calls import broken_off_at, record_item, recorded_inputs, together_with
from dialogue.log.events import Calling, Failed
from dialogue.state.calls import CallRecord
from dialogue.state.conversation import resolve
from dialogue.updates.pruning import is_in_doubt, operators_of, prune_mode, restore
from language.content import Reason


def ask_again(turn: TurnContext, calling: Calling) -> Told | None:
    """Ask the skill's own lookup what became of a call, or of the item of a list at which it broke off.

    None where it has none, or cannot be asked.
    """
    items = broken_off_at(turn.catalog, turn.conversation, calling, recorded_inputs(turn, calling))
    return look_up(turn, calling, items)


def settle(turn: TurnContext, calling: Calling, found: Result | None, reason: Reason) -> None:
    """Record what became of a call in doubt, and what it gave; None: it took no effect.

    Of a call for each item of a list, that is what became of the item at which it broke off. The others are left to be
    called for, under the keys that they have, unless this was the last, or ended it.
    """
    items = broken_off_at(turn.catalog, turn.conversation, calling, recorded_inputs(turn, calling))
    took_effect = found is not None
    if found is not None and items is not None and items.ended_at is not None:
        done = record_item(calling, Returned(found, (), 0.0), items.ended_at)
        whole = together_with(turn, calling, items, done)
        turn.journal.add(done)
        found = whole.result if isinstance(whole, Returned) else None
    record_settled(turn, calling, found, reason, items, is_done=took_effect)


def heed_doubts(turn: TurnContext) -> None:
    """Block the calls in doubt that would be made with the values that are known now, and allow the others."""
    doubts = [one for one in turn.conversation.calls.made if is_in_doubt(turn.catalog, one)]
    blocked = {name for one in doubts if _is_same(turn, one) for name in operators_of(turn.catalog, one.calling)}
    for one in doubts:
        operators = set(operators_of(turn.catalog, one.calling))
        if operators & blocked and operators.isdisjoint(turn.conversation.plans.pruned):
            prune_mode(turn, one.calling, Reason(code="in_doubt"), "in_doubt")
    restore(
        turn,
        turn.conversation.seq,
        lambda action: action.because == "in_doubt" and action.operator not in blocked,
    )


def _is_same(turn: TurnContext, one: CallRecord) -> bool:
    """Return whether the call would be made again with the same values, as far as it needs them, or may be."""
    calling = one.calling
    mode = turn.catalog.skills[calling.skill].modes.get(calling.mode)
    if mode is None:
        return False
    then = recorded_inputs(turn, calling)
    return all(
        name not in then or _has_again(turn, one, name, then[name], each=name in mode.each.values())
        for name in mode.inputs
    )


def _has_again(turn: TurnContext, one: CallRecord, name: str, then: JsonValue, *, each: bool) -> bool:
    now = resolve(turn.catalog, turn.conversation, name)
    if now is None:
        return False
    if not (each and isinstance(then, list) and isinstance(now.value, list)):
        return now.value == then
    at = one.result.ended_at if isinstance(one.result, Failed) else None
    return any(item in now.value for item in (then if at is None else then[at - 1 : at]))
