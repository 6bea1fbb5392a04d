"""Chapter 1: the map."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.engine.hexes import hexes_of
from sandtable.games.rommel.supply.fortresses import captures
from sandtable.games.rommel.supply.supply import is_isolated, trace
from sandtable.games.rommel.table.ids import (
    AXIS,
    COAST,
    COMMONWEALTH,
    DIRS,
    F_FIRE,
    F_SUPPLY_CHECK,
    F_TURN,
    INITIAL,
    TRACK,
    TRAIL,
)
from sandtable.games.rommel.table.minefields import is_defending

from ..kit import GAME, H, U, battle, board, do, empty, hexes, mask, place, texts, why
from ..movekit import go, goes, hexes_in, moving

rule = pytest.mark.rule
grid = board.grid


def neighbour(number: str, direction: str) -> str:
    return grid.names[grid.neighbour(H(number), DIRS.index(direction))]


@rule("rommel", "1.1a")
def test_a_hexside_is_the_border_that_two_hexes_share() -> None:
    for h in grid.hexes:
        for d, n in grid.neighbours[h]:
            assert grid.neighbour(n, (d + 3) % 6) == h
            # what is true of a hexside is true from both sides of it
            assert board.open[d] >> h & 1 == board.open[(d + 3) % 6] >> n & 1
            assert board.narrow[d] >> h & 1 == board.narrow[(d + 3) % 6] >> n & 1


@rule("rommel", "1.1b")
def test_e1_1_msus_e1_is_one_hex_east_of_msus() -> None:
    assert board.hex_name(H("Msus")) == "Msus"
    assert board.hex_name(H(neighbour("0506", "E"))) == "Msus E1"
    assert H("Msus E1") == H("0507")
    # every land hex has a name, and no two have the same
    names = [board.hex_name(h) for h in hexes_of(board.land)]
    assert len(set(names)) == len(names) == board.land.bit_count()
    # and a bearing counts hexes in that direction
    for h in hexes_of(board.land):
        place_name, _, bearing = board.hex_name(h).rpartition(" ")
        letters = bearing.rstrip("0123456789")
        if letters in DIRS[:6] and bearing != letters:
            assert grid.ray(H(place_name), DIRS.index(letters), int(bearing[len(letters) :])) == h


@rule("rommel", "1.2a", "1.2b", "1.2c", "1.2d")
def test_who_controls_a_hex_follows_from_who_is_in_it() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-AA3"], "0711")  # a friendly hex
    place(s, "CW-4A", "0714")  # an enemy hex
    place(s, ["GE-MG8", "CW-5NZ"], "0812")  # a battle hex
    battle(s, "0812", "commonwealth", ["NW"])
    moving(s)
    groups = {t.split()[1] for t in texts(s) if t.startswith("regroup")}
    assert "0711" in groups  # friendly
    assert "0811" in groups  # empty: nobody's
    assert "0812" in groups  # battle
    assert "0714" not in groups  # enemy
    reach = goes(s, "GE-AA3")
    assert "0712" in reach  # an empty hex is entered and passed
    assert "0714" not in reach  # an enemy hex only through a hexside, and not passed
    assert "0714 W" in reach
    assert "0812 W" in reach  # so with a battle hex
    assert not any(w.startswith("0715") for w in goes(s, "GE-PZ5"))


@rule("rommel", "1.2e", "8.3b")
def test_a_battle_hex_is_controlled_by_the_side_that_was_there_first() -> None:
    s = empty()
    place(s, ["CW-5NZ", "GE-PZ5"], "0504")  # Beda Fomm, astride the coast road
    battle(s, "0504", "commonwealth", ["W"])
    assert not trace(s, AXIS) & mask("0304")  # Benghazi: the Axis line is cut by the Defender's hex
    s = empty()
    place(s, ["CW-5NZ", "GE-PZ5"], "0504")
    battle(s, "0504", "axis", ["W"])
    assert trace(s, AXIS) & mask("0304")


@rule("rommel", "1.3")
def test_any_number_of_units_may_stack() -> None:
    s = empty(option="offensive")
    names = [n for n in board.units if n.startswith(("GE", "IT"))][:20]
    place(s, names[:10], "0711")
    place(s, names[10:], "0712")
    moving(s)
    do(s, "group 0711 0")
    for name in names[:9]:
        do(s, f"move {name}", "to 0712 -")
    do(s, f"move {names[9]}", "to 0712 -")
    assert s.here[H("0712")].bit_count() == 20


@rule("rommel", "1.4a", "1.4e")
def test_terrain_counts_only_on_hexsides() -> None:
    # the Jebel is mountain country, but a hex of it is entered by a clear hexside like any other
    assert board.open[DIRS.index("SE")] >> H("0208") & 1  # Slonta to the desert: clear
    kinds = ("mountain", "ridge", "marsh", "sea")
    for h in hexes_of(board.land):
        for d, n in grid.neighbours[h]:
            if not board.land >> n & 1:
                continue
            featured = any(k in board.pack.sides and board.pack.sides[k][d] >> h & 1 for k in kinds)
            if not featured:  # clear: always passable, two units at a time
                assert board.open[d] >> h & 1
                assert not board.narrow[d] >> h & 1


@rule("rommel", "1.4b", "1.4c", "7.1d")
def test_rough_hexsides_are_crossed_only_by_gorge_or_road() -> None:
    # ridge without and with a gorge: Jarabub scarp and Jarabub gorge; marsh: Bir es Suera
    assert not board.open[DIRS.index("NW")] >> H("1014") & 1
    assert board.open[DIRS.index("NE")] >> H("1014") & 1
    assert not board.open[DIRS.index("W")] >> H("0904") & 1
    # a mountain only by the road through it: Barce to Er Regima by track, Tocra to Er Regima not
    assert board.open[grid.direction(H("0205"), H("0305"))] >> H("0205") & 1
    assert not board.open[grid.direction(H("0204"), H("0305"))] >> H("0204") & 1
    s = empty()
    place(s, "IT-BRE", "0904")
    moving(s)
    assert goes(s, "IT-BRE") == {"0803", "0804", "0905", "1003", "1004"}  # not 0903 across the marsh
    do(s, "group 0904 0", "move IT-BRE")
    reason = why(s, "to 0903 -")
    assert reason is not None
    assert reason.rule == "1.4b"


@rule("rommel", "1.4c")
def test_mountain_ridge_and_marsh_are_the_rough_terrain() -> None:
    sides = board.pack.sides
    assert {"mountain", "ridge", "marsh"} <= set(sides)
    for kind in ("mountain", "ridge", "marsh"):
        crossed = shut = 0
        for d in range(6):
            crossed += (sides[kind][d] & board.open[d]).bit_count()
            shut += (sides[kind][d] & ~board.open[d]).bit_count()
            # whatever may be crossed of it is narrow
            assert not sides[kind][d] & board.open[d] & ~board.narrow[d]
        assert crossed, kind
        assert shut, kind


@rule("rommel", "1.4d", "7.1c")
def test_only_one_unit_engages_across_a_rough_hexside() -> None:
    s = empty(active="commonwealth")
    place(s, ["CW-4A", "CW-7A"], "0516")
    place(s, "IT-SAV", "0615")  # up the Halfaya Pass
    moving(s)
    do(s, "group 0516 0", "move CW-4A", "to 0615 NE")
    do(s, "move CW-7A")
    assert not any(t.startswith("to 0615 NE") for t in texts(s))
    reason = why(s, "to 0615 NE")
    assert reason is not None
    assert reason.rule == "7.1c"


@rule("rommel", "1.4f")
def test_only_land_is_used() -> None:
    s = empty()
    place(s, "GE-AA3", "0313")
    moving(s)
    assert "0213" not in goes(s, "GE-AA3")
    do(s, "group 0313 0", "move GE-AA3")
    reason = why(s, "to 0213 -")
    assert reason is not None
    assert reason.rule == "1.4f"
    # nobody crosses the Gulf of Sollum, though Bardia and Sollum touch
    assert grid.adjacent(H("Bardia"), H("Sollum"))
    assert not board.open[grid.direction(H("Bardia"), H("Sollum"))] >> H("Bardia") & 1


@rule("rommel", "1.5a", "1.5b")
def test_the_better_the_road_the_farther() -> None:
    speeds = {}
    for name, hex_, along in (
        ("coast", "0504", "0504 0403 0304 0204 0205 0206 0207 0108 0109"),
        ("track", "0512", "0512 0511 0510 0509"),
        ("trail", "1009", "1009 1010 1011 1012 1013"),
    ):
        s = empty()
        place(s, "GE-PZ5", hex_)
        moving(s)
        reach = goes(s, "GE-PZ5")
        speeds[name] = max(n for n, h in enumerate(along.split()) if h in reach)
    s = empty()
    place(s, "GE-PZ5", "0512")
    moving(s)
    assert speeds["coast"] == 7
    assert "0507" not in goes(s, "GE-PZ5")
    assert speeds["trail"] == 4
    assert speeds["coast"] > speeds["trail"] > 3


@rule("rommel", "1.5c")
def test_roads_carry_supply_farther() -> None:
    s = empty()
    # Bir Hacheim, three hexes of track from El Adem; the same distance into the open desert
    place(s, "IT-ARI", "0412")
    place(s, "IT-TRE", "0312")
    assert trace(s, AXIS) & mask("0512", "0410")
    assert not trace(s, AXIS) & mask("0612")
    assert board.supply_range[COAST] == 0  # no limit
    assert board.supply_range[TRACK] > board.supply_range[TRAIL]


@rule("rommel", "1.6a")
def test_each_side_has_one_base() -> None:
    assert board.base == (H("El Agheila"), H("Alexandria"))
    assert board.base_distance[AXIS][H("0902")] == 0


@rule("rommel", "1.6b")
def test_what_a_base_is_for() -> None:
    s = empty()
    place(s, "IT-ARI", "0902")
    assert trace(s, AXIS) & mask("0902", "0903")  # the primary source of supply
    assert board.ports[AXIS] & mask("0902")  # a port
    assert board.ports[COMMONWEALTH] & mask("0626")
    assert not board.ports[AXIS] & mask("0626")


@rule("rommel", "1.6c", "17.1c")
def test_to_lose_the_base_is_to_lose_the_game() -> None:
    s = empty()
    place(s, "GE-PZ5", "0726")
    moving(s)
    go(s, "GE-PZ5", "0626")
    assert s.ended is not None
    assert s.ended.winner == AXIS
    assert s.ended.rule == "17.1b"


@rule("rommel", "1.7a")
def test_the_fortresses() -> None:
    assert set(board.fortress_names) == {"Benghazi", "Tobruk", "Bardia"}
    assert hexes(board.fortress_mask) == {"0304", "0313", "0415"}


@rule("rommel", "1.7b")
def test_the_defender_of_a_fortress_fires_with_double_dice() -> None:
    for hex_, dice in (("0313", 8), ("0412", 4)):
        s = empty()
        place(s, ["CW-24A", "GE-MG8"], hex_)
        battle(s, hex_, "commonwealth", ["W"])
        assert is_defending(s, H(hex_), COMMONWEALTH, 0)
        s.stack = [GAME.framed((F_FIRE, H(hex_), COMMONWEALTH, 0))]
        GAME.settle(s)
        while GAME.to_act(s) != CHANCE:
            do(s, texts(s)[0])
        assert len(GAME.chances(s)) == dice + 1  # no hit to `dice` hits


@rule("rommel", "1.7c", "1.7d")
def test_a_cut_off_fortress_supplies_as_many_units_as_its_port_can_land() -> None:
    tobruk = board.fortress_names.index("Tobruk")
    s = empty()
    place(s, "CW-24A", "0313")
    place(s, ["GE-PZ5", "GE-PZ8"], "0414")
    place(s, "IT-ARI", "0514")
    place(s, "IT-TRE", "0515")
    assert is_isolated(s, tobruk)
    assert trace(s, COMMONWEALTH, H("0313")) & mask("0313")
    assert board.capacity[tobruk] == (2, 5)


@rule("rommel", "1.7e")
def test_a_captured_fortress_brings_bonus_cards() -> None:
    s = empty()
    s.fort_owner = [0, 1, 1]
    place(s, "GE-PZ5", "0313")
    captures(s)
    assert s.fort_owner[board.fortress_names.index("Tobruk")] == AXIS
    assert s.bonus[AXIS] == 5


@rule("rommel", "1.8a", "1.8b")
def test_the_oases_keep_one_unit_in_supply() -> None:
    assert hexes(board.oasis_mask) == {"1007", "1014", "1016"}
    s = empty()
    place(s, ["GE-MG8", "IT-TRE"], "1014")
    s.stack = [GAME.framed(f) for f in ((F_TURN, 1), (F_SUPPLY_CHECK, AXIS, INITIAL, 0))]
    GAME.settle(s)
    do(s, "oasis GE-MG8")
    assert not s.unsupplied >> U("GE-MG8") & 1
    assert s.unsupplied >> U("IT-TRE") & 1


@rule("rommel", "1.8c")
def test_the_distorted_hexes_are_ordinary_hexes() -> None:
    s = empty()
    place(s, "GE-AA3", "1007")  # Jalo
    moving(s)
    assert {"1006", "1008", "0906", "0907"} <= hexes_in(goes(s, "GE-AA3"))
    s = empty(active="commonwealth")
    place(s, "CW-11H", "1016")  # Siwa: along the tracks and up the gorge, not over the scarp
    moving(s)
    assert {"1014", "1017", "1018", "0917"} <= hexes_in(goes(s, "CW-11H"))
    assert not board.open[DIRS.index("NW")] >> H("1016") & 1
