"""Errors of norms, with which none are loaded (row R19): undeclared names, variables out of scope, contradictions."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from catalog.checks.names import Classes, check_repeated, circles_above, refuse_collisions
from catalog.model.names import skeleton
from catalog.norms.model import WHO, Filters, Guards, Norm, NormSpecification, Transition, Unmet
from catalog.norms.vocabulary import ALL, EVERYBODY, NOBODY, NormKind, ParticipantKind, Variable
from catalog.problems import Findings, Place, Problem
from catalog.values.base import listed

_JOINING = "_-.\u200c\u200d"
"""What may stand in a name besides letters, marks and digits; not at its beginning."""
_VARIABLES = tuple(one.value for one in Variable)
_OF_A_MESSAGE = frozenset(Variable) - {Variable.BEARER}
"""The variables that a message binds which fires a transition."""
_OF_A_LAPSE = frozenset({Variable.SENDER})
"""The variable that an unmet obligation binds: who did not meet it."""


def check_names(specification: NormSpecification, findings: Findings) -> None:
    """Check that names can be written in a message (“@name”), and are no words of the language."""
    for place, names in classes_of(specification):
        for i, name in enumerate(names):
            at = (*place, name) if (*place, name) in findings.lines else _at(findings, place, i)
            _check_name(at, name, findings)
    for name in specification.participants:
        if name in specification.roles:
            line = findings.line(("roles", name))
            found = f"{name!r} is a participant, and on line {line} a role: filters could not tell them apart."
            findings.error("names-collide", ("participants", name), found, "Give one of them another name.")
    refuse_collisions(classes_of(specification), findings)


def _check_name(place: Place, name: str, findings: Findings) -> None:
    odd = [char for char in name if unicodedata.category(char)[0] not in "LMN" and char not in _JOINING]
    if odd or name[0] in _JOINING[1:]:
        shown = "a space" if odd and odd[0].isspace() else repr(odd[0] if odd else name[0])
        where = "holds" if odd else "begins with"
        found = f"The name {name!r:.60} {where} {shown}; names are written in messages and filters."
        findings.error("odd-name", place, found, "Write letters, digits and _, and the rest under `label`.")
    elif name in (EVERYBODY, NOBODY) or (name == ALL and place[0] == "norms"):
        findings.error("reserved", place, f"{name!r} is a word of the language.", "Give it another name.")


def check_newcomer(
    specification: NormSpecification, name: str, here: Iterable[str], place: Place, findings: Findings
) -> None:
    """Check that the name of a newcomer is no word of the language, no role, and no participant's."""
    others = dict.fromkeys((*specification.roles, *specification.participants, *here))
    if name.startswith("$") or name in (EVERYBODY, NOBODY):
        findings.error("reserved", place, f"{name!r:.60} is a word of the language.", "Choose another name.")
    elif name in specification.roles:
        findings.error("names-collide", place, f"{name!r:.60} is the name of a role.", "Choose another name.")
    elif same := [one for one in others if one != name and skeleton(one) == skeleton(name)]:
        found = f"{name!r:.60} looks like {same[0]!r:.60}."
        findings.error("look-alike", place, found, f"Write {same[0]!r:.60} if that is you, or choose another name.")


def classes_of(specification: NormSpecification) -> Classes:
    """List the places within which names must be distinct."""
    for key in ("roles", "participants", "topics", "descriptors", "norms", "transitions"):
        yield (key,), tuple(getattr(specification, key))
    yield ("acts",), specification.acts
    yield ("content_types",), specification.content_types
    yield ("protocol", "states"), specification.protocol.states


def check_roles(specification: NormSpecification, findings: Findings) -> None:
    """Check that roles are declared, and that none is within itself; topics likewise."""
    roles = specification.roles
    _check_within("roles", {name: role.within for name, role in roles.items()}, findings)
    _check_within("topics", {name: topic.within for name, topic in specification.topics.items()}, findings)
    for name, participant in specification.participants.items():
        _check_each(("participants", name, "roles"), participant.roles, roles, "roles", findings)
        if participant.bot and participant.kind is ParticipantKind.PERSON:
            found = f"{name!r} is a person, and `bot` names what answers for it."
            findings.error("contradiction", ("participants", name, "bot"), found, "Take it out, or write `kind: bot`.")
    _check_each(("people", "roles"), specification.people.roles, roles, "roles", findings)


def _check_within(key: str, within: Mapping[str, str | None], findings: Findings) -> None:
    for name, wider in within.items():
        findings.require((key, name, "within"), wider, within, key)
    for circle in circles_above(within):
        found = f"The {key} go round in a circle: {' within '.join(circle)}."
        findings.error("circle", (key, circle[0], "within"), found, "Take one of these `within` away.")


