"""Check norms that load: what can never happen, and what contradicts itself, as far as reading them shows.

Whether a conversation can come to a standstill is found by walking through it (`dialogue.rooms.checker`); what is
found here needs no walk, and has a line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from catalog.checks.names import warn_of_looks
from catalog.norms.errors import classes_of
from catalog.norms.load import LoadedNorms
from catalog.norms.model import FILTERS, NO_GUARDS, WHO, Filters, Norm, NormSpecification, Transition, Unmet
from catalog.norms.vocabulary import EVERYBODY, NOBODY, NormKind
from catalog.problems import Findings, Place, Problem


def check_norms(loaded: LoadedNorms) -> tuple[Problem, ...]:
    """List warnings, in the order of the file."""
    findings = Findings(loaded.file, loaded.lines)
    for check_one in WARNINGS:
        check_one(loaded.specification, findings)
    return findings.in_order()


def check_use(specification: NormSpecification, findings: Findings) -> None:
    """Warn of norms that nothing activates, and of roles and participants that nothing can concern."""
    activated = set(specification.initial.activate).union(
        *(transition.begins for transition in specification.transitions.values())
    )
    for name, norm in specification.norms.items():
        if not norm.standing and name not in activated:
            found = f"Nothing activates {name!r}: no transition, `initial` neither, and it does not stand."
            findings.warn("norm-unused", ("norms", name), found, "Let a transition activate it, or take it out.")
    played = specification.all_roles(specification.people.roles).union(
        *(specification.all_roles(one.roles) for one in specification.participants.values())
    )
    bearing = {one for norm in specification.norms.values() for one in norm.bearer}
    for name in specification.roles:
        if name not in played and name in bearing:
            found = f"No participant has the role {name!r}: the norms that bear on it bind no one."
            findings.warn("role-unplayed", ("roles", name), found, "Give it to a participant or to `people`.")
    for name, participant in specification.participants.items():
        if not participant.roles and not bearing.intersection((name, EVERYBODY)):
            found = f"{name!r} has no role, and no norm names it: only the default holds for it."
            findings.warn("no-role", ("participants", name), found, "Give it a role.")


def check_lapses(specification: NormSpecification, findings: Findings) -> None:
    """Warn of transitions that wait for a deadline which is not there."""
    for name, transition in specification.transitions.items():
        if isinstance(transition.on, Unmet) and specification.norms[transition.on.unmet].deadline is None:
            found = f"{transition.on.unmet!r} has no deadline: it ends unmet only where its bearer leaves."
            place = ("transitions", name, "on", "unmet")
            findings.warn("no-deadline", place, found, "Give the norm a `deadline` in seconds.")


def check_choice(specification: NormSpecification, findings: Findings) -> None:
    """Warn of descriptors that are never chosen (row R13), and of transitions that so never fire (row R14)."""
    lost: set[str] = set()
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    besides = {name for one in specification.transitions.values() for name in one.also}
    for name, descriptor in specification.descriptors.items():
        kind = tuple(field for field in FILTERS if getattr(descriptor, field))
        for first in alike[kind]:
            if covers(specification, specification.descriptors[first], descriptor):
                lost.add(name)
                if name in besides:
                    break
                line = findings.line(("descriptors", first))
                found = f"{first!r} on line {line} has as many filters, is declared first, and matches all that "
                found += f"{name!r} matches: this one is never chosen."
                findings.warn("never-chosen", ("descriptors", name), found, "Put it first, or narrow the other one.")
                break
        else:
            alike[kind].append(name)
    _check_firing(specification, lost, findings)


def _check_firing(specification: NormSpecification, lost: Collection[str], findings: Findings) -> None:
    reached = _reached(specification)
    before: dict[str, list[Transition]] = defaultdict(list)
    for name, transition in specification.transitions.items():
        place: Place = ("transitions", name)
        on = transition.on if isinstance(transition.on, str) else f"unmet {transition.on.unmet}"
        states = set(transition.from_) or set(specification.protocol.states)
        if on in lost:
            found = f"The descriptor {on!r} is never chosen, so that this never fires."
            findings.warn("never-fires", (*place, "on"), found, "Name another descriptor.")
        elif not states & reached:
            found = f"No transition leads to {' or '.join(map(repr, transition.from_))}, so that this never fires."
            findings.warn("never-fires", (*place, "from"), found, "Name another state, or let a transition lead there.")
        else:
            first = next(
                (one for one in before[on] if one.if_ == NO_GUARDS and (not one.from_ or states <= {*one.from_})), None
            )
            if first is not None:
                line = findings.line(("transitions", first.name))
                found = f"{first.name!r} on line {line} fires on the same and comes first: this never fires."
                findings.warn("never-fires", place, found, "Put it first, or give the other one an `if` or `from`.")
        before[on].append(transition)
    for i, state in enumerate(specification.protocol.states):
        if state not in reached:
            found = f"No transition leads to the state {state!r}."
            findings.warn("state-unreached", ("protocol", "states", i), found, "Let one lead there, or take it out.")


def _reached(specification: NormSpecification) -> set[str]:
    """Return the states that transitions lead to, whatever their guards."""
    reached = {specification.first_state}
    while True:
        more = {
            one.to
            for one in specification.transitions.values()
            if one.to is not None and one.to not in reached and (not one.from_ or reached.intersection(one.from_))
        }
        if not more:
            return reached
        reached |= more


def covers(specification: NormSpecification, wide: Filters, narrow: Filters) -> bool:
    """Return whether all that some filters match is matched by others, as far as names tell."""
    for field in FILTERS:
        values, within = getattr(narrow, field), getattr(wide, field)
        if within and not values:
            return False
        if within and field not in WHO and not set(values) <= set(within):
            return False
        if within and field in WHO and not all(_is_one_of(specification, one, within) for one in values):
            return False
    return True


def _is_one_of(specification: NormSpecification, name: str, selectors: Collection[str]) -> bool:
    """Return whether everybody who goes by a name is meant by one of the selectors."""
    if name in selectors or (EVERYBODY in selectors and name != NOBODY and name[0] != "$"):
        return True
    if name in specification.participants:
        return not specification.all_roles(specification.participants[name].roles).isdisjoint(selectors)
    return not set(specification.roles_within(name)).isdisjoint(selectors)


def check_conflicts(specification: NormSpecification, findings: Findings) -> None:
    """Warn of an obligation to what a prohibition forbids that is in force with it, neither being more specific."""
    for obligation, prohibition in _in_force_together(specification):
        if not _conflict(specification, obligation, prohibition):
            continue
        line = findings.line(("norms", prohibition.name))
        found = f"{obligation.name!r} obliges to what {prohibition.name!r} on line {line} forbids to the same bearer; "
        found += "they are in force together, and neither is more specific: what would meet it is denied."
        write = f"Write an `except` under {prohibition.name!r}, or make one of them more specific."
        findings.warn("conflict", ("norms", obligation.name), found, write)


def _in_force_together(specification: NormSpecification) -> Iterator[tuple[Norm, Norm]]:
    """Yield obligations with prohibitions that are in force as soon as they begin, each pair once."""
    norms, transitions = specification.norms, specification.transitions.values()
    ended = {name for one in transitions for name in (norms if one.ends_all else one.deactivate)}
    lasting = {one.name for one in specification.standing()}
    lasting.update(name for name in specification.initial.activate if name not in ended)
    begun = (set(specification.initial.activate), *(set(one.begins) for one in transitions))
    told: set[tuple[str, str]] = set()
    for step in begun:
        obliging = [name for name in sorted(step) if norms[name].kind is NormKind.OBLIGATION]
        forbidding = [name for name in sorted(step | lasting) if norms[name].kind is NormKind.PROHIBITION]
        for pair in ((one, other) for one in obliging for other in forbidding):
            if pair not in told:
                told.add(pair)
                yield norms[pair[0]], norms[pair[1]]


def _conflict(specification: NormSpecification, obligation: Norm, prohibition: Norm) -> bool:
    return (
        specification.weigh(obligation) == specification.weigh(prohibition)
        and _share_a_bearer(specification, obligation.bearer, prohibition.bearer)
        and covers(specification, prohibition.act, obligation.act)
        and not any(_may_both_match(one, obligation.act) for one in prohibition.unless)
        and not _exclude_each_other(obligation, prohibition)
    )


def _share_a_bearer(specification: NormSpecification, some: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether one participant surely bears both: by one selector, or declared with both roles."""
    ours, theirs = set(some), set(others)
    if ours & theirs:
        return True
    everyone = [
        (EVERYBODY, name, *specification.all_roles(one.roles)) for name, one in specification.participants.items()
    ]
    return any(ours.intersection(names) and theirs.intersection(names) for names in everyone)


def _may_both_match(some: Filters, others: Filters) -> bool:
    """Return whether an utterance may match both, as far as its act, topic and content tell."""
    return all(
        not getattr(some, field)
        or not getattr(others, field)
        or set(getattr(some, field)) & set(getattr(others, field))
        for field in ("act", "topic", "content")
    )


def _exclude_each_other(one: Norm, other: Norm) -> bool:
    """Return whether the guards of two norms never hold together, each being in force."""
    active = {one.name, other.name, *one.if_.active, *other.if_.active}
    return not active.isdisjoint((*one.if_.inactive, *other.if_.inactive))


def check_likeness(specification: NormSpecification, findings: Findings) -> None:
    """Warn of names that people will take for one another."""
    warn_of_looks(classes_of(specification), findings)


WARNINGS = (check_use, check_lapses, check_choice, check_conflicts, check_likeness)
