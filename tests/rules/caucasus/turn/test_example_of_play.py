"""The extended example of play: turn 1 and the Axis impulses of turn 2, battle by battle.

The figures of the example are lost. The four battles of the first impulse are fought on the campaign's own set-up;
the later ones on positions that give the strengths, shifts and results of the text (SOURCES.md).
"""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE, Event
from sandtable.games.caucasus.table.ids import F_COMBAT, F_MOVES, PHASES, R_INFANTRY, RESULTS
from sandtable.games.caucasus.table.scenarios import A1D1_OWNER
from sandtable.games.caucasus.table.state import State

from ..fights import attack, combat, reads, shifts
from ..kit import GAME, H, U, at, board, do, new, of_kind, place, roll, start, texts, units

AXIS, SOVIET = 0, 1


def battle(
    s: State,
    target: str,
    joins: list[str],
    marker: str,
    odds: tuple[int, int, str, str],
    pushes: dict[str, int],
    die: int,
    result: str,
) -> list[Event]:
    """One battle of the example: units, support, odds before and after shifts, every shift, die and result."""
    if not s.stack:
        start(s, (F_MOVES, 0), (F_COMBAT, s.second))
    attack(s, target, *joins)
    assert s.fight.attackers == units(*joins)
    shown = GAME.odds(s, GAME.parse("commit"))
    do(s, "commit")
    if GAME.to_act(s) != CHANCE:
        shown = GAME.odds(s, GAME.parse(f"support {marker}"))
        do(s, f"support {marker}")
    assert shown is not None
    assert reads(shown) == odds
    assert shifts(shown) == pushes
    events = roll(s, die)
    told = of_kind(events, "combat_result")[0].data
    assert (told["column"], told["die"], told["result"]) == (odds[3], die, result)
    return events


def withdraw(s: State, loser: int = SOVIET) -> list[Event]:
    """The loser retreats, choosing the first of what he may."""
    events = do(s, "yield") if "yield" in texts(s) else []
    while GAME.to_act(s) == loser:
        events += do(s, texts(s)[0])
    return events


def stand(s: State, lead: str, die: int, result: str) -> None:
    """A Determined Defence without support."""
    do(s, f"lead {lead}")
    if "support none" in texts(s):
        do(s, "support none")
    events = roll(s, die)
    assert of_kind(events, "determined_defence")[0].data["result"] == result


def advances(s: State) -> set[str]:
    return {text for text in texts(s) if text.startswith("advance")}


def follow(s: State, *steps: str) -> None:
    """Advance after combat, hex by hex, and no further."""
    for step in steps:
        do(s, f"advance {step}")
    while "done" in texts(s):
        do(s, "done")


def gone(s: State, *names: str) -> bool:
    return all(s.at[U(name)] < 0 for name in names)


def first_impulse() -> State:
    """The campaign as it is set up, moved as in the example, at the Axis First Combat Phase of turn 1."""
    s = new()
    while "accept" in texts(s):
        do(s, "accept")
    do(s, "place GE-14Pz 1029", "place GE-16Mot 1032", "place GE-1PzA-HQ 1032")
    while "delay" in texts(s):
        do(s, texts(s)[0])
    roll(s, 3)
    do(s, "move GE-1Mtn", "to 1234", "end-moves")
    assert PHASES[s.phase] == "axis_first_combat"
    return s


@pytest.mark.rule("caucasus", "15.2e", "20.3b")
def test_x_t1_br_the_brandenburg_roll_of_three_means_turn_four() -> None:
    s = first_impulse()
    assert (at(s, "GE-Brand"), s.due[U("GE-Brand")]) == ("turn_track", 4)


