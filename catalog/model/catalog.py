"""The catalog: facts with their type tree, skills, goals, and the events that trigger goals.

A skill is ⟨[[i, {o}ᵢ], …], δ⟩ (Verdi paper, §1): modes with inputs and mutually exclusive outcomes, and a limit on
tries. All values here are frozen. Files are read by `catalog.load`; whether a catalog makes sense is judged by
`catalog.checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from catalog.endpoints import LONGEST as ENDPOINT_LENGTH
from catalog.endpoints import forms, is_endpoint, pattern
from catalog.model.aliases import Aliased, Aliases, FactName, FactNames, GoalName, SkillName, SkillNames, find_aliases
from catalog.model.contact import Contacts
from catalog.model.entry import (
    MAX_MODES,
    MAX_NAMES,
    Cost,
    Entry,
    Likelihood,
    Named,
    Names,
    Sentences,
    limited_by_key,
    name_by_key,
)
from catalog.model.fact import Fact, Scope
from catalog.model.instances import InstanceOrigin, Instances, find_origins
from catalog.model.method import Method
from catalog.model.names import Name, Sentence
from catalog.model.properties import Properties
from catalog.model.settings import AuthorizationPolicy, Settings
from catalog.values import Flag, UnfitDeclaration

__all__ = [
    "ANYTHING_SENSITIVE", "Catalog", "Effect", "Endpoint", "Extension", "Fact", "FactMapping", "Goal", "Mode",
    "Ordering", "Outcome", "Scope", "Skill", "Trigger",
]  # fmt: skip

ANYTHING_SENSITIVE = "anything_sensitive"
"""In an ordering, in place of a skill: every question, consent and call that is about sensitive facts."""
_ROUNDING = 1e-9
MAX_RULES = 200
"""Texts of rules that a catalog may hold."""


def _outcomes(outcomes: Any) -> Any:
    """Take `found: [name, address]` for `found: {facts: [name, address]}`."""
    if isinstance(outcomes, Mapping):
        outcomes = {key: {"facts": value} if isinstance(value, list) else value for key, value in outcomes.items()}
    return name_by_key(outcomes)


def _endpoint(text: str) -> str:
    """Check the form alone: whether the operator allows it is for `catalog.endpoints.check` to judge."""
    if not is_endpoint(text):
        raise UnfitDeclaration(f"The endpoint {text!a:.80} is of no known form.", f"Write {forms()}.")
    return text


def _add_pattern(schema: dict[str, Any]) -> None:
    schema["pattern"] = pattern()


Endpoint = Annotated[str, Field(max_length=ENDPOINT_LENGTH, json_schema_extra=_add_pattern), AfterValidator(_endpoint)]


class Effect(StrEnum):
    """What calling a skill does to the world outside."""

    NONE = "none"
    """It only reads: it may be called again at will."""
    IDEMPOTENT = "idempotent"
    """It writes, and writing the same twice is as writing once."""
    IRREVERSIBLE = "irreversible"
    """It must never happen twice unasked."""


class Outcome(Named):
    """One of the mutually exclusive results of a mode."""

    facts: FactNames = Field(default=(), description="The facts it establishes; none is allowed.")
    doubts: FactNames = Field(
        default=(), description="Inputs that it shows to be wrong: they are no longer known, and may be asked again."
    )
    succeeds: Flag | None = Field(
        default=None,
        description="Whether the skill has then done what it is for. By default it has if it establishes facts, "
        "or if no outcome of the mode does and it doubts none.",
    )
    adverse: Flag | None = Field(
        default=None,
        description="Whether it is bad news for the person: a no that is shown and told as one. Plans do not change.",
    )
    likelihood: Likelihood | None = Field(
        default=None,
        description="How often a call ends so, up to 1. What a planner counts for the call is divided by it.",
    )
    say: Sentence | None = Field(
        default=None,
        description="What the assistant tells the user when this happens; {fact} stands for the value of a fact "
        "that it establishes.",
    )


class Mode(Entry):
    """One way to call a skill: its inputs, and what may come of it."""

    name: Name
    inputs: FactNames = Field(default=(), description="The facts that it needs.")
    optional: FactNames = Field(
        default=(), description="Facts that are passed if they are known; the user is not asked for them."
    )
    each: Annotated[Mapping[FactName, FactName], Field(max_length=1)] = Field(
        default_factory=dict,
        description="The skill is called once for each item of a list: the item, and the input that is the list.",
    )
    calls: Name | None = Field(default=None, description="With `each`: the mode in which it is called for one item.")
    outcomes: Annotated[Mapping[Name, Outcome], BeforeValidator(_outcomes)] = Field(
        min_length=1, max_length=50, description="What may come of it: exactly one of these."
    )

    @model_validator(mode="after")
    def _likely_at_most_always(self) -> Mode:
        total = sum(outcome.likelihood or 0.0 for outcome in self.outcomes.values())
        if total > 1 + _ROUNDING:
            found = f"The likelihoods of the outcomes add up to {total:g}, and a call ends in only one of them."
            raise UnfitDeclaration(found, "Let them add up to 1 at most.")
        return self

    @property
    def takes(self) -> Names:
        """List the inputs, then the optional ones."""
        return (*self.inputs, *self.optional)

    @property
    def gives(self) -> Names:
        """List the facts that some outcome establishes."""
        return tuple(dict.fromkeys([fact for outcome in self.outcomes.values() for fact in outcome.facts]))


class Skill(Aliased):
    """A declared capability."""

    endpoint: Endpoint | None = Field(
        default=None, description=f"Where it runs: {forms()}. Left out, it can be planned and not called."
    )
    explain: Endpoint | None = Field(default=None, description="Endpoint that attributes its decision to its inputs.")
    lookup: Endpoint | None = Field(
        default=None,
        description="Endpoint that tells whether a call took effect, where that is in doubt.",
    )
    simulate: Endpoint | None = Field(
        default=None,
        description="Endpoint that returns what a call would, without its effect. What-if questions are answered with "
        "it, once it has given the recorded outcome of every recorded call.",
    )
    computes: Flag = Field(
        default=False,
        description="true: its outcome follows from its inputs alone. What-if questions may call it.",
    )
    max_tries: Annotated[int, Field(ge=1, le=100)] = Field(
        default=1,
        description="How often a mode may miss a fact that was hoped for before it is not planned for it again. "
        "Calls that bring it do not count.",
    )
    max_calls: Annotated[int, Field(ge=1, le=100)] | None = Field(
        default=None,
        description="How often it may be called in one mode, whatever comes of it. "
        "Left out, there is no limit, but for an irreversible skill that of its tries.",
    )
    cost: Cost = Field(default=1.0, description="What a planner counts for one call.")
    money: Cost = Field(default=0.0, description="What one call is charged at, in the currency of the settings.")
    time_s: Cost = Field(default=0.0, description="Seconds that one call usually takes.")
    quality: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = Field(
        default=1.0, description="How good its results are, up to 1; qualities of several calls are multiplied."
    )
    effect: Effect = Field(default=Effect.NONE, description="What a call does to the world outside.")
    timeout_s: Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)] = Field(
        default=20.0, description="Seconds after which a call is given up."
    )
    apart: bool = Field(
        default=False,
        description="Called in a process of its own even where the operator trusts its package. What is supplied to a "
        "task is.",
    )
    sensitive: FactNames = Field(default=(), description="Inputs that need consent for this skill alone.")
    confirm: Sentence | None = Field(
        default=None,
        description="Asked before each call, to be answered by yes or no; {fact} stands for the value of an input. "
        "Left out, the inputs are read back before each call that has an effect.",
    )
    why_not_confirmed: Sentence | None = Field(
        default=None, description="Why an idempotent call is made without asking: it is read back afterwards."
    )
    binds: Annotated[Mapping[Name, FactName], Field(max_length=MAX_NAMES)] = Field(
        default_factory=dict, description="What its function calls facts, where that is not their name here."
    )
    modes: Annotated[Mapping[Name, Mode], BeforeValidator(name_by_key)] = Field(
        min_length=1, max_length=MAX_MODES, description="The ways to call it."
    )

    @model_validator(mode="before")
    @classmethod
    def _waived_with_a_reason(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and str(data.get("confirm")).strip().lower() in ("false", "no"):
            raise UnfitDeclaration(
                "confirm is false: what is written is read back first.",
                "Leave it out; or, for an idempotent skill, say under `why_not_confirmed` why the user is not asked.",
            )
        return data

    @model_validator(mode="after")
    def _computes_without_effect(self) -> Skill:
        if self.computes and (self.effect is not Effect.NONE or self.endpoint is None):
            found = "It has an effect" if self.effect is not Effect.NONE else "It has no endpoint"
            raise UnfitDeclaration(
                f"{found}, and is said to merely compute.", "Leave `computes` out; `simulate` may name an endpoint."
            )
        return self

    @property
    def simulation(self) -> str | None:
        """The endpoint that answers what-if questions: its simulation, or its own where it merely computes."""
        return self.simulate or (self.endpoint if self.computes else None)

    @property
    def confirms(self) -> bool:
        """Whether the go-ahead is asked before each call: in its author's words, or because the call has an effect."""
        return self.confirm is not None or (self.effect is not Effect.NONE and self.why_not_confirmed is None)

    @property
    def most_calls(self) -> int | None:
        """Calls in one mode after which it is called for nothing more; None where there is no such limit.

        Of an irreversible skill a call that worked counts as a try too.
        """
        return self.max_calls or (self.max_tries if self.effect is Effect.IRREVERSIBLE else None)

    @property
    def takes(self) -> Names:
        """List the inputs of all modes, optional ones too."""
        return tuple(dict.fromkeys([fact for mode in self.modes.values() for fact in mode.takes]))

    @property
    def gives(self) -> Names:
        """List the facts that some outcome of some mode establishes."""
        return tuple(dict.fromkeys([fact for mode in self.modes.values() for fact in mode.gives]))


