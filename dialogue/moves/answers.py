"""Answers to the open question: for a fact, for consent, for the confirmation of a call, to an offer or a choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from catalog.analysis.dependencies import what_leads_to
from catalog.values import Kind
from dialogue.context import TurnContext
from dialogue.log.events import (
    DECLINED,
    SKIPPED,
    Answered,
    Asked,
    Authorized,
    Confirmed,
    Heard,
    PlannedStep,
    Preferred,
    Refused,
)
from dialogue.moves.tasks import answer_task
from dialogue.moves.undo import GONE_BACK, reopen_answer
from dialogue.policy.unheeded import acts
from dialogue.state.conversation import resolve
from dialogue.state.goals import StackedGoal
from dialogue.state.questions import GO_AHEAD, PendingQuestion
from dialogue.updates.approval import approve
from dialogue.updates.facts import GivenValue, establish
from dialogue.updates.goals import drop, push_goal, puts_right, resume
from dialogue.updates.pruning import close_consent, discard, prune, reopen_consents
from language.content import Reason, not_agreed, not_heeded
from language.interpretation import DialogueAct, Entity, Interpretation, SpeechAct, TalkTopic
from language.responses.facts_and_skills import fact_of_user, sentence
from language.text.words import fold, words_in
from planning.model import Operator, Solved, StepKind, operator_name
from planning.plans.solve import solve
from planning.task.compilation import compile_task

_NO = (DialogueAct.NO, DialogueAct.SKIP)
_UNCLEAR, _NEITHER = Reason(code="not_understood"), Reason(code="neither_yes_nor_no")
_NOT_APPROVED = Reason(code="not_approved")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An utterance that may answer the open question, with the values that it gives."""

    turn: TurnContext
    pending: PendingQuestion
    heard: int
    meaning: Interpretation
    given: Sequence[GivenValue]

    @property
    def asked(self) -> Asked:
        return self.pending.asked

    @property
    def says_more(self) -> bool:
        """Whether something other than an answer was said; to ask back is no attempt at an answer either.

        A doubt is one, whatever it may have been taken for as well.
        """
        meaning = self.meaning
        if meaning.control is DialogueAct.UNSURE:
            return bool(meaning.goals or self.given or meaning.question or meaning.term)
        return _has_content(meaning) or bool(self.given) or meaning.wonders

    @property
    def corrects(self) -> bool:
        """Whether another value is given for something: a no beside it says that what was said is not so."""
        known = self.turn.conversation.facts.known
        return any(
            value.fact in self.asked.facts
            if value.fact not in known
            else not self.turn.catalog.facts[value.fact].value.same(known[value.fact].value, value.value)
            for value in self.given
        )

    @property
    def was_repeated(self) -> bool:
        """Whether the question was put once more already, after something else was dealt with."""
        again = self.turn.language.questions.remind(self.asked.text)
        messages = self.turn.conversation.messages.all
        return any(message.seq > self.pending.seq and message.text == again for message in messages)

    @property
    def says_nothing(self) -> bool:
        meaning = self.meaning
        return not (_has_content(meaning) or meaning.values or meaning.control or meaning.wonders)

    @property
    def is_unread(self) -> bool:
        """Whether words were said of which nothing is known: they may change what is asked about, or forbid it."""
        meaning = self.meaning
        doubts = meaning.control is DialogueAct.UNSURE or bool(meaning.unheeded)
        return not doubts and sum(word.text.isalpha() for word in words_in(fold(self.text))) > 1

    @property
    def asks(self) -> bool:
        return any(act.act in (SpeechAct.ASK, SpeechAct.SUPPOSE) for act in self.meaning.acts)

    @property
    def text(self) -> str:
        heard = self.turn.journal.entry(self.heard).event
        return heard.text if isinstance(heard, Heard) else ""

    @property
    def said(self) -> str | None:
        """The words, where they may be repeated: not beside what is sensitive."""
        facts = (self.asked.subject, *self.asked.facts)
        catalog = self.turn.catalog
        return None if any(one in catalog.facts and catalog.is_sensitive(one) for one in facts) else self.text

    def accept(self) -> None:
        self.turn.journal.add(Answered(asked=self.pending.seq, heard=self.heard, accepted=True))

    def reject(self, reason: Reason) -> None:
        self.turn.journal.add(Answered(asked=self.pending.seq, heard=self.heard, accepted=False, unclear=reason))


