"""Plans of an export: that one is a plan, what it costs, that nothing is cheaper, that there is no way.

A task never takes anything away: what holds, stays. So what can be reached at all is found by applying what can be
applied until nothing is new, and a plan has at least one of some operators if without all of them the goal is not
reached. Such a set is a cut. Each cut has a weight, and no operator costs less than the weights of the cuts that it is
in: so whatever a plan has of each cut, it costs at least the sum of all weights. Nothing is searched for here.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from .entries import Entries, Json, Wrong, demand, list_mentioned, list_names

CLOSE = 1e-6
"""Sums of the same numbers in another order may differ by this share."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a plan may have as a step: what has to hold for it, what holds after it, and what it takes."""

    name: str
    needs: frozenset[str]
    adds: frozenset[str]
    cost: float
    listed: float
    """What the catalog lists as its cost, which need not be what plans are made cheap in."""
    money: float

    @classmethod
    def read(cls, one: Json) -> Action:
        cost, listed, money = (_number(one[name]) for name in ("cost", "listed", "money"))
        return cls(one["name"], frozenset(one["needs"]), frozenset(one["adds"]), cost, listed, money)


def _number(found: Any) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float)) or found < 0:
        raise Wrong(None, f"{found!r} is a cost, expected a number that is not negative")
    return float(found)


@dataclass(frozen=True, slots=True)
class PlanTask:
    """What a plan was made for at an entry: what may be done, what held then, and what is wanted."""

    seq: int
    operators: tuple[Action, ...]
    initial: frozenset[str]
    goal: frozenset[str]

    def close(self, without: Collection[str] = ()) -> set[str]:
        """Return all that can be reached without some of the operators."""
        reached, left = set(self.initial), [one for one in self.operators if one.name not in without]
        while ready := [one for one in left if one.needs <= reached]:
            left = [one for one in left if not one.needs <= reached]
            reached.update(*(one.adds for one in ready))
        return reached


def check_plan(export: Json, entries: Entries, plan: Json) -> str:
    """Check what is claimed of one planning; return what is proved. Raises `Wrong`."""
    seq = plan["entry"]
    event = entries.at(seq, "planned")
    for name in ("plan_id", "status"):
        demand(seq, f"the {name}", plan[name], event[name])
    if any(place < 0 for place in plan["operators"]):
        raise Wrong(seq, "its task has an operator that is not in the list")
    operators = tuple(Action.read(export["operators"][place]) for place in plan["operators"])
    task = PlanTask(seq, operators, frozenset(plan["initial"]), frozenset(plan["goal"]))
    _check_initial(entries, task)
    if event["status"] == "unsolvable":
        return _check_no_way(task, plan)
    (cost, money), budget = _replay(task, plan["steps"], event), plan["budget"]
    if budget is not None and money > budget * (1 + CLOSE) + CLOSE:
        raise Wrong(seq, f"it takes {money:g} in money, and the budget is {budget:g}")
    above = cost - _check_cuts(task, plan["cuts"])
    minimized = "" if abs(cost - event["cost"]) <= CLOSE * max(1.0, cost) else f" ({cost:g} by what was minimized)"
    said = f"a plan of {len(event['steps'])} steps, cost {event['cost']:g}{minimized}"
    if plan["claim"] == "nothing cheaper":
        if above > CLOSE * max(1.0, cost):
            raise Wrong(seq, f"the cuts leave room for a plan that costs {above:g} less, and nothing is said to")
        return f"{said}; nothing cheaper, by {len(plan['cuts'])} cuts"
    _demand_close(seq, "what it costs above the cheapest at most", above, plan["above"])
    whatever = "" if budget is None else " at any price in money"
    return f"{said}; at most {above:g} above the cheapest{whatever}, by {len(plan['cuts'])} cuts"


def _check_initial(entries: Entries, task: PlanTask) -> None:
    """Check that a task begins with what was there before its entry, and with all that was known then."""
    seq, mentioned = task.seq, task.goal.union(*(one.needs | one.adds for one in task.operators))
    known = entries.known(seq - 1)
    for fact in known:
        if f"known:{fact}" in mentioned - task.initial:
            raise Wrong(seq, f"{fact!r} was known then, and its task begins without it")
    requests = [e["request"] or {"values": []} for n, e in entries.all("goal_pushed") if n < seq]
    said = [one["fact"] for request in requests for one in list_mentioned(request)]
    told = {"authorized": "authorized", "confirmed": "confirmed", "done": "ran"}
    for predicate, subject in (atom.split(":", 1) for atom in task.initial):
        if predicate == "known" and not any(entries.stands_for(fact, subject) for fact in [*known, *said]):
            raise Wrong(seq, f"its task begins with {subject!r}, which was not known then")
        before = (e.get("skill", e.get("subject")) for n, e in entries.all(told.get(predicate, "-")) if n < seq)
        if predicate in told and subject.split("\u241f", maxsplit=1)[0] not in before:
            raise Wrong(seq, f"its task begins with {predicate} {subject!r}, of which no entry before it tells")


