"""`command`: a question in English becomes a command, by what recipes and manual pages say that commands do.

Phrases and the question are compared by meaning (the encoder) and by words that are rare among all phrases. What the
question names, such as a file or a size, goes into the slots of the recipe; what it does not name stays as a word in
capitals, for the user to replace. A language model, where one is set up, only puts candidates in order.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import NamedTuple

import numpy as np

from dialogue.agents.agent import Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction, Stage
from dialogue.agents.terminal.advisers.installed import Installed
from dialogue.agents.terminal.advisers.likeness import done_in, fits, overlap, stems, unlike
from dialogue.agents.terminal.advisers.recipes import SLOT, Recipe, Recipes
from dialogue.agents.terminal.advisers.vocabulary import ASKED, COMMAND, NOT_FOUND, UNKNOWN
from dialogue.agents.terminal.calls import is_question, reads_as_english
from dialogue.agents.terminal.danger import danger_in
from language.responses.agents import terminal as words
from language.text.array_cache import default_folder
from language.text.encoder import Vectors, encode, encode_once, load_encoder

Rank = Callable[[str, Sequence[str]], int]
"""Puts candidates in order: given a question and what candidates do, returns the place of the best one."""
_TAKES_TEXT = frozenset(
    "echo printf git say man apropos whatis wall cowsay figlet espeak clai write mail export alias".split()
)
_MEANING, _WORDS = 0.65, 0.35
_ASSUMED = 0.04
"""What each slot that the question does not fill costs."""
_UNHEEDED = 0.12
"""What each thing costs that the question names and the command has no place for."""
_AHEAD = 0.25
"""The share that counts of how far the best score is ahead of the next one."""
_CLOSE = 0.015
"""Scores that are nearer are no reason to prefer one: better say nothing than the wrong thing."""
_FILLED = 0.02
"""What each slot that the question fills is worth."""
_LOW, _HIGH = 0.42, 0.82
"""Scores that stand for a confidence of 0 and of 1."""
_PATIENCE = 1.5
"""Seconds that a question waits until the recipes are read."""
_CANDIDATES = 3
_SORT = "terminal"


@dataclass(frozen=True)
class _Entry:
    recipe: Recipe
    phrase: str


class _Index(NamedTuple):
    """What a question is compared with: phrases, their vectors, and how rare words are among them."""

    entries: tuple[_Entry, ...]
    vectors: Vectors
    rarity: Mapping[str, float]


@dataclass
class _Found:
    """What `warm` has made so far: first of the recipes, then of all manual pages, too."""

    index: _Index | None = None
    ready: Event = field(default_factory=Event)


@dataclass(frozen=True)
class Command:
    """The agent. `folder` is where vectors are kept; `rank` asks a language model."""

    installed: Installed
    recipes: Recipes
    rank: Rank | None = None
    folder: Path | None = None
    _found: _Found = field(default_factory=_Found, repr=False, compare=False)

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Propose the command of the best recipe."""
        if not self._is_question(event):
            return None
        found = self.candidates(event.text, asked=bool(event.context.get(ASKED)))
        if not found:
            return None
        score, recipe = found[0]
        values = slots_of(recipe, event.text)
        line = fill(recipe.command, values)
        ahead = score - found[1][0] if len(found) > 1 else _CLOSE
        score += -_UNHEEDED if 0 <= ahead < _CLOSE else _AHEAD * max(ahead, 0.0)
        sure = max(0.0, min(0.98, (score - _LOW) / (_HIGH - _LOW)))
        if sure == 0.0 or danger_in(line):
            return None
        says = words.recipe(fill(recipe.says, values), [slot for slot in recipe.slots if not values.get(slot)])
        return Proposal(
            confidence=round(sure, 3), actions=(ProposedAction(text=line, description=says, outputs=(COMMAND,)),)
        )

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        return AgentReply(text="\n".join(action.description for action in actions), actions=tuple(actions))

    def warm(self) -> None:
        """Make ready what the first question would otherwise wait for."""
        load_encoder()
        self._found.index = self._make_index(all_pages=False)
        self._found.ready.set()
        self._found.index = self._make_index(all_pages=True)

    def _is_question(self, event: AgentEvent) -> bool:
        """Return whether a line is a question or a request in English, and no command."""
        said = event.text.lower().strip("?!. ").split()
        if len(said) < 2 or "\n" in event.text or said[0] in _TAKES_TEXT:
            return False
        if re.fullmatch(r"[“\"']?[^\W\d_][\w'’-]*,?", said[0]) is None:
            return False  # such as “(exit” or “./run”
        asks = is_question(event.text)
        if event.stage is Stage.AFTER and (not event.exit_code or (event.exit_code != NOT_FOUND and not asks)):
            return False
        if event.context.get(UNKNOWN) or not self.installed.has(said[0]):
            return asks or len(said) >= 3 or not re.search(r"\s-\w", event.text)
        return reads_as_english(event.text) or (event.stage is Stage.AFTER and asks)

    def candidates(self, question: str, *, asked: bool = False) -> list[tuple[float, Recipe]]:
        """Return the best recipes for a question, with their scores, the best first.

        Where an answer was `asked` for, and is waited for, a language model may choose among them. It sees the
        question without the names and figures in it.
        """
        if not self._found.ready.wait(_PATIENCE) or self._found.index is None:
            return []
        entries, vectors, rarity = self._found.index
        general = generalize(question)
        meaning = vectors @ encode([general])[0]
        said, does = set(stems(general)), done_in(general)
        best: dict[str, tuple[float, Recipe]] = {}
        values = values_in(question)
        for place in np.argsort(-meaning)[:40]:
            entry = entries[int(place)]
            score = _MEANING * float(meaning[place]) + _WORDS * overlap(said, set(stems(entry.phrase)), rarity)
            score -= _ASSUMED * sum(not values.get(slot.rstrip("2")) for slot in entry.recipe.slots)
            score += _FILLED * sum(bool(values.get(slot.rstrip("2"))) for slot in entry.recipe.slots)
            score += fits(entry.recipe.program, values.get("FILE", ()))
            score -= unlike(does, done_in(entry.phrase)) + _UNHEEDED * len(unheeded(entry.recipe, values))
            if score > best.get(entry.recipe.command, (-1.0, entry.recipe))[0]:
                best[entry.recipe.command] = (score, entry.recipe)
        found = sorted(best.values(), key=lambda pair: -pair[0])[:_CANDIDATES]
        if asked and self.rank is not None and len(found) > 1:
            place = self.rank(without_names(question), [SLOT.sub(r"\1", recipe.says) for _, recipe in found])
            found.insert(0, found.pop(place))
        return found

    def _entries(self, *, all_pages: bool) -> list[_Entry]:
        """List phrases of recipes whose program is installed, and what manual pages say of other commands."""
        found = []
        for recipe in self.recipes.all:
            if "@" in recipe.program or self.installed.has(recipe.program):
                for phrase in (recipe.says, *recipe.phrases):
                    found.append(_Entry(recipe, SLOT.sub(lambda slot: _EXAMPLES[slot[1]], phrase)))
        for name, says in self.installed.summaries.items() if all_pages else ():
            if name not in self.recipes.commands:
                found.append(_Entry(Recipe(name, says), says))
        return found

    def _make_index(self, *, all_pages: bool) -> _Index:
        entries = self._entries(all_pages=all_pages)
        phrases = [entry.phrase for entry in entries]
        vectors = encode_once(phrases, self.folder or default_folder(), _SORT)
        count = Counter(stem for phrase in phrases for stem in set(stems(phrase)))
        rarity = {stem: math.log(1 + len(phrases) / often) for stem, often in count.items()}
        return _Index(tuple(entries), vectors, rarity)


