"""The idempotency key of a call: by it the system that a skill acts on knows a call that comes a second time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
