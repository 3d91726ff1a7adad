"""Exploring a goal: build the state space, then measure it and check the declared properties on it.

Each property is an automaton (a monitor) that reads what happens and may object. It is checked on the product of the
state space and the states of its automaton, breadth first: if it does not hold, the counterexample is a shortest one
(as in automata-based model checking; Vardi and Wolper, 1986).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import product
from math import prod

from catalog.model import Catalog, Goal, properties
from catalog.wording.grammar import listing
from dialogue.exploration import report
from dialogue.exploration.scripted_environment import COOPERATIVE, EnvironmentMove, ValueExamples
from dialogue.exploration.state_space import (
    ENDINGS,
    QUESTIONS,
    Edge,
    Graph,
    Happenings,
    Node,
    NodeKind,
    Observation,
    What,
    walk,
)
from dialogue.exploration.transition import TransitionContext, last_words
from dialogue.policy import POLICIES, remembering
from language.languages import ENGLISH
from planning.engines import Engine
from planning.model import Atom, StepKind
from planning.state_space import paths as ways
from planning.state_space.paths import NO_BOUNDS, WalkBounds, WalkProgress, never
from planning.task.names import fact_names, fact_or_goal

MOST_ALTERNATIVES = 20
"""As many as a goal of a catalog may have."""
Paths = ways.Paths[Node, EnvironmentMove, Happenings]


def make_stage(catalog: Catalog, engine: Engine, today: date, policy: str = "planner") -> TransitionContext:
    """Return the stage on which a catalog is explored with an engine.

    Each plan is computed once, so a path that was explored can be replayed with the very same plans.
    """
    return TransitionContext(catalog, remembering(POLICIES[policy](engine)), ValueExamples(catalog, today))


def explore(
    stage: TransitionContext,
    goal: str,
    known: Iterable[str] = (),
    *,
    bounds: WalkBounds = NO_BOUNDS,
    failures: bool = False,
    engine: str = "",
    cancelled: Callable[[WalkProgress], bool] = never,
) -> report.ExplorationReport:
    """Explore everything that can happen after a goal of the catalog is requested, and report it."""
    stage = replace(stage, policy=remembering(stage.policy))
    given = fact_names(stage.catalog, known)
    graph = walk(stage, goal, given, bounds=bounds, failures=failures, cancelled=cancelled)
    paths = Paths(graph)
    catalog = stage.catalog
    return report.ExplorationReport(
        catalog=catalog.name,
        goal=goal,
        label=catalog.goals[goal].label,
        known=given,
        engine=engine,
        failures=failures,
        verdict=_verdict(graph, {node.kind for node in graph.nodes}),
        cooperative=_verdict(graph, _reach(paths)),
        conversations=paths.count(lambda node: graph.nodes[node].kind in ENDINGS),
        reached=paths.count(lambda node: graph.nodes[node].kind is NodeKind.REACHED),
        circular=bool(paths.circular),
        shortest=_shortest(paths),
        extremes=tuple(_extremes(catalog, paths)),
        skills=tuple(_skills(catalog, paths)),
        dead_ends=tuple(_dead_ends(stage, paths, given)),
        properties=tuple(judge(catalog, paths, declared) for declared in catalog.properties.read()),
        coverage=_cover(stage, goal, given, graph),
    )


def name_goal(catalog: Catalog, names: Iterable[str]) -> tuple[Catalog, str]:
    """Return the goal that wants just the named facts and goals, with its catalog; where there is none, add one.

    A name that is both means the fact; either may be named by its alias.
    """
    found = tuple(dict.fromkeys(fact_or_goal(catalog, name) for name in names))
    if len(found) == 1 and found[0][0] == "goals":
        return catalog, found[0][1]
    facts: dict[str, None] = {}
    skills: dict[str, None] = {}
    choices: dict[tuple[tuple[str, ...], ...], None] = {}
    for kind, name in found:
        if kind == "facts":
            facts[name] = None
            continue
        facts |= dict.fromkeys(catalog.goals[name].facts)
        skills |= dict.fromkeys(catalog.goals[name].skills)
        choices |= dict.fromkeys((catalog.goals[name].either,) if catalog.goals[name].either else ())
    for goal in catalog.goals.values():
        same = set(goal.facts) == facts.keys() and set(goal.skills) == skills.keys()
        if same and choices.keys() == ({goal.either} if goal.either else set()):
            return catalog, goal.name
    entries = {"facts": catalog.facts, "goals": catalog.goals}
    label = listing(tuple(entries[kind][name].label for kind, name in found))
    name = label[:90]
    while name in catalog.goals:
        name += "'"
    added = Goal(name=name, label=label, facts=tuple(facts), skills=tuple(skills), either=_combine(tuple(choices)))
    return catalog.model_copy(update={"goals": {**catalog.goals, name: added}}), name


def _combine(choices: tuple[tuple[tuple[str, ...], ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Combine several sets of alternatives into those of one goal that wants one of each."""
    if not choices:
        return ()
    if prod(map(len, choices)) > MOST_ALTERNATIVES:
        raise ValueError(
            f"These goals together have {prod(map(len, choices))} alternatives; {MOST_ALTERNATIVES} is the most that "
            "are explored at once. Explore the goals one by one."
        )
    return tuple(tuple(dict.fromkeys(fact for facts in one for fact in facts)) for one in product(*choices))


