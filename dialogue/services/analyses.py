"""Analyses that take longer than drawing: explanations, landmarks, alternative plans, forecasts, checks.

Each is a background job. Callers get a `Future`; code that draws must not wait for it. Analyses of a conversation plan
with its own engine, all others with the engine of the settings. Each result is computed once for its key, which for a
conversation names the position in its log.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from catalog.analysis.mapping_suggestions import MappingSuggestion, suggest_mappings
from catalog.checks.check import check
from catalog.load import Loaded
from catalog.model import Catalog
from catalog.problems import Problem
from catalog.skills.failures import describe_trouble
from dialogue.agents.feedback import Feedback
from dialogue.agents.learning.learner import fold, lessons_of
from dialogue.agents.learning.replay import FeedbackMoment, ReplayedChoice, progress_of, replay_session, thresholds_of
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.orchestrators.threshold import ThresholdOrchestrator
from dialogue.agents.record import Recorded
from dialogue.exploration.transition import Retold, retell
from dialogue.log.events import Log
from dialogue.moves.contrasts import CONTRASTIVE, contrast_in
from dialogue.moves.records import record_of
from dialogue.moves.replies import explain_in
from dialogue.policy.joint import Planner, as_one_goal
from dialogue.state.conversation import Conversation, project
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from dialogue.state.plans import PlanRecord
from explain.contrasts import claim_contrasts
from explain.how import look_ahead
from explain.model import Question, QuestionKind, SummaryItem
from explain.what import summarize
from explain.words import ExplanationText
from language.languages import Language
from planning.contrasts import Restriction
from planning.diagnosis.diagnose import Diagnosis, Gap, GapKind, GapSet, diagnose
from planning.engines import Engine
from planning.landmarks import Landmarks, find_landmarks
from planning.model import Atom, Limits, Needs, Operator, Plan, StepKind, Task, operator_name
from planning.pddl import Pddl, write_pddl
from planning.plans.alternatives import Alternative, Alternatives, PlanFeature, find_ways, part_of
from planning.plans.solve import InvalidPlan, list_states
from planning.requests import Outlook, foresee, list_consents
from planning.task.compilation import compile_task

if TYPE_CHECKING:
    from dialogue.exploration.jobs import Inquiry
    from dialogue.exploration.report import Trace
    from dialogue.exploration.transition import TransitionContext
    from dialogue.services.views import SessionRow, Snapshot

KEPT = 100
"""Number of cached results; the least recently used one is dropped first."""
_Result = TypeVar("_Result")


class Jobs:
    """A thread pool with a cache. A failure is not cached: the next request tries again."""

    def __init__(self, threads: int = 2, kept: int = KEPT) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="compute")
        self._kept = kept
        self._jobs: dict[Hashable, Future[Any]] = {}
        self._lock = threading.Lock()

    def compute(self, key: Hashable, work: Callable[[], _Result]) -> Future[_Result]:
        """Return the job of a key, begun if need be. The key names everything that the result depends on."""
        with self._lock:
            job = self._jobs.pop(key, None)
            if job is None or job.cancelled() or (job.done() and job.exception() is not None):
                job = self._pool.submit(work)
            self._jobs[key] = job
            for old in list(self._jobs)[: -self._kept]:
                self._jobs.pop(old).cancel()  # nothing happens to what runs already
            return job

    def close(self) -> None:
        """Finish running jobs, and start no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)


