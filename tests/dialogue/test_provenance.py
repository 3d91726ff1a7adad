"""What a skill made from something sensitive is masked as that is, unless it is public; nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from catalog.problems import CatalogError
from dialogue.cli.chat import turn_json
from dialogue.cli.main import main
from dialogue.log.events import Calling, Entry, Established, Event, Mapped, Ran
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.state.conversation import project
from dialogue.state.masking import is_masked, show_value
from dialogue.state.provenance import derived_in, hides, is_secret
from explain.model import Question, QuestionKind
from pages.sessions.page import transcript, transcript_page
from tests.dialogue.toys import Notation, Talk
from tests.dialogue.vault_skills import SPELLED

CANARY = "900-12-3456"
REVERSED = ("6543-21-009", "654321009")
CATALOG = """
name: vault
facts:
  ssn: {label: number, ask: Your number?, sensitive: true}
  person: {label: person, ask: Who?}
  letter: {label: letter, askable: false}
  note: {label: note, askable: false, public: true}
  score: {label: score, askable: false, value: number}
  grade: {label: grade, askable: false, value: {kind: choice, options: [good, bad]}}
  rows: {label: rows, askable: false, value: table}
  files: {label: files, askable: false, list_of: letter}
  copy: {label: copy, askable: false}
  summary: {label: summary, askable: false}
  on_note: {label: words on the note, askable: false}
  greeting: {label: greeting, askable: false}
skills:
  bureau:
    endpoint: python:tests.dialogue.vault_skills:bureau
    modes:
      full: {inputs: [ssn], outcomes: {found: [letter, note, score, grade, rows, files]}}
      greets: {inputs: [person], outcomes: {found: [greeting]}}
  writer:
    endpoint: python:tests.dialogue.vault_skills:writer
    modes:
      copied: {inputs: [copy], outcomes: {found: [summary]}}
      noted: {inputs: [note], outcomes: {found: [on_note]}}
mappings: [{fact: letter, stands_for: copy, because: a letter is one}]
goals:
  all:
    facts: [note, score, grade, rows, files, summary, on_note, greeting]
    examples: [x]
    done: "{note} {score} {grade} {files} {summary} {on_note} {greeting}"
