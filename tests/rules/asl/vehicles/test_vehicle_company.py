"""D9.31, D14, B26.4, B27.5, B28.5, D4.3, D3.3 Escorts, Platoons, mines, wire, trenches, bellies, guns on the move."""

from __future__ import annotations

import pytest

from sandtable.games.asl.boards.battlefield import Battlefield
from sandtable.games.asl.los.arcs import in_arc
from sandtable.games.asl.ordnance.bursts import underbelly
from sandtable.games.asl.table.ids import ALLIED, AXIS, GONE
from sandtable.games.asl.table.state import put
from sandtable.games.asl.vehicles.company import radioless
from sandtable.games.asl.vehicles.risks import bog_check

from ..kit import ground
from ..vehiclekit import NNE, Desk, event, kinds

FLAT = ground()
TANK, SQUAD, TRUCK = "br_stu1#1", "br_457#1", "br_3ton#1"
ITALIAN, SECOND, THIRD, FOURTH = "it_m13#1", "it_m13#2", "it_m13#3", "it_m13#4"


def desk(*units: str, field: Battlefield | None = None, phasing: int = ALLIED) -> Desk:
    t = Desk("s08_totensonntag" if phasing == AXIS else "s05_hafid_ridge", field=field or FLAT, phasing=phasing)
    t.under(date="1942-06-01", vehicle_dust=True, ec="Dry", wind_force="No Wind", dust="none")
    for name in units:
        t.put(name, "Q5", NNE)
    return t


# D9.31


@pytest.mark.rule("asl", "D9.31", "F11.74b")
def test_armored_assault() -> None:
    t = desk(TANK, SQUAD)
    t.s.motion |= t.bit(TANK)
    t.put("ge_467#1", "Q1")
    t.driving(TANK).do(f"also {SQUAD}", "to Q4")
    assert t.where(SQUAD) == "Q4"
    assert not t.s.trail
    assert t.who == "axis"
    events = t.do("join ge_467#1", "commit")
    assert event(events, "attack")["drm"] == 0, "+1 beside the tank, -1 FFNAM, and no FFMO"
    t.roll(6, 5)
    t.do("hold") if t.who == "axis" else None
    for name in ("Q3", "Q2"):
        t.do(f"to {name}")
        while t.who == "axis":
            t.do("hold")
    assert t.s.paces[t.unit(SQUAD)] == 6
    t.do("halt")
    while t.who == "axis":
        t.do("hold")
    assert t.has("moved", SQUAD)


@pytest.mark.rule("asl", "D9.31")
def test_the_escort_must_keep_pace() -> None:
    """In hammada the tank pays 2 MP, the squad 1 MF."""
    t = desk(TANK, SQUAD, field=ground({"Q4": {"terrain": "hammada"}}))
    t.s.motion |= t.bit(TANK)
    t.driving(TANK).do(f"also {SQUAD}")
    assert t.rule("to Q4") == "D9.31"
    assert "to R4" in t.legal()
    truck = desk(TRUCK, SQUAD)
    truck.driving(TRUCK)
    assert truck.rule(f"also {SQUAD}") == "D9.31"
    late = desk(TANK, SQUAD)
    late.driving(TANK).do("start")
    assert late.rule(f"also {SQUAD}") == "D9.31"


# D14


