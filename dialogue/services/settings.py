"""What the operator sets in the environment: where conversations are kept, and which catalogs and skills there are."""

from __future__ import annotations

import os
from pathlib import Path

from catalog.endpoints import ALLOWED


def allowed_packages() -> tuple[str, ...]:
    """Return the packages whose functions catalogs may name: the demos', and the operator's own in PLANGLASS_SKILLS."""
    named = os.environ.get("PLANGLASS_SKILLS", "").split(",")
    return (*ALLOWED, *(package for name in named if (package := name.strip())))


def catalog_files() -> tuple[Path, ...]:
    """Return the operator's catalogs in PLANGLASS_CATALOGS, separated as paths are on this system."""
    return tuple(Path(name) for name in os.environ.get("PLANGLASS_CATALOGS", "").split(os.pathsep) if name)
