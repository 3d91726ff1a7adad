"""A skill that never comes back where it is called for the first time of all, in whichever process that is."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping

from catalog.skills import Result, SkillInput


def report(values: Mapping[str, SkillInput]) -> Result:
    """Report, unless this is the first call: that one leaves a file that says so, and hangs."""
    try:
        os.close(os.open(os.environ["FIRST_CALL"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return Result("reported", {"news": f"{values['topic']} as ever"})
    threading.Event().wait()
    raise AssertionError
