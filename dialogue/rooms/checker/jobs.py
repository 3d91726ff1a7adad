"""Checks of norms in the background: each text once, and given up as soon as it is not waited for any more."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor

from catalog.norms.load import read_norms
from catalog.problems import CatalogError
from catalog.skills.failures import describe_trouble
from dialogue.rooms.checker.report import BOUNDS, NormReport, check_rooms
from planning.state_space.walk import WalkBounds

KEPT = 20
"""Reports that are kept; of older texts they are made again when asked for."""
_log = logging.getLogger(__name__)


class NormChecks:
    """Walks in a thread of its own, one text at a time; who asks for the same text shares the report."""

    def __init__(self, bounds: WalkBounds = BOUNDS) -> None:
        self._bounds = bounds
        self._reports: dict[str, Future[NormReport]] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="check-norms")

    def check(self, text: str) -> Future[NormReport]:
        """Return the report on norms, begun if need be; it raises `CatalogError` for norms that cannot be used.

        To cancel it ends the walk, also while that is under way: do so when the text has changed.
        """
        with self._lock:
            report = self._reports.pop(text, None)
            if report is None or report.cancelled():
                report = Future()
                self._pool.submit(self._run, text, report)
            self._reports[text] = report
            for old in list(self._reports)[:-KEPT]:
                self._reports.pop(old).cancel()
            return report

    def close(self) -> None:
        """Cancel what is under way, and wait until it has ended."""
        with self._lock:
            for report in self._reports.values():
                report.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, text: str, report: Future[NormReport]) -> None:
        """Check a text. Its report counts as waiting until it is there, since none that runs can be cancelled."""
        if report.cancelled():
            return
        try:
            found = check_rooms(read_norms(text), bounds=self._bounds, cancelled=lambda _: report.cancelled())
        except Exception as error:  # whatever it was, the waiter is told
            if not isinstance(error, CatalogError):
                _log.error("a check of norms ended in %s", describe_trouble(error))
            if report.set_running_or_notify_cancel():
                report.set_exception(error)
            return
        if report.set_running_or_notify_cancel():
            report.set_result(found)
