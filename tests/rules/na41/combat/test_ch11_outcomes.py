"""Chapter 11: what determined defence comes to (11.4, 11.5), and what a client is shown of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat import defence, effects, results
from sandtable.games.na41.table.ids import (
    ALLIED,
    AXIS,
    BREAKTHROUGH,
    COMBAT,
    F_DD_ROLL,
    F_RESULT,
    F_RETREAT_UNIT,
)
from sandtable.games.na41.table.position import eliminate
from sandtable.games.na41.table.state import State

from ..kit import GAME, H, U, at, board, controlled_by, do, kinds, of_kind, place, roll, start, texts, units
from ..retreatkit import ORIGIN, REST, WEST, fight, forbidden, order, over, resolve, retreat, stand
from .ch11determineddefensekit import RING, rolled


def row(column_hex: str, die: int, lead: str = "BR_3H", *, fort: bool = False) -> defence.Row:
    """The result of an unmodified die in a hex."""
    s = fight(lead, hex_=column_hex, attackers={})
    if fort:
        s.forts[ALLIED] |= 1 << H(column_hex)
    return defence.dd_table(board).result(s, H(column_hex), die)


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
