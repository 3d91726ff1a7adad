"""Lexicon of time: the words of a text that can be part of a date or a period, as tokens.

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

from language.readers.intervals import MONTHS, WEEKDAYS
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import has_slips
from language.text.number_words import TENS, UNITS

_UNIT_WORDS = ("week", "weeks", "month", "months", "quarter", "quarters", "year", "years")
_PARTS = ("quarter", "half")
_FIRST_ORDINALS = ("first", "second", "third", "fourth")
_WHICH = ("last", "this", "previous", "current")
_SHORT_MONTHS = tuple(month for month in MONTHS if 3 < len(month) <= 6)
_ALONE = (*(month for month in MONTHS if len(month) >= 6), *WEEKDAYS, "yesterday", "tomorrow")
_OTHERS = frozenset("wee fist thins hall".split())
"""Words of their own that look like slips."""


def known_alone(word: str) -> str:
    """Return the long word of time that is meant, or nothing."""
    if len(word) < 6:
        return ""
    near = [long for long in _ALONE if long[0] == word[0] and _is_near(word, long, 2 if long in MONTHS else 1)]
    return near[0] if len(near) == 1 else ""


def known_beside(word: str, before: str, after: str, next_word: str) -> str:
    """Return the short word of time that is meant between tokens with these codes, or nothing."""
    if ((before and before in "ltnONBE") or after == "e") and (unit := _meant(word, _UNIT_WORDS)):
        return unit
    if (after and after in "dwmqhyMW") or _meant(next_word, _UNIT_WORDS):
        part = after in ("q", "h") or _meant(next_word, _PARTS)
        return _meant(word, _WHICH) or (_meant(word, _FIRST_ORDINALS) if part else "")
    if after == "Y" or (before in ("f", "-") and after in ("-", "N", "O")):
        return _meant(word, _SHORT_MONTHS)
    return ""


def _meant(word: str, possible: Sequence[str]) -> str:
    """Return the word that is meant; of a short one a letter may be missing, doubled or moved, and none is another."""
    if word in _OTHERS or word in possible:
        return word if word in possible else ""
    return next(
        (meant for meant in possible if (len(meant) > 6 or set(word) <= set(meant)) and _is_near(word, meant)), ""
    )


@lru_cache(maxsize=4_096)
def _is_near(word: str, long: str, edits: int = 1) -> bool:
    """Return whether a word is another one with a slip; with one more letter at its end it is a word of its own."""
    if word.removesuffix("s") == long or word[:1] != long[0]:
        return False
    return has_slips(word, long, edits)


SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_, *_UNDER_TWENTY = UNITS
_UNITS, _TEENS = _UNDER_TWENTY[:9], _UNDER_TWENTY[9:]
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
_NUMBERS = {word: number for word, number in {**UNITS, **TENS}.items() if number}
_TH = {**{word: n for n, word in enumerate(_ORDINALS, start=1)}, "twentieth": 20, "thirtieth": 30}

VALUES: dict[str, tuple[str, int]] = {
    **{name: ("M", number) for number, month in enumerate(MONTHS, start=1) for name in (month, month[:3])},
    "sept": ("M", 9),
    **{day: ("W", number) for number, day in enumerate(WEEKDAYS)},
    **{name: ("W", number) for name, number in SHORT_DAYS.items()},
    **{word: ("N", number) for word, number in _NUMBERS.items()},
    **{word: ("O", number) for word, number in _TH.items()},
    **{"yesterday": ("X", -1), "tomorrow": ("X", 1)},
    **dict.fromkeys(("ytd", "qtd", "mtd", "wtd"), ("G", 0)),
}
"""Words that stand for a number of their kind."""
CODES = {
    word: code
    for code, words in {
        "d": "day days", "w": "week weeks wk wks", "m": "month months mth mths", "q": "quarter quarters qtr qtrs",
        "h": "half halves", "y": "year years yr yrs", "T": "today now present",
        "l": "last previous prev prior past preceding latest", "t": "this current",
        "n": "next coming following upcoming",
        "A": "ago", "B": "start beginning begining", "E": "end close eom eoq eoy",
        "-": "to till until untill til through thru", "f": "from starting starts begins",
        "e": "ending ends ended finishing", "s": "since",
        "v": "between betwen bewteen", "<": "before", ">": "after onward onwards forward",
        "z": "summer winter spring autumn fall season early late mid middle rest remainder part most around about "
        "christmas easter thanksgiving holiday holidays",
        "&": "and n", "o": "of in for the on during whole entire full all "
        "throughout calendar complete over fiscal financial business s",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Words that stand for themselves."""

