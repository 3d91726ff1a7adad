"""What each page draws of the sessions that are kept: its tree of elements.

Streamlit's own harness runs the page's script; of each element there is what it is, where it stands and what it holds.
Sheets, which are drawn by a component of our own, are recorded with the tree that they are given. Fragments that draw
themselves anew are drawn once. Jobs in the background are waited for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import streamlit as st
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
from streamlit.testing.v1 import AppTest

from dialogue.services import Services
from pages.demo.page import SCRIPTS
from pages.demo.scenes import SCENES, TASK_SCENES
from pages.shell import frame, root
from tests.net import kept, normal, walks
from tests.net.normal import Entry
from tests.net.recordings import Line, line
from tests.seeds import ROOT

_AGO = re.compile(r"\b\d[\d,]* (?:day|hour|minute)s? ago\b|\bjust now\b")
"""How long ago something was: sessions were kept on a day, and pages are drawn on any."""
_TOOK = re.compile(r"\b\d[\d.,]* ms\b")
"""How long it took just now to understand a sentence."""
_ID = re.compile(r"\b[0-9a-f]{32}\b")
_ELEMENT_ID = re.compile(r"^\$\$ID-[0-9a-f]+-")
_UNSEEN = frozenset({"id", "formId", "js_content", "html_content", "css_content", "icons", "url", "elementId"})
"""Fields that Streamlit makes up, and those that are the same for all sheets."""
WAIT_S = 120.0


@dataclass(frozen=True)
class Shown:
    """A page as it is opened: its address, and what its widgets hold. `long`: it is not drawn in every run."""

    page: str
    address: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)
    long: bool = False

    def name(self, known: Mapping[str, str]) -> str:
        """Say which page it is, with sessions by their names in place of their ids."""
        said = {**self.address, **self.state}
        whole = " / ".join((self.page, *(f"{key}={value}" for key, value in said.items())))
        return _ID.sub(lambda found: known.get(found[0], found[0]), whole)


@contextmanager
def opened(home: Path) -> Iterator[tuple[Services, dict[str, dict[str, str]]]]:
    """Lay out the sessions that are kept, as the pages find them; yield the services with the sessions' ids."""
    found = kept.lay_out(home)
    with ExitStack() as stack:
        stack.enter_context(patch.object(frame, "PATIENCE_S", WAIT_S))
        stack.enter_context(patch.object(st, "page_link", _link))
        root.close_services()
        services = walks.open_services(home)
        root._built.append(services)
        stack.callback(root.close_services)
        yield services, found


def _link(page: str, *, label: str, **_: object) -> None:
    """Stand in for a link to another page: without `st.navigation`, Streamlit knows of none."""
    st.text(f"link to {page}: {label}")


def pages(services: Services, found: Mapping[str, Mapping[str, str]]) -> Iterator[Shown]:
    """List the pages that are drawn, each with what is looked at on it.

    Left out are sections that show what a limit of time cuts off: what a catalog's own words come to (Problems), and
    what can be said under norms (Change the norms).
    """
    for name, session in found["conversation"].items():
        long = name != "banking, a loan"
        yield Shown("assistant", {"session": session}, long=long)
        for panel in ("plans", "summary", "facts", "goals"):
            yield Shown("assistant", {"session": session}, {"panel": panel}, long=True)
        yield Shown("plans", {"session": session}, long=long)
        for section in _SECTIONS_OF_PLANS:
            yield Shown("plans", {"session": session}, {"section": section}, long=True)
    loan = found["conversation"]["banking, a loan"]
    for asked in ("how", "why", "chain", "what"):
        chosen = {"session": loan, "select": "fact:loan_result", "ask": asked}
        yield Shown("assistant", chosen, long=asked != "why")
        yield Shown("plans", chosen, long=True)
    yield Shown("assistant", {"session": loan, "select": "skill:credit_check"}, long=True)
    yield Shown("assistant", {"session": loan, "select": "plan:1"}, long=True)
    yield Shown("assistant", {"session": "0" * 32}, long=True)
    yield Shown("assistant", long=True)
    yield from (Shown("assistant", {"catalog": name}, long=True) for name in ("accounting", "reports", "nowhere"))
    for name, room in found["room"].items():
        long = name != "finch, two people"
        yield Shown("rooms", {"room": room}, long=True)
        yield Shown("rooms", {"room": room, "as": "Ana"}, long=True)
        yield Shown("rooms", {"room": room, "as": "Ben", "denied": "yes", "about": "who:TB"}, long=long)
        yield Shown("rooms", {"room": room, "about": "message:8"}, long=True)
        yield Shown("rooms", {"room": room}, {"room_section": "norms"}, long=True)
    yield Shown("rooms", long=True)
    yield Shown("rooms", {"room": "0" * 32}, long=True)
    for name, task in found["task"].items():
        yield Shown("tasks", {"task": task}, long=name != "board_pack")
        yield from (Shown("tasks", {"task": task, "node": node}, long=True) for node in _stages(services, task))
    yield Shown("tasks", long=True)
    yield Shown("tasks", {"task": "0" * 32}, long=True)
    yield Shown("sessions")
    yield Shown("sessions", state={"find-words": "loan"}, long=True)
    for name in ("banking", "accounting", "reports"):
        yield Shown("catalog", {"catalog": name}, long=name != "accounting")
        for section in ("facts", "types", "feeds", "goals", "rules"):
            yield Shown("catalog", {"catalog": name}, {"catalog_section": section}, long=True)
        yield Shown("understanding", {"catalog": name, "sentence": _SENTENCES[name], "day": "2024-11-06"}, long=True)
    yield Shown("understanding")
    yield Shown("explore")
    yield Shown("settings")
    yield Shown("orchestrators")
    agents = found["conversation"]["banking, with agents"]
    for source in (f"session:{agents}", "terminal:walked"):
        for section in ("turns", "learning", "replay", "preferences", "set-up"):
            shown = {"orchestrators_section": section}
            yield Shown("orchestrators", {"source": source}, shown, long=True)
    yield Shown("demo")
    for name in (*SCRIPTS, *SCENES, *TASK_SCENES):
        yield Shown("demo", {"script": name}, long=True)


