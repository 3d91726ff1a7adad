"""Asking agents: all of them at once, each under its own time limit, and none at the cost of another (row C10).

Whatever an agent does, there is one answer for it: a preview, or why there is none. Each is shown a copy of the event,
so that nothing that one does to it reaches another. The filter of an agent (row V22) is run by whoever asks: it has to
be quick.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import PurePath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from catalog.endpoints.threads import Calls, Job, Late, Raised, Value
from catalog.skills.failures import describe_trouble
from dialogue.agents.agent import DeclaredAgent, SideEffect
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
from language.responses import agent_faults

MOST_ACTIONS = 50
"""Actions in one answer."""
MOST_TEXT = 20_000
"""Characters of a text in an answer."""
_log = logging.getLogger(__name__)


_M = TypeVar("_M", bound=BaseModel)


class _Wrong(Exception):
    """What an agent returned cannot be used; the message says what to return, and quotes nothing."""


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of letting an agent act: its reply, or what went wrong, in one line."""

    reply: AgentReply | None
    trouble: str = ""
    took_ms: float = 0.0


def broadcast(agents: Sequence[DeclaredAgent], event: AgentEvent) -> tuple[Answers, dict[AgentName, float]]:
    """Show an event to all agents at once; return their answers, and the milliseconds of each that was asked.

    It takes no longer than the longest of their limits. Raises ValueError where two agents have the same name.
    """
    names = [agent.name for agent in agents]
    if len(set(names)) < len(names):
        raise ValueError(f"Two agents have the same name: {sorted(names)}.")
    settled = {agent.name: _settle(agent, event) for agent in agents}
    asked = [agent for agent in agents if settled[agent.name] is None]
    calls = Calls([Job(_previewing(agent, event), agent.limit_s, agent.agent) for agent in asked])
    came = list(zip(asked, calls.results(), strict=True))
    answers = [answer for answer in settled.values() if answer is not None]
    answers += [_read(agent, result) for agent, result in came]
    declared = {agent.name: agent for agent in agents}
    answers = [_specify(declared[answer.agent], answer) for answer in answers]
    return Answers.of(names, answers), {agent.name: result.seconds * 1_000 for agent, result in came}


def execute(agent: DeclaredAgent, event: AgentEvent, actions: Sequence[ProposedAction]) -> Execution:
    """Let an agent carry out what it proposed, under its time limit. It never raises for what the agent does."""
    shown = event.model_copy(deep=True)
    work = Job(lambda: read_reply(agent.agent.execute(shown, tuple(actions))), agent.execute_s, agent.agent)
    came = Calls([work]).results()[0]
    if isinstance(came, Value):
        return Execution(came.value, took_ms=came.seconds * 1_000)
    return Execution(None, _tell(agent, "execute", came, agent.execute_s), came.seconds * 1_000)


def read_preview(agent: AgentName, returned: object) -> Preview | Silence:
    """Check what an agent answered: a proposal, or JSON of the same form, or None."""
    if returned is None:
        return Silence(agent=agent, reason=SilenceReason.NOTHING_TO_OFFER)
    try:
        fields = _fields(returned, "preview", "a Proposal, or None")
        actions = tuple(_read_actions(fields.get("actions"), "preview", least=1))
        return Preview(agent=agent, confidence=_read_confidence(fields.get("confidence")), actions=actions)
    except _Wrong as wrong:
        return Silence(agent=agent, reason=SilenceReason.INVALID, detail=str(wrong))


def read_reply(returned: object) -> AgentReply:
    """Check what an agent said when it acted: a reply, or JSON of the same form. Its errors quote nothing."""
    fields = _fields(returned, "execute", "an AgentReply")
    actions = tuple(_read_actions(fields.get("actions", ()), "execute"))
    return _read_as(AgentReply, {**fields, "actions": actions}, "execute")


