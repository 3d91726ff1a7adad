"""The sections of the net: what each records, of everything or of that part of it that every run compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tests.net import invented, kept, screens, sentences, walks
from tests.net.recordings import Line, read


def record_walks(every: bool) -> Iterator[Line]:
    for name in walks.WALKS if every else walks.IN_EVERY_RUN:
        yield from walks.record(name)


def record_invented(every: bool) -> Iterator[Line]:
    numbers = [one for one in range(invented.CATALOGS) if every or not invented.is_long(one)]
    yield from invented.record(numbers, read("invented"), asked=every)


def record_sentences(every: bool) -> Iterator[Line]:
    yield from sentences.record(sentences.sentences() if every else sentences.sample())


def record_screens(every: bool) -> Iterator[Line]:
    yield from screens.record(every=every)


def record_kept(every: bool) -> Iterator[Line]:
    yield from kept.record(every=every)


SECTIONS: Mapping[str, Callable[[bool], Iterable[Line]]] = {
    "walks": record_walks,
    "invented": record_invented,
    "sentences": record_sentences,
    "kept": record_kept,
    "screens": record_screens,
}
