"""Background explorations: started once, and read as often as needed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from catalog.load import Loaded
from catalog.skills.failures import describe_trouble
from dialogue.exploration.explore import explore
from dialogue.exploration.report import ExplorationReport
from dialogue.exploration.scripted_environment import ValueExamples
from dialogue.exploration.transition import TransitionContext
from dialogue.policy import Policy
from planning.state_space.paths import WalkBounds, WalkProgress

KEPT = 20
"""Finished explorations that are kept; older ones are walked again when asked for."""
WAITING = 8
"""Explorations that wait for their turn; who asks for more puts the oldest of them off."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The subject of an exploration: a goal of a catalog, initially known facts, and whether calls may fail."""

    catalog: str
    goal: str
    known: tuple[str, ...] = ()
    failures: bool = False


@dataclass(frozen=True, slots=True)
class ExplorationProgress:
    status: Literal["running", "done", "failed"]
    progress: WalkProgress | None = None
    report: ExplorationReport | None = None


@dataclass(frozen=True, slots=True)
class Explorer:
    """What an exploration is carried out with: policy, name of its engine, and bounds."""

    policy: Policy
    engine: str
    bounds: WalkBounds


class Explorations:
    """Walks in a thread of its own, one at a time; what was found is shared by all who ask for the same."""

    def __init__(
        self,
        loaded: Callable[[str], Loaded],
        explorer: Explorer,
        today: Callable[[], date],
    ) -> None:
        self._loaded = loaded
        self.explorer = explorer
        self._today = today
        self._looks: dict[Inquiry, ExplorationProgress] = {}
        self._texts: dict[Inquiry, str] = {}
        """The digest of the catalog that each walk goes through: of one that was edited since, nothing is told."""
        self._jobs: dict[Inquiry, Future[None]] = {}
        self._stopped: set[Inquiry] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="explore")

    def use(self, explorer: Explorer) -> None:
        """Explore with something else from now on; what was found with other parts is forgotten."""
        with self._lock:
            if explorer != self.explorer:
                self.explorer = explorer
                for old in [inquiry for inquiry, look in self._looks.items() if look.status != "running"]:
                    del self._looks[old], self._jobs[old]

    def stage(self, catalog: str) -> TransitionContext:
        """Set the stage on which a catalog is explored. Raises UnknownCatalog."""
        loaded = self._loaded(catalog).catalog
        return TransitionContext(loaded, self.explorer.policy, ValueExamples(loaded, self._today()))

    def start(self, inquiry: Inquiry) -> None:
        """Begin an exploration, unless it is under way, or everything was walked already."""
        stage, digest = self.stage(inquiry.catalog), self._loaded(inquiry.catalog).digest
        with self._lock:
            if inquiry.goal not in stage.catalog.goals:
                known = ", ".join(stage.catalog.goals) or "none"
                raise LookupError(f"There is no goal {inquiry.goal!r} in {inquiry.catalog}. There are: {known}.")
            self._stopped.discard(inquiry)
            there = self._looks.pop(inquiry, None)
            walked = there is not None and there.report and there.report.complete and self._texts[inquiry] == digest
            if there is not None and (there.status == "running" or walked):
                self._looks[inquiry] = there
                return
            self._put_off()
            self._looks[inquiry], self._texts[inquiry] = ExplorationProgress("running"), digest
            for old in [i for i, look in self._looks.items() if look.status != "running"][:-KEPT]:
                del self._looks[old], self._jobs[old]
            self._jobs[inquiry] = self._pool.submit(self._run, inquiry, stage)

    def _put_off(self) -> None:
        """Take explorations that have not begun out of a line that is too long: nothing has been told of them yet."""
        waiting = [i for i, job in self._jobs.items() if not (job.running() or job.done())]
        for inquiry in waiting[: max(0, len(waiting) + 1 - WAITING)]:
            if self._jobs[inquiry].cancel():
                del self._jobs[inquiry], self._looks[inquiry]

    def look(self, inquiry: Inquiry) -> ExplorationProgress | None:
        """See how an exploration stands; None if it was not asked for, or the catalog has been edited since."""
        with self._lock:
            there = self._looks.get(inquiry)
        stale = there and there.status != "running" and self._texts[inquiry] != self._loaded(inquiry.catalog).digest
        return None if stale else there

    def wait(self, inquiry: Inquiry, timeout_s: float = 60.0) -> ExplorationProgress | None:
        """Wait until an exploration has ended, and see how it stands then."""
        job = self._jobs.get(inquiry)
        if job is not None:
            wait((job,), timeout_s)
        return self.look(inquiry)

    def stop(self, inquiry: Inquiry) -> None:
        """Have an exploration stop where it is: it reports what it has found so far."""
        with self._lock:
            there = self._looks.get(inquiry)
            if there is not None and there.status == "running":
                self._stopped.add(inquiry)

    def close(self) -> None:
        """Stop all of them, and wait until they have."""
        self._closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, inquiry: Inquiry, stage: TransitionContext) -> None:
        """Walk until there is an end that is still wanted: who asks again for what was just stopped wants all of it."""
        while True:
            cut, ended = self._walk(inquiry, stage)
            with self._lock:
                if cut and not self._is_stopped(inquiry):
                    continue
                self._looks[inquiry] = ended
                return

    def _walk(self, inquiry: Inquiry, stage: TransitionContext) -> tuple[bool, ExplorationProgress]:
        cut = False

        def watch(progress: WalkProgress) -> bool:
            nonlocal cut
            with self._lock:
                self._looks[inquiry] = replace(self._looks[inquiry], progress=progress)
                cut = self._is_stopped(inquiry)
            return cut

        try:
            report = explore(
                stage,
                inquiry.goal,
                inquiry.known,
                bounds=self.explorer.bounds,
                failures=inquiry.failures,
                engine=self.explorer.engine,
                cancelled=watch,
            )
        except Exception as error:  # whatever it was, the waiter is told
            _log.error("an exploration ended in %s", describe_trouble(error))
            return cut, ExplorationProgress("failed")
        return cut, ExplorationProgress("done", report=report)

    def _is_stopped(self, inquiry: Inquiry) -> bool:
        return self._closed or inquiry in self._stopped
