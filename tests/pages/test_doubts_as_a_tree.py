"""Calls in doubt on the page Sessions, as a tree: seen across conversations, and settled there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialogue.services.doubts import list_doubts
from pages.shell.root import close_services
from tests.dialogue.toys import Toybox
from tests.pages.test_doubts_in_the_browser import DOUBTING, HOSTILE_LABEL, SECRET, in_doubt
from tests.pages.tree import Tree, assert_inert


@pytest.fixture
def sessions(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two conversations, with a call in doubt in each."""
    home.mkdir()
    file = tmp_path / "toys.yaml"
    file.write_text(DOUBTING, encoding="utf-8")
    monkeypatch.setenv("PLANGLASS_CATALOGS", f"banking:{file}")
    return in_doubt(home)


class Card:
    """The card of a call in doubt."""

    def __init__(self, tree: Tree, session: str) -> None:
        self.tree, self.session = tree, session

    def _widget(self, kind: str, name: str) -> Any:
        own = [one for one in getattr(self.tree.app, kind) if f"doubt-{self.session}-" in (one.key or "")]
        return next(one for one in own if one.label == name)

    def fill(self, name: str, value: str) -> None:
        self._widget("text_input", name).set_value(value)
        self.tree.run()

    def value(self, name: str) -> str:
        return str(self._widget("text_input", name).value)

    def choose(self, ended: str) -> None:
        self._widget("radio", "Did it take effect?").set_value(ended)
        self.tree.run()

    def is_disabled(self, name: str) -> bool:
        return bool(self._widget("button", name).disabled)

    def press(self, name: str) -> None:
        self._widget("button", name).click()
        self.tree.run()

    @property
    def text(self) -> str:
        own = [key for key in self.tree.drawn if key.startswith(f"doubt-{self.session}-")]
        return " ".join(self.tree.sheet(key).text for key in own)


def test_what_is_in_doubt_anywhere_is_listed_and_settled_as_done_and_as_not_done(
    sessions: list[str], home: Path
) -> None:
    first, second = sessions
    close_services()
    tree = Tree()
    tree.open("sessions")
    assert "2 calls in doubt" in tree.text
    assert SECRET not in tree.text
    assert HOSTILE_LABEL in tree.text
    assert_inert(tree)
    one = Card(tree, first)
    assert "sea0" in one.text
    assert one.is_disabled("Settle")
    one.choose("It took effect: won")
    one.fill("prize", "many")
    one.fill("How do you know?", "seen on the shelf")
    one.press("Settle")
    assert "That is no proper value for prize" in one.text
    assert (one.value("prize"), one.value("How do you know?")) == ("many", "seen on the shelf")
    one.fill("prize", "12")
    one.press("Settle")
    tree.wait(lambda: "1 call in doubt" in tree.text)
    other = Card(tree, second)
    other.press("Ask again")
    tree.wait(lambda: "it cannot be reached. It stays in doubt." in other.text)
    other.choose("It took no effect, and may be made again")
    other.press("Settle")
    assert "Say how it is known" in other.text
    other.fill("How do you know?", "the office says so")
    other.press("Settle")
    tree.wait(lambda: "in doubt" not in tree.text)
    close_services()
    box = Toybox(home, DOUBTING)
    settled = []
    for box.session in (first, second):
        settled += [(event.outcome, event.facts, event.reason.text) for event in box.events("settled")]
    assert settled == [("won", {"prize": 12}, "seen on the shelf"), (None, {}, "the office says so")]
    assert list_doubts(box.services) == ()
    box.services.close()
