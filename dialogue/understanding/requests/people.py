"""People: names of persons in a request, by what stands around them. No list of names is consulted.

A title goes with a family name, a name of two words is both, and a single name is a given name. What could be a
company, a place or a thing is left alone: a name that nobody surely said is missing, and asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dialogue.understanding.words import FRAME_WORDS, FUNCTION_WORDS, fold

Place = tuple[int, int]

_WORD = re.compile(r"(?:[^\W\d_]\.(?:[^\W\d_]\.)*|[^\W\d_]+(?:['’-][^\W\d_]+)*)")
_TITLES = frozenset("mr mrs ms miss mx dr prof professor sir madam mister doctor".split())
_PARTICLES = frozenset("van von der den de di da del dos du la le bin ibn al el o ter ten zu st".split())
_COMPANY = frozenset(
    """inc llc ltd limited corp corporation co company gmbh plc group holdings partners associates bank bakery cafe
    restaurant shop store studio studios solutions systems services industries enterprises agency salon garage hotel
    school university church club foundation logistics plumbing consulting team department""".split()
)
_NO_NAME = frozenset(
    """customer customers client clients buyer contact contacts person people guest member patient tenant profile
    record entry details info information data card file list database book account address email e-mail mail phone
    telephone tel cell mobile number numbers name names surname first last given family middle full update add edit
    change modify correct fix create register enter set put save store remove delete replace switch amend adjust
    onboard include insert new old existing current former latest additional extra another other others same regular
    important loyal home work office street city town january february march april may june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday
    hi hello hey dear thanks thank cheers regards ok okay yes no not now asap pls please kindly quickly urgently
    called named goes moved moves lives changed changes wants uses needs has had got gets became married wrong right
    someone somebody anyone anybody everyone nobody following here there below attached via using with without from
    ask asked told says said should would could must his her their its my your our this that these those which who
    system software app application crm books record records mine yours him them us me it also then next
    plus and or but if as so to of for in on at by is are was were be been being do does did done""".split()
)
_ALSO_NAMES = frozenset(
    """will may mark bill grant rose april june august hope grace chase page price cook baker carpenter taylor marshall
    banks cash young long best day moon king hall wood park hill brook church summer autumn gardner""".split()
)
"""Names that are words too: with a capital of their own they are names."""
_TITLE = re.compile(r"\b(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|mister|doctor)\b\.?\s+", re.IGNORECASE)
_CUE = re.compile(
    r"(?:\b(?:customers?|clients?|named|called|name is|name:|names?|buyers?|guests?|members?|patients?|tenants?"
    r"|profiles? (?:of|for|is)|(?:customer|client|contact|profile|person)s?:)|\b(?:for|of)(?: (?:customer|client|our"
    r"|my|new))*)\s*[:,-]?\s*$",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:update|add|edit|change|modify|register|onboard|enter|amend|rename|create)\s+$", re.IGNORECASE)
_NOT_HERE = re.compile(
    r"\b(?:the|an?|from|at|in|with|by|via|through|using|on|near|inside|into|company|firm|product|software|app|this is"
    r"|i am|i['’]m|my name is|it['’]s|here is|regards,?|thanks,?|hi|hello|hey|dear)\s*,?\s*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,?\s*(?:and|&|or)\s+", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:$|[,.;:!?(0-9-]|to\b|as\b|with\b|and\b)")
_FIELD = re.compile(
    r"\b(?P<part>first|given|last|family|sur)\s?name\b(?:\s+(?:of|for)\s+[^,.;:]{1,40}?\s(?:is now|is|to|should be)"
    r"|\s*(?:is now|is|:|=|to|should be|changed to|becomes|as|,)?)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"['’]s?\s+(?:new |current |contact |customer |mobile |cell |e-?mail |phone |telephone )*"
    r"(?:e-?mail|phone|number|profile|contact|mobile|cell|telephone|info|information|details|record|data|address|account|name|entry)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Person:
    """Where a person's given and family names are said, either of which may not be; `rule` says what shows them."""

    given: Place | None
    family: Place | None
    rule: str


@dataclass(frozen=True, slots=True)
class _Run:
    """A row of words that may be a name."""

    words: tuple[Place, ...]
    rule: str
    strength: int
    turned: bool = False
    """Whether the family name comes first: "Smith, John"."""

    @property
    def start(self) -> int:
        """Give where it begins."""
        return self.words[0][0]

    @property
    def end(self) -> int:
        """Give where it ends."""
        return self.words[-1][1]


def find_person(text: str, taboo: frozenset[str]) -> Person | None:
    """Find the one person whom a text names; nobody where there are two. `taboo` are words that are no names."""
    blanked = re.sub(r"\S+@\S+|https?:\S+", lambda match: "0" * len(match.group()), text)
    cased = any(char.islower() for char in blanked) and any(char.isupper() for char in blanked)
    runs = [*_titled(blanked, taboo, cased=cased)] or [*_runs(blanked, taboo, cased=cased)]
    best = max((run.strength for run in runs), default=0)
    chosen = [run for run in runs if run.strength == best]
    named = {tuple(fold(blanked[a:b]) for a, b in run.words) for run in chosen}
    joined = any(_AND.fullmatch(blanked, one.end, other.start) for one in chosen for other in runs if one is not other)
    person = _person(chosen[0]) if best and len(named) == 1 and not joined else None
    return _with_fields(blanked, person, taboo)


