"""Plans with their progress, and the actions that are removed from the planning model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from dialogue.log.events import Discarded, Kept, LikelihoodsChosen, Planned, PlannedStep, Pruned, PruneReason, Restored
from dialogue.state.fold_rule import Rules
from dialogue.state.questions import answered_or_dropped
from language.content import NO_REASON, Reason
from planning.likelihoods import DECLARED, Likelihoods
from planning.model import StepKind

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """A plan, how far it was carried out, and how it ended.

    `done` counts the steps that were carried out as planned; `known` is what was known when it was made or last checked
    against news, which was after `checked` of the steps. `carried_out` are the skills that counted so then, or
    have since, by the plan. `began` and `ended` are entries of the log.
    """

    plan: Planned
    began: int
    known: frozenset[str] = frozenset()
    carried_out: frozenset[str] = frozenset()
    done: int = 0
    checked: int = 0
    checked_for: int = 0
    """The goal on top when it was made or last checked."""
    preferred: int | None = None
    """The preference in force when it was made or last checked."""
    status: Literal["current", "finished", "discarded", "none"] = "current"
    reason: Reason = NO_REASON
    cause: int | None = None
    ended: int | None = None
    judged: Reason | None = None
    """What was said of how good it is when it was last checked; None before that."""

    @property
    def note(self) -> Reason:
        return self.judged or self.plan.note

    @property
    def improving(self) -> bool:
        """Whether it was begun with early, and not compared yet with a plan for which the engine had all its time."""
        return self.plan.improving and self.judged is None

    @property
    def plan_id(self) -> int:
        return self.plan.plan_id

    @property
    def goals(self) -> tuple[int, ...]:
        """The numbers of the goals that it is for, in the order in which it reaches them."""
        return tuple(part.goal_id for part in self.plan.parts) or (self.plan.goal_id,)

    def discard(self, reason: Reason, cause: int) -> Discarded:
        """Return the event that gives the plan up, at the step that it has come to."""
        return Discarded(plan_id=self.plan_id, reason=reason, cause=cause, at_step=self.done)

    @property
    def left(self) -> tuple[PlannedStep, ...]:
        return self.plan.steps[self.done :]

    def part_of(self, goal_id: int) -> range:
        """Return the places of the steps that are for a goal, and that no goal before it needs."""
        begin = 0
        for part in self.plan.parts:
            if part.goal_id == goal_id:
                return range(begin, begin + part.steps)
            begin += part.steps
        return range(0 if self.plan.parts or goal_id != self.plan.goal_id else len(self.plan.steps))

    def shared_with(self, goal_id: int) -> tuple[int, ...]:
        """Return the places of the steps that a goal needs, and that are carried out for a goal before it."""
        return next((part.shared for part in self.plan.parts if part.goal_id == goal_id), ())

    def left_for(self, goal_id: int) -> tuple[PlannedStep, ...]:
        """Return the steps of a goal's part that are still to be carried out."""
        return tuple(self.plan.steps[place] for place in self.part_of(goal_id) if place >= self.done)

    def coming_for(self, goal_id: int) -> tuple[PlannedStep, ...]:
        """Return all steps that a goal still needs, whatever goal they are carried out for."""
        places = (*self.shared_with(goal_id), *self.part_of(goal_id))
        return tuple(self.plan.steps[place] for place in places if place >= self.done)

    @property
    def expected(self) -> frozenset[str]:
        """The facts that should be known by now."""
        return self.known.union(*(step.outputs for step in self.plan.steps[self.checked : self.done]))


