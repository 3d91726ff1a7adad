"""How results came about, and how criteria stand, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values.base import listed
from catalog.wording.grammar import capitalize, clean, count, end, is_plural, named_skill, quote, the
from explain.claim import Claim
from explain.tasks import claims
from language.responses.tasks.tree import say_criterion
from planning.hierarchy.description import Criterion

_MOST_CELLS = 300
"""Characters of cells that are told of one document."""
_BY = {"program": "A program checked", "person": "A person judged", "model": "A language model judged"}
_STANDINGS = {"met": "is met", "unmet": "is not met", "waiting": "waits for somebody who judges it"}
_FOUND_BY = {"program": "", "person": " A person judged so.", "model": " A language model judged so."}


class ResultWords:
    """How results and criteria are put, with the labels of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def fact(self, name: str) -> str:
        return clean(self.catalog.facts[name].label if name in self.catalog.facts else name)

    def facts(self, names: Sequence[str]) -> str:
        return listed(map(self.fact, names))

    def the_facts(self, names: Sequence[str]) -> str:
        return listed(the(self.fact(name)) for name in names)

    def skill(self, name: str) -> str:
        return named_skill(clean(self.catalog.skills[name].label if name in self.catalog.skills else name))

    def criterion(self, criterion: Criterion) -> str:
        return clean(say_criterion(self.catalog, criterion), 300)

    def say_result(self, claim: Claim) -> Iterator[str]:
        match claim:
            case claims.NoResult() | claims.NoFigure() | claims.Hidden() | claims.HasFigures() | claims.NoCells():
                yield self._told_or_not(claim)
            case claims.FigureIs():
                yield self._figure(claim)
            case claims.RestsOn():
                yield self._rests_on(claim)
            case claims.MadeBy() | claims.Given() | claims.PutTogether() | claims.TakenAs():
                yield self._came_from(claim)
            case claims.NoCriterion(number=number, count=there):
                yield f"There is no criterion {number}: there {_are(there)}." if there else "There are no criteria."
            case claims.AllMet(checked=checked, count=there):
                yield (
                    f"No criterion is known to be unmet: {checked} of {there} are met."
                    if there
                    else "There are no criteria."
                )
            case claims.Unchecked(number=number, criterion=criterion):
                yield f"Criterion {number} is not checked yet: {self.criterion(criterion)}"
            case claims.Stands():
                yield self._stands(claim)
            case claims.Overruled(check=check):
                said = "met" if check.standing == "met" else "not met"
                yield f"{_BY[check.by]} criterion {check.number} {said}; that counts no more, since a person judged it."
            case claims.Judged(by=by, numbers=numbers, waiting=waiting):
                yield _judged(by, numbers, waiting=waiting)
            case _:
                pass

    def _told_or_not(self, claim: Claim) -> str:
        match claim:
            case claims.NoResult(fact=fact, facts=there):
                known = f" There is: {self.facts(there)}." if there else ""
                return f"There is no result {quote(self.fact(fact))} yet.{known}" if fact else "There is no result yet."
            case claims.NoFigure(fact=fact, figure=figure, known=known):
                names = f" There is: {listed([quote(one) for one in known], limit=20)}." if known else ""
                return f"There is no figure or paragraph {quote(figure)} in {the(self.fact(fact))}.{names}"
            case claims.Hidden(fact=fact):
                return f"{capitalize(the(self.fact(fact)))} is sensitive, so it is not told how it came about."
            case claims.HasFigures(fact=fact, names=names):
                parts = listed([quote(one, 60) for one in names], limit=8)
                of = f"{len(names)} figures and paragraphs" if len(names) > 1 else "one figure or paragraph"
                return f"The cells behind {of} of {the(self.fact(fact))} are known: {parts}."
            case claims.NoCells(figure=figure, fact=fact):
                what = quote(figure) if figure else the(self.fact(fact))
                return f"It is not known on which cells {what} rests."
        raise TypeError(type(claim).__name__)

    def _figure(self, claim: claims.FigureIs) -> str:
        where = the(self.fact(claim.table))
        beside = f", under {quote(claim.beside[-1])}" if claim.beside else ""
        row = f"row {claim.row + 1} of {where}{beside}"
        if claim.value is None:
            return f"{quote(claim.figure)} stands in {row}."
        return f"{quote(claim.figure)} is {_shown(claim.value)}, in {row}."

    def _rests_on(self, claim: claims.RestsOn) -> str:
        cells = claim.cells
        sheet = f"sheet {quote(cells.sheet)} of " if cells.sheet else ""
        told = cells.cells if len(cells.cells) <= _MOST_CELLS else f"{cells.cells[:_MOST_CELLS].rsplit(',', 1)[0]}, …"
        item = f", item {claim.item} of {the(self.fact(claim.fact))}" if claim.item else ""
        return f"It rests on {told} in {sheet}{clean(cells.name)}{item}."

    def _came_from(self, claim: Claim) -> str:
        match claim:
            case claims.Given(fact=fact, said=said):
                as_what = f": {clean(said, 200)}" if said else ""
                return end(f"{capitalize(the(self.fact(fact)))} {self._was(fact)} handed over{as_what}")
            case claims.MadeBy(skill=skill, outputs=outputs, inputs=inputs, count=times):
                often = f", called {times} times," if times > 1 else ""
                source = f" from {self.facts(inputs)}" if inputs else ""
                return f"{capitalize(self.skill(skill))}{often} made {self.facts(outputs)}{source}."
            case claims.PutTogether(facts=facts, count=there, failed=failed):
                numbers = listed(map(str, failed))
                left = f"; there is none for item{'s' if len(failed) > 1 else ''} {numbers}" if failed else ""
                return f"What was found for {count(there, 'item')} was put together as {self.the_facts(facts)}{left}."
            case claims.TakenAs(fact=fact, other=other):
                return f"{capitalize(the(self.fact(other)))} {self._was(other)} taken as {the(self.fact(fact))}."
        raise TypeError(type(claim).__name__)

    def _was(self, fact: str) -> str:
        return "were" if is_plural(self.fact(fact)) else "was"

    def _stands(self, claim: claims.Stands) -> str:
        check, said = claim.check, self.criterion(claim.criterion)
        found = f" {end(clean(check.found, 300))}" if check.found and check.found != said else ""
        by = _FOUND_BY[check.by] if check.standing != "waiting" else ""
        return f"Criterion {check.number} {_STANDINGS[check.standing]}: {end(said)}{found}{by}"


def _shown(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else clean(str(value))


def _are(there: int) -> str:
    return f"are {there}" if there > 1 else "is one"


def _judged(by: str, numbers: Sequence[int], *, waiting: bool) -> str:
    if not numbers:
        return "There are no criteria."
    named = f"criteri{'a' if len(numbers) > 1 else 'on'} {listed(map(str, numbers), limit=100)}"
    if waiting:
        return f"{capitalize(named)} wait{'' if len(numbers) > 1 else 's'} for somebody who judges."
    if not by:
        return f"Nobody has checked {named} yet."
    return f"{_BY[by]} {named}."
