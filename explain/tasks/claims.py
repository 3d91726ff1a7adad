"""Claims about a task, each with the entries of the log that prove it.

Stages are told by their ids. What is missing, and what speaks against a split, is taken over as it stands on record.
"""

from __future__ import annotations

from pydantic import JsonValue

from catalog.values.sources import Cells
from explain.claim import Claim
from explain.tasks.record import Checked, Doubt, Wanted
from planning.hierarchy.description import Criterion
from planning.hierarchy.split import Refusal, Split
from planning.hierarchy.tree import Missing, Planned, PlanStep

Sets = tuple[tuple[Missing, ...], ...]
"""Sets of what is missing: each of them would be enough."""


class TaskClaim(Claim):
    """A claim about a task."""


class StageClaim(TaskClaim):
    """A claim about a stage; `text` says what the stage is to do."""

    stage: str
    text: str


class NoSuchStage(TaskClaim):
    """There is no stage of that id."""

    stage: str


class NotPlanned(StageClaim):
    """Nobody has looked at the stage yet."""


class InOnePiece(StageClaim):
    """There is a plan in one piece, so that the stage was not split."""

    plan: Planned


class AsGiven(StageClaim):
    """The user gave a list of activities, which is followed whether or not one plan would do."""


class LacksInOnePiece(StageClaim):
    """There is no plan in one piece: each of the sets would be enough; or there is not enough money.

    `past`: planning in one piece has said something else since.
    """

    sets: Sets
    over_budget: float | None = None
    past: bool = False


class GaveUp(StageClaim):
    """Planning in one piece met a limit, so that it is not known whether there is a plan."""

    reason: str
    past: bool = False


class Dropped(StageClaim):
    """There was a plan, and its step did not hold: the call came back with something else, or somebody said no."""

    step: PlanStep
    skill: str = ""
    reason: str = ""
    declined: bool = False


class Unblocked(StageClaim):
    """The stage lacked something, which was supplied then.

    `facts` are those that were handed over; with `word`, somebody who had said no said yes.
    """

    sets: Sets
    facts: tuple[str, ...] = ()
    word: bool = False


class SplitClaim(StageClaim):
    """A claim about an attempt at a split (its number, from 1)."""

    attempt: int
    proposer: str
    split: Split


class SplitTaken(SplitClaim):
    """The split by which the stage is solved.

    `fills` are functions that planning in one piece lacked: what they are to give, and the number of the stage that
    ends with it.
    """

    fills: tuple[tuple[int, tuple[str, ...]], ...] = ()


class SplitRefused(SplitClaim):
    """A split was not taken, since something speaks against it."""

    refusals: tuple[Refusal, ...]


class SplitStuck(SplitClaim):
    """A split was taken, and some of its stages (ids with their texts) are not solved; or it `needs` information."""

    stuck: tuple[tuple[str, str], ...]
    needs: tuple[str, ...] = ()


class SplitToSpare(SplitClaim):
    """A split is solved, too, and another one was there first."""


class NothingProposed(StageClaim):
    """These proposers had no split to propose, or no other."""

    proposers: tuple[str, ...]


class OfNoUse(StageClaim):
    """A proposer was asked for a split, and gave none that could be used; `unheard`: it could not be asked."""

    proposer: str
    trouble: str
    unheard: bool = False


class AtLimit(StageClaim):
    """It is not split further, since a limit is met: `depth`, `attempts` or `hypotheses`, and how many may be."""

    limit: str
    most: int


class More(TaskClaim):
    """There are so many more, which are not told."""

    count: int


# what would help


class NothingLacks(StageClaim):
    """The stage is solved: nothing is missing."""


class NothingKnown(StageClaim):
    """It is not known what would help."""


class Always(TaskClaim):
    """Something lacked in every attempted split of these stages (ids with their texts)."""

    missing: Missing
    stages: tuple[tuple[str, str], ...]


class Supply(TaskClaim):
    """What would have to be supplied; `stages` (ids with their texts) get stuck for want of it.

    `always` says that every attempted split of these lacked it, `asked` that somebody is asked for it, and `not_there`
    that somebody said that they do not have it.
    """

    missing: Missing
    stages: tuple[tuple[str, str], ...]
    always: bool = False
    asked: bool = False
    not_there: bool = False


class Wrong(TaskClaim):
    """A call showed that what was handed over is wrong: another value is wanted."""

    doubt: Doubt


class NotEnough(TaskClaim):
    """Even with what is missing, these stages (ids with their texts) would stay without a plan."""

    stages: tuple[tuple[str, str], ...]


class Otherwise(StageClaim):
    """Other sets of which each would do as well."""

    sets: Sets


class Awaits(TaskClaim):
    """Somebody is asked for their word, or to find something out, or to judge; of a criterion, its words are there."""

    wanted: Wanted
    criterion: Criterion | None = None


# how a result came about


class NoResult(TaskClaim):
    """There is no such value, or not yet; `facts` are the results that there are."""

    fact: str
    facts: tuple[str, ...] = ()


class NoFigure(TaskClaim):
    """There is no figure or paragraph of that name; `known` are those that there are."""

    fact: str
    figure: str
    known: tuple[str, ...] = ()


class FigureIs(TaskClaim):
    """A figure as it stands in a table, in a row of it; a paragraph has no value. `beside` are other cells of the row.

    `fact` is the result that was asked about, `table` the fact of the table, which was made together with it or before.
    """

    fact: str
    table: str
    row: int
    figure: str
    value: JsonValue
    beside: tuple[str, ...] = ()


class HasFigures(TaskClaim):
    """So many figures and paragraphs of a result can be traced to cells, by the table of them."""

    fact: str
    table: str
    names: tuple[str, ...]


class RestsOn(TaskClaim):
    """The cells of a document that a figure rests on; `fact` is what was handed over, as item `item` of it."""

    figure: str
    cells: Cells
    fact: str = ""
    item: int | None = None


class NoCells(TaskClaim):
    """It is not on record which cells something rests on."""

    fact: str
    figure: str | None = None


class MadeBy(TaskClaim):
    """A skill was called, so many times, and made facts from others; `stage` is what it was done for."""

    skill: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    count: int
    stage: str
    text: str


class Given(TaskClaim):
    """Something was handed over; `said` is the name of its file, or what was typed, where that may be seen."""

    fact: str
    said: str = ""


class PutTogether(TaskClaim):
    """What was found for the items of a list was put together; `failed` are the numbers of items without a result."""

    facts: tuple[str, ...]
    count: int
    failed: tuple[int, ...] = ()


class TakenAs(TaskClaim):
    """One fact's value was taken for another's."""

    fact: str
    other: str


class Hidden(TaskClaim):
    """What a sensitive fact holds is not told."""

    fact: str


# criteria


class NoCriterion(TaskClaim):
    """There is no criterion of that number; there are so many."""

    number: int
    count: int


class AllMet(TaskClaim):
    """No criterion is known to be unmet; so many were checked of so many."""

    checked: int
    count: int


class Unchecked(TaskClaim):
    """A criterion was not checked yet."""

    number: int
    criterion: Criterion


class Stands(TaskClaim):
    """How a criterion stands, what was found, and who found it."""

    criterion: Criterion
    check: Checked


class Overruled(TaskClaim):
    """A judgement of a criterion that counts no more, since a person has judged it."""

    check: Checked


class Judged(TaskClaim):
    """These criteria (numbers) were checked by a program, or judged by a person or a language model."""

    by: str
    numbers: tuple[int, ...]
    waiting: bool = False
