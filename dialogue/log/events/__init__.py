"""The typed events of a conversation. They are the only truth: everything shown is a function of their list."""

from __future__ import annotations

from dialogue.log.events import calls, conversation, goals, plans
from dialogue.log.events.calls import Calling, Established, Failed, ItemDone, Mapped, Ran, Retracted, Settled
from dialogue.log.events.conversation import (
    ASSISTANT,
    DECLINED,
    ENVIRONMENT,
    SKIPPED,
    USER,
    Alerted,
    Answered,
    Appealed,
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
from dialogue.log.events.goals import (
    Begun,
    GoalAchieved,
    GoalDropped,
    GoalPushed,
    Objected,
    Offered,
    ResultReference,
    Resumed,
    TaskBegun,
    TaskDelivered,
    TaskNews,
    TaskQuestion,
    TaskStatus,
    TaskSupplied,
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
    PlanTotals,
    Pruned,
    PruneReason,
    Restored,
)
from dialogue.log.streams import Entry, Event, Log, StreamKind

CONVERSATION: StreamKind[Event] = StreamKind(
    "conversation",
    *(
        declared
        for module in (conversation, goals, plans, calls)
        for declared in vars(module).values()
        if isinstance(declared, type) and issubclass(declared, Event) and declared is not Event
    ),
)
"""Conversations, with all events of these modules. Packages that bring further ones register them here
(`StreamKind.register`)."""
