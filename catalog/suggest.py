"""Suggest mappings: facts of different authors that may be the same thing, for a person to accept.

Nothing is ever mapped because it was suggested. A suggestion would help: what it stands for is taken by some skill, and
no skill, event or mapping gives it. And it is safe as far as can be told without understanding: values are of the same
sort, what is sensitive stays so, and the two are never used side by side, which only different things are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from rapidfuzz import fuzz

from catalog.checks.attainable import can_be_asked
from catalog.fitting import can_fit
from catalog.model import Catalog, Fact

LEAST = 0.3
"""The score, of at most 1, from which on a pair is suggested."""
MOST_FOR_ONE = 3
"""Suggestions for one fact, the best ones."""
_NAMES, _TEXTS, _KINDS = 0.45, 0.3, 0.25
_TELLING = {"email": 1.0, "phone": 1.0, "person_name": 1.0, "address": 1.0, "date": 0.5, "money": 0.5}
"""How much it tells that two facts share a kind: of some, a person mostly has one value. Others tell little."""
_LITTLE = 0.4
_OTHER_KIND = 0.6
"""What is left of a score where values are of different kinds, though one might be one of the other."""
_EMPTY_WORDS = frozenset("a an the of for to in on at is and or s your my this that which no number value data".split())
_KIND_WORDS = {
    "email": frozenset(("email", "mail", "address")),
    "phone": frozenset(("phone", "telephone")),
    "person_name": frozenset(("name",)),
    "address": frozenset(("address",)),
    "date": frozenset(("date", "day")),
    "money": frozenset(("amount", "price", "cost", "sum")),
}
"""Words that only say again of which kind a value is: two dates are not the same because both are called dates."""
_ALIKE = 0.3
"""From where on descriptions are said to be alike."""
_SPELT_ALIKE = 0.8
"""From where on two words are taken for one."""
_BARE, _PART = 0.75, 0.85
"""How alike names are of which one says no more than the kind, or of which one has all the words of the other."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A mapping that may be right, how much speaks for it (up to 1), and what."""

    fact: str
    stands_for: str
    score: float
    reason: str

    def as_yaml(self) -> str:
        """Write it as an entry of `mappings`, ready to be pasted and to be given a reason."""
        names = (json.dumps(name, ensure_ascii=False) for name in (self.fact, self.stands_for))
        fact, stands_for = (text if _needs_quotes(text) else text[1:-1] for text in names)
        return f'- {{fact: {fact}, stands_for: {stands_for}, because: ""}}'


def suggest_mappings(catalog: Catalog, least: float = LEAST) -> tuple[Suggestion, ...]:
    """Suggest mappings, the likeliest first; for no fact more than a few."""
    pairs = list(_candidates(catalog))
    if not pairs:
        return ()
    alike = _compare_texts(catalog, pairs)
    found = [_judge(catalog, source, target, text) for (source, target), text in zip(pairs, alike, strict=True)]
    found = sorted((one for one in found if one.score >= least), key=lambda one: -one.score)
    kept: list[Suggestion] = []
    for one in found:
        turned = any({one.fact, one.stands_for} == {other.fact, other.stands_for} for other in kept)
        if not turned and sum(other.stands_for == one.stands_for for other in kept) < MOST_FOR_ONE:
            kept.append(one)
    return tuple(kept)


