"""A7 to A9: Infantry fire on the IFT."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from sandtable.engine.log import Header, Log
from sandtable.engine.migrations import migrate
from sandtable.games.asl.fire.group import odds_of
from sandtable.games.asl.fire.ift import RESULTS, ift
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import F_RALLY, FIRST
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.rally import RallyAt, finds

from ..infantrykit import (
    ADVANCING,
    ALLIED,
    AXIS,
    FINAL,
    FOE,
    FOE2,
    FOE_LEADER,
    HMG,
    LEADER,
    LMG,
    OTHER_LEADER,
    PREP,
    SQUAD,
    SQUAD2,
    SQUAD3,
    U,
    attack,
    bits,
    column,
    do,
    drms,
    empty,
    firing,
    give,
    kinds,
    legal,
    place,
    roll,
    rule,
    settle,
)


def duel(span: str = "R5", fire: int = PREP) -> State:
    """A squad at N5 fires at an Italian squad."""
    s = empty()
    place(s, SQUAD, "N5")
    place(s, FOE, span)
    return attack(s, ALLIED, span, fire)


@pytest.mark.rule("asl", "A7.1")
def test_the_highest_column_not_above_the_fp() -> None:
    table = ift()
    assert [table.columns[table.column(fp)] for fp in (1, 3, 4, 5.5, 11, 12, 99)] == [1, 2, 4, 4, 8, 12, 36]
    assert table.column(0.5) == -1
    assert RESULTS[table.result(table.column(4), 2)] == "K/2"
    assert RESULTS[table.result(table.column(4), -3)] == "2KIA"
    assert RESULTS[table.result(table.column(36), 20)] == "PTC"


@pytest.mark.rule("asl", "A7.22", "A7.21")
@pytest.mark.parametrize(("where", "expected"), [("O5", 8), ("S7", 4), ("T5", 2), ("R5", 4)])
def test_fp_by_range(where: str, expected: int) -> None:
    """A 4-5-7 has 8 FP at an adjacent hex, 4 up to five hexes, 2 up to ten."""
    s = duel(where)
    assert column(do(s, f"join {SQUAD}", "commit")) == expected


@pytest.mark.rule("asl", "A7.22")
def test_beyond_twice_its_range_nobody_fires() -> None:
    s = empty()
    place(s, SQUAD, "L5")
    place(s, FOE, "W5")
    attack(s, ALLIED, "W5")
    assert rule(s, f"join {SQUAD}") == "A7.22"


@pytest.mark.rule("asl", "A7.8", "A3.5")
def test_pinned_and_advancing_fire_are_halved_each() -> None:
    s = duel(fire=ADVANCING)
    s.pinned = bits(SQUAD)
    assert column(do(s, f"join {SQUAD}", "commit")) == 1


@pytest.mark.rule("asl", "A7.5")
def test_a_fire_group_is_a_chain_of_adjacent_hexes() -> None:
    s = empty()
    place(s, SQUAD, "N5")
    place(s, SQUAD2, "N6")
    place(s, SQUAD3, "N8")
    place(s, FOE, "R5")
    attack(s, ALLIED, "R5")
    do(s, f"join {SQUAD}")
    assert f"join {SQUAD2}" in legal(s)
    assert rule(s, f"join {SQUAD3}") == "A7.5"
    assert column(do(s, f"join {SQUAD2}", "commit")) == 8


@pytest.mark.rule("asl", "A7.35")
def test_a_squad_serves_one_weapon_besides_its_own_fp_and_two_instead_of_it() -> None:
    s = duel()
    give(s, LMG, SQUAD)
    give(s, "br_lmg#2", SQUAD)
    do(s, f"join {SQUAD}", f"use {LMG}")
    assert rule(s, "use br_lmg#2") == "A7.35"
    s = duel()
    give(s, LMG, SQUAD)
    give(s, "br_lmg#2", SQUAD)
    do(s, f"use {LMG}", "use br_lmg#2")
    assert rule(s, f"join {SQUAD}") == "A7.35"


@pytest.mark.rule("asl", "A7.35", "A1.1")
def test_one_man_fires_a_machine_gun_at_half_fp_and_has_none_of_his_own() -> None:
    s = empty()
    place(s, LEADER, "N5")
    give(s, LMG, LEADER)
    place(s, FOE, "R5")
    attack(s, ALLIED, "R5")
    assert rule(s, f"join {LEADER}") == "A1.1"
    assert column(do(s, f"use {LMG}", "commit")) == 1


@pytest.mark.rule("asl", "A7.531")
def test_a_leader_directs_once_a_phase_in_the_location_that_fires() -> None:
    s = empty()
    place(s, [SQUAD, SQUAD2, LEADER], "N5")
    place(s, OTHER_LEADER, "N6")
    place(s, FOE, "R5")
    firing(s, ALLIED, PREP)
    do(s, "fire R5", f"join {SQUAD}")
    assert rule(s, f"direct {OTHER_LEADER}") == "A7.531"
    assert drms(do(s, f"direct {LEADER}", "commit")) == -1
    roll(s, 6, 5)
    do(s, "fire R5", f"join {SQUAD2}")
    assert rule(s, f"direct {LEADER}") == "A7.531"


@pytest.mark.rule("asl", "A7.531")
def test_a_group_from_two_hexes_needs_a_leader_in_each() -> None:
    s = empty()
    place(s, [SQUAD, LEADER], "N5")
    place(s, SQUAD2, "N6")
    place(s, FOE, "R5")
    attack(s, ALLIED, "R5")
    do(s, f"join {SQUAD}")
    assert f"direct {LEADER}" in legal(s)
    do(s, f"join {SQUAD2}")
    assert f"direct {LEADER}" not in legal(s)
    assert rule(s, f"direct {LEADER}") == "A7.531"
    assert drms(do(s, "commit")) == 0
    s = empty()
    place(s, [SQUAD, LEADER], "N5")
    place(s, [SQUAD2, OTHER_LEADER], "N6")
    place(s, FOE, "R5")
    attack(s, ALLIED, "R5")
    do(s, f"join {SQUAD}", f"join {SQUAD2}", f"direct {LEADER}")
    worst = max(GAME.new("s01_capuzzo_outpost").kind(U(one)).leadership for one in (LEADER, OTHER_LEADER))
    assert drms(do(s, f"direct {OTHER_LEADER}", "commit")) == worst


@pytest.mark.rule("asl", "A7.531", "A9.2")
def test_a_leader_directs_a_weapon_again_that_kept_its_rate_of_fire() -> None:
    s = empty(AXIS)
    place(s, [FOE, FOE2, FOE_LEADER], "N5")
    give(s, HMG, FOE)
    place(s, SQUAD, "R5")
    firing(s, AXIS, PREP)

    def fires(*dice: int) -> None:
        do(s, "commit")
        roll(s, *dice)
        while GAME.is_chance(s):
            GAME.apply(s, GAME.roll(s, lambda _: 1).action)

    do(s, "fire R5", f"use {HMG}", f"direct {FOE_LEADER}")
    fires(1, 6)
    do(s, "fire R5", f"join {FOE2}")
    assert rule(s, f"direct {FOE_LEADER}") == "A7.531"  # the weapon alone
    fires(5, 6)
    do(s, "fire R5", f"use {HMG}")
    assert f"direct {FOE_LEADER}" in legal(s)
    do(s, f"direct {FOE_LEADER}")
    fires(6, 3)  # the rate of fire is lost, and the leader with it
    s.fired = 0
    settle(s)
    do(s, "fire R5", f"use {HMG}")
    assert rule(s, f"direct {FOE_LEADER}") == "A7.531"


@pytest.mark.rule("asl", "A7.531")
def test_a_leader_whose_group_is_led_in_part_has_directed_nobody() -> None:
    for edition, spent in ((2, False), (1, True)):
        s = empty(AXIS)
        s.edition = edition
        place(s, [FOE, FOE_LEADER], "N5")
        place(s, [FOE2, "it_346#3"], "N6")
        place(s, SQUAD, "R5")
        firing(s, AXIS, PREP)
        do(s, "fire R5", f"join {FOE}", f"direct {FOE_LEADER}", f"join {FOE2}", "commit")
        roll(s, 5, 6)
        assert (s.directed == bits(FOE_LEADER)) == spent


@pytest.mark.rule("asl", "A7.11", "A3.2")
def test_who_has_fired_fires_no_more() -> None:
    s = empty()
    place(s, SQUAD, "N5")
    place(s, FOE, "R5")
    firing(s, ALLIED, PREP)
    do(s, "fire R5", f"join {SQUAD}", "commit")
    roll(s, 6, 5)
    assert s.fired == bits(SQUAD)
    assert GAME.to_act(s) != ALLIED or "fire R5" not in legal(s)


@pytest.mark.rule("asl", "A9.2", "A9.7")
def test_a_machine_gun_keeps_its_rate_of_fire_or_breaks_down() -> None:
    s = duel()
    give(s, LMG, SQUAD)
    do(s, f"join {SQUAD}", f"use {LMG}", "commit")
    assert "rate_of_fire" in kinds(roll(s, 1, 6))
    assert s.fired == bits(SQUAD)
    s = duel()
    give(s, LMG, SQUAD)
    do(s, f"join {SQUAD}", f"use {LMG}", "commit")
    assert "jammed" in kinds(roll(s, 6, 6))
    assert s.jammed == bits(LMG)


@pytest.mark.rule("asl", "A9.2", "A9.7")
@pytest.mark.parametrize("stuck", [False, True])
def test_the_panel_tells_how_often_a_machine_gun_fires_again_or_breaks_down(stuck: bool) -> None:
    def ready() -> State:
        s = duel()
        give(s, LMG, SQUAD)
        do(s, f"join {SQUAD}", f"use {LMG}")
        s.pinned = bits(SQUAD) if stuck else 0
        return s

    found: Counter[str] = Counter()
    for first in range(1, 7):
        for second in range(1, 7):
            s = ready()
            do(s, "commit")
            found.update({"rate_of_fire", "jammed"} & set(kinds(roll(s, first, second))))
    panel = GAME.odds(ready(), GAME.parse("commit"))
    assert panel is not None
    told = {str(what).partition(") ")[2]: chance for what, chance in panel.parts[0].results}
    said = {"rate_of_fire": "may fire again", "jammed": "malfunctions"}
    assert told == {said[kind]: Fraction(number, 36) for kind, number in found.items()}


@pytest.mark.rule("asl", "A8.2")
def test_the_panel_tells_the_residual_fp_that_first_fire_leaves() -> None:
    s = duel(fire=FIRST)
    do(s, f"join {SQUAD}")
    panel = GAME.odds(s, GAME.parse("commit"))
    assert panel is not None
    told = [(one.value, one.rule) for one in panel.parts[0].terms]
    do(s, "commit")
    roll(s, 3, 4)
    assert told == [(str(next(iter(s.residual.values()))), "A8.2")]


@pytest.mark.rule("asl", "A7.9")
def test_cowering_costs_a_column_but_not_the_british_of_the_first_line() -> None:
    s = duel()
    do(s, f"join {SQUAD}", "commit")
    assert roll(s, 3, 3)[0].data["cowers"] == 0
    s = empty(AXIS)
    place(s, FOE, "N5")
    place(s, SQUAD, "R5")
    attack(s, AXIS, "R5")
    do(s, f"join {FOE}", "commit")
    assert roll(s, 1, 1)[0].data["cowers"] == 1
    assert s.spent_fire & bits(FOE)


@pytest.mark.rule("asl", "A7.9")
def test_a_directed_attack_does_not_cower() -> None:
    s = empty(AXIS)
    place(s, [FOE, FOE_LEADER], "N5")
    place(s, SQUAD, "R5")
    attack(s, AXIS, "R5")
    do(s, f"join {FOE}", f"direct {FOE_LEADER}", "commit")
    assert roll(s, 1, 1)[0].data["cowers"] == 0


@pytest.mark.rule("asl", "A7.9", "A7.531")
def test_an_attack_that_is_directed_in_one_of_two_hexes_cowers() -> None:
    for edition, columns in ((2, 1), (1, 0)):  # games of the first version go on as they were ruled
        s = empty(AXIS)
        s.edition = edition
        place(s, [FOE, FOE_LEADER], "N5")
        place(s, FOE2, "N6")
        place(s, SQUAD, "R5")
        attack(s, AXIS, "R5")
        assert drms(do(s, f"join {FOE}", f"direct {FOE_LEADER}", f"join {FOE2}", "commit")) == 0
        assert roll(s, 1, 1)[0].data["cowers"] == columns


@pytest.mark.rule("asl", "A7.531")
def test_in_the_first_version_a_leader_of_one_of_two_hexes_could_be_named() -> None:
    s = empty()
    s.edition = 1
    place(s, [SQUAD, LEADER], "N5")
    place(s, SQUAD2, "N6")
    place(s, FOE, "R5")
    attack(s, ALLIED, "R5")
    assert drms(do(s, f"join {SQUAD}", f"join {SQUAD2}", f"direct {LEADER}", "commit")) == 0


def test_games_of_the_first_version_go_on_as_they_were_ruled() -> None:
    log = migrate(Log(Header("asl", 1, "s01_capuzzo_outpost", ("axis", "allied"))), GAME.version)
    assert GAME.new("s01_capuzzo_outpost", log.header.options).edition == 1
    assert GAME.new("s01_capuzzo_outpost").edition == GAME.version == 7


@pytest.mark.rule("asl", "F8.4a")
def test_a_sangar_gives_one() -> None:
    s = empty()
    place(s, SQUAD, "N5")
    place(s, "axis_sangar#1", "R5")
    place(s, FOE, "R5", under=True)
    attack(s, ALLIED, "R5")
    assert drms(do(s, f"join {SQUAD}", "commit")) == 1


@pytest.mark.rule("asl", "A7.9", "A7.23")
def test_who_cowers_against_a_concealed_unit_loses_a_column_of_the_halved_fire() -> None:
    s = empty(AXIS)
    place(s, [FOE, FOE2], "N5")
    place(s, SQUAD, "R5")
    s.concealed = bits(SQUAD)
    attack(s, AXIS, "R5")
    do(s, f"join {FOE}", f"join {FOE2}", "commit")
    told = roll(s, 1, 1)[0].data
    assert told["cowers"] == 1
    fp = s.kind(U(FOE)).fp  # of two squads, halved
    assert told["result"] == RESULTS[ift().result(ift().column(fp) - 1, 2 + told["drm"])]


@pytest.mark.rule("asl", "A7.4", "A7.23", "A12.1")
def test_fire_at_a_concealed_unit_is_halved_against_it_alone() -> None:
    s = empty()
    place(s, [SQUAD, SQUAD2], "N5")
    place(s, [FOE, FOE2], "R5")
    s.concealed = bits(FOE2)
    attack(s, ALLIED, "R5")
    do(s, f"join {SQUAD}", f"join {SQUAD2}", "commit")
    roll(s, 1, 4)  # 5 on the 8 column: 2MC; on the 4 column: 1MC
    assert (s.stack[-1].unit, s.stack[-1].modifier) == (U(FOE), 2)
    roll(s, 1, 1)
    assert not s.concealed  # A12.14c
    assert (s.stack[-1].unit, s.stack[-1].modifier) == (U(FOE2), 1)


@pytest.mark.rule("asl", "A7.23", "A12.1")
def test_the_panel_halves_fire_at_a_concealed_unit() -> None:
    for concealed, title in ((False, "8 FP on the 8 column, DRM 0"), (True, "4 FP on the 4 column, DRM 0")):
        s = empty()
        place(s, [SQUAD, SQUAD2], "N5")
        place(s, FOE, "R5")
        s.concealed = bits(FOE) if concealed else 0
        attack(s, ALLIED, "R5")
        do(s, f"join {SQUAD}", f"join {SQUAD2}")
        panel = GAME.odds(s, GAME.parse("commit"))
        assert panel is not None
        assert str(panel.title) == title
        assert ("1/2", "A7.23") in [(one.value, one.rule) for one in panel.terms] or not concealed


@pytest.mark.rule("asl", "A12.11")
def test_a_dummy_is_removed_by_any_result() -> None:
    s = empty()
    place(s, SQUAD, "N5")
    place(s, "axis_dummy#1", "P5")
    s.concealed = bits("axis_dummy#1")
    attack(s, ALLIED, "P5")
    do(s, f"join {SQUAD}", "commit")
    assert "dummy" in kinds(roll(s, 1, 2))
    assert s.at[U("axis_dummy#1")] < 0


@pytest.mark.rule("asl", "A7.301")
def test_kia_eliminates_and_breaks_the_rest() -> None:
    s = duel("O5")
    place(s, FOE2, "O5")
    do(s, f"join {SQUAD}", "commit")
    roll(s, 1, 1, 6, 1)  # 2 on the 8 column: 1KIA; the first rolls 6, the second 1
    assert s.at[U(FOE)] < 0
    assert s.broken == bits(FOE2)


@pytest.mark.rule("asl", "A7.302", "A7.306")
def test_k_reduces_one_and_all_take_a_check() -> None:
    s = duel("O5")
    place(s, FOE2, "O5")
    do(s, f"join {SQUAD}", "commit")
    roll(s, 1, 2, 6, 1)  # 3 on the 8 column: K/2
    assert s.kind(U(FOE)).id == "it_136"
    assert s.kind(U(FOE2)).id == "it_346"
    roll(s, 1, 1, 1, 1)
    assert not s.broken


@pytest.mark.rule("asl", "A7.305")
def test_a_ptc_pins_who_fails_it() -> None:
    s = duel("O5")
    do(s, f"join {SQUAD}", "commit")
    roll(s, 4, 5)  # 9 on the 8 column: PTC
    roll(s, 6, 5)
    assert s.pinned == bits(FOE)


@pytest.mark.rule("asl", "A10.41", "A11.15")
def test_broken_units_and_those_in_melee_do_not_fire() -> None:
    s = duel()
    s.broken = bits(SQUAD)
    assert rule(s, f"join {SQUAD}") == "A10.41"
    s = duel()
    s.melee = bits(SQUAD)
    assert rule(s, f"join {SQUAD}") == "A11.15"


@pytest.mark.rule("asl", "A8.4")
def test_in_final_fire_those_who_fired_fire_at_adjacent_hexes_at_half() -> None:
    s = duel("R5", FINAL)
    s.fired = bits(SQUAD)
    assert rule(s, f"join {SQUAD}") == "A8.4"
    s = duel("O5", FINAL)
    s.fired = bits(SQUAD)
    assert column(do(s, f"join {SQUAD}", "commit")) == 4
    s = duel("O5", FINAL)
    s.spent_fire = s.fired = bits(SQUAD)
    assert rule(s, f"join {SQUAD}") == "A7.11"


@pytest.mark.rule("asl", "A7.1", "A7.2")
def test_the_panel_shows_every_share_and_the_chance_of_every_result() -> None:
    s = empty()
    place(s, [SQUAD, LEADER], "N5")
    give(s, HMG, SQUAD)
    place(s, "axis_sangar#1", "R5")
    place(s, FOE, "R5", under=True)
    attack(s, ALLIED, "R5")
    do(s, f"join {SQUAD}", f"use {HMG}", f"direct {LEADER}")
    assert s.attack is not None
    panel = odds_of(s, s.attack)
    assert panel is not None
    assert [(t.value, t.rule) for t in panel.terms] == [("4", "A7.1"), ("4", "A7.1"), ("+1", "F8.4a"), ("-1", "A7.531")]
    assert sum(chance for _, chance in panel.results) == 1
    assert dict(panel.results)["1KIA"] == dict(panel.results)["1KIA"].__class__(1, 36)


@pytest.mark.rule("asl", "A4.44")
def test_only_weapons_that_nobody_has_are_found() -> None:
    s = empty()
    place(s, [SQUAD, SQUAD2], "N5")
    give(s, LMG, SQUAD)
    f = RallyAt(F_RALLY, ALLIED)
    assert finds(s, f, f) == []
    s.holder[U(LMG)] = -1
    assert {u for u, _ in finds(s, f, f)} == {U(SQUAD), U(SQUAD2)}
