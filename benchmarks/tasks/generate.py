"""Tasks that are made up: facts in layers, skills that make those of one layer of lower ones, and something hidden.

Whoever hides a skill or a document knows what is missing; whatever else the search says is missing is a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from random import Random

from catalog.model import Catalog, Skill
from catalog.model.method import Method
from planning.hierarchy.description import Description
from planning.hierarchy.situation import catalog_for, find_information
from planning.model import Situation
from planning.task.compilation import compile_task
from planning.task.index import is_solvable
from tests.planning.declare import asks, declare, declare_fact
from tests.planning.hierarchy.tasks import describe, made, makes


class Hidden(StrEnum):
    """What is hidden from the search."""

    NOTHING = "nothing"
    SKILL = "skill"
    DOCUMENT = "document"
    BOTH = "skill and document"
    SKILLS = "two skills"
    DOCUMENTS = "two documents"


ONE_THING = (Hidden.NOTHING, Hidden.SKILL, Hidden.DOCUMENT)
"""One thing at most."""
_COUNTS = {
    Hidden.NOTHING: (0, 0),
    Hidden.SKILL: (1, 0),
    Hidden.DOCUMENT: (0, 1),
    Hidden.BOTH: (1, 1),
    Hidden.SKILLS: (2, 0),
    Hidden.DOCUMENTS: (0, 2),
}
"""How many skills and documents are hidden."""


class Shape(StrEnum):
    """What a task is made of."""

    PLAIN = "plain"
    METHOD = "method"
    """The catalog has a method for it."""
    COLLECTION = "collection"
    """Several steps are to be done for each item of a list, which only a method of the catalog says."""


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A task: the catalog with everything and the one that is searched, what is known, and what is hidden.

    Of a hidden skill, `functions` are the results of it that are needed; nothing else gives them. `documents` are those
    that nobody has handed over.
    """

    whole: Catalog
    catalog: Catalog
    task: Description
    known: frozenset[str]
    functions: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is hidden."""
        return not self.functions and not self.documents


FOLD, UNFOLD = "fold", "unfold"
"""Skills of the oracle: they take an item out of a list, and put together what is made of each."""


def make_up(seed: int, layers: int, width: int, hide: Hidden, shape: Shape = Shape.PLAIN) -> MadeUp:
    """Make a task up: so many layers of so many facts, each layer of skills with documents of their own here and there.

    Some facts can be made in two ways, some skills make two, and some make what nobody needs. Where what is to be
    hidden cannot be hidden so that each of it is needed, nothing is.
    """
    dice = Random(f"{seed}/{layers}/{width}/{hide}/{shape}")
    documents = [f"document{n}" for n in range(max(2, layers // 2))]
    base = ["item", *documents[1:]] if shape is Shape.COLLECTION else documents
    skills: list[Skill] = []
    lists: dict[str, str] = {}
    below: list[list[str]] = [base[: max(1, width)]]
    for layer in range(1, layers + 1):
        facts = [f"fact{layer}_{n}" for n in range(width)]
        for fact in facts:
            gives = [fact, f"beside_{fact}"] if dice.random() < 0.2 else [fact]
            skills.append(makes(f"make_{fact}", " ".join(_draw(dice, below, base)), " ".join(gives)))
            if dice.random() < 0.15:
                skills.append(makes(f"also_{fact}", " ".join(_draw(dice, below, base)), fact))
        if dice.random() < 0.3:
            skills.append(makes(f"idle{layer}", " ".join(_draw(dice, below, base)), f"idle{layer}"))
        below.append(facts)
    results = sorted(dice.sample(below[-1], min(len(below[-1]), dice.randint(1, 2))))
    if shape is Shape.COLLECTION:
        documents[0], last = "items", results[0]
        skills += [
            makes(UNFOLD, "items", "item"),
            makes(FOLD, f"items {last}", "all_results"),
            makes("bind", f"all_results {dice.choice(documents)}", "bound"),
        ]
        results = ["bound"]
        lists = {"items": "item", "all_results": last}
    methods = _declare_methods(shape, below, results)
    task = describe(" ".join(results), " ".join(documents))
    return _hide(dice, _Parts(documents, skills, methods, lists), task, hide)


def _declare_methods(shape: Shape, below: Sequence[Sequence[str]], results: Sequence[str]) -> list[Method]:
    if shape is Shape.PLAIN:
        return []
    if shape is Shape.COLLECTION:
        each = {"text": "Each.", "each": {"item": "items"}, "results": ["all_results"]}
        stages = [each, {"text": "Bind them.", "results": ["bound"]}]
    else:
        cuts = sorted({round(number * (len(below) - 1) / 7) for number in range(1, 7)} - {0, len(below) - 1})
        stages = [{"text": f"Layer {cut}.", "results": list(below[cut])} for cut in cuts]
        stages.append({"text": "The last.", "results": list(results)})
    return [Method.model_validate({"name": "by_layers", "results": list(results), "stages": stages})]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a catalog is made of."""

    documents: Sequence[str]
    skills: Sequence[Skill]
    methods: Sequence[Method]
    lists: Mapping[str, str]
    """Lists, with the facts that they are of."""

    def declare(self, without: Iterable[Skill] = (), *, oracle: bool = False) -> Catalog:
        """Declare a catalog without some skills; that of the oracle has skills in place of methods."""
        gone = list(without)
        left = [one for one in self.skills if one not in gone and (oracle or one.name not in (FOLD, UNFOLD))]
        facts = dict.fromkeys(fact for skill in self.skills for fact in (*skill.takes, *skill.gives))
        items = {name: {"list_of": one, "value": {"kind": "list", "most": 3}} for name, one in self.lists.items()}
        declared = [
            (declare_fact if fact in self.documents else made)(fact, **items.get(fact, {}))
            for fact in (*self.documents, *(fact for fact in facts if fact not in self.documents))
        ]
        catalog = declare(*declared, *left)
        return catalog.model_copy(update={"methods": {one.name: one for one in self.methods}})


