"""Run by Alembic: it migrates on the connection, and within the transaction, that `bring_up_to_date` hands in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
