"""Maps drawn once: when the project is built (`build`), or at the first wish where that was not done.

A map is drawn in tokens of the page; a palette is a style sheet over that one drawing. What was drawn is kept under a
fingerprint of all that it was drawn from (`kept`), so that a kept map is never an old one.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from sandtable.engine import drawing
from sandtable.engine.contract import Game
from sandtable.engine.drawing import PALETTES, MapStyle, draw_map
from sandtable.engine.packs import Pack

from . import kept

WIDTH = 2400


def style_of(game: Game[Any]) -> MapStyle | None:
    """How a game's map is drawn: the game says it, or the module `look` beside it."""
    style: MapStyle | None = getattr(game, "style", None)
    if style is None:
        try:
            look = import_module(f"{type(game).__module__.rpartition('.')[0]}.look")
        except ImportError:
            return None
        style = getattr(look, "STYLE", None)
    return style


def map_of(game: Game[Any], pack: Pack, style: MapStyle, names: bool) -> str:
    """The empty map in tokens, with or without the names of places: kept, or drawn and kept."""
    return kept.take(file_name(game.id, pack, style, names), lambda: draw(pack, style, names))


def draw(pack: Pack, style: MapStyle, names: bool) -> str:
    return draw_map(pack, style, "css", names=names, width=WIDTH)


def in_palette(svg: str, palette: str) -> str:
    """The same drawing with the values of a palette's tokens, for where no page gives them."""
    if palette == "css":
        return svg
    values = "".join(f"--{token}:{value};" for token, value in PALETTES[palette].items())
    head, tag, body = svg.partition("</title>")
    return f"{head}{tag}<style>:root{{{values}}}</style>{body}"


def file_name(game: str, pack: Pack, style: MapStyle, names: bool) -> str:
    return f"{game}-{'named-' if names else ''}{fingerprint(pack, style)}.svg"


def fingerprint(pack: Pack, style: MapStyle) -> str:
    """Of the drawing's source, the style and the data: another of any of them is another map."""
    found = sha256(_drawing())
    found.update(repr(style).encode())
    for path in sorted(pack.folder.glob("*.*")):
        found.update(path.name.encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


@cache
def _drawing() -> bytes:
    folder = Path(drawing.__file__).parent
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
