"""Claims of an export: that each follows from the entries that it cites.

A claim says what it rests on. It says again what stands in each entry that it cites, and how these go together: that a
value is from an entry and still held, that an act took facts and gave others, that a plan has a step for them, that
they were wanted. For kinds of claims in `PROVED` each fact and each skill that the sentences name must be among what
is shown so. Of any other claim, only what the cited entries say is checked: its words are taken as recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .entries import HIDDEN, Entries, Json, Wrong, demand, list_names, reads_as

PROVED = frozenset(
    "CalledWithConsent Called CameAlong Decided EstablishedBy GoalReached HasValue IsWanted StandsIn Used UsedBesides "
    "WeighedLess".split()
)
ACTS = ("ran", "settled", "mapped", "established", "failed")
Named = tuple[Iterable[str], Iterable[str]]
"""The facts and the skills that something shows."""


def check_claim(entries: Entries, claim: Json) -> bool:
    """Check one claim; return whether all that it says is proved, and not only that what it cites is there.

    Raises `Wrong`.
    """
    at, as_of = claim["at"], claim["as_of"]
    entries.at(as_of, before=at)
    if at is not None:
        entries.at(at, "explained")
    cited, facts, skills = set(), set[str](), set[str]()
    for one in claim["rests_on"]:
        entries.at(one["entry"], before=as_of + 1)
        if one["is"] == "entry":
            cited.add(one["entry"])
        if one["is"] not in RELATIONS:
            raise Wrong(at, f"a claim rests on {one['is']!r}, which this checker does not know")
        shown = RELATIONS[one["is"]](entries, one, as_of)
        facts.update(shown[0])
        skills.update(filter(None, shown[1]))
        if one.get("shown") is not None and not any(one["shown"] in _text(said) for said in claim["sentences"]):
            raise Wrong(one["entry"], f"its value is shown as {one['shown']!r}, which the claim does not say")
    demand(at, "what a claim cites", sorted(cited), claim["evidence"])
    if claim["kind"] not in PROVED:
        return False
    for known, name in ((facts, "fact"), (skills, "skill")):
        named = {part[name] for sentence in claim["sentences"] for part in sentence if part.get(name)}
        if named - known:
            raise Wrong(at, f"the {name} {list_names(named - known)} is named; the entries show {list_names(known)}")
    return True


def _restated(entries: Entries, one: Json, as_of: int) -> Named:
    entry = entries.entries[one["entry"] - 1]
    for field in {**entry["event"], **one["event"]}:
        demand(one["entry"], field, one["event"].get(field), entry["event"].get(field))
    demand(one["entry"], "what masked values are committed to", one["commitments"], entry.get("commitments", {}))
    return (), (entry["event"].get("skill"),)


def _value(entries: Entries, one: Json, as_of: int) -> Named:
    seq, event = one["entry"], entries.at(one["entry"], "established")
    for name in ("fact", "by"):
        demand(seq, name, one[name], event[name])
    if one["holds"] and not entries.holds(one["fact"], seq, as_of):
        raise Wrong(seq, f"its value of {one['fact']!r} did not hold any more at entry {as_of}")
    if one["shown"] is not None and not reads_as(one["shown"], event["value"]):
        raise Wrong(seq, f"its value is {event['value']!r}, and a claim shows {one['shown']!r}")
    return (one["fact"],), ()


def _takes(entries: Entries, one: Json, as_of: int) -> Named:
    seq, sources = one["entry"], entries.inputs(one["entry"])
    for fact, source in one["facts"].items():
        demand(seq, f"what established {fact!r} that it took", source, sources.get(fact))
        demand(source, "the fact", fact, entries.at(source, "established", before=seq)["fact"])
    return one["facts"], ()


def _gives(entries: Entries, one: Json, as_of: int) -> Named:
    event = entries.at(one["entry"], *ACTS)
    gave: Any = event.get("outputs", event.get("facts", [event.get("stands_for", event.get("fact"))]))
    if lacking := set(one["facts"]) - set(gave):
        raise Wrong(one["entry"], f"it gave {list_names(gave)}, expected {list_names(lacking)}")
    return one["facts"], ()


def _wants(entries: Entries, one: Json, as_of: int) -> Named:
    event = entries.at(one["entry"], "goal_pushed")
    wanted = set(event["facts"]).union(*event["either"])
    if lacking := (set(one["facts"]) - wanted) | (set(one["skills"]) - set(event["skills"])):
        raise Wrong(one["entry"], f"it asks for {list_names(wanted)}, expected {list_names(lacking)}")
    return one["facts"], one["skills"]


def _kind(entries: Entries, one: Json, as_of: int) -> Named:
    if not entries.stands_for(one["fact"], one["of"]):
        raise Wrong(one["entry"], f"{one['fact']!r} is no kind of {one['of']!r} by the catalog")
    return (one["fact"], one["of"]), ()


def _weighs(entries: Entries, one: Json, as_of: int) -> Named:
    seq, passed = one["entry"], entries.call_of(one["entry"])[1]["inputs"]
    given = entries.at(seq, "ran")["attributions"]
    weights = [[passed[declared], weight] for declared, weight in given if declared in passed]
    if any(pair not in weights for pair in one["inputs"]):
        raise Wrong(seq, f"the skill weighed {weights}, expected {one['inputs']} among it")
    least = min((abs(weight) for _, weight in one["inputs"]), default=0.0)
    if one["heaviest"] and any(abs(weight) > least * (1 + 1e-6) for _, weight in weights):
        raise Wrong(seq, f"the skill weighed {weights}, and {one['inputs']} is said to have weighed most")
    return (fact for fact, _ in one["inputs"]), ()


def _step(entries: Entries, one: Json, as_of: int) -> Named:
    step = entries.at(one["entry"], "planned")["steps"][one["step"]]
    takes, gives = set(step["inputs"]), {*step["outputs"], step["subject"]}
    taken = {fact for fact in one["takes"] if any(entries.stands_for(fact, declared) for declared in takes)}
    if lacking := (set(one["takes"]) - taken) | (set(one["gives"]) - gives):
        said = f"step {one['step'] + 1} takes {list_names(takes)} and gives {list_names(gives)}"
        raise Wrong(one["entry"], f"{said}, expected {list_names(lacking)} among it")
    return (*one["takes"], *one["gives"]), (step["subject"],)


def _consent(entries: Entries, one: Json, as_of: int) -> Named:
    """Check that consent to give a skill some facts was there when it was called, and covers them."""
    given, call = one["entry"], one["call"]
    event, calling = entries.at(given, "authorized", before=call), entries.at(call, "calling")
    if event["subject"] not in (calling["skill"], *calling["inputs"]):
        raise Wrong(given, f"it is consent to {event['subject']!r}, and {calling['skill']!r} was called")
    if lacking := set(one["facts"]) - {*event["facts"], event["subject"]}:
        raise Wrong(given, f"it is about {list_names(event['facts'])}, and not {list_names(lacking)}")
    if lacking := set(one["facts"]) - set(calling["inputs"]):
        raise Wrong(call, f"{list_names(lacking)} did not go into it")
    for seq, back in entries.all("withdrew", "refused"):
        if given < seq < call and back["subject"] == event["subject"]:
            raise Wrong(seq, f"the consent of entry {given} was taken back before entry {call}")
    return one["facts"], ()


def _reached(entries: Entries, one: Json, as_of: int) -> Named:
    demand(one["entry"], "the goal", one["goal_id"], entries.at(one["entry"], "goal_achieved")["goal_id"])
    return (), ()


RELATIONS: dict[str, Callable[[Entries, Json, int], Named]] = {
    **{"entry": _restated, "value": _value, "takes": _takes, "gives": _gives, "wants": _wants, "kind": _kind},
    **{"weighs": _weighs, "step": _step, "consent": _consent, "reached": _reached},
}


def check_explained(entries: Entries, claims: list[Json]) -> Iterable[Wrong]:
    """Yield each explanation that was given which the claims made for it do not amount to."""
    for seq, event in entries.all("explained"):
        made = [claim for claim in claims if claim["at"] == seq]
        evidence = sorted({cited for claim in made for cited in claim["evidence"]})
        said = {_named(sentence) for claim in made for sentence in claim["sentences"]}
        if not made:
            yield Wrong(seq, "it explains something, and nothing is claimed for it")
        elif evidence != sorted(event["evidence"]):
            yield Wrong(seq, f"it cites {sorted(event['evidence'])}, and the claims made for it cite {evidence}")
        elif wrong := said ^ set(map(_named, event["sentences"])):
            yield Wrong(seq, f"what it says and what is claimed for it differ: {min(wrong)}")
        elif any(claim["question"] != [event["question"], event["fact"], event.get("skill")] for claim in made):
            yield Wrong(seq, "it answers another question than the claims made for it")


def _named(sentence: list[Json]) -> tuple[Any, ...]:
    return tuple((_shown(part), part.get("fact") or "", part.get("skill") or "") for part in sentence)


def _text(sentence: list[Json]) -> str:
    return "".join(map(_shown, sentence))


def _shown(part: Json) -> str:
    return HIDDEN if part.get("secret") else str(part["text"])
