"""Validation of uploads and of external events, before anything of them is recorded."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values import Unreadable
from dialogue.turn import Upload

MAX_UPLOAD_BYTES = 5 * 1024 * 1024


class TooLarge(ValueError):
    """An upload is over the limit; the message names both."""


def check_upload(upload: Upload) -> Upload:
    """Accept an upload that is not too large. Raises TooLarge."""
    if len(upload.data) > MAX_UPLOAD_BYTES:
        raise TooLarge(f"{upload.name[:80]} has {len(upload.data):,} bytes; {MAX_UPLOAD_BYTES:,} are allowed.")
    return upload


def check_event(catalog: Catalog, trigger: str, facts: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Read what an event carries. Raises LookupError for what is not declared, and ValueError for a value."""
    if trigger not in catalog.triggers:
        raise LookupError(f"There is no event {trigger!r}. There are: {', '.join(catalog.triggers) or 'none'}.")
    return {fact: _check_fact(catalog, trigger, fact, value) for fact, value in facts.items()}


def _check_fact(catalog: Catalog, trigger: str, fact: str, value: JsonValue) -> JsonValue:
    carried = catalog.triggers[trigger].facts
    if fact not in carried:
        raise LookupError(
            f"The event {trigger} carries no fact {fact!r:.80}. It carries: {', '.join(carried) or 'none'}."
        )
    try:
        return catalog.facts[fact].value.check(value)
    except Unreadable as error:
        raise ValueError(f"The event {trigger} has no proper value for {fact}. {error.discreet}") from error
