"""An agent in a process of its own: what runs there, and is asked from here by `ProcessAgent`.

Events, proposals and replies go over as JSON. What comes back is checked like the answer of any other agent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from catalog.endpoints.fork_server import load
from dialogue.agents.agent import Agent, SideEffect, WrongAnswer, read_preview, read_reply
from dialogue.agents.model import AgentEvent, ProposedAction, Silence, SilenceReason

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
