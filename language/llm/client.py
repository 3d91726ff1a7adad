"""Asking a model: the only module that talks to one, and the only one that needs the extra `llm`.

An answer comes in the form's JSON or it is refused: by the form itself, or by the judge of its content. A refused
answer is tried once more, with the reason told; then the model has had its say. All of it together takes no longer than
the settings allow, on a thread of its own, so that a name server that does not answer holds no other thread up.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, TypeVar

from catalog.skills.failures import describe_trouble
from language.llm.consultation import LONGEST_REPLY, Consulted, ModelPackagesMissing, Try
from language.llm.schema import LlmForm
from language.llm.settings import ModelSettings
from language.llm.verification import Objection, Verification

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model

MAX_TOKENS = 1_000
"""Of one answer."""
MAX_BYTES = 256_000
"""Of one answer, as it comes over the wire."""
_GRACE_S = 2.0
STOPPED = "it was stopped"
_log = logging.getLogger(__name__)

T = TypeVar("T")
MakeModel = Callable[[ModelSettings], "AbstractAsyncContextManager[Model]"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is drawn: the temperature (0: always the likeliest), and its longest length in tokens."""

    temperature: float = 0.0
    max_tokens: int = MAX_TOKENS


LIKELIEST = Sampling()

HOW_TO_INSTALL = (
    "To ask a language model, Planglass needs packages that are not installed here. Install them with "
    "pip install 'pydantic-ai-slim[openai]' (the extra `llm`), and start Planglass again."
)


def is_installed() -> bool:
    """Return whether the packages are here, without loading them."""
    return find_spec("pydantic_ai") is not None and find_spec("openai") is not None


class Client:
    """Asks models; used from several threads, each of which waits for its own answer."""

    def __init__(self, make_model: MakeModel | None = None) -> None:
        self._make_model = make_model or open_model
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked: set[Future[Any]] = set()
        self._closed = False
        self._plain: set[tuple[str, str]] = set()
        """Models that take no schema: they are told it in words."""

    def ask(
        self,
        settings: ModelSettings,
        form: LlmForm[T],
        text: str,
        judge: Callable[[T], Verification],
        sampling: Sampling = LIKELIEST,
    ) -> Consulted:
        """Have a form filled in about a text. Never raises but NotInstalled."""
        self.load()
        began = time.monotonic()
        tries: list[Try] = []
        future = self._begin(self._ask(settings, form, text, judge, tries, sampling=sampling))
        if future is None:
            return Consulted(None, trouble=STOPPED)
        try:
            found, trouble = future.result(settings.limit_s + _GRACE_S), ""
        except CancelledError:
            found, trouble = None, STOPPED
        except Exception as error:  # whatever a server or a package comes up with, the conversation goes on
            future.cancel()
            found, trouble = None, _trouble(error, settings, tries)
        finally:
            self._asked.discard(future)
        return Consulted(found, tuple(tries), trouble, time.monotonic() - began)

    def load(self) -> None:
        """Load the packages, which takes seconds the first time; no model's time is used up by it."""
        if not is_installed():
            raise ModelPackagesMissing(HOW_TO_INSTALL)
        import_module("pydantic_ai")
        import_module("pydantic_ai.models.openai")

    def cancel(self) -> None:
        """Stop waiting for any answer: callers go on without."""
        for future in tuple(self._asked):
            future.cancel()

    def close(self) -> None:
        with self._starting:
            self._closed = True
        self.cancel()

    def _begin(self, asking: Coroutine[Any, Any, Any]) -> Future[Any] | None:
        """Have it asked on the thread for that; not any more once this is closed."""
        with self._starting:
            if self._closed:
                asking.close()
                return None
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="language-model", daemon=True).start()
            future = asyncio.run_coroutine_threadsafe(asking, self._loop)
            self._asked.add(future)
            return future

    async def _ask(
        self,
        settings: ModelSettings,
        form: LlmForm[T],
        text: str,
        judge: Callable[[T], Verification],
        tries: list[Try],
        *,
        sampling: Sampling,
    ) -> Any:
        """Have the form filled in; refused answers are tried once more."""
        from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, capture_run_messages
        from pydantic_ai.exceptions import (
            ModelAuthenticationError,
            ModelContextWindowExceededError,
            ModelNotFoundError,
            ModelRequestRejectedError,
        )
        from pydantic_ai.settings import ModelSettings as Drawn
        from pydantic_ai.usage import UsageLimits

        async def fill(output: Any) -> Any:
            agent: Agent[None, Any] = Agent(
                model,
                output_type=output,
                instructions=form.instructions,
                retries={"output": 1},
                name="understanding",
                deps_type=type(None),
                model_settings=Drawn(temperature=sampling.temperature, max_tokens=sampling.max_tokens),
            )
            objections: list[tuple[Objection, ...]] = []
            found: list[Any] = []

            @agent.output_validator
            def _judged(filled: Any) -> Any:
                verdict = judge(form.read(filled))
                objections.append(verdict.objections)
                if verdict.objections:
                    raise ModelRetry("\n".join(objection.told for objection in verdict.objections))
                found.append(verdict.found)
                return filled

            with capture_run_messages() as messages:
                try:
                    await agent.run(text, usage_limits=UsageLimits(request_limit=2))
                finally:
                    tries.extend(_tries(messages, objections))
            return found[-1]

        async with asyncio.timeout(settings.limit_s), self._make_model(settings) as model:
            which = (settings.url, settings.model)
            if which not in self._plain:
                try:
                    return await fill(NativeOutput(form.answer, strict=True))
                except (ModelAuthenticationError, ModelContextWindowExceededError, ModelNotFoundError):
                    raise
                except ModelRequestRejectedError:
                    tries.clear()
                    self._plain.add(which)
            return await fill(PromptedOutput(form.answer))


