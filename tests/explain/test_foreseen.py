"""What a goal takes from an open question on is in the log: explanations read it there, and plan nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import explain.how
import explain.progress
from dialogue.moves.records import record_of
from explain import explain_in_words
from explain.how import look_ahead
from explain.model import Question, QuestionKind, Record
from tests.dialogue.toys import Toybox

TALKS = (
    ("goal prize",),  # asks for c at first, which nobody can tell: the likely way is another than the plan
    ("goal prize; a=1",),
    ("goal prize; a=1", "yes"),
    ("goal trophy", "skip"),
    ("goal prize; a=1", "goal toy"),
)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Toybox]:
    toybox = Toybox(tmp_path)
    yield toybox
    toybox.services.close()


def record_now(box: Toybox) -> Record:
    seen = box.services.snapshot(box.session)
    return record_of(seen.catalog, seen.conversation)


@pytest.mark.row("V18")
@pytest.mark.parametrize("said", TALKS)
def test_what_is_to_come_is_explained_from_the_log_as_if_it_were_planned_for_then(
    box: Toybox, said: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in said:
        box.say(text)
    catalog, record = box.services.snapshot(box.session).catalog, record_now(box)
    facts, skills = product(QuestionKind, (None, *catalog.facts)), product(QuestionKind, catalog.skills)
    questions = [Question(kind, fact) for kind, fact in facts] + [Question(kind, skill=one) for kind, one in skills]
    planned = [explain_in_words(replace(record, needs=None), one) for one in questions]
    monkeypatch.delattr(explain.how, "find_needs")
    monkeypatch.delattr(explain.progress, "find_way")
    assert [explain_in_words(record, one) for one in questions] == planned


def test_what_was_foreseen_counts_until_anything_changes_that_plans_start_from(box: Toybox) -> None:
    box.say("goal prize; a=1")
    assert record_now(box).needs is not None
    box.say("why a")
    assert record_now(box).needs is not None, "an explanation changes nothing"
    box.say("b=2")
    record = record_now(box)
    assert box.now.questions.pending is not None and record.needs is None
    assert look_ahead(record)[0].plan == record.plan


def test_a_log_without_it_is_explained_by_planning(box: Toybox) -> None:
    """So were all logs before; a large task is not looked ahead in for each question, either."""
    box.say("goal prize; a=1")
    pending = box.now.questions.pending
    assert pending is not None
    of_old = replace(pending, asked=pending.asked.model_copy(update={"foreseen": None}))
    conversation = replace(box.now, questions=replace(box.now.questions, pending=of_old))
    catalog = box.services.snapshot(box.session).catalog
    record, now = record_of(catalog, conversation), record_now(box)
    assert record.needs is None and now.needs is not None
    (then, planned), (ahead, needs) = look_ahead(record), look_ahead(now)
    assert ahead.plan == then.plan and (needs.asks, needs.consents) == (planned.asks, planned.consents)


def test_a_question_that_is_put_again_is_the_same_question_and_foresees_nothing(box: Toybox) -> None:
    """What was said at the sight of it before still answers it; what has changed since may lead elsewhere."""
    box.say("goal prize; a=1")
    asked = box.now.questions.pending
    assert asked is not None and asked.asked.foreseen is not None
    box.say("nothing of the kind")
    again = box.now.questions.pending
    assert again is not None and again.seq > asked.seq and again.asked.attempt == 2
    assert again.asked.foreseen is None and record_now(box).needs is None
