"""Version 0002: streams of several kinds; sessions become the streams of the kind `conversation`."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Move everything into tables that are keyed by the kind of stream too."""
    op.create_table(
        "stream_entries",
        sa.Column("stream_kind", sa.String, primary_key=True),
        sa.Column("stream_id", sa.String, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
    )
    op.create_table(
        "stream_files",
        sa.Column("stream_kind", sa.String, primary_key=True),
        sa.Column("stream_id", sa.String, primary_key=True),
        sa.Column("sha256", sa.String, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.execute(
        "INSERT INTO stream_entries (stream_kind, stream_id, seq, at, kind, entry) "
        "SELECT 'conversation', session_id, seq, at, kind, entry FROM entries"
    )
    op.execute(
        "INSERT INTO stream_files (stream_kind, stream_id, sha256, data) "
        "SELECT 'conversation', session_id, sha256, data FROM files"
    )
    op.drop_table("files")
    op.drop_table("entries")
