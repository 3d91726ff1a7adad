"""Unheeded words: what of a request belongs neither to its goal nor to a value, a reference or plain filler.

Who runs a request has then not heeded all of it: "delete *all* mails from Ann *of the last 3 days*". Which words are
ordinary for a goal is learned from what its author wrote: its label and examples, its skills and the facts it takes. A
word that limits, counts, denies or makes conditions is ordinary only where an example or a skill has it. What is told
beside a request ("my car broke down") asks for nothing, and nothing is lost with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Effect, Goal
from language.entities.masking import find_forms
from language.entities.value_context import is_wordy
from language.interpretation import Intent, Interpretation, Unheeded, UnheededSort
from language.readers import reader_of
from language.text.encoder import Vectors, encode
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import SAME_FAMILY, base_stem_of, likeness
from language.text.request_context import added, conditions, politeness, told, topics
from language.text.request_frames import DEED_STEMS
from language.text.words import FUNCTION_WORDS, Word, fold, span_of, words_in

LIMITS: dict[str, UnheededSort] = {
    word: sort
    for sort, said in {
        UnheededSort.QUANTITY: """all every each both everything everybody everyone half most several few some others
            rest remaining only except apart besides twice double more less fewer another other single
            entire whole either anything""",
        UnheededSort.QUALIFIER: """first second third last next previous latest newest oldest earliest final older newer
            earlier longer shorter cheaper cheapest sooner than without instead different new old before after""",
        UnheededSort.TIME: "always automatically regularly daily weekly monthly yearly recurring tomorrow later",
        UnheededSort.NEGATION: """not no never nothing nobody neither nor cannot don't doesn't didn't can't won't isn't
            wasn't dont doesnt didnt cant wont""",
        UnheededSort.DEED: "back off",
        UnheededSort.PERSON: "he she him her his hers he's she's",
    }.items()
    for word in said.split()
}
"""Words that limit, count, deny, or are for another person: little words elsewhere, but not in a request."""
ALIKE = {
    "can't": "cannot", "cant": "cannot", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "wont": "won't",
    "his": "him", "hers": "her",
}  # fmt: skip
_BETWEEN_DENIED = frozenset("longer more really actually even just".split())


def denied_in(words: Sequence[Word]) -> Iterator[str]:
    for at, word in enumerate(words):
        if LIMITS.get(ALIKE.get(word.text, word.text)) is UnheededSort.NEGATION and (stem := denied_at(words[at:])):
            yield stem


def denied_at(words: Sequence[Word]) -> str:
    after = (one.text for one in words[1:4] if one.text not in FUNCTION_WORDS | _BETWEEN_DENIED)
    return base_stem_of(next(after, ""))


_OF_ALL = frozenset(
    "all every each both everything everybody everyone some several few anything entire whole more most".split()
)
"""Of what only reads, who asks for all of it gets it."""

_LEADING = frozenset("for of in on at with from by as".split())
_OWNING = frozenset("a an the my our your this that these those".split())
"""What leads to words that are not heeded, and is quoted with them."""
_ALL_BUT = frozenset("all everything everybody everyone anything nothing nobody any".split())
"""Before "but": all but that."""
_EXCEPT = frozenset("except apart only".split())
_NOW = frozenset(("today", "now"))

_FILLER = (
    FUNCTION_WORDS
    | frozenset(
        """want wanna wanted like need needed needs love wish hope hoping wonder wondering try trying help possible
        go going gonna able ask asking request requesting require hello hi hey dear thanks thank thx cheers good
        day sorry well actually now today kindly pls plz there ahead yeah yep yes sure great fine
        quickly quick soon asap urgently urgent straight away immediately right simply maybe perhaps
        possibly exactly thing things stuff kind sort way bit little favour favor moment minute
        know think thinking see look looking say tell give get got getting gimme let lemme again somebody someone one
        something anybody anyone make do doing done
        use using start begin take put set bring keep happy glad appreciate mind
        still already anyway basically essentially finally guys team folks mate buddy matter case sake purpose
        thought interested supposed mean meant hear hearing come coming happen oh ah um uh er hmm alright any same
        and/or etc via per regarding concerning respect wrong unrelated named called name self myself ourselves we're
        btw fyi ever even yet altogether provide receive share whats hows id ill im ive hasnt hadnt isnt whos theres
        thats hadn't hasn't haven't havent wouldnt couldnt excuse them they ours ourselves themselves""".split()
    )
) - LIMITS.keys()
"""Words with which requests of any kind are framed, and which ask for nothing by themselves."""

