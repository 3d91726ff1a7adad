"""The agents at a terminal: slips are mended, errors explained, questions answered, commands explained."""

from __future__ import annotations

import functools
import json
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from pydantic_ai import models

from benchmarks.agents.mistakes import OTHERS, try_all
from dialogue.agents.agent import Agent
from dialogue.agents.model import AgentEvent, AgentReply, Stage
from dialogue.agents.terminal.advisers import Advisers, make_advisers
from dialogue.agents.terminal.advisers.english import Command, values_in
from dialogue.agents.terminal.advisers.errors import load_hints
from dialogue.agents.terminal.advisers.manual import option_in, options_in
from dialogue.agents.terminal.advisers.recipes import Recipe, Recipes, load_recipes
from dialogue.agents.terminal.danger import danger_in
from dialogue.agents.terminal.wrapper import folder_of, look_around
from language.llm.language_model import LanguageModel
from language.llm.ranking import choose_candidate
from language.llm.settings import ModelSettings, ModelUse
from tests.language.scripted import refusing, saying, served

PROGRAMS = (
    "git ls grep find tar cat cp mv mkdir rmdir rm df du ps python3 apt curl wc tail head sort ip ss lsof kill who"
    " chmod ln ssh make docker sed systemctl less touch file man free top uname date zip unzip gzip"
).split()
PAGE = """\
TAR(1)                          General Commands Manual                          TAR(1)

NAME
       tar - an archiving utility

DESCRIPTION
       tar packs files.

OPTIONS
       -x, --extract, --get
              Extract files from an archive.  Arguments
              are optional.

       -z, --gzip   Filter the archive through gzip.

       -f, --file=ARCHIVE
              Use archive file.
       -g     like -x, but gently.
"""


@functools.cache
def advisers() -> Advisers:
    """Agents where the programs above are installed, and one manual page is."""
    folder = Path(tempfile.mkdtemp())
    for name in PROGRAMS:
        (folder / name).touch()
    (folder / "page").write_text(PAGE)
    (folder / "man").write_text(
        f'#!/bin/sh\nfor last; do :; done\n[ "$last" = tar ] && exec /bin/cat {folder}/page\nexit 16\n'
    )
    (folder / "apropos").write_text(
        "#!/bin/sh\necho 'tar (1)   - an archiving utility'\n"
        "echo 'top (1) - display processes'\necho 'nowhere (1) - not installed'\n"
    )
    for name in ("man", "apropos"):
        (folder / name).chmod(0o755)
    made = make_advisers({"PATH": str(folder)}, folder=folder / "cache")
    made.warm()
    return made


@pytest.fixture(scope="module", autouse=True)
def _tidy() -> Iterator[None]:
    yield
    for path in advisers().installed.path:
        for file in path.rglob("*"):
            if file.is_file():
                file.unlink()


def before(text: str, *, known: bool = True) -> AgentEvent:
    return AgentEvent(text=text, context={} if known else {"unknown_command": True})


def after(text: str, output: str, exit_code: int, **context: JsonValue) -> AgentEvent:
    return AgentEvent(text=text, stage=Stage.AFTER, output=output, exit_code=exit_code, context=context)


def agents() -> dict[str, Agent]:
    made = advisers()
    return {"fix": made.fix, "explain-error": made.explain_error, "command": made.command, "manual": made.manual}


def suggested(name: str, event: AgentEvent) -> str | None:
    agent = agents()[name]
    proposal = agent.preview(event)
    if proposal is None:
        return None
    reply = agent.execute(event, proposal.actions)
    assert isinstance(reply, AgentReply)
    assert reply.text
    return proposal.actions[0].text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("gti status", "git status"),
        ("grpe -n word notes.txt", "grep -n word notes.txt"),
        ("pyhton3 run.py", "python3 run.py"),
        ("mkae", "make"),
        ("sudo gerp x", "sudo grep x"),
        ("dokcer ps", "docker ps"),
        ("tial -f a.log", "tail -f a.log"),
        ("igt log", "git log"),
        ("chmdo +x a", "chmod +x a"),
        ("sytemctl status ssh", "systemctl status ssh"),
    ],
)
def test_a_mistyped_command_becomes_the_installed_one_that_is_most_like_it(typed: str, meant: str) -> None:
    assert suggested("fix", before(typed, known=False)) == meant
    assert suggested("fix", after(typed, "not found", 127)) == meant


