"""Classes of messages merge nothing that a filter tells apart: against any message there may be."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from catalog.norms import NormSpecification
from dialogue.rooms.checker.space import NormSpace, RoomMove, RoomMoveKind
from dialogue.rooms.checker.states import State
from tests.dialogue.rooms.made_up import any_message, specifications

Result = tuple[bool, frozenset[tuple[str, str]], State]
"""Whether a bot said something, which norms that meets, and whose, and the status after it."""


def result(space: NormSpace, sender: str, met: Iterable[str], after: State) -> Result:
    return sender in space.specification.participants, frozenset((norm, sender) for norm in met), after


def norms_met(space: NormSpace, move: RoomMove) -> set[str]:
    return {one.norm for one in space.states.read(move.met)}


def answers_another(move: RoomMove) -> bool:
    """Return whether a message answers one of several: here all obligations began without a message."""
    assert move.said is not None
    return bool(move.still or move.said[1].who.about.barred)


@given(specification=specifications(), seed=st.integers(0, 10_000))
def test_whatever_a_message_comes_to_some_message_of_its_class_does(
    specification: NormSpecification, seed: int
) -> None:
    """Each message that is allowed has the result of one that is walked; and that one is judged like any other."""
    random, space = Random(seed), NormSpace(specification, people=2)
    state = space.start
    for _ in range(4):
        moves, status = space.moves(state), space.states.status(state)
        spoken = [move for move in moves if move.kind is RoomMoveKind.MESSAGE]
        walked = {result(space, move.who[0], norms_met(space, move), move.after) for move in spoken}
        for _ in range(150):
            sender = random.choice(status.members).name
            message = any_message(random, sender, space.vocabulary.names)
            verdict, after = space.governance.judge(status, message)
            if verdict.posted:
                assert result(space, sender, verdict.met, space.states.abstract(after)) in walked
        for move in spoken:
            said = move.message
            assert said is not None
            if not answers_another(move):
                verdict, after = space.governance.judge(status, said)
                assert verdict.posted
                assert (set(verdict.met), verdict.transition) == (norms_met(space, move), (*move.fired, None)[0])
                assert space.states.abstract(after) == move.after
        if not moves:
            break
        state = random.choice(moves).after
