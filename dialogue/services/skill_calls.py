"""What calls skills: as the settings say in force now, in processes of one pool but for packages that are trusted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing

from catalog import endpoints
from catalog.checks.check import endpoints_of, say_not_imported
from catalog.endpoints import confinement
from catalog.endpoints.processes import Workers
from catalog.endpoints.skill_worker import find_faults, skill_workers
from catalog.load import Loaded
from catalog.model import Catalog
from catalog.problems import Problem
from dialogue.caller import Caller, SkillCaller
from dialogue.settings import Settings

_IMPORTING_S = 20.0
"""Seconds that the import of one module may take when a catalog is checked."""


class SkillCalls:
    def __init__(
        self,
        settings: Callable[[], Settings],
        allowed: Collection[str],
        trusted: Collection[str] | None = None,
        given: Caller | None = None,
    ) -> None:
        """`allowed` and `trusted` packages hold until Planglass starts again, as do limits of processes.

        What is `given` calls skills in place of all this.
        """
        self._settings, self._given, self._allowed = settings, given, allowed
        self._trusted = settings().trusted if trusted is None else trusted
        self._workers = skill_workers(settings().confinement)

    @property
    def caller(self) -> Caller:
        return self._given or self.own

    def warm(self, catalog: Catalog) -> None:
        """Make the skills of a catalog ready that run in this process."""
        self.own.warm(catalog)

    def check_imports(self, loaded: Loaded) -> tuple[Problem, ...]:
        """Import what a catalog's endpoints name, each in a process of its own; list what cannot be had, as errors.

        Those of packages that are not trusted are confined, and left out where the system cannot do that.
        """
        named = endpoints_of(loaded.catalog, self._allowed)
        here = [name for name in named if endpoints.is_trusted(name, self._trusted)]
        others = [name for name in named if name not in here]
        faults = {}
        if others and (self._settings().unconfined or confinement.is_possible()):
            faults = find_faults(self._workers, others, self._allowed, _IMPORTING_S)
        if here:
            with closing(Workers()) as workers:
                faults |= find_faults(workers, here, self._allowed, _IMPORTING_S)
        return say_not_imported(loaded, faults)

    def close(self) -> None:
        """End the processes. Calls under way fail."""
        self._workers.close()

    @property
    def own(self) -> SkillCaller:
        settings = self._settings()
        return SkillCaller(
            self._allowed,
            settings.limits.skill_seconds,
            self._workers,
            trusted=self._trusted,
            unconfined=settings.unconfined,
            tells_why=not settings.app_hosts,
        )
