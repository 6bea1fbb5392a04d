"""Chapter 6: how far units move, the Rommel move, forced marches."""

from __future__ import annotations

import pytest

from sandtable.engine.hexes import hexes_of

from ..kit import H, U, at, battle, board, do, empty, hexes, place, texts
from ..movekit import goes, hexes_in, moving
from .ch06movementkit import grid, reason

rule = pytest.mark.rule


# 6.0, 6.1


@rule("rommel", "6.0a", "6.1a", "6.1b")
@pytest.mark.parametrize(("unit", "speed"), [("IT-BRE", 1), ("GE-MG8", 2), ("GE-PZ5", 3), ("GE-AA3", 4)])
def test_a_unit_moves_as_many_hexes_as_its_speed(unit: str, speed: int) -> None:
    s = empty()
    place(s, unit, "0810")  # open desert
    moving(s)
    where = hexes_in(goes(s, unit))
    from_here = {grid.names[h]: grid.distance(H("0810"), h) for h in hexes_of(board.land)}
    assert {h for h in where if from_here[h] > speed} == set()
    near = {h for h, n in from_here.items() if 0 < n <= min(speed, 3)}
    assert near <= where  # no rough hexside within three hexes
    assert max(from_here[h] for h in where) == speed == board.speed[U(unit)]
    do(s, "group 0810 0", f"move {unit}")
    far = next(h for h, n in from_here.items() if n == speed + 1)
    assert reason(s, f"to {far} -") == "6.0a"


@rule("rommel", "6.1a")
def test_every_type_has_one_speed() -> None:
    table = board.pack.tables["unit_types"]
    for u, kind in enumerate(board.unit_types):
        assert board.speed[u] == table[kind]["speed"]
    assert {board.speed[u] for u in range(len(board.units))} == {1, 2, 3, 4}


@rule("rommel", "6.0b")
def test_friendly_and_empty_hexes_are_passed_freely() -> None:
    s = empty()
    place(s, "GE-PZ5", "0810")
    place(s, ["GE-PZ8", "IT-BRE"], "0811")
    place(s, "IT-TRE", "0812", disrupted=True)
    moving(s)
    assert {"0811", "0812", "0813"} <= goes(s, "GE-PZ5")


@rule("rommel", "6.0c", "11.1b")
def test_a_unit_stops_where_enemies_are() -> None:
    s = empty()
    place(s, "GE-AA3", "0810")
    # a wall of enemies three hexes long, one of them disrupted (A36)
    place(s, "CW-4A", "0812")
    place(s, "CW-7A", "0712")
    place(s, "CW-22A", "0912", disrupted=True)
    place(s, "CW-5NZ", "0612")
    place(s, "CW-6NZ", "1011")
    moving(s)
    where = goes(s, "GE-AA3")
    assert "0812 W" in where
    assert "0912 NW" in where
    assert not {"0813", "0814", "0713", "0913"} & hexes_in(where)
    do(s, "group 0810 0", "move GE-AA3")
    assert reason(s, "to 0813 -") == "6.0c"


@rule("rommel", "6.0c", "1.2d")
def test_a_battle_hex_is_not_passed_either() -> None:
    s = empty()
    place(s, "GE-PZ5", "0902")
    place(s, ["IT-BRE", "CW-4A"], "0903")  # the coast road at Mersa Brega; there is no other way east
    battle(s, "0903", "axis")
    moving(s)
    assert "0903 W" in goes(s, "GE-PZ5")
    assert not {"0803", "0704"} & hexes_in(goes(s, "GE-PZ5"))


@rule("rommel", "6.0d", "4.2b")
def test_a_unit_moves_once_in_a_turn() -> None:
    s = empty(option="offensive")
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    moving(s)
    do(s, "group 0810 0", "move GE-PZ5", "to 0811 -")
    assert reason(s, "move GE-PZ5") == "6.0d"
    do(s, "end-move")
    assert not any(t.startswith("group 0811") for t in texts(s))
    assert reason(s, "group 0811 0") == "4.2b"
    do(s, "regroup 0811 0", "gather 0812")
    assert {t.split()[1] for t in texts(s)} == {"GE-PZ8"}


@rule("rommel", "6.0d", "3.45b", "4.4b", "6.3e")
def test_nor_again_in_the_blitz_phase() -> None:
    s = empty(option="blitz")
    place(s, ["GE-PZ5", "GE-PZ8"], "0810")
    moving(s)
    do(s, "group 0810 1", "move GE-PZ5", "to 0811 -", "end-move")
    s.stack.clear()
    moving(s, blitz=True)
    assert reason(s, "group 0811 0") == "3.45b"
    assert "group 0810 0" in texts(s)
    assert "group 0810 1" not in texts(s)
    assert reason(s, "group 0810 1") == "6.3a"


# 6.2


