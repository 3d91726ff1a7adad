"""Explanations of who acts: which agent did, why, why the others did not, and what was learned from the user.

They say what the orchestrator decided, with the figures that decided it, as they stand on record; nothing is worked out
anew, so an explanation names the same agent and the same reason as the record.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.wording.agents import agent_name, say_silence, say_verdict
from catalog.wording.grammar import count, end, listing
from explain.claim import Claim, cite
from explain.claims import answer
from explain.model import Explanation, Question, QuestionKind, Record
from explain.words import Wording
from planning.history import Deliberated, Judged


class NoOtherAgent(Claim):
    template = "So far I have answered everything: no other agent was asked."


class Acting(Claim):
    """These agents acted on what was said, in this order; `failed` are those that were chosen and could not."""

    agents: tuple[str, ...]
    failed: tuple[str, ...] = ()

    def say(self, words: Wording) -> Iterator[str]:
        if not self.agents:
            yield "No agent acted on that."
        else:
            names = listing(tuple(agent_name(agent) if agent != _I else "I" for agent in self.agents))
            yield f"{names} answered that{', in this order' if len(self.agents) > 1 else ''}."
        for agent in self.failed:
            yield f"{agent_name(agent)} could not do it."


class ChosenBy(Claim):
    """An orchestrator chose among the agents that were asked; `by_name` is the one that the user asked for."""

    orchestrator: str
    asked: tuple[str, ...]
    by_name: str | None = None

    def say(self, words: Wording) -> Iterator[str]:
        if self.by_name is not None:
            yield f"You had asked for {_object(self.by_name)} by name."
        else:
            among = listing(tuple(_object(agent) for agent in self.asked if agent != "nobody"))
            yield f"The orchestrator {agent_name(self.orchestrator)} chose among {among}."


class Verdicts(Claim):
    """Why agents acted, or did not; `drawn` says whether estimates were drawn at random."""

    verdicts: tuple[Judged, ...]
    drawn: bool = False

    def say(self, words: Wording) -> Iterator[str]:
        for one in self.verdicts:
            silence = say_silence(one.silence) if one.silence else ""
            why = say_verdict(one.agent, one.why, one.score, one.against, one.other, drawn=self.drawn, silence=silence)
            acted = "acted" if one.chosen else "did not act"
            chosen = f"was {'' if one.chosen else 'not '}chosen"
            yield end(f"{agent_name(one.agent)} {chosen if one.agent == 'nobody' else acted}: {why}")


class NoSuchAgent(Claim):
    agent: str
    template = "{agent:agent} was not asked: it does not take part here."


class Taught(Claim):
    """What the user made of what an agent did: how often it was of use, and how often it was not."""

    agent: str
    useful: int
    useless: int

    def say(self, words: Wording) -> Iterator[str]:
        who = "I" if self.agent == _I else agent_name(self.agent)
        if not self.useful:
            yield f"What {who} did was of no use to you ({_times(self.useless)})."
        else:
            but = f", and of no use {_times(self.useless)}" if self.useless else ""
            yield f"What {who} did was of use to you {_times(self.useful)}{but}."


class GoesBy(Claim):
    """Which orchestrator chooses: it may go by what was learned."""

    orchestrator: str

    def say(self, words: Wording) -> Iterator[str]:
        goes = "goes by that" if self.orchestrator in _LEARN else f"does not go by that; {listing(_LEARN, 'and')} do"
        yield f"The orchestrator {agent_name(self.orchestrator)} {goes}."


class NothingTaught(Claim):
    """Nothing has been learned from the user; `undone` says whether it was taken back."""

    undone: bool = False

    def say(self, words: Wording) -> Iterator[str]:
        back = "What I had learned from you was taken back."
        yield back if self.undone else "I have learned nothing from you yet."


_I = "assistant"
_LEARN = ("threshold", "bandit")
"""Orchestrators that go by what was learned."""


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number) or count(number, "time")


def _object(agent: str) -> str:
    return "me" if agent == _I else agent_name(agent)


def explain_agents(record: Record, question: Question) -> Explanation:
    """Answer a question about agents. Without a name it is about those that acted, or about all others."""
    if not record.choices:
        return answer(question, [NoOtherAgent()])
    if question.kind is QuestionKind.LEARNED:
        return answer(question, _taught(record, question.agent))
    last = record.choices[-1]
    evidence = cite(last.asked, last.event)
    chosen_by = ChosenBy(last.orchestrator, tuple(one.agent for one in last.verdicts), last.by_name, evidence=evidence)
    if question.kind is QuestionKind.WHO_ACTED:
        return answer(question, [_acting(last), chosen_by])
    wanted = question.kind is QuestionKind.WHY_AGENT
    about = tuple(
        one
        for one in last.verdicts
        if (one.chosen is wanted if question.agent is None else one.agent == question.agent)
    )
    claims: list[Claim] = []
    if question.agent is not None and not about:
        claims.append(NoSuchAgent(question.agent, evidence=evidence))
    if question.agent is None and not any(one.chosen for one in last.verdicts):
        claims.append(_acting(last))
        about = last.verdicts
    if about:
        claims.append(Verdicts(about, last.drawn, evidence=cite(last.event)))
    elif question.agent is None:
        claims.append(_acting(last))
    return answer(question, claims if last.by_name and about else [*claims, chosen_by])


def _acting(last: Deliberated) -> Acting:
    return Acting(last.order, last.failed, evidence=cite(last.event, *last.acts))


def _taught(record: Record, agent: str | None) -> list[Claim]:
    """Count what agents did that was of use, and what was not, as far as it was not taken back."""
    told = [one for one in record.choices if one.useful is not None]
    kept = [one for one in told if not one.undone]
    claims: list[Claim] = []
    for name in dict.fromkeys(name for one in kept for name in one.order if agent in {None, name}):
        own = [one for one in kept if name in one.order]
        useful = sum(1 for one in own if one.useful)
        evidence = cite(*(event for one in own for event in (one.event, one.reacted)))
        claims.append(Taught(name, useful, len(own) - useful, evidence=evidence))
    last = record.choices[-1]
    if not claims:
        undone = cite(*(one.event for one in told if one.undone))
        return [NothingTaught(bool(undone), evidence=undone)]
    return [*claims, GoesBy(last.orchestrator, evidence=cite(last.event))]
