"""Explanations are claims first, and words afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explain import Question, QuestionKind, explain
from explain.claim import Claim
from explain.model import Explanation
from explain.why import Used
from explain.words import word
from tests.explain.banking_story import tell_loan


def test_a_claim_names_facts_and_skills_and_the_same_evidence_as_its_sentence() -> None:
    record = tell_loan().record("loan_result")
    found = explain(record, Question(QuestionKind.WHY, "address"))
    (claim,) = found.claims
    assert isinstance(claim, Used)
    assert claim.used == ("address",) and claim.act.skill is not None
    said = word(record, found)
    assert [sentence.evidence for sentence in said.sentences] == [claim.evidence]
    assert said.evidence == tuple(sorted(set(claim.evidence)))


@pytest.mark.parametrize("times", [2, 40])
def test_what_would_be_said_twice_is_said_once_with_the_evidence_of_both(times: int) -> None:
    record = tell_loan().record("loan_result")
    found = explain(record, Question(QuestionKind.WHY, "address"))
    (claim,) = found.claims
    again = [replace(claim, evidence=(900 + number,)) for number in range(times)]
    said = word(record, replace(found, claims=(claim, *again)))
    assert said.text() == word(record, found).text()
    assert said.sentences[0].evidence == (*claim.evidence, *(900 + number for number in range(times)))


class Boast(Claim):
    """Something that nobody can say yet."""


def test_a_claim_without_words_is_refused_by_name() -> None:
    record = tell_loan().record("loan_result")
    with pytest.raises(TypeError, match="no words for Boast"):
        word(record, Explanation(Question(QuestionKind.WHAT), (Boast(),)))
