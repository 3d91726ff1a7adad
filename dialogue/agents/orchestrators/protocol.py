"""The interface of orchestrators: who acts on an event, and what is learned from what became of it.

An orchestrator keeps nothing itself. What it has learned is its state, a value with a JSON form, which is handed in
and handed back: learning is a fold over feedback, so it can be replayed, looked into and undone.
"""

from __future__ import annotations

from typing import Any, Protocol

from pydantic import JsonValue, TypeAdapter, ValidationError

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, Answers, Choice, Forced

State = dict[str, JsonValue]
"""What an orchestrator has learned; `version` says in which form."""

VERSION = 1
"""The form of states, in all orchestrators."""


def check_form(form: TypeAdapter[Any], state: State, orchestrator: str) -> State:
    """Return a state in its JSON form. Raises ValueError, with what is wrong and where, if it is of another form."""
    try:
        checked: State = form.dump_python(form.validate_python(state), mode="json")
    except ValidationError as error:
        first = error.errors()[0]
        place = " → ".join(map(str, first["loc"])) or "the whole"
        raise ValueError(
            f"This is no state of {orchestrator!r} in version {VERSION}: {place}: {first['msg']}. Learn it anew."
        ) from None
    return checked


class Orchestrator(Protocol):
    """Chooses who acts."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    def begin(self) -> State:
        """Return what it knows before it has learned anything."""
        ...

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version."""
        ...

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose among the agents that answered. `seed` is for those that draw.

        The state is from `begin`, `observe` or `check`: it is not looked over again.
        """
        ...

    def observe(self, state: State, feedback: Feedback) -> State:
        """Return what is known after one more choice and what became of it (`feedback_from` tells that of a turn)."""
        ...