YEAR = r"(?:19|20)[0-9]{2}"
_COUNTED = r"units?|items?|pieces?|people|customers?|dollars?|bucks?|euros?|pounds?|usd|eur|gbp|hours?|words?|shares?"
_SMALL = "|".join(_UNITS)
_SPOKEN_YEAR = rf"""(?:
      twenty[\s-]+ (?: twenty(?![\s-]+twenty\b) (?:[\s-]+(?:{_SMALL}))? | {"|".join(_TEENS)} )
    | two[\s-]+thousand (?:\s+and)? \s+ (?: (?:twenty|thirty)(?:[\s-]+(?:{_SMALL}))? | {"|".join(_TEENS)} | {_SMALL} )
    )"""
_A = r"(?:(?:with|an?|its|the)\s+){0,2}"
_LINK = r"(?:\s+(?:of|is|was|being|as|at|on|in|from|(?:would|should|will)\s+be))*(?:\s*[:=])?"
LEXEME = LazyPattern(
    rf"""(?P<mail>\S+@\S+)
    |(?P<iso>{YEAR}(?P<s1>[-/.])[01]?[0-9](?P=s1)[0-3]?[0-9](?:T[0-9:.]+Z?)?)(?!\w|/(?!{YEAR}-)|[-.][0-9])
    |(?P<date>[0-3]?[0-9](?P<s2>[-/.])[0-3]?[0-9](?P=s2)(?:{YEAR}|[0-9]{{2}}))(?![\w/]|\.[0-9]|-[0-9]+(?![0-9/]))
    |(?P<compact>20[0-9]{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))(?![\w/]|[-.,][0-9])
    |(?P<month>{YEAR}[-/](?:0[1-9]|1[0-2])|[01]?[0-9]/{YEAR})(?![\w/]|[-.][0-9])
    |(?P<pair>[0-3]?[0-9]/[0-3]?[0-9])(?![\w/%]|[-.][0-9])
    |(?P<quarter>q[\s-]?[1-4]|[1-4]q)(?:\s?(?:fy)?[ '’/-]?(?P<of_quarter>{YEAR}|(?<![ ])[0-9]{{2}}))?(?!\w|[.,][0-9])
    |(?P<half>h-?[12]|[12]h(?=\s?['’/-]?(?:{YEAR}|[0-9]{{2}})\b))
        (?:[ '’/-]?(?P<of_half>{YEAR}|(?<![ ])[0-9]{{2}}))?(?!\w|[.,][0-9])
    |(?P<fiscal>fy|fiscal\s+year|fiscal|financial\s+year)\s?['’-]?(?P<of_fiscal>{YEAR}|[0-9]{{2}})(?![\w/%]|[-.,][0-9])
    |(?P<year>{YEAR})(?=-(?:{YEAR}|q[1-4]|h[12])\b)
    |(?P<year4>{YEAR})(?![\w/%]|[-.,:][0-9]|\s+(?:{_COUNTED})\b)
    |(?P<other_year>[12][0-9]{{3}})(?![\w/%]|[-.,:][0-9])
    |['’‘](?P<year2>[0-9]{{2}})(?![\w.,:]*[0-9])
    |(?P<ordinal>[0-9]{{1,2}})(?:st|nd|rd|th)\b
    |(?P<number>[0-9]{{1,3}})(?![\w%/:]|[.,][0-9])
    |(?P<spoken_year>\b{_SPOKEN_YEAR})\b(?!\s+(?:{_COUNTED}|thousand|hundred|million|percent|and)\b)
    |\b(?P<spoken_day>(?:twenty|thirty)[\s-]+(?:{"|".join(_ORDINALS[:9])}))\b
    |\b(?P<spoken_number>(?:{"|".join(TENS)})[\s-]+(?:{_SMALL}))\b
    |\b(?P<abbreviated>(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.)
        (?=\s*[0-9'’,-]|\s+(?:to|until|till|through|thru|and|of|last|this|year)\b)
    |\b(?P<opens>(?:start|begins?|beginning)\s+(?:on|at|from)\b|beginning(?=\s+(?:in\s+)?(?:[0-9]|{"|".join(MONTHS)}))
        |{_A}(?:start(?:ing)?|begin(?:ning)?|from|opening)\s+(?:date|day)\b{_LINK}|(?:start|from)\s*[:=]|(?:start|begin)(?=\s+[0-9]{{1,4}}[/.-]))
    |\b(?P<closes>(?:end|finish|stop|close)(?:s|es)?\s+(?:on|at)\b
        |{_A}(?:end(?:ing)?|finish(?:ing)?|closing|final)\s+(?:date|day(?!\s+(?:of|in)\b))\b{_LINK}|(?:end|to|until)\s*[:=]|end(?=\s+[0-9]{{1,4}}[/.-]))
    |\b(?P<upto>(?:(?:going|running|continuing|lasting|all\s+the\s+way|right|up)\s+)*
        (?:(?P<joiner>to|until|till|til|through|thru)\b(?:\s+and\s+including\b)?|upto\b)|as\s+of\b)
    |\b(?P<first_day>(?:first|1st)\s+day)(?=\s+(?:of|in)\b)
    |\b(?P<last_day>(?:last|final)\s+day)(?=\s+(?:of|in)\b)
    |\b(?P<earlier>(?:prior|previous)\s+to|(?:earlier|later|older|other)\s+than)\b
    |\b(?P<same>same\s+(?:period|time|timeframe|month|quarter|half|week|day)s?)\b
    |\b(?P<later>on(?=\s*(?:[.,;:!?)]|$))|(?:and|or|&)\s+(?:after(?:wards?)?|later|beyond|onwards?|forward))\b
    |\b(?P<recent>most\s+recent)\b
    |(?P<sofar>so\s+far)\b
    |(?P<dots>\.{{2,3}})
    |(?P<word>[^\W\d_]+)
    |(?P<sign>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
"""One token; the longest and plainest forms come first."""


def number_of(said: str) -> int:
    """Work out a number that is written in words: "twenty four", "thirty first", "two thousand and five"."""
    words = re.split(r"[\s-]+", said.casefold())
    values = [_NUMBERS.get(word) or _TH.get(word) or 0 for word in words if word not in ("and", "thousand")]
    if "thousand" in words:
        return values[0] * 1000 + sum(values[1:])
    if len(values) > 1 and values[1] >= 10:
        return values[0] * 100 + sum(values[1:])
    return sum(values)


_TO_DATE = {"ytd": "y", "qtd": "q", "mtd": "m", "wtd": "w"}
_DASHES = frozenset("-–—−→~/")
_NAMED = {
    "iso": "D", "date": "D", "compact": "D", "month": "J", "pair": "S", "opens": "f", "closes": "e", "upto": "-",
    "first_day": "B", "last_day": "E", "earlier": "<", "same": "z", "later": ">", "recent": "l", "sofar": "r",
    "dots": "-",
}  # fmt: skip
"""Lexemes of which only the code counts."""
_BEFORE_DIGITS = LazyPattern(
    r"(?:[\w$€£¥₹#@]|[0-9][.,:]|\bno\.\s?|\b(?:than|least|most|under|above)\s)$", re.IGNORECASE
)
_MAY_BEFORE, _MAY_AFTER = frozenset("oltnfsv-&<>BEMONe"), frozenset("YNO-")
_BEFORE_DAYS = frozenset(("last", "this", "next", "on", "since", "from", "until", "till", "past", "previous"))
_BEFORE_YEARS = frozenset(("in", "of", "during", "for", "fiscal", "year", "calendar", "since", "all"))
_WHOSE = frozenset(("i", "we", "you", "they", "he", "she", "it", "business", "company"))
_AT = frozenset(("in", "on", "of"))
_ADVERBS = 2
"""Up to this ordinal, "March first" may be no day: "show me March first"."""


@dataclass(frozen=True, slots=True)
class TimeWord:
    """A token: its code, where it stands, and the number in it."""

    code: str
    start: int
    end: int
    value: int = 0
    text: str = ""


def words_of_time(text: str) -> list[TimeWord]:
    """List the tokens of a text, without words that only join."""
    raw: list[TimeWord] = []
    for match in LEXEME.finditer(text):
        raw.extend(_words(match, text))
    found: list[TimeWord] = []
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


def _words(match: re.Match[str], text: str) -> list[TimeWord]:
    (start, end), said = match.span(), match.group().casefold()
    if match.lastgroup in ("word", "abbreviated"):
        code, value = _known(said.rstrip("."))
        return [TimeWord(code, start, end, value, _TO_DATE.get(said, said))]
    if said[0].isdigit() and _BEFORE_DIGITS.search(text[max(0, start - 8) : start]):
        return [TimeWord("*", start, end, text=said)]
    if match["quarter"] or match["half"]:
        return _with_year("Q", match, "quarter") if match["quarter"] else _with_year("H", match, "half")
    return [_number(match, said) or _sign(match, said)]


def _number(match: re.Match[str], said: str) -> TimeWord | None:
    start, end = match.span()
    if year := match["of_fiscal"] or match["year"] or match["year4"] or match["year2"]:
        return TimeWord("Y", start, end, century(int(year)), said)
    if number := match["ordinal"] or match["number"] or match["other_year"]:
        code = "O" if match["ordinal"] else "N" if match["number"] else "?"
        return TimeWord(code, start, end, int(number), said)
    if spoken := match["spoken_year"] or match["spoken_day"] or match["spoken_number"]:
        code = "?" if match["spoken_year"] else "O" if match["spoken_day"] else "N"
        return TimeWord(code, start, end, number_of(spoken), said)
    return None


def _sign(match: re.Match[str], said: str) -> TimeWord:
    """Make a token of what is neither a number nor a single word."""
    start, end = match.span()
    name = next((name for name in _NAMED if match[name]), "")
    if name == "compact":
        return TimeWord("D", start, end, text=f"{said[:4]}-{said[4:6]}-{said[6:]}")
    if name == "upto":  # more words than "to" leave no doubt that it goes up to there
        return TimeWord("-", start, end, text=said if said == (match["joiner"] or "").casefold() else "up to")
    if name:
        return TimeWord(_NAMED[name], start, end, text=said if name in ("iso", "date", "month", "pair") else name)
    code = "-" if said in _DASHES else said if said in ",&" else "o" if said in "'’‘\"“”()" else "*"
    return TimeWord(code, start, end, text=said)


def _with_year(code: str, match: re.Match[str], name: str) -> list[TimeWord]:
    start, end = match.span(name)
    number = next(int(char) for char in match[name] if char.isdigit())
    words = [TimeWord(code, start, end, number, match[name].casefold())]
    if year := match[f"of_{name}"]:
        first, last = match.span(f"of_{name}")
        fiscal = match.string.casefold().rfind("fy", end, first)
        words.append(TimeWord("Y", first if fiscal < 0 else fiscal, last, century(int(year)), year))
    return words


@lru_cache(maxsize=4_096)
def _known(word: str) -> tuple[str, int]:
    """Return the code of a word, and its number; a long one may be misspelt."""
    if word in VALUES or word in CODES:
        return VALUES.get(word) or (CODES[word], 0)
    meant = known_alone(word)
    return VALUES[meant] if meant else ("*", 0)


def _settled(word: TimeWord, before: TimeWord | None, after: Sequence[TimeWord], text: str) -> TimeWord:
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


def _is_may(word: TimeWord, before: TimeWord | None, after: TimeWord | None, text: str) -> bool:
    if before is None:
        return after is None or after.code in _MAY_AFTER
    named = text[word.start : word.end].istitle() and not text[: word.start].isupper()
    follows = after is not None and after.code in (_MAY_AFTER - {"-"} if before.code == "Y" else _MAY_AFTER)
    return named or follows or before.code in _MAY_BEFORE


def _respelt(word: TimeWord, before: TimeWord | None, after: Sequence[TimeWord]) -> TimeWord:
    """Take a mistyped word for the one that is meant, going by the words of time beside it."""
    if word.code != "*":
        return word
    ahead = next((coming for coming in after if coming.code != "o"), None)
    beside = (before.code if before else "", ahead.code if ahead else "", ahead.text if ahead else "")
    meant = known_beside(word.text, *beside)
    if not meant:
        return word
    code, value = VALUES.get(meant) or (CODES[meant], 0)
    return replace(word, code=code, value=value)


def _can_be_year(word: TimeWord, before: TimeWord | None) -> bool:
    """Return whether a number is a year: four digits after a month, or in words after other words of time."""
    if word.text.isdigit():
        return before is not None and before.code == "M"
    if re.match(r"twenty[\s-]+twenty", word.text):
        return True
    return before is not None and (before.code in "MNOQHqhyltfsv-BEe," or before.text in _BEFORE_YEARS)


def _is_aside(word: TimeWord, at: int, codes: str) -> bool:
    """Return whether "now" is only a filler: it ends a range, and is no day by itself."""
    return word.text in ("now", "present") and codes[at - 1 : at] != "-"


def _in_digits(word: TimeWord, after: Sequence[TimeWord], at: int, codes: str, text: str) -> TimeWord:
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
