"""Chapter 27: tag-along advance (27.3.1) and disengagement (27.5)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.games.na41.combat.combat import targets, unfit
from sandtable.games.na41.combat.disengagement import ANSWERS, MINUS_STEP, NO, YES, answer, candidates, total
from sandtable.games.na41.table.ids import AXIS, COMANDO, COMBAT, F_COMBAT, F_DISENGAGE, F_MOVES, F_RECOVERY
from sandtable.games.na41.table.scenarios import option_bits
from sandtable.games.na41.table.state import State

from ..advancekit import (
    EAST,
    FIELD,
    FOE,
    GUNNERS,
    NORTH_WEST,
    ON_FOOT,
    OTHER_FOE,
    RECON,
    TANK,
    TANKS,
    TRUCK,
    WEST,
    advance,
    group,
    groupable,
    march,
    over,
    plod,
    prepared,
    steps,
    storms,
    to,
)
from ..kit import GAME, H, U, at, board, do, empty, kinds, names, of_kind, place, roll, start, supplies, texts, units
from ..retreatkit import REST, forbidden, order

rule = pytest.mark.rule

ITALIANS = "IT_8B"


# 27.3.1 Tag-along advance


def along(*others: str, foes: dict[str, str] | None = None, disrupted: bool = False) -> State:
    """German tanks have attacked alone out of a stack with these others, and won."""
    s = prepared({WEST: TANK}, foes or {}, tag_along=True)
    place(s, others, WEST, disrupted=disrupted)
    advance(s, {WEST: TANK})
    return s


@rule("na41", "27.3.1a")
def test_units_stacked_with_the_attackers_may_advance_with_them() -> None:
    s = along(GUNNERS, TRUCK)
    plod(s)
    assert steps(s, GUNNERS) == steps(s, TANK)
    march(s, TRUCK, FIELD)
    assert at(s, TRUCK) == FIELD


@rule("na41", "27.3.1a", "14.1a")
def test_without_the_optional_rule_they_stay() -> None:
    s = prepared({WEST: TANK}, others={WEST: GUNNERS})
    advance(s, {WEST: TANK})
    assert not steps(s, GUNNERS)


@rule("na41", "27.3.1a")
def test_only_in_good_order_and_in_the_same_hex() -> None:
    s = along(GUNNERS, disrupted=True)
    assert not steps(s, GUNNERS)
    assert forbidden(s, f"advance {GUNNERS} {FIELD}") == "27.3.1a"
    s = prepared({WEST: TANK}, others={NORTH_WEST: GUNNERS}, tag_along=True)
    advance(s, {WEST: TANK})
    assert not steps(s, GUNNERS)


@rule("na41", "27.3.1a")
@pytest.mark.parametrize("deed", ["attacked", "advanced"])
def test_not_after_an_attack_or_an_advance_in_this_phase(deed: str) -> None:
    s = prepared({WEST: TANK}, others={WEST: GUNNERS}, tag_along=True)
    setattr(s, deed, units(GUNNERS))
    advance(s, {WEST: TANK})
    assert not steps(s, GUNNERS)


@rule("na41", "27.3.1a")
def test_whoever_tagged_along_does_not_do_so_again() -> None:
    s = along(GUNNERS)
    plod(s)
    march(s, GUNNERS, FIELD)
    assert s.advanced & units(GUNNERS)


@rule("na41", "27.3.1a", "5.8.3")
def test_a_truck_alone_does_not_enter_a_hex_with_enemy_non_combat_units() -> None:
    s = along(TRUCK, foes={NORTH_WEST: "AL_TR1"})
    plod(s)
    assert NORTH_WEST in steps(s, TANK)
    assert NORTH_WEST not in steps(s, TRUCK)
    assert forbidden(s, f"advance {TRUCK} {NORTH_WEST}") == "5.8.3"
    s = along(TRUCK, "GE_RT1")
    supplies(s, "allied", NORTH_WEST)  # an SP is a non-combat unit too
    s.choices = None
    plod(s)
    assert NORTH_WEST in steps(s, TANK)
    assert NORTH_WEST not in steps(s, TRUCK)
    assert NORTH_WEST in steps(s, "GE_RT1"), "the rule is for trucks"


@rule("na41", "27.3.1b")
def test_tag_along_units_may_be_part_or_all_of_a_breakthrough_group() -> None:
    s = along(GUNNERS, foes={EAST: FOE})
    assert groupable(s) == {TANK, GUNNERS}
    group(s, GUNNERS)
    to(s, FIELD)
    assert storms(s) == {EAST}
    do(s, f"storm {EAST}")
    assert s.attacked & units(GUNNERS)
    s = along(GUNNERS, foes={EAST: FOE})
    group(s, TANK, GUNNERS)
    to(s, FIELD)
    assert at(s, GUNNERS) == at(s, TANK) == FIELD


@rule("na41", "27.3.1b", "2.3.2c")
def test_who_used_extended_movement_tags_along_but_does_not_fight() -> None:
    s = prepared({WEST: TANK}, {EAST: FOE}, {WEST: GUNNERS}, tag_along=True)
    s.extended = units(GUNNERS)
    advance(s, {WEST: TANK})
    assert groupable(s) == {TANK}
    assert forbidden(s, f"group {GUNNERS}") == "2.3.2c"
    plod(s)
    assert steps(s, GUNNERS)


@rule("na41", "27.3.1b", "27.5.3b")
def test_who_rolled_to_disengage_does_not_fight_in_the_group() -> None:
    s = prepared({WEST: TANK}, {EAST: FOE}, {WEST: GUNNERS}, tag_along=True)
    s.disengaged = units(GUNNERS)
    advance(s, {WEST: TANK})
    assert groupable(s) == {TANK}
    assert forbidden(s, f"group {GUNNERS}") == "27.5.3b"


@rule("na41", "27.3.1c")
@pytest.mark.parametrize("supreme", [False, True])
def test_italians_tag_along_with_germans_but_fight_with_them_only_under_comando_supremo(supreme: bool) -> None:
    s = prepared({WEST: TANK}, {EAST: FOE}, {WEST: [ITALIANS, GUNNERS]}, tag_along=True)
    s.assets[COMANDO] = int(supreme)
    advance(s, {WEST: TANK})
    do(s, f"group {TANK}")
    assert (ITALIANS in groupable(s)) == supreme
    do(s, "grouped", "done")
    assert steps(s, ITALIANS)


# 27.5 Disengagement


def facing(
    *ours: str, foes: dict[str, str] | None = None, on: bool = True, disrupted: bool = False, routed: bool = False
) -> State:
    """Our units west of the field, an enemy in it."""
    s = empty("axis", "combat")
    s.flags = option_bits({"disengagement": on})
    s.rommel = 0
    place(s, ours, WEST, disrupted=disrupted, routed=routed)
    for name, where in (foes or {FOE: FIELD}).items():
        place(s, name, where)
    return s


def begun(*ours: str, foes: dict[str, str] | None = None, disrupted: bool = False) -> State:
    """They roll together."""
    s = facing(*ours, foes=foes, disrupted=disrupted)
    s.group = units(ours[0])
    start(s, REST, (F_DISENGAGE, 0))
    for name in ours[1:]:
        do(s, f"join {name}")
    if "commit" in texts(s):
        do(s, "commit")
    return s


def die_for(s: State, wanted: int) -> int:
    return next(die for die in range(1, 7) if answer(s, die + total(s, s.group)) == wanted)


def retreat(s: State) -> None:
    """Everybody goes the first way that is offered, as far as it leads."""
    while texts(s)[0].split()[0] in ("to", "halt", "load-sp", "carry"):
        do(s, "no-carry" if "no-carry" in texts(s) else texts(s)[0])


def away(*ours: str, wanted: int = YES, disrupted: bool = False) -> State:
    """They have rolled, and gone."""
    s = begun(*ours, disrupted=disrupted)
    roll(s, die_for(s, wanted))
    retreat(s)
    return s


@rule("na41", "27.5.1", "27.0")
def test_disengagement_is_optional() -> None:
    assert not candidates(facing(TANK, on=False))
    assert names(candidates(facing(TANK))) == {TANK}


@rule("na41", "27.5.2a")
def test_the_table() -> None:
    s = facing(TANK)
    found = [answer(s, die) for die in range(-1, 9)]
    assert found == [NO] * 5 + [MINUS_STEP] + [YES] * 4


@rule("na41", "27.5.2b")
def test_what_modifies_the_die() -> None:
    s = facing(TANK, ON_FOOT, "IT_19", "IT_65", TRUCK)
    assert {unit: total(s, units(unit)) for unit in (TANK, ON_FOOT)} == {TANK: 2, ON_FOOT: 0}
    assert board.tq[U("IT_19")] == 0
    assert total(s, units("IT_19")) == -1
    assert total(s, units(TANK, ON_FOOT)) == 0, "both positive ones need every unit"
    assert total(s, units(TANK, TRUCK)) == 1, "a truck is mechanised, and not elite"
    assert total(s, units(TANK, "IT_19")) == -1, "one unit of low quality is enough"


@rule("na41", "27.5.2a", "27.5.2b")
def test_the_odds_are_told() -> None:
    s = facing(TANK, GUNNERS)
    s.group = units(TANK)
    start(s, REST, (F_DISENGAGE, 0))
    found = GAME.odds(s, GAME.parse("commit"))
    assert found is not None
    assert dict(found.results) == {
        ANSWERS[NO]: Fraction(1, 6),
        ANSWERS[MINUS_STEP]: Fraction(1, 6),
        ANSWERS[YES]: Fraction(4, 6),
    }


@rule("na41", "27.5.3a", "13.3.3")
def test_who_may_roll() -> None:
    assert names(candidates(facing(TANK, disrupted=True))) == {TANK}
    s = facing(TANK, routed=True)
    place(s, GUNNERS, WEST)
    assert names(candidates(s)) == {GUNNERS}, "A60"
    start(s, (F_MOVES,), (F_COMBAT,))
    assert forbidden(s, f"disengage {TANK}") == "13.3.3"
    assert not candidates(facing(TANK, foes={FOE: EAST})), "nobody is beside it"
    assert names(candidates(facing(TANK, foes={"AL_TR1": FIELD}))) == {TANK}, "a truck is an enemy unit too"
    s = facing(TANK)
    s.refreshed = units(TANK)
    assert not candidates(s)
    s = empty("allied", "combat")
    s.flags = option_bits({"disengagement": True})
    place(s, ["AL_TOB", FOE], "3138")
    place(s, TANK, "3037")
    assert "AL_TOB" not in names(candidates(s)), "it has no MA"


@rule("na41", "27.5.3a")
def test_an_ma_of_two_is_enough_and_one_of_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """No counter has an MA of 1 or 2, so one is printed anew, its reduced side slower than its front."""
    s = facing(ON_FOOT, TANK)
    assert board.ma[U(ON_FOOT)][0] == 3
    assert names(candidates(s)) == {ON_FOOT, TANK}
    allowances = list(board.ma)
    allowances[U(TANK)] = (2, 1)
    monkeypatch.setattr(board, "ma", tuple(allowances))
    s = facing(TANK)
    assert names(candidates(s)) == {TANK}
    place(s, TANK, WEST, "reduced")
    assert not candidates(s)
    start(s, (F_MOVES,), (F_COMBAT,))
    assert forbidden(s, f"disengage {TANK}") == "27.5.3a"


@rule("na41", "27.5.3a", "27.5.3b")
@pytest.mark.parametrize("deed", ["attacked", "auto"])
def test_attack_or_disengage(deed: str) -> None:
    s = facing(TANK)
    setattr(s, deed, units(TANK))
    assert not candidates(s)


@rule("na41", "27.5.3b", "27.5.4a")
def test_whoever_has_rolled_neither_attacks_nor_rolls_again() -> None:
    s = begun(TANK)
    roll(s, die_for(s, NO))
    assert over(s)
    assert at(s, TANK) == WEST
    assert order(s, TANK) == "good"
    assert not candidates(s)
    assert H(FIELD) not in targets(s, COMBAT)
    assert unfit(s, U(TANK), H(FIELD)).rule == "27.5.3b"


@rule("na41", "27.5.3c")
def test_it_is_offered_in_the_combat_phase() -> None:
    s = facing(TANK, GUNNERS)
    start(s, (F_MOVES,), (F_COMBAT,))
    assert {f"disengage {TANK}", f"disengage {GUNNERS}"} <= set(texts(s))
    do(s, f"disengage {TANK}", "commit")
    roll(s, die_for(s, NO))
    assert f"disengage {GUNNERS}" in texts(s)
    assert f"attack {FIELD}" in texts(s)
    assert f"disengage {TANK}" not in texts(s)
    assert forbidden(s, f"disengage {TANK}") == "27.5.3d"
    assert forbidden(s, f"disengage {RECON}") == "27.5.3a"


@rule("na41", "27.5.3d")
def test_units_of_a_stack_roll_singly_or_in_groups() -> None:
    s = facing(TANK, GUNNERS, RECON)
    place(s, TANKS, NORTH_WEST)
    s.group = units(TANK)
    start(s, REST, (F_DISENGAGE, 0))
    assert texts(s) == [*sorted((f"join {GUNNERS}", f"join {RECON}"), key=lambda t: GAME.parse(t)), "commit"]
    assert forbidden(s, f"join {TANKS}") == "27.5.3d"
    do(s, f"join {GUNNERS}", "commit")
    events = roll(s, die_for(s, NO))
    assert of_kind(events, "disengagement")[0].data["units"] == sorted((U(TANK), U(GUNNERS)))
    assert names(candidates(s)) == {RECON, TANKS}


@rule("na41", "27.5.4b", "27.5.4e")
def test_yes_the_units_retreat_and_are_disrupted_or_in_full_retreat_as_they_like() -> None:
    s = away(TANK, GUNNERS)
    assert set(texts(s)) == {f"flee {TANK}", f"flee {GUNNERS}", "done"}
    do(s, f"flee {GUNNERS}", "done")
    assert (order(s, TANK), order(s, GUNNERS)) == ("disrupted", "full retreat")
    for name in (TANK, GUNNERS):
        assert 1 <= board.grid.distance(H(WEST), s.at[U(name)]) <= 2
    assert over(s)
    s.stack[-1] = GAME.framed((F_RECOVERY, 0))
    s.stack.insert(0, REST)
    s.choices = None
    GAME.settle(s)
    assert (order(s, TANK), order(s, GUNNERS)) == ("good", "disrupted")


@rule("na41", "27.5.4b")
def test_one_or_two_hexes() -> None:
    s = begun(TANK)
    roll(s, 6)
    assert "halt" not in texts(s)
    do(s, next(text for text in texts(s) if text.startswith("to ")))
    assert "halt" in texts(s)
    do(s, next(text for text in texts(s) if text.startswith("to ")))
    assert set(texts(s)) == {f"flee {TANK}", "done"}


@rule("na41", "27.5.4b")
def test_full_retreat_is_compulsory_for_disrupted_units() -> None:
    s = away(TANK, disrupted=True)
    assert over(s)
    assert order(s, TANK) == "full retreat"


@rule("na41", "27.5.4c")
def test_nobody_is_offered_a_way_into_a_zone_and_without_another_the_roll_is_not_offered() -> None:
    ring = {FOE: FIELD, OTHER_FOE: "1943"}
    assert not candidates(facing(TANK, foes={**ring, "BR_3H": "2142", "BR_5R": "1744"}))
    s = begun(TANK, foes={FOE: FIELD})
    roll(s, 6)
    assert {text.split()[1] for text in texts(s)} == {"2043", "1943", "1843"}, "not beside the enemy in the field"


@rule("na41", "27.5.4c")
def test_any_friendly_unit_opens_a_zone_to_those_who_disengage() -> None:
    """Not combat units alone, as in games of version 1."""
    s = facing(TANK, foes={FOE: FIELD, OTHER_FOE: "1943", "BR_3H": "2142", "BR_5R": "1744"})
    assert not candidates(s)
    place(s, "AX_TR1", "2043")
    s.edition = 1
    assert not candidates(s) & units(TANK)
    s.edition = 2
    s.memo.clear()
    assert candidates(s) & units(TANK)
    s.group = units(TANK)
    start(s, REST, (F_DISENGAGE, 0))
    roll(s, 6)
    assert at(s, TANK) == "2043"


@rule("na41", "27.5.4d")
def test_yes_minus_a_step_of_the_owners_choice_before_the_retreat() -> None:
    s = begun(TANK, GUNNERS)
    roll(s, die_for(s, MINUS_STEP))
    assert s.actor == AXIS
    assert set(texts(s)) == {f"lose {TANK}", f"lose {GUNNERS}"}
    do(s, f"lose {GUNNERS}")
    assert s.step[U(GUNNERS)] == 1
    assert at(s, GUNNERS) == WEST
    retreat(s)
    assert at(s, GUNNERS) != WEST


@rule("na41", "27.5.4d")
def test_a_unit_that_loses_its_last_step_is_gone() -> None:
    s = begun(RECON)
    roll(s, die_for(s, MINUS_STEP))
    assert over(s)
    assert at(s, RECON) == "eliminated"


@rule("na41", "27.5.2b", "27.5.4b")
def test_ex_27_5() -> None:
    s = begun(TANK)
    assert total(s, s.group) == 2
    events = roll(s, 3)
    assert of_kind(events, "disengagement")[0].data["drm"] == 2
    do(s, "to 1943 normal", "to 1942 normal", "done")
    assert at(s, TANK) == "1942"
    assert kinds(events)[0] == "disengagement"
