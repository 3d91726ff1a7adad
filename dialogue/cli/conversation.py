"""`planglass understand` and `planglass chat`: the assistant without the dashboard."""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from catalog.analysis.dependencies import what_leads_to
from catalog.load import load
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog, Goal
from catalog.wording.grammar import clean
from dialogue.caller import Returned, Untold
from dialogue.cli.arguments import (
    Commands,
    add_catalog_command,
    add_json,
    add_services_command,
    add_today,
    beginning_with,
)
from dialogue.cli.said import Place, hear
from dialogue.cli.terminal import RESULTS, Output, Terminal, save_new
from dialogue.log.events import ASSISTANT, Log, Replied
from dialogue.log.stores import DamagedStream
from dialogue.policy.together import Planner
from dialogue.services import Services, Snapshot
from dialogue.services.doubts import Doubt, TaskDoubt, ask_again, list_doubts, list_task_doubts, settle_in_task
from dialogue.services.doubts import settle as settle_call
from dialogue.services.settings import PER_CONVERSATION
from dialogue.services.settings.agent_choices import read_names
from dialogue.services.settings.sources import read_settings
from dialogue.services.tasks.in_chat import say_progress, settle
from dialogue.state.masking import mask, mask_entry, secrets_of, show_value
from dialogue.state.provenance import derived_in, hides
from dialogue.state.standing import goal_standing
from language.interpretation import Context, Entity, Intent, Interpretation
from language.languages import LANGUAGES
from language.llm.language_model import LanguageModel
from language.responses.calls import at_item_of, still_in_doubt
from language.responses.events import UNREADABLE
from language.understanding import UNDERSTANDERS
from planning.engines import ENGINES
from planning.model import Situation, Solved, StepKind
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task, want
from planning.task.names import name_meant


def understood_json(catalog: Catalog, meaning: Interpretation, planner: Planner) -> dict[str, JsonValue]:
    """Return an interpretation in the form of `understand --json`."""
    values = {mention.fact: mention.value for mention in meaning.values}
    goals: list[JsonValue] = []
    for mention in meaning.goals:
        args, missing = _arguments(catalog, mention, values, planner)
        goals.append({"goal": mention.goal, "args": args, "missing": missing})
    question = meaning.question
    return {
        "goals": goals,
        "values": dict(values),
        "question": None if question is None else question.model_dump(mode="json"),
        "control": None if meaning.control is None else meaning.control.value,
        "candidates": [mention.goal for mention in meaning.candidates],
        "error": " ".join(meaning.errors) or meaning.unclear,
    }


def understood_words(catalog: Catalog, meaning: Interpretation, planner: Planner) -> str:
    """Put a meaning into lines for people: each value with the words that it was read from, and by which rule."""
    lines = list(_lines(catalog, meaning, planner))
    return "\n".join(lines or ["Nothing in this catalog serves that."])


def _lines(catalog: Catalog, meaning: Interpretation, planner: Planner) -> Iterator[str]:
    yield from (f"error: {error}" for error in meaning.errors)
    values = {mention.fact: mention.value for mention in meaning.values}
    for index, mention in enumerate(meaning.goals):
        yield f"{index}. {mention.goal} ({mention.confidence:.0%} sure)"
        yield from (f"   {_said(catalog, value)}" for value in mention.values)
        for reference in mention.references:
            to = ", ".join(map(str, reference.to)) or "the last request"
            yield f"   {reference.fact} = the result of {to}, from “{reference.span.text}”"
        missing = _arguments(catalog, mention, values, planner)[1]
        if missing:
            yield f"   missing: {', '.join(map(str, missing))}"
    yield from (_said(catalog, value) for value in meaning.values)
    if meaning.question is not None:
        about = meaning.question.fact or meaning.question.named
        yield f"question: {meaning.question.kind.value}" + (f" {about}" if about else "")
    if meaning.control is not None:
        yield f"control: {meaning.control.value}"
    if meaning.candidates:
        likely = (f"{mention.goal} ({mention.confidence:.0%})" for mention in meaning.candidates)
        yield f"not sure; perhaps: {', '.join(likely)}"
    if meaning.unclear:
        yield f"unclear: {meaning.unclear}"


def _said(catalog: Catalog, value: Entity) -> str:
    shown, span = catalog.facts[value.fact].value.show(value.value), value.span
    return f"{value.fact} = {shown}, from “{span.text}” ({span.start} to {span.end}), by: {value.rule}"


