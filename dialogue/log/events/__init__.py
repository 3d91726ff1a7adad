"""The typed events of a conversation. They are the only truth: everything shown is a function of their list."""

from __future__ import annotations

from dialogue.log.events import calls, goals, plans, talk, tasks
from dialogue.log.events.calls import Calling, Established, Failed, ItemDone, Mapped, Ran, Retracted, Settled
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
from dialogue.log.events.plans import (
    CouldNotEstablish,
    Discarded,
    Foreseen,
    Kept,
    LikelihoodsChosen,
    Missing,
    MissingSet,
    MissingSkill,
    Planned,
    PlannedPart,
    PlannedStep,
    Pruned,
    PruneReason,
    Restored,
    Taken,
)
from dialogue.log.events.talk import (
    ASSISTANT,
    DECLINED,
    ENVIRONMENT,
    SKIPPED,
    USER,
    Alerted,
    Answered,
    Approved,
    Asked,
    Attachment,
    Authorized,
    CatalogChanged,
    Configured,
    Confirmed,
    Explained,
    Heard,
    Preferred,
    Refused,
    Renamed,
    Replied,
    Revealed,
    SessionStarted,
    Shown,
    TurnEnded,
    TurnStarted,
    Understood,
    Withdrew,
)
from dialogue.log.events.tasks import (
    TaskBegun,
    TaskDelivered,
    TaskNews,
    TaskQuestion,
    TaskStatus,
    TaskSupplied,
)
from dialogue.log.streams import Entry, Event, Log, StreamKind

CONVERSATION: StreamKind[Event] = StreamKind(
    "conversation",
    *(
        declared
        for module in (talk, goals, plans, calls, tasks)
        for declared in vars(module).values()
        if isinstance(declared, type) and issubclass(declared, Event) and declared is not Event
    ),
)
"""Conversations, with all events of these modules. Packages that bring further ones register them here
(`StreamKind.register`)."""

__all__ = [
    "ASSISTANT", "CONVERSATION", "DECLINED", "ENVIRONMENT", "SKIPPED", "USER", "Alerted", "Answered", "Approved",
    "Asked", "Attachment", "Authorized", "Begun", "Calling", "CatalogChanged", "Configured", "Confirmed",
    "CouldNotEstablish", "Discarded", "Entry", "Established", "Event", "Explained", "Failed", "Foreseen",
    "GoalAchieved", "GoalDropped", "GoalPushed", "Heard", "ItemDone", "Kept", "LikelihoodsChosen", "Log", "Mapped",
    "Missing", "MissingSet", "MissingSkill", "Objected", "Offered", "Planned", "PlannedPart", "PlannedStep",
    "Preferred", "PruneReason", "Pruned", "Ran", "Refused", "Renamed", "Replied", "Requested", "Restored", "Resumed",
    "Retracted", "Revealed", "SessionStarted", "Settled", "Shown", "Taken", "TaskBegun", "TaskDelivered", "TaskNews",
    "TaskQuestion", "TaskStatus", "TaskSupplied", "TurnEnded", "TurnStarted", "Understood", "Withdrew",
]  # fmt: skip
