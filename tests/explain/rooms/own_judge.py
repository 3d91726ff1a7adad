"""A judge of its own: reads the JSON of norms and of a log, and works out verdicts, with nothing of the product's.

It follows what a norm file means (Gatti de Bayser et al. 2018, §4–5; decision 25), in the plainest way.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Json = dict[str, Any]
Opinion = tuple[str, list[str], list[str]]
"""The tag of a message, the norms that decided, and those that an exception of theirs kept from denying it."""
_FIELDS = ("sender", "receivers", "act", "topic", "content", "mentions", "replies_to", "owing")
_PEOPLE = ("sender", "receivers", "mentions", "replies_to")
_BINDS = ("$sender", "$last_sender", "$receivers", "$mentioned", "$last_answerer")


def many(value: Any) -> list[Any]:
    """Read one or several."""
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


class OwnJudge:
    """Keeps which norms are active, and judges one message after the other."""

    def __init__(self, norms: Json) -> None:
        self.norms = deepcopy(norms)
        self.kinds = {name: one["kind"] for name, one in norms["participants"].items()}
        self.roles = {name: self.wider(many(one.get("roles"))) for name, one in norms["participants"].items()}
        self.active: list[Json] = []
        self.state = (norms.get("initial") or {}).get("state") or norms["protocol"]["states"][0]
        self.last_sender: str | None = None
        self.last_answerer: str | None = None
        self.activate(many((norms.get("initial") or {}).get("activate")), {}, "")

    def wider(self, roles: list[str]) -> set[str]:
        found: set[str] = set()
        for role in roles:
            at: str | None = role
            while at and at not in found:
                found.add(at)
                at = (self.norms["roles"].get(at) or {}).get("within")
        return found

    def take(self, entry: int, event: Json) -> Opinion | None:
        """Take an event of the log into account; return what it makes of it, if it is a verdict's message."""
        match event["kind"]:
            case "joined":
                name = event["participant"]
                self.kinds[name], self.roles[name] = event.get("what", "person"), self.wider(many(event.get("roles")))
                for one in self.active:
                    norm = self.norms["norms"][one["norm"]]
                    if norm["kind"] != "obligation" and any(self.is_called(name, who) for who in many(norm["bearer"])):
                        one["bearers"].append(name)
            case "left":
                self.leave(event["participant"])
            case "lapsed" if not event.get("left"):
                self.lapse(event["lapse"]["norm"], event["lapse"]["bearers"])
            case "sent":
                return self.judge(str(entry), event["message"])
        return None

    def judge(self, entry: str, message: Json) -> Opinion:
        sender = message["sender"]
        if message.get("private"):  # norms see of it what everybody sees
            asks = any(one["act"] in ("query", "request") for one in message["utterances"])
            message = {**message, "mentions": [], "utterances": [{"act": "request" if asks else "inform"}]}
        parts = [
            (one["act"], one.get("topic", "undefined"), one.get("content", "text"))
            for one in message.get("utterances") or [{"act": ""}]
        ]
        decisions = [self.decide(sender, message, part) for part in parts]
        tags = [tag for tag, _ in decisions]
        tag = "denied" if "denied" in tags else "required" if "required" in tags else "allowed"
        deciding = list(dict.fromkeys(norm for one, norms in decisions for norm in norms if one == tag))
        passed = [
            name for name in self.norms["norms"] if tag != "denied" and self.lets_pass(name, sender, message, parts)
        ]
        if tag != "denied":
            self.posted(entry, message, parts)
        return tag, deciding, passed

    def lets_pass(self, name: str, sender: str, message: Json, parts: list[tuple[str, str, str]]) -> bool:
        """Return whether a norm would deny a message if it had no exceptions."""
        kept = self.norms["norms"][name].get("except")
        self.norms["norms"][name]["except"] = None
        try:
            return any(name in deciding and tag == "denied"
                       for tag, deciding in (self.decide(sender, message, part) for part in parts))  # fmt: skip
        finally:
            self.norms["norms"][name]["except"] = kept

    def decide(self, sender: str, message: Json, part: tuple[str, str, str]) -> tuple[str, list[str]]:
        applying = []
        for name, active in self.bearing(sender):
            norm = self.norms["norms"][name]
            if self.answers_another(norm, active, message) or not self.applies(norm, active, message, part):
                continue
            weight = (
                len([f for f in _FIELDS if (norm.get("act") or {}).get(f)]),
                max(map(self.closeness, many(norm["bearer"]))),
            )
            applying.append((weight, norm["kind"], name))
        if not applying:
            default = (self.norms.get("defaults") or {}).get(self.kinds[sender])
            default = default or ("permitted" if self.kinds[sender] == "person" else "prohibited")
            return ("allowed" if default == "permitted" else "denied"), []
        most = max(weight for weight, _, _ in applying)
        top = [(kind, name) for weight, kind, name in applying if weight == most]
        kinds = {kind for kind, _ in top}
        if "prohibition" in kinds:
            deny = {"prohibition", "obligation"} if "obligation" in kinds else {"prohibition"}
            return "denied", [name for kind, name in top if kind in deny]
        if "obligation" in kinds:
            return "required", [name for kind, name in top if kind == "obligation"]
        return "allowed", [name for _, name in top]

    def bearing(self, name: str) -> list[tuple[str, Json | None]]:
        """List the norms in force that bear on somebody."""
        found: list[tuple[str, Json | None]] = []
        for norm, one in self.norms["norms"].items():
            if one.get("standing") and any(self.is_called(name, who) for who in many(one["bearer"])):
                found.append((norm, None))
        found += [(one["norm"], one) for one in self.active if name in one["bearers"]]
        return [(norm, one) for norm, one in found if self.holds(self.norms["norms"][norm].get("if"))]

    def holds(self, guards: Json | None) -> bool:
        names = {one["norm"] for one in self.active}
        guards = guards or {}
        return names.issuperset(many(guards.get("active"))) and names.isdisjoint(many(guards.get("inactive")))

    def applies(self, norm: Json, active: Json | None, message: Json, part: tuple[str, str, str]) -> bool:
        bound = {**(active or {}).get("bound", {}), "$bearer": [message["sender"]]}
        if not self.matches(norm.get("act") or {}, message, part, bound):
            return False
        return not any(self.matches(one, message, part, bound) for one in many(norm.get("except")))

    def answers_another(self, norm: Json, active: Json | None, message: Json) -> bool:
        """An answer that is owed to one message is not given to another one."""
        if active is None or not active["by"] or norm["kind"] != "obligation":
            return False
        return bool((norm.get("act") or {}).get("replies_to")) and message.get("in_reply_to") not in (
            None,
            "",
            active["by"],
        )

    def matches(self, filters: Json, message: Json, part: tuple[str, str, str], bound: dict[str, list[str]]) -> bool:
        for field, value in zip(("act", "topic", "content"), part, strict=True):
            if filters.get(field) and value not in many(filters[field]):
                return False
        for field in _PEOPLE:
            wanted = many(filters.get(field))
            there = many(message.get(field))
            if wanted and not any(self.is_one(there, who, bound) for who in wanted):
                return False
        owing = many(filters.get("owing"))
        return not owing or any(one["norm"] in owing and message["sender"] in one["bearers"] for one in self.active)

    def is_one(self, there: list[str], who: str, bound: dict[str, list[str]]) -> bool:
        if who == "nobody":
            return not there
        if who == "everybody":
            return bool(there)
        if who in bound:
            return bool(set(bound[who]) & set(there))
        return any(self.is_called(name, who) for name in there)

    def is_called(self, name: str, who: str) -> bool:
        return who == "everybody" or who == name or who in self.roles.get(name, set())

    def closeness(self, bearer: str) -> int:
        if bearer == "everybody":
            return 0
        return len(self.wider([bearer])) if bearer in self.norms["roles"] else 1_000_000

    def posted(self, entry: str, message: Json, parts: list[tuple[str, str, str]]) -> None:
        """End what a message meets, then fire the transition of its descriptor."""
        sender = message["sender"]
        binding = {
            "$sender": [sender], "$receivers": many(message.get("receivers")),
            "$mentioned": many(message.get("mentions")),
            "$last_sender": many(self.last_sender), "$last_answerer": many(self.last_answerer),
        }  # fmt: skip
        descriptor = self.descriptor(message, parts, {**binding, "$bearer": [sender]})
        owed = [name for name, _ in self.bearing(sender)]
        met = False
        kept = []
        for one in self.active:  # what is owed is what was owed when the message came
            bearers = one["bearers"]
            norm = self.norms["norms"][one["norm"]]
            if (
                norm["kind"] == "obligation"
                and one["norm"] in owed
                and sender in one["bearers"]
                and not self.answers_another(norm, one, message)
                and any(self.applies(norm, one, message, part) for part in parts)
            ):
                met = True
                if norm.get("ends") != "never":
                    bearers = [name for name in bearers if name != sender]
            if bearers or not one["bearers"]:
                kept.append({**one, "bearers": bearers})
        self.active = kept
        self.last_answerer = sender if met else self.last_answerer
        self.last_sender = sender
        if descriptor is not None:
            self.fire([t for t in self.norms["transitions"].values() if t["on"] == descriptor], binding, entry)

    def descriptor(self, message: Json, parts: list[tuple[str, str, str]], bound: dict[str, list[str]]) -> str | None:
        found = []
        for place, (name, filters) in enumerate(self.norms["descriptors"].items()):
            if any(self.matches(filters, message, part, bound) for part in parts):
                found.append((-len([f for f in _FIELDS if filters.get(f)]), place, name))
        return min(found)[2] if found else None

    def fire(self, transitions: list[Json], binding: dict[str, list[str]], entry: str) -> None:
        for one in transitions:
            if (not one.get("from") or self.state in many(one["from"])) and self.holds(one.get("if")):
                ended = one.get("deactivate")
                self.active = [a for a in self.active if ended != "all" and a["norm"] not in many(ended)]
                self.activate(many(one.get("activate")), binding, entry)
                self.state = one.get("to") or self.state
                return

    def activate(self, names: list[str], binding: dict[str, list[str]], entry: str) -> None:
        for name in names:
            norm = self.norms["norms"][name]
            bearers = [
                one
                for one in self.kinds
                if any(one in binding.get(who, []) or self.is_called(one, who) for who in many(norm["bearer"]))
            ]
            if not bearers and not self.is_for_others(norm):
                continue
            used = {
                who
                for f in [norm.get("act") or {}, *many(norm.get("except"))]
                for field in _PEOPLE
                for who in many(f.get(field))
            }
            bound = {who: binding.get(who, []) for who in _BINDS if who in used}
            to_each = norm["kind"] == "obligation" and (norm.get("act") or {}).get("replies_to")
            same = [
                one
                for one in self.active
                if one["norm"] == name and one["bound"] == bound and (not to_each or one["by"] == entry)
            ]
            for one in same[:1]:
                self.active.remove(one)
                bearers = list(dict.fromkeys([*one["bearers"], *bearers]))
            self.active.append({"norm": name, "bearers": bearers, "bound": bound, "by": entry})

    def lapse(self, norm: str, bearers: list[str]) -> None:
        gone = set()
        for one in self.active:
            if one["norm"] == norm:
                gone |= set(one["bearers"]) & set(bearers)
                one["bearers"] = [name for name in one["bearers"] if name not in bearers]
        self.active = [one for one in self.active if one["bearers"] or one["norm"] != norm]
        fired = [t for t in self.norms["transitions"].values() if t["on"] == {"unmet": norm}]
        self.fire(fired, {"$sender": [name for name in bearers if name in gone]}, "")

    def leave(self, name: str) -> None:
        del self.kinds[name]
        owed = [
            one["norm"]
            for one in self.active
            if name in one["bearers"] and self.norms["norms"][one["norm"]]["kind"] == "obligation"
        ]
        for norm in dict.fromkeys(owed):
            self.lapse(norm, [name])
        for one in self.active:
            one["bearers"] = [other for other in one["bearers"] if other != name]
        self.active = [
            one for one in self.active if one["bearers"] or self.is_for_others(self.norms["norms"][one["norm"]])
        ]
        self.roles.pop(name)

    def is_for_others(self, norm: Json) -> bool:
        """A permission or a prohibition of a role bears on those who join later, too."""
        return norm["kind"] != "obligation" and any(who[0] != "$" for who in many(norm["bearer"]))
