"""Made-up specifications of norms, small enough for every single message to be tried."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from catalog.norms import Message, NormSpecification, Utterance
from catalog.norms.vocabulary import Variable
from tests.strategies import some_of

ACTS = ("ask", "tell")
CONTENTS = ("text", "figure")
SELECTORS = ("boss", "clerk", "user", "Bo", "Cy", "everybody")
VARIABLES = ("$sender", "$last_sender", "$receivers", "$mentioned", "$last_answerer", "$bearer")
BEARERS = (*SELECTORS, "$sender", "$last_sender", "$receivers", "$mentioned", "$last_answerer")
SMALL = ("act", "sender", "receivers", "replies_to", "owing")


@st.composite
def filters(draw: st.DrawFn, norms: tuple[str, ...], small: bool) -> dict[str, Any]:
    """Draw up to two filters; few fields, if it is to be `small`."""
    names = tuple(one for one in (*SELECTORS, *VARIABLES) if not small or one != "$mentioned")
    values = {
        "sender": names,
        "receivers": (*names, "nobody"),
        "mentions": (*names, "nobody"),
        "replies_to": (*names, "nobody"),
        "act": ACTS,
        "topic": ("rain", "undefined"),
        "content": CONTENTS,
        "owing": norms,
    }
    fields = draw(st.sets(st.sampled_from(SMALL if small else ("topic", "content", "mentions", *SMALL)), max_size=2))
    return {field: list(draw(some_of(values[field], least=1, most=2))) for field in sorted(fields)}


@st.composite
def guards(draw: st.DrawFn, norms: tuple[str, ...]) -> dict[str, Any]:
    """Draw conditions, mostly none."""
    if draw(st.integers(0, 3)):
        return {}
    return {draw(st.sampled_from(["active", "inactive"])): list(draw(some_of(norms, least=1, most=1)))}


@st.composite
def specifications(draw: st.DrawFn, small: bool = False) -> NormSpecification:
    """Draw norms of two bots and whoever joins, with all that the language has; if `small`, nobody is mentioned."""
    norms = tuple(f"n{at}" for at in range(draw(st.integers(1, 4))))
    bearers = tuple(one for one in BEARERS if not small or one != "$mentioned")
    described = tuple(f"m{at}" for at in range(draw(st.integers(1, 3))))
    data: dict[str, Any] = {
        "name": "made_up",
        "acts": list(ACTS),
        "topics": {"rain": {}},
        "content_types": list(CONTENTS),
        "roles": {"boss": {"within": "clerk"}, "clerk": {}, "user": {}},
        "participants": {"Bo": {"kind": "bot", "roles": ["boss"]}, "Cy": {"kind": "bot", "roles": ["clerk"]}},
        "people": {"roles": ["user"]},
        "defaults": draw(st.fixed_dictionaries(dict.fromkeys(("person", "bot"), PERMITTED))),
        "descriptors": {name: draw(filters(norms, small)) for name in described},
        "protocol": {"states": ["quiet", "busy"]},
    }
    data["norms"] = {
        name: {
            "kind": draw(st.sampled_from(["obligation", "permission", "prohibition"])),
            "bearer": list(draw(some_of(bearers, least=1, most=2))),
            "act": draw(filters(norms, small)),
            "except": [draw(filters(norms, small))] if draw(st.booleans()) else [],
            "if": draw(guards(norms)),
            "ends": draw(st.sampled_from(["met", "met", "never"])),
            "standing": draw(st.integers(0, 4)) == 0,
        }
        for name in norms
    }
    for norm in data["norms"].values():
        if norm["kind"] == "obligation" and draw(st.booleans()):
            norm["deadline"] = 30
    switched = tuple(name for name in norms if not data["norms"][name]["standing"])
    owed = [name for name in norms if data["norms"][name]["kind"] == "obligation"]
    data["initial"] = {"activate": list(draw(some_of(switched)))}
    further = st.dictionaries(st.sampled_from(described), some_of(switched, most=2).map(list), max_size=2)
    data["transitions"] = {
        f"t{at}": {
            "on": draw(st.sampled_from([*described, *({"unmet": name} for name in owed)])),
            "from": list(draw(some_of(("quiet", "busy"), most=1))),
            "to": draw(st.sampled_from([None, "quiet", "busy"])),
            "if": draw(guards(norms)),
            "activate": list(draw(some_of(switched, most=2))),
            "also": draw(further),
            "deactivate": draw(st.sampled_from(["all", list(draw(some_of(switched, most=2)))])),
        }
        for at in range(draw(st.integers(0, 4)))
    }
    return NormSpecification.model_validate(data)


PERMITTED = st.sampled_from(["permitted", "prohibited"])


UTTERANCES = [
    Utterance.model_construct(act=act, topic=topic, content=content)
    for act, topic, content in product(ACTS, ("rain", "undefined", "all"), CONTENTS)
]


def any_message(random: Random, sender: str, names: tuple[str, ...]) -> Message:
    """Write some message: of up to three utterances, to whomever, in any order, answering anybody."""
    return Message.model_construct(
        sender=sender,
        utterances=tuple(random.choices(UTTERANCES, k=random.choice((0, 1, 1, 1, 2, 3)))),
        receivers=tuple(random.sample(names, random.randint(0, len(names)))),
        mentions=tuple(random.sample(names, random.choice((0, 0, 1, 2)))),
        replies_to=random.choice((None, *names)),
    )


assert set(VARIABLES) == {one.value for one in Variable}
