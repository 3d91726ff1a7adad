"""Calling a skill: with a time limit, and with whatever goes wrong turned into a typed failure."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, Protocol, TypeVar

from catalog import endpoints
from catalog.checks.results import BadOutput, accept, files_in
from catalog.endpoints import ALLOWED, EndpointRefused, confinement
from catalog.endpoints.processes import Workers, call_all
from catalog.endpoints.skill_worker import TooLargeToPass, answer_of, request_of, skill_workers
from catalog.endpoints.threads import Late, Raised, ReturnedValue, run
from catalog.model import Catalog, Skill
from catalog.skills import NO_EFFECT, UNKNOWN, Result, SkillInput, calling_with_key
from dialogue.state.masking import mask
from language.responses import calls

_T = TypeVar("_T")
_log = logging.getLogger(__name__)
_LONGEST_MESSAGE, _LONGEST_KEPT = 5_000, 500
_WARMING_S = 120.0


@dataclass(frozen=True, slots=True)
class Returned:
    """A declared outcome with checked values; attributions are of the decision to its inputs, heaviest first.

    Values that stand for files name them by digest: `files` are to be kept in the store before the values are recorded.
    """

    result: Result
    attributions: tuple[tuple[str, float], ...]
    seconds: float
    explained_seconds: float = 0.0
    files: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class NoEffect:
    """A call took no effect, as the skill's own lookup says."""


@dataclass(frozen=True, slots=True)
class Untold:
    """A skill's own lookup could not tell what became of a call: it does not know, or did not answer properly."""

    why: Literal["unknown", "raised", "timed_out", "bad_output", "unavailable"]


Told = Returned | NoEffect | Untold
"""What a skill's own lookup says of a call: how it ended, that it took no effect, or nothing."""


@dataclass(frozen=True, slots=True)
class NotReturned:
    """The call ended in an error. `told` is what the skill's own lookup said then, where it has one and was asked.

    A `message` may hold words of the skill, made of what it was given; then `wordless` says the same without them.
    """

    error: Literal["raised", "timed_out", "bad_output", "in_doubt", "unavailable"]
    message: str
    seconds: float
    told: Told | None = None
    wordless: str = ""
    why: str = ""
    """Why the skill could not be called, for the chat, where its readers may see that."""

    def kept(self, secrets: Collection[str], *, handed_secrets: bool) -> str:
        """Return what is written down of it: words of a skill that was handed secrets are made of them."""
        return mask(self.wordless if self.wordless and handed_secrets else self.message, secrets)[:_LONGEST_KEPT]


