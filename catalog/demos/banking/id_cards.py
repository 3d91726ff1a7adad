"""Read ID cards: the words in a picture, and the labelled fields among them.

The engine that reads pictures takes 180 MB with its libraries. It runs in a process of its own, which is kept.
"""

from __future__ import annotations

import io
import logging
import os
import re
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from typing import Any

from rapidfuzz import fuzz

from catalog.endpoints.processes import STARTING_S, CallResult, Function, WorkerRequest, Workers, call_all
from catalog.endpoints.threads import Raised, ReturnedValue

MAX_PIXELS = 40_000_000
"""A picture that claims to be larger is not decoded."""
_LONG_SIDE = 1_600
_SURE = 0.6
_FORMATS = ("PNG", "JPEG", "WEBP")
_READING_S = 120.0
_ENGINE = Function(f"{__name__}:make_reader")
_workers = Workers(after=0)
_reading = threading.Lock()


@dataclass(frozen=True, slots=True)
class Words:
    """Words that stand together, and the box around them in pixels."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Return the height at which the words stand."""
        return (self.top + self.bottom) / 2

    @property
    def height(self) -> float:
        return self.bottom - self.top


def read_words(picture: bytes) -> tuple[Words, ...]:
    """Read what is written in a picture, from top to bottom; nothing if it is no picture that can be decoded."""
    came = _ask(b64encode(picture).decode())
    if not isinstance(came, ReturnedValue):
        raise came.error if isinstance(came, Raised) else TimeoutError("the picture was not read in time")
    return tuple(Words(*one) for one in came.value)


def warm() -> None:
    _ask(None, load=True)


def _ask(given: str | None, *, load: bool = False) -> CallResult:
    with _reading:
        return call_all([WorkerRequest(_workers, _ENGINE, given, _READING_S, load, STARTING_S)])[0]


def make_reader() -> Callable[[str], list[tuple[Any, ...]]]:
    """Load the engine; return the function that reads the words of a picture."""
    from rapidocr_onnxruntime import RapidOCR
    from rapidocr_onnxruntime.utils import infer_engine

    def make_options(make: Callable[[], Any] = infer_engine.SessionOptions) -> Any:
        (options := make()).add_session_config_entry("session.intra_op.allow_spinning", "0")
        return options

    infer_engine.SessionOptions = make_options  # threads without work would keep a core busy: two fifths of all
    for name in ("RapidOCR", "OrtInferSession"):  # it would print what it finds, which may be private
        logging.getLogger(name).setLevel(logging.CRITICAL)
    engine = RapidOCR(intra_op_num_threads=min(2, os.cpu_count() or 1), inter_op_num_threads=1)

    def read(picture: str) -> list[tuple[Any, ...]]:
        pixels = _decode(b64decode(picture))
        found, _ = engine(pixels) if pixels is not None else ((), None)
        boxes = [(corners, text) for corners, text, sure in found or () if sure >= _SURE and text.strip()]
        words = [
            Words(text, float(min(xs)), float(min(ys)), float(max(xs)), float(max(ys)))
            for corners, text in boxes
            for xs, ys in [tuple(zip(*corners, strict=True))]
        ]
        return [astuple(word) for word in sorted(words, key=lambda w: (w.middle, w.left))]

    return read


