"""The offline understander: no model, no network, nothing but the catalog and the words.

The road of an utterance, station by station:

1. text: folded and cut into clauses (`language.text.words`);
2. preferences and how-to questions, which are about the whole utterance (`language.acts`);
3. if a fact was asked for, the answer to it, unless the utterance is plainly something else (`acts.answer_reading`);
4. dialogue acts: stop, yes, help, questions about the past, what a term means (`acts.dialogue_acts` and its siblings);
5. intents: the clauses left are segmented, grouped and classified (`intents.reader`);
6. slots: values for each request, and for the facts of the conversation (`slots.filler`);
7. corrections of values that were given before, and values that cannot be taken;
8. the interpretation, frozen (`Reading.meaning`).
"""

from __future__ import annotations

from time import perf_counter

from catalog.model import Catalog, Fact
from language.acts.answer_reading import (
    NEARLY_CERTAIN,
    choose_goal,
    find_answer,
    goes_without,
    is_something_else,
    is_within,
    overlaps,
    read_late_answer,
    say_why_not,
)
from language.acts.clarifications_and_corrections import (
    MIND_CHANGED,
    is_asked,
    read_asking_back,
    read_bare_value,
    read_correction,
    read_hypothetical,
    read_term,
    turn_down,
)
from language.acts.dialogue_acts import DROP, asks_back, read_control, read_topic, resumes
from language.acts.explanation_questions import QuestionReader, asks_for_new_result
from language.acts.preferences import PreferenceReader
from language.entities.free_text_spans import is_wordy
from language.entities.instances import settle_instance, take_answer
from language.intents.reader import SURE, RequestReader
from language.interpretation import Analysis, Context, DialogueAct, Intent, Interpretation, Topic
from language.responses.questions import UNCLEAR_ANSWERS
from language.slots.candidates import ValueCandidate
from language.slots.filler import SlotFiller, take
from language.text.request_frames import is_refusal, is_request
from language.text.words import MAX_TEXT, clauses_in, fold, span_of
from language.utterance import Reading, Utterance