def _verdict(graph: Graph, seen: Iterable[NodeKind]) -> report.PropertyVerdict:
    reached, dropped = (kind in set(seen) for kind in (NodeKind.REACHED, NodeKind.DROPPED))
    if reached and dropped:
        return report.PropertyVerdict.SOMETIMES
    if not graph.complete:
        return report.PropertyVerdict.OPEN
    return report.PropertyVerdict.ALWAYS if reached else report.PropertyVerdict.NEVER


def _reach(paths: Paths) -> set[NodeKind]:
    seen, waiting = {0}, [0]
    while waiting:
        for edge in paths.leaving[waiting.pop()]:
            if edge.move.kind in COOPERATIVE and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return {paths.graph.nodes[node].kind for node in seen}


def _moves(way: Iterable[Edge]) -> report.Trace:
    return tuple(edge.move for edge in way)


def _shortest(paths: Paths) -> report.Extreme | None:
    ends = [number for number, node in enumerate(paths.graph.nodes) if node.kind is NodeKind.REACHED]
    if not ends:
        return None
    way = min((paths.shortest(node) for node in ends), key=len)
    return report.Extreme("moves", len(way) - 1, _moves(way))


def _extremes(catalog: Catalog, paths: Paths) -> Iterator[report.Extreme]:
    """Find the most questions, calls and costs; money and time only where the catalog speaks of them."""
    skills, settings = catalog.skills, catalog.settings
    asked = dict.fromkeys(QUESTIONS, settings.authorize_cost) | {What.ASKED: settings.ask_cost}
    waited = dict.fromkeys(QUESTIONS, settings.authorize_time_s) | {What.ASKED: settings.ask_time_s}

    def called(h: Observation, amounts: dict[str, float]) -> float:
        return amounts[h.subject] if h.what is What.CALLED else 0.0

    cost = {name: skill.cost for name, skill in skills.items()}
    money = {name: skill.money for name, skill in skills.items()}
    time_s = {name: skill.time_s for name, skill in skills.items()}
    measures: dict[str, Callable[[Observation], float]] = {
        "questions": lambda h: float(h.what in QUESTIONS),
        "calls": lambda h: float(h.what is What.CALLED),
        "cost": lambda h: asked.get(h.what, 0.0) + called(h, cost),
    }
    if any(money.values()):
        measures["money"] = lambda h: called(h, money)
    if any(time_s.values()):
        measures["seconds"] = lambda h: waited.get(h.what, 0.0) + called(h, time_s)
    for what, measure in measures.items():
        found = paths.longest(lambda edge, measure=measure: sum(map(measure, edge.happenings)))  # type: ignore[misc]
        yield report.Extreme(what, found.value, _moves(found.way))


