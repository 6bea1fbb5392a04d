"""9 Combat: losses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from sandtable.games.rommel.combat.combat import forecast
from sandtable.games.rommel.combat.losses import may_lose
from sandtable.games.rommel.table.ids import (
    ARMOUR,
    AXIS,
    COMMONWEALTH,
    F_ROUND,
    INFANTRY,
)

from ..kit import GAME, H, U, at, battle, board, do, empty, kinds, place, start, texts, why
from .ch09combatkit import DESERT, cv, dice, fight, hits, over, side_firing, targets_of

# 9.4 Firepower


@pytest.mark.rule("rommel", "9.4a", "9.4b", "9.4c", "9.4d")
@pytest.mark.parametrize(
    ("firer", "target", "code"),
    [
        ("CW-7A", "IT-ARI", "SF"),
        ("CW-7A", "IT-TRE", "DF"),
        ("CW-7A", "GE-F118", "SF"),
        ("CW-7A", "IT-A21", "TF"),
        ("CW-22G", "IT-ARI", "SF"),
        ("CW-22G", "IT-TRE", "SF"),
        ("CW-22G", "GE-F118", "SF"),
        ("CW-22G", "IT-A21", "DF"),
        ("CW-65AT", "IT-ARI", "DF"),
        ("CW-65AT", "IT-TRE", "SF"),
        ("CW-65AT", "GE-F118", "SF"),
        ("CW-65AT", "IT-A21", "SF"),
        ("CW-1RHA", "IT-ARI", "SF"),
        ("CW-1RHA", "IT-TRE", "DF"),
        ("CW-1RHA", "GE-F118", "DF"),
        ("CW-1RHA", "IT-A21", "SF"),
    ],
)
def test_the_fire_table_by_enumeration(firer: str, target: str, code: str) -> None:
    """Every throw of the dice one by one gives the chances that the game states."""
    faces = {"SF": (6,), "DF": (5, 6), "TF": (4, 5, 6)}[code]
    s = fight({target: None}, {firer: 3})
    assert dice(s) == 3
    count = Counter(sum(face in faces for face in throw) for throw in product(range(1, 7), repeat=3))
    expected = {("hits", n): Fraction(k, 6**3) for n, k in count.items()}
    stated = {("hits", a[1]): p for a, p in GAME.chances(s)}
    assert stated == expected
    assert sum(stated.values()) == 1
    # and each face as it falls
    for face in range(1, 7):
        assert GAME.roll(s, lambda n, f=face: f).action == GAME.parse(f"hits {3 if face in faces else 0}")


@pytest.mark.rule("rommel", "9.4b", "9.4c", "9.4d")
def test_odds_before_a_shot_name_dice_faces_and_rules() -> None:
    s = fight({"IT-TRE": 3, "IT-ARI": 4, "GE-F118": 2}, {"CW-65AT": 2}, "Tobruk")
    odds = GAME.odds(s, GAME.parse("fire CW-65AT armour"))
    assert odds is not None
    assert [(t.value, t.rule) for t in odds.terms[:3]] == [("2", "9.2c"), ("×2", "13.2a"), ("5-6", "9.4c")]
    count = Counter(sum(face >= 5 for face in throw) for throw in product(range(1, 7), repeat=4))
    assert dict(odds.results) == {f"{n} hit{'' if n == 1 else 's'}": Fraction(k, 6**4) for n, k in count.items()}
    do(s, "fire CW-65AT armour")
    assert [p for _, p in GAME.chances(s)] == [p for _, p in odds.results]


# 9.5 Losses


@pytest.mark.rule("rommel", "9.5b")
def test_the_owner_spreads_hits_over_his_units_as_he_likes() -> None:
    for choice, left in (
        (("IT-TRE", "IT-TRE"), (1, 3)),
        (("IT-TRE", "IT-BRE"), (2, 2)),
        (("IT-BRE", "IT-BRE"), (3, 1)),
    ):
        s = fight({"IT-TRE": 3, "IT-BRE": 3}, {"CW-22G": 4})
        hits(s, 2)
        assert GAME.to_act(s) == AXIS
        assert texts(s) == ["lose IT-TRE", "lose IT-BRE"]
        do(s, *(f"lose {u}" for u in choice))
        assert (cv(s, "IT-TRE"), cv(s, "IT-BRE")) == left
        assert GAME.to_act(s) == AXIS
        assert texts(s)[0].startswith("fire")


@pytest.mark.rule("rommel", "9.5b")
def test_hits_can_be_given_to_units_of_the_class_in_the_battle_only() -> None:
    s = fight({"IT-TRE": 3, "IT-BRE": 3, "IT-ARI": 4, "IT-PAV": 3}, {"CW-22G": 4}, disrupted=("IT-PAV",))
    place(s, "IT-SAV", "0605")
    hits(s, 1)
    for unit, rule in (("IT-ARI", "9.2d"), ("IT-SAV", "9.5b"), ("IT-PAV", "11.1d"), ("CW-22G", "9.5b")):
        reason = why(s, f"lose {unit}")
        assert reason is not None
        assert reason.rule == rule


@pytest.mark.rule("rommel", "9.5c", "2.4c")
def test_an_elite_unit_loses_a_step_of_2_cv_for_2_hits_and_nothing_for_1() -> None:
    for number, left in ((1, 6), (2, 4), (3, 4), (4, 2)):
        s = fight({"GE-PZ5": 6}, {"CW-7A": 4})
        hits(s, number)
        assert cv(s, "GE-PZ5") == left
        assert s.hits == [0, 0, 0, 0]


@pytest.mark.rule("rommel", "9.5c", "2.4c")
def test_hits_of_different_shots_of_one_fire_count_together_against_an_elite_unit() -> None:
    s = fight({"GE-PZ5": 6}, {"CW-7A": 4, "CW-22A": 4})
    do(s, "fire CW-7A armour", "hits 1")
    assert cv(s, "GE-PZ5") == 6
    hits(s, 1)
    assert cv(s, "GE-PZ5") == 4


@pytest.mark.rule("rommel", "9.5d")
def test_no_hit_may_be_wasted_that_some_allocation_would_use() -> None:
    # 3 hits on an elite unit with 2 steps and an ordinary one with 1 CV: all three must be used
    s = fight({"GE-PZ5": 4, "IT-ARI": 1}, {"CW-7A": 4})
    hits(s, 3)
    assert texts(s) == ["lose GE-PZ5", "lose IT-ARI"]
    do(s, "lose GE-PZ5")
    assert (cv(s, "GE-PZ5"), at(s, "IT-ARI")) == (2, "dead")
    # 2 hits: the ordinary unit may not take one, for the other would be wasted
    s = fight({"GE-PZ5": 4, "IT-ARI": 1}, {"CW-7A": 4})
    hits(s, 2)
    assert (cv(s, "GE-PZ5"), cv(s, "IT-ARI")) == (2, 1)
    # 1 hit: only the ordinary unit can take it
    s = fight({"GE-PZ5": 4, "IT-ARI": 1}, {"CW-7A": 4})
    hits(s, 1)
    assert (cv(s, "GE-PZ5"), at(s, "IT-ARI")) == (4, "dead")


@pytest.mark.rule("rommel", "9.5d")
def test_why_a_unit_may_not_take_a_hit() -> None:
    s = fight({"GE-PZ5": 4, "GE-PZ8": 4, "IT-ARI": 1}, {"CW-7A": 4})
    hits(s, 2)
    assert texts(s) == ["lose GE-PZ5", "lose GE-PZ8"]
    reason = why(s, "lose IT-ARI")
    assert reason is not None
    assert reason.rule == "9.5d"
    s = fight({"GE-PZ5": 4, "IT-LIT": 2, "IT-ARI": 2}, {"CW-7A": 4})
    hits(s, 1)
    assert texts(s) == ["lose IT-ARI", "lose IT-LIT"]
    reason = why(s, "lose GE-PZ5")
    assert reason is not None
    assert reason.rule == "9.5c"


@pytest.mark.rule("rommel", "9.5d")
def test_every_choice_offered_uses_as_many_hits_as_the_best_allocation() -> None:
    """Against brute force, for many strengths of two elite and two ordinary units."""

    def most(steps: tuple[tuple[int, int], ...], number: int) -> int:
        """The most hits any allocation can use: (size of a step, steps left) of each unit."""
        best = 0
        for take in product(*(range(n + 1) for _, n in steps)):
            used = sum(size * k for (size, _), k in zip(steps, take, strict=True))
            if used <= number:
                best = max(best, used)
        return best

    names = ("GE-PZ5", "GE-PZ8", "IT-ARI", "IT-LIT")
    for strengths in product((0, 2, 4), (0, 2), (0, 1, 2), (0, 1)):
        s = empty()
        for name, n in zip(names, strengths, strict=True):
            if n:
                place(s, name, DESERT, n)
        line = sum(1 << U(name) for name, n in zip(names, strengths, strict=True) if n)
        for number in range(sum(strengths)):
            steps = tuple(
                (board.step_cv[U(m)], n // board.step_cv[U(m)]) for m, n in zip(names, strengths, strict=True)
            )
            best = most(steps, number)
            right = 0
            for i, (name, (size, left)) in enumerate(zip(names, steps, strict=True)):
                if left and size <= number:
                    rest = tuple((z, n - (i == j)) for j, (z, n) in enumerate(steps))
                    if size + most(rest, number - size) == best:
                        right |= 1 << U(name)
            assert may_lose(s, line, 2 * number) == right, (strengths, number)
            assert may_lose(s, line, 2 * number + 1) == right, "a half hit more changes nothing"


@pytest.mark.rule("rommel", "9.5e")
def test_leftover_hits_are_lost_and_not_carried_to_the_next_round() -> None:
    s = fight({"GE-PZ5": 6}, {"CW-7A": 4})
    events = do(s, "hits 1")
    assert "hits_wasted" in kinds(events)
    hits(s, 0)
    start(s, (F_ROUND, H(DESERT), 0, 0))
    hits(s, 1)
    assert cv(s, "GE-PZ5") == 6


@pytest.mark.rule("rommel", "9.5e")
def test_a_leftover_hit_does_not_count_against_the_other_side() -> None:
    s = fight({"GE-PZ5": 6}, {"CW-4A": 4})  # two elite units of the same class
    hits(s, 1)
    assert side_firing(s) == AXIS
    hits(s, 1)
    assert (cv(s, "GE-PZ5"), cv(s, "CW-4A")) == (6, 4)
    assert not any(s.hits)


@pytest.mark.rule("rommel", "9.5f")
def test_hits_become_final_when_all_enemy_fire_is_over() -> None:
    s = fight({"IT-ARI": 4, "IT-LIT": 4}, {"CW-7A": 4, "CW-22A": 4})
    do(s, "fire CW-7A armour", "hits 2")
    assert (cv(s, "IT-ARI"), cv(s, "IT-LIT")) == (4, 4)
    assert s.hits[ARMOUR] == 4
    hits(s, 1)
    # all three are shared out now, those of the first shot as well
    assert GAME.to_act(s) == AXIS
    do(s, "lose IT-ARI", "lose IT-ARI", "lose IT-ARI")
    assert (cv(s, "IT-ARI"), cv(s, "IT-LIT")) == (1, 4)


@pytest.mark.rule("rommel", "9.5g")
def test_a_class_is_removed_as_soon_as_the_hits_suffice_for_all_of_it() -> None:
    s = fight({"IT-ARI": 2, "GE-PZ5": 2, "IT-TRE": 3}, {"CW-7A": 4, "CW-22A": 4, "CW-1A": 4})
    do(s, "fire CW-7A armour", "hits 3")
    assert at(s, "IT-ARI") != "dead"
    assert targets_of(s, "CW-1A") == ["armour"]
    events = do(s, "fire CW-22A armour", "hits 2")
    assert kinds(events).count("eliminated") == 2
    # one hit too many: lost, and not carried over to the other class
    assert s.hits == [0, 0, 0, 0]
    assert s.stack[-1][3:5] == (U("CW-1A"), INFANTRY)
    hits(s, 1)
    assert cv(s, "IT-TRE") == 2


# 9.52 Double defence


@pytest.mark.rule("rommel", "9.52a", "14.2d")
def test_two_hits_cost_a_defender_in_a_minefield_one_cv() -> None:
    for number, left in ((1, 4), (2, 3), (3, 3), (4, 2)):
        s = fight({"IT-ARI": 4}, {"CW-7A": 4}, mined=True)
        hits(s, 0)
        hits(s, number)
        assert cv(s, "CW-7A") == left


@pytest.mark.rule("rommel", "9.52b", "14.2e")
def test_artillery_scores_full_hits_in_a_minefield() -> None:
    s = fight({"IT-A21": 3}, {"CW-22G": 4}, mined=True)
    hits(s, 0)
    hits(s, 3)
    assert cv(s, "CW-22G") == 1


@pytest.mark.rule("rommel", "9.52c", "9.52b")
def test_A51_artillery_hits_and_half_hits_add_up_in_halves() -> None:
    # elite: four halves a step. Artillery 1 hit (2 halves) + tanks 2 hits (2 halves) = one step
    for guns, tanks, left in ((1, 2, 2), (1, 1, 4), (2, 0, 2), (0, 4, 2), (0, 3, 4)):
        s = fight({"IT-A21": 3, "IT-ARI": 4}, {"CW-4A": 4}, mined=True)
        hits(s, 0)
        hits(s, guns)
        hits(s, tanks)
        assert cv(s, "CW-4A") == left, (guns, tanks)


@pytest.mark.rule("rommel", "9.52c")
def test_half_hits_are_shared_out_by_the_owner_within_the_class() -> None:
    s = fight({"IT-ARI": 4, "IT-LIT": 4}, {"CW-4A": 4, "CW-7A": 4}, mined=True)
    do(s, "fire CW-4A armour", "hits 0", "hits 0", "fire IT-ARI armour", "hits 2", "hits 3")
    # five halves: two CV of the ordinary unit, or a step of the elite one
    assert GAME.to_act(s) == COMMONWEALTH
    assert texts(s) == ["lose CW-4A", "lose CW-7A"]
    do(s, "lose CW-4A")
    assert (cv(s, "CW-4A"), cv(s, "CW-7A")) == (2, 4)
    assert over(s)


@pytest.mark.rule("rommel", "9.52d")
def test_leftover_half_hits_are_wasted() -> None:
    s = fight({"IT-ARI": 4}, {"CW-7A": 4}, mined=True)
    hits(s, 0)
    hits(s, 1)
    assert s.hits == [0, 0, 0, 0]
    start(s, (F_ROUND, H(DESERT), 0, 0))
    hits(s, 0)
    hits(s, 1)
    assert cv(s, "CW-7A") == 4


@pytest.mark.rule("rommel", "9.52a", "9.5g")
def test_a_class_in_a_minefield_needs_twice_the_hits_to_be_wiped_out() -> None:
    s = fight({"IT-ARI": 4, "IT-LIT": 4}, {"CW-7A": 2}, mined=True)
    hits(s, 0)
    do(s, "fire IT-ARI armour", "hits 3")
    assert at(s, "CW-7A") != "dead"
    hits(s, 1)
    assert at(s, "CW-7A") == "dead"


# Forecasts


def test_a_forecast_counts_the_average_of_the_dice() -> None:
    s = fight({"IT-ARI": 4}, {"CW-7A": 3})
    look = forecast(s, H(DESERT), AXIS)
    assert look.force == (4, 3)
    assert look.loss[AXIS] == pytest.approx(3 / 6)
    assert look.loss[COMMONWEALTH] == pytest.approx((4 - 3 / 6) / 6)


def test_a_forecast_knows_nothing_of_unrevealed_enemies() -> None:
    s = empty()
    place(s, ["IT-ARI", "CW-7A"], DESERT)
    battle(s, DESERT, "commonwealth", revealed=False)
    other = empty()
    place(other, ["IT-ARI", "CW-20A"], DESERT, 2)
    other.cv[U("IT-ARI")] = 4
    battle(other, DESERT, "commonwealth", revealed=False)
    assert forecast(s, H(DESERT), AXIS) == forecast(other, H(DESERT), AXIS)
    assert forecast(s, H(DESERT), COMMONWEALTH) != forecast(other, H(DESERT), COMMONWEALTH)
