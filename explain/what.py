"""What did you do? A summary from the fact landmarks of the goal (Verdi paper, §4.1).

Whatever steps were tried, each landmark had to hold at some point of every plan; so the landmarks are what the goal is
really made of. They are those of the *original* initial state, with what was learned on the way put in: at first the
planner believed that it could simply ask for the goal. Authorization and other bookkeeping are left out.

Where skills are redundant, little has to hold in every plan, but of some sets of facts every plan gets one (disjunctive
landmarks): what was got of these is told too, and which are still open, seen from where things stand now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from catalog.model import Catalog
from explain.how import tell
from explain.model import Explanation, Part, Question, Record, Sentence, SummaryItem
from explain.trace import find_current, find_last, fits, list_acts, regress, situation_now
from explain.wording import Piece, Wording, answer, row, sentence
from planning.history import Actor
from planning.landmarks import find_landmarks
from planning.model import Predicate, Situation, Wanted
from planning.task.compilation import compile_task
from planning.task.operators import keep_operators
from planning.task.reachability import is_solvable
from planning.task.spending import say_money

FEW = 3
"""With fewer landmarks than this beside the goal, the executed facts that the goal rests on fill the summary out."""
_ITEMS_A_SENTENCE = 5
_CHOICES_TOLD = 2
_LARGEST_CHOICE = 3


def explain_what(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Tell what was gathered for the goal, from whom, and what is still to get."""
    words = Wording(catalog, record)
    items = summarize(catalog, record)
    got = [item for item in items if item.got and not item.wanted]
    open_items = [item for item in items if not item.got and not item.wanted]
    gathered = _tell_gathered(words, got)
    told = [
        *gathered,
        *_tell_results(words, items),
        *_tell_done(words),
        *_tell_spent(words),
        *_tell_open(words, items, open_items, named=bool(gathered)),
    ]
    return answer(question, told)


def summarize(catalog: Catalog, record: Record) -> tuple[SummaryItem, ...]:
    """List what the goal needs, in landmark order, each got or still to get.

    Catalogs in which everything can be had in several ways have few landmarks, and a goal that became unsolvable has
    none: then executed facts that the goal rests on are put in, each before what was made from it. In any case those
    are that every plan needed, or something in their place.
    """
    if record.is_empty:
        return ()
    task = compile_task(catalog, record.learned, record.wanted)
    found = find_landmarks(task)
    landmarks = [a.subject for a in found.atoms if a in found.causal and a.predicate is Predicate.KNOWN]
    items = _make_items(catalog, record, dict.fromkeys((*landmarks, *record.goal)))
    supporting = list_supporting(catalog, record)
    if sum(not item.wanted for item in items) >= FEW:
        needed = {atom.subject for one in found.disjunctive for atom in one}
        supporting = tuple(fact for fact in supporting if not needed.isdisjoint(catalog.supertypes(fact)))
    return tuple(_fill_out(catalog, record, items, supporting))


def _make_items(catalog: Catalog, record: Record, landmarks: Sequence[str] | dict[str, None]) -> list[SummaryItem]:
    """Make an item of each landmark; two that the same fact fulfils (pie chart and plot) are one."""
    items: dict[str, SummaryItem] = {}
    for landmark in landmarks:
        below = next((one for one in landmarks if one != landmark and fits(catalog, one, landmark)), landmark)
        name = find_current(catalog, record, landmark) or below
        item = items.get(name) or make_item(catalog, record, name)
        items[name] = replace(item, wanted=item.wanted or landmark in record.goal)
    return sorted(items.values(), key=lambda item: item.wanted)


def make_item(catalog: Catalog, record: Record, fact: str) -> SummaryItem:
    """Describe one fact for the summary: whether it is known, its value, and who established it."""
    words = Wording(catalog, record)
    value = record.values.get(fact)
    found = None if value is None else find_last(record.history, fact)
    execution = None if found is None else found.execution
    return SummaryItem(
        fact=fact,
        label=words.label(fact),
        got=value is not None,
        value=value,
        event=None if execution is None else execution.event,
        actor=None if value is None else Actor.START if execution is None else execution.actor,
        skill=None if execution is None else execution.skill,
        secret=words.is_secret(fact),
    )


