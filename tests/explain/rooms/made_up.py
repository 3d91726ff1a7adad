"""Norms and messages that are made up, the same ones for the same number."""

from __future__ import annotations

from random import Random
from typing import Any

Json = dict[str, Any]
ACTS = ("query", "inform", "request", "greeting")
TOPICS = ("soup", "cake")
CONTENTS = ("text", "recipe")
PEOPLE = ("Ana", "Ben")
BOTS = {"Cid": ["host"], "Dot": ["cook"], "Eve": ["baker"], "Fay": ["baker", "host"]}
ROLES = {"guest": None, "bot": None, "host": {"within": "bot"}, "cook": {"within": "bot"}, "baker": {"within": "cook"}}
WHO = (*ROLES, *BOTS, "everybody")
VARIABLES = ("$sender", "$receivers", "$last_sender", "$last_answerer", "$mentioned")


def made_up_norms(dice: Random) -> Json:
    """Make up a norm file."""
    names = [f"n{i}" for i in range(dice.randint(4, 9))]
    kinds = {name: dice.choice(["obligation", "prohibition", "prohibition", "permission"]) for name in names}
    kinds[names[0]] = "obligation"
    standing = {name for name in names[1:] if dice.random() < 0.15}
    changeable = [name for name in names if name not in standing]
    owed = [name for name in changeable if kinds[name] == "obligation"]

    def filters(variables: tuple[str, ...], most: int) -> Json:
        chosen: Json = {}
        for _ in range(min(dice.randint(0, most), dice.randint(0, most))):
            match dice.choice(
                ["act", "act", "topic", "content", "receivers", "replies_to", "mentions", "sender", "owing"]
            ):
                case "act":
                    chosen["act"] = dice.sample(ACTS, dice.randint(1, 2))
                case "topic":
                    chosen["topic"] = dice.choice(TOPICS)
                case "content":
                    chosen["content"] = dice.choice(CONTENTS)
                case "owing":
                    chosen["owing"] = dice.choice(owed)
                case "sender":
                    chosen["sender"] = dice.choice((*WHO, *variables))
                case field:
                    chosen[field] = dice.choice((*WHO, "nobody", *variables))
        return chosen

    def guards(besides: str) -> Json:
        others = [name for name in changeable if name != besides]
        if not others or dice.random() < 0.75:
            return {}
        return {dice.choice(["active", "inactive"]): dice.choice(others)}

    norms: Json = {}
    for name in names:
        free = () if name in standing or dice.random() < 0.5 else VARIABLES
        bearer = dice.choice((*WHO, *free, *free))
        norms[name] = {
            "kind": kinds[name],
            "bearer": bearer,
            "act": filters((*free, "$bearer"), 3),
            "label": f"rule {name}",
        }
        if dice.random() < 0.5:
            norms[name]["except"] = [filters((*free, "$bearer"), 2) or {"act": "greeting"}]
        norms[name]["if"] = guards(name)
        if name in standing:
            norms[name]["standing"] = "true"
        elif kinds[name] == "obligation" and dice.random() < 0.2:
            norms[name]["ends"] = "never"
    plain = [name for name in changeable if not any(one in str(norms[name]) for one in VARIABLES)]
    descriptors = {f"d{i}": filters(("$sender", "$last_sender"), 3) for i in range(dice.randint(2, 5))}
    transitions: Json = {}
    for i in range(dice.randint(3, 7)):
        on: Any = {"unmet": dice.choice(owed)} if dice.random() < 0.15 else dice.choice(list(descriptors))
        may = plain if isinstance(on, dict) else changeable
        transitions[f"t{i}"] = {
            "on": on,
            "from": dice.sample(["calm", "busy"], dice.randint(1, 2)),
            "to": dice.choice(["calm", "busy"]),
            "if": guards(""),
            "activate": dice.sample(may, min(len(may), dice.randint(1, 4))),
            "deactivate": "all"
            if dice.random() < 0.1
            else dice.sample(changeable, dice.randint(0, 2) if len(changeable) > 1 else 0),
        }
    return {
        "name": "made_up",
        "content_types": list(CONTENTS),
        "topics": dict.fromkeys(TOPICS),
        "roles": ROLES,
        "participants": {name: {"kind": "bot", "roles": roles} for name, roles in BOTS.items()},
        "people": {"roles": "guest"},
        "defaults": {
            "person": dice.choice(["permitted", "prohibited"]),
            "bot": dice.choice(["permitted", "prohibited"]),
        },
        "protocol": {"states": ["calm", "busy"]},
        "descriptors": descriptors,
        "norms": norms,
        "initial": {"activate": dice.sample(plain, dice.randint(min(1, len(plain)), len(plain)))},
        "transitions": transitions,
    }


def made_up_message(dice: Random, here: list[str], posted: list[tuple[int, str]]) -> Json:
    """Make up a message of somebody who is here; it may answer one that was posted."""
    sender = dice.choice(here)
    message: Json = {
        "sender": sender,
        "utterances": [
            {"act": dice.choice(ACTS), "topic": dice.choice((*TOPICS, "undefined")), "content": dice.choice(CONTENTS)}
            for _ in range(dice.choice([0, 1, 1, 1, 2]))
        ],
        "receivers": dice.sample(here, dice.choice([0, 0, 1, 2])),
        "mentions": dice.sample(here, dice.choice([0, 0, 0, 1])),
    }
    if posted and dice.random() < 0.6:
        entry, other = dice.choice(posted[-4:])
        message["replies_to"] = other
        if dice.random() < 0.5:
            message["in_reply_to"] = str(entry)
    return message
