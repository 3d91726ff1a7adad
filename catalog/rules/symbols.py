"""Values as terms of a logic program, and back: exactly, whatever somebody wrote.

Text only ever becomes a term through `clingo.String`, never through the text of a program. That alone would cut a text
at its first NUL and fail on half a surrogate pair, so both are written with an escape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from clingo import Function, Number, String, Symbol, SymbolType, Tuple_
from pydantic import JsonValue

__all__ = ["Symbol", "constant", "fact_symbol", "name_of", "read_value", "write_pair", "write_value"]

_ESCAPE = "\N{SYMBOL FOR NULL}"
_ESCAPED = re.compile(f"[\0{_ESCAPE}\ud800-\udfff]")
_UNESCAPED = re.compile(f"{_ESCAPE}(0|d[0-9a-f]{{3}}|{_ESCAPE})")
_LARGEST = 2**31 - 1
"""Numbers of logic programs have 32 bits."""


def constant(name: str) -> Symbol:
    """Give a constant, such as the variable of a request; the name must be an identifier."""
    return Function(name)


def fact_symbol(predicate: str, *arguments: Symbol) -> Symbol:
    """Give an atom of a program as a symbol."""
    return Function(predicate, list(arguments))


def write_value(value: JsonValue) -> Symbol:
    """Give a value as a term: text as text, numbers and truth values as such, a pair as one, all else as its JSON."""
    if isinstance(value, str):
        return String(_ESCAPED.sub(_escape, value))
    if isinstance(value, bool):
        return Function("true" if value else "false")
    if isinstance(value, int) and abs(value) <= _LARGEST:
        return Number(value)
    return Function("json", [write_value(json.dumps(value))])


def write_pair(pair: Sequence[JsonValue]) -> Symbol:
    """Give two values as a tuple, as a period is written; an end that was left open is `open`."""
    return Tuple_([constant("open") if value is None else write_value(value) for value in pair])


def name_of(term: Symbol) -> str:
    """Give the name of a constant; of any other term, nothing."""
    return term.name if term.type == SymbolType.Function and not term.arguments else ""


def read_value(term: Symbol) -> JsonValue:
    """Give the value of a term that `write_value` wrote; raise `ValueError` for any other term."""
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
