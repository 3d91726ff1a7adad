"""Questions about who acts, where there are several agents: “why not accounting?”, “who answered that?”.

Only what says nothing else is read: each word of it names an agent that takes part, or is of such questions.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from explain.model import QuestionKind
from language.interpretation import ExplanationRequest
from language.text.lazy_pattern import LazyPattern

_LONGEST = 200
_OPENS = LazyPattern(r"\A(?:and|but|so) ")
_ASKS = (
    (QuestionKind.LEARNED, LazyPattern(r"(?:what|have|has|did)\b.* (?:know|learn|learned|learnt|taught|teach)\b")),
    (QuestionKind.WHY_NOT_AGENT, LazyPattern(r"(?:why|how come)(?! do\b)\b.*(?:\bnot|n't)\b")),
    (QuestionKind.WHY_AGENT, LazyPattern(r"(?:why|how come)(?! do\b)\b")),
    (QuestionKind.WHO_ACTED, LazyPattern(r"(?:whom?|(?:which|what) (?:agent|assistant|bot|one)s?|did|has|was)\b")),
)
_ACTS = frozenset(
    """answer answered answering act acted acting reply replied replying respond responded responding speak speaking
    spoke talk talking asked called used chosen picked selected doing did done help helped helping handle handled say
    said get got take took taking taken part here there around""".split()
)
"""What agents do, or what is done with them."""
_CALLED_UPON = frozenset("ask call choose chose pick let use".split())
"""What is done with another agent; of the assistant alone, "why did you ask?" is about its question."""
_LITTLE = frozenset(
    """why how come not who whom which what was is are were am has have had does do be been it that this them they the
    agent agents assistants one ones bot bots other others another any of rest just now then instead to with in from i
    me us my question request message turn can could chat conversation room besides else
    didn't hasn't doesn't wasn't weren't isn't""".split()
)
_OF_LEARNING = frozenset(
    """learn learned learnt know taught teach orchestrator we about reactions feedback behaviour behavior so far yet
    something anything new all""".split()
)


def read_agent_question(text: str, agents: Collection[str]) -> ExplanationRequest | None:
    """Read a question about who acted, and why, or about what was learned. None: it is none, or is about other things.

    `agents` are those that take part; “you” is the assistant.
    """
    said = " ".join(text.casefold().replace("’", "'").split()).strip(" ?!.")
    if len(said) > _LONGEST:
        return None
    said = _OPENS.sub("", said, count=1).partition(" and not ")[0]
    kind = next((kind for kind, form in _ASKS if form.match(said)), None)
    known = {agent.casefold(): agent for agent in agents} | dict.fromkeys(("you", "the assistant"), "assistant")
    named = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, known), key=len, reverse=True))})(?!\w)")
    found = named.findall(said)
    words = set(re.findall(r"[\w'-]+", named.sub(" ", said)))
    of_others = words & {"other", "others", "rest"} or re.search(r"\b(?:this|that|the) (?:agent|one|bot)\b", said)
    allowed = _ACTS | _LITTLE | (_OF_LEARNING if kind is QuestionKind.LEARNED else _CALLED_UPON)
    if kind is None or not words <= allowed or (words & _CALLED_UPON and found and {*found} == {"you"}):
        return None
    if kind is QuestionKind.WHO_ACTED:
        whether = said.startswith(("did", "has", "was"))
        told = words & (_ACTS | _CALLED_UPON | {"that", "this"}) - ({"did"} if whether else set())
        if not told or (whether and not (found or of_others)) or (not whether and "you" in found):
            return None
    elif kind is not QuestionKind.LEARNED and not (found or of_others):
        return None
    others = [agent for agent in found if agent != "you"]
    agent = None if kind is QuestionKind.LEARNED and not others else known[(others or found)[-1]] if found else None
    return ExplanationRequest(kind=kind, agent=agent)
