"""Check whether a catalog makes sense: the errors that no catalog is loaded with, and warnings worth a look."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from catalog import endpoints
from catalog.analysis.metrics import find_metrics
from catalog.checks.collections import check_binds, check_instances, check_lists
from catalog.checks.findings import Findings
from catalog.checks.mappings import check_order, check_rules
from catalog.checks.reachability import check_reach, check_types, check_use
from catalog.checks.references import check_references
from catalog.checks.similar_names import check_collisions, check_looks
from catalog.model import Catalog
from catalog.model.loaded import Loaded
from catalog.model.settings import Metric
from catalog.problems import Place, Problem

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


def check_program(catalog: Catalog, findings: Findings) -> None:
    """Check rules, once instances are written out: rules name these."""
    if not catalog.rules or not catalog.origins.keys() <= catalog.facts.keys():
        return
    from catalog.rules import Vocabulary, check_rules  # takes 30 ms, and most catalogs have no rules

    for fault in check_rules(catalog.rules, Vocabulary.of(catalog)):
        several = "\n" in catalog.rules[fault.text].strip()
        found = f"In line {fault.line} of the rules: {fault.found}" if several else fault.found
        findings.error("rule", ("rules", fault.text), found, fault.write)


ERRORS = (check_instances, check_lists, check_references, check_binds, check_collisions, check_rules, check_program)
"""Run whenever a catalog is loaded."""
WARNINGS = (check_reach, check_use, check_types, check_looks, check_metrics, check_order)
"""Run when a modeler asks; they rely on a catalog without errors."""


def find_errors(catalog: Catalog, lines: Mapping[Place, int], file: str) -> tuple[Problem, ...]:
    """List what makes a catalog unusable, in the order of the file."""
    findings = Findings(file, lines)
    for check_one in ERRORS:
        check_one(catalog, findings)
    return in_order(findings)


def check(loaded: Loaded, allowed: Collection[str] = endpoints.ALLOWED) -> tuple[Problem, ...]:
    """List what is doubtful about a loaded catalog, and endpoints that the operator does not allow (errors)."""
    findings = Findings(loaded.file, loaded.lines)
    _check_endpoints(loaded.catalog, allowed, findings)
    for check_one in WARNINGS:
        check_one(loaded.catalog, findings)
    return in_order(findings)


def in_order(findings: Findings) -> tuple[Problem, ...]:
    """Sort by line; what is on one line stays in the order in which it was found."""
    return tuple(sorted(findings.problems, key=lambda problem: problem.line or 0))


def _check_endpoints(catalog: Catalog, allowed: Collection[str], findings: Findings) -> None:
    """Judge endpoints against the operator's list, importing nothing."""
    for name, skill in catalog.skills.items():
        for key, endpoint in (("endpoint", skill.endpoint), ("explain", skill.explain)):
            if endpoint is None:
                continue
            try:
                endpoints.check(endpoint, allowed)
            except endpoints.EndpointRefused as refused:
                findings.error("endpoint", ("skills", name, key), f"{refused.found} {refused.known}", refused.write)
