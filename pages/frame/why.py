"""The card that answers why: what is asked about, the way to close it, and sentences with what shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explain.claim import AnswerText
from pages.shell.sheet import Act, Child, Node, button, el, icon

Evidence = Callable[[tuple[int, ...]], Node | None]
"""Draws the entries of the log that show a sentence."""


def because(answer: AnswerText[Any], evidence: Evidence) -> list[Node]:
    """Draw an answer, a line for each sentence, with what shows it."""
    return [el("p", "because", one.text(), evidence(one.evidence)) for one in answer.sentences]


def card(title: str, close: Act, label: str, *inside: Child, key: str, cls: str = "") -> Node:
    """Draw the card of what is asked about; `close` is the act that puts it away."""
    head = el("div", f"headline{cls}", el("h3", "", title), button("close", icon("failed"), act=close, label=label))
    return el("section", "drill", head, *inside, key=key)
