"""Trace the execution history: who established a fact, and the causal support of the goal.

Everything here is a pure function of catalog and history, never of what a planner happened to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from catalog.model import Catalog, Ordering
from catalog.model.catalog import Orderings, Precedence
from explain.model import Aim, ComingStep, Record, Value
from planning.history import Actor, Execution, History
from planning.model import Situation, StepKind


@dataclass(frozen=True, slots=True)
class Found:
    """Origin of a fact: its place in the history, and the fact that was established (it may be a subtype)."""

    index: int
    execution: Execution
    fact: str


@dataclass(frozen=True, slots=True)
class Act:
    """Something done, or still planned: what regression runs over."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    execution: Execution | None = None
    step: ComingStep | None = None

    @property
    def skill(self) -> str | None:
        """Name the skill that is called, if one is."""
        if self.step is not None:
            return self.step.subject if self.step.kind is StepKind.SKILL else None
        return self.execution.skill if self.execution else None

    @property
    def way(self) -> tuple[str, str]:
        """Return the mode in which the skill is called, and the outcome."""
        of = self.step or self.execution
        return ("", "") if of is None else (of.mode or "", of.outcome or "")


@dataclass(frozen=True, slots=True)
class Link:
    """A causal link between acts, by their index: producer, fact as it was got, consumer.

    No producer: it was known from the start, or nothing that was done or is planned establishes it. No consumer: it is
    the goal.
    """

    producer: int | None
    fact: str
    consumer: int | None


@dataclass(frozen=True, slots=True)
class Before:
    """That an act carried a skill out, which another one had to wait for by an ordering, both by their index.

    No `then` and no ordering: that the skill be carried out is what was asked for.
    """

    first: int
    then: int | None = None
    ordering: Ordering | None = None


@dataclass(frozen=True, slots=True)
class Regression:
    """The causal support of the goal: the links between the acts that contributed, and from these to the goal.

    `befores` tell where an act contributed by being carried out, whatever it gave.
    """

    links: tuple[Link, ...]
    befores: tuple[Before, ...] = ()

    def onward(self, links: Iterable[Link]) -> tuple[Link, ...]:
        """Follow causal links forward, all the way to the goal."""
        reached = dict.fromkeys(links)
        todo = list(reached)
        while todo:
            consumer = todo.pop().consumer
            nexts = {consumer, *(b.then for b in self.befores if b.first == consumer)} - {None}
            following = (link for link in self.links if link.producer in nexts)
            for link in following:
                if link not in reached:
                    reached[link] = None
                    todo.append(link)
        return tuple(reached)


def fits(catalog: Catalog, fact: str, wanted: str) -> bool:
    """Return whether a fact is what is wanted, or can stand for it: a pie chart is a plot."""
    return wanted in catalog.supertypes(fact)


def pick(catalog: Catalog, facts: Iterable[str], wanted: str) -> str | None:
    """Choose what is wanted from some facts: itself if it is there, else the first that can stand for it."""
    fitting = [fact for fact in facts if fits(catalog, fact, wanted)]
    return wanted if wanted in fitting else next(iter(fitting), None)


def find_producer(catalog: Catalog, record: Record, fact: str, before: int) -> Found | None:
    """Find what last established an input before a place in the history, by scanning backward.

    This is How-last-action of the Verdi paper's Algorithm 4, which there scans forward and so would find the first.
    Inputs are recorded as they were resolved: another fact that could have stood in, though it may have come later, is
    not what was passed. Only where nothing established the very fact does one count that can stand for it.
    """
    history = record.history[:before]
    exact = find_last(history, fact)
    if exact is not None or fact in record.original.known:
        return exact
    fitting = ((at, pick(catalog, history[at].outputs, fact)) for at in reversed(range(before)))
    return next((Found(at, history[at], got) for at, got in fitting if got is not None), None)


def find_current(catalog: Catalog, record: Record, fact: str) -> str | None:
    """Find under which name a fact is known now, if it is: that of the fitting fact that was established last.

    What was retracted is in the history, but no longer among the values.
    """
    for execution in reversed(record.history):
        got = pick(catalog, (output for output in execution.outputs if output in record.values), fact)
        if got is not None:
            return got
    return pick(catalog, record.values, fact)


def find_last(history: History, fact: str) -> Found | None:
    """Find what last established a fact under its very name."""
    places = (index for index in reversed(range(len(history))) if fact in history[index].outputs)
    return next((Found(index, history[index], fact) for index in places), None)


def list_values(record: Record, facts: Iterable[str], at: int | None) -> tuple[Value, ...]:
    """List the values of facts that still are the ones which a place in the history gave; none: they were there."""
    found = []
    for fact in facts:
        value, last = record.values.get(fact), find_last(record.history, fact)
        if value is not None and (None if last is None else last.index) == at:
            found.append(value)
    return tuple(found)


def is_secret(catalog: Catalog, fact: str) -> bool:
    """Return whether a fact's value is to be masked; one that the catalog no longer has might be anything."""
    return fact not in catalog.facts or catalog.is_sensitive(fact)


