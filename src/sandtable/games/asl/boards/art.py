"""Boards with art: a level and a terrain for every pixel, as an imported board has them.

A `BoardArt` is kept beside its sheets in `<id>_pixels.bin`: one byte a pixel, column by column, and a list of what the
bytes mean. A pixel is 1/56.25 of the distance between columns and 1/64.5 of that between rows.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from sandtable.engine.packs import PackError

MAGIC = b"sandtable-art-1\n"


@dataclass(frozen=True)
class BoardArt:
    """The pixels of one board; levels in half levels."""

    width: int
    height: int
    meanings: tuple[tuple[int, str], ...]
    """Byte -> (level, terrain word): the level is that of the ground there, a wadi's bottom in a wadi."""
    pixels: bytes

    def at(self, x: float, y: float) -> int:
        """The byte of the pixel here; what lies just beyond the edge is the edge's."""
        column = min(max(int(x), 0), self.width - 1)
        row = min(max(int(y), 0), self.height - 1)
        return self.pixels[column * self.height + row]

    def write(self, path: Path) -> None:
        head = {"width": self.width, "height": self.height, "meanings": self.meanings}
        body = json.dumps(head).encode() + b"\n" + self.pixels
        path.write_bytes(MAGIC + zlib.compress(body, 6))


def read_art(path: Path) -> BoardArt:
    """The art of a board as it was kept."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise PackError(str(path), 0, "this is not the art of a board")
    try:
        head, _, pixels = zlib.decompress(data[len(MAGIC) :]).partition(b"\n")
        facts = json.loads(head)
        art = BoardArt(
            int(facts["width"]),
            int(facts["height"]),
            tuple((int(level), str(word)) for level, word in facts["meanings"]),
            pixels,
        )
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise PackError(str(path), 0, f"the art of this board is damaged: {error}") from error
    if len(art.pixels) != art.width * art.height or max(art.pixels) >= len(art.meanings):
        raise PackError(str(path), 0, "the art of this board is damaged: its pixels do not fit")
    return art
