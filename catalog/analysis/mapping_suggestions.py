"""Suggest mappings: facts of different authors that may be the same thing, for a person to accept.

Nothing is ever mapped because it was suggested. A suggestion would help: what it stands for is taken by some skill, and
no skill, event or mapping gives it. And it is safe as far as can be told without understanding: values are of the same
sort, what is sensitive stays so, and the two are never used side by side, which only different things are.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any

from rapidfuzz import fuzz, process

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog, Fact
from catalog.values import Kind

SPELT_ALIKE = 0.8
"""From where on two words are taken for one."""
_AT_ONCE = 500
"""Facts whose texts are compared with all others at once: so many, because of the room that takes."""
_EMPTY_WORDS = frozenset("a an the of for to in on at is and or s your my this that which no number value data".split())


@lru_cache(maxsize=100_000)
def words_of(text: str) -> frozenset[str]:
    """List the words of a text that say something; all of them if none does."""
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    words = frozenset(word for word in re.split(r"[\W_]+", split.casefold().replace("e-mail", "email")) if word)
    return (words - _EMPTY_WORDS) or words


def names_of(fact: Fact) -> tuple[frozenset[str], frozenset[str]]:
    """List the words of what a fact is called here, and of what people call it."""
    return words_of(fact.name), words_of(fact.label)


def find_near(
    sources: Sequence[Fact], targets: Sequence[Fact], is_bare: Callable[[Fact], bool], enough: float
) -> Iterator[tuple[str, str, float]]:
    """Find the pairs that are worth a comparison, in order, with how alike their texts are.

    They share a word, or their texts are alike enough without that. What is bare, called by nothing but words that say
    its kind, is compared with all that is of its kind.
    """
    if not sources or not targets:
        return
    named: dict[str, list[int]] = defaultdict(list)
    of_kind: dict[str, list[int]] = defaultdict(list)
    bare_of_kind: dict[str, list[int]] = defaultdict(list)
    for place, target in enumerate(targets):
        of_kind[target.value.kind].append(place)
        if is_bare(target):
            bare_of_kind[target.value.kind].append(place)
        for word in frozenset().union(*names_of(target)):
            named[word].append(place)
    known = tuple(named)

    @cache
    def twins(word: str) -> tuple[str, ...]:
        """List the known words that are spelt like a word, itself among them if it is known."""
        found = process.extract_iter(word, known, scorer=fuzz.ratio, score_cutoff=100 * SPELT_ALIKE)
        return tuple(twin for twin, _, _ in found)

    for source, alike in zip(sources, _compare_texts(sources, targets), strict=True):
        near = {int(place) for place in (alike >= enough).nonzero()[0]}
        near.update((of_kind if is_bare(source) else bare_of_kind)[source.value.kind])
        for word in frozenset().union(*names_of(source)):
            for twin in twins(word):
                near.update(named[twin])
        for place in sorted(near):
            yield source.name, targets[place].name, float(alike[place])


def _compare_texts(sources: Sequence[Fact], targets: Sequence[Fact]) -> Iterator[Any]:
    """Compare what facts are described as, by TF-IDF over words and parts of words; a row for each of the first."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    facts = {fact.name: fact for fact in (*sources, *targets)}
    place = {name: number for number, name in enumerate(facts)}
    texts = [" ".join(sorted(words_of(_describe(fact)))) for fact in facts.values()]
    weighed: list[Any] = [
        TfidfVectorizer(tokenizer=str.split, token_pattern=None, sublinear_tf=True).fit_transform(texts),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), sublinear_tf=True).fit_transform(texts),
    ]
    against = [matrix[[place[target.name] for target in targets]].T.tocsr() for matrix in weighed]
    for start in range(0, len(sources), _AT_ONCE):
        rows = [place[source.name] for source in sources[start : start + _AT_ONCE]]
        both = zip(weighed, against, strict=True)
        yield from sum((matrix[rows] @ other).toarray() for matrix, other in both) / len(weighed)


def _describe(fact: Fact) -> str:
    return f"{fact.name} {fact.label} {fact.description} {fact.ask or ''}"


LEAST = 0.3
"""The score, of at most 1, from which on a pair is suggested."""
MOST_FOR_ONE = 3
"""Suggestions for one fact, the best ones."""
_NAMES, _TEXTS, _KINDS = 0.45, 0.3, 0.25
_OTHER_KIND = 0.6
"""Factor for a score where values are of different kinds, though a value of one may be a value of the other."""
_ALIKE = 0.3
"""From where on descriptions are said to be alike."""
_BARE, _PART = 0.75, 0.85
"""Similarity of names where one says no more than the kind, or contains all the words of the other."""


@dataclass(frozen=True, slots=True)
class MappingSuggestion:
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


def suggest_mappings(catalog: Catalog, least: float = LEAST) -> tuple[MappingSuggestion, ...]:
    """Suggest mappings, the likeliest first; for no fact more than a few."""
    facts = catalog.facts
    found = []
    for source, target, texts in _candidates(catalog, least):
        score, names = _judge(facts[source], facts[target], texts)
        if score >= least:
            found.append((score, source, target, names, texts))
    found.sort(key=lambda one: -one[0])
    kept: list[MappingSuggestion] = []
    taken: set[tuple[str, str]] = set()
    times: Counter[str] = Counter()
    for score, source, target, names, texts in found:
        if (target, source) not in taken and times[target] < MOST_FOR_ONE:
            taken.add((source, target))
            times[target] += 1
            kept.append(
                MappingSuggestion(source, target, score, _put_reason(facts[source], facts[target], names, texts))
            )
    return tuple(kept)


