"""Requests to the planner from outside, one or many, and the JSON that answers them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from catalog.model import Catalog, Goal
from catalog.model.settings import Metric
from planning.diagnosis.diagnose import Diagnosis, diagnose
from planning.diagnosis.model import write_diagnosis
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine
from planning.likelihoods import DECLARED, Likelihoods
from planning.model import (
    NO_NEEDS,
    Amounts,
    GaveUp,
    Limits,
    Needs,
    Operator,
    Plan,
    PlanGoal,
    PlanningResult,
    Situation,
    Solved,
    StepKind,
    Task,
    Unsolvable,
    operator_name,
)
from planning.needs import find_needs
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.task.compilation import ask_operator, compile_operators, compile_task, want
from planning.task.errors import BadRequest, UnknownName, quote
from planning.task.names import fact_names, fact_or_goal

STATUS: dict[type[PlanningResult], str] = {Solved: "solved", Unsolvable: "unsolvable", GaveUp: "gave_up"}
NOTHING_MISSING = Diagnosis()
LONGEST_LINE = 1_000_000


class PlanningRequest(BaseModel):
    """A planning problem: the goal, the facts known at the start, and the facts that the user cannot be asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    goal: list[str] = Field(min_length=1, description="Facts, or goals of the catalog by name; all of them.")
    known: list[str] = []
    cannot_ask: list[str] = []
    minimize: Metric | None = Field(default=None, description="What to make the plan cheap in; else the catalog says.")
    budget: Annotated[float, Field(ge=0)] | None = Field(
        default=None, description="Money that the plan may take at most; else the catalog says."
    )


@dataclass(frozen=True, slots=True)
class PlanningAnswer:
    """The result of planning, with a diagnosis if there is no plan."""

    result: PlanningResult
    diagnosis: Diagnosis = NOTHING_MISSING


def plan_request(
    catalog: Catalog,
    request: PlanningRequest,
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    operators: Sequence[Operator] | None = None,
    *,
    likelihoods: Likelihoods = DECLARED,
) -> PlanningAnswer:
    """Plan for one request; for many, pass `operators` that were made once by `compile_operators(catalog)`."""
    began = perf_counter()
    if request.minimize not in (None, catalog.settings.minimize):
        operators = None  # these are weighed by the catalog's own metric
    task, situation, goal = compile_request(catalog, request, operators, likelihoods)
    compiled = perf_counter() - began
    result = solve(task, engine, limits)
    result = replace(result, seconds={"compile": compiled, **result.seconds})
    if not isinstance(result, Unsolvable):
        return PlanningAnswer(result)
    return PlanningAnswer(result, diagnose(catalog, situation, goal, operators))


def compile_request(
    catalog: Catalog,
    request: PlanningRequest,
    operators: Sequence[Operator] | None = None,
    likelihoods: Likelihoods = DECLARED,
) -> tuple[Task, Situation, PlanGoal]:
    goal = resolve_goal(catalog, request.goal)
    unaskable = fact_names(catalog, request.cannot_ask)
    situation = Situation(
        known=frozenset(fact_names(catalog, request.known)),
        pruned=frozenset(ask_operator(catalog, fact).name for fact in unaskable),
        minimize=request.minimize,
        budget=request.budget,
        likelihoods=likelihoods,
    )
    return compile_task(catalog, situation, goal, operators), situation, goal


def resolve_goal(catalog: Catalog, names: Iterable[str]) -> PlanGoal:
    """Turn names and aliases of facts or of the catalog's goals into what is wanted.

    A fact comes before a goal of its name.
    """
    found = [fact_or_goal(catalog, name) for name in names]
    wanted = [PlanGoal(facts=(name,)) if kind == "facts" else want(catalog.goals[name]) for kind, name in found]
    return PlanGoal(
        facts=tuple(dict.fromkeys(fact for one in wanted for fact in one.facts)),
        skills=tuple(dict.fromkeys(skill for one in wanted for skill in one.skills)),
        goals=tuple(dict.fromkeys(goal for one in wanted for goal in one.goals)),
    )


def read_request(line: str) -> PlanningRequest:
    if len(line) > LONGEST_LINE:
        raise BadRequest(f"The request is {len(line)} characters long; at most {LONGEST_LINE} are read. Split it.")
    try:
        return PlanningRequest.model_validate_json(line)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_context=False, include_input=False)[0]
        place = "".join(f" at {quote(str(part))}" for part in first["loc"])
        raise BadRequest(
            f"This is no request{place}: {first['msg']}. "
            'Write one object a line, such as {"goal": ["a_fact"], "known": [], "cannot_ask": []}.'
        ) from None


