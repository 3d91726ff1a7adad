"""Random executions of random catalogs, and a second, plainer reading of what an explanation must be."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from catalog.model import ANYTHING_SENSITIVE, Catalog, Ordering
from explain.model import Attribution, ComingStep, Held, Record, Value, ValueEnding
from planning.history import Actor, Execution
from planning.model import Atom, Situation, StepKind, known
from planning.task.compilation import compile_task
from planning.task.grounding import close
from tests.strategies import catalogs, some_of

CANARY = "kanarienvogel"
"""Every sensitive value, and the words in which it was given, hold this; nothing that is not masked may."""


@dataclass
class _World:
    catalog: Catalog
    history: list[Execution]
    values: dict[str, Value]
    held: list[Held] = field(default_factory=list)
    at: int = 10

    def settle(self, event: int, *facts: str) -> None:
        for place, fact in enumerate(facts):
            self.drop(fact, ValueEnding.REPLACED)
            self.values[fact] = Value(fact, self.word(fact), event + place)
            self.held.append(Held(self.values[fact], self.at, event + place))

    def drop(self, fact: str, ending: ValueEnding) -> None:
        self.values.pop(fact, None)
        over = (replace(one, until=self.at, ended=ending) for one in self.held)
        self.held = [
            new if one.value.fact == fact and one.until is None else one
            for one, new in zip(self.held, over, strict=True)
        ]

    def events_of(self, facts: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.values[fact].event for fact in facts)

    def word(self, fact: str) -> str:
        return f"{CANARY}{self.at}" if self.catalog.is_sensitive(fact) else f"value{self.at}"


@st.composite
def records(draw: st.DrawFn) -> tuple[Catalog, Record]:
    """Draw a catalog and what was done in it: people talk, alerts come, skills are called, values are dropped."""
    catalog = draw(catalogs(most_facts=6, most_skills=4))
    names = list(catalog.facts)
    start = draw(st.sets(st.sampled_from(names), max_size=1))
    world = _World(catalog, [], {})
    world.settle(1, *start)
    attributions: dict[int, tuple[Attribution, ...]] = {}
    for _ in range(draw(st.integers(1, 10))):
        world.at += 20
        calls = [
            (skill, mode, outcome)
            for skill in catalog.skills.values()
            for mode in skill.modes.values()
            for outcome in mode.outcomes.values()
            if close(catalog, world.values) >= {known(fact) for fact in mode.inputs}
        ]
        maps = [m for m in catalog.mappings if known(m.fact) in close(catalog, world.values)]
        kinds = ["talk", "call", "call", "call", "drop", "alert"] if calls else ["talk", "alert"]
        kind = draw(st.sampled_from([*kinds, *(["map"] * 3 if maps else [])]))
        if kind == "call":
            skill, mode, outcome = draw(st.sampled_from(calls))
            given = [draw(st.sampled_from(standing_in(catalog, world.values, fact))) for fact in mode.inputs]
            given += [fact for fact in mode.optional if fact in world.values]
            inputs = tuple(dict.fromkeys(given))
            world.history.append(
                Execution(
                    world.at,
                    Actor.SKILL,
                    outcome.facts,
                    inputs,
                    skill.name,
                    mode.name,
                    outcome.name,
                    input_events=world.events_of(inputs),
                )
            )
            world.settle(world.at + 1, *outcome.facts)
            if draw(st.booleans()):
                weights = [draw(st.sampled_from([0.0, 0.1, 0.5, -0.5, float("nan")])) for _ in inputs]
                attributions[world.at] = tuple(map(Attribution, inputs, weights))
        elif kind == "map":
            mapping = draw(st.sampled_from(maps))
            used = draw(st.sampled_from(standing_in(catalog, world.values, mapping.fact)))
            taken = (mapping.stands_for,)
            events = world.events_of((used,))
            mapped = Execution(world.at, Actor.MAPPING, taken, (used,), because=mapping.because, input_events=events)
            world.history.append(mapped)
            world.settle(world.at + 1, mapping.stands_for)
        elif kind == "drop" and world.values:
            world.drop(
                draw(st.sampled_from(sorted(world.values))),
                draw(st.sampled_from([ValueEnding.WRONG, ValueEnding.SET_ASIDE])),
            )
        else:
            fact = draw(st.sampled_from(names))
            actor = Actor.EVENT if kind == "alert" else Actor.USER
            said = f"I say {world.word(fact)}" if actor is Actor.USER else None
            world.history.append(Execution(world.at, actor, (fact,), said=said, asked=world.at - 1 if said else None))
            world.settle(world.at, fact)
    at_first = Situation(known=frozenset(start))
    done, held = tuple(world.history), tuple(world.held)
    record = Record(catalog, (), done, at_first, at_first, world.values, attributions, goal_event=2, held=held)
    carried_out = [e.skill or "" for e in world.history if carries_out(catalog, e)]
    return catalog, replace(draw(_with_goal(catalog, record, carried_out)), done=frozenset(carried_out))


@st.composite
def _with_goal(draw: st.DrawFn, catalog: Catalog, record: Record, carried_out: list[str]) -> Record:
    held = sorted(atom.subject for atom in close(catalog, record.values))
    achieved: bool = draw(st.booleans())
    if held and achieved:
        reached = draw(st.lists(st.sampled_from(held), min_size=1, max_size=2, unique=True))
        skills = draw(some_of(tuple(dict.fromkeys(carried_out)), most=1)) if carried_out else ()
        return replace(record, goal=tuple(reached), skills=skills, achieved=True)
    goal = draw(st.lists(st.sampled_from(list(catalog.facts)), min_size=1, max_size=2, unique=True))
    wanted = replace(record, goal=tuple(goal), plan_event=9)
    return replace(wanted, plan=plan_blindly(catalog, wanted)) if draw(st.booleans()) else wanted


def plan_blindly(catalog: Catalog, record: Record) -> tuple[ComingStep, ...]:
    """Make some plan, however long: apply whatever adds anything until the goal holds; none if it never does."""
    now = replace(record.learned, known=frozenset(record.values))
    task = compile_task(catalog, now, record.wanted)
    reached, size = set(task.initial), -1
    steps: list[ComingStep] = []
    while size != len(steps):
        size = len(steps)
        for operator in task.operators:
            if task.goal <= reached:
                return tuple(steps)
            if operator.needs <= reached and not operator.adds <= reached:
                reached |= operator.adds
                outputs = () if operator.kind is StepKind.ASK else operator.outputs
                way = (operator.mode, operator.outcome)
                if operator.kind is not StepKind.CHOOSE:
                    steps.append(ComingStep(operator.kind, operator.subject, operator.inputs, outputs, *way))
    return ()


def standing_in(catalog: Catalog, facts: dict[str, Value], wanted: str) -> list[str]:
    """List the known facts that can stand for one, itself included."""
    return sorted(fact for fact in facts if wanted in catalog.supertypes(fact))


def above(catalog: Catalog, facts: tuple[str, ...]) -> set[str]:
    """Close facts over their supertypes."""
    return {atom.subject for atom in close(catalog, facts)}


def contributing(catalog: Catalog, record: Record) -> list[Execution]:
    """List what gave the values that the goal has now, what these were made from, and what either had to wait for."""
    gave = {giver.event for goal in record.goal if (giver := holds_now(catalog, record, goal)) is not None}
    awaited, found = set(record.skills), []
    for execution in reversed(record.history):
        carried_out = carries_out(catalog, execution) and execution.skill in awaited
        if execution.event in gave or carried_out:
            sources = (last_source(record, fact, execution.event) for fact in execution.inputs)
            gave |= {source.event for source in sources if source is not None}
            awaited -= {execution.skill} if carried_out else set()
            awaited |= {o.first for o in catalog.orderings if not o.preferred and waits(catalog, execution, o)}
            found.append(execution)
    return found


def holds_now(catalog: Catalog, record: Record, fact: str) -> Execution | None:
    """Find by brute force what gave the latest value that a fact has now, by itself or by one that stands for it."""
    names = [name for name in record.values if fact in above(catalog, (name,))]
    givers = [giver for name in names if (giver := last_source(record, name, 10_000)) is not None]
    return max(givers, key=lambda giver: giver.event, default=None)


def carries_out(catalog: Catalog, execution: Execution) -> bool:
    """Return whether a skill was carried out."""
    of = (execution.skill, execution.mode, execution.outcome)
    return None not in of and catalog.succeeds(of[0] or "", of[1] or "", of[2] or "")


def waits(catalog: Catalog, execution: Execution, ordering: Ordering) -> bool:
    """Return whether an ordering says that something comes before this."""
    first = catalog.skills[ordering.first].modes.values()
    taken = {fact for mode in first for wanted in (*mode.inputs, *mode.optional) for fact in catalog.subtypes[wanted]}
    if ordering.then != ANYTHING_SENSITIVE or execution.skill == ordering.first:
        return execution.skill == ordering.then
    if execution.skill is not None:
        inputs = catalog.skills[execution.skill].modes[execution.mode or ""].inputs
        return not set(inputs).isdisjoint(catalog.sensitive_inputs(execution.skill, execution.mode or ""))
    sensitive = any(map(catalog.is_sensitive, execution.outputs))
    return execution.actor is Actor.USER and sensitive and taken.isdisjoint(execution.outputs)


def last_source(record: Record, fact: str, before: int) -> Execution | None:
    """Find by brute force what last gave the very fact before an event."""
    sources = [e for e in record.history if e.event < before and fact in e.outputs]
    return sources[-1] if sources else None


def is_reachable_without(catalog: Catalog, record: Record, fact: str) -> bool:
    """Return whether the goal can be reached though a fact never becomes known."""
    task = compile_task(catalog, record.learned, record.wanted)
    banned: Atom = known(fact)
    reached = set(task.initial) - {banned}
    size = -1
    while size != len(reached):
        size = len(reached)
        for operator in task.operators:
            if operator.needs <= reached:
                reached |= operator.adds - {banned}
    return task.goal <= reached
