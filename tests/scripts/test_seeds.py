"""What is drawn at random is the same in each run of `make test`, and new in `make test-long`."""

from __future__ import annotations

import pytest

from tests.seeds import draw_seed


def test_a_seed_that_is_set_is_taken_and_long_runs_draw_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANGLASS_SEED", "1525631698")
    assert draw_seed() == draw_seed(fresh=True) == 1525631698
    monkeypatch.delenv("PLANGLASS_SEED")
    assert draw_seed() == draw_seed()
    assert len({draw_seed(fresh=True) for _ in range(3)}) > 1
