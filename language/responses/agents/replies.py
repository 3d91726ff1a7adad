"""What the assistant says in a conversation with further agents: who could not act, who saw what, and whom to ask."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.wording.agents import agent_name, say_silence
from catalog.wording.grammar import capitalize, clean, end, listing
from language.interpretation import DialogueAct, Interpretation


class AgentPhrases:
    def ask_by_name(self, agents: Sequence[str], *, hidden: bool) -> str:
        """Say that the others had nothing to offer either, or were not shown what was said, and how to ask one."""
        others = listing(tuple(map(agent_name, agents)), "or")
        ask = f"begin with the name, such as @{_address(agents[0])}"
        if hidden:
            return f"While I ask for something sensitive, I pass nothing on to {others}. To ask for that, {ask}."
        return f"Nothing came from {others} either. To ask for that all the same, {ask}."

    def not_placed(self) -> str:
        return "I could not place that, and no other agent here could."

    def question_dropped(self, agent: str) -> str:
        return f"All right: {agent_name(agent)} does not wait for that any more."

    def not_sure(self, agents: Sequence[str]) -> str:
        ask = listing(tuple(f"@{_address(one)}" for one in agents), "or")
        return f"No agent here is sure enough to act on that. Say it in other words, or begin with a name: {ask}."

    def gave_no_answer(self, agent: str, reason: str, detail: str = "") -> str:
        if reason in {"nothing_to_offer", "not_asked"}:
            return f"{capitalize(agent_name(agent))} has nothing to offer for that."
        return self.failed(agent, say_silence(reason, detail))

    def not_here(self, agent: str, agents: Sequence[str]) -> str:
        known = listing(tuple(f"@{_address(one)}" for one in agents))
        return f"There is no agent “{clean(agent, 80)}” here. You can ask {known}."

    def failed(self, agent: str, trouble: str) -> str:
        return f"{capitalize(agent_name(agent))} could not do it: {end(clean(trouble, 300))}"

    def interrupted(self) -> str:
        return "Planglass was stopped meanwhile, so please ask again"

    def gone(self) -> str:
        return "it does not take part any more"

    def did_not_see(self, agent: str) -> str:
        name = agent_name(agent)
        return f"What may be sensitive was not shown to {name}. To allow it, say: let {_address(agent)} see it."

    def consented(self, agent: str, given: bool) -> str:
        if given:
            return f"From now on {agent_name(agent)} sees what you say to it as you say it."
        return f"From now on what may be sensitive is hidden from {agent_name(agent)}."

    def own_action(self, meaning: Interpretation, answers: bool) -> str:
        if meaning.question is not None or meaning.term is not None:
            return "answer a question"
        if answers:
            return "take the answer to its question"
        if meaning.values or meaning.preference is not None:
            return "note what was said"
        if meaning.control in (DialogueAct.CHITCHAT, DialogueAct.HELP):
            return "talk"
        return "do as it is told" if meaning.control is not None else "take what was sent"


def _address(agent: str) -> str:
    return clean(agent) if agent.replace("_", "").replace("-", "").isalnum() else f'"{clean(agent)}"'


def ask_for(label: str) -> str:
    return f"What is the {clean(label)}?"


def ask_to_go_ahead(skill: str, values: Sequence[tuple[str, str]]) -> str:
    given = f" It is given: {_listed(values)}." if values else ""
    return f"I would call {clean(skill)}.{given} Shall I go ahead?"


def not_done(skill: str) -> str:
    return f"Then I leave it. {capitalize(clean(skill))} was not called."


def done(skill: str, said: str, values: Sequence[tuple[str, str]]) -> str:
    told = end(capitalize(_listed(values))) if values else ""
    return " ".join(part for part in (clean(said, 500), told) if part) or f"{capitalize(clean(skill))} has done it."


def failed(skill: str, error: str) -> str:
    """Say that a call came to nothing; `error` is what kind of failure it was."""
    why = {"timed_out": "did not answer in time", "unavailable": "cannot be reached"}.get(error, "failed")
    return f"{capitalize(clean(skill))} {why}. Nothing is known of a result."


def not_for_previews(skill: str) -> str:
    return f"{clean(skill)} cannot make previews. Name a skill with one mode that has one input, the text."


def has_effect(skill: str, effect: str) -> str:
    return f"Its preview would call {clean(skill)}, whose effect is {clean(effect)}. Name a skill whose effect is none."


def _listed(values: Sequence[tuple[str, str]]) -> str:
    return "; ".join(f"{clean(label)}: {clean(value, 200)}" for label, value in values)
