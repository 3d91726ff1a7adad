"""`planglass chat`: the assistant without the dashboard, one utterance a line.

A line is an utterance, the path of a file that is asked for, or a JSON object with either, or an event.
"""

from __future__ import annotations

import argparse
import json
import mimetypes
import shlex
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from getpass import getuser
from pathlib import Path

from pydantic import Field, JsonValue

from catalog.load.demo_files import DEMOS
from catalog.wording.grammar import clean
from dialogue.cli.arguments import Commands, add_json, add_settings, add_today
from dialogue.cli.results import RESULTS, save_new
from dialogue.cli.screen import read_object
from dialogue.cli.streams import CONVERSATIONS, find
from dialogue.log.events import ASSISTANT, Log, Replied
from dialogue.services import Services, Snapshot, Upload, make_services
from dialogue.services.tasks.conversation_desk import say_progress, settle
from dialogue.settings.agent_choices import read_names
from dialogue.state.goal_status import goal_standing
from dialogue.state.masking import mask, mask_entry, secrets_of, show_value
from dialogue.state.provenance import derived_in, hides
from language.interpretation import Frozen

TURN_TIMEOUT_S = 300.0


def run_chat(options: argparse.Namespace) -> int:
    """Hold a conversation on standard input and output.

    A line is an utterance; where a file is asked for, it may be the path of one, or several. A line that is a JSON
    object may hold `text`, `uploads` (paths of files), and `alert` with `facts` (an event that happens). Documents that
    come with an answer are saved, and their paths printed.
    """
    if (options.catalog is None) == (options.session is None):
        raise ValueError("Name a catalog for a new conversation, or --session ID to go on with one.")
    catalog, files = options.catalog, None
    if catalog is not None:
        files = [] if catalog in DEMOS else [Path(catalog)]
        catalog = str(files[0]) if files else catalog
    with closing(make_services(chosen=options.set, files=files, today=options.today)) as services:
        if catalog is not None:
            session = services.start(catalog, user=f"at terminals: {getuser()}")
        else:
            session = find(CONVERSATIONS, services, options.session)
        seen = services.snapshot(session)
        agents = read_names(services.choices_of(seen.conversation)["agents"])
        for name in (seen.conversation.setup.catalog, *(name for name in agents if name in services.catalogs())):
            services.warm(name)
        if not options.json:
            print_replies(seen, 0)
        opened = uuid.uuid4().hex[:8]  # a reopened conversation has had a first line before
        for number, line in enumerate(sys.stdin, start=1):
            before = len(seen.log)
            _hear(services, seen, line.rstrip("\n"), f"line-{opened}-{number}")
            _settle(services, session, shown=not options.json)
            seen = services.snapshot(session)
            saved = save_files(services, seen, before, Path(options.out) if options.out else None)
            if options.json:
                kept: dict[str, JsonValue] = {"files": [*saved]} if saved else {}
                told = json.dumps({**turn_json(seen, number, before), **kept}, ensure_ascii=False)
                print(told, flush=True)
            else:
                print_replies(seen, before)
                for path in saved:
                    print(f"  {path}", flush=True)
    return 0


PROGRESS_S = 2.0
"""How often it is said how far a task is that is at work."""


def _settle(services: Services, session: str, *, shown: bool) -> None:
    """Wait for the assistant and for the tasks of the conversation, and show how far these are."""
    told: list[str] = []
    for _ in range(int(TURN_TIMEOUT_S / PROGRESS_S)):
        if settle(services, session, PROGRESS_S):
            return
        now = say_progress(services, session)
        for line in now if shown and now != told else ():
            print(f"  … {line}", flush=True)
        told = now


def save_files(services: Services, seen: Snapshot, before: int, folder: Path | None) -> list[str]:
    """Save the files that came with what was replied since an entry; return their paths.

    They are kept apart by task, in a folder of this conversation unless another one is given.
    """
    saved = []
    for entry in seen.log[before:]:
        files = entry.event.attachments if isinstance(entry.event, Replied) else ()
        there = folder or services.settings.home / RESULTS / f"{seen.session_id[:8]}-{entry.seq}"
        for file in files:
            saved.append(str(save_new(services, there, file.name, services.file(seen.session_id, file.sha256))))
    return saved


