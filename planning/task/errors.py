"""Errors in a request to the planner, with advice on how to correct them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from catalog.values.base import nearest

SHOWN_NAMES = 5


class PlanningError(ValueError):
    """Base of errors in what the planner was asked; never of a goal that merely has no plan."""


class UnknownName(PlanningError):
    """A name was used that the catalog does not have. `nearest` are the names that look most like it.

    `instances` are the facts that the catalog declares under that name, one for each instance of a group; `given` are
    those that the skill of that name gives.
    """

    def __init__(
        self,
        what: str,
        name: str,
        candidates: Collection[str],
        instances: Sequence[str] = (),
        given: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.nearest = tuple(instances) or tuple(given) or nearest(name, candidates, most=3)
        if instances:
            advice = f"There are several of it; name one or more of them: {_list(instances)}."
        elif given:
            advice = f"It is a skill; name what it gives: {_list(given)}."
        elif self.nearest:
            advice = f"Did you mean {' or '.join(map(quote, self.nearest))}?"
        else:
            advice = f"The catalog has, in place of a {what} of that name: {_list(list(candidates))}."
        super().__init__(f"No {what} is called {quote(name)}. {advice}")


def _list(names: Sequence[str]) -> str:
    some = ", ".join(map(quote, names[:SHOWN_NAMES]))
    more = len(names) - SHOWN_NAMES
    return f"{some}{f' and {more} more' if more > 0 else ''}"


class BadRequest(PlanningError):
    """A request to the planner is not of the form that it must have."""


class EngineNotInstalled(PlanningError):
    """An engine was asked for whose package is not there; the text says what to install."""


def quote(name: str) -> str:
    """Show a name as data: in quotation marks, on one line, with what cannot be seen escaped, and never very long."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)
    return f"“{shown[:100]}…”" if len(shown) > 100 else f"“{shown}”"