_EXTENSIONS: Mapping[str, str] = {
    **{end: end for end in "pdf csv json yaml html log java c jpg png txt md py js go".split()},
    **{"python": "py", "javascript": "js", "text": "txt", "markdown": "md", "rust": "rs", "shell": "sh"},
    **dict.fromkeys(("picture", "image", "photo"), "jpg"),
}
_NUMBERS: Mapping[str, str] = {
    word: str(number)
    for number, words in enumerate(
        "two second,three third,four fourth,five fifth,six,seven,eight,nine,ten".split(","), 2
    )
    for word in words.split()
}
_QUOTED = r"[\"“'‘](?P<quoted>[^\"”'’]+)[\"”'’]"
_DOMAINS = "com|org|net|edu|gov|io|dev|de|fr|uk"
_VALUES: Sequence[tuple[str, str]] = (
    ("URL", r"(?P<it>https?://\S+)"),
    ("SIZE", r"(?P<it>\d+)\s*(?P<unit>[kmgt])(?:i?b|ega|iga|ilo)?\w*\b"),
    ("HOST", rf"(?<![\w@./-])(?P<it>(?:[\w-]+\.)+(?:{_DOMAINS})|\d+(?:\.\d+){{3}})(?![\w/])"),
    ("HOST", r"\b(?:host|server|machine|reach|ping)\s+(?P<it>(?:[\w-]+\.)+[a-z]{2,})\b"),
    ("PORT", r"\bports?\s+(?P<it>\d{1,5})\b"),
    ("USER", r"\buser\s+(?P<it>(?!name|belongs)[\w-]+)"),
    (
        "FOLDER",
        r"\b(?:folder|directory|dir)\s+(?:(?:called|named)\s+)?(?P<it>(?!with|as|is|in|by|and|to|recursively|tree|that|here|at|below|under|i|into|size)[\w./~-]+)",
    ),
    ("FOLDER", r"\b(?:in|inside|under|from|of)\s+(?:the\s+|my\s+)?(?P<it>[\w.-]+)\s+(?:folder|directory)\b"),
    ("FOLDER", r"(?<!\S)(?P<it>~?/[\w./-]*|\.\.?/[\w./-]*|~)(?=\s|\?|$)"),
    ("FILE", rf"(?<![\w/])(?P<it>~?[\w./-]*[\w-]\.(?!(?:{_DOMAINS})\b)[A-Za-z]\w{{0,5}}(?:\.\w{{2,3}})?)(?![\w/])"),
    ("BRANCH", r"\bbranch\s+(?:(?:called|named)\s+)?(?P<it>(?!and|to|is|am)[\w./-]+)"),
    ("PACKAGE", r"\b(?:package|install)\s+(?:the\s+)?(?:package\s+)?(?P<it>(?!python|package|about|has)[a-z][\w.+-]+)"),
    (
        "PROCESS",
        r"\b(?:kill|stop|process(?:es)?(?:\s+called)?|is)\s+(?P<it>(?!all|the|a|process|use|id|list)[a-z][\w.-]+)",
    ),
    ("NAME", r"\b(?:called|named|service|container|program|command)\s+(?P<it>(?!is|has|or|and)[\w.*-]+)"),
    (
        "NAME",
        r"\bthe\s+(?P<it>(?!system|running|last|new|same|right|following)[\w.-]+)\s+(?:service|container|command|daemon)\b",
    ),
    ("NAME", r"\b(?:restart|version of)\s+(?:the\s+)?(?P<it>(?!service|my|this|ubuntu|debian)[a-z][\w.-]+)"),
    ("USER", r"\b(?:to|by|as)\s+(?P<it>[a-z][\w-]*)\s*\??$"),
    ("BRANCH", r"\bthe\s+(?P<it>(?!current|new|old|right|remote|same)[\w./-]+)\s+branch\b"),
    ("TEXT", r"\breplac\w*\s+(?:all\s+)?(?P<it>[\w-]+)\s+(?:with|by)\b"),
    ("TEXT", r"\breplac\w*\s+(?:all\s+)?[\w-]+\s+(?:with|by)\s+(?P<it>[\w-]+)"),
    (
        "TEXT",
        r"\b(?:contain|containing|contains|word|text|with)\s+(?:the\s+)?(?:word\s+|text\s+|string\s+)?(?P<it>(?!the|all|commas|numbers|line|details)[A-Za-z]\w+)",
    ),
    ("TARGET", r"\b(?:to|into|with|by)\s+(?:the\s+)?(?:folder\s+|directory\s+)?(?P<it>[\w./~-]+)\s*\??$"),
    ("NUMBER", r"(?<![\w.])(?P<it>\d+)(?![\w.])"),
)