def _hide(dice: Random, parts: _Parts, task: Description, hide: Hidden) -> MadeUp:
    """Hide skills and documents of which each is needed, whatever becomes of the others."""
    whole, known = parts.declare(), frozenset(parts.documents)
    skills, documents = _COUNTS[hide]
    hideable = [one for one in parts.skills if one.name not in (FOLD, UNFOLD)]
    ways = [
        (gone, lost)
        for gone in combinations(dice.sample(hideable, len(hideable)), skills)
        for lost in combinations(dice.sample(list(parts.documents), len(parts.documents)), documents)
    ]
    for gone, lost in ways[:_TRIES]:
        left = parts.declare(gone, oracle=True)
        found = [list(one.gives) for one in gone]
        things = [*found, *([one] for one in lost)]
        there = known.difference(lost)
        enough = there.union(*things)
        if hide is Hidden.NOTHING or not _can(left, task, enough):
            continue
        if not all(things) or any(_can(left, task, enough.difference(thing) | there) for thing in things):
            continue
        given = dict.fromkeys(fact for some in found for fact in some)
        functions = [fact for fact in given if not _can(left, task, enough - {fact})]
        if _can(left, task, there.union(functions, lost)):
            return MadeUp(whole, parts.declare(gone), task, there, tuple(functions), lost)
    return MadeUp(whole, whole, task, known)


_TRIES = 200


def _draw(dice: Random, below: list[list[str]], documents: list[str]) -> list[str]:
    takes = dice.sample(below[-1], min(len(below[-1]), dice.randint(1, 2)))
    if dice.random() < 0.3:
        takes.append(dice.choice(documents))
    if dice.random() < 0.2:
        takes.append(dice.choice(dice.choice(below)))
    return list(dict.fromkeys(takes))


def _can(catalog: Catalog, task: Description, known: frozenset[str]) -> bool:
    """Return whether skills alone reach the results from what is known."""
    for_task = catalog_for(catalog, task)
    situation = Situation(known=known, pruned=asks(for_task, *find_information(for_task)))
    return is_solvable(compile_task(for_task, situation, task.facts))
