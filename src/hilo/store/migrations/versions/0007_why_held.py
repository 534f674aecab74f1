"""Why a message is held is a code; it was a sentence that statements had to know.

Revision ID: 0007
"""

from alembic import op

revision = "0007"
down_revision = "0006"

CODES = {"the window is closed": "window_closed", "an operator holds the session": "operator"}


def upgrade() -> None:
    """Sentences become codes."""
    for sentence, code in CODES.items():
        op.execute(f"UPDATE outbox SET reason = '{code}' WHERE status = 'held' AND reason = '{sentence}'")  # noqa: S608


def downgrade() -> None:
    """Codes become sentences."""
    for sentence, code in CODES.items():
        op.execute(f"UPDATE outbox SET reason = '{sentence}' WHERE status = 'held' AND reason = '{code}'")  # noqa: S608
