"""Orchestrators: who acts on an event. Each is pure; what it has learned is handed in and handed back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from dialogue.agents.model import AgentName
from dialogue.agents.orchestrators.bandit import BanditOrchestrator, Profile
from dialogue.agents.orchestrators.calibration import Method, calibrated
from dialogue.agents.orchestrators.planner import MaxOrchestrator, PlannerOrchestrator
from dialogue.agents.orchestrators.preference import PreferenceOrchestrator
from dialogue.agents.orchestrators.protocol import Orchestrator
from dialogue.agents.orchestrators.s3 import S3Orchestrator, TopK
from dialogue.agents.orchestrators.threshold import (
    FOLLOWED,
    HIGHEST,
    LOWEST,
    NOT_FOLLOWED,
    START,
    ThresholdOrchestrator,
)
from language.interpretation import Frozen


@dataclass(frozen=True, slots=True)
class SettableFigure:
    """A figure that an orchestrator works with: its usual value, its bounds, and what it is."""

    usual: float
    least: float
    most: float
    description: str


_ACTS = "how sure an agent has to be to act"
FIGURES: Mapping[str, SettableFigure] = {
    "planner.threshold": SettableFigure(0.4, 0, 1, _ACTS),
    "s3.count": SettableFigure(3, 1, 50, "how many agents act at most (k)"),
    "s3.threshold": SettableFigure(0.4, 0, 1, f"{_ACTS} (δ)"),
    "max.threshold": SettableFigure(0.4, 0, 1, _ACTS),
    "preference.threshold": SettableFigure(0.1, 0, 1, _ACTS),
    "threshold.start": SettableFigure(START, LOWEST, HIGHEST, "where the threshold of an agent begins"),
    "threshold.followed": SettableFigure(FOLLOWED, -1, 0, "what a threshold changes by when its agent is followed"),
    "threshold.not_followed": SettableFigure(NOT_FOLLOWED, 0, 1, "what a threshold changes by when its agent is not"),
    "bandit.threshold": SettableFigure(0.4, 0, 1, f"{_ACTS}, before anything is learned"),
}
"""The figures that can be set, by the orchestrator and the name of the figure."""


class OrchestratorOptions(Frozen):
    """What orchestrators can be told: pairs (preferred, to whom), what the bandit starts from, how it explores.

    `calibration` says how confidences are made comparable before anything is chosen. `figures` are those of `FIGURES`
    that are not as usual.
    """

    preferences: tuple[tuple[AgentName, AgentName], ...] = ()
    profile: Profile = Profile()
    explore: Literal["thompson", "ucb"] = "thompson"
    calibration: Method = "none"
    figures: tuple[tuple[str, float], ...] = Field(default=(), exclude_if=lambda value: not value)

    def of(self, figure: str) -> float:
        return dict(self.figures).get(figure, FIGURES[figure].usual)


MakeOrchestrator = Callable[[OrchestratorOptions], Orchestrator]
_MAKERS: Mapping[str, MakeOrchestrator] = {
    "planner": lambda o: PlannerOrchestrator(o.of("planner.threshold")),
    "s3": lambda o: S3Orchestrator(selector=TopK(int(o.of("s3.count")), o.of("s3.threshold"))),
    "max": lambda o: MaxOrchestrator(o.of("max.threshold")),
    "preference": lambda o: PreferenceOrchestrator(o.preferences, o.of("preference.threshold")),
    "threshold": lambda o: ThresholdOrchestrator(
        start=o.of("threshold.start"),
        followed=o.of("threshold.followed"),
        not_followed=o.of("threshold.not_followed"),
    ),
    "bandit": lambda o: BanditOrchestrator(o.profile, o.explore, threshold=o.of("bandit.threshold")),
}


def _calibrating(make: MakeOrchestrator) -> MakeOrchestrator:
    return lambda options: calibrated(make(options), options.calibration)


_registered: dict[str, MakeOrchestrator] = {name: _calibrating(make) for name, make in _MAKERS.items()}
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
    _registered[name] = _calibrating(make)


def unregister(name: str) -> None:
    """Take back an orchestrator that was dropped in, once it is not used any more."""
    _dropped_in[name].pop()
    if not _dropped_in[name]:
        del _dropped_in[name], _registered[name]
