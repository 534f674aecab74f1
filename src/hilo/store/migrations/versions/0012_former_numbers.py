"""The numbers that contacts had before: what is still said of them there is said of who moved.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Who moved before this step is known at the new number only."""
    op.create_table(
        "former_numbers",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("channel_id", "value", "address_id")),
        sa.Column("left_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "value"),
    )


def downgrade() -> None:
    """Forget where contacts were before."""
    op.drop_table("former_numbers")
