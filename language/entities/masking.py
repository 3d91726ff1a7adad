"""Masking: values are replaced by common ones before a text is classified; which values it held is kept as features.

"Sales for May 2024" and "sales for the last quarter" ask for the same; so do invoices over $5 and over $5,000. But who
names a violin lesson, in a catalog where invoices are for such things, more likely wants an invoice than a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from catalog.analysis.dependencies import arguments_of
from catalog.model import Catalog
from catalog.values import Email, Phone, ValueKind
from language.readers import find_mentions
from language.readers.amounts import find_amounts
from language.readers.time_expressions import find_time_expressions
from language.text.morphology import in_full
from language.text.words import words_in

_NUMBER = re.compile(r"(?<!\w)#?\d[\d,]{0,15}(?:\.\d+)?k?(?!\w)")
_THE = re.compile(r"\bthe\s+$")
_ANY_DAY = date(2024, 7, 1)
"""The reference date for finding dates: which days are meant depends on it, where they stand hardly does."""

_FORMS: Mapping[str, tuple[str, ...]] = {
    "email": ("email",),
    "phone": ("phone",),
    "date": ("period",),
    "period": ("period",),
    "money": ("amount",),
}
"""By kind of value, the forms in which it is said."""


def forms_of(kind: ValueKind) -> tuple[str, ...]:
    """Return the forms in which a value of a kind is said; none for kinds without one of their own."""
    return _FORMS.get(kind.kind, ())


@lru_cache(maxsize=4_096)
def find_forms(folded: str) -> tuple[tuple[int, int, str], ...]:
    """Find what has the form of a value in a folded text: start, end, and the form, in order."""
    found: list[tuple[int, int, str]] = []
    for start, end, form in _forms(folded):
        if not any(start < b and a < end for a, b, _ in found):
            found.append((start, end, form))
    return tuple(sorted(found))


def _forms(folded: str) -> Iterator[tuple[int, int, str]]:
    """Yield values, the most specific forms first."""
    for mention in find_mentions(Email(), folded, _ANY_DAY):
        yield mention.start, mention.end, "email"
    for mention in find_mentions(Phone(digits=True), folded, _ANY_DAY):
        yield mention.start, mention.end, "phone"
    for amount in find_amounts(folded):
        if amount.marks:
            yield amount.start, amount.end, "amount"
    for spell in find_time_expressions(folded, _ANY_DAY):
        the = _THE.search(folded, 0, spell.start)
        owning = 2 if folded.startswith("'s", spell.end) else 0
        yield the.start() if the else spell.start, spell.end + owning, "period"
    for match in _NUMBER.finditer(folded):
        yield match.start(), match.end(), "number"


_SHOWN = {"email": "ann@example.org", "period": "", "phone": "555-0100", "amount": "$100", "number": "100"}
_LEFTOVER = re.compile(r"\b(?:for|in|on|of|from|between|during|over|since|until|as of|at)\s*(?=[,.;!?]|\Z)")


def mask(folded: str) -> str:
    """Replace each value by a common one of its form; periods are removed."""
    masked, at = [], 0
    for start, end, form in find_forms(folded):
        masked.append(f"{folded[at:start]} {_SHOWN[form]} ")
        at = end
    text = "".join((*masked, folded[at:]))
    return " ".join(_LEFTOVER.sub(" ", text).split()).strip(" ,;:.!?-")


_NO_DAY = date(2000, 1, 1)
_BESIDE_A_VALUE = frozenset(
    "a an the my our your some for of on about re please it's its is with and in to over by".split()
)
"""Words that may stand beside a value where nothing else is said."""


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text without its values, and their features: forms such as an amount, and facts whose options it names."""

    text: str
    features: frozenset[str]


class ValueMasker:
    """Masks the values in texts, for one catalog; options of the arguments of goals count as features."""

    def __init__(self, catalog: Catalog) -> None:
        taken = dict.fromkeys(fact for goal in catalog.goals for fact in arguments_of(catalog, goal))
        kinds = {fact: catalog.facts[fact].value for fact in taken}
        self._kinds = {fact: kind for fact, kind in kinds.items() if kind.declared_options}

    @property
    def options(self) -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
        """Yield the facts whose options are features, with these options."""
        for fact, kind in self._kinds.items():
            yield fact, kind.declared_options

    def mask(self, folded: str) -> MaskedText:
        """Return a folded text without its values, and what they were."""
        features = {form for _, _, form in find_forms(folded)}
        features.update(fact for fact, kind in self._kinds.items() if find_mentions(kind, folded, _NO_DAY))
        return MaskedText(mask(in_full(folded)), frozenset(features))

    def is_option(self, folded: str) -> bool:
        """Return whether a text is nothing but an option of an argument: "inventory", "for a violin lesson"."""
        for kind in self._kinds.values():
            for found in find_mentions(kind, folded, _NO_DAY):
                rest = folded[: found.start] + " " + folded[found.end :]
                if all(word.text in _BESIDE_A_VALUE for word in words_in(rest)):
                    return True
        return False
