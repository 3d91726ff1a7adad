"""A bot that is a function of a package that the operator allows: `package.module:function`, of an occasion.

It is called in a process of its own, confined as skills are, unless the operator trusts its package.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from catalog import endpoints
from catalog.endpoints import EndpointRefused
from catalog.endpoints.processes import STARTING_S, Filed, Function, WorkerRequest, Workers, call_all
from catalog.endpoints.threads import Late, Raised
from catalog.norms.occasion import Occasion, answer_as_bot
from dialogue.caller import SkillCaller
from dialogue.rooms.connectors.protocol import BOT_SECONDS, BotFailed, BotRefused
from language.responses.calls import failed_apart
from language.responses.rooms import bot_faults

SCHEME = "python"


@dataclass(eq=False)
class PythonBot:
    function: Callable[[Occasion], object]
    limit_s: float = BOT_SECONDS

    def answer(self, occasion: Occasion) -> object:
        return self.function(occasion)


@dataclass(frozen=True)
class _Apart:
    """Calls a function by its name in a worker, for `seconds` at most once that is ready."""

    workers: Workers
    function: Function
    seconds: float

    def __call__(self, occasion: Occasion) -> object:
        shown = occasion.model_dump(mode="json")
        (came,) = call_all([WorkerRequest(self.workers, self.function, shown, self.seconds, starting_s=STARTING_S)])
        if isinstance(came, Raised):
            raise BotFailed(bot_faults.failed(failed_apart(came.error)))
        if isinstance(came, Late):
            raise BotFailed(bot_faults.STILL_BUSY if came.busy else bot_faults.cut_off(self.seconds))
        if not isinstance(came.value, Filed):
            return came.value
        came.value.file.close()
        return came.value.value


def python_bot(written: str, caller: SkillCaller, limit_s: float) -> PythonBot:
    """Return the bot of a function, by `package.module:function`. Raises BotRefused."""
    endpoint = f"{SCHEME}:{written}"
    try:
        if endpoints.is_trusted(endpoint, caller.trusted):
            return PythonBot(endpoints.connect(endpoint, caller.allowed), limit_s)
        caller.check_apart(endpoint)
    except EndpointRefused as error:
        raise BotRefused(str(error)) from error
    name = f"{answer_as_bot.__module__}:{answer_as_bot.__name__}"
    function = Function(name, json.dumps([endpoint, sorted(caller.allowed)]))
    return PythonBot(_Apart(caller.workers, function, limit_s), limit_s + STARTING_S)
