"""Rules that a second reading found wanting: the end of a crawl, an advance as a move, Guns in an Overrun, flames."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest

from sandtable.games.asl.combat.armour import ArmourAt, grapple_drms, mounted_column
from sandtable.games.asl.combat.close import ODDS, ratio
from sandtable.games.asl.fire.bursts import lane_column
from sandtable.games.asl.fire.firepower import shares, underfoot
from sandtable.games.asl.fire.group import reach_of
from sandtable.games.asl.fire.protection import beneath, claim_walls
from sandtable.games.asl.game import GAME
from sandtable.games.asl.movement.points import allotment, cost, landing
from sandtable.games.asl.table.ids import (
    ABOVE,
    ADVANCING,
    AFPH,
    ALLIED,
    APH,
    CCPH,
    F_ADVANCE,
    F_ARMOUR,
    F_ROUTS,
    F_WIND_TURN,
    FINAL,
    PFPH,
    PROTECTIVE,
    RTPH,
    UNDER_FOXHOLE,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.table.works import spot
from sandtable.games.asl.turn.advance import AdvanceAt, exhausting
from sandtable.games.asl.turn.routs import RoutsAt, stuck
from sandtable.games.asl.turn.winds import WindTurnAt
from sandtable.games.asl.works.blast import FLAME, BlastAt, fp_of

from ..infantrykit import (
    FOE,
    FOE2,
    LEADER,
    LMG,
    ROSTER,
    SQUAD,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    give,
    legal,
    place,
    roll,
    settle,
)
from ..infantrykit import rule as forbids
from ..kit import filled, ground, hillock
from ..vehiclekit import AXIS, NNE, Desk, E, W

rule = partial(pytest.mark.rule, "asl")

DC = "br_dc#1"


def fleeing(edition: int = 5, disrupted: bool = False) -> State:
    """A broken squad at M5, seen from M7; from L3, behind a wall, an enemy does not see it, but M4 and L4 are beside
    him."""
    s = desert({}, [("L4", "M4", "wall")])
    s.edition = edition
    place(s, SQUAD, "M5")
    place(s, FOE, "M7")
    place(s, FOE2, "L3")
    s.broken = s.dm = bits(SQUAD)
    s.disrupted = bits(SQUAD) if disrupted else 0
    s.phase = RTPH
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    return settle(s)


@rule("A10.501", "A10.52")
def test_a_crawl_does_not_end_beside_an_enemy() -> None:
    """Running, it may pass beside him if it leaves him at once; crawling, it would stay there."""
    s = fleeing()
    do(s, f"rout {SQUAD}")
    assert {"to M4", "to N4", "crawl N4"} <= legal(s)
    assert "crawl M4" not in legal(s)
    assert forbids(s, "crawl M4") == "A10.501"
    s = fleeing(edition=4)
    do(s, f"rout {SQUAD}")
    assert "crawl M4" in legal(s)


@rule("A19.12", "A10.54")
def test_a_disrupted_unit_that_could_only_crawl_beside_an_enemy_cannot_rout() -> None:
    s = fleeing(disrupted=True)
    assert not stuck(s, U(SQUAD))
    for name, where in (("it_346#3", "O5"), ("it_346#4", "K6")):
        place(s, name, where)
    s.choices = None
    assert stuck(s, U(SQUAD))
    assert f"stay {SQUAD}" in legal(s)
    s.edition = 4
    assert not stuck(s, U(SQUAD))


@rule("A12.12", "A4.72")
def test_who_has_advanced_has_moved() -> None:
    for edition, moved in ((5, True), (4, False)):
        s = desert()
        s.edition, s.phase = edition, APH
        place(s, SQUAD, "M5")
        s.stack.append(AdvanceAt(F_ADVANCE))
        settle(s)
        do(s, f"advance {SQUAD} M6")
        assert s.at[U(SQUAD)] == H("M6")
        assert bool(s.moved & bits(SQUAD)) == moved


@rule("D7.1", "C11.2", "D9.3")
def test_emplacement_and_armour_beside_it_protect_from_an_overrun() -> None:
    for edition, gun, beside in ((5, 2, 1), (4, -1, -1)):
        t = Desk("s08_totensonntag", phasing=AXIS, field=ground())
        t.s.edition = edition
        crew, other = t.put("br_228#1", "Q5"), t.put("br_457#1", "R5")
        t.put("br_at57#1", "Q5", W, emplaced=True)
        t.s.holder[t.unit("br_at57#1")] = crew
        t.put("br_crus2#1", "R5", E)
        assert sum(one.value for one in underfoot(t.s, 1 << crew, False)) == gun
        assert sum(one.value for one in underfoot(t.s, 1 << other, False)) == beside


@rule("A22.1", "A7.2", "A7.8")
@pytest.mark.parametrize(("phase", "pinned", "fp"), [(PFPH, False, 24), (AFPH, False, 12), (AFPH, True, 6)])
def test_a_flame_is_halved_as_other_fire_is(phase: int, pinned: bool, fp: int) -> None:
    s = desert()
    s.phase = phase
    place(s, SQUAD, "M5")
    place(s, FOE, "M4")
    give(s, DC, SQUAD)
    s.type[U(DC)] = ROSTER.type_of["ge_ft"]
    s.pinned = bits(SQUAD) if pinned else 0
    blast = BlastAt(ADVANCING, U(DC), H("M4"), FLAME)
    assert fp_of(s, blast, False) == fp
    s.edition = 4
    assert fp_of(s, blast, False) == 24


@rule("B9.32", "F10.3d")
def test_who_lies_in_a_foxhole_keeps_it_instead_of_the_wall() -> None:
    """EX-F10.3-2: Wall Advantage would take the TEM of the entrenchment away, so he does not claim it."""
    for edition, holds in ((5, False), (4, True)):
        s = desert({}, [("M5", "M4", "wall")], phasing=ALLIED)
        s.edition = edition
        place(s, "allied_foxhole#1", "M5")
        place(s, SQUAD, "M5", UNDER_FOXHOLE)
        claim_walls(s)
        assert bool(s.walled) == holds
        s.under[U(SQUAD)] = ABOVE
        claim_walls(s)
        assert s.walled == bits(SQUAD)
        s.under[U(SQUAD)] = UNDER_FOXHOLE
        claim_walls(s)
        assert bool(s.walled) == holds


def crushed(edition: int = 5, **marks: bool) -> Desk:
    """A tank in the hex of a squad, in the Close Combat Phase."""
    t = Desk(field=ground(), phasing=ALLIED)
    t.s.edition = edition
    t.put("br_crus2#1", "Q5", NNE)
    t.put("ge_467#1", "Q5", **marks)
    t.s.phase = CCPH
    return t.settle(ArmourAt(F_ARMOUR, sum(1 << h for h in t.s.here)))


@rule("A11.62", "A12.3")
def test_a_vehicle_names_nobody_who_is_hidden() -> None:
    t = crushed(hip=True, concealed=True)
    assert t.who == "axis"
    t.do("end-combat")
    assert t.who != "allied"
    assert t.s.hip & t.bit("ge_467#1")
    old = crushed(4, hip=True, concealed=True)
    old.do("end-combat")
    assert "name ge_467#1" in old.legal()


@rule("A11.62", "A11.19")
def test_a_vehicle_attacks_the_concealed_at_half_strength_until_they_attack() -> None:
    """AMB-97: 4 FP against a CCV of 5 are 1-2 (Kill Number 4); half of them 1-4 (3)."""
    columns = {}
    for veiled in (False, True):
        t = crushed(concealed=True) if veiled else crushed()
        assert not t.s.concealed
        columns[veiled] = mounted_column(t.s, t.unit("br_crus2#1"), t.bit("ge_467#1"))
    assert (columns[False], columns[True]) == (4, 3)
    t = crushed(concealed=True)
    t.do("grapple ge_467#1 br_crus2#1")
    assert t.s.fight is not None
    assert not t.s.fight.veiled


# What no test had noticed when it was broken


@rule("A7.35", "A1.1")
@pytest.mark.parametrize("man", ["br_hero", "br_ldr_9m1"])
def test_one_man_at_a_machine_gun_fires_it_at_half(man: str) -> None:
    s = desert()
    place(s, LEADER, "M5")
    s.type[U(LEADER)] = ROSTER.type_of[man]
    give(s, LMG, LEADER)
    place(s, FOE, "P5")
    attack(s, ALLIED, "P5")
    do(s, f"use {LMG}")
    assert s.attack is not None
    assert [one.fp for one in shares(s, s.attack)] == [s.kind(U(LMG)).fp / 2]


@rule("A7.9", "A19.3")
@pytest.mark.parametrize(("green", "columns"), [(0, 1), (1, 2), (2, 2)])
def test_one_inexperienced_unit_makes_the_whole_group_cower_by_two_columns(green: int, columns: int) -> None:
    s = desert(phasing=AXIS)
    for name in (FOE, FOE2):
        place(s, name, "M5")
    for name in (FOE, FOE2)[:green]:
        s.type[U(name)] = ROSTER.type_of["it_336"]
    place(s, SQUAD, "N5")
    attack(s, AXIS, "N5")
    do(s, f"join {FOE}", f"join {FOE2}", "commit")
    assert roll(s, 2, 2)[0].data["cowers"] == columns


@rule("A11.5", "A12.3")
def test_the_panel_does_not_tell_of_a_hidden_escort() -> None:
    t = Desk(field=ground(), phasing=ALLIED)
    t.put("ge_pz3g#1", "Q5", NNE)
    t.put("ge_467#1", "Q5", hip=True, concealed=True)
    t.put("br_457#1", "Q5")
    t.s.phase = CCPH
    t.settle(ArmourAt(F_ARMOUR, sum(1 << h for h in t.s.here)))
    odds = GAME.odds(t.s, GAME.parse("grapple br_457#1 ge_pz3g#1"))
    assert odds is not None
    assert "escorted by a squad" not in [str(term.text) for term in odds.terms]
    drms = [text for _, _, text in grapple_drms(t.s, t.bit("br_457#1"), t.unit("ge_pz3g#1"))]
    assert "escorted by a squad" in [str(text) for text in drms], "the dice know of it"


@rule("A10.52")
def test_who_crawls_is_dm_whether_he_was_so_before_or_not() -> None:
    s = fleeing()
    s.dm = 0
    do(s, f"rout {SQUAD}", "crawl N4")
    assert s.at[U(SQUAD)] == H("N4")
    assert s.dm == bits(SQUAD)


@rule("D7.1", "A12.3")
def test_nobody_overruns_who_is_hidden() -> None:
    for hidden in (False, True):
        t = Desk(field=ground(), phasing=ALLIED)
        t.put("br_crus2#1", "Q5", NNE, motion=True)
        t.put("ge_467#1", "Q4")
        t.s.concealed |= t.bit("ge_467#1")
        t.s.hip |= t.bit("ge_467#1") if hidden else 0
        t.driving("br_crus2#1")
        assert ("overrun Q4" in t.legal()) != hidden


@rule("A4.72")
def test_only_what_costs_four_and_all_mf_exhausts_an_advance() -> None:
    """Brush across a wall costs 3: all that a green squad has, and not 4; up a level in sand it is 4."""
    s = desert({**filled("brush", "N4"), "M4": {"level": 1, "terrain": "sand"}}, [("M5", "N4", "wall")])
    place(s, FOE, "M5")
    s.phasing = AXIS
    assert exhausting(s, U(FOE), H("M4"))
    assert not exhausting(s, U(FOE), H("N4"))
    s.type[U(FOE)] = ROSTER.type_of["it_336"]
    assert allotment(s, U(FOE), False) == 6
    assert cost(s, spot(s, U(FOE)), landing(s, H("N4")), AXIS) == 6
    assert not exhausting(s, U(FOE), H("N4"))
    assert exhausting(s, U(FOE), H("M4"))


@rule("A11.11")
def test_each_odds_begin_at_their_ratio() -> None:
    for before, word in pairwise(ODDS[:-1]):
        attack_, defence = (Fraction(number) for number in word.split("-"))
        assert ODDS[ratio(attack_, defence)] == word
        assert ODDS[ratio(attack_ * 99, defence * 100)] == before


@rule("A11.11")
@pytest.mark.parametrize(
    ("attack_", "defence", "odds"),
    [(10, 1, "10-1"), (11, 1, ">10-1"), (99, 10, "8-1"), (1, 8, "1-8"), (1, 9, "<1-8"), (4, 7, "1-2"), (3, 2, "3-2")],
)
def test_the_odds_are_the_highest_not_above_the_ratio(attack_: int, defence: int, odds: str) -> None:
    assert ODDS[ratio(Fraction(attack_), Fraction(defence))] == odds


@rule("A3.2", "C10.1", "D6.1")
def test_who_has_prep_fired_a_gun_is_not_driven_away_with_it() -> None:
    for edition, held in ((5, True), (4, False)):
        t = Desk(field=ground(), phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
        t.s.edition = edition
        t.put("ge_sdk7#1", "Q5", NNE)
        gun, crew = t.put("ge_aa88#1", "Q5"), t.put("ge_228#1", "Q5")
        t.s.holder[gun] = crew
        t.s.served, t.s.handled = 1 << crew, 1 << gun  # and it has kept its ROF
        t.driving("ge_sdk7#1")
        words = ("embark ge_228#1", "hook ge_aa88#1")
        if held:
            assert [t.rule(text) for text in words] == ["A3.2", "A3.2"]
        else:
            assert set(words) <= t.legal()


@rule("A8.4", "A8.31")
def test_who_has_first_fired_reaches_the_hexes_beside_him_alone() -> None:
    s = desert()
    place(s, SQUAD, "M5")
    assert reach_of(s, FINAL, U(SQUAD)) == (0, 2 * s.kind(U(SQUAD)).range)
    s.fired = bits(SQUAD)
    assert reach_of(s, FINAL, U(SQUAD)) == reach_of(s, PROTECTIVE, U(SQUAD)) == (0, 1)


@rule("B27.3", "F7.42b")
@pytest.mark.parametrize(("terrain", "plain", "shelled"), [("open", 2, 4), ("sand", 1, 2)])
def test_a_foxhole_is_worth_twice_as_much_against_shells(terrain: str, plain: int, shelled: int) -> None:
    s = desert(filled(terrain, "M5"))
    place(s, SQUAD, "M5", UNDER_FOXHOLE)
    s.stage.script = {**s.stage.script, "conditions": {**s.stage.script["conditions"], "ec": "Dry"}}
    found = [beneath(s, U(SQUAD), shelling) for shelling in (False, True)]
    assert [one.value for one in found if one is not None] == [plain, shelled]


@rule("F6.53a", "A9.221")
def test_a_fire_lane_from_a_hillock_passes_over_the_ground() -> None:
    for cells, hit in (({}, True), (hillock("h", "M5"), False), (hillock("h", "M5", "M3"), True)):
        s = desert(cells)
        place(s, SQUAD, "M5")
        give(s, LMG, SQUAD)
        place(s, FOE, "M3")
        s.lanes[U(LMG)] = H("M3")
        assert (lane_column(s, U(LMG), U(FOE)) >= 0) == hit, cells


@rule("B25.65")
@pytest.mark.parametrize(("before", "die", "after"), [(6, 1, 1), (5, 2, 1), (1, 3, 6), (2, 4, 6), (3, 1, 4)])
def test_the_wind_veers_and_backs_round_the_compass(before: int, die: int, after: int) -> None:
    s = desert()
    s.wind, s.toward = 1, before
    s.stack.append(WindTurnAt(F_WIND_TURN))
    settle(s)
    roll(s, die)
    assert s.toward == after
