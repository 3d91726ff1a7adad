"""Options and yes or no in text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache

from pydantic import JsonValue

from catalog.values import Choice, Fault, Kind, YesNo
from catalog.values.choices import fold
from language.readers.base import Mention, Reader
from language.readers.matching import ClosedList, Known, nothing_known
from language.text.lazy_pattern import LazyPattern
from language.text.words import blank

_FIRST = LazyPattern(r"(?<!\w)(?:[^\W_]+|[^\w\s])")
"""How a word of an option may begin: with a run of letters and digits, or with a sign."""
_NEGATED = LazyPattern(
    r"(?:\b(?:not|no|never|without|except|neither|nor)|n['’]t)\s+(?:\w+\s+){0,2}$"
    r"|\b(?:(?:anything|everything|all) but|instead of|rather than|other than|apart from)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)

_NOT_WANTED = LazyPattern(
    r"(?:\b(?:not|never|without|except|neither|nor|instead of|rather than|other than|apart from)"
    r"|(?<!ca)(?<!could)(?<!does)(?<!did)(?<!wo)(?<!has)(?<!have)n['’]t)\s+"
    r"(?:(?:about|for|on|by|via|over|a|an|the|my)\s+){0,2}$|\bno\s+$",
    re.IGNORECASE,
)
"""Before an option: that it is not wanted; who "can't sign in" does want to talk of signing in."""
_YES = frozenset(
    """yes|y|yeah|yep|yup|ya|aye|sure|sure thing|ok|okay|of course|certainly|absolutely|definitely|correct|right|true
    |i do|i am|i have|i did|i will|i would|i agree|agreed|it is|it does|that is right|that's right|please do|go ahead
    |do it|fine|that is fine|that's fine|alright|all right|indeed|exactly|yes i do|yes i am|yes please|why not
    |by all means|with pleasure""".replace("\n    ", "").split("|")
)
_NO = frozenset(
    """no|n|nope|nah|never|false|i do not|i don't|i dont|i am not|i'm not|i have not|i haven't|i did not|i didn't
    |i will not|i won't|i would not|i'd rather not|i would rather not|rather not|not really|not at all|not yet|not now
    |please don't|please do not|don't|do not|it is not|it isn't|no way|incorrect|wrong|i refuse|certainly not
    |of course not|absolutely not|definitely not""".replace("\n    ", "").split("|")
)
_POLITE = LazyPattern(r"\b(?:please|thanks|thank you|thx|cheers|sir|madam)\b", re.IGNORECASE)
_UNCLEAR_WORDS = frozenset("know sure maybe perhaps but unless if problem worries idea unsure depends guess".split())
_NO_THAT_AGREES = frozenset("yes yeah yep yup ahead mind objection objections".split())
"""Words after which a no is none: "no, go ahead", "no objections"."""


class ChoiceReader(Reader[Choice]):
    """Reads options, each by its name or another word for it."""

    def find(self, kind: Choice, text: str, today: date) -> tuple[Mention, ...]:
        """Find options and their synonyms, as whole words; longer ones first."""
        found = []
        for match in _said(kind, text):
            option = kind.words.get(fold(match.group()))
            if option is None:
                continue
            negated = _NEGATED.search(text[max(0, match.start() - 40) : match.start()])
            unsure = Fault("not_wanted", {"value": match.group()}) if negated else None
            found.append(Mention(match.start(), match.end(), match.group(), (option,), unsure))
        return tuple(found)

    def read(self, kind: Choice, text: str, today: date) -> JsonValue:
        """Take the one option that is said; of a misspelt one, name the nearest, but do not take it."""
        if kind.accepts(text):
            return kind.check(text)
        if not self.find(kind, text, today):
            raise kind.unreadable("none_said", near=kind.nearest(text))
        return super().read(kind, text, today)


def find_nearest(kind: Kind, text: str, known: Known = nothing_known) -> tuple[Mention, ...]:
    """Find the option that words come nearest to: the literal one first; several where it is unclear which.

    `known` returns whether a word is right as it is, and hence no misspelling of another.
    """
    rest, denied = text, None
    for _ in range(4):
        mentions = tuple(replace(m, text=text[m.start : m.end]) for m in _nearest_in(kind, rest, known))
        negated = [m for m in mentions if _NOT_WANTED.search(text[max(0, m.start - 40) : m.start])]
        if not negated:
            break
        denied = denied or negated[0]
        rest = blank(rest, [(mention.start, mention.end) for mention in negated])
    if denied is None or mentions:
        return mentions
    return (replace(denied, unsure=Fault("not_wanted", {"value": denied.text})),)


class YesNoReader(Reader[YesNo]):
    def read(self, kind: YesNo, text: str, today: date) -> JsonValue:
        """Take what is plainly a yes or plainly a no, possibly with more said after a comma."""
        plain = " ".join(re.sub(r"[^\w']+", " ", _POLITE.sub(" ", text.replace("’", "'"))).casefold().split())
        if plain in _YES or plain in _NO:
            return plain in _YES
        words = plain.split()
        if words and not _UNCLEAR_WORDS & set(words):
            yes = words[0] in {"yes", "yeah", "yep", "yup"}
            no = words[0] in {"no", "nope", "nah"}
            rest = set(words[1:])
            negative = any(word in {"no", "not", "nope", "never"} or word.endswith("n't") for word in rest)
            if yes and not negative:
                return True
            if no and not rest & _NO_THAT_AGREES:
                return False
        raise kind.unreadable("neither_yes_nor_no", value=text)


def _said(kind: Choice, text: str) -> Iterator[re.Match[str]]:
    """Find words of options; only those are tried that begin as the text does at a place."""
    forms = _forms_of(kind)
    end = 0
    for first in _FIRST.finditer(text):
        pattern = forms.get(first.group().casefold()) if first.start() >= end else None
        match = pattern.match(text, first.start()) if pattern else None
        if match:
            end = match.end()
            yield match


@lru_cache(maxsize=512)
def _forms_of(kind: Choice) -> dict[str, re.Pattern[str]]:
    """Map the first word of each option's words to a pattern for all that begin so, the longest first."""
    words: dict[str, list[str]] = {}
    for word in sorted(kind.words, key=len, reverse=True):
        first = _FIRST.match(word)
        words.setdefault(first.group() if first else word, []).append(word)
    forms = {
        first: "|".join(r"[\s_-]+".join(map(re.escape, word.split())) or re.escape(word) for word in begun)
        for first, begun in words.items()
    }
    return {first: re.compile(rf"(?:{form})(?!\w)", re.IGNORECASE) for first, form in forms.items()}


def _nearest_in(kind: Kind, text: str, known: Known) -> tuple[Mention, ...]:
    plain, vague = _lists_of(kind)
    found = plain.matches(text, known) or (vague.matches(text, known) if vague else [])
    options = tuple(dict.fromkeys(match.item for match in found))
    return tuple(
        Mention(
            match.start,
            match.end,
            said := text[match.start : match.end],
            (match.item,),
            Fault("could_be", {"value": said, "said": options}) if len(options) > 1 else None,
        )
        for match in found
    )


@lru_cache(maxsize=512)
def _lists_of(kind: Kind) -> tuple[ClosedList, ClosedList | None]:
    """Return the options that are meant whatever else is said, and apart from them the vague ones."""
    plain = {option: words for option, words in kind.declared_options.items() if option not in kind.vague_options}
    vague = {option: words for option, words in kind.declared_options.items() if option in kind.vague_options}
    return ClosedList(plain), ClosedList(vague) if vague else None
