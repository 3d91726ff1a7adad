"""Copies for instances: one copy of each fact of a group for each instance, and of each skill that uses such facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, TypeVar

from pydantic import BaseModel

from catalog.model import Catalog, Mode, Outcome, Skill
from catalog.model.entry import CatalogLimits, raise_limit
from catalog.model.fact import Fact
from catalog.model.instances import instance_name
from catalog.model.names import MAX_NAME
from catalog.problems import Findings, Place
from catalog.values import ValueKind
from catalog.values.base import listed

_M = TypeVar("_M", bound=BaseModel)
Lines = dict[Place, int]


def change(entry: _M, **fields: Any) -> _M:
    """Copy an entry with some of its fields changed; what was computed of the old one is left behind."""
    kind = type(entry)
    known = {name: getattr(entry, name) for name in kind.model_fields}
    return kind.model_construct(entry.model_fields_set | fields.keys(), **(known | fields))


class Copied:
    """Facts, or skills, that have instances, by the group that each is in."""

    def __init__(self, catalog: Catalog, group_of: dict[str, str]) -> None:
        self._groups, self.group_of = catalog.instances, group_of

    def instances(self, name: str) -> tuple[str, ...]:
        """Name the instances of one; none if it has nothing to do with a group."""
        group = self.group_of.get(name)
        return () if group is None else tuple(instance_name(name, instance) for instance in self._groups[group].of)

    def meant(self, name: str) -> tuple[str, ...]:
        """List what a name stands for where it is referred to: itself, or all its instances."""
        return self.instances(name) or (name,)

    def pairs(self, first: str, second: str) -> Iterator[tuple[str, str]]:
        """Pair what two names mean: in one group each instance with its own, otherwise every one with every one."""
        ours, theirs = self.meant(first), self.meant(second)
        alike = self.group_of.get(first) == self.group_of.get(second)
        yield from zip(ours, theirs, strict=True) if alike else product(ours, theirs)


class Copies:
    """The facts and skills of a catalog that have instances, with these instances."""

    def __init__(self, catalog: Catalog) -> None:
        self.groups = catalog.instances
        of_fact = {fact: group for fact, group in catalog.group_of.items() if fact in catalog.facts}
        self.groups_of_skill = {
            name: tuple(dict.fromkeys(of_fact[fact] for fact in facts_of(skill) if fact in of_fact))
            for name, skill in (catalog.skills.items() if of_fact else ())
        }
        self.facts = Copied(catalog, of_fact)
        self.skills = Copied(catalog, {name: groups[0] for name, groups in self.groups_of_skill.items() if groups})


def facts_of(skill: Skill) -> Iterator[str]:
    """Yield the facts that a skill takes or establishes, some of them several times."""
    for mode in skill.modes.values():
        yield from (*mode.takes, *mode.each)
        for outcome in mode.outcomes.values():
            yield from outcome.facts


def copy_instances(catalog: Catalog, copies: Copies, lines: Lines) -> Catalog:
    """Replace what belongs to groups by a copy for each instance; what names it is left to `expansion`."""
    _copy_lines(copies, lines)
    facts, skills = dict(_copy_facts(catalog, copies)), dict(_copy_skills(catalog, copies))
    return change(catalog, facts=facts, skills=skills)


def _copy_facts(catalog: Catalog, copies: Copies) -> Iterator[tuple[str, Fact]]:
    """Copy facts; a group stands where its first fact stood, one instance after the other: so they are asked for."""
    members: dict[str, list[Fact]] = {}
    for name, fact in catalog.facts.items():
        if (group := copies.facts.group_of.get(name)) is not None:
            members.setdefault(group, []).append(fact)
    for name, fact in catalog.facts.items():
        group = copies.facts.group_of.get(name)
        if group is None:
            yield name, fact
        elif written := members.pop(group, None):
            for instance, label in copies.groups[group].of.items():
                for member in written:
                    made = _copy_fact(member, _Instance(copies, group, instance, label))
                    yield made.name, made


class _Instance:
    """One instance of a group: how names and texts are written for it."""

    def __init__(self, copies: Copies, group: str, instance: str, label: str) -> None:
        self._copies, self._group, self._instance, self._label = copies, group, instance, label

    def name(self, name: str) -> str:
        """Name what belongs to the instance; a fact that does not keeps its name."""
        mine = self._copies.facts.group_of.get(name) == self._group
        return instance_name(name, self._instance) if mine else name

    def names(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.name, names))

    def skill(self, name: str) -> str:
        return instance_name(name, self._instance)

    def text(self, text: str) -> str:
        """Write out what the group's name in braces stands for."""
        return text.replace("{" + self._group + "}", self._label)

    def label(self, label: str) -> str:
        """Say of which instance something is, unless its author does."""
        said = self.text(label)
        return said if said != label else f"{label} ({self._label})"

    def template(self, text: str | None) -> str | None:
        """Say which instance a question with values is about; facts in braces become those of the instance."""
        if text is None:
            return None
        mine = (fact for fact, group in self._copies.facts.group_of.items() if group == self._group)
        for fact in mine:
            text = text.replace("{" + fact + "}", "{" + self.name(fact) + "}")
        return self.text(text)

    def question(self, question: str | None) -> str | None:
        """Say which instance a question is about, unless its author does."""
        if question is None:
            return None
        said = self.text(question)
        return said if said != question else f"{self._label[:1].upper()}{self._label[1:]}: {question}"


