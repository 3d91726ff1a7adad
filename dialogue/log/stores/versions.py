"""Versions of the tables: a new database gets the newest at once, an older one is migrated by Alembic.

Each version is a script in `migrations/versions`. The migration runs in the transaction of the connection that is
handed in: if it fails, the caller's rollback leaves the database as it was.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from dialogue.log.stores.protocol import UnusableStore
from dialogue.log.stores.tables import TABLES

NEWEST = "0002"
"""The version of `dialogue.log.stores.tables`."""
SCRIPTS = Path(__file__).parent / "migrations"
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))
_UNVERSIONED = "0001"
"""The version of a database that records none: that of release 0.1.0."""


def bring_up_to_date(db: sa.Connection, name: str) -> bool:
    """Create the tables, or migrate them; return whether any were migrated. Raises UnusableStore.

    `name` is how the database is called in messages.
    """
    there = sa.inspect(db).get_table_names()
    if not there:
        TABLES.create_all(db)
        _record(db)
        return False
    found = db.execute(sa.select(_VERSION.c.version_num)).scalar() if _VERSION.name in there else _UNVERSIONED
    if found == NEWEST:
        return False
    if found == _UNVERSIONED and "entries" not in there:
        raise UnusableStore(f"{name} is not a database of conversations: it has the tables {', '.join(there)}.")
    _migrate(db, name, found or _UNVERSIONED, stamped=_VERSION.name in there)
    return True


def _record(db: sa.Connection) -> None:
    """Record the newest version the way Alembic does."""
    metadata = sa.MetaData()
    sa.Table(_VERSION.name, metadata, sa.Column("version_num", sa.String(32), primary_key=True, nullable=False))
    metadata.create_all(db)
    db.execute(_VERSION.insert().values(version_num=NEWEST))


def _migrate(db: sa.Connection, name: str, found: str, stamped: bool) -> None:
    from alembic import command  # half a second that only a migration needs
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = db
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found not in known:
        raise UnusableStore(
            f"{name} was written by a newer release: its tables have version {found}, and this release knows versions "
            f"up to {NEWEST}. Update this installation, or choose another data directory."
        )
    try:
        if not stamped:
            command.stamp(config, found)
        command.upgrade(config, "head")
    except Exception as error:
        raise UnusableStore(
            f"{name} could not be migrated from version {found} to {NEWEST}, and is as it was: {error}"
        ) from error
