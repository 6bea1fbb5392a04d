"""F12.3-F12.33, F12.42 Overlays at random, for scenarios of the players' own design.

`place_overlays` rolls for a whole map and gives the entries of its `overlays` list, in the order in which they are
laid. Dice come from outside, one at a time, so that they can be proved like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sandtable.engine.packs import PackError
from sandtable.games.asl.boards.layout import STEPS, At, Layout, Placed, hex_numbers, lay_out, overlay_cells
from sandtable.games.asl.boards.pack import AslPack

Roll = Callable[[], int]
"""One die, 1 to 6."""

MOST_TRIES = 200
"""F12.33b An overlay that fits nowhere is given up after so many rolls."""


class Half(NamedTuple):
    """A half-board: which board, and where it lies in half-boards from the top left."""

    board: Placed
    east: bool

    @property
    def at(self) -> tuple[int, int]:
        return round(2 * self.board.x) + self.east, self.board.y

    def near(self, other: Half) -> bool:
        """The same half-board or one beside it, even only at a corner (F12.42b)."""
        return abs(self.at[0] - other.at[0]) <= 1 and abs(self.at[1] - other.at[1]) <= 1


class Chosen(NamedTuple):
    """An overlay picked for a half-board, face down still."""

    id: str
    name: str
    half: Half


def density(pack: AslPack, dr: int) -> int:
    """F12.3b The drm for every board of the map."""
    return int(pack.tables["overlay_random"]["density_by_dr"][dr - 1])


def halves(final: int) -> tuple[int, int]:
    """F12.3c How many overlays a board gets on its western and on its eastern half (north is a long side)."""
    if final <= 1:
        return 2, 2
    return {2: (1, 1), 3: (0, 1), 4: (1, 0)}.get(final, (0, 0))


def overlay_name(pack: AslPack, coloured: int, white: int) -> str:
    """F12.3d The overlay of a DR."""
    return str(pack.tables["overlay_random"]["table"][coloured - 1][white - 1])


def hexrow(pack: AslPack, total: int, east: bool) -> str:
    """F12.31 The hexrow of hex 1, on the half of the board that is its eastern one as its letters are printed."""
    return str(pack.tables["overlay_random"]["hexrow"][str(total)][east])


def dune_drm(chosen: list[Chosen], placed: list[Chosen], half: Half) -> int:
    """F12.42b −1 for each sand or dune overlay selected, −2 instead for each placed on this half-board or near it."""
    drm = 0
    for one in chosen:
        if one.name.startswith("S"):
            drm -= 2 if one in placed and one.half.near(half) else 1
    return drm


def place_overlays(pack: AslPack, map_: Mapping[str, Any], roll: Roll) -> list[dict[str, Any]]:
    """Roll for the overlays of a map: the entries for its `overlays`, with `high` for a High dune."""
    plain = {key: value for key, value in map_.items() if key != "overlays"}
    layout = lay_out(pack, plain)
    drm = density(pack, roll())
    chosen: list[Chosen] = []
    for board in layout.placed:
        if board.board.id not in pack.tables["board_roles"]["random_overlay_boards"]:
            continue  # F12.3a not on board 25, nor on what plays its part
        west, east = halves(roll() + drm)
        for half, count in ((Half(board, False), west), (Half(board, True), east)):
            for _ in range(count):
                chosen.append(_pick(pack, half, chosen, roll))
    placed: list[Chosen] = []
    entries: list[dict[str, Any]] = []
    covered: dict[At, bool] = {}  # and whether it is a wadi there
    for number, one in enumerate(chosen):
        high = False
        if one.name.startswith("SD"):
            others = chosen[:number]
            if roll() + dune_drm(others, placed, one.half) > 1:
                continue  # F12.42a not placed at all
            tall = [x for x, entry in zip(placed, entries, strict=True) if entry.get("high")]
            near = sum(-2 if x.half.near(one.half) else -1 for x in tall)
            high = roll() + near <= 1  # F12.42c
        entry = _lay(pack, layout, one, covered, roll)
        if entry is not None:
            placed.append(one)
            entries.append({**entry, "high": True} if high else entry)
    return entries


def _pick(pack: AslPack, half: Half, chosen: list[Chosen], roll: Roll) -> Chosen:
    """F12.3d, F12.33a One overlay that is not chosen yet."""
    taken = {one.name for one in chosen}
    while True:
        coloured, white = roll(), roll()
        name = overlay_name(pack, coloured, white)
        if name not in taken:
            id = next((id for id, shape in pack.overlays.items() if shape.get("dyo_name") == name), "")
            if not id:
                raise PackError("overlays.toml", 0, f"there is no overlay {name}")
            return Chosen(id, name, half)


def _lay(pack: AslPack, layout: Layout, one: Chosen, covered: dict[At, bool], roll: Roll) -> dict[str, Any] | None:
    """F12.31-F12.33 Where an overlay lies: rolled again while it would overlap another or miss the map."""
    for _ in range(MOST_TRIES):
        row = hexrow(pack, roll() + roll(), one.half.east != one.half.board.rotated)
        number, direction = roll() + 2, roll() - 1  # F12.32a, B.8
        first = one.half.board.at(*hex_numbers(f"{row}{number}"))
        step = STEPS[one.half.board.direction(direction)]
        second = (first[0] + step[0], first[1] + step[1])
        if first not in layout.cells or second not in layout.cells:
            continue
        hexes = [layout.cells[at].names[0].split(".") for at in (first, second)]
        if hexes[0][0] != hexes[1][0]:
            continue  # its two marked hexes lie on different boards: no entry can name them
        entry = {"id": one.id, "board": hexes[0][0], "hex1": hexes[0][1], "hex2": hexes[1][1]}
        laid = overlay_cells(pack, layout, entry)[0]
        cells = {at: "wadi" in hex_["tags"] for at, hex_ in laid.items() if at in layout.cells}
        shared = cells.keys() & covered.keys()
        joined = len(shared) == 1 and all(covered[at] and _is_end(pack, one.id, laid[at]) for at in shared)
        if shared and not joined:
            continue
        covered |= cells
        return entry
    return None


def _is_end(pack: AslPack, id: str, hex_: Mapping[str, Any]) -> bool:
    """F12.33b Whether a hex of an overlay is the end of a wadi: its bed leads to one more hex of it at the most."""
    shape = pack.overlays[id]
    if "wadi" not in hex_["tags"]:
        return False
    ends = 0
    for side in shape["hexsides"]:
        q, r = side["at"]
        dc, dy = STEPS[side["dir"] - 1]
        other = [q + dc, r + (dy - dc) // 2]
        inside = any(list(one["at"]) == other for one in shape["hexes"])
        ends += side["kind"] == "wadi" and inside and list(hex_["at"]) in (list(side["at"]), other)
    return ends <= 1
