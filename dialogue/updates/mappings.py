"""Mapping steps: the value of one fact is used as that of another, as the catalog's mappings allow."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from catalog.values import Kind, Text, Unreadable
from dialogue.context import TurnContext
from dialogue.log.events import Established, Mapped, PlannedStep, Requested, Restored
from dialogue.state.conversation import Conversation, resolve
from dialogue.state.facts import KnownValue


def take_for(turn: TurnContext, step: PlannedStep) -> str | None:
    """Establish what a step maps to, and say so; or give the reason why the value does not fit."""
    catalog, source, target = turn.catalog, step.inputs[0], step.subject
    found = resolve(catalog, turn.conversation, source)
    if found is None:
        raise LookupError(f"{target} was about to be taken from {source}, which is not known.")
    sources = _list_sources(turn, source, target) or (found,)
    found = sources[0]
    try:
        value = _fit_all(turn, sources, catalog.facts[target].value)
    except Unreadable as unreadable:
        return turn.language.facts.does_not_fit(catalog, found.fact, target, unreadable.hint)
    because = next((m.because for m in catalog.mappings if (m.fact, m.stands_for) == (source, target)), "")
    mapped = turn.journal.add(
        Mapped(
            fact=source,
            used=found.fact,
            stands_for=target,
            input_event=found.event,
            because=because,
            also=tuple(one.fact for one in sources[1:]),
            also_events=tuple(one.event for one in sources[1:]),
        )
    )
    turn.journal.add(Established(fact=target, value=value, source="mapping", by=mapped))
    turn.reply(turn.language.facts.taken_for(catalog, [one.fact for one in sources], target, because))
    return None


def _list_sources(turn: TurnContext, source: str, target: str) -> tuple[KnownValue, ...]:
    """List what somebody refers to, in the order in which they do; nothing where the catalog alone maps."""
    conversation = turn.conversation
    requested = [one for one in conversation.requested if one.stands_for == target]
    if all(one.fact != source for one in requested):
        return ()
    found = (_find_result(conversation, one) for one in requested)
    return tuple(value for value in found if value is not None)


def _find_result(conversation: Conversation, one: Requested) -> KnownValue | None:
    """Return the result of a goal that is referred to; of one that was pursued again, the latest result."""
    known = conversation.facts.known.get(one.used)
    goals = conversation.goals.past
    first = next((goal for goal in goals if goal.goal_id == one.goal_id), None)
    if first is None or (known is not None and known.goal_id == one.goal_id):
        return known
    place = (first.heard, first.position)
    same = [
        goal for goal in goals if goal is first or (first.heard is not None and (goal.heard, goal.position) == place)
    ]
    final = next((goal.final for goal in reversed(same) if goal.status == "achieved" and goal.final), None)
    return known if final is None else final.facts.known.get(one.used, known)


def _fit_all(turn: TurnContext, sources: Sequence[KnownValue], target: Kind) -> JsonValue:
    """Fit a value, or several: into a list, else as words with "and" between them."""
    read_as = turn.language.read_as
    kinds = [turn.catalog.facts[one.fact].value for one in sources]
    if len(sources) == 1:
        return read_as(kinds[0], sources[0].value, target, turn.today)
    if target.item is not None:
        each = [read_as(kind, one.value, target.item, turn.today) for kind, one in zip(kinds, sources, strict=True)]
        return target.check(each, turn.today)
    said = " and ".join(kind.show(one.value) for kind, one in zip(kinds, sources, strict=True))
    return read_as(Text(), said, target, turn.today)


def reopen_mappings(turn: TurnContext, fact: str, cause: int) -> None:
    """Allow mappings from a fact again that its old value did not fit."""
    serves = set(turn.catalog.supertypes(fact))
    for action in tuple(turn.conversation.plans.pruned.values()):
        if action.because == "unfit" and serves.intersection(action.facts):
            turn.journal.add(Restored(operator=action.operator, step=action.step, subject=action.subject, cause=cause))
