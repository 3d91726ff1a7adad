"""Read the words of a picture, by RapidOCR's models on onnxruntime, which come with its package.

The engine takes a moment to load, so it is made on first use, once for the process; `warm` does so ahead of time. It is
used by one thread at a time, and itself uses at most two.
"""

from __future__ import annotations

import io
import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

MAX_PIXELS = 40_000_000
"""A picture that claims to be larger is not decoded."""
_LONG_SIDE = 1_600
_SURE = 0.6
_FORMATS = ("PNG", "JPEG", "WEBP")
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
        """Return how tall the words are."""
        return self.bottom - self.top


def read_words(picture: bytes) -> tuple[Words, ...]:
    """Read what is written in a picture, from top to bottom; nothing if it is no picture that can be decoded."""
    pixels = _decode(picture)
    if pixels is None:
        return ()
    with _reading:
        found, _ = _engine()(pixels)
    boxes = [(corners, text) for corners, text, sure in found or () if sure >= _SURE and text.strip()]
    words = [
        Words(text, min(xs), min(ys), max(xs), max(ys))
        for corners, text in boxes
        for xs, ys in [tuple(zip(*corners, strict=True))]
    ]
    return tuple(sorted(words, key=lambda w: (w.middle, w.left)))


def warm() -> None:
    """Load the engine."""
    with _reading:
        _engine()


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


@cache
def _engine() -> Callable[[Any], tuple[Any, Any]]:
    from rapidocr_onnxruntime import RapidOCR

    for name in ("RapidOCR", "OrtInferSession"):  # it would print what it finds, which may be private
        logging.getLogger(name).setLevel(logging.CRITICAL)
    threads = min(2, os.cpu_count() or 1)
    engine: Callable[[Any], tuple[Any, Any]] = RapidOCR(intra_op_num_threads=threads, inter_op_num_threads=1)
    return engine
