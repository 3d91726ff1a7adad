"""Random catalogs, situations and goals, for properties that must hold whatever somebody declares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from hypothesis import strategies as st

from catalog.model import ANYTHING_SENSITIVE, Catalog, Fact, FactMapping, Goal, Mode, Ordering, Outcome, Skill
from catalog.model.settings import AuthorizationPolicy, Metric, Settings
from planning.model import PlanGoal, Situation, StepKind, Task
from planning.task.compilation import compile_operators, compile_task, want
from planning.task.index import close_forward


@dataclass(frozen=True)
class Case:
    """A catalog, a situation in it, and what is wanted: facts, and maybe a goal that has alternatives and skills."""

    catalog: Catalog
    situation: Situation
    goal: tuple[str, ...]
    named: str | None = None

    @property
    def wanted(self) -> PlanGoal:
        beside = PlanGoal() if self.named is None else want(self.catalog.goals[self.named])
        return PlanGoal((*self.goal, *beside.facts), beside.skills, beside.goals)

    @property
    def task(self) -> Task:
        return compile_task(self.catalog, self.situation, self.wanted)


@cache
def some_of(items: tuple[str, ...], least: int = 0, most: int = 3) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw a few of some items, each once, in their order."""
    if not items:
        return st.just(())
    return st.sets(st.sampled_from(items), min_size=least, max_size=most).map(
        lambda drawn: tuple(item for item in items if item in drawn)
    )


@st.composite
def catalogs(draw: st.DrawFn, most_facts: int = 10, most_skills: int = 7, *, ordered: bool = True) -> Catalog:
    """Draw a catalog: a forest of facts, and skills with a few modes and outcomes; outcomes may be empty, needs cyclic.

    The later facts can seldom be asked for, so that skills have to be composed. Some catalogs have mappings, orderings,
    and a goal with alternatives or skills (these two only if `ordered`: then it matters which skills are carried out);
    what is sensitive stands only for what is, as the checks demand.
    """
    names = tuple(f"fact_{number}" for number in range(draw(st.integers(2, most_facts))))
    facts = {
        name: Fact(
            name=name,
            is_a=draw(st.none() | st.sampled_from(names[:number])) if number else None,
            askable=draw(st.integers(0, 5)) < (4 if number < len(names) / 2 else 1),
            fillable=draw(st.booleans()),
            sensitive=draw(st.integers(0, 3)) == 0,
        )
        for number, name in enumerate(names)
    }
    skills = {
        f"skill_{number}": draw(_skills(f"skill_{number}", names))
        for number in range(draw(st.integers(0, most_skills)))
    }
    plain = Catalog(name="random", facts=facts, skills=skills)
    return Catalog(
        name="random",
        facts=facts,
        skills=skills,
        mappings=draw(_mappings(plain)) if draw(st.integers(0, 2)) == 0 else (),
        orderings=draw(_orderings(tuple(skills))) if ordered and skills and draw(st.integers(0, 3)) == 0 else (),
        goals=draw(_goals(names, tuple(skills))) if ordered and draw(st.integers(0, 2)) == 0 else {},
        settings=Settings(
            ask_cost=draw(st.integers(0, 3)),
            authorize_cost=draw(st.integers(0, 3)),
            authorization=draw(st.sampled_from(AuthorizationPolicy)),
        ),
    )


@st.composite
def _mappings(draw: st.DrawFn, catalog: Catalog) -> tuple[FactMapping, ...]:
    pair = st.permutations(list(catalog.facts)).map(lambda drawn: (drawn[0], drawn[1]))
    pairs = draw(st.lists(pair, min_size=1, max_size=2, unique=True))
    return tuple(
        FactMapping(fact=fact, stands_for=other, because=draw(st.sampled_from(["", "they are one thing"])))
        for fact, other in pairs
        if other not in catalog.supertypes(fact)
        and (catalog.is_sensitive(other) or not any(map(catalog.is_sensitive, catalog.subtypes[fact])))
    )


@st.composite
def _orderings(draw: st.DrawFn, skills: tuple[str, ...]) -> tuple[Ordering, ...]:
    drawn = []
    for _ in range(draw(st.integers(1, 2))):
        first = draw(st.sampled_from(skills))
        then = draw(st.sampled_from([*(skill for skill in skills if skill != first), ANYTHING_SENSITIVE]))
        because = draw(st.sampled_from(["", "it is so"]))
        drawn.append(Ordering(first=first, then=then, preferred=draw(st.booleans()), because=because))
    return tuple(drawn)


@st.composite
def _goals(draw: st.DrawFn, facts: tuple[str, ...], skills: tuple[str, ...]) -> dict[str, Goal]:
    either = tuple(draw(some_of(facts, least=1, most=2)) for _ in range(draw(st.sampled_from([0, 2, 3]))))
    carried_out = draw(some_of(skills, least=0 if either else 1, most=2)) if skills else ()
    wants_something = bool(either or carried_out)
    return {"open": Goal(name="open", skills=carried_out, either=either)} if wants_something else {}


