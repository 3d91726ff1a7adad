"""Several values of one kind: "Paris, Rome and Madrid"."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from catalog.values.base import AnyKind, Kind, UnfitDeclaration, Unreadable, listed
from catalog.values.words import Text

MAX_ITEMS = 10_000
"""Items that any list may hold."""
_SHOWN = 20


def _of(value: Any) -> Any:
    """Refuse a list of lists in words of its own."""
    kind = value.get("kind") if isinstance(value, Mapping) else value.kind if isinstance(value, Kind) else value
    if kind == "list":
        raise UnfitDeclaration(
            "A list of lists stands here.", "Write the kind of one item; a table may hold rows of rows."
        )
    return value


class ListOf(Kind):
    """A list, each item of which is a value of one kind."""

    kind: Literal["list"] = "list"
    of: Annotated[Kind, AnyKind(lists=False), BeforeValidator(_of)] = Field(
        default=Text(), description="What each item may be; where `list_of` names a fact, that fact's kind."
    )
    least: Annotated[int, Field(ge=0, le=MAX_ITEMS)] = Field(default=0, description="Items that there are at least.")
    most: Annotated[int, Field(ge=1, le=MAX_ITEMS)] = Field(default=20, description="Items that there are at most.")
    fills_alone: ClassVar[bool] = False
    noun: ClassVar[str] = "list"

    @model_validator(mode="after")
    def _least_is_least(self) -> ListOf:
        if self.least > self.most:
            raise UnfitDeclaration(
                f"A list is to have at least {self.least} items and at most {self.most}.", "Turn them round."
            )
        return self

    @property
    def sayable(self) -> bool:  # type: ignore[override]  # a list is sayable as its items are
        """Return whether a person can say the items."""
        return self.of.sayable

    @property
    def uploaded(self) -> bool:  # type: ignore[override]  # a list of documents is uploaded as they are
        """Return whether people give the items as files, several at a time."""
        return self.of.shown_as == "document"

    @property
    def item(self) -> Kind:
        return self.of

    def sample(self, today: date) -> JsonValue:
        return [self.of.sample(today)] * max(self.least, min(2, self.most))

    def can_become(self, target: Kind) -> bool:
        """Return whether the items might be those of another list."""
        return target.item is not None and self.of.can_become(target.item)

    @property
    def described(self) -> str:
        return f"list of {self.of.described}"

    def may_be_taken_for(self, above: Kind) -> bool:
        return self.of.may_be_taken_for(above.item) if above.item else super().may_be_taken_for(above)

    @property
    def room(self) -> tuple[int, int]:
        return self.least, self.most

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        if not isinstance(value, list):
            raise self.unreadable("wrong_type", type=type(value).__name__)
        if not self.least <= len(value) <= self.most:
            raise self.unreadable("wrong_length", count=len(value))
        return [self._check_item(number, item, today) for number, item in enumerate(value, start=1)]

    def normal(self, value: JsonValue) -> JsonValue:
        """Write every item alike; in another order it is another list."""
        return [self.of.normal(item) for item in value] if isinstance(value, list) else value

    def show(self, value: JsonValue) -> str:
        if not isinstance(value, list):
            return "a list"
        return listed(map(self.of.show, value), limit=_SHOWN) or "none"

    def _check_item(self, number: int, item: JsonValue, today: date | None) -> JsonValue:
        try:
            return self.of.check(item, today)
        except Unreadable as problem:
            raise self.unreadable("improper_item", number=number, fault=problem.fault) from None
