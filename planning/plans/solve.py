"""Solve a task with an engine, order the plan for a conversation, and replay it independently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import floor
from time import perf_counter

from planning.engines import ENGINES, Engine
from planning.engines.delete_free import find_tidy, narrow, tidy
from planning.engines.search import OutOfTime, Watch
from planning.model import (
    Atom,
    GaveUp,
    Limits,
    Operator,
    Plan,
    PlanningResult,
    Predicate,
    Solved,
    StepKind,
    Task,
    authorized,
    known,
)
from planning.task.errors import quote
from planning.task.index import TaskPart, close_forward, counts_likelihoods, index_task, keep_operators
from planning.task.spending import Allowance, count_whole, fits, say_money

KEEP_MS = 100.0
"""Work on keeping steps, in milliseconds: a limit for very large tasks."""
HALF = 0.5
"""What tells apart numbers of steps."""


def keep_most(task: Task, plan: Plan, earlier: Collection[str], watch: Watch, *, by_length: bool = False) -> Plan:
    """Return a plan that is as cheap, with most of the steps of an earlier one, given by the names of its operators.

    The plan must have no step to spare. With `by_length` the other one is no longer, either.
    """
    indexed = index_task(task)
    assert indexed is not None, "a valid plan reaches the goal"
    named = indexed.operators.named
    steps = [named[step.name] for step in plan.steps]
    wanted = {named[name] for name in earlier if name in named}.difference(indexed.ruled_out)
    if wanted.issubset(steps):
        return plan
    money = None if task.budget is None else [operator.amounts.money for operator in indexed.operators]
    narrowed = narrow(
        indexed.arrays, indexed.initial, indexed.goal, indexed.ruled_out, steps, also=money, kept=wanted
    )  # fmt: skip
    place = {operator: number for number, operator in enumerate(narrowed.origin)}
    search = _Keeping(narrowed, [place[step] for step in steps], {place[step] for step in wanted if step in place})
    if money is not None:
        search.allow([money[operator] for operator in narrowed.origin])
    if by_length:
        search.allow([1.0] * len(narrowed.origin))
    search.run(watch.within(KEEP_MS / 1_000))
    return indexed.plan([narrowed.origin[step] for step in search.steps]) if search.gained else plan


class _Keeping:
    """A plan of a narrowed task on its way to one with more of the steps that are wanted: `steps` is always a plan."""

    def __init__(self, task: TaskPart, steps: list[int], wanted: Collection[int]) -> None:
        self.task = task
        self.steps = steps
        self.gained = False
        self._wanted = frozenset(wanted)
        self._whole = count_whole(task.arrays.costs)[0]
        self._most = self._cost(steps)
        self._allowances = [self._as_now(task.arrays.costs)]

    def allow(self, takes: Sequence[float]) -> None:
        """Let no plan take more of something than the one at hand."""
        self._allowances.append(self._as_now(takes))

    def run(self, watch: Watch) -> None:
        """Look for more steps to keep until there is no plan with more of them, or the time is up."""
        costs = self.task.arrays.costs
        for less in (1.0, 1e-3):
            if self._left:
                self._take([cost * (1 - less) if step in self._wanted else cost for step, cost in enumerate(costs)])
        if self._left:
            self._choose(watch)

    @property
    def _left(self) -> frozenset[int]:
        return self._wanted.difference(self.steps)

    def _choose(self, watch: Watch) -> None:
        """Let a program choose; what is costless is left out, as it would be chosen without being of use."""
        from planning.engines.mip_program import Infeasible, IntegerProgram

        arrays, goal = self.task.arrays, self.task.goal
        counted = {step for step in self._wanted if self._whole[step]}
        gains = [-1.0 if step in counted else 0.0 for step in range(len(arrays.costs))]
        program = IntegerProgram(replace(arrays, costs=gains), goal, watch, self._allowances)
        try:
            watch.tick()
            relaxed = program.relax()
            more = len(counted.intersection(self.steps)) + 1
            if floor(-relaxed.bound + HALF / 100) < more:
                return
            program.cut_off(relaxed, HALF - more)
            chosen = program.choose(HALF)
        except Infeasible:
            return
        except OutOfTime:
            chosen = program.interrupted()
        costs = [0.0 if step in self._wanted else cost for step, cost in enumerate(arrays.costs)]
        self._take(costs, set(range(len(costs))).difference(chosen))

    def _take(self, costs: Sequence[float], left_out: Collection[int] = ()) -> None:
        """Take the plan that is cheap by some costs, if it keeps more steps and is as good."""
        found = find_tidy(self.task.arrays, costs, (), self.task.goal, left_out)
        if found is None or self._cost(found) > self._most:
            return
        keeps_more = len(self._wanted.intersection(found)) > len(self._wanted.intersection(self.steps))
        if keeps_more and all(allowance.allows(found) for allowance in self._allowances):
            self.steps, self.gained = found, True

    def _cost(self, steps: Collection[int]) -> int:
        return sum(self._whole[step] for step in steps)

    def _as_now(self, takes: Sequence[float]) -> Allowance:
        return Allowance(takes, sum(takes[step] for step in self.steps))


class InvalidPlan(Exception):
    """A plan does not hold. `step` counts from 1, and is None where the plan merely ends short of the goal."""

    def __init__(self, message: str, step: int | None, missing: frozenset[Atom]) -> None:
        super().__init__(message)
        self.step = step
        self.missing = missing


class PlanOverBudget(InvalidPlan):
    """A plan reaches the goal, but takes more money than may be spent."""


def validate(task: Task, plan: Plan) -> None:
    """Replay a plan: each step is one of the task, what it needs holds, and the goal is reached within the budget."""
    state = set(task.initial)
    for _ in _replay(task, plan, state):
        pass


def list_states(task: Task, plan: Plan) -> tuple[frozenset[Atom], ...]:
    """Replay a plan likewise and return its states: the initial one, then the one after each step."""
    state = set(task.initial)
    return (task.initial, *[frozenset(state) for _ in _replay(task, plan, state)])


def _replay(task: Task, plan: Plan, state: set[Atom]) -> Iterator[Operator]:
    """Apply step after step to a state, which grows; yield each once it is applied."""
    allowed = keep_operators(task.operators)
    for number, step in enumerate(plan.steps, start=1):
        if not allowed.has(step):
            raise InvalidPlan(f"{_title(number, step)} is no operator of the task. Plan again.", number, frozenset())
        if not step.needs <= state:
            missing = step.needs - state
            found = f"{_title(number, step)} needs {say_atoms(missing)}, which does not hold there."
            raise InvalidPlan(found, number, missing)
        state |= step.adds
        yield step
    if missing := task.goal - state:
        raise InvalidPlan(f"The plan ends without {say_atoms(missing)}, which the goal asks for.", None, missing)
    if task.budget is not None and not fits(money := plan.amounts.money, task.budget):
        taken, most = say_money(money, task.currency), say_money(task.budget, task.currency)
        raise PlanOverBudget(f"The plan takes {taken}, more than the {most} that may be spent.", None, frozenset())


def _title(number: int, step: Operator) -> str:
    return f"Step {number} ({say_operator(step)})"


def say_operator(operator: Operator) -> str:
    """Name an operator for people: its kind and subject, and how a skill is called."""
    call = f" by {quote(operator.mode)} for {quote(operator.outcome or '')}" if operator.mode is not None else ""
    return f"{operator.kind.value} {quote(operator.subject)}{call}"


def say_atoms(atoms: Iterable[Atom]) -> str:
    """Name atoms for people, in alphabetical order."""
    return " and ".join(f"{atom.predicate.value} {quote(atom.subject)}" for atom in sorted(atoms))


NOTHING: frozenset[int] = frozenset()


def drop_redundant(task: Task, plan: Plan) -> Plan:
    """Drop steps for as long as the goal is still reached, the dearest first (`tidy`).

    The plan must be valid. Searches that do not prove their plans shortest leave such steps behind.
    """
    indexed = index_task(task)
    assert indexed is not None, "a valid plan reaches the goal"
    named = indexed.operators.named
    steps = list(dict.fromkeys(named[step.name] for step in plan.steps))
    return indexed.plan(tidy(indexed.arrays, indexed.initial, indexed.goal, steps))


DEFAULT_LIMITS = Limits()


def never() -> bool:
    return False


def solve(
    task: Task,
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    cancelled: Callable[[], bool] = never,
    *,
    earlier: Collection[str] = (),
) -> PlanningResult:
    """Search for a plan, drop what it can do without, order it for a conversation, and replay it.

    Of plans that cost the same, the one is taken that keeps most of what is left of an earlier one, given by the names
    of its operators (`stability.py`).

    A plan that does not survive the replay is never handed out: the engine is at fault, and nothing is proved.
    """
    result = engine.solve(task, limits, cancelled)
    if not isinstance(result, Solved):
        return result
    began = perf_counter()
    try:
        validate(task if task.budget is None else replace(task, budget=None), result.plan)
        plan = drop_redundant(task, result.plan)
        if earlier:
            plan = keep_most(task, plan, earlier, Watch(limits, cancelled), by_length=engine.ignores_costs)
        plan = order_for_conversation(task, plan)
        validate(task, plan)
    except InvalidPlan as fault:
        if isinstance(fault, PlanOverBudget) and not engine.heeds_budget:
            return GaveUp(_name_others(engine, fault), result.engine, result.seconds, result.note)
        reason = f"The engine {engine.name} returned a plan that does not hold: {fault}"
        return GaveUp(reason, result.engine, result.seconds, result.note)
    seconds = {**result.seconds, "order": perf_counter() - began}
    counts = counts_likelihoods(task)
    note = f"{result.note} {plan.costs_said}".strip() if counts else result.note
    return Solved(plan, result.engine, seconds, note, result.gap, counts)


def _name_others(engine: Engine, fault: PlanOverBudget) -> str:
    """Say why a plan of an engine that does not look at money is not taken, and which engines do."""
    others = " or ".join(quote(name) for name, other in ENGINES.items() if other.heeds_budget)
    return f"{fault} The engine {quote(engine.name)} does not heed budgets; choose {others}."


def order_for_conversation(task: Task, plan: Plan) -> Plan:
    """Order the steps of a valid plan; nothing is deleted, so any order in which needs are met is valid too.

    A skill is called as soon as it can be. Consent is asked before the first question whose answer it is about, so that
    a person does not tell what they would not have passed on; without such a question, right before the call. Where it
    is the go-ahead for the call too, what else goes in is asked for before. Questions come in the order of the catalog.
    What the catalog prefers to come later waits, for as long as something else can be done.
    """
    named = keep_operators(task.operators).named
    steps = sorted(plan.steps, key=lambda step: named[step.name])
    waiting = _Waiting(steps, task.initial)
    ordered: list[Operator] = []
    while waiting.open_needs:
        for number in (task.preferred and _choose_preferred(task, waiting)) or _choose(waiting):
            waiting.take(number)
            ordered.append(steps[number])
    return Plan(tuple(ordered))


class _Waiting:
    """Steps that were not taken yet, by their number in the catalog's order, with what each of them still needs."""

    def __init__(self, steps: list[Operator], state: AbstractSet[Atom]) -> None:
        self.steps = steps
        self.questions: dict[int, Operator] = {}
        self.consents: dict[int, Operator] = {}
        self.calls: dict[int, Operator] = {}
        """The others: calls, go-aheads just before them, mappings and choices."""
        self.open_needs = {number: set(step.needs).difference(state) for number, step in enumerate(steps)}
        self._users: dict[Atom, list[int]] = defaultdict(list)
        kinds = {StepKind.ASK: self.questions, StepKind.AUTHORIZE: self.consents}
        self._of_the_kind = [kinds.get(step.kind, self.calls) for step in steps]
        for number, step in enumerate(steps):
            self._of_the_kind[number][number] = step
            for atom in self.open_needs[number]:
                self._users[atom].append(number)
        self.ready = {number for number in self.calls if not self.open_needs[number]}
        """The calls that need nothing more."""

    def list_but(self, held: Collection[int]) -> list[int]:
        """List the steps but for those that are held back: questions, consents, and then the others."""
        return [number for some in (self.questions, self.consents, self.calls) for number in some if number not in held]

    def take(self, number: int) -> None:
        """Take a step: what it adds, no other needs any more."""
        del self._of_the_kind[number][number], self.open_needs[number]
        self.ready.discard(number)
        for atom in self.steps[number].adds:
            for user in self._users.pop(atom, ()):
                if lacking := self.open_needs.get(user):
                    lacking.discard(atom)
                    if not lacking and user in self.calls:
                        self.ready.add(user)


