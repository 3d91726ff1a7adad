"""Forms that take long to check: what counts is the reader's own time, and what could not be read is said."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from catalog.values import Pattern, Unreadable
from catalog.values.words import within_own_time
from language.interpretation import Context, Pending
from language.readers import find_mentions, read_answer
from language.understanding.pipeline import OfflineUnderstander

TODAY = date(2026, 11, 24)
SLOW = {"kind": "pattern", "regex": "(a|b|ab)*(?=c)..e", "example": "abcde", "what": "a code"}
HARD = "ab" * 40 + "cdxe"


@given(st.floats(0.01, 1), st.lists(st.floats(0, 3), min_size=1, max_size=10))
def test_a_search_fails_only_once_it_worked_for_its_limit_itself(limit_s: float, shares: list[float]) -> None:
    """Each try runs until the limit that it was given, and gets some share of the limit for itself."""
    tries: list[float] = []
    own = [0.0]

    def match(given_s: float) -> str:
        tries.append(given_s)
        if len(tries) > len(shares):
            return "found"
        own[0] += shares[len(tries) - 1] * limit_s
        raise TimeoutError

    enough = next((at for at, share in enumerate(shares) if share >= 1.001), None)
    if enough is None and max(shares) < 0.999 and len(shares) < 7:
        assert within_own_time(limit_s, match, lambda: own[0]) == "found"
        assert tries == [limit_s * 2**at for at in range(len(shares) + 1)]
    elif enough is not None and all(share < 0.999 for share in shares[:enough]):
        with pytest.raises(TimeoutError):
            within_own_time(limit_s, match, lambda: own[0])
        assert len(tries) == min(enough + 1, 7)


def test_a_form_that_takes_too_long_is_said_not_to_be_read_and_never_dropped() -> None:
    kind = Pattern.model_validate(SLOW)
    (mention,) = find_mentions(kind, HARD, TODAY)
    assert mention.unsure is not None and not mention.readings
    with pytest.raises(Unreadable, match="slow to check"):
        read_answer(kind, HARD, TODAY)


def test_the_answer_that_could_not_be_read_is_told_apart_from_one_that_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("catalog.values.words.PATTERN_TIMEOUT_S", 0.02)
    facts = {"code": {"label": "code", "ask": "Which code?", "value": SLOW}, "note": {"askable": False}}
    skill = {"endpoint": "python:a:b", "modes": {"m": {"inputs": ["code"], "outcomes": {"done": ["note"]}}}}
    goal = {"label": "a note", "facts": ["note"], "examples": ["write a note"]}
    text = json.dumps({"name": "codes", "facts": facts, "skills": {"s": skill}, "goals": {"note": goal}})
    meaning = OfflineUnderstander(loads(text).catalog).understand(
        HARD, Context(today=TODAY, pending=Pending(kind="fact", subject="code"))
    )
    assert meaning.values == () and "I could not read that" in (meaning.unclear or "")
