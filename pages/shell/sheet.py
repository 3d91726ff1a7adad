"""Draw trees of elements that nothing in the data can turn into markup.

Whatever people, files and skills say is drawn as text nodes by a component of our own: Streamlit's Markdown would
fetch the pictures it names, and its plain-text element has neither links nor a look. A click on an element with an
`act` comes back to Python as that act. The small pictures beside words are outlines in a 24 × 24 box,
after Google's Material icons (Apache-2.0).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import streamlit as st

from explain.claim import AnswerText

FOLDER = Path(__file__).parent / "assets"
ADDRESS = "/glass"


def component(name: str, html: str) -> Callable[..., object]:
    """Register a component; return what draws it.

    Its data goes in a list: at the first level of a dictionary Streamlit looks for tables, for which it loads pandas
    and pyarrow (60 MB).
    """
    draw = st.components.v2.component(f"planglass_{name}", html=html, js=_stub(name))
    return lambda *, data, **options: draw(data=[data], **options)


def _stub(name: str) -> str:
    """Write the script that loads a component's script and style; their addresses change when they do."""
    parts = ", ".join(f"import(at('{_address(part, 'js')}'))" for part in (name, "wear", "press"))
    return (
        "export default async component => {\n"
        f"  const at = path => new URL(path, location.origin).href;\n"
        f"  const parts = [{parts}];\n"
        "  const [drawn, look] = await Promise.all(parts);\n"
        "  const given = {...component, data: component.data[0]};\n"
        f"  await drawn.default(given, root => look.wear(root, at('{_address(name, 'css')}')));\n"
        "}\n"
    )


def _address(name: str, ending: str) -> str:
    digest = hashlib.sha256((FOLDER / f"{name}.{ending}").read_bytes()).hexdigest()[:12]
    return f"{ADDRESS}/{name}.{ending}?v={digest}"


ICONS: dict[str, str] = json.loads(files(__package__).joinpath("assets/icons.json").read_text(encoding="utf-8"))


Node = str | dict[str, Any]
Child = Node | None | Iterable["Child"]
Act = dict[str, str]

LONGEST = 600
"""Longer texts are shortened where they are shown; the log keeps them whole."""

_MARKS = tuple(",.;:!?)")

_mount = component("sheet", '<div class="sheet"></div>')


def el(
    tag: str,
    cls: str = "",
    *children: Child,
    act: Act | None = None,
    key: str | None = None,
    vars: Mapping[str, str] | None = None,
    src: str | None = None,
    **attrs: str | None,
) -> dict[str, Any]:
    """Make an element; None among the children is left out, and `aria_label` becomes `aria-label`."""
    node: dict[str, Any] = {"tag": tag, "cls": cls, "children": list(_flat(children))}
    shown = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items() if value is not None}
    for name, value in (("act", act), ("key", key), ("vars", vars), ("src", src), ("attrs", shown)):
        if value:
            node[name] = value
    return node


def icon(name: str, cls: str = "") -> dict[str, Any]:
    """Make a small picture; it is hidden from screen readers, so words must say the same."""
    return {"icon": name, "cls": cls}


def dots() -> dict[str, Any]:
    """Make three dots that beat while something is under way; words must say what."""
    return el("span", "dots", el("span"), el("span"), el("span"))


def button(
    cls: str,
    *children: Child,
    act: Act,
    label: str | None = None,
    pressed: bool | None = None,
    key: str | None = None,
) -> dict[str, Any]:
    """Make a button that sends `act` to Python; `pressed` makes it one of those that stay down."""
    down = None if pressed is None else str(pressed).lower()
    return el("button", cls, *children, act=act, key=key, aria_label=label, aria_pressed=down)


def slider(
    label: str, shown: str, span: tuple[object, object, object], value: object, *below: Child, act: Act, cls: str = ""
) -> Node:
    """Make a slider over a span (least, most, step); where its thumb rests, it sends `act` with its `value` to Python.

    `shown` is the value in words: its first number follows the thumb. Elements `below` that have `data_low` and
    `data_high` are marked as current, in the browser, while the value is between these.
    """
    least, most, step = map(str, span)
    return el(
        "div",
        f"slider {cls}",
        el("div", "line", el("span", "", label), el("span", "shown", shown)),
        el("input", "", act=act, aria_label=label, min=least, max=most, step=step, value=str(value)),
        *below,
    )


def copy_button(text: str, label: str) -> dict[str, Any]:
    """Make a button that copies a text in the browser; nothing is sent to Python."""
    return button("copy", icon("copy"), act={"do": "copy", "text": text}, label=label)


