"""Train the bank's two decision models on invented applicants: `python -m scripts.train_bank_models`.

The applicants are drawn with a fixed seed. An invented underwriter decides on each, by a weighted sum with noise: the
credit score above 640, the loan as a share of a year's income above 35 %, the income against 42,000, and for loans
whether debts are to be paid off. Clear sums are approved or declined; those in the middle go to further checks. A
logistic regression learns to do the same. What is kept is JSON: its parameters, and the background sample against which
decisions are explained.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from catalog.demos.banking.models import DECISIONS, FOLDER, INPUTS, Decision, features

SEED = 7
APPLICANTS = 4_000
BACKGROUND = 40

_Array = np.ndarray[Any, np.dtype[np.float64]]


def applicants(product: str) -> tuple[_Array, list[Decision]]:
    """Invent applicants for a product: a row of inputs each (in the order of `INPUTS`), and the decision on each."""
    draw = np.random.default_rng(SEED)
    score = np.clip(draw.normal(660, 95, APPLICANTS), 300, 850).round()
    income = np.clip(draw.lognormal(np.log(42_000), 0.45, APPLICANTS), 6_000, 250_000).round(-2)
    amount = np.clip(draw.lognormal(np.log(12_000), 0.7, APPLICANTS), 500, 100_000).round(-2)
    paying_debts = (draw.random(APPLICANTS) < 0.25).astype(float)
    verdict = 0.011 * (score - 640) + 0.35 * np.log(income / 42_000) + draw.normal(0, 0.35, APPLICANTS)
    if product == "loan":
        verdict += 3.2 * (0.35 - np.minimum(amount / income, 3.0)) - 0.5 * paying_debts
    columns = {"income": income, "credit_score": score, "loan_amount": amount, "loan_purpose": paying_debts}
    approved, declined, further = DECISIONS
    decided = [approved if v > 0.5 else declined if v < -0.5 else further for v in verdict]
    return np.column_stack([columns[name] for name in INPUTS[product]]), decided


def train(product: str) -> dict[str, object]:
    """Fit the model of a product and return what is kept of it."""
    rows, decided = applicants(product)
    made = features(product, rows)
    mean, spread = made.mean(axis=0), made.std(axis=0)
    model = LogisticRegression(max_iter=1_000).fit((made - mean) / spread, decided)
    return {
        "product": product,
        "classes": [str(name) for name in model.classes_],
        "mean": mean.round(6).tolist(),
        "spread": spread.round(6).tolist(),
        "coefficients": model.coef_.round(6).tolist(),
        "intercepts": model.intercept_.round(6).tolist(),
        "background": rows[:BACKGROUND].tolist(),
    }


def main(folder: Path = FOLDER) -> None:
    """Train both models and write them down."""
    folder.mkdir(parents=True, exist_ok=True)
    for product in INPUTS:
        text = json.dumps(train(product), indent=1, sort_keys=True) + "\n"
        (folder / f"{product}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
