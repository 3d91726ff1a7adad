"""`planglass check`: what is wrong with a catalog, or could be."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from datetime import date
from time import process_time

from pydantic import JsonValue

from catalog.analysis.mapping_suggestions import MappingSuggestion, suggest_mappings
from catalog.checks.check import check
from catalog.load import Loaded, load
from catalog.problems import CatalogError, Problem
from catalog.values.base import listed
from dialogue.cli.arguments import Commands, add_catalog, add_json
from dialogue.settings import Settings
from dialogue.settings.sources import read_settings

HAS_ERRORS = 2
_MASKED = (
    "Masked where they were made from something sensitive: {facts}. Write `public: true` where people are to see such "
    "a value, `public: false` where this is meant."
)


def run_check(options: argparse.Namespace) -> int:
    """Print what is wrong with a catalog, or could be; exit with 2 if anything is an error."""
    suggestions: tuple[MappingSuggestion, ...] = ()
    derived: tuple[str, ...] = ()
    note = ""
    try:
        settings = read_settings(options.set).settings
        loaded = load(options.catalog, settings.catalog_limits)
        problems, note = _check_all(loaded, settings, tries=options.tries, imports=options.imports)
        derived = loaded.catalog.masked_if_derived
        if options.suggest_mappings:
            suggestions = suggest_mappings(loaded.catalog)
    except CatalogError as error:
        problems = error.problems
    errors = [problem for problem in problems if problem.severity == "error"]
    if options.json:
        found: list[JsonValue] = [dict(problem.as_json()) for problem in problems]
        written: dict[str, JsonValue] = {"ok": not errors, "problems": found}
        if note:
            written["note"] = note
        if derived:
            written["masked_if_derived"] = list(derived)
        if options.suggest_mappings:
            written["suggestions"] = [
                {"fact": one.fact, "stands_for": one.stands_for, "score": one.score, "reason": one.reason}
                for one in suggestions
            ]
        print(json.dumps(written, ensure_ascii=False))
    else:
        for problem in problems:
            print(problem.render())
        print(f"{options.catalog}: {len(errors)} errors, {len(problems) - len(errors)} warnings")
        if note:
            print(note)
        if derived:
            print(_MASKED.format(facts=listed(map(repr, derived))))
        if options.suggest_mappings:
            print(_list_suggestions(suggestions))
    return HAS_ERRORS if errors else 0


def _check_all(loaded: Loaded, settings: Settings, *, tries: bool, imports: bool) -> tuple[tuple[Problem, ...], str]:
    """Check a catalog, import what it names in other processes, and try its words; return how far that came, too."""
    problems, note = list(check(loaded, settings.allowed)), ""
    if imports:
        from dialogue.services.skill_calls import SkillCalls

        with closing(SkillCalls(lambda: settings, settings.allowed)) as calls:
            problems += calls.check_imports(loaded)
    if tries and (loaded.catalog.goals or loaded.catalog.facts):
        from dialogue.services.inspection import try_words  # what reads words takes longer to import than to check
        from language.understanding.pipeline import OfflineUnderstander

        trial = try_words(loaded, OfflineUnderstander(loaded.catalog), date.today(), spent=process_time)
        problems, note = [*problems, *trial.problems], trial.note
    return tuple(sorted(problems, key=lambda problem: problem.line or 0)), note


def _list_suggestions(suggestions: tuple[MappingSuggestion, ...]) -> str:
    """Write suggested mappings as YAML to be pasted, with what speaks for each; nothing is ever mapped by itself."""
    if not suggestions:
        return "No two facts look as if they were the same under two names."
    lines = ["# These may mean the same. Keep those that do, say why, and paste them into the catalog.", "mappings:"]
    for one in suggestions:
        lines += [f"  # {one.score:.2f}: {one.reason}", f"  {one.as_yaml()}"]
    return "\n".join(lines)


def _declare(command: argparse.ArgumentParser) -> None:
    add_catalog(command)
    add_json(command, "the problems as JSON")
    command.add_argument(
        "--suggest-mappings", action="store_true", help="list facts that may be the same under two names"
    )
    command.add_argument(
        "--no-try", dest="tries", action="store_false", help="do not say the examples and frames to the assistant"
    )
    command.add_argument(
        "--no-import", dest="imports", action="store_false", help="do not import the modules that skills name"
    )


COMMANDS: Commands = {"check": (run_check, _declare)}
