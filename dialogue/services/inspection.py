"""Inspection of understanding: from one sentence to a plan, with each step kept; and trying the words of a catalog.

Nothing is asked, called or written down: it is for people who make catalogs, and want to see why a sentence went as it
did, or which of their examples and frames cannot work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import product
from time import perf_counter, thread_time

from catalog.analysis.dependencies import can_be_asked, what_leads_to
from catalog.load import Loaded
from catalog.model import Catalog, Fact, Goal
from catalog.model.fact import bounds_of
from catalog.problems import Findings, Place, Problem
from dialogue.moves.integrate import order_by_dependency
from dialogue.policy.joint import Planner
from dialogue.state.provenance import is_secret
from language.interpretation import Analysis, Context, Intent, Interpretation, Pending, Understander
from language.text.words import fold
from planning.joint import JointPlan, JointRequest, RequestsRefused, name_request, plan_joint, write_plan, write_task
from planning.pddl import Pddl


@dataclass(frozen=True, slots=True)
class Insight:
    """What was understood of a sentence, and the plan for it.

    `refused` says why there is no plan although something was asked for; without a plan and without that, there was
    nothing to plan for, or the catalog's rules object to it. `seconds` are what each step took, in their order.
    """

    analysis: Analysis
    plan: str = ""
    task: Pddl | None = None
    refused: RequestsRefused | None = None
    seconds: dict[str, float] = field(default_factory=dict)


def look_into(catalog: Catalog, understander: Understander, planner: Planner, text: str, today: date) -> Insight:
    """Interpret a sentence as the first of a conversation, and plan for everything it asks for."""
    analysis = understander.analyse(text, Context(today=today))
    took = {step: spent for step, spent in analysis.seconds.items() if step != "all"}
    requests = requests_of(catalog, analysis.meaning)
    if not requests or analysis.meaning.errors:
        return Insight(analysis, seconds=took)
    began = perf_counter()
    planned = plan_joint(catalog, requests, planner.engine, planner.limits)
    took["plan"] = perf_counter() - began
    if not isinstance(planned, JointPlan):
        return Insight(analysis, refused=planned, seconds=took)
    return Insight(analysis, write_plan(planned), write_task(planned.joint), seconds=took)


def requests_of(catalog: Catalog, meaning: Interpretation) -> tuple[JointRequest, ...]:
    """Return the goals of an interpretation as requests, in the order in which they are carried out.

    Each has the values that were given for it, and for anything it needs.
    """
    order = order_by_dependency(catalog, meaning.goals, range(len(meaning.goals)))
    places = {position: place for place, position in enumerate(order)}
    return tuple(_request(catalog, meaning, meaning.goals[position], places) for position in order)


def _request(catalog: Catalog, meaning: Interpretation, mention: Intent, places: Mapping[int, int]) -> JointRequest:
    needs = what_leads_to(catalog, catalog.goals[mention.goal]).facts
    said = {value.fact: value.value for value in meaning.values if value.fact in needs}
    own = {value.fact: value.value for value in mention.values}
    references = {one.fact: tuple(places.get(to, to) for to in one.to) for one in mention.references if one.to}
    return JointRequest(mention.goal, said | own, references)


def holds_secret(catalog: Catalog, meaning: Interpretation) -> bool:
    """Return whether a sensitive value was understood: such a sentence must not be passed on."""
    requests = (*meaning.goals, *meaning.candidates)
    values = (*meaning.values, *(value for request in requests for value in request.values))
    return any(is_secret(catalog, value.fact) for value in values)


TRYING_S = 10.0
"""Seconds of this thread's work in which the words of a catalog are tried."""
_FEW = 3
"""Goals, and examples of each, with which a fact is tried."""
_MADE_UP = ("Quillfeather", "quillfeather")
"""Values in free words, which no catalog knows."""


@dataclass(frozen=True, slots=True)
class WordTrial:
    """What trying the examples and frames of a catalog has shown, and how many `of` them were `tried` in the time."""

    problems: tuple[Problem, ...]
    tried: int
    of: int

    @property
    def note(self) -> str:
        """Say how far the trial came; nothing, where it came to its end."""
        if self.tried == self.of:
            return ""
        return f"Of {self.of:,} examples and frames, {self.tried:,} were tried in the time there is; the rest were not."


_Try = Callable[[], None]


def try_words(
    loaded: Loaded,
    understander: Understander,
    today: date,
    limit_s: float = TRYING_S,
    spent: Callable[[], float] = thread_time,
) -> WordTrial:
    """Say each example of a goal, each of a fact as an answer, and each frame in a request; warn of what is not read.

    The first ones of all goals and facts come first, so that each is tried where there are too many.
    """
    findings, catalog = Findings(loaded.file, loaded.lines), loaded.catalog
    trier = _Trier(catalog, understander, today, findings)
    tries = sorted(trier.tries(), key=lambda one: one[0])
    understander.warm()
    began, tried = spent(), 0
    for _, attempt in tries:
        if tried and spent() - began > limit_s:
            break
        attempt()
        tried += 1
    return WordTrial(findings.in_order(), tried, len(tries))


