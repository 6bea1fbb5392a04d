"""Chapter 15: breakthrough combat."""

from __future__ import annotations

import pytest

from sandtable.games.na41.table.position import set_order

from ..advancekit import (
    EAST,
    FAR_EAST,
    FIELD,
    FOE,
    GUNNERS,
    NORTH_EAST,
    NORTH_WEST,
    ON_FOOT,
    OTHER_FOE,
    RECON,
    SOUTH_WEST,
    TANK,
    TANKS,
    TRUCK,
    WEST,
    advance,
    group,
    groupable,
    march,
    over,
    prepared,
    steps,
    storm,
    storms,
    to,
    ways,
    won,
)
from ..kit import GAME, U, at, board, do, of_kind, place, texts, units
from ..retreatkit import forbidden
from .ch15breakthroughkit import ITALIAN_TANK, beside_foe, fighting

rule = pytest.mark.rule


# 15.1


@rule("na41", "15.1a")
@pytest.mark.parametrize(("result", "allowed"), [("DR2", True), ("D1", True), ("EX", False)])
def test_an_advance_of_two_hexes_allows_breakthrough_combat(result: str, allowed: bool) -> None:
    s = fighting(result, {EAST: FOE})
    assert bool(groupable(s)) == allowed


@rule("na41", "15.1b", "15.2.3d")
def test_only_mechanised_and_carried_units_break_through() -> None:
    s = prepared({WEST: [TANK, ON_FOOT]}, {EAST: FOE}, {WEST: TRUCK})
    advance(s, {WEST: [TANK, ON_FOOT]})
    do(s, "no-carry")
    assert groupable(s) == {TANK}
    assert forbidden(s, f"group {ON_FOOT}") == "15.2.3d"
    s = prepared({WEST: [TANK, ON_FOOT]}, {EAST: FOE}, {WEST: TRUCK})
    advance(s, {WEST: [TANK, ON_FOOT]})
    do(s, f"carry {TRUCK} {ON_FOOT}")
    assert groupable(s) == {TANK, ON_FOOT}
    group(s, ON_FOOT)
    to(s, FIELD)
    assert at(s, TRUCK) == at(s, ON_FOOT) == FIELD
    assert storms(s) == {EAST}


@rule("na41", "15.1a", "16.4c")
def test_a_unit_that_advances_one_hex_only_does_not_belong_to_the_group() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {EAST: FOE})
    s.oos = units(GUNNERS)
    advance(s, {WEST: [TANK, GUNNERS]})
    assert groupable(s) == {TANK}
    assert forbidden(s, f"group {GUNNERS}") == "16.4c"


def test_nobody_is_asked_when_no_enemy_is_in_reach() -> None:
    s = fighting("DR2", {"1948": FOE})
    assert steps(s, TANK)


# 15.2.1, 15.2.2


@rule("na41", "15.2.1a", "15.2.1b", "15.2.1c", "15.2.2b")
def test_the_group_is_declared_goes_first_and_the_others_follow() -> None:
    s = fighting()
    assert groupable(s) == {TANK, GUNNERS}
    group(s, TANK)
    assert not steps(s, GUNNERS)
    to(s, FIELD, EAST)
    do(s, "done")
    assert not steps(s, TANK), "its advance is over"
    assert steps(s, GUNNERS)
    march(s, GUNNERS, FIELD)
    do(s, "done")
    assert over(s)


@rule("na41", "15.2.3b")
def test_the_question_names_who_is_of_the_group() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {EAST: FOE})
    advance(s, {WEST: [TANK, GUNNERS]})
    rest = ". It advances first and may attack on its way; the others advance after it"
    assert str(GAME.prompt(s).text) == f"Nobody so far{rest}"
    do(s, f"group {TANK}")
    assert str(GAME.prompt(s).text) == f"{board.unit_names[U(TANK)]}{rest}"


@rule("na41", "15.2.1c", "15.2.2a")
def test_only_the_group_fights_on() -> None:
    s = fighting(foes={EAST: FOE})
    group(s, TANK)
    to(s, FIELD)
    do(s, "done")
    march(s, GUNNERS, FIELD)
    assert not storms(s)
    assert not groupable(s)


# 15.2.3


