"""How many examples a property gets: few in `make test`, many more in `make test-long PART=properties`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
_TIMES_AS_MANY = 20
_Test = TypeVar("_Test", bound=Callable[..., Any])


def examples(quick: int) -> int:
    """Return how many examples a costly property gets, given how many do where it has to be quick."""
    return quick * (_TIMES_AS_MANY if _LONG else 1)


def measured(quick: int = 50) -> Callable[[_Test], _Test]:
    """Measure coverage while a property is tested: with examples that are the same each time, so that a floor holds."""

    def mark(test: _Test) -> _Test:
        marked: _Test = pytest.mark.measured(settings(derandomize=not _LONG, max_examples=examples(quick))(test))
        return marked

    return mark
