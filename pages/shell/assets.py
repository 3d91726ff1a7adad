"""Scripts and styles of our own components: served once as files, not sent again with every drawing.

Streamlit puts a component's script and style into each message that draws it, 25 kB a sheet and several sheets a run.
What is registered with Streamlit is therefore a stub that loads the real thing, which browsers keep.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import streamlit as st

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