def _choose_preferred(task: Task, waiting: _Waiting) -> list[int]:
    """Choose among the steps that no preference holds back; none where that leads nowhere, as in a circle of them."""
    coming = {step.subject for step in waiting.calls.values() if step.kind is StepKind.SKILL}
    held = {
        number
        for number in waiting.open_needs
        for step in (waiting.steps[number],)
        if not coming.isdisjoint(task.preferred.get((step.kind, step.subject), ()))
    }
    chosen = _choose(waiting, held)
    reached: set[Atom] = set()
    for number in chosen:
        if not waiting.open_needs[number] <= reached:
            return []
        reached |= waiting.steps[number].adds
    return chosen


def _choose(waiting: _Waiting, held: Collection[int] = NOTHING) -> list[int]:
    """Choose what comes next: a call, with the consents that it still needs, else a question, else what is left."""
    if ready := waiting.ready.difference(held):
        return [min(ready)]
    steps, open_needs = waiting.steps, waiting.open_needs
    consents = [number for number in waiting.consents if not open_needs[number] and number not in held]
    if consented := {atom for number in consents for atom in steps[number].adds}:
        for number in waiting.calls:
            if open_needs[number] <= consented and number not in held:
                return [*_giving(steps, consents, open_needs[number]), number]
    questions = [number for number in waiting.questions if not open_needs[number] and number not in held]
    question = next((number for number in questions if not _is_early(waiting, number)), next(iter(questions), None))
    if question is None:
        return consents or waiting.list_but(held)
    if not consents:
        return [question]
    calls = [step for number, step in waiting.calls.items() if number not in held]
    return [*_giving(steps, consents, _consents_about(steps[question], calls)), question]