@pytest.mark.rule("asl", "D14.2", "D14.3", "F11.741")
def test_a_platoon_moves_hex_by_hex_in_turns() -> None:
    t = Desk("s03_nibeiwa", field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
    for name, where in ((ITALIAN, "Q5"), (SECOND, "S5"), (THIRD, "O5")):
        if name in t.roster.index:
            t.put(name, where, NNE, motion=True)
    assert radioless(t.s, t.unit(ITALIAN))
    t.driving(ITALIAN).do(f"also {SECOND}")
    assert t.s.move is not None
    t.do("to Q4")
    assert t.s.move.vehicle == t.unit(SECOND)
    t.do("to S4")
    assert t.s.move.vehicle == t.unit(ITALIAN)
    t.do("to Q3", "halt")
    assert t.s.move.vehicle == t.unit(ITALIAN)
    t.do("halt")
    assert t.s.move is None
    assert t.has("moved", ITALIAN)
    assert t.has("moved", SECOND)


@pytest.mark.rule("asl", "D14.2")
def test_a_lone_radioless_tank_needs_a_task_check_for_more_than_half() -> None:
    for dice, share in (((3, 3), 1.0), ((5, 5), 0.5)):
        t = Desk("s03_nibeiwa", field=FLAT, phasing=AXIS).under(date="1942-06-01", vehicle_dust=False)
        t.put(ITALIAN, "Q5", NNE, motion=True)
        t.driving(ITALIAN)
        whole = t.left
        t.do("to Q4")
        t.roll(*dice)
        assert t.left == int(2 * whole * share) / 2 - 1
        t.do("to Q3")
        assert t.who == "axis", "once is enough"
    radio = Desk(field=FLAT)
    assert not radioless(radio.s, radio.unit(TANK))
    assert not radioless(radio.s, radio.unit(TRUCK))


# B28.5


def mines(t: Desk, kind: str, strength: int, where: str = "Q4", side: str = "axis") -> int:
    work = next(u for u, name in enumerate(t.roster.names) if name.startswith(f"{side}_{kind}#"))
    from sandtable.games.asl.table.state import put

    put(t.s, work, t.hex(where))
    t.s.strength[work] = strength
    return work


@pytest.mark.rule("asl", "B28.5", "B28.41")
def test_anti_tank_mines() -> None:
    """A Stuart's Aerial AF is at least 0: on the 36 column a 4 is a KIA, a 12 only immobilizes."""
    for die, dice, mark in ((3, (2, 2), "wreck"), (3, (6, 6), "immobile"), (4, None, "")):
        t = desk(TANK)
        side = next(
            word
            for word in ("axis", "allied")
            if any(n.startswith(f"{word}_known_minefield_at#") for n in t.roster.names)
        )
        t.s.motion |= t.bit(TANK)
        mines(t, "known_minefield_at", 3, side=side)
        t.driving(TANK).do("to Q4")
        t.roll(die)
        if dice:
            t.roll(*dice)
            assert t.has(mark, TANK), (die, dice)
        else:
            assert not t.has("immobile", TANK)
            t.do("to Q3")
            assert t.who == "chance", "they attack who leaves, too"
            assert t.where(TANK) == "Q4"
            t.roll(6)
            assert t.where(TANK) == "Q3"


@pytest.mark.rule("asl", "B28.5")
def test_anti_personnel_mines_only_immobilize_an_afv() -> None:
    for dice, stuck in (((1, 1), True), ((4, 4), False)):
        t = desk(TANK)
        side = next(
            word
            for word in ("axis", "allied")
            if any(n.startswith(f"{word}_known_minefield_ap#") for n in t.roster.names)
        )
        t.s.motion |= t.bit(TANK)
        mines(t, "known_minefield_ap", 12, side=side)
        t.driving(TANK).do("to Q4")
        t.roll(*dice)
        assert t.has("immobile", TANK) == stuck
        assert not t.has("wreck", TANK)


# B26.4, B27.5


def work(t: Desk, kind: str, where: str) -> int:
    from sandtable.games.asl.table.state import put

    found = next(u for u, name in enumerate(t.roster.names) if f"_{kind}#" in name)
    put(t.s, found, t.hex(where))
    return found


@pytest.mark.rule("asl", "B26.4")
def test_wire_costs_vehicles_and_bogs_them() -> None:
    for die, gone in ((2, True), (3, False)):
        t = desk(TANK)
        t.s.motion |= t.bit(TANK)
        wire = work(t, "wire", "Q4")
        t.driving(TANK)
        before = t.left
        t.do("to Q4")
        assert before - t.left == 1 + 2
        t.roll(4, 4)
        t.roll(die)
        assert (t.s.at[wire] == GONE) == gone
    t = desk(TRUCK)
    t.s.motion |= t.bit(TRUCK)
    work(t, "wire", "Q4")
    t.driving(TRUCK)
    before = t.left
    t.do("to Q4")
    assert before - t.left == 1 + 4
    t.roll(4, 4)  # +1 +1 +1 +2 at Normal ground pressure
    assert t.has("bogged", TRUCK)


@pytest.mark.rule("asl", "D8.2", "C10.1")
def test_a_gun_in_tow_makes_it_likelier_to_bog() -> None:
    t = desk(TRUCK)
    work(t, "wire", "Q5")
    u, came = t.unit(TRUCK), t.hex("Q4")
    alone = bog_check(t.s, u, came)
    t.board("br_at40#1", TRUCK)
    towing = bog_check(t.s, u, came)
    assert alone is not None
    assert towing is not None
    assert towing.drm == alone.drm + 1


@pytest.mark.rule("asl", "B27.5", "D8.2")
def test_trenches_stop_wheels() -> None:
    t = desk(TRUCK)
    t.s.motion |= t.bit(TRUCK)
    work(t, "trench", "Q4")
    t.driving(TRUCK)
    assert t.rule("to Q4") == "B27.5"
    t = desk(TANK)
    t.s.motion |= t.bit(TANK)
    work(t, "trench", "Q4")
    t.driving(TANK).do("to Q4")
    assert t.who == "chance"


# D4.3


@pytest.mark.rule("asl", "D4.3")
def test_a_belly_is_struck_within_six_hexes() -> None:
    field = ground(sides=[("Q5", "Q4", "hedge", "Q5", "Q4")])
    for span, struck in ((6, True), (7, False)):
        t = desk(TANK, field=field)
        t.s.motion |= t.bit(TANK)
        here = t.hex("Q4")
        away = (h for h in field.grid.hexes if field.grid.distance(here, h) == span)
        where = next(h for h in away if in_arc(field, here, NNE, h))
        gun = t.put("ge_at37#1", "Q1")
        put(t.s, gun, where)
        t.driving(TANK).do("to Q4")
        assert underbelly(t.s, gun, t.unit(TANK)) == struck


@pytest.mark.rule("asl", "D4.3", "F7.515", "F5.422c")
def test_a_tank_shows_its_belly_over_a_wall() -> None:
    field = ground(sides=[("Q5", "Q4", "hedge", "Q5", "Q4")])
    t = desk(TANK, field=field)
    t.s.motion |= t.bit(TANK)
    near, behind, far = t.put("ge_at37#1", "Q1"), t.put("ge_at37#2", "Q8"), t.put("ge_at50#1", "A1")
    t.driving(TANK).do("to Q4")
    u = t.unit(TANK)
    assert underbelly(t.s, near, u)
    assert not underbelly(t.s, behind, u)
    assert not underbelly(t.s, far, u)
    while t.who == "axis":
        t.do("hold")
    t.do("delay")
    assert not underbelly(t.s, near, u)


# D3.3


@pytest.mark.rule("asl", "D3.3")
def test_a_tank_lays_its_gun_on_the_move() -> None:
    t = desk(TANK)
    t.s.motion |= t.bit(TANK)
    t.put("ge_pz3g#1", "Q1")
    t.driving(TANK)
    assert t.rule(f"lay {TANK}") == "D3.3"
    t.do("to Q4")
    while t.who == "axis":
        t.do("hold")
    t.do(f"lay {TANK}", "at-vehicle ge_pz3g#1")
    if "load AP" in t.legal():
        t.do("load AP")
    t.do("shoot")
    assert t.who == "chance"
    t.roll(6, 5)
    assert "to Q3" in t.legal() or t.who != "allied"
    assert t.s.used[t.unit(TANK)] & 1
    assert kinds(t.do("halt"))[:0] == []