def values_in(question: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    quoted = [match["quoted"] for match in re.finditer(_QUOTED, question)]
    for slot, pattern in _VALUES:
        for match in re.finditer(pattern, question, re.IGNORECASE):
            value = match["it"] + match.groupdict().get("unit", "").upper() if slot == "SIZE" else match["it"]
            found.setdefault(slot, []).append(value.rstrip(".,;:?!"))
    for word in re.findall(r"[a-z]+", question.lower()):
        if word in _NUMBERS:
            found.setdefault("NUMBER", []).append(_NUMBERS[word])
        if word.removesuffix("s") in _EXTENSIONS:
            found.setdefault("EXTENSION", []).append(_EXTENSIONS[word.removesuffix("s")])
    found["EXTENSION"] = [
        *(v[1:] for v in re.findall(r"(?<!\w)\.[a-z0-9]{1,5}\b", question.lower())),
        *found.get("EXTENSION", []),
    ]
    if quoted:
        found["TEXT"] = quoted
        found.setdefault("NAME", quoted)
    for slot, other in (("NAME", "FILE"), ("FILE", "NAME")):
        if not found.get(slot) and found.get(other):
            found[slot] = found[other]
    return found


_EXAMPLES: Mapping[str, str] = {
    "URL": "https://example.org", "SIZE": "100M", "HOST": "example.org", "FILE": "notes.txt", "FILE2": "copy.txt",
    "PORT": "8080", "NUMBER": "10", "FOLDER": "work", "FOLDER2": "backup", "EXTENSION": "python", "TEXT": "word",
    "TEXT2": "text", "NAME": "name", "USER": "user", "PROCESS": "program", "PACKAGE": "package", "BRANCH": "branch",
}  # fmt: skip
"""What stands in phrases for what a question may name, so that they are compared by the rest."""
_LIKE_EXAMPLES = ("URL", "SIZE", "HOST", "FILE", "PORT", "NUMBER")


def generalize(question: str) -> str:
    """Return a question with what it names replaced by an example of the same kind."""
    for slot, pattern in _VALUES:
        if slot in _LIKE_EXAMPLES:
            example = _EXAMPLES[slot]

            def replace(found: re.Match[str], example: str = example) -> str:
                start, end = found.start("it") - found.start(), found.end("it") - found.start()
                unit = len(found[0][end:]) if "unit" in found.groupdict() else 0
                return found[0][:start] + example + found[0][end + unit :]

            question = re.sub(pattern, replace, question, flags=re.IGNORECASE)
    return question


def without_names(question: str) -> str:
    """Return a question with all that it names and quotes replaced: what it asks for is seen without."""
    for slot, values in sorted(values_in(question).items()):
        for value in values if slot != "EXTENSION" else ():
            question = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", slot, question)
    return re.sub(r"\d+", "NUMBER", question)


def slots_of(recipe: Recipe, question: str) -> dict[str, str]:
    values = values_in(question)
    found: dict[str, str] = {}
    for slot in recipe.slots:
        named = [*values.get(slot.rstrip("2"), ()), *(values.get("TARGET", ()) if slot.endswith("2") else ())]
        left = [value for value in named if value not in found.values()]
        if left:
            found[slot] = left[0]
    return found


_SURE_OF = ("URL", "SIZE", "HOST", "FILE", "PORT", "FOLDER", "EXTENSION", "BRANCH", "PACKAGE", "USER", "NUMBER")


def unheeded(recipe: Recipe, values: Mapping[str, Sequence[str]]) -> set[str]:
    """Return what a question names, of what is surely a name, that a recipe has no place for."""
    named = {value for slot in _SURE_OF for value in values.get(slot, ())}
    takes = {slot.rstrip("2") for slot in recipe.slots} | ({"TARGET", "FILE"} if "2@" in recipe.command else set())
    heeded = {value for slot in takes for value in values.get(slot, ())}
    return {one for one in named - heeded if not any(one in other for other in heeded)}


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its slots filled; those that nothing is known for stand there in capitals."""
    return SLOT.sub(lambda slot: shlex.quote(values[slot[1]]) if slot[1] in values else slot[1], text)