class OfflineUnderstander:
    """Understands English utterances for one catalog; keeps no state between them, so threads may share it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._filler = SlotFiller(catalog)
        self._names, self._vocabulary = self._filler.names, self._filler.vocabulary
        self._requests = RequestReader(catalog, self._filler)
        self._questions = QuestionReader(catalog, self._names)
        self._preferences = PreferenceReader(catalog)

    def understand(self, text: str, context: Context) -> Interpretation:
        """Read one utterance. Never raises for any text; never returns a value that nobody said."""
        return self._read(text, context).meaning()

    def analyse(self, text: str, context: Context) -> Analysis:
        """Read one utterance, and say what was seen on the way."""
        began = perf_counter()
        reading = self._read(text, context)
        found = reading.requests
        return Analysis(
            text=reading.text,
            meaning=reading.meaning(),
            segments=found.segments,
            facts=found.facts,
            atoms=found.atoms,
            fired=found.fired,
            seconds={**found.seconds, "all": perf_counter() - began},
        )

    def warm(self) -> None:
        """Load what the first utterance would otherwise wait for."""
        self._requests.warm()

    def _read(self, text: str, context: Context) -> Reading:
        cut = len(text) > MAX_TEXT
        # A lone surrogate can neither be stored nor sent: what holds one is read as unreadable there.
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text[:MAX_TEXT])
        folded = fold(text)
        reading = Reading(text, folded, context, clauses_in(folded))
        pending = context.pending
        self._preferences.read(reading)
        if reading.preference is not None and not reading.open:
            return reading
        if read_hypothetical(reading, self._requests):
            return reading
        if pending is not None and pending.kind == "fact" and pending.subject in self._catalog.facts:
            self._read_answer(reading, self._catalog.facts[pending.subject], cut=cut)
        elif pending is not None and pending.kind == "choice" and self._read_choice(reading, pending.options):
            pass
        else:
            self._read_freely(reading, pending.kind if pending else None)
        if reading.control in {DialogueAct.CHITCHAT, DialogueAct.HELP} and reading.topic is None:
            reading.topic = read_topic(reading.folded)
        elif reading.control is DialogueAct.YES and pending is None and resumes(reading.folded):
            reading.topic = Topic.RESUMING
        reading.wonders = reading.empty and any(is_asked(reading, clause) for clause in reading.clauses)
        return reading

    def _read_freely(self, reading: Reading, pending: str | None) -> None:
        """Read an utterance that answers no question for a fact."""
        reading.control = read_control(reading.folded, pending)
        if reading.control is DialogueAct.STOP and pending in {"offer", "choice"}:
            reading.control = DialogueAct.NO  # "never mind" to an offer leaves the rest of the conversation alone
        if reading.control is not None or (pending is not None and read_asking_back(reading)):
            return
        if pending == "confirm" and read_bare_value(reading, self._catalog):
            return
        self._read_controls(reading, pending)
        self._read_questions(reading)
        read_term(reading, self._catalog, self._names)
        self._read_goals(reading)
        candidates = self._read_values(reading)
        read_correction(reading, self._catalog, candidates)
        turn_down(reading, self._catalog, candidates)
        if pending is None and reading.empty and not reading.candidates:
            read_late_answer(reading, self._catalog, candidates, self._filler)
        if reading.empty and any(is_refusal(clause.of(reading.folded)) for clause in reading.clauses):
            reading.control = DialogueAct.NO
            reading.candidates.clear()
        if reading.empty and not reading.candidates and asks_back(reading.folded):
            reading.control = DialogueAct.HELP
        if not reading.folded.strip(" .!,-") and reading.empty:
            reading.unclear = "That was empty. Say “help” to see what I can do."
        wonders = any(is_asked(reading, clause) for clause in reading.clauses)
        if pending is not None and reading.empty and not (reading.unclear or wonders) and not reading.candidates:
            reading.unclear = UNCLEAR_ANSWERS.get(pending)

    def _read_choice(self, reading: Reading, options: tuple[str, ...]) -> bool:
        """Take one of the goals that were put to choice; tells whether that was all."""
        chosen = choose_goal(self._catalog, self._requests, reading.folded, options)
        if chosen is not None:
            span = span_of(reading.text, 0, len(reading.text))
            reading.goals.append(Intent(goal=chosen, span=span, confidence=1.0))
        return chosen is not None

    def _read_controls(self, reading: Reading, pending: str | None) -> None:
        """Take a control that is a clause of its own: "stop, I want a card instead"."""
        meant = {DialogueAct.STOP} | ({DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP} if pending else set())
        for clause in reading.open:
            words = clause.of(reading.folded)
            control = read_control(words, pending)
            if control is None and self._drops_top(words, reading.context):
                control = DialogueAct.STOP
            if control is None:
                opening, comma, _ = words.partition(",")
                first = read_control(opening, pending) if comma and clause is reading.clauses[0] else None
                first = None if first is DialogueAct.STOP and MIND_CHANGED.search(opening) else first
                if first in meant and reading.control is None:
                    reading.control = first
                continue
            if control in {DialogueAct.YES, DialogueAct.NO} and control not in meant and reading.context.pending:
                continue  # it may be the value asked for
            reading.used.add(clause)
            if control is DialogueAct.STOP and MIND_CHANGED.search(words) and len(reading.clauses) > 1:
                continue  # what it was changed to is in the rest
            if control in meant and reading.control is None:
                reading.control = control

    def _drops_top(self, words: str, context: Context) -> bool:
        """Return whether a clause says that the goal being pursued is no longer wanted."""
        match = DROP.search(words)
        if match is None or not context.goals or context.goals[0] not in self._catalog.goals:
            return False
        best = self._requests.rank(match["named"])[0]
        return best.goal == context.goals[0] and best.confidence >= SURE

    def _read_questions(self, reading: Reading) -> None:
        """Take the first question about the past."""
        whole = self._questions.read(reading.folded, reading.context)
        if whole is not None and len(reading.open) == 1:
            if asks_for_new_result(self._catalog, self._requests, whole, reading.folded, reading.context):
                return
            reading.question = whole
            reading.used.update(reading.clauses)
            return
        for clause in reading.open:
            before, words = reading.folded[: clause.start], clause.of(reading.folded)
            asked = self._questions.read(words, reading.context, before, reading.folded)
            if asked is not None and not asks_for_new_result(
                self._catalog, self._requests, asked, words, reading.context
            ):
                reading.used.add(clause)
                reading.question = reading.question or asked

    def _read_goals(self, reading: Reading, *, plain_requests_only: bool = False) -> None:
        """Take the goals that are surely asked for, and offer the likeliest where none is sure."""
        asking = [
            clause
            for clause in reading.open
            if not (is_refusal(said := clause.of(reading.folded)) or self._vocabulary.only_tells(said))
            and (is_request(said) or not plain_requests_only)
        ]
        if not asking:
            return
        found = self._requests.read(reading.text, reading.only(asking), reading.context.today)
        reading.requests = found
        reading.goals.extend(found.goals[: self._catalog.settings.max_goals])
        spans = [segment.span for segment in found.segments if segment.goal is not None]
        reading.used.update(c for c in asking if any(s.start < c.end and c.start < s.end for s in spans))
        if not found.goals and not reading.question and reading.control is not DialogueAct.STOP:
            reading.candidates.extend(found.candidates)

    def _read_values(self, reading: Reading, asked: str | None = None) -> list[ValueCandidate]:
        """Take the values that are said with something that tells which facts they are for."""
        context = reading.context
        stack = tuple(goal for goal in context.goals if goal in self._catalog.goals)
        mentioned = [mention.goal for mention in (*reading.goals, *reading.candidates[:1])]
        candidates = self._filler.find_candidates(
            Utterance(
                reading.text, reading.folded, reading.clauses, context.today, mentioned, stack, asked, context.ended
            )
        )
        questions = [c for c in reading.used if reading.question and "?" in reading.text[c.end : c.end + 1]]
        gone = [*((q.start, q.end) for q in questions), *reading.taken_out]
        beside = [mention for mention in reading.goals if mention.goal not in stack[:1]] if asked else []
        said = [
            candidate
            for candidate in candidates
            if not any(start <= candidate.start < end for start, end in gone)
            and not (candidate.fact == asked and is_within(candidate.start, beside))
        ]
        of_requests = {fact for mention in reading.goals for fact in self._requests.own_facts(mention.goal)}
        reading.values = take(reading.text, [candidate for candidate in said if candidate.fact not in of_requests])
        return said

    def _read_answer(self, reading: Reading, fact: Fact, *, cut: bool) -> None:
        """Read an utterance that ought to answer the question for a fact."""
        if read_asking_back(reading) or self._read_plain_control(reading, fact):
            return
        self._read_controls(reading, None if fact.value.is_yes_or_no else "fact")
        if reading.control in {DialogueAct.YES, DialogueAct.NO}:
            reading.control = None
        self._read_questions(reading)
        read_term(reading, self._catalog, self._names)
        wordy = is_wordy(fact.value)
        if wordy:  # such a kind would take a request for an answer
            self._read_goals_with_answer(reading, fact)
        else:
            self._read_other_requests(reading)
        candidates = self._read_values(reading, asked=fact.name)
        without = [c for c in reading.open if goes_without(c.of(reading.folded), fact.name, self._names)]
        reading.used.update(without)
        reading.control = reading.control or (DialogueAct.SKIP if without else None)
        if wordy and not any(candidate.fact == fact.name for candidate in candidates):
            read_correction(reading, self._catalog, candidates)
        corrected = wordy and (bool(reading.unclear) or any(v.rule.endswith("correction") for v in reading.values))
        answer = None if corrected or (cut and wordy) else find_answer(reading, fact, candidates, self._filler)
        if answer is not None:
            take_answer(reading, fact, settle_instance(reading, self._catalog, answer, wordy=wordy))
        if not wordy:
            self._read_goals_with_answer(reading, fact)
            if reading.goals and not reading.values:
                self._read_values(reading)
        reading.candidates.clear()
        if answer is None:
            read_correction(reading, self._catalog, candidates)
            turn_down(reading, self._catalog, candidates)
        if any(value.fact == fact.name for value in reading.values):
            reading.control = None if reading.control is DialogueAct.SKIP else reading.control
        elif reading.empty and not reading.unclear:
            wonders = any(is_asked(reading, clause) for clause in reading.clauses)
            too_long = f"That is too long: I read at most {MAX_TEXT:,} characters."
            reading.unclear = too_long if cut else None if wonders else say_why_not(reading, fact, self._filler)

    def _read_plain_control(self, reading: Reading, fact: Fact) -> bool:
        """Take an utterance that is nothing but a control, unless the fact's kind has that very word for a value."""
        control = read_control(reading.folded, "fact")
        if control is None or (fact.value.is_yes_or_no and control in {DialogueAct.YES, DialogueAct.NO}):
            return False
        if (fact.value.declared_options or fact.value.loosely_written) and fact.value.accepts(reading.text.strip()):
            return False
        if control is DialogueAct.YES:
            reading.unclear = say_why_not(reading, fact, self._filler)
        else:  # to decline to answer and not to know come to the same: the question is skipped
            reading.control = DialogueAct.SKIP if control is DialogueAct.NO else control
        return True

    def _read_other_requests(self, reading: Reading) -> None:
        """Take what plainly asks for something else instead of answering: its values are its own, and no answer."""
        asking = [c for c in reading.open if is_request(c.of(reading.folded)) or is_asked(reading, c)]
        found = self._requests.read(reading.text, reading.only(asking), reading.context.today) if asking else None
        if found and found.goals and is_something_else(found.goals, reading.context):
            reading.requests = found
            reading.goals.extend(found.goals)
            reading.used.update(clause for clause in asking if overlaps(clause, found.goals))

    def _read_goals_with_answer(self, reading: Reading, fact: Fact) -> None:
        """Take goals that are plainly asked for although a fact was asked for; not the one pursued anew."""
        self._read_goals(reading, plain_requests_only=True)
        if not reading.goals and len(reading.open) == 1 and not fact.value.takes_any_text:
            clause = reading.open[0]
            found = self._requests.read(reading.text, reading.only([clause]), reading.context.today)
            if found.goals and all(mention.confidence >= NEARLY_CERTAIN for mention in found.goals):
                reading.goals.extend(found.goals)
                reading.requests = found
                reading.used.add(clause)
        if reading.values or reading.question or reading.control:
            top = reading.context.goals[:1]
            reading.goals[:] = [mention for mention in reading.goals if mention.goal not in top]
