"""The language model in tasks: it proposes splits where nothing else found a way, and judges where that is wanted.

What it is shown has passed the gate that utterances pass (`language.llm.consultation.blank`), and known values of
sensitive facts are masked besides. Whatever it does, the worst that comes of it is that the task goes on without.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import File, SkillInput
from catalog.skills.sheets import UnreadableFile
from catalog.skills.texts import contents_of, read_contents
from catalog.values.base import is_clean
from dialogue.tasks.state.events import ModelAsked
from dialogue.tasks.state.provenance import hides, without_secrets
from dialogue.tasks.state.task import About, Task, TaskValue
from explain.tasks.words import say_refusal
from language.interpretation import Interpretation
from language.llm import judging, splits
from language.llm.client import Sampling
from language.llm.consultation import Consulted, ModelPackagesMissing, blank
from language.llm.language_model import LanguageModel
from language.llm.schema import LlmForm
from language.llm.settings import ModelUse
from language.llm.verification import Objection, Verification
from language.responses.tasks import criteria as words
from language.text.words import MAX_TEXT
from planning.hierarchy.proposers import MODEL, NoSplit, Propose, SplitOccasion
from planning.hierarchy.search import Search
from planning.hierarchy.split import Split

_log = logging.getLogger(__name__)
T = TypeVar("T")


def proposer_of(task: Task) -> Propose:
    """Return the proposer that proposes what a language model has said; it is asked by the task manager."""

    def propose(occasion: SplitOccasion) -> Split | NoSplit | None:
        told = task.told.get(("split", occasion.hypothesis, occasion.number))
        if told is None:
            return None
        return told.split or NoSplit(told.trouble, told.unheard)

    return propose


@dataclass(frozen=True, slots=True)
class TaskModel:
    """Asks a language model about a task; `read` reads a text offline, `load` gives a value as skills get it."""

    model: LanguageModel
    today: date
    read: Callable[[Catalog, str], Interpretation]
    load: Callable[[JsonValue], SkillInput]

    @property
    def is_on(self) -> bool:
        return self.model.settings.mode is not ModelUse.OFF

    def ask(self, task: Task, search: Search, about: About) -> ModelAsked:
        """Ask for what is wanted; return the answer or why there is none of use. Never raises."""
        what, hypothesis, number = about
        blank_event = ModelAsked(about=what, hypothesis=hypothesis, number=number, model=self.model.settings.model)
        try:
            if what == "split":
                return self._ask_for_split(task, search, blank_event)
            return self._ask_for_judgement(task, search.catalog, blank_event)
        except Exception as error:  # whatever it is, the task goes on without
            _log.exception("asking a language model about a task failed")
            trouble = f"something went wrong ({type(error).__name__})"
            return blank_event.model_copy(update={"trouble": trouble, "unheard": True})

    def _ask_for_split(self, task: Task, search: Search, event: ModelAsked) -> ModelAsked:
        tree, name = task.tree, event.hypothesis
        occasion = search.occasion(tree, name, MODEL)
        catalog = occasion.catalog
        found: list[Split] = []

        def judge(proposed: splits.ProposedSplit) -> Verification:
            split = splits.read_split(occasion, proposed)
            if split is None:
                return Verification(
                    objections=(Objection("A name in it cannot be used.", "a name that nothing may be called by"),)
                )
            found.append(split)
            _, flaws = search.look_over(tree, occasion, split, occasion.earlier)
            told = list(dict.fromkeys(say_refusal(catalog, flaw) for flaw in flaws))
            return Verification(objections=tuple(Objection(one, "a split that cannot be taken") for one in told[:6]))

        sent = splits.write_request(catalog, tree, name, lambda text: self.show(search.catalog, task, text))
        sampling = Sampling(splits.temperature_of(event.number), splits.MAX_TOKENS)
        consulted = self._consult(splits.FORM, sent, judge, sampling, patience=splits.PATIENCE)
        split = found[-1] if found else None
        return _written(event, sent, sampling, consulted, split=split)

    def _ask_for_judgement(self, task: Task, catalog: Catalog, event: ModelAsked) -> ModelAsked:
        criterion = task.description.criteria[event.number - 1]
        value = task.find(catalog, criterion.of)
        text, trouble = self._text_of(catalog, task, value)
        if trouble:
            return event.model_copy(update={"trouble": trouble})
        found: list[judging.CriterionJudgement] = []

        def judge(judged: judging.CriterionJudgement) -> Verification:
            found.append(judged)
            return Verification()

        sentence = self.show(catalog, task, criterion.judge or "")
        sent = judging.write_question(sentence, self.show(catalog, task, text))
        sampling = Sampling()
        consulted = self._consult(judging.FORM, sent, judge, sampling)
        if not found:
            return _written(event, sent, sampling, consulted)
        return _written(event, sent, sampling, consulted, met=found[-1].met, reason=_clean(found[-1].reason))

    def _consult(
        self,
        form: LlmForm[T],
        text: str,
        judge: Callable[[T], Verification],
        sampling: Sampling,
        *,
        patience: int = 1,
    ) -> Consulted:
        settings = self.model.settings
        limited = replace(settings, limit_s=settings.limit_s * patience)
        try:
            return self.model.client.ask(limited, form, text, judge, sampling)
        except ModelPackagesMissing as missing:
            return Consulted(None, trouble=str(missing).rstrip("."))

    # what it is shown

    def show(self, catalog: Catalog, task: Task, text: str) -> str:
        """Return a text as a model may see it: sensitive values, and what may be such, are blanked.

        Where a catalog has nothing sensitive, there is nothing to look for, which takes its time.
        """
        if not catalog.has_sensitive:
            return text
        masked = without_secrets(catalog, task, text)
        return "".join(self._blank(catalog, piece) for piece in _pieces(masked))

    def _blank(self, catalog: Catalog, piece: str) -> str:
        meaning = self.read(catalog, piece) if piece.strip() else Interpretation()
        return blank(catalog, piece, meaning, self.today)

    def _text_of(self, catalog: Catalog, task: Task, value: TaskValue | None) -> tuple[str, str]:
        if value is None or hides(catalog, task, value) or _holds_sensitive_files(catalog, task):
            return "", words.SENSITIVE if value is not None else words.NO_RESULT.rstrip(".")
        loaded = self.load(value.value)
        try:
            contents = read_contents(loaded) if isinstance(loaded, File) else contents_of(value.value)
            text = value.value if isinstance(value.value, str) else contents.text
        except UnreadableFile as error:
            return "", words.unreadable(str(error)).rstrip(".")
        if len(text) > judging.LONGEST:
            return "", words.TOO_LONG
        return text, "" if text.strip() else words.NOTHING_TO_SHOW


def _written(event: ModelAsked, sent: str, sampling: Sampling, consulted: Consulted, **came: object) -> ModelAsked:
    """Write down what left, and the answer; one that was refused twice is a split to be refused."""
    used = any(one is not None for one in came.values())
    return event.model_copy(
        update={
            "sent": sent,
            "temperature": sampling.temperature,
            "replies": tuple(_clean(one.reply) for one in consulted.tries),
            "trouble": "" if used else consulted.trouble,
            "unheard": not used and not consulted.tries,
            "seconds": round(consulted.seconds, 3),
            **came,
        }
    )


def _clean(text: str) -> str:
    return text if is_clean(text) else "".join(filter(is_clean, text))


def _holds_sensitive_files(catalog: Catalog, task: Task) -> bool:
    """Return whether something sensitive is known that could not be found in a text: a file, a table, a chart."""
    known = (value for there in task.values.values() for value in there.values())
    sayable = {name for name, fact in catalog.facts.items() if fact.value.innermost.sayable}
    return any(value.fact not in sayable and hides(catalog, task, value) for value in known)


def _pieces(text: str) -> Sequence[str]:
    """Cut a text into lines that are short enough to be read, with their ends."""
    lines = text.splitlines(keepends=True)
    return [line[at : at + MAX_TEXT] for line in lines for at in range(0, len(line), MAX_TEXT)]
