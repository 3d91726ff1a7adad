"""Bots over HTTP, with a server of their own: one POST for each occasion, and whatever a server may do instead."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from catalog.norms.message import Utterance
from catalog.norms.occasion import Happening, Occasion
from dialogue.rooms.connectors.http import http_bot
from dialogue.rooms.connectors.protocol import BotFailed
from dialogue.rooms.events import Lapsed, ReactionFailed, RefusalReason, TurnedAway
from language.responses.rooms import bot_faults
from tests.dialogue.rooms.house import OPEN, House
from tests.dialogue.rooms.test_governance import DESK

Json = dict[str, Any]
Reply = Callable[["Handler", Json], object]


def inform(*texts: str) -> list[Json]:
    """Return messages that are understood already."""
    return [{"content": text, "utterances": [{"act": "inform"}]} for text in texts]


class Handler(BaseHTTPRequestHandler):
    """Answers a POST as the test says: with an object, written as JSON, or in a way of its own."""

    bot: ServedBot

    def do_POST(self) -> None:
        """Note what was posted, and answer."""
        posted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.bot.posted.append(posted)
        about = (posted["message"] or {}).get("sender")
        with suppress(OSError):  # the other side may have hung up
            answer = self.bot.reply(self, posted) if about == "Ana" else []
            if answer is not None:
                self.send(json.dumps(answer).encode())

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        """Send an answer."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self, data: bytes) -> None:
        """Send something and then byte after byte, until the other side hangs up."""
        self.wfile.write(data)
        while not self.bot.closed.wait(0.01):
            self.wfile.write(b" ")

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


class ServedBot:
    """A bot behind an address of this machine."""

    def __init__(self) -> None:
        self.reply: Reply = lambda handler, posted: []
        self.posted: list[Json] = []
        self.closed = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"bot": self}))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def address(self, host: str = "127.0.0.1") -> str:
        """Return where it is."""
        return f"http://{host}:{self.port}/bot?key=1"

    def room(self, house: House, base: Json | None = None) -> str:
        """Open a room in which it answers for Pat, with Ana in it."""
        base = OPEN if base is None else base
        pat = {**base["participants"]["Pat"], "bot": self.address()}
        house.hosts = house.hosts or (f"127.0.0.1:{self.port}",)
        return house.room({**base, "participants": {**base["participants"], "Pat": pat}}, "Ana")


@pytest.fixture
def served() -> Iterator[ServedBot]:
    """A bot that answers nothing, where the test does not say otherwise."""
    bot = ServedBot()
    yield bot
    bot.closed.set()
    bot.server.shutdown()
    bot.server.server_close()


def failures(house: House, room: str) -> list[str]:
    """Return what went wrong with Pat."""
    return [one.trouble for one in house.events(room, ReactionFailed) if one.participant == "Pat"]


def test_what_is_shown_is_one_post_each_and_the_answer_is_a_list_of_messages(house: House, served: ServedBot) -> None:
    served.reply = lambda handler, posted: inform(f"You said: {posted['message']['content']}")
    room = served.room(house)
    house.say(room, "Ana", "Hello!")
    assert house.posted(room) == [("Ana", "Hello!"), ("Pat", "You said: Hello!")]
    opened, asked, own = served.posted
    assert (opened["what"], opened["message"], opened["you"], opened["room"]) == ("opened", None, "Pat", room)
    assert (asked["message"]["sender"], asked["posted"], own["message"]["sender"]) == ("Ana", [], "Pat")
    assert [one["content"] for one in own["posted"]] == ["Hello!"]
    assert {one["name"]: one["kind"] for one in own["participants"]} == {"Pat": "bot", "Bill": "bot", "Ana": "person"}
    house.restart()
    house.quiet(room)
    assert len(served.posted) == 3, "what was answered is not posted again"


