"""What every claim keeps to: a template speaks of its fields, in formats that the words of its subject know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from string import Formatter

import pytest

from explain.claim import Claim, ClaimWords, More
from explain.rooms.words import RoomWords
from explain.tasks.words import TaskWords
from explain.words import Wording

WORDS: dict[str, type[ClaimWords]] = {"explain.rooms": RoomWords, "explain.tasks": TaskWords}


def kinds(of: type[Claim] = Claim) -> Iterator[type[Claim]]:
    for kind in of.__subclasses__():
        if kind.__module__.startswith("explain."):
            yield kind
            yield from kinds(kind)


@pytest.mark.row("V16")
@pytest.mark.parametrize("kind", [one for one in kinds() if one.template], ids=lambda kind: kind.__qualname__)
def test_a_template_names_fields_of_its_claim_and_formats_of_its_words(kind: type[Claim]) -> None:
    words = WORDS.get(kind.__module__.rpartition(".")[0], Wording)
    for _, field, form, _ in Formatter().parse(kind.template):
        if field:
            assert field.partition(".")[0] in {one.name for one in fields(kind)}
        if field is not None and form:
            assert callable(getattr(words, form))


def test_the_fields_of_a_claim_are_data_and_never_read_as_a_template() -> None:
    class Told(Claim):
        text: str
        template = "It says {text:quote}{text}."

    (said,) = Told("{evidence} %s").say(ClaimWords())
    assert "".join(map(str, said)) == "It says “{evidence} %s”{evidence} %s."
    assert "".join(map(str, next(More(3).say(ClaimWords())))) == "And 3 more."
