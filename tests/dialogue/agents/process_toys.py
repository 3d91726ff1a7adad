"""Agents that run in worker processes in tests."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from dialogue.agents.agent import SideEffect
from dialogue.agents.model import AgentEvent, ProposedAction


class Toy:
    """An agent that does what it is made for."""

    def __init__(self, kind: str, confidence: float = 0.5) -> None:
        self.kind = kind
        self.confidence = confidence

    def preview(self, event: AgentEvent) -> Any:
        if self.kind == "hangs":
            time.sleep(3_600)
        if self.kind == "ends":
            os._exit(1)
        if self.kind == "raises":
            raise ValueError(event.text)
        if self.kind == "has an effect":
            raise SideEffect("The skill send has an effect.")
        if self.kind == "nothing":
            return None
        event.context.clear()
        return {"confidence": self.confidence, "actions": [{"text": f"{event.text}, {os.getpid()}"}]}

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> Any:
        if self.kind == "raises":
            raise ValueError(event.text)
        if self.kind == "hangs":
            time.sleep(3_600)
        return {"text": f"did {actions[0].text}"} if self.kind == "sure" else self.kind
