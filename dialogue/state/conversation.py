"""The state of a conversation: the fold of its log, and the lookup of values in it.

The state is composed of sub-states, one a module, each with the rules by which events change it. `advance` takes one
more entry into account; `project` folds a whole log, so that a prefix of the log gives the state of that moment, and
`state_after` does so from the nearest moment that was looked at before.
Nothing here decides anything: that is left to `dialogue.moves` and `dialogue.execution`.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Literal

from catalog.model import Catalog, Effect, Goal
from dialogue.log.events import CONVERSATION, Entry, Event, Heard, Log, ResultReference
from dialogue.log.stores import Store
from dialogue.log.streams import Clock, Fold, Journal, StoredJournal
from dialogue.state import calls, facts, goals, plans, questions, tasks
from dialogue.state import messages as talk
from dialogue.state.agents import AgentState
from dialogue.state.calls import CallState
from dialogue.state.facts import FactState, KnownValue
from dialogue.state.fold_rule import Rule, Rules
from dialogue.state.goals import GoalState, StackedGoal
from dialogue.state.messages import MessageState, Setup
from dialogue.state.plans import PlanRecord, PlanState
from dialogue.state.questions import QuestionState
from dialogue.state.tasks import TaskState
from planning.history import Execution, find_place
from planning.model import Situation, StepKind

Phase = Literal["understanding", "planning", "calling", "working"]
"""What the assistant does while it is at work."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything that can be known about a conversation from its log."""

    seq: int = 0
    setup: Setup = field(default_factory=Setup)
    messages: MessageState = field(default_factory=MessageState)
    facts: FactState = field(default_factory=FactState)
    goals: GoalState = field(default_factory=GoalState)
    plans: PlanState = field(default_factory=PlanState)
    calls: CallState = field(default_factory=CallState)
    questions: QuestionState = field(default_factory=QuestionState)
    agents: AgentState = field(default_factory=AgentState)
    tasks: TaskState = field(default_factory=TaskState)

    @property
    def busy(self) -> bool:
        return self.messages.active is not None or bool(self.messages.inbox)

    @property
    def phase(self) -> Phase | None:
        """What the assistant is doing just now; None while it waits."""
        if not self.busy:
            return None
        if self.calls.open is not None:
            return "calling"
        if self.messages.active is None:
            return "understanding"
        return "planning" if self.goal is not None and self.plan is None else "working"

    @property
    def activity(self) -> str | None:
        """The skill being called just now, if any."""
        return self.calls.open.skill if self.calls.open else None

    @property
    def goal(self) -> StackedGoal | None:
        return self.goals.stack[0] if self.goals.stack else None

    @property
    def plan(self) -> PlanRecord | None:
        """The plan being followed for the goal on top."""
        return None if self.goal is None else self.plan_of(self.goal.goal_id)

    def plan_of(self, goal_id: int) -> PlanRecord | None:
        plans = reversed(self.plans.all)
        return next((p for p in plans if p.status == "current" and goal_id in p.goals), None)

    @property
    def purpose(self) -> int:
        """The request that is being pursued, by the entry in which it was made; 0 for none."""
        return self.goal.purpose if self.goal else 0

    @property
    def authorized(self) -> Mapping[str, int]:
        """The consents in force for the request that is being pursued, each with the entry that gave it."""
        return self.questions.agreed_for(self.purpose)

    @property
    def situation(self) -> Situation:
        return self.situation_in(self.purpose)

    def situation_in(self, purpose: int) -> Situation:
        """Return the situation that a plan for a request starts from: only its own consents count."""
        return Situation(
            known=frozenset(self.facts.known),
            authorized=frozenset(self.questions.agreed_for(purpose)),
            cannot_establish=frozenset(self.calls.used_up),
            pruned=frozenset(self.plans.pruned) | self.questions.closed_for(purpose),
            minimize=self.goals.minimize,
            budget=self.goals.budget,
            spent=self.goals.spent.get(self.goal.goal_id, 0.0) if self.goal else 0.0,
            done=frozenset(self.calls.done),
            confirmed=frozenset(self.questions.confirmed),
            likelihoods=self.plans.likelihoods,
            requested=frozenset((r.fact, r.stands_for) for r in self.requested),
        )

    @property
    def requested(self) -> tuple[ResultReference, ...]:
        """The results that the goal on top refers to, as far as they are known."""
        return tuple(one for one in self.goal.requested if one.used in self.facts.known) if self.goal else ()


def resolve(catalog: Catalog, conversation: Conversation, fact: str) -> KnownValue | None:
    return resolve_among(catalog, conversation.facts.known, fact)


def resolve_among(catalog: Catalog, known: Mapping[str, KnownValue], fact: str) -> KnownValue | None:
    """Return which of some values serves for a fact: its own, else the latest of its subtypes."""
    own = known.get(fact)
    if own is not None:
        return own
    below = (known[name] for name in catalog.subtypes.get(fact, ()) if name in known)
    return max(below, key=lambda value: value.event, default=None)


def all_known(catalog: Catalog, conversation: Conversation, facts: Iterable[str]) -> bool:
    return all(resolve(catalog, conversation, fact) is not None for fact in facts)


def is_reached(catalog: Catalog, conversation: Conversation, goal: Goal | StackedGoal) -> bool:
    """Return whether a goal is reached: its facts known, its skills carried out, and one alternative known in full."""
    return (
        all_known(catalog, conversation, goal.facts)
        and all(skill in conversation.calls.done for skill in goal.skills)
        and (not goal.either or any(all_known(catalog, conversation, facts) for facts in goal.either))
    )