@dataclass(frozen=True, slots=True)
class PrunedAction:
    """A ground action that was removed from the planning model, and why."""

    operator: str
    step: StepKind
    subject: str
    reason: Reason
    seq: int
    because: PruneReason
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanState:
    """All plans that were made, oldest first, what is not planned with any more, and likelihoods that count."""

    all: tuple[PlanRecord, ...] = ()
    pruned: Mapping[str, PrunedAction] = field(default_factory=dict)
    """By operator; consents are not among them, since each request has its own (`QuestionState.closed_for`)."""
    likelihoods: Likelihoods = DECLARED

    def of(self, plan_id: int) -> PlanRecord | None:
        return next((plan for plan in reversed(self.all) if plan.plan_id == plan_id), None)

    def changed(self, plan: PlanRecord | None, **changes: Any) -> PlanState:
        """Return the state with other fields of a plan; mostly it is one of the last."""
        if plan is None:
            return self
        place = next(place for place in reversed(range(len(self.all))) if self.all[place] is plan)
        return replace(self, all=(*self.all[:place], replace(plan, **changes), *self.all[place + 1 :]))

    def move_on(self, plan: PlanRecord | None, kind: StepKind, subject: str) -> PlanState:
        """Count the next step of the plan being followed as done, if this is what it was."""
        if plan is None or plan.done >= len(plan.plan.steps):
            return self
        step = plan.plan.steps[plan.done]
        if (step.kind, step.subject) != (kind, subject):
            return self
        return self.changed(plan, done=plan.done + 1)


def _planned(event: Planned, c: Conversation, seq: int) -> Conversation:
    record = PlanRecord(
        event,
        seq,
        frozenset(c.facts.known),
        frozenset(c.calls.done),
        checked_for=event.goal_id,
        status="current" if event.status == "solved" else "none",
        preferred=c.goals.preferred,
    )
    return replace(c, plans=replace(c.plans, all=(*c.plans.all, record)))


def _discarded(event: Discarded, c: Conversation, seq: int) -> Conversation:
    plans = c.plans.changed(
        c.plans.of(event.plan_id),
        status="discarded",
        reason=event.reason,
        cause=event.cause,
        ended=seq,
        done=event.at_step,
    )
    pending = c.questions.pending
    asked_for = pending is not None and pending.asked.plan_id == event.plan_id
    questions = answered_or_dropped(c.questions) if asked_for else c.questions
    return replace(c, plans=plans, questions=questions)


def _kept(event: Kept, c: Conversation, seq: int) -> Conversation:
    plan, top = c.plans.of(event.plan_id), c.goal.goal_id if c.goal else 0
    if plan is None:
        return c
    plans = c.plans.changed(
        plan,
        known=frozenset(c.facts.known),
        carried_out=frozenset(c.calls.done),
        checked=plan.done,
        checked_for=top if top in plan.goals else plan.checked_for,
        preferred=c.goals.preferred,
        judged=event.note or plan.judged or NO_REASON,
    )
    return replace(c, plans=plans)


def _pruned(event: Pruned, c: Conversation, seq: int) -> Conversation:
    action = PrunedAction(event.operator, event.step, event.subject, event.reason, seq, event.because, event.facts)
    of_all = event.step is not StepKind.AUTHORIZE
    plans = replace(c.plans, pruned={**c.plans.pruned, event.operator: action}) if of_all else c.plans
    return replace(c, plans=plans, questions=answered_or_dropped(c.questions))


def _restored(event: Restored, c: Conversation, seq: int) -> Conversation:
    left = {name: action for name, action in c.plans.pruned.items() if name != event.operator}
    closed = (c.purpose, event.subject) if event.step is StepKind.AUTHORIZE else None
    consents = {key: one for key, one in c.questions.consents.items() if key != closed or one.status == "given"}
    questions = replace(c.questions, consents=consents)
    return replace(c, plans=replace(c.plans, pruned=left), questions=questions)


def _likelihoods_chosen(event: LikelihoodsChosen, c: Conversation, seq: int) -> Conversation:
    chosen = Likelihoods(event.source, event.prior_calls, event.calls)
    return replace(c, plans=replace(c.plans, likelihoods=chosen))


RULES: Rules = {
    LikelihoodsChosen: _likelihoods_chosen,
    Planned: _planned,
    Discarded: _discarded,
    Kept: _kept,
    Pruned: _pruned,
    Restored: _restored,
}
