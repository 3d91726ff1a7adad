"""How stages, steps, splits, criteria and what is missing are put, with the labels of a catalog.

What people and files say, names and labels are data. The task itself is “the task”, a stage goes by what it is to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from catalog.model import Catalog
from catalog.values.base import listed
from catalog.wording.grammar import clean, count, is_plural, named_skill, quote, the
from catalog.wording.values import expected
from explain.claim import ClaimWords
from planning.hierarchy.description import Comparison, Criterion
from planning.hierarchy.split import Flaw, Refusal, Split, SplitGain
from planning.hierarchy.tree import ROOT, Impossible, Missing, MissingKind, Planned, PlanStep, Undecided
from planning.model import StepKind

_LONGEST_SET, _MOST_SETS = 5, 2
"""Parts of a set, and sets, that are told."""
Sets = tuple[tuple[Missing, ...], ...]
"""Sets of what is missing: each of them would be enough."""
Stages = Sequence[tuple[str, str]]
"""Ids of stages with their texts."""

PROPOSERS = {
    "given": "your own list of activities",
    "methods": "a method of the catalog",
    "collections": "what can be done for each item of a list",
    "landmarks": "what every way has to pass through",
    "model": "a language model",
}
_ADDS = {
    SplitGain.METHOD: "a way that the catalog knows",
    SplitGain.COLLECTION: "steps for each item of a list",
    SplitGain.FUNCTION: "a function that does not exist yet",
    SplitGain.SEARCH: "smaller searches that show where something is missing",
}


class OfStage(Protocol):
    """Something that is said of a stage: its id, and what it is to do."""

    @property
    def stage(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class TaskWords(ClaimWords):
    """How things are put; `asked` is the stage that was asked about."""

    catalog: Catalog
    asked: str = ROOT

    def fact(self, name: str) -> str:
        return clean(_label(self.catalog, name))

    def facts(self, names: Iterable[str]) -> str:
        return listed(map(self.fact, names))

    def the_fact(self, name: str) -> str:
        return the(self.fact(name))

    def the_facts(self, names: Iterable[str]) -> str:
        return listed(map(self.the_fact, names))

    def was(self, fact: str) -> str:
        return f"{self.the_fact(fact)} {'were' if is_plural(self.fact(fact)) else 'was'}"

    def skill(self, name: str) -> str:
        return named_skill(clean(self.catalog.skills[name].label if name in self.catalog.skills else name))

    def criterion(self, criterion: Criterion) -> str:
        return clean(say_criterion(self.catalog, criterion), 300)

    def stage(self, claim: OfStage) -> str:
        if claim.stage == ROOT:
            return "the task"
        return "this stage" if claim.stage == self.asked else quote(claim.text.rstrip("."))

    def stages(self, stages: Stages) -> str:
        return listed(["the task" if name == ROOT else quote(text.rstrip(".")) for name, text in stages])

    def for_stages(self, stages: Stages) -> str:
        return f", for {self.stages(stages)}" if any(name != ROOT for name, _ in stages) else ""

    def missing(self, missing: Missing) -> str:
        if missing.kind is MissingKind.FUNCTION:
            return f"a function that gives {self.facts(missing.facts)}"
        return f"consent to use {self.the_facts(missing.facts)}" if missing.consent else self.the_facts(missing.facts)

    def either(self, sets: Sets) -> str:
        told = [listed(map(self.missing, found)) for found in sets if len(found) <= _LONGEST_SET] or ["several things"]
        return "; or else ".join(told[:_MOST_SETS])

    def hand_over(self, fact: str, how: str) -> tuple[str, ...]:
        declared = self.catalog.facts.get(fact)
        return () if declared is None else (f"{how}: {clean(expected(declared.value), 200)}.",)


def _label(catalog: Catalog, fact: str) -> str:
    return catalog.facts[fact].label if fact in catalog.facts else fact


# plans and splits


def say_step(catalog: Catalog, step: PlanStep) -> str:
    match step.kind:
        case StepKind.SKILL:
            return catalog.skills[step.subject].label
        case StepKind.AUTHORIZE:
            return (
                f"consent for {catalog.skills[step.subject].label if step.subject in catalog.skills else step.subject}"
            )
        case StepKind.CONFIRM:
            return f"go-ahead for {catalog.skills[step.subject].label}"
        case StepKind.MAP:
            return f"take {catalog.facts[step.inputs[0]].label} as {catalog.facts[step.subject].label}"
        case _:
            return step.subject


def why_stuck(catalog: Catalog, verdict: Planned | Impossible | Undecided | None) -> str:
    match verdict:
        case Impossible(sets=sets) if sets:
            return f"lacks {listed([_say_missing(catalog, one) for one in sets[0]])}"
        case Impossible(over_budget=money) if money is not None:
            return say_over_budget(money)
        case Impossible():
            return "cannot be done"
        case Undecided(reason=reason):
            return f"planning gave up: {reason}"
        case _:
            return ""


def _say_missing(catalog: Catalog, missing: Missing) -> str:
    labels = listed([_label(catalog, fact) for fact in missing.facts])
    return f"a function for {labels}" if missing.kind is MissingKind.FUNCTION else labels


def say_over_budget(money: float) -> str:
    return f"it would take {money:,g}, and the budget is less"


def say_split(split: Split | None, proposer: str, trouble: str = "") -> str:
    by = PROPOSERS.get(proposer, proposer)
    if split is None:
        return f"Nothing of use came from {by}: {trouble}." if trouble else f"Nothing more was found from {by}."
    name = f" “{split.name}”" if split.name else ""
    short = ", fewer than usual: no better split was found" if split.short else ""
    return f"{count(len(split.stages), 'stage')} from {by}{name}{short}."


def say_adds(split: Split) -> str:
    return f"It adds {listed([_ADDS[one] for one in split.adds])}." if split.adds else ""


def say_refusal(catalog: Catalog, refusal: Refusal) -> str:
    facts = listed([_label(catalog, fact) for fact in refusal.facts])
    where = f"Stage {refusal.stage}" if refusal.stage else "The split"
    said = {
        Flaw.TOO_FEW: "It has too few stages.",
        Flaw.TOO_MANY: "It has too many stages.",
        Flaw.REPEATED: "An earlier attempt had the same stages.",
        Flaw.GAP: f"{where} starts from {facts}, which nothing before it gives.",
        Flaw.NO_RESULT: f"No stage gives {facts}." if facts else f"{where} gives nothing.",
        Flaw.AS_LARGE: f"{where} is as large as the whole.",
        Flaw.UNKNOWN: f"{where} speaks of {facts}, which the catalog does not have.",
        Flaw.NO_LIST: f"{where} is done for each item, but {facts or 'its result'} is no list.",
    }
    return said[refusal.flaw]


# criteria


def say_criterion(catalog: Catalog, criterion: Criterion) -> str:
    if criterion.judge is not None:
        return criterion.judge
    of, also = (_label(catalog, fact) for fact in (criterion.of, criterion.also or ""))
    bounds = say_bounds(criterion.least, criterion.most)
    said = {
        Comparison.SECTIONS: f"{of} has its sections in order.",
        Comparison.SCHEMA: f"{of} fits its schema.",
        Comparison.COUNT: f"{of} has {bounds} entries.",
        Comparison.RANGE: f"{criterion.figure} in {of} is {bounds}.",
        Comparison.EQUAL: f"{criterion.figure} is the same in {of} and {also}.",
        Comparison.CONTAINS: f"{of} holds {listed([f'“{word}”' for word in criterion.words])}.",
        Comparison.NOT_EMPTY: f"{of} is not empty.",
        None: "",
    }
    return said[criterion.check]


def say_bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"{say_figure(least)} to {say_figure(most)}" if least != most else say_figure(least)
    if least is not None:
        return f"at least {say_figure(least)}"
    return f"at most {say_figure(most)}" if most is not None else ""


def say_figure(figure: float | Decimal) -> str:
    return f"{Decimal(str(figure)):,f}".removesuffix(".0")


def say_entries(evidence: Sequence[int]) -> str:
    return f"[{', '.join(map(str, evidence))}]" if evidence else ""
