"""What will be needed, in words: in any case, probably, and on some way or other."""

from __future__ import annotations

from collections.abc import Iterator

from explain import claims
from language.responses.grammar import it
from language.responses.sentences import Part, Piece, Wording, row
from planning.needs import Certainty

HOW_SURE = {Certainty.CERTAIN: "In any case", Certainty.LIKELY: "Probably", Certainty.POSSIBLE: "Possibly"}
"""Headings of lists of what will be needed."""


def put_may_need(words: Wording, claim: claims.MayNeed) -> tuple[Piece, ...]:
    """Put that a fact may come to be needed, though the likely way does without it."""
    verb = "still use" if claim.known else "need"
    may = verb if claim.certainty is Certainty.CERTAIN else f"may {verb}"
    need: tuple[Piece, ...] = (f"I {may} ", words.fact(claim.fact), " for ", words.aim(claim.aim))
    if not claim.skills:
        return *need, "."
    take = "take" if len(claim.skills) > 1 else "takes"
    takers = row([(words.skill(skill),) for skill in claim.skills])
    return *need, ": ", takers, f" {take} {it(words.label(claim.fact))}, if I come to call on that."


_SURE = {
    Certainty.CERTAIN: "In any case I still need to ask you for ",
    Certainty.LIKELY: "I will probably ask you for ",
    Certainty.POSSIBLE: "If that does not work out, I may ask you for ",
}
_MOST = 5


def say_to_be_asked(words: Wording, claim: claims.ToBeAsked) -> Iterator[tuple[Piece, ...]]:
    """Say what will be asked for in any case, what probably, and what on other ways."""
    agreed = [subject for subject, sure in claim.consents.items() if sure is not Certainty.POSSIBLE]
    for certainty, opening in _SURE.items():
        facts = tuple(fact for fact, sure in claim.facts.items() if sure is certainty)
        if not facts:
            continue
        alone = certainty is Certainty.POSSIBLE and len(claim.facts) == len(facts)
        more = Part(" or something else") if len(facts) > _MOST and certainty is Certainty.POSSIBLE else None
        listed = words.facts(facts[:_MOST] if more else facts, "or" if certainty is Certainty.POSSIBLE else "and")
        yield "I may ask you for " if alone else opening, listed, *([more] if more else ()), "."
    skills = [(words.skill(subject),) for subject in agreed if subject in words.catalog.skills]
    passed_on = tuple(subject for subject in agreed if subject not in words.catalog.skills)
    if skills:
        yield "I will ask you before anything sensitive goes to ", row(skills), "."
    if passed_on:
        yield "I will ask you before I pass on ", words.facts(passed_on), "."
