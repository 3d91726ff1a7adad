"""Words around a value: where free text begins and ends, whose a value is, whether it is denied or only mentioned."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog, Fact, Goal
from catalog.values import ValueKind
from language.entities.fact_cues import FactNames
from language.readers import Mention, reader_of
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_frames import is_owned
from language.text.utterance import UtteranceText
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, Clause, content_words, fold, words_in

_STOP_BEFORE = (
    r"\s+(?:and|but|so|because|who|with)\s+(?:i|i'm|my|we|our|the|also|please|can|could|would|want|need|it"
    r"|have|has|had|am|are|is|was|were|been|earn|make|get|pay|live|work)\b"
    r"|[;!?\n]|(?<=[^\W\d_]{3})\.(?:\s|$)|,\s+(?:and|but|i|i'm|i'd|my|please|thanks|can|could)\b|\s+-\s+"
    r"|\s+for\s+(?=[$€£]?\d)|\s+(?:for|since)\s+(?:about|over|nearly|almost|more than|\d)|\s+on (?:file|record)\b"
    r"|\s+as (?:my|our|the)\b|,?\s+(?:please|pls|thanks)\b"
)
_CHANGES = r"\b(?:change|update|correct|amend|switch|set|move|alter)\s+(?:(?:my|our|the)\s+)?(?:\w+\s+)?"


class Openings:
    """The lead-ins of free-text facts, for one catalog."""

    def __init__(self, facts: Iterable[Fact], names: FactNames) -> None:
        wordy = [fact for fact in facts if fact.value.free_text]
        self._named, self._listed, self._changed = {}, {}, {}
        for fact in wordy:
            name = rf"(?P<name>{names.pattern(fact.name)})"
            self._named[fact.name] = re.compile(
                rf"\b(?:my|our|(?P<the>the))\s+(?:new |current |full |actual |correct )?{name}"
                r"\s*(?:is now|is|:|=|should be|would be|will be|has changed to)\s*(?!not\b)"
                rf"(?(the){r'(?=[0-9])' if fact.value.is_place else '(?!)'})"
            )
            begins = (
                r"(?:'s|\s+is)?\s*[:=]?\s+"
                if fact.value.name_part
                else r"\s*[:=]?\s+(?=\d)"
                if fact.value.is_place
                else r"\s*[:=]\s*"
            )
            joined = r"|\band\s+" if fact.value.is_place else ""
            self._listed[fact.name] = re.compile(
                rf"(?:\A|[,;:.!?(\n]\s*|\s-\s{joined})(?:my |our |full )?{name}{begins}(?!is\b)"
            )
            changed = _changed(fact, wordy, names)
            if changed is not None:
                self._changed[fact.name] = re.compile(
                    rf"{_CHANGES}(?P<name>{changed})(?:\s+(?:on file|on record|with you))?"
                    r"(?:\s+from\s+[^;!?\n]{3,80}?)?\s*(?:\bto\b|\binto\b|:)\s*"
                    + (r"(?=\d)" if fact.value.is_place else "")
                )

    def find(self, fact: Fact, folded: str, *, only: bool) -> Iterator[tuple[re.Match[str], str, bool]]:
        """Find where values of a fact open: with what opens them, by which rule, and whether its name is said.

        `only` tells that the fact is the one of its kind that people speak of without naming it.
        """
        kind = fact.value.kind
        for lead in self._named[fact.name].finditer(folded):
            yield lead, f"{kind} after its name", True
        for lead in self._listed[fact.name].finditer(folded) if can_be_asked(fact) else ():
            yield lead, f"{kind} beside its name in a list", True
        if fact.name in self._changed:
            for lead in self._changed[fact.name].finditer(folded):
                if not DENIED_BEFORE.search(folded, 0, lead.start()):
                    yield lead, f"{kind} that another one is changed to", True
        lead_in = reader_of(fact.value).lead_in if only else None
        if lead_in is not None:
            for lead in lead_in.finditer(folded):
                yield lead, f"{kind} after “{lead.group().strip()}”", False


def _changed(fact: Fact, wordy: Iterable[Fact], names: FactNames) -> str | None:
    """Return what people say that they change when they tell a fact: to "change my address" is to tell the new one."""
    mine = names.of(fact.name)
    renewed = {name.removeprefix("new ") for name in mine if name.startswith("new ")}
    others = [names.of(other.name) for other in wordy if other.name != fact.name]
    if any(renewed & set(known) for known in others):
        older = next(other.name for other in wordy if renewed & set(names.of(other.name)) and other.name != fact.name)
        return f"{names.pattern(older)}|{names.pattern(fact.name)}"
    return None if any(f"new {name}" in known for known in others for name in mine) else names.pattern(fact.name)


def stop_before(names: Iterable[str]) -> re.Pattern[str]:
    """Match where free words end: where another statement begins, or another fact is named in a list."""
    return re.compile(rf"{_STOP_BEFORE}|,\s+(?:(?:my|our)\s+)?(?:{'|'.join(names)})\b")


def end_of_words(folded: str, start: int, stops: re.Pattern[str]) -> int:
    """Find where free words that begin here end."""
    stop = stops.search(folded, start)
    return len(folded[: stop.start() if stop else len(folded)].rstrip(' .,;:"'))


def is_wordy(kind: ValueKind) -> bool:
    return kind.innermost.free_text


_THEIRS = LazyPattern(
    r"\b(?:his|her|their|your|its|whose"
    r"|(?!(?:it|that|what|there|here|let|who|how|where|he|she|name|mail|address|number)'s\b)\w+'s)\b"
)
"""Words before a value that make it another person's."""
_NOT_NOW = LazyPattern(
    r"\b(?:(?<!years )(?<!year )(?<!months )(?<!weeks )(?<!days )(?<!how )old"
    r"|previous|former|used to|for example|e\.g\.|such as|unless"
    r"|(?<!know )(?<!see )(?<!ask )(?<!wonder )(?<!wondering )if)\b"
)
"""Words before a value that make it past or hypothetical."""

