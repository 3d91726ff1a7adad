"""Proposers of splits: the user's own, a catalog's methods, stages for each item of a list, and cuts at landmarks.

They are tried in this order. A language model is handed in beside them where one is configured; it is asked when they
have found no way.
"""

from planning.hierarchy.proposers.collections import COLLECTIONS, propose_for_each_item
from planning.hierarchy.proposers.landmarks import propose_at_landmarks
from planning.hierarchy.proposers.methods import GIVEN, propose_given, propose_methods
from planning.hierarchy.proposers.protocol import NoSplit, Propose, SplitOccasion

PROPOSERS: dict[str, Propose] = {
    GIVEN: propose_given,
    "methods": propose_methods,
    COLLECTIONS: propose_for_each_item,
    "landmarks": propose_at_landmarks,
}
MODEL = "model"
"""The proposer that is a language model."""
