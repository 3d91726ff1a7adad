"""What is wrong with a text that is written here, each with its line, and the editor in which it is mended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import streamlit as st

from catalog.problems import CatalogError, Problem
from dialogue.log.stores import StoreFailed
from dialogue.log.stores.protocol import UnknownStream
from dialogue.turn import StillBusy
from pages.shell.sheet import Node, button, component, draw, el, hint, icon, problem, shorten

_mount = component(
    "editor",
    '<div class="editor"><div class="lines" aria-hidden="true"></div><textarea readonly spellcheck="false" '
    'autocomplete="off" autocapitalize="off" wrap="off"></textarea></div>',
)


def typed_in(key: str, begun: str) -> str:
    """Return what stands in an editor that began with a text: what was typed, or still that."""
    of, typed = st.session_state.get(_typed(key), ("", ""))
    return str(typed) if of == digest(begun) else begun


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _typed(key: str) -> str:
    return f"{key}-typed"


_Made = TypeVar("_Made")
MOST = 40
"""Problems that are drawn."""


def line_button(line: int | None) -> Node | None:
    """Draw the way to a line of the editor beside it."""
    return button("link", f"line {line}", act={"do": "line", "what": str(line)}) if line else None


def problem_list(problems: Iterable[Problem]) -> list[Node]:
    """List problems, each with its line as a button that leads there."""
    listed = tuple(problems)
    rows = [
        el(
            "li",
            f"fault {one.severity}",
            el("span", f"tag {'warn' if one.severity == 'warning' else 'bad'}", one.severity),
            line_button(one.line),
            el("span", "where", one.where) if one.where else None,
            el("p", "", shorten(one.found), " ", shorten(one.write)),
        )
        for one in listed[:MOST]
    ]
    more = hint(f"And {len(listed) - MOST:,} more.") if len(listed) > MOST else None
    return [node for node in (el("ul", "faults", rows, aria_label="Problems") if rows else None, more) if node]


Trouble = tuple[Problem | str, ...]
"""Why something was not taken: problems of a text with their lines, or words."""


def tried(act: Callable[[], _Made], not_kept: str = "", gone: str = "") -> tuple[_Made | None, Trouble]:
    """Do what was asked for; return its result, or why it was not taken.

    `not_kept` is said where the store fails, `gone` where what it is about was deleted meanwhile.
    """
    try:
        return act(), ()
    except CatalogError as error:
        return None, error.problems
    except StoreFailed as error:
        return None, (not_kept or str(error),)
    except (LookupError, ValueError, StillBusy) as error:
        deleted = gone and isinstance(error, UnknownStream)
        return None, (gone if deleted else str(error.args[0] if error.args else error),)


def say_trouble(trouble: Trouble) -> list[Node]:
    words = [problem(one) for one in trouble if isinstance(one, str)]
    return [*words, *problem_list(one for one in trouble if not isinstance(one, str))]


def verdict(tone: str, words: str, *more: Node) -> Node:
    """Say in one line what was found, and below it what that is about."""
    head = el("h2", "found bad" if tone == "bad" else "", icon("done" if tone == "good" else "problem"), words)
    return el("div", f"insight {tone}", head, *more)


def draw_text(key: str, label: str, begun: str, problems: Sequence[Problem], *, short: bool = False) -> None:
    """Draw the editor of a text that began so: lines are numbered, and the first problem of each is marked there.

    What was typed stays where another section is looked at, and is gone with another text to begin with.
    """
    marks = {str(one.line): f"{one.found} {one.write}" for one in reversed(problems) if one.line}

    def keep() -> None:
        text = st.session_state[key].get("text")
        if isinstance(text, str):
            st.session_state[_typed(key)] = (digest(begun), text)

    shown = st.session_state.get(f"{key}-line")  # a line to go to, with the moment of the click
    data = {"label": label, "text": typed_in(key, begun), "begun": digest(begun), "marks": marks}
    _mount(key=key, data={**data, "show": dict(shown) if shown else None, "short": short}, on_text_change=keep)


def draw_found(key: str, of: str, found: Iterable[Node]) -> None:
    """Draw what was found in the text of an editor (`of`); a click on a line leads there."""

    def act(clicked: Mapping[str, Any]) -> None:
        what = str(clicked.get("what", ""))
        if clicked.get("do") == "line" and what.isdecimal():
            st.session_state[f"{of}-line"] = {"line": int(what), "at": time.time_ns() // 1_000_000}

    draw(key, found, act)
