"""`preference`: the most confident agent acts, unless one that is preferred to it could act (CLAI).

Preferences are a partial order: transitive, and without cycles (row C4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Forced, Verdict, Why
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.orchestrators.ranking import LearnsNothing, below, choose_best, choose_forced, ranked


def close(pairs: Iterable[tuple[AgentName, AgentName]]) -> dict[AgentName, frozenset[AgentName]]:
    """Return for each agent those that are preferred to it, directly or through others.

    Raises ValueError for a cycle, which the message names.
    """
    above: dict[AgentName, set[AgentName]] = {}
    for better, worse in pairs:
        above.setdefault(better, set())
        above.setdefault(worse, set()).add(better)
    try:
        order = tuple(TopologicalSorter(above).static_order())
    except CycleError as error:
        cycle = " before ".join(error.args[1])
        raise ValueError(f"The preferences go round in a circle: {cycle}. Take one of them out.") from None
    for agent in order:  # those that are preferred to it come before it
        above[agent].update(*(above[better] for better in tuple(above[agent])))
    return {agent: frozenset(better) for agent, better in above.items()}


@dataclass(frozen=True)
class PreferenceOrchestrator(LearnsNothing):
    """Chooses the most confident agent that no other able one is preferred to."""

    preferences: tuple[tuple[AgentName, AgentName], ...] = ()
    threshold: float = 0.1
    name: str = "preference"
    description: str = "The most confident agent acts, unless one that you prefer to it could act, too."
    _above: Mapping[AgentName, frozenset[AgentName]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Close the preferences. Raises ValueError for a cycle."""
        object.__setattr__(self, "_above", close(self.preferences))

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the most confident agent that is not outranked; a forced answer knows neither threshold nor ranks."""
        if forced is not None and (choice := choose_forced(answers, forced)) is not None:
            return choice
        candidates = ranked(answers)
        sure = {one.agent: one for one in candidates if one.confidence >= self.threshold}
        others = {one.agent: below(one, self.threshold) for one in candidates if one.agent not in sure}
        able = []
        for one in sure.values():
            better = [other for other in sure.values() if other.agent in self._above.get(one.agent, ())]
            if better:
                others[one.agent] = Verdict(
                    agent=one.agent,
                    chosen=False,
                    why=Why.ANOTHER_PREFERRED,
                    score=one.confidence,
                    against=better[0].confidence,
                    other=better[0].agent,
                )
            else:
                able.append(one)
        return choose_best(answers, able, others)