@rule("na41", "15.2.3a")
def test_the_stacking_limit_applies_to_the_group() -> None:
    crowd = ["GE_104_15", "GE_115", "GE_K15", "GE_AA33", "GE_I8"]
    s = won({WEST: crowd[:3], NORTH_WEST: crowd[3:]}, foes={EAST: FOE}, grouping=True)
    do(s, "group GE_104_15", "group GE_K15", "group GE_AA33")
    assert groupable(s) == {"GE_I8"}, "one silhouette is free"
    assert forbidden(s, "group GE_115") == "15.2.3a"


@rule("na41", "15.2.3b", "15.4.1", "15.4.2", "15.2.3c")
def test_one_formation_and_one_attached_unit() -> None:
    """Two of the 5th Light Division and one of the 15th Panzer Division; a second one is too many."""
    s = won({WEST: [TANK, GUNNERS, RECON, "GE_I8", "GE_K15"]}, foes={EAST: FOE}, grouping=True)
    do(s, f"group {TANK}", f"group {GUNNERS}", "group GE_I8")
    assert "GE_K15" not in groupable(s)
    assert forbidden(s, "group GE_K15") == "15.2.3b"


@rule("na41", "15.4.2", "15.2.3c")
def test_independent_units_are_formations_of_their_own() -> None:
    s = won({WEST: [TANK, GUNNERS, "GE_FL33", "GE_FL18"]}, foes={EAST: FOE}, grouping=True)
    do(s, f"group {TANK}", f"group {GUNNERS}", "group GE_FL33")
    assert "GE_FL18" not in groupable(s)


@rule("na41", "15.2.3c", "27.3.1c")
@pytest.mark.parametrize("supreme", [False, True])
def test_an_italian_is_attached_to_germans_only_with_comando_supremo(supreme: bool) -> None:
    stack = {WEST: [TANK, GUNNERS, RECON, ITALIAN_TANK]}
    s = prepared(stack, {EAST: FOE})
    s.comando = int(supreme)
    advance(s, stack)
    do(s, f"group {TANK}", f"group {GUNNERS}")
    assert (ITALIAN_TANK in groupable(s)) == supreme
    if not supreme:
        assert forbidden(s, f"group {ITALIAN_TANK}") == "15.2.3c"


@rule("na41", "15.2.3e")
def test_only_units_that_took_part_belong_to_the_group() -> None:
    s = won({WEST: TANK}, foes={EAST: FOE}, others={WEST: GUNNERS}, grouping=True)
    assert groupable(s) == {TANK}
    assert forbidden(s, f"group {GUNNERS}") == "15.2.3e"


# 15.2.4


@rule("na41", "15.2.4a", "15.2.4b")
def test_units_from_several_hexes_form_up_in_the_vacated_hex_for_one_hex() -> None:
    s = fighting(attackers={WEST: TANK, NORTH_WEST: GUNNERS, SOUTH_WEST: RECON})
    group(s, TANK, GUNNERS)
    assert at(s, TANK) == at(s, GUNNERS) == FIELD
    assert at(s, RECON) == SOUTH_WEST
    to(s, NORTH_EAST, "2046")
    assert ways(s) == set(), "it stands in the zone of the enemy in 1947"
    do(s, "leave " + GUNNERS)
    assert "storm 1947" in texts(s), "three of four hexes are spent"


@rule("na41", "15.2.4b")
def test_a_stack_of_one_hex_need_not_form_up() -> None:
    s = fighting()
    group(s, TANK, GUNNERS)
    assert at(s, TANK) == WEST
    assert ways(s) == {FIELD, NORTH_WEST, "2043", "1943", "1843", SOUTH_WEST}


@rule("na41", "15.2.4a", "14.5d")
def test_who_cannot_enter_the_vacated_hex_does_not_form_up_there() -> None:
    s = prepared({"3820": GUNNERS, "3721": [RECON, TANK]}, {"3822": FOE})
    advance(s, {"3820": GUNNERS, "3721": [RECON, TANK]}, hex_="3821")
    do(s, f"group {RECON}")
    assert GUNNERS not in groupable(s)
    assert forbidden(s, f"group {GUNNERS}") == "15.2.4a"


