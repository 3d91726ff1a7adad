"""What every test has: a data directory of its own, and marks that must name a row that exists."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from catalog.load import load
from language.rooms.speech_acts import learned_acts
from language.understanding import make_offline
from tests.coverage_floors import pytest_collection, pytest_runtest_protocol, pytest_runtestloop
from tests.forked import Forked
from tests.kept import KEPT, LEARNED
from tests.postgresql import Cluster
from tests.ram_disk import use_ram_disk
from tests.seeds import draw_seed

__all__ = ["pytest_collection", "pytest_runtest_protocol", "pytest_runtestloop"]

SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile("quick", deadline=None, max_examples=20, derandomize=True, suppress_health_check=SLOW_MACHINE)
settings.register_profile("long", deadline=None, max_examples=2_000, suppress_health_check=SLOW_MACHINE)
settings.register_profile("fresh", deadline=None, max_examples=20, print_blob=True, suppress_health_check=SLOW_MACHINE)
"""As `quick`, from a seed that is printed: used where CI is set. What failed is tried first the next time (kept in
`.hypothesis/examples`)."""
settings.register_profile(
    "mutants", parent=settings.get_profile("quick"), phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fresh" if os.environ.get("CI") else "quick"))

for _name in [name for name in os.environ if name.startswith("PLANGLASS_LLM_")]:
    del os.environ[_name]  # what whoever runs the tests has set up for themselves is asked nothing

os.environ["PLANGLASS_HOME"] = str(KEPT)
os.environ["PLANGLASS_CACHE"] = str(LEARNED)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background of a shell: programs would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROWS = Path(__file__).parent / "conformance" / "rows.toml"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--row", action="append", default=[], help="run only the tests that show this row, such as V7")
    parser.addoption("--processes", type=int, default=0, help="run the tests in so many processes")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw the seed of new examples here, so that it can be told; workers get the one of the run they belong to.

    Their temporary files are in memory, and gone with the run; of a test that is run without them they stay.
    """
    if os.environ.get("CI") and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(draw_seed(fresh=os.environ.get("HYPOTHESIS_PROFILE") == "long"))
    if config.option.processes:
        config.pluginmanager.register(Forked(config.option.processes))
        if remove := use_ram_disk():
            config.add_cleanup(remove)


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.option.hypothesis_seed
    return f"property tests: seed {seed}; again with --hypothesis-seed={seed}" if seed is not None else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = tomllib.loads(ROWS.read_text(encoding="utf-8"))["rows"]
    wanted = set(config.getoption("--row"))
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        rows = {row for mark in item.iter_markers("row") for row in mark.args}
        if unknown := rows - known.keys():
            raise pytest.UsageError(f"{item.nodeid} names row {min(unknown)}; the rows are {', '.join(known)}")
        (kept if not wanted or wanted & rows else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep what is there by now, half a million objects, out of garbage collection, and have that more seldom.

    It took a third of the time, and then still one part in thirty. Before processes are forked, the demos and the acts
    of rooms are learned: each would learn them for itself, in 5 s.
    """
    if session.config.option.processes and not session.config.option.collectonly:
        for demo in ("banking", "accounting", "reports"):
            make_offline(load(demo).catalog).warm()
        learned_acts()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
    if "streamlit" in sys.modules:  # each test of a page would look through all installed packages for components
        scanner = import_module("streamlit.components.v2.manifest_scanner")
        vars(scanner)["scan_component_manifests"] = cache(vars(scanner)["scan_component_manifests"])


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return folders, one for each test: `tmp_path` makes one too, for which it looks at all that are there."""
    place = tmp_path_factory.mktemp("homes")
    return (place / str(number) for number in count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep this test's sessions and files to itself."""
    folder = next(homes)
    folder.mkdir()
    path = folder / "planglass-home"
    monkeypatch.setenv("PLANGLASS_HOME", str(path))
    return path


@pytest.fixture
def free_port() -> int:
    """Name a port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A real server, started once for those tests of a process that need it; without one they fail, in one line."""
    try:
        cluster = Cluster()
    except RuntimeError as missing:
        raise pytest.fail.Exception(str(missing), pytrace=False) from None
    yield cluster
    cluster.close()
