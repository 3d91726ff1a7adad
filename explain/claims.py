"""Claims of explanations, each with its sentences and the events that prove it.

Claims speak of facts and skills by their names in the catalog, and carry the values that they may show.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from catalog.wording.grammar import a, as_clause, be, is_plural, it, quoted_sentence, signed, the
from explain.claim import Claim, Part, Pieces, row
from explain.model import Aim, Attribution, Cause, CauseKind, ComingStep, Ending, Explanation, Question, Value
from explain.trace import Act
from explain.words import Wording
from planning.diagnosis.diagnose import Gap, GapKind
from planning.history import Actor, Execution
from planning.model import StepKind
from planning.needs import Certainty
from planning.task.spending import say_money

_ENDED = {
    Ending.REPLACED: "until another value took its place",
    Ending.SET_ASIDE: "for an earlier request",
    Ending.OUTDATED: "until what it rests on was changed",
    Ending.WRONG: "until it turned out to be wrong",
}
_SURE = {
    Certainty.CERTAIN: "In any case I still need to ask you for ",
    Certainty.LIKELY: "I will probably ask you for ",
    Certainty.POSSIBLE: "If that does not work out, I may ask you for ",
}
_MOST = 5
"""Facts that are named of those that are only possibly asked for."""


def answer(
    question: Question,
    claims: Iterable[Claim],
    links: Iterable[tuple[int, str, int]] = (),
    coming: Iterable[tuple[str, int]] = (),
) -> Explanation:
    """Make an explanation of claims; repeated links count once."""
    return Explanation(question, tuple(claims), tuple(dict.fromkeys(links)), tuple(dict.fromkeys(coming)))


# About anything


class NothingAsked(Claim):
    """The user has not asked for anything yet; `ahead` where the question is what is still to come."""

    ahead: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        then = "I have no plan." if self.ahead else "there is nothing to explain."
        yield (f"You have not asked me for anything yet, so {then}",)


class Undeclared(Claim):
    """The catalog has no such fact."""

    fact: str
    template = "I do not know of anything called {fact:quote}."


class Called(Claim):
    """A skill that was asked for by itself was called."""

    skill: str
    inputs: tuple[str, ...] = ()

    def say(self, words: Wording) -> Iterator[Pieces]:
        used = (", using ", words.facts(self.inputs)) if self.inputs else ()
        yield "I called ", words.skill(self.skill), *used, ", as you asked."


class ToBeCalled(Claim):
    """A skill that was asked for by itself is not called yet."""

    skill: str
    template = "{skill:skill} is still to be called, as you asked."


# How


class Established(Claim):
    """The source of facts: an execution, or nothing (they were known from the start).

    `values` are those that still hold. `inputs` are what a skill used, beside the list for each item of which it was
    called (`each`).
    """

    facts: tuple[str, ...]
    values: tuple[Value, ...] = ()
    by: Execution | None = None
    inputs: tuple[str, ...] = ()
    each: str | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        by, valued = self.by, words.valued(self.facts, self.values)
        if by is None or by.actor is Actor.START:
            yield "I knew ", valued, " from the start."
        elif by.actor is Actor.EVENT:
            yield "I learned of ", valued, " from an alert."
        elif by.actor is Actor.USER:
            yield self._put_given(words, by)
        elif by.actor is Actor.MAPPING:
            yield "I used ", words.facts(self.inputs), " as ", valued, *_put_because(by.because), "."
        else:
            asked = (
                () if self.each is None else (", which I asked for each of ", words.counted(self.each, by.items or 0))
            )
            used = (", using ", words.facts(self.inputs)) if self.inputs else ()
            skill, no = words.skill(by.skill), words.refusal(by)
            said_no = "I asked ", skill, " for ", words.facts(self.facts), *asked, *used, f", which{no}."
            yield said_no if no else ("I got ", valued, " from ", skill, *asked, *used, ".")

    def _put_given(self, words: Wording, by: Execution) -> Pieces:
        """Quote the user; where the words are not the value itself ("12 grand"), show the value too."""
        verb = "You told me " if all(map(words.is_sayable, self.facts)) else "You uploaded "
        when = " when I asked" if by.asked is not None else ""
        valued = words.valued(self.facts, self.values)
        if not (by.said or "").strip():
            return verb, valued, when, "."
        said = words.words(by)
        values = [shown.text for value in self.values if (shown := words.shown(value)) is not None]
        enough = said.secret or all(value.casefold() in said.text.casefold() for value in values)
        return verb, words.facts(self.facts) if enough else valued, when, ": ", said, "."


class Described(Claim):
    """The description of a skill by its author."""

    skill: str

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "What it does: ", quoted_sentence(words.catalog.skills[self.skill].description)


class HadValue(Claim):
    """A fact had a value, and how that ended."""

    value: Value
    ended: Ending

    def say(self, words: Wording) -> Iterator[Pieces]:
        shown = words.shown(self.value)
        said: Pieces = (" (", shown, ")") if shown else ()
        yield "I do not have ", words.fact(self.value.fact), " any more: I had it", *said, f" {_ENDED[self.ended]}."


class StandsIn(Claim):
    """One fact stands for the fact that was asked about."""

    wanted: str
    got: str
    template = "What I have as {wanted:fact} is {got:fact}."


class WasWrong(Claim):
    """A fact was known and turned out to be wrong; `outdated` where what it rested on was changed."""

    fact: str
    outdated: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        how = "rested on something that was changed" if self.outdated else "turned out to be wrong"
        yield "What I had as ", words.fact(self.fact), f" {how}, so I dropped it."


class Unknown(Claim):
    """A fact is not known; `coming` is the step of the plan that is to establish it, if there is one."""

    fact: str
    coming: ComingStep | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        named, pronoun, step = words.fact(self.fact), it(words.label(self.fact)), self.coming
        if step is None:
            yield "I do not know ", named, f", and nothing is planned to find {pronoun} out."
            return
        coming: Pieces = (": the plan is to use ", words.facts(step.inputs), f" for {pronoun}")
        if step.kind is StepKind.ASK:
            coming = (f": I am going to ask you for {pronoun}",)
        elif step.kind is StepKind.SKILL:
            inputs: Pieces = (", which goes by ", words.facts(step.inputs)) if step.inputs else ()
            coming = (f": the plan is to get {pronoun} from ", words.skill(step.subject), *inputs)
        yield "I do not yet know ", named, *coming, "."


# Why


class IsWanted(Claim):
    """A fact is what was asked for, or stands for the fact that was (`wanted`)."""

    fact: str
    wanted: str | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        named, verb = words.fact(self.fact), be(words.label(self.fact))
        if self.wanted is None:
            yield named, f" {verb} what you asked for."
        else:
            asked_for = Part(a(words.label(self.wanted)), fact=self.wanted)
            yield "You asked for ", asked_for, ", and ", named, f" {verb} just that."


@dataclass(frozen=True, slots=True)
class Precedes:
    """The acts that an act precedes, and why: skills, or anything sensitive; or the act itself was `requested`."""

    requested: bool = False
    skills: tuple[str, ...] = ()
    anything_sensitive: bool = False
    reasons: tuple[str, ...] = ()


class Used(Claim):
    """The inputs of an act, and its effects on the way to the goal.

    `asked` means that the fact in question is among those `used`, and `optional` that the skill can do without them.
    `gave` are facts that were used in turn, `wanted` those of the goal. `certainty` is that of a use to come.
    """

    act: Act
    used: tuple[str, ...]
    asked: bool
    optional: bool = False
    gave: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    precedes: Precedes | None = None
    certainty: Certainty | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        """Say what an act used, and what came of it; where that is the goal, say so."""
        use, verb = self._put_use(words)
        items = [words.facts(self.gave)] if self.gave else []
        items += [(Part(the(words.label(fact)), fact=fact),) for fact in self.wanted]
        gain: Pieces = (verb, row(items)) if items else ()
        asked_for = (" you asked for",) if self.wanted else ()
        because = _put_because(self.act.execution.because) if self.act.execution else ()
        befores = _put_precedes(words, self.act, self.precedes, also=bool(items))
        yield *use, *gain, *asked_for, *because, *befores, "."

    def _put_use(self, words: Wording) -> tuple[Pieces, str]:
        act, asked, named = self.act, self.asked, words.facts(self.used)
        mapped = act.step.kind is StepKind.MAP if act.step else act.execution is not None and act.skill is None
        if act.execution is None:
            if mapped:
                return ("I can use " if asked else "I will then use ", named), " as "
            skill = words.skill(act.skill)
            need = "I need " if self.certainty in (None, Certainty.CERTAIN) else "I will probably need "
            use: Pieces = (need, named, " for ", skill) if asked else (named, " will go into ", skill)
            return use, ", which should give me "
        if mapped:
            return ("I used " if asked else "I then used ", named), " as "
        skill, no = words.skill(act.skill), words.refusal(act.execution)
        gave = f"{no} to " if no else " gave me "
        if not asked:
            return (named, " then went into ", skill), f", which{gave}"
        if self.optional:
            return (skill, " also took ", named, ", which it can do without"), f", and{gave}"
        return ("I needed ", named, " for ", skill), f", which{gave}"


class CameAlong(Claim):
    """A fact that nothing uses came of an act that had to be carried out."""

    fact: str
    act: Act
    precedes: Precedes | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        comes = "came from" if self.act.execution else "will come from"
        befores = _put_precedes(words, self.act, self.precedes, also=False)
        yield words.fact(self.fact), f" {comes} ", words.skill(self.act.skill), *befores, "."


class UsedBesides(Claim):
    """A fact was used, though not on the way to the goal; or nothing can be said of that yet (`so_far`)."""

    fact: str
    by: Execution
    so_far: bool
    in_vain: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "So far I have " if self.so_far else "I did ", *self._put_use(words), "."

    def _put_use(self, words: Wording) -> Pieces:
        """Put what the fact was used for, after "have" (so far) or "did"."""
        by, used, perfect = self.by, words.fact(self.fact), self.so_far
        if by.skill is None:
            return "used " if perfect else "use ", used, " as ", words.facts(by.outputs)
        use: Pieces = ("used " if perfect else "use ", used, " for ", words.skill(by.skill))
        if by.outputs:
            no = words.refusal(by)
            return *use, f", which{f'{no} to' if no else ' gave me'} ", words.facts(by.outputs)
        return (*use, ", but got nothing from it") if self.in_vain else use


class Need(StrEnum):
    """As of when a fact is not needed for a goal."""

    ACHIEVED = "achieved"
    """It was not needed: the goal is achieved."""
    PLANNED = "planned"
    """It is not needed by the plan."""
    KNOWN = "known"
    """It is known, and was not used so far."""
    UNKNOWN = "unknown"
    """It is not known, and was not used so far."""


_UNNEEDED = {
    Need.ACHIEVED: ("I did not need ", "."),
    Need.PLANNED: ("I do not need ", "."),
    Need.KNOWN: ("I have not used ", " so far."),
    Need.UNKNOWN: ("I do not have, and have not used, ", " so far."),
}


class Unneeded(Claim):
    """Nothing on the way to the goal uses a fact."""

    fact: str
    aim: Aim
    need: Need

    def say(self, words: Wording) -> Iterator[Pieces]:
        opening, so_far = _UNNEEDED[self.need]
        yield opening, words.fact(self.fact), " for ", words.aim(self.aim), so_far


class MayNeed(Claim):
    """The likely way does without a fact, and some other way to the goal has a use for it: in the calls of skills."""

    fact: str
    aim: Aim
    certainty: Certainty
    skills: tuple[str, ...] = ()
    known: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        verb = "still use" if self.known else "need"
        may = verb if self.certainty is Certainty.CERTAIN else f"may {verb}"
        takers: Pieces = ()
        if self.skills:
            take = f" {'take' if len(self.skills) > 1 else 'takes'} {it(words.label(self.fact))}, if I call that at all"
            takers = (": ", words.skills(self.skills), take)
        yield f"I {may} ", words.fact(self.fact), " for ", words.aim(self.aim), *takers, "."


# Chain


class Decided(Claim):
    """A decision of a skill, and which inputs weighed most; on average over items, if it was called for `several`.

    `values` are those of the facts that were decided and of the heaviest inputs, where they still hold.
    """

    facts: tuple[str, ...]
    skill: str | None
    heaviest: tuple[Attribution, ...]
    values: tuple[Value, ...]
    several: bool = False
    towards: float = 0.0
    """What speaks for the decision in all; `against` it likewise: the scale of each weight."""
    against: float = 0.0

    def say(self, words: Wording) -> Iterator[Pieces]:
        """Say what a skill decided, and what weighed most; in two sentences where something weighed against it."""
        skill, heaviest = words.skill(self.skill), self.heaviest
        named = [words.valued((one.fact,), self.values) for one in heaviest]
        weights = [one.weight for one in heaviest]
        result = self._put_result(words)
        mean = " on average" if self.several else ""
        if all(weight > 0 for weight in weights):
            each = " each" if len(heaviest) > 1 else ""
            weight = f": {signed(weights[0])}{each} towards it{mean}, according to "
            yield *result, " mostly because of ", row(named), weight, skill, "."
            yield from self._say_scale()
            return
        listed = [
            (*parts, Part(f", with {signed(weight)} {'towards' if weight > 0 else 'against'} it"))
            for weight, parts in zip(weights, named, strict=True)
        ]
        yield *result, "."
        yield "According to ", skill, f", what counted most{mean} was ", row(listed), "."
        yield from self._say_scale()

    def _say_scale(self) -> Iterator[Pieces]:
        both = [f"{signed(self.towards)} for it"] * bool(self.towards)
        both += [f"{signed(self.against)} against it"] * bool(self.against)
        if not math.isclose(self.towards - self.against, abs(self.heaviest[0].weight), rel_tol=1e-9):
            yield (f"All that counted adds up to {' and '.join(both)}.",)

    def _put_result(self, words: Wording) -> Pieces:
        facts, values = self.facts, self.values
        value = next((words.shown(value) for value in values if facts == (value.fact,)), None)
        if value is not None:
            return words.facts(facts), " came out as ", value
        several = len(facts) > 1 or is_plural(words.label(facts[0]))
        return words.facts(facts), f" came out as {'they' if several else 'it'} did"


class WeighedLess(Claim):
    """Further inputs that weighed in a decision."""

    rest: tuple[Attribution, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        listed = [(words.fact(one.fact), Part(f" ({signed(one.weight)})")) for one in self.rest]
        yield row(listed), " counted less."


class NotWeighed(Claim):
    """A skill does not say how much its inputs weighed, or that none of them made a difference (`same`)."""

    skill: str | None
    same: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        named = words.skill(self.skill)
        if self.same:
            yield "According to ", named, ", none of these made a difference."
        else:
            yield named, f" {'do' if is_plural(named.text) else 'does'} not say how much each of them counted."


# What


@dataclass(frozen=True, slots=True)
class Origin:
    """Facts that come from one place: an actor, with its skill, or what they were taken from."""

    facts: tuple[str, ...]
    actor: Actor | None
    skill: str | None = None
    taken_from: tuple[str, ...] = ()


class Gathered(Claim):
    """The facts gathered for the goal (named by `aim` in the first such claim); `early` was there before it.

    `also` marks the second claim and those after it.
    """

    origins: tuple[Origin, ...]
    aim: Aim | None
    achieved: bool
    early: bool
    also: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        also = "also " if self.also else ""
        gathered = f"I {'' if self.achieved else 'have '}{also}gathered "
        verb = f"I {also or 'already '}had " if self.early else gathered
        listed = row([(*words.facts(origin.facts), *_put_origin(words, origin)) for origin in self.origins])
        to_get = self.achieved and not words.declined
        opening: Pieces = ("To get " if to_get else "For ", words.aim(self.aim), ", ") if self.aim else ()
        yield *opening, verb, listed, "."


class Spent(Claim):
    """The money that went into the goal."""

    money: float
    achieved: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        price = say_money(self.money, words.catalog.settings.currency)
        yield (f"That cost {price}." if self.achieved else f"So far, that cost {price}.",)


class StillNeeded(Claim):
    """The open landmarks, which every plan still needs; for an `aim` that no earlier claim has named."""

    facts: tuple[str, ...]
    aim: Aim | None

    def say(self, words: Wording) -> Iterator[Pieces]:
        opening: Pieces = ("For ", words.aim(self.aim), ", ") if self.aim else ()
        yield *opening, "I still need ", words.facts(self.facts), "."


class ChoicesLeft(Claim):
    """Sets of facts of which every plan needs one; `also` follows what is needed in any case."""

    choices: tuple[tuple[str, ...], ...]
    aim: Aim | None
    also: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        either = row([(Part("either "), *words.facts(facts, "or")) for facts in self.choices])
        opening: Pieces = ("For ", words.aim(self.aim), ", I still need ") if self.aim else ("I still need ",)
        yield *(("I also need ",) if self.also else opening), either, "."


class LeftToGet(Claim):
    """The goal's own facts are all that is missing."""

    facts: tuple[str, ...]
    template = "What is left to get is {facts:facts}."


