"""What a fork did otherwise than the record: its steps, values, amounts and outcome beside those of the record."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.forks.answers import ValueSource
from dialogue.forks.rerun import ForkRun, ForkStage
from dialogue.log.events import Answered, Asked, Calling, Log, Mapped, Ran
from dialogue.state.conversation import Conversation, project
from dialogue.state.goals import StackedGoal
from planning.model import StepKind


class TakenStep(NamedTuple):
    """A step that was carried out; `entry` is where, `how` the mode of a call or the answer to a consent."""

    kind: StepKind
    subject: str
    how: str
    outcome: str
    entry: int

    @property
    def what(self) -> tuple[StepKind, str, str]:
        """What makes it the same step in another course."""
        return self.kind, self.subject, self.how


class StepFate(StrEnum):
    """What became of a step of the record in the fork."""

    KEPT = "kept"
    DROPPED = "dropped"
    ADDED = "added"


class ComparedStep(NamedTuple):
    """A step of either course; `source` says where the outcome of a call of the fork comes from."""

    fate: StepFate
    step: TakenStep
    was: str
    """The outcome in the record, of a step that both have."""
    source: ValueSource | None


class ComparedFact(NamedTuple):
    """The values of a fact at the end of each course, as they are kept; None where it has none."""

    fact: str
    was: JsonValue
    now: JsonValue
    source: ValueSource | None


@dataclass(frozen=True, slots=True)
class Course:
    """How a goal was pursued: its steps, what they took, and the outcome of the last call."""

    steps: tuple[TakenStep, ...]
    money: float
    status: str
    decision: TakenStep | None
    """The call that established what the goal wants."""


@dataclass(frozen=True, slots=True)
class ForkDifference:
    """A fork beside its record."""

    recorded: Course
    forked: Course
    steps: tuple[ComparedStep, ...]
    facts: tuple[ComparedFact, ...]

    @property
    def same_steps(self) -> bool:
        return all(one.fate is StepFate.KEPT for one in self.steps)

    @property
    def same_outcome(self) -> bool:
        one, other = self.recorded.decision, self.forked.decision
        same = (one and one.what, one and one.outcome) == (other and other.what, other and other.outcome)
        return same and self.recorded.status == self.forked.status


def course_of(catalog: Catalog, log: Log, goal: StackedGoal | None) -> Course:
    """Return how a goal was pursued in a log, from its request to its end."""
    first = goal.origin.cause if goal is not None else 1
    last = goal.ending.seq if goal is not None and goal.ending is not None else len(log)
    answers: dict[int, bool] = {}
    for entry in log[first - 1 : last]:
        if isinstance(entry.event, Answered):
            answers[entry.event.asked] = entry.event.accepted
    steps: list[TakenStep] = []
    for entry in log[first - 1 : last]:
        match entry.event:
            case Asked(about="fact", subject=subject, task=None, attempt=1, proposed=0):
                steps.append(TakenStep(StepKind.ASK, subject, "", "", entry.seq))
            case Asked(about="authorize" | "confirm" as about, subject=subject, attempt=1):
                kind = StepKind.AUTHORIZE if about == "authorize" else StepKind.CONFIRM
                agreed = answers.get(entry.seq)
                steps.append(TakenStep(kind, subject, "", {True: "yes", False: "no", None: ""}[agreed], entry.seq))
            case Ran(skill=skill, mode=mode, outcome=outcome):
                steps.append(TakenStep(StepKind.SKILL, skill, mode, outcome, entry.seq))
            case Mapped(fact=fact, stands_for=above):
                steps.append(TakenStep(StepKind.MAP, above, fact, "", entry.seq))
    wanted = set() if goal is None else {below for one in goal.facts for below in catalog.subtypes.get(one, (one,))}
    calls = [one for one in steps if one.kind is StepKind.SKILL]
    ways = ((one, catalog.skills[one.subject].modes[one.how]) for one in reversed(calls))
    gives = (one for one, mode in ways if not wanted.isdisjoint(mode.outcomes[one.outcome].facts))
    money = sum(entry.event.money for entry in log[first - 1 : last] if isinstance(entry.event, Calling))
    status = "open" if goal is None else goal.status
    return Course(tuple(steps), money, status, next(gives, None))


def compare(stage: ForkStage, run: ForkRun, goal: StackedGoal | None = None) -> ForkDifference:
    """Put a fork beside its record, for the goal that it was run to."""
    catalog = stage.catalog
    before = project(stage.log)
    recorded_goal = goal or (before.goals.past[-1] if before.goals.past else before.goal)
    recorded = course_of(catalog, stage.log, recorded_goal)
    forked = course_of(catalog, run.log, run.goal)
    return ForkDifference(
        recorded,
        forked,
        tuple(_compare_steps(recorded, forked, run)),
        tuple(_compare_facts(recorded_goal.seen_in(before) if recorded_goal else before, run)),
    )


def _compare_steps(recorded: Course, forked: Course, run: ForkRun) -> list[ComparedStep]:
    was, now = [one.what for one in recorded.steps], [one.what for one in forked.steps]
    found: list[ComparedStep] = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs = zip(recorded.steps[i:i_end], forked.steps[j:j_end], strict=True)
            found += [ComparedStep(StepFate.KEPT, new, old.outcome, _source(new, run)) for old, new in pairs]
            continue
        found += [ComparedStep(StepFate.DROPPED, old, old.outcome, None) for old in recorded.steps[i:i_end]]
        found += [ComparedStep(StepFate.ADDED, new, "", _source(new, run)) for new in forked.steps[j:j_end]]
    return found


def _source(step: TakenStep, run: ForkRun) -> ValueSource | None:
    return run.source_of_call(step.entry) if step.kind is StepKind.SKILL else None


def _compare_facts(before: Conversation, run: ForkRun) -> list[ComparedFact]:
    after = run.goal.seen_in(run.conversation) if run.goal is not None else run.conversation
    was, now = before.facts.known, after.facts.known
    return [
        ComparedFact(
            fact,
            was[fact].value if fact in was else None,
            now[fact].value if fact in now else None,
            run.source_of_entry(now[fact].event) if fact in now else None,
        )
        for fact in dict.fromkeys((*was, *now))
    ]
