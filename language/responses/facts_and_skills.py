"""Facts and skills: how they are named, what was noted and set aside, and what goes into a call, with its origins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import Catalog
from catalog.wording.grammar import as_clause, capitalize, clean, listing, named_skill, quote, the, your
from language.content import ValueOrigin, Written

SORRY_UNCLEAR = "Sorry, I did not understand that."


def sentence(text: str, *, capital: bool = True) -> str:
    trimmed = text.strip()
    if not trimmed:
        return ""
    ended = trimmed if trimmed[-1] in ".!?…" else f"{trimmed}."
    return capitalize(ended) if capital else ended


def uncapitalized(text: str) -> str:
    """Begin with a small letter after a colon, unless the first word is an abbreviation or a name in capitals."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def fact_of_user(catalog: Catalog, fact: str) -> str:
    declared = catalog.facts.get(fact)
    return your(clean(declared.label if declared else fact))


def facts_of_user(catalog: Catalog, facts: Iterable[str]) -> str:
    return listing(tuple(fact_of_user(catalog, fact) for fact in facts))


def skill_name(catalog: Catalog, skill: str) -> str:
    declared = catalog.skills.get(skill)
    return the(clean(declared.label if declared else skill))


def consent_subject(catalog: Catalog, subject: str) -> str:
    """Name who would get sensitive facts: a skill, or (when consent is by fact) the skills that need it."""
    return skill_name(catalog, subject) if subject in catalog.skills else "the skills that need it"


class FactPhrases:
    """What is said of facts and their values."""

    def described(self, catalog: Catalog, name: str, shown: str | None) -> str:
        """Say what a fact or a skill is, in its author's words; `shown` is its value, if it has one."""
        declared = catalog.facts.get(name) or catalog.skills.get(name)
        if declared is None:
            return SORRY_UNCLEAR
        label = capitalize(clean(declared.label))
        text = sentence(uncapitalized(clean(declared.description, 300)), capital=False)
        told = f"{label}: {text}" if text else f"I have no description of {quote(clean(declared.label))}."
        return f"{told} {capitalize(fact_of_user(catalog, name))} is {shown}." if shown else told

    def known_already(self, catalog: Catalog, facts: Sequence[str]) -> str:
        return f"That is what I have for {facts_of_user(catalog, facts)}."

    def noted(self, catalog: Catalog, facts: Sequence[str]) -> str:
        return f"I have noted {facts_of_user(catalog, facts)}."

    def set_aside(
        self, catalog: Catalog, facts: Sequence[str], fact: str, deeds: Sequence[str] = (), *, corrected: bool
    ) -> str:
        """Confirm the value of a fact, and say which results it makes invalid.

        They were made from its old value (`corrected`), or without it; `deeds` are skills that cannot be undone.
        """
        results, because = facts_of_user(catalog, facts), fact_of_user(catalog, fact)
        called = listing(tuple(named_skill(clean(catalog.skills[skill].label)) for skill in deeds))
        stays = f" I called {called} with that, and cannot undo it." if deeds else ""
        if corrected:
            return f"I have changed {because}. What I worked out from the old value no longer holds: {results}.{stays}"
        return f"I have noted {because}. What I worked out without it no longer holds: {results}.{stays}"

    def taken_for(self, catalog: Catalog, facts: Sequence[str], stands_for: str, because: str) -> str:
        """Say that the value of one fact (or several) is taken for that of another, and why."""
        reason = f", because {as_clause(because)}" if because.strip() else ""
        return sentence(f"I will use {facts_of_user(catalog, facts)} as {fact_of_user(catalog, stands_for)}{reason}")

    def nothing_to_take(self, catalog: Catalog, label: str, fact: str) -> str:
        return f"Nothing that came of {quote(label)} can be used as {fact_of_user(catalog, fact)}."


_ORIGINS = {
    "now": "just said",
    "earlier": "said earlier",
    "picture": "from the file you uploaded",
    "alert": "from the alert",
    "before": "known before",
}


def say_origin(catalog: Catalog, origin: ValueOrigin) -> str:
    if origin.kind == "skill":
        return f"from {skill_name(catalog, origin.name)}"
    if origin.kind == "mapping":
        return f"taken from {fact_of_user(catalog, origin.name)}"
    return _ORIGINS[origin.kind]


_LONGEST_VALUE = 300
"""Characters of a value that goes into a call."""
ROW = "• "
"""Begins a line that is one value of several; a page draws such lines as a table."""


def list_values(catalog: Catalog, written: Sequence[Written]) -> str:
    """List values with where they came from: "amount: $20 (just said)"; of several, each on a line of its own."""
    lines = [f"{_label(catalog, one.fact)}: {_say(catalog, one)}" for one in written if one.shown is not None]
    return _in_rows(lines)


def _in_rows(lines: Sequence[str]) -> str:
    return "".join(lines) if len(lines) < 2 else "".join(f"\n{ROW}{capitalize(line)}" for line in lines)


def list_companions(catalog: Catalog, written: Sequence[Written]) -> str:
    """Say which values go along with others: "It goes together with your name: Ann Bell (said earlier)."."""
    named = [f"{fact_of_user(catalog, one.fact)}: {_say(catalog, one)}" for one in written if one.shown is not None]
    if len(named) > 1:
        return f"It goes together with:{_in_rows(named)}\n"
    return f"It goes together with {named[0]}." if named else ""


def say_value_of(catalog: Catalog, fact: str, written: Sequence[Written]) -> str:
    """Name a fact as the user's, with its value where that is among what is written: "your name (Ann, just said)"."""
    value = next((one for one in written if one.fact == fact and one.shown is not None), None)
    if value is None:
        return fact_of_user(catalog, fact)
    came = f", {say_origin(catalog, value.origin)}" if value.origin else ""
    return f"{fact_of_user(catalog, fact)} ({shown_in(value)}{came})"


def _say(catalog: Catalog, one: Written) -> str:
    return f"{shown_in(one)} ({say_origin(catalog, one.origin)})" if one.origin else shown_in(one)


def shown_in(one: Written) -> str:
    return clean(one.shown or "", _LONGEST_VALUE)


def list_origins(catalog: Catalog, written: Sequence[Written]) -> str:
    """Say where the values of a question came from that were not said just now: "Said earlier: day and place."."""
    by_origin: dict[str, list[str]] = {}
    for one in written:
        if one.origin is not None and one.origin.kind != "now":
            by_origin.setdefault(say_origin(catalog, one.origin), []).append(_label(catalog, one.fact))
    return " ".join(f"{capitalize(came)}: {listing(tuple(labels))}." for came, labels in by_origin.items())


def _label(catalog: Catalog, fact: str) -> str:
    return clean(catalog.facts[fact].label)
