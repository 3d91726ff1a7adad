"""`planglass room`: take part in a room from a terminal, and list, export and delete rooms.

At a terminal, what others say appears while you type. From a pipe, each line is said, and what follows from it is
printed before the next one. Exit codes: 0 done, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Iterator
from functools import partial

from pydantic import Field, JsonValue, ValidationError

from catalog.load.demo_files import NORM_DEMOS
from catalog.load.yaml_reader import read_file
from catalog.norms.load import FORM, read_norms
from dialogue.agents.terminal.plain import plain
from dialogue.cli.arguments import Commands, add_json, add_services_command, beginning_with
from dialogue.cli.conversation import TURN_TIMEOUT_S
from dialogue.cli.screen import Screen
from dialogue.cli.terminal import Output, Terminal
from dialogue.log.stores import StoreFailed, UnknownStream
from dialogue.rooms.events import JudgedMessage
from dialogue.rooms.governance.standing import standing_of
from dialogue.rooms.transcript import tell
from dialogue.services import Services
from dialogue.services.rooms.rooms import RoomServices, RoomView
from explain.rooms.answers import answer_about_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind
from language.interpretation import Frozen
from language.responses.rooms import at_terminal as words
from language.responses.rooms.notices import say_turned_away

FOLLOW_S = 0.2
"""How often it is looked whether somebody spoke at another terminal or in a browser."""
SHORT = 8
"""Letters of the id of a room that are shown."""
_WHO = (RoomQuestionKind.WHO_MUST, RoomQuestionKind.WHO_MAY, RoomQuestionKind.WHO_MUST_NOT)
_ASKED = {"/who": _WHO, "/denied": (RoomQuestionKind.WHAT_DENIED,), "/norms": (RoomQuestionKind.NORMS_NOW,)}
_COMMANDS = (*_ASKED, "/leave", "/quit", "/help")


def add_commands(commands: Commands) -> None:
    """Declare `planglass room`."""
    command = add_services_command(commands, "room", "talk in a room with people and bots, under norms", run)
    what = "open a room under these norms: the name of a demo room, or a file"
    command.add_argument("norms", metavar="NORMS", nargs="?", help=what)
    command.add_argument("--room", metavar="ID", help="go into this room (or the first letters of its id)")
    command.add_argument("--as", dest="name", metavar="NAME", help="your name in the room (default: your user name)")
    command.add_argument("--import", dest="taken", metavar="FILE", help="say the FIPA messages of a file; - for stdin")
    command.add_argument("--fipa", action="store_true", help="with --export: what was posted, in FIPA's notation")
    command.add_argument("--denied", action="store_true", help="show what was denied, too")
    command.add_argument("--ungoverned", action="store_true", help="open it without applying the norms")
    what_else = command.add_mutually_exclusive_group()
    what_else.add_argument("--rooms", action="store_true", help="list the rooms")
    what_else.add_argument("--export", metavar="ID", help="print a room as JSON")
    what_else.add_argument("--delete", metavar="ID", help="delete a room for good")
    add_json(command, "one JSON object for each line that is said; with --rooms, one for each room")


def run(options: argparse.Namespace, here: Terminal) -> int:
    """Take part in a room, or do something with the rooms that are kept."""
    with here.services(options.set) as services:
        rooms = services.rooms
        if options.rooms:
            _list(rooms, here.out, as_json=options.json)
        elif options.export:
            room_id = _find(rooms, options.export)
            as_json = "" if options.fipa else json.dumps(rooms.export(room_id), ensure_ascii=False)
            print(as_json or rooms.export_fipa(room_id), file=here.out)
        elif options.delete:
            room_id = _find(rooms, options.delete)
            rooms.delete(room_id)
            print(f"Room {room_id[:SHORT]} was deleted.", file=here.out)
        else:
            return _take_part(options, services, here)
    return 0


def _take_part(options: argparse.Namespace, services: Services, here: Terminal) -> int:
    if (options.norms is None) == (options.room is None):
        raise ValueError("Name norms for a new room, or --room ID to go into one: `planglass room --rooms` lists them.")
    rooms = services.rooms
    name = options.name if options.name is not None else here.user()
    taken = None if options.taken is None else _read_text(options.taken, here)
    if options.room is not None:
        room_id = _find(rooms, options.room)
    else:
        room_id = rooms.open(_norms(options.norms, here), governed=not options.ungoverned)
    if taken is not None:
        return _take_in(rooms, room_id, taken, here, opened=options.room is None)
    try:
        rooms.join(room_id, name)
    except ValueError:
        if options.room is None:
            rooms.delete(room_id)  # nobody has been in it
        raise
    window = Window(rooms, room_id, name, here, denied=options.denied)
    if options.json:
        return window.answer_in_json()
    return window.at_terminal() if here.is_interactive else window.line_by_line()


def _read_text(name: str, here: Terminal) -> str:
    return "".join(here.lines()) if name == "-" else here.path(name).read_text(encoding="utf-8")


def _take_in(rooms: RoomServices, room_id: str, text: str, here: Terminal, *, opened: bool) -> int:
    """Say the messages of a text in a room, and print what happened; for a text that has none nothing is opened."""
    before = rooms.view(room_id).room.seq
    try:
        taken = rooms.take_in(room_id, text)
    except ValueError:
        if opened:
            rooms.delete(room_id)
        raise
    seen = rooms.view(room_id)
    for line in (line for entry in seen.log if entry.seq > before for line in tell(entry, seen.room, "", denied=True)):
        print(f"  {plain(line)}", file=here.out)
    if taken.passed_over:
        print(words.passed_over(taken.passed_over), file=here.err)
    refused = [one for _, one in taken.receipts if one.turned_away is not None]
    return 2 if refused else 0


def _norms(source: str, here: Terminal) -> str:
    """Return the name of a demo, or the text of a file; what is wrong with it is told with the file's name."""
    if source in NORM_DEMOS:
        return source
    text, file = read_file(here.path(source), FORM)
    read_norms(text, file)
    return text.decode("utf-8")


