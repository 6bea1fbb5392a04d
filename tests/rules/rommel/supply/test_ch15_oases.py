"""15 Oases: each keeps one unit in it in supply."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Event
from sandtable.games.rommel.supply.supply import supplied_units, trace
from sandtable.games.rommel.table.ids import AXIS, BUILDUP, COMMONWEALTH, DIRS, F_OPTION, F_SUPPLY_CHECK, FINAL, INITIAL
from sandtable.games.rommel.table.state import State, disrupt, eliminate, put

from ..kit import GAME, H, U, at, battle, board, do, empty, hexes, kinds, place, start, texts, units, why

CW, AX = COMMONWEALTH, AXIS


def check(s: State, moment: int, side: int | None = None) -> list[Event]:
    return start(s, (F_OPTION,), (F_SUPPLY_CHECK, s.active if side is None else side, moment, 0))


@pytest.mark.rule("rommel", "15.0", "1.8a")
def test_the_three_oases() -> None:
    assert {board.names[h] for h in board.oases} == {"Jalo", "Jarabub", "Siwa"}


@pytest.mark.rule("rommel", "15.1a")
def test_an_oasis_is_no_source() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "1007")
    place(s, "GE-PZ8", "1008")  # beside Jalo, on the trail to it
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ8")


@pytest.mark.rule("rommel", "15.1b", "1.8b")
def test_an_oasis_keeps_one_unit_in_supply() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8", "IT-BRE"], "1007")
    check(s, INITIAL)
    assert texts(s) == ["oasis GE-PZ5", "oasis GE-PZ8", "oasis IT-BRE"]
    prompt = GAME.prompt(s)
    assert "Jalo" in prompt.title
    assert "15.1c" in prompt.rules
    events = do(s, "oasis GE-PZ8")
    assert s.oasis_supply == units("GE-PZ8")
    assert s.unsupplied == units("GE-PZ5", "IT-BRE")
    assert supplied_units(s, AX) == units("GE-PZ8")
    told = next(e for e in events if e.kind == "oasis_supply")
    assert told.seen_by(CW) == {"hex": H("1007"), "side": AX}
    assert told.seen_by(AX) == {"hex": H("1007"), "side": AX, "unit": U("GE-PZ8")}


@pytest.mark.rule("rommel", "15.1c")
def test_assignment_is_compulsory() -> None:
    s = empty("commonwealth")
    place(s, ["CW-11H", "CW-KDG"], "1016")
    place(s, ["CW-7A", "CW-4A"], "1014")
    place(s, "CW-2A", "0622")
    check(s, INITIAL)
    assert {t.split()[0] for t in texts(s)} == {"oasis"}  # there is no way to decline
    reason = why(s, "assigned")
    assert reason is not None
    assert reason.rule == "15.1c"
    reason = why(s, "oasis CW-2A")
    assert reason is not None
    assert reason.rule == "15.1a"
    do(s, texts(s)[0])
    do(s, texts(s)[0])  # the other oasis
    assert s.oasis_supply.bit_count() == 2
    assert s.unsupplied.bit_count() == 2


@pytest.mark.rule("rommel", "15.1c", "15.1e")
def test_a_unit_with_a_line_of_its_own_takes_the_oasis_too() -> None:
    s = empty("commonwealth")
    place(s, "CW-11H", "1016")
    for unit, h in (("CW-7A", "0917"), ("CW-4A", "0717")):
        place(s, unit, h)
    assert trace(s, CW) >> H("1016") & 1
    check(s, INITIAL)
    assert s.oasis_supply == units("CW-11H")


@pytest.mark.rule("rommel", "15.1d")
def test_assignment_binds_for_the_turn() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8"], "1007")
    check(s, INITIAL)
    do(s, "oasis GE-PZ5")
    put(s, U("GE-PZ5"), H("1009"))  # it leaves the oasis, and its share is not passed on
    check(s, FINAL)
    assert s.oasis_supply == units("GE-PZ5")
    assert s.disrupted == units("GE-PZ8")
    assert not supplied_units(s, AX)  # outside, the oasis does not help it either


@pytest.mark.rule("rommel", "15.1d")
def test_the_share_of_an_eliminated_unit_is_free_again() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8"], "1007")
    check(s, INITIAL)
    do(s, "oasis GE-PZ5")
    eliminate(s, U("GE-PZ5"), "9.5a")
    check(s, FINAL)
    assert s.oasis_supply == units("GE-PZ8")
    assert not s.disrupted
    assert not s.unsupplied


@pytest.mark.rule("rommel", "15.1e")
def test_E15_1() -> None:
    """The unit present must take the supply; it cannot be kept for one that arrives this turn."""
    s = empty("axis")
    place(s, "GE-PZ5", "1007")
    place(s, "GE-PZ8", "1009")
    check(s, INITIAL)
    assert s.oasis_supply == units("GE-PZ5")
    assert s.unsupplied == units("GE-PZ8")
    put(s, U("GE-PZ5"), H("1005"))
    put(s, U("GE-PZ8"), H("1007"))
    check(s, FINAL)
    assert s.disrupted == units("GE-PZ8")


@pytest.mark.rule("rommel", "15.1f")
def test_an_oasis_not_assigned_may_be_at_the_final_check() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8"], "1009")
    check(s, INITIAL)
    assert s.unsupplied == units("GE-PZ5", "GE-PZ8")
    put(s, U("GE-PZ5"), H("1007"))
    put(s, U("GE-PZ8"), H("1007"))
    check(s, FINAL)
    assert texts(s) == ["oasis GE-PZ5", "oasis GE-PZ8"]
    assert GAME.prompt(s).rules[0] == "15.1f"
    do(s, "oasis GE-PZ8")
    assert s.disrupted == units("GE-PZ5")
    assert s.unsupplied == units("GE-PZ5")


@pytest.mark.rule("rommel", "15.1f")
def test_at_the_final_check_a_supplied_unit_needs_no_oasis() -> None:
    s = empty("commonwealth")
    place(s, "CW-11H", "1016")
    for unit, h in (("CW-7A", "0917"), ("CW-4A", "0717")):
        place(s, unit, h)
    check(s, FINAL)
    assert not s.oasis_supply


@pytest.mark.rule("rommel", "15.1d", "15.1f")
def test_the_enemys_earlier_assignment_does_not_count() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "1007")
    check(s, INITIAL)
    put(s, U("GE-PZ5"), H("1006"))  # driven out in the Commonwealth turn
    s.active = CW
    place(s, "CW-7A", "1007", unsupplied=True)
    check(s, FINAL)
    assert s.oasis_supply == units("GE-PZ5", "CW-7A")
    assert not s.unsupplied


@pytest.mark.rule("rommel", "15.1g")
def test_in_a_battle_the_defender_has_the_oasis() -> None:
    for side, name in ((AX, "axis"), (CW, "commonwealth")):
        s = empty(name)
        place(s, ["GE-PZ5", "CW-7A"], "1007")
        battle(s, "1007", "commonwealth", ["W"])
        check(s, INITIAL)
        assert s.oasis_supply == (units("CW-7A") if side == CW else 0)
        assert s.unsupplied == (0 if side == CW else units("GE-PZ5"))
    place(s, "IT-BRE", "1006")  # the Attacker needs a line from outside
    for unit, h in (("IT-PAV", "0805"), ("IT-SAV", "0906")):
        place(s, unit, h)
    s.active = AX
    check(s, INITIAL)
    assert not s.unsupplied & units("GE-PZ5")


@pytest.mark.rule("rommel", "15.1g")
def test_who_has_become_the_attacker_draws_on_it_no_more() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "1007")
    check(s, INITIAL)
    assert supplied_units(s, AX) == units("GE-PZ5")
    place(s, "CW-7A", "1007")
    battle(s, "1007", "axis")
    assert supplied_units(s, AX) == units("GE-PZ5")
    s.defends = [0, 1 << H("1007")]
    assert not supplied_units(s, AX)


@pytest.mark.rule("rommel", "15.1g", "12.5f")
def test_a_raider_cut_off_in_an_oasis_gets_nothing() -> None:
    s = empty("commonwealth")
    place(s, ["GE-PZ5", "CW-7A", "CW-4A"], "1007")
    battle(s, "1007", "commonwealth", ["W"])
    s.raiders = units("CW-4A")
    s.via[U("CW-4A")] = DIRS.index("W")
    check(s, INITIAL)
    assert s.oasis_supply == units("CW-7A")


@pytest.mark.rule("rommel", "15.1h")
def test_a_unit_in_an_oasis_is_a_link_like_any_other() -> None:
    s = empty("commonwealth")
    for unit, h in (("CW-7A", "0717"), ("CW-4A", "0917"), ("CW-2A", "1014")):
        place(s, unit, h)
    assert "1014" not in hexes(trace(s, CW))
    place(s, "CW-11H", "1016")  # Siwa, between 0917 and Jarabub
    check(s, INITIAL)
    assert s.oasis_supply == units("CW-11H", "CW-2A")
    assert "1014" in hexes(trace(s, CW))


@pytest.mark.rule("rommel", "15.1b", "12.7d")
def test_an_oasis_lets_a_disrupted_unit_recover() -> None:
    s = empty("axis")
    place(s, "GE-PZ5", "1007", disrupted=True)
    check(s, INITIAL)
    assert not s.disrupted


@pytest.mark.rule("rommel", "15.1b", "12.7k")
def test_at_the_buildup_check_the_oasis_saves_one() -> None:
    s = empty("axis")
    place(s, ["GE-PZ5", "GE-PZ8"], "1007")
    place(s, "CW-11H", "1016")
    disrupt(s, U("CW-11H"))
    check(s, BUILDUP, 0)
    assert texts(s) == ["oasis GE-PZ5", "oasis GE-PZ8"]
    events = do(s, "oasis GE-PZ8")
    assert at(s, "GE-PZ5") == "dead"
    assert at(s, "GE-PZ8") == "1007"
    assert at(s, "CW-11H") == "1016"
    assert not s.disrupted
    assert "eliminated" in kinds(events)