@pytest.mark.rule("caucasus", "8.3a", "9.3a", "9.5a", "9.6a", "9.7b", "10.1d", "10.1e", "16.12a")
def test_x_t1_1_the_four_battles_of_the_first_impulse() -> None:
    """X-T1.1A to X-T1.1D, in their order, on the real set-up."""
    s = first_impulse()
    # A: 16:6, TQ, armour and one air shift, die 5: 5:1, D1
    pushes = {"9.5a": 1, "9.6a": 1, "16.12a": 1}
    battle(s, "1132", ["GE-23Pz", "GE-16Mot"], "AX-IV", (16, 6, "2:1", "5:1"), pushes, 5, "D1")
    do(s, "lose SU-230RD")
    withdraw(s)
    assert gone(s, "SU-230RD")
    assert board.grid.distance(s.at[U("SU-295RD")], H("1132")) == 2
    follow(s, "GE-23Pz 1132", "GE-16Mot 1132")
    assert at(s, "GE-23Pz") == at(s, "GE-16Mot") == "1132"
    # B: 22:8, armour and VIII Air Corps, no TQ shift against the NKVD, die 1: 5:1, DR
    pushes = {"9.5a": 1, "16.12a": 2}
    battle(s, "1335", ["GE-13Pz", "GE-5SS", "GE-73"], "AX-VIII", (22, 8, "2:1", "5:1"), pushes, 1, "DR")
    withdraw(s)
    assert not s.here.get(H("1335"), 0)
    assert {"advance GE-13Pz 1335", "advance GE-73 1335"} <= advances(s)
    do(s, "advance GE-73 1335")  # infantry: one hex
    assert not any("GE-73" in text for text in advances(s))
    do(s, "advance GE-13Pz 1335")
    assert any("GE-13Pz" in text for text in advances(s))  # mechanised: a second one
    follow(s)
    # C: 17:6, assault guns and mountain troops, die 2: 4:1, DR; a stand in the clear needs a 6 and rolls 4
    pushes = {"9.5a": 1, "9.6a": 1}
    battle(s, "1233", ["GE-125", "GE-198", "GE-1Mtn", "GE-210StG"], "none", (17, 6, "2:1", "4:1"), pushes, 2, "DR")
    stand(s, "SU-4RD", 4, "")
    withdraw(s)
    assert not s.here.get(H("1233"), 0)
    follow(s, "GE-125 1233", "GE-210StG 1233")
    # D: two panzer divisions halved across a river, 8:3, armour and TQ, die 6: 4:1, D1 eliminates the unit
    battle(s, "1129", ["GE-3Pz", "GE-14Pz"], "none", (8, 3, "2:1", "4:1"), pushes, 6, "D1")
    assert gone(s, "SU-302RD")
    do(s, "advance GE-3Pz 1129")
    assert any(text.startswith("advance GE-3Pz") for text in advances(s))  # two hexes


@pytest.mark.rule("caucasus", "10.4f", "10.4i", "11.2g", "11.2f")
def test_x_t1_1c_the_retreat_costs_the_stack_one_step() -> None:
    """X-T1.1C: through EZOC, to 1231 or 1331 and nowhere else; then one division and the assault guns advance."""
    s = combat(turn=1)
    place(s, ["GE-125", "GE-198", "GE-1Mtn", "GE-210StG"], "1234")
    place(s, "GE-23Pz", "1132")
    place(s, "GE-5SS", "1433")
    place(s, ["SU-4RD", "SU-74RD"], "1233", shows="reduced")
    joins = ["GE-125", "GE-198", "GE-1Mtn", "GE-210StG"]
    battle(s, "1233", joins, "none", (17, 6, "2:1", "4:1"), {"9.5a": 1, "9.6a": 1}, 2, "DR")
    stand(s, "SU-4RD", 4, "")
    ends = set()
    todo = [s]
    while todo:  # every way that the Soviet player can choose
        at_ = todo.pop()
        if GAME.to_act(at_) != SOVIET:
            left = [n for n in ("SU-4RD", "SU-74RD") if at_.at[U(n)] >= 0]
            assert len(left) == 1
            ends.add(at(at_, left[0]))
            continue
        for text in texts(at_):
            branch = at_.copy()
            do(branch, text)
            todo.append(branch)
    assert ends == {"1231", "1331"}


# The Axis Second Impulse of turn 1


def second_impulse(units_: dict[str, list[str]], turn: int = 1) -> State:
    """A position of the Axis Second Combat Phase in which every Axis unit has an assault marker."""
    s = combat(turn=turn, second=True)
    s.air = 0b11
    for hex_, names in units_.items():
        place(s, names, hex_)
        s.assault |= units(*[n for n in names if not n.startswith("SU-")])
    return s


