"""Docstrings, comments and texts of the product, and the documents, name who or what acts."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import yaml

from tests.docs.documents import DOCUMENTS, ROOT, name_of, prose

PACKAGES = ("catalog", "planning", "explain", "language", "dialogue", "pages")
_OTHERS = ("benchmarks/", "docs/conformance.md")
"""Figures as programs print them, and a list of tests by their names."""
READ = [one for one in DOCUMENTS if not name_of(one).startswith(_OTHERS)]
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|`[^`]*`")
_VAGUE = re.compile(r"\b(?:somebody|nobody|anybody|whoever|what came of)\b", re.IGNORECASE)
_FORMAT = "nobody"
"""The selector of norms that leave a field of a message empty, and the choice of no agent: as they are written down."""
_READERS = {
    "language/entities/name_likeness.py",
    "language/intents/coreference.py",
    "language/intents/segmentation.py",
    "language/rooms/speech_acts.py",
    "language/slots/free_words.py",
    "language/slots/semantic_matching.py",
    "language/text/request_context.py",
    "language/text/morphology.py",
    "language/understanding/unheeded.py",
}
"""They hold the words that people use, to read them."""
_SAID_BY_PEOPLE = {"examples", "options"}
"""Keys of a catalog under which stands what people say."""


def remarks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module, each with its line."""
    for node in ast.walk(ast.parse(text)):
        for one in getattr(node, "body", None) or [] if not isinstance(node, (ast.Lambda, ast.IfExp)) else []:
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                yield one.lineno, one.value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def literals(text: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are no docstrings, with those between the values of formatted ones."""
    tree = ast.parse(text)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def written(node: object) -> Iterator[str]:
    """Yield the texts of a YAML file, without those that people say themselves."""
    match node:
        case dict():
            for key, one in node.items():
                yield from written(one) if key not in _SAID_BY_PEOPLE else ()
        case list():
            for one in node:
                yield from written(one)
        case str():
            yield node


def is_vague(text: str) -> bool:
    return text != _FORMAT and _VAGUE.search(_QUOTED.sub("", text)) is not None


def vague_in(path: Path) -> list[str]:
    text, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    if _VAGUE.search(text) is None:
        return []
    found = [*remarks(text), *(literals(text) if name not in _READERS else ())]
    return [f"{name}:{line}" for line, said in found if is_vague(said)]


def files(ending: str) -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob(f"*.{ending}"))]


def test_no_docstring_comment_or_text_of_the_product_speaks_of_somebody_nobody_anybody_or_whoever() -> None:
    paths = files("py")
    assert len(paths) > 300
    assert {str(path.relative_to(ROOT)) for path in paths} >= _READERS
    assert [place for path in paths for place in vague_in(path)] == []


def test_no_text_of_a_catalog_or_another_file_of_the_product_does() -> None:
    read = {
        path: list(written(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))) for path in files("yaml")
    }
    assert len(read) > 10
    assert [(path.name, one) for path, texts in read.items() for one in texts if is_vague(one)] == []


def test_no_document_speaks_of_them_either() -> None:
    assert len(READ) > 60
    found = {name_of(one): _VAGUE.findall(_QUOTED.sub("", prose(one))) for one in READ}
    assert {name: words for name, words in found.items() if words} == {}


def test_a_vague_word_is_found_in_remarks_and_texts_and_not_in_quotations_or_the_words_of_a_format() -> None:
    text = (
        '"""What somebody said."""\nX = 1  # Whoever asks\nY = "nobody"\nZ = 2\n"""It says "nobody", or `nobody`."""\n'
        'A = f"{X}: nobody asked."\nB = "What came of it"\n'
    )
    assert [line for line, said in remarks(text) if is_vague(said)] == [1, 2]
    assert sorted(line for line, said in literals(text) if is_vague(said)) == [6, 7]
    told = {"ask": "Whom?", "examples": ["call somebody"], "notes": [{"say": "for nobody"}], "replies_to": "nobody"}
    assert [one for one in written(told) if is_vague(one)] == ["for nobody"]
