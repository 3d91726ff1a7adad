"""The guides can be followed: each of their commands prints what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.walkthrough import DOCUMENTS, carry_out
from tests.docs.documents import name_of


@pytest.mark.parametrize("guide", DOCUMENTS, ids=name_of)
def test_every_command_of_the_guide_prints_what_stands_there(guide: Path, tmp_path: Path) -> None:
    document = guide.read_text(encoding="utf-8")
    assert carry_out(document, tmp_path) == document


def test_blocks_add_to_a_catalog_and_a_conversation_shows_what_is_said_and_replied(tmp_path: Path) -> None:
    guide = """
```yaml toy.yaml
name: toy
facts:
  pet: {ask: "What is your pet called?"}
  tag: {askable: false}
skills:
  engrave:
    endpoint: python:library.toys:engrave
    modes: {now: {inputs: [pet], outcomes: {done: [tag]}}}
goals:
  tag: {facts: [tag], examples: [I want a tag, Make me a tag]}
```
```yaml toy.yaml
goals:
  tag: {done: "It reads {tag}."}
```
```python library/toys.py
from catalog.skills import Result

def engrave(inputs):
    return Result("done", {"tag": inputs["pet"].upper()})
```
```console
$ planglass chat toy.yaml
I want a tag
  something else
Rex
```
"""
    done = carry_out(guide, tmp_path).splitlines()
    said = [line for line in done[done.index("$ planglass chat toy.yaml") + 1 : -1] if not line.startswith(" ")]
    assert said == ["I want a tag", "Rex"]
    assert done[-3:-1] == ["Rex", "  It reads REX."]
