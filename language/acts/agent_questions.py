# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""Questions about who acts, where there are several agents: “why not accounting?”, “who answered that?”.

Only plain forms are read: they name an agent that takes part, or are about agents by their own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from explain.model import QuestionKind
from language.interpretation import ExplanationRequest

_LONGEST = 200
_ACT = (
    r"(?:answer(?:ed|ing)?|act(?:ed|ing)?|repl(?:y|ied|ying)|respond(?:ed|ing)?|speak(?:ing)?|spoke|chosen|picked|"
    r"selected|asked|called|used|do(?:ing)? (?:that|this|it)|did (?:that|this|it)|done (?:that|this|it)|"
    r"tak(?:e|en|ing) (?:that|this|it)|took (?:that|this|it)|help(?:ed|ing)?|handle[d]? (?:that|this|it)|"
    r"say (?:that|this|it|so|anything)|said (?:that|this|it|so)|get (?:that|it|the turn)|got (?:that|it|the turn))"
)
_THAT = r"(?: (?:(?:to )?(?:me|us|that|this|it)|here|now|then|instead|my (?:question|request|message)))*"
_AGENT = r"(?:the )?(?:agent )?@?[\"“]?(?P<agent>{names})[\"”]?"
_ONE = r"(?:this|that|the) (?:agent|one|assistant|bot)"
_OTHERS = r"(?:the |any of the |one of the |another |an)?(?:other(?: one)?s?|rest)(?: agents?| ones?| bots?)?"
_FORMS: tuple[tuple[QuestionKind, str], ...] = (
    (
        QuestionKind.WHO_ACTED,
        rf"(?:and )?(?:who|which (?:agent|one|bot)|what agent) (?:was it that )?(?:just |has |was )?{_ACT}{_THAT}",
    ),
    (QuestionKind.WHO_ACTED, r"(?:and )?who (?:was|is|said) (?:that|this)(?: from)?"),
    (QuestionKind.WHO_ACTED, r"(?:and )?who(?:m)? (?:am i|was i|did i) (?:talking|talk|speaking|speak) (?:to|with)"),
    (
        QuestionKind.WHO_ACTED,
        rf"(?:and )?(?:who|which (?:agent|one|bot)) (?:is|was) (?:it that (?:is|was) )?{_ACT}{_THAT}",
    ),
    (QuestionKind.WHO_ACTED, rf"(?:and |so )?(?:did|has|was) (?:{_AGENT}|{_OTHERS})(?: been)? {_ACT}{_THAT}"),
    (
        QuestionKind.WHO_ACTED,
        r"(?:and )?(?:(?:which|what) (?:agents?|bots?|assistants?)|who(?: else)?)"
        r" (?:is|are|do|does|can|could|takes?|took)(?: i)? ?(?:there|here|taking part|take part|part|around|in use|ask|talk to|call)"
        r"(?: (?:here|now|in this (?:chat|conversation|room)|besides you))?",
    ),
    (
        QuestionKind.WHY_NOT_AGENT,
        rf"(?:but |and |so )?why not (?:ask |let |use |choose )?(?:{_AGENT}|{_OTHERS})(?: {_ACT})?{_THAT}",
    ),
    (
        QuestionKind.WHY_NOT_AGENT,
        rf"(?:but |and |so )?(?:why|how come) (?:didn't|did not|hasn't|has not|doesn't|does not|wasn't|was not|weren't|were not|isn't|is not)"
        rf" (?:{_AGENT}|{_OTHERS})(?: (?:been|be))?(?: {_ACT})?{_THAT}",
    ),
    (
        QuestionKind.WHY_NOT_AGENT,
        rf"(?:but |and |so )?(?:why|how come) (?:{_AGENT}|{_OTHERS}) (?:didn't|did not|hasn't|has not|wasn't|was not|were not|weren't)"
        rf"(?: been)?(?: {_ACT})?{_THAT}",
    ),
    (
        QuestionKind.WHY_NOT_AGENT,
        rf"(?:but |and |so )?why (?:did|was|were|has) (?:{_AGENT}|{_OTHERS}) not (?:been )?{_ACT}{_THAT}",
    ),
    (QuestionKind.WHY_AGENT, rf"(?:but |and |so )?why (?:was it )?(?:{_AGENT}|{_ONE})(?: and not .{{1,60}})?"),
    (
        QuestionKind.WHY_AGENT,
        rf"(?:but |and |so )?(?:why|how come) (?:did|was|were|has|is|does) (?:{_AGENT}|{_ONE})(?: been)? {_ACT}{_THAT}",
    ),
    (QuestionKind.WHY_AGENT, rf"(?:but |and |so )?(?:why|how come) (?:{_AGENT}|{_ONE}) {_ACT}{_THAT}"),
    (
        QuestionKind.WHY_AGENT,
        rf"(?:but |and |so )?why (?:did you )?(?:choose|chose|pick|picked|ask|asked|call|called) (?:{_AGENT}|{_ONE})",
    ),
    (
        QuestionKind.LEARNED,
        r"(?:and )?what (?:did|have|has|had|do) (?:you|it|they|the orchestrator|this|that) (?:learn(?:ed|t)?|know)"
        r"(?: (?:so far|yet|now))?(?: (?:from|about) (?:me|us|my (?:reactions|feedback|behaviou?r)|that|it))?(?: so far| yet)?",
    ),
    (QuestionKind.LEARNED, r"(?:and )?what (?:have|did|had) (?:i|we) (?:taught|teach) (?:you|it|them)(?: so far)?"),
    (
        QuestionKind.LEARNED,
        r"(?:and )?(?:have|did|has) (?:you|it|they|the orchestrator) (?:learn(?:ed|t)?) (?:something|anything)(?: new)?"
        r"(?: (?:so far|yet))?(?: (?:from|about|in|of) (?:me|us|it|that|all (?:that|this)|this(?: (?:conversation|chat|talk))?|my \w+))?(?: so far| yet)?",
    ),
    (QuestionKind.LEARNED, r"(?:and )?what was learn(?:ed|t)(?: (?:from|about) me)?(?: so far)?"),
    (
        QuestionKind.LEARNED,
        rf"(?:and )?what (?:did|have|has) (?:you|it) learn(?:ed|t)? about {_AGENT}",
    ),
)


def read_agent_question(text: str, agents: Collection[str]) -> ExplanationRequest | None:
    """Read a question about who acted, and why, or about what was learned. None: it is none, or is about other things.

    `agents` are those that take part; “you” is the assistant.
    """
    said = " ".join(text.casefold().replace("’", "'").split()).strip(" ?!.")
    if not said or len(said) > _LONGEST:
        return None
    known = {agent.casefold(): agent for agent in agents} | dict.fromkeys(("you", "the assistant"), "assistant")
    names = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    for kind, form in _FORMS:
        found = re.fullmatch(form.replace("{names}", names), said)
        if found is not None:
            agent = found.groupdict().get("agent")
            return ExplanationRequest(kind=kind, agent=known.get(agent) if agent else None)
    return None
