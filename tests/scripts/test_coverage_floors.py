from __future__ import annotations

import sys

import pytest


def test_a_test_that_is_not_measured_runs_without_being_traced(request: pytest.FixtureRequest) -> None:
    measured = request.node.get_closest_marker("no_cover") is None
    assert measured or sys.gettrace() is None
