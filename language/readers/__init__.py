"""Reading values from English text: one reader for each kind of value.

A kind of value (`catalog.values`) checks, shows and serialises; what it looks like in a sentence is known here. A kind
without a reader cannot be given in words.
"""

from __future__ import annotations

from language.readers.amounts import MoneyReader, NumberReader
from language.readers.base import ANY_DAY, READERS, Mention, Reader, find_mentions, read_answer, read_as, reader_of
from language.readers.choices import ChoiceReader, YesNoReader
from language.readers.dates import DateReader
from language.readers.time_expressions import PeriodReader
from language.readers.words import (
    AddressReader,
    EmailReader,
    ListReader,
    PatternReader,
    PersonNameReader,
    PhoneReader,
    TextReader,
)

READERS.update(
    {
        "text": TextReader(),
        "person_name": PersonNameReader(),
        "address": AddressReader(),
        "pattern": PatternReader(),
        "number": NumberReader(),
        "money": MoneyReader(),
        "date": DateReader(),
        "period": PeriodReader(),
        "email": EmailReader(),
        "phone": PhoneReader(),
        "choice": ChoiceReader(),
        "yes_no": YesNoReader(),
        "list": ListReader(),
    }
)
