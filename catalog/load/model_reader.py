"""Read what people write in YAML as a model, and check it; all problems are reported at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from catalog.load.faults import find_faults
from catalog.load.yaml_reader import FileForm, Node, read_yaml
from catalog.model.aliases import Aliases, FileContext, find_aliases
from catalog.model.entry import USUAL, CatalogLimits
from catalog.problems import CatalogError, Place, Problem

_Model = TypeVar("_Model", bound=BaseModel)


def read_model(
    text: str | bytes,
    file: str,
    form: FileForm,
    model: type[_Model],
    find_errors: Callable[[_Model, Mapping[Place, int], str], tuple[Problem, ...]],
    *,
    limits: CatalogLimits = USUAL,
    aliases_of: Callable[[Mapping[str, Node]], Aliases] = find_aliases,
) -> tuple[_Model, dict[Place, int], str]:
    """Return what a text says, the line of each place, and the digest (SHA-256) of the text.

    `file` is what problems call it. It may refer to entries by the aliases that `aliases_of` finds for what was read:
    those that it declares itself, unless said otherwise. Raises CatalogError with everything that is wrong.
    """
    source = read_yaml(text, file, form, limits.mib)
    aliases = aliases_of(source.root if isinstance(source.root, dict) else {})
    try:
        read = model.model_validate(source.root, context=FileContext(limits, aliases))
    except ValidationError as error:
        raise CatalogError(find_faults(error, model, source, file)) from error
    if errors := find_errors(read, source.lines, file):
        raise CatalogError(errors)
    written = text if isinstance(text, bytes) else text.encode("utf-8")
    return read, source.lines, hashlib.sha256(written).hexdigest()
