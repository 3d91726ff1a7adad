"""The engines that solve tasks, behind one protocol; to add one, add a module here and an entry to the registry."""

from __future__ import annotations

from planning.engines.fast_downward import FastDownwardEngine
from planning.engines.kstar import KStarEngine
from planning.engines.native import NativeEngine, OptimalEngine
from planning.engines.protocol import Cancelled, Engine
from planning.engines.pyperplan import PyperplanEngine

ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (NativeEngine(), OptimalEngine(), PyperplanEngine(), FastDownwardEngine(), KStarEngine())
}
"""Engines by name; the first is the default."""
DEFAULT_ENGINE = next(iter(ENGINES))
FIRST: dict[str, Engine] = {"native": NativeEngine(budget_ms=0)}
"""Of engines that improve their first plan for a while, by name, those that hand it out as it is."""
