"""Games that are rated, and the ratings of those who play them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not in a batch: with a default SQLite's table would be made anew, and with the old one its seats and entries go.
    op.add_column("games", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.text("false")))
    op.create_table(
        "ratings",
        sa.Column("account_id", sa.String(length=20), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_ratings_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "game", name=op.f("pk_ratings")),
    )
    op.create_table(
        "scores",
        sa.Column("game_id", sa.String(length=20), nullable=False),
        sa.Column("account_id", sa.String(length=20), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("side", sa.String(length=40), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_scores_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_scores_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "account_id", name=op.f("pk_scores")),
    )
    op.create_index("ix_scores_account_id_game_at", "scores", ["account_id", "game", "at"])
    op.create_index("ix_scores_game_at", "scores", ["game", "at"])


def downgrade() -> None:
    op.drop_table("scores")
    op.drop_table("ratings")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_column("rated")
