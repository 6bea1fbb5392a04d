"""Chapter 22: optional rules."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.combat.effects import begin
from sandtable.games.caucasus.movement.phase import begin_moves
from sandtable.games.caucasus.table.ids import (
    A1_D1,
    A1_D2,
    AXIS,
    COMBAT,
    ELITE,
    F_COMBAT,
    F_CORPS,
    F_LOSS,
    F_MOVES,
    F_RESULT,
    REGULAR,
    SOVIET,
)
from sandtable.games.caucasus.table.scenarios import option_bits, option_names
from sandtable.games.caucasus.table.state import State

from ..kit import GAME, H, U, do, empty, new, place, start, texts, units

STOP = (F_CORPS,)


def test_the_options_and_their_defaults() -> None:
    offered = {option.id: (option.rule, option.default) for option in GAME.options()}
    listed = GAME.pack.tables["options"]
    assert offered == {name: (entry["rule"], entry["default"]) for name, entry in listed.items()}
    assert option_names(option_bits({})) == {name: entry["default"] for name, entry in listed.items()}
    s = new("campaign", elite_guards_tanks=True, a1d1_owner_chooses=False)
    assert option_names(s.flags) == {
        "mechanised_panzer_army_hq": False,
        "elite_guards_tanks": True,
        "a1d1_owner_chooses": False,
        "a1d2_opponent_chooses": True,
    }


@pytest.mark.rule("caucasus", "22.1", "2.22a")
@pytest.mark.parametrize("chosen", [False, True])
def test_the_panzer_army_hq_may_be_mechanised(chosen: bool) -> None:
    def reach(name: str) -> set[str]:
        s = empty("axis", 3, "axis_second_movement", mechanised_panzer_army_hq=chosen)
        place(s, name, "1333")
        begin_moves(s)
        start(s, STOP, (F_MOVES, 1))
        do(s, f"move {name}")
        return {text.split()[1] for text in texts(s) if text.startswith("to ")}

    # 7.3a, 7.3b in the Second Movement Phase a foot unit moves one hex, a mechanised one its whole MA
    three_away = "1531"
    assert GAME.board.grid.distance(H("1333"), H(three_away)) == 3
    assert (three_away in reach("GE-1PzA-HQ")) == chosen
    assert three_away not in reach("GE-17A-HQ")


@pytest.mark.rule("caucasus", "22.2", "2.24e")
def test_guards_tank_brigades_may_be_elite() -> None:
    def quality_shift(**options: bool) -> bool:
        """Whether Elite mountain troops are better than the Guards tanks they attack (9.6a)."""
        s = empty("axis", 3, "axis_first_combat", "campaign", **options)
        place(s, "GE-1Mtn", "1333")
        place(s, "SU-6GTB", "1433")
        start(s, STOP, (F_COMBAT, 0))
        do(s, "attack 1433")
        odds = GAME.odds(s, GAME.parse("commit"))
        assert odds is not None
        return "9.6a" in {term.rule for term in odds.terms}

    assert quality_shift()
    assert not quality_shift(elite_guards_tanks=True)
    plain, raised = GAME.board_for({}), GAME.board_for({"elite_guards_tanks": True})
    changed = {b for u, b in enumerate(plain.units) if plain.tq_att[u] != raised.tq_att[u]}
    assert changed == {"SU-5GTB", "SU-6GTB"}
    assert (plain.tq_def[U("SU-5GTB")], raised.tq_def[U("SU-5GTB")]) == ((REGULAR,), (ELITE,))


def losses(result: int, **options: bool) -> list[tuple[int, int]]:
    """Who chooses whose step losses, in order, when both sides have two units to choose from."""
    s: State = empty("axis", 3, "axis_first_combat", "campaign", **options)
    place(s, ["GE-13Pz", "GE-23Pz"], "1333")
    place(s, ["SU-4RD", "SU-74RD", "SU-176RD"], "1433")
    begin(s, COMBAT, H("1433"), units("GE-13Pz", "GE-23Pz"))
    s.fight.result = result
    s.stack = [STOP, GAME.framed((F_RESULT, 0))]
    GAME.frames[F_RESULT].run(s, s.stack[-1])
    found: list[tuple[int, int]] = []
    while s.stack[-1][0] == F_LOSS:
        f = s.stack[-1]
        chooser = GAME.frames[F_LOSS].actor(s, f)
        if chooser is None:
            GAME.frames[F_LOSS].run(s, f)
            continue
        found.append((chooser, f[2]))
        GAME.frames[F_LOSS].take(s, f, GAME.frames[F_LOSS].legal(s, f)[0])
    return found


@pytest.mark.rule("caucasus", "22.3")
def test_on_a1_d1_each_owner_chooses_or_as_in_the_example_the_opponent() -> None:
    assert losses(A1_D1) == losses(A1_D1, a1d1_owner_chooses=True) == [(AXIS, AXIS), (SOVIET, SOVIET)]
    assert losses(A1_D1, a1d1_owner_chooses=False) == [(SOVIET, AXIS), (AXIS, SOVIET)]


@pytest.mark.rule("caucasus", "22.4")
def test_on_a1_d2_the_opponent_chooses_first() -> None:
    wanted = [(SOVIET, AXIS), (AXIS, SOVIET), (SOVIET, SOVIET)]
    assert losses(A1_D2) == losses(A1_D2, a1d2_opponent_chooses=True) == wanted
    assert losses(A1_D2, a1d2_opponent_chooses=False) == [(AXIS, AXIS), (SOVIET, SOVIET), (SOVIET, SOVIET)]


@pytest.mark.rule("caucasus", "22.4")
def test_on_a1_d2_a_defender_with_one_step_costs_the_attacker_nothing() -> None:
    s = empty("axis", 3, "axis_first_combat")
    place(s, "GE-13Pz", "1333")
    place(s, "SU-68RB", "1433")
    begin(s, COMBAT, H("1433"), units("GE-13Pz"))
    s.fight.result = A1_D2
    s.stack = [STOP, GAME.framed((F_RESULT, 0))]
    GAME.frames[F_RESULT].run(s, s.stack[-1])
    asked = [f[1:3] for f in s.stack if f[0] == F_LOSS]
    assert asked
    assert all(loser == SOVIET for _, loser in asked)
