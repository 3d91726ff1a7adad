"""`planglass doubts`: calls that may have taken effect, of conversations and tasks, and settling them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import closing

from dialogue.caller import Returned, Untold
from dialogue.cli.arguments import Commands, add_json, add_settings, beginning_with
from dialogue.cli.streams import SHORT, shown_time
from dialogue.services import Services, make_services
from dialogue.services.doubts import CallInDoubt, ask_again, list_doubts, settle, settle_in_task
from language.responses.calls import at_item_of, still_in_doubt
from planning.task.names import name_meant


def run_doubts(options: argparse.Namespace) -> int:
    """List the calls in doubt of all conversations and tasks, or settle one by what a person has found out."""
    with closing(make_services(chosen=options.set)) as services:
        doubts = list_doubts(services)
        if options.call is not None:
            print(_settle_doubt(services, doubts, options))
            return 0
        for one in doubts:
            kind, where = "task" if one.request else "session", one.stream.id
            ends = {name: list(facts) for name, facts in one.outcomes.items()}
            if options.json:
                told = {kind: where, "call": one.call_id, "skill": one.skill, "mode": one.mode}
                at = {"item": one.item, "items": one.items} if one.item else {}
                print(json.dumps({**told, **at, "at": one.at.isoformat(), "outcomes": ends}, ensure_ascii=False))
            else:
                how = "; ".join(f"{name} ({', '.join(facts)})" if facts else name for name, facts in ends.items())
                what = f"{one.label}{at_item_of(one.item, one.items)}{' (of a task)' if one.request else ''}"
                print(f"{where[:SHORT]}  {one.call_id}  {shown_time(one.at)}  {what}; may have ended as: {how}")
        if not doubts and not options.json:
            print("No call is in doubt.")
    return 0


def _settle_doubt(services: Services, doubts: Sequence[CallInDoubt], options: argparse.Namespace) -> str:
    """Settle a call as the options say, or have its skill asked; return what is told of that."""
    said = [options.outcome is not None, options.no_effect, options.cannot_tell, options.ask_again]
    if said.count(True) != 1:
        raise ValueError(
            "Say either how the call ended (--outcome NAME), that it took no effect (--no-effect), or that it cannot "
            "be told (--cannot-tell), or have its skill asked once more (--ask-again)."
        )
    where = {one.stream.id: one for one in doubts if one.call_id == options.call}
    wanted = options.session or ""
    what = f"conversation or task with a call {options.call} in doubt"
    found = beginning_with(wanted, where, what, "planglass doubts")
    doubt = where[found]
    if options.cannot_tell:
        if doubt.request:
            services.tasks.say_unavailable(found, doubt.request)
        return "It stays in doubt, and is not made again."
    if options.ask_again:
        if doubt.request:
            raise ValueError("The skill is asked when the task goes on: planglass task --resume " + found)
        told = ask_again(services, found, options.call)
        if told is None or isinstance(told, Untold):
            raise ValueError(still_in_doubt(doubt.label, told.why if told else None))
        return f"Settled: {told.result.outcome}." if isinstance(told, Returned) else "Settled: it took no effect."
    catalog = (services.tasks.view(found) if doubt.request else services.snapshot(found)).catalog
    values = {name_meant(catalog, fact): value for fact, value in options.value}
    if doubt.request:
        settle_in_task(services, doubt, options.outcome, values)
    else:
        settle(services, found, options.call, outcome=options.outcome, reason=options.reason, values=values)
    return "Settled."


def _pair(text: str) -> tuple[str, str]:
    fact, equals, value = text.partition("=")
    if not equals or not fact.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not FACT=VALUE")
    return fact.strip(), value


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("call", metavar="CALL", nargs="?", help="settle this call, such as call-12")
    command.add_argument("--session", metavar="ID", help="of this conversation or task (the first letters of its id)")
    command.add_argument("--outcome", metavar="NAME", help="it took effect, and ended so")
    command.add_argument("--no-effect", action="store_true", help="it took no effect, and may be made again")
    command.add_argument("--cannot-tell", action="store_true", help="it cannot be found out: it stays in doubt")
    command.add_argument("--ask-again", action="store_true", help="have the skill's own lookup asked once more")
    command.add_argument(
        "--value", metavar="FACT=VALUE", action="append", default=[], type=_pair, help="a value that it gave"
    )
    command.add_argument("--reason", metavar="TEXT", default="", help="how that is known; kept with the conversation")
    add_json(command, "one JSON object a call")


COMMANDS: Commands = {"doubts": (run_doubts, _declare)}
