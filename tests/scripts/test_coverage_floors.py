from __future__ import annotations

import sys

import pytest

from tests.coverage_floors import measures_all


def test_a_test_that_does_not_count_runs_without_being_traced_and_so_do_its_fixtures(
    request: pytest.FixtureRequest, traced_in_a_fixture: bool
) -> None:
    assert measures_all(request.config) or (sys.gettrace() is None and not traced_in_a_fixture)


@pytest.fixture
def traced_in_a_fixture() -> bool:
    return sys.gettrace() is not None
