"""`planglass shell`: the user's own shell with agents, and the sessions that are kept.

The exit code is that of the shell; bad input gets 2, as everywhere.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from uuid import uuid4

from dialogue.agents.feedback import Feedback
from dialogue.agents.learning.learner import Learner
from dialogue.agents.learning.replay import replay_session
from dialogue.agents.model import Moment
from dialogue.agents.orchestrators import ORCHESTRATORS, Orchestrator, OrchestratorOptions
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.record import recorded
from dialogue.agents.terminal.advisers import make_advisers
from dialogue.agents.terminal.session import Participants
from dialogue.agents.terminal.sessions import (
    KeptSession,
    delete_session,
    list_sessions,
    read_lines,
    read_session,
    recorded_sessions,
    write_lines,
)
from dialogue.agents.terminal.wrapper import run_shell
from dialogue.cli.arguments import Commands, add_command, add_json
from dialogue.log.stores import Store, UnusableStore, open_store
from dialogue.log.streams import Entry, Event
from dialogue.services.settings import Settings
from dialogue.services.settings_sources import read_settings
from language.responses.agents import terminal as words

LEARNER = "terminal"
"""Who learns: the person at the terminals of this data directory."""


def add_commands(commands: Commands) -> None:
    """Declare `planglass shell`."""
    command = add_command(commands, "shell", "your own shell, with agents that answer before and after a command", run)
    command.add_argument("--shell", metavar="NAME", help="which shell: bash or dash (default: the one in $SHELL)")
    command.add_argument("--orchestrator", choices=list(ORCHESTRATORS), help="who chooses among the agents")
    command.add_argument("--not-kept", action="store_true", help="keep nothing of this session")
    what = command.add_mutually_exclusive_group()
    what.add_argument("--sessions", action="store_true", help="list the sessions that are kept")
    what.add_argument("--delete", metavar="ID", help="delete a session for good")
    what.add_argument("--export", metavar="ID", help="print a session, one event a line")
    what.add_argument("--replay", metavar="ID", help="tell what was asked and chosen, by a kept or a recorded session")
    add_json(command, "sessions as JSON")


def run(options: argparse.Namespace) -> int:
    """Run a shell, or do something with the sessions that are kept."""
    settings = read_settings(options.set).settings
    if options.sessions or options.delete or options.export or options.replay:
        with closing(open_store(settings.store_url)) as store:
            return _with_sessions(options, store)
    kept = None if options.not_kept else _open(settings.store_url)
    with nullcontext() if kept is None else closing(kept):
        return _wrap(options, settings, kept)


def _wrap(options: argparse.Namespace, settings: Settings, store: Store | None) -> int:
    orchestrator = ORCHESTRATORS[options.orchestrator or settings.shell_orchestrator](OrchestratorOptions())
    advisers = make_advisers(os.environ)
    Thread(target=advisers.warm, name="warm", daemon=True).start()
    learner = None if store is None else Learner(LEARNER, store, _now, settings.home)
    session = KeptSession(uuid4().hex[:12], store, _now)
    return run_shell(
        options.shell or os.environ.get("SHELL") or "bash",
        Participants(advisers.declared, orchestrator),
        Learned(orchestrator, learner, session.id),
        session,
        environment=os.environ,
    )


def _now() -> datetime:
    return datetime.now(UTC)


def _open(url: str) -> Store | None:
    try:
        return open_store(url)
    except (UnusableStore, OSError) as error:
        print(words.not_kept(str(error)), file=sys.stderr)
        return None


@dataclass
class Learned:
    """What the orchestrator learns while the shell runs; without a store, for this session only."""

    orchestrator: Orchestrator
    learner: Learner | None
    session: str
    known: State | None = None

    def state(self) -> tuple[State, int]:
        """Return what the orchestrator has learned, and from how many entries."""
        if self.learner is not None:
            return self.learner.state_of(self.orchestrator)
        return self.orchestrator.begin() if self.known is None else self.known, 0

    def learn(self, feedback: Feedback, entry: int) -> None:
        """Learn from what became of a choice."""
        if self.learner is not None:
            self.learner.learn(feedback, self.session, entry)
        else:
            self.known = self.orchestrator.observe(self.state()[0], feedback)


def _with_sessions(options: argparse.Namespace, store: Store) -> int:
    if options.delete:
        delete_session(store, options.delete)
        print(words.deleted(options.delete))
    elif options.export:
        sys.stdout.write(write_lines(_find(store, options.export)))
    elif options.replay:
        _replay(options, _find(store, options.replay))
    else:
        _list(options, store)
    return 0


def _find(store: Store, name: str) -> tuple[Entry[Event], ...]:
    """Return a session that is kept, one that comes with the product, or one from a file of lines."""
    if name in (shipped := recorded_sessions()):
        return shipped[name]
    if name.endswith(".jsonl"):
        return read_lines(Path(name).read_text(encoding="utf-8").splitlines())
    return read_session(store, name)


def _list(options: argparse.Namespace, store: Store) -> None:
    rows = list_sessions(store)
    if options.json:
        listed = [
            {
                "id": row.id,
                "started": row.started.isoformat(),
                "updated": row.updated.isoformat(),
                "entries": row.entries,
                "shell": row.shell,
                "orchestrator": row.orchestrator,
            }
            for row in rows
        ]
        print(json.dumps({"sessions": listed, "recorded": list(recorded_sessions())}, ensure_ascii=False))
        return
    for row in rows:
        print(f"{row.id}  {row.started:%Y-%m-%d %H:%M}  {row.shell:<5} {row.orchestrator:<11} {row.entries:>5} entries")
    if not rows:
        print(words.no_sessions())
    print(words.come_with_it(list(recorded_sessions())))


def _replay(options: argparse.Namespace, log: tuple[Entry[Event], ...]) -> None:
    turns = recorded(log)
    moments = tuple(turn.moment for turn in turns)
    other = options.orchestrator
    tried = None
    if other is not None:
        orchestrator = ORCHESTRATORS[other](OrchestratorOptions())
        tried = replay_session(moments, orchestrator, [turn.forced for turn in turns])
    for place, turn in enumerate(turns):
        print(_told(turn.moment, turn.orchestrator))
        if tried is not None:
            print(words.would_act(other, tried[place].choice.agents))


def _told(moment: Moment, orchestrator: str) -> str:
    reaction = moment.reaction.value if moment.reaction is not None else ""
    return words.moment(moment.event.stage.value, moment.event.text, orchestrator, moment.choice.agents, reaction)
