"""Check an exported conversation: that nothing was changed in it, and that what it claims follows from its entries.

This package trusts nothing of what it is given, and imports nothing of the rest of the product: only Python's own
library and `rfc8785`. It can be taken out and run by itself. It is read in this order: `chain.py` (the file),
`entries.py` (what an entry has to be), `claims.py` (what was said of them), `plans.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .chain import Json, NoExport, Wrong, check_chain, check_openings, read
from .claims import check_claim, check_explained
from .entries import MALFORMED, Entries
from .plans import check_plan

__all__ = ["Examined", "NoExport", "verify"]


@dataclass(frozen=True, slots=True)
class Examined:
    """The result of checking one thing.

    It is `proved`; or `recorded` only; or `wrong`; or `doubtful`, since an entry before it is wrong. `entries` are
    those that it cites, `seq` the one that is wrong, where it is one.
    """

    verdict: str
    about: str
    text: str
    entries: tuple[int, ...] = ()
    seq: int | None = None


def verify(text: str, openings: Json | None = None) -> tuple[Examined, ...]:
    """Check the text of an export; `openings` are salts and values that its owner gave apart.

    Raises `NoExport` where it is no export.
    """
    export = read(text)
    found = [_examine("chain", check_chain, export)]
    try:
        entries, claims = Entries(export["entries"], export["kinds"]), export["claims"]
        found += [Examined("wrong", "entries", str(wrong), seq=wrong.seq) for wrong in entries.list_wrong()]
        for seq, event in entries.all("planned"):
            if event["status"] != "gave_up":
                found.append(_examine("plan", check_plan, entries, export["plans"], seq, cited=[seq]))
        first = min((one.seq or 0 for one in found[1:] if one.verdict == "wrong"), default=len(entries.entries) + 1)
        for claim in claims:
            said = " ".join("".join(part["text"] for part in sentence) for sentence in claim["sentences"])
            about = " ".join(filter(None, (claim["at"] and f"entry {claim['at']},", f"{claim['kind']}: {said}")))
            one = _examine(about, check_claim, entries, claim, cited=claim["evidence"])
            late = f"it is as of a moment after entry {first}, which is wrong"
            is_late = one.verdict != "wrong" and claim["as_of"] >= first
            found.append(replace(one, verdict="doubtful", text=late) if is_late else one)
        others = (*check_explained(entries, claims), *check_openings(export, openings or {}))
        found += [Examined("wrong", "export", str(wrong), seq=wrong.seq) for wrong in others]
    except MALFORMED as error:
        found.append(Examined("wrong", "export", f"it is not as exports are: {type(error).__name__} {error}"))
    return tuple(found)


def _examine(about: str, check: Callable[..., str | bool], *of: Any, cited: Sequence[int] = ()) -> Examined:
    """Check one thing: what is returned says what is proved, if anything is."""
    try:
        proved = check(*of)
    except Wrong as wrong:
        return Examined("wrong", about, str(wrong), tuple(cited), wrong.seq or max(cited, default=None))
    except MALFORMED as error:
        return Examined("wrong", about, f"it is not as in exports: {type(error).__name__} {error}", tuple(cited))
    return Examined("proved" if proved else "recorded", about, proved if isinstance(proved, str) else "", tuple(cited))
