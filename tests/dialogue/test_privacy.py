"""What leaves the log: sensitive values in whatever form they were given, and by whomever."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from dialogue.log.events import Alerted, Entry, Established, Event, ItemDone, Understood
from dialogue.state.masking import mask, mask_entry, secrets_of
from dialogue.state.provenance import derived_in
from language.interpretation import Entity, Interpretation, Span

CATALOG = loads(
    """
name: vault
facts:
  salary: {sensitive: true, value: number}
  open: {sensitive: true, value: yes_no}
  floor: {value: number}
goals: {floor: {facts: [floor], examples: [x]}}
""",
    file="vault.yaml",
).catalog
GIVEN = {"salary": 4711, "open": True, "floor": 3}


def exported(event: Event) -> str:
    entry = Entry(seq=1, at=datetime(2026, 11, 22, tzinfo=UTC), event=event)
    return json.dumps(
        mask_entry(CATALOG, entry, secrets_of(CATALOG, (entry,)), derived_in(CATALOG, (entry,)), str)["event"]
    )


def test_sensitive_numbers_and_answers_yes_or_no_are_not_exported_whoever_gave_them() -> None:
    span = Span(start=0, end=1, text="x")
    said = tuple(Entity(fact=fact, value=value, span=span, rule="r") for fact, value in GIVEN.items())
    done = ItemDone(call_id="c", skill="s", mode="m", item=1, outcome="o", facts=GIVEN)
    for event in (
        Understood(heard=1, meaning=Interpretation(values=said)),
        Alerted(turn=1, trigger="t", facts=GIVEN),
        done,
    ):
        text = exported(event)
        assert "4711" not in text
        assert '"open": true' not in text
        assert '"value": true' not in text
        assert "3" in text, "what is not sensitive is there"


def test_values_of_facts_that_the_catalog_no_longer_has_are_not_exported() -> None:
    known = Established(fact="ssn", value="078-05-1120", source="user", by=1, said="078-05-1120")
    done = ItemDone(call_id="c", skill="s", mode="m", item=1, outcome="o", facts={"ssn": "078-05-1120"})
    for event in (known, done, Alerted(turn=1, trigger="t", facts={"ssn": "078-05-1120"})):
        assert "078" not in exported(event)


def test_a_value_that_an_alert_brings_is_secret_before_it_is_taken_in_and_until_it_is_revealed() -> None:
    at = datetime(2026, 11, 22, tzinfo=UTC)
    log = (Entry(seq=1, at=at, event=Alerted(turn=1, trigger="t", facts={"salary": 4711, "floor": 3})),)
    assert secrets_of(CATALOG, log) == {"4711", "4,711"}
    assert secrets_of(CATALOG, log, revealed={"salary"}) == frozenset()


@given(
    digits=st.text(alphabet="0123456789", min_size=9, max_size=9),
    separators=st.tuples(*[st.sampled_from(["", "-", " ", "–", ". "])] * 2),
    wide=st.booleans(),
)
def test_a_number_is_masked_however_it_is_written(digits: str, separators: tuple[str, str], wide: bool) -> None:
    written = f"{digits[:3]}{separators[0]}{digits[3:5]}{separators[1]}{digits[5:]}"
    if wide:
        written = written.translate({ord("0") + n: ord("０") + n for n in range(10)})
    for kept in (digits, f"{digits[:3]}-{digits[3:5]}-{digits[5:]}"):
        assert mask(f"It is {written}, he said.", {kept}) == "It is ••••, he said."


@given(text=st.text(), secret=st.text(min_size=4).filter(str.strip))
def test_masking_leaves_everything_else_as_it_was(text: str, secret: str) -> None:
    shown = mask(f"{text}{secret}", {secret.strip()})
    assert secret.strip() not in shown.replace("••••", "") or secret.strip() in "••••"
    assert mask(text, {"no such thing as 4711-0815-1"}) == text


def test_a_letter_that_is_longer_in_lower_case_moves_no_mask() -> None:
    assert mask("İİ, I am STRASSER of İzmir", {"Strasser"}) == "İİ, I am •••• of İzmir"


def test_of_two_secrets_that_begin_alike_the_longer_one_is_hidden_whole() -> None:
    assert mask("My street: Elm Road East.", {"Elm Road", "Elm Road East"}) == "My street: ••••."