def _has_content(meaning: Interpretation) -> bool:
    talk = meaning.control in (DialogueAct.HELP, DialogueAct.CHITCHAT)
    asked = meaning.question or meaning.term
    return bool(meaning.goals or asked or meaning.candidates or meaning.preference or talk)


_MOST_LEFT_OUT = 4
"""The most questions that are left out to go the way that was chosen."""


def take_offered_way(turn: TurnContext, pending: PendingQuestion, heard: int, offered: Collection[str]) -> bool:
    """Leave out what is being asked, if a picture was offered that another way begins with; return whether it was.

    Who offers a picture instead of an answer has chosen how to go on: also where that is not the shortest way.
    """
    asked, goal = pending.asked, turn.conversation.goal
    if not offered or goal is None or asked.about != "fact" or asked.plan_id is None:
        return False
    left_out = [asked.subject]
    while (detour := _find_detour(turn, goal, left_out, offered)) is not None:
        another = next((s.subject for s in detour if s.kind is StepKind.ASK and _can_give(turn, s.subject)), None)
        if another is None or len(left_out) == _MOST_LEFT_OUT:
            return False
        left_out.append(another)
    for fact in left_out[1:]:
        others = [other for other in left_out if other != fact]
        if _find_detour(turn, goal, others, offered) is None:
            left_out = others
    turn.journal.add(Answered(asked=pending.seq, heard=heard, accepted=False, unclear=SKIPPED))
    reason = Reason(code="offered_instead", facts=tuple(offered))
    for fact in left_out:
        prune(turn, PlannedStep(kind=StepKind.ASK, subject=fact, inputs=tuple(offered)), reason, "skipped", heard)
    return True


def _find_detour(
    turn: TurnContext, goal: StackedGoal, left_out: Sequence[str], offered: Collection[str]
) -> tuple[Operator, ...] | None:
    """Find the plan that it comes to without some asking, if it makes no use of what was offered.

    Plans ask for what cannot be given until that has been tried: it comes to one that does not.
    """
    catalog, planner, now = turn.catalog, turn.policy.planner, turn.conversation.situation
    serves = {above for fact in offered for above in catalog.supertypes(fact)}
    unasked = (*left_out, *(fact for fact in catalog.facts if not _can_give(turn, fact)))
    pruned = now.pruned.union(operator_name(StepKind.ASK, fact) for fact in unasked)
    result = solve(compile_task(catalog, replace(now, pruned=pruned), goal.wanted), planner.engine, planner.limits)
    steps = result.plan.steps if isinstance(result, Solved) else ()
    modes = (catalog.skills[step.subject].modes[step.mode] for step in steps if step.mode is not None)
    return steps if all(serves.isdisjoint(mode.takes) for mode in modes) else None


def _can_give(turn: TurnContext, fact: str) -> bool:
    return turn.catalog.facts[fact].fillable


def take_answer(
    turn: TurnContext, pending: PendingQuestion, heard: int, meaning: Interpretation, given: Sequence[GivenValue]
) -> bool:
    """Take the utterance as the answer to the open question, if it is one; return whether it was."""
    if pending.asked.task is not None:
        return answer_task(turn, pending, heard, meaning, given)
    attempt = _Attempt(turn, pending, heard, meaning, given)
    if pending.asked.about in GO_AHEAD:
        if pending.asked.proposed and meaning.control in (*_NO, DialogueAct.YES):
            return _say_what_changes(attempt)
        if meaning.doubtful is not None and not (meaning.control or given) and not _is_known(turn, meaning.doubtful):
            return _read_back(attempt, meaning.doubtful)
    return _ANSWERS[pending.asked.about](attempt)


def _is_known(turn: TurnContext, value: Entity) -> bool:
    known = turn.conversation.facts.known.get(value.fact)
    return known is not None and _kind(turn, value.fact).same(known.value, value.value)