def is_sayable(catalog: Catalog, fact: str) -> bool:
    """Return whether a fact's value can be put into a sentence; pictures, tables and charts cannot."""
    return fact not in catalog.facts or catalog.facts[fact].value.sayable


def aim_of(catalog: Catalog, record: Record) -> Aim:
    """Name what was asked for, with the alternatives of which none was taken so far."""
    goals = (catalog.goals[name] for name in record.goals if name in catalog.goals)
    settled = set(record.goal)
    undecided = (goal.either for goal in goals if not any(settled.issuperset(facts) for facts in goal.either))
    return Aim(record.goal, record.skills, tuple(undecided))


def situation_now(catalog: Catalog, record: Record) -> Situation:
    """Say what the planner would be told now: what is known by now, with what was learned by trying."""
    by_now = (fact for fact in record.values if fact in catalog.facts)
    return replace(record.learned, known=frozenset(by_now), done=record.done)


def list_acts(record: Record) -> tuple[Act, ...]:
    """List what was executed and, unless the goal is achieved, what the current plan still foresees.

    Consents and confirmations are left out: they are bookkeeping, and establish no fact.
    """
    done = tuple(Act(e.inputs, e.outputs, execution=e) for e in record.history)
    if record.achieved:
        return done
    coming = tuple(
        Act(step.inputs, (step.subject,) if step.kind is StepKind.ASK else step.outputs, step=step)
        for step in record.plan
        if step.kind not in (StepKind.AUTHORIZE, StepKind.CONFIRM)
    )
    return done + coming


def regress(
    catalog: Catalog, goal: Iterable[str], acts: Sequence[Act], start: Iterable[str] = (), skills: Iterable[str] = ()
) -> Regression:
    """Regress the goal over acts, last first (Verdi paper, §4.3; Algorithm 4, corrected).

    R starts as the goal. An act with outputs o, closed over their supertypes, contributes if R ∩ o ≠ ∅; then
    R := (R \\ o) ∪ i for its inputs i. Acts that give nothing that is still wanted are missteps, and are ignored. For
    each fact in R we remember who wants it, so that the causal links come out on the way. What is left of R at the
    end was known from the `start`, or nothing establishes it.

    What was executed took the very facts that it records (see `find_producer`): for these, o is not closed.

    An act contributes as well if it carries out a skill of the goal, or one that a contributing act had to wait for.
    """
    known = tuple(start)
    wanted: dict[tuple[str, bool], list[int | None]] = {(fact, False): [None] for fact in goal}
    awaited: dict[str, list[tuple[int | None, Ordering | None]]] = {skill: [(None, None)] for skill in skills}
    precedence = Precedence(catalog)
    links: list[Link] = []
    befores: list[Before] = []
    for index in reversed(range(len(acts))):
        act = acts[index]
        settled = {
            (want, exactly): got
            for want, exactly in wanted
            if (got := _take(catalog, act.outputs, want, exactly=exactly)) is not None
        }
        waiting = awaited.pop(act.skill or "", ()) if awaited and carries_out(catalog, act) else ()
        if not settled and not waiting:
            continue
        befores += [Before(index, then, ordering) for then, ordering in waiting]
        for want, got in settled.items():
            links += [Link(index, got, consumer) for consumer in wanted.pop(want)]
        for fact in act.inputs:
            exactly = act.execution is not None and (fact in known or any(fact in a.outputs for a in acts[:index]))
            wanted.setdefault((fact, exactly), []).append(index)
        for ordering in find_before(catalog, precedence, act) if precedence else ():
            awaited.setdefault(ordering.first, []).append((index, ordering))
    for (fact, _), consumers in wanted.items():
        links += [Link(None, pick(catalog, known, fact) or fact, consumer) for consumer in consumers]
    return Regression(tuple(dict.fromkeys(links)), tuple(befores))


def find_before(catalog: Catalog, precedence: Precedence, act: Act) -> Orderings:
    """List the orderings by which skills had to be carried out before an act."""
    if act.skill is not None:
        declared = catalog.skills.get(act.skill)
        if declared is None or act.way[0] not in declared.modes:
            return ()
        required = set(declared.modes[act.way[0]].inputs)
        sensitive = not required.isdisjoint(catalog.sensitive_inputs(act.skill, act.way[0]))
        return precedence.before_call(act.skill, sensitive=sensitive)
    asked = (
        act.step.kind is StepKind.ASK if act.step else act.execution is not None and act.execution.actor is Actor.USER
    )
    return tuple(o for fact in act.outputs for o in precedence.before_answer(fact)) if asked else ()


def carries_out(catalog: Catalog, act: Act) -> bool:
    """Return whether an act calls a skill and the outcome is that it has done, or will have done, what it is for."""
    declared = catalog.skills.get(act.skill or "")
    mode, outcome = act.way
    if declared is None or mode not in declared.modes or outcome not in declared.modes[mode].outcomes:
        return False
    return catalog.succeeds(declared.name, mode, outcome)


def _take(catalog: Catalog, facts: Sequence[str], wanted: str, *, exactly: bool) -> str | None:
    if exactly:
        return wanted if wanted in facts else None
    return pick(catalog, facts, wanted)
