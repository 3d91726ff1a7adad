"""Governance: what norms say of a message, and which are in force after it. A pure function (row R18).

The order of things (Gatti de Bayser et al. 2018, §4–5; where it is silent, docs/norms.md says what is done):

1. The norms in force are checked for each utterance. The most specific decides: more filters, then the closer
   bearer. Of equally specific ones a prohibition or an obligation outweighs a permission; an obligation against a
   prohibition is a conflict, which denies the message and is reported. Where none applies, a default does.
2. A denied message changes nothing. Otherwise the obligations that it meets end.
3. Of the descriptors that match, the one with most filters is chosen, and of several the first (row R13).
4. The first of its transitions that may fire does (row R14): norms end and begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from catalog.norms.message import Message
from catalog.norms.model import NO_GUARDS, Norm, NormSpecification, Transition, Unmet
from catalog.norms.vocabulary import (
    EVERYBODY,
    TEXT,
    UNDEFINED,
    Ends,
    NormKind,
    Variable,
)
from dialogue.rooms.governance.matching import Binding, FilterPattern, Index, Part, SeenMessage
from dialogue.rooms.governance.status import (
    ActiveNorm,
    Member,
    RoomStatus,
    holds,
    is_about,
    is_an_answer,
    variables_in,
    waits_for_bearers,
)
from dialogue.rooms.governance.verdict import Decision, Lapse, MessageVerdict, Tag


class UnknownParticipant(LookupError):
    """The sender of a message is not in the room."""


@dataclass(frozen=True, slots=True)
class _Change:
    transition: str | None = None
    activated: tuple[str, ...] = ()
    deactivated: tuple[str, ...] = ()


NO_CHANGE = _Change()


@dataclass(frozen=True, slots=True)
class _Cause:
    """What norms are activated by: a message, when it was sent, and the transition that it fired."""

    by: str = ""
    at: datetime | None = None
    transition: str = ""


class Governance:
    """The norms of one specification, made ready to judge by.

    Judging is pure. The last judgement is kept: the fold of a room asks for the one that the hub has just made.
    """

    def __init__(self, specification: NormSpecification) -> None:
        self.specification = specification
        self._acts = {name: FilterPattern(norm.act) for name, norm in specification.norms.items()}
        self._by_words = Index({name: norm.act for name, norm in specification.norms.items()})
        self._exceptions = {name: tuple(map(FilterPattern, norm.unless)) for name, norm in specification.norms.items()}
        self._weights = {name: specification.weigh(norm) for name, norm in specification.norms.items()}
        by_choice = sorted(specification.descriptors.items(), key=lambda one: -one[1].size)
        self._descriptors = {name: FilterPattern(one) for name, one in by_choice}
        self._on_message: dict[str, list[Transition]] = defaultdict(list)
        self._on_lapse: dict[str, list[Transition]] = defaultdict(list)
        for transition in specification.transitions.values():
            if isinstance(transition.on, Unmet):
                self._on_lapse[transition.on.unmet].append(transition)
            else:
                self._on_message[transition.on].append(transition)
        self._standing = tuple(specification.standing())
        self._standing_on: dict[tuple[str, tuple[str, ...]], tuple[Norm, ...]] = {}
        self._named = frozenset(one for norm in self._standing for one in norm.bearer)
        self._guarded = frozenset(name for name, norm in specification.norms.items() if norm.if_ != NO_GUARDS)
        self._roles: dict[tuple[str, ...], frozenset[str]] = {}
        self._last: tuple[RoomStatus, Message, tuple[MessageVerdict, RoomStatus]] | None = None

    # the course of a conversation

    def begin(self, people: Iterable[Member] = (), at: datetime | None = None) -> RoomStatus:
        """Return the status before the first message; besides the declared participants, some people may be there."""
        declared = self.specification.participants.values()
        bots = (Member(one.name, one.kind, tuple(one.roles)) for one in declared)
        status = RoomStatus(self.specification.first_state, (*bots, *people))
        initial = self.specification.initial.activate
        return self._activate(status, initial, {}, _Cause(at=at))[0]

    def join(self, status: RoomStatus, member: Member) -> RoomStatus:
        """Add a participant: permissions and prohibitions of their roles bear on them, too."""
        if status.member(member.name) is not None:
            return status
        joined = replace(status, members=(*status.members, member))
        active = tuple(
            replace(one, bearers=(*one.bearers, member.name)) if self._concerns(one, member) else one
            for one in status.active
        )
        return replace(joined, active=active)

    def leave(self, status: RoomStatus, name: str, at: datetime | None = None) -> tuple[tuple[Lapse, ...], RoomStatus]:
        """Remove a participant; what they owed ends unmet."""
        lapses: list[Lapse] = []
        status = replace(status, members=tuple(one for one in status.members if one.name != name))
        norms = self.specification.norms
        owed = {
            one.norm for one in status.active if name in one.bearers and norms[one.norm].kind is NormKind.OBLIGATION
        }
        for norm in (one for one in norms if one in owed):
            lapse, status = self.end_unmet(status, norm, (name,), at)
            lapses.append(lapse)
        rest = (replace(one, bearers=tuple(b for b in one.bearers if b != name)) for one in status.active)
        kept = (one for one in rest if one.bearers or waits_for_bearers(norms[one.norm]))
        return tuple(lapses), replace(status, active=tuple(kept))

    def judge(self, status: RoomStatus, message: Message) -> tuple[MessageVerdict, RoomStatus]:
        """Judge a message; return the verdict and the next status. Raises UnknownParticipant.

        A private one is judged by what everybody sees of it. So norms are the same for all, and what was said in
        private cannot be learned from verdicts, or from who may speak next.
        """
        last = self._last
        if last is None or last[0] is not status or last[1] != message:
            self._last = last = status, message, self._judge(status, message)
        return last[2]

    def _judge(self, status: RoomStatus, message: Message) -> tuple[MessageVerdict, RoomStatus]:
        message = message.from_outside() if message.private else message
        member = status.member(message.sender)
        if member is None:
            names = ", ".join(one.name for one in status.members)
            raise UnknownParticipant(f"{message.sender!r} is not in the room. In it are: {names}.")
        parts = [(one.act, one.topic, one.content) for one in message.utterances] or [("", UNDEFINED, TEXT)]
        seen = SeenMessage(self.roles_of, self.specification.roles, status, message, member)
        bearing = list(self._bearing_on(status, member))
        decisions = tuple(self._decide(seen, bearing, part) for part in parts)
        tags = {one.tag for one in decisions}
        if Tag.DENIED in tags:
            return MessageVerdict(Tag.DENIED, decisions), status
        tag = Tag.REQUIRED if Tag.REQUIRED in tags else Tag.ALLOWED
        met, after = self._meet(seen, status, parts)
        binding: Binding = {
            Variable.SENDER: (message.sender,),
            Variable.LAST_SENDER: (status.last_sender,) if status.last_sender else (),
            Variable.RECEIVERS: message.receivers,
            Variable.MENTIONED: message.mentions,
            Variable.LAST_ANSWERER: (status.last_answerer,) if status.last_answerer else (),
        }
        descriptor = self._describe(seen, parts)
        answerer = message.sender if met else status.last_answerer
        after = replace(after, last_sender=message.sender, last_answerer=answerer)
        change, after = self._fire(
            after,
            self._on_message.get(descriptor or "", ()),
            binding,
            _Cause(message.id, message.at),
            lambda name: self._is_described(name, seen, parts),
        )
        return (
            MessageVerdict(tag, decisions, descriptor, change.transition, met, change.activated, change.deactivated),
            after,
        )

    def overdue(self, status: RoomStatus, now: datetime) -> tuple[ActiveNorm, ...]:
        """Return the obligations whose deadline has passed, the earliest first."""
        late = [one for one in status.active if one.due is not None and one.due <= now]
        return tuple(sorted(late, key=lambda one: one.due or now))

    def end_unmet(
        self,
        status: RoomStatus,
        norm: str,
        bearers: Iterable[str],
        at: datetime | None = None,
        *,
        due_by: datetime | None = None,
    ) -> tuple[Lapse, RoomStatus]:
        """End an obligation of some bearers that was not met; return what that set off, and the next status.

        Where it is in force several times (it may be owed to each of several messages), `due_by` leaves those that
        are due later.
        """
        gone = frozenset(bearers)
        active: list[ActiveNorm] = []
        lapsed: dict[str, None] = {}
        for one in status.active:
            later = due_by is not None and (one.due is None or one.due > due_by)
            if one.norm != norm or later or not gone.intersection(one.bearers):
                active.append(one)
                continue
            lapsed.update(dict.fromkeys(name for name in one.bearers if name in gone))
            rest = tuple(name for name in one.bearers if name not in gone)
            if rest:
                active.append(replace(one, bearers=rest))
        after = replace(status, active=tuple(active))
        binding: Binding = {Variable.SENDER: tuple(lapsed)}
        change, after = self._fire(after, self._on_lapse.get(norm, ()), binding, _Cause(at=at))
        return Lapse(norm, tuple(lapsed), change.transition, change.activated, change.deactivated), after

    def begun_by(self, norms: Iterable[str], members: tuple[Member, ...], binding: Binding) -> tuple[ActiveNorm, ...]:
        """Return norms as they are activated where some members are there, and variables stand for participants."""
        return self._activate(RoomStatus("", members), norms, binding, _Cause())[0].active

    # who may speak

    def bearing_on(self, status: RoomStatus, name: str) -> tuple[tuple[Norm, ActiveNorm | None], ...]:
        """Return the norms in force that bear on a participant, and how each was activated; None: it stands."""
        member = status.member(name)
        return () if member is None else tuple(self._bearing_on(status, member))

    def roles_of(self, member: Member) -> frozenset[str]:
        found = self._roles.get(member.roles)
        if found is None:
            found = self._roles[member.roles] = self.specification.all_roles(member.roles)
        return found

    # how it is done

    def _concerns(self, active: ActiveNorm, member: Member) -> bool:
        """Return whether a norm that was activated bears on a newcomer: by a role, and not to oblige them."""
        norm = self.specification.norms[active.norm]
        return norm.kind is not NormKind.OBLIGATION and self._selects(norm.bearer, member)

    def _selects(self, selectors: Iterable[str], member: Member) -> bool:
        roles = self.roles_of(member)
        name = None if member.name in self.specification.roles else member.name
        return any(one in roles or one in {EVERYBODY, name} for one in selectors)

    def _bearing_on(self, status: RoomStatus, member: Member) -> Iterator[tuple[Norm, ActiveNorm | None]]:
        for norm in self._standing_for(member):
            if norm.name not in self._guarded or holds(norm.if_, status):
                yield norm, None
        norms = self.specification.norms
        for one in status.active:
            if member.name in one.bearers and (one.norm not in self._guarded or holds(norms[one.norm].if_, status)):
                yield norms[one.norm], one

    def _standing_for(self, member: Member) -> tuple[Norm, ...]:
        """Return the standing norms that bear on a participant; found once for each who is named or has other roles."""
        key = (member.name if member.name in self._named else "", member.roles)
        found = self._standing_on.get(key)
        if found is None:
            found = tuple(norm for norm in self._standing if self._selects(norm.bearer, member))
            self._standing_on[key] = found
        return found

    def _decide(self, seen: SeenMessage, bearing: Iterable[tuple[Norm, ActiveNorm | None]], part: Part) -> Decision:
        applying: dict[str, Norm] = {}
        excepted: dict[str, int] = {}
        fitting = self._by_words.find(part)
        for norm, active in bearing:
            if norm.name not in fitting or (active is not None and not is_about(norm, active, seen.message)):
                continue
            bound = seen.bound(active)
            if self._acts[norm.name].concerns(seen, bound):
                exception = self._exception(norm.name, seen, part, bound)
                if exception is None:
                    applying[norm.name] = norm
                elif norm.kind is NormKind.PROHIBITION:
                    excepted[norm.name] = exception
        if not applying:
            may = self.specification.defaults.permits(seen.member.kind)
            return Decision(Tag.ALLOWED, excepted=tuple(excepted.items())) if may else Decision(Tag.DENIED)
        most = max(self._weights[name] for name in applying)
        top = [norm for name, norm in applying.items() if self._weights[name] == most]
        kinds = {norm.kind for norm in top}
        conflict = {NormKind.OBLIGATION, NormKind.PROHIBITION} <= kinds
        strongest = next(kind for kind in _BY_STRENGTH if kind in kinds)
        deciding = {norm.name for norm in top if norm.kind is strongest or (conflict and norm.kind in _IN_CONFLICT)}
        rest = tuple(name for name in applying if name not in deciding)
        tag = _TAGS[strongest]
        let = () if tag is Tag.DENIED else ((n, place) for n, place in excepted.items() if self._weights[n] >= most)
        return Decision(tag, tuple(name for name in applying if name in deciding), rest, conflict, tuple(let))

    def _meet(self, seen: SeenMessage, status: RoomStatus, parts: Iterable[Part]) -> tuple[tuple[str, ...], RoomStatus]:
        """End the obligations that a message meets; return their names. Those that never end are met, and stay."""
        parts = tuple(parts)
        met: list[str] = []
        active: list[ActiveNorm] = []
        name = seen.member.name
        for one in status.active:
            norm = self.specification.norms[one.norm]
            if norm.kind is not NormKind.OBLIGATION or name not in one.bearers or not holds(norm.if_, status):
                active.append(one)
                continue
            bound, act = seen.bound(one), self._acts[norm.name]
            if not is_about(norm, one, seen.message) or not any(
                act.matches(seen, part, bound) and self._exception(norm.name, seen, part, bound) is None
                for part in parts
            ):
                active.append(one)
                continue
            met.append(norm.name)
            rest = tuple(bearer for bearer in one.bearers if bearer != name)
            if norm.ends is Ends.NEVER:
                active.append(one)
            elif rest:
                active.append(replace(one, bearers=rest))
        return tuple(dict.fromkeys(met)), replace(status, active=tuple(active)) if met else status

    def _exception(self, norm: str, seen: SeenMessage, part: Part, bound: Binding) -> int | None:
        """Return the place of the first exception of a norm that a message falls under."""
        exceptions = enumerate(self._exceptions[norm])
        return next((place for place, one in exceptions if one.matches(seen, part, bound)), None)

    def _describe(self, seen: SeenMessage, parts: Iterable[Part]) -> str | None:
        """Choose the descriptor of a message: most filters, then the first (row R13)."""
        parts = tuple(parts)
        return next((name for name in self._descriptors if self._is_described(name, seen, parts)), None)

    def _is_described(self, descriptor: str, seen: SeenMessage, parts: Iterable[Part]) -> bool:
        pattern = self._descriptors[descriptor]
        return any(pattern.matches(seen, part, seen.own) for part in parts)

    def _fire(
        self,
        status: RoomStatus,
        transitions: Iterable[Transition],
        binding: Binding,
        cause: _Cause,
        is_described: Callable[[str], bool] = lambda _: False,
    ) -> tuple[_Change, RoomStatus]:
        """Fire the first transition that may, with what else the message matches; norms end before others begin."""
        for transition in transitions:
            if (not transition.from_ or status.state in transition.from_) and holds(transition.if_, status):
                break
        else:
            return NO_CHANGE, status
        ended = {one.norm for one in status.active} if transition.ends_all else set(transition.deactivate)
        before = {one.norm for one in status.active}
        after = status.without(frozenset(ended))
        begun = transition.begun_by(is_described)
        after, activated = self._activate(after, begun, binding, replace(cause, transition=transition.name))
        after = replace(after, state=transition.to or after.state)
        gone = tuple(name for name in dict.fromkeys(one.norm for one in status.active) if name in ended & before)
        return _Change(transition.name, activated, gone), after

    def _activate(
        self, status: RoomStatus, norms: Iterable[str], binding: Binding, cause: _Cause
    ) -> tuple[RoomStatus, tuple[str, ...]]:
        """Activate norms: one without bearers now and later is left out, one that is in force already is renewed.

        An answer is owed to each message by itself.
        """
        active = list(status.active)
        begun: list[str] = []
        for name in norms:
            norm = self.specification.norms[name]
            bearers = self._bearers(norm, status, binding)
            if not bearers and not waits_for_bearers(norm):
                continue
            bound = tuple((variable, tuple(sorted({*binding.get(variable, ())}))) for variable in variables_in(norm))
            due = None if norm.deadline is None or cause.at is None else cause.at + timedelta(seconds=norm.deadline)
            owed_to = cause.by if is_an_answer(norm) else None
            place = next((i for i, one in enumerate(active) if _is_renewed(one, name, bound, owed_to)), None)
            if place is not None:
                bearers = tuple(dict.fromkeys((*active[place].bearers, *bearers)))
                del active[place]
            active.append(ActiveNorm(name, bearers, bound, cause.by, cause.transition, cause.at, due))
            begun.append(name)
        return replace(status, active=tuple(active)), tuple(begun)

    def _bearers(self, norm: Norm, status: RoomStatus, binding: Binding) -> tuple[str, ...]:
        named = {name for selector in norm.bearer for name in binding.get(selector, ())}
        return tuple(one.name for one in status.members if one.name in named or self._selects(norm.bearer, one))


_BY_STRENGTH = (NormKind.PROHIBITION, NormKind.OBLIGATION, NormKind.PERMISSION)
_IN_CONFLICT = frozenset({NormKind.PROHIBITION, NormKind.OBLIGATION})
_TAGS = {
    NormKind.PROHIBITION: Tag.DENIED,
    NormKind.OBLIGATION: Tag.REQUIRED,
    NormKind.PERMISSION: Tag.ALLOWED,
}


def _is_renewed(active: ActiveNorm, name: str, bound: object, owed_to: str | None) -> bool:
    return active.norm == name and active.bound == bound and (owed_to is None or active.by == owed_to)
