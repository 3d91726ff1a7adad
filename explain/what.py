"""Explanations of "What did you do?": a summary from the fact landmarks of the goal (Verdi paper, §4.1).

Whatever steps were tried, each landmark had to hold at some point of every plan; so the landmarks are what the goal is
really made of. They are those of the *original* initial state, with what was learned on the way put in: at first the
planner believed that it could simply ask for the goal. Authorization and other bookkeeping are left out.

Where skills are redundant, little has to hold in every plan, but of some sets of facts every plan gets one (disjunctive
landmarks): what was got of these is told too, and which are still open, seen from where things stand now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from catalog.model import Catalog
from explain import trace
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import Called, EstablishedBy, GoalItself, answer
from explain.graph import find_current, find_giver, fits
from explain.how import claim_origin, trace_back
from explain.model import Aim, Explanation, Question, Record, SummaryItem
from explain.trace import aim_of, regress, situation_now
from explain.words import Wording
from planning.history import Actor
from planning.landmarks import find_landmarks
from planning.model import PlanGoal, Predicate, Situation
from planning.task.compilation import compile_task
from planning.task.index import is_solvable, keep_operators
from planning.task.spending import say_money

FEW = 3
"""With fewer landmarks than this beside the goal, the executed facts that the goal rests on fill the summary out."""
_ITEMS_A_SENTENCE = 5
_CHOICES_TOLD = 2
_LARGEST_CHOICE = 3


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """Facts that come from one place: an actor, with its skill, or what they were taken from."""

    facts: tuple[str, ...]
    actor: Actor | None
    skill: str | None = None
    taken_from: tuple[str, ...] = ()


class Gathered(Claim):
    """The facts gathered for the goal (named by `aim` in the first such claim); `early` was there before it.

    `also` marks the second claim and those after it.
    """

    origins: tuple[SourceGroup, ...]
    aim: Aim | None
    achieved: bool
    early: bool
    also: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        also = "also " if self.also else ""
        gathered = f"I {'' if self.achieved else 'have '}{also}gathered "
        verb = f"I {also or 'already '}had " if self.early else gathered
        listed = row([(*words.facts(origin.facts), *_put_origin(words, origin)) for origin in self.origins])
        to_get = self.achieved and not words.declined
        opening: Pieces = ("To get " if to_get else "For ", words.aim(self.aim), ", ") if self.aim else ()
        yield *opening, verb, listed, "."


class MoneySpent(Claim):
    """The money that went into the goal."""

    money: float
    achieved: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        price = say_money(self.money, words.record.catalog.settings.currency)
        yield (f"That cost {price}." if self.achieved else f"So far, that cost {price}.",)


class StillNeeded(Claim):
    """The open landmarks, which every plan still needs; for an `aim` that no earlier claim has named."""

    facts: tuple[str, ...]
    aim: Aim | None

    def say(self, words: Wording) -> Iterator[Pieces]:
        opening: Pieces = ("For ", words.aim(self.aim), ", ") if self.aim else ()
        yield *opening, "I still need ", words.facts(self.facts), "."


class ChoicesLeft(Claim):
    """Sets of facts of which every plan needs one; `also` follows what is needed in any case."""

    choices: tuple[tuple[str, ...], ...]
    aim: Aim | None
    also: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        either = row([(Part("either "), *words.facts(facts, "or")) for facts in self.choices])
        opening: Pieces = ("For ", words.aim(self.aim), ", I still need ") if self.aim else ("I still need ",)
        yield *(("I also need ",) if self.also else opening), either, "."


class LeftToGet(Claim):
    facts: tuple[str, ...]
    template = "What is left to get is {facts:facts}."


class LeftToCall(Claim):
    skills: tuple[str, ...]
    template = "What is left to call is {skills:skills}."


class NoWayNow(Claim):
    template = "At present I see no way to get there."


def _put_origin(words: Wording, origin: SourceGroup) -> tuple[Part, ...]:
    if origin.actor is Actor.SKILL:
        return Part(" (from "), words.skill(origin.skill), Part(")")
    if origin.actor is Actor.MAPPING:
        return Part(" (copied from "), *words.facts(origin.taken_from), Part(")")
    told = "you told me" if words.is_sayable(origin.facts[0]) else "uploaded by you"
    from_elsewhere = {Actor.USER: told, Actor.EVENT: "from an alert", Actor.START: "known from the start"}
    return (Part(f" ({from_elsewhere[origin.actor or Actor.START]})"),)


def explain_what(record: Record, question: Question) -> Explanation:
    """Return claims on what was gathered for the goal, from whom, and what is still missing."""
    items = summarize(record)
    got = [item for item in items if item.got and not item.wanted]
    gathered = _claim_gathered(record, got)
    claims = [
        *gathered,
        *_claim_results(record, items),
        *_claim_called(record),
        *_claim_spent(record),
        *_claim_open(record, items, None if gathered else aim_of(record)),
    ]
    return answer(question, claims)


def summarize(record: Record) -> tuple[SummaryItem, ...]:
    """List what the goal needs, in landmark order, each got or still to get.

    Catalogs in which everything can be had in several ways have few landmarks, and a goal that became unsolvable has
    none: then executed facts that the goal rests on are put in, each before what was made from it. In any case those
    are that every plan needed, or something in their place.
    """
    if record.is_empty:
        return ()
    task = compile_task(record.catalog, record.learned, record.wanted)
    found = find_landmarks(task)
    landmarks = [a.subject for a in found.atoms if a in found.causal and a.predicate is Predicate.KNOWN]
    items = _make_items(record, dict.fromkeys((*landmarks, *record.goal)))
    supporting = list_supporting(record)
    if sum(not item.wanted for item in items) >= FEW:
        needed = {atom.subject for one in found.disjunctive for atom in one}
        supporting = tuple(fact for fact in supporting if not needed.isdisjoint(record.catalog.supertypes(fact)))
    return _put_sources_first(record, _fill_out(record, items, supporting))


def _make_items(record: Record, landmarks: Sequence[str] | dict[str, None]) -> list[SummaryItem]:
    """Make an item of each landmark; two that the same fact fulfils (pie chart and plot) are one."""
    items: dict[str, SummaryItem] = {}
    for landmark in landmarks:
        below = next((one for one in landmarks if one != landmark and fits(record.catalog, one, landmark)), landmark)
        name = find_current(record, landmark) or below
        item = items.get(name) or make_item(record, name)
        items[name] = replace(item, wanted=item.wanted or landmark in record.goal)
    return sorted(items.values(), key=lambda item: item.wanted)


def make_item(record: Record, fact: str) -> SummaryItem:
    """Describe one fact for the summary: whether it is known, its value, and who established it."""
    value = record.values.get(fact)
    found = None if value is None else find_giver(record, fact)
    execution = None if found is None else found.execution
    return SummaryItem(
        fact=fact,
        got=value is not None,
        value=value,
        event=None if execution is None else execution.event,
        actor=None if value is None else Actor.START if execution is None else execution.actor,
        skill=None if execution is None else execution.skill,
        secret=trace.is_secret(record.catalog, fact) or (value is not None and value.secret),
    )


def _fill_out(record: Record, items: list[SummaryItem], supporting: Sequence[str]) -> list[SummaryItem]:
    """Put in executed facts, latest first, each before the first item that was made from it."""
    filled = list(items)
    for fact in reversed(supporting):
        if all(item.fact != fact for item in filled):
            made_from_it = (i for i, item in enumerate(filled) if item.wanted or fact in _inputs(record, item))
            filled.insert(next(made_from_it, len(filled)), replace(make_item(record, fact), landmark=False))
    return filled


def _put_sources_first(record: Record, items: Sequence[SummaryItem]) -> tuple[SummaryItem, ...]:
    """Put each item before those that were made from it, and else leave the order as it is; the goal stays last."""
    givers = {item.fact: find_giver(record, item.fact) for item in items if item.got}
    made_of = {
        fact: {(producer, used) for producer, used, _ in trace_back(record, giver)}
        for fact, giver in givers.items()
        if giver is not None
    }
    ordered: list[SummaryItem] = []
    left = list(items)
    while left:
        origins = {item.fact: (giver.index, item.fact) for item in left if (giver := givers.get(item.fact)) is not None}
        free = (i for i in left if made_of.get(i.fact, set()).isdisjoint(origins.values()))
        ordered.append(next(free))
        left.remove(ordered[-1])
    return tuple(sorted(ordered, key=lambda item: item.wanted))


def _inputs(record: Record, item: SummaryItem) -> tuple[str, ...]:
    found = find_giver(record, item.fact) if item.got else None
    return () if found is None else found.execution.inputs


def list_supporting(record: Record) -> tuple[str, ...]:
    """List the executed facts that still hold and that the goal rests on, in the order in which they were established.

    With the goal achieved or a plan at hand, these come from regression. Without, there is nothing to regress from:
    then it is every executed fact that could play a part in reaching the goal at all.
    """
    done = len(record.history)
    if record.achieved or record.plan:
        links = regress(record).links
        produced = {(link.producer, link.fact) for link in links if link.producer is not None and link.producer < done}
    else:
        relevant = find_relevant(record.catalog, record.wanted, record.learned.requested)
        produced = {(i, fact) for i, e in enumerate(record.history) for fact in e.outputs if fact in relevant}
    return tuple(dict.fromkeys(fact for _, fact in sorted(produced) if fact in record.values))


def find_relevant(
    catalog: Catalog, goal: PlanGoal, requested: frozenset[tuple[str, str]] = frozenset()
) -> frozenset[str]:
    """Collect every fact from which a goal might be reached, by whatever operators: the backward closure.

    A mapping that is only there on request counts if it is `requested`.
    """
    task = compile_task(catalog, Situation(requested=requested), goal)
    chosen = keep_operators(task.operators)
    whole = chosen.whole
    needs, achievers, atoms = whole.arrays.needs, whole.arrays.achievers, whole.atoms
    wanted = {whole.number[atom] for atom in task.goal if atom in whole.number}
    waiting = list(wanted)
    while waiting:
        working = (operator for operator in achievers[waiting.pop()] if operator not in chosen.ruled_out)
        fresh = {need for operator in working for need in needs[operator]} - wanted
        wanted |= fresh
        waiting += fresh
    wanted_facts = {atoms[atom].subject for atom in wanted if atoms[atom].predicate is Predicate.KNOWN}
    return frozenset(fact for fact in catalog.facts if not wanted_facts.isdisjoint(catalog.supertypes(fact)))


def _claim_gathered(record: Record, got: list[SummaryItem]) -> list[Gathered]:
    since = record.goal_event or 0
    before = [item for item in got if item.event is None or item.event < since]
    after = [item for item in got if item not in before]
    aim: Aim | None = aim_of(record)
    claims = []
    for items, early in ((before, True), (after, False)):
        groups = _group(record, items)
        for at in range(0, len(groups), _ITEMS_A_SENTENCE):
            some = groups[at : at + _ITEMS_A_SENTENCE]
            origins = tuple(
                SourceGroup(
                    tuple(item.fact for item in group), group[0].actor, group[0].skill, _taken_from(record, group[0])
                )
                for group in some
            )
            evidence = cite(record.goal_event, *(item.event for group in some for item in group))
            claims.append(Gathered(origins, aim, record.achieved, early, also=at > 0, evidence=evidence))
            aim = None
    return claims


def _group(record: Record, items: list[SummaryItem]) -> list[list[SummaryItem]]:
    """Put neighbours with the same origin together, those that can be said apart from pictures and tables."""
    grouped = groupby(
        items,
        key=lambda item: (
            item.actor,
            item.skill,
            _taken_from(record, item),
            trace.is_sayable(record.catalog, item.fact),
        ),
    )
    return [list(group) for _, group in grouped]


def _taken_from(record: Record, item: SummaryItem) -> tuple[str, ...]:
    return _inputs(record, item) if item.actor is Actor.MAPPING else ()


def _claim_results(record: Record, items: Sequence[SummaryItem]) -> list[EstablishedBy]:
    return [claim_origin(record, item.fact, briefly=True) for item in items if item.wanted and item.got]


def _claim_called(record: Record) -> list[Called]:
    """Name the skills that were asked for and carried out."""
    calls = {execution.skill: execution.event for execution in record.history}
    carried_out = (skill for skill in record.skills if skill in record.done and skill in calls)
    return [Called(skill, evidence=(calls[skill],)) for skill in carried_out]


def _claim_spent(record: Record) -> list[MoneySpent]:
    """Return the money that has gone into the goal, if any has."""
    spent = record.learned.spent
    if not spent:
        return []
    charged = {name for name, skill in record.catalog.skills.items() if skill.money}
    calls = [e.event for e in record.history if e.skill in charged and e.event > (record.goal_event or 0)]
    return [MoneySpent(spent, record.achieved, evidence=cite(record.goal_event, *calls))]


def list_choices(record: Record) -> list[tuple[str, ...]]:
    """List sets of facts of which one has to be got yet, whichever way is taken: a few small ones.

    These are disjunctive landmarks of what is still to do, so that nothing in them is known. What the goal itself names
    as alternatives is told with the goal.
    """
    if record.achieved:
        return []
    now = situation_now(record)
    found = find_landmarks(compile_task(record.catalog, now, record.wanted)).disjunctive
    named = {fact for either in aim_of(record).either for facts in either for fact in facts}
    sets = [tuple(atom.subject for atom in one) for one in found if len(one) <= _LARGEST_CHOICE]
    return sorted([facts for facts in sets if named.isdisjoint(facts)], key=len)[:_CHOICES_TOLD]


def _claim_open(record: Record, items: Sequence[SummaryItem], unnamed: Aim | None) -> list[Claim]:
    """Claim what is still to get; the goal is `unnamed` if no earlier claim names it."""
    evidence = cite(record.goal_event, record.plan_event)
    needed = tuple(item.fact for item in items if not item.got and not item.wanted)
    unreached = tuple(item.fact for item in items if item.wanted and not item.got)
    undone = tuple(skill for skill in record.skills if skill not in record.done)
    claims: list[Claim] = []
    if needed:
        aim = Aim(unreached) if unreached and unnamed else unnamed
        claims.append(StillNeeded(needed, aim, evidence=evidence))
    choices = tuple(list_choices(record))
    if choices:
        claims.append(ChoicesLeft(choices, unnamed, also=bool(claims), evidence=evidence))
    elif unreached and not claims:
        claims.append(LeftToGet(unreached, evidence=evidence))
    if undone and not record.achieved:
        claims.append(LeftToCall(undone, evidence=evidence))
    aim = aim_of(record)
    is_open = bool(unreached or undone or (aim.either and not record.achieved))
    if is_open and not claims and unnamed:
        claims.append(GoalItself(aim, evidence=evidence))
    if is_open and not is_solvable(compile_task(record.catalog, situation_now(record), record.wanted)):
        claims.append(NoWayNow(evidence=evidence))
    return claims
