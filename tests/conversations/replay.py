"""An independent replay of a conversation's log, which judges every entry of it by what stands in the entries before.

It reads the log's JSON, the catalog, and what was meant by each utterance (which the log does not know). It shares no
code with `dialogue` and `explain`: what holds, who agreed to what on which page, and what was said last is worked out
here once more, in the plainest way there is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalog.model import Catalog
from catalog.model.settings import AuthorizationPolicy

Json = dict[str, Any]

KNOWN_ALREADY, NOTED, CHANGED = "That is what I have for ", "I have noted ", "I have changed "
NEEDED, NOT_NEEDED = "In any case I still need to ask you for ", "I do not need "
HIDDEN = "••••"
WORDLESS = {"number", "money", "date", "period", "yes_no", "choice"}
"""Kinds whose values hold no words."""


@dataclass(frozen=True)
class Meant:
    """What somebody meant by an utterance: values by fact, whether it agrees, and what the page showed up to."""

    text: str
    gives: tuple[tuple[str, Any], ...] = ()
    agrees: bool = False
    plain: bool = True
    """Whether the values are simply told: not within a question about what would be, and not to be left out."""
    does: str = ""
    """What it does other than to tell and to request: "asks", "supposes", "doubts", "remarks", "refuses", "takes back",
    "allows", "starts over" or "goes back"."""
    of: tuple[str, ...] = ()
    """The goals that it refuses."""
    wants: tuple[str, ...] = ()
    """The goals that it asks for."""

    @property
    def writes(self) -> bool:
        """Whether it may give values and begin what it does not name."""
        return not self.does


@dataclass(frozen=True)
class Holding:
    """A value that holds, by the entry that established it, with the goal that it was given or found for."""

    seq: int
    fact: str
    value: Any
    source: str
    goal: int | None


@dataclass
class Agreement:
    """What somebody agreed to: the value of each input as it was on the page, None for none, and those still open."""

    values: Mapping[str, Any]
    open: frozenset[str]


@dataclass
class Replay:
    """What a log says, entry by entry; `complaints` are all things in it that must not be."""

    catalog: Catalog
    meant: dict[int, Meant] = field(default_factory=dict)
    """What each entry that was heard meant."""
    english: bool = False
    """Whether people talk English, which may be misunderstood, so long as nothing else is said to be understood."""
    complaints: list[str] = field(default_factory=list)
    log: dict[int, Json] = field(default_factory=dict)
    known: dict[str, Holding] = field(default_factory=dict)
    derived: set[int] = field(default_factory=set)
    """The entries of values that a skill made of something sensitive, and that may hold words of it."""
    aside: list[Holding] = field(default_factory=list)
    then: dict[int, dict[str, Holding]] = field(default_factory=dict)
    """What held at each question and each message."""
    stack: list[Json] = field(default_factory=list)
    purposes: dict[int, int] = field(default_factory=dict)
    """The entry in which each goal was asked for, first of all where it is taken up again."""
    consents: dict[tuple[int, str], set[str]] = field(default_factory=dict)
    """By purpose and subject: what was agreed to for one request is not agreed to for another."""
    agreed: dict[tuple[str, str], Agreement] = field(default_factory=dict)
    last_said: dict[str, tuple[Any, int]] = field(default_factory=dict)
    """The value that was told last for a fact that belongs to no single request, with the entry that was heard."""
    certain: list[tuple[int, str, str, int]] = field(default_factory=list)
    """Facts that were said to be asked for in any case: goal, fact, the words, and the entry."""
    unneeded: list[tuple[int, str, int]] = field(default_factory=list)
    asked_or_told: dict[str, int] = field(default_factory=dict)
    """The last entry at which a fact was asked for, or became known."""

    def complain(self, seq: int, text: str) -> None:
        self.complaints.append(f"entry {seq}: {text}")

    def take(self, seq: int, event: Json) -> None:
        """Judge one entry, then take it into account."""
        self.log[seq] = event
        rule = getattr(self, f"_{event['kind']}", None)
        if rule is not None:
            rule(seq, event)

    def same(self, fact: str, one: Any, other: Any) -> bool:
        if fact not in self.catalog.facts:
            return bool(one == other)
        try:
            kind = self.catalog.facts[fact].value
            return kind.same(kind.check(one), kind.check(other))
        except ValueError:
            return bool(one == other)

    def below(self, fact: str) -> Iterator[str]:
        """Yield a fact and every one that is a kind of it."""
        for name in self.catalog.facts:
            above: str | None = name
            while above is not None and above != fact:
                above = self.catalog.facts[above].is_a
            if above == fact:
                yield name

    def holding(self, fact: str, known: Mapping[str, Holding] | None = None) -> Holding | None:
        """Find the value that serves for a fact: its own, else the latest of its kinds."""
        now = self.known if known is None else known
        if fact in now:
            return now[fact]
        return max((now[name] for name in self.below(fact) if name in now), key=lambda h: h.seq, default=None)

    def hides(self, one: Holding) -> bool:
        """Return whether a value is masked: its fact is sensitive, or a skill made words of something that is."""
        return self.sensitive(one.fact) or one.seq in self.derived

    def _derives(self, fact: str, source: str, by: int) -> bool:
        """Return whether a value is masked because of what it was made of."""
        declared = self.catalog.facts[fact]
        if declared.public or declared.value.kind in WORDLESS:
            return False
        cause = self.log[by] if source in ("skill", "mapping") else {}
        sources = {cause.get("input_event"), *cause.get("input_events", ()), *cause.get("also_events", ())} - {None}
        return any(at in self.derived or self.sensitive(self.log[at]["fact"]) for at in sources)

    def sensitive(self, fact: str) -> bool:
        above: str | None = fact
        while above is not None:
            if self.catalog.facts[above].sensitive:
                return True
            above = self.catalog.facts[above].is_a
        return False

    # values

    def _established(self, seq: int, event: Json) -> None:
        fact, old = event["fact"], self.known.get(event["fact"])
        by_skill = event["source"] in ("skill", "mapping")
        goal = event.get("goal_id") or (
            old.goal if old is not None and not by_skill else self.stack[0]["goal_id"] if self.stack else None
        )
        if event["source"] == "user" and (meant := self.meant.get(event["by"])) is not None and meant.plain:
            told = [value for name, value in meant.gives if name == fact]
            if not told and self.english and str(event["said"]) in meant.text:
                pass  # it may be taken for another fact than it was meant for; it is read back where that matters
            elif not told:
                self.complain(seq, f"{fact} was not said in {meant.text!r}, and is now {event['value']!r}")
            elif not self.same(fact, told[-1], event["value"]):
                self.complain(seq, f"{meant.text!r} made {fact} {event['value']!r}, not {told[-1]!r}")
        if event["source"] == "user" and not self._may_write(event["by"]):
            self.complain(seq, f"{self.meant[event['by']].text!r} made {fact} {event['value']!r}")
        if self._derives(fact, event["source"], event["by"]):
            self.derived.add(seq)
        said = self.last_said.get(fact)
        if said is not None and event["source"] != "user" and event["by"] > said[1]:
            del self.last_said[fact]
        self.known[fact] = Holding(seq, fact, event["value"], event["source"], goal)
        self.asked_or_told[fact] = seq

    def _retracted(self, seq: int, event: Json) -> None:
        if event["fact"] not in self.known:
            self.complain(seq, f"{event['fact']} does not hold, and was taken back")
        self.known.pop(event["fact"], None)
        self.last_said.pop(event["fact"], None)

    def _begun(self, seq: int, event: Json) -> None:
        for fact in event["set_aside"]:
            if fact in self.known:
                self.aside.append(self.known.pop(fact))
            self.last_said.pop(fact, None)
        for fact in event["restored"]:
            mine = [one for one in self.aside if one.fact == fact and one.goal == event["goal_id"]]
            if not mine:
                self.complain(seq, f"{fact} came back and had never been set aside for goal {event['goal_id']}")
            else:
                self.known[fact] = mine[-1]
            self.last_said.pop(fact, None)
        for fact in event["kept"]:
            if fact in self.known:
                one = self.known[fact]
                self.known[fact] = Holding(one.seq, fact, one.value, one.source, event["goal_id"])

    # goals

    def _goal_pushed(self, seq: int, event: Json) -> None:
        self._judge_beginning(seq, event)
        if event.get("redo"):
            for fact, one in self.known.items():
                if one.goal == event["redo"]:
                    self.known[fact] = Holding(one.seq, fact, one.value, one.source, event["goal_id"])
        self.stack.insert(0, event)
        asked_for = event["cause"] if event.get("heard") is None else event["heard"]
        self.purposes[event["goal_id"]] = self.purposes.get(event.get("redo") or 0, int(asked_for))
        for value in (event.get("request") or {}).get("values", ()):
            self.last_said.pop(value["fact"], None)

    def _goal_achieved(self, seq: int, event: Json) -> None:
        goal = next((one for one in self.stack if one["goal_id"] == event["goal_id"]), None)
        if goal is None:
            self.complain(seq, "a goal was achieved that is not open")
            return
        if missing := [fact for fact in goal["facts"] if self.holding(fact) is None]:
            self.complain(seq, f"{goal['goal']} was achieved without {missing}")
        if goal["either"] and not any(all(self.holding(fact) for fact in facts) for facts in goal["either"]):
            self.complain(seq, f"{goal['goal']} was achieved without any of its alternatives")
        for number, fact, words, told in self.certain:
            if number == event["goal_id"] and all(self.asked_or_told.get(f, 0) <= told for f in self.below(fact)):
                self.complain(seq, f"entry {told} says {words!r}, and {goal['goal']} was reached without {fact}")
        self.stack.remove(goal)

    def _may_write(self, heard: int) -> bool:
        """Return whether an utterance may give values: a question or a doubt may not, but for a later yes to it."""
        meant, turn = self.meant.get(heard), self._turn()
        now = self.meant.get(turn["of"]) if turn else None
        return meant is None or meant.writes or (now is not None and now is not meant and now.agrees)

    def _judge_beginning(self, seq: int, event: Json) -> None:
        """Complain of a goal that what was said in this turn does not begin."""
        turn = self._turn()
        meant = self.meant.get(turn["of"]) if turn else None
        if meant is None or event["because"] == "event":
            return
        values = (event.get("request") or {}).get("values", ())
        refused = meant.does == "refuses" and (event["goal"] in meant.of or event["goal"] not in meant.wants)
        idle = meant.does in ("doubts", "remarks", "takes back") and not event.get("redo")
        if refused or idle or meant.does == "supposes":
            self.complain(seq, f"{meant.text!r} began {event['goal']}")
        elif meant.does == "asks" and values:
            self.complain(seq, f"{meant.text!r} began {event['goal']} with {values}")

    def _goal_dropped(self, seq: int, event: Json) -> None:
        self.stack = [one for one in self.stack if one["goal_id"] != event["goal_id"]]

    # questions

    def _asked(self, seq: int, event: Json) -> None:
        self.then[seq] = dict(self.known)
        match event["about"]:
            case "authorize" | "confirm" if event.get("proposed"):
                pass  # it is asked whether something is to be changed: a yes to that agrees to nothing
            case "fact":
                self._judge_fact_question(seq, event)
            case "authorize":
                if set(event["facts"]) <= self._agreed_to(event["subject"]):
                    self.complain(seq, f"consent to {event['subject']} was given already, and is asked for")
                if event.get("mode"):
                    self._judge_read_back(seq, event, self._go_in(_skill_of(event), event["mode"], event["facts"]))
            case "confirm":
                takes = self.catalog.skills[event["subject"]].modes[event["mode"]].takes
                if tuple(event["facts"]) != tuple(takes):
                    self.complain(seq, f"the go-ahead is asked for {event['facts']}, and {takes} would go in")
                self._judge_read_back(seq, event, self._go_in(event["subject"], event["mode"]))

    def _judge_fact_question(self, seq: int, event: Json) -> None:
        fact = self.catalog.facts[event["subject"]]
        if not (fact.askable and fact.fillable):
            self.complain(seq, f"nobody can be asked for {fact.name}")
        if event.get("plan_id") is not None and self.holding(fact.name) is not None:
            self.complain(seq, f"{fact.name} is known, and is asked for")
        self.asked_or_told[fact.name] = seq
        if len(self.stack) == 1:
            for number, unneeded, told in self.unneeded:
                if unneeded == fact.name and number == self.stack[0]["goal_id"]:
                    self.complain(seq, f"entry {told} says that {fact.name} is not needed, and it is asked for")

    def _go_in(self, skill: str, mode: str, asked: Sequence[str] = ()) -> list[str]:
        """List what may go into a call: what is optional and needs consent does so only with it."""
        declared = self.catalog.skills[skill].modes[mode]
        return [f for f in declared.takes if f in declared.inputs or f in asked or self._may_pass(skill, mode, f)]

    def _may_pass(self, skill: str, mode: str, name: str) -> bool:
        per_fact = self.catalog.settings.authorization is AuthorizationPolicy.PER_FACT
        consents = self._agreed_to(name if per_fact else skill)
        return name not in self.catalog.sensitive_inputs(skill, mode) or name in consents

    def _judge_read_back(self, seq: int, event: Json, facts: Any) -> None:
        for fact in facts:
            held = self.holding(fact)
            if held is None:
                continue
            shown = self.catalog.facts[held.fact].value.show(held.value)
            if self.hides(held):
                label = self.catalog.facts[fact].label
                if HIDDEN not in event["text"] and f"your {label}" not in event["text"]:
                    self.complain(seq, f"{held.fact} goes in, and the question does not say so: {event['text']!r}")
            elif shown not in event["text"]:
                self.complain(seq, f"{fact} would be written as {shown!r}, which is not read back: {event['text']!r}")

    def _agreement(self, seq: int, event: Json, about: tuple[str, ...]) -> Json | None:
        """Find the question that somebody agreed to, on the page that they saw."""
        heard = event["heard"]
        answered = [e for e in self.log.values() if e["kind"] == "answered" and e["heard"] == heard and e["accepted"]]
        asked = self.log.get(answered[-1]["asked"]) if answered else None
        if self.meant[heard].does == "allows":
            return None  # what was asked for before is given after all
        if asked is None or asked["about"] not in about or not self.meant[heard].agrees:
            self.complain(seq, f"nobody agreed to that: {self.meant[heard].text!r}")
            return None
        seen = self.log[heard].get("seen")
        if seen is not None and answered[-1]["asked"] > seen:
            before = [e for at, e in self.log.items() if e["kind"] == "asked" and at <= seen]
            if not before or (before[-1]["text"], before[-1]["about"]) != (asked["text"], asked["about"]):
                self.complain(seq, f"the page of {self.meant[heard].text!r} did not show {asked['text']!r}")
        return {**asked, "seq": answered[-1]["asked"]}

    def _authorized(self, seq: int, event: Json) -> None:
        asked = self._agreement(seq, event, ("authorize",))
        if asked is not None and (asked["subject"], asked["facts"]) != (event["subject"], event["facts"]):
            self.complain(seq, f"consent was asked for {asked['facts']}, and is taken for {event['facts']}")
        self.consents.setdefault((self._purpose(), event["subject"]), set()).update(event["facts"])

    def _refused(self, seq: int, event: Json) -> None:
        meant = self.meant.get(event["heard"])
        if meant is not None and meant.does in ("asks", "supposes", "doubts") and event["because"] != "unclear":
            self.complain(seq, f"{meant.text!r} is taken for a no")
        self.consents.pop((self._purpose(), event["subject"]), None)  # what is left open may be asked for again

    def _withdrew(self, seq: int, event: Json) -> None:
        held = [key for key in self.consents if key[1] == event["subject"]]
        if not held and self.meant[event["heard"]].does != "takes back":
            self.complain(seq, f"consent to {event['subject']} is taken back, and was never given")
        for key in held:
            del self.consents[key]

    def _purpose(self) -> int:
        return self.purposes[self.stack[0]["goal_id"]] if self.stack else 0

    def _agreed_to(self, subject: str) -> set[str]:
        return self.consents.get((self._purpose(), subject), set())

    def _confirmed(self, seq: int, event: Json) -> None:
        asked = self._agreement(seq, event, ("confirm", "authorize"))
        if asked is None:
            return
        if (_skill_of(asked), asked["mode"]) != (event["skill"], event["mode"]):
            self.complain(seq, f"the go-ahead was asked for {_skill_of(asked)}, and is taken for {event['skill']}")
        shown = self.then[asked["seq"]]
        values = dict.fromkeys(self.catalog.skills[event["skill"]].modes[event["mode"]].takes)
        for fact in self._go_in(event["skill"], event["mode"]):
            held, now = self.holding(fact, shown), self.holding(fact)
            if now is not None and self.hides(now):
                held = now  # no page shows it: what was said last is meant
            values[fact] = None if held is None else held.value
        self.agreed[event["skill"], event["mode"]] = Agreement(values, frozenset(event.get("open") or ()))

    # calls

    def _calling(self, seq: int, event: Json) -> None:
        skill, mode = self.catalog.skills[event["skill"]], event["mode"]
        passed = {name: self.log[at]["value"] for name, at in event["input_events"].items()}
        for name, fact in event["inputs"].items():
            held = self.known.get(fact)
            if held is None or held.seq != event["input_events"][name]:
                self.complain(seq, f"{skill.name} gets {passed[name]!r} as {name}, which does not hold")
            if (said := self.last_said.get(fact)) is not None and not self.same(fact, said[0], passed[name]):
                self.complain(seq, f"{skill.name} gets {passed[name]!r} as {fact}; said last was {said[0]!r}")
        self._judge_consent(seq, event, skill.name, mode)
        if skill.confirms:
            self._judge_agreement(seq, event, passed)

    def _judge_consent(self, seq: int, event: Json, skill: str, mode: str) -> None:
        for name in event["inputs"]:
            if not self._may_pass(skill, mode, name):
                self.complain(seq, f"{skill} gets {name}, and nobody agreed to that")

    def _judge_agreement(self, seq: int, event: Json, passed: Mapping[str, Any]) -> None:
        agreement = self.agreed.pop((event["skill"], event["mode"]), None)
        if agreement is None:
            self.complain(seq, f"{event['skill']} is called, and nobody agreed to that")
            return
        for name in self.catalog.skills[event["skill"]].modes[event["mode"]].takes:
            agreed, given = agreement.values[name], passed.get(name)
            if agreed is None and (given is None or not agreement.open.isdisjoint(self.below(name))):
                continue
            if agreed is None or given is None or not self.same(name, agreed, given):
                self.complain(seq, f"{event['skill']} gets {given!r} as {name}; {agreed!r} was agreed to")

    # what is said

    def _heard(self, seq: int, event: Json) -> None:
        self.then[seq] = dict(self.known)
        meant = self.meant.get(seq)
        plain = meant is not None and meant.plain
        if meant is not None and meant.does == "takes back":
            self.consents.clear()  # each list of ours speaks of the one thing that its catalog passes on
        for fact, value in meant.gives if meant is not None else ():
            if meant is not None and not meant.writes:
                continue  # what is only asked about changes nothing of what was said last
            if not plain:
                self.last_said.pop(fact, None)  # of a request that was only asked about, it may be taken up with it
            elif self.catalog.facts[fact].scope == "conversation":
                self.last_said[fact] = (value, seq)

    def _replied(self, seq: int, event: Json) -> None:
        self.then[seq] = {fact: one for fact in event["facts"] if (one := self.holding(fact)) is not None}
        text, turn = event["text"], self._turn()
        heard = turn["of"] if turn else 0
        meant = self.meant.get(heard)
        if meant is not None and text.startswith((KNOWN_ALREADY, NOTED, CHANGED)):
            for fact, value in dict(meant.gives).items():
                if f"your {self.catalog.facts[fact].label}" not in text:
                    continue
                held = self.known.get(fact)
                if held is None or not self.same(fact, held.value, value):
                    self.complain(seq, f"{text!r} to {meant.text!r}, and it is {held.value if held else None!r}")
        if event["tone"] == "result" and event["facts"]:
            for one in self.then[seq].values():
                kind = self.catalog.facts[one.fact].value
                shown = " ".join(kind.show(one.value).split())
                if not kind.sayable or kind.is_yes_or_no or len(shown) > 300 or self.hides(one):
                    continue
                if shown.rstrip(".") not in " ".join(text.split()):
                    self.complain(seq, f"the result is {shown!r}, and {text!r} is said")

    def _turn(self) -> Json | None:
        return next((e for e in reversed(self.log.values()) if e["kind"] == "turn_started"), None)

    def _turn_ended(self, seq: int, event: Json) -> None:
        turn = self._turn()
        self._judge_what_stays(seq, self.meant.get(turn["of"]) if turn else None)
        if turn is None or (meant := self.meant.get(turn["of"])) is None or not meant.plain:
            return
        began = next(at for at, e in self.log.items() if e is turn)
        new = [e for at, e in self.log.items() if at > began]
        taken = [(e["fact"], e["value"]) for e in new if e["kind"] == "established" and e["by"] == turn["of"]]
        taken += [
            (value["fact"], value["value"])
            for e in self.log.values()
            if e["kind"] == "goal_pushed" and e.get("heard") == turn["of"]
            for value in e["request"]["values"]
        ]
        taken += [(one.fact, one.value) for one in self.then[turn["of"]].values()]
        replies = [e["text"] for e in new if e["kind"] == "replied"]
        if self.english and not any(text.startswith((NOTED, KNOWN_ALREADY, CHANGED)) for text in replies):
            self.last_said = {fact: said for fact, said in self.last_said.items() if said[1] != turn["of"]}
            return
        for fact, value in dict(meant.gives).items():
            if not any(name == fact and self.same(fact, value, other) for name, other in taken):
                self.complain(seq, f"{fact} = {value!r} was lost: {meant.text!r} was answered by {replies}")

    def _judge_what_stays(self, seq: int, meant: Meant | None) -> None:
        """Complain of a goal that stays open though it was refused, and of one that ended though nobody ended it."""
        if meant is None:
            return
        opened = {goal["goal"] for goal in self.stack}
        if meant.does == "refuses" and not opened.isdisjoint(meant.of):
            self.complain(seq, f"{meant.text!r}, and {sorted(opened & set(meant.of))} is still open")
        began = next(at for at, e in reversed(self.log.items()) if e["kind"] == "turn_started")
        failed = [e for at, e in self.log.items() if at > began and e["kind"] == "answered" and not e["accepted"]]
        if meant.does in ("starts over", "goes back") and any(event["unclear"] for event in failed):
            self.complain(seq, f"{meant.text!r} is taken for an answer that failed")

    def _explained(self, seq: int, event: Json) -> None:
        if not self.stack:
            return
        goal = self.stack[0]["goal_id"]
        for sentence in event["sentences"]:
            text = "".join(part["text"] for part in sentence)
            facts = [part["fact"] for part in sentence if part.get("fact")]
            if text.startswith(NEEDED) and len(self.stack) == 1:
                self.certain += [(goal, fact, text, seq) for fact in facts]
            if text.startswith(NOT_NEEDED) and facts and len(self.stack) == 1:
                self.unneeded.append((goal, facts[0], seq))

    def secrets(self) -> set[str]:
        """Collect every sensitive value that was said or found."""
        found = {
            json.dumps(e["value"], ensure_ascii=False).strip('"')
            for seq, e in self.log.items()
            if e["kind"] == "established" and (seq in self.derived or self.sensitive(e["fact"]))
        }
        for meant in self.meant.values():
            found |= {str(value) for fact, value in meant.gives if self.sensitive(fact)}
        return found


def _skill_of(asked: Json) -> str:
    """Name the skill that a question asks to call."""
    return asked.get("skill") or str(asked["subject"])
