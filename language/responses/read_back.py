"""What goes into a call, read back: each value with where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from catalog.model import Catalog
from language.responses.facts_and_skills import fact_of_user, skill_name
from language.responses.grammar import capitalize, clean, listing


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from; `name` is the skill that found it, or the fact that it was taken from."""

    kind: Literal["now", "earlier", "picture", "alert", "skill", "mapping", "before"]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A value that goes into a call, as it is shown; None where it is not given."""

    fact: str
    shown: str | None = None
    origin: Origin | None = None


_ORIGINS = {
    "now": "just said",
    "earlier": "said earlier",
    "picture": "from your picture",
    "alert": "from the alert",
    "before": "known before",
}


def say_origin(catalog: Catalog, origin: Origin) -> str:
    """Say where a value came from: "from the credit bureau"."""
    if origin.kind == "skill":
        return f"from {skill_name(catalog, origin.name)}"
    if origin.kind == "mapping":
        return f"taken from {fact_of_user(catalog, origin.name)}"
    return _ORIGINS[origin.kind]


def list_values(catalog: Catalog, written: Sequence[Written]) -> str:
    """List values with where they came from: "amount: $20 (just said); day: Friday (said earlier)"."""
    return "; ".join(f"{_label(catalog, one.fact)}: {_say(catalog, one)}" for one in written if one.shown is not None)


def list_companions(catalog: Catalog, written: Sequence[Written]) -> str:
    """Say which values go along with others: "It goes together with your name: Ann Bell (said earlier)."."""
    named = [f"{fact_of_user(catalog, one.fact)}: {_say(catalog, one)}" for one in written if one.shown is not None]
    return f"It goes together with {listing(tuple(named))}." if named else ""


def _say(catalog: Catalog, one: Written) -> str:
    return f"{one.shown} ({say_origin(catalog, one.origin)})" if one.origin else str(one.shown)


def list_origins(catalog: Catalog, written: Sequence[Written]) -> str:
    """Say where the values of a question came from that were not said just now: "Said earlier: day and place."."""
    by_origin: dict[str, list[str]] = {}
    for one in written:
        if one.origin is not None and one.origin.kind != "now":
            by_origin.setdefault(say_origin(catalog, one.origin), []).append(_label(catalog, one.fact))
    return " ".join(f"{capitalize(came)}: {listing(tuple(labels))}." for came, labels in by_origin.items())


def _label(catalog: Catalog, fact: str) -> str:
    return clean(catalog.facts[fact].label)
