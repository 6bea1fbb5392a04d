"""Chapter 15: breakthrough supply."""

from __future__ import annotations

import pytest

from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.combat.breakthrough import formations, supply_of
from sandtable.games.na41.combat.combat import targets
from sandtable.games.na41.combat.losses import may_lose
from sandtable.games.na41.supply.support import OVERWHELMING, PAID
from sandtable.games.na41.table.ids import ALLIED, AXIS, COMANDO, COMBAT, F_CROWD, F_RESULT
from sandtable.games.na41.table.position import eliminate, set_order
from sandtable.games.na41.table.state import State

from ..advancekit import (
    EAST,
    FAR_EAST,
    FIELD,
    FOE,
    GUNNERS,
    NORTH_EAST,
    NORTH_WEST,
    OTHER_FOE,
    RECON,
    SOUTH_EAST,
    TANK,
    TANKS,
    WEST,
    advance,
    group,
    groupable,
    march,
    over,
    plod,
    prepared,
    steps,
    storm,
    storms,
    to,
    ways,
    won,
    yield_ground,
)
from ..kit import GAME, H, U, at, board, do, kinds, names, of_kind, place, supplies, texts, units
from ..retreatkit import forbidden, order
from .ch15breakthroughkit import BERSAGLIERI, beside_foe, fighting

rule = pytest.mark.rule


# 15.2.8


@rule("na41", "15.2.8a")
def test_no_artillery_and_no_aircraft_and_no_defence_support() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: FOE}, {EAST: "GE_ARKO", "1948": "AL_7M"})
    s.assets = [2] * len(s.assets)
    advance(s, {WEST: [TANK, GUNNERS]})
    group(s, TANK, GUNNERS)
    to(s, FIELD, NORTH_EAST, "2046")
    do(s, f"storm {FAR_EAST}")
    assert s.actor not in (AXIS, ALLIED), "the die is next"


@rule("na41", "15.2.8a")
def test_tank_and_combined_arms_shifts_count() -> None:
    s = beside_foe()
    found = GAME.odds(s, GAME.parse(f"storm {FAR_EAST}"))
    assert found is not None
    assert {term.rule for term in found.terms} >= {"9.2.3b", "9.3a"}


@rule("na41", "15.2.8b")
@pytest.mark.parametrize("supplied", [False, True])
def test_a_breakthrough_combat_has_the_supply_of_the_first_attack(supplied: bool) -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: FOE})
    supplies(s, "axis", WEST, 2)
    advance(s, {WEST: [TANK, GUNNERS]}, supplied=supplied)
    group(s, TANK, GUNNERS)
    to(s, FIELD, EAST)
    events = do(s, f"storm {FAR_EAST}")
    assert of_kind(events, "combat")[0].data["supplied"] == supplied, "and no more can be had now"


@rule("na41", "15.2.8c", "8.5.3b")
def test_after_overwhelming_odds_supply_is_paid_now() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: FOE})
    supplies(s, "axis", WEST)
    advance(s, {WEST: [TANK, GUNNERS]})
    s.fight.supplied = OVERWHELMING
    group(s, TANK, GUNNERS)
    to(s, FIELD, EAST)
    do(s, f"storm {FAR_EAST}")
    assert texts(s) == [f"supply-sp {WEST}", "no-supply"]
    events = do(s, f"supply-sp {WEST}")
    assert of_kind(events, "combat")[0].data["supplied"]


@rule("na41", "15.2.8c")
def test_after_overwhelming_odds_a_source_in_range_of_the_group_supplies_this_combat() -> None:
    """In games of version 1 only one in range of where the attackers stood at first."""
    for edition in (1, 2):
        s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: FOE})
        s.edition = edition
        supplies(s, "axis", "1747")  # three hexes from the group, four from where it began
        advance(s, {WEST: [TANK, GUNNERS]})
        s.fight.supplied = OVERWHELMING
        group(s, TANK, GUNNERS)
        to(s, FIELD, EAST)
        events = do(s, f"storm {FAR_EAST}")
        if edition > 1:
            assert texts(s) == ["supply-sp 1747", "no-supply"]
            events = do(s, "supply-sp 1747")
            assert supply_of(s) == OVERWHELMING, "the next combat has it only in range of what was spent"
        assert of_kind(events, "combat")[0].data["supplied"] == (edition > 1)


