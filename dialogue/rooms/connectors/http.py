"""A bot over HTTP: one POST for each occasion, with its JSON; the answer is a JSON list of messages.

Norm files come from any author, and must not reach what only this machine can: an address inside the network is
refused, unless the operator allows it. The name is resolved once, and connections go to the addresses that were judged;
redirections are not followed. docs/norms.md has the protocol.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from urllib.parse import SplitResult, urlsplit

from pydantic import JsonValue
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.util.ssl_match_hostname import CertificateError

from catalog.norms.fipa import as_fields
from catalog.norms.occasion import Occasion
from catalog.values.base import HIDDEN as MASK
from dialogue.rooms.connectors.protocol import BOT_SECONDS, BotFailed, BotRefused
from language.responses.rooms import bot_faults

GRACE_S = 1.0
"""So long after its time limit a call is given up that has not ended by itself: its name is being looked up, say."""
SCHEMES = ("http", "https")
LARGEST_BYTES = 256 * 1024
"""Of an answer."""
_ADDRESS = re.compile(r"""https?:(?:\\?/){2}[^\s"']*""", re.IGNORECASE)
_CLOSING = "]},"
_PORTS = {"http": 80, "https": 443}
_OK = 200
_FAULTS = (HTTPError, HTTPException, OSError, CertificateError)


@dataclass(eq=False)
class HttpBot:
    """Posts occasions to an address. `hosts` are those inside the network that the operator allows.

    `seconds` are for all of a call, however slowly its bytes come; `limit_s`, a bit more, is when it is given up.
    """

    address: str
    hosts: Collection[str]
    seconds: float = BOT_SECONDS
    limit_s: float = BOT_SECONDS + GRACE_S

    def answer(self, occasion: Occasion) -> object:
        """Post an occasion; return what was answered. Raises BotFailed."""
        until = time.monotonic() + self.seconds
        url = _split(self.address)
        body = json.dumps(occasion_to_json(occasion)).encode()
        try:
            with _connected(url, self.hosts, until) as connection:
                text = _post(connection, url, body)
                if time.monotonic() >= until:
                    raise TimeoutError
        except _FAULTS as error:
            if time.monotonic() >= until:
                raise BotFailed(bot_faults.cut_off(self.seconds)) from error
            raise BotFailed(bot_faults.not_reached(type(error).__name__)) from error
        if len(text) > LARGEST_BYTES:
            raise BotFailed(bot_faults.too_large(LARGEST_BYTES))
        return _read(text)


def http_bot(address: str, hosts: Collection[str], seconds: float) -> HttpBot:
    """Return the bot at an address, which need not be there yet. Raises BotRefused for what is no address."""
    _split(address)
    return HttpBot(address, hosts, seconds, seconds + GRACE_S)


@contextmanager
def _connected(url: SplitResult, allowed: Collection[str], until: float) -> Iterator[HTTPConnection]:
    """Connect to the first address of a host that can be reached, until a time; then the connection is cut.

    A time limit of a socket is for each read, so a server that sends byte after byte would never be cut by it.
    """
    host, port = url.hostname or "", url.port or _PORTS[url.scheme]
    addresses = _resolve(host, port, allowed)
    for place, ip in enumerate(addresses, start=1):
        left = max(0.001, until - time.monotonic())
        connection = (
            HTTPSConnection(ip, port, timeout=left, server_hostname=host, assert_hostname=host)
            if url.scheme == "https"
            else HTTPConnection(ip, port, timeout=left)
        )
        held: list[socket.socket] = []
        timer = threading.Timer(left, _cut, (connection, held))
        timer.daemon = True
        timer.start()
        try:
            try:
                connection.connect()
            except _FAULTS:
                if place == len(addresses) or time.monotonic() >= until:
                    raise
                continue
            if connection.sock is not None:
                held.append(connection.sock)
            yield connection
            return
        finally:
            timer.cancel()
            connection.close()


