"""`planglass`: the command line over the same services as the dashboard.

Exit codes: 0 done (or solved), 2 bad input, 3 proved unsolvable (or a catalog with errors), 4 the planner gave up.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from catalog.problems import CatalogError
from dialogue.cli import COMMANDS
from planning.task.errors import PlanningError

BAD_INPUT = 2


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
    for add_commands in COMMANDS:
        add_commands(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
