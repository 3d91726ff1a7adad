"""Edits: a follow-up is the last request, and what is to be other in it.

An utterance is an edit of the request in focus, the open one or else the one that ended last, where all its words are
of the edit: values and units, names of the request's facts, and filler. What it may do depends on the kind of a value:
*shift* it by so much ("a day later", "one more", "twice as many"), *replace* a part of it by its words ("Anna, not
Ann") or by what they are ("the year is 1968"), or *exchange* two ("the other way round"). A request that has ended is
asked for *again*, with another value or as it was. Where an edit fits several facts, the one that it names is meant,
else the only one that was told last; else it is asked, and nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations

from pydantic import JsonValue

from catalog.analysis.dependencies import arguments_of, can_be_asked, what_leads_to
from catalog.model import Catalog, Fact
from catalog.values import Fault, Kind, Unreadable
from catalog.values.dates import MONTH_NAMES, moved_by
from catalog.values.units import Unit, unit_named
from catalog.wording.values import say_fault, was_not
from language.acts.answer_reading import ASKING
from language.acts.clarifications_and_corrections import DENIES, OTHER_THAN_BEFORE, is_correcting
from language.acts.dialogue_acts import read_control
from language.acts.non_answers import FILLER, takes_sentences
from language.acts.speech_acts import find_moods
from language.entities.extents import GoalOf
from language.entities.value_context import is_wordy
from language.interpretation import Context, Entity, Interpretation, SpeechAct
from language.readers import find_mentions, read_answer
from language.readers.units import end_of_age, measure_after
from language.responses.questions import which_to_change
from language.slots.candidates import FEW, find_values, mentions_of
from language.slots.filler import SlotFiller
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import likeness, stem
from language.text.number_words import CURRENCIES, TENS, number_in_words
from language.text.number_words import UNITS as DIGITS
from language.text.request_frames import is_refusal, is_request
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, Word, blank, content_words, fold, span_of, words_in

_LONGEST = 200
"""Characters of an edit; what is longer says more."""
_PUTTING_RIGHT = """
    hm hmm hmmm oh uh um er nope nah hold rather better correction change sorry once repeat run move push
    bring add plus way incorrect mistyped misspelt misspelled spelt spelled right book
