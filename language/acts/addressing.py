"""Whom an utterance is for, where there are several agents: “@accounting show my expenses”, “let accounting see it”.

An agent is addressed at the beginning: `@NAME text`, with quotation marks around a name of several words; or as in
CLAI, `clai "NAME" text`. Nothing else is an address, so that what people write stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from language.text.lazy_pattern import LazyPattern

_ADDRESS = LazyPattern(r'\s*(?:@|clai\s+(?="|“))(?:"([^"]+)"|“([^”]+)”|([\w.\-]+))[,:]?(?=\s|\Z)\s*', re.IGNORECASE)
_SEES = r"see (?:it|this|that|everything|all|(?:all )?(?:of )?my (?:data|details|values|numbers))"
_LET = LazyPattern(rf"(?:please )?(?:let|allow) (.+?) (?:to )?{_SEES}[.!]?", re.IGNORECASE)
_DO_NOT_LET = LazyPattern(
    rf"(?:please )?(?:(?:do not|don't|don’t|never) (?:let|allow)|no longer (?:let|allow)|stop letting) (.+?) "
    rf"(?:to )?(?:{_SEES})(?: any ?more)?[.!]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AddressedUtterance:
    """The agent that an utterance is for, and the rest of it; `known` says whether there is such an agent.

    The rest is as long as the utterance, with spaces for the address, so that places in it are places in the whole.
    """

    agent: str
    rest: str
    known: bool


def read_address(text: str, agents: Collection[str]) -> AddressedUtterance | None:
    """Find out which agent is addressed by name. None: no one is."""
    found = _ADDRESS.match(text)
    if found is None:
        return None
    said = next(name for name in found.groups() if name is not None)
    agent = _named(said, agents)
    return AddressedUtterance(agent or said, " " * found.end() + text[found.end() :], agent is not None)


def read_consent(text: str, agents: Collection[str]) -> tuple[str, bool] | None:
    """Find out which agent may see what is sensitive from now on, or no longer may."""
    said = " ".join(text.split())
    for form, given in ((_DO_NOT_LET, False), (_LET, True)):
        found = form.fullmatch(said)
        agent = _named(found.group(1).strip("@\"“”'"), agents) if found else None
        if agent is not None:
            return agent, given
    return None


def _named(said: str, agents: Collection[str]) -> str | None:
    """Return the agent of a name, however its letters are written; the same letters count first."""
    if said in agents:
        return said
    return next((agent for agent in agents if agent.casefold() == said.casefold()), None)
