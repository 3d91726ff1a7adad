"""Values become known: those that were given, and those that mappings take from other facts.

What a new value makes wrong is retracted, and actions that its old value had ruled out are allowed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from catalog.model import Effect, Scope
from catalog.values import Kind, Text, Unreadable
from dialogue.context import TurnContext
from dialogue.log.events import Established, Mapped, PlannedStep, ResultReference, Retracted
from dialogue.state.conversation import Conversation, derived_from, resolve
from dialogue.state.facts import KnownValue
from dialogue.updates.pruning import close_spent, restore
from language.content import Reason
from language.interpretation import Entity
from planning.model import StepKind, operator_name


@dataclass(frozen=True, slots=True)
class GivenValue:
    """A value that was given, with its position in the utterance."""

    fact: str
    value: JsonValue
    source: Literal["user", "upload", "event"]
    said: str
    rule: str
    start: int | None = None
    end: int | None = None

    @classmethod
    def said_as(cls, value: Entity) -> GivenValue:
        """Return a value that a person said, as it was read."""
        span = value.span
        return cls(value.fact, value.value, "user", span.text, value.rule, span.start, span.end)


def establish(
    turn: TurnContext,
    by: int,
    given: GivenValue,
    asked: int | None = None,
    goal_id: int | None = None,
    *,
    quietly: bool = False,
) -> tuple[str, ...] | None:
    """Make a value known, and set aside results that rested on the old one; give these, or None if nothing is new.

    That they are set aside is said, unless `quietly`: where they are asked for anew in the same breath.
    """
    old = turn.conversation.facts.known.get(given.fact)
    if old is not None and turn.catalog.facts[given.fact].value.same(old.value, given.value):
        return None
    stale = _find_stale(turn, given.fact, goal_id)
    turn.journal.add(
        Established(
            fact=given.fact,
            value=given.value,
            source=given.source,
            by=by,
            asked=asked,
            said=given.said,
            rule=given.rule,
            start=given.start,
            end=given.end,
            goal_id=goal_id,
        )
    )
    if stale:
        reason, lost = Reason(code="rested_on", facts=(given.fact,)), [value.fact for value in stale]
        for fact in lost:
            turn.journal.add(Retracted(fact=fact, reason=reason, cause=by))
        if not quietly:
            deeds = _list_irreversible(turn, stale)
            told = turn.language.facts.set_aside(turn.catalog, lost, given.fact, deeds, corrected=old is not None)
            turn.reply(told)
    if stale or old is not None:
        close_spent(turn)
    question = operator_name(StepKind.ASK, given.fact)
    restore(turn, by, lambda action: action.operator == question)
    reopen_mappings(turn, given.fact, by)
    restore(turn, by, lambda action: action.because == "declined" and given.fact in action.facts)
    return tuple(value.fact for value in stale)


def _find_stale(turn: TurnContext, fact: str, goal_id: int | None) -> tuple[KnownValue, ...]:
    """Find the results that rest on a changed value; a value first given for one request affects no other request."""
    conversation = turn.conversation
    stale = derived_from(turn.catalog, conversation, fact)
    if turn.catalog.facts[fact].scope is not Scope.GOAL or fact in conversation.facts.known:
        return stale
    mine = goal_id if goal_id is not None or conversation.goal is None else conversation.goal.goal_id
    return tuple(value for value in stale if value.goal_id == mine)


def _list_irreversible(turn: TurnContext, stale: Sequence[KnownValue]) -> tuple[str, ...]:
    """List the irreversible skills that made results: that these no longer hold does not undo what was done."""
    made = {value.by for value in stale}
    ran = {execution.skill: None for execution in turn.conversation.calls.history if execution.event in made}
    skills = turn.catalog.skills.items()
    return tuple(name for name, skill in skills if name in ran and skill.effect is Effect.IRREVERSIBLE)


def take_for(turn: TurnContext, step: PlannedStep) -> Reason | None:
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
        whole = unreadable.kind == catalog.facts[target].value
        return Reason(code="does_not_fit" if whole else "item_does_not_fit", facts=(found.fact, target))
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
    """List what an utterance refers to, in its order; nothing where the catalog alone maps."""
    conversation = turn.conversation
    requested = [one for one in conversation.requested if one.stands_for == target]
    if all(one.fact != source for one in requested):
        return ()
    found = (_find_result(conversation, one) for one in requested)
    return tuple(value for value in found if value is not None)


def _find_result(conversation: Conversation, one: ResultReference) -> KnownValue | None:
    """Return the result of a goal that is referred to; of one that was pursued again, the latest result."""
    known = conversation.facts.known.get(one.used)
    goals = conversation.goals.past
    first = next((goal for goal in goals if goal.goal_id == one.goal_id), None)
    if first is None:
        return known
    same = [goal for goal in goals if goal is first or (goal.request and goal.request == first.request)]
    final = next((goal.seen_in(conversation) for goal in reversed(same) if goal.status == "achieved"), conversation)
    return final.facts.known.get(one.used, known)


def _fit_all(turn: TurnContext, sources: Sequence[KnownValue], target: Kind) -> JsonValue:
    """Fit a value, or several, as words with "and" between them."""
    read_as = turn.language.read_as
    kinds = [turn.catalog.facts[one.fact].value for one in sources]
    if len(sources) == 1:
        return read_as(kinds[0], sources[0].value, target, turn.today)
    said = " and ".join(kind.show(one.value) for kind, one in zip(kinds, sources, strict=True))
    return read_as(Text(), said, target, turn.today)


def reopen_mappings(turn: TurnContext, fact: str, cause: int) -> None:
    """Allow mappings from a fact again that its old value did not fit."""
    serves = set(turn.catalog.supertypes(fact))
    restore(turn, cause, lambda action: action.because == "unfit" and not serves.isdisjoint(action.facts))
