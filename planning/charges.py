"""What a step takes: the catalog's own costs, money, time and quality, and what of it is to be kept small."""

from __future__ import annotations

from math import log

from catalog.model import Catalog, Mode
from catalog.settings import Metric
from catalog.values import ListOf
from planning.model import Amounts, StepKind

TIE_WEIGHT = 1e-3
"""What the catalog's costs count beside another metric: enough to decide where plans are alike in that."""


def weigh(amounts: Amounts, minimize: Metric) -> float:
    """Say what something costs by a metric; among plans that take the same, the catalog's costs decide."""
    if minimize is Metric.COST:
        return amounts.cost
    place = (Metric.COST, Metric.MONEY, Metric.TIME, Metric.QUALITY).index(minimize)
    return amounts[place] + TIE_WEIGHT * amounts.cost


def take(catalog: Catalog, kind: StepKind, subject: str = "", mode: str | None = None) -> Amounts:
    """Say what a question, a consent, a go-ahead or a call takes: for a list, as much as its items can come to."""
    settings = catalog.settings
    if kind is StepKind.ASK:
        return Amounts(settings.ask_cost, time_s=settings.ask_time_s)
    if kind in (StepKind.AUTHORIZE, StepKind.CONFIRM):
        return Amounts(settings.authorize_cost, time_s=settings.authorize_time_s)
    skill = catalog.skills[subject]
    times = 1 if mode is None else _count_calls(catalog, skill.modes[mode])
    return Amounts(times * skill.cost, times * skill.money, times * skill.time_s, -times * log(skill.quality))


def _count_calls(catalog: Catalog, mode: Mode) -> int:
    """Count how often a mode may call its skill: a list has at most so many items."""
    kinds = (catalog.facts[items].value for items in mode.each.values())
    return max((kind.most for kind in kinds if isinstance(kind, ListOf)), default=1)