def _alternatives(either: Any) -> Any:
    """Take `[train, flight]` for `[[train], [flight]]`."""
    return [[one] if isinstance(one, str) else one for one in either] if isinstance(either, list) else either


class Goal(Aliased):
    """A goal that a user may have: facts to be known, skills to be carried out, and one of several alternatives."""

    facts: FactNames = Field(default=(), description="The facts to be known, all of them.")
    skills: SkillNames = Field(default=(), description="The skills to be carried out, all of them.")
    either: Annotated[tuple[FactNames, ...], BeforeValidator(_alternatives), Field(max_length=20)] = Field(
        default=(), description="Alternatives, each a list of facts: one of these lists has to be known."
    )
    examples: Sentences = Field(default=(), description="Utterances that ask for it; ten different ones are good.")
    done: Sentence | None = Field(default=None, description="Said on completion; {fact} stands for a fact's value.")

    @property
    def all_facts(self) -> Names:
        return tuple(dict.fromkeys((*self.facts, *(fact for alternative in self.either for fact in alternative))))

    @model_validator(mode="after")
    def _wants_something(self) -> Goal:
        if not (self.facts or self.skills or self.either):
            raise UnfitDeclaration(
                "The goal wants nothing.", "Name facts to be known, skills to be carried out, or alternatives."
            )
        if len(self.either) == 1 or not all(self.either):
            raise UnfitDeclaration(
                "There is nothing to choose from.", "Write at least two alternatives, each with a fact in it."
            )
        return self