def _replay(task: PlanTask, names: list[str], event: Json) -> tuple[float, float]:
    """Check that the steps lead to the goal and cost what is said; return what was minimized, and the money."""
    seq, state, steps = task.seq, set(task.initial), []
    named = {one.name: one for one in task.operators}
    recorded = [step_name(step) for step in event["steps"]]
    demand(seq, "the steps of the plan", recorded, [name for name in names if not name.startswith("choose")])
    for place, name in enumerate(names, start=1):
        if name not in named:
            raise Wrong(seq, f"step {place} is {name!r}, which its task does not have")
        if lacking := named[name].needs - state:
            raise Wrong(seq, f"step {place} ({name!r}) needs {list_names(lacking)}, which does not hold then")
        state |= named[name].adds
        steps.append(named[name])
    if lacking := task.goal - state:
        raise Wrong(seq, f"its steps do not lead to {list_names(lacking)}")
    for name, kept in zip(recorded, event["steps"], strict=True):
        _demand_close(seq, f"the cost of {name!r}", named[name].listed, kept["cost"])
    amounts, listed, money = event["amounts"] or {}, fsum(one.listed for one in steps), fsum(one.money for one in steps)
    _demand_close(seq, "the cost of the plan", listed, event["cost"])
    _demand_close(seq, "the cost among its amounts", listed, amounts.get("cost", 0.0))
    _demand_close(seq, "the money", money, amounts.get("money", 0.0))
    return fsum(one.cost for one in steps), money


def _check_cuts(task: PlanTask, cuts: list[Json]) -> float:
    """Check each cut and the weights of all; return what they prove that every plan costs at least."""
    weights: dict[str, list[float]] = {one.name: [] for one in task.operators}
    for cut in cuts:
        if task.close(cut["operators"]) >= task.goal:
            raise Wrong(task.seq, f"a plan can do without {list_names(cut['operators'])}, which is said to be a cut")
        for name in set(cut["operators"]):
            weights[name].append(_number(cut["weight"]))
    for one in task.operators:
        weighs = fsum(weights[one.name])
        if weighs > one.cost + CLOSE * max(1.0, one.cost):
            raise Wrong(task.seq, f"the cuts with {one.name!r} weigh {weighs:g}, and it costs {one.cost:g}")
    return fsum(_number(cut["weight"]) for cut in cuts)


def _check_no_way(task: PlanTask, plan: Json) -> str:
    """Check that the closure is one and misses the goal, or that whatever reaches it takes more than the budget."""
    if plan["closure"] is None:
        priced = replace(task, operators=tuple(replace(one, cost=one.money) for one in task.operators))
        bound = _check_cuts(priced, plan["cuts"])
        if plan["budget"] is None or bound <= plan["budget"]:
            raise Wrong(task.seq, f"every plan takes at least {bound:g} in money, which the budget allows")
        return f"no way within the budget of {plan['budget']:g}: every plan takes at least {bound:g}"
    closure = set(plan["closure"])
    if lacking := task.initial - closure:
        raise Wrong(task.seq, f"{list_names(lacking)} holds at first, and is not in what is said to be reachable")
    for one in task.operators:
        if one.needs <= closure and (lacking := one.adds - closure):
            raise Wrong(task.seq, f"{one.name!r} reaches {list_names(lacking)}, which is said to be out of reach")
    if closure >= task.goal:
        raise Wrong(task.seq, "all that is wanted is within reach, and it is said that there is no way")
    return f"no way: what can be reached ({len(closure)} atoms) does not hold {list_names(task.goal - closure)}"


def step_name(step: Json) -> str:
    """Name the operator of a recorded step: its kind, its subject, and the way in which it is taken."""
    way = step["inputs"][0] if step["kind"] == "map" else step["mode"]
    return "\u241f".join(filter(None, (step["kind"], step["subject"], way, step["outcome"])))


def _demand_close(seq: int, what: str, expected: float, found: Any) -> None:
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise Wrong(seq, f"{what} is {found!r}, expected a number")
    if abs(expected - found) > CLOSE * max(1.0, abs(expected)):
        raise Wrong(seq, f"{what} is {found:g}, expected {expected:g}")
