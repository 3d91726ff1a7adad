"""Models that say what a test tells them to, a server that does, and an offline reader that reads what it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic_ai import models
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel

from catalog.load import loads
from catalog.model import Catalog
from language.interpretation import Analysis, Context, Interpretation, Segment
from language.llm.client import Client
from language.llm.language_model import LanguageModel
from language.llm.settings import ModelSettings, ModelUse
from language.understanding.with_model import ModelUnderstander

models.ALLOW_MODEL_REQUESTS = False

TODAY = date(2024, 10, 15)
HERE = "http://127.0.0.1:9/v1"

SHOP = loads(
    """
version: 1
name: shop
label: Shop
facts:
  from_day: {label: first day, value: date, ask: From when?}
  to_day: {label: last day, value: date, ask: Until when?}
  stretch: {label: period, value: {kind: period, start: from_day, end: to_day}, askable: false}
  amount: {label: amount, value: {kind: money, currency: USD}, ask: How much?}
  buyer: {label: buyer, value: person_name, ask: Who buys it?}
  channel: {label: channel, value: {kind: choice, options: {phone: [ring], chat: []}}, ask: How?}
  topic: {label: topic, value: {kind: text, max_length: 60}, ask: What about?}
  pin: {label: PIN, value: {kind: pattern, regex: '[0-9]{4}-[0-9]{4}', example: 1111-2222}, ask: PIN?, sensitive: true}
  sales: {label: sales report, fillable: false, askable: false}
  receipt: {label: receipt, fillable: false, askable: false}
  call: {label: call, fillable: false, askable: false}
mappings:
  - {fact: sales, stands_for: topic, because: a report can be talked about}
skills:
  reporter:
    endpoint: python:catalog.demos.none:a
    description: Reports.
    modes: {m: {inputs: [from_day, to_day], outcomes: {o: {facts: [sales]}}}}
  till:
    endpoint: python:catalog.demos.none:b
    description: Sells.
    modes: {m: {inputs: [amount, buyer, pin], outcomes: {o: {facts: [receipt]}}}}
  desk:
    endpoint: python:catalog.demos.none:c
    description: Calls.
    modes: {m: {inputs: [topic, channel], outcomes: {o: {facts: [call]}}}}
goals:
  report: {label: a report, facts: [sales], examples: [show me the sales]}
  sell: {label: a sale, facts: [receipt], examples: [sell something]}
  talk: {label: a call, facts: [call], examples: [put me through]}
"""
).catalog


@dataclass
class Script:
    """A model that replies one thing after the other, and remembers what it was told."""

    replies: list[str | BaseException]
    told: list[str] = field(default_factory=list)

    async def reply(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = [str(getattr(part, "content", "")) for message in messages for part in message.parts]
        self.told.append("\n".join([info.instructions or "", *parts]))
        reply = self.replies[min(len(self.told), len(self.replies)) - 1]
        if isinstance(reply, BaseException):
            raise reply
        return ModelResponse(parts=[TextPart(reply)])

    @property
    def client(self) -> Client:
        return client_of(lambda: FunctionModel(self.reply, profile={"supports_json_schema_output": True}))


def client_of(make: Callable[[], Model]) -> Client:
    @asynccontextmanager
    async def opened(_settings: ModelSettings) -> AsyncIterator[Model]:
        yield make()

    return Client(opened)


def requests(*asked: tuple[str, str, dict[str, Any]]) -> str:
    """Write an answer: goal, words, and arguments of each request."""
    return json.dumps({"requests": [{"goal": g, "words": w, "arguments": a} for g, w, a in asked]})


@dataclass
class Told:
    """An offline reader that has one meaning for whatever is said."""

    meaning: Interpretation = field(default_factory=Interpretation)
    segments: tuple[Segment, ...] = ()

    def understand(self, text: str, context: Context) -> Interpretation:
        return self.meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        return Analysis(text, self.meaning, self.segments)

    def warm(self) -> None:
        """Load nothing."""


def understander(
    catalog: Catalog, client: Client, offline: Told | None = None, mode: ModelUse = ModelUse.ALWAYS, limit_s: float = 30
) -> ModelUnderstander:
    settings = ModelSettings(mode, HERE, "scripted", limit_s=limit_s)
    return ModelUnderstander(catalog, offline or Told(), LanguageModel(settings, client=client))


@dataclass
class Endpoint:
    """A server that answers as it is told, and what it was sent."""

    url: str
    sent: list[tuple[str, dict[str, str], Any]]


@contextmanager
def served(*answers: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[Endpoint]:
    """Serve answers one after the other, the last one again and again."""
    sent: list[tuple[str, dict[str, str], Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            sent.append((self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(body)))
            try:
                answers[min(len(sent), len(answers)) - 1](self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # whoever asked has heard enough

        do_GET = do_POST

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(
        target=server.serve_forever, args=(0.01,), daemon=True
    )  # seconds until it sees that it is over
    thread.start()
    try:
        yield Endpoint(f"http://127.0.0.1:{server.server_address[1]}/v1", sent)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def saying(text: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer as such servers do."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return refusing(200, whole)


def refusing(status: int, body: Any = None, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer with a status."""
    written = json.dumps(body if body is not None else {"error": {"message": "no: sk-secret-words"}}).encode()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(written)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(written)

    return answer
