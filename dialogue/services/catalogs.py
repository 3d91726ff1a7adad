"""The catalogs of a process: each known by its own name wherever its file lies, and those that cannot be loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from pathlib import Path
from threading import Lock

from catalog.load import Loaded, load
from catalog.load.demo_files import DEMOS
from catalog.model.entry import USUAL, CatalogLimits
from catalog.problems import CatalogError


class UnknownCatalog(LookupError):
    """There is no catalog of that name; the message lists the names there are."""


class Catalogs:
    """Catalogs by name. A conversation finds its own again by name, by its text, or by the name of its file."""

    def __init__(self, loaded: Mapping[str, Loaded], broken: Mapping[str, CatalogError] | None = None) -> None:
        """Keep catalogs by name, and what is wrong with those that could not be loaded, by file."""
        self._loaded = dict(loaded)
        self._moved: dict[str, str] = {}
        self._taking = Lock()
        self.broken: Mapping[str, CatalogError] = dict(broken or {})
        """What is wrong with the files that could not be loaded."""

    @property
    def names(self) -> tuple[str, ...]:
        """List the names, in the order in which the catalogs were given."""
        return tuple(self._loaded)

    def find(self, wanted: str, digest: str = "") -> str:
        """Return the name of a catalog, given that, or its file now or once, or the digest of its text.

        Raises UnknownCatalog.
        """
        if wanted in self._loaded:
            return wanted
        found = self._moved.get(wanted) or next(self._likely(wanted, digest), None)
        if found is None:
            named = ", ".join(self._loaded) or "none"
            trouble = f" The file {wanted} could not be loaded." if wanted in self.broken else ""
            raise UnknownCatalog(f"There is no catalog {wanted!r}. There are: {named}.{trouble}")
        self._moved[wanted] = found
        return found

    def _likely(self, wanted: str, digest: str) -> Iterator[str]:
        own = {name: one for name, one in self._loaded.items() if name not in DEMOS}
        yield from (name for name, one in own.items() if one.file == wanted)
        yield from (name for name, one in own.items() if digest and one.digest == digest)
        same_file = [name for name, one in own.items() if Path(one.file).name == Path(wanted).name]
        yield from same_file if len(same_file) == 1 else ()

    def take(self, loaded: Loaded) -> None:
        """Add a catalog, under a name of its own where another one has its name; it is found by its file from now on.

        The same text is kept once.
        """
        own = loaded.catalog.name
        with self._taking:
            names = chain([own], (f"{own}-{number}" for number in count(2)))
            name = next(one for one in names if self._loaded.get(one, loaded).digest == loaded.digest)
            if name not in self._loaded:
                self._loaded = {**self._loaded, name: loaded}
            self._moved[loaded.file] = name

    def loaded(self, wanted: str) -> Loaded:
        """Return a catalog as it was loaded. Raises UnknownCatalog."""
        return self._loaded[self.find(wanted)]


def read_catalogs(files: Iterable[Path], limits: CatalogLimits = USUAL, *, strict: bool = True) -> Catalogs:
    """Load the demos and some files; unless `strict`, what cannot be loaded is kept with its problems."""
    catalogs = Catalogs({name: load(name) for name in DEMOS})
    broken: dict[str, CatalogError] = {}
    for path in files:
        try:
            catalogs.take(load(path, limits))
        except CatalogError as error:
            if strict:
                raise
            broken[str(path)] = error
    catalogs.broken = broken
    return catalogs
