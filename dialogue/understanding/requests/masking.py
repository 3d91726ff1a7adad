"""Masking: values are put out of sight before anybody asks what a text is about.

"Sales for May 2024" and "sales for the last quarter" ask for the same; so do invoices over $5 and over $5,000. Only the
form counts here, whatever the catalog: which fact a value is for is judged elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from catalog.values import ValueKind

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:(?:19|20)\d{2}|'\d{2})"
_ORDINAL = r"(?:first|second|third|fourth|last|final|1st|2nd|3rd|4th)"
_UNIT = r"(?:day|week|weekend|month|quarter|half|year)"
_NEAR = r"(?:last|previous|prev|past|this|current|next|same|that|that same|the same)"
_DATE = "|".join(
    (
        r"\d{4}-\d{1,2}-\d{1,2}",
        r"\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}\.\d{1,2}\.\d{2,4}",
        rf"{_DAY}(?:\s+of)?\s+{_MONTH}\b\.?(?:,?\s+(?:of\s+)?{_YEAR})?",
        rf"{_MONTH}\b\.?(?:\s+{_DAY}\b)(?:,?\s+{_YEAR})?",
        rf"{_MONTH}\b\.?(?:,?\s+(?:of\s+)?{_YEAR})",
        r"(?:(?:fiscal|financial|calendar)\s+year|fy)\s*'?\d{2,4}",
        rf"(?:[qh][1-4]|[1-4][qh])(?:\s*[-/]?\s*(?:of\s+)?(?:{_YEAR}|\d{{2}}))?\b",
        rf"(?:the\s+)?{_ORDINAL}\s+(?:quarter|half|month|week|day)(?:\s+(?:of|in)\s+(?:the\s+)?(?:{_YEAR}|(?:{_NEAR}\s+)?year))?",
        rf"(?:the\s+)?(?:{_NEAR})\s+(?:\w+\s+)?(?:{_UNIT}s?|{_MONTH}|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
        r"(?:['’]s)?",
        rf"(?:the\s+)?{_UNIT}\s+(?:before\s+last|to\s+date)",
        r"ytd|mtd|qtd|(?:today|yesterday|tomorrow)(?:['’]s)?",
        rf"{_YEAR}\b",
        rf"(?:{_MONTH})(?=\s*(?:-|–|to|through|thru|and|until)\s*{_MONTH})",
    )
)
_JOINED = r"\s*(?:-|–|—|\bto\b|\band\b|\bthrough\b|\bthru\b|\buntil\b|\btill\b|\bup to\b)\s*"
_PERIOD = re.compile(
    rf"(?<!\w)(?:(?:from|between|starting|beginning|since)\s+)?(?:the\s+)?(?:{_DATE})(?:{_JOINED}(?:the\s+)?(?:{_DATE}|now))?(?!\w)"
    rf"|\b(?:for|in|on|of|during|over)\s+{_MONTH}\b(?!\s+(?:i|we)\b|\.?,?\s+(?:the\s+)?\d)"
)
_COUNT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|a hundred|a thousand)"
)
_CURRENCY = r"(?:dollars?|usd|bucks?|euros?|eur|pounds?|gbp|quid|cents?)"
_AMOUNT = re.compile(
    rf"[$€£]\s*\d(?:[\d,]{{0,14}}\d)?(?:\.\d+)?(?:\s*(?:k|m|thousand|million)\b)?|\d[\d,]{{0,15}}(?:\.\d+)?\s*(?:k\b)?\s*(?:[$€£]|{_CURRENCY}\b)"
    rf"|\b{_COUNT}(?:[\s-]{_COUNT}){{0,6}}\s+{_CURRENCY}\b"
)
_EMAIL = re.compile(r"(?<!\S)\S{1,80}@\S{1,80}\.\w{1,20}")
_PHONE = re.compile(r"(?<![\w$€£/.-])(?!\d{4}-\d{1,2}-\d{1,2}\b)\+?\(?\d{1,4}\)?(?:[\s.-]\(?\d{2,4}\)?){2,4}(?!\w)")
_NUMBER = re.compile(r"(?<!\w)#?\d[\d,]{0,15}(?:\.\d+)?k?(?!\w)")

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


_MASKS = ((_EMAIL, "email"), (_PHONE, "phone"), (_PERIOD, "period"), (_AMOUNT, "amount"), (_NUMBER, "number"))


@lru_cache(maxsize=512)
def find_forms(folded: str) -> tuple[tuple[int, int, str], ...]:
    """Find what has the form of a value in a folded text: start, end, and the form, in order."""
    found: list[tuple[int, int, str]] = []
    left = folded
    for pattern, form in _MASKS:
        for match in pattern.finditer(left):
            found.append((match.start(), match.end(), form))
        left = pattern.sub(lambda match: " " * len(match.group()), left)
    return tuple(sorted(found))


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
