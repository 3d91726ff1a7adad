from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.norms.checks import check_norms
from catalog.norms.load import load_norms, read_norms
from catalog.problems import CatalogError
from tests.catalog.norms.rooms import SMALL, problems_of, small, written

WORDS = st.sampled_from(
    "all everybody nobody text $sender $receivers $bearer $x @x guest cook baker host Ana Cat soup cake query "
    "inform open busy asked answered host_opens cooks_wait cook_answers guests_ask host_ends t1 met never person bot "
    "obligation permission prohibition true 3 -1 nan 1e999".split()
)
KEYS = st.sampled_from(
    "kind bearer act except if deadline ends standing sender receivers topic content mentions replies_to owing on "
    "unmet from to activate deactivate active inactive within roles label words state states person bot name x".split()
)
DATA = st.recursive(
    st.none() | WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | WORDS, inner, max_size=4),
    max_leaves=8,
)


@given(st.data())
@settings(max_examples=300)
def test_whatever_stands_in_a_norm_file_it_loads_or_every_problem_has_a_line_and_says_what_to_write(
    data: st.DataObject,
) -> None:
    room: Any = small()
    for _ in range(data.draw(st.integers(1, 3))):
        at = room
        while isinstance(at, dict) and at and (at is room or data.draw(st.booleans())):
            around, key = at, data.draw(st.sampled_from(sorted(at)))
            at = at[key]
        around[key] = data.draw(DATA)
    text = written(room)
    problems = problems_of(text) or check_norms(read_norms(text))
    for problem in problems:
        assert 0 < (problem.line or 0) <= text.count("\n")
        assert problem.found.endswith(".")
        assert problem.write.endswith((".", "?", "here"))
        assert "\n" not in problem.render()


def test_a_file_or_demo_that_is_not_there_is_told_with_the_demos() -> None:
    try:
        load_norms("nowhere.yaml")
    except CatalogError as error:
        (problem,) = error.problems
    assert (problem.code, problem.found) == ("no-norm-file", "There is no such file.")
    assert "finch" in problem.write


def test_the_digest_is_that_of_the_text() -> None:
    assert read_norms(SMALL).digest == read_norms(SMALL.encode()).digest != read_norms(SMALL + "#").digest
