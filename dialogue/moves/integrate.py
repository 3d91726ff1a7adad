"""Integration of dialogue acts: answers, values, requests, questions and controls become events.

The order is: "stop" before everything else; then the answer to the open question; then whatever else was said (V9 of
the paper's behaviours: extra information fills other slots and is never asked again); then new requests, each with its
values, on the stack of goals; then questions about the past; and when none of these applied, the assistant says that it
did not understand.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pydantic import JsonValue

from catalog.analysis.dependencies import always_needs
from catalog.model import Catalog, Scope
from dialogue.context import TurnContext
from dialogue.log.events import Appealed, Objected, Preferred
from dialogue.moves.addressed import Addressed, question_of
from dialogue.moves.answers import take_answer, take_offered_way
from dialogue.moves.consents import give_after_all, take_back
from dialogue.moves.gate import Permitted, permit
from dialogue.moves.replies import answer_rest, answer_term, explain_past, offer_choice, preview_plan
from dialogue.moves.tasks import steer, supply_tasks, tell_why_asked
from dialogue.moves.undo import MOVES
from dialogue.state.conversation import Conversation, is_reached
from dialogue.state.goals import GoalRequest, StackedGoal
from dialogue.state.masking import show_current
from dialogue.state.questions import GO_AHEAD, PendingQuestion
from dialogue.updates.facts import GivenValue, establish
from dialogue.updates.goal_situation import scope_of
from dialogue.updates.goals import begin, drop, offer_goal, pursue_again, push_goal, spread_periods, violations_of
from language.content import Reason
from language.interpretation import APPEALS, DialogueAct, Entity, Intent, Interpretation, Span, TaskAct
from language.responses.facts_and_skills import sentence
from planning.task.compilation import compile_task, want
from planning.task.index import is_solvable


def integrate(
    turn: TurnContext, heard: int, meaning: Interpretation, uploads: tuple[tuple[str, JsonValue, str], ...]
) -> None:
    """Turn the meaning of an utterance, and its uploads as (fact, value, file name), into events."""
    addressed = question_of(turn, heard)
    allowed = permit(meaning, turn.catalog, turn.conversation, addressed.pending)
    meaning = allowed.meaning
    if meaning.preference is not None:
        turn.journal.add(Preferred(heard=heard, **meaning.preference.model_dump(exclude={"span"})))
        turn.reply(turn.language.plans.confirm_preference(turn.catalog, meaning.preference))
    found = sort_out(turn.catalog, turn.conversation, heard, meaning)
    if meaning.control is not None and meaning.control in MOVES:
        MOVES[meaning.control](turn, heard)
    elif not _tell_or_take_up(turn, heard, meaning, found):
        acted = _do_acts(turn, heard, allowed, addressed.pending)
        if acted and not (meaning.control or meaning.goals or meaning.values or uploads):
            return
        pending = addressed.pending if turn.conversation.questions.pending is not None or not acted else None
        if meaning.control is DialogueAct.STOP and not (pending and pending.asked.about == "offer"):
            _stop(turn, heard)
            push_requests(turn, heard, found.requests, meaning, quietly=False)
        else:
            _take(turn, heard, allowed, found, replace(addressed, pending=pending), uploads=uploads, acted=acted)


def _take(
    turn: TurnContext,
    heard: int,
    allowed: Permitted,
    found: Sorted,
    addressed: Addressed,
    *,
    uploads: Sequence[tuple[str, JsonValue, str]],
    acted: bool,
) -> None:
    """Take the answer to the open question, then other values, then requests; and respond to the rest."""
    meaning, pending = allowed.meaning, addressed.pending
    still_open = turn.conversation.questions.pending is not None
    unseen = pending is None and (still_open or addressed.shown is not None)
    given = [GivenValue.said_as(value) for value in found.values if value.fact not in meaning.too_late]
    given += [GivenValue(fact, value, "upload", name, "upload") for fact, value, name in uploads]
    known = turn.conversation.facts.known
    belonged = {known[value.fact].goal_id for value in given if value.fact in known}
    answered = pending is not None and take_answer(turn, pending, heard, meaning, given)
    if answered and pending is not None and pending.asked.about == "fact":
        given = [value for value in given if value.fact != pending.asked.subject]
    left = supply_tasks(turn, heard, given)
    given, answered = left, answered or len(left) < len(given)
    if meaning.follows and pursue_again(turn, heard, given):
        return
    taken = {value.fact: establish(turn, heard, value) for value in given}
    noted = tuple(fact for fact, stale in taken.items() if stale is not None)
    if pending is not None and not answered and not found.requests:
        take_offered_way(turn, pending, heard, [fact for fact, _, _ in uploads if fact in noted])
    pushed = push_requests(turn, heard, found.requests, meaning, quietly=answered or bool(noted))
    for goal in allowed.left_out:
        turn.reply(turn.language.goals.not_begun(turn.catalog.goals[goal].label))
    if meaning.errors:
        object_now(turn, heard, meaning.errors)
        return
    if pushed and meaning.unclear and not answered:
        turn.reply(sentence(meaning.unclear), "problem")
    _answer_asked(turn, meaning)
    if allowed.withheld:
        _tell_unchanged(turn, allowed.withheld)
    missed = unseen and (meaning.control in _ANSWERS or not (taken or pushed or acted or _says_something(meaning)))
    if missed:
        turn.reply(turn.language.questions.answered_unseen(still_open))
    responded = answered or pushed or acted or missed or bool(meaning.question or meaning.term or allowed.withheld)
    if not (answered or pushed) and (noted or meaning.preference):
        plain = tuple(fact for fact in noted if not taken[fact])
        _follow_up(turn, heard, plain, belonged)
        if meaning.candidates and turn.conversation.goal is None and turn.conversation.questions.pending is None:
            offer_choice(turn, meaning)
    elif not (responded or taken):
        answer_rest(turn, meaning)
    elif taken and not (answered or noted or pushed or meaning.question):
        turn.reply(turn.language.facts.known_already(turn.catalog, tuple(taken)))


def _do_acts(turn: TurnContext, heard: int, allowed: Permitted, pending: PendingQuestion | None) -> bool:
    """Do what an utterance does beside telling and requesting; return whether it did anything."""
    about = pending.asked.about if pending else ""
    declines = about in GO_AHEAD and allowed.meaning.control is DialogueAct.NO
    if allowed.forbidding:
        take_back(turn, heard, allowed.forbidding, ahead=not declines)
    given = bool(allowed.allowing) and about != "authorize" and give_after_all(turn, heard, allowed.allowing)
    wanted = {mention.goal for mention in allowed.meaning.goals}
    refused = [goal for goal in allowed.refused if goal not in wanted]
    if about == "offer" and pending is not None and allowed.meaning.control is DialogueAct.NO:
        refused = [goal for goal in refused if goal != pending.asked.subject]
    for name in refused:
        goal = next((one for one in turn.conversation.goals.stack if one.goal == name), None)
        turn.reply(turn.language.goals.refused(turn.catalog.goals[name].label))
        if goal is not None:
            drop(turn, goal, Reason(code="not_wanted"))
    for one in allowed.appeals:
        turn.journal.add(Appealed(heard=heard, about=APPEALS[one.act], words=one.span.text))
    for appeal in dict.fromkeys(APPEALS[one.act] for one in allowed.appeals):
        turn.reply(turn.language.smalltalk.appeal(turn.catalog, appeal))
    return bool((allowed.forbidding and not declines) or given or refused or allowed.appeals)


def _answer_asked(turn: TurnContext, meaning: Interpretation) -> None:
    if meaning.question is not None and not tell_why_asked(turn, meaning.question):
        explain_past(turn, meaning.question)
    if meaning.term is not None:
        answer_term(turn, meaning.term)


def _tell_unchanged(turn: TurnContext, withheld: Sequence[Entity]) -> None:
    """Say that what was asked about or supposed has changed nothing, and what holds."""
    catalog = turn.catalog
    told = []
    for value in {value.fact: value for value in withheld if value.fact in catalog.facts}.values():
        known, hidden = value.fact in turn.conversation.facts.known, catalog.is_sensitive(value.fact)
        holds = show_current(catalog, turn.conversation, value.fact) if known else None
        told.append((value.fact, "" if hidden else value.span.text, holds))
    turn.reply(turn.language.questions.unchanged(catalog, told))


_ANSWERS = (DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP)


def _says_something(meaning: Interpretation) -> bool:
    """Return whether an utterance makes sense without a question that it would be an answer to."""
    asked = meaning.question or meaning.term or meaning.wonders
    return bool(meaning.control or asked or meaning.candidates or meaning.preference)


def _follow_up(turn: TurnContext, heard: int, noted: tuple[str, ...], belonged: Collection[int | None]) -> None:
    """Confirm what was noted; go on with what it makes possible, or offer what it has set aside, if nothing is open.

    What a goal refers to that is still open is worked out anew without being offered. `belonged` are the numbers of
    goals for which other values had been given before.
    """
    catalog, conversation = turn.catalog, turn.conversation
    lost = [goal for goal in conversation.goals.past if goal.goal_id in belonged and _is_lost(turn, goal)]
    referred = {one.goal_id for goal in conversation.goals.stack for one in goal.requested}
    for goal in lost if conversation.goals.stack else ():
        if goal.goal_id in referred and push_goal(turn, catalog.goals[goal.goal], "request", heard, redo=goal):
            return
    last = conversation.goals.past[-1] if conversation.goals.past and not conversation.goals.stack else None
    declared = catalog.goals.get(last.goal) if last else None
    if last is not None and declared is not None:
        lacked = last.status == "dropped" and last.reason.code == "no_plan"
        if lacked and is_solvable(compile_task(catalog, conversation.situation, want(declared))):
            push_goal(turn, declared, "request", heard, again=True, redo=last)
            return
        if lost or _is_lost(turn, last):
            offer_goal(turn, lost[-1] if lost else last, turn.language.goals.redo)
            return
    if noted:
        turn.reply(turn.language.facts.noted(catalog, noted))


def _is_lost(turn: TurnContext, goal: StackedGoal) -> bool:
    declared = turn.catalog.goals.get(goal.goal)
    lost = declared is not None and not is_reached(turn.catalog, turn.conversation, declared)
    return goal.status == "achieved" and lost


def _stop(turn: TurnContext, heard: int) -> None:
    goal = turn.conversation.goal
    if goal is None and turn.conversation.tasks.open:
        steer(turn, heard, TaskAct.PAUSE, turn.conversation.tasks.open[0])
        return
    if goal is None:
        turn.reply(turn.language.goals.nothing_to_stop())
        return
    turn.reply(turn.language.goals.goal_stopped(goal.label))
    drop(turn, goal, Reason(code="stopped"))


@dataclass(frozen=True, slots=True)
class Sorted:
    """New requests in the order in which they were said, and the values that are for none of them alone."""

    requests: tuple[GoalRequest, ...]
    values: tuple[Entity, ...]


def sort_out(catalog: Catalog, conversation: Conversation, heard: int, meaning: Interpretation) -> Sorted:
    """Assign to each new request the values given for it; a request-scoped value always belongs to a request."""
    meaning = _keep_apart(catalog, meaning)
    said = _list_mentions(catalog, conversation, heard, meaning)
    own = [value for request in said if request.heard == heard for value in request.mention.values]
    free = [value for value in spread_periods(catalog, meaning.values) if not _is_said_for(own, value)]
    taken: set[tuple[str, Span]] = set()
    requests: dict[tuple[str, str], GoalRequest] = {}
    values: list[Entity] = []
    for request in said:
        mention = request.mention
        having = {*(value.fact for value in mention.values), *(reference.fact for reference in mention.references)}
        scoped = scope_of(catalog, catalog.goals[mention.goal]).scoped
        more = tuple(value for value in free if value.fact in scoped and value.fact not in having)
        taken.update((one.fact, one.span) for one in more)
        at = request.heard
        if more and not mention.values:  # all that is said for it is said now, also where it had been offered before
            mention, at = meaning.goals[request.position], heard
        whole = mention.model_copy(update={"values": (*mention.values, *more)})
        top = conversation.goal
        if whole.values and top is not None and top.goal == mention.goal and top.heard != heard:
            values += whole.values
        else:
            key = json.dumps([[value.fact, catalog.facts[value.fact].value.key(value.value)] for value in whole.values])
            requests.setdefault((mention.goal, key), GoalRequest(whole, at, request.position))
    rest = tuple(value for value in free if (value.fact, value.span) not in taken)
    return _share_values(catalog, conversation, Sorted(tuple(requests.values()), (*rest, *values)))


def _share_values(catalog: Catalog, conversation: Conversation, found: Sorted) -> Sorted:
    """Give all requests what is said with a later one and belongs to no request alone, unless another value is known.

    Requests of one utterance are planned together, so that the first may rest on what was said with the second.
    """
    if len(found.requests) < 2:
        return found
    said = [value for request in found.requests for value in request.mention.values]
    several = {one.fact for one in said for other in said if one.fact == other.fact and one.value != other.value}
    later = [value for request in found.requests[1:] for value in request.mention.values]
    shared = [
        value
        for value in {value.fact: value for value in later}.values()
        if catalog.facts[value.fact].scope is not Scope.GOAL
        and value.fact not in several
        and value.fact not in conversation.facts.known
    ]
    facts = {value.fact for value in shared}
    requests = (found.requests[0], *(_without(request, facts) for request in found.requests[1:]))
    return Sorted(requests, (*found.values, *shared)) if shared else found


def _tell_or_take_up(turn: TurnContext, heard: int, meaning: Interpretation, found: Sorted) -> bool:
    """Let a guest answer, tell how something would be done, or do what was told just now; return whether it was so."""
    if any(guest.answer(turn, heard, meaning) for guest in turn.guests):
        return True
    if meaning.hypothetical and meaning.goals:
        preview_plan(turn, found.requests, found.values)
        return True
    at = turn.conversation.messages.told_before(heard, turn.seen_by(heard))
    if at is None or meaning.question or meaning.errors or not found.requests:
        return False
    told = sort_out(turn.catalog, turn.conversation, at, turn.conversation.messages.meanings[at])
    same = [one.mention.goal for one in found.requests] == [one.mention.goal for one in told.requests]
    if same:
        _take_up(turn, heard, meaning, found, then=at, told=told)
    return same


def _take_up(turn: TurnContext, heard: int, meaning: Interpretation, found: Sorted, *, then: int, told: Sorted) -> None:
    """Begin what was told, with what was said for it in the entry `then`; what is said of it now counts instead."""
    said = {value.fact for value in found.values}
    for at, values in ((heard, found.values), (then, told.values)):
        for value in values:
            if at == heard or value.fact not in said:
                establish(turn, at, GivenValue.said_as(value))
    pairs = tuple(zip(found.requests, told.requests, strict=True))
    requests = tuple(now if now.mention.values else _without(before, said) for now, before in pairs)
    push_requests(turn, heard, requests, meaning, quietly=False)
    goal = turn.conversation.goal
    before = next((one for now, one in pairs if goal is not None and goal.request == now), None)
    if goal is not None and before is not None:
        begin(turn, goal)
        own = {value.fact for value in goal.request.mention.values} if goal.request else set()
        for value in before.mention.values:
            if value.fact not in own | said:
                establish(turn, then, GivenValue.said_as(value), goal_id=goal.goal_id)


def _without(request: GoalRequest, facts: Collection[str]) -> GoalRequest:
    values = tuple(value for value in request.mention.values if value.fact not in facts)
    return GoalRequest(request.mention.model_copy(update={"values": values}), request.heard, request.position)


def push_requests(
    turn: TurnContext, heard: int, requests: Sequence[GoalRequest], meaning: Interpretation, *, quietly: bool
) -> bool:
    """Push what was asked for so that what was mentioned first is pursued first; tell whether anything was asked for.

    The goal on top may be named in passing: `quietly` leaves that unsaid, where something else was understood.
    """
    wanted = list(islice(requests, turn.catalog.settings.max_goals))
    order = order_by_dependency(turn.catalog, [one.mention for one in wanted], [one.position for one in wanted])
    wanted = [wanted[place] for place in order]
    top = turn.conversation.goal
    if quietly and top is not None:
        wanted = [one for one in wanted if one.mention.values or one.mention.goal != top.goal]
    if meaning.errors:
        wrong = [one for one in wanted if violations_of(turn.catalog, one.mention, turn.today)]
        wanted = [*wrong, *(one for one in wanted if one not in wrong)]  # what is put right is said for the first
    open_goals = {goal.goal for goal in turn.conversation.goals.stack}
    goals = turn.catalog.goals
    following = [goals[one.mention.goal].label for one in wanted[1:] if one.mention.goal not in open_goals]
    for place, one in reversed(list(enumerate(wanted))):
        goal = goals[one.mention.goal]
        quiet = place > 0 and one.mention.goal not in open_goals
        push_goal(turn, goal, "request", heard, request=one, following=() if place else following, quiet=quiet)
    return bool(wanted)


def order_by_dependency(catalog: Catalog, mentions: Sequence[Intent], positions: Sequence[int]) -> list[int]:
    """Order requests: one whose result another refers to, or cannot do without, before it; else as they were said."""
    goals = [catalog.goals[mention.goal] for mention in mentions]

    def comes_first(one: int, other: int) -> bool:
        if any(positions[one] in reference.to for reference in mentions[other].references):
            return True
        needed = always_needs(catalog, goals[other], goals[one])
        return needed and not always_needs(catalog, goals[one], goals[other])

    left = list(range(len(mentions)))
    ordered: list[int] = []
    while left:
        free = (place for place in left if not any(comes_first(other, place) for other in left if other != place))
        ordered.append(next(free, left[0]))
        left.remove(ordered[-1])
    return ordered


def object_now(turn: TurnContext, heard: int, errors: tuple[str, ...]) -> None:
    """Record the rules that the utterance violates; they are reported when the goal on top is begun."""
    goal = turn.conversation.goal
    if goal is not None:
        begin(turn, goal)
        turn.journal.add(Objected(goal_id=goal.goal_id, errors=errors, heard=heard))


def _list_mentions(
    catalog: Catalog, conversation: Conversation, heard: int, meaning: Interpretation
) -> list[GoalRequest]:
    """List the goals that were asked for, each with what was said for it; a choice keeps what was said before it."""
    found = []
    for position, mention in enumerate(meaning.goals):
        if mention.goal in catalog.goals:
            before = _find_offered(conversation, mention)
            chosen, at = before or (mention, heard)
            values = tuple(spread_periods(catalog, chosen.values))
            found.append(GoalRequest(chosen.model_copy(update={"values": values}), at, position))
    return found


def _find_offered(conversation: Conversation, mention: Intent) -> tuple[Intent, int] | None:
    """Find what was said for a goal that was put to choice, where it is chosen without saying more."""
    pending = conversation.questions.pending
    if pending is None or pending.asked.about != "choice" or mention.values or mention.references:
        return None
    at = max((seq for seq in conversation.messages.meanings if seq < pending.seq), default=None)
    candidates = conversation.messages.meanings[at].candidates if at is not None else ()
    offered = next((candidate for candidate in candidates if candidate.goal == mention.goal), None)
    return None if offered is None or at is None else (offered, at)


def _keep_apart(catalog: Catalog, meaning: Interpretation) -> Interpretation:
    """Leave out values of facts that are not sensitive, where the same words give one that is: it would get about."""
    everything = (*meaning.values, *(value for goal in meaning.goals for value in goal.values))
    secret = [value for value in everything if value.fact in catalog.facts and catalog.is_sensitive(value.fact)]
    if not secret:
        return meaning

    def apart(values: Sequence[Entity]) -> tuple[Entity, ...]:
        return tuple(value for value in values if value in secret or not _is_said_for(secret, value))

    goals = tuple(goal.model_copy(update={"values": apart(goal.values)}) for goal in meaning.goals)
    return meaning.model_copy(update={"values": apart(meaning.values), "goals": goals})


def _is_said_for(own: Sequence[Entity], value: Entity) -> bool:
    """Return whether the words of a value are said for a request: they are not for anything else as well."""
    return any(one.span.overlaps(value.span) for one in own)
