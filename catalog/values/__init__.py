"""Kinds of values: one class a kind, each of which checks, shows and serialises its values.

A value is plain JSON (text, number, boolean, or an object for files, tables and charts), so that it can be
kept in the event log as it is. Money is text with two decimals, a date is ISO 8601 text, a phone number is E.164
text: nothing is lost between reading and showing.
"""

from __future__ import annotations

from typing import Annotated

from catalog.values.base import KINDS, AnyKind, Fault, Flag, Kind, UnfitDeclaration, Unreadable
from catalog.values.choices import Choice, YesNo
from catalog.values.contact import Email, Phone
from catalog.values.dates import Date, Period
from catalog.values.documents import Document
from catalog.values.lists import ListOf
from catalog.values.media import Chart, Image, Table
from catalog.values.numbers import Money, Number
from catalog.values.words import Address, Pattern, PersonName, Text

KINDS.update(
    (kind.model_fields["kind"].default, kind)
    for kind in (Text, PersonName, Address, Pattern, Number, Money, Date, Period, Email, Phone, Choice, YesNo, Image,
                 Document, Table, Chart, ListOf)
)  # fmt: skip

ValueKind = Annotated[Kind, AnyKind()]
"""Field of a kind of value, whichever it is."""
