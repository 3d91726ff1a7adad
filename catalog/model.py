"""The catalog: facts with their type tree, skills, goals, and the events that trigger goals.

A skill is ⟨[[i, {o}ᵢ], …], δ⟩ (seed 000, §1): modes with inputs and mutually exclusive outcomes, and a limit on tries.
All values here are frozen. Files are read by `catalog.load`; whether a catalog makes sense is judged by `catalog.check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from catalog.values import Text, ValueKind

Name = Annotated[str, Field(min_length=1, max_length=100)]
Sentence = Annotated[str, Field(max_length=2_000)]


class Entry(BaseModel):
    """Base of everything a catalog holds: frozen, and strict about the keys it knows."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Named(Entry):
    """An entry under a name of its own, with the words that people see."""

    name: Name
    label: Sentence = Field(default="", description="What people call it; by default the name, with spaces.")
    description: Sentence = Field(default="", description="One sentence for people: used in explanations.")

    @model_validator(mode="before")
    @classmethod
    def _label_from_name(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and not data.get("label"):
            return {**data, "label": str(data.get("name", "")).replace("_", " ")}
        return data


class Effect(StrEnum):
    """What calling a skill does to the world outside."""

    NONE = "none"
    """It only reads: it may be called again at will."""
    IDEMPOTENT = "idempotent"
    """It writes, and writing the same twice is as writing once."""
    IRREVERSIBLE = "irreversible"
    """It must never happen twice unasked."""


class AuthorizationPolicy(StrEnum):
    """How often consent is asked before sensitive facts go to a skill (seed 000, §3.5)."""

    PER_SKILL = "per_skill"
    """Once for each skill, the first time it gets anything sensitive."""
    PER_FACT = "per_fact"
    """Once for each data element, whichever skills get it."""


class Fact(Named):
    """A piece of information that the assistant may know."""

    value: ValueKind = Field(default=Text(), description="What its value may be: how it is read, checked and shown.")
    ask: Sentence | None = Field(default=None, description="The question that asks a person for it.")
    is_a: Name | None = Field(default=None, description="Its supertype: a fact that it can stand for.")
    sensitive: bool = Field(default=False, description="Masked when shown; given to a skill only with consent.")
    askable: bool = Field(default=True, description="false: the planner never plans to ask for it.")
    fillable: bool = Field(
        default=True,
        description="false: slot filling cannot ask for it, which the planner only learns when it tries.",
    )
    why_not_fillable: Sentence | None = Field(default=None, description="The reason people are given for that.")
    examples: tuple[Sentence, ...] = Field(default=(), description="Ways in which people state it.")


class Outcome(Named):
    """One of the mutually exclusive results of a mode."""

    facts: tuple[Name, ...] = Field(default=(), description="The facts it establishes.")
    doubts: tuple[Name, ...] = Field(
        default=(), description="Inputs that it shows to be wrong: they are no longer known, and may be asked again."
    )
    say: Sentence | None = Field(default=None, description="What the assistant tells the user when this happens.")


class Mode(Entry):
    """One way to call a skill: its inputs, and what may come of it."""

    name: Name
    inputs: tuple[Name, ...] = ()
    optional: tuple[Name, ...] = Field(default=(), description="Inputs that are passed if they happen to be known.")
    outcomes: Mapping[Name, Outcome] = Field(min_length=1)


class Skill(Named):
    """A declared capability."""

    endpoint: str = Field(description="Where it runs: python:package.module:callable")
    explain: str | None = Field(default=None, description="Endpoint that attributes its decision to its inputs.")
    max_tries: Annotated[int, Field(ge=1, le=100)] = 1
    cost: Annotated[float, Field(ge=0)] = 1.0
    effect: Effect = Effect.NONE
    timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 20.0
    sensitive: tuple[Name, ...] = Field(default=(), description="Inputs that need consent for this skill alone.")
    modes: Mapping[Name, Mode] = Field(min_length=1)


class Goal(Named):
    """What a user may want: facts to be known, all of them."""

    facts: tuple[Name, ...] = Field(min_length=1)
    examples: tuple[Sentence, ...] = Field(default=(), description="Utterances that ask for it.")
    done: Sentence | None = Field(default=None, description="Said on completion; {fact} stands for a fact's value.")


class Extension(Entry):
    """A goal offered when another completes (seed 000, §3.3)."""

    after: Name
    offer: Name
    say: Sentence


class Trigger(Named):
    """Something other than an utterance that happens, brings facts, and triggers a goal."""

    goal: Name
    say: Sentence
    facts: tuple[Name, ...] = Field(default=(), description="Facts that the event carries.")


class Settings(Entry):
    """How the assistant of this catalog behaves."""

    ask_cost: Annotated[float, Field(ge=0)] = 1.0
    authorize_cost: Annotated[float, Field(ge=0)] = 1.0
    authorization: AuthorizationPolicy = AuthorizationPolicy.PER_SKILL
    max_asks: Annotated[int, Field(ge=1, le=10)] = Field(default=3, description="How often one question is put.")
    max_goals: Annotated[int, Field(ge=1, le=100)] = Field(default=10, description="How deep the goal stack may get.")


class Catalog(Named):
    """Everything an assistant can do."""

    version: Annotated[int, Field(ge=1, le=1)] = Field(default=1, description="Of the catalog format.")
    greeting: Sentence = "Hello. What can I do for you?"
    facts: Mapping[Name, Fact] = Field(min_length=1)
    skills: Mapping[Name, Skill] = Field(default_factory=dict)
    goals: Mapping[Name, Goal] = Field(default_factory=dict)
    extensions: tuple[Extension, ...] = ()
    triggers: Mapping[Name, Trigger] = Field(default_factory=dict)
    settings: Settings = Settings()

    def supertypes(self, fact: str) -> Iterator[str]:
        """Yield the fact itself, then each fact that it can stand for, nearest first."""
        seen: set[str] = set()
        at: str | None = fact
        while at is not None and at not in seen:
            seen.add(at)
            yield at
            at = self.facts[at].is_a if at in self.facts else None

    @cached_property
    def subtypes(self) -> Mapping[str, tuple[str, ...]]:
        """For each fact: itself, then every fact that can stand for it, in the order of the catalog."""
        found: dict[str, list[str]] = {name: [name] for name in self.facts}
        for name in self.facts:
            for above in self.supertypes(name):
                if above != name and above in found:
                    found[above].append(name)
        return {name: tuple(below) for name, below in found.items()}

    def is_sensitive(self, fact: str) -> bool:
        """Tell whether a fact, or any fact it can stand for, is sensitive."""
        return any(self.facts[above].sensitive for above in self.supertypes(fact) if above in self.facts)

    def sensitive_inputs(self, skill: str, mode: str) -> tuple[str, ...]:
        """List the inputs of a mode (optional ones too) that need consent."""
        declared = self.skills[skill]
        inputs = (*declared.modes[mode].inputs, *declared.modes[mode].optional)
        return tuple(f for f in inputs if self.is_sensitive(f) or f in declared.sensitive)
