"""Temporary files in memory: they go with their run, and with the next where that was cut off."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BEGUN = (
    "import os, tempfile\n"
    "from tests.ram_disk import use_ram_disk\n"
    "remove = use_ram_disk()\n"
    "print(tempfile.gettempdir() if remove else '', flush=True)\n"
)


def begin(then: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BEGUN + then], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_what_a_run_left_that_was_cut_off_is_removed_by_the_next_and_nothing_of_one_that_goes_on() -> None:
    with begin("input()") as going_on:
        assert going_on.stdout is not None
        kept = going_on.stdout.readline().strip()
        cut_off = begin("os._exit(0)").communicate()[0].strip()
        ended = begin("remove and remove()").communicate()[0].strip()
        assert bool(kept) == bool(cut_off) == bool(ended), "there is room for all of them, or for none"
        if kept:
            assert (Path(kept).is_dir(), Path(cut_off).exists(), Path(ended).exists()) == (True, False, False)
        going_on.communicate("\n")
    begin("remove and remove()").communicate()
    assert not kept or not Path(kept).exists()