@pytest.mark.rule("caucasus", "10.1b", "10.2b", "11.2d", "9.7b")
def test_x_t1_2a_breakthrough_against_a_stack_that_cannot_get_away() -> None:
    """24:6, armour and TQ, die 6: 4:1 + 2 = 6:1, D1-B; no stand; combined ZOCs end the second unit."""
    group = ["GE-125", "GE-198", "GE-1Mtn", "GE-210StG"]
    s = second_impulse({"1234": group, "1334": ["GE-5SS"], "1433": ["GE-73"], "1232": ["GE-9"]})
    place(s, ["SU-176RD", "SU-261RD"], "1333", shows="reduced")
    s.air = 0
    battle(s, "1333", [*group, "GE-5SS"], "none", (24, 6, "4:1", "6:1"), {"9.5a": 1, "9.6a": 1}, 6, "D1-B")
    do(s, "lose SU-176RD")
    assert "yield" not in texts(s)
    withdraw(s)
    assert gone(s, "SU-176RD", "SU-261RD")
    assert "advance GE-5SS 1333" in advances(s)


@pytest.mark.rule("caucasus", "10.1d", "10.4i", "16.12a", "9.7b")
def test_x_t1_2b_viii_air_corps_at_six_to_one() -> None:
    """16:6, TQ, armour and VIII Air Corps, die 3: 2:1 + 4 = 6:1, D1; the stand rolls 2 and fails; an advance across a
    river."""
    s = second_impulse({"1131": ["GE-23Pz", "GE-16Mot"], "1031": ["GE-1PzA-HQ"], "1230": ["GE-73"], "1332": ["GE-9"]})
    place(s, ["SU-347RD", "SU-295RD"], "1231", shows="reduced")
    pushes = {"9.5a": 1, "9.6a": 1, "16.12a": 2}
    battle(s, "1231", ["GE-23Pz", "GE-16Mot"], "AX-VIII", (16, 6, "2:1", "6:1"), pushes, 3, "D1")
    do(s, "lose SU-347RD")
    assert gone(s, "SU-347RD")
    stand(s, "SU-295RD", 2, "")
    withdraw(s)
    assert gone(s, "SU-295RD")
    do(s, "advance GE-23Pz 1231")
    assert {"advance GE-23Pz 1331"} <= advances(s)  # across the minor river


@pytest.mark.rule("caucasus", "10.1f", "10.3a")
def test_x_t1_2c_a_step_of_the_panzer_division() -> None:
    """8:3, TQ and armour, die 4: 4:1, A1/D1: the Soviet unit is gone, the panzer division reduced, it may advance."""
    s = second_impulse({"1129": ["GE-3Pz"]})
    place(s, "SU-157RD", "1229", shows="reduced")
    battle(s, "1229", ["GE-3Pz"], "none", (8, 3, "2:1", "4:1"), {"9.5a": 1, "9.6a": 1}, 4, "A1/D1")
    assert gone(s, "SU-157RD")
    assert s.step[U("GE-3Pz")] == 1
    assert "advance GE-3Pz 1229" in advances(s)


@pytest.mark.rule("caucasus", "10.1e", "10.4i", "10.4l", "12.1a")
def test_x_t1_2d_a_stand_that_fails_and_one_that_would_not_have() -> None:
    """8:3, TQ, armour and air, die 2: 5:1, DR. A 5 in the clear fails, the unit dies in its retreat and the panzers
    advance two hexes; a 6 would have let them into the vacated hex only."""
    pushes = {"9.5a": 1, "9.6a": 1, "16.12a": 1}
    position = {"1129": ["GE-14Pz"], "1031": ["GE-1PzA-HQ"], "1328": ["GE-73"], "1330": ["GE-9"]}
    for die, result, limited in ((5, "", False), (6, "*-1", True)):
        s = second_impulse(position)
        place(s, "SU-157RD", "1229", shows="reduced")
        battle(s, "1229", ["GE-14Pz"], "AX-IV", (8, 3, "2:1", "5:1"), pushes, 2, "DR")
        stand(s, "SU-157RD", die, result)
        withdraw(s)
        assert gone(s, "SU-157RD")
        assert (advances(s) == {"advance GE-14Pz 1229"}) is limited
        do(s, "advance GE-14Pz 1229")
        assert bool(advances(s)) is not limited


