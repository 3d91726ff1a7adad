"""What can come about at all, if everything goes well: facts that become known, and skills that are carried out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalog.model import Catalog, Fact
from catalog.model.precedence import Orderings, Precedence


@dataclass(frozen=True, slots=True)
class Attainable:
    """Facts that can come to be known, and skills that can be carried out so that they have done what they are for."""

    facts: frozenset[str]
    done: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Rule:
    facts: frozenset[str]
    firsts: frozenset[str]
    gives: tuple[str, ...] = ()
    does: str | None = None


def find_attainable(catalog: Catalog) -> Attainable:
    """Find what can come about: a fixpoint, in time linear in the size of the catalog.

    Any outcome is hoped for, as in planning. A fact counts as known when a subtype is.
    """
    rules = list(_rules(catalog))
    takers: dict[tuple[str, str], list[int]] = defaultdict(list)
    waiting = []
    for number, rule in enumerate(rules):
        needs = [*(("fact", fact) for fact in rule.facts), *(("done", skill) for skill in rule.firsts)]
        waiting.append(len(needs))
        for need in needs:
            takers[need].append(number)
    ready = [number for number, count in enumerate(waiting) if not count]
    reached: set[tuple[str, str]] = set()
    while ready:
        for came in _effects(catalog, rules[ready.pop()]):
            if came not in reached:
                reached.add(came)
                for number in takers[came]:
                    waiting[number] -= 1
                    if not waiting[number]:
                        ready.append(number)
    return Attainable(
        frozenset(name for what, name in reached if what == "fact"),
        frozenset(name for what, name in reached if what == "done"),
    )


def can_be_asked(fact: Fact) -> bool:
    """Tell whether a person can be asked for a fact and, being asked, can give it."""
    return fact.askable and fact.fillable


def _effects(catalog: Catalog, rule: _Rule) -> Iterator[tuple[str, str]]:
    for fact in rule.gives:
        for above in catalog.supertypes(fact):
            yield "fact", above
    if rule.does is not None:
        yield "done", rule.does


def _rules(catalog: Catalog) -> Iterator[_Rule]:
    precedence = Precedence(catalog)
    for name, fact in catalog.facts.items():
        if can_be_asked(fact):
            yield _rule((), precedence.before_answer(name), (name,))
    for trigger in catalog.triggers.values():
        yield _rule((), (), trigger.facts)
    for mapping in catalog.mappings:
        yield _rule((mapping.fact,), (), (mapping.stands_for,))
    for name, skill in catalog.skills.items():
        for mode in skill.modes.values():
            sensitive = not set(mode.inputs).isdisjoint(catalog.sensitive_inputs(name, mode.name))
            before = precedence.before_call(name, sensitive=sensitive)
            for outcome, result in mode.outcomes.items():
                does = name if catalog.succeeds(name, mode.name, outcome) else None
                yield _rule(mode.inputs, before, result.facts, does)


def _rule(facts: Iterable[str], before: Orderings, gives: tuple[str, ...], does: str | None = None) -> _Rule:
    return _Rule(frozenset(facts), frozenset(ordering.first for ordering in before), gives, does)