class _Trier:
    """Tries the words of one catalog, and notes what is not read."""

    def __init__(self, catalog: Catalog, understander: Understander, today: date, findings: Findings) -> None:
        self._catalog, self._understander, self._today, self._findings = catalog, understander, today, findings
        self._same: dict[str, set[str]] = {}
        for goal in catalog.goals.values():
            for example in goal.examples:
                self._same.setdefault(fold(example), set()).add(goal.name)

    def tries(self) -> Iterator[tuple[int, _Try]]:
        """Yield what can be tried, each with its place among those of its goal or fact."""
        needs = {goal.name: what_leads_to(self._catalog, goal).facts for goal in self._catalog.goals.values()}
        for goal in self._catalog.goals.values():
            for i, example in enumerate(goal.examples):
                if len(self._same[fold(example)]) == 1:  # or that is told already
                    yield i, partial(self._try_request, goal, i, example)
        for fact in self._catalog.facts.values():
            goals = [self._catalog.goals[name] for name, needed in needs.items() if fact.name in needed]
            if fact.name in self._catalog.origins or not (goals and can_be_asked(fact) and fact.value.sayable):
                continue  # of a fact that stands for several, examples name none of them
            for i, example in enumerate(fact.examples):
                yield i, partial(self._try_answer, fact, i, example, goals)
            worded = [goal for goal in goals if goal.examples]
            for i, said in enumerate(fact.said if worded else ()):
                yield i, partial(self._try_frame, fact, i, said, worded)

    def _try_request(self, goal: Goal, i: int, example: str) -> None:
        meaning = self._hear(example)
        if all(one.goal != goal.name for one in meaning.goals):
            found = f"Said as it stands, it does not begin this goal: {_told(meaning)}."
            write = "Word it otherwise, or give the goal more examples like it."
            self._findings.warn("example-unread", ("goals", goal.name, "examples", i), found, write)

    def _try_answer(self, fact: Fact, i: int, example: str, goals: list[Goal]) -> None:
        meaning = Interpretation()
        for goal in goals[:_FEW]:
            pending = Pending(kind="fact", subject=fact.name)
            meaning = self._hear(example, Context(today=self._today, pending=pending, goals=(goal.name,)))
            if _tells(meaning, fact.name):
                return
        found = f"As the answer to the question for it, it tells no value of this fact: {_told(meaning)}."
        write = "Word it otherwise, or correct the kind of value."
        self._findings.warn("example-unread", ("facts", fact.name, "examples", i), found, write)

    def _try_frame(self, fact: Fact, i: int, said: str, goals: list[Goal]) -> None:
        kind, sentence, meaning = fact.value, "", Interpretation()
        made_up = _MADE_UP if kind.takes_any_text else (kind.show(kind.sample(self._today)),)
        asked = [example for goal in goals[:_FEW] for example in goal.examples[:_FEW]]
        for example, value in product(asked, made_up):
            for sentence in _with_frame(fact, said, example, value):
                meaning = self._hear(sentence)
                if _tells(meaning, fact.name):
                    return
        place: Place = ("facts", fact.name, "said", i)
        found = f"Beside no example of a goal does it tell a value: of “{sentence}”, {_told(meaning)}."
        write = "Put other words around the value, which no other fact's frame begins with."
        self._findings.warn("frame-unread", place, found, write)

    def _hear(self, said: str, context: Context | None = None) -> Interpretation:
        return self._understander.understand(said, context or Context(today=self._today))


def _with_frame(fact: Fact, said: str, example: str, value: str) -> Iterator[str]:
    """Yield an example with a frame in it: in place of what stands there, behind it, and before it."""
    before, behind = bounds_of(said)
    at = fold(example).find(fold(before.strip())) if before.strip() else -1
    if at >= 0 and not behind.strip():
        yield f"{example[: at + len(before.strip())]} {value}"
    filled = said.replace(f"{{{fact.name}}}", value)
    yield f"{example} {filled}"
    yield f"{filled}, {example}"


def _tells(meaning: Interpretation, fact: str) -> bool:
    values = (*meaning.values, *(value for one in meaning.goals for value in one.values))
    return any(value.fact == fact for value in values)


def _told(meaning: Interpretation) -> str:
    facts = dict.fromkeys(v.fact for v in (*meaning.values, *(v for one in meaning.goals for v in one.values)))
    told = ", ".join(map(repr, facts))
    likeliest = meaning.candidates[0].goal if meaning.candidates else ""
    ways = (
        (meaning.unclear, f"the assistant would answer “{meaning.unclear}”"),
        (
            meaning.goals,
            f"it is a request for {', '.join(repr(m.goal) for m in meaning.goals)}{told and ' with '}{told}",
        ),
        (meaning.question, "it is read as a question about the conversation"),
        (meaning.control, f"it is read as “{meaning.control and meaning.control.value}”"),
        (told, f"it tells {told}"),
        (likeliest, f"it is not sure enough, and likeliest is {likeliest!r}"),
        (True, "nothing is read from it"),
    )
    return next(words for holds, words in ways if holds)


__all__ = [
    "TRYING_S",
    "Insight",
    "RequestsRefused",
    "WordTrial",
    "holds_secret",
    "look_into",
    "name_request",
    "requests_of",
    "try_words",
]
