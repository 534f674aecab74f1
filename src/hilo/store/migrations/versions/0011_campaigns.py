"""Messages that the business begins: campaigns, whom they go to, and requests that must not be done twice.

Revision ID: 0011
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


def _maybe(name: str, kind: Any = sa.BigInteger) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=True)


def upgrade() -> None:
    """Nobody was written to first before."""
    op.create_table(
        "campaigns",
        *(sa.Column("id", sa.Text, primary_key=True), _text("workspace_id"), _text("channel_id"), _text("name")),
        *(_text("round"), _text("status"), _text("reason"), _maybe("next_at"), _number("created_at")),
        sa.UniqueConstraint("workspace_id", "channel_id", "name", "round"),
    )
    op.create_table(
        "recipients",
        *(sa.Column("id", NUMBER, sa.Identity(), primary_key=True), _text("campaign_id"), _text("workspace_id")),
        *(_text("channel_id"), _text("value"), _number("place"), _number("opted_in"), _text("slots")),
        *(_text("status"), _text("reason"), _maybe("address_id", sa.Text), _maybe("session_id", sa.Text)),
        *(_maybe("turn", sa.Integer), _maybe("begun_at"), _maybe("written_at"), _number("created_at")),
        sa.UniqueConstraint("campaign_id", "value"),
        sqlite_autoincrement=True,
    )
    waiting = sa.text("status = 'waiting'")
    op.create_index(
        "recipients_waiting", "recipients", ["campaign_id", "id"], sqlite_where=waiting, postgresql_where=waiting
    )
    begun = sa.text("begun_at IS NOT NULL")
    op.create_index(
        "recipients_begun", "recipients", ["channel_id", "begun_at"], sqlite_where=begun, postgresql_where=begun
    )
    op.create_index(
        "recipients_of_address", "recipients", ["address_id", "begun_at"], sqlite_where=begun, postgresql_where=begun
    )
    op.create_table(
        "campaign_requests",
        *(_text("workspace_id"), _text("key"), _text("digest"), _text("result"), _number("at")),
        sa.PrimaryKeyConstraint("workspace_id", "key"),
    )


def downgrade() -> None:
    """Forget who was written to first; what was said to them stays."""
    op.drop_table("campaign_requests")
    op.drop_table("recipients")
    op.drop_table("campaigns")
