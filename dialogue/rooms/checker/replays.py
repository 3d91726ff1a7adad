"""Sequences that were walked, replayed by governance with messages that have ids: what is shown has really happened.

A state of the walk does not say to how many messages an answer is owed. So a sequence may answer one message and owe
another one that was never sent. Such a sequence is completed by sending the message that began the obligation again;
where that does not lead to the same states, it is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from catalog.norms.message import Message
from dialogue.rooms.checker.space import NormSpace, RoomMove, RoomMoveKind
from dialogue.rooms.governance.status import RoomStatus

MOST_AGAIN = 3
"""So often a message that begins an obligation is sent again, at most."""
MOST_TRIED = 2_000
"""Steps that are tried for one sequence."""
_BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
_ANOTHER = "another message"


class ReplayedStep(NamedTuple):
    """A move that was replayed, with the message that was sent. Its id is the number of the step."""

    move: RoomMove
    message: Message | None


class ReplayedSequence(NamedTuple):
    """The steps of a sequence, the status after them, and who sent each message, by its id."""

    steps: tuple[ReplayedStep, ...]
    status: RoomStatus
    senders: Mapping[str, str]


def replay(space: NormSpace, moves: Sequence[RoomMove]) -> ReplayedSequence | None:
    """Replay moves from the beginning; None where they cannot follow one another."""
    for again in range(MOST_AGAIN if any(move.still for move in moves) else 1):
        tried = _Attempt(space, _sent_again(moves, again))
        replayed = next(tried.go_on(space.begin(_BEGIN), ()), None)
        if replayed is not None:
            return replayed
    return None


def deny(space: NormSpace, replayed: ReplayedSequence, message: Message, norms: tuple[str, ...]) -> Message | None:
    """Return a message as it is denied, after a sequence, since norms are in conflict; None if it is not."""
    for answered in _answerable(replayed.status, message, replayed.senders):
        sent = message.model_copy(update={"id": str(len(replayed.steps) + 1), "in_reply_to": answered})
        if {*norms} <= {*space.governance.judge(replayed.status, sent)[0].conflicts}:
            return sent
    return None


def _sent_again(moves: Sequence[RoomMove], times: int) -> tuple[RoomMove, ...]:
    """Repeat the last messages before it that begin what is owed still."""
    repeated: set[int] = set()
    for at, move in enumerate(moves):
        left = move.still
        for before in range(at - 1, -1, -1):
            if moves[before].begun & left and moves[before].said is not None:
                repeated.add(before)
                left &= ~moves[before].begun
    return tuple(move for at, move in enumerate(moves) for _ in range(1 + times * (at in repeated)))


@dataclass
class _Attempt:
    space: NormSpace
    moves: tuple[RoomMove, ...]
    senders: dict[str, str] = field(default_factory=dict)
    tried: int = 0

    def go_on(self, status: RoomStatus, steps: tuple[ReplayedStep, ...]) -> Iterator[ReplayedSequence]:
        """Yield the ways to make the moves that are left."""
        if len(steps) == len(self.moves):
            yield ReplayedSequence(steps, status, self.senders)
            return
        move = self.moves[len(steps)]
        for message, after in self._make(status, move, len(steps) + 1):
            self.tried += 1
            if self.tried > MOST_TRIED:
                return
            if self.space.states.abstract(after) == move.after:
                yield from self.go_on(after, (*steps, ReplayedStep(move, message)))

    def _make(self, status: RoomStatus, move: RoomMove, number: int) -> Iterator[tuple[Message | None, RoomStatus]]:
        """Yield what may come of a move: a message may answer several others, and several deadlines may pass."""
        governance, at = self.space.governance, _BEGIN + timedelta(seconds=number)
        message = move.message
        if message is not None:
            self.senders[str(number)] = message.sender
            for answered in _answerable(status, message, self.senders):
                sent = message.model_copy(update={"id": str(number), "in_reply_to": answered, "at": at})
                verdict, after = governance.judge(status, sent)
                if verdict.posted:
                    yield sent, after
        elif move.kind is RoomMoveKind.LEAVE:
            yield None, governance.leave(status, move.who[0], at)[1]
        else:
            due = {one.due for one in status.active if one.norm == move.norm and {*one.bearers} & {*move.who}}
            for due_by in (None, *sorted(one for one in due if one is not None)):
                yield None, governance.end_unmet(status, move.norm, move.who, at, due_by=due_by)[1]


def _answerable(status: RoomStatus, message: Message, senders: Mapping[str, str]) -> Iterator[str]:
    """Yield what a message may be in reply to: all of a participant's messages, one of them, or none."""
    yield ""
    if message.replies_to is not None:
        begun = dict.fromkeys(one.by for one in status.active if one.by)
        yield from (one for one in begun if senders[one] == message.replies_to)
        yield _ANOTHER
