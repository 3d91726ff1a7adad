"""The planner-based policy (Verdi paper, §3): plan, follow the plan, replan after each surprise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from catalog.model import Catalog
from dialogue.log.events import Discarded, Kept, PlannedStep
from dialogue.policy.improvement import plan_early
from dialogue.policy.joint import Memory, Planner, RestOfPlan, find_rest, find_vain, left_over, open_together, plan_for
from dialogue.policy.protocol import Achieved, Decision, Proceed, Replanned
from dialogue.state.conversation import Conversation, is_reached
from dialogue.state.goals import StackedGoal
from dialogue.state.plans import PlanRecord
from language.content import NO_REASON, Reason, not_agreed
from planning.engines import Engine
from planning.history import Actor
from planning.model import Limits, Operator, Plan, PlanningResult, Solved, StepKind, call_name, operator_name
from planning.plans.solve import DEFAULT_LIMITS
from planning.task.spending import ROUNDING


@dataclass(frozen=True, slots=True)
class PlannerPolicy:
    """Composes skills with an engine, within its limits.

    `memory` keeps what was planned for each situation of one catalog, so that an exploration, which meets a situation
    in thousands of conversations, plans once for it.
    """

    engine: Engine
    limits: Limits = DEFAULT_LIMITS
    name: str = "planner"
    memory: Memory | None = field(default=None, compare=False, repr=False)
    begins_early: bool = False
    """Whether a first plan is followed before it is improved, where its first step is in every plan."""

    @property
    def planner(self) -> Planner:
        return Planner(self.engine, self.limits)

    def decide(self, catalog: Catalog, conversation: Conversation) -> Decision:
        """Follow the plan while everything is as expected; otherwise replan, and keep the plan if it still holds."""
        goal, plan = _top(conversation), conversation.plan
        if is_reached(catalog, conversation, goal):
            return Achieved(_unused(plan, goal))
        if plan is None:
            ended = [one.cause or one.ended for one in conversation.plans.all if goal.goal_id in one.goals]
            cause = next((one for one in reversed(ended) if one is not None), goal.origin.pushed)
            return self._plan(catalog, conversation, _superseded(catalog, conversation, cause), cause)
        if plan.plan.parts and (vain := find_vain(catalog, plan.left)):
            return Proceed(vain[0])
        if plan.checked_for != goal.goal_id:
            return self._go_on(catalog, conversation, goal, plan)
        return self._follow(catalog, conversation, goal, plan)

    def _follow(self, catalog: Catalog, conversation: Conversation, goal: StackedGoal, plan: PlanRecord) -> Decision:
        """Return the next step of a plan if it still fits what is known and preferred; otherwise plan again."""
        left = plan.left_for(goal.goal_id)
        barred = next(filter(None, (_barred(conversation, step) for step in left)), None)
        barred = barred or _unconfirmed(catalog, conversation, plan)
        news = _news(conversation, plan)
        preference = None if plan.preferred == conversation.goals.preferred else conversation.goals.preference
        if left and not any(news) and barred is None and preference is None:
            return Proceed(left[0])
        if preference is not None and conversation.goals.preferred is not None and not any(news) and barred is None:
            reason, cause = preference.as_reason, conversation.goals.preferred
        else:
            reason, cause = barred or (_reason(conversation, news), _cause(conversation, plan, news))
            preference = None
        discarded = plan.discard(reason, cause)
        again = self._plan(catalog, conversation, discarded, cause)
        steps = again.result.plan.actions if isinstance(again.result, Solved) else ()
        if left and isinstance(again.result, Solved) and tuple(map(PlannedStep.of, steps)) == plan.left:
            spared = self._spare_a_question(catalog, conversation, again.result.plan, discarded, cause)
            note = Reason(text=again.result.note) if plan.improving else NO_REASON
            return spared or Proceed(left[0], Kept(plan_id=plan.plan_id, cause=cause, note=note))
        if preference is not None and left and _is_as_good(find_rest(catalog, conversation, plan), again.result):
            return Proceed(left[0], Kept(plan_id=plan.plan_id, cause=cause))
        return again

    def _go_on(self, catalog: Catalog, conversation: Conversation, goal: StackedGoal, plan: PlanRecord) -> Decision:
        """Return the first step of a plan for its next goal if the rest of it still stands; otherwise plan again."""
        news, left = _news(conversation, plan), plan.left_for(goal.goal_id)
        cause = _cause(conversation, plan, news)
        rest = find_rest(catalog, conversation, plan)
        if left and rest is not None and rest.stands and plan.preferred == conversation.goals.preferred:
            return Proceed(left[0], Kept(plan_id=plan.plan_id, cause=cause))
        reason = Reason(code="leads_nowhere", label=goal.label)
        return self._plan(catalog, conversation, plan.discard(reason, cause), cause)

    def _spare_a_question(
        self, catalog: Catalog, conversation: Conversation, kept: Plan, discarded: Discarded, cause: int
    ) -> Replanned | None:
        """Return a plan with fewer questions than the one at hand, if the user answered something else than was asked.

        It must be no longer, and cost no more by what is minimised. To a planner such plans are equal. A user who gave
        an e-mail address when asked for an account number prefers the plan that needs the e-mail address only.
        """
        pending, first = conversation.questions.pending, kept.actions[0]
        if pending is None or first.kind is not StepKind.ASK or pending.asked.subject != first.subject:
            return None
        without = frozenset((operator_name(StepKind.ASK, first.subject),))
        other = self._plan(catalog, conversation, discarded, cause, without)
        if not isinstance(other.result, Solved) or len(other.result.plan.actions) > len(kept.actions):
            return None
        fewer = _count_questions(other.result.plan.actions) < _count_questions(kept.actions)
        as_good = other.result.plan.cost <= kept.cost + ROUNDING
        return other if fewer and as_good else None

    def _plan(
        self,
        catalog: Catalog,
        conversation: Conversation,
        discarded: Discarded | None,
        cause: int | None,
        without: frozenset[str] = frozenset(),
    ) -> Replanned:
        earlier = left_over(catalog, conversation, discarded.plan_id if discarded else None)
        if self.begins_early and discarded is None and not earlier:
            early = plan_early(catalog, conversation, self.planner, cause)
            if early is not None:
                return early
        answer = plan_for(catalog, conversation, self.planner, self.memory, without=without, earlier=earlier)
        parts = answer.parts(open_together(catalog, conversation))
        return Replanned(answer.result, discarded, cause, answer.diagnosis, parts)


def _is_as_good(rest: RestOfPlan | None, other: PlanningResult) -> bool:
    """Return whether the rest of a plan stays within the budget, and costs no more than another plan."""
    if rest is None or not rest.is_affordable:
        return False
    return not isinstance(other, Solved) or rest.plan.cost <= other.plan.cost + ROUNDING


def _superseded(catalog: Catalog, conversation: Conversation, cause: int) -> Discarded | None:
    """Return the event that discards a plan of waiting goals, which are now planned together with the goal on top."""
    waiting = (conversation.plan_of(goal.goal_id) for goal in open_together(catalog, conversation))
    plan = next(filter(None, waiting), None)
    return None if plan is None else plan.discard(Reason(code="planned_together"), cause)


def _count_questions(steps: tuple[Operator, ...]) -> int:
    return sum(step.kind in (StepKind.ASK, StepKind.AUTHORIZE, StepKind.CONFIRM) for step in steps)


def _top(conversation: Conversation) -> StackedGoal:
    goal = conversation.goal
    if goal is None:
        raise ValueError("There is no goal on the stack: ask a policy only while there is one.")
    return goal


def _unused(plan: PlanRecord | None, goal: StackedGoal) -> Discarded | None:
    if plan is None or not plan.left_for(goal.goal_id):
        return None
    return plan.discard(Reason(code="not_needed"), goal.origin.pushed)


def _barred(conversation: Conversation, step: PlannedStep) -> tuple[Reason, int] | None:
    """Return why a step of a suspended plan must not be carried out any more, and the event that says so."""
    action = conversation.plans.pruned.get(step.operator)
    if action is not None:
        return action.reason, action.seq
    if step.kind is StepKind.AUTHORIZE and step.subject in conversation.authorized:
        agreed = Reason(code="agreed_already", facts=step.inputs, subject=step.subject)
        return agreed, conversation.authorized[step.subject]
    consent = conversation.questions.consents.get((conversation.purpose, step.subject))
    if step.kind is StepKind.AUTHORIZE and consent is not None:
        return not_agreed(consent.subject, consent.facts, consent.status), consent.seq
    for fact in step.outputs:
        given_up = conversation.calls.used_up.get((step.subject, step.mode or "", fact))
        if given_up is not None:
            return Reason(code="tried_enough", skills=(step.subject,), facts=(fact,)), given_up
    return None


def _unconfirmed(catalog: Catalog, conversation: Conversation, plan: PlanRecord) -> tuple[Reason, int] | None:
    """Return a call of a plan that is not agreed to with the values that it would use now, if there is one."""
    asked = set()
    for step in plan.left_for(_top(conversation).goal_id):
        if step.kind in (StepKind.CONFIRM, StepKind.AUTHORIZE):
            asked.add((step.subject, step.mode))
        declared = catalog.skills.get(step.subject) if step.kind is StepKind.SKILL else None
        if declared is None or not declared.confirms or step.mode is None:
            continue
        if not asked.isdisjoint(((step.subject, step.mode), (step.subject, None))):  # consent may be the go-ahead too
            continue
        if call_name(step.subject, step.mode) not in conversation.questions.confirmed:
            at = max(
                (conversation.facts.known[f].event for f in step.inputs if f in conversation.facts.known),
                default=plan.began,
            )
            return Reason(code="agree_again", skills=(step.subject,)), at
    return None


class _News(NamedTuple):
    learned: tuple[str, ...]
    lost: tuple[str, ...]
    carried_out: tuple[str, ...]
    undone: tuple[str, ...]


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


def _reason(conversation: Conversation, news: _News) -> Reason:
    volunteered = {done.event for done in conversation.calls.history if done.actor is Actor.USER and done.asked is None}
    known = conversation.facts.known
    told = tuple(fact for fact in news.learned if known[fact].event in volunteered)
    found = tuple(fact for fact in news.learned if fact not in told)
    parts = (
        Reason(code="told_unasked", facts=told),
        Reason(code="became_known", facts=found),
        Reason(code="no_longer_known", facts=news.lost),
        Reason(code="called_meanwhile", skills=news.carried_out),
        Reason(code="called_with_old_value", skills=news.undone),
    )
    return Reason(code="news", of=tuple(part for part in parts if part.facts or part.skills))
