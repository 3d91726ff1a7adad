"""Why a stage stands as it does: planned in one piece, split, or stuck; and what would help.

What planning in one piece lacked, and what speaks against a split, is what the log says; nothing is planned anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explain.claim import Claim, More, cite
from explain.tasks import claims
from explain.tasks.record import TaskRecord
from planning.hierarchy import tree
from planning.hierarchy.gaps import StageGap, find_closest, find_lacks
from planning.model import StepKind

_MOST = 6
"""Stages that are told, of those that are stuck within one."""
_MOST_SETS = 4
_TOLD_AS_MISSING = frozenset(map(str, tree.MissingKind))


class StageTeller:
    """A record, with what is looked up in it about stages."""

    def __init__(self, record: TaskRecord) -> None:
        self.record = record
        self.tree = record.tree
        self._verdicts: dict[str, list[tuple[int, tree.DirectlyPlanned]]] = {}
        self._attempts: dict[str, list[int]] = {}
        for entry, move in record.moves:
            if isinstance(move, tree.DirectlyPlanned):
                self._verdicts.setdefault(move.hypothesis, []).append((entry, move))
            elif isinstance(move, tree.SplitAttempted):
                self._attempts.setdefault(move.hypothesis, []).append(entry)

    def why(self, one: tree.Hypothesis) -> Iterator[Claim]:
        if one.verdict is None:
            yield claims.NotPlanned(one.id, one.description.text)
        elif self.tree.is_solved(one.id):
            yield from self.why_split(one)
            yield from self._wrong(one)
        else:
            yield from self._stuck(one)
            yield from self.what_helps(one)

    def why_split(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say why a stage was split, and why so; or that it was not, and why."""
        if one.plan is not None:
            yield claims.InOnePiece(one.id, one.description.text, one.plan, evidence=cite(self._said(one)))
            yield from self._unblocked(one)
        if not any(attempt.split is not None for attempt in one.attempts):
            if one.plan is None:
                yield from self.why(one)
            return
        first = self._attempts[one.id][0]
        yield from self._in_one_piece(one, before=first)
        if one.attempts[0].proposer == "given" and one.attempts[0].split is not None:
            yield claims.AsGiven(one.id, one.description.text, evidence=cite(first))
        shown = find_closest(self.tree, one)
        if shown is not None:
            yield self._attempt(one, shown)
        yield from (self._attempt(one, number) for number in self._proposed(one) if number != shown)
        yield from self._nothing_proposed(one)

    def why_stuck(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say why a stage has no plan, and what every attempt lacked."""
        if one.verdict is None or self.tree.is_solved(one.id):
            yield from self.why(one)
            return
        yield from self._stuck(one)
        for lack in find_lacks(self.tree, one.id):
            if lack.always:
                evidence = cite(*map(self._said_of, lack.stages))
                yield claims.Always(lack.missing, self._texts(lack.stages), evidence=evidence)

    def what_helps(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say what would have to be supplied so that a stage is solved, and what would do as well."""
        wrong = tuple(self._wrong(one))
        yield from wrong
        if self.tree.is_solved(one.id):
            solved = cite(*(self._said(leaf) for leaf in self.tree.leaves(one.id)))
            if not wrong:
                yield claims.NothingLacks(one.id, one.description.text, evidence=solved)
            yield from self._awaits(one)
            return
        lacks = find_lacks(self.tree, one.id)
        if not lacks:
            yield claims.NothingKnown(one.id, one.description.text, evidence=cite(self._said(one)))
        yield from map(self._supply, lacks)
        if lacks and (beyond := tuple(self._beyond_help(one))):
            yield claims.NotEnough(self._texts(beyond), evidence=cite(*map(self._said_of, beyond)))
        if isinstance(one.verdict, tree.Impossible):
            named = {(lack.missing.kind, lack.missing.facts) for lack in lacks}
            others = tuple(found for found in one.verdict.sets if not named <= {(m.kind, m.facts) for m in found})
            if others:
                evidence = cite(self._said(one))
                yield claims.OtherRemedies(one.id, one.description.text, others[:_MOST_SETS], evidence=evidence)
        yield from self._awaits(one)

    # what planning in one piece says

    def _said(self, one: tree.Hypothesis, before: int | None = None) -> int | None:
        """Return the entry in which planning in one piece spoke last, before an entry."""
        found = [entry for entry, _ in self._verdicts.get(one.id, ()) if before is None or entry < before]
        return found[-1] if found else None

    def _said_of(self, stage: str) -> int | None:
        return self._said(self.tree.hypotheses[stage])

    def _in_one_piece(self, one: tree.Hypothesis, before: int | None = None) -> Iterator[Claim]:
        entry, text = self._said(one, before), one.description.text
        past, proved = entry != self._said(one), cite(entry)
        verdict = next((move.verdict for at, move in self._verdicts.get(one.id, ()) if at == entry), None)
        match verdict:
            case tree.Impossible(sets=sets, over_budget=money):
                yield claims.LacksInOnePiece(one.id, text, sets[:_MOST_SETS], money, past, evidence=proved)
            case tree.Undecided(reason=reason):
                yield claims.PlanningGaveUp(one.id, text, reason, past, evidence=proved)
            case _:
                pass

    def _unblocked(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say what a stage lacked before it had a plan, and what was supplied then."""
        spoken = self._verdicts.get(one.id, [])
        stuck = [(entry, move.verdict) for entry, move in spoken[:-1] if isinstance(move.verdict, tree.Impossible)]
        if not stuck:
            return
        (begin, verdict), end = stuck[-1], spoken[-1][0]
        supplied = [(entry, move) for entry, move in self.record.moves
                    if isinstance(move, tree.Reopened) and begin < entry < end]  # fmt: skip
        lacked = {fact for found in verdict.sets for missing in found for fact in missing.facts}
        helped = [(entry, move) for entry, move in supplied if lacked.intersection(move.supplied) or not move.supplied]
        if helped:
            facts = tuple(fact for _, move in helped for fact in move.supplied)
            word = any(move.allowed for _, move in helped)
            evidence = cite(begin, *(entry for entry, _ in helped), end)
            yield claims.Unblocked(
                one.id, one.description.text, verdict.sets[:_MOST_SETS], facts, word, evidence=evidence
            )

    def _dropped(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say which plans did not hold: those of a stage, and others that ruled out what it would need."""
        verdict = one.verdict
        sets = verdict.sets if isinstance(verdict, tree.Impossible) else ()
        lacked = {fact for found in sets for missing in found for fact in missing.facts}
        for entry, move in self.record.moves:
            if isinstance(move, tree.PlanDropped):
                step = self._step(move, entry)
                if step is not None and (move.hypothesis == one.id or lacked.intersection(step.outputs)):
                    yield self._drop(self.tree.hypotheses[move.hypothesis], step, entry)

    def _step(self, move: tree.PlanDropped, before: int) -> tree.PlanStep | None:
        plans = [said.verdict for entry, said in self._verdicts.get(move.hypothesis, ()) if entry < before]
        steps = plans[-1].steps if plans and isinstance(plans[-1], tree.Planned) else ()
        return next((step for step in steps if step.name == move.ruled_out), None)

    def _drop(self, one: tree.Hypothesis, step: tree.PlanStep, entry: int) -> Claim:
        text = one.description.text
        if step.kind in (StepKind.AUTHORIZE, StepKind.CONFIRM):
            said_no = [
                w.no for w in self.record.wanted if w.no is not None and w.skill == step.subject and w.no < entry
            ]
            return claims.Dropped(one.id, text, step, declined=True, evidence=cite(entry, *said_no[-1:]))
        came = [call for call in self.record.calls if call.skill == step.subject and call.ended < entry]
        last = next((call for call in reversed(came) if call.outcome != step.outcome), None)
        if last is None:
            return claims.Dropped(one.id, text, step, evidence=cite(entry))
        evidence = cite(last.begun, last.ended, entry)
        return claims.Dropped(one.id, text, step, last.skill, last.reason, evidence=evidence)

    # splits

    def _proposed(self, one: tree.Hypothesis) -> list[int]:
        """List the numbers of the attempts at which there was a split."""
        return [number for number, attempt in enumerate(one.attempts, start=1) if attempt.split is not None]

    def _attempt(self, one: tree.Hypothesis, number: int) -> Claim:
        attempt, evidence = one.attempts[number - 1], cite(self._attempts[one.id][number - 1])
        assert attempt.split is not None
        about = (one.id, one.description.text, number, attempt.proposer, attempt.split)
        if attempt.refusals:
            return claims.SplitRefused(*about, attempt.refusals, evidence=evidence)
        stuck = tuple(name for name in one.stage_ids(number) if not self.tree.is_solved(name))
        needs = self.tree.needs(one.id, number)
        if stuck or needs:
            proved = cite(*evidence, *map(self._said_of, stuck))
            return claims.SplitStuck(*about, self._texts(stuck), needs, evidence=proved)
        proved = cite(*evidence, *map(self._said_of, one.stage_ids(number)))
        if one.plan is not None or number != self.tree.solving(one.id):
            return claims.SplitToSpare(*about, evidence=proved)
        return claims.SplitTaken(*about, tuple(self._fills(one, number, attempt)), evidence=proved)

    def _fills(self, one: tree.Hypothesis, number: int, attempt: tree.Attempt) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the functions that planning in one piece lacked first of all, each with the stage that gives them."""
        before = self._said(one, self._attempts[one.id][number - 1])
        verdicts = (move.verdict for entry, move in self._verdicts.get(one.id, ()) if entry == before)
        best = (verdict.sets[0] for verdict in verdicts if isinstance(verdict, tree.Impossible) and verdict.sets)
        lacking = {fact for found in best for m in found if m.kind is tree.MissingKind.FUNCTION for fact in m.facts}
        stages = attempt.split.stages if attempt.split else ()
        for place, stage in enumerate(stages, start=1):
            if facts := tuple(fact for fact in stage.facts if fact in lacking):
                yield place, facts

    def _nothing_proposed(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say who had no split to propose, since something was supplied last, and what went wrong at any time."""
        none = {
            attempt.proposer: entry
            for attempt, entry in zip(one.attempts, self._attempts.get(one.id, ()), strict=True)
            if attempt.split is None and not attempt.trouble and attempt.round == one.attempts[-1].round
        }
        for attempt, entry in zip(one.attempts, self._attempts.get(one.id, ()), strict=True):
            if attempt.trouble:
                about = (one.id, one.description.text, attempt.proposer, attempt.trouble, attempt.unheard)
                yield claims.OfNoUse(*about, evidence=cite(entry))
        if none:
            yield claims.NothingProposed(one.id, one.description.text, tuple(none), evidence=cite(*none.values()))

    def _at_limit(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say which limit keeps a stage from being split further (`planning.hierarchy.search`)."""
        bounds = self.record.bounds
        tried = [n for n in self._proposed(one) if not (split := one.attempts[n - 1].split) or not split.short]
        spent = {a.proposer for a in one.attempts if a.split is None and a.round == self.tree.round}
        found: tuple[str, int] | None = None
        if one.depth >= bounds.depth:
            found = "depth", bounds.depth
        elif len(self.tree.hypotheses) >= bounds.hypotheses:
            found = "hypotheses", bounds.hypotheses
        elif len(tried) >= bounds.attempts and not spent.issuperset(self.record.proposers):
            found = "attempts", bounds.attempts
        if found:
            evidence = cite(self._said(one), *self._attempts.get(one.id, ()))
            yield claims.AtLimit(one.id, one.description.text, *found, evidence=evidence)

    # stages that are stuck

    def _stuck(self, one: tree.Hypothesis) -> Iterator[Claim]:
        yield from self._dropped(one)
        yield from self._in_one_piece(one)
        yield from (self._attempt(one, number) for number in self._proposed(one))
        yield from self._nothing_proposed(one)
        yield from self._at_limit(one)
        inner = [stage for stage in self._stuck_leaves(one) if stage.id != one.id]
        for stage in inner[:_MOST]:
            yield from self._dropped(stage)
            yield from self._in_one_piece(stage)
        if len(inner) > _MOST:
            yield More(len(inner) - _MOST)

    def _stuck_leaves(self, one: tree.Hypothesis) -> Iterator[tree.Hypothesis]:
        """Yield the stages without a plan of the attempt that lacks least, down to those without stages."""
        closest = find_closest(self.tree, one)
        if closest is None:
            yield one
            return
        for name in one.stage_ids(closest):
            if not self.tree.is_solved(name):
                yield from self._stuck_leaves(self.tree.hypotheses[name])

    def _beyond_help(self, one: tree.Hypothesis) -> Iterator[str]:
        """Yield stages without a plan of which nothing is known to be missing, where another attempt is not closer."""
        lacking = {name for lack in find_lacks(self.tree, one.id) for name in lack.stages}
        if not lacking.isdisjoint({one.id}):
            return
        closest = find_closest(self.tree, one)
        for name in one.stage_ids(closest) if closest is not None else ():
            if self.tree.is_solved(name):
                continue
            if not find_lacks(self.tree, name):
                yield name
            else:
                yield from self._beyond_help(self.tree.hypotheses[name])

    def _supply(self, lack: StageGap) -> Claim:
        asked = [w for w in self.record.wanted if not w.settled and _asks_for(w.kind, w.facts, lack.missing)]
        evidence = cite(*map(self._said_of, lack.stages), *(wanted.entry for wanted in asked))
        not_there = any(wanted.not_there for wanted in asked)
        texts = self._texts(lack.stages)
        return claims.Supply(lack.missing, texts, lack.always, bool(asked), not_there, evidence=evidence)

    def _wrong(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say what was handed over and turned out to be wrong when something within a stage was carried out."""
        for doubt in self.record.doubts:
            if f"{doubt.stage}.".startswith(f"{one.id}."):
                yield claims.WrongInput(doubt, evidence=cite(doubt.begun, doubt.ended, doubt.entry))

    def _awaits(self, one: tree.Hypothesis) -> Iterator[Claim]:
        """Say what else is asked for; it is about the task as a whole."""
        if one.id != tree.ROOT:
            return
        criteria = one.description.criteria
        for wanted in self.record.wanted:
            if not wanted.settled and wanted.kind not in _TOLD_AS_MISSING:
                about = criteria[wanted.criterion - 1] if wanted.criterion is not None else None
                yield claims.Awaits(wanted, about, evidence=cite(wanted.entry))

    def _texts(self, stages: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return tuple((name, self.tree.hypotheses[name].description.text) for name in stages)


def _asks_for(kind: str, facts: Sequence[str], missing: tree.Missing) -> bool:
    return kind == missing.kind and set(facts) == set(missing.facts)