class FactMapping(Entry):
    """A fact whose value can be taken for another one's: authors of skills share no vocabulary."""

    fact: FactName = Field(description="The fact that is known.")
    stands_for: FactName = Field(description="The fact that its value is taken for.")
    because: Sentence = Field(default="", description="Why that holds, to go after “because”; people are told.")
    on_request: Flag = Field(
        default=False, description="true: only where the user refers to the one as the other, and never silently."
    )


class Ordering(Entry):
    """One skill has to come before another, or before anything that is about sensitive facts."""

    first: SkillName = Field(description="The skill that comes first.")
    then: SkillName = Field(description=f"The skill that comes after it, or {ANYTHING_SENSITIVE}.")
    preferred: Flag = Field(
        default=False, description="true: only where a plan has both; false: the second never without the first."
    )
    because: Sentence = Field(default="", description="Why; people are told.")


class Extension(Entry):
    """A goal offered when another completes (Verdi paper, §3.3)."""

    after: GoalName = Field(description="The goal on whose completion it is offered.")
    offer: GoalName = Field(description="The goal that is offered.")
    say: Sentence = Field(description="The question that offers it.")


class Trigger(Named):
    """Something other than an utterance that happens, brings facts, and triggers a goal."""

    goal: GoalName = Field(description="The goal that is put on the stack.")
    say: Sentence = Field(description="What the assistant says about it.")
    facts: FactNames = Field(default=(), description="Facts that the event carries.")


