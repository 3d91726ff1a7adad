"""What calls skills: as the settings say in force now, in processes of one pool but for packages that are trusted."""

from __future__ import annotations

from collections.abc import Callable, Collection

from catalog.endpoints.skill_worker import skill_workers
from catalog.model import Catalog
from dialogue.caller import Caller, SkillCaller
from dialogue.services.settings import Settings


class SkillCalls:
    """Calls of skills for all conversations."""

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
        """What calls skills."""
        return self._given or self.own

    def warm(self, catalog: Catalog) -> None:
        """Make the skills of a catalog ready that run in this process."""
        self.own.warm(catalog)

    def close(self) -> None:
        """End the processes. Calls under way fail."""
        self._workers.close()

    @property
    def own(self) -> SkillCaller:
        """What calls functions of packages, whatever calls skills."""
        settings = self._settings()
        return SkillCaller(
            self._allowed,
            settings.limits.skill_seconds,
            self._workers,
            trusted=self._trusted,
            unconfined=settings.unconfined,
        )
