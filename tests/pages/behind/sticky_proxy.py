"""A proxy that sends a browser always to the same server, as long as that is there: by a cookie, as our nginx does.

    python -m tests.pages.behind.sticky_proxy PORT SERVER_PORT…

Bytes are passed on as they are, websockets included; only the cookie is added to the first answer on a connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Sequence

COOKIE = re.compile(rb"(?im)^cookie:.*\bserver=(\d+)")
HEAD_ENDS = b"\r\n\r\n"


async def pass_on(reader: StreamReader, writer: StreamWriter) -> None:
    """Pass on what comes until one of the two ends."""
    with contextlib.suppress(ConnectionError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
    writer.close()


async def reach(ports: Sequence[int], first: int) -> tuple[StreamReader, StreamWriter]:
    """Connect to a server, or to the next one where it is gone. Raises ConnectionError where all are."""
    for port in (*ports[first:], *ports[:first]):
        with contextlib.suppress(ConnectionRefusedError):
            return await asyncio.open_connection("127.0.0.1", port)
    raise ConnectionError


async def serve(port: int, ports: Sequence[int]) -> None:
    turns = itertools.count()

    async def talk(browser: StreamReader, to_browser: StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await browser.readuntil(HEAD_ENDS)
            known = COOKIE.search(head)
            mine = (int(known[1]) if known else next(turns)) % len(ports)
            server, to_server = await reach(ports, mine)
            to_server.write(head)
            onward = asyncio.create_task(pass_on(browser, to_server))
            answer = (await server.readuntil(HEAD_ENDS)).removesuffix(b"\r\n")
            to_browser.write(answer + b"set-cookie: server=%d; Path=/; HttpOnly; SameSite=Lax\r\n\r\n" % mine)
            await pass_on(server, to_browser)
            onward.cancel()
        to_browser.close()

    async with await asyncio.start_server(talk, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), [int(port) for port in sys.argv[2:]]))