def _decode(picture: bytes) -> Any:
    """Return the picture's pixels, upright and not too large, or None."""
    import numpy as np
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(picture), formats=_FORMATS) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                return None
            upright = ImageOps.exif_transpose(opened).convert("RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        return None
    except (OSError, ValueError, SyntaxError, EOFError):  # what Pillow raises for broken files
        return None
    upright.thumbnail((_LONG_SIDE, _LONG_SIDE))
    return np.asarray(upright)[:, :, ::-1]  # the engine expects blue first


_LABELS: dict[str, tuple[str, ...]] = {
    "name": ("name", "full name", "name of holder", "holder"),
    "date_of_birth": ("date of birth", "birth date", "born", "born on", "dob"),
    "address": ("address", "home address", "residence", "place of residence"),
    "other": (
        "card number", "card no", "document number", "document no", "id number", "nationality", "sex", "height",
        "place of birth", "authority", "date of issue", "date of expiry", "valid until", "signature",
    ),
}  # fmt: skip
_ALIKE = 84.0
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORDED = re.compile(r"(?P<day>\d{1,2})[\s.]*(?P<month>[A-Za-z]{3,9})[\s.,]*(?P<year>\d{4})")
_ISO = re.compile(r"(?P<year>\d{4})[-./](?P<month>\d{2})[-./](?P<day>\d{2})")
_NUMERIC = re.compile(r"(?P<day>\d{1,2})[-./](?P<month>\d{1,2})[-./](?P<year>\d{4})")


@dataclass(frozen=True, slots=True)
class IdCard:
    """The fields of an ID card; the date is ISO."""

    name: str
    address: str
    date_of_birth: str


def find_fields(words: Sequence[Words]) -> IdCard | None:
    """Read the card, or return None unless name, address and date of birth are all there and plausible."""
    found: dict[str, list[str]] = {}
    labels = [(word, label) for word in words if (label := _label(word.text)) is not None]
    for number, (word, (field, inline)) in enumerate(labels):
        below = [other for other, _ in labels[number + 1 :] if other.top >= word.bottom - 0.2 * word.height]
        until = min((other.top for other in below), default=float("inf"))
        is_label = {id(other) for other, _ in labels}
        values = [w for w in words if id(w) not in is_label and _belongs(w, word, until)]
        found.setdefault(field, [*([inline] if inline else []), *(w.text for w in values)])
    name = _tidy(" ".join(found.get("name", [])))
    address = _tidy(", ".join(part.strip(" ,") for part in found.get("address", [])))
    born = _date(" ".join(found.get("date_of_birth", [])))
    if born and re.fullmatch(r"[^\W\d_][^\d_]*[^\W\d_.]\.?", name) and re.search(r"\d.*[^\W\d_]", address):
        return IdCard(name, address, born)
    return None


def _label(text: str) -> tuple[str, str] | None:
    """Return which field a text labels, with the value if that follows a colon; None if it is no label."""
    head, colon, rest = text.partition(":")
    plain = re.sub(r"[^a-z]", "", head.lower())
    for field, names in _LABELS.items():
        if any(fuzz.ratio(plain, re.sub(r"[^a-z]", "", name)) >= _ALIKE for name in names):
            return field, rest.strip() if colon else ""
    return None


def _belongs(word: Words, label: Words, until: float) -> bool:
    """Return whether words stand under a label (before the next one), or to the right of it on the same line."""
    same_line = abs(word.middle - label.middle) < 0.6 * label.height and word.left >= label.right
    under = label.middle < word.middle < until + 0.3 * word.height and word.top > label.top + 0.5 * label.height
    in_column = label.left - 2 * label.height <= word.left <= label.right + 8 * label.height
    return same_line or (under and in_column)


def _tidy(text: str) -> str:
    """Put back spaces that were lost in reading: PortEllis04817 is Port Ellis 04817."""
    text = re.sub(r"(?<=[a-zß-öø-ÿ])(?<!\bMc)(?<!\bMac)(?=[A-ZÀ-ÖØ-Þ])", " ", text)
    text = re.sub(r"(?<=[A-Za-z]{2})(?=\d)|(?<=\d)(?=[A-Z][a-z])|,(?=\S)", lambda m: m.group() + " ", text)
    return " ".join(text.split()).strip(" ,")


def _date(text: str) -> str | None:
    """Read a date; one whose day and month could be exchanged is not guessed at."""
    if (match := _WORDED.search(text)) is not None:
        month = match["month"][:3].lower()
        return _iso(match["year"], _MONTHS.index(month) + 1, match["day"]) if month in _MONTHS else None
    if (match := _ISO.search(text)) is not None:
        return _iso(match["year"], match["month"], match["day"])
    if (match := _NUMERIC.search(text)) is not None and int(match["day"]) > 12:
        return _iso(match["year"], match["month"], match["day"])
    return None


def _iso(year: str, month: str | int, day: str) -> str | None:
    try:
        born = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return born.isoformat() if born.year >= 1900 else None
