"""A server that anybody may run: it is asked over HTTP, told no more than it must be, and never waited for too long."""

from __future__ import annotations

import gzip
import json
import logging
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import pytest
from pydantic_ai import models

from language.interpretation import Context, Intent, Interpretation, Span
from language.llm.client import MAX_BYTES, Client
from language.llm.language_model import LanguageModel
from language.llm.settings import ModelSettings, ModelUse
from language.understanding.with_model import ModelUnderstander
from tests.language.scripted import SHOP, TODAY, Told, refusing, requests, saying, served


@pytest.fixture(autouse=True)
def models_may_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the servers of these tests be asked."""
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)


SAID = "Show me the sales for March 2024"
ANSWER = requests(("report", SAID, {"stretch": "March 2024"}))
OFFLINE = Told(
    Interpretation(candidates=(Intent(goal="sell", span=Span(start=0, end=4, text="Show"), confidence=0.3),))
)
KEY = "sk-canary-5f3a"


def read(url: str, key: str = "", limit_s: float = 60, client: Client | None = None) -> Interpretation:
    settings = ModelSettings(ModelUse.ALWAYS, url, "some-model", key, limit_s)
    language_model = LanguageModel(settings, client=client)
    try:
        return ModelUnderstander(SHOP, OFFLINE, language_model).understand(SAID, Context(today=TODAY))
    finally:
        language_model.close()


def why(meaning: Interpretation) -> str:
    assert meaning.model_copy(update={"notes": ()}) == OFFLINE.meaning, "the offline reading is to stand"
    (note,) = meaning.notes
    return note.removeprefix("The model's answer was not used: ").rstrip(".")


def test_a_server_is_asked_for_the_form_of_the_catalog_and_told_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key goes into its header; accounts that the environment names for others go nowhere."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-somebody")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    with served(saying(ANSWER)) as endpoint:
        meaning = read(endpoint.url, KEY)
    assert [goal.goal for goal in meaning.goals] == ["report"]
    ((path, headers, body),) = endpoint.sent
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert "somebody" not in json.dumps([headers, body])
    assert body["model"] == "some-model"
    assert body["temperature"] == 0
    assert {body.get("max_tokens"), body.get("max_completion_tokens")} & {1_000}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == SAID
    assert body["response_format"]["type"] == "json_schema"
    schema = json.dumps(body["response_format"]["json_schema"])
    assert '"const": "report"' in schema or '"enum": ["report"]' in schema
    assert "maxLength" in schema
    assert not body.get("tools")


def test_a_server_that_takes_no_schema_is_told_it_in_words_from_then_on() -> None:
    client = Client()
    answers = (refusing(400), saying(f"```json\n{ANSWER}\n```"))
    with served(*answers) as endpoint:
        first = ModelSettings(ModelUse.ALWAYS, endpoint.url, "some-model")
        reader = ModelUnderstander(SHOP, OFFLINE, LanguageModel(first, client=client))
        for _ in range(2):
            assert [goal.goal for goal in reader.understand(SAID, Context(today=TODAY)).goals] == ["report"]
    client.close()
    assert len(endpoint.sent) == 3
    assert endpoint.sent[0][2]["response_format"]["type"] == "json_schema"
    for _, _, body in endpoint.sent[1:]:
        assert body.get("response_format", {}).get("type") != "json_schema"
        assert "stretch" in json.dumps(body["messages"])


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "the server did not accept the key (401)"),
        (403, "the key does not allow it (403)"),
        (404, "there is no such model, or no such address (404)"),
        (429, "the server has had too many requests, or the account is used up (429)"),
        (500, "the server refused, with status 500"),
        (503, "the server refused, with status 503"),
    ],
)
def test_a_refusal_is_said_in_words_and_not_tried_again(
    status: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the key nor what the server says of it gets into a log."""
    caplog.set_level(logging.DEBUG)
    with served(refusing(status)) as endpoint:
        assert why(read(endpoint.url, KEY)) == words
        assert len(endpoint.sent) == 1
    assert KEY not in caplog.text
    assert "sk-secret-words" not in " ".join(record.getMessage() for record in caplog.records if record.levelno > 10)


def test_a_server_that_is_not_there_is_said_to_be_unreachable(free_port: int) -> None:
    assert why(read(f"http://127.0.0.1:{free_port}/v1")) == "the server cannot be reached"


def test_a_redirect_is_not_followed() -> None:
    with served(saying(ANSWER)) as elsewhere, served(refusing(307, location=elsewhere.url)) as endpoint:
        assert why(read(endpoint.url, KEY))
        assert elsewhere.sent == []


def until_told(told: threading.Event, first: bytes) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        handler.wfile.write(first)
        handler.wfile.flush()
        told.wait(60)

    return answer


@pytest.mark.parametrize("first", [b"", b'{"choices": ['], ids=["nothing", "a beginning"])
def test_a_server_that_never_ends_is_left_when_the_time_is_up(first: bytes) -> None:
    told = threading.Event()
    with served(until_told(told, first)) as endpoint:
        assert why(read(endpoint.url, limit_s=0.3)) == "there was none within 0.3 seconds"
        told.set()


def test_an_answer_is_read_up_to_a_limit_only() -> None:
    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        while True:
            handler.wfile.write(b" " * 65_536)

    with served(flood) as endpoint:
        assert why(read(endpoint.url)) == f"it was longer than {MAX_BYTES // 1_000} kB"


def test_a_packed_answer_is_not_unpacked() -> None:
    def bomb(handler: BaseHTTPRequestHandler) -> None:
        packed = gzip.compress(b" " * 50_000_000)
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-encoding", "gzip")
        handler.send_header("content-length", str(len(packed)))
        handler.end_headers()
        handler.wfile.write(packed)

    with served(bomb) as endpoint:
        assert why(read(endpoint.url)) == "it came packed, and was not unpacked"


@pytest.mark.parametrize(
    "body", [{}, [], "text", {"choices": []}, {"choices": [{"message": {"content": None, "role": "assistant"}}]}]
)
def test_an_answer_that_is_none_is_refused(body: object) -> None:
    with served(refusing(200, body)) as endpoint:
        assert why(read(endpoint.url))


def test_a_second_answer_is_asked_for_with_the_reason() -> None:
    with served(saying(requests(("report", SAID, {"stretch": "May"}))), saying(ANSWER)) as endpoint:
        assert [goal.goal for goal in read(endpoint.url).goals] == ["report"]
    assert "'May' does not stand in the text" in endpoint.sent[1][2]["messages"][-1]["content"]
