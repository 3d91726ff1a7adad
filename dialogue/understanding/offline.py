"""The deterministic understander: no model, no network, nothing but the catalog and the words.

An utterance is cut into clauses, and each clause is taken for the first of: a control, a question about the past, a
request for a goal. Values are looked for everywhere. What was asked just before has the first say: an answer to it is
an answer, unless it is plainly something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from catalog.model import Catalog
from catalog.values import Unreadable
from dialogue.meaning import AskedAbout, Context, Control, GoalMention, Meaning, ValueMention
from dialogue.understanding.choosing import choose
from dialogue.understanding.controls import read_control
from dialogue.understanding.goals import (
    MARGIN,
    SURE,
    WORTH_OFFERING,
    GoalScorer,
    Scored,
    is_refusal,
    is_request,
    parts_of,
)
from dialogue.understanding.names import FactNames
from dialogue.understanding.questions import QuestionReader
from dialogue.understanding.values import CUED, NAMED, WORDY, Claim, Utterance, ValueReader, take
from dialogue.understanding.words import MAX_TEXT, Clause, clauses_in, fold, span_of

_OFFERED = 3

_WITHOUT = re.compile(
    r"\b(?:(?:i |we )?(?:really |just )?(?:don't|dont|do not|haven't|have not|can't|cannot|couldn't|could not|never)\s+(?:got|know|have|had"
    r"|find|remember|recall|own|use|locate|get|see)|i(?:'ve| have)? (?:forgot|forgotten|lost|misplaced)|i(?:'ve| have)? (?:got )?no"
    r"|(?:i'm |i am )?not sure (?:what|about|of))\s+(?:what\s+)?(?:an?|my|the|any)?\s*(?P<x>[^,.;!?]{1,60}?)"
    r"(?:\s+(?:is|at hand|to hand|with me|on me|by heart|yet|anymore|any more|right now|now|here|at all))*\s*\Z"
)
_DROP = re.compile(
    r"\b(?:stop|cancel|abort|forget(?: about)?|drop|scrap|end|quit|never ?mind|(?:don't|do not|no longer) (?:want|need))"
    r"\s+(?:the|my|this|that|a|an)?\s*(?P<x>[^,.;!?]{2,60})"
)


@dataclass
class _Reading:
    """What has been understood of one utterance so far."""

    text: str
    folded: str
    context: Context
    clauses: list[Clause]
    used: set[Clause] = field(default_factory=set)
    goals: list[GoalMention] = field(default_factory=list)
    candidates: list[GoalMention] = field(default_factory=list)
    question: AskedAbout | None = None
    control: Control | None = None
    values: tuple[ValueMention, ...] = ()
    unclear: str | None = None

    @property
    def empty(self) -> bool:
        """Tell whether nothing was understood yet."""
        return not (self.goals or self.values or self.question or self.control)

    @property
    def open(self) -> list[Clause]:
        """List the clauses that nothing has been made of."""
        return [clause for clause in self.clauses if clause not in self.used]

    def meaning(self) -> Meaning:
        """Freeze it."""
        return Meaning(
            goals=tuple(self.goals),
            values=self.values,
            question=self.question,
            control=self.control,
            candidates=tuple(self.candidates),
            unclear=self.unclear,
        )


class OfflineUnderstander:
    """Understands English utterances for one catalog; keeps no state between them, so threads may share it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._names = FactNames(catalog)
        self._scorer = GoalScorer(catalog)
        self._questions = QuestionReader(catalog, self._names)
        vocabularies = {goal: self._scorer.vocabulary(goal) for goal in catalog.goals}
        self._values = ValueReader(catalog, self._names, vocabularies)

    def understand(self, text: str, context: Context) -> Meaning:
        """Read one utterance. Never raises for any text; never returns a value that nobody said."""
        cut = len(text) > MAX_TEXT
        # A lone surrogate can neither be stored nor sent: what holds one is read as unreadable there.
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text[:MAX_TEXT])
        folded = fold(text)
        reading = _Reading(text, folded, context, clauses_in(folded))
        pending = context.pending
        if pending is not None and pending.kind == "fact" and pending.subject in self._catalog.facts:
            self._read_answer(reading, pending.subject, cut=cut)
        elif pending is not None and pending.kind == "choice" and self._read_choice(reading, pending.options):
            pass
        else:
            self._read_freely(reading, pending.kind if pending else None)
        return reading.meaning()

    # -- no fact was asked for ---------------------------------------------------------------------------------------

    def _read_freely(self, reading: _Reading, pending: str | None) -> None:
        """Read an utterance that answers no question for a fact."""
        reading.control = read_control(reading.folded, pending)
        if reading.control is Control.STOP and pending in {"offer", "choice"}:
            reading.control = Control.NO  # "never mind" to an offer leaves the rest of the conversation alone
        if reading.control is not None:
            return
        self._read_controls(reading, pending)
        self._read_questions(reading)
        self._read_goals(reading)
        self._read_values(reading)
        if pending is not None and reading.empty and not reading.candidates:
            reading.unclear = {
                "authorize": "I need a yes or a no for this.",
                "offer": "I did not get whether that is a yes or a no.",
                "choice": "I did not get which one you mean.",
            }.get(pending)

    def _read_choice(self, reading: _Reading, options: tuple[str, ...]) -> bool:
        """Take one of the goals that were put to choice; tells whether that was all."""
        known = tuple(option for option in options if option in self._catalog.goals)
        labels = tuple(self._catalog.goals[option].label for option in known)
        index = choose(reading.folded, labels)
        if index is None:
            best = self._scorer.rank([reading.folded])[0]
            fitting = [scored for scored in best if scored.goal in known and scored.confidence >= WORTH_OFFERING]
            if len(fitting) > 1 and fitting[0].confidence - fitting[1].confidence < MARGIN:
                return False
            if not fitting or (best[0].goal not in known and best[0].confidence >= SURE):
                return False
            index = known.index(fitting[0].goal)
        span = span_of(reading.text, 0, len(reading.text))
        reading.goals.append(GoalMention(goal=known[index], span=span, confidence=1.0))
        return True

    def _read_controls(self, reading: _Reading, pending: str | None) -> None:
        """Take a control that is a clause of its own: "stop, I want a card instead"."""
        meant = {Control.STOP} | ({Control.YES, Control.NO, Control.SKIP} if pending else set())
        for clause in reading.open:
            words = clause.of(reading.folded)
            control = read_control(words, pending)
            if control is None and self._drops_top(words, reading.context):
                control = Control.STOP
            if control is None:
                opening, comma, _ = words.partition(",")
                first = read_control(opening, pending) if comma and clause is reading.clauses[0] else None
                if first in meant and reading.control is None:
                    reading.control = first
                continue
            reading.used.add(clause)
            if control in meant and reading.control is None:
                reading.control = control

    def _drops_top(self, words: str, context: Context) -> bool:
        """Tell whether a clause says that the goal being pursued is no longer wanted."""
        match = _DROP.search(words)
        if match is None or not context.goals or context.goals[0] not in self._catalog.goals:
            return False
        best = self._scorer.rank([match["x"]])[0][0]
        return best.goal == context.goals[0] and best.confidence >= SURE

    def _read_questions(self, reading: _Reading) -> None:
        """Take the first question about the past."""
        whole = self._questions.read(reading.folded, reading.context, reading.folded)
        if whole is not None and len(reading.open) == 1:
            reading.question = whole
            reading.used.update(reading.clauses)
            return
        for clause in reading.open:
            asked = self._questions.read(clause.of(reading.folded), reading.context, reading.folded)
            if asked is not None:
                reading.used.add(clause)
                reading.question = reading.question or asked

    def _read_goals(self, reading: _Reading, *, plain_requests_only: bool = False) -> None:
        """Take the goals that are surely asked for, and offer the likeliest where none is sure."""
        clauses = [clause for clause in reading.open if not is_refusal(clause.of(reading.folded))]
        found: dict[str, GoalMention] = {}
        unsure: dict[str, GoalMention] = {}
        for clause, ranked in zip(clauses, self._scorer.rank([c.of(reading.folded) for c in clauses]), strict=True):
            if plain_requests_only and not is_request(clause.of(reading.folded)):
                continue
            for part, best in self._listed(reading, clause, ranked):
                sure = best[0].confidence >= SURE and (
                    len(best) == 1 or best[0].confidence - best[1].confidence >= MARGIN
                )
                for scored in best[:1] if sure else best[:_OFFERED]:
                    if scored.confidence >= WORTH_OFFERING:
                        pool = found if sure else unsure
                        earlier = pool.get(scored.goal)
                        if earlier is None or earlier.confidence < scored.confidence:
                            pool[scored.goal] = _mention(reading.text, part, scored)
                        if sure:
                            reading.used.add(clause)
        wanted = {goal: set(self._catalog.goals[goal].facts) for goal in found}
        whole = [m for m in found.values() if not any(wanted[m.goal] < facts for facts in wanted.values())]
        in_order = sorted(whole, key=lambda mention: mention.span.start)
        reading.goals.extend(in_order[: self._catalog.settings.max_goals])
        if not found and not reading.question and reading.control is not Control.STOP:
            likeliest = sorted(unsure.values(), key=lambda mention: -mention.confidence)
            reading.candidates.extend(likeliest[:_OFFERED])

    def _listed(self, reading: _Reading, clause: Clause, ranked: list[Scored]) -> list[tuple[Clause, list[Scored]]]:
        """Split a clause that lists different goals ("a loan and a credit card"); keep it whole otherwise."""
        whole = [(clause, ranked)] if ranked else []
        parts = parts_of(reading.folded, clause)[:12]
        if len(parts) < 2 or not ranked:
            return whole
        scores = self._scorer.rank([part.of(reading.folded) for part in parts])
        surely = [(part, best) for part, best in zip(parts, scores, strict=True) if best[0].confidence >= SURE]
        different = {best[0].goal for _, best in surely}
        # Words of one goal's own example are that goal, "and" or not.
        if len(surely) == len(parts) and len(different) > 1 and ranked[0].confidence < 0.97:
            return surely
        return whole

    def _read_values(self, reading: _Reading) -> list[Claim]:
        """Take the values that are said with something that tells which facts they are for."""
        context = reading.context
        top = context.goals[0] if context.goals and context.goals[0] in self._catalog.goals else None
        mentioned = [mention.goal for mention in (*reading.goals, *reading.candidates[:1])]
        claims = self._values.claims(
            Utterance(reading.text, reading.folded, reading.clauses, context.today, mentioned, top)
        )
        questions = [
            c
            for c in reading.clauses
            if c in reading.used and reading.question and "?" in reading.text[c.end : c.end + 1]
        ]
        said = [claim for claim in claims if not any(q.start <= claim.start < q.end for q in questions)]
        reading.values = take(reading.text, said)
        return said

    # -- a fact was asked for ----------------------------------------------------------------------------------------

    def _read_answer(self, reading: _Reading, fact: str, *, cut: bool) -> None:
        """Read an utterance that ought to answer the question for a fact."""
        kind = self._catalog.facts[fact].value
        control = read_control(reading.folded, "fact")
        if kind.kind == "yes_no" and control in {Control.YES, Control.NO}:
            control = None
        if control is not None and not (
            kind.kind in {"choice", "yes_no", "pattern"} and kind.accepts(reading.text.strip())
        ):
            # To decline to answer and not to know come to the same: the question is skipped.
            reading.control = Control.SKIP if control is Control.NO else control
            if control is Control.YES:
                reading.control, reading.unclear = None, self._why_not(reading.text, fact, reading)
            return
        self._read_controls(reading, "fact")
        if reading.control in {Control.YES, Control.NO}:
            reading.control = None
        self._read_questions(reading)
        greedy = kind.kind in WORDY
        if greedy:
            self._read_goals_beside(reading)
        claims = self._read_values(reading)
        for clause in reading.open:
            without = _WITHOUT.search(clause.of(reading.folded))
            if without and self._names.resolve(without["x"], prefer=[{fact}]) == fact:
                reading.control = reading.control or Control.SKIP
                reading.used.add(clause)
        answer = None if cut and greedy else self._answer(reading, fact, claims)
        if answer is not None:
            reading.values = tuple(
                sorted([answer, *(v for v in reading.values if v.fact != fact)], key=lambda value: value.span.start)
            )
            reading.used.update(c for c in reading.clauses if c.start < answer.span.end and answer.span.start < c.end)
        if not greedy:
            self._read_goals_beside(reading)
            if reading.goals and not reading.values:
                self._read_values(reading)
        reading.candidates.clear()
        if any(value.fact == fact for value in reading.values):
            reading.control = None if reading.control is Control.SKIP else reading.control
        elif reading.empty:
            reading.unclear = (
                f"That is too long: I read at most {MAX_TEXT:,} characters."
                if cut
                else self._why_not(reading.text, fact, reading)
            )

    def _read_goals_beside(self, reading: _Reading) -> None:
        """Take goals that are plainly asked for although a fact was asked for; the one pursued is not asked for anew."""
        self._read_goals(reading, plain_requests_only=True)
        if not reading.candidates and not reading.goals:
            named = (
                self._scorer.rank([reading.folded])[0] if len(reading.open) == 1 and len(reading.folded) <= 60 else []
            )
            kind = self._catalog.facts[reading.context.pending.subject].value.kind if reading.context.pending else ""
            if named and named[0].confidence >= 0.9 and kind != "text":
                reading.goals.append(_mention(reading.text, reading.open[0], named[0]))
                reading.used.add(reading.open[0])
        top = reading.context.goals[0] if reading.context.goals else None
        reading.goals[:] = [mention for mention in reading.goals if mention.goal != top]

    def _answer(self, reading: _Reading, fact: str, claims: Sequence[Claim]) -> ValueMention | None:
        """Read what is left of the utterance by the kind of the fact that was asked for."""
        kind = self._catalog.facts[fact].value
        made = [claim for claim in claims if claim.fact == fact and claim.strength == NAMED]
        if any(claim.takeable for claim in made):
            return next((value for value in take(reading.text, made)), None)
        if made or not kind.sayable:
            return None
        others = [claim for claim in claims if claim.fact != fact and claim.strength >= CUED]
        for run in _runs(reading, others, whole_clauses=kind.kind in WORDY):
            words = _blanked(reading.text, run, others)
            try:
                value = kind.read(words.strip(), reading.context.today)
            except Unreadable:
                continue
            exact = [m for m in kind.find(words, reading.context.today) if value in m.readings]
            start, end = (exact[0].start, exact[0].end) if exact else _place(words, value)
            if self._values.misses_period(fact, reading.folded, run.start + end):
                continue  # so much a month is no answer to so much a year
            span = span_of(reading.text, run.start + start, run.start + end)
            return ValueMention(fact=fact, value=value, span=span, rule=f"{kind.kind} as the answer")
        return None

    def _why_not(self, text: str, fact: str, reading: _Reading) -> str:
        """Say why an answer could not be taken, in the words of the fact's kind."""
        kind = self._catalog.facts[fact].value
        for mention in kind.find(text, reading.context.today):
            if period := self._values.misses_period(fact, reading.folded, mention.end):
                return f"That is by the {period}, and I need the {self._catalog.facts[fact].label}."
        try:
            kind.read(text, reading.context.today)
        except Unreadable as why:
            return why.reason
        return "I could not tell the answer from the rest."