def _cut(connection: HTTPConnection, held: Sequence[socket.socket]) -> None:
    """End whatever is waited for on a connection; once it is made its socket is `held`, which a response may take."""
    for one in held or filter(None, [connection.sock]):
        with suppress(OSError):
            socket.socket.shutdown(one, socket.SHUT_RDWR)


def _post(connection: HTTPConnection, url: SplitResult, body: bytes) -> bytes:
    """Post something; return what was answered, up to one byte more than may be. Raises BotFailed."""
    headers = {"Host": url.netloc, "Content-Type": "application/json", "Accept": "application/json",
               "Accept-Encoding": "identity"}  # fmt: skip
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    connection.request("POST", path, body=body, headers=headers, preload_content=False, decode_content=False)
    with connection.getresponse() as came:
        if came.status != _OK:
            raise BotFailed(bot_faults.answered_status(came.status))
        text = b""
        while more := came.read(LARGEST_BYTES + 1 - len(text), decode_content=False):
            text += more  # where an answer ends before it should, the last read raises
        return text


def occasion_to_json(occasion: Occasion) -> dict[str, JsonValue]:
    """Write an occasion as bots over HTTP get it."""
    plain = occasion.model_dump(mode="json", exclude={"message", "posted"})
    message = None if occasion.message is None else as_fields(occasion.message)
    return {**plain, "message": message, "posted": [as_fields(one) for one in occasion.posted]}


def without_keys(bot: str) -> str:
    """Return what answers for a bot without what may be a key: of an address only the host is left.

    Paths, queries and names of users may all hold one.
    """
    if not re.match(r"https?:", bot, re.IGNORECASE):
        return bot
    scheme, _, rest = bot.partition(":")
    host = re.split(r"[/?#\\]", rest.lstrip("/\\"), maxsplit=1)[0]
    shown = f"{scheme}://{host.rpartition('@')[2]}"
    return shown if shown == bot.rstrip("/") else f"{shown}/{MASK}"


def hide_keys(text: str) -> str:

    def without(found: re.Match[str]) -> str:
        address = found[0].rstrip(_CLOSING)
        return without_keys(address) + found[0][len(address) :]

    return _ADDRESS.sub(without, text)


def _split(address: str) -> SplitResult:
    """Return the parts of an address; names of users and passwords do not belong there. Raises BotRefused."""
    try:
        url = urlsplit(address)
        named = bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        named = False
    if (
        not named
        or url.scheme not in SCHEMES
        or url.username is not None
        or MASK in address
        or re.search(r"[\s\x00-\x1f\x7f]", address)
    ):
        raise BotRefused(bot_faults.no_address(without_keys(address)))
    return url


def _resolve(host: str, port: int, allowed: Collection[str]) -> tuple[str, ...]:
    """Return the addresses of a host that may be connected to. Raises BotFailed where all are inside the network."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BotFailed(bot_faults.not_reached(type(error).__name__)) from error
    addresses = tuple(dict.fromkeys(str(one[4][0]) for one in found))
    if {host, f"{host}:{port}"}.isdisjoint(allowed):
        addresses = tuple(filter(_is_outside, addresses))
    if not addresses:
        raise BotFailed(bot_faults.inside(host, allowed))
    return addresses


def _is_outside(address: str) -> bool:
    """Return whether an address is one of the whole internet; what an IPv6 address stands for counts."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or _nat64(ip)
        ip = inner or ip
    return ip.is_global and not ip.is_multicast


def _nat64(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in ipaddress.IPv6Network("64:ff9b::/96") else None


def _read(text: bytes) -> object:
    try:
        answered = json.loads(text)
    except (ValueError, RecursionError):
        raise BotFailed(bot_faults.NO_MESSAGES) from None
    if not isinstance(answered, list):
        raise BotFailed(bot_faults.NO_MESSAGES)
    return answered
