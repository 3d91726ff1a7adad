"""Names in requests, of people and of things in free words: which stands for what, as the texts of a catalog have it.

What stands beside a name in the examples of its fact and of the goals that take it, in frames, and where a skill asks
for its go-ahead, shows where other names stand: "did {sender} write", "{packs} packs of {medicine} for {pet_name}". A
name with capitals needs no such place where only one fact is left for it and no little word gives it another. Each
name has one owner: the names of a request are given to the facts that it lacks so that as much as can be is in place;
where that can be done in two ways, what differs between them is given to none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import prod

from catalog.analysis.dependencies import can_be_asked, what_is_said_for, what_leads_to
from catalog.model import Catalog, Fact
from language.entities.extents import times_in
from language.entities.name_likeness import ALSO_NAMES, COMPANY, PARTICLES, TITLES, can_be_named, name_likeness
from language.readers import ANY_DAY, find_mentions
from language.text.encoder import is_word
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_context import tells
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, fold, words_in

Place = tuple[int, int]

_CAPITAL = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"
_NAME = rf"(?<![\w'’.@-]){_CAPITAL}\.?(?:[ ](?:(?:{'|'.join(sorted(PARTICLES))})[ ])*{_CAPITAL})*(?!-?\w|@)"
_RUN = LazyPattern(_NAME)
_OWNS = LazyPattern(r"['’]s\Z|(?<=s)['’]\Z")
_BEGINS = LazyPattern(r"(?:\A|[.!?:;\n]\s|[\"“(])[\s\"“(]*\Z")
_WHO = LazyPattern(r"\b(?:my|our|the|his|her|their)\s+(?P<who>(?:[^\W\d_]+\s+){1,2})\Z")
"""What a person is, before their name: "my boss Kim"."""
_JOINED = LazyPattern(r"\s*(?:,|/|&|\band\b|\bor\b|\bnor\b|,\s*(?:and|or)\b)\s*")
_NEXT = LazyPattern(r"(?P<owned>['’]s?)?\s+(?P<one>[^\W\d_][\w'-]*)(?:\s+(?P<two>[^\W\d_][\w'-]*))?")
_LAST = LazyPattern(r"(?:[^\W\d_][\w'-]*\s+){1,3}\Z")
_SPEAKERS = LazyPattern(r"\b(?:your|yours|are you|you are|do you call|you called)\b", re.IGNORECASE)
_LEADING = frozenset("from to for with by of".split())
"""Little words that tell where a name stands, if examples have them before one."""
_PLACING = frozenset(
    """about on in at over under via into through near against during like as than without not no and or but nor before
    after since until around regarding concerning the a an this that these those my our his her their
    from to for with by""".split()
)
"""Little words that give a name another place than that of whom a request is about, where no example has them; "of" is
none: "mails of Ann" are Ann's."""
_TELLING = FUNCTION_WORDS - _LEADING
_SURELY, _PLAINLY = 0.02, -0.1
"""How like a name words without capitals must sound: where one side of a place is beside them, and where both are."""
_FIRST_OF_NAME = 0.0
_MOST_WORDS = 3
_NOT_ONE = frozenset("all any both each every everybody none others people staff they them those".split())
"""Words for more people than one, or for none."""
_ANIMATE = LazyPattern(r"\b(?:he|she|him|her|his|who|whom)\b")
_POINTS_BACK = LazyPattern(r"\b(?:he|she|him|her|his|hers)\b")
_CALLED = frozenset(("called", "named"))
_CONNECTING = frozenset("and but so because since that if as while ok okay hello hi please".split())
"""Words that may stand before what a clause is about."""
_ENDS_PART = LazyPattern(r"[.,;:!?\n]|\Z")
_AT = LazyPattern(r"\b(?:at|in|on|for|from|to|with|by)\s+(?:(?:the|your|our)\s+)?\Z")
_OF_IT = LazyPattern(r"\W*(?:and\s+)?(?:it|that|this)(?:['’]s| is| was)\b", re.IGNORECASE)
"""How what is told of the request itself begins: "it was $380 for Nacho"."""
_EVIDENT, _PERSON, _ALONE = 10, 2, 1
"""What a name in a place of its fact adds, for each degree of likeness; a person's name in none; that of a thing."""
_MOST_WAYS = 2_000
"""Ways to give names to facts that are weighed; where there are more, only names in places of their facts are."""


