"""What tasks work with: the services' engine, callers, files and catalogs, with what was supplied to a task."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from catalog.analysis.dependencies import can_be_asked, what_leads_to
from catalog.load.loader import loads
from catalog.load.overlay import overlay
from catalog.model import Catalog, Goal
from catalog.model.catalog import Same
from catalog.model.entry import TAKEN
from catalog.model.loaded import Loaded
from catalog.skills.protocol import load_files
from dialogue.keys import key_of
from dialogue.log.stores import Store
from dialogue.log.stores.protocol import StreamId
from dialogue.services.tasks.model import TaskModel, proposer_of
from dialogue.services.tasks.views import TaskMeans
from dialogue.tasks.criteria import CriteriaChecker
from dialogue.tasks.running.manager import Tools
from dialogue.tasks.state.events import CriterionChecked
from dialogue.tasks.state.task import Task
from language.acts.task_talk import find_labels_in
from language.interpretation import Context, Interpretation, Understander
from language.languages import LANGUAGES
from language.llm.language_model import LanguageModel
from planning.engines import ENGINES
from planning.hierarchy.search import Search, SearchBounds

if TYPE_CHECKING:
    from dialogue.services.services import Services


@lru_cache(maxsize=32)
def _load(text: str, file: str, functions: tuple[str, ...]) -> Loaded:
    """Load a catalog with what was supplied to it; whether endpoints are allowed was checked when that was taken."""
    if not functions:
        return loads(text, file or "<text>", TAKEN)
    *earlier, last = functions
    supplied = _load(text, file, tuple(earlier))
    return overlay(supplied, last, allowed=None)


@lru_cache(maxsize=8)
def _reader(language: str, same: Same) -> Understander:
    return LANGUAGES[language].understanders["offline"](same.catalog, LanguageModel())


@lru_cache(maxsize=2_048)
def _read(language: str, same: Same, text: str, today: date) -> Interpretation:
    return _reader(language, same).understand(text, Context(today=today))


def _named_in(catalog: Catalog, text: str) -> Iterator[str]:
    """Yield the facts that a text names by their labels, of those that people are not asked for.

    What only leads to another one of them is what that is made from.
    """
    made = {fact for skill in catalog.skills.values() for fact in skill.gives}
    labels = {name: one.label for name, one in catalog.facts.items() if name in made or not can_be_asked(one)}
    named = find_labels_in(text, labels)
    lists = {catalog.facts[name].list_of for name in named}
    for name in named:
        others = Goal(name="what else is named", facts=tuple(one for one in named if one != name))
        if name not in lists and not (others.facts and name in what_leads_to(catalog, others).facts):
            yield name


def loaded_of(task: Task) -> Loaded:
    return _load(task.catalog, task.file, task.functions)


def tools_of(services: Services, store: Store, stream: StreamId) -> Tools:
    """Return what the manager of a task works with."""

    def read(catalog: Catalog, text: str) -> Interpretation:
        return _read(services.settings.language, Same(catalog), text, services.today)

    load_input = partial(load_files, read=partial(store.get_file, stream))
    model = TaskModel(services.language_model, services.today, read, load_input)

    def search(task: Task) -> Search:
        asks = model.is_on and services.settings.understander == "model"
        return Search(
            loaded_of(task).catalog,
            SearchBounds(plan=services.settings.search_limits),
            task.seed,
            task.activities,
            engine=ENGINES[services.settings.engine],
            model=proposer_of(task) if asks else None,
        )

    def check(task: Task, catalog: Catalog, number: int) -> CriterionChecked:
        return CriteriaChecker(catalog, task, load_input).check(number)

    def read_results(catalog: Catalog, text: str) -> list[str]:
        meaning = read(catalog, text)
        wanted = [catalog.goals[one.goal] for one in meaning.goals]
        return [fact for goal in wanted for fact in goal.facts] or list(_named_in(catalog, text))

    return Tools(
        search=search,
        caller=services.caller,
        load_input=load_input,
        keep_file=partial(store.put_file, stream),
        check=check,
        read_results=read_results,
        key_of=partial(key_of, stream),
        claim=partial(store.claim, stream),
        ask=model.ask,
    )


def means_of(services: Services, store: Store) -> TaskMeans:
    return TaskMeans(
        loaded_of,
        partial(tools_of, services, store),
        lambda: services.today,
        lambda: services.allowed,
        services.loaded,
        lambda kind, text: LANGUAGES[services.settings.language].read_answer(kind, text, services.today),
    )
