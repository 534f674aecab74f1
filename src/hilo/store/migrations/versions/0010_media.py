"""Files that contacts and operators send, and contacts who want no marketing.

Revision ID: 0010
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def _text(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


def upgrade() -> None:
    """Files that came before are not fetched any more: providers keep them for days only."""
    op.create_table(
        "media",
        *(sa.Column("id", sa.Text, primary_key=True), _text("workspace_id"), _text("channel_id"), _text("address_id")),
        *(_text("kind"), _text("source"), _text("name"), _text("type"), _number("size"), _text("status")),
        *(_text("reason"), _text("link"), _number("attempts"), _number("next_at"), _number("created_at")),
    )
    waiting = sa.text("status = 'waiting'")
    op.create_index("media_waiting", "media", ["address_id", "next_at"], sqlite_where=waiting, postgresql_where=waiting)
    linked = sa.text("link <> ''")
    op.create_index("media_by_link", "media", ["link"], unique=True, sqlite_where=linked, postgresql_where=linked)
    op.create_index("media_by_age", "media", ["created_at"])
    for name in ("quiet_since", "quiet_chosen_at"):
        op.add_column("addresses", sa.Column(name, sa.BigInteger, nullable=True))


def downgrade() -> None:
    """Forget which files there are; their bytes stay where they lie."""
    op.drop_column("addresses", "quiet_chosen_at")
    op.drop_column("addresses", "quiet_since")
    op.drop_table("media")
