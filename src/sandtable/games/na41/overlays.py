"""What can be laid over the map on demand: zones of control, supply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine.contract import View
from sandtable.engine.scene import Overlay

if TYPE_CHECKING:
    from .game import NorthAfrica


def overlays(game: NorthAfrica, view: View) -> list[Overlay]:
    return []
