"""What is said of bots that gave no usable answer, and of those that cannot be had."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.wording.grammar import clean

STILL_BUSY = "It still hangs at something that it was shown before, and is asked again once it comes back."
NO_MESSAGES = "It did not answer with JSON of messages. Answer with a list of messages: docs/norms.md."


def cut_off(seconds: float) -> str:
    return f"It did not answer within {seconds:g} s."


def raised(error: str, place: str) -> str:
    at = f" at {clean(place, 80)}" if place else ""
    return f"It ended in {clean(error, 60)}{at}."


def failed(told: str) -> str:
    return f"It failed: {clean(told, 120)}."


def answered_status(status: int) -> str:
    moved = " Redirects are not followed: write the address that it moved to." if 300 <= status < 400 else ""
    return f"It answered with HTTP status {status} instead of 200.{moved}"


def too_large(limit: int) -> str:
    return f"It answered with more than {limit:,} bytes."


def not_reached(error: str) -> str:
    return f"It cannot be reached: {clean(error, 60)}. Check that its server runs, and the address."


def no_address(given: str) -> str:
    return f"{clean(given, 100)!r} is no address of a bot. Write http://host:port/path or https://host/path."


def inside(host: str, known: Iterable[str]) -> str:
    allowed = ", ".join(known) or "none"
    return (
        f"The address of {clean(host, 100)!r} lies inside this network. Allowed there: {allowed}. "
        "Have the operator add it to the setting room_hosts."
    )


def unknown_bot(given: str, known: str) -> str:
    return f"There is no bot {clean(given, 100)!r}. {known}"


def forms(agents: Iterable[str], catalogs: Iterable[str]) -> str:
    return (
        "Write package.module:function of an allowed package, http://… or https://…, "
        f"agent:NAME ({', '.join(agents) or 'none'}) or assistant:CATALOG ({', '.join(catalogs) or 'none'})."
    )
