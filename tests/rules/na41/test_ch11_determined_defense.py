"""Chapter 11: determined defense."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat import defence, effects, results
from sandtable.games.na41.table.ids import (
    AIR_ALLIED,
    AIR_GERMAN,
    ALLIED,
    AUTO_DS,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_DD_ROLL,
    F_DD_SUPPORT,
    F_RESULT,
    F_RETREAT_UNIT,
)
from sandtable.games.na41.table.position import eliminate
from sandtable.games.na41.table.state import State

from .kit import GAME, H, U, at, board, controlled_by, do, kinds, of_kind, place, roll, start, supplies, texts, units
from .retreatkit import ORIGIN, REST, WEST, fight, forbidden, order, over, resolve, retreat, stand

RING = {"GE_I5_5L": "2728", "GE_II5_5L": "2826", "GE_I8": "2626"}
"""Three tank units around ORIGIN: every hex beside it is in an overlapping EZOC."""


def rolled(s: State, lead: str, face: int) -> State:
    """This unit leads without support, and the die falls so."""
    do(s, f"lead {lead}")
    if s.stack[-1][0] == F_DD_SUPPORT:
        do(s, "air none")
    roll(s, face)
    return s


def row(column_hex: str, die: int, lead: str = "BR_3H", *, fort: bool = False) -> defence.Row:
    """The result of an unmodified die in a hex."""
    s = fight(lead, hex_=column_hex, attackers={})
    if fort:
        s.forts[ALLIED] |= 1 << H(column_hex)
    return defence.dd_table(board).result(s, H(column_hex), die)


# 11.1


@pytest.mark.rule("na41", "11.1a")
def test_a_surviving_defender_may_stand_if_the_result_says_retreat() -> None:
    s = fight("BR_3H", "DR2")
    resolve(s)
    assert texts(s) == ["lead BR_3H", "yield"]
    assert s.actor == ALLIED
    s = fight("BR_3H", "EX")
    resolve(s)
    assert over(s)
    s = fight("BR_3H", "DR2")
    resolve(s)
    do(s, "yield")
    assert s.stack[-1][0] == F_RETREAT_UNIT


@pytest.mark.rule("na41", "11.1b")
def test_success_cancels_retreat_disruption_and_advance() -> None:
    s = fight("BR_3H", "D1")
    resolve(s)
    rolled(s, "BR_3H", 6)
    assert over(s)
    assert (at(s, "BR_3H"), order(s, "BR_3H")) == (ORIGIN, "good")
    assert (s.fight.vacated, s.advancing) == (-1, 0)


# 11.2.1


@pytest.mark.rule("na41", "11.2.1a")
def test_losses_come_before_the_determined_defense() -> None:
    s = fight("BR_3H", "D1")
    events = start(s, REST, (F_RESULT, effects.LOSSES))
    assert kinds(events) == ["step_lost"]
    assert texts(s) == ["lead BR_3H", "yield"]


@pytest.mark.rule("na41", "11.2.1b")
def test_the_defender_picks_the_lead_unit() -> None:
    s = fight(["BR_3H", "BR_THR", "BR_11H"])
    stand(s)
    assert texts(s) == ["lead BR_3H", "lead BR_11H", "lead BR_THR", "yield"]
    s = fight(["BR_3H", "AL_7M"])
    stand(s)
    assert texts(s) == ["lead BR_3H", "yield"]
    assert forbidden(s, "lead GE_I5_5L") == "11.2.1b"


@pytest.mark.rule("na41", "11.2.1c", "11.2.1d", "11.2.1e")
def test_the_column_is_that_of_the_hex() -> None:
    table = defence.dd_table(board)

    def column(number: str) -> str:
        return table.column[H(number)]

    assert [column(n) for n in ("2727", "2946", "3138", "2478")] == [
        "flat_rough",
        "other",
        "other",
        "fortification_city",
    ]
    for h in board.grid.hexes:
        if board.desert >> h & 1 and not board.towns >> h & 1:
            assert table.column[h] == "flat_rough"
        if (board.jebel | board.towns | board.groundworks) >> h & 1 and not board.city >> h & 1:
            assert table.column[h] == "other"
    s = fight("BR_3H")
    assert table.column_of(s, H(ORIGIN)) == "flat_rough"
    s.building[ALLIED] |= 1 << H(ORIGIN)  # 9.5.4b
    assert table.column_of(s, H(ORIGIN)) == "flat_rough"
    s.forts[AXIS] |= 1 << H(ORIGIN)
    assert table.column_of(s, H(ORIGIN)) == "flat_rough"  # 9.5.7a it would be the enemy's
    s.forts[ALLIED] |= 1 << H(ORIGIN)
    assert table.column_of(s, H(ORIGIN)) == "fortification_city"


@pytest.mark.rule("na41", "11.2.1f")
def test_landmarks_roads_airfields_and_hexsides_have_no_column() -> None:
    plain = board.landmarks | board.airfields
    plain |= sum(
        1 << h
        for h in board.grid.hexes
        if any(side[d] >> h & 1 for side in (board.roads, board.escarpments) for d in range(6))
    )
    plain &= (board.flat | board.rough) & ~(board.towns | board.groundworks | board.city)
    found = [h for h in board.grid.hexes if plain >> h & 1]
    assert len(found) > 100
    assert {defence.dd_table(board).column[h] for h in found} == {"flat_rough"}


@pytest.mark.rule("na41", "11.2.1g", "11.4.1a", "11.4.3")
def test_the_die_is_rolled_and_modified_and_a_failure_means_retreat() -> None:
    s = fight("BR_3H")
    resolve(s)
    do(s, "lead BR_3H")
    assert [p for _, p in GAME.chances(s)] == [Fraction(1, 6)] * 6
    events = roll(s, 4)
    (told,) = of_kind(events, "determined_defence")
    assert (told.data["die"], told.data["drm"], told.data["holds"], told.final) == (4, 0, 0, True)
    assert s.stack[-1][0] == F_RETREAT_UNIT
    assert s.step[U("BR_3H")] == 0


# 11.2.2 to 11.2.4


@pytest.mark.rule("na41", "11.2.2a")
def test_an_orange_result_costs_one() -> None:
    s = fight("BR_3H", "D1 o")
    stand(s)
    rolled(s, "BR_3H", 5)
    assert s.fight.held == 0
    s = fight("BR_3H", "D1")
    stand(s)
    rolled(s, "BR_3H", 5)
    assert s.fight.held == 1


@pytest.mark.rule("na41", "11.2.2b", "11.5.2a")
def test_a_red_result_leaves_no_defense_not_even_a_desperate_one() -> None:
    s = fight("BR_3H", "DR4 r")
    resolve(s)
    assert s.stack[-1][0] == F_RETREAT_UNIT
    s = fight("BR_3H", "DR4 o")
    resolve(s)
    assert texts(s) == ["lead BR_3H", "yield"]
    doomed = fight("BR_3H", "DR4 r", attackers=RING)
    assert defence.doomed(doomed)
    assert not effects.defence_allowed(doomed)
    assert not effects.defence_allowed(fight("BR_3H", "DR4 o", kind=AUTO_DS))  # A24


@pytest.mark.rule("na41", "11.2.3a", "11.4.1d")
def test_the_lead_unit_lends_its_quality_and_takes_the_loss() -> None:
    s = fight(["BR_3H", "BR_11H"])
    stand(s)
    rolled(s, "BR_11H", 4)  # elite: 5 holds at the price of a step, its last
    assert s.fight.held == 1
    assert (at(s, "BR_11H"), s.step[U("BR_3H")]) == ("eliminated", 0)
    s = fight(["BR_3H", "BR_11H"])
    stand(s)
    rolled(s, "BR_3H", 4)
    assert (s.fight.held, at(s, "BR_11H")) == (0, ORIGIN)


@pytest.mark.rule("na41", "11.2.3b", "11.2.3c", "13.2.1c")
def test_only_good_order_combat_units_other_than_asus_lead() -> None:
    s = fight(["AL_7M"])
    place(s, "BR_3H", ORIGIN, disrupted=True)
    place(s, "BR_7H", ORIGIN, routed=True)
    place(s, "AL_TR1", ORIGIN)
    place(s, "BR_THR", ORIGIN)
    s.fight.defenders |= units("BR_3H", "BR_7H", "AL_TR1", "BR_THR")
    stand(s)
    assert texts(s) == ["lead BR_THR", "yield"]
    assert forbidden(s, "lead AL_7M") == "11.2.3b"
    assert forbidden(s, "lead BR_3H") == forbidden(s, "lead BR_7H") == "13.2.1c"
    assert forbidden(s, "lead AL_TR1") == "11.2.1b"
    s = fight("AL_7M")
    stand(s)
    assert over(s)
    assert s.fight.held == 0


@pytest.mark.rule("na41", "11.2.4a", "11.2.4b")
def test_the_modifiers_and_their_limit() -> None:
    s = fight("BR_3H")
    total = defence.total_drm
    assert total(s, U("BR_3H"), results.PLAIN, 0) == 0
    assert total(s, U("AU_20"), results.PLAIN, 0) == 1
    assert total(s, U("IT_19"), results.PLAIN, 0) == -1
    assert total(s, U("BR_3H"), results.ORANGE, 0) == -1
    assert total(s, U("BR_3H"), results.PLAIN, 1) == 1
    assert total(s, U("AU_20"), results.PLAIN, 1) == 2
    assert total(s, U("IT_19"), results.ORANGE, 0) == -2
    assert defence.dd_table(board).drm["maximum"] == 2


# 11.3


@pytest.mark.rule("na41", "11.3a", "11.3b")
def test_one_asu_or_air_unit_in_range_gives_one() -> None:
    s = fight("BR_3H")
    place(s, ["AL_7M", "AL_68M"], "2729")
    place(s, "AL_XXX", "2733")  # six hexes away, range 5
    place(s, "AL_XIII", "2729", depleted=True)
    s.turn = 10  # 18.6 contested
    s.assets[AIR_ALLIED] = 1
    stand(s)
    do(s, "lead BR_3H")
    assert s.stack[-1][0] == F_DD_SUPPORT
    assert texts(s) == ["artillery AL_7M", "artillery AL_68M", "air air_support_allied", "air none"]
    assert forbidden(s, "artillery AL_XXX") == "11.3a"
    assert forbidden(s, "artillery AL_XIII") == "11.3b"
    do(s, "artillery AL_7M")
    assert s.stack[-1][0] == F_DD_ROLL  # no second one
    events = roll(s, 4)
    assert of_kind(events, "determined_defence")[0].data["drm"] == 1
    assert s.fight.held == 1


@pytest.mark.rule("na41", "11.3c")
def test_support_is_used_up() -> None:
    s = fight("BR_3H")
    place(s, "AL_7M", "2729")
    stand(s)
    do(s, "lead BR_3H", "artillery AL_7M")
    assert s.depleted == units("AL_7M")
    s = fight("BR_3H")
    place(s, "AL_7M", "2729")
    supplies(s, "allied", "2729")
    stand(s)
    do(s, "lead BR_3H")
    assert "artillery-sp AL_7M" in texts(s)
    do(s, "artillery-sp AL_7M")
    assert (s.depleted, s.sp[ALLIED]) == (0, {})
    s = fight("BR_3H")
    s.turn = 10
    place(s, "AL_XIII", "2735")
    s.assets[AIR_ALLIED] = 2
    stand(s)
    do(s, "lead BR_3H", "air air_support_allied")
    assert s.assets[AIR_ALLIED] == 1


@pytest.mark.rule("na41", "11.3d")
def test_axis_support_needs_a_unit_of_its_nation() -> None:
    s = fight("IT_VII", attackers={"BR_3H": WEST}, active="allied")
    place(s, "GE_ARKO", "2728")
    place(s, "IT_5A", "2728")
    s.assets[AIR_GERMAN] = 1
    stand(s)
    do(s, "lead IT_VII")
    assert texts(s) == ["artillery IT_5A", "air none"]
    assert forbidden(s, "artillery GE_ARKO") == forbidden(s, "air air_support_german") == "11.3d"
    assert forbidden(s, "artillery-sp IT_5A") == "11.3c"
    assert forbidden(s, "artillery IT_VII") == "11.3a"
    s.disrupted |= units("IT_5A")
    s.choices = None
    assert forbidden(s, "artillery IT_5A") == "13.2.1d"
    s = fight(["IT_VII", "GE_FL33"], attackers={"BR_3H": WEST}, active="allied")
    place(s, "GE_ARKO", "2728")
    stand(s)
    do(s, "lead IT_VII")
    assert "artillery GE_ARKO" in texts(s)


@pytest.mark.rule("na41", "11.3d", "11.5.3b")
def test_the_nations_are_those_of_the_start_of_a_desperate_defense() -> None:
    ring = {"BR_3H": "2728", "BR_7H": "2826", "BR_2R": "2626"}
    s = fight(["IT_19", "GE_FL33"], attackers=ring, active="allied")
    s.turn, s.rommel = 7, 0
    place(s, "GE_DAK", "2722")  # a base for aircraft
    s.assets[AIR_GERMAN] = 1
    stand(s)
    do(s, "lead GE_FL33")
    assert texts(s) == ["air air_support_german", "air none"]
    do(s, "air none")
    roll(s, 1)
    assert s.at[U("GE_FL33")] < 0  # the last German
    do(s, "lead IT_19")
    assert texts(s) == ["air air_support_german", "air none"]
    assert forbidden(s, "air air_support_italian") == "18.7.1a"
    do(s, "air none")
    roll(s, 1)  # and so at the third try
    do(s, "lead IT_19", "air air_support_german")
    assert s.assets[AIR_GERMAN] == 0
    assert of_kind(roll(s, 1), "determined_defence")[0].data["drm"] == 0  # +1, and -1 for low quality
    s = fight(["IT_19", "GE_FL33"], attackers=ring, active="allied")
    s.turn, s.rommel = 7, 0
    place(s, "GE_DAK", "2722")
    s.assets[AIR_GERMAN] = 1
    eliminate(s, U("GE_FL33"), "10.1d")  # 11.2.1a lost before the defense began
    stand(s)
    do(s, "lead IT_19")
    assert s.stack[-1][0] == F_DD_ROLL


@pytest.mark.rule("na41", "11.3a", "15.2.8a")
def test_no_support_in_a_breakthrough_combat() -> None:
    s = fight("BR_3H", kind=BREAKTHROUGH)
    place(s, "AL_7M", "2729")
    stand(s)
    do(s, "lead BR_3H")
    assert s.stack[-1][0] == F_DD_ROLL


@pytest.mark.rule("na41", "18.5a")
def test_rommel_has_an_axis_defense_rolled_again() -> None:
    s = fight("GE_I5_5L", attackers={"BR_3H": WEST}, active="allied")
    stand(s)
    do(s, "lead GE_I5_5L")
    roll(s, 2)
    assert texts(s) == ["reroll", "accept"]
    assert s.actor == AXIS
    do(s, "reroll")
    roll(s, 6)
    assert (s.fight.held, s.rommel) == (1, 0)
    assert over(s) or s.stack[-1] != REST
    s = fight("GE_I5_5L", attackers={"BR_3H": WEST}, active="allied")
    stand(s)
    do(s, "lead GE_I5_5L")
    roll(s, 2)
    do(s, "accept")
    assert over(s)
    assert (s.fight.held, s.rommel) == (0, 1)


# 11.4


@pytest.mark.rule("na41", "11.4.1a", "11.4.1b", "11.4.1d")
@pytest.mark.parametrize(
    ("hex_", "fort", "expected"),
    [
        (ORIGIN, False, ["F -/1", "F -/-", "F -/-", "F -/-", "H -/1", "H -/1", "H 1*/1"]),
        ("2946", False, ["F -/1", "F -/-", "F -/-", "F -/-", "H -/1", "H 1/1", "H 1*/1"]),
        ("2946", True, ["F -/1", "F -/-", "F -/-", "HX -/1", "H 1/1", "H 1*/1", "H 1/-"]),
    ],
)
def test_the_table(hex_: str, fort: bool, expected: list[str]) -> None:
    """The cells of 11.4 as the book prints them."""
    found = []
    for die in range(1, 8):
        r = row(hex_, die, fort=fort)
        letter = "F" if not r.stand.holds else "HX" if r.fortification else "H"
        attacker = f"{r.stand.attacker_loss}{'*' if r.picked else ''}" if r.stand.attacker_loss else "-"
        found.append(f"{letter} {attacker}/{r.stand.lead_loss or '-'}")
    assert found == expected
    assert row(hex_, -3, fort=fort) == row(hex_, 1, fort=fort)
    assert row(hex_, 9, fort=fort) == row(hex_, 7, fort=fort)


@pytest.mark.rule("na41", "11.4.1c")
def test_a_fortification_can_be_lost_in_a_success() -> None:
    s = fight("BR_3H")
    s.forts[ALLIED] = 1 << H(ORIGIN)
    stand(s)
    events = rolled(s, "BR_3H", 4).events
    assert (s.fight.held, s.forts[ALLIED], s.step[U("BR_3H")]) == (1, 0, 1)
    assert "fortification_removed" in kinds(events)
    s = fight("BR_3H", hex_="2478", attackers={})  # A6 in a city without one nothing is removed
    s.forts[ALLIED] = 1 << H(ORIGIN)
    stand(s)
    events = rolled(s, "BR_3H", 4).events
    assert (s.fight.held, s.forts[ALLIED]) == (1, 1 << H(ORIGIN))
    assert "fortification_removed" not in kinds(events)


@pytest.mark.rule("na41", "11.4.1d", "11.4.1e")
def test_who_picks_the_step_that_the_attacker_loses() -> None:
    attackers = {"GE_I5_5L": WEST, "GE_II5_5L": WEST}
    s = fight("BR_3H", attackers=attackers)
    s.forts[ALLIED] = 1 << H(ORIGIN)
    stand(s)
    rolled(s, "BR_3H", 5)
    assert (s.actor, texts(s)) == (AXIS, ["lose GE_I5_5L", "lose GE_II5_5L"])
    do(s, "lose GE_I5_5L")
    assert s.step[U("GE_I5_5L")] == s.step[U("BR_3H")] == 1
    s = fight("BR_3H", attackers=attackers)
    s.forts[ALLIED] = 1 << H(ORIGIN)
    stand(s)
    rolled(s, "BR_3H", 6)
    assert (s.actor, texts(s)) == (ALLIED, ["lose GE_I5_5L", "lose GE_II5_5L"])


@pytest.mark.rule("na41", "11.4.2")
def test_a_hold_that_costs_the_last_step_gives_a_limited_advance() -> None:
    s = fight("BR_THR", "D1")
    stand(s)
    rolled(s, "BR_THR", 5)
    assert (at(s, "BR_THR"), s.fight.held) == ("eliminated", 1)
    effects.follow_up(s)
    assert (s.fight.limited_advance, s.fight.vacated) == (1, H(ORIGIN))


# 11.5


@pytest.mark.rule("na41", "11.5.1", "11.5.2b", "11.5.3a", "11.5.3b")
def test_the_doomed_try_until_they_hold_or_are_gone() -> None:
    s = fight(["BR_3H", "BR_7H"], attackers=RING)
    events = stand(s)
    do(s, "lead BR_3H")
    events = roll(s, 3)
    assert s.step[U("BR_3H")] == 1  # the price of the failure
    assert texts(s) == ["lead BR_3H", "lead BR_7H", "yield"]
    do(s, "lead BR_7H")
    events = roll(s, 1)
    assert s.step[U("BR_7H")] == 1  # one step, not two
    do(s, "lead BR_7H")
    roll(s, 3)
    assert at(s, "BR_7H") in ("eliminated", "surrender_left")
    assert texts(s) == ["lead BR_3H", "yield"]
    do(s, "lead BR_3H")
    events = roll(s, 2)
    assert "determined_defence" in kinds(events)
    assert over(s)
    assert s.fight.held == 0


@pytest.mark.rule("na41", "11.5.2b")
def test_whoever_has_a_way_out_fails_once() -> None:
    s = fight("BR_3H", attackers={"GE_I5_5L": "2728", "GE_II5_5L": "2826"})
    stand(s)
    rolled(s, "BR_3H", 3)
    assert over(s)
    assert s.step[U("BR_3H")] == 0


def cut_off(*garrison: str) -> State:
    """Tobruk, its port dead: on foot there is no way out, for a mechanised unit there is one, of three hexes."""
    foes = {"GE_I5_5L": "3137", "GE_II5_5L": "2937", "GE_I8": "2940"}
    s = fight(["AU_20", *garrison], hex_="3138", attackers=foes)
    port = board.port_at[H("3138")]
    s.port_level[port] = len(board.port_track[port]) - 1
    return s


@pytest.mark.rule("na41", "11.5.2b", "17.1.2c")
def test_the_tobruk_asu_is_no_way_out() -> None:
    s = cut_off("AL_TOB")
    stand(s)
    rolled(s, "AU_20", 2)
    assert s.step[U("AU_20")] == 1
    assert texts(s) == ["lead AU_20", "yield"]
    s = cut_off("AL_7M")
    stand(s)
    rolled(s, "AU_20", 2)
    assert over(s)


@pytest.mark.rule("na41", "11.5.2b", "12.3b", "15.3a")
def test_who_has_sheltered_with_friends_is_no_way_out() -> None:
    for kind, lost in ((COMBAT, True), (BREAKTHROUGH, False)):
        s = cut_off("BR_3H")
        s.fight.kind = kind
        s.disrupted = s.retreated = s.sheltered = units("BR_3H")
        assert defence.doomed(s) is lost
        assert defence.desperate(s, kind, H("3138"), s.fight.defenders, 2) is lost


@pytest.mark.rule("na41", "11.5.2b", "12.1.5b")
def test_a_truck_is_a_way_out() -> None:
    s = cut_off("AL_TR1")
    assert not defence.doomed(s)
    s.msu = units("AL_TR1")
    assert defence.doomed(s)


@pytest.mark.rule("na41", "11.5.2c", "11.5.3a")
def test_a_port_that_alone_supplies_them_is_defended_desperately() -> None:
    s = besieged()
    stand(s)
    assert texts(s) == ["lead BR_3H", "desperate BR_3H", "yield"]
    do(s, "desperate BR_3H")
    roll(s, 3)
    assert s.step[U("BR_3H")] == 1
    assert texts(s) == ["desperate BR_3H", "yield"]
    assert forbidden(s, "lead BR_3H") == "11.5.3a"
    do(s, "yield")
    assert over(s)
    assert s.fight.held == 0
    s = besieged()  # a plain try fails once
    stand(s)
    rolled(s, "BR_3H", 3)
    assert over(s)
    assert s.step[U("BR_3H")] == 0
    s = besieged()
    s.port_level[board.port_at[H("3138")]] = len(board.port_track[board.port_at[H("3138")]]) - 1
    stand(s)
    assert texts(s) == ["lead BR_3H", "yield"]  # a dead port feeds nobody
    assert forbidden(s, "desperate BR_3H") == "11.5.2a"
    s = besieged()
    assert defence.lives_by_port(s, s.fight.target)
    s.memo["full", ALLIED] = 1 << H("3138")  # with full supply the port is not all they live by
    assert not defence.lives_by_port(s, s.fight.target)


def besieged() -> State:
    """A tank unit in Tobruk, attacked from 3038; a ring five hexes out cuts it off from everything but the port."""
    ring = [h for h in board.grid.hexes if board.land >> h & 1 and board.grid.distance(h, H("3138")) == 5]
    s = fight("BR_3H", hex_="3138", attackers={"GE_I5_5L": "3038"})
    germans = [n for n in board.units if n.startswith(("IT_", "GE_")) and board.combat >> U(n) & 1 and s.at[U(n)] < 0]
    for name, h in zip(germans, ring, strict=False):
        place(s, name, board.grid.names[h])
    controlled_by(s, "allied", "3138")
    return s


@pytest.mark.rule("na41", "11.5.2c", "16.2c")
def test_a_port_that_has_no_room_for_them_is_not_defended_desperately() -> None:
    s = besieged()
    assert defence.lives_by_port(s, H("3138"))
    place(s, ["AL_TR1", "AL_TR2"], "3037")
    s.fed = units("AL_TR1", "AL_TR2")
    port = board.port_at[H("3138")]
    s.port_level[port] = board.port_track[port].index(1)
    s.memo.clear()
    assert not defence.lives_by_port(s, H("3138"))


@pytest.mark.rule("na41", "11.5.3c")
def test_support_counts_for_every_try() -> None:
    s = fight(["BR_3H", "BR_7H"], attackers=RING)
    place(s, ["AL_7M", "AL_68M"], ORIGIN)
    stand(s)
    do(s, "lead BR_3H", "artillery AL_7M")
    events = roll(s, 2)
    assert of_kind(events, "determined_defence")[0].data["drm"] == 1
    do(s, "lead BR_3H")
    assert s.stack[-1][0] == F_DD_ROLL
    events = roll(s, 2)
    assert of_kind(events, "determined_defence")[0].data["drm"] == 1


@pytest.mark.rule("na41", "11.5.1", "11.5.3a", "11.5.3b", "11.5.3c")
def test_ex_11_5() -> None:
    """EX-11.5: Italian infantry, a tank unit and an 88mm Flak in flat terrain, no way to retreat."""
    ring = {"BR_3H": "2728", "BR_7H": "2826", "BR_2R": "2626"}
    s = fight(["IT_19", "GE_FL33"], attackers=ring, active="allied")
    place(s, "IT_VII", ORIGIN, shows="reduced")
    place(s, "IT_5A", ORIGIN)
    s.fight.defenders |= units("IT_VII")
    s.rommel = 0
    resolve(s)
    do(s, "lead IT_19", "artillery IT_5A")
    assert s.depleted == units("IT_5A")

    def rolls(die: int) -> tuple[int, int]:
        """What is added to the die, and whether they hold."""
        (told,) = of_kind(roll(s, die), "determined_defence")
        return told.data["drm"], told.data["holds"]

    assert rolls(2) == (0, 0)  # support and low quality: 2, F
    assert s.step[U("IT_19")] == 1
    do(s, "lead IT_19")
    assert rolls(3) == (0, 0)
    assert at(s, "IT_19") in ("eliminated", "surrender_left")
    do(s, "lead IT_VII")
    assert rolls(4) == (1, 1)  # the support counts without another ASU: 5, H -/1
    assert at(s, "IT_VII") in ("eliminated", "surrender_left")
    assert over(s)  # no retreat, no advance
    assert at(s, "GE_FL33") == ORIGIN
    assert order(s, "GE_FL33") == "good"
    assert {at(s, name) for name in ring} == set(ring.values())


# What a client is shown


@pytest.mark.rule("na41", "11.2.4a", "11.2.2a")
def test_the_odds_of_a_stand() -> None:
    s = fight("AU_20", "D1 o")
    stand(s)
    odds = GAME.odds(s, GAME.parse("lead AU_20"))
    assert odds is not None
    assert sum(chance for _, chance in odds.results) == 1
    assert ("+1", "11.2.4a") in [(t.value, t.rule) for t in odds.terms]
    assert ("-1", "11.2.2a") in [(t.value, t.rule) for t in odds.terms]
    assert dict(odds.results)["holds; lead unit loses a step"] == Fraction(1, 3)
    assert defence.hold_chance(s, COMBAT, H(ORIGIN), units("AU_20"), 0, results.ORANGE) == Fraction(1, 3)
    assert defence.hold_chance(s, COMBAT, H(ORIGIN), units("AU_20"), 2, results.ORANGE) == 0


@pytest.mark.rule("na41", "11.4.3")
def test_after_a_failure_the_stack_retreats() -> None:
    s = fight(["BR_3H", "BR_THR"])
    retreat(s)
    assert s.stack[-1][0] == F_RETREAT_UNIT


@pytest.mark.rule("na41", "11.4.2", "10.2.2c")
def test_with_the_last_defender_go_the_trucks_of_the_hex_at_once() -> None:
    for left in ((), ("BR_7H",)):
        s = fight(["BR_3H", *left])
        place(s, "AL_TR1", ORIGIN)
        s.fight.held = 1
        eliminate(s, U("BR_3H"), "11.4.1d")  # it led
        start(s, REST, (F_RESULT, effects.RETREAT))
        assert at(s, "AL_TR1") == (ORIGIN if left else "eliminated")
