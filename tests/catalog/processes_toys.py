"""Functions that run in worker processes in tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any


def make(*given: Any) -> Callable[[Any], Any]:
    if given == ("broken",):
        raise ValueError("hunter2")
    if given == ("never",):
        time.sleep(3_600)

    def answer(request: Any) -> Any:
        what, *rest = request if isinstance(request, list) else [request]
        return ANSWERS[what](*rest) if what in ANSWERS else [what, *rest, *given]

    return answer


def fail(message: str) -> None:
    raise ValueError(message)


def spin() -> None:
    while True:
        pass


def with_child() -> list[int]:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    return [os.getpid(), child.pid]


ANSWERS: dict[str, Callable[..., Any]] = {
    "pid": os.getpid,
    "fail": fail,
    "exit": sys.exit,
    "die": lambda: os._exit(3),
    "hang": lambda: time.sleep(3_600),
    "spin": spin,
    "child": with_child,
    "much": lambda size: "x" * size,
    "no json": object,
    "nan": lambda: float("nan"),
    "print": lambda: print("hunter2"),
    "stray": lambda: os.write(3, b"no json\n"),
    "main": lambda: getattr(sys.modules["__main__"], "__file__", None),
    "size": len,
    "loaded": lambda *names: [name for name in names if name in sys.modules],
}
