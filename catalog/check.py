"""Check whether a catalog makes sense: the errors that no catalog is loaded with, and warnings worth a look."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from catalog.checks.findings import Findings
from catalog.checks.metrics import check_metrics
from catalog.checks.names import check_collisions, check_looks
from catalog.checks.program import check_program
from catalog.checks.reach import check_reach, check_types, check_use
from catalog.checks.references import check_references
from catalog.checks.rules import check_order, check_rules
from catalog.checks.several import check_binds, check_instances, check_lists
from catalog.endpoints import ALLOWED, EndpointRefused, parse
from catalog.loaded import Loaded
from catalog.model import Catalog
from catalog.problems import Place, Problem

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


def check(loaded: Loaded, allowed: Collection[str] = ALLOWED) -> tuple[Problem, ...]:
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
                parse(endpoint, allowed)
            except EndpointRefused as refused:
                findings.error("endpoint", ("skills", name, key), f"{refused.found} {refused.known}", refused.write)
