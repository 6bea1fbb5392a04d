"""Chapter 11: retreats."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sandtable.engine.contract import Event
from sandtable.games.caucasus.combat import defence, strengths
from sandtable.games.caucasus.movement import replacements
from sandtable.games.caucasus.table.ids import (
    A1_D2,
    AXIS,
    COMBAT,
    D1_B,
    DR,
    F_MOVES,
    F_RESULT,
    F_RETREAT,
    F_SUPPLY,
    MOBILE,
    NO_SUPPORT,
    R_SOVIET_INFANTRY,
    SOVIET,
)
from sandtable.games.caucasus.table.state import State, zone

from .kit import GAME, H, U, at, board, controlled_by, do, empty, hexes, kinds, of_kind, place, start, texts, units, why

ORIGIN = "1728"
"""A clear hex with clear hexes around it: 1628 and 1629 north, 1727 east, 1729 west, 1828 and 1829 south."""

RIFLES = [name for name in board.units if name.startswith("SU-") and name.endswith("RD")]


def battlefield(*enemies: str, turn: int = 5) -> State:
    """A combat phase of the Axis; its divisions stand in these hexes. None: 1628 and 1629, north of the retreat."""
    s = empty("axis", turn, "axis_first_combat")
    for name, hex_ in zip(
        ("GE-13Pz", "GE-23Pz", "GE-73", "GE-125", "GE-198", "GE-9"), enemies or ("1628", "1629"), strict=False
    ):
        place(s, name, hex_)
    return s


def retreat(s: State, stack: str | Sequence[str], hexes_: int = 2, hex_: str = ORIGIN, result: int = DR) -> list[Event]:
    """These units (already placed) must retreat so many hexes."""
    names = [stack] if isinstance(stack, str) else list(stack)
    s.fight.target = s.fight.origin = H(hex_)
    s.fight.defenders = s.fight.retreating = units(*names)
    s.fight.result = result
    return start(s, (F_MOVES, 0), (F_RETREAT, hexes_, 0))


def routed(stack: str | Sequence[str], *enemies: str, hexes_: int = 2, shows: str = "full") -> State:
    s = battlefield(*enemies)
    place(s, stack, ORIGIN, shows=shows)
    s.events = retreat(s, stack, hexes_, result=DR if hexes_ == 2 else D1_B)
    return s


def forbidden(s: State, text: str) -> str:
    """The rule that forbids an action."""
    reason = why(s, text)
    assert reason is not None
    return reason.rule


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


# 11.3 to 11.5


@pytest.mark.rule("caucasus", "11.3")
def test_11_3_a_full_advance_after_a_one_hex_retreat() -> None:
    s = battlefield("2135")
    place(s, "SU-4RD", "2236")
    s.fight.target, s.fight.defenders, s.fight.attackers, s.fight.result = (
        H("2236"),
        units("SU-4RD"),
        units("GE-13Pz"),
        DR,
    )
    start(s, (F_MOVES, 0), (F_RESULT, 2))
    do(s, "to 2237", "halt")
    assert at(s, "SU-4RD") == "2237"
    do(s, "advance GE-13Pz 2134", "advance GE-13Pz 2133")
    assert at(s, "GE-13Pz") == "2133"
    s = battlefield("1628")
    s.fight.target, s.fight.attackers, s.fight.result = H(ORIGIN), units("GE-13Pz"), DR  # eliminated: nobody retreats
    start(s, (F_MOVES, 0), (F_RESULT, 3))
    do(s, "advance GE-13Pz 1728", "advance GE-13Pz 1828")
    assert at(s, "GE-13Pz") == "1828"


@pytest.mark.rule("caucasus", "11.4a")
def test_11_4a_who_retreats_again_in_the_same_phase_is_eliminated() -> None:
    s = battlefield()
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    s.retreated = units("SU-4RD")
    s.fight.kind = COMBAT
    assert strengths.defence_total(s, H(ORIGIN), COMBAT) == 5
    assert defence.MAY_LEAD.free(units("SU-4RD", "SU-74RD"), s, COMBAT) == units("SU-74RD")
    events = retreat(s, ["SU-4RD", "SU-74RD"])
    assert [(e.data["unit"], e.rule) for e in of_kind(events, "eliminated")] == [(U("SU-4RD"), "11.4a")]
    assert at(s, "SU-74RD") == ORIGIN
    do(s, "to 1828", "to 1927")
    assert s.retreated & units("SU-74RD")


@pytest.mark.rule("caucasus", "11.4b")
def test_11_4b_not_in_a_mobile_assault() -> None:
    s = battlefield()
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    s.retreated = units("SU-4RD")
    s.fight.kind = MOBILE
    assert strengths.defence_total(s, H(ORIGIN), MOBILE) == 10
    retreat(s, ["SU-4RD", "SU-74RD"])
    assert at(s, "SU-4RD") == ORIGIN


@pytest.mark.rule("caucasus", "11.5a")
@pytest.mark.parametrize("result", [D1_B, A1_D2])
def test_11_5a_who_retreats_four_hexes_is_disrupted(result: int) -> None:
    s = battlefield()
    place(s, "SU-4RD", ORIGIN)
    retreat(s, "SU-4RD", 4, result=result)
    for _ in range(3):
        do(s, texts(s)[0])
        assert not s.disrupted
    events = do(s, texts(s)[0])
    assert s.disrupted == units("SU-4RD")
    assert of_kind(events, "disrupted")[0].rule == "11.5a"
    s = routed("SU-4RD")
    do(s, "to 1828", "to 1927")
    assert not s.disrupted


@pytest.mark.rule("caucasus", "11.5b")
def test_11_5b_a_disrupted_unit_does_not_end_its_move_in_ezoc() -> None:
    for disrupted in (False, True):
        s = empty("soviet", 5)
        place(s, "SU-4RD", "1928", disrupted=disrupted)
        place(s, "GE-73", ORIGIN)
        start(s, (F_MOVES, 0))
        do(s, "move SU-4RD")
        assert ("to 1828" in texts(s)) != disrupted


@pytest.mark.rule("caucasus", "11.5c")
def test_11_5c_a_disrupted_unit_does_not_lead() -> None:
    s = battlefield()
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    s.disrupted = units("SU-4RD")
    assert defence.MAY_LEAD.free(units("SU-4RD", "SU-74RD"), s, COMBAT) == units("SU-74RD")


@pytest.mark.rule("caucasus", "11.5d")
def test_11_5d_a_disrupted_defender_shifts_one_column() -> None:
    s = battlefield()
    place(s, ["SU-4RD", "SU-74RD"], ORIGIN)
    s.disrupted = units("SU-4RD")
    found = strengths.shifts(s, COMBAT, H(ORIGIN), units("GE-13Pz"), 0, NO_SUPPORT)
    assert [p.value for p in found if p.rule == "11.5d"] == [1]


@pytest.mark.rule("caucasus", "11.5e")
def test_11_5e_a_disrupted_unit_does_not_stop_after_one_hex() -> None:
    for disrupted in (False, True):
        s = battlefield("2135")
        place(s, "SU-4RD", "2236", disrupted=disrupted)
        retreat(s, "SU-4RD", hex_="2236")
        do(s, "to 2237")
        assert ("halt" in texts(s)) != disrupted
        if disrupted:
            assert forbidden(s, "halt") == "11.5e"


@pytest.mark.rule("caucasus", "11.5f")
def test_11_5f_a_disrupted_unit_gets_no_replacements() -> None:
    for disrupted in (False, True):
        s = empty("soviet", 5)
        place(s, "SU-4RD", ORIGIN, shows="reduced", disrupted=disrupted)
        s.replacements[R_SOVIET_INFANTRY] = 1
        assert bool(replacements.rebuildable(s)) != disrupted


@pytest.mark.rule("caucasus", "11.5g")
def test_11_5g_what_a_disrupted_unit_keeps() -> None:
    s = empty("soviet", 5)
    place(s, "SU-4RD", ORIGIN, disrupted=True)
    place(s, "SU-110CD", "1628")
    assert hexes(zone(s, SOVIET)) >= {"1727", "1828"}
    s.active = AXIS
    assert strengths.defence_total(s, H(ORIGIN), COMBAT) == 5
    s.active = SOVIET
    start(s, (F_MOVES, 0))
    do(s, "move SU-110CD", "to 1728")
    assert s.disrupted == units("SU-4RD")


@pytest.mark.rule("caucasus", "11.5h")
def test_11_5h_all_recover_in_their_supply_phase() -> None:
    s = empty("soviet", 5, "soviet_supply")
    place(s, "SU-4RD", ORIGIN, disrupted=True)
    place(s, "GE-73", "1134", disrupted=True)
    start(s, (F_MOVES, 0), (F_SUPPLY, SOVIET, 0))
    assert s.disrupted == units("GE-73")


# 11.6 The one-hex retreat


@pytest.mark.rule("caucasus", "11.6a")
def test_11_6a_shelter_ends_a_retreat_after_one_hex() -> None:
    s = battlefield("2135")
    place(s, "SU-4RD", "2236")
    retreat(s, "SU-4RD", hex_="2236")
    do(s, "to 2237")  # forest
    assert "halt" in texts(s)
    events = do(s, "halt")
    assert at(s, "SU-4RD") == "2237"
    assert kinds(events)[0] == "one_hex_retreat"
    assert s.retreated == units("SU-4RD")
    s = routed("SU-4RD")
    do(s, "to 1828")  # clear
    assert forbidden(s, "halt") == "11.6a"


@pytest.mark.rule("caucasus", "11.6a")
@pytest.mark.parametrize(
    ("origin", "enemy", "to"),
    [
        ("1933", "1834", "1932"),  # Kropotkin, a town
        ("2137", "2038", "2136"),  # Krasnodar, a major city
        ("2433", "2332", "2533"),  # mountain
        ("1938", "1937", "1939"),  # marsh
    ],
)
def test_11_6a_kinds_of_shelter(origin: str, enemy: str, to: str) -> None:
    s = battlefield(enemy)
    place(s, "SU-4RD", origin)
    retreat(s, "SU-4RD", hex_=origin)
    if f"to {to}" in texts(s):
        do(s, f"to {to}")
    assert at(s, "SU-4RD") == to
    assert "halt" in texts(s)


@pytest.mark.rule("caucasus", "11.6b")
def test_11_6b_never_for_four_hexes() -> None:
    s = battlefield("2135")
    place(s, "SU-4RD", "2236")
    retreat(s, "SU-4RD", 4, hex_="2236", result=D1_B)
    do(s, "to 2237")
    assert "halt" not in texts(s)
    assert forbidden(s, "halt") == "11.6b"


@pytest.mark.rule("caucasus", "11.6c")
@pytest.mark.parametrize(
    ("friend", "disrupted", "may"), [("", False, False), ("SU-74RD", False, True), ("SU-74RD", True, False)]
)
def test_11_6c_not_in_ezoc_without_a_steady_friend(friend: str, disrupted: bool, may: bool) -> None:
    """2237 is in the ZOC of an enemy in 2336; all other ways are barred."""
    s = battlefield("2135", "2336")
    place(s, "GE-7Flak", "2235")
    place(s, "GE-210StG", "2335")
    place(s, "GE-203StG", "2136")
    place(s, "SU-4RD", "2236")
    if friend:
        place(s, friend, "2237", disrupted=disrupted)
    retreat(s, "SU-4RD", hex_="2236")
    assert at(s, "SU-4RD") == "2237"
    assert ("halt" in texts(s)) == may
    if not may:
        assert forbidden(s, "halt") == "11.6c"


# 15 Units with retreats of their own


@pytest.mark.rule("caucasus", "15.3c")
def test_15_3c_the_flotilla_retreats_to_any_azov_port() -> None:
    s = battlefield("1238")
    s.zones = [-1, -1]
    place(s, "SU-Azov", "2041")
    place(s, "GE-73", "1438")
    retreat(s, "SU-Azov", hex_="2041")
    assert set(texts(s)) == {"to 1338", "to 1638", "to 2043"}
    assert zone(s, AXIS) >> H("1338") & 1
    do(s, "to 1338")
    assert at(s, "SU-Azov") == "1338"
    s = battlefield()
    controlled_by(s, "axis", "1338", "1638", "2043")
    place(s, "SU-Azov", "2041")
    events = retreat(s, "SU-Azov", hex_="2041")
    assert of_kind(events, "eliminated")[0].rule == "15.3c"


@pytest.mark.rule("caucasus", "15.6b")
def test_15_6b_the_train_retreats_along_its_railway() -> None:
    s = battlefield("1833")
    place(s, "SU-Train", "1932")
    retreat(s, "SU-Train", hex_="1932")
    ends = set()
    for text in texts(s):
        c = s.copy()
        do(c, text)
        ends.add(at(c, "SU-Train"))
    rails = board.rails
    assert ends
    assert all(any(m >> H(h) & 1 for m in rails) for h in ends)
    s = battlefield("1727")
    place(s, "SU-Train", ORIGIN)  # off the railway
    events = retreat(s, "SU-Train")
    assert of_kind(events, "eliminated")[0].rule == "15.6b"


@pytest.mark.rule("caucasus", "15.7h", "11.2g")
def test_x_e2_the_corps_marker_stays_with_cavalry() -> None:
    """Four units (two cavalry divisions with the marker count as one); both ways out are in EZOC."""
    stack = ["SU-4RD", "SU-74RD", "SU-110CD", "SU-12CD"]
    s = battlefield("1628", "1629")
    place(s, ["GE-7Flak"], "1828")
    place(s, ["GE-210StG"], "1829")
    place(s, stack, ORIGIN, shows="reduced")
    s.step[U("SU-12CD")] = 0
    s.corps = H(ORIGIN)
    retreat(s, stack)
    assert set(texts(s)) == {"to 1727", "to 1729"}
    events = do(s, "to 1727")  # nobody else may take the other hex: that would cost a second step
    assert {at(s, name) for name in stack} == {"1727"}
    assert s.corps == H("1727")
    assert [(e.kind, e.data["unit"]) for e in events if e.rule == "11.2g"] == [("step_lost", U("SU-12CD"))]
    do(s, "to 1726", "to 1726", "to 1827", "to 1726")  # now it may split
    assert {at(s, name) for name in stack} == {"1726", "1827"}
    assert s.here[s.corps] & board.cavalry
