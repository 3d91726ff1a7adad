"""Interface of planning engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from planning.engines.package import Package
from planning.model import Limits, PlanningResult, Task

Cancelled = Callable[[], bool]
"""Asked again and again during a search: true means that nobody waits for its result any more."""


class Engine(Protocol):
    """Solves a task: a plan, a proof that there is none, or giving up at a limit, and never an exception for those.

    The same task gives the same plan, in every process. An engine may hand in its plan in any order that is valid.
    """

    @property
    def name(self) -> str:
        """Name the engine, as in the registry."""
        ...

    @property
    def package(self) -> Package:
        """Return the package that provides the engine, and so whether it is installed."""
        ...

    @property
    def ignores_costs(self) -> bool:
        """Whether every step counts the same to it, whatever its cost."""
        ...

    @property
    def proves_optimality(self) -> bool:
        """Whether it goes on until no plan is cheaper (or shorter, if it ignores costs), its limits permitting."""
        ...

    @property
    def heeds_budget(self) -> bool:
        """Whether it looks for plans that stay within the budget of a task."""
        ...

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Search for a plan; `seconds` of the result holds `search`. Raise `NotInstalled` if its package is missing."""
        ...
