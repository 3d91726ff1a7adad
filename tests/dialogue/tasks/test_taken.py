"""What is asked for and no longer needed is withdrawn; what comes too late is refused, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.problems import CatalogError
from catalog.skills import Result, SkillInput
from dialogue.log.streams import StoredJournal
from dialogue.tasks.state.events import TASK, CallEnded, TaskEnding, Withdrawn
from dialogue.tasks.state.requests import ConfirmCall, NeedConsent
from dialogue.tasks.state.task import TASK_FOLD, Task
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import CATALOG, NOW, PLANKS, Workshop, counted

SIGNED = (
    CATALOG.replace("inputs: [frame, paint]", "inputs: [frame, paint, sign]")
    .replace("modes: {all: {inputs: [frame], out", "modes: {all: {inputs: [frame, sign], out")
    .replace("outcomes: {done: [sign]}", "outcomes: {done: []}")
)
"""A table needs a sign, and there is no skill that makes one."""
TABLE = f"task: Make a table\n{PLANKS}results: [table]\n"
SPRAY = """skills:
  s: {endpoint: "python:tests.dialogue.tasks.workshop:spray", modes: {m: {inputs: [paint], outcomes: {done: [sign]}}}}
"""


@pytest.fixture
def signed(tmp_path: Path) -> Iterator[Workshop]:
    workshop.CALLS.clear()
    made = Workshop(tmp_path / "signed", SIGNED)
    yield made
    made.close()


def asked(task: Task) -> dict[str, int]:
    return {one.request.request: one.entry for one in task.open_requests}


def test_what_another_thing_that_was_handed_over_makes_needless_is_withdrawn_and_refused(signed: Workshop) -> None:
    task = signed.give(TABLE)
    first = asked(signed.state(task))
    assert set(first) == {"information", "function"}
    signed.tasks.hand_over_words(task, "frame", "a ready one")
    later = signed.state(signed.quiet(task))
    assert later.requests[first["information"]].withdrawn and asked(later) == {"function": first["function"]}
    with pytest.raises(LookupError, match="no longer needed"):
        signed.tasks.hand_over_words(task, "screws", "six")
    assert signed.state(signed.quiet(task)).seq == later.seq, "nothing is changed"
    signed.tasks.hand_over_words(task, "table", "a ready one, too")
    done = signed.state(signed.quiet(task))
    assert done.ending is TaskEnding.DONE and not done.open_requests
    assert done.requests[first["function"]].withdrawn
    lates: list[Callable[[], object]] = [
        lambda: signed.tasks.supply_function(task, SPRAY),
        lambda: signed.tasks.hand_over_words(task, "sign", "late"),
        lambda: signed.tasks.consent(task, first["function"], yes=True),
        lambda: signed.tasks.judge(task, 1, met=True),
        lambda: signed.tasks.confirm(task, first["information"]),
        lambda: signed.tasks.settle(task, 999, None),
    ]
    for late in lates:
        with pytest.raises(LookupError, match=r"over|asks for something else|judgement|no request 999"):
            late()
    assert signed.state(task).seq == done.seq and not counted()


def test_consent_to_a_plan_that_was_dropped_is_no_longer_asked_for(tmp_path: Path) -> None:
    """Of two skills one needs consent; while that is waited for, what it was to give is handed over."""
    shop = Workshop(tmp_path / "shop")
    task = shop.give("task: Make a sign\ninputs: {key: {value: K7}}\nresults: [sign]\n")
    (waiting,) = asked(shop.state(task)).values()
    shop.tasks.hand_over_words(task, "sign", "one from the attic")
    done = shop.state(shop.quiet(task))
    assert done.ending is TaskEnding.DONE and done.requests[waiting].withdrawn
    with pytest.raises(LookupError, match="no longer open"):
        shop.tasks.consent(task, waiting, yes=True)
    shop.close()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("task: Make a sign\ninputs: {key: {value: K7}}\nresults: [sign]\n", "consent"),
        (f"task: Bill it\ninputs: {{screws: {{value: six}}, {PLANKS[9:]}results: [bill]\n", "call"),
    ],
    ids=["consent", "go-ahead"],
)
def test_a_word_that_was_refused_is_what_is_missing_and_can_still_be_given(
    shop: Workshop, text: str, kind: str
) -> None:
    task = shop.give(text)
    shop.tasks.consent(task, asked(shop.state(task))[kind], yes=False)
    again = asked(shop.state(shop.quiet(task)))
    assert set(again) == {kind} and not shop.tasks.view(task).fault
    shop.tasks.consent(task, again[kind], yes=True)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE
    assert set((counted() - Counter({"saw": 2})).values()) == {1}


def test_an_answered_request_is_not_answered_twice_and_a_task_that_is_over_stays_as_it_is(shop: Workshop) -> None:
    task = shop.give("task: Make a sign\ninputs: {key: {value: K7}}\nresults: [sign]\n")
    (waiting,) = asked(shop.state(task)).values()
    shop.tasks.consent(task, waiting, yes=True)
    done = shop.state(shop.quiet(task))
    with pytest.raises(LookupError, match="answered already"):
        shop.tasks.consent(task, waiting, yes=False)
    shop.tasks.pause(task)
    shop.tasks.cancel(task)
    assert shop.state(task) == done and done.ending is TaskEnding.DONE
    other = shop.give(TABLE)
    (open_one,) = asked(shop.state(other)).values()
    shop.tasks.cancel(other)
    assert shop.state(other).requests[open_one].withdrawn
    with pytest.raises(LookupError, match=r"over \(cancelled\)"):
        shop.tasks.supply_function(other, SPRAY)


ACTS = st.sampled_from("screws paint sign frame key table skill unfit yes no judge pause resume reopen cancel".split())
FAULTS = st.dictionaries(
    st.sampled_from(("saw", "screw", "paint_it", "wax_it", "send_bill", "spray")),
    st.lists(st.sampled_from(("fine", "raises", "odd", "peeled")), max_size=3),
    max_size=4,
)


def act(shop: Workshop, task: str, what: str, number: int) -> None:
    """Do something with a task, as somebody might who does not look first."""
    words = [one for one in shop.state(task).requests.values() if isinstance(one.request, NeedConsent | ConfirmCall)]
    match what:
        case "skill" | "unfit":
            text = SPRAY.replace("  s:", f"  s{number}:")
            shop.tasks.supply_function(task, text if what == "skill" else text.replace("[sign]", "[board]"))
        case "yes" | "no":
            shop.tasks.consent(task, words[-1].entry if words else number, yes=what == "yes")
        case "judge":
            shop.tasks.judge(task, 1 + number % 3, met=bool(number % 2))
        case "pause" | "resume" | "cancel":
            {"pause": shop.tasks.pause, "resume": shop.tasks.resume, "cancel": shop.tasks.cancel}[what](task)
        case _:
            shop.tasks.hand_over_words(task, what, f"{what} number {number}")


@settings(max_examples=max(15, settings().max_examples // 20))
@given(
    st.lists(ACTS, max_size=8),
    FAULTS,
    st.sampled_from((CATALOG, SIGNED)),
    st.sampled_from(("table", "bill", "sign", "table, sign")),
)
def test_whatever_is_said_and_whatever_fails_a_task_stays_sound(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str], faults: dict[str, list[str]], catalog: str, results: str
) -> None:
    """What is refused changes nothing; nothing is asked twice at once, nor called again that came back; logs replay."""
    left = {skill: list(those) for skill, those in faults.items()}

    def fail(skill: str, _values: Mapping[str, SkillInput]) -> Result | None:
        how = left[skill].pop() if left.get(skill) else "fine"
        if how == "raises":
            raise ValueError("it broke")
        return None if how == "fine" else Result(how, {})

    workshop.BEFORE.update({skill: partial(fail, skill) for skill in faults})
    shop = Workshop(tmp_path_factory.mktemp("shop"), catalog)
    criteria = f"criteria: [{{judge: It is good., of: {results.split(',', maxsplit=1)[0]}}}]\n"
    task = shop.give(f"task: Make it\nconfirmed: true\n{PLANKS}results: [{results}]\n{criteria}")
    for number, what in enumerate(acts, start=1):
        before = shop.state(task)
        if what == "reopen":
            home = shop.home
            shop.close()
            shop = Workshop(home, catalog)
            shop.tasks.resume(task)
        try:
            act(shop, task, what, number)
        except (LookupError, ValueError, CatalogError):
            assert shop.state(shop.quiet(task)).seq == before.seq
        state = shop.state(shop.quiet(task))
        assert not shop.tasks.view(task).fault
        requests = [repr(one.request) for one in state.open_requests]
        assert len(set(requests)) == len(requests)
        assert state.paused or state.ending is not None or requests, "it waits for somebody, or is over"
        if before.ending is not None:
            assert state.ending is before.ending
    log, state = shop.log(task), shop.state(task)
    good = Counter(
        (call.begun.skill, call.begun.items, tuple(sorted(call.begun.input_entries.items())))
        for call in state.calls.values()
        if isinstance(call.ended, CallEnded)
    )
    assert set(good.values()) <= {1}
    withdrawn = [entry for one in log if isinstance(one.event, Withdrawn) for entry in one.event.requests]
    assert len(set(withdrawn)) == len(withdrawn)
    assert StoredJournal.open(task, shop.store, lambda: NOW, TASK, TASK_FOLD).state == state
    shop.close()
    workshop.BEFORE.clear()
