"""The rules of a catalog, which are a logic program: whether they can be read, and speak of what there is."""

from __future__ import annotations

from catalog.checks.findings import Findings
from catalog.model import Catalog


def check_program(catalog: Catalog, findings: Findings) -> None:
    """Check rules, once instances are written out: rules name these."""
    if not catalog.rules or not catalog.origins.keys() <= catalog.facts.keys():
        return
    from catalog.rules import Vocabulary, check_rules  # takes 30 ms, and most catalogs have no rules

    for fault in check_rules(catalog.rules, Vocabulary.of(catalog)):
        several = "\n" in catalog.rules[fault.text].strip()
        found = f"In line {fault.line} of the rules: {fault.found}" if several else fault.found
        findings.error("rule", ("rules", fault.text), found, fault.write)
