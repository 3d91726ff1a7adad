"""Governance as a service without a state: a status and a message in, tags, norms and the next status out (§4).

It is what the paper's conversation governance is: nothing is kept between two requests, and the client keeps the
status. `planglass govern` reads requests from JSON and writes what is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, JsonValue, ValidationError
from pydantic_core import from_json

from catalog.load.faults import find_faults
from catalog.load.yaml_reader import ParsedSource
from catalog.model.entry import Entry, Names
from catalog.norms.errors import check_newcomer
from catalog.norms.fipa import read_message
from catalog.norms.message import Message, Moment
from catalog.norms.model import NormSpecification
from catalog.norms.vocabulary import ParticipantKind
from catalog.problems import CatalogError, Findings
from catalog.values.base import is_clean
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import STATUS, Member, RoomStatus, called
from dialogue.rooms.governance.verdict import Tag
from language.rooms.speech_acts import Listener

LONGEST_REQUEST = 1_000_000
NEXT = "next"
"""In place of a status: the one that the request before led to."""
Understand = Callable[[Message, RoomStatus], Message]
"""Reads the speech acts and topics of a message that has words alone, among those who are in the room."""


def as_it_is(message: Message, status: RoomStatus) -> Message:
    return message


def by_its_words(specification: NormSpecification) -> Understand:
    """Return what reads messages as a room does; it is learned when it is first needed."""
    learned = cache(lambda: Listener(specification))

    def understand(message: Message, status: RoomStatus) -> Message:
        if message.utterances or not message.content:
            return message
        heard = learned().hear(message.content, called(specification, status))
        utterances = tuple(one.as_utterance() for one in heard.utterances)
        return message.model_copy(update={"utterances": utterances, "mentions": message.mentions or heard.mentions})

    return understand


class GovernRequest(Entry):
    """A status and a message to be judged; and by `now`, whose obligations are overdue."""

    norms: str = Field(default="", max_length=1_000, description="A demo room or a file, in place of the one given.")
    status: RoomStatus | None = Field(
        default=None, description="Where the conversation stands; null: at its beginning."
    )
    message: Annotated[Message, BeforeValidator(read_message)] | None = Field(
        default=None, description="The message: as JSON, as FIPA ACL in JSON, or in FIPA's notation for text."
    )
    people: Names = Field(default=(), description="People who come in before the message.")
    now: Moment | None = Field(default=None, description="What time it is: obligations past their deadline end.")


def govern(
    governance: Governance, request: GovernRequest, findings: Findings, understand: Understand = as_it_is
) -> dict[str, JsonValue]:
    """Answer one request; raises `CatalogError` for one that does not go with the norms."""
    if request.message is None and request.now is None:
        findings.error("missing-key", (), "There is neither `message` nor `now`.", "Give a message to be judged.")
    began = request.now if request.message is None else request.message.at
    status = request.status or governance.begin(at=began)
    if request.status is not None:
        _check_status(governance.specification, status, findings)
    for name in request.people:
        check_newcomer(governance.specification, name, (), ("people",), findings)
    if findings.problems:
        raise CatalogError(findings.problems)
    for name in request.people:
        roles = governance.specification.people.roles
        status = governance.join(status, Member(name, ParticipantKind.PERSON, roles))
    answer: dict[str, JsonValue] = {}
    if request.now is not None:
        lapses: list[JsonValue] = []
        for active in governance.overdue(status, request.now):
            if active not in status.active:
                continue  # it ended with another one of its norm
            lapse, status = governance.end_unmet(status, active.norm, active.bearers, request.now, due_by=request.now)
            lapses.append(
                {
                    "norm": lapse.norm,
                    "bearers": list(lapse.bearers),
                    "transition": lapse.transition,
                    "activated": list(lapse.activated),
                    "deactivated": list(lapse.deactivated),
                }
            )
        answer["unmet"] = lapses
    if request.message is not None:
        if status.member(request.message.sender) is None:
            known = [member.name for member in status.members]
            findings.unknown(("message", "sender"), request.message.sender, known, "participants")
            raise CatalogError(
                replace(one, write=f"{one.write} Or name the person under `people`.") for one in findings.problems
            )
        verdict, status = governance.judge(status, understand(request.message, status))
        answer |= {
            "isAllowed": verdict.posted,
            "isDenied": not verdict.posted,
            "isRequired": verdict.tag is Tag.REQUIRED,
            "norms": list(verdict.norms),
            "conflicts": list(verdict.conflicts),
            "excepted": list(dict.fromkeys(norm for norm, _ in verdict.excepted)),
            "descriptor": verdict.descriptor,
            "transition": verdict.transition,
            "met": list(verdict.met),
            "activated": list(verdict.activated),
            "deactivated": list(verdict.deactivated),
        }
    return {**answer, "status": STATUS.dump_python(status, mode="json")}


def read_request(line: str, findings: Findings, before: JsonValue = None) -> GovernRequest:
    """Read a request from JSON; raises `CatalogError`, all of it on the line of the findings.

    `before` is the status that the request before led to, which `"status": "next"` stands for.
    """
    write = 'Write one object a line: {"status": null, "message": {"sender": "…", "content": "…"}}.'
    if len(line) > LONGEST_REQUEST:
        found = f"The request has {len(line):,} characters; {LONGEST_REQUEST:,} are read at most."
        findings.error("too-large", (), found, "Split it.")
        raise CatalogError(findings.problems)
    if not is_clean(line):
        findings.error("not-text", (), "The line holds bytes that are not UTF-8, or a NUL.", "Save it as UTF-8.")
        raise CatalogError(findings.problems)
    try:
        root: Any = from_json(line, allow_inf_nan=False)
    except ValueError as fault:
        findings.error("not-json", (), f"The line is not JSON: {fault}.", write)
        raise CatalogError(findings.problems) from fault
    if not isinstance(root, Mapping):
        findings.error("wrong-value", (), "The line is JSON, but no object.", write)
        raise CatalogError(findings.problems)
    root = {**root, "status": before} if root.get("status") == NEXT else root
    try:
        return GovernRequest.model_validate(root)
    except ValidationError as fault:
        source = ParsedSource(root, dict(findings.lines))
        raise CatalogError(find_faults(fault, GovernRequest, source, findings.file)) from fault


def _check_status(specification: NormSpecification, status: RoomStatus, findings: Findings) -> None:
    if status.state not in specification.protocol.states:
        findings.unknown(("status", "state"), status.state, specification.protocol.states, "states")
    for i, active in enumerate(status.active):
        if active.norm not in specification.norms:
            findings.unknown(("status", "active", i, "norm"), active.norm, specification.norms, "norms")
    for i, member in enumerate(status.members):
        check_newcomer(specification, member.name, (), ("status", "members", i, "name"), findings)
        for role in member.roles:
            if role not in specification.roles:
                findings.unknown(("status", "members", i, "roles"), role, specification.roles, "roles")
