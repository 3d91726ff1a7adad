"""Work on tasks in the background: how many at a time, what stopped one, and following what another program does."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from dialogue.log.stores.protocol import StoreFailed, UnknownStream
from dialogue.tasks.running.manager import TaskManager
from language.responses.tasks.report import say_stopped

_log = logging.getLogger(__name__)


class TaskRuns:
    """Has managers go on with their tasks, on threads of its own. Its methods may be called on any thread."""

    def __init__(self, workers: int, follow_s: float, at_rest: Callable[[str], None]) -> None:
        """Do nothing yet; what is given is what `TaskServices` is given."""
        self._follow_s, self._at_rest = follow_s, at_rest
        self._busy: dict[str, int] = {}
        self._faults: dict[str, str] = {}
        self._changed = threading.Condition()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="tasks")

    def start(self, task_id: str, manager: TaskManager) -> None:
        """Go on with a task; where another program is at work on it, follow that, and go on once it ends."""
        with self._changed:
            self._faults.pop(task_id, None)
            self._busy[task_id] = self._busy.get(task_id, 0) + 1
        self._submit(task_id, manager)

    def standing(self, task_id: str) -> tuple[bool, str]:
        """Return whether a task is at work, and the fault that stopped it, if one did."""
        with self._changed:
            return bool(self._busy.get(task_id)), self._faults.get(task_id, "")

    def wait(self, task_id: str, timeout_s: float) -> bool:
        """Wait until a task is no longer at work; return whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy.get(task_id), timeout_s)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, task_id: str, manager: TaskManager) -> None:
        try:
            self._pool.submit(self._run, task_id, manager)
        except RuntimeError:  # it is closed
            self._rest(task_id)

    def _run(self, task_id: str, manager: TaskManager) -> None:
        fault, mine = "", True
        try:
            mine = manager.run()
        except UnknownStream:
            pass  # it was deleted
        except StoreFailed as error:
            fault = str(error)
        except Exception as error:
            _log.exception("task %s stopped", task_id)
            fault = say_stopped(type(error).__name__)
        if mine:
            with self._changed:
                self._faults.update({task_id: fault} if fault else {})
            self._at_rest(task_id)
            self._rest(task_id)
        else:
            timer = threading.Timer(self._follow_s, self._submit, (task_id, manager))
            timer.daemon = True
            timer.start()

    def _rest(self, task_id: str) -> None:
        with self._changed:
            self._busy[task_id] -= 1
            self._changed.notify_all()
