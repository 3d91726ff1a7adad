"""Files, charts and tables: the values that words cannot show."""

from __future__ import annotations

import base64
import io
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from catalog.load.demo_files import DEMOS
from catalog.values.media import MEDIA_TYPES
from catalog.wording.grammar import capitalize
from catalog.wording.values import tell_file
from dialogue.log.events import USER, Attachment
from dialogue.services import Upload
from dialogue.state.conversation import resolve_among
from dialogue.state.masking import is_masked
from dialogue.state.messages import Message
from dialogue.state.provenance import is_secret
from pages.shell.frame import escape_markdown
from pages.shell.root import services
from pages.shell.sheet import Node, button, el, icon, shorten
from pages.views.snapshot_view import SnapshotView

_LOG = logging.getLogger(__name__)
_ROWS = 200
_WRAPPED = 36
"""Characters of a cell that is longer than a line."""
_FIGURE = re.compile(r"-?[$€£]?\d[\d,]*(?:\.\d+)?\s?%?")
_SUM = re.compile(r"-?\d{4,12}\.\d{2}")
_MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}
_SIDE = 320
_DOWNLOAD = ":material/download:"
_PIXELS = 40_000_000
_PARTED = ("pie", "sunburst", "funnelarea")
"""Charts that have a legend for the parts of one series."""


def thumbnail(seen: SnapshotView, file: Attachment) -> Node:
    """Show an uploaded picture small, another file by its name, its type and its size.

    A picture that stands for a sensitive fact is shown only once that is revealed.
    """
    picture = file.media_type in MEDIA_TYPES
    source = None if _hidden(seen, file) or not picture else _small(seen.snapshot.session_id, file.sha256)
    size = f"{max(1, file.size // 1024):,} kB" if picture else tell_file(file.media_type, file.size)
    return el(
        "span",
        "file",
        el("img", "thumb", src=source, alt=f"The picture {shorten(file.name, 60)}")
        if source
        else icon("picture" if picture else "copy"),
        el("span", "filename", seen.text(shorten(file.name, 60)), el("small", "", size)),
    )


def _hidden(seen: SnapshotView, file: Attachment) -> bool:
    stood_for = seen.pictured.get(file.sha256, ())
    return any(is_secret(seen.catalog, fact) and fact not in seen.conversation.facts.revealed for fact in stood_for)


@lru_cache(maxsize=64)
def _small(session_id: str, sha256: str) -> str | None:
    from PIL import Image

    try:
        return _encode(services().file(session_id, sha256), _SIDE)
    except (OSError, LookupError, ValueError, Image.DecompressionBombError) as trouble:
        _LOG.warning("no small picture of %s: %s", sha256, type(trouble).__name__)
        return None


@dataclass(frozen=True, slots=True)
class FactDisplay:
    """What is drawn below a message for one of its facts: the figure of a chart, the rows of a table, or a file.

    `entry` is the entry of the log that established it.
    """

    fact: str
    entry: int
    figure: dict[str, Any] | None = None
    rows: Node | None = None
    file: Attachment | None = None


def drawn_with(seen: SnapshotView, message: Message) -> Iterator[FactDisplay]:
    """Yield the charts, tables and files of a message, as they were by then, as far as they may be shown."""
    for file in message.attachments if message.sender != USER else ():
        yield FactDisplay(file.sha256, message.seq, file=file)
    for fact in message.facts:
        known = resolve_among(seen.catalog, message.known, fact)
        declared = seen.catalog.facts.get(known.fact) if known else None
        if known is None or declared is None or not isinstance(known.value, dict):
            continue
        if is_masked(seen.catalog, seen.conversation, known):
            continue
        if declared.value.shown_as == "chart" and isinstance(figure := known.value.get("plotly"), dict):
            yield FactDisplay(fact, known.event, figure=figure)
        elif declared.value.shown_as == "table":
            yield FactDisplay(fact, known.event, rows=data_table(known.value, declared.label))
        elif known.source == "skill" and declared.value.shown_as in ("picture", "document"):
            yield FactDisplay(fact, known.event, file=file_of(known.value))


def file_of(value: Mapping[str, Any]) -> Attachment:
    return Attachment(
        sha256=value["attachment"], name=value["name"], media_type=value["media_type"], size=value["size"]
    )


def draw_file(read: Callable[[str], bytes], file: Attachment, key: str) -> None:
    """Draw a file that a skill made: the picture, or name, type and size; with a download.

    `read` returns a file by its digest; but for a picture, it is only read once it is wanted.
    """
    if file.media_type in MEDIA_TYPES:
        st.image(read(file.sha256))
    st.download_button(
        f"{escape_markdown(shorten(file.name, 60))} ({tell_file(file.media_type, file.size)})",
        lambda: read(file.sha256),
        file.name,
        file.media_type,
        key=key,
        on_click="ignore",
        icon=_DOWNLOAD,
    )