@st.composite
def _skills(draw: st.DrawFn, name: str, facts: tuple[str, ...]) -> Skill:
    modes = {}
    for number in range(draw(st.integers(1, 2))):
        inputs = draw(some_of(facts))
        modes[f"mode_{number}"] = Mode(
            name=f"mode_{number}",
            inputs=inputs,
            optional=tuple(fact for fact in draw(some_of(facts, most=1)) if fact not in inputs),
            outcomes={
                f"outcome_{k}": Outcome(name=f"outcome_{k}", facts=draw(some_of(facts)))
                for k in range(draw(st.integers(1, 3)))
            },
        )
    every = tuple(sorted({fact for mode in modes.values() for fact in mode.inputs}))
    return Skill(
        name=name,
        endpoint="python:nowhere:nothing",
        max_tries=draw(st.integers(1, 2)),
        cost=draw(st.integers(0, 3)),
        sensitive=draw(some_of(every, most=1)),
        modes=modes,
        money=draw(st.sampled_from((0.0, 0.0, 0.1, 0.25, 0.5, 1.0))),
        time_s=draw(st.integers(0, 3)),
        quality=draw(st.sampled_from((1.0, 0.9, 0.5))),
    )


@st.composite
def situations(draw: st.DrawFn, catalog: Catalog) -> Situation:
    """Draw what may be known and learned: facts, consents, pruned operators, and tries that are used up."""
    operators = compile_operators(catalog)
    consents = tuple(operator.subject for operator in operators if operator.kind is StepKind.AUTHORIZE)
    prunable = tuple(operator.name for operator in operators if operator.kind is not StepKind.CHOOSE)
    used_up = tuple(
        (operator.subject, operator.mode, fact)
        for operator in operators
        if operator.mode is not None
        for fact in operator.outputs
    )
    return Situation(
        known=frozenset(draw(some_of(tuple(catalog.facts)))),
        authorized=frozenset(draw(some_of(consents, most=2))),
        cannot_establish=frozenset(draw(st.sets(st.sampled_from(used_up), max_size=2)) if used_up else ()),
        pruned=frozenset(draw(some_of(prunable, most=4))),
        done=frozenset(draw(some_of(tuple(catalog.skills), most=1))),
    )


@st.composite
def cases(draw: st.DrawFn, most_facts: int = 10, most_skills: int = 7, *, ordered: bool = True) -> Case:
    """Draw a catalog, a situation in it, and one to three wanted facts, or a goal beside them if there is one."""
    catalog = draw(catalogs(most_facts, most_skills, ordered=ordered))
    situation = draw(situations(catalog))
    named = next(iter(catalog.goals), None)
    return Case(catalog, situation, draw(some_of(tuple(catalog.facts), least=1)), named)


@st.composite
def priced_cases(draw: st.DrawFn, most_facts: int = 6, most_skills: int = 5) -> Case:
    """Draw a case in which something is to be made small, with or without a budget."""
    case = draw(cases(most_facts, most_skills))
    minimize = draw(st.none() | st.sampled_from(Metric))
    budget = draw(st.none() | st.sampled_from((0.0, 0.1, 0.3, 0.5, 1.0, 2.0)))
    return replace(case, situation=replace(case.situation, minimize=minimize, budget=budget))


def layered_catalog(seed: int, skills: int) -> Catalog:
    """Build a catalog in which facts are established layer by layer, so that plans are long.

    A fifth of the skills need consent; facts of the lowest layer can be asked for, and of the others a few.
    """
    rng = Random(seed)
    depth = rng.randint(4, 8)
    layers = [[f"fact_{layer}_{number}" for number in range(max(2, 2 * skills // depth))] for layer in range(depth + 1)]
    facts = {
        name: Fact(name=name, askable=layer == 0 or rng.random() < 0.25 * (1 - layer / depth))
        for layer, names in enumerate(layers)
        for name in names
    }
    made = {}
    for number in range(skills):
        layer = rng.randint(1, depth)
        below = [name for names in layers[max(0, layer - 2) : layer] for name in names]
        inputs = tuple(rng.sample(below, min(len(below), rng.randint(1, 3))))
        outcomes = {
            f"outcome_{k}": Outcome(
                name=f"outcome_{k}", facts=tuple(rng.sample(layers[layer], min(2, len(layers[layer]))))
            )
            for k in range(rng.randint(1, 3))
        }
        made[f"skill_{number}"] = Skill(
            name=f"skill_{number}",
            endpoint="python:nowhere:nothing",
            cost=rng.randint(1, 3),
            sensitive=inputs[:1] if rng.random() < 0.2 else (),
            modes={"only": Mode(name="only", inputs=inputs, outcomes=outcomes)},
        )
    return Catalog(name=f"layered_{seed}", facts=facts, skills=made)


def layered_case(seed: int, skills: int) -> Case:
    """Build a case of a layered catalog: what can be had and is furthest from what can be asked for is wanted."""
    catalog = layered_catalog(seed, skills)
    reachable = {atom.subject for atom in close_forward(frozenset(), compile_task(catalog, Situation(), []).operators)}
    wanted = [name for name in catalog.facts if name in reachable][-3:]
    return Case(catalog, Situation(), tuple(wanted))


def layered_cases(most_skills: int = 40) -> st.SearchStrategy[Case]:
    """Draw cases whose plans are long."""
    return st.builds(layered_case, st.integers(0, 10_000), st.integers(3, most_skills))
