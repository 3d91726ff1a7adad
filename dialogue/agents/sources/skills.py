"""Skills of a catalog as agents, and previews that a skill makes.

A skill is called through the caller alone, and by the same rule as everywhere: where a call has an effect, is declared
to be confirmed, or is given something sensitive, the agent asks first, and is silent about what it was not told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog, Effect, Mode, Skill
from catalog.values.base import HIDDEN as MASK
from catalog.wording.grammar import clean
from catalog.wording.values import filled_in
from dialogue.agents.agent import Proposal, SideEffect
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction
from dialogue.caller import Caller, Returned
from dialogue.keys import new_key
from dialogue.state.provenance import is_secret
from language.interpretation import Context, DialogueAct, Intent, Interpretation, Pending, Understander
from language.responses.agents import replies as words
from language.text.morphology import stem
from language.text.words import content_words, fold

_NOT = (DialogueAct.NO, DialogueAct.STOP)
LEAST_FIT = 0.2
"""How well words have to fit at least, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class SkillHost:
    """What a skill needs to be an agent: its catalog, who understands and who calls, and the day."""

    catalog: Catalog
    understander: Callable[[], Understander]
    caller: Caller
    today: Callable[[], date]


@dataclass(slots=True)
class _Open:
    """What the agent waits for: values so far, and whether it waits for a go-ahead or for the fact that is missing."""

    mode: str
    values: dict[str, JsonValue]
    missing: str = ""


