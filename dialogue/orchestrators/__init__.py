"""What chooses the next thing to do: one module an orchestrator, one registry."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from dialogue.orchestrators.model import Achieved, Decision, Orchestrator, Proceed, Replanned
from dialogue.orchestrators.planner import PlannerOrchestrator
from planning.engines import Engine

ORCHESTRATORS: Mapping[str, Callable[[Engine], Orchestrator]] = {
    "planner": PlannerOrchestrator,
}
"""Each is made with the engine it may use."""


def remembering(orchestrator: Orchestrator) -> Orchestrator:
    """Give an orchestrator that decides as another does, and plans once for each situation of one catalog.

    One that remembers already is given as it is, with what it remembers.
    """
    if isinstance(orchestrator, PlannerOrchestrator) and orchestrator.memory is None:
        return replace(orchestrator, memory={})
    return orchestrator


__all__ = [
    "ORCHESTRATORS",
    "Achieved",
    "Decision",
    "Orchestrator",
    "PlannerOrchestrator",
    "Proceed",
    "Replanned",
    "remembering",
]