class _Line(Frozen):
    text: str = ""
    uploads: tuple[Path, ...] = ()
    alert: str | None = None
    facts: dict[str, JsonValue] = Field(default_factory=dict)


def _hear(services: Services, seen: Snapshot, line: str, command_id: str) -> None:
    """Say a line to the assistant, with the files that it names, or report the event that it is.

    Raises ValueError for a line that begins as JSON and is none.
    """
    session, before = seen.session_id, len(seen.log)
    if not line.lstrip().startswith("{"):
        paths = _paths(services.snapshot(session), line)
        text = "" if paths else line
        services.say(session, text, [_upload(path) for path in paths], command_id, before)
        return
    said = read_object(line, _Line, "text and uploads (paths of files), or alert and facts")
    if said.alert is not None:
        services.alert(session, said.alert, said.facts, command_id)
    else:
        services.say(session, said.text, list(map(_upload, said.uploads)), command_id, before)


def _paths(seen: Snapshot, line: str) -> list[Path]:
    """Return the files that a line names by their paths, and nothing else, where a file is waited for."""
    pending = seen.conversation.questions.pending
    waited = {*seen.conversation.tasks.facts, *((pending.asked.subject,) if pending else ())}
    if not any(seen.catalog.facts[fact].value.uploaded for fact in waited if fact in seen.catalog.facts):
        return []
    try:
        paths = [Path(name).expanduser() for name in shlex.split(line)]
    except ValueError:  # a quotation mark that is not closed
        return []
    return paths if all(path.is_file() for path in paths) else []


def _upload(path: Path) -> Upload:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Upload(path.name, media_type, path.read_bytes())


def turn_json(seen: Snapshot, number: int, before: int) -> dict[str, JsonValue]:
    """Return what one turn added, in the form of `chat --json`; sensitive values are masked."""
    conversation, catalog = seen.conversation, seen.catalog
    secrets = secrets_of(catalog, seen.log)
    pending = conversation.questions.pending.asked if conversation.questions.pending else None
    new = seen.log[before:]
    known: dict[str, JsonValue] = {
        fact: show_value(catalog, conversation, fact) if hides(catalog, conversation, value) else value.value
        for fact, value in conversation.facts.known.items()
    }
    events: list[JsonValue] = []
    derived = derived_in(catalog, seen.log)
    for entry in new:
        plain = mask_entry(catalog, entry, secrets, derived, seen.words_of)
        event = plain["event"]
        assert isinstance(event, dict)
        events.append({**event, "seq": entry.seq})
    return {
        "turn": number,
        "replies": [mask(entry.event.text, secrets) for entry in new if isinstance(entry.event, Replied)],
        "asks": pending.subject if pending and pending.about == "fact" else None,
        "asks_about": pending.about if pending else None,
        "goals": [goal.goal for goal in conversation.goals.stack],
        "ended": [
            {"goal": goal.goal, "state": goal_standing(catalog, conversation, goal)}
            for goal in conversation.goals.past
            if goal.ending is not None and goal.ending.seq > before
        ],
        "known": known,
        "events": events,
    }


def print_replies(seen: Snapshot, before: int) -> None:
    """Print what was replied since an entry; an agent that is not the assistant is named."""
    for entry in _replies(seen.log[before:]):
        print(f"  {entry}".replace("\n", "\n  "), flush=True)


def _replies(log: Log) -> Iterator[str]:
    for entry in log:
        if isinstance(entry.event, Replied):
            sender = entry.event.sender
            yield entry.event.text if sender == ASSISTANT else f"{clean(sender)}: {entry.event.text}"


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("catalog", metavar="CATALOG", nargs="?", help="the name of a demo catalog, or a file")
    command.add_argument("--out", metavar="DIR", default="", help="save documents there that come with an answer")
    command.add_argument(
        "--session", metavar="ID", help="go on with this conversation (or the first letters of its id)"
    )
    add_today(command, "to count from")
    add_json(command, "one JSON object a turn")


COMMANDS: Commands = {"chat": (run_chat, _declare)}
