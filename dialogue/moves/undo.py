"""Going back: a request is begun anew, the last answer is asked for again, or it is said what cannot be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Effect
from dialogue.context import TurnContext
from dialogue.log.events import DECLINED, SKIPPED, Answered, Asked, Retracted, Withdrew
from dialogue.state.conversation import derived_from
from dialogue.updates.goals import drop, offer_goal, push_goal
from dialogue.updates.pruning import discard, reopen_consents, restore
from language.content import Reason
from language.interpretation import DialogueAct
from language.responses.facts_and_skills import fact_of_user, skill_name
from planning.model import StepKind, operator_name

GONE_BACK = Reason(code="gone_back")
"""Why an answer, and a plan that counts on it, are given up."""


def start_over(turn: TurnContext, heard: int) -> None:
    """Begin the request on top anew: what was said and found for it is asked for again; what took effect stays."""
    goal, words = turn.conversation.goal, turn.language.goals
    declared = turn.catalog.goals.get(goal.goal) if goal else None
    if goal is None or declared is None:
        last = turn.conversation.goals.past[-1] if turn.conversation.goals.past else None
        if last is not None and last.goal in turn.catalog.goals and turn.conversation.questions.pending is None:
            offer_goal(turn, last, words.redo_now if last.status == "achieved" else words.try_again)
        else:
            turn.reply(words.NOTHING_TO_START_OVER)
        return
    turn.reply(words.begun_anew(goal.label, _acted_since(turn, goal.origin.pushed)))
    own = what_leads_to(turn.catalog, declared).facts
    known = turn.conversation.facts.known.items()
    mine = [fact for fact, value in known if fact in own and value.event >= goal.origin.cause]
    anew = Reason(code="started_over")
    _retract(turn, mine, anew, heard)
    drop(turn, goal, anew, on=False)
    push_goal(turn, declared, "request", heard, quiet=True)


def go_back(turn: TurnContext, heard: int) -> None:
    """Ask the last question again that was answered for the request on top, without what rested on the answer."""
    goal, words = turn.conversation.goal, turn.language.goals
    found = None if goal is None else _last_answer(turn, goal.origin.pushed)
    if goal is None or found is None:
        turn.reply(words.NOTHING_TO_GO_BACK_TO)
        return
    at, asked = found
    done = _acted_since(turn, at)
    lost: list[str] = []
    if asked.about == "fact":
        lost = reopen_answer(turn, heard, asked.subject)
    elif asked.about == "authorize":
        given = turn.conversation.authorized.get(asked.subject)
        if given is not None:
            turn.journal.add(Withdrew(subject=asked.subject, facts=asked.facts, heard=heard, given=given))
        reopen_consents(turn, heard, {asked.subject})
    else:
        restore(turn, heard, lambda action: action.because == "declined" and action.subject == asked.subject)
    turn.reply(words.gone_back([fact_of_user(turn.catalog, fact) for fact in lost], done))
    discard(turn, GONE_BACK, heard)


def reopen_answer(turn: TurnContext, heard: int, fact: str) -> list[str]:
    """Take a value out, with what was worked out from it, which is returned: its question may be put again."""
    lost = [value.fact for value in derived_from(turn.catalog, turn.conversation, fact)]
    _retract(turn, [fact, *lost], GONE_BACK, heard)
    question = operator_name(StepKind.ASK, fact)
    restore(turn, heard, lambda action: action.operator == question)
    return lost


def undo(turn: TurnContext, heard: int) -> None:
    """Say what cannot be undone, where the last thing took effect; else go back to the last answer."""
    conversation = turn.conversation
    goal = conversation.goal or (conversation.goals.past[-1] if conversation.goals.past else None)
    found = _last_answer(turn, goal.origin.pushed) if goal is not None and conversation.goal is not None else None
    done = _acted_since(turn, goal.origin.pushed if goal is not None else 0)
    if found is not None and not _acted_since(turn, found[0]):
        go_back(turn, heard)
    else:
        turn.reply(turn.language.goals.cannot_undo(done))


def _last_answer(turn: TurnContext, since: int) -> tuple[int, Asked] | None:
    """Return the last question of the request on top that was answered, or passed over, with the answer's entry."""
    for entry in reversed(turn.journal.shown[0]):
        if entry.seq <= since:
            return None
        event = entry.event
        if isinstance(event, Answered) and (event.accepted or event.unclear in (SKIPPED, DECLINED)):
            asked = turn.journal.entry(event.asked).event
            if isinstance(asked, Asked) and asked.about in ("fact", "authorize", "confirm") and asked.task is None:
                return entry.seq, asked
    return None


def _retract(turn: TurnContext, facts: Iterable[str], reason: Reason, heard: int) -> None:
    for fact in dict.fromkeys(facts):
        if fact in turn.conversation.facts.known:
            turn.journal.add(Retracted(fact=fact, reason=reason, cause=heard))


def _acted_since(turn: TurnContext, since: int) -> list[str]:
    """Name the skills with an effect that were called after an entry."""
    skills = turn.catalog.skills
    called = dict.fromkeys(one.calling.skill for one in turn.conversation.calls.made if one.seq > since)
    acting = (name for name in called if name in skills and skills[name].effect is not Effect.NONE)
    return [skill_name(turn.catalog, name) for name in acting]


MOVES: Mapping[DialogueAct, Callable[[TurnContext, int], None]] = {
    DialogueAct.RESTART: start_over,
    DialogueAct.REOPEN: go_back,
    DialogueAct.UNDO: undo,
}
