"""Where what is learned of catalogs is kept for all tests, and their servers: it is learned once, and not by each."""

from __future__ import annotations

from pathlib import Path

KEPT = Path(__file__).resolve().parents[1] / "build" / "tests"
"""Their data directory, as far as they have none of their own."""
LEARNED = KEPT / "cache"
