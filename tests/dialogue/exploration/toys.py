"""A small catalog to explore, and the ways to do it."""

from __future__ import annotations

from datetime import date

from catalog.load import loads
from catalog.model import Catalog
from dialogue.exploration.scripted_environment import EnvironmentMove, ValueExamples
from dialogue.exploration.state_space import Graph, walk
from dialogue.exploration.transition import TransitionContext
from dialogue.policy import POLICIES
from planning.engines import ENGINES
from planning.state_space.paths import WalkBounds

CATALOG = """
name: shop
facts:
  card: {ask: Which card?, sensitive: true}
  name: {ask: What is your name?}
  note: {ask: A note?}
  receipt: {fillable: false, why_not_fillable: the shop writes it}
  rating: {askable: false}
skills:
  pay:
    endpoint: python:nowhere:pay
    effect: irreversible
    cost: 5
    modes:
      by_card:
        inputs: [card, name]
        optional: [note]
        outcomes: {paid: [receipt], refused: {doubts: [card]}}
  rate:
    endpoint: python:nowhere:rate
    max_tries: 2
    modes:
      by_name: {inputs: [name], outcomes: {rated: [rating], unknown: {doubts: [name]}, closed: {}}}
goals:
  receipt: {facts: [receipt], examples: [sell me something]}
  rating: {facts: [rating], examples: [rate me]}
  both: {facts: [receipt, rating], examples: [everything]}
"""

LISTS = """
name: library
facts:
  title: {ask: Which book?}
  titles: {list_of: title, ask: Which books?, value: {kind: list, least: 2, most: 3}}
  shelf: {fillable: false}
  shelves: {list_of: shelf}
skills:
  find:
    endpoint: python:nowhere:find
    effect: EFFECT
    modes:
      by_title: {inputs: [title], outcomes: {found: [shelf], unknown: {doubts: [title]}}}
goals:
  shelves: {facts: [shelves], examples: [find my books]}
properties: {never: [find called > 2]}
"""


def library(effect: str) -> Catalog:
    return loads(LISTS.replace("EFFECT", effect), file="library.yaml").catalog


def shop(more: str = "") -> Catalog:
    return loads(CATALOG + more, file="shop.yaml").catalog


def stage(catalog: Catalog) -> TransitionContext:
    return TransitionContext(
        catalog, POLICIES["planner"](ENGINES["native"]), ValueExamples(catalog, date(2026, 11, 21))
    )


def walked(catalog: Catalog, goal: str, known: tuple[str, ...] = (), *, failures: bool = False) -> Graph:
    return walk(stage(catalog), goal, known, bounds=WalkBounds(20_000, None), failures=failures)


def told(moves: list[EnvironmentMove]) -> list[str]:
    """Put moves in a few words."""
    return [" ".join(part for part in (move.kind.value, move.subject, move.outcome) if part) for move in moves]
