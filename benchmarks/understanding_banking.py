"""Accuracy and speed of understanding utterances of the banking demo.

Run it with `python -m benchmarks.understanding_banking`. The rules were written against the set `dev`; `holdout` and
`final` were written beforehand and first measured unseen (docs/decisions/0009 says with what result), and corrected
against since. An *invented* value is one that was taken and not meant: the one unforgivable error. `offered` are goals
that were not acted on, but offered.
"""

from __future__ import annotations

import argparse
from collections import Counter
from statistics import quantiles
from time import perf_counter

from catalog.load import load
from language.interpretation import Understander
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.language.measure import SETS, Case, load_cases, offered, wrong


def time_cases(understander: Understander, cases: list[Case], repeats: int) -> tuple[float, float]:
    """Return the median and the 95th percentile of the milliseconds an utterance takes."""
    took = []
    for case in cases * repeats:
        began = perf_counter()
        understander.understand(case.text, case.context)
        took.append(1_000 * (perf_counter() - began))
    parts = quantiles(took, n=100)
    return parts[49], parts[94]


def main() -> None:
    """Print a table for each understander."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--understander", choices=sorted(UNDERSTANDERS), default=DEFAULT)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--misses", action="store_true", help="also print what was misunderstood")
    options = parser.parse_args()
    catalog = load("banking").catalog
    began = perf_counter()
    understander = UNDERSTANDERS[options.understander](catalog)
    understander.understand("hello, I want something", load_cases("dev", catalog)[0].context)
    print(f"{options.understander}: ready after {perf_counter() - began:.1f} s")
    for which in SETS:
        cases = load_cases(which, catalog)
        missed = wrong(understander, cases)
        total, bad = Counter(case.group for case in cases), Counter(case.group for case, _, _ in missed)
        rates = ", ".join(f"{group} {total[group] - bad[group]}/{total[group]}" for group in total)
        invented = sum(
            any(case.expected.get(fact) != value for fact, value in got.items())
            for case, got, _ in missed
            if case.group == "values"
        )
        middle, slow = time_cases(understander, cases, options.repeats)
        only_offered = sum(offered(case, meaning) for case, _, meaning in missed)
        print(f"{which}: {rates}; offered {only_offered}; {invented} invented")
        print(f"{' ' * len(which)}  p50 {middle:.1f} ms, p95 {slow:.1f} ms an utterance")
        if options.misses:
            for case, got, _ in missed:
                print(f"    {case.group}: {case.text!r} is {case.expected}, not {got}")


if __name__ == "__main__":
    main()