def _stages(services: Services, task: str) -> list[str]:
    return list(services.tasks.view(task).task.tree.hypotheses)[:8]


_SECTIONS_OF_PLANS = ("states", "landmarks", "pddl", "ways")
_SENTENCES = {
    "banking": "I need a loan of $12,000, and why do you want my address?",
    "accounting": "sales from March to May 2024 and then an expense report for the same time",
    "reports": "summarize this spreadsheet for 2025-Q3",
}


def draw(shown: Shown, home: Path) -> list[Entry]:
    """Draw a page, and list its elements in the order in which they stand."""
    page = AppTest.from_file(str(ROOT / "pages" / shown.page / "page.py"), default_timeout=WAIT_S)
    for name, value in shown.address.items():
        page.query_params[name] = value
    for name, value in shown.state.items():
        page.session_state[name] = value
    page.run()
    assert not page.exception, page.exception
    found: list[Entry] = normal.alike([_without_times(one) for one in _elements(page._tree, "")], home)
    return found


def _elements(node: Any, where: str) -> Iterator[Entry]:
    for child in getattr(node, "children", {}).values():
        proto = getattr(child, "proto", None)
        held = {} if proto is None else MessageToDict(proto)
        if child.type == "bidi_component":
            yield _component(proto, where)
            continue
        key = _ELEMENT_ID.sub("", str(held.get("id", "")))
        told = {name: value for name, value in held.items() if name not in _UNSEEN}
        name = " ".join(filter(None, (child.type, "" if key == "None" else key)))
        if told or not hasattr(child, "children"):
            yield {"element": f"{where}{name}", **told}
        yield from _elements(child, f"{where}{name} > ")


def _component(proto: Any, where: str) -> Entry:
    """Return a component of our own: its name, its key and the data that it draws."""
    (data,) = json.loads(proto.json or "[{}]")
    held = {name: value for name, value in data.items() if name not in _UNSEEN} if isinstance(data, dict) else {}
    return {"element": f"{where}{proto.component_name} {_ELEMENT_ID.sub('', proto.id)}", **held}


def _without_times(value: Any) -> Any:
    if isinstance(value, str):
        return _TOOK.sub("some ms", _AGO.sub("some time ago", value))
    if isinstance(value, Mapping):
        return {key: _without_times(one) for key, one in value.items()}
    return [_without_times(one) for one in value] if isinstance(value, list) else value


def record(*, every: bool) -> Iterator[Line]:
    """Draw all pages, or those of every run."""
    with walks.at_home() as home, opened(home) as (services, found):
        known = {session: name for sessions in found.values() for name, session in sessions.items()}
        for shown in pages(services, found):
            if every or not shown.long:
                yield line(shown.name(known), draw(shown, home))
