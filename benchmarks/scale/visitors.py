"""People with a page open: what a browser sends and gets over the websocket of Streamlit, without the painting.

A visitor opens the page Assistant, says something, has the page drawn again as often as the page asks for it, and goes
on when the reply is there. Messages are the ones of Streamlit's own protocol.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from benchmarks.scale.judging import Talked, Turn
from benchmarks.turns import SAID

OPENING_S = 300.0
FINISHING_S = 300.0
"""So long a page may take to open, and a reply to come once nobody says anything new any more."""


@dataclass
class Visitor:
    """One page, and what its conversation shows: `last` is the newest message, and `busy` whether a reply is due."""

    url: str
    think_s: float = 0.0
    """Seconds of thought before something is said, half more or less by chance."""
    query: str = ""
    box: str = ""
    fragment: str = ""
    last: int = -1
    busy: bool = True
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    polls: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    talked: Talked = field(default_factory=Talked)
    listening: asyncio.Task[None] = field(init=False)

    async def visit(self, opened: asyncio.Barrier, until: asyncio.Future[float]) -> Talked:
        """Open the page; when all have opened theirs, talk until the time is over; return what was said and heard."""
        address = f"{self.url.replace('http', 'ws', 1)}/_stcore/stream"
        async with connect(
            address, origin=Origin(self.url), subprotocols=[Subprotocol("streamlit")], max_size=None,
            open_timeout=OPENING_S, ping_interval=None,
        ) as page:  # fmt: skip
            self.listening = asyncio.create_task(self._listen(page))
            self.listening.add_done_callback(lambda _: self.changed.set())
            try:
                await self._rerun(page)
                async with asyncio.timeout(OPENING_S):
                    await self._until(lambda: self.last >= 0 and bool(self.box))
                await opened.wait()
                await self._talk(page, await until)
            finally:
                for task in (self.listening, *self.polls.values()):
                    task.cancel()
        self.talked.sessions = parse_qs(self.query).get("session", [])
        return self.talked

    async def _talk(self, page: ClientConnection, until: float) -> None:
        for text in itertools.cycle(SAID):
            await asyncio.sleep(self.think_s * random.uniform(0.5, 1.5))
            if time.monotonic() >= until:
                return
            before, began = self.last, time.monotonic()
            self.talked.sent.append(text)
            await self._rerun(page, text)
            try:
                async with asyncio.timeout(until + FINISHING_S - time.monotonic()):
                    await self._until(lambda before=before: self.last > before)  # type: ignore[misc]
                    self.talked.acknowledged.append(text)
                    await self._until(lambda: not self.busy)
            except (TimeoutError, ConnectionError):
                return
            self.talked.turns.append(Turn(began, time.monotonic()))

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            if self.listening.done():
                self.listening.result()
                raise ConnectionError("the server has closed the page")
            self.changed.clear()
            await self.changed.wait()

    async def _rerun(self, page: ClientConnection, text: str = "", fragment: str = "") -> None:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.context_info.url = self.url
        message.rerun_script.fragment_id = fragment or (self.fragment if text else "")
        message.rerun_script.is_auto_rerun = bool(fragment)
        if text:
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id = self.box
            widget.chat_input_value.data = text
        await page.send(message.SerializeToString())

    async def _listen(self, page: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for data in page:
                message = ForwardMsg()
                message.ParseFromString(data if isinstance(data, bytes) else data.encode())
                self._take(page, message)

    def _take(self, page: ClientConnection, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "page_info_changed" if message.page_info_changed.query_string:
                self.query = message.page_info_changed.query_string
            case "new_session" if not message.metadata.run.fragment_ids:
                self._stop(list(self.polls))
            case "auto_rerun":
                self._stop([message.auto_rerun.fragment_id])
                polling = self._poll(page, message.auto_rerun.fragment_id, message.auto_rerun.interval)
                self.polls[message.auto_rerun.fragment_id] = asyncio.create_task(polling)
            case "stop_auto_rerun":
                self._stop(message.stop_auto_rerun.fragment_ids)
            case "delta" if message.delta.new_element.WhichOneof("type") == "chat_input":
                self.box, self.fragment = message.delta.new_element.chat_input.id, message.delta.fragment_id
                self.changed.set()
            case "delta" if message.delta.new_element.WhichOneof("type") == "bidi_component":
                self._read(message.delta.new_element.bidi_component.json)

    def _read(self, sheet: str) -> None:
        for shown in json.loads(sheet or "[]"):
            if shown.get("cls") == "chat" and shown.get("end"):
                last, busy, _ = shown["end"].split("-")
                self.last, self.busy = int(last), busy == "True"
                self.changed.set()

    async def _poll(self, page: ClientConnection, fragment: str, every_s: float) -> None:
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(every_s)
                await self._rerun(page, fragment=fragment)

    def _stop(self, fragments: Sequence[str]) -> None:
        for fragment in fragments:
            if fragment in self.polls:
                self.polls.pop(fragment).cancel()


async def visit_all(
    urls: Sequence[str], count: int, seconds: float, think_s: float = 0.0
) -> tuple[list[Talked], float]:
    """Have so many visitors, spread over the servers, talk at once; return what each did, and when they began."""
    opened = asyncio.Barrier(count + 1)
    until: asyncio.Future[float] = asyncio.get_running_loop().create_future()
    visits = [asyncio.create_task(Visitor(urls[i % len(urls)], think_s).visit(opened, until)) for i in range(count)]
    waiting = asyncio.create_task(opened.wait())
    await asyncio.wait([waiting, *visits], return_when=asyncio.FIRST_COMPLETED)
    for visit in visits:
        if visit.done():
            visit.result()  # it could not open its page: that ends the run
    began = time.monotonic()
    until.set_result(began + seconds)
    return list(await asyncio.gather(*visits)), began