class LeftToCall(Claim):
    """Skills that are wanted by themselves are not called yet."""

    skills: tuple[str, ...]
    template = "What is left to call is {skills:skills}."


class Requested(Claim):
    """The request itself; it may be `undecided` which of its alternatives is taken."""

    aim: Aim
    undecided: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "You asked for ", words.aim(self.aim), ", and it is open which." if self.undecided else "."


class NoWayNow(Claim):
    """At present no plan leads to the goal."""

    template = "At present I see no way to get there."


# Missing


class NothingMissing(Claim):
    """The goal is reached (`got`), or there is a way to it."""

    aim: Aim
    got: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield f"Nothing is missing: {'I have' if self.got else 'there is a way to'} ", words.aim(self.aim), "."


class OverBudget(Claim):
    """There is a way to the goal, and it costs more than may be spent; `said` by the user, or set by the catalog."""

    aim: Aim
    money: float
    budget: float
    spent: float
    said: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        currency = words.catalog.settings.currency
        allowed = f"{'you said' if self.said else 'I may spend'} at most {say_money(self.budget, currency)}"
        spent = f", and {say_money(self.spent, currency)} of that is spent" if self.spent else ""
        costs = f", but it costs {say_money(self.money, currency)}; {allowed}{spent}."
        yield "I know a way to ", words.aim(self.aim), costs
        whole = say_money(self.money + self.spent, currency)
        yield (f"I can go on if I may spend {whole}{' in all' if self.spent else ''}.",)


