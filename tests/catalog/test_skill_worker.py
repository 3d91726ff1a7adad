"""Skills in processes of their own: what goes over, and what comes back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.endpoints.skill_worker import Shelf, pack, unpack
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
    assert unpack(json.loads(json.dumps(pack(values, Shelf()))), 0, Shelf()) == values
    result = Result(outcome, values)
    assert unpack(json.loads(json.dumps(pack(result, Shelf()))), 0, Shelf()) == result


@given(PLAIN.filter(lambda value: not isinstance(value, dict)) | st.just({}) | st.just({"file": "a", "data": "?"}))
def test_what_was_not_packed_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        unpack(value, 0, Shelf())


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


@pytest.fixture(scope="module")
def caller() -> Iterator[SkillCaller]:
    with closing(SkillCaller(("tests.catalog.apart",))) as caller:
        yield caller


@pytest.mark.parametrize("apart", ["true", "false"])
def test_a_skill_gets_and_gives_the_same_in_a_process_of_its_own_as_here(apart: str, caller: SkillCaller) -> None:
    catalog = loads(CATALOG.replace("APART", apart)).catalog
    came = caller.call(catalog, "judge", "m", {"picture": File("a.png", "image/png", PNG)}, "k")
    assert isinstance(came, Returned)
    assert came.result == Result("done", {"verdict": f"a.png has {len(PNG)} bytes, k"})
    assert came.attributions == (("picture", 0.5),)


def test_a_skill_that_cannot_be_loaded_or_is_not_allowed_says_so() -> None:
    broken = loads(CATALOG.replace("APART", "true").replace("apart:judge", "apart:nobody")).catalog
    with closing(SkillCaller(("tests.catalog.apart",))) as caller:
        came = caller.call(broken, "judge", "m", {}, "k")
    assert isinstance(came, NotReturned) and came.error == "unavailable"
    assert came.message.startswith("The module tests.catalog.apart has no callable of its own named nobody.")
    came = SkillCaller(("somewhere.else",)).call(broken, "judge", "m", {}, "k")
    assert isinstance(came, NotReturned) and came.error == "unavailable"


BIG = """
name: big
facts:
  paper: {value: {kind: document, types: [txt], max_bytes: 100000000}}
  copy: {value: {kind: document, types: [txt], max_bytes: 100000000}, askable: false}
  table: {value: table, askable: false}
  news: {askable: false}
skills:
  copier:
    endpoint: "python:tests.catalog.apart:turn_over"
    apart: true
    modes: {m: {inputs: [paper], outcomes: {done: [copy]}}}
  tabulator:
    endpoint: "python:tests.catalog.apart:tabulate"
    apart: true
    modes: {m: {inputs: [news], outcomes: {done: [table]}}}
  liar:
    endpoint: "python:tests.catalog.apart:say_where_nothing_is"
    apart: true
    modes: {m: {inputs: [news], outcomes: {done: [copy]}}}
"""


@pytest.mark.parametrize("megabytes", [0.06, 1, 60])
def test_large_files_go_both_ways_by_a_file_that_is_gone_afterwards(
    megabytes: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    text = b"ab" * int(500_000 * megabytes)
    with closing(SkillCaller(("tests.catalog.apart",))) as caller:
        before = psutil.Process().memory_info().rss
        came = caller.call(loads(BIG).catalog, "copier", "m", {"paper": File("a.txt", "text/plain", text)}, "k")
        grown = psutil.Process().memory_info().rss - before
    assert isinstance(came, Returned) and came.files == (text[::-1],)
    assert grown < 2 * len(text) + 30_000_000
    assert list(tmp_path.iterdir()) == []


def test_a_large_table_goes_by_file_as_well(caller: SkillCaller) -> None:
    came = caller.call(loads(BIG).catalog, "tabulator", "m", {"news": "x" * 3_000}, "k")
    assert isinstance(came, Returned)
    table = came.result.facts["table"]
    assert isinstance(table, dict) and len(table["rows"]) == 9_000  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["[0, 600000000]", "[0, 9]", "[-1, 2]", "[0]", "7", "[0, true]", '["0", "1"]'])
def test_a_skill_that_says_its_file_is_where_nothing_is_fails(place: str, caller: SkillCaller) -> None:
    came = caller.call(loads(BIG).catalog, "liar", "m", {"news": place}, "k")
    assert isinstance(came, NotReturned) and came.error == "raised"
    assert ("500 MB" in came.message) == ("600000000" in place)


def test_values_that_are_too_large_for_a_process_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shelf.__init__, "__defaults__", (0, 1_000_000))
    with closing(SkillCaller(("tests.catalog.apart",))) as caller:
        came = caller.call(
            loads(BIG).catalog, "copier", "m", {"paper": File("a.txt", "text/plain", bytes(1_000_001))}, "k"
        )
    assert isinstance(came, NotReturned) and came.error == "raised"
    assert came.message == "Values of more than 1 MB together do not get into its process, or out of it."