def _settle(agent: DeclaredAgent, event: AgentEvent) -> Preview | Silence | None:
    """Return the answer of an agent that is not asked; None: it is asked."""
    try:
        if agent.admits is not None and not agent.admits(event):
            return Silence(agent=agent.name, reason=SilenceReason.NOT_ASKED)
    except Exception as error:
        told = agent_faults.filter_raised(type(error).__name__)
        return Silence(agent=agent.name, reason=SilenceReason.RAISED, detail=told)
    try:
        if agent.assumed is not None:
            return Preview(agent=agent.name, confidence=_read_confidence(agent.assumed), assumed=True)
    except _Wrong as wrong:
        return Silence(agent=agent.name, reason=SilenceReason.INVALID, detail=str(wrong))
    if not callable(getattr(agent.agent, "preview", None)):
        return Silence(agent=agent.name, reason=SilenceReason.INVALID, detail=agent_faults.no_preview())
    return None


def _specify(agent: DeclaredAgent, answer: Preview | Silence) -> Preview | Silence:
    """Add to a preview what its agent is declared to need and to make known."""
    if isinstance(answer, Silence) or not (agent.inputs or agent.outputs):
        return answer
    return answer.model_copy(update={"inputs": agent.inputs, "outputs": agent.outputs})


def _previewing(agent: DeclaredAgent, event: AgentEvent) -> Callable[[], Preview | Silence]:
    shown = event.model_copy(deep=True)
    return lambda: read_preview(agent.name, agent.agent.preview(shown))


def _read(agent: DeclaredAgent, came: Value[Preview | Silence] | Raised | Late) -> Preview | Silence:
    if isinstance(came, Value):
        return came.value
    reason = SilenceReason.RAISED if isinstance(came, Raised) else SilenceReason.TIMED_OUT
    if isinstance(came, Raised) and isinstance(came.error, SideEffect):
        reason = SilenceReason.SIDE_EFFECT
    return Silence(agent=agent.name, reason=reason, detail=_tell(agent, "preview", came, agent.limit_s))


def _tell(agent: DeclaredAgent, called: str, came: Raised | Late, limit_s: float) -> str:
    """Say what became of a call that gave nothing. Messages of errors are left out: they may hold anybody's value."""
    if isinstance(came, Late):
        return agent_faults.still_busy() if came.still else agent_faults.cut_off(limit_s)
    if isinstance(came.error, SideEffect | _Wrong):
        return str(came.error)
    _log.warning("the agent %s failed: %s", agent.name, describe_trouble(came.error))
    frames = traceback.extract_tb(came.error.__traceback__)
    place = f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return agent_faults.raised(called, type(came.error).__name__, place)


def _fields(returned: object, called: str, expected: str) -> Mapping[str, Any]:
    if isinstance(returned, BaseModel):
        return dict(returned)
    if isinstance(returned, Mapping):
        return returned
    raise _Wrong(agent_faults.wrong_type(called, type(returned).__name__, expected))


def _read_confidence(given: object) -> float:
    """Return a confidence; texts and truth values are none, though they could be made into one."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise _Wrong(agent_faults.wrong_confidence(f"of type {type(given).__name__}"))
    if not 0.0 <= (value := float(given)) <= 1.0:  # not a number is not between them either
        raise _Wrong(agent_faults.wrong_confidence(f"{value:.6g}"))
    return value


def _read_actions(given: object, called: str, least: int = 0) -> Sequence[ProposedAction]:
    if not isinstance(given, list | tuple):
        raise _Wrong(agent_faults.wrong_actions(called, f"of type {type(given).__name__}"))
    if not least <= len(given) <= MOST_ACTIONS:
        raise _Wrong(agent_faults.wrong_actions(called, f"{len(given)} of them"))
    return [_read_as(ProposedAction, _fields(one, called, "actions"), called) for one in given]


def _read_as(model: type[_M], fields: Mapping[str, Any], called: str) -> _M:
    """Return checked values; what is wrong with them is told by its place, without the value."""
    try:
        read = model.model_validate({name: _writable(value) for name, value in fields.items()})
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise _Wrong(agent_faults.wrong_field(called, place, fault["msg"])) from None  # the error holds values
    if longest := [name for name, value in read if isinstance(value, str) and len(value) > MOST_TEXT]:
        raise _Wrong(agent_faults.wrong_field(called, longest[0], f"More than {MOST_TEXT} characters"))
    return read


def _writable(value: Any) -> Any:
    """Return what can be written down: names of files may hold halves of characters, which cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return [_writable(one) for one in value] if isinstance(value, list | tuple) else value
