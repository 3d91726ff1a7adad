"""Words of a room at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.wording.grammar import clean, listing, quote
from language.responses.rooms.notices import ONLY_FOR, say_denied_by

EXPLAINER = "Planglass"
"""Who answers questions about the room."""
GONE = "This room was deleted."
NO_ROOMS = "There are no rooms yet. `planglass room finch` opens one."
HELP = """\
Write what you want to say, and press Enter. @name speaks to one participant.
Ask “who may speak now?” or “why didn't SA answer?”: everybody sees the answer.
/who      who must, may and must not speak now (only you see this)
/denied   what was denied, and by which norm
/norms    which norms are in force
/leave    leave the room
/quit     close this window; you stay in the room (Ctrl-D does the same)"""


def welcome(title: str, room: str, name: str) -> str:
    return f"{clean(title)}, room {room}. You are {name}. /help lists what you can do."


def unknown_command(line: str, known: Sequence[str]) -> str:
    return f"There is no command {clean(line, 40)}. There are: {', '.join(known)}."


def message(name: str, text: str, *, only: Sequence[str] = ()) -> list[str]:
    """Show a message, with the name of who sent it; `only` are those who may read it, if it is private."""
    first, *rest = [line for line in text.split("\n") if line.strip()] or ["(no words)"]
    mark = f" [{ONLY_FOR.format(names=listing(tuple(only)))}]" if only else ""
    return [f"{name}{mark}: {first}", *(f"    {line}" for line in rest)]


def denied(name: str, text: str, norms: Sequence[str], *, own: bool) -> list[str]:
    by = say_denied_by(norms)
    if own:
        return [f"Your message was not posted. {by}"]
    return [f"{name} wanted to say {quote(clean(text, 300))}. {by}"]


def asked(name: str, text: str) -> str:
    return f"{name} asks: {clean(text, 300)}"


def listed(entries: int, title: str, *, governed: bool) -> str:
    return f"{entries:>5} events  {clean(title)}{'' if governed else '  (norms are not applied)'}"


def passed_over(names: Sequence[str]) -> str:
    who = listing(tuple(dict.fromkeys(names)))
    messages = "1 message" if len(names) == 1 else f"{len(names):,} messages"
    return f"{messages} of {who} passed over: bots of this room speak for themselves."
