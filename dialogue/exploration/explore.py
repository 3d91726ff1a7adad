"""Exploring a goal: walk everything, then measure what was walked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from itertools import product
from math import prod

from catalog.model import Catalog, Goal
from catalog.model.properties import Property
from dialogue.exploration.counterexample import last_words
from dialogue.exploration.environment_moves import COOPERATIVE
from dialogue.exploration.observations import Happening, What
from dialogue.exploration.paths import Paths
from dialogue.exploration.property_monitors import judge
from dialogue.exploration.report import Coverage, DeadEnd, Extreme, Judgement, Report, SkillUse, Trace, Verdict
from dialogue.exploration.scripted_environment import Examples
from dialogue.exploration.state_space import ENDINGS, NO_BOUNDS, Bounds, Edge, Graph, NodeKind, Progress, never, walk
from dialogue.exploration.transition import Stage
from dialogue.policy import POLICIES, remembering
from language.responses.grammar import listing
from planning.engines import Engine
from planning.model import StepKind
from planning.task.errors import UnknownName

MOST_ALTERNATIVES = 20
"""As many as a goal of a catalog may have."""
_QUESTIONS = (What.ASKED, What.CONSENT_ASKED, What.CONFIRMATION_ASKED)


def make_stage(catalog: Catalog, engine: Engine, today: date, policy: str = "planner") -> Stage:
    """Set the stage for exploring a catalog with an engine.

    What is planned on it is planned once: what was walked can be told again with the very same plans.
    """
    return Stage(catalog, remembering(POLICIES[policy](engine)), Examples(catalog, today))


def explore(
    stage: Stage,
    goal: str,
    known: Iterable[str] = (),
    *,
    bounds: Bounds = NO_BOUNDS,
    failures: bool = False,
    engine: str = "",
    cancelled: Callable[[Progress], bool] = never,
) -> Report:
    """Find out what can happen after a goal of the catalog is asked for."""
    stage = replace(stage, policy=remembering(stage.policy))
    given = tuple(dict.fromkeys(known))
    for fact in given:
        if fact not in stage.catalog.facts:
            raise UnknownName("fact", fact, stage.catalog.facts, stage.catalog.instances_of(fact))
    graph = walk(stage, goal, given, bounds=bounds, failures=failures, cancelled=cancelled)
    paths = Paths(graph)
    catalog = stage.catalog
    return Report(
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
        properties=tuple(_judge(catalog, paths, declared) for declared in catalog.properties.read()),
        coverage=_cover(stage, goal, given, graph),
    )


def name_goal(catalog: Catalog, names: Iterable[str]) -> tuple[Catalog, str]:
    """Find the goal of a catalog that names of facts, or of goals, stand for; or add one that wants just these.

    A fact comes before a goal of its name.
    """
    wanted = tuple(dict.fromkeys(names))
    if len(wanted) == 1 and wanted[0] in catalog.goals and wanted[0] not in catalog.facts:
        return catalog, wanted[0]
    facts: dict[str, None] = {}
    skills: dict[str, None] = {}
    choices: dict[tuple[tuple[str, ...], ...], None] = {}
    for name in wanted:
        if name in catalog.facts:
            facts[name] = None
            continue
        if name not in catalog.goals:
            candidates = (*catalog.facts, *catalog.goals)
            raise UnknownName("fact or goal", name, candidates, catalog.instances_of(name))
        facts |= dict.fromkeys(catalog.goals[name].facts)
        skills |= dict.fromkeys(catalog.goals[name].skills)
        choices |= dict.fromkeys((catalog.goals[name].either,) if catalog.goals[name].either else ())
    for goal in catalog.goals.values():
        same = set(goal.facts) == facts.keys() and set(goal.skills) == skills.keys()
        if same and choices.keys() == ({goal.either} if goal.either else set()):
            return catalog, goal.name
    label = listing(tuple((catalog.facts.get(name) or catalog.goals[name]).label for name in wanted))
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


def _verdict(graph: Graph, seen: Iterable[NodeKind]) -> Verdict:
    reached, dropped = (kind in set(seen) for kind in (NodeKind.REACHED, NodeKind.DROPPED))
    if reached and dropped:
        return Verdict.SOMETIMES
    if not graph.complete:
        return Verdict.OPEN
    return Verdict.ALWAYS if reached else Verdict.NEVER


def _reach(paths: Paths) -> set[NodeKind]:
    """Return the kinds of states reachable with a user who answers and agrees."""
    seen, waiting = {0}, [0]
    while waiting:
        for edge in paths.leaving[waiting.pop()]:
            if edge.move.kind in COOPERATIVE and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return {paths.graph.nodes[node].kind for node in seen}


def _moves(way: Iterable[Edge]) -> Trace:
    return tuple(edge.move for edge in way)


def _shortest(paths: Paths) -> Extreme | None:
    ends = [number for number, node in enumerate(paths.graph.nodes) if node.kind is NodeKind.REACHED]
    if not ends:
        return None
    way = min((paths.shortest(node) for node in ends), key=len)
    return Extreme("moves", len(way) - 1, _moves(way))


def _extremes(catalog: Catalog, paths: Paths) -> Iterator[Extreme]:
    """Find the most questions, calls and costs; money and time only where the catalog speaks of them."""
    skills, settings = catalog.skills, catalog.settings
    asked = dict.fromkeys(_QUESTIONS, settings.authorize_cost) | {What.ASKED: settings.ask_cost}
    waited = dict.fromkeys(_QUESTIONS, settings.authorize_time_s) | {What.ASKED: settings.ask_time_s}

    def called(h: Happening, amounts: dict[str, float]) -> float:
        return amounts[h.subject] if h.what is What.CALLED else 0.0

    cost = {name: skill.cost for name, skill in skills.items()}
    money = {name: skill.money for name, skill in skills.items()}
    time_s = {name: skill.time_s for name, skill in skills.items()}
    measures: dict[str, Callable[[Happening], float]] = {
        "questions": lambda h: float(h.what in _QUESTIONS),
        "calls": lambda h: float(h.what is What.CALLED),
        "cost": lambda h: asked.get(h.what, 0.0) + called(h, cost),
    }
    if any(money.values()):
        measures["money"] = lambda h: called(h, money)
    if any(time_s.values()):
        measures["seconds"] = lambda h: waited.get(h.what, 0.0) + called(h, time_s)
    for what, measure in measures.items():
        found = paths.longest(lambda edge, measure=measure: sum(map(measure, edge.happenings)))  # type: ignore[misc]
        yield Extreme(what, found.value, _moves(found.way))


def _skills(catalog: Catalog, paths: Paths) -> Iterator[SkillUse]:
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
        uses.append(SkillUse(name, skill.effect, sensitive, most, _moves(found.way)))
    return iter(sorted(uses, key=lambda use: (use.effect.value != "irreversible", not use.sensitive)))


def _dead_ends(stage: Stage, paths: Paths, known: tuple[str, ...]) -> Iterator[DeadEnd]:
    """Describe each way in which the goal is given up, the likeliest to be met first."""
    found = []
    for number, node in enumerate(paths.graph.nodes):
        if node.kind is NodeKind.DROPPED:
            trace = _moves(paths.shortest(number))
            missing = node.missing
            found.append(
                DeadEnd(
                    node.about,
                    missing.information if missing else (),
                    missing.functionality if missing else (),
                    last_words(stage, known, trace),
                    paths.count(lambda end, number=number: end == number),  # type: ignore[misc]
                    trace,
                )
            )
    return iter(sorted(found, key=lambda end: (-(end.conversations or 0), len(end.trace))))


def _judge(catalog: Catalog, paths: Paths, declared: Property) -> Judgement:
    judged = judge(catalog, paths, declared)
    return Judgement(declared, judged.holds, _moves(judged.way))


def _cover(stage: Stage, goal: str, known: tuple[str, ...], graph: Graph) -> Coverage:
    cone = stage.relevance(goal).cone(known)
    catalog = stage.catalog
    happened = {(h.what, h.subject, h.mode, h.outcome) for edge in graph.edges for h in edge.happenings}
    exercised = {_operator(what, subject, mode, outcome) for what, subject, mode, outcome in happened if what in _SHOWS}
    relevant = [
        (operator.kind, operator.subject, operator.mode or "", operator.outcome or "")
        for operator in stage.relevance(goal).operators
        if operator.name in cone.operators and _can_be_met(catalog, operator.kind, operator.subject)
    ]
    unused = [part for part in relevant if part not in exercised]
    bears = {skill for skill, _ in cone.modes}
    return Coverage(
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


def _operator(what: What, subject: str, mode: str, outcome: str) -> tuple[StepKind, str, str, str]:
    return _SHOWS[what], subject, mode, outcome


def _can_be_met(catalog: Catalog, kind: StepKind, subject: str) -> bool:
    """Return whether an operator shows in a conversation: questions that slot filling cannot ask do not."""
    return kind in _SHOWS.values() and (kind is not StepKind.ASK or catalog.facts[subject].fillable)
