"""The plan of a conversation that is improved in the background while its first step is carried out (decision 40)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future

from catalog.skills.failures import describe_trouble
from dialogue.policy.joint import JointAnswer

_log = logging.getLogger(__name__)

Improve = Callable[[], JointAnswer]


class BackgroundImprovement:
    """Holds what becomes of one plan, the last that was begun early; one thread at a time works on a conversation."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._under_way: tuple[int, Improve, Future[JointAnswer]] | None = None

    def begin(self, plan_id: int, improve: Improve | None) -> None:
        """Improve this plan, if it can be, and no other one any more."""
        if self._under_way is not None:
            self._under_way[2].cancel()
        self._under_way = None if improve is None else (plan_id, improve, self._executor.submit(improve))

    def take(self, plan_id: int, anew: Improve) -> JointAnswer | None:
        """Return what was found for a plan; wait for it, or plan on this thread where no other has begun to.

        Where nothing is held for it, as after a restart or another request, it is planned `anew`. None where that
        failed: there is a valid plan at hand, so the fault is logged, and no more.
        """
        improve, job = anew, None
        if self._under_way is not None and self._under_way[0] == plan_id:
            _, improve, job = self._under_way
            self._under_way = None
        try:
            return improve() if job is None or job.cancel() else job.result()
        except Exception as error:
            _log.error("improving a plan ended in %s", describe_trouble(error))
            return None
