"""Contact details: e-mail addresses and phone numbers."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, ClassVar, Literal

import email_validator
import phonenumbers
from pydantic import Field, JsonValue, field_validator

from catalog.values.base import Flag, Kind, UnfitDeclaration, shortened, with_ascii_digits, with_usual_width


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
    personal: ClassVar[bool] = True
    name_words: ClassVar[frozenset[str]] = frozenset(("email", "mail", "address"))

    def sample(self, today: date) -> JsonValue:
        return "ann@example.org"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check the form, without looking anything up."""
        text = self.text_of(value)
        try:
            normalized = email_validator.validate_email(text, check_deliverability=False).normalized
            return text if self.as_written else normalized
        except email_validator.EmailNotValidError as error:
            raise self.unreadable("not_an_email", value=text, why=str(error).rstrip(".")) from None

    def normal(self, value: JsonValue) -> JsonValue:
        """Leave out the case of what stands after the @; before it, case may make another address."""
        if not isinstance(value, str):
            return value
        local, at, domain = with_usual_width(value).rpartition("@")
        return f"{local}{at}{domain.casefold()}"


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
    personal: ClassVar[bool] = True
    name_words: ClassVar[frozenset[str]] = frozenset(("phone", "telephone"))

    @field_validator("region")
    @classmethod
    def _known_region(cls, region: str | None) -> str | None:
        if region is not None and region not in phonenumbers.SUPPORTED_REGIONS:
            raise UnfitDeclaration(
                f"{shortened(region)!r} is no country with phone numbers.", "Write two letters such as US."
            )
        return region

    def sample(self, today: date) -> JsonValue:
        number = phonenumbers.example_number(self.region or "US") or phonenumbers.example_number("US")
        assert number is not None
        if self.digits:
            return str(number.national_number)
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Check that a number of that country can be so; returns E.164."""
        text = self.text_of(value)
        if self.digits:
            return self._check_digits(text)
        try:
            number = phonenumbers.parse(text, self.region)
        except phonenumbers.NumberParseException:
            raise self.unreadable("not_one", value=text) from None
        if not phonenumbers.is_valid_number(number) or number.extension:
            raise self.unreadable("not_callable", value=text)
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)

    def normal(self, value: JsonValue) -> JsonValue:
        return re.sub(r"[^0-9+]", "", with_ascii_digits(with_usual_width(value))) if isinstance(value, str) else value

    def show(self, value: JsonValue) -> str:
        """Show it with its country code, in groups; of one that is kept as digits, the digits."""
        if self.digits:
            return str(value)
        number = phonenumbers.parse(str(value), None)
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)

    def _check_digits(self, value: str) -> JsonValue:
        digits = re.sub(r"\D", "", value)
        if any(char.isalpha() for char in value) or not LEAST_DIGITS <= len(digits) <= MOST_DIGITS:
            raise self.unreadable("not_so_many_digits", value=value, least=LEAST_DIGITS, most=MOST_DIGITS)
        return with_ascii_digits(digits)
