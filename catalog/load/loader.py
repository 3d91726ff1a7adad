"""Load a catalog from a demo's name, a file or text: everything that is wrong with it is told at once."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from catalog.checks.check import find_errors
from catalog.demos import DEMOS
from catalog.expand.expansion import expand
from catalog.load.validation_errors import find_faults
from catalog.load.yaml_reader import MAX_BYTES, read_yaml
from catalog.model import Catalog
from catalog.model.loaded import Loaded
from catalog.problems import CatalogError, Problem
from catalog.values.base import shortened

__all__ = ["Loaded", "load", "loads"]


def load(source: str | Path) -> Loaded:
    """Load a demo by its name, or a file by its path; raise `CatalogError` with everything that is wrong."""
    path = DEMOS.get(source, Path(source)) if isinstance(source, str) else source
    try:
        if not path.is_file():
            raise _no_catalog(str(source), "There is no such file.")
        with path.open("rb") as stream:
            text = stream.read(MAX_BYTES + 1)
            rest = path.stat().st_size if len(text) > MAX_BYTES else 0
    except (OSError, ValueError) as error:
        if isinstance(error, CatalogError):
            raise
        raise _no_catalog(str(source), f"The file cannot be read: {error}.") from error
    if rest:
        found = f"The file has {rest:,} bytes; a catalog may have {MAX_BYTES:,}."
        raise CatalogError(
            [Problem("error", "too-large", str(path), None, "", found, "Split it into several catalogs.")]
        )
    return loads(text, file=str(path))


def loads(text: str | bytes, file: str = "<text>") -> Loaded:
    """Load a catalog from its YAML; `file` is what problems call it."""
    source = read_yaml(text, file)
    try:
        catalog = Catalog.model_validate(source.root)
    except ValidationError as error:
        raise CatalogError(find_faults(error, source.root, source.lines, file)) from error
    if errors := find_errors(catalog, source.lines, file):
        raise CatalogError(errors)
    expanded, lines = expand(catalog, source.lines)
    if expanded is not catalog and (errors := find_errors(expanded, lines, file)):
        raise CatalogError(errors)
    written = text if isinstance(text, bytes) else text.encode("utf-8")
    return Loaded(expanded, lines, file, hashlib.sha256(written).hexdigest())


def _no_catalog(source: str, found: str) -> CatalogError:
    write = f"Give the path of a YAML file, or the name of a demo: {', '.join(DEMOS)}."
    return CatalogError([Problem("error", "no-catalog", shortened(ascii(source)[1:-1], 200), None, "", found, write)])
