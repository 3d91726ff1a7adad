"""The stations of each way through the product are reached in the order in which docs/architecture.md names them.

The tables there are the only lists. Where a function was moved or renamed, write its new place into the table.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell import frame
from pages.shell.root import close_services, services
from tests.docs.documents import ROOT, table_rows

WAIT_S = 120
Walk = Callable[[str], Iterator[AppTest]]
"""Yields a page where something can be said, and again once that was said and what came of it is drawn."""


def say_to_the_assistant(said: str) -> Iterator[AppTest]:
    page = _page("assistant").run()
    services().warm("banking").result()
    yield page
    page.chat_input[0].set_value(said).run()
    services().wait(page.session_state["session_id"])
    yield page.run()


def say_in_a_room(said: str) -> Iterator[AppTest]:
    services().rooms.warm()
    room = services().rooms.open()
    services().rooms.join(room, "Ana")
    services().rooms.wait(room, WAIT_S)
    page = _page("rooms", room=room, **{"as": "Ana"}).run()
    yield page
    page.chat_input[0].set_value(said).run()
    services().rooms.wait(room, WAIT_S)
    yield page.run()


def hand_a_task_over(said: str) -> Iterator[AppTest]:
    page = _page("tasks").run()
    tasks = page.selectbox(key="task-choice")
    tasks.select_index(tasks.options.index(said)).run()
    yield page
    page.button(key="task-give").click().run()
    task = str(page.query_params["task"])
    services().tasks.wait(task, WAIT_S)
    yield page.run()


WALKS: Mapping[str, Walk] = {
    "The way of an utterance": say_to_the_assistant,
    "The way of a message in a room": say_in_a_room,
    "The way of a task": hand_a_task_over,
}
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SECTIONS = {way: TEXT.split(f"## {way}\n")[1].split("\n## ")[0] for way in WALKS}
STATIONS = {
    way: [tuple(re.findall(r"`([^`]+)`", row[1])) for row in table_rows(section)] for way, section in SECTIONS.items()
}


@pytest.mark.parametrize("way", WALKS)
def test_each_station_names_a_file_and_a_function_in_it(way: str) -> None:
    assert STATIONS[way]
    assert [one for one in STATIONS[way] if one[1] not in _functions_in(one[0])] == []


@pytest.mark.parametrize("way", WALKS)
def test_the_stations_are_reached_in_their_order(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path))
    monkeypatch.setattr(frame, "PATIENCE_S", WAIT_S)
    said = re.findall(r"“([^”]+)”", SECTIONS[way])[0]
    close_services()
    try:
        next(WALKS[way](said))  # what is learned once is learned before, without the hook, which takes long
        close_services()
        with _calls_of(set(STATIONS[way])) as calls:
            walk = WALKS[way](said)
            next(walk)
            calls.clear()
            page = next(walk)
    finally:
        close_services()
    assert not page.exception
    assert _reached(STATIONS[way], calls) == STATIONS[way]


def _page(name: str, **address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / name / "page.py"), default_timeout=WAIT_S)
    page.query_params.update(address)
    return page


def _functions_in(file: str) -> set[str]:
    return set(_functions(ast.parse((ROOT / file).read_text(encoding="utf-8")), ""))


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
