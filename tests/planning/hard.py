"""Tasks that take a search long."""

from __future__ import annotations

from random import Random

from planning.model import Situation, Task
from planning.task.compilation import compile_task
from tests.planning.declare import declare, declare_fact, declare_skill


def explosive_task(facts: int = 60, skills: int = 90) -> Task:
    """Build a task of covering many facts by skills that establish a few each: hard for every optimal search."""
    rng = Random(7)
    names = [f"fact_{number}" for number in range(facts)]
    made = [
        declare_skill(f"skill_{number}", {"only": ([], {"done": rng.sample(names, min(5, facts))})})
        for number in range(skills)
    ]
    catalog = declare(*(declare_fact(name, askable=False) for name in names), *made)
    covered = {fact for skill in made for fact in skill.modes["only"].outcomes["done"].facts}
    return compile_task(catalog, Situation(), [name for name in names if name in covered])
