"""The typed events of a conversation: the only truth; everything that is shown is a function of their list.

An `Entry` is an event with its place in the log. Sequence numbers start at 1 and have no gaps; explanations cite them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from dialogue.log.events.calls import Calling, Established, Failed, ItemDone, Mapped, Ran, Retracted
from dialogue.log.events.goals import (
    Begun,
    GoalAchieved,
    GoalDropped,
    GoalPushed,
    Objected,
    Offered,
    Requested,
    Resumed,
)
from dialogue.log.events.pieces import Attachment, Missing, MissingSet, MissingSkill, PlannedStep, Shown, Taken
from dialogue.log.events.plans import CouldNotEstablish, Discarded, Kept, Planned, Pruned, PruneReason, Restored
from dialogue.log.events.questions import DECLINED, SKIPPED, Answered, Asked, Authorized, Confirmed, Refused
from dialogue.log.events.talk import (
    Alerted,
    CatalogChanged,
    Explained,
    Heard,
    Preferred,
    Replied,
    Revealed,
    SessionStarted,
    TurnEnded,
    TurnStarted,
    Understood,
)
from language.interpretation import Frozen

Event = Annotated[
    SessionStarted | CatalogChanged | Heard | Alerted | TurnStarted | Understood | Preferred | GoalPushed | Begun
    | Objected | GoalAchieved | GoalDropped | Resumed | Planned | Discarded | Kept | Asked | Answered | Authorized
    | Confirmed | Refused | Calling | ItemDone | Ran | Failed | Mapped | Established | Retracted | CouldNotEstablish
    | Pruned | Restored | Offered | Explained | Replied | Revealed | TurnEnded,
    Field(discriminator="kind"),
]  # fmt: skip


class Entry(Frozen):
    """An event and its place in the log of one session."""

    seq: int
    at: datetime
    event: Event


Log = tuple[Entry, ...]

__all__ = [
    "DECLINED",
    "SKIPPED",
    "Alerted",
    "Answered",
    "Asked",
    "Attachment",
    "Authorized",
    "Begun",
    "Calling",
    "CatalogChanged",
    "Confirmed",
    "CouldNotEstablish",
    "Discarded",
    "Entry",
    "Established",
    "Event",
    "Explained",
    "Failed",
    "GoalAchieved",
    "GoalDropped",
    "GoalPushed",
    "Heard",
    "ItemDone",
    "Kept",
    "Log",
    "Mapped",
    "Missing",
    "MissingSet",
    "MissingSkill",
    "Objected",
    "Offered",
    "Planned",
    "PlannedStep",
    "Preferred",
    "PruneReason",
    "Pruned",
    "Ran",
    "Refused",
    "Replied",
    "Requested",
    "Restored",
    "Resumed",
    "Retracted",
    "Revealed",
    "SessionStarted",
    "Shown",
    "Taken",
    "TurnEnded",
    "TurnStarted",
    "Understood",
]
