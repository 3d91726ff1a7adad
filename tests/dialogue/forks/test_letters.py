"""A letter about a decision says what its explanations say, masks what is secret, and is one page without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest

from catalog.demos.banking.personas import BEN
from catalog.load import loads
from catalog.skills import Result, SkillInput
from dialogue.cli.main import BAD_INPUT, main
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.services.forks import NoDecision
from dialogue.services.letters import write_letter
from tests.dialogue.forks.bank import Declined, declined

_HOSTILE = "<script>alert('x')</script> & \\\"co\\\""
_CATALOG = f"""
version: 1
name: toy
label: "{_HOSTILE}"
contact: [{{name: "{_HOSTILE}", address: "<img src=x>"}}]
facts:
  note: {{label: "<b>note</b>", value: {{kind: text}}, ask: Which note?}}
  pin: {{label: pin, sensitive: true, value: {{kind: text}}, ask: Which pin?}}
  verdict: {{label: verdict, askable: false, value: {{kind: text}}}}
skills:
  judge:
    label: "judge <i>"
    endpoint: "python:tests.dialogue.forks.test_letters:judge"
    modes: {{main: {{inputs: [note, pin], outcomes: {{no: {{facts: [verdict], adverse: true}}, yes: [verdict]}}}}}}
goals:
  verdict: {{label: "<u>verdict</u>", facts: [verdict], examples: [I want a verdict, judge me, give me a verdict]}}
"""


def judge(values: Mapping[str, SkillInput]) -> Result:
    """Say no to everything."""
    return Result("no", {"verdict": f"<h1>{values['note']}</h1>"})


def _open(home: Path) -> Services:
    mine = (__name__,)
    return Services(SqliteStore(home / "sessions.db"), {"toy": loads(_CATALOG)}, allowed=mine, trusted=mine)


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.links += [name for name, _ in attrs if name in ("src", "href", "style") or name.startswith("on")]


@pytest.fixture(scope="module")
def letter(ben: Declined) -> str:
    return write_letter(ben.services, ben.session)


@pytest.mark.row("V26")
def test_a_letter_tells_the_decision_its_data_its_weights_and_what_would_change_it(letter: str) -> None:
    sections = [part.split("</h2>")[0] for part in letter.split("<h2>")[1:]]
    assert sections == [
        "What was decided",
        "On which data",
        "What weighed most",
        "What would change it",
        "Other ways",
        "Whom to write to",
    ]
    decided, data, weighed, changed, other, whom = letter.split("<h2>")[1:]
    assert "Your loan: declined. The loan desk decided it." in decided
    assert "credit score (452) from the credit bureau" in data
    assert "“$25,000”" in data
    assert "+0.32" in weighed
    assert "No loan amount from $500 to $100,000 changes the outcome" in changed
    assert "From a simulation" in changed
    assert "account review could have been used" in other
    assert "complaints@harbour-bank.example" in whom


@pytest.mark.row("V26")
def test_sensitive_values_are_masked_and_the_page_needs_nothing_else(letter: str) -> None:
    assert BEN.ssn not in letter
    assert "social security number when I asked: ••••" in letter
    tags = _Tags(letter)
    assert tags.found <= {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p"}
    assert not tags.links
    assert "@page{size:A4" in letter


@pytest.mark.row("V26")
def test_whatever_it_quotes_is_escaped_and_what_cannot_be_simulated_is_left_out_with_the_reason(tmp_path: Path) -> None:
    services = _open(tmp_path)
    session = services.start("toy")
    for said in ("I want a verdict", "<script>steal()</script>", "yes", "4711-x"):
        services.say(session, said)
        assert services.wait(session, 60)
    page = write_letter(services, session)
    services.close()
    assert _Tags(page).found <= {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p"}
    assert "&lt;script&gt;steal()" in page
    assert "&lt;script&gt;alert(" in page
    assert "4711" not in page
    assert "cannot be simulated" in page


@pytest.mark.row("V26")
def test_without_a_decision_there_is_no_letter(tmp_path: Path) -> None:
    services = _open(tmp_path)
    session = services.start("toy")
    services.say(session, "I want a verdict")
    assert services.wait(session, 60)
    with pytest.raises(NoDecision, match="no decision to write about"):
        write_letter(services, session)
    services.close()


@pytest.mark.row("V26")
def test_the_command_writes_it_to_a_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with declined() as ben:
        pass
    file = home / "letter.html"
    assert main(["letter", ben.session[:8], "--goal", "1", "--out", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert str(file) in capsys.readouterr().out
    assert main(["letter", ben.session[:8], "--goal", "7"]) == BAD_INPUT
    assert "no decision to write about" in capsys.readouterr().err