def draw_figure(figure: dict[str, Any], key: str, height: int = 300) -> None:
    """Draw a chart; plotly is only loaded when there is one."""
    drawn = figure_as_drawn(json.dumps(figure), tuple(_theme_colours()), height)
    if drawn is None:
        st.caption("This chart cannot be drawn.")
    else:
        st.plotly_chart(drawn, key=key, config={"displayModeBar": False})


@lru_cache(maxsize=16)
def figure_as_drawn(text: str, colours: tuple[str, ...], height: int = 300) -> Any:
    """Build a figure once, not with every run: it takes longer than all else.

    It has the colours of the theme where it names none, and its legend above, clear of the labels of its axes.
    """
    import plotly.graph_objects as go

    try:
        drawn = go.Figure(json.loads(text), skip_invalid=True)
    except (ValueError, TypeError) as trouble:
        _LOG.warning("a chart could not be drawn: %s", type(trouble).__name__)
        return None
    top = 44 if drawn.layout.title.text else 16
    named = drawn.layout.showlegend is not False and (
        len(drawn.data) > 1 or any(trace.type in _PARTED for trace in drawn.data)
    )
    drawn.update_layout(
        height=height + (28 if named else 0),
        margin={"l": 16, "r": 16, "t": top + (28 if named else 0), "b": 16},
        paper_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "xanchor": "left", "x": 0},
    )
    if colours:
        drawn.update_layout(colorway=colours, piecolorway=colours)
    return drawn


def _theme_colours() -> list[str]:
    shown = "dark" if st.context.theme.type == "dark" else "light"
    return list(st.get_option(f"theme.{shown}.chartCategoricalColors") or ())


def data_table(value: Mapping[str, Any], label: str) -> Node:
    columns, rows = value.get("columns", []), value.get("rows", [])
    said = [[text for row in rows if i < len(row) and (text := _cell(row[i]))] for i in range(len(columns))]
    kinds = ["figure" if cells and all(map(_FIGURE.fullmatch, cells)) else "" for cells in said]
    more = len(rows) - _ROWS
    heads = [el("th", kind, shorten(str(name), 40), scope="col") for name, kind in zip(columns, kinds, strict=True)]
    body = [el("tr", "", [_td(cell, kind) for cell, kind in zip(row, kinds, strict=False)]) for row in rows[:_ROWS]]
    return el(
        "div",
        "tablebox",
        el("table", "", el("thead", "", el("tr", "", heads)), el("tbody", "", body)),
        el("small", "", f"and {more:,} more rows") if more > 0 else None,
        tabindex="0",
        role="region",
        aria_label=capitalize(label),
    )


def _td(value: object, kind: str) -> Node:
    text = _cell(value)
    return el("td", "wrap" if len(text) > _WRAPPED else kind, text)


def _cell(value: object) -> str:
    """Write a cell; a bare sum gets separators, so that its size can be seen."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    text = str(value)
    return f"{Decimal(text):,}" if _SUM.fullmatch(text) else shorten(text, 80)


def samples(catalog: str) -> dict[str, Path]:
    if catalog not in DEMOS:
        return {}
    folder = DEMOS[catalog].parent / "samples"
    found = (path for path in sorted(folder.glob("*")) if path.suffix in _MEDIA_TYPES)
    return {path.name: path for path in found}


def sample_upload(catalog: str, name: str) -> Upload:
    """Take a sample picture as if it had been uploaded. Raises KeyError if there is none of that name."""
    path = samples(catalog)[name]
    return Upload(name, _MEDIA_TYPES[path.suffix], path.read_bytes())


def sample_buttons(seen: SnapshotView, fact: str) -> Node | None:
    """Offer the demo's sample pictures where a picture is asked for."""
    declared = seen.catalog.facts.get(fact)
    found = samples(seen.conversation.setup.catalog)
    if declared is None or not declared.value.uploaded or not found:
        return None
    return el(
        "div",
        "samples",
        el("span", "muted", "No ID at hand? Try a sample:"),
        [
            button(
                "sample",
                el("img", "", src=_sample(path), alt=""),
                el("small", "", path.stem.replace("_", " ").title()),
                act={"do": "sample", "name": name, "after": str(seen.conversation.seq)},
                label=f"Use the sample picture {path.stem.replace('_', ' ').title()}",
            )
            for name, path in found.items()
        ],
        key="samples",
        role="group",
        aria_label="Sample pictures",
    )


@lru_cache(maxsize=16)
def _sample(path: Path) -> str:
    return _encode(path.read_bytes(), 160)


def _encode(data: bytes, side: int) -> str:
    from PIL import Image

    picture = Image.open(io.BytesIO(data))
    if picture.width * picture.height > _PIXELS:
        raise ValueError(f"a picture of {picture.width} × {picture.height} pixels; at most {_PIXELS:,} are shown")
    picture.thumbnail((side, side))
    made = io.BytesIO()
    picture.convert("RGB").save(made, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(made.getvalue()).decode()
