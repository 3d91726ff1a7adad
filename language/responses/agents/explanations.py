"""Explanations of who acts, in words: each agent with the phrase for its verdict, as the page shows it."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.wording.grammar import capitalize, count, end, listing
from explain import agents
from explain.model import Judged
from language.responses.agents.verdicts import agent_name, say_silence, say_verdict

Pieces = tuple[str, ...]
_I = "assistant"
_LEARN = ("threshold", "bandit")
"""Orchestrators that go by what was learned."""


def say_agents(claim: agents.AgentClaim) -> Iterator[Pieces]:
    match claim:
        case agents.NobodyElse():
            yield ("So far I have answered everything: nobody else was asked.",)
        case agents.Acting(agents=acted, failed=failed):
            yield (_say_acting(acted),)
            for agent in failed:
                yield (f"{_subject(agent)} could not do it.",)
        case agents.ChosenBy(by_name=str(agent)):
            yield (f"You had asked for {_object(agent)} by name.",)
        case agents.ChosenBy(orchestrator=orchestrator, asked=asked):
            among = listing(tuple(_object(agent) for agent in asked if agent != "nobody"))
            yield (f"The orchestrator {agent_name(orchestrator)} chose among {among}.",)
        case agents.Verdicts(verdicts=verdicts, drawn=drawn):
            for one in verdicts:
                yield (_say_judged(one, drawn=drawn),)
        case agents.NoSuchAgent(agent=agent):
            yield (f"{capitalize(agent_name(agent))} was not asked: it does not take part here.",)
        case agents.Taught(agent=agent, useful=useful, useless=useless):
            yield (_say_taught("I" if agent == _I else agent_name(agent), useful, useless),)
        case agents.GoesBy(orchestrator=orchestrator):
            learns = orchestrator in _LEARN
            goes = "goes by that" if learns else f"does not go by that; {listing(_LEARN, 'and')} do"
            yield (f"The orchestrator {agent_name(orchestrator)} {goes}.",)
        case agents.NothingTaught(undone=undone):
            yield ("What I had learned from you was taken back." if undone else "I have learned nothing from you yet.",)


def _say_acting(acted: tuple[str, ...]) -> str:
    if not acted:
        return "Nobody acted on that."
    names = listing(tuple(agent_name(agent) if agent != _I else "I" for agent in acted))
    order = ", in this order" if len(acted) > 1 else ""
    return f"{capitalize(names)} answered that{order}."


def _say_judged(one: Judged, *, drawn: bool) -> str:
    silence = say_silence(one.silence) if one.silence else ""
    why = say_verdict(one.agent, one.why, one.score, one.against, one.other, drawn=drawn, silence=silence)
    if one.agent == "nobody":
        return end(f"Doing nothing was {'' if one.chosen else 'not '}chosen: {why}")
    return end(f"{_subject(one.agent)} {'acted' if one.chosen else 'did not act'}: {why}")


def _say_taught(who: str, useful: int, useless: int) -> str:
    if not useful:
        return f"What {who} did was of no use to you ({_times(useless)})."
    but = f", and of no use {_times(useless)}" if useless else ""
    return f"What {who} did was of use to you {_times(useful)}{but}."


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number) or count(number, "time")


def _subject(agent: str) -> str:
    return capitalize(agent_name(agent))


def _object(agent: str) -> str:
    return "me" if agent == _I else agent_name(agent)
