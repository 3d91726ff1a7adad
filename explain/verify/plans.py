"""Plans of an export: that one is a plan, what it costs, that nothing is cheaper, that there is no way.

A task never takes anything away: what holds, stays. So what can be reached at all is found by applying what can be
applied until nothing is new, and a plan has at least one of some operators if without all of them the goal is not
reached. Such a set is a cut. Each cut has a weight, and no operator costs less than the weights of the cuts that it is
in: so whatever a plan has of each cut, it costs at least the sum of all weights. Nothing is searched for here.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from .chain import Json, Wrong
from .entries import Entries, list_meant, list_names

CLOSE = 1e-6
"""Sums of the same numbers in another order may differ by this share."""
TOLD_BY = {"authorized": "authorized", "confirmed": "confirmed", "done": "ran"}
"""Which entries tell that something holds besides what is known."""


def check_plan(entries: Entries, plans: list[Json], seq: int) -> str:
    """Check what is claimed of one planning; return what is proved, or nothing where it says why that is not.

    Raises `Wrong`.
    """
    event, plan = entries.at(seq, "planned"), next((one for one in plans if one["entry"] == seq), None)
    if plan is None:
        raise Wrong(seq, "it plans something, and nothing is claimed of that")
    if "unproved" in plan:
        return ""
    _check_initial(entries, plan)
    if event["status"] == "unsolvable":
        if lacking := set(plan["goal"]) - _close(plan["initial"], plan["operators"].values()):
            return f"no way: what can be reached does not hold {list_names(lacking)}"
        raise Wrong(seq, "it is said that there is no way, and all that is wanted can be reached")
    bound = _sum_cuts(plan)
    above = _replay(plan, event) - bound
    _demand_close(seq, "what it costs above the cheapest at most", above, plan["above"])
    said = "nothing cheaper" if above <= CLOSE * max(1, bound) else f"at most {above:g} above the cheapest"
    return f"a plan of {len(event['steps'])} steps, cost {event['cost']:g}; {said}, by {len(plan['cuts'])} cuts"


def _check_initial(entries: Entries, plan: Json) -> None:
    """Check that a task begins with what was there before its entry, and with all that was known then."""
    seq, initial, known = plan["entry"], set(plan["initial"]), entries.known(plan["entry"])
    mentioned = set(plan["goal"]).union(*(one["needs"] + one["adds"] for one in plan["operators"].values()))
    if lacking := {f"known:{fact}" for fact in known} & mentioned - initial:
        raise Wrong(seq, f"its task begins without {list_names(lacking)}, which was known then")
    requests = [e["request"] for _, e in entries.all("goal_pushed", before=seq) if e["request"]]
    said = {kind for one in requests for value in list_meant(one) for kind in entries.kinds.get(value["fact"], ())}
    for atom in initial:
        predicate, subject = atom.split(":", 1)
        told = {e.get("skill", e.get("subject")) for _, e in entries.all(TOLD_BY.get(predicate, "-"), before=seq)}
        told = said | entries.there(seq) if predicate == "known" else told
        if predicate in ("known", *TOLD_BY) and subject.split(SIGN)[0] not in told:
            raise Wrong(seq, f"its task begins with {predicate} {subject!r}, of which no entry before it tells")


def _close(initial: Iterable[str], operators: Iterable[Json]) -> set[str]:
    """Return all that can be reached by some operators."""
    reached, left = set(initial), list(operators)
    while ready := [one for one in left if reached.issuperset(one["needs"])]:
        left = [one for one in left if not reached.issuperset(one["needs"])]
        reached.update(*(one["adds"] for one in ready))
    return reached


def _replay(plan: Json, event: Json) -> float:
    """Check that the steps lead to the goal and cost what is said; return the sum of what was minimized."""
    seq, state, steps = plan["entry"], set(plan["initial"]), []
    for place, kept in enumerate(event["steps"], start=1):
        one = plan["operators"].get(step_name(kept))
        lacking = set(one["needs"]) - state if one else {"an operator of its task"}
        if lacking or not one:
            raise Wrong(seq, f"step {place} needs {list_names(lacking)}, which there is not")
        _demand_close(seq, f"the cost of step {place}", one["listed"], kept["cost"])
        state.update(one["adds"])
        steps.append(one)
    choices = [one for name, one in plan["operators"].items() if name.startswith("choose") and not one["cost"]]
    if lacking := set(plan["goal"]) - _close(state, choices):  # which of its alternatives is taken is no step
        raise Wrong(seq, f"its steps do not lead to {list_names(lacking)}")
    cost, listed, money = (fsum(one[what] for one in steps) for what in ("cost", "listed", "money"))
    _demand_close(seq, "the cost of the plan", listed, event["cost"])
    _demand_close(seq, "the money among its amounts", money, (event["amounts"] or {"money": 0})["money"])
    if plan["budget"] is not None and money > plan["budget"] + CLOSE * max(1, plan["budget"]):
        raise Wrong(seq, f"it takes {money:g} in money, and the budget is {plan['budget']:g}")
    return cost


def _sum_cuts(plan: Json) -> float:
    """Check that each cut is one, and that no operator takes less than its cuts weigh; return what all weigh."""
    seq, operators = plan["entry"], plan["operators"]
    for cut in plan["cuts"]:
        left = [one for name, one in operators.items() if name not in cut["operators"]]
        if cut["weight"] < 0 or _close(plan["initial"], left).issuperset(plan["goal"]):
            raise Wrong(seq, f"a plan can do without {list_names(cut['operators'])}, which is said to be a cut")
    for name, one in operators.items():
        weighs, takes = fsum(cut["weight"] for cut in plan["cuts"] if name in cut["operators"]), one["cost"]
        if takes < 0 or weighs > takes + CLOSE * max(1, takes):
            raise Wrong(seq, f"the cuts with {name!r} weigh {weighs:g}, and it takes {takes:g}")
    return fsum(cut["weight"] for cut in plan["cuts"])


def step_name(step: Json) -> str:
    """Name the operator of a recorded step: its kind, its subject, and the way in which it is taken."""
    way = step["inputs"][0] if step["kind"] == "map" else step["mode"]
    return SIGN.join(filter(None, (step["kind"], step["subject"], way, step["outcome"])))


SIGN = "\u241f"
"""What stands between the parts of a name."""


def _demand_close(seq: int, what: str, expected: float, found: float) -> None:
    if not abs(expected - found) <= CLOSE * max(1, abs(expected)):
        raise Wrong(seq, f"{what} is {found:g}, expected {expected:g}")
