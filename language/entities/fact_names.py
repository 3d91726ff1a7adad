"""The names of facts: which fact do words such as "my score" mean, and is a value said right beside its name?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from catalog.model import Catalog, Fact
from language.entities.instances import names_of_instance
from language.text.morphology import likeness, stem
from language.text.words import FUNCTION_WORDS, fold, words_in

_KIND_NAMES = {
    "email": ("e-mail", "e-mail address", "mail address"),
    "phone": ("phone", "phone number", "telephone number", "mobile number", "cell number"),
    "person_name": ("name", "full name"),
    "address": ("address", "home address", "postal address"),
}
"""What people call a fact of a kind, whatever its label, where a catalog has but one of the kind."""

_SAME_THING = {"photo": "picture", "image": "picture", "scan": "picture", "photograph": "picture", "telephone": "phone"}
_MARGIN = 0.12
"""By how much a fact must fit better than the next to be meant without further evidence."""


class FactNames:
    """The names that each fact of a catalog goes by."""

    def __init__(self, catalog: Catalog) -> None:
        kinds = [fact.value.kind for fact in catalog.facts.values()]
        self._names = {
            name: tuple(dict.fromkeys(_names(fact, alone=kinds.count(fact.value.kind) == 1)))
            for name, fact in catalog.facts.items()
        }
        for name in catalog.origins.keys() & catalog.facts.keys():
            self._names[name] = tuple(dict.fromkeys((*self._names[name], *names_of_instance(catalog, name))))
        for fact, name in _said_names(catalog, self._names):
            self._names[fact] = (*self._names[fact], name)
        self._leads = {name: tuple(_leads(fact)) for name, fact in catalog.facts.items()}
        self._stems = {
            fact: tuple(stems for name in names if (stems := _stems(name))) for fact, names in self._names.items()
        }
        self._patterns = {fact: "|".join(map(_pattern, names)) for fact, names in self._names.items()}
        self._before = {
            fact: re.compile(
                rf"\b(?P<name>{pattern})"
                r"(?:\s*(?:is now|is|'s|:|=|should be|would be|will be|has changed to|changed to|to))?"
                r"(?:\s+(?:now|actually|about|around|roughly|exactly|approximately|of|at|this|a|an|the))*[\s:\"(]*\Z"
            )
            for fact, pattern in self._patterns.items()
        }
        self._after = {
            fact: re.compile(
                rf"[\s\")]*(?:(?:is|as|for)\s+|,\s*)?(?:(?:my|the|our)\s+)(?:new\s+)?(?P<name>{pattern})\b"
            )
            for fact, pattern in self._patterns.items()
        }
        self._right_after = {
            fact: re.compile(rf"(?:\s+(?:dollars?|usd|euros?|bucks))?\s+(?P<name>{pattern})\b")
            for fact, pattern in self._patterns.items()
        }

    def of(self, fact: str) -> tuple[str, ...]:
        """Give the names of a fact."""
        return self._names[fact]

    def pattern(self, fact: str) -> str:
        """Give the expression for any name of a fact, as it stands in folded text."""
        return self._patterns[fact]

    def leads(self, fact: str) -> tuple[re.Pattern[str], ...]:
        """Give the openings of a fact's examples, where they are words that lead to its value: "I work for"."""
        return self._leads[fact]

    def names_before(self, fact: str, folded: str, at: int) -> re.Match[str] | None:
        """Find the fact's name right before a place: "my e-mail is …"."""
        return self._before[fact].search(folded, max(0, at - 120), at)

    def names_after(self, fact: str, folded: str, at: int) -> re.Match[str] | None:
        """Find the fact's name right after a place: "… is my e-mail"."""
        return self._after[fact].match(folded, at)

    def names_right_after(self, fact: str, folded: str, at: int) -> re.Match[str] | None:
        """Find the fact's name after a place with nothing between: "20k deposit"."""
        return self._right_after[fact].match(folded, at)

    def resolve(
        self, phrase: str, among: Collection[str] | None = None, prefer: Iterable[Collection[str]] = ()
    ) -> str | None:
        """Tell which fact a phrase names, or None when none does, or two do and nothing tells them apart.

        `prefer` lists groups of facts: where several fit alike, the first group that holds exactly one decides.
        """
        said = _stems(phrase)
        if not said:
            return None
        scores = {
            fact: score
            for fact, names in self._stems.items()
            if (among is None or fact in among) and (score := max((_fit(said, name) for name in names), default=0.0))
        }
        if not scores:
            return None
        best = max(scores.values())
        near = [fact for fact, score in scores.items() if score >= best - _MARGIN]
        exact = [fact for fact in near if scores[fact] >= 0.99]
        if len(exact) == 1 or len(near) == 1:
            return (exact or near)[0]
        for group in prefer:
            chosen = [fact for fact in near if fact in group]
            if len(chosen) == 1:
                return chosen[0]
        return None