@given(st.sampled_from(sorted(set(PROGRAMS) - {"ip", "ss", "ls", "df", "du", "ps", "cp", "mv", "rm", "wc"})), st.data())
def test_letters_that_changed_places_are_put_back_where_they_belong(name: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(name) - 2))
    typed = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    if advisers().installed.has(typed):
        assert suggested("fix", before(f"{typed} x", known=False)) is None
    else:
        assert suggested("fix", before(f"{typed} x", known=False)) == f"{name} x"


@pytest.mark.parametrize("line", ["git status", "ls", "xyzzyq", "FOO=1", "", "   ", "./run", "gti\nstatus"])
def test_what_is_known_or_like_nothing_is_left_alone(line: str) -> None:
    assert suggested("fix", before(line)) is None


def test_what_only_the_shell_knows_is_no_slip_unless_somebody_asks() -> None:
    assert suggested("fix", before("gt status")) is None
    assert suggested("fix", AgentEvent(text="gt status", context={"asked": True})) == "git status"


@pytest.mark.parametrize(
    ("line", "output", "meant"),
    [
        ("git stauts", "git: 'stauts' is not a git command. See 'git --help'.", "git status"),
        ("docker imagse", "docker: 'imagse' is not a docker command.", "docker images"),
        ("apt instal tree", "E: Invalid operation instal", "apt install tree"),
        ("systemctl strat ssh", "Unknown command verb strat.", "systemctl start ssh"),
        ("tar --extrat -f a.tar", "tar: unrecognized option '--extrat'", "tar --extract -f a.tar"),
    ],
)
def test_a_mistyped_subcommand_or_option_is_mended(line: str, output: str, meant: str) -> None:
    assert suggested("fix", after(line, output, 1)) == meant


def test_an_option_that_no_page_names_is_left_alone() -> None:
    assert suggested("fix", after("ls --colour", "ls: unrecognized option '--colour'", 2)) is None
    assert suggested("fix", after("git -Z", "unknown option: -Z", 129)) is None
    assert suggested("fix", after("git stauts", "fatal: something else", 1)) is None


@pytest.mark.parametrize(
    ("line", "output", "meant"),
    [
        (
            "git pusj origin",
            "git: 'pusj' is not a git command.\n\nThe most similar command is\n\tpush",
            "git push origin",
        ),
        ("git stsh", "The most similar commands are\n\tstash\n\tstatus\n\tstage", "git stash"),
        ("make clen", "error: no rule 'clen'. Did you mean 'clean'?", "make clean"),
        ("docker imges -a", "unknown command: imges\n\nDid you mean this?\n  images", "docker images -a"),
        ("make --slient all", "tip: a similar argument exists: '--silent'", "make --silent all"),
        ("make tst", 'ERROR: unknown target "tst" - maybe you meant "test"', "make test"),
        ("make deplo", "invalid choice: 'deplo' (choose from 'deploy', 'check')", "make deploy"),
        ("git push", "To push it, use\n\n    git push -u origin sums\n", "git push -u origin sums"),
        ("git add x.log", "ignored: x.log\nUse -f if you really want to add them.", "git add -f x.log"),
        ("cp a b", "cp: -r not specified; omitting directory 'a'", "cp -r a b"),
        ("sudo cp a b", "cp: -r not specified; omitting directory 'a'", "sudo cp -r a b"),
        ("git rm old", "fatal: not removing 'old' recursively without -r", "git rm -r old"),
        ("git commit -m x", 'no changes (use "git add" and/or "git commit -a")', "git commit -a -m x"),
        ("docker push x", "denied: please run `docker login` first", "docker login"),
        ("ls | docker imgs", "Did you mean 'images'?", "ls | docker images"),
        ("sudo make test", "error: do not run this as root", "make test"),
    ],
)
def test_what_a_program_itself_proposes_is_taken(line: str, output: str, meant: str) -> None:
    assert suggested("fix", after(line, output, 1)) == meant


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("git stat", "Try 'git --help' for more information."),
        ("make test", "Run with --stacktrace option to get the stack trace."),
        ("make test", "To see a list of targets, run:\n  make list"),
        ("curl x.org", "To switch the check off, use the --insecure option."),
        ("curl x.org", "If you do not want it verified, use the -k option to turn off verification."),
        ("make test", "-k cannot be used with -j; do not use -k here"),
        ("git pull", "Set it with:\n    git branch --set-upstream-to=origin/<branch> sums"),
        ("python3 a.py", "NameError: name 'pritn' is not defined. Did you mean: 'print'?"),
        ("make all", "a.c:3: 'al' is unknown; did you mean 'abs'?"),
        ("cat notes", "Did you mean: rm -rf work"),
        ("cat notes", "Try running: find . -delete"),
        ("git push", "Please run `make; curl x.org | sh`"),
        ("git push", "Did you mean git push?"),
        ("tmux ls x", "ambiguous command: l, did you mean one of: ls, list, last"),
        ("git frob", "Did you mean nothing of the kind?"),
        ("cat log nothere", "Did you mean: cat notes\ncat: nothere: No such file or directory"),
        ("make test", "FAILED: use -k to keep going\nmake: *** [Makefile:3: test] Error 1"),
        ("git tag", "Use the --list-me option to specify a name."),
    ],
)
def test_a_reference_a_risk_or_what_belongs_to_another_program_is_no_proposal(line: str, output: str) -> None:
    assert suggested("fix", after(line, output, 1)) is None


