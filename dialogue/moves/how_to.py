"""Telling how something would be done: the plan in words, and nothing of it carried out."""

from __future__ import annotations

from dataclasses import replace

from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.moves.requests import sort_out
from dialogue.state.conversation import Conversation
from dialogue.updates.goal_scope import scope_of
from language.interpretation import Interpretation
from language.responses import plans
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Situation, Solved
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task, want


def preview_plan(turn: TurnContext, heard: int, meaning: Interpretation) -> None:
    """Tell for each goal that was spoken of how it would be reached, as things are and with the values that were said.

    Nothing is written down as known, and nothing is put on the stack.
    """
    catalog, conversation = turn.catalog, turn.conversation
    for request in sort_out(catalog, conversation, heard, meaning.model_copy(update={"errors": ()})).requests:
        said = {value.fact for value in request.mention.values}
        turn.reply(_tell(catalog, conversation, request.mention.goal, said))


def _tell(catalog: Catalog, conversation: Conversation, goal: str, said: set[str]) -> str:
    declared = catalog.goals[goal]
    situation = _imagine(catalog, conversation, goal, said)
    task = compile_task(catalog, situation, want(declared))
    if task.goal <= task.initial:
        return plans.nothing_to_do(declared.label)
    result = solve(task, ENGINES[DEFAULT_ENGINE])
    if not isinstance(result, Solved):
        return plans.no_way(declared.label)
    return plans.preview(catalog, declared.label, result.plan)


def _imagine(catalog: Catalog, conversation: Conversation, goal: str, said: set[str]) -> Situation:
    """Think of a new request: what belongs to others is not there, and what nobody can tell is not asked."""
    now = conversation.situation
    own = scope_of(catalog, catalog.goals[goal])
    others = {
        f for f in own.scoped if f in conversation.facts.known and conversation.facts.known[f].goal_id is not None
    }
    vain = {ask_operator(catalog, fact.name).name for fact in catalog.facts.values() if not fact.fillable}
    declined = {name for name, action in conversation.plans.pruned.items() if action.because == "declined"}
    return replace(
        now,
        known=(now.known - others) | said,
        pruned=(now.pruned - declined) | vain,
        confirmed=frozenset(),
        requested=frozenset(),
        spent=0.0,
        done=now.done.difference(own.skills),
        cannot_establish=frozenset(way for way in now.cannot_establish if way[0] not in own.skills),
    )
