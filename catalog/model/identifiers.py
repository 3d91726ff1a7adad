"""Names in a form that any notation takes: plans and PDDL as the paper prints them, and logic programs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import count

_PLAIN = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST = 60


def identify(names: Iterable[str], reserved: Collection[str] = (), stand_in: str = "name") -> dict[str, str]:
    """Return a distinct identifier for each name: small letters of ASCII, digits and underscores, a letter first.

    A name that is one already stays as it is; others keep what they can, and get a number where that is taken. In a
    name of another script nothing can be kept: `stand_in` takes its place.
    """
    every = list(dict.fromkeys(names))
    found = {name: name for name in every if is_identifier(name) and name not in reserved}
    taken = {*reserved, *found}
    numbers: dict[str, Iterator[int]] = {}
    for name in every:
        if name not in found:
            near = _near(name, stand_in)
            following = numbers.setdefault(near, count(1))
            found[name] = next(one for number in following if (one := _numbered(near, number)) not in taken)
            taken.add(found[name])
    return {name: found[name] for name in every}


def is_identifier(name: str) -> bool:
    """Return whether a name can stay as it is in every notation."""
    return len(name) <= _LONGEST and _PLAIN.fullmatch(name) is not None


def _near(name: str, stand_in: str) -> str:
    kept = re.sub(r"[^a-z0-9]+", "_", name.casefold())[:_LONGEST].strip("_")
    return kept if _PLAIN.fullmatch(kept) else f"{stand_in}_{kept}".rstrip("_")


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}_{number}"
