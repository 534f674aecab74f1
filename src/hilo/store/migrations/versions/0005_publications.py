"""Versions of agents in force, the modes of sessions, quiet hours of messages, what agents' own migrations said.

Revision ID: 0005
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

IN_FORCE = """
INSERT INTO publications (workspace_id, name, number, version, at, actor)
SELECT a.workspace_id, a.name, 1, a.version, a.published_at, 'engine' FROM agents a
WHERE NOT EXISTS (SELECT 1 FROM agents b WHERE b.workspace_id = a.workspace_id AND b.name = a.name
  AND (b.published_at > a.published_at OR (b.published_at = a.published_at AND b.version > a.version)))
"""
WHERE_THEY_ARE = """
INSERT INTO mode_visits (workspace_id, session_id, agent, mode, first_at, times)
SELECT workspace_id, id, agent, mode, started_at, 1 FROM sessions WHERE mode <> ''
"""


def _id(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False)


def upgrade() -> None:
    """The version published last is in force; of sessions from before, only the mode that they are in is known."""
    op.create_table(
        "publications",
        *(_id("workspace_id"), _id("name"), sa.Column("number", sa.Integer, nullable=False), _id("version")),
        *(sa.Column("at", sa.BigInteger, nullable=False), _id("actor")),
        sa.PrimaryKeyConstraint("workspace_id", "name", "number"),
    )
    op.create_table(
        "mode_visits",
        *(_id("workspace_id"), _id("session_id"), _id("agent"), _id("mode")),
        *(sa.Column("first_at", sa.BigInteger, nullable=False), sa.Column("times", sa.Integer, nullable=False)),
        sa.PrimaryKeyConstraint("session_id", "mode"),
    )
    op.add_column("outbox", sa.Column("quiet", sa.Text, nullable=False, server_default=""))
    op.add_column("agent_migrations", sa.Column("digest", sa.Text, nullable=False, server_default=""))
    op.execute(IN_FORCE)
    op.execute(WHERE_THEY_ARE)


def downgrade() -> None:
    """Forget all of it again."""
    op.drop_column("agent_migrations", "digest")
    op.drop_column("outbox", "quiet")
    op.drop_table("mode_visits")
    op.drop_table("publications")
