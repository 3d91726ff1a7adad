"""The logic program of a catalog: rules generated from its goals and facts, and the rules that it declares.

Everything comes from the one catalog from which the planning task is compiled, so the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from catalog.analysis.dependencies import results_of, uses_of
from catalog.model import Catalog
from catalog.model.catalog import CatalogKey
from catalog.rules import Rule, RuleProgram, RuleVocabulary, check_rules, read_rules
from catalog.rules.vocabulary import ASKED, GOAL


class UnfitRules(ValueError):
    """A rule of a catalog cannot be used; the message says which, and what to write instead."""


@dataclass(frozen=True)
class Domain:
    """All rules of a catalog, generated ones first, ready for one utterance after another; built once."""

    catalog: Catalog
    vocabulary: RuleVocabulary
    program: RuleProgram
    periods: Mapping[str, tuple[str, str]]
    """Facts whose value is a period, with the facts of its first and its last day."""


def prepare(catalog: Catalog) -> Domain:
    """Return the rules of a catalog, ready to run; cached.

    Raises `UnfitRules` where its own are not right, which loading would tell.
    """
    return _prepare(CatalogKey(catalog))


@lru_cache(maxsize=8)
def _prepare(same: CatalogKey) -> Domain:
    catalog = same.catalog
    vocabulary = RuleVocabulary.of(catalog)
    if faults := check_rules(catalog.rules, vocabulary):
        told = (f"Rules {fault.text + 1}, line {fault.line}: {fault.found} {fault.write}" for fault in faults)
        raise UnfitRules("\n".join(told))
    periods = find_periods(catalog)
    own = (rule for text in catalog.rules for rule in read_rules(text))
    rules = (*generate_rules(catalog, vocabulary, periods), *own)
    return Domain(catalog, vocabulary, RuleProgram(rules), periods)


def find_periods(catalog: Catalog) -> Mapping[str, tuple[str, str]]:
    """Find the facts whose value is a period with a first and a last day of their own; once for all who ask."""
    return _find_periods(CatalogKey(catalog))


@lru_cache(maxsize=8)
def _find_periods(same: CatalogKey) -> Mapping[str, tuple[str, str]]:
    catalog = same.catalog
    found: dict[str, tuple[str, str]] = {}
    for name, fact in catalog.facts.items():
        if fact.value.ends and catalog.facts.keys() >= set(fact.value.ends):
            start, end = fact.value.ends
            found[name] = (start, end)
    return found


def generate_rules(
    catalog: Catalog, vocabulary: RuleVocabulary, periods: Mapping[str, tuple[str, str]]
) -> Iterator[Rule]:
    """Generate the rules that a catalog implies: its goals, typed arguments, periods, and references."""
    for goal in catalog.goals:
        name = vocabulary.goals[goal]
        yield Rule(
            head=f"goal(X, {name})",
            body=f"_goal(X, {name})",
            defines=GOAL,
            positive=frozenset((ASKED,)),
            variables=("X",),
            constants=frozenset((name,)),
        )
    for fact in catalog.facts:
        if fact not in periods:
            yield _argument(vocabulary, fact)
    for period, ends in periods.items():
        for fact, pair in zip(ends, ("(S, _)", "(_, S)"), strict=True):
            yield _part(vocabulary, period, fact, pair)
    for goal in catalog.goals:
        for result in results_of(catalog, goal):
            for argument in uses_of(catalog, result):
                yield _reference(vocabulary, argument, goal, result)


def _argument(vocabulary: RuleVocabulary, fact: str) -> Rule:
    """Derive an argument from words, as a value of its kind: a synonym becomes the option, "12" an amount."""
    name = vocabulary.facts[fact]
    return Rule(
        head=f"{name}(X, V, {vocabulary.kinds[fact]})",
        body=f"goal(X, _), _{name}(X, S), V = @value({name}, S)",
        defines=(name, 3),
        positive=frozenset((GOAL, (f"_{name}", 2))),
        variables=("X", "S", "V"),
    )


def _part(vocabulary: RuleVocabulary, period: str, fact: str, pair: str) -> Rule:
    """Derive the first or last day from a period, unless the day was given by itself."""
    name, whole = vocabulary.facts[fact], vocabulary.facts[period]
    return Rule(
        head=f"{name}(X, V, {vocabulary.kinds[fact]})",
        body=f"goal(X, _), _{whole}(X, {pair}), not _{name}(X, _), V = @value({name}, S)",
        defines=(name, 3),
        positive=frozenset((GOAL, (f"_{whole}", 2))),
        negative=frozenset(((f"_{name}", 2),)),
        variables=("X", "S", "V"),
    )


def _reference(vocabulary: RuleVocabulary, argument: str, goal: str, result: str) -> Rule:
    """Derive an argument from an earlier request, where a mapping accepts its result."""
    name = vocabulary.facts[argument]
    return Rule(
        head=f"{name}(X, Y, {vocabulary.facts[result]})",
        body=f"goal(X, _), _{name}(X, Y), goal(Y, {vocabulary.goals[goal]})",
        defines=(name, 3),
        positive=frozenset((GOAL, (f"_{name}", 2))),
        variables=("X", "Y"),
        constants=frozenset((vocabulary.goals[goal],)),
    )
