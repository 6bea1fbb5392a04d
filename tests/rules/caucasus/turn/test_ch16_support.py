"""16 Air and naval support (air cover 16.14 and landings 16.23 stand with movement)."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.caucasus.combat.combat import begin_fight
from sandtable.games.caucasus.sequence import STEPS
from sandtable.games.caucasus.table.ids import F_MOVES, F_TURN, MOBILE
from sandtable.games.caucasus.table.state import State, take_control

from ..fights import attack, combat, reads, shifts
from ..kit import GAME, H, U, board, controlled_by, do, kinds, new, of_kind, place, roll, start, texts, units, why

ALL_AIR = 0b1111


def offered(s: State) -> list[str]:
    """The markers that can be chosen now."""
    return [text.split()[1] for text in texts(s) if text.startswith("support")]


def axis_attack(hq: str, turn: int = 2) -> State:
    """The 73rd against a brigade in 1333, with an Axis HQ somewhere."""
    s = combat(turn=turn)
    s.air = ALL_AIR
    place(s, "GE-73", "1234")
    place(s, "GE-17A-HQ", hq)
    place(s, "SU-353RD", "1333")
    attack(s, "1333")
    do(s, "commit")
    return s


# 16.11 Air support


@pytest.mark.rule("caucasus", "16.11a", "15.1e")
def test_air_support_comes_within_eight_hexes_of_an_hq() -> None:
    assert [board.grid.distance(H(hq), H("1234")) for hq in ("1226", "1225")] == [8, 9]
    assert offered(axis_attack("1226")) == ["AX-VIII", "AX-IV", "none"]
    s = axis_attack("1225")
    assert GAME.to_act(s) == CHANCE  # nothing to choose


@pytest.mark.rule("caucasus", "16.11a", "15.1e")
def test_no_hq_no_air_and_an_hq_out_of_supply_will_do() -> None:
    s = combat(turn=2)
    s.air = ALL_AIR
    place(s, "GE-73", "1234")
    place(s, "SU-353RD", "1333")
    attack(s, "1333")
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE
    s = combat(turn=2)
    s.air = ALL_AIR
    place(s, "GE-73", "1234")
    place(s, "GE-17A-HQ", "1134", oos=True)
    place(s, "SU-353RD", "1333")
    attack(s, "1333")
    do(s, "commit")
    assert offered(s) == ["AX-VIII", "AX-IV", "none"]


@pytest.mark.rule("caucasus", "16.11b")
def test_the_range_is_counted_to_any_unit_taking_part() -> None:
    """From 1225 the hex 1234 is nine away and 1233 eight; enemies on the way do not matter."""
    s = combat(turn=2)
    s.air = ALL_AIR
    place(s, "GE-73", "1234")
    place(s, "GE-125", "1233")
    place(s, "GE-17A-HQ", "1225")
    place(s, "SU-353RD", "1333")
    place(s, "SU-77RD", "1229")
    attack(s, "1333", "GE-73")
    state = s.copy()
    do(state, "commit")
    assert GAME.to_act(state) == CHANCE
    do(s, "join GE-125", "commit")
    assert offered(s) == ["AX-VIII", "AX-IV", "none"]


@pytest.mark.rule("caucasus", "16.11c")
def test_a_marker_is_used_once_an_impulse() -> None:
    s = combat(turn=2)
    s.air = ALL_AIR
    place(s, ["GE-73", "GE-125"], "1234")
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-353RD", "1333")
    place(s, "SU-77RD", "1233")
    attack(s, "1333", "GE-73")
    events = do(s, "commit", "support AX-IV")
    assert of_kind(events, "support")[0].data["support"] == 1
    assert s.air_used == 0b10
    roll(s, 1)  # 2:1, A1
    attack(s, "1233", "GE-125")
    do(s, "commit")
    assert offered(s) == ["AX-VIII", "none"]
    assert why(s, "support AX-IV") == ("16.11c", "IV Air Corps has been used in this impulse")
    assert why(s, "support SU-4VA") == ("16.11a", "4th Air Army is not yours")


@pytest.mark.rule("caucasus", "16.11c", "3.0d")
def test_all_markers_are_ready_again_at_the_start_of_every_impulse() -> None:
    """Friend's and enemy's: four times in a fair turn."""
    readied = []
    for step, (name, _, _) in enumerate(STEPS, 1):
        if name.endswith("_movement"):
            s = combat()
            place(s, "GE-13Pz", "1234")
            place(s, "SU-110CD", "1425")
            s.air = s.air_used = ALL_AIR
            start(s, (F_TURN, step))
            readied.append((name, s.air_used))
    assert readied == [
        ("axis_first_movement", 0),
        ("soviet_second_movement", 0),
        ("axis_second_movement", 0),
        ("soviet_first_movement", 0),
    ]


# 16.12, 16.13 In attack and in defence


@pytest.mark.rule("caucasus", "16.12a", "16.15")
def test_viii_air_corps_shifts_two_and_every_other_marker_one() -> None:
    s = axis_attack("1134")
    for marker, shift in (("AX-VIII", 2), ("AX-IV", 1)):
        odds = GAME.odds(s, GAME.parse(f"support {marker}"))
        assert odds is not None
        assert shifts(odds) == {"16.12a": shift}
        assert reads(odds)[2:] == ("1:1", f"{1 + shift}:1")
    do(s, "support AX-VIII")
    assert s.fight.column == 3
    for marker in ("SU-4VA", "SU-5VA"):
        s = combat("soviet", turn=6)
        s.air = ALL_AIR
        place(s, ["SU-353RD", "SU-BlackSea-HQ"], "1234")
        place(s, "EA-1", "1333")
        attack(s, "1333")
        do(s, "commit")
        assert offered(s) == ["SU-4VA", "SU-5VA", "none"]
        do(s, f"support {marker}")
        assert s.fight.column == s.fight.base_column + 1 + 1  # quality too


def storm(active: str, attacker: str, hq: str, target: str, turn: int) -> State:
    s = combat(active, turn=turn, second=True)
    s.air = ALL_AIR
    s.fleet_ready = 1
    place(s, attacker, "1234")
    place(s, hq, "1134")
    place(s, target, "1333")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("1333"), units(attacker))
    s.choices = None
    GAME.settle(s)
    return s


@pytest.mark.rule("caucasus", "16.12b", "13.1g")
def test_only_the_axis_has_air_support_in_mobile_assaults() -> None:
    s = storm("axis", "GE-13Pz", "GE-17A-HQ", "SU-353RD", 2)
    assert offered(s) == ["AX-VIII", "AX-IV", "none"]
    s = storm("soviet", "SU-6GTB", "SU-BlackSea-HQ", "EA-1", 6)
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("caucasus", "13.1g")
def test_the_defender_may_use_air_but_no_fleet_against_a_mobile_assault() -> None:
    """A24."""
    s = combat("axis", turn=6, second=True)
    s.air = ALL_AIR
    s.fleet_ready = 1
    place(s, "GE-13Pz", "2042")
    place(s, ["SU-353RD", "SU-BlackSea-HQ"], "2141")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("2141"), units("GE-13Pz"))
    s.choices = None
    GAME.settle(s)
    roll(s, next(i + 1 for i, code in enumerate(board.crt[s.fight.column]) if "DR" in code))
    do(s, "lead SU-353RD")
    assert offered(s) == ["SU-4VA", "SU-5VA", "none"]
    assert why(s, "support SU-BSF") == ("13.1g", "the Black Sea Fleet takes no part in mobile assaults")


@pytest.mark.rule("caucasus", "13.1j")
def test_a_mobile_assault_above_nine_to_one_is_rolled_on_the_last_column() -> None:
    s = combat(second=True)
    place(s, ["GE-13Pz", "GE-23Pz"], "1234")
    place(s, "SU-68RB", "1333")
    start(s, (F_MOVES, 1))
    begin_fight(s, MOBILE, H("1333"), units("GE-13Pz", "GE-23Pz"))
    s.choices = None
    GAME.settle(s)
    assert GAME.to_act(s) == CHANCE
    assert s.fight.column == 9


@pytest.mark.rule("caucasus", "16.13a")
def test_the_defenders_air_shifts_no_column_but_helps_a_stand() -> None:
    s = combat("axis", turn=6)
    s.air = 0b1100
    place(s, "GE-13Pz", "1234")
    place(s, ["SU-353RD", "SU-BlackSea-HQ"], "1333")
    attack(s, "1333")
    odds = GAME.odds(s, GAME.parse("commit"))
    assert odds is not None
    assert odds.ladder is not None
    assert shifts(odds) == {"9.5a": 1, "9.6a": 1}
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE  # nobody is asked before the die
    roll(s, 2)
    do(s, "lead SU-353RD")
    assert offered(s) == ["SU-4VA", "SU-5VA", "none"]
    do(s, "support SU-4VA")
    events = roll(s, 5)  # 6 with it: clear holds only then
    assert of_kind(events, "determined_defence")[0].data["holds"] == 1
    assert s.air_used == 0b0100


@pytest.mark.rule("caucasus", "16.13b")
def test_defensive_support_is_declared_before_the_die_and_only_one() -> None:
    s = combat("axis", turn=6)
    s.air = 0b1100
    place(s, "GE-13Pz", "1234")
    place(s, ["SU-353RD", "SU-BlackSea-HQ"], "1333")
    attack(s, "1333")
    do(s, "commit")
    roll(s, 2)
    events = do(s, "lead SU-353RD")
    assert "determined_defence" not in kinds(events)
    assert GAME.to_act(s) == 1
    do(s, "support SU-4VA")
    assert GAME.to_act(s) == CHANCE
    assert s.air_used == 0b0100
    roll(s, 3)
    assert not offered(s)


@pytest.mark.rule("caucasus", "16.15")
@pytest.mark.parametrize("turn", range(1, 15))
def test_viii_air_corps_flies_on_turns_one_to_three_and_twelve_to_fourteen(turn: int) -> None:
    s = axis_attack("1134", turn)
    assert ("AX-VIII" in offered(s)) is (turn <= 3 or turn >= 12)
    if 3 < turn < 12:
        assert why(s, "support AX-VIII") == ("16.15", f"VIII Air Corps is not available on turn {turn}")


# 16.2 The Black Sea Fleet


@pytest.mark.rule("caucasus", "16.21a")
def test_both_fleet_markers_start_unavailable() -> None:
    s = new()
    assert (s.fleet_ready, s.fleet_away) == (0, 2)


def coastal_attack(target: str = "2141", origin: str = "2140") -> State:
    s = combat("soviet", turn=3)
    s.fleet_ready, s.fleet_away = 1, 1
    place(s, "SU-9RC", origin)
    place(s, "GE-4Bic", target)
    attack(s, target)
    do(s, "commit")
    return s


@pytest.mark.rule("caucasus", "16.22", "16.21b")
def test_the_fleet_shifts_two_columns_on_the_black_sea_coast_and_is_spent() -> None:
    s = coastal_attack()
    assert offered(s) == ["SU-BSF", "none"]
    odds = GAME.odds(s, GAME.parse("support SU-BSF"))
    assert odds is not None
    assert shifts(odds) == {"16.22": 2}
    assert reads(odds) == (5, 4, "1:1", "3:1")
    do(s, "support SU-BSF")
    assert (s.fight.column, s.fleet_ready, s.fleet_away) == (3, 0, 2)


@pytest.mark.rule("caucasus", "16.22")
def test_it_is_the_defenders_hex_that_must_lie_on_the_coast() -> None:
    """A19; the attacker's own hex does not matter, and the Sea of Azov is not the Black Sea."""
    s = combat("soviet", turn=3)
    s.fleet_ready = 1
    place(s, "SU-9RC", "2241")
    place(s, "GE-4Bic", "2140")
    attack(s, "2140")
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE
    s = combat("soviet", turn=3)
    s.fleet_ready = 1
    place(s, "SU-9RC", "2042")
    place(s, "GE-4Bic", "2041")
    attack(s, "2041")
    do(s, "commit")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("caucasus", "16.22", "16.21b")
