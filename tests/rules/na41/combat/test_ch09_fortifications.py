"""Chapter 9.5: fortifications."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat.combat import targets
from sandtable.games.na41.combat.strengths import reckon
from sandtable.games.na41.supply import forts
from sandtable.games.na41.table import captures
from sandtable.games.na41.table.ids import ALLIED, AXIS, COMBAT, F_COMBAT, F_DELAY, F_FORT_ROLL, F_INITIAL, F_MOVES
from sandtable.games.na41.table.state import State
from sandtable.games.na41.table.zones import full_zoc, limited_zoc

from ..kit import (
    H,
    at,
    board,
    controlled_by,
    do,
    empty,
    hexes,
    kinds,
    mask,
    of_kind,
    place,
    roll,
    start,
    texts,
    units,
)
from ..retreatkit import REST, forbidden

rule = pytest.mark.rule

HERE = "1945"
AROUND = {"1946", "2045", "2044", "1944", "1844", "1845"}
TANK, INFANTRY, FOE = "GE_I5_5L", "GE_155", "BR_22G"
TOBRUK = "3138"
"""One of the five hexes with groundworks."""


def building(rp: int = 2, foes: dict[str, str] | None = None) -> State:
    """An Axis Movement Phase with one regiment in supply in the desert."""
    s = empty("axis", "movement")
    s.rp[AXIS] = rp
    place(s, INFANTRY, HERE)
    for name, where in (foes or {}).items():
        place(s, name, where)
    start(s, REST, (F_MOVES,))
    return s


def sites(s: State) -> set[str]:
    return {text.split()[1] for text in texts(s) if text.startswith("fortify ")}


def initial(hex_: str = HERE, unit: str = INFANTRY, where: str = HERE) -> State:
    """An Axis Initial Phase with a fortification under construction."""
    s = empty("axis", "initial")
    if unit:
        place(s, unit, where)
    s.building[AXIS] = mask(hex_)
    start(s, REST, (F_FORT_ROLL, H(hex_)))
    return s


# 9.5.1, 9.5.2 What it does


@rule("na41", "9.5.1a", "9.5.1b", "9.5.1c", "9.5.1d")
def test_what_a_fortification_does_in_a_fight() -> None:
    def found(fort: bool, defenders: list[str], where: str = HERE) -> tuple[int, int, int]:
        s = empty("axis", "combat")
        place(s, [TANK, INFANTRY], "1944")
        place(s, defenders, where)
        s.forts[ALLIED] = mask(where) if fort else 0
        of = reckon(s, COMBAT, H(where), units(TANK, INFANTRY))
        return of.attack, of.defence, of.tank_shift

    attack, defence, shift = found(False, [FOE])
    assert shift > 0
    tank, foot = board.att[board.unit_index[TANK]][0], board.att[board.unit_index[INFANTRY]][0]
    assert found(True, [FOE]) == ((tank + 1) // 2 + foot, 2 * defence, 0)
    assert found(True, ["BR_11H"])[1] == found(False, ["BR_11H"])[1], "vehicle units are not doubled"
    assert found(True, [FOE], "2478")[1] == found(False, [FOE], "2478")[1], "a city doubles them already"
    assert attack == tank + foot


@rule("na41", "9.5.2")
def test_a_zone_into_a_fortification_is_limited_and_out_of_it_is_not() -> None:
    s = empty("axis", "movement")
    place(s, INFANTRY, HERE)
    s.forts[AXIS] = mask(HERE)
    place(s, FOE, "1946")
    assert hexes(limited_zoc(s, ALLIED)) == {HERE}
    assert "1946" in hexes(full_zoc(s, AXIS))


# 9.5.3 Building


@rule("na41", "9.5.3a", "9.5.3c")
def test_a_fortification_is_begun_for_one_rp_in_the_movement_phase() -> None:
    s = building(1)
    events = do(s, f"fortify {HERE}")
    assert kinds(events) == ["fortification_begun"]
    assert hexes(s.building[AXIS]) == {HERE}
    assert not s.forts[AXIS]
    assert s.rp[AXIS] == 0
    assert not sites(s)
    assert forbidden(s, "fortify 1946") == "9.5.3a"


@rule("na41", "9.5.3b")
def test_it_needs_a_supplied_combat_unit_in_the_hex_or_beside_it() -> None:
    s = building()
    assert sites(s) == {HERE, *AROUND}
    assert forbidden(s, "fortify 1948") == "9.5.3b"
    s = building(foes={FOE: "1845", "BR_3H": "1944", "AU_20": "2045"})
    assert not sites(s), "cut off"
    s = empty("axis", "movement")
    s.rp[AXIS] = 1
    place(s, "AX_TR1", HERE)
    start(s, REST, (F_MOVES,))
    assert not sites(s), "a truck is no combat unit"


def invested_tobruk() -> State:
    """An Allied unit in Tobruk that lives by its port alone, and an RP."""
    s = empty("allied", "movement")
    s.rp[ALLIED] = 1
    place(s, FOE, TOBRUK)
    place(s, [TANK, INFANTRY], "3037")
    place(s, "GE_MG8_5L", "3137")
    place(s, "GE_AA3_5L", "3038")
    return s


@rule("na41", "9.5.3b", "16.2b")
def test_port_supply_will_do() -> None:
    s = invested_tobruk()
    start(s, REST, (F_MOVES,))
    assert TOBRUK in sites(s)


@rule("na41", "9.5.3b", "16.2c")
def test_who_found_no_room_at_the_port_does_not_build() -> None:
    s = invested_tobruk()
    place(s, ["AL_TR1", "AL_TR2"], TOBRUK)
    port = board.port_at[H(TOBRUK)]
    s.port_level[port] = board.port_track[port].index(1)
    s.fed = units("AL_TR1", "AL_TR2")
    start(s, REST, (F_MOVES,))
    assert TOBRUK not in sites(s)
    assert not forts.builders(s, s.active) >> H(TOBRUK) & 1
    assert forbidden(s, f"fortify {TOBRUK}") == "9.5.3b"
    s.fed = units("AL_TR1", FOE)
    s.memo.clear()
    assert forts.sites(s) >> H(TOBRUK) & 1
    assert forts.builders(s, s.active) >> H(TOBRUK) & 1


@rule("na41", "9.5.3b")
def test_nobody_builds_where_the_enemy_is() -> None:
    s = building(foes={FOE: "1946"})
    assert "1946" not in sites(s)
    assert forbidden(s, "fortify 1946") == "9.5.3b"


# 9.5.4, 9.5.5 Completing


@rule("na41", "9.5.4a")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_three_in_six_complete_it(die: int) -> None:
    s = initial()
    events = roll(s, die)
    done = die <= 3
    assert hexes(s.forts[AXIS]) == ({HERE} if done else set())
    assert hexes(s.building[AXIS]) == (set() if done else {HERE})
    assert of_kind(events, "fortification_roll")[0].final
    assert s.stack[-1] == REST


@rule("na41", "9.5.3d", "9.5.4a", "9.5.5")
def test_the_owners_next_initial_phase_is_when_it_is_completed() -> None:
    s = empty("axis", "initial", turn=7)
    place(s, INFANTRY, HERE)
    place(s, TANK, TOBRUK)
    controlled_by(s, "axis", TOBRUK)
    s.building[AXIS] = mask(HERE, TOBRUK)
    s.building[ALLIED] = mask("2478")
    start(s, REST, (F_INITIAL, 2))
    assert hexes(s.forts[AXIS]) <= {TOBRUK}
    roll(s, 1)
    assert hexes(s.forts[AXIS]) == {HERE, TOBRUK}
    assert hexes(s.building[ALLIED]) == {"2478"}


@rule("na41", "9.5.4b", "9.5.7c")
def test_an_unfinished_one_has_no_effect() -> None:
    s = empty("axis", "combat")
    place(s, TANK, "1944")
    place(s, FOE, HERE)
    before = reckon(s, COMBAT, H(HERE), units(TANK))
    s.building[ALLIED] = mask(HERE)
    assert reckon(s, COMBAT, H(HERE), units(TANK)) == before
    assert not limited_zoc(s, AXIS)


@rule("na41", "9.5.4c")
def test_completing_needs_a_supplied_combat_unit() -> None:
    s = initial(unit="")
    assert s.stack[-1] == REST
    assert hexes(s.building[AXIS]) == {HERE}
    s = initial(TOBRUK, unit="")
    assert not s.forts[AXIS]
    s = initial(where="1946")
    assert s.stack[-1] != REST, "one beside it will do"
    s = initial(unit="AX_TR1")
    assert s.stack[-1] == REST, "a truck is no combat unit"


@rule("na41", "9.5.5")
def test_groundworks_need_no_roll() -> None:
    assert board.groundworks.bit_count() == 5
    s = initial(TOBRUK, where=TOBRUK)
    assert s.stack[-1] == REST
    assert hexes(s.forts[AXIS]) == {TOBRUK}


# 9.5.6 Limits


@rule("na41", "9.5.6a")
def test_one_in_a_hex() -> None:
    s = building()
    do(s, f"fortify {HERE}")
    assert HERE not in sites(s)
    assert forbidden(s, f"fortify {HERE}") == "9.5.6a"
    s = building()
    s.forts[ALLIED] = mask("1946")
    s.choices = None
    assert "1946" not in sites(s)


@rule("na41", "9.5.6b")
def test_in_an_enemy_zone_only_with_a_combat_unit_in_the_hex() -> None:
    s = building(foes={FOE: "1947"})
    assert sites(s) == {HERE, *AROUND} - {"1946"}
    assert forbidden(s, "fortify 1946") == "9.5.6b"
    place(s, "AX_TR1", "1946")  # no combat unit
    assert not forts.sites(s) >> H("1946") & 1
    place(s, TANK, "1946")
    assert forts.sites(s) >> H("1946") & 1
    s = building(foes={FOE: "1946"})
    assert HERE in sites(s)


@rule("na41", "9.5.6c")
def test_nobody_attacks_out_of_a_hex_where_one_is_built() -> None:
    s = empty("axis", "combat")
    place(s, TANK, "1944")
    place(s, FOE, HERE)
    assert H(HERE) in targets(s, COMBAT)
    s.building[AXIS] = mask("1944")
    s.memo = {}
    assert H(HERE) not in targets(s, COMBAT)


@rule("na41", "9.5.6d")
def test_fourteen_at_most() -> None:
    s = building()
    others = [h for h in range(board.size) if board.pack.terrain["flat"] >> h & 1 and not mask(HERE, *AROUND) >> h & 1]
    s.forts[AXIS] = sum(1 << h for h in others[:10])
    s.building[AXIS] = sum(1 << h for h in others[10:13])
    assert forts.sites(s)
    s.building[AXIS] |= 1 << others[13]
    s.choices = None
    assert not sites(s)
    assert forbidden(s, f"fortify {HERE}") == "9.5.6d"


# 9.5.7 Removing


@rule("na41", "9.5.7a")
@pytest.mark.parametrize("kind", ["forts", "building"])
def test_an_enemy_unit_that_enters_removes_it(kind: str) -> None:
    s = empty("axis", "movement")
    getattr(s, kind)[ALLIED] = mask(HERE)
    captures.enter(s, ALLIED, H(HERE))
    assert getattr(s, kind)[ALLIED]
    captures.enter(s, AXIS, H(HERE))
    assert not getattr(s, kind)[ALLIED]


@rule("na41", "9.5.7b")
def test_the_owner_may_remove_his_own() -> None:
    s = building(2)
    do(s, f"fortify {HERE}")
    s.forts[AXIS] = mask("1946")
    s.choices = None
    assert {text for text in texts(s) if text.startswith("unfortify")} == {f"unfortify {HERE}", "unfortify 1946"}
    events = do(s, f"unfortify {HERE}", "unfortify 1946")
    assert [e.rule for e in of_kind(events, "fortification_removed")] == ["9.5.7b", "9.5.7b"]
    assert not s.forts[AXIS] | s.building[AXIS]
    assert forbidden(s, "unfortify 1946") == "9.5.7b"


@rule("na41", "9.5.7b")
def test_he_may_do_so_while_others_fight_and_at_the_end_of_his_turn() -> None:
    s = empty("axis", "combat")
    place(s, TANK, "1944")
    place(s, "BR_1R", "1945")
    s.forts = [mask("1946"), mask("2050")]
    s.building[AXIS] = mask("1950")
    start(s, REST, (F_COMBAT,))
    assert [text for text in texts(s) if "fortify" in text] == ["unfortify 1946", "unfortify 1950"]
    assert forbidden(s, "unfortify 2050") == "9.5.7b"
    events = do(s, "unfortify 1950")
    assert [e.rule for e in of_kind(events, "fortification_removed")] == ["9.5.7b"]
    assert (s.forts, s.building[AXIS]) == ([mask("1946"), mask("2050")], 0)
    assert texts(s)[0] == "unfortify 1946"  # the phase goes on
    s = empty("axis", "delay")
    s.delay_axis = [H(h) for h in ("1410", "1415", "1420", "1425", "1430", "1435")]  # nothing else can be done
    s.forts = [mask("1946", "1950"), 0]
    start(s, REST, (F_DELAY, 0, 0))
    assert texts(s) == ["unfortify 1946", "unfortify 1950", "end-delay"]
    assert forbidden(s, "unfortify 2050") == "9.5.7b"
    do(s, "unfortify 1946", "end-delay")
    assert s.forts[AXIS] == mask("1950")
    roll(s, 1, 2)
    assert forbidden(s, "unfortify 1950") == "3.2h"  # the player turn is all but over


@rule("na41", "9.5.7c", "9.5.7a")
def test_an_empty_one_does_not_hinder_movement() -> None:
    s = empty("axis", "movement")
    place(s, TANK, "1944")
    start(s, REST, (F_MOVES,))
    do(s, f"move {TANK}")
    free = [text for text in texts(s) if text.startswith("to ")]
    s = empty("axis", "movement")
    place(s, TANK, "1944")
    s.forts[ALLIED] = mask(HERE)
    start(s, REST, (F_MOVES,))
    do(s, f"move {TANK}")
    assert [text for text in texts(s) if text.startswith("to ")] == free
    do(s, "to 1946 normal")
    assert at(s, TANK) == "1946"
