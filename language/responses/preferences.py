"""Preferences: what is to be minimised, and what may be spent."""

from __future__ import annotations

from typing import Protocol

from catalog.model import Catalog
from catalog.model.settings import Metric
from language.responses.grammar import listing
from planning.task.spending import say_money

_USUAL = "the usual way"
_WAYS = {
    Metric.COST: _USUAL,
    Metric.MONEY: "the cheapest way",
    Metric.TIME: "the quickest way",
    Metric.QUALITY: "the most reliable way",
}


class Preferring(Protocol):
    """What was said of preferences, as understood or as recorded."""

    @property
    def minimize(self) -> Metric | None:
        """What is to be minimised, if that was said."""

    @property
    def usual(self) -> bool:
        """Whether to minimise again what the catalog does."""

    @property
    def budget(self) -> float | None:
        """What may be spent, if that was said."""

    @property
    def unlimited(self) -> bool:
        """Whether there is no budget any more."""


def say_preference(catalog: Catalog, preference: Preferring) -> str:
    """Give what the user said as the reason of a change: "you said at most 2.00 EUR"."""
    said = []
    if preference.unlimited:
        said.append("you lifted the budget")
    if preference.budget is not None:
        said.append(f"you said at most {say_money(preference.budget, catalog.settings.currency)}")
    if way := _way(preference):
        said.append(f"you asked for {way}")
    return listing(tuple(said))


def confirm_preference(catalog: Catalog, preference: Preferring) -> str:
    """Confirm what the user said: "I will spend at most 2.00 EUR"."""
    said = []
    if preference.unlimited:
        said.append("spend what it takes")
    if preference.budget is not None:
        most = say_money(preference.budget, catalog.settings.currency)
        said.append(f"spend at most {most}" if preference.budget else "spend nothing")
    if way := _way(preference):
        said.append(f"take {way}")
    return f"I will {listing(tuple(said))}."


def ask_for_more(catalog: Catalog, budget: float, label: str) -> str:
    """Ask whether more may be spent on a goal than was allowed."""
    return f"May I spend {say_money(budget, catalog.settings.currency)} in all on {label}?"


def _way(preference: Preferring) -> str:
    """Name the way that was asked for, if one was."""
    if preference.usual:
        return _USUAL
    return "" if preference.minimize is None else _WAYS[preference.minimize]
