"""Tasks tell nothing secret of failures and of criteria, whatever skills make of what they are handed."""

from __future__ import annotations

import base64
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.skills import Result
from dialogue.tasks.reporting.progress import why_in_vain
from dialogue.tasks.reporting.record import record_of
from dialogue.tasks.reporting.report import write_report
from dialogue.tasks.state.events import CallFailed, CriterionChecked, CriterionStanding
from language.responses.tasks.report import render
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import Workshop
from tests.examples import examples

KEY = "4711-908-2236"
CATALOG = workshop.CATALOG.replace(
    "methods:",
    """  hang_up:
    endpoint: "python:tests.dialogue.tasks.workshop:plane"
    modes: {all: {inputs: [sign], outcomes: {done: [bill]}}}
  write_in_books:
    endpoint: "python:tests.dialogue.tasks.workshop:plane"
    modes: {all: {inputs: [paint], outcomes: {done: [frame]}}}
methods:""",
)
SUMS = "Total: {}"
TASK = """task: Make a sign
inputs: {{key: {{value: {key}}}, paint: {{value: "Total: 5"}}}}
results: [{result}]
criteria:
  - {{check: range, of: {result}, figure: Total, least: 1, most: 2}}
  - {{check: equal, of: {result}, figure: Total, also: paint}}
  - {{check: contains, of: {result}, words: [gold]}}
  - {{check: count, of: {result}, least: 9}}
"""

WRITTEN: Mapping[str, Callable[[str], str]] = {
    "as it is": lambda key: key,
    "without separators": lambda key: key.replace("-", ""),
    "with other ones": lambda key: key.replace("-", " / "),
    "in wide digits": lambda key: key.translate({ord("0") + n: ord("\uff10") + n for n in range(10)}),
}
"""How a value is written wherever it is masked."""
MADE: Mapping[str, Callable[[str], str]] = {
    **WRITTEN,
    "reversed": lambda key: key[::-1],
    "reversed, without separators": lambda key: key[::-1].replace("-", ""),
    "each second sign": lambda key: key[::2],
    "each sign alone": "*-*-*".join,
    "in base64": lambda key: base64.b64encode(key.encode()).decode(),
}
"""What only provenance tells."""


def raises(text: str) -> Result:
    raise ValueError(f"no file of {text}")


LEAKS: Mapping[str, Callable[[str], Result]] = {
    "raises": raises,
    "raises nothing but it": lambda text: (_ for _ in ()).throw(KeyError(text)),
    "has another outcome": lambda text: Result(f"found {text}", {}),
    "has another fact": lambda text: Result("done", {text: "x"}),
    "has it for a fact": lambda text: Result("done", {"sign": {text: 1}}),
    "returns it": lambda text: Result("done", {"sign": f"{text}\n{SUMS.format('864213579')}"}),
}


def told_of(shop: Workshop, task: str) -> Iterator[str]:
    """Everything that is told of a task, and what is written down of failures and criteria."""
    view = shop.tasks.view(task)
    report = write_report(task, view.task, view.catalog)
    yield report.model_dump_json()
    yield render(report)
    yield shop.tasks.export_tree(task)
    record = record_of(view.log, view.task, view.catalog)
    yield repr((record.calls, record.doubts, record.checks, record.wanted))
    yield from (str(why_in_vain(view.task, view.catalog, call)) for call in view.task.calls.values())
    for entry in view.log:
        if isinstance(entry.event, CallFailed | CriterionChecked):
            yield entry.event.model_dump_json()


def carry_out(skill: str, handed: str, leak: Callable[[str], Result], result: str) -> tuple[str, list[CallFailed]]:
    """Have a skill leak what it is handed in a task; return what is told, and the failures."""
    with tempfile.TemporaryDirectory() as home, closing(Workshop(Path(home), CATALOG)) as shop:
        workshop.BEFORE[skill] = lambda values: leak(str(values[handed])) if handed in values else None
        try:
            task = shop.give(TASK.format(key=f"'{KEY}'", result=result))
            for asked in shop.state(task).open_requests:
                if asked.request.request == "consent":
                    shop.tasks.consent(task, asked.entry, yes=True)
            told = "\n".join(told_of(shop, shop.quiet(task)))
            return told, [entry.event for entry in shop.log(task) if isinstance(entry.event, CallFailed)]
        finally:
            workshop.BEFORE.clear()