_ABOUT = LazyPattern(r"\b(?P<subject>[^\W\d_]+) (?:was|were|is|has|had)(?: \w+)?(?: (?:on|in|the|at|about|only))* *\Z")
_SELF = FUNCTION_WORDS - frozenset("he she they his him her their you yours".split())


def is_about_another(folded: str, first: int, last: int, own: Collection[str]) -> bool:
    """Return whether what is said right before a value is said of another person: "my wife was born on …".

    `own` are stems of words that lead to the value, of which it may be said as well: "the house was …".
    """
    match = _ABOUT.search(folded, max(0, first), last)
    return match is not None and match["subject"] not in _SELF and stem(match["subject"]) not in own


def is_of_another(folded: str, first: int, last: int, *, whose: bool = True) -> bool:
    """Return whether words between two places say that what follows is another person's, of the past, or supposed.

    `whose` tells whether it matters whose it is.
    """
    start = max(0, first)
    return (whose and _THEIRS.search(folded, start, last) is not None) or _NOT_NOW.search(
        folded, start, last
    ) is not None


_YOURS = LazyPattern(r"\byou(?:rs?)?\b(?! like| want)", re.IGNORECASE)


def is_about_speaker(fact: Fact) -> bool:
    """Return whether a fact is about the person who is asked for it, going by the words in which they are asked.

    What they "would like" is about no person.
    """
    return _YOURS.search(f"{fact.ask or ''} {fact.label}") is not None


_SENT_TO = LazyPattern(
    r"\b(?:write|(?<!my )(?<!our )mail(?!\s*(?:is\b|address\b|:))|send|sent|forward|transfer|paid|pay)\b"
    r"(?:\s*\Z|.*\b(?:to|at|into|via|on)\b)"
)
"""Words before a value that is only a destination."""
_IF = r"\bif (?:i|we)(?! (?:had|was|were|would|could|did|didn't|don't|earned|made|got|only|ever|\w+ed)\b)\s"
_GIVEN = LazyPattern(rf".*\b(?:how much|what)\b.*{_IF}")
_GIVEN_FIRST = LazyPattern(rf"\W*(?:and\s+|so\s+)?{_IF}")
_COSTS = LazyPattern(r"[^.!;\n]*\b(?:how much|what)\b")
"""Words before an amount that is the basis of a question about costs."""
_ITS = LazyPattern(r"\bits\s+(?:about |around |roughly )?\Z")
"""Right before a value: a slip for "it's"."""
_PERSON = LazyPattern(
    r"\b(?:my|our) (?!(?:\w+ )?(?:e-?mail|mail|address|inbox|account|contact|login|id|user)\b)[a-z]+(?: [a-z]+)?\W*\Z"
)
"""Words right before an e-mail address that name its owner."""
_EITHER = LazyPattern(r"[\s,]*(?:or|to|and|-|/|or maybe|or perhaps|or about)\s*")
_WONDERING = LazyPattern(r"\W*(?:is|are|was|were|do|does|did|has|have|what|what's|who|why|when|where|how|which)\b")
DENIED_BEFORE = LazyPattern(r"(?:\b(?:not|never|no longer|neither|nor)|n't)\s+(?:\w+\s+)?\Z")
_DENIED_AFTER = LazyPattern(r"[\s\")]*(?:(?:is|was|are)(?:n't|\s+not|\s+no\s+longer|\s+wrong)|used to be)\b")