def stop_short(handler: Handler, posted: Json) -> None:
    """Answer less than the head says: what came would be a whole answer."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[]")
    handler.connection.shutdown(socket.SHUT_WR)


BOMB = gzip.compress(b"[" + b" " * 50_000_000 + b"]")
ZIPPED: dict[str, Any] = {"Content-Encoding": "gzip"}
BROKEN: dict[str, tuple[Reply, str]] = {
    "no JSON": (lambda handler, posted: handler.send(b"{hello"), bot_faults.NO_MESSAGES),
    "an object": (lambda handler, posted: {"content": "hello"}, bot_faults.NO_MESSAGES),
    "brackets without end": (lambda handler, posted: handler.send(b"[" * 200_000), bot_faults.NO_MESSAGES),
    "a bomb": (
        lambda handler, posted: handler.send(BOMB, **ZIPPED),
        bot_faults.NO_MESSAGES,
    ),
    "1 MB": (lambda handler, posted: ["x" * 1_000_000], bot_faults.too_large(256 * 1024)),
    "an error": (lambda handler, posted: handler.send(b"[]", 500), "HTTP status 500"),
    "nothing": (lambda handler, posted: handler.send(b"", 204), "HTTP status 204"),
    "a redirect": (
        lambda handler, posted: handler.send(b"", 307, Location=handler.bot.address()),
        "HTTP status 307 instead of 200. Redirects are not followed",
    ),
    "no HTTP": (lambda handler, posted: handler.wfile.write(b"hello\r\n\r\n") and None, "It cannot be reached"),
    "hanging up": (lambda handler, posted: handler.connection.shutdown(socket.SHUT_RDWR), "It cannot be reached"),
    "less than it promised": (stop_short, "It cannot be reached"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_an_answer_that_cannot_be_used_costs_the_bot_its_turn_and_is_told(
    house: House, served: ServedBot, what: str
) -> None:
    served.reply, trouble = BROKEN[what]
    room = served.room(house)
    house.say(room, "Ana", "Hello!")
    (told,) = failures(house, room)
    assert trouble in told
    served.reply = lambda handler, posted: inform("Better now.")
    house.say(room, "Ana", "And now?")
    assert house.posted(room)[-1] == ("Pat", "Better now.")
    assert sum((one["message"] or {}).get("sender") == "Ana" for one in served.posted) == 2, "nothing is asked twice"


WRONG: tuple[Any, ...] = (
    7, None, True, 1.5, [], [[[]]], {}, {"content": 7}, {"content": ["x"]}, {"utterances": {"act": "inform"}},
    {"utterances": [{"act": "inform", "text": {"a": 1}}]}, {"content": "x", "receivers": "Ana" * 5_000},
    {"content": "x" * 200_000},
    {"utterances": [{"act": "inform", "values": json.loads('{"a":' * 800 + "1" + "}" * 800)}]},
    {"content": "x", "in_reply_to": {}}, {"content": "x", "at": "tomorrow"}, {"content": "x", "private": "perhaps"},
)  # fmt: skip


@pytest.mark.parametrize("answer", WRONG, ids=range(len(WRONG)))
def test_a_message_of_another_form_is_turned_away_or_taken_and_the_room_goes_on(
    house: House, served: ServedBot, answer: Any
) -> None:
    served.reply = lambda handler, posted: [answer]
    room = served.room(house)
    house.say(room, "Ana", "Hello!")
    served.reply = lambda handler, posted: inform("Better now.")
    house.say(room, "Ana", "And now?")
    assert house.posted(room)[-1] == ("Pat", "Better now.")


SLOW: dict[str, Reply] = {
    "it says nothing": lambda handler, posted: handler.drip(b"") if handler.bot.closed.wait(5) else None,
    "its head drips": lambda handler, posted: handler.drip(b"HTTP/1.1 200 OK\r\nX-A: b"),
    "its heads have no end": lambda handler, posted: handler.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n["),
    "its body drips": lambda handler, posted: handler.drip(b"HTTP/1.1 200 OK\r\n\r\n["),
}


@pytest.mark.parametrize("how", SLOW)
def test_the_time_limit_is_for_all_of_an_answer_however_its_bytes_come(
    house: House, served: ServedBot, how: str
) -> None:
    served.reply = SLOW[how]
    house.limit_s = 0.2
    room = served.room(house)
    house.say(room, "Ana", "Hello!")
    assert failures(house, room) == [bot_faults.cut_off(0.2)]
    served.reply = lambda handler, posted: inform("Better now.")
    house.limit_s = 20
    house.say(room, "Ana", "And now?")
    assert house.posted(room)[-1] == ("Pat", "Better now."), "the call that was cut does not hang"


SENT: dict[str, tuple[object, list[tuple[str, RefusalReason]], list[str]]] = {
    "in another's name": ([{"sender": "Ana", "content": "I agree."}], [("Pat", RefusalReason.ANOTHERS_NAME)], []),
    "the same twice": (inform("Fine.", "Fine."), [("Pat", RefusalReason.TWICE)], ["Fine."]),
    "no messages": ([7, None, [], {"colour": "red"}], [("Pat", RefusalReason.NOT_UNDERSTOOD)] * 4, []),
    "too long": (["x" * 30_000], [("Pat", RefusalReason.TOO_LONG)], []),
    "a flood": (inform(*map(str, range(50))), [("Pat", RefusalReason.FLOOD)], [f"{number}" for number in range(20)]),
}


@pytest.mark.parametrize("what", SENT)
def test_messages_that_are_not_the_bots_own_are_turned_away(house: House, served: ServedBot, what: str) -> None:
    answer, turned_away, posted = SENT[what]
    served.reply = lambda handler, shown: answer
    room = served.room(house)
    house.say(room, "Ana", "Hello!")
    assert [(one.participant, one.reason) for one in house.events(room, TurnedAway)] == turned_away
    assert [text for who, text in house.posted(room) if who == "Pat"] == posted


def test_an_answer_after_the_deadline_and_a_second_one_are_denied(house: House, served: ServedBot) -> None:
    gate = threading.Event()
    served.reply = lambda handler, posted: inform("I come.") if gate.wait(10) else None
    room = served.room(house, DESK)
    asked = (Utterance(act="query", topic="repairs"),)
    house.rooms.say(room, "Ana", "The tap drips.", utterances=asked)
    house.move(31)
    house.rooms.look(room)
    gate.set()
    house.quiet(room)
    assert [one.lapse.bearers for one in house.events(room, Lapsed)] == [("Pat",)]
    verdicts = [one.verdict for one in house.state(room).messages.values() if one.message.sender == "Pat"]
    assert [one and (one.posted, one.norms) for one in verdicts] == [(False, ())]
    served.reply = lambda handler, posted: inform("I come.", "And I bring a friend.")
    house.say(room, "Ana", "Once more, please.", "query", "repairs")
    verdicts = [one.verdict for one in house.state(room).messages.values() if one.message.sender == "Pat"]
    assert [one and one.posted for one in verdicts] == [False, True, False]


def test_all_addresses_of_a_host_are_tried_and_those_inside_the_network_only_where_allowed(
    house: House, served: ServedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def found(host: str, port: int, *more: Any, **options: Any) -> list[Any]:
        if host != "h.example":
            return real(host, port, *more, **options)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("127.0.0.2", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    served.reply = lambda handler, posted: inform("Here.")
    house.bots["bill"] = lambda occasion: None
    bots = {"Pat": served.address("h.example")}
    house.hosts = ("h.example",)
    room = house.rooms.open(json.dumps(OPEN), bots=bots)
    house.rooms.join(room, "Ana")
    house.quiet(room)
    house.say(room, "Ana", "Hello!")
    assert house.posted(room)[-1] == ("Pat", "Here.")
    house.hosts = ()
    before = len(served.posted)
    room = house.rooms.open(json.dumps(OPEN), bots=bots)
    house.quiet(room)
    assert "lies inside this network" in failures(house, room)[0] and len(served.posted) == before


INSIDE = ["10.0.0.1", "127.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fc00::1", "fe80::1%lo", "224.0.0.1",
          "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "100.64.0.1"]  # fmt: skip


@pytest.mark.parametrize("ip", INSIDE)
def test_no_address_inside_the_network_is_connected_to(monkeypatch: pytest.MonkeyPatch, ip: str) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, 80))] * 2
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: found)
    with pytest.raises(BotFailed, match="lies inside this network"):
        http_bot("http://h.example/", (), 1.0).answer(Occasion(what=Happening.OPENED, you="Pat"))
