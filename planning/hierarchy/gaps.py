"""What a task that is not solved lacks: functions and information, with the stages that lack them.

"Distinguish between two problems for a solution not found: cannot apply conventional planner due to a lack of
functions; additional information/document is required" (sequential-planner-v2, "Key points").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.model.entry import Names
from planning.diagnosis.model import Gap, GapSet
from planning.diagnosis.model import GapKind as Diagnosed
from planning.hierarchy.tree import ROOT, Hypothesis, Impossible, Missing, MissingKind, Tree, count_functions

_CONSENTS = (Diagnosed.CONSENT, Diagnosed.GO_AHEAD)


def write_gaps(found: GapSet, inputs: Names = ()) -> tuple[Missing, ...]:
    """Write what is missing by a diagnosis; a stage says itself what a function would have to work from."""
    return tuple(_write_gap(gap, inputs) for gap in found.gaps)


def _write_gap(gap: Gap, inputs: Names) -> Missing:
    facts = gap.facts or (gap.subject,)
    if gap.kind is Diagnosed.SKILL:
        return Missing(kind=MissingKind.FUNCTION, facts=facts, inputs=inputs or gap.inputs)
    return Missing(kind=MissingKind.INFORMATION, facts=facts, consent=gap.kind in _CONSENTS)


@dataclass(frozen=True, slots=True)
class StageGap:
    """Something that is missing, and the stages that get stuck for want of it.

    `always` says that it lacked in every attempted split of each of these stages ("document X was always required").
    """

    missing: Missing
    stages: tuple[str, ...]
    always: bool


def find_lacks(tree: Tree, stage: str = ROOT) -> tuple[StageGap, ...]:
    """List what would have to be supplied to the task, or a stage of it, of the attempt that lacks least.

    Where it is solved, that is nothing. Where several stages lack the same function, it is to work from what the first
    of them starts from.
    """
    found: dict[tuple[MissingKind, Names], list[tuple[str, Missing]]] = {}
    for name, missing in _find(tree, tree.hypotheses[stage]):
        found.setdefault((missing.kind, missing.facts), []).append((name, missing))
    return tuple(
        StageGap(
            lacking[0][1],
            tuple(name for name, _ in lacking),
            all(_always(tree, tree.hypotheses[name], missing) for name, missing in lacking),
        )
        for lacking in found.values()
    )


def find_closest(tree: Tree, one: Hypothesis) -> int | None:
    """Return the number of the split that solves a hypothesis, or else of the one that lacks least."""
    solving = tree.solving(one.id)
    ways = {number: (_count_stuck(tree, one, number), _of_stages(tree, one, number)) for number in one.taken}
    return solving or min(ways, key=lambda number: _weigh(ways[number]), default=None)


Lacking = tuple[tuple[str, Missing], ...]
"""What is missing, each with the stage that lacks it."""


def _find(tree: Tree, one: Hypothesis) -> Lacking:
    """Find what a hypothesis lacks: of its splits the one that lacks least, or itself where that is no more.

    Where a split has stages that are solved, it says more than a function that does all of it, or that gives what one
    of its stages is to give.
    """
    if tree.is_solved(one.id):
        return ()
    splits = {number: (_count_stuck(tree, one, number), _of_stages(tree, one, number)) for number in one.taken}
    ways: list[SplitTry] = [(number, way) for number, way in splits.items() if way[1]]
    if isinstance(one.verdict, Impossible) and one.verdict.sets:
        ways.append((None, (0, tuple((one.id, missing) for missing in one.verdict.sets[0]))))
    closer = [
        number
        for number, (stuck, lacking) in splits.items()
        if lacking and not stuck and any(map(tree.is_solved, one.stage_ids(number)))
    ]
    telling = [way for number, way in ways if not _says_less(tree, one, way[1], closer, itself=number in closer)]
    return min(telling or [way for _, way in ways], key=_weigh, default=(0, ()))[1]


SplitTry = tuple[int | None, tuple[int, Lacking]]
"""A split by its number, or planning in one piece, with what it lacks."""


def _says_less(tree: Tree, one: Hypothesis, lacking: Lacking, closer: Sequence[int], *, itself: bool) -> bool:
    """Return whether a function is missing of which some splits, of which this may be one itself, say more."""
    wanted = _functions_in(lacking)
    if closer and not itself and wanted.issuperset(one.description.facts):
        return True
    return any(wanted & _results_of_stages(tree, one, n) - _functions_in(_of_stages(tree, one, n)) for n in closer)


def _functions_in(lacking: Lacking) -> set[str]:
    return {fact for _, missing in lacking if missing.kind is MissingKind.FUNCTION for fact in missing.facts}


def _results_of_stages(tree: Tree, one: Hypothesis, attempt: int) -> set[str]:
    return {fact for stage in one.stage_ids(attempt) for fact in tree.hypotheses[stage].description.facts}


def _of_stages(tree: Tree, one: Hypothesis, attempt: int) -> Lacking:
    stages = [tree.hypotheses[stage] for stage in one.stage_ids(attempt)]
    lacking = [found for stage in stages for found in _find(tree, stage)]
    for fact in tree.needs(one.id, attempt):
        missing = Missing(kind=MissingKind.INFORMATION, facts=(fact,))
        users = [stage.id for stage in stages if fact in stage.description.each.values()]
        if users or all(missing != other for _, other in lacking):
            lacking += [(name, missing) for name in users or [one.id]]
    return tuple(lacking)


def _count_stuck(tree: Tree, one: Hypothesis, attempt: int) -> int:
    """Count stages that are not solved though nothing is known to be missing: what is missing would not be enough."""
    return sum(
        not tree.is_solved(stage) and not _find(tree, tree.hypotheses[stage]) for stage in one.stage_ids(attempt)
    )


def _weigh(way: tuple[int, Lacking]) -> tuple[int, int, int]:
    """Weigh what is missing: stages that nothing would help first, then functions, then what people would hand over."""
    stuck, lacking = way
    different = {(missing.kind, missing.facts): missing for _, missing in lacking}
    functions = count_functions(different.values())
    return stuck, functions, len(different) - functions


def _always(tree: Tree, one: Hypothesis, missing: Missing) -> bool:
    """Return whether nothing helps a hypothesis without something: neither in one piece nor in any split of it.

    In one piece, it is in each set of what would be enough; in a split, some stage always lacks it, or all of it does.
    """
    facts = set(missing.facts)

    def lacks(found: Iterable[Missing]) -> bool:
        return any(facts.intersection(other.facts) for other in found)

    if facts.intersection(one.description.each.values()):
        return True
    if tree.is_solved(one.id):
        return False
    sets = one.verdict.least if isinstance(one.verdict, Impossible) else ()
    splits = list(one.taken)
    return (
        bool(sets or splits)
        and all(map(lacks, sets))
        and all(
            not facts.isdisjoint(tree.needs(one.id, number))
            or any(_always(tree, tree.hypotheses[stage], missing) for stage in one.stage_ids(number))
            for number in splits
        )
    )