def _with_fields(text: str, person: Person | None, taboo: frozenset[str]) -> Person | None:
    """Take parts that are named as such: "last name: Smith"."""
    for match in _FIELD.finditer(text):
        word = _WORD.match(text, match.end())
        if word is None or not _can_be_named(word.group(), taboo):
            continue
        place = _place(word, text)
        found = person or Person(None, None, "")
        given = match["part"].lower() in ("first", "given")
        rule = f"name after “{match['part'].lower()}{'' if match['part'].lower() == 'sur' else ' '}name”"
        person = replace(found, given=place, rule=rule) if given else replace(found, family=place, rule=rule)
        if person.given == person.family:
            return None
    return person


def _person(run: _Run) -> Person:
    """Tell the given from the family name."""
    words = run.words
    if run.turned:
        return Person(words[1], words[0], run.rule)
    if run.rule == "name after a title":
        if len(words) == 1:
            return Person(None, words[0], run.rule)
    elif len(words) == 1:
        return Person(words[0], None, run.rule)
    return Person((words[0][0], words[-2][1]), words[-1], run.rule)


def _titled(text: str, taboo: frozenset[str], *, cased: bool) -> Iterator[_Run]:
    for match in _TITLE.finditer(text):
        words = _row(text, match.end(), taboo, cased=cased, titled=True)
        if words:
            yield _Run(tuple(words), "name after a title", 4)


def _runs(text: str, taboo: frozenset[str], *, cased: bool) -> Iterator[_Run]:
    """Go through the rows of words that may be names, and say how plainly each is one."""
    at = 0
    while match := _WORD.search(text, at):
        words = _row(text, match.start(), taboo, cased=cased)
        if not words:
            at = match.end()
            continue
        at = words[-1][1]
        run = _judged(text, words, cased=cased)
        comma = re.compile(r",\s+(?=[^\W\d_])").match(text, at)
        given = _row(text, comma.end(), taboo, cased=cased) if comma and len(words) == 1 and cased else []
        if run is not None and len(given) == 1 and text[given[0][0]].isupper():
            run, at = replace(run, words=(*run.words, *given), turned=True), given[0][1]
        if run is not None:
            yield run


def _judged(text: str, words: list[Place], *, cased: bool) -> _Run | None:
    start, end = words[0][0], words[-1][1]
    before, after = text[max(0, start - 40) : start], text[end : end + 40]
    following = _WORD.match(after.lstrip(" ,.&"))
    named = {fold(text[a:b]).strip(".") for a, b in words} | ({fold(following.group())} if following else set())
    if named & _COMPANY or _NOT_HERE.search(before) or after.lstrip().startswith("&"):
        return None
    capital = cased and all(text[a].isupper() for a, _ in words)
    if _OWNED.match(after):
        return _Run(tuple(words), "name with what is theirs", 3)
    if _is_cued(before, after, len(words), capital=capital, cased=cased):
        return _Run(tuple(words), "name after a word for a person", 3)
    if _VERB.search(before) and (capital or len(words) == 2):
        return _Run(tuple(words), "name after what is to be done", 2 + (len(words) > 1))
    if capital and (len(words) > 1 or start == 0 or re.search(r"[.,:;]\s*$", before)):
        return _Run(tuple(words), "name in capitals", 2 if len(words) > 1 else 1)
    return None


def _is_cued(before: str, after: str, count: int, *, capital: bool, cased: bool) -> bool:
    """Tell whether words follow a word for a person; what follows "for" or "of" must look like a name too."""
    cue = _CUE.search(before)
    if cue is None or not cue.group().lower().startswith(("for", "of")):
        return cue is not None
    return capital or (not cased and (count == 2 or _ENDS.match(after) is not None))


def _row(text: str, at: int, taboo: frozenset[str], *, cased: bool, titled: bool = False) -> list[Place]:
    """List the words of a name that begins at a place: at most four, particles with the name that they are part of."""
    row: list[Place] = []
    capital = False
    pending: int | None = None
    for match in _WORD.finditer(text, at):
        gap = text[row[-1][1] if row and pending is None else at : match.start()]
        if (row and gap.strip(" ") and pending is None) or (not row and pending is None and match.start() != at):
            break
        word = match.group()
        if (row or titled) and word.lower() in _PARTICLES:
            pending = match.start() if pending is None else pending
            at = match.end()
            continue
        proud = cased and word[0].isupper() and not _begins_sentence(text, match.start())
        if (
            not _can_be_named(word, taboo, proud=proud)
            or (row and cased and capital and not word[0].isupper())
            or len(row) == 4
        ):
            break
        start, end = _place(match, text)
        row.append((start if pending is None else pending, end))
        capital, pending = word[0].isupper(), None
        if end != match.end():
            break
    return row


def _place(match: re.Match[str], text: str) -> Place:
    """Give where a name is, without the possessive."""
    said = match.group()
    for ending in ("'s", "’s", "'", "’"):
        if said.lower().endswith(ending):
            return match.start(), match.end() - len(ending)
    return match.start(), match.end()


def _begins_sentence(text: str, at: int) -> bool:
    return re.search(r"(?:^|[.!?:;\n])\s*$", text[:at]) is not None


def _can_be_named(word: str, taboo: frozenset[str], *, proud: bool = False) -> bool:
    """Tell whether a word can be part of a name; `proud` words have a capital that no sentence gives them."""
    bare = re.sub(r"['’]s?$", "", fold(word)).strip(".")
    if proud and bare in _ALSO_NAMES:
        return True
    known = bare in _NO_NAME or bare in _TITLES or bare in FUNCTION_WORDS or bare in FRAME_WORDS
    return len(bare) > (1 if not word.endswith(".") else 0) and not known and bare not in taboo