@settings(max_examples=examples(10))
@given(st.sampled_from(sorted(LEAKS)), st.sampled_from(sorted(MADE)), st.booleans())
def test_what_a_skill_makes_of_something_secret_is_told_nowhere(how: str, what: str, first: bool) -> None:
    """It leaks what it was handed: the first skill the key itself, the second what was made of it."""
    leaked: list[str] = []

    def leak(given: str) -> Result:
        leaked.append(MADE[what](given if first else "".join(re.findall(r"[-\d]", given))))
        return LEAKS[how](leaked[-1])

    told, failed = carry_out(*(("spray", "key", leak, "sign") if first else ("plane", "sign", leak, "bill")))
    assert leaked, "it was called"
    assert not [text for text in (KEY, *leaked) if text in told], told
    assert bool(failed) is (how != "returns it" or not first)
    assert all(one.message for one in failed), "and what went wrong is told"
    assert "864213579" not in told.replace(",", ""), "no figure of it is quoted"


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(sorted(WRITTEN)))
def test_a_skill_that_was_handed_nothing_secret_is_quoted_but_for_secrets(what: str) -> None:
    told, failed = carry_out("plane", "paint", lambda paint: raises(f"{paint} for {WRITTEN[what](KEY)}"), "frame")
    assert "ValueError: no file of Total: 5 for ••••" in {one.message for one in failed}
    assert WRITTEN[what](KEY) not in told


def test_what_was_written_down_before_it_was_known_to_be_secret_is_shown_without_it(shop: Workshop) -> None:
    """An old log, or a value that is handed over later: the failure quotes it, what is told does not."""
    workshop.BEFORE["screw"] = lambda _values: raises(KEY)
    task = shop.give("task: Make a frame\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [frame]\n")
    (failed,) = {e.event.message for e in shop.log(task) if isinstance(e.event, CallFailed)}
    assert KEY in failed
    shop.tasks.hand_over(task, "key", KEY)
    view = shop.tasks.view(shop.quiet(task))
    report = write_report(task, view.task, view.catalog)
    told = report.model_dump_json()
    told += "".join(str(why_in_vain(view.task, view.catalog, call)) for call in view.task.calls.values())
    assert KEY not in told and "no file of ••••" in told


@pytest.mark.parametrize("secret", [True, False])
def test_a_criterion_says_whether_it_is_met_and_quotes_only_what_is_not_secret(tmp_path: Path, secret: bool) -> None:
    catalog = CATALOG if secret else CATALOG.replace("sign: {askable: false}", "sign: {askable: false, public: true}")
    with closing(Workshop(tmp_path, catalog)) as shop:
        workshop.BEFORE["spray"] = lambda _values: LEAKS["returns it"]("Sums")
        task = shop.give(TASK.format(key=f"'{KEY}'", result="sign"))
        (asked,) = shop.state(task).open_requests
        shop.tasks.consent(task, asked.entry, yes=True)
        checks = shop.state(shop.quiet(task)).checks
    workshop.BEFORE.clear()
    assert {check.standing for check in checks.values()} == {CriterionStanding.UNMET}
    found = [checks[number].found.replace(",", "") for number in (1, 2, 3, 4)]
    assert ["864213579" in one for one in found] == [not secret, not secret, False, False]
    assert ["not shown" in one for one in found] == [secret] * 4


def test_a_figure_that_is_compared_with_a_secret_one_does_not_tell_that(shop: Workshop) -> None:
    workshop.BEFORE["screw"] = lambda _values: Result("done", {"frame": SUMS.format("5")})
    task = shop.give(
        f"""task: Make a frame
inputs: {{planks: {{value: [oak]}}, screws: {{value: six}}, key: {{value: {json.dumps(SUMS.format("864213579"))}}}}}
results: [frame]
criteria: [{{check: equal, of: frame, figure: Total, also: key}}]
"""
    )
    (check,) = shop.state(shop.quiet(task)).checks.values()
    assert check.standing is CriterionStanding.UNMET
    assert "864213579" not in check.found.replace(",", "") and "not shown" in check.found
