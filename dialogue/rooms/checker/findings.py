"""What is wrong with norms, as the walk through all message sequences shows it; each with a shortest sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from catalog.norms.message import Message
from catalog.norms.vocabulary import NormKind, ParticipantKind
from dialogue.rooms.checker.replays import ReplayedStep, deny, replay
from dialogue.rooms.checker.space import NormSpace, RoomMove, RoomMoveKind
from dialogue.rooms.checker.states import State
from planning.state_space import paths as ways

Edge = ways.Edge[RoomMove, None]
Graph = ways.StateGraph[State, RoomMove, None]
Paths = ways.Paths[State, RoomMove, None]
MOST_DRAFTS = 100
"""Sequences that are replayed, at most, until one shows what may be wrong."""


class FindingKind(StrEnum):
    DEADLOCK = "deadlock"
    """Everybody is forbidden to speak, and no deadline passes that could end it."""
    UNMEETABLE = "unmeetable"
    """A participant owes what they can never say again."""
    ENDLESS = "endless"
    """Bots can go on for ever without a person."""
    CONFLICT = "conflict"
    """A participant must say what they must not say, and neither norm is more specific."""
    NEVER_BEGUN = "never-begun"
    """A norm that no sequence of messages activates."""
    NEVER_FIRED = "never-fired"
    """A transition that no sequence of messages fires."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: which norms (or transition) it is about, who is concerned, and how it comes about.

    `round` is what then repeats, and `message` the one that norms are in conflict about. All of it was replayed.
    """

    kind: FindingKind
    names: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    trace: tuple[ReplayedStep, ...] = ()
    round: tuple[ReplayedStep, ...] = ()
    message: Message | None = None


_Moves = tuple[RoomMove, ...]


class _Draft(NamedTuple):
    """What may be wrong: the moves that lead there, the ones that then repeat, and a message after them."""

    finding: Finding
    to: _Moves
    around: _Moves = ()
    message: Message | None = None


Drafts = Iterator[list[_Draft]]
"""Of each thing that may be wrong, what may show it; the shortest first."""


class NormFinding(NamedTuple):
    """What is wrong. Where something may be, and was not shown by messages that were judged, `all_shown` is false."""

    findings: tuple[Finding, ...]
    all_shown: bool


def find(space: NormSpace, graph: Graph) -> NormFinding:
    """List what is wrong. What never happens is known only where everything was walked."""
    paths = Paths(graph)
    findings: list[Finding] = []
    all_shown = True
    for drafts in (*_deadlocks(paths), *_unmeetable(space, paths), *_endless(space, paths), *_conflicts(space, paths)):
        shown = (_show(space, one) for one in drafts)
        finding = next((one for one in shown if one is not None), None)
        if finding is not None:
            findings.append(finding)
        all_shown = all_shown and finding is not None
    if graph.complete and space.all_groups:
        findings += _never(space)
    return NormFinding(tuple(findings), all_shown)


def _show(space: NormSpace, draft: _Draft) -> Finding | None:
    """Replay what is to show that something is wrong; None if it does not."""
    turns = 2 if any(move.still for move in draft.around) else 1
    replayed = replay(space, (*draft.to, *draft.around * turns))
    if replayed is None:
        return None
    steps, to = replayed.steps, len(replayed.steps) - turns * len(draft.around)
    message = draft.message
    if message is not None and (message := deny(space, replayed, message, draft.finding.names)) is None:
        return None
    return replace(draft.finding, trace=steps[:to], round=steps[to : to + len(draft.around)], message=message)


def _moves(way: tuple[Edge, ...]) -> _Moves:
    return tuple(edge.move for edge in way)


def _deadlocks(paths: Paths) -> Drafts:
    """Find states from which no message can come any more, however many deadlines pass."""
    kept = tuple(edge for edge in paths.graph.edges if edge.move.kind is not RoomMoveKind.LEAVE)
    speaking = {edge.source for edge in kept if edge.move.kind is RoomMoveKind.MESSAGE}
    alive = Paths(ways.StateGraph(paths.graph.nodes, kept, frozenset(), "", 0.0)).before(speaking | paths.graph.open)
    silent = [node for node in range(len(paths.graph.nodes)) if node not in alive]
    if silent:
        yield [_Draft(Finding(FindingKind.DEADLOCK), _moves(paths.shortest(node))) for node in silent[:MOST_DRAFTS]]


def _unmeetable(space: NormSpace, paths: Paths) -> Drafts:
    """Find obligations that are owed where no way on leads to a message that meets them, while they are owed."""
    graph = paths.graph
    entering: list[list[Edge]] = [[] for _ in graph.nodes]
    can = [-1 if node in graph.open else 0 for node in range(len(graph.nodes))]
    for edge in graph.edges:
        entering[edge.target].append(edge)
        can[edge.source] |= edge.move.met
    waiting = [node for node, bits in enumerate(can) if bits]
    while waiting:
        node = waiting.pop()
        for edge in entering[node]:
            more = can[node] & graph.nodes[node].active & graph.nodes[edge.source].active & ~can[edge.source]
            if more:
                can[edge.source] |= more
                waiting.append(edge.source)
    found: dict[str, list[tuple[int, str]]] = {}
    for node, state in enumerate(graph.nodes):
        for norm, _, bearer in space.states.read(space.states.owed(state) & ~can[node]):
            found.setdefault(norm, []).append((node, bearer))
    for norm, places in found.items():
        yield [
            _Draft(Finding(FindingKind.UNMEETABLE, (norm,), (bearer,)), _moves(paths.shortest(node)))
            for node, bearer in places[:MOST_DRAFTS]
        ]


def _endless(space: NormSpace, paths: Paths) -> Drafts:
    """Find a round of bots' messages and of deadlines.

    What is owed to several messages is not owed for ever unless it begins again: a round in which it is met, and is
    owed still, counts only if it begins in it, too (a progress measure; Manna and Pnueli 1995, §1).
    """
    bots = {one.name for one in space.members if one.kind is ParticipantKind.BOT}

    def is_by_itself(edge: Edge) -> bool:
        move = edge.move
        return move.kind is RoomMoveKind.LAPSE or (move.kind is RoomMoveKind.MESSAGE and move.who[0] in bots)

    kept = [edge for edge in paths.graph.edges if is_by_itself(edge)]
    while True:
        inner = ways.StateGraph(paths.graph.nodes, tuple(kept), frozenset(), "", 0.0)
        group = {node: at for at, nodes in enumerate(Paths(inner).components) for node in nodes}
        begun: dict[int, int] = {}
        for edge in kept:
            if group[edge.source] == group[edge.target]:
                begun[group[edge.source]] = begun.get(group[edge.source], 0) | edge.move.begun
        left = [
            edge
            for edge in kept
            if group[edge.source] == group[edge.target] and not edge.move.still & ~begun[group[edge.source]]
        ]
        if len(left) == len(kept):
            break
        kept = left
    found = _shortest_round(paths, [edge for edge in kept if not edge.move.still]) or _shortest_round(paths, kept)
    if found is not None:
        who = tuple(dict.fromkeys(edge.move.who[0] for edge in found.around if edge.move.kind is RoomMoveKind.MESSAGE))
        yield [_Draft(Finding(FindingKind.ENDLESS, who=who), _moves(found.to), _moves(found.around))]


def _shortest_round(paths: Paths, kept: list[Edge]) -> ways.Cycle[RoomMove, None] | None:
    within = set(map(id, kept))
    begins = any(edge.move.still for edge in kept)
    return paths.shortest_round(
        lambda edge: id(edge) in within,
        lambda edge: edge.move.kind is RoomMoveKind.MESSAGE and (not begins or edge.move.begun > 0),
    )


def _conflicts(space: NormSpace, paths: Paths) -> Drafts:
    number = {state: node for node, state in enumerate(paths.graph.nodes)}
    kinds = {name: norm.kind for name, norm in space.specification.norms.items()}
    for one in space.conflicts.values():
        names = tuple(sorted(one.norms, key=lambda norm: kinds[norm] is not NormKind.OBLIGATION))
        finding = Finding(FindingKind.CONFLICT, names, (one.message.sender,))
        yield [_Draft(finding, _moves(paths.shortest(number[one.state])), message=one.message)]


def _never(space: NormSpace) -> Iterator[Finding]:
    for name, norm in space.specification.norms.items():
        if not norm.standing and name not in space.states.begun:
            yield Finding(FindingKind.NEVER_BEGUN, (name,))
    for name in space.specification.transitions:
        if name not in space.fired:
            yield Finding(FindingKind.NEVER_FIRED, (name,))
