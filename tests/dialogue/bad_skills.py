"""Skills that break in a process of their own, with what they were given at hand."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping

from catalog.skills import Result, SkillInput


def hangs(values: Mapping[str, SkillInput]) -> Result:
    number = str(values["ssn"])
    threading.Event().wait()
    raise ValueError(number)


def exits(values: Mapping[str, SkillInput]) -> Result:
    sys.stderr.write(f"I leave with {values['ssn']}\n")
    sys.stderr.flush()
    os._exit(3)


def is_killed(values: Mapping[str, SkillInput]) -> Result:
    print("killed with", values["ssn"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def raises(values: Mapping[str, SkillInput]) -> Result:
    raise ValueError(f"no file of {values['ssn']}")


def says_nonsense(values: Mapping[str, SkillInput]) -> Result:
    return Result(f"found {values['ssn']}", {f"of {values['ssn']}": "700"})


def returns_no_result(values: Mapping[str, SkillInput]) -> Result:
    return str(values["ssn"])  # type: ignore[return-value]