def _candidates(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """List the pairs that would help and could be right; of two ways round, first the one from what can be had."""
    modes = [mode for skill in catalog.skills.values() for mode in skill.modes.values()]
    taken = {fact for mode in modes for fact in (*mode.inputs, *mode.optional)}
    given = {below for fact in _given(catalog) for below in (fact, *catalog.supertypes(fact))}
    mapped = {frozenset((mapping.fact, mapping.stands_for)) for mapping in catalog.mappings}
    apart = mapped | {frozenset(pair) for group in _used_together(catalog) for pair in combinations(group, 2)}
    had = sorted(catalog.facts, key=lambda fact: fact not in given and not can_be_asked(catalog.facts[fact]))
    for source, target in product(had, [fact for fact in catalog.facts if fact in taken - given]):
        related = source in catalog.supertypes(target) or target in catalog.supertypes(source)
        used = source in given or source in taken
        if used and not related and frozenset((source, target)) not in apart and _is_safe(catalog, source, target):
            yield source, target


def _given(catalog: Catalog) -> set[str]:
    made = {f for s in catalog.skills.values() for m in s.modes.values() for o in m.outcomes.values() for f in o.facts}
    carried = {fact for trigger in catalog.triggers.values() for fact in trigger.facts}
    return made | carried | {mapping.stands_for for mapping in catalog.mappings}


def _used_together(catalog: Catalog) -> Iterator[Sequence[str]]:
    """List facts that are used side by side, and so are not the same.

    They are taken or given by one call, wanted at once, or of one group of which there are several instances.
    Facts that one skill takes in different modes are different too: they are different ways of telling it.
    """
    for skill in catalog.skills.values():
        modes = skill.modes.values()
        yield sorted({fact for mode in modes for fact in (*mode.inputs, *mode.optional)})
        for mode in modes:
            for outcome in mode.outcomes.values():
                yield sorted({*mode.inputs, *mode.optional, *outcome.facts})
    for goal in catalog.goals.values():
        yield goal.facts
    for name in catalog.instances:
        yield [fact for fact, origin in catalog.origins.items() if origin.group == name]


def _is_safe(catalog: Catalog, source: str, target: str) -> bool:
    sensitive = any(map(catalog.is_sensitive, catalog.subtypes[source]))
    first, second = catalog.facts[source].value, catalog.facts[target].value
    return (not sensitive or catalog.is_sensitive(target)) and can_fit(first, second)


def _judge(catalog: Catalog, source: str, target: str, texts: float) -> Suggestion:
    first, second = catalog.facts[source], catalog.facts[target]
    same = first.value.kind == second.value.kind
    plain = _KIND_WORDS.get(first.value.kind, frozenset()) if same else frozenset()
    names = max(_compare_names(a, b, plain) for a, b in product((source, first.label), (target, second.label)))
    kinds = _TELLING.get(first.value.kind, _LITTLE) if same else 0.0
    score = (_NAMES * names + _TEXTS * texts + _KINDS * kinds) * (1.0 if same else _OTHER_KIND)
    return Suggestion(source, target, round(score, 2), _put_reason(first, second, names, texts, same=same))


def _put_reason(first: Fact, second: Fact, names: float, texts: float, *, same: bool) -> str:
    shared = sorted(_words(f"{first.name} {first.label}") & _words(f"{second.name} {second.label}"))
    said = [f"both are called “{' '.join(shared)}”"] if shared else ["their names are alike"] if names > 0 else []
    said += [f"both have values of the kind {first.value.kind}"] if same else []
    said += ["their descriptions are alike"] if texts >= _ALIKE else []
    gives = "nothing but a question gives" if can_be_asked(second) else "nothing gives"
    return f"{', '.join(said) or 'their texts have something in common'}; {gives} “{second.label}”"


def _compare_names(first: str, second: str, plain: frozenset[str]) -> float:
    """Compare names by their words, leaving out `plain` ones, which go without saying; misspelt ones count less."""
    one, other = _words(first), _words(second)
    if one == other:
        return 1.0
    one, other = one - plain, other - plain
    if not one or not other:
        return _BARE
    if one <= other or other <= one:
        return _PART
    best = [max(fuzz.ratio(word, twin) for twin in other) / 100 for word in one]
    best += [max(fuzz.ratio(word, twin) for twin in one) / 100 for word in other]
    return sum(value for value in best if value >= _SPELT_ALIKE) / len(best)


def _words(text: str) -> set[str]:
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    words = {word for word in re.split(r"[\W_]+", split.casefold().replace("e-mail", "email")) if word}
    return (words - _EMPTY_WORDS) or words


def _compare_texts(catalog: Catalog, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Compare what facts are described as, by TF-IDF over words and parts of words."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    place = {name: number for number, name in enumerate(names)}
    texts = [" ".join(sorted(_words(_describe(catalog.facts[name])))) for name in names]
    weighed: list[Any] = [
        TfidfVectorizer(tokenizer=str.split, token_pattern=None, sublinear_tf=True).fit_transform(texts),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), sublinear_tf=True).fit_transform(texts),
    ]
    alike = sum((matrix @ matrix.T).toarray() for matrix in weighed) / len(weighed)
    return [float(alike[place[source], place[target]]) for source, target in pairs]


def _describe(fact: Fact) -> str:
    return f"{fact.name} {fact.label} {fact.description} {fact.ask or ''}"


def _needs_quotes(text: str) -> bool:
    return re.fullmatch(r'"[A-Za-z][A-Za-z0-9_]*"', text) is None or text.strip('"') in ("true", "false", "null")