class SaidNo(Claim):
    """A skill was asked for what was wanted, and the outcome is bad news."""

    facts: tuple[str, ...]
    by: Execution
    template = "{by.skill:skill}{by:refusal} to {facts:facts}."


class ToBeAsked(Claim):
    """What the user will be asked for on the way to the goal, and the consents, with how sure that is."""

    facts: Mapping[str, Certainty]
    consents: Mapping[str, Certainty]

    def say(self, words: Wording) -> Iterator[Pieces]:
        agreed = [subject for subject, sure in self.consents.items() if sure is not Certainty.POSSIBLE]
        for certainty, opening in _SURE.items():
            facts = tuple(fact for fact, sure in self.facts.items() if sure is certainty)
            if not facts:
                continue
            alone = certainty is Certainty.POSSIBLE and len(self.facts) == len(facts)
            more = Part(" or something else") if len(facts) > _MOST and certainty is Certainty.POSSIBLE else None
            listed = words.facts(facts[:_MOST] if more else facts, "or" if certainty is Certainty.POSSIBLE else "and")
            yield "I may ask you for " if alone else opening, listed, *([more] if more else ()), "."
        skills = [subject for subject in agreed if subject in words.catalog.skills]
        passed_on = [subject for subject in agreed if subject not in words.catalog.skills]
        if skills:
            yield "I will ask you before anything sensitive goes to ", words.skills(skills), "."
        if passed_on:
            yield "I will ask you before I pass on ", words.facts(passed_on), "."


