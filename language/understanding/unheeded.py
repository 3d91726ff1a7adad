"""Unheeded words: what of a request belongs neither to its goal nor to a value, a reference or plain filler.

A request is then not heeded as it was said: "delete *all* mails from Ann *of the last 3 days*", "what is the fine *in
pounds*". How likely a word is such a one is learned from requests to several catalogs in which these words are marked
(logistic regression; `python -m benchmarks.understanding.unheeded` writes what it learns). It is judged by what the
goal's author wrote (whether these texts have the word, one like it, or the pair of words), by the words beside it, and
by what they mean together; so no catalog needs a list of its own. What is only told ("my car broke down") loses
nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise

import numpy as np
from scipy.special import expit

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Effect, Goal
from language.entities.masking import find_forms
from language.entities.value_context import is_wordy
from language.intents.regression import Matrix
from language.interpretation import Intent, Interpretation, Unheeded
from language.readers import reader_of
from language.text.encoder import DIMENSIONS, Vectors, encode, encode_said
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import base_stem_of
from language.text.request_context import conditions, politeness, told
from language.text.words import FUNCTION_WORDS, Word, fold, span_of, words_in

_CUES = 21
"""So many numbers are known of a word (`WordAccount._cues`); of those beside it, the same."""
_PLACE = 4
"""Whether it is the first, the last; how many words there are (of 20), and the share of them that has owners."""
_MEANING = 3.0
"""What a vector is multiplied with beside cues of 0 and 1, so that the penalty on weights falls on all alike."""
TOLD, ALTERS, _BESIDE = 0.4, 0.7, 0.3
"""How likely words are not heeded that are told of; of which the result is another than asked for; and that stand
beside such words and are told with them."""
_VERY_NEAR = 0.68
"""The cosine from which a word is another one for a word of the goal."""
_NAMED = LazyPattern(r"[^\W\d_a-z][^\W\d_]+(?:[ '-][^\W\d_a-z][^\W\d_]+)*")
_QUOTED = LazyPattern(r"“([^”]+)”")
_STOPS = frozenset(".,;:!?\n")
_LEADING = frozenset("for of in on at with from by as".split())
_DENYING = frozenset("not no never don't doesn't didn't dont doesnt didnt".split())
_BETWEEN_DENIED = FUNCTION_WORDS | frozenset("longer more really actually even just".split())
_LINKING = _LEADING | frozenset("and or but so then than that which".split())


@dataclass(frozen=True)
class WordWeights:
    """What each kind of evidence for a word that is not heeded counts.

    `words` are those that count by themselves, each with its place. `weights` are one for each column of
    `WordAccount.judge`, and a last one that always counts.
    """

    words: dict[str, int]
    weights: Matrix

    @classmethod
    @cache
    def read(cls) -> WordWeights:
        found = json.loads(files(__package__).joinpath("unheeded.json").read_text(encoding="utf-8"))
        return cls({word: at for at, word in enumerate(found["words"])}, np.array(found["weights"], np.float32))


@dataclass(frozen=True)
class _Texts:
    """What was written of a goal, its skills and facts: stems, words, and pairs of stems."""

    stems: frozenset[str]
    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    denied: frozenset[str]
    """Stems of what is denied in them: "I do not take metformin any more"."""
    own: tuple[str, ...]
    """The words of the goal's label and examples that say something."""
    acts: bool
    """Whether something is done for it that has an effect."""

    def is_reversed(self, denied: Word) -> bool:
        """Return whether a word that is denied says what the goal's own texts say, and do not deny."""
        stem = base_stem_of(denied.text)
        return stem not in self.denied and stem in map(base_stem_of, self.own)

    @cached_property
    def vectors(self) -> Vectors:
        return encode(self.own) if self.own else np.zeros((1, DIMENSIONS), np.float32)


