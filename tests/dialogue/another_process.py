"""A second process on a store, for tests: it says something in a conversation, and is killed while a skill runs.

    python -m tests.dialogue.another_process URL SESSION TEXT…

Each TEXT is said after the turn before it. A skill that is called says so on a line, and then hangs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping

from catalog.skills import SkillInput
from dialogue.log.stores import open_store
from tests.dialogue.toys import BEHAVIOUR, open_toys


def hang(_values: Mapping[str, SkillInput]) -> object:
    print("calling", flush=True)
    threading.Event().wait()
    return None


def main(url: str, session: str, *texts: str) -> None:
    BEHAVIOUR.maker = BEHAVIOUR.giver = hang
    services = open_toys(open_store(url))
    for text in texts:
        services.say(session, text)
        services.wait(session, 120)


if __name__ == "__main__":
    main(*sys.argv[1:])
