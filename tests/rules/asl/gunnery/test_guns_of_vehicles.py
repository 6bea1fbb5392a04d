"""A3.2, C3.2, C5.7, C7, D7.1 The guns of vehicles read once more: who fires when, what turns, and what a hit does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.asl.fire.ift import FIRST_KIA, ift
from sandtable.games.asl.fire.sights import BLASTS
from sandtable.games.asl.game import GAME
from sandtable.games.asl.los.arcs import SIDE, arc
from sandtable.games.asl.movement.infantry import MovesAt
from sandtable.games.asl.ordnance import ffe, to_hit, to_kill
from sandtable.games.asl.ordnance.acquisition import acquired
from sandtable.games.asl.ordnance.aim import aiming_at, bearing, facing, may_work, tube_of
from sandtable.games.asl.ordnance.bursts import KillAt, after_shot, burst, strike_of, turn_to
from sandtable.games.asl.ordnance.effects import shaken
from sandtable.games.asl.ordnance.panel import best_of
from sandtable.games.asl.ordnance.weapons import AP, HE
from sandtable.games.asl.table.hardware import BMG, CMG, MA, SA
from sandtable.games.asl.table.ids import (
    ADVANCING,
    ALLIED,
    AXIS,
    F_FIRE,
    F_MOVES,
    F_SKIRTS,
    F_TO_KILL,
    MINES_AP,
    MPH,
    PREP,
)
from sandtable.games.asl.table.state import BATTERY, BLAST, CALIBER, Move, Shoot, put
from sandtable.games.asl.turn.fires import FireAt
from sandtable.games.asl.vehicles.dust import settle_stopped
from sandtable.games.asl.vehicles.overrun import overrun_fp

from ..kit import ground
from ..ordnancekit import armour, gun
from ..vehiclekit import NNE, SSW, Desk, E, event, kinds

PANZER, FOE, CREW, GUN = "ge_pz3g#1", "br_457#1", "ge_228#1", "ge_at50#1"
TRUCK, TANK = "br_3ton#1", "br_a10#1"
BOTH = pytest.mark.parametrize("edition", [6, 5])
"""As it is ruled now, and as it was ruled before version 6."""


def desk(edition: int, scenario: str = "s05_hafid_ridge", phasing: int = AXIS) -> Desk:
    t = Desk(scenario, phasing=phasing, field=ground()).under(ec="Dry", vehicle_dust=False)
    t.s.edition = edition
    return t


@BOTH
@pytest.mark.rule("asl", "A3.2", "A3.5")
def test_a_tank_that_has_prep_fired_one_weapon_fires_no_other_in_the_advancing_fire_phase(edition: int) -> None:
    t = desk(edition)
    t.put(PANZER, "Q5", NNE)
    t.put("ge_pz3g#2", "R5", NNE)
    t.put(FOE, "Q3")
    t.settle(FireAt(F_FIRE, AXIS, PREP))
    t.do("fire Q3", f"coax {PANZER}", "commit")
    t.roll(6, 5)
    t.do("end-fire")
    t.s.stack, t.s.attack = t.s.stack[:1], None
    t.settle(FireAt(F_FIRE, AXIS, ADVANCING))
    assert ("lay ge_pz3g#2" in t.legal()) is True
    assert (f"lay {PANZER}" in t.legal()) == (edition < 6)
    if edition > 5:
        assert t.rule(f"lay {PANZER}") == "A3.2"
    t.do("fire Q3")
    assert (f"bow {PANZER}" in t.legal()) == (edition < 6)
    if edition > 5:
        assert t.rule(f"bow {PANZER}") == "A3.2"


@BOTH
@pytest.mark.parametrize("mark", ["immobile", "bogged", ""])
@pytest.mark.rule("asl", "C3.2", "C7.6", "D8.2")
def test_a_vehicle_that_cannot_move_is_not_turned_with_the_gun_in_its_hull(mark: str, edition: int) -> None:
    t = desk(edition, "s04_cauldron_sunset", ALLIED)
    u = t.put("br_grant#1", "Q5", NNE, **({mark: True} if mark else {}))
    hull, turret = tube_of(t.s, u, SA), tube_of(t.s, u, MA)
    assert hull is not None
    assert turret is not None
    ahead, behind = t.hex("Q2"), t.hex("Q8")
    assert bearing(t.s, u, hull) >> ahead & 1
    assert bool(bearing(t.s, u, hull) >> behind & 1) == (edition < 6 or not mark)
    assert bearing(t.s, u, turret) >> behind & 1


@BOTH
@pytest.mark.rule("asl", "C3.2", "D2.1", "D3.3")
def test_on_the_move_a_hull_gun_is_turned_for_mp_alone(edition: int) -> None:
    t = desk(edition, "s04_cauldron_sunset", ALLIED)
    u = t.put("br_grant#1", "Q5", NNE, motion=True)
    hull = tube_of(t.s, u, SA)
    assert hull is not None
    t.s.move = Move(movers=1 << u, vehicle=u, came=t.hex("Q5"), hex=t.hex("Q5"))
    assert bearing(t.s, u, hull) >> t.hex("Q2") & 1
    assert bool(bearing(t.s, u, hull) >> t.hex("Q8") & 1) == (edition < 6)


@BOTH
@pytest.mark.rule("asl", "C3.2", "D3.11")
def test_the_turret_goes_with_the_hull_that_a_gun_turns(edition: int) -> None:
    t = desk(edition, "s04_cauldron_sunset", ALLIED)
    u = t.put("br_grant#1", "Q5", NNE, turret=E)
    hull = tube_of(t.s, u, SA)
    assert hull is not None
    turn_to(t.s, u, hull, t.hex("Q8"))
    assert t.s.vca[u] in (SSW, SSW - 1)
    turned = t.s.vca[u] - NNE
    assert t.s.tca[u] == (E if edition < 6 else (E + turned) % 6)


@BOTH
@pytest.mark.rule("asl", "D1.3", "C3.2")
def test_a_gun_without_turret_that_fires_to_the_rear_needs_no_turn_for_it(edition: int) -> None:
    t = desk(edition)
    u = t.put(PANZER, "Q5", NNE)
    rear = gun("ff_w15t")
    assert rear.rear_arc
    assert facing(t.s, u, rear) == (SSW if edition > 5 else NNE)
    turn_to(t.s, u, rear, t.hex("Q8"))
    assert (t.s.vca[u] == NNE) == (edition > 5)
    assert facing(t.s, u, gun("ge_pzjg1")) == t.s.vca[u]


@BOTH
@pytest.mark.rule("asl", "D7.1", "D3.5")
def test_a_gun_that_has_fired_adds_nothing_to_an_overrun_and_has_fired_after_it(edition: int) -> None:
    t = desk(edition)
    u = t.put(PANZER, "Q5", NNE, motion=True)
    t.put(FOE, "Q4")
    assert overrun_fp(t.s, u) == 2 * 16
    t.s.used[u] = MA
    assert overrun_fp(t.s, u) == 2 * (14 if edition > 5 else 16)
    t.s.used[u] = 0
    t.driving(PANZER)
    t.do("overrun Q4")
    t.roll(6, 5)
    assert t.s.used[u] == BMG | CMG | (MA if edition > 5 else 0)


@BOTH
@pytest.mark.rule("asl", "C5.7", "C7.1", "D4.3")
def test_a_deliberate_immobilization_reckons_with_everything_but_armour(edition: int) -> None:
    def number(**facts: object) -> int:
        strike = to_kill.Strike(gun("ge_at50"), AP, 4, armour("br_crus2"), deliberate=True, eased=edition < 6)
        return to_kill.final(strike._replace(**facts))  # type: ignore[arg-type]

    assert number() == 13
    assert number(aspect=to_kill.REAR) == (14 if edition > 5 else 13)
    assert number(location=to_kill.TURRET, aspect=to_kill.REAR) == (14 if edition > 5 else 13)
    under = number(location=to_kill.TURRET, underbelly=True, armour=armour("br_crus2")._replace(aerial=2))
    assert under == (13 if edition > 5 else 11)


@BOTH
@pytest.mark.rule("asl", "A9.6", "C7.31")
def test_a_machine_gun_has_its_own_number_against_a_truck_too(edition: int) -> None:
    truck = to_kill.Armour(unarmored=True)
    eased = edition < 6
    mg = to_kill.Strike(gun("ge_pz1b"), AP, 4, truck, eased=eased)
    assert [one.value for one in to_kill.kill_number(mg)] == ([4, 1] if edition > 5 else [7])
    assert to_kill.outcome(mg, 3, 2) == (to_kill.NOTHING if edition > 5 else to_kill.DESTROYED)
    atr = to_kill.Strike(gun("br_mh3"), AP, 4, truck, eased=eased)
    shell = to_kill.Strike(gun("ge_at50"), AP, 4, truck, eased=eased)
    assert to_kill.final(atr) == 7
    assert to_kill.final(shell) == 8


@BOTH
@pytest.mark.rule("asl", "C3.7", "A7.308")
def test_a_critical_hit_on_a_hex_turns_the_ground_against_a_truck(edition: int) -> None:
    """+1 in a broken hex counts as -1 for the truck that is struck: a 6 eliminates it instead of nothing."""
    t = Desk(phasing=AXIS, field=ground({"Q3": {"terrain": "broken_hex"}})).under(ec="Dry")
    t.s.edition = edition
    t.put(CREW, "Q6")
    g = t.put(GUN, "Q6", NNE)
    t.s.holder[g] = t.unit(CREW)
    u = t.put("br_3ton#1", "Q3", NNE)
    t.s.shoot = Shoot(fire=PREP, side=AXIS, gun=1 << g, type=2, hex=t.hex("Q3"), shell=HE)
    t.s.shoot.hit = t.s.shoot.struck = 1 << u
    t.s.shoot.critical = 1
    burst(t.s, t.s.shoot, 3, 3)  # 3 FP doubled is the 6 column: Kill Number 6
    assert bool(t.s.wreck >> u & 1) == (edition > 5)


@BOTH
@pytest.mark.rule("asl", "C6.5", "C2.29")
def test_rapid_fire_at_another_hex_loses_what_was_acquired(edition: int) -> None:
    t = desk(edition)
    t.put(CREW, "Q6")
    g = t.put("ge_aa20#1", "Q6", NNE)
    t.s.holder[g] = t.unit(CREW)
    t.put(FOE, "Q3")
    t.put("br_457#2", "R3")
    for where, kept in (("Q3", True), ("R3", edition < 6)):
        t.s.aim = {g: (-1, t.hex("Q3"), 2)}
        shoot = Shoot(fire=PREP, side=AXIS, gun=1 << g, weapon=MA, type=3, hex=t.hex(where), first=6, second=5)
        after_shot(t.s, shoot)
        assert (g in t.s.aim) == kept


@pytest.mark.rule("asl", "D1.3")
def test_nobody_fires_the_machine_guns_of_an_m11_from_an_open_hatch() -> None:
    t = Desk("s03_nibeiwa", phasing=AXIS, field=ground())
    t.put("it_m11#1", "Q5", NNE, exposed=True)
    t.put("it_m11#2", "R5", NNE)
    t.put("in_457#1", "Q3")
    t.settle(FireAt(F_FIRE, AXIS, PREP))
    assert "lay it_m11#1" in t.legal(), "its gun stands in the hull"
    t.do("fire Q3")
    assert t.rule("coax it_m11#1") == "D1.3"
    assert "coax it_m11#2" in t.legal()
    t.s.edition = 5
    t.s.choices = None
    assert "coax it_m11#1" in t.legal()


@pytest.mark.rule("asl", "C3.2", "D3.5")
@pytest.mark.parametrize("way", range(6))
def test_the_bow_machine_gun_of_a_tankette_fires_before_it_alone(way: int) -> None:
    t = desk(7)
    u = t.put(PANZER, "Q5", way)
    t.s.type[u] = t.roster.type_of["it_l335"]
    tube = tube_of(t.s, u)
    assert tube is not None
    assert bearing(t.s, u, tube) == arc(t.stage.field, t.hex("Q5"), way)


@BOTH
@pytest.mark.rule("asl", "C5.6")
def test_a_gun_whose_note_says_so_fires_never_intensively(edition: int) -> None:
    t = desk(edition)
    u, now = t.put(PANZER, "Q5", NNE), aiming_at(PREP, AXIS)
    assert may_work(t.s, now, u, MA, gun("ge_inf150"))
    assert may_work(t.s, now, u, MA, gun("ge_sig2")) == (edition < 6)


@pytest.mark.rule("asl", "D3.3")
def test_a_vehicle_whose_note_says_so_does_not_fire_on_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    for noted in ([], ["ge_pz3g"]):
        t = desk(6)
        notes = t.s.stage.pack.tables["counter_notes"]
        assert noted or notes["no_bounding_fire"] == ["br_morrisaa"]
        monkeypatch.setitem(notes, "no_bounding_fire", noted)
        t.put(PANZER, "Q5", NNE, motion=True)
        t.put("br_a10#1", "Q2", NNE)
        t.driving(PANZER)
        t.do("delay", "hold")
        assert (f"lay {PANZER}" in t.legal()) != bool(noted)
        if noted:
            assert t.rule(f"lay {PANZER}") == "D3.3"


@BOTH
@pytest.mark.rule("asl", "C10.3")
def test_an_88_is_not_pushed(edition: int) -> None:
    t = desk(edition)
    t.put(CREW, "Q5")
    g = t.put("ge_aa88#1", "Q5", NNE)
    t.s.holder[g] = t.unit(CREW)
    t.s.phase = MPH
    t.settle(MovesAt(F_MOVES))
    t.do(f"move {CREW}")
    assert ("push ge_aa88#1 Q4" in t.legal()) == (edition < 6)
    if edition > 5:
        assert t.rule("push ge_aa88#1 Q4") == "C10.3"


def hit_on_matilda(t: Desk, where: str, first: int = 4, second: int = 3) -> int:
    """A 50mm Gun hits the hull of the Matilda at Q4."""
    t.put(CREW, where)
    g = t.put(GUN, where, NNE)
    t.s.holder[g] = t.unit(CREW)
    u = t.unit("br_mat2#1")
    t.s.shoot = Shoot(fire=PREP, side=AXIS, gun=1 << g, weapon=MA, type=0, hex=t.s.at[u], target=1 << u, shell=AP)
    t.s.shoot.first, t.s.shoot.second = first, second
    return u


@BOTH
@pytest.mark.parametrize(("die", "saved"), [(3, False), (4, True)])
@pytest.mark.rule("asl", "C7.2")
def test_the_skirts_of_a_matilda_save_its_tracks_on_four_or_more(die: int, saved: bool, edition: int) -> None:
    t = Desk("s05_hafid_ridge", phasing=AXIS, field=ground()).under(ec="Dry")
    t.s.edition = edition
    t.put("br_mat2#1", "Q4", E)
    u = hit_on_matilda(t, "Q8")
    assert t.s.shoot is not None
    strike = strike_of(t.s, t.s.shoot)
    assert strike.aspect == SIDE
    assert strike.skirts == (edition > 5)
    number = to_kill.final(strike)
    t.s.shoot.rolls = 1
    t.settle(KillAt(F_TO_KILL))
    first = max(1, number - 6)
    t.roll(first, number - first)
    if edition < 6:
        assert t.has("immobile", "br_mat2#1")
        return
    assert t.s.stack[-1][0] == F_SKIRTS
    events = t.roll(die)
    assert event(events, "skirts")["passed"] == saved
    assert t.has("immobile", "br_mat2#1") != saved
    assert "destroyed" not in kinds(events)
    assert u == t.unit("br_mat2#1")


@pytest.mark.rule("asl", "C7.2")
def test_the_panel_knows_of_the_skirts() -> None:
    plain = to_kill.Strike(gun("ge_at50"), AP, 4, armour("br_mat2"), aspect=SIDE)
    chances = {str(word): chance for word, chance in best_of(plain)}
    less = {str(word): chance for word, chance in best_of(plain._replace(skirts=True))}
    assert less["immobilized"] == chances["immobilized"] / 2
    assert sum(less.values()) == Fraction(1)


def flak(edition: int, target: str = "", **marks: bool) -> Desk:
    """A 20mm FlaK 30 (IFE 6) at Q6 and an enemy's vehicle at Q3."""
    t = desk(edition)
    t.put(CREW, "Q6")
    g = t.put("ge_aa20#1", "Q6", NNE)
    t.s.holder[g] = t.unit(CREW)
    if target:
        t.put(target, "Q3", NNE, **marks)
    return t.settle(FireAt(F_FIRE, AXIS, PREP))


