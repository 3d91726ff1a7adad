"""People without pages: threads that talk to the services of one process, for `benchmarks.scale`.

    python -m benchmarks.scale.alone PEOPLE SECONDS

The store is that of the environment (`PLANGLASS_STORE`). Says `ready`, begins when a line comes in, and prints what
each said as JSON.
"""

from __future__ import annotations

import dataclasses
import gc
import itertools
import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from benchmarks.scale.judging import Talked, Turn
from benchmarks.turns import SAID
from dialogue.services import Services, make_services

FINISHING_S = 300.0


def talk(services: Services, until: Callable[[], float]) -> Talked:
    """Say one thing after the other until the time is over."""
    session = services.start("banking")
    talked = Talked([session])
    for text in itertools.cycle(SAID):
        if time.monotonic() >= until():
            break
        began = time.monotonic()
        talked.sent.append(text)
        services.say(session, text)
        talked.acknowledged.append(text)
        if not services.wait(session, FINISHING_S):
            break
        talked.turns.append(Turn(began, time.monotonic()))
    return talked


def main(people: int, seconds: float) -> None:
    """Talk, and print what was said."""
    services = make_services()
    services.warm("banking").result()
    gc.collect()
    gc.freeze()  # as the dashboard does
    print("ready", flush=True)
    sys.stdin.readline()
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(people) as pool:
        talked = list(pool.map(lambda _: talk(services, lambda: until), range(people)))
    print(json.dumps([dataclasses.asdict(one) for one in talked]), flush=True)
    sys.stdin.readline()
    services.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
