"""What a document names exists: every path, every module, every link."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.docs.documents import DOCUMENTS, ROOT, anchors, code_words, links, name_of

PACKAGES = ("catalog", "planning", "explain", "language", "dialogue", "pages")
PLACES = (*PACKAGES, "tests", "benchmarks", "docs", "scripts", ".github")
_PATH = re.compile(r"[\w.<>*-]+(/[\w.<>*-]+)*/?")
_FILE = re.compile(r"[\w<>-]+\.(py|md|toml|txt)")
_DOTTED = re.compile(rf"(?:{'|'.join(PACKAGES)})(\.\w+)+")


def wrong(find: Callable[[Path], list[str]]) -> list[tuple[str, str]]:
    """List what is wrong in any document, each with the document."""
    assert DOCUMENTS
    return [(name_of(document), found) for document in DOCUMENTS for found in find(document)]


def test_every_path_in_a_document_exists() -> None:
    assert wrong(lambda one: [word for word in code_words(one) if _is_path(word) and not _exists(word)]) == []


def test_every_module_and_name_in_a_document_exists() -> None:
    def undefined(document: Path) -> list[str]:
        dotted = [word for word in code_words(document) if _DOTTED.fullmatch(word) and not _FILE.fullmatch(word)]
        return [word for word in dotted if not _is_defined(word)]

    assert wrong(undefined) == []


def test_every_link_in_a_document_leads_somewhere() -> None:
    assert wrong(lambda one: [target for target in links(one) if not _leads_somewhere(one, target)]) == []


def _is_path(word: str) -> bool:
    """Return whether a word is a path from the root or a bare file name; `<name>` stands for any name."""
    if "/" not in word:
        return _FILE.fullmatch(word) is not None
    return _PATH.fullmatch(word) is not None and word.split("/", maxsplit=1)[0] in PLACES


def _exists(path: str) -> bool:
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    return any(ROOT.glob(pattern)) if "/" in path else (ROOT / path).exists()


def _is_defined(dotted: str) -> bool:
    """Return whether a dotted name is a module, or a name that a module defines."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:length])
        module = next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists()), None)
        if module is not None:
            return length == len(parts) or parts[length] in _names(module)
    return False


@cache
def _names(module: Path) -> frozenset[str]:
    """Return the names that a module binds at its top level, imported ones included."""
    found = set()
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)


def _leads_somewhere(document: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    file = document.parent / path if path else document
    return file.exists() and (not anchor or anchor in anchors(file))
