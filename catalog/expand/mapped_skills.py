"""Mapped skills: skills for one item, applied to each item of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.expand.instance_copies import Copies, Lines, change
from catalog.model import Catalog, FactMapping, Mode, Outcome, Skill
from catalog.model.entry import MAX_MODES
from catalog.model.fact import Fact
from catalog.model.names import MAX_NAME
from catalog.problems import Findings, Place
from catalog.values.base import listed


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

    Where the skill needs consent for an item it needs it for a list of them, also where the mode was written by hand.
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
    say = outcome.say
    for fact, lists in lift.outputs.items():
        say = say and say.replace("{" + fact + "}", "{" + lists[0] + "}")
    return change(outcome, facts=facts, doubts=doubts, succeeds=succeeds, say=say)


def check_lists(catalog: Catalog, findings: Findings) -> None:
    """Check that lists are of something, and that nothing takes a list for an item or an item for a list."""
    for name, fact in catalog.facts.items():
        _check_list(catalog, name, fact, findings)
        _check_stand_in(catalog, name, fact, findings)
    for i, mapping in enumerate(catalog.mappings):
        _check_mapping(catalog, ("mappings", i), mapping, findings)
    lists, copies = lists_by_item(catalog), Copies(catalog)
    for name, skill in catalog.skills.items():
        for mode in skill.modes.values():
            _check_each(catalog, ("skills", name, "modes", mode.name), skill, mode, findings)
        mapped = {(item, items) for mode in skill.modes.values() for item, items in mode.each.items()}
        modes = len(skill.modes)
        for lift in find_lifts(catalog, skill, lists):
            if (lift.item, lift.items) not in mapped:
                _check_lift(catalog, ("skills", name, "modes", lift.mode), lift, findings)
            modes += 1 if copies.skills.instances(name) else len(copies.facts.meant(lift.items))
            if modes > MAX_MODES and not mapped:
                found = f"With one for each list that it can be mapped over, it has more than {MAX_MODES} modes."
                findings.error("too-many", ("skills", name, "modes"), found, "Say with `each` which lists are meant.")
                break


def _check_list(catalog: Catalog, name: str, fact: Fact, findings: Findings) -> None:
    place: Place = ("facts", name, "list_of")
    item = catalog.facts.get(fact.list_of or "")
    if fact.list_of is None or (item is None and _has_instances(catalog, fact.list_of)):
        return
    if item is None:
        findings.unknown(place, fact.list_of, catalog.facts, "facts")
    elif item.name == name:
        findings.error("list-item", place, f"{name!r} is a list of itself.", "Name the fact that one item is.")
    elif item.value.item is not None:
        found = f"{item.name!r} is itself a list, and there are no lists of lists."
        findings.error("list-item", place, found, "Name the fact that one item is.")
    elif "fillable" in fact.model_fields_set and fact.fillable and not item.value.sayable:
        found = f"fillable is true, but several of {item.name!r} cannot be given in words."
        findings.error("unfit", ("facts", name, "fillable"), found, "Leave fillable out, or write false.")


def _has_instances(catalog: Catalog, fact: str) -> bool:
    return fact in catalog.origins or fact in catalog.group_of


def _check_stand_in(catalog: Catalog, name: str, fact: Fact, findings: Findings) -> None:
    above = catalog.facts.get(fact.is_a or "")
    if above is None:
        return
    place: Place = ("facts", name, "is_a")
    lists = fact.value.item is not None, above.value.item is not None
    if lists == (True, False):
        found = f"{name!r} is a list, and {above.name!r} is one value: neither can stand for the other."
        write = f"For a list of them, write `list_of: {above.name}` in place of `is_a`."
        findings.error("list-item", place, found, write)
    elif lists == (False, True):
        found = f"{name!r} is one value, and {above.name!r} is a list: neither can stand for the other."
        write = f"If it is an item of that list, write `list_of: {name}` there, and take `is_a` away here."
        findings.error("list-item", place, found, write)
    elif fact.list_of and above.list_of and above.list_of not in set(catalog.supertypes(fact.list_of)):
        found = f"{name!r} is a list of {fact.list_of!r}, which cannot stand for {above.list_of!r}."
        write = f"Say of {fact.list_of!r} that it `is_a` {above.list_of!r}, or take this `is_a` away."
        findings.error("list-item", place, found, write)


def _check_mapping(catalog: Catalog, place: Place, mapping: FactMapping, findings: Findings) -> None:
    facts = catalog.facts.get(mapping.fact), catalog.facts.get(mapping.stands_for)
    said = [fact.value.item is not None for fact in facts if fact is not None]
    if len(set(said)) == 2:
        words = {True: "a list", False: "one value"}
        found = f"{mapping.fact!r} is {words[said[0]]}, and {mapping.stands_for!r} is {words[said[1]]}."
        write = "Take the mapping away: no list is taken for an item, and no item for a list."
        findings.error("list-item", place, found, write)


def _check_each(catalog: Catalog, place: Place, skill: Skill, mode: Mode, findings: Findings) -> None:
    """Check a mode that is mapped: what is a list, what one item is, and in which mode it is called for it."""
    if not mode.each:
        if mode.calls is not None:
            found = "It is said in which mode the skill is called for one item, and not for the items of what."
            findings.error("contradiction", (*place, "calls"), found, "Add `each: {item: list}`, or take it out.")
        return
    ((item, items),) = mode.each.items()
    if items not in mode.inputs:
        findings.unknown((*place, "each", item), items, mode.inputs, f"inputs of the mode {mode.name!r}")
        return
    if catalog.facts[items].list_of != item if items in catalog.facts else False:
        found = f"{items!r} is no list of {item!r}."
        known = catalog.facts[items].list_of
        write = f"Write `each: {{{known}: {items}}}`." if known else f"Declare {items!r} with `list_of: {item}`."
        findings.error("list-item", (*place, "each", item), found, write)
    one = skill.modes.get(mode.calls or "")
    if one is None or one.each:
        known_modes = [name for name, other in skill.modes.items() if not other.each]
        missing = "It is not said in which mode the skill is called for one item."
        found = missing if mode.calls is None else f"{mode.calls!r} is not a mode for one item."
        write = f"Write `calls:` and one of: {', '.join(known_modes)}."
        findings.error("undeclared", (*place, "calls"), found, write if known_modes else "Add a mode for one item.")
        return
    given = {*mode.takes, item}
    if lacking := [fact for fact in one.inputs if fact not in given]:
        found = f"For one item, in the mode {one.name!r}, it takes {listed(map(repr, lacking))} too."
        findings.error("undeclared", (*place, "inputs"), found, "Add what is missing to the inputs here.")
    if one.outcomes.keys() != mode.outcomes.keys():
        found = (
            f"For one item it ends in {listed(map(repr, one.outcomes))}, here in {listed(map(repr, mode.outcomes))}."
        )
        findings.error("contradiction", (*place, "outcomes"), found, "Declare the same outcomes in both modes.")
        return
    for name, outcome in mode.outcomes.items():
        for i, fact in enumerate(outcome.facts):
            of = catalog.facts[fact].list_of if fact in catalog.facts else None
            if fact in catalog.facts and of not in one.outcomes[name].facts:
                found = f"{fact!r} is no list of anything that one item gives ({listed(one.outcomes[name].facts)})."
                write = "Name a fact that is declared as a list of one of these, with `list_of`."
                findings.error("list-item", (*place, "outcomes", name, "facts", i), found, write)
            elif fact in catalog.facts and items in catalog.facts:
                _check_room(catalog, fact, items, findings)


def _check_lift(catalog: Catalog, place: Place, lift: Lift, findings: Findings) -> None:
    for fact, lists in lift.outputs.items():
        if len(lists) > 1:
            found = (
                f"Mapped over {lift.items!r}, it gives a list of {fact!r}; "
                f"that could be {listed(map(repr, lists), 'or')}."
            )
            write = f"Add a mode that says it: `inputs` with {lift.items}, `each: {{{lift.item}: {lift.items}}}`, " \
                f"`calls: {lift.mode}`, and the outcomes."  # fmt: skip
            findings.error("which-list", place, found, write)
            return
        _check_room(catalog, lists[0], lift.items, findings)


def _check_room(catalog: Catalog, out: str, items: str, findings: Findings) -> None:
    """Check that a list of results may be as short and as long as the list of what they are made from."""
    given, made = catalog.facts[items].value, catalog.facts[out].value
    if given.room is None or made.room is None:
        return
    least, most = min(given.room[0], made.room[0]), max(given.room[1], made.room[1])
    if (least, most) != made.room:
        found = (
            f"It gets one item for each of {items!r}, of which there are {given.room[0]} to {given.room[1]}; "
            f"it may have {made.room[0]} to {made.room[1]}."
        )
        write = f"Give it room: `value: {{kind: list, least: {least}, most: {most}}}`."
        findings.error("list-item", ("facts", out), found, write)
