"""The tree of hypotheses: what planning says of each, the moves that make the tree, and what follows from them."""

from planning.hierarchy.tree.hypotheses import (
    ROOT,
    Attempt,
    DirectlyPlanned,
    Hypothesis,
    Move,
    PlanDropped,
    Reopened,
    SplitAttempted,
    Tree,
)
from planning.hierarchy.tree.verdict import (
    Impossible,
    Missing,
    MissingKind,
    Planned,
    PlanStep,
    StageStart,
    Undecided,
    Verdict,
    count_functions,
)
