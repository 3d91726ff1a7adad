"""The interface of agents: what each must be able to do, what it is declared with, and how its answers are checked.

An agent may be a function, a program in a process of its own, a skill of a catalog or a whole assistant. Whatever it
is, it says what it would do before it does anything (Upadhyay et al. 2018; Rizk et al. 2020).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, Field, JsonValue, ValidationError

from catalog.endpoints.fork_server import load
from catalog.endpoints.processes import Function, WorkerRequest, Workers
from catalog.wording.grammar import clean
from dialogue.agents.model import (
    AgentEvent,
    AgentName,
    AgentReply,
    Confidence,
    Preview,
    ProposedAction,
    Silence,
    SilenceReason,
)
from language.interpretation import Frozen
from language.responses.agents import faults

PREVIEW_SECONDS = 2.0
"""The usual time limit of a preview. CLAI's was 4 s, and was not kept."""
EXECUTE_SECONDS = 60.0
"""The usual time limit of acting."""
MOST_ACTIONS = 50
"""Actions in one answer."""
MOST_TEXT = 20_000
"""Characters of a text in an answer."""
_LONGEST_DETAIL = 300
_M = TypeVar("_M", bound=BaseModel)


class SideEffect(Exception):
    """A preview would have an effect; the message says which, and what to do, without any value."""


class WrongAnswer(Exception):
    """What an agent returned cannot be used; the message says what to return, and quotes nothing."""


class Proposal(Frozen):
    """What an agent answers to an event: how sure it is to be of use, and what it would do. None: nothing to offer."""

    confidence: Confidence
    actions: tuple[ProposedAction, ...] = Field(min_length=1)


class Agent(Protocol):
    """Acts on events. `preview` has no side effects; `execute` carries out what was proposed."""

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Return what it would do about an event, or None. It may raise, and may be cut off."""
        ...

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        """Act. It may raise, and may be cut off."""
        ...


@dataclass(frozen=True, eq=False)
class ProcessAgent:
    """An agent in a process of its own: it can be stopped, and reaches nothing here.

    `make` is a function that returns it from what is `given`: `package.module:callable`, or `/folder/file.py:callable`.
    """

    workers: Workers
    make: str
    given: tuple[JsonValue, ...] = ()

    @property
    def function(self) -> Function:
        return Function(f"{__name__}:answer_as_agent", json.dumps([self.make, *self.given]))

    def to_preview(self, event: AgentEvent, limit_s: float) -> WorkerRequest:
        """Return the call that asks what it would do."""
        return WorkerRequest(self.workers, self.function, ["preview", event.model_dump(mode="json"), []], limit_s)

    def to_execute(self, event: AgentEvent, actions: Sequence[ProposedAction], limit_s: float) -> WorkerRequest:
        given = [action.model_dump(mode="json") for action in actions]
        return WorkerRequest(self.workers, self.function, ["execute", event.model_dump(mode="json"), given], limit_s)


@dataclass(frozen=True)
class DeclaredAgent:
    """An agent as it was declared: under which name, with which limits, and what it needs and makes known.

    An agent with an `assumed` confidence has no preview: it is not asked. `admits` is the apriori filter: an event that
    it turns away is not shown to the agent (row V22); it is to be quick. `limit_s` is for a preview, `execute_s` for
    acting.
    """

    name: AgentName
    description: str
    agent: Agent | ProcessAgent
    limit_s: float = PREVIEW_SECONDS
    assumed: float | None = None
    admits: Callable[[AgentEvent], bool] | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    execute_s: float = EXECUTE_SECONDS


def read_preview(agent: AgentName, returned: object) -> Preview | Silence:
    """Check what an agent answered: a proposal, or JSON of the same form, or None."""
    if returned is None:
        return Silence(agent=agent, reason=SilenceReason.NOTHING_TO_OFFER)
    try:
        fields = _fields(returned, "preview", "a Proposal, or None")
        actions = tuple(_read_actions(fields.get("actions"), "preview", least=1))
        return Preview(agent=agent, confidence=read_confidence(fields.get("confidence")), actions=actions)
    except WrongAnswer as wrong:
        return Silence(agent=agent, reason=SilenceReason.INVALID, detail=str(wrong))


def read_answer(agent: AgentName, answered: object) -> Preview | Silence:
    """Check what a worker answered: JSON of a preview, or of a silence."""
    if not isinstance(answered, Mapping) or "reason" not in answered:
        return read_preview(agent, answered)
    try:
        silence = _read_as(Silence, {**answered, "agent": agent}, "preview")
        return silence.model_copy(update={"detail": clean(silence.detail, _LONGEST_DETAIL)})
    except WrongAnswer as wrong:
        return Silence(agent=agent, reason=SilenceReason.INVALID, detail=str(wrong))


def read_acting(answered: object) -> AgentReply:
    """Check what a worker answered when its agent acted: JSON of a reply, or of a silence. Raises Wrong."""
    if isinstance(answered, Mapping) and "reason" in answered:
        raise WrongAnswer(clean(str(answered.get("detail", "")), _LONGEST_DETAIL))
    return read_reply(answered)


def read_reply(returned: object) -> AgentReply:
    """Check what an agent said when it acted: a reply, or JSON of the same form. Raises Wrong."""
    fields = _fields(returned, "execute", "an AgentReply")
    actions = tuple(_read_actions(fields.get("actions", ()), "execute"))
    return _read_as(AgentReply, {**fields, "actions": actions}, "execute")


def _fields(returned: object, called: str, expected: str) -> Mapping[str, Any]:
    if isinstance(returned, BaseModel):
        return dict(returned)
    if isinstance(returned, Mapping):
        return returned
    raise WrongAnswer(faults.wrong_type(called, type(returned).__name__, expected))


def read_confidence(given: object) -> float:
    """Return a confidence; texts and truth values are none, though they could be made into one."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise WrongAnswer(faults.wrong_confidence(f"of type {type(given).__name__}"))
    if not 0.0 <= (value := float(given)) <= 1.0:  # not a number is not between them either
        raise WrongAnswer(faults.wrong_confidence(f"{value:.6g}"))
    return value


