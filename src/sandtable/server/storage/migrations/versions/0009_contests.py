"""Leagues and knock-outs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(sa.Column("contest", sa.String(length=20), nullable=True))
    op.create_table(
        "contests",
        sa.Column("id", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("owner_id", sa.String(length=20), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("scenario", sa.String(length=80), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("form", sa.String(length=12), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.Integer(), nullable=False),
        sa.Column("at_once", sa.Boolean(), nullable=False),
        sa.Column("watch", sa.String(length=12), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("token", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name=op.f("fk_contests_owner_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contests")),
    )
    op.create_index(op.f("ix_contests_status"), "contests", ["status"])
    op.create_table(
        "entrants",
        sa.Column("contest_id", sa.String(length=20), nullable=False),
        sa.Column("account_id", sa.String(length=20), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("entered", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_entrants_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_entrants_contest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("contest_id", "account_id", name=op.f("pk_entrants")),
    )
    op.create_index(op.f("ix_entrants_account_id"), "entrants", ["account_id"])
    op.create_table(
        "meetings",
        sa.Column("contest_id", sa.String(length=20), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.String(length=20), nullable=False),
        sa.Column("second_id", sa.String(length=20), nullable=True),
        sa.Column("game_id", sa.String(length=20), nullable=True),
        sa.Column("result", sa.String(length=8), nullable=True),
        sa.Column("how", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_meetings_contest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("contest_id", "n", name=op.f("pk_meetings")),
    )
    op.create_index(op.f("ix_meetings_game_id"), "meetings", ["game_id"])


def downgrade() -> None:
    op.drop_table("meetings")
    op.drop_table("entrants")
    op.drop_table("contests")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_column("contest")
