"""The map at the terminal, and what the table shows beside it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from sandtable.engine.dice import derive_seed
from sandtable.engine.hexes import hexes_of
from sandtable.engine.packs import Pack, load_pack
from sandtable.engine.scene import Scene
from sandtable.engine.table import Table
from sandtable.terminal import palette
from sandtable.terminal.board import Board
from sandtable.terminal.canvas import Canvas
from sandtable.terminal.desk import Names, Unclear
from sandtable.terminal.hexmap import HexMap, Tag
from sandtable.terminal.reader import Reader
from sandtable.terminal.session import Seat, Session

from .toygame import ToyGame

DATA = Path(__file__).parents[1] / "src" / "sandtable" / "games" / "rommel" / "data"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(DATA)


def screen() -> Console:
    return Console(file=io.StringIO(), width=120, height=50, force_terminal=False, color_system=None)


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


class MappedToy(ToyGame):
    """The toy on the map of the desert, so that there is something to draw."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack

    def scene(self, view: dict[str, Any]) -> Scene:
        names = ("0902", "0903", "0704", "0304", "0313", "0415", "0626")
        out: Scene = {"title": f"Turn {view['turn']}", "subtitle": "Causeway", "counters": [], "markers": []}
        for b, at in enumerate(view["at"]):
            known = view["strength"][b]
            out["counters"].append(
                {
                    "side": "red" if b < 3 else "blue",
                    "hidden": known is None,
                    "marks": ["disrupted"] * (b == 1),
                }
            )
            out["counters"][-1]["hex"] = names[at]
            if known is not None:
                out["counters"][-1] |= {"unit": "ABCXYZ"[b], "name": f"Block {b}", "strength": str(known)}
        out["markers"].append({"hex": "0313", "kind": "minefield", "label": "Minefield", "rule": "14.2d"})
        out["hands"] = [{"side": "red", "title": "Red hand", "count": 3, "cards": ["real", "real", "dummy"]}]
        out["stats"] = [{"id": "n", "title": "Blocks", "values": [3.0, None]}]
        out["tracks"] = [{"id": "t", "title": "Turn", "cells": ["one", "two"], "now": 1}]
        out["boxes"] = [{"id": "b", "title": "Box", "side": "red", "count": 2, "rule": "9.9"}]
        out["phases"] = [{"id": "p", "title": "Moves", "state": "now"}]
        out["notes"] = ["A note"]
        return out


def test_canvas_cuts_what_lies_outside() -> None:
    canvas = Canvas(5, 2)
    canvas.put(-2, 0, "abcdefghij", "red")
    canvas.put(0, 5, "no")
    canvas.ground(-5, -5, 50, 50, "blue")
    assert canvas.plain() == "cdefg\n"
    assert [line.cell_len for line in canvas.lines()] == [5, 5]


@pytest.mark.parametrize("width", [100, 120, 160])
@pytest.mark.parametrize("scale", ["near", "middle", "far", "tiny"])
def test_the_map_fits_the_screen(pack: Pack, width: int, scale: str) -> None:
    hexmap = HexMap(pack)
    window = hexmap.window(width, 30, scale=hexmap.scale(scale), focus=[pack.grid.index["0626"]])
    assert window.canvas.width <= width
    assert window.canvas.height <= 31
    if scale == "near":
        assert window.cut[0]
        assert not window.cut[2]
        assert "Alexand" in window.canvas.plain()


def test_the_whole_board_fits_110_columns(pack: Pack) -> None:
    hexmap = HexMap(pack)
    assert hexmap.size(hexmap.scale("far")) == (108, 20)
    assert hexmap.best_scale((), 110, 31).name == "far"
    assert hexmap.best_scale([pack.grid.index["0313"]], 100, 30).name == "near"


