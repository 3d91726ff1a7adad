"""Pages without a browser: what they draw, as a tree of elements, and what a person would press and type there.

The scripts run as in the server, from the shell on, with services in this process. Components of ours, which draw in
the browser, are replaced by what they were given; what they would send comes back the way the value of a widget does.
"""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import streamlit as st
from streamlit import config
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest

from dialogue.log.stores import DamagedStream
from dialogue.services import UnknownSession
from pages.shell.root import services
from pages.shell.sheet import Node

ROOT = Path(__file__).resolve().parents[2]
SHELL = ROOT / "pages" / "shell" / "shell.py"
PATIENCE_S = 120
_RUNNER = "streamlit.testing.v1.local_script_runner"
_COMPONENTS = ("pages.shell.sheet._mount", "pages.views.graph._mount", "pages.frame.problems._mount")
_OPTIONS = tomllib.loads((SHELL.parent / "streamlit.toml").read_text(encoding="utf-8"))
_SCRIPTS = ScriptCache()
"""What is compiled of pages: once for all trees, as in the server."""
_numbers = count()

Said = str | re.Pattern[str]


class Part:
    """A node of what a page draws, with all that is in it."""

    def __init__(self, node: Node, key: str, page: Tree) -> None:
        self.node, self.key, self.page = node, key, page

    @property
    def text(self) -> str:
        return " ".join(self.written.split())

    @property
    def attrs(self) -> dict[str, str]:
        return dict(self.node.get("attrs", {})) if isinstance(self.node, dict) else {}

    @property
    def classes(self) -> list[str]:
        return str(self.node.get("cls", "")).split() if isinstance(self.node, dict) else []

    def all(self, which: str, said: Said = "") -> list[Part]:
        """List the nodes here that are of a tag and classes, such as "button.plan", and hold a text or are named so."""
        parts = (Part(node, self.key, self.page) for node in _nodes(self.node) if _is(node, which))
        return [part for part in parts if part.says(said)]

    def one(self, which: str, said: Said = "") -> Part:
        found = self.all(which, said)
        assert found, f"no {which!r} with {said!r} in {self.text!r}"
        return found[0]

    @property
    def written(self) -> str:
        """The text with its spaces and lines as they are; what a browser sets apart has a space around it."""
        return "".join(_texts(self.node))

    def says(self, said: Said) -> bool:
        words = f"{self.text}\n{self.attrs.get('aria-label', '')}"
        return said in words if isinstance(said, str) else said.search(words) is not None

    def press(self) -> None:
        """Press a button, and wait until the page has come to rest."""
        assert isinstance(self.node, dict) and "act" in self.node, self.node
        self.page.send(self.key, {"act": self.node["act"]})


_IN_LINE = frozenset("a b button code em i kbd label mark q small span strong sub sup u".split())


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield node
        return
    apart = "" if node.get("tag") in _IN_LINE else " "
    yield apart
    for child in node.get("children", ()):
        yield from _texts(child)
    yield apart


def _nodes(node: Node) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for child in node.get("children", ()):
            yield from _nodes(child)


def _key(node: Node) -> str:
    return str(node.get("key", "")) if isinstance(node, dict) else ""


def _is(node: dict[str, Any], which: str) -> bool:
    tag, *classes = which.split(".")
    return tag in ("", node.get("tag")) and set(classes) <= set(node.get("cls", "").split())


