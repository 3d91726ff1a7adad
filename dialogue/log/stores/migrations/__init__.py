"""Alembic's scripts: the versions of the tables, and how one becomes the next."""