def _is_early(waiting: _Waiting, question: int) -> bool:
    """Return whether a question waits for others, so that one question serves for consent and go-ahead of a call.

    That is asked before the first question whose answer consent is about, and what else goes in is read back in it.
    """
    about = _consents_about(waiting.steps[question], list(waiting.calls.values()))
    for number, call in waiting.calls.items() if about else ():
        given = [consent.adds for consent in waiting.consents.values() if not about.isdisjoint(consent.adds)]
        for adds in given:
            agreed = {atom for atom in adds & call.needs if atom.predicate is Predicate.CONFIRMED}
            if agreed and waiting.open_needs[number].difference(adds, map(known, call.sensitive)):
                return True
    return False


def _giving(steps: list[Operator], consents: Iterable[int], atoms: AbstractSet[Atom]) -> list[int]:
    return [number for number in consents if not steps[number].adds.isdisjoint(atoms)]


def _consents_about(question: Operator, calls: list[Operator]) -> frozenset[Atom]:
    """Collect the consents that giving the answer of a question to the skills still to be called takes.

    It may go there as the value of another fact that it stands for.
    """
    maps = [step for step in calls if step.kind is StepKind.MAP]
    given = {atom.subject for atom in (close_forward(question.adds, maps) if maps else question.adds)}
    return frozenset(
        [
            atom
            for call in calls
            if call.sensitive and not given.isdisjoint(call.sensitive)
            for atom in call.needs & {authorized(call.subject), *map(authorized, given.intersection(call.sensitive))}
        ]
    )
