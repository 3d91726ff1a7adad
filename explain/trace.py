"""Trace the execution history: who established a fact, and the causal support of the goal.

Everything here is a pure function of catalog and history, never of what a planner happened to keep.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from catalog.model import Catalog, Ordering
from catalog.model.catalog import Orderings, Precedence
from explain.graph import FoundOrigin, find_current, find_giver, find_source, pick
from explain.model import Aim, ComingStep, Record
from planning.history import Actor, Execution
from planning.model import Situation, StepKind


@dataclass(frozen=True, slots=True)
class Act:
    """Something done, or still planned: what regression runs over."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    execution: Execution | None = None
    step: ComingStep | None = None

    @property
    def skill(self) -> str | None:
        if self.step is not None:
            return self.step.subject if self.step.kind is StepKind.SKILL else None
        return self.execution.skill if self.execution else None

    @property
    def way(self) -> tuple[str, str]:
        """Return the mode in which the skill is called, and the outcome."""
        of = self.step or self.execution
        return ("", "") if of is None else (of.mode or "", of.outcome or "")


@dataclass(frozen=True, slots=True)
class CausalLink:
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

    links: tuple[CausalLink, ...]
    befores: tuple[Before, ...] = ()

    def onward(self, links: Iterable[CausalLink]) -> tuple[CausalLink, ...]:
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


def is_secret(catalog: Catalog, fact: str) -> bool:
    """Return whether a fact's value is to be masked; one that the catalog no longer has might be anything."""
    return fact not in catalog.facts or catalog.is_sensitive(fact)


def is_sayable(catalog: Catalog, fact: str) -> bool:
    """Return whether a fact's value can be put into a sentence; pictures, tables and charts cannot."""
    return fact not in catalog.facts or catalog.facts[fact].value.sayable


def aim_of(record: Record) -> Aim:
    """Name what was asked for, with the alternatives of which none was taken so far."""
    goals = (record.catalog.goals[name] for name in record.goals if name in record.catalog.goals)
    settled = set(record.goal)
    undecided = (goal.either for goal in goals if not any(settled.issuperset(facts) for facts in goal.either))
    return Aim(record.goal, record.skills, tuple(undecided))


def situation_now(record: Record) -> Situation:
    """Say what the planner would be told now: what is known by now, with what was learned by trying."""
    by_now = (fact for fact in record.values if fact in record.catalog.facts)
    return replace(record.learned, known=frozenset(by_now), done=record.done, authorized=record.authorized)


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


def regress(record: Record) -> Regression:
    """Regress the goal over what was done and is planned, last first (Verdi paper, §4.3; Algorithm 4, corrected).

    R starts as the goal. An act that gives something in R contributes; then R := (R \\ o) ∪ i for its outputs o and
    its inputs i. For each fact in R we remember who wants it, so that the causal links come out on the way.

    What is planned gives whatever it can stand for. What was executed gave the very values that others took of it, and
    those that the goal has now (see `explain.graph`): missteps, and values that no longer hold, are ignored. What is
    left of R at the end was known from the start, or nothing establishes it.

    An act contributes as well if it carries out a skill of the goal, or one that a contributing act had to wait for.
    """
    acts, done = list_acts(record), len(record.history)
    wanted: dict[str, list[int | None]] = {fact: [None] for fact in record.goal}
    awaited: dict[str, list[tuple[int | None, Ordering | None]]] = {skill: [(None, None)] for skill in record.skills}
    precedence = Precedence(record.catalog)
    taken: dict[int, list[CausalLink]] = {}
    links: list[CausalLink] = []
    befores: list[Before] = []
    for index in reversed(range(len(acts))):
        act = acts[index]
        if index == done - 1:
            _settle(record, wanted, taken, links)
        given = taken.pop(index, [])
        for want in list(wanted) if index >= done else ():
            got = pick(record.catalog, act.outputs, want)
            given += [CausalLink(index, got, consumer) for consumer in wanted.pop(want)] if got is not None else []
        waiting = awaited.pop(act.skill or "", ()) if awaited and carries_out(record.catalog, act) else ()
        if not given and not waiting:
            continue
        befores += [Before(index, then, ordering) for then, ordering in waiting]
        links += given
        for fact in act.inputs:
            if index >= done:
                wanted.setdefault(fact, []).append(index)
            else:
                _link(taken, links, find_source(record, index, fact), fact, index)
        for ordering in find_before(record.catalog, precedence, act) if precedence else ():
            awaited.setdefault(ordering.first, []).append((index, ordering))
    if not done:
        _settle(record, wanted, taken, links)
    return Regression(tuple(dict.fromkeys(links)), tuple(befores))


def _settle(
    record: Record,
    wanted: dict[str, list[int | None]],
    taken: dict[int, list[CausalLink]],
    links: list[CausalLink],
) -> None:
    """Find what gave the values that there are now of what the goal and the planned acts want."""
    for want, consumers in wanted.items():
        name = find_current(record, want)
        source = None if name is None else find_giver(record, name)
        for consumer in consumers:
            _link(taken, links, source, name or want, consumer)


def _link(
    taken: dict[int, list[CausalLink]], links: list[CausalLink], source: FoundOrigin | None, fact: str, by: int | None
) -> None:
    if source is None:
        links.append(CausalLink(None, fact, by))
    else:
        taken.setdefault(source.index, []).append(CausalLink(source.index, source.fact, by))


def find_before(catalog: Catalog, precedence: Precedence, act: Act) -> Orderings:
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
