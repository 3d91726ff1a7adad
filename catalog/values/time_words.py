"""Words of time: what of a text can be part of a date or a period, as a row of tokens.

A token has a code of one character, so that a grammar over tokens is a regular expression over their codes:

D date in numbers · J month in numbers · S two numbers with a slash · M month · Y year · Q quarter · H half-year ·
N number · O ordinal · W weekday · T today · X yesterday, tomorrow · G "ytd" and its like · d w m q h y units of
time · l last · t this · n next · A ago · r so far · B start · E end · - to · f from · s since · v between · < before ·
> after · z what makes a time vague · & and · , comma · * anything else. Words that only join ("of", "in", "the whole")
are no tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_VALUES: dict[str, tuple[str, int]] = {
    **{name: ("M", number) for number, month in enumerate(MONTHS, start=1) for name in (month, month[:3])},
    "sept": ("M", 9),
    **{day: ("W", number) for number, day in enumerate(_WEEKDAYS)},
    **{name: ("W", number) for name, number in _SHORT_DAYS.items()},
    **{word: ("N", number) for number, word in enumerate(_NUMBERS, start=1)},
    **{word: ("O", number) for number, word in enumerate("first second third fourth".split(), start=1)},
    **{"yesterday": ("X", -1), "tomorrow": ("X", 1)},
    **dict.fromkeys(("ytd", "qtd", "mtd", "wtd"), ("G", 0)),
}
"""Words that stand for a number of their kind."""
_CODES = {
    word: code
    for code, words in {
        "d": "day days", "w": "week weeks wk wks", "m": "month months mth mths", "q": "quarter quarters qtr qtrs",
        "h": "half halves", "y": "year years yr yrs", "T": "today now present", "l": "last previous prev prior past "
        "preceding", "t": "this current", "n": "next coming following upcoming", "A": "ago", "B": "start beginning",
        "E": "end close", "-": "to till until til thru through", "f": "from starting", "s": "since", "v": "between",
        "<": "before", ">": "after onward onwards",
        "z": "summer winter spring autumn fall season early late mid middle rest remainder part most around about "
        "christmas easter thanksgiving holiday holidays",
        "&": "and n", "o": "of in for the on during whole entire full all "
        "calendar complete over fiscal financial business s",
    }.items()
    for word in words.split()
}  # fmt: skip
_TO_DATE = {"ytd": "y", "qtd": "q", "mtd": "m", "wtd": "w"}
_DASHES = frozenset("-–—−→~/")

_YEAR = r"(?:19|20)[0-9]{2}"
_COUNTED = r"units?|items?|pieces?|people|customers?|dollars?|bucks?|euros?|pounds?|usd|eur|gbp|hours?|words?|shares?"
_LEXEME = re.compile(
    rf"""(?P<mail>\S+@\S+)
    |(?P<iso>{_YEAR}(?P<s1>[-/.])[01]?[0-9](?P=s1)[0-3]?[0-9](?:T[0-9:.]+Z?)?)(?![\w/]|[-.][0-9])
    |(?P<date>[0-3]?[0-9](?P<s2>[-/.])[0-3]?[0-9](?P=s2)(?:{_YEAR}|[0-9]{{2}}))(?![\w/]|\.[0-9]|-[0-9]+(?![0-9/]))
    |(?P<month>{_YEAR}[-/](?:0[1-9]|1[0-2])|[01]?[0-9]/{_YEAR})(?![\w/]|[-.][0-9])
    |(?P<pair>[0-3]?[0-9]/[0-3]?[0-9])(?![\w/%]|[-.][0-9])
    |(?P<quarter>q-?[1-4]|[1-4]q)(?:\s?(?:fy)?[ '’/-]?(?P<of_quarter>{_YEAR}|(?<![ ])[0-9]{{2}}))?(?!\w|[.,][0-9])
    |(?P<half>h-?[12]|[12]h(?=\s?['’/-]?(?:{_YEAR}|[0-9]{{2}})\b))
        (?:[ '’/-]?(?P<of_half>{_YEAR}|(?<![ ])[0-9]{{2}}))?(?!\w|[.,][0-9])
    |(?P<fiscal>fy|fiscal\s+year|fiscal|financial\s+year)\s?['’-]?(?P<of_fiscal>{_YEAR}|[0-9]{{2}})(?![\w/%]|[-.,][0-9])
    |(?P<year>{_YEAR})(?=-(?:{_YEAR}|q[1-4]|h[12])\b)
    |(?P<year4>{_YEAR})(?![\w/%]|[-.,:][0-9]|\s+(?:{_COUNTED})\b)
    |(?P<other_year>[12][0-9]{{3}})(?![\w/%]|[-.,:][0-9])
    |['’‘](?P<year2>[0-9]{{2}})(?![\w.,:]*[0-9])
    |(?P<ordinal>[0-9]{{1,2}})(?:st|nd|rd|th)\b
    |(?P<number>[0-9]{{1,3}})(?![\w%/:]|[.,][0-9])
    |(?P<upto>up\s?to|as\s+of)\b
    |(?P<sofar>so\s+far)\b
    |(?P<dots>\.{{2,3}})
    |(?P<word>[^\W\d_]+)
    |(?P<sign>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_DIGITS = re.compile(r"(?:[\w$€£¥₹#@]|[0-9][.,:]|\bno\.\s?|\b(?:than|least|most|under|above)\s)$", re.IGNORECASE)
_MAY_BEFORE, _MAY_AFTER = frozenset("oltnfsv-&<>BEMON"), frozenset("YNO-")
_BEFORE_DAYS = frozenset(("last", "this", "next", "on", "since", "from", "until", "till", "past", "previous"))


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
    found: list[Word] = []
    for match in _LEXEME.finditer(text):
        found.extend(_words(match, text))
    settled = (_settled(word, found[i - 1] if i else None, found[i + 1 : i + 2], text) for i, word in enumerate(found))
    return [word for word in settled if word.code != "o"]


def century(year: int) -> int:
    """Write out a year of two digits: of this century, or, from 70 on, of the last."""
    return year if year >= 100 else 2000 + year if year < 70 else 1900 + year


def _words(match: re.Match[str], text: str) -> list[Word]:
    (start, end), said = match.span(), match.group().casefold()
    if said[0].isdigit() and _BEFORE_DIGITS.search(text[max(0, start - 8) : start]):
        return [Word("*", start, end, text=said)]
    if match["quarter"] or match["half"]:
        return _with_year("Q", match, "quarter") if match["quarter"] else _with_year("H", match, "half")
    if year := match["of_fiscal"] or match["year"] or match["year4"] or match["year2"]:
        return [Word("Y", start, end, century(int(year)), said)]
    if number := match["ordinal"] or match["number"] or match["other_year"]:
        code = "O" if match["ordinal"] else "N" if match["number"] else "?"
        return [Word(code, start, end, int(number), said)]
    if match["word"]:
        code, value = _known(said)
        return [Word(code, start, end, value, _TO_DATE.get(said, said))]
    return [Word(_sign(match, said), start, end, text=said)]


def _sign(match: re.Match[str], said: str) -> str:
    """Give the code of what is neither a number nor a word."""
    codes = {"iso": "D", "date": "D", "month": "J", "pair": "S", "upto": "-", "sofar": "r", "dots": "-"}
    named = next((code for name, code in codes.items() if match[name]), "")
    if named or match["mail"]:
        return named or "*"
    return "-" if said in _DASHES else said if said in ",&" else "o" if said in "'’‘\"“”()" else "*"


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
    """Give the code of a word, and its number; a month with a long name may be misspelt."""
    if word in _VALUES or word in _CODES or len(word) < 6:
        return _VALUES.get(word) or (_CODES.get(word, "*"), 0)
    near = [
        number
        for number, month in enumerate(MONTHS, start=1)
        if len(month) >= 6 and month[0] == word[0] and DamerauLevenshtein.distance(word, month, score_cutoff=2) <= 2
    ]
    return ("M", near[0]) if len(near) == 1 else ("*", 0)


def _settled(word: Word, before: Word | None, after: list[Word], text: str) -> Word:
    """Take "may" for a month, and "sun" for a weekday, only where the words around it are of time too."""
    if word.code == "M" and word.text == "may":
        named = before is not None and text[word.start : word.end].istitle() and not text[: word.start].isupper()
        alone = before is None and not after
        around = (
            alone or (before is not None and before.code in _MAY_BEFORE) or any(w.code in _MAY_AFTER for w in after)
        )
        return word if named or around else replace(word, code="*")
    if word.text == "date" and before is not None and before.text == "to":
        return replace(word, code="T")
    if word.code == "?":  # any other number of four digits is a year only after a month
        return replace(word, code="Y" if before is not None and before.code == "M" else "*")
    if word.code == "W" and word.text in _SHORT_DAYS:
        return word if before is not None and before.text in _BEFORE_DAYS else replace(word, code="*")
    return word
