"""Tasks that take a search long."""

from __future__ import annotations

from itertools import product
from random import Random

from planning.model import Atom, Operator, Situation, StepKind, Task, known
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


def travel_task(cities: int, planes: int, people: int, seed: int) -> Task:
    """Build a task of people who fly between cities, whose costs are drawn: needs run in many circles.

    It is the domain Zenotravel of the planning competitions without what its actions delete, and without fuel.
    """
    rng = Random(seed)
    places, flying = [f"city {number}" for number in range(cities)], [f"plane {number}" for number in range(planes)]
    flown = [f"person {number}" for number in range(people)]

    def at(who: str, place: str) -> Atom:
        return known(f"{who} in {place}")

    drawn = [
        (f"{plane} from {here} to {there}", {at(plane, here)}, {at(plane, there)})
        for plane in flying
        for here in places
        for there in places
        if here != there
    ]
    for who, plane, place in product(flown, flying, places):
        drawn.append((f"{who} into {plane} in {place}", {at(who, place), at(plane, place)}, {at(who, plane)}))
        drawn.append((f"{who} out of {plane} in {place}", {at(who, plane), at(plane, place)}, {at(who, place)}))
    operators = tuple(
        Operator(StepKind.SKILL, name, frozenset(needs), frozenset(adds), float(rng.randint(1, 20)), "m", "o")
        for name, needs, adds in drawn
    )
    start = {at(who, rng.choice(places)) for who in (*flying, *flown)}
    goal = {at(who, rng.choice(places)) for who in (*flown, *flying[:1])}
    return Task(frozenset(start), frozenset(goal), operators)