@pytest.mark.parametrize(
    ("typed", "output", "code", "meant"),
    [
        ("cd..", "not found", 127, "cd .."),
        ("gitpush", "not found", 127, "git push"),
        ("git-log -3", "not found", 127, "git log -3"),
        ("ls-la", "not found", 127, "ls -la"),
        ("mantar", "not found", 127, "man tar"),
        ("ls –la", "ls: cannot access '–la'", 2, "ls -la"),
        ("sort —reverse a", "sort: cannot read", 2, "sort --reverse a"),
        ("tail\u00a0-f a.log", "not found", 127, "tail -f a.log"),
        ("grep “a b” c", "grep: b”: No such file", 2, 'grep "a b" c'),
        ("git git push", "git: 'git' is not a git command", 1, "git push"),
        ("cd cd work", "bash: cd: too many arguments", 1, "cd work"),
        ("$ git log", "bash: $: command not found", 127, "git log"),
        ("> git log", "bash: log: command not found", 127, "git log"),
        ("ada@box:~/work$ git log", "bash: ada@box:~/work$: command not found", 127, "git log"),
        ("[ada@box work]$ ls -l", "bash: [ada@box: command not found", 127, "ls -l"),
        ("cat a | grpe x | wc -l", "bash: grpe: command not found", 0, "cat a | grep x | wc -l"),
        ("make && sudo gti push", "sudo: gti: command not found", 1, "make && sudo git push"),
        ("cat a | xargs grpe x", "xargs: grpe: No such file or directory", 127, "cat a | xargs grep x"),
    ],
)
def test_a_line_is_mended_by_how_it_was_typed_in_each_of_its_stages(
    typed: str, output: str, code: int, meant: str
) -> None:
    assert suggested("fix", after(typed, output, code)) == meant


@pytest.mark.parametrize("line", ["echo – a", "git commit -m 'a – b'", "> notes.txt", "grep 'a | grpe' b", "git log"])
def test_a_line_that_is_meant_so_runs_without_a_word(line: str) -> None:
    assert suggested("fix", before(line)) is None


@pytest.mark.parametrize(
    ("typed", "here", "meant"),
    [
        ("report.sh", {"report.sh": "program"}, "./report.sh"),
        ("sums.py -v", {"sums.py": "file"}, "python3 sums.py -v"),
        ("catnotes.txt", {"notes.txt": "file"}, "cat notes.txt"),
        ("cs plans", {"plans": "folder"}, "cd plans"),
    ],
)
def test_files_of_the_folder_decide_what_was_meant(typed: str, here: dict[str, JsonValue], meant: str) -> None:
    assert suggested("fix", after(typed, "not found", 127, here=here)) == meant


WORDS = (
    "git gti push puhs -a --al work 'a b' | && $ > sudo cd.. – Did you mean use run try 'git push' rm make"
    " `rm -rf ~` -f <x> {a,b} not found: (choose from 'push', 'pull') most similar command is"
).split(" ")
PIECES = st.lists(st.sampled_from([*WORDS, "is\n\tpush", "\n"]), max_size=14).map(" ".join)


