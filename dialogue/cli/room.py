"""`planglass room`: take part in a room from a terminal, and list, export and delete rooms.

At a terminal, what others say appears while you type. From a pipe, each line is said, and what follows from it is
printed before the next one. Exit codes: 0 done, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from getpass import getuser
from pathlib import Path

from pydantic import Field, JsonValue, ValidationError

from catalog.load.demo_files import NORM_DEMOS
from catalog.load.yaml_reader import read_file
from catalog.norms.load import FORM, read_norms
from dialogue.agents.terminal.plain_text import plain
from dialogue.cli.arguments import Commands, add_json, add_settings
from dialogue.cli.screen import Screen, is_interactive, read_object
from dialogue.cli.streams import ROOMS, SHORT, delete, find, print_export, print_list
from dialogue.log.stores import StoreFailed, UnknownStream
from dialogue.log.streams import Entry
from dialogue.rooms import events
from dialogue.rooms.governance.speaking_rights import standing_of
from dialogue.rooms.room import Room, RoomMessage
from dialogue.services import Services, make_services
from dialogue.services.rooms.rooms import RoomServices, RoomView
from explain.rooms.answers import answer_about_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind
from language.interpretation import Frozen
from language.responses.rooms import at_terminal as words
from language.responses.rooms import notices


def tell(entry: Entry, room: Room, viewer: str, *, denied: bool = False) -> Iterator[str]:
    """Tell of an entry what a viewer is to see of it: `denied` are messages of others that were denied."""
    match entry.event:
        case events.JudgedMessage(of=of):
            yield from tell_message(room, room.messages[of], viewer, denied=denied)
        case events.RoomAsked(participant=name, text=text):
            yield words.asked(name, text)
        case events.RoomExplained(text=text):
            yield from words.message(words.EXPLAINER, text)
        case events.Joined(participant=name):
            yield notices.say_joined((name,))
        case events.Left(participant=name):
            yield notices.say_left((name,))
        case events.TurnedAway(participant=name, reason=reason) if name != viewer:
            yield notices.say_turned_away(name, reason.value)
        case events.ReactionFailed(participant=name, trouble=trouble):
            yield notices.say_failure(name, trouble)
        case events.Lapsed(lapse=lapse, left=left):
            yield notices.say_lapse(room.specification.norms[lapse.norm].label, lapse.bearers, left=left)
        case _:
            pass


def tell_message(room: Room, one: RoomMessage, viewer: str, *, denied: bool) -> Iterator[str]:
    said = one.message
    if one.verdict is None:
        return
    if not one.posted:
        own = said.sender == viewer
        if own or denied:
            labels = [room.specification.norms[name].label for name in one.verdict.norms]
            yield from words.denied(said.sender, said.text if one.is_for(viewer) else "", labels, own=own)
    elif one.is_for(viewer):
        yield from words.message(said.sender, said.text, only=(said.sender, *said.receivers) if said.private else ())
    else:
        yield notices.say_private(said.sender, said.receivers, asked=said.asks)


FOLLOW_S = 0.2
"""Seconds between two looks for messages from other terminals and browsers."""
_LONGEST_S = 300.0
"""How long is waited for what follows from a line."""
_WHO = (RoomQuestionKind.WHO_MUST, RoomQuestionKind.WHO_MAY, RoomQuestionKind.WHO_MUST_NOT)
_ASKED = {"/who": _WHO, "/denied": (RoomQuestionKind.WHAT_DENIED,), "/norms": (RoomQuestionKind.NORMS_NOW,)}
_COMMANDS = (*_ASKED, "/leave", "/quit", "/help")


def run_room(options: argparse.Namespace) -> int:
    """Take part in a room, or do something with the rooms that are kept."""
    with closing(make_services(chosen=options.set)) as services:
        if options.rooms:
            print_list(ROOMS, services, as_json=options.json)
        elif options.export and options.fipa:
            print(services.rooms.export_fipa(find(ROOMS, services, options.export)))
        elif options.export:
            print_export(ROOMS, services, options.export)
        elif options.delete:
            delete(ROOMS, services, options.delete)
        else:
            return _take_part(options, services)
    return 0


def _take_part(options: argparse.Namespace, services: Services) -> int:
    if (options.norms is None) == (options.room is None):
        raise ValueError("Name norms for a new room, or --room ID to go into one: `planglass room --rooms` lists them.")
    rooms = services.rooms
    name = options.name if options.name is not None else getuser()
    taken = None
    if options.taken is not None:
        taken = sys.stdin.read() if options.taken == "-" else Path(options.taken).read_text(encoding="utf-8")
    if options.room is not None:
        room_id = find(ROOMS, services, options.room)
    else:
        room_id = rooms.open(_norms(options.norms), governed=not options.ungoverned)
    if taken is not None:
        return _take_in(rooms, room_id, taken, opened=options.room is None)
    try:
        rooms.join(room_id, name)
    except ValueError:
        if options.room is None:
            rooms.delete(room_id)  # it was never used
        raise
    window = Window(rooms, room_id, name, denied=options.denied)
    if options.json:
        return window.answer_in_json()
    return window.at_terminal() if is_interactive() else window.line_by_line()


def _take_in(rooms: RoomServices, room_id: str, text: str, *, opened: bool) -> int:
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
        print(f"  {plain(line)}")
    if taken.passed_over:
        print(words.passed_over(taken.passed_over), file=sys.stderr)
    refused = [one for _, one in taken.receipts if one.turned_away is not None]
    return 2 if refused else 0


def _norms(source: str) -> str:
    """Return the name of a demo, or the text of a file; what is wrong with it is told with the file's name."""
    if source in NORM_DEMOS:
        return source
    text, file = read_file(Path(source), FORM)
    read_norms(text, file)
    return text.decode("utf-8")


