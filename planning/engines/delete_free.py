"""Cheap plans of a delete-free task, in one pass: h_add with best supporters, and a plan read off them.

h_add (Bonet and Geffner 2001, Planning as Heuristic Search) estimates what an atom costs as the cost of its
cheapest supporter plus the estimates of all that this needs. It counts twice what two needs share, and so may choose
wrongly; but what is read off the supporters, backward from the goal, is a plan: nothing is ever deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import inf

from catalog.analysis.horn import BARRED, UNREACHED, Closure
from planning.task.index import Arrays, IndexedTask, TaskPart, cut, find_dominated

NOBODY = -1
"""Supporter of an atom that has none, because it holds from the start or is out of reach."""


def begin(arrays: Arrays, initial: Iterable[int], ruled_out: Iterable[int]) -> tuple[list[float], list[int], list[int]]:
    """Return the initial state of a pass over a task: estimates, open needs, and the operators that are ready."""
    estimates = [inf] * len(arrays.users)
    open_needs = arrays.open_needs.copy()
    for operator in ruled_out:
        open_needs[operator] = BARRED
    ready = [operator for operator in arrays.free if not open_needs[operator]]
    for atom in initial:
        estimates[atom] = 0.0
        for operator in arrays.users[atom]:
            open_needs[operator] -= 1
            if not open_needs[operator]:
                ready.append(operator)
    return estimates, open_needs, ready


def find_supporters(
    arrays: Arrays,
    costs: Sequence[float],
    initial: Collection[int],
    goal: Collection[int],
    ruled_out: Collection[int] = (),
) -> list[int] | None:
    """Find the cheapest supporter of each atom by h_add, as far as the goal takes; None if that is out of reach.

    Atoms are settled cheapest first, in Dijkstra's order: so a supporter needs only atoms that were settled before what
    it supports, also where steps cost nothing. Of equals, the supporter that is ready first stays.
    """
    adds, users = arrays.adds, arrays.users
    estimates, open_needs, ready = begin(arrays, initial, ruled_out)
    supporters = [NOBODY] * len(users)
    totals = list(costs)
    missing = {atom for atom in goal if estimates[atom]}
    queue: list[tuple[float, int]] = []
    for operator in ready:
        total = totals[operator]
        for added in adds[operator]:
            if total < estimates[added]:
                estimates[added] = total
                supporters[added] = operator
                queue.append((total, added))
    heapify(queue)
    while missing and queue:
        estimate, atom = heappop(queue)
        if estimate > estimates[atom]:
            continue
        missing.discard(atom)
        for operator in users[atom]:
            totals[operator] += estimate
            open_needs[operator] -= 1
            if not open_needs[operator]:
                total = totals[operator]
                for added in adds[operator]:
                    if total < estimates[added]:
                        estimates[added] = total
                        supporters[added] = operator
                        heappush(queue, (total, added))
    if missing:
        return _support_in_breadth(arrays, initial, goal, ruled_out) if inf in totals else None
    return supporters


def _support_in_breadth(
    arrays: Arrays, initial: Iterable[int], goal: Iterable[int], ruled_out: Iterable[int]
) -> list[int] | None:
    """Find any supporters where estimates overflow: they may double with every step."""
    achievers = Closure(arrays, initial, ruled_out).achievers
    if any(achievers[atom] == UNREACHED for atom in goal):
        return None
    return [max(achiever, NOBODY) for achiever in achievers]


def extract(arrays: Arrays, supporters: Sequence[int], goal: Iterable[int]) -> list[int]:
    """Extract a plan from the supporters, backward from the goal; each operator follows those that support it."""
    needs = arrays.needs
    steps: list[int] = []
    entered: set[int] = set()
    left: set[int] = set()
    for wanted in goal:
        waiting = [supporters[wanted]]
        while waiting:
            operator = waiting[-1]
            if operator == NOBODY or operator in left:
                waiting.pop()
            elif operator in entered:
                waiting.pop()
                left.add(operator)
                steps.append(operator)
            else:
                entered.add(operator)
                waiting.extend([supporters[atom] for atom in needs[operator]])
    return steps


def find_tidy(
    arrays: Arrays,
    costs: Sequence[float],
    initial: Collection[int],
    goal: Sequence[int],
    ruled_out: Collection[int] = (),
    *,
    find_supporters: Callable[..., list[int] | None] = find_supporters,
) -> list[int] | None:
    """Find a plan by supporters, the cheapest by default, in one pass, with no step to spare; None if there is none."""
    supporters = find_supporters(arrays, costs, initial, goal, ruled_out)
    return None if supporters is None else tidy(arrays, initial, goal, extract(arrays, supporters, goal))


def find_first(task: IndexedTask) -> list[int] | None:
    """Find a plan for a task by cheapest supporters (`find_tidy`)."""
    return find_tidy(task.arrays, task.arrays.costs, task.initial, task.goal, task.ruled_out)


def tidy(arrays: Arrays, initial: Iterable[int], goal: Iterable[int], steps: list[int]) -> list[int]:
    """Drop steps that the others can do without, the dearest first, of equals the last; keep the order valid."""
    at_work = _find_at_work(arrays, initial, goal, steps)
    for step in sorted((step for step in reversed(steps) if step not in at_work), key=lambda step: -arrays.costs[step]):
        without = _put_in_order(arrays, initial, goal, [other for other in steps if other != step])
        steps = steps if without is None else without
    return steps


def _find_at_work(arrays: Arrays, initial: Iterable[int], goal: Iterable[int], steps: Sequence[int]) -> set[int]:
    """Find steps that are certainly needed: sole achievers of what the goal, or such a step, needs."""
    found: set[int] = set()
    adding: dict[int, list[int]] = {}
    for step in steps:
        for atom in arrays.adds[step]:
            adding.setdefault(atom, []).append(step)
    settled = set(initial)
    waiting = list(goal)
    while waiting:
        atom = waiting.pop()
        if atom in settled:
            continue
        settled.add(atom)
        if len(adding[atom]) == 1:
            found.add(adding[atom][0])
            waiting.extend(arrays.needs[adding[atom][0]])
    return found


def _put_in_order(arrays: Arrays, initial: Iterable[int], goal: Iterable[int], steps: list[int]) -> list[int] | None:
    """Put steps in an order in which they can be applied, without those that cannot; None if that misses the goal."""
    state = set(initial)
    ordered: list[int] = []
    while ready := [step for step in steps if state.issuperset(arrays.needs[step])]:
        for step in ready:
            state.update(arrays.adds[step])
        ordered += ready
        steps = [step for step in steps if step not in ready]
    return ordered if state.issuperset(goal) else None


ROUNDING = 1e-9
"""Sums of the same costs in another order may differ by this much."""


def narrow(
    arrays: Arrays,
    initial: Collection[int],
    goal: Sequence[int],
    ruled_out: Iterable[int],
    plan: Collection[int],
    *,
    also: Sequence[float] | None = None,
    kept: Collection[int] = (),
) -> TaskPart:
    """Keep the operators that may be in a plan no dearer than a known one, which must have no step to spare.

    Every plan with an operator in it costs at least what leads up to that by its dearest chain of needs (h_max), and
    what the cheapest chain from it to the goal costs: both chains are in the plan, and have no step in common. Of what
    is left, operators go that another one can stand for at no more cost, and effects that lead nowhere. The steps of
    the known plan always stay, and so do those that are to be `kept`. `also` is what operators take besides, if the one
    to stand for another is not to take more of that either.
    """
    most = sum(arrays.costs[step] for step in plan) * (1 + ROUNDING) + ROUNDING
    leading = _lead_up(arrays, initial, ruled_out, most)
    within, relevant = _lead_on(arrays, leading, initial, goal, most)
    takes = (arrays.costs,) if also is None else (arrays.costs, also)
    dominated = find_dominated(arrays, within, relevant, takes, frozenset(plan).union(kept))
    return cut(arrays, [operator for operator in within if operator not in dominated], relevant, goal)


def _lead_up(arrays: Arrays, initial: Collection[int], ruled_out: Iterable[int], most: float) -> list[float]:
    """Return for each operator a lower bound on the cost up to and including it; infinite above `most`."""
    adds, users, costs = arrays.adds, arrays.users, arrays.costs
    estimates, open_needs, ready = begin(arrays, initial, ruled_out)
    leading = [inf] * len(costs)
    queue: list[tuple[float, int]] = []
    for operator in ready:
        total = leading[operator] = costs[operator]
        for added in adds[operator]:
            if total < estimates[added]:
                estimates[added] = total
                queue.append((total, added))
    heapify(queue)
    while queue:
        estimate, atom = heappop(queue)
        if estimate > most:
            break
        if estimate > estimates[atom]:
            continue
        for operator in users[atom]:
            open_needs[operator] -= 1
            if not open_needs[operator]:
                total = leading[operator] = estimate + costs[operator]
                for added in adds[operator]:
                    if total < estimates[added]:
                        estimates[added] = total
                        heappush(queue, (total, added))
    return leading


def _lead_on(
    arrays: Arrays, leading: list[float], initial: Collection[int], goal: Sequence[int], most: float
) -> tuple[list[int], frozenset[int]]:
    """Regress from the goal, cheapest chains first; return the operators within the bound, and the atoms visited."""
    needs, achievers, costs = arrays.needs, arrays.achievers, arrays.costs
    kept: set[int] = set()
    settled = set(initial)
    relevant: set[int] = set()
    queue = [(0.0, atom) for atom in goal]
    heapify(queue)
    while queue:
        rest, atom = heappop(queue)
        if atom in settled:
            continue
        settled.add(atom)
        relevant.add(atom)
        for operator in achievers[atom]:
            if operator not in kept and leading[operator] + rest <= most:
                kept.add(operator)
                total = rest + costs[operator]
                for need in needs[operator]:
                    if need not in settled:
                        heappush(queue, (total, need))
    return sorted(kept), frozenset(relevant)


UNAVOIDABLE = float("inf")


class PlanImprovement:
    """A plan on its way to a cheaper one: `steps` is always a plan, in a valid order and with no step to spare.

    `gains` counts the replacements that paid; `proved` says that no plan is cheaper.
    """

    def __init__(
        self,
        arrays: Arrays,
        initial: Collection[int],
        goal: Sequence[int],
        ruled_out: Collection[int],
        steps: Sequence[int],
    ) -> None:
        self.steps = list(steps)
        self.gains = 0
        self.proved: bool = False
        self._tried: dict[int, float] = {}
        self._origin: list[int] = list(range(len(arrays.costs)))
        self._narrow(narrow(arrays, initial, goal, ruled_out, self.steps), self.steps)

    @property
    def narrowed(self) -> TaskPart:
        """The task as far as the plan so far narrows it; its operators come from the task at the beginning."""
        return TaskPart(self._task.arrays, self._task.goal, self._origin)

    def share(self) -> None:
        """Try another plan, for which an operator is the cheaper the more others can use what it adds.

        This finds what pays only together, which no replacement of a single step does.
        """
        arrays = self._task.arrays
        uses = [max((len(arrays.users[atom]) for atom in added), default=1) for added in arrays.adds]
        costs = [cost / max(1, used) for cost, used in zip(arrays.costs, uses, strict=True)]
        self.accept_if_cheaper(self._plan_with(costs))

    def run(self, tick: Callable[[], None]) -> None:
        """Improve until no replacement of a single step pays; `tick` may stop it before any try, by raising."""
        if not self.proved:
            tick()
            self.share()
        while not self.proved:
            tick()
            step = self._choose()
            if step is None:
                return
            self._tried[self._origin[step]] = self.gains
            found = self._replace(step)
            if not found:
                self._tried[self._origin[step]] = UNAVOIDABLE
                self.proved = all(self._tried.get(self._origin[other]) == UNAVOIDABLE for other in self._plan)
            else:
                self.accept_if_cheaper(found)

    def _choose(self) -> int | None:
        """Choose the step to replace: what was not tried since the last gain; longest ago first, then the dearest."""
        costs = self._task.arrays.costs
        left = [step for step in self._plan if self._tried.get(self._origin[step], -1) < self.gains]
        return min(left, key=lambda step: (self._tried.get(self._origin[step], -1), -costs[step]), default=None)

    def _replace(self, step: int) -> list[int]:
        """Make a plan without a step, for which what the rest of the plan does anyway costs nothing; empty if none."""
        arrays, goal = self._task.arrays, self._task.goal
        costs = arrays.costs.copy()
        for other in _find_kept(arrays, goal, self._plan, step):
            costs[other] = 0.0
        for other in self._plan:
            if self._tried.get(self._origin[other]) == UNAVOIDABLE:
                costs[other] = 0.0
        return self._plan_with(costs, step)

    def _plan_with(self, costs: Sequence[float], *ruled_out: int) -> list[int]:
        arrays, goal = self._task.arrays, self._task.goal
        return find_tidy(arrays, costs, (), goal, ruled_out) or []

    def accept_if_cheaper(self, found: list[int]) -> None:
        """Take a plan of the narrowed task, if it is cheaper."""
        if self._cost(found) < self._cost(self._plan) - ROUNDING:
            self.gains += 1
            self._narrow(narrow(self._task.arrays, (), self._task.goal, (), found), found)
            self.steps = [self._origin[step] for step in self._plan]

    def _narrow(self, task: TaskPart, plan: Sequence[int]) -> None:
        place = {operator: number for number, operator in enumerate(task.origin)}
        self._task = task
        self._plan = [place[step] for step in plan]
        self._origin = [self._origin[operator] for operator in task.origin]
        self.proved = len(self._plan) == len(self._origin)

    def _cost(self, steps: Sequence[int]) -> float:
        return sum(self._task.arrays.costs[step] for step in steps)


def _find_kept(arrays: Arrays, goal: Sequence[int], plan: Sequence[int], step: int) -> set[int]:
    """Find the steps that a plan would also have without a certain step: not those that only support it."""
    support: dict[int, int] = {}
    for other in plan:
        for atom in arrays.adds[other]:
            support.setdefault(atom, other)
    kept: set[int] = {step}
    waiting = [support[atom] for atom in goal]
    while waiting:
        other = waiting.pop()
        if other not in kept:
            kept.add(other)
            waiting.extend([support[atom] for atom in arrays.needs[other]])
    return kept - {step}