def _names(fact: Fact, *, alone: bool) -> Iterable[str]:
    spaced = fact.name.replace("_", " ")
    yield from (fact.label, spaced)
    for name in (fact.label, spaced):
        words = [word.text for word in words_in(name.lower()) if word.text not in FUNCTION_WORDS]
        if len(words) >= 3:
            yield "".join(word[0] for word in words)
    if alone:
        yield from _KIND_NAMES.get(fact.value.kind, ())


_SAID_NAME = re.compile(
    r"\b(?:my|our|the) (?P<name>[a-z][a-z -]{1,29}?) (?:is|are) (?!for\b|to\b|in\b|on\b|from\b|a\b)"
)
_LEAD = re.compile(
    r"(?:i|we)(?:'m|'ve| am| have| are)?(?P<rest> (?:[a-z]+ ){1,3}?(?:for|at|as|to|in|by|from|with))(?= )"
)

_LEAD_TO_PLACE = re.compile(r"(?:i|we)(?:'m|'re| am| are)?(?P<rest> [a-z]+)(?= \d)")


def _said_names(catalog: Catalog, names: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Find names that only the examples give: "salary", from "my salary is 50k"; none that two facts share."""
    found = {
        (fact.name, match["name"])
        for fact in catalog.facts.values()
        for example in fact.examples
        for match in _SAID_NAME.finditer(fold(example))
    }
    taken = {stems: fact for fact, known in names.items() for stems in map(_stems, known)}
    return sorted(
        (fact, name)
        for fact, name in found
        if _stems(name) and _stems(name) not in taken and not any(n == name and f != fact for f, n in found)
    )


def _leads(fact: Fact) -> Iterable[re.Pattern[str]]:
    """Find how the examples of a fact of free words lead to its value."""
    if fact.value.free_text and not fact.value.name_part:
        for example in fact.examples:
            place = _LEAD_TO_PLACE.match(fold(example)) if fact.value.is_place else None
            if match := _LEAD.match(fold(example)) or place:
                rest, number = re.escape(match["rest"]), r"(?=\d)" if place else ""
                yield re.compile(rf"\b(?:i|we)(?:'m|'re|'ve|'ll| am| are| have| will| now)*{rest}\s+{number}")


def _pattern(name: str) -> str:
    """Match a name however its words are joined: "e-mail", "e mail" and "email" alike."""
    parts = [part for part in re.split(r"[\W_]+", name.lower()) if part]
    joined = r"[\s_'-]*".join(re.escape(part) for part in parts)
    return rf"(?:{joined}s?)" if joined else r"(?!)"


@lru_cache(maxsize=4_096)
def _stems(phrase: str) -> tuple[str, ...]:
    words = [w.text for w in words_in(re.sub(r"\be[\s-]mail", "email", phrase.lower().replace("_", " ")))]
    content = [word for word in words if word not in FUNCTION_WORDS]
    return tuple(dict.fromkeys(stem(_SAME_THING.get(word, word)) for word in content))


def _fit(said: tuple[str, ...], name: tuple[str, ...]) -> float:
    """Compare words said with a name; 0 unless one accounts for all of the other."""
    of_said = sum(max(likeness(word, other) for other in name) for word in said) / len(said)
    of_name = sum(max(likeness(other, word) for word in said) for other in name) / len(name)
    return (of_said + of_name) / 2 if max(of_said, of_name) >= 0.75 and min(of_said, of_name) >= 0.3 else 0.0
