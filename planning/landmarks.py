"""Find the landmarks of a task: exactly those facts and operators that no plan can do without, and their orders.

A landmark is in every plan, so in whichever plan is at hand: what that one needs, adds and applies are the only
candidates. Each gets a mark on the operators that need, add or are it, and one fixpoint finds out which marks no way to
the goal goes without (`planning/landmarks.py`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from itertools import chain
from operator import or_

from catalog.analysis.horn import GIVEN, GoalSupport, regress
from planning.model import Atom, Operator, Plan, Task
from planning.task.index import Arrays, IndexedTask, Operators, index_task, keep_operators

Order = tuple[Atom, Atom]


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Landmarks of a task's goal, in an order in which they can come true; empty where the goal cannot be reached.

    `atoms` are all fact landmarks: a plan without one of them does not exist. `orders` holds (a, b) where in every plan
    a is true before b becomes true (natural orders, transitively closed); `direct` those of them that do not follow
    from others, which are the edges of a graph worth drawing; `necessary` those where a is true right before b first is
    (greedy-necessary).

    `causal` are the landmarks that every plan needs, as goal or for an operator. The others come along: each way to the
    goal happens to make them true (a plot beside the pie chart that was asked for). Summaries speak of causal ones.
    Atoms that hold from the start are landmarks only where they are causal: that they hold says nothing otherwise.

    `actions` are all action landmarks: operators that are in every plan, in an order in which they can be applied;
    `action_orders` holds (i, j) where the i-th of them is applied before the j-th in every plan, and `direct_actions`
    those of them that do not follow from others.

    `disjunctive` are sets of atoms of which every plan makes at least one true, though no particular one, and none of
    which holds from the start. They are all true, but not all there are (`planning/landmarks.py`).
    """

    atoms: tuple[Atom, ...] = ()
    direct: frozenset[Order] = frozenset()
    causal: frozenset[Atom] = frozenset()
    necessary: frozenset[Order] = frozenset()
    actions: tuple[Operator, ...] = ()
    direct_actions: frozenset[tuple[int, int]] = frozenset()
    disjunctive: tuple[tuple[Atom, ...], ...] = ()

    @property
    def orders(self) -> frozenset[Order]:
        """List all orders: on a long plan they are as many as the square of its length."""
        place = {atom: number for number, atom in enumerate(self.atoms)}
        direct = [(place[first], place[then]) for first, then in self.direct]
        return frozenset([(self.atoms[first], self.atoms[then]) for first, then in _close(len(place), direct)])

    @property
    def action_orders(self) -> frozenset[tuple[int, int]]:
        return frozenset(_close(len(self.actions), self.direct_actions))


LARGEST = 4
"""Facts in a set: a choice among more says nothing useful."""
MOST = 12

Numbers = frozenset[int]
Pair = tuple[int, int]


def _close(count: int, direct: Iterable[Pair]) -> Iterator[Pair]:
    """Yield every order that follows from direct ones of so many things, each of which is before later things only."""
    before: list[list[int]] = [[] for _ in range(count)]
    for first, then in direct:
        before[then].append(first)
    firsts: list[set[int]] = []
    for then in range(count):
        firsts.append(set(before[then]).union(*[firsts[first] for first in before[then]]))
        yield from ((first, then) for first in firsts[then])


class Marks:
    """A mark for each atom that some plan needs, each that it makes true, or each of its steps: bits of an integer.

    Whatever is in every plan is in this one: no other marks are called for. Every operator that needs, adds or is what
    a mark stands for has it (`on`).
    """

    def __init__(self, arrays: Arrays, steps: Collection[int]) -> None:
        self.on = [0] * len(arrays.needs)
        self._arrays = arrays
        self._steps = steps
        self._next = 1

    def mark_added(self, initial: Collection[int]) -> dict[int, int]:
        """Mark the operators that make an atom true which does not hold from the start; return each atom's mark."""
        adds, achievers = self._arrays.adds, self._arrays.achievers
        added = dict.fromkeys([atom for step in self._steps for atom in adds[step] if atom not in initial])
        return self._mark([(atom, achievers[atom]) for atom in added])

    def mark_needed(self, goal: Iterable[int]) -> dict[int, int]:
        """Mark the operators that need an atom; the goal is needed as if by a last step, which is no operator."""
        needs, users = self._arrays.needs, self._arrays.users
        needed = dict.fromkeys([*goal, *[atom for step in self._steps for atom in needs[step]]])
        return self._mark([(atom, users[atom]) for atom in needed])

    def mark_applied(self) -> dict[int, int]:
        return self._mark([(step, (step,)) for step in self._steps])

    def _mark(self, bearers: Iterable[tuple[int, Sequence[int]]]) -> dict[int, int]:
        on, mark = self.on, self._next
        marks: dict[int, int] = {}
        for one, operators in bearers:
            marks[one] = mark
            for operator in operators:
                on[operator] |= mark
            mark <<= 1
        self._next = mark
        return marks


