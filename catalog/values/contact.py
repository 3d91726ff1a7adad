"""Contact details: e-mail addresses and phone numbers."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, ClassVar, Literal

import email_validator
import phonenumbers
from pydantic import Field, JsonValue, field_validator

from catalog.values.base import Flag, Kind, Unfit, shortened, with_ascii_digits


class Email(Kind):
    """An e-mail address; whether it can be delivered to is not looked up."""

    kind: Literal["email"] = "email"
    as_written: Flag = Field(
        default=False, description="true: kept letter by letter; else the part after the @ is put in lower case."
    )
    self_evident: ClassVar[bool] = True
    addressable: ClassVar[bool] = True
    stands_apart: ClassVar[bool] = True
    noun: ClassVar[str] = "e-mail address"

    @property
    def hint(self) -> str:
        """Return an example."""
        return "an e-mail address such as ann@example.org"

    def sample(self, today: date) -> JsonValue:
        """Return an example."""
        return "ann@example.org"

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


LEAST_DIGITS, MOST_DIGITS = 7, 15


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
    self_evident: ClassVar[bool] = True
    addressable: ClassVar[bool] = True
    stands_apart: ClassVar[bool] = True
    noun: ClassVar[str] = "phone number"

    @field_validator("region")
    @classmethod
    def _known_region(cls, region: str | None) -> str | None:
        if region is not None and region not in phonenumbers.SUPPORTED_REGIONS:
            raise Unfit(f"{shortened(region)!r} is no country with phone numbers.", "Write two letters such as US.")
        return region

    @property
    def hint(self) -> str:
        """Return an example of the region."""
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

    def sample(self, today: date) -> JsonValue:
        """Return an example."""
        number = phonenumbers.example_number(self.region or "US") or phonenumbers.example_number("US")
        assert number is not None
        if self.digits:
            return str(number.national_number)
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)

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

    def _check_digits(self, value: str) -> JsonValue:
        digits = re.sub(r"\D", "", value)
        if any(char.isalpha() for char in value) or not LEAST_DIGITS <= len(digits) <= MOST_DIGITS:
            known = f"A phone number has {LEAST_DIGITS} to {MOST_DIGITS} digits."
            raise self.unreadable(f"“{shortened(value)}” is not a phone number. {known}")
        return with_ascii_digits(digits)


def _national(number: phonenumbers.PhoneNumber) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
