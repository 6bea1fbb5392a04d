"""Chapter 7, engagement, and 8.1 to 8.3: hexsides, attacks and roles."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.rommel.sequence import PART_DECLARE, begin_phase, begin_turn
from sandtable.games.rommel.supply.supply import trace
from sandtable.games.rommel.table.ids import AXIS, COMMONWEALTH, DIRS, F_ENGAGED, F_MONTH, F_TURN, NO_DIR
from sandtable.games.rommel.table.state import State, friendly_sides, owns_side

from ..kit import (
    GAME,
    H,
    U,
    at,
    battle,
    board,
    do,
    empty,
    kinds,
    lucky,
    mask,
    place,
    roll,
    start,
    texts,
    units,
    why,
)
from ..movekit import go, goes, group, hexes_in, moving, to_act

rule = pytest.mark.rule


def reason(s: State, text: str) -> str:
    found = why(s, text)
    assert found is not None, f"{text} is legal"
    return found.rule


def friendly(s: State, hex_: str, side: int) -> set[str]:
    return {DIRS[d] for d, own in enumerate(friendly_sides(s, H(hex_), side)) if own}


def quietly(s: State, until: str) -> None:
    """Let dice fall low and decisions be the first until an action is on offer."""
    for _ in range(50):
        if to_act(s) == CHANCE:
            lucky(s, 1)
        elif until in texts(s):
            return
        else:
            do(s, texts(s)[0])
    raise AssertionError(f"'{until}' never came")


# 7.0


@rule("rommel", "7.0a", "7.0b", "8.2a", "8.3a")
def test_to_enter_a_hex_with_enemies_is_to_engage_and_alone_to_attack() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    place(s, "CW-4A", "0811")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5")
    assert reason(s, "to 0811 -") == "7.1a"  # which hexside?
    assert reason(s, "to 0809 E") == "7.0a"  # nobody to engage there
    events = do(s, "to 0811 W")
    assert "attacked" in kinds(events)
    assert s.attacked == mask("0811")
    assert s.defends == [0, mask("0811")]
    assert s.via[U("GE-PZ5")] == DIRS.index("W")


@rule("rommel", "8.2b")
def test_to_reinforce_a_battle_is_no_attack() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    place(s, ["GE-PZ8", "CW-4A"], "0811")
    battle(s, "0811", "commonwealth", ["W"])
    moving(s)
    events = do(s, "group 0810 0", "move GE-PZ5", "to 0811 W")
    assert "attacked" not in kinds(events)
    assert s.attacked == 0
    do(s, "end-moves", "marches")
    assert "avoid 0811" not in texts(s)


# 7.1


@rule("rommel", "7.1a", "7.1b")
def test_two_units_engage_through_a_clear_hexside() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "IT-ARI"], "0810")
    place(s, "CW-4A", "0811")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0811 W", "move GE-PZ8", "to 0811 W", "move IT-ARI")
    assert "to 0811 W" not in texts(s)
    assert reason(s, "to 0811 W") == "7.1b"
    assert "to 0811 NW" in texts(s)  # another hexside has its own limit


@rule("rommel", "7.1a", "7.1b")
def test_e7_1_three_clear_hexsides_let_six_units_in() -> None:
    s = empty(option="offensive")
    names = ["GE-PZ5", "GE-PZ8", "IT-ARI", "GE-AA3", "GE-AA33", "GE-K15", "GE-MG8", "GE-104"]
    place(s, names, "0810")
    place(s, "CW-4A", "0811")
    # all other sides of the hex are held by enemies, so that nobody gets there
    for name, hex_ in (("CW-7A", "0812"), ("CW-22A", "0912"), ("CW-11H", "0712")):
        place(s, name, hex_)
    moving(s)
    do(s, "group 0810 0")
    sides = ["W", "W", "NW", "NW", "SW", "SW"]
    for name, via in zip(names[:6], sides, strict=True):
        do(s, f"move {name}", f"to 0811 {via}")
    do(s, f"move {names[6]}")
    assert not any(t.startswith("to 0811") for t in texts(s))
    assert (s.here[H("0811")] & board.of_side[AXIS]).bit_count() == 6


@rule("rommel", "7.1c")
def test_one_unit_engages_through_a_gorge_or_a_mountain_road() -> None:
    for start_, target, via in (
        ("0516", "0615", "NE"),  # Halfaya, a gorge
        ("0205", "0305", "NE"),  # the road from Barce through the Jebel
        ("0902", "1001", "NE"),  # Marada track through the marsh
    ):
        s = empty(active="commonwealth")
        place(s, ["CW-4A", "CW-7A"], start_)
        place(s, "IT-SAV", target)
        moving(s)
        do(s, f"group {start_} 0", "move CW-4A", f"to {target} {via}", "move CW-7A")
        assert f"to {target} {via}" not in texts(s)
        assert reason(s, f"to {target} {via}") == "7.1c"


@rule("rommel", "7.1d")
def test_impassable_hexsides_are_not_engaged_through() -> None:
    s = empty()
    place(s, "GE-AA3", "0516")
    place(s, "CW-4A", "0616")
    moving(s)
    do(s, "group 0516 0", "move GE-AA3")
    assert "to 0616 NW" not in texts(s)
    assert reason(s, "to 0616 NW") == "7.1d"


@rule("rommel", "7.1e", "4.4d", "7.1a")
def test_the_limits_count_anew_in_the_blitz_phase() -> None:
    s = empty(option="blitz")
    names = ["GE-PZ5", "GE-PZ8", "IT-ARI", "GE-K15", "GE-AA3"]
    place(s, names, "0810")
    place(s, "CW-4A", "0811")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0811 W", "move GE-PZ8", "to 0811 W", "end-move")
    s.stack.clear()
    moving(s, blitz=True)
    do(s, "group 0810 0", "move IT-ARI", "to 0811 W", "move GE-K15", "to 0811 W", "move GE-AA3")
    assert "to 0811 W" not in texts(s)  # A4: a new allowance, not none


@rule("rommel", "7.1a", "5.2d")
def test_the_limits_hold_across_the_moves_of_a_phase() -> None:
    s = empty(option="offensive")
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    place(s, "IT-ARI", "0809")
    place(s, "CW-4A", "0811")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0811 W", "move GE-PZ8", "to 0811 W")
    do(s, "regroup 0810 0", "gather 0811")
    assert {t for t in texts(s) if t.startswith("join IT-ARI")} == {"join IT-ARI NW", "join IT-ARI SW"}
    assert reason(s, "join IT-ARI W") == "7.1b"


# 7.2


def in_battle(option: str = "basic", *more: str) -> State:
    """GE-PZ5 attacks CW-4NZ in 0811 from the west; `more` stand with it."""
    s = empty(option=option)
    place(s, ["GE-PZ5", "CW-4NZ", *more], "0811")
    battle(s, "0811", "commonwealth", ["W"])
    return moving(s)


@rule("rommel", "7.2a", "7.2b", "8.1a", "10.1a")
def test_a_unit_disengages_through_friendly_hexsides_only() -> None:
    s = in_battle()
    where = hexes_in(goes(s, "GE-PZ5"))
    assert "0810" in where
    assert {"0809", "0710", "0910"} <= where  # and it may go on (10.1b)
    assert "0812" not in where  # five hexes round: too far
    do(s, "group 0811 0", "move GE-PZ5")
    assert reason(s, "to 0812 -") == "7.2b"
    assert reason(s, "to 0813 -") == "7.2b"  # nobody stands in the way: the enemy's hexsides make it too far
    # the Attacker has the western hexside, the Defender all others (8.1c)
    assert friendly(s, "0811", AXIS) == {"W"}
    assert friendly(s, "0811", COMMONWEALTH) == {"E", "NE", "NW", "SW", "SE"}


@rule("rommel", "7.2b")
def test_who_owns_no_hexside_cannot_leave() -> None:
    s = empty()
    place(s, ["GE-PZ5", "CW-4NZ"], "0811")
    battle(s, "0811", "commonwealth")
    moving(s)
    assert not any(t.startswith("group 0811") for t in texts(s))
    assert reason(s, "group 0811 0") == "7.2b"


@rule("rommel", "7.2b", "10.1a")
def test_the_first_hex_must_be_free_of_enemies() -> None:
    s = in_battle()
    place(s, "CW-5NZ", "0810", disrupted=True)
    GAME.settle(s)
    s.choices = None
    assert not any(t.startswith("group 0811") for t in texts(s))


@rule("rommel", "7.2c", "7.2e", "11.0a", "10.3b")
def test_a_unit_that_disengages_is_disrupted() -> None:
    s = in_battle()
    do(s, "group 0811 0", "move GE-PZ5", "to 0809 -")
    assert at(s, "GE-PZ5") == "0811"  # it goes when the move is over
    assert s.leaving == units("GE-PZ5")
    events = do(s, "end-move")
    assert "full_retreat" in kinds(events)
    if to_act(s) == CHANCE:
        lucky(s, 1)
    assert at(s, "GE-PZ5") == "0809"
    assert s.disrupted >> U("GE-PZ5") & 1
    assert not s.revealed >> U("GE-PZ5") & 1  # face down where it ends
    assert s.disengaged == units("GE-PZ5")
    assert not s.defends[COMMONWEALTH]  # the battle is over


@rule("rommel", "7.2e")
def test_the_enemy_does_not_see_who_leaves_or_where_to() -> None:
    s = in_battle("basic", "GE-PZ8")
    events = do(s, "group 0811 0", "move GE-PZ5", "to 0809 -")
    leaving = next(e for e in events if e.kind == "leaving")
    assert "unit" not in (leaving.seen_by(COMMONWEALTH) or {})
    assert "to" not in (leaving.seen_by(COMMONWEALTH) or {})
    assert (leaving.seen_by(AXIS) or {})["to"] == H("0809")


@rule("rommel", "7.2d")
def test_any_number_may_leave_through_one_hexside() -> None:
    s = in_battle("basic", "GE-PZ8", "IT-ARI", "GE-AA3")
    do(s, "group 0811 0")
    for name in ("GE-PZ5", "GE-PZ8", "IT-ARI", "GE-AA3"):
        do(s, f"move {name}", "to 0810 -")
    do(s, "end-move")
    quietly(s, "end-moves")
    assert s.here[H("0810")] == units("GE-PZ5", "GE-PZ8", "IT-ARI", "GE-AA3")


@rule("rommel", "7.2f", "10.1b")
def test_who_disengages_does_not_engage_again() -> None:
    s = in_battle()
    place(s, "CW-5NZ", "0809")
    place(s, "CW-6NZ", "0710", disrupted=True)
    s.choices = None
    where = goes(s, "GE-PZ5")
    assert not any(" " in w for w in where)
    assert not {"0809", "0710"} & hexes_in(where)
    do(s, "group 0811 0", "move GE-PZ5")
    assert reason(s, "to 0809 E") == "7.2f"


@rule("rommel", "7.2g", "10.0a", "10.4a", "10.4c", "10.4e")
def test_some_leave_a_partial_retreat_all_leave_a_full_one() -> None:
    s = in_battle("basic", "GE-PZ8")
    do(s, "group 0811 0", "move GE-PZ5", "to 0810 -")
    events = do(s, "end-move")
    assert "full_retreat" not in kinds(events)
    assert at(s, "GE-PZ5") == "0811"  # a partial retreat waits for all other moves
    events = do(s, "end-moves")
    assert "partial_retreat" in kinds(events)
    assert to_act(s) == COMMONWEALTH  # who may probe
    do(s, "no-probe 0811")
    assert at(s, "GE-PZ5") == "0810"
    assert s.no_fight == mask("0811")
    s = in_battle("offensive", "GE-PZ8")
    do(s, "group 0811 0", "move GE-PZ5", "to 0810 -", "end-move")
    events = do(s, "group 0811 0", "move GE-PZ8", "to 0810 -", "end-move")
    assert "full_retreat" in kinds(events)  # by two moves


@rule("rommel", "7.2g")
def test_disrupted_units_do_not_count_for_a_full_retreat_and_rout_when_left_alone() -> None:
    """A24"""
    s = in_battle()
    place(s, "GE-PZ8", "0811", disrupted=True)
    s.choices = None
    do(s, "group 0811 0", "move GE-PZ5", "to 0810 -")
    events = do(s, "end-move")
    assert "full_retreat" in kinds(events)
    while to_act(s) == CHANCE:
        events += lucky(s, 1)
    assert "routed" in kinds(events)
    assert s.here[H("0811")] & board.of_side[AXIS] == 0


@rule("rommel", "10.1a", "7.2b")
def test_if_the_way_has_been_closed_the_owner_chooses_again() -> None:
    s = in_battle("offensive", "GE-PZ8")
    place(s, "CW-6NZ", "0709", disrupted=True)  # will be routed into the way
    s.choices = None
    do(s, "group 0811 0", "move GE-PZ5", "to 0808 -", "end-move")
    # meanwhile enemies have come to stand there
    place(s, "CW-6NZ", "0808")
    do(s, "end-moves", "no-probe 0811")
    assert to_act(s) == AXIS
    assert all(t.startswith("to ") for t in texts(s))
    assert "to 0808 -" not in texts(s)
    assert reason(s, "to 0808 E") == "7.2f"
    do(s, "to 0809 -")
    assert at(s, "GE-PZ5") == "0809"


# 7.3


def after_movement(s: State) -> None:
    start(s, (F_MONTH, 3), (F_TURN, PART_DECLARE), (F_ENGAGED, 0))


@rule("rommel", "7.3a", "8.5b")
def test_units_are_revealed_when_all_movement_is_over() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    place(s, "CW-4A", "0811")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0811 W", "end-move")
    assert s.revealed == 0
    do(s, "end-moves")
    assert s.revealed == 0
    do(s, "marches")
    while not s.revealed:
        do(s, "stand 0811" if "stand 0811" in texts(s) else texts(s)[0])
    assert s.revealed == units("GE-PZ5", "CW-4A")


@rule("rommel", "7.3a")
def test_reinforcements_of_a_battle_are_revealed_too() -> None:
    s = empty()
    place(s, ["GE-PZ5", "CW-4A"], "0811")
    battle(s, "0811", "commonwealth", ["W"])
    place(s, "GE-PZ8", "0810")
    place(s, "IT-ARI", "0811", disrupted=True)
    moving(s)
    go(s, "GE-PZ8", "0811 W")
    assert not s.revealed >> U("GE-PZ8") & 1
    after_movement(s)
    assert s.revealed == units("GE-PZ5", "GE-PZ8", "CW-4A")  # disrupted blocks lie face down


@rule("rommel", "7.3b", "8.0a")
def test_they_stay_revealed_until_they_leave_or_the_battle_ends() -> None:
    s = in_battle("basic", "GE-PZ8")
    assert s.revealed == units("GE-PZ5", "GE-PZ8", "CW-4NZ")
    begin_turn(s)
    begin_phase(s)
    assert s.revealed == units("GE-PZ5", "GE-PZ8", "CW-4NZ")
    s.option = 0
    after_movement(s)
    assert s.revealed == units("GE-PZ5", "GE-PZ8", "CW-4NZ")
    s = in_battle("basic", "GE-PZ8")
    do(s, "group 0811 0", "move GE-PZ5", "to 0810 -", "end-move", "end-moves", "no-probe 0811")
    assert s.revealed == units("GE-PZ8", "CW-4NZ")
    s = in_battle()
    do(s, "group 0811 0", "move GE-PZ5", "to 0810 -", "end-move")
    quietly(s, "end-moves")
    assert s.revealed == 0


# 8.1


@rule("rommel", "8.1a", "8.1c", "12.5b")
def test_uncrossed_hexsides_are_the_defenders() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    place(s, "CW-4A", "0811")
    moving(s)
    go(s, "GE-PZ5", "0811 W")
    assert friendly(s, "0811", AXIS) == {"W"}
    assert friendly(s, "0811", COMMONWEALTH) == set(DIRS[:6]) - {"W"}
    assert all(owns_side(s, H("0811"), d, AXIS) != owns_side(s, H("0811"), d, COMMONWEALTH) for d in range(6))


@rule("rommel", "8.1b", "12.5b")
def test_a_hexside_belongs_to_whoever_crossed_it_last() -> None:
    s = empty()
    place(s, ["GE-PZ5", "CW-4A"], "0811")
    battle(s, "0811", "commonwealth", ["W"])
    place(s, "GE-PZ8", "0812")
    moving(s)
    go(s, "GE-PZ8", "0811 E")  # the Attacker comes in from the east, too
    assert friendly(s, "0811", AXIS) == {"W", "E"}  # at once
    # and the Defender takes the western hexside back
    s.stack.clear()
    s.active, s.moved = COMMONWEALTH, 0
    place(s, "CW-7A", "0810")
    moving(s)
    go(s, "CW-7A", "0811 W")
    assert friendly(s, "0811", AXIS) == {"E"}


@rule("rommel", "8.1b")
def test_raiders_turn_no_hexside() -> None:
    """12.5e, A11"""
    s = empty(option="offensive")
    place(s, "GE-AA3", "0810", unsupplied=True)
    place(s, "GE-PZ5", "0809")
    place(s, "CW-4A", "0811")
    moving(s)
    go(s, "GE-AA3", "0811 W")
    assert friendly(s, "0811", AXIS) == set()
    go(s, "GE-PZ5", "0811 W")  # a supplied unit crosses the same hexside
    assert friendly(s, "0811", AXIS) == {"W"}
    after_movement(s)
    assert s.raiders == 0  # and the other is no raider any more


@rule("rommel", "8.1b", "12.5f")
def test_a_raider_is_marked_after_all_movement_while_the_hexside_is_the_enemys() -> None:
    s = empty()
    place(s, "GE-AA3", "0810", unsupplied=True)
    place(s, "CW-4A", "0811")
    moving(s)
    go(s, "GE-AA3", "0811 W")
    assert s.raiders == 0
    after_movement(s)
    assert s.raiders == units("GE-AA3")


# 8.2, 8.3


@rule("rommel", "8.2c", "8.2d", "8.6b")
def test_the_attacked_stand_and_fight_or_avoid_battle() -> None:
    def attacked() -> State:
        s = empty()
        place(s, "GE-PZ5", "0312")
        place(s, "CW-4A", "0313")
        place(s, "CW-24A", "0314")
        moving(s)
        go(s, "GE-PZ5", "0313 W")
        do(s, "end-moves", "marches")
        return s

    s = attacked()
    assert to_act(s) == COMMONWEALTH
    assert set(texts(s)) == {"stand 0313", "avoid 0313"}
    do(s, "stand 0313")
    assert s.to_fight == mask("0313")  # the battle must be fought
    assert s.revealed
    s = attacked()
    do(s, "avoid 0313")
    quietly(s, "to 0314 -")
    do(s, "to 0314 -")
    assert at(s, "CW-4A") == "0314"
    assert s.disrupted >> U("CW-4A") & 1
    assert not s.defends[COMMONWEALTH]


@rule("rommel", "8.2e", "11.4a", "11.4b", "11.3b")
def test_disrupted_units_without_protection_are_routed_at_once() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0312")
    place(s, "CW-4A", "0313", disrupted=True)
    place(s, "CW-24A", "0315")
    moving(s)
    do(s, "group 0312 0", "move GE-PZ5", "to 0313 W")
    assert "rout 0313" in texts(s)
    assert "move GE-PZ8" in texts(s)  # or attack with more first (11.4b)
    events = do(s, "rout 0313")
    assert "routed" in kinds(events)
    assert s.cv[U("CW-4A")] == board.max_cv[U("CW-4A")] - board.step_cv[U("CW-4A")]
    quietly(s, "move GE-PZ8")
    assert s.here[H("0313")] == units("GE-PZ5")


@rule("rommel", "8.2e", "11.4b", "11.4d", "11.4e")
def test_overruns_wait_for_the_end_of_the_move_or_are_resolved_before() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "GE-AA3"], "0810")
    place(s, "CW-4A", "0811", disrupted=True)
    place(s, "CW-7A", "0813", disrupted=True)
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0811 W")
    assert reason(s, "rout 0813") == "11.4a"
    # before the rout the hex is not passed; after it, it is
    do(s, "move GE-AA3")
    assert "to 0811 W" in texts(s)
    do(s, "to 0809 -")
    do(s, "rout 0811")
    quietly(s, "move GE-PZ8")
    assert at(s, "CW-4A") == "dead"  # nowhere to withdraw to
    do(s, "move GE-PZ8")
    assert "to 0813 W" in texts(s)  # through the hex now cleared (11.4d)
    do(s, "to 0813 W")
    do(s, "end-move")  # and a second overrun in the same turn (11.4e)
    quietly(s, "end-moves")
    assert at(s, "CW-7A") == "dead"


@rule("rommel", "8.2e")
def test_protected_disrupted_units_are_not_routed() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    place(s, "CW-4A", "0811", disrupted=True)
    place(s, "CW-24A", "0811")
    moving(s)
    events = do(s, "group 0810 0", "move GE-PZ5", "to 0811 W")
    assert s.overrun == 0
    assert "routed" not in kinds(events)


@rule("rommel", "8.3a", "8.0a")
def test_the_roles_last_as_long_as_the_engagement() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    place(s, "CW-4A", "0811")
    place(s, "CW-7A", "0812")
    moving(s)
    go(s, "GE-PZ5", "0811 W")
    assert s.defends == [0, mask("0811")]
    # the other side's turn: its units come in, and it is still the Defender
    s.stack.clear()
    s.active, s.moved = COMMONWEALTH, 0
    moving(s)
    go(s, "CW-7A", "0811 E")
    assert s.defends == [0, mask("0811")]
    assert s.attacked == 0


@rule("rommel", "8.3b", "1.2e")
def test_the_defender_controls_the_hex_for_supply() -> None:
    for defender, open_ in (("axis", True), ("commonwealth", False)):
        s = empty()
        place(s, ["GE-PZ5", "CW-4A"], "0504")
        battle(s, "0504", defender, ["E"])
        assert bool(trace(s, AXIS) & mask("0403")) is open_


# What else a move tells


@rule("rommel", "7.3a", "0.3b")
def test_the_enemy_does_not_learn_which_block_moved() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    moving(s)
    events = do(s, group(s, "GE-PZ5"), "move GE-PZ5", "to 0813 -")
    moved = next(e for e in events if e.kind == "moved")
    assert "unit" not in (moved.seen_by(COMMONWEALTH) or {})
    assert (moved.seen_by(AXIS) or {})["unit"] == U("GE-PZ5")
    assert list(moved.data["path"]) == [H("0811"), H("0812"), H("0813")]
    assert moved.data["via"] == NO_DIR


@rule("rommel", "7.2c", "10.5a")
def test_pursuit_of_a_full_retreat() -> None:
    s = in_battle()
    do(s, "group 0811 0", "move GE-PZ5", "to 0810 -")
    place(s, "CW-4A", "0811")
    s.choices = None
    do(s, "end-move")
    assert to_act(s) == CHANCE
    roll(s, 6)  # one pursuer of equal speed; one hit does not hurt an elite unit
    assert at(s, "GE-PZ5") == "0810"