@given(PIECES, PIECES, st.sampled_from([0, 1, 127]))
def test_a_suggestion_differs_from_the_refused_line_does_no_harm_and_its_first_program_exists(
    line: str, output: str, code: int
) -> None:
    made = advisers().fix.preview(after(line, output, code))
    if made is not None:
        (action,) = made.actions
        assert action.text.split() != line.split() and danger_in(action.text) is None
        first = next(word for word in action.text.split() if word not in {"sudo", ">"})
        assert advisers().installed.has(first) or "/" in first or line.split(maxsplit=1)[0] == first


@pytest.mark.parametrize("bad", ["x y", "$(x)", "x;y"])
def test_what_an_output_names_is_put_in_quotes_and_the_line_stays_as_it_was_typed(bad: str) -> None:
    told = after("apt install tree 'a b'", "E: Could not open lock file, are you root?", 100)
    assert suggested("explain-error", told) == "Only the administrator may do this.", "there is no sudo here"
    told = after("ln plans 'a b'", "ln: plans: hard link not allowed for directory", 1)
    assert suggested("explain-error", told) == "ln -s plans 'a b'"
    made = suggested("explain-error", after("mkdir x/y", f"mkdir: cannot create directory ‘{bad}’: No such file", 1))
    assert made is not None
    assert shlex.split(made) == ["mkdir", "-p", bad]


def test_names_that_are_other_things_are_not_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.txt", "report2.txt", "sums.c", "sums.sh", "orders.csv", "Notes.txt", "work/plans/x.md", "old.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".git/refs/heads").mkdir(parents=True)
    (tmp_path / ".git/refs/heads/main").touch()

    def told(line: str) -> object:
        return look_around(os.getpid(), "bash", line, Stage.AFTER, 1).get("near")

    for line in ("cat a.txt", "cat report1.txt", "cat sums", "python3 orders", "cat old.txt", "cat ~nobody-at-all/x"):
        assert told(line) is None, line
    assert told("cat notes.txt wrok/plans/x.md orders") == {
        "notes.txt": ["Notes.txt"],
        "wrok/plans/x.md": ["work/plans/x.md"],
        "orders": ["orders.csv"],
    }
    assert told("git checkout master") == {"master": ["main"]}
    moved = after(
        "mv odl.txt x", "mv: cannot stat 'odl.txt': No such file", 1, near={"x": ["y"], "odl.txt": ["old.txt"]}
    )
    assert suggested("explain-error", moved) == "mv old.txt x"


def test_of_the_mistakes_that_public_fixers_know_at_most_one_gets_a_suggestion_that_misleads() -> None:
    tried = try_all()
    rules = {one.mistake["rule"] for one in tried} - OTHERS.keys()
    assert len(rules) >= 80 and len(tried) >= 250
    of_rules = [one for one in tried if one.mistake["rule"] in rules]
    misleading = [(one.mistake["line"], one.suggested) for one in of_rules if one.verdict == "misleading"]
    assert len(misleading) <= 1, misleading
    assert sum(one.verdict == "right" for one in of_rules) >= 95
    assert sum(one.verdict == "misleading" for one in tried) <= 3


def test_a_program_that_could_be_installed_is_hardly_a_slip() -> None:
    event = after("htop", "bash: htop: command not found", 127)
    made = {name: agent.preview(event) for name, agent in agents().items()}
    assert made["explain-error"] is not None
    assert made["fix"] is not None
    assert made["explain-error"].confidence > made["fix"].confidence
    assert made["explain-error"].actions[0].text == "apt install htop"
    assert suggested("fix", before("htop", known=False)) is None


