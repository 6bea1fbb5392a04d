"""Seats that are kept for somebody until he sits down himself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("kept_for", sa.String(length=120), nullable=True))
        batch_op.create_index(batch_op.f("ix_seats_kept_for"), ["kept_for"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seats_kept_for"))
        batch_op.drop_column("kept_for")