@dataclass(frozen=True, slots=True)
class _Beside:
    """What stands right before a name, and behind it; nothing where a sentence begins or ends there."""

    before: tuple[str, ...]
    after: str
    """With "'s" where something of theirs follows."""
    who: tuple[str, ...] = field(default=(), compare=False)
    """What a person is, before their name: "boss"."""

    @property
    def last(self) -> str:
        return self.before[-1] if self.before else ""

    @property
    def placed(self) -> bool:
        """Return whether a little word gives the name a place; before "Ann's mails" it is that of the mails."""
        return self.last in _PLACING and not self.after.startswith("'")


@dataclass(frozen=True, slots=True)
class _Named:
    start: int
    end: int
    beside: _Beside


class NamePlaces:
    """The places at which the goals of one catalog have names.

    It has names of the person spoken to only where a skill asks with it for its go-ahead, so that it is read back.
    """

    def __init__(self, catalog: Catalog) -> None:
        told = {goal: what_is_said_for(catalog, goal) for goal in catalog.goals}
        skills = {skill for goal in catalog.goals.values() for skill in what_leads_to(catalog, goal).skills}
        asking = [said for name in skills if (said := catalog.skills[name].confirm)]
        facts = [catalog.facts[name] for name in dict.fromkeys(name for names in told.values() for name in names)]
        named = {fact.name: fact for fact in facts if _has_names(fact)}
        people = (fact for fact in named.values() if fact.value.name_part and not fact.said)
        self._people = frozenset(fact.name for fact in people if not _is_speakers(fact))
        self._facts = {
            name: fact
            for name, fact in named.items()
            if name in self._people or not _is_speakers(fact) or any(f"{{{name}}}" in said for said in asking)
        }
        self._animate = frozenset(
            name
            for name, fact in self._facts.items()
            if fact.value.name_part or any(map(_ANIMATE.search, map(fold, (*fact.said, *fact.examples))))
        )
        self._beside_names = [fact for fact in facts if fact.value.self_evident or fact.value.declared_options]
        self._options = [fact.value for fact in catalog.facts.values() if fact.value.declared_options]
        values = {name: _values_of(fact) for name, fact in self._facts.items()}
        of_people = (found for name, found in values.items() if self._facts[name].value.name_part)
        self._taboo = _no_names(catalog, [value for found in of_people for value in found])
        self._no_things = _no_names(catalog, [value for found in values.values() for value in found])
        self._beside: dict[str, frozenset[_Beside]] = {}
        for name, fact in self._facts.items():
            texts = list(fact.examples)
            for goal, names in told.items():
                texts += catalog.goals[goal].examples if name in names else ()
            besides = {beside for text in texts for value in values[name] for beside in _besides(text, value)}
            besides |= {beside for text in (*fact.said, *asking) for beside in _besides_place(text, name)}
            self._beside[name] = frozenset(besides)

    def end_of(self, fact: str, text: str, start: int, end: int) -> int:
        """Return where a name in free words ends: before the words of another value, with a word that says something.

        Of an option a little word tells that it is a value: "Circe at Harbour".
        """
        if fact not in self._facts:
            return end
        folded, idle, cut = fold(text), set(FUNCTION_WORDS), end
        for other in self._beside_names:
            for mention in find_mentions(other.value, text[start:end], ANY_DAY):
                first = start + mention.start
                if mention.start and (other.value.self_evident or _AT.search(folded, start, first)):
                    cut = min(cut, first)
                    idle.update(word.text for word in words_in(fold(other.label)))
        for word in reversed(words_in(folded[start:cut])) if cut < end or text[start].isupper() else ():
            if word.text not in idle or text[start + word.start].isupper():
                break
            cut = start + word.start
        return start + len(folded[start:cut].rstrip(" ,;:")) if cut < end else end

    def places(self, text: str) -> list[Place]:
        """List where people are named that are written with capitals, or where examples have one."""
        if not self._people:
            return []
        known = [beside for name in self._people for beside in self._beside[name]]
        found = self._found(text, (0, len(text)), known, self.closed(text), of_thing=False)
        return [
            (one.start, one.end)
            for one in found
            if not one.beside.placed or any(_likeness(one.beside, other) for other in known)
        ]

    def closed(self, text: str) -> list[Place]:
        """List where nothing is named that a request lacks: options of the catalog, and times."""
        options = (mention for kind in self._options for mention in find_mentions(kind, text, ANY_DAY))
        times = (place for place in times_in(fold(text)) if not _begins_name(text, *place))
        return [*((m.start, m.end) for m in options), *times]

    def of(
        self, text: str, within: Place, facts: Collection[str], closed: Sequence[Place], aside: Sequence[Place]
    ) -> dict[str, Place]:
        """Return whose names stand in a stretch for facts that it lacks; `aside` is what is only told there."""
        able: dict[str, dict[Place, int]] = {}
        for name in facts:
            if fact := self._facts.get(name):
                known, of_thing = self._beside[name], not fact.value.name_part
                found = self._found(text, within, known, closed, of_thing=of_thing)
                weights = {
                    (one.start, one.end): self._weight(text, one, fact, aside)
                    for one in found
                    if not _is_joined(text, one, found)
                }
                able |= {name: _each_once(text, weights)} if weights else {}
        if prod(1 + len(weights) for weights in able.values()) > _MOST_WAYS:
            able = {name: {p: w for p, w in weights.items() if w >= _EVIDENT} for name, weights in able.items()}
        return _owned(able) if able and prod(1 + len(weights) for weights in able.values()) <= _MOST_WAYS else {}

    def _weight(self, text: str, one: _Named, fact: Fact, aside: Sequence[Place]) -> int:
        """Return how much tells that a name is for a fact: the place where it stands, or that it stands alone."""
        fit = max((_likeness(one.beside, known) for known in self._beside[fact.name]), default=0)
        fit = max(fit, _BOTH * (one.beside.last in _CALLED and fact.name in self._animate))
        told = any(a <= one.start < b and not _OF_IT.match(text, a) for a, b in aside)
        if told and (fit or fact.value.name_part):
            return fit * _EVIDENT if fit >= _BOTH else 0
        if fit or not text[one.start].isupper():
            return fit * _EVIDENT
        if fact.value.name_part:
            several = " " in text[one.start : one.end]
            placed = one.beside.placed and not (several and one.beside.last == "for")
            return 0 if placed or (fact.name not in self._people and not several) else _PERSON
        apart = one.beside.placed or any(word not in self._no_things for word in one.beside.who)
        return _ALONE if not apart and self._stands_alone(text, one, fact.name in self._animate, told) else 0

    def _stands_alone(self, text: str, one: _Named, animate: bool, told: bool) -> bool:
        """Return whether a name that stands in no place of a fact may be that of a thing, or of what is alive.

        What a clause is about is so where it is alive, and spoken of again, or beside an option of the catalog.
        """
        beside, begins = one.beside, _BEGINS.search(text, 0, one.start) is not None
        about = begins or not beside.before or beside.last in _CONNECTING
        if not (told or about):
            return animate or not beside.after.startswith("'")
        said = fold(text[one.start : one.end])
        if not animate:
            return not (told or beside.after) and (" " in said or not begins)
        pointed, ends = _POINTS_BACK.search(fold(text), one.end), _ENDS_PART.search(text, one.end)
        rest = text[one.end : ends.start() if ends else None]
        if pointed is None and not any(find_mentions(kind, rest, ANY_DAY) for kind in self._options):
            return False
        return about and (name_likeness(said) > 0 or (pointed is not None and not is_word(said)))

    def _found(
        self, text: str, within: Place, known: Collection[_Beside], closed: Sequence[Place], *, of_thing: bool
    ) -> list[_Named]:
        """List the names in a stretch, in order: those with capitals, and those where the catalog has one."""
        found: list[_Named] = []
        for match in _RUN.finditer(text, *within):
            little = fold(match.group()) in FUNCTION_WORDS  # "I'd"
            place = None if little else self._trimmed(text, match, of_thing=of_thing)
            if place and not any(a < place[1] and place[0] < b for a, b in closed):
                found.append(_Named(*place, _beside(text, *place)))
        for one in () if of_thing and text != fold(text) else self._in_small_letters(text, within, known, of_thing):
            apart = not any(a < one.end and one.start < b for a, b in closed)
            if apart and not any(other.start < one.end and one.start < other.end for other in found):
                found.append(one)
        return sorted(found, key=lambda one: one.start)

    def _trimmed(self, text: str, run: re.Match[str], *, of_thing: bool) -> Place | None:
        """Take off a run of words with capitals what is no name: the word that begins a sentence, a day, a title.

        Of a thing any words may be the name, but for those of the catalog alone.
        """
        start = run.start()
        words = [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", run.group())]
        first = text[slice(*words[0])]
        if _BEGINS.search(text, 0, start) and not self._begins_name(first, alone=len(words) == 1):
            words.pop(0)
        said = [text[a:b] for a, b in words]
        if any(map(str.islower, text)) and all(len(word) > 1 and word.isupper() for word in said):
            return None
        thing = of_thing and any(can_be_named(word, self._no_things, proud=True) for word in said)
        kept = 0
        for word in said:
            bare = fold(_OWNS.sub("", word)).strip(".")
            if not (thing or bare in PARTICLES or bare in TITLES or can_be_named(word, self._taboo, proud=True)):
                break
            kept += 1
            if _OWNS.search(word):
                break
        said = said[:kept]
        bare = fold(said[-1]).strip(".") if said else ""
        if not said or (not thing and {fold(word).strip(".") for word in said} & COMPANY) or bare in TITLES:
            return None
        owning = _OWNS.search(said[-1])
        last = words[kept - 1][1] - (len(owning.group()) if owning else 0)
        return words[0][0], last - (text[last - 1] == "." and len(said[-1]) > 2)

    def _begins_name(self, word: str, *, alone: bool) -> bool:
        bare = fold(_OWNS.sub("", word)).strip(".")
        if bare in TITLES:
            return not alone
        return can_be_named(word, self._taboo) and name_likeness(bare) > _FIRST_OF_NAME

    def _in_small_letters(
        self, text: str, within: Place, known: Collection[_Beside], of_thing: bool
    ) -> Iterator[_Named]:
        """Yield names without capitals at places that examples have: "did ines roth write", "drop hugo a line"."""
        folded = fold(text)
        words = [word for word in words_in(folded[: within[1]]) if word.start >= within[0]]
        for at in range(len(words)):
            for count in range(1 if of_thing else min(_MOST_WORDS, len(words) - at), 0, -1):
                first, last = words[at], words[at + count - 1]
                said = folded[first.start : last.end]
                owning = _OWNS.search(said)
                end = last.end - (len(owning.group()) if owning else 0)
                one = _Named(first.start, end, _beside(text, first.start, end))
                fit = max((_likeness(one.beside, other) for other in known), default=0)
                goes_on = of_thing and any(can_be_named(w.text, self._no_things) for w in words[at + 1 : at + 2])
                if fit and not goes_on and self._sounds(text[first.start : end], fit):
                    yield one
                    break

    def _sounds(self, said: str, fit: int) -> bool:
        parts = said.split()
        nameable = all(p in PARTICLES or can_be_named(p, self._taboo) for p in parts) and "," not in said
        return nameable and name_likeness(said) > (_SURELY if fit == 1 else _PLAINLY)


_BOTH = 3


def _likeness(one: _Beside, known: _Beside) -> int:
    """Return how alike two places are: at least 3 on both sides, or by several words; 2 before, 1 behind, or 0."""
    after = bool(known.after) and one.after == known.after
    alike = 0
    for said, other in zip(reversed(one.before), reversed(known.before), strict=False):
        if stem(said) != stem(other):
            break
        alike += 1
    if alike and after:
        return _BOTH + alike - 1
    if alike and any(word not in _TELLING for word in known.before[-alike:]):
        return alike + 1
    if not after or one.placed:
        return 0
    return 2 if known.after.startswith("'") else int(" " in known.after)


def _beside(text: str, start: int, end: int) -> _Beside:
    folded = fold(text)
    who = _WHO.search(folded, max(0, start - 60), start)
    begins = who.start() if who and not any(word in FUNCTION_WORDS for word in who["who"].split()) else start
    before, after = _LAST.search(folded, max(0, begins - 60), begins), _NEXT.match(folded, end)
    words = tuple(before.group().replace("'s ", " is ").split()) if before else ()
    are = tuple(who["who"].split()) if who and begins < start else ()
    if after is None:
        return _Beside(words, "", are)
    if after["owned"]:
        return _Beside(words, f"'s {after['one']}", are)
    two = after["two"] if after["two"] and not text[after.start("two")].isupper() else None
    return _Beside(words, " ".join(filter(None, (after["one"], two))), are)


def _besides(text: str, value: str) -> Iterator[_Beside]:
    for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
        if (beside := _beside(text, *match.span())) != _Beside((), ""):
            yield beside


def _besides_place(text: str, fact: str) -> Iterator[_Beside]:
    """Yield what stands beside the place of a fact in a text with places in braces."""
    for place in re.finditer(rf"{{{re.escape(fact)}}}", text):
        before, after = (re.sub(r"{\w+}", "0", part) for part in (text[: place.start()], text[place.end() :]))
        yield _beside(f"{before}A{after}", len(before), len(before) + 1)


def _each_once(text: str, weights: Mapping[Place, int]) -> dict[Place, int]:
    """Return what is said several times once, where most tells for it; what nothing tells for is left out."""
    best: dict[str, Place] = {}
    for place in sorted(weights, key=lambda place: -weights[place]):
        best.setdefault(text[slice(*place)], place)
    return {place: weights[place] for place in best.values() if weights[place]}


def _owned(able: Mapping[str, Mapping[Place, int]]) -> dict[str, Place]:
    """Give each name to one fact at most, so that as much as can be tells for all: what may be another's is left."""
    picks = [
        (sum(weights[place] for weights, place in zip(able.values(), pick, strict=True) if place), pick)
        for pick in product(*((None, *weights) for weights in able.values()))
        if all(one[1] <= other[0] for one, other in pairwise(sorted(filter(None, pick))))
    ]
    most = max(weight for weight, _ in picks)
    best = [pick for weight, pick in picks if weight == most]
    agreed = (places.pop() if len(places := set(each)) == 1 else None for each in zip(*best, strict=True))
    return {name: place for name, place in zip(able, agreed, strict=True) if place}


def common_value(examples: Sequence[str]) -> str:
    """Return the longest run of words that all examples of a fact have: what the fact is in all of them."""
    if len(examples) < 2:
        return ""
    first, *others = examples
    words = [match.span() for match in re.finditer(r"[^\s,;:]+", first)]
    runs = ((words[i][0], words[j][1]) for i in range(len(words)) for j in range(i, len(words)))
    found = [first[a:b].rstrip(".") for a, b in runs]
    common = [run for run in found if all(re.search(rf"(?<!\w){re.escape(run)}(?!\w)", other) for other in others)]
    return max(common, key=len, default="")


def _values_of(fact: Fact) -> tuple[str, ...]:
    """Return the names in the examples of a fact: what all have in common, or the one with capitals in each."""
    runs = [
        [run.group() for run in _RUN.finditer(text) if run.start() or run.end() == len(text) or " " in run.group()]
        for text in fact.examples
    ]
    shared = [run for run in (runs[0] if runs else ()) if all(run in others for others in runs)]
    if shared:
        return tuple(shared[:1])
    alone = tuple(dict.fromkeys(found[0] for found in runs if len(found) == 1))
    return alone or tuple(filter(None, [common_value(fact.examples)]))


def _is_speakers(fact: Fact) -> bool:
    return _SPEAKERS.search(f"{fact.ask or ''} {fact.label}") is not None and fact.value.name_part == "full"


def _has_names(fact: Fact) -> bool:
    """Return whether values of a fact are names: of a person, or in its examples words with capitals."""
    if not can_be_asked(fact) or fact.value.is_place or fact.value.name_part in ("given", "family"):
        return False
    values = _values_of(fact) if fact.value.takes_any_text else ()
    return fact.value.name_part == "full" or (
        any(map(_RUN.fullmatch, values)) and not any(map(tells, map(fold, values)))
    )


def _no_names(catalog: Catalog, values: Collection[str]) -> frozenset[str]:
    """List the words of a catalog, which are no names, but for the names in its examples."""
    texts = [text for goal in catalog.goals.values() for text in (goal.label, *goal.examples)]
    texts += [text for fact in catalog.facts.values() for text in (fact.label, *fact.value.declared_options)]
    said = {word.text for text in texts for word in words_in(fold(text))}
    names = {word.text for value in values for word in words_in(fold(value))}
    return frozenset(
        (said | FUNCTION_WORDS | FRAME_WORDS | COMPANY | _NOT_ONE) - names - {f"{name}'s" for name in names}
    )


def _begins_name(text: str, start: int, end: int) -> bool:
    """Return whether what may be a month is the first of a name: "Jan Ostrow", "June Park"."""
    followed = re.match(r" [^\W\d_a-z][^\W\d_]", text[end:]) is not None
    return followed and text[start].isupper() and fold(text[start:end]) in ALSO_NAMES


def _is_joined(text: str, one: _Named, others: Sequence[_Named]) -> bool:
    """Return whether a name is one of several that are joined: "Kim and Ann"."""
    gaps = [(min(one.end, o.end), max(one.start, o.start)) for o in others if o is not one]
    return any(start < end and _JOINED.fullmatch(text, start, end) for start, end in gaps)
