"""Draw trees of elements that nothing in the data can turn into markup.

Whatever people, files and skills say is drawn as text nodes by a component of our own: Streamlit's Markdown would
fetch the pictures it names, and its plain-text element has neither links nor a look. A click on an element with an
`act` comes back to Python as that act. The small pictures beside words are outlines in a 24 × 24 box,
after Google's Material icons (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shell.assets import component

ICONS: dict[str, str] = {
    "fork": (
        "M14 4l2.29 2.29-2.88 2.88 1.42 1.42 2.88-2.88L20 10V4h-6zM10 4H4v6l2.29-2.29 4.71 4.7V20h2v-8.41L7.71 6.29"
        " 10 4z"
    ),
    "copy": (
        "M16 1H4c-1.1 0-2 .9-2 2v14h2V3h12V1zm3 4H8c-1.1 0-2 .9-2 2v14c0 1.1.9 2 2 2h11c1.1 0 2-.9 2-2V7"
        "c0-1.1-.9-2-2-2zm0 16H8V7h11v14z"
    ),
    "ask": "M20 2H4c-1.1 0-2 .9-2 2v18l4-4h14c1.1 0 2-.9 2-2V4c0-1.1-.9-2-2-2z",
    "authorize": (
        "M18 8h-1V6c0-2.76-2.24-5-5-5S7 3.24 7 6v2H6c-1.1 0-2 .9-2 2v10c0 1.1.9 2 2 2h12c1.1 0 2-.9 2-2V10c0-1.1-.9-2"
        "-2-2zM9 6c0-1.66 1.34-3 3-3s3 1.34 3 3v2H9V6z"
    ),
    "confirm": (
        "M1 21h4V9H1v12zm22-11c0-1.1-.9-2-2-2h-6.31l.95-4.57.03-.32c0-.41-.17-.79-.44-1.06L14.17 1 7.59 7.59C7.22 7.95"
        " 7 8.45 7 9v10c0 1.1.9 2 2 2h9c.83 0 1.54-.5 1.84-1.22l3.02-7.05c.09-.23.14-.47.14-.73v-2z"
    ),
    "thumb_down": (
        "M15 3H6c-.83 0-1.54.5-1.84 1.22l-3.02 7.05c-.09.23-.14.47-.14.73v2c0 1.1.9 2 2 2h6.31l-.95 4.57-.03.32c0 .41"
        ".17.79.44 1.06L9.83 23l6.59-6.59c.36-.36.58-.86.58-1.41V5c0-1.1-.9-2-2-2zm4 0v12h4V3h-4z"
    ),
    "skill": "M7 2v11h3v9l7-12h-4l4-8z",
    "map": "M6.99 11L3 15l3.99 4v-3H14v-2H6.99v-3zM21 9l-3.99-4v3H10v2h7.01v3L21 9z",
    "goal": "M14.4 6L14 4H5v17h2v-7h5.6l.4 2h7V6z",
    "fact": (
        "M21.41 11.58l-9-9C12.05 2.22 11.55 2 11 2H4c-1.1 0-2 .9-2 2v7c0 .55.22 1.05.59 1.42l9 9c.36.36.86.58 1.41.58"
        ".55 0 1.05-.22 1.41-.59l7-7c.37-.36.59-.86.59-1.41 0-.55-.23-1.06-.59-1.42zM5.5 7C4.67 7 4 6.33 4 5.5S4.67 4 "
        "5.5 4 7 4.67 7 5.5 6.33 7 5.5 7z"
    ),
    "declined": (
        "M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm0 18c-4.42 0-8-3.58-8-8 0-1.85.63-3.55 1.69"
        "-4.9L16.9 18.31A7.9 7.9 0 0 1 12 20zm6.31-3.1L7.1 5.69A7.9 7.9 0 0 1 12 4c4.42 0 8 3.58 8 8 0 1.85-.63 3.55"
        "-1.69 4.9z"
    ),
    "done": "M9 16.17L4.83 12l-1.42 1.41L9 19 21 7l-1.41-1.41z",
    "failed": ("M19 6.41L17.59 5 12 10.59 6.41 5 5 6.41 10.59 12 5 17.59 6.41 19 12 13.41 17.59 19 19 17.59 13.41 12z"),
    "running": (
        "M12 4V1L8 5l4 4V6c3.31 0 6 2.69 6 6 0 1.01-.25 1.97-.7 2.8l1.46 1.46C19.54 15.03 20 13.57 20 12c0-4.42-3.58-8"
        "-8-8zm0 14c-3.31 0-6-2.69-6-6 0-1.01.25-1.97.7-2.8L5.24 7.74C4.46 8.97 4 10.43 4 12c0 4.42 3.58 8 8 8v3l4-4"
        "-4-4v3z"
    ),
    "next": "M12 4l-1.41 1.41L16.17 11H4v2h12.17l-5.58 5.59L12 20l8-8z",
    "waiting": "M6 2v6l4 4-4 4v6h12v-6l-4-4 4-4V2H6zm10 14.5V20H8v-3.5l4-4 4 4z",
    "later": "M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm0 18a8 8 0 1 1 0-16 8 8 0 0 1 0 16z",
    "never": "M19 13H5v-2h14z",
    "person": (
        "M12 12c2.21 0 4-1.79 4-4s-1.79-4-4-4-4 1.79-4 4 1.79 4 4 4zm0 2c-2.67 0-8 1.34-8 4v2h16v-2c0-2.66-5.33-4-8-4z"
    ),
    "event": (
        "M12 22c1.1 0 2-.9 2-2h-4c0 1.1.89 2 2 2zm6-6v-5c0-3.07-1.64-5.64-4.5-6.32V4c0-.83-.67-1.5-1.5-1.5s-1.5.67"
        "-1.5 1.5v.68C7.63 5.36 6 7.92 6 11v5l-2 2v1h16v-1l-2-2z"
    ),
    "eye": (
        "M12 4.5C7 4.5 2.73 7.61 1 12c1.73 4.39 6 7.5 11 7.5s9.27-3.11 11-7.5c-1.73-4.39-6-7.5-11-7.5zM12 17c-2.76 0"
        "-5-2.24-5-5s2.24-5 5-5 5 2.24 5 5-2.24 5-5 5zm0-8c-1.66 0-3 1.34-3 3s1.34 3 3 3 3-1.34 3-3-1.34-3-3-3z"
    ),
    "picture": (
        "M21 19V5c0-1.1-.9-2-2-2H5c-1.1 0-2 .9-2 2v14c0 1.1.9 2 2 2h14c1.1 0 2-.9 2-2zM8.5 13.5l2.5 3.01L14.5 12l4.5 6"
        "H5l3.5-4.5z"
    ),
    "forward": "M10 6L8.59 7.41 13.17 12l-4.58 4.59L10 18l6-6z",
    "glass": (
        "M15.5 14h-.79l-.28-.27A6.47 6.47 0 0 0 16 9.5 6.5 6.5 0 1 0 9.5 16c1.61 0 3.09-.59 4.23-1.57l.27.28v.79l5 4.99"
        "L20.49 19l-4.99-5zm-6 0a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9z"
    ),
    "problem": "M1 21h22L12 2 1 21zm12-3h-2v-2h2v2zm0-4h-2v-4h2v4z",
}


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
