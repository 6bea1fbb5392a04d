"""Chapter 2: components: the counters, and the map in both seasons."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine.scene import CounterItem
from sandtable.games.caucasus.combat.strengths import attack_strength, defence_total
from sandtable.games.caucasus.paths.legs import unbridged_major
from sandtable.games.caucasus.sequence import begin_turn
from sandtable.games.caucasus.supply.supply_lines import full, limited
from sandtable.games.caucasus.table.board import WINTER
from sandtable.games.caucasus.table.ids import AXIS, COMBAT, ELITE, F_COMBAT, F_MOVES, POOR, REGULAR, SOVIET
from sandtable.games.caucasus.table.state import State, controlled, vp, zone

from ..kit import GAME, H, U, at, board, controlled_by, do, empty, hexes, mask, new, place, start, texts, units
from ..movekit import cost, goes, hint, moving, phase, refusal

rule = pytest.mark.rule
rows = board.pack.units
tables = board.pack.tables


def counter(s: State, unit: str) -> CounterItem:
    """A counter as the table shows it."""
    [found] = [c for c in GAME.scene(GAME.view(s, AXIS))["counters"] if c["unit"] == unit]
    return found


# 2.1 The components


@rule("caucasus", "2.1a")
def test_the_pack_holds_the_map_the_counters_and_every_chart() -> None:
    assert len(board.grid.hexes) > 1000
    assert tables["counter_manifest"]["units"] == len(rows)
    assert tables["counter_manifest"]["total"] == 264  # one and a half sheets of 176
    for chart in (
        "terrain",
        "crt",
        "determined_defence",
        "axis_replacement_table",
        "soviet_event_table",
        "weather_table",
    ):
        assert tables[chart], chart
    # one six-sided die
    for column in board.crt:
        assert len(column) == 6


@rule("caucasus", "2.1b")
def test_a_counter_shows_size_name_formation_type_and_values() -> None:
    s = empty()
    place(s, "GE-13Pz", "1235")
    shown = counter(s, "GE-13Pz")
    assert (shown["size"], shown["formation"], shown["symbol"]) == ("XX", "III Pz", "panzer")
    assert "13" in shown["label"]
    assert (shown["strength"], shown["values"]) == ("10-9", ["6"])
    for name, row in rows.items():  # and where or when each begins
        assert row["arrival"] in ("hex", "zone", "turn", "pool", "box"), name
        assert row["setup"] or row["arrival_turn"] or row["arrival"] in ("pool", "box", "zone"), name


@rule("caucasus", "2.1c")
def test_stars_mark_units_with_a_special_arrival() -> None:
    starred = {name for name, row in rows.items() if row["star"]}
    assert set(tables["random_pool"]["units"]) <= starred
    assert {"GE-191StG", "GE-203StG"} <= starred
    s = new()
    for name in tables["random_pool"]["units"]:
        assert at(s, name) == "cup", name
    assert {at(s, "GE-191StG"), at(s, "GE-203StG")} == {"cadre"}


@rule("caucasus", "2.1d")
def test_units_with_a_triangle_begin_on_their_reduced_side() -> None:
    s = new()
    reduced = {board.units[u] for u, flag in enumerate(board.starts_reduced) if flag}
    assert {"SU-9MD", "SU-20MD", "SU-83MD", "SU-242MD"} <= reduced  # errata: these four too
    for name in reduced:
        if at(s, name)[0].isdigit():
            assert s.step[U(name)] == 1, name
    assert s.step[U("SU-2Gds")] == 1
    assert s.step[U("SU-353RD")] == 0


@rule("caucasus", "2.1e")
def test_the_defence_strength_of_an_hq_stands_in_parentheses() -> None:
    s = empty()
    place(s, "SU-North-HQ", "3021")
    assert counter(s, "SU-North-HQ")["strength"] == "(2)"
    place(s, "SU-North-HQ", "1144")  # alone it counts
    assert defence_total(s, H("1144"), COMBAT) == 2
    place(s, "SU-68RB", "1144")  # stacked it does not
    assert defence_total(s, H("1144"), COMBAT) == 2
    assert all(row["def_paren"] == ("yes" if row["type"] == "hq" else "") for row in rows.values())


@rule("caucasus", "2.1f")
def test_special_movement_symbols() -> None:
    s = empty("soviet")
    place(s, "SU-Azov", "2041")
    place(s, "SU-Train", "1733")
    assert counter(s, "SU-Azov")["values"] == ["S"]
    assert counter(s, "SU-Train")["values"] == ["R"]
    s = empty()
    place(s, "GE-4Bic", "1134")  # the white circle
    assert cost(s, "GE-4Bic", "1235") == "½"
    place(s, "GE-454Sec", "1035")  # the black box
    assert goes(s, "GE-454Sec") == {"1134"}


@rule("caucasus", "2.1g")
def test_markers_show_on_the_table() -> None:
    s = empty(turn=3)
    place(s, "GE-13Pz", "1235", disrupted=True, oos=True)
    place(s, "GE-73", "1236", limited=True)
    s.assault |= units("GE-73")
    s.marked |= units("GE-13Pz")
    assert {"disrupted", "out_of_supply", "automatic elimination"} <= set(counter(s, "GE-13Pz")["marks"])
    assert {"limited_supply", "assault"} <= set(counter(s, "GE-73")["marks"])
    # the number on a support marker is its shift, or its modifier in a Determined Defence
    assert board.air_shift[:5] == (2, 1, 1, 1, 2)
    assert board.air_drm[:5] == (2, 1, 1, 1, 2)
    titles = {t["id"]: t["title"] for t in GAME.scene(GAME.view(s, AXIS))["tracks"]}
    assert str(titles["AX-VIII"]).endswith("+2")
    assert str(titles["AX-IV"]).endswith("+1")
    assert {"turn", "vp"} <= set(titles)


@rule("caucasus", "2.1h")
def test_the_weather_is_shown_without_a_marker_of_its_own() -> None:
    assert tables["markers"]["weather"] == 0
    s = empty(turn=7)
    [weather] = [t for t in GAME.scene(GAME.view(s, AXIS))["tracks"] if t["id"] == "weather"]
    assert weather["value"] == "Fair"
    s.bad = 1
    [weather] = [t for t in GAME.scene(GAME.view(s, AXIS))["tracks"] if t["id"] == "weather"]
    assert weather["value"] == "Bad"


# 2.2 The values


@rule("caucasus", "2.2a", "2.2c")
def test_attack_and_defence_strength_and_their_yellow_boxes() -> None:
    s = empty()
    place(s, "GE-13Pz", "1143")
    place(s, "SU-4RD", "1142")
    assert attack_strength(s, U("GE-13Pz"), H("1142")) == 10
    assert defence_total(s, H("1142"), COMBAT) == 5
    assert counter(s, "GE-13Pz")["tank"] == "A"
    assert not counter(s, "GE-13Pz")["tank_hollow"]
    place(s, ["GE-7Flak", "SU-98AT"], "1143")
    assert counter(s, "GE-7Flak")["tank_hollow"]  # yellow defence box: it cancels but never provides
    assert "tank" not in counter(s, "SU-4RD")
    given = {row["type"] for row in rows.values() if row["armour"] == "A"}
    assert given <= {"panzer", "panzergrenadier", "tank", "assault_gun"}
    assert {row["type"] for row in rows.values() if row["armour"] == "C"} <= {"flak", "anti_tank"}


@rule("caucasus", "2.2b")
def test_superscripts_count_in_attacks_into_mountain_and_forest() -> None:
    s = empty()
    u = U("GE-1Mtn")
    plain, raised = board.att[u][0], board.att_sup[u][0]
    assert raised > plain
    place(s, "GE-1Mtn", "2430")
    place(s, "SU-4RD", "2530")
    assert attack_strength(s, u, H("2530")) == raised
    place(s, "SU-74RD", "2429")
    assert attack_strength(s, u, H("2429")) < raised
    assert counter(s, "GE-1Mtn")["strength"].startswith(str(plain))


@rule("caucasus", "2.2d")
def test_the_movement_allowance_is_what_a_unit_may_spend() -> None:
    s = empty(phase="axis_second_movement")
    place(s, ["GE-13Pz", "RO-5Cav"], "1144")
    assert {"1138"} <= goes(s, "GE-13Pz")
    assert "1137" not in goes(s, "GE-13Pz")
    assert "1138" not in goes(s, "RO-5Cav")


@rule("caucasus", "2.2e")
def test_white_box_units_have_no_zone_and_no_terrain_bonus_alone() -> None:
    s = empty()
    place(s, "SU-98AT", "2530")  # a mountain
    assert zone(s, SOVIET) == 0
    assert defence_total(s, H("2530"), COMBAT) == 1
    place(s, "SU-68RB", "2530")
    assert defence_total(s, H("2530"), COMBAT) == 6  # 1 + 2 and a bonus of 3, not more than their strength
    white = {row["type"] for row in rows.values() if row["white_box"] == "yes"}
    assert white == {"hq", "assault_gun", "flak", "commando", "anti_tank", "armoured_train", "port_garrison"}


@rule("caucasus", "2.21")
def test_unit_sizes() -> None:
    sizes = {row["size"].rstrip("+") for row in rows.values()}
    assert sizes <= {"II", "III", "X", "XX", "XXX", "XXXX", "XXXXX", ""}
    s = empty()
    place(s, ["GE-Brand", "GE-4Bic", "GE-13Pz", "GE-17A-HQ"], "1235")
    place(s, ["SU-68RB", "SU-10GRC"], "1435")
    wanted = {
        "GE-Brand": "II",
        "GE-4Bic": "III",
        "GE-13Pz": "XX",
        "GE-17A-HQ": "XXXX",
        "SU-68RB": "X",
        "SU-10GRC": "XXX",
    }
    for name, size in wanted.items():
        assert counter(s, name)["size"] == size, name


FOOT = "infantry bicycle_infantry mountain jaeger security nkvd naval_infantry hq port_garrison"
MECH = "panzer panzergrenadier motorised_infantry flak anti_tank commando assault_gun armoured_train azov_flotilla tank"


@rule("caucasus", "2.22a", "2.22b")
def test_every_unit_is_mechanised_or_not_and_foot_or_cavalry() -> None:
    for u, kind in enumerate(board.types):
        b = 1 << u
        assert bool(board.mech & b) == (kind in MECH.split()), kind
        assert bool(board.foot & b) == (kind in FOOT.split()), kind
        assert bool(board.cavalry & b) == (kind == "cavalry"), kind
    # what it means: rough costs mechanised units 2, and foot units crawl in the second phase
    s = empty(phase="axis_second_movement")
    place(s, ["GE-7Flak", "RO-5Cav", "GE-97Jg"], "2226")
    assert cost(s, "GE-7Flak", "2227") == "2"
    assert cost(s, "RO-5Cav", "2227") == "1"
    assert "2224" in goes(s, "RO-5Cav")
    assert "2224" not in goes(s, "GE-97Jg")


@rule("caucasus", "2.23")
def test_nationality_and_service_colour_the_counters() -> None:
    s = empty()
    shades = GAME.style.nations
    wanted = {
        "SU-4RD": "Soviet",
        "SU-83NB": "navy",
        "SU-2Gds": "Guards",
        "SU-11NKVD": "NKVD",
        "GE-13Pz": "German",
        "GE-5SS": "SS",
        "GE-7Flak": "Luftwaffe",
        "RO-10": "Romanian",
        "SL-Fast": "Slovak",
        "IT-2Alp": "Italian",
        "EA-1": "Eastern",
    }
    for i, (name, nation) in enumerate(wanted.items()):
        place(s, name, f"11{38 + i // 2}" if i < 4 else f"18{13 + i}")
        assert counter(s, name)["nation"] == nation, name
        assert nation in shades, nation
    assert len({str(shades[n]) for n in wanted.values()}) == len(wanted)


@rule("caucasus", "2.24a")
def test_three_troop_qualities() -> None:
    assert board.tq_att[U("GE-13Pz")][0] == ELITE
    assert board.tq_att[U("GE-73")][0] == REGULAR
    assert board.tq_att[U("SU-223RD")][0] == POOR
    s = empty()
    place(s, ["GE-13Pz", "GE-73"], "1144")
    place(s, "SU-223RD", "1142")
    shown = [counter(s, name)["boxed"][1] for name in ("GE-13Pz", "GE-73", "SU-223RD")]
    assert shown == ["elite", "", "low"]


@rule("caucasus", "2.24b", "2.24c", "2.24d", "2.24e")
def test_qualities_of_special_kinds() -> None:
    for u, kind in enumerate(board.types):
        got = (set(board.tq_att[u]), set(board.tq_def[u]))
        if kind == "nkvd":
            assert got == ({REGULAR}, {ELITE})
        elif kind == "naval_infantry":
            assert got == ({ELITE}, {REGULAR})
        elif kind in ("hq", "tank", "armoured_train", "assault_gun", "port_garrison", "azov_flotilla"):
            assert got == ({REGULAR}, {REGULAR}), board.units[u]


@rule("caucasus", "2.24f")
def test_quality_is_read_from_the_side_that_shows() -> None:
    for name in ("SU-12CD", "SU-13CD", "SU-15CD", "SU-116CD"):  # 17th Cossack Cavalry Corps
        assert board.tq_att[U(name)] == (ELITE, REGULAR)
        assert board.tq_def[U(name)] == (ELITE, REGULAR)
    s = empty()
    place(s, "SU-12CD", "1144")
    assert counter(s, "SU-12CD")["boxed"][1] == "elite"
    place(s, "SU-12CD", "1144", shows="reduced")
    assert counter(s, "SU-12CD")["boxed"][1] == ""


# 2.3 The map


@rule("caucasus", "2.3")
def test_the_terrain_effects_chart_governs_movement() -> None:
    mp: dict[str, Any] = {name: row["mp"] for name, row in tables["terrain"].items()}
    s = empty()
    for terrain, hex_, before in (("clear", "1142", "1143"), ("rough", "2227", "2226"), ("desert", "1917", "1918")):
        place(s, ["GE-13Pz", "GE-73"], before)
        assert [cost(s, u, hex_) for u in ("GE-13Pz", "GE-73")] == [str(x) for x in mp[terrain]], terrain
    place(s, ["GE-13Pz", "GE-73"], "2136")
    assert [cost(s, u, "2237") for u in ("GE-13Pz", "GE-73")] == [str(x) for x in mp["forest"]]
    place(s, ["GE-13Pz", "GE-73"], "1737")
    assert mp["marsh"] == [-1, 2]
    assert cost(s, "GE-73", "1738") == "2"
    assert "1738" not in goes(s, "GE-13Pz")


@rule("caucasus", "2.31a")
def test_seasonal_marsh_is_rough_through_turn_9() -> None:
    s = empty(turn=9)
    place(s, ["GE-13Pz", "GE-73"], "1719")
    assert cost(s, "GE-73", "1720") == "1"
    assert cost(s, "GE-13Pz", "1720") == "2"
    assert not hint(s, "GE-73", "1720").get("stop")
    place(s, "GE-73", "1822")
    assert cost(s, "GE-73", "1721") == "2"  # rough, over the river


@rule("caucasus", "2.31b")
def test_seasonal_marsh_is_marsh_from_turn_10_and_its_rivers_are_ignored() -> None:
    s = empty(turn=10)
    place(s, ["GE-13Pz", "GE-73"], "1719")
    assert "1720" not in goes(s, "GE-13Pz")
    assert cost(s, "GE-73", "1720") == "2"
    assert hint(s, "GE-73", "1720").get("stop")
    place(s, "GE-73", "1822")
    assert cost(s, "GE-73", "1721") == "2"  # marsh, and no river
    place(s, ["GE-13Pz"], "1722")
    assert cost(s, "GE-13Pz", "1822") == "1"  # out of the marsh into clear, the river gone
    seasonal = board.pack.terrain["seasonal_marsh"]
    assert board.grounds[WINTER].marsh & seasonal == seasonal
    assert not board.grounds[WINTER].terrain["rough"] & seasonal


@rule("caucasus", "2.31b")
def test_a_major_river_along_seasonal_marsh_stays_in_winter() -> None:
    """Only minor rivers are ignored there; along marsh that is marsh all year (2.35) major ones are too."""
    s = empty(turn=10)
    place(s, "GE-73", "2715")  # a major river flows between it and 2616
    place(s, "SU-4RD", "2616")
    assert attack_strength(s, U("GE-73"), H("2616")) == (board.att[U("GE-73")][0] + 1) // 2  # 9.3a
    assert unbridged_major(s, H("2616"), board.grid.direction(H("2616"), H("2715")))
    assert unbridged_major(s, H("2715"), board.grid.direction(H("2715"), H("2616")))
    assert not unbridged_major(s, H("2614"), board.grid.direction(H("2614"), H("2615")))


@rule("caucasus", "2.31c")
def test_mechanised_units_in_seasonal_marsh_go_to_the_cadre_box_when_it_floods() -> None:
    s = empty(turn=9)
    place(s, ["GE-13Pz", "GE-73", "RO-5Cav"], "1720")
    place(s, "GE-3Pz", "1719")
    place(s, "SU-136TB", "1822")
    begin_turn(s)
    assert s.turn == 10
    assert at(s, "GE-13Pz") == "cadre"
    assert (at(s, "GE-73"), at(s, "RO-5Cav")) == ("1720", "1720")  # neither is mechanised
    assert (at(s, "GE-3Pz"), at(s, "SU-136TB")) == ("1719", "1822")
    s = empty(turn=8)
    place(s, "GE-13Pz", "1720")
    begin_turn(s)
    assert at(s, "GE-13Pz") == "1720"


@rule("caucasus", "2.31c", "15.1f", "22.1")
def test_a_mechanised_hq_that_drowns_returns_like_any_other() -> None:
    s = empty(turn=9, mechanised_panzer_army_hq=True)
    place(s, "GE-1PzA-HQ", "1720")
    begin_turn(s)
    assert at(s, "GE-1PzA-HQ") == "returning"
    s = empty(turn=9)
    place(s, "GE-1PzA-HQ", "1720")
    begin_turn(s)
    assert at(s, "GE-1PzA-HQ") == "1720"


PASSES = (("2633", "2733"), ("2829", "2929"), ("2830", "2930"), ("3124", "3224"))


@rule("caucasus", "2.32a", "2.32b")
def test_passes_close_in_winter_but_the_krestovy() -> None:
    for turn, is_open in ((9, True), (10, False)):
        for here, there in PASSES:
            s = empty("soviet", turn=turn)
            place(s, "SU-9MD", here)
            assert (there in direct(s, "SU-9MD")) is is_open, (turn, here)
        s = empty("soviet", turn=turn)
        place(s, "SU-9MD", "3121")
        assert "3222" in direct(s, "SU-9MD")


def direct(s: State, unit: str) -> set[str]:
    """Where one step leads: a foot unit in a second phase has no more, off the road."""
    c = s.copy()
    c.second = 1
    return goes(c, unit)


@rule("caucasus", "2.32b")
def test_no_combat_and_no_supply_over_a_closed_pass() -> None:
    for turn, is_open in ((9, True), (10, False)):
        s = empty(turn=turn, phase="axis_first_combat")
        place(s, ["GE-1Mtn", "GE-4Mtn"], "2830")
        place(s, "SU-68RB", "2930")
        start(s, (F_MOVES, 0), (F_COMBAT, 0))
        assert ("attack 2930" in texts(s)) is is_open, turn
        s = empty("soviet", turn=turn)
        controlled_by(s, "axis", "2728", "2428", "2328")
        place(s, "SU-9MD", "2829")  # Teberda: its road leads over the Klukhor Pass to Sukhumi
        for name, hex_ in (("GE-1Mtn", "2728"), ("GE-4Mtn", "2830")):
            place(s, name, hex_)
        assert bool((full(s, SOVIET) | limited(s, SOVIET)) >> H("2829") & 1) is is_open, turn


@rule("caucasus", "2.33a", "2.33b")
def test_the_unfinished_railway_supplies_from_turn_8_and_never_carries() -> None:
    for turn, done in ((7, False), (8, True)):
        s = empty("soviet", turn=turn)
        place(s, "SU-4RD", "1915")  # on the line, far from Astrakhan and Gudermes
        assert bool(full(s, SOVIET) >> H("1915") & 1) is done, turn
        assert goes(s, "SU-4RD", "rail") == set()
        assert refusal(moving(s, "SU-4RD"), "rail 2015") == "7.22q"


@rule("caucasus", "2.33c")
def test_the_roads_along_the_unfinished_railway_are_always_there() -> None:
    s = empty("soviet", turn=1)
    place(s, "SU-136TB", "1915")
    assert cost(s, "SU-136TB", "2016") == "1"  # two road hexes, strategic
    place(s, "SU-4RD", "1915")
    assert limited(s, SOVIET) >> H("1915") & 1


@rule("caucasus", "2.34")
def test_sochi_to_sukhumi_is_for_supply_alone() -> None:
    s = empty("soviet", turn=1)
    place(s, "SU-4RD", "2833")
    assert goes(s, "SU-4RD", "rail") == set()
    assert full(s, SOVIET) >> H("2833") & 1
    controlled_by(s, "axis", "2536")
    place(s, ["GE-73"], "2635")  # the line from Tuapse is cut; that to Sukhumi carries supply
    assert full(s, SOVIET) >> H("2833") & 1


@rule("caucasus", "2.35")
def test_rivers_through_marsh_and_major_cities_are_ignored() -> None:
    s = empty()
    place(s, "GE-73", "1134")  # Rostov on the Don
    assert cost(s, "GE-73", "1133") == "1"
    ground = board.grounds[0]
    printed = board.pack.sides["river_major"], board.pack.sides["river_minor"]
    gone = 0
    for d in range(6):
        for h in board.grid.hexes:
            n = board.grid.neighbour(h, d)
            if n < 0 or not (printed[0][d] | printed[1][d]) >> h & 1:
                continue
            dry = (ground.marsh | board.major_cities) >> h & 1 or (ground.marsh | board.major_cities) >> n & 1
            assert bool(ground.rivers[d] >> h & 1) is not bool(dry)
            gone += bool(dry)
    assert gone
    place(s, "GE-13Pz", "2236")
    place(s, "SU-4RD", "2136")  # Krasnodar: no halving across the Kuban
    assert attack_strength(s, U("GE-13Pz"), H("2136")) == 10


@rule("caucasus", "2.36a")
def test_x_2_36a_one_natural_terrain_a_hex() -> None:
    for ground in board.grounds:
        assert ground.terrain_at(H("2235")) == "forest"
        kinds = [ground.terrain[name] for name in ("clear", "rough", "desert", "forest", "marsh", "mountain")]
        for i, a in enumerate(kinds):
            for b in kinds[i + 1 :]:
                assert not a & b
        total = 0
        for a in kinds:
            total |= a
        assert total == ground.land


@rule("caucasus", "2.36b")
def test_x_2_36b_towns_and_roads_come_on_top_of_the_terrain() -> None:
    s = empty()
    assert board.grounds[0].terrain_at(H("2240")) == "forest"
    assert board.city[H("2240")] == 2
    place(s, "SU-4RD", "2240")
    assert defence_total(s, H("2240"), COMBAT) == 9  # the minor city's bonus of 4
    place(s, "SU-4RD", "1142")
    place(s, "GE-73", "2239")
    assert cost(s, "GE-73", "2240") == "2"  # and the forest's MPs


# 2.37 Control


@rule("caucasus", "2.37a")
def test_who_passed_last_controls_a_place() -> None:
    s = empty()
    place(s, "GE-13Pz", "1134")
    phase(s)
    events = do(s, "move GE-13Pz", "to 1637")  # by Starominskaya
    assert "1436" in hint_names(events)
    assert controlled(s, AXIS) & mask("1436", "1637") == mask("1436", "1637")
    assert controlled(s, SOVIET) & mask("1435", "1634")
    # a unit of the other side takes it back by walking through; a zone alone does nothing (A61)
    s = empty("soviet")
    controlled_by(s, "axis", "1436", "1637")
    place(s, "SU-12CD", "1737")
    assert not controlled(s, SOVIET) & mask("1637")
    phase(s)
    do(s, "move SU-12CD", "to 1536")
    assert controlled(s, SOVIET) & mask("1637")
    assert not controlled(s, SOVIET) & mask("1436")
    # an entry hex is a place too
    assert board.places & mask("3510", "2043") == mask("3510", "2043")


def hint_names(events: list[Any]) -> list[str]:
    [moved] = [e for e in events if e.kind == "moved"]
    return [board.grid.names[h] for h in moved.data["path"]]


@rule("caucasus", "2.37b")
def test_at_start_the_axis_controls_three_places() -> None:
    s = new()
    cities = board.towns | board.cities
    assert hexes(s.control & cities) == {"1134", "1236", "1136"}
    assert controlled(s, SOVIET) & mask("2043")  # Taman, entry hex J
    assert vp(s) == 0


@rule("caucasus", "2.37c")
def test_axis_control_markers_lie_on_vp_hexes() -> None:
    s = empty()
    controlled_by(s, "axis", "2041", "1435")
    markers = [m for m in GAME.scene(GAME.view(s, AXIS))["markers"] if m["kind"] == "control"]
    assert [m["hex"] for m in markers] == ["2041"]  # Kushchevskaya is worth nothing
