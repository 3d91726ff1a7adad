"""Files that are missing, too large, or not what they say: each is a clear error, and the task can go on."""

from __future__ import annotations

import io
import os
import resource
import zipfile
from pathlib import Path

import pytest

from catalog.load import load
from catalog.problems import CatalogError
from catalog.values.documents import Document, file_value
from dialogue.services import make_services
from dialogue.tasks.inputs import read_file, read_inputs
from dialogue.tasks.state.events import CallEnded, TaskEnding
from planning.hierarchy.files.load import read_task
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import CATALOG, Workshop

SUMMARY = "task: Sum up a file\ninputs: {data_file: {file: FILE}}\nresults: [data_summary]\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def zipped(**parts: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in parts.items():
            made.writestr(name.replace("_", "/", 1) + ".xml", data)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("ledger.csv", None, r"No such file.*There is “?ledger_1.csv"),
        (".", None, "is a folder, or otherwise no file"),
        ("empty.csv", b"", "is empty"),
        ("sheet.xlsx", PNG, "By its name “sheet.xlsx” is an Excel workbook, but it holds a PNG picture"),
        ("binary.csv", bytes(range(256)), "holds a file of a type that I do not know"),
        ("large.csv", b"a,b\n" * 1_500_000, "large.csv is too large. The document has 6 MB, and may have 5 MB"),
        ("zip.xlsx", zipped(a=b"x"), "holds a ZIP archive"),
    ],
)
def test_a_file_that_is_no_input_is_refused_with_its_line_before_anything_begins(
    tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    (tmp_path / "ledger_1.csv").write_bytes(b"a\n1\n")
    if data is not None:
        (tmp_path / name).write_bytes(data)
    given = read_task(SUMMARY.replace("FILE", name), str(tmp_path / "task.yaml"), load("reports"))
    with pytest.raises(CatalogError, match=said) as raised:
        read_inputs(given, workshop.NOW.date())
    (problem,) = raised.value.problems
    assert problem.line == 2 and problem.write


def test_a_file_that_is_too_large_is_not_read_and_one_that_never_ends_not_waited_for(tmp_path: Path) -> None:
    """A file of 200 MB, with nothing on the disk, costs no memory; a pipe is no file."""
    large, pipe = tmp_path / "large.csv", tmp_path / "pipe.csv"
    with large.open("wb") as file:
        file.truncate(200_000_000)
    os.mkfifo(pipe)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match="200 MB, and may have 20 MB"):
        read_file(large, Document())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000, "kilobytes"
    with pytest.raises(ValueError, match="no file"):
        read_file(pipe, Document())


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("page.csv", b"<html><table><tr><td>1</td></tr></table></html>", "web page"),
        ("ragged.csv", b"a,b\n1,2\n3,4,5\n", "row 3 has more cells"),
        ("bomb.xlsx", zipped(xl_workbook=b"<workbook/>", xl_big=bytes(210_000_000)), "Unpacked, the workbook has"),
    ],
)
def test_a_file_that_turns_out_wrong_is_told_and_another_one_goes_on_with_the_same_task(
    home: Path, tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    services = make_services(files=[], today=workshop.NOW.date())
    given = read_task(SUMMARY.replace("FILE", name), str(tmp_path / "task.yaml"), load("reports"))
    task = services.tasks.give(given)
    assert services.tasks.wait(task, 60)
    view = services.tasks.view(task)
    assert view.task.ending is None and not view.fault
    (asked,) = view.task.open_requests
    assert asked.request.request == "information"
    ended = [call.ended for call in view.task.calls.values()]
    assert any(said in str(one) for one in ended), ended
    file = tmp_path / "good.csv"
    file.write_bytes(b"day,paid\nMonday,3\nTuesday,4\n")
    good = file.read_bytes()
    services.tasks.hand_over(task, "data_file", file_value(file.name, good), {file.name: good})
    assert services.tasks.wait(task, 60)
    assert services.tasks.view(task).task.ending is TaskEnding.DONE
    services.close()


def supplied(name: str, function: str) -> str:
    return f"""skills:
  {name}:
    endpoint: "python:tests.dialogue.tasks.bad_skills:{function}"
    timeout_s: 1
    modes: {{m: {{inputs: [paint], outcomes: {{done: [sign]}}}}}}
"""


@pytest.mark.parametrize("how", ["raises", "hangs", "lies", "dies", "babbles", "floods"])
def test_a_supplied_skill_runs_in_a_process_of_its_own_and_is_dropped_where_it_does_not_do_what_it_says(
    tmp_path: Path, how: str
) -> None:
    without = "\n".join(line for line in CATALOG.splitlines() if "spray" not in line and "[key]" not in line)
    shop = Workshop(tmp_path / "other", without)
    task = shop.give("task: Make a sign\ninputs: {paint: {value: red}}\nresults: [sign]\n")
    shop.tasks.supply_function(task, supplied("bad", how))
    view = shop.tasks.view(shop.quiet(task))
    assert view.task.ending is None and not view.fault
    (asked,) = view.task.open_requests
    assert asked.request.request == "function"
    shop.tasks.supply_function(task, supplied("better", "good"))
    done = shop.state(shop.quiet(task))
    assert done.ending is TaskEnding.DONE
    (call,) = [one for one in done.calls.values() if one.begun.skill == "better"]
    assert isinstance(call.ended, CallEnded)
    assert call.ended.facts["sign"] not in ("", f"made by {os.getpid()}")
    shop.close()
