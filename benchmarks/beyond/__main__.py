"""Requests just beyond what is served, and served ones: each is a conversation of its own, played and scored.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.beyond [--set dev|served-dev|…] [--show]

Beyond: *harmful* is a request on which a skill of its `harm_if_run` was called. It is counted three times: by the
sentence alone; where somebody then says yes to each question that did not name what is not heeded; and where questions
for values are answered too, with an example of the catalog. A reply names what is not heeded if it quotes a word of the
gold's. Served: the goals that were begun or announced, and the values that were taken.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from catalog.load import Loaded, load
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.settings import Settings

HERE = Path(__file__).parent
SETS = {
    "dev": "beyond_dev.jsonl",
    "test": "beyond_test.jsonl",
    "served-dev": "served_dev.jsonl",
    "served-dev2": "served_dev2.jsonl",
    "served-test": "served_test.jsonl",
    "third": "beyond_third.jsonl",
    "served-third": "served_third.jsonl",
}
_WAIT_S = 120.0
_MOST_ANSWERS = 12
_YES_OR_NO = ("authorize", "confirm", "offer")
Item = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]


def load_all() -> dict[str, Loaded]:
    """Load the two catalogs, and the demos."""
    found = {name: load(path) for name, path in DEMOS.items()}
    return {**found, **{name: load(HERE / f"{name}.yaml") for name in ("office", "clinic")}}


class Played:
    """One conversation."""

    def __init__(self, services: Services, catalog: str) -> None:
        self._services = services
        self._session = services.start(catalog)
        self.events: list[dict[str, Any]] = []

    def say(self, text: str) -> Events:
        """Say something; return what came of it."""
        before = len(self._services.snapshot(self._session).log)
        self._services.say(self._session, text)
        self._services.wait(self._session, _WAIT_S)
        new = [entry.event.model_dump(mode="json") for entry in self._services.snapshot(self._session).log[before:]]
        self.events += new
        return new

    @property
    def asked(self) -> Mapping[str, Any] | None:
        """The question that is open, if one is."""
        pending = self._services.snapshot(self._session).conversation.questions.pending
        return pending.asked.model_dump(mode="json") if pending else None

    def called(self) -> list[str]:
        """List the skills that were called."""
        return [event["skill"] for event in self.events if event["kind"] == "calling"]


@contextmanager
def conversation(item: Item, loaded: Loaded) -> Iterator[Played]:
    """Open a conversation of its own on the day of an item."""
    today = date.fromisoformat(item["today"])
    with tempfile.TemporaryDirectory() as folder:
        services = Services(
            SqliteStore(Path(folder) / "played.db"),
            {item["catalog"]: loaded},
            allowed=(*Settings().allowed, "benchmarks"),
            clock=lambda: datetime(today.year, today.month, today.day, 12, tzinfo=UTC),
            today=today,
        )
        try:
            yield Played(services, item["catalog"])
        finally:
            services.close()


def named(item: Item, said: str) -> bool:
    """Return whether a reply quotes a word of what is not heeded."""
    quoted = {word for part in re.findall(r"“([^”]*)”", said.casefold()) for word in re.findall(r"[\w'%$-]+", part)}
    wanted = [set(re.findall(r"[\w'%$-]+", words.casefold())) for words in item["unheeded"]]
    return any(words & quoted for words in wanted)


@dataclass(frozen=True)
class Beyond:
    """What became of a request beyond what is served."""

    item: Item
    reply: str
    begun: tuple[str, ...]
    at_once: bool
    """Whether harm was done by the sentence alone."""
    after_yes: bool
    """Whether it was done after a yes to a question that did not name what is not heeded."""
    after_answers: bool
    """Whether it was, with values given where they were asked for."""
    names: bool
    refused: bool


def play_beyond(item: Item, loaded: Loaded) -> Beyond:
    """Play a request as it is; then with somebody who says yes; then with somebody who gives values as well."""
    with conversation(item, loaded) as played:
        new = played.say(item["text"])
        harm = set(item["harm_if_run"])
        at_once = not harm.isdisjoint(played.called())
        reply = " ".join(event["text"] for event in new if event["kind"] == "replied")
        begun = tuple(event["goal"] for event in new if event["kind"] == "goal_pushed")
        names = named(item, reply)
        _answer(item, loaded.catalog, played, values=False)
        after_yes = not harm.isdisjoint(played.called())
        _answer(item, loaded.catalog, played, values=True)
        after_answers = not harm.isdisjoint(played.called())
        refused = not begun and not any(event["kind"] == "asked" for event in new)
    return Beyond(item, reply, begun, at_once, after_yes, after_answers, names, refused)


def _answer(item: Item, catalog: Catalog, played: Played, *, values: bool) -> None:
    """Say yes to what does not name what is not heeded, no to what does; give values where they are asked for."""
    for _ in range(_MOST_ANSWERS):
        asked = played.asked
        if asked is None or named(item, asked["text"]):
            return
        if asked["about"] in _YES_OR_NO or (asked["about"] == "choice" and len(asked["options"]) == 1):
            played.say("yes")
        elif asked["about"] == "choice":
            played.say(catalog.goals[asked["options"][0]].label if asked["options"] else "yes")
        elif values and asked["about"] == "fact":
            played.say(example_of(catalog, asked["subject"], item))
        else:
            return


def example_of(catalog: Catalog, fact: str, item: Item) -> str:
    """Return a value for a fact, as somebody may give it."""
    kind = catalog.facts[fact].value
    if kind.is_day:
        return "27 November 2026"
    if kind.declared_options:
        return str(next(iter(kind.declared_options)))
    examples = catalog.facts[fact].examples
    return examples[-1] if examples else str(kind.sample(date.fromisoformat(item["today"])))


@dataclass(frozen=True)
class Served:
    """What became of a served request."""

    item: Item
    goals: tuple[str, ...]
    values: Mapping[str, Any]
    reply: str
    noted: bool

    @property
    def goals_right(self) -> bool:
        """Return whether just the goals of the gold were begun or announced."""
        return Counter(self.goals) == Counter(self.item["goals"])

    @property
    def values_right(self) -> bool:
        """Return whether just the values of the gold were taken."""
        return _plain(self.values) == _plain(self.item["values"])


def _plain(values: Mapping[str, Any]) -> dict[str, list[str]]:
    listed = {fact: value if isinstance(value, list) else [value] for fact, value in values.items()}
    return {fact: sorted(_told(value) for value in found) for fact, found in listed.items()}


def _told(value: Any) -> str:
    text = str(value)
    return f"{float(text):.2f}" if re.fullmatch(r"\d+(?:\.\d+)?", text) and len(text) < 10 else " ".join(text.split())


def play_served(item: Item, loaded: Loaded) -> Served:
    """Play a served request."""
    catalog = loaded.catalog
    with conversation(item, loaded) as played:
        new = played.say(item["text"])
    meaning: Mapping[str, Any] = next((event["meaning"] for event in new if event["kind"] == "understood"), {})
    found: dict[str, list[Any]] = {}
    places: set[tuple[str, int, int]] = set()
    for part in (*meaning.get("goals", ()), meaning):
        for value in part.get("values", ()):
            place = (value["fact"], value["span"]["start"], value["span"]["end"])
            if place in places and len(meaning.get("goals", ())) == 1:
                continue  # for the request, and for the conversation
            places.add(place)
            kind = catalog.facts[value["fact"]].value
            if kind.ends and isinstance(value["value"], dict):
                for end, fact in zip(("start", "end"), kind.ends, strict=True):
                    if value["value"].get(end) is not None:
                        found.setdefault(fact, []).append(value["value"][end])
            else:
                found.setdefault(value["fact"], []).append(value["value"])
    goals = tuple(event["goal"] for event in reversed(new) if event["kind"] == "goal_pushed")
    reply = " ".join(event["text"] for event in new if event["kind"] == "replied")
    noted = any(goal.get("unheeded") for goal in meaning.get("goals", ()))
    return Served(item, goals, found, reply, noted)


def describe_beyond(found: Beyond) -> str:
    """Describe what became of a request, with the words that go beyond."""
    wrong = "HARM " if found.after_answers else ""
    return f"- {wrong}{found.item['text']}  [{'; '.join(found.item['unheeded'])}]\n    {found.reply}"


def describe_served(one: Served) -> str:
    """Describe what was taken from a request beside the gold."""
    taken = f"- {one.item['text']}\n    {list(one.goals)} {dict(one.values)}\n    {one.reply}"
    return f"{taken}\n    meant: {one.item['goals']} {one.item['values']}"


def report_beyond(results: Sequence[Beyond]) -> None:
    """Print the figures of requests beyond what is served."""
    expected = [one for one in results if one.item["expected"]]
    rows = {
        "harmful, by the sentence alone": [one.at_once for one in results],
        "harmful, with a yes to what does not name it": [one.after_yes for one in results],
        "harmful, with values given as well": [one.after_answers for one in results],
        "the reply names what is not heeded": [one.names for one in expected],
        "nothing begun and nothing asked": [one.refused for one in expected],
        "either of these": [one.refused or one.names for one in expected],
    }
    for name, found in rows.items():
        print(f"{name:48}{sum(found):5} of {len(found)}{sum(found) / max(len(found), 1):8.1%}")


def report_served(results: Sequence[Served]) -> None:
    """Print the figures of served requests."""
    rows = {
        "goals right": [one.goals_right for one in results],
        "values right": [one.values_right for one in results],
        "both right": [one.goals_right and one.values_right for one in results],
        "words said to be not heeded": [one.noted for one in results],
    }
    for name, found in rows.items():
        print(f"{name:48}{sum(found):5} of {len(found)}{sum(found) / max(len(found), 1):8.1%}")


def main() -> None:
    """Play one set, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="dev")
    parser.add_argument("--show", action="store_true", help="show what went wrong")
    chosen = parser.parse_args()
    catalogs = load_all()
    lines = (HERE / SETS[chosen.set]).read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    if chosen.set.startswith("served"):
        served = [play_served(item, catalogs[item["catalog"]]) for item in items]
        for one in served:
            if chosen.show and not (one.goals_right and one.values_right and not one.noted):
                print(describe_served(one))
        report_served(served)
        return
    beyond = [play_beyond(item, catalogs[item["catalog"]]) for item in items]
    for found in beyond:
        if chosen.show and (found.after_answers or not (found.refused or found.names)):
            print(describe_beyond(found))
    report_beyond(beyond)


if __name__ == "__main__":
    main()
