"""The walk over norms against governance itself: whatever happens in a room is a move, and findings are found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import chain, combinations, product
from random import Random

import networkx
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from catalog.norms import Message, NormSpecification, Utterance
from catalog.norms.vocabulary import NormKind, ParticipantKind
from dialogue.rooms.checker.findings import FindingKind, find
from dialogue.rooms.checker.replays import ReplayedStep
from dialogue.rooms.checker.space import NormSpace
from dialogue.rooms.checker.states import State
from dialogue.rooms.governance.status import RoomStatus
from planning.state_space.paths import WalkBounds, walk
from tests.dialogue.rooms.made_up import any_message, specifications

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@given(specification=specifications(), seed=st.integers(0, 10_000))
def test_whatever_happens_in_a_room_is_a_move_of_the_walk(specification: NormSpecification, seed: int) -> None:
    """Messages with ids that answer one another, deadlines, people who leave: with all norms, times and repetitions."""
    random, space = Random(seed), NormSpace(specification, people=2)
    governance = space.governance
    status, now, ids = space.begin(START), START, [""]
    for number in range(40):
        before, now = space.states.abstract(status), now + timedelta(seconds=random.choice((1, 1, 1, 40)))
        late = governance.overdue(status, now)
        people = [one.name for one in status.members if one.kind is ParticipantKind.PERSON]
        if late:
            status = governance.end_unmet(status, late[0].norm, late[0].bearers, now, due_by=late[0].due)[1]
        elif random.random() < 0.05 and len(people) > 1:
            status = governance.leave(status, random.choice(people), now)[1]
        else:
            sender = random.choice(status.members).name
            more = {"id": f"m{number}", "in_reply_to": random.choice(ids[-6:]), "at": now}
            message = any_message(random, sender, space.vocabulary.names).model_copy(update=more)
            verdict, status = governance.judge(status, message)
            if not verdict.posted:
                continue
            ids.append(f"m{number}")
        assert space.states.abstract(status) in {move.after for move in space.moves(before)}


def every_message(sender: str, names: tuple[str, ...]) -> list[Message]:
    """List all messages of up to two utterances, to whomever, in answer to anybody."""
    single = [Utterance.model_construct(act=act, topic="undefined", content="text") for act in ("ask", "tell")]
    parts = chain.from_iterable(combinations(single, size) for size in range(3))
    groups = list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))
    return [
        Message.model_construct(sender=sender, utterances=utterances, receivers=receivers, replies_to=replies_to)
        for utterances, receivers, replies_to in product(parts, groups, (None, *names))
    ]


def brute_force(space: NormSpace, most: int) -> tuple[networkx.MultiDiGraph, set[tuple[str, ...]], set[str]] | None:
    """Judge every single message in every status; None where there are too many of these."""
    governance = space.governance
    graph = networkx.MultiDiGraph()
    conflicts: set[tuple[str, ...]] = set()
    begun = {one.norm for one in space.begin().active}
    waiting, names = [space.begin()], space.vocabulary.names
    kept: dict[State, RoomStatus] = {space.states.abstract(waiting[0]): waiting[0]}
    graph.add_node(space.states.abstract(waiting[0]))
    while waiting:
        status = waiting.pop()
        source = space.states.abstract(status)
        steps: list[tuple[str, str, tuple[str, ...], str | None, RoomStatus]] = []
        for one in status.members:
            for message in every_message(one.name, names):
                verdict, after = governance.judge(status, message)
                conflicts.update({verdict.conflicts} if verdict.conflicts else ())
                if verdict.posted:
                    steps.append(("message", one.name, verdict.met, verdict.transition, after))
                    begun.update(verdict.activated)
        for active in status.active:
            if space.specification.norms[active.norm].deadline is not None:
                lapse, after = governance.end_unmet(status, active.norm, active.bearers)
                steps.append(("lapse", active.norm, (), lapse.transition, after))
                begun.update(lapse.activated)
        for kind, who, met, fired, after in steps:
            target = space.states.abstract(after)
            if target not in kept:
                kept[target] = after
                waiting.append(after)
                if len(kept) > most:
                    return None
            graph.add_edge(source, target, kind=kind, who=who, met=met, fired=fired)
    return graph, conflicts, begun


@given(specification=specifications(small=True))
@settings(phases=[Phase.explicit, Phase.generate])  # shrinking takes minutes
def test_findings_are_those_of_trying_every_single_message(specification: NormSpecification) -> None:
    """Deadlocks, obligations that cannot be met, endless talk, conflicts, and what never happens: all of it."""
    assume(not any(norm.act.replies_to for norm in specification.norms.values() if norm.kind is NormKind.OBLIGATION))
    space = NormSpace(specification, people=1)
    expected = brute_force(space, most=40)
    assume(expected is not None)
    assert expected is not None
    graph, conflicts, begun = expected
    found, all_shown = find(space, walk(space, space.start, bounds=WalkBounds(500, None)))
    assert all_shown
    by_kind = {kind: [one for one in found if one.kind is kind] for kind in FindingKind}
    speaking = {a for a, _, edge in graph.edges(data=True) if edge["kind"] == "message"}
    silent = set(graph) - speaking.union(*(networkx.ancestors(graph, one) for one in speaking))
    assert bool(by_kind[FindingKind.DEADLOCK]) == bool(silent)
    bots = {one.name for one in space.members if one.kind is ParticipantKind.BOT}
    alone = networkx.MultiDiGraph(
        (a, b) for a, b, edge in graph.edges(data=True) if edge["kind"] == "lapse" or edge["who"] in bots
    )
    groups = {state: at for at, group in enumerate(networkx.strongly_connected_components(alone)) for state in group}
    assert bool(by_kind[FindingKind.ENDLESS]) == any(
        groups.get(a, -1) == groups.get(b, -2) for a, b, edge in graph.edges(data=True) if edge["who"] in bots
    )
    assert {frozenset(one.names) for one in by_kind[FindingKind.CONFLICT]} == set(map(frozenset, conflicts))
    standing = {norm.name for norm in specification.norms.values() if norm.standing}
    assert {one.names[0] for one in by_kind[FindingKind.NEVER_BEGUN]} == set(specification.norms) - standing - begun
    fired = {edge["fired"] for _, _, edge in graph.edges(data=True)}
    assert {one.names[0] for one in by_kind[FindingKind.NEVER_FIRED]} == set(specification.transitions) - fired
    assert {one.names[0] for one in by_kind[FindingKind.UNMEETABLE]} == unmeetable(space, graph)
    for one in found:
        assert_shown(space, one.trace)


def unmeetable(space: NormSpace, graph: networkx.MultiDiGraph) -> set[str]:
    """Return the norms that somebody owes in some status from which no way leads to meeting them while they last."""
    found = set()
    for bit, bearing in enumerate(space.states.bearings):
        if space.specification.norms[bearing.norm].kind is not NormKind.OBLIGATION:
            continue
        owing = [state for state in graph if state.active >> bit & 1]
        inner = graph.subgraph(owing)
        meets = {
            a
            for a, _, edge in graph.edges(data=True)
            if a in inner and edge["who"] == bearing.bearer and bearing.norm in edge["met"]
        }
        able = set(meets).union(*(networkx.ancestors(inner, one) for one in meets))
        if any(space.states.owed(state) >> bit & 1 for state in owing if state not in able):
            found.add(bearing.norm)
    return found


def assert_shown(space: NormSpace, trace: tuple[ReplayedStep, ...]) -> None:
    """Judge the messages of a sequence: each is posted, and comes to what the walk says."""
    status = space.begin()
    for move, message in trace:
        if message is not None:
            verdict, status = space.governance.judge(status, message)
            assert verdict.posted
        else:
            status = space.governance.end_unmet(status, move.norm, move.who)[1]
        assert space.states.abstract(status) == move.after
