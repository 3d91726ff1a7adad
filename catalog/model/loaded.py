"""A catalog with its source: the file, its lines and its digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catalog.model.catalog import Catalog
from catalog.model.entry import USUAL, CatalogLimits
from catalog.problems import Place


@dataclass(frozen=True, slots=True)
class Loaded:
    """A catalog with where it came from: the line of each place, the file, and the digest (SHA-256) of its text.

    `limits` are those that it was held to, and is held to when something is supplied to it.
    """

    catalog: Catalog
    lines: Mapping[Place, int]
    file: str
    digest: str
    limits: CatalogLimits = USUAL
