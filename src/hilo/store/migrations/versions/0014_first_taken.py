"""When somebody first took a session that waited: colleagues may have it after them.

Revision ID: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Of handoffs from before, only the last person is known."""
    op.add_column("handoffs", sa.Column("taken_at", sa.BigInteger, nullable=True))
    op.execute("UPDATE handoffs SET taken_at = assigned_at")


def downgrade() -> None:
    """Forget it again."""
    op.drop_column("handoffs", "taken_at")
