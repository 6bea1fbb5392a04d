"""A3, A7-A9, A22, A23: who fires at whom, with what, and how strongly."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.fire.fate import STOPPED, strike_soft
from sandtable.games.asl.fire.firepower import cower, lowered, targets
from sandtable.games.asl.game import GAME
from sandtable.games.asl.ordnance.acquisition import taken
from sandtable.games.asl.table.ids import AFPH, FIRST, PREP
from sandtable.games.asl.table.state import Attack
from sandtable.games.asl.works.blast import FLAME, SET, THROWN, BlastAt, drms_of, parts
from sandtable.mechanics.masks import units_of

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    FOE2,
    HMG,
    LMG,
    SQUAD,
    SQUAD2,
    H,
    U,
    attack,
    bits,
    desert,
    do,
    give,
    place,
    roll,
)
from ..vehiclekit import Desk

rule = partial(pytest.mark.rule, "asl")
EDITIONS = [7, 6]
DC, FT = "br_dc#1", "it_ft"


# A3.4, A21.1 markers that come off after Defensive Fire


@rule("A3.4", "A21.1", "A3.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_captured_weapon_that_has_prep_fired_stays_marked(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)
    place(s, FOE, "W5")
    give(s, LMG, FOE)
    s.fired = s.handled = bits(HMG, LMG)
    s.served = bits(SQUAD)
    s.stack[0] = s.stack[0]._replace(step=AFPH)
    s.choices = None
    GAME.settle(s)
    assert s.phase == AFPH
    assert bool(s.fired & bits(HMG)) == bool(s.handled & bits(HMG)) == (edition > 6)
    assert bool(s.fired & bits(LMG)) == (edition < 7)  # the enemy's captor has his back


# A9.5, A7.21 Spraying Fire


@rule("A9.5", "A7.2", "A7.21")
@pytest.mark.parametrize(("edition", "results"), [(7, ["1MC", "NMC"]), (6, ["1MC", "1MC"])])
def test_the_other_hex_of_spraying_fire_has_its_own_range(edition: int, results: list[str]) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "M5")
    give(s, HMG, SQUAD)
    place(s, FOE, "N5")
    place(s, FOE2, "O6")
    attack(s, ALLIED, "N5")
    do(s, f"use {HMG}", "spray O6", "commit")
    found = roll(s, 2, 3)  # 4 FP doubled and halved next to it, halved alone beyond
    assert [one.data["result"] for one in found if one.kind == "attack_rolled"] == results


# A11.15 who is held in Melee


def truck_beside_a_melee(edition: int) -> Desk:
    t = Desk(phasing=AXIS)
    t.s.edition = edition
    t.put("br_3ton#1", "Q5")
    t.put("br_457#1", "Q5", melee=True)
    t.put("ge_467#1", "Q5", melee=True)
    t.put("ge_467#2", "S5")
    return t


@rule("A11.15", "A7.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_fire_at_a_truck_leaves_the_melee_around_it_alone(edition: int) -> None:
    t = truck_beside_a_melee(edition)
    shot = Attack(fire=PREP, side=AXIS, target=t.hex("Q5"), firers=t.bit("ge_467#2"))
    assert targets(t.s, shot) == t.bit("br_3ton#1") | (t.bit("br_457#1") if edition < 7 else 0)


@rule("A11.15", "A22.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_so_does_a_charge(edition: int) -> None:
    t = truck_beside_a_melee(edition)
    t.give("ge_dc#1", "ge_467#2")
    hit = sum(one.units for one in parts(t.s, BlastAt(0, t.unit("ge_dc#1"), t.hex("Q5"), SET)))
    assert hit == (t.bit("br_457#1") if edition < 7 else 0)


# A23.6 a charge thrown into the thrower's own Location


@rule("A23.6")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_charge_thrown_into_its_own_location_is_felt_by_its_own_side(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, SQUAD2, FOE], "M5")
    give(s, DC, SQUAD)
    found = parts(s, BlastAt(0, U(DC), H("M5"), THROWN))
    drms = {u: sum(one.value for one in part.drms) for part in found for u in units_of(part.units)}
    assert drms == {U(FOE): 2} | ({U(SQUAD): 3, U(SQUAD2): 3} if edition > 6 else {})


# A22.1, AMB-147 what hampers a flamethrower


@rule("A22.1", "A4.51", "A7.7", "A5.12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("mark", "drm"), [("cx", 1), ("encircled", 1), ("", 0)])
def test_who_is_hampered_burns_worse(edition: int, mark: str, drm: int) -> None:
    s = desert(phasing=AXIS)
    s.edition = edition
    flame = next(u for u, one in enumerate(s.type) if s.kind(u).weapon in ("DC",) and s.stage.roster.side[u] == ALLIED)
    s.type[flame] = s.stage.roster.type_of[FT]
    place(s, [SQUAD, SQUAD2], "M5")
    give(s, s.stage.roster.names[flame], SQUAD)
    place(s, FOE, "N5")
    if mark:
        setattr(s, mark, bits(SQUAD))
    found = drms_of(s, BlastAt(0, flame, H("N5"), FLAME), U(FOE))
    assert sum(one.value for one in found) == (drm if edition > 6 else 0)
    place(s, [FOE2, "it_346#3"], "N5")
    found = drms_of(s, BlastAt(0, flame, H("N5"), FLAME), U(FOE))
    assert not [one for one in found if one.rule == "A5.12"], "three squads are not too many"
    place(s, "it_346#4", "N5")
    found = drms_of(s, BlastAt(0, flame, H("N5"), FLAME), U(FOE))
    assert sum(one.value for one in found) == (drm - 1 if edition > 6 else 0)  # A5.12


# F.8a British counters of a Free French side


@rule("F.8a", "A7.9", "A25.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_free_french_half_squads_cower(edition: int) -> None:
    t = Desk("s10_bir_hakeim", phasing=AXIS)
    t.s.edition = edition
    half = t.unit("ff_457#1")
    t.put("ff_457#1", "Q5")
    t.s.type[half] = t.roster.type_of["br_247"]
    shot = Attack(fire=FIRST, side=ALLIED, target=t.hex("R5"), firers=1 << half)
    assert cower(t.s, shot, 3, 3) == (1 if edition > 6 else 0)
    t = Desk("s05_hafid_ridge", phasing=AXIS)
    t.s.edition = edition
    t.put("br_457#1", "Q5")
    assert cower(t.s, Attack(fire=FIRST, side=ALLIED, target=t.hex("R5"), firers=t.bit("br_457#1")), 3, 3) == 0


@rule("F.8A", "F.8C", "A21.1", "C4.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_their_crews_and_half_squads_use_french_weapons_as_their_own(edition: int) -> None:
    t = Desk("s10_bir_hakeim", phasing=AXIS)
    t.s.edition = edition
    t.put("br_228#1", "Q5")
    t.put("ff_art75#1", "Q5")
    t.s.holder[t.unit("ff_art75#1")] = t.unit("br_228#1")
    assert taken(t.s, t.unit("ff_art75#1"), t.unit("br_228#1")) == (edition < 7)
    t.put("ff_457#1", "R5")
    t.s.type[t.unit("ff_457#1")] = t.roster.type_of["br_247"]
    gun = t.give("fr_mmg#1", "ff_457#1")
    shot = Attack(fire=PREP, side=ALLIED, target=t.hex("S5"), weapons=1 << gun)
    assert lowered(t.s, shot, gun) == (2 if edition < 7 else 0)


# A7.308


@rule("A7.308")
def test_a_truck_in_the_first_hex_of_the_map_is_struck_as_elsewhere() -> None:
    d = Desk(prefix="D4")
    truck = d.put("br_3ton#1", "A1")
    assert d.s.at[truck] == 0
    strike_soft(d.s, truck, STOPPED)
    assert d.has("immobile", "br_3ton#1")