def check_descriptors(specification: NormSpecification, findings: Findings) -> None:
    for name, descriptor in specification.descriptors.items():
        _check_filters(("descriptors", name), descriptor, specification, findings)
        for place, variable in _variables(("descriptors", name), descriptor, findings):
            if variable == Variable.BEARER:
                found = f"{variable} stands in a descriptor, and a descriptor has no bearer."
                findings.error("out-of-scope", place, found, "Write $sender: who sent the message.")


def check_norms(specification: NormSpecification, findings: Findings) -> None:
    """Check that each norm names what is declared, and says nothing that its kind cannot have."""
    for name, norm in specification.norms.items():
        place: Place = ("norms", name)
        for i, bearer in enumerate(norm.bearer):
            _check_bearer(_at(findings, (*place, "bearer"), i), bearer, specification, findings)
        _check_filters((*place, "act"), norm.act, specification, findings)
        for i, filters in enumerate(norm.unless):
            _check_filters(_at(findings, (*place, "except"), i), filters, specification, findings)
        _check_guards((*place, "if"), norm.if_, specification, findings)
        if name in norm.if_.inactive:
            found = f"{name!r} is to hold only while it is not in force."
            findings.error("contradiction", (*place, "if", "inactive"), found, "Name another norm.")
        _check_duration(place, norm, findings)
        if norm.standing:
            for at, variable in _named(place, norm, findings):
                if variable in _OF_A_MESSAGE:
                    found = f"{variable} is bound by the message that activates a norm; this one always stands."
                    findings.error("out-of-scope", at, found, "Name a role, or let a transition activate the norm.")


def _check_duration(place: Place, norm: Norm, findings: Findings) -> None:
    for key in ("deadline", "ends"):
        if key not in norm.model_fields_set:
            continue
        if norm.kind is not NormKind.OBLIGATION:
            found = f"{norm.name!r} is a {norm.kind.value}; only obligations have `{key}`."
            findings.error("contradiction", (*place, key), found, "Take it out, or make the norm an obligation.")
        elif norm.standing:
            found = f"{norm.name!r} always stands, and has `{key}`."
            findings.error("contradiction", (*place, key), found, "Keep one of the two.")


def check_transitions(specification: NormSpecification, findings: Findings) -> None:
    """Check that transitions fire on something, lead somewhere, and change norms that can be changed."""
    states = specification.protocol.states
    for i, state in enumerate(states):
        check_repeated(_at(findings, ("protocol", "states"), i), state, states[:i], findings)
    initial = specification.initial
    findings.require(("initial", "state"), initial.state, states, "states")
    _check_changed(("initial", "activate"), initial.activate, specification, findings)
    _check_scope(("initial", "activate"), initial.activate, frozenset(), specification, findings)
    for name, transition in specification.transitions.items():
        place: Place = ("transitions", name)
        lapse = isinstance(transition.on, Unmet)
        if isinstance(transition.on, Unmet):
            _check_owed((*place, "on", "unmet"), transition.on.unmet, specification, findings)
        elif transition.on not in specification.descriptors:
            findings.unknown((*place, "on"), transition.on, specification.descriptors, "descriptors")
        _check_each((*place, "from"), transition.from_, states, "states", findings)
        findings.require((*place, "to"), transition.to, states, "states")
        _check_guards((*place, "if"), transition.if_, specification, findings)
        _check_changed((*place, "activate"), transition.activate, specification, findings)
        bound = _OF_A_LAPSE if lapse else _OF_A_MESSAGE
        _check_scope((*place, "activate"), transition.activate, bound, specification, findings)
        _check_also((*place, "also"), transition, specification, findings)
        if not transition.ends_all:
            _check_changed((*place, "deactivate"), transition.deactivate, specification, findings)


def _check_also(place: Place, transition: Transition, specification: NormSpecification, findings: Findings) -> None:
    """Check what begins where a message matches further descriptors; a lapse is no message."""
    if transition.also and isinstance(transition.on, Unmet):
        found = "It fires when a participant did not speak: no message can match a descriptor, too."
        findings.error("contradiction", place, found, "Take `also` out.")
    for name, norms in transition.also.items():
        findings.require((*place, name), name, specification.descriptors, "descriptors")
        _check_changed((*place, name), norms, specification, findings)


def _check_scope(
    place: Place,
    activated: Iterable[str],
    bound: Collection[str],
    specification: NormSpecification,
    findings: Findings,
) -> None:
    """Check that the variables of norms have something to stand for where these are activated."""
    for i, name in enumerate(activated):
        norm = specification.norms.get(name)
        if norm is None:
            continue
        named = dict.fromkeys(one for _, one in _named(("norms", name), norm, findings))
        if free := [one for one in named if one in _OF_A_MESSAGE and one not in bound]:
            fired = "a deadline passes" if bound else "no one has spoken"
            found = f"{name!r} names {listed(free)}, and is activated here, where {fired}: no one is meant."
            write = "Name a role or a participant in the norm, or let a message activate it."
            findings.error("out-of-scope", _at(findings, place, i), found, write)


