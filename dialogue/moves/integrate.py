"""Integration of dialogue acts: answers, values, goals, questions and controls become events.

The order is: "stop" before everything else; then the answer to the open question; then whatever else was said (V9 of
the paper's behaviours: extra information fills other slots and is never asked again); then new goals on the stack; then
questions about the past; and when none of these applied, the assistant says that it did not understand.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from pydantic import JsonValue

from catalog.model import Goal
from dialogue.context import TurnContext
from dialogue.log.events import Answered, Preferred
from dialogue.moves.answers import accept, answer_confirmation, answer_consent, answer_fact, says_nothing
from dialogue.moves.replies import answer_rest, answer_term, offer_goal, preview_plan
from dialogue.moves.requests import object_now, push_requests, sort_out
from dialogue.state.conversation import is_reached
from dialogue.state.goals import StackedGoal
from dialogue.state.questions import PendingQuestion
from dialogue.updates.explanations import answer
from dialogue.updates.facts import Given, establish
from dialogue.updates.goals import drop, push_goal, resume
from language.interpretation import DialogueAct, Interpretation, Preference, Topic
from planning.task.compilation import compile_task, want
from planning.task.index import is_solvable


def integrate(
    turn: TurnContext, heard: int, meaning: Interpretation, uploads: tuple[tuple[str, JsonValue, str], ...]
) -> None:
    """Turn the meaning of an utterance, and its uploads as (fact, value, file name), into events."""
    pending = turn.conversation.questions.pending
    if meaning.preference is not None:
        _prefer(turn, heard, meaning.preference)
    if meaning.hypothetical and meaning.goals:
        preview_plan(turn, heard, meaning)
        return
    found = sort_out(turn.catalog, turn.conversation, heard, meaning)
    if meaning.control is DialogueAct.STOP and not (pending and pending.asked.about == "offer"):
        _stop(turn)
        push_requests(turn, heard, found.requests, meaning, quietly=False)
        return
    given = [Given(v.fact, v.value, "user", v.span.text, v.rule, v.span.start, v.span.end) for v in found.values]
    given += [Given(fact, value, "upload", name, "upload") for fact, value, name in uploads]
    known = turn.conversation.facts.known
    belonged = {known[value.fact].goal_id for value in given if value.fact in known}
    answered = pending is not None and _answer(turn, pending, heard, meaning, given)
    taken = {value.fact: establish(turn, heard, value) for value in given}
    noted = tuple(fact for fact, stale in taken.items() if stale is not None)
    pushed = push_requests(turn, heard, found.requests, meaning, quietly=answered or bool(noted))
    if meaning.errors:
        object_now(turn, heard, meaning.errors)
        return
    if meaning.question is not None:
        answer(turn, meaning.question)
    if meaning.term is not None:
        answer_term(turn, meaning.term)
    if not (answered or pushed) and (noted or meaning.preference):
        plain = tuple(fact for fact in noted if not taken[fact])
        _follow_up(turn, heard, plain, belonged)
    elif not (answered or taken or pushed or meaning.question or meaning.term):
        answer_rest(turn, meaning)
    elif taken and not (answered or noted or pushed or meaning.question):
        turn.reply(turn.language.facts.known_already(turn.catalog, tuple(taken)))


def _prefer(turn: TurnContext, heard: int, preference: Preference) -> None:
    """Record what is to be minimised or what may be spent, and confirm it."""
    preferred = Preferred(
        heard=heard,
        minimize=preference.minimize,
        usual=preference.usual,
        budget=preference.budget,
        unlimited=preference.unlimited,
    )
    turn.journal.add(preferred)
    turn.reply(turn.language.plans.confirm_preference(turn.catalog, preferred))


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
        if last.status == "dropped" and last.reason == turn.language.goals.NO_PLAN and _can_reach(turn, declared):
            push_goal(turn, declared, "request", heard, again=True, redo=last)
            return
        if lost or _is_lost(turn, last):
            again = lost[-1] if lost else last
            offer_goal(turn, again, turn.language.goals.redo(again.label))
            return
    if noted:
        turn.reply(turn.language.facts.noted(catalog, noted))


def _is_lost(turn: TurnContext, goal: StackedGoal) -> bool:
    """Return whether a goal was achieved and its result no longer holds."""
    declared = turn.catalog.goals.get(goal.goal)
    lost = declared is not None and not is_reached(turn.catalog, turn.conversation, declared)
    return goal.status == "achieved" and lost


def _can_reach(turn: TurnContext, goal: Goal) -> bool:
    return is_solvable(compile_task(turn.catalog, turn.conversation.situation, want(goal)))


def _stop(turn: TurnContext) -> None:
    goal = turn.conversation.goal
    if goal is None:
        turn.reply(turn.language.goals.nothing_to_stop())
        return
    turn.reply(turn.language.goals.goal_stopped(goal.label))
    drop(turn, goal, turn.language.goals.STOPPED)


def _answer(
    turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation, given: list[Given]
) -> bool:
    """Take the utterance as the answer to the open question, if it is one; tell whether it was."""
    match pending.asked.about:
        case "fact":
            return answer_fact(turn, pending, heard, meaning, given)
        case "authorize":
            return answer_consent(turn, pending, heard, meaning)
        case "confirm":
            return answer_confirmation(turn, pending, heard, meaning, given)
        case "offer":
            return _answer_offer(turn, pending, heard, meaning)
        case "choice":
            return _answer_choice(turn, pending, heard, meaning)


def _answer_offer(turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation) -> bool:
    if meaning.control is DialogueAct.YES:
        accept(turn, pending, heard)
        if pending.asked.budget is not None and not _names_budget(meaning):
            turn.journal.add(Preferred(heard=heard, budget=pending.asked.budget))
        because: Literal["request", "extension"]
        because = "extension" if pending.asked.subject in turn.conversation.goals.offered else "request"
        again = pending.asked.budget is not None
        redo = next((g for g in turn.conversation.goals.past if g.goal_id == pending.asked.redo), None)
        push_goal(turn, turn.catalog.goals[pending.asked.subject], because, pending.seq, again=again, redo=redo)
        return True
    if _is_beside_the_point(turn, pending, heard, meaning):
        return True
    if meaning.control in (DialogueAct.NO, DialogueAct.SKIP, DialogueAct.STOP):
        accept(turn, pending, heard)
        turn.reply(turn.language.questions.offer_declined())
        resume(turn)
        return True
    if meaning.goals or meaning.topic is Topic.FAREWELL or says_nothing(meaning):
        accept(turn, pending, heard)  # the offer has lapsed
        if not meaning.goals:
            resume(turn)
    return False  # while something else is talked about, it stays open


def _names_budget(meaning: Interpretation) -> bool:
    """Return whether a budget was given: "yes, but at most 2 euros"."""
    preference = meaning.preference
    return preference is not None and (preference.unlimited or preference.budget is not None)


def _answer_choice(turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation) -> bool:
    if _is_beside_the_point(turn, pending, heard, meaning):
        return True
    if meaning.values and not (meaning.goals or meaning.control or meaning.question):
        return False  # it is noted, and the choice stays open
    accept(turn, pending, heard)
    if meaning.control in (DialogueAct.NO, DialogueAct.SKIP) and not meaning.goals:
        turn.reply(turn.language.smalltalk.what_i_can_do(turn.catalog))
        resume(turn)
        return True
    return False  # the goal that was chosen is pushed as any other


def _is_beside_the_point(turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation) -> bool:
    """Put an offer or a choice once more when what was said is no answer to it, nor anything else."""
    asked = pending.asked
    undecided = asked.about == "choice" and meaning.control is DialogueAct.YES  # yes to which?
    if asked.attempt > 1 or not (undecided or says_nothing(meaning)):
        return False
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=meaning.unclear or ""))
    turn.journal.add(asked.model_copy(update={"attempt": asked.attempt + 1}))
    turn.reply(turn.language.questions.ask_again(meaning.unclear or "", asked.text), "question")
    return True
