"""A room played without threads: people speak by script, bots answer, and every message is judged in one order.

With a `random.Random`, whose turn it is is drawn: people do not wait for answers, and bots are differently quick.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from time import perf_counter

from catalog.demos.finch import bots
from catalog.norms.message import Message, Utterance
from catalog.norms.model import NormSpecification
from catalog.norms.occasion import Happening, Occasion, Seat
from catalog.norms.vocabulary import ParticipantKind
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import Member, RoomStatus
from dialogue.rooms.governance.verdict import MessageVerdict

Bot = Callable[[Occasion], Sequence[Message]]
BOTS: Mapping[str, Bot] = {
    "In": bots.mediator, "SA": bots.savings_expert, "CD": bots.cd_expert, "TB": bots.bonds_expert,
}  # fmt: skip
MOST_AT_ONCE = 200
"""Messages of bots that follow one of a person at most: without norms they would never end."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a person says."""

    person: str
    utterances: tuple[Utterance, ...]
    mentions: tuple[str, ...] = ()
    text: str = ""


@dataclass
class Played:
    """What happened: messages that were sent, with their verdicts (None where nothing was judged), in one order."""

    sent: list[tuple[Message, MessageVerdict | None]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """From each message of a person to the last answer to it."""

    @property
    def posted(self) -> list[Message]:
        """The messages that the room has."""
        return [message for message, verdict in self.sent if verdict is None or verdict.posted]

    @property
    def transitions(self) -> Counter[str]:
        """How often each transition fired."""
        return Counter(verdict.transition for _, verdict in self.sent if verdict is not None and verdict.transition)


class Stage:
    """One room while it is played."""

    def __init__(
        self,
        specification: NormSpecification,
        people: Sequence[str],
        governed: bool = True,
        playing: Mapping[str, Bot] = BOTS,
    ) -> None:
        self.governance = Governance(specification)
        members = [Member(name, ParticipantKind.PERSON, tuple(specification.people.roles)) for name in people]
        self.governed = governed
        self.played = Played()
        self.now = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
        self.status: RoomStatus = self.governance.begin(members, self.now)
        self._posted: dict[str, Message] = {}
        self._bots = playing
        self._shown: dict[str, deque[Occasion]] = {name: deque() for name in playing}
        self._inbox: deque[Message] = deque()
        self._left = MOST_AT_ONCE
        self.show(Happening.OPENED)

    def show(self, what: Happening, message: Message | None = None, unanswered: tuple[str, ...] = ()) -> None:
        """Let all bots see something."""
        seats = tuple(
            Seat(name=one.name, kind=one.kind, roles=tuple(self.governance.roles_of(one)))
            for one in self.status.members
        )
        before = tuple(one for one in self._posted.values() if one is not message)
        for name, queue in self._shown.items():
            queue.append(
                Occasion.model_construct(
                    what=what, you=name, room="r", message=message, unanswered=unanswered, posted=before,
                    participants=seats, at=self.now,
                )
            )  # fmt: skip

    def say(self, line: Line) -> None:
        """Let a person say something."""
        self._left = MOST_AT_ONCE
        self._inbox.append(
            Message(sender=line.person, utterances=line.utterances, mentions=line.mentions, content=line.text)
        )

    def turns(self) -> list[str]:
        """List whose turn it can be: that of the inbox, or of a bot that was shown something."""
        return (["inbox"] if self._inbox else []) + [name for name, queue in self._shown.items() if queue]

    def take(self, turn: str) -> None:
        """Judge the next message of the inbox, or let a bot answer what it was shown next."""
        if turn != "inbox":
            answers = self._bots[turn](self._shown[turn].popleft())
            self._inbox.extend(answers[: self._left])
            self._left -= min(len(answers), self._left)
            return
        self.now += timedelta(milliseconds=10)
        message = self._inbox.popleft()
        answered = self._posted.get(message.in_reply_to)
        message = message.model_copy(
            update={
                "id": str(len(self.played.sent) + 1), "at": self.now,
                "replies_to": None if answered is None else answered.sender,
            }
        )  # fmt: skip
        verdict: MessageVerdict | None = None
        if self.governed:
            verdict, self.status = self.governance.judge(self.status, message)
        self.played.sent.append((message, verdict))
        if verdict is None or verdict.posted:
            self._posted[message.id] = message
            self.show(Happening.MESSAGE, message)

    def settle(self) -> None:
        """Go on until nobody has anything to say."""
        while turns := self.turns():
            self.take(turns[0])

    def wait(self, seconds: float) -> None:
        """Let time pass: what is owed for longer than its deadline ends unmet."""
        self.now += timedelta(seconds=seconds)
        for one in self.governance.overdue(self.status, self.now):
            _, self.status = self.governance.end_unmet(self.status, one.norm, one.bearers, self.now)
            self.show(Happening.UNANSWERED, unanswered=one.bearers)


def people_of(script: Iterable[Line]) -> list[str]:
    """List the people who speak or are named in a script."""
    names = (name for line in script for name in (line.person, *line.mentions) if name not in BOTS)
    return list(dict.fromkeys(names))


def play(
    specification: NormSpecification, lines: Iterable[Line], governed: bool = True, chance: Random | None = None
) -> Played:
    """Play a script: people wait for the answers; or, by chance, they do not."""
    script = deque(lines)
    stage = Stage(specification, people_of(script), governed)
    if chance is None:
        stage.settle()
        for line in script:
            began = perf_counter()
            stage.say(line)
            stage.settle()
            stage.played.seconds.append(perf_counter() - began)
        return stage.played
    while turns := stage.turns() + (["person"] if script else []):
        turn = chance.choice(turns)
        if turn == "person":
            stage.say(script.popleft())
        else:
            stage.take(turn)
    return stage.played
