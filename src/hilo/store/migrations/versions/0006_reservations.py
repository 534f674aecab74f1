"""What requests under way to models may cost: a row for each, and sums of them beside the totals.

Revision ID: 0006
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def _text(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


def upgrade() -> None:
    """Nothing is reserved yet."""
    op.add_column("spending", _number("reserved_tokens"))
    op.add_column("spending", _number("reserved_money"))
    op.create_table(
        "reservations",
        sa.Column("id", sa.Text, primary_key=True),
        *(_text("workspace_id"), _text("agent"), _text("session_id"), _number("turn"), _text("day")),
        *(_text("model"), _number("input_tokens"), _number("output_tokens"), _text("cost")),
        _number("expires_at"),
    )  # no index by expiry: there are as few rows as requests under way


def downgrade() -> None:
    """Forget the requests under way."""
    op.drop_table("reservations")
    op.drop_column("spending", "reserved_money")
    op.drop_column("spending", "reserved_tokens")
