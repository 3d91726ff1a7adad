"""`planglass fork`, `forks`, `what-it-takes`, `replay` and `letter`: what-if questions about recorded conversations."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing, suppress
from pathlib import Path

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values.base import HIDDEN
from catalog.wording.grammar import capitalize, count
from dialogue.cli.arguments import Commands, add_json, add_settings, add_today
from dialogue.cli.streams import CONVERSATIONS, SHORT, StreamCommands, delete, find, print_list
from dialogue.forks.changes import BadChange, Change, ConsentAnswer, SupposedOutcome, Withhold, say_as_read, say_changes
from dialogue.forks.kept import KeptFork
from dialogue.forks.words import tell_fork, tell_replay, tell_what_it_takes
from dialogue.services import Services, make_services
from dialogue.services.forks import WhatIf
from dialogue.services.letters import write_letter
from dialogue.state.conversation import Conversation, project
from dialogue.state.masking import mask, secrets_of
from dialogue.state.provenance import hides
from language.responses.events import UNREADABLE
from planning.task.names import fact_name

EXIT_DIFFERS = 3


def run_fork(options: argparse.Namespace) -> int:
    """Play a conversation again with changes; exit with 4 where the fork stops at something that is not known."""
    with closing(make_services(chosen=options.set, today=options.today)) as services:
        session = find(CONVERSATIONS, services, options.session)
        seen = services.snapshot(session)
        catalog = seen.catalog
        changes = _changes(services, catalog, options)
        found = services.forks.what_if(session, changes, options.goal, options.at)
        _print(catalog, found, seen.conversation, as_json=options.json)
        if options.keep is not None:
            kept = services.forks.keep(session, options.keep, changes, options.goal, options.at)
            print(f"Kept as {kept[:SHORT]}: `planglass forks` lists it.", file=sys.stderr)
        return 4 if found.run.stopped is not None else 0


def _print(catalog: Catalog, found: WhatIf, recorded: Conversation, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_fork_json(catalog, found, recorded), ensure_ascii=False))
    else:
        print("\n".join(tell_fork(catalog, found.run, found.difference)))


def _describe(services: Services, one: KeptFork) -> tuple[dict[str, JsonValue], str]:
    name = UNREADABLE if one.damage else ""
    supposed = one.damage or "its catalog is gone, or declares no more what it supposes"
    with suppress(LookupError, ArithmeticError, ValueError):
        seen = services.snapshot(one.kept.conversation)
        name = mask(one.name, secrets_of(seen.catalog, seen.log)) or name
        supposed = one.damage or capitalize(say_changes(seen.catalog, one.changes(seen.catalog)))
    fields: dict[str, JsonValue] = {"fork": one.fork_id, "name": name, "session": one.kept.conversation}
    return {**fields, "supposed": supposed}, f"{name}  ({one.kept.conversation[:SHORT] or 'unknown'}: {supposed})"


FORKS = StreamCommands(
    "fork",
    "planglass forks",
    lambda services: services.forks.kept.of(),
    lambda one: one.fork_id,
    _describe,
    lambda services, fork_id: _describe(services, services.forks.kept.find(fork_id))[0],
    lambda services, fork_id: services.forks.kept.delete(fork_id),
    "No fork is kept. `planglass fork SESSION … --keep NAME` keeps one.",
)


def run_forks(options: argparse.Namespace) -> int:
    """List the kept forks; or open one by playing it again, rename or delete it."""
    with closing(make_services(chosen=options.set)) as services:
        if options.delete:
            delete(FORKS, services, options.delete)
        elif options.rename:
            wanted, name = options.rename
            services.forks.kept.rename(find(FORKS, services, wanted), name)
        elif options.open:
            for one in [services.forks.kept.find(find(FORKS, services, wanted)) for wanted in options.open]:
                seen = services.snapshot(one.kept.conversation)
                if not options.json:
                    print(f"{_describe(services, one)[0]['name']}:")
                then = project(seen.log[: one.kept.entries])
                _print(seen.catalog, services.forks.open(one), then, as_json=options.json)
        else:
            print_list(FORKS, services, as_json=options.json)
    return 0


def run_what_it_takes(options: argparse.Namespace) -> int:
    """Print the smallest changes that alter an outcome; exit with 3 if nothing helps, and 4 if that is not known."""
    with closing(make_services(chosen=options.set, today=options.today)) as services:
        session = find(CONVERSATIONS, services, options.session)
        catalog = services.snapshot(session).catalog
        found = services.forks.what_it_takes(
            session, _changes(services, catalog, options), options.outcome, options.goal
        )
        if options.json:
            repairs: list[JsonValue] = [
                {"changes": _changes_json(catalog, one.changes), "outcome": one.outcome} for one in found.repairs
            ]
            unknown: list[JsonValue] = [_changes_json(catalog, choice) for choice, _ in found.open]
            told = {"outcome": found.decision.outcome, "repairs": repairs, "not_known": unknown}
            print(json.dumps({**told, "nothing_helps": found.nothing_helps}, ensure_ascii=False))
        else:
            print("\n".join(tell_what_it_takes(catalog, found)))
        return 0 if found.repairs else 3 if found.nothing_helps else 4


def run_replay(options: argparse.Namespace) -> int:
    """Decide conversations anew; exit with 3 where one comes out otherwise (with --verify, at its first entry)."""
    with closing(make_services(chosen=options.set, today=options.today)) as services:
        sessions = [find(CONVERSATIONS, services, one) for one in options.sessions]
        sessions = sessions or [row.session_id for row in services.sessions() if row.readable]
        elsewhere = differ = 0
        for session in sessions:
            try:
                found = services.forks.replay(session)
            except BadChange as error:
                print(f"{session[:SHORT]}  {error}")
                differ, elsewhere = differ + 1, elsewhere + 1
                continue
            differ += found.differs is not None
            elsewhere += found.ends_elsewhere
            if options.json:
                told = {"session": session, "entries": found.entries, "differs": found.differs}
                print(json.dumps({**told, "ends_elsewhere": found.ends_elsewhere}, ensure_ascii=False))
            else:
                print(f"{session[:SHORT]}  {tell_replay(found)}")
        if not options.json:
            print(f"{count(len(sessions), 'conversation')}: {differ} differ, {elsewhere} end elsewhere.")
        return EXIT_DIFFERS if (differ if options.verify else elsewhere) else 0


def run_letter(options: argparse.Namespace) -> int:
    """Write the letter about a decision to a file, or print it."""
    with closing(make_services(chosen=options.set)) as services:
        letter = write_letter(services, find(CONVERSATIONS, services, options.session), options.goal)
    if options.out is None:
        print(letter, end="")
    else:
        options.out.write_text(letter, encoding="utf-8")
        print(f"Written to {options.out}.")
    return 0


def _changes(services: Services, catalog: Catalog, options: argparse.Namespace) -> tuple[Change, ...]:
    changes: list[Change] = []
    for name, said in options.say:
        fact = fact_name(catalog, name)
        changes.append(say_as_read(catalog, fact, services.language.read_answer, said, services.today))
    changes += map(Withhold, options.without)
    changes += [ConsentAnswer(name, given=_yes(word)) for name, word in options.consent]
    changes += [SupposedOutcome(name, outcome) for name, outcome in options.suppose]
    return tuple(changes)


def _yes(word: str) -> bool:
    if word.casefold() not in ("yes", "no"):
        raise ValueError(f"{word!r:.40} is neither yes nor no.")
    return word.casefold() == "yes"


def _changes_json(catalog: Catalog, changes: tuple[Change, ...]) -> list[JsonValue]:
    return [say_changes(catalog, (one,)) for one in changes]


def _fork_json(catalog: Catalog, fork: WhatIf, recorded_state: Conversation) -> dict[str, JsonValue]:
    """Return what a fork came to, as JSON; values that are sensitive are masked."""
    run, found = fork.run, fork.difference
    ends = recorded_state, run.conversation
    hidden = {fact for end in ends for fact, known in end.facts.known.items() if hides(catalog, end, known)}
    facts = (
        one._replace(was=None if one.was is None else HIDDEN, now=None if one.now is None else HIDDEN)
        if one.fact in hidden or catalog.is_sensitive(one.fact)
        else one
        for one in found.facts
    )
    steps = ({**one.step._asdict(), **one._asdict(), "step": one.step.subject} for one in found.steps)
    recorded, forked = found.recorded.decision, found.forked.decision
    return {
        "fork": True,
        "at": run.at,
        "supposed": _changes_json(catalog, run.changes),
        "status": found.forked.status,
        "outcome": forked.outcome if forked else None,
        "recorded_outcome": recorded.outcome if recorded else None,
        "stopped": list(run.stopped.what) if run.stopped else None,
        "steps": list(steps),
        "facts": [one._asdict() for one in facts],
        "distrusted": list(run.distrusted),
    }


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def _declare_goal(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("session", metavar="SESSION", help="the first letters of the id of a conversation")
    command.add_argument("--goal", type=int, metavar="N", help="the request that it is about, by its number (the last)")


def _declare_letter(command: argparse.ArgumentParser) -> None:
    _declare_goal(command)
    command.add_argument("--out", type=Path, metavar="FILE", help="write it there, as HTML (it is printed)")


def _declare_changes(command: argparse.ArgumentParser) -> None:
    _declare_goal(command)
    for option, metavar, what in (
        ("--say", "FACT=VALUE", "the person says this value"),
        ("--consent", "SKILL=yes|no", "the person answers the question for consent, or for a go-ahead, so"),
        ("--suppose", "SKILL=OUTCOME", "the skill returns this outcome"),
    ):
        command.add_argument(option, metavar=metavar, action="append", default=[], type=_pair, help=what)
    command.add_argument(
        "--without", metavar="FACT", action="append", default=[], help="the person does not say this fact"
    )
    add_today(command, "that counts as today")


def _declare_fork(command: argparse.ArgumentParser) -> None:
    _declare_changes(command)
    command.add_argument("--at", type=int, metavar="N", help="leave the record after this entry")
    command.add_argument("--keep", metavar="NAME", help="keep the fork under a name")
    add_json(command, "one JSON object")


def _declare_forks(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    what = command.add_mutually_exclusive_group()
    what.add_argument("--open", metavar="FORK", nargs="+", help="play forks again, one below the other")
    what.add_argument("--rename", metavar=("FORK", "NAME"), nargs=2, help="give a fork another name")
    what.add_argument("--delete", metavar="FORK", help="delete a fork")
    add_json(command, "one JSON object a fork")


def _declare_what_it_takes(command: argparse.ArgumentParser) -> None:
    _declare_changes(command)
    command.add_argument(
        "--outcome", metavar="NAME", action="append", default=[], help="the outcome wanted (any that is not adverse)"
    )
    add_json(command, "one JSON object")


def _declare_replay(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("sessions", metavar="SESSION", nargs="*", help="conversations (all that are kept)")
    command.add_argument("--verify", action="store_true", help="exit with 3 at any entry that differs")
    add_today(command, "that counts as today")
    add_json(command, "one JSON object a conversation")


COMMANDS: Commands = {
    "fork": (run_fork, _declare_fork),
    "forks": (run_forks, _declare_forks),
    "what-it-takes": (run_what_it_takes, _declare_what_it_takes),
    "replay": (run_replay, _declare_replay),
    "letter": (run_letter, _declare_letter),
}
