"""What the assistant would do about an utterance: its answer beside those of other agents. Nothing is done by it."""

from __future__ import annotations

from collections.abc import Iterable

from dialogue.agents.model import ASSISTANT, Preview, ProposedAction, Silence, SilenceReason
from dialogue.context import TurnContext
from dialogue.log.events import Asked, Heard
from dialogue.moves.addressed import question_of
from dialogue.moves.integrate import sort_out
from dialogue.moves.replies import foresee
from language.interpretation import DialogueAct, Intent, Interpretation
from planning.model import Solved, StepKind
from planning.plans.solve import solve

SURE = 1.0
"""The confidence where there is nothing to be unsure of: an answer to its question, a “stop”, a file."""
TOLD = 0.5
"""The confidence where something was told that belongs to nothing that is being done."""
_ANSWERS = (DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP)


def own_preview(turn: TurnContext, heard: int, meaning: Interpretation) -> Preview | Silence:
    """Return what the assistant has to offer. What it is too unsure of to act on is nothing.

    The confidence is that of the surest request. For each request there is an action with what it would ask for and
    what it comes to, and one for each skill that would be called.
    """
    is_answer = answers_own(turn, heard, meaning)
    requests = [max((goal.confidence for goal in meaning.goals), default=0.0)]
    confidence = SURE if is_answer or _is_sure(turn, heard, meaning) else requests[0]
    if not confidence and (meaning.values or meaning.preference or meaning.errors):
        confidence = TOLD
    if not confidence:
        return Silence(agent=ASSISTANT, reason=SilenceReason.NOTHING_TO_OFFER)
    actions = _requested(turn, heard, meaning)
    if not actions:
        actions = (ProposedAction(text=turn.language.agents.own_action(meaning, is_answer)),)
    return Preview(agent=ASSISTANT, confidence=min(max(confidence, 0.0), 1.0), actions=actions)


def requests_of(meaning: Interpretation) -> tuple[Intent, ...]:
    """Return what is asked for: who says stop asks for nothing, whatever is named with it."""
    return () if meaning.control is DialogueAct.STOP else meaning.goals


def answers(asked: Asked, meaning: Interpretation, about: Iterable[str] = ()) -> bool:
    """Return whether an utterance answers a question; `about` are further facts that this would take."""
    facts = {asked.subject, *asked.facts, *about}
    chosen = asked.about == "choice" and any(goal.goal in asked.options for goal in meaning.goals)
    return chosen or meaning.control in _ANSWERS or any(value.fact in facts for value in meaning.values)


def answers_own(turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
    """Return whether an utterance answers the question that its author saw."""
    asked = question_of(turn, heard)
    pending = asked.pending or asked.shown
    return pending is not None and answers(pending.asked, meaning, asked.about)


def _is_sure(turn: TurnContext, heard: int, meaning: Interpretation) -> bool:
    said = turn.journal.entry(heard).event
    sent = isinstance(said, Heard) and bool(said.attachments)
    told = meaning.control is not None and meaning.control not in _ANSWERS
    return sent or told or meaning.question is not None or meaning.term is not None


def _requested(turn: TurnContext, heard: int, meaning: Interpretation) -> tuple[ProposedAction, ...]:
    if not requests_of(meaning):
        return ()
    requests = sort_out(turn.catalog, turn.conversation, heard, meaning).requests
    planner, actions = turn.policy.planner, []
    for goal, task in foresee(turn, requests):
        result = solve(task, planner.engine, planner.limits)
        steps = result.plan.steps if isinstance(result, Solved) else ()
        asked = tuple(step.subject for step in steps if step.kind is StepKind.ASK)
        actions.append(ProposedAction(text=goal.label, inputs=asked, outputs=goal.facts))
        for step in steps:
            if step.kind is StepKind.SKILL:
                label = turn.catalog.skills[step.subject].label
                actions.append(ProposedAction(text=label, inputs=step.inputs, outputs=step.outputs))
    return tuple(actions)