@BOTH
@pytest.mark.rule("asl", "C2.29", "A7.308")
def test_rapid_fire_attacks_trucks_as_a_machine_gun_does(edition: int) -> None:
    t = flak(edition, TRUCK)
    t.do("lay ge_aa20#1")
    assert ("at-rapid Q3" in t.legal()) == (edition > 5)
    if edition < 6:
        return
    t.do("at-rapid Q3")
    odds = GAME.odds(t.s, GAME.parse("shoot"))
    assert odds is not None
    chances = {str(word): chance for word, chance in odds.results}
    assert chances["burns"] == Fraction(3, 36)  # 6 FP: Kill Number 6, at 3 or less it burns
    assert chances["destroyed"] == Fraction(7, 36)
    assert chances["immobilized"] == Fraction(5, 36)
    t.do("shoot")
    t.roll(2, 3)
    assert t.has("wreck", TRUCK)


@BOTH
@pytest.mark.rule("asl", "C2.29", "D5.31", "D5.34")
def test_rapid_fire_attacks_a_crew_that_shows_itself(edition: int) -> None:
    shut, exposed = flak(edition, TANK), flak(edition, TANK, exposed=True)
    for t, there in ((shut, False), (exposed, edition > 5)):
        t.do("lay ge_aa20#1")
        assert ("at-rapid Q3" in t.legal()) == there
    if edition < 6:
        return
    exposed.do("at-rapid Q3", "shoot")
    exposed.roll(1, 2)  # 6 FP, +2 behind armour: a 5 is a 1MC
    assert exposed.who == "chance"
    exposed.roll(6, 5)
    assert exposed.has("stunned", TANK)
    assert not exposed.has("wreck", TANK)