""".split()
_FILLER = FILLER | FUNCTION_WORDS | frozenset(map(stem, (*FRAME_WORDS, *_PUTTING_RIGHT)))
"""Words that put a value, put it right, or are asked for anew with."""

_SPELLED = "|".join(sorted((*DIGITS, *TENS), key=len, reverse=True))
_AMOUNT = (
    rf"(?P<amount>[€$£]?\d+(?:[.,]\d+)?|half(?: an?)?|an?(?: couple(?: of)?)?|(?:{_SPELLED})(?:[ -](?:{_SPELLED}))*)"
)
_WAYS = {
    "later": ("time", 1), "earlier": ("time", -1), "sooner": ("time", -1), "after": ("time", 1), "before": ("time", -1),
    "next": ("time", 1), "following": ("time", 1), "previous": ("time", -1), "longer": ("length", 1),
    "shorter": ("length", -1), "add": ("", 1), "plus": ("", 1), "another": ("", 1), "more": ("", 1), "extra": ("", 1),
    "additional": ("", 1), "further": ("", 1), "higher": ("", 1), "less": ("", -1), "fewer": ("", -1),
    "lower": ("", -1),
}  # fmt: skip
"""What each word does to a value: it moves it in time, makes it longer, or makes it more; and in which direction."""
_WAY = f"(?P<way>{OTHER_THAN_BEFORE})"
_NOUN, _AFTER = r"(?:[\s-]?(?P<noun>[a-z]+|%))", r"(?:\s+(?P<after>(?!than\b|of\b)[a-z]+))"
_SHIFTS = (
    LazyPattern(
        rf"(?<![\w.,/−-])(?:by )?{_AMOUNT}{_NOUN}??[\s-]{_WAY}\b{_AFTER}?"
        r"(?:\s+than (?:that|this|before|planned|now|what i said|i said)| of (?:them|those|that))?"
    ),
    LazyPattern(rf"\b{_WAY} by {_AMOUNT}{_NOUN}?"),
    LazyPattern(rf"\b(?P<way>add|plus|another) {_AMOUNT}{_NOUN}?"),
    LazyPattern(r"\bthe (?P<way>next|following|previous) (?P<noun>day|week|month|year)\b"),
    LazyPattern(r"\bthe (?P<noun>day|week|month|year) (?P<way>after|before)(?: that| this)?\b(?! [^\W_])"),
)
_TIMES = LazyPattern(r"\b(?P<times>twice|double|triple|half)\s+(?:as (?:many|much|long)|of (?:that|it)|that|it|the)\b")
_FACTORS = {"twice": Fraction(2), "double": Fraction(2), "triple": Fraction(3), "half": Fraction(1, 2)}
_IN_CALENDAR = {
    "day": ("day", 1), "week": ("week", 1), "fortnight": ("week", 2), "month": ("month", 1), "quarter": ("month", 3),
    "year": ("year", 1),
}  # fmt: skip
_SWAPS = (
    LazyPattern(r"\bnot (?P<old>[^,;.!?]+?)(?:\s*[,;]\s*(?:but\s)?|\s+but\s)\s*(?P<new>[^,;.!?]+)"),
    LazyPattern(r"(?P<new>[^,;.!?]+?)\s*,?\s+(?:(?:and|but) )?(?:not|instead of|rather than) (?P<old>[^,;.!?]+)"),
)
_THAT = LazyPattern(r"\b(?:that|the same|this same) (?P<noun>[a-z]+)\b")
_COPULA = LazyPattern(r"(?:\b(?:is|was|be|being)|'s)\s+")
_WITH_LETTERS = LazyPattern(r"\b(?:spel\w+ )?with (?:an?|one|two|double) \w(?:\w|'s)?(?=\W|\Z)")
"""How a name is spelled: "with two n"."""
_EXCHANGED = LazyPattern(
    r"\b(?:the )?other way (?:a)?round\b|\bvice versa\b|\b(?:swap|switch|exchange) (?:them|those|these|both|the two)\b"
)
_MONTHS = {name.casefold(): number for number, name in enumerate(MONTH_NAMES, 1)}
_PARTS = {
    "year": LazyPattern(r"\b(?:the )?year (?:(?:is|was|should|be|to) )*(?P<year>\d{4})\b"),
    "month": LazyPattern(rf"\b(?:the )?month (?:(?:is|was|should|be|to) )*(?P<month>{'|'.join(_MONTHS)})\b"),
    "day": LazyPattern(r"\b(?:on )?the (?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"),
}
"""Parts of a day that may be said alone, in place of those of a day that is known."""
_STIRS = LazyPattern(
    rf"\b(?:{'|'.join(_WAYS)}|{'|'.join(_FACTORS)}|not|instead of|rather than|round|around|versa|swap|switch"
    r"|exchange|year|month|the \d+(?:st|nd|rd|th)|that|same)\b"
)
"""Words one of which is in every edit but those that name what is set."""
_GOES_ON = LazyPattern(
    r"\W*(?:(?:ok|okay|so|hm+|well|great|thanks|good|right)\W+)*"
    r"(?:and|then|now|or|what about|how about|what of|(?:the )?same|again|once more|as|in|with|for|by)\b"
)
"""How an utterance goes on from what is there."""
_ONCE_MORE = LazyPattern(
    r"\b(?:that|it|this|me|(?:the )?same(?: thing)?) "
    r"(?:all )?(?:over )?(?:again|once more|one more time)\b|\b(?:once|one time) more\b|\bone more time\b"
    r"|\bsame again\b|\A\W*again\b|\brepeat (?:that|it)\b|\b(?:the )?same (?:for|with|at|on|in|as before)\b"
)
"""What asks for the last request anew."""
_PRECEDED = LazyPattern(r"\b(?:for|with|to|called|about|of|by|at|in)\s+\Z")
_PIECE = LazyPattern(r"[^,;.!?]+")
_WONDERS = LazyPattern(r"\b(?:what|how)\b(?! about| of\b)|\b(?:which|who|why)\b")
_TELLS_WHY = LazyPattern(
    r"\W*(?:(?:oh|and|but|as|since|because|sorry)\s+)*(?:i|i'm|i'd|i've|we|we're|my|our|she|he|they|it's|it|there|the)\b"
)
Outcomes = Mapping[str, JsonValue | Fault]
"""For each fact that an edit fits, the value that it would have, or what there is against that value."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """The request that is edited: its facts that people may say, and the values that it has or went with.

    A sensitive value is never edited, only said anew, so that nothing shows what it was.
    `words` are the stems of its own name; `latest` are the facts that were told last.
    """

    goal: str
    facts: Mapping[str, Fact]
    values: Mapping[str, JsonValue]
    latest: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Edit:
    """What words may change: the stretches that they are, and what would come of it: one value, or all `together`."""

    stretches: tuple[tuple[int, int], ...]
    outcomes: Outcomes
    together: bool = False
    replaces: bool = False
    """Whether it says itself what it denies: "Anna, not Ann"."""


@dataclass(frozen=True, slots=True)
class _Step:
    """By how much a value is to be other, in a unit or in money, or how many times as much it is to be."""

    sort: str = ""
    amount: Fraction = Fraction(0)
    unit: Unit | None = None
    money: bool = False
    factor: Fraction | None = None


_Operation = Callable[[str, str, _Frame, Context], Iterator[_Edit]]
"""Find what may be an edit in a text that is folded, with pieces of it blanked."""


class EditReader:
    """Reads edits for one catalog."""

    def __init__(self, catalog: Catalog, filler: SlotFiller, goal_of: GoalOf) -> None:
        self._catalog, self._filler, self._goal_of = catalog, filler, goal_of

    def read(self, text: str, context: Context) -> Interpretation | None:
        """Read an edit that rests on the values that there are; None where an utterance is none, or asks something."""
        frame = self._frame(context)
        pending = context.pending
        asked = self._catalog.facts.get(pending.subject) if pending and pending.kind == "fact" else None
        if frame is None or len(text) > _LONGEST or (asked and asked.value.takes_any_text and takes_sentences(asked)):
            return None
        folded = fold(text)
        acts = tuple(find_moods(text, folded, busy=bool(context.goals)))
        if any(one.act is SpeechAct.SUPPOSE for one in acts):
            return None
        finds: tuple[_Operation, ...] = ()
        if not any(one.act is SpeechAct.ASK and not one.tentative for one in acts):
            finds = (self._set,) if pending and pending.facts else ()
            if _STIRS.search(folded) and not _WONDERS.search(folded):
                finds = (self._exchange, self._replace, self._shift, self._part, *finds, self._refer)
        for reasons in (False, True):
            left = self._without_reasons(text, folded, context.today) if reasons else folded
            if reasons and left == folded:
                break
            edits = (edit for find in finds for edit in find(text, left, frame, context))
            told = next((one for edit in edits if (one := self._apply(text, left, frame, edit))), None)
            if told is not None:
                follows = not (told.unclear or context.goals or context.told or pending)
                return told.model_copy(update={"acts": acts, "follows": follows})
            again = None if context.goals or context.told or pending else self._again(text, left, frame, context)
            if again is not None:
                return again.model_copy(update={"acts": acts})
        return None

    def _frame(self, context: Context) -> _Frame | None:
        goal = next((name for name in (*context.goals[:1], *context.ended[:1]) if name in self._catalog.goals), None)
        if goal is None or (not context.goals and context.ended[0] != goal):
            return None
        declared = self._catalog.goals[goal]
        leading = what_leads_to(self._catalog, declared).facts
        facts = {
            name: fact
            for name, fact in self._catalog.facts.items()
            if name in leading and can_be_asked(fact) and fact.value.sayable
        }
        told = {one.fact: one for one in reversed(context.spoken) if one.fact in facts and one.fact in context.given}
        last = max((one.at for one in told.values()), default=0)
        return _Frame(
            goal,
            facts,
            {name: one.value for name, one in told.items() if not self._catalog.is_sensitive(name)},
            frozenset(name for name, one in told.items() if one.at == last),
            frozenset(stem(word.text) for word in content_words(fold(f"{declared.label} {goal.replace('_', ' ')}"))),
        )

    # -- what is said beside -----------------------------------------------------------------------------------------

    def _without_reasons(self, text: str, folded: str, today: date) -> str:
        """Blank the pieces that only tell why: "my sister is coming too"; none that has a value or asks for a goal."""
        pieces = list(_PIECE.finditer(folded))
        for piece in pieces if len(pieces) > 1 else ():
            said = piece.group()
            if not _TELLS_WHY.match(said) or re.search(r"\d", said) or is_request(said) or self._goal_of(said):
                continue
            facts = (one for one in self._catalog.facts.values() if one.value.sayable and not is_wordy(one.value))
            if not any(find_mentions(one.value, text[piece.start() : piece.end()], today) for one in facts):
                folded = blank(folded, [piece.span()])
        return folded

    def _rest(self, folded: str, stretches: Iterable[tuple[int, int]]) -> list[Word]:
        """List the words outside some stretches that are no filler."""
        held = tuple(stretches)
        return [
            word
            for word in content_words(folded)
            if stem(word.text) not in _FILLER and not any(a < word.end and word.start < b for a, b in held)
        ]

    def _names(self, fact: str) -> frozenset[str]:
        words = content_words(fold(" ".join(self._filler.names.of(fact))))
        return frozenset(stem(word.text) for word in words)

    def _apply(self, text: str, folded: str, frame: _Frame, edit: _Edit) -> Interpretation | None:
        """Return what an edit changes, or what has to be asked about it; None where more is said than the edit."""
        if not edit.replaces and any(DENIES.search(folded, 0, start) for start, _ in edit.stretches):
            return None
        rest = {stem(word.text) for word in self._rest(folded, edit.stretches)}
        beside = rest - frame.words
        hits = {fact: len(rest & self._names(fact)) for fact in edit.outcomes}
        most = max(hits.values(), default=0)
        facts = [fact for fact, count in hits.items() if count == most]
        if beside - frozenset().union(*map(self._names, facts if most else ())) or not facts:
            return None
        chosen = facts if len(facts) == 1 or edit.together else [fact for fact in facts if fact in frame.latest]
        if len(chosen) != 1 and not edit.together:
            return Interpretation(unclear=which_to_change(self._catalog, facts))
        span = span_of(text, min(a for a, _ in edit.stretches), max(b for _, b in edit.stretches))
        values = []
        for fact in chosen:
            value = edit.outcomes[fact]
            if isinstance(value, Fault):
                told = was_not(frame.facts[fact].value) if self._catalog.is_sensitive(fact) else say_fault(value)
                return Interpretation(unclear=told)
            values.append(Entity(fact=fact, value=value, span=span, rule=f"{frame.facts[fact].value.kind} as an edit"))
        return Interpretation(values=tuple(values))

    # -- operations --------------------------------------------------------------------------------------------------

    def _shift(self, text: str, folded: str, frame: _Frame, context: Context) -> Iterator[_Edit]:
        for match in filter(None, (form.search(folded) for form in _SHIFTS)):
            stretches, steps = _steps(match)
            yield from self._stepped(stretches, steps, match["way"], frame, context)
        if times := _TIMES.search(folded):
            yield from self._stepped([times.span()], [_Step(factor=_FACTORS[times["times"]])], "", frame, context)

    def _stepped(
        self,
        stretches: Sequence[tuple[int, int]],
        steps: Sequence[_Step],
        way: str,
        frame: _Frame,
        context: Context,
    ) -> Iterator[_Edit]:
        outcomes: dict[str, JsonValue | Fault] = {}
        for name, value in frame.values.items():
            for step in steps:
                kind = frame.facts[name].value
                shifted = None if name in outcomes else _shifted(kind, value, step)
                if shifted is not None:
                    outcomes[name] = _or_fault(kind.check, shifted, context.today)
        asked = frame.facts.get(context.pending.subject) if context.pending else None
        if asked and asked.name not in frame.values and asked.value.quantity and not outcomes:
            told = fold(" ".join((asked.label, asked.ask or "", *asked.examples)))
            if way not in told.split():  # "how many more?" asks for no more than that
                outcomes = {asked.name: asked.value.unreadable("none_said").fault}
        if all(0 < abs(step.amount) < FEW and not step.money for step in steps):  # "one more" is rarely of an amount
            counts = {name: one for name, one in outcomes.items() if frame.facts[name].value.quantity != "money"}
            if counts and counts != outcomes:
                yield _Edit(tuple(stretches), counts)
        if outcomes:
            yield _Edit(tuple(stretches), outcomes)

    def _replace(self, text: str, folded: str, frame: _Frame, context: Context) -> Iterator[_Edit]:
        """Replace words of a value by others: "Anna, not Ann"; those are in it, or nearly."""
        letters = [match.span() for match in _WITH_LETTERS.finditer(folded)]
        folded = blank(folded, letters)
        for match in filter(None, (form.search(folded) for form in _SWAPS)):
            if re.search(r"\b(?:not|nor|neither|no)\b", match["new"]):
                continue
            old, new = (self._trimmed(folded, *match.span(which)) for which in ("old", "new"))
            if old is None or new is None or _has_digits(folded[slice(*old)]) is not _has_digits(folded[slice(*new)]):
                continue
            for least in (1.0, 0.75):
                outcomes = {}
                for name, value in frame.values.items():
                    kind = frame.facts[name].value
                    shown = value if isinstance(value, str) and not kind.is_day else kind.show(value)
                    swapped = _swapped(shown, folded[slice(*old)], text[slice(*new)], least)
                    if swapped is not None and not kind.is_yes_or_no:
                        said = text[slice(*new)] if kind.declared_options else swapped
                        outcomes[name] = _or_fault(read_answer, kind, said, context.today)
                if outcomes:
                    yield _Edit((old, new, *letters), outcomes, replaces=True)
                    break

    def _trimmed(self, folded: str, start: int, end: int) -> tuple[int, int] | None:
        """Return a stretch without the filler at its ends; None where nothing, or too much, is left of it."""
        copula = max((found.end() for found in _COPULA.finditer(folded, start, end)), default=start)
        start = copula if copula < end else start
        words = words_in(folded[start:end])
        kept = [word for word in words if not {word.text, stem(word.text)} & _FILLER]
        if not kept or len(kept) > _MOST_REPLACED:
            return None
        return start + kept[0].start, start + kept[-1].end

    def _exchange(self, text: str, folded: str, frame: _Frame, context: Context) -> Iterator[_Edit]:
        match = _EXCHANGED.search(folded)
        if match is None:
            return
        facts = [frame.facts[name] for name in frame.values]
        pairs = [
            (one, other)
            for one, other in combinations(facts, 2)
            if one.value.kind == other.value.kind and frame.values[one.name] != frame.values[other.name]
        ]
        if len(pairs) == 1:
            swapped = {
                one.name: _or_fault(one.value.check, frame.values[other.name], context.today)
                for one, other in (pairs[0], pairs[0][::-1])
            }
            yield _Edit((match.span(),), swapped, together=True)

    def _part(self, text: str, folded: str, frame: _Frame, context: Context) -> Iterator[_Edit]:
        """Replace the year, the month or the day of a day that is known; a day alone may answer a question."""
        days = {name: str(value) for name, value in frame.values.items() if frame.facts[name].value.is_day}
        asked = context.pending is not None and context.pending.kind == "fact"
        for part, form in _PARTS.items():
            match = form.search(folded)
            if match is None or (asked and part == "day"):
                continue
            number = _MONTHS[match[part]] if part == "month" else int(match[part])
            outcomes: dict[str, JsonValue | Fault] = {}
            for name, value in days.items():
                try:
                    other = date.fromisoformat(value).replace(**{part: number})
                except ValueError:
                    continue
                checked = _or_fault(frame.facts[name].value.check, other.isoformat(), context.today)
                if part == "year" or not isinstance(checked, Fault):
                    outcomes[name] = checked  # "the 3rd" may be of the next month
            if outcomes:
                yield _Edit((match.span(),), outcomes)

    def _set(self, text: str, folded: str, frame: _Frame, context: Context) -> Iterator[_Edit]:
        """Set what was read back to the one value that is said: "no, 4 kg", "not slow, express", "no, to Tom Baker".

        Of several that may be meant, the longest counts: "€55" is no plain number.
        """
        pending = context.pending
        shifts = any(form.search(folded) for form in _SHIFTS)
        if pending is None or shifts or is_refusal(folded) or read_control(folded):
            return
        denied = [match.span("old") for form in _SWAPS if (match := form.search(folded))][:1]
        left = blank(text, denied)
        found: dict[tuple[int, int], dict[str, JsonValue | Fault]] = {}
        for fact in (frame.facts[name] for name in frame.facts if name in pending.facts or name in frame.values):
            loose = is_wordy(fact.value) or fact.value.free_text or fact.value.is_yes_or_no
            said = [] if loose else mentions_of(fact, left, context.today)
            if len(said) == 1:
                place = _with_unit(left, said[0].start, said[0].end, fact.value)
                found.setdefault(place, {})[fact.name] = _or_fault(
                    read_answer, fact.value, left[slice(*place)], context.today
                )
        longest = max((end - start for start, end in found), default=0)
        yield from (_Edit((*denied, place), found[place]) for place in found if place[1] - place[0] == longest)
        rest = [] if found else self._rest(folded, denied)
        if rest and folded[: rest[0].start].strip():
            named = self._free_words(text, folded, rest, frame, context.today)
            if named:
                place = (named[0].span.start, named[0].span.end)
                yield _Edit((*denied, place), {one.fact: one.value for one in named})

    def _refer(self, text: str, folded: str, frame: _Frame, context: Context) -> Iterator[_Edit]:
        """Answer the open question by what was spoken of: "the same day"."""
        asked = frame.facts.get(context.pending.subject) if context.pending else None
        if asked is not None and (found := self._spoken_of(asked, folded, context)):
            yield _Edit((found[0],), {asked.name: found[1]})

    def _spoken_of(self, fact: Fact, folded: str, context: Context) -> tuple[tuple[int, int], JsonValue] | None:
        """Find a reference to the last value of a fact's kind, by the fact's name or that of its kind: "that day"."""
        nouns = self._names(fact.name) | fact.value.name_words
        match = next((one for one in _THAT.finditer(folded) if stem(one["noun"]) in nouns), None)
        kinds = (
            (self._catalog.facts[one.fact].value, one)
            for one in context.spoken
            if one.fact == fact.name or (one.fact in self._catalog.facts and not self._catalog.is_sensitive(one.fact))
        )
        alike = (one for kind, one in kinds if kind.kind == fact.value.kind and (kind.is_day or one.fact == fact.name))
        last = next(alike, None) if match else None
        fits = last is not None and fact.value.accepts(last.value, context.today)
        return (match.span(), last.value) if match and last and fits else None

    def refer_back(self, text: str, meaning: Interpretation, context: Context) -> Interpretation:
        """Give requests that lack a value the one that they refer to: "move it to that day"."""
        goals = []
        for goal in meaning.goals:
            found = {
                one: at
                for one in goal.missing
                if (at := self._spoken_of(self._catalog.facts[one], fold(text), context))
            }
            values = [
                Entity(fact=fact, value=value, span=span_of(text, *place), rule="what was spoken of last")
                for fact, (place, value) in found.items()
                if goal.span.start <= place[0] < goal.span.end and len(found) == 1
            ]
            missing = tuple(one for one in goal.missing if one not in [value.fact for value in values])
            update = {"values": (*goal.values, *values), "missing": missing}
            goals.append(goal.model_copy(update=update) if values else goal)
        return meaning.model_copy(update={"goals": tuple(goals)}) if meaning.goals else meaning

    # -- the same again ----------------------------------------------------------------------------------------------

    def _again(self, text: str, folded: str, frame: _Frame, context: Context) -> Interpretation | None:
        """Read what asks for the last request again, as it was or with other values, or what puts it right."""
        anew, goes_on = _ONCE_MORE.search(folded), _GOES_ON.match(folded)
        beside = f"{folded[: anew.start()]} {folded[anew.end() :]}" if anew else folded
        if not (anew or goes_on or is_correcting(folded)) or ASKING.search(beside):
            return None
        whole = [(frame.goal, span_of(text, 0, len(text)))]
        told = self._filler.fill_requests(whole, text, context.today)[0].values
        values = [*told, *self._optional(text, frame, told, context.today)]
        stretches = [(one.span.start, one.span.end) for one in values] + ([anew.span()] if anew else [])
        owned = frozenset().union(*(self._names(one.fact) for one in values))
        if anew:
            facts = [self._catalog.facts[one.fact] for one in values]
            said = fold(" ".join(words for fact in facts for words in (*fact.examples, *fact.said)))
            owned |= frame.words | frozenset(stem(word.text) for word in words_in(said))
        rest = [word for word in self._rest(folded, stretches) if stem(word.text) not in owned]
        if rest:
            before = folded[: rest[0].start]
            led = _PRECEDED.search(before) or _GOES_ON.fullmatch(before.rstrip())
            free = self._free_words(text, folded, rest, frame, context.today) if led else []
            if len(free) > 1:
                return Interpretation(unclear=which_to_change(self._catalog, [one.fact for one in free]))
            if not free or any(free[0].fact == one.fact for one in values):
                return None
            values += free
        follows = anew is not None or goes_on is not None
        return Interpretation(values=tuple(values), follows=follows) if values or anew else None

    def _optional(self, text: str, frame: _Frame, told: Sequence[Entity], today: date) -> Iterator[Entity]:
        """Yield the values of facts that the request may do without, and so is never asked to be told."""
        needed = arguments_of(self._catalog, frame.goal)
        for one in find_values((fact for name, fact in frame.facts.items() if name not in needed), text, today):
            if one.takeable and not any(map(one.overlaps, (value.span for value in told))):
                yield one.entity(text)

    def _free_words(self, text: str, folded: str, rest: Sequence[Word], frame: _Frame, today: date) -> list[Entity]:
        """Read capitalized words as the value of a fact in free words: "for Tom Baker".

        Of several such facts it is the one whose value had as many words.
        """
        start, end = rest[0].start, rest[-1].end
        run, inside = text[start:end], words_in(folded[start:end])
        if len(inside) != len(rest) or not all(text[w.start].isupper() or text[w.start].isdigit() for w in rest):
            return []
        found = []
        for name, value in frame.values.items():
            kind = frame.facts[name].value
            if is_wordy(kind) and not isinstance(said := _or_fault(read_answer, kind, run, today), Fault):
                entity = Entity(fact=name, value=said, span=span_of(text, start, end), rule=f"{kind.kind} as an edit")
                found.append((len(words_in(fold(str(value)))) == len(rest), entity))
        alike = [entity for same, entity in found if same]
        return alike if len(alike) == 1 else [entity for _, entity in found]


_MOST_REPLACED = 4
"""Words of a value that are replaced, or that replace them."""


def _steps(match: re.Match[str]) -> tuple[list[tuple[int, int]], list[_Step]]:
    """Return the stretches of a relative change, without what it counts if that is no unit, and what it may mean."""
    groups = match.groupdict()
    sort, sign = _WAYS[match["way"]]
    said = groups.get("amount") or "one"
    amount = _amount(said)
    stretches = [match.span()]
    if amount is None:
        return stretches, []
    money, bare = said[0] in "€$£", not said.startswith(("a", "half"))  # "a later day" says not by how much
    steps: list[_Step] = []
    for name in ("noun", "after"):
        word = groups.get(name) or ""
        unit = unit_named("percent" if word == "%" else word)
        money = money or word in CURRENCIES
        bare = bare and unit is None and word not in ("time", "times")
        waits = amount == 1 and unit is not None and unit.name in ("second", "minute")  # "one more minute, please"
        if unit is not None and not waits and (name == "noun" or not sort):
            steps.append(_Step(sort, amount * sign, unit))
        elif word and unit is None and word not in CURRENCIES:
            stretches = [(match.start(), match.start(name)), (match.end(name), match.end())]
    return stretches, [_Step(sort, amount * sign, money=money), *steps] if money or bare else steps


def _amount(said: str) -> Fraction | None:
    if said.startswith("half"):
        return Fraction(1, 2)
    if said in ("a", "an") or said.startswith(("a couple", "an couple")):
        return Fraction(2 if "couple" in said else 1)
    digits = re.sub(r",(?=\d{3}\b)", "", said.lstrip("€$£")).replace(",", ".")
    if digits[0].isdigit():
        return Fraction(digits)
    number = number_in_words(re.split(r"[ -]", said))
    return None if number is None else Fraction(number)


def _shifted(kind: Kind, value: JsonValue, step: _Step) -> JsonValue | None:
    """Return a value of a kind moved by a step; None where the step is none for it."""
    if kind.is_day and step.sort == "time":
        return _moved(value, step)
    if kind.is_period and isinstance(value, dict) and value.keys() == {"start", "end"}:
        ends = ("start", "end") if step.sort == "time" else ("end",)
        moved = {end: _moved(value[end], step) for end in ends}
        return None if None in moved.values() else {**value, **moved}
    if not kind.quantity or step.sort == "time" or (step.money and kind.quantity != "money"):
        return None
    by: Fraction | None = step.amount
    if step.unit is not None:
        by = step.unit.count(step.amount, kind.measure) if kind.measure else None
    elif step.sort == "length" and not (kind.measure and kind.measure.dimension == "time"):
        by = None
    if by is None:
        return None
    now = Fraction(str(value))
    then = now * step.factor if step.factor is not None else now + by
    return f"{float(then):.2f}" if kind.quantity == "money" else int(then) if then.denominator == 1 else float(then)


def _moved(day: JsonValue, step: _Step) -> str | None:
    unit, times = _IN_CALENDAR.get(step.unit.name if step.unit else "", ("", 0))
    count = step.amount * times
    if not times or count.denominator != 1:
        return None
    moved = moved_by(date.fromisoformat(str(day)), int(count), unit)
    return moved.isoformat() if moved else None


def _or_fault(read: Callable[..., JsonValue], *said: object) -> JsonValue | Fault:
    """Return what is read of what is said, or what there is against it."""
    try:
        return read(*said)
    except Unreadable as why:
        return why.fault


def _swapped(shown: str, old: str, new: str, least: float) -> str | None:
    """Replace words of a value by others, where they are at one place in it, and at least so alike."""
    whole, gone = words_in(fold(shown)), [_bare(word.text) for word in words_in(old)]
    places = [
        at
        for at in range(len(whole) - len(gone) + 1)
        if all(likeness(_bare(word.text), other) >= least for word, other in zip(whole[at:], gone, strict=False))
    ]
    if len(places) != 1 or not gone:
        return None
    first, last = whole[places[0]], whole[places[0] + len(gone) - 1]
    words = [_bare(word) for word in new.split()]
    if len({word[0].isupper() for word in words}) > 1 or (new.islower() and len(words) > len(gone)):
        return None  # "party Rosa, not Ann" says more than a name
    if shown[first.start].isupper() and new.islower():
        words = [word.capitalize() for word in words]
    return f"{shown[: first.start]}{' '.join(words)}{shown[last.end :]}"


def _has_digits(said: str) -> bool:
    return any(char.isdigit() for word in words_in(said) for char in _bare(word.text))


def _bare(word: str) -> str:
    """Return a number as its digits, "4th" and "four" alike; another word as it is."""
    number = DIGITS.get(word.casefold(), TENS.get(word.casefold()))
    return str(number) if number is not None else re.sub(r"(?<=\d)(?:st|nd|rd|th)\Z", "", word)


def _with_unit(text: str, start: int, end: int, kind: Kind) -> tuple[int, int]:
    """Return the place of a number with the unit that follows it, if it is of a kind that has one."""
    measure = measure_after(text, start, end, Fraction(1)) if kind.measure else None
    return (start, end) if measure is None else (start, end_of_age(text.lower(), start) or measure.end)
