"""What has happened while somebody was away."""

from __future__ import annotations

from msgspec import Struct

from sandtable.engine.texts.text import Said


class AwayLine(Struct):
    n: int
    rule: str
    text: Said


class Away(Struct):
    """Since a seat's last decision: its number in that seat's count, how much has happened, and what matters of it."""

    since: int
    steps: int
    fights: int
    losses: int
    lines: list[AwayLine]
