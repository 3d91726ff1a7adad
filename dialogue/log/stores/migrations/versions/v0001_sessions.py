"""Version 0001: sessions and their files, as release 0.1.0 has written them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "entries",
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
    )
    op.create_table(
        "files",
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("sha256", sa.String, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