@dataclass(eq=False)
class SkillAgent:
    """One skill as an agent in one conversation.

    Its confidence is how well the words fit, times the share of its inputs that were said: all of it if they all are,
    half of it if none is. Words fit as well as the request that they are understood as, if the skill serves that; or
    else as many of them as the skill is described with.
    """

    host: SkillHost
    skill: Skill
    open: _Open | None = field(default=None, init=False)

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Read what is there of what the skill needs, and how well the words fit. Nothing is called."""
        meaning = self._understand(event.text)
        mode, values = self._read(event.text, meaning)
        if self.open is not None and _continues(self.open, meaning, values):
            return self._propose(1.0, self.skill.modes[self.open.mode], {**self.open.values, **values})
        if (fit := self._fit(event.text, meaning)) < LEAST_FIT:
            return None
        share = len(values.keys() & {*mode.inputs}) / len(mode.inputs) if mode.inputs else 1.0
        return self._propose(fit * (1.0 + share) / 2.0, mode, values)

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        """Call the skill, if all is there and nothing has to be asked first; else ask."""
        meaning = self._understand(event.text)
        mode, values = self._read(event.text, meaning)
        waiting, self.open = self.open, None
        if waiting is not None:
            if meaning.control in _NOT:
                return AgentReply(text=words.not_done(self.skill.label))
            agreed = meaning.control is DialogueAct.YES and not meaning.unheeded
            if not waiting.missing and agreed and {**waiting.values, **values} == waiting.values:
                return self._call(self.skill.modes[waiting.mode], waiting.values)
            if _continues(waiting, meaning, values) or self._fit(event.text, meaning) < LEAST_FIT:
                mode, values = self.skill.modes[waiting.mode], {**waiting.values, **values}
        if missing := [name for name in mode.inputs if name not in values]:
            self.open = _Open(mode.name, values, missing[0])
            text = words.ask_for(self.host.catalog.facts[missing[0]].label)
            return AgentReply(text=text, asks=True, delicate=self.host.catalog.is_sensitive(missing[0]))
        if self._must_ask(mode, values):
            self.open = _Open(mode.name, values)
            text = words.ask_to_go_ahead(self.skill.label, self._shown(values))
            return AgentReply(text=text, asks=True, delicate=any(map(self.host.catalog.is_sensitive, values)))
        return self._call(mode, values)

    def _understand(self, text: str) -> Interpretation:
        waiting, inputs = self.open, self.skill.takes
        pending = None
        if waiting is not None:
            kind, about = ("fact", waiting.missing) if waiting.missing else ("confirm", self.skill.name)
            pending = Pending(kind=kind, subject=about, facts=() if waiting.missing else tuple(waiting.values))
        context = Context(today=self.host.today(), pending=pending, wanted=inputs)
        return self.host.understander().understand(text, context)

    def _read(self, text: str, meaning: Interpretation) -> tuple[Mode, dict[str, JsonValue]]:
        """Return the mode of which most is there, and what is there for it; of equals, the one declared first."""
        requests = (*meaning.candidates, *meaning.goals)
        entities = (*(entity for request in requests for entity in request.values), *meaning.values)
        said = {entity.fact: entity.value for entity in entities}
        modes = [mode for mode in self.skill.modes.values() if not mode.each]
        found = [(mode, self._values_for(mode, said)) for mode in modes]
        return max(found, key=lambda one: len(one[1].keys() & {*one[0].inputs}) / max(1, len(one[0].inputs)))

    def _values_for(self, mode: Mode, said: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        below = self.host.catalog.subtypes
        return {
            name: said[fact]
            for name in mode.takes
            for fact in reversed(below.get(name, (name,)))  # the fact itself comes last, and wins
            if fact in said
        }

    def _fit(self, text: str, meaning: Interpretation) -> float:
        served = [self._serves(intent) * intent.confidence for intent in (*meaning.goals, *meaning.candidates)]
        said = {stem(word.text) for word in content_words(fold(text))}
        described = f"{self.skill.label} {self.skill.description}"
        known = {stem(word.text) for word in content_words(fold(described))}
        return min(1.0, max([*served, len(said & known) / len(said) if said else 0.0]))

    def _serves(self, intent: Intent) -> float:
        goal = self.host.catalog.goals.get(intent.goal)
        if goal is None:
            return 0.0
        return 1.0 if self.skill.name in goal.skills or {*goal.all_facts} & {*self.skill.gives} else 0.0

    def _propose(self, confidence: float, mode: Mode, values: Mapping[str, JsonValue]) -> Proposal:
        action = ProposedAction(
            text=self.skill.label, description=self.skill.description, inputs=tuple(values), outputs=mode.gives
        )
        return Proposal(confidence=confidence, actions=(action,))

    def _must_ask(self, mode: Mode, values: Mapping[str, JsonValue]) -> bool:
        sensitive = self.host.catalog.sensitive_inputs(self.skill.name, mode.name)
        return self.skill.confirms or self.skill.effect is not Effect.NONE or any(name in values for name in sensitive)

    def _call(self, mode: Mode, values: Mapping[str, JsonValue]) -> AgentReply:
        came = self.host.caller.call(self.host.catalog, self.skill.name, mode.name, dict(values), new_key())
        if not isinstance(came, Returned):
            return AgentReply(text=words.failed(self.skill.label, came.error))
        told = self._shown(came.result.facts, made_of=values)
        cited = {fact: clean(shown, 200) for fact, (_, shown) in zip(came.result.facts, told, strict=True)}
        say = filled_in(mode.outcomes[came.result.outcome].say or "", cited)
        return AgentReply(text=words.done(self.skill.label, say, told))

    def _shown(self, values: Mapping[str, JsonValue], made_of: Collection[str] = ()) -> list[tuple[str, str]]:
        """Show values, masked where they are sensitive or may be words that were made from something sensitive."""
        catalog = self.host.catalog
        below = (one for name in made_of for one in catalog.subtypes.get(name, (name,)))
        entry = 1 if any(map(catalog.is_sensitive, below)) else 0
        return [
            (fact.label, MASK if is_secret(catalog, fact.name, entry, {1}) else fact.value.show(value))
            for fact, value in ((catalog.facts[name], value) for name, value in values.items())
        ]


def _continues(waiting: _Open, meaning: Interpretation, values: Mapping[str, JsonValue]) -> bool:
    if meaning.control in (DialogueAct.YES, *_NOT):
        return True
    return waiting.missing in values if waiting.missing else bool(values)


def preview_by(host: SkillHost, skill: Skill) -> Callable[[AgentEvent], Proposal | None]:
    """Return the preview that a skill makes: it is given the text, and returns a number from 0 to 1.

    Its one mode has one input, the text. Of an outcome with facts, the first that is a number is the confidence, and
    the first that is a text is what would be done; an outcome without a number has nothing to offer. Raises LookupError
    for a skill of another form.
    """
    mode = next(iter(skill.modes.values()))
    if len(skill.modes) > 1 or len(mode.inputs) != 1 or mode.each:
        raise LookupError(words.not_for_previews(skill.name))

    def preview(event: AgentEvent) -> Proposal | None:
        if skill.effect is not Effect.NONE:
            raise SideEffect(words.has_effect(skill.name, skill.effect.value))
        came = host.caller.call(host.catalog, skill.name, mode.name, {mode.inputs[0]: event.text}, new_key())
        if not isinstance(came, Returned):
            raise SkillFailed(came.error)
        values = list(came.result.facts.values())
        numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
        texts = [value for value in values if isinstance(value, str)]
        if not numbers:
            return None
        actions = (ProposedAction(text=texts[0] if texts else event.text),)
        return Proposal.model_construct(confidence=float(numbers[0]), actions=actions)  # it is checked like any other

    return preview


class SkillFailed(Exception):
    """A skill that makes a preview did not come back with an outcome."""
