"""The form in which a sentence becomes an example utterance or a test case: to be copied, never written anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import streamlit as st
import yaml
from pydantic import JsonValue

from catalog.analysis.dependencies import arguments_of, find_result, what_leads_to
from catalog.model import Catalog
from catalog.values import Unreadable
from catalog.wording.grammar import quote
from dialogue.services.inspection import name_request
from language.interpretation import Analysis, Intent, Interpretation
from language.languages import ENGLISH, Language
from pages.shell.frame import download, escape_markdown
from pages.shell.root import services
from pages.shell.sheet import draw, problem
from pages.understanding.interpretation import stage
from pages.views.plans import fact_label, goal_label


@dataclass(frozen=True, slots=True)
class GoldRequest:
    """A request as it should be understood: what is said for it, and what is not."""

    goal: str
    args: Mapping[str, JsonValue] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


class UnfitCorrection(ValueError):
    """The text given for an argument is no valid value; the message says why."""


def write_example(goal: str, text: str) -> str:
    """Write an example utterance as it stands in a catalog."""
    return yaml.safe_dump({"goals": {goal: {"examples": [text]}}}, allow_unicode=True, sort_keys=False, width=10_000)


def find_example(catalog: Catalog, text: str) -> str | None:
    folded = " ".join(text.casefold().split())
    for goal in catalog.goals.values():
        if any(" ".join(example.casefold().split()) == folded for example in goal.examples):
            return goal.name
    return None


def list_fields(catalog: Catalog, goal: str, given: Sequence[str] = ()) -> tuple[str, ...]:
    """List what can be said for a goal, in its order; what was said for it besides comes last."""
    return tuple(dict.fromkeys((*arguments_of(catalog, goal), *given)))


def expect_as_understood(catalog: Catalog, meaning: Interpretation) -> tuple[GoldRequest, ...]:
    """Begin with what was understood: what is wrong in it is changed for the test case."""
    return tuple(_expected(catalog, meaning, mention) for mention in meaning.goals)


def _expected(catalog: Catalog, meaning: Interpretation, mention: Intent) -> GoldRequest:
    needs = what_leads_to(catalog, catalog.goals[mention.goal]).facts
    args: dict[str, JsonValue] = {value.fact: value.value for value in meaning.values if value.fact in needs}
    args |= {value.fact: value.value for value in mention.values}
    for one in mention.references:
        args[one.fact] = {"ref": one.to[0] if len(one.to) == 1 else list(one.to)}
    fields = list_fields(catalog, mention.goal, tuple(args))
    return GoldRequest(
        mention.goal, {fact: args[fact] for fact in fields if fact in args}, tuple(f for f in fields if f not in args)
    )


def write_field(value: JsonValue) -> str:
    """Write an argument as it is edited; a reference as the names of the requests it is to."""
    if isinstance(value, dict) and "ref" in value:
        to = value["ref"] if isinstance(value["ref"], list) else [value["ref"]]
        return ", ".join(name_request(place) for place in to if isinstance(place, int))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_field(
    catalog: Catalog, fact: str, text: str, today: date, earlier: Sequence[str], *, language: Language = ENGLISH
) -> JsonValue:
    """Read an argument as it was edited; `earlier` are the goals of the requests before, to which it may refer."""
    places = {name_request(place): place for place, goal in enumerate(earlier) if find_result(catalog, goal, fact)}
    named = [name.strip() for name in text.split(",")]
    if places and all(name in places for name in named):
        to: list[JsonValue] = [places[name] for name in named]
        return {"ref": to[0] if len(to) == 1 else to}
    kind = catalog.facts[fact].value
    try:
        return kind.check(json.loads(text) if text[:1] in "[{" else text, today)
    except (Unreadable, ValueError):
        pass
    try:
        return language.read_answer(kind, text, today)
    except Unreadable as trouble:
        raise UnfitCorrection(language.questions.not_read(trouble.fault, kind)) from trouble


def classify(expected: Sequence[GoldRequest], error: bool) -> str:
    """Name the class of a case, as the cases of the benchmark are classed."""
    if error:
        return "constraint"
    if not expected:
        return "out-of-domain"
    number = ("single", "two")[len(expected) - 1] if len(expected) < 3 else "three"
    flows = any(isinstance(value, dict) and "ref" in value for one in expected for value in one.args.values())
    rest = "incomplete" if any(one.missing for one in expected) else "complete"
    return "-".join([number, *(["dataflow"] if flows else []), rest])


def write_case(text: str, today: date, expected: Sequence[GoldRequest], *, error: bool) -> str:
    """Write a test case as one line of JSON, in the form of benchmarks/understanding."""
    named = classify(expected, error)
    digest = hashlib.sha256(f"{today.isoformat()} {text}".encode()).hexdigest()[:8]
    goals = [{"goal": one.goal, "args": dict(one.args), "missing": list(one.missing)} for one in expected]
    case = {"id": f"{named}-{digest}", "class": named, "text": text, "today": today.isoformat()}
    return json.dumps(case | {"goals": goals, "error": error}, ensure_ascii=False)


_WAYS = {"example": "Make it an example", "case": "Make it a test case"}
_MOST = 6


def draw_mending(catalog: Catalog, analysis: Analysis, day: date) -> None:
    """Offer what a sentence that went wrong can become."""
    hint = "It can become an example of a goal, or a test case: a text to copy. No catalog and no file is changed here."
    draw("mending", [stage("Did it go wrong?", hint)])
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
        draw("mending-there", [problem(words)])
    snippet = write_example(goal, text)
    st.caption(
        "Put its last line under the examples of the goal in the catalog. People's names and values: invent them."
    )
    st.code(snippet, language=None, wrap_lines=True)
    download("Download example.yaml", snippet, "example.yaml", "application/yaml")


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
    expected: list[GoldRequest] = []
    for place in range(number):
        begun = understood[place] if place < len(understood) else GoldRequest(next(iter(catalog.goals)))
        expected.append(_draw_expected(catalog, begun, [one.goal for one in expected], day, mark))
    line = write_case(analysis.text, day, expected, error=error)
    st.code(line, language=None, wrap_lines=True)
    download("Download case.jsonl", f"{line}\n", "case.jsonl", "application/jsonl")


def _draw_expected(catalog: Catalog, begun: GoldRequest, earlier: Sequence[str], day: date, mark: str) -> GoldRequest:
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
    return GoldRequest(goal, args, missing)


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
        return read_field(catalog, fact, text, day, earlier, language=services().language)
    except UnfitCorrection as trouble:
        draw(f"unfit-{key}", [problem(str(trouble))])
        return None


def _mark(text: str) -> str:
    """Name widgets after what they are about: for another sentence they begin anew."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]
