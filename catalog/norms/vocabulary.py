"""Words of norm files that are always there: kinds of participants, speech acts, topics and variables."""

from __future__ import annotations

from enum import StrEnum


class ParticipantKind(StrEnum):
    """What a participant is."""

    PERSON = "person"
    """A participant at a keyboard."""
    BOT = "bot"
    """A program."""


class NormKind(StrEnum):
    """The deontic modes (von Wright 1951)."""

    OBLIGATION = "obligation"
    """The bearer must speak."""
    PERMISSION = "permission"
    """The bearer may speak."""
    PROHIBITION = "prohibition"
    """The bearer must not speak."""


class Tag(StrEnum):
    """What governance says of a message (Gatti de Bayser et al. 2018, §4: isAllowed, isDenied, isRequired)."""

    ALLOWED = "allowed"
    """It may be posted."""
    DENIED = "denied"
    """It is not posted."""
    REQUIRED = "required"
    """It is posted, and meets an obligation."""


class Ends(StrEnum):
    """When a norm that was activated ends by itself."""

    MET = "met"
    """When it was met: an obligation, as soon as its bearer has said what it owed."""
    NEVER = "never"
    """Only when a transition deactivates it."""


class Variable(StrEnum):
    """Those whom a norm may name by their part in the message that activated it (Gatti de Bayser et al. 2018, §4)."""

    SENDER = "$sender"
    """Who sent that message."""
    LAST_SENDER = "$last_sender"
    """Who sent the one before it."""
    RECEIVERS = "$receivers"
    """Whom it was addressed to."""
    MENTIONED = "$mentioned"
    """Whom it named."""
    LAST_ANSWERER = "$last_answerer"
    """Who last met an obligation to speak."""
    BEARER = "$bearer"
    """In the filters of a norm: the participant whom it bears on."""


EVERYBODY = "everybody"
"""In place of a role: all participants."""
NOBODY = "nobody"
"""In a filter: the field of the message is empty."""
TEXT = "text"
"""What a message carries that is nothing but words."""
UNDEFINED = "undefined"
"""The topic of what is about no topic of the specification, or about one that cannot be made out."""
ALL = "all"
"""The topic of what is about all of them."""

SPEECH_ACTS = (
    "greeting", "thank", "bye", "query", "simulate", "request", "inform", "propose", "agree", "refuse", "confirm",
    "apologise", "not_understood",
)  # fmt: skip
"""The speech acts that are recognised: the eight that the paper names (§5), simulating, and four that chats need."""