class Catalog(Named):
    """Everything an assistant can do."""

    version: Annotated[int, Field(ge=1, le=1)] = Field(default=1, description="Of the catalog format.")
    greeting: Sentence = Field(default="Hello. What can I do for you?", description="What the assistant says first.")
    contact: Contacts = Field(
        default=(),
        description="Whom to write to: for a talk with a person, a decision that is disagreed with, or stored data.",
    )
    facts: Annotated[Mapping[Name, Fact], BeforeValidator(limited_by_key)] = Field(
        min_length=1, description="What may be known."
    )
    instances: Annotated[Mapping[Name, Instances], Field(max_length=100)] = Field(
        default_factory=dict, description="Groups of facts that there are several of: two flights, three guests."
    )
    skills: Annotated[Mapping[Name, Skill], BeforeValidator(limited_by_key)] = Field(
        default_factory=dict, description="What can be done."
    )
    goals: Annotated[Mapping[Name, Goal], BeforeValidator(limited_by_key)] = Field(
        default_factory=dict, description="What people may want."
    )
    extensions: Annotated[tuple[Extension, ...], Field(max_length=MAX_NAMES)] = Field(
        default=(), description="Goals that are offered when another completes."
    )
    triggers: Annotated[Mapping[Name, Trigger], BeforeValidator(limited_by_key)] = Field(
        default_factory=dict, description="What may happen, and the goal that follows."
    )
    mappings: Annotated[tuple[FactMapping, ...], Field(max_length=MAX_NAMES)] = Field(
        default=(), description="Facts that can be taken for others."
    )
    orderings: Annotated[tuple[Ordering, ...], Field(max_length=MAX_NAMES)] = Field(
        default=(), description="Skills that come before others."
    )
    methods: Annotated[Mapping[Name, Method], BeforeValidator(name_by_key)] = Field(
        default_factory=dict, max_length=MAX_NAMES, description="Ways to split what is too big for one plan."
    )
    rules: Annotated[tuple[Sentence, ...], Field(max_length=MAX_RULES)] = Field(
        default=(), description="What is checked and completed of a request before anything is planned: ASP, as text."
    )
    properties: Properties = Field(default=Properties(), description="What must never, or always, be so.")
    settings: Settings = Field(default=Settings(), description="How the assistant behaves.")

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

    @cached_property
    def aliases(self) -> Aliases:
        """For facts, skills and goals: the name of the entry that goes by each alias."""
        return find_aliases({"facts": self.facts, "skills": self.skills, "goals": self.goals})

    @cached_property
    def origins(self) -> Mapping[str, InstanceOrigin]:
        """For each fact that is one of several instances: what it is an instance of."""
        return find_origins(self.instances)

    @cached_property
    def group_of(self) -> Mapping[str, str]:
        """For each fact that was declared to have instances: the group that it is in."""
        return {fact: name for name, group in self.instances.items() for fact in group.facts}

    def instances_of(self, declared: str) -> tuple[str, ...]:
        """List the facts that were written once, under this name, for each instance of a group."""
        return tuple(fact for fact, origin in self.origins.items() if origin.declared == declared)

    def is_sensitive(self, fact: str) -> bool:
        return any(self.facts[above].sensitive for above in self.supertypes(fact) if above in self.facts)

    def inherits_secrecy(self, fact: str) -> bool:
        """Return whether a value is masked if it was made from a masked one: it may hold words, and is not public."""
        declared = self.facts.get(fact)
        if declared is None or not declared.value.holds_words:
            return declared is None
        item = self.facts.get(declared.list_of or "")
        return not (declared.public or (item is not None and item.public))

    @cached_property
    def has_sensitive(self) -> bool:
        return any(map(self.is_sensitive, self.facts))

    @cached_property
    def may_be_derived(self) -> frozenset[str]:
        """The facts that are not sensitive, and of which some value may be masked for what it was made from."""
        modes = (mode for skill in self.skills.values() for mode in skill.modes.values())
        ways = [(set(self._standing_for(mode.takes)), set(self._standing_for(mode.gives))) for mode in modes]
        ways += [(set(self._standing_for((one.fact,))), {one.stands_for}) for one in self.mappings]
        hidden = {fact for fact in self.facts if self.is_sensitive(fact)}
        found: set[str] = set()
        while hidden and (
            fresh := {
                fact
                for inputs, gives in ways
                if not inputs.isdisjoint(hidden)
                for fact in gives
                if fact not in hidden and self.inherits_secrecy(fact)
            }
        ):
            found |= fresh
            hidden |= fresh
        return frozenset(found)

    @property
    def masked_if_derived(self) -> tuple[str, ...]:
        """The facts of which some value may be masked so, where the catalog does not say whether this is meant."""
        return tuple(name for name, fact in self.facts.items() if name in self.may_be_derived and fact.public is None)

    def _standing_for(self, facts: Iterable[str]) -> Iterator[str]:
        return (below for fact in facts for below in self.subtypes.get(fact, (fact,)))

    def sensitive_inputs(self, skill: str, mode: str) -> tuple[str, ...]:
        """List the inputs of a mode (optional ones too) that need consent: a sensitive fact may stand in for them."""
        declared = self.skills[skill]
        inputs = (*declared.modes[mode].inputs, *declared.modes[mode].optional)
        return tuple(
            fact
            for fact in inputs
            if fact in declared.sensitive or any(map(self.is_sensitive, self.subtypes.get(fact, (fact,))))
        )

    @cached_property
    def tracked_skills(self) -> frozenset[str]:
        """The skills of which it matters whether they were carried out: for an ordering, or as a goal."""
        hard = (ordering.first for ordering in self.orderings if not ordering.preferred)
        return frozenset((*hard, *(skill for goal in self.goals.values() for skill in goal.skills)))

    def succeeds(self, skill: str, mode: str, outcome: str) -> bool:
        """Return whether a skill that came back with an outcome has done what it is for."""
        outcomes = self.skills[skill].modes[mode].outcomes
        judged = outcomes[outcome]
        if judged.succeeds is not None:
            return judged.succeeds
        return bool(judged.facts) or not (judged.doubts or any(other.facts for other in outcomes.values()))

    def refusal(self, skill: str | None, mode: str | None, outcome: str | None) -> str:
        """Name an outcome that is bad news; nothing where it is none, or is not declared any more."""
        declared = self.skills.get(skill or "")
        called = declared.modes.get(mode or "") if declared else None
        ended = called.outcomes.get(outcome or "") if called else None
        return ended.label or ended.name.replace("_", " ") if ended is not None and ended.adverse else ""


