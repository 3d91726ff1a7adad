"""Messages, turns, and what is shown of them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from catalog.model.settings import Metric
from dialogue.log.entry import Event
from dialogue.log.events.pieces import ASSISTANT, ENVIRONMENT, USER, Attachment, Participant, Shown, usually
from dialogue.log.sensitive import FreeText, Mentions, ValuesByFact
from language.interpretation import Interpretation


class SessionStarted(Event):
    """The conversation began, with this catalog; `digest` shows whether the catalog has changed since."""

    kind: Literal["session_started"] = "session_started"
    sensitive = ()
    catalog: str
    digest: str
    title: str = ""


class Configured(Event):
    """The conversation runs with parts of its own from here on; None stands for what the settings say."""

    kind: Literal["configured"] = "configured"
    sensitive = ()
    engine: str | None = None
    policy: str | None = None
    understander: str | None = None


class CatalogChanged(Event):
    """The conversation continues with a changed catalog."""

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
    """Work on an utterance or an alert began; `of` is its entry."""

    kind: Literal["turn_started"] = "turn_started"
    sensitive = ()
    turn: int
    of: int


class Understood(Event):
    """The interpretation of an utterance."""

    kind: Literal["understood"] = "understood"
    sensitive = (Mentions("meaning"),)
    heard: int
    meaning: Interpretation


class Preferred(Event):
    """The user said what to minimize, or set a budget for a goal; None changes nothing.

    `unlimited` removes the budget, also the catalog's; `usual` returns to what the catalog minimizes.
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
    """The work on an utterance or alert ended; the assistant waits."""

    kind: Literal["turn_ended"] = "turn_ended"
    sensitive = ()
    turn: int
