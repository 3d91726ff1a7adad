"""A language that the product does not have: one value in a registry, and a conversation is held in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catalog.model import Catalog, Fact
from catalog.skills import Result
from dialogue.cli.main import main
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.settings import Configuration, Settings
from explain import explain_in_words
from explain.model import Question, QuestionKind, Record
from explain.words import ExplanationText
from language.content import Reason
from language.interpretation import Context, Interpretation
from language.languages import ENGLISH, LANGUAGES, Language
from language.llm.language_model import LanguageModel
from language.responses.questions import QuestionPhrases
from language.understanding import UNDERSTANDERS
from tests.dialogue.toys import BEHAVIOUR, TODAY, Notation, Toybox, load_toys

WORDS = {"wilu": "goal", "kela": "how", "stopu": "stop"}


class Pseudo(Notation):
    """Reads the notation of the toys, with words of another language."""

    def __init__(self, catalog: Catalog, language_model: LanguageModel | None = None) -> None:
        super().__init__(catalog)

    def understand(self, text: str, context: Context) -> Interpretation:
        return super().understand(" ".join(WORDS.get(word, word) for word in text.split()), context)


def explain(record: Record, question: Question) -> ExplanationText:
    told = explain_in_words(record, question)
    pieces = tuple(replace(part, text=part.text.upper()) for part in told.sentences[0].parts)
    return replace(told, sentences=(replace(told.sentences[0], parts=pieces),))


class PseudoQuestions(QuestionPhrases):
    def question_for(self, fact: Fact) -> str:
        return f"Kelu {fact.name}?"


PSEUDO = replace(
    ENGLISH,
    label="Pseudo",
    understanders=dict.fromkeys(UNDERSTANDERS, Pseudo),
    questions=PseudoQuestions(),
    explain_in_words=explain,
)


def shout(phrases: object) -> Any:
    """Return the phrases of a subject, said in capitals."""
    loud: dict[str, object] = {}
    for name in (name for name in dir(phrases) if not name.startswith("_")):
        said = getattr(phrases, name)
        loud[name] = said.upper() if isinstance(said, str) else lambda *a, _said=said, **k: _said(*a, **k).upper()
    return SimpleNamespace(**loud)


SUBJECTS = ("calls", "facts", "goals", "plans", "questions", "reasons", "smalltalk")
LOUD = replace(PSEUDO, **{subject: shout(getattr(ENGLISH, subject)) for subject in SUBJECTS})


class PseudoBox(Toybox):
    def open(self) -> Services:
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"toys": load_toys(self.catalog)},
            configuration=Configuration(Settings(language="xx")),
            allowed=("tests.dialogue.toys",),
            trusted=("tests.dialogue.toys",),
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )


@pytest.fixture
def box(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PseudoBox]:
    monkeypatch.setitem(LANGUAGES, "xx", PSEUDO)
    opened = PseudoBox(home)
    yield opened
    opened.services.close()


def test_a_conversation_is_held_in_the_language_of_the_settings(box: PseudoBox) -> None:
    assert box.say("wilu prize")[-1] in ("Kelu a?", "Kelu b?")
    box.say("a=alpha; b=beta")
    assert "c" in box.now.facts.known
    told = box.say("kela c")[0]
    assert told == told.upper()
    assert box.explain(Question(QuestionKind.HOW, "c")).text() == told


def test_another_language_is_used_at_once(box: PseudoBox) -> None:
    box.say("wilu prize")
    question = Question(QuestionKind.HOW, "c")
    assert box.explain(question).text().isupper()
    box.services.change_settings({"language": "en"})
    assert not box.explain(question).text().isupper()
    box.say("I'd like the trophy please")
    assert box.now.goal is not None
    assert box.now.goal.goal == "trophy"


CONVERSATIONS = {
    "asked, helped, given up and offered again": "yes/no/chitchat/help/kela/wilu prize/help/nonsense/skip/skip/yes/a=1",
    "consent, corrections and the past": "wilu prize; a=1/nonsense/yes/kela prize/secret=7/b=2/a=3/no/wilu prize/skip",
    "several, previewed and stopped": "would prize; would trophy/maybe prize trophy/no/wilu trophy; wilu toy/stopu"
    "/wilu toy/b=1/red/wish=red/wilu trophy/spend 1/wilu prize/nonsense/nonsense/nonsense/nonsense",
}
AUTHORS = ("Hello. What can I do for you?", "Would you like a toy as well?", "That was spoilt.")


@pytest.mark.parametrize("said", CONVERSATIONS.values(), ids=CONVERSATIONS)
@pytest.mark.parametrize("made", ["made", "spoilt"])
def test_everything_that_a_conversation_says_and_gives_as_reason_is_of_its_language(
    said: str, made: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LANGUAGES, "xx", LOUD)
    box = PseudoBox(home)
    BEHAVIOUR.maker = lambda _: Result(made, {"c": "sea"} if made == "made" else {})
    for text in said.split("/"):
        box.say(text)
    told = [entry.event.text for entry in box.log if entry.event.kind == "replied"]
    kept = [value for entry in box.log for _, value in entry.event if isinstance(value, Reason)]
    reasons = [box.in_words(reason) for reason in kept if reason.code != "said"]
    assert told
    assert reasons
    assert [text for text in (*told, *reasons) if text != text.upper() and text not in AUTHORS] == []
    box.services.close()


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.label)
def test_each_language_has_every_understander(language: Language) -> None:
    assert set(language.understanders) == set(UNDERSTANDERS)


MAPPED = """
name: toys
label: Toys
facts:
  a: {ask: What is a?}
  day: {askable: false, fillable: false, value: date}
  prize: {askable: false}
mappings: [{fact: a, stands_for: day, because: a says when}]
skills:
  giver: {endpoint: "python:tests.dialogue.toys:giver", modes: {one: {inputs: [day], outcomes: {given: [prize]}}}}
goals:
  prize: {facts: [prize], label: the prize, examples: [x]}
"""


def test_a_value_is_taken_for_one_of_another_kind_as_the_language_reads_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = replace(PSEUDO, read_as=lambda source, value, target, today: "2026-05-03" if value == "maju" else None)
    monkeypatch.setitem(LANGUAGES, "xx", read)
    box = PseudoBox(home, MAPPED)
    box.say("wilu prize")
    box.say("a=maju")
    assert box.now.facts.known["day"].value == "2026-05-03"
    box.services.close()


def test_an_unknown_language_is_refused_with_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--set", "language=tlh"]) == 2
    assert f"There is no language 'tlh'. There are: {', '.join(LANGUAGES)}." in capsys.readouterr().err
