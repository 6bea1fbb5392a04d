"""Chapter 11: ways of retreat."""

from __future__ import annotations

import pytest

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
    F_SUPPLY,
    MOBILE,
    NO_SUPPORT,
    R_SOVIET_INFANTRY,
    SOVIET,
)
from sandtable.games.caucasus.table.state import zone

from ..kit import H, U, at, board, controlled_by, do, empty, hexes, kinds, of_kind, place, start, texts, units
from .ch11retreatskit import ORIGIN, battlefield, forbidden, retreat, routed

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
