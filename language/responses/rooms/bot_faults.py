"""What is said of bots that gave no usable answer, and of those that cannot be had."""

from __future__ import annotations

from collections.abc import Iterable

from language.responses.grammar import clean

STILL_BUSY = "It still hangs at something that it was shown before, and is asked again once it comes back."
NO_MESSAGES = "It did not answer with JSON of messages. Answer with a list of messages: docs/norms.md."


def cut_off(seconds: float) -> str:
    """Say that a bot did not answer in time."""
    return f"It did not answer within {seconds:g} s."


def raised(error: str, place: str) -> str:
    """Say which error a bot ended in, and where."""
    at = f" at {clean(place, 80)}" if place else ""
    return f"It ended in {clean(error, 60)}{at}."


def failed(told: str) -> str:
    """Say how a bot failed in a process of its own, of which only a type and a place come back."""
    return f"It failed: {clean(told, 120)}."


def answered_status(status: int) -> str:
    """Say that a bot over HTTP answered with something else than success."""
    moved = " Redirects are not followed: write the address that it moved to." if 300 <= status < 400 else ""
    return f"It answered with HTTP status {status} instead of 200.{moved}"


def too_large(limit: int) -> str:
    """Say that a bot over HTTP answered too much."""
    return f"It answered with more than {limit:,} bytes."


def not_reached(error: str) -> str:
    """Say that a bot over HTTP cannot be reached."""
    return f"It cannot be reached: {clean(error, 60)}. Check that its server runs, and the address."


def no_address(given: str) -> str:
    """Say that an address of a bot cannot be read."""
    return f"{clean(given, 100)!r} is no address of a bot. Write http://host:port/path or https://host/path."


def inside(host: str, known: Iterable[str]) -> str:
    """Say that an address lies inside the operator's network."""
    allowed = ", ".join(known) or "none"
    return (
        f"The address of {clean(host, 100)!r} lies inside this network. Allowed there: {allowed}. "
        "Have the operator add it to the setting room_hosts."
    )


def unknown_bot(given: str, known: str) -> str:
    """Say that nothing is known that could answer for a participant."""
    return f"There is no bot {clean(given, 100)!r}. {known}"


def forms(agents: Iterable[str], catalogs: Iterable[str]) -> str:
    """Say how bots are written."""
    return (
        "Write package.module:function of an allowed package, http://… or https://…, "
        f"agent:NAME ({', '.join(agents) or 'none'}) or assistant:CATALOG ({', '.join(catalogs) or 'none'})."
    )
