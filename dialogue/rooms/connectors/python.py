"""A bot that is a function of a package that the operator allows: `package.module:function`, of an occasion."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from catalog import endpoints
from catalog.endpoints import EndpointRefused
from catalog.norms.occasion import Occasion
from dialogue.rooms.connectors.protocol import BOT_SECONDS, BotRefused

SCHEME = "python"


@dataclass(eq=False)
class PythonBot:
    """Calls a function."""

    function: Callable[[Occasion], object]
    limit_s: float = BOT_SECONDS

    def answer(self, occasion: Occasion) -> object:
        """Call it."""
        return self.function(occasion)


def python_bot(written: str, allowed: Collection[str], limit_s: float) -> PythonBot:
    """Return the bot of a function, by `package.module:function`. Raises BotRefused."""
    try:
        return PythonBot(endpoints.connect(f"{SCHEME}:{written}", allowed), limit_s)
    except EndpointRefused as error:
        raise BotRefused(str(error)) from error