def _skills(catalog: Catalog, paths: Paths) -> Iterator[report.SkillUse]:
    """Yield how often each skill can be called; irreversible ones come first, then those that get sensitive facts."""
    called = {h.subject for edge in paths.graph.edges for h in edge.happenings if h.what is What.CALLED}
    uses = []
    for name, skill in catalog.skills.items():
        sensitive = tuple(dict.fromkeys(f for mode in skill.modes for f in catalog.sensitive_inputs(name, mode)))
        if name not in called:
            continue
        found = paths.longest(
            lambda edge, name=name: sum(h.what is What.CALLED and h.subject == name for h in edge.happenings)  # type: ignore[misc]
        )
        most = None if found.value is None else int(found.value)
        uses.append(report.SkillUse(name, skill.effect, sensitive, most, _moves(found.way)))
    return iter(sorted(uses, key=lambda use: (use.effect.value != "irreversible", not use.sensitive)))


def _dead_ends(stage: TransitionContext, paths: Paths, known: tuple[str, ...]) -> Iterator[report.FoundDeadEnd]:
    """Describe each way in which the goal is given up, the likeliest to be met first."""
    found = []
    for number, node in enumerate(paths.graph.nodes):
        if node.kind is NodeKind.DROPPED:
            trace = _moves(paths.shortest(number))
            missing = node.missing
            found.append(
                report.FoundDeadEnd(
                    ENGLISH.reasons.say(stage.catalog, node.reason),
                    missing.information if missing else (),
                    missing.functionality if missing else (),
                    last_words(stage, known, trace),
                    paths.count(lambda end, number=number: end == number),  # type: ignore[misc]
                    trace,
                )
            )
    return iter(sorted(found, key=lambda end: (-(end.conversations or 0), len(end.trace))))


def _cover(stage: TransitionContext, goal: str, known: tuple[str, ...], graph: Graph) -> report.Coverage:
    cone = stage.relevance(goal).cone(known)
    catalog = stage.catalog
    happened = {(h.what, h.subject, h.mode, h.outcome) for edge in graph.edges for h in edge.happenings}
    exercised = {(_SHOWS[what], subject, mode, outcome) for what, subject, mode, outcome in happened if what in _SHOWS}
    operators = [operator for operator in stage.relevance(goal).operators if operator.name in cone.operators]
    with_consent = frozenset[Atom]().union(*(one.adds for one in operators if one.kind is StepKind.AUTHORIZE))
    relevant = [
        (operator.kind, operator.subject, operator.mode or "", operator.outcome or "")
        for operator in operators
        if _can_be_met(catalog, operator.kind, operator.subject)
        and not (operator.kind is StepKind.CONFIRM and operator.adds <= with_consent)
    ]
    unused = [part for part in relevant if part not in exercised]
    bears = {skill for skill, _ in cone.modes}
    return report.Coverage(
        states=len(graph.nodes),
        moves=len(graph.edges),
        open=len(graph.open),
        stopped=graph.stopped,
        seconds=graph.seconds,
        exercised=len(relevant) - len(unused),
        relevant=len(relevant),
        unused=tuple((kind.value, " → ".join(filter(None, (subject, *rest)))) for kind, subject, *rest in unused),
        irrelevant=tuple(name for name in catalog.skills if name not in bears),
        cut=sum(h.what is What.CUT for edge in graph.edges for h in edge.happenings),
    )


_SHOWS = {
    What.ASKED: StepKind.ASK,
    What.CONSENT_ASKED: StepKind.AUTHORIZE,
    What.CONFIRMATION_ASKED: StepKind.CONFIRM,
    What.CAME: StepKind.SKILL,
}


def _can_be_met(catalog: Catalog, kind: StepKind, subject: str) -> bool:
    """Return whether an operator shows in a conversation: questions that slot filling cannot ask do not."""
    return kind in _SHOWS.values() and (kind is not StepKind.ASK or catalog.facts[subject].fillable)


_State = Hashable
_Step = Callable[[_State, Observation], "_State | None"]
"""Gives the next state, or None where the property is broken."""


