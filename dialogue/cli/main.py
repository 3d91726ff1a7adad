"""`planglass`: the command line over the same services as the dashboard.

Exit codes: 0 done (or solved), 2 bad input, 3 proved unsolvable (or a catalog with errors), 4 the planner gave up.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date
from math import inf, nan
from pathlib import Path

from catalog.model.settings import Metric
from catalog.problems import CatalogError
from dialogue.cli import app
from dialogue.cli import catalogs as modeling
from dialogue.cli import conversation as talking
from dialogue.cli import explore as exploring
from dialogue.cli import settings as setting
from language.understanding import UNDERSTANDERS
from planning.engines import ENGINES
from planning.task.errors import PlanningError

BAD_INPUT = 2
MOST_WAYS = 1_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Bad input gets a clear message on the error stream, and nothing else."""
    parser = build_parser()
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except BrokenPipeError:
        sys.stdout = None  # whoever was reading has had enough; there is nobody left to flush to
        return 0
    except CatalogError as error:
        print(error, file=sys.stderr)
    except (PlanningError, LookupError, OSError, ValueError) as error:
        text = error.args[0] if isinstance(error, LookupError) and error.args else error
        print(f"planglass: {text}", file=sys.stderr)
    except KeyboardInterrupt:
        print("planglass: stopped", file=sys.stderr)
    return BAD_INPUT


def build_parser() -> argparse.ArgumentParser:
    """Build the parser with all commands."""
    parser = argparse.ArgumentParser(
        prog="planglass", description="See what a planner-composed assistant does, and why."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("app", help="start the dashboard")
    command.add_argument("--port", type=int, default=None, help="port on loopback (default: 8501)")
    setting.add_argument(command)
    command.set_defaults(run=app.run_app)

    command = commands.add_parser("settings", help="show every setting, and where its value came from")
    command.add_argument("--json", action="store_true", help="print them as JSON")
    setting.add_argument(command)
    command.set_defaults(run=setting.run_settings)

    command = _with_catalog(commands, "check", "check a catalog", modeling.run_check)
    command.add_argument("--json", action="store_true", help="print the problems as JSON")
    command.add_argument(
        "--suggest-mappings", action="store_true", help="list facts that may be the same under two names"
    )

    command = _with_catalog(commands, "plan", "make a plan, or many", modeling.run_plan)
    _with_request(command)
    command.add_argument("--engine", choices=list(ENGINES), help="which engine plans (default: the setting engine)")
    command.add_argument(
        "--minimize", choices=[metric.value for metric in Metric], help="what to make the plan cheap in"
    )
    command.add_argument("--budget", type=_budget, metavar="MONEY", help="money that the plan may take at most")
    command.add_argument("--k", type=_count, metavar="K", help="list the K cheapest different ways instead of one plan")
    command.add_argument("--requests", metavar="FILE", help="one request a line as JSON; - for standard input")
    command.add_argument("--json", action="store_true", help="print the result as JSON")

    command = commands.add_parser("engines", help="list the planning engines, and what one lacks that is not ready")
    command.add_argument("--json", action="store_true", help="print them as JSON")
    command.set_defaults(run=setting.run_engines)

    command = _with_catalog(commands, "pddl", "write the planning task as PDDL", modeling.run_pddl)
    _with_request(command)
    command.add_argument("--out", type=Path, metavar="DIR", help="write domain.pddl and problem.pddl there")

    command = _with_catalog(commands, "landmarks", "list the fact landmarks of a goal", modeling.run_landmarks)
    _with_request(command)
    command.add_argument("--json", action="store_true", help="print them as JSON")

    command = _with_catalog(commands, "explore", "walk everything that can happen", exploring.run_explore)
    _with_task(command)
    exploring.add_arguments(command)

    command = _with_catalog(commands, "understand", "show what is made of an utterance", talking.run_understand)
    command.add_argument("text", metavar="TEXT", help="the utterance; - reads one a line from standard input")
    command.add_argument(
        "--understander", choices=sorted(UNDERSTANDERS), help="what reads it (default: the setting understander)"
    )
    command.add_argument("--today", type=_day, default=None, metavar="DATE", help="the day to count from (ISO)")
    command.add_argument("--json", action="store_true", help="print it as JSON")

    command = _with_catalog(commands, "chat", "talk to the assistant, one utterance a line", talking.run_chat)
    command.add_argument("--today", type=_day, default=None, metavar="DATE", help="the day to count from (ISO)")
    command.add_argument("--json", action="store_true", help="print one JSON object a turn")
    return parser


def _with_catalog(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=summary)
    command.add_argument("catalog", metavar="CATALOG", help="the name of a demo catalog, or a file")
    setting.add_argument(command)
    command.set_defaults(run=run)
    return command


def _with_task(command: argparse.ArgumentParser) -> None:
    command.add_argument("--goal", nargs="+", metavar="FACT", default=[], help="facts to be known (or a goal's name)")
    command.add_argument("--known", nargs="*", metavar="FACT", default=[], help="facts that are known already")


def _with_request(command: argparse.ArgumentParser) -> None:
    _with_task(command)
    command.add_argument(
        "--cannot-ask", nargs="*", metavar="FACT", default=[], help="facts that the user cannot be asked for"
    )


def _budget(text: str) -> float:
    try:
        money = float(text)
    except ValueError:
        money = nan
    if not 0 <= money < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount such as 2.50")
    return money


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= MOST_WAYS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_WAYS}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-03-31") from error


if __name__ == "__main__":
    sys.exit(main())
