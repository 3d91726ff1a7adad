"""Answer a how-to question: describe the plan without carrying it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.moves.requests import sort_out
from dialogue.policy.together import list_references
from dialogue.state.conversation import Conversation
from dialogue.updates.goal_scope import scope_of
from dialogue.updates.goals import Request
from language.interpretation import Interpretation
from language.responses import plans
from planning.joint import JointPlan, JointRequest, compile_joint, solve_joint
from planning.model import Plan, Situation, Solved
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task, want


def preview_plan(turn: TurnContext, heard: int, meaning: Interpretation) -> None:
    """Say how each goal that was spoken of would be reached, as things are and with the values that were given.

    It is planned as it would be if it was asked for: by the policy's engine, within its limits, and several goals
    together. Nothing is recorded as known, and nothing is put on the stack.
    """
    catalog, conversation = turn.catalog, turn.conversation
    requests = sort_out(catalog, conversation, heard, meaning.model_copy(update={"errors": ()})).requests
    together = _preview_together(turn, requests) if len(requests) > 1 else None
    if together is not None:
        turn.reply(together)
        return
    for request in requests:
        turn.reply(_preview(turn, request))


def _preview(turn: TurnContext, request: Request) -> str:
    declared = turn.catalog.goals[request.mention.goal]
    task = compile_task(turn.catalog, _imagine(turn.catalog, turn.conversation, request), want(declared))
    if task.goal <= task.initial:
        return plans.nothing_to_do(declared.label)
    planner = turn.policy.planner
    result = solve(task, planner.engine, planner.limits)
    if not isinstance(result, Solved):
        return plans.no_way(declared.label)
    return plans.preview(turn.catalog, declared.label, result.plan)


def _preview_together(turn: TurnContext, requests: Sequence[Request]) -> str | None:
    """Say how several goals would be reached by one plan; None if there is none, or nothing to do."""
    catalog, planner = turn.catalog, turn.policy.planner
    joint = compile_joint(
        catalog,
        [
            JointRequest(
                one.mention.goal,
                {value.fact: value.value for value in one.mention.values},
                list_references(
                    catalog, one.mention.references, [(o.mention.goal, o.position) for o in requests[:place]]
                ),
                _imagine(catalog, turn.conversation, one),
            )
            for place, one in enumerate(requests)
        ],
    )
    planned = solve_joint(joint, planner.engine, planner.limits)
    if not isinstance(planned, JointPlan) or not planned.plan.actions:
        return None
    steps = tuple(base for step in planned.plan.actions if (base := joint.base_of(step)))
    return plans.preview(catalog, " and ".join(catalog.goals[one.mention.goal].label for one in requests), Plan(steps))


def _imagine(catalog: Catalog, conversation: Conversation, request: Request) -> Situation:
    """Return the situation of a new request: without other requests' values, and unaskable questions removed."""
    now = conversation.situation
    said = {value.fact for value in request.mention.values}
    own = scope_of(catalog, catalog.goals[request.mention.goal])
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
