"""Which norms were in force when, and on whom they bore: a picture, the same as a table, and counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from catalog.norms.vocabulary import NormKind
from catalog.wording.grammar import clean, count
from explain.rooms.record import InForce, NormEnding
from language.responses.rooms import on_page
from pages.rooms.page_state import RoomPage
from pages.shell.frame import announce
from pages.shell.sheet import Node, draw, el, empty, folded, hint, shorten, table
from pages.views.media import draw_figure

_PATTERNS = {NormKind.OBLIGATION: "", NormKind.PERMISSION: ".", NormKind.PROHIBITION: "/"}
_COLOURS = {NormKind.OBLIGATION: "#7a6bd0", NormKind.PERMISSION: "#2f9b6a", NormKind.PROHIBITION: "#d0574d"}
_MOST = 60
_ROW = 26
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class NormSpan:
    """A norm that had a bearer for a while, from one place in the order of the room to another; None: still."""

    norm: InForce
    bearer: str
    began: int
    ended: int | None
    how: NormEnding


def draw_norms(page: RoomPage) -> None:
    spans = spans_of(timed(page), [one.entry for one in page.room.posted])
    stands = list(page.room.specification.standing())
    if not spans:
        draw("norms-empty", [empty("later", on_page.NORMS_EMPTY, on_page.NORMS_EMPTY_WORDS)])
    else:
        announce(count(len(spans), "span"))
        draw("norms-head", [hint(f"From message to message: {count(len(page.room.order), 'message')} so far.")])
        draw_figure(figure(spans, len(page.room.order)), "norms-figure", height=110 + _ROW * len(_rows(spans)))
        draw("norms-table", [_table(spans)])
    if stands:
        draw("norms-standing", [el("p", "", on_page.STANDING, ": ", ", ".join(one.label for one in stands), ".")])
    draw("norms-counters", counters(page))


def timed(page: RoomPage) -> list[InForce]:
    """Return the norms that came and went; those that always stand are named apart."""
    return [one for one in page.record.norms if not one.standing]


def spans_of(norms: Sequence[InForce], order: Sequence[int]) -> list[NormSpan]:
    """Return when norms bore on whom, in places of the room's order: 0 is the start, 1 the first message."""

    def place(entry: int | None) -> int:
        return sum(1 for one in order if one <= entry) if entry is not None else 0

    found = []
    for norm in norms:
        ends: Mapping[str, tuple[int, NormEnding]] = {
            **{name: (entry, NormEnding.MET) for name, entry in norm.met},
            **{name: (entry, NormEnding.UNMET) for name, entry in norm.unmet},
        }
        for bearer in dict.fromkeys((*norm.bearers, *ends)):
            entry, how = ends.get(bearer, (norm.until, norm.ended))
            found.append(NormSpan(norm, bearer, place(norm.since), None if entry is None else place(entry), how))
    return found[-_MOST:]


def _rows(spans: Sequence[NormSpan]) -> list[str]:
    return list(dict.fromkeys(_row(one) for one in spans))


def _row(span: NormSpan) -> str:
    return escape(f"{clean(span.norm.label, _LONGEST)}: {clean(span.bearer, 20)}")


def figure(spans: Sequence[NormSpan], messages: int) -> dict[str, Any]:
    """Draw a bar for each span, a row for each norm and bearer; patterns tell the kinds as colours do."""
    traces = []
    for kind in NormKind:
        of_kind = [one for one in spans if one.norm.kind is kind]
        if not of_kind:
            continue
        ends = [(messages if one.ended is None else one.ended) for one in of_kind]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": on_page.KINDS[kind.value],
                "y": [_row(one) for one in of_kind],
                "base": [one.began for one in of_kind],
                "x": [max(end - one.began, 0.35) for one, end in zip(of_kind, ends, strict=True)],
                "marker": {"color": _COLOURS[kind], "pattern": {"shape": _PATTERNS[kind], "solidity": 0.25}},
                "hovertemplate": "%{y}: %{customdata}<extra></extra>",
                "customdata": [f"from message {one.began}, {on_page.ENDINGS[one.how.value]}" for one in of_kind],
            }
        )
    return {
        "data": traces,
        "layout": {
            "barmode": "overlay",
            "showlegend": True,
            "bargap": 0.35,
            "xaxis": {"title": {"text": "message"}, "rangemode": "tozero", "dtick": max(1, messages // 12)},
            "yaxis": {
                "autorange": "reversed",
                "automargin": True,
                "categoryarray": _rows(spans),
                "categoryorder": "array",
            },
        },
    }


def _table(spans: Sequence[NormSpan]) -> Node:
    rows = [
        el(
            "tr",
            "",
            el("th", "", shorten(one.norm.label, 80), scope="row"),
            el("td", "", on_page.KINDS[one.norm.kind.value]),
            el("td", "", one.bearer),
            el("td", "wrap", f"message {one.began}" if one.began else "the start", _by(one)),
            el("td", "", "" if one.ended is None else f"message {one.ended}" if one.ended else "the start"),
            el("td", "", on_page.IN_FORCE if one.ended is None else on_page.ENDINGS[one.how.value]),
        )
        for one in spans
    ]
    heads = ("Norm", "Kind", "Bears on", "From", "Until", "How it ended")
    inner = table(heads, rows, "norms")
    return folded("The same as a table", inner)


def _by(span: NormSpan) -> Node | str:
    return el("small", "muted", f" by {span.norm.transition}") if span.norm.transition else ""


def counters(page: RoomPage) -> list[Node]:
    """Say how much was posted, and how often each transition fired."""
    return [*_shares(page), *_fired(page)]


def _shares(page: RoomPage) -> Iterator[Node]:
    judged = [one for one in page.room.messages.values() if one.verdict is not None]
    groups = {
        "everybody": judged,
        "people": [one for one in judged if not page.is_bot(one.message.sender)],
        "bots": [one for one in judged if page.is_bot(one.message.sender)],
    }
    if judged:
        rows = [
            _counted(name, "", str(len(some)), str(posted), f"{100 * posted / len(some):.1f} %" if some else "–")
            for name, some in groups.items()
            for posted in [sum(one.posted for one in some)]
        ]
        yield el("h3", "counted", "Messages")
        yield _counts(("Of", "Sent", "Posted", "Share"), rows)


def _fired(page: RoomPage) -> Iterator[Node]:
    found = Counter(one.verdict.transition for one in page.room.messages.values() if one.verdict is not None)
    found.update(one.lapse.transition for one in page.room.lapses)
    declared = page.room.specification.transitions
    rows = [
        _counted(name, declared[name].description or declared[name].label, str(often))
        for name, often in found.most_common()
        if name is not None and name in declared
    ]
    if rows:
        yield el("h3", "counted", "Transitions")
        yield _counts(("Name", "In words", "Fired"), rows)


def _counted(name: str, words: str, *figures: str) -> Node:
    said = el("td", "wrap", words) if words else None
    return el("tr", "", el("th", "", name, scope="row"), said, [el("td", "figure", figure) for figure in figures])


def _counts(heads: Sequence[str], rows: Sequence[Node]) -> Node:
    named = [el("th", "figure" if word not in ("Of", "Name", "In words") else "", word, scope="col") for word in heads]
    return el("div", "tablebox wide", el("table", "", el("thead", "", el("tr", "", named)), el("tbody", "", rows)))
