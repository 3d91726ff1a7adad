"""The stations of an utterance are reached in the order in which docs/architecture.md names them.

The table there is the only list. Where a function was moved or renamed, write its new place into the table.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.root import close_services, services
from tests.docs.documents import ROOT, table_rows

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SECTION = TEXT.split("## The way of an utterance\n")[1].split("\n## ")[0]
STATIONS = [tuple(re.findall(r"`([^`]+)`", row[1])) for row in table_rows(SECTION)]
SAID = re.findall(r"“([^”]+)”", SECTION)[0]


@pytest.mark.parametrize("station", STATIONS, ids=[row[0] for row in table_rows(SECTION)])
def test_a_station_names_a_file_and_a_function_in_it(station: tuple[str, str]) -> None:
    file, function = station
    assert function in set(_functions(ast.parse((ROOT / file).read_text(encoding="utf-8")), ""))


def test_an_utterance_reaches_the_stations_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path))
    close_services()
    with _calls_of(set(STATIONS)) as calls:
        try:
            page = AppTest.from_file(str(ROOT / "pages" / "assistant" / "page.py"), default_timeout=120).run()
            services().warm("banking").result()
            calls.clear()
            page.chat_input[0].set_value(SAID).run()
            services().wait(page.session_state["session_id"])
            page.run()
        finally:
            close_services()
    assert not page.exception
    assert _reached(STATIONS, calls) == STATIONS


def _functions(node: ast.AST, prefix: str) -> Iterator[str]:
    """Yield the qualified names of the functions of a module and its classes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}"
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


@contextmanager
def _calls_of(wanted: set[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    """Record each call of the functions, as file and qualified name, in all threads that begin meanwhile."""
    by_code = {(str(ROOT / file), name): (file, name) for file, name in wanted}
    calls: list[tuple[str, ...]] = []

    def record(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and (found := by_code.get((frame.f_code.co_filename, frame.f_code.co_qualname))):
            calls.append(found)

    before = sys.getprofile()
    threading.setprofile(record)
    sys.setprofile(record)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def _reached(stations: list[tuple[str, ...]], calls: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the stations that are reached one after the other, up to the first that is not."""
    left = iter(calls)
    reached = []
    for station in stations:
        if station not in left:  # consumes the calls up to the first one of the station
            break
        reached.append(station)
    return reached