@rule("na41", "15.2.8c")
def test_what_was_refused_in_one_breakthrough_combat_may_be_paid_in_the_next() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {EAST: "BR_3H", SOUTH_EAST: FOE})
    supplies(s, "axis", WEST)
    advance(s, {WEST: [TANK, GUNNERS]})
    s.fight.supplied = OVERWHELMING
    group(s, TANK, GUNNERS)
    to(s, FIELD)
    storm(s, EAST, "DR2")
    do(s, f"storm {SOUTH_EAST}")
    assert f"supply-sp {WEST}" in texts(s)


# 15.2.9 to 15.2.12


@rule("na41", "15.2.9a")
def test_the_group_stops_if_the_defender_stands() -> None:
    s = beside_foe()
    storm(s, FAR_EAST, "A1")
    assert over(s)
    assert at(s, GUNNERS) == EAST


@rule("na41", "15.2.9b", "14.2.2")
def test_a_hex_emptied_by_an_exchange_is_entered_and_ends_the_breakthrough() -> None:
    s = beside_foe(foes={FAR_EAST: "BR_1DLI"})
    s.step[U(TANK)] = 1  # so that it is not 10:1
    place(s, "BR_THR", FAR_EAST)
    s.disrupted |= units("BR_THR")
    do(s, f"storm {FAR_EAST}")
    assert s.actor not in (AXIS, ALLIED)
    for name in ("BR_1DLI", "BR_THR"):
        eliminate(s, U(name), "11.4.2")
    s.fight.held = 1
    force_on(s, "DR2")
    assert ways(s) == {FAR_EAST}
    assert not storms(s)
    to(s, FAR_EAST)
    assert over(s)


def force_on(s: State, result: str) -> None:
    """The die has fallen, and what it cost is paid."""
    s.fight.result = results.cell(result)
    s.stack[-1] = GAME.framed((F_RESULT, effects.RETREAT))
    s.choices = None
    s.events = []
    GAME.settle(s)


@rule("na41", "15.2.10a", "15.2.10b", "15.2.6a")
def test_ex_15_2_10() -> None:
    """One hex to the left, an attack on B, which retreats; the group stays and attacks C; C may be entered free."""
    b, c = "2144", "2145"
    s = fighting("D1", {b: "BR_3H", c: FOE})
    group(s, TANK, GUNNERS)
    to(s, NORTH_WEST)
    assert storms(s) == {b, c}
    storm(s, b, "DR2")
    assert b in ways(s)
    storm(s, c, "DR2")
    assert ways(s) == {c}, "three hexes are spent"
    to(s, c)
    assert at(s, TANK) == c


@rule("na41", "15.2.11")
def test_breakthrough_combat_adds_no_hexes() -> None:
    """A DR4 in the second fight does not make up for what the first allowed."""
    s = beside_foe("D1")
    storm(s, FAR_EAST, "DR4")
    assert ways(s) == {FAR_EAST}
    to(s, FAR_EAST)
    assert over(s)


@rule("na41", "15.2.12a")
def test_in_an_enemy_zone_the_group_stops_or_fights() -> None:
    s = beside_foe()
    assert not ways(s)
    assert storms(s) == {FAR_EAST}
    assert forbidden(s, f"to {NORTH_EAST} normal") == "15.2.12a"
    s = fighting(foes={EAST: FOE})
    group(s, TANK)
    to(s, FIELD)
    assert ways(s), "but not in the hex first vacated"


@rule("na41", "15.2.12a")
def test_the_second_vacated_hex_is_not_free_of_zones() -> None:
    s = beside_foe(foes={FAR_EAST: FOE, "2047": OTHER_FOE})
    storm(s, FAR_EAST, "DR2")
    to(s, FAR_EAST)
    assert not ways(s)
    assert storms(s) == {"2047"}


@rule("na41", "15.2.12b")
def test_the_group_goes_on_when_the_zone_is_gone_or_left_behind() -> None:
    s = beside_foe()
    storm(s, FAR_EAST, "DR2")
    assert len(ways(s)) > 1
    s = beside_foe(foes={FAR_EAST: FOE, "1846": OTHER_FOE})
    storm(s, FAR_EAST, "DR2")
    assert ways(s) == {FAR_EAST}, "the other enemy still holds it here"
    assert storms(s) == {"1846"}
    s = beside_foe(foes={FAR_EAST: FOE, NORTH_EAST: OTHER_FOE})
    storm(s, FAR_EAST, "DR2")
    assert ways(s) == {FAR_EAST}
    to(s, FAR_EAST)
    assert "1948" in ways(s), "free of it in the vacated hex"


# 15.2.13


