"""Interface of planning engines."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from planning.model import Limits, PlanningResult, Task
from planning.task.errors import EngineNotInstalled


@dataclass(frozen=True, slots=True)
class Package:
    """A distribution, the module it installs, and the extra of Planglass that asks for it; none if it is always there.

    `only_for` says which machines it has wheels for, where that is not every one that Planglass runs on.
    """

    distribution: str
    module: str
    extra: str = ""
    only_for: str = ""

    @property
    def is_installed(self) -> bool:
        return self.module in sys.modules or find_spec(self.module) is not None

    @property
    def version(self) -> str | None:
        """Return the installed version; None where none is known."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None

    @property
    def install(self) -> str:
        """Say what to do for the package to be there."""
        advice = f"pip install 'planglass[{self.extra}]' (in a checkout: pip install --editable '.[{self.extra}]')"
        machine = f"Python {sys.version_info[0]}.{sys.version_info[1]} on {platform.machine()}"
        return f"{advice}. It exists for {self.only_for}; this is {machine}" if self.only_for else advice

    def locate(self, engine: str) -> Path:
        """Find the folder of the module without importing it; raise `EngineNotInstalled` where there is none."""
        found = find_spec(self.module)
        if found is None or not found.submodule_search_locations:
            raise self.missing(engine)
        return Path(next(iter(found.submodule_search_locations)))

    def missing(self, engine: str) -> EngineNotInstalled:
        return EngineNotInstalled(
            f"The engine {engine} needs the package {self.distribution}, which is not installed: {self.install}."
        )


OWN = Package("planglass", "planning")
"""The package of a built-in engine."""


Cancelled = Callable[[], bool]
"""Asked again and again during a search: true means that its result is not waited for any more."""


class Engine(Protocol):
    """Solves a task: a plan, a proof that there is none, or giving up at a limit, and never an exception for those.

    The same task gives the same plan, in every process. An engine may hand in its plan in any order that is valid.
    """

    @property
    def name(self) -> str: ...

    @property
    def package(self) -> Package:
        """Return the package that provides the engine, and so whether it is installed."""
        ...

    @property
    def ignores_costs(self) -> bool: ...

    @property
    def proves_optimality(self) -> bool:
        """Whether it goes on until no plan is cheaper (or shorter, if it ignores costs), its limits permitting."""
        ...

    @property
    def heeds_budget(self) -> bool:
        """Whether it looks for plans that stay within the budget of a task."""
        ...

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Search for a plan; `seconds` of the result holds `search`. Raises `EngineNotInstalled`."""
        ...
