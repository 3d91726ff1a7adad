"""Names in a catalog: any printable text of any script, in one Unicode form; and texts that are safe to show."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from catalog.values.base import UnfitDeclaration

MAX_NAME = 100
MAX_SENTENCE = 2_000

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how some scripts and emoji are written."""
_UNSHOWABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for ends of lines and tabs, those that turn the order of text, and halves of pairs."""
_SEPARATOR = "\N{SYMBOL FOR UNIT SEPARATOR}"
"""Joins the parts of an operator's name, so that no name may hold it."""


def one_form(value: object) -> object:
    """Return a text in one Unicode form, and anything else as it is."""
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


def refuse_invisible(name: str, what: str) -> str:
    """Refuse what cannot be seen, and spaces at the ends; `what` says what it is: a name, or an alias."""
    for char in name if not (name.isascii() and name.isprintable()) else "":
        if (unicodedata.category(char)[0] == "C" and char not in _JOINERS) or char in "\u2028\u2029" + _SEPARATOR:
            called = unicodedata.name(char, "a control character").lower()
            raise UnfitDeclaration(
                f"The {what} {name!a:.60} holds {called} (U+{ord(char):04X}).", "Use printable characters."
            )
    if name != name.strip():
        raise UnfitDeclaration(f"The {what} {name!r:.60} begins or ends with a space.", "Take the space away.")
    return name


def _printable(name: str) -> str:
    """Refuse what cannot be seen, what looks like a path, and spaces at the ends."""
    refuse_invisible(name, "name")
    if "/" in name or "\\" in name or name in (".", ".."):
        raise UnfitDeclaration(
            f"The name {name!r:.60} looks like a path.", "Write it without / and \\; `alias` may hold them."
        )
    return name


def _showable(text: str) -> str:
    """Refuse control characters, and those that turn the order of the text around them."""
    if not text.isprintable() and (found := _UNSHOWABLE.search(text)):
        raise UnfitDeclaration(f"The text holds U+{ord(found[0]):04X}, which cannot be shown safely.", "Take it out.")
    return text


Name = Annotated[str, BeforeValidator(one_form), Field(min_length=1, max_length=MAX_NAME), AfterValidator(_printable)]
"""What an entry of a catalog is called and referred to by; upper and lower case differ."""

Sentence = Annotated[str, Field(max_length=MAX_SENTENCE), AfterValidator(_showable)]
"""A text for people."""

_ALIKE = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏг" + "αβεηικνορτυχγω" + "օսհց" + "01|",
    "abekmhopctyxijsdqwhlr" + "abenikvoptuxyw" + "ouhg" + "oll",
)
"""Small letters of Cyrillic, Greek and Armenian that look like Latin ones, and digits that look like letters.

A short list of what is mistaken in practice, after "confusables" of Unicode Technical Standard 39, §4.
"""
_INVISIBLE = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")


def folded(name: str) -> str:
    """Write a name so that case and compatibility forms (full width, ligatures) make no difference."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeleton(name: str) -> str:
    """Write a name so that what looks alike is alike."""
    return _INVISIBLE.sub("", with_underscores(name)).translate(_ALIKE)


def with_underscores(name: str) -> str:
    """Write a name with underscores for whatever joins its words."""
    return re.sub(r"[\s_‐-―-]+", "_", folded(name))


def scripts_of(name: str) -> list[str]:
    """List the scripts of the letters of a name, of those that have letters which look alike."""
    found = {unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha()}
    return [script for script in _SCRIPTS if script in found]
