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
        self._stamps: dict[Path, tuple[int, int, int] | None] = {}
        self._limits = USUAL
        self.broken: dict[str, CatalogError] = dict(broken or {})
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

    def take(self, loaded: Loaded) -> str:
        """Add a catalog, under a name of its own where another one has its name; return the name.

        It is found by its file from now on. The same text is kept once.
        """
        own = loaded.catalog.name
        with self._taking:
            names = chain([own], (f"{own}-{number}" for number in count(2)))
            name = next(one for one in names if self._loaded.get(one, loaded).digest == loaded.digest)
            if name not in self._loaded:
                self._loaded = {**self._loaded, name: loaded}
            self._moved[loaded.file] = name
        return name

    def watch(self, files: Iterable[Path], limits: CatalogLimits, *, strict: bool = False) -> None:
        """Load files, and load each anew whenever it has changed (see `refresh`); name them before the demos.

        A demo may stand among them by its name, to have its place. What cannot be loaded is kept with its problems;
        with `strict`, it raises CatalogError.
        """
        self._limits = limits
        first = []
        for path in files:
            if str(path) in DEMOS:
                first.append(str(path))
                continue
            self._stamps[path] = _stamp(path)
            try:
                first.append(self.take(load(path, limits)))
            except CatalogError as error:
                if strict:
                    raise
                self.broken[str(path)] = error
        self._loaded = {name: self._loaded[name] for name in dict.fromkeys((*first, *self._loaded))}

    def refresh(self) -> None:
        """Load anew the files that have changed. What cannot be used stays as it was, and is among the broken ones.

        Who holds a catalog goes on with it: conversations that are open keep theirs until they are opened anew.
        """
        changed = {path: stamp for path, old in self._stamps.items() if (stamp := _stamp(path)) != old}
        for path, stamp in changed.items():
            with self._taking:
                if self._stamps[path] == stamp:
                    continue  # another thread has loaded it
                self._stamps[path] = stamp
            try:
                self._replace(load(path, self._limits))
                self.broken.pop(str(path), None)
            except CatalogError as error:
                self.broken[str(path)] = error

    def _replace(self, loaded: Loaded) -> None:
        """Put a catalog in the place of what its file held before; a new name takes the place of the old one."""
        old = self._moved.get(loaded.file, "")
        with self._taking:
            own = loaded.catalog.name
            here = old if old in self._loaded and self._loaded[old].catalog.name == own else ""
            taken = {*self._loaded} - {old}
            name = here or next(one for one in chain([own], (f"{own}-{n}" for n in count(2))) if one not in taken)
            kept = [(name, loaded) if one == old else (one, its) for one, its in self._loaded.items()]
            self._loaded = dict(kept if old in self._loaded else [(name, loaded), *kept])
            self._moved |= {loaded.file: name} | ({old: name} if old and old != name else {})

    def loaded(self, wanted: str) -> Loaded:
        """Return a catalog as it was loaded. Raises UnknownCatalog."""
        return self._loaded[self.find(wanted)]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return what changes of a file when it is written; None where it cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_catalogs(files: Iterable[Path], limits: CatalogLimits = USUAL, *, strict: bool = True) -> Catalogs:
    """Load the demos and some files; unless `strict`, what cannot be loaded is kept with its problems."""
    catalogs = Catalogs({name: load(name) for name in DEMOS})
    catalogs.watch(files, limits, strict=strict)
    return catalogs
