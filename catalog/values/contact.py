"""How to reach a person: e-mail addresses and phone numbers."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, ClassVar, Literal

import email_validator
import phonenumbers
from pydantic import Field, JsonValue, field_validator

from catalog.values.base import Flag, Kind, Mention, Unfit, shortened

_EMAIL = re.compile(r"[^\s<>()\[\],;:\"“”@]+@[^\s<>()\[\],;:\"“”@?!]+")


class Email(Kind):
    """An e-mail address; whether it can be delivered to is not looked up."""

    kind: Literal["email"] = "email"
    noun: ClassVar[str] = "e-mail address"

    @property
    def hint(self) -> str:
        """Give an example."""
        return "an e-mail address such as ann@example.org"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check the form, without looking anything up; the domain is written in lower case."""
        if not isinstance(value, str):
            raise self.unreadable(f"That is not text but {type(value).__name__}.")
        try:
            return email_validator.validate_email(value.strip(), check_deliverability=False).normalized
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


class Phone(Kind):
    """A phone number, kept as E.164 text."""

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
        return (
            f"a phone number such as {shown}" if self.region else f"a phone number with country code, such as {shown}"
        )

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check that a number of that country can be so; returns E.164."""
        if not isinstance(value, str):
            raise self.unreadable(f"That is not text but {type(value).__name__}.")
        try:
            number = phonenumbers.parse(value, self.region)
        except phonenumbers.NumberParseException:
            raise self.unreadable(f"“{shortened(value)}” is not a phone number.") from None
        if not phonenumbers.is_valid_number(number) or number.extension:
            raise self.unreadable(f"“{shortened(value)}” is not a number that can be called.")
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)

    def show(self, value: JsonValue) -> str:
        """Show it with its country code, in groups."""
        number = phonenumbers.parse(str(value), None)
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find numbers that can be called."""
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

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the one number that is said; a whole answer of digits gets the reason why it is none."""
        if not self.find(text, today) and not any(c.isalpha() for c in text):
            return self.check(text, today)
        return super().read_words(text, today)
