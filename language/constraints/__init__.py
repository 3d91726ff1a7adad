"""Constraints: requests are completed and checked by the rules of the catalog, in a logic program.

What was said is written as facts of a logic program; rules that are generated from the catalog, and its own, complete
and check it ("LLM+Reasoning+Planning" paper, §3). Nothing is planned where a rule objects.
"""

from __future__ import annotations

from language.constraints.program import Domain, UnfitRules, generate_rules, prepare
from language.constraints.solve import Materialized, materialize, write_facts
