"""Chapter 7: declaration of combat, avoiding it, reaction movement, No Retreat."""

from __future__ import annotations

import pytest

from sandtable.games.kasserine.combat.chain import begin
from sandtable.games.kasserine.combat.reckoning import modifiers
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import INTERDICTION
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.state import State
from sandtable.games.kasserine.table.steps import At
from sandtable.games.kasserine.turn.reaction import AVOID, REACT, STAND

from ..kit import (
    ALLIED,
    AXIS,
    GAME,
    H,
    U,
    at,
    board,
    do,
    empty,
    mask,
    of_kind,
    place,
    roll,
    start,
    texts,
    units,
    why,
    works,
)

PZ, PZ2, PZG, PZHQ = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz", "ger_10pz_i_69", "ger_10pz_10_pz_hq"
GRENADIERS, AT_GUN = "ger_47gr_i_47", "ger_10pz_90_pzjg"
RIFLES, TANKS, TANKS2, GUNS, HQ = "us_34id_1_133", "us_1ad_2_1_ar", "us_1ad_3_1_ar", "us_34id_125_fa", "us_1ad_cca_hq"
BRITISH = "br_6ad_17_21_l"


def rule_against(s: State, text: str) -> str:
    reason = why(s, text)
    return "" if reason is None else reason.rule


def declaring() -> State:
    """Axis units in two hexes beside Allied ones in two."""
    s = empty("axis_movement")
    place(s, [PZ, PZG, GRENADIERS], "6733")
    place(s, "ger_10pz_i_90", "6734")
    place(s, PZ2, "6833")
    place(s, [RIFLES, GUNS], "6732")
    place(s, TANKS, "6632")
    start(s, steps.DECLARATIONS)
    return s


@pytest.mark.rule("kasserine", "7.11a", "7.11b", "7.12a", "7.12b", "7.13", "8.13", "8.14", "8.15a", "8.16", "8.12b")
def test_units_of_one_stack_may_be_declared_against_different_hexes_each_once() -> None:
    s = declaring()
    assert {"declare 6732", "declare 6632", "end_declarations"} == set(texts(s))
    assert rule_against(s, "declare 6633") == "7.11a"
    do(s, "declare 6732", f"attack_with {PZ}")
    assert rule_against(s, "attack_with ger_10pz_i_90") == "2.24"  # artillery alone makes no attack
    assert rule_against(s, f"attack_with {PZ2}") == "7.11a"  # 6833 does not touch 6732
    do(s, "declared")
    assert rule_against(s, "declare 6732") == "8.14"
    do(s, "declare 6632")
    assert rule_against(s, f"attack_with {PZ}") == "8.13"
    do(s, f"attack_with {PZG}", f"attack_with {GRENADIERS}")  # nobody else is left: that is the attack
    assert s.aims == {H("6732"): units(PZ), H("6632"): units(PZG, GRENADIERS)}


@pytest.mark.rule("kasserine", "7.12c", "7.16a", "7.16b", "8.12a", "8.15b", "8.0a")
def test_what_is_declared_is_fought_by_all_and_nothing_else_is() -> None:
    s = declaring()
    do(s, "declare 6732", f"attack_with {PZ}", f"attack_with {PZG}", "declared", "end_declarations")
    assert PZ2 not in str(texts(s))
    while s.fight is None:
        do(s, next(text for text in texts(s) if text.startswith("end_")))
    assert s.fight.attackers == units(PZ, PZG)
    assert s.fight.side == AXIS
    assert not s.aims


@pytest.mark.rule("kasserine", "7.14a", "7.14b", "8.24b", "12.12aa")
def test_nothing_weak_attacks() -> None:
    s = empty("axis_movement")
    place(s, "us_34id_1_133", "6732")
    place(s, "ger_47gr_14_47", "6733", oos=True)  # attack 1, halved to 0
    place(s, "ger_10pz_10_pz_hq", "6733")
    start(s, steps.DECLARATIONS)
    assert s.phase > 5  # nobody can attack: the phase is over
    s = empty("axis_movement")
    place(s, "us_34id_1_133", "6732")
    place(s, ["ger_47gr_14_47", "ger_army_i_52_flak"], "6733", oos=True)  # 1 and 1: together 1
    start(s, steps.DECLARATIONS)
    do(s, "declare 6732", "attack_with ger_47gr_14_47")
    assert rule_against(s, "declared") == "7.14b"
    events = do(s, "attack_with ger_army_i_52_flak")  # nobody else could join: that is the attack
    attackers = of_kind(events, "declared")[0].data["attackers"]
    assert attackers == sorted((U("ger_47gr_14_47"), U("ger_army_i_52_flak")))