_NAMED = LazyPattern(r"[^\W\d_a-z][^\W\d_]+(?:[ '-][^\W\d_a-z][^\W\d_]+)*")
_DENIED = LazyPattern(r"(?:\s+[^\s,.;!?]+){1,5}")
"""What is denied, after the word that denies it."""
_QUOTED = LazyPattern(r"“([^”]+)”")
_WANTS = LazyPattern(r"\b(?:my|our|the) (?P<who>[^\W\d_]+) (?:wants?|needs?|requires?|asks? (?:me )?for|insists? on)\b")
"""A person wants something from the one who asks for it."""
_LIKE_WHO_WANTS = 0.48
"""The cosine from which who wants something is like another: "my boss", where an example has "employer"."""
_REVERSING = frozenset(("re", "un", "dis", "de", "mis"))
_LEAST_REVERSED = 4
_DATED = LazyPattern(
    r"\b(?:from|of|in|since|for|on|during|between|before|after|until)\s+(?:the\s+)?(?:last\s+|past\s+)?(?:\w+\s+)?\Z"
)
_NEAR = 0.68
"""The cosine from which a word is another one for a word of the goal."""


@dataclass(frozen=True)
class _Ordinary:
    """What is ordinary in requests for one goal: base stems, words, pairs of words, and words that limit."""

    stems: frozenset[str]
    words: tuple[str, ...]
    limits: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    own: tuple[str, ...]
    little: frozenset[str]
    """The function words of the goal's own texts."""
    acts: bool
    """Whether something is done for it that has an effect."""
    denied: frozenset[str]
    """Stems of what the goal's own texts deny: "I do not take metformin any more"."""
    wanting: tuple[str, ...]
    """Who wants something in the goal's examples: "my employer wants a certificate"."""

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors of the words of the goal itself."""
        return encode(self.own)


class WordAccount:
    """Accounts for the words of requests, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, _Ordinary] = {}

    def warm(self) -> None:
        for name in self._catalog.goals:
            self._ordinary(name)

    def account(self, text: str, meaning: Interpretation) -> Interpretation:
        if not meaning.goals and not meaning.candidates:
            return meaning
        folded = fold(text)
        goals = self._of(text, folded, meaning, meaning.goals)
        candidates = meaning.candidates if meaning.goals else self._of(text, folded, meaning, meaning.candidates)
        return meaning.model_copy(update={"goals": goals, "candidates": candidates})

    def limit_yes(self, text: str, meaning: Interpretation, goal: str) -> Interpretation:
        """Return the meaning of a yes with what limits it, and is not heeded: "yes, if they complain"."""
        folded = fold(text)
        asked = Intent(goal=goal, span=span_of(text, 0, len(text)), confidence=1.0)
        left = sorted(self._left(text, folded, [asked], _heeded(meaning, ())))
        limits = [(start, end, sort) for _, start, end, sort in left if sort.limits]
        unheeded = tuple(Unheeded(span=span_of(text, start, end), sort=sort) for start, end, sort in limits)
        return meaning.model_copy(update={"unheeded": unheeded})

    def _of(self, text: str, folded: str, meaning: Interpretation, goals: Sequence[Intent]) -> tuple[Intent, ...]:
        known = [goal for goal in goals if goal.goal in self._catalog.goals]
        if not known:
            return tuple(goals)
        heeded = _heeded(meaning, goals)
        found: dict[int, list[Unheeded]] = {}
        for place, start, end, sort in sorted(self._left(text, folded, known, heeded)):
            found.setdefault(place, []).append(Unheeded(span=span_of(text, start, end), sort=sort))
        places = {id(goal): place for place, goal in enumerate(known)}
        return tuple(
            goal.model_copy(update={"unheeded": tuple(found.get(places.get(id(goal), -1), ()))}) for goal in goals
        )

    def _left(
        self, text: str, folded: str, goals: Sequence[Intent], heeded: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int, int, UnheededSort]]:
        words = words_in(folded)
        ordinary = [self._ordinary(goal.goal) for goal in goals]
        said = [*heeded, *politeness(text, folded)]
        said += _asked_for_next(self._catalog, text, goals)
        if any("about" in one.little for one in ordinary):
            said += topics(folded)
        acts = any(one.acts for one in ordinary)
        limits = [c for c in conditions(folded, said) if acts or not any(_overlap(c, place) for place in heeded)]
        said += (who.span() for who in _WANTS.finditer(folded) if _wants_too(who["who"], ordinary))
        forms = [form[:2] for form in find_forms(folded) if not any(_overlap(form[:2], place) for place in said)]
        besides = list(added(folded, lambda verb: any(base_stem_of(verb) in one.stems for one in ordinary)))
        aside = list(told(folded))
        left: dict[int, UnheededSort] = {}
        for at, word in enumerate(words):
            if _within(word, said) or _within(word, limits):
                continue
            owners = [ordinary[place] for place in _owners(word, goals)]
            beside = (words[at - 1].text if at else "", words[at + 1].text if at + 1 < len(words) else "")
            if _within(word, besides):
                left[at] = UnheededSort.DEED
            elif not _within(word, aside):
                sort = self._form_of(folded, word, forms, owners) or self._sort_of(word, beside, owners)
                if sort is UnheededSort.NEGATION and any(denied_at(words[at:]) in one.denied for one in owners):
                    sort = None
                if sort is not None:
                    left[at] = sort
        for start, end in limits:
            for place in range(len(goals)):
                yield place, start, end, UnheededSort.CONDITION
        yield from _stretches(folded, left, goals, forms, said)

    def _form_of(
        self, folded: str, word: Word, forms: Sequence[tuple[int, int]], owners: Sequence[_Ordinary]
    ) -> UnheededSort | None:
        """Return whether a word is of a time or a number that is no value of the request."""
        if not _within(word, forms) or word.text in _NOW or word.text in FUNCTION_WORDS:
            return None
        acts = any(one.acts for one in owners)
        return UnheededSort.TIME if acts or _DATED.search(folded, 0, word.start) else None

    def _sort_of(self, word: Word, beside: tuple[str, str], owners: Sequence[_Ordinary]) -> UnheededSort | None:
        text, acts = ALIKE.get(word.text, word.text), any(one.acts for one in owners)
        if not acts and not _matters(text, beside[1], owners):
            return None
        if text == "but" and beside[0] in _ALL_BUT:
            return UnheededSort.NEGATION
        if text in LIMITS:
            pairs = {(text, beside[1])}
            pairs |= {(beside[0], text)} if LIMITS[text] is not UnheededSort.NEGATION else set()
            counts = not acts or LIMITS[text] is not UnheededSort.NEGATION  # of a negation it matters what it denies
            heeded = any((counts and text in one.limits) or pairs & one.pairs for one in owners)
            if LIMITS[text] is UnheededSort.PERSON:
                after = base_stem_of(beside[1])
                heeded = heeded or not (
                    not after or after in FUNCTION_WORDS or any(after in one.stems for one in owners)
                )
            return None if heeded else LIMITS[text]
        if text in _FILLER or len(text) < 2:
            return None
        if _is_ordinary(text, owners):
            return None
        return UnheededSort.DEED if base_stem_of(text) in DEED_STEMS else UnheededSort.OTHER

    def _ordinary(self, name: str) -> _Ordinary:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._learn(self._catalog.goals[name])
        return found

    def _learn(self, goal: Goal) -> _Ordinary:
        catalog = self._catalog
        leading = what_leads_to(catalog, goal)
        skills = [catalog.skills[name] for name in leading.skills]
        facts = [catalog.facts[name] for name in (*leading.facts, *goal.facts)]
        facts += [fact for fact in catalog.facts.values() if set(fact.value.ends) & {one.name for one in facts}]
        own = [goal.label, goal.name.replace("_", " "), *goal.examples]
        beside = [goal.description, goal.done or ""]
        beside += [said for skill in skills for said in (skill.label, skill.description)]
        about = [said for fact in facts for said in (fact.label, fact.description, fact.ask or "", fact.value.noun)]
        about += [said for fact in facts for said in fact.examples]
        acting = [skill.description for skill in skills if skill.effect is not Effect.NONE]

        def listed(texts: Iterable[str]) -> list[str]:
            return [word.text for text in texts for word in words_in(fold(text))]

        words = [word for word in listed((*own, *beside, *about)) if word not in _FILLER and word not in LIMITS]
        limits = [ALIKE.get(word, word) for word in listed((*own, *acting)) if word in LIMITS]
        pairs = {
            pair
            for text in (*own, *beside, *about)
            for said in ([word.text for word in words_in(fold(text))],)
            for pair in pairwise(said)
            if pair[0] in LIMITS or pair[1] in LIMITS
        }
        mine = [word for word in listed(own) if word not in _FILLER and word not in LIMITS and word.isalpha()]
        return _Ordinary(
            frozenset(base_stem_of(word.removesuffix("'s")) for word in words),
            tuple(dict.fromkeys(words)),
            frozenset(limits),
            frozenset(pairs),
            tuple(dict.fromkeys(mine)),
            frozenset(word for word in listed(own) if word in FUNCTION_WORDS),
            bool(acting),
            frozenset(stem for text in own for stem in denied_in(words_in(fold(text)))),
            tuple(who["who"] for text in own for who in _WANTS.finditer(fold(text))),
        )


