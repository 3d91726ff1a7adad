"""Disjunctive fact landmarks: small sets of facts of which every plan establishes one, though no particular one.

Whatever first makes a landmark true is one of its first achievers, and needs something: a set with one need of each
first achiever is a landmark too, and so on from there (Richter and Westphal 2010, The LAMA Planner). These are found
that way, back from the fact landmarks. Sets that hold a fact landmark, or something that holds from the start, say
nothing new and are left out; and of two sets, one in the other, the larger.

Every set is a landmark, but not every such landmark is found: none with more than `LARGEST` facts, none that only a
larger one leads to, and `MOST` in all. Where one achiever needs a and b, and the other c and d, {a, c} and {b, d} are
taken, and {a, d} and {b, c} would say little more: no fact is in two sets from one source. Of what an achiever needs,
only the `WIDEST` facts that most of the others need too are looked at. Finding all would take exponential time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

LARGEST = 4
"""Facts in a set: who has more to choose from learns nothing."""
WIDEST = 4
MOST = 12

Numbers = frozenset[int]


def find_disjunctive(
    needs: Sequence[Sequence[int]],
    first_achievers: Iterable[Collection[int]],
    list_achievers: Callable[[Numbers], Collection[int]],
    barred: Collection[int],
) -> list[Numbers]:
    """Find sets from the first achievers of landmarks, then from those of what was found; barred atoms are in none."""
    found: dict[Numbers, None] = {}
    waiting = deque(first_achievers)
    while waiting and len(found) < MOST:
        rows = {needs[operator] for operator in waiting.popleft()}
        for chosen in _choose([frozenset([atom for atom in row if atom not in barred]) for row in rows]):
            if chosen not in found:
                found[chosen] = None
                waiting.append([able for able in list_achievers(chosen) if chosen.isdisjoint(needs[able])])
    return [chosen for chosen in found if not any(other < chosen for other in found)][:MOST]


def _choose(rows: Collection[Numbers]) -> list[Numbers]:
    """Choose sets with an atom in each row and none to spare, small ones first, and no atom in two of them."""
    if not all(rows):
        return []
    served = Counter(chain.from_iterable(rows))
    wanted = [sorted(row, key=lambda atom: (-served[atom], atom))[:WIDEST] for row in rows]
    wanted.sort(key=lambda row: (len(row), row))
    sets: list[Numbers] = []
    for chosen in sorted(set(_hit(wanted, frozenset())), key=lambda chosen: (len(chosen), sorted(chosen))):
        spare = (atom for atom in chosen if not any(chosen & row == {atom} for row in rows))
        if all(map(chosen.isdisjoint, sets)) and next(spare, None) is None:
            sets.append(chosen)
    return sets


def _hit(rows: Sequence[Sequence[int]], chosen: Numbers) -> Iterator[Numbers]:
    missed = next((row for row in rows if chosen.isdisjoint(row)), None)
    if missed is None:
        yield chosen
    elif len(chosen) < LARGEST:
        for atom in missed:
            yield from _hit(rows, chosen | {atom})
