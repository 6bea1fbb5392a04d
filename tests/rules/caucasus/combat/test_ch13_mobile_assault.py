"""Chapter 13: mobile assault."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.caucasus.sequence import begin_combat
from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES, SOVIET
from sandtable.games.caucasus.table.state import State

from ..kit import GAME, H, at, do, empty, kinds, names, of_kind, place, roll, start, texts, units, why
from ..movekit import phase, refusal

rule = pytest.mark.rule
SECOND = "axis_second_movement"
SOVIET_SECOND = "soviet_second_movement"
PANZERS = ["GE-13Pz", "GE-23Pz"]


def front(*enemies: tuple[str, str], stack: str = "1143") -> State:
    """Two panzer divisions with 6 MPs on the open steppe west of Rostov, out of range of any aircraft."""
    s = empty(phase=SECOND)
    s.air = 0
    place(s, PANZERS, stack)
    for unit, hex_ in enemies:
        place(s, unit, hex_)
    return phase(s)


def together(s: State) -> State:
    do(s, "raid GE-13Pz", "pick GE-23Pz")
    return s


def left(s: State) -> str:
    return str(GAME.prompt(s).text).split(": ")[1].split(" MP")[0]


def storm(s: State, hex_: str, die: int) -> list[str]:
    """A mobile assault with this die; the defender's decisions are left open."""
    return kinds(do(s, f"storm {hex_}") + roll(s, die))


@rule("caucasus", "13.1a")
def test_mobile_assaults_are_made_in_the_second_movement_phase() -> None:
    s = front(("SU-68RB", "1142"))
    assert "raid GE-13Pz" in texts(s)
    first = empty()
    place(first, PANZERS, "1143")
    place(first, "SU-68RB", "1142")
    phase(first)
    assert not [t for t in texts(first) if t.startswith("raid")]
    assert refusal(first, "raid GE-13Pz") == "13.1a"
    # a function of movement: units that have made one have not attacked, and the target has not been attacked
    together(s)
    storm(s, "1142", 1)
    assert s.attacked == s.defended == 0


@rule("caucasus", "13.1b")
def test_mechanised_units_and_cavalry_with_three_mps_make_them() -> None:
    s = empty(phase=SECOND)
    place(s, ["GE-13Pz", "RO-5Cav", "GE-73", "GE-1Mtn", "GE-17A-HQ"], "1143")
    place(s, "SU-68RB", "1142")
    phase(s)
    assert {t for t in texts(s) if t.startswith("raid")} == {"raid GE-13Pz", "raid RO-5Cav"}
    assert refusal(s, "raid GE-73") == "13.1b"
    assert refusal(s, "raid GE-17A-HQ") == "13.1b"
    do(s, "raid RO-5Cav")
    assert refusal(s, "pick GE-73") == "13.1b"
    # the enemy must be in reach with 3 MPs left: RO-5Cav has 5, the panzers 6
    far = empty(phase=SECOND)
    place(far, ["GE-13Pz", "RO-5Cav"], "1143")
    place(far, "SU-68RB", "1139")
    phase(far)
    assert {t for t in texts(far) if t.startswith("raid")} == {"raid GE-13Pz"}
    assert refusal(far, "raid RO-5Cav") == "13.1e"


@rule("caucasus", "13.1b", "13.1e")
def test_three_mps_must_be_left_when_the_assault_is_made() -> None:
    s = together(front(("SU-98AT", "1139")))
    do(s, "to 1140")  # 3 of 6 spent
    assert left(s) == "3"
    assert "storm 1139" in texts(s)
    s = together(front(("SU-98AT", "1139")))
    do(s, "to 1142", "to 1143", "to 1140")  # 5 spent on the same way
    assert left(s) == "1"
    assert "storm 1139" not in texts(s)  # A34
    assert refusal(s, "storm 1139") == "13.1b"


@rule("caucasus", "13.1c")
def test_the_stack_starts_together_or_is_picked_up_on_its_way() -> None:
    s = front(("SU-68RB", "1139"))
    place(s, "RO-5Cav", "1142")
    place(s, "RO-6Cav", "1141")
    place(s, "GE-Felmy", "1141")
    s.choices = None
    do(s, "move GE-Felmy", "to 1041")
    do(s, "raid GE-13Pz")
    assert {t for t in texts(s) if t.startswith("pick")} == {"pick GE-23Pz"}
    assert refusal(s, "pick RO-5Cav") == "13.1c"
    do(s, "to 1142", "pick RO-5Cav")
    # A62 it counts as having spent the mover's MP: 5 - 1 = 4 are left to the stack
    assert left(s) == "4"
    do(s, "to 1041")
    assert refusal(s, "pick GE-Felmy") == "13.1c"  # it has moved
    assert names(s.raid) == {"GE-13Pz", "RO-5Cav"}


