"""The state space of norms: any participant may send any message into any status.

Moves are messages that are allowed, deadlines that pass (at any time, in any order), and people who leave. States have
no times and no ids, and leave out what no norm asks for, and norms that make no difference (`irrelevant_norms`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from catalog.norms.message import Message
from catalog.norms.model import Guards, Norm, NormSpecification, Transition, Unmet
from catalog.norms.vocabulary import EVERYBODY, Ends, NormKind, ParticipantKind, Variable
from dialogue.rooms.checker.classes import MOST_GROUPS, MessageVocabulary
from dialogue.rooms.checker.effects import EffectMessages, Effects, MessageEffect
from dialogue.rooms.checker.states import Bearing, State, States
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.matching import Binding
from dialogue.rooms.governance.status import Member, RoomStatus, variables_in


def irrelevant_norms(specification: NormSpecification, members: Iterable[Member]) -> frozenset[str]:
    """Return the norms that no verdict and no guard depends on, for any subset of some members."""
    members = tuple(members)
    asked_for = {
        name
        for guards in (
            *(norm.if_ for norm in specification.norms.values()),
            *(one.if_ for one in specification.transitions.values()),
        )
        for name in (*guards.active, *guards.inactive)
    }
    asked_for |= {
        name for norm in specification.norms.values() for one in (norm.act, *norm.unless) for name in one.owing
    }
    asked_for |= {name for one in specification.descriptors.values() for name in one.owing}
    bearers = {name: _may_bear(specification, norm, members) for name, norm in specification.norms.items()}
    weights = {name: specification.weigh(norm) for name, norm in specification.norms.items()}
    kinds = {one.name: one.kind for one in members}

    def is_irrelevant(norm: Norm) -> bool:
        if norm.kind is NormKind.OBLIGATION or norm.standing or norm.name in asked_for:
            return False
        permits = norm.kind is NormKind.PERMISSION
        return all(specification.defaults.permits(kinds[name]) is permits for name in bearers[norm.name]) and not any(
            (other.kind is not NormKind.PROHIBITION) is not permits
            and weights[other.name] <= weights[norm.name]
            and bearers[other.name] & bearers[norm.name]
            for other in specification.norms.values()
        )

    return frozenset(name for name, norm in specification.norms.items() if is_irrelevant(norm))


def _may_bear(specification: NormSpecification, norm: Norm, members: Iterable[Member]) -> frozenset[str]:
    """Return on whom a norm may bear: a variable may stand for any participant."""
    found = set()
    for one in members:
        also = {EVERYBODY, one.name, *specification.all_roles(one.roles)}
        if any(selector in also or selector.startswith("$") for selector in norm.bearer):
            found.add(one.name)
    return frozenset(found)


PEOPLE = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
"""Names of the people who are in the room."""


class RoomMoveKind(StrEnum):
    MESSAGE = "message"
    """A participant says something."""
    LAPSE = "lapse"
    """The deadline of an obligation passes."""
    LEAVE = "leave"
    """A person leaves."""


_Words = tuple[MessageEffect, EffectMessages, int, int]
"""A message of a class: to whom, and naming whom, as bits."""


class RoomMove(NamedTuple):
    """One thing that happens, and what comes of it.

    `who` sends a message, does not meet a `norm` in time, or leaves. A message stands for all that come to the same:
    what it meets and begins (as bits), the transitions that it fires, and the state after it. What is owed to several
    messages may be owed `still` when one of them is answered.
    """

    kind: RoomMoveKind
    who: tuple[str, ...]
    after: State
    fired: tuple[str, ...] = ()
    met: int = 0
    still: int = 0
    begun: int = 0
    norm: str = ""
    said: _Words | None = None

    @property
    def message(self) -> Message | None:
        return None if self.said is None else self.said[0].write(*self.said[1:])


@dataclass(frozen=True, slots=True)
class NormConflict:
    """A message that its sender is obliged to, and forbidden, in a state."""

    state: State
    norms: tuple[str, ...]
    message: Message


_Begins = tuple[tuple[int, bool, _Words], ...]
"""What messages begin, as bits, with a message for each; first what is simple, then what begins most."""


class _Listed(NamedTuple):
    """What was listed in a state: what fires, by descriptor and norms in force, with what it leaves in force; and what
    messages begin that come to the same otherwise. `answers` are the obligations to answer.
    """

    firing: dict[tuple[str | None, int], tuple[Transition | None, int]]
    begun: dict[tuple[object, ...], int]
    answers: int


class _Sayable(NamedTuple):
    """Messages with one effect: what they meet, which of it ends with that, and what of it may be owed still, as bits.

    `begins` is filled on the way: by the transition that they fire, what that begins, with a message for each.
    """

    effect: MessageEffect
    met: int
    ended: int
    still: tuple[int, ...]
    begins: dict[str, _Begins]


_Found = tuple[tuple[_Sayable, ...], tuple[tuple[tuple[str, ...], Message], ...]]
"""What a participant may say; and messages that norms are in conflict about."""


class NormSpace:
    """A room with all its declared participants and some people, from the beginning on."""

    def __init__(self, specification: NormSpecification, people: int = 2) -> None:
        self.specification = specification
        self.governance = Governance(specification)
        taken = {*specification.participants, *specification.roles}
        names = [name for name in (*PEOPLE, *(f"person_{at}" for at in range(1, people + 1))) if name not in taken]
        roles = tuple(specification.people.roles)
        self.people = tuple(Member(name, ParticipantKind.PERSON, roles) for name in names[:people])
        begun = self.begin()
        self.members = begun.members
        self.vocabulary = MessageVocabulary(specification, [one.name for one in self.members])
        irrelevant = irrelevant_norms(specification, self.members)
        self.states = States(specification, self.members, self.vocabulary, irrelevant)
        self.conflicts: dict[tuple[str, ...], NormConflict] = {}
        self.fired: set[str] = set()
        """Transitions that fired."""
        self.all_groups = True
        """Whether all groups of receivers, and of those who are mentioned, were told apart."""
        self._effects = Effects(self.governance, self.vocabulary)
        self._on: dict[str | None, list[Transition]] = defaultdict(list)
        self._on_lapse: dict[str, list[Transition]] = defaultdict(list)
        for one in specification.transitions.values():
            if isinstance(one.on, Unmet):
                self._on_lapse[one.on.unmet].append(one)
            else:
                self._on[one.on].append(one)
        self._groups = {one.name: _groups_of(specification, one) for one in specification.transitions.values()}
        self._names_sender = {
            one.name: any(
                Variable.SENDER in (*specification.norms[name].bearer, *variables_in(specification.norms[name]))
                for name in one.begins
            )
            for one in specification.transitions.values()
        }
        self._guarded = [norm.if_ for norm in specification.norms.values() if norm.if_ != Guards()]
        self._found: dict[Hashable, _Found] = {}
        self.start = self.states.abstract(begun)

    def begin(self, at: datetime | None = None) -> RoomStatus:
        """Return the status in which the walk begins: the people came into a room that was open."""
        status = self.governance.begin(at=at)
        for one in self.people:
            status = self.governance.join(status, one)
        return status

    # the walk

    def key(self, state: State) -> State:
        return state

    def look(self, state: State) -> State:
        return state

    def play(self, state: State, move: RoomMove) -> tuple[State, None]:
        return move.after, None

    def moves(self, state: State) -> Sequence[RoomMove]:
        """List all that can happen; of the messages of a sender that come to the same, the simplest one."""
        return [*self._messages(state), *self._lapses(state), *self._departures(state)]

    def _messages(self, state: State) -> Iterator[RoomMove]:
        """List what may be said; of what comes to the same for all that is asked of the walk, the first.

        Of messages that differ only in which answers they ask for again, as many are listed as ask for all of these.
        """
        guards = tuple(self.states.holds(one, state.active) for one in self._guarded)
        listed = _Listed({}, {}, sum(self.states.of_norm[norm] for norm in self._effects.answers))
        for sender in self.states.there(state):
            name = sender.name
            mine = state.active & self.states.of_bearer[name]
            key = (name, state.there, mine, guards, state.last_sender, state.last_answerer)
            if key not in self._found:
                whole = self.states.status(state)
                said, clashes = self._effects.find(whole, sender)
                self._found[key] = (
                    tuple(self._sayable(one, name) for one in said),
                    tuple((self.governance.judge(whole, one)[0].conflicts, one) for one in clashes),
                )
            effects, conflicts = self._found[key]
            for norms, message in conflicts:
                self.conflicts.setdefault(norms, NormConflict(state, norms, message))
            for one in effects:
                for still in one.still:
                    yield from self._come_to(state, sender, one, still, listed)

    def _come_to(self, state: State, sender: Member, said: _Sayable, still: int, listed: _Listed) -> Iterator[RoomMove]:
        """Yield what a message comes to; where what begins depends on whom it names, for each group of these."""
        active = state.active & ~said.ended | still
        at = (said.effect.descriptor, active)
        if at not in listed.firing:
            fires = (one for one in self._on[said.effect.descriptor] if self._fires(one, state.phase, active))
            first = next(fires, None)
            listed.firing[at] = first, active if first is None else self._kept(first, active)
        fired, kept = listed.firing[at]
        name, is_bot = sender.name, sender.kind is ParticipantKind.BOT
        answerer = name if said.met and self.states.keeps_answerer else state.last_answerer
        last = name if self.states.keeps_sender else None
        begins: _Begins
        phase, by = state.phase, tuple[str, ...]()
        if fired is None:
            begins = ((0, False, said.effect.words),)
        else:
            self.fired.add(fired.name)
            if fired.name not in said.begins:
                said.begins[fired.name] = self._beginnings(fired, state, name, said.effect)
            begins, phase, by = said.begins[fired.name], fired.to or phase, (fired.name,)
        for begun, most, words in begins:
            now = kept | begun
            key = (now, phase, last, answerer, said.met, still, is_bot)
            before = listed.begun.get(key)
            if before is None or (most and begun & listed.answers & ~before):
                listed.begun[key] = (before or 0) | begun
                after = State(phase, state.there, now, last, answerer)
                yield RoomMove(RoomMoveKind.MESSAGE, (name,), after, by, said.met, still, begun, said=words)

    def _sayable(self, effect: MessageEffect, sender: str) -> _Sayable:
        """Put what messages meet into bits. Answers that are met may be owed still, to other messages."""
        norms = self.specification.norms
        bits = {Bearing(*owed, sender): self.states.bit_of(Bearing(*owed, sender)) for owed in effect.met}
        ending = {one: bit for one, bit in bits.items() if norms[one.norm].ends is Ends.MET}
        repeated = sum(bit for one, bit in ending.items() if one.norm in self._effects.answers)
        return _Sayable(effect, sum(bits.values()), sum(ending.values()), (0, *_subsets(repeated)), {})

    def _beginnings(self, transition: Transition, state: State, sender: str, effect: MessageEffect) -> _Begins:
        """Return what messages begin, as bits, with the first message that does; after all, those that begin most."""
        found: dict[int, _Words] = {}
        for said, receivers, mentions in effect.groups(*self._masks(transition, state.there)):
            begun = self._begin(effect.begins[transition.name], state, (sender,), receivers, mentions)
            found.setdefault(begun, (effect, said, receivers, mentions))
        most = sorted(found, key=int.bit_count, reverse=True) if len(found) > 1 else ()
        first = ((begun, False, words) for begun, words in found.items())
        return (*first, *((begun, True, found[begun]) for begun in most))

    def _kept(self, transition: Transition, active: int) -> int:
        return (
            0 if transition.ends_all else active & ~sum(self.states.of_norm[norm] for norm in {*transition.deactivate})
        )

    def _fires(self, transition: Transition, phase: str, active: int) -> bool:
        return (not transition.from_ or phase in transition.from_) and self.states.holds(transition.if_, active)

    def _masks(self, transition: Transition, there: int) -> tuple[int | None, int | None]:
        """Return whose being addressed, and whose being mentioned, makes a difference to what a transition begins."""
        masks = []
        for variable in _GROUPS:
            binds = self._groups[transition.name].get(variable)
            mask = None if binds is None else self.vocabulary.everybody if binds else there
            self.all_groups = self.all_groups and (mask is None or 2 ** mask.bit_count() <= MOST_GROUPS)
            masks.append(mask)
        return masks[0], masks[1]

    def _begin(
        self, norms: tuple[str, ...], state: State, senders: tuple[str, ...], receivers: int, mentions: int
    ) -> int:
        named = {bit: name for name, bit in self.vocabulary.bit_of.items()}
        binding: Binding = {
            Variable.SENDER: senders,
            Variable.LAST_SENDER: (state.last_sender,) if state.last_sender else (),
            Variable.LAST_ANSWERER: (state.last_answerer,) if state.last_answerer else (),
            Variable.RECEIVERS: tuple(name for bit, name in named.items() if bit & receivers),
            Variable.MENTIONED: tuple(name for bit, name in named.items() if bit & mentions),
        }
        begun = self.governance.begun_by(norms, self.states.there(state), binding)
        return self.states.bits(begun)

    def _lapses(self, state: State) -> Iterator[RoomMove]:
        """Let deadlines pass: that of an answer for each message that it is owed to."""
        norms = self.specification.norms
        due: dict[str, list[int]] = defaultdict(list)
        for (norm, _), bits in self.states.of_activation.items():
            if state.active & bits and norms[norm].deadline is not None:
                due[norm].append(state.active & bits)
        for norm, parts in due.items():
            for late, still in self._late(norm, parts):
                bearers = tuple(dict.fromkeys(one.bearer for one in self.states.read(late)))
                fired, after, begun = self._end_unmet(state, norm, late, still)
                if fired or not still:
                    yield RoomMove(RoomMoveKind.LAPSE, bearers, after, fired, still=still, begun=begun, norm=norm)

    def _late(self, norm: str, due: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield what ends at once when a deadline passes, and what of it is owed still, to another message.

        Of several activations one is the first to end; others end with it for the same bearers, if they are due too.
        An answer may be owed to another message by some of those who owe it. Where nothing fires, several activations
        that end one after the other come to the same.
        """
        answers = norm in self._effects.answers
        if not self._on_lapse[norm]:
            for part in due:
                yield from ((late, 0) for late in (_subsets(part) if answers else (part,)))
            return
        names_late = any(self._names_sender[one.name] for one in self._on_lapse[norm])
        told: set[int] = set()
        for first in due:
            for own in _subsets(first) if answers else (first,):
                reach = sum(self.states.of_bearer[one.bearer] for one in self.states.read(own))
                others = [part & reach for part in due if part != first and part & reach]
                for more in product(*((0, *(_subsets(one) if answers else (one,))) for one in others)):
                    late = own | sum(more)
                    if late not in told:
                        told.add(late)
                        yield late, 0
                        if answers and (names_late or late.bit_count() == 1):
                            yield from ((late, still) for still in _subsets(late))

    def _departures(self, state: State) -> Iterator[RoomMove]:
        """Let one of several people leave: with the last one a conversation is over."""
        people = [one.name for one in self.states.there(state) if one.kind is ParticipantKind.PERSON]
        for name in people if len(people) > 1 else ():
            after = state._replace(there=state.there & ~self.vocabulary.bit_of[name])
            owed = [
                norm.name
                for norm in self.specification.norms.values()
                if norm.kind is NormKind.OBLIGATION
                and state.active & self.states.of_norm[norm.name] & self.states.of_bearer[name]
            ]
            fired: tuple[str, ...] = ()
            for norm in owed:
                ended = after.active & self.states.of_norm[norm] & self.states.of_bearer[name]
                more, after, _ = self._end_unmet(after, norm, ended)
                fired += more
            yield RoomMove(
                RoomMoveKind.LEAVE, (name,), after._replace(active=after.active & ~self.states.of_bearer[name]), fired
            )

    def _end_unmet(self, state: State, norm: str, ended: int, still: int = 0) -> tuple[tuple[str, ...], State, int]:
        """End an obligation of some bearers; return the transition that this fires, the next state, and what begins."""
        active = state.active & ~ended | still
        fired = next((one for one in self._on_lapse[norm] if self._fires(one, state.phase, active)), None)
        if fired is None:
            return (), state._replace(active=active), 0
        self.fired.add(fired.name)
        lapsed = tuple(sorted({one.bearer for one in self.states.read(ended)}))
        begun = self._begin(fired.activate, state._replace(last_sender=None, last_answerer=None), lapsed, 0, 0)
        after = state._replace(phase=fired.to or state.phase, active=self._kept(fired, active) | begun)
        return (fired.name,), after, begun


def _subsets(bits: int) -> Iterator[int]:
    one = bits
    while one:
        yield one
        one = (one - 1) & bits


_GROUPS = (Variable.RECEIVERS, Variable.MENTIONED)


def _groups_of(specification: NormSpecification, transition: Transition) -> dict[Variable, bool]:
    """Return which of the variables for groups a transition uses; True: a filter names it, False: bearers alone."""
    norms = [specification.norms[name] for name in transition.begins]
    found: dict[Variable, bool] = {}
    for variable in _GROUPS:
        if any(variable in variables_in(norm) for norm in norms):
            found[variable] = True
        elif any(variable in norm.bearer for norm in norms):
            found[variable] = False
    return found
