"""How handoffs ended and by whom, and what an agent offers to the people who look after its sessions.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ADDED = (("handoffs", "resolution", ""), ("handoffs", "resolved_by", ""), ("agents", "offers", "{}"))


def upgrade() -> None:
    """Handoffs of before ended without a word; agents say what they offer when they are published next."""
    for table, name, default in ADDED:
        op.add_column(table, sa.Column(name, sa.Text, nullable=False, server_default=default))


def downgrade() -> None:
    """Forget it again."""
    for table, name, _default in ADDED:
        op.drop_column(table, name)