class Tree:
    """A tab of a person who is on some page."""

    def __init__(self) -> None:
        for section in ("runner", "global"):  # as the server runs scripts
            for name, value in _OPTIONS[section].items():
                config.set_option(f"{section}.{name}", value)
        self.app = AppTest.from_file(str(SHELL), default_timeout=PATIENCE_S)
        self.given: dict[str, Mapping[str, Any]] = {}
        self._then = ("", 0)
        self.run()

    def open(self, page: str = "assistant", **address: str) -> None:
        """Go to an address of a page."""
        self.app.query_params = dict(address)
        self.app.switch_page(f"../{page}/page.py")
        self.run()

    def run(self) -> None:
        """Draw the page, and draw it again as long as it waits for something, as its live parts would."""
        self.wait(lambda: not any(key.startswith("waiting-") for key in self.drawn) and not self._works())

    def wait(self, done: Callable[[], object]) -> None:
        """Draw the page until something is so, as it would be drawn anew while something goes on."""
        until = time.monotonic() + PATIENCE_S
        while True:
            self._then = self._position()
            with self._components():
                self.app.run()
            assert not self.app.exception, self.app.exception
            assert "trouble" not in self.drawn, f"something went wrong on the page:\n{self.text}"
            self._assert_told_apart()
            if done():
                return
            assert time.monotonic() < until, f"that does not come about:\n{self.text}"
            time.sleep(0.02)

    def _assert_told_apart(self) -> None:
        """Assert that keys of neighbours in a sheet, and ids in it, are there once; Streamlit sees to its own keys."""
        for key, data in self.drawn.items():
            nodes = [*_nodes({"children": data.get("tree", ())})]
            ids = [one["attrs"]["id"] for one in nodes if "id" in one.get("attrs", {})]
            for names in (ids, *([_key(one) for one in node.get("children", ())] for node in nodes)):
                twice = [name for name, times in Counter(filter(None, names)).items() if times > 1]
                assert not twice, f"the sheet {key!r} has {twice} more than once"

    def _works(self) -> bool:
        """Wait for the assistant; return whether it has worked since the page was begun, so that there is more."""
        session, entries = self._then
        with suppress(UnknownSession, DamagedStream):
            if (shown := self._position()[0]) and services().snapshot(shown).busy:
                services().wait(shown, PATIENCE_S)
                return True
        return session != "" and session == shown and entries != self._position()[1]

    def _position(self) -> tuple[str, int]:
        """Return the conversation of the page, and how many entries it has; 0 where it cannot be read."""
        session = "".join(self.app.query_params.get("session", ""))
        with suppress(UnknownSession, DamagedStream):
            return session, len(services().snapshot(session).log) if session else 0
        return session, 0

    @contextmanager
    def _components(self) -> Iterator[None]:
        def mount(key: str, data: Mapping[str, Any], **on: Callable[[], None]) -> None:
            self.given[key] = data

            def sent() -> None:
                st.session_state[key] = json.loads(st.session_state[_door(key)])
                for changed in on.values():
                    changed()

            with st.container(key=key):  # takes the key as the component would: what else has it is an error
                st.text_input(key, key=_door(key), on_change=sent)

        replaced = {**dict.fromkeys(_COMPONENTS, mount), f"{_RUNNER}.ScriptCache": lambda: _SCRIPTS}
        with ExitStack() as stack:
            for name, instead in replaced.items():
                stack.enter_context(patch(name, instead))
            yield

    def send(self, key: str, value: Mapping[str, Any]) -> None:
        """Send what a component would: an act of a sheet, a node of a graph, the text of an editor."""
        self.app.text_input(key=_door(key)).set_value(json.dumps({**value, "number": next(_numbers)}))
        self.run()

    @property
    def drawn(self) -> dict[str, Mapping[str, Any]]:
        """What the components on the page were given, by their keys."""
        doors = {one.key for one in self.app.text_input}
        return {key: data for key, data in self.given.items() if _door(key) in doors}

    def sheet(self, key: str) -> Part:
        assert key in self.drawn, f"no sheet {key!r} among {list(self.drawn)}"
        return Part({"tag": "div", "cls": "", "children": self.drawn[key]["tree"]}, key, self)

    def all(self, which: str, said: Said = "") -> list[Part]:
        sheets = (self.sheet(key) for key, data in self.drawn.items() if "tree" in data)
        return [part for sheet in sheets for part in sheet.all(which, said)]

    def one(self, which: str, said: Said = "") -> Part:
        found = self.all(which, said)
        assert found, f"no {which!r} with {said!r} on the page:\n{self.text}"
        return found[0]

    def region(self, name: str) -> Part:
        return next(one for one in self.all("") if one.attrs.get("aria-label") == name)

    @property
    def text(self) -> str:
        """All words that the page shows."""
        sheets = [self.sheet(key).text for key, data in self.drawn.items() if "tree" in data]
        own = [f"{getattr(one, 'label', '')} {getattr(one, 'value', '')}" for one in self._own()]
        return "\n".join([*sheets, *own])

    def _own(self) -> Iterator[Any]:
        """Yield the elements of Streamlit itself."""
        for one in self.app.main:
            if not str(one.key or "").startswith(_DOOR):
                yield one

    @property
    def title(self) -> str:
        return str(self.app.session_state["page_title"])

    @property
    def chat(self) -> str:
        return "\n".join(one.text for one in self.all(".message"))

    @property
    def last_said(self) -> str:
        return self.all(".message.assistant")[-1].all(".bubble")[-1].text

    @property
    def session(self) -> str:
        return str(self.app.query_params["session"])

    def say(self, text: str) -> None:
        self.app.chat_input[0].set_value(text)
        self.run()
        self.run()

    def press(self, label: Said) -> None:
        """Press a button, Streamlit's or one of a sheet."""
        own = [one for one in self.app.button if _named(one.label, label)]
        if own:
            own[0].click()
            self.run()
        else:
            self.one("button", label).press()

    def field(self, label: str, *, of: str = "text_input") -> Any:
        """Return the first widget of a kind with a label."""
        return next(one for one in getattr(self.app, of) if one.label == label)

    def fill(self, label: str, value: Any, *, of: str = "text_input") -> None:
        """Write into a field, or choose there."""
        self.field(label, of=of).set_value(value)
        self.run()

    def unfold(self, label: str) -> None:
        """Open a section that is drawn once it is open."""
        key = next(one.key for one in self.app.expander if one.label == label)
        self.app.session_state[str(key)] = True
        self.run()

    def choose(self, option: str) -> None:
        """Choose one of several sections or panels."""
        next(one for one in self.app.button_group if option in one.options).set_value(option)
        self.run()


def _named(label: str, said: Said) -> bool:
    return label == said if isinstance(said, str) else said.search(label) is not None


_DOOR = "door of "


def _door(key: str) -> str:
    return f"{_DOOR}{key}"


def assert_inert(tree: Tree) -> None:
    """Nothing on the page acts on what it says: sheets are of harmless elements, and Markdown and HTML hold no tags."""
    for key, data in tree.drawn.items():
        for node in _nodes({"children": data.get("tree", ())}):
            attrs = {name: str(value) for name, value in node.get("attrs", {}).items()}
            assert not [name for name in attrs if name.lower().startswith("on")], (key, node)
            assert not {"src", "href", "srcset", "style"} & attrs.keys(), (key, node)
            assert node.get("tag") not in ("script", "iframe", "object", "embed", "link", "style"), (key, node)
            assert not re.match(r"\s*(?!data:image/)\w+:", node.get("src") or ""), (key, node)
    for one in [*tree.app.markdown, *tree.app.caption, *tree.app.html, *tree.app.main.get("alert")]:
        assert not re.search(r"(?<!\\)<\s*(?:img|script|u|i|b|svg)\b|(?<!\\)\]\(", str(one.value)), one
