"""Docstrings and comments of the product, and the documents, name who or what acts."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.docs.documents import DOCUMENTS, ROOT, name_of, prose

PACKAGES = ("catalog", "planning", "explain", "language", "dialogue", "pages")
_OTHERS = ("benchmarks/", "docs/conformance.md")
"""Figures as programs print them, and a list of tests by their names."""
READ = [one for one in DOCUMENTS if not name_of(one).startswith(_OTHERS)]
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|`[^`]*`")
_VAGUE = re.compile(r"\b(?:somebody|nobody|anybody|whoever)\b", re.IGNORECASE)


def remarks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module, each with its line."""
    for node in ast.walk(ast.parse(text)):
        for one in getattr(node, "body", None) or [] if not isinstance(node, (ast.Lambda, ast.IfExp)) else []:
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                yield one.lineno, one.value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def vague_in(path: Path) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}"
        for line, said in remarks(path.read_text(encoding="utf-8"))
        if _VAGUE.search(_QUOTED.sub("", said))
    ]


def test_no_docstring_or_comment_of_the_product_speaks_of_somebody_nobody_anybody_or_whoever() -> None:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    assert len(paths) > 300
    assert [place for path in paths for place in vague_in(path)] == []


def test_no_document_speaks_of_them_either() -> None:
    assert len(READ) > 60
    found = {name_of(one): _VAGUE.findall(_QUOTED.sub("", prose(one))) for one in READ}
    assert {name: words for name, words in found.items() if words} == {}


def test_a_vague_word_is_found_in_docstrings_and_comments_and_not_in_quotations() -> None:
    text = (
        '"""What somebody said."""\nX = 1  # Whoever asks\nY = "nobody"\nZ = 2\n"""It says "nobody", or `nobody`."""\n'
    )
    assert [line for line, said in remarks(text) if _VAGUE.search(_QUOTED.sub("", said))] == [1, 2]