def facts_of(
    catalog: Catalog, conversation: Conversation, goal: Goal | StackedGoal, coming: Collection[str] = ()
) -> tuple[str, ...]:
    """List the facts of a goal: those it wants, and those of the alternative that is taken.

    That is the first that is known, else the first that is known with what the plan has `coming`; else none.
    """
    known = {above for fact in conversation.facts.known for above in catalog.supertypes(fact)}
    planned = known.union(*(catalog.supertypes(fact) for fact in coming))
    taken = (facts for so_far in (known, planned) for facts in goal.either if so_far.issuperset(facts))
    return tuple(dict.fromkeys((*goal.facts, *next(taken, ()))))


def derived_from(catalog: Catalog, conversation: Conversation, fact: str) -> tuple[KnownValue, ...]:
    """List what skills and mappings made of the current value of a fact, directly or through other facts, oldest first.

    What was computed without the fact, though it would have been used if it had been known, counts too; unless it was
    an irreversible skill that did, for which there may be no second call.
    """
    known, history = conversation.facts.known, conversation.calls.history
    stale = {known[fact].event} if fact in known else set()
    made = defaultdict[int, list[KnownValue]](list)
    for value in known.values():
        if value.fact != fact:
            made[value.by].append(value)
    found: list[KnownValue] = []
    for event in sorted(made):
        place = find_place(history, event)
        if place is not None and (
            stale.intersection(history[place].input_events) or _did_without(catalog, history[place], fact)
        ):
            stale.update(value.event for value in made[event])
            found += made[event]
    return tuple(found)


def asked_in_vain(conversation: Conversation) -> tuple[str, ...]:
    """List the facts that were asked for without getting an answer."""
    pruned = conversation.plans.pruned.values()
    return tuple(p.subject for p in pruned if p.step is StepKind.ASK and p.because in ("skipped", "unclear"))


def _did_without(catalog: Catalog, execution: Execution, fact: str) -> bool:
    skill = catalog.skills.get(execution.skill or "")
    mode = skill.modes.get(execution.mode or "") if skill and skill.effect is not Effect.IRREVERSIBLE else None
    serves = set(catalog.supertypes(fact)) if fact in catalog.facts else set()
    left_out = {name for name in mode.optional if name in serves} if mode else set()
    return bool(left_out) and not any(
        used in catalog.facts and left_out & set(catalog.supertypes(used)) for used in execution.inputs
    )


ConversationJournal = Journal[Event, Conversation]
StoredConversation = StoredJournal[Event, Conversation]

_PARTS = (talk, facts, goals, plans, calls, questions, tasks)
RULES: dict[type[Event], Rule] = {event: rule for part in _PARTS for event, rule in part.RULES.items()}
"""The rules of all events of conversations; one without a rule is an error."""


def register_rules(rules: Rules) -> None:
    """Add the rules of further events; a package that registers events of conversations registers their rules too."""
    RULES.update(rules)


def project(log: Iterable[Entry]) -> Conversation:
    """Fold a log, or any prefix of one, into the state it describes."""
    return reduce(advance, log, Conversation())


def advance(before: Conversation, entry: Entry) -> Conversation:
    """Take one more entry into account. Raises LookupError for an event without a rule."""
    rule = RULES.get(type(entry.event))
    if rule is None:
        raise LookupError(f"{type(entry.event).__name__} has no rule: add one to `RULES`, `unchanged` if it needs none")
    after = rule(entry.event, before, entry.seq)
    tracked = facts.keep_track(before.facts, after.facts, entry.event, entry.seq)
    dated = questions.date_consents(after.questions, entry.seq, entry.at)
    said = after.messages
    if isinstance(entry.event, Heard):
        said = replace(said, all=(*said.all[:-1], replace(said.all[-1], at=entry.at)))
    return replace(after, seq=entry.seq, facts=tracked, questions=dated, messages=said)


_FOLD = Fold(Conversation(), advance)


def new_conversation(session_id: str, store: Store, clock: Clock, log: Log = ()) -> StoredConversation:
    return StoredJournal(session_id, store, clock, CONVERSATION, _FOLD, log=log)


def open_conversation(session_id: str, store: Store, clock: Clock) -> StoredConversation:
    """Make the journal of a conversation that is in the store. Raises UnknownStream."""
    return StoredJournal.open(session_id, store, clock, CONVERSATION, _FOLD)


_KEPT = 16
"""So many moments are kept, those that were looked at last."""
_kept: list[tuple[Log, Conversation]] = []
_lock = threading.Lock()


def state_after(log: Log) -> Conversation:
    """Fold the beginning of a log into the state that it describes: the same as `project`, and sooner the next time."""
    with _lock:
        before = max((one for one in _kept if _begins(log, one[0])), key=lambda one: len(one[0]), default=_NOTHING)
    state = reduce(advance, log[len(before[0]) :], before[1])
    with _lock:
        _kept[:] = [(log, state), *(one for one in _kept if one is not before or len(before[0]) < len(log))][:_KEPT]
    return state


_NOTHING: tuple[Log, Conversation] = ((), Conversation())


def _begins(log: Log, kept: Log) -> bool:
    """Return whether a log begins with one that was kept: what stands before an entry never changes."""
    return len(kept) <= len(log) and bool(kept) and kept[-1] is log[len(kept) - 1]
