"""Telling how something would be done: the plan in words, and nothing of it carried out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.moves.requests import sort_out
from dialogue.responses import phrases
from dialogue.state.conversation import Conversation
from dialogue.updates.goal_scope import scope_of
from explain.amounts import say_amounts
from explain.grammar import quote as quoted
from language.interpretation import Interpretation
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Operator, Situation, Solved, StepKind
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
        return f"For {quoted(declared.label)} there is nothing left to do."
    result = solve(task, ENGINES[DEFAULT_ENGINE])
    if not isinstance(result, Solved):
        return f"As things are, I would see no way to {quoted(declared.label)}."
    steps = result.plan.actions
    told = "\n".join(f"{number}. {text}" for number, text in enumerate(_put(catalog, steps), start=1))
    taken = say_amounts(catalog, (step.kind for step in steps), result.plan.amounts)
    return f"This is how I would go about {quoted(declared.label)} ({taken}):\n{told}\nNothing of that is done yet."


def _imagine(catalog: Catalog, conversation: Conversation, goal: str, said: set[str]) -> Situation:
    """Think of a new request: what belongs to others is not there, and what nobody can tell is not asked."""
    now = conversation.situation
    own = scope_of(catalog, catalog.goals[goal])
    others = {f for f in own.scoped if f in conversation.known and conversation.known[f].goal_id is not None}
    vain = {ask_operator(catalog, fact.name).name for fact in catalog.facts.values() if not fact.fillable}
    declined = {name for name, action in conversation.pruned.items() if action.because == "declined"}
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


def _put(catalog: Catalog, steps: Sequence[Operator]) -> Iterator[str]:
    """Put steps into words; questions that come one after the other are one of them."""
    for kind, together in groupby(steps, key=lambda step: step.kind):
        some = tuple(together)
        if kind is StepKind.ASK:
            yield f"I ask you for {phrases.facts_of_user(catalog, [step.subject for step in some])}."
            continue
        yield from (_put_one(catalog, step) for step in some)


def _put_one(catalog: Catalog, step: Operator) -> str:
    match step.kind:
        case StepKind.AUTHORIZE:
            what = phrases.facts_of_user(catalog, step.sensitive)
            return f"I ask whether I may give {what} to {phrases.consent_subject(catalog, step.subject)}."
        case StepKind.CONFIRM:
            return f"I ask you for the go-ahead before I call {phrases.skill_name(catalog, step.subject)}."
        case StepKind.MAP:
            names = (phrases.fact_of_user(catalog, fact) for fact in (step.inputs[0], step.subject))
            return " for ".join((f"I take {next(names)}", f"{next(names)}."))
    given = f" with {phrases.facts_of_user(catalog, step.inputs)}" if step.inputs else ""
    gives = f", which gives {phrases.facts_of_user(catalog, step.outputs)}" if step.outputs else ""
    return f"I call {phrases.skill_name(catalog, step.subject)}{given}{gives}."
