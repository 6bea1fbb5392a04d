"""Data packs: load one, check one, override one. See `overrides` and `schema` for what a folder may hold."""

from sandtable.engine.packs.faults import Fault, PackError
from sandtable.engine.packs.files import Row
from sandtable.engine.packs.maps import Joined, pack_of
from sandtable.engine.packs.overrides import config_folder, config_overrides
from sandtable.engine.packs.pack import Edge, Extra, HexRow, Pack, Place, check_pack, load_pack
from sandtable.engine.packs.scenarios import Placement, placements

__all__ = [
    "Edge",
    "Extra",
    "Fault",
    "HexRow",
    "Joined",
    "Pack",
    "PackError",
    "Place",
    "Placement",
    "Row",
    "check_pack",
    "config_folder",
    "config_overrides",
    "load_pack",
    "pack_of",
    "placements",
]
