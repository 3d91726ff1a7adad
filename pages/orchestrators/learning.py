"""What was learned from what people did: curves, what a bandit expects, and how far confidences can be relied on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from catalog.wording.agents import agent_name, figure, say_reaction
from catalog.wording.grammar import capitalize, count, listing
from dialogue.agents.feedback import Feedback
from dialogue.agents.learning.replay import Bin, FeedbackMoment
from dialogue.agents.model import NOBODY, Stage
from pages.shell.sheet import Node, button, el, empty, folded, hint, row, table

Figure = dict[str, Any]
_MOST = 8
"""Agents in one chart; those with the most to show come first."""
_FEW = 12
"""Up to so many lessons, each is marked in a curve."""
_FIRST_ROWS, _ROWS = 10, 200
"""Lessons that are shown, and those that are there folded up."""


def shown_name(agent: str) -> str:
    return "Doing nothing" if agent == NOBODY else capitalize(agent_name(agent))


def nothing_learned() -> Node:
    words = "A turn teaches something once the next one shows its outcome, or a person says how good it was."
    return empty("waiting", "Nothing was learned yet", words)


def reward_curve(progress: Sequence[FeedbackMoment]) -> Figure:
    trace = {"type": "scatter", "x": list(range(1, len(progress) + 1)), "y": [one.reward for one in progress]}
    return _figure([{**trace, "name": "reward so far", "line": {"shape": "hv", "width": 2}}], "reward so far")


def threshold_curves(progress: Sequence[FeedbackMoment], stage: Stage) -> Figure:
    told = [(place, one) for place, one in enumerate(progress, 1) if one.feedback.stage is stage]
    moved = {
        name: len({one.thresholds[name] for _, one in told})
        for name in dict.fromkeys(name for _, one in told for name in one.thresholds)
    }
    traces = [
        {
            "type": "scatter",
            "name": shown_name(name),
            "x": [place for place, _ in told],
            "y": [one.thresholds[name] for _, one in told],
            "line": {"shape": "hv", "width": 2},
        }
        for name in _first(moved)
    ]
    return _figure(traces, "threshold", low=0, high=1)


def belief_curves(progress: Sequence[FeedbackMoment], stage: Stage) -> Figure:
    """Draw what a bandit expected of each arm before each lesson: the mean, and one standard deviation around it."""
    found: dict[str, list[tuple[int, float, float]]] = {}
    for place, one in enumerate(progress, 1):
        for belief in one.beliefs if one.feedback.stage is stage else ():
            found.setdefault(belief.arm, []).append((place, belief.mean, belief.deviation))
    often = {name: len(points) for name, points in found.items()}
    traces = [
        {
            "type": "scatter",
            "name": shown_name(name),
            "x": [place for place, _, _ in found[name]],
            "y": [mean for _, mean, _ in found[name]],
            "error_y": {"type": "data", "array": [wide for _, _, wide in found[name]], "thickness": 1, "width": 0},
            "line": {"width": 2},
        }
        for name in _first(often)
    ]
    return _figure(traces, "reward that is expected")


def reliability_plot(found: Mapping[str, Sequence[Bin]]) -> Figure:
    """Draw how often each agent was of use, by how sure it was; on the dashed line both are the same."""
    even = {
        "type": "scatter",
        "mode": "lines",
        "name": "as sure as it is right",
        "x": [0, 1],
        "y": [0, 1],
        "line": {"dash": "dash", "width": 1, "color": "#7d8c97"},
    }
    cases = {name: sum(one.count for one in bins) for name, bins in found.items()}
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": shown_name(name),
            "x": [one.confidence for one in found[name]],
            "y": [one.followed for one in found[name]],
            "marker": {"size": [min(24, 6 + 2 * one.count) for one in found[name]]},
            "line": {"width": 1.5},
        }
        for name in _first(cases)
    ]
    drawn = _figure([even, *traces], "share that was of use", low=-0.05, high=1.05)
    drawn["layout"]["xaxis"] = {"title": {"text": "confidence"}, "range": [-0.05, 1.05]}
    return drawn


def reliability_table(found: Mapping[str, Sequence[Bin]]) -> Node:
    """Write the plot as a table, for those who cannot see it."""
    rows = [
        row(
            shown_name(agent),
            f"{one.low:.1f} to {one.high:.1f}",
            str(one.count),
            figure(one.confidence),
            figure(one.followed),
        )
        for agent, bins in found.items()
        for one in bins
    ]
    heads = ("Agent", "Confidence", "Cases", "Mean confidence", "Of use")
    return folded("The same as a table", table(heads, rows))


def lesson_list(lessons: Sequence[tuple[int, Feedback]], undo: bool) -> list[Node | None]:
    """List what was learned, the latest first; where it can be undone, each has a button for that."""
    latest = list(reversed(lessons))
    first, rest = latest[:_FIRST_ROWS], latest[_FIRST_ROWS:_ROWS]
    more = len(lessons) - len(first) - len(rest)
    return [
        _lessons(first, undo, "What was learned"),
        folded(
            count(len(rest) + more, "earlier lesson"),
            _lessons(rest, undo, "What was learned earlier"),
            hint(f"And {count(more, 'earlier one')}.") if more else None,
        )
        if rest
        else None,
    ]


def _lessons(lessons: Sequence[tuple[int, Feedback]], undo: bool, name: str) -> Node:
    rows = [
        el(
            "li",
            "goal",
            el("span", "told", el("strong", "", _who(one)), el("span", "muted", _what(one))),
            button("small", f"Undo {seq}", act={"do": "undo", "what": str(seq)}) if undo else None,
            key=f"lesson-{seq}",
        )
        for seq, one in lessons
    ]
    return el("ul", "goals lessons", rows, aria_label=name)


def undo_all() -> Node:
    words = "Each lesson can be taken back, and so can all of them. The log keeps what happened."
    return el("p", "hint", words, " ", button("small", "Undo everything", act={"do": "undo", "what": "0"}))


def _who(one: Feedback) -> str:
    return listing(tuple(shown_name(agent) for agent in one.agents)) or "No agent acted"


def _what(one: Feedback) -> str:
    said = say_reaction(one.reaction) if one.agents else "nothing to react to"
    wanted = f"; typed instead: what {listing(tuple(map(agent_name, one.wanted)))} had to offer" if one.wanted else ""
    after = ", after it was carried out" if one.stage is Stage.AFTER else ""
    return f"{said}{wanted}{after}, worth {one.reward:+.1f}"


def stages_in(progress: Sequence[FeedbackMoment]) -> tuple[Stage, ...]:
    return tuple(stage for stage in Stage if any(one.feedback.stage is stage for one in progress))


def _first(weights: Mapping[str, int]) -> list[str]:
    """Return the names with the greatest weights, in the order in which they came."""
    kept = set(sorted(weights, key=lambda name: -weights[name])[:_MOST])
    return [name for name in weights if name in kept]


def _figure(traces: Iterable[Figure], what: str, *, low: float | None = None, high: float | None = None) -> Figure:
    data = list(traces)
    alone = f": {data[0]['name']}" if len(data) == 1 and data[0]["name"] != what else ""
    yaxis: Figure = {"title": {"text": f"{what}{alone}"}}
    if low is not None:
        yaxis["range"] = [low, high]
    places = [place for trace in data for place in trace["x"]]
    xaxis: Figure = {"title": {"text": "lesson"}}
    if places:
        few = len(set(places)) <= _FEW
        xaxis |= {"range": [min(places) - 0.5, max(places) + 0.5], "dtick": 1 if few else None}
        data = [{"mode": "lines+markers", **trace} if few else {"mode": "lines", **trace} for trace in data]
    return {"data": data, "layout": {"xaxis": xaxis, "yaxis": yaxis}}
