"""What the messages of one sender come to in a status: which obligations they meet, and how they are described.

Classes of messages are split by the norms that bear on the sender and by the descriptors, in the order in which
governance asks for them, and no further than matters. Messages with the same effect lead to the same status, but for
whom they name (`Effect.messages`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from operator import or_

from catalog.norms.message import Message
from catalog.norms.model import Norm, NormSpecification, Transition
from catalog.norms.vocabulary import NormKind
from dialogue.rooms.checker.classes import ABOUT, Alternatives, Box, FilterReader, Literal, MessageVocabulary
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.matching import Binding
from dialogue.rooms.governance.status import ActiveNorm, Member, RoomStatus, is_an_answer

Owed = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""An obligation as it was activated: its norm, and the variables that were bound."""
_Outcome = tuple[frozenset[Owed], int, frozenset[str]]
"""What a message meets, the place of its descriptor in the order of choice, and which of those that count besides the
chosen one it matches."""


@dataclass(frozen=True, slots=True)
class EffectMessages:
    """Messages with one effect: `who` says whom they name, and `parts` what each of their utterances is like."""

    who: Box
    parts: tuple[Box, ...]


@dataclass(frozen=True)
class MessageEffect:
    """All messages of a sender that meet the same obligations and have the same descriptor.

    `begins` are the norms that transitions on that descriptor begin with them, by name.
    """

    vocabulary: MessageVocabulary
    sender: str
    met: frozenset[Owed]
    descriptor: str | None
    begins: Mapping[str, tuple[str, ...]]
    said: tuple[EffectMessages, ...]

    @property
    def first(self) -> Message:
        return self.write(*self.words[1:])

    @cached_property
    def words(self) -> tuple[MessageEffect, EffectMessages, int, int]:
        """That message: to whom, and naming whom, as bits."""
        one = self.said[0]
        return self, one, one.who.receivers.first(), one.who.mentions.first()

    def write(self, said: EffectMessages, receivers: int, mentions: int) -> Message:
        return self.vocabulary.write(self.sender, said.who, said.parts, receivers, mentions)

    def groups(self, receivers: int | None, mentions: int | None) -> Iterator[tuple[EffectMessages, int, int]]:
        """Yield messages that differ in receivers or mentions, as far as participants in these masks are concerned."""
        found: set[tuple[int, int]] = set()
        for one in self.said if receivers is not None or mentions is not None else self.said[:1]:
            every = (
                [group.first()] if among is None else group.every(among)
                for group, among in ((one.who.receivers, receivers), (one.who.mentions, mentions))
            )
            for addressed, mentioned in product(*every):
                at = (addressed & (receivers or 0), mentioned & (mentions or 0))
                if at not in found:
                    found.add(at)
                    yield one, addressed, mentioned


class _Rule:
    """A norm that bears on the sender, with its filters read: what it is about, and what is excepted.

    An obligation to answer is about answers to the message that it began with: `answered` is the bit of that.
    """

    def __init__(self, reader: FilterReader, norm: Norm, active: ActiveNorm | None, sender: str, answered: int) -> None:
        binding: Binding = {**(dict(active.bound) if active else {}), "$bearer": (sender,)}
        self.kind = norm.kind
        self.owed: Owed | None = None
        if active is not None and norm.kind is NormKind.OBLIGATION:
            self.owed = (norm.name, active.bound)
        self._about = tuple(reader.read(norm.act, binding))
        if answered:
            self._about = (((Literal(ABOUT, answered),),), *self._about)
        self._unless = [tuple(reader.read(one, binding)) for one in norm.unless]

    def split(self, vocabulary: MessageVocabulary, box: Box) -> tuple[list[Box], list[Box]]:
        """Split a class into messages that the norm applies to, and others."""
        inside, rest = split_all(vocabulary, [box], self._about)
        for exception in self._unless:
            excepted, inside = split_all(vocabulary, inside, exception)
            rest += excepted
        return inside, rest


