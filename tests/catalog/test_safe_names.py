"""Names of files from outside: none is a path, a hidden file, an option or a device, and good names stay."""

from __future__ import annotations

import os
import string
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.values import Image
from catalog.values.media import safe_name
from dialogue.log.events.conversation import Attachment

HOSTILE = (
    "../../etc/passwd", "/etc/passwd", "..\\..\\x.txt", "C:\\x", "C:x", "\\\\host\\share\\a.csv", "..", ".", "", "/",
    "...", ".bashrc", "~/.ssh/id_rsa", "~root", "-rf", "--out=x", "a\0b.csv", "a\nb.csv", "a\u202egnp.exe", "x" * 5_000,
    "CON", "nul.txt", "lpt1.csv", "a/../../b.csv", "a. . .", "  .x", "é" * 300 + ".csv", "a|b>c.csv", "..\u2028x",
)  # fmt: skip


@pytest.mark.parametrize(
    "name", ["report.csv", "copy of ledger.csv", "Q3 (final).xlsx", "élan vital.pdf", "報告.docx", "a.tar.gz"]
)
def test_a_good_name_stays(name: str) -> None:
    assert safe_name(name) == name


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_from_outside_is_a_path_or_reads_as_something_else(name: str) -> None:
    check(safe_name(name))


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("./\\:~-\0 "), max_size=400))
def test_whatever_a_name_holds_it_becomes_one_that_can_be_saved(name: str) -> None:
    check(safe_name(name))


def check(safe: str) -> None:
    assert safe_name(safe) == safe
    assert safe and len(os.fsencode(safe)) <= 255 - len("-9999")
    assert PurePosixPath(safe).name == safe == PureWindowsPath(safe).name
    assert not PureWindowsPath(safe).is_reserved()
    assert safe[0] not in ".-~ " and safe[-1] not in ". "
    assert not set(safe) & set(map(chr, [*range(32), 0x7F, 0x202E]))
    assert safe.isprintable() or any(one not in string.printable for one in safe)


def test_the_ending_of_a_long_name_is_kept() -> None:
    assert safe_name("x" * 5_000 + ".csv").endswith("x.csv")


def test_values_and_attachments_that_stand_for_files_have_safe_names() -> None:
    value: dict[str, JsonValue] = {"attachment": "0" * 64, "name": "../../up.png", "media_type": "image/png", "size": 1}
    assert Image().check(value) == value | {"name": "up.png"}
    assert Attachment(sha256="0" * 64, name="/etc/cron.d/x", media_type="text/plain", size=1).name == "x"
