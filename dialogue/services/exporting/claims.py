"""Claims of an export: what was explained, how each result came about, and who agreed to what was passed on.

Each is written so that `explain.verify` can check it against the entries: with what it rests on, in the words of that
package. What is claimed of an explanation is worked out anew from the log before it; where that does not give what was
said then (the catalog has changed since, say), only what was said is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.log.events import Authorized, Calling, Entry, Explained, GoalAchieved, Planned
from dialogue.moves.records import record_of
from dialogue.moves.replies import find_record
from dialogue.services.views import Snapshot
from dialogue.state.conversation import Conversation
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import mask_all
from explain import Question, QuestionKind, Record, explain
from explain.chain import Decided, WeighedLess
from explain.claim import Claim, Part, Sentence, put
from explain.claims import Called, EstablishedBy, StandsIn
from explain.graph import find_current
from explain.model import Attribution, Value
from explain.trace import Act
from explain.values import HasValue
from explain.verify import Entries, reads_as
from explain.why import CameAlong, IsWanted, Used, UsedBesides
from explain.words import Wording

Plain = dict[str, Any]
OF_RESULTS = (QuestionKind.HOW, QuestionKind.CHAIN, QuestionKind.WHY)


@dataclass(frozen=True)
class ClaimWriter:
    """Writes the claims of one conversation, over its entries as they are exported."""

    seen: Snapshot
    entries: Entries
    secrets: frozenset[str]

    def list_explained(self, before: Mapping[int, Conversation]) -> Iterator[Plain]:
        """Claim what was explained; `before` has the state before each explanation."""
        for entry in self.seen.log:
            if isinstance(entry.event, Explained):
                yield from self._again(entry, entry.event, before[entry.seq]) or [self._as_said(entry.seq)]

    def list_results(self) -> Iterator[Plain]:
        """Claim how each result of each goal came about, and what it was needed for."""
        conversation = self.seen.conversation
        for goal in reversed(goals_of(conversation)):
            record = record_of(self._catalog, conversation, goal)
            yield from self._claim_reached(goal, record)
            claims: dict[Claim, Question] = {}
            for fact in record.goal:
                if find_current(record, fact) is not None:
                    for kind in OF_RESULTS:
                        question = Question(kind, fact, full=True)
                        for claim in explain(record, question).claims:
                            claims.setdefault(claim, question)
            for claim, question in claims.items():
                yield self._write(claim, record, question)

    def list_consents(self) -> Iterator[Plain]:
        """Claim of each call with sensitive inputs that there was consent to it."""
        given: dict[str, Entry[Any]] = {}
        for entry in self.seen.log:
            event = entry.event
            if isinstance(event, Authorized):
                given[event.subject] = entry
            if not isinstance(event, Calling) or event.skill not in self._catalog.skills:
                continue
            agreed: dict[int, list[str]] = {}
            for name in self._catalog.sensitive_inputs(event.skill, event.mode):
                consent = given.get(name) or given.get(event.skill)
                if name in event.inputs and consent is not None:
                    agreed.setdefault(consent.seq, []).append(name)
            for consent_seq, facts in agreed.items():
                rests = [self._restate(consent_seq), self._restate(entry.seq)]
                rests.append({"is": "consent", "entry": consent_seq, "call": entry.seq, "facts": facts})
                words: list[Part] = [Part("With consent, ")]
                words += [Part(fact, fact=fact) for fact in facts]
                words += [Part(" went to "), Part(event.skill, skill=event.skill)]
                yield self._put("CalledWithConsent", [Sentence(tuple(words))], rests, as_of=entry.seq)

    @property
    def _catalog(self) -> Catalog:
        return self.seen.catalog

    @cached_property
    def _achieved(self) -> dict[int, int]:
        return {e.event.goal_id: e.seq for e in self.seen.log if isinstance(e.event, GoalAchieved)}

    def _again(self, entry: Entry[Any], event: Explained, before: Conversation) -> list[Plain]:
        """Work an explanation out anew, in the goal in which that gives what was said; nothing where none does."""
        said = self.entries.entries[entry.seq - 1]["event"]
        kind = QuestionKind(event.question)
        question = Question(kind, event.fact, event.full, event.skill, event.agent)
        for goal in (None, *goals_of(before)):
            record, again = find_record(self._catalog, before, question, goal)
            claims = explain(record, again).claims
            written = [self._write(claim, record, again, entry.seq) for claim in claims]
            parts = [sentence for claim in written for sentence in claim["sentences"]]
            evidence = sorted({cited for claim in written for cited in claim["evidence"]})
            same = all(one in parts for one in said["sentences"]) and all(one in said["sentences"] for one in parts)
            if same and evidence == sorted(event.evidence):
                return written
        return []

    def _as_said(self, seq: int) -> Plain:
        event = self.entries.entries[seq - 1]["event"]
        rests = [self._restate(cited) for cited in event["evidence"]]
        question = [event["question"], event["fact"], event.get("skill")]
        return {
            **{"kind": "Said", "at": seq, "as_of": seq - 1, "question": question, "sentences": event["sentences"]},
            **{"evidence": event["evidence"], "rests_on": rests},
        }

    def _claim_reached(self, goal: StackedGoal, record: Record) -> Iterator[Plain]:
        achieved, pushed = self._achieved.get(goal.goal_id), goal.origin.pushed
        if achieved is None:
            return
        values = (record.values.get(find_current(record, fact) or "") for fact in record.goal)
        rests = [self._restate(pushed), self._restate(achieved)]
        rests += [{"is": "reached", "entry": achieved, "goal_id": goal.goal_id}, self._wants(goal, record.goal)]
        rests += [self._value(value, record) for value in values if value is not None]
        words = [Part("Reached: "), *(Part(fact, fact=fact) for fact in record.goal)]
        yield self._put("GoalReached", [Sentence(tuple(words))], rests, as_of=achieved)

    def _write(self, claim: Claim, record: Record, question: Question, at: int | None = None) -> Plain:
        rests = [*map(self._restate, claim.evidence), *self._relate(claim, record, claim.evidence)]
        kind = type(claim).__name__
        if getattr(claim, "precedes", None) is not None:
            kind += "InOrder"  # why one skill comes before another is in the catalog, and not in the log
        sentences = list(put(claim, Wording(record)))
        asked: list[JsonValue] = [question.kind.value, question.fact, question.skill]
        return self._put(kind, sentences, rests, as_of=record.as_of, at=at, question=asked)

    def _put(
        self,
        kind: str,
        sentences: Sequence[Sentence],
        rests: list[Plain],
        *,
        as_of: int,
        at: int | None = None,
        question: list[JsonValue] | None = None,
    ) -> Plain:
        plain = [
            [{"text": p.text, "fact": p.fact, "skill": p.skill, "secret": p.secret} for p in one.parts]
            for one in sentences
        ]
        masked: Any = mask_all(plain, self.secrets)  # type: ignore[arg-type]
        said = ["".join("" if p["secret"] else p["text"] for p in one) for one in masked]
        for one in rests:
            if one.get("shown") is not None and not any(one["shown"] in text for text in said):
                one["shown"] = None
        evidence = sorted({one["entry"] for one in rests if one["is"] == "entry"})
        return {
            **{"kind": kind, "at": at, "as_of": as_of, "question": question, "sentences": masked},
            **{"evidence": evidence, "rests_on": rests},
        }

    def _restate(self, seq: int) -> Plain:
        entry = self.entries.entries[seq - 1]
        return {"is": "entry", "entry": seq, "event": entry["event"], "commitments": entry.get("commitments", {})}

    def _relate(self, claim: Claim, record: Record, evidence: Sequence[int]) -> Iterator[Plain]:
        """Say how the entries that a claim cites go together."""
        match claim:
            case EstablishedBy():
                yield from (self._value(value, record) for value in claim.values)
                if claim.by is not None:
                    taken = (*claim.inputs, *((claim.each,) if claim.each else ()))
                    yield from self._act(claim.by.event, taken, claim.facts)
            case Called():
                yield from self._act(evidence[0], claim.inputs, ())
            case UsedBesides():
                yield from self._act(claim.by.event, (claim.fact,), claim.by.outputs)
            case Used():
                yield from self._use(claim.act, record, claim.used, (*claim.gave, *claim.wanted))
            case CameAlong():
                yield from self._use(claim.act, record, (), (claim.fact,))
            case IsWanted():
                yield from self._aim(record, claim.fact, claim.wanted or claim.fact)
            case StandsIn():
                yield self._kind(record, claim.got, claim.wanted)
            case HasValue():
                yield self._value(claim.value, record)
            case Decided():
                yield from (self._value(value, record) for value in claim.values)
                yield from self._act(max(evidence), (), claim.facts)
                yield self._weighs(max(evidence), claim.heaviest, heaviest=True)
            case WeighedLess():
                yield self._weighs(max(evidence), claim.rest, heaviest=False)

    def _value(self, value: Value, record: Record) -> Plain:
        event = self.entries.at(value.event)
        holds = record.values.get(value.fact) == value
        there = isinstance(self.entries.value(value.event, "value"), dict)
        shown = None if there or not reads_as(value.shown, event["value"]) else value.shown
        named: Plain = {"is": "value", "entry": value.event, "fact": value.fact, "by": event["by"]}
        return {**named, "holds": holds, "shown": shown}

    def _act(self, seq: int, taken: Sequence[str], given: Sequence[str]) -> Iterator[Plain]:
        sources = self.entries.inputs(seq)
        yield {"is": "takes", "entry": seq, "facts": {fact: sources[fact] for fact in taken if fact in sources}}
        yield {"is": "gives", "entry": seq, "facts": list(given)}

    def _use(self, act: Act, record: Record, taken: Sequence[str], given: Sequence[str]) -> Iterator[Plain]:
        if act.execution is not None:
            yield from self._act(act.execution.event, taken, given)
        elif act.step is not None and record.plan_event is not None:
            step, planned = act.step, self.seen.log[record.plan_event - 1].event
            assert isinstance(planned, Planned)
            same = (step.kind, step.subject, step.mode, step.outcome)
            steps = [(one.kind, one.subject, one.mode, one.outcome) for one in planned.steps]
            if same in steps:
                named: Plain = {"is": "step", "entry": record.plan_event, "step": steps.index(same)}
                yield {**named, "takes": list(taken), "gives": list(given)}

    def _wants(self, goal: StackedGoal, facts: Sequence[str]) -> Plain:
        return {"is": "wants", "entry": goal.origin.pushed, "facts": list(facts), "skills": list(goal.skills)}

    def _aim(self, record: Record, got: str, wanted: str) -> Iterator[Plain]:
        """Say which request a fact was wanted for, and that what was got can stand for it."""
        for goal in goals_of(self.seen.conversation):
            same = goal.origin.cause == record.goal_event and goal.origin.pushed <= record.as_of
            if same and any(wanted in facts for facts in (goal.facts, *goal.either)):
                yield self._wants(goal, (wanted,))
        if got in record.values:
            yield self._value(record.values[got], record)
        yield self._kind(record, got, wanted)

    def _kind(self, record: Record, fact: str, wanted: str) -> Plain:
        entry = record.values[fact].event if fact in record.values else record.as_of
        return {"is": "kind", "entry": entry, "fact": fact, "of": wanted}

    def _weighs(self, seq: int, weights: Sequence[Attribution], *, heaviest: bool) -> Plain:
        inputs = [[one.fact, one.weight] for one in weights]
        return {"is": "weighs", "entry": seq, "inputs": inputs, "heaviest": heaviest}
