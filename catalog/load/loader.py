"""Load a catalog from the name of a demo, a file or text; all problems are reported at once.

YAML is read as a stream of events and never as a graph of objects: tags construct nothing, aliases are refused before
they could multiply, and nesting is counted, not recursed into. Every scalar stays text, except a plain `null`: a skill
named `no` or `1.10` keeps its name, and the models decide which texts are numbers or booleans.
"""

from __future__ import annotations

import hashlib
import types
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from catalog.checks.errors import find_errors
from catalog.demos import DEMOS
from catalog.expand.expansion import expand
from catalog.model import Catalog
from catalog.model.loaded import Loaded
from catalog.problems import CatalogError, Place, Problem, line_of, nearest, where
from catalog.values import KINDS, Kind, Unfit
from catalog.values.base import is_clean, listed, shortened

MAX_BYTES = 5_000_000
MAX_DEPTH = 50

Node = str | None | list["Node"] | dict[str, "Node"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\xef\xbb\xbf": "UTF-8 with a byte order mark"}


@dataclass
class Source:
    """The parsed tree, and the line (from 1) of each place in it."""

    root: Node = None
    lines: dict[Place, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Open:
    """A mapping or list that has not ended yet."""

    node: list[Node] | dict[str, Node]
    place: Place
    key: str | None = None
    doubled: bool = False


def read_yaml(source: str | bytes, file: str) -> Source:
    """Read one YAML document, or raise `CatalogError` for what cannot be read at all."""
    text = decode(source, file)
    found = Source(lines={(): 1})
    try:
        _build(yaml.parse(text, Loader=_LOADER), found, file)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else None
        reason = " ".join(str(part) for part in (getattr(error, "problem", None) or error,)).split("\n")[0]
        raise _refusal(
            "not-yaml", file, line, f"The text is not YAML here: {shortened(reason, 200)}.", _HOW_TO_QUOTE
        ) from error
    if found.problems:
        raise CatalogError(found.problems)
    return found


_HOW_TO_QUOTE = "Check the indentation, and put quotes around text that holds a colon, a # or a bracket."


def decode(source: str | bytes, file: str) -> str:
    """Return the text of a file, or raise `CatalogError` when it is too large or not UTF-8."""
    size = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    _check_size(size, file)
    if isinstance(source, bytes):
        for mark, name in _MARKS.items():
            if source.startswith(mark):
                raise _refusal("not-utf-8", file, 1, f"The file is {name}.", "Save it as UTF-8 without such a mark.")
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            line = bytes(error.object[: error.start]).count(b"\n") + 1
            found = f"The file is not UTF-8 here (byte {error.object[error.start]:#04x})."
            raise _refusal("not-utf-8", file, line, found, "Save it as UTF-8.") from error
    if source.startswith("\ufeff"):
        found, write = "The text begins with a byte order mark.", "Save it as UTF-8 without such a mark."
        raise _refusal("not-utf-8", file, 1, found, write)
    if not is_clean(source):
        line = next(i for i, part in enumerate(source.split("\n"), 1) if not is_clean(part))
        found = "The text holds a NUL, or half of a surrogate pair, which is no character."
        raise _refusal("not-text", file, line, found, "Take it out.")
    return source


def _check_size(size: int, file: str) -> None:
    if size > MAX_BYTES:
        found = f"The file has {size:,} bytes; a catalog may have {MAX_BYTES:,}."
        raise _refusal("too-large", file, None, found, "Split it into several catalogs.")


def _build(events: Iterator[yaml.Event], found: Source, file: str) -> None:
    """Put the events together; what is refused but can be read past is noted, so that all of it is told at once."""
    stack: list[_Open] = []
    documents = 0
    for event in events:
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _refusal("two-documents", file, line, "A second document begins here.", "Keep one to a file.")
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            around = stack[-1] if stack else None
            if isinstance(event, yaml.ScalarEvent) and around and around.key is None and isinstance(around.node, dict):
                _refuse_extras(event, found, file, line, around.place)
                _open_key(event.value, around, found, file, line)
                continue
            place = _place(stack, found, line, file)
            _refuse_extras(event, found, file, line, place)
            node = _node(event)
            _put(node, stack, found)
            if not isinstance(node, str | None):
                if len(stack) >= MAX_DEPTH:
                    text = f"Nesting goes deeper than {MAX_DEPTH} levels here."
                    raise _refusal("too-deep", file, line, text, "A catalog needs fewer than 10.")
                stack.append(_Open(node, place))
    if not documents:
        raise _refusal("empty", file, None, "The file is empty.", "Begin with `name:` and `facts:`.")


def _node(event: yaml.NodeEvent) -> Node:
    if isinstance(event, yaml.MappingStartEvent):
        return {}
    if isinstance(event, yaml.SequenceStartEvent):
        return []
    if isinstance(event, yaml.ScalarEvent):
        text = str(event.value)
        return None if event.implicit[0] and text in ("", "~", "null", "Null", "NULL") else text
    return None


def _open_key(text: str, around: _Open, found: Source, file: str, line: int) -> None:
    """Take a key: always text, in one Unicode form so that two spellings of it are one."""
    key = unicodedata.normalize("NFC", text)
    place = (*around.place, key)
    around.key, around.doubled = key, key in around.node
    if around.doubled:
        first = found.lines[place]
        text = f"The key {shortened(key)!r} is here a second time; the first is on line {first}."
        found.problems.append(Problem("error", "duplicate-key", file, line, where(place), text, "Keep one of them."))
    else:
        found.lines[place] = line


def _place(stack: list[_Open], found: Source, line: int, file: str) -> Place:
    """Work out where the node that begins goes."""
    if not stack:
        return ()
    around = stack[-1]
    if isinstance(around.node, list):
        place: Place = (*around.place, len(around.node))
        found.lines[place] = line
        return place
    if around.key is None:
        text = "A key here is not text but a list, a mapping or an alias."
        raise _refusal("key-not-text", file, line, text, "Write a plain word before the colon.")
    return (*around.place, around.key)


def _put(node: Node, stack: list[_Open], found: Source) -> None:
    if not stack:
        found.root = node
        return
    around = stack[-1]
    if isinstance(around.node, list):
        around.node.append(node)
    elif around.key is not None:
        if not around.doubled:
            around.node[around.key] = node
        around.key = None


def _refuse_extras(event: yaml.NodeEvent, found: Source, file: str, line: int, place: Place) -> None:
    """Note anchors, aliases and tags: a catalog is data, read as it stands."""
    if isinstance(event, yaml.AliasEvent):
        text, write = f"The alias *{shortened(str(event.anchor))} stands here.", "Write out what it stands for."
        found.problems.append(Problem("error", "alias", file, line, where(place), text, write))
        return
    if event.anchor:
        text = f"The anchor &{shortened(event.anchor)} stands here."
        found.problems.append(Problem("error", "anchor", file, line, where(place), text, "Take it out."))
    tag = getattr(event, "tag", None)
    if tag:
        text = f"The tag {shortened(tag)} stands here; tags are never followed."
        found.problems.append(Problem("error", "tag", file, line, where(place), text, "Write the value without a tag."))


def _refusal(code: str, file: str, line: int | None, found: str, write: str) -> CatalogError:
    return CatalogError([Problem("error", code, file, line, "", found, write)])


__all__ = ["Loaded", "load", "loads"]


def load(source: str | Path) -> Loaded:
    """Load a demo by its name, or a file by its path; raise `CatalogError` with everything that is wrong."""
    path = DEMOS.get(source, Path(source)) if isinstance(source, str) else source
    try:
        if not path.is_file():
            raise _no_catalog(str(source), "There is no such file.")
        with path.open("rb") as stream:
            text = stream.read(MAX_BYTES + 1)
            size = len(text) if len(text) <= MAX_BYTES else path.stat().st_size
    except (OSError, ValueError) as error:
        if isinstance(error, CatalogError):
            raise
        raise _no_catalog(str(source), f"The file cannot be read: {error}.") from error
    _check_size(size, str(path))
    return loads(text, file=str(path))


def loads(text: str | bytes, file: str = "<text>") -> Loaded:
    """Load a catalog from its YAML; `file` is what problems call it."""
    source = read_yaml(text, file)
    try:
        catalog = Catalog.model_validate(source.root)
    except ValidationError as error:
        raise CatalogError(find_faults(error, source.root, source.lines, file)) from error
    if errors := find_errors(catalog, source.lines, file):
        raise CatalogError(errors)
    expanded, lines = expand(catalog, source.lines)
    if expanded is not catalog and (errors := find_errors(expanded, lines, file)):
        raise CatalogError(errors)
    written = text if isinstance(text, bytes) else text.encode("utf-8")
    return Loaded(expanded, lines, file, hashlib.sha256(written).hexdigest())


def _no_catalog(source: str, found: str) -> CatalogError:
    write = f"Give the path of a YAML file, or the name of a demo: {', '.join(DEMOS)}."
    return _refusal("no-catalog", shortened(ascii(source)[1:-1], 200), None, found, write)


def find_faults(error: ValidationError, root: Node, lines: Mapping[Place, int], file: str) -> list[Problem]:
    """Translate every error, in the order of the file, each once."""
    problems = []
    for detail in error.errors(include_url=False):
        place, node = _follow(detail["loc"], root)
        found, write = _words(detail, place, node)
        problems.append(Problem("error", _code(detail), file, line_of(place, lines), where(place), found, write))
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.line or 0)


def _follow(loc: Sequence[str | int], root: Node) -> tuple[Place, Node]:
    """Follow a location into what was read; parts that pydantic added itself (the kind of a value) lead nowhere."""
    place: list[str | int] = []
    node = root
    for part in loc:
        if isinstance(node, dict) and part in node:
            place.append(part)
            node = node[str(part)]
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            place.append(part)
            node = node[part]
    return tuple(place), node


def _code(detail: ErrorDetails) -> str:
    known = {"missing": "missing-key", "extra_forbidden": "unknown-key", "value_error": "unfit"}
    return known.get(detail["type"], "wrong-value")


def _words(detail: ErrorDetails, place: Place, node: Node) -> tuple[str, str]:
    """Say what was found, and what to write."""
    kind, context, given = detail["type"], detail.get("ctx", {}), detail.get("input")
    if kind == "missing":
        return _missing(str(detail["loc"][-1]), node, place)
    if kind == "extra_forbidden":
        return _unknown(str(detail["loc"][-1]), place[:-1], detail["loc"])
    reason = context.get("error")
    if isinstance(reason, Unfit):
        return reason.found, reason.write
    if kind == "union_tag_invalid":
        return _unknown_kind(str(context.get("tag")))
    if kind == "union_tag_not_found":
        return f"Found {_shown(given)}.", f"Write its kind, `kind: money`. Known kinds: {', '.join(KINDS)}."
    about = "The key is" if detail["loc"][-1:] == ("[key]",) else "Found"
    text = detail["msg"].removeprefix("Value error, ")
    expected = _EXPECTED.get(kind)
    return f"{about} {_shown(given)}.", expected.format(**context) if expected else f"{text}."


_EXPECTED = {
    "string_type": "Write text; put quotes around it if YAML takes it for something else.",
    "string_too_short": "Write at least {min_length} character.",
    "string_too_long": "Write at most {max_length} characters.",
    "string_pattern_mismatch": "Write something of the form {pattern}",
    "int_type": "Write a whole number.",
    "int_parsing": "Write a whole number.",
    "int_from_float": "Write a whole number.",
    "float_type": "Write a number.",
    "float_parsing": "Write a number.",
    "decimal_type": "Write a number.",
    "decimal_parsing": "Write a number.",
    "finite_number": "Write a number that is finite.",
    "greater_than": "Write more than {gt:g}.",
    "greater_than_equal": "Write {ge:g} or more.",
    "less_than_equal": "Write {le:g} or less.",
    "enum": "Write {expected}.",
    "literal_error": "Write {expected}.",
    "tuple_type": "Write a list, one item a line after a hyphen, or [a, b].",
    "list_type": "Write a list, one item a line after a hyphen, or [a, b].",
    "mapping_type": "Write a mapping: a name, a colon, and what it stands for.",
    "dict_type": "Write a mapping: a name, a colon, and what it stands for.",
    "model_type": "Write a mapping of its keys, each with a colon.",
    "model_attributes_type": "Write a mapping of its keys, each with a colon.",
    "too_short": "Write at least {min_length}.",
    "too_long": "There may be at most {max_length}.",
}
"""The advice for each type of error of pydantic."""


def _missing(key: str, node: Node, place: Place) -> tuple[str, str]:
    has = f"There is {listed(node)}." if isinstance(node, dict) and node else "There are no keys here."
    return f"The key {key!r} is missing. {has}", f"Add `{key}:`{' to it' if place else ' at the top'}."


def _unknown(key: str, around: Place, loc: Sequence[str | int]) -> tuple[str, str]:
    known = _known_keys(loc[:-1])
    near = nearest(key, known)
    meant = f"Did you mean {near!r}? " if near else ""
    place = f" of {where(around)}" if around else ""
    return f"There is no key {shortened(key)!r} here.", f"{meant}Known keys{place}: {', '.join(known)}."


def _unknown_kind(tag: str) -> tuple[str, str]:
    near = nearest(tag, KINDS)
    meant = f"Did you mean {near!r}? " if near else ""
    return f"There is no kind of value called {shortened(tag)!r}.", f"{meant}Known kinds: {', '.join(KINDS)}."


def _shown(given: Any) -> str:
    """Show what was found, in a few words."""
    if given is None:
        return "nothing"
    if isinstance(given, str):
        return f"the text {shortened(given)!r}"
    if isinstance(given, Mapping):
        return f"a mapping of {listed(map(str, given))}" if given else "an empty mapping"
    if isinstance(given, list | tuple):
        return f"a list of {len(given)}" if given else "an empty list"
    return shortened(repr(given))


def _known_keys(loc: Sequence[str | int]) -> list[str]:
    """List the keys that a mapping at a location may have; the name is its own key, except at the top."""
    at: Any = Catalog
    for part in loc:
        at = _step(at, part)
    if not (isinstance(at, type) and issubclass(at, BaseModel)):
        return []
    return [key for key in at.model_fields if key != "name" or at is Catalog]


def _step(annotation: Any, part: str | int) -> Any:
    """Go from a type to the type of one part of it: a field, an entry, an item, or a kind of value by its tag."""
    if annotation is Kind:
        return KINDS.get(str(part))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(str(part))
        return _bare(field.annotation) if field else None
    if get_origin(annotation) is tuple or get_origin(annotation) in (Mapping, dict):
        inner = [argument for argument in get_args(annotation) if argument is not Ellipsis]
        return _bare(inner[-1])
    return None


def _bare(annotation: Any) -> Any:
    """Take the wrapping off a type: `Annotated`, and `| None`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        rest = list(_alternatives(annotation))
        return _bare(rest[0]) if len(rest) == 1 else annotation
    return annotation


def _alternatives(annotation: Any) -> Iterator[Any]:
    return (argument for argument in get_args(annotation) if argument is not type(None))
