"""Lines of sight where two rules meet: crests far below, cliffs followed, walls at one vertex, summits among hills."""

from __future__ import annotations

import pickle
from functools import partial

import pytest

from sandtable.games.asl.boards.battlefield import battlefield
from sandtable.games.asl.boards.locations import Spot
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.sight import Sightlines
from sandtable.games.asl.shown import view

from ..kit import blocked_by, ground, hill, hillock, look

rule = partial(pytest.mark.rule, "asl")


@rule("B10.2")
def test_from_high_above_a_crest_line_hides_less() -> None:
    """AMB-140 One hex less for each level by which the viewer exceeds the Crest Line by more than one."""
    for level, hidden in ((1, True), (2, True), (3, False)):
        field = ground({**hill(level, "M10"), **hill(1, "M4")})
        assert blocked_by(field, "M10", "M3") == ("B10.2" if hidden else ""), level
    assert blocked_by(ground({**hill(3, "M10"), **hill(2, "M4")}), "M10", "M3") == "B10.2"
    cliff = ground({**hill(3, "M10"), **hill(1, "M4")}, [("M4", "M3", "cliff", "M4")])
    assert blocked_by(cliff, "M10", "M3") == "B10.2"  # B11 never less than one below a cliff


@rule("B10.2")
def test_a_cliff_that_a_line_follows_hides_nothing() -> None:
    cells = {**hill(2, "M9", "L9"), **hill(1, "M10")}
    along = ground(cells, [("L9", "M10", "cliff", "L9")])
    assert look(along, "M9", "L10").clear
    over = ground(cells, [("M10", "L10", "cliff", "M10"), ("L9", "L10", "cliff", "L9")])
    assert blocked_by(over, "M9", "L10") == "B10.2"


@rule("F4.4b")
def test_along_its_lip_a_line_is_still_inside_the_deir() -> None:
    """AMB-141 It leaves the deir where it leaves the hexside, into the hex that this forms with the lip."""
    field = battlefield({"boards": [{"id": "D2"}]})
    lines = Sightlines(field)
    dug, near, far = Spot(field.hex("D2.P8"), dug_in=True), field.hex("D2.L8"), field.hex("D2.J8")
    assert field.has("deir", dug.hex)
    assert not field.has("lip", dug.hex)
    assert field.mass[near] != field.mass[dug.hex]
    assert lines.sees(dug, Spot(near))
    assert lines.sees(Spot(near), dug)
    block = lines.look(dug, Spot(far)).block
    assert block is not None
    assert (block.rule, field.name(block.hex)) == ("F4.4b", "D2.L8")


@rule("F6.411b")
def test_walls_are_one_only_where_they_meet_on_the_line() -> None:
    """AMB-142 Two hedges of one hex, each met at a vertex of its own, are two; the three of one corner are one."""
    top = hillock("h", "F1", "G1", "G2", summit=["H1"])
    apart = ground(top, [("E2", "F1", "hedge"), ("F1", "G2", "hedge")])
    assert blocked_by(apart, "H1", "D1") == "F6.411b"
    assert blocked_by(apart, "D1", "H1") == "F6.411b"
    assert look(ground(top, [("F1", "G2", "hedge")]), "H1", "D1").clear
    corner = [("L8", "K8", "wall"), ("L8", "L7", "wall"), ("M8", "L7", "wall")]
    together = ground(hillock("h", "O8"), corner)
    assert look(together, "I8", "O8").clear
    assert look(together, "O8", "I8").clear


@rule("F6.411b", "F6.44a")
def test_from_a_summit_to_a_hill_as_high_all_equal_walls_are_seen_past() -> None:
    """From the summit the hill is a Location at least as high as itself, and sight is mutual."""
    cells = {**hill(1, "F6"), **hillock("h", "E5", "D4", summit=["D3", "C3"])}
    field = ground(cells, [("D4", "E5", "wall")])
    assert look(field, "C3", "F6").clear
    hills = ground({**hill(1, "F6", "C3"), **hillock("h", "E5", "D4")}, [("D4", "E5", "wall")])
    assert blocked_by(hills, "F6", "C3") == "A6.21"  # no hillock under either


@rule("F10.2a")
def test_along_a_hillside_wall_below_its_base_a_line_is_free() -> None:
    """EX-F10.2: it runs in the lower hex, above which the wall stands; on the flat the same wall is in the way."""
    wall = [("L7", "L8", "wall")]
    assert look(ground(hill(1, "L7"), wall), "I8", "O8").clear
    assert blocked_by(ground({}, wall), "I8", "O8") == "A6.21"


@rule("F10.2a")
def test_past_the_end_of_a_hillside_wall_below_its_base_a_line_is_free() -> None:
    """It touches the corner at which the wall ends, in the lower hex; on the flat that is in the way."""
    wall = [("K8", "L7", "wall")]
    assert look(ground(hill(1, "L7"), wall), "I8", "O8").clear
    assert blocked_by(ground({}, wall), "I8", "O8") == "A6.21"


@rule("F6.44d")
def test_a_hill_as_high_as_a_summit_is_not_on_it() -> None:
    """A unit on a hill is neither on, behind nor above a summit as high as itself."""
    field = ground({**hill(1, "M9", "M1"), **hillock("h", summit=["M5"])})
    assert blocked_by(field, "M9", "M1") == "F6.44d"
    assert blocked_by(field, "M1", "M9") == "F6.44d"
    on = ground({**hill(1, "M9"), **hillock("a", summit=["M1"]), **hillock("h", summit=["M5"])})
    assert look(on, "M9", "M1").clear  # F6.41b from the one on a summit
    half = ground({**hill(1, "M9"), **hillock("a", "M1"), **hillock("h", summit=["M5"])})
    assert blocked_by(half, "M9", "M1") == "F6.44d"


def test_games_begun_before_version_4_see_as_they_did() -> None:
    then, now = (GAME.new("s04_cauldron_sunset", options) for options in ({"rulings_of_3": True}, {}))
    dug, near = (Spot(now.stage.field.hex(name), dug_in=name == "D2.P8") for name in ("D2.P8", "D2.L8"))
    assert now.stage.sights.sees(dug, near)
    for state in (then, then.copy(), pickle.loads(pickle.dumps(then))):
        assert not state.stage.sights.sees(dug, near)
        assert state.stage.sights is then.stage.sights
    for bridged in (then.stage.bridged({1: 1}), pickle.loads(pickle.dumps(then.stage.bridged({1: 1})))):
        assert not bridged.sights.sees(dug, near)
    assert then.stage.ruled(3) is then.stage
    assert not now.stage.ruled(3).sights.sees(dug, near)
    assert now.stage.ruled(3) is now.stage.ruled(3).ruled(3)
    assert view.stage_of("s04_cauldron_sunset") is now.stage
