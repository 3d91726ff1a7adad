"""Measure tasks, size by size, ours and the peers' in turn on each."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from time import perf_counter

import psutil

from benchmarks.planning.cold import measure_cold
from benchmarks.planning.generate import Shape
from benchmarks.planning.optimum import find_optimum
from benchmarks.planning.own import OWN, Bench
from benchmarks.planning.peers.drive import PEERS, Peer, find_peers_landmarks
from benchmarks.planning.results import Run, Sample, TaskFigures
from planning.landmarks import find_landmarks
from planning.model import Task

LANDMARKS = "pyperplan's landmarks"
LANDMARKS_LIMIT_S = 20
QUICK_MS = 1_000
"""A peer that answers this fast is asked three times, and the median counts."""


class Patience:
    """Remembers who ran out of time, so that nobody is waited for in vain: at most tasks of a size, or larger ones."""

    def __init__(self, seeds: int) -> None:
        self._most = seeds // 2
        self._out: Counter[tuple[str, int]] = Counter()

    def has_run_out(self, name: str, size: int) -> bool:
        """Return whether the median of this size, or of a smaller one, is a time-out already."""
        return any(
            count > self._most for (peer, smaller), count in self._out.items() if peer == name and smaller <= size
        )

    def note(self, name: str, size: int, sample: Sample) -> None:
        """Note a time-out."""
        self._out[name, size] += sample.state == "time-out"


def measure(sizes: Sequence[int], seeds: int, peer_seeds: int, names: Sequence[str]) -> Run:
    """Measure every size; the peers that are named, on the first tasks of each."""
    began = perf_counter()
    patience = Patience(peer_seeds)
    tasks = []
    for size in sizes:
        for seed in range(seeds):
            tasks.append(measure_task(size, seed, names if seed < peer_seeds else (), patience))
            print(f"N = {size}, seed {seed}: measured after {perf_counter() - began:.0f} s", flush=True)
    load = " ".join(f"{figure:.1f}" for figure in os.getloadavg())
    day = datetime.now(UTC).date().isoformat()
    return Run(say_machine(), day, load, seeds, min(seeds, peer_seeds), perf_counter() - began, tasks)


def measure_task(size: int, seed: int, names: Sequence[str], patience: Patience) -> TaskFigures:
    """Measure one task."""
    bench = Bench(Shape(size), seed)
    task = bench.task
    landmarks = frozenset(find_landmarks(task).atoms)
    parts = measure_cold(size, seed) | bench.measure_parts()
    samples = {
        name: bench.measure_engine(own.engine)
        for name, own in OWN.items()
        if own.engine is not None and size <= own.largest
    }
    same = None
    for name in names:
        if patience.has_run_out(name, size):
            samples[name] = Sample("not tried", 0.0, detail="timed out on smaller tasks, or on most of this size")
            continue
        if name == LANDMARKS:
            samples[name], theirs = find_peers_landmarks(task, LANDMARKS_LIMIT_S)
            if samples[name].solved:
                same = theirs - task.initial == landmarks - task.initial
        else:
            samples[name] = ask_peer(PEERS[name], task)
        patience.note(name, size, samples[name])
    atoms = len({atom for operator in task.operators for atom in operator.needs | operator.adds} | task.initial)
    optimum = find_optimum(task)
    return TaskFigures(size, seed, len(bench.operators), atoms, optimum, parts, samples, len(landmarks), same)


def ask_peer(peer: Peer, task: Task) -> Sample:
    """Let a peer solve a task, three times where that is quick."""
    first = peer.solve(task)
    if not first.solved or first.ms > QUICK_MS:
        return first
    samples = [first, peer.solve(task), peer.solve(task)]
    return sorted(samples, key=lambda sample: sample.ms)[1]


def list_peers(asked: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """List the peers to measure, and of the others say why not."""
    missing: dict[str, str] = {}
    names = []
    for name in (*PEERS, LANDMARKS):
        if asked is not None and name not in asked:
            missing[name] = "not asked for"
        elif name in PEERS and PEERS[name].python is None:
            missing[name] = "its environment is not there: python -m benchmarks.planning.peers makes it"
        else:
            names.append(name)
    return names, missing


def say_machine() -> str:
    """Say what this runs on."""
    memory = round(psutil.virtual_memory().total / 2**30)
    return f"{platform.system()}, {os.cpu_count()} cores, {memory} GB, Python {platform.python_version()}"
