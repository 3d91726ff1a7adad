"""YAML with the line of each place, for every kind of file that people write: a tree of texts, and nothing runs.

YAML is read as a stream of events and never as a graph of objects: tags construct nothing, aliases are refused before
they could multiply, and nesting is counted, not recursed into. Every scalar stays text, except a plain `null`: a skill
named `no` or `1.10` keeps its name, and the models decide which texts are numbers or booleans.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from catalog.model.entry import raise_limit
from catalog.problems import CatalogError, Place, Problem, where
from catalog.values.base import is_clean, shortened

MAX_MIB = 20.0
MIB = 2**20
MAX_DEPTH = 50

Node = str | None | list["Node"] | dict[str, "Node"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\xef\xbb\xbf": "UTF-8 with a byte order mark"}


@dataclass(frozen=True)
class FileForm:
    """A kind of file: what one and several are called, how one begins, how deep it goes, and those that come along."""

    one: str
    many: str
    begin: str
    levels: int
    demos: Mapping[str, Path]
    mib_setting: str = ""
    """The setting that raises the size of such files, if there is one."""


@dataclass
class ParsedSource:
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


def read_yaml(source: str | bytes, file: str, form: FileForm, max_mib: float = MAX_MIB) -> ParsedSource:
    """Read one YAML document, or raise `CatalogError` for what cannot be read at all."""
    text = decode(source, file, form, max_mib)
    found = ParsedSource(lines={(): 1})
    try:
        _build(yaml.parse(text, Loader=_LOADER), found, file, form)
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


def decode(source: str | bytes, file: str, form: FileForm, max_mib: float = MAX_MIB) -> str:
    """Return the text of a file, or raise `CatalogError` when it is too large or not UTF-8."""
    size = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    _check_size(size, file, form, max_mib)
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


def _check_size(size: int, file: str, form: FileForm, max_mib: float) -> None:
    if size > max_mib * MIB:
        found = f"The file has {size / MIB:,.2f} MiB; a {form.one} may have {max_mib:,g}."
        write = f"Split it into several {form.many}{form.mib_setting and f', {raise_limit(form.mib_setting)}'}."
        raise _refusal("too-large", file, None, found, write)


def read_file(source: str | Path, form: FileForm, max_mib: float = MAX_MIB) -> tuple[bytes, str]:
    """Read a demo by its name, or a file by its path, which is returned too; raise `CatalogError` if that fails."""
    path = form.demos.get(source, Path(source)) if isinstance(source, str) else source
    try:
        if not path.is_file():
            raise _no_file(str(source), "There is no such file.", form)
        with path.open("rb") as stream:
            content = stream.read(int(max_mib * MIB) + 1)
            size = len(content) if len(content) <= max_mib * MIB else path.stat().st_size
    except (OSError, ValueError) as error:
        if isinstance(error, CatalogError):
            raise
        raise _no_file(str(source), f"The file cannot be read: {error}.", form) from error
    _check_size(size, str(path), form, max_mib)
    return content, str(path)


def _no_file(source: str, found: str, form: FileForm) -> CatalogError:
    code = f"no-{form.one.replace(' ', '-')}"
    demo = f", or the name of a demo: {', '.join(form.demos)}" if form.demos else ""
    write = f"Give the path of a YAML file{demo}."
    return _refusal(code, shortened(ascii(source)[1:-1], 200), None, found, write)


def _build(events: Iterator[yaml.Event], found: ParsedSource, file: str, form: FileForm) -> None:
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
                    raise _refusal("too-deep", file, line, text, f"A {form.one} needs fewer than {form.levels}.")
                stack.append(_Open(node, place))
    if not documents:
        raise _refusal("empty", file, None, "The file is empty.", form.begin)


def _node(event: yaml.NodeEvent) -> Node:
    if isinstance(event, yaml.MappingStartEvent):
        return {}
    if isinstance(event, yaml.SequenceStartEvent):
        return []
    if isinstance(event, yaml.ScalarEvent):
        text = str(event.value)
        return None if event.implicit[0] and text in ("", "~", "null", "Null", "NULL") else text
    return None


def _open_key(text: str, around: _Open, found: ParsedSource, file: str, line: int) -> None:
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


def _place(stack: list[_Open], found: ParsedSource, line: int, file: str) -> Place:
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


def _put(node: Node, stack: list[_Open], found: ParsedSource) -> None:
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


def _refuse_extras(event: yaml.NodeEvent, found: ParsedSource, file: str, line: int, place: Place) -> None:
    """Note anchors, aliases and tags: a file is data, read as it stands."""
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