class _Line(Frozen):
    """A line that is a JSON object."""

    text: str
    receivers: tuple[str, ...] = ()
    in_reply_to: str = Field(default="", coerce_numbers_to_str=True)
    private: bool | None = None


class Window:
    """A room as one person sees it at a terminal; `denied` are shown, too, if that is wanted."""

    def __init__(self, rooms: RoomServices, room_id: str, name: str, *, denied: bool) -> None:
        self._rooms, self._room, self._name, self._denied = rooms, room_id, name, denied
        self._seen = 0
        self._code = 0

    def line_by_line(self) -> int:
        """Say each line of standard input, and print what follows from it before the next one."""
        self._wait()
        self._print(self._news())
        for line in sys.stdin:
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
        for number, line in enumerate(sys.stdin, start=1):
            said = list(self._do(line.strip()))
            self._wait()
            seen = self._rooms.view(self._room, self._name)
            told = json.dumps(turn_json(seen, number, before, said), ensure_ascii=False)
            print(told, flush=True)
            before = seen.room.seq
        return self._code

    def at_terminal(self) -> int:
        """Read what is typed, and show what happens meanwhile above it."""
        screen = Screen(f"{self._name}> ")
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
            follower.join(_LONGEST_S)
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
        self._rooms.wait(self._room, _LONGEST_S)

    def _news(self) -> list[str]:
        """Return what happened since it was told last."""
        seen = self._rooms.view(self._room, self._name)
        new = [entry for entry in seen.log if entry.seq > self._seen]
        self._seen = seen.room.seq
        return [line for entry in new for line in tell(entry, seen.room, self._name, denied=self._denied)]

    def _print(self, lines: Iterator[str] | list[str]) -> None:
        for line in lines:
            print(f"  {plain(line)}", flush=True)

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
            said = _Line(text=line)
            if line.startswith("{"):
                said = read_object(line, _Line, "text, and if need be receivers, in_reply_to and private")
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
                yield self._wrong(notices.say_turned_away(self._name, receipt.turned_away.value))

    def _wrong(self, text: str) -> str:
        self._code = 2
        return f"planglass: {text}"


def turn_json(seen: RoomView, number: int, before: int, answers: list[str]) -> dict[str, JsonValue]:
    """Return what followed from one line, in the form of `room --json`."""
    room = seen.room
    new = [entry for entry in seen.log if entry.seq > before]
    judged = {entry.event.of for entry in new if isinstance(entry.event, events.JudgedMessage)}
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


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
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


COMMANDS: Commands = {"room": (run_room, _declare)}
