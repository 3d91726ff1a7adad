"""Catalogs compared by identity, as keys of caches: comparing them by value would take too long."""

from __future__ import annotations

from catalog.model.catalog import Catalog


class Same:
    """A catalog that equals itself alone, to be the key of what is remembered of it."""

    __slots__ = ("catalog",)

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.catalog is other.catalog

    def __hash__(self) -> int:
        return id(self.catalog)
