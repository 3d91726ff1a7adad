"""Learning from the examples of a catalog: what was learned before is of use, and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from catalog.load import load
from catalog.model import Catalog
from language.entities.masking import MaskedText, ValueMasker, gather_examples
from language.intents.labels import TrainedLabels, learn, load_trained, save_trained
from language.text.array_cache import DigestCache
from language.text.encoder import Vectors, encode

BANK = load("banking").catalog
ASKED = [
    MaskedText(text, frozenset()) for text in ("lend me some money", "sing a song", "my spending as a pie", "a card")
]


def with_example(text: str) -> Catalog:
    loan = BANK.goals["loan"]
    return BANK.model_copy(
        update={"goals": {**BANK.goals, "loan": loan.model_copy(update={"examples": (*loan.examples, text)})}}
    )


def learned(catalog: Catalog, folder: Path) -> TrainedLabels:
    return learn(gather_examples(catalog, ValueMasker(catalog)), folder)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainedLabels, Path]:
    """What was learned of the bank, and the folder where it is kept; who changes that copies it."""
    folder = tmp_path_factory.mktemp("bank")
    found = learned(BANK, folder)
    save_trained(found, folder, "digest")
    return found, folder


def watch_encoder(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the list to which every text goes that is encoded from now on."""
    encoded: list[str] = []

    def watched(texts: Sequence[str]) -> Vectors:
        encoded.extend(texts)
        return encode(texts)

    monkeypatch.setattr("language.intents.labels.encode", watched)
    monkeypatch.setattr("language.text.encoder.encode", watched)
    monkeypatch.setattr("language.text.encoder._MADE", DigestCache(16))
    return encoded


def test_a_changed_catalog_encodes_only_what_is_new_and_learns_the_same(
    bank: tuple[TrainedLabels, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copytree(bank[1], tmp_path / "kept")
    changed = with_example("a wee sum until the lambs are sold")
    afresh = learned(changed, tmp_path / "nothing kept")
    encoded = watch_encoder(monkeypatch)
    again = learned(changed, tmp_path / "kept")
    assert "a wee sum until the lambs are sold" in encoded
    assert len(encoded) < len(again.texts) / 10
    for one, other in zip(astuple(afresh.measure(ASKED)), astuple(again.measure(ASKED)), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_what_is_kept_is_read_as_it_was_learned(bank: tuple[TrainedLabels, Path]) -> None:
    before, folder = bank
    after = load_trained(len(BANK.goals), folder, "digest")
    assert after is not None and after.texts == before.texts
    np.testing.assert_array_equal(after.measure(ASKED).chances, before.measure(ASKED).chances)
    assert load_trained(len(BANK.goals) + 1, folder, "digest") is None


@pytest.mark.parametrize("kept", ["nothing", "half of it", "fewer vectors", "other numbers"])
def test_what_no_catalog_serves_is_kept_once_and_a_model_without_it_is_none(
    bank: tuple[TrainedLabels, Path], tmp_path: Path, kept: str
) -> None:
    copytree(bank[1], tmp_path, dirs_exist_ok=True)
    assert load_trained(len(BANK.goals), tmp_path, "digest") is not None
    (goals,), (unserved,) = tmp_path.glob("goals-*"), tmp_path.glob("unserved-*")
    assert goals.stat().st_size < unserved.stat().st_size
    vectors = np.load(unserved)["vectors"]
    if kept == "nothing":
        unserved.unlink()
    elif kept == "half of it":
        unserved.write_bytes(unserved.read_bytes()[: unserved.stat().st_size // 2])
    else:
        np.savez(unserved, vectors=vectors[:9] if kept == "fewer vectors" else vectors * np.float32(np.nan))
    assert load_trained(len(BANK.goals), tmp_path, "digest") is None


def test_vectors_of_another_encoder_are_of_no_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("language.intents.labels.encoder_version", lambda: "an encoder of long ago")
        earlier.setattr("language.text.encoder.encoder_version", lambda: "an encoder of long ago")
        save_trained(learned(BANK, tmp_path), tmp_path, "before")
    encoded = watch_encoder(monkeypatch)
    learned(BANK, tmp_path)
    assert len(encoded) > 500
