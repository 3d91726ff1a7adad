"""`planglass`: the command line over the same services as the dashboard.

Exit codes: 0 done (or solved), 2 bad input, 3 proved unsolvable (or a catalog with errors), 4 the planner gave up.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial

from catalog.problems import CatalogError
from dialogue.cli import COMMANDS
from dialogue.cli.app_socket.client import connect, opening, run_there
from dialogue.cli.terminal import OwnTerminal, Terminal, own_output
from dialogue.log.stores.one_app import socket_of
from dialogue.services.settings.sources import read_settings
from planning.task.errors import PlanningError

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Bad input gets a clear message on the error stream, and nothing else."""
    said = sys.argv[1:] if arguments is None else arguments
    options = build_parser().parse_args(said)
    here = OwnTerminal()
    try:
        with nullcontext() if getattr(options, "takes_over", False) else own_output():
            return _tell_faults(partial(_run, options, said, here), here)
    except BrokenPipeError:
        sys.stdout = None  # whoever was reading has had enough; there is nobody left to flush to
        return 0


def _run(options: argparse.Namespace, said: Sequence[str], here: OwnTerminal) -> int:
    """Run a command: one that uses a store that a dashboard holds in that one's process, all others in this one."""
    if options.uses_services:
        configuration = read_settings(options.set)
        socket = socket_of(configuration.settings.store_url)
        if socket is not None and (dashboard := connect(socket)) is not None:
            return run_there(dashboard, opening(said, here, configuration), here)
    code: int = options.run(options, here)
    return code


def run_for(said: Sequence[str], terminal: Terminal) -> int:
    """Run a command that uses services for a terminal elsewhere; return its exit code."""
    try:
        options = build_parser().parse_args(said)
    except SystemExit:  # whoever gave it has read it before
        options = argparse.Namespace(uses_services=False)
    if not options.uses_services:
        print("planglass: This is no command for a dashboard.", file=terminal.err)
        return BAD_INPUT
    return _tell_faults(partial(options.run, options, terminal), terminal)


def _tell_faults(run: Callable[[], int], terminal: Terminal) -> int:
    """Run a command, and say what is wrong; who has left is told nothing."""
    try:
        return run()
    except BrokenPipeError:
        raise
    except CatalogError as error:
        print(error, file=terminal.err)
    except (PlanningError, LookupError, OSError, ValueError) as error:
        text = error.args[0] if isinstance(error, LookupError) and error.args else error
        print(f"planglass: {text}", file=terminal.err)
    except KeyboardInterrupt:
        print("planglass: stopped", file=terminal.err)
    return BAD_INPUT


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="planglass", description="See what a planner-composed assistant does, and why."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add_commands in COMMANDS:
        add_commands(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