@rule("na41", "15.2.13a", "15.2.13b")
def test_dropped_units_end_their_advance_and_nobody_is_picked_up() -> None:
    s = fighting()
    group(s, TANK, GUNNERS)
    to(s, FIELD)
    events = do(s, f"leave {GUNNERS}")
    assert kinds(events) == ["dropped"]
    to(s, EAST)
    assert (at(s, TANK), at(s, GUNNERS)) == (EAST, FIELD)
    do(s, "done")
    assert over(s), "neither the group nor whom it dropped advances any more"


@rule("na41", "15.2.13a")
def test_a_group_of_one_is_not_left_behind() -> None:
    for alone in (TANK, RECON):
        s = fighting(attackers={WEST: [alone]})
        group(s, alone)
        to(s, FIELD)
        assert not [text for text in texts(s) if text.startswith("leave")]


@rule("na41", "15.2.13b", "14.2.1b")
def test_matildas_are_left_behind_after_two_hexes() -> None:
    attackers = {WEST: ["BR_7R", "BR_6R"]}
    s = won(attackers, foes={FAR_EAST: TANK}, active="allied", grouping=True)
    group(s, "BR_7R", "BR_6R")
    to(s, NORTH_WEST, NORTH_EAST)
    to(s, "2146")
    assert (at(s, "BR_7R"), at(s, "BR_6R")) == (NORTH_EAST, "2146")


# 15.3


@rule("na41", "15.3a", "13.1.3b")
def test_a_unit_that_retreated_before_defends_and_goes_into_full_retreat() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: ["BR_3H", "BR_THR"]})
    for name in ("BR_3H", "BR_THR"):
        set_order(s, U(name), 1)
    s.retreated = units("BR_3H", "BR_THR")
    advance(s, {WEST: [TANK, GUNNERS]})
    group(s, TANK)
    to(s, FIELD, EAST)
    storm(s, FAR_EAST, "DR2")
    assert order(s, "BR_3H") == order(s, "BR_THR") == "full retreat"
    assert at(s, "BR_3H") != "eliminated"


@rule("na41", "15.3a", "12.5.1b")
def test_a_unit_on_foot_surrenders_on_its_second_retreat() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: FOE})
    set_order(s, U(FOE), 1)
    s.retreated = units(FOE)
    advance(s, {WEST: [TANK, GUNNERS]})
    group(s, TANK)
    to(s, FIELD, EAST)
    storm(s, FAR_EAST, "DR2")
    assert at(s, FOE) == "surrender_left"


@rule("na41", "15.3b", "10.2.2b")
def test_the_defender_chooses_who_is_too_many() -> None:
    """Six points and a tank: without him the strongest five would be taken, NZ_6 among them."""
    s = prepared({WEST: [TANK, TANKS]}, {EAST: ["NZ_6", "BR_22G", "BR_THR", "BR_1DLI", "BR_5R"]})
    set_order(s, U("BR_1DLI"), 2)
    place(s, "BR_2RB", EAST)
    advance(s, {WEST: [TANK, TANKS]})
    group(s, TANK, TANKS)
    to(s, FIELD)
    do(s, f"storm {EAST}")
    assert (s.actor, s.stack[-1]) == (ALLIED, (F_CROWD, ALLIED))
    assert texts(s) == ["sit-out BR_THR", "sit-out BR_2RB", "sit-out BR_22G", "sit-out NZ_6"]
    assert forbidden(s, "sit-out BR_5R") == "4.2b"  # the free tank
    assert forbidden(s, "sit-out BR_1DLI") == "15.3b"  # in Full Retreat
    assert forbidden(s, "done") == "15.3b"
    events = do(s, "sit-out NZ_6")
    assert [event.rule for event in of_kind(events, "crowded")] == ["15.3b"]
    (told,) = of_kind(events, "combat")
    assert told.data["defence"] == 5 + 3 + 3 + 4
    assert may_lose(s, ALLIED, results.EX) == units("BR_22G", "BR_THR", "BR_2RB", "BR_5R")
    s.fight.result = results.cell("A1")
    s.stack[-1] = GAME.framed((F_RESULT, effects.LOSSES))
    s.choices = None
    GAME.settle(s)
    do(s, f"lose {TANK}")
    assert s.crowd == 0


@rule("na41", "15.3b")
def test_nobody_is_asked_if_the_limit_is_met() -> None:
    s = prepared({WEST: [TANK, TANKS]}, {EAST: ["NZ_6", "BR_22G", "BR_THR"]})
    advance(s, {WEST: [TANK, TANKS]})
    group(s, TANK, TANKS)
    to(s, FIELD)
    do(s, f"storm {EAST}")
    assert s.actor != ALLIED
    assert (s.crowd, s.fight.odds_def) == (0, 6 + 5 + 3)


