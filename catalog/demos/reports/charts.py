"""Charts as PNG pictures; they are drawn without a browser and without a screen."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

_COLOURS = ("#0f8b8d", "#d98324", "#5b4bb5", "#c8453b", "#6b8e23", "#8a6f57")


def draw_bars(title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(6.4, 3.6), dpi=120, layout="constrained")
    FigureCanvasAgg(drawn)
    axes = drawn.add_subplot()
    width = 0.8 / max(1, len(series))
    for at, (name, values) in enumerate(series.items()):
        left = [place + width * (at - (len(series) - 1) / 2) for place in range(len(labels))]
        axes.bar(left, list(values), width=width, label=_plain(name), color=_COLOURS[at % len(_COLOURS)])
    axes.set_xticks(range(len(labels)), [_plain(label)[:24] for label in labels])
    if len(labels) > 6:
        axes.tick_params(axis="x", labelrotation=45)
    axes.set_title(_plain(title))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.spines[["top", "right"]].set_visible(False)
    if len(series) > 1:
        drawn.legend(loc="outside lower center", ncols=len(series), frameon=False)
    made = io.BytesIO()
    drawn.savefig(made, format="png", metadata={"Software": None})
    return made.getvalue()


def _plain(text: str) -> str:
    """Keep a text from being read as a formula (matplotlib takes what stands between dollars for one)."""
    return text.replace("$", r"\$")
