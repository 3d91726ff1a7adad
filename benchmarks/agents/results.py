"""What a run came to: the regret of every system, kept as JSON so that tables can be written again without playing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from benchmarks.agents.world import AGENTS

FILE = Path(__file__).resolve().parents[2] / "build" / "agents.json"
BLOCK = 100
"""Turns whose regrets are kept as one mean."""
SETTLED = 500
"""The turn from which on the goals hold: the first change of what people like."""


@dataclass(frozen=True)
class Result:
    """One system: mean regret a turn, by user and block of turns."""

    name: str
    blocks: Sequence[Sequence[float]]

    def curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mean over users for each block, and half the width of its 95 % confidence band."""
        users = np.array(self.blocks)
        return users.mean(axis=0), _band(users)

    def settled(self) -> tuple[float, float]:
        """Return the mean regret a turn from `SETTLED` on, and half the width of its 95 % confidence interval."""
        users = np.array(self.blocks)[:, SETTLED // BLOCK :].mean(axis=1, keepdims=True)
        return float(users.mean()), float(_band(users)[0])

    def begun(self) -> float:
        """Return the mean regret a turn before `SETTLED`."""
        return float(np.array(self.blocks)[:, : SETTLED // BLOCK].mean())


def _band(users: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the half width of the normal 95 % band around the mean over users, which are independent."""
    return np.asarray(1.96 * users.std(axis=0, ddof=1) / np.sqrt(len(users)))


def in_blocks(lost: NDArray[np.float64]) -> list[float]:
    """Return the mean regret of each block of turns."""
    means: list[float] = lost.reshape(-1, BLOCK).mean(axis=1).round(6).tolist()
    return means


@dataclass(frozen=True)
class Run:
    """All that was measured: systems where people type what they wanted, and without that; a choice among many."""

    users: int
    turns: int
    results: Sequence[Result]
    untyped: Sequence[Result]
    choice_ms: Mapping[str, tuple[float, float]]
    """Median and 95th percentile of a choice among 50 agents, by orchestrator."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Peers that are not installed, and their packages."""
    agents: int = AGENTS


_RUN = TypeAdapter(Run)


def load() -> Run:
    """Return the last run that was kept."""
    return _RUN.validate_json(FILE.read_bytes())


def save(run: Run) -> None:
    """Keep a run."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(_RUN.dump_json(run))
