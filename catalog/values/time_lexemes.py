"""What words of time look like in a text, and the codes of the tokens that they become."""

from __future__ import annotations

import re

from catalog.values.time_typos import MONTHS, WEEKDAYS

SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_UNITS = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
_NUMBERS = {
    **{word: number for number, word in enumerate([*_UNITS, *_TEENS], start=1)},
    **{word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)},
}
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
LEXEME = re.compile(
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
    |\b(?P<spoken_number>(?:{"|".join(_TENS)})[\s-]+(?:{_SMALL}))\b
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