def _find(rooms: RoomServices, wanted: str) -> str:
    return beginning_with(wanted, (row.id for row in rooms.rooms()), "room", "planglass room --rooms")


def _list(rooms: RoomServices, out: Output, *, as_json: bool) -> None:
    rows = rooms.rooms()
    for row in rows:
        if as_json:
            times = {"started": row.started.isoformat(), "updated": row.updated.isoformat()}
            listed = {"room": row.id, "title": row.title, "events": row.entries, "governed": row.governed}
            print(json.dumps({**listed, **times}, ensure_ascii=False), file=out)
        else:
            when = row.updated.astimezone().strftime("%Y-%m-%d %H:%M")
            line = words.listed(row.id[:SHORT], when, row.entries, row.title, governed=row.governed)
            print(line, file=out)
    if not rows and not as_json:
        print(words.NO_ROOMS, file=out)


class _Line(Frozen):
    """A line that is a JSON object."""

    text: str
    receivers: tuple[str, ...] = ()
    in_reply_to: str = Field(default="", coerce_numbers_to_str=True)
    private: bool | None = None


class Window:
    """A room as one person sees it at a terminal; `denied` are shown, too, if that is wanted."""

    def __init__(self, rooms: RoomServices, room_id: str, name: str, here: Terminal, *, denied: bool) -> None:
        self._rooms, self._room, self._name, self._denied = rooms, room_id, name, denied
        self._here = here
        self._seen = 0
        self._code = 0

    def line_by_line(self) -> int:
        """Say each line of standard input, and print what follows from it before the next one."""
        self._wait()
        self._print(self._news())
        for line in self._here.lines():
            text = line.strip()
            if text == "/quit":
                break
            self._print(self._do(text))
            self._wait()
            self._print(self._news())
            if text == "/leave":
                break
        return self._code

    def answer_in_json(self) -> int:
        """Say each line of standard input, and print one object for what follows from it."""
        self._wait()
        before = 0
        for number, line in enumerate(self._here.lines(), start=1):
            said = list(self._do(line.strip()))
            self._wait()
            seen = self._rooms.view(self._room, self._name)
            told = json.dumps(turn_json(seen, number, before, said), ensure_ascii=False)
            print(told, file=self._here.out, flush=True)
            before = seen.room.seq
        return self._code

    def at_terminal(self) -> int:
        """Read what somebody types, and show what happens meanwhile above it."""
        screen = self._here.screen(f"{self._name}> ")
        view = self._rooms.view(self._room, self._name)
        threading.Thread(target=self._rooms.warm, args=(view.room.norms,), name="warm", daemon=True).start()
        screen.show([words.welcome(view.room.title, self._room[:SHORT], self._name)])
        over = threading.Event()
        follower = threading.Thread(target=self._follow, args=(screen, over), name="follow", daemon=True)
        follower.start()
        try:
            while (text := screen.read()) is not None and text != "/quit":
                said = list(self._do(text))
                screen.show(lambda said=said: [*said, *self._news()])  # type: ignore[misc]
                if text == "/leave":
                    break
        finally:
            over.set()
            follower.join(TURN_TIMEOUT_S)
        return 0

    def _follow(self, screen: Screen, over: threading.Event) -> None:
        try:
            while not over.is_set():
                try:
                    self._rooms.wait(self._room, FOLLOW_S, lambda room: room.seq > self._seen)
                    screen.show(self._news)
                except StoreFailed:
                    over.wait(FOLLOW_S)
        except UnknownStream:
            screen.show([words.GONE])

    def _wait(self) -> None:
        self._here.wait(partial(self._rooms.wait, self._room), TURN_TIMEOUT_S)

    def _news(self) -> list[str]:
        """Return what happened since it was told last."""
        seen = self._rooms.view(self._room, self._name)
        new = [entry for entry in seen.log if entry.seq > self._seen]
        self._seen = seen.room.seq
        return [line for entry in new for line in tell(entry, seen.room, self._name, denied=self._denied)]

    def _print(self, lines: Iterator[str] | list[str]) -> None:
        for line in lines:
            print(f"  {plain(line)}", file=self._here.out, flush=True)

    def _do(self, line: str) -> Iterator[str]:
        """Say a line in the room, or do what it is a command for; yield what is to be shown to this person alone."""
        if not line:
            return
        if line in _ASKED:
            record = self._rooms.record(self._room, self._name)
            for kind in _ASKED[line]:
                answer = answer_about_room(record, RoomQuestion(kind, asker=self._name))
                yield from (sentence.text() for sentence in answer.sentences)
        elif line == "/help":
            yield from words.HELP.split("\n")
        elif line == "/leave":
            self._rooms.leave(self._room, self._name)
        elif line.startswith("/"):
            yield self._wrong(words.unknown_command(line, _COMMANDS))
        else:
            yield from self._say(line)

    def _say(self, line: str) -> Iterator[str]:
        try:
            said = _read(line)
            alone = bool(said.receivers or said.in_reply_to or said.private)
            receipt = None if alone else self._rooms.ask(self._room, self._name, said.text)
            if receipt is None:
                receipt = self._rooms.say(
                    self._room,
                    self._name,
                    said.text,
                    receivers=said.receivers,
                    in_reply_to=said.in_reply_to,
                    private=said.private,
                )
        except ValidationError as error:
            yield self._wrong("; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors()))
        except ValueError as error:
            yield self._wrong(str(error))
        else:
            if receipt.turned_away is not None:
                yield self._wrong(say_turned_away(self._name, receipt.turned_away.value))

    def _wrong(self, text: str) -> str:
        self._code = 2
        return f"planglass: {text}"


def _read(line: str) -> _Line:
    if not line.startswith("{"):
        return _Line(text=line)
    try:
        return _Line.model_validate_json(line)
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the line'}: {e['msg']}" for e in error.errors())
        write = "text, and if need be receivers, in_reply_to and private"
        raise ValueError(f"A line that begins with {{ is to be a JSON object with {write}. Found: {found}.") from error


def turn_json(seen: RoomView, number: int, before: int, answers: list[str]) -> dict[str, JsonValue]:
    """Return what followed from one line, in the form of `room --json`."""
    room = seen.room
    new = [entry for entry in seen.log if entry.seq > before]
    judged = {entry.event.of for entry in new if isinstance(entry.event, JudgedMessage)}
    said = [room.messages[entry] for entry in room.messages if entry in judged]
    stands: dict[str, JsonValue] = {"must": [], "may": [], "must_not": []}
    for one in standing_of(room.governance, room.status) if room.governed else ():
        names = stands[one.position.value]
        assert isinstance(names, list)
        names.append(one.member.name)
    return {
        "turn": number,
        "shown": list(answers),
        "posted": [
            {"entry": one.entry, **one.message.model_dump(mode="json", include={"sender", "text", "receivers"})}
            | {"text": one.message.text, "private": one.message.private}
            for one in said
            if one.posted
        ],
        "denied": [
            {
                "entry": one.entry,
                "sender": one.message.sender,
                "text": one.message.text if one.is_for(seen.viewer) else "",
                "norms": list(one.verdict.norms),
            }
            for one in said
            if one.verdict is not None and not one.posted
        ],
        "stands": stands,
        "events": [{**entry.event.model_dump(mode="json"), "seq": entry.seq} for entry in new],
    }
