"""Metrics that a catalog declares: money, time, quality, cost."""

from __future__ import annotations

from catalog.model import Catalog
from catalog.model.settings import Metric


def find_metrics(catalog: Catalog) -> frozenset[Metric]:
    """List the metrics that some skill declares; costs always are among them."""
    skills = catalog.skills.values()
    found = {Metric.COST}
    if any(skill.money for skill in skills):
        found.add(Metric.MONEY)
    if any(skill.time_s for skill in skills):
        found.add(Metric.TIME)
    if any(skill.quality < 1 for skill in skills):
        found.add(Metric.QUALITY)
    return frozenset(found)
