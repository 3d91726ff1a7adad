"""Say what something takes: questions, calls, money, time and quality, as far as the catalog speaks of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from catalog.analysis.metrics import find_metrics
from catalog.model import Catalog
from catalog.model.settings import Metric
from planning.model import Amounts, StepKind
from planning.task.spending import say_money

_COUNTED = {
    StepKind.ASK: "question",
    StepKind.AUTHORIZE: "consent",
    StepKind.CONFIRM: "confirmation",
    StepKind.SKILL: "call",
}
_UNITS = ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h"))
"""Up to how many seconds a unit is used, its length in seconds, and its name; days beyond."""


def say_amounts(catalog: Catalog, steps: Iterable[StepKind], amounts: Amounts) -> str:
    """Say what steps take: "2 questions, 3 calls, 0.50 EUR, about 40 s"."""
    counts = Counter(steps)
    said = [
        f"{counts[kind]} {word}{'s' if counts[kind] > 1 else ''}" for kind, word in _COUNTED.items() if counts[kind]
    ]
    declared = find_metrics(catalog)
    if Metric.MONEY in declared:
        said.append(say_money(amounts.money, catalog.settings.currency))
    if Metric.TIME in declared:
        said.append(f"about {say_time(amounts.time_s)}")
    if Metric.QUALITY in declared:
        said.append(f"quality {amounts.quality:.2g}")
    return ", ".join(said)


def say_time(seconds: float) -> str:
    """Say how long something takes, as roughly as people do."""
    for most, length, unit in _UNITS:
        if seconds < most:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86_400:.0f} days"