def _say_what_changes(attempt: _Attempt) -> bool:
    """After words that were not read: ask for what is to be changed, or put the question anew that they came to."""
    asked = attempt.asked
    if any(act.act is SpeechAct.TAKE_BACK for act in attempt.meaning.acts) or attempt.given:
        return _ANSWERS[asked.about](attempt)
    said = attempt.turn.conversation.messages.meanings[asked.proposed].doubtful
    if attempt.meaning.control is DialogueAct.YES and said is not None:
        attempt.reject(_UNCLEAR)
        establish(attempt.turn, asked.proposed, GivenValue.said_as(said), attempt.pending.seq)
        return True
    if attempt.meaning.control is DialogueAct.YES:
        return _reopen_value(attempt)
    first = _last_put(attempt.turn, asked.about, asked.subject)
    return _put_instead(attempt, asked.text if first is None else first.text)


def _reopen_value(attempt: _Attempt) -> bool:
    """Ask again for the value in free words that was said for the request, or the only one; else ask which it is."""
    turn, words, goal = attempt.turn, attempt.turn.language, attempt.turn.conversation.goal
    leading = what_leads_to(turn.catalog, turn.catalog.goals[goal.goal]).facts if goal else ()
    known = turn.conversation.facts.known
    said = [fact for fact in known if fact in leading and known[fact].source == "user"]
    likely = [fact for fact in said if _kind(turn, fact).free_text] or said
    if len(likely) != 1:
        return _put_instead(attempt, words.questions.what_to_change(turn.catalog, said), attempt.asked.proposed)
    attempt.reject(DECLINED)
    lost = reopen_answer(turn, attempt.heard, likely[0])
    turn.reply(words.goals.gone_back([fact_of_user(turn.catalog, fact) for fact in lost], []))
    discard(turn, GONE_BACK, attempt.heard)
    return True


def _last_put(turn: TurnContext, about: str, subject: str) -> Asked | None:
    """Return a question as it was put last, before any words that were not read."""
    put = (entry.event for entry in reversed(turn.journal.shown[0]) if isinstance(entry.event, Asked))
    return next((one for one in put if (one.about, one.subject, one.proposed) == (about, subject, 0)), None)


def _answer_fact(attempt: _Attempt) -> bool:
    turn, fact, meaning = attempt.turn, attempt.asked.subject, attempt.meaning
    mine = [value for value in attempt.given if value.fact == fact]
    if mine:
        attempt.accept()
        establish(turn, attempt.heard, mine[-1], attempt.pending.seq)
        return True
    if meaning.doubtful is not None and meaning.doubtful.fact == fact:
        return _read_back(attempt, meaning.doubtful)
    if attempt.asked.proposed and meaning.control in (DialogueAct.YES, DialogueAct.NO):
        return _answer_read_back(attempt)
    if attempt.asked.plan_id is None and puts_right(turn, attempt.given):
        attempt.accept()  # the request is put right by another of its values than the one that was asked for
        return True
    step = PlannedStep(kind=StepKind.ASK, subject=fact)
    if meaning.control in _NO and not meaning.goals:
        attempt.reject(SKIPPED)
        prune(turn, step, Reason(code="not_given", facts=(fact,)), "skipped", attempt.heard)
        return True
    return _doubt_consent(attempt) or (not attempt.says_more and _ask_again(attempt, _UNCLEAR))


def _doubt_consent(attempt: _Attempt) -> bool:
    """Leave consent open again that words without a digit may take back, before what it is for is given."""
    turn, now, words = attempt.turn, attempt.turn.conversation, attempt.turn.language.questions
    found = (one for (of, _), one in now.questions.consents.items() if of == now.purpose and one.status == "given")
    mine = next((one for one in found if attempt.asked.subject in one.facts), None)
    allows = any(act.act is SpeechAct.AGREE for act in attempt.meaning.acts)
    read = attempt.says_more or allows or not attempt.is_unread or any(char.isdigit() for char in attempt.text)
    if mine is None or read:
        return False
    attempt.reject(_UNCLEAR)
    turn.journal.add(Refused(subject=mine.subject, facts=mine.facts, heard=attempt.heard, because="unclear"))
    reopen_consents(turn, attempt.heard, {mine.subject})
    discard(turn, not_agreed(mine.subject, mine.facts, "unclear"), attempt.heard)
    turn.reply(sentence(words.unread(None)), "problem")
    return True


