from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StoredEntry, StreamId
from tests.dialogue.toys import BEHAVIOUR, Toybox


@pytest.fixture
def box(home: Path) -> Iterator[Toybox]:
    """A conversation over the toys, whose meanings are written in a plain notation."""
    toybox = Toybox(home)
    yield toybox
    BEHAVIOUR.gate.set()
    toybox.services.close()


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """List how long the log was after each commit."""
    lengths: list[int] = []
    append = SqliteStore.append

    def noted(self: SqliteStore, stream: StreamId, entries: Sequence[StoredEntry]) -> None:
        append(self, stream, entries)
        lengths.append(entries[-1].seq)

    monkeypatch.setattr(SqliteStore, "append", noted)
    return lengths


@pytest.fixture
def logging_as_before() -> Iterator[None]:
    """Services change how the whole process writes logs; here it ends with the test."""
    kept = logging.getLogRecordFactory(), threading.excepthook, sys.excepthook, sys.unraisablehook
    logging.setLogRecordFactory(logging.LogRecord)
    yield
    logging.setLogRecordFactory(kept[0])
    threading.excepthook, sys.excepthook, sys.unraisablehook = kept[1:]
