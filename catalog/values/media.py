"""Values that cannot be said in words: files, tables and charts."""

from __future__ import annotations

import json
import math
import re
from abc import abstractmethod
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Annotated, ClassVar, Literal
from unicodedata import category, normalize

from pydantic import Field, JsonValue

from catalog.values.base import Kind, Shown, is_clean
from catalog.values.sources import are_sources

MEDIA_TYPES = ("image/png", "image/jpeg", "image/webp")
MAX_ROWS, MAX_COLUMNS, MAX_CELL = 10_000, 200, 10_000
MAX_CHART_BYTES = 2_000_000

TRACES = frozenset(
    "bar box candlestick funnel funnelarea heatmap histogram histogram2d icicle indicator ohlc pie sankey scatter "
    "scatterpolar barpolar scatterternary splom sunburst treemap violin waterfall contour table".split()
)
"""The plotly traces that are drawn without asking any outside server (maps and pictures may ask one)."""


LONGEST_NAME = 200
"""Bytes of the name of a file. File systems take 255, and a number may follow."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
"""Devices of Windows, whatever ending follows."""


def safe_name(name: str) -> str:
    """Return the name under which a file from outside may be saved, offered and shown: never a path.

    What stands before the last slash is dropped, and all that a file system, a shell or a reader could take for
    something else. A safe name is left as it is; its ending is kept.
    """
    last = normalize("NFC", re.split(r"[/\\]", name)[-1])
    plain = "".join("_" if category(one).startswith("C") or one in '<>:"|?*' else one for one in last)
    plain = re.sub("^[-~]+", "_", _trimmed(plain))
    if _RESERVED.match(plain):
        plain = f"_{plain}"
    stem, dot, ending = plain.rpartition(".")
    ending = f"{dot}{ending}" if stem and len(ending) <= 20 else ""
    kept = plain.removesuffix(ending).encode()[: LONGEST_NAME - len(ending.encode())].decode(errors="ignore")
    return _trimmed(f"{kept}{ending}") or "file"


def _trimmed(name: str) -> str:
    return re.sub(r"^[\s.]+|[\s.]+$", "", name)


class _Unsayable(Kind):
    """Base of kinds that cannot be said."""

    sayable: ClassVar[bool] = False
    fills_alone: ClassVar[bool] = False


class FileKind(_Unsayable):
    """Base of kinds whose values are files: the value names one, and its bytes are in the store."""

    max_bytes: int
    uploaded: ClassVar[bool] = True

    @property
    @abstractmethod
    def media_types(self) -> tuple[str, ...]:
        """List the media types that a file may have."""

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check what is said of the file; its type was told by what it holds where it was taken in."""
        if not isinstance(value, Mapping) or set(value) != {"attachment", "name", "media_type", "size"}:
            raise self.unreadable("other_shape")
        attachment, name, media_type, size = (value[key] for key in ("attachment", "name", "media_type", "size"))
        if not isinstance(attachment, str) or len(attachment) != 64 or set(attachment) - set("0123456789abcdef"):
            raise self.unreadable("bad_digest")
        if not isinstance(name, str) or not 0 < len(name) <= 255 or any(category(c).startswith("C") for c in name):
            raise self.unreadable("bad_file_name")
        name = safe_name(name)
        self.check_type(name, str(media_type))
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise self.unreadable("empty_file")
        if size > self.max_bytes:
            raise self.unreadable("too_many_bytes", size=show_size(size), most=show_size(self.max_bytes))
        return {"attachment": attachment, "name": name, "media_type": media_type, "size": size}

    def check_type(self, name: str, media_type: str) -> None:
        if media_type not in self.media_types:
            raise self.unreadable("other_media_type", type=media_type)

    def normal(self, value: JsonValue) -> JsonValue:
        """Go by what the file holds: under another name it is the same."""
        return value["attachment"] if isinstance(value, dict) and "attachment" in value else value

    def show(self, value: JsonValue) -> str:
        return (
            f"{value['name']} ({show_size(int(str(value['size'])))})" if isinstance(value, dict) else f"a {self.noun}"
        )


class Image(FileKind):
    """A picture that was uploaded, or made by a skill."""

    kind: Literal["image"] = "image"
    max_bytes: Annotated[int, Field(ge=1, le=50_000_000, description="Size of the file.")] = 5_000_000
    shown_as: ClassVar[Shown] = "picture"
    noun: ClassVar[str] = "picture"

    @property
    def media_types(self) -> tuple[str, ...]:
        return MEDIA_TYPES

    def sample(self, today: date) -> JsonValue:
        # The digest is of no picture at all: what stands for a picture is never opened.
        return {"attachment": sha256(b"").hexdigest(), "name": "example.png", "media_type": "image/png", "size": 1}


