"""Write a plan's graph as one HTML file that needs nothing else: pyvis makes it, and its dangers are taken out.

pyvis links to outside files in every mode it has, shows a tooltip as HTML as soon as one of them holds "href", and
puts the heading in unescaped. So: the library it ships is put in, every link to elsewhere is taken out, and whatever
comes from people, catalogs or skills is escaped; a policy in the page itself forbids all requests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from pyvis.network import Network

from pages.shell.sheet import shorten
from pages.shell.web import VIS_FOLDER
from pages.views.graph import GraphEdge, GraphNode
from pages.views.layers import place

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
_COLORS = {
    "ask": ("#f1effb", "#5a47b8"),
    "authorize": ("#fdf3e3", "#8a5000"),
    "confirm": ("#fdf3e3", "#8a5000"),
    "map": ("#fbf8d9", "#6b5f00"),
    "skill": ("#e6f3f5", "#0b6577"),
    "goal": ("#e8f5ee", "#1d6f42"),
}
_PLAIN = ("#eef2f4", "#54646f")
_ACROSS, _DOWN = 250, 90
_OUTSIDE = re.compile(r"<(script|link)\b[^>]*\b(?:src|href)\s*=[^>]*>(?:\s*</script>)?", re.IGNORECASE)


def write_file(title: str, nodes: Sequence[GraphNode], edges: Iterable[GraphEdge]) -> str:
    """Write a graph as one HTML file, drawn at fixed places, that makes no request."""
    drawn = tuple(edges)
    places = place([node.id for node in nodes], [(edge.source, edge.target) for edge in drawn])
    network = Network(height="94vh", width="100%", directed=True, cdn_resources="in_line")
    network.toggle_physics(False)
    for node in nodes:
        layer, across = places[node.id]
        fill, line = _COLORS.get(node.kind, _PLAIN)
        label = f"{node.title}\n{node.detail}" if node.detail else node.title
        network.add_node(
            node.id,
            label=_text(label),
            title=_text(node.tip or node.title),
            shape="box",
            color={"background": fill, "border": line},
            x=layer * _ACROSS,
            y=across * _DOWN,
            physics=False,
        )
    for edge in drawn:
        network.add_edge(edge.source, edge.target, title=_text(edge.tip), color="#7d8c97")
    return _seal(network.generate_html(notebook=False), title)


def _text(text: str) -> str:
    """Make a text that no HTML parser and no script tag can read as anything else; pyvis wants no "href" either."""
    clean = shorten(text, 200)
    for sign, harmless in (("<", "‹"), (">", "›"), ("&", "＆"), ("\u2028", " "), ("\u2029", " ")):
        clean = clean.replace(sign, harmless)
    return re.sub("href", "hre\u200bf", clean, flags=re.IGNORECASE)


def _seal(html: str, title: str) -> str:
    """Take the outside links out, put the library and the policy in, and escape the heading."""
    html = re.sub(r"<(center|h1)>.*?</\1>", "", html, flags=re.DOTALL)
    html = _OUTSIDE.sub("", html)
    library = (VIS_FOLDER / "vis-network.min.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
    style = (VIS_FOLDER / "vis-network.css").read_text(encoding="utf-8")
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(title)}</title><style>{style}</style><script>{library}</script>"
    )
    html = re.sub(r"<head>", lambda _: f"<head>{head}", html, count=1)
    return re.sub(
        r"<body>", lambda _: f"<body><h2 style='font:600 1.1rem sans-serif'>{escape(title)}</h2>", html, count=1
    )
