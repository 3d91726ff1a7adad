"""Whole conversations at random, through the services; an independent replay of their logs judges every entry.

`make test` always plays the same; `make test-long` draws new ones each time. The seed is printed, and
PLANGLASS_SEED=… plays the same again. One that fails is made as short as it can be, and kept in `kept/`: the next run
plays it first. What was mended stays there, so that it stays mended.
"""

from __future__ import annotations

import os
import random
from contextlib import closing
from pathlib import Path

import pytest

from tests.conversations.stage import Talk
from tests.conversations.worlds import WAVERING, World
from tests.seeds import draw_seed

KEPT = Path(__file__).parent / "kept"
CHUNKS = 3


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(KEPT.glob("*.json"))])
def test_what_went_wrong_once_stays_mended(path: Path, home: Path) -> None:
    talk = Talk.read(path)
    with closing(World(home, talk.world)) as world:
        assert not world.play(talk)


def talk_and_judge(home: Path, name: str, chunk: int, count: int, *, fresh: bool = False) -> None:
    """Play new conversations; keep the shortest form of the first that goes wrong."""
    seed = draw_seed(fresh=fresh)
    print(f"PLANGLASS_SEED={seed}")
    with closing(World(home, name)) as world:
        for number in range(count):
            drawn = random.Random(f"{seed} {name} {chunk} {number}").randrange(2**32)
            talk, complaints = world.talk_at_random(drawn)
            if complaints and os.environ.get("HYPOTHESIS_PROFILE") == "mutants":
                raise AssertionError("\n".join(complaints))
            if complaints:
                short = shorten(world, talk, complaints)
                path = KEPT / f"{name}-{drawn}.json"
                short.write(path, world.play(short))
                said = "\n".join(map(repr, short.steps))
                raise AssertionError(f"PLANGLASS_SEED={seed}, kept as {path.name}:\n{said}\n" + "\n".join(complaints))


def shorten(world: World, talk: Talk, complaints: list[str]) -> Talk:
    """Leave out steps, as long as what is left goes wrong in the same way."""
    wrong = _ways(complaints)
    for at in reversed(range(len(talk.steps))):
        without = talk.without(at)
        if without.steps and wrong & _ways(world.play(without)):
            talk = without
    return talk


def _ways(complaints: list[str]) -> set[str]:
    """Tell how something went wrong, apart from names and values."""
    return {" ".join(word for word in one.split() if word.isalpha() and len(word) > 3) for one in complaints}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_conversations_over_invented_catalogs_are_as_the_log_says(chunk: int, home: Path) -> None:
    talk_and_judge(home, "invented", chunk, 20)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(40))
def test_many_conversations_over_invented_catalogs_are_as_the_log_says(chunk: int, home: Path) -> None:
    talk_and_judge(home, "invented", chunk, 500, fresh=True)


@pytest.mark.parametrize("name", ["banking", "accounting"])
def test_conversations_over_the_demos_are_as_the_log_says(name: str, home: Path) -> None:
    talk_and_judge(home, name, 0, 10)


@pytest.mark.long
@pytest.mark.parametrize("name", ["banking", "accounting"])
@pytest.mark.parametrize("chunk", range(1, 9))
def test_many_conversations_over_the_demos_are_as_the_log_says(name: str, chunk: int, home: Path) -> None:
    talk_and_judge(home, name, chunk, 100, fresh=True)


@pytest.mark.row("V6")
@pytest.mark.parametrize("name", sorted(WAVERING))
def test_nothing_is_done_that_was_refused_supposed_doubted_asked_or_taken_back(name: str, home: Path) -> None:
    talk_and_judge(home, name, 0, 30)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(WAVERING))
@pytest.mark.parametrize("chunk", range(1, 26))
def test_nothing_is_ever_done_that_was_refused_supposed_doubted_asked_or_taken_back(
    name: str, chunk: int, home: Path
) -> None:
    talk_and_judge(home, name, chunk, 200, fresh=True)
