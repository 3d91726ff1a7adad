"""`fix`: a refused line is mended: by what its program proposes, by how it was typed, and by what the machine has.

Every edit is tried against the machine (commands on the path, subcommands, options, files named in the line). A
suggestion differs from the line, is no danger, and all its programs exist; what is not likely enough is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from dialogue.agents.agent import Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction, Stage
from dialogue.agents.terminal import calls
from dialogue.agents.terminal.advisers.installed import Installed
from dialogue.agents.terminal.advisers.proposals import ProgramProposal, ProposalForm, proposals_in
from dialogue.agents.terminal.advisers.recipes import Recipes
from dialogue.agents.terminal.advisers.vocabulary import ASKED, COMMAND, HERE, NOT_FOUND, RUNS, UNKNOWN
from dialogue.agents.terminal.danger import danger_in
from language.responses.agents import terminal as words

_LEAST = 0.5
"""How alike, of 1, a name must be to what was typed."""
_BONUS = 0.12
"""What it is worth each that a name is a common one, begins with the same letter, or has the same letters."""
_SURE = 0.96
_OTHERWISE = 0.5
"""What is left of confidence where the line reads as English, or names a program that could be installed."""
_WORTH = 0.4
"""A suggestion of which one is less sure is no better than none."""
_PROPOSED: Mapping[ProposalForm, float] = {
    ProposalForm.SAID: 0.96, ProposalForm.RUN: 0.92, ProposalForm.ADD: 0.9, ProposalForm.LISTED: 0.9
}  # fmt: skip
_NAMED, _UNNAMED = 0.35, 0.6
"""How alike a word must be to what a program puts in its place, where the program names the word, and where not."""
_MOST, _MOST_STAGES = 25, 8
"""Proposals and words of a line, and its stages, that are looked at."""
_INSTALLS = re.compile(r"(?:sudo )?(?:apt|apt-get|dnf|snap|brew|pacman) (?:install|-S) ")
_TYPED = 0.95
_OPTION = re.compile(
    r"(?:unrecognized|unknown|invalid|illegal|unexpected|no such) (?:option|argument|switch|flag)s?:?(?: --)?\s*"
    r"[‘'`\"]?(?P<it>-{0,2}[\w-]+)",
    re.IGNORECASE,
)
_SUBCOMMAND = re.compile(
    r"[‘'`\"](?P<it>[\w-]+)[’'`\"] is not (?:a|an) .{0,20}command"
    r"|(?:unknown|invalid|no such) (?:sub-?command|command|operation|verb|choice)(?: verb)?:?\s*[‘'`\"]?"
    r"(?P<other>[\w-]+)"
    r"|^\w+ (?P<third>[\w-]+): unknown (?:sub)?command",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_THERE = re.compile(
    r"(?:^|[: ])[‘'`\"]?(?P<it>[^\s:‘’'`\"]+)[’'\"]?: (?:command )?not found|command not found: (?P<other>\S+)"
    r"|^(?:xargs|env|nohup|nice|time): [‘'`]?(?P<third>[^\s:’']+)[’']?: No such file",
    re.MULTILINE,
)
_NOT_AS_ROOT = re.compile(
    r"(?:do not|don't|must not|cannot|can't|should not|shouldn't|refus\w+ to|not be) (?:be )?"
    r"(?:run|running|execut\w+)?\s*(?:this |it )?(?:as|with) (?:root|the superuser|superuser|sudo)\b",
    re.IGNORECASE,
)
_COPIED = re.compile(
    r"^\s*(?:\([\w.-]+\) ?)?"
    r"(?:\[?[\w.-]+@[\w.-]+[: ]?[^\s$#%>]*\]?\s?[$#%>]|(?:ba|da|z)?sh-[\d.]+[$#]|[$%>❯➜])\s+(?=\S)"
)
"""A prompt that was copied with the command behind it."""
_DASHES = re.compile(r"(?<!\S)(?P<dash>[‐‑‒–—―−]+)-?(?=[A-Za-z])(?P<rest>[\w-]*)")
_LOOKALIKES = str.maketrans("\u00a0\u202f\u2007“”„‘’", '   """\'\'', "\u200b\ufeff")
_AS_TEXT = frozenset({"echo", "printf", "git"})
"""Programs whose words are often text: quotes and dashes in it are as meant, until the line fails."""
_SHOW_TEXT = frozenset("cat head tail less more grep rg diff cmp sort uniq cut awk sed curl wget jq".split())
"""Programs that write texts of others: of those only lines that begin with their own names are what they say."""
_RUN_OTHERS = frozenset(
    "make pytest tox nox npm npx yarn pnpm docker ssh sh bash python python3 node ruby perl php java mvn gradle cargo"
    " go bundle strace xargs find".split()
)
"""Programs that run others, which may tell of options of their own."""
_LEADS_ON = frozenset({"sudo", "man", "which", "type", "command", "nohup"})
"""Programs that the name of another one follows."""