@pytest.mark.rule("kasserine", "7.15", "8.25a", "6.36")
def test_x2_armor_does_not_attack_a_mountain_without_a_road() -> None:
    s = empty("axis_movement")
    place(s, "fr_xix_mtn_4", "6008")
    place(s, [PZ, "ger_47gr_i_47"], "5908")  # no road
    start(s, steps.DECLARATIONS)
    do(s, "declare 6008")
    assert rule_against(s, f"attack_with {PZ}") == "7.15"
    assert rule_against(s, "attack_with ger_47gr_i_47") == ""
    s = empty("axis_movement")
    place(s, "fr_xix_mtn_4", "6008")
    place(s, PZ, "5909")  # along the road
    start(s, steps.DECLARATIONS)
    do(s, "declare 6008")
    assert s.aims == {H("6008"): 0}
    assert rule_against(s, f"attack_with {PZ}") == ""


# 7.2


def attacked(*defenders: str, hex_: str = "6732", phase: str = "allied_reaction") -> State:
    """Defenders in 6732, attacked by a panzer battalion from 6733."""
    s = empty(phase)
    place(s, PZ, "6733")
    for name in defenders:
        place(s, name, hex_)
    s.aims = {H(hex_): units(PZ)}
    return s


@pytest.mark.rule("kasserine", "7.21", "7.21a", "7.21b", "3.93e")
def test_only_stacks_of_fit_red_boxes_may_try_to_avoid_combat() -> None:
    s = attacked(TANKS, RIFLES)
    start(s, steps.AVOIDING)
    assert s.phase > 6 or s.actor != ALLIED or "avoid 6732" not in texts(s)
    for mark in ("disrupted", "oos"):
        s = attacked(TANKS)
        setattr(s, mark, units(TANKS))
        reason = AVOID.why(H("6732"), s, None, {"hex": 0})
        assert reason is not None
        assert reason.rule == "7.21b"
    s = attacked(TANKS)
    start(s, steps.AVOIDING)
    assert s.actor == ALLIED
    assert set(texts(s)) == {"avoid 6732", "end_avoiding", "pass_phase", "orders"}


@pytest.mark.rule("kasserine", "7.22", "7.22a", "7.22b", "7.22c", "7.23", "7.0")
def test_avoiding_is_a_check_and_a_retreat_of_two_and_lets_the_attacker_in() -> None:
    s = attacked(TANKS)
    place(s, AT_GUN, "6733")
    s.aims[H("6732")] |= units(AT_GUN)
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    roll(s, 5)  # ER 4: failure
    assert at(s, TANKS) == "6732"
    assert H("6732") in s.aims or s.fight is not None
    s = attacked(TANKS)
    place(s, AT_GUN, "6733")
    s.aims[H("6732")] |= units(AT_GUN)
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    roll(s, 4)
    ends = {text.split()[2] for text in texts(s)}
    assert all(board.grid.distance(H("6732"), H(number)) == 2 for number in ends)
    do(s, f"retreat {TANKS} 6730")
    assert s.actor == AXIS
    assert set(texts(s)) == {f"advance {PZ} 6732", "end_advance"}  # A26 no orange circle
    do(s, f"advance {PZ} 6732")
    assert at(s, PZ) == "6732"
    assert not s.aims
    assert s.fight is None


@pytest.mark.rule("kasserine", "7.24", "7.25", "7.26", "7.31d")
def test_where_avoiding_leads_and_what_it_forbids() -> None:
    s = attacked(TANKS)
    place(s, RIFLES, "6730")
    s.aims[H("6730")] = 0
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    assert s.tried == units(TANKS)
    roll(s, 1)
    assert f"retreat {TANKS} 6730" not in texts(s)  # a defending hex itself
    s = attacked(TANKS)
    place(s, PZ2, "6630")  # with the panzers in 6733 every way is watched
    place(s, PZG, "6830")
    place(s, GRENADIERS, "6634")
    reason = AVOID.why(H("6732"), s, None, {"hex": 0})
    assert reason is None or reason.rule == "7.25"


@pytest.mark.rule("kasserine", "10.36b", "12.23a", "12.22a", "12.22b", "12.24", "15.13a")
def test_command_points_interdiction_and_surprise_change_the_roll() -> None:
    s = attacked(TANKS)
    place(s, HQ, "6731")
    put(s, U("ger_air_ii_stg_3"), INTERDICTION)
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    assert set(texts(s)) == {f"command {HQ}", "no_command"}
    do(s, f"command {HQ}")
    assert s.spent == units(HQ)
    assert s.actor == AXIS
    odds = GAME.odds(s, GAME.parse("harass ger_air_ii_stg_3"))
    assert odds is not None
    assert [term.value for term in odds.terms] == ["4", "-1", "+1"]
    do(s, "harass ger_air_ii_stg_3")
    events = roll(s, 5)
    assert of_kind(events, "reaction")[0].data["roll"] == 5
    s = attacked(TANKS)
    s.turn = 1
    start(s, steps.AVOIDING)
    do(s, "avoid 6732")
    events = roll(s, 4)
    data = of_kind(events, "reaction")[0].data
    assert (data["er"], data["passed"]) == (3, 0)


