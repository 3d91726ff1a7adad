"""People in requests: whose name stands where, as the examples of a catalog have it.

What all examples of a fact have in common is its value; what stands beside it, there and in the examples of the goals
that take it, shows where other names stand: "did {sender} write", "let {recipient} know", "{contact_name}'s details".
A name with capitals that is the only one in a request needs no such place, if no little word gives it another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from catalog.analysis.dependencies import arguments_of, can_be_asked
from catalog.model import Catalog, Fact
from language.entities.extents import times_in
from language.entities.name_likeness import ALSO_NAMES, COMPANY, PARTICLES, TITLES, can_be_named, name_likeness
from language.readers import ANY_DAY, find_mentions
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, fold, words_in

Place = tuple[int, int]

_CAPITAL = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"
_RUN = LazyPattern(rf"(?<![\w'’.@-]){_CAPITAL}\.?(?:[ ](?:(?:{'|'.join(sorted(PARTICLES))})[ ])*{_CAPITAL})*(?![\w@])")
_OWNS = LazyPattern(r"['’]s\Z|(?<=s)['’]\Z")
_BEGINS = LazyPattern(r"(?:\A|[.!?:;\n]\s|[\"“(])[\s\"“(]*\Z")
_WHO = LazyPattern(r"\b(?:my|our|the|his|her|their)\s+(?P<who>(?:[^\W\d_]+\s+){1,2})\Z")
"""What a person is, before their name: "my boss Kim"."""
_JOINED = LazyPattern(r"\s*(?:,|/|&|\band\b|\bor\b|\bnor\b|,\s*(?:and|or)\b)\s*")
_NEXT = LazyPattern(r"(?P<owned>['’]s?)?\s+(?P<one>[^\W\d_][\w'-]*)(?:\s+(?P<two>[^\W\d_][\w'-]*))?")
_LAST = LazyPattern(r"(?P<word>[^\W\d_][\w'-]*)\s+\Z")
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


@dataclass(frozen=True, slots=True)
class _Beside:
    """What stands right before a name, and behind it; nothing where a sentence begins or ends there."""

    before: str
    after: str
    """With "'s" where something of theirs follows."""

    @property
    def placed(self) -> bool:
        """Return whether a little word gives the name a place; before "Ann's mails" it is that of the mails."""
        return self.before in _PLACING and not self.after.startswith("'")


@dataclass(frozen=True, slots=True)
class _Named:
    start: int
    end: int
    beside: _Beside


class PeopleNames:
    """The places at which the goals of one catalog have names of people."""

    def __init__(self, catalog: Catalog) -> None:
        arguments = {goal: arguments_of(catalog, goal) for goal in catalog.goals}
        taken = dict.fromkeys(name for names in arguments.values() for name in names)
        named = [catalog.facts[name] for name in taken if _is_anybody(catalog.facts[name])]
        self._facts = {fact.name: fact for fact in named}
        self._options = [fact.value for fact in catalog.facts.values() if fact.value.declared_options]
        values = {fact.name: value for fact in named if (value := common_value(fact.examples))}
        self._taboo = _no_names(catalog, values.values())
        self._beside: dict[str, set[_Beside]] = {name: set() for name in self._facts}
        for name, value in values.items():
            texts = list(self._facts[name].examples)
            for goal, names in arguments.items():
                if [other for other in names if other in self._facts] == [name]:
                    texts += catalog.goals[goal].examples
            self._beside[name] = {beside for text in texts for beside in _besides(text, value)}

    def __bool__(self) -> bool:
        return bool(self._facts)

    def places(self, text: str) -> list[Place]:
        """List where names stand that people write with capitals, or where examples have one."""
        if not self._facts:
            return []
        found = self._found(text, (0, len(text)), self._facts, self.closed(text))
        return [(one.start, one.end) for one in found if self._may_be_of(one, self._facts)]

    def closed(self, text: str) -> list[Place]:
        """List where no person is named: options of the catalog, and times."""
        options = (mention for kind in self._options for mention in find_mentions(kind, text, ANY_DAY))
        times = (place for place in times_in(fold(text)) if not _begins_name(text, *place))
        return [*((m.start, m.end) for m in options), *times]

    def of(self, text: str, within: Place, facts: Collection[str], closed: Sequence[Place]) -> dict[str, Place]:
        wanted = [name for name in facts if name in self._facts]
        found = self._found(text, within, wanted, closed) if wanted else []
        found = [one for one in found if not _is_joined(text, one, found)]
        chosen: dict[str, Place] = {}
        for name in wanted:
            scores = {(one.start, one.end): self._fit(one, name, wanted) for one in found}
            most = max(scores.values(), default=0)
            best = {text[start:end]: (start, end) for (start, end), score in scores.items() if score == most}
            if most and len(best) == 1:
                chosen[name] = next(iter(best.values()))
        if not chosen and len(wanted) == 1:
            free = [one for one in found if text[one.start].isupper() and not one.beside.placed]
            if len(free) == 1 and len({text[one.start : one.end] for one in found}) == 1:
                chosen[wanted[0]] = (free[0].start, free[0].end)
        places = list(chosen.values())
        return {name: place for name, place in chosen.items() if places.count(place) == 1}

    def _may_be_of(self, one: _Named, facts: Collection[str]) -> bool:
        known = (other for name in facts for other in self._beside[name])
        return not one.beside.placed or any(_likeness(one.beside, other) for other in known)

    def _fit(self, one: _Named, fact: str, facts: Collection[str]) -> int:
        """Return how well a name stands where the examples of a fact have one: 0 if it does not, 3 at most."""
        score = max((_likeness(one.beside, known) for known in self._beside[fact]), default=0)
        others = (_likeness(one.beside, known) for name in facts if name != fact for known in self._beside[name])
        return score if score > max(others, default=0) else 0

    def _found(self, text: str, within: Place, facts: Collection[str], closed: Sequence[Place]) -> list[_Named]:
        """List the names in a stretch, in order: those with capitals, and those where examples have one."""
        found = [
            _Named(*place, _beside(text, *place))
            for match in _RUN.finditer(text, *within)
            if (place := self._trimmed(text, match)) and not any(a < place[1] and place[0] < b for a, b in closed)
        ]
        known = {beside for name in facts for beside in self._beside[name]}
        for one in self._in_small_letters(text, within, known):
            apart = not any(a < one.end and one.start < b for a, b in closed)
            if apart and not any(other.start < one.end and one.start < other.end for other in found):
                found.append(one)
        return sorted(found, key=lambda one: one.start)

    def _trimmed(self, text: str, run: re.Match[str]) -> Place | None:
        """Take off a run of words with capitals what is no name: the word that begins a sentence, a day, a title."""
        start = run.start()
        words = [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", run.group())]
        first = text[slice(*words[0])]
        if _BEGINS.search(text, 0, start) and not self._begins_name(first, alone=len(words) == 1):
            words.pop(0)
        said = [text[a:b] for a, b in words]
        kept = 0
        for word in said:
            bare = fold(_OWNS.sub("", word)).strip(".")
            if bare in PARTICLES or bare in TITLES or can_be_named(word, self._taboo, proud=True):
                kept += 1
            else:
                break
            if _OWNS.search(word):
                break
        said = said[:kept]
        if not said or {fold(word).strip(".") for word in said} & COMPANY or fold(said[-1]).strip(".") in TITLES:
            return None
        if all(len(word) > 1 and word.isupper() for word in said) and any(map(str.islower, text)):
            return None
        owning = _OWNS.search(said[-1])
        last = words[kept - 1][1] - (len(owning.group()) if owning else 0)
        return words[0][0], last - (text[last - 1] == "." and len(said[-1]) > 2)

    def _begins_name(self, word: str, *, alone: bool) -> bool:
        bare = fold(_OWNS.sub("", word)).strip(".")
        if bare in TITLES:
            return not alone
        return can_be_named(word, self._taboo) and name_likeness(bare) > _FIRST_OF_NAME

    def _in_small_letters(self, text: str, within: Place, known: Collection[_Beside]) -> Iterator[_Named]:
        """Yield names without capitals at places that examples have: "did ines roth write", "drop hugo a line"."""
        folded = fold(text)
        words = [word for word in words_in(folded[: within[1]]) if word.start >= within[0]]
        for at in range(len(words)):
            for count in range(min(_MOST_WORDS, len(words) - at), 0, -1):
                first, last = words[at], words[at + count - 1]
                said = folded[first.start : last.end]
                owning = _OWNS.search(said)
                end = last.end - (len(owning.group()) if owning else 0)
                one = _Named(first.start, end, _beside(text, first.start, end))
                fit = max((_likeness(one.beside, other) for other in known), default=0)
                if fit and self._sounds(text[first.start : end], fit):
                    yield one
                    break

    def _sounds(self, said: str, fit: int) -> bool:
        parts = said.split()
        nameable = all(p in PARTICLES or can_be_named(p, self._taboo) for p in parts) and "," not in said
        return nameable and name_likeness(said) > (_SURELY if fit == 1 else _PLAINLY)


_BOTH = 3


def _likeness(one: _Beside, known: _Beside) -> int:
    """Return how alike two places are: 3 on both sides, 2 before, 1 behind, or 0."""
    before = bool(known.before) and stem(one.before) == stem(known.before)
    after = bool(known.after) and one.after == known.after
    if before and after:
        return _BOTH
    if before and known.before not in _TELLING:
        return 2
    if not after or one.placed:
        return 0
    return 2 if known.after.startswith("'") else int(" " in known.after)


def _beside(text: str, start: int, end: int) -> _Beside:
    folded = fold(text)
    who = _WHO.search(folded, max(0, start - 60), start)
    begins = who.start() if who and not any(word in FUNCTION_WORDS for word in who["who"].split()) else start
    before, after = _LAST.search(folded, max(0, begins - 40), begins), _NEXT.match(folded, end)
    if after is None:
        return _Beside(before["word"] if before else "", "")
    said = f"'s {after['one']}" if after["owned"] else " ".join(filter(None, (after["one"], after["two"])))
    return _Beside(before["word"] if before else "", said)


def _besides(text: str, value: str) -> Iterator[_Beside]:
    for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
        if (beside := _beside(text, *match.span())) != _Beside("", ""):
            yield beside


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


def _is_anybody(fact: Fact) -> bool:
    speaker = _SPEAKERS.search(f"{fact.ask or ''} {fact.label}")
    takes = can_be_asked(fact) and not fact.said
    return takes and fact.value.name_part == "full" and speaker is None


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
