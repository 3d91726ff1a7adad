"""Mapped skills: skills for one item, applied to each item of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.expand.instance_copies import Lines, change
from catalog.model import Catalog, Mode, Outcome, Skill
from catalog.model.fact import Fact
from catalog.model.names import MAX_NAME
from catalog.problems import Place


@dataclass(frozen=True, slots=True)
class Lift:
    """A mode for one item, mapped over a list of them.

    `outputs` maps each fact that it establishes to the lists of it; a mode can only be mapped where there is one.
    """

    mode: str
    item: str
    items: str
    outputs: Mapping[str, tuple[str, ...]]

    @property
    def is_clear(self) -> bool:
        """Return whether it is clear which lists the results go to."""
        return all(len(lists) == 1 for lists in self.outputs.values())


def lists_by_item(catalog: Catalog) -> dict[str, list[str]]:
    """Map each fact to the facts that are lists of it."""
    found: dict[str, list[str]] = {}
    for name, fact in catalog.facts.items():
        if fact.list_of is not None:
            found.setdefault(fact.list_of, []).append(name)
    return found


def find_lifts(catalog: Catalog, skill: Skill, lists: Mapping[str, list[str]]) -> Iterator[Lift]:
    """Find over which lists the modes of a skill can be mapped; over one of their inputs each, the others stay."""
    for mode in skill.modes.values():
        if mode.each:
            continue
        taken = set(mode.takes)
        for item in mode.inputs:
            for items in lists.get(item, ()):
                if items not in taken:
                    outputs = {
                        fact: near
                        for outcome in mode.outcomes.values()
                        for fact in outcome.facts
                        if fact != item and (near := _nearest(catalog, items, lists.get(fact, ())))
                    }
                    if outputs:
                        yield Lift(mode.name, item, items, outputs)


def _nearest(catalog: Catalog, items: str, lists: Iterable[str]) -> tuple[str, ...]:
    """Choose the lists that results of a mapped call can go to: of instances, those of the same one."""
    every, home = tuple(lists), _home(catalog, items)
    return tuple(out for out in every if _home(catalog, out) == home) or every


def _home(catalog: Catalog, fact: str) -> tuple[str, str] | None:
    """Return the group and the instance of a fact; before instances are expanded, the group only."""
    origin = catalog.origins.get(fact)
    if origin is not None:
        return origin.group, origin.instance
    group = catalog.group_of.get(fact)
    return None if group is None else (group, "")


def map_over_lists(catalog: Catalog, lines: Lines) -> Catalog:
    """Say what the items of lists are, and give skills for one item modes for lists of them."""
    lists = lists_by_item(catalog)
    if not lists:
        return catalog
    facts = {name: _with_items(catalog, fact) for name, fact in catalog.facts.items()}
    skills = {name: _with_lifts(catalog, skill, lists, lines) for name, skill in catalog.skills.items()}
    same = all(facts[name] is fact for name, fact in catalog.facts.items()) and all(
        skills[name] is skill for name, skill in catalog.skills.items()
    )
    return catalog if same else change(catalog, facts=facts, skills=skills)


def _with_items(catalog: Catalog, fact: Fact) -> Fact:
    """Take over from the item what its list does not say for itself."""
    item = catalog.facts.get(fact.list_of or "")
    if item is None or fact.value.item is None or item.value.item is not None:
        return fact
    taken: dict[str, object] = {}
    if catalog.is_sensitive(item.name) and not fact.sensitive:
        taken["sensitive"] = True
    if not item.askable and fact.askable and "askable" not in fact.model_fields_set:
        taken["askable"] = False
    if not item.fillable and fact.fillable and "fillable" not in fact.model_fields_set:
        taken |= {"fillable": False, "why_not_fillable": fact.why_not_fillable or item.why_not_fillable}
    if fact.value.item != item.value:
        fact = fact.with_items(change(fact.value, of=item.value))
    return change(fact, **taken) if taken else fact


def _with_lifts(catalog: Catalog, skill: Skill, lists: Mapping[str, list[str]], lines: Lines) -> Skill:
    """Add a mode for each list that a skill can be mapped over, unless it says itself how it is mapped.

    Where the skill needs consent for an item it needs it for a list of them, whoever wrote the mode.
    """
    modes = dict(skill.modes)
    if not any(mode.each for mode in modes.values()):
        for lift in find_lifts(catalog, skill, lists):
            if lift.is_clear:
                mode = _lift(skill.modes[lift.mode], _mode_name(modes, lift), lift)
                modes[mode.name] = mode
                place: Place = ("skills", skill.name, "modes")
                if (line := lines.get((*place, lift.mode))) is not None:
                    lines[(*place, mode.name)] = line
    mapped = [pair for mode in modes.values() for pair in mode.each.items()]
    lists_too = (items for item, items in mapped if item in skill.sensitive)
    sensitive = tuple(dict.fromkeys((*skill.sensitive, *lists_too)))
    same = len(modes) == len(skill.modes) and sensitive == skill.sensitive
    return skill if same else change(skill, modes=modes, sensitive=sensitive)


def _mode_name(modes: Mapping[str, Mode], lift: Lift) -> str:
    name = f"{lift.mode}, each of {lift.items}"
    if len(name) <= MAX_NAME and name not in modes:
        return name
    short = f"{lift.mode[:40]}…, each of {lift.items[:40]}…".replace(" …", "…")
    return next(numbered for k in range(2, len(modes) + 3) if (numbered := f"{short} {k}") not in modes)


def _lift(mode: Mode, name: str, lift: Lift) -> Mode:
    return change(
        mode,
        name=name,
        inputs=tuple(lift.items if fact == lift.item else fact for fact in mode.inputs),
        each={lift.item: lift.items},
        calls=mode.name,
        outcomes={outcome.name: _lift_outcome(outcome, lift) for outcome in mode.outcomes.values()},
    )


def _lift_outcome(outcome: Outcome, lift: Lift) -> Outcome:
    """Let an outcome establish lists; one that establishes nothing there is a list of, is one in which it failed."""
    facts = tuple(dict.fromkeys(lift.outputs[fact][0] for fact in outcome.facts if fact in lift.outputs))
    doubts = tuple(lift.items if fact == lift.item else fact for fact in outcome.doubts if fact not in facts)
    succeeds = False if outcome.facts and not facts else outcome.succeeds
    return change(outcome, facts=facts, doubts=doubts, succeeds=succeeds)
