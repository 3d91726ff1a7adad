"""Write what a run found, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.understanding.cost import Start
from benchmarks.understanding.paper import GOALS, SUCCESS, VALUES
from benchmarks.understanding.score import Score

GROUPS = (
    "single-complete",
    "single-incomplete",
    "two",
    "two-dataflow",
    "three-dataflow",
    "out-of-domain",
    "constraint",
)


@dataclass(frozen=True)
class Run:
    """The measurements."""

    split: str
    day: str
    machine: str
    ours: Sequence[Score]
    baseline: Sequence[Score]
    milliseconds: tuple[tuple[float, float], tuple[float, float]]
    """Median and 95th percentile, by the clock, and of a processor."""
    starts: tuple[Start, Start]
    others: Mapping[str, Sequence[Score]] = field(default_factory=dict)
    """Scores of other sets, by name."""


def write_report(run: Run) -> Iterator[str]:
    """Write all rates, row by row, beside the paper's; then what it costs."""
    yield (
        f"`{run.split}`, measured on {run.day} ({run.machine}). A query is right if all of it is: goals in their order,"
        " every value, every reference, and what is missing. *goals* and *values* are the rates of the paper's appendix"
        " D.4. The paper's own queries are others (Tables 1 and 2): its columns are for orientation. Baseline: TF-IDF"
        " and logistic regression on the same examples, one goal a query, values by the same rules as ours."
    )
    yield ""
    yield (
        "| queries | # | **right %** | goals % | values % | baseline right % | paper # | GPT-4 alone "
        "| GPT-4 in the paper (goals, values) | GPT-3.5 alone | GPT-3.5 in the paper (goals, values) |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for group in dict.fromkeys(score.query.group for score in run.ours):
        chosen = [(a, b) for a, b in zip(run.ours, run.baseline, strict=True) if a.query.group == group]
        yield _row(group.replace("_", " "), chosen) + _paper(group)
    for name in GROUPS:
        chosen = [
            (a, b)
            for a, b in zip(run.ours, run.baseline, strict=True)
            if a.query.sort in (name, f"{name}-complete", f"{name}-incomplete")
        ]
        yield _row(f"**{name}**", chosen) + " | | | | |"
    yield _row("**all**", list(zip(run.ours, run.baseline, strict=True))) + " | | | | |"
    yield ""
    yield f"Invented values: {_invented(run.ours)}. By the baseline: {_invented(run.baseline)}."
    if run.others:
        yield from _of_others(run.others)
    cold, warm = run.starts
    wall, worked = run.milliseconds
    yield ""
    yield (
        f"An utterance takes {wall[0]:.1f} ms (median; 95th percentile {wall[1]:.1f} ms) on one thread; "
        f"{worked[0]:.1f} ms ({worked[1]:.1f} ms) of a processor. A process is ready {cold.ready_s:.1f} s after its "
        f"imports ({cold.imports_s:.1f} s) with nothing cached, {warm.ready_s:.1f} s with what was learned at the "
        f"first start ({cold.worked_s:.1f} s and {warm.worked_s:.1f} s of a processor), and then holds "
        f"{warm.memory / 1e6:.0f} MB."
    )


def _of_others(others: Mapping[str, Sequence[Score]]) -> Iterator[str]:
    yield ""
    yield "Other sets, each written by somebody who knew the rules of annotation and not the program; right of all:"
    yield ""
    yield f"| queries | {' | '.join(f'`{name}`' for name in others)} |"
    yield f"|---|{'--:|' * len(others)}"
    for name in (*GROUPS, "all"):
        sorts = (name, f"{name}-complete", f"{name}-incomplete")
        chosen = [
            [one.right for one in scores if name == "all" or one.query.sort in sorts] for scores in others.values()
        ]
        yield f"| {name} | {' | '.join(f'{sum(rights)} of {len(rights)}' for rights in chosen)} |"
    yield f"| invented values | {' | '.join(_invented(scores) for scores in others.values())} |"


def _row(name: str, pairs: Sequence[tuple[Score, Score]]) -> str:
    count = len(pairs)
    ours = [ours for ours, _ in pairs]
    rates = (
        sum(score.right for score in ours),
        sum(score.goals for score in ours),
        sum(score.values for score in ours),
        sum(other.right for _, other in pairs),
    )
    shown = " | ".join(f"**{_rate(n, count)}**" if k == 0 else _rate(n, count) for k, n in enumerate(rates))
    return f"| {name} | {count} | {shown} | "


def _rate(right: int, count: int) -> str:
    return f"{100 * right / count:.1f}" if count else "–"


def _paper(group: str) -> str:
    reported = SUCCESS.get(group)
    if reported is None:
        return " | | | | |"
    goals, values = GOALS[group], VALUES[group]
    return (
        f"{reported.count} | {reported.alone_4:g} | {reported.paper_4:g} ({goals[0]:g}, {values[0]:g}) | "
        f"{reported.alone_35:g} | {reported.paper_35:g} ({goals[1]:g}, {values[1]:g}) |"
    )


def _invented(scores: Sequence[Score]) -> str:
    found = [f"{name} in “{score.query.text}”" for score in scores for name in score.invented]
    return f"{len(found)} ({'; '.join(found[:5])})" if found else "0"


def write_misses(scores: Sequence[Score]) -> Iterator[str]:
    """List the queries that were not right, with what was understood instead."""
    for score in scores:
        if not score.right:
            yield f"{score.query.name}: {score.query.text!r}"
            yield f"    is  {list(score.query.goals)} error={score.query.error}"
            yield f"    got {list(score.answer.goals)} error={score.answer.error}"
