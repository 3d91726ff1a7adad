"""The state of a conversation: what its log says, as values.

It is composed of sub-states, one a module, each with the rules by which events change it (`dialogue.state.fold` applies
them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dialogue.log.events import Requested
from dialogue.state.calls import CallState
from dialogue.state.facts import FactState
from dialogue.state.goals import GoalState, StackedGoal
from dialogue.state.messages import MessageState
from dialogue.state.plans import PlanRecord, PlanState
from dialogue.state.questions import QuestionState
from planning.model import Situation


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything that can be known about a conversation from its log."""

    seq: int = 0
    catalog: str = ""
    digest: str = ""
    title: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Engine, policy and understander, where the conversation runs with others than the settings say."""
    turn: int = 0
    messages: MessageState = field(default_factory=MessageState)
    facts: FactState = field(default_factory=FactState)
    goals: GoalState = field(default_factory=GoalState)
    plans: PlanState = field(default_factory=PlanState)
    calls: CallState = field(default_factory=CallState)
    questions: QuestionState = field(default_factory=QuestionState)

    @property
    def busy(self) -> bool:
        """Return whether there is work to do or being done."""
        return self.messages.active is not None or bool(self.messages.inbox)

    @property
    def activity(self) -> str | None:
        """The skill being called just now, if any."""
        return self.calls.open.skill if self.calls.open else None

    @property
    def goal(self) -> StackedGoal | None:
        """The goal being pursued."""
        return self.goals.stack[0] if self.goals.stack else None

    @property
    def plan(self) -> PlanRecord | None:
        """The plan being followed for the goal on top."""
        return None if self.goal is None else self.plan_of(self.goal.goal_id)

    def plan_of(self, goal_id: int) -> PlanRecord | None:
        """Return the plan being followed for a goal, if there is one."""
        plans = reversed(self.plans.all)
        return next((p for p in plans if p.status == "current" and goal_id in p.goals), None)

    @property
    def situation(self) -> Situation:
        """The situation that the planner starts from."""
        return Situation(
            known=frozenset(self.facts.known),
            authorized=frozenset(self.questions.authorized),
            cannot_establish=frozenset(self.calls.used_up),
            pruned=frozenset(self.plans.pruned),
            minimize=self.goals.minimize,
            budget=self.goals.budget,
            spent=self.goals.spent.get(self.goal.goal_id, 0.0) if self.goal else 0.0,
            done=frozenset(self.calls.done),
            confirmed=frozenset(self.questions.confirmed),
            requested=frozenset((r.fact, r.stands_for) for r in self.requested),
        )

    @property
    def requested(self) -> tuple[Requested, ...]:
        """The results that the goal on top refers to, as far as they are known."""
        return tuple(one for one in self.goal.requested if one.used in self.facts.known) if self.goal else ()
