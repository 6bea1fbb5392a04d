"""A26, F.3 Points and the conditions of victory of the ten scenarios."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import ALLIED, AXIS, EXITED, GONE
from sandtable.games.asl.table.state import State, make_wreck, put
from sandtable.games.asl.turn import victory

from ..scenariokit import SCENARIOS, H, U, bare, lay, opened


def goals(s: State, when: str = "at_end") -> list[bool]:
    return [victory.holds(s, goal) for goal in s.stage.script["victory"][when]]


@pytest.mark.rule("asl", "A3.9")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_condition_of_every_scenario_is_known_and_can_be_judged(scenario: str) -> None:
    s = opened(scenario)
    script = s.stage.script["victory"]
    for goal in (*script["at_end"], *script.get("immediate", ())):
        assert victory.holds(s, goal) in (True, False)
    assert not victory.at_once(s)
    victory.judge(s)
    assert s.ended is not None
    assert GAME.to_act(s) is None


@pytest.mark.rule("asl", "A26.1")
def test_posts_are_counted_for_both_sides() -> None:
    s = bare("s01")
    s.posts = sum(1 << H(s, f"D1.{name}") for name in ("U5", "U6", "U7", "V5"))
    assert goals(s) == [False]
    s.control = s.posts & ~(1 << H(s, "D1.U5"))
    assert victory.posts_held(s, ALLIED) == 3
    assert victory.posts_held(s, AXIS) == 1
    assert goals(s) == [True]


@pytest.mark.rule("asl", "A26.2", "F.3c", "F.3e")
def test_points_are_compared_and_counted_on_a_board() -> None:
    """s02: more points than the British, and 20 points in Good Order on D1."""
    s = bare("s02", before=True)
    stuart = lay(s, "br_stu1#1", "D1.L4")
    make_wreck(s, stuart, False)
    assert victory.scored(s, AXIS) == s.kind(stuart).value
    assert goals(s) == [True, False]
    tanks = [lay(s, f"ge_pz3g#{i}", f"D1.{hex}") for i, hex in ((1, "K5"), (2, "M5"), (3, "O5"))]
    worth = sum(victory.worth(s, u) for u in tanks)
    assert victory.worth(s, tanks[0]) == s.kind(tanks[0]).value + 2
    assert worth >= 20
    assert goals(s) == [True, True]
    s.abandoned |= 1 << tanks[0]
    assert victory.worth(s, tanks[0]) == s.kind(tanks[0]).value
    assert goals(s) == [True, worth - victory.worth(s, tanks[0]) - 2 >= 20]


@pytest.mark.rule("asl", "A3.9", "A26.2")
def test_the_end_tells_what_each_side_has_scored() -> None:
    s = bare("s02")
    for name, hex in (("br_stu1#1", "D1.L4"), ("ge_pz3g#1", "D1.K5"), ("ge_pz3g#2", "D1.M5")):
        make_wreck(s, lay(s, name, hex), False)
    victory.judge(s)
    told = s.events[-1].data
    assert (told["axis"], told["allied"]) == (victory.scored(s, AXIS), victory.scored(s, ALLIED))
    assert 0 < told["axis"] < told["allied"]


@pytest.mark.rule("asl", "A26.2")
def test_who_leaves_the_map_counts_as_eliminated_where_the_scenario_says_so() -> None:
    s = bare("s02")
    panzer = U(s, "ge_pz3g#1")
    s.at[panzer] = EXITED
    assert victory.scored(s, ALLIED) == victory.worth(s, panzer)
    other = bare("s08")
    other.at[U(other, "ge_pz3g#1")] = EXITED
    assert victory.scored(other, ALLIED) == 0


def test_losses_may_forbid_a_victory() -> None:
    """s03: eight posts, and no more than 45 points lost."""
    s = bare("s03", before=True)
    s.lost_points[ALLIED] = 45
    assert goals(s)[1]
    s.lost_points[ALLIED] = 46
    assert not goals(s)[1]


@pytest.mark.rule("asl", "A26.1")
def test_a_deir_is_cleared_when_nobody_in_good_order_is_left_in_it() -> None:
    """s04"""
    s = bare("s04", before=True)
    assert goals(s) == [True, True]
    squad = lay(s, "in_457#1", "D2.P7")
    assert goals(s) == [False, True]
    s.broken |= 1 << squad
    assert goals(s) == [True, True]
    s.lost_points[AXIS] = 1
    assert goals(s) == [True, False]


@pytest.mark.rule("asl", "A3.9")
def test_enough_points_end_the_game_at_once() -> None:
    s = bare("s04", before=True)
    s.lost_points[ALLIED] = 89
    assert not victory.at_once(s)
    s.lost_points[ALLIED] = 90
    assert victory.at_once(s)
    assert s.ended is not None
    assert s.ended.winner == AXIS


@pytest.mark.rule("asl", "A3.9")
def test_a_game_that_is_won_ends_in_the_middle_of_a_phase() -> None:
    s = opened("s04")
    s.lost_points[ALLIED] = 90
    GAME.apply(s, GAME.legal(s)[0])
    assert s.turn == 1
    assert GAME.to_act(s) is None
    assert not GAME.legal(s)
    assert GAME.outcome(s) is not None


def test_guns_that_malfunction_are_out_of_it_and_tanks_must_be_mobile() -> None:
    """s05: both 88s, and 18 points with three mobile AFV on D4."""
    s = bare("s05", before=True)
    guns = [lay(s, f"ge_aa88#{i}", f"D4.K{i + 2}") for i in (1, 2)]
    assert goals(s)[0] is False
    put(s, guns[0], GONE)
    s.jammed |= 1 << guns[1]
    assert goals(s)[0] is True
    names = ("br_a9#1", "br_a9#2", "br_a10#1", "br_a13#1")
    tanks = [
        lay(s, name, f"D4.{hex}")
        for name, hex in zip(names, ("M5", "N5", "O5", "Q5"), strict=True)
        if name in s.stage.roster.index
    ]
    assert len(tanks) >= 3
    ready = sum(victory.worth(s, u) for u in tanks) >= 18
    assert goals(s)[1] is ready
    for u in tanks[: len(tanks) - 2]:
        s.immobile |= 1 << u
    assert goals(s)[1] is False


def test_who_is_in_the_wadi_has_not_crossed_it() -> None:
    """s06"""
    s = bare("s06")
    hexes = [h for h in s.stage.field.grid.hexes if s.stage.field.has("wadi", h)]
    west = s.stage.mask_of({"board": "D3", "cols": ["A", "L"], "rows": [1, 10]})
    inside = next(h for h in hexes if west >> h & 1)
    tank = U(s, "br_val2#1")
    put(s, tank, inside)
    s.place[tank] = Place.IN
    assert victory.present(s, ALLIED, west, in_wadi=False) == 0
    s.place[tank] = Place.CREST
    assert victory.present(s, ALLIED, west, in_wadi=False) == 1 << tank


@pytest.mark.rule("asl", "A26.1")
def test_buildings_are_held() -> None:
    """s07"""
    s = bare("s07", before=True)
    village = victory.area(s.stage, {"board": "D6", "terrain": "building_stone"})
    assert village.bit_count() >= 5
    low = village
    for _ in range(4):
        s.control |= low & -low
        low &= low - 1
    assert goals(s) == [False]
    s.control |= low & -low
    assert goals(s) == [True]


def test_a_margin_may_be_negative() -> None:
    """s08: no fewer than 20 points less."""
    s = bare("s08", before=True)
    s.lost_points[AXIS] = 20
    assert goals(s)[1]
    s.lost_points[AXIS] = 21
    assert not goals(s)[1]


def test_guns_must_be_manned_and_work() -> None:
    """s09"""
    s = bare("s09", before=True)
    for i in (1, 2):
        gun, crew = lay(s, f"br_at57#{i}", "D2.P7"), lay(s, f"br_228#{i}", "D2.P7")
        s.holder[gun] = crew
    assert goals(s) == [True]
    s.jammed |= 1 << U(s, "br_at57#1")
    assert goals(s) == [False]


@pytest.mark.rule("asl", "A2.6", "A3.9")
def test_tanks_that_leave_by_the_named_edge_win() -> None:
    """s10"""
    s = bare("s10", before=True)
    for i in range(1, 4):
        s.exits[U(s, f"it_m14#{i}")] = 1
    s.exits[U(s, "it_m14#4")] = 0
    assert goals(s, "immediate") == [False]
    s.exits[U(s, "it_m14#4")] = 1
    assert goals(s, "immediate") == [True]
    assert goals(s) == [False]


# As they are since their data were corrected


@pytest.mark.parametrize(
    ("scenario", "index", "loser", "most"),
    [("s02", 0, AXIS, 25), ("s03", 1, ALLIED, 70), ("s04", 1, AXIS, 35), ("s08", 1, AXIS, 230)],
)
def test_an_attacker_may_lose_so_much_and_no_more(scenario: str, index: int, loser: int, most: int) -> None:
    s = bare(scenario)
    s.lost_points[loser] = most
    assert goals(s)[index]
    s.lost_points[loser] = most + 1
    assert not goals(s)[index]


def test_three_of_the_twelve_sangars_are_enough() -> None:
    """s03"""
    s = bare("s03")
    s.posts = sum(1 << H(s, f"D4.{name}") for name in ("N5", "N6", "O8", "P7", "Q8", "R6"))
    s.control = (1 << H(s, "D4.N5")) | (1 << H(s, "D4.N6"))
    assert goals(s) == [False, True]
    s.control |= 1 << H(s, "D4.O8")
    assert goals(s) == [True, True]


def test_one_88_that_nobody_serves_and_six_points_are_enough() -> None:
    """s05"""
    s = bare("s05")
    for i in (1, 2):
        gun, crew = lay(s, f"ge_aa88#{i}", f"D4.K{i + 2}"), lay(s, f"ge_228#{i}", f"D4.K{i + 2}")
        s.holder[gun] = crew
    tank = lay(s, "br_a13#1", "D4.M5")
    assert victory.worth(s, tank) >= 6
    assert goals(s) == [False, True]
    s.holder[U(s, "ge_aa88#2")] = -1
    assert goals(s) == [True, True]
    s.holder[U(s, "ge_aa88#2")] = U(s, "ge_228#2")
    assert goals(s) == [False, True]
    s.jammed |= 1 << U(s, "ge_aa88#1")
    assert goals(s) == [True, True]
    s.abandoned |= 1 << tank
    assert goals(s)[1] is False


def test_five_guns_have_to_last_and_points_end_nothing() -> None:
    """s09"""
    s = bare("s09")
    s.lost_points[AXIS] = 150
    assert not victory.at_once(s)
    for i in range(1, 6):
        assert goals(s) == [False]
        gun, crew = lay(s, f"br_at57#{i}", "D2.P7"), lay(s, f"br_228#{i}", "D2.P7")
        s.holder[gun] = crew
    assert goals(s) == [True]


def test_three_buildings_are_enough_and_six_tanks_have_to_leave() -> None:
    """s07, s10"""
    s = bare("s07")
    held = victory.area(s.stage, {"board": "D6", "terrain": "building_stone"})
    for many in range(3):
        assert goals(s) == [False], many
        s.control |= held & -held
        held &= held - 1
    assert goals(s) == [True]
    s = bare("s10")
    for i in range(1, 6):
        s.exits[U(s, f"it_m14#{i}")] = 1
    assert goals(s, "immediate") == [False]
    s.exits[U(s, "it_m13#1")] = 1
    assert goals(s, "immediate") == [True]
