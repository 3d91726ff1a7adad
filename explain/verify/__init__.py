"""Check an exported conversation: that nothing was changed in it, and that what it claims follows from its entries.

This package trusts nothing of what it is given, and imports nothing of the rest of the product: only Python's own
library and `rfc8785`. It can be taken out and run by itself (`python -m verify FILE`). It is read in this order:
`entries.py` (the chain, and what an entry has to be), `claims.py` (what was said of them), `plans.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .claims import check_claim, check_explained
from .entries import FORMAT, Entries, Json, NoExport, Wrong, chain, check_chain, digest, read, reads_as
from .plans import check_plan

__all__ = ["FORMAT", "Entries", "Examined", "NoExport", "chain", "digest", "reads_as", "verify"]


@dataclass(frozen=True, slots=True)
class Examined:
    """The result of checking one thing.

    It is `proved`; or `recorded` only; or `wrong`; or `doubtful`, since an entry before it or another claim of the same
    explanation is wrong.
    """

    verdict: str
    about: str
    text: str
    entries: tuple[int, ...] = ()
    seq: int | None = None
    """The entry that is wrong, where it is one."""


def verify(text: str, openings: dict[str, Any] | None = None) -> tuple[Examined, ...]:
    """Check the text of an export; `openings` are salts and values that its owner gave apart.

    Raises `NoExport` where it is no export.
    """
    export = read(text)
    found = [*_wrongs("chain", check_chain(export))]
    if not found:
        found = [Examined("proved", "chain", f"{len(export['entries'])} entries, head {export['head']}")]
    try:
        entries = Entries(export["entries"], export["kinds"])
    except (KeyError, TypeError, AttributeError) as error:
        return (*found, Examined("wrong", "entries", f"they are not as entries are: {type(error).__name__} {error}"))
    disordered = _wrongs("entries", entries.check_order())
    found += disordered
    try:
        claims = export["claims"]
        found += _wrongs("claims", check_explained(entries, claims))
        found += _doubt(entries, claims, min((one.seq or 0 for one in disordered), default=0))
        found += [_check_planned(export, entries, seq) for seq, e in entries.all("planned") if e["status"] != "gave_up"]
    except (KeyError, TypeError, AttributeError) as error:
        found.append(Examined("wrong", "claims", f"they are not as claims are: {type(error).__name__} {error}"))
    return (*found, *_wrongs("openings", _check_openings(export, openings or {})))


def _wrongs(about: str, found: Iterator[Wrong] | Any) -> list[Examined]:
    return [Examined("wrong", about, str(wrong), seq=wrong.seq) for wrong in found]


def _doubt(entries: Entries, claims: list[Json], first_wrong: int) -> Iterator[Examined]:
    """Check the claims, and doubt those that what is wrong may bear on."""
    found = [
        (claim, [claim["at"], claim["as_of"], claim["question"] and claim["question"][1]], _check(entries, claim))
        for claim in claims
    ]
    wrong = [of for _, of, one in found if one.verdict == "wrong"]
    for claim, of, one in found:
        if one.verdict != "wrong" and 0 < first_wrong <= claim["as_of"]:
            yield Examined("doubtful", one.about, f"it is as of a moment after entry {first_wrong}, which is wrong")
        elif one.verdict != "wrong" and of in wrong:
            yield Examined("doubtful", one.about, "another claim of the same explanation is wrong")
        else:
            yield one


def _check(entries: Entries, claim: Json) -> Examined:
    said = " ".join("".join(part["text"] for part in sentence) for sentence in claim["sentences"])
    about = f"{claim['kind']}: {said}" if claim["at"] is None else f"entry {claim['at']}, {claim['kind']}: {said}"
    try:
        proved = check_claim(entries, claim)
    except Wrong as wrong:
        return Examined("wrong", about, str(wrong), seq=wrong.seq)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        return Examined("wrong", about, f"it is not as claims are: {type(error).__name__} {error}", seq=claim.get("at"))
    shown = tuple(sorted({one["entry"] for one in claim["rests_on"]}))
    return Examined("proved" if proved else "recorded", about, "", shown)


def _check_planned(export: Json, entries: Entries, seq: int) -> Examined:
    plan = next((one for one in export["plans"] if one["entry"] == seq), None)
    if plan is None:
        return Examined("wrong", "plan", f"entry {seq}: it plans something, and nothing is claimed of that", seq=seq)
    try:
        if plan["claim"] == "none":
            return Examined("recorded", "plan", f"{plan['reason']}", (seq,))
        return Examined("proved", "plan", check_plan(export, entries, plan), (seq,))
    except Wrong as wrong:
        text = str(wrong) if wrong.seq else f"entry {seq}: {wrong}"
        return Examined("wrong", "plan", text, seq=seq)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        return Examined(
            "wrong", "plan", f"entry {seq}: it is not as plans are: {type(error).__name__} {error}", seq=seq
        )


def _check_openings(export: Json, openings: dict[str, Any]) -> Iterator[Wrong]:
    """Yield each masked value that is not what its owner says that it is."""
    for place, opening in openings.items():
        seq, _, path = place.partition("/")
        known = {str(one["seq"]): one.get("commitments", {}) for one in export["entries"]}
        if known.get(seq, {}).get(path) != digest([opening["salt"], opening["value"]]):
            yield Wrong(int(seq), f"the value that was masked at {path!r} is another than was committed to")
