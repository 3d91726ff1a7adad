"""Contacts: the person or office that answers what the assistant cannot."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from catalog.model.entry import Entry
from catalog.model.names import Sentence


class Appeal(StrEnum):
    """What a person turns to a person for."""

    PERSON = "person"
    DISAGREEMENT = "disagreement"
    DATA = "data"
    """That what is stored of them is deleted."""


class Contact(Entry):
    """A person or an office, with an address to write to."""

    name: Annotated[Sentence, Field(min_length=1, description="The person or the office.")]
    address: Annotated[Sentence, Field(min_length=1, description="Where to write to, or which number to call.")]
    about: Annotated[tuple[Appeal, ...], Field(max_length=len(Appeal))] = Field(
        default=(), description="What it is for: person, disagreement, data. Left out, it is for whatever no other is."
    )


Contacts = Annotated[tuple[Contact, ...], Field(max_length=20)]


def find_contact(contacts: Contacts, appeal: Appeal) -> Contact | None:
    """Return the contact for an appeal: the first that names it, else the first that names none."""
    named = (one for one in contacts if appeal in one.about)
    return next(named, next((one for one in contacts if not one.about), None))
