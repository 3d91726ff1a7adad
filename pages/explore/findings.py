"""Results of an exploration: the verdict first, then properties, extremes, calls and dead ends.

Pure functions of catalog and report; every claim has a button that shows a conversation in which it is so.
"""

from __future__ import annotations

from catalog.model import Catalog, Effect
from catalog.wording.grammar import capitalize, count, listing
from dialogue.exploration.report import (
    ExplorationReport,
    FoundDeadEnd,
    PropertyJudgement,
    PropertyVerdict,
    SkillUse,
    Trace,
    say_coverage,
    say_verdict,
)
from language.responses.exploration import say_claim, say_cooperation, say_cut, say_extreme
from pages.shell.sheet import Child, Node, button, el, folded, hint, icon, shorten, table
from pages.views.plans import fact_label, skill_label

_VERDICTS = {
    PropertyVerdict.ALWAYS: ("done", "good"),
    PropertyVerdict.SOMETIMES: ("later", "warn"),
    PropertyVerdict.NEVER: ("failed", "bad"),
    PropertyVerdict.OPEN: ("waiting", ""),
}
_HOLDS = {True: ("done", "good", "holds"), False: ("failed", "bad", "does not hold"), None: ("waiting", "", "open")}
_EFFECTS = {
    Effect.NONE: "only reads",
    Effect.IDEMPOTENT: "writes, may be repeated",
    Effect.IRREVERSIBLE: "must not happen twice",
}

_LONGEST_SAID = 2_000
"""Characters of what the assistant says in a dead end: all of it, unless the catalog's own words are very long."""
_MOST_UNUSED = 12
"""Longer lists of what never occurred are collapsed."""


def traces(report: ExplorationReport) -> dict[str, tuple[str, Trace]]:
    found: dict[str, tuple[str, Trace]] = {}
    if report.shortest is not None:
        found["shortest"] = ("The shortest way to the goal", report.shortest.trace)
    for number, judged in enumerate(report.properties):
        if judged.trace:
            found[f"property:{number}"] = (f"What breaks “{judged.property}”", judged.trace)
    for extreme in report.extremes:
        found[f"most:{extreme.what}"] = (f"The most {extreme.what} in one conversation", extreme.trace)
    for use in report.skills:
        found[f"skill:{use.skill}"] = (f"The most calls of “{use.skill}” in one conversation", use.trace)
    for number, end in enumerate(report.dead_ends):
        found[f"end:{number}"] = ("The shortest way to this dead end", end.trace)
    return {name: told for name, told in found.items() if told[1]}


def report_view(catalog: Catalog, report: ExplorationReport, chosen: str) -> list[Node]:
    """Draw a whole report; `chosen` is the trace that is shown beside it."""
    drawn = [
        verdict_card(report, chosen),
        _properties(catalog, report, chosen),
        _extremes(catalog, report, chosen),
        _calls(catalog, report, chosen),
        _dead_ends(catalog, report, chosen),
        _unused(catalog, report),
    ]
    return [node for node in drawn if node is not None]


def verdict_card(report: ExplorationReport, chosen: str) -> Node:
    """Draw the verdict in large words, with how much of it is proved."""
    picture, tone = _VERDICTS[report.verdict]
    share = report.reached / report.conversations if report.conversations and report.reached is not None else None
    bound = not report.complete
    cooperation = say_cooperation(report.verdict, report.cooperative)
    return el(
        "section",
        f"card walked {tone}",
        el("h2", "", icon(picture), el("span", "", say_verdict(report))),
        el(
            "div",
            "meter",
            el("span", "", vars={"--done": f"{100 * share:.1f}%"}),
            role="img",
            aria_label=f"{100 * share:.0f} percent of the conversations",
        )
        if share is not None
        else None,
        el("p", "", cooperation) if cooperation else None,
        el("p", "bound" if bound else "hint", icon("problem") if bound else None, say_coverage(report)),
        hint(say_cut(report.coverage.cut)) if report.coverage.cut else None,
        _show(
            "shortest",
            f"Show the shortest way ({count(report.shortest.most, 'answer or call', 'answers and calls')})",
            chosen,
        )
        if report.shortest is not None and report.shortest.most is not None
        else None,
    )


def _properties(catalog: Catalog, report: ExplorationReport, chosen: str) -> Node:
    if not report.properties:
        words = "This catalog declares no properties. Write some under properties: what must never, or always, be so."
        return _section("Properties", hint(words))
    rows = [_property(catalog, number, judged, chosen) for number, judged in enumerate(report.properties)]
    return _section("Properties", el("ul", "goals", rows))


