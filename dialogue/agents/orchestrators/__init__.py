"""Orchestrators: who acts on an event. Each is pure; what it has learned is handed in and handed back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from dialogue.agents.model import AgentName
from dialogue.agents.orchestrators.bandit import BanditOrchestrator, Profile
from dialogue.agents.orchestrators.maximum import MaxOrchestrator
from dialogue.agents.orchestrators.planner import PlannerOrchestrator
from dialogue.agents.orchestrators.preference import PreferenceOrchestrator
from dialogue.agents.orchestrators.protocol import Orchestrator
from dialogue.agents.orchestrators.s3 import S3Orchestrator
from dialogue.agents.orchestrators.threshold import ThresholdOrchestrator
from language.interpretation import Frozen


class OrchestratorOptions(Frozen):
    """What orchestrators can be told: pairs (preferred, to whom), what the bandit starts from, and how it explores."""

    preferences: tuple[tuple[AgentName, AgentName], ...] = ()
    profile: Profile = Profile()
    explore: Literal["thompson", "ucb"] = "thompson"


ORCHESTRATORS: Mapping[str, Callable[[OrchestratorOptions], Orchestrator]] = {
    "planner": lambda _: PlannerOrchestrator(),
    "s3": lambda _: S3Orchestrator(),
    "max": lambda _: MaxOrchestrator(),
    "preference": lambda options: PreferenceOrchestrator(preferences=options.preferences),
    "threshold": lambda _: ThresholdOrchestrator(),
    "bandit": lambda options: BanditOrchestrator(profile=options.profile, explore=options.explore),
}
"""The orchestrators that come with the product. Making one raises ValueError for options that it cannot use."""

__all__ = ["ORCHESTRATORS", "Orchestrator", "OrchestratorOptions"]
