"""Where the chapters on combat meet: second attacks, second retreats, surrender, breakthroughs, the odds panel."""

from __future__ import annotations

import pytest

from sandtable.games.na41 import combat as rules
from sandtable.games.na41 import strengths
from sandtable.games.na41.ids import ALLIED, COMBAT
from sandtable.games.na41.losses import taking_part

from .kit import H, U, at, do, place, units
from .retreatkit import ORIGIN, WEST, fight, go, order, over, retreat

TANK, RIFLES = "BR_3H", "BR_THR"
REFUGE = "2729"
"""Two hexes east of ORIGIN."""
rule = pytest.mark.rule


# 8.1c, 12.3 Who has retreated, and who has been attacked


@rule("na41", "12.3a")
@pytest.mark.parametrize("friends", [True, False])
def test_who_retreats_into_an_empty_hex_defends_there(friends: bool) -> None:
    """The unit was driven back by a breakthrough combat: fresh attackers may attack it again (8.1h)."""
    s = fight(TANK)
    if friends:
        place(s, RIFLES, REFUGE)
    retreat(s)
    go(s, "2728", REFUGE)
    assert over(s)
    assert at(s, TANK) == REFUGE
    counts = bool(strengths.fighting(s, H(REFUGE), COMBAT) >> U(TANK) & 1)
    assert counts is not friends
    s.target, s.defenders, s.fight = H(REFUGE), units(TANK, RIFLES), COMBAT
    assert bool(taking_part(s, ALLIED, 0) & units(TANK)) is not friends
    s.events = retreat(s)
    if friends:  # 12.3b
        assert at(s, TANK) == "eliminated"
    else:  # 13.1.3b
        go(s, "2730", "2731")
        assert (at(s, TANK), order(s, TANK)) == ("2731", "full retreat")


@rule("na41", "12.3a")
def test_a_stack_that_retreats_together_is_no_refuge_for_itself() -> None:
    s = fight([TANK, RIFLES])
    retreat(s)
    go(s, "2728", REFUGE, "2728", REFUGE)
    assert over(s)
    assert strengths.fighting(s, H(REFUGE), COMBAT) == units(TANK, RIFLES)
    s = fight(TANK, tag_along=True)
    place(s, [RIFLES, "BR_7H"], "2728")
    retreat(s)
    go(s, "2728")
    do(s, f"join {RIFLES}", "join BR_7H")
    go(s, REFUGE)
    while not over(s):
        do(s, "halt")
    assert strengths.fighting(s, H(REFUGE), COMBAT) == units(TANK, RIFLES, "BR_7H")


@rule("na41", "8.1c", "12.3a")
def test_a_stack_that_was_attacked_is_not_attacked_again_because_somebody_joined_it() -> None:
    s = fight(RIFLES, attackers={"GE_I5_5L": WEST, "GE_II5_5L": WEST})
    assert H(ORIGIN) in rules.targets(s, COMBAT)
    s.defended = units(RIFLES)
    assert H(ORIGIN) not in rules.targets(s, COMBAT)
    place(s, TANK, ORIGIN, disrupted=True)  # it came along with somebody's retreat and was never attacked
    s.retreated = s.sheltered = units(TANK)
    assert H(ORIGIN) not in rules.targets(s, COMBAT)
    assert rules.why_no_attack(s, COMBAT, H(ORIGIN)).rule == "8.1c"
    s.defended = units(TANK)  # the other way round: fresh troops took up those who had been attacked
    assert H(ORIGIN) in rules.targets(s, COMBAT)
    s.sheltered = 0
    assert H(ORIGIN) not in rules.targets(s, COMBAT)
