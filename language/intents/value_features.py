"""Marks: what a text holds of the values that goals take, as a sign of which goal it is about.

Who names a violin lesson, in a catalog where invoices are for such things, more likely wants an invoice than a report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from catalog.analysis.dependencies import arguments_of
from catalog.model import Catalog
from catalog.values import Choice
from language.text.masking import find_forms, mask
from language.text.spelling import in_full
from language.text.words import words_in

_ANY_DAY = date(2000, 1, 1)
_BESIDE_A_VALUE = frozenset(
    "a an the my our your some for of on about re please it's its is with and in to over by".split()
)
"""Words that may stand beside a value where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text without its values, and the marks of those: forms such as an amount, and facts whose options it names."""

    text: str
    marks: frozenset[str]


class Spotter:
    """Finds marks in texts, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        taken = dict.fromkeys(fact for goal in catalog.goals for fact in arguments_of(catalog, goal))
        self._facts = tuple(fact for fact in taken if catalog.facts[fact].value.kind == "choice")
        self._kinds = {fact: catalog.facts[fact].value for fact in self._facts}

    @property
    def options(self) -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
        """Yield the facts whose options are marks, with these."""
        for fact, kind in self._kinds.items():
            if isinstance(kind, Choice):
                yield fact, kind.options

    def spot(self, folded: str) -> Said:
        """Mask a folded text and say what it holds."""
        marks = {form for _, _, form in find_forms(folded)}
        marks.update(fact for fact, kind in self._kinds.items() if kind.find(folded, _ANY_DAY))
        return Said(mask(in_full(folded)), frozenset(marks))

    def is_option(self, folded: str) -> bool:
        """Tell whether a text is nothing but an option of an argument: "inventory", "for a violin lesson"."""
        for kind in self._kinds.values():
            for found in kind.find(folded, _ANY_DAY):
                rest = folded[: found.start] + " " + folded[found.end :]
                if all(word.text in _BESIDE_A_VALUE for word in words_in(rest)):
                    return True
        return False