@rule("caucasus", "13.1c")
def test_a_unit_with_fewer_mps_than_the_stack_has_spent_is_not_picked_up() -> None:
    s = front(("SU-68RB", "1139"))
    place(s, ["RO-5Cav", "GE-Felmy"], "1145")
    s.choices = None
    do(s, "raid GE-13Pz", "to 1141", "to 1143", "to 1145")  # 2 + 2 + 2: all its MPs
    assert {t for t in texts(s) if t.startswith("pick")} == {"pick GE-Felmy"}  # MA 6, the cavalry has 5 (A62)
    assert refusal(s, "pick RO-5Cav") == "13.1c"


@rule("caucasus", "13.1d")
def test_units_that_assault_together_stay_together() -> None:
    s = together(front(("SU-68RB", "1142")))
    storm(s, "1142", 1)
    do(s, "enter")
    assert {at(s, u) for u in PANZERS} == {"1142"}
    do(s, "to 1141", "halt")
    assert {at(s, u) for u in PANZERS} == {"1141"}
    assert names(s.met) == set(PANZERS)
    assert not [t for t in texts(s) if t.startswith("move")]  # none of them moves on alone
    assert refusal(s, "move GE-23Pz") == "7.1e"


@rule("caucasus", "13.1e", "13.1f")
def test_an_assault_costs_three_mps_and_is_made_from_one_hex_on_one_hex() -> None:
    s = front(("SU-68RB", "1142"), ("SU-76RB", "1142"), ("SU-113RB", "1043"))
    place(s, "GE-16Mot", "1042")  # beside the target, but not in the stack's hex
    s.choices = None
    together(s)
    assert {t for t in texts(s) if t.startswith("storm")} == {"storm 1142", "storm 1043"}
    assert left(s) == "6"
    events = do(s, "storm 1142")
    [fight] = of_kind(events, "combat")
    assert fight.data["attackers"] == sorted(fight.data["attackers"])
    assert names(s.fight.attackers) == set(PANZERS)
    assert names(s.fight.defenders) == {"SU-68RB", "SU-76RB"}  # all enemies in that hex and no other
    assert s.raid_spent == 6  # half points
    assert refusal(together(front(("SU-68RB", "1140"))), "storm 1140") == "13.1e"


@rule("caucasus", "13.1g", "16.12b")
def test_the_axis_may_use_aircraft_the_soviets_may_not() -> None:
    s = empty(phase=SECOND)
    place(s, ["GE-13Pz", "GE-17A-HQ"], "1143")
    place(s, "SU-4RD", "1142")
    phase(s)
    do(s, "raid GE-13Pz", "storm 1142")
    assert "support AX-VIII" in texts(s)
    s = empty("soviet", turn=6, phase=SOVIET_SECOND)
    s.air, s.fleet_ready, s.fleet_away = 12, 2, 0
    place(s, ["SU-12CD", "SU-BlackSea-HQ"], "2241")
    place(s, "RO-10", "2240", shows="reduced")
    phase(s)
    do(s, "raid SU-12CD", "storm 2240")
    assert s.actor == CHANCE  # no marker was offered


@rule("caucasus", "13.1h")
def test_terrain_and_supply_count_as_in_any_attack() -> None:
    s = empty(phase=SECOND)
    s.air = 0
    place(s, "GE-13Pz", "1434")
    place(s, "SU-4RD", "1534")  # across a minor river
    phase(s)
    [fight] = of_kind(do(s, "raid GE-13Pz", "storm 1534"), "combat")
    assert (fight.data["attack"], fight.data["defence"]) == (5, 5)
    s = front(("SU-4RD", "1142"))
    s.limited |= units("GE-13Pz")
    [fight] = of_kind(do(s, "raid GE-13Pz", "storm 1142"), "combat")
    assert fight.data["attack"] == 5
    # 8.4a below 1:2 there is no assault
    s = empty(phase=SECOND)
    s.air = 0
    place(s, "GE-Brand", "1143")
    place(s, ["SU-10GRC", "SU-11GRC"], "1142")
    phase(s)
    do(s, "raid GE-Brand")
    assert "storm 1142" not in texts(s)
    assert refusal(s, "storm 1142") == "8.4a"