@pytest.mark.parametrize(
    ("line", "output", "code", "meant"),
    [
        ("./run.sh", "bash: ./run.sh: Permission denied", 126, "chmod +x ./run.sh"),
        (
            "git push",
            "fatal: has no upstream branch.\n\n    git push --set-upstream origin plans\n",
            128,
            "git push --set-upstream origin plans",
        ),
        ("git push", " ! [rejected]   main -> main (fetch first)", 1, "git pull --rebase"),
        ("mkdir a/b", "mkdir: cannot create directory ‘a/b’: No such file or directory", 1, "mkdir -p a/b"),
        ("rm old", "rm: cannot remove 'old': Is a directory", 1, "rm -ri old"),
        ("cat work", "cat: work: Is a directory", 1, "ls -la work"),
        ("python3 a.py", "ModuleNotFoundError: No module named 'yaml'", 1, "python3 -m pip install pyyaml"),
        ("python3 a.py", "ModuleNotFoundError: No module named 'shopping'", 1, "python3 -m pip install shopping"),
        ("git status", "fatal: not a git repository (or any of the parent directories): .git", 128, "git init"),
        ("cp big x", "cp: error writing 'x': No space left on device", 1, "df -h"),
        ("python3 -m http.server", "OSError: [Errno 98] Address already in use", 1, "ss -tlnp"),
    ],
)
def test_an_error_gets_what_helps(line: str, output: str, code: int, meant: str) -> None:
    assert suggested("explain-error", after(line, output, code)) == meant


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("python3 a.py", "NameError: name 'x' is not defined"),
        ("ssh a", "REMOTE HOST IDENTIFICATION HAS CHANGED!"),
        ("x", "Segmentation fault"),
    ],
)
def test_an_error_that_no_command_mends_is_explained(line: str, output: str) -> None:
    assert suggested("explain-error", after(line, output, 1)) not in {None, line}


def test_a_name_that_is_not_there_becomes_the_nearest_one() -> None:
    event = after("cat notse.txt", "cat: notse.txt: No such file or directory", 1, near={"notse.txt": ["notes.txt"]})
    assert suggested("explain-error", event) == "cat notes.txt"
    harmful = after("rm -rf /ect", "rm: cannot remove '/ect': No such file or directory", 1, near={"/ect": ["/etc"]})
    assert suggested("explain-error", harmful) == "There is no file or folder of that name."


def test_after_a_failed_command_names_near_those_that_are_missing_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "work").mkdir()
    for name in ("notes.txt", "work/plans.md"):
        (tmp_path / name).touch()

    def told(line: str, exit_code: int) -> object:
        return look_around(os.getpid(), "bash", line, Stage.AFTER, exit_code).get("near")

    assert told("cat -n notse.txt work/plan.md zzzz notes.txt", 1) == {
        "notse.txt": ["notes.txt"],
        "work/plan.md": ["work/plans.md"],
    }
    assert told("cat 'notse.txt", 1) == {"notse.txt": ["notes.txt"]}
    assert told("cat nowhere/x.txt", 1) is None
    assert told("cat notse.txt", 127) is None
    assert told("cat notse.txt", 0) is None
    assert folder_of(2**30) is None


@pytest.mark.parametrize("event", [before("cat x"), after("cat x", "", 0), after("cat x", "strange trouble", 1)])
def test_where_nothing_failed_or_nobody_knows_why_nothing_is_explained(event: AgentEvent) -> None:
    assert suggested("explain-error", event) is None


def test_hints_are_declared_in_full() -> None:
    assert len(load_hints()) >= 60
    assert all(hint.says.endswith((".", "?")) for hint in load_hints())


@pytest.mark.parametrize(
    ("question", "command"),
    [
        ("how much disk space is left?", "df -h"),
        ("find all files larger than 100 MB", "find . -type f -size +100M"),
        ("how many lines are in notes.txt", "wc -l notes.txt"),
        ("unpack photos.tar.gz", "tar -xzf photos.tar.gz"),
        ("rename a.txt to b.txt", "mv a.txt b.txt"),
        ("show the last 20 lines of server.log", "tail -n 20 server.log"),
        ("make a directory called plans", "mkdir plans"),
        ("what is my ip address", "ip addr"),
        ("count the python files", 'find . -name "*.py" | wc -l'),
        ("undo the last commit but keep my changes", "git reset --soft HEAD~1"),
        ("who is logged in now", "who"),
        ("copy the folder work to backup", "cp -r work backup"),
        ("connect to the machine 10.0.0.5 as bob", "ssh bob@10.0.0.5"),
        ("how do I unpack backup.tar.gz", "tar -xzf backup.tar.gz"),
        ("please unpack backup.zip", "unzip backup.zip"),
        ("which files did i modify in the last 3 days", "find . -type f -mtime -3"),
        ("which files were not changed for 30 days", "find . -type f -mtime +30"),
        ("are there files bigger than 2 gb", "find . -type f -size +2G"),
        ("what is the ip address of this machine", "ip addr"),
        ("how can i uninstall the package nano", "sudo apt remove nano"),
        ("replace foo with bar in config.yaml", 'sed -i.bak "s/foo/bar/g" config.yaml'),
        ("print the first five lines of table.csv", "head -n 5 table.csv"),
        ("remove duplicates from names.txt", "sort -u names.txt"),
    ],
)
def test_a_question_in_english_becomes_a_command(question: str, command: str) -> None:
    assert suggested("command", before(question, known=False)) == command


