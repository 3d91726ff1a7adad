"""Plans as they are seen: the state of each step, what feeds what, and how one plan differs from another.

Pure functions of catalog and conversation: no drawing here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf, log

from catalog.model import Catalog
from catalog.model.settings import AuthorizationPolicy
from dialogue.log.events import PlannedStep, Ran
from dialogue.state.conversation import Conversation, facts_of
from dialogue.state.facts import FactState
from dialogue.state.goal_status import refusal_of
from dialogue.state.goals import StackedGoal
from dialogue.state.plans import PlanRecord
from language.responses.plans import FIRST_IDEA, say_amounts
from pages.shell.address import Selection
from planning.model import Amounts, StepKind


class StepState(StrEnum):
    DONE = "done"
    """It was carried out as planned."""
    RUNNING = "running"
    """Its skill is being called now."""
    WAITING = "waiting"
    """Its question was put, and the answer is awaited."""
    NEXT = "next"
    """It is the next to be carried out."""
    LATER = "later"
    """Its turn comes after others."""
    FAILED = "failed"
    """The plan ended here: it did not go as planned, or was no longer wanted."""
    NEVER = "never"
    """Its plan ended before it came to this step."""
    RULED_OUT = "ruled_out"
    """It asks for what the catalog says cannot be asked for."""


_OF_FACTS = (StepKind.ASK, StepKind.MAP)
"""Steps whose subject is a fact."""

_ASKED = {StepKind.AUTHORIZE: "consent", StepKind.CONFIRM: "go-ahead"}

STATE_WORDS: dict[StepState, str] = {
    StepState.DONE: "done", StepState.RUNNING: "running now", StepState.WAITING: "waiting for you",
    StepState.NEXT: "next", StepState.LATER: "later", StepState.FAILED: "the plan ended here",
    StepState.NEVER: "never run", StepState.RULED_OUT: "ruled out",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with all that is needed to draw it; `title` and `detail` are data, never markup."""

    index: int
    step: PlannedStep
    state: StepState
    title: str
    detail: str
    at: int | None = None
    """The entry that ended its plan: what the step is about is looked at as of then."""

    @property
    def selection(self) -> Selection:
        """Return what a click on the step selects: what its title names."""
        return Selection("fact" if self.step.kind in _OF_FACTS else "skill", self.step.subject, self.at)

    def matches(self, chosen: Selection | None) -> bool:
        if chosen is None:
            return False
        if chosen.kind == "fact":
            return chosen.name in self.step.outputs or (
                self.step.kind in _OF_FACTS and self.step.subject == chosen.name
            )
        return chosen.kind == "skill" and self.step.kind not in _OF_FACTS and self.step.subject == chosen.name

    @property
    def spoken(self) -> str:
        """Say the step and its state in one line, as a screen reader gets it."""
        return f"Step {self.index + 1}: {self.title}, {self.detail}, {STATE_WORDS[self.state]}"


@dataclass(frozen=True, slots=True)
class PlanLink:
    """A causal link: what the step at `source` establishes is used by the step at `target`; -1 stands for known."""

    source: int
    target: int
    fact: str


@dataclass(frozen=True, slots=True)
class PlanDifference:
    """Difference between a plan and the previous one for the same goal."""

    kept: tuple[PlannedStep, ...]
    dropped: tuple[PlannedStep, ...]
    added: tuple[PlannedStep, ...]


def fact_label(catalog: Catalog, fact: str) -> str:
    """Return the words for a fact; a fact that the catalog no longer has keeps its name."""
    return catalog.facts[fact].label if fact in catalog.facts else fact


def skill_label(catalog: Catalog, skill: str) -> str:
    """Return the words for a skill (or, where consent is asked per fact, for that fact)."""
    return catalog.skills[skill].label if skill in catalog.skills else fact_label(catalog, skill)


def goal_label(catalog: Catalog, goal: str) -> str:
    return catalog.goals[goal].label if goal in catalog.goals else goal


def step_title(catalog: Catalog, step: PlannedStep) -> str:
    """Name a step by what it is about; a consent or a go-ahead is told from the call that it is for."""
    named = (fact_label if step.kind in _OF_FACTS else skill_label)(catalog, step.subject)
    return f"{_ASKED[step.kind]}: {named}" if step.kind in _ASKED else named