@pytest.mark.rule("asl", "C4.1")
def test_a_57mm_gun_is_one_of_57mm_or_less() -> None:
    for id, span, less in (("br_at57", 13, -1), ("br_at57", 31, -2), ("br_at57", 12, 0), ("ge_at75", 13, 0)):
        shot = to_hit.Shot(gun(id), to_hit.VEHICLE, span, AP)
        found = sum(one.value for one in to_hit.number(shot) if str(one.text) == "57mm or less")
        assert found == less, (id, span)


@pytest.mark.rule("asl", "C6.5")
def test_who_has_a_vehicle_acquired_has_not_its_hex() -> None:
    t = desk(6)
    gun_, target = t.put(PANZER, "Q5", NNE), t.put(TANK, "Q2", NNE)
    h = t.hex("Q2")
    t.s.aim[gun_] = (target, h, 2)
    assert acquired(t.s, gun_, MA, target, h) == 2
    assert acquired(t.s, gun_, MA, -1, h) == 0
    t.s.aim[gun_] = (-1, h, 2)
    assert acquired(t.s, gun_, MA, -1, h) == 2
    assert acquired(t.s, gun_, MA, -1, t.hex("Q3")) == 0
    assert acquired(t.s, gun_, MA, target, h) == 0


@pytest.mark.rule("asl", "C3.32")
def test_one_row_above_a_k_stops_an_afv_on_three_and_shocks_it_on_four() -> None:
    """AMB-68: AF 3 at the most adds nothing; 36 FP: a K on 7, so an 8 is one row above it."""
    t = desk(6)
    u = t.put(PANZER, "Q5", NNE)
    top = 10  # the last column
    above = next(n for n in range(2, 13) if ift().result(top, n - 1) < FIRST_KIA <= ift().result(top, n - 2))
    assert above == 8
    found = [shaken(t.s, u, top, first, 8 - first) for first in (2, 3, 4, 5, 6)]
    assert found == [to_kill.IMMOBILIZED] * 2 + [to_kill.SHOCK] * 3