"""


class Vault(Talk):
    def __init__(self, home: Path) -> None:
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"vault": loads(CATALOG, file="vault.yaml")},
            understander=Notation,
            allowed=("tests.dialogue.vault_skills",),
            trusted=("tests.dialogue.vault_skills",),
            today=date(2026, 11, 21),
        )
        self.session = self.services.start("vault")


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    opened = Vault(home)
    for text in ("goal all", "yes", f"ssn={CANARY}", "person=Ann", "yes"):
        opened.say(text)
    assert not opened.now.goals.stack
    yield opened
    opened.services.close()


MASKED = ("letter", "rows", "files", "copy", "summary")
SHOWN = ("note", "score", "grade", "on_note", "greeting", "person")


def test_words_that_were_made_from_something_sensitive_are_masked_and_all_else_is_shown(vault: Vault) -> None:
    seen = vault.services.snapshot(vault.session)
    known = seen.conversation.facts.known
    assert {*MASKED, *SHOWN} <= known.keys()
    for fact in MASKED:
        assert show_value(seen.catalog, seen.conversation, fact) == "••••"
    shown = [show_value(seen.catalog, seen.conversation, fact) for fact in SHOWN]
    assert shown == ["a noted case", "700", "good", "on a noted case", "dear Ann", "Ann"]


def test_what_is_said_explained_exported_and_printed_agrees(vault: Vault) -> None:
    seen = vault.services.snapshot(vault.session)
    told = [event.text for event in vault.events("replied")]
    told += [vault.explain(Question(kind, fact)).text() for kind in QuestionKind for fact in (*MASKED, *SHOWN)]
    told += [vault.say(f"{kind} {fact}")[-1] for kind in ("how", "what", "why") for fact in MASKED]
    told += [json.dumps(vault.services.export(vault.session)), json.dumps(turn_json(seen, 1, 0))]
    told += [transcript(seen), transcript_page(seen)]
    everything = "\n".join(told)
    for secret in (CANARY, *REVERSED, SPELLED):
        assert secret not in everything
    assert "a noted case" in everything
    assert "on a noted case" in everything
    assert "dear Ann" in everything


def test_what_was_made_is_revealed_as_what_is_sensitive_is(vault: Vault) -> None:
    vault.services.reveal(vault.session, "summary", shown=True)
    seen = vault.services.snapshot(vault.session)
    assert "6543" in show_value(seen.catalog, seen.conversation, "summary")
    assert show_value(seen.catalog, seen.conversation, "copy") == "••••"
    assert REVERSED[0] not in json.dumps(vault.services.export(vault.session)), "what leaves stays masked"


def printed(folder: Path, catalog: str, capsys: pytest.CaptureFixture[str]) -> str:
    path = folder / "vault.yaml"
    path.write_text(catalog, encoding="utf-8")
    main(["check", str(path), "--set", "skills=tests.dialogue.vault_skills"])
    return capsys.readouterr().out.splitlines()[-1]


def test_the_checker_tells_what_is_masked_so_and_what_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(tmp_path, CATALOG, capsys).startswith(
        "Masked where they were made from something sensitive: 'letter', 'rows', 'files', 'copy' and 'summary'."
    )
    meant = CATALOG.replace("askable: false}", "askable: false, public: false}")
    meant = meant.replace("askable: false, list_of", "askable: false, public: false, list_of").replace(
        "value: table", "value: table, public: false"
    )
    assert "Masked" not in printed(tmp_path, meant, capsys)
    with pytest.raises(CatalogError, match="It is to be public, and it is sensitive"):
        loads(CATALOG.replace("sensitive: true", "sensitive: true, public: true"), file="vault.yaml")
    below = CATALOG.replace("  person: {", "  tax: {ask: Tax?, is_a: ssn, public: true}\n  person: {")
    with pytest.raises(CatalogError, match="It is to be public, and it is a 'ssn', which is sensitive"):
        loads(below, file="vault.yaml")


# made-up histories: the log and the state tell the same, which is what a walk back from each value finds

FACTS = ("ssn", "person", "letter", "note", "score", "copy", "summary", "rows")
LOADED = loads(CATALOG, file="vault.yaml").catalog
AT = datetime(2026, 11, 22, tzinfo=UTC)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Values that are given, made by calls, or taken for others; each may replace an earlier one of its fact."""
    events: list[Event] = []
    known: list[tuple[str, int]] = []

    def add(event: Event) -> int:
        events.append(event)
        return len(events)

    def know(fact: str, source: str, by: int) -> None:
        at = add(Established.model_validate({"fact": fact, "value": f"v{by}", "source": source, "by": by}))
        known.append((fact, at))

    for number in range(draw(st.integers(1, 12))):
        if not known or draw(st.booleans()):
            know(draw(st.sampled_from(FACTS)), "user", 0)
        elif draw(st.booleans()):
            used = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
            inputs = {f"i{at}": fact for fact, at in used}
            places = {f"i{at}": at for _, at in used}
            call: dict[str, object] = {"call_id": f"c{number}", "skill": "bureau", "mode": "full"}
            add(Calling.model_validate({**call, "inputs": inputs, "input_events": places, "plan_id": 0}))
            outputs = tuple(draw(st.lists(st.sampled_from(FACTS), min_size=1, max_size=3, unique=True)))
            ran = {**call, "inputs": tuple(inputs.values()), "input_events": tuple(places.values())}
            by = add(Ran.model_validate({**ran, "outcome": "found", "outputs": outputs}))
            for fact in outputs:
                know(fact, "skill", by)
        else:
            fact, at = draw(st.sampled_from(known))
            other = draw(st.sampled_from(FACTS))
            know(other, "mapping", add(Mapped(fact=other, used=fact, stands_for=other, input_event=at)))
    return events


@given(events=histories())
def test_the_log_and_the_state_tell_what_a_walk_back_from_each_value_finds(events: list[Event]) -> None:
    log = tuple(Entry(seq=seq, at=AT, event=event) for seq, event in enumerate(events, start=1))

    def is_hidden(fact: str, at: int) -> bool:
        if fact == "ssn":
            return True
        value = events[at - 1]
        assert isinstance(value, Established)
        made = events[value.by - 1] if value.by else None
        used = [(made.used, made.input_event)] if isinstance(made, Mapped) else []
        used += zip(made.inputs, made.input_events, strict=True) if isinstance(made, Ran) else []
        return fact not in ("note", "score") and any(is_hidden(*one) for one in used)

    derived = derived_in(LOADED, log)
    conversation = project(log)
    for entry in log:
        if isinstance(entry.event, Established):
            wanted = is_hidden(entry.event.fact, entry.seq)
            assert is_secret(LOADED, entry.event.fact, entry.seq, derived) == wanted
    for held in conversation.facts.held:
        assert hides(LOADED, conversation, held.value) == is_hidden(held.value.fact, held.value.event)
        assert is_masked(LOADED, conversation, held.value) == is_hidden(held.value.fact, held.value.event)
