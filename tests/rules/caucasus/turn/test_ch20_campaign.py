"""Chapter 20: the campaign game's set-up and length."""

from __future__ import annotations

from collections import Counter

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.caucasus.table.ids import (
    ALPINI,
    AXIS,
    BLUECHER,
    BRANDENBURG,
    CADRE,
    CORPS_BOX,
    CUP,
    EASTERN,
    F_SETUP,
    F_TABLE,
    LEND_LEASE,
    NAVAL_BOX,
    PHASES,
    SOVIET,
    T_BRANDENBURG,
    TRACK,
    TURKISH_FRONT,
)
from sandtable.games.caucasus.table.scenarios import script
from sandtable.games.caucasus.table.state import State, vp

from ..kit import GAME, U, at, board, do, new, texts, why

TURN_1 = {"GE-14Pz", "GE-16Mot", "GE-4Mtn", "GE-298", "GE-1PzA-HQ"}


def ready() -> State:
    """The campaign with the Soviet armies set up as suggested: the Axis places its first reinforcements."""
    s = new()
    do(s, "accept", "accept", "accept", "accept")
    return s


def in_box(s: State, box: int, side: int) -> set[str]:
    return {board.units[u] for u, h in enumerate(s.at) if h == box and board.side[u] == side}


@pytest.mark.rule("caucasus", "20.1a")
def test_ten_axis_units_begin_on_the_map_and_the_others_on_the_track() -> None:
    s = new()
    there = {board.units[u]: board.grid.names[h] for u, h in enumerate(s.at) if h >= 0 and board.side[u] == AXIS}
    printed = {row["id"]: row["setup"] for row in board.pack.units.values() if row["arrival"] == "hex"}
    assert len(there) == 10
    assert there == {name: hex_ for name, hex_ in printed.items() if not name.startswith("SU-")}
    later = {r["id"]: r["arrival_turn"] for r in board.pack.units.values() if r["arrival"] == "turn"}
    assert {name: str(s.due[U(name)]) for name in later} == later
    assert all(s.at[U(name)] == TRACK for name in later)


@pytest.mark.rule("caucasus", "20.1b")
def test_the_five_axis_units_of_turn_1_are_placed_at_set_up() -> None:
    s = ready()
    assert PHASES[s.phase] == "setup"
    assert GAME.to_act(s) == AXIS
    assert {text.split()[1] for text in texts(s) if text != "delay"} == TURN_1
    do(s, "place GE-14Pz 1028", "place GE-16Mot 1032", "place GE-4Mtn 1036", "place GE-298 1033")
    do(s, "place GE-1PzA-HQ 1031")
    assert s.turn == 1
    assert at(s, "GE-14Pz") == "1028"


@pytest.mark.rule("caucasus", "20.1c", "2.1c")
def test_two_assault_gun_brigades_begin_in_the_cadre_box() -> None:
    s = new()
    assert in_box(s, CADRE, AXIS) == {"GE-191StG", "GE-203StG"}
    assert all(board.pack.units[name]["star"] == "yes" for name in in_box(s, CADRE, AXIS))


@pytest.mark.rule("caucasus", "20.1d")
def test_axis_holding_boxes() -> None:
    s = new()
    assert in_box(s, ALPINI, AXIS) == {"IT-2Alp", "IT-3Alp", "IT-4Alp"}
    assert in_box(s, EASTERN, AXIS) == {"EA-1", "EA-2", "EA-3"}
    assert in_box(s, BLUECHER, AXIS) == {"GE-46", "RO-3Mtn"}


@pytest.mark.rule("caucasus", "20.1e")
def test_two_german_air_markers_begin_in_the_air_box() -> None:
    s = new()
    assert s.air == 0b0011
    assert s.air_used == 0


@pytest.mark.rule("caucasus", "20.2a")
def test_soviet_armies_are_set_up_freely_in_their_zones() -> None:
    s = new()
    assert GAME.to_act(s) == SOVIET
    for zone in script(s).zones:
        assert s.stack[-1] == (F_SETUP, script(s).zones.index(zone))
        placed = {text.split()[1] for text in texts(s) if text.startswith("place")}
        assert placed == {row["id"] for row in board.pack.units.values() if row["setup"] == zone.name}
        assert {text.split()[2] for text in texts(s) if text.startswith("place")} == {
            board.grid.names[h] for h in board.zones[zone.name]
        }
        do(s, "accept")
    assert s.stack[-1][0] != F_SETUP


@pytest.mark.rule("caucasus", "20.2a")
def test_no_hex_of_a_zone_holds_three_and_none_stays_empty() -> None:
    s = new()
    do(s, "place SU-216RD 1334", "place SU-353RD 1334")
    assert "place SU-383RD 1334" not in texts(s)
    refusal = why(s, "place SU-383RD 1334")
    assert refusal is not None
    assert refusal.rule == "20.2a"
    assert "more than 2" in refusal.why
    do(s, "place SU-383RD 1335")
    # two units are left, and 1336 is empty: one may still go elsewhere, the last may not
    do(s, "place SU-395RD 1335")
    assert texts(s) == ["place SU-9NKVD 1336", "accept"]
    refusal = why(s, "place SU-9NKVD 1335")
    assert refusal is not None
    assert refusal.rule == "20.2a"
    do(s, "accept")
    counts = Counter(s.at[u] for u in range(len(board.units)) if script(s).zones[0].units >> u & 1)
    assert sorted(counts.values()) == [1, 2, 2]


