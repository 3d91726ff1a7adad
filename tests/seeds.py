"""The seed of what is drawn at random: the same in `make test`, so that a change fails for what it changed alone.

`make test-long` draws new ones, and prints them.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_SEEDS = 2**32


def draw_seed(*, fresh: bool = False) -> int:
    """Return PLANGLASS_SEED if it is set, else always the same seed; `fresh` draws a new one."""
    if (said := os.environ.get("PLANGLASS_SEED")) is not None:
        return int(said)
    return random.SystemRandom().randrange(_SEEDS) if fresh else 1
