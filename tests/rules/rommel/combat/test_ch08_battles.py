"""8 Battle hexes: stand or avoid (8.2, 8.4), reveal (8.5), declare (8.6)."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.sequence import PART_AVOID, PART_MARCH
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_AVOID,
    F_BATTLES,
    F_DECLARE,
    F_ENGAGED,
    F_FIRE_ROLL,
    F_OPTION,
    F_ROUND,
    F_TURN,
)
from sandtable.games.rommel.table.state import State

from ..kit import GAME, H, U, at, battle, do, empty, kinds, mask, place, start, texts, units, why

FRONT = "0724"  # El Alamein W1: the Commonwealth can withdraw along the coast road
SOUTH = "0824"  # El Alamein SW1: and along the trail from here
OLD = "0623"  # El Daba: an old battle


def attack(*hexes: str, active: str = "axis", option: str = "basic") -> State:
    """Axis units have just attacked Commonwealth units in some hexes."""
    s = empty(active, option)
    pairs = {FRONT: ("IT-ARI", "CW-22G"), SOUTH: ("IT-LIT", "CW-3A"), OLD: ("IT-TRE", "CW-7A")}
    for h in hexes:
        place(s, list(pairs[h]), h)
        battle(s, h, "commonwealth", ["W"], revealed=False, attacked=True)
    return s


def declaring(*hexes: str, option: str = "basic", blitz: int = 0, active: str = "axis") -> State:
    """Old battles in some hexes, about to be declared."""
    s = attack(*hexes, option=option, active=active)
    s.attacked = 0
    start(s, (F_OPTION,), (F_BATTLES, blitz), (F_DECLARE, blitz))
    return s


def fighting(s: State) -> str:
    """The hex of the battle that is being fought."""
    assert s.stack[-1][0] == F_FIRE_ROLL
    return GAME.board.grid.names[s.stack[-1][1]]


# 8.0 Battles persist


@pytest.mark.rule("rommel", "8.0a")
def test_a_battle_goes_on_until_one_side_is_gone() -> None:
    s = empty()
    place(s, ["IT-ARI", "CW-3A"], FRONT)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    do(s, "hits 1", "hits 1")
    assert s.defends[COMMONWEALTH] == mask(FRONT)
    assert s.revealed == units("IT-ARI", "CW-3A")
    start(s, (F_ROUND, H(FRONT), 0, 0))
    events = do(s, "hits 0", "hits 2")
    assert at(s, "CW-3A") == "dead"
    assert "battle_over" in kinds(events)
    assert s.defends == [0, 0]
    assert not s.revealed & units("IT-ARI")


@pytest.mark.rule("rommel", "8.0b", "8.6a")
def test_an_old_battle_need_not_be_fought() -> None:
    s = declaring(OLD)
    assert texts(s) == [f"fight {OLD}", "declared"]
    do(s, "declared")
    assert s.stack == [(F_OPTION,)]
    assert s.defends[COMMONWEALTH] == mask(OLD)


# 8.2 The choice of the attacked, 8.4 Avoiding battle


@pytest.mark.rule("rommel", "8.2c", "8.4a")
def test_the_attacked_player_chooses_to_stand_or_to_avoid_battle() -> None:
    s = attack(FRONT)
    start(s, (F_OPTION,), (F_AVOID,))
    assert GAME.to_act(s) == COMMONWEALTH
    assert texts(s) == [f"stand {FRONT}", f"avoid {FRONT}"]
    s2 = s.copy()
    do(s, f"stand {FRONT}")
    assert at(s, "CW-22G") == FRONT
    do(s2, f"avoid {FRONT}", "hits 0", "to 0725 -")
    assert at(s2, "CW-22G") == "0725"
    assert s2.defends == [0, 0]


@pytest.mark.rule("rommel", "8.4a")
def test_the_choice_comes_after_forced_marches_and_before_anything_is_revealed() -> None:
    s = attack(FRONT)
    start(s, (F_OPTION,), (F_TURN, PART_MARCH))
    while GAME.to_act(s) == AXIS:
        do(s, "marches")
    assert GAME.to_act(s) == COMMONWEALTH
    assert s.stack[-2] == (F_TURN, PART_AVOID + 1)
    assert not s.revealed
    do(s, f"stand {FRONT}")
    assert s.revealed == units("IT-ARI", "CW-22G")


@pytest.mark.rule("rommel", "8.4a")
def test_A37_groups_are_decided_one_by_one_in_any_order() -> None:
    s = attack(FRONT, SOUTH)
    start(s, (F_OPTION,), (F_AVOID,))
    assert texts(s) == [f"stand {FRONT}", f"stand {SOUTH}", f"avoid {FRONT}", f"avoid {SOUTH}"]
    do(s, f"stand {SOUTH}")
    assert texts(s) == [f"stand {FRONT}", f"avoid {FRONT}"]
    reason = why(s, f"avoid {SOUTH}")
    assert reason is not None
    assert reason.rule == "8.2d"
    do(s, f"avoid {FRONT}")
    # the pursuit is resolved before anything else
    assert GAME.to_act(s) == -1


@pytest.mark.rule("rommel", "8.4b")
def test_units_engaged_before_the_movement_phase_may_not_avoid_battle() -> None:
    s = attack(FRONT, OLD)
    s.attacked = mask(FRONT)
    start(s, (F_OPTION,), (F_AVOID,))
    assert texts(s) == [f"stand {FRONT}", f"avoid {FRONT}"]
    reason = why(s, f"avoid {OLD}")
    assert reason is not None
    assert reason.rule == "8.4b"
    s = attack(OLD)
    s.attacked = 0
    start(s, (F_OPTION,), (F_AVOID,))
    assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "8.2d", "8.6b")
def test_who_stands_must_be_fought() -> None:
    s = attack(FRONT, OLD)
    s.attacked = mask(FRONT)
    start(s, (F_OPTION,), (F_BATTLES, 0), (F_DECLARE, 0), (F_ENGAGED, 0), (F_AVOID,))
    do(s, f"stand {FRONT}")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == [f"fight {OLD}", "declared"]
    reason = why(s, f"fight {FRONT}")
    assert reason is not None
    assert reason.rule == "8.6b"
    do(s, "declared")
    assert fighting(s) == FRONT


@pytest.mark.rule("rommel", "8.6b")
def test_only_the_first_battle_after_an_attack_is_compulsory() -> None:
    s = declaring(FRONT)
    assert texts(s) == [f"fight {FRONT}", "declared"]


@pytest.mark.rule("rommel", "8.2e")
def test_unprotected_disrupted_units_have_no_choice() -> None:
    s = empty()
    place(s, "IT-ARI", FRONT)
    place(s, "CW-22G", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"], revealed=False, attacked=True)
    start(s, (F_OPTION,), (F_AVOID,))
    assert s.stack == [(F_OPTION,)]


# 8.5 The battle line


@pytest.mark.rule("rommel", "8.5a")
def test_the_defender_of_a_hex_is_marked_for_both_players() -> None:
    s = attack(FRONT)
    start(s, (F_OPTION,), (F_AVOID,))
    events = do(s, f"stand {FRONT}")
    assert "stood" in kinds(events)
    for side in (AXIS, COMMONWEALTH):
        shown = GAME.view(s, side)["battles"]
        assert [(b["hex"], b["defender"]) for b in shown] == [(FRONT, "commonwealth")]


@pytest.mark.rule("rommel", "8.5b")
def test_both_sides_reveal_units_and_strengths_but_not_those_behind_the_line() -> None:
    s = attack(FRONT)
    place(s, "CW-20A", FRONT, disrupted=True)
    s.cv[U("CW-22G")] = 2
    events = start(s, (F_OPTION,), (F_ROUND, H(FRONT), 0, 0))
    shown = [e for e in events if e.kind == "revealed"]
    assert len(shown) == 1
    assert dict(zip(shown[0].data["units"], shown[0].data["cvs"], strict=True)) == {
        U("IT-ARI"): 4,
        U("CW-22G"): 2,
    }
    assert s.revealed == units("IT-ARI", "CW-22G")


# 8.6 Which battles are fought


@pytest.mark.rule("rommel", "8.6a", "8.6e")
def test_any_battles_may_be_fought_and_all_are_declared_before_the_first() -> None:
    s = declaring(FRONT, SOUTH, OLD)
    assert texts(s) == [f"fight {OLD}", f"fight {FRONT}", f"fight {SOUTH}", "declared"]
    do(s, f"fight {SOUTH}", f"fight {OLD}")
    assert texts(s) == [f"fight {FRONT}", "declared"]
    again = why(s, f"fight {OLD}")
    assert again is not None
    assert again.rule == "8.6e"
    events = do(s, "declared")
    assert next(e for e in events if e.kind == "declared").data["hexes"] == [H(OLD), H(SOUTH)]
    assert texts(s) == [f"resolve {OLD}", f"resolve {SOUTH}"]
    late = why(s, f"resolve {FRONT}")
    assert late is not None
    assert late.rule == "8.6e"


@pytest.mark.rule("rommel", "8.6c", "13.2c")
def test_the_attacker_at_a_fortress_must_fight_and_the_defender_may() -> None:
    for active, choices in (("axis", ["declared"]), ("commonwealth", ["fight 0313", "declared"])):
        s = empty(active)
        place(s, ["IT-ARI", "CW-22G"], "Tobruk")
        battle(s, "Tobruk", "commonwealth", ["W"])
        start(s, (F_OPTION,), (F_BATTLES, 0), (F_DECLARE, 0))
        assert texts(s) == choices
        do(s, "declared")
        if active == "axis":
            assert fighting(s) == "0313"
        else:
            assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "8.6c")
def test_why_a_fortress_battle_need_not_be_declared() -> None:
    s = empty()
    place(s, ["IT-ARI", "CW-22G"], "Tobruk")
    battle(s, "Tobruk", "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_BATTLES, 0), (F_DECLARE, 0))
    reason = why(s, "fight 0313")
    assert reason is not None
    assert reason.rule == "8.6c"


@pytest.mark.rule("rommel", "8.6d", "13.2d")
def test_in_the_blitz_combat_phase_a_fortress_battle_is_optional() -> None:
    s = empty(option="blitz")
    place(s, ["IT-ARI", "CW-22G"], "Tobruk")
    battle(s, "Tobruk", "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_BATTLES, 1), (F_DECLARE, 1))
    assert texts(s) == ["fight 0313", "declared"]
    do(s, "declared")
    assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "8.6d", "8.6b")
def test_a_new_attack_of_the_blitz_must_be_fought_even_so() -> None:
    s = attack(FRONT, option="blitz")
    start(s, (F_OPTION,), (F_BATTLES, 1), (F_DECLARE, 1))
    assert fighting(s) == FRONT


@pytest.mark.rule("rommel", "8.6f", "4.3a", "4.3b", "4.3d")
def test_assaults_are_declared_before_resolution_and_other_battles_are_normal() -> None:
    s = declaring(FRONT, SOUTH, OLD, option="assault")
    assert texts(s) == [
        *(f"fight {h}" for h in (OLD, FRONT, SOUTH)),
        *(f"assault {h}" for h in (OLD, FRONT, SOUTH)),
        "declared",
    ]
    do(s, f"assault {FRONT}", f"fight {OLD}")
    assert texts(s) == [f"fight {SOUTH}", f"assault {SOUTH}", "declared"]
    events = do(s, "declared")
    assert next(e for e in events if e.kind == "assaults").data["hexes"] == [H(FRONT)]
    assert texts(s) == [f"resolve {OLD}", f"resolve {FRONT}"]
    do(s, f"resolve {FRONT}")
    assert s.stack[-1][5] == 2 * s.cv[U("CW-22G")]
    do(s, "hits 0", "hits 0")
    assert s.stack[-1][5] == s.cv[U("CW-7A")]


@pytest.mark.rule("rommel", "8.6f")
def test_a_compulsory_battle_may_be_declared_an_assault() -> None:
    s = attack(FRONT, option="assault")
    start(s, (F_OPTION,), (F_BATTLES, 0), (F_DECLARE, 0))
    assert texts(s) == [f"assault {FRONT}", "declared"]
    do(s, f"assault {FRONT}")
    again = why(s, f"assault {FRONT}")
    assert again is not None
    assert again.rule == "8.6f"
    do(s, "declared")
    assert s.stack[-1][5] == 2 * s.cv[U("CW-22G")]


@pytest.mark.rule("rommel", "8.6f", "4.3a")
def test_no_assault_without_an_assault_turn() -> None:
    s = declaring(FRONT)
    reason = why(s, f"assault {FRONT}")
    assert reason is not None
    assert reason.rule == "4.3a"
    nowhere = why(s, "fight 0825")
    assert nowhere is not None
    assert nowhere.rule == "1.2d"


def test_being_asked_does_not_tell_which_option_was_chosen() -> None:
    """Where only an Assault turn leaves a choice the Active player is asked in every turn."""
    for option in ("basic", "offensive", "assault", "blitz"):
        s = attack(FRONT, option=option)
        start(s, (F_OPTION,), (F_BATTLES, 0), (F_DECLARE, 0))
        assert s.stack[-1] == (F_DECLARE, 0, 1)
        assert GAME.to_act(s) == AXIS
