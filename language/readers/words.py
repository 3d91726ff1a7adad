"""Values that are any words: plain text, names of people, addresses, and text of a given form."""

from __future__ import annotations

from datetime import date

import regex as rx
from pydantic import JsonValue

from catalog.values import Address, Pattern, PersonName, Text, Unreadable
from catalog.values.base import shortened
from catalog.values.words import PATTERN_TIMEOUT_S
from language.readers.base import Mention, Reader

_LEAD_IN = rx.compile(
    r"^(?:(?:hi|hello|hey|sure|yes|okay)\b[,.! ]+"
    r"|(?:well|so|oh|ok)\b(?:\s*[,.!]\s*|\s+(?=(?:it|i|im|my|the|this|that|call|name)\b)))*"  # So-Young, Mr Oh
    r"(?:(?:my|the|our) (?:full |new |current |home |postal |last |first )*(?:name|address)(?: is|'s|’s)?\b[:, ]*"
    r"|(?:i am|i'm|i’m|im|it is|it's|it’s|this is|that's|that’s|that is|they call me|call me|i'm called"
    r"|i live (?:at|in|on)|we live (?:at|in|on)|i moved to|name:|address:)[:, ]+)*",
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
        """Take the words as they are."""
        return kind.check(text, today)


class PersonNameReader(Reader[PersonName]):
    """Reads names of people."""

    def read(self, kind: PersonName, text: str, today: date) -> JsonValue:
        """Take the answer without its lead-in ("my name is …"); refuse what is plainly a sentence."""
        name = _after_lead_in(text)
        words = name.casefold().split()
        if len(words) > 8 or any(word.strip(".,") in _NOT_IN_A_NAME for word in words):
            raise kind.unreadable(f"“{shortened(text)}” does not look like a name.")
        return kind.check(name, today)


class AddressReader(Reader[Address]):
    """Reads postal addresses."""

    def read(self, kind: Address, text: str, today: date) -> JsonValue:
        """Take the answer without its lead-in ("I live at …")."""
        if text.endswith("?"):
            raise kind.unreadable(f"“{shortened(text)}” is a question.")
        address = _after_lead_in(text)
        words = {word.strip(".,!") for word in address.casefold().split()}
        if words & _NOT_IN_AN_ADDRESS and not any(c.isdigit() for c in address):
            raise kind.unreadable(f"“{shortened(text)}” does not look like an address.")
        return kind.check(address, today)


class PatternReader(Reader[Pattern]):
    """Reads text of a given form."""

    def find(self, kind: Pattern, text: str, today: date) -> tuple[Mention, ...]:
        """Find what has the form, between words; nothing when the expression takes over half a second."""
        try:
            found = [(m.start(), m.end()) for m in kind.inside.finditer(text, timeout=PATTERN_TIMEOUT_S)]
        except TimeoutError:
            return ()
        return tuple(Mention(start, end, text[start:end], (text[start:end],)) for start, end in found if end > start)

    def read(self, kind: Pattern, text: str, today: date) -> JsonValue:
        """Take the whole answer if it has the form, else the one part that has it."""
        try:
            return kind.check(text, today)
        except Unreadable:
            if not self.find(kind, text, today):
                raise
        return super().read(kind, text, today)


def _after_lead_in(text: str) -> str:
    """Drop "my name is", "I live at" and the like, a "please" or "thanks" and the full stop at the end."""
    return _LEAD_OUT.sub("", _LEAD_IN.sub("", text, count=1)).strip(' \t\n,;:!"“”').removesuffix(".").strip()