class NoWayLeft(Claim):
    """No way leads to the goal any more; `because` are causes of one kind, where these are the whole reason."""

    aim: Aim
    because: tuple[Cause, ...] = ()

    def say(self, words: Wording) -> Iterator[Pieces]:
        reason = (", because ", *_put_causes(words, self.because)) if self.because else (".",)
        yield "I see no way left to ", words.aim(self.aim), *reason


class WayClosed(Claim):
    """The causes, of one kind, that closed a way to the goal."""

    causes: tuple[Cause, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield _put_causes(words, self.causes)


class NoSkill(Claim):
    """No skill gives what is missing; `had` says that there was one."""

    gap: Gap
    had: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        gap, left = self.gap, " left" if self.had else ""
        if not gap.facts:
            yield "I have no way left to use ", words.skill(gap.subject), "."
            return
        yield f"I have no skill{left} that could give me ", words.facts(gap.facts), "."
        if gap.inputs:
            another = f"{'Another' if self.had else 'A'} skill that could find that out from "
            yield another, words.facts(gap.inputs), " would help."


class ValuesToTell(Claim):
    """The facts for which other values would help, if there are any; the gaps have to be filled besides."""

    facts: tuple[str, ...]
    gaps: tuple[Gap, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        remedies = _put_remedies(words, self.gaps, "and")
        besides: Pieces = ("; you would also have to ", row(remedies)) if remedies else ()
        if self.facts:
            yield "You can help by giving me another value for ", words.facts(self.facts, "or"), *besides, "."
        else:
            yield f"Nothing you could tell me would change that{' on its own' if remedies else ''}", *besides, "."


class WayOut(Claim):
    """The options of the user: fill all of the gaps, or `any_one`. `further` ways take more than the first."""

    gaps: tuple[Gap, ...]
    any_one: bool = False
    further: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        joined, opening = "or" if self.any_one else "and", "Or you could " if self.further else "I can go on if you "
        yield opening, row(_put_remedies(words, self.gaps, joined), joined), "."


class OtherWays(Claim):
    """There may be other ways out than those named."""

    template = "There may be other ways, too."


# parts of sentences


def _put_because(because: str) -> tuple[str, ...]:
    reason = as_clause(because)
    return (f", because {reason}",) if reason else ()


def _put_precedes(words: Wording, act: Act, precedes: Precedes | None, *, also: bool) -> Pieces:
    """Put what an act had to come before, and why; or that its being carried out is what was asked for."""
    if precedes is None:
        return ()
    opening = ", and which" if also else ", which"
    if precedes.requested:
        return (f"{opening} you asked for",)
    waiting = [(words.skill(skill),) for skill in precedes.skills]
    waiting += [(Part("anything sensitive"),)] * precedes.anything_sensitive
    reasons = dict.fromkeys(map(as_clause, precedes.reasons))
    has = "had" if act.execution else "has"
    return f"{opening} {has} to come before ", row(waiting), f": {'; '.join(reasons)}" if reasons else ""


def _put_origin(words: Wording, origin: Origin) -> tuple[Part, ...]:
    if origin.actor is Actor.SKILL:
        return Part(" (from "), words.skill(origin.skill), Part(")")
    if origin.actor is Actor.MAPPING:
        return Part(" (copied from "), *words.facts(origin.taken_from), Part(")")
    told = "you told me" if words.is_sayable(origin.facts[0]) else "uploaded by you"
    from_elsewhere = {Actor.USER: told, Actor.EVENT: "from an alert", Actor.START: "known from the start"}
    return (Part(f" ({from_elsewhere[origin.actor or Actor.START]})"),)


def _put_causes(words: Wording, causes: Sequence[Cause]) -> Pieces:
    """Put what happened; `causes` are of one kind and, but for questions, of one subject."""
    cause = causes[0]
    facts = tuple(dict.fromkeys(fact for one in causes for fact in one.facts))
    fact, skill = words.fact(cause.subject), words.skill(cause.subject)
    asked = words.facts(tuple(dict.fromkeys(one.subject for one in causes)))
    at_stake = words.facts(facts) if facts else ()
    pieces: Pieces
    match cause.kind:
        case CauseKind.REFUSED:
            pieces = ("you said no to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.NOT_AGREED:
            pieces = ("you neither agreed to ", *_put_consent(words, cause.subject, facts), " nor said no.")
        case CauseKind.WITHDRAWN:
            pieces = ("you took back your consent to ", *_put_consent(words, cause.subject, facts), ".")
        case CauseKind.DECLINED:
            pieces = ("you told me not to go ahead with ", skill, ".")
        case CauseKind.SKIPPED:
            pieces = ("I asked you for ", asked, ", and you did not give me an answer.")
        case CauseKind.UNCLEAR:
            pieces = ("I asked you for ", asked, ", and did not understand the answer.")
        case CauseKind.NOT_FILLABLE:
            declared = words.catalog.facts.get(cause.subject)
            reason = (declared.why_not_fillable or "").strip() if declared else ""
            because = f": {reason}" if reason else "."
            ending = because if because.endswith((".", "!", "?")) else f"{because}."
            pieces = ("I cannot ask you for ", fact, ending)
        case CauseKind.TRIES_USED_UP:
            outcome: Pieces = (", without getting ", at_stake) if at_stake else ()
            pieces = ("I tried ", skill, " as often as I may", *outcome, ".")
        case CauseKind.FAILED:
            pieces = ("I tried ", skill, ", and it failed.")
        case CauseKind.UNFIT:
            pieces = ("what I have as ", at_stake or "another fact", " cannot be used as ", fact, ".")
        case CauseKind.OUTDATED:
            pieces = ("what I had as ", fact, " rested on something that was changed.")
        case _:  # retracted
            pieces = ("what I had as ", fact, " turned out to be wrong.")
    return pieces


def _put_consent(words: Wording, subject: str, facts: tuple[str, ...]) -> tuple[Part, ...]:
    if subject in words.catalog.skills:
        sensitive = words.facts(facts) if facts else (Part("sensitive information"),)
        return Part("giving "), *sensitive, Part(" to "), words.skill(subject)
    return Part("passing on "), words.fact(subject)


def _put_remedies(words: Wording, gaps: Sequence[Gap], word: str) -> list[tuple[Part, ...]]:
    """Put what would fill the gaps, the kind that comes first before the other; one verb serves for all answers."""
    answers = tuple(gap.subject for gap in gaps if gap.kind is GapKind.ANSWER)
    go_aheads = dict.fromkeys(gap.subject for gap in gaps if gap.kind is GapKind.GO_AHEAD)
    consents = [
        (Part("say yes to "), *_put_consent(words, gap.subject, gap.facts))
        for gap in gaps
        if gap.kind is GapKind.CONSENT
    ]
    consents += [(Part("tell me to go ahead with "), words.skill(one)) for one in go_aheads]
    given = [(Part("give me "), *words.facts(answers, word))] if answers else []
    return [*consents, *given] if gaps[0].kind is not GapKind.ANSWER else [*given, *consents]
