"""Addresses of notices: only those of kinds that are still sent to stay in the settings."""

from __future__ import annotations

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SENT_TO = re.compile(r"(https://|discord://\d+/[\w-]+/?\Z)")


def upgrade() -> None:
    accounts = sa.table("accounts", sa.column("id", sa.String), sa.column("settings", sa.Text))
    connection = op.get_bind()
    wanted = sa.select(accounts.c.id, accounts.c.settings).where(accounts.c.settings.contains("notify_urls"))
    for id, text in connection.execute(wanted).all():
        settings = json.loads(text)
        settings["notify_urls"] = [url for url in settings.get("notify_urls", ()) if SENT_TO.match(url)]
        changed = accounts.update().where(accounts.c.id == id).values(settings=json.dumps(settings))
        connection.execute(changed)


def downgrade() -> None:
    """What was left out is gone."""
