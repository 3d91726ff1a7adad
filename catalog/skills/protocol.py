"""Interface of skills: functions from values to one of their declared outcomes, and the key of a call.

By an idempotency key the system that a skill acts on knows a call that comes a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Generic

from pydantic import JsonValue
from typing_extensions import TypeVar


@dataclass(frozen=True, slots=True)
class File:
    """A picture or a document as a skill gets and returns it: its bytes, with a name.

    The media type of one that a skill gets was told by what the file holds. Of one that a skill returns nothing is
    trusted but the name: it is told anew.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)


Picture = File
"""The name of it in skills that were written before there were documents."""

SkillInput = JsonValue | File | Sequence[File]
"""The argument for one fact: its value as plain JSON, or for pictures and documents the file itself, or several."""

Inputs = Mapping[str, SkillInput]
"""What a skill is given, by the names that its mode declares; optional inputs only when they are known."""

Returnable = SkillInput
"""What a skill may return for a fact: a file where that is a picture or a document, else plain JSON."""


Value_co = TypeVar("Value_co", covariant=True, default=JsonValue)


@dataclass(frozen=True, slots=True)
class Result(Generic[Value_co]):
    """The result of a skill: the name of one declared outcome, and a value for each fact of that outcome.

    That of a skill which makes files is a `Result[Returnable]`; once it was checked, all values are JSON.
    """

    outcome: str
    facts: Mapping[str, Value_co] = field(default_factory=dict)


NO_EFFECT: Final = "no_effect"
UNKNOWN: Final = "unknown"
"""What a lookup returns, which tells what became of a call, given its inputs; `idempotency_key` returns its key.

A result: it took effect, and ended in that outcome. NO_EFFECT: it did not, and what may still be on its way will not,
or under the same key only once. UNKNOWN: neither can be told; then a person is asked.
"""


Given = TypeVar("Given")


def given(inputs: Inputs, fact: str, kind: type[Given], noun: str) -> Given:
    """Return what a skill is given for a fact. Raises TypeError where that is of another type."""
    value = inputs[fact]
    if not isinstance(value, kind):
        raise TypeError(f"{fact} is {type(value).__name__}, and is to be {noun}")
    return value


def text_in(inputs: Inputs, fact: str) -> str:
    return given(inputs, fact, str, "text")


def load_files(value: JsonValue, read: Callable[[str], bytes]) -> SkillInput:
    """Return a value as a skill gets it: where it stands for a file, or is a list of such values, the files.

    `read` returns the bytes under a digest.
    """
    if isinstance(value, list) and value and all(map(_is_file, value)):
        return [_load(one, read) for one in value if isinstance(one, dict)]
    return _load(value, read) if isinstance(value, dict) and _is_file(value) else value


def _is_file(value: JsonValue) -> bool:
    return isinstance(value, dict) and set(value) == {"attachment", "name", "media_type", "size"}


def _load(value: Mapping[str, JsonValue], read: Callable[[str], bytes]) -> File:
    return File(str(value["name"]), str(value["media_type"]), read(str(value["attachment"])))


_KEY: ContextVar[str] = ContextVar("idempotency_key")


def idempotency_key() -> str:
    """Return the key of the call that is being made: a UUID, the same at each attempt at it, and of no other call.

    It is known on the thread on which a skill is called. Raises LookupError outside of a call.
    """
    try:
        return _KEY.get()
    except LookupError:
        raise LookupError(
            "No skill is being called on this thread, so there is no idempotency key. Read it in the function of the "
            "skill itself, and hand it on; in a test, call the function within `with calling_with_key(…):`."
        ) from None


@contextmanager
def calling_with_key(key: str) -> Iterator[None]:
    before = _KEY.set(key)
    try:
        yield
    finally:
        _KEY.reset(before)
