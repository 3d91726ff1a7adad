"""Learn whether a sentence asks for anything, apart from what it asks for.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.understanding.asking

It learns from `acts.jsonl`, sentences of many people to eleven catalogs and to trades without one, most of which
put off, refuse, tell of the past or of other people, thank or muse; from requests for development, examples of goals,
and refusals of `benchmarks.meant`. The words of a trade are not learned: of words that less than three catalogs share
only the endings are left. It prints how well each catalog's sentences are told by what was learned from the others,
and writes `language/text/asking.json`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.meant.__main__ import HERE as MEANT
from benchmarks.understanding.logistic import fit
from benchmarks.understanding.requests import catalogs, requests_to
from catalog.load import load
from language.entities.masking import mask
from language.text import request_frames
from language.text.encoder import encode
from language.text.morphology import in_full
from language.text.request_frames import ASKING, forms_in, odds_of_asking
from language.text.words import fold, words_in

_WRITTEN = Path(request_frames.__file__).with_name("asking.json")
_ACTS = Path(__file__).with_name("acts.jsonl")
_SHARED = 3
"""Words and forms that so many catalogs share are learned."""
_FORMS, _MEANING = 4.0, 1.5
"""What forms and meaning are scaled by before weights are punished: of 12 pairs the best on catalogs left out."""
_MOST, _REQUESTS, _EXAMPLES = 25, 80, 40
"""Sentences of one catalog and act that count in full, more share what these count; and the most of two sources."""


@dataclass(frozen=True, slots=True)
class Act:
    """A sentence to a catalog, whether it asks for anything, and its goal where it is known."""

    catalog: str
    text: str
    asks: bool
    goal: str | None = None
    source: str = "acts"

    @property
    def counts(self) -> float:
        """Return what it counts where goals are learned: to begin what nobody asked for is worse than to ask back."""
        return 2.0 if self.asks else 3.0


def written() -> list[Act]:
    """Read the sentences that were written for this."""
    rows = map(json.loads, _ACTS.read_text(encoding="utf-8").splitlines())
    return [Act(row["catalog"], row["text"], row["act"] == "request", row.get("goal")) for row in rows]


@cache
def sentences() -> tuple[Act, ...]:
    """Return all sentences to learn from."""
    random, read, found = Random(3), catalogs(), written()
    for name, said in requests_to(read).items():
        asked = [one.text for one in said if one.goals]
        found += [Act(name, text, True, source="requests") for text in _some(random, asked, _REQUESTS)]
    read |= {name: load(MEANT / f"{name}.yaml").catalog for name in ("cabins", "college", "kennel", "tern")}
    for name, catalog in read.items():
        examples = [text for goal in catalog.goals.values() for text in goal.examples]
        found += [Act(name, text, True, source="examples") for text in _some(random, examples, _EXAMPLES)]
    for file in ("first", "second"):
        for line in (MEANT / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            pushed = any(check.get("point") == "goal_pushed" for check in row["checks"])
            if row["kind"] == "refusal" and len(row["lines"]) == 1 and not pushed:
                found.append(Act(row["catalog"], row["lines"][0], False, source="refusals"))
    return tuple(found)


def _some(random: Random, texts: Sequence[str], most: int) -> list[str]:
    return random.sample(texts, min(most, len(texts)))


@cache
def _vectors() -> NDArray[np.float32]:
    return encode([mask(in_full(fold(one.text))) for one in sentences()])


@cache
def learn(without: str = "") -> Mapping[str, Any]:
    """Return what tells whether a sentence asks, learned of all catalogs but one."""
    said = [(row, one, in_full(fold(one.text))) for row, one in enumerate(sentences()) if one.catalog != without]
    owners = defaultdict[str, set[str]](set)
    for _, one, folded in said:
        for word in words_in(folded):
            owners[word.text].add(one.catalog)
    words = sorted(word for word, having in owners.items() if len(having) >= _SHARED)
    forms = [forms_in(folded, frozenset(words)) for _, _, folded in said]
    owners = defaultdict(set)
    for (_, one, _), found in zip(said, forms, strict=True):
        for form in chain(*found):
            owners[form].add(one.catalog)
    places = {form: i for i, form in enumerate(sorted(f for f, having in owners.items() if len(having) >= _SHARED))}
    table = np.zeros((len(said), len(places)))
    for row, found in enumerate(forms):
        for part in found:
            table[row, [places[form] for form in part if form in places]] = _FORMS / np.sqrt(len(part))
    features = np.hstack([table, _MEANING * _vectors()[[row for row, _, _ in said]]])
    wanted = np.array([float(one.asks) for _, one, _ in said])
    counted = Counter((one.catalog, one.asks) for _, one, _ in said)
    counts = np.array([min(1.0, _MOST / counted[one.catalog, one.asks]) for _, one, _ in said])

    weights = fit(features, wanted, counts, penalty=0.5, steps=200)
    weighed = {form: round(_FORMS * float(weights[place]), 2) for form, place in places.items()}
    return {
        "words": words,
        "forms": {form: weight for form, weight in weighed.items() if weight},
        "meaning": [round(_MEANING * float(weight), 2) for weight in weights[len(places) : -1]],
        "offset": round(float(weights[-1]), 2),
    }


def judge_by(learned: Mapping[str, Any]) -> None:
    """Tell by other weights, in this process, whether sentences ask."""
    assert isinstance(ASKING, dict)
    ASKING.update(learned)


def validate() -> None:
    """Print how well sentences are told that were left out, by catalog and by source."""
    odds = np.zeros(len(sentences()))
    for catalog in dict.fromkeys(one.catalog for one in sentences()):
        rows = [row for row, one in enumerate(sentences()) if one.catalog == catalog]
        odds[rows] = odds_of_asking([fold(sentences()[r].text) for r in rows], _vectors()[rows], learn(catalog))
        _show(catalog, [(sentences()[row], odds[row]) for row in rows if sentences()[row].source == "acts"])
    for source in dict.fromkeys(one.source for one in sentences()):
        _show(source, [(one, odds[row]) for row, one in enumerate(sentences()) if one.source == source])


def _show(name: str, told: Sequence[tuple[Act, float]]) -> None:
    asking, others = ([float(odds) for one, odds in told if one.asks is asks] for asks in (True, False))
    pairs = [one > other for one in asking for other in others]
    ordered = f", {sum(pairs) / len(pairs):.3f} of pairs in order" if pairs else ""
    right = f"asking {sum(one > 0 for one in asking)}/{len(asking)}, not {sum(one < 0 for one in others)}/{len(others)}"
    print(f"{name:18}{right}{ordered}")


def main() -> None:
    """Learn the weights, show how they do for catalogs that were left out, and write them."""
    argparse.ArgumentParser(description="Learn whether a sentence asks for anything.").parse_args()
    validate()
    learned = learn()
    _WRITTEN.write_text(json.dumps(learned, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