MOST_WAYS = 5
MOST_GOALS = 30
"""Goals of a catalog that are planned for at once."""
MOST_SESSIONS = 200
"""Conversations that are looked through for agents, the last used first."""
_WAYS_S = 3.0
"""Seconds that looking for other ways may take, all in all."""


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A plan with the task it solves, as of the moment of planning; `states` are those before and after each step.

    There are no states where the plan cannot be replayed. `strips` is the PDDL without costs, where it has some.
    """

    record: PlanRecord
    task: Task
    states: tuple[frozenset[Atom], ...]
    pddl: Pddl
    strips: Pddl | None


@dataclass(frozen=True, slots=True)
class WaysToGoal:
    """The ways to the goal of a plan; where there is none, what would open one."""

    ways: Alternatives
    missing: Diagnosis | None = None


@dataclass(frozen=True, slots=True)
class Replays:
    """A session under several orchestrators, by name; `failed` says what was the trouble with those that failed."""

    found: dict[str, tuple[ReplayedChoice, ...]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


class Analyses:
    """Runs each analysis in the background; equal requests share a job."""

    def __init__(
        self,
        engine_of: Callable[[Conversation | None], tuple[Engine, Limits]],
        language: Callable[[], Language],
        allowed: Collection[str],
    ) -> None:
        """`engine_of` says what plans for a conversation, and for none; `allowed` is what endpoints may name."""
        self._engine_of = engine_of
        self._language = language
        self._allowed = allowed
        self._jobs = Jobs()
        self._answers = Jobs()  # what a click asks for does not queue behind plans

    def explanation(
        self, seen: Snapshot, question: Question, goal: StackedGoal | None = None
    ) -> Future[ExplanationText]:
        """Answer a question about the past, in a goal, without writing it down: the same text as in the chat."""
        language = self._language()
        planner = Planner(*self._engine_of(seen.conversation)) if question.kind in CONTRASTIVE else None
        return self._answers.compute(
            ("explanation", *position_of(seen), question, goal and goal.goal_id, language.label, planner),
            lambda: explain_in(seen.catalog, seen.conversation, question, goal, language, planner=planner),
        )

    def contrast(self, seen: Snapshot, restriction: Restriction) -> Future[ExplanationText]:
        """Tell what a plan for the goal being worked on, or else the latest one, would be like under a restriction."""
        language, planner = self._language(), Planner(*self._engine_of(seen.conversation))

        def compare() -> ExplanationText:
            record = record_of(seen.catalog, seen.conversation)
            found = contrast_in(record, restriction, planner, from_start=record.achieved)
            question = Question(QuestionKind.WHY_NOT, restriction.fact, skill=restriction.skill)
            compared = replace(record, contrasts=claim_contrasts(record, (found,)))
            return language.explain_in_words(compared, question)

        return self._answers.compute(("contrast", *position_of(seen), restriction, language.label, planner), compare)

    def summary(self, seen: Snapshot) -> Future[tuple[SummaryItem, ...]]:
        """List what the goal being worked on needs, or else the latest one; nothing if there has been none."""
        return self._answers.compute(
            ("summary", *position_of(seen)), lambda: summarize(record_of(seen.catalog, seen.conversation))
        )

    def needs(self, seen: Snapshot) -> Future[Needs]:
        """Find what the goal being worked on will still take: for certain, likely, and possibly."""
        return self._answers.compute(
            ("needs", *position_of(seen)), lambda: look_ahead(record_of(seen.catalog, seen.conversation))[1]
        )

    def task(self, seen: Snapshot, record: PlanRecord) -> Future[PlannedTask]:
        key = ("task", seen.session_id, seen.conversation.setup.digest, record.plan_id)
        return self._jobs.compute(key, lambda: planned_task(seen.catalog, seen.log, record))

    def landmarks(self, seen: Snapshot, record: PlanRecord) -> Future[Landmarks]:
        key = ("landmarks", *position_of(seen), record.plan.goal_id)
        return self._jobs.compute(key, lambda: landmarks_of(seen.catalog, seen.conversation, record))

    def ways(self, seen: Snapshot, record: PlanRecord) -> Future[WaysToGoal]:
        """Find other ways to the goal of a plan: from now on if it is being followed, else from where it was made."""
        engine, limits = self._engine_of(seen.conversation)
        bounds = replace(limits, time_s=min(limits.time_s, _WAYS_S))
        at = seen.conversation.seq if record.status == "current" else record.began
        key = ("ways", seen.session_id, seen.conversation.setup.digest, record.plan_id, at, engine.name, bounds)
        return self._jobs.compute(
            key, lambda: ways_of(seen.catalog, seen.log, seen.conversation, record, engine=engine, limits=bounds)
        )

    def outlook(
        self, loaded: Loaded, cannot_ask: tuple[str, ...] = (), declined: tuple[str, ...] = ()
    ) -> Future[dict[str, Outlook]]:
        """Plan for the goals of a catalog with nothing known; of very many, for the first ones."""
        engine, limits = self._engine_of(None)
        catalog = loaded.catalog

        def plan() -> dict[str, Outlook]:
            goals = list(catalog.goals.values())[:MOST_GOALS]
            return {
                goal.name: foresee(catalog, goal, cannot_ask, declined, engine=engine, limits=limits) for goal in goals
            }

        return self._jobs.compute(("outlook", loaded.digest, cannot_ask, declined, engine.name, limits), plan)

    def consents(self, loaded: Loaded) -> Future[dict[str, tuple[str, ...]]]:
        """List the consents that plans of a catalog may ask for, and the facts that each is about."""
        return self._jobs.compute(("consents", loaded.digest), lambda: list_consents(loaded.catalog))

    def suggestions(self, loaded: Loaded) -> Future[tuple[MappingSuggestion, ...]]:
        """Find facts that may be the same under two names."""
        return self._jobs.compute(("suggestions", loaded.digest), lambda: suggest_mappings(loaded.catalog))

    def compute(self, key: Hashable, work: Callable[[], _Result]) -> Future[_Result]:
        """Return the job of other work for a page. The key names everything that the result depends on."""
        return self._jobs.compute(key, work)

    def problems(self, loaded: Loaded) -> Future[tuple[Problem, ...]]:
        return self._jobs.compute(("problems", loaded.digest, loaded.file), lambda: check(loaded, self._allowed))

    def retold(self, stage: TransitionContext, digest: str, inquiry: Inquiry, trace: Trace) -> Future[Retold]:
        """Replay the conversation of an exploration with all its messages."""
        key = ("retold", digest, inquiry, trace)
        return self._jobs.compute(key, lambda: retell(stage, inquiry.known, trace))

    def with_agents(
        self, rows: Iterable[SessionRow], kinds_of: Callable[[str], Collection[str]]
    ) -> Future[tuple[SessionRow, ...]]:
        """Find the conversations in which agents were asked; `kinds_of` reads what kinds of events one holds."""
        listed = tuple(rows)[:MOST_SESSIONS]
        return self._jobs.compute(
            ("with agents", listed), lambda: tuple(row for row in listed if "chosen" in kinds_of(row.session_id))
        )

    def replays(
        self, key: Hashable, recorded: Sequence[Recorded], names: tuple[str, ...], options: OrchestratorOptions
    ) -> Future[Replays]:
        """Replay a session under several orchestrators. `key` names the session, and how far it has come."""
        moments, forced = [one.moment for one in recorded], [one.forced for one in recorded]

        def play() -> Replays:
            replays = Replays()
            for name in names:
                try:
                    replays.found[name] = replay_session(moments, ORCHESTRATORS[name](options), forced)
                except Exception as error:  # an orchestrator may be a user's
                    replays.failed[name] = describe_trouble(error)
            return replays

        return self._jobs.compute(("replays", key, names, options), play)

    def thresholds(
        self, key: Hashable, recorded: Sequence[Recorded], lessons: Log, options: OrchestratorOptions
    ) -> Future[dict[int, dict[str, float]]]:
        """Find the thresholds that held at each choice of a session, by the entry of the choice.

        `lessons` is the learner's stream; choices that do not follow from it, and from the options, are left out.
        """

        def look() -> dict[int, dict[str, float]]:
            found: dict[int, dict[str, float]] = {}
            for one in recorded:
                with suppress(Exception):  # an orchestrator may be a user's, and may be gone
                    orchestrator, moment = ORCHESTRATORS[one.orchestrator](options), one.moment
                    state = fold(orchestrator, lessons_of(lessons[: one.learned]).kept)
                    chosen = orchestrator.choose(
                        state, moment.event, moment.answers, one.forced, moment.choice.seed or 0
                    )
                    if chosen.verdicts == moment.choice.verdicts:
                        found[one.chosen] = thresholds_of(orchestrator, state, moment)
            return found

        return self._jobs.compute(("thresholds", key, options), look)

    def progress(
        self, key: Hashable, feedback: Sequence[Feedback], options: OrchestratorOptions
    ) -> Future[tuple[FeedbackMoment, ...]]:
        """Follow what was learned. `key` names the learner, and how far it has come."""

        def work() -> tuple[FeedbackMoment, ...]:
            start, *steps = (options.of(f"threshold.{name}") for name in ("start", "followed", "not_followed"))
            threshold = ThresholdOrchestrator(start=start, followed=steps[0], not_followed=steps[1])
            return progress_of(feedback, threshold=threshold)

        return self._jobs.compute(("progress", key, options.model_dump_json()), work)

    def close(self) -> None:
        """Finish running jobs, and start no more."""
        self._answers.close()
        self._jobs.close()


def position_of(seen: Snapshot) -> tuple[Hashable, ...]:
    """Return what computations on a conversation depend on: its last entry, its catalog then, and as it is loaded."""
    setup = seen.conversation.setup
    return seen.session_id, setup.catalog, setup.digest, seen.digest, seen.conversation.seq


def planned_task(catalog: Catalog, log: Log, record: PlanRecord) -> PlannedTask:
    """Rebuild the task that a plan was made for, from the log up to that moment, and replay the plan."""
    situation, wanted = as_one_goal(catalog, project(log[: record.began - 1]), record.goals)
    task = compile_task(catalog, situation, wanted)
    pddl = write_pddl(task, catalog=catalog)
    strips = write_pddl(task, costs=False, catalog=catalog) if pddl.costs else None
    return PlannedTask(record, task, replay(task, record), pddl, strips)


def replay(task: Task, record: PlanRecord) -> tuple[frozenset[Atom], ...]:
    """Return the state before the first step of a plan, and after each; nothing if it cannot be replayed."""
    named = {operator.name: operator for operator in task.operators}
    found = [named.get(step.operator) for step in record.plan.steps]
    steps = tuple(operator for operator in found if operator is not None)
    if len(steps) < len(found):
        return ()
    try:
        return list_states(task, Plan((*steps, *_choices(task, steps))))[: len(steps) + 1]
    except InvalidPlan:
        return ()


def _choices(task: Task, steps: tuple[Operator, ...]) -> list[Operator]:
    """List the choices among alternatives that a plan comes down to: they are no actions, and so not on record."""
    reached = task.initial.union(*(step.adds for step in steps))
    return [o for o in task.operators if o.kind is StepKind.CHOOSE and o.needs <= reached and o.adds & task.goal]


def landmarks_of(catalog: Catalog, conversation: Conversation, record: PlanRecord) -> Landmarks:
    goal = next((g for g in goals_of(conversation) if g.goal_id == record.plan.goal_id), None)
    if goal is None:
        return Landmarks()
    told = record_of(catalog, conversation, goal)
    return find_landmarks(compile_task(catalog, told.learned, told.wanted))


def ways_of(
    catalog: Catalog, log: Log, conversation: Conversation, record: PlanRecord, *, engine: Engine, limits: Limits
) -> WaysToGoal:
    """Find the ways to the goal of a plan.

    Questions that people cannot be asked are left out: a plan learns that by trying, but it need not be shown.
    """
    then = conversation if record.status == "current" else project(log[: record.began - 1])
    situation, wanted = as_one_goal(catalog, then, record.goals)
    vain = (operator_name(StepKind.ASK, fact.name) for fact in catalog.facts.values() if not fact.fillable)
    situation = replace(situation, pruned=situation.pruned.union(vain))
    found = find_ways(compile_task(catalog, situation, wanted), engine, MOST_WAYS, limits)
    return WaysToGoal(found, None if found.ways else diagnose(catalog, situation, wanted))
