"""The tables of the design. Times are microseconds since 1970 in both dialects.

Revision ID: 0001
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _id(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False)


def _text(name: str, default: str | None = "") -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=False, server_default=default)


def _maybe(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=True)


def _time(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _count(name: str, default: str = "0") -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, nullable=False, server_default=default)


def _json(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON, nullable=False)


def upgrade() -> None:
    """Make all tables."""
    _businesses()
    _conversations()
    _messages()
    _records()


def _businesses() -> None:
    op.create_table("workspaces", sa.Column("id", sa.Text, primary_key=True), _text("name"), _time("created_at"))
    op.create_table(
        "channels",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _id("kind"), _id("agent")),
        *(_text("settings"), sa.Column("per_second", sa.Float, nullable=False, server_default="0")),
        *(sa.Column("tokens", sa.Float, nullable=False, server_default="0"), _maybe("refilled_at", sa.BigInteger)),
        *(sa.Column("echo_seconds", sa.Float, nullable=False, server_default="0"), _count("window_hours")),
        *(_time("created_at"), _maybe("removed_at", sa.BigInteger)),
    )
    op.create_table(
        "contacts",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _text("name"), _text("phone")),
        _time("created_at"),
    )
    op.create_table(
        "addresses",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _id("channel_id"), _id("value")),
        *(_id("contact_id"), _maybe("heard_at", sa.BigInteger), sa.UniqueConstraint("channel_id", "value")),
    )
    op.create_table(
        "operators",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _text("name"), _time("created_at")),
    )
    op.create_table(
        "api_keys",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _text("name"), _id("hash")),
        *(_text("scopes"), _time("created_at"), _maybe("revoked_at", sa.BigInteger), sa.UniqueConstraint("hash")),
    )
    op.create_table(
        "agents",
        *(_id("workspace_id"), _id("name"), _id("version"), _id("source"), _time("published_at")),
        sa.PrimaryKeyConstraint("workspace_id", "name", "version"),
    )


def _conversations() -> None:
    op.create_table(
        "sessions",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _id("channel_id"), _id("address_id")),
        *(_id("contact_id"), _id("agent"), _id("agent_version"), _count("version"), _id("status"), _id("holder")),
        *(_text("mode"), _json("state"), _json("opening"), _time("started_at"), _time("heard_at"), _time("last_at")),
    )
    op.create_index("sessions_of_address", "sessions", ["address_id", "started_at"])
    op.create_index("sessions_by_activity", "sessions", ["workspace_id", "last_at"])
    op.create_table(
        "turns",
        *(_id("session_id"), _count("number"), _time("at"), _id("event"), _text("heard"), _json("said")),
        *(_text("intent"), _count("confidence"), _text("stage"), _json("told"), _json("trace")),
        sa.PrimaryKeyConstraint("session_id", "number"),
    )
    op.create_table(
        "timers",
        *(_id("session_id"), _id("name"), _id("workspace_id"), _id("address_id"), _time("due_at")),
        sa.PrimaryKeyConstraint("session_id", "name"),
    )
    op.create_index("timers_due", "timers", ["due_at"])
    op.create_table(
        "handoffs",
        *(sa.Column("id", sa.Text, primary_key=True), _id("workspace_id"), _id("session_id"), _id("policy")),
        *(_text("reason"), _text("status", "pending"), _maybe("operator_id"), _json("context"), _time("created_at")),
        *(_maybe("assigned_at", sa.BigInteger), _maybe("resolved_at", sa.BigInteger)),
    )
    op.create_index("handoffs_open", "handoffs", ["workspace_id", "status", "created_at"])
    op.create_index("handoffs_of_session", "handoffs", ["session_id"])


def _messages() -> None:
    op.create_table(
        "inbox",
        *(sa.Column("id", NUMBER, sa.Identity(), primary_key=True), _id("workspace_id"), _id("channel_id")),
        *(_id("external_id"), _id("address_id"), _maybe("session_id"), _id("kind"), _json("event")),
        *(_time("received_at"), _text("status", "pending"), _maybe("turn", sa.Integer)),
        sa.UniqueConstraint("workspace_id", "channel_id", "external_id"),
        sqlite_autoincrement=True,
    )
    pending = sa.text("status = 'pending'")
    op.create_index("inbox_pending", "inbox", ["address_id", "id"], sqlite_where=pending, postgresql_where=pending)
    op.create_index("inbox_by_age", "inbox", ["received_at"])
    op.create_table(
        "outbox",
        *(sa.Column("id", NUMBER, sa.Identity(), primary_key=True), _id("message_id"), _id("workspace_id")),
        *(_id("channel_id"), _id("address_id"), _maybe("session_id"), _maybe("turn", sa.Integer), _id("author")),
        *(_json("message"), _text("status", "pending"), _count("attempts"), _time("created_at"), _time("next_at")),
        *(_maybe("sending_at", sa.BigInteger), _maybe("sent_at", sa.BigInteger), _text("channel_message_id")),
        *(_text("reason"), _count("reserved"), sa.UniqueConstraint("message_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("outbox_of_address", "outbox", ["address_id", "id"])
    unsent = sa.text("status IN ('pending', 'sending')")
    op.create_index("outbox_unsent", "outbox", ["address_id", "id"], sqlite_where=unsent, postgresql_where=unsent)
    named = sa.text("channel_message_id <> ''")
    op.create_index("outbox_by_channel_id", "outbox", ["channel_id", "channel_message_id"],
                    sqlite_where=named, postgresql_where=named)  # fmt: skip
    op.create_table(
        "receipts",
        *(_id("channel_id"), _id("message_id"), _id("status"), _time("at"), _text("reason"), _count("window_closed")),
        sa.PrimaryKeyConstraint("channel_id", "message_id", "status"),
    )
    op.create_table(
        "ignored",
        *(sa.Column("id", NUMBER, sa.Identity(), primary_key=True), _id("channel_id"), _time("at"), _text("words")),
        _text("body"),
    )
    op.create_index("ignored_by_age", "ignored", ["at"])
    op.create_table(
        "work",
        *(_id("address_id"), _id("kind"), _maybe("next_at", sa.BigInteger), _maybe("burst_until", sa.BigInteger)),
        *(_count("urgent"), _count("attempts"), _text("error"), _maybe("lease_until", sa.BigInteger)),
        *(_maybe("lease_owner"), sa.Column("lease_token", sa.BigInteger, nullable=False, server_default="0")),
        sa.PrimaryKeyConstraint("address_id", "kind"),
    )
    waiting = sa.text("next_at IS NOT NULL")
    op.create_index("work_next", "work", ["next_at"], sqlite_where=waiting, postgresql_where=waiting)
    held = sa.text("lease_owner IS NOT NULL")
    op.create_index("work_owner", "work", ["lease_owner"], sqlite_where=held, postgresql_where=held)


def _records() -> None:
    op.create_table(
        "tool_calls",
        *(_id("session_id"), _count("turn"), _id("call_id"), _count("attempt"), _id("tool"), _json("arguments")),
        *(_text("status", "started"), _maybe("outputs", sa.JSON), _text("error"), _time("started_at")),
        *(_maybe("ended_at", sa.BigInteger), sa.Column("inbox_id", sa.BigInteger, nullable=False)),
        sa.PrimaryKeyConstraint("session_id", "turn", "call_id", "attempt"),
    )
    op.create_table(
        "usage",
        *(_id("session_id"), _count("turn"), _id("workspace_id"), _id("agent"), _time("at"), _text("stage")),
        *(_text("model"), _count("input_tokens"), _count("output_tokens"), _count("cached_tokens"), _text("cost", "0")),
        *(_count("tools"), sa.Column("milliseconds", sa.Float, nullable=False, server_default="0")),
        sa.PrimaryKeyConstraint("session_id", "turn", "model"),
    )
    op.create_index("usage_by_day", "usage", ["workspace_id", "at"])
    op.create_table(
        "audit",
        *(_id("workspace_id"), _count("number"), _time("at"), _id("actor"), _id("action"), _text("subject")),
        *(_id("detail"), _id("previous"), _id("hash"), sa.PrimaryKeyConstraint("workspace_id", "number")),
    )
    _append_only("audit")


def _append_only(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )


def downgrade() -> None:
    """There is nothing before."""
    raise NotImplementedError("the first step cannot be taken back: drop the database instead")