def _tries(messages: Sequence[ModelMessage], judged: Sequence[tuple[Objection, ...]]) -> Iterator[Try]:
    """Put together what was replied with what was against it: what did not even fit the form was never judged."""
    from pydantic_ai.messages import ModelResponse

    replies = [message for message in messages if isinstance(message, ModelResponse)]
    unfit = (Objection("This does not fit the form.", "an answer that does not fit the form"),)
    waiting = list(judged)
    for number, reply in enumerate(replies):
        fits = len(waiting) >= len(replies) - number
        yield Try((reply.text or "")[:LONGEST_REPLY], waiting.pop(0) if fits else unfit)


def _trouble(error: Exception, settings: ModelSettings, tries: Sequence[Try]) -> str:
    """Say what went wrong, in words that quote neither the text nor the key nor what a server sent."""
    from pydantic_ai.exceptions import (
        ModelConnectionError,
        ModelHTTPError,
        ModelTimeoutError,
        OutputTokenLimitExceeded,
        UnexpectedModelBehavior,
        UsageLimitExceeded,
    )

    causes = list(_causes(error))
    if any(isinstance(cause, AnswerTooLong) for cause in causes):
        return f"it was longer than {MAX_BYTES // 1_000} kB"
    if any(isinstance(cause, AnswerPacked) for cause in causes):
        return "it came packed, and was not unpacked"
    if any(isinstance(cause, TimeoutError | ModelTimeoutError) for cause in causes):
        return f"there was none within {settings.limit_s:g} seconds"
    if any(isinstance(cause, JSONDecodeError) for cause in causes):
        return "it was no JSON"
    words = ""
    match error:
        case ModelHTTPError(status_code=status):
            words = _STATUS.get(status, f"the server refused, with status {status}")
        case ModelConnectionError():
            words = "the server cannot be reached"
        case OutputTokenLimitExceeded():
            words = "it did not come to an end"
        case UnexpectedModelBehavior() | UsageLimitExceeded() if tries:
            reasons = dict.fromkeys(objection.noted for objection in tries[-1].objections)
            words = f"it gave {', and '.join(reasons) or 'nothing of use'}, also when asked again"
    if words:
        return words
    _log.error("asking a language model ended in %s", describe_trouble(error))
    return f"something went wrong ({type(error).__name__})"


_STATUS = {
    401: "the server did not accept the key (401)",
    403: "the key does not allow it (403)",
    404: "there is no such model, or no such address (404)",
    429: "the server has had too many requests, or the account is used up (429)",
}


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__


class AnswerTooLong(Exception):
    """A server sent more than any answer has."""


class AnswerPacked(Exception):
    """A server sent something packed, though it was asked not to: it may unpack to anything."""


@asynccontextmanager
async def open_model(settings: ModelSettings) -> AsyncIterator[Model]:
    """Reach a model behind an OpenAI-compatible address; follow no redirect, take no long or packed answer."""
    import httpx2
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, inner: Any) -> None:
            self._inner, self._left = inner, MAX_BYTES

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in self._inner:
                self._left -= len(chunk)
                if self._left < 0:
                    raise AnswerTooLong
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    async def leave_out(request: httpx2.Request) -> None:
        # What the environment says of an account elsewhere does not count here.
        for name in ("openai-organization", "openai-project"):
            request.headers.pop(name, None)

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise AnswerPacked
        response.stream = Bounded(response.stream)

    # Proxies of the environment are for what is elsewhere.
    async with httpx2.AsyncClient(
        timeout=settings.limit_s,
        follow_redirects=False,
        trust_env=not settings.loopback,
        headers={"accept-encoding": "identity"},
        event_hooks={"request": [leave_out], "response": [bound]},
    ) as http:
        client = AsyncOpenAI(base_url=settings.url, api_key=settings.key or "none", max_retries=0, http_client=http)
        yield OpenAIChatModel(settings.model, provider=OpenAICompatibleProvider("language-model", openai_client=client))
