"""Declared splits: the user's own, and by methods of the catalog, as in HTN planning (Erol, Hendler, Nau 1994)."""

from __future__ import annotations

from catalog.analysis.dependencies import stand_ins
from catalog.model.entry import Names
from catalog.model.method import Method
from planning.hierarchy.proposers.protocol import SplitOccasion
from planning.hierarchy.split import Split, SplitGain, goal_of

GIVEN = "given"
"""The name of the proposer, and of the author of the split."""


def propose_given(occasion: SplitOccasion) -> Split | None:
    """Propose the user's own activities, once; inputs that are not said are found out."""
    if not occasion.activities or any(split.proposer == GIVEN for split in occasion.earlier):
        return None
    adds = (SplitGain.COLLECTION,) if any(one.each for one in occasion.activities) else ()
    return Split(proposer=GIVEN, stages=occasion.describe_stages(occasion.activities), adds=adds)


def propose_methods(occasion: SplitOccasion) -> Split | None:
    """Propose by each method in turn whose results cover the task's and whose conditions hold.

    Then come those whose conditions are information that people can be asked for. Within a stage of a method the same
    one is not taken again.
    """
    serving = [one for one in occasion.catalog.methods.values() if one.name not in occasion.inside]
    serving = [one for one in serving if _serves(occasion, one)]
    for method in sorted(serving, key=lambda one: bool(_needs(occasion, one))):
        split = _split_by(occasion, method)
        if occasion.is_new(split):
            return split
    return None


def _serves(occasion: SplitOccasion, method: Method) -> bool:
    wanted = goal_of(occasion.catalog, occasion.description)
    results = stand_ins(occasion.catalog, method.results)
    return bool(wanted) and results.issuperset(wanted) and occasion.information.issuperset(_needs(occasion, method))


def _needs(occasion: SplitOccasion, method: Method) -> Names:
    there = stand_ins(occasion.catalog, occasion.known)
    return tuple(fact for fact in method.given if fact not in there)


def _split_by(occasion: SplitOccasion, method: Method) -> Split:
    collections = (SplitGain.COLLECTION,) if any(stage.each for stage in method.stages) else ()
    return Split(
        proposer="methods",
        stages=occasion.describe_stages(method.stages),
        adds=(SplitGain.METHOD, *collections),
        name=method.name,
        needs=_needs(occasion, method),
    )
