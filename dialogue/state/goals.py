"""The goals of a conversation: the stack, preferences, budgets and expenses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import inf
from typing import TYPE_CHECKING, Literal

from catalog.model.settings import Metric
from dialogue.log import events
from dialogue.state.calls import CallState
from dialogue.state.fold_rule import Rules
from dialogue.state.messages import MessageState
from dialogue.state.questions import answered_or_dropped, without
from language.content import NO_REASON, Reason
from language.interpretation import Intent
from planning.model import PlanGoal, Situation, StepKind

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation


@dataclass(frozen=True, slots=True)
class GoalRequest:
    """A goal with the values given for it, the entry in which it was heard, and its position among the goals there."""

    mention: Intent
    heard: int
    position: int


@dataclass(frozen=True, slots=True)
class GoalOrigin:
    """Why a goal was pushed, the entry that says so, and the entry that caused it."""

    because: Literal["request", "extension", "event"]
    pushed: int
    cause: int
    interrupted: events.Asked | None = None
    """The offer or choice that an event interrupted: it is asked again when this goal has ended."""


GoalEnd = Literal["achieved", "dropped", "handed_over"]


@dataclass(frozen=True, slots=True)
class GoalEnding:
    """How a goal ended, the entry that says so, and the state by then, from which it is explained afterwards.

    The messages are left out: no explanation rests on them, and each of many states would keep its own lists of them.
    """

    status: GoalEnd
    seq: int
    reason: Reason
    state: Conversation = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class StackedGoal:
    """A goal that is or was on the stack; `original` is the situation in which it was pushed, or begun."""

    goal_id: int
    goal: str
    label: str
    facts: tuple[str, ...]
    skills: tuple[str, ...]
    either: tuple[tuple[str, ...], ...]
    origin: GoalOrigin
    original: Situation
    request: GoalRequest | None = None
    begun: bool = False
    """Whether the values of other requests were set aside for it."""
    requested: tuple[events.ResultReference, ...] = ()
    """The earlier results that it refers to."""
    ending: GoalEnding | None = None
    purpose: int = 0
    """The entry in which the request was made: goals of one utterance, and a goal that is taken up again, share it."""
    agreed: int | None = None
    """The entry of the latest go-ahead for what is done for it: what was said before that is not heeded is known."""

    @property
    def status(self) -> GoalEnd | Literal["open"]:
        """Whether it is open, and if not, how it ended: where it was handed over, it is a task now."""
        return self.ending.status if self.ending else "open"

    @property
    def reason(self) -> Reason:
        """Why it was dropped, if it was."""
        return self.ending.reason if self.ending else NO_REASON

    @property
    def heard(self) -> int | None:
        return self.request.heard if self.request else None

    def seen_in(self, conversation: Conversation) -> Conversation:
        """Return the state that it is explained from: as of its end, or the one given while it is open."""
        return self.ending.state if self.ending else conversation

    @property
    def wanted(self) -> PlanGoal:
        return PlanGoal(self.facts, self.skills, (self.goal,) if self.either else ())


@dataclass(frozen=True, slots=True)
class GoalState:
    """The stack of goals, the ended goals, and the preferences for pursuing them."""

    stack: tuple[StackedGoal, ...] = ()
    """The goals that are open, top first."""
    past: tuple[StackedGoal, ...] = ()
    objected: events.Objected | None = None
    """Why the catalog's rules forbid the request on top; nothing is planned meanwhile."""
    offered: frozenset[str] = frozenset()
    preference: events.Preferred | None = None
    """The latest preference of the user (cheap, quick, good, within a budget), and its entry."""
    preferred: int | None = None
    minimize: Metric | None = None
    budget: float | None = None
    """The budget of one goal, if the user set one; infinite for no limit."""
    approves: bool = False
    """Whether the user wants to approve whole plans before they run."""
    spent: Mapping[int, float] = field(default_factory=dict)
    """Money spent on goals, by their number."""


def _pushed(event: events.GoalPushed, c: Conversation, seq: int) -> Conversation:
    pending = c.questions.pending
    redone = next((g for g in c.goals.past if g.goal_id == event.redo), None)
    request = None
    if event.request is not None and event.heard is not None:
        request = GoalRequest(event.request, event.heard, event.position or 0)
    purpose = redone.purpose if redone else event.cause if event.heard is None else event.heard
    interrupted = pending.asked if event.because == "event" and pending and not pending.asked.plan_id else None
    goal = StackedGoal(
        event.goal_id,
        event.goal,
        event.label,
        event.facts,
        event.skills,
        event.either,
        GoalOrigin(event.because, seq, event.cause, interrupted),
        original=replace(c.situation_in(purpose), spent=0.0),
        request=request,
        begun=redone is not None,
        requested=redone.requested if redone else (),
        purpose=purpose,
    )
    before = next((g for g in reversed(c.goals.past) if g.goal == event.goal), None)
    if redone is not None:  # what was said for it is said for it still
        known = c.facts.known
        mine = {fact: replace(v, goal_id=goal.goal_id) for fact, v in known.items() if v.goal_id == redone.goal_id}
        c = replace(c, facts=replace(c.facts, known={**known, **mine}))
    spent = c.goals.spent
    if before is not None and before.status == "dropped" and before.goal_id in spent:
        spent = {**spent, goal.goal_id: spent[before.goal_id]}  # it is the same pursuit, taken up again
    goals = replace(c.goals, stack=(goal, *c.goals.stack), spent=spent)
    return replace(c, goals=goals, questions=answered_or_dropped(c.questions))


