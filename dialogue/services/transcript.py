"""A conversation as people read it, to take along: as text or as one HTML file, with sensitive values masked."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from catalog.wording.grammar import capitalize, clean
from dialogue.log.events import ASSISTANT
from dialogue.services.views import Snapshot
from dialogue.state.masking import mask, secrets_of

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "h1{font-size:1.4rem}dt{font-weight:600;margin-top:1rem}dd{margin:0;white-space:pre-wrap}"
)


def transcript(seen: Snapshot) -> str:
    """Write what was said, a paragraph for each message."""
    title, said = _title(seen), "\n\n".join(f"{who}: {words}" for who, words in _said(seen))
    return f"{title}\n\n{said}\n"


def transcript_page(seen: Snapshot) -> str:
    """Write what was said as one page of HTML that asks for nothing else."""
    title = escape(_title(seen))
    said = "\n".join(f"<dt>{escape(who)}</dt><dd>{escape(words)}</dd>" for who, words in _said(seen))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n<dl>\n{said}\n</dl></body></html>\n"
    )


def _title(seen: Snapshot) -> str:
    name = mask(seen.conversation.setup.name, secrets_of(seen.catalog, seen.log))
    begun = f"{seen.log[0].at:%Y-%m-%d %H:%M} UTC" if seen.log else ""
    return ", ".join(part for part in (name, clean(seen.catalog.label), begun) if part)


def _said(seen: Snapshot) -> Iterator[tuple[str, str]]:
    secrets = secrets_of(seen.catalog, seen.log)
    for message in seen.conversation.messages.all:
        who = clean(seen.catalog.label) if message.sender == ASSISTANT else capitalize(clean(message.sender))
        files = [f"[{clean(file.name)}]" for file in message.attachments]
        words = "\n".join(part for part in (message.text, *files) if part)
        yield "You" if message.sender == "user" else who, mask(words, secrets)