@rule("caucasus", "13.1i")
def test_across_a_major_river_only_from_where_the_units_began() -> None:
    s = front(("SU-68RB", "1233"), stack="1133")
    do(s, "raid GE-13Pz")
    assert "storm 1233" in texts(s)
    s = front(("SU-68RB", "1233"), stack="1034")
    do(s, "raid GE-13Pz", "to 1133")
    assert "storm 1233" not in texts(s)
    assert refusal(s, "storm 1233") == "13.1i"
    # a unit that began there does not help one that did not
    s = front(("SU-68RB", "1233"), stack="1034")
    place(s, "GE-3Pz", "1133")
    s.choices = None
    do(s, "raid GE-13Pz", "to 1133", "pick GE-3Pz")
    assert "storm 1233" not in texts(s)
    # nor does a unit picked up elsewhere, though the stack is back where it began
    for pick in (False, True):
        s = front(("SU-98AT", "1233"), stack="1133")
        place(s, "GE-3Pz", "1034")
        s.choices = None
        do(s, "raid GE-13Pz", "to 1034")
        if pick:
            do(s, "pick GE-3Pz")
        do(s, "to 1133")
        assert ("storm 1233" in texts(s)) is not pick


@rule("caucasus", "13.1j")
def test_odds_above_nine_to_one_use_the_nine_to_one_column() -> None:
    s = together(front(("SU-68RB", "1142")))
    [fight] = of_kind(do(s, "storm 1142"), "combat")
    assert fight.data["attack"] / fight.data["defence"] >= 10
    assert s.actor == CHANCE  # a die is rolled
    assert at(s, "SU-68RB") == "1142"
    assert s.fight.column == 9


@rule("caucasus", "13.1k", "13.1l")
def test_a_cleared_hex_is_entered_for_nothing_or_not() -> None:
    s = together(front(("SU-68RB", "1142")))
    found = storm(s, "1142", 1)
    assert "eliminated" in found
    assert texts(s) == ["enter", "stay"]  # and no advance after combat
    assert refusal(s, "advance GE-13Pz 1141") == "13.1l"
    c = s.copy()
    do(c, "enter")
    assert {at(c, u) for u in PANZERS} == {"1142"}
    assert left(c) == "3"
    assert "to 1141" in texts(c)
    do(s, "stay")
    assert {at(s, u) for u in PANZERS} == {"1143"}
    assert left(s) == "3"


@rule("caucasus", "13.1l", "13.1e")
def test_x_13_1_two_assaults_of_three_mps_each() -> None:
    # assault A, do not enter, then assault B
    s = together(front(("SU-68RB", "1142"), ("SU-76RB", "1144"), ("SU-113RB", "1145")))
    storm(s, "1142", 1)
    do(s, "stay")
    assert "storm 1144" in texts(s)
    storm(s, "1144", 1)
    do(s, "enter")
    assert "raid GE-13Pz" not in texts(s)
    assert not [t for t in texts(s) if t.startswith("storm")]  # no MPs for a third
    # or assault B, enter it and assault C
    s = together(front(("SU-68RB", "1142"), ("SU-76RB", "1144"), ("SU-113RB", "1145")))
    storm(s, "1144", 1)
    do(s, "enter")
    assert "storm 1145" in texts(s)
    assert "storm 1142" not in texts(s)


@rule("caucasus", "13.1l")
def test_after_a_success_the_stack_may_take_assault_markers() -> None:
    s = together(front(("SU-68RB", "1142"), ("SU-76RB", "1144")))
    storm(s, "1142", 1)
    do(s, "stay")
    assert "ready" in texts(s)
    do(s, "ready")
    assert names(s.assault) == set(PANZERS)
    assert s.raid == 0


@rule("caucasus", "13.1l", "7.6a")
def test_a_stack_does_not_enter_what_it_may_not_enter() -> None:
    s = empty(phase=SECOND)
    s.air = 0
    place(s, PANZERS, "1737")
    place(s, "SU-68RB", "1738")  # marsh
    phase(s)
    together(s)
    storm(s, "1738", 6)
    assert at(s, "SU-68RB") == "cadre"
    assert "enter" not in texts(s)
    assert "halt" in texts(s)


def repulsed() -> State:
    """One panzer division against two rifle corps: the assault fails with a loss."""
    s = front(("SU-10GRC", "1142"), ("SU-11GRC", "1142"), ("SU-68RB", "1144"))
    do(s, "raid GE-13Pz")
    storm(s, "1142", 1)
    assert at(s, "SU-10GRC") == "1142"
    return s


@rule("caucasus", "13.1m")
def test_a_hex_that_was_not_cleared_may_be_assaulted_again() -> None:
    s = repulsed()
    assert left(s) == "3"
    assert "storm 1142" in texts(s)
    assert "storm 1144" not in texts(s)  # A35 no other hex
    assert refusal(s, "storm 1144") == "13.1m"
    assert "ready" in texts(s)  # a marker, perhaps against the same hex
    assert [t for t in texts(s) if t.startswith("to ")]  # or it moves on
    again = s.copy()
    storm(again, "1142", 1)
    assert not [t for t in texts(again) if t.startswith("storm")]
    do(s, "to 1243")
    assert "storm 1144" not in texts(s)