def is_denied(
    said: UtteranceText, clause: Clause, mention: Mention, name_at: int | None, *, whose: bool = True
) -> bool:
    """Return whether the words beside a value say that it is not the speaker's, or not so.

    What something is for may be another person's, "her tuition": `whose` tells whether that matters.
    """
    first = max(clause.start, mention.start - 200)
    last = mention.start if name_at is None else name_at
    if slip := _ITS.search(said.folded, first, last):
        last = slip.start()
    given = _GIVEN.match(said.folded, first, mention.start)
    if given is None and _COSTS.match(said.folded, mention.end):
        given = _GIVEN_FIRST.match(said.folded, first, mention.start)
    return (
        is_of_another(said.folded, given.end() if given else first, last, whose=whose)
        or DENIED_BEFORE.search(said.folded, first, mention.start) is not None
        or _DENIED_AFTER.match(said.folded, mention.end) is not None
    )


def has_alternative(said: UtteranceText, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Return whether a value is one of two alternatives: "12,000 or 15,000"."""
    gaps = (
        (min(mention.end, other.end), max(mention.start, other.start))
        for other in mentions
        if other.start != mention.start
    )
    return any(start < end and _EITHER.fullmatch(said.folded, start, end) for start, end in gaps)


def is_in_passing(said: UtteranceText, clause: Clause, *, asks: bool = False) -> bool:
    """Return whether a clause only mentions its values: it asks about them, or tells of what a person already has.

    `asks` tells that the clause is what asks for a goal: then it does not ask about the values that it holds.
    """
    wonders = said.text[clause.end : clause.end + 1] == "?" and _WONDERING.match(said.folded, clause.start) is not None
    return (wonders and not asks) or is_owned(clause.of(said.folded))


def is_elsewhere(said: UtteranceText, clause: Clause, mention: Mention) -> bool:
    """Return whether a value is where something goes, or whom it is of: "my accountant (ann@example.org)".

    "Write to ann@example.org" does not say whose address it is.
    """
    of_a_person = "@" in mention.text and _PERSON.search(said.folded, clause.start, mention.start) is not None
    return of_a_person or _SENT_TO.search(said.folded, clause.start, mention.start) is not None


_BREAK = LazyPattern(r"[;!?\n:]|,(?!\d)|\.(?!\d)|\s-\s")
_PLAIN = frozenset(
    """a an the of about around roughly approximately exactly maybe perhaps say some altogether all in total
    together overall sum amount to please pls thanks just only dollar dollars bucks usd euro euros eur pound pounds
    gbp""".split()
)
"""Words that may accompany an amount that stands alone."""
_YEAR = LazyPattern(r"(?:19[0-9]{2}|20(?:[0-9][1-9]|[1-9]0))")
_MARKED = LazyPattern(r"[$€£]|[0-9][.,][0-9]{2,3}\b|[0-9]\s?k\b|[0-9]{4}|[a-z]{4}")
_AMOUNT_AFTER = LazyPattern(r"\s+(?P<amount>[$€£]?[0-9][0-9.,]*\s?[km]?)\b")
_AMOUNT_BEFORE = LazyPattern(r"[0-9](?:k|m)?(?:\s(?:dollars?|usd|euros?|grand|thousand|bucks))?\s+(?:of\s+)?\Z")


def may_be_year(said: str) -> bool:
    """Return whether what may be an amount looks like a year as well: 2024, but not 2000."""
    return _YEAR.fullmatch(said) is not None


def follows_amount(folded: str, place: int) -> bool:
    """Return whether an amount stands right before a place: in "64k income 20k" the income is the first one."""
    return _AMOUNT_BEFORE.search(folded, max(0, place - 40), place) is not None


_THING_AFTER = LazyPattern(r"[\s-]+(?:(?:new|nice|small|big|large|old|used)\s+)?(?P<noun>[^\W\d_]{3,})\b")
_DETERMINED = LazyPattern(
    r"(?:\b(?:a|an|the|my|our|this|that|another|one)\s+|[:;,]\s+|\A)(?:(?:about|roughly|nice|new)\s+)?\Z"
)
_THING_BEFORE = LazyPattern(
    r"(?P<noun>[^\W\d_]{3,})\s+(?:worth|of|for|at|costing|that costs|priced at|which costs)"
    r"\s+(?:(?:about|around|roughly|exactly|nearly)\s+)?\Z"
)


_AMOUNTS = frozenset(("amount", "sum", "total", "value", "price"))


def thing_beside(folded: str, start: int, end: int) -> str | None:
    """Return the noun whose amount stands at a place: "a $450k condo", "a villa worth $900k"."""
    after = _THING_AFTER.match(folded, end) if _DETERMINED.search(folded, 0, start) else None
    found = after or _THING_BEFORE.search(folded, max(0, start - 60), start)
    return found["noun"] if found and found["noun"] not in FUNCTION_WORDS | FRAME_WORDS | _AMOUNTS else None


def amount_after(folded: str, place: int) -> int | None:
    """Return where an amount ends that stands right after a place, if one does."""
    match = _AMOUNT_AFTER.match(folded, place)
    return match.end() if match else None


def stands_alone(folded: str, start: int, end: int, vocabulary: Collection[str]) -> bool:
    """Return whether an amount is all that is said between stops, right after words of a request: "a loan please, 9k".

    `vocabulary` are stems of the words of the request. "It is 9k" says no more than what something else costs.
    """
    stops = list(_BREAK.finditer(folded, 0, start))
    if not stops or not _MARKED.search(folded, start, min(len(folded), end + 8)):
        return False
    first, before = stops[-1].end(), stops[-2].end() if len(stops) > 1 else 0
    stop = _BREAK.search(folded, end)
    around = folded[first:start] + " " + folded[end : stop.start() if stop else len(folded)]
    if not all(word.text in _PLAIN for word in words_in(around)):
        return False
    return any(stem(word.text) in vocabulary for word in content_words(folded[before : stops[-1].start()]))


_WILL = LazyPattern(
    r"(?:\b(?:i|we)(?:'ll| will| can| could|'d like to| would like to|'m going to|'re going to| am going to"
    r"| are going to| plan to| intend to| have to| may| might)|\b(?:can|could|may|might|shall) (?:i|we|you)"
    r"|(?:\b(?:i|we) )?\b(?:want|wanna|like|need|going|able|have)(?: to)?|\blet (?:me|us)|\blet's|\bplease|\bpls)"
    r"(?: (?:also|just|now|then|only|still|please|to))*\s+(?P<deed>[a-z]+)"
)
_AT_ONCE = LazyPattern(r"\W*(?:(?:first|then|ok|okay|please|pls|just|now|so|and|fine|well)[\s,]+)*(?P<deed>[a-z]+)")
_ELSEWHERE = LazyPattern(
    r"[;:?!]|\b(?:was|were|since|because|once|when|whenever|while|until|till|as soon as|if|before|after|and|but|or|so"
    r"|not|never)\b|n't\b|(?<!what )(?<!that )(?<!which )(?<!this )\bis\b"
    r"|\b(?:i|we|he|she|they)(?:'\w+)? (?!owe\b|still owe\b)|\b(?:that|which|who) (?!i\b|we\b|is\b|are\b)"
    r"|\b(?:sent|came|went|got|gave|wrote|told|\w{3,}ed)\b(?! (?:payment|bill|instal|amount|sum))"
)
"""Words between a verb and a day that begin another clause, to which the day belongs."""
_COORDINATED = LazyPattern(r"\b(?:and|then|also|plus)\s|[,;]\s")
_OF_IT = LazyPattern(r"\b(?:due|dated|from|of|since|booked|received|sent)\s+(?:on\s+)?(?:the\s+)?\Z")
_SUBORDINATE = LazyPattern(r"\b(?:once|when|whenever|because|since|as soon as|after|before|until|till|if|unless)\b")


def is_subordinate(folded: str, clause: Clause, start: int) -> bool:
    """Return whether the day at `start` only belongs to a circumstance: "once I get my pay on Friday"."""
    return _SUBORDINATE.search(folded, clause.start, start) is not None


TO_BE_DONE = "date on which it is to be done"
"""The rule of a day on which a goal is to be reached: of several years, the one that comes next is meant."""


class DaysToDo:
    """Recognizes the day of a goal's action, for one catalog; `facts` can be given by people."""

    def __init__(self, catalog: Catalog, facts: Iterable[Fact], needs: Mapping[str, Collection[str]]) -> None:
        days = [fact for fact in facts if fact.value.is_day]
        self._days = {goal: [fact for fact in days if fact.name in needed] for goal, needed in needs.items()}
        self._deeds = {goal: frozenset(_deeds(catalog.goals[goal], days)) for goal, days in self._days.items()}

    def is_one(self, fact: Fact, said: UtteranceText, clause: Clause, mention: Mention) -> bool:
        """Return whether a goal at hand is to be reached on a day that this fact alone, of those it needs, can take."""
        return any(
            _is_day_of(self._deeds[goal], said.folded, clause, mention)
            for goal in dict.fromkeys((*said.mentioned, *said.stack[:1]))
            if self._is_only(fact, goal, said.today, mention)
        )

    def rule(self, fact: Fact, said: UtteranceText, clause: Clause, mention: Mention) -> str | None:
        """Return by which rule a day is that of a goal at hand: as `is_one`, or alone between two stops."""
        if self.is_one(fact, said, clause, mention):
            return TO_BE_DONE
        alone = any(self._is_only(fact, goal, said.today, mention) for goal in said.mentioned)
        return "date beside what is asked for" if alone and _stands_apart(said.folded, clause, mention) else None

    def _is_only(self, fact: Fact, goal: str, today: date, mention: Mention) -> bool:
        tomorrow = (today + timedelta(days=1)).isoformat()  # nothing is done before
        able = [
            day.name
            for day in self._days[goal]
            if any(day.value.accepts(reading, today) for reading in mention.readings)
            and day.value.accepts(tomorrow, today)
        ]
        return able == [fact.name]


def _deeds(goal: Goal, days: Iterable[Fact]) -> Iterator[str]:
    """Yield the stems of the words that the examples of a goal, and of the days that it needs, are said with."""
    for example in (*goal.examples, *(example for fact in days for example in fact.examples)):
        yield from (stem(word.text) for word in content_words(fold(example)))


def _stands_apart(folded: str, clause: Clause, mention: Mention) -> bool:
    """Return whether between two stops nothing is said but a day: "on 30 November if possible"."""
    before = re.split(r"[,;:]\s", folded[clause.start : mention.start])[-1]
    behind = re.split(r"[,;:]\s", folded[mention.end : clause.end] + " ")[0]
    return all(word.text in _LEADING for word in words_in(before)) and not any(
        word.text not in FRAME_WORDS | _POSSIBLE for word in content_words(behind)
    )


_POSSIBLE = frozenset("possible works suits best fine good".split())


def _is_day_of(deeds: Collection[str], folded: str, clause: Clause, mention: Mention) -> bool:
    """Return whether the words say that one of `deeds` (stems of verbs) is to be done on a day."""
    before = folded[clause.start : mention.start]
    if _OF_IT.search(before):
        return False
    if not any(word.text not in _LEADING for word in words_in(before)):
        return _is_deed(_WILL.match(folded[mention.end : clause.end].lstrip(" ,")), deeds)
    found = [*_WILL.finditer(before), *filter(None, [_AT_ONCE.match(before)])]
    asked = [match for match in found if _is_deed(match, deeds)]
    if any(not _ELSEWHERE.search(before, match.end("deed")) for match in asked):
        return True
    first = max((match.start("deed") for match in found), default=0)
    begins = max((match.end() for match in _COORDINATED.finditer(before)), default=first)
    weighty = [stem(word.text) for word in content_words(before[begins:]) if word.text not in FRAME_WORDS]
    return bool(weighty) and all(word in deeds for word in weighty) and not _ELSEWHERE.search(before, begins)


_LEADING = frozenset("on at the then so ok okay and well maybe by".split())


def _is_deed(match: re.Match[str] | None, deeds: Collection[str]) -> bool:
    return match is not None and stem(match["deed"]) in deeds
