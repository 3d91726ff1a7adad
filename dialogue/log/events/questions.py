"""Questions to the user, for values and for consent, and their answers."""

from __future__ import annotations

from typing import Literal

from dialogue.log.entry import Event
from dialogue.log.events.pieces import ASSISTANT, USER, Participant, usually


class Asked(Event):
    """The assistant asked a question and waits for the answer."""

    kind: Literal["asked"] = "asked"
    sensitive = ()
    about: Literal["fact", "authorize", "confirm", "offer", "choice"]
    subject: str
    text: str
    attempt: int = 1
    facts: tuple[str, ...] = ()
    """For authorize and confirm: exactly the facts that would go to the skill."""
    mode: str | None = None
    """For confirm: the mode in which the skill would be called."""
    options: tuple[str, ...] = ()
    """For choice: names of the goals to choose from."""
    plan_id: int | None = None
    budget: float | None = None
    """Of an offer to continue a goal: the budget of the goal if the offer is accepted."""
    redo: int | None = None
    """Of an offer to pursue a goal again: the number that it had."""
    sender: Participant = usually(ASSISTANT)
    receivers: tuple[Participant, ...] = usually((USER,))


SKIPPED, DECLINED = "skipped", "declined"
"""Used instead of a reason why an answer was unclear: the user clearly refused to answer."""


class Answered(Event):
    """The pending question was answered, or not: `accepted` is false with the reason in `unclear`."""

    kind: Literal["answered"] = "answered"
    sensitive = ()
    asked: int
    heard: int
    accepted: bool
    unclear: str = ""


class Authorized(Event):
    """Consent was given to pass these facts to a skill."""

    kind: Literal["authorized"] = "authorized"
    sensitive = ()
    subject: str
    facts: tuple[str, ...]
    heard: int


class Confirmed(Event):
    """The user confirmed one call of a skill in a mode.

    It holds until the call is made, or until one of the `facts` that may go into it is given another value.
    """

    kind: Literal["confirmed"] = "confirmed"
    sensitive = ()
    skill: str
    mode: str
    facts: tuple[str, ...]
    heard: int


class Refused(Event):
    """Consent was declined."""

    kind: Literal["refused"] = "refused"
    sensitive = ()
    subject: str
    facts: tuple[str, ...]
    heard: int
