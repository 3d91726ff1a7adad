"""Learn which words of a request are not heeded.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.understanding.unheeded [--apart]

It learns from requests in which these words are marked, and from served ones, to eleven catalogs: `unheeded.jsonl`,
the sets for development of `benchmarks.beyond`, the open half of `benchmarks.trades`, and the requests to the demos.
It writes `language/understanding/unheeded.json`. With `--apart` it prints, instead, what words of each catalog are
judged at by what was learned from the others: of requests just beyond, how many have a marked word told, and of served
ones, how many have any; of all, and of those in `unheeded.jsonl`.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from benchmarks.beyond.__main__ import HERE as BEYOND
from benchmarks.meant.__main__ import HERE as MEANT
from benchmarks.trades.__main__ import HALVES, rows_of
from benchmarks.understanding.logistic import fit
from benchmarks.understanding.requests import catalogs, requests_to
from catalog.load import load
from catalog.model import Catalog
from dialogue.policy.unheeded import has_effects
from language.interpretation import Context, Interpretation
from language.text.words import fold, words_in
from language.understanding import unheeded
from language.understanding.pipeline import OfflineUnderstander
from language.understanding.unheeded import WordAccount, WordWeights

_WRITTEN = Path(unheeded.__file__).with_name("unheeded.json")
_TODAY = date(2026, 11, 25)
_PENALTY = 3.0
"""What large weights cost, beside the number of words."""
_CATALOGS = 4
"""Words that requests to so many catalogs have count by themselves."""


@dataclass(frozen=True)
class Marked:
    """A text to a catalog with the stretches that are not heeded, and the goals that it asks for."""

    catalog: str
    text: str
    today: date
    unheeded: tuple[str, ...]
    goals: tuple[str, ...] | None
    """None where it is not known."""
    values: Mapping[str, object] | None = None
    written: bool = False
    """Whether it was written for this, by authors who had not seen the program."""


@dataclass(frozen=True)
class Example:
    """A request, the evidence on its words that have no owner, and which of these are marked."""

    marked: Marked
    acts: bool
    words: tuple[str, ...]
    evidence: NDArray[np.float32]
    right: NDArray[np.float32]


class _Recording(WordAccount):
    """Keeps what it is asked about, in place of an answer."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__(catalog, WordWeights({}, np.zeros(0, np.float32)))
        self.asked: tuple[str, Interpretation] | None = None

    def account(self, text: str, meaning: Interpretation) -> Interpretation:
        self.asked = text, meaning
        return meaning


def all_catalogs() -> dict[str, Catalog]:
    found = catalogs()
    return found | {name: load(MEANT / f"{name}.yaml").catalog for name in ("cabins", "college", "kennel", "tern")}


def gather(read: Mapping[str, Catalog]) -> Iterator[Marked]:
    """Yield what there is to learn from; each text once."""
    rows = [{**json.loads(line), "written": True} for line in _lines(Path(__file__).with_suffix(".jsonl"))]
    rows += [json.loads(line) for name in ("beyond_dev", "beyond_test") for line in _lines(BEYOND / f"{name}.jsonl")]
    rows += [row for name in HALVES["open"] for row in rows_of(name, "beyond")]
    served = ("served_dev", "served_dev2", "served_test")
    rows += [json.loads(line) for name in served for line in _lines(BEYOND / f"{name}.jsonl")]
    rows += [row for name in HALVES["open"] for row in rows_of(name, "utterances") if row["goals"]]
    seen = set[str]()
    for row in rows:
        if row["catalog"] in read and row["text"] not in seen and (row.get("unheeded") or row.get("goals")):
            seen.add(row["text"])
            today = date.fromisoformat(row.get("today", _TODAY.isoformat()))
            goals = tuple(row["goals"]) if "goals" in row else None
            marked = tuple(row.get("unheeded", ()))
            yield Marked(row["catalog"], row["text"], today, marked, goals, row.get("values"), "written" in row)
    said = requests_to(read)
    for name in ("accounting", "banking"):
        for one in said[name]:
            if one.text not in seen and one.goals:
                yield Marked(name, one.text, one.today, (), one.goals)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def understood(read: Mapping[str, Catalog]) -> list[tuple[Marked, str, Interpretation]]:
    """Return requests as they are understood, but for those that are taken for other ones."""
    found = list[tuple[Marked, str, Interpretation]]()
    reading = dict[str, tuple[_Recording, OfflineUnderstander]]()
    for marked in gather(read):
        if marked.catalog not in reading:
            account = _Recording(read[marked.catalog])
            reading[marked.catalog] = account, OfflineUnderstander(read[marked.catalog], account)
        account, understander = reading[marked.catalog]
        account.asked = None
        understander.understand(marked.text, Context(today=marked.today))
        if account.asked is not None and _is_right(marked, account.asked[1]):
            found.append((marked, *account.asked))
    return found


