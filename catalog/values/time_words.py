"""Words of time: what of a text can be part of a date or a period, as a row of tokens.

A token has a code of one character, so that a grammar over tokens is a regular expression over their codes:

D date in numbers · J month in numbers · S two numbers with a slash · M month · Y year · Q quarter · H half-year ·
N number · O ordinal · W weekday · T today · X yesterday, tomorrow · G "ytd" and its like · d w m q h y units of
time · l last · t this · n next · A ago · r so far · B start · E end · - to · f from · e ending on · s since ·
v between · < before · > after · z what makes a time vague · & and · , comma · * anything else. Words that only join
("of", "in", "the whole") are no tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from catalog.values.time_lexemes import CODES, LEXEME, SHORT_DAYS, VALUES, number_of
from catalog.values.time_typos import known_alone, known_beside, may_be_slip

_TO_DATE = {"ytd": "y", "qtd": "q", "mtd": "m", "wtd": "w"}
_DASHES = frozenset("-–—−→~/")
_NAMED = {
    "iso": "D", "date": "D", "compact": "D", "month": "J", "pair": "S", "opens": "f", "closes": "e", "upto": "-",
    "first_day": "B", "last_day": "E", "earlier": "<", "same": "z", "later": ">", "recent": "l", "sofar": "r",
    "dots": "-",
}  # fmt: skip
"""Lexemes of which only the code counts."""
_BEFORE_DIGITS = re.compile(r"(?:[\w$€£¥₹#@]|[0-9][.,:]|\bno\.\s?|\b(?:than|least|most|under|above)\s)$", re.IGNORECASE)
_MAY_BEFORE, _MAY_AFTER = frozenset("oltnfsv-&<>BEMONe"), frozenset("YNO-")
_BEFORE_DAYS = frozenset(("last", "this", "next", "on", "since", "from", "until", "till", "past", "previous"))
_BEFORE_YEARS = frozenset(("in", "of", "during", "for", "fiscal", "year", "calendar", "since", "all"))
_WHOSE = frozenset(("i", "we", "you", "they", "he", "she", "it", "business", "company"))
_AT = frozenset(("in", "on", "of"))
_ADVERBS = 2
"""Up to this ordinal, "March first" may be no day: "show me March first"."""


@dataclass(frozen=True, slots=True)
class Word:
    """A token: its code, where it stands, and the number in it."""

    code: str
    start: int
    end: int
    value: int = 0
    text: str = ""


def words_of_time(text: str) -> list[Word]:
    """List the tokens of a text, without words that only join."""
    raw: list[Word] = []
    for match in LEXEME.finditer(text):
        raw.extend(_words(match, text))
    found: list[Word] = []
    last, plain = None, None  # the last token, and the last that does not only join
    for i, word in enumerate(raw):
        last = _settled(_respelt(word, plain, raw[i + 1 : i + 3]), last, raw[i + 1 : i + 3], text)
        if last.code != "o":
            plain = last
            found.append(last)
    codes = "".join(word.code for word in found)
    found = [replace(word, code="*") if _is_aside(word, i, codes) else word for i, word in enumerate(found)]
    codes = "".join(word.code for word in found)
    return [_in_digits(word, found[i + 1 : i + 2], i, codes, text) for i, word in enumerate(found)]


def century(year: int) -> int:
    """Write out a year of two digits: of this century, or, from 70 on, of the last."""
    return year if year >= 100 else 2000 + year if year < 70 else 1900 + year


def _words(match: re.Match[str], text: str) -> list[Word]:
    (start, end), said = match.span(), match.group().casefold()
    if match.lastgroup in ("word", "abbreviated"):
        code, value = _known(said.rstrip("."))
        return [Word(code, start, end, value, _TO_DATE.get(said, said))]
    if said[0].isdigit() and _BEFORE_DIGITS.search(text[max(0, start - 8) : start]):
        return [Word("*", start, end, text=said)]
    if match["quarter"] or match["half"]:
        return _with_year("Q", match, "quarter") if match["quarter"] else _with_year("H", match, "half")
    return [_number(match, said) or _sign(match, said)]


def _number(match: re.Match[str], said: str) -> Word | None:
    """Make a token of a number, in digits or in words."""
    start, end = match.span()
    if year := match["of_fiscal"] or match["year"] or match["year4"] or match["year2"]:
        return Word("Y", start, end, century(int(year)), said)
    if number := match["ordinal"] or match["number"] or match["other_year"]:
        code = "O" if match["ordinal"] else "N" if match["number"] else "?"
        return Word(code, start, end, int(number), said)
    if spoken := match["spoken_year"] or match["spoken_day"] or match["spoken_number"]:
        code = "?" if match["spoken_year"] else "O" if match["spoken_day"] else "N"
        return Word(code, start, end, number_of(spoken), said)
    return None


def _sign(match: re.Match[str], said: str) -> Word:
    """Make a token of what is neither a number nor a single word."""
    start, end = match.span()
    name = next((name for name in _NAMED if match[name]), "")
    if name == "compact":
        return Word("D", start, end, text=f"{said[:4]}-{said[4:6]}-{said[6:]}")
    if name == "upto":  # more words than "to" leave no doubt that it goes up to there
        return Word("-", start, end, text=said if said == (match["joiner"] or "").casefold() else "up to")
    if name:
        return Word(_NAMED[name], start, end, text=said if name in ("iso", "date", "month", "pair") else name)
    code = "-" if said in _DASHES else said if said in ",&" else "o" if said in "'’‘\"“”()" else "*"
    return Word(code, start, end, text=said)


def _with_year(code: str, match: re.Match[str], name: str) -> list[Word]:
    start, end = match.span(name)
    number = next(int(char) for char in match[name] if char.isdigit())
    words = [Word(code, start, end, number, match[name].casefold())]
    if year := match[f"of_{name}"]:
        first, last = match.span(f"of_{name}")
        fiscal = match.string.casefold().rfind("fy", end, first)
        words.append(Word("Y", first if fiscal < 0 else fiscal, last, century(int(year)), year))
    return words


@lru_cache(maxsize=4_096)
def _known(word: str) -> tuple[str, int]:
    """Give the code of a word, and its number; a long one may be misspelt."""
    if word in VALUES or word in CODES:
        return VALUES.get(word) or (CODES[word], 0)
    meant = known_alone(word)
    return VALUES[meant] if meant else ("*", 0)


def _settled(word: Word, before: Word | None, after: Sequence[Word], text: str) -> Word:
    """Take what may be a word of time for one only where the words around it are of time too."""
    if word.text in ("date", "day") and before is not None and before.code == "-":
        return replace(word, code="T" if before.text != "up to" or word.text == "date" else "d")
    if word.code == "?":
        return replace(word, code="Y" if _can_be_year(word, before) else "*")
    if word.code in "*o" and word.text != "about":
        return word
    ahead = next((coming for coming in after if coming.code != "o"), None)
    none = (
        (word.text == "may" and not _is_may(word, before, ahead, text))
        or (word.text in SHORT_DAYS and (before is None or before.text not in _BEFORE_DAYS))
        or (word.text == "about" and (before is None or (before.code not in "fsv-" and before.text not in _AT)))
        or (word.code in "BE" and before is not None and before.text in _WHOSE)  # "did we end 2023 with a profit"
    )
    return replace(word, code="*") if none else word


def _is_may(word: Word, before: Word | None, after: Word | None, text: str) -> bool:
    """Tell whether "may" is a month."""
    if before is None:
        return after is None or after.code in _MAY_AFTER
    named = text[word.start : word.end].istitle() and not text[: word.start].isupper()
    follows = after is not None and after.code in (_MAY_AFTER - {"-"} if before.code == "Y" else _MAY_AFTER)
    return named or follows or before.code in _MAY_BEFORE


def _respelt(word: Word, before: Word | None, after: Sequence[Word]) -> Word:
    """Take a mistyped word for the one that is meant, going by the words of time beside it."""
    if word.code != "*" or not may_be_slip(word.text):
        return word
    ahead = next((coming for coming in after if coming.code != "o"), None)
    beside = (before.code if before else "", ahead.code if ahead else "", ahead.text if ahead else "")
    meant = known_beside(word.text, *beside)
    if not meant:
        return word
    code, value = VALUES.get(meant) or (CODES[meant], 0)
    return replace(word, code=code, value=value)


def _can_be_year(word: Word, before: Word | None) -> bool:
    """Tell whether a number is a year: any of four digits after a month, one in words after other words of time too."""
    if word.text.isdigit():
        return before is not None and before.code == "M"
    if re.match(r"twenty[\s-]+twenty", word.text):
        return True
    return before is not None and (before.code in "MNOQHqhyltfsv-BEe," or before.text in _BEFORE_YEARS)


def _is_aside(word: Word, at: int, codes: str) -> bool:
    """Tell whether "now" is said by the way: it ends a range, and is no day by itself."""
    return word.text in ("now", "present") and codes[at - 1 : at] != "-"


def _in_digits(word: Word, after: Sequence[Word], at: int, codes: str, text: str) -> Word:
    """Write a day of a month that is said in words in digits: "March fifth", "the third of May", "June one to ten".

    "March first" may also mean that something is to come first, and "March one" hardly means a day; what comes before
    or after tells.
    """
    if word.code not in "NO" or word.text[0].isdigit() or not 1 <= word.value <= 31:
        return word
    in_digits = replace(word, text=str(word.value))
    if codes[at - 1 : at] == "M":
        framed = re.match(r",?Y|-", codes[at + 1 :]) or codes[max(0, at - 2) : at - 1] in ("f", "s", "v", "e", "-", "W")
        return in_digits if framed or (word.code == "O" and word.value > _ADVERBS) else word
    if word.code == "O" and after and re.fullmatch(r"\s+of\s+", text[word.end : after[0].start], re.IGNORECASE):
        return in_digits if after[0].code == "M" else word
    return in_digits if re.match(r"-OM" if codes[at - 1 : at] != "v" else "[-&]OM", codes[at + 1 :]) else word
