"""Vocabulary of rules: the facts and goals of a catalog, each with an identifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from catalog.model import Catalog
from catalog.model.identifiers import identify

Signature = tuple[str, int]
"""A predicate: its name, and how many arguments it has."""

GOAL: Signature = ("goal", 2)
ASKED: Signature = ("_goal", 2)
ERROR: Signature = ("error", 1)
DERIVED_BY = "derived_by"
RESERVED = frozenset({"goal", "error", "not", DERIVED_BY, "true", "false", "json"})
"""Names that no fact has in a program."""


@dataclass(frozen=True)
class RuleVocabulary:
    """The identifiers of a catalog's facts and goals in rules, and the kind of each fact's values.

    Of a fact `day` there is `_day(X, V)`, what was said for request X, and `day(X, V, T)`, what holds of it: V is a
    value of kind T, or another request whose result T is meant.
    """

    facts: Mapping[str, str]
    goals: Mapping[str, str]
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, catalog: Catalog) -> RuleVocabulary:
        return cls(
            facts=identify(catalog.facts, RESERVED, "fact"),
            goals=identify(catalog.goals, RESERVED, "goal"),
            kinds={name: fact.value.kind for name, fact in catalog.facts.items()},
        )

    @cached_property
    def fact_of(self) -> Mapping[str, str]:
        """Lead back from an identifier to the fact."""
        return {identifier: name for name, identifier in self.facts.items()}

    @cached_property
    def goal_of(self) -> Mapping[str, str]:
        """Lead back from an identifier to the goal."""
        return {identifier: name for name, identifier in self.goals.items()}

    @cached_property
    def signatures(self) -> frozenset[Signature]:
        """Collect the predicates that rules may use without defining them."""
        return frozenset((GOAL, ASKED, *self._of_facts()))

    def _of_facts(self) -> Iterator[Signature]:
        for identifier in self.facts.values():
            yield identifier, 3
            yield f"_{identifier}", 2
