"""Calibration of an agent's confidences: how often it was really of use when it was so sure.

Orchestrators compare confidences of agents that nobody tuned to each other, which is fair only where they are
calibrated (Verdi §2; the documentation of CLAI's orchestrators). A curve is fitted to what people did, by
Platt's logistic regression (Platt 1999) or by isotonic regression (Zadrozny and Elkan 2002). It never falls: who is
more sure is never taken to be less. With few cases a confidence stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, cast

import numpy as np
from pydantic import Field

from dialogue.agents.model import Confidence

Method = Literal["none", "platt", "isotonic"]
LEAST = 30
"""With fewer cases than this an agent's confidences stay as they are."""
RECENT = 300
"""The newest cases count, so many of them: people change."""
_STEPS = 21
"""Points of a curve that is drawn from a formula."""

Case = tuple[Confidence, bool]
"""How sure an agent was, and whether it was of use."""
Point = Annotated[list[Confidence], Field(min_length=2, max_length=2)]
"""A confidence, and how often the agent was of use that was so sure."""
Curve = list[Point]
"""Points between which lines are drawn, from left to right; none: confidences stay as they are."""


def fit(method: Method, cases: Sequence[Case]) -> Curve:
    """Return the curve of an agent."""
    if method == "none" or len(cases) < LEAST:
        return []
    sure = np.array([confidence for confidence, _ in cases])
    of_use = np.array([float(followed) for _, followed in cases])
    x, y = _isotonic(sure, of_use) if method == "isotonic" else _platt(sure, of_use)
    points = np.stack([x, np.clip(y, 0.0, 1.0)], axis=1)
    return cast(Curve, points.round(6).tolist())


def calibrate(curve: Curve, confidence: Confidence) -> Confidence:
    """Return how often an agent is of use that is so sure; beyond the ends of a curve, as at its ends."""
    if not curve:
        return confidence
    x, y = zip(*curve, strict=True)
    return float(np.interp(confidence, x, y))


def _isotonic(sure: np.ndarray, of_use: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0.0, y_max=1.0).fit(sure, of_use)
    return fitted.X_thresholds_, fitted.y_thresholds_


def _platt(sure: np.ndarray, of_use: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit a logistic curve to Platt's targets: each case is a little of the other kind, so a few never say "always"."""
    from sklearn.linear_model import LogisticRegression

    many = of_use.sum()
    target = np.where(of_use > 0, (many + 1) / (many + 2), 1 / (len(of_use) - many + 2))
    kinds = np.repeat([1, 0], len(sure))
    fitted = LogisticRegression(C=1e3, solver="newton-cholesky").fit(
        np.tile(sure, 2).reshape(-1, 1), kinds, sample_weight=np.concatenate([target, 1 - target])
    )
    x = np.linspace(0.0, 1.0, _STEPS)
    if fitted.coef_[0, 0] < 0:  # the surer the worse: then its confidence says nothing
        return x, np.full(_STEPS, target.mean())
    return x, fitted.predict_proba(x.reshape(-1, 1))[:, 1]
