"""Idempotency keys of calls: one for each call of each conversation and task, the same at each attempt at it.

A key is handed to skills, and by them to other systems. It is derived from the id of the stream, and does not tell it:
who has the id of a conversation can read it.
"""

from __future__ import annotations

from uuid import UUID, uuid4, uuid5

from dialogue.log.stores.protocol import StreamId

_CALLS = UUID("5f0c6b0e-6f0b-4c58-8f3b-6a6d6e1f5c2a")


def key_of(stream: StreamId, call: str) -> str:
    return str(uuid5(_CALLS, f"{stream.kind}/{stream.id}/{call}"))


def new_key() -> str:
    """Return a key for a call that is on no record, and so is never attempted again."""
    return str(uuid4())
