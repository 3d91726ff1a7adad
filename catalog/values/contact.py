"""How to reach a person: e-mail addresses and phone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Annotated, ClassVar, Literal

import email_validator
import phonenumbers
from pydantic import Field, JsonValue, field_validator

from catalog.values.amounts import with_ascii_digits
from catalog.values.base import Flag, Kind, Mention, Unfit, shortened
from catalog.values.dates import find_dated_spans

_EMAIL = re.compile(r"[^\s<>()\[\],;:\"“”@=/]{1,80}@[^\s<>()\[\],;:\"“”@?!'’–—]+")


class Email(Kind):
    """An e-mail address; whether it can be delivered to is not looked up."""

    kind: Literal["email"] = "email"
    as_written: Flag = Field(
        default=False, description="true: kept letter by letter; else the part after the @ is put in lower case."
    )
    noun: ClassVar[str] = "e-mail address"

    @property
    def hint(self) -> str:
        """Give an example."""
        return "an e-mail address such as ann@example.org"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check the form, without looking anything up."""
        if not isinstance(value, str):
            raise self.unreadable(f"That is not text but {type(value).__name__}.")
        try:
            normalized = email_validator.validate_email(value.strip(), check_deliverability=False).normalized
            return value.strip() if self.as_written else normalized
        except email_validator.EmailNotValidError as error:
            reason = str(error).rstrip(".")
            raise self.unreadable(f"“{shortened(value)}” is not an e-mail address: {reason}.") from None

    def show(self, value: JsonValue) -> str:
        """Show it as it is."""
        return str(value)

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find words with an @ inside; one that is malformed is found too, so that the reason can be told."""
        found = []
        for match in _EMAIL.finditer(text):
            word = match.group().strip("'’`*_.")
            start = match.start() + match.group().index(word)
            try:
                reading: JsonValue = self.check(word)
            except ValueError:
                reading = word
            found.append(Mention(start, start + len(word), word, (reading,)))
        return tuple(found)


_LEAST_DIGITS, _MOST_DIGITS = 7, 15
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


class Phone(Kind):
    """A phone number, kept as E.164 text, or as the digits that were said."""

    kind: Literal["phone"] = "phone"
    region: Annotated[
        str | None,
        Field(description="Country (two letters) of numbers without a country code; null: there must be one."),
    ] = None
    digits: Flag = Field(
        default=False, description="true: kept as the digits that were said, whether or not that can be called."
    )
    noun: ClassVar[str] = "phone number"

    @field_validator("region")
    @classmethod
    def _known_region(cls, region: str | None) -> str | None:
        if region is not None and region not in phonenumbers.SUPPORTED_REGIONS:
            raise Unfit(f"{shortened(region)!r} is no country with phone numbers.", "Write two letters such as US.")
        return region

    @property
    def hint(self) -> str:
        """Give an example of the region."""
        number = phonenumbers.example_number(self.region or "US")
        if number is None:
            return "a phone number with its country code, such as +1 201 555 0123"
        form = phonenumbers.PhoneNumberFormat.INTERNATIONAL
        shown = phonenumbers.format_number(number, form)
        if self.digits:
            return f"a phone number such as {_national(number)}"
        return (
            f"a phone number such as {shown}" if self.region else f"a phone number with country code, such as {shown}"
        )

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check that a number of that country can be so; returns E.164."""
        if not isinstance(value, str):
            raise self.unreadable(f"That is not text but {type(value).__name__}.")
        if self.digits:
            return self._check_digits(value)
        try:
            number = phonenumbers.parse(value, self.region)
        except phonenumbers.NumberParseException:
            raise self.unreadable(f"“{shortened(value)}” is not a phone number.") from None
        if not phonenumbers.is_valid_number(number) or number.extension:
            raise self.unreadable(f"“{shortened(value)}” is not a number that can be called.")
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)

    def show(self, value: JsonValue) -> str:
        """Show it with its country code, in groups; of one that is kept as digits, the digits."""
        if self.digits:
            return str(value)
        number = phonenumbers.parse(str(value), None)
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that can be called, or that look like it."""
        if self.digits:
            return tuple(self._find_digits(text))
        matches = phonenumbers.PhoneNumberMatcher(text, self.region, leniency=phonenumbers.Leniency.VALID)
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

    def _check_digits(self, value: str) -> JsonValue:
        digits = re.sub(r"\D", "", value)
        if any(char.isalpha() for char in value) or not _LEAST_DIGITS <= len(digits) <= _MOST_DIGITS:
            known = f"A phone number has {_LEAST_DIGITS} to {_MOST_DIGITS} digits."
            raise self.unreadable(f"“{shortened(value)}” is not a phone number. {known}")
        return with_ascii_digits(digits)

    def _find_digits(self, text: str) -> Iterator[Mention]:
        """Find groups of digits that are neither a date nor an amount."""
        plain = with_ascii_digits(text)
        for start, end in reversed(find_dated_spans(plain)):
            plain = plain[:start] + "\n" * (end - start) + plain[end:]
        for match in _GROUPS.finditer(_PHONE_SIGN.sub(lambda sign: f"{sign.group()[:-1]} ", plain)):
            count = sum(char.isdigit() for char in match.group())
            of_another = _OTHER_NUMBER.search(plain[max(0, match.start() - 30) : match.start()])
            if _LEAST_DIGITS <= count <= _MOST_DIGITS and not _NO_PHONE.fullmatch(match.group()) and not of_another:
                said = text[match.start() : match.end()]
                yield Mention(match.start(), match.end(), said, (self._check_digits(said),))

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the one number that is said; a whole answer of digits gets the reason why it is none."""
        if not self.digits and not self.find(text, today) and not any(c.isalpha() for c in text):
            return self.check(text, today)
        return super().read_words(text, today)


def _national(number: phonenumbers.PhoneNumber) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
