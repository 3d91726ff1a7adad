"""Rules of catalogs, as logic programs (answer set programming): parsed, validated, and solved within limits.

This is the only package that imports clingo. Rules may come from a catalog of another author, and the facts
from a user's words: a rule can neither run code nor keep the solver busy, and words are never syntax.
"""

from __future__ import annotations

from catalog.rules.parser import Rule, RuleVocabulary, read_rules
from catalog.rules.program import (
    Model,
    Overrun,
    RuleLimits,
    RuleProgram,
    Symbol,
    constant,
    fact_symbol,
    name_of,
    read_value,
    write_pair,
    write_value,
)
from catalog.rules.validation import RuleFault, check_rules
