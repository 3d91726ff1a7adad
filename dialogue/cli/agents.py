"""`planglass orchestrators`: who chooses which agent acts, and what was learned from what people did."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from dialogue.cli.arguments import Commands, add_json, add_services_command
from dialogue.cli.conversation import reopened
from dialogue.cli.terminal import Output, Terminal
from dialogue.services import Services
from dialogue.services.agents.agents import OrchestratorRow
from dialogue.services.settings import variable_of
from dialogue.state.masking import mask, secrets_of
from explain.model import Question, QuestionKind
from language.responses.grammar import clean

IN_USE = "in use"
_LONGEST_LINE = 200
_QUESTIONS = f"one of: {', '.join(kind.value for kind in QuestionKind)}"


def run_orchestrators(options: argparse.Namespace, here: Terminal) -> int:
    """List the orchestrators, switch to another, or tell what was learned and take it back."""
    if options.session is None and (options.learned or options.undo is not None):
        raise ValueError("Say from which conversation: --session ID. `planglass sessions` lists them.")
    with here.services(options.set) as services:
        session = None if options.session is None else reopened(services, options.session)
        if options.name is not None:
            _switch(services, options.name, session)
        if session is not None and options.undo is not None:
            services.unlearn(session, options.undo)
        if session is not None and (options.learned or options.undo is not None):
            _print_learned(services, session, here.out, as_json=options.json)
        else:
            _print_list(services, session, here.out, verbose=options.verbose, as_json=options.json)
    return 0


def _switch(services: Services, name: str, session: str | None) -> None:
    """Use another orchestrator from now on. Raises SettingsError, which lists the names, and changes nothing."""
    if session is not None:
        services.choose(session, {"orchestrator": name})
        return
    services.change_settings({"orchestrator": name})
    if services.settings.orchestrator != name:
        origin = services.configuration.origins["orchestrator"]
        where = variable_of("orchestrator") if origin == "environment" else "--set"
        raise ValueError(f"{where} says {services.settings.orchestrator}, and outweighs this: leave it out first.")


def _choices(services: Services, session: str | None) -> Mapping[str, str]:
    if session is not None:
        return services.choices_of(services.snapshot(session).conversation)
    return {"orchestrator": services.settings.orchestrator}


def _print_list(services: Services, session: str | None, out: Output, *, verbose: bool, as_json: bool) -> None:
    chosen = _choices(services, session)["orchestrator"]
    rows = services.agents.orchestrators()
    if as_json:
        listed = [_to_json(row, chosen) for row in rows]
        print(json.dumps({"orchestrators": listed}, ensure_ascii=False), file=out)
        return
    width = max(len(row.name) for row in rows)
    for row in rows:
        line = f"{row.name:<{width}}  {IN_USE if row.name == chosen else '':<{len(IN_USE)}}"
        print(f"{line}  {row.description}" if verbose else line.rstrip(), file=out)
    for name, text in services.agents.dropped_in.installers.items() if verbose else ():
        what = "It is not run; read it, and run it yourself if you want that:"
        print(f"\n{name} comes with an install.sh. {what}", file=out)
        print("\n".join(f"    {clean(one, _LONGEST_LINE)}" for one in text.splitlines()), file=out)


def _to_json(row: OrchestratorRow, chosen: str) -> dict[str, object]:
    return {
        "name": row.name,
        "in_use": row.name == chosen,
        "description": row.description,
        "from": row.origin,
    }


def _print_learned(services: Services, session: str, out: Output, *, as_json: bool) -> None:
    choices = _choices(services, session)
    if as_json:
        print(json.dumps(services.agents.learned(session, choices), ensure_ascii=False), file=out)
        return
    lessons = services.agents.learner(session).lessons
    if not lessons.kept:
        print("What was learned is taken back." if lessons.undone else "Nothing has been learned.", file=out)
    for lesson in lessons.kept:
        feedback = lesson.feedback
        acted = ", ".join(feedback.agents) or "nobody"
        made = "" if feedback.reaction is None else f"  {feedback.reaction.value}"
        wanted = f"  wanted: {', '.join(feedback.wanted)}" if feedback.wanted else ""
        print(f"{lesson.seq}  {acted}{made}  {feedback.reward:+.1f}{wanted}", file=out)


def run_explain(options: argparse.Namespace, here: Terminal) -> int:
    """Answer a question about a conversation, from its log alone: the same text as in the chat."""
    with here.services(options.set) as services:
        seen = services.snapshot(reopened(services, options.session))
        question = Question(QuestionKind(options.question), options.fact, options.full, options.skill, options.agent)
        told = services.analyses.explanation(seen, question).result()
        text = mask(told.text(), secrets_of(seen.catalog, seen.log))
        if options.json:
            evidence = list(told.evidence)
            answer = {"question": options.question, "text": text, "evidence": evidence}
            print(json.dumps(answer, ensure_ascii=False), file=here.out)
        else:
            print(text, file=here.out)
    return 0


def add_commands(commands: Commands) -> None:
    """Declare the commands about agents."""
    command = add_services_command(
        commands, "orchestrators", "list what chooses who acts, and switch to another", run_orchestrators
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="the orchestrator to use from now on")
    command.add_argument("-v", "--verbose", action="store_true", help="say what each does")
    command.add_argument("--session", metavar="ID", help="of this conversation alone (or the first letters of its id)")
    command.add_argument("--learned", action="store_true", help="show what was learned in the conversation")
    command.add_argument(
        "--undo",
        metavar="NUMBER",
        type=int,
        nargs="?",
        const=0,
        help="take back what was learned: the lesson of that number, or all",
    )
    add_json(command, "it as JSON")
    command = add_services_command(commands, "explain", "answer a question about a conversation", run_explain)
    command.add_argument("question", choices=[kind.value for kind in QuestionKind], metavar="QUESTION", help=_QUESTIONS)
    command.add_argument("--session", metavar="ID", required=True, help="the conversation")
    command.add_argument("--fact", help="the fact that it is about")
    command.add_argument("--skill", help="the skill that it is about")
    command.add_argument("--agent", help="the agent that it is about")
    command.add_argument("--full", action="store_true", help="all the way to the goal")
    add_json(command, "it as JSON, with the entries that prove it")