def step_detail(catalog: Catalog, step: PlannedStep) -> str:
    """Say what kind of step it is, and for a skill the outcome that is hoped for."""
    if step.kind is StepKind.ASK:
        return "ask you" if _can_be_asked(catalog, step.subject) else FIRST_IDEA
    if step.kind is StepKind.AUTHORIZE:
        return "ask your consent"
    if step.kind is StepKind.CONFIRM:
        return "ask you to confirm"
    if step.kind is StepKind.MAP:
        return f"copied from {fact_label(catalog, step.inputs[0])}"
    skill = catalog.skills.get(step.subject)
    mode = skill.modes.get(step.mode or "") if skill else None
    outcome = mode.outcomes.get(step.outcome or "") if mode else None
    each = "".join(f"for each of {fact_label(catalog, items)} " for items in mode.each.values()) if mode else ""
    if outcome:
        return f"{each}→ {outcome.label}"
    return f"→ {step.outcome or ', '.join(step.outputs)}"


def _can_be_asked(catalog: Catalog, fact: str) -> bool:
    return fact not in catalog.facts or catalog.facts[fact].fillable


def list_vain(catalog: Catalog, record: PlanRecord) -> tuple[str, ...]:
    """List the facts that a plan counted on being told, and that cannot be asked for: it could only fail there."""
    asked = (step.subject for step in record.plan.steps if step.kind is StepKind.ASK)
    return tuple(fact for fact in asked if not _can_be_asked(catalog, fact))


def is_first_idea(catalog: Catalog, record: PlanRecord) -> bool:
    """Return whether a plan was ruled out by the catalog before anything was done for it."""
    if record.status != "discarded" or record.done:
        return False
    vain = list_vain(catalog, record)
    return bool(vain) and record.plan.steps[0].kind is StepKind.ASK and record.plan.steps[0].subject in vain


def view_steps(catalog: Catalog, conversation: Conversation, record: PlanRecord) -> tuple[StepView, ...]:
    return tuple(
        StepView(
            i,
            step,
            _ruled_out(catalog, record, i) or _state(conversation, record, i),
            step_title(catalog, step),
            _came_otherwise(catalog, conversation, record, i) or step_detail(catalog, step),
            record.ended,
        )
        for i, step in enumerate(record.plan.steps)
    )


def _came_otherwise(catalog: Catalog, conversation: Conversation, record: PlanRecord, index: int) -> str:
    """Say how the last call of a plan ended, where the plan had counted on another outcome."""
    step = record.plan.steps[index]
    if step.kind is not StepKind.SKILL or _state(conversation, record, index) is not StepState.FAILED:
        return ""
    mine = (one for one in reversed(conversation.calls.made) if one.calling.plan_id == record.plan_id)
    ran = next((one.result for one in mine if one.calling.skill == step.subject), None)
    if not isinstance(ran, Ran) or ran.outcome == step.outcome:
        return ""
    came = step_detail(catalog, step.model_copy(update={"outcome": ran.outcome, "mode": ran.mode}))
    return f"{came}, not {step_detail(catalog, step).removeprefix('→ ')}"


def _ruled_out(catalog: Catalog, record: PlanRecord, index: int) -> StepState | None:
    step = record.plan.steps[index]
    vain = step.kind is StepKind.ASK and not _can_be_asked(catalog, step.subject)
    return StepState.RULED_OUT if vain and index >= record.done else None


def _state(conversation: Conversation, record: PlanRecord, index: int) -> StepState:
    step = record.plan.steps[index]
    if index < record.done or record.status == "finished":
        return StepState.DONE
    if record.status != "current":
        return StepState.FAILED if index == record.done else StepState.NEVER
    if index > record.done:
        return StepState.LATER
    call, pending = conversation.calls.open, conversation.questions.pending
    if call and call.plan_id == record.plan_id and step.kind is StepKind.SKILL and step.subject == call.skill:
        return StepState.RUNNING
    if pending and pending.asked.plan_id == record.plan_id and pending.asked.subject == step.subject:
        return StepState.WAITING
    return StepState.NEXT


def say_taken(catalog: Catalog, record: PlanRecord) -> str:
    """Say what a plan takes, as far as the catalog speaks of it; nothing of plans made before that was written down."""
    taken = record.plan.amounts
    if taken is None or not record.plan.steps:
        return ""
    amounts = Amounts(taken.cost, taken.money, taken.time_s, -log(taken.quality) if taken.quality else inf)
    return say_amounts(catalog, (step.kind for step in record.plan.steps), amounts)


