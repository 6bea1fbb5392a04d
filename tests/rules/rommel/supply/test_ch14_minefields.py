"""14 Minefields: laid in secret, disclosed when entered, double defence for the Defender."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.table.ids import AXIS, COMMONWEALTH, F_AVOID, F_ENGAGED, F_MOVES, F_OPTION, F_ROUND, F_SPEND
from sandtable.games.rommel.table.minefields import disclose
from sandtable.games.rommel.table.state import State

from ..kit import GAME, H, U, battle, board, do, empty, kinds, mask, place, start, texts, why

FRONT = "0724"  # El Alamein W1
WEST = "0623"  # El Daba


def spending(points: int = 15) -> State:
    """The Axis spends buildup points; its network is a stretch of coast road with a battle in it."""
    s = empty("axis", None)
    place(s, "IT-ARI", "0704")
    place(s, ["IT-LIT", "CW-3A"], "0803")
    battle(s, "0803", "axis", ["E"])
    s.nets = [mask("0902", "0903", "0803", "0704"), mask("0626")]
    s.bp = [points, 0]
    start(s, (F_OPTION,), (F_SPEND, AXIS))
    return s


def mined_battle(
    axis: tuple[str, ...], cw: tuple[str, ...], active: str = "axis", defender: str = "commonwealth"
) -> State:
    """A battle in a disclosed minefield, the first dice about to fall."""
    s = empty(active)
    place(s, [*axis, *cw], FRONT)
    battle(s, FRONT, defender)
    s.mines_open = mask(FRONT)
    start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    return s


def cv(s: State, unit: str) -> int:
    return s.cv[U(unit)]


# 14.0, 14.1 Laying


@pytest.mark.rule("rommel", "14.0a", "16.55a")
def test_a_minefield_is_laid_in_the_own_network_but_not_in_a_battle_hex() -> None:
    s = spending()
    assert [t for t in texts(s) if t.startswith("mine")] == ["mine 0704", "mine 0902", "mine 0903"]
    for hex_ in ("0803", "0626"):
        assert why(s, f"mine {hex_}") is not None


@pytest.mark.rule("rommel", "14.1a", "14.0a")
def test_the_place_of_a_minefield_is_secret() -> None:
    s = spending()
    events = do(s, "mine 0704")
    assert s.mines[AXIS] == mask("0704")
    assert s.mines_open == 0
    assert GAME.view(s, AXIS)["minefields"]["secret"] == ["0704"]
    enemy = GAME.view(s, COMMONWEALTH)
    assert enemy["minefields"]["secret"] == []
    assert enemy["minefields"]["disclosed"] == []
    assert [GAME.event_json(e, COMMONWEALTH) for e in events if e.kind == "mine_laid"] == [None]


@pytest.mark.rule("rommel", "14.1a", "1.1b")
def test_E14_1_a_minefield_south_west_of_el_alamein_is_written_el_alamein_sw1() -> None:
    alamein = H("El Alamein")
    south_west = dict(board.grid.neighbours[alamein])[4]
    assert board.hex_name(south_west) == "El Alamein SW1"
    assert board.grid.names[south_west] == "0824"


@pytest.mark.rule("rommel", "14.1b")
def test_a_minefield_costs_15_points() -> None:
    s = spending(14)
    assert not [t for t in texts(s) if t.startswith("mine")]
    reason = why(s, "mine 0704")
    assert reason is not None
    assert reason.rule == "14.1b"
    s = spending(16)
    do(s, "mine 0704")
    assert s.bp[AXIS] == 1


# 14.0b, 14.2d Effects in combat


@pytest.mark.rule("rommel", "14.0b")
def test_A39_a_disclosed_minefield_helps_whoever_defends_in_it() -> None:
    # laid by the Commonwealth, captured by the Axis, which now is the Passive Defender
    s = mined_battle(("IT-ARI",), ("CW-7A",), active="commonwealth", defender="axis")
    do(s, "hits 0", "hits 2")
    assert cv(s, "IT-ARI") == 3
    # and against the Axis if it attacks there
    s = mined_battle(("IT-ARI",), ("CW-7A",))
    do(s, "hits 2", "hits 2")
    assert (cv(s, "IT-ARI"), cv(s, "CW-7A")) == (2, 3)


@pytest.mark.rule("rommel", "14.2d", "9.52a")
def test_hits_of_the_offensive_fire_count_half_and_only_those() -> None:
    s = mined_battle(("IT-ARI",), ("CW-7A",))
    do(s, "hits 1")
    assert cv(s, "IT-ARI") == 3  # defensive fire at the Attacker: full hits
    events = do(s, "hits 3")
    assert cv(s, "CW-7A") == 3
    assert next(e for e in events if e.kind == "fired").data["half"] == 1


@pytest.mark.rule("rommel", "14.2d")
def test_no_double_defence_outside_minefields() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "CW-7A"], FRONT)
    battle(s, FRONT, "commonwealth")
    s.mines_open = mask("0725")
    start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    do(s, "hits 0", "hits 2")
    assert cv(s, "CW-7A") == 2


@pytest.mark.rule("rommel", "14.2e")
def test_artillery_is_not_affected_by_minefields() -> None:
    s = mined_battle(("IT-A21",), ("CW-22G",))
    do(s, "hits 0", "hits 2")
    assert cv(s, "CW-22G") == 2


@pytest.mark.rule("rommel", "14.2f", "9.52c")
def test_E14_2_four_half_hits_remove_a_step_of_an_elite_unit() -> None:
    for hits, left in ((1, 4), (2, 4), (3, 4), (4, 2)):
        s = mined_battle(("IT-ARI",), ("CW-4A",))
        do(s, "hits 0", f"hits {hits}")
        assert cv(s, "CW-4A") == left


@pytest.mark.rule("rommel", "14.2f")
def test_two_half_hits_remove_one_cv() -> None:
    for hits, left in ((1, 4), (2, 3), (4, 2)):
        s = mined_battle(("IT-ARI",), ("CW-7A",))
        do(s, "hits 0", f"hits {hits}")
        assert cv(s, "CW-7A") == left


@pytest.mark.rule("rommel", "14.2g")
def test_a_defender_who_starts_the_battle_loses_the_benefit() -> None:
    s = mined_battle(("IT-ARI",), ("CW-7A",), active="commonwealth")
    # the Axis fires first; both sides take normal losses
    do(s, "hits 2", "hits 1")
    assert (cv(s, "CW-7A"), cv(s, "IT-ARI")) == (2, 3)


# 14.2a to 14.2c Movement and disclosure


def moving(*mines: str, option: str = "basic") -> State:
    """Axis tanks at El Daba, about to move; secret Commonwealth minefields in some hexes."""
    s = empty("axis", option)
    place(s, ["IT-ARI", "IT-LIT"], WEST)
    s.mines[COMMONWEALTH] = mask(*mines)
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_AVOID,), (F_MOVES, 0, 0))
    return s


def finish(s: State) -> list[str]:
    """End all moves; what the end of the movement phase brings."""
    found: list[str] = []
    while s.stack[-1] != (F_OPTION,) and GAME.to_act(s) == AXIS:
        found += kinds(do(s, texts(s)[-1]))
    return found


@pytest.mark.rule("rommel", "14.2a")
def test_an_unoccupied_minefield_has_no_effect_on_movement() -> None:
    plain, mined = moving(), moving(FRONT, "0723")
    for s in (plain, mined):
        do(s, f"group {WEST} 0", "move IT-ARI")
    assert texts(plain) == texts(mined)


@pytest.mark.rule("rommel", "14.2b")
def test_a_minefield_entered_by_the_enemy_is_disclosed_at_the_end_of_the_movement_phase() -> None:
    s = moving(FRONT, "0726")
    do(s, f"group {WEST} 0", "move IT-ARI", f"to {FRONT} -")
    assert s.mines_open == 0
    assert GAME.view(s, AXIS)["minefields"]["disclosed"] == []
    assert "disclosed" in finish(s)
    assert s.mines_open == mask(FRONT)
    assert s.mines[COMMONWEALTH] == mask("0726"), "the other stays secret"
    assert GAME.view(s, AXIS)["minefields"]["disclosed"] == [FRONT]


@pytest.mark.rule("rommel", "14.2b")
def test_a_minefield_passed_through_is_disclosed_as_well() -> None:
    s = moving(FRONT)
    do(s, f"group {WEST} 0", "move IT-ARI", "to 0725 -")
    assert "disclosed" in finish(s)
    assert s.mines_open == mask(FRONT)


@pytest.mark.rule("rommel", "14.2b")
def test_own_units_do_not_disclose_a_minefield() -> None:
    s = empty("axis")
    place(s, "IT-ARI", WEST)
    s.mines[AXIS] = mask(FRONT)
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_AVOID,), (F_MOVES, 0, 0))
    do(s, f"group {WEST} 0", "move IT-ARI", f"to {FRONT} -")
    finish(s)
    assert s.mines_open == 0
    assert s.mines[AXIS] == mask(FRONT)


@pytest.mark.rule("rommel", "14.2b")
def test_a_retreating_unit_discloses_the_minefield_it_enters() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    battle(s, FRONT, "commonwealth", ["W"], revealed=False, attacked=True)
    s.mines[AXIS] = mask("0725")
    start(s, (F_OPTION,), (F_ENGAGED, 0), (F_AVOID,))
    do(s, f"avoid {FRONT}", "hits 0", "to 0726 -")
    assert s.mines_open == mask("0725")


@pytest.mark.rule("rommel", "14.2c")
def test_an_occupied_minefield_is_disclosed_at_the_end_of_the_movement_phase_and_not_before() -> None:
    s = moving(FRONT)
    place(s, "CW-22G", FRONT)
    do(s, f"group {WEST} 0", "move IT-ARI")
    assert f"to {FRONT} NW" in texts(s)  # no effect on movement
    do(s, f"to {FRONT} NW")
    finish(s)
    assert GAME.to_act(s) == COMMONWEALTH
    assert s.mines_open == 0, "not before the decision to stand (A38)"
    events = do(s, f"stand {FRONT}")
    assert "disclosed" in kinds(events)
    assert s.mines_open == mask(FRONT)


@pytest.mark.rule("rommel", "14.2c", "14.2b")
def test_A38_the_minefield_is_disclosed_even_if_its_defender_avoided_battle() -> None:
    s = moving(FRONT)
    place(s, "CW-22G", FRONT)
    do(s, f"group {WEST} 0", "move IT-ARI", f"to {FRONT} NW")
    finish(s)
    events = do(s, f"avoid {FRONT}", "hits 0", "to 0726 -")
    assert "disclosed" in kinds(events)
    assert s.mines_open == mask(FRONT)


@pytest.mark.rule("rommel", "14.2b", "14.2c")
def test_only_the_minefields_concerned_are_disclosed() -> None:
    s = empty("axis")
    place(s, "IT-ARI", WEST)
    place(s, "CW-22G", FRONT)
    s.mines = [mask(WEST, "0622"), mask(FRONT, "0725")]
    disclose(s)
    assert s.events == []
    assert s.mines == [mask(WEST, "0622"), mask(FRONT, "0725")]
    s.mines_touched = mask("0725")
    disclose(s)
    assert [e.data["hex"] for e in s.events] == [H("0725")]
    assert s.mines == [mask(WEST, "0622"), mask(FRONT)]


def test_where_both_sides_have_mined_a_hex_each_field_is_disclosed_by_the_enemy_who_enters() -> None:
    s = empty("axis")
    s.mines = [mask(FRONT), mask(FRONT)]
    s.mines_touched = mask(FRONT)
    disclose(s)
    assert [e.data["side"] for e in s.events] == [COMMONWEALTH]
    assert (s.mines, s.mines_open) == ([mask(FRONT), 0], mask(FRONT))


def test_a_unit_that_came_into_a_secret_minefield_outside_a_movement_phase_sets_it_off_in_the_next() -> None:
    for active in ("axis", "commonwealth"):
        s = empty(active)
        place(s, "CW-22G", FRONT, disrupted=True)
        s.mines = [mask(FRONT), 0]
        disclose(s)
        assert s.mines_open == mask(FRONT)
