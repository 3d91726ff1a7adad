"""Skills that break, with what they were given at hand; they serve as lookups and explanations of skills, too."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping

from catalog.skills import Result, SkillInput


def works(_values: Mapping[str, SkillInput]) -> Result:
    return Result("found", {"score": "700"})


def hangs(values: Mapping[str, SkillInput], *_: object) -> Result:
    number = str(values["ssn"])
    threading.Event().wait()
    raise ValueError(number)


def waits_to_be_killed(values: Mapping[str, SkillInput], *_: object) -> Result:
    """Ignore a signal, by which whoever looks sees that it was called."""
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    return hangs(values)


def exits(values: Mapping[str, SkillInput], *_: object) -> Result:
    sys.stderr.write(f"I leave with {values['ssn']}\n")
    sys.stderr.flush()
    os._exit(3)


def exits_without_a_word(*_: object) -> Result:
    os._exit(1)


def is_killed(values: Mapping[str, SkillInput], *_: object) -> Result:
    print("killed with", values["ssn"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def raises(values: Mapping[str, SkillInput], *_: object) -> Result:
    raise ValueError(f"no file of {values['ssn']}")


def prints(values: Mapping[str, SkillInput], *_: object) -> Result:
    for written in _in_other_forms(str(values["ssn"])):
        print(written, flush=True)
        print(written, file=sys.stderr, flush=True)
    raise ValueError("and no file")


def raises_in_other_forms(values: Mapping[str, SkillInput], *_: object) -> Result:
    raise ValueError("; ".join(_in_other_forms(str(values["ssn"]))))


def raises_reversed(values: Mapping[str, SkillInput], *_: object) -> Result:
    raise ValueError(f"no file of {str(values['ssn'])[::-1]}")


def says_nonsense_reversed(values: Mapping[str, SkillInput], *_: object) -> Result:
    return Result(str(values["ssn"])[::-1], {"score": "700"})


def says_nonsense_in_other_forms(values: Mapping[str, SkillInput], *_: object) -> Result:
    return Result("found " + "; ".join(_in_other_forms(str(values["ssn"]))), {"score": "700"})


def _in_other_forms(number: str) -> list[str]:
    wide = number.translate({ord("0") + digit: ord("\uff10") + digit for digit in range(10)})
    return [number.replace("-", sign) for sign in ("", " ", ".", "/", "\u200b")] + [wide]


def says_nonsense(values: Mapping[str, SkillInput], *_: object) -> Result:
    return Result(f"found {values['ssn']}", {f"of {values['ssn']}": "700"})


def returns_no_result(values: Mapping[str, SkillInput], *_: object) -> Result:
    return str(values["ssn"])  # type: ignore[return-value]
