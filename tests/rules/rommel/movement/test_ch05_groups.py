"""Chapter 5: group moves, regroup moves, withdrawal."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.paths.withdrawal import destinations, not_farther, route
from sandtable.games.rommel.table.ids import AXIS, COMMONWEALTH, F_SUPPLY_CHECK, F_TURN, INITIAL
from sandtable.games.rommel.table.state import State

from ..kit import GAME, H, U, at, battle, do, empty, hexes, kinds, place, roll, texts, why
from ..movekit import go, goes, group, hexes_in, moving, to_act

rule = pytest.mark.rule


def joiners(s: State) -> set[str]:
    return {t.split()[1] for t in texts(s) if t.startswith("join")}


def passing(s: State) -> State:
    """The movement phase of a Pass turn."""
    s.option = 4
    return moving(s)


def reason(s: State, text: str) -> str:
    found = why(s, text)
    assert found is not None, f"{text} is legal"
    return found.rule


# 5.0


@rule("rommel", "5.0a")
def test_a_group_is_all_units_of_a_hex() -> None:
    s = empty()
    names = ["GE-PZ5", "GE-AA3", "IT-BRE", "IT-TRE", "GE-MG8", "IT-ARI", "GE-F118", "GE-PZ8"]
    place(s, names, "0711")
    place(s, "GE-K15", "0712")
    moving(s)
    do(s, "group 0711 0")
    assert {t.split()[1] for t in texts(s)} == set(names)
    assert reason(s, "group 0712 0") == "5.0b"
    s = moving(empty())
    assert reason(s, "group 0711 0") == "5.0a"


@rule("rommel", "5.0b", "4.0b")
def test_a_move_concerns_one_group() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-AA3"], "0711")
    place(s, "GE-K15", "0713")
    moving(s)
    do(s, "group 0711 0", "move GE-PZ5", "to 0710 -")
    assert reason(s, "move GE-K15") == "5.1a"
    do(s, "end-move")
    assert texts(s) == ["end-moves"]


@rule("rommel", "5.0c", "4.1", "4.2a", "4.3a", "4.4a", "4.2b", "4.5c")
@pytest.mark.parametrize(
    ("option", "moves", "because"),
    [("basic", 1, "4.1"), ("offensive", 2, "4.2a"), ("assault", 1, "4.3a"), ("blitz", 1, "4.4a")],
)
def test_the_option_says_how_many_moves(option: str, moves: int, because: str) -> None:
    s = empty(option=option)
    place(s, "GE-PZ5", "0709")
    place(s, "GE-PZ8", "0711")
    place(s, "GE-AA3", "0713")
    moving(s)
    go(s, "GE-PZ5", "0710")
    if moves == 2:
        assert reason(s, "group 0710 0") == "4.2b"
        go(s, "GE-PZ8", "0712")
        assert to_act(s) == AXIS  # forced marches: the second move was the last
        assert "marches" in texts(s)
    else:
        assert texts(s) == ["end-moves"]  # asked like everybody: the option is secret
        assert reason(s, "group 0711 0") == because


@rule("rommel", "5.0d")
def test_two_kinds_of_move() -> None:
    for option in (0, 4):
        s = empty()
        place(s, "GE-PZ5", "0311")
        s.option = option
        moving(s)
        verbs = {t.split()[0] for t in texts(s)}
        assert verbs == {"group", "regroup", "end-moves"}


@rule("rommel", "5.0e")
def test_each_unit_keeps_to_its_own_limits() -> None:
    s = empty()
    place(s, ["GE-PZ5", "IT-BRE"], "0711")  # speeds 3 and 1
    moving(s)
    do(s, "group 0711 0", "move GE-PZ5", "to 0708 -", "move IT-BRE")
    assert "to 0709 -" not in texts(s)
    assert reason(s, "to 0708 -") == "6.0a"
    assert "to 0710 -" in texts(s)


@rule("rommel", "5.0f", "7.2d")
def test_any_number_crosses_a_hexside_into_a_hex_without_enemies() -> None:
    s = empty()
    names = ["GE-PZ5", "GE-PZ8", "IT-ARI", "GE-AA3"]
    place(s, names, "0615")
    moving(s)
    do(s, "group 0615 0")
    for name in names[:3]:
        do(s, f"move {name}", "to 0516 -")  # down the Halfaya Pass, a gorge
    do(s, "move GE-AA3")
    assert "to 0516 -" in texts(s)


@rule("rommel", "11.1a")
def test_disrupted_units_do_not_move() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0711")
    place(s, "GE-AA3", "0711", disrupted=True)
    place(s, "IT-ARI", "0713", disrupted=True)
    moving(s)
    assert "group 0713 0" not in texts(s)
    assert reason(s, "group 0713 0") == "11.1a"
    do(s, "group 0711 0")
    assert set(texts(s)) == {"move GE-PZ5", "move GE-PZ8"}
    assert reason(s, "move GE-AA3") == "11.1a"


# 5.1


@rule("rommel", "5.1a")
def test_some_or_all_units_move_each_to_its_own_destination() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "GE-AA3"], "0711")
    moving(s)
    do(s, "group 0711 0")
    assert reason(s, "end-move") == "5.1a"  # at least one
    do(s, "move GE-PZ5", "to 0710 -", "move GE-AA3", "to 0715 -", "end-move")
    assert (at(s, "GE-PZ5"), at(s, "GE-AA3"), at(s, "GE-PZ8")) == ("0710", "0715", "0711")


@rule("rommel", "5.1b")
def test_units_move_one_by_one_from_the_starting_hex() -> None:
    s = empty()
    place(s, ["GE-PZ5", "IT-BRE"], "0711")
    place(s, "CW-4A", "0714")
    moving(s)
    # the fast unit goes ahead; the slow one is not taken along, nor helped by it
    do(s, "group 0711 0", "move GE-PZ5", "to 0713 -", "move IT-BRE")
    assert {t.split()[1] for t in texts(s)} == {"0710", "0712", "0610", "0611", "0810", "0811"}


@rule("rommel", "5.1c")
def test_first_the_group_then_its_units() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-AA3"], "0711")
    moving(s)
    assert reason(s, "move GE-PZ5") == "5.1c"
    do(s, "group 0711 0")
    assert reason(s, "to 0712 -") == "5.1c"
    do(s, "move GE-PZ5")
    assert reason(s, "move GE-AA3") == "5.1c"
    do(s, "to 0712 -")
    assert "move GE-AA3" in texts(s)


# 5.2


def around_0711(option: str = "basic") -> State:
    """Units in the command point, beside it, and one two hexes away."""
    s = empty(option=option)
    place(s, "GE-PZ5", "0711")
    place(s, "GE-PZ8", "0710")
    place(s, ["IT-BRE", "GE-AA3"], "0712")
    place(s, "IT-ARI", "0713")
    return moving(s)


@rule("rommel", "5.2a")
def test_units_in_and_beside_the_command_point_gather_in_one_hex() -> None:
    s = around_0711()
    do(s, "regroup 0711 0", "gather 0811")
    assert joiners(s) == {"GE-PZ5", "GE-PZ8", "IT-BRE", "GE-AA3"}  # Ariete is two hexes from the point
    assert reason(s, "join IT-ARI -") == "5.2a"
    do(s, "join GE-PZ5 -", "join IT-BRE -", "join GE-PZ8 -", "end-move")
    assert at(s, "GE-PZ5") == at(s, "IT-BRE") == at(s, "GE-PZ8") == "0811"
    assert at(s, "GE-AA3") == "0712"
    assert texts(s) == ["end-moves"]  # it was one move


@rule("rommel", "5.2a")
def test_adjacent_means_sharing_a_hexside_whatever_lies_on_it() -> None:
    s = empty()
    place(s, "GE-AA3", "0516")  # beside 0616, but the escarpment is between them
    moving(s)
    assert "regroup 0616 0" in texts(s)
    do(s, "regroup 0616 0", "gather 0515")
    assert joiners(s) == {"GE-AA3"}


@rule("rommel", "5.2b")
def test_the_command_point_is_no_enemy_hex() -> None:
    s = empty()
    place(s, "GE-PZ5", "0711")
    place(s, "CW-4A", "0712")
    place(s, ["GE-MG8", "CW-5NZ"], "0811")
    battle(s, "0811", "axis")
    moving(s)
    legal = texts(s)
    assert "regroup 0711 0" in legal  # friendly
    assert "regroup 0710 0" in legal  # empty
    assert "regroup 0811 0" in legal  # battle hex
    assert "regroup 0712 0" not in legal
    assert reason(s, "regroup 0712 0") == "5.2b"
    assert reason(s, "regroup 0313 0") == "5.2a"  # nobody there
    assert reason(s, "regroup 0213 0") == "1.4f"  # the sea
    s = empty()
    place(s, "GE-PZ5", "0313")
    moving(s)
    assert "regroup 0213 0" not in texts(s)


@rule("rommel", "5.2c")
def test_the_destination_may_be_any_hex_even_an_enemy_one() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0711")
    place(s, "CW-4A", "0714")
    moving(s)
    do(s, "regroup 0711 0")
    hexes_ = {t.split()[1] for t in texts(s)}
    assert {"0712", "0713", "0714", "0709"} <= hexes_
    assert "0716" not in hexes_
    assert reason(s, "gather 0716") == "6.0a"  # too far for all of them
    assert reason(s, "gather 0213") == "1.4f"
    do(s, "gather 0714", "join GE-PZ5 W", "join GE-PZ8 W")
    assert at(s, "GE-PZ5") == at(s, "GE-PZ8") == "0714"


@rule("rommel", "5.2d")
def test_a_regroup_move_may_start_a_battle_or_leave_one() -> None:
    s = around_0711()
    place(s, "CW-4A", "0811")
    do(s, "regroup 0711 0", "gather 0811", "join GE-PZ5 NW")
    assert s.defends[COMMONWEALTH] >> H("0811") & 1
    assert s.attacked >> H("0811") & 1
    s = empty()
    place(s, ["GE-PZ5", "CW-4NZ"], "0711")
    battle(s, "0711", "axis")
    moving(s)
    do(s, "regroup 0710 0", "gather 0709", "join GE-PZ5 -")
    assert at(s, "GE-PZ5") == "0711"  # it leaves when the move is over
    events = do(s, "end-move")
    assert "full_retreat" in kinds(events)


@rule("rommel", "5.2a")
def test_units_in_the_destination_stay_and_count_to_the_new_group() -> None:
    s = around_0711()
    do(s, "regroup 0711 0", "gather 0712")
    assert joiners(s) == {"GE-PZ5", "GE-PZ8"}
    assert reason(s, "join GE-AA3 -") == "5.2a"
    do(s, "join GE-PZ5 -", "join GE-PZ8 -")
    assert texts(s) == ["end-moves"]  # nobody is left who could come
    assert s.plan[U("IT-BRE")] == -1


@rule("rommel", "5.2e")
def test_first_the_command_point_and_the_destination_then_the_units() -> None:
    s = around_0711()
    do(s, "regroup 0711 0")
    assert all(t.startswith("gather") for t in texts(s))
    assert reason(s, "join GE-PZ5 -") == "5.2e"
    do(s, "gather 0811")
    assert all(t.startswith("join") for t in texts(s))


@rule("rommel", "5.2f")
def test_who_cannot_reach_the_destination_does_not_move() -> None:
    s = around_0711()
    do(s, "regroup 0711 0", "gather 0709")
    assert joiners(s) == {"GE-PZ5", "GE-PZ8", "GE-AA3"}
    assert reason(s, "join IT-BRE -") == "5.2f"
    do(s, "join GE-PZ5 -", "end-move")
    assert at(s, "IT-BRE") == "0712"
    assert not s.moved >> U("IT-BRE") & 1


# 5.3


@rule("rommel", "5.3a", "4.5b", "10.3a")
def test_a_withdrawal_is_a_move_without_cards() -> None:
    for how in ("group 0311 0", "regroup 0312 0"):
        s = empty(cards=((0, 0), (4, 2)))
        place(s, ["GE-PZ5", "IT-BRE"], "0311")
        passing(s)
        do(s, how)
        if how.startswith("group"):
            do(s, "move IT-BRE", "to 0210 -", "move GE-PZ5", "to 0205 -")
            assert at(s, "GE-PZ5") == "0205"  # speed 3 and four hexes of coast road
        else:
            do(s, "gather 0210", "join IT-BRE -", "join GE-PZ5 -")
        do(s, "end-move")
        assert s.real == [0, 4]


@rule("rommel", "5.3b", "5.3c", "4.5c")
def test_without_cards_nothing_but_one_withdrawal() -> None:
    s = empty()
    place(s, "GE-PZ5", "0311")
    place(s, "GE-PZ8", "0312")
    passing(s)
    assert hexes_in(goes(s, "GE-PZ5")) == {"0210", "0110", "0109", "0108", "0207", "0206", "0205"}
    go(s, "GE-PZ8", "0311")
    assert not any(t.startswith("group") for t in texts(s))  # only once in a turn
    assert reason(s, "group 0311 0") != ""


@rule("rommel", "5.3c", "5.3i")
def test_the_passive_player_withdraws_to_avoid_battle() -> None:
    s = empty(active="commonwealth")
    place(s, "GE-PZ5", "0311")
    place(s, "CW-4A", "0312")
    moving(s)
    go(s, "CW-4A", "0311 E")
    assert s.attacked
    do(s, "end-moves", "marches", "avoid 0311")
    roll(s, 1)  # pursuit by one unit of equal speed
    assert hexes_in({t.removeprefix("to ") for t in texts(s)}) == {
        "0210", "0110", "0109", "0108", "0207", "0206", "0205",
    }  # fmt: skip
    do(s, "to 0210 -")
    assert at(s, "GE-PZ5") == "0210"


@rule("rommel", "5.3c")
def test_routed_units_withdraw() -> None:
    s = empty(active="commonwealth")
    place(s, "GE-PZ5", "0311", disrupted=True)
    place(s, "CW-4A", "0312")
    moving(s)
    do(s, "group 0312 0", "move CW-4A", "to 0311 E", "end-move")
    roll(s, 1)
    assert hexes_in({t.removeprefix("to ") for t in texts(s)}) >= {"0210", "0110"}
    assert "0312" not in hexes_in({t.removeprefix("to ") for t in texts(s)})


@rule("rommel", "5.3d")
def test_who_has_no_supply_line_cannot_withdraw() -> None:
    s = empty()
    place(s, "GE-PZ5", "0311")
    place(s, "GE-PZ8", "0811")  # in the desert
    passing(s)
    legal = texts(s)
    assert "group 0311 0" in legal
    assert not any(t.startswith("group 0811") for t in legal)
    assert reason(s, "group 0811 0") == "5.3d"
    assert destinations(s, U("GE-PZ8")) == 0


@rule("rommel", "5.3d")
def test_the_lines_count_as_they_were_when_the_withdrawal_began() -> None:
    s = empty()
    place(s, "GE-PZ8", "0512")  # Bir Hacheim, two hexes of trail from the coast road
    place(s, "IT-ARI", "0612")  # in the desert beside it: its line hangs on that link
    passing(s)
    do(s, "regroup 0512 0", "gather 0411", "join GE-PZ8 -")
    assert not destinations(s, U("IT-ARI"))  # now it has no line any more
    assert "join IT-ARI -" in texts(s)
    do(s, "join IT-ARI -", "end-move")
    assert at(s, "GE-PZ8") == at(s, "IT-ARI") == "0411"


@rule("rommel", "5.3e")
def test_it_goes_back_along_its_line_and_shortens_it() -> None:
    s = empty()
    place(s, "GE-PZ5", "0512")  # Bir Hacheim: trails by Knightsbridge and El Adem to the coast road
    passing(s)
    where = hexes_in(goes(s, "GE-PZ5"))
    assert where == {"0411", "0311", "0210", "0110"}  # by trail and coast road: speed 3 and one hex more
    do(s, "group 0512 0", "move GE-PZ5")
    assert reason(s, "to 0511 -") == "5.3e"
    assert reason(s, "to 0513 -") == "5.3g"
    do(s, "to 0411 -")


@rule("rommel", "5.3f")
def test_the_network_must_lose_a_hex() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8"], "0313")  # whoever stays keeps all of the line in the network
    passing(s)
    before = s.copy()
    do(s, "group 0313 0", "move GE-PZ5", "to 0312 -")
    assert texts(s) == ["move GE-PZ8", "abandon"]
    assert reason(s, "end-move") == "5.3f"
    do(s, "abandon")
    assert at(s, "GE-PZ5") == "0313"
    assert s.moved == 0
    assert before.here == s.here
    # the one withdrawal of the turn is used up
    assert not any(t.startswith("group") for t in texts(s))


@rule("rommel", "5.3f")
def test_a_hex_left_empty_is_still_in_the_network_if_a_line_runs_through_it() -> None:
    s = empty()
    place(s, "GE-PZ5", "0304")  # at the end of the line
    place(s, "GE-PZ8", "0604")  # on its way
    passing(s)
    do(s, "group 0604 0", "move GE-PZ8", "to 0704 -")
    assert texts(s) == ["abandon"]
    assert reason(s, "end-move") == "5.3f"


@rule("rommel", "5.3f")
def test_a_withdrawal_that_shortens_the_network_stands() -> None:
    s = empty()
    place(s, "GE-PZ5", "0311")
    place(s, "GE-PZ8", "0313")
    passing(s)
    do(s, "group 0313 0", "move GE-PZ8", "to 0312 -")
    assert texts(s) == ["end-move"]
    assert reason(s, "abandon") == "5.3f"
    do(s, "end-move")
    assert at(s, "GE-PZ8") == "0312"


@rule("rommel", "5.3g")
def test_no_step_leads_away_from_the_source() -> None:
    s = empty(active="commonwealth")
    place(s, "CW-4A", "0604")  # the coast road runs on to 0504, which is farther from Alexandria
    passing(s)
    assert "group 0604 0" not in texts(s)
    assert reason(s, "group 0604 0") == "5.3g"
    s = empty(active="commonwealth")
    place(s, "CW-4A", "0504")
    passing(s)
    # back along the road to Benghazi is farther from Alexandria too
    assert "group 0504 0" not in texts(s)
    s = empty(active="commonwealth")
    place(s, "CW-4A", "0304")
    passing(s)
    where = hexes_in(goes(s, "CW-4A"))
    assert {"0204", "0205", "0206", "0207", "0108", "0109", "0110"} <= where
    assert "0403" not in where


@rule("rommel", "5.3g", "5.3h")
def test_e5_3_bardia_and_fort_capuzzo_are_equally_far_for_the_axis() -> None:
    s = empty()
    place(s, "GE-PZ5", "0515")
    base = H("0902")
    distance = GAME.board.grid.distance
    assert distance(H("Bardia"), base) > distance(H("Fort Capuzzo"), base)
    passing(s)
    where = hexes_in(goes(s, "GE-PZ5"))
    assert {"0415", "0315", "0314", "0313"} <= where
    do(s, "group 0515 0", "move GE-PZ5", "to 0415 -", "end-move")
    assert at(s, "GE-PZ5") == "0415"
    # the other side has no such exception
    d = GAME.board.grid.direction(H("0515"), H("0415"))
    assert not not_farther(GAME.board, COMMONWEALTH, base)[d] >> H("0515") & 1
    assert not_farther(GAME.board, AXIS, base)[d] >> H("0515") & 1


@rule("rommel", "5.3i", "10.1b")
def test_a_withdrawing_unit_engages_nobody_but_disrupted_enemies() -> None:
    s = empty()
    place(s, "GE-PZ5", "0312")
    place(s, "CW-4A", "0311", disrupted=True)  # does not block the line (11.1f)
    passing(s)
    assert goes(s, "GE-PZ5") == {"0311 E"}  # A50: it may overrun them, and stops there
    s = empty()
    place(s, "GE-PZ5", "0312")
    place(s, "GE-PZ8", "0411")
    place(s, "CW-4A", "0311")
    passing(s)
    assert not any(t.startswith("group 0312") for t in texts(s))
    # nor does it go into a battle of its own side, though the line runs through it (A37)
    s = empty()
    place(s, "GE-PZ5", "0312")
    place(s, ["GE-PZ8", "CW-4A"], "0311")
    battle(s, "0311", "axis", ["SW"])
    passing(s)
    assert "group 0312 0" not in texts(s)
    assert reason(s, "group 0312 0") == "5.3i"
    s = empty()
    place(s, "GE-PZ5", "0313")
    place(s, ["GE-PZ8", "CW-4A"], "0311")
    battle(s, "0311", "axis", ["SW"])
    passing(s)
    assert goes(s, "GE-PZ5") == {"0312"}
    # in the enemy's turn not even those
    s = empty(active="commonwealth")
    place(s, "GE-PZ5", "0312")
    place(s, "CW-4A", "0311", disrupted=True)
    assert destinations(s, U("GE-PZ5")) == 0


@rule("rommel", "5.3i", "11.4b")
def test_an_overrun_by_withdrawal_is_resolved_when_the_move_ends() -> None:
    s = empty()
    place(s, "GE-PZ5", "0312")
    place(s, "CW-4A", "0311", disrupted=True)
    passing(s)
    do(s, "group 0312 0", "move GE-PZ5", "to 0311 E")
    assert s.overrun
    events = do(s, "end-move")
    assert "routed" in kinds(events)


@rule("rommel", "10.4b", "10.3a")
def test_a_withdrawal_takes_all_units_out_of_a_battle_or_none() -> None:
    s = empty()
    place(s, ["GE-PZ5", "GE-PZ8", "CW-4NZ"], "0311")
    battle(s, "0311", "axis", ["E"])
    passing(s)
    do(s, "group 0311 0", "move GE-PZ5", "to 0210 -")
    assert "end-move" not in texts(s)
    assert reason(s, "end-move") == "10.4b"
    do(s, "move GE-PZ8", "to 0210 -")
    assert texts(s) == ["end-move"]
    events = do(s, "end-move")
    assert "full_retreat" in kinds(events)
    roll_all(s)
    assert at(s, "GE-PZ5") == at(s, "GE-PZ8") == "0210"
    assert s.disrupted >> U("GE-PZ5") & 1


def roll_all(s: State) -> None:
    """Let all dice fall low."""
    while GAME.to_act(s) == -1:
        roll_one = GAME.roll(s, lambda n: 1)
        GAME.apply(s, roll_one.action)


@rule("rommel", "5.3e", "13.3j", "13.3k")
def test_a_unit_under_fortress_supply_goes_back_to_its_fortress() -> None:
    s = empty(active="commonwealth")
    place(s, ["CW-24A", "CW-26A", "CW-20A", "CW-18A"], "0313")  # four of the five that Tobruk can feed
    place(s, ["CW-4A", "CW-7A"], "0412")  # El Adem, one hex of track from Tobruk
    for name, hex_ in (("GE-PZ5", "0314"), ("GE-PZ8", "0413"), ("GE-AA3", "0513")):
        place(s, name, hex_)  # every way to the east is cut
    s.stack = [GAME.framed(f) for f in ((F_TURN, 1), (F_SUPPLY_CHECK, COMMONWEALTH, INITIAL, 0))]
    GAME.settle(s)
    for name in ("CW-24A", "CW-26A", "CW-20A", "CW-18A", "CW-4A"):
        do(s, f"supply {name}")
    assert s.fort_supply >> U("CW-4A") & 1
    assert not s.fort_supply >> U("CW-7A") & 1
    s.stack.clear()
    passing(s)
    do(s, "group 0412 0")
    assert {t for t in texts(s) if t.startswith("move")} == {"move CW-4A"}
    assert reason(s, "move CW-7A") == "13.3k"
    do(s, "move CW-4A")
    assert texts(s) == ["to 0313 -"]


@rule("rommel", "5.3e")
def test_the_route_of_a_withdrawal() -> None:
    s = empty(active="commonwealth")
    place(s, "GE-PZ5", "0311")
    assert route(s, U("GE-PZ5"), H("0108")) == tuple(H(h) for h in ("0210", "0110", "0109", "0108"))
    assert hexes(destinations(s, U("GE-PZ5"))) == {"0210", "0110", "0109", "0108", "0207", "0206", "0205"}


@rule("rommel", "5.3a")
def test_a_withdrawal_move_may_be_declined() -> None:
    s = empty()
    place(s, "GE-PZ5", "0311")
    passing(s)
    do(s, "end-moves")
    assert at(s, "GE-PZ5") == "0311"
    assert group(s, "GE-PZ5") == "group 0311 0"