def test_the_map_shows_counts_choices_and_names(pack: Pack) -> None:
    hexmap = HexMap(pack)
    tobruk, gazala = pack.grid.index["0313"], pack.grid.index["0311"]
    tags = {tobruk: [Tag("A3", *palette.side_colours(0)), Tag("C12", *palette.side_colours(1))]}
    window = hexmap.window(
        120,
        31,
        scale=hexmap.scale("near"),
        focus=[tobruk],
        tags=tags,
        marked=1 << gazala,
        selected=1 << tobruk,
    )
    text = window.canvas.plain()
    assert "A3" in text
    assert "C12" in text
    assert "›0311" in text
    assert "»0313" in text
    assert "Bardia" in text
    assert "═" in text


@pytest.mark.parametrize("scale", ["near", "middle", "far", "tiny"])
def test_every_hex_of_the_map_is_drawn_and_none_on_another(pack: Pack, scale: str) -> None:
    hexmap = HexMap(pack)
    chosen = hexmap.scale(scale)
    spots = {hexmap._spot(h, chosen) for h in pack.grid.hexes}
    assert len(spots) == len(pack.grid.hexes)
    marks = hexmap.window(999, 999, scale=chosen, marked=pack.grid.all).canvas.plain()
    if chosen.width >= 4:
        assert all(pack.grid.names[h] in marks for h in pack.grid.hexes)


def test_neighbours_touch_on_the_map(pack: Pack) -> None:
    """The side between two hexes lies at the same characters, seen from either."""
    hexmap = HexMap(pack)
    near = hexmap.scale("near")
    for h in pack.grid.hexes:
        for d, n in pack.grid.neighbours[h]:
            mine = hexmap._side_cells(hexmap._spot(h, near), near, d)
            theirs = hexmap._side_cells(hexmap._spot(n, near), near, (d + 3) % 6)
            assert mine == theirs


def test_board_shows_scene(pack: Pack) -> None:
    game = MappedToy(pack)
    board = Board(game)
    state = game.new("line")
    view = game.view(state, 0)
    tags = board.tags(board.scene(view))
    words = {pack.grid.names[h]: [t.text for t in found] for h, found in tags.items()}
    assert words == {"0902": ["R3!"], "0626": ["B3"], "0313": ["m"]}
    console = screen()
    picture = board.picture(view, 120, 40, focus=[pack.grid.index["0902"]])
    for line in [
        *picture,
        *board.hex_card(view, "El Agheila", Names(pack)),
        *board.unit_list(view, ""),
        *board.status(view),
    ]:
        console.print(line)
    text = printed(console)
    for wanted in (
        "R3!",
        "0902 El Agheila",
        "coast road",
        "3 unknown at 0626",
        "2 real, 1 dummy",
        "9.9",
        "A note",
    ):
        assert wanted in text, wanted


def test_hex_card_suggests_nearest(pack: Pack) -> None:
    board = Board(MappedToy(pack))
    with pytest.raises(Unclear, match="nearest: "):
        board.hex_card({"turn": 0, "at": [], "strength": []}, "0399", Names(pack))


def test_focus_is_where_the_decision_lies(pack: Pack) -> None:
    game = MappedToy(pack)
    board = Board(game)
    state = game.new("line")
    for action in ("assign A 1", "assign B 2", "assign C 3"):
        game.apply(state, game.parse(action))
    view = game.view(state, 0)
    assert board.focus(view, 0, {"A"}) == {pack.grid.index["0902"]}
    assert board.focus(view, 1 << pack.grid.index["0313"], set()) == set(hexes_of(1 << pack.grid.index["0313"]))


def test_map_in_play(pack: Pack) -> None:
    game = MappedToy(pack)
    table: Table[Any] = Table.new(game, "line", seed=derive_seed(3))
    lines = ["map", "map Tobruk", "map near", "map nowhere", "hex Tobruk", "hex", "units A", "status", "quit"]
    console = screen()
    computer = Seat("first", lambda table, side: table.legal()[0])
    Session(table, [Seat("human"), computer], console, Reader(console, lines)).run()
    text = printed(console)
    assert "Minefield 14.2d" in text
    assert "map takes a hex" in text
    assert "hex takes a number" in text
    assert "far map" in text
    assert "near map" in text