def _arguments(
    catalog: Catalog, mention: Intent, values: dict[str, JsonValue], planner: Planner
) -> tuple[dict[str, JsonValue], list[JsonValue]]:
    """Return the arguments of a request, given and missing; results of earlier requests by their positions."""
    if not (mention.values or mention.references or mention.missing):
        needs = what_leads_to(catalog, catalog.goals[mention.goal]).facts
        given = {fact: value for fact, value in values.items() if fact in needs}
        left = _questions_left(catalog, catalog.goals[mention.goal], frozenset(given), planner)
        return given, list(left)
    args: dict[str, JsonValue] = {value.fact: value.value for value in mention.values}
    for reference in mention.references:
        args[reference.fact] = {"ref": reference.to[0] if len(reference.to) == 1 else list(reference.to)}
    return args, list(mention.missing)


def _questions_left(catalog: Catalog, goal: Goal, known: frozenset[str], planner: Planner) -> tuple[str, ...]:
    unasked = (name for name, fact in catalog.facts.items() if not fact.fillable and fact.askable)
    situation = Situation(known=known, pruned=frozenset(ask_operator(catalog, name).name for name in unasked))
    result = solve(compile_task(catalog, situation, want(goal)), planner.engine, planner.limits)
    steps = result.plan.steps if isinstance(result, Solved) else ()
    return tuple(step.subject for step in steps if step.kind is StepKind.ASK)


TURN_TIMEOUT_S = 300.0


def run_understand(options: argparse.Namespace) -> int:
    """Print goals, values with what is missing, questions and controls for one utterance, or for each line."""
    settings = read_settings(options.set).settings
    catalog = load(options.catalog, settings.catalog_limits).catalog
    make = LANGUAGES[settings.language].understanders[options.understander or settings.understander]
    understander = make(catalog, LanguageModel(settings.llm))
    planner = Planner(ENGINES[settings.engine], settings.search_limits)
    context = Context(today=options.today or date.today())
    texts: Iterator[str] = (line.rstrip("\n") for line in sys.stdin) if options.text == "-" else iter([options.text])
    for text in texts:
        meaning = understander.understand(text, context)
        seen = json.dumps(understood_json(catalog, meaning, planner), ensure_ascii=False) if options.json else None
        print(seen or understood_words(catalog, meaning, planner), flush=True)
    return 0


def run_chat(options: argparse.Namespace, here: Terminal) -> int:
    """Hold a conversation on standard input and output.

    A line is an utterance; where a file is asked for, it may be the path of one, or several. A line that is a JSON
    object may hold `text`, `uploads` (paths of files), and `alert` with `facts` (an event that happens). Documents that
    come with an answer are saved, and their paths printed.
    """
    if (options.catalog is None) == (options.session is None):
        raise ValueError("Name a catalog for a new conversation, or --session ID to go on with one.")
    catalog, files = options.catalog, None
    if catalog is not None:
        files = [] if catalog in DEMOS else [here.path(catalog)]
        catalog = str(files[0]) if files else catalog
    with here.services(options.set, files=files, today=options.today, own=PER_CONVERSATION) as services:
        session = _begun(services, catalog, options.session, here.choices, here.user())
        seen = services.snapshot(session)
        agents = read_names(services.choices_of(seen.conversation)["agents"])
        for name in (seen.conversation.setup.catalog, *(name for name in agents if name in services.catalogs())):
            services.warm(name)
        if not options.json:
            print_replies(seen, 0, here.out)
        opened = uuid.uuid4().hex[:8]  # a reopened conversation has had a first line before
        for number, line in enumerate(here.lines(), start=1):
            before = len(seen.log)
            hear(services, Place(session, f"line-{opened}-{number}", before), line.rstrip("\n"), here)
            _settle(services, session, here, shown=not options.json)
            seen = services.snapshot(session)
            saved = save_files(services, seen, before, here.path(options.out) if options.out else None)
            if options.json:
                kept: dict[str, JsonValue] = {"files": [*saved]} if saved else {}
                told = json.dumps({**turn_json(seen, number, before), **kept}, ensure_ascii=False)
                print(told, file=here.out, flush=True)
            else:
                print_replies(seen, before, here.out)
                for path in saved:
                    print(f"  {path}", file=here.out, flush=True)
    return 0


def _begun(services: Services, catalog: str | None, wanted: str | None, choices: Mapping[str, str], user: str) -> str:
    """Begin a conversation, or reopen the one that is wanted; what it has not chosen itself is as in `choices`."""
    if wanted is None:
        return services.start(catalog or "", choices, user=f"at terminals: {user}")
    session = reopened(services, wanted)
    own = services.snapshot(session).conversation.setup.choices
    if left := {name: value for name, value in choices.items() if name not in own}:
        services.choose(session, left)
    return session


PROGRESS_S = 2.0
"""How often it is said how far a task is that is at work."""


