"""Every explanation, of whatever was done in whatever catalog, is checked against the history that it speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.model import Catalog
from explain import Question, QuestionKind, Record, explain_in_words, summarize
from explain.model import ABOUT_AGENTS
from explain.trace import situation_now
from explain.what import list_choices
from explain.words import ExplanationText
from planning.history import Actor
from planning.model import known
from planning.task.compilation import compile_task
from planning.task.index import close_forward
from tests.examples import examples
from tests.explain.executions import CANARY, above, contributing, holds_now, is_reachable_without, last_source, records

Case = tuple[Catalog, Record]
replayed = settings(max_examples=examples(10), deadline=None)


def ask_everything(catalog: Catalog, record: Record) -> list[ExplanationText]:
    """Put every question that there is."""
    about = [None, *catalog.facts]
    return [
        explain_in_words(record, Question(k, f, full))
        for k in QuestionKind
        if k not in ABOUT_AGENTS  # a record without choices has nothing to cite: see test_agents
        for f in about
        for full in (False, True)
    ]


def check_links(record: Record, explanation: ExplanationText) -> None:
    """Check that each causal link is one: the producer was the last to give the very fact that the consumer took."""
    by_event = {execution.event: execution for execution in record.history}
    for producer, fact, consumer in explanation.links:
        assert fact in by_event[consumer].inputs
        assert last_source(record, fact, consumer) is by_event[producer]


@pytest.mark.row("V16", "V17", "V18", "V19", "V20")
@replayed
@given(records())
def test_every_sentence_cites_events_and_every_link_is_causal(case: Case) -> None:
    catalog, record = case
    events = {e.event for e in record.history} | {e.asked for e in record.history}
    events |= {event for held in record.held for event in (held.value.event, held.since, held.until) if event}
    events |= {2, 9}
    for explanation in ask_everything(catalog, record):
        assert explanation.sentences
        assert all(sentence.parts for sentence in explanation.sentences)
        assert all(sentence.evidence and set(sentence.evidence) <= events for sentence in explanation.sentences)
        check_links(record, explanation)


@pytest.mark.row("V18")
@replayed
@given(records())
def test_a_why_chain_is_a_causal_chain_from_the_fact_to_the_goal(case: Case) -> None:
    catalog, record = case
    acts = {execution.event: execution for execution in contributing(catalog, record)}
    waited_for = {*record.skills, *(ordering.first for ordering in catalog.orderings)}
    for fact in catalog.facts:
        full = explain_in_words(record, Question(QuestionKind.WHY, fact, full=True))
        if not record.achieved:
            continue
        users = [e for e in acts.values() if any(fact in above(catalog, (i,)) for i in e.inputs)]
        came_along = any(e.skill in waited_for and fact in above(catalog, e.outputs) for e in acts.values())
        unneeded = not users and not _serves_goal(catalog, record, fact)
        assert ("did not need" in full.text()) == unneeded or came_along
        if not users:
            continue
        producers = {producer for producer, _, _ in full.links}
        for _, _, consumer in full.links:
            assert consumer in acts, "no misstep is part of a chain"
            last = any(holds_now(catalog, record, goal) is acts[consumer] for goal in record.goal)
            came_first = acts[consumer].skill in waited_for
            assert consumer in producers or last or came_first, "a chain ends at the goal and nowhere else"
        short = explain_in_words(record, Question(QuestionKind.WHY, fact))
        assert set(short.links) <= set(full.links)
        assert {consumer for _, _, consumer in short.links} <= {users[0].event}, "the first that the regression meets"


def _serves_goal(catalog: Catalog, record: Record, fact: str) -> bool:
    """Return whether a fact is the goal, or stands for it, or is stood for by it."""
    served: set[str] = set(record.goal)
    for goal in record.goal:
        giver = holds_now(catalog, record, goal)
        given = sorted(record.values) if giver is None else [f for f in giver.outputs if f in record.values]
        fitting = [goal] if goal in given else [one for one in given if goal in above(catalog, (one,))][:1]
        served |= above(catalog, tuple(fitting))
    return fact in served


@pytest.mark.row("V18")
@replayed
@given(records())
def test_a_coming_use_is_a_step_of_the_plan_that_takes_the_fact(case: Case) -> None:
    catalog, record = case
    for fact in catalog.facts:
        for used, index in explain_in_words(record, Question(QuestionKind.WHY, fact, full=True)).coming:
            assert any(i in above(catalog, (used,)) for i in record.plan[index].inputs)
            assert not record.achieved


@pytest.mark.row("V17", "V19")
@replayed
@given(records(), st.sampled_from([QuestionKind.HOW, QuestionKind.CHAIN]))
def test_how_and_chain_end_at_user_start_event_or_a_skill_without_inputs(case: Case, kind: QuestionKind) -> None:
    catalog, record = case
    by_event = {execution.event: execution for execution in record.history}
    for fact in catalog.facts:
        explanation = explain_in_words(record, Question(kind, fact, full=True))
        consumers = {consumer for _, _, consumer in explanation.links}
        for event in {producer for producer, _, _ in explanation.links} - consumers:
            end = by_event[event]
            from_start = all(last_source(record, i, event) is None for i in end.inputs)
            followed = [i for i in end.inputs if last_source(record, i, event) is not None]
            assert end.actor is not Actor.SKILL or from_start or _stops_at_start(record, event, followed, kind)


def _stops_at_start(record: Record, event: int, followed: list[str], kind: QuestionKind) -> bool:
    """A chain follows only the heaviest input, which may be known from the start though others are not."""
    weights = [a for a in record.attributions.get(event, ()) if a.fact not in followed]
    return kind is QuestionKind.CHAIN and bool(weights)


@pytest.mark.row("V16")
@replayed
@given(records())
def test_without_a_landmark_the_goal_cannot_be_reached(case: Case) -> None:
    catalog, record = case
    items = summarize(record)
    assert len({item.fact for item in items}) == len(items)
    for item in items:
        if item.landmark:
            stands_for = above(catalog, (item.fact,))
            assert any(not is_reachable_without(catalog, record, fact) for fact in stands_for)
        assert item.got == (item.fact in record.values)
        if item.event is not None:
            assert item.fact in next(e for e in record.history if e.event == item.event).outputs
    assert {known(goal) for goal in record.goal} <= {
        known(fact) for item in items if item.wanted for fact in above(catalog, (item.fact,))
    }


@pytest.mark.row("V16")
@replayed
@given(records())
def test_without_any_of_the_facts_of_which_one_is_still_needed_the_goal_cannot_be_reached_from_here(case: Case) -> None:
    catalog, record = case
    task = compile_task(catalog, situation_now(record), record.wanted)
    for facts in list_choices(record):
        assert record.values.keys().isdisjoint(facts)
        barred = {known(fact) for fact in facts}
        left = [operator for operator in task.operators if barred.isdisjoint(operator.adds)]
        assert not task.goal <= close_forward(task.initial, left)


@pytest.mark.row("V17")
@replayed
@given(records())
def test_no_sensitive_value_or_word_is_ever_shown_unless_revealed(case: Case) -> None:
    catalog, record = case
    for explanation in ask_everything(catalog, record):
        assert CANARY not in explanation.text()
        assert all(part.secret or CANARY not in part.text for s in explanation.sentences for part in s.parts)


@replayed
@given(records())
def test_the_same_record_gives_the_same_explanation_in_clean_english(case: Case) -> None:
    catalog, record = case
    for first, again in zip(ask_everything(catalog, record), ask_everything(catalog, record), strict=True):
        text = first.text()
        assert first == again
        assert text[0].isupper()
        assert text.endswith((".", "”"))
        for blunder in ("  ", " .", " ,", "the the", "your your", "None", ",,", "..", "()"):
            assert blunder not in text
