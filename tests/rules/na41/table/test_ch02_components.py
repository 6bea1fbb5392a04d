"""Chapter 2: the map and the counters."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat.strengths import attack_total, defence_total
from sandtable.games.na41.paths.chart import FOOT, MECH, VEHICLE, kind_of
from sandtable.games.na41.paths.legs import tables
from sandtable.games.na41.shown.look import STYLE
from sandtable.games.na41.table.ids import ALLIED, AXIS, ELITE, LOW, NATIONS, NORMAL_TQ, QUALITIES
from sandtable.games.na41.table.position import add_sp, eliminate, lose_step

from ..kit import H, U, at, board, empty, names, place, supplies, units

rule = pytest.mark.rule
ROWS = board.pack.units
TYPES = {row["code"]: row for row in board.pack.tables["unit_type"]}


# 2.2 The map


@rule("na41", "2.2.1c")
def test_the_terrain_chart_gives_the_rates() -> None:
    s = empty()
    kinds = tables(s).kinds
    chart = {row["terrain"]: row for row in board.pack.tables["tec"]["hex"]}
    for h in board.grid.hexes:
        terrain = board.pack.hexes[h].terrain
        for d, n in board.grid.neighbours[h]:
            plain = board.escarpments[d] | board.ridges[d] | board.perimeter[d] | board.roads[d]
            if not board.open[d] >> h & 1 or plain >> h & 1 or not board.land >> h & 1:
                continue
            entered = chart[board.pack.hexes[n].terrain]
            assert kinds[FOOT].walk.price[d][h] == entered["foot_sixths"], terrain
            assert kinds[MECH].walk.price[d][h] == kinds[VEHICLE].walk.price[d][h] == entered["mech_sixths"]


@rule("na41", "2.2.2")
def test_every_land_hex_counts_as_one_terrain() -> None:
    grounds = [hexes for terrain, hexes in board.pack.terrain.items() if terrain != "sea"]
    for h in board.grid.hexes:
        assert sum(mask >> h & 1 for mask in grounds) == board.land >> h & 1


@rule("na41", "2.2.3")
def test_used_replacements_and_supply_points_go_back_to_their_pools() -> None:
    s = empty()
    place(s, "GE_RI1", "2050")
    supplies(s, "axis", "2050", 2)
    eliminate(s, U("GE_RI1"), "8.7e")
    assert at(s, "GE_RI1") == "replacement_pool"
    add_sp(s, AXIS, s.board.grid.index["2050"], -2)
    assert s.sp[AXIS] == {}


# 2.3 The counters


@rule("na41", "2.3.1a", "2.3.1b")
def test_combat_units_have_a_defense_strength() -> None:
    for u, values in enumerate(board.dfn):
        assert bool(board.combat >> u & 1) == (min(values) >= 1), board.units[u]
    non_combat = {board.types[u] for u in range(len(board.units)) if not board.combat >> u & 1}
    assert non_combat == {"truck", "replacement_inf", "replacement_tank"}


@rule("na41", "2.3.2a", "2.3.2b", "2.3.2f")
@pytest.mark.parametrize(
    ("unit", "attack", "defense", "ma", "tank"),
    [("BR_6RC", 6, 4, 5, 2), ("BR_6R", 5, 4, 4, 1), ("BR_3H", 2, 2, 5, 0), ("BR_7H", 2, 2, 5, 0)],
)
def test_the_printed_values_that_the_book_gives(unit: str, attack: int, defense: int, ma: int, tank: int) -> None:
    u = U(unit)
    assert (board.att[u][0], board.dfn[u][0], board.ma[u][0], board.tank_value[u]) == (attack, defense, ma, tank)
    assert board.formation[u]
    assert board.types[u] == "tank"


@rule("na41", "2.3.2a", "2.3.2b", "2.3.2e")
@pytest.mark.parametrize(("unit", "shows"), [("GE_I5_5L", "full"), ("GE_I5_5L", "reduced"), ("IT_15", "full")])
def test_attack_and_defense_strength_are_used_where_they_say(unit: str, shows: str) -> None:
    s = empty()
    place(s, unit, "2050", shows)  # elite and low quality: neither matters to strength
    place(s, "BR_22G", "2051")
    u, step = U(unit), s.step[U(unit)]
    assert attack_total(s, H("2051"), units(unit), 0) == board.att[u][step]
    assert defence_total(s, H("2050"), units(unit)) == board.dfn[u][step]
    assert board.att[u] != board.dfn[u]


@rule("na41", "2.3.2d")
def test_troop_quality() -> None:
    assert QUALITIES[board.tq[U("GE_I5_5L")]] == "elite"
    assert QUALITIES[board.tq[U("IT_27")]] == "low"
    assert QUALITIES[board.tq[U("BR_3H")]] == "normal"
    assert names(board.elite & board.low) == set()
    for u in range(len(board.units)):
        level = ELITE if board.elite >> u & 1 else LOW if board.low >> u & 1 else NORMAL_TQ
        assert board.tq[u] == level


@rule("na41", "2.3.2g", "17.1.1c", "18.4")
def test_asus_have_a_range_and_some_an_s() -> None:
    for u in range(len(board.units)):
        if board.asus >> u & 1:
            assert board.asu_range[u] > 0
            assert board.steps_of[u] == 1  # 17.1.4a the back is the depleted side
            assert board.parenthesised >> u & 1
    assert not board.support_asus >> U("GE_DAK") & 1
    assert board.support_asus >> U("IT_X") & 1
    s = empty()
    place(s, "IT_X", "2050", depleted=True)
    assert names(s.depleted) == {"IT_X"}


@rule("na41", "2.3.2h", "17.2.4c")
def test_a_truck_is_an_msu_on_its_other_side() -> None:
    for u in range(len(board.units)):
        if board.trucks >> u & 1:
            assert (board.dfn[u][0], board.ma[u][0], board.asu_range[u]) == (0, 6, board.general["msu_range"])
    s = empty()
    place(s, "AX_TR1", "2050", msu=True)
    assert names(s.msu) == {"AX_TR1"}
    assert board.combat & s.msu == 0


@rule("na41", "2.3.2j")
def test_unit_sizes() -> None:
    assert {row["size"] for row in ROWS.values()} <= {"II", "III", "X", "GP", "XX", "XXX", "XXXX", "none"}
    assert ROWS["GE_DAK"]["size"] == "XXX"
    assert ROWS["GE_ARKO"]["size"] == "GP"
    assert ROWS["BR_22G"]["size"] == "X"


@rule("na41", "2.3.3a", "2.3.3b", "2.3.3c")
def test_mechanised_or_not() -> None:
    on_foot = {board.types[u] for u in range(len(board.units)) if board.foot >> u & 1}
    assert on_foot - {"replacement_inf"} == {"infantry", "machine_gun"}
    mechanised = {board.types[u] for u in range(len(board.units)) if board.mech >> u & 1}
    assert mechanised - {"replacement_tank"} == {
        "mot_infantry",
        "mot_machine_gun",
        "mot_airborne",
        "motorcycle",
        "recon",
        "asu_artillery",
        "flak88",
        "tank",
        "truck",
        "asu_hq",
    }
    assert board.mech & board.foot == 0
    for u in range(len(board.units)):
        assert (kind_of(board, u) == FOOT) == bool(board.foot >> u & 1)


@rule("na41", "2.3.3d", "2.3.3e", "2.3.3f")
def test_infantry_types_vehicles_and_silhouettes() -> None:
    for u, type_ in enumerate(board.types):
        row = TYPES[type_]
        assert bool(board.infantry_types >> u & 1) == row["infantry_type"], type_
        assert bool(board.vehicles >> u & 1) == row["vehicle"], type_
        assert bool(board.silhouettes >> u & 1) == row["silhouette"], type_
        assert bool(board.asus >> u & 1) == row["asu"], type_
        assert bool(board.mech >> u & 1) == row["mech"], type_
    assert kind_of(board, U("GE_AA3_5L")) == VEHICLE
    assert kind_of(board, U("AX_TR1")) == MECH  # A15


@rule("na41", "2.3.4a", "2.3.4b")
def test_the_colours_of_the_nations() -> None:
    colours = STYLE.nations
    assert colours["british"] == "gb"
    assert {colours[n] for n in ("indian", "australian", "new_zealand")} == {"cw"}
    assert (colours["south_african"], colours["polish"], colours["czech"]) == ("za", "pl", "cz")
    assert (colours["german"], colours["luftwaffe"], colours["italian"]) == ("de", "lw", "it")


@rule("na41", "2.3.4c")
def test_the_commonwealth_is_four_nations() -> None:
    four = [NATIONS.index(n) for n in ("australian", "new_zealand", "south_african", "indian")]
    assert len(set(four)) == 4
    for nation in four:
        assert board.of_nation[nation] & board.of_side[ALLIED]
        assert not board.of_nation[nation] & board.of_nation[NATIONS.index("british")]


@rule("na41", "2.3.5a", "2.3.5b")
def test_ex_2_3_5() -> None:
    s = empty()
    u = U("NZ_6")
    place(s, "NZ_6", "2050")
    assert board.steps_of[u] == 3
    assert (board.att[u], board.dfn[u], board.ma[u]) == ((5, 3, 1), (6, 4, 2), (3, 3, 3))  # front, back, remnant
    lose_step(s, u, "10.3a")
    lose_step(s, u, "10.4.1a")
    assert (s.step[u], at(s, "NZ_6")) == (2, "2050")
    lose_step(s, u, "10.3b")
    assert at(s, "NZ_6") == "eliminated"
    assert {board.steps_of[v] for v in range(len(board.units))} == {1, 2, 3}
    for v in range(len(board.units)):
        assert (board.steps_of[v] == 3) == bool(board.remnant[v])
