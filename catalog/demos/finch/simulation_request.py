"""What a person wants simulated, put together from the figures of their messages.

Figures of a new request outweigh older ones. One of before is only taken over where the message answers what was asked,
or plainly refers back or corrects; it is told then. A number that was not understood prevents that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from catalog.demos.finch.calculations import LARGEST, LONGEST_MONTHS, InvestmentPeriod, write
from catalog.demos.finch.concepts import products_named
from catalog.demos.finch.figures import (
    AMOUNT,
    KINDS,
    PERIOD,
    TODAY,
    Figure,
    Figures,
    SaidFigures,
    figures_of,
    gives_figures,
    multiply,
    period_of,
    rates_in,
)
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
_ASKS: Mapping[frozenset[str], str] = {
    frozenset(): "How much would you like to invest, and for how long?",
    frozenset({PERIOD}): "How much would you like to invest?",
    frozenset({AMOUNT}): "For how long would you like to invest it?",
}
"""The question for what is missing, by the kinds that are known."""
_AMOUNTS = f"I can simulate amounts from 0.01 to {LARGEST:,} reais. How much would it be?"
_PERIODS = f"I can simulate periods from one day to {LONGEST_MONTHS // 12} years. How long would it be?"
_SMALL = 100
_LEAST = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    """The figures and the products to compare; `wanted` once a simulation was asked for, or figures given.

    `carried` are the kinds of figures that the last message left out, and that are those of before. `unclear` says what
    of it was not understood, `left_out` what is not calculated with: a rate of one's own. `past` are the last figures
    that can be calculated with, `spoken` the kinds that the last message with figures gave, and `unit` is in which it
    gave the period. It is `done` once it was calculated. `number` and `times` are what was said, while it is open of
    which figure it is.
    """

    figures: Figures = field(default_factory=dict)
    products: tuple[str, ...] = tuple(ROLES)
    wanted: bool = False
    carried: frozenset[str] = frozenset()
    unclear: str = ""
    past: Figures = field(default_factory=dict)
    spoken: frozenset[str] = frozenset()
    unit: str = ""
    done: bool = False
    number: Decimal | None = None
    times: Fraction | None = None
    left_out: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """Ask for what is missing, or say what cannot be calculated; empty where the request is complete."""
        impossible = [kind for kind in KINDS if kind in self.figures and not _can_be(self.figures[kind])]
        if AMOUNT in impossible:
            asks = _AMOUNTS if PERIOD in self.figures else f"{_AMOUNTS} And for how long?"
        elif impossible:
            asks = _PERIODS
        else:
            asks = "" if self.unclear.endswith("?") else _ASKS.get(frozenset(self.figures), "")
        return " ".join(part for part in (self.unclear, asks) if part)

    def hear(self, message: Message, named: tuple[str, ...] = ()) -> SimulationRequest:
        """Return it after another message, itself where that says nothing of it; `named` are products in it."""
        said = self._answered(figures_of(message))
        acts = {one.act for one in message.utterances}
        pending = self.wanted and (bool(self.question) or not self.done)
        refers = self.wanted and not said.back.isdisjoint({"same", "goes_on"})
        chooses = any(one.act in _NARROWING and one.topic in {ALL, *ROLES} for one in message.utterances)
        answers = bool(acts & _TELLING) and refers and "same" in said.back
        answers = answers or (acts != {"query"} and bool(said.unread) and (pending or refers))
        if not (said.any or "simulate" in acts or answers or (self.wanted and chooses and (pending or refers))):
            return self
        said, unclear = self._resolve(said, pending)
        before = {kind: figure for kind in KINDS if (figure := self._carry(kind, said, pending=pending)) is not None}
        figures = {**before, **said.figures}
        if said.unread and not unclear and not said.complete:
            unread = listed([f"“{one}”" for one in dict.fromkeys(said.unread)])
            missing = [kind for kind in KINDS if kind not in figures] or KINDS
            unclear = f"I do not understand {unread} here. Which {' and which '.join(missing)} do you mean?"
        anew = ("simulate" in acts or said.complete) and not (refers or pending)
        return SimulationRequest(
            figures,
            self._products(message, named, anew=anew),
            wanted=True,
            carried=frozenset(before),
            unclear=unclear,
            past={**self.past, **{kind: figure for kind, figure in figures.items() if _can_be(figure)}},
            spoken=frozenset(said.spoken) or self.spoken,
            unit=said.unit or (self.unit if PERIOD in figures else ""),
            number=said.number if unclear else None,
            times=said.times if unclear else None,
            left_out=tuple(dict.fromkeys(said.unread)) if said.complete and not unclear else (),
        )

    def _carry(self, kind: str, said: SaidFigures, *, pending: bool) -> Figure | None:
        """Return the figure of before that a message leaves as it is; None where it gives one, or none is meant."""
        if kind in said.figures or kind in said.rejected or (said.unread and (said.figures or not pending)):
            return None  # what was not understood may be it
        past = self.past.get(kind)
        if pending:
            return self.figures.get(kind, past if "same" in said.back and not said.unread else None)
        if any(figure != self.past.get(one) for one, figure in said.rejected.items()):
            return None  # "ten years is too long", of what another participant was told
        back = said.back - ({"corrects"} if kind == AMOUNT else {"corrects", "points"})
        return past if back or said.times is not None else None

    def _answered(self, said: SaidFigures) -> SaidFigures:
        """Return the figures of a message that says of what the number or the factor before is: "years"."""
        if not said.of or said.any:
            return said
        if self.number is not None:
            return said.with_number(self.number, said.of, said.unit or self.unit) or said
        return replace(said, times=self.times, times_of=said.of)

    def _resolve(self, said: SaidFigures, pending: bool) -> tuple[SaidFigures, str]:
        """Find out of what a number or a factor is, and what is to be told where that is not clear."""
        if said.number is not None:
            return self._resolve_number(said, said.number, pending)
        if said.times is None:
            return said, ""
        kinds = {said.times_of} if said.times_of else {*self.past}
        if any(said.figures.get(kind) == multiply(self.past[kind], said.times) for kind in kinds & self.past.keys()):
            return said, ""  # "half of that, 6000"
        if len(kinds) != 1:
            which = "Is that of the amount, or of the period?" if self.past and not said.complete else ""
            return replace(said, unread=()), which
        (kind,) = kinds
        figure = said.figures.get(kind, self.past.get(kind))
        return (said if figure is None else said.having(kind, multiply(figure, said.times))), ""

    def _resolve_number(self, said: SaidFigures, number: Decimal, pending: bool) -> tuple[SaidFigures, str]:
        is_open = {AMOUNT: not _can_be(self.figures.get(AMOUNT, Decimal(0))), PERIOD: PERIOD not in self.figures}
        kinds = [kind for kind in KINDS if kind not in said.spoken and (is_open[kind] or not pending)]
        if not pending and len(kinds) == len(KINDS):
            kinds = [kind for kind in kinds if kind in self.spoken]
        unit = said.unit or self.unit
        if kinds == [PERIOD] and not unit:
            return said, f"Is that {number:f} days, months or years?"
        fits = [kind for kind in kinds if len(kinds) == 1 or self._is_likely(number, kind, unit)]
        if len(fits) == 1 and (found := said.with_number(number, fits[0], unit)):
            return replace(found, back=found.back | {"goes_on"}), ""
        if len(fits) > 1 and unit:
            return said, f"Do you mean {number:f} reais, or {number:f} {unit}s?"
        return replace(said, number=None, unread=(*said.unread, f"{number:f}")), ""

    def _is_likely(self, number: Decimal, kind: str, unit: str) -> bool:
        """Return whether a number is likely meant of a kind, where either may be."""
        past = self.past.get(AMOUNT)
        if kind == AMOUNT:
            return number >= _SMALL or (isinstance(past, Decimal) and past < _SMALL)
        period = period_of(number, unit) if unit else None
        return period is not None and _can_be(period)

    def _products(self, message: Message, named: tuple[str, ...], *, anew: bool) -> tuple[str, ...]:
        told = [one for one in message.utterances if gives_figures(one) or one.act in _TELLING]
        topics = tuple(dict.fromkeys(one.topic for one in told if one.topic in ROLES))
        if any(one.topic == ALL for one in told):
            several = products_named(message.text)
            return tuple(several) if len(several) > 1 else tuple(ROLES)
        return named or topics or (tuple(ROLES) if anew else self.products)

    def spell(self, kind: str) -> str:
        """Write a figure, and that it is the one of before where it is."""
        written = write(self.figures[kind])
        return f"the {written} of before" if kind in self.carried else written

    def spell_left_out(self) -> str:
        """Say what was said and is not calculated with; empty where there is no such thing."""
        if not self.left_out:
            return ""
        told = f"I leave out {listed([f'“{one}”' for one in self.left_out])}."
        return f"{told} {TODAY}" if rates_in(self.left_out) else told


def _can_be(figure: Figure) -> bool:
    if isinstance(figure, InvestmentPeriod):
        return figure.days >= 1 and figure.months <= LONGEST_MONTHS
    return _LEAST <= figure <= LARGEST


def request_of(
    person: str, messages: Iterable[Message], products: Mapping[str, str], bots: Collection[str]
) -> SimulationRequest:
    """Gather what a person wants from all messages; `products` are those of the experts, by their names."""
    request = SimulationRequest()
    for message in messages:
        if message.sender == person:
            request = after(request, message, products, bots)
        elif _calculates(message, person):
            request = replace(request, done=True)
        elif any(said.values.get(CORRECTS) == person for said in message.utterances):
            request = replace(request, done=False)
    return request


def _calculates(message: Message, person: str) -> bool:
    return any(
        (said.act == "request" and said.values.get("person") == person)
        or (said.content == CALCULATION and person in message.receivers)
        for said in message.utterances
    )


def after(
    request: SimulationRequest, message: Message, products: Mapping[str, str], bots: Collection[str]
) -> SimulationRequest:
    """Return a request after another message of the same person; itself where that says nothing of it.

    What is said in private is left out: what the experts are asked is for everybody to read. So is what is said to
    other people by name.
    """
    to_people = message.mentions and not any(name in bots for name in message.mentions)
    if message.private or to_people:
        return request
    return request.hear(message, tuple(dict.fromkeys(products[name] for name in message.mentions if name in products)))