def _copy_fact(fact: Fact, instance: _Instance) -> Fact:
    return change(
        fact,
        name=instance.name(fact.name),
        alias=None,
        label=instance.label(fact.label),
        description=instance.text(fact.description),
        ask=instance.question(fact.ask),
        value=_copy_value(fact, instance),
        is_a=fact.is_a and instance.name(fact.is_a),
        list_of=fact.list_of and instance.name(fact.list_of),
        why_not_fillable=fact.why_not_fillable and instance.text(fact.why_not_fillable),
        examples=tuple(map(instance.text, fact.examples)),
        said=tuple(
            said.replace(f"{{{fact.name}}}", f"{{{instance.name(fact.name)}}}")
            for said in map(instance.text, fact.said)
        ),
    )


def _copy_value(fact: Fact, instance: _Instance) -> ValueKind:
    if not fact.value.ends:
        return fact.value
    start, end = map(instance.name, fact.value.ends)
    return fact.value.model_copy(update={"start": start, "end": end})


def _copy_skills(catalog: Catalog, copies: Copies) -> Iterator[tuple[str, Skill]]:
    for name, skill in catalog.skills.items():
        groups = copies.groups_of_skill[name]
        if not groups:
            yield name, skill
        else:
            for instance, label in copies.groups[groups[0]].of.items():
                made = _copy_skill(catalog, skill, _Instance(copies, groups[0], instance, label))
                yield made.name, made


def _copy_skill(catalog: Catalog, skill: Skill, instance: _Instance) -> Skill:
    """Copy a skill; its function goes on calling the facts what it called them."""
    bound = {fact: name for name, fact in skill.binds.items()}
    touched = (below for fact in facts_of(skill) for below in catalog.subtypes.get(fact, (fact,)))
    renamed = {bound.get(fact, fact): instance.name(fact) for fact in touched if instance.name(fact) != fact}
    return change(
        skill,
        name=instance.skill(skill.name),
        alias=None,
        label=instance.label(skill.label),
        description=instance.text(skill.description),
        sensitive=instance.names(skill.sensitive),
        confirm=instance.template(skill.confirm),
        binds={**skill.binds, **renamed},
        modes={name: _copy_mode(mode, instance) for name, mode in skill.modes.items()},
    )


def _copy_mode(mode: Mode, instance: _Instance) -> Mode:
    return change(
        mode,
        inputs=instance.names(mode.inputs),
        optional=instance.names(mode.optional),
        each={instance.name(item): instance.name(items) for item, items in mode.each.items()},
        outcomes={name: _copy_outcome(outcome, instance) for name, outcome in mode.outcomes.items()},
    )


def _copy_outcome(outcome: Outcome, instance: _Instance) -> Outcome:
    return change(
        outcome,
        label=instance.text(outcome.label),
        description=instance.text(outcome.description),
        facts=instance.names(outcome.facts),
        doubts=instance.names(outcome.doubts),
        say=instance.template(outcome.say),
    )


def _copy_lines(copies: Copies, lines: Lines) -> None:
    instances: Mapping[str, Any] = {"facts": copies.facts.instances, "skills": copies.skills.instances}
    for place, line in tuple(lines.items()):
        if len(place) > 1 and place[0] in instances:
            for name in instances[str(place[0])](str(place[1])):
                lines[place[0], name, *place[2:]] = line


def check_instances(catalog: Catalog, findings: Findings) -> None:
    """Check that each group can be written out: its facts exist once, names stay apart, nothing is of two groups."""
    copies = Copies(catalog)
    _check_groups(catalog, findings)
    _check_families(catalog, copies, findings)
    for name, groups in copies.groups_of_skill.items():
        _check_copies("skills", catalog.skills, name, copies.skills.instances(name), findings)
        if len(groups) > 1:
            of = listed(f"{fact!r} of {group!r}" for fact, group in _one_each(catalog.skills[name], copies).items())
            found = f"The skill has facts of {len(groups)} groups: {of}. Which instances go together is not known."
            first = next(iter(copies.groups[groups[1]].of))
            write = f"Keep to one group, and name the instance of another one: {instance_name('fact', first)!r}."
            findings.error("two-groups", ("skills", name), found, write)


def check_extent(catalog: Catalog, limits: CatalogLimits, findings: Findings) -> None:
    """Check that there are not too many facts and skills once instances are written out."""
    for what, written in _count(catalog, Copies(catalog)).items():
        if written > limits.entries:
            found = f"Written out, there are {written:,} {what}; a catalog may have {limits.entries:,}."
            write = f"Declare fewer instances, or fewer facts in groups, {raise_limit('catalog_entries')}."
            findings.error("too-many", ("instances",), found, write)


def _check_groups(catalog: Catalog, findings: Findings) -> None:
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
    group_of = copies.facts.group_of
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
    return copies.facts.instances(fact)[0]


def _one_each(skill: Skill, copies: Copies) -> dict[str, str]:
    found: dict[str, str] = {}
    for fact in facts_of(skill):
        group = copies.facts.group_of.get(fact)
        if group is not None and group not in found.values():
            found[fact] = group
    return found


def _count(catalog: Catalog, copies: Copies) -> dict[str, int]:
    return {
        "facts": sum(len(copies.facts.instances(name)) or 1 for name in catalog.facts),
        "skills": sum(len(copies.skills.instances(name)) or 1 for name in catalog.skills),
    }
