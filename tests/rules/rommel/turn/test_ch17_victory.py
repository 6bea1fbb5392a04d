"""Chapter 17: victory."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Outcome
from sandtable.games.rommel.supply.victory import victory_at_once, weights
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    EXITED,
    F_BUILDUP,
    F_MOVES,
    F_OPTION,
    F_VICTORY,
    HELD,
    POOL,
    REFIT,
    SIDES,
)
from sandtable.games.rommel.table.scenarios import LAST_CHECK, script
from sandtable.games.rommel.table.state import State, eliminate

from ..kit import GAME, H, U, at, battle, board, do, empty, lucky, new, place, start, texts, units, why
from ..turns import quiet, top, turn, turn_over

TOBRUK = 1


def score(s: State) -> Outcome:
    """The game is judged after its last month."""
    start(s, (F_VICTORY,))
    assert s.ended is not None
    return s.ended


def armies(german: int = 0, italian: int = 0, commonwealth: int = 0, tobruk: int = AXIS) -> State:
    """So many units of each nation at their bases; Tobruk belongs to somebody, and nobody is near it."""
    s = empty("axis", None)
    s.fort_owner[TOBRUK] = tobruk
    for count, nation, base in (
        (german, "GE-", "0902"),
        (italian, "IT-", "0902"),
        (commonwealth, "CW-", "0626"),
    ):
        names = [name for name in board.units if name.startswith(nation)]
        place(s, names[:count], base)
    return s


# 17.0 The end of the game


@pytest.mark.rule("rommel", "17.0a")
@pytest.mark.parametrize("scenario", list(board.pack.scenarios))
def test_the_game_ends_after_the_last_month_of_the_scenario(scenario: str) -> None:
    s = new(scenario)
    quiet(s, lambda s: top(s) == F_OPTION)
    last = script(s).last_month
    assert last == board.pack.scenarios[scenario]["victory_after_month"]
    s.month = last - 1
    s.passed = 0
    quiet(s, lambda s: s.month == last and top(s) == F_OPTION)
    assert s.ended is None
    do(s, "pass")
    quiet(s, lambda s: top(s) == F_OPTION)
    assert s.ended is None
    do(s, "pass")
    events = quiet(s, lambda s: False)
    assert s.ended is not None
    assert events[-1].kind == "victory"
    assert (GAME.to_act(s), GAME.legal(s)) == (None, [])


@pytest.mark.rule("rommel", "17.0b")
def test_a_higher_level_takes_precedence() -> None:
    s = armies(german=1, commonwealth=3, tobruk=AXIS)
    assert score(s) == Outcome(COMMONWEALTH, "decisive", 5, "17.2a")  # before the Axis hold on Tobruk
    s = armies(german=4, commonwealth=4, tobruk=COMMONWEALTH)
    assert score(s) == Outcome(COMMONWEALTH, "positional", 2, "17.3")  # before the greater Axis army


@pytest.mark.rule("rommel", "17.0c", "17.1c", "17.2a", "17.3", "17.4")
def test_victory_points() -> None:
    won = armies(german=1)
    won.exited = [3, 0]
    assert victory_at_once(won)
    siege = armies(german=3, commonwealth=4)
    place(siege, "CW-SAC", "0312")
    points = [
        won.ended.points,
        score(armies(german=8, commonwealth=6)).points,
        score(armies(german=3, commonwealth=4)).points,
        score(siege).points,
    ]
    assert points == [10, 5, 2, 1]


# 17.1 Strategic victory


@pytest.mark.rule("rommel", "17.1a", "17.1c")
def test_three_units_off_the_enemy_edge() -> None:
    s = empty("axis", "basic")
    place(s, ["GE-AA3", "GE-AA33"], "0826")
    place(s, "CW-4A", "0626")
    s.exited = [1, 0]
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0826 0", "move GE-AA3")
    assert "exit 0826" in texts(s)
    do(s, "exit 0826")
    assert s.exited == [2, 0]
    assert s.ended is None
    do(s, "move GE-AA33", "exit 0826")
    assert s.ended == Outcome(AXIS, "strategic", 10, "17.1a")  # at once, in the middle of a move
    assert s.at[U("GE-AA33")] == EXITED
    assert GAME.legal(s) == []


@pytest.mark.rule("rommel", "17.1a")
def test_only_supplied_units_may_leave() -> None:
    """A44: judged by the state at the initial supply check of the turn."""
    s = empty("axis", "basic")
    place(s, "GE-AA3", "0826", unsupplied=True)
    place(s, "CW-4A", "0626")
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0826 0", "move GE-AA3")
    assert not any(t.startswith("exit") for t in texts(s))
    assert why(s, "exit 0826").rule.startswith("17.1")


@pytest.mark.rule("rommel", "17.1a")
def test_the_own_edge_does_not_count() -> None:
    s = empty("axis", "basic")
    place(s, "GE-AA3", "0901")
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0901 0", "move GE-AA3")
    assert not any(t.startswith("exit") for t in texts(s))


@pytest.mark.rule("rommel", "17.1b", "17.1c", "0.1d", "1.6c")
def test_entering_the_empty_enemy_base_wins_at_once() -> None:
    """A45: entering is control; 12.1b: an unsupplied unit can do it."""
    s = empty("axis", "basic")
    place(s, "GE-AA3", "0727", unsupplied=True)
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0727 0", "move GE-AA3", "to 0626 -")
    assert s.ended == Outcome(AXIS, "strategic", 10, "17.1b")
    s = empty("commonwealth", "basic")
    place(s, "CW-KDG", "0903")
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0903 0", "move CW-KDG", "to 0902 -")
    assert s.ended == Outcome(COMMONWEALTH, "strategic", 10, "17.1b")


@pytest.mark.rule("rommel", "17.1b", "17.1c")
@pytest.mark.parametrize(("unit", "start_hex", "order"), [("GE-AA3", "0727", "0626"), ("CW-KDG", "0803", "0901")])
def test_whoever_leaves_the_map_by_way_of_the_empty_enemy_base_wins_there(
    unit: str, start_hex: str, order: str
) -> None:
    """A45: passing through it is control."""
    side = board.side[U(unit)]
    s = empty(SIDES[side], "basic")
    place(s, unit, start_hex)
    start(s, (F_MOVES, 0, 0))
    do(s, f"group {start_hex} 0", f"move {unit}", f"exit {order}")
    assert s.ended == Outcome(side, "strategic", 10, "17.1b")
    assert s.at[U(unit)] == board.base[1 - side]
    assert s.exited == [0, 0]


@pytest.mark.rule("rommel", "17.1b")
def test_a_battle_in_the_base_is_not_control_but_winning_it_is() -> None:
    s = empty("axis", "basic")
    place(s, "GE-AA3", "0626")
    place(s, "CW-4A", "0626")
    battle(s, "0626", defender="commonwealth", attacker_sides=["SW"])
    assert not victory_at_once(s)
    eliminate(s, U("CW-4A"), "9.5a")
    assert victory_at_once(s)
    assert s.ended == Outcome(AXIS, "strategic", 10, "17.1b")


@pytest.mark.rule("rommel", "17.1b", "17.1c")
def test_who_leaves_his_base_to_the_enemy_has_lost() -> None:
    s = empty("commonwealth", None)
    place(s, "GE-PZ5", "0626")
    place(s, "CW-4A", "0626")
    battle(s, "0626", defender="commonwealth", attacker_sides=["SW"])
    turn(s, COMMONWEALTH)
    do(s, "option basic 0", "group 0626 0", "move CW-4A", "to 0727 -")
    quiet(s, turn_over)
    assert s.ended == Outcome(AXIS, "strategic", 10, "17.1b")
    assert at(s, "CW-4A") == "0727"


@pytest.mark.rule("rommel", "17.1b", "17.1c")
def test_a_battle_for_the_base_ends_the_game_when_it_is_won() -> None:
    s = empty("axis", None)
    place(s, ["GE-PZ5", "GE-PZ8"], "0626")
    place(s, "CW-SAC", "0626", cv=1)
    battle(s, "0626", defender="commonwealth", attacker_sides=["SW"])
    turn(s)
    do(s, "option basic 0")
    quiet(s, lambda s: "fight 0626" in texts(s))
    do(s, "fight 0626")
    quiet(s, turn_over, face=6)
    assert s.ended == Outcome(AXIS, "strategic", 10, "17.1b")


@pytest.mark.rule("rommel", "17.1b", "17.1c")
def test_who_dies_leaving_his_base_has_lost_it() -> None:
    """The pursuit of a full retreat leaves nobody in the base but the enemy."""
    s = empty("axis", "basic")
    place(s, "IT-BRE", "0902", cv=1)
    place(s, ["CW-KDG", "CW-4A"], "0902")
    battle(s, "0902", "axis", ["E"])
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0902 0", "move IT-BRE", "to 0901 -", "end-move")
    lucky(s, 6)
    assert at(s, "IT-BRE") == "dead"
    assert s.ended == Outcome(COMMONWEALTH, "strategic", 10, "17.1b")


@pytest.mark.rule("rommel", "17.1b")
def test_units_in_their_own_base_win_nothing() -> None:
    s = empty("axis", "basic")
    place(s, "GE-AA3", "0902")
    place(s, "CW-4A", "0626")
    assert not victory_at_once(s)


@pytest.mark.rule("rommel", "17.1c", "16.2b")
def test_a_base_can_fall_in_the_buildup() -> None:
    """Its defenders die for want of supply: the enemy alone there has won before anything else happens."""
    s = empty("axis", None)
    place(s, "GE-AA3", "0626")
    s.month = 2
    start(s, (F_BUILDUP, 2, AXIS))
    assert s.ended == Outcome(AXIS, "strategic", 10, "17.1b")


# 17.2 Decisive victory


@pytest.mark.rule("rommel", "17.2a", "17.2b")
@pytest.mark.parametrize(
    ("german", "italian", "commonwealth", "winner"),
    [
        (4, 0, 3, AXIS),  # 6 to 3
        (3, 1, 3, None),  # 5.5 to 3
        (0, 6, 3, AXIS),
        (0, 5, 3, None),
        (2, 0, 6, COMMONWEALTH),  # 3 to 6
        (2, 0, 5, None),
        (2, 1, 8, COMMONWEALTH),  # 4 to 8
        (2, 1, 7, None),
        (1, 0, 0, AXIS),
    ],
)
def test_twice_the_enemy(german: int, italian: int, commonwealth: int, winner: int | None) -> None:
    outcome = score(armies(german, italian, commonwealth))
    assert (outcome.winner if outcome.level == "decisive" else None) == winner


@pytest.mark.rule("rommel", "17.2b")
def test_weight_of_the_units() -> None:
    assert weights(armies(2, 3, 4)) == (2 * (2 * 1.5 + 3), 2 * 4)
    for u, nation in enumerate(board.nation):
        assert board.weight2[u] == (3 if nation == "german" else 2)


@pytest.mark.rule("rommel", "17.2a", "17.4")
def test_which_units_remain() -> None:
    """A42, A46: units in refit and off the enemy edge count, units still to come or eliminated do not."""
    s = armies(0, 5, 0)
    for name, box in (("IT-ARI", REFIT), ("IT-TRE", EXITED), ("IT-BRE", POOL), ("IT-BOL", HELD)):
        assert at(s, name) == "0902"
        s.at[U(name)] = box
        s.here[H("0902")] &= ~units(name)
    assert weights(s) == (2 * 3, 0)
    eliminate(s, U("IT-PAV"), "9.5a")
    assert weights(s) == (2 * 2, 0)


# 17.3 Positional victory


@pytest.mark.rule("rommel", "17.3")
@pytest.mark.parametrize("holder", [AXIS, COMMONWEALTH])
def test_tobruk_unbesieged(holder: int) -> None:
    assert score(armies(3, 0, 4, tobruk=holder)) == Outcome(holder, "positional", 2, "17.3")
    enemy = ("CW-SAC", "GE-SIG")[holder]
    for hex_, disrupted in (("0312", False), ("0413", True), ("0313", False)):  # A18
        s = armies(3, 0, 4, tobruk=holder)
        place(s, enemy, hex_, disrupted=disrupted)
        assert score(s).level != "positional"
    s = armies(3, 0, 4, tobruk=holder)
    place(s, enemy, "0411")  # two hexes away
    assert score(s).level == "positional"


@pytest.mark.rule("rommel", "17.3")
def test_an_empty_tobruk_is_still_held() -> None:
    s = armies(3, 0, 4, tobruk=COMMONWEALTH)
    assert not s.here[board.tobruk]
    assert score(s).winner == COMMONWEALTH


# 17.4 Marginal victory, and none


def besieged(german: int, italian: int, commonwealth: int) -> State:
    """Nobody can win by Tobruk: it is besieged by one of the units counted."""
    s = armies(german, italian, commonwealth - 1)
    place(s, "CW-SAC", "0312")
    return s


@pytest.mark.rule("rommel", "17.4")
@pytest.mark.parametrize(
    ("german", "italian", "commonwealth", "winner"),
    [(3, 0, 4, AXIS), (3, 0, 5, COMMONWEALTH), (1, 3, 4, AXIS), (0, 3, 4, COMMONWEALTH)],
)
def test_more_units_than_the_enemy(german: int, italian: int, commonwealth: int, winner: int) -> None:
    assert score(besieged(german, italian, commonwealth)) == Outcome(winner, "marginal", 1, "17.4")


@pytest.mark.rule("rommel", "17.0b")
def test_a_draw_when_no_level_applies() -> None:
    """M17"""
    outcome = score(besieged(2, 1, 4))
    assert (outcome.winner, outcome.level, outcome.points) == (None, "draw", 0)


@pytest.mark.rule("rommel", "17.0a")
def test_unsupplied_units_after_the_last_month() -> None:
    """A43: they count, unless the players agreed to eliminate them first."""
    for flags, level in ((0, "positional"), (LAST_CHECK, "decisive")):
        s = armies(0, 2, 4, tobruk=AXIS)
        place(s, "GE-AA3", "0809")
        place(s, "GE-AA33", "0917")
        s.flags = flags
        assert score(s).level == level
        assert at(s, "GE-AA3") == ("dead" if flags else "0809")


@pytest.mark.rule("rommel", "17.0b")
def test_levels_are_those_of_the_scenario() -> None:
    for scenario in board.pack.scenarios:
        s = empty("axis", None, scenario=scenario)
        assert list(script(s).levels) == ["strategic", "decisive", "positional", "marginal"]
