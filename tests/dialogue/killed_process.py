"""A process for `test_kills` and `test_several_processes`: it says what it is told to, and acknowledges it.

Each effect is noted before and after, under what tells the call from all others: the value that it is called with.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection

from catalog.skills import Result, SkillInput
from dialogue.log.stores import open_store
from dialogue.services import Services
from tests.dialogue.toys import BEHAVIOUR, open_toys

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.dialogue.killed_process"])
TOLD_BY = {"maker": "a", "giver": "secret"}
"""The input by which calls of each skill are told apart."""


def note(journal: str, line: str) -> None:
    """Append a line, as a service that others run would: what it did stands, whoever is killed."""
    file = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{line}\n".encode())
    os.close(file)


def open_noting(url: str, journal: str) -> Services:
    """Services over the toys, whose skills note each effect, and take a moment for it."""

    def effect(skill: str, result: Result):  # type: ignore[no-untyped-def]
        def call(values: Mapping[str, SkillInput]) -> Result:
            called_with = values.get(TOLD_BY[skill])
            note(journal, f"begin {skill} {called_with}")
            time.sleep(0.02)
            note(journal, f"end {skill} {called_with}")
            return result

        return call

    BEHAVIOUR.maker = effect("maker", Result("made", {"c": "sea"}))
    BEHAVIOUR.giver = effect("giver", Result("won", {"prize": "a bear"}))
    return open_toys(open_store(url))


def serve(url: str, sessions: Sequence[str], journal: str, orders: Connection) -> None:
    """Take up all sessions; say each (command id, text) that comes in to the last, and send the id back once kept."""
    services = open_noting(url, journal)
    for session in sessions:
        services.snapshot(session)
    orders.send("ready")
    while True:
        command_id, text = orders.recv()
        services.say(sessions[-1], text, command_id=command_id)
        orders.send(command_id)
        services.wait(sessions[-1], 60)


def talk(url: str, session: str, orders: Connection) -> None:
    """Say each text that comes in, until an empty one; send back what was raised, or nothing, once it is kept."""
    services = open_toys(open_store(url))
    services.snapshot(session)
    orders.send("ready")
    while text := orders.recv():
        raised = ""
        try:
            services.say(session, text, command_id=text)
        except Exception as error:  # whatever it is, the test is to tell it
            raised = repr(error)
        orders.send(raised)
    services.close()