@dataclass(frozen=True, slots=True)
class _Monitor:
    """An automaton; `ending` tells whether a way may end in a kind of node."""

    start: _State
    step: _Step
    ending: Callable[[NodeKind], bool] = lambda kind: True


def judge(catalog: Catalog, paths: Paths, declared: properties.Property) -> report.PropertyJudgement:
    """Check one property; with moves that go round in circles, a goal need never be reached."""
    way = _find_breach(paths, _monitor(catalog, declared.claim))
    if way is None and declared.claim.form == properties.GOAL_REACHED and paths.circular:
        way = paths.longest(lambda edge: 1.0).way
    if way is not None:
        return report.PropertyJudgement(declared, False, _moves(way))
    return report.PropertyJudgement(declared, True if paths.graph.complete else None)


def _find_breach(paths: Paths, monitor: _Monitor) -> tuple[Edge, ...] | None:
    start = (0, monitor.start)
    came: dict[tuple[int, _State], tuple[tuple[int, _State], Edge] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        for edge in paths.leaving[at[0]]:
            state: _State | None = at[1]
            for happening in edge.happenings:
                state = monitor.step(state, happening)
                if state is None:
                    break
            onward = (edge.target, state)
            if state is None or not monitor.ending(paths.graph.nodes[edge.target].kind):
                return (*_way(came, at), edge)
            if onward not in came:
                came[onward] = (at, edge)
                waiting.append(onward)
    return None


def _way(came: dict[tuple[int, _State], tuple[tuple[int, _State], Edge] | None], at: tuple[int, _State]) -> list[Edge]:
    way: list[Edge] = []
    while (step := came[at]) is not None:
        at, edge = step
        way.append(edge)
    return way[::-1]


def _monitor(catalog: Catalog, claim: properties.PropertyClaim) -> _Monitor:
    match claim.form:
        case properties.CALLED_MORE_THAN:
            return _count(What.CALLED, claim.names[0], claim.limit)
        case properties.ASKED_MORE_THAN:
            return _count(What.ASKED, claim.names[0], claim.limit)
        case properties.BECOMES_KNOWN:
            serving = frozenset(catalog.subtypes.get(claim.names[0], claim.names))
            return _Monitor("", lambda state, h: None if h.what is What.KNOWN and h.subject in serving else state)
        case properties.CONSENT_BEFORE:
            return _consent(catalog, claim.names[0])
        case properties.SKILL_BEFORE:
            return _before(*claim.names)
    return _Monitor("", lambda state, h: state, lambda kind: kind is not NodeKind.DROPPED)


def _count(what: What, subject: str, limit: int) -> _Monitor:
    def step(state: _State, happening: Observation) -> _State | None:
        assert isinstance(state, int)
        if happening.what is not what or happening.subject != subject:
            return state
        return state + 1 if state < limit else None

    return _Monitor(0, step)


def _before(first: str, then: str) -> _Monitor:
    def step(state: _State, happening: Observation) -> _State | None:
        if happening.what is not What.CALLED:
            return state
        if happening.subject == then and not state:
            return None
        return bool(state) or happening.subject == first

    return _Monitor(False, step)


def _consent(catalog: Catalog, fact: str) -> _Monitor:
    """Watch that a fact, or one that stands for it, goes only to skills for which its user agreed to just that.

    The state is what was agreed to: whom for (a skill, or under the per-fact policy the fact), and which facts.
    """
    serving = frozenset(catalog.subtypes.get(fact, (fact,)))

    def step(state: _State, happening: Observation) -> _State | None:
        assert isinstance(state, frozenset)
        if happening.what is What.CONSENTED:
            return state | {(happening.subject, name) for name in happening.facts}
        if happening.what is What.CALLED:
            for name, given in zip(happening.inputs, happening.facts, strict=True):
                allowed = any(
                    (to, called) in state for to in (happening.subject, name, given) for called in (name, given)
                )
                if given in serving and not allowed:
                    return None
        return state

    return _Monitor(frozenset(), step)