@rule("na41", "12.5.1e", "15.2.6b")
def test_a_port_falls_to_the_group_that_storms_it() -> None:
    """Bardia alone feeds the rifles, which are driven out of it by the breakthrough combat (A26)."""
    s = prepared({"2844": [TANK, TANKS]}, {"2946": "BR_THR"}, {"2945": GUNNERS})
    advance(s, {"2844": [TANK, TANKS]}, hex_="2845")
    group(s, TANK, TANKS)
    to(s, "2845")
    assert not s.garrisons
    storm(s, "2946", "DR2")
    assert at(s, "BR_THR") not in ("2946", "surrender_left")
    to(s, "2946")
    assert at(s, "BR_THR") == "surrender_left"


# 15.4


@rule("na41", "15.4.3a", "15.4.3b")
def test_british_battalions_of_any_armoured_division_are_one_formation() -> None:
    stack = ["BR_2R", "BR_5R", "BR_2RGH", "BR_11H"]
    s = won({WEST: stack}, foes={EAST: TANK}, active="allied", grouping=True)
    do(s, *(f"group {name}" for name in stack[:3]))
    assert "BR_11H" in groupable(s)
    by = formations(board)
    assert by[U("BR_2R")] == by[U("BR_THR")]
    assert by[U("BR_7R")] != by[U("BR_4R")]
    assert by[U("BR_22G")] != by[U("BR_2R")]


# 8.1, 8.4


@rule("na41", "8.1h", "8.1c")
def test_after_a_breakthrough_combat_who_has_not_attacked_may_attack_the_same_units() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: FOE}, {"2047": RECON})
    advance(s, {WEST: [TANK, GUNNERS]})
    group(s, TANK, GUNNERS)
    to(s, FIELD, EAST)
    storm(s, FAR_EAST, "A1")
    assert over(s)
    s.fight.kind = COMBAT
    assert names(targets(s, COMBAT)[H(FAR_EAST)]) == {RECON}


@rule("na41", "8.4.2c")
def test_four_british_tank_units_have_to_drop_one_before_they_attack() -> None:
    stack = ["BR_2R", "BR_5R", "BR_2RGH", "BR_3CLY"]
    s = won({WEST: stack}, foes={EAST: TANK}, active="allied", grouping=True)
    group(s, *stack)
    to(s, FIELD)
    assert not storms(s)
    assert forbidden(s, f"storm {EAST}") == "8.4.2c"
    do(s, "leave BR_2R")
    assert storms(s) == {EAST}


@rule("na41", "8.4.1a", "15.2.3c")
def test_a_mixed_group_uses_comando_supremo_when_it_attacks() -> None:
    s = prepared({WEST: [TANK, BERSAGLIERI]}, {EAST: FOE})
    s.assets[COMANDO] = 1
    advance(s, {WEST: [TANK, BERSAGLIERI]})
    group(s, TANK, BERSAGLIERI)
    to(s, FIELD)
    do(s, f"storm {EAST}")
    assert s.comando
    assert not s.assets[COMANDO]


# The fight that waits


def test_the_first_fight_comes_back_when_the_group_is_done() -> None:
    s = prepared({WEST: [TANK, GUNNERS], NORTH_WEST: RECON}, {FAR_EAST: FOE})
    advance(s, {WEST: [TANK, GUNNERS], NORTH_WEST: RECON}, "D1")
    group(s, TANK, GUNNERS)
    to(s, FIELD, EAST)
    storm(s, FAR_EAST, "DR2")
    assert s.waiting
    do(s, "done")
    assert not s.waiting
    assert (s.fight.vacated, s.fight.target, s.fight.supplied, s.allowance) == (H(FIELD), H(FIELD), PAID, 3)
    assert s.fight.attackers == units(TANK, GUNNERS, RECON)
    assert steps(s, RECON)
    march(s, RECON, FIELD, NORTH_EAST, "2046")
    assert over(s)


def test_a_group_that_dies_in_its_attack_is_no_more() -> None:
    s = beside_foe()
    do(s, f"leave {TANK}")
    s.step[U(GUNNERS)] = 1
    storm(s, FAR_EAST, "A1")
    yield_ground(s)
    assert over(s)
    assert at(s, GUNNERS) == "eliminated"


def test_nobody_has_to_form_a_group() -> None:
    s = fighting()
    plod(s)
    assert steps(s, TANK)
