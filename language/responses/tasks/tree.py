"""Stages, steps and criteria in words."""

from __future__ import annotations

from decimal import Decimal

from catalog.model import Catalog
from catalog.values.base import listed
from planning.hierarchy.description import Comparison, Criterion
from planning.hierarchy.tree import GapKind, Impossible, Planned, PlanStep, Undecided
from planning.model import StepKind


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
            return f"lacks {listed([_say_missing(catalog, one.kind, one.facts) for one in sets[0]])}"
        case Impossible(over_budget=money) if money is not None:
            return say_over_budget(money)
        case Impossible():
            return "cannot be done"
        case Undecided(reason=reason):
            return f"planning gave up: {reason}"
        case _:
            return ""


def _say_missing(catalog: Catalog, kind: GapKind, facts: tuple[str, ...]) -> str:
    labels = listed([catalog.facts[fact].label if fact in catalog.facts else fact for fact in facts])
    return f"a function for {labels}" if kind is GapKind.FUNCTION else labels


def say_over_budget(money: float) -> str:
    return f"it would take {money:,g}, and the budget is less"


def say_criterion(catalog: Catalog, criterion: Criterion) -> str:
    if criterion.judge is not None:
        return criterion.judge
    named = (criterion.of, criterion.also or "")
    of, also = (catalog.facts[fact].label if fact in catalog.facts else fact for fact in named)
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
