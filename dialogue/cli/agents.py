"""`planglass orchestrators`: who chooses which agent acts, and what was learned from what people did."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from catalog.wording.grammar import clean
from dialogue.agents.learning.learner import Learner
from dialogue.agents.orchestrators import FIGURES
from dialogue.agents.terminal.calls import TERMINAL_LEARNER
from dialogue.cli.arguments import Commands, add_json, add_settings
from dialogue.cli.streams import CONVERSATIONS, find
from dialogue.services import Services, make_services
from dialogue.services.agents.agents import OrchestratorRow
from dialogue.settings import PER_CONVERSATION, choices_in, variable_of
from dialogue.settings.agent_choices import read_figures, with_figures
from dialogue.state.masking import mask, secrets_of
from explain.model import Question, QuestionKind

IN_USE = "in use"
_LONGEST_LINE = 200
_QUESTIONS = f"one of: {', '.join(kind.value for kind in QuestionKind)}"


def run_orchestrators(options: argparse.Namespace) -> int:
    """List the orchestrators, switch to another, set figures, or tell what was learned and take it back."""
    names = [word for word in options.words if "=" not in word]
    if len(names) > 1:
        raise ValueError(f"One orchestrator chooses at a time. Write one of: {', '.join(names)}.")
    if options.session is None and not options.shell and (options.learned or options.undo is not None):
        raise ValueError("Say from whom: --session ID (`planglass sessions` lists them), or --shell.")
    with closing(make_services(chosen=options.set)) as services:
        session = None if options.session is None else find(CONVERSATIONS, services, options.session)
        setting = "shell_orchestrator" if options.shell else "orchestrator"
        used = names[0] if names else _used(services, session, setting)
        figures = [word for word in options.words if "=" in word]
        changes = {setting: names[0]} if names else {}
        if figures:
            changes["figures"] = with_figures(_choices(services, session)["figures"], used, figures)
        if changes:
            _change(services, changes, session)
        learner = None
        if session is not None or options.shell:
            learner = services.agents.learner(TERMINAL_LEARNER) if session is None else services.learner(session)
        if options.undo is not None and session is not None:
            services.unlearn(session, options.undo)
        elif options.undo is not None and learner is not None:
            learner.unlearn(options.undo)
        if learner is not None and (options.learned or options.undo is not None):
            _print_learned(services, learner, _choices(services, session), as_json=options.json)
        else:
            _print_list(services, session, setting, verbose=options.verbose, as_json=options.json)
    return 0


def _change(services: Services, changes: Mapping[str, str], session: str | None) -> None:
    """Use other values from now on. Raises SettingsError, which lists what there is, and changes nothing."""
    if session is not None:
        services.choose(session, changes)
        return
    services.change_settings(dict(changes))
    for name, value in changes.items():
        if (now := getattr(services.settings, name)) != value:
            where = variable_of(name) if services.configuration.origins[name] == "environment" else "--set"
            raise ValueError(f"{where} says {now}, and outweighs this: leave it out first.")


def _choices(services: Services, session: str | None) -> Mapping[str, str]:
    if session is not None:
        return services.choices_of(services.snapshot(session).conversation)
    return choices_in(services.settings)


def _used(services: Services, session: str | None, setting: str) -> str:
    choices = _choices(services, session)
    return choices[setting] if setting in PER_CONVERSATION else services.settings.shell_orchestrator


def _print_list(services: Services, session: str | None, setting: str, *, verbose: bool, as_json: bool) -> None:
    chosen = _used(services, session, setting)
    rows = services.agents.orchestrators()
    figures = read_figures(_choices(services, session)["figures"])
    if as_json:
        listed = [
            {
                "name": row.name,
                "in_use": row.name == chosen,
                "description": row.description,
                "from": row.origin,
                "figures": _figures_of(row.name, figures),
            }
            for row in rows
        ]
        print(json.dumps({"orchestrators": listed}, ensure_ascii=False))
        return
    for line in list_orchestrators(rows, chosen, figures, verbose=verbose):
        print(line)
    for name, text in services.agents.dropped_in.installers.items() if verbose else ():
        what = "It is not run; read it, and run it yourself if you want that:"
        print(f"\n{name} comes with an install.sh. {what}")
        print("\n".join(f"    {clean(one, _LONGEST_LINE)}" for one in text.splitlines()))


def list_orchestrators(
    rows: Sequence[OrchestratorRow], chosen: str, figures: Mapping[str, float], *, verbose: bool
) -> Iterator[str]:
    """Yield a line for each orchestrator; the one in use is marked. `verbose` adds what it does, and its figures."""
    width = max(len(row.name) for row in rows)
    for row in rows:
        line = f"{row.name:<{width}}  {IN_USE if row.name == chosen else '':<{len(IN_USE)}}"
        yield f"{line}  {row.description}" if verbose else line.rstrip()
        for name, value in _figures_of(row.name, figures).items() if verbose else ():
            yield f"{'':<{width + len(IN_USE) + 4}}{name}={value:g}: {FIGURES[f'{row.name}.{name}'].description}"


def _figures_of(name: str, figures: Mapping[str, float]) -> dict[str, float]:
    own = {one: figure.usual for one, figure in FIGURES.items() if one.partition(".")[0] == name}
    return {one.partition(".")[2]: figures.get(one, usual) for one, usual in own.items()}


def _print_learned(services: Services, learner: Learner, choices: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(services.agents.learned(learner, choices), ensure_ascii=False))
        return
    lessons = learner.lessons
    if not lessons.kept:
        print("What was learned is taken back." if lessons.undone else "Nothing has been learned.")
    for lesson in lessons.kept:
        feedback = lesson.feedback
        acted = ", ".join(feedback.agents) or "no agent"
        made = "" if feedback.reaction is None else f"  {feedback.reaction.value}"
        wanted = f"  wanted: {', '.join(feedback.wanted)}" if feedback.wanted else ""
        print(f"{lesson.seq}  {acted}{made}  {feedback.reward:+.1f}{wanted}")


def run_explain(options: argparse.Namespace) -> int:
    """Answer a question about a conversation, from its log alone: the same text as in the chat."""
    with closing(make_services(chosen=options.set)) as services:
        seen = services.snapshot(find(CONVERSATIONS, services, options.session))
        question = Question(QuestionKind(options.question), options.fact, options.full, options.skill, options.agent)
        told = services.analyses.explanation(seen, question).result()
        text = mask(told.text(), secrets_of(seen.catalog, seen.log))
        if options.json:
            evidence = list(told.evidence)
            answer = {"question": options.question, "text": text, "evidence": evidence}
            print(json.dumps(answer, ensure_ascii=False))
        else:
            print(text)
    return 0


def _declare_orchestrators(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument(
        "words",
        metavar="NAME | FIGURE=VALUE",
        nargs="*",
        help="the orchestrator to use from now on; figures of it, such as threshold=0.5, or of another (s3.count=2)",
    )
    command.add_argument("-v", "--verbose", action="store_true", help="say what each does, and with which figures")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--session", metavar="ID", help="of this conversation alone (or the first letters of its id)")
    where.add_argument("--shell", action="store_true", help="of `planglass shell`")
    command.add_argument("--learned", action="store_true", help="show what was learned from the user")
    command.add_argument(
        "--undo",
        metavar="NUMBER",
        type=int,
        nargs="?",
        const=0,
        help="take back what was learned: the lesson of that number, or all",
    )
    add_json(command, "it as JSON")


def _declare_explain(command: argparse.ArgumentParser) -> None:
    add_settings(command)
    command.add_argument("question", choices=[kind.value for kind in QuestionKind], metavar="QUESTION", help=_QUESTIONS)
    command.add_argument("--session", metavar="ID", required=True, help="the conversation")
    command.add_argument("--fact", help="the fact that it is about")
    command.add_argument("--skill", help="the skill that it is about")
    command.add_argument("--agent", help="the agent that it is about")
    command.add_argument("--full", action="store_true", help="all the way to the goal")
    add_json(command, "it as JSON, with the entries that prove it")


COMMANDS: Commands = {
    "orchestrators": (run_orchestrators, _declare_orchestrators),
    "explain": (run_explain, _declare_explain),
}