NO_WAY = -1
"""The set of all possible marks: the intersection over no ways at all."""


class CommonMarks:
    """The marks common to all ways to the examined atoms (`at`), by the number of the atom.

    Only operators that can lead to these atoms are processed, each after its preconditions, so that most is settled in
    one pass; only what changes afterwards, because preconditions form cycles, is processed again.
    """

    def __init__(
        self, arrays: Arrays, initial: Iterable[int], ruled_out: Collection[int], marks: Sequence[int]
    ) -> None:
        self.at = [NO_WAY] * len(arrays.users)
        self._arrays = arrays
        self._marks = marks
        self._ruled_out = ruled_out
        for atom in initial:
            self.at[atom] = 0

    def leading_to(self, operator: int) -> int:
        """Return what is common to all ways to what an operator needs; those atoms must have been looked at."""
        marks = 0
        for atom in self._arrays.needs[operator]:
            marks |= self.at[atom]
        return marks

    def look_at(self, leading: GoalSupport) -> None:
        """Find what is common to all ways to a goal and to all atoms on the way."""
        again = self._look_once(leading.clauses, leading.late)
        while again:
            left = again.intersection(leading.place).difference(self._ruled_out)
            again = self._look_once(sorted(left, key=leading.place.__getitem__), None)

    def _look_once(self, operators: Sequence[int], late: Collection[int] | None) -> set[int]:
        """Look at operators in turn; return those that need an atom that changed (a `late` one, if these are given)."""
        at, own, ruled_out = self.at, self._marks, self._ruled_out
        needs, adds, users = self._arrays.needs, self._arrays.adds, self._arrays.users
        again: set[int] = set()
        for operator in operators:
            again.discard(operator)
            marks = own[operator]
            for atom in needs[operator]:
                marks |= at[atom]
            if marks != NO_WAY and operator not in ruled_out:
                for atom in adds[operator]:
                    before = at[atom]
                    fewer = before & marks
                    if fewer != before:
                        at[atom] = fewer
                        if late is None or atom in late:
                            again.update(users[atom])
        return again


def find_landmarks(task: Task, plan: Plan | None = None) -> Landmarks:
    """Find all fact and action landmarks of a task's goal with their orders, and some disjunctive ones.

    A valid plan, if there is one at hand, spares looking for one; it makes no difference to what is found. A budget is
    not heeded: with one, there may be more landmarks than these.
    """
    operators = keep_operators(task.operators)
    if plan is not None:
        return _LandmarkSearch(task, operators, [operators.named[step.name] for step in plan.steps]).write()
    indexed = index_task(task)
    steps = None if indexed is None else _find_steps(indexed)
    return Landmarks() if steps is None else _LandmarkSearch(task, operators, steps).write()


def find_fact_landmarks(task: Task) -> frozenset[Atom]:
    """Find only what every plan has to make true: the atoms of `find_landmarks` that do not hold, at less than half."""
    indexed = index_task(task)
    steps = None if indexed is None else _find_steps(indexed)
    if indexed is None or steps is None:
        return frozenset()
    arrays, atoms, initial = indexed.arrays, indexed.operators.atoms, frozenset(indexed.initial)
    marks = Marks(arrays, steps)
    added = marks.mark_added(initial)
    common = CommonMarks(arrays, initial, indexed.ruled_out, marks.on)
    common.look_at(arrays.regress(tuple(indexed.goal)))
    every = reduce(or_, [common.at[atom] for atom in indexed.goal], 0)
    return frozenset([atoms[atom] for atom, mark in added.items() if mark & every])


