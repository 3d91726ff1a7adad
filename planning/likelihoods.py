"""Likelihoods of outcomes: declared in a catalog, or estimated from how calls have ended, or left out of account.

An estimate is the mean of a Dirichlet distribution: as if, before any call was seen, so many calls (`prior_calls`) had
ended as the catalog declares; what it leaves open is shared equally by the outcomes that declare nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from catalog.model import Catalog, Mode
from catalog.model.settings import LikelihoodPolicy, Settings

PRIOR_CALLS = 10.0
LEAST = 0.001
"""Likelihood that an outcome has at least: what was never seen may still happen."""


class LikelihoodSource(StrEnum):
    """The operator's choice of which likelihoods of outcomes count in plans."""

    DECLARED = "declared"
    """Those that a catalog declares."""
    COUNTED = "counted"
    """Those of calls in the conversations that are kept, with what the catalog declares as prior."""
    IGNORED = "ignored"
    """None: a call costs the same whatever is hoped for."""


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """Which likelihoods count, and how often calls have ended how: (skill, mode, outcome, calls), in that order."""

    source: LikelihoodSource = LikelihoodSource.DECLARED
    prior_calls: float = PRIOR_CALLS
    calls: tuple[tuple[str, str, str, int], ...] = ()

    def by_mode(self) -> dict[tuple[str, str], dict[str, int]]:
        """Return how often calls have ended how, by skill and mode."""
        found: dict[tuple[str, str], dict[str, int]] = {}
        for skill, mode, outcome, calls in self.calls:
            found.setdefault((skill, mode), {})[outcome] = calls
        return found


DECLARED = Likelihoods()


def say_costs(counted: float, hopeful: float, calls: int | None = None) -> str:
    """Say that likelihoods count, from how many calls they were counted if they were, and a cost with and without."""
    seen = "" if calls is None else f", from {calls:,} call{'' if calls == 1 else 's'} and a prior"
    return f"Likelihoods of outcomes count{seen}: cost {counted:.4g} with them, {hopeful:.4g} without."


@dataclass(frozen=True, slots=True)
class Shares:
    """The likelihood of each outcome of a mode, None where none counts; `calls` are those that it was counted from."""

    of: Mapping[str, float | None]
    calls: int | None = None


def find_shares(settings: Settings, likelihoods: Likelihoods, mode: Mode, calls: Mapping[str, int]) -> Shares:
    """Find the likelihoods that count of a mode, whose calls have ended so often in each outcome.

    A catalog that ignores likelihoods is taken at its word, whatever the operator chooses.
    """
    if LikelihoodPolicy.IGNORED is settings.likelihoods or likelihoods.source is LikelihoodSource.IGNORED:
        return Shares(dict.fromkeys(mode.outcomes))
    declared = {name: outcome.likelihood for name, outcome in mode.outcomes.items()}
    if likelihoods.source is LikelihoodSource.DECLARED:
        return Shares(declared)
    seen = {name: calls.get(name, 0) for name in declared}
    return Shares(estimate(declared, seen, likelihoods.prior_calls), sum(seen.values()))


class SharesByMode(dict[tuple[str, str], Shares]):
    """The likelihoods of the outcomes of each mode, found when they are looked at."""

    def __init__(self, catalog: Catalog, likelihoods: Likelihoods) -> None:
        super().__init__()
        self._catalog = catalog
        self._likelihoods = likelihoods
        self._calls = likelihoods.by_mode()
        self.declared = likelihoods.source is LikelihoodSource.DECLARED

    def __missing__(self, way: tuple[str, str]) -> Shares:
        mode = self._catalog.skills[way[0]].modes[way[1]]
        found = find_shares(self._catalog.settings, self._likelihoods, mode, self._calls.get(way, {}))
        self[way] = found
        return found


def estimate(declared: Mapping[str, float | None], calls: Mapping[str, int], prior_calls: float) -> dict[str, float]:
    """Estimate the likelihood of each outcome from calls, and from declared likelihoods as prior."""
    prior = complete(declared)
    weights = {name: max(LEAST * prior_calls, prior_calls * prior[name]) + calls.get(name, 0) for name in declared}
    total = max(sum(weights.values()), prior_calls + sum(calls.get(name, 0) for name in declared))
    return {name: max(LEAST, weight / total) for name, weight in weights.items()}


def complete(declared: Mapping[str, float | None]) -> dict[str, float]:
    """Share what declared likelihoods leave open equally among the outcomes that declare none, if there are any."""
    given = {name: share for name, share in declared.items() if share is not None}
    left = max(0.0, 1.0 - sum(given.values()))
    rest = len(declared) - len(given)
    return {name: given.get(name, left / max(rest, 1)) for name in declared}