def _candidates(catalog: Catalog, least: float) -> Iterator[tuple[str, str, float]]:
    """List the pairs that would help and could be right, with how alike their texts are.

    Of two ways round, first the one from what can be had.
    """
    taken = {fact for skill in catalog.skills.values() for fact in skill.takes}
    given = {below for fact in _given(catalog) for below in (fact, *catalog.supertypes(fact))}
    had = sorted(catalog.facts, key=lambda fact: fact not in given and not can_be_asked(catalog.facts[fact]))
    sources = [fact for fact in had if fact in given or fact in taken]
    targets = [fact for fact in catalog.facts if fact in taken - given]
    uses = _uses(catalog)
    mapped = {frozenset((mapping.fact, mapping.stands_for)) for mapping in catalog.mappings}
    enough = (least - _KINDS) / _TEXTS - 0.05  # what is less alike needs a word in common, whatever its kind
    near = find_near([catalog.facts[f] for f in sources], [catalog.facts[f] for f in targets], _is_bare, enough)
    for source, target, texts in near:
        related = source in catalog.supertypes(target) or target in catalog.supertypes(source)
        apart = related or frozenset((source, target)) in mapped or not uses[source].isdisjoint(uses[target])
        if not apart and _is_safe(catalog, source, target):
            yield source, target, texts


def _given(catalog: Catalog) -> set[str]:
    made = {fact for skill in catalog.skills.values() for fact in skill.gives}
    carried = {fact for trigger in catalog.triggers.values() for fact in trigger.facts}
    return made | carried | {mapping.stands_for for mapping in catalog.mappings}


def _uses(catalog: Catalog) -> Mapping[str, set[int]]:
    """Number the places where facts are used, for each fact: those that share one are not the same."""
    uses: dict[str, set[int]] = defaultdict(set)
    for number, facts in enumerate(_used_together(catalog)):
        for fact in facts:
            uses[fact].add(number)
    return uses


def _used_together(catalog: Catalog) -> Iterator[Iterable[str]]:
    """List facts that are used side by side, and so are not the same.

    They are taken or given by one call, wanted at once or one instead of the other, or of one group of which there are
    several instances. Facts that one skill takes in different modes are different too: they are different ways of
    telling it.
    """
    for skill in catalog.skills.values():
        yield skill.takes
        for mode in skill.modes.values():
            for outcome in mode.outcomes.values():
                yield (*mode.takes, *outcome.facts)
    for goal in catalog.goals.values():
        yield goal.all_facts
    for name in catalog.instances:
        yield (fact for fact, origin in catalog.origins.items() if origin.group == name)


def _is_safe(catalog: Catalog, source: str, target: str) -> bool:
    alike = {catalog.is_sensitive(fact) for fact in (*catalog.subtypes[source], target)}
    first, second = catalog.facts[source].value, catalog.facts[target].value
    return len(alike) == 1 and first.can_become(second) and not _are_other(first, second)


def _are_other(first: Kind, second: Kind) -> bool:
    """Return whether two closed lists are about different things: most of what one offers, the other does not know."""
    if not (first.declared_options and second.declared_options):
        return False
    return 2 * sum(map(second.accepts, first.declared_options)) < min(
        len(first.declared_options), len(second.declared_options)
    )


def _judge(first: Fact, second: Fact, texts: float) -> tuple[float, float]:
    """Return the score of a pair, and how alike the names are."""
    same = first.value.kind == second.value.kind
    plain = first.value.name_words if same else frozenset()
    names = max(_compare_names(a, b, plain) for a, b in product(names_of(first), names_of(second)))
    kinds = (1.0 if first.value.personal else 0.5 if first.value.name_words else 0.4) if same else 0.0
    score = (_NAMES * names + _TEXTS * texts + _KINDS * kinds) * (1.0 if same else _OTHER_KIND)
    return round(score, 2), names


def _is_bare(fact: Fact) -> bool:
    return any(words <= fact.value.name_words for words in names_of(fact))


def _put_reason(first: Fact, second: Fact, names: float, texts: float) -> str:
    shared = sorted(words_of(f"{first.name} {first.label}") & words_of(f"{second.name} {second.label}"))
    said = [f"both are called “{' '.join(shared)}”"] if shared else ["their names are alike"] if names > 0 else []
    said += [f"both have values of the kind {first.value.kind}"] if first.value.kind == second.value.kind else []
    said += ["their descriptions are alike"] if texts >= _ALIKE else []
    gives = "nothing but a question gives" if can_be_asked(second) else "nothing gives"
    return f"{', '.join(said) or 'their texts have something in common'}; {gives} “{second.label}”"


def _compare_names(one: frozenset[str], other: frozenset[str], plain: frozenset[str]) -> float:
    """Compare names by their words, leaving out `plain` ones, which go without saying; misspelt ones count less."""
    if one == other:
        return 1.0
    one, other = one - plain, other - plain
    if not one or not other:
        return _BARE
    if one <= other or other <= one:
        return _PART
    best = [max(fuzz.ratio(word, twin) for twin in other) / 100 for word in one]
    best += [max(fuzz.ratio(word, twin) for twin in one) / 100 for word in other]
    return sum(value for value in best if value >= SPELT_ALIKE) / len(best)


def _needs_quotes(text: str) -> bool:
    return re.fullmatch(r'"[A-Za-z][A-Za-z0-9_]*"', text) is None or text.strip('"') in ("true", "false", "null")
