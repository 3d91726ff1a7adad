"""Words of which amounts are made: numbers in words, scales, and currencies."""

from __future__ import annotations

import re
from decimal import Decimal

UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
SCALES = {"thousand": 10**3, "grand": 10**3, "million": 10**6, "billion": 10**9}
CURRENCIES: dict[str, frozenset[str]] = {
    "€": frozenset({"EUR"}), "euro": frozenset({"EUR"}), "euros": frozenset({"EUR"}),
    "£": frozenset({"GBP"}), "pound": frozenset({"GBP"}), "pounds": frozenset({"GBP"}), "quid": frozenset({"GBP"}),
    "pounds sterling": frozenset({"GBP"}), "sterling": frozenset({"GBP"}),
    "¥": frozenset({"JPY", "CNY"}), "yen": frozenset({"JPY"}), "yuan": frozenset({"CNY"}),
    "₹": frozenset({"INR"}), "rupee": frozenset({"INR"}), "rupees": frozenset({"INR"}),
    "francs": frozenset({"CHF"}), "swiss francs": frozenset({"CHF"}),
    "us dollars": frozenset({"USD"}), "us$": frozenset({"USD"}),
    "r$": frozenset({"BRL"}), "reais": frozenset({"BRL"}),
} | dict.fromkeys(
    ("$", "dollar", "dollars", "buck", "bucks"), frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD"})
) | {
    code.casefold(): frozenset({code})
    for code in (
        "EUR USD GBP JPY CNY INR CHF CAD AUD NZD SGD HKD SEK NOK DKK PLN CZK HUF RON BGN TRY ILS ZAR BRL MXN KRW THB "
        "AED SAR".split()
    )
}  # fmt: skip
"""Words and signs for money, in lower case, with the currencies that they can stand for."""

AMOUNT_WORDS = (
    frozenset(word for phrase in CURRENCIES for word in phrase.split()) | UNITS.keys() | TENS.keys() | SCALES.keys()
)
"""Words of which amounts are made."""


def number_in_words(words: list[str]) -> Decimal | None:
    """Work out English number words ("two and a half thousand"), or return None where they make no number."""
    text = " ".join(words)
    text = re.sub(r"\band an? half\b", "plus_half", text)
    text = re.sub(r"\bhalf an? ", "half ", text)
    text = re.sub(r"\ban? (?=hundred|thousand|grand|million|billion|dozen|half)", "one ", text).replace(
        "one half", "half"
    )
    total, current, ceiling = Decimal(0), None, Decimal("Infinity")
    for word in text.replace(" and ", " ").split():
        if word not in SCALES:
            current = _extended(current, word)
        elif current is not None and SCALES[word] < ceiling:
            ceiling = Decimal(SCALES[word])
            total, current = total + current * ceiling, Decimal(0)
        else:
            return None
        if current is None:
            return None
    return total + (current or 0)


def _extended(current: Decimal | None, word: str) -> Decimal | None:
    """Put a word after what was said of a number below a thousand; None where English would not."""
    if word == "half":
        return None if current else Decimal("0.5")
    if word == "plus_half":
        # "two and a half" is plain, but "a million and a half" may be 1,500,000
        return current + Decimal("0.5") if current and current % 100 and current == int(current) else None
    if word in ("hundred", "dozen"):
        count = 100 if word == "hundred" else 12
        return current * count if current is not None and 0 < current < 100 else None
    value = UNITS.get(word, TENS.get(word))
    if value is None or not current:
        return None if value is None else Decimal(value)
    fits = current % 100 == 0 if value >= 10 else current % 10 == 0 and current % 100 != 10 and value > 0
    return current + value if fits else None