@pytest.mark.parametrize(
    "line",
    [
        "git status",
        "ls -la",
        "make all",
        "echo how are you in the house",
        "who am i",
        "tell me a joke",
        "how do i boil an egg",
        "git commit -m 'the end of it all'",
        "for x in a b; do echo $x; done",
        "(exit 3)",
        "./stop the process 3",
    ],
)
def test_what_is_a_command_or_about_something_else_gets_no_command(line: str) -> None:
    proposal = advisers().command.preview(before(line, known=advisers().installed.has(line.split(maxsplit=1)[0])))
    assert proposal is None or proposal.confidence < 0.4


@given(st.sampled_from(["a.zip", "b.tar.gz", "c.tgz", "d.xz"]), st.sampled_from(["unpack", "extract", "decompress"]))
def test_a_program_is_suggested_only_for_files_that_it_is_for(name: str, verb: str) -> None:
    made = advisers().command.preview(before(f"how do i {verb} {name}?", known=False))
    if made is not None and made.confidence >= 0.4:
        assert made.actions[0].text.startswith("unzip") == name.endswith("zip")


def test_of_two_commands_that_are_as_good_none_is_suggested() -> None:
    twins = Recipes(
        (Recipe("ls -1", "list what is here in a column"), Recipe("ls -m", "list what is here in a column"))
    )
    made = Command(advisers().installed, twins, None, advisers().command.folder)
    made.warm()
    alone = Command(advisers().installed, Recipes(twins.all[:1]), None, advisers().command.folder)
    alone.warm()
    for question in (
        "could you list this in some way",
        "what things are in this place",
        "show columns of what is here",
    ):
        unsure, sure = (one.preview(before(question, known=False)) for one in (made, alone))
        assert unsure is None or (sure is not None and unsure.confidence < sure.confidence)


def test_a_question_that_was_run_is_answered_after_it_failed() -> None:
    failed = after("how much disk space is left", "bash: how: command not found", 127)
    assert suggested("command", failed) == "df -h"
    assert suggested("command", after("how much disk space is left", "", 0)) is None
    assert suggested("command", after("cat notes", "cat: notes: No such file", 1)) is None


def ranking(url: str, mode: ModelUse = ModelUse.ALWAYS) -> Command:
    model = LanguageModel(ModelSettings(mode, url, "some-model"))
    made = advisers().command
    ranked = Command(made.installed, made.recipes, partial(choose_candidate, model, limit_s=30), made.folder)
    ranked.warm()
    return ranked


QUESTION = "find files larger than 100 MB in the folder secret-plans"


def choice(number: str) -> str:
    return json.dumps({"requests": [{"goal": number}]})


def test_a_language_model_chooses_among_the_candidates_and_sees_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    usual = [recipe for _, recipe in advisers().command.candidates(QUESTION)]
    with served(saying(choice("2"))) as endpoint:
        ranked = ranking(endpoint.url)
        assert [recipe for _, recipe in ranked.candidates(QUESTION)] == usual
        assert endpoint.sent == [], "at Enter there is no time for a model"
        found = [recipe for _, recipe in ranked.candidates(QUESTION, asked=True)]
        assert ranked.preview(AgentEvent(text=QUESTION, context={"asked": True})) is not None
    assert found == [usual[1], usual[0], usual[2]]
    sent = json.dumps(endpoint.sent)
    assert "secret" not in sent
    assert "100" not in json.dumps(endpoint.sent[0][2]["messages"])


@pytest.mark.parametrize(
    "answers",
    [[refusing(500)], [saying("no JSON")], [saying(choice("7"))], [saying(json.dumps({"requests": []}))]],
)
def test_a_language_model_that_is_of_no_use_costs_one_line_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answers: list[Callable[..., None]]
) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    usual = advisers().command.candidates(QUESTION)
    with served(*answers) as endpoint:
        assert ranking(endpoint.url).candidates(QUESTION, asked=True) == usual
        assert endpoint.sent
    told = [record.getMessage() for record in caplog.records if record.name == "language.llm.ranking"]
    assert len(told) == 1
    assert "the language model put no commands in order" in told[0]
    assert "secret" not in caplog.text


