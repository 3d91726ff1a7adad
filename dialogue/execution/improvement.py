"""The plan of a conversation that is improved in the background while its first step is carried out (decision 40)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future

from dialogue.policy.together import Answer

Improve = Callable[[], Answer]


class Improvement:
    """Holds what becomes of one plan, the last that was begun early; one thread at a time works on a conversation."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._under_way: tuple[int, Improve, Future[Answer]] | None = None

    def begin(self, plan_id: int, improve: Improve | None) -> None:
        """Improve this plan, if it can be, and no other one any more."""
        if self._under_way is not None:
            self._under_way[2].cancel()
        self._under_way = None if improve is None else (plan_id, improve, self._executor.submit(improve))

    def take(self, plan_id: int) -> Answer | None:
        """Return once what was found for a plan; wait for it, or plan on this thread where no other has begun to.

        None where that plan was not improved.
        """
        under_way, self._under_way = self._under_way, None
        if under_way is None or under_way[0] != plan_id:
            return None
        _, improve, job = under_way
        return improve() if job.cancel() else job.result()