@pytest.mark.rule("caucasus", "10.1c", "12.1a")
def test_x_t1_2e_only_one_step_lost_so_none_by_the_attacker() -> None:
    """13th Panzer alone, 10:3, TQ and armour, die 6: 5:1, A1/D2; the defender had one step: no Axis loss."""
    s = second_impulse({"1335": ["GE-13Pz"]})
    place(s, "SU-395RD", "1334", shows="reduced")
    battle(s, "1334", ["GE-13Pz"], "none", (10, 3, "3:1", "5:1"), {"9.5a": 1, "9.6a": 1}, 6, "A1/D2")
    assert gone(s, "SU-395RD")
    assert s.step[U("GE-13Pz")] == 0
    do(s, "advance GE-13Pz 1334")
    assert advances(s)  # a second hex


# Turn 2


@pytest.mark.rule("caucasus", "18.3a", "18.3b", "4.5a", "4.5b", "4.1a", "4.8a")
def test_x_t2_0_the_axis_initial_phase_of_turn_two() -> None:
    """14th Panzer at full strength withdrawn; a replacement roll of 2: German infantry; no weather; ten
    reinforcements."""
    s = first_impulse()
    tables: list[str] = []
    arrived: set[str] = set()
    while s.turn == 1 or PHASES[s.phase] == "axis_initial":
        if GAME.to_act(s) == CHANCE:
            events = roll(s, 2)
            if s.turn == 2:
                tables += [e.data["table"] for e in of_kind(events, "table")]
            continue
        actions = texts(s)
        if s.turn == 2:
            arrived |= {text.split()[1] for text in actions if text.startswith("place")}
        quick = [text for text in ("end-moves", "end-attacks", "no-corps") if text in actions]
        do(s, quick[0] if quick else actions[0])
    assert gone(s, "GE-14Pz")
    assert tables == ["replacement"]
    assert s.replacements[R_INFANTRY] == 1
    assert len(arrived) == 10


@pytest.mark.rule("caucasus", "9.2a", "10.1d", "12.1a", "15.4b")
def test_x_t2_1a_the_romanian_cavalry_rides_between_two_stacks() -> None:
    """26 against 6 + 2: armour, TQ and air, die 5: 3:1 + 3 = 6:1, D1; mobile units advance two, infantry one."""
    riders = ["RO-5Cav", "RO-6Cav", "RO-9Cav"]
    s = combat(turn=2)
    s.air = 0b11
    place(s, riders, "1334")
    place(s, ["SL-Fast", "GE-210StG", "GE-9", "GE-1Mtn"], "1434")
    place(s, "GE-17A-HQ", "1134")
    place(s, ["SU-383RD", "SU-216RD"], "1435", shows="reduced")
    joins = [*riders, "SL-Fast", "GE-210StG", "GE-9", "GE-1Mtn"]
    pushes = {"9.5a": 1, "9.6a": 1, "16.12a": 1}
    battle(s, "1435", joins, "AX-IV", (26, 8, "3:1", "6:1"), pushes, 5, "D1")
    do(s, "lose SU-383RD")
    withdraw(s)
    assert board.grid.distance(s.at[U("SU-216RD")], H("1435")) == 2
    place(s, "SU-15CD", "1437")  # and another stack on the other side
    for unit in ("RO-5Cav", "SL-Fast", "GE-210StG"):
        do(s, f"advance {unit} 1435")
        assert any(unit in text for text in advances(s)), unit
        do(s, next(text for text in texts(s) if unit in text))
    do(s, "advance GE-9 1435")
    assert not any("GE-9" in text for text in advances(s))


@pytest.mark.rule("caucasus", "8.5a", "8.4b")
def test_x_t2_1b_ten_to_one() -> None:
    """37:5, armour and VIII Air Corps: 7:1 + 3 = 10:1: two units eliminated without a die."""
    s = combat(turn=2)
    s.air = 0b11
    place(s, ["GE-13Pz", "GE-23Pz", "GE-5SS"], "1234")
    place(s, ["GE-125", "GE-198"], "1334")
    place(s, "GE-17A-HQ", "1134")
    place(s, "SU-12CD", "1333")
    place(s, "SU-68RB", "1333")
    attack(s, "1333")
    do(s, "commit")
    shown = GAME.odds(s, GAME.parse("support AX-VIII"))
    assert shown is not None
    assert reads(shown) == (37, 5, "7:1", "10:1")
    assert shifts(shown) == {"9.5a": 1, "16.12a": 2}
    do(s, "support AX-VIII")
    assert gone(s, "SU-12CD", "SU-68RB")
    assert "advance GE-13Pz 1333" in advances(s)


