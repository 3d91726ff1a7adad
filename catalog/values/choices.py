"""One of a few: declared options, and yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue, field_validator, model_validator
from rapidfuzz import fuzz, process

from catalog.values.base import Kind, Mention, Unfit, listed, shortened
from catalog.values.matching import ClosedList, Known, nothing_known
from catalog.values.words import Pattern

Option = Annotated[str, Field(min_length=1, max_length=100)]

_FIRST = re.compile(r"(?<!\w)(?:[^\W_]+|[^\w\s])")
"""How a word of an option may begin: with a run of letters and digits, or with a sign."""
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|without|except|neither|nor)|n['’]t)\s+(?:\w+\s+){0,2}$"
    r"|\b(?:(?:anything|everything|all) but|instead of|rather than|other than|apart from)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)

_NOT_WANTED = re.compile(
    r"(?:\b(?:not|never|without|except|neither|nor|instead of|rather than|other than|apart from)"
    r"|(?<!ca)(?<!could)(?<!does)(?<!did)(?<!wo)(?<!has)(?<!have)n['’]t)\s+"
    r"(?:(?:about|for|on|by|via|over|a|an|the|my)\s+){0,2}$|\bno\s+$",
    re.IGNORECASE,
)
"""Before an option: that it is not wanted; who "can't sign in" does want to talk of signing in."""
_YES = frozenset(
    """yes|y|yeah|yep|yup|ya|aye|sure|sure thing|ok|okay|of course|certainly|absolutely|definitely|correct|right|true
    |i do|i am|i have|i did|i will|i would|i agree|agreed|it is|it does
    |that is right|that's right|that’s right|please do
    |go ahead|do it|fine|that is fine|that's fine|that’s fine|alright|all right|indeed|exactly|yes i do|yes i am
    |yes please|why not|by all means|with pleasure""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_NO = frozenset(
    """no|n|nope|nah|never|false|i do not|i don't|i don’t|i dont|i am not|i'm not|i’m not|i have not|i haven't
    |i haven’t|i did not|i didn't|i didn’t|i will not|i won't|i won’t|i would not|i'd rather not|i’d rather not
    |i would rather not|rather not|not really|not at all|not yet|not now|please don't|please don’t|please do not|don't
    |don’t|do not|it is not|it isn't|it isn’t|no way|incorrect|wrong|i refuse|certainly not|of course not
    |absolutely not|definitely not""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_POLITE = re.compile(r"\b(?:please|thanks|thank you|thx|cheers|sir|madam)\b", re.IGNORECASE)
_UNCLEAR_WORDS = frozenset("know sure maybe perhaps but unless if problem worries idea unsure depends guess".split())
_NO_THAT_AGREES = frozenset("yes yeah yep yup ahead mind objection objections".split())
"""Words after which a no is none: "no, go ahead", "no objections"."""


class Choice(Kind):
    """One of a few declared options, each of which may have synonyms."""

    kind: Literal["choice"] = "choice"
    options: Annotated[
        Mapping[Option, tuple[Option, ...]],
        Field(min_length=1, max_length=200, description="Each option, with other words for it."),
    ]
    vague: tuple[Option, ...] = Field(
        default=(), max_length=200, description="Options that are meant only where no other one is said."
    )
    besides: Pattern | None = Field(
        default=None, description="A form of other values that it may have: what skills give, such as a report's name."
    )
    noun: ClassVar[str] = "option"

    @field_validator("options", mode="before")
    @classmethod
    def _from_list(cls, options: Any) -> Any:
        """Take a plain list of options, and one synonym without a list."""
        if isinstance(options, list | tuple):
            return {str(option): () for option in options}
        if isinstance(options, Mapping):
            return {
                key: () if words is None else (words,) if isinstance(words, str) else words
                for key, words in options.items()
            }
        return options

    @model_validator(mode="after")
    def _no_word_for_two(self) -> Choice:
        seen: dict[str, str] = {}
        for option, synonyms in self.options.items():
            for word in {_folded(option), *map(_folded, synonyms)}:
                if seen.setdefault(word, option) != option:
                    raise Unfit(
                        f"{shortened(word)!r} stands for both {seen[word]!r} and {option!r}.",
                        "Keep it for one of them.",
                    )
        for option in self.vague:
            if option not in self.options:
                raise Unfit(f"{shortened(option)!r} is to be vague, and is no option.", "Name one of the options.")
        return self

    @cached_property
    def _words(self) -> dict[str, str]:
        """Map every word, folded, to its option."""
        return {_folded(w): option for option, synonyms in self.options.items() for w in (option, *synonyms)}

    @cached_property
    def _by_first(self) -> dict[str, re.Pattern[str]]:
        """Map the first word of each word to a pattern for all that begin so, the longest first."""
        words: dict[str, list[str]] = {}
        for word in sorted(self._words, key=len, reverse=True):
            first = _FIRST.match(word)
            words.setdefault(first.group() if first else word, []).append(word)
        forms = {
            first: "|".join(r"[\s_-]+".join(map(re.escape, word.split())) or re.escape(word) for word in begun)
            for first, begun in words.items()
        }
        return {first: re.compile(rf"(?:{form})(?!\w)", re.IGNORECASE) for first, form in forms.items()}

    @property
    def hint(self) -> str:
        """List the options."""
        return f"one of {listed(self.options, 'or', limit=12)}" if len(self.options) > 1 else next(iter(self.options))

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Return the option that a word stands for."""
        if not isinstance(value, str):
            raise self.unreadable(f"That is not text but {type(value).__name__}.")
        option = self._words.get(_folded(value))
        if option is None and self.besides is not None and self.besides.accepts(value, today):
            return value
        if option is None:
            raise self.unreadable(f"“{shortened(value)}” is not among the options.{self._nearest(value)}")
        return option

    def show(self, value: JsonValue) -> str:
        """Show the option as the catalog writes it."""
        return str(value)

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find options and their synonyms, as whole words; longer ones first."""
        found = []
        for match in self._said(text):
            option = self._words.get(_folded(match.group()))
            if option is None:
                continue
            negated = _NEGATED.search(text[max(0, match.start() - 40) : match.start()])
            unsure = f"You said what you do not want: {match.group()}." if negated else ""
            found.append(Mention(match.start(), match.end(), match.group(), (option,), unsure))
        return tuple(found)

    def _said(self, text: str) -> Iterator[re.Match[str]]:
        """Find words of options; only those are tried that begin as the text does at a place."""
        end = 0
        for first in _FIRST.finditer(text):
            pattern = self._by_first.get(first.group().casefold()) if first.start() >= end else None
            match = pattern.match(text, first.start()) if pattern else None
            if match:
                end = match.end()
                yield match

    @cached_property
    def _closed(self) -> tuple[ClosedList, ClosedList | None]:
        """Keep the options that are meant whatever else is said apart from the vague ones."""
        plain = {option: words for option, words in self.options.items() if option not in self.vague}
        vague = {option: words for option, words in self.options.items() if option in self.vague}
        return ClosedList(plain), ClosedList(vague) if vague else None

    def find_nearest(self, text: str, known: Known = nothing_known) -> tuple[Mention, ...]:
        """Find the option that words come nearest to: the literal one first; several where it is unclear which.

        `known` tells words that are right as they are, and hence no slip of the pen for another.
        """
        rest, denied = text, None
        for _ in range(4):
            mentions = tuple(replace(m, text=text[m.start : m.end]) for m in self._nearest_in(rest, known))
            negated = [m for m in mentions if _NOT_WANTED.search(text[max(0, m.start - 40) : m.start])]
            if not negated:
                break
            denied = denied or negated[0]
            for mention in negated:
                rest = rest[: mention.start] + " " * (mention.end - mention.start) + rest[mention.end :]
        if denied is None or mentions:
            return mentions
        return (replace(denied, unsure=f"You said what you do not want: {denied.text}."),)

    def _nearest_in(self, text: str, known: Known) -> tuple[Mention, ...]:
        plain, vague = self._closed
        found = plain.matches(text, known) or (vague.matches(text, known) if vague else [])
        options = tuple(dict.fromkeys(match.item for match in found))
        return tuple(
            Mention(
                match.start,
                match.end,
                said := text[match.start : match.end],
                (match.item,),
                f"“{said}” could be {listed(options, 'or')}." if len(options) > 1 else "",
            )
            for match in found
        )

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take the one option that is said; of a misspelt one, name the nearest, but do not take it."""
        if self.accepts(text):
            return self.check(text)
        if not self.find(text, today):
            raise self.unreadable(f"I found none of the options in that.{self._nearest(text)}")
        return super().read_words(text, today)

    def _nearest(self, text: str) -> str:
        nearest = process.extractOne(_folded(text), list(self._words), scorer=fuzz.ratio, score_cutoff=70)
        return f" Did you mean {self._words[nearest[0]]}?" if nearest else ""


class YesNo(Kind):
    """Yes or no."""

    kind: Literal["yes_no"] = "yes_no"
    noun: ClassVar[str] = "yes or no"

    @property
    def hint(self) -> str:
        """Say what can be answered."""
        return "yes or no"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a boolean."""
        if not isinstance(value, bool):
            raise self.unreadable(f"That is not true or false but {type(value).__name__}.")
        return value

    def show(self, value: JsonValue) -> str:
        """Show it in a word."""
        return "yes" if value else "no"

    def read_words(self, text: str, today: date) -> JsonValue:
        """Take what is plainly a yes or plainly a no, possibly with more said after a comma."""
        plain = " ".join(re.sub(r"[^\w'’]+", " ", _POLITE.sub(" ", text)).casefold().split())
        if plain in _YES or plain in _NO:
            return plain in _YES
        words = plain.split()
        if words and not _UNCLEAR_WORDS & set(words):
            yes = words[0] in {"yes", "yeah", "yep", "yup"}
            no = words[0] in {"no", "nope", "nah"}
            rest = set(words[1:])
            negative = any(word in {"no", "not", "nope", "never"} or word.endswith(("n't", "n’t")) for word in rest)
            if yes and not negative:
                return True
            if no and not rest & _NO_THAT_AGREES:
                return False
        raise self.unreadable(f"“{shortened(text)}” is neither a plain yes nor a plain no.")


def _folded(text: str) -> str:
    """Write a word so that case, spacing and hyphens make no difference."""
    return " ".join(re.sub(r"[\s_-]+", " ", text).casefold().split()) or text.strip().casefold()
