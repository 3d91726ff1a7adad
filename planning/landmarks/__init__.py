"""Landmarks of a goal: what every plan has to make true, and has to do, and in which order."""

from __future__ import annotations

from planning.landmarks.find import find_fact_landmarks, find_landmarks
from planning.landmarks.model import Landmarks, Order

__all__ = ["Landmarks", "Order", "find_fact_landmarks", "find_landmarks"]
