from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from catalog.load.demo_files import NORM_DEMOS
from catalog.norms.checks import check_norms
from catalog.norms.load import load_norms, read_norms
from tests.catalog.norms.rooms import SMALL, changed


def put(where: str, name: str, /, **keys: Any) -> Callable[[Any], object]:
    """Add an entry to the small room, after the others of its kind; `_` at the end of a key is left out."""
    return lambda room: room[where].update({name: {key.rstrip("_"): value for key, value in keys.items()}})


def in_force(*norms: dict[str, Any], by: str = "start") -> Callable[[Any], object]:
    """Add norms that begin together: with the room, or with a transition; what stands need not begin."""

    def change(room: Any) -> None:
        named = {f"new_{i}": norm for i, norm in enumerate(norms)}
        room["norms"].update(named)
        begun = [name for name, norm in named.items() if "standing" not in norm]
        if by == "start":
            room["initial"]["activate"] += begun
        else:
            room["transitions"][by]["activate"] = [*room["transitions"][by]["activate"], *begun]

    return change


MUST = {"kind": "obligation", "bearer": "host", "act": "greeting"}
MUST_NOT = {"kind": "prohibition", "bearer": "host", "act": ["greeting", "bye"]}
AS_A_COOK = {"kind": "obligation", "bearer": "cook", "act": {"act": "inform"}}

TOLD = {
    "a norm that nothing activates": (
        put("norms", "idle", kind="permission", bearer="host"),
        ["norm-unused norms.idle"],
    ),
    "a role that nobody has": (put("roles", "critic"), []),
    "a role that nobody has, and norms bear on": (
        lambda room: (
            put("roles", "critic")(room),
            put("norms", "x", kind="permission", bearer="critic", standing="true")(room),
        ),
        ["role-unplayed roles.critic"],
    ),
    "a participant without a role": (put("participants", "Dan", kind="person"), ["no-role participants.Dan"]),
    "a participant that a norm names needs none": (
        lambda room: (put("participants", "Dan", kind="bot")(room), room["norms"]["guests_ask"].update(bearer="Dan")),
        [],
    ),
    "a descriptor of which another one takes all": (
        put("descriptors", "asked_again", sender="guest", act="query"),
        ["never-chosen descriptors.asked_again"],
    ),
    "a descriptor of a role within another one's": (
        put("descriptors", "baked", sender="baker", act="inform"),
        ["never-chosen descriptors.baked"],
    ),
    "a descriptor of a participant who has another one's role": (
        put("descriptors", "baked", sender="Cat", act="inform"),
        ["never-chosen descriptors.baked"],
    ),
    "a descriptor of which another one takes all, and that counts besides": (
        lambda room: (
            put("descriptors", "asked_again", sender="guest", act="query")(room),
            room["transitions"]["t2"].update(also={"asked_again": "host_ends"}),
        ),
        [],
    ),
    "a norm that begins besides others": (
        lambda room: (
            put("norms", "rare", kind="permission", bearer="host")(room),
            room["transitions"]["t2"].update(also={"answered": "rare"}),
        ),
        [],
    ),
    "a descriptor that takes some of another one's": (
        put("descriptors", "said", sender="cook", act=["inform", "bye"]),
        [],
    ),
    "a transition on what is never chosen": (
        lambda room: (
            put("descriptors", "asked_again", sender="guest", act="query")(room),
            put("transitions", "t5", on="asked_again")(room),
        ),
        ["never-chosen descriptors.asked_again", "never-fires transitions.t5.on"],
    ),
    "a transition after one that always fires": (
        put("transitions", "t5", on="asked_for_cake", to="open"),
        ["never-fires transitions.t5"],
    ),
    "a transition after one that has a guard": (put("transitions", "t5", on="answered", to="open"), []),
    "a state that nothing leads to": (
        lambda room: (
            room["protocol"]["states"].append("shut"),
            put("transitions", "t5", on="answered", from_="shut", to="open")(room),
        ),
        ["state-unreached protocol.states[2]", "never-fires transitions.t5.from"],
    ),
    "waiting for a deadline that is not there": (
        put("transitions", "t5", on={"unmet": "host_ends"}),
        ["no-deadline transitions.t5.on.unmet"],
    ),
    "a conflict from the start": (in_force(MUST, MUST_NOT), ["conflict norms.new_0", "conflict norms.host_opens"]),
    "a conflict with what stands": (
        in_force(MUST_NOT | {"standing": "true"}),
        ["conflict norms.host_opens"],
    ),
    "a conflict by a transition": (in_force(MUST, MUST_NOT, by="t3"), ["conflict norms.new_0"]),
    "a conflict of two roles of one participant": (
        lambda room: (
            in_force(AS_A_COOK, AS_A_COOK | {"kind": "prohibition", "bearer": "host"}, by="t3")(room),
            room["participants"]["Ana"].update(roles=["host", "cook"]),
        ),
        ["conflict norms.new_0"],
    ),
    "two roles that nobody has both": (
        in_force(AS_A_COOK, AS_A_COOK | {"kind": "prohibition", "bearer": "host"}, by="t3"),
        [],
    ),
    "an obligation with more filters": (
        in_force(MUST | {"act": {"act": "greeting", "topic": "soup"}}, MUST_NOT, by="t3"),
        [],
    ),
    "an obligation that leaves another way": (in_force(MUST | {"act": ["greeting", "thank"]}, MUST_NOT, by="t3"), []),
    "a prohibition with an exception": (
        in_force(MUST, MUST_NOT | {"except": {"act": "greeting", "topic": "cake"}}, by="t3"),
        [],
    ),
    "a prohibition with an exception for something else": (
        in_force(MUST, MUST_NOT | {"except": [{"act": "bye"}]}, by="t3"),
        ["conflict norms.new_0"],
    ),
    "a prohibition that waits for the obligation": (
        in_force(MUST, MUST_NOT | {"if": {"inactive": "new_0"}}, by="t3"),
        [],
    ),
    "names that look alike": (put("topics", "саке"), ["look-alike topics.саке"]),
}


@pytest.mark.parametrize(("change", "told"), TOLD.values(), ids=TOLD)
def test_what_can_never_happen_and_what_contradicts_itself_is_told(
    change: Callable[[Any], object], told: list[str]
) -> None:
    problems = check_norms(changed(change))
    assert sorted(f"{one.code} {one.where}" for one in problems) == sorted(told)
    assert all(one.severity == "warning" and one.line for one in problems)


def test_a_conflict_names_both_norms_and_says_what_to_write() -> None:
    text = SMALL.replace(
        "  guests_ask:", "  quiet: {kind: prohibition, bearer: host, act: greeting, standing: true}\n  guests_ask:"
    )
    (problem,) = check_norms(read_norms(text, "room.yaml"))
    assert problem.render() == (
        "room.yaml:23: warning: norms.host_opens: 'host_opens' obliges to what 'quiet' on line 29 forbids to the same "
        "bearer; they are in force together, and neither is more specific: what would meet it is denied. "
        "Write an `except` under 'quiet', or make one of them more specific."
    )


def test_a_room_in_order_gets_no_warning() -> None:
    assert check_norms(read_norms(SMALL)) == ()


@pytest.mark.parametrize("name", NORM_DEMOS)
def test_the_norms_of_the_demos_get_no_warning(name: str) -> None:
    assert check_norms(load_norms(name)) == ()
