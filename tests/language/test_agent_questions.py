"""Questions about who acts: read where they name an agent that takes part, or agents as such; nothing else is one."""

from __future__ import annotations

import pytest

from explain.model import QuestionKind
from language.acts.agent_questions import read_agent_question

NAMES = ("assistant", "accounting", "fix it")
WHO, WHY, WHY_NOT, LEARNED = (
    QuestionKind.WHO_ACTED,
    QuestionKind.WHY_AGENT,
    QuestionKind.WHY_NOT_AGENT,
    QuestionKind.LEARNED,
)


@pytest.mark.parametrize(
    ("text", "kind", "agent"),
    [
        ("who answered that?", WHO, None),
        ("Who answered?", WHO, None),
        ("which agent answered me", WHO, None),
        ("who replied to me?", WHO, None),
        ("who was that?", WHO, None),
        ("and who said this?", WHO, None),
        ("who am I talking to?", WHO, None),
        ("why this agent?", WHY, None),
        ("Why that one?", WHY, None),
        ("why accounting?", WHY, "accounting"),
        ("why did accounting answer that?", WHY, "accounting"),
        ("why was “Fix it” chosen", WHY, "fix it"),
        ("how come accounting answered", WHY, "accounting"),
        ("why did you choose accounting?", WHY, "accounting"),
        ("why did you answer?", WHY, "assistant"),
        ("why accounting and not fix it?", WHY, "accounting"),
        ("why not the other?", WHY_NOT, None),
        ("why not the others", WHY_NOT, None),
        ("but why not accounting?", WHY_NOT, "accounting"),
        ("why didn't accounting answer?", WHY_NOT, "accounting"),
        ("why didn’t accounting answer that?", WHY_NOT, "accounting"),
        ("why did accounting not answer", WHY_NOT, "accounting"),
        ("why was fix it not asked?", WHY_NOT, "fix it"),
        ("how come accounting didn't reply?", WHY_NOT, "accounting"),
        ("why weren't the others asked?", WHY_NOT, None),
        ("why didn't you do that?", WHY_NOT, "assistant"),
        ("what did it learn from me?", LEARNED, None),
        ("what have you learned from me so far?", LEARNED, None),
        ("What did you learn?", LEARNED, None),
        ("what was learned from me", LEARNED, None),
        ("what did you learn about accounting?", LEARNED, "accounting"),
        ("what have I taught you?", LEARNED, None),
        ("did you learn anything from this conversation?", LEARNED, None),
        ("have you learnt something?", LEARNED, None),
        ("who is answering now?", WHO, None),
        ("did accounting answer?", WHO, "accounting"),
        ("has fix it replied to that?", WHO, "fix it"),
        ("which agents are there?", WHO, None),
        ("who else is here?", WHO, None),
        ("which agents can I ask?", WHO, None),
        ("have you learned who my employer is?", None, None),
        ("who is calling my bank?", None, None),
        ("did accounting pay my invoice?", None, None),
        ("who decided on my loan?", None, None),
        ("why do you need my e-mail?", None, None),
        ("why not today?", None, None),
        ("who gave you my number?", None, None),
        ("accounting", None, None),
        ("what did you do?", None, None),
        ("I want to know why", None, None),
        ("why travel?", None, None),
        ("", None, None),
        ("why not accounting " + "x" * 300, None, None),
    ],
)
def test_a_question_about_who_acts_is_read_with_the_agent_that_it_names(
    text: str, kind: QuestionKind | None, agent: str | None
) -> None:
    found = read_agent_question(text, NAMES)
    assert (None if found is None else (found.kind, found.agent)) == (None if kind is None else (kind, agent))
