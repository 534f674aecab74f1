"""What models cost: rows of attempts beside those of turns, and running totals for the limits.

Revision ID: 0003
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

KEPT = (
    *("session_id", "turn", "workspace_id", "agent", "at", "stage", "model", "input_tokens", "output_tokens"),
    *("cached_tokens", "cost", "tools", "milliseconds"),
)


def _id(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False)


def _text(name: str, default: str = "") -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False, server_default=default)


def _number(name: str, kind: Any = sa.BigInteger) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, server_default="0")


def upgrade() -> None:
    """A key cannot be changed in place everywhere, so the rows move to a new table."""
    op.create_table(
        "usage_with_attempts",
        *(_id("session_id"), _number("turn", sa.Integer), _text("attempt"), _text("model"), _id("workspace_id")),
        *(_id("agent"), _number("at"), _text("stage"), _number("input_tokens"), _number("output_tokens")),
        *(_number("cached_tokens"), _number("cache_written_tokens"), _text("cost", "0")),
        *(_number("tools", sa.Integer), _number("milliseconds", sa.Float)),
        sa.PrimaryKeyConstraint("session_id", "turn", "attempt", "model", name="usage_by_attempt"),
    )
    kept = ", ".join(KEPT)
    op.execute(f"INSERT INTO usage_with_attempts ({kept}) SELECT {kept} FROM usage")  # noqa: S608
    op.drop_table("usage")
    op.rename_table("usage_with_attempts", "usage")
    op.create_index("usage_by_day", "usage", ["workspace_id", "at"])
    op.create_table(
        "spending",
        *(_id("workspace_id"), _id("scope"), _id("name"), _id("day"), _number("tokens"), _number("money")),
        sa.PrimaryKeyConstraint("workspace_id", "scope", "name", "day"),
    )


def downgrade() -> None:
    """What attempts cost has no place in the old table."""
    raise NotImplementedError("this step cannot be taken back: restore the database from before it")