def _find_steps(task: IndexedTask) -> list[int] | None:
    """Find the steps of some plan, each after what it needs; None if there is none."""
    closure, needs = task.close(), task.arrays.needs
    if not closure.has(task.goal):
        return None
    steps: dict[int, None] = {}
    waiting = [closure.achievers[atom] for atom in reversed(task.goal)]
    entered: set[int] = set()
    while waiting:
        step = waiting[-1]
        if step == GIVEN or step in entered:
            waiting.pop()
            if step != GIVEN:
                steps[step] = None
        else:
            entered.add(step)
            waiting += [closure.achievers[atom] for atom in reversed(needs[step])]
    return list(steps)


class _LandmarkSearch:
    """The landmarks of a task, as numbers.

    `gained` are the fact landmarks that have to be made true, `held` those that are needed and hold from the start,
    each with its mark. `actions` are the action landmarks, with their marks. `needing` are the marks of everything
    that is needed.
    """

    def __init__(self, task: Task, operators: Operators, steps: Sequence[int]) -> None:
        self.operators = operators
        self.arrays = operators.arrays
        number = operators.number
        goal = sorted([number[atom] for atom in task.goal if atom in number])
        self.idle = sorted(task.goal - number.keys())
        self.initial = frozenset([number[atom] for atom in task.initial if atom in number])
        self.marks = Marks(self.arrays, steps)
        needed, applied = self.marks.mark_needed(goal), self.marks.mark_applied()
        added = self.marks.mark_added(self.initial)
        self.needing = sum(needed.values())
        leading = self.arrays.regress(tuple([atom for atom in goal if atom not in self.initial]))
        self.common = CommonMarks(self.arrays, self.initial, operators.ruled_out, self.marks.on)
        self.common.look_at(leading)
        every = reduce(or_, [self.common.at[atom] | needed[atom] for atom in goal], 0)
        causal = {atom: mark for atom, mark in needed.items() if mark & every}
        self.causal = list(causal)
        self.held = {atom: mark for atom, mark in causal.items() if atom in self.initial}
        self.gained = {atom: mark for atom, mark in added.items() if mark & every}
        self.actions = {step: mark for step, mark in applied.items() if mark & every}
        if aside := self.gained.keys() - set(leading.atoms):
            beside = regress(self.arrays, sorted(aside), given=frozenset(leading.atoms), barred=leading.clauses)
            self.common.look_at(beside)

    def write(self) -> Landmarks:
        whole, atoms = self.operators.whole, self.operators.whole.atoms
        able = {atom: self._list_achievers((atom,)) for atom in self.gained}
        firsts = {
            atom: [achiever for achiever, leading in able[atom].items() if not leading & mark]
            for atom, mark in self.gained.items()
        }
        orders = _reduce(self._order_facts(able), {**self.held, **self.gained})
        action_orders = _reduce({then: self.common.leading_to(then) for then in self.actions}, self.actions)
        actions = _sort(sorted(self.actions), action_orders)
        place = {action: number for number, action in enumerate(actions)}
        mentions = {atom: next(iter(able[atom])) for atom in self.gained}
        adds = self.arrays.adds
        gained = sorted(mentions, key=lambda atom: (mentions[atom], adds[mentions[atom]].index(atom)))
        ordered = _sort([*sorted(self.held, key=atoms.__getitem__), *gained], orders)
        barred = self.initial.union(self.gained, whole.beside_facts)
        sources = [firsts[atom] for atom in reversed(ordered) if atom in firsts]
        disjunctive = find_disjunctive(self.arrays.needs, sources, self._list_achievers, barred)
        return Landmarks(
            atoms=(*self.idle, *[atoms[atom] for atom in ordered]),
            direct=frozenset([(atoms[first], atoms[then]) for first, then in orders]),
            causal=frozenset([*self.idle, *[atoms[atom] for atom in self.causal]]),
            necessary=frozenset([(atoms[first], atoms[then]) for first, then in self._list_necessary(firsts)]),
            actions=tuple([whole.at(action) for action in actions]),
            direct_actions=frozenset([(place[first], place[then]) for first, then in action_orders]),
            disjunctive=tuple([tuple([atoms[atom] for atom in sorted(chosen)]) for chosen in disjunctive]),
        )

    def _order_facts(self, able: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
        """Mark what comes before facts: what all ways to all achievers of each have in common.

        Of what holds from the start, that is what is needed; of the rest, what is made true.
        """
        on, needing = self.marks.on, self.needing
        before = {}
        for then, leadings in able.items():
            marks = NO_WAY
            for achiever, leading in leadings.items():
                marks &= leading | on[achiever] & needing
            before[then] = marks
        return before

    def _list_necessary(self, firsts: Mapping[int, Sequence[int]]) -> list[Pair]:
        """List what is true right before an atom first is: what all its first achievers need."""
        needs = self.arrays.needs
        shared = [
            (then, set(needs[able[0]]).intersection(*[needs[other] for other in able])) for then, able in firsts.items()
        ]
        return [(first, then) for then, common in shared for first in common]

    def _list_achievers(self, atoms: Iterable[int]) -> dict[int, int]:
        """List the operators that can make one of some atoms true, with what is common to all ways to them.

        The atoms must have been looked at, or there are no such operators.
        """
        at, ruled_out = self.common.at, self.operators.ruled_out
        needs, achievers = self.arrays.needs, self.arrays.achievers
        able: dict[int, int] = {}
        for atom in atoms:
            for achiever in achievers[atom]:
                if achiever not in ruled_out:
                    leading = 0
                    for need in needs[achiever]:
                        leading |= at[need]
                    if leading != NO_WAY:
                        able[achiever] = leading
        return able


def _reduce(before: Mapping[int, int], marks: Mapping[int, int]) -> list[Pair]:
    """List the orders that do not follow from others, from the marks of all that comes before each.

    Nothing comes before what has an earlier mark: marks are set in the order of a plan.
    """
    items = {mark.bit_length(): item for item, mark in marks.items()}
    every = sum(marks.values())
    direct = []
    for then, firsts in before.items():
        left = firsts & every
        while left:  # what comes last of those that are left has nothing between
            last = items[left.bit_length()]
            direct.append((last, then))
            left &= ~(before.get(last, 0) | marks[last])
    return direct


def _sort(items: Sequence[int], orders: Collection[Pair]) -> list[int]:
    """Sort topologically; where the orders leave a choice, as the items come."""
    if not orders:
        return list(items)
    place = {item: number for number, item in enumerate(items)}
    open_orders = [0] * len(items)
    after: list[list[int]] = [[] for _ in items]
    for first, then in orders:
        open_orders[place[then]] += 1
        after[place[first]].append(place[then])
    ready = [number for number, waits in enumerate(open_orders) if not waits]  # a heap, being sorted
    ordered = []
    while ready:
        first = heappop(ready)
        ordered.append(items[first])
        for then in after[first]:
            open_orders[then] -= 1
            if not open_orders[then]:
                heappush(ready, then)
    return ordered


def find_disjunctive(
    needs: Sequence[Sequence[int]],
    first_achievers: Iterable[Collection[int]],
    list_achievers: Callable[[Numbers], Collection[int]],
    barred: Numbers,
) -> list[Numbers]:
    """Find sets from the first achievers of landmarks, then from those of what was found; barred atoms are in none."""
    found: dict[Numbers, None] = {}
    waiting = deque(first_achievers)
    while waiting and len(found) < MOST:
        rows = {needs[operator] for operator in waiting.popleft()}
        if any(map(barred.issuperset, rows)):
            continue
        for chosen in _choose([[atom for atom in row if atom not in barred] for row in rows]):
            if chosen not in found:
                found[chosen] = None
                waiting.append([able for able in list_achievers(chosen) if chosen.isdisjoint(needs[able])])
    return [chosen for chosen in found if not any(other < chosen for other in found)][:MOST]


def _choose(rows: Sequence[Sequence[int]]) -> list[Numbers]:
    """Choose sets with an atom in each row and none to spare, small ones first, and no atom in two of them."""
    sets: list[Numbers] = []
    while all(rows):
        chosen = _hit(rows)
        if len(chosen) > LARGEST:
            break
        sets.append(chosen)
        rows = [[atom for atom in row if atom not in chosen] for row in rows]
    return sets


def _hit(rows: Sequence[Sequence[int]]) -> Numbers:
    """Choose an atom of each row, of the shortest rows first, each time that which serves most; then drop the spare."""
    served = Counter(chain.from_iterable(rows))
    chosen: dict[int, None] = {}
    for row in sorted(rows, key=len):
        if chosen.keys().isdisjoint(row):
            chosen[min(row, key=lambda atom: (-served[atom], atom))] = None
    for atom in [*chosen]:
        if all(len(chosen.keys() & row) > 1 for row in rows if atom in row):
            del chosen[atom]
    return frozenset(chosen)