class Caller(Protocol):
    """Calls skills."""

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned: ...

    def look_up(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Told: ...


@dataclass(frozen=True, slots=True)
class SkillCaller:
    """Calls skills whose endpoints the operator's list `allowed` permits."""

    allowed: Collection[str]
    limit_s: float = math.inf
    """Seconds for one call, where the catalog allows it more."""
    workers: Workers = field(default_factory=skill_workers)
    """What calls skills in processes of their own."""
    trusted: Collection[str] = ALLOWED
    """Packages whose functions are called in this process."""
    unconfined: bool = False
    """Whether others are called where the system cannot keep them from files."""
    tells_why: bool = True
    """Whether the chat says why a skill could not be called: where the operator is the only reader."""
    timer: Callable[[], float] = time.monotonic

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        """Call a skill in one mode with a value for each input; never raises for anything that the skill does."""
        declared = catalog.skills[skill]
        if declared.endpoint is None:
            return NotReturned("unavailable", calls.for_planning_only(declared.label), 0.0)
        began = self.timer()
        called = {fact: name for name, fact in declared.binds.items()}
        given = {called.get(fact, fact): value for fact, value in values.items()}
        limit_s = min(declared.timeout_s, self.limit_s)
        try:
            came = self._have(declared, declared.endpoint, key, dict(given))
        except EndpointRefused as error:
            message = str(error).strip()[:_LONGEST_MESSAGE]
            return NotReturned("unavailable", message, self.timer() - began, why=message if self.tells_why else "")
        seconds = self.timer() - began
        if came is None:
            return NotReturned("timed_out", calls.timed_out(limit_s), seconds)
        if isinstance(came, _Raised):
            return NotReturned("raised", came.message, seconds, wordless=came.name)
        try:
            result = accept(catalog, skill, mode, came.value)
        except BadOutput as error:
            message = calls.bad_output(error)[:_LONGEST_MESSAGE]
            return NotReturned("bad_output", message, seconds, wordless=f"{error.known} {error.write}")
        began = self.timer()
        told = Result(result.outcome, {called.get(fact, fact): value for fact, value in result.facts.items()})
        weights = self._attribute(declared, key, given, told)
        attributions = tuple((declared.binds.get(name, name), weight) for name, weight in weights)
        return Returned(result, attributions, seconds, self.timer() - began, files_in(came.value))

    def look_up(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Told:
        """Ask a skill's own lookup what became of a call; what it answers is checked like what the skill returns."""
        declared = catalog.skills[skill]
        if declared.lookup is None:
            return Untold("unknown")
        called = {fact: name for name, fact in declared.binds.items()}
        given = {called.get(fact, fact): value for fact, value in values.items()}
        began = self.timer()
        try:
            came = self._have(declared, declared.lookup, key, given)
        except EndpointRefused as error:
            _log.warning("what became of a call of %s cannot be looked up: %s", skill, str(error))
            return Untold("unavailable")
        if not isinstance(came, ReturnedValue):
            _log.warning("the lookup of %s told nothing: %s", skill, _name_of(came))
            return Untold("timed_out" if came is None else "raised")
        if isinstance(came.value, str) and came.value in (NO_EFFECT, UNKNOWN):
            return NoEffect() if came.value == NO_EFFECT else Untold("unknown")
        try:
            result = accept(catalog, skill, mode, came.value)
        except BadOutput:
            return Untold("bad_output")
        return Returned(result, (), self.timer() - began, files=files_in(came.value))

    def warm(self, catalog: Catalog) -> None:
        """Load what the first calls of a catalog's skills would wait for: modules, models, connections."""
        named: dict[Callable[[], object], str] = {}
        for skill in catalog.skills.values():
            if skill.endpoint is None:
                continue
            with suppress(EndpointRefused):  # the call itself reports it
                endpoints.check(skill.endpoint, self.allowed)
                if not self._is_here(skill, skill.endpoint):
                    continue
                if (load := endpoints.prepare(skill.endpoint, self.allowed)) is not None:
                    named.setdefault(load, skill.name)
        for load, name in named.items():
            came = _run(load, _WARMING_S)
            if not isinstance(came, ReturnedValue):
                _log.warning("the skill %s could not be prepared: %s", name, _name_of(came))

    def close(self) -> None:
        self.workers.close()

    def _is_here(self, skill: Skill, endpoint: str) -> bool:
        return not skill.apart and endpoints.is_trusted(endpoint, self.trusted)

    def check_apart(self, endpoint: str) -> None:
        """Raise EndpointRefused unless a function of a package that is not trusted can be called here at all."""
        endpoints.check(endpoint, self.allowed)
        if not (self.unconfined or confinement.is_possible()):
            raise EndpointRefused(
                endpoint,
                calls.NOT_CONFINED,
                calls.trusted_are(sorted(self.trusted)),
                calls.TRUST_OR_CONFINE,
            )

    def _attribute(
        self, skill: Skill, key: str, values: Mapping[str, SkillInput], result: Result
    ) -> tuple[tuple[str, float], ...]:
        """Ask the skill for its own explanation; one that fails costs the explanation, never the result."""
        if skill.explain is None:
            return ()
        try:
            came = self._have(
                skill, skill.explain, key, dict(values), result, read=partial(_read_weights, facts=values)
            )
        except EndpointRefused as error:
            _log.warning("skill %s cannot be explained: %s", skill.name, str(error))
            return ()
        if not isinstance(came, ReturnedValue):
            _log.warning("skill %s gave no explanation: %s", skill.name, _name_of(came))
            return ()
        return tuple(sorted(came.value, key=lambda item: -abs(item[1])))

    def _have(
        self, skill: Skill, endpoint: str, key: str, *given: Any, read: Callable[[Any], Any] = lambda found: found
    ) -> ReturnedValue[Any] | _Raised | None:
        """Have an endpoint of a skill answer, here or in a process of its own; None where that took too long.

        What it answers is `read` under the same time limit.
        """
        limit_s = min(skill.timeout_s, self.limit_s)
        if self._is_here(skill, endpoint):
            function = endpoints.connect(endpoint, self.allowed)

            def answer() -> Any:
                with calling_with_key(key):
                    return read(function(*given))

            return _run(answer, limit_s)
        self.check_apart(endpoint)
        try:
            request = request_of(self.workers, endpoint, self.allowed, limit_s, *given, key=key)
        except TypeError as error:
            return _Raised(type(error).__name__)
        except TooLargeToPass as error:
            return _Raised(calls.too_large_to_pass(error.most))
        (came,) = call_all([request])
        if isinstance(came, ReturnedValue):
            return _run(lambda: read(answer_of(came.value)), limit_s)
        if isinstance(came, Raised) and getattr(came.error, "loading", False):
            raise EndpointRefused(endpoint, calls.failed_apart(came.error), "", "")
        if isinstance(came, Late) and came.starting:
            raise EndpointRefused(endpoint, calls.not_ready(came.seconds), "", "")
        return _Raised(calls.failed_apart(came.error)) if isinstance(came, Raised) else None


def _read_weights(found: Mapping[str, float], facts: Collection[str]) -> list[tuple[str, float]]:
    weights = [(fact, float(found[fact])) for fact in facts if fact in found]
    if not all(math.isfinite(weight) for _, weight in weights):
        raise ValueError("a weight is not a finite number")
    return weights


@dataclass(frozen=True, slots=True)
class _Raised:
    """What was raised, by its `name`, and the `words` of its raiser: they may hold values."""

    name: str
    words: str | None = None

    @property
    def message(self) -> str:
        return self.name if self.words is None else f"{self.name}: {self.words}"[:_LONGEST_MESSAGE]


def _name_of(came: _Raised | None) -> str:
    """Summarize what became of a call that gave nothing for the program's log, without any value."""
    return "it took too long" if came is None else came.name


def _run(work: Callable[[], _T], timeout_s: float) -> ReturnedValue[_T] | _Raised | None:
    """Run in a thread of its own, so that a skill that hangs costs a thread and not the conversation."""
    came = run(work, timeout_s)
    if not isinstance(came, Raised):
        return came if isinstance(came, ReturnedValue) else None
    if isinstance(came.error, TooLargeToPass):
        return _Raised(calls.too_large_to_pass(came.error.most))
    words = None
    with suppress(Exception):  # a message may be code of the skill, too
        words = str(came.error)
    return _Raised(type(came.error).__name__, words)
