"""Calls of skills: their results, what failed, and for which items of a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from catalog.checks.results import BadOutput, BadValue
from catalog.model import Catalog, Effect
from catalog.values import Kind
from catalog.values.media import show_size
from catalog.wording.grammar import capitalize, clean, listing, quote
from catalog.wording.values import expected, filled_in, say_fault, was_not
from language.content import Written
from language.responses.facts_and_skills import fact_of_user, list_values, sentence, skill_name

_UNTOLD: Mapping[str, str] = {
    "unknown": "it does not know",
    "raised": "that failed, too",
    "timed_out": "it did not answer in time",
    "bad_output": "it answered what it does not declare",
    "unavailable": "it cannot be reached",
}

_LONGEST_WHY = 600
"""Characters of what is told of a skill that could not be called."""
NOT_CONFINED = (
    "This system cannot keep a skill from the data directory: it has no Landlock (Linux 5.13 or later) or no seccomp."
)
"""Why a skill of a package that is not trusted is not called."""
TRUST_OR_CONFINE = "Trust its package (the setting `trusted`), or allow skills that nothing confines (`unconfined`)."
"""What the operator can do about that."""


def trusted_are(packages: Sequence[str]) -> str:
    return f"Trusted are: {', '.join(packages) or 'none'}."


def timed_out(seconds: float) -> str:
    return f"It did not answer within {seconds:g} s."


def for_planning_only(skill: str) -> str:
    return f"The skill “{skill}” has no endpoint: it is there for planning only. Give it one in the catalog."


def failed_apart(error: BaseException) -> str:
    """Say how a skill failed in a process of its own: by type and place, as it was given values.

    Where it could not be loaded it was given none, and its module's own words are told.
    """
    if getattr(error, "loading", False):
        return getattr(error, "words", "") or f"It could not be loaded: {error}."
    return str(error)


def not_ready(seconds: float) -> str:
    return f"It could not be loaded within {seconds:.0f} s: its module takes too long to import."


def too_large_to_pass(most: int) -> str:
    return f"Values of more than {show_size(most)} together do not get into its process, or out of it."


def not_called(error: str) -> str:
    return f"It could not be called ({error}); the program's log says more."


def broke_off(error: str) -> str:
    return f"It broke off ({error}); the program's log says more."


def no_list(kind: Kind) -> str:
    return f"The results for all items do not make a list. {was_not(kind)}"


def bad_output(problem: BadOutput) -> str:
    """Say how a skill broke its declaration; the fault of a value is there only where it may be quoted."""
    if not isinstance(problem, BadValue):
        return str(problem)
    fault = f" {say_fault(problem.fault)}" if problem.fault else ""
    return f"{problem.found}{fault} The fact is to be {expected(problem.kind)}. {problem.write}"


def still_in_doubt(label: str, why: str | None) -> str:
    """Say that a skill's own lookup does not tell whether a call took effect; without a reason, it has no lookup."""
    if why is None:
        return f"{capitalize(clean(label))} cannot be asked whether this call took effect: a person has to find out."
    return f"{capitalize(clean(label))} was asked whether the call took effect: {_UNTOLD[why]}. It stays in doubt."


def at_item_of(item: int, items: int) -> str:
    """Say which of several items a call is about, as something that follows the name of its skill; empty for none."""
    return f", for item {item} of {items}" if item else ""


class CallPhrases:
    def item_of(self, catalog: Catalog, fact: str, values: Sequence[JsonValue], number: int, *, hidden: bool) -> str:
        """Name an item of a list: by its value, or where that is `hidden` or cannot be said by its place."""
        kind = catalog.facts[fact].value
        if hidden or kind.item is None or not kind.sayable:
            return f"item {number} of {len(values)}"
        return clean(kind.item.show(values[number - 1]), 100)

    def told_by(self, catalog: Catalog, say: str, shown: Mapping[str, str]) -> str:
        """Say what an outcome has its author's words for, with the values that these cite, as they may be seen."""
        names = {fact: fact_of_user(catalog, fact) for fact in catalog.facts if f"{{{fact}}}" in say}
        return filled_in(say, {**names, **shown})

    def told(self, catalog: Catalog, skill: str, written: Sequence[Written]) -> str:
        values, named = list_values(catalog, written), capitalize(skill_name(catalog, skill))
        return f"{named} got this.{values}" if values.startswith("\n") else f"{named} got this. {capitalize(values)}."

    def ended_at(self, catalog: Catalog, skill: str, outcome: str, item: str, before: Sequence[str]) -> str:
        """Say at which item a call for each of several was ended, and what was done before, if that does anything."""
        ended = sentence(f"{skill_name(catalog, skill)} came back with {quote(outcome)} for {item}, so I stopped there")
        return ended if catalog.skills[skill].effect is Effect.NONE else f"{ended}{_done_for(before)}"

    def failed_at(self, item: str, before: Sequence[str]) -> str:
        return f" That was for {item}.{_done_for(before)}"

    def skill_failed(self, catalog: Catalog, skill: str, why: str = "") -> str:
        """Say that a skill did not work, in words for the user; `why` it could not be called, if they may know."""
        if why:
            said = clean(why, _LONGEST_WHY)
            return f"I could not call {skill_name(catalog, skill)}: {said} I will look for another way."
        return f"Something went wrong with {skill_name(catalog, skill)}; I will look for another way."

    def in_doubt(self, catalog: Catalog, skill: str) -> str:
        return (
            f"I got no proper answer from {skill_name(catalog, skill)}. I cannot tell whether it took effect, "
            "and I will not call it a second time; a person has to check."
        )

    def told_nothing(self, why: str) -> str:
        return f" I asked it whether the call took effect: {_UNTOLD[why]}."

    def took_effect(self, catalog: Catalog, skill: str, outcome: str) -> str:
        """Say that a call that did not come back took effect, as the skill's own lookup says, and how it ended."""
        return (
            f"I got no proper answer from {skill_name(catalog, skill)}, so I asked whether the call took effect. "
            f"It did, and ended in {quote(outcome)}."
        )

    def took_no_effect(self, catalog: Catalog, skill: str) -> str:
        return (
            f"I got no proper answer from {skill_name(catalog, skill)}, so I asked whether the call took effect. "
            "It did not."
        )

    def interrupted(self, *, acts: bool) -> str:
        """Say how a call stands during which the program stopped; one that `acts` is not repeated."""
        then = "Whether it took effect is not known; a person has to check." if acts else "It is safe to call it again."
        return f"The program stopped during the call. {then}"


def _done_for(items: Sequence[str]) -> str:
    return f" It was done for {listing(tuple(items))}." if items else ""