@pytest.mark.rule("asl", "F11.74c")
def test_dust_settles_in_the_order_of_the_counters_wherever_they_were_raised_first() -> None:
    t = desk(6)
    first, second = t.unit(PANZER), t.unit("ge_pz3g#2")
    for order in ((first, second), (second, first)):
        t.put(PANZER, "Q5", NNE)
        t.put("ge_pz3g#2", "R5", NNE)
        t.s.trail = {u: t.hex("Q6") for u in order}
        t.s.events.clear()
        settle_stopped(t.s)
        assert [one.data["unit"] for one in t.s.events if one.kind == "dust_settles"] == sorted(order)


@pytest.mark.rule("asl", "B28.62", "C1.51")
def test_who_walks_into_an_ffe_does_not_bring_it_down_on_the_mines_once_more() -> None:
    for alone, left in ((False, 0), (True, 8)):
        t = Desk("s08_totensonntag", phasing=AXIS)
        w, h = next(u for u in range(len(t.s.at)) if t.roster.of_kind[MINES_AP] >> u & 1), t.hex("N5")
        put(t.s, w, h)
        t.s.strength[w], t.s.read = 8, 1 << w
        u = t.put(FOE, "N5")
        t.s.oba[AXIS * BATTERY + BLAST] = BLASTS.index("concentration")
        t.s.oba[AXIS * BATTERY + CALIBER] = 105
        ffe.strike(t.s, AXIS, h, 1 << u if alone else 0, 1, 1, 0)
        assert t.s.strength[w] == left
