"""Load norms from the name of a demo, a file or text; all problems are reported at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from catalog.load.demo_files import NORM_DEMOS
from catalog.load.model_reader import read_model
from catalog.load.yaml_reader import FileForm, read_file
from catalog.norms.errors import find_errors
from catalog.norms.model import NormSpecification
from catalog.problems import Place

FORM = FileForm("norm file", "norm files", "Begin with `name:`, `participants:` and `norms:`.", 10, NORM_DEMOS)


@dataclass(frozen=True, slots=True)
class LoadedNorms:
    """Norms with where they came from: the line of each place, the file, and the digest (SHA-256) of its text."""

    specification: NormSpecification
    lines: Mapping[Place, int]
    file: str
    digest: str


def load_norms(source: str | Path) -> LoadedNorms:
    """Load a demo by its name, or a file by its path; raise `CatalogError` with everything that is wrong."""
    text, file = read_file(source, FORM)
    return read_norms(text, file)


def read_norms(text: str | bytes, file: str = "<text>") -> LoadedNorms:
    """Load norms from their YAML; `file` is what problems call it."""
    specification, lines, digest = read_model(text, file, FORM, NormSpecification, find_errors)
    return LoadedNorms(specification, lines, file, digest)
