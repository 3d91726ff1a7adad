"""What orchestrators that compare scores share: the ranking, the forced choice, and the verdict on each agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import NOBODY, AgentName, Answers, Choice, Forced, Preview, Verdict, Why
from dialogue.agents.orchestrators.protocol import VERSION, State, check_form


class _Nothing(TypedDict):
    version: Literal[1]


_NOTHING = TypeAdapter(_Nothing)


def ranked(answers: Answers) -> list[Preview]:
    """List the previews, the most confident first; of equal ones the one declared first (row C1)."""
    return sorted(answers.previews, key=lambda preview: -preview.confidence)


def choose_forced(answers: Answers, forced: Forced) -> Choice | None:
    """Return the choice that the user asked for, whatever the thresholds (row C2); None where it cannot be made."""
    named = [one for one in ranked(answers) if forced.agent in {None, one.agent}]
    if not named:
        return None
    chosen = named[0]
    verdicts = [Verdict(agent=chosen.agent, chosen=True, why=Why.FORCED, score=chosen.confidence)]
    for one in answers.previews:
        if one is not chosen:
            why = Why.NOT_CALLED_FOR if forced.agent is not None else lower_or_tie(one, chosen)
            verdicts.append(verdict_against(one, chosen, why))
    return conclude(answers, (chosen.agent,), verdicts)


def lower_or_tie(one: Preview, chosen: Preview) -> Why:
    return Why.TIE if one.confidence == chosen.confidence else Why.LOWER


def verdict_against(one: Preview, chosen: Preview, why: Why) -> Verdict:
    return Verdict(
        agent=one.agent, chosen=False, why=why, score=one.confidence, against=chosen.confidence, other=chosen.agent
    )


def below(one: Preview, threshold: float) -> Verdict:
    return Verdict(agent=one.agent, chosen=False, why=Why.BELOW_THRESHOLD, score=one.confidence, against=threshold)


def choose_best(answers: Answers, able: Sequence[Preview], others: Mapping[AgentName, Verdict]) -> Choice:
    """Choose the most confident of those that are `able` to act, best first; `others` are the verdicts on the rest."""
    verdicts = list(others.values())
    for place, one in enumerate(able):
        if place == 0:
            verdicts.append(Verdict(agent=one.agent, chosen=True, why=Why.BEST, score=one.confidence))
        else:
            verdicts.append(verdict_against(one, able[0], lower_or_tie(one, able[0])))
    return conclude(answers, tuple(one.agent for one in able[:1]), verdicts)


def conclude(
    answers: Answers, chosen: tuple[AgentName, ...], verdicts: Sequence[Verdict], seed: int | None = None
) -> Choice:
    """Return a choice with its verdicts in the order of declaration, those that gave no preview included."""
    silent = [Verdict(agent=one.agent, chosen=False, why=Why.SILENT) for one in answers.silent]
    order = {name: place for place, name in enumerate((*answers.declared, NOBODY))}
    return Choice(agents=chosen, verdicts=tuple(sorted((*verdicts, *silent), key=lambda v: order[v.agent])), seed=seed)


class LearnsNothing:
    """An orchestrator whose choices do not depend on what was before."""

    name: str

    def begin(self) -> State:
        return {"version": VERSION}

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version."""
        return check_form(_NOTHING, state, self.name)

    def observe(self, state: State, feedback: Feedback) -> State:
        return state
