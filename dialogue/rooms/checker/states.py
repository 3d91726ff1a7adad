"""States of the walk over norms: a status without what the future does not depend on, and norms in force as bits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from catalog.norms.model import WHO, Guards, NormSpecification
from catalog.norms.vocabulary import NormKind, Variable
from dialogue.rooms.checker.classes import MessageVocabulary
from dialogue.rooms.governance.status import ActiveNorm, Member, RoomStatus, waits_for_bearers

Bound = tuple[tuple[str, tuple[str, ...]], ...]
"""Variables of a norm, as they were when it was activated."""


class State(NamedTuple):
    """A status without what does not matter: who is there, and which norms bear on whom, as bits."""

    phase: str
    there: int
    active: int
    last_sender: str | None
    last_answerer: str | None


class Bearing(NamedTuple):
    """A norm that was activated, the variables that were bound, and one on whom it bears.

    A norm that is in force for any participants bears on an empty name, besides.
    """

    norm: str
    bound: Bound
    bearer: str


class States:
    """Turns statuses into states, and back."""

    def __init__(
        self,
        specification: NormSpecification,
        members: tuple[Member, ...],
        vocabulary: MessageVocabulary,
        irrelevant: Collection[str],
    ) -> None:
        self.specification = specification
        self.bearings: list[Bearing] = []
        """What each bit of the active norms stands for."""
        self.begun: set[str] = set()
        """Norms that were activated."""
        self.of_norm: dict[str, int] = defaultdict(int)
        self.of_bearer: dict[str, int] = defaultdict(int)
        self.of_activation: dict[tuple[str, Bound], int] = defaultdict(int)
        self.keeps_sender = _is_named(specification, Variable.LAST_SENDER)
        self.keeps_answerer = _is_named(specification, Variable.LAST_ANSWERER)
        self._members = members
        self._vocabulary = vocabulary
        self._irrelevant = irrelevant
        self._bit: dict[Bearing, int] = {}

    def abstract(self, status: RoomStatus) -> State:
        """Leave out of a status what the future does not depend on."""
        return State(
            status.state,
            self._vocabulary.group(one.name for one in status.members),
            self.bits(status.active),
            status.last_sender if self.keeps_sender else None,
            status.last_answerer if self.keeps_answerer else None,
        )

    def status(self, state: State) -> RoomStatus:
        bearers: dict[tuple[str, Bound], list[str]] = {}
        for norm, bound, bearer in self.read(state.active):
            bearers.setdefault((norm, bound), []).extend([bearer] if bearer else [])
        active = tuple(ActiveNorm(norm, tuple(names), bound) for (norm, bound), names in bearers.items())
        return RoomStatus(state.phase, self.there(state), active, state.last_sender, state.last_answerer)

    def there(self, state: State) -> tuple[Member, ...]:
        return tuple(one for one in self._members if self._vocabulary.bit_of[one.name] & state.there)

    def read(self, bits: int) -> Iterator[Bearing]:
        while bits:
            low = bits & -bits
            yield self.bearings[low.bit_length() - 1]
            bits ^= low

    def bits(self, active: Iterable[ActiveNorm]) -> int:
        bits = 0
        for one in active:
            self.begun.add(one.norm)
            if one.norm not in self._irrelevant:
                always = ("",) if waits_for_bearers(self.specification.norms[one.norm]) else ()
                for bearer in (*one.bearers, *always):
                    bits |= self.bit_of(Bearing(one.norm, one.bound, bearer))
        return bits

    def bit_of(self, bearing: Bearing) -> int:
        bit = self._bit.get(bearing)
        if bit is None:
            bit = self._bit[bearing] = 1 << len(self.bearings)
            self.bearings.append(bearing)
            self.of_norm[bearing.norm] |= bit
            self.of_bearer[bearing.bearer] |= bit
            self.of_activation[bearing.norm, bearing.bound] |= bit
        return bit

    def owed(self, state: State) -> int:
        """Return the obligations that are in force, as bits."""
        norms = self.specification.norms
        return sum(
            bits
            for name, bits in ((name, state.active & bits) for name, bits in self.of_norm.items())
            if bits and norms[name].kind is NormKind.OBLIGATION and self.holds(norms[name].if_, state.active)
        )

    def holds(self, guards: Guards, active: int) -> bool:
        """Return whether guards hold where some norms are in force."""
        of = self.of_norm
        return all(active & of[norm] for norm in guards.active) and not any(
            active & of[norm] for norm in guards.inactive
        )


def _is_named(specification: NormSpecification, variable: Variable) -> bool:
    norms = specification.norms.values()
    filters = (*specification.descriptors.values(), *chain.from_iterable((norm.act, *norm.unless) for norm in norms))
    return any(variable in norm.bearer for norm in norms) or any(
        variable in getattr(one, field) for one in filters for field in WHO
    )
