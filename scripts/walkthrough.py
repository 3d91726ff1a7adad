"""Carry out the guides in docs/ step by step, and write what each command prints into them.

A block of `yaml FILE` adds to that catalog or norm file, one of `python FILE` to that module, and one of `json FILE` is
that file; a block of `console` holds commands
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

from catalog.load.yaml_reader import read_yaml
from catalog.norms.load import FORM
from dialogue.cli.main import main as planglass

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (ROOT / "docs" / "catalog.md", ROOT / "docs" / "norms.md")
TODAY = "2026-11-02"
PACKAGES = ("library", "bakery")
_TIMING = re.compile(r"in \d+\.\d s")
_BLOCK = re.compile(r"^```(yaml|python|json|console)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def carry_out(document: str, folder: Path) -> str:
    """Do everything that the document says, in an empty folder; return it with what is printed now."""

    def run(block: re.Match[str]) -> str:
        language, file, text = block.groups()
        if language == "console":
            return f"```console\n{''.join(_run_all(text))}```"
        if file is not None:
            _ADD[language](folder / file, text)
        return block[0]

    with _at_home_in(folder):
        return _BLOCK.sub(run, document)


@contextlib.contextmanager
def _at_home_in(folder: Path) -> Iterator[None]:
    """Let commands run in a folder, with skills and data of its own."""
    settings = {"PLANGLASS_HOME": str(folder / "home"), "PLANGLASS_SKILLS": ",".join(PACKAGES), "COLUMNS": "100"}
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, settings),
        patch.object(sys, "path", [str(folder), *sys.path]),
    ):
        yield
    _forget_modules()


def _forget_modules() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in PACKAGES]:
        del sys.modules[name]


def _add_to_catalog(file: Path, text: str) -> None:
    if file.exists():
        text = yaml.safe_dump(merge(_read(file.read_text("utf-8")), _read(text)), sort_keys=False)
    file.write_text(text, encoding="utf-8")


def _read(text: str) -> Any:
    """Read YAML as Planglass does: `on` is a word."""
    return read_yaml(text, "a block", FORM).root


def merge(whole: Any, added: Any) -> Any:
    """Return what becomes of an entry when lines are added under it: keys join, all else is replaced."""
    if not (isinstance(whole, dict) and isinstance(added, dict)):
        return added
    return {**whole, **{key: merge(whole.get(key), value) for key, value in added.items()}}


def _add_to_module(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    (file.parent / "__init__.py").touch()
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    file.write_text(f"{before}\n\n{text}", encoding="utf-8")
    _forget_modules()


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


_ADD = {"yaml": _add_to_catalog, "python": _add_to_module, "json": _write}


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
    late = 0
    for file in DOCUMENTS:
        document = file.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            now = carry_out(document, Path(folder))
        if now == document:
            continue
        if "--check" in arguments:
            print(f"Out of date: docs/{file.name}. Run `make tables`.", file=sys.stderr)
            late = 1
        else:
            file.write_text(now, encoding="utf-8")
            print(f"wrote docs/{file.name}")
    return late


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
