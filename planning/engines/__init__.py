"""The engines that solve tasks, behind one protocol; to add one, add a module here and an entry to the registry."""

from __future__ import annotations

from planning.engines.native import NativeEngine
from planning.engines.protocol import Cancelled, Engine
from planning.engines.pyperplan import PyperplanEngine

ENGINES: dict[str, Engine] = {engine.name: engine for engine in (PyperplanEngine(), NativeEngine())}
"""Engines by name; the first is the default."""

__all__ = ["ENGINES", "Cancelled", "Engine"]
