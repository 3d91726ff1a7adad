"""The form in which a sentence becomes an example utterance or a test case: to be copied, never written anywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date

import streamlit as st
from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.understanding.analysis import Analysis
from explain.grammar import quote
from pages.components.frame import escape_markdown
from pages.components.insightplan import stage
from pages.components.mending import (
    Expected,
    Unfit,
    expect_as_understood,
    find_example,
    list_fields,
    read_field,
    write_case,
    write_example,
    write_field,
)
from pages.components.planview import fact_label, goal_label
from pages.components.sheet import draw, el, icon
from planning.joint import name_request

_WAYS = {"example": "Make it an example", "case": "Make it a test case"}
_MOST = 6


def draw_mending(catalog: Catalog, analysis: Analysis, day: date) -> None:
    """Offer what a sentence that went wrong can become."""
    hint = "It can become an example of a goal, or a test case: a text to copy. No catalog and no file is changed here."
    draw("mending", [stage("Did it go wrong?", hint)], cls="panel")
    way = st.segmented_control(
        "What it becomes", list(_WAYS), format_func=_WAYS.__getitem__, key="mending-way", label_visibility="collapsed"
    )
    if way == "example" and catalog.goals:
        _draw_example(catalog, analysis)
    elif way == "case":
        _draw_case(catalog, analysis, day)


def _draw_example(catalog: Catalog, analysis: Analysis) -> None:
    mark = _mark(analysis.text)
    stretches = list(dict.fromkeys([*(one.span.text for one in analysis.segments), analysis.text.strip()]))
    with st.container(horizontal=True, key="mending-choice"):
        text = st.selectbox("Which words", stretches, format_func=quote, key=f"words-{mark}")
        goal = st.selectbox(
            "Ask for",
            list(catalog.goals),
            index=list(catalog.goals).index(_likeliest(catalog, analysis, text)),
            format_func=lambda name: goal_label(catalog, name),
            key=f"goal-{mark}-{stretches.index(text)}",
        )
    there = find_example(catalog, text)
    if there is not None:
        words = f"These words are an example of {quote(goal_label(catalog, there))} already."
        draw("mending-there", [el("p", "problem", icon("problem"), el("span", "", words))], cls="panel")
    snippet = write_example(goal, text)
    st.caption(
        "Put its last line under the examples of the goal in the catalog. People's names and values: invent them."
    )
    st.code(snippet, language=None, wrap_lines=True)
    st.download_button(
        "Download example.yaml",
        snippet,
        "example.yaml",
        "application/yaml",
        icon=":material/download:",
        on_click="ignore",
    )


def _likeliest(catalog: Catalog, analysis: Analysis, text: str) -> str:
    """Find the goal that some words most likely should have been taken for."""
    for segment in analysis.segments:
        if segment.span.text == text or text == analysis.text.strip():
            best = segment.goal or (segment.candidates[0].goal if segment.candidates else None)
            if best in catalog.goals:
                return str(best)
    return next(iter(catalog.goals))


def _draw_case(catalog: Catalog, analysis: Analysis, day: date) -> None:
    mark = _mark(f"{catalog.name} {day} {analysis.text}")
    understood = expect_as_understood(catalog, analysis.meaning)
    st.caption("This is what was understood. Change what is wrong: the line below is what should be understood.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.number_input(
            "Requests in it", 0, _MOST, min(_MOST, len(understood)), width=150, key=f"number-{mark}"
        )
        error = st.checkbox("The rules should object", bool(analysis.meaning.errors), key=f"error-{mark}")
    expected: list[Expected] = []
    for place in range(number):
        begun = understood[place] if place < len(understood) else Expected(next(iter(catalog.goals)))
        expected.append(_draw_expected(catalog, begun, [one.goal for one in expected], day, mark))
    line = write_case(analysis.text, day, expected, error=error)
    st.code(line, language=None, wrap_lines=True)
    st.download_button(
        "Download case.jsonl",
        f"{line}\n",
        "case.jsonl",
        "application/jsonl",
        icon=":material/download:",
        on_click="ignore",
    )


def _draw_expected(catalog: Catalog, begun: Expected, earlier: Sequence[str], day: date, mark: str) -> Expected:
    place = len(earlier)
    with st.container(border=True):
        goals = list(catalog.goals)
        goal = st.selectbox(
            f"Request {name_request(place)}",
            goals,
            index=goals.index(begun.goal) if begun.goal in goals else 0,
            format_func=lambda name: goal_label(catalog, name),
            key=f"case-{mark}-{place}",
        )
        said = begun.args if goal == begun.goal else {}
        args: dict[str, JsonValue] = {}
        fields = list_fields(catalog, goal, tuple(said))
        columns = st.columns(2) if fields else []
        for i, fact in enumerate(fields):
            with columns[i % 2]:
                value = _draw_field(
                    catalog, fact, said.get(fact), earlier, day, key=f"case-{mark}-{place}-{goal}-{fact}"
                )
            if value is not None:
                args[fact] = value
        missing = tuple(fact for fact in fields if fact not in args)
    return Expected(goal, args, missing)


def _draw_field(
    catalog: Catalog, fact: str, value: JsonValue, earlier: Sequence[str], day: date, *, key: str
) -> JsonValue:
    """Let an argument be edited; nothing written means that it was not said."""
    written = "" if value is None else write_field(value)
    text = st.text_input(
        escape_markdown(fact_label(catalog, fact)),
        written,
        key=key,
        placeholder="not said",
        autocomplete="off",
        max_chars=500,
    ).strip()
    if not text:
        return None
    if text == written:
        return value
    try:
        return read_field(catalog, fact, text, day, earlier)
    except Unfit as trouble:
        draw(f"unfit-{key}", [el("p", "problem", icon("problem"), el("span", "", str(trouble)))], cls="panel")
        return None


def _mark(text: str) -> str:
    """Name widgets after what they are about: for another sentence they begin anew."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]
