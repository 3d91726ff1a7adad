"""The handbook: for each topic of the catalog, how to do it, from a file that comes with the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

FILE = Path(__file__).parent / "handbook.yaml"


@cache
def texts() -> dict[str, str]:
    """Read all texts, by topic."""
    return {str(topic): str(text).strip() for topic, text in yaml.safe_load(FILE.read_text(encoding="utf-8")).items()}
