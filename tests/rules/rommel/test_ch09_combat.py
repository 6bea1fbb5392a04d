"""9 Combat: rounds, fire, targeting, losses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from sandtable.games.rommel.combat.combat import TARGETS, forecast
from sandtable.games.rommel.combat.losses import may_lose
from sandtable.games.rommel.table.ids import (
    ARMOUR,
    ARTILLERY,
    AXIS,
    COMMONWEALTH,
    F_BATTLES,
    F_FIRE,
    F_FIRE_ROLL,
    F_OPTION,
    F_ROUND,
    INFANTRY,
)
from sandtable.games.rommel.table.state import State

from .kit import GAME, H, U, at, battle, board, do, empty, kinds, place, start, texts, why

DESERT = "0506"  # Msus: no fortress, no base


def fight(
    axis: dict[str, int | None],
    cw: dict[str, int | None],
    hex_: str = DESERT,
    active: str = "axis",
    defender: str = "commonwealth",
    option: str = "basic",
    assault: bool = False,
    mined: bool = False,
    disrupted: tuple[str, ...] = (),
) -> State:
    """A battle about to be fought: units with their CV (None: full), the first shot to be announced."""
    s = empty(active, option)
    for name, cv in {**axis, **cw}.items():
        place(s, name, hex_, cv, disrupted=name in disrupted)
    battle(s, hex_, defender)
    if assault:
        s.assaults |= 1 << H(hex_)
    if mined:
        s.mines_open |= 1 << H(hex_)
    start(s, (F_OPTION,), (F_ROUND, H(hex_), 0, 0))
    return s


def cv(s: State, unit: str) -> int:
    return s.cv[U(unit)]


def dice(s: State) -> int:
    """The dice of the shot that is to be rolled now."""
    assert s.stack[-1][0] == F_FIRE_ROLL
    return s.stack[-1][5]


def hits(s: State, number: int) -> list[str]:
    """Let the next throw score so many hits."""
    return kinds(do(s, f"hits {number}"))


def over(s: State) -> bool:
    return s.stack[-1] == (F_OPTION,)


def side_firing(s: State) -> int:
    frame = next(f for f in reversed(s.stack) if f[0] in (F_FIRE, F_FIRE_ROLL))
    return frame[2]


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


# 9.3 Targeting


def targets_of(s: State, unit: str) -> list[str]:
    return [t.split()[2] for t in texts(s) if t.split()[1] == unit]


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
