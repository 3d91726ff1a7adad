"""What takes long the first time: understanders are made, and they and the skills made ready, before they are asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from catalog.load import Loaded
from catalog.model import Catalog
from dialogue.services.catalogs import Catalogs, UnknownCatalog
from dialogue.settings import Settings
from language.interpretation import Understander
from language.languages import LANGUAGES
from language.llm.language_model import LanguageModel
from language.text.encoder import load_encoder
from language.understanding.with_model import ModelUnderstander


class Preparations:
    """The understanders of catalogs, each made once, and what is made ready in the background, once."""

    def __init__(
        self,
        library: Catalogs,
        settings: Callable[[], Settings],
        model: LanguageModel,
        *,
        given: Callable[[Catalog], Understander] | None,
        warm_skills: Callable[[Catalog], None],
        run: Callable[[Callable[[], None]], Future[None]],
    ) -> None:
        """`given` makes understanders in place of those that the settings name; they may ask the language `model`."""
        self._library, self._settings, self._model, self._given = library, settings, model, given
        self._warm_skills, self._run = warm_skills, run
        self._understanders: dict[tuple[str, str, str], Understander] = {}
        self._steps: dict[str, str] = {}
        self._learned: set[str] = set()
        self._warmed: dict[tuple[str, bool], Future[None]] = {}
        self._lock = threading.Lock()
        self._begin = threading.Lock()

    def understander(self, loaded: Loaded, name: str) -> Understander:
        """Return what reads utterances for a catalog; of what has been edited, none but the newest is held."""
        with self._lock:
            key = (loaded.digest, self._settings().language, name)
            if key not in self._understanders:
                declared = loaded.catalog
                now = {self._library.loaded(one).digest for one in self._library.names}
                self._understanders = {known: one for known, one in self._understanders.items() if known[0] in now}
                self._understanders[key] = (
                    LANGUAGES[key[1]].understanders[name](declared, self._model)
                    if self._given is None
                    else ModelUnderstander(declared, self._given(declared), self._model)
                )
            return self._understanders[key]

    def warm(self, catalog: str, *, skills: bool = True) -> Future[None]:
        """Make ready in the background, once, what the first turns would otherwise wait for. Raises UnknownCatalog."""
        loaded = self._library.loaded(catalog)

        def prepare() -> None:
            if loaded.digest not in self._learned:
                self._learn(loaded)
            self._model.warm()
            if skills:
                self._warm_skills(loaded.catalog)

        with self._begin:  # two threads that ask at once begin it once
            begun = self._warmed.get((loaded.digest, True)) or self._warmed.get((loaded.digest, skills))
            if begun is None:
                begun = self._warmed[loaded.digest, skills] = self._run(prepare)
            return begun

    def _learn(self, loaded: Loaded) -> None:
        examples = sum(len(goal.examples) for goal in loaded.catalog.goals.values())
        try:
            self._steps[loaded.digest] = "loading what words mean (step 1 of 2)"
            load_encoder()
            self._steps[loaded.digest] = f"learning from {examples} examples (step 2 of 2)"
            self.understander(loaded, self._settings().understander).warm()
            self._learned.add(loaded.digest)
        finally:
            self._steps.pop(loaded.digest, None)

    def under_way(self, loaded: Loaded) -> str:
        """Return what of a catalog is being made ready to read utterances; "" if nothing is."""
        return self._steps.get(loaded.digest, "")

    def warm_all(self, first: str) -> None:
        """Make a catalog ready in the background, and after it the others, one at a time.

        Of the others, skills are not loaded before a conversation with their catalog: their libraries take memory.
        """
        rest = iter([name for name in self._library.names if name != first])

        def go_on(_: Future[None] | None = None) -> None:
            name = next(rest, None)
            with suppress(RuntimeError, UnknownCatalog):  # closed, or taken away in the meantime
                if name is not None:
                    self.warm(name, skills=False).add_done_callback(go_on)

        self.warm(first).add_done_callback(go_on)
