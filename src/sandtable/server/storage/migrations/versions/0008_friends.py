"""Friends, and the personal links by which they find each other."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "friend_links",
        sa.Column("account_id", sa.String(length=20), nullable=False),
        sa.Column("token", sa.String(length=40), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_friend_links_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_friend_links")),
        sa.UniqueConstraint("token", name=op.f("uq_friend_links_token")),
    )
    op.create_table(
        "friends",
        sa.Column("account_id", sa.String(length=20), nullable=False),
        sa.Column("friend_id", sa.String(length=20), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_friends_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["friend_id"], ["accounts.id"], name=op.f("fk_friends_friend_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "friend_id", name=op.f("pk_friends")),
    )
    op.create_index(op.f("ix_friends_friend_id"), "friends", ["friend_id"])


def downgrade() -> None:
    op.drop_table("friends")
    op.drop_table("friend_links")
