"""The wrapped shell as a whole: its pseudo-terminal, its relay, and the session beside it."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from dialogue.agents.terminal.session import Learning, ShellParticipants, ShellRecord, Switch, TerminalSession
from dialogue.agents.terminal.surroundings import look_around
from dialogue.agents.terminal.wrapped.hooks import INSIDE, UnusableShell, launch
from dialogue.agents.terminal.wrapped.pseudo_terminal import (
    Mailbox,
    TerminalEnds,
    attend,
    columns_of,
    require_terminal,
    start_shell,
    surface_of,
)
from dialogue.agents.terminal.wrapped.relay import NARROWEST, Relay
from language.responses.agents import terminal as words


def run_shell(
    shell: str,
    participants: ShellParticipants,
    learning: Learning,
    record: ShellRecord,
    *,
    environment: Mapping[str, str],
    ends: TerminalEnds | None = None,
    switch: Switch | None = None,
) -> int:
    """Wrap a shell until it ends; return its exit code. Raises UnusableShell and NoTerminal."""
    ends = ends or TerminalEnds()
    if INSIDE in environment:
        raise UnusableShell(words.already_inside())
    require_terminal(ends.source)
    require_terminal(ends.target)
    folder = Path(tempfile.mkdtemp(prefix="planglass-shell-"))
    nonce = secrets.token_hex(16)
    mailbox = Mailbox()
    try:
        start = launch(shell, folder, nonce, environment)
        os.write(ends.target, words.welcome(start.name, columns_of(ends.target) >= NARROWEST, NARROWEST).encode())
        child = start_shell(start, environment, ends.source)
        try:
            around = partial(look_around, child.pid, start.name)
            session = TerminalSession(
                participants,
                learning,
                record,
                reply=mailbox.post,
                surroundings=around,
                shell=start.name,
                edits=start.edits,
                switch=switch,
            )
            relay = Relay(nonce, session, surface_of(child, ends.source, folder / "put"), edits=start.edits)
            code = attend(child, relay, mailbox, ends)
            session.close(code)
        finally:
            os.close(child.terminal)
        return code
    finally:
        mailbox.close()
        shutil.rmtree(folder, ignore_errors=True)
