"""The task as a mathematical program for HiGHS (Huangfu and Hall 2018): which operators are in a cheapest plan.

A binary variable for each operator says whether it is in the plan. For each need of a chosen operator, and for each
goal atom, an operator that adds it must be chosen too (`list_requirements`). This alone would allow cycles of needs. If
the chosen operators do not reach the goal, rows are added that every plan satisfies and this choice violates: every
plan has one of the operators that apply in the reached state and lead further, and an operator that needs an atom of a
cycle requires one that enters the cycle.

Of operators that add one atom alone, a plan without a step to spare has at most one. So where they need the same, their
shares in a relaxation count together: if half of each is chosen, all of what both need is. That holds also for what
they need only in the end, because all ways to what they need lead through it: their common landmarks (Zhu and Givan
2003). Without such rows the shares thin out with each alternative, and on long plans the bound means nothing.

The linear relaxation bounds the cost of every plan from below, and its reduced costs show which operators no cheaper
plan can have, or do without (reduced cost fixing).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

import numpy as np
from highspy import Highs, HighsLp, HighsModelStatus, HighsVarType, MatrixFormat, SolutionStatus, cb, kHighsInf
from numpy.typing import NDArray

from catalog.analysis.horn import Closure
from planning.engines.search import OutOfTime, Stopped, Watch
from planning.landmarks import NO_WAY, CommonMarks
from planning.task.index import Arrays
from planning.task.spending import ROUNDING, Allowance

Numbers = NDArray[np.float64]
CLOSE = 1e-6
"""Numeric tolerance of HiGHS."""
MOMENT_S = 0.001
"""Seconds that are not worth beginning with."""
FEASIBLE = SolutionStatus.kSolutionStatusFeasible
OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "mip_rel_gap": 0.0,
    "mip_feasibility_tolerance": 1e-9,  # costs have up to nine digits, and each of them counts
    "mip_heuristic_run_feasibility_jump": False,  # takes longer than these programs do
    "mip_detect_symmetry": False,
    "mip_allow_restart": False,
}


class Requirement(NamedTuple):
    """An atom without which no plan has any of some operators, and of these a plan needs at most one.

    Where no operators are named, every plan makes the atom true.
    """

    atom: int
    operators: tuple[int, ...] = ()


def list_requirements(arrays: Arrays, goal: Sequence[int]) -> list[Requirement]:
    """List what is required in a task in which nothing holds at the start; each need of each operator is among it."""
    leading = arrays.regress(tuple(goal))
    atoms = list(dict.fromkeys([atom for operator in leading.clauses for atom in arrays.adds[operator]]))
    mark = {atom: 1 << place for place, atom in enumerate(atoms)}
    own = [sum([mark.get(atom, 0) for atom in added]) for added in arrays.adds]
    common = CommonMarks(arrays, (), (), own)
    common.look_at(leading)

    def list_nearest(marks: int) -> list[int]:
        """List the atoms that are marked, but for those that all ways to another of them lead through."""
        nearest = []
        while marks:
            atom = atoms[marks.bit_length() - 1]  # nothing that leads to it comes later
            nearest.append(atom)
            marks &= ~(common.at[atom] | mark[atom])
        return nearest

    required = [Requirement(atom) for atom in list_nearest(reduce(or_, [common.at[atom] for atom in goal], 0))]
    required += [Requirement(atom) for atom in goal]
    for operators in _group(arrays):
        needing: dict[int, list[int]] = {}
        for operator in operators:
            for atom in arrays.needs[operator]:
                needing.setdefault(atom, []).append(operator)
        required += [Requirement(atom, tuple(some)) for atom, some in needing.items()]
        shared = reduce(and_, [common.leading_to(operator) for operator in operators], NO_WAY)
        if len(operators) > 1 and shared != NO_WAY:
            nearest = [atom for atom in list_nearest(shared) if len(needing.get(atom, ())) < len(operators)]
            required += [Requirement(atom, tuple(operators)) for atom in nearest]
    return list(dict.fromkeys(required))


def _group(arrays: Arrays) -> list[list[int]]:
    """Group the operators that add the same atom and nothing else; any other is by itself."""
    groups: dict[int, list[int]] = {}
    for operator, added in enumerate(arrays.adds):
        is_alone = len(added) != 1 or added[0] in arrays.needs[operator]
        groups.setdefault(~operator if is_alone else added[0], []).append(operator)
    return list(groups.values())


class Infeasible(Exception):
    """No choice of operators satisfies the program: no plan costs less than it was cut off at."""


@dataclass(frozen=True, slots=True)
class Relaxed:
    """The solution of the linear relaxation: a bound on cost, a share of each operator, and what more would cost."""

    bound: float
    values: Numbers
    reduced_costs: Numbers


class _Look:
    """Callback that checks the limits while HiGHS works; exceptions must not pass through HiGHS, so they are kept.

    It holds no reference to the program: HiGHS keeps the callback where the garbage collector does not see it.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.stopped: BaseException | None = None

    def __call__(self, *told: Any) -> None:
        try:
            self._watch.tick()
        except (Stopped, MemoryError) as stop:
            self.stopped = stop
            told[3].user_interrupt = True


