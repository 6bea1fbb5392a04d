"""11 Disruption: its causes and effects, recovery, rout and overrun."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    BUILDUP,
    COMMONWEALTH,
    DIRS,
    F_AVOID,
    F_FIRE_ROLL,
    F_LEAVE,
    F_MARCH,
    F_MOVES,
    F_OPTION,
    F_PURSUIT_ROLL,
    F_ROUND,
    F_ROUT,
    F_SPEND,
    F_SUPPLY_CHECK,
    FINAL,
    INITIAL,
)
from sandtable.games.rommel.table.state import State, disrupt

from ..kit import GAME, H, U, at, battle, do, empty, hexes, kinds, lucky, mask, place, start, texts, units, why

FRONT = "0724"  # El Alamein W1; the coast road leads east to 0725, 0726 and Alexandria
WEST = "0623"  # El Daba, the next hex of the coast road to the west


def check(s: State, side: int, moment: int) -> None:
    """One supply check, nothing else."""
    start(s, (F_OPTION,), (F_SUPPLY_CHECK, side, moment, 0))
    while s.stack[-1] != (F_OPTION,):
        do(s, texts(s)[0])


def overrun(*axis: str, cw: tuple[str, ...] = ("CW-22G",), option: str = "basic") -> State:
    """Axis units at El Daba, about to move; disrupted Commonwealth units alone in the next hex."""
    s = empty("axis", option)
    place(s, list(axis), WEST)
    place(s, list(cw), FRONT, disrupted=True)
    start(s, (F_OPTION,), (F_AVOID,), (F_LEAVE, 0), (F_MOVES, 0, 0))
    do(s, f"group {WEST} 0")
    return s


def move(s: State, unit: str, to: str) -> None:
    do(s, f"move {unit}", f"to {to}")


def cv(s: State, unit: str) -> int:
    return s.cv[U(unit)]


# 11.0 Causes


@pytest.mark.rule("rommel", "11.0a", "10.0b")
def test_disengaging_disrupts() -> None:
    s = empty("commonwealth")
    place(s, ["IT-ARI", "CW-3A"], FRONT)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_LEAVE, 0), (F_MOVES, 0, 0))
    do(s, f"group {FRONT} 0", "move CW-3A", "to 0726 -", "end-move", "hits 0")
    assert s.disrupted == units("CW-3A")


@pytest.mark.rule("rommel", "11.0a", "12.1c")
def test_failing_both_supply_checks_disrupts() -> None:
    s = empty("commonwealth", None)
    place(s, "CW-3A", "0507")
    check(s, COMMONWEALTH, INITIAL)
    assert s.unsupplied == units("CW-3A")
    assert not s.disrupted
    check(s, COMMONWEALTH, FINAL)
    assert s.disrupted == units("CW-3A")


@pytest.mark.rule("rommel", "11.0a", "6.4e")
def test_a_failed_forced_march_disrupts() -> None:
    s = empty("axis")
    place(s, "IT-ARI", WEST)
    start(s, (F_OPTION,), (F_MARCH, 0), (F_MOVES, 0, 0))
    do(s, f"group {WEST} 0")
    move(s, "IT-ARI", "0720 -")
    do(s, "end-moves", "march IT-ARI 0721 -", "marches")
    for face, disrupted in ((4, 0), (3, units("IT-ARI"))):
        after = s.copy()
        lucky(after, face)
        assert after.disrupted == disrupted


@pytest.mark.rule("rommel", "11.0b", "0.3b")
def test_a_disrupted_block_lies_face_down() -> None:
    s = empty("commonwealth")
    place(s, ["IT-ARI", "CW-22G", "CW-3A"], FRONT)
    battle(s, FRONT, "commonwealth", ["W"])
    assert s.revealed == units("IT-ARI", "CW-22G", "CW-3A")
    disrupt(s, U("CW-3A"))
    start(s, (F_OPTION,))
    assert s.revealed == units("IT-ARI", "CW-22G")
    seen = [b for b in GAME.view(s, AXIS)["units"] if b["side"] == "commonwealth"]
    assert [b.get("id") for b in seen] == ["CW-22G", None]
    assert seen[1]["marks"] == ["disrupted"]


@pytest.mark.rule("rommel", "11.0c", "12.7k")
def test_a_unit_stays_disrupted_until_it_recovers_or_the_month_ends_without_supply() -> None:
    s = empty("commonwealth", None)
    place(s, "CW-3A", "0507", disrupted=True)
    place(s, "CW-7A", "0725", disrupted=True)
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    battle(s, FRONT, "commonwealth", ["W"])
    place(s, "CW-1A", FRONT, disrupted=True)
    for _ in range(3):
        check(s, COMMONWEALTH, INITIAL)
        check(s, COMMONWEALTH, FINAL)
        assert s.disrupted & units("CW-3A", "CW-1A") == units("CW-3A", "CW-1A")
    check(s, COMMONWEALTH, BUILDUP)
    assert at(s, "CW-3A") == "dead"
    assert at(s, "CW-1A") == FRONT


# 11.1 Effects


@pytest.mark.rule("rommel", "11.1a")
def test_a_disrupted_unit_cannot_move() -> None:
    s = empty("axis")
    place(s, "IT-ARI", WEST)
    place(s, "IT-LIT", WEST, disrupted=True)
    place(s, "IT-TRE", "0622", disrupted=True)
    start(s, (F_OPTION,), (F_MOVES, 0, 0))
    assert not [t for t in texts(s) if t.startswith("group 0622")]
    do(s, f"group {WEST} 0")
    assert texts(s) == ["move IT-ARI"]
    reason = why(s, "move IT-LIT")
    assert reason is not None
    assert reason.rule == "11.1a"


@pytest.mark.rule("rommel", "11.1b", "11.4a", "11.4d")
def test_a_disrupted_unit_does_not_hinder_movement() -> None:
    s = overrun("IT-ARI", "IT-LIT")
    move(s, "IT-ARI", f"{FRONT} NW")
    do(s, f"rout {FRONT}", "hits 0", "to 0626 -")
    # the second unit passes through the hex on the same move
    do(s, "move IT-LIT")
    assert "to 0726 -" in texts(s)
    # an undisrupted unit there would have stopped it
    s = empty("axis")
    place(s, ["IT-ARI", "IT-LIT"], WEST)
    place(s, "CW-22G", FRONT)
    start(s, (F_OPTION,), (F_MOVES, 0, 0))
    do(s, f"group {WEST} 0", "move IT-LIT")
    assert "to 0726 -" not in texts(s)


@pytest.mark.rule("rommel", "11.1c")
def test_a_disrupted_unit_does_not_fire() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "CW-22G", "CW-3A"], FRONT)
    place(s, "CW-7A", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    assert {t.split()[1] for t in texts(s)} == {"CW-22G", "CW-3A"}
    reason = why(s, "fire CW-7A armour")
    assert reason is not None
    assert reason.rule == "11.1c"


@pytest.mark.rule("rommel", "11.1d", "11.11b")
def test_a_disrupted_unit_takes_no_hits_in_battle() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "IT-TRE", "CW-22G"], FRONT)
    place(s, "CW-3A", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    do(s, "hits 0", "fire IT-ARI infantry", "hits 3", "hits 0")
    assert (cv(s, "CW-22G"), cv(s, "CW-3A")) == (1, 3)
    assert at(s, "CW-3A") == FRONT


@pytest.mark.rule("rommel", "11.1e", "12.4i")
def test_a_disrupted_unit_is_no_link_in_a_supply_line() -> None:
    for disrupted, out in ((False, 0), (True, units("IT-TRE"))):
        s = empty("axis", None)
        place(s, "IT-TRE", "0507")  # beyond the range of the track from the coast road
        place(s, "IT-BRE", "0506", disrupted=disrupted)
        check(s, AXIS, INITIAL)
        assert s.unsupplied == out


@pytest.mark.rule("rommel", "11.1f")
def test_a_disrupted_unit_does_not_block_enemy_supply() -> None:
    for disrupted, out in ((False, units("IT-TRE")), (True, 0)):
        s = empty("axis", None)
        s.fort_owner = [COMMONWEALTH] * 3  # no supply from Benghazi
        place(s, "IT-TRE", "0704")
        place(s, "CW-3A", "0803", disrupted=disrupted)
        check(s, AXIS, INITIAL)
        assert s.unsupplied == out


@pytest.mark.rule("rommel", "11.1g", "16.51i", "16.52a")
def test_a_disrupted_unit_neither_redeploys_nor_returns_to_base() -> None:
    s = empty("axis", None)
    place(s, "IT-ARI", "0704")
    place(s, "IT-LIT", "0704", disrupted=True)
    s.bp = [20, 20]
    s.nets = [mask("0902", "0903", "0803", "0704"), 0]
    start(s, (F_OPTION,), (F_SPEND, AXIS))
    assert {"redeploy IT-ARI", "refit IT-ARI"} <= set(texts(s))
    assert not {"redeploy IT-LIT", "refit IT-LIT"} & set(texts(s))
    for verb in ("redeploy", "refit"):
        assert why(s, f"{verb} IT-LIT") is not None


# 11.11 Protection


@pytest.mark.rule("rommel", "11.11a", "11.3a")
def test_an_undisrupted_friend_protects_from_rout() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    place(s, "CW-3A", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    events = start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    assert events == []
    disrupt(s, U("CW-22G"))
    events = start(s, (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    assert next(e for e in events if e.kind == "routed").data["count"] == 2


@pytest.mark.rule("rommel", "11.11a", "11.3a")
def test_a_friend_in_another_hex_protects_nobody() -> None:
    s = empty("axis")
    place(s, "IT-ARI", FRONT)
    place(s, "CW-3A", FRONT, disrupted=True)
    place(s, "CW-22G", "0626")
    battle(s, FRONT, "commonwealth", ["W"])
    events = start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    assert "routed" in kinds(events)


@pytest.mark.rule("rommel", "11.3a")
def test_no_rout_outside_battle_hexes() -> None:
    s = empty("axis")
    place(s, "CW-3A", FRONT, disrupted=True)
    place(s, "IT-ARI", WEST)  # an enemy in another hex routs nobody
    assert start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0)) == []


@pytest.mark.rule("rommel", "11.11b", "11.11c", "11.2b")
def test_a_protected_unit_recovers_only_after_the_battle_has_been_won() -> None:
    s = empty("commonwealth", None)
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    place(s, "CW-3A", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    check(s, COMMONWEALTH, INITIAL)
    assert s.disrupted == units("CW-3A")
    start(s, (F_ROUND, H(FRONT), 0, 0))
    do(s, "hits 0", "hits 4")
    assert at(s, "IT-ARI") == "dead"
    check(s, COMMONWEALTH, INITIAL)
    assert s.disrupted == 0


# 11.2 Recovery


@pytest.mark.rule("rommel", "11.2a", "12.7d")
def test_recovery_is_at_the_initial_check_of_the_own_turn() -> None:
    for side, moment, left in (
        (COMMONWEALTH, INITIAL, 0),
        (COMMONWEALTH, FINAL, units("CW-3A")),
        (AXIS, INITIAL, units("CW-3A")),
    ):
        s = empty(("axis", "commonwealth")[side], None)
        place(s, "CW-3A", "0725", disrupted=True)
        check(s, side, moment)
        assert s.disrupted == left


@pytest.mark.rule("rommel", "11.2c")
def test_recovery_needs_a_supply_line() -> None:
    for hex_, left in (("0725", 0), ("0507", units("CW-3A"))):
        s = empty("commonwealth", None)
        place(s, "CW-3A", hex_, disrupted=True)
        check(s, COMMONWEALTH, INITIAL)
        assert s.disrupted == left


@pytest.mark.rule("rommel", "11.2d")
def test_E11_2_a_unit_that_avoided_battle_or_routed_in_the_enemy_turn_does_not_recover_yet() -> None:
    for broken in (False, True):
        s = empty("axis")
        place(s, "IT-ARI", FRONT)
        place(s, "CW-22G", FRONT, disrupted=broken)
        battle(s, FRONT, "commonwealth", ["W"], revealed=False, attacked=True)
        if broken:
            start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
        else:
            start(s, (F_OPTION,), (F_AVOID,))
            do(s, f"avoid {FRONT}")
        do(s, "hits 0", "to 0726 -")
        s.active, s.option = COMMONWEALTH, -1
        check(s, COMMONWEALTH, INITIAL)
        assert s.disrupted == units("CW-22G"), "not after the turn in which it was disrupted"
        check(s, COMMONWEALTH, INITIAL)
        assert s.disrupted == 0, "but after a complete enemy turn"


@pytest.mark.rule("rommel", "11.2d")
def test_a_unit_disrupted_in_its_own_turn_has_a_complete_enemy_turn_before_its_next() -> None:
    s = empty("commonwealth")
    place(s, "CW-22G", "0725")
    disrupt(s, U("CW-22G"))
    s.option = -1
    check(s, COMMONWEALTH, INITIAL)
    assert s.disrupted == 0


# 11.3 Rout


@pytest.mark.rule("rommel", "11.3b", "11.3c")
def test_units_rout_when_their_protectors_are_eliminated_before_the_fire_goes_on() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "IT-LIT", "IT-RCM"], FRONT)
    place(s, "CW-7A", FRONT, 1)
    place(s, "CW-22G", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    do(s, "hits 0")
    events = do(s, "fire IT-ARI armour", "hits 1")
    assert at(s, "CW-7A") == "dead"
    assert "routed" in kinds(events)
    # A35: all undisrupted enemies pursue, whether or not they have fired: three faster units
    assert s.stack[-1][0] == F_PURSUIT_ROLL
    assert s.stack[-1][3] == 6
    do(s, "hits 0", "to 0726 -")
    # the battle is over, and nobody else fires
    assert s.stack == [(F_OPTION,)]
    assert s.defends == [0, 0]


@pytest.mark.rule("rommel", "11.3b")
def test_units_rout_when_their_protectors_leave() -> None:
    s = empty("commonwealth")
    place(s, ["IT-ARI", "CW-3A"], FRONT)
    place(s, "CW-22G", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_LEAVE, 0), (F_MOVES, 0, 0))
    do(s, f"group {FRONT} 0", "move CW-3A", "to 0726 -", "end-move")
    events = do(s, "hits 0")
    assert "routed" in kinds(events)


@pytest.mark.rule("rommel", "11.3b", "12.7h")
def test_units_rout_when_they_are_disrupted_for_lack_of_supply_in_a_battle_hex() -> None:
    s = empty("axis", None)
    place(s, ["IT-ARI", "CW-3A"], FRONT)
    s.unsupplied = units("IT-ARI")
    battle(s, FRONT, "commonwealth", [])
    start(s, (F_OPTION,), (F_SUPPLY_CHECK, AXIS, FINAL, 0))
    assert cv(s, "IT-ARI") == 3
    assert s.stack[-1][0] == F_PURSUIT_ROLL


@pytest.mark.rule("rommel", "11.3d")
def test_rout_step_1_each_unit_loses_a_step() -> None:
    s = empty("axis")
    place(s, "IT-ARI", FRONT)
    place(s, "CW-22G", FRONT, 4, disrupted=True)
    place(s, "CW-4A", FRONT, 4, disrupted=True)
    place(s, "CW-3A", FRONT, 1, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"], revealed=False)
    events = start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    assert (cv(s, "CW-22G"), cv(s, "CW-4A"), at(s, "CW-3A")) == (3, 2, "dead")  # an elite step is 2 CV
    # what the blocks are stays hidden, but for the dead
    seen = [GAME.event_json(e, AXIS) for e in events]
    assert [e["unit"] for e in seen if e is not None and "unit" in e] == ["CW-3A"]


@pytest.mark.rule("rommel", "11.3c", "11.3e", "11.3f", "11.3g")
def test_the_steps_of_a_rout_in_their_order() -> None:
    s = empty("axis")
    place(s, "IT-ARI", FRONT)
    place(s, "CW-22G", FRONT, 4, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"], revealed=False)
    events = start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    assert kinds(events) == ["routed", "step_lost", "pursuit"]
    events = do(s, "hits 1")
    assert kinds(events) == ["pursuit_fire", "step_lost"]
    assert cv(s, "CW-22G") == 2
    s.fresh = 0
    events = do(s, "to 0726 -")
    assert kinds(events) == ["retired", "battle_over"]
    assert at(s, "CW-22G") == "0726"
    assert s.disrupted == units("CW-22G")
    assert s.fresh == units("CW-22G"), "a fresh disruption"


@pytest.mark.rule("rommel", "11.3f")
def test_who_cannot_withdraw_from_a_rout_is_eliminated() -> None:
    s = empty("axis")
    place(s, "IT-ARI", "0507")
    place(s, "CW-22G", "0507", disrupted=True)  # no supply line
    battle(s, "0507", "commonwealth", ["W"], revealed=False)
    start(s, (F_OPTION,), (F_ROUT, H("0507"), COMMONWEALTH, 0))
    do(s, "hits 0")
    assert at(s, "CW-22G") == "dead"


@pytest.mark.rule("rommel", "11.3f")
def test_a_table_imagined_in_a_rout_asks_about_the_same_unit() -> None:
    s = empty("axis")
    place(s, "IT-ARI", FRONT)
    place(s, ["CW-KDG", "CW-22G"], FRONT, 4, disrupted=True)
    s.raiders = units("CW-KDG")  # 12.5f no line to go back along: it came through what is now the enemy's side
    s.via[U("CW-KDG")] = DIRS.index("W")
    assert U("CW-KDG") < U("CW-22G")
    battle(s, FRONT, "commonwealth", ["W"], revealed=False)
    start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    do(s, "hits 0")
    ways = texts(s)
    assert "to 0726 -" in ways
    for side in (AXIS, COMMONWEALTH):
        twin = GAME.redeal(s, side, Random(3))
        assert GAME.prompt(twin).title == GAME.prompt(s).title
        if side == COMMONWEALTH:
            assert texts(twin) == ways
            assert GAME.prompt(twin) == GAME.prompt(s)


@pytest.mark.rule("rommel", "17.1b", "17.1c")
def test_a_base_taken_by_rout_pursuit_or_fire_ends_the_game_at_once() -> None:
    def at_the_base(broken: bool, attacked: bool = False) -> State:
        s = empty("axis")
        place(s, "IT-ARI", "Alexandria")
        place(s, "CW-3A", "Alexandria", 1, disrupted=broken)
        battle(s, "Alexandria", "commonwealth", ["SW"], revealed=False, attacked=attacked)
        return s

    base = H("Alexandria")
    s = at_the_base(broken=True)
    start(s, (F_OPTION,), (F_ROUT, base, COMMONWEALTH, 0))
    assert s.ended is not None
    s = at_the_base(broken=False)
    start(s, (F_OPTION,), (F_ROUND, base, 0, 0))
    do(s, "hits 0", "hits 1")
    assert s.ended is not None
    assert s.ended.winner == AXIS


# 11.4 Overrun


@pytest.mark.rule("rommel", "11.4a", "11.4b", "8.2e")
def test_one_unit_routs_a_whole_disrupted_group_at_once() -> None:
    s = overrun("IT-ARI", cw=("CW-22G", "CW-3A", "CW-7A"))
    move(s, "IT-ARI", f"{FRONT} NW")
    events = do(s, "end-move")
    assert next(e for e in events if e.kind == "routed").data["count"] == 3
    assert s.stack[-1][0] == F_PURSUIT_ROLL
    do(s, "hits 0", "to 0726 -", "to 0726 -", "to 0726 -")
    assert at(s, "IT-ARI") == FRONT
    assert not s.here[H(FRONT)] & s.board.of_side[COMMONWEALTH]


@pytest.mark.rule("rommel", "11.4b", "11.4c")
def test_several_units_may_attack_first_to_strengthen_the_pursuit_within_the_hexside_limits() -> None:
    s = overrun("IT-ARI", "IT-LIT", "IT-TRE")
    move(s, "IT-ARI", f"{FRONT} NW")
    move(s, "IT-LIT", f"{FRONT} NW")
    do(s, "move IT-TRE")
    assert f"to {FRONT} NW" not in texts(s), "two have crossed that hexside"
    assert f"to {FRONT} W" in texts(s)
    do(s, f"to {FRONT} W")
    events = do(s, "end-move")
    # speed 2 flees: two tanks with two dice, the motorised infantry with one
    assert next(e for e in events if e.kind == "pursuit").data["dice"] == 5


@pytest.mark.rule("rommel", "11.4c")
def test_overrunners_stop_and_move_no_more_this_turn() -> None:
    s = overrun("IT-ARI", "IT-LIT", option="offensive")
    move(s, "IT-ARI", f"{FRONT} NW")
    do(s, f"rout {FRONT}", "hits 0", "to 0726 -")
    assert at(s, "IT-ARI") == FRONT
    assert texts(s) == ["move IT-LIT", "end-move"]
    do(s, "end-move")
    assert not [t for t in texts(s) if t.startswith(f"group {FRONT}")]


@pytest.mark.rule("rommel", "11.4d")
def test_units_of_the_same_move_go_on_through_the_cleared_hex() -> None:
    s = overrun("IT-ARI", "IT-LIT")
    move(s, "IT-ARI", f"{FRONT} NW")
    do(s, f"rout {FRONT}", "hits 0", "to 0726 -")
    move(s, "IT-LIT", "0725 -")
    assert at(s, "IT-LIT") == "0725"


@pytest.mark.rule("rommel", "11.4e")
def test_more_than_one_overrun_in_a_turn() -> None:
    s = overrun("IT-ARI", "IT-LIT")
    place(s, "CW-3A", "0824", disrupted=True)
    move(s, "IT-ARI", f"{FRONT} NW")
    do(s, f"rout {FRONT}", "hits 0", "to 0726 -")
    do(s, "move IT-LIT")
    do(s, "to 0824 W")
    events = do(s, "end-move")
    assert "routed" in kinds(events)
    assert hexes(s.occ[AXIS]) == {FRONT, "0824"}


@pytest.mark.rule("rommel", "11.4a")
def test_an_overrun_is_no_battle_to_be_fought() -> None:
    s = overrun("IT-ARI")
    move(s, "IT-ARI", f"{FRONT} NW")
    do(s, "end-move", "hits 0", "to 0726 -")
    assert not any(f[0] == F_FIRE_ROLL for f in s.stack)
    assert s.attacked == 0
    assert s.defends == [0, 0]