@rule("na41", "15.2.4a", "15.2.4b", "15.2.6a", "15.2.6b")
def test_ex_15_2_4() -> None:
    attackers = {WEST: [TANK, GUNNERS], NORTH_WEST: TANKS, SOUTH_WEST: RECON}
    s = fighting("D1", {FAR_EAST: FOE}, attackers)
    group(s, TANK, GUNNERS, TANKS, RECON)
    to(s, EAST)
    assert storms(s) == {FAR_EAST}
    storm(s, FAR_EAST, "DR2")
    assert ways(s) == {FAR_EAST}, "nothing is left but the free hex"
    to(s, FAR_EAST)
    assert {at(s, name) for name in (TANK, GUNNERS, TANKS, RECON)} == {FAR_EAST}
    assert over(s)


# 15.2.6, 15.2.7


@rule("na41", "15.2.6b", "15.2.8a")
def test_the_group_is_shown_what_a_hex_costs_and_who_would_fight() -> None:
    s = beside_foe()
    place(s, "GE_I8", "2046")  # beside the enemy too, but not of the group
    s.choices = None
    found = GAME.odds(s, GAME.parse(f"storm {FAR_EAST}"))
    assert found is not None
    assert found.ladder is not None
    assert [force.units for force in found.ladder.forces] == [(TANK, GUNNERS), (FOE,)]
    storm(s, FAR_EAST, "DR2")
    shown = [GAME.hint(s, GAME.parse(f"to {h} normal")) for h in (FAR_EAST, FIELD)]
    assert [hint and hint["cost"] for hint in shown] == ["0", "1"]


@rule("na41", "15.2.6a", "15.2.11")
def test_each_attack_costs_a_hex() -> None:
    s = beside_foe("D1")
    assert storms(s) == {FAR_EAST}, "two of three hexes are spent"
    s = fighting("DR2")
    assert not groupable(s), "nobody could come beside an enemy and attack him"
    s = fighting("DR2", {"2146": FOE})
    assert not groupable(s)
    s = fighting("DR2", {NORTH_EAST: FOE})
    group(s, TANK)
    to(s, FIELD)
    assert storms(s) == {NORTH_EAST}


@rule("na41", "15.2.6b", "15.2.10a", "15.2.10b")
def test_the_hex_so_vacated_is_entered_for_nothing() -> None:
    s = beside_foe()
    events = storm(s, FAR_EAST, "DR2")
    assert of_kind(events, "combat")[0].data["attackers"] == sorted((U(TANK), U(GUNNERS)))
    assert FAR_EAST in ways(s)
    assert len(ways(s)) > 1, "one hex is left, and it may go on from where it stands"
    to(s, FAR_EAST)
    assert ways(s), "the hex that is left"
    to(s, sorted(ways(s))[0])
    assert over(s)


@rule("na41", "15.2.7a")
def test_units_that_retreated_from_the_first_fight_are_targets() -> None:
    s = prepared({WEST: [TANK, GUNNERS]}, {FAR_EAST: "BR_3H"})
    set_order(s, U("BR_3H"), 1)
    s.retreated = units("BR_3H")
    advance(s, {WEST: [TANK, GUNNERS]})
    group(s, TANK, GUNNERS)
    to(s, FIELD, EAST)
    assert storms(s) == {FAR_EAST}


@rule("na41", "15.2.7a")
def test_a_group_attacks_nobody_before_it_has_moved() -> None:
    s = fighting(foes={SOUTH_WEST: FOE})
    group(s, TANK, GUNNERS)
    assert not storms(s)
    assert forbidden(s, f"storm {SOUTH_WEST}") == "15.2.7a"
    to(s, FIELD)
    assert storms(s) == {SOUTH_WEST}


@rule("na41", "15.2.7b", "9.6f")
def test_the_target_is_a_hex_that_the_group_could_enter() -> None:
    """Motorised infantry might attack across the escarpment, but not advance."""
    s = prepared({"3721": GUNNERS}, {"3820": FOE, "3822": OTHER_FOE})
    advance(s, {"3721": GUNNERS}, hex_="3821")
    group(s, GUNNERS)
    to(s, "3821")
    assert storms(s) == {"3822"}
    assert forbidden(s, "storm 3820") == "15.2.7b"