def _settle(services: Services, session: str, here: Terminal, *, shown: bool) -> None:
    """Wait for the assistant and for the tasks of the conversation, and show how far these are."""
    told: list[str] = []
    for _ in range(int(TURN_TIMEOUT_S / PROGRESS_S)):
        if here.wait(partial(settle, services, session), PROGRESS_S):
            return
        now = say_progress(services, session)
        for line in now if shown and now != told else ():
            print(f"  … {line}", file=here.out, flush=True)
        told = now


def save_files(services: Services, seen: Snapshot, before: int, folder: Path | None) -> list[str]:
    """Save the files that came with what was replied since an entry; return their paths.

    They are kept apart by task, in a folder of this conversation unless another one is given.
    """
    saved = []
    for entry in seen.log[before:]:
        files = entry.event.attachments if isinstance(entry.event, Replied) else ()
        there = folder or services.settings.home / RESULTS / f"{seen.session_id[:8]}-{entry.seq}"
        for file in files:
            saved.append(str(save_new(services, there, file.name, services.file(seen.session_id, file.sha256))))
    return saved


def reopened(services: Services, wanted: str) -> str:
    """Return the id of the conversation that begins with what was given."""
    ids = (row.session_id for row in services.sessions())
    return beginning_with(wanted, ids, "conversation", "planglass sessions")


def run_sessions(options: argparse.Namespace, here: Terminal) -> int:
    """List the conversations, last used first: id, catalog, when, how much, and name or last goal."""
    with here.services(options.set) as services:
        for row in services.sessions():
            name = _name(services, row.session_id)
            if options.json:
                listed = {"session": row.session_id, "catalog": row.catalog, "name": name, "events": row.entries}
                times = {"started": row.started.isoformat(), "updated": row.updated.isoformat()}
                print(json.dumps({**listed, **times}, ensure_ascii=False), file=here.out)
            else:
                when = row.updated.astimezone().strftime("%Y-%m-%d %H:%M")
                line = f"{row.session_id[:8]}  {when}  {row.catalog}  {row.entries} events  {name}"
                print(line.rstrip(), file=here.out)
    return 0


def run_doubts(options: argparse.Namespace, here: Terminal) -> int:
    """List the calls in doubt of all conversations and tasks, or settle one by what a person has found out."""
    with here.services(options.set) as services:
        doubts: tuple[Doubt | TaskDoubt, ...] = (*list_doubts(services), *list_task_doubts(services))
        if options.call is not None:
            print(_settle_doubt(services, doubts, options), file=here.out)
            return 0
        for one in doubts:
            kind, where = ("task", one.task_id) if isinstance(one, TaskDoubt) else ("session", one.session_id)
            item, items = (0, 0) if isinstance(one, TaskDoubt) else (one.item, one.items)
            ends = {name: list(facts) for name, facts in one.outcomes.items()}
            if options.json:
                told = {kind: where, "call": one.call_id, "skill": one.skill, "mode": one.mode}
                at = {"item": item, "items": items} if item else {}
                listed = json.dumps({**told, **at, "at": one.at.isoformat(), "outcomes": ends}, ensure_ascii=False)
                print(listed, file=here.out)
            else:
                when = one.at.astimezone().strftime("%Y-%m-%d %H:%M")
                how = "; ".join(f"{name} ({', '.join(facts)})" if facts else name for name, facts in ends.items())
                what = f"{one.label}{at_item_of(item, items)}{' (of a task)' if kind == 'task' else ''}"
                line = f"{where[:8]}  {one.call_id}  {when}  {what}; may have ended as: {how}"
                print(line, file=here.out)
        if not doubts and not options.json:
            print("No call is in doubt.", file=here.out)
    return 0


def _settle_doubt(services: Services, doubts: Sequence[Doubt | TaskDoubt], options: argparse.Namespace) -> str:
    """Settle a call as the options say, or have its skill asked; return what is told of that."""
    said = [options.outcome is not None, options.no_effect, options.cannot_tell, options.ask_again]
    if said.count(True) != 1:
        raise ValueError(
            "Say either how the call ended (--outcome NAME), that it took no effect (--no-effect), or that it cannot "
            "be told (--cannot-tell), or have its skill asked once more (--ask-again)."
        )
    where = {
        one.task_id if isinstance(one, TaskDoubt) else one.session_id: one
        for one in doubts
        if one.call_id == options.call
    }
    wanted = options.session or ""
    what = f"conversation or task with a call {options.call} in doubt"
    session = beginning_with(wanted, where, what, "planglass doubts")
    doubt = where[session]
    if options.cannot_tell:
        if isinstance(doubt, TaskDoubt):
            services.tasks.say_unavailable(session, doubt.request)
        return "It stays in doubt, and is not made again."
    if isinstance(doubt, TaskDoubt):
        if options.ask_again:
            raise ValueError("The skill is asked when the task goes on: planglass task --resume " + session)
        names = services.tasks.view(session).catalog
        settle_in_task(
            services, doubt, options.outcome, {name_meant(names, fact): value for fact, value in options.value}
        )
        return "Settled."
    if options.ask_again:
        told = ask_again(services, session, options.call)
        if told is None or isinstance(told, Untold):
            raise ValueError(still_in_doubt(doubt.label, told.why if told else None))
        return f"Settled: {told.result.outcome}." if isinstance(told, Returned) else "Settled: it took no effect."
    catalog = services.snapshot(session).catalog
    values = {name_meant(catalog, fact): value for fact, value in options.value}
    settle_call(services, session, options.call, outcome=options.outcome, reason=options.reason, values=values)
    return "Settled."


