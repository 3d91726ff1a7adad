"""Taking up what was understood: answers, values, goals, questions and controls become events.

The order is: "stop" before everything else; then the answer to the open question; then whatever else was said (V9 of
the paper's behaviours: extra information fills other slots and is never asked again); then new goals on the stack; then
questions about the past; and when none of these applied, the assistant says that it did not understand.
"""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from catalog.model import Goal
from dialogue import phrases
from dialogue.admission import Given, establish, prefer, push_goal
from dialogue.answers import answer
from dialogue.conversation import PendingQuestion
from dialogue.courtesies import answer_rest, answer_term, offer_goal
from dialogue.events import (
    DECLINED,
    SKIPPED,
    Answered,
    Authorized,
    PlannedStep,
    Preferred,
    Refused,
)
from dialogue.meaning import Control, Meaning, Topic
from dialogue.memory import is_reached
from dialogue.pursuit import NO_PLAN, drop, prune, resume
from dialogue.turn import Turn
from planning.compile import compile_task, want
from planning.model import StepKind
from planning.reachability import is_solvable


def take_up(turn: Turn, heard: int, meaning: Meaning, uploads: tuple[tuple[str, JsonValue, str], ...]) -> None:
    """Turn the meaning of an utterance, and its uploads as (fact, value, file name), into events."""
    pending = turn.conversation.pending
    if meaning.preference is not None:
        prefer(turn, heard, meaning.preference)
    if meaning.control is Control.STOP and not (pending and pending.asked.about == "offer"):
        _stop(turn)
        _push_goals(turn, heard, meaning)
        return
    given = [Given(v.fact, v.value, "user", v.span.text, v.rule, v.span.start, v.span.end) for v in meaning.values]
    given += [Given(fact, value, "upload", name, "upload") for fact, value, name in uploads]
    answered = pending is not None and _answer(turn, pending, heard, meaning, given)
    taken = {value.fact: establish(turn, heard, value) for value in given}
    noted = tuple(fact for fact, stale in taken.items() if stale is not None)
    pushed = _push_goals(turn, heard, meaning, quietly=answered or bool(noted))
    if meaning.question is not None:
        answer(turn, meaning.question)
    if meaning.term is not None:
        answer_term(turn, meaning.term)
    if not (answered or pushed) and (noted or meaning.preference):
        plain = tuple(fact for fact in noted if not taken[fact])
        _follow_up(turn, heard, plain)
    elif not (answered or taken or pushed or meaning.question or meaning.term):
        answer_rest(turn, meaning)
    elif taken and not (answered or noted or pushed or meaning.question):
        turn.reply(phrases.known_already(turn.catalog, tuple(taken)))


def _follow_up(turn: Turn, heard: int, noted: tuple[str, ...]) -> None:
    """Confirm what was noted; go on with what it makes possible, or offer what it has set aside, if nothing is open."""
    catalog, conversation = turn.catalog, turn.conversation
    last = conversation.past_goals[-1] if conversation.past_goals and not conversation.goals else None
    declared = catalog.goals.get(last.goal) if last else None
    if last is not None and declared is not None:
        if last.status == "dropped" and last.reason == NO_PLAN and _can_reach(turn, declared):
            push_goal(turn, declared, "request", heard, again=True)
            return
        if last.status == "achieved" and not is_reached(catalog, conversation, declared):
            offer_goal(turn, declared.name, phrases.redo(declared.label))
            return
    if noted:
        turn.reply(phrases.noted(catalog, noted))


def _can_reach(turn: Turn, goal: Goal) -> bool:
    return is_solvable(compile_task(turn.catalog, turn.conversation.situation, want(goal)))


def _stop(turn: Turn) -> None:
    goal = turn.conversation.goal
    if goal is None:
        turn.reply(phrases.nothing_to_stop())
        return
    turn.reply(phrases.goal_stopped(goal.label))
    drop(turn, goal, "you asked me to stop")


def _answer(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning, given: list[Given]) -> bool:
    """Take the utterance as the answer to the open question, if it is one; tell whether it was."""
    match pending.asked.about:
        case "fact":
            return _answer_fact(turn, pending, heard, meaning, given)
        case "authorize":
            return _answer_consent(turn, pending, heard, meaning)
        case "offer":
            return _answer_offer(turn, pending, heard, meaning)
        case "choice":
            return _answer_choice(turn, pending, heard, meaning)


def _accept(turn: Turn, pending: PendingQuestion, heard: int) -> None:
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=True))


def _answer_fact(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning, given: list[Given]) -> bool:
    fact = pending.asked.subject
    mine = [value for value in given if value.fact == fact]
    if mine:
        _accept(turn, pending, heard)
        establish(turn, heard, mine[-1], pending.seq)
        given[:] = [value for value in given if value.fact != fact]
        return True
    step = PlannedStep(kind=StepKind.ASK, subject=fact)
    if meaning.control in (Control.SKIP, Control.NO) and not meaning.goals:
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=SKIPPED))
        name = phrases.fact_of_user(turn.catalog, fact)
        prune(turn, step, f"you could not or would not give {name}", "skipped", heard)
        return True
    if _has_content(meaning, given) or meaning.wonders:
        return False  # to ask back is no attempt at an answer
    reason = meaning.unclear or phrases.SORRY_UNCLEAR
    _ask_again(turn, pending, heard, reason, step)
    return True


