"""Checks of collections: groups of instances, lists, and skills that are mapped over lists."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.checks.findings import Findings
from catalog.expand.expansion import names_of
from catalog.expand.instance_copies import Copies, facts_of
from catalog.expand.mapped_skills import Lift, find_lifts, lists_by_item
from catalog.model import Catalog, Fact, FactMapping, Mode, Skill
from catalog.model.entry import MAX_ENTRIES, MAX_MODES
from catalog.model.instances import instance_name
from catalog.model.names import MAX_NAME
from catalog.problems import Place
from catalog.values.base import listed


def check_instances(catalog: Catalog, findings: Findings) -> None:
    """Check that each group can be written out: its facts exist once, names stay apart, nothing is of two groups."""
    copies = Copies(catalog)
    _check_groups(catalog, copies, findings)
    _check_families(catalog, copies, findings)
    for name, groups in copies.groups_of_skill.items():
        _check_copies("skills", catalog.skills, name, copies.instances_of_skill(name), findings)
        if len(groups) > 1:
            of = listed(f"{fact!r} of {group!r}" for fact, group in _one_each(catalog.skills[name], copies).items())
            found = f"The skill has facts of {len(groups)} groups: {of}. Which instances go together is not known."
            first = next(iter(copies.groups[groups[1]].of))
            write = f"Keep to one group, and name the instance of another one: {instance_name('fact', first)!r}."
            findings.error("two-groups", ("skills", name), found, write)
    for what, written in _count(catalog, copies).items():
        if written > MAX_ENTRIES:
            found = f"Written out, there are {written:,} {what}; a catalog may have {MAX_ENTRIES:,}."
            findings.error("too-many", ("instances",), found, "Declare fewer instances, or fewer facts in groups.")


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
            modes += 1 if copies.instances_of_skill(name) else len(copies.facts_meant(lift.items))
            if modes > MAX_MODES and not mapped:
                found = f"With one for each list that it can be mapped over, it has more than {MAX_MODES} modes."
                findings.error("too-many", ("skills", name, "modes"), found, "Say with `each` which lists are meant.")
                break


def check_binds(catalog: Catalog, findings: Findings) -> None:
    """Check that what functions call facts is declared, and that no two facts go by one name."""
    names = names_of(catalog)
    for name, skill in catalog.skills.items():
        bound: dict[str, str] = {}
        for called, fact in skill.binds.items():
            place: Place = ("skills", name, "binds", called)
            if fact not in names.facts:
                findings.unknown(place, fact, names.facts, "facts")
            elif fact in bound:
                found = f"{fact!r} is bound to {bound[fact]!r} already."
                findings.error("bound-twice", place, found, "A function has one name for a fact.")
            bound[fact] = called
        used = set(facts_of(skill)) if skill.binds else set()
        for called in skill.binds:
            if called not in bound and called in used:
                found = f"The function would call both {skill.binds[called]!r} and {called!r} by the name {called!r}."
                findings.error("bound-twice", ("skills", name, "binds", called), found, "Bind the other one as well.")


def _check_groups(catalog: Catalog, copies: Copies, findings: Findings) -> None:
    home: dict[str, str] = {}
    for name, group in catalog.instances.items():
        for i, fact in enumerate(group.facts):
            place: Place = ("instances", name, "facts", i)
            written = [instance_name(fact, instance) for instance in group.of]
            if fact not in catalog.facts:
                if not all(instance in catalog.facts for instance in written):  # they are, once it was written out
                    findings.unknown(place, fact, catalog.facts, "facts")
            elif home.setdefault(fact, name) != name or fact in group.facts[:i]:
                found = f"{fact!r} is in the group {home[fact]!r} already."
                findings.error("repeated", place, found, "Take it out here: a fact is in one group, once.")
            else:
                _check_copies("facts", catalog.facts, fact, written, findings)


def _check_copies(what: str, declared: Iterable[str], name: str, written: Iterable[str], findings: Findings) -> None:
    for instance in written:
        if instance in declared:
            found = f"{instance!r} is declared, and is also what an instance of {name!r} is called."
            findings.error("names-collide", (what, instance), found, "Give one of them another name.")
        elif len(instance) > MAX_NAME:
            found = f"An instance of it would be called {instance!r:.60}…, which is longer than {MAX_NAME} characters."
            findings.error("too-long", (what, name), found, "Choose a shorter name for it, or for the instance.")


def _check_families(catalog: Catalog, copies: Copies, findings: Findings) -> None:
    """Check that what is said of a fact of a group can be said of each instance."""
    group_of = copies.group_of_fact
    for name, fact in catalog.facts.items():
        ends = fact.value.ends
        for key, other in (("is_a", fact.is_a), ("list_of", fact.list_of), *(("value", end) for end in ends)):
            if other in group_of and group_of[other] != group_of.get(name):
                found = f"{other!r} has instances, and it is not said of which one {name!r} is meant to speak."
                write = f"Put {name!r} into the group {group_of[other]!r}, or name one: {_first(copies, other)!r}."
                findings.error("which-instance", ("facts", name, key), found, write)
    for i, mapping in enumerate(catalog.mappings):
        groups = [group_of.get(fact) for fact in (mapping.fact, mapping.stands_for)]
        if None not in groups and groups[0] != groups[1]:
            found = f"{mapping.fact!r} and {mapping.stands_for!r} have instances of two groups."
            write = f"Name an instance of one of them, such as {_first(copies, mapping.fact)!r}."
            findings.error("which-instance", ("mappings", i), found, write)


def _first(copies: Copies, fact: str) -> str:
    return copies.instances_of_fact(fact)[0]


def _one_each(skill: Skill, copies: Copies) -> dict[str, str]:
    """Choose one fact for each group that a skill has facts of."""
    found: dict[str, str] = {}
    for fact in facts_of(skill):
        group = copies.group_of_fact.get(fact)
        if group is not None and group not in found.values():
            found[fact] = group
    return found


def _count(catalog: Catalog, copies: Copies) -> dict[str, int]:
    return {
        "facts": sum(len(copies.instances_of_fact(name)) or 1 for name in catalog.facts),
        "skills": sum(len(copies.instances_of_skill(name)) or 1 for name in catalog.skills),
    }


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
        found = f"fillable is true, but nobody can give several of {item.name!r} in words."
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
