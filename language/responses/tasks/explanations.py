"""Explanations of a task in words: one or two sentences for each claim, with the entries that prove it.

What people and files say, names and labels are data. The task itself is “the task”, a stage goes by what it is to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from catalog.model import Catalog
from catalog.values.base import listed
from catalog.wording.grammar import capitalize, clean, end, quote, the
from catalog.wording.values import expected
from explain.claim import Answer, Claim, make_sentence
from explain.tasks import claims
from explain.tasks.answers import explain_task
from explain.tasks.record import TaskQuestion, TaskQuestionKind, TaskRecord
from language.responses.tasks.on_page import PROPOSERS, say_adds, say_entries, say_refusal, say_split
from language.responses.tasks.results import ResultWords
from language.responses.tasks.tree import say_over_budget, say_step
from planning.hierarchy.tree import ROOT, GapKind, Missing

_LONGEST_SET, _MOST_SETS = 5, 2
"""Parts of a set, and sets, that are told."""
_LIMITS = {
    "depth": "stages are split at most {most} times, one within the other",
    "attempts": "at most {most} splits of one stage are tried",
    "hypotheses": "there are {most} stages already, and no more are looked at",
}
_AWAITS = {
    "consent": "somebody’s consent to give {facts} to {skill}",
    "call": "somebody’s go-ahead to call {skill}",
    "in_doubt": "somebody to find out whether {skill} took effect",
    "judge": "somebody to judge: {criterion}",
    "description": "somebody to complete or confirm the description of the task",
}


def answer_about_task(record: TaskRecord, question: TaskQuestion) -> Answer[TaskQuestion]:
    words = _Words(record.catalog, question.stage)
    told = ((claim, text) for claim in explain_task(record, question) for text in words.say(claim))
    return Answer(question, tuple(make_sentence([text], claim.evidence) for claim, text in told))


def say_question(record: TaskRecord, question: TaskQuestion) -> str:
    words = ResultWords(record.catalog)
    one = record.tree.hypotheses.get(question.stage)
    stage = "the task" if one is None or question.stage == ROOT else quote(one.description.text.rstrip("."))
    what = "every result" if question.fact is None else the(words.fact(question.fact))
    figure = f"{quote(question.figure, 100)} in " if question.figure else ""
    criterion = "criteria are not met" if question.criterion is None else f"criterion {question.criterion} stands so"
    return {
        TaskQuestionKind.WHY: f"Why {stage} stands so",
        TaskQuestionKind.WHY_SPLIT: f"Why {stage} was split",
        TaskQuestionKind.WHY_STUCK: f"Why {stage} is stuck",
        TaskQuestionKind.WHAT_HELPS: f"What would help {stage}",
        TaskQuestionKind.HOW: f"How {figure}{what} came about",
        TaskQuestionKind.WHY_UNMET: f"Why {criterion}",
        TaskQuestionKind.WHO_JUDGED: "Who judged",
    }[question.kind]


def say_answer(record: TaskRecord, question: TaskQuestion) -> str:
    answer = answer_about_task(record, question)
    lines = (f"  {one.text()} {say_entries(one.evidence)}".rstrip() for one in answer.sentences)
    return "\n".join((f"{say_question(record, question)}:", *lines))


def no_such_stage(record: TaskRecord, about: str) -> str:
    texts = [quote(one.description.text.rstrip("."), 60) for one in record.tree.hypotheses.values() if one.depth == 1]
    known = f" Stages are: {listed(dict.fromkeys(texts), limit=10)}." if texts else " It has no stages."
    return f"There is no stage {quote(about, 60)}.{known} `criterion 1` and `criteria` can be asked about, too."


def no_such_result(record: TaskRecord, about: str) -> str:
    known = listed(record.current, limit=20)
    return f"There is nothing called {quote(about, 60)}.{f' There is: {known}.' if known else ' Nothing is there yet.'}"


class _Words(ResultWords):
    """How things are put, with the labels of a catalog; `asked` is the stage that was asked about."""

    def __init__(self, catalog: Catalog, asked: str) -> None:
        super().__init__(catalog)
        self._asked = asked

    def say(self, claim: Claim) -> Iterator[str]:  # noqa: PLR0912 - a case for each kind of claim
        match claim:
            case claims.NoSuchStage(stage=stage):
                yield f"There is no stage {quote(stage, 60)} in this task."
            case claims.NotPlanned():
                yield f"{capitalize(self.stage(claim))} is not planned yet."
            case claims.InOnePiece():
                yield from self._in_one_piece(claim)
            case claims.AsGiven():
                yield f"A list of activities was given for {self.stage(claim)}, so it is followed."
            case claims.LacksInOnePiece():
                yield self._lacks(claim)
            case claims.GaveUp(reason=reason):
                yield end(f"Planning {self.stage(claim)} in one piece gave up: {clean(reason, 200)}")
            case claims.Dropped():
                yield self._dropped(claim)
            case claims.Unblocked(sets=sets, facts=facts, word=word):
                how = f"somebody handed over {self.the_facts(facts)}" if facts else "a skill was supplied"
                how = "somebody said yes" if word else how
                yield f"Before that it lacked {self.either(sets[:1])}; then {how}."
            case claims.SplitClaim():
                yield from self._split(claim)
            case claims.NothingProposed(proposers=proposers):
                others = [PROPOSERS.get(one, one) for one in proposers if one != "given"]
                if others:
                    yield f"For {self.stage(claim)}, no other split was found by {listed(others, 'or')}."
            case claims.OfNoUse(proposer=proposer, trouble=trouble, unheard=unheard):
                by = capitalize(PROPOSERS.get(proposer, proposer))
                what = "could not be asked for a split" if unheard else "gave no split that could be used"
                yield end(f"{by} {what}: {clean(trouble, 300)}")
            case claims.AtLimit(limit=limit, most=most):
                yield f"{capitalize(self.stage(claim))} is not split further: {_LIMITS[limit].format(most=most)}."
            case claims.More(count=count):
                yield f"And {count} more."
            case _:
                yield from self._say_missing(claim)

    def _say_missing(self, claim: Claim) -> Iterator[str]:
        match claim:
            case claims.NothingLacks():
                yield f"Nothing is missing: {self.stage(claim)} has a plan."
            case claims.NothingKnown():
                yield f"It is not known what would help {self.stage(claim)}."
            case claims.Always(missing=missing, stages=stages):
                yield f"Every attempt lacked {self.missing(missing)}{_for(stages)}."
            case claims.Supply():
                yield from self._supply(claim)
            case claims.Wrong(doubt=doubt):
                what = the(self.fact(doubt.fact))
                yield end(f"Something is wrong with {what} that was handed over: {clean(doubt.reason, 300)}")
                yield from self._hand_over(doubt.fact, "Hand over another one")
            case claims.NotEnough(stages=stages):
                yield f"That alone would not be enough: nothing is known that would help {_named(stages)}."
            case claims.Otherwise(sets=sets):
                yield f"Instead, {self.either(sets)} would do."
            case claims.Awaits():
                yield self._awaits(claim)
            case _:
                yield from self.say_result(claim)

    def stage(self, claim: claims.StageClaim) -> str:
        if claim.stage == ROOT:
            return "the task"
        return "this stage" if claim.stage == self._asked else quote(claim.text.rstrip("."))

    # what is missing

    def missing(self, missing: Missing) -> str:
        if missing.kind is GapKind.FUNCTION:
            return f"a function that gives {self.facts(missing.facts)}"
        return f"consent to use {self.the_facts(missing.facts)}" if missing.consent else self.the_facts(missing.facts)

    def either(self, sets: claims.Sets) -> str:
        told = [listed(map(self.missing, found)) for found in sets if len(found) <= _LONGEST_SET] or ["several things"]
        return "; or else ".join(told[:_MOST_SETS])

    def _lacks(self, claim: claims.LacksInOnePiece) -> str:
        head = (
            f"In one piece {self.stage(claim)} {'could not be planned at first' if claim.past else 'cannot be planned'}"
        )
        if claim.sets:
            return f"{head}: it {'lacked' if claim.past else 'lacks'} {self.either(claim.sets)}."
        if claim.over_budget is not None:
            return f"{head}: {say_over_budget(claim.over_budget)}."
        return f"{head}."

    def _supply(self, claim: claims.Supply) -> Iterator[str]:
        always = "; every attempt lacked it" if claim.always else ""
        missing = claim.missing
        source = f" from {self.facts(missing.inputs)}" if missing.inputs else ""
        yield f"What is missing is {self.missing(missing)}{source}{_for(claim.stages)}{always}."
        if claim.not_there:
            yield "Somebody who was asked said that they do not have it."
        if missing.kind is GapKind.INFORMATION and not missing.consent:
            for fact in missing.facts:
                yield from self._hand_over(fact, f"Hand over {the(self.fact(fact))}")
        elif missing.kind is GapKind.FUNCTION:
            yield "Supply a skill that does it, as YAML."

    def _hand_over(self, fact: str, how: str) -> Iterator[str]:
        if fact in self.catalog.facts:
            yield f"{how}: {clean(expected(self.catalog.facts[fact].value), 200)}."

    def _awaits(self, claim: claims.Awaits) -> str:
        wanted = claim.wanted
        criterion = self.criterion(claim.criterion) if claim.criterion else ""
        said = _AWAITS[wanted.kind].format(
            facts=self.the_facts(wanted.facts) or "what is sensitive",
            skill=self.skill(wanted.skill),
            criterion=criterion,
        )
        return end(f"It waits for {said}")

    # plans and splits

    def _in_one_piece(self, claim: claims.InOnePiece) -> Iterator[str]:
        steps = [clean(say_step(self.catalog, step)) for step in claim.plan.steps]
        if not steps:
            yield f"{capitalize(self.stage(claim))} needs no step: what it is to end with is there."
            return
        count = f"{len(steps)} step{'s' if len(steps) > 1 else ''}"
        name = capitalize(self.stage(claim))
        yield f"{name} has a plan in one piece, so it needs no split. It has {count}: {' → '.join(steps)}."

    def _dropped(self, claim: claims.Dropped) -> str:
        head = f"{capitalize(self.stage(claim))} had a plan with {quote(say_step(self.catalog, claim.step))}"
        if claim.declined:
            return f"{head}, and somebody said no to it."
        why = f": {clean(claim.reason, 200)}" if claim.reason else ""
        return end(f"{head}, which did not give what the plan needs{why}")

    def _split(self, claim: claims.SplitClaim) -> Iterator[str]:
        said = say_split(claim.split, claim.proposer).rstrip(".")
        of = "" if claim.stage in (ROOT, self._asked) else f" of {self.stage(claim)}"
        head = f"Attempt {claim.attempt}{of} has {said}"
        match claim:
            case claims.SplitRefused(refusals=refusals):
                yield f"{head}. It was refused. {' '.join(say_refusal(self.catalog, one) for one in refusals)}"
            case claims.SplitStuck(stuck=stuck, needs=needs):
                yield f"{head}." + (f" It is stuck at {_named(stuck)}." if stuck else "")
                if needs:
                    yield f"It needs {self.the_facts(needs)}, which nobody has handed over yet."
            case claims.SplitToSpare():
                yield f"{head}. All its stages have a plan, but another one was there first."
            case claims.SplitTaken(fills=fills):
                yield f"{head}, and all its stages have a plan."
                yield from filter(None, [say_adds(claim.split)])
                for number, facts in fills:
                    one = f"stage {number}, {quote(claim.split.stages[number - 1].text.rstrip('.'))}"
                    yield f"Its {one}, gives {self.facts(facts)}, for which a plan in one piece has no function."
            case _:
                pass


def _named(stages: Iterable[tuple[str, str]]) -> str:
    return listed(["the task" if name == ROOT else quote(text.rstrip(".")) for name, text in stages])


def _for(stages: Sequence[tuple[str, str]]) -> str:
    return f", for {_named(stages)}" if stages and any(name != ROOT for name, _ in stages) else ""