class CatalogKey:
    """A catalog that equals itself alone, to be the key of what is remembered of it."""

    __slots__ = ("catalog",)

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CatalogKey) and self.catalog is other.catalog

    def __hash__(self) -> int:
        return id(self.catalog)


Orderings = tuple[Ordering, ...]


class Precedence:
    """The hard orderings of a catalog, or those that are merely preferred, by the step that comes after.

    What a skill takes itself is not held up for it, though it be sensitive: otherwise neither could come first.
    """

    def __init__(self, catalog: Catalog, *, preferred: bool = False) -> None:
        self._catalog = catalog
        self._by_skill: dict[str, list[Ordering]] = {}
        orderings = [ordering for ordering in catalog.orderings if ordering.preferred is preferred]
        for ordering in orderings:
            if ordering.then != ANYTHING_SENSITIVE:
                self._by_skill.setdefault(ordering.then, []).append(ordering)
        self._sensitive = [ordering for ordering in orderings if ordering.then == ANYTHING_SENSITIVE]
        self._taken = {ordering.first: _takes(catalog, ordering.first) for ordering in self._sensitive}

    def __bool__(self) -> bool:
        return bool(self._by_skill or self._sensitive)

    def before_call(self, skill: str, *, sensitive: bool) -> Orderings:
        own = self._by_skill.get(skill, [])
        return tuple(o for o in (*own, *(self._sensitive if sensitive else ())) if o.first != skill)

    def before_answer(self, fact: str) -> Orderings:
        """List what comes before a question: something does only if the fact is sensitive."""
        if not self._sensitive or not self._catalog.is_sensitive(fact):
            return ()
        return tuple(ordering for ordering in self._sensitive if fact not in self._taken[ordering.first])

    def before_consent(self, subject: str) -> Orderings:
        """List what comes before a consent, which is given to a skill or, under the per-fact policy, for a fact."""
        if self._catalog.settings.authorization is AuthorizationPolicy.PER_FACT:
            return tuple(ordering for ordering in self._sensitive if subject not in self._taken[ordering.first])
        return tuple(ordering for ordering in self._sensitive if ordering.first != subject)


def _takes(catalog: Catalog, skill: str) -> frozenset[str]:
    return frozenset(below for fact in catalog.skills[skill].takes for below in catalog.subtypes[fact])
