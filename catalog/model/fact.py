"""Facts: pieces of information that an assistant may know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from catalog.model.aliases import Aliased, FactName
from catalog.model.entry import Sentences
from catalog.model.names import Sentence
from catalog.values import KINDS, Flag, Kind, Text, UnfitDeclaration, ValueKind
from catalog.values.numbers import Quantity, currency_meant
from catalog.values.units import unit_meant

_PLACE = re.compile(r"\{([^{}]*)\}")


def places_in(said: str) -> tuple[str, ...]:
    return tuple(_PLACE.findall(said))


def bounds_of(said: str) -> tuple[str, str]:
    """Return the words before and after the one place of a frame."""
    before, _, after = _PLACE.split(said, maxsplit=1)
    return before, after


_UNSAYABLE = {"table": "a table", "chart": "a chart"}
_UNSAYABLE_LISTS = {"table": "tables", "chart": "charts", "picture": "several pictures"}


class Scope(StrEnum):
    """How long a value that was said or found may be used."""

    CONVERSATION = "conversation"
    """Until the end of the conversation, for whatever is asked for."""
    GOAL = "goal"
    """For the request that it was said or found for alone."""


class Direction(StrEnum):
    """Which way a person can change a value."""

    UP = "up"
    DOWN = "down"
    EITHER = "either"


class Actionable(BaseModel):
    """The range in which a person can change a value. Bounds that are left out are those of its kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    minimum: Annotated[Decimal, Field(allow_inf_nan=False)] | None = Field(default=None, description="The least.")
    maximum: Annotated[Decimal, Field(allow_inf_nan=False)] | None = Field(default=None, description="The most.")
    step: Annotated[Decimal, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="The smallest change that counts; left out, 1."
    )
    direction: Direction = Field(default=Direction.EITHER, description="up, down or either.")


def _allow_true(schema: dict[str, Any]) -> None:
    schema["anyOf"] = [{"type": "boolean"}, *schema["anyOf"]]


def _actionable(data: Any) -> Any:
    return Actionable() if data in (True, "true") else None if data in (False, "false") else data


