"""Claims that several explanations make, each with its sentences and the events that prove it.

Claims speak of facts and skills by their names in the catalog, and carry the values that they may show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from catalog.wording.grammar import it, quoted_sentence
from explain.claim import Claim, Pieces
from explain.model import Aim, ComingStep, Explanation, Question, Value, ValueEnding
from explain.words import Wording
from planning.history import Actor, Execution
from planning.model import StepKind

_ENDED = {
    ValueEnding.REPLACED: "until another value took its place",
    ValueEnding.SET_ASIDE: "for an earlier request",
    ValueEnding.OUTDATED: "until what it rests on was changed",
    ValueEnding.WRONG: "until it turned out to be wrong",
}


def answer(
    question: Question,
    claims: Iterable[Claim],
    links: Iterable[tuple[int, str, int]] = (),
    coming: Iterable[tuple[str, int]] = (),
) -> Explanation:
    """Make an explanation of claims; repeated links count once."""
    return Explanation(question, tuple(claims), tuple(dict.fromkeys(links)), tuple(dict.fromkeys(coming)))


class NothingAsked(Claim):
    """The user has not asked for anything yet; `ahead` where the question is what is still to come."""

    ahead: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        then = "I have no plan." if self.ahead else "there is nothing to explain."
        yield (f"You have not asked me for anything yet, so {then}",)


class Undeclared(Claim):
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
    skill: str
    template = "{skill:skill} is still to be called, as you asked."


class EstablishedBy(Claim):
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
            yield "I used ", words.facts(self.inputs), " as ", valued, *words.because(by.because), "."
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


class SkillDescription(Claim):
    """The description of a skill by its author."""

    skill: str

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "What it does: ", quoted_sentence(words.record.catalog.skills[self.skill].description)


class HadValue(Claim):
    """A fact had a value, and how that ended."""

    value: Value
    ended: ValueEnding

    def say(self, words: Wording) -> Iterator[Pieces]:
        shown = words.shown(self.value)
        said: Pieces = (" (", shown, ")") if shown else ()
        yield "I do not have ", words.fact(self.value.fact), " any more: I had it", *said, f" {_ENDED[self.ended]}."


class StandsIn(Claim):
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


class GoalItself(Claim):
    """The request itself; it may be `undecided` which of its alternatives is taken."""

    aim: Aim
    undecided: bool = False

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "You asked for ", words.aim(self.aim), ", and it is open which." if self.undecided else "."