@pytest.mark.rule("caucasus", "9.5a", "9.6a", "10.4c", "10.4d", "10.4j", "2.24f", "22.3")
def test_x_t2_2a_cossacks_and_tanks_hold_a_town() -> None:
    """53:7, an Elite and a tank unit: 7:1 without shifts, die 1: A1/D1, losses chosen by the opponent as in the
    example; the reduced, Regular cavalry leads in a town and rolls 5: it loses a step, nobody moves."""
    s = second_impulse(
        {
            "1534": ["GE-13Pz", "GE-23Pz", "GE-5SS"],
            "1635": ["GE-125", "GE-198", "GE-73"],
            "1633": ["GE-9", "GE-1Mtn"],
        },
        turn=2,
    )
    s.flags &= ~A1D1_OWNER
    place(s, ["SU-12CD", "SU-136TB"], "1634")
    joins = ["GE-13Pz", "GE-23Pz", "GE-5SS", "GE-125", "GE-198", "GE-73", "GE-9", "GE-1Mtn"]
    battle(s, "1634", joins, "none", (53, 7, "7:1", "7:1"), {}, 1, "A1/D1")
    assert GAME.to_act(s) == SOVIET
    do(s, "lose GE-73")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["lose SU-12CD", "lose SU-136TB"]
    do(s, "lose SU-12CD")
    stand(s, "SU-12CD", 5, "*-1")
    assert gone(s, "SU-12CD")
    assert at(s, "SU-136TB") == "1634"
    assert not advances(s)


@pytest.mark.rule("caucasus", "9.1a", "9.3a", "8.3a", "10.1d", "16.12a")
def test_x_t2_2b_two_mechanised_divisions_across_a_river() -> None:
    """6:4, VIII Air Corps, armour and TQ, die 4: 1:1 + 4 = 5:1, D1; a step lost, a retreat of two, an advance."""
    s = second_impulse({"1330": ["GE-16Mot"], "1331": ["GE-1PzA-HQ"]}, turn=2)
    place(s, "GE-3Pz", "1330", shows="reduced")
    s.assault |= units("GE-3Pz")
    place(s, ["SU-68RB", "SU-76RB"], "1231")
    pushes = {"9.5a": 1, "9.6a": 1, "16.12a": 2}
    battle(s, "1231", ["GE-3Pz", "GE-16Mot"], "AX-VIII", (6, 4, "1:1", "5:1"), pushes, 4, "D1")
    do(s, "lose SU-68RB")
    withdraw(s)
    assert gone(s, "SU-68RB")
    assert board.grid.distance(s.at[U("SU-76RB")], H("1231")) == 2
    assert {"advance GE-3Pz 1231", "advance GE-16Mot 1231"} <= advances(s)


@pytest.mark.rule("caucasus", "9.2a", "10.4f", "10.4i", "10.4j", "10.1e")
def test_x_t2_2c_wiking_against_a_town() -> None:
    """7 against 5 + 2, air, armour and TQ, die 2: 1:1 + 3 = 4:1, DR; the stand in the town rolls 2: a step lost, then
    the rest in its retreat."""
    s = second_impulse({"1333": ["GE-5SS"], "1234": ["GE-17A-HQ"], "1331": ["GE-73"], "1432": ["GE-9"]}, turn=2)
    place(s, "GE-125", "1233")
    place(s, "SU-91RD", "1332")
    pushes = {"9.5a": 1, "9.6a": 1, "16.12a": 1}
    battle(s, "1332", ["GE-5SS"], "AX-IV", (7, 7, "1:1", "4:1"), pushes, 2, "DR")
    stand(s, "SU-91RD", 2, "-1")
    withdraw(s)
    assert gone(s, "SU-91RD")
    assert RESULTS[s.fight.result] == "DR"
    assert "advance GE-5SS 1332" in advances(s)
