from __future__ import annotations

import io
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from catalog.demos.banking import id_cards
from catalog.demos.banking.id_cards import IdCard, Words, find_fields
from catalog.demos.banking.personas import PERSONAS, SAMPLES, UNREADABLE_PICTURE, Persona
from scripts import draw_id_cards

PICTURED = [persona for persona in PERSONAS.values() if persona.picture is not None]


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


@pytest.mark.parametrize("persona", PICTURED, ids=lambda persona: persona.customer.name)
def test_a_sample_card_is_read_just_as_it_was_drawn(persona: Persona) -> None:
    customer = persona.customer
    expected = IdCard(customer.name, customer.address, customer.date_of_birth)
    assert persona.picture is not None
    assert find_fields(id_cards.read_words(sample(persona.picture))) == expected


def test_the_blurred_sample_cannot_be_read() -> None:
    assert find_fields(id_cards.read_words(sample(UNREADABLE_PICTURE))) is None


def test_the_engine_may_be_used_from_several_threads() -> None:
    with ThreadPoolExecutor(3) as pool:
        read = list(
            pool.map(id_cards.read_words, [sample("ann_bell.png"), sample("blurred.jpg"), sample("ann_bell.png")])
        )
    assert read[0] == read[2] != read[1]


def test_a_picture_that_lies_on_its_side_is_turned_by_its_exif_mark() -> None:
    turned = io.BytesIO()
    with Image.open(io.BytesIO(sample("ann_bell.png"))) as card:
        exif = Image.Exif()
        exif[0x0112] = 6
        card.convert("RGB").rotate(90, expand=True).save(turned, "JPEG", exif=exif)
    found = find_fields(id_cards.read_words(turned.getvalue()))
    assert found is not None and found.name == "Ann Bell"


@pytest.mark.parametrize(
    "data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", b"GIF89a" + bytes(50), b"<svg onload=alert(1)/>"]
)
def test_what_is_no_picture_holds_no_words(data: bytes) -> None:
    assert id_cards.read_words(data) == ()


def test_a_truncated_picture_holds_no_words() -> None:
    assert id_cards.read_words(sample("ben_carter.jpg")[:5_000]) == ()


@pytest.mark.parametrize("side", [7_000, 12_000, 20_000])
def test_a_picture_that_claims_to_be_huge_is_not_decoded(side: int) -> None:
    bomb = io.BytesIO()
    Image.new("1", (1, 1)).save(bomb, "PNG")
    claim = bytearray(bomb.getvalue())
    claim[16:24] = side.to_bytes(4, "big") * 2  # width and height, then the checksum over them
    claim[29:33] = zlib.crc32(bytes(claim[12:29])).to_bytes(4, "big")
    assert id_cards.read_words(bytes(claim)) == ()


def written(*lines: tuple[str, float, float]) -> list[Words]:
    return [Words(text, x, y, x + 12 * len(text), y + 30) for text, x, y in lines]


def test_fields_are_found_below_beside_and_behind_their_labels() -> None:
    expected = IdCard("Ann Bell", "12 Mill Lane, Port Ellis 04817", "1986-03-14")
    below = written(
        ("Name", 300, 0), ("AnnBell", 300, 40), ("Date ofbirth", 300, 100), ("14March1986", 300, 140),
        ("Address", 300, 200), ("12MillLane,", 300, 240), ("PortEllis04817", 300, 280), ("Card no", 300, 340),
        ("X 1", 300, 380),
    )  # fmt: skip
    beside = written(
        ("Full name", 0, 0), ("Ann Bell", 200, 4), ("Born", 0, 60), ("1986-03-14", 200, 58),
        ("Address", 0, 120), ("12 Mill Lane", 200, 118), ("Port Ellis 04817", 200, 160),
    )  # fmt: skip
    behind = written(
        ("Name: Ann Bell", 0, 0), ("DOB: 14.03.1986", 0, 60), ("Address: 12 Mill Lane, Port Ellis 04817", 0, 120)
    )
    assert find_fields(below) == find_fields(behind) == expected
    assert find_fields(beside) == expected


@pytest.mark.parametrize("born", ["03/04/1986", "14 Brumaire 1986", "31 February 1986", "1786-03-14", "unknown", ""])
def test_a_date_that_cannot_be_read_for_sure_makes_the_card_unreadable(born: str) -> None:
    assert (
        find_fields(written(("Name: Ann Bell", 0, 0), (f"Born: {born}", 0, 60), ("Address: 1 Mill Lane", 0, 120)))
        is None
    )


@pytest.mark.parametrize("missing", ["Name", "Born", "Address"])
def test_a_card_that_lacks_a_field_is_unreadable(missing: str) -> None:
    lines = [("Name: Ann Bell", 0.0, 0.0), ("Born: 14 March 1986", 0.0, 60.0), ("Address: 1 Mill Lane", 0.0, 120.0)]
    assert find_fields(written(*lines)) is not None
    assert find_fields(written(*(line for line in lines if not line[0].startswith(missing)))) is None


def test_a_name_that_holds_digits_is_not_taken() -> None:
    lines = written(("Name: Ann8 Bell", 0, 0), ("Born: 14 March 1986", 0, 60), ("Address: 1 Mill Lane", 0, 120))
    assert find_fields(lines) is None


def test_the_samples_are_those_that_the_script_draws(tmp_path: Path) -> None:
    draw_id_cards.main(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in SAMPLES.iterdir()}
    assert sum(path.stat().st_size for path in SAMPLES.iterdir()) < 300_000
