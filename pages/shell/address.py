"""State in the URL: the conversation and the selection, so that a link shows the same."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Literal, get_args

import streamlit as st
from streamlit.errors import StreamlitAPIException

SelectionKind = Literal["fact", "skill", "plan"]
View = Literal["how", "why", "chain", "what"]

_LONGEST = 120
_MOMENT = re.compile(r"/([0-9]{1,9})\Z")
"""Names of facts and skills hold no slash."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The current selection: a fact, a skill or a plan. Every panel marks it in its own way.

    `at` is the entry of the log as of which it is looked at; None stands for now.
    """

    kind: SelectionKind
    name: str
    at: int | None = None

    def __str__(self) -> str:
        """Write it as it stands in the address."""
        return f"{self.kind}:{self.name}{'' if self.at is None else f'/{self.at}'}"

    def is_same(self, other: Selection | None) -> bool:
        """Return whether another selection is of the same thing, as of whatever moment."""
        return other is not None and (self.kind, self.name) == (other.kind, other.name)


def page_file(name: str) -> str:
    """Return the script of a page, relative to the shell's, as Streamlit's navigation takes it."""
    return f"../{name}/page.py"


def read_selection(text: str | None) -> Selection | None:
    """Read a selection as written in an address; anything malformed selects nothing."""
    kind, _, name = (text or "").partition(":")
    moment = _MOMENT.search(name)
    at = int(moment[1]) if moment else None
    name = name[: moment.start()] if moment else name
    if name and len(name) <= _LONGEST and kind in get_args(SelectionKind):
        return Selection(kind, name, at)  # type: ignore[arg-type]
    return None


_PUT = "put_in_address"
_SLOW_S = 5.0
"""So long the browser may still ask with the address as it was before something was put in it."""


def put(name: str, value: str | None) -> None:
    """Put a value in the address, or take it away, so that a page that asks anew at this moment does not undo it.

    Pages that are live ask all the time, with the address that the browser has: on a slow machine, an older one.
    """
    puts: dict[str, tuple[str | None, str | None, float]] = st.session_state.setdefault(_PUT, {})
    puts[name] = (st.query_params.get(name), value, monotonic() + _SLOW_S)
    write(name, value)


def get(name: str) -> str | None:
    """Return a value of the address; what was just put there counts before what was there before that."""
    there: str | None = st.query_params.get(name)
    puts: dict[str, tuple[str | None, str | None, float]] = st.session_state.get(_PUT, {})
    before, value, until = puts.get(name, (None, None, 0.0))
    if there == value or there != before or monotonic() > until:
        return there
    write(name, value)
    return value


def forget() -> None:
    """Forget what was just put in the address: what is looked at now is something else."""
    st.session_state.pop(_PUT, None)


def write(name: str, value: str | None) -> None:
    if value is None:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value


def session_id() -> str | None:
    """Return the conversation in the address, else the one last looked at, which is then put in the address."""
    given = st.query_params.get("session")
    if given:
        st.session_state["session_id"] = given
        return given
    kept: str | None = st.session_state.get("session_id")
    if kept:
        st.query_params["session"] = kept
    return kept


_BEGUN, _BEGINNING = "begun_by_command", "beginning"
_making = Lock()


def beginning() -> Lock:
    with _making:
        lock: Lock = st.session_state.setdefault(_BEGINNING, Lock())
    return lock


def begun_by(command_id: str) -> str | None:
    """Return the conversation that a command has begun on this page, if it comes again: what it says is said once."""
    begun: dict[str, str] = st.session_state.get(_BEGUN, {})
    return begun.get(command_id)


def keep_begun(command_id: str, session: str) -> None:
    """Keep which conversation a command has begun, until the page leaves it for a new one."""
    st.session_state.setdefault(_BEGUN, {})[command_id] = session


def go_to(session: str | None) -> None:
    """Look at another conversation, or at none; what is bound to a widget, such as the panel, stays with it."""
    forget()
    for name in tuple(st.query_params):
        with suppress(StreamlitAPIException):
            del st.query_params[name]
    st.session_state["trail"] = []
    if session is None:
        st.session_state.pop("session_id", None)
        st.session_state.pop(_BEGUN, None)
    else:
        st.session_state["session_id"] = session
        st.query_params["session"] = session


def selection() -> Selection | None:
    return read_selection(get("select"))


def view() -> View:
    """Return the question that the drill-down answers."""
    asked = get("ask") or "how"
    return asked if asked in get_args(View) else "how"  # type: ignore[return-value]


def moment() -> int | None:
    """Return the entry of the log as of which the whole page is seen; None stands for now."""
    found = _MOMENT.match(f"/{get('at')}")
    return int(found[1]) if found else None


def select(chosen: Selection | None, asked: View | None = None, *, onward: bool = False) -> None:
    """Select something; `onward` keeps the way that led there, as a trail to go back along."""
    trail: list[str] = st.session_state.setdefault("trail", [])
    before = get("select")
    if chosen is None:
        trail.clear()
        put("select", None)
        put("ask", None)
        return
    new = str(chosen)
    if not onward:
        trail.clear()
    elif new in trail:
        del trail[trail.index(new) :]
    elif before and before != new:
        trail.append(before)
    put("select", new)
    if asked or before != new:
        put("ask", asked)


def trail() -> tuple[Selection, ...]:
    kept = (read_selection(text) for text in st.session_state.get("trail", ()))
    return tuple(item for item in kept if item is not None)