def test_the_fleet_helps_soviet_units_to_stand_on_the_coast() -> None:
    s = combat("axis", turn=3)
    s.fleet_ready, s.fleet_away = 2, 0
    place(s, ["GE-13Pz", "GE-23Pz"], "2042")
    place(s, "SU-353RD", "2141")
    attack(s, "2141")
    do(s, "commit")
    roll(s, next(i + 1 for i, code in enumerate(board.crt[s.fight.column]) if code == "DR"))
    do(s, "lead SU-353RD")
    assert offered(s) == ["SU-BSF", "none"]
    do(s, "support SU-BSF")
    events = roll(s, 2)
    told = of_kind(events, "determined_defence")[0].data
    assert (told["drm"], told["holds"]) == (2, 1)
    assert (s.fleet_ready, s.fleet_away) == (1, 1)


@pytest.mark.rule("caucasus", "16.22")
def test_the_axis_never_has_the_fleet() -> None:
    s = combat("soviet", turn=3)
    s.fleet_ready = 2
    place(s, ["SU-9RC", "SU-3RC"], "2140")
    place(s, "GE-73", "2141")
    attack(s, "2141")
    do(s, "commit", "support none")
    roll(s, 5)
    if "lead GE-73" in texts(s):
        do(s, "lead GE-73")
    assert not offered(s)
    assert s.fleet_ready == 2


@pytest.mark.rule("caucasus", "16.21c")
def test_the_loss_of_poti_ends_the_fleet_for_good() -> None:
    s = combat("axis", turn=3)
    s.fleet_ready, s.fleet_away = 1, 1
    place(s, "GE-73", "3429")
    take_control(s, U("GE-73"), H("3429"))
    assert (s.fleet_ready, s.fleet_away) == (0, 0)
    controlled_by(s, "axis", "3429")
    take_control(s, U("SU-9RC"), H("3429"))  # recapture does not bring it back
    assert not s.control >> H("3429") & 1
    assert (s.fleet_ready, s.fleet_away) == (0, 0)
