"""What was walked: states, and the moves from one to the next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dialogue.events import Missing
from dialogue.explore.happenings import Happening
from dialogue.explore.moves import Move


class NodeKind(StrEnum):
    """What a state is."""

    START = "start"
    """Nothing was asked for yet."""
    ASKING = "asking"
    """The assistant waits for the user."""
    CALLING = "calling"
    """A skill is about to be called."""
    REACHED = "reached"
    """The goal was reached: an ending."""
    DROPPED = "dropped"
    """The goal was given up: an ending."""


ENDINGS = (NodeKind.REACHED, NodeKind.DROPPED)


@dataclass(frozen=True, slots=True)
class Node:
    """A state. `came_by` is the edge on which it was found first, which ends a shortest way to it.

    `about` is the fact or the skill that it is about; of a goal that was dropped, the reason, with what is `missing`.
    """

    kind: NodeKind
    came_by: int | None
    about: str = ""
    missing: Missing | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A move from one state to another, and what the assistant did on the way."""

    source: int
    move: Move
    target: int
    happenings: tuple[Happening, ...]


@dataclass(frozen=True)
class Graph:
    """All states and moves; the start is state 0. `open` are states whose moves were not played.

    `stopped` says at what the walk was stopped; it is empty if nothing was left to walk.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    open: frozenset[int]
    stopped: str
    seconds: float

    @property
    def complete(self) -> bool:
        """Tell whether everything that can happen was walked."""
        return not self.open
