"""Further explanations: values, what will be needed, who was given what, what comes next, order, time, weight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from catalog.model import Effect
from catalog.values.base import HIDDEN as MASK
from catalog.wording.grammar import as_clause, be, is_plural, it, quote, quoted_sentence, signed
from catalog.wording.values import filled_in
from explain import agents, claims, course, open_ends, values
from explain.claim import Claim, Part, Piece, row
from explain.model import Call, ComingStep, Ending, Value
from explain.words import Wording
from language.responses.agents.explanations import say_agents
from language.responses.plans import say_time
from planning.model import StepKind
from planning.needs import Certainty

Pieces = tuple[Piece, ...]

_ENDED = {
    Ending.REPLACED: "until another value took its place",
    Ending.SET_ASIDE: "for an earlier request",
    Ending.OUTDATED: "until what it rests on was changed",
    Ending.WRONG: "until it turned out to be wrong",
}


def say_further(words: Wording, claim: Claim) -> Iterator[Pieces]:
    match claim:
        case values.HasValue(value=value):
            shown = words.shown(value)
            named, verb = words.fact(value.fact), be(words.label(value.fact))
            yield (named, f" {verb} ", shown, ".") if shown else (named, f" {verb} shown above.")
        case claims.HadValue(value=value, ended=ended):
            shown = words.shown(value)
            said: Pieces = (" (", shown, ")") if shown else ()
            yield "I do not have ", words.fact(value.fact), " any more: I had it", *said, f" {_ENDED[ended]}."
        case values.Said():
            yield from _say_answer(words, claim)
        case values.NotCalled(skill=skill, coming=coming):
            yield "I have not called ", words.skill(skill), " yet." if coming else "."
        case values.GivenTo(receivers=receivers):
            yield from _say_receivers(words, receivers)
        case values.GivenToNobody(fact=fact):
            nothing: Pieces = ("I have not given anything to anybody.",)
            yield nothing if fact is None else ("I have given ", words.fact(fact), " to nobody.")
        case values.TookBack(agreement=one, received=received):
            whom = words.skill(one.subject) if one.subject in words.catalog.skills else "the skills that need it"
            yield (
                f"You agreed at {one.given_at} that ",
                words.facts(one.facts),
                " may go to ",
                whom,
                f", and took it back at {one.taken_back_at}",
                "; nothing more is given." if received else "; nothing was given.",
            )
        case values.WillBeGiven(fact=fact, skills=skills, needs_consent=needs):
            asking = ", and only if you agree" if needs else ""
            yield "I would give ", words.fact(fact), " to ", row([(words.skill(s),) for s in skills]), f"{asking}."
        case agents.AgentClaim():
            yield from say_agents(claim)
        case _:
            yield from _say_course(words, claim)


def _say_answer(words: Wording, claim: values.Said) -> Iterator[Pieces]:
    """Say what a skill answered: its outcome by its name, and what the catalog has the assistant say of it."""
    if claim.words_only:
        yield from _say_own_words(words, claim)
        return
    call, skill = claim.call, words.skill(claim.call.skill)
    taken = tuple(value for value in claim.given if words.shown(value) is not None)
    asked: Pieces = (", given ", words.valued(tuple(value.fact for value in taken), taken), ",") if taken else ()
    declared = words.catalog.skills[call.skill].modes.get(call.mode or "")
    outcome = declared.outcomes.get(call.outcome or "") if declared else None
    if call.ended is None:
        yield "I have called ", skill, ", and have no answer yet."
    elif outcome is None:
        yield "I called ", skill, *asked[:-1], ", and it did not work."
    else:
        given: Pieces = (": ", words.valued(claim.facts, claim.values)) if claim.facts else ()
        named = (
            "" if claim.facts and not outcome.label else f" {quote(outcome.label or outcome.name.replace('_', ' '))}"
        )
        told = "gave me" if given and not named else "answered"
        yield skill, *asked, f" {told}{named}", *given, "."
        yield from _say_own_words(words, claim)


def _say_own_words(words: Wording, claim: values.Said) -> Iterator[Pieces]:
    """Quote what the catalog has the assistant say of an outcome, with the values that it cites; secret ones masked."""
    declared = words.catalog.skills[claim.call.skill].modes.get(claim.call.mode or "")
    outcome = declared.outcomes.get(claim.call.outcome or "") if declared else None
    if outcome is not None and outcome.say:
        shown = {value.fact: part for value in claim.values if (part := words.shown(value)) is not None}
        seen = {fact: MASK if part.secret else part.text for fact, part in shown.items()}
        yield (quoted_sentence(filled_in(outcome.say, seen)),)


def _say_receivers(words: Wording, receivers: Sequence[values.Receiver]) -> Iterator[Pieces]:
    for receiver in receivers:
        agreed = ", as you had agreed" if receiver.agreed else ""
        yield "I gave ", words.facts(receiver.facts), " to ", words.skill(receiver.skill), f"{agreed}."
    yield ("Nobody else got that from me.",)


def _say_course(words: Wording, claim: Claim) -> Iterator[Pieces]:  # noqa: PLR0912 - one case for each kind of claim
    match claim:
        case course.NextSteps(aim=aim, steps=steps):
            yield (
                "For ",
                words.aim(aim),
                ", I plan to ",
                row([_put_step(words, step) for step in steps], "and then"),
                ".",
            )
        case open_ends.WaitsFor(about=about, subject=subject, facts=facts, given=given):
            yield _put_waiting(words, about, subject)
            if facts:
                yield "It would get ", words.valued(facts, given), "."
            declared = words.catalog.skills.get(subject)
            if about == "confirm" and declared is not None and declared.effect is Effect.IRREVERSIBLE:
                yield ("That cannot be undone.",)
        case course.NothingToCome(aim=aim, achieved=achieved):
            done: Pieces = ("Nothing is left to do for ", words.aim(aim), ".")
            yield done if achieved else ("At present I see no way to ", words.aim(aim), ".")
        case course.CameFirst(skill=skill, facts=facts, done=past):
            verb = "needed" if past else "needs"
            had = "so I had to have that first" if past else "so I have to have that first"
            act: Piece = words.skill(skill) if skill else "That"
            yield act, f" {verb} ", words.facts(facts), f", {had}."
        case course.NoOrder(fact=fact, skill=skill):
            named: Pieces = (words.fact(fact),) if fact else (words.skill(skill),) if skill else ("that",)
            yield "Nothing had to come before ", *named, "."
        case course.Took(calls=calls, seconds=seconds):
            yield from _say_took(words, calls, seconds)
        case course.WillTake():
            yield from _say_will_take(words, claim)
        case course.Weighed():
            yield _put_weighed(words, claim)
        case course.NotPassed(fact=fact, skill=skill, silent=True):
            yield words.fact(fact), " was given to ", words.skill(skill), ", which does not say how much it counted."
        case course.NotPassed(fact=fact, skill=skill, passed=True):
            yield words.fact(fact), " was given to ", words.skill(skill), ", which does not name it among what counted."
        case course.NotPassed(fact=fact, skill=skill):
            yield words.fact(fact), " did not count: ", words.skill(skill), " was not given it."
        case open_ends.FromPeople(fact=fact, because=because):
            yield "I cannot ask you for ", words.fact(fact), f", because {as_clause(because)}."
        case course.NeedsConsent(skill=skill, facts=facts):
            yield "I need your consent before I give ", words.facts(facts), " to ", words.skill(skill), "."
        case open_ends.CannotSay(about=about):
            yield ("I cannot tell: nothing that I have on record says so.",)
            if about:
                named = words.facts(about[:1])
                yield "You can ask me how I got ", *named, ", what counted in it, and who was given what."
        case _:
            raise TypeError(f"There are no words for {type(claim).__name__}: add a case for it.")


def _put_step(words: Wording, step: ComingStep) -> tuple[Part, ...]:
    match step.kind:
        case StepKind.ASK:
            return Part("ask you for "), words.fact(step.subject)
        case StepKind.SKILL:
            gives = (Part(" for "), *words.facts(step.outputs)) if step.outputs else ()
            return Part("ask "), words.skill(step.subject), *gives
        case StepKind.AUTHORIZE if step.subject in words.catalog.skills:
            return Part("ask whether "), words.skill(step.subject), Part(" may have what is sensitive")
        case StepKind.AUTHORIZE:
            return Part("ask whether I may pass on "), words.fact(step.subject)
        case StepKind.CONFIRM:
            return Part("ask you to confirm "), words.skill(step.subject)
        case _:
            return Part("take "), *words.facts(step.inputs), Part(" for "), words.fact(step.subject)


def _put_waiting(words: Wording, about: str, subject: str) -> Pieces:
    match about:
        case "fact":
            return "I am waiting for ", words.fact(subject), "."
        case "authorize" | "confirm" if subject in words.catalog.skills:
            return "I am waiting for your go-ahead for ", words.skill(subject), "."
        case _:
            return ("I am waiting for your answer.",)


def _say_took(words: Wording, calls: Sequence[Call], seconds: float) -> Iterator[Pieces]:
    skills = tuple(dict.fromkeys(call.skill for call in calls))
    time = "less than a second" if seconds < 1 else f"about {say_time(seconds)}"
    yield row([(words.skill(skill),) for skill in skills]), f" took {time}{' in all' if len(calls) > 1 else ''}."


def _say_will_take(words: Wording, claim: course.WillTake) -> Iterator[Pieces]:
    """Say how long what is left takes, each skill with its time; where none is known, on what it depends."""
    count = claim.questions
    asked = f"{count} question{'s' if count > 1 else ''} to you" if count else ""
    aim: Pieces = (" for ", words.aim(claim.aim)) if claim.aim is not None else ()
    timed = [(words.skill(skill), Part(f" (about {_put_seconds(time)})")) for skill, time in claim.skills if time]
    untimed = [(words.skill(skill),) for skill, time in claim.skills if not time]
    if claim.seconds:
        total = f" should take about {_put_seconds(claim.seconds)}"
        yield "What is left", *aim, total, ": ", row(timed), f", and {asked}." if asked else "."
    elif asked:
        are = "are" if count > 1 else "is"
        yield "How long it takes", *aim, f" depends on you: there {are} {asked} left."
    if untimed or not claim.seconds:
        calls: Pieces = (" of ", row(untimed)) if untimed else aim if not asked else ()
        yield "I know of no time for the work", *calls, "." if calls or asked else " that is left."


def _put_seconds(seconds: float) -> str:
    return f"{seconds:.0f} second{'s' if round(seconds) != 1 else ''}" if seconds < _TWO_MINUTES else say_time(seconds)


_TWO_MINUTES = 120


def _put_weighed(words: Wording, claim: course.Weighed) -> Pieces:
    one = claim.one
    if not one.weight:
        return (
            words.fact(one.fact),
            " made no difference to ",
            words.facts(claim.facts),
            ", says ",
            words.skill(claim.skill),
            ".",
        )
    towards = "towards" if one.weight > 0 else "against"
    place = "more than anything else" if claim.rank == 1 else f"as number {claim.rank} of {claim.inputs}"
    return (
        words.fact(one.fact),
        f" counted {place}: {signed(one.weight)} {towards} ",
        words.facts(claim.facts),
        ", according to ",
        words.skill(claim.skill),
        ".",
    )


def say_decided(words: Wording, claim: claims.Decided) -> Iterator[Pieces]:
    """Say what a skill decided, and what weighed most; in two sentences where something weighed against it."""
    skill, heaviest = words.skill(claim.skill), claim.heaviest
    named = [words.valued((one.fact,), claim.values) for one in heaviest]
    weights = [one.weight for one in heaviest]
    result = _put_result(words, claim.facts, claim.values)
    mean = " on average" if claim.several else ""
    if all(weight > 0 for weight in weights):
        each = " each" if len(heaviest) > 1 else ""
        weight = f": {signed(weights[0])}{each} towards it{mean}, according to "
        yield *result, " mostly because of ", row(named), weight, skill, "."
        yield from _say_scale(claim)
        return
    listed = [
        (*parts, Part(f", with {signed(weight)} {'towards' if weight > 0 else 'against'} it"))
        for weight, parts in zip(weights, named, strict=True)
    ]
    yield *result, "."
    yield "According to ", skill, f", what counted most{mean} was ", row(listed), "."
    yield from _say_scale(claim)


def _say_scale(claim: claims.Decided) -> Iterator[Pieces]:
    both = [f"{signed(claim.towards)} for it"] * bool(claim.towards)
    both += [f"{signed(claim.against)} against it"] * bool(claim.against)
    if not math.isclose(claim.towards - claim.against, abs(claim.heaviest[0].weight), rel_tol=1e-9):
        yield (f"All that counted adds up to {' and '.join(both)}.",)


def _put_result(words: Wording, facts: Sequence[str], values: Sequence[Value]) -> Pieces:
    value = next((words.shown(value) for value in values if facts == (value.fact,)), None)
    if value is not None:
        return words.facts(facts), " came out as ", value
    several = len(facts) > 1 or is_plural(words.label(facts[0]))
    return words.facts(facts), f" came out as {'they' if several else 'it'} did"


HOW_SURE = {Certainty.CERTAIN: "In any case", Certainty.LIKELY: "Probably", Certainty.POSSIBLE: "Possibly"}
"""Headings of lists of what will be needed."""


def put_may_need(words: Wording, claim: claims.MayNeed) -> tuple[Piece, ...]:
    verb = "still use" if claim.known else "need"
    may = verb if claim.certainty is Certainty.CERTAIN else f"may {verb}"
    need: tuple[Piece, ...] = (f"I {may} ", words.fact(claim.fact), " for ", words.aim(claim.aim))
    if not claim.skills:
        return *need, "."
    take = "take" if len(claim.skills) > 1 else "takes"
    takers = row([(words.skill(skill),) for skill in claim.skills])
    return *need, ": ", takers, f" {take} {it(words.label(claim.fact))}, if I call that at all."


_SURE = {
    Certainty.CERTAIN: "In any case I still need to ask you for ",
    Certainty.LIKELY: "I will probably ask you for ",
    Certainty.POSSIBLE: "If that does not work out, I may ask you for ",
}
_MOST = 5


def say_to_be_asked(words: Wording, claim: claims.ToBeAsked) -> Iterator[tuple[Piece, ...]]:
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