@rule("rommel", "6.2a", "6.2b")
def test_the_road_bonus() -> None:
    s = empty()
    place(s, "IT-BRE", "0504")  # speed 1 on the coast road
    moving(s)
    where = hexes_in(goes(s, "IT-BRE"))
    # one hex anywhere, five along the coast road both ways
    assert {"0403", "0304", "0204", "0205", "0206"} <= where
    assert {"0604", "0704", "0803", "0903", "0902"} <= where
    assert "0207" not in where
    # leaving the road anywhere costs the whole bonus
    roadside = {grid.names[h] for h in hexes_of(board.land) if any(r >> h & 1 for r in board.any_road)}
    assert where - roadside == {"0505"}
    s = empty()
    place(s, "IT-BRE", "0510")  # Trigh el Abd, a track: two hexes more; the western trail: one
    moving(s)
    where = hexes_in(goes(s, "IT-BRE"))
    assert {"0511", "0512", "0513"} <= where
    assert "0514" not in where
    s = empty()
    place(s, "IT-BRE", "1010")  # the Jarabub trail
    moving(s)
    where = hexes_in(goes(s, "IT-BRE"))
    assert {"1011", "1012", "1009", "1008"} <= where
    assert not {"1013", "1007"} & where


@rule("rommel", "6.2b")
def test_to_begin_beside_the_road_is_not_to_begin_on_it() -> None:
    s = empty()
    place(s, "IT-BRE", "0505")  # beside the coast road at Beda Fomm
    moving(s)
    where = hexes_in(goes(s, "IT-BRE"))
    assert "0504" in where
    assert "0403" not in where
    do(s, "group 0505 0", "move IT-BRE")
    assert reason(s, "to 0403 -") == "6.0a"


@rule("rommel", "6.2c")
def test_mixed_roads_have_the_smallest_of_their_bonuses() -> None:
    s = empty()
    place(s, "IT-BRE", "0311")  # Gazala: coast road, and a trail south to Knightsbridge and its tracks
    moving(s)
    where = hexes_in(goes(s, "IT-BRE"))
    assert "0411" in where  # one hex
    assert {"0410", "0412", "0512"} <= where  # trail and track: one hex more
    assert not {"0413", "0409", "0513"} & where  # not two
    s = empty()
    place(s, "IT-BRE", "0412")  # El Adem: track to Tobruk and on along the coast road
    moving(s)
    where = hexes_in(goes(s, "IT-BRE"))
    assert {"0313", "0314", "0315"} <= where  # two hexes more for track and coast road
    assert "0415" not in where


@rule("rommel", "6.2b", "6.2a")
def test_the_bonus_carries_a_unit_into_battle_too() -> None:
    s = empty()
    place(s, "IT-BRE", "0504")
    place(s, "CW-24A", "0304")
    place(s, "CW-4A", "0204")
    moving(s)
    where = goes(s, "IT-BRE")
    assert "0304 SW" in where  # by the coast road
    assert "0304 SE" not in where  # Soluch is off it
    assert not any(w.startswith("0204") for w in where)


# 6.3


@rule("rommel", "6.3a", "6.3b")
def test_the_rommel_move_takes_every_unit_one_hex_farther() -> None:
    s = empty(option="offensive")
    place(s, ["GE-PZ5", "IT-BRE"], "0810")
    place(s, "GE-MG8", "0504")
    moving(s)
    assert "group 0810 1" in texts(s)
    assert "regroup 0810 1" in texts(s)
    plain, bold = goes(s, "GE-PZ5"), goes(s, "GE-PZ5", rommel=1)
    assert plain < bold
    assert max(grid.distance(H("0810"), H(h)) for h in hexes_in(bold)) == 4
    # on top of the road bonus
    assert "0108" not in goes(s, "GE-MG8")
    assert "0108" in goes(s, "GE-MG8", rommel=1)
    do(s, "group 0810 1", "move IT-BRE", "to 0812 -", "move GE-PZ5", "to 0814 -")
    assert s.rommel_used
    # one move a turn
    assert "group 0504 1" not in texts(s)
    assert "group 0504 0" in texts(s)
    assert reason(s, "group 0504 1") == "6.3a"


@rule("rommel", "6.3a")
def test_a_regroup_move_may_be_the_rommel_move() -> None:
    s = empty()
    place(s, "IT-BRE", "0810")
    moving(s)
    do(s, "regroup 0811 1")
    assert "gather 0812" in texts(s)
    do(s, "gather 0812", "join IT-BRE -")
    assert at(s, "IT-BRE") == "0812"


@rule("rommel", "6.3c")
def test_there_is_no_rommel_in_1940() -> None:
    s = empty(scenario="1940")
    place(s, "GE-PZ5", "0810")
    moving(s)
    assert not any(t.endswith(" 1") for t in texts(s))
    assert reason(s, "group 0810 1") == "6.3c"


@rule("rommel", "6.3d")
def test_there_is_no_rommel_on_the_other_side() -> None:
    s = empty(active="commonwealth")
    place(s, "CW-4A", "0810")
    moving(s)
    assert not any(t.endswith(" 1") for t in texts(s))
    assert reason(s, "group 0810 1") == "6.3d"


@rule("rommel", "6.3d", "6.3a")
def test_rommel_may_lead_a_withdrawal_in_a_pass_turn() -> None:
    s = empty(option="pass")
    place(s, "IT-BRE", "0311")
    moving(s)
    assert "0207" in goes(s, "IT-BRE")
    assert "0206" not in goes(s, "IT-BRE")
    assert "0206" in goes(s, "IT-BRE", rommel=1)  # A17


@rule("rommel", "6.3d")
def test_rommel_does_not_help_in_the_enemy_turn() -> None:
    from sandtable.games.rommel.paths.withdrawal import destinations

    s = empty(active="commonwealth")
    place(s, "IT-BRE", "0311")
    assert "0206" not in hexes(destinations(s, U("IT-BRE")))
    assert "0207" in hexes(destinations(s, U("IT-BRE")))
