"""Maps drawn once: when the project is built, or at the first wish where that was not done.

A map is drawn in tokens of the page; a palette is a style sheet over that one drawing. What was drawn is kept under a
fingerprint of all that it was drawn from, so that a kept map is never an old one.
"""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from sandtable import registry
from sandtable.engine import drawing
from sandtable.engine.contract import Game
from sandtable.engine.drawing import PALETTES, MapStyle, draw_map
from sandtable.engine.packs import Joined, Pack, pack_of

log = logging.getLogger("sandtable.maps")

WIDTH = 2400
BUILT = Path(__file__).resolve().parents[1] / "maps"
"""Where `make` lays the maps."""


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
    name = file_name(game.id, pack, style, names)
    for folder in (BUILT, _own()):
        kept = folder / name
        if kept.exists():
            return kept.read_text(encoding="utf-8")
    return keep(_own(), name, draw(pack, style, names))


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


def _own() -> Path:
    return user_cache_path("sandtable") / "maps"


def keep(folder: Path, name: str, svg: str) -> str:
    """Lay a map aside; where nothing may be written it is drawn again the next time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f".{name}"
        aside.write_text(svg, encoding="utf-8")
        aside.replace(folder / name)
    except OSError as error:
        log.info("a map was not kept: %s", error)
    return svg


def main() -> None:
    """Draw the maps of all games where they are built, and clear away what is old."""
    wanted: set[str] = set()
    for one in registry.names():
        game = registry.get(one)
        pack, style = pack_of(game), style_of(game)
        if pack is None or style is None or isinstance(game, Joined):
            continue
        name = file_name(game.id, pack, style, names=False)
        wanted.add(name)
        if not (BUILT / name).exists():
            keep(BUILT, name, draw(pack, style, names=False))
    for path in BUILT.glob("*.svg"):
        if path.name not in wanted:
            path.unlink()


if __name__ == "__main__":
    main()
