"""Events of what was learned from one person: the feedback that orchestrators fold into their states.

The stream belongs to a learner: a person at a terminal, or a conversation. It holds names and figures only.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from dialogue.agents.feedback import Feedback
from dialogue.log.sensitive import Sensitive
from dialogue.log.streams import Event, StreamKind, usually


class Learned(Event):
    """What became of one choice. `stream` and `entry` are where that choice stands."""

    kind: Literal["learned"] = "learned"
    feedback: Feedback
    stream: str = usually("")
    entry: int = usually(0)
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Unlearned(Event):
    """What was learned from one entry is taken back; `of` is its number, and 0 takes back everything before."""

    kind: Literal["unlearned"] = "unlearned"
    of: int
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


LEARNING: StreamKind[Event] = StreamKind("learning", Learned, Unlearned)
"""What was learned from one person."""
