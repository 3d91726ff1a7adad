"""The split that the user gave: a list of activities, which stands as it is."""

from __future__ import annotations

from planning.hierarchy.proposers.protocol import SplitOccasion
from planning.hierarchy.split import Split, SplitGain

GIVEN = "given"
"""The name of the proposer, and of the author of the split."""


def propose_given(occasion: SplitOccasion) -> Split | None:
    """Propose the user's own activities, once; inputs that are not said are found out."""
    if not occasion.activities or any(split.proposer == GIVEN for split in occasion.earlier):
        return None
    adds = (SplitGain.COLLECTION,) if any(one.each for one in occasion.activities) else ()
    return Split(proposer=GIVEN, stages=occasion.describe_stages(occasion.activities), adds=adds)
