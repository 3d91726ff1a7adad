"""Validation of rules: known names, exactly one answer set, and termination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from clingo import Function, Number, String, Symbol, SymbolType
from clingo.ast import AST, ASTType, Sign

from catalog.problems import suggest
from catalog.rules.parser import (
    ASKED,
    ERROR,
    GOAL,
    RESERVED,
    Rule,
    RuleVocabulary,
    Signature,
    Unread,
    find_unsafe,
    is_atom,
    parse_rules,
    signature_of,
    walk,
)
from catalog.values.base import shortened

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


MAX_LITERALS = 12
"""The literals allowed in the body of a rule."""
MAX_RULES = 1_000
"""Rules of a catalog, over all its texts."""


@dataclass(frozen=True, slots=True)
class RuleFault:
    """An error in rules: in which text (counted from 0), on which line of it, and what to write instead."""

    text: int
    line: int
    found: str
    write: str


def check_rules(texts: Sequence[str], vocabulary: RuleVocabulary) -> tuple[RuleFault, ...]:
    """List what is wrong with the rules of a catalog; with none of that, solving them ends, in one way."""
    faults: list[RuleFault] = []
    parsed: list[tuple[int, Rule, AST]] = []
    for number, text in enumerate(texts):
        rules, unread = parse_rules(text)
        faults += _faults(number, unread)
        parsed += [(number, rule, node) for rule, node in rules]
    if len(parsed) > MAX_RULES:
        found = f"There are {len(parsed):,} rules; a catalog may have {MAX_RULES:,}."
        return (RuleFault(0, 1, found, "Leave some out."),)
    own = {rule.defines for _, rule, _ in parsed} - vocabulary.signatures
    known = vocabulary.signatures | own | {ERROR}
    for number, rule, node in parsed:
        faults += _faults(number, _judge(rule, node, vocabulary, known))
    faults += _find_circles([(number, rule) for number, rule, _ in parsed])
    if not faults:
        for number, text in enumerate(texts):
            faults += _faults(number, find_unsafe(text))
    return tuple(sorted(faults, key=lambda fault: (fault.text, fault.line)))


def _faults(number: int, unread: Iterable[Unread]) -> Iterator[RuleFault]:
    return (RuleFault(number, one.line, one.found, one.write) for one in unread)


def _judge(rule: Rule, node: AST, vocabulary: RuleVocabulary, known: frozenset[Signature]) -> Iterator[Unread]:
    yield from _judge_head(rule, node, vocabulary)
    if len(node.body) > MAX_LITERALS:
        found = f"After `:-` there are {len(node.body)} conditions; {MAX_LITERALS} are allowed."
        yield Unread(rule.line, found, "Split the rule: give some of them a name of their own.")
    for literal in node.body:
        yield from _judge_literal(literal)
    for atom in walk(node, ASTType.SymbolicAtom):
        yield from _judge_atom(atom.symbol, vocabulary, known)
    for part in walk(node, ASTType.Interval, ASTType.Pool, ASTType.Function):
        if part.ast_type != ASTType.Function:
            yield Unread(_line(part), f"{part} stands for several terms at once.", "Write one rule for each.")
        elif part.external:
            yield from _judge_call(part)


def _judge_head(rule: Rule, node: AST, vocabulary: RuleVocabulary) -> Iterator[Unread]:
    name, arity = rule.defines
    identifier = vocabulary.fact_of.get(name)
    if rule.defines == ERROR:
        text = node.head.atom.symbol.arguments[0]
        if text.ast_type != ASTType.Variable and not str(text).startswith('"'):
            yield Unread(rule.line, f"{shortened(str(text))} is no text to be shown.", 'Write error("…").')
        return
    if name in RESERVED or name.startswith("_"):
        found = f"Before `:-` there is {name}/{arity}, which is not for rules to say."
        yield Unread(rule.line, found, 'Write error("…"), a fact as day(X, V, date), or a name of your own.')
    elif identifier is not None and arity == 3:
        kind, given = vocabulary.kinds[identifier], str(node.head.atom.symbol.arguments[2])
        if given != kind:
            write = f"Write {name}(X, V, {kind})."
            yield Unread(rule.line, f"A value of {name} is of the kind {kind}, and not {shortened(given)}.", write)


def _judge_literal(literal: AST) -> Iterator[Unread]:
    kind, line = literal.ast_type, _line(literal)
    if kind == ASTType.ConditionalLiteral:
        yield Unread(line, f"{literal} is a condition on conditions.", "Write it as a rule of its own.")
    elif literal.sign == Sign.DoubleNegation:
        yield Unread(line, f"{literal} is denied twice.", "Write it without `not not`.")
    elif literal.atom.ast_type in (ASTType.Aggregate, ASTType.TheoryAtom):
        yield Unread(line, f"{literal} is neither an atom nor a comparison.", "Count with #count{ X: day(X, _, _) }.")
    elif literal.atom.ast_type == ASTType.SymbolicAtom and not is_atom(literal):
        yield Unread(line, f"{literal} is no plain atom.", "Write `not` for what is denied.")


def _judge_atom(symbol: AST, vocabulary: RuleVocabulary, known: frozenset[Signature]) -> Iterator[Unread]:
    signature = signature_of(symbol)
    name, arity = signature
    line = _line(symbol)
    if symbol.ast_type != ASTType.Function:
        return
    if signature not in known:
        others = sorted({len_ for called, len_ in known if called == name})
        if others:
            write = f"Write it with {' or '.join(map(str, others))}{_form_of(name, vocabulary)}."
            yield Unread(line, f"{name} has {arity} arguments here.", write)
        else:
            write = suggest(name, sorted({called for called, _ in known}), "predicates")
            yield Unread(line, f"Nothing is called {name}.", write)
    elif signature in (GOAL, ASKED) and symbol.arguments[1].ast_type == ASTType.SymbolicTerm:
        goal = str(symbol.arguments[1])
        if goal not in vocabulary.goal_of:
            yield Unread(line, f"No goal is called {shortened(goal)}.", suggest(goal, vocabulary.goal_of, "goals"))
    elif name in vocabulary.fact_of and arity == 3 and symbol.arguments[2].ast_type == ASTType.SymbolicTerm:
        kind, given = vocabulary.kinds[vocabulary.fact_of[name]], str(symbol.arguments[2])
        if given != kind and given not in vocabulary.fact_of:
            write = f"Write {name}(X, V, {kind})."
            yield Unread(line, f"A value of {name} is of the kind {kind}, and not {shortened(given)}.", write)


def _form_of(name: str, vocabulary: RuleVocabulary) -> str:
    if name in vocabulary.fact_of:
        return f": {name}(X, V, {vocabulary.kinds[vocabulary.fact_of[name]]})"
    if name[1:] in vocabulary.fact_of:
        return f": {name}(X, V)"
    return ""


def _judge_call(call: AST) -> Iterator[Unread]:
    arity = CALLBACKS.get(call.name)
    if arity is None:
        found = f"There is no function @{shortened(call.name)}."
        yield Unread(_line(call), found, suggest(call.name, CALLBACKS, "functions"))
    elif arity != len(call.arguments):
        found = f"@{call.name} has {len(call.arguments)} arguments here."
        yield Unread(_line(call), found, f"Write it with {arity}.")


def _line(part: AST) -> int:
    return int(part.location.begin.line)


def _find_circles(rules: Sequence[tuple[int, Rule]]) -> Iterator[RuleFault]:
    """Find rules that lead back to what they need: these might never end, or hold in several ways or none."""
    leads: dict[Signature, set[Signature]] = {}
    for _, rule in rules:
        leads.setdefault(rule.defines, set()).update(rule.positive, rule.negative)
    for number, rule in rules:
        if rule.defines in _reach(leads, (*rule.positive, *rule.negative)):
            name, arity = rule.defines
            found = f"What the rule says of {name}/{arity} depends on itself."
            write = f"Let it depend on what was said, as _{name}(X, V), or on what does not depend on it."
            yield RuleFault(number, rule.line, found, write)


def _reach(leads: Mapping[Signature, Iterable[Signature]], start: Iterable[Signature]) -> set[Signature]:
    reached: set[Signature] = set()
    waiting = list(start)
    while waiting:
        at = waiting.pop()
        if at not in reached:
            reached.add(at)
            waiting.extend(leads.get(at, ()))
    return reached
