"""The situation of a goal when it begins: its own values, and the facts and skills that lead to it.

All functions are pure. `dialogue.updates.goals.begin` writes down what `start_of` finds; a goal that waits is planned
for in the situation that it will begin with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from pydantic import JsonValue

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Effect, Goal, Scope
from catalog.model.catalog import CatalogKey
from dialogue.log.events import ResultReference
from dialogue.state.conversation import Conversation, derived_from, resolve
from dialogue.state.facts import KnownValue
from dialogue.state.goals import StackedGoal
from dialogue.state.plans import PrunedAction
from planning.model import Situation


@dataclass(frozen=True, slots=True)
class GoalScope:
    """What leads to a goal: facts, those of them that belong to one request, and skills that take or give such."""

    facts: frozenset[str]
    scoped: tuple[str, ...]
    skills: tuple[str, ...]


def scope_of(catalog: Catalog, goal: Goal) -> GoalScope:
    """Find what leads to a goal (`what_leads_to`), and what of it belongs to one request for it."""
    return _find_own(CatalogKey(catalog), goal.name) if catalog.goals.get(goal.name) is goal else _trace(catalog, goal)


def scope_of_alert(catalog: Catalog, goal: Goal) -> GoalScope:
    """Find what leads to a goal, and what of it belongs to one alert, whatever the facts' scope.

    That is what alerts carry, what the goal comes to, and what is said for it alone: what no other goal needs, and what
    goes into an act beside what was carried (the day of a payment). What the carried facts may be found by (an account
    number) belongs to the conversation: it is not said for one alert.
    """
    return _find_own(CatalogKey(catalog), goal.name, alerted=True)


def is_renewed(catalog: Catalog, conversation: Conversation, goal: Goal) -> bool:
    """Return whether a new request for a goal would clear request-scoped values: earlier results do not answer it."""
    known = conversation.facts.known
    return any(fact in known and known[fact].goal_id is not None for fact in scope_of(catalog, goal).scoped)


def _trace(catalog: Catalog, goal: Goal) -> GoalScope:
    leading = what_leads_to(catalog, goal)
    facts = catalog.facts
    scoped = tuple(name for name in facts if name in leading.facts and facts[name].scope is Scope.GOAL)
    touching = tuple(name for name in leading.skills if not _touched(catalog, name).isdisjoint(scoped))
    return GoalScope(leading.facts, scoped, touching)


def _trace_alert(catalog: Catalog, goal: Goal) -> GoalScope:
    leading = what_leads_to(catalog, goal)
    wanted = {*goal.facts, *(fact for facts in goal.either for fact in facts)}
    carried = {fact for trigger in catalog.triggers.values() if trigger.goal == goal.name for fact in trigger.facts}
    elsewhere = {
        fact
        for other in catalog.goals.values()
        if other.name != goal.name
        for fact in what_leads_to(catalog, other).facts
    }
    acts = [catalog.skills[name] for name in leading.skills if catalog.skills[name].effect is not Effect.NONE]
    beside = {fact for act in acts for mode in act.modes.values() if carried & set(mode.takes) for fact in mode.takes}
    found_by = what_leads_to(catalog, Goal(name="carried", facts=tuple(sorted(carried)))).facts if carried else set()
    own = {below for fact in carried | wanted for below in catalog.subtypes.get(fact, (fact,))}
    own |= ((leading.facts - elsewhere) | beside) - found_by
    scoped = tuple(
        name
        for name, fact in catalog.facts.items()
        if name in leading.facts and (name in own or fact.scope is Scope.GOAL)
    )
    touching = (name for name in leading.skills if not _touched(catalog, name).isdisjoint(scoped))
    return GoalScope(leading.facts, scoped, tuple(dict.fromkeys((*touching, *goal.skills))))


def _touched(catalog: Catalog, skill: str) -> frozenset[str]:
    declared = catalog.skills[skill]
    taken = (below for fact in declared.takes for below in catalog.subtypes.get(fact, (fact,)))
    return frozenset((*taken, *declared.gives))


@lru_cache(maxsize=128)
def _find_own(same: CatalogKey, goal: str, *, alerted: bool = False) -> GoalScope:
    return (_trace_alert if alerted else _trace)(same.catalog, same.catalog.goals[goal])


@dataclass(frozen=True, slots=True)
class GoalStart:
    """How the known values change when a goal begins; `unresolved` are references without a result: label and fact."""

    own: GoalScope
    set_aside: tuple[str, ...]
    kept: tuple[str, ...]
    restored: tuple[str, ...]
    requested: tuple[ResultReference, ...] = ()
    unresolved: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GoalSituation:
    """The situation that a goal is planned from, and the values of the facts that are known in it."""

    situation: Situation
    values: Mapping[str, JsonValue]


def start_of(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> GoalStart | None:
    """Find what changes when a goal begins, or goes on after another one; None if nothing does."""
    declared = catalog.goals.get(goal.goal)
    back = tuple(fact for number, fact in conversation.facts.waiting if number == goal.goal_id)
    alerted = _is_alerted(conversation, goal)
    if declared is None or (goal.begun and not back and not alerted):
        return None
    own = (scope_of_alert if alerted else scope_of)(catalog, declared)
    if not (own.scoped or goal.request):
        return None
    known = conversation.facts.known
    mine = {fact for fact in own.scoped if fact in known and _is_for(known[fact], goal)}
    others = tuple(fact for fact in own.scoped if fact in known and fact not in mine)
    if goal.begun and not (back or others):
        return None
    gone = (*others, *_resting_on(conversation, others, own.facts.difference(mine, others)))
    kept = tuple(fact for fact in own.scoped if fact in mine)
    if goal.begun:
        return GoalStart(own, gone, kept, back)
    requested, unresolved = _resolve_references(catalog, conversation, goal)
    return GoalStart(own, gone, kept, back, requested, unresolved)


def _is_alerted(conversation: Conversation, goal: StackedGoal) -> bool:
    """Return whether a goal is that of an alert, or went on after one for the same: their values are kept apart."""
    alerts = (other for other in conversation.goals.past if other.origin.because == "event" and other.goal == goal.goal)
    return goal.origin.because == "event" or any(alert.goal_id > goal.goal_id for alert in alerts)


def situation_of(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> GoalSituation:
    """Return the situation of the goal on top, or the one in which a waiting goal would begin now."""
    known = conversation.facts.known
    start = None if goal is conversation.goal else start_of(catalog, conversation, goal)
    now = replace(conversation.situation_in(goal.purpose), spent=conversation.goals.spent.get(goal.goal_id, 0.0))
    if start is None:
        return GoalSituation(now, {fact: value.value for fact, value in known.items()})
    values = {fact: value.value for fact, value in known.items() if fact not in start.set_aside}
    values |= {fact: conversation.facts.waiting[goal.goal_id, fact].value for fact in start.restored}
    if not goal.begun:
        for given in goal.request.mention.values if goal.request else ():
            if given.fact not in catalog.facts:
                continue
            if given.fact in values:
                if catalog.facts[given.fact].value.same(given.value, values[given.fact]):
                    continue
                for stale in derived_from(catalog, conversation, given.fact):
                    values.pop(stale.fact, None)
            values[given.fact] = given.value
    requested = goal.requested if goal.begun else start.requested
    anew, pruned = frozenset(start.own.skills), conversation.plans.pruned
    gone = frozenset(start.set_aside)
    situation = replace(
        now,
        known=frozenset(values),
        pruned=frozenset(
            name for name in now.pruned if goal.begun or name not in pruned or not is_reopened(pruned[name], start.own)
        ),
        cannot_establish=frozenset(way for way in now.cannot_establish if way[0] not in anew),
        done=now.done - anew,
        confirmed=frozenset(
            call for call, given in conversation.questions.confirmed.items() if gone.isdisjoint(given.facts)
        ),
        requested=frozenset((one.fact, one.stands_for) for one in requested if one.used in values),
    )
    return GoalSituation(situation, values)


def is_reopened(action: PrunedAction, own: GoalScope) -> bool:
    """Return whether an action was ruled out for other requests only: by an open question, or by used-up tries."""
    unanswered = action.because in ("skipped", "unclear") and action.subject in own.scoped
    return unanswered or (action.because == "spent" and action.subject in own.skills)


def _is_for(value: KnownValue, goal: StackedGoal) -> bool:
    """Return whether a value belongs to a request: given for it, brought by its cause, or not given for any yet."""
    brought = value.by == goal.origin.cause and value.source in ("event", "upload")
    return value.goal_id in (None, goal.goal_id) or brought


def _resting_on(conversation: Conversation, facts: Iterable[str], within: frozenset[str]) -> Iterator[str]:
    """Find the results that rest on values which are set aside, among the facts that lead to the goal."""
    stale = {conversation.facts.known[fact].event for fact in facts}
    for execution in conversation.calls.history:
        if stale.intersection(execution.input_events):
            made = [v for v in conversation.facts.known.values() if v.by == execution.event]
            stale.update(value.event for value in made)
            yield from (value.fact for value in made if value.fact in within)


def _resolve_references(
    catalog: Catalog, conversation: Conversation, goal: StackedGoal
) -> tuple[tuple[ResultReference, ...], tuple[tuple[str, str], ...]]:
    """Resolve references to results of goals that have ended; those without a result are listed apart."""
    requested: list[ResultReference] = []
    unresolved: list[tuple[str, str]] = []
    for reference in goal.request.mention.references if goal.request else ():
        targets = set(catalog.subtypes.get(reference.fact, (reference.fact,)))
        for earlier in _find_referents(conversation, goal, reference.to):
            found = next(
                (
                    ResultReference(goal_id=earlier.goal_id, fact=m.fact, used=value.fact, stands_for=m.stands_for)
                    for m in catalog.mappings
                    if m.stands_for in targets
                    and earlier.status == "achieved"
                    and (value := resolve(catalog, earlier.seen_in(conversation), m.fact)) is not None
                    and value.goal_id == earlier.goal_id
                ),
                None,
            )
            if found is None:
                unresolved.append((earlier.label, reference.fact))
            else:
                requested.append(found)
    return tuple(requested), tuple(unresolved)


def _find_referents(conversation: Conversation, goal: StackedGoal, to: Iterable[int]) -> tuple[StackedGoal, ...]:
    """Find the goals that a request refers to, by their positions in the utterance; without any, the last achieved.

    Of a goal that was taken up again, the latest counts.
    """
    positions = tuple(to)
    ended = conversation.goals.past
    if not positions:
        return tuple(other for other in ended[-1:] if other.status == "achieved")
    found: dict[int, StackedGoal] = {}
    for other in ended:
        said = other.request
        if said is not None and said.heard == goal.heard:
            found[said.position] = other
    return tuple(found[position] for position in positions if position in found)
