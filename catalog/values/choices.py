"""One of a few: declared options, and yes or no."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from catalog.values.base import Kind, UnfitDeclaration, nearest, shortened
from catalog.values.words import Pattern

Option = Annotated[str, Field(min_length=1, max_length=100)]


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
    open_form: ClassVar[bool] = True
    noun: ClassVar[str] = "option"

    @field_validator("options", mode="before")
    @classmethod
    def _from_list(cls, options: Any) -> Any:
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
            for word in {fold(option), *map(fold, synonyms)}:
                if seen.setdefault(word, option) != option:
                    raise UnfitDeclaration(
                        f"{shortened(word)!r} stands for both {seen[word]!r} and {option!r}.",
                        "Keep it for one of them.",
                    )
        for option in self.vague:
            if option not in self.options:
                raise UnfitDeclaration(
                    f"{shortened(option)!r} is to be vague, and is no option.", "Name one of the options."
                )
        return self

    @cached_property
    def words(self) -> dict[str, str]:
        """Map every word, folded, to its option."""
        return {fold(w): option for option, synonyms in self.options.items() for w in (option, *synonyms)}

    @property
    def holds_words(self) -> bool:
        """Return whether it may be more than one of the options."""
        return self.besides is not None

    @property
    def declared_options(self) -> Mapping[str, tuple[str, ...]]:
        return self.options

    def sample(self, today: date) -> JsonValue:
        return next(iter(self.options))

    @property
    def vague_options(self) -> tuple[str, ...]:
        return self.vague

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Return the option that a word stands for."""
        text = self.text_of(value)
        option = self.words.get(fold(text))
        if option is None and self.besides is not None and self.besides.accepts(text, today):
            return text
        if option is None:
            raise self.unreadable("no_option", value=text, near=self.nearest(text))
        return option

    def normal(self, value: JsonValue) -> JsonValue:
        if not isinstance(value, str):
            return value
        option = self.words.get(fold(value))
        return option if option is not None or self.besides is None else self.besides.normal(value)

    def nearest(self, text: str) -> str:
        """Return the option that a misspelt word comes nearest to; nothing where none is near."""
        near = nearest(fold(text), self.words, least=70)
        return self.words[near[0]] if near else ""

    def __hash__(self) -> int:
        """Hash the options, so that what readers prepare for them can be kept."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((tuple(self.options.items()), self.vague))


class YesNo(Kind):
    """Yes or no."""

    kind: Literal["yes_no"] = "yes_no"
    is_yes_or_no: ClassVar[bool] = True
    fills_alone: ClassVar[bool] = False
    noun: ClassVar[str] = "yes or no"

    def sample(self, today: date) -> JsonValue:
        return True

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        if not isinstance(value, bool):
            raise self.unreadable("wrong_type", type=type(value).__name__)
        return value

    def show(self, value: JsonValue) -> str:
        return "yes" if value else "no"


def fold(text: str) -> str:
    """Write a word so that case, spacing and hyphens make no difference."""
    return " ".join(re.sub(r"[\s_-]+", " ", text).casefold().split()) or text.strip().casefold()
