"""Names of persons in a request, recognized by context. No list of names is consulted.

A title goes with a family name, a name of two words is both, and a single name is a given name. What could be a
company, a place or a thing is left alone: a name that was not surely said is missing, and asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from language.entities.name_likeness import COMPANY, PARTICLES, TITLE, can_be_named, is_upper, name_likeness, plain
from language.text.lazy_pattern import LazyPattern
from language.text.words import fold

_WHO = (
    r"customers?|clients?|cust\.?|buyers?|guests?|members?|patients?|tenants?|students?|friend|neighbou?r|cousin|sister"
    r"|brother|sister-in-law|brother-in-law|uncle|aunt|lady|guy|man|woman|gentleman"
)
_CUE = LazyPattern(
    rf"(?:\b(?:{_WHO}|named|called|goes by|name is|name['’]s|name:|names?|profiles?(?: (?:of|for|is))?"
    r"|(?:customer|client) (?:info|details|record|account)|(?:customer|client|contact|profile|person)s?:)"
    r"|\b(?:for|of)(?: (?:customer|client|our|my|new))*)\s*[:,-]?\s*$",
    re.IGNORECASE,
)
_VERB = LazyPattern(
    r"\b(?:update|add|edit|change|modify|register|onboard|enter|amend|rename|create|put|save|sign(?:ed)? up)\s+$",
    re.IGNORECASE,
)
_TO_THE_LIST = LazyPattern(
    rf"\s+(?:to|into|in|as|on)\s+(?:(?:our|my|the|a|an|new)\s+)*(?:{_WHO}|(?:customer|client)\b|contacts|books|crm|list)",
    re.IGNORECASE,
)
_NOT_HERE = LazyPattern(
    r"(?:\b(?:the|an?|from|at|in|with|(?<!goes )by|via|through|using|on|near|inside|into|company|firm|product"
    r"|software|app|this is|i am|i['’]m|my name is|it['’]s|here is"
    r"|my (?:employee|assistant|manager|accountant|boss|partner|bookkeeper|colleague|co-?worker|secretary))"
    r"|\b(?:regards|thanks|thank you|best|cheers|yours|sincerely|love),?(?:\s+[a-z]+,)?|\b(?:hi|hello|hey|dear))\s*$",
    re.IGNORECASE,
)
_TELLS = LazyPattern(
    r"\s+(?:here|says?|said|told|tells|asks?|asked|thinks|thought|wrote|writes|mentioned|reports?)\b", re.IGNORECASE
)
"""Words after a person who speaks of a customer, and is none."""
_DOES = LazyPattern(
    r"\s*(?:,\s*(?:he|she|they|who|whose)\b|(?:just|has|got|gets|wants?|needs?|moved|changed|is|became|would like)\b)",
    re.IGNORECASE,
)
_POINTED_OUT = LazyPattern(r"\s+(?:who|whose|that)\b", re.IGNORECASE)
_AND = LazyPattern(r"\s*,?\s*(?:and|&|or)\s+", re.IGNORECASE)
_ENDS = LazyPattern(r"\s*(?:$|[,.;:!?(0-9-]|to\b|as\b|with\b|and\b)")
_REACHED = LazyPattern(r"\s*[,:;(-]?\s*(?:\+?[(0-9]|(?:e-?mail|phone|tel|cell|mobile)\b)", re.IGNORECASE)
_PART = r"(?P<part>first|given|fore|last|family|sur)\s?names?\b"
_FIELD = LazyPattern(
    rf"\b{_PART}(?:\s+(?:of|for)\s+[^,.;:]{{1,40}}?\s(?:is now|is|to|should be)"
    r"|\s*(?:is now|is|:|=|-|to|should be|changed to|becomes|as|of|,)?)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_FIELD_AFTER = LazyPattern(
    rf"\s+(?:is|as|=)\s+(?:(?:the|his|her|their|a)\s+)?(?:customer['’]s\s+)?{_PART}(?!\s*(?:is|:|=))", re.IGNORECASE
)
_OWNED = LazyPattern(
    r"['’]s?\s+(?:new |current |contact |customer |mobile |cell |(?:e-?)?mail |phone |telephone )*"
    r"(?:(?:e-?)?mail|phone|number|profile|contact|mobile|cell|telephone|info|information|details|record|data|address|account|name|entry)\b",
    re.IGNORECASE,
)
_ADDRESS = LazyPattern(r"(?P<local>[^\s@<>(]{1,80})@\S+")


Place = tuple[int, int]

_WORD = LazyPattern(r"(?:[^\W\d_]\.(?:[^\W\d_]\.)*|[^\W\d_]+(?:['’-][^\W\d_]+)*)")
_SENTENCE_START = LazyPattern(r"(?:^|[.!?:;\n])\s*$")
_VERY_LIKE_A_NAME, _LIKE_A_NAME, _UNLIKE_A_NAME, _NOTHING_LIKE_A_NAME = 0.07, 0.0, -0.08, -0.12
"""How like a name lower-case words must look: by themselves, beside a word for a person, in a run of words."""


@dataclass(frozen=True, slots=True)
class Person:
    """Where a person's given and family names are said, either of which may not be; `rule` says what shows them."""

    given: Place | None
    family: Place | None
    rule: str


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of words that may be a name."""

    words: tuple[Place, ...]
    rule: str = ""
    strength: int = 0
    turned: bool = False
    """Whether the family name comes first: "Smith, John"."""

    @property
    def start(self) -> int:
        return self.words[0][0]

    @property
    def end(self) -> int:
        return self.words[-1][1]


def find_person(text: str, taboo: frozenset[str]) -> Person | None:
    """Find the one person whom a text names; none where there are two. `taboo` are words that are no names."""
    return _Finder(text, taboo).find()


class _Finder:
    def __init__(self, text: str, taboo: frozenset[str]) -> None:
        self._taboo = taboo
        self._text = re.sub(r"\S+@\S+|https?:\S+", lambda match: "0" * len(match.group()), text)
        self._addresses = [plain(match["local"]) for match in _ADDRESS.finditer(text)]
        self._cased = any(c.islower() for c in self._text) and any(c.isupper() for c in self._text)

    def find(self) -> Person | None:
        """Choose the run that is most plainly a name, and take the parts that are named as such."""
        fields = dict(self._fields())
        places = [place for place, _ in fields.values()]
        runs = [
            run
            for run in [*self._titled()] or [*self._judged_runs()]
            if not any(run.start < end and start < run.end for start, end in places)
        ]
        best = max((run.strength for run in runs), default=0)
        chosen = [run for run in runs if run.strength == best and best]
        whole = [one for one in chosen if not any(self._is_within(one, other) for other in runs)] or [
            other for other in runs if any(self._is_within(one, other) for one in chosen)
        ]
        named = {self._words(run) for run in whole}
        joined = any(_AND.fullmatch(self._text, one.end, other.start) for one in whole for other in runs)
        return self._with_fields(_person(whole[0]) if len(named) == 1 and not joined else None, fields)

    def _words(self, run: _Run) -> tuple[str, ...]:
        return tuple(fold(self._text[a:b]) for a, b in run.words)

    def _is_within(self, one: _Run, other: _Run) -> bool:
        """Return whether a run is a part of the name that another one is: "Kevin" of "Kevin Brown"."""
        part, whole = self._words(one), self._words(other)
        return len(part) < len(whole) and part in (whole[: len(part)], whole[-len(part) :])

    def _titled(self) -> Iterator[_Run]:
        for match in TITLE.finditer(self._text):
            words = self._named_row(match.end())
            if words:
                yield _Run(tuple(words), "name after a title", 4)

    def _judged_runs(self) -> Iterator[_Run]:
        """Go through the rows of words that may be names, and say how plainly each is one."""
        at = 0
        while match := _WORD.search(self._text, at):
            words = self._row(match.start())
            if not words:
                at = match.end()
                continue
            at = words[-1][1]
            run = self._turned(_Run(tuple(words)))
            judged = self._judge(run)
            if judged is not None:
                yield judged
                at = judged.end

    def _turned(self, run: _Run) -> _Run:
        """Put "Smith, John" together."""
        comma = re.compile(r",\s+(?=[^\W\d_])").match(self._text, run.end)
        given = self._row(comma.end()) if comma and len(run.words) == 1 and self._cased else []
        if len(given) == 1 and is_upper(self._text[given[0][0] :]):
            return replace(run, words=(*run.words, *given), turned=True)
        return run

    def _judge(self, run: _Run) -> _Run | None:
        """Return the evidence that a run is a name, and its strength; None if there is none."""
        words = run.words[:1] if run.turned else run.words
        start, end = words[0][0], words[-1][1]
        before, after = self._text[max(0, start - 40) : start], self._text[end : end + 60]
        following = _WORD.match(re.sub(r"^(?:['’]s?)?[ ,.&]+", "", after))
        named = {*self._words(run), *([fold(following.group())] if following else [])}
        elsewhere = _TELLS.match(after) or (_NOT_HERE.search(before) and not _POINTED_OUT.match(after))
        if {word.strip(".") for word in named} & COMPANY or elsewhere or after.lstrip().startswith("&"):
            return None
        capital = self._cased and all(is_upper(self._text[a:b]) for a, b in words)
        rule, strength, least = self._evidence(before, after, words, capital=capital)
        if not strength or capital:
            return replace(run, rule=rule, strength=strength) if strength else None
        kept = self._like_a_name(words, least)
        return replace(run, words=tuple(kept), rule=rule, strength=strength) if kept else None

    def _evidence(self, before: str, after: str, words: Sequence[Place], *, capital: bool) -> tuple[str, int, float]:
        """Name the rule that shows a name, the plainest first, how plainly, and how like a name it must look then."""
        count = len(words)
        verb = _VERB.search(before) and (capital or count in (2, 3) or _TO_THE_LIST.match(after))
        acronym = any(len(word) > 1 and word.isupper() for word in (self._text[a:b] for a, b in words))
        first = not before or re.search(r"[.,:;]\s*$", before)
        alone = capital and not acronym and (count > 1 or first)
        reached = not capital and count in (2, 3) and _REACHED.match(after)
        rules = (
            ("name as in the address", 4, _UNLIKE_A_NAME, self._is_in_address(words)),
            ("name with what is theirs", 3, _UNLIKE_A_NAME, _OWNED.match(after)),
            ("name after a word for a person", 3, _UNLIKE_A_NAME, self._is_cued(before, after, count, capital=capital)),
            ("name after what is to be done", 2 + (count > 1), _LIKE_A_NAME if count > 1 else _VERY_LIKE_A_NAME, verb),
            ("name in capitals", 1 + (count > 1), _LIKE_A_NAME, alone),
            ("name of who does something", 2, _VERY_LIKE_A_NAME, not capital and first and _DOES.match(after)),
            ("name beside how to reach them", 2, _LIKE_A_NAME, reached),
        )
        return next(((rule, strength, least) for rule, strength, least, shown in rules if shown), ("", 0, 0.0))

    def _like_a_name(self, words: Sequence[Place], least: float) -> list[Place]:
        """Keep of words without a capital what looks like a name: "priya" of "priya phoned"."""
        kept = list(words)
        while len(kept) > 1 and name_likeness(self._text[slice(*kept[-1])]) < _NOTHING_LIKE_A_NAME:
            kept.pop()
        while len(kept) > 1 and name_likeness(self._text[slice(*kept[0])]) < _NOTHING_LIKE_A_NAME:
            kept.pop(0)
        return kept if name_likeness(self._text[kept[0][0] : kept[-1][1]]) >= least else []

    def _is_in_address(self, words: Sequence[Place]) -> bool:
        parts = [part for a, b in words if len(part := plain(self._text[a:b])) > 2]
        return any(part in address for part in parts for address in self._addresses)

    def _is_cued(self, before: str, after: str, count: int, *, capital: bool) -> bool:
        """Return whether words follow a word for a person; what follows "for" or "of" must look like a name too."""
        cue = _CUE.search(before)
        if cue is None or not cue.group().lower().startswith(("for", "of")):
            return cue is not None
        return capital or (not self._cased and (count == 2 or _ENDS.match(after) is not None))

    def _row(self, at: int, *, titled: bool = False) -> list[Place]:
        """List the words of a name that begins at a place: at most four, particles with what they are part of."""
        text, row = self._text, list[Place]()
        capital = False
        pending: int | None = None
        for match in _WORD.finditer(text, at):
            gap = text[row[-1][1] if row and pending is None else at : match.start()]
            if (row and gap.strip(" ") and pending is None) or (not row and pending is None and match.start() != at):
                break
            word = match.group()
            if (row or titled) and word.lower() in PARTICLES:
                pending = match.start() if pending is None else pending
                at = match.end()
                continue
            upper = is_upper(word)
            if self._cased and row and upper and not capital:
                return []  # "our neighbour Ann": the name begins with the capital
            proud = self._cased and upper and not _SENTENCE_START.search(text[: match.start()])
            lower = row and self._cased and capital and not upper
            if lower or len(row) == 4 or not can_be_named(word, self._taboo, proud=proud):
                break
            start, end = _place(match)
            row.append((start if pending is None else pending, end))
            capital, pending = upper, None
            if end != match.end():
                break
        return row

    def _named_row(self, at: int) -> list[Place]:
        """List the words of a name where there must be one: after a title, or "last name is"."""
        row = self._row(at, titled=True)
        capital = self._cased and bool(row) and is_upper(self._text[row[0][0] :])
        return row if capital or not row else self._like_a_name(row, _UNLIKE_A_NAME)

    def _with_fields(self, person: Person | None, fields: Mapping[str, tuple[Place, str]]) -> Person | None:
        """Take parts that are named as such: "last name: Smith"; a name that is one of them is not the other too."""
        if not fields:
            return person
        found = person or Person(None, None, "")
        named = {fold(self._text[slice(*place)]) for place, _ in fields.values()}
        parts = {
            part: place
            for part, place in (("given", found.given), ("family", found.family))
            if place and fold(self._text[slice(*place)]) not in named
        }
        parts |= {part: place for part, (place, _) in fields.items()}
        rule = [said for _, said in fields.values()][-1]
        return Person(parts.get("given"), parts.get("family"), f"name after “{rule}”")

    def _fields(self) -> Iterator[tuple[str, tuple[Place, str]]]:
        for match in _FIELD.finditer(self._text):
            if row := self._named_row(match.end()):
                yield _part(match), ((row[0][0], row[-1][1]), f"{match['part'].lower()} name")
        for match in _FIELD_AFTER.finditer(self._text):
            before = [*_WORD.finditer(self._text, max(0, match.start() - 40), match.start())][-1:]
            row = self._named_row(before[0].start()) if before and before[0].end() == match.start() else []
            if row:
                yield _part(match), (row[-1], f"{match['part'].lower()} name")


def _part(match: re.Match[str]) -> str:
    return "family" if match["part"].lower() in ("last", "family", "sur") else "given"


def _person(run: _Run) -> Person:
    """Split words into the given and the family name."""
    words = run.words
    if run.turned:
        return Person(words[1], words[0], run.rule)
    if len(words) == 1:
        titled = run.rule == "name after a title"
        return Person(None if titled else words[0], words[0] if titled else None, run.rule)
    return Person((words[0][0], words[-2][1]), words[-1], run.rule)


def _place(match: re.Match[str]) -> Place:
    """Return where a name is, without the possessive."""
    owning = re.search(r"(?:['’]s|['’])$", match.group(), re.IGNORECASE)
    return match.start(), match.start() + owning.start() if owning else match.end()