def _read_back(attempt: _Attempt, value: Entity) -> bool:
    """Ask whether a value that may be the answer is it, without repeating one that is sensitive."""
    turn, fact = attempt.turn, attempt.turn.catalog.facts[value.fact]
    said = None if turn.catalog.is_sensitive(fact.name) else value.span.text
    return _put_instead(attempt, turn.language.questions.is_it(fact, said), attempt.heard)


def _answer_read_back(attempt: _Attempt) -> bool:
    """Take a value that was read back, after a yes; after a no, the question is put again."""
    turn, asked, heard = attempt.turn, attempt.asked, attempt.asked.proposed
    said = turn.conversation.messages.meanings[heard]
    found = (said.doubtful, *said.values, *(value for goal in said.goals for value in goal.values))
    value = next((one for one in found if one is not None and one.fact == asked.subject), None)
    if attempt.meaning.control is DialogueAct.YES and value is not None:
        attempt.accept()
        establish(turn, heard, GivenValue.said_as(value), attempt.pending.seq)
        return True
    return _put_instead(attempt, turn.language.questions.question_for(turn.catalog.facts[asked.subject]))


def _put_instead(attempt: _Attempt, question: str, proposed: int = 0) -> bool:
    """Put a question in place of the open one; `proposed` is the entry of a value that it reads back."""
    attempt.reject(_UNCLEAR)
    attempt.turn.journal.add(attempt.asked.model_copy(update={"text": question, "proposed": proposed}))
    attempt.turn.reply(question, "question")
    return True


def _answer_consent(attempt: _Attempt) -> bool:
    turn, asked, meaning = attempt.turn, attempt.asked, attempt.meaning
    skill = asked.skill or asked.subject
    if asked.mode is not None and _changes(attempt, turn.catalog.skills[skill].modes[asked.mode].takes):
        return False
    if meaning.control is DialogueAct.YES:
        if meaning.unheeded:
            return _ask_without(attempt)
        attempt.accept()
        turn.journal.add(Authorized(subject=asked.subject, facts=asked.facts, heard=attempt.heard))
        if asked.mode is not None:
            # consent to a call is its go-ahead: what it is about and is not known yet is asked next
            facts = _may_go_in(turn, turn.catalog.skills[skill].modes[asked.mode].takes)
            awaited = [fact for fact in asked.facts if resolve(turn.catalog, turn.conversation, fact) is None]
            coming = _may_go_in(turn, tuple(awaited))
            turn.journal.add(Confirmed(skill=skill, mode=asked.mode, facts=facts, open=coming, heard=attempt.heard))
        return True
    if meaning.control in _NO and not attempt.corrects:
        return _refuse(attempt)
    beside = meaning.control in _NO or attempt.says_more
    return not beside and _ask_again(attempt, _NEITHER)


def _changes(attempt: _Attempt, takes: tuple[str, ...]) -> bool:
    """Return whether what was said gives another value to what goes into a call, but for what is asked for next."""
    turn, asked = attempt.turn, attempt.asked
    known = turn.conversation.facts.known
    facts = _may_go_in(turn, takes)
    awaited = _may_go_in(turn, asked.facts) if asked.about == "authorize" else ()
    return any(
        value.fact in facts
        and not (value.fact in known and _kind(turn, value.fact).same(known[value.fact].value, value.value))
        and not (value.fact in awaited and value.fact not in known)
        for value in attempt.given
    )


def _answer_confirmation(attempt: _Attempt) -> bool:
    """Take the answer to whether a call is to be made; with other values it is asked anew, whatever else was said."""
    turn, asked, control = attempt.turn, attempt.asked, attempt.meaning.control
    facts = _may_go_in(turn, asked.facts)
    if asked.mode is None or _changes(attempt, asked.facts):
        return False
    if control is DialogueAct.YES and attempt.meaning.unheeded:
        return _ask_without(attempt)
    if control is DialogueAct.YES:
        attempt.accept()
        turn.journal.add(Confirmed(skill=asked.subject, mode=asked.mode, facts=facts, heard=attempt.heard))
        return True
    if control in _NO and not attempt.corrects:
        return _decline(attempt)
    return not attempt.says_more and _ask_again(attempt, _NEITHER)


