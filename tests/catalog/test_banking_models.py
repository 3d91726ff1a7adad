from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from math import factorial
from pathlib import Path

import numpy as np
import pytest

from catalog.demos.banking import models
from catalog.demos.banking.personas import PERSONAS, Persona
from scripts import train_bank_models as train

CASES = {
    name: {
        "income": float(p.customer.income),
        "credit_score": float(models.score_file(p.credit_file)),
        "loan_amount": float(p.loan_amount),
    }
    for name, p in PERSONAS.items()
    if p.credit_file is not None
}


@pytest.mark.parametrize("name", CASES)
def test_each_persona_with_a_credit_file_gets_the_decision_that_is_promised(name: str) -> None:
    persona: Persona = PERSONAS[name]
    assert models.decide("loan", CASES[name]) == persona.loan_result


@pytest.mark.row("V19")
@pytest.mark.parametrize("product", models.INPUTS)
@pytest.mark.parametrize("decision", models.DECISIONS)
@pytest.mark.parametrize("name", CASES)
def test_attributions_add_up_to_what_was_decided_less_the_mean(
    product: str, decision: models.Decision, name: str
) -> None:
    inputs = {key: value for key, value in CASES[name].items() if key in models.INPUTS[product]}
    found = models.attribute(product, inputs, decision)
    assert found.inputs.keys() == inputs.keys()
    assert sum(found.inputs.values()) == pytest.approx(found.probability - found.expected, abs=1e-9)


def test_attributions_are_the_exact_shapley_values_by_their_definition() -> None:
    inputs = {**CASES["ben"], "loan_purpose": 1.0}
    found = models.attribute("loan", inputs, "declined")
    names = models.INPUTS["loan"]
    background = models._load("loan").background
    at = models._load("loan").classes.index("declined")

    def worth(coalition: frozenset[str]) -> float:
        rows = background.copy()
        for place, name in enumerate(names):
            if name in coalition:
                rows[:, place] = inputs[name]
        return float(models._load("loan").probabilities(rows)[:, at].mean())

    count = len(names)
    for name in names:
        others = [other for other in names if other != name]
        value = sum(
            factorial(size) * factorial(count - size - 1) / factorial(count)
            * (worth(frozenset(coalition) | {name}) - worth(frozenset(coalition)))
            for size in range(count)
            for coalition in combinations(others, size)
        )  # fmt: skip
        assert found.inputs[name] == pytest.approx(value, abs=1e-9)


def test_an_input_that_is_not_known_gets_no_part_of_the_decision() -> None:
    assert "loan_purpose" not in models.attribute("loan", CASES["chloe"], "further checks").inputs
    stated = models.attribute("loan", {**CASES["chloe"], "loan_purpose": 1.0}, "approved").inputs
    assert stated["loan_purpose"] < 0


def test_the_models_are_sensible_in_each_direction() -> None:
    approved = models._load("loan").classes.index("approved")

    def chance(income: float, score: float, amount: float) -> float:
        return float(models._load("loan").probabilities(np.array([[income, score, amount, 0.0]]))[0, approved])

    assert chance(50_000, 650, 12_000) < chance(50_000, 700, 12_000)
    assert chance(40_000, 650, 12_000) < chance(50_000, 650, 12_000)
    assert chance(50_000, 650, 15_000) < chance(50_000, 650, 12_000)


@pytest.mark.parametrize("product", models.INPUTS)
def test_training_again_gives_the_committed_parameters(product: str) -> None:
    kept = json.loads((models.FOLDER / f"{product}.json").read_text(encoding="utf-8"))
    again = train.train(product)
    for key in ("classes", "product", "background"):
        assert again[key] == kept[key]
    for key in ("mean", "spread", "coefficients", "intercepts"):
        assert np.array(again[key]) == pytest.approx(np.array(kept[key]), abs=1e-3)


@pytest.mark.parametrize("product", models.INPUTS)
def test_the_models_mostly_agree_with_the_underwriter_they_learnt_from(product: str) -> None:
    rows, decided = train.applicants(product)
    model = models._load(product)
    guessed = [model.classes[at] for at in model.probabilities(rows).argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(guessed, decided, strict=True)]) > 0.75


def test_importing_the_skills_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys, catalog.demos.banking.skills\n"
        "heavy = {'sklearn', 'shap', 'rapidocr_onnxruntime', 'onnxruntime', 'cv2', 'pandas', 'numpy', 'PIL'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)
