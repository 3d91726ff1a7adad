"""The planner-based policy (Verdi paper, §3): plan, follow the plan, replan after each surprise."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field, replace

from catalog.model import Catalog
from dialogue.log.events import Discarded, Kept, PlannedStep
from dialogue.policy.protocol import Achieved, Decision, Proceed, Replanned
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.state.lookup import is_reached
from dialogue.state.plans import PlanRecord
from language.responses import calls, plans
from language.responses.preferences import say_preference
from planning.diagnosis.diagnose import Diagnosis, diagnose
from planning.engines import Engine
from planning.history import Actor
from planning.model import (
    Limits,
    Operator,
    Plan,
    PlanningResult,
    Situation,
    Solved,
    StepKind,
    Unsolvable,
    Wanted,
    call_name,
    operator_name,
)
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.task.compilation import compile_task
from planning.task.operators import keep_operators
from planning.task.spending import ROUNDING, fits

Memory = MutableMapping[tuple[Situation, Wanted], tuple[PlanningResult, Diagnosis | None]]
"""What was planned in which situation, and what was missing where there was no plan."""


@dataclass(frozen=True, slots=True)
class PlannerPolicy:
    """Composes skills with an engine, within its limits.

    With a `memory`, what was planned in a situation of the one catalog is not planned again: for who has thousands of
    conversations that come to the same.
    """

    engine: Engine
    limits: Limits = DEFAULT_LIMITS
    name: str = "planner"
    memory: Memory | None = field(default=None, compare=False, repr=False)

    def decide(self, catalog: Catalog, conversation: Conversation) -> Decision:
        """Follow the plan while all is as it expected; otherwise plan anew, and keep the plan if it still stands."""
        goal, plan = _top(conversation), conversation.plan
        if is_reached(catalog, conversation, goal):
            return Achieved(_unused(plan, goal))
        if plan is None:
            return self._plan(catalog, conversation, None, _why_now(conversation, goal))
        left = plan.plan.steps[plan.done :]
        barred = next(filter(None, (_barred(catalog, conversation, step) for step in left)), None)
        barred = barred or _unconfirmed(catalog, conversation, plan)
        news = _news(conversation, plan)
        preference = None if plan.preferred == conversation.goals.preferred else conversation.goals.preference
        if left and not news and barred is None and preference is None:
            return Proceed(left[0])
        if preference is not None and conversation.goals.preferred is not None and not news and barred is None:
            reason, cause = say_preference(catalog, preference), conversation.goals.preferred
        else:
            reason, cause = barred or (_reason(catalog, conversation, news), _cause(conversation, plan, news))
            preference = None
        discarded = Discarded(plan_id=plan.plan_id, reason=reason, cause=cause, at_step=plan.done)
        again = self._plan(catalog, conversation, discarded, cause)
        if left and isinstance(again.result, Solved) and _steps(again.result.plan.actions) == left:
            spared = self._spare_a_question(catalog, conversation, again.result.plan, discarded, cause)
            return spared or Proceed(left[0], Kept(plan_id=plan.plan_id, cause=cause))
        if preference is not None and left and self._is_as_good(catalog, conversation, left, again.result):
            return Proceed(left[0], Kept(plan_id=plan.plan_id, cause=cause))
        return again

    def _is_as_good(
        self, catalog: Catalog, conversation: Conversation, left: tuple[PlannedStep, ...], other: PlanningResult
    ) -> bool:
        """Tell whether the rest of a plan stays within the budget, and is no dearer than another one."""
        task = compile_task(catalog, conversation.situation, _top(conversation).wanted)
        operators = keep_operators(task.operators)
        places = [operators.named[step.operator] for step in left]
        plan = Plan(tuple(operators.whole[place] for place in places))
        within = fits(plan.amounts.money, task.budget)
        return within and (not isinstance(other, Solved) or plan.cost <= other.plan.cost + ROUNDING)

    def _spare_a_question(
        self,
        catalog: Catalog,
        conversation: Conversation,
        kept: Plan,
        discarded: Discarded,
        cause: int,
    ) -> Replanned | None:
        """Look for a plan that asks less than the one at hand, where something else than asked was answered.

        It must be no longer, and no dearer by what is minimised. Such plans are alike to a planner; to the user, who
        gave an e-mail address when asked for an account number, the one that makes do with it is better.
        """
        pending, first = conversation.questions.pending, kept.actions[0]
        if pending is None or first.kind is not StepKind.ASK or pending.asked.subject != first.subject:
            return None
        situation = conversation.situation
        without = replace(situation, pruned=situation.pruned | {operator_name(StepKind.ASK, first.subject)})
        task = compile_task(catalog, without, _top(conversation).wanted)
        other = solve(task, self.engine, self.limits)
        if not isinstance(other, Solved) or len(other.plan.actions) > len(kept.actions):
            return None
        fewer = _count_questions(other.plan.actions) < _count_questions(kept.actions)
        as_good = other.plan.cost <= kept.cost + ROUNDING
        return Replanned(other, discarded, cause, None) if fewer and as_good else None

    def _plan(
        self, catalog: Catalog, conversation: Conversation, discarded: Discarded | None, cause: int | None
    ) -> Replanned:
        goal = _top(conversation)
        situation = conversation.situation
        known = self.memory.get((situation, goal.wanted)) if self.memory is not None else None
        result, diagnosis = known or self._work_out(catalog, situation, goal.wanted)
        if self.memory is not None:
            self.memory[situation, goal.wanted] = result, diagnosis
        return Replanned(result, discarded, cause, diagnosis)

    def _work_out(
        self, catalog: Catalog, situation: Situation, wanted: Wanted
    ) -> tuple[PlanningResult, Diagnosis | None]:
        result = solve(compile_task(catalog, situation, wanted), self.engine, self.limits)
        return result, diagnose(catalog, situation, wanted) if isinstance(result, Unsolvable) else None


def planned_step(operator: Operator) -> PlannedStep:
    """Give an operator as the log keeps it; the inputs of a consent are the facts that it is asked for."""
    return PlannedStep(
        kind=operator.kind,
        subject=operator.subject,
        mode=operator.mode,
        outcome=operator.outcome,
        inputs=operator.sensitive if operator.kind is StepKind.AUTHORIZE else operator.inputs,
        outputs=operator.outputs,
        cost=operator.amounts.cost,
    )


def _count_questions(steps: tuple[Operator, ...]) -> int:
    return sum(step.kind in (StepKind.ASK, StepKind.AUTHORIZE, StepKind.CONFIRM) for step in steps)


def _steps(operators: tuple[Operator, ...]) -> tuple[PlannedStep, ...]:
    return tuple(planned_step(operator) for operator in operators)


def _top(conversation: Conversation) -> StackedGoal:
    goal = conversation.goal
    if goal is None:
        raise ValueError("There is no goal on the stack: ask an orchestrator only while there is one.")
    return goal


def _why_now(conversation: Conversation, goal: StackedGoal) -> int:
    """Find what made planning necessary: the end of the last plan for this goal, or the goal itself."""
    ended = [p.cause or p.ended for p in conversation.plans.all if p.plan.goal_id == goal.goal_id]
    return next((cause for cause in reversed(ended) if cause is not None), goal.pushed)


def _unused(plan: PlanRecord | None, goal: StackedGoal) -> Discarded | None:
    if plan is None or plan.done >= len(plan.plan.steps):
        return None
    return Discarded(plan_id=plan.plan_id, reason=plans.NOT_NEEDED, cause=goal.pushed, at_step=plan.done)


def _barred(catalog: Catalog, conversation: Conversation, step: PlannedStep) -> tuple[str, int] | None:
    """Tell why a step of a plan that waited is not to be carried out any more, and the event that says so."""
    action = conversation.plans.pruned.get(step.operator)
    if action is not None:
        return action.reason, action.seq
    if step.kind is StepKind.AUTHORIZE and step.subject in conversation.questions.authorized:
        return plans.agreed_already(catalog, step.subject, step.inputs), conversation.questions.authorized[step.subject]
    for fact in step.outputs:
        given_up = conversation.calls.used_up.get((step.subject, step.mode or "", fact))
        if given_up is not None:
            return calls.tried_enough(catalog, step.subject, fact), given_up
    return None


def _unconfirmed(catalog: Catalog, conversation: Conversation, plan: PlanRecord) -> tuple[str, int] | None:
    """Tell which call of a plan was agreed to with other values than it would be made with now, if one was."""
    asked = set()
    for step in plan.plan.steps[plan.done :]:
        if step.kind is StepKind.CONFIRM:
            asked.add((step.subject, step.mode))
        declared = catalog.skills.get(step.subject) if step.kind is StepKind.SKILL else None
        if declared is None or declared.confirm is None or step.mode is None or (step.subject, step.mode) in asked:
            continue
        if call_name(step.subject, step.mode) not in conversation.questions.confirmed:
            at = max(
                (conversation.facts.known[f].event for f in step.inputs if f in conversation.facts.known),
                default=plan.began,
            )
            return calls.agreed_to_again(catalog, step.subject), at
    return None


@dataclass(frozen=True, slots=True)
class _News:
    learned: tuple[str, ...]
    lost: tuple[str, ...]
    carried_out: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.learned or self.lost or self.carried_out or self.undone)


def _news(conversation: Conversation, plan: PlanRecord) -> _News:
    """Compare what is known and carried out with what the plan expected to be by now."""
    expected, known = plan.expected, conversation.facts.known
    return _News(
        tuple(fact for fact in known if fact not in expected),
        tuple(fact for fact in sorted(expected) if fact not in known),
        tuple(skill for skill in conversation.calls.done if skill not in plan.carried_out),
        tuple(skill for skill in sorted(plan.carried_out) if skill not in conversation.calls.done),
    )


def _cause(conversation: Conversation, plan: PlanRecord, news: _News) -> int:
    learned = [conversation.facts.known[fact].event for fact in news.learned]
    gone = (conversation.facts.retracted, conversation.facts.set_aside)
    lost = [max(by[fact] for by in gone if fact in by) for fact in news.lost]
    carried_out = [conversation.calls.done[skill] for skill in news.carried_out]
    undone = [conversation.calls.undone[skill] for skill in news.undone]
    return max((*learned, *lost, *carried_out, *undone), default=plan.began)


def _reason(catalog: Catalog, conversation: Conversation, news: _News) -> str:
    volunteered = {done.event for done in conversation.calls.history if done.actor is Actor.USER and done.asked is None}
    return plans.say_news(
        catalog,
        told=[fact for fact in news.learned if conversation.facts.known[fact].event in volunteered],
        found=[fact for fact in news.learned if conversation.facts.known[fact].event not in volunteered],
        lost=news.lost,
        carried_out=news.carried_out,
        undone=news.undone,
    )