class WordAccount:
    """Accounts for the words of requests, for one catalog."""

    def __init__(self, catalog: Catalog, learned: WordWeights | None = None) -> None:
        self._catalog = catalog
        self._learned = learned or WordWeights.read()
        self._known: dict[str, _Texts] = {}

    def warm(self) -> None:
        for name in self._catalog.goals:
            self._texts(name)

    def account(self, text: str, meaning: Interpretation) -> Interpretation:
        if not meaning.goals and not meaning.candidates:
            return meaning
        goals = self._of(text, meaning, meaning.goals)
        candidates = meaning.candidates if meaning.goals else self._of(text, meaning, meaning.candidates)
        return meaning.model_copy(update={"goals": goals, "candidates": candidates})

    def limit_yes(self, text: str, meaning: Interpretation, goal: str) -> Interpretation:
        """Return the meaning of a yes with what limits it, and is not heeded: "yes, if they complain"."""
        asked = Intent(goal=goal, span=span_of(text, 0, len(text)), confidence=1.0)
        found = [one for one in self._find(text, meaning, [asked]) if one.alters]
        return meaning.model_copy(update={"unheeded": tuple(found)})

    def _of(self, text: str, meaning: Interpretation, goals: Sequence[Intent]) -> tuple[Intent, ...]:
        found: dict[int, list[Unheeded]] = {}
        known = [goal for goal in goals if goal.goal in self._catalog.goals]
        for one in self._find(text, meaning, known) if known else ():
            found.setdefault(id(_around(one.span.start, known)[-1]), []).append(one)
        return tuple(goal.model_copy(update={"unheeded": tuple(found.get(id(goal), ()))}) for goal in goals)

    def _find(self, text: str, meaning: Interpretation, goals: Sequence[Intent]) -> Iterator[Unheeded]:
        words, evidence = self.judge(text, meaning, goals)
        weights = self._learned.weights
        likely = expit(evidence @ weights[:-1] + weights[-1])
        for condition in conditions(fold(text), ()):  # is told of as a whole
            of = [at for at, word in enumerate(words) if _within(word, [condition])]
            if of and (most := likely[of].max()) >= TOLD:
                likely[of] = most
        for at, denied in _denied_in(text, words):  # of what a goal does: it may be all that is meant
            texts = [self._texts(goal.goal) for goal in _around(words[at].start, goals)]
            if any(one.is_reversed(words[denied]) for one in texts):
                likely[at : denied + 1] = 1
        yield from _stretches(text, words, likely)

    def judge(self, text: str, meaning: Interpretation, goals: Sequence[Intent]) -> tuple[list[Word], Matrix]:
        """Return the words of requests for goals of the catalog that have no owner, and the evidence on each.

        A row of evidence has the cues of the word before, of the word, and of the one after; which words these are;
        its place; and the meaning of the three together.
        """
        folded = fold(text)
        words, owned = words_in(folded), _owned(self._catalog, text, meaning, goals)
        free = _find_free(words, owned)
        known, all_of = self._learned.words, len(words)
        evidence = np.zeros((len(free), 3 * (_CUES + len(known) + 1) + _PLACE + DIMENSIONS), np.float32)
        if not free:
            return [], evidence
        begun = bool(meaning.goals) or not meaning.candidates
        cues = np.pad(self._cues(text, words, owned, goals, begun=begun), ((1, 1), (0, 0)))
        said = ["", *(word.text for word in words), ""]
        for row, at in zip(evidence, free, strict=True):
            row[: 3 * _CUES] = cues[at : at + 3].ravel()
            row[3 * _CUES :][:_PLACE] = at == 0, at == all_of - 1, all_of / 20, 1 - len(free) / all_of
            for place, word in enumerate(said[at : at + 3]):
                row[3 * _CUES + _PLACE + place * (len(known) + 1) + known.get(word, len(known))] = bool(word)
        evidence[:, -DIMENSIONS:] = encode_said([" ".join(filter(None, said[at : at + 3])) for at in free]) * _MEANING
        return [words[at] for at in free], evidence

    def _cues(
        self,
        text: str,
        words: Sequence[Word],
        owned: Sequence[tuple[int, int]],
        goals: Sequence[Intent],
        *,
        begun: bool,
    ) -> Matrix:
        folded, vectors = fold(text), encode_said([word.text for word in words])
        forms = [form[:2] for form in find_forms(folded)]
        limits, aside = list(conditions(folded, owned)), list(told(folded))
        stems = ["^", *(base_stem_of(word.text.removesuffix("'s")) for word in words), "$"]
        rows = np.zeros((len(words), _CUES), np.float32)
        for at, word in enumerate(words):
            texts = [self._texts(goal.goal) for goal in _around(word.start, goals)]
            before, stem, after = stems[at : at + 3]
            known = any(stem in one.stems for one in texts)
            pairs = [any(pair in one.pairs for one in texts) for pair in ((before, stem), (stem, after))]
            near = max(float(np.max(one.vectors @ vectors[at])) for one in texts)
            acts, little, beside = any(one.acts for one in texts), word.text in FUNCTION_WORDS, _within(word, aside)
            foreign = not (known or little)
            stops = at == 0 or not _STOPS.isdisjoint(folded[words[at - 1].end : word.start])
            rows[at] = (
                *(known, any(word.text in one.words for one in texts), *pairs, near, near >= _VERY_NEAR),
                *(_within(word, forms), _within(word, limits), beside, little, at > 0 and text[word.start].isupper()),
                *(any(char.isdigit() for char in word.text), foreign, foreign and not beside, near * foreign),
                *(acts, acts and foreign, begun, _within(word, owned), stops, foreign and stem in self._stems),
            )
        return rows

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The stems of all that was written of the catalog's goals."""
        return frozenset(stem for name in self._catalog.goals for stem in self._texts(name).stems)

    def _texts(self, name: str) -> _Texts:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = _gather(self._catalog, self._catalog.goals[name])
        return found