def hint(*words: Child) -> dict[str, Any]:
    """Make a paragraph that explains what is drawn."""
    return el("p", "hint", *words)


def problem(words: str) -> dict[str, Any]:
    """Make a paragraph that says what is wrong."""
    return el("p", "problem", icon("problem"), el("span", "", words))


def empty(picture: str, title: str, words: str) -> dict[str, Any]:
    """Draw the state of a panel that has nothing to show yet."""
    return el("div", "empty", icon(picture), el("strong", "", title), el("p", "", words))


def pairs(rows: Iterable[tuple[Child, Child]]) -> dict[str, Any]:
    """Make a list of names, each with what is said of it; rows without that are left out."""
    return el("dl", "pairs", [(el("dt", "", name), el("dd", "", said)) for name, said in rows if said])


def table(heads: Iterable[str], rows: Iterable[Node], cls: str = "") -> dict[str, Any]:
    """Make a table, which scrolls on its own where it is too wide; without heads it has no such row."""
    named = [el("th", "", word, scope="col") for word in heads]
    head = el("thead", "", el("tr", "", named)) if named else None
    return el("div", "tablebox wide", el("table", cls, head, el("tbody", "", rows)))


def folded(words: Child, *inside: Child, key: str | None = None, is_open: bool = False) -> dict[str, Any]:
    """Make what is shown on demand, under a line that says what it is."""
    return el("details", "evidence", el("summary", "", words), *inside, key=key, open="" if is_open else None)


def row(*cells: Child) -> dict[str, Any]:
    return el("tr", "", [el("td", "", cell) for cell in cells])


def glued(line: Iterable[Node]) -> list[Node]:
    """Keep the punctuation after each button on the button's line: browsers may break a line between the two."""
    joined: list[Node] = []
    for node in line:
        before = joined[-1] if joined else None
        if isinstance(node, str) and node.startswith(_MARKS) and isinstance(before, dict) and before["tag"] == "button":
            joined[-1] = el("span", "glued", before, node[0])
            joined += [node[1:]] if node[1:] else []
        else:
            joined.append(node)
    return joined


def in_sentences(sentences: Sequence[Sequence[Node]], *, as_list: bool) -> list[Node]:
    """Draw the sentences of an explanation in a paragraph, or each as a line of a list."""
    if as_list and len(sentences) > 1:
        return [el("ul", "deeds", [el("li", "", glued(one)) for one in sentences])]
    spaced = (part for i, one in enumerate(sentences) for part in (*([" "] if i else []), *one))
    return [el("p", "", glued(spaced))]


Evidence = Callable[[tuple[int, ...]], Node | None]
"""Draws the entries of the log that show a sentence."""


def because(answer: AnswerText[Any], evidence: Evidence) -> list[Node]:
    """Draw an answer, a line for each sentence, with what shows it."""
    return [el("p", "because", one.text(), evidence(one.evidence)) for one in answer.sentences]


def card(title: str, close: Act, label: str, *inside: Child, key: str, cls: str = "") -> Node:
    """Draw the card of what is asked about; `close` is the act that puts it away."""
    head = el("div", f"headline{cls}", el("h3", "", title), button("close", icon("failed"), act=close, label=label))
    return el("section", "drill", head, *inside, key=key)


def shorten(text: str, longest: int = LONGEST) -> str:
    if len(text) <= longest:
        return text
    return f"{text[:longest].rstrip()}… ({len(text):,} characters)"


def draw(
    key: str,
    tree: Iterable[Node | None],
    on_act: Callable[[Mapping[str, Any]], None] | None = None,
    *,
    cls: str = "",
    end: str | None = None,
    show: str | None = None,
) -> None:
    """Draw a tree. When `end` changes, what holds the sheet is scrolled to its end.

    When `show` changes, the page is scrolled to the element with that key or, where there is none, to the sheet.
    """
    nodes = [node for node in tree if node is not None]
    used = {name: ICONS[name] for name in _icons_in(nodes)}

    def acted() -> None:
        act = st.session_state[key].get("act")
        if act and on_act:
            on_act(act)

    _mount(key=key, data={"tree": nodes, "icons": used, "cls": cls, "end": end, "show": show}, on_act_change=acted)


def _flat(children: Iterable[Child]) -> Iterator[Node]:
    for child in children:
        if isinstance(child, str | dict):
            if child != "":
                yield child
        elif child is not None:
            yield from _flat(child)


def _icons_in(nodes: Iterable[Node]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, dict):
            if "icon" in node:
                found.add(node["icon"])
            found |= _icons_in(node.get("children", ()))
    return found
