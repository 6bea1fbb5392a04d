"""D7, A11.5, A11.62 Overruns, and Infantry and vehicles in Close Combat."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.climate import DUSTS
from sandtable.games.asl.combat.armour import ArmourAt, ccv, grapple_drms
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.hardware import BMG, CMG, MA
from sandtable.games.asl.table.ids import ALLIED, AXIS, CCPH, DISPERSED, F_ARMOUR, GONE, UNDER_SANGAR
from sandtable.games.asl.vehicles import overrun
from sandtable.games.asl.vehicles.overrun import overrun_fp

from ..kit import ground
from ..vehiclekit import NNE, Desk, event, kinds

FLAT = ground()
TANK, FOE, SECOND, CREW, LEADER = "ge_pz3g#1", "br_457#1", "br_457#2", "br_228#1", "br_ldr_8m1#1"


def driving(where: str = "Q5", **marks: bool) -> Desk:
    t = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    t.put(TANK, where, NNE, motion=True, **marks)
    t.put(FOE, "Q4")
    return t


# D7 Overrun


@pytest.mark.rule("asl", "D7.1")
def test_what_an_overrun_is_worth() -> None:
    """A PzKpfw IIIG: 4 for an AFV with its gun, and half of thrice 3 + 5 MG FP: 16 FP."""
    t = driving()
    u = t.unit(TANK)
    assert overrun_fp(t.s, u) == 2 * 16
    t.s.jam[u] = 1
    assert overrun_fp(t.s, u) == 2 * 14
    t.s.used[u] = BMG
    assert overrun_fp(t.s, u) == 2 * 9.5
    truck = t.put("ge_opel#1", "A5")
    assert overrun_fp(t.s, truck) == 2
    t.board("ge_467#1", "ge_opel#1")
    assert overrun_fp(t.s, truck) == 2 * 3


@pytest.mark.rule("asl", "D7.1", "D7.2")
def test_an_overrun_costs_a_quarter_and_attacks_everybody_after_their_fire() -> None:
    t = driving()
    t.driving(TANK)
    whole = t.left
    assert t.rule("overrun R4") == "D7.1"
    t.do("overrun Q4")
    assert whole - t.left == 1 + 4
    assert t.who == "chance", "the squad could do it no harm before"
    events = t.roll(3, 3)  # 16 FP, -1 in Open Ground: 5: 3MC
    assert event(events, "attack_rolled")["drm"] == -1
    assert event(events, "attack_rolled")["result"] == "3MC"
    assert t.s.used[t.unit(TANK)] == MA | BMG | CMG
    t.roll(1, 1)
    assert t.who == "allied"
    t.do(f"react {FOE}")
    t.roll(3, 3)
    assert t.who == "axis"
    assert t.where(TANK) == "Q4"
    assert "to Q3" in t.legal()


@pytest.mark.rule("asl", "D7.2", "A11.51")
def test_reaction_fire_may_destroy_the_vehicle() -> None:
    t = driving(exposed=True)
    t.driving(TANK).do("overrun Q4")
    t.do("hold")
    t.roll(5, 4)  # 9 - 1: 1MC
    t.roll(1, 1)
    t.do(f"react {FOE}")
    events = t.roll(1, 1)  # CCV 5: -1 crew exposed, +2 not stopped: 3
    assert event(events, "grapple")["final"] == 3
    assert t.has("wreck", TANK)
    t.roll(6, 6)
    assert t.s.move is None


@pytest.mark.rule("asl", "D7.2")
def test_the_pinned_do_not_strike_back() -> None:
    t = driving()
    t.driving(TANK).do("overrun Q4")
    t.roll(5, 5)  # 9: 1MC
    t.roll(3, 3)  # 7 is the squad's morale: pinned
    assert t.s.pinned >> t.unit(FOE) & 1
    assert t.who == "axis"


@pytest.mark.rule("asl", "D7.1")
def test_a_twelve_is_a_mishap() -> None:
    for die, mark in ((3, True), (4, False)):
        t = driving()
        t.driving(TANK).do("overrun Q4")
        t.roll(6, 6)
        t.roll(die)
        assert t.has("immobile", TANK) == mark
        assert bool(t.s.jam[t.unit(TANK)] & 1) != mark


@pytest.mark.rule("asl", "D7.1", "A24.8", "A24.21")
def test_smoke_hampers_an_overrun_and_hides_its_victims() -> None:
    for edition, drm in ((5, 2), (4, -1)):
        t = driving()
        t.s.edition = edition
        t.s.smoke[t.hex("Q4")] = 1 << 2 * DISPERSED
        t.driving(TANK).do("overrun Q4")
        assert event(t.roll(3, 3), "attack_rolled")["drm"] == drm


@pytest.mark.rule("asl", "D7.1", "F11.71b", "F11.73d", "F11.711a")
@pytest.mark.parametrize(("dust", "drm"), [("light", 3 - 1), ("moderate", 3 - 1), ("heavy", 3), ("very_heavy", 3)])
def test_dust_hampers_an_overrun(dust: str, drm: int) -> None:
    """The die of the dust shows 6; Light and Moderate Dust leave FFMO, denser dust does not."""
    t = driving().under(date="1942-06-01", vehicle_dust=False, ec="Dry")
    t.s.density = DUSTS.index(dust)
    t.driving(TANK).do("overrun Q4")
    t.roll(6)
    assert event(t.roll(3, 3), "attack_rolled")["drm"] == drm
    t = driving().under(date="1942-06-01", vehicle_dust=False, ec="Dry")
    t.s.edition, t.s.density = 4, DUSTS.index(dust)
    t.driving(TANK).do("overrun Q4")
    assert event(t.roll(3, 3), "attack_rolled")["drm"] == -1


@pytest.mark.rule("asl", "D7.1", "F8.41b", "F8.41c", "F8.4a")
def test_a_tank_crushes_a_sangar() -> None:
    t = driving()
    t.put("allied_sangar#1", "Q4")
    t.s.under[t.unit(FOE)] = UNDER_SANGAR
    t.driving(TANK).do("overrun Q4")
    events = t.roll(6, 4)
    assert event(events, "attack_rolled")["drm"] == 1
    while t.who == "chance":
        t.roll(1, 1)
    assert t.s.at[t.unit("allied_sangar#1")] == GONE
    assert t.s.under[t.unit(FOE)] == 0


@pytest.mark.rule("asl", "F8.41b")
@pytest.mark.parametrize("mark", ["", "bogged", "immobile"])
def test_only_a_tank_that_can_go_on_crushes_a_sangar(mark: str) -> None:
    t = driving()
    t.put("allied_sangar#1", "Q4")
    t.put(TANK, "Q4", **({mark: True} if mark else {}))
    overrun.crush(t.s, t.unit(TANK))
    assert (t.s.at[t.unit("allied_sangar#1")] == GONE) == (not mark)


@pytest.mark.rule("asl", "F8.41a", "D7.1")
@pytest.mark.parametrize(("dice", "falls"), [((1, 1), True), ((6, 4), False)])
def test_an_overrun_on_wheels_razes_a_sangar_by_a_kia_alone(
    dice: tuple[int, int], falls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F8.41b is for tracked AFV; a KIA of any Overrun, here one of 20 FP, does it too."""
    monkeypatch.setattr(overrun, "overrun_fp", lambda s, u: 40)
    t, car = driving(), TANK
    t.s.type[t.unit(car)] = t.roster.type_of["ge_psw222"]
    t.put("allied_sangar#1", "Q4")
    t.s.under[t.unit(FOE)] = UNDER_SANGAR
    t.driving(car).do("overrun Q4")
    while t.who != "chance":
        t.do("hold")
    found = event(t.roll(*dice), "attack_rolled")
    assert ("KIA" in found["result"]) == falls
    while t.who == "chance":
        GAME.apply(t.s, GAME.roll(t.s, lambda _: 6).action)
    assert (t.s.at[t.unit("allied_sangar#1")] == GONE) == falls
    assert (t.s.under[t.unit(FOE)] == 0 or t.s.at[t.unit(FOE)] == GONE) == falls or not falls


