"""The protocol of proposers of splits, and the facts that splits introduce, which the catalog has no word for yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from catalog.expand.instance_copies import change
from catalog.model import Catalog, Fact
from catalog.model.catalog import CatalogKey
from catalog.model.entry import Names
from catalog.model.method import MethodStage
from catalog.model.names import MAX_SENTENCE, folded
from catalog.values.base import shortened
from planning.hierarchy.description import Activity, Description, DescriptionPart, Input, ResultDocument
from planning.hierarchy.situation import relevant_inputs
from planning.hierarchy.split import OuterTask, Split, find_circles
from planning.hierarchy.tree import Impossible, Planned, Tree, Undecided
from planning.model import Situation


@dataclass(frozen=True, slots=True)
class SplitOccasion:
    """A hypothesis for which a split is wanted.

    `situation` is what planning in one piece starts from, `known` the facts in it; for `information` people can be
    asked. `around` are the tasks that it is a part of. `number` counts the proposer's own attempts (from 1); what it
    makes up is to depend on `seed` and `number` alone.
    `earlier` are all splits of the hypothesis so far, `inside` the methods in whose stages it is.
    """

    catalog: Catalog
    description: Description
    known: frozenset[str]
    situation: Situation = field(default_factory=Situation)
    information: frozenset[str] = field(default_factory=frozenset)
    around: tuple[OuterTask, ...] = ()
    verdict: Planned | Impossible | Undecided | None = None
    number: int = 1
    seed: str = ""
    earlier: tuple[Split, ...] = ()
    inside: frozenset[str] = field(default_factory=frozenset)
    activities: tuple[Activity, ...] = ()
    hypothesis: str = ""

    def is_new(self, split: Split) -> bool:
        return not any(split.same_as(other) for other in self.earlier)

    def is_circle(self, split: Split) -> bool:
        """Return whether a stage of a split is as large as what it is a part of."""
        whole = OuterTask.of(self.catalog, self.description, self.known)
        return any(find_circles(self.catalog, split, (*self.around, whole)))

    def describe_stage(
        self, text: str, inputs: Iterable[str], results: Names, each: Mapping[str, str] | None = None
    ) -> Description:
        """Describe a stage in full: it inherits mission, context, structures and criteria of the whole (H4)."""
        whole, taken = self.description, dict.fromkeys(inputs)
        there = {*taken, *results}
        return Description(
            text=text,
            mission=whole.mission,
            context=shortened(
                whole.text if not whole.context else f"{whole.text.rstrip('.')}. {whole.context}", MAX_SENTENCE
            ),
            inputs={fact: whole.inputs.get(fact, Input()) for fact in taken},
            results={fact: whole.results.get(fact, ResultDocument()) for fact in results},
            each=each or {},
            criteria=tuple(
                one for one in whole.criteria if one.of in results and (one.also is None or one.also in there)
            ),
            generated=tuple(part for part in whole.generated if part is not DescriptionPart.RESULTS),
        )

    def describe_stages(self, stages: Iterable[Activity | MethodStage]) -> tuple[Description, ...]:
        """Describe stages that are named by their results; what they start from is found out where it is not said."""
        there, described = set(self.known), []
        for stage in stages:
            gives = [self.catalog.facts[fact].list_of or fact for fact in stage.results if fact in self.catalog.facts]
            wanted = gives if stage.each else stage.results
            inputs = stage.inputs or relevant_inputs(self.catalog, wanted, there, stage.each)
            described.append(self.describe_stage(stage.text, inputs, stage.results, stage.each))
            there.update(stage.results)
        return tuple(described)


@dataclass(frozen=True, slots=True)
class NoSplit:
    """Nothing of use was proposed: what went wrong, in words, and whether no model could be asked at all."""

    trouble: str
    unheard: bool = False


class Propose(Protocol):
    def __call__(self, occasion: SplitOccasion) -> Split | NoSplit | None:
        """Propose a split that differs from earlier ones; None where there is no other."""
        ...


_PLAIN = re.compile(r"[a-z][a-z0-9_]{0,59}")
"""Names that are safe wherever they are written: in a catalog, on a page, in PDDL."""


def with_introduced(catalog: Catalog, facts: Mapping[str, str]) -> Catalog:
    """Return a catalog that has some facts besides, given with what they are; its own stay as they are."""
    new = {name: about for name, about in facts.items() if name not in catalog.facts}
    return _extend(CatalogKey(catalog), tuple(new.items())) if new else catalog


@lru_cache(maxsize=32)
def _extend(same: CatalogKey, facts: tuple[tuple[str, str], ...]) -> Catalog:
    made = {name: Fact(name=name, description=about, askable=False, fillable=False) for name, about in facts}
    return change(same.catalog, facts={**same.catalog.facts, **made})


def introduced_in(tree: Tree) -> dict[str, str]:
    splits = (one.split for hypothesis in tree.hypotheses.values() for one in hypothesis.attempts if one.taken)
    return {name: about for split in splits if split for name, about in split.facts.items()}


def keep_useful(catalog: Catalog, split: Split) -> Split:
    """Return a split with those of the facts that it introduces which a stage gives and a later one starts from.

    All others, and those with names that are not plain or that the catalog has in another form, are unknown facts.
    """
    taken = {folded(name) for name in catalog.facts}
    given: set[str] = set()
    useful: set[str] = set()
    for stage in split.stages:
        useful.update(given.intersection(stage.inputs))
        given.update(stage.results)
    kept = {name: split.facts[name] for name in split.facts if name in useful and _PLAIN.fullmatch(name)}
    return split.model_copy(update={"facts": {name: kept[name] for name in kept if folded(name) not in taken}})
