"""Masking: values are put out of sight before anybody asks what a text is about.

"Sales for May 2024" and "sales for the last quarter" ask for the same; so do invoices over $5 and over $5,000. Only the
form counts here, whatever the catalog: which fact a value is for is judged elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache

from catalog.values import Email, Phone, ValueKind
from catalog.values.amounts import find_amounts
from catalog.values.spells import find_spells

_NUMBER = re.compile(r"(?<!\w)#?\d[\d,]{0,15}(?:\.\d+)?k?(?!\w)")
_THE = re.compile(r"\bthe\s+$")
_ANY_DAY = date(2024, 7, 1)
"""Which days are meant hangs on the day on which something is said; where days are meant hardly does."""

_FORMS: Mapping[str, tuple[str, ...]] = {
    "email": ("email",),
    "phone": ("phone",),
    "date": ("period",),
    "period": ("period",),
    "money": ("amount",),
}
"""By kind of value, the forms in which it is said."""


def forms_of(kind: ValueKind) -> tuple[str, ...]:
    """Give the forms in which a value of a kind is said; none for kinds without one of their own."""
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
    """Yield values, those first of which the form tells most."""
    for mention in Email().find(folded, _ANY_DAY):
        yield mention.start, mention.end, "email"
    for mention in Phone(digits=True).find(folded, _ANY_DAY):
        yield mention.start, mention.end, "phone"
    for amount in find_amounts(folded):
        if amount.marks:
            yield amount.start, amount.end, "amount"
    for spell in find_spells(folded, _ANY_DAY):
        the = _THE.search(folded, 0, spell.start)
        owning = 2 if folded.startswith("'s", spell.end) else 0
        yield the.start() if the else spell.start, spell.end + owning, "period"
    for match in _NUMBER.finditer(folded):
        yield match.start(), match.end(), "number"


_SHOWN = {"email": "ann@example.org", "period": "", "phone": "555-0100", "amount": "$100", "number": "100"}
_LEFTOVER = re.compile(r"\b(?:for|in|on|of|from|between|during|over|since|until|as of|at)\s*(?=[,.;!?]|\Z)")


def mask(folded: str) -> str:
    """Put a common value in place of each value of its form; periods, which nothing hangs on, are left out."""
    masked, at = [], 0
    for start, end, form in find_forms(folded):
        masked.append(f"{folded[at:start]} {_SHOWN[form]} ")
        at = end
    text = "".join((*masked, folded[at:]))
    return " ".join(_LEFTOVER.sub(" ", text).split()).strip(" ,;:.!?-")