def without_said(meaning: Interpretation) -> Interpretation:
    """Return a meaning without words that are not heeded where it says why they cannot be taken."""
    if not (meaning.unclear and meaning.goals):
        return meaning
    spoken_of = _QUOTED.findall(meaning.unclear)
    left = [
        tuple(one for one in goal.unheeded if not any(_is_part(said, one.span.text) for said in spoken_of))
        for goal in meaning.goals
    ]
    kept = (goal.model_copy(update={"unheeded": one}) for goal, one in zip(meaning.goals, left, strict=True))
    return meaning.model_copy(update={"goals": tuple(kept)})


def _is_part(one: str, other: str) -> bool:
    led = other.split()
    while led[1:] and led[0].lower() in _LEADING:
        led.pop(0)
    return one in other or " ".join(led) in one


def _wants_too(who: str, owners: Sequence[_Ordinary]) -> bool:
    known = [other for one in owners for other in one.wanting]
    return bool(known) and float((encode(known) @ encode([who])[0]).max()) >= _LIKE_WHO_WANTS


def _matters(word: str, after: str, owners: Sequence[_Ordinary]) -> bool:
    """Return whether a word is worth a note where nothing but reading is done: a limit to what is read."""
    if word in _EXCEPT:
        return True
    limits = word in LIMITS and LIMITS[word] is not UnheededSort.PERSON and word not in _OF_ALL
    return limits and any(base_stem_of(after) in one.stems for one in owners)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _asked_for_next(catalog: Catalog, text: str, goals: Sequence[Intent]) -> list[tuple[int, int]]:
    """List what has the form of an argument that was not read, and is asked for next: nothing is lost with it.

    Where more is said than is asked for, all of it is left.
    """
    kinds = [catalog.facts[fact].value for goal in goals for fact in goal.missing if fact in catalog.facts]
    worded = [kind for kind in kinds if is_wordy(kind) and not kind.takes_any_text]
    asked: Counter[str] = Counter(reader_of(kind).form for kind in kinds if kind.sayable)
    asked["number"] += len(worded)
    placed: dict[str, list[tuple[int, int]]] = {}
    for start, end, form in find_forms(fold(text)):
        placed.setdefault(form, []).append((start, end))
    after = text.find(" ")
    placed["name"] = [match.span() for match in _NAMED.finditer(text, after)] if after > 0 else []
    asked["name"] = sum(bool(kind.name_part) or kind in worded for kind in kinds)
    return [place for form, places in placed.items() if len(places) <= asked[form] for place in places]