class Mended(NamedTuple):
    """A line with an edit, why, and how sure that is."""

    line: str
    says: str
    sure: float


@dataclass(frozen=True)
class Fix:
    """The agent; `common` commands are taken first among names that are equally like what was typed.

    `packaged` are programs of which it is known in which package they are.
    """

    installed: Installed
    recipes: Recipes
    packaged: Collection[str] = field(default=(), repr=False)

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Propose the likeliest edit of the line."""
        if "\n" in event.text:
            return None
        missing = self._missing(event)
        found = (one for one in self._edits(event, missing) if one.sure >= _WORTH)
        better = (one for one in found if self._is_better(event, one.line, missing))
        if (best := max(better, key=lambda one: one.sure, default=None)) is None:
            return None
        action = ProposedAction(text=best.line, description=best.says, outputs=(COMMAND,))
        return Proposal(confidence=round(best.sure, 3), actions=(action,))

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        return AgentReply(text="\n".join(action.description for action in actions), actions=tuple(actions))

    def _is_better(self, event: AgentEvent, line: str, missing: Collection[str]) -> bool:
        """Return whether a line differs from the refused one, does no harm, and names programs that exist."""
        if re.sub(" +", " ", line.strip(" ")) == re.sub(" +", " ", event.text.strip(" ")) or danger_in(line):
            return False
        heads = {stage[0].text for stage in calls.stages_of(event.text)} - set(missing)
        return all(
            self.installed.has(stage[0].text) or stage[0].text in heads or "/" in stage[0].text
            for stage in calls.stages_of(line)
        )

    def _missing(self, event: AgentEvent) -> frozenset[str]:
        """Return the programs of the line that the shell does not know."""
        stages = calls.stages_of(event.text)
        found = {part for told in _NOT_THERE.finditer(event.output) for part in told.groups() if part}
        if event.exit_code == NOT_FOUND or event.context.get(UNKNOWN) or event.context.get(ASKED):
            found |= {stages[0][0].text} if stages else set()
        return frozenset(
            stage[0].text for stage in stages if stage[0].text in found and not self.installed.has(stage[0].text)
        )

    def _edits(self, event: AgentEvent, missing: Collection[str]) -> Iterator[Mended]:
        failed = event.stage is Stage.AFTER and calls.has_failed(event.text, event.output, event.exit_code)
        yield from self._as_typed(event.text, failed=failed)
        for stage in calls.stages_of(event.text)[:_MOST_STAGES]:
            if stage[0].text in missing:
                yield from self._unknown(event, stage)
            elif failed:
                yield from self._refused(event, stage)
        if failed:
            yield from self._proposed(event)
            if event.text.lstrip().startswith("sudo ") and _NOT_AS_ROOT.search(event.output):
                yield Mended(event.text.lstrip().removeprefix("sudo "), words.mended("root"), _TYPED)

    # --- by how the line was typed

    def _as_typed(self, line: str, *, failed: bool) -> Iterator[Mended]:
        if prompt := _COPIED.match(line):
            rest = line[prompt.end() :]
            name = rest.split()[0]
            if self.installed.has(name) and (prompt[0].strip() != ">" or " " in rest.strip()):
                yield Mended(rest, words.mended("prompt", prompt[0].strip()), _TYPED)
        stages = calls.stages_of(line)
        if failed or (stages and stages[0][0].text not in _AS_TEXT):
            plain = _DASHES.sub(self._dashed, line).translate(_LOOKALIKES)
            if plain != line:
                yield Mended(plain, words.mended("signs"), _TYPED)
        for stage in stages if failed else ():
            texts = [word.text for word in stage]
            for size in (1, 2, 3):
                if len(texts) > size and texts[:size] == texts[size : 2 * size]:
                    yield Mended(
                        line[: stage[size - 1].end] + line[stage[2 * size - 1].end :],
                        words.mended("twice", " ".join(texts[:size])),
                        0.99,
                    )

    @staticmethod
    def _dashed(found: re.Match[str]) -> str:
        """Return a hyphen for a dash, or two where a word follows rather than letters."""
        dash, rest = found["dash"], found["rest"]
        return ("--" if len(dash) > 1 or "-" in found[0][1:2] or dash == "—" or len(rest) > 3 else "-") + rest

    def _unknown(self, event: AgentEvent, stage: Sequence[calls.LineWord]) -> Iterator[Mended]:
        """Mend the name of a program that does not exist: a space or `./` is missing, or it is mistyped."""
        name, line, here = stage[0].text, event.text, event.context.get(HERE)
        kinds: Mapping[str, object] = here if isinstance(here, Mapping) else {}
        for said in self._parted(name, kinds):
            yield Mended(calls.put_in(line, stage[0], said), words.mistyped(name, said), 0.93)
        if kinds.get(name) == "program":
            yield Mended(calls.put_in(line, stage[0], f"./{name}"), words.mended("here", name), _SURE)
        elif name in kinds:
            runs = next((one for one in RUNS.get(name[name.rfind(".") :], ()) if self.installed.has(one)), None)
            if runs is not None:
                yield Mended(calls.put_in(line, stage[0], f"{runs} {name}"), words.mended("here", name), _SURE)
        arguments = [word.text for word in stage[1:]]
        if len(arguments) == 1 and kinds.get(arguments[0].rstrip("/")) == "folder" and OSA.distance(name, "cd") == 1:
            yield Mended(calls.put_in(line, stage[0], "cd"), words.mistyped(name, "cd"), _SURE)
        if re.fullmatch(r"[\w.+-]+", name) and (found := self._nearest_command(name, event, arguments)):
            yield Mended(calls.put_in(line, stage[0], found[0]), words.mistyped(name, found[0]), found[1])

    def _parted(self, name: str, here: Mapping[str, object]) -> Iterator[str]:
        """Yield a name as a program and what follows it, where a space is missing or a hyphen stands for it."""
        for at in range(len(name) - 1, 1, -1):
            head, tail = name[:at], name[at:]
            if not self.installed.has(head):
                continue
            subcommands = self.recipes.subcommands.get(head, frozenset())
            if tail in subcommands or tail in here or (head in _LEADS_ON and self.installed.has(tail)):
                yield f"{head} {tail}"
            elif tail[1:] in subcommands and tail[0] in "-_":
                yield f"{head} {tail[1:]}"
            elif (
                tail[0] in "/~\"'"
                or tail.startswith("..")
                or (tail[0] == "-" and not subcommands and re.search(rf"\s-\w*{tail[1:]}", self.recipes.uses(head)))
            ) and (head in self.recipes.commands or head in self.installed.builtins):
                yield f"{head} {tail}"

    def _nearest_command(self, name: str, event: AgentEvent, arguments: Sequence[str]) -> tuple[str, float] | None:
        known = self.installed.commands | self.installed.builtins
        found = nearest(name, known, self.recipes.commands)
        first = arguments[0] if arguments else ""
        for command, subcommands in self.recipes.subcommands.items():
            if first in subcommands and self.installed.has(command) and sorted(name) == sorted(command):
                found = command, _SURE
        if found is None:
            return None
        if name in self.packaged:
            return None if event.stage is Stage.BEFORE else (found[0], found[1] * _OTHERWISE)
        english = calls.is_question(event.text) or calls.function_words(event.text) > 0
        return (found[0], found[1] * _OTHERWISE) if english else found

    # --- by what the program says

    def _refused(self, event: AgentEvent, stage: Sequence[calls.LineWord]) -> Iterator[Mended]:
        """Mend a subcommand or an option that the program does not know, by those that are known of it."""
        name = stage[0].text
        subcommands = self.recipes.subcommands.get(name, frozenset())
        if subcommands and (told := _SUBCOMMAND.search(event.output)):
            wrong = next(part for part in told.groups() if part)
            at = next((at for at, word in enumerate(stage) if at and word.text == wrong), 0)
            if at and wrong not in subcommands:
                if found := nearest(wrong, subcommands):
                    yield Mended(
                        calls.put_in(event.text, stage[at], found[0]), words.mistyped(wrong, found[0]), found[1]
                    )
                elif at + 1 < len(stage) and (after := stage[at + 1].text) in subcommands:
                    swapped = calls.put_in(calls.put_in(event.text, stage[at + 1], wrong), stage[at], after)
                    yield Mended(swapped, words.mended("order"), 0.9)
        if told := _OPTION.search(event.output):
            for word in stage[1:]:
                option = word.text.split("=")[0]
                if option.startswith("-") and option.lstrip("-") == told["it"].lstrip("-"):
                    texts = self.installed.page(name) or "", self.recipes.uses(name), event.output
                    known = options_of("\n".join(texts)) - {option}
                    if option not in known and (found := nearest(f"--{option.lstrip('-')}", known)):
                        sure = _SURE if found[0].lstrip("-") == option.lstrip("-") else found[1]
                        changed = calls.put_in(event.text, word, found[0] + word.text[len(option) :])
                        yield Mended(changed, words.mistyped(option, found[0]), sure)

    def _proposed(self, event: AgentEvent) -> Iterator[Mended]:
        """Mend the line by what its program proposes; an earlier one is surer, and one for the same subcommand."""
        stages, output = calls.stages_of(event.text), event.output
        heads = {stage[0].text for stage in stages}
        helps = any(word.text in {"-h", "-help", "help", "-?"} for stage in stages for word in stage[1:])
        if heads & _SHOW_TEXT and not helps:
            output = "\n".join(line for line in output.split("\n") if line.partition(":")[0] in heads)
        for at, told in enumerate(islice(proposals_in(output, helps=helps), _MOST) if stages else ()):
            full = {text: stage for text in told.texts for stage in stages if calls.program_of(text) == stage[0].text}
            runs = told.form in {ProposalForm.RUN, ProposalForm.SAID}
            commands = [text for text in full if runs and " " in text]
            sure = _PROPOSED[told.form] - 0.001 * at
            if commands:
                right = max(commands, key=lambda text: OSA.normalized_similarity(event.text, text))
                first = [word.text for word in full[right][:2]]
                same = first == right.split()[-2:] or right.startswith(" ".join(first))
                if same or output[told.at - 1 : told.at] != "(":  # a remark in brackets tells of what else there is
                    line = _merged(event.text, full[right], right, keep=told.form is ProposalForm.SAID, whole=helps)
                    yield Mended(line, words.mended("proposed", right), sure + 0.03 * same)
            elif told.form is ProposalForm.RUN:
                if event.exit_code == NOT_FOUND and _INSTALLS.match(told.texts[0]):
                    yield Mended(told.texts[0], words.mended("proposed", told.texts[0]), sure)
            elif told.form is ProposalForm.ADD and not heads & _RUN_OTHERS:
                stage = next((one for one in stages if f"{one[0].text}:" in output), stages[-1])
                within = len(stage) > 1 and stage[1].text in self.recipes.subcommands.get(stage[0].text, ())
                known = within or stage[0].text in self.recipes.commands
                after = stage[-1] if not known else stage[1 if within else 0]
                if all(word.text != told.texts[0] for word in stage):
                    line = calls.put_in(event.text, after, f"{event.text[after.start : after.end]} {told.texts[0]}")
                    yield Mended(line, words.mended("proposed", told.texts[0]), sure)
            elif told.form is not ProposalForm.ADD and (found := self._word_for(told, event, stages)):
                yield Mended(calls.put_in(event.text, *found), words.mended("proposed", found[1]), sure)

    def _word_for(
        self, told: ProgramProposal, event: AgentEvent, stages: Sequence[Sequence[calls.LineWord]]
    ) -> tuple[calls.LineWord, str] | None:
        """Return the word of the line that was refused, and which of those that are named takes its place."""
        before = event.output[max(0, told.at - 400) : told.at]
        quoted = re.findall(r"[\"'`‘“]([^\"'`‘’“”\n]+)[\"'`’”]", before.rpartition("\n")[2])
        if quoted and not any(part in event.text for part in quoted):
            return None  # what was refused is no word of the line, such as a name in a program
        pairs = []
        for word, place in islice(((word, place) for stage in stages for place, word in enumerate(stage)), _MOST):
            wrong = word.text.split("=")[0] if word.text.startswith("-") else word.text
            named = re.search(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])", before) is not None
            if (place == 0 and self.installed.has(wrong)) or wrong in told.texts:
                continue
            for right in told.texts:
                alike = OSA.normalized_similarity(wrong, right)
                listed = nearest(wrong, [right]) is not None and (named or place in {1, 2})
                if listed if told.form is ProposalForm.LISTED else alike >= (_NAMED if named else _UNNAMED):
                    pairs.append((named, alike, word, right + word.text[len(wrong) :]))
        if not pairs:
            return None
        _, alike, word, right = max(pairs, key=lambda pair: pair[:2])
        several = sum(one.startswith(word.text) for one in told.texts) > 1 and alike < _UNNAMED
        return None if several else (word, right)


def _merged(line: str, stage: Sequence[calls.LineWord], proposal: str, *, keep: bool, whole: bool) -> str:
    """Put a command that is proposed in the place of the stage that it is for.

    Where only options are new, they are added to the stage; where `keep`, what follows the replaced words stays.
    """
    said = proposal.split()
    if line[: stage[0].start].strip():  # the line leads to its program in its own way, such as by sudo
        said = said[said.index(stage[0].text) :]
    typed, plain = [word.text for word in stage], [word for word in said if not word.startswith("-")]
    if not whole and len(said) > len(plain) and typed[: len(plain)] == plain and len(typed) != len(said):
        after = stage[len(plain) - 1]
        new = [word for word in said if word.startswith("-") and word not in typed]
        return calls.put_in(line, after, " ".join([line[after.start : after.end], *new]))
    end = stage[len(said) - 1].end if keep and len(typed) > len(said) else stage[-1].end
    return line[: stage[0].start] + " ".join(said) + line[end:]


def nearest(wrong: str, known: Collection[str], common: Collection[str] = ()) -> tuple[str, float] | None:
    """Return the name that is most like what was typed, and how sure that is."""
    most = 1 if len(wrong) <= 5 else 2 if len(wrong) <= 8 else 3
    scored = []
    for name, alike, _ in process.extract(
        wrong, known, scorer=OSA.normalized_similarity, score_cutoff=_LEAST, limit=50
    ):
        anagram = sorted(wrong) == sorted(name)
        if OSA.distance(wrong, name) <= most + anagram:
            bonus = _BONUS * ((name in common) + (wrong[0] == name[0]) + 1.7 * anagram)
            scored.append((min(_SURE, alike + bonus), bonus, anagram, name))
    if not scored:
        return None
    scored.sort(key=lambda one: (-one[0], -one[1], not one[2], one[3]))
    sure, *_, name = scored[0]
    rivals = sum(other >= sure for other, *_ in scored[1:])
    return name, max(_LEAST * _OTHERWISE, sure - 2 * _BONUS * min(2, rivals))


def options_of(text: str) -> frozenset[str]:
    """Return the long options that a manual page, or another text of a program, names."""
    return frozenset(re.findall(r"(?<![\w-])--[a-z][\w-]+", text.replace("‐", "-").replace("−", "-")))
