"""Load the rates and rules that the calculations rest on; each has the date it is of, and its source."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

FILE = Path(__file__).parent / "parameters.yaml"


class _Sourced(BaseModel):
    """What is known of a certain day from a named source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    as_of: date
    source: str


class Figure(_Sourced):
    """A number, in the unit that is written beside it."""

    value: Decimal
    unit: str


class Bracket(BaseModel):
    """The income tax, in per cent of the gain, on what is held up to so many days (None: on everything longer)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    days: int | None
    rate: Decimal


class IncomeTax(_Sourced):
    """The brackets by holding period, shortest first; the last one has no limit."""

    brackets: tuple[Bracket, ...]

    @property
    def text(self) -> str:
        said = [f"{one.rate} up to {one.days} days" if one.days else f"{one.rate} for longer" for one in self.brackets]
        return f"income tax in per cent of the gain: {', '.join(said)}"

    @model_validator(mode="after")
    def _has_a_rate_for_every_period(self) -> IncomeTax:
        limits = [bracket.days for bracket in self.brackets]
        days = [limit for limit in limits if limit is not None]
        if not limits or limits[-1] is not None or len(days) != len(limits) - 1 or days != sorted(set(days)):
            raise ValueError("brackets go from the shortest period to the longest; the last one has `days: null`")
        return self


class Iof(_Sourced):
    """The tax on money taken back early, in per cent of the gain, after 1, 2, 3 … days."""

    rates: tuple[Decimal, ...]

    @property
    def text(self) -> str:
        return f"tax on early withdrawal in per cent of the gain: {self.rates[0]} after a day, none from day 30 on"


class Parameters(BaseModel):
    """Everything that the calculations are told. Rates are in per cent, money in reais."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    selic: Figure
    cdi: Figure
    tr: Figure
    cd_share: Figure
    bond_spread: Figure
    fixed_bond_rate: Figure
    savings_threshold: Figure
    savings_fixed: Figure
    savings_share: Figure
    custody_fee: Figure
    custody_exemption: Figure
    guarantee: Figure
    guarantee_total: Figure
    income_tax: IncomeTax
    iof: Iof

    def say(self, *names: str) -> list[str]:
        """Say what some parameters are, each with its date and source."""
        told = []
        for name in names:
            one = getattr(self, name)
            what = f"{one.value} {one.unit}" if isinstance(one, Figure) else one.text
            told.append(f"{what} (as of {one.as_of.isoformat()}; {one.source})")
        return told

    def having(self, figures: Mapping[str, Decimal]) -> Parameters:
        changed: dict[str, Any] = {
            name: getattr(self, name).model_copy(update={"value": value}) for name, value in figures.items()
        }
        return self.model_copy(update=changed)


@cache
def load_parameters(file: Path = FILE) -> Parameters:
    """Load the parameters, or raise `ValidationError` for what is missing or unknown."""
    return Parameters.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