def _is_ordinary(word: str, owners: Sequence[_Ordinary]) -> bool:
    """Return whether a word is one of a goal, in another form, a near one, or one that means the same."""
    stem = base_stem_of(word.removesuffix("'s"))
    if any(stem in one.stems for one in owners):
        return True
    if stem in DEED_STEMS or any(_reverses(word, other) for one in owners for other in one.words):
        return False
    if any(likeness(word, other) >= SAME_FAMILY for one in owners for other in one.words):
        return True
    return word.isalpha() and any(_is_near(word, one) for one in owners)


def _reverses(word: str, other: str) -> bool:
    """Return whether a word undoes another or does it anew: "reschedule"."""
    return len(other) > _LEAST_REVERSED and word.endswith(other) and word[: -len(other)] in _REVERSING


def _is_near(word: str, ordinary: _Ordinary) -> bool:
    if not ordinary.own:
        return False
    return bool(np.max(ordinary.vectors @ encode([word])[0]) >= _NEAR)


def _heeded(meaning: Interpretation, goals: Sequence[Intent]) -> list[tuple[int, int]]:
    """List the places of values, references and preferences."""
    spans = [value.span for value in meaning.values]
    for goal in (*meaning.goals, *goals):
        spans += [value.span for value in goal.values] + [reference.span for reference in goal.references]
    if meaning.preference is not None:
        spans.append(meaning.preference.span)
    return [(span.start, span.end) for span in spans]


