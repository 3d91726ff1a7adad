"""E-mail addresses and phone numbers in text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import phonenumbers
from pydantic import JsonValue

from catalog.values import Email, Phone
from catalog.values.base import with_ascii_digits
from catalog.values.contact import LEAST_DIGITS, MOST_DIGITS
from language.readers.base import Mention, Reader
from language.readers.dates import find_dated_spans

_EMAIL = re.compile(r"[^\s<>()\[\],;:\"“”@=/]{1,80}@[^\s<>()\[\],;:\"“”@?!'’–—]+")
_GROUPS = re.compile(
    r"(?<![\w.,$€£#/@-])\+?[(\[]?[0-9](?:[0-9]|[ ./()\[\]–—‑-]{1,3}(?=[0-9(\[])){5,22}(?![\w@])(?!,[0-9])"
)
_NO_PHONE = re.compile(
    r"[12][0-9]{3}([-/. ])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/. ])[0-9]{1,2}\2[0-9]{2,4}|[0-9]+\.[0-9]{1,2}"
    r"|(?:(?:19|20)[0-9]{2}(?:\s?[-–]\s?|\s|$)){2,}|.*[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}.*"
)
"""Dates, amounts and years: digits that are no phone number."""
_PHONE_SIGN = re.compile(r"\b(?:phone|tel|telephone|cell|mobile|ph|number)\.?\s*#", re.IGNORECASE)
_OTHER_NUMBER = re.compile(
    r"\b(?:order|invoice|account|acct|reference|ref|zip|postal code|po|id|ein|ssn|tracking|policy|serial|card|iban|item"
    r"|case|ticket)(?:\s+(?:number|no|nr|code|id))?\s*[.:#]?\s*$",
    re.IGNORECASE,
)
"""Before digits that are the number of something else."""


class EmailReader(Reader[Email]):
    """Reads e-mail addresses."""

    def find(self, kind: Email, text: str, today: date) -> tuple[Mention, ...]:
        """Find words with an @ inside; one that is malformed is found too, so that the reason can be told."""
        found = []
        for match in _EMAIL.finditer(text):
            word = match.group().strip("'’`*_.")
            start = match.start() + match.group().index(word)
            try:
                reading: JsonValue = kind.check(word)
            except ValueError:
                reading = word
            found.append(Mention(start, start + len(word), word, (reading,)))
        return tuple(found)


class PhoneReader(Reader[Phone]):
    """Reads phone numbers."""

    def find(self, kind: Phone, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that can be called, or that look like it."""
        if kind.digits:
            return tuple(self._find_digits(kind, text))
        matches = phonenumbers.PhoneNumberMatcher(text, kind.region, leniency=phonenumbers.Leniency.VALID)
        return tuple(
            Mention(
                match.start,
                match.end,
                match.raw_string,
                (phonenumbers.format_number(match.number, phonenumbers.PhoneNumberFormat.E164),),
                f"“{match.raw_string}” has an extension, which I cannot keep." if match.number.extension else "",
            )
            for match in matches
        )

    def _find_digits(self, kind: Phone, text: str) -> Iterator[Mention]:
        """Find groups of digits that are neither a date nor an amount."""
        plain = with_ascii_digits(text)
        for start, end in reversed(find_dated_spans(plain)):
            plain = plain[:start] + "\n" * (end - start) + plain[end:]
        for match in _GROUPS.finditer(_PHONE_SIGN.sub(lambda sign: f"{sign.group()[:-1]} ", plain)):
            count = sum(char.isdigit() for char in match.group())
            of_another = _OTHER_NUMBER.search(plain[max(0, match.start() - 30) : match.start()])
            if LEAST_DIGITS <= count <= MOST_DIGITS and not _NO_PHONE.fullmatch(match.group()) and not of_another:
                said = text[match.start() : match.end()]
                yield Mention(match.start(), match.end(), said, (kind.check(said),))

    def read(self, kind: Phone, text: str, today: date) -> JsonValue:
        """Take the one number that is said; a whole answer of digits gets the reason why it is none."""
        if not kind.digits and not self.find(kind, text, today) and not any(c.isalpha() for c in text):
            return kind.check(text, today)
        return super().read(kind, text, today)
