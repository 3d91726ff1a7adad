from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from catalog.load.yaml_reader import read_yaml
from catalog.norms.load import FORM, read_norms
from catalog.problems import CatalogError, Place
from tests.catalog.norms.rooms import SMALL, changed, problems_of, small, written


def references(node: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the places of the small room at which something is named that is declared elsewhere."""
    if isinstance(node, dict):
        for key, inner in node.items():
            yield from references(inner, (*place, key))
    elif isinstance(node, list):
        for i, inner in enumerate(node):
            yield from references(inner, (*place, i))
    elif _REFERRING.intersection(place) and isinstance(node, str):
        yield place


_REFERRING = {"sender", "receivers", "act", "topic", "content", "replies_to", "bearer", "on", "from", "to", "activate",
              "deactivate", "inactive", "state", "within"}  # fmt: skip
PLACES = [one for one in references(small()) if one != ("transitions", "t1", "deactivate")]
ROLES = [(*one, "roles") for one in (("participants", "Ana"), ("participants", "Cat"), ("people",))]


@pytest.mark.row("R19")
@pytest.mark.parametrize("place", [*PLACES, *ROLES], ids=lambda place: ".".join(map(str, place)))
def test_whatever_is_named_and_not_declared_is_refused_on_its_line(place: Place) -> None:
    room = small()
    at: Any = room
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = "zzzzzzzz"
    text = written(room)
    (problem,) = problems_of(text)
    assert problem.code == "undeclared"
    assert "'zzzzzzzz' is not among the " in problem.found
    assert problem.write.startswith("Known ")
    assert text.splitlines()[(problem.line or 0) - 1].endswith("zzzzzzzz")


def test_the_room_of_these_tests_is_in_order() -> None:
    assert len(PLACES) > 25
    assert problems_of(SMALL) == ()


def to_norm(name: str, **keys: Any) -> Callable[[Any], object]:
    """Change keys of a norm; `_` at the end of a key is left out."""
    return lambda room: room["norms"][name].update({key.rstrip("_"): value for key, value in keys.items()})


def to_transition(name: str, **keys: Any) -> Callable[[Any], object]:
    return lambda room: room["transitions"][name].update({key.rstrip("_"): value for key, value in keys.items()})


def to_descriptor(name: str, **keys: Any) -> Callable[[Any], object]:
    return lambda room: room["descriptors"][name].update(keys)


def to_room(*place: str, to: Any) -> Callable[[Any], object]:
    def change(room: Any) -> None:
        for key in place[:-1]:
            room = room[key]
        room[place[-1]] = to

    return change


REFUSED = {
    "the nearest name is suggested": (
        to_transition("t1", to="bussy"),
        "undeclared",
        "transitions.t1.to",
        "Did you mean 'busy'? Known states: open, busy.",
    ),
    "a variable that does not exist": (
        to_norm("cook_answers", bearer="$reciever"),
        "undeclared",
        "norms.cook_answers.bearer",
        "mean '$receivers'?",
    ),
    "a variable in what holds from the start": (
        to_room("initial", "activate", to=["host_opens", "cook_answers"]),
        "out-of-scope",
        "initial.activate[1]",
        "'cook_answers' names $receivers and $sender, and is activated here",
    ),
    "the receivers of no message": (
        to_transition("t4", activate="cook_answers"),
        "out-of-scope",
        "transitions.t4.activate",
        "a deadline passes",
    ),
    "who spoke last, where nobody has spoken": (
        to_norm("host_opens", bearer="$last_sender"),
        "out-of-scope",
        "initial.activate[0]",
        "no one has spoken",
    ),
    "a variable in a norm that always stands": (
        to_norm("guests_ask", act={"replies_to": "$sender"}),
        "out-of-scope",
        "norms.guests_ask.act.replies_to",
        "stands",
    ),
    "a variable in an exception": (
        to_norm("cooks_wait", except_={"receivers": "$sender"}),
        "out-of-scope",
        "initial.activate[1]",
        "$sender",
    ),
    "a descriptor that nobody bears": (
        to_descriptor("asked", replies_to="$bearer"),
        "out-of-scope",
        "descriptors.asked.replies_to",
        "Write $sender",
    ),
    "a bearer who bears": (
        to_norm("host_ends", bearer="$bearer"),
        "out-of-scope",
        "norms.host_ends.bearer",
        "Name a role",
    ),
    "nobody as bearer": (
        to_norm("host_ends", bearer="nobody"),
        "contradiction",
        "norms.host_ends.bearer",
        "without a bearer",
    ),
    "nobody as sender": (
        to_descriptor("asked", sender="nobody"),
        "contradiction",
        "descriptors.asked.sender",
        "never matches",
    ),
    "roles in a circle": (
        to_room("roles", "cook", to={"within": "baker"}),
        "circle",
        "roles.cook.within",
        "cook within baker within cook",
    ),
    "a role within itself": (
        to_room("roles", "cook", to={"within": "cook"}),
        "circle",
        "roles.cook.within",
        "cook within",
    ),
    "topics in a circle": (
        lambda room: room["topics"].update(soup={"within": "cake"}, cake={"within": "soup"}),
        "circle",
        "topics.soup.within",
        "soup within cake within soup",
    ),
    "a role called as a participant": (
        to_room("roles", "Ana", to=None),
        "names-collide",
        "participants.Ana",
        "could not tell them apart",
    ),
    "participants who differ in case alone": (
        to_room("participants", "ANA", to={"kind": "bot", "roles": "host"}),
        "names-collide",
        "participants.ANA",
        "case",
    ),
    "a role that is a word of the language": (
        to_room("roles", "everybody", to=None),
        "reserved",
        "roles.everybody",
        "word",
    ),
    "a norm called all": (
        to_room("norms", "all", to={"kind": "permission", "bearer": "cook", "standing": "true"}),
        "reserved",
        "norms.all",
        "word",
    ),
    "a name with a space": (
        to_room("participants", "Dr No", to={"kind": "bot", "roles": "cook"}),
        "odd-name",
        "participants.'Dr No'",
        "a space",
    ),
    "a name with @": (to_room("roles", "@cook", to=None), "odd-name", "roles.'@cook'", "holds '@'"),
    "a name that looks like a variable": (
        to_room("roles", "$sender", to=None),
        "odd-name",
        "roles.'$sender'",
        "holds '$'",
    ),
    "a name that begins with a hyphen": (to_room("topics", "-x", to=None), "odd-name", "topics.-x", "begins with '-'"),
    "a speech act with a comma": (
        to_room("acts", to=["query", "a,b", "request", "inform", "greeting"]),
        "odd-name",
        "acts[1]",
        "holds ','",
    ),
    "a deadline on a permission": (
        to_norm("guests_ask", deadline=3),
        "contradiction",
        "norms.guests_ask.deadline",
        "only obligations have `deadline`",
    ),
    "an end of a prohibition": (
        to_norm("cooks_wait", ends="never"),
        "contradiction",
        "norms.cooks_wait.ends",
        "only obligations have `ends`",
    ),
    "a deadline of what always stands": (
        lambda room: room["norms"].update(
            {"always": {"kind": "obligation", "bearer": "host", "standing": "true", "deadline": 3}}
        ),
        "contradiction",
        "norms.always.deadline",
        "always stands",
    ),
    "what stands, and begins": (
        to_transition("t4", activate="guests_ask"),
        "contradiction",
        "transitions.t4.activate",
        "neither begins nor ends",
    ),
    "what stands, and ends": (
        to_transition("t4", deactivate=["guests_ask"]),
        "contradiction",
        "transitions.t4.deactivate[0]",
        "always stands",
    ),
    "a guard on what stands": (
        to_transition("t3", if_={"active": "guests_ask"}),
        "contradiction",
        "transitions.t3.if.active",
        "always stands",
    ),
    "guards that exclude each other": (
        to_transition("t3", if_={"active": "cooks_wait", "inactive": "cooks_wait"}),
        "contradiction",
        "transitions.t3.if.inactive",
        "to be in force and not to be",
    ),
    "a norm that excludes itself": (
        to_norm("host_ends", if_={"inactive": "host_ends"}),
        "contradiction",
        "norms.host_ends.if.inactive",
        "only while",
    ),
    "a descriptor besides that is not declared": (
        to_transition("t2", also={"aswered": "host_ends"}),
        "undeclared",
        "transitions.t2.also.aswered",
        "Did you mean 'answered'?",
    ),
    "a norm besides that is not declared": (
        to_transition("t2", also={"answered": ["host_ends", "host_end"]}),
        "undeclared",
        "transitions.t2.also.answered[1]",
        "Did you mean 'host_ends'?",
    ),
    "a message besides where nobody spoke": (
        to_transition("t4", also={"answered": "host_ends"}),
        "contradiction",
        "transitions.t4.also",
        "no message can match",
    ),
    "waiting for what nobody owes": (
        to_transition("t4", on={"unmet": "cooks_wait"}),
        "contradiction",
        "transitions.t4.on.unmet",
        "a prohibition",
    ),
    "owing a prohibition": (
        to_norm("cooks_wait", except_=[{"owing": "guests_ask"}]),
        "contradiction",
        "norms.cooks_wait.except[0].owing",
        "not owed",
    ),
    "owing what is not declared": (
        to_descriptor("answered", owing="cook_answer"),
        "undeclared",
        "descriptors.answered.owing",
        "Known obligations",
    ),
    "a state twice": (
        to_room("protocol", "states", to=["open", "busy", "open"]),
        "repeated",
        "protocol.states[2]",
        "already",
    ),
    "a role twice": (
        to_room("participants", "Ana", "roles", to=["host", "host"]),
        "repeated",
        "participants.Ana.roles[1]",
        "already",
    ),
    "a person with a program": (
        to_room("participants", "Ana", to={"kind": "person", "roles": "host", "bot": "a.b:c"}),
        "contradiction",
        "participants.Ana.bot",
        "is a person",
    ),
    "a transition on the wrong key": (
        to_transition("t4", on={"unmett": "cook_answers"}),
        "missing-key",
        "transitions.t4.on",
        "'unmet' is missing",
    ),
    "more participants than a room has": (
        to_room("participants", to={f"p{i}": {"kind": "person", "roles": "guest"} for i in range(101)}),
        "wrong-value",
        "participants",
        "at most 100",
    ),
    "more norms than can be judged": (
        to_room("norms", to={f"n{i}": {"kind": "permission", "bearer": "cook"} for i in range(1_001)}),
        "wrong-value",
        "norms",
        "at most 1000",
    ),
}


@pytest.mark.row("R19")
@pytest.mark.parametrize(("change", "code", "where", "text"), REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_refused(change: Callable[[Any], object], code: str, where: str, text: str) -> None:
    with pytest.raises(CatalogError) as caught:
        changed(change)
    problem = next(one for one in caught.value.problems if one.where == where)
    assert problem.code == code
    assert text in f"{problem.found} {problem.write}"
    assert problem.render().startswith(f"room.yaml:{problem.line}: error: {where}: ")


@pytest.mark.row("R19")
def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_file() -> None:
    text = SMALL.replace("sender: cook", "sender: coock").replace("to: busy", "to: bussy").replace("host}\n", "hots}\n")
    assert [(problem.line, problem.found) for problem in problems_of(text)] == [
        (12, "'hots' is not among the roles."),
        (21, "'coock' is not among the participants and roles."),
        (33, "'bussy' is not among the states."),
    ]


@pytest.mark.row("R19")
def test_two_norms_of_one_name_are_refused_with_both_lines() -> None:
    text = SMALL.replace("  guests_ask:", "  cooks_wait: {kind: permission, bearer: guest}\n  guests_ask:")
    (problem,) = problems_of(text)
    assert problem.code == "duplicate-key"
    assert problem.found == "The key 'cooks_wait' is here a second time; the first is on line 24."
    assert problem.line == 29


def test_names_may_be_of_any_script() -> None:
    text = SMALL.replace("Ana", "Дашa1".replace("a", "а")).replace("baker", "पाचक").replace("cakes", "🍰")
    assert problems_of(text) == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: &x [y]\nb: [*x, *x]", "anchor"),
        ("name: !!python/object:os.system x", "tag"),
        ("name: x\n---\nname: y", "two-documents"),
        ("[" * 60 + "]" * 60, "too-deep"),
        ("#" * 20_971_521, "too-large"),
        ("", "empty"),
        ("name: [", "not-yaml"),
    ],
)
def test_norm_files_are_read_within_the_limits_of_all_files(text: str, code: str) -> None:
    first = problems_of(text)[0]
    assert first.code == code
    assert "catalog" not in f"{first.found} {first.write}"


def test_places_of_names_have_lines() -> None:
    lines = read_yaml(SMALL, "small", FORM).lines
    assert read_norms(SMALL).lines == lines
