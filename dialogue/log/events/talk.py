"""What is said, heard and shown: the turns of a conversation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from catalog.model.settings import Metric
from dialogue.log.events.pieces import Attachment, Shown
from language.interpretation import Frozen, Interpretation


class SessionStarted(Frozen):
    """The conversation began, with this catalog; `digest` tells whether the catalog has changed since."""

    kind: Literal["session_started"] = "session_started"
    catalog: str
    digest: str
    title: str = ""


class CatalogChanged(Frozen):
    """The conversation goes on with a catalog that is not the one it was had with so far."""

    kind: Literal["catalog_changed"] = "catalog_changed"
    digest: str


class Heard(Frozen):
    """A person said something (or pressed a button that says it for them)."""

    kind: Literal["heard"] = "heard"
    turn: int
    text: str
    attachments: tuple[Attachment, ...] = ()
    command_id: str = ""


class Alerted(Frozen):
    """Something happened outside the conversation."""

    kind: Literal["alerted"] = "alerted"
    turn: int
    trigger: str
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    command_id: str = ""


class TurnStarted(Frozen):
    """Work began on something heard or an alert; `of` is its entry."""

    kind: Literal["turn_started"] = "turn_started"
    turn: int
    of: int


class Understood(Frozen):
    """What the understander made of what was heard."""

    kind: Literal["understood"] = "understood"
    heard: int
    meaning: Interpretation


class Preferred(Frozen):
    """The user said what is to be made small, or what may be spent on a goal; None leaves it as it was.

    `unlimited` lifts the budget, also that of the catalog; `usual` goes back to what the catalog makes small.
    """

    kind: Literal["preferred"] = "preferred"
    heard: int
    minimize: Metric | None = None
    usual: bool = False
    budget: float | None = None
    unlimited: bool = False


class Explained(Frozen):
    """A question about the past was answered."""

    kind: Literal["explained"] = "explained"
    question: Literal["what", "how", "why", "chain", "missing"]
    fact: str | None = None
    full: bool = False
    sentences: tuple[tuple[Shown, ...], ...] = ()
    evidence: tuple[int, ...] = ()


class Replied(Frozen):
    """The assistant said something. `facts` are facts whose values are drawn with it (a chart, a table)."""

    kind: Literal["replied"] = "replied"
    text: str
    facts: tuple[str, ...] = ()
    explained: int | None = None
    tone: Literal["plain", "question", "result", "problem"] = "plain"


class Revealed(Frozen):
    """The owner of a sensitive fact asked to see it (or to hide it again)."""

    kind: Literal["revealed"] = "revealed"
    fact: str
    shown: bool


class TurnEnded(Frozen):
    """The work on one utterance or alert is done; the assistant waits."""

    kind: Literal["turn_ended"] = "turn_ended"
    turn: int
