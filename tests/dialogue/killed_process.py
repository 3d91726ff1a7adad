"""A process for `test_kills`: it says what it is told to, acknowledges it, and notes each effect before and after."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection

from catalog.skills import Result, SkillInput
from dialogue.log.stores import open_store
from tests.dialogue.toys import BEHAVIOUR, open_toys


def note(journal: str, line: str) -> None:
    """Append a line, as a service that others run would: what it did stands, whoever is killed."""
    file = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{line}\n".encode())
    os.close(file)


def serve(url: str, session: str, journal: str, orders: Connection) -> None:
    """Say each (command id, text) that comes in, and send the id back once it is acknowledged."""

    def effect(skill: str, result: Result):  # type: ignore[no-untyped-def]
        def call(values: Mapping[str, SkillInput]) -> Result:
            note(journal, f"begin {skill} {values['c'] if skill == 'giver' else ''}")
            time.sleep(0.02)
            note(journal, f"end {skill}")
            return result

        return call

    BEHAVIOUR.maker = effect("maker", Result("made", {"c": "sea"}))
    BEHAVIOUR.giver = effect("giver", Result("won", {"prize": "a bear"}))
    services = open_toys(open_store(url))
    services.snapshot(session)
    orders.send("ready")
    while True:
        command_id, text = orders.recv()
        services.say(session, text, command_id=command_id)
        orders.send(command_id)
        services.wait(session, 60)
