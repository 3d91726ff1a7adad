"""Putting the services together from the settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from pydantic import JsonValue

from catalog.skills.failures import keep_values_out_of_logs
from dialogue.log.stores import open_store
from dialogue.log.streams import Clock
from dialogue.services.agents.sources import offer_agents
from dialogue.services.catalogs import read_catalogs
from dialogue.services.services import Services, now
from dialogue.settings.sources import read_settings

_log = logging.getLogger(__name__)


def make_services(
    home: Path | None = None,
    *,
    chosen: Mapping[str, JsonValue] | None = None,
    files: Sequence[Path] | None = None,
    today: date | None = None,
    clock: Clock = now,
) -> Services:
    """Assemble the services from the settings, with the demo catalogs and those in `files`.

    `chosen` is what the command line says, by dotted name. Without `files`, the settings say which there are.
    """
    keep_values_out_of_logs()
    configuration = read_settings(chosen, home)
    settings = configuration.settings
    named = settings.catalogs if files is None else files
    catalogs = read_catalogs(named, settings.catalog_limits, strict=files is not None)
    for file, error in catalogs.broken.items():
        first = " ".join(error.problems[0].render().split())
        _log.error("planglass: the catalog %s is not served: %s All of it: planglass check %s", file, first, file)
    store = open_store(settings.store_url)
    services = Services(store, catalogs, configuration=configuration, today=today, clock=clock)
    try:
        offer_agents(services)
        services.configuration = services.agents.usable(configuration)
    except ValueError:
        services.close()
        raise
    return services
