"""Arguments that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, TypeAlias

from planning.state_space.paths import WalkBounds

Run: TypeAlias = Callable[[argparse.Namespace], int]
Declare: TypeAlias = Callable[[argparse.ArgumentParser], None]
Commands: TypeAlias = Mapping[str, tuple[Run, Declare]]
"""What runs each command of a module, and what declares its arguments."""


def add_settings(command: argparse.ArgumentParser) -> None:
    """Let settings be given: `--set engine=optimal --set limits.workers=4`."""
    command.add_argument(
        "--set", action=_Set, default={}, metavar="NAME=VALUE", help="use another value of a setting; may be repeated"
    )


def add_catalog(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("catalog", metavar="CATALOG", help="the name of a demo catalog, or a file")


def add_goal(command: argparse.ArgumentParser) -> None:
    """Let a goal be given, and what is known already."""
    command.add_argument("--goal", nargs="+", metavar="FACT", default=[], help="facts to be known (or a goal's name)")
    command.add_argument("--known", nargs="*", metavar="FACT", default=[], help="facts that are known already")


def add_engine(command: argparse.ArgumentParser) -> None:
    from planning.engines import ENGINES

    command.add_argument("--engine", choices=list(ENGINES), help="which engine plans (default: the setting engine)")


def add_bounds(command: argparse.ArgumentParser, default: WalkBounds | None = None) -> None:
    states, seconds = (default.states, default.seconds) if default else (None, None)
    command.add_argument("--states", type=_bound, metavar="N", default=states, help="states at most; 0 for no bound")
    command.add_argument("--seconds", type=_bound, metavar="S", default=seconds, help="seconds at most; 0 for no bound")


def _bound(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def add_json(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("--json", action="store_true", help=f"print {what}")


def add_today(command: argparse.ArgumentParser, meaning: str) -> None:
    """Let a day be given that counts as today."""
    command.add_argument("--today", type=_day, default=None, metavar="DATE", help=f"the day {meaning} (ISO)")


def beginning_with(wanted: str, ids: Iterable[str], what: str, listed_by: str) -> str:
    """Return the one id that begins with what was given. Raises LookupError, which names the command listing them."""
    found = [one for one in ids if one.startswith(wanted)]
    if len(found) != 1:
        if wanted:
            said = f"{f'Several {what}s begin' if found else f'No {what} begins'} with {wanted!r:.60}"
        else:
            said = f"There is {'more than one' if found else 'no'} {what}"
        raise LookupError(f"{said}: `{listed_by}` lists them.")
    return found[0]


class _Set(argparse.Action):
    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        name, equals, value = str(values).partition("=")
        if not equals:
            parser.error(f"--set takes NAME=VALUE, such as engine=native; found {values!r:.60}")
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), name.strip(): value})


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-03-31") from error
