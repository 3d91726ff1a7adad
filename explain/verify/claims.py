"""Claims of an export: that each follows from the entries that it cites.

A claim has the fields that it was made of. Whatever in them names an entry (a value, a call, an answer, a consent that
was declined) must say of it what the entry says. `RULES` says of each kind of claim what its other fields are, by the
entries that it cites: taken by what was done there, or given, or wanted. Its sentences must name no other facts and
skills than these entries show. Of any other kind only what it cites is checked: its words are taken as recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from math import isclose
from typing import Any

from .chain import Json, Wrong, demand, digest
from .entries import Entries, flat, list_names

RULES: dict[str, dict[str, str]] = {
    "Called": {"skill": "by", "inputs": "took"},
    "CameAlong": {"fact": "gave"},
    "Decided": {"skill": "by", "facts": "gave", "heaviest": "weighed most"},
    "EstablishedBy": {"facts": "gave", "inputs": "took", "each": "took"},
    "Gathered": {"origins.facts": "gave", "origins.taken_from": "took", "origins.skill": "by"},
    "HasValue": {"value.fact": "known"},
    "IsWanted": {"fact": "wanted", "wanted": "wanted"},
    "NoWayLeft": {"kind": "no way", "because.subject": "closed"},
    "NoWayNow": {"kind": "no way"},
    "StandsIn": {"got": "gave", "wanted": "stands in"},
    "Used": {"used": "took", "gave": "gave", "wanted": "gave"},
    "UsedBesides": {"fact": "took"},
    "WayClosed": {"causes.subject": "closed"},
    "WeighedLess": {"rest": "weighed"},
}
"""By kind of claim, what is to be shown of which of its fields."""
NAMED = {"fact": ("took", "gave", "wanted", "closed", "shown"), "skill": ("by", "wanted", "closed")}
"""What shows the facts and the skills that sentences may name."""
CLOSING = ("refused", "withdrew", "pruned", "retracted", "could_not_establish", "answered", "failed")
STEP = ("kind", "subject", "mode", "outcome")


def check_claim(entries: Entries, claim: Json) -> bool:
    """Check one claim; return whether all that it says is proved, and not only what it cites.

    Raises `Wrong`.
    """
    at, shows, rules = claim["at"], _list_shown(entries, claim), RULES.get(claim["kind"])
    known = [_check_piece(entries, claim, piece, shows) for piece in _list_pieces(claim["about"])]
    if rules is None or not all(known) or claim["about"].get("precedes"):  # orderings are in the catalog alone
        return False
    for path, what in rules.items():
        field, _, of = path.partition(".")
        for found in flat([one[of] if of else one for one in flat({**claim, **claim["about"]}[field])]):
            one = (found["fact"], found["weight"]) if isinstance(found, dict) else found
            if what == "no way" and not shows[what]:  # it was found later, and no planning tells
                return False
            if shows[what].isdisjoint((one, *entries.kinds.get(one, ()))):
                raise Wrong(at, f"{one!r} is claimed to be {what}, which the entries that are cited do not show")
            shows["shown"].add(one)
    for of, by in NAMED.items():
        named, shown = {part[of] for part in _list_parts(claim) if part[of]}, set().union(*(shows[one] for one in by))
        if lacking := named - shown:
            raise Wrong(at, f"the {of} {list_names(lacking)} is named, which the entries that are cited do not show")
    return True


def _list_shown(entries: Entries, claim: Json) -> dict[str, set[Any]]:
    """List what the entries that a claim cites show; where it is about one act, what that one shows."""
    until, evidence, about = claim["as_of"] + 1, claim["evidence"], claim["about"]
    cited = {seq: entries.at(seq, before=until) for seq in evidence}
    act = about.get("by") or (about.get("act") or {}).get("execution")
    acts = {act["event"]: entries.at(act["event"])} if isinstance(act, dict) else cited
    if isinstance(about.get("skill"), str):  # the last act of it: an earlier one may have given it an input
        acts = dict([one for one in acts.items() if one[1].get("skill") == about["skill"]][-1:])
    pushed = [e for _, e in entries.all("goal_pushed", before=until) if e["cause"] in evidence]
    closing = [e for e in cited.values() if e["kind"] in CLOSING]
    gave = {fact for seq in acts for fact in entries.gave(seq)}
    weighed = set()
    for seq in (seq for seq, event in acts.items() if event["kind"] == "ran"):
        passed = entries.named_by(seq)["inputs"]
        weighed |= {(passed[one], weight) for one, weight in acts[seq]["attributions"] if one in passed}
    most = max((abs(weight) for _, weight in weighed), default=0.0)
    return {
        "by": {event.get("skill") for event in acts.values()},
        "took": {fact for seq in acts for fact, _ in entries.took(seq)},
        "gave": gave,
        "wanted": {one for e in pushed for named in (e["facts"], e["skills"], *e["either"]) for one in named},
        "closed": {one for e in closing for name in ("subject", "skill", "fact", "facts") for one in flat(e.get(name))},
        "known": set(entries.known(until)),
        "stands in": {kind for fact in gave for kind in entries.kinds.get(fact, ())},
        "weighed": weighed,
        "weighed most": {(fact, weight) for fact, weight in weighed if isclose(abs(weight), most)},
        "no way": {claim["kind"] for event in cited.values() if event.get("status") == "unsolvable"},
        "shown": set(),
    }


def _check_piece(entries: Entries, claim: Json, piece: Json, shows: dict[str, set[Any]]) -> bool:
    """Check a part of a claim that names an entry, or is a step: what both have fields for is the same.

    Returns whether that is there: plans that are only foreseen are not.
    """
    if piece.keys() >= {*STEP} and "event" not in piece:
        steps = [step for seq in claim["evidence"] for step in entries.at(seq).get("steps", ())]
        same = [step for step in steps if all(step[name] == piece[name] for name in STEP)]
        for step in same:
            shows["took"].update(step["inputs"])
            shows["gave"].update((*step["outputs"], step["subject"]))
            shows["by"].add(step["subject"])
        return bool(same)
    seq = piece.get("event", piece.get("given") if "taken_back" in piece else None)
    if seq is not None:
        event = entries.at(seq, before=claim["as_of"] + 1)
        same_by = {"inputs": [fact for fact, _ in entries.took(seq)], "outputs": entries.gave(seq)}
        for name in piece.keys() & {**event, **same_by}.keys() - {"facts", "kind"}:
            demand(seq, name, piece[name], {**event, **same_by}[name])
        if "shown" in piece:
            shows["shown"].add(entries.at(seq, "established")["fact"])
            said = "".join(part["text"] for part in _list_parts(claim))
            act = claim["about"].get("by") if claim["kind"] == "EstablishedBy" else None
            if act and act["event"] not in (seq, event["by"]):
                raise Wrong(seq, f"its value is by entry {event['by']}, and a claim says by {act['event']}")
            if piece["shown"] and not (reads_as(piece["shown"], event["value"]) and piece["shown"] in said):
                raise Wrong(seq, f"its value is {event['value']!r}, and a claim shows {piece['shown']!r}")
    return True


def _list_parts(claim: Json) -> list[Json]:
    return [part for sentence in claim["sentences"] for part in sentence]


def _list_pieces(found: Any) -> Iterator[Json]:
    if isinstance(found, dict):
        yield found
    for one in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
        yield from _list_pieces(one)


def check_explained(entries: Entries, claims: list[Json]) -> Iterator[Wrong]:
    """Yield each explanation that was given which the claims made for it do not amount to."""
    for seq, event in entries.all("explained"):
        made = [claim for claim in claims if claim["at"] == seq]
        cited = {one for claim in made for one in claim["evidence"]}
        said = {digest(sentence) for claim in made for sentence in claim["sentences"]}
        if cited != {*event["evidence"]} or said != set(map(digest, event["sentences"])):
            yield Wrong(seq, f"what it says or cites ({event['evidence']}) and what is claimed for it ({cited}) differ")


def reads_as(shown: str, value: object) -> bool:
    """Return whether the words in which a value is shown can be those of the value: by its numbers, or its letters."""
    texts = (shown, {"True": "yes", "False": "no"}.get(str(value), str(value)))
    numbers, there = (set(map(Decimal, re.findall(r"[0-9]+(?:\.[0-9]+)?", text.replace(",", "")))) for text in texts)
    letters, those = ("".join(filter(str.isalnum, text.casefold())) for text in texts)
    return numbers <= there if numbers else letters == those
