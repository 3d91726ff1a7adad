"""`planglass`: the command line over the same services as the dashboard.

Exit codes: 0 done (or solved), 2 bad input, 3 proved unsolvable (or a catalog with errors, or an export
that is wrong), 4 the planner gave up.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any, NamedTuple

_OUT, _ERR = 1, 2
_OURS = frozenset({"catalog", "planning", "explain", "language", "dialogue", "pages", *sys.stdlib_module_names})
"""Packages whose words are the output of a command; `argparse` writes what it was told to."""


class _OwnOutput(io.TextIOWrapper):
    """The output of a command: what a library prints by Python goes to the error stream."""

    def write(self, text: str, /) -> int:
        printing = str(sys._getframe(1).f_globals.get("__name__", "")).partition(".")[0]
        return super().write(text) if printing in _OURS else sys.stderr.write(text)


@contextmanager
def own_output() -> Iterator[None]:
    """Keep what libraries print out of the standard output of this process, also where native code writes it.

    Descriptor 1 leads to the error stream meanwhile, and the command writes to a copy of what it led to. A terminal is
    left as it is: both streams lead there, and typing a line needs it.
    """
    before = sys.stdout
    if before is not sys.__stdout__ or before is None or before.fileno() != _OUT or before.isatty():
        yield
        return
    before.flush()
    kept = os.dup(_OUT)
    sys.stdout = own = _OwnOutput(os.fdopen(kept, "wb"), before.encoding, before.errors)
    os.dup2(_ERR, _OUT)
    try:
        yield
        own.flush()
    except BrokenPipeError:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), kept)  # the reader has gone: what is still to be written is dropped
        raise
    finally:
        sys.stdout = before
        ctypes.CDLL(None).fflush(None)  # what native code has not written yet
        own.flush()
        os.dup2(kept, _OUT)
        own.close()


BAD_INPUT = 2


class CommandRow(NamedTuple):
    name: str
    summary: str
    module: str
    """The module of `dialogue.cli` whose `COMMANDS` says what it does and takes; it is imported when it is used."""


TABLE = (
    CommandRow("app", "start the dashboard", "app"),
    CommandRow("settings", "show every setting, and where its value came from", "settings"),
    CommandRow("engines", "list the planning engines, and what one lacks that is not ready", "engines"),
    CommandRow("check", "check a catalog", "check"),
    CommandRow("plan", "make a plan, or many", "plans"),
    CommandRow("why-not", "tell what a plan with something else, or without it, would be like", "plans"),
    CommandRow("pddl", "write the planning task as PDDL", "plans"),
    CommandRow("landmarks", "list the fact landmarks of a goal", "plans"),
    CommandRow("explore", "explore everything that can happen", "explore"),
    CommandRow("understand", "show what is made of an utterance", "understand"),
    CommandRow("sessions", "list the conversations on this machine", "streams"),
    CommandRow("verify", "check an exported conversation, and that its claims follow", "verify"),
    CommandRow("doubts", "list calls that may have taken effect, and settle them", "doubts"),
    CommandRow("chat", "talk to the assistant, one utterance a line", "chat"),
    CommandRow("orchestrators", "list what chooses who acts, and switch to another", "agents"),
    CommandRow("explain", "answer a question about a conversation", "agents"),
    CommandRow("fork", "play a conversation again with something changed, and touch nothing", "forks"),
    CommandRow("forks", "list the forks that are kept; open, rename or delete them", "forks"),
    CommandRow("what-it-takes", "find the smallest changes that alter the outcome of a conversation", "forks"),
    CommandRow("replay", "decide recorded conversations anew, and name what comes out otherwise", "forks"),
    CommandRow("letter", "write a letter about a decision: on which data, what weighed, what would change it", "forks"),
    CommandRow(
        "forecast", "say how many more questions a conversation takes, and how likely it reaches its goal", "explore"
    ),
    CommandRow("govern", "judge messages by norms, without a room", "norms"),
    CommandRow("check-norms", "walk all that can be said under norms", "norms"),
    CommandRow("room", "talk in a room with people and bots, under norms", "room"),
    CommandRow("task", "plan a task in stages, carry it out and check the result", "tasks"),
    CommandRow("shell", "your own shell, with agents that answer before and after a command", "shell"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Bad input gets a clear message on the error stream, and nothing else."""
    if arguments is None:  # a program of its own
        gc.disable()  # until its modules are there: to look through them takes a sixth of the time to load them
    options = _build_parser().parse_args(arguments)
    try:
        with nullcontext() if getattr(options, "takes_over", False) else own_output():
            return _run(options)
    except BrokenPipeError:
        sys.stdout = None  # the reader has gone: there is nothing left to flush to
        return 0


def _run(options: argparse.Namespace) -> int:
    try:
        code: int = options.run(options)
        return code
    except BrokenPipeError:
        raise
    except (LookupError, OSError, ValueError) as error:
        from catalog.problems import CatalogError  # not imported where nothing is wrong

        text = error.args[0] if isinstance(error, LookupError) and error.args else error
        print(error if isinstance(error, CatalogError) else f"planglass: {text}", file=sys.stderr)
    except KeyboardInterrupt:
        print("planglass: stopped", file=sys.stderr)
    return BAD_INPUT


class _Used(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Reads a command once its module has declared what it takes."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option: str | None = None,
    ) -> None:
        name = (values or ("",))[0]
        module = next(command.module for command in TABLE if command.name == name)
        run, declare = import_module(f"dialogue.cli.{module}").COMMANDS[name]
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        declare(self.choices[name])
        self.choices[name].set_defaults(run=run)
        super().__call__(parser, namespace, values, option)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="planglass", description="See what a planner-composed assistant does, and why."
    )
    commands = parser.add_subparsers(action=_Used, required=True, metavar="COMMAND")
    for command in TABLE:
        commands.add_parser(command.name, help=command.summary)
    return parser


if __name__ == "__main__":
    sys.exit(main())
