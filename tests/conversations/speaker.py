"""People who talk at random, in the notation of the toys: they ask, answer, correct, agree, refuse and digress."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from catalog.model import Catalog, Fact, Scope
from tests.conversations.invented import draw_value
from tests.conversations.stage import Stage, Step

_QUESTIONS = ("what", "missing", "plan", "order", "duration")
_OF_FACTS = ("how", "why", "chain", "value", "source", "who_saw", "weight", "why_not", "missing")


class Speaker:
    """Somebody who says something that fits what is asked, or does not."""

    def __init__(self, stage: Stage, dice: random.Random) -> None:
        self.stage = stage
        self.dice = dice
        self.catalog: Catalog = stage.catalog

    def next(self) -> Step:
        """Draw what is said or done next."""
        dice = self.dice
        pending = self.stage.now.conversation.questions.pending
        asked = pending.asked if pending else None
        if asked is None or dice.random() < 0.15:
            return self._anything()
        if asked.about == "fact":
            return self._answer(asked.subject)
        if asked.about in ("authorize", "confirm"):
            return self._decide(asked.facts or self.catalog.skills[asked.subject].takes)
        if asked.about == "choice":
            return Step("; ".join(f"goal {name}" for name in dice.sample(asked.options, 1)), seen=self._tab())
        return dice.choice([self._yes(), self._no(), self._anything()])

    def _anything(self) -> Step:
        weights: list[tuple[float, Callable[[], Step]]] = [
            (4, self._request),
            (2, self._tell),
            (2, self._correct),
            (2, self._wonder),
            (0.7, self._yes),
            (0.7, self._no),
            (0.5, lambda: Step("stop")),
            (0.5, lambda: Step("mumble mumble")),
            (0.5, self._maybe),
            (0.6, self._preview),
            (0.4, lambda: Step(self.dice.choice(["help", "chitchat", "skip"]))),
            (1.0 if self.catalog.triggers else 0, self._alert),
            (0.5 if "photo" in self.catalog.facts else 0, lambda: Step(upload=f"{self._word()}.png")),
        ]
        (chosen,) = self.dice.choices([do for _, do in weights], [weight for weight, _ in weights])
        return chosen()

    # what can be told

    def _tellable(self) -> list[Fact]:
        return [fact for fact in self.catalog.facts.values() if fact.fillable and fact.value.sayable]

    def _value(self, fact: Fact) -> Any:
        return draw_value(self.dice, fact.value, self.catalog.is_sensitive(fact.name))

    def _word(self) -> str:
        return f"word{self.dice.randrange(10_000, 100_000)}"

    def _tab(self) -> int:
        """Say how many pages old the tab is in which something is typed: mostly none."""
        return self.dice.choice([0] * 9 + [1, 2, 3])

    def _gives(self, *facts: Fact) -> tuple[str, tuple[tuple[str, Any], ...]]:
        given = tuple((fact.name, self._value(fact)) for fact in facts)
        return "; ".join(f"{name}={value}" for name, value in given), given

    def _request(self) -> Step:
        dice = self.dice
        names = dice.sample(list(self.catalog.goals), min(len(self.catalog.goals), dice.choice([1, 1, 1, 2])))
        said, given = [], []
        for name in names:
            own = [fact for fact in self._tellable() if fact.scope is Scope.GOAL and dice.random() < 0.3]
            values = [(fact.name, self._value(fact)) for fact in own[: 1 if len(names) > 1 else 2]]
            if len(names) > 1:
                values = []
            said.append(f"goal {name}" + (" with " + ", ".join(f"{f}={v}" for f, v in values) if values else ""))
            given += values
        if dice.random() < 0.3 and (free := [f for f in self._tellable() if f.name not in dict(given)]):
            words, more = self._gives(dice.choice(free))
            said.append(words)
            given += more
        return Step("; ".join(said), tuple(given), seen=self._tab())

    def _tell(self) -> Step:
        facts = self._tellable()
        if not facts:
            return self._request()
        words, given = self._gives(*self.dice.sample(facts, min(len(facts), self.dice.choice([1, 1, 2]))))
        return Step(words, given, seen=self._tab())

    def _correct(self) -> Step:
        """Give another value, or the same once more, for something that was told."""
        known = self.stage.now.conversation.facts.known
        told = [fact for fact in self._tellable() if fact.name in known]
        if not told:
            return self._tell()
        fact = self.dice.choice(told)
        if self.dice.random() < 0.3:
            value = known[fact.name].value
            if fact.value.kind == "pattern" and isinstance(value, str):
                value = value.replace("-", "") if "-" in value else f"{value[0]}-{value[1:]}"
            return Step(f"{fact.name}={value}", ((fact.name, value),), seen=self._tab())
        words, given = self._gives(fact)
        return Step(words if self.dice.random() < 0.6 else f"no; {words}", given, seen=self._tab())

    def _answer(self, subject: str) -> Step:
        dice, fact = self.dice, self.catalog.facts[subject]
        if not fact.value.sayable:
            return dice.choice([Step(upload=f"{self._word()}.png"), Step("skip"), self._anything()])
        below = [self.catalog.facts[name] for name in self.catalog.subtypes[subject]]
        chosen = dice.choice([fact, fact, fact, dice.choice(below)])
        words, given = self._gives(chosen)
        kind = dice.random()
        if kind < 0.6:
            return Step(words, given, seen=self._tab())
        if kind < 0.75:
            others = [one for one in self._tellable() if one is not chosen]
            more = self._gives(*dice.sample(others, min(1, len(others))))
            return Step("; ".join(filter(None, (words, more[0]))), (*given, *more[1]), seen=self._tab())
        if kind < 0.85:
            return Step(dice.choice(["skip", "no", "mumble"]), seen=self._tab())
        return self._anything()

    def _decide(self, takes: tuple[str, ...]) -> Step:
        dice = self.dice
        facts = [self.catalog.facts[name] for name in takes]
        facts = [fact for fact in facts if fact.fillable and fact.value.sayable]
        kind = dice.random()
        if kind < 0.55 or not facts:
            return self._yes() if dice.random() < 0.8 else self._no()
        if kind < 0.85:
            words, given = self._gives(dice.choice(facts))
            first = dice.choice(["", "no; ", "yes; "])
            return Step(f"{first}{words}", given, agrees=first == "yes; ", seen=self._tab())
        return self._anything()

    def _yes(self) -> Step:
        return Step("yes", agrees=True, seen=self._tab())

    def _no(self) -> Step:
        return Step("no", seen=self._tab())

    def _maybe(self) -> Step:
        names = self.dice.sample(list(self.catalog.goals), min(2, len(self.catalog.goals)))
        return Step(f"maybe {' '.join(names)}")

    def _preview(self) -> Step:
        facts = self._tellable()
        goal = self.dice.choice(list(self.catalog.goals))
        if not facts or self.dice.random() < 0.5:
            return Step(f"would {goal}", plain=False)
        words, given = self._gives(self.dice.choice(facts))
        return Step(f"would {goal} with {words}", given, plain=False)

    def _wonder(self) -> Step:
        if self.dice.random() < 0.4:
            return Step(self.dice.choice(_QUESTIONS))
        return Step(f"{self.dice.choice(_OF_FACTS)} {self.dice.choice(list(self.catalog.facts))}")

    def _alert(self) -> Step:
        name = self.dice.choice(list(self.catalog.triggers))
        carried = self.catalog.triggers[name].facts
        return Step(alert=name, facts={fact: f"{fact} {self._word()}" for fact in carried if self.dice.random() < 0.8})
