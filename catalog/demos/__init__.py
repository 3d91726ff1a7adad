"""The demo catalogs that come with Planglass, and their skills."""

from __future__ import annotations

from pathlib import Path

DEMOS: dict[str, Path] = {name: Path(__file__).parent / name / "catalog.yaml" for name in ("banking", "accounting")}
"""Each demo's name, and the file of its catalog."""
