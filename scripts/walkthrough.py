"""Carry out docs/catalog.md step by step, and write what each command prints into it.

A block of `yaml FILE` adds to that catalog and one of `python FILE` to that module; a block of `console` holds commands
with what they print. In a conversation, what somebody says stands at the margin and the replies are indented.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

from dialogue.cli.main import main as planglass

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "catalog.md"
TODAY = "2026-11-02"
PACKAGE = "library"
_TIMING = re.compile(r"in \d+\.\d s")
_BLOCK = re.compile(r"^```(yaml|python|console)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def carry_out(document: str, folder: Path) -> str:
    """Do everything that the document says, in an empty folder; return it with what is printed now."""

    def run(block: re.Match[str]) -> str:
        language, file, text = block.groups()
        if language == "console":
            return f"```console\n{''.join(_run_all(text))}```"
        if file is not None:
            add = _add_to_catalog if language == "yaml" else _add_to_module
            add(folder / file, text)
        return block[0]

    with _at_home_in(folder):
        return _BLOCK.sub(run, document)


@contextlib.contextmanager
def _at_home_in(folder: Path) -> Iterator[None]:
    """Let commands run in a folder, with skills and data of its own."""
    settings = {"PLANGLASS_HOME": str(folder / "home"), "PLANGLASS_SKILLS": PACKAGE, "COLUMNS": "100"}
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, settings),
        patch.object(sys, "path", [str(folder), *sys.path]),
    ):
        yield
    _forget_modules()


def _forget_modules() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def _add_to_catalog(file: Path, text: str) -> None:
    if file.exists():
        text = yaml.safe_dump(_merge(yaml.safe_load(file.read_text("utf-8")), yaml.safe_load(text)), sort_keys=False)
    file.write_text(text, encoding="utf-8")


def _merge(whole: Any, added: Any) -> Any:
    """Return what becomes of an entry when lines are added under it: keys join, all else is replaced."""
    if not (isinstance(whole, dict) and isinstance(added, dict)):
        return added
    return {**whole, **{key: _merge(whole.get(key), value) for key, value in added.items()}}


def _add_to_module(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    (file.parent / "__init__.py").touch()
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    file.write_text(f"{before}\n\n{text}", encoding="utf-8")
    _forget_modules()


def _run_all(text: str) -> Iterator[str]:
    """Yield each command of a block, with what it prints."""
    for command in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
        if not command:
            continue
        first, *rest = command.splitlines()
        program, *arguments = shlex.split(first.removeprefix("$ "))
        said = [line for line in rest if line and not line.startswith(" ")] if arguments[0] == "chat" else []
        extra = ["--today", TODAY] if arguments[0] == "chat" else []
        yield f"{first}\n{_run([*arguments, *extra], said) if program == 'planglass' else ''}"


def _run(arguments: list[str], said: Iterable[str]) -> str:
    """Return what a command prints, what is typed included, as a terminal shows both."""
    printed = io.StringIO()

    def typed() -> Iterator[str]:
        for line in said:
            printed.write(f"{line}\n")
            yield f"{line}\n"

    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), patch.object(sys, "stdin", typed()):
        planglass(arguments)
    return _TIMING.sub("in 0.1 s", printed.getvalue())


def main(arguments: list[str]) -> int:
    """Write what the commands print, or with `--check` say whether they print what stands there."""
    document = DOCUMENT.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        now = carry_out(document, Path(folder))
    if now == document:
        return 0
    if "--check" in arguments:
        print("Out of date: docs/catalog.md. Run `make tables`.", file=sys.stderr)
        return 1
    DOCUMENT.write_text(now, encoding="utf-8")
    print("wrote docs/catalog.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
