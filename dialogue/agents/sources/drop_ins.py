"""Drop-in folders: agents and orchestrators in folders that the operator named (rows C12 and C13).

A drop-in is a folder with a manifest and a file of Python code that is named as the folder. Its code is loaded from
nowhere else, and runs in a process of its own unless the operator trusts it. One that cannot be used costs one line,
and nothing else. An `install.sh` is shown, and never run.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from pydantic import JsonValue

from catalog.endpoints.failures import WorkerFailed
from catalog.endpoints.fork_server import load_file
from catalog.endpoints.processes import CallResult, Function, WorkerRequest, Workers, call_all
from catalog.endpoints.threads import Calls, Job, Late, ReturnedValue
from catalog.skills.failures import where_raised
from dialogue.agents.agent import Agent, DeclaredAgent, ProcessAgent, Proposal, WrongAnswer
from dialogue.agents.broadcast import execute
from dialogue.agents.feedback import Feedback
from dialogue.agents.model import ASSISTANT, NOBODY, AgentEvent, AgentReply, Answers, Choice, Forced, ProposedAction
from dialogue.agents.orchestrators import ORCHESTRATORS, MakeOrchestrator, Orchestrator, OrchestratorOptions
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.sources.manifest import AGENT, MANIFEST, ORCHESTRATOR, DropInFault, Manifest, read_manifest
from language.responses.agents import faults as drop_in_faults

LOADING_S = 20.0
"""Seconds that the code of a drop-in may take until it is loaded."""
CHOOSING_S = 5.0
"""Seconds that an orchestrator in a process of its own may take to choose, or to learn."""
MakeAgent = Callable[[str], DeclaredAgent]
"""Makes an agent for a conversation, given its id."""
_NAME = r"[A-Za-z][A-Za-z0-9_-]{0,79}"
_AGENT_NEEDS = ("preview", "execute")
_ORCHESTRATOR_NEEDS = ("begin", "check", "choose", "observe")
_RESERVED = {
    **dict.fromkeys((NOBODY, ASSISTANT), "reserved"),
    **dict.fromkeys(ORCHESTRATORS, "an orchestrator that is built in"),
}


class Wrapping(Protocol):
    """What wraps skills and catalogs as agents. Each raises LookupError, with what to write, for what is not there."""

    def wrap_catalog(self, catalog: str) -> Callable[[str], Agent]: ...

    def wrap_skill(self, catalog: str, skill: str) -> Callable[[str], Agent]: ...

    def preview_by_skill(self, catalog: str, skill: str) -> Callable[[AgentEvent], Proposal | None]: ...


@dataclass(frozen=True, slots=True)
class DropIns:
    """What was found: agents and orchestrators by name, a line for each that cannot be used, and installers.

    What is excluded is none of them. `installers` are texts of `install.sh`, to be shown.
    """

    agents: Mapping[str, MakeAgent] = field(default_factory=dict)
    orchestrators: Mapping[str, MakeOrchestrator] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    installers: Mapping[str, str] = field(default_factory=dict)


def load_drop_ins(
    folders: Sequence[Path],
    workers: Workers,
    wrapping: Wrapping | None = None,
    taken: Mapping[str, str] | None = None,
    trusted: Collection[str] = (),
    *,
    can_confine: bool = True,
) -> DropIns:
    """Load the drop-ins of folders, in their order, and by name within each.

    `taken` are names that are in use, with what uses them. Code of those that are `trusted` runs in this process, where
    they do not want one of their own.
    """
    problems: list[str] = []
    manifests: list[Manifest] = []
    names = {**_RESERVED, **(taken or {})}
    for folder in _list_drop_ins(folders, problems):
        try:
            manifest = _read(folder, names)
        except DropInFault as fault:
            problems.append(str(fault))
            continue
        if not manifest.excluded:
            names[manifest.name] = str(folder)
            own = not (manifest.catalog or manifest.skill or manifest.name in trusted)
            if own and not can_confine:
                problems.append(drop_in_faults.not_confined(manifest.place))
                continue
            manifests.append(replace(manifest, process=manifest.process or own))
    loaded = _load_all(manifests, workers, wrapping)
    agents: dict[str, MakeAgent] = {}
    orchestrators: dict[str, MakeOrchestrator] = {}
    for manifest, made in zip(manifests, loaded, strict=True):
        if isinstance(made, DropInFault):
            problems.append(str(made))
        elif isinstance(made, _Orchestrators):
            orchestrators[manifest.name] = made.make
        else:
            agents[manifest.name] = _declare(manifest, made)
    usable = {*agents, *orchestrators}
    installers = {one.name: one.installer for one in manifests if one.installer and one.name in usable}
    return DropIns(agents, orchestrators, tuple(problems), installers)


def made_from_file(main: str, *needs: str) -> Agent:
    """Make an agent of the code in a file, in its worker. Raises NothingMade, and whatever the code raises."""
    made: Agent = _maker_in(load_file(main), needs)()
    if not all(callable(getattr(made, name, None)) for name in needs):
        raise NothingMade
    return made


class NothingMade(Exception):
    """A file has neither a function `make` nor a single class that has what is needed."""


@dataclass(frozen=True, slots=True)
class _Orchestrators:
    make: MakeOrchestrator


_MakeAgent = Callable[[str], Agent | ProcessAgent]
_Made = _MakeAgent | _Orchestrators | DropInFault


def _list_drop_ins(folders: Iterable[Path], problems: list[str]) -> Iterator[Path]:
    for folder in folders:
        if not folder.is_dir():
            problems.append(drop_in_faults.no_folder(str(folder)))
            continue
        if (folder / MANIFEST).is_file():
            yield folder.resolve()
            continue
        for one in sorted(folder.iterdir()):
            if (one / MANIFEST).is_file():
                yield one.resolve()
            elif (one / f"{one.name}.py").is_file():
                problems.append(drop_in_faults.no_manifest(str(one), MANIFEST))


def _read(folder: Path, names: Mapping[str, str]) -> Manifest:
    manifest = read_manifest(folder)
    if manifest.excluded:
        return manifest
    if re.fullmatch(_NAME, manifest.name) is None:
        raise DropInFault(drop_in_faults.wrong_name(str(folder)))
    for name in (manifest.name, manifest.label):
        if name in names:
            raise DropInFault(drop_in_faults.taken(manifest.place, name, names[name]))
    ways = [bool(manifest.catalog), manifest.skill is not None, manifest.process]
    if sum(ways) > 1 or (manifest.preview is not None and any(ways)):
        raise DropInFault(drop_in_faults.unclear_code(manifest.place))
    if not (manifest.catalog or manifest.skill) and not manifest.main.is_file():
        raise DropInFault(drop_in_faults.no_main(str(folder), manifest.main.name))
    return manifest


def _load_all(manifests: Sequence[Manifest], workers: Workers, wrapping: Wrapping | None) -> list[_Made]:
    """Load the code of all at once: here on threads, or in the process of each."""
    here = {one.name: one for one in manifests if not one.process}
    calls = Calls([Job(partial(_load, one, wrapping), LOADING_S) for one in here.values()])
    apart = {one.name: one for one in manifests if one.process}
    came: dict[str, CallResult] = {}
    asked = [one for one in apart.values() if one.kind is None]
    requests = [WorkerRequest(workers, _function(kind_of_file, one), None, LOADING_S) for one in asked]
    for one, answer in zip(asked, call_all(requests), strict=True):
        if isinstance(answer, ReturnedValue) and answer.value in (AGENT, ORCHESTRATOR):
            apart[one.name] = replace(one, kind=answer.value)
        else:
            came[one.name] = answer
    made = {name: _make_apart(one, workers, wrapping) for name, one in apart.items() if name not in came}
    came |= zip(made, call_all([load for _, load in made.values()]), strict=True)
    came |= zip(here, calls.results(), strict=True)
    return [
        _taken_up(apart.get(one.name, one), came[one.name], made[one.name][0] if one.name in made else None)
        for one in manifests
    ]


def _make_apart(manifest: Manifest, workers: Workers, wrapping: Wrapping | None) -> tuple[_Made, WorkerRequest]:
    """Make what asks the code of a drop-in in its process; return it with the request that loads that."""
    if manifest.kind == ORCHESTRATOR:
        make = partial(_ChoosesApart.of, manifest, workers)
        return _Orchestrators(make), make(OrchestratorOptions()).request("begin", load=True)
    agent = ProcessAgent(workers, f"{__name__}:{made_from_file.__name__}", (str(manifest.main), *_needs(manifest)))
    load = replace(agent.to_preview(AgentEvent(text=""), LOADING_S), load=True)
    try:
        preview = _preview_of(manifest, wrapping)
    except DropInFault as fault:
        return fault, load
    acts = partial(_act_apart, agent, manifest.execute_s)
    whole = agent if preview is None else _PreviewedBySkill(preview, acts)
    return lambda _: whole, load


def _function(called: Callable[..., Any], manifest: Manifest, *given: JsonValue) -> Function:
    return Function(f"{__name__}:{called.__name__}", json.dumps([str(manifest.main), *given]))


def kind_of_file(main: str) -> Callable[[Any], str]:
    """Load a file in its worker; return what tells whether an orchestrator is meant by it, or an agent."""
    kind = ORCHESTRATOR if _chooses(load_file(main)) else AGENT
    return lambda _: kind


def orchestrator_from_file(main: str, options: JsonValue) -> Callable[[Any], Any]:
    """Make an orchestrator of the code in a file, in its worker; return what answers calls of its methods, as JSON."""
    try:
        own = _make_orchestrators(Manifest(Path(main).parent), load_file(main))(
            OrchestratorOptions.model_validate(options)
        )
    except DropInFault:
        raise NothingMade from None

    def answer(request: Any) -> Any:
        match request:
            case ["begin"]:
                return own.begin()
            case ["check", state]:
                return own.check(state)
            case ["observe", state, feedback]:
                return own.observe(state, Feedback.model_validate(feedback))
            case ["choose", state, event, answers, forced, seed]:
                wanted = None if forced is None else Forced.model_validate(forced)
                shown = AgentEvent.model_validate(event), Answers.model_validate(answers)
                return Choice.model_validate(own.choose(state, *shown, wanted, seed)).model_dump(mode="json")

    return answer


def _taken_up(manifest: Manifest, came: CallResult, apart: _Made | None) -> _Made:
    main = str(manifest.main)
    if isinstance(came, Late):
        return DropInFault(drop_in_faults.main_too_slow(main, LOADING_S))
    if isinstance(came, ReturnedValue):
        made: _Made = came.value if apart is None else apart
        return made
    if isinstance(came.error, DropInFault):
        return came.error
    error = getattr(came.error, "error", type(came.error).__name__)
    if error == NothingMade.__name__:
        kind, needs = manifest.kind or AGENT, _needs(manifest)
        return DropInFault(drop_in_faults.nothing_made(main, kind, needs if kind == AGENT else _ORCHESTRATOR_NEEDS))
    return DropInFault(drop_in_faults.main_failed(main, error, getattr(came.error, "place", where_raised(came.error))))


@contextmanager
def _wrapping_for(manifest: Manifest, wrapping: Wrapping | None) -> Iterator[Wrapping]:
    if wrapping is None:
        raise DropInFault(drop_in_faults.not_wrapped(manifest.place, "there are no catalogs here. Take it out."))
    try:
        yield wrapping
    except LookupError as error:
        raise DropInFault(drop_in_faults.not_wrapped(manifest.place, str(error.args[0]))) from error


def _preview_of(manifest: Manifest, wrapping: Wrapping | None) -> Callable[[AgentEvent], Proposal | None] | None:
    """Return the preview that a skill makes for a drop-in, where it names one. Raises DropInFault."""
    if manifest.preview is None:
        return None
    with _wrapping_for(manifest, wrapping) as known:
        return known.preview_by_skill(*manifest.preview)


def _load(manifest: Manifest, wrapping: Wrapping | None) -> _MakeAgent | _Orchestrators:
    if manifest.catalog or manifest.skill is not None:
        with _wrapping_for(manifest, wrapping) as known:
            if manifest.skill is not None:
                return known.wrap_skill(*manifest.skill)
            return known.wrap_catalog(manifest.catalog)
    preview = _preview_of(manifest, wrapping)
    module = load_file(str(manifest.main))
    if manifest.kind == ORCHESTRATOR or (manifest.kind is None and _chooses(module)):
        return _Orchestrators(_make_orchestrators(manifest, module))
    agent: Agent = _make(manifest, module, AGENT, _needs(manifest))()
    if missing := [name for name in _needs(manifest) if not callable(getattr(agent, name, None))]:
        raise DropInFault(drop_in_faults.nothing_made(str(manifest.main), AGENT, missing))
    whole = agent if preview is None else _PreviewedBySkill(preview, agent.execute)
    return lambda _: whole


def _needs(manifest: Manifest) -> tuple[str, ...]:
    """Return the functions that the code of an agent has to have."""
    return _AGENT_NEEDS if manifest.assumed is None and manifest.preview is None else _AGENT_NEEDS[1:]


def _make(manifest: Manifest, module: ModuleType, kind: str, needs: Sequence[str]) -> Callable[..., Any]:
    try:
        return _maker_in(module, needs)
    except NothingMade as error:
        raise DropInFault(drop_in_faults.nothing_made(str(manifest.main), kind, needs)) from error


def _maker_in(module: ModuleType, needs: Collection[str]) -> Callable[..., Any]:
    """Return the function `make` of a module, or its only class that has what is needed. Raises NothingMade."""
    if callable(make := getattr(module, "make", None)):
        found: Callable[..., Any] = make
        return found
    classes = [one for one in _classes_of(module) if all(hasattr(one, need) for need in needs)]
    if len(classes) != 1:
        raise NothingMade
    return classes[0]


def _classes_of(module: ModuleType) -> list[type]:
    return [one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == module.__name__]


def _chooses(module: ModuleType) -> bool:
    """Return whether a module has a class that chooses, so that it is meant as an orchestrator."""
    return any(hasattr(one, "choose") for one in _classes_of(module))


def _make_orchestrators(manifest: Manifest, module: ModuleType) -> MakeOrchestrator:
    make = _make(manifest, module, ORCHESTRATOR, _ORCHESTRATOR_NEEDS)
    wants_options = bool(inspect.signature(make).parameters) and not inspect.isclass(make)

    def make_one(options: OrchestratorOptions) -> _DroppedIn:
        own = make(options) if wants_options else make()
        if not hasattr(own, "name"):
            with suppress(AttributeError):  # what is no orchestrator at all is told of below
                own.name = manifest.name
        return _DroppedIn(manifest.name, manifest.description, own)

    made = make_one(OrchestratorOptions())
    if missing := [name for name in _ORCHESTRATOR_NEEDS if not callable(getattr(made.own, name, None))]:
        raise DropInFault(drop_in_faults.nothing_made(str(manifest.main), ORCHESTRATOR, missing))
    made.check(made.begin())
    return make_one


@dataclass(frozen=True)
class _DroppedIn:
    """An orchestrator under the name of its folder."""

    name: str
    description: str
    own: Orchestrator

    def begin(self) -> State:
        return self.own.begin()

    def check(self, state: State) -> State:
        return self.own.check(state)

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        return self.own.choose(state, event, answers, forced, seed)

    def observe(self, state: State, feedback: Feedback) -> State:
        return self.own.observe(state, feedback)


@dataclass(frozen=True)
class _ChoosesApart:
    """An orchestrator of a drop-in, asked in its process."""

    name: str
    description: str
    workers: Workers
    function: Function

    @classmethod
    def of(cls, manifest: Manifest, workers: Workers, options: OrchestratorOptions) -> _ChoosesApart:
        function = _function(orchestrator_from_file, manifest, options.model_dump(mode="json"))
        return cls(manifest.name, manifest.description, workers, function)

    def request(self, *given: JsonValue, load: bool = False) -> WorkerRequest:
        limit_s = LOADING_S if load else CHOOSING_S
        return WorkerRequest(self.workers, self.function, list(given), limit_s, load=load, starting_s=LOADING_S)

    def _ask(self, *given: JsonValue) -> Any:
        (came,) = call_all([self.request(*given)])
        if isinstance(came, ReturnedValue):
            return came.value
        if isinstance(came, Late):
            raise TimeoutError(f"it took more than {CHOOSING_S:g} s")
        raise came.error

    def begin(self) -> State:
        return dict(self._ask("begin"))

    def check(self, state: State) -> State:
        try:
            return dict(self._ask("check", state))
        except WorkerFailed as error:
            raise ValueError(str(error)) from error

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        shown = (one.model_dump(mode="json") for one in (event, answers))
        return Choice.model_validate(
            self._ask("choose", state, *shown, None if forced is None else forced.model_dump(mode="json"), seed)
        )

    def observe(self, state: State, feedback: Feedback) -> State:
        return dict(self._ask("observe", state, feedback.model_dump(mode="json")))


def _act_apart(agent: ProcessAgent, limit_s: float, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
    """Carry out what a skill proposed for an agent, in the process of that."""
    done = execute(DeclaredAgent("drop-in", "", agent, execute_s=limit_s), event, actions)
    if done.reply is None:
        raise WrongAnswer(done.trouble)
    return done.reply


@dataclass(frozen=True, eq=False)
class _PreviewedBySkill:
    """An agent of a drop-in whose preview a skill of a catalog makes."""

    make_preview: Callable[[AgentEvent], Proposal | None]
    act: Callable[[AgentEvent, Sequence[ProposedAction]], AgentReply]

    def preview(self, event: AgentEvent) -> Proposal | None:
        return self.make_preview(event)

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        return self.act(event, actions)


def _declare(manifest: Manifest, make: _MakeAgent) -> MakeAgent:
    return lambda conversation: DeclaredAgent(
        name=manifest.name,
        description=manifest.description,
        agent=make(conversation),
        limit_s=manifest.limit_s,
        assumed=manifest.assumed,
        admits=manifest.admits,
        inputs=manifest.inputs,
        outputs=manifest.outputs,
        execute_s=manifest.execute_s,
    )
