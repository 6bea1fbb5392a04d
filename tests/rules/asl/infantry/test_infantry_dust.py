"""F11 in the eyes of Infantry: dust, haze and sun in routs, hiding, recovery and pace; F5.41, F6.53, F10.3 besides."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.boards.locations import Place, Spot
from sandtable.games.asl.fire.air import murky
from sandtable.games.asl.fire.bursts import lane_drm
from sandtable.games.asl.fire.firepower import screens
from sandtable.games.asl.fire.protection import claim_walls, sides_of
from sandtable.games.asl.movement.arrival import spy
from sandtable.games.asl.table.ids import DISPERSED, F_CONCEAL, F_ROUTS, RTPH
from sandtable.games.asl.table.state import State
from sandtable.games.asl.table.weather import density
from sandtable.games.asl.turn.ending import ConcealAt
from sandtable.games.asl.turn.routs import RoutsAt, plain_desert

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    HMG,
    LMG,
    SQUAD,
    H,
    U,
    attack,
    bits,
    column,
    desert,
    do,
    give,
    moving,
    place,
    roll,
    settle,
    side_of,
)
from ..infantrykit import (
    rule as held_by,
)
from ..kit import filled, hill

rule = partial(pytest.mark.rule, "asl")


def dusty(s: State, word: str) -> State:
    s.density = DUSTS.index(word)
    assert density(s) == word
    return s


def running(word: str) -> State:
    s = dusty(desert(), word)
    place(s, FOE, "M5")
    place(s, SQUAD, "M4")
    s.broken = s.dm = bits(FOE)
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, AXIS))
    settle(s)
    do(s, f"rout {FOE}", "to M6")
    return s


@rule("F11.711b", "F11.711c")
def test_ex_f11_711_dust_takes_from_the_interdiction_roll() -> None:
    """EX-F11.711: Light Dust, broken morale one below the roll; an extra dr of 4 takes 2 off."""
    for die, taken in ((1, 0), (2, 1), (4, 2), (6, 3)):
        s = running("light")
        roll(s, die)
        found = roll(s, 1, 6)
        told = next(one for one in found if one.kind == "check")
        assert told.data["final"] == 7 - taken
        assert told.data["passed"] == (7 - taken <= 5)
    s = running("light")
    roll(s, 6)
    roll(s, 6, 6)
    assert s.at[U(FOE)] < 0  # an Original 12 all the same


@rule("F11.711d")
def test_heavier_dust_keeps_interdiction_off() -> None:
    assert side_of(running("heavy")) != "chance"
    assert side_of(running("none")) == "chance"


@rule("F11.731c", "F11.731e")
def test_very_heavy_dust_slows_and_hides() -> None:
    for word, held in (("heavy", False), ("very_heavy", True), ("extremely_heavy", True)):
        s = dusty(desert(), word)
        place(s, SQUAD, "M5")
        place(s, LMG, "M5")
        moving(s)
        do(s, f"move {SQUAD}")
        if held:
            assert held_by(s, "double-time") == "F11.731c"
        do(s, f"take {LMG}")
        roll(s, 5)
        assert (s.holder[U(LMG)] < 0) == held


@rule("F11.732b")
def test_extremely_heavy_dust_jams_weapons_earlier() -> None:
    for word, jams in (("very_heavy", False), ("extremely_heavy", True)):
        s = dusty(desert(), word)
        place(s, FOE, "M5")
        give(s, HMG, FOE)  # B11
        place(s, SQUAD, "N5")
        attack(s, AXIS, "N5")
        do(s, f"use {HMG}", "commit")
        while side_of(s) == "chance" and s.attack is not None and not s.attack.dusty:
            roll(s, 1)
        roll(s, 4, 6)
        assert bool(s.jammed) == jams


@rule("F11.601a", "F11.6a")
def test_in_low_visibility_entrenchments_in_scrub_are_found_at_six_hexes() -> None:
    for word, where, found in (("none", "T5", True), ("light", "T5", False), ("light", "S5", True)):
        s = dusty(desert(filled("scrub", where)), word)
        place(s, SQUAD, "M5")
        place(s, "axis_foxhole#1", where)
        s.hip = bits("axis_foxhole#1")
        spy(s, bits(SQUAD))
        assert (s.hip == 0) == found, (word, where)


@rule("F11.601b")
def test_in_low_visibility_far_units_hide_without_a_roll() -> None:
    for word in ("none", "light"):
        s = dusty(desert(filled("scrub", "H5")), word)
        place(s, SQUAD, "H5")
        place(s, FOE, "Z5")
        assert s.stage.grid.distance(s.at[U(SQUAD)], s.at[U(FOE)]) >= 17
        s.moved = bits(SQUAD)
        s.stack.append(ConcealAt(F_CONCEAL, bits(SQUAD)))
        settle(s)
        assert bool(s.concealed) == (word == "light")


@rule("F11.601c")
def test_the_sun_hides_only_what_lies_in_its_zone() -> None:
    s = desert()
    conditions = {**s.stage.script["conditions"], "sun": "early_morning"}
    s.stage.script = {**s.stage.script, "conditions": conditions}
    east, west = Spot(H("Q5")), Spot(H("I5"))
    here = Spot(H("M5"))
    assert (murky(s, here, east), murky(s, here, west)) == (True, False)


@rule("F5.41a", "F5.41c")
def test_weapons_fire_from_the_crest_and_outside_its_front_at_half() -> None:
    for front, expected in ((2, 2), (5, 1)):
        s = desert({"M5": {"forms": {"wadi"}}})
        place(s, SQUAD, "M5", at=Place.CREST)
        s.cafp[U(SQUAD)] = front
        give(s, LMG, SQUAD)
        place(s, FOE, "P7")
        attack(s, ALLIED, "P7")
        assert column(do(s, f"use {LMG}", "commit")) == expected


@rule("F6.53b")
def test_vehicles_well_below_a_fire_lane_do_not_hinder_it() -> None:
    tank = "ge_pz3h#1"
    for high, expected in ((False, 1), (True, 0)):
        s = desert(hill(1, "M9", "M5") if high else {})
        place(s, FOE, "M9")
        give(s, HMG, FOE)
        place(s, tank, "M7")
        s.lanes = {U(HMG): H("M4")}
        assert sum(one.value for one in lane_drm(s, U(HMG), H("M5"))) == expected


@rule("F10.3d", "F10.3e")
def test_a_crest_unit_claims_a_wall_on_its_own_side_at_its_own_level() -> None:
    sides = [("M5", "M4", "hedge"), ("M5", "M6", "hedge")]
    s = desert({"M5": {"forms": {"wadi"}}}, sides)
    place(s, SQUAD, "M5", at=Place.CREST)
    s.cafp[U(SQUAD)] = 0
    assert sides_of(s, U(SQUAD)) == [0]  # the other hedge is behind it, and does not keep it from this one
    s.place[U(SQUAD)] = Place.IN
    assert sides_of(s, U(SQUAD)) == []
    s = desert({"M5": {"forms": {"wadi"}}, "M4": {"level": 1}}, sides)
    place(s, SQUAD, "M5", at=Place.CREST)
    s.cafp[U(SQUAD)] = 0
    claim_walls(s)
    assert s.walled == 0  # the hillside hedge is a level above its Crest


@rule("A6.11")
def test_sight_may_be_checked_at_any_time_and_no_attack_is_made_without_it() -> None:
    s = desert(filled("woods", "O5"))
    place(s, SQUAD, "M5")
    place(s, FOE, "Q5")
    assert not s.stage.sights.look(Spot(H("M5")), Spot(H("Q5"))).clear
    attack(s, ALLIED, "Q5")
    assert held_by(s, f"join {SQUAD}") == "A6.1"


@rule("F1.1a", "F2.2b", "F3.2b", "F7.2b")
@pytest.mark.parametrize("word", ["open", "scrub", "hammada", "sand"])
def test_scrub_hammada_and_sand_are_open_ground_to_fire_and_sight(word: str) -> None:
    s = desert(filled(word, "N5", "O5"))
    kind = s.stage.field.kind(H("N5"))
    assert (kind.tem_direct, kind.obstacle, kind.hindrance, kind.ffmo) == (0, 0, 0, True)
    place(s, SQUAD, "M5")
    place(s, FOE, "Q5")
    assert s.stage.sights.look(Spot(H("M5")), Spot(H("Q5"))).hindrance == 0


@rule("F.1Cc")
def test_only_by_day_does_a_distant_enemy_spare_who_cannot_rout() -> None:
    s = desert()
    assert plain_desert(s)
    s.stage.night = True
    assert not plain_desert(s)


@rule("F11.794b", "A8.2")
def test_dust_between_lowers_no_residual_fp_and_smoke_does() -> None:
    for dust in (True, False):
        s = desert()
        place(s, SQUAD, "M5")
        place(s, FOE, "M8")
        if dust:
            s.trail = {U("br_stu1#1"): H("M6")}
        else:
            s.smoke = {H("M6"): 1 << 2 * DISPERSED}
        attack(s, AXIS, "M5")
        assert s.attack is not None
        s.attack.firers = bits(FOE)
        assert [(one.value, one.outside) for one in screens(s, s.attack, bits(SQUAD))] == [(2, not dust)]