def _gather(catalog: Catalog, goal: Goal) -> _Texts:
    leading = what_leads_to(catalog, goal)
    skills = [catalog.skills[name] for name in leading.skills]
    facts = [catalog.facts[name] for name in (*leading.facts, *goal.facts)]
    facts += [fact for fact in catalog.facts.values() if set(fact.value.ends) & {one.name for one in facts}]
    own = [goal.label, goal.name.replace("_", " "), *goal.examples]
    beside = [goal.description, goal.done or ""]
    beside += [said for skill in skills for said in (skill.label, skill.description)]
    beside += [said for fact in facts for said in (fact.label, fact.description, fact.ask or "", fact.value.noun)]
    beside += [said for fact in facts for said in fact.examples]
    listed = [[word.text for word in words_in(fold(text))] for text in (*own, *beside)]
    stemmed = [["^", *(base_stem_of(word.removesuffix("'s")) for word in words), "$"] for words in listed]
    mine = (word for words in listed[: len(own)] for word in words if word.isalpha() and word not in FUNCTION_WORDS)
    return _Texts(
        frozenset(stem for stems in stemmed for stem in stems),
        frozenset(word for words in listed for word in words),
        frozenset(pair for stems in stemmed for pair in pairwise(stems)),
        frozenset(
            base_stem_of(words[denied].text)
            for text in (*own, *beside)
            for words in (words_in(fold(text)),)
            for _, denied in _denied_in(text, words)
        ),
        tuple(dict.fromkeys(mine)),
        any(skill.effect is not Effect.NONE for skill in skills),
    )


def _denied_in(text: str, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield where a word denies, and where the word stands that says what is denied: the next that says something.

    It stands near, in the same part of a sentence, and not in one that only tells.
    """
    denying = [at for at, word in enumerate(words) if word.text in _DENYING]
    aside = list(told(fold(text))) if denying else []
    for at in denying:
        if not _within(words[at], aside):
            after = (one for one in range(at + 1, min(at + 4, len(words))) if words[one].text not in _BETWEEN_DENIED)
            denied = next(after, None)
            if denied is not None and _STOPS.isdisjoint(text[words[at].end : words[denied].start]):
                yield at, denied


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


def _owned(catalog: Catalog, text: str, meaning: Interpretation, goals: Sequence[Intent]) -> list[tuple[int, int]]:
    """List what has an owner: values, references, preferences, how a letter begins and ends, what is asked for next."""
    spans = [value.span for value in meaning.values]
    for goal in (*meaning.goals, *goals):
        spans += [value.span for value in goal.values] + [reference.span for reference in goal.references]
    if meaning.preference is not None:
        spans.append(meaning.preference.span)
    owned = [(span.start, span.end) for span in spans]
    return [*owned, *politeness(text, fold(text)), *_asked_for_next(catalog, text, goals)]


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


def _within(word: Word, places: Sequence[tuple[int, int]]) -> bool:
    return any(start < word.end and word.start < end for start, end in places)


def _around(place: int, goals: Sequence[Intent]) -> Sequence[Intent]:
    """Return the requests that a word may be said for: those around it, or else all."""
    return [goal for goal in goals if goal.span.start <= place < goal.span.end] or goals


def _find_free(words: Sequence[Word], owned: Sequence[tuple[int, int]]) -> list[int]:
    """List the words that have no owner; a little word that leads to what has one ("on 5 May") has the same."""
    free = list[int]()
    for at in reversed(range(len(words))):
        leads = words[at].text in _LEADING and at + 1 < len(words) and free[-1:] != [at + 1]
        if not (leads or _within(words[at], owned)):
            free.append(at)
    return free[::-1]


def _stretches(text: str, words: Sequence[Word], likely: Matrix) -> Iterator[Unheeded]:
    """Join words that stand together and of which one is to be told of; what stands between owners does not.

    At its end are no little words but those that are to be told of.
    """
    at = 0
    while at < len(words):
        first = at
        while at < len(words) and likely[at] >= _BESIDE:
            if at > first and text[words[at - 1].end : words[at].start].strip(" '\"-"):
                break
            at += 1
        run = slice(first, max(at, first + 1))
        at = run.stop
        says = any(word.text not in _LINKING for word in words[run])
        if says and (most := float(likely[run].max())) >= TOLD:
            last = max(one for one in range(first, at) if likely[one] >= TOLD or words[one].text not in FUNCTION_WORDS)
            yield Unheeded(span=span_of(text, words[first].start, words[last].end), alters=most >= ALTERS)
