"""The demo catalogs that come with Planglass, and their skills."""

from __future__ import annotations

from pathlib import Path

DEMOS: dict[str, Path] = {
    "banking": Path(__file__).parent / "banking" / "catalog.yaml",
}
"""Each demo's name, and the file of its catalog."""
