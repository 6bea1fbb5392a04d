"""Rate limits that several processes share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "limits",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("who", sa.String(length=40), nullable=False),
        sa.Column("left", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "who", name=op.f("pk_limits")),
    )
    with op.batch_alter_table("limits", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_limits_at"), ["at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("limits", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_limits_at"))

    op.drop_table("limits")
