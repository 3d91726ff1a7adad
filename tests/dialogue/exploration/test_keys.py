"""States are merged only where everything that can still happen is the same."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.load import load
from catalog.model import Catalog, Goal, Outcome
from dialogue.exploration.scripted_environment import (
    EnvironmentMove,
    EnvironmentMoveKind,
    moves_of_skill,
    moves_of_user,
)
from dialogue.exploration.state_key import Key, Keys
from dialogue.exploration.state_space import Observation, read_happenings
from dialogue.exploration.transition import Played, TransitionContext
from tests.dialogue.exploration.toys import library, shop, stage
from tests.examples import examples
from tests.strategies import catalogs, some_of

Future = tuple[EnvironmentMove, tuple[Observation, ...], Key]


def moves_in(stage: TransitionContext, played: Played) -> tuple[EnvironmentMove, ...]:
    if played.call is not None:
        return moves_of_skill(stage.catalog, played.call, failures=True)
    return moves_of_user(played.conversation) if played.conversation.goals.stack else ()


def assert_equal_keys_have_equal_futures(catalog: Catalog, goal: str, most: int) -> int:
    """Play every move from every state of the unmerged tree; return how many states had the key of another."""
    on = stage(catalog)
    keys = Keys(catalog, on.relevance(goal))
    futures: dict[Key, list[Future]] = {}
    first: tuple[EnvironmentMove, ...] = (EnvironmentMove(EnvironmentMoveKind.REQUEST, goal),)
    waiting = deque([(on.begin(()), first)])
    merged = 0
    for _ in range(most):
        if not waiting:
            break
        played, moves = waiting.popleft()
        key = keys.key(played.conversation) if played.conversation.goals.stack else "the start"
        future: list[Future] = []
        for move in moves:
            after = on.play(played, move)
            future.append((move, read_happenings(after.entries), (keys.key(after.conversation), after.call)))
            if onward := moves_in(on, after):
                waiting.append((after, onward))
        merged += key in futures
        assert futures.setdefault(key, future) == future
    return merged


@pytest.mark.parametrize("goal", ["loan", "credit_score", "change_address", "spending"])
def test_in_the_demo_equal_keys_have_equal_futures(goal: str) -> None:
    """Move for move, with what is asked, called and handed over on the way."""
    assert assert_equal_keys_have_equal_futures(load("banking").catalog, goal, 300) > 3


def test_in_a_small_catalog_equal_keys_have_equal_futures() -> None:
    """To the very end of the tree, failures included."""
    assert assert_equal_keys_have_equal_futures(shop(), "both", 3_000) > 10


@pytest.mark.parametrize("effect", ["none", "irreversible"])
def test_with_lists_equal_keys_have_equal_futures(effect: str) -> None:
    """Items that are done, and those that must not be done again, are part of where a conversation stands."""
    assert_equal_keys_have_equal_futures(library(effect), "shelves", 500)


@st.composite
def cases(draw: st.DrawFn) -> Catalog:
    """Draw a catalog whose outcomes may doubt inputs, with a goal."""
    catalog = draw(catalogs(most_facts=7, most_skills=5))
    skills = dict(catalog.skills)
    for name, skill in skills.items():
        modes = {}
        for mode in skill.modes.values():
            outcomes = {
                key: Outcome(
                    name=key,
                    facts=outcome.facts,
                    doubts=tuple(f for f in draw(some_of(mode.inputs, most=1)) if f not in outcome.facts),
                )
                for key, outcome in mode.outcomes.items()
            }
            modes[mode.name] = mode.model_copy(update={"outcomes": outcomes})
        effect = draw(st.sampled_from(["none", "irreversible"]))
        skills[name] = skill.model_validate(skill.model_dump() | {"modes": modes, "effect": effect})
    goal = Goal(name="goal", facts=draw(some_of(tuple(catalog.facts), least=1, most=2)))
    return catalog.model_copy(update={"skills": skills, "goals": {"goal": goal}})


@settings(max_examples=examples(10))
@given(case=cases())
def test_in_any_catalog_equal_keys_have_equal_futures(case: Catalog) -> None:
    """Whatever is declared: subtypes, doubts, tries, consents, optional inputs, irreversible skills."""
    assert_equal_keys_have_equal_futures(case, "goal", 150)
