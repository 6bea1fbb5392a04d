"""Chapter 3: the sequence of play."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_ANSWER,
    F_AVOID,
    F_BATTLES,
    F_CHALLENGE,
    F_DEAL,
    F_DECLARE,
    F_FIRE,
    F_FIRE_ROLL,
    F_GROUP,
    F_MARCH,
    F_MARCH_ROLL,
    F_MONTH,
    F_MOVES,
    F_OPTION,
    F_SETUP,
    F_SPEND,
)
from sandtable.games.rommel.table.scenarios import script
from sandtable.games.rommel.table.state import State

from ..kit import GAME, H, U, at, battle, board, do, empty, kinds, new, place, roll, start, texts, units, why
from ..turns import frames_until, near_agedabia, quiet, top, turn, turn_over

# 3.0 Setting up


@pytest.mark.rule("rommel", "3.0")
@pytest.mark.parametrize("scenario", list(board.pack.scenarios))
def test_setting_up(scenario: str) -> None:
    file = board.pack.scenarios[scenario]
    s = GAME.new(scenario)
    assert top(s) == F_DEAL
    assert {u: at(s, u) for u in board.units if s.at[U(u)] >= 0} == file["setup"]
    rng = Random(2)
    while top(s) == F_DEAL:
        GAME.apply(s, GAME.roll(s, lambda n: rng.randint(1, n)).action)
    cards = file["supply_cards"]["initial"]
    assert [s.real[i] + s.dummy[i] for i in (0, 1)] == [cards["axis"], cards["commonwealth"]]


@pytest.mark.rule("rommel", "3.0", "0.3b")
def test_free_set_up() -> None:
    """As an option each side places its blocks in its deployment area, the Commonwealth first."""
    s = new("battleaxe", free_setup=True)
    assert s.stack[-1] == (F_SETUP, COMMONWEALTH, 0)
    area = set(board.pack.scenarios["battleaxe"]["deployment_areas"]["commonwealth"])
    first = "CW-KDG"  # the first of the roster
    assert {t.split()[2] for t in texts(s) if t.startswith("place")} == area
    assert {t.split()[1] for t in texts(s) if t.startswith("place")} == {first}
    assert texts(s)[-1] == "accept"
    assert why(s, f"place {first} 0412").rule == "13.1a"
    assert why(s, f"place {first} 0101").rule == "1.4f"
    assert why(s, "place CW-4A 0518").rule == "3.0"
    other = s.copy()
    before = GAME.view(s, AXIS)
    events = do(s, f"place {first} 0518") + do(other, f"place {first} 0313")
    assert all(e.seen_by(AXIS) is None for e in events)
    assert GAME.view(s, AXIS) == GAME.view(other, AXIS)  # the enemy sees nothing of it yet
    assert GAME.view(s, AXIS)["units"] == before["units"]
    assert GAME.view(s, COMMONWEALTH) != GAME.view(other, COMMONWEALTH)
    events = do(s, "accept")
    assert at(s, first) == "0518"
    assert at(s, "CW-20A") == "0313"  # the rest as printed
    seen = next(e for e in events if e.kind == "set_up").seen_by(AXIS)
    assert set(seen) == {"side", "hexes", "blocks"}
    assert s.stack[-1] == (F_SETUP, AXIS, 0)
    while top(s) == F_SETUP:
        unit = texts(s)[0].split()[1]
        do(s, f"place {unit} 0902")
    assert {at(s, u) for u in board.units if board.side[U(u)] == AXIS and s.at[U(u)] >= 0} == {"0902"}
    assert top(s) == F_OPTION
    assert all(p == -1 for p in s.plan)


# 3.1, 3.2 The month


@pytest.mark.rule("rommel", "3.1a", "3.2a", "0.5a", "0.1c")
def test_parts_of_a_month() -> None:
    s = new("battleaxe")
    quiet(s, lambda s: top(s) == F_OPTION)
    events = quiet(s, lambda s: s.month == 4 and top(s) == F_OPTION)
    parts = ("month_over", "buildup", "player_buildup", "month", "initiative", "turn")
    order = [kind for kind in kinds(events) if kind in parts]
    assert order[-7:] == [*parts[:3], "player_buildup", *parts[3:]]
    # alternating player turns
    events = quiet(s, lambda s: s.month == 5)
    assert [e.data["side"] for e in events if e.kind == "turn"] == [COMMONWEALTH]  # both passed


@pytest.mark.rule("rommel", "3.1b", "4.5d", "0.5f")
def test_the_month_ends_with_two_passes_in_succession() -> None:
    s = new("1941")
    s.real, s.dummy = [3, 3], [0, 0]
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert s.active == COMMONWEALTH
    do(s, "option basic 0")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert (s.active, s.month) == (AXIS, 1)  # one pass does not end it
    do(s, "option basic 0")
    quiet(s, lambda s: top(s) == F_OPTION)
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert (s.active, s.month) == (AXIS, 1)  # nor does a pass that the enemy has not answered
    do(s, "pass")
    events = quiet(s, lambda s: s.month == 2)
    assert "month_over" in kinds(events)


@pytest.mark.rule("rommel", "3.1b", "4.5d")
def test_passes_of_two_months_do_not_add_up() -> None:
    """A32: the pair of passes must be consecutive turns of the same month."""
    s = new("1941")
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert s.month == 2
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert (s.month, s.active) == (2, COMMONWEALTH)


@pytest.mark.rule("rommel", "3.2a")
def test_every_later_month_begins_with_a_buildup() -> None:
    s = new("battleaxe")
    begun = []
    while s.ended is None:
        events = quiet(s, lambda s: top(s) == F_SPEND)
        begun += [s.month] * (kinds(events).count("buildup"))
        if s.ended is None:
            do(s, "spent")
    assert begun == [4, 5]


# 3.3 Initiative


def challenge(s: State) -> State:
    """The initiative decision of a month in which it may be challenged."""
    s.month = 2
    s.stack = []
    start(s, (F_MONTH, 1))
    return s


@pytest.mark.rule("rommel", "3.3a", "0.5c")
def test_the_axis_has_the_initiative_unless_challenged() -> None:
    s = challenge(empty("commonwealth", None))
    assert texts(s) == ["challenge real", "challenge dummy", "no-challenge"]
    assert GAME.to_act(s) == COMMONWEALTH
    do(s, "no-challenge")
    assert (s.first, s.active, top(s)) == (AXIS, AXIS, F_OPTION)
    s = challenge(empty("commonwealth", None, cards=((4, 2), (0, 0))))
    assert (s.first, s.active, top(s)) == (AXIS, AXIS, F_OPTION)  # without a card nobody can challenge


@pytest.mark.rule("rommel", "3.3b", "3.3c")
def test_a_challenge_is_one_card_face_down() -> None:
    s = challenge(empty("axis", None))
    other = s.copy()
    events = do(s, "challenge real")
    twin = do(other, "challenge dummy")
    assert (s.real[COMMONWEALTH], s.dummy[COMMONWEALTH]) == (3, 2)
    assert (other.real[COMMONWEALTH], other.dummy[COMMONWEALTH]) == (4, 1)
    assert [e.seen_by(AXIS) for e in events] == [e.seen_by(AXIS) for e in twin]
    assert GAME.view(s, AXIS) == GAME.view(other, AXIS)
    assert GAME.legal(s) == GAME.legal(other)
    assert (GAME.to_act(s), top(s)) == (AXIS, F_ANSWER)
    assert texts(s) == ["answer real", "answer dummy", "no-answer"]  # A31: he need not answer
    only_real = challenge(empty("axis", None, cards=((0, 1), (1, 0))))
    assert why(only_real, "challenge dummy").rule == "3.3b"
    do(only_real, "challenge real")
    assert why(only_real, "answer real").rule == "3.3c"


@pytest.mark.rule("rommel", "3.3d", "3.3e", "3.3f")
@pytest.mark.parametrize(("card", "answer"), list(product(("real", "dummy"), ("real", "dummy", None))))
def test_who_wins_a_challenge(card: str, answer: str | None) -> None:
    s = challenge(empty("axis", None))
    events = do(s, f"challenge {card}", f"answer {answer}" if answer else "no-answer")
    won = card == "real" and answer != "real"
    assert s.first == s.active == (COMMONWEALTH if won else AXIS)
    lost = [(card == "real") + (answer == "real"), (card == "dummy") + (answer == "dummy")]
    assert s.spent == lost  # all cards played are discarded
    assert sum(s.real) + sum(s.dummy) == 12 - sum(lost)
    shown = next(e for e in events if e.kind == "challenge_cards")
    assert shown.seen_by(AXIS) == {"challenge": card, "answer": answer or "none"}
    assert top(s) == F_OPTION


@pytest.mark.rule("rommel", "3.3d")
def test_the_axis_without_cards_cannot_answer() -> None:
    s = challenge(empty("axis", None, cards=((0, 0), (2, 2))))
    do(s, "challenge real")
    assert (s.first, top(s)) == (COMMONWEALTH, F_OPTION)


@pytest.mark.rule("rommel", "3.3d")
def test_the_initiative_is_won_for_that_month_only() -> None:
    s = challenge(empty("axis", None))
    do(s, "challenge real", "no-answer")
    assert s.first == COMMONWEALTH
    s.stack = []
    s.month = 3
    start(s, (F_MONTH, 1))
    do(s, "no-challenge")
    assert s.first == s.active == AXIS


@pytest.mark.rule("rommel", "3.3g", "3.3h", "3.3a")
@pytest.mark.parametrize("scenario", list(board.pack.scenarios))
def test_no_challenge_in_the_first_month(scenario: str) -> None:
    """3.3h: Crusader begins with a Commonwealth player turn, every other scenario with an Axis one."""
    s = new(scenario)
    asked = []
    quiet(s, lambda s: bool(asked.append(top(s))) or top(s) == F_OPTION)
    assert F_CHALLENGE not in asked
    assert s.active == (COMMONWEALTH if scenario == "crusader" else AXIS)
    assert s.month == script(s).first_month


# 3.4 The player turn


@pytest.mark.rule("rommel", "3.4a", "3.43d", "3.45c", "3.45a", "3.46a")
def test_parts_of_a_blitz_turn_in_their_order() -> None:
    s = near_agedabia("blitz")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW")
    seen = frames_until(s, lambda s: s.stack[-1] == (F_MOVES, 0, 1))
    fight = [F_AVOID, F_DECLARE, F_FIRE, F_FIRE_ROLL]
    order = [n for i, n in enumerate(seen) if n not in seen[:i]]
    assert order == [F_GROUP, F_MOVES, F_MARCH, *fight]  # and then the second movement phase
    assert seen[-1] == F_MOVES
    do(s, "group 0803 0", "move GE-PZ8", "to 0704 SW")
    seen = frames_until(s, lambda s: top(s) == F_DECLARE)
    order = [n for i, n in enumerate(seen) if n not in seen[:i] and n != F_MOVES]
    assert order == [F_GROUP, F_MARCH, F_DECLARE]  # an old battle by now: nobody may avoid it (8.4b)
    do(s, "fight 0704")
    seen = frames_until(s, turn_over)
    assert [n for i, n in enumerate(seen) if n not in seen[:i]] == [
        F_DECLARE,
        F_FIRE,
        F_FIRE_ROLL,
        F_CHALLENGE,
    ]


@pytest.mark.rule("rommel", "3.4a", "3.47", "3.48a")
def test_the_turn_ends_with_the_final_check_and_the_cards() -> None:
    s = near_agedabia("basic")
    place(s, "GE-104", "0807", unsupplied=True)  # in the desert, marked at the initial check
    events = quiet(s, turn_over)
    assert kinds(events)[-2:] == ["disrupted", "cards_shown"]


@pytest.mark.rule("rommel", "3.4b")
def test_active_and_passive() -> None:
    s = near_agedabia("basic")
    assert GAME.to_act(s) == s.active == AXIS
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move", "end-moves", "marches")
    assert (GAME.to_act(s), top(s)) == (COMMONWEALTH, F_AVOID)  # the opponent is asked as the Passive player
    turns = new("1941")
    do(turns, "pass")
    quiet(turns, lambda s: top(s) == F_OPTION)
    assert turns.active == COMMONWEALTH


@pytest.mark.rule("rommel", "3.4b", "6.0d")
def test_a_unit_moves_once_in_every_turn_of_its_side() -> None:
    s = near_agedabia("basic")
    do(s, "group 0803 0", "move GE-PZ5", "to 0903 -", "end-move")
    quiet(s, turn_over)
    s.stack = []
    turn(s)
    do(s, "option basic 0", "group 0903 0", "move GE-PZ5", "to 0803 -")
    assert at(s, "GE-PZ5") == "0803"


@pytest.mark.rule("rommel", "3.41a", "3.41b")
def test_initial_supply_check_and_recovery_open_the_turn() -> None:
    s = empty("axis", None)
    place(s, "GE-PZ5", "0902", disrupted=True)
    place(s, "GE-AA3", "0807")
    place(s, "CW-KDG", "0810", disrupted=True)
    place(s, "CW-4A", "0626", disrupted=True)
    events = turn(s)
    assert top(s) == F_OPTION
    assert s.unsupplied == units("GE-AA3")  # the Active player's units only
    assert s.disrupted == units("CW-KDG", "CW-4A")
    assert {"unsupplied", "recovered"} <= set(kinds(events))


@pytest.mark.rule("rommel", "3.42a", "0.5d")
def test_the_option_is_secret() -> None:
    """Basic with one dummy and Offensive without look the same to the enemy."""
    s = near_agedabia()
    other = s.copy()
    events = do(s, "option basic 1", "group 0803 0", "move GE-PZ5", "to 0903 -", "end-move")
    twin = do(other, "option offensive 0", "group 0803 0", "move GE-PZ5", "to 0903 -", "end-move")
    assert [e.seen_by(COMMONWEALTH) for e in events] == [e.seen_by(COMMONWEALTH) for e in twin]
    assert GAME.view(s, COMMONWEALTH) == GAME.view(other, COMMONWEALTH)
    assert GAME.view(s, AXIS) != GAME.view(other, AXIS)


@pytest.mark.rule("rommel", "3.42b", "0.4c")
def test_cards_played_are_the_real_ones_of_the_option_and_any_dummies() -> None:
    s = near_agedabia()
    s.real[AXIS], s.dummy[AXIS] = 2, 3
    s.choices = None
    cheap = [f"option {option} {n}" for option in ("basic", "offensive", "assault") for n in range(4)]
    assert texts(s) == [*cheap, "pass"]
    assert why(s, "option blitz 0").rule == "4.4a"
    assert why(s, "option basic 4").rule == "3.42b"
    events = do(s, "option offensive 2")
    assert (s.real[AXIS], s.dummy[AXIS], s.played) == (0, 1, [2, 2])
    assert events[0].seen_by(COMMONWEALTH) == {"side": AXIS, "cards": 4}
    s = near_agedabia()
    s.real[AXIS], s.dummy[AXIS] = 0, 5
    s.choices = None
    assert texts(s) == ["pass"]  # dummies buy nothing


@pytest.mark.rule("rommel", "3.43a")
@pytest.mark.parametrize(("option", "moves"), [("basic", 1), ("offensive", 2), ("assault", 1), ("blitz", 1)])
def test_moves_that_the_option_allows(option: str, moves: int) -> None:
    s = near_agedabia(option)
    made = 0
    for hex_, unit in (("0803", "GE-PZ5"), ("0902", "IT-BRE"), ("0803", "GE-PZ8")):
        if f"group {hex_} 0" not in texts(s):
            break
        do(s, f"group {hex_} 0", f"move {unit}", "to 0903 -")
        quiet(s, lambda s: top(s) != F_GROUP)
        made += 1
    assert made == moves
    assert not any(t.startswith(("group", "regroup")) for t in texts(s))


@pytest.mark.rule("rommel", "3.43b")
def test_forced_marches_come_after_all_other_moves() -> None:
    s = near_agedabia("offensive")
    do(s, "group 0803 0", "move GE-PZ5")
    farthest = max((t.split()[1] for t in texts(s)), key=lambda n: board.grid.distance(H(n), H("0803")))
    do(s, f"to {farthest} -", "end-move")
    assert why(s, "march GE-PZ5 0908 -") is not None
    assert not any(t.startswith("march ") for t in texts(s))  # the second move comes first
    do(s, "group 0902 0", "move IT-BRE", "to 0903 -")
    quiet(s, lambda s: top(s) == F_MARCH)
    marches = [t for t in texts(s) if t.startswith("march GE-PZ5")]
    assert marches
    do(s, marches[0], "marches")
    assert top(s) == F_MARCH_ROLL
    roll(s, 4)
    assert top(s) not in (F_MOVES, F_MARCH, F_GROUP)  # nothing moves after them


@pytest.mark.rule("rommel", "3.43c")
def test_withdrawal_before_battle() -> None:
    s = near_agedabia("basic")
    place(s, ["CW-24A", "CW-26A"], "0604")  # a chain of supply is not needed to be asked
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move", "end-moves", "marches")
    assert (top(s), GAME.to_act(s)) == (F_AVOID, COMMONWEALTH)
    assert "stand 0704" in texts(s)


@pytest.mark.rule("rommel", "3.44")
@pytest.mark.parametrize("fought", [(), ("0704",), ("0704", "0604")])
def test_any_number_of_existing_battles(fought: tuple[str, ...]) -> None:
    s = empty("axis", None)
    place(s, ["GE-PZ5", "CW-KDG"], "0704")
    place(s, ["GE-PZ8", "CW-3A"], "0604")
    battle(s, "0704", defender="axis")
    battle(s, "0604", defender="axis")
    turn(s)
    do(s, "option basic 0", "end-moves")
    quiet(s, lambda s: top(s) == F_DECLARE)
    assert set(texts(s)) == {"fight 0604", "fight 0704", "declared"}
    for hex_ in fought:
        do(s, f"fight {hex_}")
    events = do(s, "declared") + quiet(s, turn_over)
    assert {board.grid.names[e.data["hex"]] for e in events if e.kind == "round"} == set(fought)


@pytest.mark.rule("rommel", "3.45a", "3.45b", "4.4b")
def test_blitz_movement_is_for_units_that_have_not_moved() -> None:
    s = near_agedabia("blitz")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "move GE-AA3", "to 0903 -", "end-move")
    quiet(s, lambda s: s.stack[-1] == (F_MOVES, 0, 1))
    assert "group 0903 0" not in texts(s)  # only GE-AA3 is there, and it has moved
    do(s, "group 0803 0")
    assert texts(s) == ["move GE-PZ8"]
    assert why(s, "move GE-AA3") is not None
    basic = near_agedabia("basic")
    do(basic, "end-moves")
    quiet(basic, turn_over)  # no second movement phase in any other turn
    assert basic.played == [0, 0]


@pytest.mark.rule("rommel", "3.46a", "3.46b", "4.4c")
def test_units_fire_in_both_combat_phases_of_a_blitz() -> None:
    s = near_agedabia("blitz")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW", "end-move")
    events = quiet(s, lambda s: s.stack[-1] == (F_MOVES, 0, 1))
    first = [e.data["unit"] for e in events if e.kind == "fired"]
    quiet(s, lambda s: top(s) == F_DECLARE)
    do(s, "fight 0704")
    events = quiet(s, turn_over)
    second = [e.data["unit"] for e in events if e.kind == "fired"]
    assert U("GE-PZ5") in first
    assert sorted(first) == sorted(second)


@pytest.mark.rule("rommel", "3.47")
def test_final_check_disrupts() -> None:
    s = near_agedabia("basic")
    place(s, "GE-104", "0807", unsupplied=True)
    place(s, "GE-115", "0902", unsupplied=True)
    quiet(s, turn_over)
    assert s.disrupted == units("GE-104")  # still without a line
    assert not s.unsupplied >> U("GE-115") & 1


@pytest.mark.rule("rommel", "3.48a", "3.48b")
def test_cards_are_shown_and_discarded() -> None:
    s = near_agedabia()
    before = s.real[AXIS], s.dummy[AXIS]
    do(s, "option assault 1")
    events = quiet(s, turn_over)
    shown = events[-1]
    assert shown.kind == "cards_shown"
    assert shown.seen_by(COMMONWEALTH) == {"side": AXIS, "option": 2, "real": 2, "dummy": 1}
    assert s.spent == [2, 1]
    assert s.played == [0, 0]
    assert (s.real[AXIS], s.dummy[AXIS]) == (before[0] - 2, before[1] - 1)


def test_battles_frame_is_not_asked_when_one_battle_is_fought() -> None:
    """A single battle needs no order (9.0a)."""
    s = near_agedabia("basic")
    do(s, "group 0803 0", "move GE-PZ5", "to 0704 SW")
    assert F_BATTLES not in frames_until(s, turn_over)
