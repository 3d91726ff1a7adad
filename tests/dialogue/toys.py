"""A small catalog of toys, skills whose behaviour a test can set, and an understander that reads a plain notation.

The notation stands for no language at all: `goal NAME`, `FACT=VALUE`, `stop`, `yes`, `no`, `skip`, `what`, `how FACT`,
`why FACT`, `chain FACT`, `spend AMOUNT`, and `maybe NAME …`, several in one line with `;` between them; items of a list
have `+` between them. A request with its own arguments is `goal NAME with FACT=VALUE, FACT@0`, where `@` refers to what
the request at that position (or at several, `@0+1`) comes to; `would NAME with …` asks how that would be done, and
`error TEXT` is what rules have against it all; nothing heeds `but WORDS`; `define NAME` asks what a fact or a skill is.
What is being tested with it is what the assistant does with a meaning; that meanings are read well is tested with the
real understander.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import JsonValue

from catalog.load import Loaded, loads
from catalog.model import Catalog
from catalog.skills import UNKNOWN, Result, SkillInput
from catalog.values import ListOf, Period
from dialogue.log.stores import SqliteStore, Store
from dialogue.services import Services
from explain.model import Question, QuestionKind
from explain.words import ExplanationText
from language.content import Reason
from language.interpretation import (
    Analysis,
    Context,
    Coreference,
    DialogueAct,
    Entity,
    ExplanationRequest,
    Intent,
    Interpretation,
    Preference,
    Span,
    Unheeded,
)

CATALOG = """
version: 1
name: toys
label: Toys
facts:
  a: {description: the letter a, ask: What is a?}
  b: {description: the letter b, ask: What is b?}
  c: {description: the letter c, fillable: false, why_not_fillable: only the maker knows c}
  secret: {description: a secret number, ask: What is the secret?, sensitive: true}
  prize: {alias: /prizes/giver, description: the prize, fillable: false, public: true}
  trophy: {description: the trophy, fillable: false}
  toy: {description: any toy, fillable: false}
  car: {description: a toy car, is_a: toy, askable: false}
  wish: {description: what is wished for, value: {kind: choice, options: [red, blue]}, ask: Red or blue?}
skills:
  maker:
    endpoint: python:tests.dialogue.toys:maker
    description: Makes c from a or from b.
    max_tries: 2
    modes:
      from_a: {inputs: [a], outcomes: {made: {facts: [c]}, spoilt: {label: spoilt, doubts: [a], say: That was spoilt.}}}
      from_b: {inputs: [b], outcomes: {made: {facts: [c]}, spoilt: {label: spoilt}}}
  giver:
    endpoint: python:tests.dialogue.toys:giver
    explain: python:tests.dialogue.toys:giver_explained
    description: Gives the prize for c and the secret.
    effect: irreversible
    modes:
      give: {inputs: [c, secret], outcomes: {won: {facts: [prize]}, lost: {facts: []}}}
  engraver:
    endpoint: python:tests.dialogue.toys:engraver
    description: Engraves a trophy.
    modes:
      engrave: {inputs: [c], outcomes: {engraved: {facts: [trophy]}}}
  garage:
    endpoint: python:tests.dialogue.toys:garage
    description: Parks a car.
    modes:
      park: {inputs: [wish], outcomes: {parked: {facts: [car]}}}
goals:
  prize: {label: the prize, facts: [prize], examples: [give me the prize], done: "You have won {prize}."}
  trophy: {label: the trophy, facts: [trophy], examples: [give me the trophy]}
  toy: {label: a toy, facts: [toy], examples: [give me a toy]}
  both: {label: everything, facts: [trophy, toy], examples: [give me everything]}
extensions:
  - {after: trophy, offer: toy, say: Would you like a toy as well?}
triggers:
  fire: {goal: toy, say: There is a fire., facts: [wish]}
"""

TODAY = date(2026, 11, 21)


class Behaviour:
    """What the skills do; a test sets it, and reads how often each was called."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, SkillInput]]] = []
        self.maker: Callable[[Mapping[str, SkillInput]], object] = lambda _: Result("made", {"c": "sea"})
        self.giver: Callable[[Mapping[str, SkillInput]], object] = lambda _: Result("won", {"prize": "a bear"})
        self.lookup: Callable[[Mapping[str, SkillInput]], object] = lambda _: UNKNOWN
        self.weights: dict[str, object] = {"c": 0.75, "secret": -0.25}
        self.gate = threading.Event()
        self.gate.set()

    def called(self, skill: str) -> int:
        return sum(1 for name, _ in self.calls if name == skill)


BEHAVIOUR = Behaviour()


def maker(values: Mapping[str, SkillInput]) -> object:
    BEHAVIOUR.calls.append(("maker", dict(values)))
    assert BEHAVIOUR.gate.wait(30)
    return BEHAVIOUR.maker(values)


def giver(values: Mapping[str, SkillInput]) -> object:
    BEHAVIOUR.calls.append(("giver", dict(values)))
    return BEHAVIOUR.giver(values)


def giver_explained(values: Mapping[str, SkillInput], result: Result) -> dict[str, object]:
    return BEHAVIOUR.weights


def giver_looked_up(values: Mapping[str, SkillInput]) -> object:
    return BEHAVIOUR.lookup(values)


def engraver(values: Mapping[str, SkillInput]) -> Result:
    BEHAVIOUR.calls.append(("engraver", dict(values)))
    return Result("engraved", {"trophy": "a cup"})


def garage(values: Mapping[str, SkillInput]) -> Result:
    BEHAVIOUR.calls.append(("garage", dict(values)))
    return Result("parked", {"car": "a car"})


