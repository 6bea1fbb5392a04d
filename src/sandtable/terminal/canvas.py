"""A sheet of characters with a colour behind and before each, for drawing in the terminal."""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style
from rich.text import Text


@lru_cache(maxsize=1024)
def _style(ink: str, ground: str, bold: bool) -> Style:
    return Style(color=ink or None, bgcolor=ground or None, bold=bold or None)


class Canvas:
    """A rectangle of characters; whatever is put outside it is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._chars = [[" "] * width for _ in range(height)]
        self._inks = [[""] * width for _ in range(height)]
        self._grounds = [[""] * width for _ in range(height)]
        self._bold = [[False] * width for _ in range(height)]

    def ground(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """Colour a rectangle of background."""
        for row in range(max(y, 0), min(y + height, self.height)):
            line = self._grounds[row]
            for column in range(max(x, 0), min(x + width, self.width)):
                line[column] = colour

    def put(self, x: int, y: int, text: str, ink: str = "", ground: str = "", bold: bool = False) -> None:
        """Write along a line; an empty ground keeps the colour that is there."""
        if not 0 <= y < self.height:
            return
        for column, char in enumerate(text, x):
            if 0 <= column < self.width:
                self._chars[y][column] = char
                self._inks[y][column] = ink
                self._bold[y][column] = bold
                if ground:
                    self._grounds[y][column] = ground

    def lines(self) -> list[Text]:
        """The sheet as one styled text per line."""
        out: list[Text] = []
        for chars, inks, grounds, bolds in zip(self._chars, self._inks, self._grounds, self._bold, strict=True):
            line = Text(no_wrap=True, overflow="crop", end="")
            start = 0
            for at in range(1, self.width + 1):
                if at == self.width or (inks[at], grounds[at], bolds[at]) != (
                    inks[start],
                    grounds[start],
                    bolds[start],
                ):
                    line.append("".join(chars[start:at]), _style(inks[start], grounds[start], bolds[start]))
                    start = at
            out.append(line)
        return out

    def plain(self) -> str:
        """The characters alone."""
        return "\n".join("".join(row).rstrip() for row in self._chars)