def _fill_out(
    catalog: Catalog, record: Record, items: list[SummaryItem], supporting: Sequence[str]
) -> list[SummaryItem]:
    """Put in executed facts, latest first, each before the first item that was made from it."""
    filled = list(items)
    for fact in reversed(supporting):
        if all(item.fact != fact for item in filled):
            made_from_it = (i for i, item in enumerate(filled) if item.wanted or fact in _inputs(record, item))
            filled.insert(next(made_from_it, len(filled)), replace(make_item(catalog, record, fact), landmark=False))
    return filled


def _inputs(record: Record, item: SummaryItem) -> tuple[str, ...]:
    found = find_last(record.history, item.fact) if item.got else None
    return () if found is None else found.execution.inputs


def list_supporting(catalog: Catalog, record: Record) -> tuple[str, ...]:
    """List the executed facts that still hold and that the goal rests on, in the order in which they were established.

    With the goal achieved or a plan at hand, these come from regression. Without, there is nothing to regress from:
    then it is every executed fact that could play a part in reaching the goal at all.
    """
    done = len(record.history)
    if record.achieved or record.plan:
        links = regress(catalog, record.goal, list_acts(record), skills=record.skills).links
        produced = {(link.producer, link.fact) for link in links if link.producer is not None and link.producer < done}
    else:
        relevant = find_relevant(catalog, record.wanted, record.learned.requested)
        produced = {(i, fact) for i, e in enumerate(record.history) for fact in e.outputs if fact in relevant}
    return tuple(dict.fromkeys(fact for _, fact in sorted(produced) if fact in record.values))


