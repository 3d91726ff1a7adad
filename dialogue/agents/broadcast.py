"""Asking agents: all of them at once, each under its own time limit, and none at the cost of another (row C10).

Whatever an agent does, there is one answer for it: a preview, or why there is none. Each is shown a copy of the event,
so that nothing that one does to it reaches another. The filter of an agent (row V22) is run by the broadcast: it has to
be quick.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalog.endpoints.failures import WorkerFailed
from catalog.endpoints.processes import CallResult, call_all
from catalog.endpoints.threads import Calls, Job, Late, Raised, ReturnedValue
from catalog.skills.failures import where_raised
from dialogue.agents.agent import (
    Agent,
    DeclaredAgent,
    ProcessAgent,
    SideEffect,
    WrongAnswer,
    read_acting,
    read_answer,
    read_confidence,
    read_preview,
    read_reply,
)
from dialogue.agents.model import (
    AgentEvent,
    AgentName,
    AgentReply,
    Answers,
    Preview,
    ProposedAction,
    Silence,
    SilenceReason,
)
from language.responses.agents import faults

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AgentRun:
    """The result of letting an agent act: its reply, or what went wrong, in one line."""

    reply: AgentReply | None
    trouble: str = ""
    took_ms: float = 0.0


def broadcast(
    agents: Sequence[DeclaredAgent], event: AgentEvent, instead: Mapping[AgentName, AgentEvent] | None = None
) -> tuple[Answers, dict[AgentName, float]]:
    """Show an event to all agents at once; return their answers, and the milliseconds of each that was asked.

    Some agents may be shown another event `instead`: as it is with what is hidden from the others, say. It takes no
    longer than the longest of their limits. Raises ValueError where two agents have the same name.
    """
    names = [agent.name for agent in agents]
    if len(set(names)) < len(names):
        raise ValueError(f"Two agents have the same name: {sorted(names)}.")
    shown = dict.fromkeys(names, event) | dict(instead or {})
    settled = {agent.name: _settle(agent, shown[agent.name]) for agent in agents}
    answers = [answer for answer in settled.values() if answer is not None]
    took: dict[AgentName, float] = {}
    for agent, came in _ask([agent for agent in agents if settled[agent.name] is None], shown):
        answers.append(_read(agent, came))
        took[agent.name] = came.seconds * 1_000
    declared = {agent.name: agent for agent in agents}
    answers = [_specify(declared[answer.agent], answer) for answer in answers]
    return Answers.of(names, answers), {name: took[name] for name in names if name in took}


def execute(agent: DeclaredAgent, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentRun:
    """Let an agent carry out what it proposed, under its time limit. It never raises for what the agent does."""
    if isinstance(agent.agent, ProcessAgent):
        (came,) = call_all([agent.agent.to_execute(event, actions, agent.execute_s)])
    else:
        runs, shown = agent.agent, event.model_copy(deep=True)
        acting = Job(lambda: read_reply(runs.execute(shown, tuple(actions))), agent.execute_s, runs)
        (came,) = Calls([acting]).results()
    if not isinstance(came, ReturnedValue):
        return AgentRun(None, _tell(agent, "execute", came, agent.execute_s), came.seconds * 1_000)
    try:
        return AgentRun(read_acting(came.value), took_ms=came.seconds * 1_000)
    except WrongAnswer as wrong:
        return AgentRun(None, str(wrong), came.seconds * 1_000)


def _ask(
    agents: Sequence[DeclaredAgent], shown: Mapping[AgentName, AgentEvent]
) -> Iterator[tuple[DeclaredAgent, CallResult]]:
    """Ask agents: those of this process on threads, and meanwhile those in processes of their own."""
    apart, here, requests, jobs = [], [], [], []
    for agent in agents:
        event = shown[agent.name]
        if isinstance(agent.agent, ProcessAgent):
            apart.append(agent)
            requests.append(agent.agent.to_preview(event, agent.limit_s))
        else:
            here.append(agent)
            jobs.append(Job(_previewing(agent.name, agent.agent, event), agent.limit_s, agent.agent))
    calls = Calls(jobs)
    yield from zip(apart, call_all(requests), strict=True)
    yield from zip(here, calls.results(), strict=True)


def _settle(agent: DeclaredAgent, event: AgentEvent) -> Preview | Silence | None:
    try:
        if agent.admits is not None and not agent.admits(event):
            return Silence(agent=agent.name, reason=SilenceReason.NOT_ASKED)
    except Exception as error:
        told = faults.filter_raised(type(error).__name__)
        return Silence(agent=agent.name, reason=SilenceReason.RAISED, detail=told)
    try:
        if agent.assumed is not None:
            return Preview(agent=agent.name, confidence=read_confidence(agent.assumed), assumed=True)
    except WrongAnswer as wrong:
        return Silence(agent=agent.name, reason=SilenceReason.INVALID, detail=str(wrong))
    if not isinstance(agent.agent, ProcessAgent) and not callable(getattr(agent.agent, "preview", None)):
        return Silence(agent=agent.name, reason=SilenceReason.INVALID, detail=faults.NO_PREVIEW)
    return None


def _specify(agent: DeclaredAgent, answer: Preview | Silence) -> Preview | Silence:
    if isinstance(answer, Silence) or not (agent.inputs or agent.outputs):
        return answer
    return answer.model_copy(update={"inputs": agent.inputs, "outputs": agent.outputs})


def _previewing(name: AgentName, agent: Agent, event: AgentEvent) -> Callable[[], Preview | Silence]:
    shown = event.model_copy(deep=True)
    return lambda: read_preview(name, agent.preview(shown))


def _read(agent: DeclaredAgent, came: CallResult) -> Preview | Silence:
    if isinstance(came, ReturnedValue):
        return came.value if isinstance(came.value, Preview | Silence) else read_answer(agent.name, came.value)
    reason = SilenceReason.RAISED if isinstance(came, Raised) else SilenceReason.TIMED_OUT
    if isinstance(came, Raised) and isinstance(came.error, SideEffect):
        reason = SilenceReason.SIDE_EFFECT
    return Silence(agent=agent.name, reason=reason, detail=_tell(agent, "preview", came, agent.limit_s))


def _tell(agent: DeclaredAgent, called: str, came: Raised | Late, limit_s: float) -> str:
    """Say what became of a call that gave nothing. Messages of errors are left out: they may hold values."""
    if isinstance(came, Late):
        if came.starting:
            return faults.still_starting(limit_s)
        return faults.STILL_BUSY if came.busy else faults.cut_off(limit_s)
    error = came.error
    if isinstance(error, SideEffect | WrongAnswer):
        return str(error)
    if isinstance(error, WorkerFailed):
        _log.warning("the agent %s failed: %s %s", agent.name, error.error, error.place)
        if not error.trace:
            return faults.came_to_nothing(called, error.error)
        return faults.raised("loading" if error.loading else called, error.error, error.place)
    _log.warning("the agent %s failed: %s %s", agent.name, type(error).__name__, where_raised(error))
    return faults.raised(called, type(error).__name__, where_raised(error))
