"""What the assistant says in a conversation with further agents: who could not act, who saw what, and whom to ask."""

from __future__ import annotations

from collections.abc import Sequence

from language.interpretation import DialogueAct, Interpretation
from language.responses.agents.verdicts import agent_name, say_silence
from language.responses.grammar import capitalize, clean, end, listing


class AgentPhrases:
    """What is said about agents."""

    def ask_by_name(self, agents: Sequence[str], *, hidden: bool) -> str:
        """Say that the others had nothing to offer either, or were not shown what was said, and how to ask one."""
        others = listing(tuple(map(agent_name, agents)), "or")
        ask = f"begin with the name, such as @{_address(agents[0])}"
        if hidden:
            return f"While I ask for something sensitive, I pass nothing on to {others}. To ask for that, {ask}."
        return f"Nothing came from {others} either. To ask for that all the same, {ask}."

    def not_placed(self) -> str:
        """Say that nobody could make anything of an utterance, while a question is open."""
        return "I could not place that, and nobody else here could."

    def question_dropped(self, agent: str) -> str:
        """Confirm that an agent does not wait for an answer any more."""
        return f"All right: {agent_name(agent)} does not wait for that any more."

    def nobody_is_sure(self, agents: Sequence[str]) -> str:
        """Say that nobody is sure enough to act."""
        ask = listing(tuple(f"@{_address(one)}" for one in agents), "or")
        return f"Nobody here is sure enough to act on that. Say it in other words, or begin with a name: {ask}."

    def gave_no_answer(self, agent: str, reason: str, detail: str = "") -> str:
        """Say that the agent that was asked for has nothing to offer, or what kept it from answering."""
        if reason in {"nothing_to_offer", "not_asked"}:
            return f"{capitalize(agent_name(agent))} has nothing to offer for that."
        return self.failed(agent, say_silence(reason, detail))

    def not_here(self, agent: str, agents: Sequence[str]) -> str:
        """Say that there is no agent of a name."""
        known = listing(tuple(f"@{_address(one)}" for one in agents))
        return f"There is no agent “{clean(agent, 80)}” here. You can ask {known}."

    def failed(self, agent: str, trouble: str) -> str:
        """Say that an agent could not act, and why."""
        return f"{capitalize(agent_name(agent))} could not do it: {end(clean(trouble, 300))}"

    def interrupted(self) -> str:
        """Say why an agent did not finish."""
        return "Planglass was stopped meanwhile, so please ask again"

    def gone(self) -> str:
        """Say why an agent that was chosen did not act."""
        return "it does not take part any more"

    def did_not_see(self, agent: str) -> str:
        """Say that something was kept from an agent, and how to let it see it."""
        name = agent_name(agent)
        return f"What may be sensitive was not shown to {name}. To allow it, say: let {_address(agent)} see it."

    def consented(self, agent: str, given: bool) -> str:
        """Confirm a consent, or its end."""
        if given:
            return f"From now on {agent_name(agent)} sees what you say to it as you say it."
        return f"From now on what may be sensitive is hidden from {agent_name(agent)}."

    def own_action(self, meaning: Interpretation, answers: bool) -> str:
        """Say what the assistant would do about an utterance that is no request for a goal."""
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
    """Write the name of an agent as it is addressed."""
    return clean(agent) if agent.replace("_", "").replace("-", "").isalnum() else f'"{clean(agent)}"'