class Fact(Aliased):
    """A piece of information that the assistant may know."""

    value: ValueKind = Field(default=Text(), description="What its value may be: how it is read, checked and shown.")
    list_of: FactName | None = Field(default=None, description="The fact of which its value is a list.")
    ask: Sentence | None = Field(default=None, description="The question that asks a person for it.")
    is_a: FactName | None = Field(default=None, description="Its supertype: a fact that it can stand for.")
    sensitive: Flag = Field(default=False, description="Masked when shown; given to a skill only with consent.")
    public: Flag | None = Field(
        default=None,
        description="true: shown also where a skill made it from something sensitive. Left out or false, text that was "
        "made so is masked; false says that this is meant.",
    )
    askable: Flag = Field(default=True, description="false: the planner never plans to ask for it.")
    fillable: Flag = Field(
        default=True,
        description="false: slot filling cannot ask for it, which the planner only learns when it tries.",
    )
    why_not_fillable: Sentence | None = Field(
        default=None, description="The reason people are given for that, to go after “because”."
    )
    examples: Sentences = Field(default=(), description="Ways in which people state it.")
    said: Sentences = Field(
        default=(),
        description="Words around its value, which stands where its name does in braces: to {recipient}. Left out, the "
        "examples of goals tell, where they have names: a ticket from Leeds to Derby.",
    )
    actionable: Annotated[Actionable | None, BeforeValidator(_actionable)] = Field(
        default=None,
        description="true, or a range: a person can change it, so that it may be proposed to change an outcome. "
        "What is not actionable is never proposed.",
        json_schema_extra=_allow_true,
    )
    scope: Scope = Field(
        default=Scope.CONVERSATION,
        description="goal: what was said or found for one request is not used for another one.",
    )

    @model_validator(mode="before")
    @classmethod
    def _list_of_has_lists(cls, data: Any) -> Any:
        """Let the value of a fact that is a list of another be a list; of what, follows from the other."""
        if not isinstance(data, Mapping) or data.get("list_of") is None:
            return data
        value = data.get("value", "list")
        if _name_of(value) != "list":
            found = f"It is a list of {data['list_of']!r:.60}, and says that its value is something else."
            raise UnfitDeclaration(
                found, "Leave the value out: each item is of that fact's kind. {kind: list, most: 5} is fine."
            )
        if isinstance(value, Mapping) and "of" in value:
            found = f"Of what it is a list, is said twice: by `list_of: {data['list_of']!s:.60}` and by `of`."
            raise UnfitDeclaration(found, "Keep `list_of`.")
        return {**data, "value": dict(value) if isinstance(value, Mapping) else value}

    @model_validator(mode="before")
    @classmethod
    def _numbers_count_something(cls, data: Any) -> Any:
        """Let a number be counted in the unit that the fact's names, examples or description speak of."""
        if not isinstance(data, Mapping) or _name_of(value := data.get("value")) != "number":
            return data
        declared = {"kind": "number"} if isinstance(value, str) else value
        if not isinstance(declared, Mapping) or declared.get("unit") is not None:
            return data
        names = [text for key in ("label", "name", "ask") if isinstance(text := data.get(key), str)]
        examples = [text for text in data.get("examples") or () if isinstance(text, str)]
        unit = unit_meant(names, str(data.get("description") or ""), examples)
        return data if unit is None else {**data, "value": {**declared, "unit": unit.name}}

    @model_validator(mode="before")
    @classmethod
    def _money_is_of_its_examples(cls, data: Any) -> Any:
        """Let an amount be in the currency that the fact's question and examples are in."""
        if not isinstance(data, Mapping) or _name_of(value := data.get("value")) != "money":
            return data
        declared = {"kind": "money"} if isinstance(value, str) else value
        if not isinstance(declared, Mapping) or declared.keys() & {"currency", "any_currency"}:
            return data
        said = " ".join(str(text) for text in (data.get("ask"), data.get("label"), *(data.get("examples") or ())))
        currency = currency_meant(said)
        return data if currency is None else {**data, "value": {**declared, "currency": currency}}

    @model_validator(mode="before")
    @classmethod
    def _nobody_says_a_table(cls, data: Any) -> Any:
        """Let slot filling not ask for what cannot be said or uploaded, unless the catalog speaks of it."""
        if not isinstance(data, Mapping) or data.get("fillable") is not None:
            return data
        said = _unsayable(data.get("value"))
        return data if said is None else {**data, **_not_fillable(said, data.get("why_not_fillable"))}

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Fact:
        if self.actionable is not None:
            self._check_actionable()
        said = _unsayable(self.value)
        if self.fillable and said is not None:
            raise UnfitDeclaration(
                f"fillable is true, but {said} cannot be given in words.", "Leave fillable out, or write false."
            )
        return self

    def _check_actionable(self) -> None:
        """Raise UnfitDeclaration unless a range lies within the bounds of the kind, or there are closed options."""
        kind = self.value
        if not isinstance(kind, Quantity):
            if not (kind.declared_options or kind.is_yes_or_no) or self.actionable != Actionable():
                raise UnfitDeclaration(
                    "It is actionable, and no amount.",
                    "Write `actionable: true`, for a choice or yes_no; a range is for numbers and money.",
                )
            return
        low, high = self.range
        if low is None or high is None or low > high:
            raise UnfitDeclaration(
                "It is actionable in no range that has two ends.", "Write {minimum: …, maximum: …}, within its kind."
            )

    @property
    def range(self) -> tuple[Decimal | None, Decimal | None]:
        """The least and the most that a person can make of an amount, within the bounds of its kind."""
        assert self.actionable is not None
        assert isinstance(self.value, Quantity)
        low, high = self.value.bounds
        lows = [one for one in (low, self.actionable.minimum) if one is not None]
        highs = [one for one in (high, self.actionable.maximum) if one is not None]
        return max(lows, default=None), min(highs, default=None)

    @property
    def options(self) -> tuple[JsonValue, ...]:
        """The values of a closed choice, or yes and no; none of an amount."""
        return tuple(self.value.declared_options) or ((True, False) if self.value.is_yes_or_no else ())

    def with_items(self, value: Kind) -> Fact:
        """Return this fact as a list whose items are known; items that cannot be said are not asked for."""
        said = _unsayable(value)
        changes = {} if said is None or not self.fillable else _not_fillable(said, self.why_not_fillable)
        return self.model_copy(update={"value": value, **changes})


def _unsayable(value: Any) -> str | None:
    """Return what a value of a declared kind is called, if it cannot be said; a single file can be uploaded."""
    if _name_of(value) != "list":
        return _UNSAYABLE.get(_shown_as(value))
    return _UNSAYABLE_LISTS.get(
        _shown_as(value.get("of") if isinstance(value, Mapping) else getattr(value, "of", None))
    )


def _shown_as(value: Any) -> str:
    kind = KINDS.get(_name_of(value))
    return kind.shown_as if kind else ""


def _name_of(value: Any) -> str:
    """Return the name of a kind, in whichever form it is declared."""
    name = value.get("kind") if isinstance(value, Mapping) else value.kind if isinstance(value, Kind) else value
    return name if isinstance(name, str) else ""


def _not_fillable(said: str, reason: Any) -> dict[str, Any]:
    return {"fillable": False, "why_not_fillable": reason or f"{said} cannot be given in words"}
