"""Readers of text, names of people, addresses, text of a given form, e-mail addresses, phone numbers and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import phonenumbers
import regex as rx
from pydantic import JsonValue

from catalog.values import Address, Email, Fault, ListOf, Pattern, PersonName, Phone, Text, Unreadable
from catalog.values.base import with_ascii_digits
from catalog.values.contact import LEAST_DIGITS, MOST_DIGITS
from language.readers.base import Mention, Reader, find_mentions, read_answer, read_single
from language.readers.dates import find_dated_spans
from language.text.lazy_pattern import LazyPattern

_LEAD_IN = rx.compile(
    r"^(?:(?:hi|hello|hey|sure|yes|okay)\b[,.! ]+"
    r"|(?:well|so|oh|ok|actually|no|sorry|wait)\b(?:\s*[,.!]\s*|\s+(?=(?:it|i|im|my|the|this|that|call|name|make|change)"
    r"\b)))*"  # So-Young, Mr Oh, Mr No
    r"(?:(?:my|the|our) (?:full |new |current |home |postal |last |first )*(?:name|address)(?: is|'s|’s)?\b[:, ]*"
    r"|(?:i am|i'm|i’m|im|it is|it's|it’s|this is|that's|that’s|that is|they call me|call me|i'm called"
    r"|i live (?:at|in|on)|we live (?:at|in|on)|i moved to"
    r"|(?:make|change) (?:it|that)(?: to| into)?|name:|address:)[:, ]+)*",
    rx.IGNORECASE,
)
_LEAD_OUT = rx.compile(r"[, ]+(?:please|thanks|thank you|thx)[.! ]*$", rx.IGNORECASE)
_NOT_IN_A_NAME = frozenset(
    "why what how when where who which don't don’t dont know need want you your the that this please not is it".split()
)
_NOT_IN_AN_ADDRESS = frozenset(
    "i i'm i’m im don't don’t dont know guess sorry not no yes why what how thanks thank please".split()
)
"""Words that tell a sentence from an address where there is no number either."""


class TextReader(Reader[Text]):
    """Reads plain text: the whole answer."""

    def read(self, kind: Text, text: str, today: date) -> JsonValue:
        return kind.check(text, today)


class PersonNameReader(Reader[PersonName]):
    names = ("name", "full name")
    lead_in = LazyPattern(r"(?:\bi am|\bi'm|\bthis is|\bcall me|\bthey call me|\bi'm called|\bi am called)\s+")

    def read(self, kind: PersonName, text: str, today: date) -> JsonValue:
        """Take the answer without its lead-in ("my name is …"); refuse what is plainly a sentence."""
        name = _after_lead_in(text)
        words = name.casefold().split()
        if len(words) > 8 or any(word.strip(".,") in _NOT_IN_A_NAME for word in words):
            raise kind.unreadable("unlike_one", value=text)
        return kind.check(name, today)


class AddressReader(Reader[Address]):
    names = ("address", "home address", "postal address")
    lead_in = LazyPattern(r"\b(?:i|we) (?:now |currently )?(?:live|reside|am living|are living|stay) (?:at|on)\s+")

    def read(self, kind: Address, text: str, today: date) -> JsonValue:
        """Take the answer without its lead-in ("I live at …")."""
        if text.endswith("?"):
            raise kind.unreadable("a_question", value=text)
        address = _after_lead_in(text)
        words = {word.strip(".,!") for word in address.casefold().split()}
        if words & _NOT_IN_AN_ADDRESS and not any(c.isdigit() for c in address):
            raise kind.unreadable("unlike_one", value=text)
        return kind.check(address, today)


class PatternReader(Reader[Pattern]):
    """Reads text of a given form."""

    def find(self, kind: Pattern, text: str, today: date) -> tuple[Mention, ...]:
        """Find what has the form, between words; where that takes over half a second, any of it may be a value."""
        try:
            found = kind.spans_in(text)
        except TimeoutError:
            return (Mention(0, len(text), text, (), Fault("slow_to_check", {})),)
        return tuple(Mention(start, end, text[start:end], (text[start:end],)) for start, end in found if end > start)

    def read(self, kind: Pattern, text: str, today: date) -> JsonValue:
        """Take the whole answer if it has the form, else the one part that has it."""
        try:
            return kind.check(text, today)
        except Unreadable as error:
            found = () if error.fault.code == "slow_to_check" else self.find(kind, text, today)
            if not found:
                raise
        return read_single(kind, found, today)


def _after_lead_in(text: str) -> str:
    """Drop "my name is", "I live at" and the like, a "please" or "thanks" and the full stop at the end."""
    return _LEAD_OUT.sub("", _LEAD_IN.sub("", text, count=1)).strip(' \t\n,;:!"“”').removesuffix(".").strip()


_EMAIL = LazyPattern(r"[^\s<>()\[\],;:\"“”@=/]{1,80}@[^\s<>()\[\],;:\"“”@?!'’–—]+")
_GROUPS = LazyPattern(
    r"(?<![\w.,$€£#/@-])\+?[(\[]?[0-9](?:[0-9]|[ ./()\[\]–—‑-]{1,3}(?=[0-9(\[])){5,22}(?![\w@])(?!,[0-9])"
)
_NO_PHONE = LazyPattern(
    r"[12][0-9]{3}([-/. ])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/. ])[0-9]{1,2}\2[0-9]{2,4}|[0-9]+\.[0-9]{1,2}"
    r"|(?:(?:19|20)[0-9]{2}(?:\s?[-–]\s?|\s|$)){2,}|.*[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}.*"
)
"""Dates, amounts and years: digits that are no phone number."""
_PHONE_SIGN = LazyPattern(r"\b(?:phone|tel|telephone|cell|mobile|ph|number)\.?\s*#", re.IGNORECASE)
_OTHER_NUMBER = LazyPattern(
    r"\b(?:order|invoice|account|acct|reference|ref|zip|postal code|po|id|ein|ssn|tracking|policy|serial|card|iban|item"
    r"|case|ticket)(?:\s+(?:number|no|nr|code|id))?\s*[.:#]?\s*$",
    re.IGNORECASE,
)
"""Before digits that are the number of something else."""


class EmailReader(Reader[Email]):
    """Reads e-mail addresses."""

    names = ("e-mail", "e-mail address", "mail address")
    form = "email"

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
    names = ("phone", "phone number", "telephone number", "mobile number", "cell number")
    form = "phone"

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
                Fault("has_extension", {"value": match.raw_string}) if match.number.extension else None,
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


_LINES = LazyPattern(r"\s*(?:\n|;)\s*(?:[-*•]\s+)?")
_COMMAS = LazyPattern(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_ANDS = LazyPattern(r"\s*(?:,\s*)?\b(?:and|&|plus|as well as)\s+", re.IGNORECASE)
_OR = LazyPattern(r"\bor\b", re.IGNORECASE)


class ListReader(Reader[ListOf]):
    """Reads lists: each item as its kind is read."""

    def read(self, kind: ListOf, text: str, today: date) -> JsonValue:
        """Read each item by its kind; what is left open by an "or" is not taken."""
        text = text.strip(" .!")
        parts = [part for part in _LINES.split(text.strip("-*•; \n")) if part]
        items = (
            [read_answer(kind.of, part, today) for part in parts]
            if len(parts) > 1
            else self._read_row(kind, text, today)
        )
        return kind.check(items, today)

    def _read_row(self, kind: ListOf, text: str, today: date) -> list[JsonValue]:
        """Read items that stand in one line: where their form is found, or between commas and "and"."""
        if _OR.search(text):
            raise kind.unreadable("either_or")
        mentions = find_mentions(kind.of, text, today)
        if not mentions:
            between = _ANDS if kind.of.is_place else _COMMAS
            return [read_answer(kind.of, part, today) for part in between.split(text) if part]
        items = []
        for mention in mentions:
            readings = [reading for reading in mention.readings if kind.of.accepts(reading, today)]
            if mention.unsure or len(readings) != 1:
                raise Unreadable(kind, mention.unsure or Fault("ambiguous", {"value": mention.text}))
            items.append(kind.of.check(readings[0], today))
        return items
