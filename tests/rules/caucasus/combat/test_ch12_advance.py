"""Chapter 12: advance after combat; 8.5e: the advance of units with automatic elimination markers."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.table.ids import AXIS, D1, EX, F_ADVANCE, F_COMBAT, F_MOVES
from sandtable.games.caucasus.table.state import State, zone

from ..kit import GAME, H, at, do, empty, place, start, texts, units, why

FIELD = "1728"
"""A clear hex with clear hexes around it: 1628 and 1629 north, 1727 east, 1729 west, 1828 and 1829 south."""


def fight(active: str = "axis", turn: int = 5) -> State:
    return empty(active, turn, f"{active}_first_combat")


def won(s: State, vacated: str, *attackers: str, result: int = D1, held: int = 0) -> None:
    """These units have just driven the enemy out of a hex."""
    s.fight.target = s.fight.vacated = H(vacated)
    s.fight.attackers = units(*attackers)
    s.fight.result = result
    s.fight.held = held
    start(s, (F_MOVES, 0), (F_ADVANCE, -1, 0))


def advances(s: State, unit: str) -> set[str]:
    return {text.split()[2] for text in texts(s) if text.startswith(f"advance {unit} ")}


def forbidden(s: State, text: str) -> str:
    """The rule that forbids an action."""
    reason = why(s, text)
    assert reason is not None
    return reason.rule


@pytest.mark.rule("caucasus", "12.1a", "15.4b")
def test_12_1a_two_hexes_for_mobile_units_and_one_for_others() -> None:
    s = fight()
    place(s, ["GE-13Pz", "GE-73", "RO-5Cav"], FIELD)
    won(s, "1828", "GE-13Pz", "GE-73", "RO-5Cav")
    do(s, "advance GE-73 1828")
    assert not advances(s, "GE-73")
    assert forbidden(s, "advance GE-73 1928") == "12.1a"
    do(s, "advance GE-13Pz 1828", "advance RO-5Cav 1828", "advance GE-13Pz 1928", "advance RO-5Cav 1927")
    assert (at(s, "GE-13Pz"), at(s, "RO-5Cav"), at(s, "GE-73")) == ("1928", "1927", "1828")
    assert "done" not in texts(s)  # there is nothing left to decide


@pytest.mark.rule("caucasus", "12.1a")
def test_12_1a_advancing_is_voluntary_and_only_for_those_who_fought() -> None:
    s = fight()
    place(s, ["GE-13Pz", "GE-23Pz"], FIELD)
    won(s, "1828", "GE-13Pz")
    assert GAME.to_act(s) == AXIS
    assert not advances(s, "GE-23Pz")
    assert forbidden(s, "advance GE-23Pz 1828") == "10.1a"
    do(s, "done")
    assert at(s, "GE-13Pz") == FIELD


@pytest.mark.rule("caucasus", "12.1b")
def test_12_1b_in_any_direction() -> None:
    s = fight()
    place(s, "GE-73", FIELD)
    won(s, "1828", "GE-73")
    assert advances(s, "GE-73") == {"1628", "1629", "1727", "1729", "1828", "1829"}


@pytest.mark.rule("caucasus", "12.1c")
def test_12_1c_no_unit_with_ma_0() -> None:
    s = fight("soviet")
    place(s, ["SU-NKVD-Grozny", "SU-4RD"], FIELD)
    won(s, "1828", "SU-NKVD-Grozny", "SU-4RD")
    assert advances(s, "SU-4RD")
    assert not advances(s, "SU-NKVD-Grozny")
    assert forbidden(s, "advance SU-NKVD-Grozny 1828") == "12.1c"


@pytest.mark.rule("caucasus", "12.2")
def test_12_2_not_from_zoc_to_zoc_of_one_enemy() -> None:
    """1728, 1729, 1828 are in the ZOC of the unit in 1829; 1727 is in that of another one, in 1726."""
    s = fight()
    place(s, "GE-13Pz", FIELD)
    place(s, "SU-4RD", "1829")
    place(s, "SU-74RD", "1726")
    won(s, "1927", "GE-13Pz")
    assert zone(s, 1) >> H("1727") & 1
    assert advances(s, "GE-13Pz") == {"1628", "1629", "1727"}
    assert forbidden(s, "advance GE-13Pz 1729") == "12.2"
    assert forbidden(s, "advance GE-13Pz 1829") == "7.1d"


@pytest.mark.rule("caucasus", "12.2")
def test_x_12_2() -> None:
    """A33: entering the vacated hex, or leaving it, a unit passes from ZOC to ZOC of the same enemy."""
    s = fight()
    place(s, ["GE-13Pz", "GE-23Pz"], FIELD)
    place(s, "SU-4RD", "1829")
    won(s, "1828", "GE-13Pz", "GE-23Pz")
    assert advances(s, "GE-13Pz") == {"1628", "1629", "1727", "1828"}
    do(s, "advance GE-13Pz 1828")
    assert "1928" in advances(s, "GE-13Pz")  # in the ZOC of 1829 too
    do(s, "advance GE-13Pz 1928", "advance GE-23Pz 1727", "advance GE-23Pz 1726")
    assert (at(s, "GE-13Pz"), at(s, "GE-23Pz")) == ("1928", "1726")


@pytest.mark.rule("caucasus", "12.2")
def test_12_2_ezoc_does_not_stop_an_advance() -> None:
    s = fight()
    place(s, "GE-13Pz", FIELD)
    place(s, "SU-4RD", "1926")
    won(s, "1829", "GE-13Pz")
    do(s, "advance GE-13Pz 1828")
    assert zone(s, 1) >> H("1927") & 1
    do(s, "advance GE-13Pz 1927")
    assert at(s, "GE-13Pz") == "1927"


@pytest.mark.rule("caucasus", "12.3a")
def test_12_3a_no_prohibited_terrain() -> None:
    s = fight()
    place(s, ["GE-13Pz", "GE-73"], "2332")
    won(s, "2433", "GE-13Pz", "GE-73")
    assert "2433" in advances(s, "GE-73")
    assert "2433" not in advances(s, "GE-13Pz")  # mountain without a road
    assert forbidden(s, "advance GE-13Pz 2433") == "12.3a"


@pytest.mark.rule("caucasus", "12.3b")
def test_12_3b_cavalry_stops_in_mountains_and_marshes() -> None:
    s = fight()
    place(s, "RO-5Cav", "2332")
    won(s, "2433", "RO-5Cav")
    do(s, "advance RO-5Cav 2433")
    assert not advances(s, "RO-5Cav")
    s = fight()
    place(s, "RO-5Cav", "1837")
    won(s, "1838", "RO-5Cav")
    do(s, "advance RO-5Cav 1838")
    assert not advances(s, "RO-5Cav")
    s = fight()
    place(s, "RO-5Cav", "1937")
    won(s, "1938", "RO-5Cav")
    do(s, "advance RO-5Cav 1938")  # the same marsh along its road
    assert advances(s, "RO-5Cav")
    s = fight()
    place(s, "RO-5Cav", "2528")
    won(s, "2628", "RO-5Cav")
    do(s, "advance RO-5Cav 2628")  # a road through the mountains
    assert "2728" in advances(s, "RO-5Cav")


@pytest.mark.rule("caucasus", "12.3c")
def test_12_3c_mechanised_units_stop_in_forest() -> None:
    s = fight()
    place(s, "GE-13Pz", "2135")
    won(s, "2236", "GE-13Pz")
    do(s, "advance GE-13Pz 2236")
    assert not advances(s, "GE-13Pz")
    s = fight()
    place(s, "GE-13Pz", "2136")
    won(s, "2236", "GE-13Pz")
    do(s, "advance GE-13Pz 2236")  # along the road from Krasnodar
    assert "2336" in advances(s, "GE-13Pz")


@pytest.mark.rule("caucasus", "12.3d")
def test_12_3d_a_major_river_only_on_the_first_hex() -> None:
    s = fight()
    place(s, "GE-13Pz", "2036")
    won(s, "2135", "GE-13Pz")
    assert "2135" in advances(s, "GE-13Pz")
    s = fight()
    place(s, "GE-13Pz", "1936")
    won(s, "2036", "GE-13Pz")
    do(s, "advance GE-13Pz 2036")
    assert "2135" not in advances(s, "GE-13Pz")
    assert "2037" in advances(s, "GE-13Pz")
    assert forbidden(s, "advance GE-13Pz 2135") == "12.3d"


@pytest.mark.rule("caucasus", "12.4", "14.4a")
def test_12_4_one_hex_out_of_supply() -> None:
    s = fight()
    place(s, "GE-13Pz", FIELD, oos=True)
    won(s, "1828", "GE-13Pz")
    do(s, "advance GE-13Pz 1828")
    assert not advances(s, "GE-13Pz")
    assert s.stack[-1][0] == F_MOVES


@pytest.mark.rule("caucasus", "10.1g", "10.4l")
@pytest.mark.parametrize(("result", "held"), [(EX, 0), (D1, 1)])
def test_only_into_the_vacated_hex_after_an_exchange_or_a_held_hex(result: int, held: int) -> None:
    s = fight()
    place(s, "GE-13Pz", FIELD)
    won(s, "1828", "GE-13Pz", result=result, held=held)
    assert advances(s, "GE-13Pz") == {"1828"}
    assert forbidden(s, "advance GE-13Pz 1829") == ("10.1g" if result == EX else "10.4l")
    do(s, "advance GE-13Pz 1828")
    assert s.stack[-1][0] == F_MOVES


@pytest.mark.rule("caucasus", "15.3c")
def test_15_3c_the_flotilla_does_not_advance() -> None:
    s = fight("soviet")
    place(s, ["SU-Azov", "SU-4RD"], "2041")
    won(s, "2040", "SU-Azov", "SU-4RD")
    assert advances(s, "SU-4RD")
    assert not advances(s, "SU-Azov")
    assert forbidden(s, "advance SU-Azov 2040") == "15.3c"


@pytest.mark.rule("caucasus", "15.6b")
def test_15_6b_the_train_advances_along_its_railway() -> None:
    s = fight("soviet")
    place(s, "SU-Train", "1932")
    won(s, "1931", "SU-Train")
    assert advances(s, "SU-Train") == {"1833", "1931", "2032", "2033"}
    assert forbidden(s, "advance SU-Train 1832") == "15.6b"


@pytest.mark.rule("caucasus", "5.2b")
def test_an_advance_ends_with_a_check_of_stacking() -> None:
    s = fight()
    place(s, ["GE-73", "GE-125", "GE-198"], "1828")
    place(s, "GE-13Pz", FIELD)
    won(s, "1829", "GE-13Pz")
    do(s, "advance GE-13Pz 1828", "done")
    assert set(texts(s)) == {"drop GE-13Pz", "drop GE-73", "drop GE-125", "drop GE-198"}


# 8.5e


def marked() -> State:
    """Two units have eliminated the enemy in 1828 in the movement phase; another enemy stands in 1926."""
    s = fight()
    place(s, ["GE-13Pz", "GE-73"], FIELD)
    place(s, "SU-4RD", "1926")
    s.marked = units("GE-13Pz", "GE-73")
    s.claims = {H("1828"): s.marked}
    start(s, (F_MOVES, 0), (F_COMBAT, 0))
    return s


@pytest.mark.rule("caucasus", "8.5e")
def test_8_5e_marked_units_advance_during_the_combat_phase() -> None:
    s = marked()
    assert advances(s, "GE-73") == {"1628", "1629", "1727", "1729", "1828", "1829"}
    do(s, "advance GE-73 1828")
    assert s.marked == units("GE-13Pz")
    assert not advances(s, "GE-73")
    do(s, "advance GE-13Pz 1828")
    assert "1927" in advances(s, "GE-13Pz")  # its second hex
    do(s, "advance GE-13Pz 1927")
    assert at(s, "GE-13Pz") == "1927"
    assert not s.claims
    assert not s.marked


@pytest.mark.rule("caucasus", "8.5c", "8.5e")
def test_8_5e_who_has_advanced_still_does_not_attack() -> None:
    s = marked()
    do(s, "advance GE-13Pz 1828", "advance GE-13Pz 1927")
    assert "attack 1926" not in texts(s)


@pytest.mark.rule("caucasus", "8.5e")
def test_8_5e_the_second_hex_is_voluntary() -> None:
    s = marked()
    do(s, "advance GE-13Pz 1828", "done")
    assert at(s, "GE-13Pz") == "1828"
    assert advances(s, "GE-73")
