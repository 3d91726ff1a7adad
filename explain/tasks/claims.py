"""Claims about a task, each with its sentences and the entries of the log that prove it.

Stages are told by their ids. What is missing, and what speaks against a split, is taken over as it stands on record.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from catalog.values.base import listed
from catalog.values.sources import Cells
from catalog.wording.grammar import capitalize, clean, count, end, quote
from explain.claim import Claim
from explain.tasks.record import AskedFor, Checked, DoubtedInput
from explain.tasks.words import (
    PROPOSERS,
    Sets,
    Stages,
    TaskWords,
    say_adds,
    say_over_budget,
    say_refusal,
    say_split,
    say_step,
)
from planning.hierarchy.description import Criterion
from planning.hierarchy.split import Refusal, Split
from planning.hierarchy.tree import ROOT, Missing, MissingKind, Planned, PlanStep

_LIMITS = {
    "depth": "stages are split at most {most} times, one within the other",
    "attempts": "at most {most} splits of one stage are tried",
    "hypotheses": "there are {most} stages already, and no more are looked at",
}
_AWAITS = {
    "consent": "consent to give {facts} to {skill}",
    "call": "a go-ahead to call {skill}",
    "in_doubt": "a person to find out whether {skill} took effect",
    "judge": "a judge to decide: {criterion}",
    "description": "a person to complete or confirm the description of the task",
}
_MOST_CELLS = 300
"""Characters of cells that are told of one document."""
_BY = {"program": "A program checked", "person": "A person judged", "model": "A language model judged"}
_STANDINGS = {"met": "is met", "unmet": "is not met", "waiting": "waits for a judge"}
_FOUND_BY = {"program": "", "person": " A person judged so.", "model": " A language model judged so."}


class StageClaim(Claim):
    """A claim about a stage; `text` says what the stage is to do."""

    stage: str
    text: str


class NoSuchStage(Claim):
    stage: str

    def say(self, words: TaskWords) -> Iterator[str]:
        yield f"There is no stage {quote(self.stage, 60)} in this task."


class NotPlanned(StageClaim):
    template = "{:stage} is not planned yet."


class InOnePiece(StageClaim):
    """There is a plan in one piece, so that the stage was not split."""

    plan: Planned

    def say(self, words: TaskWords) -> Iterator[str]:
        name, steps = words.stage(self), [clean(say_step(words.catalog, step)) for step in self.plan.steps]
        if steps:
            has = f"{name} has a plan in one piece, so it needs no split."
            yield f"{has} It has {count(len(steps), 'step')}: {' → '.join(steps)}."
        else:
            yield f"{name} needs no step: what it is to end with is there."


class AsGiven(StageClaim):
    """The user gave a list of activities, which is followed whether or not one plan would do."""

    template = "A list of activities was given for {:stage}, so it is followed."


class LacksInOnePiece(StageClaim):
    """There is no plan in one piece: each of the sets would be enough; or there is not enough money.

    `past`: planning in one piece has said something else since.
    """

    sets: Sets
    over_budget: float | None = None
    past: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        could, lacks = ("could not be planned at first", "lacked") if self.past else ("cannot be planned", "lacks")
        why = ""
        if self.sets:
            why = f": it {lacks} {words.either(self.sets)}"
        elif self.over_budget is not None:
            why = f": {say_over_budget(self.over_budget)}"
        yield f"In one piece {words.stage(self)} {could}{why}."


class PlanningGaveUp(StageClaim):
    """Planning in one piece met a limit, so that it is not known whether there is a plan."""

    reason: str
    past: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        yield end(f"Planning {words.stage(self)} in one piece gave up: {clean(self.reason, 200)}")


class Dropped(StageClaim):
    """There was a plan, and its step did not hold: the call came back with something else, or was declined."""

    step: PlanStep
    skill: str = ""
    reason: str = ""
    declined: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        head = f"{words.stage(self)} had a plan with {quote(say_step(words.catalog, self.step))}"
        why = f": {clean(self.reason, 200)}" if self.reason else ""
        no = ", and a person said no to it"
        yield end(f"{head}{no if self.declined else f', which did not give what the plan needs{why}'}")


class Unblocked(StageClaim):
    """The stage lacked something, which was supplied then.

    `facts` are those that were handed over; with `word`, what had been declined was allowed.
    """

    sets: Sets
    facts: tuple[str, ...] = ()
    word: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        how = f"a person handed over {words.the_facts(self.facts)}" if self.facts else "a skill was supplied"
        then = "a person said yes" if self.word else how
        yield f"Before that it lacked {words.either(self.sets[:1])}; then {then}."


class SplitClaim(StageClaim):
    """A claim about an attempt at a split (its number, from 1)."""

    attempt: int
    proposer: str
    split: Split

    def head(self, words: TaskWords) -> str:
        of = "" if self.stage in (ROOT, words.asked) else f" of {words.stage(self)}"
        return f"Attempt {self.attempt}{of} has {say_split(self.split, self.proposer).rstrip('.')}"


class SplitTaken(SplitClaim):
    """The split by which the stage is solved.

    `fills` are functions that planning in one piece lacked: what they are to give, and the number of the stage that
    ends with it.
    """

    fills: tuple[tuple[int, tuple[str, ...]], ...] = ()

    def say(self, words: TaskWords) -> Iterator[str]:
        yield f"{self.head(words)}, and all its stages have a plan."
        yield from filter(None, [say_adds(self.split)])
        for number, facts in self.fills:
            one = f"stage {number}, {quote(self.split.stages[number - 1].text.rstrip('.'))}"
            yield f"Its {one}, gives {words.facts(facts)}, for which a plan in one piece has no function."


class SplitRefused(SplitClaim):
    """A split was not taken, since something speaks against it."""

    refusals: tuple[Refusal, ...]

    def say(self, words: TaskWords) -> Iterator[str]:
        why = " ".join(say_refusal(words.catalog, one) for one in self.refusals)
        yield f"{self.head(words)}. It was refused. {why}"


class SplitStuck(SplitClaim):
    """A split was taken, and some of its stages are not solved; or it `needs` information."""

    stuck: Stages
    needs: tuple[str, ...] = ()

    def say(self, words: TaskWords) -> Iterator[str]:
        yield f"{self.head(words)}." + (f" It is stuck at {words.stages(self.stuck)}." if self.stuck else "")
        if self.needs:
            yield f"It waits for {words.the_facts(self.needs)} to be handed over."


class SplitToSpare(SplitClaim):
    """A split is solved, too, and another one was there first."""

    def say(self, words: TaskWords) -> Iterator[str]:
        yield f"{self.head(words)}. All its stages have a plan, but another one was there first."


class NothingProposed(StageClaim):
    """These proposers had no split to propose, or no other."""

    proposers: tuple[str, ...]

    def say(self, words: TaskWords) -> Iterator[str]:
        others = [PROPOSERS.get(one, one) for one in self.proposers if one != "given"]
        if others:
            yield f"For {words.stage(self)}, no other split was found by {listed(others, 'or')}."


class OfNoUse(StageClaim):
    """A proposer was asked for a split, and gave none that could be used; `unheard`: it could not be asked."""

    proposer: str
    trouble: str
    unheard: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        what = "could not be asked for a split" if self.unheard else "gave no split that could be used"
        yield end(f"{PROPOSERS.get(self.proposer, self.proposer)} {what}: {clean(self.trouble, 300)}")


class AtLimit(StageClaim):
    """It is not split further, since a limit is met: `depth`, `attempts` or `hypotheses`, and how many may be."""

    limit: str
    most: int

    def say(self, words: TaskWords) -> Iterator[str]:
        yield f"{words.stage(self)} is not split further: {_LIMITS[self.limit].format(most=self.most)}."


# what would help


class NothingLacks(StageClaim):
    template = "Nothing is missing: {:stage} has a plan."


class NothingKnown(StageClaim):
    template = "It is not known what would help {:stage}."


class Always(Claim):
    missing: Missing
    stages: Stages
    template = "Every attempt lacked {missing:missing}{stages:for_stages}."


class Supply(Claim):
    """What would have to be supplied; `stages` get stuck for want of it.

    `always` says that every attempted split of these lacked it, `asked` that it is asked for, and `not_there` that a
    person who was asked does not have it.
    """

    missing: Missing
    stages: Stages
    always: bool = False
    asked: bool = False
    not_there: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        missing, always = self.missing, "; every attempt lacked it" if self.always else ""
        source = f" from {words.facts(missing.inputs)}" if missing.inputs else ""
        yield f"What is missing is {words.missing(missing)}{source}{words.for_stages(self.stages)}{always}."
        if self.not_there:
            yield "A person who was asked does not have it."
        if missing.kind is MissingKind.INFORMATION and not missing.consent:
            for fact in missing.facts:
                yield from words.hand_over(fact, f"Hand over {words.the_fact(fact)}")
        elif missing.kind is MissingKind.FUNCTION:
            yield "Supply a skill that does it, as YAML."


class WrongInput(Claim):
    """A call showed that what was handed over is wrong: another value is wanted."""

    doubt: DoubtedInput

    def say(self, words: TaskWords) -> Iterator[str]:
        fact, reason = self.doubt.fact, clean(self.doubt.reason, 300)
        yield end(f"Something is wrong with {words.the_fact(fact)} that was handed over: {reason}")
        yield from words.hand_over(fact, "Hand over another one")


class NotEnough(Claim):
    stages: Stages
    template = "That alone would not be enough: nothing is known that would help {stages:stages}."


class OtherRemedies(StageClaim):
    sets: Sets
    template = "Instead, {sets:either} would do."


class Awaits(Claim):
    """A person is asked for a word, to find something out, or to judge; of a criterion, its words are there."""

    wanted: AskedFor
    criterion: Criterion | None = None

    def say(self, words: TaskWords) -> Iterator[str]:
        said = _AWAITS[self.wanted.kind].format(
            facts=words.the_facts(self.wanted.facts) or "what is sensitive",
            skill=words.skill(self.wanted.skill),
            criterion=words.criterion(self.criterion) if self.criterion else "",
        )
        yield end(f"It waits for {said}")


# how a result came about


class NoResult(Claim):
    """There is no such value, or not yet; `facts` are the results that there are."""

    fact: str
    facts: tuple[str, ...] = ()

    def say(self, words: TaskWords) -> Iterator[str]:
        known = f" There is: {words.facts(self.facts)}." if self.facts and self.fact else ""
        yield f"There is no result {f'{quote(words.fact(self.fact))} ' if self.fact else ''}yet.{known}"


class NoFigure(Claim):
    """There is no figure or paragraph of that name; `known` are those that there are."""

    fact: str
    figure: str
    known: tuple[str, ...] = ()

    def say(self, words: TaskWords) -> Iterator[str]:
        names = f" There is: {listed(map(quote, self.known), limit=20)}." if self.known else ""
        yield f"There is no figure or paragraph {quote(self.figure)} in {words.the_fact(self.fact)}.{names}"


class FigureIs(Claim):
    """A figure as it stands in a table, in a row of it; a paragraph has no value. `beside` are other cells of the row.

    `fact` is the result that was asked about, `table` the fact of the table, which was made together with it or before.
    """

    fact: str
    table: str
    row: int
    figure: str
    value: JsonValue
    beside: tuple[str, ...] = ()

    def say(self, words: TaskWords) -> Iterator[str]:
        beside = f", under {quote(self.beside[-1])}" if self.beside else ""
        stands = " stands" if self.value is None else f" is {_shown(self.value)},"
        yield f"{quote(self.figure)}{stands} in row {self.row + 1} of {words.the_fact(self.table)}{beside}."


def _shown(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else clean(str(value))


class HasFigures(Claim):
    """So many figures and paragraphs of a result can be traced to cells, by the table of them."""

    fact: str
    table: str
    names: tuple[str, ...]

    def say(self, words: TaskWords) -> Iterator[str]:
        parts, many = listed([quote(one, 60) for one in self.names], limit=8), len(self.names)
        of = f"{many} figures and paragraphs" if many > 1 else "one figure or paragraph"
        yield f"The cells behind {of} of {words.the_fact(self.fact)} are known: {parts}."


class RestsOnCells(Claim):
    """The cells of a document that a figure rests on; `fact` is what was handed over, as item `item` of it."""

    figure: str
    cells: Cells
    fact: str = ""
    item: int | None = None

    def say(self, words: TaskWords) -> Iterator[str]:
        cells, told = self.cells, self.cells.cells
        if len(told) > _MOST_CELLS:
            told = f"{told[:_MOST_CELLS].rsplit(',', 1)[0]}, …"
        sheet = f"sheet {quote(cells.sheet)} of " if cells.sheet else ""
        item = f", item {self.item} of {words.the_fact(self.fact)}" if self.item else ""
        yield f"It rests on {told} in {sheet}{clean(cells.name)}{item}."


class NoCells(Claim):
    """It is not on record which cells something rests on."""

    fact: str
    figure: str | None = None

    def say(self, words: TaskWords) -> Iterator[str]:
        what = quote(self.figure) if self.figure else words.the_fact(self.fact)
        yield f"It is not known on which cells {what} rests."


class MadeBy(Claim):
    """A skill was called, so many times, and made facts from others; `stage` is what it was done for."""

    skill: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    count: int
    stage: str
    text: str

    def say(self, words: TaskWords) -> Iterator[str]:
        often = f", called {self.count} times," if self.count > 1 else ""
        source = f" from {words.facts(self.inputs)}" if self.inputs else ""
        yield f"{words.skill(self.skill)}{often} made {words.facts(self.outputs)}{source}."


class WasHandedOver(Claim):
    """Something was handed over; `said` is the name of its file, or what was typed, where that may be seen."""

    fact: str
    said: str = ""

    def say(self, words: TaskWords) -> Iterator[str]:
        yield end(f"{words.was(self.fact)} handed over{f': {clean(self.said, 200)}' if self.said else ''}")


class PutTogether(Claim):
    """What was found for the items of a list was put together; `failed` are the numbers of items without a result."""

    facts: tuple[str, ...]
    count: int
    failed: tuple[int, ...] = ()

    def say(self, words: TaskWords) -> Iterator[str]:
        numbers, items = listed(map(str, self.failed)), "items" if len(self.failed) > 1 else "item"
        left = f"; there is none for {items} {numbers}" if self.failed else ""
        found = f"What was found for {count(self.count, 'item')} was put together as"
        yield f"{found} {words.the_facts(self.facts)}{left}."


class TakenAs(Claim):
    fact: str
    other: str
    template = "{other:was} taken as {fact:the_fact}."


class HiddenOrigin(Claim):
    fact: str
    template = "{fact:the_fact} is sensitive, so it is not told how it came about."


# criteria


class NoCriterion(Claim):
    """There is no criterion of that number; there are so many."""

    number: int
    count: int

    def say(self, words: TaskWords) -> Iterator[str]:
        are = f"are {self.count}" if self.count > 1 else "is one"
        yield f"There is no criterion {self.number}: there {are}." if self.count else _NO_CRITERIA


_NO_CRITERIA = "There are no criteria."


class AllMet(Claim):
    """No criterion is known to be unmet; so many were checked of so many."""

    checked: int
    count: int

    def say(self, words: TaskWords) -> Iterator[str]:
        met = f"No criterion is known to be unmet: {self.checked} of {self.count} are met."
        yield met if self.count else _NO_CRITERIA


class Unchecked(Claim):
    number: int
    criterion: Criterion
    template = "Criterion {number} is not checked yet: {criterion:criterion}"


class CriterionStands(Claim):
    """How a criterion stands, what was found, and who found it."""

    criterion: Criterion
    check: Checked

    def say(self, words: TaskWords) -> Iterator[str]:
        check, said = self.check, words.criterion(self.criterion)
        found = f" {end(clean(check.found, 300))}" if check.found and check.found != said else ""
        by = _FOUND_BY[check.by] if check.standing != "waiting" else ""
        yield f"Criterion {check.number} {_STANDINGS[check.standing]}: {end(said)}{found}{by}"


class Overruled(Claim):
    """A judgement of a criterion that counts no more, since a person has judged it."""

    check: Checked

    def say(self, words: TaskWords) -> Iterator[str]:
        said = "met" if self.check.standing == "met" else "not met"
        judged = f"{_BY[self.check.by]} criterion {self.check.number} {said}"
        yield f"{judged}; that counts no more, since a person judged it."


class CriteriaJudged(Claim):
    """These criteria (numbers) were checked by a program, or judged by a person or a language model."""

    by: str
    numbers: tuple[int, ...]
    waiting: bool = False

    def say(self, words: TaskWords) -> Iterator[str]:
        several = len(self.numbers) > 1
        named = f"criteri{'a' if several else 'on'} {listed(map(str, self.numbers), limit=100)}"
        if not self.numbers:
            yield _NO_CRITERIA
        elif self.waiting:
            yield f"{capitalize(named)} wait{'' if several else 's'} for a judge."
        else:
            unchecked = f"{capitalize(named)} {'are' if several else 'is'} not checked yet."
            yield f"{_BY[self.by]} {named}." if self.by else unchecked
