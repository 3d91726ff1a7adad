"""What a person wants simulated, gathered from what they have said.

Figures of a new request outweigh older ones. One of before is only taken over where the message answers what was asked,
or plainly refers back or corrects; it is told then. A number that was not understood prevents that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from catalog.demos.finch.calculations import LARGEST, LONGEST_MONTHS, Period
from catalog.demos.finch.concepts import products_named
from catalog.demos.finch.figures import (
    AMOUNT,
    PERIOD,
    TODAY,
    Figures,
    period_of,
    rates_in,
    read_figures,
    said_kind,
    said_unit,
)
from catalog.demos.finch.wording import money, spell
from catalog.norms.message import Message
from catalog.norms.vocabulary import ALL
from catalog.values.base import listed

ROLES: Mapping[str, str] = {"savings": "savings_adviser", "cd": "cd_adviser", "bonds": "bonds_adviser"}
"""The role of who knows a product, by its topic."""

CALCULATION, CORRECTS = "calculation", "corrects"
"""A kind of content, and the value of an utterance that asks a person what is wrong with their figures."""
_NARROWING = frozenset({"request", "simulate", "propose"})
"""Acts by which a person chooses a product: "only savings, 8000"."""
_TELLING = _NARROWING | {"inform"}
_KINDS = (AMOUNT, PERIOD)
_SMALL = 100
_LEAST = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Wish:
    """An amount, a period and the products to compare; `wanted` once a simulation was asked for, or figures given.

    `carried` are the kinds of figures that the last message left out, and that are those of before. `unclear` says what
    of it was not understood, `left_out` what is not calculated with: a rate of one's own. `past` are the last figures
    that can be calculated with, `spoken` the kinds that the last message with figures gave, and `unit` is in which it
    gave the period. It is `done` once it was calculated. `number` and `times` are what was said, while it is open of
    which figure it is.
    """

    amount: Decimal | None = None
    period: Period | None = None
    products: tuple[str, ...] = tuple(ROLES)
    wanted: bool = False
    carried: frozenset[str] = frozenset()
    unclear: str = ""
    past: tuple[Decimal | None, Period | None] = (None, None)
    spoken: frozenset[str] = frozenset()
    unit: str = ""
    done: bool = False
    number: Decimal | None = None
    times: Fraction | None = None
    left_out: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """Ask for what is missing, or say what cannot be calculated; empty where the wish is complete."""
        return " ".join(part for part in (self.unclear, self._missing) if part)

    @property
    def _missing(self) -> str:
        if self.amount is not None and not _can_be(self.amount):
            known = "" if self.period is not None else " And for how long?"
            return f"I can simulate amounts from 0.01 to {LARGEST:,} reais. How much would it be?{known}"
        if self.period is not None and not _can_be(self.period):
            return f"I can simulate periods from one day to {LONGEST_MONTHS // 12} years. How long would it be?"
        if self.amount is None and self.period is None:
            return "" if self.unclear.endswith("?") else "How much would you like to invest, and for how long?"
        if self.amount is None:
            return "" if self.unclear.endswith("?") else "How much would you like to invest?"
        if self.period is None:
            return "" if self.unclear.endswith("?") else "For how long would you like to invest it?"
        return ""

    def hear(self, message: Message, named: tuple[str, ...] = ()) -> Wish:
        """Return the wish after another message, itself where that says nothing of it; `named` are products in it."""
        said = self._answered(read_figures(message), message.text)
        acts = {one.act for one in message.utterances}
        pending = self.wanted and (bool(self.question) or not self.done)
        refers = self.wanted and (said.same or said.refers)
        chooses = any(one.act in _NARROWING and one.topic in {ALL, *ROLES} for one in message.utterances)
        answers = bool(acts & _TELLING) and refers and said.same
        answers = answers or (acts != {"query"} and bool(said.unread) and (pending or refers))
        if not (said.any or "simulate" in acts or answers or (self.wanted and chooses and (pending or refers))):
            return self
        said, unclear = self._resolve(said, pending)
        before = [self._carry(kind, said, pending=pending) for kind in _KINDS]
        carried = frozenset(kind for kind, one in zip(_KINDS, before, strict=True) if one and not said.given(kind))
        amount, period = said.amount if said.given(AMOUNT) else before[0], said.period or before[1]
        if said.unread and not unclear and not said.complete:
            unread = listed([f"“{one}”" for one in dict.fromkeys(said.unread)])
            missing = [kind for kind, one in zip(_KINDS, (amount, period), strict=True) if one is None] or _KINDS
            unclear = f"I do not understand {unread} here. Which {' and which '.join(missing)} do you mean?"
        return replace(
            self,
            amount=amount if isinstance(amount, Decimal) else None,
            period=period if isinstance(period, Period) else None,
            products=self._products(
                message, named, anew=("simulate" in acts or said.complete) and not (refers or pending)
            ),
            wanted=True,
            carried=carried,
            unclear=unclear,
            past=(
                amount if isinstance(amount, Decimal) and _can_be(amount) else self.past[0],
                period if isinstance(period, Period) and _can_be(period) else self.past[1],
            ),
            spoken=frozenset(said.order) or self.spoken,
            unit=said.unit or (self.unit if period is not None else ""),
            done=False,
            number=said.number if unclear else None,
            times=said.times if unclear else None,
            left_out=tuple(dict.fromkeys(said.unread)) if said.complete and not unclear else (),
        )

    def _carry(self, kind: str, said: Figures, *, pending: bool) -> Decimal | Period | None:
        """Return the figure of before that a message leaves as it is; None where it gives one, or none is meant."""
        now = self.amount if kind == AMOUNT else self.period
        past = self.past[_KINDS.index(kind)]
        if said.given(kind) or kind in said.rejected:
            return None
        if pending:
            if said.unread and (said.amount is not None or said.period is not None):
                return None  # what was not understood may be it
            return past if now is None and said.same and not said.unread else now
        if said.unread:
            return None
        if any(figure not in self.past for figure in said.rejected.values()):
            return None  # "ten years is too long", of what another participant was told
        points = said.points and kind == AMOUNT
        return past if said.same or said.refers or said.bare or points or said.times is not None else None

    def _answered(self, said: Figures, text: str) -> Figures:
        """Return the figures of a message that says of what the number or the factor before is: "years"."""
        kind = said_kind(text) if not said.any else ""
        if kind and self.number is not None:
            return said.with_number(self.number, kind, said_unit(text) or self.unit) or said
        return replace(said, times=self.times, times_of=kind) if kind and self.times is not None else said

    def _resolve(self, said: Figures, pending: bool) -> tuple[Figures, str]:
        """Find out of what a number or a factor is, and what is to be told where that is not clear."""
        if said.number is not None:
            return self._resolve_number(said, said.number, pending)
        if said.times is None or self._says_twice(said, said.times):
            return said, ""
        kinds = {said.times_of} if said.times_of else {kind for kind, one in zip(_KINDS, self.past, strict=True) if one}
        if len(kinds) != 1:
            which = "Is that of the amount, or of the period?" if any(self.past) else ""
            return replace(said, unread=()), which if not said.complete else ""
        kind = next(iter(kinds))
        amount, period = said.amount or self.past[0], said.period or self.past[1]
        if kind == AMOUNT and amount is not None:
            exact = Fraction(amount) * said.times
            amount = (Decimal(exact.numerator) / exact.denominator).quantize(_LEAST)
            return replace(said, amount=amount, order=(*said.order, AMOUNT)), ""
        if kind == PERIOD and period is not None:
            return replace(said, period=period.times(said.times), order=(*said.order, PERIOD)), ""
        return said, ""

    def _says_twice(self, said: Figures, times: Fraction) -> bool:
        """Return whether a figure of a message is what its factor makes of the one of before: "half of that, 6000"."""
        amount, period = self.past
        twice = {
            AMOUNT: amount is not None and said.amount == Fraction(amount) * times,
            PERIOD: period is not None and said.period == period.times(times),
        }
        return any(is_said for kind, is_said in twice.items() if said.times_of in {"", kind})

    def _resolve_number(self, said: Figures, number: Decimal, pending: bool) -> tuple[Figures, str]:
        bad = {AMOUNT: self.amount is None or not _can_be(self.amount), PERIOD: self.period is None}
        kinds = [kind for kind in _KINDS if kind not in said.order and (bad[kind] if pending else True)]
        if not pending and len(kinds) == len(_KINDS):
            kinds = [kind for kind in _KINDS if kind in self.spoken]
        unit = said.unit or self.unit
        if kinds == [PERIOD] and not unit:
            return said, f"Is that {number:f} days, months or years?"
        fits = [kind for kind in kinds if len(kinds) == 1 or self._is_likely(number, kind, unit)]
        if len(fits) == 1 and (found := said.with_number(number, fits[0], unit)):
            return replace(found, refers=True), ""
        if len(fits) > 1 and unit:
            return said, f"Do you mean {number:f} reais, or {number:f} {unit}s?"
        return replace(said, number=None, unread=(*said.unread, f"{number:f}")), ""

    def _is_likely(self, number: Decimal, kind: str, unit: str) -> bool:
        """Return whether a number is likely meant of a kind, where either may be."""
        if kind == AMOUNT:
            return number >= _SMALL or (self.past[0] is not None and self.past[0] < _SMALL)
        period = period_of(number, unit) if unit else None
        return period is not None and _can_be(period)

    def _products(self, message: Message, named: tuple[str, ...], *, anew: bool) -> tuple[str, ...]:
        told = [one for one in message.utterances if one.values or one.act in _TELLING]
        topics = tuple(dict.fromkeys(one.topic for one in told if one.topic in ROLES))
        if any(one.topic == ALL for one in told):
            several = products_named(message.text)
            return tuple(several) if len(several) > 1 else tuple(ROLES)
        return named or topics or (tuple(ROLES) if anew else self.products)

    def spell_amount(self) -> str:
        """Write the amount, and that it is the one of before where it is."""
        written = money(self.amount or Decimal(0))
        return f"the {written} of before" if AMOUNT in self.carried else written

    def spell_left_out(self) -> str:
        """Say what was said and is not calculated with; empty where there is no such thing."""
        if not self.left_out:
            return ""
        told = f"I leave out {listed([f'“{one}”' for one in self.left_out])}."
        return f"{told} {TODAY}" if rates_in(self.left_out) else told

    def spell_period(self) -> str:
        """Write the period, and that it is the one of before where it is."""
        written = spell(self.period or Period.of_days(0))
        return f"the {written} of before" if PERIOD in self.carried else written


def _can_be(figure: Decimal | Period) -> bool:
    if isinstance(figure, Period):
        return figure.days >= 1 and figure.months <= LONGEST_MONTHS
    return _LEAST <= figure <= LARGEST


def wish_of(person: str, messages: Iterable[Message], products: Mapping[str, str], bots: Collection[str]) -> Wish:
    """Gather what a person wants from all messages; `products` are those of the experts, by their names."""
    wish = Wish()
    for message in messages:
        if message.sender == person:
            wish = after(wish, message, products, bots)
        elif _calculates(message, person):
            wish = replace(wish, done=True)
        elif any(said.values.get(CORRECTS) == person for said in message.utterances):
            wish = replace(wish, done=False)
    return wish


def _calculates(message: Message, person: str) -> bool:
    """Return whether a message has something calculated for a person, or is a calculation for them."""
    return any(
        (said.act == "request" and said.values.get("person") == person)
        or (said.content == CALCULATION and person in message.receivers)
        for said in message.utterances
    )


def after(wish: Wish, message: Message, products: Mapping[str, str], bots: Collection[str]) -> Wish:
    """Return a wish after another message of the same person; itself where that says nothing of it.

    What is said in private is left out: what the experts are asked is for everybody to read. So is what is said to
    other people by name.
    """
    to_people = message.mentions and not any(name in bots for name in message.mentions)
    if message.private or to_people:
        return wish
    return wish.hear(message, tuple(dict.fromkeys(products[name] for name in message.mentions if name in products)))
