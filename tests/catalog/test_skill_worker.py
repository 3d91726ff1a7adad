"""Skills in processes of their own: what goes over, and what comes back."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.endpoints.skill_worker import pack, unpack
from catalog.load import loads
from catalog.skills import File, Result
from dialogue.caller import NotReturned, Returned, SkillCaller

FILES = st.builds(File, st.text(max_size=5), st.sampled_from(["image/png", "text/csv"]), st.binary(max_size=20))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
VALUES = st.dictionaries(st.text(max_size=9), PLAIN | FILES | st.lists(FILES, min_size=1, max_size=3), max_size=3)


@given(VALUES, st.text(max_size=9))
def test_values_and_files_come_out_as_they_went_in_whatever_they_are_called(
    values: dict[str, Any], outcome: str
) -> None:
    assert unpack(json.loads(json.dumps(pack(values)))) == values
    assert unpack(json.loads(json.dumps(pack(Result(outcome, values))))) == Result(outcome, values)


@given(PLAIN.filter(lambda value: not isinstance(value, dict)) | st.just({}) | st.just({"file": "a", "data": "?"}))
def test_what_was_not_packed_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        unpack(value)


CATALOG = """
name: pictures
facts:
  picture: {value: image}
  verdict: {askable: false}
skills:
  judge:
    endpoint: "python:tests.catalog.apart:judge"
    explain: "python:tests.catalog.apart:explain"
    apart: APART
    modes: {m: {inputs: [picture], outcomes: {done: [verdict]}}}
"""
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63000100000005000100"
)


@pytest.mark.parametrize("apart", ["true", "false"])
def test_a_skill_gets_and_gives_the_same_in_a_process_of_its_own_as_here(apart: str) -> None:
    catalog = loads(CATALOG.replace("APART", apart)).catalog
    with closing(SkillCaller(("tests.catalog.apart",))) as caller:
        came = caller.call(catalog, "judge", "m", {"picture": File("a.png", "image/png", PNG)}, "k")
    assert isinstance(came, Returned)
    assert came.result == Result("done", {"verdict": f"a.png has {len(PNG)} bytes, k"})
    assert came.attributions == (("picture", 0.5),)


def test_a_skill_that_cannot_be_loaded_or_is_not_allowed_says_so() -> None:
    broken = loads(CATALOG.replace("APART", "true").replace("apart:judge", "apart:nobody")).catalog
    with closing(SkillCaller(("tests.catalog.apart",))) as caller:
        came = caller.call(broken, "judge", "m", {}, "k")
    assert isinstance(came, NotReturned) and came.message.startswith("It could not be loaded: EndpointRefused")
    came = SkillCaller(("somewhere.else",)).call(broken, "judge", "m", {}, "k")
    assert isinstance(came, NotReturned) and came.error == "unavailable"