def _property(catalog: Catalog, number: int, judged: PropertyJudgement, chosen: str) -> Node:
    picture, tone, words = _HOLDS[judged.holds]
    status = {True: "achieved", False: "dropped", None: ""}[judged.holds]
    return el(
        "li",
        f"goal {status}",
        el("span", "badge", icon(picture)),
        el(
            "span",
            "told",
            el("strong", "", say_claim(catalog, judged.property.claim)),
            el("span", f"tag {tone}", words if judged.holds is not None else "not broken so far"),
            el("code", "endpoint", str(judged.property)),
        ),
        _show(f"property:{number}", "Show what breaks it", chosen) if judged.trace else None,
    )


def _extremes(catalog: Catalog, report: ExplorationReport, chosen: str) -> Node:
    rows = [
        el(
            "li",
            "goal",
            el("span", "told", say_extreme(catalog, extreme.what, extreme.most, complete=report.complete)),
            _show(f"most:{extreme.what}", "Show", chosen, f"Show the most {extreme.what}") if extreme.trace else None,
        )
        for extreme in report.extremes
    ]
    so_far = None if report.complete else hint("In what was explored so far; there may be more.")
    return _section("The most in one conversation", so_far, el("ul", "goals", rows))


def _calls(catalog: Catalog, report: ExplorationReport, chosen: str) -> Node | None:
    if not report.skills:
        return None
    often = "At most" if report.complete else "So far"
    rows = [_call(catalog, use, chosen) for use in report.skills]
    return _section("How often each skill is called", table(("Skill", often, "", ""), rows, "calls"))


def _call(catalog: Catalog, use: SkillUse, chosen: str) -> Node:
    often = "without bound" if use.most is None else f"{use.most} ×"
    tone = "tag warn" if use.effect is Effect.IRREVERSIBLE else "tag"
    return el(
        "tr",
        "",
        el("td", "wrap", el("strong", "capital", skill_label(catalog, use.skill))),
        el("td", "value", often),
        el(
            "td",
            "wrap",
            el("span", tone, _EFFECTS[use.effect]),
            el("span", "tag warn", f"gets {listing(tuple(fact_label(catalog, f) for f in use.sensitive))}")
            if use.sensitive
            else None,
        ),
        el("td", "", _show(f"skill:{use.skill}", "Show", chosen, f"Show the most calls of {use.skill}")),
    )


def _dead_ends(catalog: Catalog, report: ExplorationReport, chosen: str) -> Node | None:
    if not report.dead_ends:
        return None
    kinds = count(len(report.dead_ends), "dead end")
    words = hint(f"{kinds}: what is missing then, and what the assistant says, in the shortest such case.")
    cards = [_dead_end(catalog, number, end, chosen) for number, end in enumerate(report.dead_ends)]
    return _section("Dead ends", words, cards)


def _dead_end(catalog: Catalog, number: int, end: FoundDeadEnd, chosen: str) -> Node:
    missing = [el("span", "tag warn", icon("person"), fact_label(catalog, fact)) for fact in end.information]
    missing += [
        el("span", "tag bad", icon("skill"), f"a skill for {fact_label(catalog, fact)}") for fact in end.functionality
    ]
    return el(
        "section",
        f"card{' here' if chosen == f'end:{number}' else ''}",
        el(
            "div",
            "headline",
            el("span", "muted", "Missing:" if missing else capitalize(end.reason)),
            missing,
            el("span", "muted", count(end.conversations, "conversation")) if end.conversations is not None else None,
        ),
        el("p", "", shorten(end.said, _LONGEST_SAID)),
        _show(f"end:{number}", "Show how it comes to this", chosen),
        key=f"end{number}",
    )


def _unused(catalog: Catalog, report: ExplorationReport) -> Node | None:
    coverage = report.coverage
    if not coverage.unused and not coverage.irrelevant:
        return None
    found: Node = el("p", "wanted", [el("span", "tag", _name_unused(catalog, *part)) for part in coverage.unused])
    if len(coverage.unused) > _MOST_UNUSED:
        summary = count(len(coverage.unused), "question, consent or outcome", "questions, consents and outcomes")
        found = folded(summary, found)
    title = "Never came up" if report.complete else "Did not come up so far"
    irrelevant = listing(tuple(skill_label(catalog, skill) for skill in coverage.irrelevant))
    return _section(
        title,
        found if coverage.unused else hint("Everything that bears on the goal came up."),
        hint(f"Skills that have nothing to do with this goal: {irrelevant}.") if irrelevant else None,
    )


def _name_unused(catalog: Catalog, kind: str, name: str) -> str:
    words = {"ask": "question", "authorize": "consent", "confirm": "confirmation", "skill": "outcome"}
    label = {"ask": fact_label, "authorize": skill_label}.get(kind)
    return f"{words[kind]}: {label(catalog, name) if label else name}"


def _section(title: str, *children: Child) -> Node:
    return el("section", "part", el("h3", "", title), children)


def _show(trace: str, words: str, chosen: str, label: str | None = None) -> Node:
    act = {"do": "trace", "what": trace}
    return button("small", icon("eye"), words, act=act, label=label, pressed=trace == chosen, key=button_key(trace))


def button_key(trace: str) -> str:
    return f"show:{trace}"
