"""Taking up what was understood: answers, values, goals, questions and controls become events.

The order is: "stop" before everything else; then the answer to the open question; then whatever else was said (V9 of
the paper's behaviours: extra information fills other slots and is never asked again); then new goals on the stack; then
questions about the past; and when none of these applied, the assistant says that it did not understand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from catalog.model import Goal
from dialogue import phrases
from dialogue.answers import answer
from dialogue.conversation import PendingQuestion
from dialogue.events import (
    Answered,
    Asked,
    Authorized,
    Established,
    GoalPushed,
    PlannedStep,
    Refused,
    Restored,
    Retracted,
)
from dialogue.invocation import close_spent
from dialogue.meaning import Control, Meaning
from dialogue.memory import derived_from
from dialogue.pursuit import drop, prune, resume
from dialogue.turn import Turn
from planning.model import StepKind, operator_name

_OPEN_AGAIN = ("skipped", "unclear", "refused")


def take_up(turn: Turn, heard: int, meaning: Meaning, uploads: tuple[tuple[str, JsonValue, str], ...]) -> None:
    """Turn the meaning of an utterance, and its uploads as (fact, value, file name), into events."""
    if meaning.control is Control.STOP:
        _stop(turn)
        return
    pending = turn.conversation.pending
    given = [Given(v.fact, v.value, "user", v.span.text, v.rule, v.span.start, v.span.end) for v in meaning.values]
    given += [Given(fact, value, "upload", name, "upload") for fact, value, name in uploads]
    answered = pending is not None and _answer(turn, pending, heard, meaning, given)
    noted = _take_values(turn, heard, given)
    pushed = _push_goals(turn, heard, meaning)
    if meaning.question is not None:
        answer(turn, meaning.question)
    if not (answered or noted or pushed or meaning.question):
        _not_understood(turn, heard, meaning)
    elif noted and not (answered or pushed):
        turn.reply(phrases.noted(turn.catalog, noted))


@dataclass(frozen=True, slots=True)
class Given:
    """A value that somebody gave, with where it stands in what was said."""

    fact: str
    value: JsonValue
    source: Literal["user", "upload", "event"]
    said: str
    rule: str
    start: int | None = None
    end: int | None = None


def push_goal(turn: Turn, goal: Goal, because: Literal["request", "extension", "event"], cause: int) -> bool:
    """Put a goal on top of the stack, unless it is there already or the stack is full; say what happens."""
    conversation = turn.conversation
    if any(open_goal.goal == goal.name for open_goal in conversation.goals):
        turn.reply(phrases.already_open(goal.label))
        return False
    if len(conversation.goals) >= turn.catalog.settings.max_goals:
        turn.reply(phrases.too_many_goals(len(conversation.goals)), "problem")
        return False
    below = conversation.goal
    before = next((ended for ended in reversed(conversation.past_goals) if ended.goal == goal.name), None)
    if before is not None and before.status == "dropped":
        _reopen(turn, cause)
    number = len(conversation.goals) + len(conversation.past_goals) + 1
    turn.journal.add(
        GoalPushed(goal_id=number, goal=goal.name, label=goal.label, facts=goal.facts, because=because, cause=cause)
    )
    said = [phrases.goal_accepted(goal.label)] if because != "event" else []
    said += [phrases.goal_waits(below.label)] if below else []
    if said:
        turn.reply(" ".join(said))
    return True


def establish(turn: Turn, by: int, given: Given, asked: int | None = None) -> bool:
    """Make a value known, unless it is already; results that rested on the old value are set aside."""
    old = turn.conversation.known.get(given.fact)
    if old is not None and old.value == given.value:
        return False
    stale = derived_from(turn.conversation, given.fact)
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
        )
    )
    name = phrases.fact_of_user(turn.catalog, given.fact)
    for value in stale:
        turn.journal.add(Retracted(fact=value.fact, reason=f"it rested on {name} as it was before", cause=by))
    if stale:
        turn.reply(phrases.set_aside(turn.catalog, [value.fact for value in stale], name))
        close_spent(turn)
    _restore(turn, operator_name(StepKind.ASK, given.fact), by)
    return True


def _stop(turn: Turn) -> None:
    goal = turn.conversation.goal
    if goal is None:
        turn.reply(phrases.nothing_to_stop(turn.catalog))
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
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear="skipped"))
        name = phrases.fact_of_user(turn.catalog, fact)
        prune(turn, step, f"you could not or would not give {name}", "skipped", heard)
        return True
    if _has_content(meaning, given):
        return False
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
    if meaning.goals or meaning.values or meaning.question or meaning.candidates:
        return False
    reason = meaning.unclear or "I need a yes or a no"
    _ask_again(turn, pending, heard, reason, PlannedStep(kind=StepKind.AUTHORIZE, subject=asked.subject))
    return True


def _refuse(turn: Turn, pending: PendingQuestion, heard: int) -> None:
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear="declined"))
    turn.journal.add(Refused(subject=asked.subject, facts=asked.facts, heard=heard))
    what = phrases.facts_of_user(turn.catalog, asked.facts)
    reason = f"you declined to give {what} to {phrases.consent_subject(turn.catalog, asked.subject)}"
    step = PlannedStep(kind=StepKind.AUTHORIZE, subject=asked.subject, inputs=asked.facts)
    prune(turn, step, reason, "refused", heard)


def _answer_offer(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning) -> bool:
    if meaning.control is Control.YES:
        _accept(turn, pending, heard)
        push_goal(turn, turn.catalog.goals[pending.asked.subject], "extension", pending.seq)
        return True
    _accept(turn, pending, heard)  # whatever else was said, the offer has lapsed
    if meaning.control in (Control.NO, Control.SKIP):
        turn.reply("All right.")
        resume(turn)
        return True
    return False


def _answer_choice(turn: Turn, pending: PendingQuestion, heard: int, meaning: Meaning) -> bool:
    _accept(turn, pending, heard)
    if meaning.control in (Control.NO, Control.SKIP) and not meaning.goals:
        turn.reply(phrases.what_i_can_do(turn.catalog))
        resume(turn)
        return True
    return False  # the goal that was chosen is pushed as any other


def _ask_again(turn: Turn, pending: PendingQuestion, heard: int, reason: str, step: PlannedStep) -> None:
    """Put the question again with the reason, a bounded number of times; then go on without an answer."""
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=reason))
    if asked.attempt >= turn.catalog.settings.max_asks:
        if asked.about == "authorize":
            _refuse(turn, pending, heard)
            return
        name = phrases.fact_of_user(turn.catalog, asked.subject)
        turn.reply(phrases.goes_on_without(name), "problem")
        prune(turn, step, f"after {asked.attempt} tries there was no clear answer about {name}", "unclear", heard)
        return
    question = phrases.ask_again(reason, asked.text)
    turn.journal.add(asked.model_copy(update={"attempt": asked.attempt + 1}))
    turn.reply(question, "question")


def _take_values(turn: Turn, heard: int, given: list[Given]) -> tuple[str, ...]:
    return tuple(value.fact for value in given if establish(turn, heard, value))


def _push_goals(turn: Turn, heard: int, meaning: Meaning) -> bool:
    """Push what was asked for so that the goal mentioned first is the one pursued first."""
    room = turn.catalog.settings.max_goals
    wanted = list(dict.fromkeys(mention.goal for mention in meaning.goals))[:room]
    for name in reversed(wanted):
        push_goal(turn, turn.catalog.goals[name], "request", heard)
    return bool(wanted)


def _not_understood(turn: Turn, heard: int, meaning: Meaning) -> None:
    if meaning.candidates:
        names = tuple(dict.fromkeys(mention.goal for mention in meaning.candidates))[:3]
        question = phrases.did_you_mean([turn.catalog.goals[name].label for name in names])
        turn.journal.add(Asked(about="choice", subject="goal", text=question, options=names))
        turn.reply(question, "question")
    elif meaning.control in (Control.CHITCHAT, Control.HELP):
        turn.reply(phrases.small_talk(turn.catalog, meaning.control))
    elif meaning.control is not None:
        turn.reply(phrases.nothing_asked(turn.catalog, meaning.control))
    elif meaning.unclear:
        turn.reply(phrases.sentence(meaning.unclear), "problem")
    else:
        turn.reply(phrases.cannot_help(turn.catalog), "problem")


def _has_content(meaning: Meaning, given: list[Given]) -> bool:
    """Tell whether an utterance says something else than an answer to the open question."""
    talk = meaning.control in (Control.HELP, Control.CHITCHAT)
    return bool(meaning.goals or given or meaning.question or meaning.candidates or talk)


def _reopen(turn: Turn, cause: int) -> None:
    """Put questions again that the user had skipped or declined: to ask again for what failed is to think again."""
    for action in tuple(turn.conversation.pruned.values()):
        if action.because in _OPEN_AGAIN:
            _restore(turn, action.operator, cause)


def _restore(turn: Turn, operator: str, cause: int) -> None:
    action = turn.conversation.pruned.get(operator)
    if action is not None:
        turn.journal.add(Restored(operator=operator, step=action.step, subject=action.subject, cause=cause))
