"""Draw a run: regret over turns with confidence bands; plotly lays it out, and a browser makes a picture of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from benchmarks.agents.results import BLOCK, SETTLED, Result, Run
from benchmarks.agents.world import DRIFT
from benchmarks.planning.chart import write_picture

FILE = Path(__file__).parent / "chart.svg"
WIDTH, HEIGHT = 1_000, 560
SHOWN = {  # colours that stay apart for people who see few (Okabe and Ito)
    "max": "#D55E00",
    "preference": "#CC79A7",
    "threshold": "#E69F00",
    "s3": "#A6761D",
    "max, isotonic": "#56B4E9",
    "bandit, Thompson sampling": "#0072B2",
    "bandit, LinUCB": "#009E73",
    "Vowpal Wabbit, SquareCB": "#555555",
    "river, LinUCBDisjoint": "#999999",
}


def draw(run: Run) -> go.Figure:
    """Draw a line for each system, and the band in which its mean lies with 95 % confidence."""
    figure = go.Figure()
    for result in run.results:
        if result.name in SHOWN:
            _add(figure, result, SHOWN[result.name])
    for turn in range(SETTLED, run.turns, DRIFT):
        figure.add_vline(x=turn, line={"color": "#cccccc", "width": 1, "dash": "dot"})
    figure.update_xaxes(title="turn (dotted: what people like changes)", gridcolor="#eeeeee", range=[0, run.turns])
    figure.update_yaxes(title="regret of a turn", gridcolor="#e5e5e5", rangemode="tozero")
    figure.update_layout(
        width=WIDTH,
        height=HEIGHT,
        template="plotly_white",
        font={"family": "sans-serif", "size": 13, "color": "#222222"},
        margin={"l": 70, "r": 20, "t": 20, "b": 130},
        legend={"orientation": "h", "y": -0.16, "yanchor": "top", "x": 0.0},
    )
    return figure


def _add(figure: go.Figure, result: Result, colour: str) -> None:
    mean, half = result.curve()
    x = np.arange(len(mean)) * BLOCK + BLOCK / 2
    ours = result.name.startswith("bandit")
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    figure.add_trace(
        go.Scatter(
            x=[*x, *x[::-1]],
            y=[*(mean + half), *(mean - half)[::-1]],
            fill="toself",
            fillcolor=f"rgba({red},{green},{blue},0.15)",
            line={"width": 0},
            showlegend=False,
            hoverinfo="skip",
        )
    )
    line = {"color": colour, "width": 3 if ours else 1.5, "dash": "dot" if "," in result.name and not ours else "solid"}
    figure.add_trace(go.Scatter(x=x, y=mean, name=result.name, mode="lines", line=line))


def write_chart(run: Run) -> None:
    """Write the chart as SVG."""
    write_picture(draw(run), FILE, WIDTH, HEIGHT)
