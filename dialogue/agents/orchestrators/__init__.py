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


MakeOrchestrator = Callable[[OrchestratorOptions], Orchestrator]
_registered: dict[str, MakeOrchestrator] = {
    "planner": lambda options: calibrated(PlannerOrchestrator(), options.calibration),
    "s3": lambda options: calibrated(S3Orchestrator(), options.calibration),
    "max": lambda options: calibrated(MaxOrchestrator(), options.calibration),
    "preference": lambda options: calibrated(PreferenceOrchestrator(options.preferences), options.calibration),
    "threshold": lambda options: calibrated(ThresholdOrchestrator(), options.calibration),
    "bandit": lambda options: calibrated(BanditOrchestrator(options.profile, options.explore), options.calibration),
}
ORCHESTRATORS: Mapping[str, MakeOrchestrator] = _registered
"""The orchestrators that come with the product, then those that were dropped in.

Making one raises ValueError for options that it cannot use.
"""
_dropped_in: dict[str, list[MakeOrchestrator]] = {}


def register(name: str, make: MakeOrchestrator) -> None:
    """Have an orchestrator that was dropped in stand beside the others. Raises ValueError for a name that is taken."""
    if name in _registered and name not in _dropped_in:
        raise ValueError(f"There is an orchestrator {name!r} already. Rename the one that was dropped in.")
    _dropped_in.setdefault(name, []).append(make)
    _registered[name] = lambda options: calibrated(make(options), options.calibration)


def unregister(name: str) -> None:
    """Take back an orchestrator that was dropped in, once nobody has it any more."""
    _dropped_in[name].pop()
    if not _dropped_in[name]:
        del _dropped_in[name], _registered[name]


__all__ = ["ORCHESTRATORS", "MakeOrchestrator", "Orchestrator", "OrchestratorOptions", "register", "unregister"]