# 7.3


@pytest.mark.rule("kasserine", "7.3a", "7.3b", "7.31", "7.31a", "7.31b", "7.31e", "7.31f")
def test_who_may_react() -> None:
    s = attacked(RIFLES)
    place(s, TANKS, "6730")  # two hexes away
    place(s, TANKS2, "6729")  # three
    place(s, [HQ, GUNS, "us_34id_2_133"], "6731")
    place(s, "us_1ad_1_6_air", "6730", disrupted=True)
    place(s, "us_1ad_2_6_air", "6730", oos=True)
    place(s, BRITISH, "6632")  # in the ZOC of the panzers
    start(s, steps.REACTIONS)
    assert set(texts(s)) == {f"react {TANKS}", "end_reactions", "pass_phase", "orders"}
    assert rule_against(s, f"react {TANKS2}") == "7.31"
    assert rule_against(s, f"react {HQ}") == rule_against(s, "react us_34id_2_133") == "7.31a"
    assert rule_against(s, "react us_1ad_1_6_air") == rule_against(s, "react us_1ad_2_6_air") == "7.31f"
    assert rule_against(s, f"react {BRITISH}") == "7.31b"
    s = attacked(TANKS)
    reason = REACT.why(U(TANKS), s, None, {"unit": 0})
    assert reason is not None
    assert reason.rule == "7.31e"


@pytest.mark.rule("kasserine", "7.31b")
def test_germans_react_even_from_a_zoc() -> None:
    s = empty("axis_reaction")
    place(s, RIFLES, "6733")
    place(s, GRENADIERS, "6732")
    place(s, [PZ, "ita_cent_xiv_31"], "6832")
    s.active = ALLIED
    s.aims = {H("6732"): units(RIFLES)}
    place(s, "us_34id_2_133", "6933")
    start(s, steps.REACTIONS)
    assert f"react {PZ}" in texts(s)
    assert rule_against(s, "react ita_cent_xiv_31") == "7.31b"


@pytest.mark.rule("kasserine", "7.31c", "7.32", "7.33a", "7.33b", "7.34a", "7.34b")
def test_a_reacting_unit_moves_half_its_ma_beside_the_enemy_only_to_friends() -> None:
    s = attacked(RIFLES)
    place(s, TANKS, "6730")
    place(s, TANKS2, "6831")
    start(s, steps.REACTIONS)
    do(s, f"react {TANKS2}")
    roll(s, 5)  # fails
    assert rule_against(s, f"react {TANKS2}") == "7.32"
    do(s, f"react {TANKS}")
    roll(s, 4)
    assert s.actor == ALLIED
    legal = texts(s)
    assert "to 6732" in legal  # the defending hex, held by friends
    assert "to 6632" not in legal  # beside the panzers, empty
    assert "to 6726" in legal  # away from it: 4 MP
    assert "to 6725" not in legal
    assert "stay" in legal
    do(s, "to 6732")
    assert at(s, TANKS) == "6732"


# 7.4


@pytest.mark.rule("kasserine", "7.41", "7.41a", "7.41b", "7.41c", "7.42", "11.13c", "11.33c")
def test_no_retreat_needs_two_steps_a_work_and_a_check() -> None:
    s = attacked(RIFLES)
    reason = STAND.why(H("6732"), s, None, {"hex": 0})
    assert reason is not None
    assert reason.rule == "7.41b"
    works(s, ALLIED, "minefield", "6732", untried=True)
    assert STAND.why(H("6732"), s, None, {"hex": 0}) is None
    s.step[U(RIFLES)] = 1
    reason = STAND.why(H("6732"), s, None, {"hex": 0})
    assert reason is not None
    assert reason.rule == "7.41a"
    s = attacked(RIFLES)
    works(s, ALLIED, "strongpoint", "6732")
    start(s, steps.STANDS)
    do(s, "stand 6732")
    events = roll(s, 4)
    assert of_kind(events, "reaction")[0].data["passed"] == 1
    assert s.no_retreat == mask("6732") or s.fight is not None
    s = attacked(RIFLES)
    works(s, ALLIED, "strongpoint", "6732")
    start(s, steps.STANDS)
    do(s, "stand 6732")
    roll(s, 5)
    assert s.no_retreat == 0


@pytest.mark.rule("kasserine", "7.43", "8.61h", "8.22b", "8.61e", "11.13b")
def test_no_retreat_and_a_strongpoint_are_worth_one_each() -> None:
    s = attacked(RIFLES, phase="axis_combat")
    works(s, ALLIED, "strongpoint", "6732")
    s.no_retreat = mask("6732")
    begin(s, At(steps.COMBATS), H("6732"))
    s.fight.lead = [U(PZ), U(RIFLES)]
    found = {item.rule: item.value for item in modifiers(s, s.fight)}
    assert found == {"11.13b": 1, "7.43": 1, "8.61f": -3}
