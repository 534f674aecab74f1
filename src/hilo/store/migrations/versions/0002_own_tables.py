"""Which steps of agents' own tables were taken; what a tool tells or asks is kept with the call.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add a table, and three columns to the journal."""
    op.create_table(
        "agent_migrations",
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("agent", "name"),
    )
    op.add_column("tool_calls", sa.Column("tell", sa.Text, nullable=False, server_default=""))
    op.add_column("tool_calls", sa.Column("asks", sa.JSON, nullable=True))
    op.add_column("tool_calls", sa.Column("person", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Take them back."""
    op.drop_column("tool_calls", "person")
    op.drop_column("tool_calls", "asks")
    op.drop_column("tool_calls", "tell")
    op.drop_table("agent_migrations")
