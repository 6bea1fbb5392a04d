"""The public count: how far a game has come as spectators count it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("steps", sa.Integer(), nullable=True))
    # As good as can be told without replaying the games; the next move of each sets it right.
    op.execute(sa.text("UPDATE games SET steps = length"))
    with op.batch_alter_table("games") as games:
        games.alter_column("steps", existing_type=sa.Integer(), nullable=False)


def downgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.drop_column("steps")