def link_steps(catalog: Catalog, steps: Sequence[PlannedStep]) -> tuple[PlanLink, ...]:
    """Find the causal links of a plan: for each need of each step, the step before it that meets it, else known."""
    per_fact = catalog.settings.authorization is AuthorizationPolicy.PER_FACT
    links: list[PlanLink] = []
    for target, step in enumerate(steps):
        if step.kind not in (StepKind.SKILL, StepKind.CONFIRM, StepKind.MAP):
            continue
        links.extend(PlanLink(_producer(catalog, steps[:target], fact), target, fact) for fact in step.inputs)
        if step.kind is not StepKind.SKILL:
            continue
        consents = set(step.inputs) if per_fact else {step.subject}
        links.extend(
            PlanLink(source, target, before.subject)
            for source, before in enumerate(steps[:target])
            if (before.kind is StepKind.AUTHORIZE and before.subject in consents)
            or (before.kind is StepKind.CONFIRM and (before.subject, before.mode) == (step.subject, step.mode))
        )
    return tuple(dict.fromkeys(links))


def _producer(catalog: Catalog, before: Sequence[PlannedStep], fact: str) -> int:
    fit = set(catalog.subtypes.get(fact, (fact,)))
    return next((i for i in reversed(range(len(before))) if fit & set(before[i].outputs)), -1)


def goal_links(catalog: Catalog, steps: Sequence[PlannedStep], facts: Collection[str]) -> tuple[PlanLink, ...]:
    """Link the goal (as the step after the last) with the steps that reach its facts."""
    return tuple(PlanLink(_producer(catalog, steps, fact), len(steps), fact) for fact in facts)


def goals_of_plan(conversation: Conversation, record: PlanRecord) -> tuple[StackedGoal, ...]:
    goals = (*conversation.goals.stack, *conversation.goals.past)
    return tuple(goal for number in record.goals for goal in goals if goal.goal_id == number)


def outcome_of_plan(catalog: Catalog, conversation: Conversation, record: PlanRecord) -> str:
    """Say how a plan ended; nothing while it is followed. The last plan for a goal ends in what the goal came to."""
    last = {goal: plan.plan_id for plan in conversation.plans.all for goal in plan.goals}
    mine = [goal for goal in goals_of_plan(conversation, record) if last.get(goal.goal_id) == record.plan_id]
    if record.ended is not None and any(refusal_of(catalog, conversation, goal) for goal in mine):
        return "declined"
    return {"finished": "reached its goal", "discarded": "dropped", "none": "no plan"}.get(record.status, "")


def goal_facts(catalog: Catalog, conversation: Conversation, record: PlanRecord) -> tuple[str, ...]:
    """Return the facts that a plan is for: those of its goals, and of the alternatives that it leads to."""
    leads_to = {fact for step in record.plan.steps for fact in step.outputs}
    then = replace(
        conversation,
        facts=FactState({fact: value for fact, value in conversation.facts.known.items() if fact in record.known}),
    )
    return tuple(
        dict.fromkeys(
            fact for goal in goals_of_plan(conversation, record) for fact in facts_of(catalog, then, goal, leads_to)
        )
    )


def skill_links(steps: Sequence[PlannedStep], skills: Collection[str]) -> tuple[PlanLink, ...]:
    """Link the goal (as the step after the last) with the calls that carry out the skills that it wants."""
    calls = {step.subject: i for i, step in enumerate(steps) if step.kind is StepKind.SKILL}
    return tuple(PlanLink(calls[skill], len(steps), skill) for skill in skills if skill in calls)


def before(conversation: Conversation, record: PlanRecord) -> PlanRecord | None:
    """Find the plan that this one replaced: the last one before it for the same goal."""
    mine = set(record.goals)
    earlier = (p for p in conversation.plans.all if p.plan_id < record.plan_id and not mine.isdisjoint(p.goals))
    return max(earlier, key=lambda p: p.plan_id, default=None)


def compare(old: PlanRecord, new: PlanRecord) -> PlanDifference:
    """Compare two plans: the steps kept, dropped and added; steps already done are not dropped."""
    left = Counter(_same(step) for step in old.plan.steps[old.done :])
    wanted = Counter(_same(step) for step in new.plan.steps)
    shared, kept, dropped, added = left & wanted, [], [], []
    spare = Counter(shared)
    for step in new.plan.steps:
        if spare[_same(step)]:
            spare[_same(step)] -= 1
            kept.append(step)
        else:
            added.append(step)
    for step in old.plan.steps[old.done :]:
        if shared[_same(step)]:
            shared[_same(step)] -= 1
        else:
            dropped.append(step)
    return PlanDifference(tuple(kept), tuple(dropped), tuple(added))


def _same(step: PlannedStep) -> str:
    return step.operator
