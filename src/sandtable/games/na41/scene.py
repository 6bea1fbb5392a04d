"""The view made drawable."""

from __future__ import annotations

from sandtable.engine.contract import View
from sandtable.engine.scene import Scene

from .board import Board


def scene(board: Board, view: View) -> Scene:
    raise NotImplementedError
