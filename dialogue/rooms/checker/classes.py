"""Classes of messages: sets of messages that no filter that matters tells apart.

A class is a box: for each attribute of a message it says which values there may be, so that there is no need to list
messages. Boxes are split by filters, as an abstraction is refined by predicates (Graf and Saïdi 1997).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from catalog.norms.message import Message, Utterance
from catalog.norms.model import Filters, NormSpecification
from catalog.norms.vocabulary import EVERYBODY, NOBODY, TEXT, UNDEFINED, Variable
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.matching import Binding
from dialogue.rooms.governance.status import RoomStatus

PART = ("act", "topic", "content")
GROUPS = ("receivers", "mentions")
"""Attributes with several participants each; their order makes no difference."""
ABOUT = "about"
"""The obligations to answer that a message is about: it says which message it answers, or may be for all of them."""
_SETS = (*GROUPS, ABOUT)
_GROUP_OF: Mapping[str, str] = {Variable.RECEIVERS: "receivers", Variable.MENTIONED: "mentions"}
MOST_GROUPS = 4_096
"""So many groups of participants are told apart; of more, only those of all, or of one or two."""


class Literal(NamedTuple):
    """A condition on one attribute: its value is in a mask, or one of its participants is (or none, if not `wanted`).

    Masks are sets of positions in the vocabulary, as bits.
    """

    attribute: str
    mask: int
    wanted: bool = True


Alternatives = Sequence[Sequence[Literal]]
"""Conditions, of which one is enough; each holds if all its literals do."""


@dataclass(frozen=True, slots=True)
class Group:
    """Which groups of participants: without those that are `barred`, with one of each of `some`."""

    barred: int = 0
    some: frozenset[int] = frozenset()

    def narrow(self, mask: int, wanted: bool) -> Group | None:
        barred = self.barred if wanted else self.barred | mask
        some = self.some | {mask & ~barred} if wanted else frozenset(one & ~barred for one in self.some)
        return Group(barred, some) if all(some) else None

    def first(self) -> int:
        chosen = 0
        for mask in sorted(self.some, key=lambda one: (one.bit_count(), one)):
            if not mask & chosen:
                chosen |= mask & -mask
        return chosen

    def every(self, among: int) -> Iterator[int]:
        """Yield all of them that differ in some participants, the others being as in the first."""
        first = self.first()
        free = [1 << at for at in range(among.bit_length()) if among >> at & 1 and not self.barred >> at & 1]
        sizes: Iterable[int] = range(len(free) + 1)
        if 2 ** len(free) > MOST_GROUPS:
            sizes = (0, 1, 2, len(free))
        for size in sizes:
            for chosen in combinations(free, size):
                group = sum(chosen) | (first & ~among)
                if all(group & mask for mask in self.some):
                    yield group


@dataclass(frozen=True, slots=True)
class Box:
    """A class of messages with one utterance: for each attribute the values there may be."""

    act: int
    topic: int
    content: int
    replies_to: int
    receivers: Group = Group()
    mentions: Group = Group()
    about: Group = Group()

    @property
    def who(self) -> Box:
        """The class without what its utterances are like."""
        return replace(self, act=0, topic=0, content=0)

    def meet(self, other: Box) -> Box | None:
        """Return whom messages of this class and of another one can both name."""
        box: Box | None = replace(self, replies_to=self.replies_to & other.replies_to)
        for name in _SETS:
            theirs: Group = getattr(other, name)
            wanted = [(theirs.barred, False), *((mask, True) for mask in sorted(theirs.some))]
            for mask, want in wanted:
                if box is not None and mask:
                    group = getattr(box, name).narrow(mask, want)
                    box = None if group is None else replace(box, **{name: group})
        return box if box is not None and box.replies_to else None


class MessageVocabulary:
    """The values that attributes of messages may have in a room, each with its bit.

    An empty act stands for a message without utterances.
    """

    def __init__(self, specification: NormSpecification, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.everybody = (1 << len(self.names)) - 1
        self._values = {
            "act": (*specification.acts, ""),
            "topic": (UNDEFINED, *(name for name in specification.topics if name != UNDEFINED)),
            "content": tuple(specification.content_types),
        }
        self._bits = {name: {one: 1 << at for at, one in enumerate(values)} for name, values in self._values.items()}
        self.bit_of = {name: 1 << at for at, name in enumerate(self.names)}
        self.no_reply = 1 << len(self.names)

    def everything(self) -> tuple[Box, Box]:
        """Return the classes of all messages with one utterance, and with none: that is text about nothing."""
        act, topic, content = ((1 << len(self._values[name])) - 1 for name in PART)
        silent = self.mask("act", ("",))
        one = Box(act & ~silent, topic, content, self.everybody | self.no_reply)
        none = replace(one, act=silent, topic=self.mask("topic", (UNDEFINED,)), content=self.mask("content", (TEXT,)))
        return one, none

    def is_silent(self, box: Box) -> bool:
        """Return whether a class is one of messages without utterances."""
        return box.act == self.mask("act", ("",))

    def mask(self, attribute: str, values: Iterable[str]) -> int:
        return sum(self._bits[attribute].get(value, 0) for value in dict.fromkeys(values))

    def group(self, names: Iterable[str]) -> int:
        return sum(self.bit_of.get(name, 0) for name in dict.fromkeys(names))

    def restrict(self, box: Box, literal: Literal) -> Box | None:
        """Return the messages of a class for which a literal holds; None if it holds for none."""
        name, mask, wanted = literal
        now = getattr(box, name)
        left = now.narrow(mask, wanted) if name in _SETS else now & (mask if wanted else ~mask)
        if left is None or left == 0:
            return None
        return box if left == now else replace(box, **{name: left})

    def split(self, box: Box, alternatives: Alternatives) -> tuple[list[Box], list[Box]]:
        """Split a class into those for which one alternative holds, and the rest; no message is in two classes."""
        inside: list[Box] = []
        rest = [box]
        for literals in alternatives:
            waiting, rest = rest, []
            for one in waiting:
                at: Box | None = one
                for literal in literals:
                    assert at is not None
                    other = self.restrict(at, literal._replace(wanted=not literal.wanted))
                    if other is not None:
                        rest.append(other)
                    at = self.restrict(at, literal)
                    if at is None:
                        break
                if at is not None:
                    inside.append(at)
        return inside, rest

    def write(self, sender: str, who: Box, parts: Sequence[Box], receivers: int, mentions: int) -> Message:
        """Write a message of a class; each part is the class of one of its utterances, `who` that of the rest."""
        utterances = tuple(
            Utterance.model_construct(
                act=self._first("act", part.act),
                topic=self._first("topic", part.topic),
                content=self._first("content", part.content),
            )
            for part in parts
            if not self.is_silent(part)
        )
        replies = who.replies_to
        answered = None if replies & self.no_reply else self.names[(replies & -replies).bit_length() - 1]
        return Message.model_construct(
            sender=sender,
            utterances=utterances,
            receivers=self._named(receivers),
            mentions=self._named(mentions),
            replies_to=answered,
        )

    def _first(self, attribute: str, mask: int) -> str:
        return self._values[attribute][(mask & -mask).bit_length() - 1]

    def _named(self, group: int) -> tuple[str, ...]:
        return tuple(name for name, bit in self.bit_of.items() if group & bit)


class FilterReader:
    """Reads filters as conditions on the messages of one sender, in a status."""

    def __init__(self, vocabulary: MessageVocabulary, governance: Governance, status: RoomStatus, sender: str) -> None:
        self._vocabulary = vocabulary
        self._status = status
        self._sender = sender
        goes_by = {one.name: governance.roles_of(one) for one in status.members}
        self._goes_by = {name: goes_by.get(name, frozenset[str]()) | {name} for name in vocabulary.names}

    def read(self, filters: Filters, binding: Binding, *, own: bool = False) -> Iterator[Alternatives]:
        """Yield what a message must be like to match: each of these; no alternatives, if it cannot.

        With `own`, those whom a message is addressed to or mentions are variables as well.
        """
        if filters.owing and not any(self._status.owes(self._sender, norm) for norm in filters.owing):
            yield ()
        for name in PART:
            if wanted := getattr(filters, name):
                yield ((Literal(name, self._vocabulary.mask(name, wanted)),),)
        for name in ("sender", "replies_to", *GROUPS):
            if wanted := getattr(filters, name):
                yield tuple(one for selector in wanted for one in self._meant(name, selector, binding, own))

    def own(self) -> Binding:
        """Return the variables of a descriptor: those of the message itself."""
        last, answerer = self._status.last_sender, self._status.last_answerer
        return {
            Variable.SENDER: (self._sender,),
            Variable.BEARER: (self._sender,),
            Variable.LAST_SENDER: (last,) if last else (),
            Variable.LAST_ANSWERER: (answerer,) if answerer else (),
        }

    def _meant(self, attribute: str, selector: str, binding: Binding, own: bool) -> Iterator[Sequence[Literal]]:
        """Yield what one selector asks for: alternatives, each of some literals."""
        everybody = self._vocabulary.everybody
        if selector == NOBODY:
            if attribute != "sender":
                yield (Literal(attribute, everybody, wanted=False),)
        elif own and selector in _GROUP_OF:
            for bit in self._vocabulary.bit_of.values():
                for rest in self._among(attribute, bit):
                    yield (Literal(_GROUP_OF[selector], bit), *rest)
        else:
            yield from self._among(attribute, everybody if selector == EVERYBODY else self._bits(selector, binding))

    def _among(self, attribute: str, mask: int) -> Iterator[Sequence[Literal]]:
        if attribute != "sender":
            yield (Literal(attribute, mask),)
        elif mask & self._vocabulary.bit_of[self._sender]:
            yield ()

    def _bits(self, selector: str, binding: Binding) -> int:
        if selector in binding:
            return self._vocabulary.group(binding[selector])
        return self._vocabulary.group(name for name, also in self._goes_by.items() if selector in also)
