"""The data directory: where everything that Planglass writes is kept."""

from __future__ import annotations

import os
from pathlib import Path


def default_home() -> Path:
    """Return the data directory: PLANGLASS_HOME, else .planglass in the user's own folder."""
    return Path(os.environ.get("PLANGLASS_HOME") or Path.home() / ".planglass").expanduser()
