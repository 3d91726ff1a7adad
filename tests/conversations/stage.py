"""A conversation as it is played: what is said and done is a list of steps, which can be kept and played again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from catalog.model import Catalog
from dialogue.services import Services, Snapshot, Upload
from pages.sessions.page import transcript
from tests.conversations.replay import Meant, Replay

TODAY = date(2026, 11, 21)


@dataclass(frozen=True)
class Step:
    """Something that is said or happens, and what is meant by it. `seen` counts pages back from the latest one."""

    say: str = ""
    gives: tuple[tuple[str, Any], ...] = ()
    agrees: bool = False
    plain: bool = True
    seen: int = 0
    alert: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    upload: str = ""
    does: str = ""
    of: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    """What is done other than to tell and to request, the goals that are refused, and those that are asked for."""

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Step:
        gives = tuple((fact, value) for fact, value in kept.get("gives", ()))
        goals = {name: tuple(kept.get(name, ())) for name in ("of", "wants")}
        return cls(**{**kept, **goals, "gives": gives})


class Stage:
    """Services with one conversation, every entry of which is judged as it comes."""

    def __init__(self, services: Callable[[], Services], name: str, shared: Services | None = None) -> None:
        self.open = services
        self.shared = shared is not None
        self.services = shared or services()
        self.session = self.services.start(name)
        self.replay = Replay(self.catalog, english=self.shared)
        self.pages = [0]
        self.shown: dict[int, object] = {}
        self.steps: list[Step] = []
        self._judge()

    @property
    def now(self) -> Snapshot:
        return self.services.snapshot(self.session)

    @property
    def catalog(self) -> Catalog:
        return self.now.catalog

    def play(self, step: Step) -> None:
        self.steps.append(step)
        seen = self.pages[max(0, len(self.pages) - 1 - step.seen)]
        before = len(self.now.log)
        self.replay.meant[before + 1] = Meant(
            step.say, step.gives, step.agrees, step.plain, step.does, step.of, step.wants
        )
        if step.alert:
            del self.replay.meant[before + 1]
            self.services.alert(self.session, step.alert, step.facts)
        else:
            picture = Upload(step.upload, "image/png", b"\x89PNG\r\n\x1a\n" + step.upload.encode())
            self.services.say(self.session, step.say, [picture] if step.upload else [], seen=seen)
        if not self.services.wait(self.session, 200):
            self.replay.complain(before, "the turn did not end")
        self._judge()

    def _judge(self) -> None:
        seen = self.now
        for entry in seen.log[self.pages[-1] :]:
            self.replay.take(entry.seq, json.loads(entry.model_dump_json())["event"])
        self.pages.append(len(seen.log))
        self._judge_messages(seen)

    def _judge_messages(self, seen: Snapshot) -> None:
        """Compare each message that is shown with what was said, and held, at its entry."""
        replay = self.replay
        for message in seen.conversation.messages.all:
            event = replay.log[message.seq]
            if message.text != event["text"]:
                replay.complain(message.seq, f"{event['text']!r} is shown as {message.text!r}")
            for fact in message.facts:
                below = {name: one for name, one in message.known.items() if name in set(replay.below(fact))}
                shown = below.get(fact) or max(below.values(), key=lambda one: one.event, default=None)
                held = replay.then[message.seq].get(fact)
                if (shown.value if shown else None) != (held.value if held else None):
                    replay.complain(message.seq, f"{fact} was {held} and is shown as {shown}")
        holds = {fact: (one.seq, one.value) for fact, one in replay.known.items()}
        known = {fact: (one.event, one.value) for fact, one in seen.conversation.facts.known.items()}
        if holds != known:
            replay.complain(len(seen.log), f"{holds} holds, and {known} is known")

    def end(self) -> list[str]:
        """Open the conversation anew, look for secrets in all that is shown of it, and return what was wrong."""
        before = self.now.conversation
        if not self.shared:
            self.services.close()
        self.services = self.open()
        try:
            seen = self.now
            if seen.conversation != before:
                self.replay.complain(len(seen.log), "the state is another after a restart")
            self._judge_messages(seen)
            told = [transcript(seen), json.dumps(self.services.export(self.session), ensure_ascii=False)]
            told += [
                json.dumps(event, ensure_ascii=False)
                for event in self.replay.log.values()
                if event["kind"] not in ("heard", "understood", "established", "goal_pushed", "explained", "alerted")
            ]
            told += [
                part["text"]
                for event in self.replay.log.values()
                if event["kind"] == "explained"
                for sentence in event["sentences"]
                for part in sentence
                if not part["secret"]
            ]
            for secret in self.replay.secrets():
                for text in told:
                    if secret in text:
                        self.replay.complain(0, f"the secret {secret!r} is told: {text[:300]!r}")
                        break
        finally:
            self.services.close()
        return self.replay.complaints


@dataclass(frozen=True)
class Talk:
    """A conversation to play: where, on which catalog if that is invented, with which skills, and its steps."""

    world: str
    catalog: str
    seed: int
    steps: tuple[Step, ...]

    def without(self, at: int) -> Talk:
        return Talk(self.world, self.catalog, self.seed, self.steps[:at] + self.steps[at + 1 :])

    def write(self, path: Path, complaints: Sequence[str]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        steps = [{k: v for k, v in asdict(step).items() if v != getattr(_DEFAULT, k)} for step in self.steps]
        kept = {"world": self.world, "seed": self.seed, "steps": steps, "complaints": list(complaints)}
        kept["catalog"] = self.catalog
        path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Talk:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(kept["world"], kept["catalog"], kept["seed"], tuple(map(Step.read, kept["steps"])))


_DEFAULT = Step()