class Notation:
    """Reads the notation above."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def analyse(self, text: str, context: Context) -> Analysis:
        return Analysis(text, self.understand(text, context))

    def warm(self) -> None:
        """Load nothing."""

    def understand(self, text: str, context: Context) -> Interpretation:
        found = Interpretation()
        for piece in (part.strip() for part in text.split(";")):
            found = self._read(piece, text, context, found)
        return found

    def _read(self, piece: str, text: str, context: Context, found: Interpretation) -> Interpretation:
        start = text.find(piece)
        span = Span(start=start, end=start + len(piece), text=piece)
        word, _, rest = piece.partition(" ")
        if piece in set(DialogueAct):
            return found.model_copy(update={"control": DialogueAct(piece)})
        if word in ("goal", "would"):
            goals = (*found.goals, self._request(rest, span, text))
            return found.model_copy(update={"goals": goals, "hypothetical": word == "would"})
        if word == "but":
            beside = Span(start=start + 4, end=start + len(piece), text=rest)
            unheeded = (*found.unheeded, Unheeded(span=beside, alters=True))
            return found.model_copy(update={"unheeded": unheeded})
        if word == "define":
            return found.model_copy(update={"term": rest})
        if word == "error":
            return found.model_copy(update={"errors": (*found.errors, rest)})
        if word == "spend":
            return found.model_copy(update={"preference": Preference(span=span, budget=float(rest))})
        if word == "maybe":
            names, _, said = rest.partition(" with ")
            requests = (self._request(f"{name} with {said}" if said else name, span, text) for name in names.split())
            unsure = tuple(request.model_copy(update={"confidence": 0.3}) for request in requests)
            return found.model_copy(update={"candidates": unsure})
        if word in set(QuestionKind):
            fact, full = rest.removesuffix(" full"), rest.endswith(" full")
            return found.model_copy(
                update={"question": ExplanationRequest(kind=QuestionKind(word), fact=fact or None, full=full)}
            )
        if "=" in piece:
            return found.model_copy(update={"values": (*found.values, self._value(piece, text))})
        return found.model_copy(update={"unclear": "I expected something else" if context.pending else None})

    def _value(self, piece: str, text: str) -> Entity:
        fact, _, value = piece.partition("=")
        start = text.find(piece) + len(fact) + 1
        said = Span(start=start, end=start + len(value), text=value)
        kind = self.catalog.facts[fact].value if fact in self.catalog.facts else None
        given: JsonValue = list(value.split("+")) if isinstance(kind, ListOf) else value
        if isinstance(kind, Period):
            given = dict(zip(("start", "end"), value.split("+"), strict=True))
        return Entity(fact=fact, value=given, span=said, rule="notation")

    def _request(self, words: str, span: Span, text: str) -> Intent:
        goal, _, said = words.partition(" with ")
        pieces = [piece.strip() for piece in said.split(",") if piece.strip()]
        references = [piece.partition("@") for piece in pieces if "=" not in piece]
        return Intent(
            goal=goal,
            span=span,
            confidence=1.0,
            values=tuple(self._value(piece, text) for piece in pieces if "=" in piece),
            references=tuple(
                Coreference(fact=fact, to=tuple(map(int, filter(None, to.split("+")))), span=span)
                for fact, _, to in references
            ),
        )


def load_toys(text: str = CATALOG) -> Loaded:
    return loads(text, file="toys.yaml")


def open_toys(store: Store, catalog: str = CATALOG) -> Services:
    """Services over the toys on a store."""
    return Services(
        store,
        {"toys": load_toys(catalog)},
        understander=Notation,
        allowed=("tests.dialogue.toys", "tests.dialogue.bad_skills"),
        trusted=("tests.dialogue.toys",),
        clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
        today=TODAY,
    )


class Talk:
    """A conversation over services: what is said, what is replied, and what is on record."""

    services: Services
    session: str

    def say(self, text: str) -> list[str]:
        """Say something, wait for the end of the turn, and return what was replied."""
        before = len(self.log)
        self.services.say(self.session, text)
        assert self.services.wait(self.session, 120)
        return [e.event.text for e in self.log[before:] if e.event.kind == "replied"]

    def explain(self, question: Question) -> ExplanationText:
        """Answer a question as by a click."""
        return self.services.analyses.explanation(self.services.snapshot(self.session), question).result()

    @property
    def log(self):  # type: ignore[no-untyped-def]
        return self.services.snapshot(self.session).log

    @property
    def now(self):  # type: ignore[no-untyped-def]
        return self.services.snapshot(self.session).conversation

    def events(self, kind: str):  # type: ignore[no-untyped-def]
        return [entry.event for entry in self.log if entry.event.kind == kind]

    def in_words(self, reason: Reason) -> str:
        return self.services.snapshot(self.session).words_of(reason)

    def reasons(self, kind: str) -> list[str]:
        """Return the reasons of the events of a kind, in words."""
        return [self.in_words(event.reason) for event in self.events(kind)]

    @property
    def asks(self) -> str | None:
        pending = self.now.questions.pending
        return None if pending is None else f"{pending.asked.about} {pending.asked.subject}"


class Toybox(Talk):
    """Services over the toys, with one conversation open."""

    def __init__(self, home: Path, catalog: str = CATALOG) -> None:
        BEHAVIOUR.__init__()  # type: ignore[misc]
        self.home = home
        self.catalog = catalog
        self.services = self.open()
        self.session = self.services.start("toys")

    def open(self) -> Services:
        return open_toys(SqliteStore(self.home / "sessions.db"), self.catalog)

    def restart(self) -> None:
        self.services.close()
        self.services = self.open()
