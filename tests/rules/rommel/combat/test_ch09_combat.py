"""9 Combat: rounds, fire, targeting, losses."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.combat.combat import TARGETS
from sandtable.games.rommel.table.ids import (
    ARMOUR,
    ARTILLERY,
    AXIS,
    COMMONWEALTH,
    F_BATTLES,
    F_FIRE_ROLL,
    F_OPTION,
    INFANTRY,
)

from ..kit import GAME, H, U, at, battle, do, empty, place, start, texts, why
from .ch09combatkit import DESERT, cv, dice, fight, hits, over, side_firing, targets_of

# 9.0 and 9.1 The round


@pytest.mark.rule("rommel", "9.0a", "9.0c")
def test_battles_are_resolved_one_at_a_time_in_the_order_of_the_active_player() -> None:
    s = empty("axis")
    for hex_, axis, cw in (
        ("0506", "IT-ARI", "CW-3A"),
        ("0706", "IT-LIT", "CW-7A"),
        ("0605", "IT-TRE", "CW-22G"),
    ):
        place(s, [axis, cw], hex_)
        battle(s, hex_, "commonwealth")
        s.to_fight |= 1 << H(hex_)
    start(s, (F_OPTION,), (F_BATTLES, 0))
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["resolve 0506", "resolve 0605", "resolve 0706"]
    do(s, "resolve 0706")
    # the battle is finished before another begins: only its units fire
    assert s.stack[-1][3] == U("CW-7A")
    hits(s, 0)
    assert s.stack[-1][3] == U("IT-LIT")
    hits(s, 0)
    assert texts(s) == ["resolve 0506", "resolve 0605"]
    reason = why(s, "resolve 0706")
    assert reason is not None
    assert reason.rule == "8.6e"
    do(s, "resolve 0605")
    hits(s, 0)
    hits(s, 0)
    # the last battle needs no choice
    assert s.stack[-1][3] == U("CW-3A")


@pytest.mark.rule("rommel", "9.0c")
def test_units_of_other_battles_do_not_fire_before_this_one_is_finished() -> None:
    s = empty("axis")
    place(s, ["IT-ARI", "IT-LIT", "CW-3A", "CW-7A"], "0506")
    place(s, ["IT-TRE", "CW-22G"], "0605")
    battle(s, "0506", "commonwealth")
    battle(s, "0605", "commonwealth")
    s.to_fight = 1 << H("0506") | 1 << H("0605")
    start(s, (F_OPTION,), (F_BATTLES, 0))
    do(s, "resolve 0506")
    assert texts(s) == ["fire CW-3A armour", "fire CW-7A armour"]
    reason = why(s, "fire CW-22G infantry")
    assert reason is not None
    assert reason.rule == "9.0c"


@pytest.mark.rule("rommel", "9.0b")
def test_each_unit_fires_once_in_one_round() -> None:
    s = fight({"IT-ARI": 4, "IT-LIT": 4}, {"CW-3A": 3, "CW-7A": 4, "CW-22A": 4})
    do(s, "fire CW-7A armour", "hits 0")
    assert texts(s) == ["fire CW-3A armour", "fire CW-22A armour"]
    reason = why(s, "fire CW-7A armour")
    assert reason is not None
    assert reason.rule == "9.0b"
    do(s, "fire CW-3A armour", "hits 0", "hits 0", "fire IT-ARI armour", "hits 0", "hits 0")
    assert over(s)


@pytest.mark.rule("rommel", "9.1a", "9.1b")
def test_passive_fires_first_and_the_active_survivors_answer_at_reduced_strength() -> None:
    s = fight({"IT-ARI": 4, "IT-LIT": 1}, {"CW-7A": 4})
    assert side_firing(s) == COMMONWEALTH
    assert dice(s) == 4
    hits(s, 3)
    # the owner applies the hits before his own fire
    assert GAME.to_act(s) == AXIS
    do(s, "lose IT-LIT")  # the other two can only fall on the other unit
    assert at(s, "IT-LIT") == "dead"
    assert cv(s, "IT-ARI") == 2
    assert side_firing(s) == AXIS
    assert dice(s) == 2
    hits(s, 2)
    assert cv(s, "CW-7A") == 2
    assert over(s)


@pytest.mark.rule("rommel", "9.1a")
def test_when_the_commonwealth_is_active_the_axis_fires_first() -> None:
    s = fight({"IT-ARI": 4}, {"CW-7A": 4}, active="commonwealth")
    assert side_firing(s) == AXIS


@pytest.mark.rule("rommel", "9.1b")
def test_the_dead_do_not_fire() -> None:
    s = fight({"IT-ARI": 1}, {"CW-7A": 4})
    hits(s, 1)
    assert at(s, "IT-ARI") == "dead"
    assert over(s)
    assert cv(s, "CW-7A") == 4


# 9.2 Firing


@pytest.mark.rule("rommel", "9.2a")
def test_artillery_fires_before_all_others_and_these_in_any_order() -> None:
    s = fight({"IT-TRE": 3}, {"CW-1RHA": 3, "CW-7MED": 3, "CW-22G": 4, "CW-3A": 3})
    assert {t.split()[1] for t in texts(s)} == {"CW-1RHA", "CW-7MED"}
    reason = why(s, "fire CW-22G infantry")
    assert reason is not None
    assert reason.rule == "9.2a"
    do(s, "fire CW-7MED infantry", "hits 0")
    assert s.stack[-1][3] == U("CW-1RHA")  # the other guns next, without being asked: no choice
    hits(s, 0)
    assert {t.split()[1] for t in texts(s)} == {"CW-22G", "CW-3A"}


@pytest.mark.rule("rommel", "9.2b", "9.3e")
def test_a_shot_names_unit_and_class_and_both_are_fixed_before_the_dice() -> None:
    s = fight({"IT-TRE": 3, "IT-ARI": 4, "GE-F118": 4}, {"CW-1RHA": 3, "CW-3RHA": 2})
    assert texts(s) == ["fire CW-1RHA armour", "fire CW-1RHA infantry", "fire CW-1RHA antitank"]
    reason = why(s, "fire CW-1RHA artillery")
    assert reason is not None
    assert reason.rule == "9.2b"
    foreign = why(s, "fire IT-ARI armour")
    assert foreign is not None
    assert foreign.rule == "9.2b"
    do(s, "fire CW-1RHA infantry")
    # now only dice: no other class can be chosen any more
    assert GAME.to_act(s) == -1
    assert {t.split()[0] for t in texts(s)} == {"hits"}
    assert s.stack[-1][:5] == (F_FIRE_ROLL, H(DESERT), COMMONWEALTH, U("CW-1RHA"), INFANTRY)


@pytest.mark.rule("rommel", "9.2c")
@pytest.mark.parametrize("strength", [1, 2, 3, 4])
def test_one_die_per_cv(strength: int) -> None:
    s = fight({"IT-ARI": 4}, {"CW-7A": strength})
    assert dice(s) == strength
    assert texts(s) == [f"hits {n}" for n in range(strength + 1)]


@pytest.mark.rule("rommel", "9.2c")
def test_E9_2_a_unit_with_3_cv_rolls_3_dice() -> None:
    s = fight({"IT-ARI": 4}, {"CW-3A": 3})
    faces = iter([1, 6, 6])
    fell = GAME.roll(s, lambda n: next(faces))
    assert fell.faces == (1, 6, 6)
    assert fell.action == GAME.parse("hits 2")


@pytest.mark.rule("rommel", "9.2d", "9.5a")
def test_each_hit_takes_one_cv_from_the_class_aimed_at_and_no_other() -> None:
    s = fight({"IT-TRE": 3, "IT-ARI": 4}, {"CW-3RHA": 2})
    do(s, "fire CW-3RHA armour")
    hits(s, 2)
    assert cv(s, "IT-ARI") == 2
    assert cv(s, "IT-TRE") == 3


# 9.21 Double dice


@pytest.mark.rule("rommel", "9.21a", "9.21b", "4.3c")
def test_both_sides_double_their_dice_in_an_assault() -> None:
    s = fight({"IT-ARI": 4}, {"CW-7A": 3}, option="assault", assault=True)
    assert dice(s) == 6
    hits(s, 0)
    assert dice(s) == 8


@pytest.mark.rule("rommel", "9.21a", "9.21b", "13.2a")
def test_the_defender_of_a_fortress_doubles_the_dice_of_his_defensive_fire_but_not_of_armour() -> None:
    s = fight({"IT-TRE": 3}, {"CW-22G": 4, "CW-7A": 4}, "Tobruk")
    do(s, "fire CW-7A infantry")
    assert dice(s) == 4  # armour gets nothing
    hits(s, 0)
    assert dice(s) == 8
    hits(s, 0)
    assert dice(s) == 3  # offensive fire of the Attacker


@pytest.mark.rule("rommel", "9.21a", "13.2b")
def test_no_fortress_dice_for_a_defender_who_starts_the_battle_nor_for_the_attacker() -> None:
    s = fight({"IT-TRE": 3}, {"CW-22G": 4}, "Tobruk", active="commonwealth")
    assert s.stack[-1][3] == U("IT-TRE")
    assert dice(s) == 3  # the Attacker, though he fires in defence
    hits(s, 0)
    assert dice(s) == 4  # the Defender, but Active


@pytest.mark.rule("rommel", "9.21b")
def test_A21_assault_and_fortress_double_only_once() -> None:
    s = fight({"IT-TRE": 3}, {"CW-22G": 4}, "Tobruk", option="assault", assault=True)
    assert dice(s) == 8


@pytest.mark.rule("rommel", "9.3a")
def test_armour_must_fire_at_armour_while_there_is_any() -> None:
    s = fight({"IT-ARI": 4, "IT-TRE": 3, "GE-F118": 4}, {"CW-7A": 4, "CW-22A": 4})
    assert targets_of(s, "CW-7A") == ["armour"]
    reason = why(s, "fire CW-7A infantry")
    assert reason is not None
    assert reason.rule == "9.3a"


@pytest.mark.rule("rommel", "9.3b")
def test_infantry_must_fire_at_infantry_while_there_is_any() -> None:
    s = fight({"IT-ARI": 4, "IT-TRE": 3, "GE-F118": 4}, {"CW-22G": 4, "CW-20A": 4})
    assert targets_of(s, "CW-22G") == ["infantry"]
    reason = why(s, "fire CW-22G armour")
    assert reason is not None
    assert reason.rule == "9.3b"


@pytest.mark.rule("rommel", "9.3a", "9.3b", "9.3d")
def test_without_its_own_kind_to_fire_at_a_unit_chooses_any_class_but_artillery() -> None:
    s = fight({"IT-TRE": 3, "GE-F118": 4, "IT-A21": 3}, {"CW-7A": 4, "CW-22A": 4})
    assert targets_of(s, "CW-7A") == ["infantry", "antitank"]
    s = fight({"IT-ARI": 4, "GE-F118": 4, "IT-A21": 3}, {"CW-22G": 4, "CW-20A": 4})
    assert targets_of(s, "CW-22G") == ["armour", "antitank"]


@pytest.mark.rule("rommel", "9.3c", "9.3d")
def test_antitank_and_artillery_are_free_but_only_artillery_may_fire_at_artillery() -> None:
    enemies: dict[str, int | None] = {"IT-ARI": 4, "IT-TRE": 3, "GE-F118": 4, "IT-A21": 3}
    s = fight(enemies, {"CW-3RHA": 2})
    assert targets_of(s, "CW-3RHA") == ["armour", "infantry", "antitank"]
    reason = why(s, "fire CW-3RHA artillery")
    assert reason is not None
    assert reason.rule == "9.3d"
    s = fight(enemies, {"CW-1RHA": 3})
    assert targets_of(s, "CW-1RHA") == ["armour", "infantry", "antitank", "artillery"]


@pytest.mark.rule("rommel", "9.3d")
@pytest.mark.parametrize("firer", ["CW-7A", "CW-22G", "CW-3RHA"])
def test_artillery_alone_may_be_fired_at_by_all(firer: str) -> None:
    s = fight({"IT-A21": 3}, {firer: 2})
    assert s.stack[-1][4] == ARTILLERY


@pytest.mark.rule("rommel", "9.3d")
def test_A54_disrupted_units_neither_compel_fire_nor_protect_artillery() -> None:
    s = fight({"IT-ARI": 4, "IT-TRE": 3, "IT-A21": 3}, {"CW-7A": 4, "CW-22A": 4}, disrupted=("IT-ARI",))
    assert targets_of(s, "CW-7A") == ["infantry"]
    reason = why(s, "fire CW-7A armour")
    assert reason is not None
    assert reason.rule == "11.1d"
    s = fight({"IT-ARI": 4, "IT-A21": 3}, {"CW-7A": 4, "CW-22A": 4}, disrupted=("IT-ARI",))
    assert targets_of(s, "CW-7A") == ["artillery"]


@pytest.mark.rule("rommel", "9.3f", "9.5g")
def test_fire_is_freed_when_the_compulsory_class_is_wiped_out() -> None:
    s = fight({"IT-ARI": 1, "IT-TRE": 3, "GE-F118": 4, "IT-A21": 3}, {"CW-7A": 4, "CW-22A": 4})
    assert targets_of(s, "CW-22A") == ["armour"]
    do(s, "fire CW-7A armour", "hits 1")
    # removed at once, not at the end of the fire
    assert at(s, "IT-ARI") == "dead"
    # A33: artillery stays protected
    assert targets_of(s, "CW-22A") == ["infantry", "antitank"]


@pytest.mark.rule("rommel", "9.3f", "9.3d")
def test_A33_artillery_may_be_chosen_once_it_is_all_that_is_left() -> None:
    s = fight({"IT-ARI": 1, "IT-A21": 3}, {"CW-7A": 4, "CW-22A": 4})
    do(s, "fire CW-7A armour", "hits 2")
    assert s.stack[-1][3:5] == (U("CW-22A"), ARTILLERY)


@pytest.mark.rule("rommel", "9.3a", "9.3b", "9.3c", "9.3d")
def test_the_whole_targeting_table() -> None:
    """Against the book's table, for every firing class and every set of classes present."""
    for present in range(16):
        there = [c for c in range(4) if present >> c & 1]
        for firing in range(4):
            allowed = TARGETS[present][firing]
            if firing in (ARMOUR, INFANTRY) and firing in there:
                assert allowed == (firing,)
            elif firing == ARTILLERY or there == [ARTILLERY]:
                assert list(allowed) == there
            else:
                assert list(allowed) == [c for c in there if c != ARTILLERY]
