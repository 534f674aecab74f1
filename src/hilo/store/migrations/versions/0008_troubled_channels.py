"""A channel that cannot send says so: since when, why, and when it is tried again; attempts that failed are counted.

And how many processes died while they ran a turn, which is fewer than had claimed it.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

STUCK = sa.text("status IN ('failed', 'held')")


def upgrade() -> None:
    """All channels are well, as far as anybody knows."""
    op.add_column("channels", sa.Column("failing", sa.Integer, nullable=False, server_default="0"))
    op.add_column("channels", sa.Column("trouble", sa.Text, nullable=False, server_default=""))
    op.add_column("channels", sa.Column("trouble_reason", sa.Text, nullable=False, server_default=""))
    op.add_column("channels", sa.Column("troubled_at", sa.BigInteger))
    op.add_column("channels", sa.Column("paused_until", sa.BigInteger))
    op.add_column("outbox", sa.Column("refusals", sa.Integer, nullable=False, server_default="0"))
    op.add_column("work", sa.Column("deaths", sa.Integer, nullable=False, server_default="0"))
    op.create_index("outbox_stuck", "outbox", ["workspace_id", "id"], sqlite_where=STUCK, postgresql_where=STUCK)


def downgrade() -> None:
    """Forget what was wrong."""
    op.drop_index("outbox_stuck", "outbox")
    op.drop_column("work", "deaths")
    op.drop_column("outbox", "refusals")
    for name in ("paused_until", "troubled_at", "trouble_reason", "trouble", "failing"):
        op.drop_column("channels", name)
