"""Answers to the questions of a plan: for a fact, for consent, and for the confirmation of a call."""

from __future__ import annotations

from dialogue.context import TurnContext
from dialogue.execution.loop import prune
from dialogue.log.events import DECLINED, SKIPPED, Answered, Authorized, Confirmed, PlannedStep, Refused
from dialogue.state.questions import PendingQuestion
from dialogue.updates.facts import Given, establish, is_same
from language.interpretation import DialogueAct, Interpretation
from planning.model import StepKind


def answer_fact(
    turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation, given: list[Given]
) -> bool:
    """Take the answer to a question for a fact."""
    fact = pending.asked.subject
    mine = [value for value in given if value.fact == fact]
    if mine:
        accept(turn, pending, heard)
        establish(turn, heard, mine[-1], pending.seq)
        given[:] = [value for value in given if value.fact != fact]
        return True
    step = PlannedStep(kind=StepKind.ASK, subject=fact)
    if meaning.control in (DialogueAct.SKIP, DialogueAct.NO) and not meaning.goals:
        turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=SKIPPED))
        prune(turn, step, turn.language.questions.skipped(turn.catalog, fact), "skipped", heard)
        return True
    if has_content(meaning, given) or meaning.wonders:
        return False  # to ask back is no attempt at an answer
    _ask_again(turn, pending, heard, meaning.unclear or turn.language.questions.UNCLEAR, step)
    return True


def answer_consent(turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation) -> bool:
    """Take the answer to whether facts may go to a skill."""
    asked = pending.asked
    if meaning.control is DialogueAct.YES:
        accept(turn, pending, heard)
        turn.journal.add(Authorized(subject=asked.subject, facts=asked.facts, heard=heard))
        return True
    if meaning.control in (DialogueAct.NO, DialogueAct.SKIP):
        _refuse(turn, pending, heard)
        return True
    if has_content(meaning, []) or meaning.values or meaning.wonders:
        return False
    reason = meaning.unclear or turn.language.questions.NEITHER_YES_NOR_NO
    _ask_again(turn, pending, heard, reason, PlannedStep(kind=StepKind.AUTHORIZE, subject=asked.subject))
    return True


def answer_confirmation(
    turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation, given: list[Given]
) -> bool:
    """Take the answer to whether a call is to be made; with other values it is asked anew, whatever else was said."""
    asked = pending.asked
    known = turn.conversation.facts.known
    facts = _may_go_in(turn, asked.facts)
    changed = any(
        value.fact in facts
        and (value.fact not in known or not is_same(turn.catalog, value.fact, known[value.fact].value, value.value))
        for value in given
    )
    if changed or asked.mode is None:
        return False
    if meaning.control is DialogueAct.YES:
        accept(turn, pending, heard)
        turn.journal.add(Confirmed(skill=asked.subject, mode=asked.mode, facts=facts, heard=heard))
        return True
    if meaning.control in (DialogueAct.NO, DialogueAct.SKIP):
        _decline(turn, pending, heard)
        return True
    if has_content(meaning, given) or meaning.wonders:
        return False
    step = PlannedStep(kind=StepKind.CONFIRM, subject=asked.subject, mode=asked.mode)
    _ask_again(turn, pending, heard, meaning.unclear or turn.language.questions.NEITHER_YES_NOR_NO, step)
    return True


def _may_go_in(turn: TurnContext, facts: tuple[str, ...]) -> tuple[str, ...]:
    """List the facts that may go into a call: its inputs, and what can stand for them."""
    return tuple(dict.fromkeys(below for fact in facts for below in turn.catalog.subtypes.get(fact, (fact,))))


def _decline(turn: TurnContext, pending: PendingQuestion, heard: int) -> None:
    """Take a skill out of the plan, in whatever mode it could be called."""
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=DECLINED))
    turn.reply(turn.language.questions.left_undone(turn.catalog, asked.subject))
    reason = turn.language.questions.declined(turn.catalog, asked.subject)
    for mode in turn.catalog.skills[asked.subject].modes.values():
        facts = _may_go_in(turn, mode.takes)
        step = PlannedStep(kind=StepKind.CONFIRM, subject=asked.subject, mode=mode.name, inputs=facts)
        prune(turn, step, reason, "declined", heard)


def _refuse(turn: TurnContext, pending: PendingQuestion, heard: int) -> None:
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=DECLINED))
    turn.journal.add(Refused(subject=asked.subject, facts=asked.facts, heard=heard))
    reason = turn.language.questions.refused(turn.catalog, asked.subject, asked.facts)
    step = PlannedStep(kind=StepKind.AUTHORIZE, subject=asked.subject, inputs=asked.facts)
    prune(turn, step, reason, "refused", heard)


def _ask_again(turn: TurnContext, pending: PendingQuestion, heard: int, reason: str, step: PlannedStep) -> None:
    """Put the question again with the reason, a bounded number of times; then go on without an answer."""
    asked = pending.asked
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=reason))
    if asked.attempt >= turn.catalog.settings.max_asks:
        if asked.about == "authorize":
            turn.reply(turn.language.questions.taken_as_no())
            _refuse(turn, pending, heard)
            return
        if asked.about == "confirm":
            _decline(turn, pending, heard)
            return
        turn.reply(turn.language.questions.goes_on_without(turn.catalog, asked.subject), "problem")
        prune(turn, step, turn.language.questions.unclear(turn.catalog, asked.subject, asked.attempt), "unclear", heard)
        return
    again = asked.model_copy(update={"attempt": asked.attempt + 1})
    turn.journal.add(again)
    last = asked.about == "fact" and again.attempt == turn.catalog.settings.max_asks
    turn.reply(turn.language.questions.ask_again(reason, asked.text, skippable=last), "question")


def accept(turn: TurnContext, pending: PendingQuestion, heard: int) -> None:
    """Record that a question was answered."""
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=True))


def says_nothing(meaning: Interpretation) -> bool:
    """Return whether nothing at all was understood."""
    return not (has_content(meaning, []) or meaning.values or meaning.control or meaning.wonders)


def has_content(meaning: Interpretation, given: list[Given]) -> bool:
    """Return whether an utterance says something other than an answer to the open question."""
    talk = meaning.control in (DialogueAct.HELP, DialogueAct.CHITCHAT)
    asked = meaning.question or meaning.term
    return bool(meaning.goals or given or asked or meaning.candidates or meaning.preference or talk)