@rule("caucasus", "13.1l", "7.3d")
def test_a_stack_on_its_raid_takes_a_marker_for_three_points_beside_an_enemy() -> None:
    s = front(("SU-10GRC", "1142"))
    do(s, "raid GE-13Pz")
    assert "ready" in texts(s)
    alone = front(("SU-10GRC", "1146"))
    do(alone, "raid GE-13Pz")
    reason = why(alone, "ready")
    assert reason is not None
    assert (reason.rule, str(reason.why)) == (
        "7.3d",
        "an assault marker is for a unit that is to attack: no enemy is beside the stack",
    )
    tired = front(("SU-10GRC", "1142"))
    do(tired, "raid GE-13Pz")
    tired.raid_spent = 2 * 4  # half points
    start(tired, *tired.stack)
    reason = why(tired, "ready")
    assert reason is not None
    assert (reason.rule, str(reason.why)) == ("7.3d", "assault markers take 3 MP, the stack has 2 left")


@rule("caucasus", "13.1m", "7.3d")
def test_a_marker_may_be_used_against_the_same_hex() -> None:
    s = repulsed()
    do(s, "ready", "end-moves")
    begin_combat(s)
    s.stack = []
    start(s, (F_MOVES, 0), (F_COMBAT, 1))
    assert {"attack 1142", "attack 1144"} & set(texts(s)) == {"attack 1142", "attack 1144"}


@rule("caucasus", "13.2a", "13.2b", "11.4b")
def test_who_retreated_may_be_assaulted_again_and_defends_with_full_strength() -> None:
    s = front(("SU-4RD", "1142"))
    s.retreated |= units("SU-4RD")  # from an earlier mobile assault of this phase
    do(s, "raid GE-13Pz")
    assert "storm 1142" in texts(s)
    [fight] = of_kind(do(s, "storm 1142"), "combat")
    assert fight.data["defence"] == 5


@rule("caucasus", "13.2b", "13.2c")
def test_a_second_retreat_does_not_eliminate_in_a_mobile_assault() -> None:
    s = front(("SU-4RD", "1142"))
    s.retreated |= units("SU-4RD")
    do(s, "raid GE-13Pz", "storm 1142")
    # 10:5 = 2:1, armour and quality: 4:1; a 2 is DR
    roll(s, 2)
    while s.actor == SOVIET:
        choices = texts(s)
        do(s, "yield" if "yield" in choices else choices[0])
    assert at(s, "SU-4RD") not in ("1142", "cadre")
    assert texts(s) == ["enter", "stay"]


@rule("caucasus", "13.2c")
def test_a_mobile_assault_does_not_spare_the_target_the_combat_phase() -> None:
    s = repulsed()
    do(s, "ready", "end-moves")
    begin_combat(s)
    assert s.defended == s.retreated == 0
    assert not s.attacked & units("GE-13Pz")


@rule("caucasus", "13.2d")
def test_units_out_of_supply_make_no_mobile_assault() -> None:
    s = front(("SU-68RB", "1142"))
    s.oos |= units("GE-13Pz")
    s.choices = None
    assert "raid GE-13Pz" not in texts(s)
    assert refusal(s, "raid GE-13Pz") == "13.2d"
    do(s, "raid GE-23Pz")
    assert "pick GE-13Pz" not in texts(s)
    assert refusal(s, "pick GE-13Pz") == "13.2d"


@rule("caucasus", "5.2b")
def test_stacking_is_checked_at_the_moment_of_a_mobile_assault() -> None:
    s = front(("SU-68RB", "1142"))
    place(s, ["GE-73", "GE-125"], "1143")
    place(s, ["GE-9", "GE-111", "GE-370", "GE-50"], "1145")  # over the limit too, but not yet asked
    s.choices = None
    together(s)
    do(s, "storm 1142")
    assert set(texts(s)) == {"drop GE-13Pz", "drop GE-23Pz", "drop GE-73", "drop GE-125"}
    do(s, "drop GE-73")
    assert s.actor == CHANCE
    assert s.fight.target == H("1142")


@rule("caucasus", "7.6b")
def test_a_stack_that_had_to_stop_storms_no_more() -> None:
    s = empty(phase=SECOND)
    s.air = 0
    place(s, PANZERS, "2137")
    place(s, "SU-68RB", "2239")
    phase(s)
    together(s)
    do(s, "to 2238")  # forest
    assert "storm 2239" not in texts(s)
    assert refusal(s, "storm 2239") == "13.1a"
    assert not [t for t in texts(s) if t.startswith("to ")]
    assert "ready" in texts(s)
