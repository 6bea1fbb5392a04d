"""What `make` prepares for the server: the maps of all games, and what the lobby says of them."""

from __future__ import annotations

from sandtable import registry
from sandtable.engine.packs import Joined, pack_of

from . import catalogue, kept, maps


def main() -> None:
    """Make what is wanted where it is not built yet, and clear away what is old."""
    wanted: set[str] = set()
    names = registry.names()
    for one in names:
        game = registry.get(one)
        pack, style = pack_of(game), maps.style_of(game)
        if pack is None or style is None or isinstance(game, Joined):
            continue  # boards of many arrangements are drawn in a moment, when one of them is played
        name = maps.file_name(game.id, pack, style, names=False)
        wanted.add(name)
        if not (kept.BUILT / name).exists():
            kept.keep(kept.BUILT, name, maps.draw(pack, style, names=False))
    listed = catalogue.listed_as(tuple(names))
    wanted.add(listed)
    kept.keep(kept.BUILT, listed, catalogue.listing(tuple(names)))
    kept.clear(kept.BUILT, "*.svg", wanted)
    kept.clear(kept.BUILT, f"{catalogue.LISTED}*.json", wanted)


if __name__ == "__main__":
    main()
