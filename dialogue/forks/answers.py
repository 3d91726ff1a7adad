"""Where a fork has the outcomes of calls from: the record, a supposition, or a simulation that agrees with the record.

Nothing in the world is touched. Only what a skill declares as its simulation is called, in a catalog of its own in
which no other skill has an endpoint; and no sensitive fact is passed to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pydantic import JsonValue

from catalog.model import Catalog, Effect
from catalog.skills import Result, SkillInput
from dialogue.caller import Caller, NoEffect, NotReturned, Returned, Told, Untold
from dialogue.forked import AboutToCall, ForeseenCall
from dialogue.forks.changes import SupposedOutcome
from dialogue.log.events import Calling, Established, Failed, ItemDone, Log, Ran, Settled

Load = Callable[[JsonValue], SkillInput]


class ValueSource(StrEnum):
    """Where a value of a fork comes from."""

    RECORDED = "recorded"
    """It stands in the record, for the same inputs."""
    COMPUTED = "computed anew"
    """A simulation gave it that agrees with the record."""
    SUPPOSED = "supposed"
    """A person supposed it."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of the record: its inputs as they are kept, by the name in its mode, and its result; `entry` is its end.

    Of a call for each item of a list there is one for each item.
    """

    entry: int
    skill: str
    mode: str
    values: Mapping[str, JsonValue]
    result: Returned | NotReturned


def recorded_calls(catalog: Catalog, log: Log) -> tuple[RecordedCall, ...]:
    """List the calls of a log that came back or failed, in the order in which they did."""
    given: dict[int, dict[str, JsonValue]] = {}
    told: dict[str, Told] = {}
    for entry in log:
        match entry.event:
            case Established(source="skill", fact=fact, value=value, by=by):
                given.setdefault(by, {})[fact] = value
            case Settled(reason=reason, call_id=call_id, outcome=outcome, facts=facts) if reason.code == "looked_up":
                told[call_id] = NoEffect() if outcome is None else Returned(Result(outcome, facts), (), 0.0)
    found: list[RecordedCall] = []
    values: dict[str, JsonValue] = {}
    for entry in log:
        match entry.event:
            case Calling() as calling:
                at = {name: log[seq - 1].event for name, seq in calling.input_events.items()}
                values = {name: event.value for name, event in at.items() if isinstance(event, Established)}
            case ItemDone(again=None) as done:
                mode, inputs = _for_item(catalog, done, values, done.item)
                came = Returned(Result(done.outcome, done.facts), done.attributions, done.seconds)
                found.append(RecordedCall(entry.seq, done.skill, mode, inputs, came))
            case Ran(items=None) as ran:
                came = Returned(Result(ran.outcome, given.get(entry.seq, {})), ran.attributions, ran.seconds)
                found.append(RecordedCall(entry.seq, ran.skill, ran.mode, values, came))
            case Failed() as failed:
                mode, inputs = _for_item(catalog, failed, values, failed.ended_at)
                broken = NotReturned(failed.error, failed.message, failed.seconds, told.get(failed.call_id))
                found.append(RecordedCall(entry.seq, failed.skill, mode, inputs, broken))
    return tuple(found)


def _for_item(
    catalog: Catalog, event: ItemDone | Failed, values: dict[str, JsonValue], item: int | None
) -> tuple[str, dict[str, JsonValue]]:
    """Return the mode and the inputs of a call for one item of a list; those of the call where it is no such call."""
    skill = catalog.skills.get(event.skill)
    mode = skill.modes.get(event.mode) if skill else None
    if mode is None or not mode.each or not item:
        return event.mode, values
    ((name, listed),) = mode.each.items()
    items = values.get(listed)
    one = items[item - 1] if isinstance(items, list) and item <= len(items) else None
    return mode.calls or "", {**{other: value for other, value in values.items() if other != listed}, name: one}


_TROUBLES = {
    "raised": "it fails",
    "timed_out": "it takes too long",
    "bad_output": "it returns what the catalog does not declare",
    "unavailable": "it cannot be called",
}


@dataclass(frozen=True, slots=True)
class SimulationTrial:
    """How a simulation did on the recorded calls of its skill: `wrong` says why it is not used, if it is not.

    `differs` is the entry of the first recorded call that it did not give.
    """

    checked: int
    differs: int = 0
    wrong: str = ""

    @property
    def trusted(self) -> bool:
        return not self.wrong

    def say(self, label: str) -> str:
        """Say why no value of it is shown; empty where it is trusted."""
        if self.trusted:
            return ""
        if not self.differs:
            return f"The simulation of {label} is not used: {self.wrong}."
        return f"The simulation of {label} does not agree with the record: for entry {self.differs}, {self.wrong}."


@dataclass
class Simulations:
    """The simulations that the skills of a catalog declare, each tried on the record before it is used."""

    catalog: Catalog
    caller: Caller
    record: tuple[RecordedCall, ...]
    load: Load
    _trials: dict[str, SimulationTrial] = field(default_factory=dict)
    _catalogs: dict[tuple[str, bool], Catalog] = field(default_factory=dict)

    def trial(self, skill: str) -> SimulationTrial | None:
        """Try the simulation of a skill on every recorded call of it; None where it declares none."""
        if self.catalog.skills[skill].simulation is None:
            return None
        if skill not in self._trials:
            self._trials[skill] = self._try(skill)
        return self._trials[skill]

    def say_distrusted(self, skills: Iterable[str]) -> tuple[str, ...]:
        """Say why simulations of these skills are not used, a sentence each."""
        trials = ((self.catalog.skills[name].label, self.trial(name)) for name in dict.fromkeys(skills))
        return tuple(told for label, trial in trials if trial and (told := trial.say(label)))

    def answer(
        self, skill: str, mode: str, values: Mapping[str, SkillInput], *, explained: bool = True
    ) -> tuple[Returned | NotReturned, ValueSource] | None:
        """Return what the record or else the simulation gives for these inputs; None where neither tells.

        Only where it is to be `explained` is a simulation asked for its attributions.
        """
        for one in self.record:
            if (one.skill, one.mode) == (skill, mode) and self._loaded(one) == values:
                return one.result, ValueSource.RECORDED
        trial = self.trial(skill)
        if trial is None or not trial.trusted or self._is_sensitive(skill, mode, values):
            return None
        came = self._simulate(skill, mode, values, explained=explained)
        if isinstance(came, Returned):
            return came, ValueSource.COMPUTED
        self._trials[skill] = SimulationTrial(trial.checked, wrong=_TROUBLES.get(came.error, came.error))
        return None

    def recorded_facts(self, skill: str, outcome: str) -> Mapping[str, JsonValue]:
        """Return what a skill gave last with an outcome; nothing where it never had that."""
        came = (
            one.result.result
            for one in reversed(self.record)
            if one.skill == skill and isinstance(one.result, Returned)
        )
        return next((one.facts for one in came if one.outcome == outcome), {})

    def _loaded(self, one: RecordedCall) -> dict[str, SkillInput]:
        return {name: self.load(value) for name, value in one.values.items()}

    def _is_sensitive(self, skill: str, mode: str, values: Iterable[str]) -> bool:
        return bool(set(self.catalog.sensitive_inputs(skill, mode)) & set(values))

    def _try(self, skill: str) -> SimulationTrial:
        checked = 0
        for one in self.record:
            if one.skill != skill or not isinstance(one.result, Returned):
                continue
            if self._is_sensitive(skill, one.mode, one.values):
                continue  # it is not passed on, so nothing of this mode is ever simulated
            came = self._simulate(skill, one.mode, self._loaded(one), explained=False)
            if not isinstance(came, Returned):
                return SimulationTrial(checked, one.entry, _TROUBLES.get(came.error, came.error))
            if came.result != one.result.result:
                known, gave = one.result.result.outcome, came.result.outcome
                what = f"other values for “{gave}”" if known == gave else f"“{gave}” in place of “{known}”"
                return SimulationTrial(checked, one.entry, f"it gives {what}")
            checked += 1
        return SimulationTrial(checked)

    def _simulate(
        self, skill: str, mode: str, values: Mapping[str, SkillInput], *, explained: bool
    ) -> Returned | NotReturned:
        key = skill, explained
        if key not in self._catalogs:
            declared = self.catalog.skills[skill]
            update: dict[str, object] = {"endpoint": declared.simulation, "effect": Effect.NONE, "lookup": None}
            alone = declared.model_copy(update=update if explained else {**update, "explain": None})
            self._catalogs[key] = self.catalog.model_copy(update={"skills": {skill: alone}})
        return self.caller.call(self._catalogs[key], skill, mode, values, "")


@dataclass
class ForkCaller:
    """Answers the calls of a fork. `sources` says of each call that was answered, by its key, from where."""

    simulations: Simulations
    supposed: Mapping[str, SupposedOutcome]
    today: date
    sources: dict[str, ValueSource] = field(default_factory=dict)

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        """Return the outcome of a call. Raises AboutToCall where it is not known."""
        found = self._find(catalog, skill, mode, values)
        if found is None:
            raise AboutToCall(ForeseenCall(skill, mode))
        came, self.sources[key] = found
        return came

    def look_up(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Told:
        """Tell nothing: what became of a call is the world's to tell."""
        return Untold("unknown")

    def _find(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput]
    ) -> tuple[Returned | NotReturned, ValueSource] | None:
        if (supposed := self.supposed.get(skill)) is not None:
            outcome = catalog.skills[skill].modes[mode].outcomes.get(supposed.outcome)
            if outcome is not None:
                kinds = {fact: catalog.facts[fact].value for fact in outcome.facts}
                facts = {fact: kind.check(kind.sample(self.today)) for fact, kind in kinds.items()}
                facts |= {**self.simulations.recorded_facts(skill, supposed.outcome), **supposed.facts}
                return Returned(Result(supposed.outcome, facts), (), 0.0), ValueSource.SUPPOSED
        return self.simulations.answer(skill, mode, values)