class Table(_Unsayable):
    """Rows of text, numbers and booleans under named columns; `sources` may say what each row rests on."""

    kind: Literal["table"] = "table"
    shown_as: ClassVar[Shown] = "table"
    noun: ClassVar[str] = "table"

    def sample(self, today: date) -> JsonValue:
        return {"columns": ["example"], "rows": [["an example"]]}

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check sizes, and that each row has a plain cell for each column."""
        if not isinstance(value, Mapping) or set(value) - {"sources"} != {"columns", "rows"}:
            raise self.unreadable("other_shape")
        columns, rows = value["columns"], value["rows"]
        if not isinstance(columns, list) or not isinstance(rows, list) or not columns:
            raise self.unreadable("no_columns_or_rows")
        if len(columns) > MAX_COLUMNS or len(rows) > MAX_ROWS:
            size = {"columns": len(columns), "rows": len(rows), "most_columns": MAX_COLUMNS, "most_rows": MAX_ROWS}
            raise self.unreadable("table_too_large", **size)
        names = [self._cell(name, 0) for name in columns]
        if not all(isinstance(name, str) for name in names) or len(set(map(str, names))) < len(names):
            raise self.unreadable("bad_columns")
        checked: list[JsonValue] = []
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, list) or len(row) != len(columns):
                raise self.unreadable("uneven_row", row=number, count=len(columns))
            checked.append([self._cell(cell, number) for cell in row])
        if "sources" not in value:
            return {"columns": names, "rows": checked}
        if not are_sources(value["sources"], columns, len(rows)):
            raise self.unreadable("bad_sources")
        return {"columns": names, "rows": checked, "sources": value["sources"]}

    def show(self, value: JsonValue) -> str:
        if not isinstance(value, dict) or not isinstance(value["rows"], list):
            return "a table"
        count = len(value["rows"])
        return f"a table of {count:,} {'row' if count == 1 else 'rows'}"

    def _cell(self, cell: JsonValue, row: int) -> JsonValue:
        if isinstance(cell, float) and not math.isfinite(cell):
            raise self.unreadable("cell_not_finite", row=row)
        if isinstance(cell, str) and (len(cell) > MAX_CELL or not is_clean(cell)):
            raise self.unreadable("cell_not_showable", row=row)
        if cell is not None and not isinstance(cell, str | int | float | bool):
            raise self.unreadable("cell_not_plain", row=row)
        return cell


class Chart(_Unsayable):
    """A chart: a plotly figure as JSON, with a title."""

    kind: Literal["chart"] = "chart"
    shown_as: ClassVar[Shown] = "chart"
    noun: ClassVar[str] = "chart"

    def sample(self, today: date) -> JsonValue:
        return {"plotly": {"data": [{"type": "bar", "x": ["a"], "y": [1]}]}, "title": "An example"}

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check the size, and that drawing it asks no outside server for anything."""
        if not isinstance(value, Mapping) or set(value) != {"plotly", "title"}:
            raise self.unreadable("other_shape")
        figure, title = value["plotly"], value["title"]
        if not isinstance(title, str) or len(title) > 200 or not is_clean(title):
            raise self.unreadable("bad_title", most=200)
        traces = figure.get("data") if isinstance(figure, dict) else None
        if not isinstance(figure, dict) or not isinstance(traces, list) or set(figure) - {"data", "layout"}:
            raise self.unreadable("no_data_and_layout")
        layout = figure.get("layout", {})
        for trace in traces:
            kind = trace.get("type", "scatter") if isinstance(trace, dict) else None
            if not isinstance(kind, str) or kind not in TRACES:
                raise self.unreadable("other_trace", type=str(kind))
        if not isinstance(layout, dict) or _holds_images(layout):
            raise self.unreadable("pictures_in_layout")
        try:
            text = json.dumps(figure, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            raise self.unreadable("not_json") from None
        if len(text) > MAX_CHART_BYTES:
            raise self.unreadable("too_many_bytes", size=show_size(len(text)), most=show_size(MAX_CHART_BYTES))
        return {"plotly": json.loads(text), "title": title}

    def show(self, value: JsonValue) -> str:
        return str(value["title"] or "a chart") if isinstance(value, dict) else "a chart"


def _holds_images(layout: Mapping[str, JsonValue]) -> bool:
    template = layout.get("template")
    inner = template.get("layout") if isinstance(template, dict) else None
    return any(isinstance(one, Mapping) and one.get("images") for one in (layout, inner))


def show_size(count: int) -> str:
    if count < 1_000:
        return f"{count} bytes"
    return f"{count / 1_000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB".replace(".0 ", " ")
