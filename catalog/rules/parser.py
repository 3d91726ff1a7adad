"""Parser of rules: statements with their lines, and errors with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from clingo import Control, MessageCode
from clingo.ast import AST, ASTSequence, ASTType, Sign, parse_string

from catalog.model import Catalog
from catalog.model.identifiers import identify

Signature = tuple[str, int]
"""A predicate: its name, and how many arguments it has."""

GOAL: Signature = ("goal", 2)
ASKED: Signature = ("_goal", 2)
ERROR: Signature = ("error", 1)
DERIVED_BY = "derived_by"
RESERVED = frozenset({"goal", "error", "not", DERIVED_BY, "true", "false", "json"})
"""Names that no fact has in a program."""


@dataclass(frozen=True)
class RuleVocabulary:
    """The identifiers of a catalog's facts and goals in rules, and the kind of each fact's values.

    Of a fact `day` there is `_day(X, V)`, what was said for request X, and `day(X, V, T)`, what holds of it: V is a
    value of kind T, or another request whose result T is meant.
    """

    facts: Mapping[str, str]
    goals: Mapping[str, str]
    kinds: Mapping[str, str]

    @classmethod
    def of(cls, catalog: Catalog) -> RuleVocabulary:
        return cls(
            facts=identify(catalog.facts, RESERVED, "fact"),
            goals=identify(catalog.goals, RESERVED, "goal"),
            kinds={name: fact.value.kind for name, fact in catalog.facts.items()},
        )

    @cached_property
    def fact_of(self) -> Mapping[str, str]:
        """Lead back from an identifier to the fact."""
        return {identifier: name for name, identifier in self.facts.items()}

    @cached_property
    def goal_of(self) -> Mapping[str, str]:
        """Lead back from an identifier to the goal."""
        return {identifier: name for name, identifier in self.goals.items()}

    @cached_property
    def signatures(self) -> frozenset[Signature]:
        """Collect the predicates that rules may use without defining them."""
        return frozenset((GOAL, ASKED, *self._of_facts()))

    def _of_facts(self) -> Iterator[Signature]:
        for identifier in self.facts.values():
            yield identifier, 3
            yield f"_{identifier}", 2


_PLACE = re.compile(r"^<[^>]*>:(\d+):[^ ]* (?:error|note|info|warning): ?(.*)$", re.DOTALL)
_DIRECTIVE = re.compile(r"#\s*([a-z]+)")
_PIECE = re.compile(
    r'"(?:\\["\\n]|[^"\\\n\0\ud800-\udfff])*"|%(?!\*)[^\n\0\ud800-\udfff]*'
    r'|(?P<block>%\*)|(?P<open>")|(?P<foreign>[\0\x80-\U0010ffff])'
)
"""Texts and comments, in which anything may be; and what may not be anywhere else."""
_WRITE = {
    "block": "Begin each line of it with a %.",
    "open": r"Close it on its line; in it, write \" for a quotation mark, \n for a line break, \\ for a backslash.",
    "foreign": "Put it in double quotation marks; names are of small letters from a to z.",
}
_ALLOWED_DIRECTIVES = frozenset({"count", "sum", "min", "max", "true", "false"})
_INFO = frozenset((MessageCode.AtomUndefined, MessageCode.OperationUndefined, MessageCode.Other))


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: `head` holds wherever `body` does; both as text.

    `positive` and `negative` are the predicates that the body asks for and that it wants to be absent; what it counts
    over is among the negative ones, as it has to be settled before too. `variables` are those outside of what it
    counts; `constants` are some that must be among the facts for it to apply. A rule that is not `counted` is known to
    apply a few times only.
    """

    head: str
    body: str
    defines: Signature
    positive: frozenset[Signature] = frozenset()
    negative: frozenset[Signature] = frozenset()
    variables: tuple[str, ...] = ()
    constants: frozenset[str] = frozenset()
    counted: bool = False
    line: int = 1

    def __str__(self) -> str:
        return f"{self.head} :- {self.body}." if self.body else f"{self.head}."


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in a text that is no rule of the kind that is allowed: its line, what it is, and what to write."""

    line: int
    found: str
    write: str


@dataclass
class _Read:
    rules: list[tuple[Rule, AST]] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


def read_rules(text: str) -> tuple[Rule, ...]:
    """Read the rules of a text that `check_rules` has found right."""
    return tuple(rule for rule, _ in parse_rules(text)[0])


def parse_rules(text: str) -> tuple[list[tuple[Rule, AST]], list[Unread]]:
    """Read a text: its rules with their syntax trees, and what cannot be taken."""
    read = _Read()
    if unparsable := list(_find_unparsable(text)):
        return [], unparsable
    messages: list[tuple[MessageCode, str]] = []
    nodes: list[AST] = []
    try:
        parse_string(text, nodes.append, logger=lambda code, message: messages.append((code, message)))
    except RuntimeError:
        return [], list(_say_messages(messages, "Write rules as `head :- body.`; each ends with a full stop."))
    for node in nodes[1:]:  # the first says that the program begins
        _take(node, read)
    return read.rules, read.unread


def _find_unparsable(text: str) -> Iterator[Unread]:
    """Find what must not even be parsed.

    Parsing an `#include` reads the file: so that nothing hangs on our reading quotation marks as clingo does, it is
    refused in texts and comments too. And where clingo meets half of a letter beyond ASCII, the whole process ends.
    """
    for match in _DIRECTIVE.finditer(text):
        if match[1] not in _ALLOWED_DIRECTIVES:
            write = "Write rules alone: `head :- body.`, without # except in #count, #sum, #min and #max."
            yield Unread(text.count("\n", 0, match.start()) + 1, f"There is {match.group()}.", write)
    for match in _PIECE.finditer(text):
        if match.lastgroup is not None:
            found = f"There is {match.group()!a} where no text is." if match["foreign"] else "A text is not closed."
            found = "There is a comment of several lines." if match["block"] else found
            yield Unread(text.count("\n", 0, match.start()) + 1, found, _WRITE[match.lastgroup])


def _take(node: AST, read: _Read) -> None:
    line = node.location.begin.line
    if node.ast_type == ASTType.Comment:
        return
    if node.ast_type != ASTType.Rule:
        what = _STATEMENTS.get(node.ast_type, "something else than a rule")
        read.unread.append(Unread(line, f"There is {what}.", "Write rules alone: `head :- body.`"))
        return
    head = node.head
    if head.ast_type != ASTType.Literal:
        write = "Let each rule have one atom before `:-`, which then holds for certain."
        read.unread.append(Unread(line, "The rule leaves a choice of what holds.", write))
    elif head.atom.ast_type == ASTType.BooleanConstant:
        write = 'Write error("…") before `:-`, with what the user is to be told.'
        read.unread.append(Unread(line, "The rule forbids without saying why.", write))
    elif head.sign != Sign.NoSign or not is_atom(head):
        write = 'Write an atom before `:-`, such as error("…").'
        read.unread.append(Unread(line, "Before `:-` there is no plain atom.", write))
    else:
        read.rules.append((_rule(node), node))


def _rule(node: AST) -> Rule:
    positive: dict[Signature, None] = {}
    negative: dict[Signature, None] = {}
    names: dict[str, None] = {}
    for literal in node.body:
        counted = literal.ast_type != ASTType.Literal or not is_atom(literal)
        for atom in walk(literal, ASTType.SymbolicAtom):
            into = negative if counted or literal.sign != Sign.NoSign else positive
            into[signature_of(atom.symbol)] = None
        if literal.ast_type == ASTType.Literal and literal.sign == Sign.NoSign:
            names.update(dict.fromkeys(variable.name for variable in walk(literal, ASTType.Variable)))
    return Rule(
        head=str(node.head),
        body=", ".join(map(str, node.body)),
        defines=signature_of(node.head.atom.symbol),
        positive=frozenset(positive),
        negative=frozenset(negative),
        variables=tuple(name for name in names if name != "_"),
        counted=sum(literal.ast_type == ASTType.Literal and is_atom(literal) for literal in node.body) > 1,
        line=node.location.begin.line,
    )


def is_atom(literal: AST) -> bool:
    atom = literal.atom
    return bool(atom.ast_type == ASTType.SymbolicAtom and atom.symbol.ast_type == ASTType.Function)


def signature_of(symbol: AST) -> Signature:
    """Return the predicate of an atom; what is no plain atom has none that is known."""
    return (symbol.name, len(symbol.arguments)) if symbol.ast_type == ASTType.Function else (str(symbol), 0)


def walk(node: AST, *kinds: ASTType) -> Iterator[AST]:
    """Go through all parts of some kinds within a part, itself included."""
    if node.ast_type in kinds:
        yield node
    for child in node.child_keys:
        part = getattr(node, child)
        for one in part if isinstance(part, ASTSequence) else (part,):
            if isinstance(one, AST):
                yield from walk(one, *kinds)


def find_unsafe(text: str) -> list[Unread]:
    """Find variables that no plain atom of a body binds, by grounding over nothing; the rules must be right so far."""
    messages: list[tuple[MessageCode, str]] = []
    control = Control(logger=lambda code, message: messages.append((code, message)))
    try:
        control.add("base", [], text)
        control.ground([("base", [])], context=_Nothing())
    except RuntimeError:
        return list(_say_messages(messages, "Let an atom after `:-` that is not denied hold each variable."))
    return []


class _Nothing:
    """Stands in for what rules may call: without facts, nothing is worth calling."""

    def __getattr__(self, name: str) -> object:
        return lambda *_: []


def _say_messages(messages: list[tuple[MessageCode, str]], write: str) -> Iterator[Unread]:
    """Say what clingo says, with the line; hints that are no faults are left out."""
    told = [message for code, message in messages if code not in _INFO] or ["<>:1:1: error: it cannot be read"]
    for message in told:
        match = _PLACE.match(message)
        line, said = (int(match[1]), match[2]) if match else (1, message)
        yield Unread(line, f"{' '.join(re.sub(r'<[^>]*>:[0-9:-]+', '', said).split()).capitalize()}.", write)


_STATEMENTS = {
    ASTType.Minimize: "something to minimise",
    ASTType.TheoryAtom: "an atom of a theory",
}
"""The forbidden parts of a text, in words."""