def find_relevant(
    catalog: Catalog, goal: Wanted, requested: frozenset[tuple[str, str]] = frozenset()
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


def _tell_gathered(words: Wording, got: list[SummaryItem]) -> list[Sentence]:
    record = words.record
    since = record.goal_event or 0
    early = [item for item in got if item.event is None or item.event < since]
    late = [item for item in got if item not in early]
    gathered = ("I gathered ", "I also gathered ") if record.achieved else ("I have gathered ", "I have also gathered ")
    told: list[Sentence] = []
    for items, verbs in ((early, ("I already had ", "I also had ")), (late, gathered)):
        groups = _group(words, items)
        for at in range(0, len(groups), _ITEMS_A_SENTENCE):
            some = groups[at : at + _ITEMS_A_SENTENCE]
            listed = row([(*words.facts([i.fact for i in group]), *_origin(words, group[0])) for group in some])
            evidence = (record.goal_event, *(item.event for group in some for item in group))
            opening: tuple[Piece, ...] = () if told else ("To get " if record.achieved else "For ", words.goal(), ", ")
            told.append(sentence(*opening, verbs[at > 0], listed, ".", evidence=evidence))
    return told


def _group(words: Wording, items: list[SummaryItem]) -> list[list[SummaryItem]]:
    """Put neighbours with the same origin together: "your name and address (from the customer lookup)"."""
    grouped = groupby(
        items, key=lambda item: (item.actor, item.skill, _taken_from(words, item), words.is_sayable(item.fact))
    )
    return [list(group) for _, group in grouped]


def _taken_from(words: Wording, item: SummaryItem) -> tuple[str, ...]:
    return _inputs(words.record, item) if item.actor is Actor.MAPPING else ()


def _origin(words: Wording, item: SummaryItem) -> tuple[Part, ...]:
    if item.actor is Actor.SKILL:
        return Part(" (from "), words.skill(item.skill), Part(")")
    if item.actor is Actor.MAPPING:
        return Part(" (taken from "), *words.facts(_taken_from(words, item)), Part(")")
    told = "you told me" if words.is_sayable(item.fact) else "uploaded by you"
    from_elsewhere = {Actor.USER: told, Actor.EVENT: "from an alert", Actor.START: "known from the start"}
    return (Part(f" ({from_elsewhere[item.actor or Actor.START]})"),)


def _tell_results(words: Wording, items: Sequence[SummaryItem]) -> list[Sentence]:
    results = [item.fact for item in items if item.wanted and item.got]
    places = [find_last(words.record.history, fact) for fact in results]
    return [
        tell(words, (fact,), None if place is None else place.index, briefly=True)
        for fact, place in zip(results, places, strict=True)
    ]


def _tell_done(words: Wording) -> list[Sentence]:
    """Tell which of the skills that were asked for were carried out."""
    record, told = words.record, []
    for skill in record.skills:
        calls = [execution.event for execution in record.history if execution.skill == skill]
        if skill in record.done and calls:
            told.append(sentence("I called ", words.skill(skill), ", as you asked.", evidence=calls[-1:]))
    return told


def _tell_spent(words: Wording) -> list[Sentence]:
    """Say what money has gone into the goal, if any has."""
    spent = words.record.learned.spent
    if not spent:
        return []
    record, skills = words.record, words.catalog.skills
    price = say_money(spent, words.catalog.settings.currency)
    told = f"That cost {price}." if record.achieved else f"So far, that cost {price}."
    charged = {name for name, skill in skills.items() if skill.money}
    calls = [e.event for e in record.history if e.skill in charged and e.event > (record.goal_event or 0)]
    return [sentence(told, evidence=(record.goal_event, *calls))]


def list_choices(words: Wording) -> list[tuple[str, ...]]:
    """List sets of facts of which one has to be got yet, whichever way is taken: a few small ones.

    These are disjunctive landmarks of what is still to do, so that nothing in them is known. What the goal itself names
    as alternatives is told with the goal.
    """
    record = words.record
    if record.achieved:
        return []
    now = situation_now(words.catalog, record)
    found = find_landmarks(compile_task(words.catalog, now, record.wanted)).disjunctive
    named = {fact for either in words.open_choices() for facts in either for fact in facts}
    sets = [tuple(atom.subject for atom in one) for one in found if len(one) <= _LARGEST_CHOICE]
    return sorted([facts for facts in sets if named.isdisjoint(facts)], key=len)[:_CHOICES_TOLD]


def _tell_open(
    words: Wording, items: Sequence[SummaryItem], open_items: list[SummaryItem], *, named: bool
) -> list[Sentence]:
    """Say what is still to get; `named` tells that what it is for has been said already."""
    record = words.record
    evidence = (record.goal_event, record.plan_event)
    unreached = [item.fact for item in items if item.wanted and not item.got]
    undone = [(words.skill(skill),) for skill in record.skills if skill not in record.done]
    told = []
    if open_items:
        opening: tuple[Piece, ...] = () if named else ("For ", words.facts(unreached) or words.goal(), ", ")
        still = words.facts([item.fact for item in open_items])
        told.append(sentence(*opening, "I still need ", still, ".", evidence=evidence))
    choices = list_choices(words)
    if choices:
        either = row([(Part("either "), *words.facts(facts, "or")) for facts in choices])
        opening = (
            ("I also need ",) if told else ("I still need ",) if named else ("For ", words.goal(), ", I still need ")
        )
        told.append(sentence(*opening, either, ".", evidence=evidence))
    elif unreached and not told:
        told.append(sentence("What is left to get is ", words.facts(unreached), ".", evidence=evidence))
    if undone and not record.achieved:
        told.append(sentence("What is left to call is ", row(undone), ".", evidence=evidence))
    is_open = bool(unreached or undone or (words.open_choices() and not record.achieved))
    if is_open and not told and not named:
        told.append(sentence("You asked for ", words.goal(), ".", evidence=evidence))
    if is_open and not is_solvable(compile_task(words.catalog, situation_now(words.catalog, record), record.wanted)):
        told.append(sentence("At present I see no way to get there.", evidence=evidence))
    return told
