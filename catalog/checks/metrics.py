"""Warnings: a budget where nothing is charged for, and something to minimise that no skill declares."""

from __future__ import annotations

from catalog.checks.findings import Findings
from catalog.metrics import find_metrics
from catalog.model import Catalog
from catalog.settings import Metric

_KEYS = {Metric.MONEY: "money", Metric.TIME: "time_s", Metric.QUALITY: "quality"}


def check_metrics(catalog: Catalog, findings: Findings) -> None:
    """Check that what the settings bound or minimise is declared by some skill."""
    declared, settings = find_metrics(catalog), catalog.settings
    if settings.budget is not None and Metric.MONEY not in declared:
        found = "A budget is set, and no skill is charged for: it bounds nothing."
        findings.warn("budget-idle", ("settings", "budget"), found, "Say what calls cost (`money`), or take it out.")
    if settings.minimize not in declared:
        found = f"Plans are to be made cheap in {settings.minimize.value}, and no skill says anything of that."
        write = f"Let skills declare `{_KEYS[settings.minimize]}`, or minimize cost."
        findings.warn("metric-idle", ("settings", "minimize"), found, write)