@pytest.mark.rule("asl", "D7.1", "D3.4")
def test_concealed_targets_halve_and_an_armor_leader_helps() -> None:
    t = driving()
    t.s.concealed |= t.bit(FOE)
    t.board("ge_arm_8m1#1", TANK)
    t.driving(TANK).do("overrun Q4")
    t.do("hold") if t.who == "allied" else None
    events = t.roll(4, 4)  # 8 FP, -1 -1: 6 on the 8 column
    assert event(events, "attack_rolled")["drm"] == -2
    assert event(events, "attack_rolled")["result"] == "1MC"


@pytest.mark.rule("asl", "D7.1")
def test_no_overrun_without_the_points_or_backwards() -> None:
    t = driving()
    t.driving(TANK)
    while t.left > 4:
        t.do("delay")
    assert t.rule("overrun Q4") == "D7.1"
    back = Desk(field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    back.put(TANK, "Q5", 3, motion=True, backing=True)
    back.put(FOE, "Q4")
    back.driving(TANK)
    assert back.rule("overrun Q4") == "D7.1"


# A11.5 Close Combat


def fighting(t: Desk) -> Desk:
    t.s.phase = CCPH
    return t.settle(ArmourAt(F_ARMOUR, sum(1 << h for h in t.s.here)))


def desk(*units: str, phasing: int = ALLIED, **marks: bool) -> Desk:
    t = Desk(field=FLAT, phasing=phasing)
    t.put(TANK, "Q5", NNE, **marks)
    for name in units:
        t.put(name, "Q5")
    return t


@pytest.mark.rule("asl", "A11.5")
def test_close_combat_values() -> None:
    t = desk()
    values = {"br_457#1": 5, "br_228#1": 4, "br_247#1": 3, "br_ldr_8m1#1": 2}
    assert {name: ccv(t.s, t.bit(name)) for name in values} == values
    assert ccv(t.s, t.bit("br_457#1", LEADER)) == 6


@pytest.mark.rule("asl", "A11.5")
def test_what_changes_the_dice_against_a_vehicle() -> None:
    def drm(vehicle: str = TANK, **marks: bool) -> int:
        t = Desk(field=FLAT)
        u = t.put(vehicle, "Q5", NNE, **marks)
        t.put(FOE, "Q5")
        return sum(value for value, _, _ in grapple_drms(t.s, t.bit(FOE), u))

    assert drm() == 0
    assert drm(exposed=True) == -1
    assert drm(immobile=True) == -1
    assert drm(motion=True) == 2
    assert drm("ge_opel#1") == -3 - 1
    assert drm("ge_spw2511#1") == -2
    assert drm(stunned=True) == -1
    t = desk(FOE, "ge_467#1")
    assert sum(value for value, _, _ in grapple_drms(t.s, t.bit(FOE), t.unit(TANK))) == 2
    for escort in ("ge_247#1", "ge_228#1"):  # a half-squad or a crew
        other = desk(FOE, escort)
        assert sum(value for value, _, _ in grapple_drms(other.s, other.bit(FOE), other.unit(TANK))) == 1
    t.s.broken |= t.bit("ge_467#1")
    t.s.cx |= t.bit(FOE)
    assert sum(value for value, _, _ in grapple_drms(t.s, t.bit(FOE), t.unit(TANK))) == 1


@pytest.mark.rule("asl", "A11.5", "A11.51", "D5.6")
def test_infantry_attacks_a_tank() -> None:
    for dice, word in (((2, 2), "destroyed"), ((1, 1), "burning"), ((2, 3), "immobilized"), ((3, 3), "no effect")):
        t = fighting(desk(FOE))
        events = t.do(f"grapple {FOE} {TANK}") + t.roll(*dice)
        assert event(events, "grapple")["result"] == word
        assert t.has("wreck", TANK) == (word in ("destroyed", "burning"))
        assert t.has("burning", TANK) == (word == "burning")
        assert t.has("immobile", TANK) == (word == "immobilized")
        if t.has("wreck", TANK):
            assert "survival" in kinds(t.roll(6, 6))


@pytest.mark.rule("asl", "A11.5", "A11.1")
def test_each_unit_attacks_once_and_a_leader_joins() -> None:
    t = fighting(desk(FOE, SECOND, LEADER))
    assert t.rule(f"join {FOE}") == "A11.5"
    t.do(f"join {LEADER}")
    assert t.rule(f"grapple {LEADER} {TANK}") == "A11.5"
    events = t.do(f"grapple {FOE} {TANK}") + t.roll(6, 5)
    assert event(events, "grapple")["number"] == 6
    assert t.rule(f"grapple {FOE} {TANK}") == "A11.5"
    t.do(f"grapple {SECOND} {TANK}")
    t.roll(6, 5)
    assert not t.has("wreck", TANK)


@pytest.mark.rule("asl", "A11.62")
def test_the_vehicle_strikes_back_with_its_turret_guns() -> None:
    """5 FP of the CMG against a CCV of 5 is 1-1: Kill Number 5."""
    for dice, word in (((1, 3), "eliminated"), ((2, 3), "reduced"), ((3, 3), "no effect")):
        t = fighting(desk(FOE))
        t.do("end-combat")
        assert t.who == "axis"
        assert t.rule(f"engage {TANK}") == "A11.62"
        t.do(f"name {FOE}")
        events = t.do(f"engage {TANK}") + t.roll(*dice)
        assert event(events, "mounted_attack")["result"] == word
        assert event(events, "mounted_attack")["odds"] == "1-1"
        assert (t.s.at[t.unit(FOE)] == GONE) == (word == "eliminated")
        assert (t.s.kind(t.unit(FOE)).id == "br_247") == (word == "reduced")
        assert not any(isinstance(f, ArmourAt) for f in t.s.stack), "once is enough"


@pytest.mark.rule("asl", "A11.16", "A11.62", "A4.51")
def test_the_vehicle_has_it_easier_with_the_broken_and_the_tired() -> None:
    """Kill Number 5 at 1-1: the broken unit is attacked with -2, who is CX with -1; before version 4 it was not so."""
    for mark, total, edition in (("broken", 6, 7), ("cx", 5, 7), ("broken", 6, 4), ("broken", 4, 3), ("cx", 4, 3)):
        for more, word in ((0, "eliminated"), (1, "reduced")):
            t = desk(FOE, SECOND)
            t.s.edition = edition
            fighting(t)
            setattr(t.s, mark, t.bit(FOE))
            t.do("end-combat", f"name {FOE}")
            events = t.do(f"engage {TANK}") + t.roll(3, total - 3 + more)
            assert event(events, "mounted_attack")["result"] == word


@pytest.mark.rule("asl", "A11.62", "D3.5")
@pytest.mark.parametrize(("exposed", "odds"), [(True, "1-1"), (False, "1-2")])
def test_the_machine_gun_on_the_roof_takes_part_if_somebody_looks_out(exposed: bool, odds: str) -> None:
    """A Stuart: 4 FP in the turret and 2 on the roof against a CCV of 5; the 2 of the bow never count."""
    t = Desk(field=FLAT, phasing=AXIS)
    u = t.put("br_stu1#1", "Q5", NNE)
    t.s.exposed = exposed << u
    t.put("it_346#1", "Q5")
    fighting(t).do("end-combat", "name it_346#1")
    assert event(t.do("engage br_stu1#1") + t.roll(6, 5), "mounted_attack")["odds"] == odds


@pytest.mark.rule("asl", "A11.62")
def test_a_vehicle_without_turret_guns_does_not_attack() -> None:
    t = desk(FOE)
    t.s.jam[t.unit(TANK)] = CMG
    fighting(t).do("end-combat")
    assert t.who != "axis" or not any(one.startswith("name") for one in t.legal())


@pytest.mark.rule("asl", "A11.62", "A.9")
def test_of_several_named_one_is_reduced() -> None:
    t = fighting(desk("br_247#1", "br_228#1"))
    t.do("end-combat", "name br_247#1", "name br_228#1", f"engage {TANK}")
    t.roll(2, 2)  # 5 to 7 is 1-2: Kill Number 4
    t.roll(5)
    t.roll(3)
    assert t.s.at[t.unit("br_228#1")] == GONE
    assert t.s.at[t.unit("br_247#1")] >= 0