def split_all(
    vocabulary: MessageVocabulary, boxes: Iterable[Box], conditions: Sequence[Alternatives]
) -> tuple[list[Box], list[Box]]:
    inside, rest = list(boxes), []
    for alternatives in conditions:
        waiting, inside = inside, []
        for box in waiting:
            within, without = vocabulary.split(box, alternatives)
            inside += within
            rest += without
    return inside, rest


class Effects:
    """Finds the effects of all messages of a sender in a status."""

    def __init__(self, governance: Governance, vocabulary: MessageVocabulary) -> None:
        self.governance = governance
        self.vocabulary = vocabulary
        specification = governance.specification
        self.answers = answers_in(specification)
        self._descriptors = sorted(specification.descriptors.values(), key=lambda one: -one.size)
        self._on: dict[str | None, list[Transition]] = defaultdict(list)
        for one in specification.transitions.values():
            if isinstance(one.on, str):
                self._on[one.on].append(one)
        asked = (frozenset(name for fired in self._on[one.name] for name in fired.also) for one in self._descriptors)
        self._besides = (*accumulate(asked, or_), frozenset[str]())
        """By place, the descriptors that count besides one that is chosen there or before."""
        self._weights = {name: specification.weigh(norm) for name, norm in specification.norms.items()}

    def find(self, status: RoomStatus, sender: Member) -> tuple[tuple[MessageEffect, ...], tuple[Message, ...]]:
        """Return the effects of all messages that are allowed, and a message for each conflict of norms."""
        reader = FilterReader(self.vocabulary, self.governance, status, sender.name)
        rules: dict[tuple[int, int], list[_Rule]] = defaultdict(list)
        for at, (norm, active) in enumerate(self.governance.bearing_on(status, sender.name)):
            answered = 1 << at if active is not None and norm.name in self.answers else 0
            rules[self._weights[norm.name]].append(_Rule(reader, norm, active, sender.name, answered))
        levels = [rules[weight] for weight in sorted(rules, reverse=True)]
        permitted = self.governance.specification.defaults.permits(sender.kind)
        described = [tuple(reader.read(one, reader.own(), own=True)) for one in self._descriptors]
        allowed: dict[_Outcome, list[EffectMessages]] = defaultdict(list)
        conflicts: list[Message] = []
        for box in self.vocabulary.everything():
            for one, kinds in self._judge(box, levels):
                if NormKind.PROHIBITION in kinds:
                    if NormKind.OBLIGATION in kinds:
                        said = EffectMessages(one.who, (one,))
                        shown = MessageEffect(self.vocabulary, sender.name, frozenset(), None, {}, (said,))
                        conflicts.append(shown.first)
                elif kinds or permitted:
                    for part, outcome in self._outcomes(one, levels, described):
                        allowed[outcome].append(EffectMessages(part.who, (part,)))
        self._join(allowed)
        names = (*(one.name for one in self._descriptors), None)
        come_to: dict[tuple[frozenset[Owed], int, tuple[tuple[str, tuple[str, ...]], ...]], list[EffectMessages]]
        come_to = defaultdict(list)
        for (met, place, besides), messages in allowed.items():
            begins = tuple((one.name, one.begun_by(besides.__contains__)) for one in self._on[names[place]])
            come_to[met, place, begins] += messages
        effects = (
            MessageEffect(
                self.vocabulary, sender.name, met, names[at], dict(begins), tuple(sorted(said, key=_simplicity))
            )
            for (met, at, begins), said in come_to.items()
        )
        return tuple(sorted(effects, key=lambda effect: _simplicity(effect.said[0]))), tuple(conflicts)

    def _judge(self, box: Box, levels: Sequence[Sequence[_Rule]]) -> Iterator[tuple[Box, frozenset[NormKind]]]:
        """Split a class by the kinds of those norms that apply and are most specific; none, where the default holds."""
        undecided = [box]
        for level in levels:
            pieces = [(one, frozenset[NormKind]()) for one in undecided]
            for rule in level:
                waiting, pieces = pieces, []
                for one, kinds in waiting:
                    inside, rest = rule.split(self.vocabulary, one)
                    pieces += [(piece, kinds | {rule.kind}) for piece in inside]
                    pieces += [(piece, kinds) for piece in rest]
            undecided = [one for one, kinds in pieces if not kinds]
            yield from ((one, kinds) for one, kinds in pieces if kinds)
        yield from ((one, frozenset()) for one in undecided)

    def _outcomes(
        self, box: Box, levels: Sequence[Sequence[_Rule]], described: Sequence[Sequence[Alternatives]]
    ) -> Iterator[tuple[Box, _Outcome]]:
        """Split a class of allowed messages by what they meet, and by how they are described."""
        pieces = [(box, frozenset[Owed]())]
        for rule in (rule for level in levels for rule in level if rule.owed is not None):
            waiting, pieces = pieces, []
            for one, met in waiting:
                inside, rest = rule.split(self.vocabulary, one)
                assert rule.owed is not None
                pieces += [(piece, met | {rule.owed}) for piece in inside]
                pieces += [(piece, met) for piece in rest]
        for one, met in pieces:
            left = [one]
            for place, conditions in enumerate(described):
                inside, left = split_all(self.vocabulary, left, conditions)
                yield from (
                    (piece, (met, place, also)) for piece, also in self._split_besides(inside, described, place)
                )
            yield from ((piece, (met, len(described), frozenset())) for piece in left)

    def _split_besides(
        self, boxes: Iterable[Box], described: Sequence[Sequence[Alternatives]], place: int
    ) -> list[tuple[Box, frozenset[str]]]:
        pieces = [(box, frozenset[str]()) for box in boxes]
        for one, conditions in zip(self._descriptors, described, strict=True):
            if one.name in self._besides[place]:
                waiting, pieces = pieces, []
                for box, also in waiting:
                    inside, rest = split_all(self.vocabulary, [box], conditions)
                    pieces += [(piece, also | {one.name}) for piece in inside]
                    pieces += [(piece, also) for piece in rest]
        return pieces

    def _join(self, allowed: dict[_Outcome, list[EffectMessages]]) -> None:
        """Add messages of several utterances where they come to more than each of these by itself.

        What they meet adds up, the descriptor that is chosen first counts, and those that count besides add up.
        """
        speaking = ((outcome, one) for outcome, said in allowed.items() for one in said)
        speaking = (pair for pair in speaking if not self.vocabulary.is_silent(pair[1].parts[0]))
        singles = list({(outcome, one.who): (outcome, one) for outcome, one in speaking}.values())
        waiting = list(singles)
        while waiting:
            outcome, one = waiting.pop()
            met, place, besides = outcome
            for single, other in singles:
                chosen = min(place, single[1])
                both = (met | single[0], chosen, (besides | single[2]) & self._besides[chosen])
                if both in (outcome, single):
                    continue
                who = one.who.meet(other.who)
                if who is None or any(there.who == who for there in allowed[both]):
                    continue
                joined = EffectMessages(who, (*one.parts, *other.parts))
                allowed[both].append(joined)
                waiting.append((both, joined))


def answers_in(specification: NormSpecification) -> frozenset[str]:
    """Return the obligations that begin with a message and are to answer it: one is owed for each such message."""
    begun = {norm for one in specification.transitions.values() if isinstance(one.on, str) for norm in one.begins}
    return frozenset(name for name in begun if is_an_answer(specification.norms[name]))


def _simplicity(said: EffectMessages) -> tuple[int, ...]:
    """Put messages in order: those first that name few, and say little."""
    who = said.who
    named = who.receivers.first().bit_count() + who.mentions.first().bit_count()
    return (
        who.about.barred.bit_count(),
        len(said.parts),
        named,
        -who.replies_to.bit_length(),
        said.parts[0].act & -said.parts[0].act,
    )
