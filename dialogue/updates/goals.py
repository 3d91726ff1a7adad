"""The stack of goals: push, begin, complete, drop and resume.

A fact of `scope: goal` is given, or found, for one request. When another request begins that would use it, it is set
aside, unless it was given for that one too; a request that was interrupted gets back what was given for it. While a
request violates the catalog's rules, nothing is planned for it. When the catalog has changed, all open goals end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Literal

from pydantic import JsonValue

from catalog.model import Catalog, Goal
from catalog.model.catalog import CatalogKey
from catalog.values import Unreadable
from dialogue.context import TurnContext
from dialogue.log import events
from dialogue.state.conversation import Conversation, facts_of, is_reached, resolve
from dialogue.state.facts import KnownValue
from dialogue.state.goal_status import refusal_in, refusal_of
from dialogue.state.goals import GoalRequest, StackedGoal
from dialogue.state.masking import show_current
from dialogue.updates.facts import GivenValue, establish
from dialogue.updates.goal_situation import is_renewed, is_reopened, scope_of, start_of
from dialogue.updates.pruning import close_spent, reopen_consents, restore
from language.constraints import materialize, prepare
from language.content import NO_REASON, Reason
from language.interpretation import Entity, Intent, Span
from planning.model import StepKind, operator_name

_OPEN_AGAIN = ("skipped", "unclear", "declined")


def push_goal(
    turn: TurnContext,
    goal: Goal,
    because: Literal["request", "extension", "event"],
    cause: int,
    *,
    again: bool = False,
    request: GoalRequest | None = None,
    redo: StackedGoal | None = None,
    following: Sequence[str] = (),
    quiet: bool = False,
    anew: bool = False,
) -> bool:
    """Put a goal on top of the stack, unless it is there already or the stack is full; say what happens.

    `again` is for a goal that had no plan and has one now: what was declined before is not asked again. `redo` is the
    goal that is taken up again, with what was said for it. A request with values of its own is another one than any
    before. Of several that were said together, those after the first are pushed before it and `quiet`; the first says
    which are `following`. `anew`: what a goal that is taken up came to does not count for it.
    """
    conversation, words = turn.conversation, turn.language.goals
    own = request is not None and bool(request.mention.values)
    if not own and any(open_goal.goal == goal.name for open_goal in conversation.goals.stack):
        turn.reply(words.already_open(goal.label, on_top=conversation.goals.stack[0].goal == goal.name))
        return False
    if len(conversation.goals.stack) >= turn.catalog.settings.max_goals:
        turn.reply(words.too_many_goals(len(conversation.goals.stack)), "problem")
        return False
    below = next((other for other in conversation.goals.stack if other.origin.cause != cause), None)
    renewed = because == "event" or (redo is None and is_renewed(turn.catalog, conversation, goal))
    before = next((ended for ended in reversed(conversation.goals.past) if ended.goal == goal.name), None)
    if before is not None and before.status == "dropped" and not again:
        restore(turn, cause, lambda action: action.because in _OPEN_AGAIN)  # who asks again may answer now
    if redo is None and not again:
        skills = scope_of(turn.catalog, goal).skills
        restore(turn, cause, lambda action: action.because == "declined" and action.subject in skills)
    number = len(conversation.goals.stack) + len(conversation.goals.past) + 1
    said = request or (redo.request if redo else None)
    turn.journal.add(
        events.GoalPushed(
            goal_id=number,
            goal=goal.name,
            label=goal.label,
            facts=goal.facts,
            skills=goal.skills,
            either=goal.either,
            because=because,
            cause=cause,
            request=said.mention if said else None,
            heard=said.heard if said else None,
            position=said.position if said else None,
            redo=redo.goal_id if redo else None,
        )
    )
    if redo is not None and redo.status == "achieved":
        _reopen_own(turn, goal, number, redo, cause, anew=anew)
    elif redo is not None and not again:
        reopen_consents(turn, cause)
    taken_up = words.gone_again(goal.label) if again else words.goal_accepted(goal.label)
    if not (renewed or own or anew) and is_reached(turn.catalog, conversation, goal):
        known = before is not None and before.status == "achieved"
        declined = bool(before is not None and refusal_of(turn.catalog, conversation, before))
        taken_up = words.goal_known(goal.label, declined=declined) if known else ""
    told = [taken_up] if because != "event" and taken_up else []
    told += [words.goals_follow(following)] if following else []
    told += [words.goal_waits(below.label)] if below else []
    if told and not quiet:
        turn.reply(" ".join(told))
    return True


def pursue_again(turn: TurnContext, heard: int, given: Sequence[GivenValue]) -> bool:
    """Begin the last request anew where it was achieved: with its values, but for those given, and without its results.

    Nothing that was agreed to for it is agreed to for this one. Return whether it is begun.
    """
    last = next(reversed(turn.conversation.goals.past), None)
    declared = turn.catalog.goals.get(last.goal) if last is not None else None
    if turn.conversation.goals.stack or last is None or last.status != "achieved" or declared is None:
        return False
    if not push_goal(turn, declared, "request", heard, redo=last, anew=True):
        return False
    for value in given:
        establish(turn, heard, value, quietly=True)
    return True


def _reopen_own(
    turn: TurnContext, goal: Goal, number: int, redo: StackedGoal, cause: int, *, anew: bool = False
) -> None:
    """Allow the skills of a request again that is taken up with another value: what they did was for the old one.

    If `anew`, its results are set aside; so are its values for a moment, which ends the go-aheads for them.
    """
    own = scope_of(turn.catalog, goal)
    known = turn.conversation.facts.known
    wanted = facts_of(turn.catalog, turn.conversation, redo) if anew else ()
    results = [value for fact in wanted if (value := resolve(turn.catalog, turn.conversation, fact)) is not None]
    if results:
        made = {
            one.skill for one in turn.conversation.calls.history if one.skill and one.event in {r.by for r in results}
        }
        own = replace(own, skills=tuple(dict.fromkeys((*own.skills, *made))))
    if own.skills:
        told = [fact for fact, value in known.items() if anew and value.goal_id == number and value not in results]
        again = events.Begun(
            goal_id=number,
            set_aside=(*(value.fact for value in results), *told),
            kept=tuple(fact for fact in own.scoped if fact in known and known[fact] not in results),
            restored=tuple(told),
            skills=own.skills,
            requested=redo.requested,
            cause=cause,
        )
        begun = turn.journal.add(again)
        restore(turn, begun, lambda action: is_reopened(action, own))


def show_results(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> dict[str, str]:
    """Return what a goal came to, as the user may see it."""
    reached = facts_of(catalog, conversation, goal)
    return {fact: show_current(catalog, conversation, fact) or "?" for fact in reached}


def begin(turn: TurnContext, goal: StackedGoal) -> None:
    """Set aside the values of other requests, and establish those that were given for the one on top."""
    catalog, conversation = turn.catalog, turn.conversation
    start = start_of(catalog, conversation, goal)
    if start is None:
        return
    for reference in start.unresolved:
        turn.reply(turn.language.facts.nothing_to_take(catalog, *reference))
    begun = turn.journal.add(
        events.Begun(
            goal_id=goal.goal_id,
            set_aside=start.set_aside,
            kept=start.kept,
            restored=start.restored,
            skills=start.own.skills,
            requested=start.requested,
            reason=Reason(code="of_another_request") if start.set_aside else NO_REASON,
            cause=goal.origin.cause,
        )
    )
    if not goal.begun:
        restore(turn, begun, lambda action: is_reopened(action, start.own))
        _establish_said(turn, goal)


def _establish_said(turn: TurnContext, goal: StackedGoal) -> None:
    if goal.request is None:
        return
    for mention in goal.request.mention.values:
        if mention.fact in turn.catalog.facts:
            given = GivenValue.said_as(mention)
            if goal.origin.because == "event":
                given = replace(given, source="event", start=None, end=None)
            establish(turn, goal.request.heard, given, goal_id=goal.goal_id)


def complete(turn: TurnContext, goal: StackedGoal, unused: events.Discarded | None = None) -> None:
    """Announce that a goal was reached, give up the `unused` rest of its plan, and go back to the goal below."""
    if unused is not None:
        turn.journal.add(unused)
    turn.journal.add(events.GoalAchieved(goal_id=goal.goal_id))
    shown = show_results(turn.catalog, turn.conversation, goal)
    declined = refusal_in(turn.catalog, turn.conversation, shown, goal.skills)
    done = turn.language.goals.goal_done(turn.catalog, goal.goal, goal.facts, shown, declined=declined)
    turn.reply(done, "result", tuple(shown))
    if not _offer_extension(turn, goal):
        go_back(turn, goal)


def drop(turn: TurnContext, goal: StackedGoal, reason: Reason, *, on: bool = True) -> None:
    """Take a goal off the stack, discard its plan, and go `on` with the goal below, if it was the one on top."""
    on_top, plan = goal is turn.conversation.goal, turn.conversation.plan_of(goal.goal_id)
    pending = turn.conversation.questions.pending
    dropped = turn.journal.add(events.GoalDropped(goal_id=goal.goal_id, reason=reason))
    if plan is not None:
        turn.journal.add(plan.discard(reason, dropped))
    if on_top and on:
        go_back(turn, goal)
    elif not on_top and pending is not None:
        turn.journal.add(pending.asked.again(pending.asked.attempt))


def resume(turn: TurnContext) -> None:
    """Announce the goal below, if there is one: it is worked on next."""
    below = turn.conversation.goal
    if below is not None:
        turn.journal.add(events.Resumed(goal_id=below.goal_id))
        new = below.request is not None and not below.begun
        words = turn.language.goals
        turn.reply((words.now_to if new else words.fallen_back)(below.label))


def go_back(turn: TurnContext, ended: StackedGoal) -> None:
    if ended.origin.interrupted is None:
        resume(turn)
        _offer_what_was_lost(turn, since=ended.origin.pushed)
    else:
        turn.journal.add(ended.origin.interrupted)
        turn.remind(since=turn.conversation.seq + 1)


def _offer_what_was_lost(turn: TurnContext, since: int) -> None:
    """When nothing is open, offer a result again that a correction has made invalid while something else was open."""
    conversation = turn.conversation
    if conversation.goal is not None:
        return
    latest = {goal.goal: goal for goal in conversation.goals.past}
    lost = {name: at for name, goal in latest.items() if (at := _lost_at(turn, goal)) > since}
    if lost:
        offer_goal(turn, latest[max(lost, key=lost.__getitem__)], turn.language.goals.redo_now)


def _lost_at(turn: TurnContext, goal: StackedGoal) -> int:
    """Return the entry since which the result of an achieved goal does not hold any more; 0 if it does."""
    now, declared = turn.conversation, turn.catalog.goals.get(goal.goal)
    if goal.ending is None or goal.status != "achieved" or declared is None or is_reached(turn.catalog, now, declared):
        return 0
    wrong = (now.facts.retracted.get(fact, 0) for fact in goal.facts)
    return max((*wrong, *(now.calls.undone.get(skill, 0) for skill in goal.skills)), default=0)


def offer_goal(turn: TurnContext, goal: StackedGoal, ask: Callable[[str], str]) -> None:
    """Ask whether a goal that has ended is to be taken up again."""
    question = ask(goal.label)
    turn.journal.add(events.Asked(about="offer", subject=goal.goal, text=question, redo=goal.goal_id))
    turn.reply(question, "question")


def _offer_extension(turn: TurnContext, goal: StackedGoal) -> bool:
    conversation = turn.conversation
    for extension in turn.catalog.extensions:
        offered = turn.catalog.goals[extension.offer]
        under_way = any(g.goal == extension.offer for g in (*conversation.goals.stack, *conversation.goals.past))
        if extension.after == goal.goal and not under_way and extension.offer not in conversation.goals.offered:
            turn.journal.add(events.Offered(goal=offered.name, after=goal.goal))
            turn.journal.add(events.Asked(about="offer", subject=offered.name, text=extension.say))
            turn.reply(extension.say, "question")
            return True
    return False


_NOWHERE = Span(start=0, end=0, text="")


def violations_of(catalog: Catalog, request: Intent, today: date) -> tuple[str, ...]:
    said = sorted((mention.fact, json.dumps(mention.value)) for mention in request.values)
    return _judge(CatalogKey(catalog), request.goal, tuple(said), today) if catalog.rules else ()


def ask_to_put_right(turn: TurnContext, goal: StackedGoal) -> bool | None:
    """Say which rules the request on top violates, and ask for another value.

    Return whether something is: None if it is, and nothing else can be asked for.
    """
    conversation = turn.conversation
    errors = _list_errors(turn, goal)
    if not errors:
        return False
    said = next(reversed(_said_for(turn.catalog, conversation, goal)), None)
    if said is None or operator_name(StepKind.ASK, said.fact) in conversation.plans.pruned:
        return None
    turn.journal.add(events.Objected(goal_id=goal.goal_id, errors=errors, heard=said.by))
    words = turn.language.questions
    told = words.objection(errors, words.question_for(turn.catalog.facts[said.fact]))
    turn.journal.add(events.Asked(about="fact", subject=said.fact, text=told))
    turn.reply(told, "question")
    return True


def puts_right(turn: TurnContext, given: Sequence[GivenValue]) -> bool:
    """Return whether the rules judge the request on top otherwise with what was given: that answers an objection."""
    goal = turn.conversation.goal
    if goal is None or goal.goal not in turn.catalog.goals:
        return False
    now = {value.fact: value.value for value in _said_for(turn.catalog, turn.conversation, goal)}
    facts = scope_of(turn.catalog, turn.catalog.goals[goal.goal]).facts
    then = now | {value.fact: value.value for value in given if value.fact in facts}
    return _judge_values(turn, goal, now) != _judge_values(turn, goal, then)


def _judge_values(turn: TurnContext, goal: StackedGoal, values: Mapping[str, JsonValue]) -> tuple[str, ...]:
    said = (Entity(fact=fact, value=value, span=_NOWHERE, rule="known") for fact, value in values.items())
    request = Intent(goal=goal.goal, span=_NOWHERE, confidence=1.0, values=tuple(said))
    return violations_of(turn.catalog, request, turn.today)


def spread_periods(catalog: Catalog, mentions: Iterable[Entity]) -> Iterator[Entity]:
    """Replace a period by its first and its last day, where these are facts."""
    for mention in mentions:
        kind = catalog.facts[mention.fact].value if mention.fact in catalog.facts else None
        if kind is None or not kind.ends or not isinstance(mention.value, dict):
            yield mention
            continue
        for fact, end in zip(kind.ends, ("start", "end"), strict=True):
            if mention.value.get(end) is not None:
                yield mention.model_copy(update={"fact": fact, "value": mention.value[end]})


def _list_errors(turn: TurnContext, goal: StackedGoal) -> tuple[str, ...]:
    """List the current violations: those recorded, until another value is given, or those that rules find now."""
    objected = turn.conversation.goals.objected
    if objected is not None and objected.goal_id == goal.goal_id:
        return objected.errors
    if not turn.catalog.rules or goal.goal not in turn.catalog.goals:
        return ()
    return _judge_values(turn, goal, {v.fact: v.value for v in _said_for(turn.catalog, turn.conversation, goal)})


def _said_for(catalog: Catalog, conversation: Conversation, goal: StackedGoal) -> Sequence[KnownValue]:
    """List the values that people gave, as far as they lead to the goal, in the order in which they were given."""
    declared = catalog.goals.get(goal.goal)
    facts = scope_of(catalog, declared).facts if declared else frozenset()
    said = (value for value in conversation.facts.known.values() if value.fact in facts and value.source == "user")
    return sorted(said, key=lambda value: value.event)


@lru_cache(maxsize=256)
def _judge(same: CatalogKey, goal: str, said: tuple[tuple[str, str], ...], today: date) -> tuple[str, ...]:
    values = tuple(Entity(fact=f, value=json.loads(value), span=_NOWHERE, rule="said") for f, value in said)
    request = Intent(goal=goal, span=_NOWHERE, confidence=1.0, values=values)
    return materialize(prepare(same.catalog), (request,), today).errors


def migrate_to_catalog(turn: TurnContext) -> None:
    """If the catalog was changed, drop the open goals, forget values that no longer fit, and tell the user.

    Nothing that was planned, agreed to or asked under the old catalog holds any more. What the user said stays, as far
    as the new catalog has a place for it, and so does the record of calls that must not be repeated.
    """
    before = turn.conversation
    if before.setup.digest == turn.digest:
        return
    changed = turn.journal.add(events.CatalogChanged(digest=turn.digest))
    reason = Reason(code="catalog_changed")
    for goal in before.goals.stack:
        plan = turn.conversation.plan_of(goal.goal_id)
        dropped = turn.journal.add(events.GoalDropped(goal_id=goal.goal_id, reason=reason))
        if plan is not None:
            turn.journal.add(plan.discard(reason, dropped))
    for value in before.facts.known.values():
        if not _fits(turn.catalog, value):
            turn.journal.add(events.Retracted(fact=value.fact, reason=reason, cause=changed))
    close_spent(turn)
    turn.reply(turn.language.goals.catalog_changed([goal.label for goal in before.goals.stack]))


def _fits(catalog: Catalog, value: KnownValue) -> bool:
    try:
        kind = catalog.facts[value.fact].value if value.fact in catalog.facts else None
        return kind is not None and kind.same(kind.check(value.value), value.value)
    except Unreadable:
        return False
