"""Draw a run: plotly lays the chart out, and a browser turns it into a picture that needs neither."""

from __future__ import annotations

from math import inf
from pathlib import Path
from statistics import median
from urllib.parse import unquote

import plotly.graph_objects as go
from playwright.sync_api import sync_playwright
from plotly.subplots import make_subplots

from benchmarks.planning.own import OWN
from benchmarks.planning.peers.drive import PEERS
from benchmarks.planning.report import PROMISES
from benchmarks.planning.results import Run
from tests.pages.browser import find

FILE = Path(__file__).parent / "chart.svg"
WIDTH, HEIGHT = 1_000, 560
SHORT = {
    "fast": "native, fast: one turn",
    "good": "native, good: one turn",
    "shortest": "our pyperplan engine: one turn",
    "optimal": "optimal: update and plan",
    "driver": "Fast Downward's driver",
    "binary": "its binary, fed SAS+",
    "whole": "… keeping what leads nowhere",
    "pyperplan": "pyperplan, greedy",
    "nl2flow": "NL2Flow, lean, with K*",
    "kstar": "K* alone",
    "lmcut": "Fast Downward, LM-cut",
}
LOOK = {  # colours that stay apart for people who see few (Okabe and Ito); ours are whole and thick
    "fast": ("#0072B2", "circle"),
    "good": ("#009E73", "square"),
    "shortest": ("#CC79A7", "cross"),
    "optimal": ("#0072B2", "circle"),
    "driver": ("#D55E00", "diamond"),
    "binary": ("#E69F00", "triangle-up"),
    "whole": ("#A6761D", "triangle-down"),
    "pyperplan": ("#555555", "x"),
    "nl2flow": ("#D55E00", "diamond"),
    "kstar": ("#E69F00", "triangle-up"),
    "lmcut": ("#555555", "x"),
}


def draw(run: Run) -> go.Figure:
    """Draw a panel for each promise: CPU milliseconds over the number of skills, both as powers of ten."""
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.03, subplot_titles=tuple(PROMISES.values()))
    promises = {name: own.promise for name, own in OWN.items()} | {name: peer.promise for name, peer in PEERS.items()}
    for name, promise in promises.items():
        column = list(PROMISES).index(promise) + 1
        points = [(size, time) for size in run.sizes if (time := _time(run, size, name)) is not None]
        colour, symbol = LOOK[name]
        figure.add_trace(
            go.Scatter(
                x=[size for size, _ in points],
                y=[time for _, time in points],
                name=SHORT[name],
                mode="lines+markers",
                line={"color": colour, "width": 3 if name in OWN else 1.5, "dash": "solid" if name in OWN else "dot"},
                marker={"symbol": symbol, "size": 8},
                legend="legend" if column == 1 else "legend2",
            ),
            row=1,
            col=column,
        )
    figure.update_xaxes(type="log", title="skills in the catalog", tickvals=run.sizes, gridcolor="#e5e5e5")
    figure.update_yaxes(type="log", dtick=1, gridcolor="#e5e5e5", exponentformat="none")
    figure.update_yaxes(title="CPU, ms", col=1)
    beneath = {"y": -0.2, "yanchor": "top", "xanchor": "left"}
    figure.update_layout(
        width=WIDTH,
        height=HEIGHT,
        template="plotly_white",
        font={"family": "sans-serif", "size": 13, "color": "#222222"},
        margin={"l": 70, "r": 20, "t": 40, "b": 190},
        legend={**beneath, "x": 0.0},
        legend2={**beneath, "x": 0.515},
    )
    return figure


def _time(run: Run, size: int, name: str) -> float | None:
    """Return the median time where most tasks were solved."""
    samples = [task.samples[name] for task in run.of(size) if name in task.samples]
    part = OWN[name].part if name in OWN else None
    times = [(sample.parts[part] if part else sample.ms) if sample.solved else inf for sample in samples]
    time = median(times) if times else inf
    return None if time == inf else time


def write_chart(run: Run) -> None:
    """Write the chart as SVG."""
    write_picture(draw(run), FILE, WIDTH, HEIGHT)


def write_picture(figure: go.Figure, file: Path, width: int, height: int) -> None:
    """Write a figure as SVG: a browser lays its texts out."""
    page_text = figure.to_html(include_plotlyjs=True, full_html=True)
    path = find()
    if path is None:
        raise SystemExit("There is no browser that could draw the chart: `make browser` gets one.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_content(page_text)
        address: str = page.evaluate(
            "([width, height]) => Plotly.toImage(document.querySelector('.plotly-graph-div'),"
            " {format: 'svg', width, height})",
            [width, height],
        )
        browser.close()
    file.write_text(unquote(address.removeprefix("data:image/svg+xml,")) + "\n", encoding="utf-8")
