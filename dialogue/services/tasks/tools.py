"""What tasks work with: the services' engine, callers, files and catalogs, with what was supplied to a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from pydantic import JsonValue

from catalog.analysis.dependencies import can_be_asked, what_leads_to
from catalog.load.loader import loads
from catalog.load.overlay import overlay
from catalog.model import Catalog, Goal
from catalog.model.catalog import CatalogKey
from catalog.model.entry import TAKEN
from catalog.model.loaded import Loaded
from catalog.skills import File, SkillInput
from catalog.skills.protocol import load_files
from catalog.skills.sheets import UnreadableFile, read_table
from catalog.skills.texts import READABLE, Contents, contents_of, read_contents, read_json
from catalog.values.documents import type_of
from dialogue.keys import key_of
from dialogue.log.stores import Store
from dialogue.log.stores.protocol import StreamId
from dialogue.services.tasks.model import TaskModel, proposer_of
from dialogue.services.tasks.views import TaskMeans
from dialogue.tasks.running.manager import Tools
from dialogue.tasks.state.events import CriterionChecked, CriterionStanding
from dialogue.tasks.state.provenance import hides
from dialogue.tasks.state.task import Task
from language.acts.task_talk import find_labels_in
from language.interpretation import Context, Interpretation, Understander
from language.languages import LANGUAGES
from language.llm.language_model import LanguageModel
from language.responses.tasks import criteria as words
from planning.engines import ENGINES
from planning.hierarchy.description import Comparison, Criterion, Judge
from planning.hierarchy.schemas import SchemaRefused, find_misfit
from planning.hierarchy.search import Search, SearchBounds

if TYPE_CHECKING:
    from dialogue.services.services import Services


Found = tuple[bool, str]
"""Whether a criterion is met, and what was found."""


@dataclass(frozen=True, slots=True)
class CriteriaChecker:
    catalog: Catalog
    task: Task
    load_input: Callable[[JsonValue], SkillInput]

    def check(self, number: int) -> CriterionChecked:
        """Check the criterion of a number (from 1)."""
        criterion = self.task.description.criteria[number - 1]
        if criterion.judge is not None:
            return self._judge(number, criterion)
        there = self.task.find(self.catalog, criterion.of) is not None
        try:
            met, found = self._compare(criterion) if there else (False, words.NO_RESULT)
        except UnreadableFile as error:
            met, found = False, words.unreadable(str(error))
        if self._rests_on_secrets(criterion):
            found = words.NOT_SHOWN
        return CriterionChecked(
            number=number, standing=CriterionStanding.MET if met else CriterionStanding.UNMET, found=found
        )

    def _rests_on_secrets(self, criterion: Criterion) -> bool:
        """Return whether what was found is made of something secret: it quotes figures, headings or names."""
        values = (self.task.find(self.catalog, fact) for fact in (criterion.of, criterion.also) if fact)
        return any(value is not None and hides(self.catalog, self.task, value) for value in values)

    def _judge(self, number: int, criterion: Criterion) -> CriterionChecked:
        """Take what a language model judged, where that is wanted and it did; else a person has to."""
        if criterion.by is Judge.PERSON:
            return CriterionChecked(number=number, standing=CriterionStanding.WAITING, by="person")
        told = self.task.told.get(("criterion", "", number))
        if told is not None and told.met is not None:
            standing = CriterionStanding.MET if told.met else CriterionStanding.UNMET
            return CriterionChecked(number=number, standing=standing, found=told.reason, by="model")
        found = words.NO_MODEL if told is None else words.not_judged(told.trouble)
        return CriterionChecked(number=number, standing=CriterionStanding.WAITING, found=found, by="person")

    def _compare(self, criterion: Criterion) -> Found:
        match criterion.check:
            case Comparison.SECTIONS:
                wanted = self.task.description.results[criterion.of].sections
                found = self._contents(criterion.of).headings
                there = [_plain(heading) for heading in found]
                missing = [heading for heading in wanted if _plain(heading) not in there]
                left = iter(there)  # others may stand between those that are wanted
                in_order = all(_plain(heading) in left for heading in wanted)
                return in_order, words.has_sections(found) if in_order else words.lacks_sections(missing, found)
            case Comparison.SCHEMA:
                return self._fit_schema(criterion.of)
            case Comparison.COUNT:
                count = self._count(criterion.of)
                return _within(Decimal(count), criterion), words.counted(count, criterion.least, criterion.most)
            case Comparison.CONTAINS:
                text = self._contents(criterion.of).text.casefold()
                missing = [word for word in criterion.words if word.casefold() not in text]
                return not missing, words.contains(missing)
            case Comparison.NOT_EMPTY:
                held = self._holds_something(criterion.of)
                return held, words.NOT_EMPTY if held else words.EMPTY
            case _:
                return self._compare_figure(criterion)

    def _compare_figure(self, criterion: Criterion) -> Found:
        figure = criterion.figure or ""
        here = self._contents(criterion.of).find_figure(figure)
        if here is None:
            return False, words.no_figure(figure, self._label(criterion.of))
        if criterion.check is Comparison.RANGE:
            return _within(here, criterion), words.measured(figure, here, criterion.least, criterion.most)
        other = criterion.also or ""
        there = self._contents(other).find_figure(figure) if self.task.find(self.catalog, other) else None
        if there is None:
            return False, words.no_figure(figure, self._label(other))
        return here == there, words.compared(figure, here, self._label(other), there)

    def _fit_schema(self, fact: str) -> Found:
        """Check a value against its schema; of a JSON document what stands in it, of a table its columns and rows."""
        try:
            fault = find_misfit(self.task.description.results[fact].json_schema, self._plain_value(fact))
        except SchemaRefused as refused:
            return False, words.unusable_schema(str(refused))
        except TimeoutError:
            return False, words.SCHEMA_TOO_SLOW
        return (True, words.FITS) if fault is None else (False, words.misses_schema(*fault))

    def _count(self, fact: str) -> int:
        """Count items of a list, rows of a table, else sections of a document or text: its headings, or its blocks."""
        value = self._plain_value(fact)
        if isinstance(value, list):
            return len(value)
        if isinstance(value, dict) and isinstance(rows := value.get("rows"), list):
            return len(rows)
        contents = self._contents(fact)
        return len(contents.headings) or sum(len(table) - 1 for table in contents.tables) or contents.blocks

    def _holds_something(self, fact: str) -> bool:
        """Return whether there is anything but blanks and headings; of a picture, that there is one."""
        file = self._file(fact)
        if file is not None and type_of(file.media_type) not in READABLE:
            return bool(file.data)
        if file is None and not isinstance(self._value(fact), str | list | dict):
            return self._value(fact) is not None
        contents = self._contents(fact)
        texts = (*contents.paragraphs, *(cell for table in contents.tables for row in table[1:] for cell in row))
        return self._value(fact) not in ([], {}) and any(text.strip() for text in texts)

    def _plain_value(self, fact: str) -> JsonValue:
        """Return a value; for a document with JSON or a table, what stands in it."""
        file = self._file(fact)
        match type_of(file.media_type) if file is not None else None:
            case "json":
                return read_json(file)  # type: ignore[arg-type]
            case "csv" | "xlsx":
                return {key: held for key, held in read_table(file).items() if key != "sources"}  # type: ignore[arg-type]
        return self._value(fact)

    def _file(self, fact: str) -> File | None:
        loaded = self.task.find(self.catalog, fact)
        value = self.load_input(loaded.value) if loaded else None
        return value if isinstance(value, File) else None

    def _contents(self, fact: str) -> Contents:
        file = self._file(fact)
        return contents_of(self._value(fact)) if file is None else read_contents(file)

    def _value(self, fact: str) -> JsonValue:
        found = self.task.find(self.catalog, fact)
        return found.value if found else None

    def _label(self, fact: str) -> str:
        return self.catalog.facts[fact].label


def _plain(heading: str) -> str:
    return " ".join(heading.casefold().split()).strip(" *_:.")


def _within(value: Decimal, criterion: Criterion) -> bool:
    least, most = criterion.least, criterion.most
    above = least is None or value >= Decimal(str(least))
    return above and (most is None or value <= Decimal(str(most)))


@lru_cache(maxsize=32)
def _load(text: str, file: str, functions: tuple[str, ...]) -> Loaded:
    """Load a catalog with what was supplied to it; whether endpoints are allowed was checked when that was taken."""
    if not functions:
        return loads(text, file or "<text>", TAKEN)
    *earlier, last = functions
    supplied = _load(text, file, tuple(earlier))
    return overlay(supplied, last, allowed=None)


@lru_cache(maxsize=8)
def _reader(language: str, same: CatalogKey) -> Understander:
    return LANGUAGES[language].understanders["offline"](same.catalog, LanguageModel())


@lru_cache(maxsize=2_048)
def _read(language: str, same: CatalogKey, text: str, today: date) -> Interpretation:
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
    def read(catalog: Catalog, text: str) -> Interpretation:
        return _read(services.settings.language, CatalogKey(catalog), text, services.today)

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