def _read_actions(given: object, called: str, least: int = 0) -> Sequence[ProposedAction]:
    if not isinstance(given, list | tuple):
        raise WrongAnswer(faults.wrong_actions(called, f"of type {type(given).__name__}"))
    if not least <= len(given) <= MOST_ACTIONS:
        raise WrongAnswer(faults.wrong_actions(called, f"{len(given)} of them"))
    return [_read_as(ProposedAction, _fields(one, called, "actions"), called) for one in given]


def _read_as(model: type[_M], fields: Mapping[str, Any], called: str) -> _M:
    """Return checked values; what is wrong with them is told by its place, without the value."""
    try:
        read = model.model_validate({name: _writable(value) for name, value in fields.items()})
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise WrongAnswer(faults.wrong_field(called, place, fault["msg"])) from None  # the error holds values
    if longest := [name for name, value in read if isinstance(value, str) and len(value) > MOST_TEXT]:
        raise WrongAnswer(faults.wrong_field(called, longest[0], f"More than {MOST_TEXT} characters"))
    return read


def _writable(value: Any) -> Any:
    """Return what can be written down: names of files may hold halves of characters, which cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return [_writable(one) for one in value] if isinstance(value, list | tuple) else value


PRELOADED = ("dialogue.agents.sources.drop_ins", __name__)
"""What workers share in memory, as far as the function is that they run."""


def answer_as_agent(make: str, *given: JsonValue) -> Callable[[tuple[str, Any, Any]], Any]:
    agent: Agent = load(make)(*given)

    def answer(request: tuple[str, Any, Any]) -> Any:
        what, event, actions = request
        shown = AgentEvent.model_validate(event)
        try:
            if what == "preview":
                return read_preview(_SOMEBODY, agent.preview(shown)).model_dump(mode="json", exclude={"agent"})
            given = tuple(ProposedAction.model_validate(action) for action in actions)
            return read_reply(agent.execute(shown, given)).model_dump(mode="json")
        except SideEffect as error:
            return _silence(SilenceReason.SIDE_EFFECT, error)
        except WrongAnswer as error:
            return _silence(SilenceReason.INVALID, error)

    return answer


_SOMEBODY = "agent"
"""A worker does not know under which name its agent was declared."""


def _silence(reason: SilenceReason, error: Exception) -> Any:
    return Silence(agent=_SOMEBODY, reason=reason, detail=str(error)).model_dump(mode="json", exclude={"agent"})
