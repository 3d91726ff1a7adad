"""What came of a task: its results, how its criteria stand, and how far its lists are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import streamlit as st
from pydantic import JsonValue

from catalog.values import Kind
from dialogue.tasks.state.provenance import hides
from dialogue.tasks.state.task import Value
from dialogue.tasks.telling.progress import ListProgress, lists_of
from language.responses.tasks.on_page import (
    CRITERIA,
    HIDDEN,
    ITEM_STATES,
    ITEMS,
    JUDGE_IT,
    NO_RESULTS,
    RESULTS,
    STANDINGS,
    say_item,
    say_items,
)
from language.responses.tasks.report import JUDGES
from pages.shell.frame import escape_markdown
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, hint, icon, shorten
from pages.tasks.look import Look
from pages.tasks.missing import draw_judging
from pages.tasks.why import ask, how_it_came, why_unmet
from pages.views.media import data_table, draw_figure, draw_file, file_of
from pages.views.plans import skill_label

_LONGEST = 4_000
_MOST = 50
_ITEMS, _FAILED = 100, 10
"""Items of a list that are drawn, and of those that failed, how many are drawn first."""
_PICTURES = {"met": "done", "unmet": "failed", "waiting": "person", "unchecked": "later"}
_TONES = {"met": "good", "unmet": "bad", "waiting": "warn", "unchecked": ""}


def draw_outcome(look: Look) -> None:
    draw("task-results-head", [el("h2", "", RESULTS), *([] if look.report.results else [hint(NO_RESULTS)])])
    with st.container(key="task-results"):  # always there: what follows keeps its place, and is not made anew
        for result in look.report.results:
            found = look.task.find(look.catalog, result.name)
            if found is not None:
                _draw_result(look, result.name, look.catalog.facts[found.fact].value, found)
    draw("task-criteria", [*criteria(look)])
    for one in look.report.criteria:
        if one.by == "model":
            with st.expander(escape_markdown(JUDGE_IT.format(criterion=shorten(one.text, 80)))):
                draw_judging(look, one.number, f"outweigh-{one.number}")
    draw("task-lists", [*lists(look)])


def _draw_result(look: Look, name: str, kind: Kind, found: Value) -> None:
    value = found.value
    with st.container(border=True, key=f"task-result-{name}"):
        draw(f"task-result-head-{name}", [el("h3", "capital", look.fact(name))])
        if hides(look.catalog, look.task, found):
            draw(f"task-result-hidden-{name}", [hint(icon("authorize"), " ", HIDDEN)])
            if not st.toggle("Show it", key=f"task-reveal-{name}"):
                return
        parts = value if kind.item is not None and isinstance(value, list) else [value]
        for number, part in enumerate(parts[:_MOST]):
            _draw_value(look, f"{name}-{number}", kind.item or kind, part, look.fact(name))
        if len(parts) > _MOST:
            draw(f"task-result-more-{name}", [hint(f"And {len(parts) - _MOST:,} more.")])
        draw(f"task-result-how-{name}", how_it_came(look, name), ask)


def _draw_value(look: Look, key: str, kind: Kind, value: JsonValue, label: str) -> None:
    if not isinstance(value, Mapping):
        text = kind.show(value)
        lines = [el("p", "", line) for line in shorten(text, _LONGEST).split("\n") if line.strip()]
        draw(f"task-value-{key}", [el("div", "said-result", lines)])
    elif kind.shown_as in ("picture", "document"):
        draw_file(partial(services().tasks.file, look.id), file_of(value), key=f"task-download-{key}")
    elif kind.shown_as == "chart" and isinstance(figure := value.get("plotly"), dict):
        draw_figure(figure, key=f"task-chart-{key}")
    elif kind.shown_as == "table":
        draw(f"task-table-{key}", [el("div", "", data_table(value, label))])
    else:
        draw(f"task-value-{key}", [el("p", "", shorten(kind.show(dict(value)), _LONGEST))])


def criteria(look: Look) -> Iterator[Node]:
    if not look.report.criteria:
        return
    rows = [
        el(
            "li",
            f"criterion {one.standing}",
            el("span", f"tag {_TONES[one.standing]}", icon(_PICTURES[one.standing]), f" {STANDINGS[one.standing]}"),
            el("span", "capital", one.text),
            el("small", "muted", shorten(one.found, 300)) if one.found and one.found != one.text else None,
            el("small", "muted", JUDGES[one.by])
            if one.by in ("person", "model") and one.standing != "waiting"
            else None,
            why_unmet(look, one.number) if one.standing == "unmet" else None,
            key=f"criterion-{one.number}",
        )
        for one in sorted(look.report.criteria, key=lambda one: one.standing != "unmet")
    ]
    met = sum(one.standing == "met" for one in look.report.criteria)
    yield el("h2", "counted", CRITERIA, el("small", "muted", f" {met} of {len(rows)} met"))
    yield el("ul", "criteria", rows, aria_label=CRITERIA)


def lists(look: Look) -> Iterator[Node]:
    """Draw what is done for each item of a list, with what failed."""
    found = lists_of(look.task, look.catalog)
    if not found:
        return
    yield el("h2", "counted", ITEMS)
    yield from (_list(look, one) for one in found)


def _list(look: Look, one: ListProgress) -> Node:
    done, failed, running = map(one.count, ("done", "failed", "running"))
    words = say_items(one.total, done, failed, running)
    items = sorted(one.items, key=lambda item: item.standing != "failed")
    rows = [
        el(
            "li",
            f"item {item.standing}",
            icon({"done": "done", "failed": "failed"}.get(item.standing, "running")),
            el("span", "", say_item(item.number, shorten(item.name, 80)), ": ", ITEM_STATES[item.standing]),
            el("small", "muted", shorten(item.reason, 300)) if item.reason else None,
        )
        for item in items[:_ITEMS]
    ]
    more = f"And {len(items) - len(rows):,} more." if len(items) > len(rows) else ""
    share = f"{100 * (done + failed) / one.total:.0f}%" if one.total else "0%"
    return el(
        "div",
        "of-list",
        el(
            "p",
            "",
            el("strong", "capital", skill_label(look.catalog, one.skill)),
            f", {look.fact(one.listed)}: {words}",
        ),
        el("div", "meter", el("span", vars={"--done": share}), aria_hidden="true"),
        el("ul", "items", rows[: min(failed, _FAILED)]) if failed else None,
        hint(f"And {failed - _FAILED:,} more failed.") if failed > _FAILED else None,
        el(
            "details", "evidence", el("summary", "", "All items"), el("ul", "items", rows), hint(more) if more else None
        ),
        key=f"list-{one.skill}-{one.listed}",
    )