def _name(services: Services, session_id: str) -> str:
    """Return what the owner calls a conversation, else its last goal; nothing without its catalog."""
    try:
        seen = services.snapshot(session_id)
    except DamagedStream:
        return UNREADABLE
    except LookupError:
        return ""
    goals = (*seen.conversation.goals.past, *seen.conversation.goals.stack)
    return mask(seen.conversation.setup.name or (goals[-1].label if goals else ""), secrets_of(seen.catalog, seen.log))


def turn_json(seen: Snapshot, number: int, before: int) -> dict[str, JsonValue]:
    """Return what one turn added, in the form of `chat --json`; sensitive values are masked."""
    conversation, catalog = seen.conversation, seen.catalog
    secrets = secrets_of(catalog, seen.log)
    pending = conversation.questions.pending.asked if conversation.questions.pending else None
    new = seen.log[before:]
    known: dict[str, JsonValue] = {
        fact: show_value(catalog, conversation, fact) if hides(catalog, conversation, value) else value.value
        for fact, value in conversation.facts.known.items()
    }
    events: list[JsonValue] = []
    derived = derived_in(catalog, seen.log)
    for entry in new:
        plain = mask_entry(catalog, entry, secrets, derived, seen.words_of)
        event = plain["event"]
        assert isinstance(event, dict)
        events.append({**event, "seq": entry.seq})
    return {
        "turn": number,
        "replies": [mask(entry.event.text, secrets) for entry in new if isinstance(entry.event, Replied)],
        "asks": pending.subject if pending and pending.about == "fact" else None,
        "asks_about": pending.about if pending else None,
        "goals": [goal.goal for goal in conversation.goals.stack],
        "ended": [
            {"goal": goal.goal, "state": goal_standing(catalog, conversation, goal)}
            for goal in conversation.goals.past
            if goal.ending is not None and goal.ending.seq > before
        ],
        "known": known,
        "events": events,
    }


def print_replies(seen: Snapshot, before: int, out: Output) -> None:
    """Print what was replied since an entry; an agent that is not the assistant is named."""
    for entry in _replies(seen.log[before:]):
        print(f"  {entry}".replace("\n", "\n  "), file=out, flush=True)


def _replies(log: Log) -> Iterator[str]:
    for entry in log:
        if isinstance(entry.event, Replied):
            sender = entry.event.sender
            yield entry.event.text if sender == ASSISTANT else f"{clean(sender)}: {entry.event.text}"


def _pair(text: str) -> tuple[str, str]:
    fact, equals, value = text.partition("=")
    if not equals or not fact.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not FACT=VALUE")
    return fact.strip(), value


def add_commands(commands: Commands) -> None:
    command = add_catalog_command(commands, "understand", "show what is made of an utterance", run_understand)
    command.add_argument("text", metavar="TEXT", help="the utterance; - reads one a line from standard input")
    command.add_argument(
        "--understander", choices=sorted(UNDERSTANDERS), help="what reads it (default: the setting understander)"
    )
    add_today(command, "to count from")
    add_json(command, "it as JSON")
    command = add_services_command(commands, "sessions", "list the conversations on this machine", run_sessions)
    add_json(command, "one JSON object a conversation")
    command = add_services_command(
        commands, "doubts", "list calls that may have taken effect, and settle them", run_doubts
    )
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
    command = add_services_command(commands, "chat", "talk to the assistant, one utterance a line", run_chat)
    command.add_argument("catalog", metavar="CATALOG", nargs="?", help="the name of a demo catalog, or a file")
    command.add_argument("--out", metavar="DIR", default="", help="save documents there that come with an answer")
    command.add_argument(
        "--session", metavar="ID", help="go on with this conversation (or the first letters of its id)"
    )
    add_today(command, "to count from")
    add_json(command, "one JSON object a turn")
