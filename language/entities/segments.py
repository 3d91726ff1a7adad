"""Segments: what of an utterance stands, what was taken back in the same breath, and what is said not to be wanted.

People repair what they say: the *reparandum* ("5000"), an *editing term* ("no, make that"), the *repair* ("6000"); the
terms are W. Levelt's (Monitoring and self-repair in speech, 1983). A repair replaces the last thing of its sort that
was said before: an amount an amount, an option one of the same list, a request a request. What is denied beside
something of its sort ("a card, not a loan") is only a contrast. Goals and all values are read from what stands: the
text in which the repair has the place of what it repairs. Every character of it is known by its place in what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.model import Catalog
from language.entities.declared_frames import QUOTED, Frames
from language.entities.extents import BARE_PLACE
from language.entities.masking import find_forms
from language.interpretation import ActSpan, Frozen, Interpretation, Span, SpeechAct
from language.readers import ANY_DAY, find_mentions
from language.text.lazy_pattern import LazyPattern, read_forms
from language.text.morphology import stem
from language.text.number_words import TENS, UNITS
from language.text.words import (
    FRAME_WORDS,
    FUNCTION_WORDS,
    MAX_TEXT,
    blank,
    clauses_in,
    content_words,
    fold,
    span_of,
    words_in,
)


@dataclass(frozen=True, slots=True)
class HeardText:
    """An utterance as it stands. `places` are those of its characters in what was said."""

    said: str
    text: str
    places: tuple[int, ...]
    acts: tuple[ActSpan, ...] = ()
    """What the stretches do that do not stand: they refuse goals, or speak of what is passed on. In what was said."""

    @property
    def as_said(self) -> bool:
        return self.text == self.said and not self.acts

    def span(self, span: Span) -> Span:
        """Return where in what was said a stretch of what stands was said."""
        inside = self.places[span.start : span.end]
        return span_of(self.said, min(inside), max(inside) + 1) if inside else span

    def meaning(self, meaning: Interpretation) -> Interpretation:
        """Return the meaning of what stands, with its places in what was said, and what the rest of it does."""
        if self.as_said:
            return meaning
        moved: Interpretation = self._moved(meaning)
        return moved.model_copy(update={"acts": (*self.acts, *moved.acts)})

    def _moved(self, found: Any) -> Any:
        """Return what was read of what stands with every span in it moved to where that was said."""
        if isinstance(found, Span):
            return self.span(found)
        if isinstance(found, tuple):
            return tuple(map(self._moved, found))
        if isinstance(found, Frozen):
            return found.model_copy(update={name: self._moved(value) for name, value in found})
        return found


_FILLER = r"(?:(?:oh|uh+|um+|er+m?|ah|hm+|well|ok|okay|and|but|or)\W+)*"
_TERM = (
    rf"{_FILLER}(?:no|nope|nah|(?:i'm |i am )?sorry|wait|hold on|hang on|actually|w?oops|my (?:mistake|bad)|correction"
    r"|i (?:mean|meant|should say|should have said|take (?:that|it) back)|rather(?! than\b)|typo"
    r"|that(?:'s| is) (?:wrong|not right)"
    r"|(?:(?:please|better|let's|just|can you|could you)\s+)*(?:make|change) (?:that|it)(?: to| into)?"
    r"|(?:scratch|strike|forget) that|not that|instead(?! of\b)|better(?! than\b))"
)
_EDIT = LazyPattern(rf"(?P<gap>[\s,;.!?…()–-]++)(?P<term>{_TERM}(?:\W+{_TERM})*)\b(?!')[\s,:;.!…–-]*")
"""An editing term, with what separates it."""
_FIRM = LazyPattern(r"\b(?:no|nope|nah|mean|meant|rather|scratch|strike|correction|make|change|wrong|instead|back)\b")
"""What takes back a request as well as a value: "sorry" and "actually" may only be polite."""
_BARE_NO = LazyPattern(r"\bno\s+\Z")
"""A "no" with no pause behind it."""
_ADDS = LazyPattern(r"\b(?:also|too|as well|another|besides|plus|with|and)\b")
_FORMS = read_forms("language.entities", "denials.txt")
_THING_ENDS = r"(?=\s*(?:[,;!?\n]|[.]+(?:\s|\Z)|\Z|\s-\s|\s(?:but|just|only|rather|please|thanks|i|i'd|we|and)\b))"
DENIED = LazyPattern(
    rf"(?:,?\s*\b(?:but|and)\s+)?\b(?:(?:{_FORMS['leads']})\s+)*(?:{_FORMS['denies']})\s+"
    r"(?!(?:more|less|fewer|later|earlier|sure|only|just|yet|now|really|that|this|it|so|if)\b)"
    r"(?:for\s+|on\s+|in\s+|as\s+|to\s+)?"
    r"(?:(?:an?|the|any|my|our|your|another)\s+)?(?P<thing>[^,;.!?\n]+?)"
    rf"{_THING_ENDS}"
)
"""What is denied."""
_LEFT, _DENIES = LazyPattern(_FORMS["leaves"]), LazyPattern(_FORMS["may deny"])
_THING_END = LazyPattern(_THING_ENDS)
_CLAUSE_END = LazyPattern(r"(?=[,;!?\n]|[.]+(?:\s|\Z))")
_AFTER_ALL = LazyPattern(
    r"\b(?:after all|at all|any ?more|any longer|today|for now|then|either|thank you"
    r"|(?:is |are )?(?:needed|required|necessary|wanted))\b"
)
"""What may stand behind a thing, and says nothing of it."""
_NO_DEED = frozenset(
    """forget fail hesitate worry have know remember recall understand think see mind care believe own recognise
    recognize like get receive feel agree""".split()
)
"""Verbs whose denial refuses nothing: "don't worry", "I don't know"."""
_DETACHED = LazyPattern(
    r"(?:\A|[,;.!?:\n-]|\b(?:but|and|please|pls|just|only|so|or|actually|absolutely|definitely|certainly|then|ok|okay"
    r"|thanks|well|now|today|hi|hello|sorry|though|also|really))\W*\Z"
)
"""What stands before words that deny a thing, or forbid a deed, by themselves: no subject, and no verb of having."""
_CONTRAST = LazyPattern(r"(?:,\s*)?(?<=[,;-]\s)(?:(?:and|but)\s+)?(?:not|rather than|instead of)\s+(?:an?|the|any)\s")
"""How something is denied beside what was said before, whatever that is: ", not a loan"."""
_QUANTITY = LazyPattern(
    r"(?:all|half|both|one|none|most|part|any|some|every|everything|much|many)\b(?: of\b| at all\b|\Z)"
)
"""What names no thing by itself: "not all of it", "no one at all"."""
_JOINT = LazyPattern(r"(?i)[\s,;]+(?:but|and|so)\s*\Z")
"""What joins a stretch that does not stand to the one before it."""
_CLEAR = LazyPattern(r"\W*(?:but|and|just|only|rather)\b\s*|\W+")
_PARTS = LazyPattern(r"[;!?\n]|[,.](?!\w)|\b(?:but|and|then)\b")
_NAME = LazyPattern(r"[^\W\d_a-z][^\W_]*(?:[ '-][^\W\d_a-z][^\W_]*){0,3}")
_COUNT = LazyPattern(rf"\b(?:{'|'.join(sorted({*UNITS, *TENS} - {'zero', 'one'}, key=len, reverse=True))})\b(?!-)")
"""A number in one word."""
_PART_OF_DAY = LazyPattern(r"(?:the\s+)?(?:(?P<year>(?:19|20)[0-9]{2})|[0-9]{1,2}(?:st|nd|rd|th)?)")
_FROM_TO = LazyPattern(r"\b(?:to|until|till|through|and)\s+(?:the\s+)?|\s?[-–]\s?")
_LITTLE = (FUNCTION_WORDS | FRAME_WORDS | {"rather", "better", "total", "around", "roughly"}) - {
    "and", "also", "too", "with", "about", "not", "no", "if", "another", "more",
}  # fmt: skip
_BEHIND = ("to", "from", "at", "in", "on", "for", "with", "by", "via", "and")
"""Little words that go on behind a name."""
_OF_ITS_OWN = frozenset(("email", "phone", "quoted"))
"""Sorts whose form says where one ends."""
_MOST = 4
"""Repairs of an utterance that are looked at."""
_LONGEST_THING = 6
"""Words of a request that is denied by its name."""

GoalOf = Callable[[str], str | None]
"""Which goal a stretch surely asks for."""


@dataclass(frozen=True, slots=True)
class _Typed:
    """Something said that has a sort: a form, the options of a fact, a name."""

    start: int
    end: int
    sort: str


@dataclass(frozen=True, slots=True)
class _Denied:
    """A stretch that denies a thing, which begins `at` a place; `alone`: by itself, whatever stands before it."""

    start: int
    end: int
    at: int
    thing: str
    alone: bool = True
    verb: str = ""
    longer: bool = False


_ASKED_ABOUT = LazyPattern(
    r"(?:\A|[,.;:!?])\W*(?:(?:and|but|so|or)\W+)?"
    r"(?:why|how come|what|which|when|where|who"
    r"|(?:could|would|did|can|wo|ca|do|is|was|are)(?:n't| (?:you|i|we|it|there|that) not))\b"
    r"[^,.;:!?]*\Z"
)
"""A question that goes on up to a place; a denial in it is what is asked about."""


class Segmenter:
    """Finds what stands in utterances, for one catalog."""

    def __init__(
        self,
        catalog: Catalog,
        goal_of: GoalOf,
        frames: Frames,
        asks_by_refusing: Callable[[str], bool] = lambda _: False,
        goals_in: Callable[[str], frozenset[str]] = lambda _: frozenset(),
    ) -> None:
        self._goal_of = goal_of
        self._asks_by_refusing = asks_by_refusing
        self._goals_in = goals_in
        self._labels = {
            name: {stem(word.text) for word in content_words(fold(goal.label))} for name, goal in catalog.goals.items()
        }
        self._examples = {name: goal.examples for name, goal in catalog.goals.items()}
        self._frames = frames
        kinds = {fact.name: fact.value for fact in catalog.facts.values() if fact.value.sayable}
        self._listed = {
            name: kind
            for name, kind in kinds.items()
            if kind.declared_options or (kind.self_evident and kind.addressable)
        }

    def hear(self, text: str, apart: Callable[[str], Sequence[ActSpan]] = lambda _: ()) -> HeardText:
        """Return an utterance as it stands; a lone surrogate can neither be stored nor sent.

        What `apart` finds in the folded text does not stand: it says nothing of goals and values.
        """
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text[:MAX_TEXT])
        heard = HeardText(text, text, tuple(range(len(text))))
        for found in reversed(apart(fold(text))):
            span = span_of(text, found.span.start, found.span.end)
            act = found.model_copy(update={"span": span})
            joint = _JOINT.search(heard.text, 0, span.start)
            kept = [(0, joint.start() if joint else span.start), (span.end, len(heard.text))]
            heard = replace(_keep(heard, kept), acts=(act, *heard.acts))
        for _ in range(_MOST):
            changed = self._repaired(heard) or self._contrasted(heard)
            if changed is None:
                break
            heard = changed
        return replace(heard, acts=(*heard.acts, *self._doubted(heard)))

    # -- what was taken back -----------------------------------------------------------------------------------------

    def _repaired(self, heard: HeardText) -> HeardText | None:
        folded = fold(heard.text)
        typed: list[_Typed] | None = None
        for edit in _EDIT.finditer(folded):
            typed = self._typed(heard.text, folded) if typed is None else typed
            found = self._value_repaired(folded, typed, edit)
            if found is not None:
                old, new = found
                kept = [(0, old.start), (new.start, new.end), (old.end, edit.start()), (new.end, len(folded))]
                return _keep(heard, kept)
            first = self._request_repaired(folded, edit)
            if first is not None:
                return _keep(heard, [(0, first), (edit.end(), len(folded))])
        return None

    def _value_repaired(
        self, folded: str, typed: Sequence[_Typed], edit: re.Match[str]
    ) -> tuple[_Typed, _Typed] | None:
        """Return what was said, and what replaces it: of the same sort, with nothing new around it."""
        before = {word.text for word in words_in(folded[: edit.start()])}
        for new in (one for one in typed if one.start >= edit.end()):
            led = [word.text for word in words_in(folded[edit.end() : new.start])]
            if not all(word in _LITTLE or word in before for word in led):
                return None
            after = re.match(r"(?:['’]s)?\s+(?P<word>[^\W_]+)", folded[new.end :])
            goes_on = after and (after["word"] in before or after["word"] in FUNCTION_WORDS)
            of_its_own = new.sort in _OF_ITS_OWN or new.sort in self._listed
            if after and not (goes_on or of_its_own or self._frames.begin_at(folded, new.end)):
                continue
            named = [word for word in led if word not in _LITTLE]
            olds = [o for o in typed if o.end <= edit.start() and o.sort == new.sort]
            parts = (p for o in typed if o.end == edit.start() and (p := _part_of_day(folded, o, new)) is not None)
            for old in (*parts, *reversed(olds)):
                said = {word.text for word in words_in(folded[max(0, old.start - 40) : old.end + 40])}
                if folded[old.start : old.end] != folded[new.start : new.end] and said.issuperset(named):
                    return _aligned(folded, edit.start(), old, new)
        return None

    def _request_repaired(self, folded: str, edit: re.Match[str]) -> int | None:
        """Return where a request begins that another one, right after the editing term, replaces."""
        if not _FIRM.search(edit["term"]) and re.search(r"[.!?]", edit["gap"]):
            return None
        rest = _PARTS.split(folded[edit.end() :])[0]
        first = next(iter(words_in(rest)), None)
        if _BARE_NO.search(edit.group()) and first is not None and first.text not in FUNCTION_WORDS | FRAME_WORDS:
            return None  # "but no call" denies a call
        begins = max((part.end() for part in _PARTS.finditer(folded, 0, edit.start())), default=0)
        said = folded[begins : edit.start()]
        if not said.strip() or not rest.strip() or _ADDS.search(rest):
            return None
        old, new = self._goal_of(said), self._goal_of(rest)
        if old is None or new is None or old == new:
            return None
        return begins + len(said) - len(said.lstrip())

    # -- what is denied ----------------------------------------------------------------------------------------------

    def _contrasted(self, heard: HeardText) -> HeardText | None:
        folded = fold(heard.text)
        typed: list[_Typed] | None = None
        for denied in _denials(folded):
            thing, goals = denied.thing, list[tuple[str, ...]]()
            typed = self._typed(heard.text, folded) if typed is None else typed
            if not _is_other_value(typed, denied):
                if thing.split()[0] in _NO_DEED:
                    continue
                alone = denied.alone or bool(_DETACHED.search(folded, 0, denied.start))
                rest = f"{folded[: denied.start]} , {folded[denied.end :]}"
                goals = self._denied_goals(thing, folded, rest, alone=alone, named=denied.longer)
                said = folded[denied.start : denied.end]
                if _ASKED_ABOUT.search(folded, 0, denied.start):
                    continue  # "why was I never asked for a card?" refuses nothing
                if not goals or self._asks_by_refusing(said) or self._asks_by_refusing(folded):
                    continue
                if denied.verb and not self._ends_by(denied.verb, goals[0][0], said):
                    continue
                if not (alone or _CONTRAST.match(folded, denied.start) or self._wants_another(rest, goals[0][0])):
                    continue
            clear = _CLEAR.match(folded, denied.end) if not folded[: denied.start].strip() else None
            end = clear.end() if clear else denied.end
            start = len(folded[: denied.start].rstrip(" ,"))
            kept = [(0, start), (end, len(folded))]
            span = heard.span(span_of(heard.text, start, end))
            acts = (ActSpan(act=SpeechAct.REFUSE, span=span, goals=one) for one in goals)
            return replace(_keep(heard, kept), acts=(*heard.acts, *acts))
        return None

    def _doubted(self, heard: HeardText) -> tuple[ActSpan, ...]:
        """Return the clauses that deny something, it is not known what, and the goals that only they ask for."""
        folded = fold(heard.text)
        found: list[ActSpan] = []
        for clause in clauses_in(folded):
            denied = _DENIES.search(folded, clause.start, clause.end)
            if denied is None or self._asks_by_refusing(clause.of(folded)):
                continue
            rest = f"{folded[: denied.start()]} , {folded[clause.end :]}"
            if goals := self._goals_in(folded) - self._goals_in(rest):
                span = heard.span(span_of(heard.text, clause.start, clause.end))
                found.append(ActSpan(act=SpeechAct.REFUSE, span=span, goals=tuple(sorted(goals)), tentative=True))
        return tuple(found)

    def _denied_goals(self, thing: str, whole: str, rest: str, *, alone: bool, named: bool) -> list[tuple[str, ...]]:
        """Return the goals that are denied: by name, by what asks for them, or that only the denied words ask for.

        Each comes with others of which the same words may be a name. With `named`, it has to be a name.
        """
        if len(thing.split()) > _LONGEST_THING or _QUANTITY.match(thing):
            return []
        said = {stem(word.text) for word in content_words(_AFTER_ALL.sub("", thing))}
        names = [name for name, stems in self._labels.items() if said and said <= stems]
        sure = None if named else self._goal_of(thing)
        if sure or len(names) == 1:
            return [tuple(dict.fromkeys([sure, *names] if sure else names))]
        gone = self._goals_in(whole) - self._goals_in(rest) if alone and said and not named else frozenset()
        return [(goal,) for goal in sorted(gone)]

    def _wants_another(self, rest: str, goal: str) -> bool:
        return any(part.strip() and self._goal_of(part) not in (goal, None) for part in _PARTS.split(rest))

    def _ends_by(self, verb: str, goal: str, said: str) -> bool:
        """Return whether a verb of ending refuses a goal: not where it asks for that goal, or another, by itself."""
        asks = any(verb.split(maxsplit=1)[0] in fold(example) for example in self._examples[goal])
        return not asks and not self._goals_in(said) - {goal}

    # -- sorts -------------------------------------------------------------------------------------------------------

    def _typed(self, text: str, folded: str) -> list[_Typed]:
        quoted = [match.span() for match in QUOTED.finditer(folded)]
        bare = blank(folded, quoted)
        found = [
            _Typed(start, start + len(bare[start:end].rstrip(",. ")), "amount" if form == "number" else form)
            for start, end, form in find_forms(bare)
        ]
        for name, kind in self._listed.items():
            found += [_Typed(m.start, m.end, name) for m in find_mentions(kind, text, ANY_DAY)]
        found += [_Typed(*match.span(), "place") for match in BARE_PLACE.finditer(text)]
        found += [_Typed(*match.span(), "amount") for match in _COUNT.finditer(bare)]
        found += [_Typed(*place, "quoted") for place in quoted]
        names = list(_names(text, folded, lambda at: self._frames.begin_at(folded, at)))
        before = max((edit.start() for edit in _EDIT.finditer(folded)), default=0)
        people = [(start, end) for start, end in self._frames.names.places(text) if end <= before]
        names = [one for one in names if not any(a < one.end and one.start < b for a, b in people)]
        found += [*names, *(_Typed(*place, "name") for place in people)]
        return sorted(found, key=lambda one: (one.start, -one.end))


def _is_other_value(typed: Sequence[_Typed], denied: _Denied) -> bool:
    """Return whether what is denied is a value, and another one of its sort is said beside."""
    end = denied.at + len(denied.thing)
    sorts = {one.sort for one in typed if one.start == denied.at and one.end >= end}
    return any(one.sort in sorts and (one.end <= denied.start or one.start >= end) for one in typed)


def _denials(folded: str) -> Iterator[_Denied]:
    """Yield what is denied; first at its `longer`, where that is a name: "not the profit and loss"."""
    for match in DENIED.finditer(folded):
        stop = _CLAUSE_END.search(folded, match.end())
        ends = [
            one.start() for one in _THING_END.finditer(folded, match.end() + 1, stop.end() if stop else len(folded))
        ]
        at, alone = match.start("thing"), not (match["bare"] or match["imperative"])
        for end in (*reversed(ends), match.end()):
            thing, longer = folded[at:end].strip(), end > match.end()
            yield _Denied(match.start(), end, at, thing, alone, match["verb"] or "", longer=longer)
    for match in _LEFT.finditer(folded):
        name = "thing" if match["thing"] else "kept"
        yield _Denied(match.start(), match.end(), match.start(name), match[name])


def _part_of_day(folded: str, day: _Typed, new: _Typed) -> _Typed | None:
    """Return the part of a day that is said anew: the year of "2 July 1990, no, 1991"; the day of "3 May, no, 4"."""
    said = _PART_OF_DAY.fullmatch(folded, new.start, new.end) if day.sort == "period" else None
    alike = rf"\b{r'[0-9]{4}' if said and said['year'] else r'[0-9]{1,2}(?:st|nd|rd|th)?'}\b"
    found = list(re.finditer(alike, folded[: day.end])) if said else []
    inside = [match for match in found if match.start() >= day.start]
    whole = len(inside) == 1 and inside[0].span() == (day.start, day.end)
    return None if len(inside) != 1 or whole else _Typed(*inside[0].span(), day.sort)


def _names(text: str, folded: str, begins_frame: Callable[[int], bool]) -> Iterator[_Typed]:
    """Yield words with a capital that end what is said: "to Ann, sorry, Anna"."""
    for match in _NAME.finditer(text):
        ends = re.match(r"['’]s\b|\s*(?:[,;.!?)]|\Z|\s-\s)", text[match.end() :]) or _EDIT.match(folded, match.end())
        if not ends and any(edit.end() == match.start() for edit in _EDIT.finditer(folded)):
            goes_on = re.match(rf"\s+(?:{'|'.join(_BEHIND)})\b", folded[match.end() :])  # "no, Hamburg to Rome"
            ends = match if goes_on or begins_frame(match.end()) else None
        first, *more = folded[match.start() : match.end()].split()
        if ends and ((first in ("the", "a", "an") and more) or first not in FUNCTION_WORDS | FRAME_WORDS):
            yield _Typed(match.start(), match.end(), "name")


def _aligned(folded: str, last: int, old: _Typed, new: _Typed) -> tuple[_Typed, _Typed]:
    """Take in what is said again after both: "4 Park Lane, Bath, no, 5 Park Lane"; of a range its end is replaced."""
    whole, other = folded[old.start : old.end], folded[new.start : new.end]
    joint = list(_FROM_TO.finditer(whole))
    if old.sort == "period" and joint and joint[-1].start() > 0 and not _FROM_TO.search(other):
        old = _Typed(old.start + joint[-1].end(), old.end, old.sort)
    while True:
        mine = re.match(r"\W*[^\W_]+", folded[old.end : last])
        again = re.match(r"\W*[^\W_]+", folded[new.end :])
        if not (mine and again and mine.group() == again.group()):
            return old, new
        old = _Typed(old.start, old.end + mine.end(), old.sort)
        new = _Typed(new.start, new.end + again.end(), new.sort)


def _keep(heard: HeardText, kept: Sequence[tuple[int, int]]) -> HeardText:
    """Keep some stretches of what stands, in this order."""
    text = "".join(heard.text[start:end] for start, end in kept)
    places = [place for start, end in kept for place in heard.places[start:end]]
    return HeardText(heard.said, text, tuple(places), heard.acts)