def plan_requests(
    catalog: Catalog,
    lines: Iterable[str],
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    likelihoods: Likelihoods = DECLARED,
) -> Iterator[dict[str, JsonValue]]:
    """Plan for one request a line, the catalog compiled once; a bad line answers with `error` and its number."""
    operators = compile_operators(catalog, likelihoods=likelihoods)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield result_json(
                plan_request(catalog, read_request(line), engine, limits, operators, likelihoods=likelihoods)
            )
        except (BadRequest, UnknownName) as fault:
            yield {"error": str(fault), "line": number}


def result_json(answer: PlanningAnswer) -> dict[str, JsonValue]:
    """Write an answer as JSON: the form that `planglass plan --json` prints."""
    result, diagnosis = answer.result, answer.diagnosis
    plan = result.plan if isinstance(result, Solved) else Plan(())
    written: dict[str, JsonValue] = {
        "status": STATUS[type(result)],
        "steps": [step_json(step) for step in plan.actions],
        "cost": plan.amounts.cost if isinstance(result, Solved) else None,
        "amounts": amounts_json(plan.amounts) if isinstance(result, Solved) else None,
        "gap": result.gap if isinstance(result, Solved) else None,
        "engine": result.engine,
        "seconds": dict(result.seconds),
        "missing": write_diagnosis(diagnosis),
        "note": result.note,
    }
    if isinstance(result, Solved) and result.counts_likelihoods:
        written |= likelihoods_json(plan)
    if isinstance(result, GaveUp):
        written["reason"] = result.reason
    return written


def likelihoods_json(plan: Plan) -> dict[str, JsonValue]:
    """Write what a plan costs with likelihoods and without, and the calls that they were counted from if they were."""
    written: dict[str, JsonValue] = {
        "cost_with_likelihoods": plan.cost,
        "cost_without_likelihoods": plan.hopeful_cost,
    }
    return written if plan.observed is None else {**written, "counted_from_calls": plan.observed}


def amounts_json(amounts: Amounts) -> dict[str, JsonValue]:
    return {
        "cost": amounts.cost,
        "money": amounts.money,
        "time_s": amounts.time_s,
        "quality": amounts.quality,
    }


def step_json(step: Operator) -> dict[str, JsonValue]:
    """Write a step as JSON; mode and outcome only for a skill."""
    written: dict[str, JsonValue] = {
        "kind": step.kind.value,
        "name": step.subject,
        "inputs": list(step.inputs),
        "outputs": list(step.outputs),
    }
    if step.mode is not None:
        written |= {"mode": step.mode, "outcome": step.outcome}
    return written


@dataclass(frozen=True, slots=True)
class Outlook:
    """The outlook of a goal: a plan, or else a diagnosis, or neither where the planner gave up.

    `needs` tell what of the plan every way to the goal takes, and what other ways might take.
    """

    plan: Plan | None
    diagnosis: Diagnosis = NOTHING_MISSING
    needs: Needs = NO_NEEDS

    def pick(self, kind: StepKind) -> tuple[Operator, ...]:
        return () if self.plan is None else tuple(step for step in self.plan.steps if step.kind is kind)


def foresee(
    catalog: Catalog,
    goal: Goal,
    cannot_ask: Collection[str] = (),
    declined: Collection[str] = (),
    *,
    engine: Engine = ENGINES[DEFAULT_ENGINE],
    limits: Limits = DEFAULT_LIMITS,
) -> Outlook:
    """Plan for a goal with nothing known, if some facts cannot be asked for and some consents are declined.

    What slot filling cannot ask for is left out at once: a conversation would find that out before anything else.
    """
    barred = [fact.name for fact in catalog.facts.values() if fact.askable and not fact.fillable]
    situation = Situation(
        pruned=frozenset(
            (
                *(ask_operator(catalog, fact).name for fact in (*barred, *cannot_ask)),
                *(operator_name(StepKind.AUTHORIZE, subject) for subject in declined),
            )
        )
    )
    wanted = want(goal)
    result = solve(compile_task(catalog, situation, wanted), engine, limits)
    if isinstance(result, Solved):
        return Outlook(result.plan, needs=find_needs(catalog, situation, wanted, result.plan.actions))
    return Outlook(None, diagnose(catalog, situation, wanted))


def list_consents(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    return {
        operator.subject: operator.sensitive
        for operator in compile_task(catalog, Situation(), ()).operators
        if operator.kind is StepKind.AUTHORIZE
    }
