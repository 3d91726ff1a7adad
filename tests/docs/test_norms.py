"""The document about norms is true: its examples load, and every key there is stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalog.load.yaml_reader import read_yaml
from catalog.norms.checks import check_norms
from catalog.norms.fipa import read_message
from catalog.norms.load import FORM, read_norms
from catalog.norms.message import Message
from catalog.norms.occasion import Occasion, Seat
from catalog.norms.vocabulary import SPEECH_ACTS, Variable
from dialogue.rooms.governance.stateless import GovernRequest
from scripts.schemas import norm_schema
from scripts.walkthrough import merge
from tests.dialogue.rooms.house import House
from tests.docs.documents import ROOT

DOCUMENT = (ROOT / "docs" / "norms.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^#+ (.*?)\n(.*?)(?=^#+ |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE))
FIRST, *MORE = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)
MODELS = {
    "The file": ["NormSpecification"],
    "Who takes part": ["Role", "Participant", "People", "Defaults"],
    "Topics and speech acts": ["Topic"],
    "Descriptors and filters": ["Filters", "Descriptor"],
    "Norms": ["Norm"],
    "Transitions": ["Transition", "Guards", "Protocol", "Initial", "Unmet"],
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    built = House(tmp_path)
    yield built
    built.close()


def tree(text: str) -> Any:
    return read_yaml(text, "docs/norms.md", FORM).root


def test_the_first_example_of_norms_loads_without_a_warning() -> None:
    assert check_norms(read_norms(FIRST)) == ()


@pytest.mark.parametrize("example", MORE, ids=range(len(MORE)))
def test_every_other_example_of_norms_adds_to_the_first(example: str) -> None:
    whole = merge(tree(FIRST), tree(example))
    assert check_norms(read_norms(yaml.safe_dump(whole, sort_keys=False))) == ()


@pytest.mark.parametrize("section", MODELS)
def test_every_key_of_norms_stands_in_its_section_and_in_an_example(section: str) -> None:
    schema = norm_schema()
    for name in MODELS[section]:
        model = schema if name == "NormSpecification" else schema["$defs"][name]
        keys = model["properties"].keys() - {"label", "description"}
        assert [key for key in keys if f"`{key}`" not in SECTIONS[section]] == []
        assert [key for key in keys - {"acts"} if not re.search(rf"\b{key}:", "".join([FIRST, *MORE]))] == []


def test_the_room_of_the_guide_works_with_its_three_bots(house: House) -> None:
    blocks = re.findall(r"```yaml bakery.yaml\n(.*?)```", DOCUMENT, re.DOTALL)
    norms: Any = {}
    for block in blocks:
        norms = merge(norms, tree(block))
    (code,) = re.findall(r"```python bakery/bots.py\n(.*?)```", DOCUMENT, re.DOTALL)
    bots: dict[str, Any] = {}
    exec(code, bots)
    house.bots |= {f"bakery.bots:{name}": bots[name] for name in ("host", "baker", "confectioner")}
    room = house.rooms.open(yaml.safe_dump(norms, sort_keys=False))
    house.rooms.join(room, "Zoe")
    for text in ("What is in the cake?", "What do I need for ten guests?"):
        assert house.rooms.wait(room)
        house.rooms.say(room, "Zoe", text)
    assert house.rooms.wait(room)
    seen = house.rooms.view(room).room
    posted = [f"{one.message.sender}: {one.message.text}" for entry in seen.order for one in [seen.messages[entry]]]
    assert posted[:3] == ["Hana: Welcome to the bakery!", "Zoe: What is in the cake?", "Cleo: A large almond cake."]
    assert posted[3:5] == ["Zoe: What do I need for ten guests?", "Hana: What would you take?"]
    assert sorted(posted[5:7]) == ["Ben: Two loaves of rye.", "Cleo: A large almond cake."]
    assert posted[7:] == ["Hana: That is what I would take."]
    assert len(seen.messages) > len(posted)


def test_what_a_bot_over_http_is_shown_is_in_the_document() -> None:
    shown = [*Occasion.model_fields, *Seat.model_fields]
    assert [key for key in shown if f"`{key}`" not in SECTIONS["Bots"]] == []


def test_every_warning_variable_and_speech_act_of_norms_is_in_the_document() -> None:
    source = "".join(
        (ROOT / "catalog" / folder).read_text("utf-8") for folder in ("norms/checks.py", "checks/names.py")
    )
    codes = set(re.findall(r"findings\.warn\(\s*\"([a-z-]+)\"", source))
    assert len(codes) > 8
    assert [code for code in codes if f"`{code}`" not in SECTIONS["What is checked"]] == []
    assert [one for one in Variable if f"| `{one}` |" not in DOCUMENT] == []
    assert [act for act in SPEECH_ACTS if f"`{act}`" not in SECTIONS["Speech acts"]] == []


def test_every_field_of_messages_requests_and_answers_is_in_the_document() -> None:
    service = SECTIONS["Governance as a service"]
    assert [key for key in GovernRequest.model_fields if f"| `{key}` |" not in service] == []
    assert [key for key in Message.model_fields if f"`{key}`" not in SECTIONS["Messages"]] == []


def test_both_ways_to_write_a_message_as_fipa_does_are_the_same() -> None:
    ((fields, notation),) = re.findall(r"```json\n(.*?)```\n\n```text\n(.*?)```", SECTIONS["Messages"], re.DOTALL)
    read = Message.model_validate(read_message(json.loads(fields)))
    assert read == Message.model_validate(read_message(notation))
    assert (read.sender, read.receivers, read.utterances[0].act) == ("Zoe", ("Desk",), "query")
