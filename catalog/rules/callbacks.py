"""External functions of rules: operations on values that a logic program cannot compute itself."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, InvalidOperation

from clingo import Function, Number, String, Symbol, SymbolType

CALLBACKS = {"before": 2, "days": 2, "money": 1, "today": 0}
"""The functions that rules may call, with the number of their arguments.

@before(A, B) is true where day A comes before day B, else false; @days(A, B) are the days from A to B; @money(A) is an
amount in hundredths; @today() is the day of the request. Of what is no day and no amount they have no value, so that
the rule does not apply.
"""

_LARGEST = 2**31 - 1
Terms = list[Symbol]
NONE: Terms = []


class Callbacks:
    """The functions that rules may call, on the day of a request. Their names are those in rules."""

    def __init__(self, today: date) -> None:
        self._today = today

    def before(self, one: Symbol, other: Symbol) -> Terms:
        days = _day(one), _day(other)
        return NONE if days[0] is None or days[1] is None else [Function("true" if days[0] < days[1] else "false")]

    def days(self, one: Symbol, other: Symbol) -> Terms:
        days = _day(one), _day(other)
        return NONE if days[0] is None or days[1] is None else [Number((days[1] - days[0]).days)]

    def money(self, amount: Symbol) -> Terms:
        """Return an amount in hundredths; what is beyond the numbers of logic programs is the largest of them."""
        try:
            hundredths = int(Decimal(amount.string) * 100) if amount.type == SymbolType.String else None
        except (InvalidOperation, OverflowError, ValueError):
            hundredths = None
        return NONE if hundredths is None else [Number(max(-_LARGEST, min(_LARGEST, hundredths)))]

    def today(self) -> Terms:
        return [String(self._today.isoformat())]


def _day(term: Symbol) -> date | None:
    try:
        return date.fromisoformat(term.string) if term.type == SymbolType.String else None
    except ValueError:
        return None
