"""`planglass task`: a task is planned in stages, carried out and checked; what is missing is named.

Exit codes: 0 it is done (or paused or cancelled, where that was asked for); 3 something is missing, which is named,
or it is paused; 4 planning gave up; 5 it is done, and criteria are not met; 2 bad input; 1 an error of the program or
of the store stopped it, and it can go on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

from pydantic import JsonValue

from catalog.load import load
from catalog.load.demo_files import DEMOS
from catalog.problems import CatalogError
from catalog.skills import File
from catalog.values import Text
from catalog.values.base import listed
from catalog.values.documents import file_value
from dialogue.cli.arguments import Commands, add_json, add_settings, add_today
from dialogue.cli.results import save_new
from dialogue.log.stores.protocol import UnknownStream
from dialogue.services import Services, make_services
from dialogue.services.doubts import list_task_doubts, settle_in_task
from dialogue.services.tasks.views import TaskView
from dialogue.tasks.acceptance import check_not_over
from dialogue.tasks.inputs import read_file, tell_apart
from dialogue.tasks.reporting.report import write_report
from dialogue.tasks.state import requests
from dialogue.tasks.state.events import TaskEnding
from explain.tasks.answers import answer_about_task, ask_how, ask_why, no_such_result, no_such_stage, say_answer
from explain.tasks.record import TaskQuestion, TaskRecord
from language.responses.tasks.report import AnswerReport, TaskReport, render
from planning.hierarchy.files.load import load_task
from planning.task.names import name_meant

DONE, STOPPED, BAD_INPUT, MISSING, GAVE_UP, UNMET = 0, 1, 2, 3, 4, 5
LONGEST_S = 24 * 3_600.0


def run_task(options: argparse.Namespace) -> int:
    """Carry out a task as far as it goes, and print how it stands."""
    named = [one for one in (options.file, options.resume, options.pause, options.cancel) if one is not None]
    if len(named) != 1:
        raise ValueError("Name a task file, or a task: --resume ID to go on with it, --pause ID, or --cancel ID.")
    if missing := next((path for _, path in options.supply if not Path(path).is_file()), None):
        raise ValueError(f"--supply takes NAME=FILE; there is no file {missing!r:.200}.")
    task_id = ""
    with closing(make_services(chosen=options.set, files=[], today=options.today)) as services:
        try:
            if options.pause or options.cancel:
                return _end(services, options)
            looks = _asks(options) or options.tree
            if options.resume and looks and not (options.supply or options.answer or options.out):
                return _look(services, options)
            task_id = _begin(services, options)
            return _go_on(services, task_id, options)
        except KeyboardInterrupt:
            how = f" Go on with: planglass task --resume {task_id}" if task_id else ""
            print(f"planglass: stopped.{how}", file=sys.stderr)
            return STOPPED


def _go_on(services: Services, task_id: str, options: argparse.Namespace) -> int:
    """Hand over what is given for a task, let it go on as far as it goes, and print how it stands."""
    supplied = [(name, Path(path)) for name, path in options.supply]
    for name in dict.fromkeys(name for name, _ in supplied):
        try:
            _supply(services, task_id, name, [path for other, path in supplied if other == name])
        except CatalogError:
            raise
        except (LookupError, ValueError) as fault:
            raise ValueError(f"--supply {name}: {fault}") from None
    names = services.tasks.view(task_id).catalog
    values = {name_meant(names, fact): value for fact, value in options.value}
    for request, yes in options.answer:
        _answer(services, task_id, request, yes=yes, values=values)
    services.tasks.resume(task_id)
    services.tasks.wait(task_id, LONGEST_S)
    view = services.tasks.view(task_id)
    asked = ((one.entry, one.request) for one in view.task.open_requests)
    made_up = [entry for entry, one in asked if isinstance(one, requests.ConfirmDescription) and not one.missing]
    if options.yes and made_up:
        services.tasks.confirm(task_id, made_up[0])
        services.tasks.wait(task_id, LONGEST_S)
        view = services.tasks.view(task_id)
    _tell(services, view, options)
    if view.fault:
        print(f"planglass: {view.fault} planglass task --resume {task_id}", file=sys.stderr)
        return STOPPED
    return _code(view)


def _tell(services: Services, view: TaskView, options: argparse.Namespace) -> None:
    """Save what is wanted, and print how a task stands, with answers to what was asked."""
    report = write_report(view.id, view.task, view.catalog)
    saved = _save(services, view, Path(options.out)) if options.out else {}
    for one in report.results:
        one.file = saved.get(one.name, "")
    said = _answer_into(services, report, options) if _asks(options) else []
    _save_tree(services, view.id, options)
    _print(report, options)
    if said and not options.json:
        print("", "\n\n".join(said), sep="\n", flush=True)


def _asks(options: argparse.Namespace) -> bool:
    return options.why is not None or options.how is not None


def _look(services: Services, options: argparse.Namespace) -> int:
    """Answer questions about a task as it stands, and save its tree; it does not go on."""
    view = services.tasks.view(_known(services, options.resume))
    report = write_report(view.id, view.task, view.catalog)
    said = _answer_into(services, report, options) if _asks(options) else []
    _save_tree(services, view.id, options)
    if said and not options.json:
        print("\n\n".join(said), flush=True)
    else:
        _print(report, options)
    return DONE


def _answer_into(services: Services, report: TaskReport, options: argparse.Namespace) -> list[str]:
    """Put the answers to what was asked into a report; return them in lines for people, too."""
    record = services.tasks.record(report.id)
    questions = _questions(record, options)
    report.answers = []
    for one in questions:
        answer = answer_about_task(record, one)
        told = AnswerReport(question=one.kind.value, text=answer.text(), evidence=list(answer.evidence))
        report.answers.append(told)
    return [say_answer(record, one) for one in questions]


def _questions(record: TaskRecord, options: argparse.Namespace) -> list[TaskQuestion]:
    """Read what is asked. Raises ValueError for what there is not."""
    asked: list[TaskQuestion] = []
    for about, read, none in ((options.why, ask_why, no_such_stage), (options.how, ask_how, no_such_result)):
        if about is not None:
            found = read(record, about)
            if not found:
                raise ValueError(none(record, about))
            asked += found
    return asked


def _end(services: Services, options: argparse.Namespace) -> int:
    """Pause a task, or end it for good, whichever program is at work on it. Raises TaskOver for one that is over."""
    task_id = _known(services, options.pause or options.cancel)
    check_not_over(services.tasks.view(task_id).task)
    (services.tasks.pause if options.pause else services.tasks.cancel)(task_id)
    view = services.tasks.view(task_id)
    _print(write_report(view.id, view.task, view.catalog), options)
    return DONE


def _print(report: TaskReport, options: argparse.Namespace) -> None:
    print(report.model_dump_json(exclude_none=True) if options.json else render(report), flush=True)


def _known(services: Services, task_id: str) -> str:
    """Return the id of the task that there is, by the first letters of it. Raises ValueError, with the last ids."""
    with suppress(UnknownStream):
        return services.tasks.view(task_id).id
    ids = [row.id for row in services.tasks.rows()]
    found = [one for one in ids if task_id and one.startswith(task_id)]
    if len(found) == 1:
        return services.tasks.view(found[0]).id
    there = ", ".join((found or ids)[:5]) or "none"
    said = "Several tasks begin with" if found else "There is no task"
    raise ValueError(f"{said} {task_id!r:.60}. {'They' if found else 'The last ones'} are: {there}.")


def _begin(services: Services, options: argparse.Namespace) -> str:
    if options.resume is not None:
        return _known(services, options.resume)
    limits, named = services.settings.catalog_limits, options.catalog
    catalog = load(named if named in DEMOS else Path(named), limits) if named else None
    return services.tasks.give(load_task(Path(options.file), catalog, limits))


def _supply(services: Services, task_id: str, name: str, paths: Sequence[Path]) -> None:
    """Hand over what stands in files: documents, the text of another value, or a skill that gives NAME."""
    view = services.tasks.view(task_id)
    asked = [one.request for one in view.task.open_requests]
    name = name_meant(view.catalog, name)
    fact = view.catalog.facts.get(name)
    kind = fact.value if fact is not None else None
    if len(paths) > 1 and (kind is None or kind.item is None):
        raise ValueError(f"{name!r:.60} is one value, and {len(paths)} files are given for it. Name one.")
    called = tell_apart(list(map(str, paths)))
    data = {name: read_file(path, kind or Text()) for name, path in zip(called, paths, strict=True)}
    is_yaml = paths[0].suffix.casefold() in (".yaml", ".yml")
    is_value = fact is not None and fact.askable and fact.fillable and not is_yaml
    if any(isinstance(one, requests.NeedFunction) and name in one.outputs for one in asked) and not is_value:
        services.tasks.supply_function(task_id, _text_of(paths[0], data[paths[0].name]), str(paths[0]))
    elif kind is not None and kind.innermost.uploaded:
        values: list[JsonValue] = [file_value(file, held) for file, held in data.items()]
        services.tasks.hand_over(task_id, name, values[0] if kind.item is None else values, data)
    else:
        texts = [_text_of(Path(file), held) for file, held in data.items()]
        value = _plain(texts[0]) if len(texts) == 1 else [_plain(text) for text in texts]
        if len(texts) == 1 and kind is not None and not kind.accepts(value):
            services.tasks.hand_over_words(task_id, name, texts[0].strip())
        else:
            services.tasks.hand_over(task_id, name, value)


def _text_of(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is no text in UTF-8. Save it as that, or hand over another one.") from None


def _answer(services: Services, task_id: str, number: int, *, yes: bool, values: Mapping[str, str]) -> None:
    """Answer a request that a word is enough for, by the number that the report gives it."""
    asked = {one.entry: one.request for one in services.tasks.view(task_id).task.open_requests}
    match asked.get(number):
        case None:
            there = listed(map(str, asked), limit=20) or "nothing"
            raise ValueError(f"Nothing is asked with the number {number}. Asked is: {there}.")
        case requests.NeedConsent() | requests.ConfirmCall():
            services.tasks.consent(task_id, number, yes=yes)
        case requests.JudgeCriterion(number=criterion):
            services.tasks.judge(task_id, criterion, met=yes)
        case requests.ConfirmDescription(missing=()) if yes:
            services.tasks.confirm(task_id, number)
        case requests.SettleCall():
            (doubt,) = (one for one in list_task_doubts(services) if (one.stream.id, one.request) == (task_id, number))
            settle_in_task(services, doubt, next(iter(doubt.outcomes)) if yes else None, values if yes else {})
        case requests.ConfirmDescription():
            raise ValueError("Write what you want into the task file, and hand it over anew.")
        case _:
            raise ValueError(f"A word is no answer to {number}. Hand it over: --supply NAME=FILE.")


def _plain(text: str) -> JsonValue:
    """Read a value from a file: JSON, or else its text."""
    try:
        return json.loads(text)  # type: ignore[no-any-return]
    except ValueError:
        return text.strip()


def _save(services: Services, view: TaskView, folder: Path) -> dict[str, str]:
    """Save the results in a folder; return their files by name."""
    saved = {}
    for name, came in services.tasks.results(view.id).items():
        files = [one for one in (came if isinstance(came, list) else [came]) if isinstance(one, File)]
        if not files:
            text = json.dumps(came, ensure_ascii=False, indent=2)
            files = [File(f"{name}.json", "application/json", text.encode())]
        saved[name] = ", ".join(str(save_new(services, folder, one.name, one.data)) for one in files)
    return saved


def _save_tree(services: Services, task_id: str, options: argparse.Namespace) -> None:
    if options.tree:
        Path(options.tree).write_text(services.tasks.export_tree(task_id), encoding="utf-8")


def _code(view: TaskView) -> int:
    match view.task.ending:
        case TaskEnding.DONE:
            return UNMET if view.task.unmet else DONE
        case TaskEnding.UNMET:
            return UNMET
        case TaskEnding.GAVE_UP | TaskEnding.CANCELLED:
            return GAVE_UP
        case None:
            return MISSING


def _declare(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("file", metavar="FILE", nargs="?", help="a task file (docs/tasks.md)")
    command.add_argument("--resume", metavar="ID", help="go on with a task (its id, or the first letters of it)")
    command.add_argument("--pause", metavar="ID", help="begin nothing more in a task until it is resumed")
    command.add_argument("--cancel", metavar="ID", help="end a task for good; what it has done is kept")
    command.add_argument(
        "--supply",
        metavar="NAME=FILE",
        action="append",
        default=[],
        type=_named,
        help="hand over what it lacks; repeat it for each file of a list",
    )
    command.add_argument(
        "--answer", metavar="NUMBER=yes|no", action="append", default=[], type=_answered, help="answer what it asks"
    )
    command.add_argument(
        "--value",
        metavar="FACT=VALUE",
        action="append",
        default=[],
        type=_named,
        help="with a yes to whether a call took effect: a value that it gave",
    )
    command.add_argument(
        "--catalog", metavar="CATALOG", help="a demo or a file, in place of the one that the task names"
    )
    command.add_argument("--out", metavar="DIR", default="", help="save the results there")
    command.add_argument(
        "--tree", metavar="FILE", default="", help="save the stages and all that was tried there, as JSON"
    )
    command.add_argument("--yes", action="store_true", help="take parts of the description that were made up")
    what = "say why a stage (its number or its words), or `criterion N`, stands as it does; all of it without STAGE"
    command.add_argument("--why", metavar="STAGE", nargs="?", const="", help=what)
    what = "say how a result, or a figure in it, came about, back to the cells of the files; every result without one"
    command.add_argument("--how", metavar="RESULT[=FIGURE]", nargs="?", const="", help=what)
    add_today(command, "on which it is done")
    add_json(command, "one object")


def _named(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"it takes NAME=…; found {text!r:.60}")
    return name, path


def _answered(text: str) -> tuple[int, bool]:
    number, _, word = text.partition("=")
    if not (number.isdecimal() and word in ("yes", "no")):
        raise argparse.ArgumentTypeError(f"it takes a number and yes or no, as in 12=yes; found {text!r:.60}")
    return int(number), word == "yes"


COMMANDS: Commands = {"task": (run_task, _declare)}
