"""Chapter 14: supply. The masks of lines.py are checked against a plain search in test_supply_lines.py."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.supply import supply_lines
from sandtable.games.caucasus.table.ids import (
    AXIS,
    SOVIET,
)
from sandtable.games.caucasus.table.state import State, on_map, put, zone
from sandtable.games.caucasus.turn.supply_phase import berths

from ..kit import (
    GAME,
    H,
    U,
    board,
    controlled_by,
    do,
    hexes,
    mask,
    names,
    new,
    of_kind,
    place,
    texts,
    units,
    why,
)
from .ch14supplykit import map_of, only_e, phase


def state(s: State, hex_: str) -> str:
    """What a unit of the active side would be in this hex."""
    b = 1 << H(hex_)
    if supply_lines.full(s, s.active) & b:
        return "full"
    if supply_lines.limited(s, s.active) & b:
        return "limited"
    return "out" if supply_lines.connected_to(s, s.active) & b else "isolated"


def forbidden(s: State, text: str) -> str:
    reason = why(s, text)
    assert reason is not None
    return reason.rule


# 14.1 The three states


@pytest.mark.rule("caucasus", "14.1a", "14.1c", "14.1d", "14.1e", "14.1f")
def test_14_1_the_three_states_and_their_markers() -> None:
    """From entry E: a railway within five hexes, a road that leads there, and nothing because of enemy ZOCs."""
    s = only_e()
    place(s, "SU-4RD", "1516")
    place(s, "SU-74RD", "1522", oos=True)
    place(s, "SU-176RD", "2525")
    place(s, ["GE-73"], "2425")
    place(s, ["GE-125"], "2626")
    place(s, "SU-261RD", "1512", limited=True)
    place(s, "SU-30RD", "1511", oos=True)
    events = phase(s)
    assert names(s.limited) == {"SU-74RD"}
    assert names(s.oos) == {"SU-176RD"}
    told = of_kind(events, "supply")[0]
    assert told.rule == "14.1f"
    assert (told.data["limited"], told.data["out"], told.data["full"]) == (["SU-74RD"], ["SU-176RD"], 3)


@pytest.mark.rule("caucasus", "14.1b")
def test_14_1b_a_unit_keeps_its_state_until_its_next_supply_phase() -> None:
    s = only_e()
    place(s, "SU-74RD", "1522")
    phase(s)
    assert names(s.limited) == {"SU-74RD"}
    put(s, U("SU-74RD"), H("1113"))  # in full supply by now
    place(s, "SU-4RD", "1213", oos=True)
    s.active = AXIS
    phase(s)
    assert names(s.limited) == {"SU-74RD"}
    assert names(s.oos) == {"SU-4RD"}
    s.active = SOVIET
    phase(s)
    assert not s.limited
    assert not s.oos


# 14.2 Supply sources


@pytest.mark.rule("caucasus", "14.2", "14.21")
def test_14_21_entry_hexes_while_friendly_controlled() -> None:
    """Taman is Axis entry hex J: it supplies the Axis in 2042, behind the Soviets in Temryuk and Anapa."""
    for owner, expected in (("axis", "full"), ("soviet", "isolated")):
        s = map_of("axis")
        place(s, "SU-4RD", "2041")
        place(s, "SU-74RD", "2141")
        controlled_by(s, owner, "2043")
        assert state(s, "2042") == expected
    s = map_of("soviet")
    s.control = board.places & ~(1 << H("2043")) & ~board.special_entries[SOVIET]
    place(s, "GE-73", "2041")
    place(s, "GE-125", "2141")
    assert state(s, "2042") == "isolated"  # J is no source for the Soviets


def pocket(*own: str) -> State:
    """Everything is Axis but entry E and these places; the Axis stands around Novorossiysk and Gelendzhik."""
    s = only_e()
    for name, hex_ in (("GE-73", "2140"), ("GE-125", "2139"), ("GE-198", "2239"), ("GE-9", "2338"), ("GE-111", "2141")):
        place(s, name, hex_)
    controlled_by(s, "soviet", *own)
    return s


@pytest.mark.rule("caucasus", "14.22a", "14.22b")
def test_14_22b_a_large_port_supplies_any_number() -> None:
    """X-14.3: the seven units in the Novorossiysk pocket."""
    seven = ["SU-4RD", "SU-74RD", "SU-176RD", "SU-261RD", "SU-30RD", "SU-271RD", "SU-318RD"]
    s = pocket("2240")
    place(s, seven[:3], "2240")
    place(s, seven[3:5], "2241")
    place(s, seven[5:], "2339")
    phase(s)
    assert names(s.limited) == set(seven)
    assert not s.oos
    s = pocket()  # the port is Axis
    place(s, seven[:2], "2241")
    phase(s)
    assert names(s.oos) == set(seven[:2])


@pytest.mark.rule("caucasus", "14.22c")
def test_14_22c_a_small_port_supplies_three_of_the_owners_choice() -> None:
    four = ["SU-4RD", "SU-74RD", "SU-176RD", "SU-261RD"]
    s = pocket("2339")
    place(s, four[:3], "2339")
    place(s, four[3:], "2240")
    phase(s)
    assert GAME.to_act(s) == SOVIET
    assert set(texts(s)) == {f"supply {name}" for name in four}
    do(s, "supply SU-261RD", "supply SU-74RD")
    assert forbidden(s, "supply SU-74RD") == "14.22c"
    do(s, "supply SU-4RD")
    assert names(s.limited) == {"SU-4RD", "SU-74RD", "SU-261RD"}
    assert names(s.oos) == {"SU-176RD"}
    # anew each turn
    s.stack = []
    phase(s)
    do(s, "supply SU-176RD", "supply SU-74RD", "supply SU-4RD")
    assert names(s.oos) == {"SU-261RD"}


@pytest.mark.rule("caucasus", "14.22c")
def test_14_22c_no_choice_where_three_places_are_enough() -> None:
    s = pocket("2339")
    place(s, ["SU-4RD", "SU-74RD", "SU-176RD"], "2339")
    phase(s)
    assert s.limited.bit_count() == 3
    assert not texts(s)[0].startswith("supply")


@pytest.mark.rule("caucasus", "14.22c")
def test_14_22c_two_small_ports_supply_three_each() -> None:
    """Gelendzhik and Anapa, both within five hexes: six of seven."""
    seven = ["SU-4RD", "SU-74RD", "SU-176RD", "SU-261RD", "SU-30RD", "SU-271RD", "SU-318RD"]
    s = pocket("2339", "2141")
    put(s, U("GE-111"), -1)
    put(s, U("GE-73"), -1)
    place(s, seven[:3], "2339")
    place(s, seven[3:6], "2240")
    place(s, seven[6:], "2241")
    place(s, "SU-328RD", "2141")
    phase(s)
    chosen = 0
    while texts(s)[0].startswith("supply"):
        do(s, texts(s)[0])
        chosen += 1
    assert chosen > 0
    assert s.limited.bit_count() == 6
    assert s.oos.bit_count() == 2


@pytest.mark.rule("caucasus", "14.22c")
def test_14_22c_units_make_room_by_using_another_port() -> None:
    """Units 0 to 2 reach both ports, 3 to 5 only the first: all six are supplied, and no seventh."""
    both, first = mask("2339", "2141"), mask("2141")
    if H("2339") < H("2141"):
        first = mask("2339")
    claims = {0: both, 1: both, 2: both, 3: first, 4: first, 5: first, 6: both}
    assert berths(claims, 0b0111111)
    assert not berths(claims, 0b1111111)


@pytest.mark.rule("caucasus", "14.22d")
def test_x_14_22_the_azov_ports_depend_on_temryuk() -> None:
    """The flotilla lies in Yeisk, where a German stands by; Temryuk is Soviet, or Axis, or cut off (A56)."""
    for temryuk, ring, expected in (("soviet", False, "limited"), ("axis", False, "oos"), ("soviet", True, "oos")):
        s = only_e()
        controlled_by(s, "soviet", "1338", "2240", "2141")
        controlled_by(s, temryuk, "2041")
        place(s, "GE-73", "1337")
        place(s, "GE-125", "1438")
        place(s, "SU-Azov", "1338")
        if ring:  # nothing but the sea is left to Temryuk
            place(s, "GE-198", "2140")
            place(s, "GE-9", "2042")
        events = phase(s)
        assert bool(s.limited & units("SU-Azov")) == (expected == "limited")
        assert bool(s.oos & units("SU-Azov")) == (expected == "oos")
        assert bool(of_kind(events, "azov_ports")) == ring


@pytest.mark.rule("caucasus", "14.22d")
def test_14_22d_temryuk_in_supply_again_opens_the_ports() -> None:
    s = only_e()
    controlled_by(s, "soviet", "1338", "2041", "2240")
    s.oos_hexes = board.ports_of[0]
    events = phase(s)
    assert not s.oos_hexes
    assert of_kind(events, "azov_ports")[0].data["open"]


@pytest.mark.rule("caucasus", "14.22e")
@pytest.mark.parametrize(
    ("port", "expected"), [("2043", "isolated"), ("1236", "isolated"), ("1136", "isolated"), ("1338", "limited")]
)
def test_14_22e_ports_that_never_supply_the_soviets(port: str, expected: str) -> None:
    s = only_e()
    controlled_by(s, "soviet", port, "2041", "2240")
    if port == "2043":  # whoever stands in Taman is cut off from Temryuk's own large port
        controlled_by(s, "axis", "2041")
    near = {"2043": ("2042",), "1236": ("1235", "1337"), "1136": ("1135", "1037"), "1338": ("1337", "1438")}[port]
    for name, hex_ in zip(("GE-73", "GE-125"), near, strict=False):
        place(s, name, hex_)
    assert state(s, port) == expected


# 14.3 Lines of supply


@pytest.mark.rule("caucasus", "14.3a", "14.3b")
def test_14_3b_five_hexes_to_the_railway() -> None:
    """From 1511 westward; a road makes the sixth hex limited, so it is cut here."""
    s = only_e()
    assert (state(s, "1516"), state(s, "1517")) == ("full", "limited")
    place(s, "GE-7Flak", "1516")
    place(s, "GE-210StG", "1714")
    assert state(s, "1719") == "limited"  # five hexes from the road that is left
    assert state(s, "1720") == "out"


@pytest.mark.rule("caucasus", "14.3c")
def test_14_3c_a_line_on_the_road_may_not_leave_it() -> None:
    """Enemies without a ZOC stand on both roads west; a line could walk around them but has left the road then."""
    s = only_e()
    assert state(s, "1522") == "limited"
    place(s, "GE-7Flak", "1516")
    assert state(s, "1522") == "limited"  # the other road
    place(s, "GE-210StG", "1714")
    assert state(s, "1522") == "out"


@pytest.mark.rule("caucasus", "14.3d")
def test_14_3d_any_rail_hex_within_five_and_an_entry_hex_too() -> None:
    s = only_e()
    place(s, "GE-7Flak", "1412")  # cuts the railway between Astrakhan and the entry hex
    assert hexes(supply_lines.connected_rail(s, SOVIET)) == {"1013", "1113", "1213", "1312"}
    assert state(s, "1511") == "full"  # on a railway that leads nowhere, but 1312 is near
    s = map_of("axis")
    controlled_by(s, "axis", "2043")
    place(s, "SU-4RD", "2041")
    place(s, "SU-74RD", "2141")
    assert state(s, "2042") == "full"  # no railway leads to Taman


@pytest.mark.rule("caucasus", "14.3e")
def test_14_3e_barriers() -> None:
    s = map_of("soviet", 9)
    step = supply_lines.ways(s).country.back
    passes = ("2633", "2733")  # Pseashkho Pass
    assert step(1 << H(passes[0])) >> H(passes[1]) & 1
    winter = map_of("soviet", 10)
    assert not supply_lines.ways(winter).country.back(1 << H(passes[0])) >> H(passes[1]) & 1
    sides = board.pack.sides
    for kind in ("alpine", "sea", "lake"):
        for d, m in enumerate(sides.get(kind, (0,) * 6)):
            for h in [h for h in board.grid.hexes if m >> h & 1]:
                n = board.grid.neighbour(h, d)
                assert not step(1 << h) >> n & 1
    # enemies and their ZOC
    s = only_e()
    place(s, "SU-74RD", "1522")
    place(s, "GE-73", "1516")
    place(s, "GE-7Flak", "1714")
    assert state(s, "1522") != "limited"


@pytest.mark.rule("caucasus", "14.3e", "14.3f", "6.5c")
def test_14_3f_through_ezoc_with_a_friendly_unit() -> None:
    """1516 is in EZOC: empty it stops the road, with a friendly unit it does not."""
    s = only_e()
    place(s, "GE-7Flak", "1714")
    place(s, "GE-73", "1417")
    assert zone(s, AXIS) >> H("1516") & 1
    assert zone(s, AXIS) >> H("1517") & 1
    assert state(s, "1522") == "out"
    place(s, "SU-4RD", "1516")
    assert state(s, "1522") == "out"
    place(s, "SU-74RD", "1517")
    assert state(s, "1522") == "limited"


@pytest.mark.rule("caucasus", "14.3g")
def test_14_3g_a_connected_rail_hex_is_free_of_ezoc() -> None:
    """A38: a friendly unit in 1412 keeps the line of supply, not the connection."""
    s = only_e()
    place(s, "SU-4RD", "1412")
    assert hexes(supply_lines.connected_rail(s, SOVIET)) >= {"1312", "1412", "1511"}
    place(s, "GE-73", "1512")
    assert zone(s, AXIS) >> H("1412") & ~zone(s, AXIS) >> H("1312") & 1
    assert hexes(supply_lines.connected_rail(s, SOVIET)) == {"1013", "1113", "1213", "1312"}
    assert state(s, "1412") == "full"
    place(s, "GE-125", "1113")  # in the railway itself
    assert hexes(supply_lines.connected_rail(s, SOVIET)) == {"1013"}


@pytest.mark.rule("caucasus", "14.3h", "14.3i")
def test_14_3h_mountains_and_marshes_spoil_full_supply() -> None:
    """South of Maikop: 2534 lies beside the Tuapse railway, 2632 behind two more mountain hexes."""
    s = map_of("soviet")
    mountains = s.ground.terrain["mountain"]
    for hex_, expected in (("2534", "full"), ("2533", "full"), ("2632", "limited"), ("2631", "limited")):
        assert mountains >> H(hex_) & 1
        assert state(s, hex_) == expected
    # along the road through 2728 and 2628 as many mountain hexes as you like
    assert mountains >> H("2728") & mountains >> H("2628") & mountains >> H("2829") & 1
    assert (state(s, "2728"), state(s, "2829")) == ("full", "full")


@pytest.mark.rule("caucasus", "14.3h", "14.3i", "14.3e")
def test_x_14_3_supply_diagram() -> None:
    """A, B reach the railway in three hexes; C only through EZOC; D, E through mountains; F leaves one mountain hex."""
    s = map_of("soviet")
    place(s, "SU-4RD", "1625")  # A: 1724 and 1825 are on a railway
    place(s, "SU-74RD", "1622")  # B
    place(s, "SU-176RD", "2632")  # D
    place(s, "SU-261RD", "2631")  # E
    place(s, "SU-30RD", "2534")  # F
    phase(s)
    assert names(s.limited) == {"SU-176RD", "SU-261RD"}
    assert not s.oos
    s = only_e()
    place(s, "SU-271RD", "1517")  # C
    place(s, "GE-73", "1518")
    place(s, "GE-125", "1416")
    place(s, "GE-198", "1616")
    phase(s)
    assert names(s.oos) == {"SU-271RD"}


@pytest.mark.rule("caucasus", "14.3f", "14.3i", "14.6b")
def test_x_14_6b_line_of_supply_diagram() -> None:
    s = only_e()
    place(s, "SU-4RD", "1516")  # A: through empty EZOC only
    place(s, "GE-73", "1517")
    place(s, "GE-125", "1416")
    place(s, "GE-198", "1616")
    assert state(s, "1516") == "isolated"
    place(s, "SU-74RD", "1515")  # C: through a friendly unit in EZOC
    assert state(s, "1516") == "full"
    s = map_of("soviet", 9)
    # D: 2829 on the road, itself a mountain hex: full. F: 2632 through mountains: limited
    assert (state(s, "2829"), state(s, "2632")) == ("full", "limited")


@pytest.mark.rule("caucasus", "14.6b")
def test_x_e1_a_line_of_seven_hexes() -> None:
    """The 91st Division is OOS but not isolated: no attrition."""
    s = only_e()
    place(s, "GE-7Flak", "1516")
    place(s, "GE-210StG", "1714")
    place(s, "SU-91RD", "1721")
    phase(s)
    assert names(s.oos) == {"SU-91RD"}
    assert GAME.to_act(s) == SOVIET  # no die
    assert s.step[U("SU-91RD")] == 0


@pytest.mark.rule("caucasus", "14.1c")
def test_x_h1_grozny_depends_on_gudermes() -> None:
    """With Prokhladny gone too, so that the railway west is closed."""
    s = map_of("soviet")
    place(s, "SU-NKVD-Grozny", "2818")
    place(s, "GE-73", "2623")
    assert state(s, "2818") == "full"
    place(s, "GE-125", "2817")
    controlled_by(s, "axis", "2817", "2623")
    assert state(s, "2818") != "full"


def started() -> State:
    s = new()
    while "accept" in texts(s):
        do(s, "accept")
    return s


@pytest.mark.rule("caucasus", "14.1c")
def test_x_t1_as_and_ss_everybody_is_in_supply_on_turn_1() -> None:
    s = started()
    for side in (AXIS, SOVIET):
        for u in range(len(board.units)):
            if on_map(s, side) >> u & 1:
                assert supply_lines.full(s, side) >> s.at[u] & 1, board.units[u]
