"""What a task asks for, and a place to answer: documents, values, skills, consent, go-aheads, judgements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import streamlit as st
from pydantic import JsonValue
from streamlit.runtime.uploaded_file_manager import UploadedFile

from catalog.load.demo_files import SAMPLES
from catalog.values import Kind
from catalog.values.documents import TYPES, FileType, file_value, type_of
from catalog.wording.grammar import count
from catalog.wording.values import expected
from explain.tasks.words import say_criterion
from language.responses.tasks import on_page
from language.responses.tasks.report import MissingReport
from pages.frame.problems import draw_found, draw_text, say_trouble, tried, typed_in
from pages.shell.clicks import clicked
from pages.shell.frame import escape_markdown
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, hint, icon
from pages.tasks.page_state import TaskPage
from planning.hierarchy.description import Description, ResultDocument

_PICTURES = {"information": "fact", "function": "skill", "consent": "authorize", "call": "confirm", "judge": "person"}
_MEGABYTE = 1_000_000


def draw_missing(page: TaskPage) -> None:
    """Draw what is asked for; what has to be supplied comes first."""
    if not page.report.missing or page.status in ("cancelled", "gave_up"):
        return
    order = ("information", "function")
    asked = sorted(page.report.missing, key=lambda one: one.kind not in order)
    lacks = asked[0].kind in order
    head = (icon("problem", "warn"), " ", on_page.MISSING) if lacks else on_page.ANSWERS
    with st.container(border=True, key="task-missing"):
        draw("task-missing-head", [el("h2", "", head)])
        for one in asked:
            _draw_request(page, one)


def _draw_request(page: TaskPage, one: MissingReport) -> None:
    key = f"{one.kind}-{'-'.join(one.names) or one.request}"
    with st.container(key=f"task-ask-{key}", gap="small"):
        draw(f"task-ask-words-{key}", [request_head(one, named=bool(page.task.description.results))])
        match one.kind:
            case "information":
                for fact in one.names:
                    _draw_information(page, fact)
                _draw_other_ways(page, one)
            case "function":
                _draw_function(page, one)
            case "consent" | "call":
                _draw_choice(key, ("Yes", "No"), lambda yes: services().tasks.consent(page.id, one.request, yes=yes))
            case "judge":
                draw_judging(page, int(one.names[0]), key)
            case "description":
                _draw_description(page, one, key)
            case _:
                _draw_doubt(page, one, key)
        _draw_trouble(key)


def request_head(one: MissingReport, *, named: bool = True) -> Node:
    """Say what is asked for, and what it is needed for; `named` says whether it is known what the task ends with."""
    words = [
        on_page.say_for_stages(one.stages),
        on_page.say_inputs(one),
        on_page.say_criteria(one),
        on_page.ALWAYS if one.always else "",
        on_page.say_tried_in_vain(one),
    ]
    return el(
        "div",
        "asked-for",
        el(
            "h3",
            "capital",
            icon(_PICTURES.get(one.kind, "problem")),
            " ",
            on_page.say_request(one) if named or one.kind != "description" else on_page.NO_RESULTS_NAMED,
        ),
        hint(" ".join(word for word in words if word)) if any(words) else None,
    )


def _do(key: str, act: Callable[[], object]) -> None:
    """Do what was asked; what is wrong with it is kept until the next try."""
    _, trouble = tried(act, on_page.NOT_KEPT, "This task was deleted.")
    st.session_state[f"task-trouble-{key}"] = trouble
    st.rerun()


def _forget(key: str) -> None:
    st.session_state.pop(f"task-trouble-{key}", None)


def _draw_trouble(key: str) -> None:
    trouble = st.session_state.get(f"task-trouble-{key}", ())
    with st.container():  # always there: what follows keeps its place, and is not made anew
        if trouble:
            draw_found(f"task-trouble-{key}-drawn", key, say_trouble(trouble))


def _draw_information(page: TaskPage, fact: str) -> None:
    declared = page.catalog.facts.get(fact)
    if declared is None:
        return
    kind, key = declared.value, f"{page.id}-{fact}"
    if declared.description or declared.ask:
        draw(f"task-supply-words-{fact}", [hint(declared.description or declared.ask)])
    if kind.innermost.uploaded:
        _draw_upload(page, fact, kind, key)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        words, named = escape_markdown(f"{on_page.TYPE_IT}: {expected(kind)}"), f"task-typed-{key}"
        shown: Literal["default", "password"] = "password" if page.catalog.is_sensitive(fact) else "default"
        typed = (
            st.text_input(words, key=named, autocomplete="off", type=shown, on_change=_forget, args=(key,))
            if kind.sayable and kind.item is None
            else st.text_area(words, key=named, on_change=_forget, args=(key,))
        )
        if clicked("Hand it over", key=f"task-hand-{key}", type="primary"):
            _do(key, lambda: services().tasks.hand_over_words(page.id, fact, typed))
    _draw_trouble(key)


def _draw_upload(page: TaskPage, fact: str, kind: Kind, key: str) -> None:
    inner = kind.innermost
    types = [TYPES[name] for one in getattr(inner, "media_types", ()) if (name := type_of(one)) is not None]
    endings = [ending.lstrip(".") for one in types for ending in one.endings]
    size = max(1, int(getattr(inner, "max_bytes", _MEGABYTE)) // _MEGABYTE)
    came = st.file_uploader(
        escape_markdown(page.fact(fact)),
        endings or None,
        accept_multiple_files=kind.item is not None,
        key=f"task-upload-{key}",
        max_upload_size=size,
        label_visibility="collapsed",
        on_change=_forget,
        args=(key,),
    )
    files = came if isinstance(came, list) else [came] if came is not None else []
    with st.container():
        _draw_giving(page, fact, kind, files)
    _draw_trouble(key)


def _draw_giving(page: TaskPage, fact: str, kind: Kind, files: list[UploadedFile]) -> None:
    """Let files be handed over that were chosen, or those that come with a demo."""
    key = f"{page.id}-{fact}"
    if files and clicked("Hand it over", key=f"task-hand-{key}", type="primary"):
        _hand_over(page, fact, kind, {one.name: one.getvalue() for one in files})
    if not files and (sample := SAMPLES.get(Path(page.task.file), {}).get(fact)):
        named = sample[0].name if len(sample) == 1 else count(len(sample), "file")
        words = f"{on_page.NO_FILE} {on_page.USE_SAMPLE.format(name=escape_markdown(named))}"
        if clicked(words, key=f"task-sample-{key}", icon=":material/draft:"):
            _hand_over(page, fact, kind, {path.name: path.read_bytes() for path in sample})


def _draw_other_ways(page: TaskPage, one: MissingReport) -> None:
    """Let what is missing be pasted, where it may be text, or a skill be written that gives it."""
    supplied = any(other.kind == "function" and other.names == one.names for other in page.report.missing)
    kinds = {fact: page.catalog.facts[fact].value for fact in one.names if fact in page.catalog.facts}
    pasted = {fact: (kind, text) for fact, kind in kinds.items() if (text := _text_of(kind)) is not None}
    paste, skill = st.columns(2, gap="small") if pasted else (st.container(), st.container())
    with paste:
        for fact, (kind, text) in pasted.items():
            _draw_pasting(page, fact, kind, text)
    if not supplied:
        with skill:
            _draw_skill(page, one, on_page.OR_SKILL, expanded=False)


def _text_of(kind: Kind) -> FileType | None:
    media_types = getattr(kind.innermost, "media_types", ()) if kind.innermost.uploaded else ()
    types = (TYPES[name] for one in media_types if (name := type_of(one)) is not None)
    return next((one for one in types if one.is_text), None)


def _draw_pasting(page: TaskPage, fact: str, kind: Kind, text: FileType) -> None:
    key = f"{page.id}-{fact}"
    with st.expander(on_page.PASTE_IT, key=f"task-paste-{key}", icon=":material/content_paste:", on_change="rerun"):
        words = on_page.PASTED.format(noun=text.noun)
        pasted: str = st.text_area(words, key=f"task-pasted-{key}", on_change=_forget, args=(key,))
        if clicked("Hand it over", key=f"task-hand-pasted-{key}"):
            _hand_over(page, fact, kind, {f"{fact}{ending_of(text, pasted)}": pasted.encode()})


def _hand_over(page: TaskPage, fact: str, kind: Kind, data: Mapping[str, bytes]) -> None:
    values: list[JsonValue] = [file_value(name, held) for name, held in data.items()]
    value: JsonValue = values if kind.item is not None else values[0]
    _do(f"{page.id}-{fact}", lambda: services().tasks.hand_over(page.id, fact, value, data))


def ending_of(text: FileType, pasted: str) -> str:
    """Return the ending of a file that holds what was pasted: rows from a spreadsheet are parted by tabs."""
    first = pasted.strip().partition("\n")[0]
    return ".tsv" if ".tsv" in text.endings and "\t" in first else text.endings[0]


def _draw_function(page: TaskPage, one: MissingReport) -> None:
    functions = [other for other in page.report.missing if other.kind == "function"]
    _draw_skill(page, one, "Supply a skill", expanded=one == functions[0])
    facts = page.catalog.facts
    asked = {fact for other in page.report.missing if other.kind == "information" for fact in other.names}
    for fact in one.names:
        if fact in facts and facts[fact].fillable and facts[fact].askable and fact not in asked:
            draw(f"task-or-{fact}", [hint(on_page.OR_HAND_OVER.format(what=page.fact(fact)))])
            _draw_information(page, fact)


def _draw_skill(page: TaskPage, one: MissingReport, words: str, *, expanded: bool) -> None:
    key = f"task-skill-{page.id}-{'-'.join(one.names)}"
    facts = page.catalog.facts
    if f"{key}-begun" not in st.session_state:
        given = {label: name for name, label in ((name, facts[name].label) for name in facts)}
        inputs = [given[label] for label in one.inputs if label in given]
        st.session_state[f"{key}-begun"] = on_page.begin_skill(one.names, inputs, one.introduced)
    begun: str = st.session_state[f"{key}-begun"]
    with st.expander(words, expanded, key=f"{key}-box", icon=":material/bolt:", on_change="rerun"):
        draw(f"{key}-how", [hint(on_page.SKILL_HOW)])
        trouble = st.session_state.get(f"task-trouble-{key}", ())
        draw_text(key, on_page.SKILL_EDITOR, begun, [one for one in trouble if not isinstance(one, str)], short=True)
        text = typed_in(key, begun)
        if clicked("Supply it", key=f"{key}-give", type="primary"):
            _do(key, lambda: services().tasks.supply_function(page.id, text))
        _draw_trouble(key)


def _draw_choice(key: str, words: tuple[str, str], act: Callable[[bool], object]) -> None:
    with st.container(horizontal=True, gap="small"):
        if clicked(words[0], key=f"task-yes-{key}", type="primary"):
            _do(key, lambda: act(True))
        if clicked(words[1], key=f"task-no-{key}"):
            _do(key, lambda: act(False))


def draw_judging(page: TaskPage, number: int, key: str) -> None:
    found: str = st.text_input(on_page.FOUND, key=f"task-found-{page.id}-{key}", max_chars=500)
    _draw_choice(
        key,
        ("It is met", "It is not met"),
        lambda met: services().tasks.judge(page.id, number, met=met, found=found.strip()),
    )


def _draw_doubt(page: TaskPage, one: MissingReport, key: str) -> None:
    """Let a person say whether a call took effect, and what it gave."""
    draw(f"task-ask-doubt-{key}", [hint(on_page.IN_DOUBT)])
    facts = services().tasks.given_by(page.id, one.request)
    typed = {fact: st.text_input(escape_markdown(page.fact(fact)), key=f"task-gave-{page.id}-{fact}") for fact in facts}
    _draw_choice(
        key,
        ("It took effect", "It did not"),
        lambda yes: services().tasks.settle(page.id, one.request, typed if yes else None),
    )


def _draw_description(page: TaskPage, one: MissingReport, key: str) -> None:
    """Let parts that were made up be taken as they are, or less of them; results that were not named are chosen."""
    description, facts = page.task.description, page.catalog.facts
    results: list[str] = st.multiselect(
        on_page.PARTS["results"].removeprefix("the ").capitalize(),
        [name for name, fact in facts.items() if name in description.results or not fact.askable],
        list(description.results),
        format_func=page.fact,
        key=f"task-results-{page.id}-{one.request}",
        placeholder="What should it end with?",
    )
    kept = [number for number, _ in enumerate(description.criteria)]
    if kept:
        kept = st.multiselect(
            on_page.PARTS["criteria"].removeprefix("the ").capitalize(),
            kept,
            kept,
            format_func=lambda number: say_criterion(page.catalog, description.criteria[number]),
            key=f"task-criteria-{page.id}-{one.request}",
        )
    if clicked("Take it so", key=f"task-take-{key}", type="primary", disabled=not results):
        changed = _with(description, results, kept)
        _do(key, lambda: services().tasks.confirm(page.id, one.request, changed))


def _with(description: Description, results: list[str], kept: list[int]) -> Description:
    """Return a description with other results, and with those criteria that are kept and are about one of them."""
    criteria = tuple(one for number, one in enumerate(description.criteria) if number in kept and one.of in results)
    documents = {name: description.results.get(name, ResultDocument()) for name in results}
    return description.model_copy(update={"results": documents, "criteria": criteria})
