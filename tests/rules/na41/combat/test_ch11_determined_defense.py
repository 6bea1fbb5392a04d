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
    F_DD_ROLL,
    F_DD_SUPPORT,
    F_RESULT,
    F_RETREAT_UNIT,
)
from sandtable.games.na41.table.position import eliminate

from ..kit import GAME, H, U, at, board, do, kinds, of_kind, place, roll, start, supplies, texts, units
from ..retreatkit import ORIGIN, REST, WEST, fight, forbidden, order, over, resolve, stand
from .ch11determineddefensekit import RING, rolled

"""Three tank units around ORIGIN: every hex beside it is in an overlapping EZOC."""


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
    plain &= (board.pack.terrain["flat"] | board.pack.terrain["rough"]) & ~(
        board.towns | board.groundworks | board.city
    )
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
