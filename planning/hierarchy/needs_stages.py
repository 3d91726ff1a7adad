"""Whether results can be had in stages, and only so: then they are a task, whatever a plan in one piece lacks."""

from __future__ import annotations

from catalog.analysis.dependencies import can_be_asked
from catalog.model.entry import Names
from planning.hierarchy.description import Description, Input, ResultDocument
from planning.hierarchy.search import Search
from planning.hierarchy.tree import ROOT, Tree


def find_inputs_in_stages(search: Search, results: Names) -> Names | None:
    """List what people hand over where results can be had in stages, and only so.

    Everything that people can be asked for is taken to be there. None: there is a plan in one piece then (row H2), or
    no split helps either; nothing that is missing makes a task of what is none.
    """
    facts = search.catalog.facts
    handed = [name for name, fact in facts.items() if can_be_asked(fact) and name not in results]
    description = Description(
        text=", ".join(results),
        inputs={name: Input() for name in handed},
        results={name: ResultDocument() for name in results},
    )
    tree = Tree.of(description, frozenset(handed))
    for _, after in search.run(tree):
        tree = after
    if tree.root.plan is not None or not tree.is_solved(ROOT):
        return None
    used = {fact for one in tree.hypotheses.values() if one.plan is not None for fact in one.plan.uses}
    used.update(listed for one in tree.hypotheses.values() for listed in one.description.each.values())
    return tuple(name for name in handed if name in used)
