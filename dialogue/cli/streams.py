"""Commands on streams, over one table of kinds: listing, finding by the first letters of an id, exporting, deleting.

The commands that users know (`sessions`, `room --rooms`, …) are made from it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from pydantic import JsonValue

from dialogue.cli.arguments import Commands, add_json, add_settings, beginning_with
from dialogue.log.stores import DamagedStream
from dialogue.services import Services, SessionRow, make_services
from dialogue.services.rooms.rooms import RoomRow
from dialogue.state.masking import mask, secrets_of
from language.responses.events import UNREADABLE
from language.responses.rooms import at_terminal as words

SHORT = 8
"""Letters of an id that are shown."""


class _Times(Protocol):
    @property
    def started(self) -> datetime: ...
    @property
    def updated(self) -> datetime: ...


Row = TypeVar("Row", bound=_Times)


@dataclass(frozen=True, slots=True)
class StreamCommands(Generic[Row]):
    """What commands have to know of a kind of stream."""

    noun: str
    listed_by: str
    """The command that lists them."""
    rows: Callable[[Services], Sequence[Row]]
    id_of: Callable[[Row], str]
    describe: Callable[[Services, Row], tuple[dict[str, JsonValue], str]]
    """Returns what JSON says of one, and what a line says; both besides its times."""
    export: Callable[[Services, str], dict[str, JsonValue]]
    delete: Callable[[Services, str], None]
    none: str = ""
    """What is said where there are none."""


def find(kind: StreamCommands[Row], services: Services, wanted: str) -> str:
    """Return the id of the one stream whose id begins with what was given. Raises LookupError."""
    return beginning_with(wanted, map(kind.id_of, kind.rows(services)), kind.noun, kind.listed_by)


def print_list(kind: StreamCommands[Row], services: Services, *, as_json: bool) -> None:
    """List streams, last used first: one a line, or one JSON object a line."""
    rows = kind.rows(services)
    for row in rows:
        fields, line = kind.describe(services, row)
        if as_json:
            times = {"started": row.started.isoformat(), "updated": row.updated.isoformat()}
            print(json.dumps({**fields, **times}, ensure_ascii=False))
        else:
            print(f"{kind.id_of(row)[:SHORT]}  {shown_time(row.updated)}  {line}".rstrip())
    if kind.none and not rows and not as_json:
        print(kind.none)


def print_export(kind: StreamCommands[Row], services: Services, wanted: str) -> None:
    print(json.dumps(kind.export(services, find(kind, services, wanted)), ensure_ascii=False))


def delete(kind: StreamCommands[Row], services: Services, wanted: str) -> None:
    found = find(kind, services, wanted)
    kind.delete(services, found)
    print(f"{kind.noun.capitalize()} {found[:SHORT]} was deleted.")


def shown_time(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _describe_conversation(services: Services, row: SessionRow) -> tuple[dict[str, JsonValue], str]:
    name = _name(services, row.session_id)
    fields: dict[str, JsonValue] = {"session": row.session_id, "catalog": row.catalog, "name": name}
    return {**fields, "events": row.entries}, f"{row.catalog}  {row.entries} events  {name}"


def _name(services: Services, session_id: str) -> str:
    """Return what the owner calls a conversation, else its last goal; nothing without its catalog."""
    try:
        seen = services.snapshot(session_id)
    except DamagedStream:
        return UNREADABLE
    except LookupError:
        return ""
    goals = (*seen.conversation.goals.past, *seen.conversation.goals.stack)
    return mask(seen.conversation.setup.name or (goals[-1].label if goals else ""), secrets_of(seen.catalog, seen.log))


def _describe_room(_: Services, row: RoomRow) -> tuple[dict[str, JsonValue], str]:
    fields: dict[str, JsonValue] = {"room": row.id, "title": row.title, "events": row.entries, "governed": row.governed}
    return fields, words.listed(row.entries, row.title, governed=row.governed)


CONVERSATIONS = StreamCommands(
    "conversation",
    "planglass sessions",
    Services.sessions,
    lambda row: row.session_id,
    _describe_conversation,
    Services.export,
    Services.delete,
)
ROOMS = StreamCommands(
    "room",
    "planglass room --rooms",
    lambda services: services.rooms.rooms(),
    lambda row: row.id,
    _describe_room,
    lambda services, room_id: services.rooms.export(room_id),
    lambda services, room_id: services.rooms.delete(room_id),
    words.NO_ROOMS,
)


def run_sessions(options: argparse.Namespace) -> int:
    """List the conversations, last used first: id, catalog, when, how much, and name or last goal; or export one."""
    with closing(make_services(chosen=options.set)) as services:
        if options.export:
            from dialogue.services.exporting import export  # proofs take what nothing else does

            exported, openings = export(services.snapshot(find(CONVERSATIONS, services, options.export)))
            if options.openings:
                Path(options.openings).write_text(json.dumps(openings, ensure_ascii=False), encoding="utf-8")
            print(json.dumps(exported, ensure_ascii=False))
            return 0
        print_list(CONVERSATIONS, services, as_json=options.json)
    return 0


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    add_json(command, "one JSON object a conversation")
    command.add_argument("--export", metavar="ID", help="print a conversation as JSON that `planglass verify` checks")
    command.add_argument("--openings", metavar="FILE", help="with --export: write what is masked there, with salts")


COMMANDS: Commands = {"sessions": (run_sessions, _declare)}
