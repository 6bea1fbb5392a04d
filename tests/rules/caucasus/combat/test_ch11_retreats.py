"""Chapter 11: retreats."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.table.ids import (
    AXIS,
    SOVIET,
)
from sandtable.games.caucasus.table.state import State, zone

from ..kit import GAME, H, U, at, board, do, kinds, of_kind, place, texts
from .ch11retreatskit import ORIGIN, RIFLES, battlefield, forbidden, retreat, routed

"""A clear hex with clear hexes around it: 1628 and 1629 north, 1727 east, 1729 west, 1828 and 1829 south."""


def away(s: State, unit: str, origin: str = ORIGIN) -> int:
    return board.grid.distance(H(origin), H(at(s, unit)))


# 11.1 Retreats


@pytest.mark.rule("caucasus", "11.1a")
@pytest.mark.parametrize("length", [2, 4])
def test_11_1a_a_retreat_is_two_or_four_hexes(length: int) -> None:
    s = routed("SU-4RD", hexes_=length)
    for gone in range(1, length + 1):
        assert str(GAME.prompt(s).title).startswith("Where does")
        do(s, texts(s)[0])
        assert away(s, "SU-4RD") == gone
    assert not s.fight.retreating


@pytest.mark.rule("caucasus", "11.1b")
def test_11_1b_the_owner_chooses_the_path() -> None:
    s = routed("SU-4RD")
    assert GAME.to_act(s) == SOVIET
    assert set(texts(s)) == {"to 1828", "to 1829"}
    do(s, "to 1828")
    assert GAME.to_act(s) == SOVIET
    assert set(texts(s)) == {"to 1827", "to 1927", "to 1928"}
    events = do(s, "to 1927")
    assert at(s, "SU-4RD") == "1927"
    assert of_kind(events, "retreated")[0].data["path"] == [H("1828"), H("1927")]
    assert forbidden(routed("SU-4RD"), "to 1927") == "11.1b"


@pytest.mark.rule("caucasus", "11.1c")
def test_11_1c_a_stack_may_split() -> None:
    s = routed(["SU-4RD", "SU-74RD"])
    do(s, "to 1828", "to 1829", "to 1827", "to 1830")
    assert (at(s, "SU-4RD"), at(s, "SU-74RD")) == ("1827", "1830")


@pytest.mark.rule("caucasus", "11.1d")
def test_11_1d_a_retreat_ends_so_many_hexes_away() -> None:
    s = routed("SU-4RD")
    do(s, "to 1828")
    assert forbidden(s, "to 1829") == "11.1d"  # a second hex, but only one away from where it began
    assert all(board.grid.distance(H(ORIGIN), H(text[3:])) == 2 for text in texts(s))


@pytest.mark.rule("caucasus", "11.1d", "11.2f")
def test_11_1d_who_cannot_get_so_far_is_eliminated() -> None:
    """Everything two hexes to the south is in enemy ZOC: the first hexes are free and lead nowhere."""
    s = battlefield("1628", "1629", "2027", "2029", "1730", "1726")
    place(s, "SU-4RD", ORIGIN)
    place(s, ["GE-111"], "1831")
    place(s, ["GE-370"], "1826")
    events = retreat(s, "SU-4RD")
    assert at(s, "SU-4RD") == "cadre"
    assert of_kind(events, "eliminated")[0].rule == "11.2f"


@pytest.mark.rule("caucasus", "11.1e")
def test_11_1e_as_few_steps_as_possible_are_lost() -> None:
    s = routed("SU-4RD")
    assert zone(s, AXIS) >> H("1727") & 1
    assert forbidden(s, "to 1727") == "11.1e"


@pytest.mark.rule("caucasus", "11.1e", "11.2g")
def test_11_1e_the_stack_stays_together_where_splitting_costs_a_second_step() -> None:
    """A31: only 1727 and 1729 can be entered, both in EZOC; each part of the stack would lose a step."""
    s = battlefield("1628", "1629", "1928")
    place(s, ["GE-7Flak"], "1828")
    place(s, ["GE-210StG"], "1829")
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    retreat(s, ["SU-4RD", "SU-74RD"])
    assert set(texts(s)) == {"to 1727", "to 1729"}
    events = do(s, "to 1727")
    assert at(s, "SU-74RD") == "1727"  # there is no choice any more
    assert "step_lost" not in kinds(events)
    assert set(texts(s)) == {"lose SU-4RD", "lose SU-74RD"}
    do(s, "lose SU-74RD")
    assert (s.step[U("SU-4RD")], s.step[U("SU-74RD")]) == (0, 1)


@pytest.mark.rule("caucasus", "11.1f")
def test_11_1f_to_full_supply_if_possible() -> None:
    """From 1419 the way over 1518 leads to limited supply only."""
    s = battlefield("1318")
    place(s, "SU-4RD", "1419")
    retreat(s, "SU-4RD", hex_="1419")
    assert set(texts(s)) == {"to 1420", "to 1519"}
    assert forbidden(s, "to 1518") == "11.1f"
    do(s, "to 1519")
    assert set(texts(s)) == {"to 1520", "to 1620"}
    assert forbidden(s, "to 1619") == "11.1f"


@pytest.mark.rule("caucasus", "11.1f")
def test_11_1f_otherwise_to_limited_supply() -> None:
    """With every port and the entry hexes F to J in Axis hands, roads from the north-east still feed 1041 and 1140."""
    s = battlefield("1342")
    s.control = board.places & ~board.special_entries[SOVIET]
    place(s, "SU-4RD", "1242")
    retreat(s, "SU-4RD", hex_="1242")
    assert set(texts(s)) == {"to 1141", "to 1241"}
    assert forbidden(s, "to 1142") == "11.1f"
    do(s, "to 1141")
    assert set(texts(s)) == {"to 1041", "to 1140"}


def crowd(s: State, *hexes_: str) -> None:
    """Three rifle divisions in each of these hexes."""
    spare = [name for name in RIFLES if s.at[U(name)] < 0 and name not in ("SU-4RD", "SU-74RD")]
    for i, hex_ in enumerate(hexes_):
        place(s, spare[3 * i : 3 * i + 3], hex_)


@pytest.mark.rule("caucasus", "11.1g")
def test_11_1g_to_a_hex_with_room() -> None:
    s = battlefield()
    place(s, "SU-4RD", ORIGIN)
    crowd(s, "1827", "1927", "1928", "1929")
    retreat(s, "SU-4RD")
    # 1830 alone has room, and only 1829 leads there
    assert at(s, "SU-4RD") == "1830"


@pytest.mark.rule("caucasus", "11.1g", "11.1h")
def test_11_1g_without_room_the_attacker_adds_a_hex() -> None:
    s = battlefield()
    place(s, "SU-4RD", ORIGIN)
    crowd(s, "1827", "1927", "1928", "1929", "1830")
    retreat(s, "SU-4RD")
    do(s, "to 1828")
    assert set(texts(s)) == {"to 1827", "to 1927", "to 1928"}  # 11.1h any of them
    ordered = of_kind(do(s, "to 1928"), "retreated")
    assert GAME.to_act(s) == AXIS
    assert set(texts(s)) == {"to 1927", "to 1929", "to 2028", "to 2029"}
    assert forbidden(s, "to 1828") == "11.1g"
    added = of_kind(do(s, "to 2028"), "retreated")
    assert [e.rule for e in (*ordered, *added)] == ["11.1b", "11.1g"]  # the log says by which rule it went on
    assert at(s, "SU-4RD") == "2028"
    assert not s.fight.retreating


@pytest.mark.rule("caucasus", "11.1g")
def test_11_1g_the_additional_hex_carries_all_penalties() -> None:
    """A32: an enemy beyond 1928 bars what lies in its ZOC."""
    s = battlefield("1628", "1629", "2128")
    place(s, "SU-4RD", ORIGIN)
    crowd(s, "1827", "1927", "1928", "1929", "1830")
    retreat(s, "SU-4RD")
    do(s, "to 1828", "to 1928")
    assert zone(s, AXIS) >> H("2028") & 1
    assert "to 2028" not in texts(s)
    assert forbidden(s, "to 2028") == "11.2f"


# 11.2 Elimination and loss


@pytest.mark.rule("caucasus", "11.2a")
def test_11_2a_a_unit_with_ma_0_is_eliminated() -> None:
    s = battlefield()
    place(s, ["SU-NKVD-Grozny", "SU-4RD"], ORIGIN)
    events = retreat(s, ["SU-NKVD-Grozny", "SU-4RD"])
    assert at(s, "SU-NKVD-Grozny") == "removed"
    assert of_kind(events, "eliminated")[0].rule == "11.2a"
    assert at(s, "SU-4RD") == ORIGIN


@pytest.mark.rule("caucasus", "11.2b")
def test_11_2b_into_terrain_it_could_not_enter() -> None:
    """Tanks cannot leave the road into the mountains south of Maikop; infantry can."""
    for name, dies in (("SU-155TB", True), ("SU-4RD", False)):
        s = battlefield("2332", "2333")
        place(s, "GE-7Flak", "2432")
        place(s, "GE-210StG", "2434")
        place(s, name, "2433")
        events = retreat(s, name, hex_="2433")
        assert ("eliminated" in kinds(events)) == dies


@pytest.mark.rule("caucasus", "11.2b")
def test_11_2b_off_the_map() -> None:
    """From the east edge only hexes west and south remain, and enemies hold them."""
    s = battlefield("1111", "1210", "1110")
    place(s, ["GE-7Flak"], "1011")
    place(s, "SU-4RD", "1010")
    events = retreat(s, "SU-4RD", hex_="1010")
    assert of_kind(events, "eliminated")[0].rule == "11.2c"
    s = battlefield("1111")
    place(s, "SU-4RD", "1010")
    retreat(s, "SU-4RD", hex_="1010")
    assert at(s, "SU-4RD") != "cadre"


@pytest.mark.rule("caucasus", "11.2b")
def test_11_2b_not_into_the_entry_hexes_of_the_enemy() -> None:
    s = battlefield("1229", "1230")
    place(s, ["GE-7Flak"], "1128")
    place(s, ["GE-210StG"], "1130")
    place(s, "SU-4RD", "1129")
    events = retreat(s, "SU-4RD", hex_="1129")
    assert at(s, "SU-4RD") == "cadre"
    assert "eliminated" in kinds(events)


@pytest.mark.rule("caucasus", "11.2c")
def test_11_2c_into_an_enemy_hex() -> None:
    s = battlefield("1628", "1629", "1727", "1729", "1828", "1829")
    place(s, "SU-4RD", ORIGIN)
    events = retreat(s, "SU-4RD")
    assert of_kind(events, "eliminated")[0].rule == "11.2c"
    s = routed("SU-4RD")
    assert forbidden(s, "to 1628") == "11.2c"


def beside_a_gate(west: str) -> State:
    """Only 1828 is free, and the hexside to it lies between 1727 and 1829."""
    s = battlefield("1628", "1629", "1727", "1729")
    place(s, west, "1829")
    place(s, "SU-4RD", ORIGIN)
    return s


@pytest.mark.rule("caucasus", "11.2d")
def test_11_2d_across_a_hexside_between_two_enemies() -> None:
    s = beside_a_gate("GE-198")
    events = retreat(s, "SU-4RD")
    assert of_kind(events, "eliminated")[0].rule == "11.2d"


@pytest.mark.rule("caucasus", "11.2d")
def test_11_2d_both_need_a_zoc() -> None:
    s = beside_a_gate("GE-7Flak")
    retreat(s, "SU-4RD")
    assert s.step[U("SU-4RD")] == 1  # through one ZOC for a step (11.2g)
    assert at(s, "SU-4RD") == "1828"
    assert set(texts(s)) == {"to 1927", "to 1928"}


@pytest.mark.rule("caucasus", "11.2d", "11.2g")
def test_11_2d_a_friendly_unit_in_the_hex_cancels_it() -> None:
    s = beside_a_gate("GE-198")
    place(s, "SU-74RD", "1828")
    retreat(s, "SU-4RD")
    assert at(s, "SU-4RD") == "1927"
    assert s.step[U("SU-4RD")] == 0
    s = beside_a_gate("GE-198")
    place(s, "SU-74RD", ORIGIN)  # a unit of the same retreat does not
    events = retreat(s, ["SU-4RD", "SU-74RD"])
    assert [e.rule for e in of_kind(events, "eliminated")] == ["11.2d", "11.2d"]


def beside_a_trap(west: str) -> State:
    """Only 1828 is free; enemies stand in 1827 and 1829, on opposite sides of it."""
    s = battlefield("1628", "1629", "1827", "1729")
    place(s, "GE-7Flak", "1727")
    place(s, west, "1829")
    place(s, "SU-4RD", ORIGIN)
    return s


@pytest.mark.rule("caucasus", "11.2e")
def test_11_2e_into_a_hex_between_two_enemies() -> None:
    s = beside_a_trap("GE-198")
    events = retreat(s, "SU-4RD")
    assert of_kind(events, "eliminated")[0].rule == "11.2e"
    s = beside_a_trap("GE-210StG")  # no ZOC
    retreat(s, "SU-4RD")
    assert at(s, "SU-4RD") == "1928"
    assert s.step[U("SU-4RD")] == 1


@pytest.mark.rule("caucasus", "11.2e")
def test_11_2e_a_friendly_unit_negates_the_zocs_there() -> None:
    s = beside_a_trap("GE-198")
    place(s, "SU-74RD", "1828")
    place(s, "SU-176RD", "1928")
    retreat(s, "SU-4RD")
    assert at(s, "SU-4RD") == "1928"
    assert s.step[U("SU-4RD")] == 0


@pytest.mark.rule("caucasus", "11.2f")
def test_11_2f_no_ezoc_after_the_first_hex() -> None:
    s = battlefield("1628", "1629", "1926")
    place(s, "SU-4RD", ORIGIN)
    retreat(s, "SU-4RD")
    do(s, "to 1828")
    assert zone(s, AXIS) >> H("1927") & 1
    assert zone(s, AXIS) >> H("1827") & 1
    assert at(s, "SU-4RD") == "1928"
    s = battlefield("1628", "1629", "1926")
    place(s, "SU-4RD", ORIGIN)
    place(s, "SU-74RD", "1927")  # not part of the retreat
    retreat(s, "SU-4RD")
    do(s, "to 1828")
    assert set(texts(s)) == {"to 1927", "to 1928"}
    assert forbidden(s, "to 1827") == "11.2f"


@pytest.mark.rule("caucasus", "11.2g", "6.5b")
def test_11_2g_one_step_for_the_whole_stack() -> None:
    s = battlefield("1629", "1727", "1729")
    place(s, ["GE-7Flak"], "1628")
    place(s, ["GE-210StG"], "1829")
    place(s, ["SU-4RD", "SU-74RD", "SU-155TB"], ORIGIN)
    retreat(s, ["SU-4RD", "SU-74RD", "SU-155TB"])
    assert GAME.to_act(s) == SOVIET
    assert set(texts(s)) == {"lose SU-4RD", "lose SU-74RD", "lose SU-155TB"}
    events = do(s, "lose SU-4RD")
    assert [e.rule for e in of_kind(events, "step_lost")] == ["11.2g"]
    assert (s.step[U("SU-74RD")], at(s, "SU-155TB") != "removed") == (0, True)


@pytest.mark.rule("caucasus", "11.2g")
def test_11_2g_a_friendly_unit_negates_ezoc() -> None:
    s = battlefield("1628", "1629")
    place(s, ["GE-7Flak"], "1828")
    place(s, ["GE-210StG"], "1829")
    place(s, "SU-74RD", "1727")
    place(s, "SU-4RD", ORIGIN)
    retreat(s, "SU-4RD")
    assert at(s, "SU-4RD") in ("1727", "1726", "1827")
    assert s.step[U("SU-4RD")] == 0


def test_x_11_2() -> None:
    """Hexside 1 and hex 2 are forbidden; A goes through a friendly unit unharmed; B's stack pays one step."""
    s = battlefield("1628", "1629", "1729", "1829")
    place(s, "GE-7Flak", "1727")
    place(s, "SU-30RD", "1828")
    place(s, ["SU-4RD"], ORIGIN)
    retreat(s, "SU-4RD")
    assert s.step[U("SU-4RD")] == 0
    assert at(s, "SU-4RD") == "1828"
    s = battlefield("1628", "1629", "1729")
    place(s, "GE-7Flak", "1829")
    place(s, "GE-210StG", "1828")
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    retreat(s, ["SU-4RD", "SU-74RD"])
    assert set(texts(s)) == {"lose SU-4RD", "lose SU-74RD"}
    assert at(s, "SU-4RD") == at(s, "SU-74RD") == "1727"
