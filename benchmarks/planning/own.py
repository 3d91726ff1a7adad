"""Measure our own side on one task: compiling, a turn with each engine, and landmarks.

A turn is what planning anew costs once the catalog is compiled: the task for what is known and ruled out now, the plan
(searched, tidied, ordered, replayed: `solve`), and the landmarks. Every turn comes after one in another situation, so
that nothing kept from the same situation helps; its parts are measured by themselves too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchmarks.planning.clock import clock
from benchmarks.planning.cold import make_arrays
from benchmarks.planning.generate import Shape, generate, generate_catalog
from benchmarks.planning.results import Sample
from planning.engines import ENGINES, Engine
from planning.engines.native import NativeEngine
from planning.landmarks import Landmarks, find_fact_landmarks, find_landmarks
from planning.model import Limits, PlanningResult, Situation, Solved, Task
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task

LIMITS = Limits(time_s=60.0)
EXACT = 1e-5
"""Gaps up to this are none: proofs hold up to rounding."""


@dataclass(frozen=True)
class Own:
    """An engine of ours to measure: up to which size, what its plans promise, and what is set beside the peers."""

    title: str
    promise: str
    engine: Engine | None
    largest: int = 1_000_000
    counted: str = "a whole turn, with landmarks"
    part: str | None = None


def find_engine(name: str) -> Engine | None:
    """Find an engine that can be used here."""
    engine = ENGINES.get(name)
    return engine if engine is not None and engine.package.is_installed else None


OWN: Mapping[str, Own] = {
    "fast": Own("`native`, setting `fast`", "a plan", NativeEngine(budget_ms=0)),
    "good": Own("`native`, setting `good`", "a plan", find_engine("native")),
    "shortest": Own("`pyperplan`, our engine around it", "a plan", find_engine("pyperplan"), 300),
    "optimal": Own("`optimal`", "a cheapest plan", find_engine("optimal"), counted="update and plan", part="plan"),
}


class Bench:
    """One question, compiled, and ready to be asked over and over."""

    def __init__(self, shape: Shape, seed: int) -> None:
        self.shape = shape
        self.seed = seed
        self.question = generate(shape, seed)
        self.operators = compile_operators(self.question.catalog)
        make_arrays(self.operators)
        self.other = replace(self.question.situation, known=frozenset(), pruned=frozenset())
        self.task = self.update(self.question.situation)

    def update(self, situation: Situation) -> Task:
        """Make the task of a situation."""
        return compile_task(self.question.catalog, situation, self.question.goal, self.operators)

    def elsewhere(self) -> None:
        """Be in another situation for a turn."""
        self.update(self.other)

    def anew(self) -> Task:
        """Make the task anew, after another."""
        self.elsewhere()
        return self.update(self.question.situation)

    def measure_parts(self) -> dict[str, float]:
        """Measure what does not depend on the engine."""
        compile_ms, _ = clock(lambda: generate_catalog(self.shape, self.seed), compile_operators)
        arrays_ms, _ = clock(lambda: compile_operators(self.question.catalog), make_arrays)
        update_ms, _ = clock(self.elsewhere, lambda _: self.update(self.question.situation))
        landmarks_ms, _ = clock(self.anew, find_landmarks)
        facts_ms, _ = clock(self.anew, find_fact_landmarks)
        parts = {"compile": compile_ms, "arrays": arrays_ms, "update": update_ms}
        return {**parts, "landmarks": landmarks_ms, "fact landmarks": facts_ms}

    def measure_engine(self, engine: Engine) -> Sample:
        """Measure an engine: a whole turn with landmarks, and its search and its plan alone."""
        solve_ms, result = clock(self.anew, lambda task: solve(task, engine, LIMITS))
        if not isinstance(result, Solved):
            return Sample(type(result).__name__, solve_ms, {"solve": solve_ms}, detail=getattr(result, "reason", ""))
        search_ms, _ = clock(self.anew, lambda task: engine.solve(task, LIMITS, lambda: False))
        plan_ms, _ = clock(self.elsewhere, lambda _: self.plan(engine))
        turn_ms, _ = clock(self.elsewhere, lambda _: self.turn(engine))
        parts = {"search": search_ms, "solve": solve_ms, "plan": plan_ms}
        late = engine.proves_optimality and not engine.ignores_costs and (result.gap is None or result.gap > EXACT)
        state = "time-out" if late else "solved"
        return Sample(state, turn_ms, parts, result.plan.cost, result.note, result.gap)

    def plan(self, engine: Engine) -> PlanningResult:
        """Plan anew, without landmarks."""
        return solve(self.update(self.question.situation), engine, LIMITS)

    def turn(self, engine: Engine) -> tuple[PlanningResult, Landmarks]:
        """Do what a turn does."""
        task = self.update(self.question.situation)
        result = solve(task, engine, LIMITS)
        return result, find_landmarks(task, result.plan if isinstance(result, Solved) else None)