def _mention(text: str, clause: Clause, scored: Scored) -> GoalMention:
    """Cite the clause that asks for a goal."""
    return GoalMention(
        goal=scored.goal, span=span_of(text, clause.start, clause.end), confidence=min(1.0, scored.confidence)
    )


def _runs(reading: _Reading, others: Sequence[Claim], *, whole_clauses: bool) -> Iterable[Clause]:
    """Yield the stretches that may hold the answer: clauses in a row that nothing was made of, longest stretch first."""
    runs: list[Clause] = []
    for clause in reading.clauses:
        taken = clause in reading.used or (
            whole_clauses and any(clause.start <= claim.start < clause.end for claim in others)
        )
        if taken:
            continue
        between = reading.text[runs[-1].end : clause.start] if runs else ""
        follows = runs and not any(used.start >= runs[-1].end and used.end <= clause.start for used in reading.used)
        if follows and len(between) <= 8:
            runs[-1] = Clause(runs[-1].start, clause.end)
        else:
            runs.append(clause)
    return runs


def _blanked(text: str, run: Clause, others: Sequence[Claim]) -> str:
    """Cut a run out of the text, with spaces where values of other facts stand."""
    chars = list(text[run.start : run.end])
    for claim in others:
        for i in range(max(claim.start, run.start), min(claim.end, run.end)):
            chars[i - run.start] = " "
    return "".join(chars)


def _place(words: str, value: object) -> tuple[int, int]:
    """Find where a value stands in the words it was read from: as it is, or else all of them."""
    at = words.find(value) if isinstance(value, str) else -1
    return (at, at + len(value)) if at >= 0 and isinstance(value, str) else (0, len(words))
