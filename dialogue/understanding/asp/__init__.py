"""From requests as they were understood to requests that are complete and right: facts, rules, and what follows.

What was said is written as facts of a logic program; rules that are generated from the catalog, and its own, complete
and check it ("LLM+Reasoning+Planning" paper, §3). Nothing is planned where a rule objects.
"""

from __future__ import annotations

from dialogue.understanding.asp.facts import write_facts
from dialogue.understanding.asp.materialize import Materialized, materialize
from dialogue.understanding.asp.rules import Domain, UnfitRules, generate_rules, prepare

__all__ = ["Domain", "Materialized", "UnfitRules", "generate_rules", "materialize", "prepare", "write_facts"]
