"""A small room for tests of norm files, and what stands at a place of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import yaml

from catalog.load.yaml_reader import read_yaml
from catalog.norms.load import FORM, LoadedNorms, read_norms
from catalog.problems import CatalogError, Problem

SMALL = """\
name: kitchen
label: a kitchen with a host and two cooks
topics:
  soup: {words: [soup]}
  cake:
roles:
  guest:
  host:
  cook:
  baker: {within: cook}
participants:
  Ana: {kind: bot, roles: host}
  Ben: {kind: bot, roles: [cook]}
  Cat: {kind: bot, roles: baker}
people: {roles: guest}
protocol: {states: [open, busy]}
content_types: [text, recipe]
descriptors:
  asked: {sender: guest, act: [query, request]}
  asked_for_cake: {sender: guest, act: [query, request], topic: cake}
  answered: {sender: cook, act: inform}
norms:
  host_opens: {kind: obligation, bearer: host, act: {act: greeting}}
  cooks_wait:
    kind: prohibition
    bearer: cook
    except: {content: recipe}
  cook_answers: {kind: obligation, bearer: $receivers, act: {act: inform, replies_to: $sender}, deadline: 30}
  guests_ask: {kind: permission, bearer: guest, standing: true}
  host_ends: {kind: obligation, bearer: host, if: {inactive: [cook_answers]}}
initial: {state: open, activate: [host_opens, cooks_wait]}
transitions:
  t1: {on: asked, from: open, to: busy, activate: [cook_answers], deactivate: all}
  t2: {on: asked_for_cake, activate: cook_answers}
  t3: {on: answered, from: busy, to: open, if: {inactive: cook_answers}, activate: [host_ends]}
  t4: {on: {unmet: cook_answers}, to: open, activate: [host_ends], deactivate: [cook_answers]}
"""


def small() -> dict[str, Any]:
    """Return the small room as plain data, to be changed."""
    root = read_yaml(SMALL, "small", FORM).root
    assert isinstance(root, dict)
    return dict(root)


def written(room: dict[str, Any]) -> str:
    """Write a room as YAML."""
    return yaml.safe_dump(json.loads(json.dumps(room)), allow_unicode=True, sort_keys=False)


def changed(change: Callable[[Any], object]) -> LoadedNorms:
    """Load the small room with a change."""
    room = small()
    change(room)
    return read_norms(written(room), "room.yaml")


def problems_of(text: str) -> tuple[Problem, ...]:
    """Return why a text is refused; none: it is not."""
    try:
        read_norms(text, "room.yaml")
    except CatalogError as error:
        return error.problems
    return ()
