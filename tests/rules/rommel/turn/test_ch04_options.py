"""Chapter 4: turn options."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_AVOID,
    F_DECLARE,
    F_FIRE_ROLL,
    F_GROUP,
    F_MARCH,
    F_MOVES,
    F_OPTION,
    F_REGROUP,
)
from sandtable.games.rommel.table.state import State

from ..kit import GAME, U, at, battle, board, do, empty, kinds, new, place, texts, units, why
from ..turns import frames_until, near_agedabia, quiet, top, turn, turn_over


def paid(option: str) -> int:
    """The real cards an option takes from the hand."""
    s = near_agedabia()
    before = s.real[AXIS]
    do(s, f"option {option} 0")
    return before - s.real[AXIS]


def dice_of(s: State) -> dict[str, int]:
    """Let a battle be fought to the end of the round; the dice that each unit rolls."""
    dice: dict[str, int] = {}

    def watch(s: State) -> bool:
        f = s.stack[-1]
        if f[0] == F_FIRE_ROLL:
            dice[board.units[f[3]]] = max(a[1] for a in GAME.legal(s))
        return turn_over(s)

    quiet(s, watch)
    return dice


def two_battles(option: str) -> State:
    """An Axis turn with two old battles at its declaration."""
    s = empty("axis", None)
    place(s, ["GE-PZ5", "CW-KDG"], "0704")
    place(s, ["IT-ARI", "CW-3A"], "0604")
    battle(s, "0704", defender="axis")
    battle(s, "0604", defender="axis")
    turn(s)
    do(s, f"option {option} 0", "end-moves")
    quiet(s, lambda s: top(s) == F_DECLARE)
    return s


# 4.0 In general


@pytest.mark.rule("rommel", "4.0a")
def test_an_option_is_fixed_by_cards_face_down() -> None:
    """Whatever option, and with however many dummies among them: the enemy sees the number of cards."""
    views = []
    for option, dummies in (("basic", 2), ("offensive", 1), ("assault", 1), ("blitz", 0)):
        s = near_agedabia()
        events = do(s, f"option {option} {dummies}")
        assert [e.seen_by(COMMONWEALTH) for e in events] == [{"side": AXIS, "cards": 3}]
        views.append(GAME.view(s, COMMONWEALTH))
        assert views[-1]["option"] is None
        assert GAME.view(s, AXIS)["option"] == option
    assert all(view == views[0] for view in views)


@pytest.mark.rule("rommel", "4.0b", "4.1")
@pytest.mark.parametrize("kind", ["group", "regroup"])
def test_one_move_is_one_group_or_one_regroup_move(kind: str) -> None:
    s = near_agedabia("basic")
    if kind == "group":
        do(s, "group 0803 0", "move GE-PZ5", "to 0903 -", "end-move")
    else:
        do(s, "regroup 0803 0", "gather 0903", "join GE-PZ5 -")
        quiet(s, lambda s: top(s) != F_REGROUP)
    assert at(s, "GE-PZ5") == "0903"
    assert texts(s) == ["end-moves"]
    assert why(s, "group 0902 0") is not None


@pytest.mark.rule("rommel", "4.0c")
def test_a_combat_round_is_fighting_some_or_all_battles() -> None:
    s = two_battles("basic")
    do(s, "fight 0704", "fight 0604", "declared")
    assert set(dice_of(s)) == {"CW-KDG", "GE-PZ5", "CW-3A", "IT-ARI"}
    s = two_battles("basic")
    do(s, "fight 0604", "declared")
    assert set(dice_of(s)) == {"CW-3A", "IT-ARI"}


# 4.1 to 4.4 The options


@pytest.mark.rule("rommel", "4.1", "4.2a", "4.3a", "4.4a")
def test_costs() -> None:
    assert [paid(option) for option in ("basic", "offensive", "assault", "blitz")] == [1, 2, 2, 3]


@pytest.mark.rule("rommel", "4.1", "4.2a", "4.3a", "4.4a")
@pytest.mark.parametrize(("option", "cost"), [("basic", 1), ("offensive", 2), ("assault", 2), ("blitz", 3)])
def test_an_option_needs_its_real_cards(option: str, cost: int) -> None:
    """M18: only what the real cards pay for can be chosen at all."""
    s = near_agedabia()
    s.real[AXIS], s.dummy[AXIS] = cost - 1, 5
    s.choices = None
    assert not any(t.startswith(f"option {option}") for t in texts(s))
    assert f"costs {cost} real" in why(s, f"option {option} 0").why
    s.real[AXIS] = cost
    s.choices = None
    assert f"option {option} 0" in texts(s)


@pytest.mark.rule("rommel", "4.1")
def test_basic_turn() -> None:
    s = near_agedabia("basic")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move")
    assert texts(s) == ["end-moves"]  # one move
    fired: list[int] = []
    events = quiet(s, turn_over)
    fired += [e.data["unit"] for e in events if e.kind == "fired"]
    assert fired.count(U("GE-PZ5")) == 1  # and one combat round
    assert kinds(events).count("round") == 1


@pytest.mark.rule("rommel", "4.2a", "4.2b")
def test_offensive_turn() -> None:
    s = near_agedabia("offensive")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move")
    assert top(s) == F_MOVES
    do(s, "group 0803 0")
    assert texts(s) == ["move GE-AA3", "move GE-PZ8"]  # no unit moves twice
    do(s, "move GE-PZ8", "to 0704 SW")
    quiet(s, lambda s: top(s) not in (F_GROUP, F_MOVES))
    assert not any(t.startswith("group") for t in texts(s))
    # both moves belong to the same movement phase: the hexside is full (7.1b)
    assert s.entered[6 + 4] >> s.at[U("GE-PZ8")] & 1
    events = quiet(s, turn_over)
    assert kinds(events).count("round") == 1


@pytest.mark.rule("rommel", "4.3a", "4.3b", "4.3d")
def test_assault_turn() -> None:
    s = near_agedabia("assault")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move")
    assert texts(s) == ["end-moves"]  # one move
    quiet(s, lambda s: top(s) == F_DECLARE)
    assert "assault 0704" in texts(s)
    for option in ("basic", "offensive", "blitz"):
        assert not any(t.startswith("assault") for t in texts(two_battles(option)))
    # any or all battles may be assaults, the others are fought normally or not at all
    s = two_battles("assault")
    assert {"assault 0604", "assault 0704", "fight 0604", "fight 0704", "declared"} == set(texts(s))
    do(s, "assault 0604", "fight 0704", "declared")
    both = dice_of(s)
    assert set(both) == {"CW-KDG", "GE-PZ5", "CW-3A", "IT-ARI"}
    s = two_battles("assault")
    do(s, "assault 0604", "declared")
    assert set(dice_of(s)) == {"CW-3A", "IT-ARI"}
    s = two_battles("assault")
    do(s, "assault 0604", "assault 0704", "declared")
    assert set(dice_of(s)) == {"CW-KDG", "GE-PZ5", "CW-3A", "IT-ARI"}


@pytest.mark.rule("rommel", "4.3c")
def test_both_sides_roll_twice_the_dice_in_an_assault() -> None:
    s = two_battles("assault")
    do(s, "assault 0604", "fight 0704", "declared")
    cv = {name: s.cv[U(name)] for name in ("CW-KDG", "GE-PZ5", "CW-3A", "IT-ARI")}
    dice = dice_of(s)
    assert dice["CW-3A"] == 2 * cv["CW-3A"]
    assert dice["IT-ARI"] == 2 * cv["IT-ARI"]
    assert dice["CW-KDG"] == cv["CW-KDG"]  # the other battle is an ordinary one
    assert dice["GE-PZ5"] == cv["GE-PZ5"]


@pytest.mark.rule("rommel", "4.4a", "4.4b", "4.4c")
def test_blitz_turn() -> None:
    s = near_agedabia("blitz")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move")
    assert texts(s) == ["end-moves"]  # one move in the first phase
    events = quiet(s, lambda s: s.stack[-1] == (F_MOVES, 0, 1))
    assert kinds(events).count("round") == 1
    do(s, "group 0803 0")
    assert texts(s) == ["move GE-AA3", "move GE-PZ8"]  # GE-PZ5 has moved
    do(s, "move GE-PZ8", "to 0704 SW", "end-move")
    assert not any(t.startswith(("group", "regroup")) for t in texts(s))  # one move in the second
    quiet(s, lambda s: top(s) == F_DECLARE)
    do(s, "fight 0704")
    events = quiet(s, turn_over)
    assert kinds(events).count("round") == 1
    assert {U("GE-PZ5"), U("GE-PZ8")} <= {e.data["unit"] for e in events if e.kind == "fired"}


@pytest.mark.rule("rommel", "4.4d")
def test_hexside_limits_count_anew_in_a_blitz() -> None:
    """A4: units may engage through a hexside that others used in the first movement phase."""
    s = near_agedabia("blitz")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "move GE-PZ8", "to 0704 SW", "move GE-AA3")
    assert "to 0704 SW" not in texts(s)  # two have used it
    do(s, "to 0903 -")
    place(s, "GE-104", "0803")
    quiet(s, lambda s: s.stack[-1] == (F_MOVES, 0, 1))
    do(s, "group 0803 0", "move GE-104")
    assert "to 0704 SW" in texts(s)


# 4.5 Passing


@pytest.mark.rule("rommel", "4.5a", "0.5e")
def test_a_pass_costs_no_card() -> None:
    s = near_agedabia()
    hand = s.real[AXIS], s.dummy[AXIS]
    events = do(s, "pass")
    assert (s.real[AXIS], s.dummy[AXIS]) == hand
    assert s.played == [0, 0]
    assert events[0].seen_by(COMMONWEALTH) == {"side": AXIS}  # A29: declared openly
    assert GAME.view(s, COMMONWEALTH)["option"] == "pass"
    quiet(s, turn_over)
    assert s.spent == [0, 0]


@pytest.mark.rule("rommel", "4.5b", "4.5c")
def test_a_pass_allows_one_withdrawal_and_nothing_else() -> None:
    s = near_agedabia()
    do(s, "pass")
    do(s, "group 0803 0", "move GE-PZ5")
    assert "to 0903 -" in texts(s)
    assert not any(t.startswith("to 0704") for t in texts(s))  # forward is no withdrawal
    do(s, "to 0903 -", "move GE-PZ8", "to 0903 -", "move GE-AA3", "to 0903 -")
    quiet(s, lambda s: top(s) != F_GROUP)
    assert at(s, "GE-PZ5") == "0903"
    assert not any(t.startswith(("group", "regroup")) for t in texts(s))  # only once
    seen = frames_until(s, turn_over)
    assert F_DECLARE not in seen
    assert F_AVOID not in seen


@pytest.mark.rule("rommel", "4.5c")
def test_no_combat_in_a_pass_turn() -> None:
    """A9: not even where the Attacker of a fortress battle would have to fight."""
    s = empty("axis", None)
    place(s, "IT-BRE", "0902")
    place(s, ["GE-PZ5", "CW-24A"], "0313")
    battle(s, "0313", defender="commonwealth", attacker_sides=["W"])
    turn(s)
    do(s, "pass")
    seen = frames_until(s, turn_over)
    assert not {F_DECLARE, F_FIRE_ROLL, F_MARCH} & set(seen)
    assert s.cv[U("CW-24A")] == board.max_cv[U("CW-24A")]
    assert s.here[board.tobruk] == units("GE-PZ5", "CW-24A")


@pytest.mark.rule("rommel", "4.5d")
def test_two_passes_lead_to_the_buildup() -> None:
    s = new("1941")
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert s.month == 1
    do(s, "pass")
    events = quiet(s, lambda s: s.month == 2)
    assert kinds(events)[-2:] == ["month_over", "buildup"]
