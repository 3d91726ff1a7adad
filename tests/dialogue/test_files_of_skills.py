"""Documents in a conversation: uploaded, given to a skill, returned by a skill, and kept with the conversation."""

from __future__ import annotations

from pathlib import Path

from catalog.load import loads
from catalog.values.documents import file_value
from dialogue.log.events import Replied
from dialogue.log.stores import SqliteStore
from dialogue.services import Services, Upload
from tests.dialogue.copying_skills import PNG

SKILLS = "tests.dialogue.copying_skills"
CATALOG = f"""
name: copies
facts:
  ledger: {{label: ledger, ask: Which ledger?, value: {{kind: document, types: [csv]}}}}
  copy: {{label: copy, askable: false, value: document}}
  drawing: {{label: drawing, askable: false, value: image}}
  length: {{label: length, askable: false, value: {{kind: number, integer: true}}}}
skills:
  copier:
    endpoint: "python:{SKILLS}:copy"
    modes: {{only: {{inputs: [ledger], outcomes: {{made: [copy, drawing]}}}}}}
  counter: {{endpoint: "python:{SKILLS}:count", modes: {{only: {{inputs: [copy], outcomes: {{counted: [length]}}}}}}}}
goals:
  copies: {{label: a copy, facts: [copy, length], examples: [copy my ledger], done: "There are {{length}} bytes."}}
"""
DATA = b"day,paid\n2025-07-01,4\n"


def replies(services: Services, session: str) -> list[str]:
    assert services.wait(session, 30)
    return [one.event.text for one in services.snapshot(session).log if isinstance(one.event, Replied)]


def test_a_document_that_was_uploaded_goes_through_skills_and_what_they_make_is_kept(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "events.sqlite3")
    services = Services(store, {"copies": loads(CATALOG)}, allowed=[SKILLS])
    session = services.start("copies")
    services.say(session, "copy my ledger")
    services.say(session, "", [Upload("ledger.csv", "image/png", PNG)])
    services.say(session, "", [Upload("ledger.csv", "image/png", DATA)])
    told = replies(services, session)
    assert any("By its name “ledger.csv” is a CSV file, but it holds a PNG picture." in text for text in told)
    assert any(f"There are {len(DATA)} bytes." in text for text in told)
    known = services.snapshot(session).conversation.facts.known
    assert known["ledger"].value == file_value("ledger.csv", DATA)
    assert known["copy"].value == file_value("copy of ledger.csv", DATA)
    for fact, data in (("copy", DATA), ("drawing", PNG)):
        value = known[fact].value
        assert isinstance(value, dict) and services.file(session, str(value["attachment"])) == data
    services.close()
