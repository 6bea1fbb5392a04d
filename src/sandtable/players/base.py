"""What a computer player is given, and what it must do (kept in the engine, so that games can use it)."""

from __future__ import annotations

from sandtable.engine.seats import Player, PlayerFactory, Seat, seat_at

__all__ = ["Player", "PlayerFactory", "Seat", "seat_at"]
