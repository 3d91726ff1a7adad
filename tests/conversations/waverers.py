"""People who doubt, suppose, refuse, take back and start over, in English, over the bank and a clinic.

What each utterance does is known from the list that it is drawn from (`wordings`), not from its words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import timedelta

from tests.conversations import wordings
from tests.conversations.demos import BANKING, Customer, Ways, draw_code, draw_day, draw_dollars, draw_one_of
from tests.conversations.stage import TODAY, Stage, Step

CLINIC: Ways = {
    "doctor": (draw_one_of("Dr. Ames", "Dr. Novak", "Dr. Osei"), ("{} please", "I would like to see {}")),
    "day": (draw_day(TODAY + timedelta(3), TODAY + timedelta(60)), ("on {}", "{} would be good")),
    "city": (draw_one_of("Rome", "Bergen", "New York", "Lima"), ("to {}", "I am going to {}")),
    "insurance_number": (draw_code("QX000000"), ("my insurance number is {}", "it is {}")),
    "amount": (draw_dollars(20, 900, 5), ("I paid {}",)),
}
WANTS: dict[str, dict[str, tuple[str, str, str]]] = {
    "banking": {
        "loan": ("I'd like a loan", "a loan", "loan"),
        "card": ("I want to apply for a credit card", "a credit card", "credit card"),
        "mortgage": ("Give me a mortgage quote", "a mortgage quote", "mortgage quote"),
        "credit_score": ("What is my credit score?", "a credit score", "credit score"),
    },
    "clinic": {
        "appointment": ("I'd like to book an appointment with a doctor", "an appointment", "appointment"),
        "travel_advice": ("I need travel advice", "travel advice", "travel advice"),
        "estimate": ("Give me a cost estimate", "a cost estimate", "cost estimate"),
        "refund": ("I would like a refund", "a refund", "refund"),
    },
}
"""How each request is made, and how people call what it is for."""
SECRETS = {
    "banking": (("social security number", "SSN"), ("the credit bureau", "the bureau")),
    "clinic": (("insurance number",), ("the insurance company", "the insurer")),
}


class Waverer(Customer):
    """Somebody who does not go straight to what they want."""

    def __init__(self, stage: Stage, dice: random.Random, name: str) -> None:
        super().__init__(stage, dice, "banking")
        self.ways = BANKING if name == "banking" else CLINIC
        self.wants = WANTS[name]
        self.facts, self.recipients = SECRETS[name]

    def next(self) -> Step:
        """Draw what is said next: half of the time, something that is no answer to what is asked."""
        dice, conversation = self.dice, self.stage.now.conversation
        asked = conversation.questions.pending.asked if conversation.questions.pending else None
        about = asked.about if asked else ""
        ways: list[Callable[[], Step]] = [self._refuse, self._refuse_beside, self._take_back, self._restart]
        if asked is None or about == "offer":
            ways += [self._suppose, self._return, self._allow]
            return self._ask_for() if dice.random() < 0.6 else dice.choice(ways)()
        if about == "fact":
            ways += [self._suppose, self._return, self._ask, self._allow]
            if asked.subject in ("city", "employer"):
                ways += [self._remark, self._remark, self._remark]
            return self._answer(asked.subject) if dice.random() < 0.6 else dice.choice(ways)()
        if about in ("authorize", "confirm"):
            ways += [self._doubt, self._hedge, self._ask, self._suppose, self._return] * 2
            if dice.random() < 0.45:
                return self._yes() if dice.random() < 0.75 else self._no()
            return dice.choice(ways)()
        return self._ask_for()

    def _ask_for(self) -> Step:
        goal = self.dice.choice(list(self.wants))
        return Step(self.wants[goal][0], wants=(goal,))

    def _answer(self, fact: str) -> Step:
        if fact not in self.ways or self.dice.random() < 0.1:
            return Step(self.dice.choice(["I don't know", "skip", "I'd rather not say"]))
        if self.dice.random() < 0.6:
            said, value = self._draw(fact)
            return Step(said, ((fact, value),))
        return self._tell(fact)

    def _called(self, goal: str) -> dict[str, str]:
        _, a, it = self.wants[goal]
        return {"a": a, "it": it, "the": f"the {it}"}

    def _refuse(self) -> Step:
        """Refuse a request: mostly one that is open."""
        opened = [goal.goal for goal in self.stage.now.conversation.goals.stack if goal.goal in self.wants]
        goal = self.dice.choice(opened if opened and self.dice.random() < 0.6 else list(self.wants))
        return Step(self.dice.choice(wordings.REFUSALS).format(**self._called(goal)), does="refuses", of=(goal,))

    def _refuse_beside(self) -> Step:
        wanted, refused = self.dice.sample(list(self.wants), 2)
        x = self.wants[wanted][0].rstrip("?.")
        said = self.dice.choice(wordings.REFUSALS_BESIDE).format(x=x, **self._called(refused))
        return Step(said, does="refuses", of=(refused,), wants=(wanted,))

    def _about_a_value(self, said: Sequence[str], does: str) -> Step:
        """Say something with a value of what is asked for, or of what would go into a call."""
        pending = self.stage.now.conversation.questions.pending
        asked = pending.asked if pending else None
        near = [f for f in ((asked.subject, *asked.facts) if asked else ()) if f in self.ways]
        known = [f for f in self.stage.now.conversation.facts.known if f in self.ways]
        plain = [f for f in self.ways if not self.stage.catalog.is_sensitive(f)]
        fact = self.dice.choice([f for f in (near or known) if f in plain] or plain)
        words, value = self._draw(fact)
        return Step(self.dice.choice(said).format(v=words), ((fact, value),), plain=False, does=does)

    def _suppose(self) -> Step:
        return self._about_a_value(wordings.SUPPOSITIONS, "supposes")

    def _ask(self) -> Step:
        return self._about_a_value(wordings.QUESTIONS, "asks")

    def _hedge(self) -> Step:
        return self._about_a_value(wordings.HEDGED, "asks")

    def _doubt(self) -> Step:
        return Step(self.dice.choice(wordings.DOUBTS), does="doubts")

    def _remark(self) -> Step:
        return Step(self.dice.choice(wordings.REMARKS), does="remarks")

    def _of_consent(self, said: Sequence[str], does: str) -> Step:
        names = {"fact": self.dice.choice(self.facts), "whom": self.dice.choice(self.recipients)}
        return Step(self.dice.choice(said).format(**names), does=does)

    def _take_back(self) -> Step:
        return self._of_consent(wordings.TAKINGS_BACK, "takes back")

    def _allow(self) -> Step:
        return self._of_consent(wordings.ALLOWANCES, "allows")

    def _restart(self) -> Step:
        return Step(self.dice.choice(wordings.RESTARTS), does="starts over")

    def _return(self) -> Step:
        return Step(self.dice.choice((*wordings.RETURNS, *wordings.UNDOINGS)), does="goes back")