class IntegerProgram:
    """The integer program of a task in which nothing holds at the start, with a row for each allowance."""

    def __init__(
        self,
        arrays: Arrays,
        goal: Sequence[int],
        watch: Watch,
        allowances: Iterable[Allowance] = (),
    ) -> None:
        self.arrays = arrays
        self.goal = goal
        self._width = len(arrays.costs)
        self._columns = np.arange(self._width, dtype=np.int32)
        self._watch = watch
        self._look = _Look(watch)
        self._cut_off = False
        self._highs = Highs()  # type: ignore[no-untyped-call]
        for option, value in OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.passModel(self._write(allowances))
        self._highs.setCallback(self._look, None)
        self._highs.startCallback(cb.HighsCallbackType.kCallbackSimplexInterrupt)
        self._highs.startCallback(cb.HighsCallbackType.kCallbackMipInterrupt)

    def relax(self) -> Relaxed:
        self._highs.setOptionValue("presolve", "off")  # takes longer than the simplex here
        self._highs.setOptionValue("solver", "simplex")
        self._run()
        solution = self._highs.getSolution()
        bound = self._highs.getInfo().objective_function_value
        return Relaxed(bound, np.array(solution.col_value), np.array(solution.col_dual))

    def cut_off(self, relaxed: Relaxed, most: float) -> None:
        """Admit only plans that cost at most so much, and fix the operators that this bound decides."""
        spare = most - relaxed.bound + CLOSE
        least = np.where(relaxed.reduced_costs < -spare, 1.0, 0.0)
        greatest = np.where(relaxed.reduced_costs > spare, 0.0, 1.0)
        self._highs.changeColsBounds(self._width, self._columns, least, greatest)
        kinds = np.full(self._width, HighsVarType.kInteger)
        self._highs.changeColsIntegrality(self._width, self._columns, kinds)
        self._cut_off = True
        self._highs.addRow(-kHighsInf, most, self._width, self._columns, np.array(self.arrays.costs))
        self._highs.setOptionValue("presolve", "choose")
        self._highs.setOptionValue("solver", "choose")

    def choose(self, off: float) -> list[int]:
        """Return the operators of a cheapest plan, or of one that costs less than `off` more."""
        self._highs.setOptionValue("mip_abs_gap", off)
        while True:
            self._run()
            chosen, reached = self._read()
            if reached.issuperset(self.goal):
                return chosen
            self._forbid(chosen, reached)

    def interrupted(self) -> list[int]:
        """Return the best choice that was found before the time was up; empty if there was none."""
        if not self._cut_off or self._highs.getInfo().primal_solution_status != FEASIBLE:
            return []
        chosen, reached = self._read()
        return chosen if reached.issuperset(self.goal) else []

    def _read(self) -> tuple[list[int], set[int]]:
        values = self._highs.getSolution().col_value
        chosen = [operator for operator in range(self._width) if values[operator] > 0.5]
        return chosen, Closure(self.arrays, barred=set(range(self._width)).difference(chosen)).reached

    @property
    def bound(self) -> float:
        """Return the bound on the cost of every plan that integers have proved so far."""
        bound: float = self._highs.getInfo().mip_dual_bound
        return bound if self._cut_off and abs(bound) < kHighsInf else 0.0

    def _write(self, allowances: Iterable[Allowance]) -> HighsLp:
        arrays = self.arrays
        starts, columns, values, least = [0], [], [], []
        for atom, operators in list_requirements(arrays, self.goal):
            others = [other for other in arrays.achievers[atom] if other not in operators]
            columns += others
            columns += operators
            values += [1.0] * len(others)
            values += [-1.0] * len(operators)
            starts.append(len(columns))
            least.append(0.0 if operators else 1.0)
        most = [kHighsInf] * len(least)
        for allowance in allowances:
            columns += range(self._width)
            values += allowance.money
            starts.append(len(columns))
            least.append(-kHighsInf)
            most.append(allowance.budget + ROUNDING)
        program = HighsLp()
        program.num_col_, program.num_row_ = self._width, len(least)
        program.col_cost_ = np.array(arrays.costs)
        program.col_lower_, program.col_upper_ = np.zeros(self._width), np.ones(self._width)
        program.row_lower_, program.row_upper_ = np.array(least), np.array(most)
        program.a_matrix_.format_ = MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(starts, dtype=np.int32)
        program.a_matrix_.index_ = np.array(columns, dtype=np.int32)
        program.a_matrix_.value_ = np.array(values)
        return program

    def _run(self) -> None:
        status = HighsModelStatus.kTimeLimit
        while status == HighsModelStatus.kTimeLimit:
            # HiGHS counts from its first run; it looks at the time more often than it lets us look at anything.
            given = self._watch.left()
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + given)
            self._highs.run()
            if self._look.stopped is not None:
                raise self._look.stopped
            status = self._highs.getModelStatus()
            # A relaxation goes on; integers begin anew, which is worth it where they got little of the time.
            worth = given / 2 if self._cut_off else MOMENT_S
            if status == HighsModelStatus.kTimeLimit and self._watch.left() < max(worth, MOMENT_S):
                raise OutOfTime(self._watch.say_time())
        if status == HighsModelStatus.kInfeasible:
            raise Infeasible
        if status != HighsModelStatus.kOptimal:
            raise Stopped(f"HiGHS could not solve the program of the task: {self._highs.modelStatusToString(status)}.")

    def _forbid(self, chosen: Collection[int], reached: set[int]) -> None:
        """Add rows that rule out a choice which does not reach the goal, and that every plan satisfies."""
        needs, adds = self.arrays.needs, self.arrays.adds
        further = [
            operator
            for operator in range(self._width)
            if reached.issuperset(needs[operator]) and not reached.issuperset(adds[operator])
        ]
        self._add_row(further, None)
        idle = [operator for operator in chosen if not reached.issuperset(needs[operator])]
        circle = {atom for operator in idle for atom in adds[operator] if atom not in reached}
        entering = [
            operator
            for operator in range(self._width)
            if not circle.isdisjoint(adds[operator]) and circle.isdisjoint(needs[operator])
        ]
        for operator in idle:  # each needs something of the circle: what adds it is chosen, and idle as well
            self._add_row(entering, operator)

    def _add_row(self, some_of: Sequence[int], needed_by: int | None) -> None:
        """Require one of some operators in every plan, or in every plan with a certain operator."""
        columns, values = list(some_of), [1.0] * len(some_of)
        if needed_by is not None:
            columns.append(needed_by)
            values.append(-1.0)
        least = 1.0 if needed_by is None else 0.0
        self._highs.addRow(least, kHighsInf, len(columns), np.array(columns, dtype=np.int32), np.array(values))