def _answer_plan(attempt: _Attempt) -> bool:
    """Take the answer to whether a whole plan may be carried out; without a yes, its goal is dropped."""
    turn, control, goal = attempt.turn, attempt.meaning.control, attempt.turn.conversation.goal
    if control is DialogueAct.YES:
        if attempt.meaning.unheeded:
            return _ask_without(attempt)
        attempt.accept()
        approve(turn, attempt.heard)
        return True
    if control in _NO and not attempt.given and goal is not None:
        attempt.reject(DECLINED)
        turn.reply(turn.language.goals.goal_stopped(goal.label))
        drop(turn, goal, _NOT_APPROVED)
        return True
    return not attempt.says_more and _ask_again(attempt, _NEITHER)


def _ask_without(attempt: _Attempt) -> bool:
    """Ask again where a yes was limited by words that are not heeded: "yes, if they complain"."""
    said = [one.span.text for one in attempt.meaning.unheeded]
    return _ask_again(attempt, not_heeded(said))


def _kind(turn: TurnContext, fact: str) -> Kind:
    return turn.catalog.facts[fact].value


def _may_go_in(turn: TurnContext, facts: tuple[str, ...]) -> tuple[str, ...]:
    """List the facts that may go into a call: its inputs, and what can stand for them."""
    return tuple(dict.fromkeys(below for fact in facts for below in turn.catalog.subtypes.get(fact, (fact,))))


def _decline(attempt: _Attempt, *, unclear: bool = False) -> bool:
    """Take a skill out of the plan, in whatever mode it could be called; `unclear` where there was no clear answer."""
    turn, skill, goal = attempt.turn, attempt.asked.subject, attempt.turn.conversation.goal
    if not unclear:
        attempt.reject(DECLINED)
        turn.reply(turn.language.questions.left_undone(turn.catalog, skill))
    reason = Reason(code="not_agreed_to_call" if unclear else "told_not_to", skills=(skill,))
    if goal is not None and not (turn.catalog.skills[skill].confirms or acts(turn.catalog, goal)):
        drop(turn, goal, reason)  # it was asked because something else would be read
        return True
    for mode in turn.catalog.skills[skill].modes.values():
        facts = _may_go_in(turn, mode.takes)
        step = PlannedStep(kind=StepKind.CONFIRM, subject=skill, mode=mode.name, inputs=facts)
        if turn.catalog.skills[skill].confirms:
            prune(turn, step, reason, "declined", attempt.heard)
        for outcome in () if turn.catalog.skills[skill].confirms else mode.outcomes:
            call = PlannedStep(kind=StepKind.SKILL, subject=skill, mode=mode.name, outcome=outcome, inputs=facts)
            prune(turn, call, reason, "declined", attempt.heard)
    return True


def _refuse(attempt: _Attempt, because: Literal["refused", "unclear"] = "refused") -> bool:
    turn, asked = attempt.turn, attempt.asked
    if because == "refused":
        attempt.reject(DECLINED)
    turn.journal.add(Refused(subject=asked.subject, facts=asked.facts, heard=attempt.heard, because=because))
    close_consent(turn, asked.subject, asked.facts, because, attempt.heard)
    return True


