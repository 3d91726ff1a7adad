"""What matters to the user: what is to be made small, what may be spent, and how that is put into words."""

from __future__ import annotations

from catalog.model import Catalog
from catalog.model.settings import Metric
from dialogue.log.events import Preferred
from explain.grammar import listing
from planning.task.spending import say_money

_USUAL = "the usual way"
_WAYS = {
    Metric.COST: _USUAL,
    Metric.MONEY: "the cheapest way",
    Metric.TIME: "the quickest way",
    Metric.QUALITY: "the most reliable way",
}


def say_preference(catalog: Catalog, preference: Preferred) -> str:
    """Give what the user said as the reason of a change: "you said at most 2.00 EUR"."""
    said = []
    if preference.unlimited:
        said.append("you lifted the budget")
    if preference.budget is not None:
        said.append(f"you said at most {say_money(preference.budget, catalog.settings.currency)}")
    if way := _way(preference):
        said.append(f"you asked for {way}")
    return listing(tuple(said))


def confirm_preference(catalog: Catalog, preference: Preferred) -> str:
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


def _way(preference: Preferred) -> str:
    """Name the way that was asked for, if one was."""
    if preference.usual:
        return _USUAL
    return "" if preference.minimize is None else _WAYS[preference.minimize]
