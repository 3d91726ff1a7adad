"""Load a catalog from the name of a demo, a file or text; all problems are reported at once."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path

from catalog.checks.errors import find_errors
from catalog.expand.expansion import expand
from catalog.load.demo_files import DEMOS
from catalog.load.model_reader import read_model
from catalog.load.yaml_reader import FileForm, read_file
from catalog.model import Catalog
from catalog.model.entry import USUAL, CatalogLimits
from catalog.model.loaded import Loaded
from catalog.problems import CatalogError

__all__ = ["Loaded", "load", "loads"]

FORM = FileForm("catalog", "catalogs", "Begin with `name:` and `facts:`.", 10, DEMOS, "catalog_mib")


def load(source: str | Path, limits: CatalogLimits = USUAL) -> Loaded:
    """Load a demo by its name, or a file by its path; raise `CatalogError` with everything that is wrong."""
    text, file = read_file(source, FORM, limits.mib)
    return _load_demo(text, file) if source in DEMOS else loads(text, file, limits)


def loads(text: str | bytes, file: str = "<text>", limits: CatalogLimits = USUAL) -> Loaded:
    """Load a catalog from its YAML; `file` is what problems call it."""
    find = partial(find_errors, limits=limits)
    catalog, written_lines, digest = read_model(text, file, FORM, Catalog, find, limits=limits)
    expanded, lines = expand(catalog, written_lines)
    if expanded is not catalog and (errors := find(expanded, lines, file)):
        raise CatalogError(errors)
    return Loaded(expanded, lines, file, digest, limits)


@lru_cache(maxsize=len(DEMOS))
def _load_demo(text: bytes, file: str) -> Loaded:
    return loads(text, file)
