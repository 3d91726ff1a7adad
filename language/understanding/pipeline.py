"""The pipeline that understands an utterance offline.

An utterance is read in passes; there is no network, nothing but the catalog and the words. A pass takes a
`UtteranceReading` and returns another one; it changes nothing.

1. text: folded and cut into clauses (`language.text.words`);
2. preferences and how-to questions, which are about the whole utterance (`language.acts`);
3. dialogue acts: stop, yes, help, questions about the past, what a term means (`language.acts`);
4. segments and intents: the clauses left are segmented, grouped and classified (`intents.reader`);
5. slots: values for each request, and for the facts of the conversation (`slots.filler`);
6. the answer, if a fact was asked for (`acts.answer_reading`); corrections, and values that cannot be taken;
7. the interpretation (`Reading.meaning`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from time import perf_counter

from catalog.model import Catalog, Fact
from language.acts.answer_reading import (
    cut_at_extents,
    cut_at_told,
    find_answer,
    find_told,
    is_something_else,
    is_within,
    owns_more,
    read_choice,
    read_going_without,
    read_late_answer,
    read_plain_control,
    say_what_is_not_taken,
    say_what_is_unclear,
    say_why_not,
    says_place,
    without_echo,
)
from language.acts.assent import hold_back_a_qualified_yes, read_agreement
from language.acts.clarifications_and_corrections import (
    asks,
    is_asked,
    read_asking_back,
    read_correction,
    read_doubtful_value,
    read_hypothetical,
    read_term,
    turn_down,
)
from language.acts.dialogue_acts import (
    MIND_CHANGED,
    find_topic,
    read_control,
    read_controls,
    read_refusal_or_call_for_help,
    read_whole_control,
)
from language.acts.edits import EditReader
from language.acts.explanation_questions import QuestionReader
from language.acts.non_answers import doubt, read_non_answer, takes_sentences, without_preposition
from language.acts.preferences import PreferenceReader
from language.acts.question_kinds import judge
from language.acts.speech_acts import ActReader, find_appeals, find_moods
from language.acts.suppositions import SuppositionReader
from language.entities.instances import settle_instance, take_answer
from language.entities.segments import HeardText, Segmenter
from language.entities.value_context import is_wordy
from language.intents.reader import RequestReader
from language.interpretation import (
    ActSpan,
    Analysis,
    Context,
    DialogueAct,
    Entity,
    Intent,
    Interpretation,
    Pending,
    Span,
    SpeechAct,
)
from language.slots.candidates import CUED, ValueCandidate, take
from language.slots.filler import SlotFiller
from language.text.array_cache import one_utterance
from language.text.morphology import base_stem_of
from language.text.request_frames import DEED_STEMS, is_request
from language.text.utterance import UtteranceReading, UtteranceText, open_reading
from language.text.words import MAX_TEXT, blank, fold, span_of
from language.understanding.unheeded import WordAccount, without_said


class OfflineUnderstander:
    """Understands English utterances for one catalog; keeps no state between them, so threads may share it."""

    def __init__(self, catalog: Catalog, words: WordAccount | None = None) -> None:
        self._catalog = catalog
        self._filler = SlotFiller(catalog)
        self._names, self._vocabularies = self._filler.names, self._filler.vocabularies
        self._requests = RequestReader(catalog, self._filler)
        self._questions = QuestionReader(catalog, self._names)
        self._preferences = PreferenceReader(catalog)
        requests = self._requests
        self._segmenter = Segmenter(
            catalog, requests.goal_of, self._filler.frames, requests.asks_by_refusing, requests.goals_in
        )
        self._acts = ActReader(catalog)
        self._suppositions = SuppositionReader(catalog, self._questions.subjects)
        self._words = words or WordAccount(catalog)
        self._edits = EditReader(catalog, self._filler, requests.goal_of)

    @one_utterance()
    def understand(self, text: str, context: Context) -> Interpretation:
        return self.analyse(text, context).meaning

    @one_utterance()
    def analyse(self, text: str, context: Context) -> Analysis:
        began = perf_counter()
        if edited := self._edits.read(text, context):
            return Analysis(text, edited, seconds={"all": perf_counter() - began})
        heard = self._segmenter.hear(text, partial(self._apart, context.pending))
        reading = self._read(heard, context, cut=len(text) > MAX_TEXT)
        meaning = self._edits.refer_back(text, self._account(heard, reading), context)
        found = reading.requests
        segments = tuple(replace(segment, span=heard.span(segment.span)) for segment in found.segments)
        seconds = {**found.seconds, "all": perf_counter() - began}
        return Analysis(heard.said, meaning, segments, found.facts, found.atoms, found.fired, seconds)

    def _apart(self, pending: Pending | None, folded: str) -> tuple[ActSpan, ...]:
        """Find the stretches that say nothing of goals and values.

        An appeal that a goal has an example of is a request where a goal is surely asked for: it may open a ticket.
        """
        asked = pending.kind if pending else None
        fact = self._catalog.facts.get(pending.subject) if pending and asked == "fact" else None
        goal_of, requested = self._requests.goal_of, self._requested
        appeals = [
            one
            for one in find_appeals(folded, asked, fact)
            if one.act not in requested or (goal_of(one.span.text) is None and goal_of(folded) is None)
        ]
        if not appeals:
            return self._acts.passing_on(folded, asked)
        rest = blank(folded, [(one.span.start, one.span.end) for one in appeals])
        return tuple(sorted((*appeals, *self._acts.passing_on(rest, asked)), key=lambda one: one.span.start))

    @cached_property
    def _requested(self) -> frozenset[SpeechAct]:
        goals = self._catalog.goals.values()
        said = (
            s for goal in goals for s in (*goal.examples, f"I want to {goal.label}", f"I want to make {goal.label}")
        )
        return frozenset(one.act for example in said for one in find_appeals(fold(example), None))

    def warm(self) -> None:
        self._requests.warm()
        self._words.warm()
        judge("why")  # the kinds of questions are learned once

    def _account(self, heard: HeardText, reading: UtteranceReading) -> Interpretation:
        """Return what an utterance means, with the words of its requests that nothing heeds."""
        meaning, context = without_said(self._words.account(heard.text, reading.meaning())), reading.context
        folded = fold(heard.text)
        acts = tuple(find_moods(heard.text, folded, busy=bool(context.goals)))
        update: dict[str, object] = {"acts": acts}
        if heard.acts and meaning.control is DialogueAct.STOP and MIND_CHANGED.search(folded):
            update["control"] = None  # what it was changed to is in the rest
        if heard.acts and not heard.text.strip():
            update["unclear"] = None  # all that was said does something else
        meaning = meaning.model_copy(update=update)
        asked = context.pending.kind if context.pending and context.goals else ""
        if meaning.control is DialogueAct.YES and asked in ("confirm", "authorize") and not meaning.goals:
            meaning = self._words.limit_yes(heard.text, meaning, context.goals[0])
        meaning = heard.meaning(meaning)
        supposed = self._suppositions.read(heard.said, meaning, context) if meaning.acts else None
        return meaning if supposed is None else meaning.model_copy(update={"supposed": supposed})

    def _read(self, heard: HeardText, context: Context, *, cut: bool) -> UtteranceReading:
        """Read what stands of an utterance; `cut` tells that its end was not read."""
        pending = context.pending
        answered = read_control(fold(heard.text), "confirm") if pending and pending.read_back else None
        if answered in (DialogueAct.YES, DialogueAct.NO, DialogueAct.UNSURE):
            return replace(open_reading(heard.text, context), control=answered)
        reading = self._preferences.read(open_reading(heard.text, context))
        if reading.preference is not None and not reading.open:
            return reading
        if (hypothetical := read_hypothetical(reading, self._requests)) is not None:
            return self._fill_slots(hypothetical, self._find_candidates(hypothetical))
        if (pending is None or pending.kind == "fact") and (agreed := read_agreement(reading, self._filler)):
            return self._fill_slots(agreed, self._find_candidates(agreed))
        if pending is not None and pending.kind == "fact" and pending.subject in self._catalog.facts:
            reading = self._read_answer(reading, self._catalog.facts[pending.subject], cut=cut)
        elif pending is not None and pending.kind == "choice":
            chosen = read_choice(reading, self._catalog, self._requests, pending.options, self._vocabularies)
            reading = self._with_values(chosen) if chosen else self._read_freely(reading, pending.kind)
        else:
            reading = self._read_freely(reading, pending.kind if pending else None)
        reading = say_what_is_not_taken(reading, self._catalog)
        if reading.control is DialogueAct.STOP and reading.goals and not (context.goals or pending):
            reading = replace(reading, control=None)  # "I can't come, cancel it" stops nothing
        return replace(reading, topic=find_topic(reading), wonders=reading.empty and asks(reading))

    def _read_freely(self, reading: UtteranceReading, pending: str | None) -> UtteranceReading:
        """Read an utterance that answers no question for a fact."""
        control = read_whole_control(reading, pending, self._requests)
        if control is not None:
            # "Never mind" to an offer leaves the rest of the conversation alone.
            declined = control is DialogueAct.STOP and pending in {"offer", "choice"}
            return replace(reading, control=DialogueAct.NO if declined else control)
        if pending is not None and (asking_back := read_asking_back(reading)):
            return asking_back
        reading = read_controls(reading, pending, self._catalog, self._requests)
        reading = self._read_intents(self._read_questions(reading))
        candidates = self._find_candidates(reading)
        reading = self._fill_slots(reading, candidates)
        reading = read_correction(reading, self._catalog, candidates)
        reading = turn_down(reading, self._catalog, candidates)
        if pending is None and reading.empty and not reading.candidates:
            reading = read_late_answer(reading, self._catalog, candidates, self._filler, self._requests.goal_of)
        reading = self._read_asked_with(reading)
        if pending is None and not any(one.goal in reading.context.goals for one in reading.candidates):
            reading = replace(reading, candidates=self._filled(reading.candidates, reading))
        reading = hold_back_a_qualified_yes(read_refusal_or_call_for_help(reading), self._catalog)
        reading = replace(reading, unclear=say_what_is_unclear(reading, pending))
        return read_doubtful_value(reading, self._catalog) if pending in ("authorize", "confirm") else reading

    def _with_values(self, chosen: UtteranceReading) -> UtteranceReading:
        """Add what is said beside the choice of a goal: the request may have been told more before."""
        if says_place(chosen.folded):
            return chosen
        told = (value for one in self._filled(chosen.goals, chosen) for value in one.values)
        found = {value.fact: value for value in (*take(chosen.text, self._find_candidates(chosen)), *told)}
        return replace(chosen, values=tuple(found.values()))

    def _filled(self, wanted: Sequence[Intent], reading: UtteranceReading) -> tuple[Intent, ...]:
        """Return goals that may be wanted, each with what is said for it if it is."""
        filled = []
        for one in wanted:
            (told,) = self._filler.fill_requests([(one.goal, one.span)], reading.text, reading.context.today)
            filled.append(one.model_copy(update={"values": told.values}))
        return tuple(filled)

    def _read_asked_with(self, reading: UtteranceReading) -> UtteranceReading:
        """Read a question that gives values, and asks for nothing else, as a request for what takes them.

        Where several goals do, what is likeliest of them is offered.
        """
        context, bare = reading.context, replace(reading, values=(), candidates=())
        if not (reading.values and bare.empty and asks(reading)) or context.goals or context.ended or context.pending:
            return reading
        ranked = self._requests.rank(reading.folded)
        taking = [one for one in ranked if all(self._requests.needs(one.goal, v.fact) for v in reading.values)]
        if not taking:
            return reading
        best, whole = taking[0], span_of(reading.text, 0, len(reading.text))
        wanted = (Intent(goal=best.goal, span=whole, confidence=min(1.0, best.confidence), values=reading.values),)
        return replace(bare, goals=wanted) if taking == [*ranked[:1]] else replace(bare, candidates=wanted)

    def _read_answer(self, reading: UtteranceReading, fact: Fact, *, cut: bool) -> UtteranceReading:
        """Read an utterance that ought to answer the question for a fact; `cut` tells that its end was not read."""
        if aside := read_asking_back(reading) or read_plain_control(reading, fact, self._filler):
            return aside
        reading = without_echo(reading, fact, self._names)
        if wordy := is_wordy(fact.value):
            reading = cut_at_extents(reading, fact, self._requests.goal_of)
        reading, candidates = self._read_beside_values(reading, fact)
        reading = self._fill_slots(reading, candidates)
        reading = read_going_without(reading, fact.name, self._names)
        if wordy and not any(candidate.fact == fact.name for candidate in candidates):
            reading = read_non_answer(reading, fact)
            if reading.control is not None:
                return reading
            reading = read_correction(reading, self._catalog, candidates)
        corrected = wordy and (bool(reading.unclear) or any(v.rule.endswith("correction") for v in reading.values))
        answer = (
            None
            if corrected or (cut and wordy)
            else find_answer(reading, fact, candidates, self._filler, self._requests.goal_of)
        )
        if answer is not None:
            answer = without_preposition(fact, answer)
            if wordy and doubt(reading, fact, answer, self._asks_for):
                return replace(reading, doubtful=answer, candidates=(), unclear=None)
            reading = take_answer(reading, fact, settle_instance(reading, self._catalog, answer, wordy=wordy))
        if not wordy:
            reading = self._read_intents_beside(reading, fact)
            if reading.goals and not reading.values:
                reading = self._fill_slots(reading, self._find_candidates(reading))
        reading = replace(reading, candidates=())
        if answer is None:
            reading = turn_down(read_correction(reading, self._catalog, candidates), self._catalog, candidates)
        if any(value.fact == fact.name for value in reading.values):
            return replace(reading, control=None) if reading.control is DialogueAct.SKIP else reading
        if not reading.empty or reading.unclear:
            return reading
        return self._read_beside_the_question(reading, fact, cut=cut)

    def _read_beside_values(
        self, reading: UtteranceReading, fact: Fact
    ) -> tuple[UtteranceReading, Sequence[ValueCandidate]]:
        """Find values, and read what else is said: clauses that state values ask nothing, and request nothing else."""
        candidates = self._find_candidates(reading, asked=fact.name)
        reading, told = cut_at_told(reading, candidates, self._filler)
        asked = None if fact.value.is_yes_or_no else "fact"
        reading = read_controls(reading.using(told), asked, self._catalog, self._requests)
        if reading.control in {DialogueAct.YES, DialogueAct.NO}:
            reading = replace(reading, control=None)
        reading = self._read_questions(reading)
        wordy = is_wordy(fact.value)  # such a kind would take a request for an answer
        reading = self._read_intents_beside(reading, fact) if wordy else self._read_other_requests(reading, fact)
        reading = replace(reading, used=reading.used.difference(told))
        return reading, self._find_candidates(reading, asked=fact.name) if reading.used else candidates

    def _read_questions(self, reading: UtteranceReading) -> UtteranceReading:
        """Read a question about what is there; while one of ours is open, another request that owns more words wins."""
        asked = read_term(self._questions.read(reading, self._requests), self._catalog, self._names)
        if asked.question is None or reading.context.pending is None:
            return asked
        found = self._requests.read(reading.text, reading.only(reading.open), reading.context.today)
        about = {asked.question.fact, asked.question.skill, asked.question.goal}
        subjects = self._questions.subjects.find(reading.folded, reading.context)
        named = [place for one in subjects if one.name in about for place in one.places]
        anew = [
            request
            for request in found.goals
            if request.goal not in reading.context.goals and owns_more(request, named, reading, self._filler)
        ]
        return replace(reading.using(reading.open), requests=found, goals=tuple(anew)) if anew else asked

    def _read_beside_the_question(self, reading: UtteranceReading, fact: Fact, *, cut: bool) -> UtteranceReading:
        """Read what may be an answer all the same, or say why it could not be taken."""
        if cut:
            return replace(reading, unclear=f"That is too long: I read at most {MAX_TEXT:,} characters.")
        if asks(reading) and takes_sentences(fact):
            span = span_of(reading.text, 0, len(reading.text))
            said = Entity(fact=fact.name, value=span.text.strip(), span=span, rule="text as the answer")
            return replace(reading, doubtful=said)
        return reading if asks(reading) else replace(reading, unclear=say_why_not(reading, fact, self._filler))

    def _read_intents(self, reading: UtteranceReading, *, asked: Fact | None = None) -> UtteranceReading:
        """Read the goals that are surely asked for, and offer the likeliest where none is sure.

        Where a fact was `asked` for, and beside a question about the conversation, only what plainly is a request is
        one, or what is said in the words of an example.
        """
        anything = asked is None and reading.question is None
        sentences = asked is not None and takes_sentences(asked)
        asking = [
            clause
            for clause in reading.open
            if not (self._only_tells(said := clause.of(reading.folded)) or self._leads_to(asked, said))
            and (is_request(said) or anything or not (sentences or self._requests.by_example(said) is None))
        ]
        if not asking:
            return reading
        found = self._requests.read(reading.text, reading.only(asking), reading.context.today)
        spans = [segment.span for segment in found.segments if segment.goal is not None]
        offered = not (found.goals or reading.question or reading.control is DialogueAct.STOP)
        return replace(
            reading,
            requests=found,
            goals=(*reading.goals, *found.goals[: self._catalog.settings.max_goals]),
            candidates=(*reading.candidates, *found.candidates) if offered else reading.candidates,
            used=reading.used.union(c for c in asking if any(s.start < c.end and c.start < s.end for s in spans)),
        )

    def _leads_to(self, asked: Fact | None, said: str) -> bool:
        """Return whether a clause has what leads to the fact in free words that was asked for: "I am moving to"."""
        return asked is not None and any(lead.search(said) for lead in self._names.leads[asked.name])

    def _only_tells(self, said: str) -> bool:
        """Return whether a clause only tells a value, and asks for nothing that needs it."""
        told = self._filler.statements.in_clause(said)
        return told is not None and not self._requests.needs(self._requests.rank(said)[0].goal, told)

    def _asks_for(self, said: str) -> str | None:
        deed = is_request(said) or base_stem_of(said.split(maxsplit=1)[0]) in DEED_STEMS
        return self._requests.goal_of(said) if deed else self._requests.by_example(said)

    def _read_other_requests(self, reading: UtteranceReading, fact: Fact) -> UtteranceReading:
        """Read what plainly asks for something else instead of answering: its values are its own, and no answer."""
        asking = [c for c in reading.open if is_request(c.of(reading.folded)) or is_asked(reading, c)]
        found = self._requests.read(reading.text, reading.only(asking), reading.context.today) if asking else None
        if not (found and found.goals and is_something_else(found.goals, fact, reading, self._filler)):
            return reading
        spans = [mention.span for mention in found.goals]
        used = [clause for clause in asking if any(s.start < clause.end and clause.start < s.end for s in spans)]
        return replace(reading.using(used), requests=found, goals=(*reading.goals, *found.goals))

    def _read_intents_beside(self, reading: UtteranceReading, fact: Fact) -> UtteranceReading:
        """Read goals that are plainly asked for although a fact was asked for; not the one pursued anew."""
        reading = self._read_intents(reading, asked=fact)
        answers = takes_sentences(fact) or self._leads_to(fact, reading.folded) or self._only_tells(reading.folded)
        if not reading.goals and not answers and (len(reading.open) == 1 or fact.value.takes_any_text):
            found = self._requests.read(reading.text, reading.only(reading.open), reading.context.today)
            if found.goals and is_something_else(found.goals, fact, reading, self._filler):
                reading = replace(reading.using(reading.open), requests=found, goals=found.goals)
        if reading.values or reading.question or reading.control:
            top = reading.context.goals[:1]
            return replace(reading, goals=tuple(mention for mention in reading.goals if mention.goal not in top))
        return reading

    def _find_candidates(self, reading: UtteranceReading, asked: str | None = None) -> list[ValueCandidate]:
        """Find the values that are said with something that tells which facts they are for."""
        context = reading.context
        stack = tuple(goal for goal in context.goals if goal in self._catalog.goals)
        mentioned = [mention.goal for mention in (*reading.goals, *reading.candidates[:1])]
        said = UtteranceText(reading.text, reading.folded, reading.clauses, context.today, mentioned, stack, asked)
        said = replace(said, ended=context.ended, goal_of=self._requests.goal_of)
        candidates = self._filler.find_candidates(said)
        if asked and (top := context.goals[:1]):
            candidates += find_told(reading, top[0], self._catalog.facts[asked], candidates, self._filler)
        questions = [c for c in reading.used if reading.question and "?" in reading.text[c.end : c.end + 1]]
        gone = [*((q.start, q.end) for q in questions), *reading.taken_out]
        beside = [mention for mention in reading.goals if mention.goal not in stack[:1]] if asked else []
        return [
            candidate
            for candidate in candidates
            if not any(start <= candidate.start < end for start, end in gone)
            and not (candidate.fact == asked and is_within(candidate.start, beside))
        ]

    def _fill_slots(self, reading: UtteranceReading, candidates: Sequence[ValueCandidate]) -> UtteranceReading:
        """Take the values for the facts of the conversation: those of the requests' own facts are theirs.

        What is only told beside a request ("my budget is $450") is not in its words, and is for it all the same.
        """
        of_requests = {fact for mention in reading.goals for fact in self._requests.own_facts(mention.goal)}
        given = {value.fact for mention in reading.goals for value in mention.values}
        candidates = [c for c in candidates if c.fact not in of_requests & given]
        outside = [c for c in candidates if c.strength >= CUED and not is_within(c.start, reading.goals)]
        free = [c for c in candidates if c.fact not in of_requests or c in outside]
        values = take(reading.text, free)
        named = [(v.fact, v.span) for v in values if v.rule.endswith("after its name")]
        goals = tuple(_without_named(mention, named) for mention in reading.goals)
        return replace(reading, values=values, goals=goals)


def _without_named(request: Intent, named: Sequence[tuple[str, Span]]) -> Intent:
    """Return a request without what is named for another fact: "my budget is 2k" says no number of people."""
    kept = tuple(
        value
        for value in request.values
        if not any(fact != value.fact and span.overlaps(value.span) for fact, span in named)
    )
    return request if len(kept) == len(request.values) else request.model_copy(update={"values": kept})