@pytest.mark.rule("caucasus", "20.2a")
def test_units_left_must_fill_the_empty_hexes_of_the_zone() -> None:
    s = new()
    do(s, "accept", "accept", "accept")  # now the 51st Army: eight units, five hexes
    do(s, "place SU-91RD 1125", "place SU-138RD 1125", "place SU-156RD 1126", "place SU-157RD 1126")
    do(s, "place SU-302RD 1127")  # three units are left, and 1128 and 1129 are empty
    assert "place SU-110CD 1127" in texts(s)
    do(s, "place SU-110CD 1127")
    assert "place SU-115CD 1127" not in texts(s)
    assert {text.split()[2] for text in texts(s) if text != "accept"} == {"1128", "1129"}
    do(s, "place SU-115CD 1128")
    assert texts(s) == ["place SU-155TB 1129", "accept"]
    refusal = why(s, "place SU-155TB 1128")
    assert refusal is not None
    assert "still empty" in refusal.why
    foreign = why(s, "place SU-4RD 1129")
    assert foreign is not None
    assert "does not belong" in foreign.why


@pytest.mark.rule("caucasus", "20.2a")
def test_accepting_takes_the_suggested_hexes() -> None:
    s = ready()
    for zone in script(s).zones:
        assert {u: s.at[u] for u in zone.suggested} == zone.suggested


@pytest.mark.rule("caucasus", "20.2b", "2.1d")
def test_soviet_fixed_set_up_and_reduced_units() -> None:
    s = ready()
    for row in board.pack.units.values():
        if row["side"] == "soviet" and row["arrival"] == "hex":
            assert at(s, row["id"]) == row["setup"]
        if row["side"] == "soviet" and row["arrival"] in ("hex", "zone"):
            assert s.step[U(row["id"])] == (row["triangle"] == "yes")
    assert s.step[U("SU-2Gds")] == 1
    refusal = why(new(), "place SU-77RD 1334")
    assert refusal is not None
    assert refusal.rule == "20.2b"


@pytest.mark.rule("caucasus", "20.2c")
def test_soviet_reinforcements_and_air_markers_wait_for_their_turn() -> None:
    s = new()
    later = set(in_box(s, TRACK, SOVIET))
    assert later == {r["id"] for r in board.pack.units.values() if r["side"] == "soviet" and r["arrival"] == "turn"}
    assert {s.due[U(name)] for name in later} == {3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
    assert not s.air & 0b1100


@pytest.mark.rule("caucasus", "20.2d", "4.4a", "2.1c")
def test_all_soviet_units_with_a_star_are_in_the_cup() -> None:
    s = new()
    stars = {r["id"] for r in board.pack.units.values() if r["side"] == "soviet" and r["star"] == "yes"}
    assert in_box(s, CUP, SOVIET) == stars
    assert len(stars) == 36
    assert s.none_chits == 6


@pytest.mark.rule("caucasus", "20.2e")
def test_soviet_holding_boxes() -> None:
    s = new()
    turkish, naval, tanks = (in_box(s, box, SOVIET) for box in (TURKISH_FRONT, NAVAL_BOX, LEND_LEASE))
    assert (len(turkish), len(naval), len(tanks)) == (4, 4, 5)
    assert {board.types[U(name)] for name in turkish} == {"infantry"}
    assert {board.types[U(name)] for name in naval} == {"naval_infantry"}
    assert {board.types[U(name)] for name in tanks} == {"tank"}


@pytest.mark.rule("caucasus", "20.2f")
def test_three_port_garrisons_stand_in_ports() -> None:
    s = new()
    garrisons = [u for u, kind in enumerate(board.types) if kind == "port_garrison"]
    assert len(garrisons) == 3
    assert all(board.ports >> s.at[u] & 1 for u in garrisons)
    assert {board.names[s.at[u]] for u in garrisons} == {"Temryuk", "Novorossiysk", "Tuapse"}


@pytest.mark.rule("caucasus", "20.2g")
def test_the_guards_cavalry_marker_begins_in_its_box() -> None:
    assert new().corps == CORPS_BOX


@pytest.mark.rule("caucasus", "20.2h")
def test_both_fleet_markers_begin_unavailable() -> None:
    s = new()
    assert (s.fleet_ready, s.fleet_away) == (0, 2)


@pytest.mark.rule("caucasus", "20.3a")
def test_tracks_at_start() -> None:
    s = ready()
    do(s, "delay")
    assert s.turn == 1
    assert vp(s) == 0
    assert s.replacements == [0] * 6
    do(s, "rolled 6")  # the Brandenburg roll; then the Axis First Impulse
    assert PHASES[s.phase] == "axis_first_movement"


@pytest.mark.rule("caucasus", "20.3b", "15.2e")
def test_the_first_axis_initial_phase_is_the_brandenburg_roll_alone() -> None:
    s = ready()
    assert s.at[board.brandenburg] == BRANDENBURG
    do(s, "delay")
    assert PHASES[s.phase] == "axis_initial"
    assert GAME.to_act(s) == CHANCE
    assert s.stack[-1] == (F_TABLE, T_BRANDENBURG, 0)
    do(s, "rolled 2")
    assert PHASES[s.phase] == "axis_first_movement"
    assert at(s, "GE-14Pz") == "waiting"  # nobody was placed, and no replacement received
    assert s.replacements == [0] * 6


@pytest.mark.rule("caucasus", "20.3c")
def test_the_campaign_lasts_fourteen_turns() -> None:
    s = new()
    assert (script(s).first_turn, script(s).last_turn) == (1, 14)
    assert [scenario.length for scenario in GAME.scenarios() if scenario.id == "campaign"] == ["14 turns"]


def test_an_unknown_scenario_or_option_is_refused() -> None:
    with pytest.raises(ValueError, match="there are: campaign, first_battle, tournament"):
        new("stalingrad")
    with pytest.raises(ValueError, match="mechanised_panzer_army_hq"):
        new("campaign", snow=True)
