"""Moments of the past: the states after entries that are looked at, each folded from the nearest moment before it."""

from __future__ import annotations

import threading
from functools import reduce

from dialogue.log.events import Log
from dialogue.state.conversation import Conversation, advance

_KEPT = 16
"""So many moments are kept, those that were looked at last."""
_kept: list[tuple[Log, Conversation]] = []
_lock = threading.Lock()


def state_after(log: Log) -> Conversation:
    """Fold the beginning of a log into the state that it describes: the same as `project`, and sooner the next time."""
    with _lock:
        before = max((one for one in _kept if _begins(log, one[0])), key=lambda one: len(one[0]), default=_NOTHING)
    state = reduce(advance, log[len(before[0]) :], before[1])
    with _lock:
        _kept[:] = [(log, state), *(one for one in _kept if one is not before or len(before[0]) < len(log))][:_KEPT]
    return state


_NOTHING: tuple[Log, Conversation] = ((), Conversation())


def _begins(log: Log, kept: Log) -> bool:
    """Return whether a log begins with one that was kept: what stands before an entry never changes."""
    return len(kept) <= len(log) and bool(kept) and kept[-1] is log[len(kept) - 1]