def _check_filters(place: Place, filters: Filters, specification: NormSpecification, findings: Findings) -> None:
    for field in WHO:
        for i, one in enumerate(getattr(filters, field)):
            at = _at(findings, (*place, field), i)
            if field == "sender" and one == NOBODY:
                found = "Every message has a sender, so that `sender: nobody` never matches."
                findings.error("contradiction", at, found, "Take it out, or name a participant.")
            elif one != NOBODY:
                _check_who(at, one, specification, findings)
    for field, known, what in (
        ("act", specification.acts, "speech acts"),
        ("topic", specification.topics, "topics"),
        ("content", specification.content_types, "content types"),
    ):
        _check_each((*place, field), getattr(filters, field), known, what, findings)
    for i, name in enumerate(filters.owing):
        _check_owed(_at(findings, (*place, "owing"), i), name, specification, findings)


def _check_owed(place: Place, name: str, specification: NormSpecification, findings: Findings) -> None:
    norm = specification.norms.get(name)
    if norm is None:
        owed = [one.name for one in specification.norms.values() if one.kind is NormKind.OBLIGATION]
        findings.unknown(place, name, owed, "obligations")
    elif norm.kind is not NormKind.OBLIGATION:
        found = f"{name!r} is a {norm.kind.value}, which is not owed."
        findings.error("contradiction", place, found, "Name an obligation.")
    else:
        _check_changeable(place, norm, findings)


def _check_guards(place: Place, guards: Guards, specification: NormSpecification, findings: Findings) -> None:
    _check_changed((*place, "active"), guards.active, specification, findings)
    _check_changed((*place, "inactive"), guards.inactive, specification, findings)
    for i, name in enumerate(guards.inactive):
        if name in guards.active:
            found = f"{name!r} is to be in force and not to be."
            findings.error("contradiction", _at(findings, (*place, "inactive"), i), found, "Keep one of the two.")


def _check_changed(place: Place, names: Sequence[str], specification: NormSpecification, findings: Findings) -> None:
    _check_each(place, names, specification.norms, "norms", findings)
    for i, name in enumerate(names):
        if name in specification.norms:
            _check_changeable(_at(findings, place, i), specification.norms[name], findings)


def _check_changeable(place: Place, norm: Norm, findings: Findings) -> None:
    if norm.standing:
        found = f"{norm.name!r} always stands: it neither begins nor ends."
        findings.error("contradiction", place, found, "Take `standing` out of the norm, or its name out here.")


def _check_bearer(place: Place, bearer: str, specification: NormSpecification, findings: Findings) -> None:
    if bearer == NOBODY:
        findings.error("contradiction", place, "A norm without a bearer says nothing.", "Name a participant.")
    elif bearer == Variable.BEARER:
        found = f"{bearer} is the bearer of the norm, which is to be named here."
        findings.error("out-of-scope", place, found, "Name a role, a participant, another variable or everybody.")
    else:
        _check_who(place, bearer, specification, findings)


def _check_who(place: Place, name: str, specification: NormSpecification, findings: Findings) -> None:
    if name.startswith("$"):
        findings.require(place, name, _VARIABLES, "variables")
    elif name != EVERYBODY and name not in specification.participants and name not in specification.roles:
        known = (*specification.participants, *specification.roles, EVERYBODY)
        findings.unknown(place, name, known, "participants and roles")


def _check_each(place: Place, names: Sequence[str], known: Collection[str], what: str, findings: Findings) -> None:
    """Check that each of some names is declared, and stands there once."""
    for i, name in enumerate(names):
        at = _at(findings, place, i)
        findings.require(at, name, known, what)
        check_repeated(at, name, names[:i], findings)


def _named(place: Place, norm: Norm, findings: Findings) -> Iterator[tuple[Place, str]]:
    yield from ((_at(findings, (*place, "bearer"), i), one) for i, one in enumerate(norm.bearer) if one[0] == "$")
    yield from _variables((*place, "act"), norm.act, findings)
    for i, filters in enumerate(norm.unless):
        yield from _variables(_at(findings, (*place, "except"), i), filters, findings)


def _variables(place: Place, filters: Filters, findings: Findings) -> Iterator[tuple[Place, str]]:
    for field in WHO:
        for i, one in enumerate(getattr(filters, field)):
            if one.startswith("$"):
                yield _at(findings, (*place, field), i), one


def _at(findings: Findings, place: Place, i: int) -> Place:
    """Return the place of an item, or of the whole where one is written without a list."""
    return (*place, i) if (*place, i) in findings.lines else place


ERRORS = (check_names, check_roles, check_descriptors, check_norms, check_transitions)
"""Run whenever norms are loaded."""


def find_errors(specification: NormSpecification, lines: Mapping[Place, int], file: str) -> tuple[Problem, ...]:
    findings = Findings(file, lines)
    for check_one in ERRORS:
        check_one(specification, findings)
    return findings.in_order()