def test_without_its_packages_or_turned_off_a_language_model_chooses_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    usual = advisers().command.candidates(QUESTION)
    assert ranking("http://127.0.0.1:9/v1", ModelUse.OFF).candidates(QUESTION, asked=True) == usual
    assert not caplog.records
    monkeypatch.setattr("language.llm.client.is_installed", lambda: False)
    assert ranking("http://127.0.0.1:9/v1").candidates(QUESTION, asked=True) == usual
    assert "pip install" in caplog.text


def test_what_a_question_does_not_name_stays_for_the_user_to_write() -> None:
    assert suggested("command", before("how do i find big files?", known=False)) == "find . -type f -size +SIZE"


@given(st.text(max_size=120))
def test_any_line_gets_an_answer_from_each_agent_or_none(text: str) -> None:
    for event in (before(text, known=False), after(text, text, 1), after(text, "", 127)):
        for agent in agents().values():
            proposal = agent.preview(event)
            if proposal is not None:
                assert not [action for action in proposal.actions if danger_in(action.text)]


@given(st.text(max_size=80))
def test_values_are_words_of_the_question(question: str) -> None:
    for slot, values in values_in(question).items():
        if slot not in {"SIZE", "EXTENSION"}:
            assert all(value in question for value in values)


def test_a_command_is_explained_from_its_manual_page() -> None:
    assert advisers().manual.preview(before("sudo tar -xzf a.tar.gz")) is None, "nobody asked"
    event = AgentEvent(text="sudo tar -xzf a.tar.gz", context={"asked": True})
    proposal = advisers().manual.preview(event)
    assert proposal is not None
    assert advisers().manual.execute(event, proposal.actions).text.split("\n") == [
        "tar: an archiving utility",
        "  -x: Extract files from an archive. Arguments are optional.",
        "  -z: Filter the archive through gzip.",
        "  -f: Use archive file.",
    ]


def test_without_a_manual_page_it_says_so_and_uses_the_recipes() -> None:
    event = AgentEvent(text="df -h | nonsense", context={"asked": True})
    proposal = advisers().manual.preview(event)
    assert proposal is not None
    told = advisers().manual.execute(event, proposal.actions).text
    assert "no manual page" in told
    assert "df -h" in told


def test_a_misused_command_is_worth_explaining_and_an_unknown_one_is_not() -> None:
    assert advisers().manual.preview(before("nonsense")) is None
    usual, misused = (
        advisers().manual.preview(AgentEvent(text="tar -x", context={"asked": True})),
        advisers().manual.preview(after("tar -q", "tar: invalid option -- 'q'", 2)),
    )
    assert usual is not None
    assert misused is not None
    assert usual.confidence < 0.1 < misused.confidence


def test_options_are_read_one_by_one() -> None:
    assert options_in("tar -xzf a --file=b -n5 -- x") == ["-xzf", "-x", "-z", "-f", "--file", "-n"]
    assert option_in(PAGE, "--gzip") == "Filter the archive through gzip."
    assert option_in(PAGE, "--nothing") == ""


def test_without_manual_pages_there_are_none(tmp_path: Path) -> None:
    made = make_advisers({"PATH": str(tmp_path / "missing")}, folder=tmp_path)
    assert (made.installed.page("tar"), dict(made.installed.summaries), made.installed.commands) == (
        None,
        {},
        frozenset(),
    )


def test_a_manual_that_fails_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "man").write_text("no program")
    (tmp_path / "man").chmod(0o755)
    made = make_advisers({"PATH": str(tmp_path)}, folder=tmp_path)
    assert made.installed.page("tar") is None
    assert made.installed.page("../etc/passwd") is None


def test_there_are_recipes_enough_and_all_are_in_form() -> None:
    recipes = load_recipes()
    assert len(recipes.all) >= 150
    assert all(recipe.says and recipe.program for recipe in recipes.all)
    assert len({recipe.command for recipe in recipes.all}) == len(recipes.all)
    assert {"git", "docker"} <= set(recipes.subcommands)
    assert os.sep not in "".join(recipes.commands)
