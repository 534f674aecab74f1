"""What lay beside the file of a version: pages, goods and words of its own.

Revision ID: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Of versions from before, nothing is known: they go on with what lies beside the file now."""
    op.add_column("agents", sa.Column("folder_texts", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Forget it again."""
    op.drop_column("agents", "folder_texts")
