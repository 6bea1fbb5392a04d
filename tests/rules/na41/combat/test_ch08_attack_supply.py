"""8 Combat: attack supply."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.combat import combat as rules
from sandtable.games.na41.combat.results import AUTO
from sandtable.games.na41.combat.strengths import Help, outcome
from sandtable.games.na41.supply.support import OVERWHELMING, PAID
from sandtable.games.na41.table.ids import AXIS, BREAKTHROUGH, COMBAT

from ..fights import (
    EAST,
    FIELD,
    WEST,
    attack,
    begin,
    combat,
    field,
    of,
    panel,
    shifts,
)
from ..kit import GAME, H, do, of_kind, place, roll, supplies, texts, units, why
from .ch08combatkit import armour


@pytest.mark.rule("na41", "8.5.1a", "8.5.1e", "8.5.1f")
def test_ten_points_and_tank_shifts_need_attack_supply() -> None:
    s = armour()
    paid, without = of(s, "GE_I5_5L", "GE_155"), of(s, "GE_I5_5L", "GE_155", supplied=False)
    assert (paid.attack, without.attack) == (11, 9)
    assert (shifts(paid), shifts(without)) == ({"9.2.3b": 2}, {})
    s = field(["GE_I5_5L", "GE_155"], "BR_5R")
    assert shifts(of(s, "GE_155", supplied=False)) == {"9.2.3e": -1}
    assert shifts(of(s, "GE_I5_5L", "GE_155", supplied=False)) == {}  # they still cancel the defender's
    # an attack with neither is not asked
    s = field(["GE_155", "GE_DAK"], "NZ_6")
    attack(s, "GE_155")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "8.5.1e")
def test_the_limit_of_nine_comes_after_halving_and_doubling() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_155"], "NZ_6")
    s.oos = units("GE_I5_5L", "GE_II5_5L")
    found = of(s, "GE_I5_5L", "GE_II5_5L", "GE_155", supplied=False)
    assert (found.brought, found.attack) == (4 + 4 + 4, 9)


@pytest.mark.rule("na41", "8.5.1b", "17.2.2")
def test_an_sp_is_removed_or_a_ready_asu_flipped() -> None:
    s = armour()
    place(s, "GE_DAK", "1943")
    supplies(s, "axis", "1942", 2)
    attack(s, "GE_I5_5L", "GE_155")
    assert texts(s) == ["supply-sp 1942", "supply-asu GE_DAK", "no-supply"]
    t = s.copy()
    do(t, "supply-sp 1942")
    assert t.sp[AXIS] == {H("1942"): 1}
    assert t.fight.supplied == PAID
    do(s, "supply-asu GE_DAK")
    assert s.depleted == units("GE_DAK")
    assert s.sp[AXIS] == {H("1942"): 2}
    for broken in ("depleted", "disrupted", "routed"):
        s = armour()
        place(s, "GE_DAK", "1943")
        setattr(s, broken, units("GE_DAK"))
        attack(s, "GE_I5_5L", "GE_155")
        assert GAME.to_act(s) == CHANCE, broken


@pytest.mark.rule("na41", "8.5.1b")
def test_the_reasons_why_a_source_gives_nothing() -> None:
    s = armour()
    place(s, "GE_DAK", "1943")
    place(s, "GE_ARKO", "1943", depleted=True)
    place(s, "IT_X", "1943")
    place(s, "AX_TR1", "1943")
    place(s, "IT_5A", "1943", disrupted=True)
    place(s, "IT_XX", "1960")
    supplies(s, "axis", "1930")
    attack(s, "GE_I5_5L", "GE_155")
    reasons = {
        "supply-asu GE_ARKO": "8.5.1b",
        "supply-asu IT_X": "8.5.2a",
        "supply-asu AX_TR1": "17.2.4a",
        "supply-asu IT_5A": "17.1.3a",
        "supply-asu GE_155": "8.5.1b",
        "supply-asu AL_7M": "8.5.1b",
        "supply-sp 1930": "17.2.1e",
        "supply-sp 1931": "8.5.1b",
    }
    for text, rule in reasons.items():
        reason = why(s, text)
        assert reason is not None
        assert reason.rule == rule, text


@pytest.mark.rule("na41", "8.5.1c")
def test_one_sp_supplies_every_attack_in_its_range() -> None:
    s = armour()
    place(s, "GE_I8", "2046")
    place(s, "BR_22G", "2047")
    place(s, "GE_II8", "1955")
    place(s, "BR_16", "1956")
    supplies(s, "axis", "2044")
    place(s, "GE_FL18", "2044")
    attack(s, "GE_I5_5L", "GE_155")
    do(s, "supply-sp 2044")
    roll(s, 1)  # 11:6 with two shifts is 3:1: A1
    do(s, "lose GE_155")
    assert not s.sp[AXIS]
    attack(s, "GE_I8", hex_="2047")  # two hexes from where the SP was
    assert s.fight.supplied == PAID
    roll(s, 1)
    attack(s, "GE_II8", hex_="1956")  # far away
    assert s.fight.supplied == 0


@pytest.mark.rule("na41", "8.5.1d", "17.3")
def test_ex_17_3_one_attacker_in_range_is_enough() -> None:
    s = combat()
    place(s, "GE_I5_5L", WEST)
    place(s, ["GE_155", "GE_361"], EAST)
    place(s, "NZ_6", FIELD)
    supplies(s, "axis", "1941")  # three hexes from the tanks, far from the others
    attack(s, "GE_I5_5L", "GE_155", "GE_361")
    assert texts(s) == ["supply-sp 1941", "no-supply"]
    s = combat()
    place(s, ["GE_155", "GE_361", "GE_288"], EAST)
    place(s, "NZ_6", FIELD)
    supplies(s, "axis", "1941")
    attack(s, "GE_155", "GE_361", "GE_288")
    assert GAME.to_act(s) == CHANCE


@pytest.mark.rule("na41", "8.5.1g")
def test_supply_is_settled_attack_by_attack() -> None:
    s = armour()
    place(s, "GE_II8", "1955")
    place(s, "BR_16", "1956")
    supplies(s, "axis", "1943")
    supplies(s, "axis", "1954")
    attack(s, "GE_I5_5L", "GE_155")
    assert texts(s) == ["supply-sp 1943", "no-supply"]
    do(s, "no-supply")
    assert s.sp[AXIS] == {H("1943"): 1, H("1954"): 1}
    roll(s, 1)
    do(s, "lose GE_155")
    attack(s, "GE_II8", hex_="1956")
    assert texts(s) == ["supply-sp 1954", "no-supply"]


@pytest.mark.rule("na41", "8.5.1h")
def test_the_defender_spends_nothing_to_defend() -> None:
    s = field("GE_155", ["NZ_6", "NZ_4", "BR_5R"])  # 16 defence strength
    supplies(s, "allied", FIELD)
    place(s, "GE_361", WEST)
    attack(s, "GE_155", "GE_361")
    assert GAME.to_act(s) == CHANCE
    assert s.fight.odds_def == 15


@pytest.mark.rule("na41", "8.5.2a", "17.1.3c")
def test_an_axis_asu_supplies_its_own_nation() -> None:
    for asu, offered in (("IT_X", False), ("GE_DAK", True)):
        s = armour()
        place(s, asu, "1943")
        attack(s, "GE_I5_5L", "GE_155")
        assert (f"supply-asu {asu}" in texts(s)) is offered


@pytest.mark.rule("na41", "8.5.2b")
def test_allied_supply_is_for_all_allies() -> None:
    s = field(["NZ_6", "NZ_4"], "GE_361", "allied")
    place(s, "AL_XIII", "1943")  # British
    attack(s, "NZ_6", "NZ_4")
    do(s, "no-artillery")
    assert texts(s) == ["supply-asu AL_XIII", "no-supply"]


@pytest.mark.rule("na41", "8.5.3a")
def test_ten_to_one_needs_no_attack_supply() -> None:
    s = field(["GE_I5_5L", "GE_II5_5L", "GE_155"], "BR_1DLI")  # 18:2 and two tank shifts
    supplies(s, "axis", "1943")
    events = attack(s, "GE_I5_5L", "GE_II5_5L", "GE_155")
    assert s.sp[AXIS] == {H("1943"): 1}
    told = of_kind(events, "combat")[0].data
    assert (told["attack"], told["column"], told["supplied"]) == (18, "11:1", False)


@pytest.mark.rule("na41", "8.5.3a", "8.3b")
def test_attack_supply_is_asked_after_the_shifts_that_may_make_it_needless() -> None:
    """In games of version 1 it was asked first, and could be wasted."""
    for edition in (1, 2):
        s = field(["GE_I5_5L", "GE_II5_5L"], "BR_1DLI")  # 14:2 and two tank shifts: 9:1
        s.edition = edition
        place(s, ["GE_ARKO", "GE_DAK"], "1943")
        attack(s, "GE_I5_5L", "GE_II5_5L")
        if edition == 1:
            assert texts(s) == ["supply-asu GE_DAK", "supply-asu GE_ARKO", "no-supply"]
            assert [shift.rule for shift in panel(s, "no-supply").ladder.shifts] == ["9.4.1d"], "that was still to come"
            continue
        prompt = GAME.prompt(s)
        assert str(prompt.text) == f"9:1 against {FIELD} so far with attack supply, 4:1 without: that is asked last"
        found = panel(s, "artillery GE_ARKO")
        assert found.results == (("DS (red)", Fraction(1)),)
        events = do(s, "artillery GE_ARKO")
        assert of_kind(events, "combat")[0].data["column"] == "10:1"
        assert s.depleted == units("GE_ARKO")


@pytest.mark.rule("na41", "8.5.3a")
def test_support_may_bring_an_unsupplied_attack_to_ten_to_one() -> None:
    """A9: as if supplied; if that gives 10:1 nobody asks, otherwise nine points and no tank shift."""
    s = field(["GE_I5_5L", "GE_II5_5L"], "BR_1DLI")  # 14:2 and two tank shifts
    fighters = units("GE_I5_5L", "GE_II5_5L")
    assert outcome(s, COMBAT, H(FIELD), fighters, False).column == 4
    assert outcome(s, COMBAT, H(FIELD), fighters, False, Help(1)).column == AUTO
    assert outcome(s, COMBAT, H(FIELD), fighters, False, Help(1, 0, 1)).column == 4


@pytest.mark.rule("na41", "8.5.3b")
def test_a_breakthrough_after_ten_to_one_traces_to_where_it_began() -> None:
    for source, offered in (("1941", True), ("1952", False)):
        s = combat()
        place(s, ["GE_I5_5L", "GE_II5_5L"], "1949")
        place(s, "NZ_6", "1950")
        supplies(s, "axis", source)
        begin(s)
        s.fight.supplied = OVERWHELMING
        s.fought_from = 1 << H(WEST)
        rules.begin_fight(s, BREAKTHROUGH, H("1950"), units("GE_I5_5L", "GE_II5_5L"))
        s.choices = None
        GAME.settle(s)
        assert (f"supply-sp {source}" in texts(s)) is offered
    s = combat()
    place(s, "GE_I5_5L", "1949")  # seven points, but a tank shift
    place(s, "NZ_6", "1950")
    supplies(s, "axis", "1948")
    begin(s)
    s.fight.supplied = OVERWHELMING
    s.fought_from = 1 << H("1949")
    rules.begin_fight(s, BREAKTHROUGH, H("1950"), units("GE_I5_5L"))
    s.choices = None
    GAME.settle(s)
    assert texts(s) == ["supply-sp 1948", "no-supply"]
    for before, has in ((PAID, True), (0, False)):  # 15.2.8b it is what the first fight had
        s = combat()
        place(s, ["GE_I5_5L", "GE_II5_5L"], "1949")
        place(s, "NZ_6", "1950")
        supplies(s, "axis", "1948")
        begin(s)
        s.fight.supplied = before
        rules.begin_fight(s, BREAKTHROUGH, H("1950"), units("GE_I5_5L", "GE_II5_5L"))
        s.choices = None
        GAME.settle(s)
        assert GAME.to_act(s) == CHANCE
        assert (s.fight.supplied == PAID) is has