def _ask_again(attempt: _Attempt, otherwise: Reason) -> bool:
    """Put the question again with the reason, a bounded number of times; then go on without an answer."""
    turn, asked = attempt.turn, attempt.asked
    reason = Reason(text=attempt.meaning.unclear) if attempt.meaning.unclear else otherwise
    attempt.reject(reason)
    why = turn.words_of(reason)
    if asked.attempt < turn.catalog.settings.max_asks:
        again = asked.again(asked.attempt + 1)
        words, last = turn.language.questions, asked.about == "fact" and again.attempt == turn.catalog.settings.max_asks
        if asked.about in GO_AHEAD and attempt.is_unread and not attempt.asks:
            again = again.model_copy(update={"text": words.ANYTHING_TO_CHANGE, "proposed": attempt.heard})
            why = words.unread(attempt.said, why)
        turn.journal.add(again)
        if attempt.meaning.control is DialogueAct.UNSURE:
            turn.reply(words.unsure(turn.catalog, asked.about, asked.subject, asked.facts, asked.text), "question")
        else:
            turn.reply(words.ask_again(why, again.text, skippable=last), "question")
    elif asked.about in GO_AHEAD:
        turn.reply(turn.language.questions.left_open())
        goal = turn.conversation.goal
        if asked.about == "authorize":
            _refuse(attempt, "unclear")
        elif asked.about == "confirm":
            _decline(attempt, unclear=True)
        elif goal is not None:
            drop(turn, goal, _NOT_APPROVED)
    else:
        turn.reply(turn.language.questions.goes_on_without(turn.catalog, asked.subject), "problem")
        step = PlannedStep(kind=StepKind.ASK, subject=asked.subject)
        in_vain = Reason(code="no_clear_answer", facts=(asked.subject,), number=asked.attempt)
        prune(turn, step, in_vain, "unclear", attempt.heard)
    return True


def _answer_offer(attempt: _Attempt) -> bool:
    turn, asked, meaning = attempt.turn, attempt.asked, attempt.meaning
    if meaning.control is DialogueAct.YES:
        attempt.accept()
        budget = meaning.preference and (meaning.preference.unlimited or meaning.preference.budget is not None)
        if asked.budget is not None and not budget:  # "yes, but at most 2 euros" names one
            turn.journal.add(Preferred(heard=attempt.heard, budget=asked.budget))
        redo = next((goal for goal in turn.conversation.goals.past if goal.goal_id == asked.redo), None)
        push_goal(
            turn,
            turn.catalog.goals[asked.subject],
            "extension" if asked.subject in turn.conversation.goals.offered else "request",
            attempt.pending.seq,
            again=asked.budget is not None,
            redo=redo,
        )
        return True
    if _is_beside_the_point(attempt):
        return True
    if meaning.control in (*_NO, DialogueAct.STOP):
        attempt.accept()
        turn.reply(turn.language.questions.offer_declined())
        resume(turn)
        return True
    if meaning.goals or meaning.topic is TalkTopic.FAREWELL or attempt.says_nothing or attempt.was_repeated:
        attempt.accept()  # the offer has lapsed
        if not meaning.goals:
            resume(turn)
    return False  # while something else is talked about, it stays open


def _answer_choice(attempt: _Attempt) -> bool:
    meaning = attempt.meaning
    if _is_beside_the_point(attempt):
        return True
    if meaning.values and not (meaning.goals or meaning.control or meaning.question):
        return False  # it is noted, and the choice stays open
    attempt.accept()
    if meaning.control in _NO and not meaning.goals:
        attempt.turn.reply(attempt.turn.language.smalltalk.what_i_can_do(attempt.turn.catalog))
        resume(attempt.turn)
        return True
    return False  # the goal that was chosen is pushed as any other


def _is_beside_the_point(attempt: _Attempt) -> bool:
    """Put an offer or a choice once more when what was said is no answer to it, nor anything else."""
    asked, reason = attempt.asked, attempt.meaning.unclear or ""
    undecided = asked.about == "choice" and attempt.meaning.control is DialogueAct.YES  # yes to which?
    if asked.attempt > 1 or not (undecided or attempt.says_nothing):
        return False
    attempt.reject(Reason(text=reason))
    attempt.turn.journal.add(asked.again(asked.attempt + 1))
    attempt.turn.reply(attempt.turn.language.questions.ask_again(reason, asked.text), "question")
    return True


_ANSWERS: Mapping[str, Callable[[_Attempt], bool]] = {
    "fact": _answer_fact,
    "authorize": _answer_consent,
    "confirm": _answer_confirmation,
    "plan": _answer_plan,
    "offer": _answer_offer,
    "choice": _answer_choice,
}
"""By what the question is about; those of the task manager name their task."""
