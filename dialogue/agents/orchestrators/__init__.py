"""Orchestrators: who acts on an event. Each is pure; what it has learned is handed in and handed back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from dialogue.agents.model import AgentName
from dialogue.agents.orchestrators.bandit import BanditOrchestrator, Profile
from dialogue.agents.orchestrators.calibration import Method, calibrated
from dialogue.agents.orchestrators.maximum import MaxOrchestrator
from dialogue.agents.orchestrators.planner import PlannerOrchestrator
from dialogue.agents.orchestrators.preference import PreferenceOrchestrator
from dialogue.agents.orchestrators.protocol import Orchestrator
from dialogue.agents.orchestrators.s3 import S3Orchestrator
from dialogue.agents.orchestrators.threshold import ThresholdOrchestrator
from language.interpretation import Frozen


class OrchestratorOptions(Frozen):
    """What orchestrators can be told: pairs (preferred, to whom), what the bandit starts from, how it explores.

    `calibration` says how confidences are made comparable before anything is chosen.
    """

    preferences: tuple[tuple[AgentName, AgentName], ...] = ()
    profile: Profile = Profile()
    explore: Literal["thompson", "ucb"] = "thompson"
    calibration: Method = "none"


ORCHESTRATORS: Mapping[str, Callable[[OrchestratorOptions], Orchestrator]] = {
    "planner": lambda options: calibrated(PlannerOrchestrator(), options.calibration),
    "s3": lambda options: calibrated(S3Orchestrator(), options.calibration),
    "max": lambda options: calibrated(MaxOrchestrator(), options.calibration),
    "preference": lambda options: calibrated(PreferenceOrchestrator(options.preferences), options.calibration),
    "threshold": lambda options: calibrated(ThresholdOrchestrator(), options.calibration),
    "bandit": lambda options: calibrated(BanditOrchestrator(options.profile, options.explore), options.calibration),
}
"""The orchestrators that come with the product. Making one raises ValueError for options that it cannot use."""

__all__ = ["ORCHESTRATORS", "Orchestrator", "OrchestratorOptions"]
