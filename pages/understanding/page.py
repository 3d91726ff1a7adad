"""Understanding: type a sentence, and see step by step how it is interpreted."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import astuple, dataclass, replace
from datetime import date
from typing import Any

import streamlit as st

from catalog.model import Catalog
from dialogue.services.inspection import Insight, holds_secret
from language.llm.settings import ModelUse
from language.text.words import MAX_TEXT
from pages.shell import address
from pages.shell.frame import announce, bar, notice, result_of, say_unknown_catalog
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, button, draw, el, empty, hint
from pages.understanding import interpretation
from pages.understanding.corrections import draw_mending

FIRST = "The first sentence takes a few seconds: the assistant learns what requests of this catalog sound like."
_EXAMPLES = 9
# Longer examples are not offered: they would fill a small screen.
_LONGEST = 60
# Where the sentence stays while other pages are looked at.
_LAST = "understanding"
# What the fields began with, and how often the sentence was put there since by a click: each time it is another field.
_BEGUN = "understanding-begun"
_TAKEN = "understanding-taken"


@dataclass(frozen=True, slots=True)
class Query:
    """A sentence, said to the assistant of a catalog on a day."""

    catalog: str
    sentence: str
    day: date


def _begin() -> Query:
    """Return what the fields begin with: what is in the address, else what was looked at last.

    It is given to them as their default. Set by their keys, it would be said to the browser in one run only, and lost
    where another run follows before the browser has loaded the fields.
    """
    begun: Query | None = st.session_state.get(_BEGUN)
    if begun is not None and "understanding-catalog" in st.session_state:
        return begun
    params = st.query_params
    known = services().catalogs()
    last = st.session_state.get(_LAST) or Query(known[0], "", services().today)
    came = bool(params.get("sentence") or params.get("catalog"))
    catalog = params.get("catalog") or last.catalog
    sentence = params.get("sentence", "")[:MAX_TEXT] if came else last.sentence
    day = _read_day(params.get("day", "")) or (services().today if came else last.day)
    begun = Query(catalog if catalog in known else known[0], sentence, day)
    st.session_state[_BEGUN] = begun
    return begun


def _read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _ask(begun: Query) -> tuple[Query, Catalog]:
    """Draw the form above; what is in it is the query."""
    names = services().catalogs()
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        bar("Understanding", "how a sentence is read")
        name = st.selectbox(
            "Catalog",
            names,
            index=names.index(begun.catalog) if begun.catalog in names else 0,
            width=260,
            format_func=catalog_labels().__getitem__,
            label_visibility="collapsed",
            key="understanding-catalog",
        )
    catalog = services().loaded(name).catalog
    with st.container(horizontal=True, key="understanding-ask", vertical_alignment="bottom"):
        sentence = st.text_input(
            "Sentence",
            begun.sentence,
            key=f"understanding-sentence-{st.session_state.get(_TAKEN, 0)}",
            placeholder="A sentence to the assistant…",
            max_chars=MAX_TEXT,
            autocomplete="off",
        )
        day = st.date_input(
            "Said on",
            begun.day,
            key="understanding-day",
            width=150,
            min_value=date(1970, 1, 1),
            max_value=date(2199, 12, 31),
            format="YYYY-MM-DD",
            help="“Last quarter” is counted from this day.",
        )
    return Query(name, (sentence or "").strip(), day or services().today), catalog


def _examples(catalog: Catalog, sentence: str) -> None:
    """Offer examples of the catalog; out of the way once there is a sentence."""
    fitting = ([text for text in goal.examples if len(text) <= _LONGEST] for goal in catalog.goals.values())
    texts = [max(some, key=len) for some in fitting if some][:_EXAMPLES]
    if not texts:
        return
    chips: list[Node] = [button("reply", text, act={"do": "say", "text": text}) for text in texts]
    row = el("div", "examples", chips, role="group", aria_label="Examples")
    tree: Node = el("details", "evidence", el("summary", "", "Examples of this catalog"), row) if sentence else row
    draw("examples", [tree], _take)


def _take(act: Any) -> None:
    if act.get("do") == "say":
        st.session_state[_BEGUN] = replace(st.session_state[_BEGUN], sentence=str(act.get("text", ""))[:MAX_TEXT])
        st.session_state[_TAKEN] = st.session_state.get(_TAKEN, 0) + 1


def _look(query: Query) -> Future[Insight]:
    """Analyse the sentence; the same one is not analysed again while nothing else has changed.

    What was asked is compared by its values: the script, and with it the class of queries, is another in each run.
    """
    asked = (*astuple(query), services().language_model.settings, services().loaded(query.catalog).digest)
    kept: tuple[Any, Future[Insight]] | None = st.session_state.get("insight")
    if kept is None or kept[0] != asked or kept[1].cancelled():
        kept = (asked, services().look_into(query.catalog, query.sentence, query.day))
        st.session_state["insight"] = kept
    return kept[1]


def _keep_address(query: Query, secret: bool) -> None:
    """Keep the query in the address, to be shared; never a sentence that has something sensitive in it."""
    st.session_state[_LAST] = query
    say_unknown_catalog(st.query_params.get("catalog", ""), query.catalog)
    st.query_params["catalog"] = query.catalog
    st.query_params["day"] = query.day.isoformat()
    address.write("sentence", None if secret else query.sentence or None)


def _draw(query: Query, catalog: Catalog, insight: Insight) -> None:
    secret = holds_secret(catalog, insight.analysis.meaning)
    _keep_address(query, secret)
    if secret:
        words = "Something sensitive is in it, so this sentence is not kept in the address."
        draw("secret", [hint(words)])
    draw("said", interpretation.said(catalog, insight))
    announce(interpretation.judge(catalog, insight)[2])
    left, right = st.columns([6, 7], gap="medium")
    with left:
        draw("requests", interpretation.requests(catalog, insight))
        if services().language_model.settings.mode is not ModelUse.OFF:
            draw("consulted", interpretation.language_model(insight.analysis.consultation))
    with right:
        draw("plan", interpretation.plan(catalog, insight))
        draw("rules", interpretation.rules(insight))
    draw_mending(catalog, insight.analysis, query.day)


def main() -> None:
    if not services().catalogs():
        notice("no-catalogs", "problem", "No catalog is loaded", "Start Planglass with a catalog file.")
        return
    query, catalog = _ask(_begin())
    _examples(catalog, query.sentence)
    if not query.sentence:
        _keep_address(query, secret=False)
        words = "Type one above and press Enter, or take an example. Nothing is asked, called or kept."
        draw("said", [empty("glass", "No sentence yet", words)])
        return
    insight = result_of(_look(query), "sentence", "Reading the sentence", FIRST)
    if insight is not None:
        _draw(query, catalog, insight)


if __name__ == "__main__":
    main()
