"""Definite Horn clauses in integers: forward closure, and goal regression.

What a catalog allows is such a set of clauses (`catalog/analysis/dependencies.py`), and so are the operators of a
planning task, which never deletes anything (`planning/task/index.py`). What can be reached from here, and what
leads to a goal, is answered by this module for both: a clause becomes applicable when all atoms that it needs hold, and
then makes the atoms true that it adds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

Lists = Sequence[Sequence[int]]

GIVEN = -1
"""Achiever of an atom that holds without any clause."""
UNREACHED = -2
"""Achiever of an atom that is not reached."""
BARRED = -1
"""Open needs of a clause that must not be applied: counting down from here, they never come to zero."""
NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses by their place, atoms by their number.

    `users` are the clauses that need an atom, `achievers` those that add it, `free` those that need nothing;
    `open_needs` counts the needs of each clause.
    """

    needs: list[tuple[int, ...]]
    adds: list[tuple[int, ...]]
    users: list[list[int]]
    achievers: list[list[int]]
    open_needs: list[int]
    free: list[int]


def link(needs: list[tuple[int, ...]], adds: list[tuple[int, ...]], atoms: int) -> Clauses:
    users: list[list[int]] = [[] for _ in range(atoms)]
    achievers: list[list[int]] = [[] for _ in range(atoms)]
    for place, needed in enumerate(needs):
        for atom in needed:
            users[atom].append(place)
    for place, added in enumerate(adds):
        for atom in added:
            achievers[atom].append(place)
    free = [place for place, needed in enumerate(needs) if not needed]
    return Clauses(needs, adds, users, achievers, list(map(len, needs)), free)


class Closure:
    """The forward closure: all atoms that can be reached from given ones, in time linear in the clauses.

    `achievers` names for each atom the clause that first added it, or `GIVEN`, or `UNREACHED`. An achiever needs only
    atoms that were reached before: so what is read off the achievers, backward from a goal, is a plan. `open_needs`
    counts the needs that each clause still waits for; one whose count is zero was applied.

    Barred clauses can be allowed later, and more atoms can be given. The closure then grows by what follows from that,
    and by no more work than this takes.
    """

    __slots__ = ("_clauses", "achievers", "open_needs")

    def __init__(self, clauses: Clauses, given: Iterable[int] = (), barred: Iterable[int] = ()) -> None:
        self._clauses = clauses
        self.achievers = [UNREACHED] * len(clauses.users)
        self.open_needs = open_needs = clauses.open_needs.copy()
        for clause in barred:
            open_needs[clause] = BARRED
        self._apply([*[clause for clause in clauses.free if not open_needs[clause]], *self._make_true(given)])

    def copy(self) -> Closure:
        copied = object.__new__(Closure)
        copied._clauses, copied.achievers, copied.open_needs = (
            self._clauses,
            self.achievers.copy(),
            self.open_needs.copy(),
        )
        return copied

    def give(self, atoms: Iterable[int]) -> None:
        """Make atoms true, and everything that follows."""
        self._apply(self._make_true(atoms))

    def allow(self, clauses: Iterable[int]) -> None:
        for clause in clauses:
            missing = sum(self.achievers[atom] == UNREACHED for atom in self._clauses.needs[clause])
            self.open_needs[clause] = missing
            if not missing:
                self._apply([clause])

    def has(self, atoms: Iterable[int]) -> bool:
        achievers = self.achievers
        return all(achievers[atom] != UNREACHED for atom in atoms)

    @property
    def reached(self) -> set[int]:
        return {atom for atom, achiever in enumerate(self.achievers) if achiever != UNREACHED}

    def _make_true(self, atoms: Iterable[int]) -> list[int]:
        """Make atoms true; list the clauses that become applicable by that."""
        achievers, open_needs, users = self.achievers, self.open_needs, self._clauses.users
        ready = []
        for atom in atoms:
            if achievers[atom] == UNREACHED:
                achievers[atom] = GIVEN
                for user in users[atom]:
                    open_needs[user] -= 1
                    if not open_needs[user]:
                        ready.append(user)
        return ready

    def _apply(self, ready: list[int]) -> None:
        """Apply clauses, and in breadth all that become applicable."""
        achievers, open_needs = self.achievers, self.open_needs
        adds, users = self._clauses.adds, self._clauses.users
        for clause in ready:
            for atom in adds[clause]:
                if achievers[atom] == UNREACHED:
                    achievers[atom] = clause
                    for user in users[atom]:
                        open_needs[user] -= 1
                        if not open_needs[user]:
                            ready.append(user)


@dataclass(frozen=True)
class GoalSupport:
    """Everything that can lead to a goal: clauses, each after those that lead to its needs, and atoms on the way.

    The atoms come in the order in which depth-first search enters them: those of the goal in turn, and after each one
    what the clauses that add it need.
    """

    clauses: tuple[int, ...]
    atoms: tuple[int, ...]
    _needs: Lists = field(repr=False, compare=False)
    _adds: Lists = field(repr=False, compare=False)

    @cached_property
    def place(self) -> dict[int, int]:
        """Map each clause to its place in the order."""
        return {clause: place for place, clause in enumerate(self.clauses)}

    @cached_property
    def late(self) -> frozenset[int]:
        """Collect the atoms that a clause needs which comes before one that adds them.

        There are some only where needs run in circles, so that not every clause can come after all those it waits for.
        """
        used: set[int] = set()
        late: set[int] = set()
        for clause in self.clauses:
            used.update(self._needs[clause])
            late.update(used.intersection(self._adds[clause]))
        return frozenset(late)


def regress(
    clauses: Clauses,
    goal: Sequence[int],
    *,
    given: Collection[int] = NONE,
    barred: Iterable[int] = NONE,
    needs: Lists | None = None,
) -> GoalSupport:
    """Go back from a goal to all that can lead there, depth first, in time linear in that.

    The search ends at atoms that are `given`, and leaves out clauses that are `barred`. `needs` replaces the needs of
    the clauses, where more (or less) than these is to count as leading to the goal.
    """
    needs = clauses.needs if needs is None else needs
    achievers = clauses.achievers
    listed: list[int] = []
    entered: dict[int, None] = {}
    seen = set(barred)
    stack = list(reversed(goal))
    while stack:
        top = stack.pop()
        if top < 0:  # the complement of a clause, which stands below its needs
            listed.append(~top)
        elif top not in entered and top not in given:
            entered[top] = None
            for clause in reversed(achievers[top]):
                if clause not in seen:
                    seen.add(clause)
                    stack.append(~clause)
                    stack += reversed(needs[clause])
    return GoalSupport(tuple(listed), tuple(entered), needs, clauses.adds)
