"""Disjunctive fact landmarks: small sets of facts of which every plan establishes one, though no particular one.

Whatever first makes a landmark true is one of its first achievers, and needs something: a set with one need of each
first achiever is a landmark too, and so on from there (Richter and Westphal 2010, The LAMA Planner). These are found
that way, back from the fact landmarks. Sets that hold a fact landmark, or something that holds from the start, say
nothing new and are left out; and of two sets, one in the other, the larger.

Every set is a landmark, but not every such landmark is found: none with more than `LARGEST` facts, none that only a
larger one leads to, and `MOST` in all. Where one achiever needs a and b, and the other c and d, {a, c} and {b, d} are
taken, and {a, d} and {b, c} would say little more: no fact is in two sets from one source, and facts that serve most
achievers go first. Finding all would take exponential time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain

LARGEST = 4
"""Facts in a set: a choice among more says nothing useful."""
MOST = 12

Numbers = frozenset[int]


def find_disjunctive(
    needs: Sequence[Sequence[int]],
    first_achievers: Iterable[Collection[int]],
    list_achievers: Callable[[Numbers], Collection[int]],
    barred: Numbers,
) -> list[Numbers]:
    """Find sets from the first achievers of landmarks, then from those of what was found; barred atoms are in none."""
    found: dict[Numbers, None] = {}
    waiting = deque(first_achievers)
    while waiting and len(found) < MOST:
        rows = {needs[operator] for operator in waiting.popleft()}
        if any(map(barred.issuperset, rows)):
            continue
        for chosen in _choose([[atom for atom in row if atom not in barred] for row in rows]):
            if chosen not in found:
                found[chosen] = None
                waiting.append([able for able in list_achievers(chosen) if chosen.isdisjoint(needs[able])])
    return [chosen for chosen in found if not any(other < chosen for other in found)][:MOST]


def _choose(rows: Sequence[Sequence[int]]) -> list[Numbers]:
    """Choose sets with an atom in each row and none to spare, small ones first, and no atom in two of them."""
    sets: list[Numbers] = []
    while all(rows):
        chosen = _hit(rows)
        if len(chosen) > LARGEST:
            break
        sets.append(chosen)
        rows = [[atom for atom in row if atom not in chosen] for row in rows]
    return sets


def _hit(rows: Sequence[Sequence[int]]) -> Numbers:
    """Choose an atom of each row, of the shortest rows first, each time that which serves most; then drop the spare."""
    served = Counter(chain.from_iterable(rows))
    chosen: dict[int, None] = {}
    for row in sorted(rows, key=len):
        if chosen.keys().isdisjoint(row):
            chosen[min(row, key=lambda atom: (-served[atom], atom))] = None
    for atom in [*chosen]:
        if all(len(chosen.keys() & row) > 1 for row in rows if atom in row):
            del chosen[atom]
    return frozenset(chosen)
