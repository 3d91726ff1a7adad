"""`planglass shell`: the user's own shell with agents, and the sessions that are kept.

The exit code is that of the shell; bad input gets 2, as everywhere.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from uuid import uuid4

from pydantic import JsonValue

from catalog.skills.failures import where_raised
from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.feedback import Feedback
from dialogue.agents.learning.learner import Learner
from dialogue.agents.learning.replay import replay_session
from dialogue.agents.orchestrators import Orchestrator
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.record import recorded
from dialogue.agents.terminal import sessions
from dialogue.agents.terminal.calls import DESCRIPTIONS, TERMINAL_LEARNER
from dialogue.cli.agents import list_orchestrators
from dialogue.cli.arguments import Commands, add_json, add_settings
from dialogue.log.stores import Store, UnusableStore, embedded_url, open_store
from dialogue.log.streams import Entry, Event
from dialogue.services import make_services
from dialogue.services.agents.agents import AgentServices
from dialogue.settings import Configuration, Settings, choices_in
from dialogue.settings.agent_choices import read_figures, read_names, with_figures
from dialogue.settings.sources import read_settings, save_settings
from language.llm.language_model import LanguageModel
from language.llm.ranking import choose_candidate
from language.responses.agents import faults
from language.responses.agents import terminal as words

RANKING_SECONDS = 5.0
"""Seconds that a language model may take to choose among commands, where an answer was asked for."""


def run_shell_command(options: argparse.Namespace) -> int:
    """Run a shell, or do something with the sessions that are kept."""
    chosen = dict(options.set)
    if options.orchestrator is not None:
        chosen["shell_orchestrator"] = options.orchestrator
    configuration = read_settings(chosen)
    settings = configuration.settings
    if options.sessions or options.delete or options.export or options.replay:
        with closing(open_store(settings.store_url)) as store, _offer(chosen, settings, store) as offered:
            return _with_sessions(options, store, offered, settings)
    return _wrap(options.shell, chosen, configuration, kept=not options.not_kept and _can_be_kept(settings.store_url))


def _wrap(shell: str | None, chosen: dict[str, JsonValue], configuration: Configuration, *, kept: bool) -> int:
    """Run a shell. What is not to be kept lies in a folder that is deleted at the end."""
    from dialogue.agents.terminal.advisers import make_advisers  # no other command needs any of these
    from dialogue.agents.terminal.session import ShellParticipants
    from dialogue.agents.terminal.wrapper import run_shell

    settings = configuration.settings
    with ExitStack() as stack:
        home = settings.home
        if not kept:
            home = Path(stack.enter_context(TemporaryDirectory(prefix="planglass-", ignore_cleanup_errors=True)))
            chosen["store"] = embedded_url(home)
        store = stack.enter_context(closing(open_store(settings.store_url if kept else embedded_url(home))))
        offered = stack.enter_context(_offer(chosen, settings, store))
        model = LanguageModel(settings.llm)
        stack.callback(model.close)
        advisers = make_advisers(os.environ, partial(choose_candidate, model, limit_s=RANKING_SECONDS))
        for name, warm in (("warm", advisers.warm), ("warm-model", model.warm)):
            Thread(target=warm, name=name, daemon=True).start()
        session = sessions.KeptSession(uuid4().hex[:12], store if kept else None, _now)
        orchestrator, made_with = offered.orchestrator(settings.shell_orchestrator, choices_in(settings))
        learned = ShellLearning(orchestrator, made_with, Learner(TERMINAL_LEARNER, store, _now, home), session.id)
        return run_shell(
            shell or os.environ.get("SHELL") or "bash",
            ShellParticipants((*advisers.declared, *_dropped_in(offered, settings, session.id)), orchestrator),
            learned,
            session,
            environment=os.environ,
            switch=_Switch(offered, configuration, learned),
        )


@contextmanager
def _offer(chosen: Mapping[str, JsonValue], settings: Settings, store: Store) -> Iterator[AgentServices]:
    """Offer agents and orchestrators that were dropped in. Without any, no catalog is read: the shell is there at once.

    Raises SettingsError for agents and orchestrators that there are not.
    """
    if not settings.drop_ins:
        yield AgentServices(lambda: settings.home, store, _now)
        return
    with closing(make_services(chosen=chosen)) as services:
        yield services.agents


def _dropped_in(offered: AgentServices, settings: Settings, session: str) -> list[DeclaredAgent]:
    """Make the agents that were dropped in and that the setting `agents` names."""
    found = [name for name in read_names(settings.agents) if name in offered.dropped_in.agents]
    for name in DESCRIPTIONS.keys() & found:
        print(words.name_is_taken(name), file=sys.stderr)
    return [offered.dropped_in.agents[name](session) for name in found if name not in DESCRIPTIONS]


def _now() -> datetime:
    return datetime.now(UTC)


def _can_be_kept(url: str) -> bool:
    try:
        open_store(url).close()
    except (UnusableStore, OSError) as error:
        print(words.not_kept(str(error)), file=sys.stderr)
        return False
    return True


@dataclass
class ShellLearning:
    """What the orchestrator learns while the shell runs; `made_with` are its options, as text."""

    orchestrator: Orchestrator
    made_with: str
    learner: Learner
    session: str

    def state(self) -> tuple[State, int]:
        return self.learner.state_of(self.orchestrator, self.made_with)

    def learn(self, feedback: Feedback, entry: int) -> None:
        self.learner.learn(feedback, self.session, entry)


@dataclass
class _Switch:
    """Switches to another orchestrator, or sets figures, while the shell runs; both are saved."""

    offered: AgentServices
    configuration: Configuration
    learned: ShellLearning

    def __call__(self, words_after: Sequence[str]) -> tuple[Sequence[str], Orchestrator]:
        """List the orchestrators, after a switch where one is named. Raises ValueError, and OSError."""
        settings = self.configuration.settings
        names = [word for word in words_after if "=" not in word and word != "-v"]
        used = names[-1] if names else self.learned.orchestrator.name
        changes: dict[str, JsonValue] = {"shell_orchestrator": used} if names else {}
        if figures := [word for word in words_after if "=" in word]:
            changes["figures"] = with_figures(settings.figures, used, figures)
        if changes:
            self.offered.check({name: str(value) for name, value in changes.items()})
            settings = settings.model_copy(update=changes)
            made = self.offered.orchestrator(used, choices_in(settings))
            self.learned.orchestrator, self.learned.made_with = made
            self.configuration = replace(self.configuration, settings=settings)
            save_settings(settings.home, changes)
        rows, chosen = self.offered.orchestrators(), self.learned.orchestrator.name
        lines = list_orchestrators(rows, chosen, read_figures(settings.figures), verbose="-v" in words_after)
        return tuple(lines), self.learned.orchestrator


def _with_sessions(options: argparse.Namespace, store: Store, offered: AgentServices, settings: Settings) -> int:
    if options.delete:
        sessions.delete_session(store, options.delete)
        print(words.deleted(options.delete))
    elif options.export:
        sys.stdout.write(sessions.write_lines(_find(store, options.export)))
    elif options.replay:
        other = (
            None
            if options.orchestrator is None
            else offered.orchestrator(options.orchestrator, choices_in(settings))[0]
        )
        _replay(_find(store, options.replay), other)
    else:
        _list(options, store)
    return 0


def _find(store: Store, name: str) -> tuple[Entry[Event], ...]:
    """Return a session that is kept, one that comes with the product, or one from a file of lines."""
    if name in (shipped := sessions.recorded_sessions()):
        return shipped[name]
    if name.endswith(".jsonl"):
        return sessions.read_lines(Path(name).read_text(encoding="utf-8").splitlines())
    return sessions.read_session(store, name)


def _list(options: argparse.Namespace, store: Store) -> None:
    rows = sessions.list_sessions(store)
    if options.json:
        told = {"sessions": list(map(asdict, rows)), "recorded": list(sessions.recorded_sessions())}
        print(json.dumps(told, ensure_ascii=False, default=datetime.isoformat))
        return
    for row in rows:
        print(f"{row.id}  {row.started:%Y-%m-%d %H:%M}  {row.shell:<5} {row.orchestrator:<11} {row.entries:>5} entries")
    if not rows:
        print(words.NO_SESSIONS)
    print(words.come_with_it(list(sessions.recorded_sessions())))


def _replay(log: tuple[Entry[Event], ...], other: Orchestrator | None) -> None:
    turns = recorded(log)
    moments = tuple(turn.moment for turn in turns)
    try:
        tried = None if other is None else replay_session(moments, other, [turn.forced for turn in turns])
    except Exception as error:  # an orchestrator may be a user's
        name = "" if other is None else other.name
        kind = getattr(error, "error", type(error).__name__)  # of one in a process of its own, only this comes back
        place = getattr(error, "place", "") or where_raised(error)
        raise ValueError(faults.orchestrator_failed(name, kind, place)) from error
    for place, turn in enumerate(turns):
        moment = turn.moment
        reaction = moment.reaction.value if moment.reaction is not None else ""
        stage, text, acted = moment.event.stage.value, moment.event.text, moment.choice.agents
        print(words.moment(stage, text, turn.orchestrator, acted, reaction))
        if other is not None and tried is not None:
            print(words.would_act(other.name, tried[place].choice.agents))


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("--shell", metavar="NAME", help="which shell: bash or dash (default: the one in $SHELL)")
    command.add_argument("--orchestrator", metavar="NAME", help="who chooses among the agents, dropped in ones, too")
    command.add_argument("--not-kept", action="store_true", help="keep nothing of this session")
    what = command.add_mutually_exclusive_group()
    what.add_argument("--sessions", action="store_true", help="list the sessions that are kept")
    what.add_argument("--delete", metavar="ID", help="delete a session for good")
    what.add_argument("--export", metavar="ID", help="print a session, one event a line")
    what.add_argument("--replay", metavar="ID", help="tell what was asked and chosen, by a kept or a recorded session")
    add_json(command, "sessions as JSON")


COMMANDS: Commands = {"shell": (run_shell_command, _declare)}