def _answer_consent(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning) -> bool:
    asked = pending.asked
    if meaning.control is Control.YES:
        _accept(turn, pending, heard)
        turn.journal.add(Authorized(subject=asked.subject, facts=asked.facts, heard=heard))
        return True
    if meaning.control in (Control.NO, Control.SKIP):
        _refuse(turn, pending, heard)
        return True
    if _has_content(meaning, []) or meaning.values or meaning.wonders:
        return False
    reason = meaning.unclear or "I need a yes or a no"
    _ask_again(turn, pending, heard, reason, PlannedStep(kind=StepKind.AUTHORIZE, subject=asked.subject))
    return True


def _refuse(turn: Turn, pending: PendingQuestion, heard: int) -> None:
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=DECLINED))
    turn.journal.add(Refused(subject=asked.subject, facts=asked.facts, heard=heard))
    what = phrases.facts_of_user(turn.catalog, asked.facts)
    reason = f"you declined to give {what} to {phrases.consent_subject(turn.catalog, asked.subject)}"
    step = PlannedStep(kind=StepKind.AUTHORIZE, subject=asked.subject, inputs=asked.facts)
    prune(turn, step, reason, "refused", heard)


def _answer_offer(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning) -> bool:
    if meaning.control is Control.YES:
        _accept(turn, pending, heard)
        if pending.asked.budget is not None and not _names_budget(meaning):
            turn.journal.add(Preferred(heard=heard, budget=pending.asked.budget))
        because: Literal["request", "extension"]
        because = "extension" if pending.asked.subject in turn.conversation.offered else "request"
        again = pending.asked.budget is not None
        push_goal(turn, turn.catalog.goals[pending.asked.subject], because, pending.seq, again=again)
        return True
    if _is_beside_the_point(turn, pending, heard, meaning):
        return True
    if meaning.control in (Control.NO, Control.SKIP, Control.STOP):
        _accept(turn, pending, heard)
        turn.reply(phrases.offer_declined())
        resume(turn)
        return True
    if meaning.goals or meaning.topic is Topic.FAREWELL or _says_nothing(meaning):
        _accept(turn, pending, heard)  # the offer has lapsed
        if not meaning.goals:
            resume(turn)
    return False  # while something else is talked about, it stays open


def _names_budget(meaning: Meaning) -> bool:
    """Tell whether it was said what may be spent: "yes, but at most 2 euros"."""
    preference = meaning.preference
    return preference is not None and (preference.unlimited or preference.budget is not None)


def _answer_choice(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning) -> bool:
    if _is_beside_the_point(turn, pending, heard, meaning):
        return True
    if meaning.values and not (meaning.goals or meaning.control or meaning.question):
        return False  # it is noted, and the choice stays open
    _accept(turn, pending, heard)
    if meaning.control in (Control.NO, Control.SKIP) and not meaning.goals:
        turn.reply(phrases.what_i_can_do(turn.catalog))
        resume(turn)
        return True
    return False  # the goal that was chosen is pushed as any other


def _is_beside_the_point(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning) -> bool:
    """Put an offer or a choice once more when what was said is no answer to it, nor anything else."""
    asked = pending.asked
    undecided = asked.about == "choice" and meaning.control is Control.YES  # yes to which?
    if asked.attempt > 1 or not (undecided or _says_nothing(meaning)):
        return False
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=meaning.unclear or ""))
    turn.journal.add(asked.model_copy(update={"attempt": asked.attempt + 1}))
    turn.reply(phrases.ask_again(meaning.unclear or "", asked.text), "question")
    return True


def _ask_again(turn: Turn, pending: PendingQuestion, heard: int, reason: str, step: PlannedStep) -> None:
    """Put the question again with the reason, a bounded number of times; then go on without an answer."""
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=reason))
    if asked.attempt >= turn.catalog.settings.max_asks:
        if asked.about == "authorize":
            turn.reply(phrases.taken_as_no())
            _refuse(turn, pending, heard)
            return
        name = phrases.fact_of_user(turn.catalog, asked.subject)
        turn.reply(phrases.goes_on_without(name), "problem")
        prune(turn, step, f"after {asked.attempt} tries there was no clear answer about {name}", "unclear", heard)
        return
    again = asked.model_copy(update={"attempt": asked.attempt + 1})
    turn.journal.add(again)
    turn.reply(phrases.ask_again(reason, asked.text) + phrases.ways_out(turn.catalog, again), "question")


def _push_goals(turn: Turn, heard: int, meaning: Meaning, *, quietly: bool = False) -> bool:
    """Push what was asked for so that the goal mentioned first is the one pursued first.

    The goal on top may be named in passing: `quietly` leaves that unsaid, where something else was understood.
    """
    room = turn.catalog.settings.max_goals
    wanted = list(dict.fromkeys(mention.goal for mention in meaning.goals))[:room]
    top = turn.conversation.goal
    if quietly and top is not None and top.goal in wanted:
        wanted.remove(top.goal)
    for name in reversed(wanted):
        push_goal(turn, turn.catalog.goals[name], "request", heard)
    return bool(wanted)


def _says_nothing(meaning: Meaning) -> bool:
    return not (_has_content(meaning, []) or meaning.values or meaning.control or meaning.wonders)


def _has_content(meaning: Meaning, given: list[Given]) -> bool:
    """Tell whether an utterance says something else than an answer to the open question."""
    talk = meaning.control in (Control.HELP, Control.CHITCHAT)
    asked = meaning.question or meaning.term
    return bool(meaning.goals or given or asked or meaning.candidates or meaning.preference or talk)
