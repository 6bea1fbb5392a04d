"""A10, A17, A19: morale checks, rallies and routs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.asl.fire.ift import failing
from sandtable.games.asl.fire.morale import CheckAt
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import F_CHECK, F_ROUTS, GONE, LLMC, MC, PTC, RTPH
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.flight import must
from sandtable.games.asl.turn.rally import calm
from sandtable.games.asl.turn.routs import RoutsAt

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    FOE_LEADER,
    LEADER,
    SQUAD,
    SQUAD2,
    U,
    bits,
    do,
    empty,
    kinds,
    legal,
    place,
    rallying,
    roll,
    rule,
    settle,
)


def check(s: State, unit: str, kind: int = MC, modifier: int = 0) -> State:
    s.stack.append(CheckAt(F_CHECK, U(unit), kind, modifier))
    return settle(s)


def alone() -> State:
    s = empty()
    place(s, SQUAD, "N5")
    return s


@pytest.mark.rule("asl", "A10.1", "A10.4", "A7.81")
def test_a_check_is_passed_up_to_the_morale_and_pins_at_it() -> None:
    s = check(alone(), SQUAD)
    roll(s, 3, 3)
    assert not s.broken | s.pinned
    s = check(alone(), SQUAD)
    roll(s, 3, 4)
    assert s.pinned == bits(SQUAD)
    s = check(alone(), SQUAD)
    roll(s, 4, 4)
    assert s.broken == s.dm == bits(SQUAD)


@pytest.mark.rule("asl", "A10.1", "A7.303")
def test_the_modifier_of_a_check_counts() -> None:
    s = check(alone(), SQUAD, MC, 2)
    roll(s, 3, 3)
    assert s.broken == bits(SQUAD)


@pytest.mark.rule("asl", "A10.7")
def test_a_leader_helps_others_and_not_himself() -> None:
    s = alone()
    place(s, LEADER, "N5")
    roll(check(s, SQUAD), 4, 4)  # 8 with -1 is 7: passed, and pinned
    assert s.pinned == bits(SQUAD)
    s = alone()
    place(s, LEADER, "N5")
    roll(check(s, LEADER), 5, 5)
    assert s.broken & bits(LEADER)


@pytest.mark.rule("asl", "A10.31", "A10.4")
def test_a_twelve_reduces_and_a_broken_unit_that_fails_is_reduced() -> None:
    s = check(alone(), SQUAD)
    roll(s, 6, 6)
    assert s.broken == bits(SQUAD)
    assert s.kind(U(SQUAD)).id == "br_247"
    s = alone()
    s.broken = bits(SQUAD)
    roll(check(s, SQUAD), 5, 5)
    assert s.kind(U(SQUAD)).id == "br_247"
    s = alone()
    s.broken = bits(SQUAD)
    roll(check(s, SQUAD), 6, 6)
    assert s.at[U(SQUAD)] == GONE


@pytest.mark.rule("asl", "A10.2")
def test_the_loss_of_a_leader_is_felt_by_those_of_equal_or_lower_morale() -> None:
    s = alone()
    place(s, LEADER, "N5")
    roll(check(s, LEADER), 5, 5)  # he breaks: a LLTC with +1 for the squad
    assert s.stack[-1].unit == U(SQUAD)
    assert s.stack[-1].modifier == 1
    roll(s, 4, 3)
    assert s.pinned == bits(SQUAD)


@pytest.mark.rule("asl", "A17.1")
def test_a_wound_kills_on_five_and_a_second_one_on_four() -> None:
    for before, die, dead in ((0, 4, False), (0, 5, True), (1, 3, False), (1, 4, True)):
        s = empty()
        place(s, LEADER, "N5")
        s.wounded = bits(LEADER) if before else 0
        roll(check(s, LEADER), 6, 6)
        roll(s, die)
        assert (s.at[U(LEADER)] == GONE) is dead, (before, die)


@pytest.mark.rule("asl", "A19.1", "A19.12")
def test_elr_replaces_or_disrupts() -> None:
    s = alone()
    object.__setattr__(s.stage, "elr", (2, 1))
    try:
        roll(check(s, SQUAD), 4, 4)
        assert s.kind(U(SQUAD)).id == "br_457"  # by 1, no more than its ELR
        s = alone()
        roll(check(s, SQUAD), 5, 5)
        assert s.kind(U(SQUAD)).id == "br_447"
        s = empty(AXIS)
        place(s, "it_136#1", "N5")
        roll(check(s, "it_136#1"), 6, 5)
        assert s.disrupted == bits("it_136#1")
    finally:
        object.__setattr__(s.stage, "elr", (99, 99))


@pytest.mark.rule("asl", "A7.8", "A10.7")
def test_a_pinned_leader_helps_nobody_in_a_check() -> None:
    for pinned in (False, True):
        s = alone()
        place(s, LEADER, "N5")
        s.pinned = bits(LEADER) if pinned else 0
        roll(check(s, SQUAD), 4, 4)
        assert bool(s.broken & bits(SQUAD)) == pinned


@pytest.mark.rule("asl", "A7.305")
def test_broken_units_take_no_ptc() -> None:
    s = alone()
    s.broken = bits(SQUAD)
    check(s, SQUAD, PTC)
    assert not GAME.is_chance(s) or s.stack[-1][0] != F_CHECK


@pytest.mark.rule("asl", "A10.6", "A10.62")
def test_a_rally_needs_a_leader_and_desperation_morale_hinders_it() -> None:
    s = alone()
    s.broken = bits(SQUAD)
    s.self_rallied = 1
    rallying(s, ALLIED)
    assert rule(s, f"rally {SQUAD}") == "A10.63"
    s = alone()
    place(s, LEADER, "N5")
    s.broken = s.dm = bits(SQUAD)
    rallying(s, ALLIED)
    do(s, f"rally {SQUAD}")
    roll(s, 2, 2)  # 4 + 4 - 1 = 7
    assert not s.broken | s.dm
    s = alone()
    place(s, LEADER, "N5")
    s.broken = s.dm = bits(SQUAD)
    rallying(s, ALLIED)
    do(s, f"rally {SQUAD}")
    roll(s, 3, 2)
    assert s.broken


@pytest.mark.rule("asl", "A10.63")
def test_one_mmc_of_the_phasing_side_rallies_itself_with_one_more() -> None:
    s = alone()
    place(s, SQUAD2, "L9")
    s.broken = bits(SQUAD, SQUAD2)
    rallying(s, ALLIED)
    do(s, f"rally {SQUAD}")
    roll(s, 3, 4)  # 7 + 1
    assert s.broken == bits(SQUAD, SQUAD2)
    assert rule(s, f"rally {SQUAD2}") == "A10.63"


@pytest.mark.rule("asl", "A10.64")
def test_a_twelve_in_a_rally_reduces() -> None:
    s = alone()
    place(s, LEADER, "N5")
    s.broken = bits(SQUAD)
    rallying(s, ALLIED)
    do(s, f"rally {SQUAD}")
    roll(s, 6, 6)
    assert s.kind(U(SQUAD)).id == "br_247"


@pytest.mark.rule("asl", "A10.621")
def test_dm_comes_off_without_an_adjacent_known_enemy() -> None:
    s = alone()
    place(s, SQUAD2, "L9")
    place(s, FOE, "O5")
    s.broken = s.dm = bits(SQUAD, SQUAD2)
    calm(s)
    assert s.dm == bits(SQUAD)
    s.concealed = bits(FOE)
    calm(s)
    assert not s.dm


@pytest.mark.rule("asl", "A1.31", "A1.32")
def test_deploying_and_recombining() -> None:
    s = alone()
    place(s, LEADER, "N5")
    rallying(s, ALLIED)
    do(s, f"deploy {SQUAD}")
    roll(s, 3, 4)  # 7 - 1 = 6
    assert s.kind(U(SQUAD)).id == s.kind(U("allied_spare#1")).id == "br_247"
    do(s, f"recombine {SQUAD} allied_spare#1")
    assert s.kind(U(SQUAD)).id == "br_457"
    assert s.at[U("allied_spare#1")] < 0


@pytest.mark.rule("asl", "A1.31")
def test_italians_do_not_deploy() -> None:
    s = empty(AXIS)
    place(s, [FOE, FOE_LEADER], "N5")
    rallying(s, AXIS)
    assert rule(s, f"deploy {FOE}") == "A1.31"


@pytest.mark.rule("asl", "A9.72")
def test_repairs() -> None:
    for die, jammed, gone in ((1, False, False), (3, True, False), (6, True, True)):
        s = alone()
        place(s, "br_lmg#1", "N5")
        s.holder[U("br_lmg#1")] = U(SQUAD)
        s.jammed = bits("br_lmg#1")
        rallying(s, ALLIED)
        do(s, "repair br_lmg#1")
        roll(s, die)
        assert (bool(s.jammed), s.at[U("br_lmg#1")] == GONE) == (jammed, gone)


# A10.5 Routs


def routing(s: State, side: int = ALLIED) -> State:
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, side))
    return settle(s)


def beaten() -> State:
    s = alone()
    place(s, FOE, "O5")
    s.broken = s.dm = bits(SQUAD)
    return s


@pytest.mark.rule("asl", "A10.5")
def test_who_must_rout() -> None:
    s = beaten()
    assert must(s, U(SQUAD))
    s.concealed = bits(FOE)
    assert not must(s, U(SQUAD))
    s = alone()
    place(s, FOE, "R5")  # four hexes away, its range is four
    s.broken = bits(SQUAD)
    assert must(s, U(SQUAD))
    s = alone()
    place(s, FOE, "S5")
    s.broken = bits(SQUAD)
    assert not must(s, U(SQUAD))


@pytest.mark.rule("asl", "A10.501", "A10.51")
def test_a_router_runs_away_from_the_enemy_that_sees_it() -> None:
    s = alone()
    place(s, FOE, "P5")
    s.broken = s.dm = bits(SQUAD)
    routing(s)
    assert rule(s, "end-routs") == "A10.5"
    do(s, f"rout {SQUAD}")
    ways = {text.split()[1] for text in legal(s) if text.startswith("to ")}
    assert ways
    assert "O6" not in ways
    assert rule(s, "to O6") == "A10.51"
    assert rule(s, "halt") == "A10.5"


@pytest.mark.rule("asl", "A10.53")
def test_interdiction_pins_or_reduces_in_the_open() -> None:
    s = routing(beaten())
    do(s, f"rout {SQUAD}", "to M5")
    roll(s, 5, 4)
    assert s.kind(U(SQUAD)).id == "br_247"
    s = routing(beaten())
    do(s, f"rout {SQUAD}", "to M5")
    roll(s, 6, 6)
    assert s.at[U(SQUAD)] == GONE


@pytest.mark.rule("asl", "A10.52")
def test_a_low_crawl_is_one_hex_without_interdiction() -> None:
    s = routing(beaten())
    do(s, f"rout {SQUAD}")
    events = do(s, "crawl M5")
    assert "crawled" in kinds(events)
    assert s.dm == bits(SQUAD)


@pytest.mark.rule("asl", "A10.54", "A20.21")
def test_who_cannot_rout_surrenders_to_an_adjacent_enemy() -> None:
    s = alone()
    for name, where in ((FOE, "O5"), (FOE2, "M5"), ("it_346#3", "N4"), ("it_346#4", "N6")):
        place(s, name, where)
    place(s, "it_347#1", "O6")
    place(s, "it_136#1", "M6")
    s.broken = s.dm = bits(SQUAD)
    routing(s)
    assert rule(s, f"rout {SQUAD}") == "A10.51"
    do(s, f"stay {SQUAD}")
    assert s.captive == bits(SQUAD)
    assert s.lost_points[ALLIED] == 2


@pytest.mark.rule("asl", "A10.2")
def test_a_leader_who_is_lost_makes_a_llmc() -> None:
    s = alone()
    place(s, LEADER, "N5")
    roll(check(s, LEADER), 6, 6)
    roll(s, 6)
    assert any(getattr(f, "kind", -1) == LLMC for f in s.stack)


@pytest.mark.rule("asl", "A10.1")
@pytest.mark.parametrize(
    ("morale", "n", "ways"), [(7, 0, 15), (7, 1, 21), (8, 2, 21), (6, 4, 35), (2, 0, 35), (12, 0, 0)]
)
def test_what_the_panel_says_of_a_morale_check_is_what_two_dice_do(morale: int, n: int, ways: int) -> None:
    assert failing(morale, n) == Fraction(ways, 36)
