"""People who work with the agents: accounts, teams, notes, replies, what was read, and the live events of a workspace.

Revision ID: 0009
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = (
    *("panel_people", "person_sessions", "panel_teams", "login_attempts"),
    *("session_notes", "canned_replies", "session_reads", "live_events", "live_heads"),
)


def upgrade() -> None:
    """Nobody has an account yet; what was said before was said by nobody in particular."""
    _people()
    _records()
    _live()
    op.add_column("outbox", _text("operator"))
    op.add_column("handoffs", _text("team"))
    op.create_index("sessions_by_status", "sessions", ["workspace_id", "status", "last_at"])


def _people() -> None:
    op.create_table(
        "panel_people",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _id("login"), _text("name"), _id("role")),
        *(_id("password"), _count("away"), _maybe_time("seen_at"), _time("created_at"), _maybe_time("removed_at")),
    )
    working = sa.text("removed_at IS NULL")
    where: dict[str, Any] = {"unique": True, "sqlite_where": working, "postgresql_where": working}
    op.create_index("panel_people_by_login", "panel_people", ["workspace_id", "login"], **where)
    op.create_index("panel_people_by_name", "panel_people", ["workspace_id", sa.text("lower(name)")], **where)
    op.create_table(
        "person_sessions",
        *(sa.Column("hash", sa.Text, primary_key=True), _id("person_id"), _id("csrf"), _time("created_at")),
        *(_time("seen_at"), _time("expires_at")),
    )
    op.create_index("person_sessions_of", "person_sessions", ["person_id"])
    op.create_index("person_sessions_by_end", "person_sessions", ["expires_at"])
    op.create_table(
        "panel_teams",
        *(_id("workspace_id"), _id("team"), _id("person_id")),
        sa.PrimaryKeyConstraint("workspace_id", "team", "person_id"),
    )
    op.create_table("login_attempts", sa.Column("key", sa.Text, primary_key=True), _count("failures"), _time("at"))


def _records() -> None:
    op.create_table(
        "session_notes",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _id("session_id"), _time("at")),
        *(_id("author"), _id("text")),
    )
    op.create_index("notes_of_session", "session_notes", ["session_id", "at"])
    op.create_table(
        "canned_replies",
        *(_id("workspace_id"), _id("name"), _id("text"), sa.PrimaryKeyConstraint("workspace_id", "name")),
    )
    op.create_table("session_reads", sa.Column("session_id", sa.Text, primary_key=True), _count("turn"))


def _live() -> None:
    op.create_table(
        "live_events",
        *(sa.Column("id", NUMBER, sa.Identity(), primary_key=True), _id("workspace_id")),
        *(sa.Column("number", sa.BigInteger), _time("at"), _id("event"), _id("session_id"), _id("detail")),
        sqlite_autoincrement=True,
    )
    unnumbered, numbered = sa.text("number IS NULL"), sa.text("number IS NOT NULL")
    op.create_index("live_events_new", "live_events", ["workspace_id", "id"],
                    sqlite_where=unnumbered, postgresql_where=unnumbered)  # fmt: skip
    op.create_index("live_events_by_number", "live_events", ["workspace_id", "number"],
                    unique=True, sqlite_where=numbered, postgresql_where=numbered)  # fmt: skip
    op.create_index("live_events_by_age", "live_events", ["at"])
    op.create_table("live_heads", sa.Column("workspace_id", sa.Text, primary_key=True), _time("number"))


def _id(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False)


def _text(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def _count(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


def _time(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _maybe_time(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger)


def downgrade() -> None:
    """Forget the people, and what they wrote."""
    op.drop_index("sessions_by_status", "sessions")
    op.drop_column("handoffs", "team")
    op.drop_column("outbox", "operator")
    for table in reversed(TABLES):
        op.drop_table(table)