def _within(word: Word, places: Sequence[tuple[int, int]]) -> bool:
    return any(start < word.end and word.start < end for start, end in places)


def _owners(word: Word, goals: Sequence[Intent]) -> list[int]:
    """Return the requests that a word may be said for: those around it, or else all."""
    around = [at for at, goal in enumerate(goals) if goal.span.start <= word.start < goal.span.end]
    return around or list(range(len(goals)))


def _led(folded: str, words: Sequence[Word], at: int, closed: Sequence[tuple[int, int]]) -> Word:
    """Take in the little words that lead to a stretch: "for my" sister."""
    first = at
    while at and words[at - 1].text in _LEADING | _OWNING and not _within(words[at - 1], closed):
        if folded[words[at - 1].end : words[at].start].strip():
            break
        at -= 1
        first = at if words[at].text in _LEADING else first
    return words[first]


def _stretches(
    folded: str,
    left: dict[int, UnheededSort],
    goals: Sequence[Intent],
    forms: Sequence[tuple[int, int]],
    closed: Sequence[tuple[int, int]],
) -> Iterator[tuple[int, int, int, UnheededSort]]:
    """Join words that stand together, with the little words between them."""
    words, run = words_in(folded), list[int]()
    for at in [*sorted(left), len(words) + 9]:
        between = words[run[-1] + 1 : at] if run and at < len(words) else ()
        gap = folded[words[run[-1]].end : words[at].start] if run and at < len(words) else ","
        if run and (
            len(between) > 2 or any(w.text not in FUNCTION_WORDS for w in between) or re.search(r"[,.;!?]", gap)
        ):
            first, last = words[run[0]], words[run[-1]]
            sorts = [left[one] for one in run]
            sort = next((s for s in sorts if s is not UnheededSort.OTHER), UnheededSort.OTHER)
            place = _owners(first, goals)[-1] if _owners(first, goals) else 0
            start = next((one for one, end in forms if one <= first.start < end), first.start)
            start = min(start, _led(folded, words, run[0], closed).start)
            denied = _DENIED.match(folded, last.end) if left[run[-1]] is UnheededSort.NEGATION else None
            yield place, start, denied.end() if denied else last.end, sort
            run = []
        run.append(at)
