"""Solve rules over facts, within limits, and report which rule derived each atom."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from clingo import Control, Function, Number, String, Symbol, SymbolType, Tuple_
from pydantic import JsonValue

from catalog.rules.parser import DERIVED_BY, Rule, Signature

__all__ = ["Symbol", "constant", "fact_symbol", "name_of", "read_value", "write_pair", "write_value"]

_ESCAPE = "\N{SYMBOL FOR NULL}"
_ESCAPED = re.compile(f"[\0{_ESCAPE}\ud800-\udfff]")
_UNESCAPED = re.compile(f"{_ESCAPE}(0|d[0-9a-f]{{3}}|{_ESCAPE})")
_LARGEST = 2**31 - 1
"""Numbers of logic programs have 32 bits."""


def constant(name: str) -> Symbol:
    """Return a constant, such as the variable of a request; the name must be an identifier."""
    return Function(name)


def fact_symbol(predicate: str, *arguments: Symbol) -> Symbol:
    return Function(predicate, list(arguments))


def write_value(value: JsonValue) -> Symbol:
    """Return a value as a term: text as text, numbers and truth values as such, a pair as one, all else as its JSON."""
    if isinstance(value, str):
        return String(_ESCAPED.sub(_escape, value))
    if isinstance(value, bool):
        return Function("true" if value else "false")
    if isinstance(value, int) and abs(value) <= _LARGEST:
        return Number(value)
    return Function("json", [write_value(json.dumps(value))])


def write_pair(pair: Sequence[JsonValue]) -> Symbol:
    """Return two values as a tuple, as a period is written; an end that was left open is `open`."""
    return Tuple_([constant("open") if value is None else write_value(value) for value in pair])


def name_of(term: Symbol) -> str:
    """Return the name of a constant; of any other term, nothing."""
    return term.name if term.type == SymbolType.Function and not term.arguments else ""


def read_value(term: Symbol) -> JsonValue:
    """Return the value of a term that `write_value` wrote; raise `ValueError` for any other term."""
    if term.type == SymbolType.String:
        return _UNESCAPED.sub(_unescape, term.string)
    if term.type == SymbolType.Number:
        return term.number
    if term.type == SymbolType.Function:
        if term.name in ("true", "false") and not term.arguments:
            return term.name == "true"
        if term.name == "json" and len(term.arguments) == 1:
            read: JsonValue = json.loads(str(read_value(term.arguments[0])))
            return read
    raise ValueError(f"{term} is no value of a fact.")


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _ESCAPE + ("0" if char == "\0" else char if char == _ESCAPE else f"{ord(char):04x}")


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return "\0" if code == "0" else code if code == _ESCAPE else chr(int(code, 16))


TICK = "tick"
SMALL = 2_000
"""Atoms up to which a program is solved without further ado."""


class Overrun(RuntimeError):
    """Rules were not solved: they took too long, derived too many atoms, or have no single answer set."""


@dataclass(frozen=True, slots=True)
class RuleLimits:
    """Limits of solving rules: seconds, and atoms."""

    time_s: float = 1.0
    atoms: int = 20_000


@dataclass(frozen=True, slots=True)
class Model:
    """The answer set: `atoms` in a fixed order, and each derived atom with the number of its rule."""

    atoms: tuple[Symbol, ...]
    derived: tuple[tuple[Symbol, int], ...]


class RuleProgram:
    """Rules, ready to be solved over one set of facts after another; used from several threads.

    Only those are solved that the facts can make apply: the effort goes by what was said, not by the catalog. No rule
    may need what it leads to.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._users: dict[Signature, list[int]] = {}
        self._open = [len(rule.positive) for rule in self.rules]
        self._free = [number for number, rule in enumerate(self.rules) if not rule.positive]
        for number, rule in enumerate(self.rules):
            for signature in rule.positive:
                self._users.setdefault(signature, []).append(number)
        self._written = [_write(number, rule) for number, rule in enumerate(self.rules)]

    def solve(self, facts: Sequence[Symbol], context: Any, limits: RuleLimits) -> Model:
        """Solve the rules over facts; `context` has what they call. Raise `Overrun` beyond the limits."""
        watch = _Watch(context, limits)
        messages: list[str] = []
        control = Control(["--warn=none"], logger=lambda _code, message: messages.append(message), message_limit=3)
        with control.backend() as backend:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        chosen = self._select(facts)
        control.add("base", [], "\n".join(chosen.texts))
        try:
            control.ground([("base", [])], context=watch)
        except (RuntimeError, MemoryError) as fault:
            if isinstance(fault, Overrun):
                raise
            raise Overrun(f"The rules could not be grounded: {' '.join(messages) or fault}") from fault
        if len(control.symbolic_atoms) > 2 * limits.atoms:
            raise Overrun(f"The rules come to more than {limits.atoms:,} atoms.")
        return _read(chosen, _solve(control, max(0.001, watch.deadline - monotonic())))

    def _select(self, facts: Sequence[Symbol]) -> _Chosen:
        """Choose the rules whose needs the facts can meet, by predicates and constants, in their order."""
        constants = {name_of(argument) for fact in facts for argument in fact.arguments}
        open_needs = list(self._open)
        chosen = set(self._free)
        seen: set[Signature] = set()
        waiting = [(fact.name, len(fact.arguments)) for fact in facts]
        waiting += [self.rules[number].defines for number in chosen]
        while waiting:
            signature = waiting.pop()
            if signature in seen:
                continue
            seen.add(signature)
            for number in self._users.get(signature, ()):
                open_needs[number] -= 1
                if not open_needs[number] and self.rules[number].constants <= constants:
                    chosen.add(number)
                    waiting.append(self.rules[number].defines)
        leading: dict[Signature, list[int]] = {}
        for number in sorted(chosen):
            leading.setdefault(self.rules[number].defines, []).append(number)
        alone = {signature: numbers[0] for signature, numbers in leading.items() if len(numbers) == 1}
        return _Chosen([self._written[number][self.rules[number].defines in alone] for number in sorted(chosen)], alone)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The texts of rules that may apply, and by predicate those that are the only ones to lead there."""

    texts: Sequence[str]
    alone: Mapping[Signature, int]


class _Watch:
    """Hands on what rules call, and ends grounding at its limits: it cannot be interrupted from outside."""

    def __init__(self, context: Any, limits: RuleLimits) -> None:
        self._context = context
        self._left = limits.atoms
        self._limits = limits
        self.deadline = monotonic() + limits.time_s

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def tick(self, *_bound: Symbol) -> list[Symbol]:
        """Count one way in which a body may hold."""
        self._left -= 1
        if self._left < 0:
            raise Overrun(f"The rules come to more than {self._limits.atoms:,} atoms.")
        if monotonic() > self.deadline:
            raise Overrun(f"The rules took longer than {self._limits.time_s:g} seconds.")
        return _ONE


_ONE = [Number(1)]


def _write(number: int, rule: Rule) -> tuple[str, str]:
    """Write a rule so that it is known to be the one that leads to its head; and as it is, where no other does.

    A rule of which it is not known how often it applies counts towards the limits.
    """
    counted = f", 1 = @{TICK}({', '.join(rule.variables)})" if rule.counted and rule.variables else ""
    body = f" :- {rule.body}{counted}" if rule.body else ""
    name, arity = rule.defines
    head = f"{name}({', '.join(f'A{place}' for place in range(arity))})" if arity else name
    derived = f"{DERIVED_BY}({number}, {rule.head}){body}.\n{head} :- {DERIVED_BY}({number}, {head})."
    return derived, f"{rule.head}{body}."


def _solve(control: Control, seconds: float) -> list[Symbol]:
    """Take the one model. Small programs are settled by grounding: nothing is won by a thread that could be ended."""
    large = len(control.symbolic_atoms) > SMALL
    with control.solve(yield_=True, async_=large) as handle:
        if large and not handle.wait(seconds):
            handle.cancel()
            raise Overrun("The rules took too long to solve.")
        model = handle.model()
        if model is None:
            raise Overrun("The rules contradict each other: nothing can hold.")
        return sorted(model.symbols(atoms=True))


def _read(chosen: _Chosen, symbols: Iterable[Symbol]) -> Model:
    atoms: list[Symbol] = []
    derived: list[tuple[Symbol, int]] = []
    for symbol in symbols:
        signature = (symbol.name, len(symbol.arguments))
        if signature == (DERIVED_BY, 2):
            derived.append((symbol.arguments[1], symbol.arguments[0].number))
            continue
        atoms.append(symbol)
        if signature in chosen.alone:
            derived.append((symbol, chosen.alone[signature]))
    return Model(tuple(atoms), tuple(derived))
