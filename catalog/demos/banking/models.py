"""Score credit by fixed sums; decide on loans and cards by small logistic regressions, and attribute decisions.

Scores, between 300 and 850, are weighted sums. `train` makes the models, as JSON.
A decision's attributions are its exact Shapley values (Lundberg and Lee 2017), summed over all coalitions of its four
inputs: how much each input moved the probability of the class that was decided, away from its mean over the background
sample. They add up to the difference. numpy is imported on first use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from catalog.demos.banking.personas import CreditFile

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

LOWEST, HIGHEST = 300, 850


def score_file(file: CreditFile) -> int:
    """Score a credit file.

    Payments on time weigh 35 %, credit in use 30 %, age 15 %, variety and new applications 10 % each.
    """
    paid = _between(0.0, (file.on_time_share - 0.7) / 0.3, 1.0)
    return _scale(
        0.35 * paid
        + 0.30 * (1 - _between(0.0, file.utilisation, 1.0))
        + 0.15 * min(file.years, 15) / 15
        + 0.10 * min(file.kinds, 4) / 4
        + 0.10 * (1 - min(file.applications, 6) / 6)
    )


def score_history(amounts: Iterable[tuple[str, Decimal]], years_employed: Decimal, housing_cost: Decimal) -> int:
    """Score an account's history: money kept 40 %, steady income 25 %, housing cost 20 %, years of employment 15 %.

    `amounts` are (ISO date, amount): income is positive, spending negative. The estimate never reaches the top fifth
    of the scale, since it rests on less than a credit file does.
    """
    earned: dict[str, Decimal] = {}
    spent = Decimal(0)
    months: set[str] = set()
    for day, amount in amounts:
        months.add(day[:7])
        if amount > 0:
            earned[day[:7]] = earned.get(day[:7], Decimal(0)) + amount
        else:
            spent -= amount
    total = sum(earned.values(), Decimal(0))
    if not months or total <= 0:
        return LOWEST
    kept = float((total - spent) / total)
    steady = len(earned) / len(months)
    housing = float(housing_cost * len(months) / total)
    return _scale(
        0.8
        * (
            0.40 * _between(0.0, kept / 0.3, 1.0)
            + 0.25 * steady
            + 0.20 * (1 - _between(0.0, housing / 0.6, 1.0))
            + 0.15 * min(float(years_employed), 10.0) / 10
        )
    )


def _scale(share: float) -> int:
    return round(LOWEST + (HIGHEST - LOWEST) * share)


def _between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))


Decision = Literal["approved", "declined", "further checks"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)

INPUTS: dict[str, tuple[str, ...]] = {
    "loan": ("income", "credit_score", "loan_amount", "loan_purpose"),
    "card": ("income", "credit_score"),
}
"""The numeric features of the model of each product. `loan_purpose` is 1 where debts are to be paid off, else 0."""

FOLDER = Path(__file__).parent / "models"


@dataclass(frozen=True, slots=True)
class Attributions:
    """Attribution of a decision; `inputs` sum to `probability` minus `expected`, the background mean."""

    inputs: Mapping[str, float]
    probability: float
    expected: float


@dataclass(frozen=True, slots=True)
class DecisionModel:
    """A trained model: `probabilities` maps rows of inputs to a probability for each of `classes`."""

    classes: tuple[str, ...]
    probabilities: Callable[[Array], Array]
    background: Array


def decide(product: str, inputs: Mapping[str, float]) -> Decision:
    """Return the decision that the model thinks likeliest. An input left out counts as zero (no purpose stated)."""
    model = _load(product)
    chances = dict(zip(model.classes, model.probabilities(_row(product, inputs))[0], strict=True))
    return max(DECISIONS, key=lambda decision: chances[decision])


def attribute(product: str, inputs: Mapping[str, float], decision: Decision) -> Attributions:
    """Attribute a decision to the inputs. An input left out is left out of the comparison too: it gets no part."""
    model = _load(product)
    row = _row(product, inputs)
    places = {place: name for place, name in enumerate(INPUTS[product]) if name in inputs}
    at = model.classes.index(decision)

    def worth(known: frozenset[int]) -> float:
        rows = model.background.copy()
        for place in range(rows.shape[1]):
            if place in known or place not in places:
                rows[:, place] = row[0, place]
        return float(model.probabilities(rows)[:, at].mean())

    coalitions = [frozenset(some) for size in range(len(places) + 1) for some in combinations(places, size)]
    worths = {known: worth(known) for known in coalitions}
    weights = {
        name: sum(
            (worths[known | {place}] - worths[known]) / (len(places) * comb(len(places) - 1, len(known)))
            for known in coalitions
            if place not in known
        )
        for place, name in places.items()
    }
    return Attributions(weights, worths[coalitions[-1]], worths[coalitions[0]])


def features(product: str, rows: Array) -> Array:
    """Turn rows of inputs into what the model is fitted on: logarithm of income, score, and loan as share of income."""
    import numpy as np

    income, score = np.maximum(rows[:, 0], 1_000.0), rows[:, 1]
    columns = [np.log(income), score]
    if product == "loan":
        columns += [np.minimum(rows[:, 2] / income, 3.0), rows[:, 3]]
    return np.column_stack(columns)


@cache
def _load(product: str) -> DecisionModel:
    import numpy as np

    kept = json.loads((FOLDER / f"{product}.json").read_text(encoding="utf-8"))
    mean, spread = np.array(kept["mean"]), np.array(kept["spread"])
    coefficients, intercepts = np.array(kept["coefficients"]), np.array(kept["intercepts"])

    def probabilities(rows: Array) -> Array:
        scores = (features(product, rows) - mean) / spread @ coefficients.T + intercepts
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: Array = raised / raised.sum(axis=1, keepdims=True)
        return found

    return DecisionModel(tuple(kept["classes"]), probabilities, np.array(kept["background"], dtype=float))


def _row(product: str, inputs: Mapping[str, float]) -> Array:
    import numpy as np

    return np.array([[inputs.get(name, 0.0) for name in INPUTS[product]]], dtype=float)