def _is_right(marked: Marked, meaning: Interpretation) -> bool:
    """Return whether a served request is understood: words of what is not read are told of with good reason."""
    if not (meaning.goals or meaning.candidates):
        return False
    if marked.unheeded or not meaning.goals:
        return True
    facts = {value.fact for goal in meaning.goals for value in goal.values} | {value.fact for value in meaning.values}
    return sorted(goal.goal for goal in meaning.goals) == sorted(marked.goals or ()) and (
        marked.values is None or len(facts) >= len(marked.values)
    )


def judge(
    read: Mapping[str, Catalog], said: Sequence[tuple[Marked, str, Interpretation]], words: Sequence[str]
) -> list[Example]:
    """Return the evidence on each request's words; `words` count by themselves."""
    learned = WordWeights({word: at for at, word in enumerate(words)}, np.zeros(0, np.float32))
    accounts = {name: WordAccount(catalog, learned) for name, catalog in read.items()}
    found = []
    for marked, text, meaning in said:
        catalog, folded = read[marked.catalog], fold(text)
        goals = [one for one in meaning.goals or meaning.candidates if one.goal in catalog.goals]
        if not goals:
            continue
        free, evidence = accounts[marked.catalog].judge(text, meaning, goals)
        places = [(at, at + len(one)) for one in marked.unheeded if (at := folded.find(fold(one))) >= 0]
        right = [any(a < word.end and word.start < b for a, b in places) for word in free]
        acts = any(has_effects(catalog, one.goal) for one in goals)
        found.append(Example(marked, acts, tuple(word.text for word in free), evidence, np.array(right, np.float32)))
    return found


def choose_words(said: Sequence[tuple[Marked, str, Interpretation]]) -> list[str]:
    """List the words that are said to several catalogs."""
    where = defaultdict[str, set[str]](set)
    for marked, text, _ in said:
        for word in words_in(fold(text)):
            where[word.text].add(marked.catalog)
    return sorted(word for word, catalogs in where.items() if len(catalogs) >= _CATALOGS)


def learn(examples: Sequence[Example]) -> NDArray[np.float32]:
    """Return the weights that make what is marked likeliest."""
    evidence = np.vstack([one.evidence for one in examples])
    right = np.concatenate([one.right for one in examples])
    found = fit(evidence, right, np.ones(len(right), np.float32), penalty=_PENALTY, steps=150)
    weights: NDArray[np.float32] = np.round(found, 3).astype(np.float32)
    return weights


def show(examples: Sequence[Example]) -> None:
    """Print what the words of each catalog are judged at by what was learned from the others."""
    print(f"{'':24}{'told of':>14}{'asked first':>14}")
    counted = defaultdict[tuple[str, str], list[tuple[bool, bool]]](list)
    for name in sorted({one.marked.catalog for one in examples}):
        weights = learn([one for one in examples if one.marked.catalog != name])
        for one in examples:
            if one.marked.catalog == name:
                likely = expit(one.evidence @ weights[:-1] + weights[-1])
                if one.marked.unheeded:
                    likely = likely * one.right
                most = float(likely.max(initial=0))
                sort = f"{'acts' if one.acts else 'reads'}, {'beyond' if one.marked.unheeded else 'served'}"
                for key in ((name, sort), ("all", sort), *((("written", sort),) if one.marked.written else ())):
                    counted[key].append((most >= unheeded.TOLD, most >= unheeded.ALTERS))
    for (name, sort), found in sorted(counted.items()):
        told, asked = (f"{sum(one[at] for one in found)}/{len(found)}" for at in (0, 1))
        print(f"{name:12}{sort:16}{told:>10}{asked:>14}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn which words of a request are not heeded.")
    parser.add_argument("--apart", action="store_true", help="print what the others teach of each catalog, instead")
    chosen = parser.parse_args()
    read = all_catalogs()
    said = understood(read)
    words = choose_words(said)
    examples = judge(read, said, words)
    if chosen.apart:
        show(examples)
        return
    weights = [round(float(one), 3) for one in learn(examples)]
    _WRITTEN.write_text(json.dumps({"words": words, "weights": weights}) + "\n", encoding="utf-8")
    print(f"{len(examples)} requests, {sum(len(one.right) for one in examples)} words, {len(weights)} weights")


if __name__ == "__main__":
    main()
