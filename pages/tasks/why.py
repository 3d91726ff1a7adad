"""Why a stage stands as it does, and how a result came about: answers of the explainer, with what proves them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from explain.tasks import TaskQuestion, TaskQuestionKind, figures_of
from explain.tasks.answers import answer_about_task
from explain.tasks.words import say_entries
from language.responses.tasks.on_page import ENTRIES, FIGURES, HOW_IT_CAME, WHY_SO, WHY_UNMET
from pages.frame.frame import because
from pages.shell import address
from pages.shell.sheet import Node, button, el, folded, icon, shorten
from pages.tasks.page_state import TaskPage
from planning.hierarchy.tree import Hypothesis

_LONGEST = 60
"""Characters of a paragraph that are shown where it can be chosen."""
_MOST = 60
"""Figures that can be chosen."""


def why_it_stands(page: TaskPage, one: Hypothesis) -> Node:
    question = TaskQuestion(TaskQuestionKind.WHY, one.id)
    return folded(WHY_SO, _answer(page, question), key=f"why-{one.id}")


def why_unmet(page: TaskPage, number: int) -> Node | None:
    """Say why a criterion is not met, to be folded out."""
    question = TaskQuestion(TaskQuestionKind.WHY_UNMET, criterion=number)
    answer = _answer(page, question)[1:]  # that it is not met stands above
    return folded(WHY_UNMET, answer) if answer else None


def how_it_came(page: TaskPage, name: str) -> Iterator[Node]:
    """Draw the way to how a result came about; where it is open, the answer, and its figures to choose from."""
    chosen, _, number = page.how.partition("=")
    is_open = chosen == name
    act = {"do": "how", "what": "" if is_open else name}
    yield button("chip", icon("eye"), f" {HOW_IT_CAME}", act=act, pressed=is_open, key=f"how-{name}")
    if not is_open:
        return
    figures = figures_of(page.record, name)[:_MOST]
    at = int(number) if number.isdecimal() and int(number) < len(figures) else None
    if figures:
        yield el("div", "chips", [_figure(name, n, text, at) for n, text in enumerate(figures)], role="group",
                 aria_label=FIGURES)  # fmt: skip
    figure = None if at is None else figures[at]
    answer = _answer(page, TaskQuestion(TaskQuestionKind.HOW, fact=name, figure=figure))
    yield el("section", "drill", answer, key=f"answer-{name}")


def _figure(name: str, number: int, text: str, chosen: int | None) -> Node:
    pressed = number == chosen
    act = {"do": "how", "what": name if pressed else f"{name}={number}"}
    return button("chip", shorten(text, _LONGEST), act=act, pressed=pressed, key=f"figure-{name}-{number}")


def _answer(page: TaskPage, question: TaskQuestion) -> list[Node]:
    return because(answer_about_task(page.record, question), _entries)


def _entries(entries: tuple[int, ...]) -> Node | None:
    return el("small", "muted", f" {proof}", title=ENTRIES) if (proof := say_entries(entries)) else None


def ask(clicked: Mapping[str, Any]) -> None:
    """Open or close how a result came about, or choose a figure in it."""
    address.write("how", str(clicked.get("what", "")) or None)
