"""What is said, heard and shown: the turns of a conversation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from catalog.model.settings import Metric
from dialogue.log.entry import Event
from dialogue.log.events.pieces import ASSISTANT, ENVIRONMENT, USER, Attachment, Participant, Shown, usually
from dialogue.log.sensitive import FreeText, Mentions, ValuesByFact
from language.interpretation import Interpretation


class SessionStarted(Event):
    """The conversation began, with this catalog; `digest` tells whether the catalog has changed since."""

    kind: Literal["session_started"] = "session_started"
    sensitive = ()
    catalog: str
    digest: str
    title: str = ""


class CatalogChanged(Event):
    """The conversation goes on with a catalog that is not the one it was had with so far."""

    kind: Literal["catalog_changed"] = "catalog_changed"
    sensitive = ()
    digest: str


class Heard(Event):
    """A person said something (or pressed a button that says it for them)."""

    kind: Literal["heard"] = "heard"
    sensitive = (FreeText("text"),)
    turn: int
    text: str
    attachments: tuple[Attachment, ...] = ()
    command_id: str = ""
    sender: Participant = usually(USER)
    receivers: tuple[Participant, ...] = usually((ASSISTANT,))


class Alerted(Event):
    """Something happened outside the conversation."""

    kind: Literal["alerted"] = "alerted"
    sensitive = (ValuesByFact("facts"),)
    turn: int
    trigger: str
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    command_id: str = ""
    sender: Participant = usually(ENVIRONMENT)
    receivers: tuple[Participant, ...] = usually((ASSISTANT,))


class TurnStarted(Event):
    """Work began on something heard or an alert; `of` is its entry."""

    kind: Literal["turn_started"] = "turn_started"
    sensitive = ()
    turn: int
    of: int


class Understood(Event):
    """What the understander made of what was heard."""

    kind: Literal["understood"] = "understood"
    sensitive = (Mentions("meaning"),)
    heard: int
    meaning: Interpretation


class Preferred(Event):
    """The user said what is to be made small, or what may be spent on a goal; None leaves it as it was.

    `unlimited` lifts the budget, also that of the catalog; `usual` goes back to what the catalog makes small.
    """

    kind: Literal["preferred"] = "preferred"
    sensitive = ()
    heard: int
    minimize: Metric | None = None
    usual: bool = False
    budget: float | None = None
    unlimited: bool = False


class Explained(Event):
    """A question about the past was answered."""

    kind: Literal["explained"] = "explained"
    sensitive = ()
    question: Literal["what", "how", "why", "chain", "missing"]
    fact: str | None = None
    full: bool = False
    sentences: tuple[tuple[Shown, ...], ...] = ()
    evidence: tuple[int, ...] = ()


class Replied(Event):
    """The assistant said something. `facts` are facts whose values are drawn with it (a chart, a table)."""

    kind: Literal["replied"] = "replied"
    sensitive = ()
    text: str
    facts: tuple[str, ...] = ()
    explained: int | None = None
    tone: Literal["plain", "question", "result", "problem"] = "plain"
    sender: Participant = usually(ASSISTANT)
    receivers: tuple[Participant, ...] = usually((USER,))


class Revealed(Event):
    """The owner of a sensitive fact asked to see it (or to hide it again)."""

    kind: Literal["revealed"] = "revealed"
    sensitive = ()
    fact: str
    shown: bool


class TurnEnded(Event):
    """The work on one utterance or alert is done; the assistant waits."""

    kind: Literal["turn_ended"] = "turn_ended"
    sensitive = ()
    turn: int