def _begun(event: events.Begun, c: Conversation, seq: int) -> Conversation:
    """Set aside the values of other requests; the goal is judged from this state on.

    What it sets aside of its own, as it is pursued anew, is restored at once or never.
    """
    taken = set(event.kept)
    known = {
        fact: replace(value, goal_id=event.goal_id) if fact in taken else value
        for fact, value in c.facts.known.items()
        if fact not in event.set_aside
    }
    open_goals = {goal.goal_id for goal in c.goals.stack}
    left = [c.facts.known[fact] for fact in event.set_aside]
    own = {v.fact: v for v in left if v.goal_id == event.goal_id}
    waiting = {
        **c.facts.waiting,
        **{(v.goal_id, v.fact): v for v in left if v.fact not in own and v.goal_id in open_goals},
    }
    known |= {fact: own.get(fact) or waiting.pop((event.goal_id, fact)) for fact in event.restored}
    after = replace(
        c,
        facts=replace(
            c.facts,
            known=known,
            set_aside={**c.facts.set_aside, **dict.fromkeys(event.set_aside, seq)},
            waiting=waiting,
        ),
        questions=without(c.questions, event.set_aside),
        calls=_begin_anew(c.calls, set(event.skills), seq),
    )
    stack = tuple(_begin(g, event, after) if g.goal_id == event.goal_id else g for g in c.goals.stack)
    return replace(after, goals=replace(c.goals, stack=stack))


def _begin_anew(calls: CallState, skills: set[str], seq: int) -> CallState:
    """Forget how often some skills were called, and with what: they are called for another goal."""
    if not skills:
        return calls
    return replace(
        calls,
        done={skill: call for skill, call in calls.done.items() if skill not in skills},
        undone={**calls.undone, **{skill: seq for skill in calls.done if skill in skills}},
        counts={way: count for way, count in calls.counts.items() if way[0] not in skills},
        misses={way: count for way, count in calls.misses.items() if way[0] not in skills},
        used_up={way: given_up for way, given_up in calls.used_up.items() if way[0] not in skills},
    )


def _begin(goal: StackedGoal, event: events.Begun, after: Conversation) -> StackedGoal:
    if goal.begun:
        return goal
    there = after.situation
    plans = takewhile(lambda plan: plan.began > goal.origin.pushed, reversed(after.plans.all))
    # what was carried out for goals before this one, as a plan for all of them has it
    made = [plan.plan.steps[place] for plan in plans for place in plan.shared_with(goal.goal_id) if place < plan.done]
    original = replace(
        there,
        known=there.known.difference(*(step.outputs for step in made)),
        done=there.done.difference(step.subject for step in made if step.kind is StepKind.SKILL),
        authorized=there.authorized.difference(step.subject for step in made if step.kind is StepKind.AUTHORIZE),
        spent=0.0,
    )
    return replace(goal, begun=True, requested=event.requested, original=original)


def _achieved(event: events.GoalAchieved, c: Conversation, seq: int) -> Conversation:
    return end_goal(c, seq, event.goal_id, "achieved")


def _dropped(event: events.GoalDropped, c: Conversation, seq: int) -> Conversation:
    return end_goal(c, seq, event.goal_id, "dropped", event.reason)


def end_goal(c: Conversation, seq: int, goal_id: int, status: GoalEnd, reason: Reason = NO_REASON) -> Conversation:
    """Take a goal off the stack, and stop waiting for what was asked for it."""
    goals, explained = c.goals, replace(c, messages=MessageState())
    ended = [replace(g, ending=GoalEnding(status, seq, reason, explained)) for g in goals.stack if g.goal_id == goal_id]
    left = tuple(g for g in goals.stack if g.goal_id != goal_id)
    still = {g.goal_id for g in left}
    plans = c.plans
    for plan in plans.all if status == "achieved" else ():
        if plan.status == "current" and goal_id in plan.goals and still.isdisjoint(plan.goals):
            plans = plans.changed(plan, status="finished", ended=seq)
    return replace(
        c,
        goals=replace(
            goals,
            stack=left,
            past=(*goals.past, *ended),
            objected=None,
        ),
        plans=plans,
        questions=answered_or_dropped(c.questions),
        facts=replace(c.facts, waiting={key: value for key, value in c.facts.waiting.items() if key[0] != goal_id}),
    )


def _offered(event: events.Offered, c: Conversation, seq: int) -> Conversation:
    return replace(c, goals=replace(c.goals, offered=c.goals.offered | {event.goal}))


def _preferred(event: events.Preferred, c: Conversation, seq: int) -> Conversation:
    goals = replace(
        c.goals,
        preference=event,
        preferred=seq,
        approves=c.goals.approves or event.approve,
        minimize=None if event.usual else event.minimize or c.goals.minimize,
        budget=inf if event.unlimited else c.goals.budget if event.budget is None else event.budget,
    )
    return replace(c, goals=goals)


RULES: Rules = {
    events.GoalPushed: _pushed,
    events.Begun: _begun,
    events.Objected: lambda event, c, _: replace(c, goals=replace(c.goals, objected=event)),
    events.GoalAchieved: _achieved,
    events.GoalDropped: _dropped,
    events.Resumed: lambda _, c, _seq: replace(c, questions=answered_or_dropped(c.questions)),
    events.Offered: _offered,
    events.Preferred: _preferred,
}
