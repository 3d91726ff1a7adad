"""Faults that can be put into a module, one at a time: what is run is changed, and nothing that no test could see.

What makes no difference is left out: docstrings, annotations, what is imported for types alone, `__slots__`, whether
`zip` is strict, the order of what `min` and `max` compare, `None` where `False` was returned.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPPOSITES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
_LEFT_OUT = ("annotation", "returns", "decorator_list", "type_params")
_MAKES_NO_DIFFERENCE = ("strict", "repr")
_IN_ANY_ORDER = ("min", "max")


@dataclass(frozen=True)
class Function:
    """A function of a module, with all that stands in it: its qualified name and first line."""

    name: str
    line: int


@dataclass(frozen=True)
class Mutant:
    """A fault: the file, which piece of its code is spoilt and how, its lines, and the function it is in."""

    path: str
    number: int
    way: str
    lines: range
    function: Function | None

    def spoil(self, text: str) -> ast.Module:
        """Parse a module, with the fault in it."""
        tree = ast.parse(text)
        _change(next(node for number, (node, _) in enumerate(_code(tree)) if number == self.number), self.way)
        return ast.fix_missing_locations(tree)

    def compile(self, text: str, file: str) -> CodeType:
        """Compile a module, with the fault in it."""
        return compile(self.spoil(text), file, "exec", dont_inherit=True)

    def diff(self, text: str) -> str:
        """Show what is changed."""
        before, after = ast.unparse(ast.parse(text)), ast.unparse(self.spoil(text))
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), self.path, "mutant", "", "", 2)
        return "\n".join(line.rstrip() for line in lines)


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """List the faults that can be put into a module."""
    for number, (node, function) in enumerate(_code(ast.parse(text))):
        for way in _ways(node):
            first = getattr(node, "lineno", 0)
            yield Mutant(path, number, way, range(first, (getattr(node, "end_lineno", None) or first) + 1), function)


def _code(
    node: ast.AST, inside: str = "", function: Function | None = None
) -> Iterator[tuple[ast.AST, Function | None]]:
    """Walk what is run, with the outermost function that each piece stands in."""
    for name, value in ast.iter_fields(node):
        if name in _LEFT_OUT:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _makes_no_difference(child):
                continue
            yield child, function
            below, within = function, inside
            if isinstance(child, ast.ClassDef):
                within = f"{inside}{child.name}."
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and function is None:
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                yield from _code(child.args, within)
                for one in child.body:
                    if not _makes_no_difference(one):
                        yield one, Function(f"{inside}{child.name}", first)
                        yield from _code(one, within, Function(f"{inside}{child.name}", first))
                continue
            yield from _code(child, within, below)


def _makes_no_difference(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            return True
        case ast.keyword(arg=str(name)):
            return name in _MAKES_NO_DIFFERENCE
    return False


def _ways(node: ast.AST) -> Iterator[str]:
    """List how a piece of code can be spoilt."""
    match node:
        case ast.Compare(ops=[one]) if type(one) in _FLIPPED:
            yield "flip"
        case ast.BoolOp():
            yield "and or"
        case ast.UnaryOp(op=ast.Not()):
            yield "no not"
        case ast.If(test=test) | ast.IfExp(test=test) if not _is_negated_itself(test):
            yield "negate"
        case ast.Constant(value=bool() | int()):
            yield "constant"
        case ast.Return(value=ast.expr() as value) if not _is_nothing(value):
            yield "none"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "delete"
        case ast.Call(func=called, args=[one, other, *_]) if not _takes_any_order(called, one, other):
            yield "swap"


def _is_negated_itself(test: ast.expr) -> bool:
    """Return whether to spoil a test is to negate it."""
    match test:
        case ast.Compare(ops=[one]):
            return isinstance(one, _OPPOSITES)
        case ast.UnaryOp(op=ast.Not()):
            return True
    return False


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)


def _takes_any_order(called: ast.expr, one: ast.expr, other: ast.expr) -> bool:
    starred = isinstance(one, ast.Starred) or isinstance(other, ast.Starred)
    return starred or ast.dump(one) == ast.dump(other) or (isinstance(called, ast.Name) and called.id in _IN_ANY_ORDER)


def _change(node: ast.AST, way: str) -> None:
    """Spoil a piece of code in place."""
    match way, node:
        case "flip", ast.Compare():
            node.ops = [_FLIPPED[type(node.ops[0])]()]
        case "and or", ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "no not", ast.UnaryOp():
            node.operand, node.op = ast.UnaryOp(ast.Not(), node.operand), ast.Not()
        case "negate", ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case "constant", ast.Constant():
            node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
        case "none", ast.Return():
            node.value = ast.Constant(None)
        case "delete", ast.Expr():
            node.value = ast.Constant(None)
        case "delete", ast.AugAssign():
            node.__class__ = ast.Pass  # type: ignore[assignment]
        case "swap", ast.Call():
            node.args[0], node.args[1] = node.args[1], node.args[0]
